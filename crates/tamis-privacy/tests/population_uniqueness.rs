//! The bound on population uniqueness: what is released meets it by the estimator's own word.

use crate::rows;

use proptest::prelude::*;
use rows::{Requirement, View, check, figure_2_before, refusal, rows};
use std::collections::BTreeMap;
use tamis_privacy::uniqueness::{Estimator, Sizes, population_uniques};

/// Classes of each size, row by row.
fn sizes(view: &View<'_>) -> Vec<(u64, u64)> {
    let mut rows_in: BTreeMap<u64, u64> = BTreeMap::new();
    view.kept.iter().for_each(|&row| *rows_in.entry(view.class(row).len() as u64).or_default() += 1);
    rows_in.into_iter().map(|(size, rows)| (size, rows / size)).collect()
}

/// The people of the population are those of the input divided by the fraction, however many are suppressed.
fn holds(view: &View<'_>, max: f64, fraction: f64, estimator: Estimator) -> bool {
    let of = sizes(view);
    let sizes = Sizes { of: &of };
    let population = view.table.quasi.len() as f64 / fraction;
    let released = sizes.rows() as f64;
    if sizes.uniques() == 0 {
        return true;
    }
    let alone = population_uniques(estimator, &sizes, (fraction * released / view.table.quasi.len() as f64).min(1.0));
    let expected = match alone {
        Some(estimate) => (estimate.population_uniques * released / population).min(sizes.uniques() as f64),
        None => sizes.uniques() as f64,
    };
    expected <= max * released * (1.0 + 1e-9)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn few_released_rows_are_expected_to_be_unique_in_the_population(
        table in rows(), choices in any::<(u64, u64, u64)>(), hundredths in 0u32..60, tenths in 1u32..=10,
        estimator in prop::sample::select(&Estimator::ALL[..]),
    ) {
        // Off the values a share of few rows can have, so that rounding decides nothing.
        let (max, fraction) = (f64::from(hundredths) / 100.0 + 0.001_234, f64::from(tenths) / 10.0);
        let parameters = [("max", max.into()), ("fraction", fraction.into()), ("estimator", estimator.name().into())];
        let requirement = Requirement::new("population-uniqueness", &parameters);
        check(&table, &requirement, choices, |view| holds(view, max, fraction, estimator));
    }
}

#[test]
fn bad_parameters_are_told() {
    let table = figure_2_before();
    let said = |parameters: &[(&str, tamis_privacy::Value)]| refusal(&table, "population-uniqueness", parameters);
    assert!(said(&[("max", 0.1.into())]).contains("needs the parameter `fraction`"));
    assert!(said(&[("max", 0.1.into()), ("fraction", 0.into())]).contains("`fraction` is 0"));
    assert!(said(&[("max", 2.into()), ("fraction", 1.into())]).contains("`max` is 2"));
    let unknown = said(&[("max", 0.1.into()), ("fraction", 1.into()), ("estimator", "guess".into())]);
    assert!(unknown.contains("`estimator` is \"guess\"; expected \"pitman\""), "{unknown}");
}
