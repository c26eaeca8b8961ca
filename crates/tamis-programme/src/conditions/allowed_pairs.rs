//! A list of who may go where.

use super::Restriction;
use super::reach::and_others;
use crate::sheet::{Sheet, number_rows};
use crate::{People, ProgrammeError, Slots};
use std::collections::HashMap;
use tamis_appointments::Allowed;
use tamis_table::Column;

/// A file of pairs: some columns are columns of the people, the others are columns of the slots, and every line lets the people with
/// these values go to the slots with those values.
///
/// The list is meant to be complete: somebody whom no line mentions is an error, unless `unlisted_anywhere` lets such people go
/// anywhere.
#[derive(Debug, Clone)]
pub struct AllowedPairs {
    /// The pairs.
    pub sheet: Sheet,
    /// Whether people whom no line mentions may go anywhere.
    pub unlisted_anywhere: bool,
}

impl AllowedPairs {
    /// Linear in people, slots and lines, and in the pairs of a line with several slots.
    pub(super) fn restrict(
        &self,
        people: &People,
        slots: &Slots,
        notes: &mut Vec<String>,
    ) -> Result<Restriction, ProgrammeError> {
        let (of_people, of_slots) = self.sides(people, slots)?;
        let people_keys = Keys::new(&self.sheet, &people.sheet, &of_people)?;
        let slot_keys = Keys::new(&self.sheet, &slots.sheet, &of_slots)?;
        let slots_of_key = slot_keys.rows_of_key();
        let mut allowed: Vec<Vec<usize>> = vec![Vec::new(); people_keys.count()];
        let mut lines_for_nobody = 0;
        for line in 0..self.sheet.rows() {
            let Some(slot_key) = slot_keys.key_of_line(line) else {
                let names: Vec<String> = of_slots.iter().map(|&name| name.to_owned()).collect();
                return Err(ProgrammeError::Invalid(format!(
                    "{}: {} has no slot with {}; mend or drop the line",
                    self.sheet.place(line),
                    slots.sheet.name(),
                    crate::people::label_of(&self.sheet, &names, line)
                )));
            };
            match people_keys.key_of_line(line) {
                Some(key) => allowed[key].extend(&slots_of_key[slot_key]),
                None => lines_for_nobody += 1,
            }
        }
        if lines_for_nobody > 0 {
            let lines =
                if lines_for_nobody == 1 { "1 line speaks" } else { &format!("{lines_for_nobody} lines speak") };
            notes.push(format!("{}: {lines} of people who are not in {}", self.sheet.name(), people.sheet.name()));
        }
        if !self.unlisted_anywhere && allowed.iter().any(Vec::is_empty) {
            return Err(self.unlisted(people, &people_keys, &allowed));
        }
        let slots_of_class = allowed.into_iter().map(|mut slots| {
            slots.sort_unstable();
            slots.dedup();
            if slots.is_empty() { Allowed::All } else { Allowed::Only(slots.into()) }
        });
        let slots_of_class = slots_of_class.collect();
        let name = format!("--allowed {}", self.sheet.path().display());
        Ok(Restriction { name, class_of_row: people_keys.key_of_row, slots_of_class })
    }

    /// Which columns speak of people and which of slots.
    fn sides(&self, people: &People, slots: &Slots) -> Result<(Vec<&str>, Vec<&str>), ProgrammeError> {
        let (mut of_people, mut of_slots) = (Vec::new(), Vec::new());
        for column in self.sheet.table().columns() {
            let name = column.name();
            let is_of_slots = slots.described_by.iter().any(|known| known == name);
            match (people.sheet.has(name), is_of_slots) {
                (true, false) => of_people.push(name),
                (false, true) => of_slots.push(name),
                (true, true) => {
                    return Err(ProgrammeError::Invalid(format!(
                        "{}: column `{name}` is one of {} and of {}; rename it in one of them",
                        self.sheet.name(),
                        people.sheet.name(),
                        slots.sheet.name()
                    )));
                }
                (false, false) => {
                    return Err(ProgrammeError::Invalid(format!(
                        "{}: column `{name}` is neither one of {} nor one that describes the slots of {}; drop or rename it",
                        self.sheet.name(),
                        people.sheet.name(),
                        slots.sheet.name()
                    )));
                }
            }
        }
        let missing = if of_people.is_empty() { &people.sheet } else { &slots.sheet };
        if of_people.is_empty() || of_slots.is_empty() {
            return Err(ProgrammeError::Invalid(format!(
                "{} has no column of {}; a line needs both who and where",
                self.sheet.name(),
                missing.name()
            )));
        }
        Ok((of_people, of_slots))
    }

    /// Who is the first without a line, and how many others have none.
    fn unlisted(&self, people: &People, keys: &Keys, allowed: &[Vec<usize>]) -> ProgrammeError {
        let is_unlisted = |&row: &usize| allowed[keys.key_of_row[row] as usize].is_empty();
        let rows: Vec<usize> = (0..people.count()).filter(is_unlisted).collect();
        let row = rows.first().copied().unwrap_or(0);
        ProgrammeError::Invalid(format!(
            "{}: {} has no line for {}{}; add lines, or say --unlisted-anywhere if people without a line may go to any slot",
            people.sheet.place(row),
            self.sheet.name(),
            people.label(row),
            and_others(rows.len())
        ))
    }
}

/// The values of some columns, in the file they belong to and in the list.
struct Keys {
    key_of_row: Vec<u32>,
    first_rows: Vec<u32>,
    key_of_codes: HashMap<Vec<u32>, usize>,
    /// For each column the codes of the lines of the list, in the codes of the file.
    codes_of_lines: Vec<Vec<Option<u32>>>,
}

impl Keys {
    fn new(list: &Sheet, file: &Sheet, names: &[&str]) -> Result<Self, ProgrammeError> {
        let columns: Vec<&Column> = names.iter().map(|name| file.column(name)).collect::<Result<_, _>>()?;
        let (key_of_row, first_rows) = number_rows(file.rows(), &columns);
        let codes = |&row: &u32| columns.iter().map(|column| column.codes().get(row as usize)).collect();
        let key_of_codes = first_rows.iter().map(codes).zip(0..).collect();
        let mut codes_of_lines = Vec::with_capacity(columns.len());
        for column in &columns {
            let code_of: HashMap<&str, u32> = column.dictionary().iter().zip(0..).collect();
            let listed = list.column(column.name())?;
            let translated: Vec<Option<u32>> =
                listed.dictionary().iter().map(|text| code_of.get(text).copied()).collect();
            codes_of_lines.push((0..list.rows()).map(|line| translated[listed.codes().get(line) as usize]).collect());
        }
        Ok(Self { key_of_row, first_rows, key_of_codes, codes_of_lines })
    }

    fn count(&self) -> usize {
        self.first_rows.len()
    }

    fn key_of_line(&self, line: usize) -> Option<usize> {
        let codes: Option<Vec<u32>> = self.codes_of_lines.iter().map(|codes| codes[line]).collect();
        self.key_of_codes.get(&codes?).copied()
    }

    fn rows_of_key(&self) -> Vec<Vec<usize>> {
        let mut rows = vec![Vec::new(); self.count()];
        for (row, &key) in self.key_of_row.iter().enumerate() {
            rows[key as usize].push(row);
        }
        rows
    }
}
