//! Entropy l-diversity against its definition, in whole numbers.

use crate::common;

use common::{check_class, check_union, class, class_in_table, model, size};
use proptest::prelude::*;
use tamis_privacy::{Class, TableFacts};

/// c (ln c - ln l) >= sum f ln f with l = quarters / 4, without logarithms: (4 c)^c >= quarters^c * product of f^f.
fn holds(counts: &[u32], quarters: u64) -> bool {
    let rows = size(counts);
    let left = u128::from(4 * rows).checked_pow(u32::try_from(rows).unwrap()).unwrap();
    let right = counts.iter().try_fold(
        u128::from(quarters).checked_pow(u32::try_from(rows).unwrap()).unwrap_or(u128::MAX),
        |product, &f| product.checked_mul(u128::from(f).pow(f)),
    );
    let distinct = counts.iter().filter(|&&count| count > 0).count() as u64;
    distinct >= quarters.div_ceil(4) && right.is_some_and(|right| left >= right)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_class_holds_iff_its_entropy_is_that_of_l_equal_values(
        (counts, totals) in class_in_table(5, 4), quarters in 4u64..24,
    ) {
        let facts = TableFacts::of_histogram("disease", &totals);
        let model = model("entropy-l-diversity", &[("l", (quarters as f64 / 4.0).into())], &facts);
        check_class(&*model, &counts, |part| holds(part, quarters));
    }

    #[test]
    fn the_union_of_classes_that_hold_holds(
        left in prop::collection::vec(0u32..6, 4), right in prop::collection::vec(0u32..6, 4), quarters in 4u64..17,
    ) {
        let facts = TableFacts::of_histogram("disease", &[19; 4]);
        let model = model("entropy-l-diversity", &[("l", (quarters as f64 / 4.0).into())], &facts);
        check_union(&*model, &left, &right);
    }

    /// l equal counts have an entropy of exactly ln l, whatever the logarithms are rounded to.
    #[test]
    fn equality_holds(l in 1usize..60, count in 1u32..3_000_000) {
        let counts = vec![count; l];
        let facts = TableFacts::of_histogram("disease", &vec![u64::from(count); l]);
        let at = |l: f64| model("entropy-l-diversity", &[("l", l.into())], &facts).holds(&class(&counts));
        prop_assert!(at(l as f64));
        prop_assert!(!at(l as f64 + 1e-6));
    }
}

/// 16 rows as 4, 2, 2, 8 (halves, quarters, eighths) have entropy 1.75 bits, so l = 2^1.75 is met and anything more is not.
#[test]
fn fractional_l_is_met_exactly_by_powers_of_two() {
    let facts = TableFacts::of_histogram("disease", &[9; 4]);
    let at = |l: f64| model("entropy-l-diversity", &[("l", l.into())], &facts).holds(&class(&[4, 2, 2, 8]));
    assert!(at(1.75f64.exp2()));
    assert!(!at(1.75f64.exp2() * (1.0 + 1e-9)));
}

#[test]
fn l_values_of_fewer_than_l_people_are_not_enough() {
    let facts = TableFacts::of_histogram("disease", &[9; 3]);
    let model = model("entropy-l-diversity", &[("l", 2.5.into())], &facts);
    assert!(!model.holds(&Class { size: 2, population: 3, counts: &[1, 1, 1] }));
    assert!(model.holds(&Class { size: 3, population: 3, counts: &[1, 1, 1] }));
}
