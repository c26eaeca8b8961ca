//! Confidence bounding against its definition, and against the figure it was taken from.

use crate::common;

use common::{check_class, check_union, class, class_in_table, model, refusal, size};
use proptest::prelude::*;
use std::collections::BTreeMap;
use tamis_privacy::models::confidence_bounding::confidence;
use tamis_privacy::{Class, Model, TableFacts, Value};

/// The share of each value in tenths is at most its bound, in whole numbers.
fn holds(counts: &[u32], tenths: &[u64]) -> bool {
    counts.iter().zip(tenths).all(|(&count, &tenths)| 10 * u64::from(count) <= tenths * size(counts))
}

fn share(tenths: u64) -> Value {
    (tenths as f64 / 10.0).into()
}

/// Bounds the first `named` values one by one and the others together.
fn bounding(tenths: &[u64], named: usize, others: Option<u64>, facts: &TableFacts) -> Box<dyn Model> {
    let bounds: BTreeMap<String, Value> =
        tenths.iter().take(named).enumerate().map(|(value, &tenths)| (value.to_string(), share(tenths))).collect();
    let mut parameters = vec![("bounds", Value::Table(bounds))];
    parameters.extend(others.map(|tenths| ("t", share(tenths))));
    model("confidence-bounding", &parameters, facts)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_class_holds_iff_every_share_is_within_its_bound(
        (counts, totals) in class_in_table(5, 5), mut tenths in prop::collection::vec(0u64..=10, 5),
        named in 1usize..=5, others in prop::option::of(0u64..=10),
    ) {
        let facts = TableFacts::of_histogram("disease", &totals);
        let named = named.min(counts.len());
        let model = bounding(&tenths, named, others, &facts);
        tenths[named..].fill(others.unwrap_or(10));
        check_class(&*model, &counts, |part| holds(part, &tenths));
    }

    #[test]
    fn the_union_of_classes_that_hold_holds(
        left in prop::collection::vec(0u32..9, 4), right in prop::collection::vec(0u32..9, 4),
        tenths in prop::collection::vec(0u64..=10, 4),
    ) {
        prop_assume!(size(&left) > 0 && size(&right) > 0);
        let facts = TableFacts::of_histogram("disease", &[19; 4]);
        check_union(&*bounding(&tenths, 3, Some(tenths[3]), &facts), &left, &right);
    }
}

/// Rows of Figure 1 of Liber 2014 as counts of AIDS, flu and tumour.
const TECHNICIANS: [u32; 3] = [3, 1, 0];
const ARTISTS: [u32; 3] = [2, 1, 2];

fn largest(groups: &[[u32; 3]]) -> Vec<f64> {
    let shares = groups.iter().map(|group| confidence(group, size(group)));
    shares.fold(vec![0.0; 3], |most, shares| most.iter().zip(&shares).map(|(&a, &b)| f64::max(a, b)).collect())
}

/// What is true of the rows that are printed: the second group has five.
#[test]
fn paper_figure_1_of_the_rows_printed() {
    assert_eq!(confidence(&TECHNICIANS, 4), [0.75, 0.25, 0.0]);
    assert_eq!(confidence(&ARTISTS, 5), [0.4, 0.2, 0.4]);
    assert_eq!(largest(&[TECHNICIANS, ARTISTS]), [0.75, 0.25, 0.4]);
}

/// The shares that are printed are those of four rows in the second group. Only without a row of tumour do they come out.
#[test]
fn paper_figure_1_as_printed_leaves_out_one_tumour() {
    let printed = [0.5, 0.25, 0.25];
    let without = |left_out: usize| {
        let mut group = ARTISTS;
        group[left_out] -= 1;
        (group, confidence(&group, 4) == printed)
    };
    let [aids, flu, tumour] = [0, 1, 2].map(without);
    assert!(!aids.1 && !flu.1 && tumour.1);
    assert_eq!(largest(&[TECHNICIANS, tumour.0]), [0.75, 0.25, 0.25]);
}

#[test]
fn paper_figure_1_meets_the_bounds_that_it_computes() {
    let facts = TableFacts::of_values("disease", &["AIDS", "flu", "tumour"], &[5, 2, 2]);
    let with = |tumour: f64| {
        let bounds = Value::from([("AIDS", 0.75.into()), ("flu", 0.25.into()), ("tumour", tumour.into())]);
        let model = model("confidence-bounding", &[("bounds", bounds)], &facts);
        [TECHNICIANS, ARTISTS].map(|group| model.holds(&class(&group)))
    };
    assert_eq!(with(0.4), [true, true]);
    assert_eq!(with(0.25), [true, false]);
}

#[test]
fn confidence_is_in_people() {
    let facts = TableFacts::of_values("disease", &["AIDS", "flu"], &[5, 5]);
    let model = model("confidence-bounding", &[("bounds", Value::from([("AIDS", 0.5.into())]))], &facts);
    assert!(!model.holds(&Class { size: 2, population: 4, counts: &[2, 2] }));
    assert!(model.holds(&Class { size: 2, population: 3, counts: &[1, 2] }));
    assert_eq!(model.describe(), "confidence in disease at most AIDS 0.5");
}

#[test]
fn a_value_is_bounded_in_the_attribute_that_has_it() {
    let mut facts = TableFacts::of_values("disease", &["AIDS", "flu"], &[5, 5]);
    let mut drug = TableFacts::of_values("drug", &["AZT", "none"], &[5, 5]).sensitive.remove(0);
    drug.offset = 2;
    facts.sensitive.push(drug);
    let parameters = [("bounds", Value::from([("AZT", 0.5.into())]))];
    let parameters = tamis_privacy::Parameters::from(parameters);
    let bound = tamis_privacy::bind("confidence-bounding", &parameters, &facts).unwrap();
    let verdicts = |counts: &[u32]| {
        let class = Class { size: 3, population: 3, counts };
        bound.classes.iter().map(|model| model.holds(&class)).collect::<Vec<_>>()
    };
    assert_eq!((verdicts(&[3, 0, 1, 2]), verdicts(&[0, 3, 2, 1])), (vec![true, true], vec![true, false]));
    assert_eq!(
        refusal("confidence-bounding", &[("bounds", Value::from([("azt", 0.5.into())]))], &facts),
        "model `confidence-bounding`: `azt` is no value of `disease` or `drug`; its values are `AIDS`, `flu`, `AZT`, `none`"
    );
}

#[test]
fn what_makes_no_sense_is_said() {
    let facts = TableFacts::of_values("disease", &["AIDS", "flu"], &[5, 5]);
    let with = |parameters: &[(&str, Value)]| refusal("confidence-bounding", parameters, &facts);
    let kind = "model `confidence-bounding`";
    assert_eq!(
        with(&[]),
        format!(
            "{kind} needs the parameter `bounds` (largest shares by value, between 0 and 1, such as {{ AIDS = 0.5 }}); add `bounds = ...`"
        )
    );
    let expected = "expected shares between 0 and 1 by value, such as { flu = 0.5 }";
    assert_eq!(with(&[("bounds", 0.5.into())]), format!("{kind}: `bounds` is 0.5; {expected}"));
    assert_eq!(
        with(&[("bounds", Value::from([("AIDS", 1.5.into())]))]),
        format!("{kind}: `bounds` is 1.5 for \"AIDS\"; {expected}")
    );
    assert_eq!(with(&[("t", 2.into())]), format!("{kind}: `t` is 2; expected a number between 0 and 1"));
}
