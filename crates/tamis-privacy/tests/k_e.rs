//! (k,e)-anonymity against its definition.

use crate::common;

use common::{check_class, check_union, class, model, refusal, size, whole};
use proptest::prelude::*;
use std::collections::BTreeSet;
use tamis_privacy::models::k_e::{Numbers, distinct_and_span};
use tamis_privacy::{Class, Model, Parameters, TableFacts, bind};

/// The numbers as texts of so many tenths, some of them written in another way.
fn text(tenths: i64, with_zero: bool) -> String {
    let sign = if tenths < 0 { "-" } else { "" };
    format!("{sign}{}.{}{}", tenths.abs() / 10, tenths.abs() % 10, if with_zero { "0" } else { "" })
}

fn facts(numbers: &[(i64, bool)]) -> TableFacts {
    let texts: BTreeSet<(i64, bool)> = numbers.iter().copied().collect();
    let texts: Vec<String> = texts.into_iter().map(|(tenths, with_zero)| text(tenths, with_zero)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    TableFacts::of_values("salary", &texts, &vec![20; texts.len()])
}

fn k_e(k: u64, tenths: i64, facts: &TableFacts) -> Box<dyn Model> {
    model("k-e-anonymity", &[("k", whole(k)), ("e", (tenths as f64 / 10.0).into())], facts)
}

fn parameters(k: u64, tenths: i64) -> Parameters {
    Parameters::from([("k", whole(k)), ("e", (tenths as f64 / 10.0).into())])
}

/// At least k different numbers that span at least e, all in tenths.
fn holds(counts: &[u32], facts: &TableFacts, k: u64, e: i64) -> bool {
    let tenths = |text: &String| (text.parse::<f64>().unwrap() * 10.0).round() as i64;
    let values = facts.sensitive[0].values.iter();
    let found: BTreeSet<i64> = values.zip(counts).filter(|&(_, &count)| count > 0).map(|(v, _)| tenths(v)).collect();
    found.len() as u64 >= k && found.last().zip(found.first()).is_some_and(|(most, least)| most - least >= e)
}

fn numbers_and_counts() -> impl Strategy<Value = (Vec<(i64, bool)>, Vec<u32>, Vec<u32>)> {
    prop::collection::btree_set((-20i64..40, any::<bool>()), 1..5).prop_flat_map(|numbers| {
        let len = numbers.len();
        let counts = || prop::collection::vec(0u32..4, len).prop_filter("rows", |counts| size(counts) > 0);
        (Just(numbers.into_iter().collect()), counts(), counts())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn a_class_holds_iff_its_numbers_are_many_and_far_apart(
        (numbers, counts, other) in numbers_and_counts(), k in 1u64..5, e in 0i64..50,
    ) {
        let facts = facts(&numbers);
        let has_enough = holds(&vec![1; facts.sensitive[0].values.len()], &facts, k, e);
        let bound = bind("k-e-anonymity", &parameters(k, e), &facts);
        prop_assert_eq!(bound.is_ok(), has_enough, "what the table does not have is refused");
        if !has_enough {
            return Ok(());
        }
        let model = k_e(k, e, &facts);
        check_class(&*model, &counts, |part| holds(part, &facts, k, e));
        prop_assert!(model.is_hereditary());
        check_union(&*model, &counts, &other);
    }

    /// A span of exactly e holds and a shorter one does not, whatever the decimals: cents of up to a thousand billion.
    #[test]
    fn decimals_are_exact(least in -100_000_000_000_000i64..0, span in 1i64..100_000_000_000_000, digits in 0u32..=4) {
        let decimal = |units: i64| {
            let scale = 10i64.pow(digits);
            let sign = if units < 0 { "-" } else { "" };
            let (whole, rest) = (units.abs() / scale, units.abs() % scale);
            if digits == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{rest:0width$}", width = digits as usize) }
        };
        let (low, high) = (decimal(least), decimal(least + span));
        let facts = TableFacts::of_values("salary", &[&low, &high], &[1, 1]);
        let with = |e: String| model("k-e-anonymity", &[("k", whole(2)), ("e", e.parse::<f64>().unwrap().into())], &facts);
        // One more number of the table, in another class, makes longer spans possible.
        let far = TableFacts::of_values("salary", &[&low, &high, &decimal(least + 2 * span)], &[1, 1, 1]);
        let with_far = |e: String| model("k-e-anonymity", &[("k", whole(2)), ("e", e.parse::<f64>().unwrap().into())], &far);
        prop_assert!(with(decimal(span)).holds(&class(&[1, 1])), "{} to {}", low, high);
        let further = with_far(decimal(span + 1));
        prop_assert!(!further.holds(&class(&[1, 1, 0])), "{} to {}", low, high);
    }
}

#[test]
fn three_tenths_less_one_tenth_is_two_tenths() {
    let facts = TableFacts::of_values("dose", &["0.1", "0.3"], &[1, 1]);
    assert!(k_e(2, 2, &facts).holds(&class(&[1, 1])));
}

#[test]
fn thesis_table_17_spans() {
    let facts = TableFacts::of_values("salary", &["3", "5", "9", "6", "11", "8", "4", "7", "10"], &[1; 9]);
    let numbers = Numbers::of(&facts.sensitive[0]).unwrap();
    let spans = [[1, 1, 1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 1, 1, 1, 0, 0, 0], [0, 0, 0, 0, 0, 0, 1, 1, 1]]
        .map(|counts| distinct_and_span(&counts, &numbers));
    assert_eq!(spans, [(3, 6.0), (3, 5.0), (3, 6.0)]);
}

#[test]
fn five_and_five_point_nought_are_one_number() {
    let facts = TableFacts::of_values("dose", &["5", "5.0", "7"], &[1, 1, 1]);
    assert!(!k_e(2, 0, &facts).holds(&class(&[1, 1, 0])) && k_e(2, 20, &facts).holds(&class(&[1, 1, 1])));
}

#[test]
fn k_numbers_of_fewer_than_k_people_are_not_enough() {
    let facts = TableFacts::of_values("dose", &["1", "2"], &[1, 1]);
    assert!(!k_e(2, 0, &facts).holds(&Class { size: 1, population: 2, counts: &[1, 1] }));
}

#[test]
fn what_makes_no_sense_is_said() {
    let with = |e: f64, values: &[&str]| {
        let facts = TableFacts::of_values("salary", values, &vec![1; values.len()]);
        refusal("k-e-anonymity", &[("k", whole(2)), ("e", e.into())], &facts)
    };
    let kind = "model `k-e-anonymity`";
    assert_eq!(with(-1.0, &["1", "2"]), format!("{kind}: `e` is -1; expected a number of at least 0"));
    assert_eq!(with(1.0, &["1", "high"]), format!("{kind} works on numbers, but `salary` also holds `high`"));
    assert_eq!(with(1.0, &["1", "inf"]), format!("{kind} works on numbers, but `salary` also holds `inf`"));
    assert_eq!(
        with(1.0, &["1", ""]),
        format!("{kind}: it works on numbers, but `salary` has missing values; remove or fill those rows")
    );
    assert_eq!(
        with(1.0, &["5", "5.0"]),
        format!("{kind}: k = 2 is more than the 1 different numbers of `salary`; choose k between 1 and 1")
    );
    assert_eq!(
        with(4.5, &["1", "5"]),
        format!("{kind}: e = 4.5 is more than the numbers of `salary` span, which go from 1 to 5; choose a smaller e")
    );
    let huge = with(1e300, &["1", "2"]);
    assert!(huge.contains("e = 1e300 is more") && huge.len() < 150, "{huge}");
    assert_eq!(with(1.0, &["1"]), "k = 2 is more than the 1 rows of the table; choose k between 1 and 1");
}

/// A value of rows outside the subset need not be a number.
#[test]
fn values_that_do_not_occur_need_not_be_numbers() {
    let facts = TableFacts::of_values("salary", &["1", "unknown", "4"], &[2, 0, 2]);
    let model = k_e(2, 30, &facts);
    assert!(model.holds(&class(&[1, 0, 1])));
    assert_eq!((model.describe().as_str(), model.least_size()), ("(2,3)-anonymity of the numbers salary", 2));
}
