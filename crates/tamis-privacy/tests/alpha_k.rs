//! (alpha,k)-anonymity against its definition.

use crate::common;

use common::{check_class, check_union, class, class_in_table, model, refusal, size, whole};
use proptest::prelude::*;
use tamis_privacy::models::alpha_k::largest_share;
use tamis_privacy::{Class, Model, TableFacts, Value};

/// At least k rows, and of each bounded value at most alpha = tenths / 10 of them, in whole numbers.
fn holds(counts: &[u32], tenths: u64, k: u64, is_bounded: impl Fn(usize) -> bool) -> bool {
    let within = |(value, &count): (usize, &u32)| !is_bounded(value) || 10 * u64::from(count) <= tenths * size(counts);
    size(counts) >= k && counts.iter().enumerate().all(within)
}

fn alpha_k(tenths: u64, k: u64, facts: &TableFacts) -> Box<dyn Model> {
    model("alpha-k-anonymity", &[("alpha", (tenths as f64 / 10.0).into()), ("k", whole(k))], facts)
}

/// Bounds the first value, and the third where there is one.
fn of_named(tenths: u64, k: u64, facts: &TableFacts) -> Box<dyn Model> {
    let named = (0..facts.sensitive[0].totals.len()).filter(|value| value % 2 == 0).map(|value| whole(value as u64));
    let values = Value::List(named.collect());
    model("alpha-k-anonymity", &[("alpha", (tenths as f64 / 10.0).into()), ("k", whole(k)), ("values", values)], facts)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_class_holds_iff_it_is_large_and_no_share_is(
        (counts, totals) in class_in_table(5, 5), tenths in 1u64..=10, k in 1u64..8,
    ) {
        let facts = TableFacts::of_histogram("disease", &totals);
        prop_assume!(k <= facts.rows);
        check_class(&*alpha_k(tenths, k, &facts), &counts, |part| holds(part, tenths, k, |_| true));
    }

    #[test]
    fn only_named_values_are_bounded_if_any_are(
        (counts, totals) in class_in_table(5, 5), tenths in 1u64..=10, k in 1u64..8,
    ) {
        let facts = TableFacts::of_histogram("disease", &totals);
        prop_assume!(k <= facts.rows);
        check_class(&*of_named(tenths, k, &facts), &counts, |part| holds(part, tenths, k, |value| value % 2 == 0));
    }

    #[test]
    fn the_union_of_classes_that_hold_holds(
        left in prop::collection::vec(0u32..9, 4), right in prop::collection::vec(0u32..9, 4),
        tenths in 1u64..=10, k in 1u64..8,
    ) {
        prop_assume!(size(&left) > 0 && size(&right) > 0);
        let facts = TableFacts::of_histogram("disease", &[19; 4]);
        check_union(&*alpha_k(tenths, k, &facts), &left, &right);
        check_union(&*of_named(tenths, k, &facts), &left, &right);
    }

    /// A share of exactly alpha holds, also where alpha has no exact binary form.
    #[test]
    fn equality_holds(hundredths in 1u32..100, times in 1u32..10_000) {
        let counts = [hundredths * times, (100 - hundredths) * times];
        let facts = TableFacts::of_histogram("disease", &counts.map(u64::from));
        let with = |hundredths: u32| {
            let alpha = (f64::from(hundredths) / 100.0).into();
            model("alpha-k-anonymity", &[("alpha", alpha), ("k", whole(1)), ("values", whole(0))], &facts)
        };
        prop_assert!(with(hundredths).holds(&class(&counts)));
        prop_assert!(hundredths == 1 || !with(hundredths - 1).holds(&class(&counts)));
    }
}

/// What parts of a class can keep is known exactly: all of the rarer value and as many of the frequent one as alpha allows.
#[test]
fn the_bound_on_what_is_kept_is_tight() {
    let facts = TableFacts::of_histogram("disease", &[1000, 10]);
    assert_eq!(alpha_k(5, 2, &facts).most_kept(&class(&[1000, 10])), 20);
    assert_eq!(alpha_k(5, 21, &facts).most_kept(&class(&[1000, 10])), 0);
    assert_eq!(alpha_k(4, 2, &facts).most_kept(&class(&[1000, 10])), 0);
    assert_eq!(alpha_k(4, 2, &TableFacts::of_histogram("disease", &[9; 3])).least_size(), 3);
}

#[test]
fn the_share_is_one_of_people() {
    let facts = TableFacts::of_histogram("disease", &[9; 3]);
    // Two people, four rows: one of them has three diseases, the first of which both have.
    let people = Class { size: 2, population: 4, counts: &[2, 1, 1] };
    assert!(!alpha_k(9, 2, &facts).holds(&people) && alpha_k(10, 2, &facts).holds(&people));
    assert_eq!(largest_share(people.counts, people.size), 1.0);
    assert_eq!(largest_share(&[0, 0], 0), 0.0);
}

#[test]
fn what_it_is_called() {
    let facts = TableFacts::of_values("disease", &["flu", "AIDS"], &[5, 5]);
    assert_eq!(alpha_k(5, 2, &facts).describe(), "(0.5,2)-anonymity of disease");
    let named = [("alpha", 0.5.into()), ("k", whole(2)), ("values", Value::List(vec!["AIDS".into()]))];
    assert_eq!(model("alpha-k-anonymity", &named, &facts).describe(), "(0.5,2)-anonymity of disease (only AIDS)");
}

#[test]
fn what_makes_no_sense_is_said() {
    let facts = TableFacts::of_values("disease", &["flu", "AIDS"], &[5, 5]);
    let with = |alpha: f64, k: u64, values: Value| {
        refusal("alpha-k-anonymity", &[("alpha", alpha.into()), ("k", whole(k)), ("values", values)], &facts)
    };
    let kind = "model `alpha-k-anonymity`";
    for alpha in [0.0, 1.5, f64::NAN] {
        let expected = "expected a number above 0 and at most 1";
        assert_eq!(with(alpha, 2, "flu".into()), format!("{kind}: `alpha` is {alpha}; {expected}"));
    }
    assert_eq!(with(0.5, 0, "flu".into()), format!("{kind}: `k` is 0; expected a whole number of at least 1"));
    assert_eq!(with(0.5, 11, "flu".into()), "k = 11 is more than the 10 rows of the table; choose k between 1 and 10");
    assert_eq!(
        with(0.5, 2, "aids".into()),
        format!("{kind}: `aids` is no value of `disease`; its values are `flu`, `AIDS`")
    );
    assert_eq!(
        with(0.5, 2, Value::Truth(true)),
        format!("{kind}: `values` is true; expected a text or a list of texts")
    );
    let many: Vec<u64> = vec![1; 13];
    assert_eq!(
        refusal(
            "alpha-k-anonymity",
            &[("alpha", 0.5.into()), ("k", whole(2)), ("values", "x".into())],
            &TableFacts::of_histogram("code", &many)
        ),
        format!(
            "{kind}: `x` is no value of `code`; its values are `0`, `1`, `2`, `3`, `4`, `5`, `6`, `7`, `8`, `9` and 3 more"
        )
    );
}

/// A value that nobody has but the hierarchy lists is no slip of the pen.
#[test]
fn a_value_that_only_the_hierarchy_lists_is_known() {
    let mut facts = TableFacts::of_values("disease", &["flu", "cold"], &[5, 5]);
    facts.sensitive[0].labels = vec![vec!["flu".to_owned(), "cold".to_owned(), "AIDS".to_owned()]].into();
    let named = [("alpha", 0.5.into()), ("k", whole(2)), ("values", "AIDS".into())];
    assert!(model("alpha-k-anonymity", &named, &facts).holds(&class(&[3, 0])));
}
