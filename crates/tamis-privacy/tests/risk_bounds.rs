//! k-map, prosecutor risk and journalist risk against their definitions.

use crate::common;

use common::{model, refusal, whole};
use proptest::prelude::*;
use tamis_privacy::{Class, Model, TableFacts, Value};

fn class((size, population): (u64, u64)) -> Class<'static> {
    Class { size, population, counts: &[] }
}

fn rows_in_population() -> impl Strategy<Value = (u64, u64)> {
    (1u64..60).prop_flat_map(|population| (1..=population, Just(population)))
}

fn facts() -> TableFacts {
    TableFacts { has_population: true, ..TableFacts::of_rows(1000) }
}

/// Whether a class of this size and population should hold.
type Definition = Box<dyn Fn((u64, u64)) -> bool>;

/// The models with what they ask of the size and the population of a class, in whole numbers.
fn models(k: u64, hundredths: u64) -> [(Box<dyn Model>, Definition); 3] {
    let max: Value = (hundredths as f64 / 100.0).into();
    let holds = move |which: usize| -> Definition {
        Box::new(move |(size, population)| match which {
            0 => population >= k,
            1 => 100 <= hundredths * size,
            _ => 100 <= hundredths * population,
        })
    };
    [
        (model("k-map", &[("k", whole(k))], &facts()), holds(0)),
        (model("prosecutor-risk", &[("max", max.clone())], &facts()), holds(1)),
        (model("journalist-risk", &[("max", max)], &facts()), holds(2)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn a_class_holds_iff_enough_look_alike(
        rows in rows_in_population(), other in rows_in_population(), part in any::<(u64, u64)>(),
        k in 1u64..20, hundredths in 1u64..=100,
    ) {
        for (model, holds) in models(k, hundredths) {
            let judged = class(rows);
            prop_assert_eq!(model.holds(&judged), holds(rows), "{}", model.describe());
            prop_assert_eq!(model.judge(&judged), if holds(rows) { Ok(()) } else { Err(0) });
            prop_assert!(!holds(rows) || rows.0 >= model.least_size());
            // Hereditary: no part of a failing class holds.
            let released = 1 + part.0 % rows.0;
            let part = (released, released + part.1 % (rows.1 - rows.0 + 1));
            prop_assert!(holds(rows) || !model.holds(&class(part)), "{}: {:?} of {:?}", model.describe(), part, rows);
            // Monotone: the union of classes that hold holds.
            let union = (rows.0 + other.0, rows.1 + other.1);
            prop_assert!(!(holds(rows) && holds(other)) || model.holds(&class(union)));
            prop_assert!(model.is_hereditary() && !model.judges_empty_classes());
        }
    }

    /// A risk of exactly max holds, for every size there can be.
    #[test]
    fn equality_holds(size in 2u64..100_000) {
        let rows = TableFacts::of_rows(200_000);
        let risk = |max: f64| model("prosecutor-risk", &[("max", max.into())], &rows);
        prop_assert!(risk(1.0 / size as f64).holds(&class((size, size))));
        prop_assert!(!risk(1.0 / size as f64).holds(&class((size - 1, size - 1))));
    }
}

#[test]
fn what_they_are_called() {
    let names = models(5, 20).map(|(model, _)| model.describe());
    assert_eq!(names, ["5-map", "prosecutor risk at most 0.2", "journalist risk at most 0.2"]);
}

#[test]
fn what_makes_no_sense_is_said() {
    let alone = TableFacts::of_rows(12);
    for (kind, parameter) in [("k-map", ("k", whole(2))), ("journalist-risk", ("max", 0.5.into()))] {
        assert_eq!(
            refusal(kind, &[parameter], &alone),
            format!("model `{kind}` needs `subset`: which rows of the input are the ones to release")
        );
    }
    assert_eq!(
        refusal("k-map", &[("k", whole(0))], &facts()),
        "model `k-map`: `k` is 0; expected a whole number of at least 1"
    );
    for max in [0.0, 1.1, -0.2] {
        let expected = "expected a number above 0 and at most 1";
        for kind in ["prosecutor-risk", "journalist-risk"] {
            let said = refusal(kind, &[("max", max.into())], &facts());
            assert_eq!(said, format!("model `{kind}`: `max` is {max}; {expected}"));
        }
    }
    assert_eq!(
        refusal("prosecutor-risk", &[("max", 0.05.into())], &alone),
        "model `prosecutor-risk`: max = 0.05 needs classes of at least 20 rows, more than the 12 rows of the table; \
         allow a larger risk"
    );
}

#[test]
fn nobody_shares_their_values_with_more_than_the_population() {
    let facts = TableFacts { population: Some(1000), ..facts() };
    let said = refusal("k-map", &[("k", whole(1001))], &facts);
    assert_eq!(
        said,
        "model `k-map`: k = 1001 is more than the 1000 rows of the population; choose k between 1 and 1000"
    );
    assert_eq!(model("k-map", &[("k", whole(1000))], &facts).describe(), "1000-map");
}
