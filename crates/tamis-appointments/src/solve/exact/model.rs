//! The integer program of part sizes: parts that make up the frequencies and also fill the slots.

use super::assembly::{Parts, assemble};
use super::side::{Pooling, Side};
use crate::instance::Plain;
use crate::schedule::Schedule;
use std::collections::BTreeMap;
use tamis_solver::{Limit, MicroLp, Outcome, Program, Solver};

/// A problem with equal frequencies and equal capacities taken together.
#[derive(Debug)]
pub(super) struct Sums<'a> {
    problem: &'a Plain,
    /// A slot takes no more people than there are.
    cap: u64,
    frequencies: Vec<(u64, u64)>,
    capacities: Vec<(u64, u64)>,
    has_slack: bool,
    /// Networks have no more arcs than this; sums that are too large for that stay out of them.
    pub(super) most_arcs: usize,
}

/// What is known of the number of parts of one size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Parting {
    pub(super) size: u64,
    pub(super) least: u64,
    pub(super) most: u64,
}

/// The integer program for some sizes of parts.
#[derive(Debug)]
pub(super) struct Model<'a> {
    sums: &'a Sums<'a>,
    partings: Vec<Parting>,
    sizes: Vec<u64>,
    rows: Side,
    columns: Side,
}

impl<'a> Sums<'a> {
    pub(super) fn of(problem: &'a Plain, most_arcs: usize) -> Self {
        let cap = problem.people();
        let capacities = counted(problem.capacities.iter().map(|&capacity| capacity.min(cap)));
        let places: u64 = capacities.iter().map(|&(capacity, slots)| capacity.saturating_mul(slots)).sum();
        let frequencies = counted(problem.frequencies.iter().copied());
        Self { problem, cap, frequencies, capacities, has_slack: places > cap, most_arcs }
    }

    fn assemble(&self, of_rows: &Parts, of_slots: &Parts) -> Option<Schedule> {
        assemble(self.problem, self.cap, of_rows, of_slots)
    }
}

/// Numbers with how often they occur, ascending.
fn counted(numbers: impl Iterator<Item = u64>) -> Vec<(u64, u64)> {
    let mut counts = BTreeMap::new();
    for number in numbers {
        *counts.entry(number).or_insert(0) += 1;
    }
    counts.into_iter().collect()
}

impl<'a> Model<'a> {
    /// The model with parts of these sizes, ascending; none if it is too large.
    pub(super) fn build(sums: &'a Sums<'a>, partings: Vec<Parting>, pooling: Pooling) -> Option<Self> {
        let sizes: Vec<u64> = partings.iter().map(|parting| parting.size).collect();
        let rows = Side::build(&sums.frequencies, &partings, false, sums.most_arcs, pooling)?;
        let columns = Side::build(&sums.capacities, &partings, sums.has_slack, sums.most_arcs, pooling)?;
        Some(Self { sums, partings, sizes, rows, columns })
    }

    /// The least number of parts of one size when parts may be fractions.
    pub(super) fn relax(&self, size: u64, limit: &Limit<'_>) -> Outcome {
        MicroLp.relax(&self.program(size).0, limit)
    }

    /// The number of parts of a size in an outcome of the model.
    pub(super) fn parts_in(&self, outcome: &Outcome, size: u64) -> Option<f64> {
        let position = self.sizes.binary_search(&size).ok();
        position.map_or(Some(0.0), |position| outcome.values.get(position).copied())
    }

    /// The least number of parts of one size, if it is at most `most`, with a schedule that has so many.
    pub(super) fn solve(&self, size: u64, most: u64, limit: &Limit<'_>) -> (Outcome, Option<Schedule>) {
        let (mut program, rows, columns) = self.program(size);
        if let Ok(variable) = self.sizes.binary_search(&size) {
            program.variables[variable].upper = program.variables[variable].upper.min(most as f64);
        }
        let outcome = MicroLp.solve(&program, limit);
        let schedule = outcome.integers().and_then(|values| {
            let of_rows = self.rows.parts(&values[rows..columns])?;
            let of_slots = self.columns.parts(&values[columns..])?;
            self.sums.assemble(&of_rows, &of_slots)
        });
        (outcome, schedule)
    }

    /// How many variables both sides have.
    pub(super) fn variables(&self) -> usize {
        self.rows.variables() + self.columns.variables()
    }

    /// Whether sums stay out of the networks.
    pub(super) fn is_pooled(&self) -> bool {
        self.rows.is_pooled() || self.columns.is_pooled()
    }

    /// A schedule with exactly the least numbers of parts. Rows and columns have nothing more to do with each other
    /// then, and are solved one by one.
    pub(super) fn realise(&self, limit: &Limit<'_>) -> Option<Schedule> {
        let of_slots = self.columns.realise(&self.partings, limit)?;
        let of_rows = self.rows.realise(&self.partings, limit)?;
        self.sums.assemble(&of_rows, &of_slots)
    }

    /// The program with the number of parts of one size as its costs, and the first variable of the rows and of the
    /// columns.
    fn program(&self, minimised: u64) -> (Program, usize, usize) {
        let mut program = Program::default();
        for parting in &self.partings {
            // No schedule in memory has 2^31 cells.
            let bound = |cells: u64| i32::try_from(cells).unwrap_or(i32::MAX);
            let cost = if parting.size == minimised { 1.0 } else { 0.0 };
            program.integer(bound(parting.least), bound(parting.most), cost);
        }
        let rows = self.rows.add_to(&mut program, &self.sizes);
        let columns = self.columns.add_to(&mut program, &self.sizes);
        (program, rows, columns)
    }
}
