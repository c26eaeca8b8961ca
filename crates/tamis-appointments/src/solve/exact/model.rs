//! The integer program of part sizes: parts that make up the frequencies and also fill the slots.

use super::assembly::{Parts, assemble};
use super::network::Network;
use crate::instance::Plain;
use crate::schedule::Schedule;
use std::collections::BTreeMap;
use tamis_solver::{Limit, MicroLp, Outcome, Program, Relation, Solver};

/// A problem with equal frequencies and equal capacities taken together.
#[derive(Debug)]
pub(super) struct Sums<'a> {
    problem: &'a Plain,
    /// A slot takes no more people than there are.
    cap: u64,
    frequencies: Vec<(u64, u64)>,
    capacities: Vec<(u64, u64)>,
    has_slack: bool,
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
    rows: Network,
    columns: Network,
}

impl<'a> Sums<'a> {
    pub(super) fn of(problem: &'a Plain) -> Self {
        let cap = problem.people();
        let capacities = counted(problem.capacities.iter().map(|&capacity| capacity.min(cap)));
        let places: u64 = capacities.iter().map(|&(capacity, slots)| capacity.saturating_mul(slots)).sum();
        let frequencies = counted(problem.frequencies.iter().copied());
        Self { problem, cap, frequencies, capacities, has_slack: places > cap }
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
    pub(super) fn build(sums: &'a Sums<'a>, partings: Vec<Parting>) -> Option<Self> {
        let sizes: Vec<u64> = partings.iter().map(|parting| parting.size).collect();
        let rows = Network::build(&sums.frequencies, &sizes, false)?;
        let columns = Network::build(&sums.capacities, &sizes, sums.has_slack)?;
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
            let of_rows = self.rows.paths(&values[rows..columns])?;
            let of_slots = self.columns.paths(&values[columns..])?;
            self.sums.assemble(&of_rows, &of_slots)
        });
        (outcome, schedule)
    }

    /// A schedule with exactly the numbers of parts of the partings (the least ones). Rows and columns have nothing more to do with each other then, and
    /// are solved one by one.
    pub(super) fn realise(&self, limit: &Limit<'_>) -> Option<Schedule> {
        let of_slots = self.paths_of(&self.columns, limit)?;
        let of_rows = self.paths_of(&self.rows, limit)?;
        self.sums.assemble(&of_rows, &of_slots)
    }

    fn paths_of(&self, network: &Network, limit: &Limit<'_>) -> Option<Parts> {
        let mut program = Program::default();
        let first = network.add_to(&mut program);
        for (terms, parting) in network.terms_of_sizes(&self.sizes, first).into_iter().zip(&self.partings) {
            program.row(terms, Relation::Exactly, parting.least as f64);
        }
        let outcome = MicroLp.solve(&program, limit);
        network.paths(&outcome.integers()?)
    }

    /// The program with the number of parts of one size as its costs, and the first variable of the rows and of the columns.
    fn program(&self, minimised: u64) -> (Program, usize, usize) {
        let mut program = Program::default();
        for parting in &self.partings {
            // No schedule in memory has 2^31 cells.
            let bound = |cells: u64| i32::try_from(cells).unwrap_or(i32::MAX);
            let cost = if parting.size == minimised { 1.0 } else { 0.0 };
            program.integer(bound(parting.least), bound(parting.most), cost);
        }
        let rows = self.rows.add_to(&mut program);
        let columns = self.columns.add_to(&mut program);
        for (network, first) in [(&self.rows, rows), (&self.columns, columns)] {
            for (variable, terms) in network.terms_of_sizes(&self.sizes, first).into_iter().enumerate() {
                program.row(terms.into_iter().chain([(variable, -1.0)]), Relation::Exactly, 0.0);
            }
        }
        (program, rows, columns)
    }
}
