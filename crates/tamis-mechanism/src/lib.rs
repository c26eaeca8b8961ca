//! Randomized releases whose privacy is a statement about probabilities: counts with noise under a budget that cannot be overspent,
//! samples of microdata, tables in which tuples are retained and inserted at random, and an auditor of such mechanisms.
//!
//! Every random choice is made by [`Dice`]: a cryptographically secure generator and integer arithmetic only, so that no promise
//! depends on how floating point rounds. Parameters such as epsilon are exact fractions ([`Ratio`]) from their decimal text on.
//! Nothing here opens files or knows privacy models; what a class of a sample must hold is worked out in `tamis-privacy`.
//!
//! ```
//! use tamis_mechanism::{Dice, GeometricMechanism};
//!
//! let mechanism = GeometricMechanism::new("0.5".parse()?, 1)?;
//! let mut dice = Dice::from_seed(1, "patients by sex");
//! let told = mechanism.noisy(1340, &mut dice);
//! assert!((told - 1340).unsigned_abs() <= mechanism.half_width(0.999_999));
//! # Ok::<(), tamis_mechanism::MechanismError>(())
//! ```

pub mod audit;
mod budget;
pub mod discrete;
mod domain;
mod error;
mod geometric;
mod histogram;
mod post_processing;
mod ratio;
pub mod retain_insert;
pub mod safe_pub;

pub use budget::{Ledger, Spending};
pub use discrete::Dice;
pub use domain::{ColumnDomain, Domain};
pub use error::MechanismError;
pub use geometric::GeometricMechanism;
pub use histogram::{Contribution, Histogram, HistogramQuery, NoisyCell};
pub use post_processing::PostProcessing;
pub use ratio::Ratio;
