//! Who is scheduled as one, and who is alike to the schedule.

use crate::conditions::{Mixing, Reach, common_slots};
use crate::sheet::number_numbers;
use crate::{People, ProgrammeError, Slots};
use std::collections::HashMap;
use tamis_appointments::{Allowed, Member, Unit};
use tamis_table::{Codes, Members, TupleColumn, number_tuples};

/// Parties are single people and families; a unit of the instance is all parties that are alike: with the same quasi-identifiers and
/// the same values of the attributes that rules speak of, and with the same slots allowed.
#[derive(Debug)]
pub(crate) struct Parties {
    /// The party of each row; none if every row is a party.
    party_of_row: Option<Vec<u32>>,
    /// The parties of each unit.
    of_unit: Members,
    unit_of_party: Vec<u32>,
}

/// People with the same quasi-identifier and the same values of attributes.
struct Kinds {
    kind_of_row: Vec<u32>,
    members: Vec<Member>,
}

impl Kinds {
    fn new(people: &People, mixing: &Mixing) -> Self {
        let quasi = Codes::Wide(people.quasi_of_row.clone());
        let mut columns: Vec<&dyn TupleColumn> = vec![&quasi];
        columns.extend(mixing.codes.iter().map(|codes| codes as &dyn TupleColumn));
        let mut domains = vec![people.first_row_of_quasi.len() as u32];
        domains.extend(mixing.attributes.iter().map(|attribute| attribute.values.len() as u32));
        let (kind_of_row, first_rows) = number_tuples(people.count(), &columns, &domains);
        let member = |&row: &u32| Member {
            quasi_id: people.quasi_of_row[row as usize] as usize,
            values: mixing.codes.iter().map(|codes| codes.get(row as usize)).collect(),
            people: 1,
        };
        Self { members: first_rows.iter().map(member).collect(), kind_of_row }
    }
}

impl Parties {
    /// Groups the people into parties and units. Linear in people, but for sorting the members of each family.
    pub(crate) fn new(
        people: &People,
        slots: &Slots,
        mixing: &Mixing,
        reach: &Reach,
        together: Option<&str>,
    ) -> Result<(Self, Vec<Unit>), ProgrammeError> {
        let kinds = Kinds::new(people, mixing);
        match together {
            None => Ok(Self::of_single_people(people, &kinds, reach)),
            Some(column) => Self::of_families(people, slots, &kinds, reach, column),
        }
    }

    fn of_single_people(people: &People, kinds: &Kinds, reach: &Reach) -> (Self, Vec<Unit>) {
        let numberings =
            [(kinds.kind_of_row.as_slice(), kinds.members.len()), (&reach.class_of_row, reach.slots_of_class.len())];
        let (unit_of_row, first_rows) = number_numbers(people.count(), &numberings);
        let of_unit = Members::of(&unit_of_row, first_rows.len());
        let unit = |(unit, &row): (usize, &u32)| Unit {
            members: vec![kinds.members[kinds.kind_of_row[row as usize] as usize].clone()],
            count: of_unit.group(unit).len() as u64,
            allowed: reach.of_row(row as usize).clone(),
        };
        let units = first_rows.iter().enumerate().map(unit).collect();
        (Self { party_of_row: None, of_unit, unit_of_party: unit_of_row }, units)
    }

    fn of_families(
        people: &People,
        slots: &Slots,
        kinds: &Kinds,
        reach: &Reach,
        column: &str,
    ) -> Result<(Self, Vec<Unit>), ProgrammeError> {
        let party_of_row = families(people, column)?;
        let parties = party_of_row.iter().max().map_or(0, |&last| last as usize + 1);
        let rows_of_party = Members::of(&party_of_row, parties);
        let mut unit_of_signature: HashMap<(Vec<(u32, u64)>, Allowed), u32> = HashMap::new();
        let mut units: Vec<Unit> = Vec::new();
        let mut unit_of_party = Vec::with_capacity(parties);
        for party in 0..parties {
            let rows = rows_of_party.group(party);
            let allowed = common_slots(rows.iter().map(|&row| reach.of_row(row as usize)), slots.count());
            if matches!(&allowed, Allowed::Only(none) if none.is_empty()) {
                return Err(split_by_conditions(people, column, rows));
            }
            let signature = (counted(rows.iter().map(|&row| kinds.kind_of_row[row as usize])), allowed);
            let unit = *unit_of_signature.entry(signature).or_insert_with_key(|(members, allowed)| {
                let member = |&(kind, people): &(u32, u64)| Member { people, ..kinds.members[kind as usize].clone() };
                let members = members.iter().map(member).collect();
                units.push(Unit { members, count: 0, allowed: allowed.clone() });
                units.len() as u32 - 1
            });
            units[unit as usize].count += 1;
            unit_of_party.push(unit);
        }
        let of_unit = Members::of(&unit_of_party, units.len());
        Ok((Self { party_of_row: Some(party_of_row), of_unit, unit_of_party }, units))
    }

    /// How many parties there are.
    pub(crate) fn count(&self) -> usize {
        self.unit_of_party.len()
    }

    /// The parties of a unit.
    pub(crate) fn of_unit(&self, unit: usize) -> &[u32] {
        self.of_unit.group(unit)
    }

    /// The first person of the first party of a unit, if there is such a unit.
    pub(crate) fn first_row_of_unit(&self, unit: usize) -> Option<usize> {
        (unit < self.of_unit.len()).then_some(())?;
        let party = *self.of_unit(unit).first()? as usize;
        match &self.party_of_row {
            None => Some(party),
            Some(party_of_row) => party_of_row.iter().position(|&other| other as usize == party),
        }
    }

    /// The party of a person.
    pub(crate) fn of_row(&self, row: usize) -> usize {
        self.party_of_row.as_ref().map_or(row, |party_of_row| party_of_row[row] as usize)
    }

    /// The unit of a person.
    pub(crate) fn unit_of_row(&self, row: usize) -> usize {
        self.unit_of_party[self.of_row(row)] as usize
    }
}

/// The party of each row, numbered in the order of first rows: people with the same value are one, those without a value are alone.
fn families(people: &People, name: &str) -> Result<Vec<u32>, ProgrammeError> {
    let column = people.sheet.column(name)?;
    let missing = column.missing().map(|code| code.0);
    let mut party_of_family = vec![None; column.dictionary().len()];
    let mut parties = 0;
    let mut next = || {
        parties += 1;
        parties - 1
    };
    let party = |row: usize| match column.codes().get(row) {
        family if missing == Some(family) => next(),
        family => *party_of_family[family as usize].get_or_insert_with(&mut next),
    };
    Ok((0..people.count()).map(party).collect())
}

/// How often each kind occurs, by kind.
fn counted(kinds: impl Iterator<Item = u32>) -> Vec<(u32, u64)> {
    let mut sorted: Vec<u32> = kinds.collect();
    sorted.sort_unstable();
    sorted.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u64)).collect()
}

fn split_by_conditions(people: &People, column: &str, rows: &[u32]) -> ProgrammeError {
    let (first, last) = (rows[0] as usize, rows[rows.len() - 1] as usize);
    let family = people.sheet.table().column(column).map_or("", |column| column.text(first));
    ProgrammeError::Refused(format!(
        "{}: the {} people with `{column}` {family} must not be split, but there is no slot to which all of them may go; give them a slot in common, or split them in `{column}`",
        people.sheet.places(first, last),
        rows.len()
    ))
}
