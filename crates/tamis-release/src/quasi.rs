//! The quasi-identifiers of a policy, bound to their hierarchies.

use crate::prepare::with_role;
use crate::{AttributePolicy, HierarchySource, Missing, Policy, ReleaseError, Role, Sources};
use std::collections::BTreeMap;
use tamis_source::Encoding;
use tamis_table::{Column, Hierarchy, HierarchyError, HierarchyRow, MissingPolicy, Recoder, Table};

/// What is written down about hierarchies on the way: their lines, and what the user should know.
pub(crate) type Found<'a> = (&'a mut BTreeMap<String, Vec<HierarchyRow>>, &'a mut Vec<String>);

/// The quasi-identifiers in file order.
pub(crate) struct QuasiIdentifiers<'p> {
    /// Each with its levels and how its missing values are read.
    pub(crate) quasi: Vec<(&'p str, Recoder, MissingPolicy)>,
    /// How much the loss of each counts.
    pub(crate) weights: Vec<f64>,
    /// The least level of each.
    pub(crate) lower: Vec<usize>,
    /// The highest level of each.
    pub(crate) upper: Vec<usize>,
}

impl<'p> QuasiIdentifiers<'p> {
    /// Reads or builds their hierarchies.
    pub(crate) fn bind(
        policy: &'p Policy,
        columns: &'p [(String, Role)],
        table: &Table,
        reading: (&dyn Sources, Encoding),
        (hierarchies, notes): Found<'_>,
    ) -> Result<Self, ReleaseError> {
        let mut all = Self { quasi: Vec::new(), weights: Vec::new(), lower: Vec::new(), upper: Vec::new() };
        for (name, attribute) in with_role(policy, columns, Role::QuasiIdentifying) {
            let column = table.column(name)?;
            let recoder = recoder_of(name, attribute, column, reading, (hierarchies, notes))?;
            let (least, most) = level_bounds(name, attribute, column, recoder.levels())?;
            all.lower.push(least);
            all.upper.push(most);
            all.weights.push(attribute.weight.unwrap_or(1.0));
            let missing = match attribute.missing {
                Missing::OwnCategory => MissingPolicy::OwnCategory,
                Missing::MatchesAnything => MissingPolicy::MatchesAnything,
            };
            all.quasi.push((name, recoder, missing));
        }
        if all.quasi.is_empty() {
            return Err(ReleaseError::Setting(
                "the policy has no quasi-identifier; give at least one column `role = \"quasi-identifying\"`"
                    .to_owned(),
            ));
        }
        Ok(all)
    }
}

/// How a column generalizes.
pub(crate) fn recoder_of(
    name: &str,
    attribute: &AttributePolicy,
    column: &Column,
    (sources, encoding): (&dyn Sources, Encoding),
    (hierarchies, notes): Found<'_>,
) -> Result<Recoder, ReleaseError> {
    let values = column.counted_values();
    let (origin, rows) = match &attribute.hierarchy {
        None => {
            notes.push(format!("`{name}` has no hierarchy, so it can only be kept as it is or suppressed whole"));
            return Ok(Recoder::keep_or_suppress(column));
        }
        Some(HierarchySource::File(path)) => {
            (path.clone(), sources.complete(name, sources.hierarchy(path, encoding)?, &values))
        }
        Some(HierarchySource::Builder(builder)) => {
            let origin = "written inline".to_owned();
            let mut rows = builder.build_with_counts(&values);
            if values.is_empty() && rows == Err(HierarchyError::Empty) {
                notes.push(format!(
                    "`{name}` has no values to build its hierarchy from: it is kept as it is or suppressed whole"
                ));
                rows = builder.build(&[""]);
            }
            let rows = rows.map_err(|reason| ReleaseError::Hierarchy {
                name: origin.clone(),
                column: name.to_owned(),
                reason,
            })?;
            (origin, rows)
        }
    };
    let recoder = Hierarchy::from_rows(&rows)
        .and_then(|hierarchy| Recoder::bind(&hierarchy, column))
        .map_err(|reason| ReleaseError::Hierarchy { name: origin, column: name.to_owned(), reason })?;
    let stated = match &attribute.hierarchy {
        Some(HierarchySource::Builder(builder)) => builder.stated_order(&rows),
        _ => sources.stated_order(name, &rows),
    };
    let recoder = match (stated, &attribute.hierarchy) {
        (Some(order), _) => recoder.ranking(&order, column),
        (None, Some(HierarchySource::File(_))) => recoder.listing(&rows, column),
        _ => recoder,
    };
    hierarchies.insert(name.to_owned(), rows);
    Ok(recoder)
}

fn level_bounds(
    name: &str,
    attribute: &AttributePolicy,
    column: &Column,
    levels: usize,
) -> Result<(usize, usize), ReleaseError> {
    let mut least = attribute.min_level.unwrap_or(0);
    let mut most = attribute.max_level.unwrap_or(levels - 1);
    // Without values a builder makes fewer levels than the policy counts on.
    if matches!(attribute.hierarchy, Some(HierarchySource::Builder(_))) && column.counted_values().is_empty() {
        (least, most) = (least.min(levels - 1), most.min(levels - 1));
    }
    if least > most || most >= levels {
        return Err(ReleaseError::Setting(format!(
            "`{name}`: levels {least} to {most} were asked for; its hierarchy has levels 0 to {}",
            levels - 1
        )));
    }
    Ok((least, most))
}
