//! All model kinds by name. A new model is one file in `models/` and one line here.

use crate::models::{
    alpha_k, beta_likeness, confidence_bounding, ct_isolation, d_gamma, delta_disclosure, delta_presence,
    differential_privacy, distinct_l, distributional_privacy, entropy_l, journalist_risk, k_anonymity, k_e, k_map,
    lkc_privacy, mean_risk, personalized_privacy, population_uniqueness, prosecutor_risk, recursive_cl, t_closeness,
    xy,
};
use crate::{Model, ModelError, Parameters, TableFacts, TableModel};

/// Binds a requirement to models of classes.
pub type BindClasses = fn(&Parameters, &TableFacts) -> Result<Vec<Box<dyn Model>>, ModelError>;

/// Binds a requirement to models of the whole table.
pub type BindTable = fn(&Parameters, &TableFacts) -> Result<Vec<Box<dyn TableModel>>, ModelError>;

/// How a requirement is bound to a table.
#[derive(Debug, Clone, Copy)]
pub enum Bind {
    /// To models of classes, one for each sensitive attribute the requirement speaks of.
    Classes(BindClasses),
    /// To models of the whole table.
    Table {
        /// The sets of columns that must be counted together.
        joint: fn(&Parameters) -> Vec<Vec<String>>,
        /// Binds it.
        bind: BindTable,
    },
    /// Not to a table: it is a promise of how an answer or a release is made, and kept by that mechanism.
    Mechanism {
        /// Checks the parameters.
        check: fn(&Parameters) -> Result<(), ModelError>,
    },
}

/// A kind of model: its name in policies, what it promises, its parameters and how to bind it to a table.
#[derive(Debug, Clone, Copy)]
pub struct ModelKind {
    /// Name in policies and on the command line.
    pub kind: &'static str,
    /// One sentence on what it promises.
    pub promise: &'static str,
    /// Its parameters.
    pub parameters: &'static [ParameterKind],
    /// How it is bound to a table.
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
    alpha_k::KIND,
    k_e::KIND,
    confidence_bounding::KIND,
    beta_likeness::KIND,
    delta_disclosure::KIND,
    k_map::KIND,
    prosecutor_risk::KIND,
    journalist_risk::KIND,
    differential_privacy::KIND,
    d_gamma::KIND,
    distributional_privacy::KIND,
    lkc_privacy::KIND,
    xy::anonymity::KIND,
    xy::linkability::KIND,
    xy::privacy::KIND,
    personalized_privacy::KIND,
    ct_isolation::KIND,
    mean_risk::average::KIND,
    mean_risk::marketer::KIND,
    population_uniqueness::KIND,
];

/// The kind of that name.
pub fn kind(name: &str) -> Result<&'static ModelKind, ModelError> {
    REGISTRY.iter().find(|kind| kind.kind == name).ok_or_else(|| ModelError::UnknownKind {
        kind: name.to_owned(),
        known: REGISTRY.iter().map(|kind| format!("`{}`", kind.kind)).collect::<Vec<_>>().join(", "),
    })
}

/// What a requirement is once it is bound to a table.
#[derive(Debug, Default)]
pub struct Bound {
    /// What every class must meet.
    pub classes: Vec<Box<dyn Model>>,
    /// What the classes must meet together.
    pub table: Vec<Box<dyn TableModel>>,
}

/// Binds the requirement `name` with `parameters` to a table. A promise of a mechanism is refused: bound to nothing, it would seem kept.
pub fn bind(name: &str, parameters: &Parameters, facts: &TableFacts) -> Result<Bound, ModelError> {
    let mut bound = Bound::default();
    match checked(name, parameters)?.bind {
        Bind::Classes(bind) => bound.classes = bind(parameters, facts)?,
        Bind::Table { bind, .. } => bound.table = bind(parameters, facts)?,
        Bind::Mechanism { check } => return Err(check(parameters).err().unwrap_or_else(|| no_table_has(name))),
    }
    Ok(bound)
}

/// The sets of columns that a requirement needs counted together.
pub fn joint_columns(name: &str, parameters: &Parameters) -> Result<Vec<Vec<String>>, ModelError> {
    Ok(match checked(name, parameters)?.bind {
        Bind::Table { joint, .. } => joint(parameters),
        Bind::Classes(_) | Bind::Mechanism { .. } => Vec::new(),
    })
}

fn no_table_has(name: &str) -> ModelError {
    let kind = kind(name).map_or("", |kind| kind.kind);
    let reason = "no table has or lacks it, for it is a promise of how a release is made; run the mechanism that keeps it instead";
    ModelError::Impossible { kind, reason: reason.to_owned() }
}

/// The kind of that name, if it takes all the parameters given.
fn checked(name: &str, parameters: &Parameters) -> Result<&'static ModelKind, ModelError> {
    let kind = kind(name)?;
    let known = |given: &&String| kind.parameters.iter().any(|known| known.name == given.as_str());
    match parameters.0.keys().find(|given| !known(given)) {
        None => Ok(kind),
        Some(given) => Err(ModelError::UnknownParameter {
            kind: kind.kind,
            parameter: given.clone(),
            known: kind.parameters.iter().map(|known| format!("`{}`", known.name)).collect::<Vec<_>>().join(", "),
        }),
    }
}
