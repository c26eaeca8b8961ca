//! Delta-disclosure privacy against its definition.

use crate::common;

use common::{check_class, check_union, class, class_in_table, model, refusal, size};
use proptest::prelude::*;
use tamis_privacy::models::delta_disclosure::{disclosure, disclosure_of_present};
use tamis_privacy::{Model, TableFacts};

/// Numbers as whole fractions: p / q above 2^-delta and below 2^delta, delta = halves / 2, so that their squares are compared.
fn holds(counts: &[u32], totals: &[u64], halves: u32) -> bool {
    let (size, rows) = (size(counts), totals.iter().sum::<u64>());
    counts.iter().zip(totals).filter(|&(_, &total)| total > 0).all(|(&count, &total)| {
        let (p, q) = (u128::from(u64::from(count) * rows), u128::from(total * size));
        p * p < (q * q) << halves && q * q < (p * p) << halves
    })
}

fn private(halves: u32, facts: &TableFacts) -> Box<dyn Model> {
    model("delta-disclosure-privacy", &[("delta", (f64::from(halves) / 2.0).into())], facts)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_class_holds_iff_every_share_is_near_that_of_the_table(
        (counts, totals) in class_in_table(5, 5), halves in 1u32..8,
    ) {
        let facts = TableFacts::of_histogram("disease", &totals);
        check_class(&*private(halves, &facts), &counts, |part| holds(part, &totals, halves));
    }

    #[test]
    fn the_union_of_classes_that_hold_holds(
        left in prop::collection::vec(0u32..9, 3), right in prop::collection::vec(0u32..9, 3),
        rest in prop::collection::vec(0u64..9, 3), halves in 1u32..8,
    ) {
        prop_assume!(size(&left) > 0 && size(&right) > 0);
        let totals: Vec<u64> =
            left.iter().zip(&right).zip(&rest).map(|((&left, &right), &rest)| u64::from(left + right) + rest).collect();
        check_union(&*private(halves, &TableFacts::of_histogram("disease", &totals)), &left, &right);
    }

    /// The number of a class is the one that delta must exceed.
    #[test]
    fn delta_must_exceed_the_disclosure((counts, totals) in class_in_table(4, 6)) {
        let facts = TableFacts::of_histogram("disease", &totals);
        let found = disclosure(&counts, &totals);
        let holds = |delta: f64| model("delta-disclosure-privacy", &[("delta", delta.into())], &facts).holds(&class(&counts));
        prop_assert!(found == 0.0 || found.is_infinite() || !holds(found));
        prop_assert_eq!(found.is_finite(), holds(found.min(1e300) * 1.001 + 1e-9));
        prop_assert!(disclosure_of_present(&counts, &totals) <= found);
    }
}

/// A factor of exactly 2 fails delta = 1, of whatever counts it is made.
#[test]
fn the_bound_is_strict() {
    for times in 1..2000u32 {
        let counts = [times, 3 * times];
        let facts = TableFacts::of_histogram("disease", &[u64::from(times) * 7; 2]);
        assert!(!private(2, &facts).holds(&class(&counts)), "{times}");
        assert!(private(3, &facts).holds(&class(&counts)), "{times}");
    }
}

/// Two classes that would hold if absent values were passed over, and their union, which would not.
#[test]
fn passing_over_absent_values_would_not_be_monotone() {
    let totals = [50u64, 50];
    let (left, right, union) = ([1u32, 3], [0u32, 4], [1u32, 7]);
    let present = |counts: &[u32]| disclosure_of_present(counts, &totals);
    assert_eq!((present(&left), present(&right)), (1.0, 1.0));
    assert_eq!(present(&union), 2.0);
    assert_eq!(disclosure(&right, &totals), f64::INFINITY);
}

/// pycanon 1.3.6 takes natural logarithms of what is present, and gives ln 1.8 for the two classes.
#[test]
fn the_figures_of_a_table_by_hand() {
    let totals = [5u64, 2, 2];
    let natural = |counts: &[u32]| disclosure_of_present(counts, &totals) * std::f64::consts::LN_2;
    assert!((natural(&[3, 1, 0]) - (27.0f64 / 20.0).ln()).abs() < 1e-15);
    assert!((natural(&[2, 1, 2]) - (18.0f64 / 10.0).ln()).abs() < 1e-15);
}

#[test]
fn every_value_needs_a_row() {
    let facts = TableFacts::of_histogram("disease", &[5, 5, 0, 1]);
    assert_eq!(private(20, &facts).least_size(), 3);
    assert_eq!(private(20, &TableFacts { has_entity: true, ..facts }).least_size(), 1);
}

#[test]
fn what_makes_no_sense_is_said() {
    let facts = TableFacts::of_histogram("disease", &[5, 5]);
    let with = |delta: f64| refusal("delta-disclosure-privacy", &[("delta", delta.into())], &facts);
    let kind = "model `delta-disclosure-privacy`";
    for delta in [0.0, -1.0] {
        assert_eq!(with(delta), format!("{kind}: `delta` is {delta}; expected a number above 0"));
    }
    assert_eq!(private(3, &facts).describe(), "1.5-disclosure privacy of disease");
}
