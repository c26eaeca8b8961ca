//! The solver that comes with a plain `cargo build`.

use crate::{Limit, Outcome, Program, Relation, Solver, Status};
use microlp::{ComparisonOp, Error, OptimizationDirection, Problem, ResumeOptions, SolutionStatus, SolveOutcome};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// `microlp`: a simplex method and branch and bound, in Rust.
///
/// A solve runs in slices of a second between which the limit is asked, since `microlp` itself only knows a time. A
/// slice that ends is taken up where it stopped. `microlp` looks at its clock every thousand pivots, so large programs
/// overshoot.
#[derive(Debug, Clone, Copy, Default)]
pub struct MicroLp;

/// How long a slice may take, and so how late a limit may be noticed.
const SLICE: Duration = Duration::from_secs(1);

impl Solver for MicroLp {
    fn solve(&self, program: &Program, limit: &Limit<'_>) -> Outcome {
        run(program, true, limit)
    }

    fn relax(&self, program: &Program, limit: &Limit<'_>) -> Outcome {
        run(program, false, limit)
    }
}

/// Solves a program that was looked over, and turns a panic inside the solver into a status.
///
/// `microlp` promises errors instead of wrong answers, but its code holds some sixty `expect`s and indexed accesses
/// whose conditions are numerical; no check from outside can rule them out, so catching the panic is the only guard.
/// The program is only read and the solver's state is dropped, so nothing half-changed survives.
fn run(program: &Program, is_integral: bool, limit: &Limit<'_>) -> Outcome {
    if let Err(error) = program.validate() {
        return Outcome::without_values(Status::Failed(error.to_string()));
    }
    if limit.is_reached() {
        return Outcome::without_values(Status::TimedOut);
    }
    catch_unwind(AssertUnwindSafe(|| run_in_slices(program, is_integral, limit)))
        .unwrap_or_else(|_| Outcome::without_values(Status::Failed("the solver broke down".to_owned())))
}

fn run_in_slices(program: &Program, is_integral: bool, limit: &Limit<'_>) -> Outcome {
    let mut options = microlp::SolveOptions::default();
    options.time_limit = slice(limit);
    options.node_limit = limit.nodes;
    let mut result = problem(program, is_integral).solve_with(options);
    loop {
        match result {
            Err(error) => return Outcome::without_values(status_of(error)),
            Ok(outcome) if outcome.is_optimal() || is_exhausted(&outcome, limit) => {
                return translate(&outcome);
            }
            Ok(outcome) => {
                let mut options = ResumeOptions::default();
                options.time_limit = slice(limit);
                options.node_limit = limit.nodes.map(|nodes| nodes.saturating_sub(outcome.stats().nodes_solved));
                result = outcome.resume_with(options);
            }
        }
    }
}

/// How long the next slice may take: for ever if nobody will say stop.
fn slice(limit: &Limit<'_>) -> Option<Duration> {
    match (limit.left(), limit.is_over) {
        (Some(left), _) => Some(left.min(SLICE)),
        (None, Some(_)) => Some(SLICE),
        (None, None) => None,
    }
}

fn is_exhausted(outcome: &SolveOutcome, limit: &Limit<'_>) -> bool {
    limit.is_reached() || limit.nodes.is_some_and(|nodes| outcome.stats().nodes_solved >= nodes)
}

/// The same program in the solver's own words.
fn problem(program: &Program, is_integral: bool) -> Problem {
    let mut problem = Problem::new(OptimizationDirection::Minimize);
    let add = |variable: &crate::Variable| {
        if is_integral && variable.is_integer {
            problem.add_integer_var(variable.cost, (variable.lower.ceil() as i32, variable.upper.floor() as i32))
        } else {
            problem.add_var(variable.cost, (variable.lower, variable.upper))
        }
    };
    let variables: Vec<microlp::Variable> = program.variables.iter().map(add).collect();
    for row in &program.rows {
        let relation = match row.relation {
            Relation::AtMost => ComparisonOp::Le,
            Relation::Exactly => ComparisonOp::Eq,
            Relation::AtLeast => ComparisonOp::Ge,
        };
        let terms: Vec<(microlp::Variable, f64)> =
            row.terms.iter().map(|&(variable, factor)| (variables[variable], factor)).collect();
        problem.add_constraint(terms.as_slice(), relation, row.right);
    }
    problem
}

fn status_of(error: Error) -> Status {
    match error {
        Error::Infeasible => Status::Infeasible,
        Error::Unbounded => Status::Unbounded,
        other => Status::Failed(other.to_string()),
    }
}

fn translate(outcome: &SolveOutcome) -> Outcome {
    let bound = outcome.stats().best_bound.filter(|bound| bound.is_finite());
    match outcome.solution() {
        None => Outcome { bound, ..Outcome::without_values(Status::TimedOut) },
        Some(solution) => Outcome {
            status: match solution.status() {
                SolutionStatus::Optimal => Status::Optimal,
                SolutionStatus::Feasible => Status::Feasible,
            },
            values: solution.iter().map(|(_, value)| value).collect(),
            objective: Some(solution.objective()),
            bound,
        },
    }
}
