//! Delta-presence against its definition.

use crate::common;

use common::model;
use proptest::prelude::*;
use tamis_privacy::{Class, Model, TableFacts};

fn presence(min: u64, max: u64) -> Box<dyn Model> {
    let facts = TableFacts { has_population: true, ..TableFacts::of_rows(100) };
    let share = |tenths: u64| (tenths as f64 / 10.0).into();
    model("delta-presence", &[("min", share(min)), ("max", share(max))], &facts)
}

fn holds((rows, population): (u64, u64), min: u64, max: u64) -> bool {
    min * population <= 10 * rows && 10 * rows <= max * population
}

fn class((size, population): (u64, u64)) -> Class<'static> {
    Class { size, population, counts: &[] }
}

fn rows_in_population() -> impl Strategy<Value = (u64, u64)> {
    (1u64..60).prop_flat_map(|population| (0..=population, Just(population)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn a_class_holds_iff_its_share_is_within_the_bounds(rows in rows_in_population(), a in 0u64..=10, b in 0u64..=10) {
        let (min, max) = (a.min(b), a.max(b));
        let model = presence(min, max);
        prop_assert_eq!(model.holds(&class(rows)), holds(rows, min, max));
        if let Err(most) = model.judge(&class(rows)) {
            prop_assert!(most == rows.0 && !model.is_hereditary());
        }
    }

    #[test]
    fn the_union_of_classes_that_hold_holds(
        left in rows_in_population(), right in rows_in_population(), a in 0u64..=10, b in 0u64..=10,
    ) {
        let (min, max) = (a.min(b), a.max(b));
        let model = presence(min, max);
        if model.holds(&class(left)) && model.holds(&class(right)) {
            prop_assert!(model.holds(&class((left.0 + right.0, left.1 + right.1))));
        }
    }
}

#[test]
fn both_bounds_are_allowed() {
    let model = presence(1, 3);
    assert!(model.holds(&class((1, 10))) && model.holds(&class((3, 10))));
    assert!(!model.holds(&class((4, 10))) && !model.holds(&class((0, 10))));
    assert!(model.judges_empty_classes());
}
