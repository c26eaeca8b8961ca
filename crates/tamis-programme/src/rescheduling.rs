//! Another slot for somebody who cannot come.

use crate::conditions::check_fixed;
use crate::joined::{JoinedColumn, delimiter_for, joined_columns};
use crate::people::label_of;
use crate::sheet::{Sheet, number_rows};
use crate::{Appointments, Conditions, People, Programme, ProgrammeError, Slots};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use tamis_appointments::{Alternative, AnonymityVector, Placement, Schedule, Unit, alternatives};
use tamis_source::{OutputColumn, WriteOptions, write_table};
use tamis_table::Column;

/// People with their appointments, one of whom is to get another.
#[derive(Debug)]
pub struct Rescheduling {
    programme: Programme,
    /// The file as it is, appointments included.
    assigned: Sheet,
    joined: Vec<JoinedColumn>,
    appointments: Appointments,
    schedule: Schedule,
    together: Option<String>,
    fixed: Option<String>,
}

impl Rescheduling {
    /// Takes a file that [`Programme::write`] wrote: people's columns and, under `prefix`, those of their slots.
    pub fn new(
        assigned: Sheet,
        quasi: &[String],
        id: &str,
        slots: Slots,
        conditions: Conditions,
        prefix: &str,
    ) -> Result<Self, ProgrammeError> {
        let joined = joined_columns(&slots, &conditions, prefix);
        let appointments = read_appointments(&assigned, &slots, &joined)?;
        let is_of_slots = |name: &str| joined.iter().any(|column| !column.is_shared && column.name == name);
        if let Some(name) = quasi.iter().find(|name| is_of_slots(name)) {
            return Err(ProgrammeError::Invalid(format!(
                "`{name}` is a column of the slots; the quasi-identifier is what people have before they have a slot"
            )));
        }
        let people = People::new(assigned.without(is_of_slots)?, quasi, Some(id))?;
        // Who must not be split matters to the one who goes, not to the cells of the others.
        let together = conditions.together.clone();
        // An appointment that stands keeps nobody from asking for another.
        let fixed = conditions.fixed.clone();
        if let Some(column) = &fixed {
            check_fixed(column, &people, &slots)?;
        }
        let programme = Programme::new(people, slots, Conditions { together: None, fixed: None, ..conditions })?;
        let schedule = schedule_of(&programme, &appointments);
        Ok(Self { programme, assigned, joined, appointments, schedule, together, fixed })
    }

    /// People, slots and conditions.
    pub fn programme(&self) -> &Programme {
        &self.programme
    }

    /// The vector as it is now.
    pub fn vector(&self) -> AnonymityVector {
        self.schedule.vector(self.programme.instance())
    }

    /// The slot of a person as it is now.
    pub fn slot(&self, row: usize) -> usize {
        self.appointments.slot(row)
    }

    /// Who goes when this person goes: everybody who must not be split from them, or, with `alone`, the person only.
    pub fn movers(&self, row: usize, alone: bool) -> Result<Vec<usize>, ProgrammeError> {
        let Some(name) = self.together.as_ref().filter(|_| !alone) else { return Ok(vec![row]) };
        let people = &self.programme.people;
        let column = people.sheet.column(name)?;
        let family = column.codes().get(row);
        if column.missing().map(|missing| missing.0) == Some(family) {
            return Ok(vec![row]);
        }
        let movers: Vec<usize> = (0..people.count()).filter(|&other| column.codes().get(other) == family).collect();
        match movers.iter().find(|&&other| self.slot(other) != self.slot(row)) {
            None => Ok(movers),
            Some(&other) => Err(ProgrammeError::Invalid(format!(
                "{}: `{name}` is {} for both, but they go to different slots already; say --alone to move {} only",
                people.sheet.places(row.min(other), row.max(other)),
                column.text(row),
                people.label(row)
            ))),
        }
    }

    /// The other slots for these people, who are in one slot now: the possible ones by the vector they lead to, then those that are
    /// full or that a rule closes.
    pub fn alternatives(&self, movers: &[usize]) -> Vec<Alternative> {
        let instance = self.programme.instance();
        let units = movers.iter().map(|&row| &instance.units[self.programme.parties.unit_of_row(row)]);
        let party = Unit {
            members: units.flat_map(|unit| unit.members.iter().cloned()).collect(),
            count: 1,
            allowed: self.programme.slots_in_common(movers),
        };
        let from = movers.first().map_or(0, |&row| self.slot(row));
        alternatives(instance, &self.schedule, &party, from)
    }

    /// Why a slot cannot be chosen; nothing if it can.
    pub fn check_choice(&self, slot: usize, movers: &[usize], found: &[Alternative]) -> Result<(), ProgrammeError> {
        let label = self.programme.slots.label(slot);
        let refused = |why: String| Err(ProgrammeError::Refused(format!("{label} cannot be chosen: {why}")));
        let Some(one) = found.iter().find(|one| one.slot == slot) else {
            if movers.iter().any(|&row| self.slot(row) == slot) {
                return refused("it is the slot they have".to_owned());
            }
            return refused(format!("it is ruled out by {}", self.ruled_out_by(slot, movers)));
        };
        if !one.has_room {
            return refused(format!("it has room for {} more and needs room for {}", one.places_left, movers.len()));
        }
        match self.broken_rules(one).first() {
            Some(rule) => refused(format!("it would break {rule}")),
            None => Ok(()),
        }
    }

    /// The conditions that keep any of these people from a slot, and whom if it is only some of them.
    fn ruled_out_by(&self, slot: usize, movers: &[usize]) -> String {
        let Programme { reach, people, .. } = &self.programme;
        let kept_out = |row: usize| reach.ruled_out_by(row, slot).collect::<Vec<_>>();
        let first = movers.iter().map(|&row| (row, kept_out(row))).find(|(_, conditions)| !conditions.is_empty());
        let Some((row, conditions)) = first else { return "a condition on where they may go".to_owned() };
        let whom = if movers.len() > 1 { format!(" for {}", people.label(row)) } else { String::new() };
        format!("{}{whom}", conditions.join(" and "))
    }

    /// The rules that an alternative would break, as they were given.
    pub fn broken_rules(&self, one: &Alternative) -> Vec<String> {
        one.broken_rules.iter().map(|&rule| self.programme.conditions.mixing[rule].to_string()).collect()
    }

    /// The column of appointments that stand and the name that the slot has there, if appointments may stand.
    fn standing(&self, slot: usize) -> Option<(&str, &str)> {
        let (fixed, id) = (self.fixed.as_deref()?, self.programme.slots.id.as_deref()?);
        Some((fixed, self.programme.slots.sheet.table().column(id).ok()?.text(slot)))
    }

    /// What [`Rescheduling::write`] does to appointments that stand, to be told beside it.
    pub fn note_on_standing(&self, movers: &[usize], slot: usize) -> Option<String> {
        let (column, name) = self.standing(slot)?;
        let whom: Vec<String> = movers.iter().map(|&row| self.programme.people.label(row)).collect();
        Some(format!("`{column}` is {name} now for {}: the appointment chosen is the one that stands", whom.join(", ")))
    }

    /// Writes the file again with these people in another slot, which is the one that stands for them from now on; everything else
    /// stays as it is.
    pub fn write(&self, path: &Path, movers: &[usize], slot: usize) -> Result<(), ProgrammeError> {
        let mut columns = Vec::with_capacity(self.assigned.table().columns().len());
        for column in self.assigned.table().columns() {
            let mut written = OutputColumn::of(column);
            let joined = self.joined.iter().find(|joined| !joined.is_shared && joined.name == column.name());
            let text = match (joined, self.standing(slot)) {
                (Some(joined), _) => Some(self.programme.slots.sheet.column(&joined.column)?.text(slot)),
                (None, Some((standing, name))) if standing == column.name() => Some(name),
                _ => None,
            };
            if let Some(text) = text {
                let new = written.cells.len() as u32;
                written.cells.push(text.to_owned());
                written.cell_of_row =
                    Box::new(move |row| if movers.contains(&row) { new } else { column.codes().get(row) });
            }
            columns.push(written);
        }
        let options = WriteOptions { delimiter: delimiter_for(path, &self.assigned), ..WriteOptions::default() };
        write_table(path, &options, &columns, 0..self.assigned.rows())?;
        Ok(())
    }
}

/// The slot of every row, found by the id of slots or by all that describes them.
fn read_appointments(assigned: &Sheet, slots: &Slots, joined: &[JoinedColumn]) -> Result<Appointments, ProgrammeError> {
    let is_key = |column: &&JoinedColumn| slots.id.as_ref().is_none_or(|id| *id == column.column);
    let keys: Vec<&JoinedColumn> = joined.iter().filter(is_key).collect();
    let of_slots: Vec<&Column> = keys.iter().map(|key| slots.sheet.column(&key.column)).collect::<Result<_, _>>()?;
    let names: Vec<String> = keys.iter().map(|key| key.name.clone()).collect();
    let of_people = assigned.columns(&names)?;
    // Every other column of the slots must be there too, for a new slot has to be written into it.
    for column in joined {
        assigned.column(&column.name)?;
    }
    let texts = |columns: &[&Column], row: usize| -> Vec<String> {
        columns.iter().map(|column| column.text(row).to_owned()).collect()
    };
    let slot_of: HashMap<Vec<String>, usize> = (0..slots.count()).map(|slot| (texts(&of_slots, slot), slot)).collect();
    let (number_of_row, first_rows) = number_rows(assigned.rows(), &of_people);
    let slot = |&row: &u32| {
        let row = row as usize;
        slot_of.get(&texts(&of_people, row)).map(|&slot| slot as u32).ok_or_else(|| {
            ProgrammeError::Invalid(format!(
                "{}: {} is no slot of {}; give the slots and the --slot-prefix that the appointments were made with",
                assigned.place(row),
                label_of(assigned, &names, row),
                slots.sheet.name()
            ))
        })
    };
    let slot_of_number = first_rows.iter().map(slot).collect::<Result<Vec<u32>, _>>()?;
    Ok(Appointments { slot_of_row: number_of_row.iter().map(|&number| slot_of_number[number as usize]).collect() })
}

/// The appointments as a schedule of single people.
fn schedule_of(programme: &Programme, appointments: &Appointments) -> Schedule {
    let mut rows: Vec<BTreeMap<usize, u64>> = vec![BTreeMap::new(); programme.instance.units.len()];
    for row in 0..programme.people.count() {
        *rows[programme.parties.unit_of_row(row)].entry(appointments.slot(row)).or_insert(0) += 1;
    }
    let placed = |row: BTreeMap<usize, u64>| row.into_iter().map(|(slot, units)| Placement { slot, units }).collect();
    Schedule { rows: rows.into_iter().map(placed).collect() }
}
