//! Privacy models: each answers one question about one equivalence class.
//!
//! A [`Model`] sees a [`Class`] (its size and the histogram of its sensitive values) and says whether it may be released. It
//! knows nothing of lattices, measures or rows. [`REGISTRY`] lists every kind with its parameters, so that policies, the command
//! line and the documentation pick a new model up by itself: a model is one file in `models/` and one line here.
//!
//! ```
//! use tamis_privacy::{Class, Parameters, TableFacts, bind};
//!
//! let facts = TableFacts::of_rows(12);
//! let models = bind("k-anonymity", &Parameters::from([("k", 3.into())]), &facts)?;
//! let class = Class { size: 3, population: 3, counts: &[] };
//! assert!(models[0].holds(&class));
//! # Ok::<(), tamis_privacy::ModelError>(())
//! ```

mod class;
mod error;
mod facts;
pub mod models;
mod parameters;
mod registry;
pub mod uniqueness;

pub use class::{Class, Model};
pub use error::ModelError;
pub use facts::{SensitiveFacts, TableFacts};
pub use parameters::{Parameters, Value};
pub use registry::{Bind, ModelKind, ParameterKind, REGISTRY, bind, kind};
