//! One table under many settings: what privacy costs.

use crate::prepare::Requirement;
use crate::{
    ModelPolicy, Outcome, Policy, Prepared, ReleaseError, Secret, SolveOptions, Solved, Sources, bind_models, solve,
};
use serde::Serialize;
use tamis_engine::SearchError;
use tamis_privacy::{Parameters, Value};

/// Which settings to compare.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CompareSettings {
    /// Values of k, each compared by itself.
    pub k: Vec<u64>,
    /// Values of l, each together with `c` and the policy's k.
    pub l: Vec<u64>,
    /// The c of recursive (c,l)-diversity; several are all combined with each l.
    pub c: Vec<f64>,
    /// Values of t, each together with the policy's k.
    pub t: Vec<f64>,
    /// The distance of t-closeness, if not the model's default.
    pub distance: Option<String>,
    /// Requirements of any kind, each together with the policy's k; with the names they go by.
    pub models: Vec<(String, ModelPolicy)>,
}

/// One setting.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Setting {
    /// Least class size.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub k: Option<u64>,
    /// The c of recursive diversity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub c: Option<f64>,
    /// The l of recursive diversity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub l: Option<u64>,
    /// The largest distance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub t: Option<f64>,
    /// A requirement of any other kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelPolicy>,
    /// The name it goes by.
    #[serde(skip)]
    pub model_name: String,
}

impl Setting {
    /// A short name such as `k5_c4_l2`.
    pub fn name(&self) -> String {
        let mut parts = Vec::new();
        if let Some(k) = self.k {
            parts.push(format!("k{k}"));
        }
        if let (Some(c), Some(l)) = (self.c, self.l) {
            parts.push(format!("c{c}_l{l}"));
        }
        if let Some(t) = self.t {
            parts.push(format!("t{t:?}"));
        }
        if self.model.is_some() {
            parts.push(self.model_name.clone());
        }
        parts.join("_")
    }

    fn requirements(&self, distance: Option<&str>) -> Vec<(String, Parameters)> {
        let whole = |value: u64| Value::Integer(i64::try_from(value).unwrap_or(i64::MAX));
        let mut requirements = Vec::new();
        if let Some(k) = self.k {
            requirements.push(("k-anonymity".to_owned(), Parameters::from([("k", whole(k))])));
        }
        if let (Some(c), Some(l)) = (self.c, self.l) {
            requirements
                .push(("recursive-cl-diversity".to_owned(), Parameters::from([("c", c.into()), ("l", whole(l))])));
        }
        if let Some(t) = self.t {
            let mut parameters = Parameters::from([("t", t.into())]);
            if let Some(distance) = distance {
                parameters.0.insert("distance".to_owned(), distance.into());
            }
            requirements.push(("t-closeness".to_owned(), parameters));
        }
        requirements.extend(self.model.iter().map(|model| (model.kind.clone(), model.parameters.clone())));
        requirements
    }
}

/// One row of a comparison.
#[derive(Debug, Clone, Serialize)]
pub struct Compared {
    /// Short name of the setting.
    pub name: String,
    /// The setting.
    pub setting: Setting,
    /// The figures; none if nothing admissible exists.
    #[serde(flatten)]
    pub outcome: Option<Outcome>,
    /// Why there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
}

/// Solves every setting on one reading of the table; `each` is told after each setting.
///
/// The settings of k stand alone, those of l, t and other models are combined with the k of the policy, as in the Adult study. Models that say which
/// rows of a population are released hold for every setting; the policy's other models give way to the settings, and a note says so.
pub fn compare(
    policy: &Policy,
    (sources, secret): (&dyn Sources, &Secret),
    settings: &CompareSettings,
    options: &SolveOptions<'_>,
    each: &mut dyn FnMut(&Compared),
) -> Result<Vec<Compared>, ReleaseError> {
    let list = list_settings(policy, settings)?;
    let distance = settings.distance.as_deref();
    let kept: Vec<Requirement<'_>> = policy
        .models
        .iter()
        .filter(|model| model.parameters.get("subset").is_some())
        .map(|model| (model.kind.as_str(), &model.parameters))
        .collect();
    let together = |mut requirements: Vec<(String, Parameters)>| -> Vec<(String, Parameters)> {
        requirements.extend(kept.iter().map(|(kind, parameters)| ((*kind).to_owned(), (*parameters).clone())));
        requirements
    };
    let all = together(list.iter().flat_map(|setting| setting.requirements(distance)).collect());
    let mut prepared = Prepared::read_for(policy, (sources, secret), &by_reference(&all))?;
    for model in &policy.models {
        if model.kind == "k-anonymity" || model.parameters.get("subset").is_some() {
            continue;
        }
        prepared.notes.push(format!("the policy's {} gives way to the settings compared", model.kind));
    }
    let mut compared = Vec::with_capacity(list.len());
    for setting in list {
        let requirements = together(setting.requirements(distance));
        prepared.problem.require(bind_models(&by_reference(&requirements), &prepared.facts)?);
        let (outcome, refusal) = match solve(policy, &prepared, options, &mut ()) {
            Ok(Solved { outcome, .. }) => (Some(outcome), None),
            Err(ReleaseError::Search(refusal @ (SearchError::NoSolution { .. } | SearchError::TimeOut))) => {
                (None, Some(refusal.to_string()))
            }
            Err(error) => return Err(error),
        };
        let row = Compared { name: setting.name(), setting, outcome, refusal };
        each(&row);
        compared.push(row);
    }
    Ok(compared)
}

fn by_reference(requirements: &[(String, Parameters)]) -> Vec<Requirement<'_>> {
    requirements.iter().map(|(kind, parameters)| (kind.as_str(), parameters)).collect()
}

fn list_settings(policy: &Policy, settings: &CompareSettings) -> Result<Vec<Setting>, ReleaseError> {
    let base = policy.models.iter().find(|model| model.kind == "k-anonymity").and_then(ModelPolicy::k);
    let with_base = || Setting { k: base, ..Setting::default() };
    let mut list: Vec<Setting> = settings.k.iter().map(|&k| Setting { k: Some(k), ..Setting::default() }).collect();
    let constants = if settings.c.is_empty() { &[4.0][..] } else { &settings.c };
    for &c in constants {
        list.extend(settings.l.iter().map(|&l| Setting { c: Some(c), l: Some(l), ..with_base() }));
    }
    list.extend(settings.t.iter().map(|&t| Setting { t: Some(t), ..with_base() }));
    list.extend(settings.models.iter().map(|(name, model)| Setting {
        model: Some(model.clone()),
        model_name: name.clone(),
        ..with_base()
    }));
    if list.is_empty() {
        return Err(ReleaseError::Setting(
            "nothing to compare; give at least one of --k, --l, --t and --model, such as --k 2,5,10".to_owned(),
        ));
    }
    Ok(list)
}
