//! All model kinds by name. A new model is one file in `models/` and one line here.

use crate::models::{delta_presence, distinct_l, entropy_l, k_anonymity, recursive_cl, t_closeness};
use crate::{Model, ModelError, Parameters, TableFacts};

/// Binds a requirement to a table.
pub type Bind = fn(&Parameters, &TableFacts) -> Result<Vec<Box<dyn Model>>, ModelError>;

/// A kind of model: its name in policies, what it promises, its parameters and how to bind it to a table.
#[derive(Debug, Clone, Copy)]
pub struct ModelKind {
    /// Name in policies and on the command line.
    pub kind: &'static str,
    /// One sentence on what it promises.
    pub promise: &'static str,
    /// Its parameters.
    pub parameters: &'static [ParameterKind],
    /// Binds the requirement to a table; one model for each sensitive attribute it speaks of.
    pub bind: Bind,
}

/// A parameter of a model.
#[derive(Debug, Clone, Copy)]
pub struct ParameterKind {
    /// Name in policies.
    pub name: &'static str,
    /// What it means and which values it takes.
    pub meaning: &'static str,
}

/// Every model there is.
pub const REGISTRY: &[ModelKind] = &[
    k_anonymity::KIND,
    distinct_l::KIND,
    entropy_l::KIND,
    recursive_cl::KIND,
    t_closeness::KIND,
    delta_presence::KIND,
];

/// The kind of that name.
pub fn kind(name: &str) -> Result<&'static ModelKind, ModelError> {
    REGISTRY.iter().find(|kind| kind.kind == name).ok_or_else(|| ModelError::UnknownKind {
        kind: name.to_owned(),
        known: REGISTRY.iter().map(|kind| format!("`{}`", kind.kind)).collect::<Vec<_>>().join(", "),
    })
}

/// Binds the requirement `name` with `parameters` to a table.
pub fn bind(name: &str, parameters: &Parameters, facts: &TableFacts) -> Result<Vec<Box<dyn Model>>, ModelError> {
    let kind = kind(name)?;
    for given in parameters.0.keys() {
        if !kind.parameters.iter().any(|known| known.name == given) {
            return Err(ModelError::UnknownParameter {
                kind: kind.kind,
                parameter: given.clone(),
                known: kind.parameters.iter().map(|known| format!("`{}`", known.name)).collect::<Vec<_>>().join(", "),
            });
        }
    }
    (kind.bind)(parameters, facts)
}
