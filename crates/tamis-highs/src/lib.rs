//! HiGHS, a linear solver in C++, behind [`tamis_solver::LiveProgram`].
//!
//! This crate is the one place of Tamis that calls foreign code. Building it compiles HiGHS once, which takes minutes and
//! needs `cmake`, a C++ compiler and `libclang`; hence nothing depends on it unless a feature says so.
//!
//! ```
//! use tamis_highs::Highs;
//! use tamis_solver::{LiveColumn, LiveRow, LiveSolver, LiveStatus, Simplex};
//!
//! // min x + y with x + 2y >= 4, 0 <= x, 0 <= y <= 1
//! let mut program = Highs.program();
//! let column = |upper| LiveColumn { cost: 1.0, lower: 0.0, upper };
//! program.add_columns(&[column(f64::INFINITY), column(1.0)]);
//! program.add_rows(&[LiveRow { lower: 4.0, upper: f64::INFINITY, terms: vec![(0, 1.0), (1, 2.0)] }]);
//! assert_eq!(program.solve(Simplex::Dual), LiveStatus::Optimal);
//! assert!((program.objective() - 3.0).abs() < 1e-9);
//! assert_eq!(program.values(), [2.0, 1.0]);
//! ```

mod handle;
mod program;

use tamis_solver::{LiveProgram, LiveSolver};

/// Makes live programs that HiGHS solves, each on the thread that asks.
#[derive(Debug, Clone, Copy, Default)]
pub struct Highs;

impl LiveSolver for Highs {
    fn program(&self) -> Box<dyn LiveProgram> {
        Box::new(program::HighsProgram::new())
    }
}
