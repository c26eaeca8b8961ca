//! k-anonymity against its definition.

use crate::common;

use common::{check_class, check_union, class, class_in_table, model, size, whole};
use proptest::prelude::*;
use tamis_privacy::TableFacts;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_class_holds_iff_it_has_at_least_k_rows((counts, totals) in class_in_table(4, 5), k in 1u64..12) {
        let facts = TableFacts::of_histogram("disease", &totals);
        prop_assume!(k <= facts.rows);
        check_class(&*model("k-anonymity", &[("k", whole(k))], &facts), &counts, |part| size(part) >= k);
    }

    #[test]
    fn the_union_of_classes_that_hold_holds(left in 1u32..9, right in 1u32..9, k in 1u64..9) {
        let model = model("k-anonymity", &[("k", whole(k))], &TableFacts::of_rows(20));
        check_union(&*model, &[left], &[right]);
    }
}

#[test]
fn k_equal_to_the_rows_of_the_table_is_allowed() {
    let model = model("k-anonymity", &[("k", whole(7))], &TableFacts::of_rows(7));
    assert!(model.holds(&class(&[7])) && !model.holds(&class(&[6])));
    assert_eq!((model.least_size(), model.describe().as_str()), (7, "7-anonymity"));
}

#[test]
fn a_whole_number_written_with_a_decimal_point_is_a_whole_number() {
    let model = model("k-anonymity", &[("k", 3.0.into())], &TableFacts::of_rows(7));
    assert!(model.holds(&class(&[3])) && !model.holds(&class(&[2])));
}
