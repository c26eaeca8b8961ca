//! Privacy models: each answers one question about one equivalence class.
//!
//! A [`Model`] sees a [`Class`] (its size and the histogram of its sensitive values) and says whether it may be released. It
//! knows nothing of lattices, measures or rows. A [`TableModel`] sees all classes at once, where one alone cannot answer. [`REGISTRY`] lists every kind with its parameters, so that policies, the command
//! line and the documentation pick a new model up by itself: a model is one file in `models/` and one line here.
//!
//! ```
//! use tamis_privacy::{Class, Parameters, TableFacts, bind};
//!
//! let facts = TableFacts::of_rows(12);
//! let bound = bind("k-anonymity", &Parameters::from([("k", 3.into())]), &facts)?;
//! let class = Class { size: 3, population: 3, counts: &[] };
//! assert!(bound.classes[0].holds(&class));
//! # Ok::<(), tamis_privacy::ModelError>(())
//! ```

mod class;
mod error;
mod facts;
mod grouping;
pub mod models;
mod parameters;
mod registry;
pub mod sampling_privacy;
mod share;
mod table_model;
pub mod uniqueness;

pub use class::{Class, Model};
pub use error::ModelError;
pub use facts::{JointFacts, JointPart, QuasiFacts, SensitiveFacts, TableFacts, Unranked};
pub use parameters::{Parameters, Value};
pub use registry::{
    Bind, BindClasses, BindTable, Bound, ModelKind, ParameterKind, REGISTRY, bind, joint_columns, kind,
};
pub use table_model::{Classes, Histograms, TableModel, settle};
