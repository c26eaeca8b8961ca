//! Linear and integer programs behind one small trait, so that the solver is a choice and not a habit.
//!
//! A [`Program`] says what is sought: variables with bounds, costs and integrality, and sparse rows; the sum of the
//! costs is minimised. A [`Solver`] answers with an [`Outcome`]. [`MicroLp`] is the one that needs nothing but `cargo
//! build`; a stronger one takes its place by implementing the two methods of the trait.
//!
//! A [`LiveProgram`] is for those who ask thousands of related questions: it stays in the solver, is changed in place and
//! starts every answer from the last one. A [`LiveSolver`] makes them.
//!
//! Solvers compute in floating point. Two habits keep their answers honest: values of integer variables are rounded and
//! put into the original problem in integers by whoever asked ([`Outcome::integers`]), and a bound on a sum of integers
//! is rounded up only after a tolerance is taken off ([`Outcome::whole_bound`]).
//!
//! ```
//! use tamis_solver::{Limit, MicroLp, Program, Relation, Solver, Status};
//!
//! // As few coins of 3 and 5 as make up 19.
//! let mut program = Program::default();
//! let three = program.integer(0, 10, 1.0);
//! let five = program.integer(0, 10, 1.0);
//! program.row([(three, 3.0), (five, 5.0)], Relation::Exactly, 19.0);
//!
//! let outcome = MicroLp.solve(&program, &Limit::none());
//! assert_eq!(outcome.status, Status::Optimal);
//! assert_eq!(outcome.integers(), Some(vec![3, 2]));
//! let relaxed = MicroLp.relax(&program, &Limit::none());
//! assert_eq!(relaxed.whole_bound(), Some(4));
//! ```

mod limit;
mod live;
mod microlp;
mod outcome;
mod program;

pub use limit::Limit;
pub use live::{Basis, Budget, Budgeted, LiveColumn, LiveProgram, LiveRow, LiveSolver, LiveStatus, Simplex};
pub use microlp::MicroLp;
pub use outcome::{Outcome, Status};
pub use program::{Program, ProgramError, Relation, Row, Variable};

/// Something that solves programs.
///
/// An implementation never panics and never answers beyond what it knows: numerical trouble is [`Status::Failed`], and
/// [`Status::Infeasible`] and [`Status::Optimal`] are claims it stands for.
pub trait Solver {
    /// The best values with integer variables at integers (within a rounding error).
    fn solve(&self, program: &Program, limit: &Limit<'_>) -> Outcome;

    /// The best values when integer variables may take any number between their bounds: a bound on what [`Self::solve`]
    /// finds.
    fn relax(&self, program: &Program, limit: &Limit<'_>) -> Outcome;
}
