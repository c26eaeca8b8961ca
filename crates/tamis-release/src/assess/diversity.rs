//! How diverse the sensitive values of the worst class are.

use super::AssessOptions;
use crate::ReleaseError;
use crate::facts::sensitive_facts;
use serde::Serialize;
use tamis_privacy::models::alpha_k::largest_share;
use tamis_privacy::models::beta_likeness::{enhanced_likeness, likeness};
use tamis_privacy::models::delta_disclosure::{disclosure, disclosure_of_present};
use tamis_privacy::models::distinct_l::distinct;
use tamis_privacy::models::entropy_l::entropy_l;
use tamis_privacy::models::recursive_cl::least_c;
use tamis_privacy::models::t_closeness::{Distance, Mover};
use tamis_table::{Column, FrequencySet};

/// How diverse the worst class is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Diversity {
    /// Fewest different values.
    pub distinct_l: u64,
    /// Fewest different values beside sealed ones, in a class that has some; none if nothing is sealed, or everything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visible_l: Option<u64>,
    /// Smallest e to the entropy.
    pub entropy_l: f64,
    /// The l that `recursive_c` is for.
    pub l: u64,
    /// The bound that c must exceed for recursive (c,l)-diversity; none if a class has fewer than l values.
    pub recursive_c: Option<f64>,
    /// Largest distance to the whole table.
    pub t: f64,
    /// Which distance.
    pub distance: &'static str,
    /// Largest share of one value, as (alpha,k)-anonymity bounds it.
    pub alpha: f64,
    /// Largest relative gain of a value over its share of the whole table: the beta of basic beta-likeness.
    pub beta: f64,
    /// The beta of enhanced beta-likeness; none if no beta is enough.
    pub enhanced_beta: Option<f64>,
    /// The delta that delta-disclosure privacy must exceed; none if a class lacks a value of the table, so that no delta is enough.
    pub delta: Option<f64>,
    /// The same for the values that the classes have.
    pub delta_of_present: f64,
}

/// The figures of one sensitive attribute; one pass over the classes.
pub(super) fn diversity(
    frequency: &FrequencySet,
    position: usize,
    column: &Column,
    options: &AssessOptions,
) -> Result<Diversity, ReleaseError> {
    let sensitive = &frequency.sensitive[position];
    let reference = options.reference.get(&sensitive.name).cloned();
    let totals = reference.unwrap_or_else(|| frequency.sensitive_totals(position));
    let recoder = options.hierarchies.get(&sensitive.name);
    let facts = sensitive_facts(column, totals, recoder);
    let is_meant = options.distance_of.as_ref().is_none_or(|name| *name == sensitive.name);
    let chosen = options.distance.filter(|_| is_meant);
    let distance = chosen.unwrap_or(if recoder.is_some() { Distance::Hierarchical } else { Distance::Equal });
    facts.check_order(distance)?;
    let mover = Mover::new(distance, &facts).ok_or_else(|| {
        ReleaseError::Setting(format!(
            "the hierarchical distance needs a hierarchy of `{0}` that ends in one label: --hierarchy {0}=FILE",
            sensitive.name
        ))
    })?;
    let mut worst = Diversity {
        distinct_l: u64::MAX,
        visible_l: None,
        entropy_l: f64::INFINITY,
        l: options.l,
        recursive_c: Some(0.0),
        t: 0.0,
        distance: distance.name(),
        alpha: 0.0,
        beta: 0.0,
        enhanced_beta: Some(0.0),
        delta: Some(0.0),
        delta_of_present: 0.0,
    };
    let sealed = column.sealed().map(|code| code.0 as usize).filter(|&code| sensitive.totals[code] > 0);
    let mut counts = vec![0u32; facts.totals.len()];
    for tuple in (0..frequency.tuples()).filter(|&tuple| frequency.counts[tuple] > 0) {
        let entries = frequency.values(position, tuple);
        for &(code, count) in &entries {
            counts[code as usize] += count;
        }
        let values = distinct(&counts);
        worst.distinct_l = worst.distinct_l.min(values);
        let visible = sealed.map(|code| values - u64::from(counts[code] > 0)).filter(|&visible| visible > 0);
        worst.visible_l = worst.visible_l.into_iter().chain(visible).min();
        worst.entropy_l = worst.entropy_l.min(entropy_l(&counts));
        worst.recursive_c = worst.recursive_c.zip(least_c(&counts, options.l)).map(|(worst, c)| worst.max(c));
        worst.t = worst.t.max(mover.distance(&counts));
        worst.alpha = worst.alpha.max(largest_share(&counts, frequency.size(tuple)));
        worst.beta = worst.beta.max(likeness(&counts, &facts.totals));
        let enhanced = worst.enhanced_beta.zip(enhanced_likeness(&counts, &facts.totals));
        worst.enhanced_beta = enhanced.map(|(worst, beta)| worst.max(beta));
        let delta = Some(disclosure(&counts, &facts.totals)).filter(|delta| delta.is_finite());
        worst.delta = worst.delta.zip(delta).map(|(worst, delta)| worst.max(delta));
        worst.delta_of_present = worst.delta_of_present.max(disclosure_of_present(&counts, &facts.totals));
        for &(code, _) in &entries {
            counts[code as usize] = 0;
        }
    }
    if worst.distinct_l == u64::MAX {
        // Nothing is released, so no class is diverse or close; any bound on l fails.
        (worst.distinct_l, worst.entropy_l, worst.recursive_c) = (0, 0.0, None);
    }
    Ok(worst)
}
