//! What the slow twins of the models share: binding, histograms and their parts, and checks of what every model promises.

#![allow(dead_code, reason = "every test file uses its part of this")]

pub(crate) mod mover;

use proptest::prelude::*;
use tamis_privacy::{Class, Model, Parameters, TableFacts, Value, bind};

/// The model of one sensitive attribute, or of none.
pub(crate) fn model(kind: &str, parameters: &[(&str, Value)], facts: &TableFacts) -> Box<dyn Model> {
    let parameters = Parameters(parameters.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect());
    let mut models = bind(kind, &parameters, facts).unwrap().classes;
    assert_eq!(models.len(), 1);
    models.remove(0)
}

/// What binding says if it refuses.
pub(crate) fn refusal(kind: &str, parameters: &[(&str, Value)], facts: &TableFacts) -> String {
    let parameters = Parameters(parameters.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect());
    bind(kind, &parameters, facts).unwrap_err().to_string()
}

pub(crate) fn whole(value: u64) -> Value {
    Value::Integer(i64::try_from(value).unwrap())
}

pub(crate) fn size(counts: &[u32]) -> u64 {
    counts.iter().map(|&count| u64::from(count)).sum()
}

/// A class of rows that all have a sensitive value.
pub(crate) fn class(counts: &[u32]) -> Class<'_> {
    Class { size: size(counts), population: size(counts), counts }
}

/// Every histogram nowhere above `counts`, the empty one and `counts` itself included.
pub(crate) fn parts(counts: &[u32]) -> Vec<Vec<u32>> {
    counts.iter().fold(vec![Vec::new()], |parts, &most| {
        parts.iter().flat_map(|part| (0..=most).map(move |count| [part.as_slice(), &[count]].concat())).collect()
    })
}

/// A histogram of a class with at least one row, and the table around it: never fewer of any value than the class has.
pub(crate) fn class_in_table(values: usize, most: u32) -> impl Strategy<Value = (Vec<u32>, Vec<u64>)> {
    (1..=values)
        .prop_flat_map(move |values| {
            (prop::collection::vec(0..=most, values), prop::collection::vec(0..=u64::from(most) * 2, values))
        })
        .prop_filter("a class has rows", |(counts, _)| counts.iter().any(|&count| count > 0))
        .prop_map(|(counts, rest)| {
            let totals = counts.iter().zip(&rest).map(|(&count, &rest)| u64::from(count) + rest).collect();
            (counts, totals)
        })
}

/// All that a model promises of one class, given what the definition says of any histogram:
/// its verdict, the bound on what can be kept of a failing class, and that nothing of it can be if the model is hereditary.
pub(crate) fn check_class(model: &dyn Model, counts: &[u32], holds: impl Fn(&[u32]) -> bool) {
    let class = class(counts);
    let expected = holds(counts);
    assert_eq!(model.holds(&class), expected, "{} of {counts:?}", model.describe());
    assert_eq!(model.judge(&class).is_ok(), expected, "{} of {counts:?}", model.describe());
    if expected {
        assert!(class.size >= model.least_size());
        return;
    }
    let most = model.most_kept(&class);
    assert_eq!(model.judge(&class), Err(most));
    let best = parts(counts).iter().filter(|part| size(part) > 0 && holds(part)).map(|part| size(part)).max();
    let best = best.unwrap_or(0);
    assert!(best <= most && most <= class.size, "{}: {best} of {counts:?} kept, bound {most}", model.describe());
    assert!(!model.is_hereditary() || best == 0, "{}: a part of {counts:?} holds", model.describe());
}

/// The union of two classes that hold also holds.
pub(crate) fn check_union(model: &dyn Model, left: &[u32], right: &[u32]) {
    let union: Vec<u32> = left.iter().zip(right).map(|(left, right)| left + right).collect();
    if model.holds(&class(left)) && model.holds(&class(right)) {
        assert!(model.holds(&class(&union)), "{}: {left:?} and {right:?}", model.describe());
    }
}
