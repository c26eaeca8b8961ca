//! Problems with conditions: allowed slots, fixed appointments, families, mixing rules.
//!
//! A problem falls into components that share no slot ([`Instance::components`]); each is solved by itself, in parallel, and the
//! vectors add. A component in which everybody may go everywhere is a plain problem and goes to the plain methods. For the others
//! a [`start`] by some rule meets every condition, [`improve`] betters it step by step without breaking any, and the optimum of
//! the component without its conditions bounds it from below. A component without a schedule tells why: [`conflict`] counts,
//! [`deletion`] searches.

mod anneal;
mod board;
mod conflict;
mod deletion;
mod descent;
mod enumerate;
mod exact;
mod explicit;
#[cfg(test)]
mod family_tests;
mod greedy;
mod heuristic;
mod improve;
mod journal;
mod kick;
mod kinds;
mod merge;
mod repair;
mod reservation;
mod settle;
mod start;
#[cfg(test)]
mod tests;

use super::{Method, Patience, Solution, SolveOptions, bounds, solve_plain};
use crate::AppointmentError;
use crate::error::Conflict;
use crate::instance::{Component, Instance};
use crate::schedule::Schedule;
use board::Board;
use enumerate::Enumerated;
use explicit::Outcome;
use greedy::Rule;
use kinds::Kinds;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// A schedule by the method asked for that meets every condition.
pub(crate) fn solve(instance: &Instance, method: Method, options: &SolveOptions) -> Result<Solution, AppointmentError> {
    if let Some(conflict) = conflict::no_slot(instance) {
        return Err(AppointmentError::Infeasible(Box::new(conflict)));
    }
    let components = instance.components();
    let turns = Turns { people: instance.people(), waiting: AtomicU64::new(instance.people()) };
    let parts: Vec<Result<Solution, Conflict>> = components
        .par_iter()
        .enumerate()
        .map(|(number, component)| {
            let part = instance.restricted_to(component);
            let patience = turns.patience_for(part.people(), &options.patience);
            let options = SolveOptions { seed: seed_of(options.seed, number), patience, ..options.clone() };
            solve_component(&part, component, turns.people, method, &options)
        })
        .collect();
    let mut solutions = Vec::with_capacity(parts.len());
    for (component, part) in components.iter().zip(parts) {
        let in_instance = |conflict| AppointmentError::Infeasible(Box::new(merge::in_instance(conflict, component)));
        solutions.push(part.map_err(in_instance)?);
    }
    Ok(merge::merge(instance, &components, solutions))
}

/// How the time is shared among components.
struct Turns {
    people: u64,
    /// How many people are in components whose turn has not come.
    waiting: AtomicU64,
}

impl Turns {
    /// The patience for a component with so many people: its share of the time left, on as many threads as there are.
    fn patience_for(&self, people: u64, patience: &Patience) -> Patience {
        let waiting = self.waiting.fetch_sub(people, Ordering::Relaxed);
        let Some(left) = patience.left() else { return patience.clone() };
        let share = people as f64 * rayon::current_num_threads() as f64 / waiting.max(1) as f64;
        patience.at_most(left.mul_f64(share.min(1.0)))
    }
}

/// A seed of its own for every component, whatever thread solves it.
fn seed_of(seed: u64, component: usize) -> u64 {
    // The finalizer of SplitMix64: neighbouring numbers become unrelated seeds.
    let mut mixed = seed.wrapping_add((component as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Solves a component, given as an instance of its own, of a programme with so many people.
fn solve_component(
    instance: &Instance,
    component: &Component,
    people: u64,
    method: Method,
    options: &SolveOptions,
) -> Result<Solution, Conflict> {
    if instance.as_plain().is_some() {
        return solve_free(instance, method, options);
    }
    let mut kinds = Kinds::of(instance);
    kinds.unit_names = component.units.iter().map(|&unit| unit + 1).collect();
    kinds.rule_names = component.rules.iter().map(|&rule| rule + 1).collect();
    kinds.share = instance.people() as f64 / people.max(1) as f64;
    if let Some(conflict) = conflict::evident(&kinds) {
        return Err(conflict);
    }
    match method {
        Method::Best => exact::best(instance, &kinds, options),
        Method::Exact => exact::exact(instance, &kinds, options),
        Method::Heuristic => heuristic::heuristic(instance, &kinds, options).map(|found| found.solution(instance)),
        Method::Greatest => by_rule(instance, &kinds, Rule::Greatest, options),
        Method::Half => by_rule(instance, &kinds, Rule::Half, options),
        Method::Authors => by_rule(instance, &kinds, Rule::Authors, options),
        Method::Random => by_rule(instance, &kinds, Rule::Random, options),
    }
}

/// Solves a component in which everybody may go everywhere: units of one quasi-identifier are one row of the plain problem.
fn solve_free(instance: &Instance, method: Method, options: &SolveOptions) -> Result<Solution, Conflict> {
    let problem = instance.relaxed();
    let (people, places) = (problem.people(), problem.capacities.iter().sum::<u64>());
    if people > places {
        let kinds = Kinds::of(instance);
        return Err(conflict::evident(&kinds).unwrap_or_default());
    }
    let plain = solve_plain(&problem, method, options);
    let mut rows: Vec<_> = plain.schedule.rows.iter().map(|row| row.iter().copied().peekable()).collect();
    let mut split = Vec::with_capacity(instance.units.len());
    let mut rest: Vec<u64> = vec![0; rows.len()];
    for unit in &instance.units {
        let quasi_id = unit.members[0].quasi_id;
        let mut missing = unit.count;
        let mut placements = Vec::new();
        while missing > 0 {
            let Some(mut placement) = rows[quasi_id].peek().copied() else { break };
            let left = placement.units - rest[quasi_id];
            placement.units = left.min(missing);
            missing -= placement.units;
            if placement.units == left {
                rest[quasi_id] = 0;
                rows[quasi_id].next();
            } else {
                rest[quasi_id] += placement.units;
            }
            placements.push(placement);
        }
        split.push(placements);
    }
    Ok(Solution { schedule: Schedule { rows: split }, ..plain })
}

/// A schedule by one of the sources' rules.
fn by_rule(instance: &Instance, kinds: &Kinds, rule: Rule<'_>, options: &SolveOptions) -> Result<Solution, Conflict> {
    let board = start_or_conflict(instance, kinds, rule, options)?;
    let lower_bound = bounds::lower_bound(&instance.relaxed());
    Ok(Solution {
        schedule: kinds.schedule(instance, &board.placed()),
        vector: board.vector(),
        lower_bound,
        proofs: Vec::new(),
    })
}

/// A schedule that meets every condition. If rule and repair find none, every schedule is looked at, and if they are too many, the
/// exact search; a conflict tells what stands in the way.
fn start_or_conflict<'a>(
    instance: &Instance,
    kinds: &'a Kinds,
    rule: Rule<'_>,
    options: &SolveOptions,
) -> Result<Board<'a>, Conflict> {
    let mut rng = ChaCha8Rng::seed_from_u64(options.seed);
    // However little time there is, some schedule is better than none.
    if let Some(board) = start::start(kinds, rule, 1, &mut rng, &options.patience.until_flag()) {
        return Ok(board);
    }
    match enumerate::enumerate(kinds, &enumerate::Demands::all(kinds), deletion::STEPS) {
        Enumerated::Found(placed) => return Ok(Board::with(kinds, &placed)),
        Enumerated::Nothing => return Err(deletion::smallest_conflict(kinds, true, &options.patience)),
        Enumerated::GivenUp => {}
    }
    if let Some(board) = start::start(kinds, rule, start::ATTEMPTS, &mut rng, &options.patience) {
        return Ok(board);
    }
    let any = SolveOptions { level: Some(0), ..options.clone() };
    match explicit::explicit_within(instance, None, &any, LAST_RESORT) {
        Outcome::Solution(found) => Ok(Board::with(kinds, &kinds.placed(&found.schedule))),
        Outcome::Infeasible => Err(deletion::smallest_conflict(kinds, true, &options.patience)),
        Outcome::NothingFound => Err(deletion::smallest_conflict(kinds, false, &options.patience)),
    }
}

/// How many steps the exact search may look for a schedule where nothing else found one: some seconds to a minute.
const LAST_RESORT: u64 = 2_000_000;
