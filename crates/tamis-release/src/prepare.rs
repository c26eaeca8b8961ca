//! From a policy to a problem the engine can solve.

use crate::facts::{check_points, table_facts};
use crate::mechanism::Mechanism;
use crate::quasi::{QuasiIdentifiers, recoder_of};
use crate::sealed::notes_on_sealed;
use crate::steps::{StepFigures, before_search, check_steps};
use crate::subset::subset_of;
use crate::{AttributePolicy, HierarchySource, Policy, ReleaseError, Role, Secret, Sources};
use std::collections::{BTreeMap, BTreeSet};
use tamis_engine::{Aggregate, Lattice, Measure, Problem, QualitySettings};
use tamis_privacy::TableFacts;
use tamis_privacy::{Bind, Bound, ModelError};
use tamis_source::{ColumnFilter, Encoding};
use tamis_table::hierarchy::SUPPRESSED;
use tamis_table::{Builder, FrequencySet, FrequencySpec, HierarchyRow, Recoder, Table, TupleOfRow, number_in};
use tamis_transform::Stage;

/// A table read, bound to its hierarchies and counted.
#[derive(Debug)]
pub struct Prepared {
    /// The table, without identifying columns.
    pub table: Table,
    /// What the engine solves.
    pub problem: Problem,
    /// The tuple of every row.
    pub tuple_of_row: TupleOfRow,
    /// Whether each row is to be released, where the input is a population.
    pub subset: Option<Vec<bool>>,
    /// The loss with default settings, which is reported whatever measure was chosen.
    pub loss: Box<dyn Measure>,
    /// What the models know of the table.
    pub facts: TableFacts,
    /// The columns to release with their roles, in file order.
    pub columns: Vec<(String, Role)>,
    /// The hierarchies of the sensitive attributes that have one.
    pub sensitive_recoders: Vec<(String, Recoder)>,
    /// The lines of every hierarchy in use.
    pub hierarchies: BTreeMap<String, Vec<HierarchyRow>>,
    /// What the user should know.
    pub notes: Vec<String>,
    /// Rows of the input, before steps or a mechanism took some out.
    pub input_rows: u64,
    /// What the steps before the search did to the table.
    pub steps: Vec<StepFigures>,
    /// Where everything random comes from.
    pub secret: Secret,
    /// How the release is made beside being recoded, if it is.
    pub(crate) mechanism: Option<Mechanism>,
    /// What the steps of the release work on, if there are some.
    pub(crate) release_stage: Option<Stage>,
}

/// Which requirements a problem is prepared for.
pub type Requirement<'a> = (&'a str, &'a tamis_privacy::Parameters);

impl Prepared {
    /// Reads what the policy names and binds it together.
    pub fn read(policy: &Policy, sources: &dyn Sources, secret: &Secret) -> Result<Self, ReleaseError> {
        let requirements: Vec<Requirement<'_>> =
            policy.models.iter().map(|model| (model.kind.as_str(), &model.parameters)).collect();
        Self::read_for(policy, (sources, secret), &requirements)
    }

    /// What the release promises, in words.
    pub(crate) fn requirements(&self) -> Vec<String> {
        let mut requirements = self.problem.requirements();
        if self.release_stage == Some(Stage::Groups) {
            requirements = requirements.into_iter().map(|requirement| format!("groups with {requirement}")).collect();
        }
        requirements.extend(self.mechanism.as_ref().and_then(Mechanism::describe));
        requirements
    }

    /// The same for other requirements than the policy's own.
    pub fn read_for(
        policy: &Policy,
        (sources, secret): (&dyn Sources, &Secret),
        requirements: &[Requirement<'_>],
    ) -> Result<Self, ReleaseError> {
        check_settings(policy)?;
        let joint = joint_columns(requirements)?;
        let dropped: Vec<String> = names(policy, Role::Identifying)
            .filter(|&name| policy.entity.as_deref() != Some(name) && !is_named_by_subset(requirements, name))
            .filter(|name| !joint.iter().flatten().any(|column| column == name))
            .map(str::to_owned)
            .collect();
        let table = sources.table(&policy.input, ColumnFilter::Except(dropped))?;
        let input_rows = table.rows() as u64;
        let mechanism = Mechanism::of(requirements)?;
        let mut notes = Vec::new();
        let (table, steps) = match &mechanism {
            None => {
                check_steps(policy)?;
                before_search(policy, table, (sources, secret))?
            }
            Some(mechanism) => {
                mechanism.check(policy)?;
                (mechanism.take_part(table, (secret, &mut notes))?, Vec::new())
            }
        };
        let columns = released_columns(policy, &table, &mut notes)?;
        let subset = subset_of(requirements, &table, (&policy.input, policy.entity.is_some()), sources)?;
        let mut hierarchies = BTreeMap::new();
        let encoding = policy.input.encoding.as_deref().map_or(Ok(Encoding::Utf8), str::parse)?;
        let reading = (sources, encoding);
        let QuasiIdentifiers { quasi, weights, lower, upper } =
            QuasiIdentifiers::bind(policy, &columns, &table, reading, (&mut hierarchies, &mut notes))?;
        let sensitive = sensitive_in_use(policy, &columns, requirements);
        let is_quasi = |name: &str| with_role(policy, &columns, Role::QuasiIdentifying).any(|(quasi, _)| quasi == name);
        let counted = with_role(policy, &columns, Role::Sensitive).map(|(name, _)| name);
        let counted = counted.chain(joint.iter().flatten().map(String::as_str).filter(|name| !is_quasi(name)));
        let is_released = |row: usize| subset.as_ref().is_none_or(|subset| subset[row]);
        notes.extend(notes_on_sealed(&table, counted, is_released).into_values());
        let mut sensitive_recoders = Vec::new();
        for (name, attribute) in with_role(policy, &columns, Role::Sensitive) {
            if attribute.hierarchy.is_some() {
                let recoder =
                    recoder_of(name, attribute, table.column(name)?, reading, (&mut hierarchies, &mut notes))?;
                sensitive_recoders.push((name.to_owned(), recoder));
            }
        }
        let spec = FrequencySpec {
            quasi,
            sensitive: sensitive.iter().map(String::as_str).collect(),
            joint,
            entity: policy.entity.as_deref(),
            subset: subset.as_deref(),
        };
        let (frequency, tuple_of_row) = FrequencySet::count(&table, spec)?;
        if frequency.rows == 0 {
            let reason = match mechanism {
                Some(_) => "no row took part in the sample; allow a larger epsilon, or gather more rows",
                None => "no row of the input is in the subset to release",
            };
            return Err(ReleaseError::Setting(reason.to_owned()));
        }
        check_written_missing(policy, &columns, &table, &frequency)?;
        check_points(requirements, &frequency, &table)?;
        let facts = table_facts(&frequency, &table, &sensitive_recoders)?;
        let settings = quality_settings(policy, weights)?;
        let measure = settings.build(&frequency)?;
        let loss = QualitySettings::loss(lower.len()).build(&frequency)?;
        // What a mechanism leaves out is part of its promise; to refuse a release for it would tell something.
        let limit = if mechanism.is_some() { frequency.rows } else { suppression_limit(policy, frequency.rows) };
        if let Some(mechanism) = &mechanism {
            notes.extend(mechanism.notes(&columns, |name| lists_its_values(policy, name)));
        }
        let bound = bind_models(requirements, &facts)?;
        let problem = Problem {
            frequency,
            models: bound.classes,
            table_models: bound.table,
            measure,
            limit,
            lattice: Lattice::new(lower, upper),
        };
        Ok(Self {
            table,
            problem,
            tuple_of_row,
            subset,
            loss,
            facts,
            columns,
            sensitive_recoders,
            hierarchies,
            notes,
            input_rows,
            steps,
            secret: secret.clone(),
            mechanism,
            release_stage: policy.release_stage(),
        })
    }
}

/// The sets of columns that requirements need counted together.
pub fn joint_columns(requirements: &[Requirement<'_>]) -> Result<Vec<Vec<String>>, ModelError> {
    let mut all = Vec::new();
    for (kind, parameters) in requirements {
        for columns in tamis_privacy::joint_columns(kind, parameters)? {
            if !all.contains(&columns) {
                all.push(columns);
            }
        }
    }
    Ok(all)
}

/// Binds requirements to a table.
pub fn bind_models(requirements: &[Requirement<'_>], facts: &TableFacts) -> Result<Bound, ModelError> {
    let mut all = Bound::default();
    // What a mechanism promises is kept by how the release is made, and not by its classes.
    let is_of_classes =
        |kind: &str| tamis_privacy::kind(kind).is_ok_and(|kind| !matches!(kind.bind, Bind::Mechanism { .. }));
    for (kind, parameters) in requirements.iter().filter(|(kind, _)| is_of_classes(kind)) {
        let bound = tamis_privacy::bind(kind, parameters, facts)?;
        all.classes.extend(bound.classes);
        all.table.extend(bound.table);
    }
    Ok(all)
}

fn names(policy: &Policy, role: Role) -> impl Iterator<Item = &str> {
    policy.attributes.iter().filter(move |(_, attribute)| attribute.role == role).map(|(name, _)| name.as_str())
}

/// Whether the hierarchy of a column lists values whatever the data hold.
fn lists_its_values(policy: &Policy, name: &str) -> bool {
    let hierarchy = policy.attributes.get(name).and_then(|attribute| attribute.hierarchy.as_ref());
    match hierarchy {
        Some(HierarchySource::File(_)) => true,
        Some(HierarchySource::Builder(builder)) => matches!(**builder, Builder::Tree(_)),
        None => false,
    }
}

fn is_named_by_subset(requirements: &[Requirement<'_>], name: &str) -> bool {
    requirements.iter().any(|(_, parameters)| crate::subset::column_of(parameters).is_some_and(|column| column == name))
}

/// The attributes of a role in file order.
pub(crate) fn with_role<'p>(
    policy: &'p Policy,
    columns: &'p [(String, Role)],
    role: Role,
) -> impl Iterator<Item = (&'p str, &'p AttributePolicy)> {
    columns
        .iter()
        .filter(move |(_, other)| *other == role)
        .filter_map(|(name, _)| policy.attributes.get(name).map(|attribute| (name.as_str(), attribute)))
}

fn check_settings(policy: &Policy) -> Result<(), ReleaseError> {
    let limit = policy.search.suppression_limit;
    if !(0.0..=1.0).contains(&limit) {
        return Err(ReleaseError::Setting(format!(
            "suppression_limit is {limit}; expected a share between 0 and 1 (for a number of rows use suppression_rows)"
        )));
    }
    let threshold = policy.risk.threshold;
    if !(0.0..=1.0).contains(&threshold) {
        return Err(ReleaseError::Setting(format!(
            "the risk threshold is {threshold}; expected a number between 0 and 1"
        )));
    }
    if let Some(time) = policy.search.time_limit
        && !(time > 0.0 && time < 1e9)
    {
        return Err(ReleaseError::Setting(format!("time_limit is {time}; expected a positive number of seconds")));
    }
    if policy.output.missing.as_deref().map(str::trim) == Some(SUPPRESSED) {
        return Err(ReleaseError::Setting(format!(
            "output.missing is `{SUPPRESSED}`, which marks what is suppressed: rows that miss values would be taken for suppressed ones; choose another text"
        )));
    }
    if policy.models.is_empty() {
        return Err(ReleaseError::Setting(
            "the policy asks for no privacy model; add a [[models]] section such as kind = \"k-anonymity\" with k = 5"
                .to_owned(),
        ));
    }
    Ok(())
}

/// Refuses to write missing values like a value or label of their column, which readers would take them for. Texts of one number are one
/// value.
fn check_written_missing(
    policy: &Policy,
    columns: &[(String, Role)],
    table: &Table,
    frequency: &FrequencySet,
) -> Result<(), ReleaseError> {
    let Some(written) = policy.output.missing.as_deref() else { return Ok(()) };
    for (name, _) in columns {
        let column = table.column(name)?;
        let Some(missing) = column.missing().map(|code| code.0 as usize) else { continue };
        let is_read_alike =
            |text: &str| text == written || number_in(text).is_some_and(|number| number_in(written) == Some(number));
        let mut texts = column.dictionary().iter().enumerate();
        let value = texts.find(|&(code, text)| code != missing && is_read_alike(text)).map(|(_, text)| text);
        let recoder = frequency.attributes.iter().find(|attribute| attribute.name == *name).map(|found| &found.recoder);
        // The spelling that the missing value has so far is among the labels too.
        let own = column.dictionary().text(missing as u32);
        let label = recoder.filter(|_| !is_read_alike(own)).and_then(|recoder| {
            (1..recoder.levels()).find_map(|level| recoder.labels(level).iter().find(|label| is_read_alike(label)))
        });
        if let Some(found) = value.or(label) {
            let kind = if value.is_some() { "value" } else { "label" };
            let found = if found == written { String::new() } else { format!("as a number `{found}`, ") };
            return Err(ReleaseError::Setting(format!(
                "output.missing is `{written}`, which is {found}a {kind} of `{name}`: its missing values would be taken for it; choose another text"
            )));
        }
    }
    Ok(())
}

/// The columns to release; every column the policy names must be there.
fn released_columns(
    policy: &Policy,
    table: &Table,
    notes: &mut Vec<String>,
) -> Result<Vec<(String, Role)>, ReleaseError> {
    let find = |name: &str| {
        table.column(name).map_err(|_| {
            let known = table.columns().iter().map(|column| format!("`{}`", column.name())).collect::<Vec<_>>();
            ReleaseError::Setting(format!(
                "the policy names the column `{name}`, which {} does not have; its columns are {}",
                policy.input.path,
                known.join(", ")
            ))
        })
    };
    for (name, attribute) in &policy.attributes {
        if attribute.role != Role::Identifying {
            find(name)?;
        }
        if attribute.role == Role::Identifying && attribute.hierarchy.is_some() {
            notes.push(format!("`{name}` is identifying and not released; its hierarchy is not used"));
        }
    }
    if let Some(entity) = &policy.entity {
        find(entity)?;
        if policy.attributes.get(entity).is_some_and(|attribute| attribute.role != Role::Identifying) {
            return Err(ReleaseError::Setting(format!(
                "`{entity}` names the person (entity) and is never released; give it role = \"identifying\" or no entry"
            )));
        }
    }
    let mut columns = Vec::new();
    for column in table.columns() {
        match policy.attributes.get(column.name()) {
            Some(attribute) if attribute.role != Role::Identifying => {
                columns.push((column.name().to_owned(), attribute.role));
            }
            Some(_) => {}
            None if policy.entity.as_deref() == Some(column.name()) => {}
            None => notes.push(format!(
                "column `{}` has no entry in the policy and is left out; give it a role to release it",
                column.name()
            )),
        }
    }
    Ok(columns)
}

/// The sensitive attributes that some requirement looks at; counting others would only cost time.
fn sensitive_in_use(policy: &Policy, columns: &[(String, Role)], requirements: &[Requirement<'_>]) -> Vec<String> {
    let mut wanted = BTreeSet::new();
    let mut wants_all = false;
    for (kind, parameters) in requirements {
        let looks = tamis_privacy::kind(kind).is_ok_and(|kind| kind.parameters.iter().any(|p| p.name == "attribute"));
        match parameters.get("attribute") {
            Some(tamis_privacy::Value::Text(name)) => {
                wanted.insert(name.clone());
            }
            _ => wants_all |= looks,
        }
    }
    let sensitive: Vec<String> = with_role(policy, columns, Role::Sensitive).map(|(name, _)| name.to_owned()).collect();
    // Whoever names an attribute that is not sensitive is to be told those that are.
    wants_all |= !wanted.iter().all(|name| sensitive.contains(name));
    sensitive.into_iter().filter(|name| wants_all || wanted.contains(name)).collect()
}

fn quality_settings(policy: &Policy, weights: Vec<f64>) -> Result<QualitySettings, ReleaseError> {
    let quality = &policy.quality;
    let aggregate = quality
        .aggregate
        .as_deref()
        .map(|name| {
            Aggregate::named(name).ok_or_else(|| {
                let known = Aggregate::ALL.map(|aggregate| format!("`{}`", aggregate.name())).join(", ");
                ReleaseError::Setting(format!("there is no aggregate `{name}`; the aggregates are {known}"))
            })
        })
        .transpose()?;
    Ok(QualitySettings {
        measure: quality.measure.clone(),
        aggregate,
        factor: quality.factor,
        weights,
        variant: quality.variant.clone(),
    })
}

/// Rows that may be suppressed: floor(share times rows), or fewer if a number is given.
fn suppression_limit(policy: &Policy, rows: u64) -> u64 {
    let share = (policy.search.suppression_limit * rows as f64).floor() as u64;
    match policy.search.suppression_rows {
        // A number alone counts by itself, not together with the default share of 0.
        Some(number) if policy.search.suppression_limit == 0.0 => number.min(rows),
        Some(number) => number.min(share),
        None => share,
    }
}
