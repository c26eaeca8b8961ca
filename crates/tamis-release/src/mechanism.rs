//! Releases whose promise is about how they are made: a sample with no small class, or tuples retained and inserted at random.
//!
//! Such a promise is lost if anything about the recoding was chosen by looking at the data, so everything that is not fixed beforehand is
//! refused.

use crate::prepare::Requirement;
use crate::{HierarchySource, Missing, Policy, Prepared, ReleaseError, Role, Secret};
use std::collections::BTreeSet;
use tamis_mechanism::retain_insert::RetainInsert;
use tamis_mechanism::safe_pub::sample_rows;
use tamis_mechanism::{ColumnDomain, Dice, Domain, Ratio};
use tamis_privacy::models::differential_privacy;
use tamis_privacy::sampling_privacy::{SamplingPlan, plan};
use tamis_privacy::{Parameters, Value};
use tamis_table::{Builder, Table};

/// How a release is made beside being recoded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Mechanism {
    /// Each row is kept with a probability, and classes that are too small in the sample are left out.
    Sample(SamplingPlan),
    /// Each tuple is kept with a probability, and other tuples of the domain are added.
    RetainInsert(RetainInsert),
}

impl Mechanism {
    /// The kinds of models that a mechanism keeps.
    pub(crate) const KINDS: [&'static str; 2] = ["differential-privacy", "d-gamma-privacy"];

    /// What it promises, where no model of classes says so.
    pub(crate) fn describe(&self) -> Option<String> {
        match self {
            Self::Sample(_) => None,
            Self::RetainInsert(RetainInsert { retain, beta, .. }) => {
                Some(format!("(d,gamma)-privacy (tuples retained with probability {retain}, inserted with {beta})"))
            }
        }
    }

    /// The mechanism that a requirement asks for, if one does.
    pub(crate) fn of(requirements: &[Requirement<'_>]) -> Result<Option<Self>, ReleaseError> {
        let mut found = None;
        for (kind, parameters) in requirements {
            let mechanism = match *kind {
                "differential-privacy" => Self::Sample(sampling_plan(parameters)?),
                "d-gamma-privacy" => Self::RetainInsert(retain_insert(parameters)?),
                "distributional-privacy" => {
                    return Err(ReleaseError::Setting(
                        "distributional privacy is a promise of a mechanism that answers questions, which a table cannot keep; audit such a mechanism with `tamis audit distributional`".to_owned(),
                    ));
                }
                _ => continue,
            };
            if requirements.len() > 1 {
                return Err(ReleaseError::Setting(format!(
                    "{kind} must be the only model of a policy: what others suppress depends on the data, and its promise would be lost"
                )));
            }
            found = Some(mechanism);
        }
        Ok(found)
    }

    /// Refuses a policy that lets the data decide how they are recoded.
    pub(crate) fn check(&self, policy: &Policy) -> Result<(), ReleaseError> {
        let refuse = |what: String| {
            Err(ReleaseError::Setting(format!(
                "{what}; with this model everything about the recoding must be fixed before the data are seen"
            )))
        };
        if !policy.steps.is_empty() {
            return refuse("the policy has steps, which look at the data".to_owned());
        }
        if policy.entity.is_some() {
            return refuse("the policy names an entity, but a person must have one row".to_owned());
        }
        for (name, attribute) in &policy.attributes {
            let is_released_as_it_is = matches!(attribute.role, Role::Sensitive | Role::Insensitive);
            if is_released_as_it_is && matches!(self, Self::Sample(_)) {
                return refuse(format!(
                    "`{name}` would be released as it is; make it quasi-identifying, so that rows are told only with enough others like them"
                ));
            }
            if attribute.role != Role::QuasiIdentifying {
                continue;
            }
            if attribute.missing == Missing::MatchesAnything {
                return refuse(format!(
                    "missing values of `{name}` would match anything, and rows would be told that have too few like them; set missing = \"own-category\""
                ));
            }
            if attribute.min_level.is_none() || attribute.min_level != attribute.max_level {
                return refuse(format!(
                    "`{name}` may be generalized to several levels; set min_level and max_level to the same one"
                ));
            }
            if let Some(HierarchySource::Builder(builder)) = &attribute.hierarchy
                && !is_independent_of_data(builder)
            {
                return refuse(format!(
                    "the hierarchy of `{name}` depends on the data; give a file, written without looking at them"
                ));
            }
        }
        Ok(())
    }

    /// The rows that take part.
    pub(crate) fn take_part(
        &self,
        table: Table,
        (secret, notes): (&Secret, &mut Vec<String>),
    ) -> Result<Table, ReleaseError> {
        let Self::Sample(plan) = self else { return Ok(table) };
        let (numerator, denominator) = plan.beta_fraction();
        let mut dice = Dice::on(secret.dice("sample of rows"));
        let beta = Ratio::new(numerator, denominator).unwrap_or(Ratio::ONE);
        let sample = sample_rows(table.rows(), beta, &mut dice)?;
        notes.push("how many rows took part, were released or left out is not covered by the promise: keep these figures to yourself".to_owned());
        notes.push(format!(
            "every row took part with probability {:.6}, {} of {} did; classes of fewer than {} of them are left out",
            plan.beta,
            sample.len(),
            table.rows(),
            plan.k
        ));
        Ok(table.select(&sample))
    }

    /// The release after the mechanism has had its say.
    pub(crate) fn release(&self, table: Table, prepared: &Prepared, levels: &[usize]) -> Result<Table, ReleaseError> {
        let Self::RetainInsert(retain_insert) = self else { return Ok(table) };
        let domains = table.columns().iter().map(|column| {
            let quasi =
                prepared.problem.frequency.attributes.iter().position(|attribute| attribute.name == column.name());
            let level = quasi.map_or(0, |j| levels[j]);
            match prepared.hierarchies.get(column.name()) {
                Some(lines) => {
                    let labels: BTreeSet<&String> = lines.iter().filter_map(|line| line.labels.get(level)).collect();
                    ColumnDomain::new(column.name(), labels.into_iter().cloned().collect())
                }
                None => ColumnDomain::of_data(column),
            }
        });
        let domain = Domain::new(domains.collect::<Result<_, _>>()?)?;
        let mut dice = Dice::on(prepared.secret.dice("retained and inserted tuples"));
        Ok(retain_insert.perturb(&table, &domain, &mut dice)?.table)
    }

    /// What the user should know of how the release is made.
    pub(crate) fn notes(&self, columns: &[(String, Role)], is_listed: impl Fn(&str) -> bool) -> Vec<String> {
        let Self::RetainInsert(RetainInsert { retain, beta, .. }) = self else { return Vec::new() };
        let mut notes = vec![format!(
            "every tuple of the table is released with probability {retain}, every other tuple of the domain with probability {beta}; the figures are those of the table before that and are not covered by the promise: keep them to yourself"
        )];
        for (name, _) in columns.iter().filter(|(name, _)| !is_listed(name)) {
            notes.push(format!(
                "`{name}` has no hierarchy that lists its values, so that the release tells which of them occur"
            ));
        }
        notes
    }
}

/// Whether a builder gives a value its labels whatever the other values are.
fn is_independent_of_data(builder: &Builder) -> bool {
    match builder {
        Builder::Tree(_) => true,
        // Without a format it is guessed from all dates.
        Builder::Date(dates) => dates.format.is_some(),
        _ => false,
    }
}

fn sampling_plan(parameters: &Parameters) -> Result<SamplingPlan, ReleaseError> {
    let number = |name: &str| parameters.get(name).and_then(number);
    let (Some(epsilon), Some(delta)) = (number("epsilon"), number("delta")) else {
        // The model says what is missing, or no number.
        return Ok(differential_privacy::sampling(parameters)?);
    };
    plan(epsilon, delta, number("beta"))
        .map_err(|reason| ReleaseError::Setting(format!("model `differential-privacy`: {reason}")))
}

fn retain_insert(parameters: &Parameters) -> Result<RetainInsert, ReleaseError> {
    let ratio = |name: &str| -> Result<Ratio, ReleaseError> {
        let value = parameters.get(name).and_then(number).ok_or_else(|| {
            ReleaseError::Setting(format!("model `d-gamma-privacy` needs the number `{name}`; add `{name} = ...`"))
        })?;
        Ok(value.to_string().parse::<Ratio>()?)
    };
    Ok(RetainInsert::private(ratio("d")?, ratio("gamma")?)?)
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(value) => Some(*value as f64),
        Value::Number(value) => Some(*value),
        _ => None,
    }
}
