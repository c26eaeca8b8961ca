//! What is said of requirements that make no sense, word for word.

use crate::common;

use common::mover::facts;
use common::{model, refusal, whole};
use tamis_privacy::{REGISTRY, TableFacts, Value};

fn patients() -> TableFacts {
    facts(&[3, 4, 5], vec![0, 1, 2], None)
}

#[test]
fn k_anonymity() {
    let k = |k: Value| refusal("k-anonymity", &[("k", k)], &TableFacts::of_rows(12));
    let expected = "expected a whole number of at least 1";
    assert_eq!(k(whole(0)), format!("model `k-anonymity`: `k` is 0; {expected}"));
    assert_eq!(k(Value::Integer(-3)), format!("model `k-anonymity`: `k` is -3; {expected}"));
    assert_eq!(k(2.5.into()), format!("model `k-anonymity`: `k` is 2.5; {expected}"));
    assert_eq!(k(f64::NAN.into()), format!("model `k-anonymity`: `k` is NaN; {expected}"));
    assert_eq!(k(f64::INFINITY.into()), format!("model `k-anonymity`: `k` is inf; {expected}"));
    assert_eq!(k("five".into()), format!("model `k-anonymity`: `k` is \"five\"; {expected}"));
    assert_eq!(k(whole(13)), "k = 13 is more than the 12 rows of the table; choose k between 1 and 12");
    assert_eq!(
        refusal("k-anonymity", &[], &TableFacts::of_rows(12)),
        "model `k-anonymity` needs the parameter `k` (least class size, a whole number from 1); add `k = ...`"
    );
}

#[test]
fn t_closeness() {
    let t = |t: Value| refusal("t-closeness", &[("t", t)], &patients());
    let expected = "expected a number between 0 and 1";
    assert_eq!(t(1.01.into()), format!("model `t-closeness`: `t` is 1.01; {expected}"));
    assert_eq!(t((-0.1).into()), format!("model `t-closeness`: `t` is -0.1; {expected}"));
    assert_eq!(t(f64::NAN.into()), format!("model `t-closeness`: `t` is NaN; {expected}"));
    assert_eq!(t(whole(2)), format!("model `t-closeness`: `t` is 2; {expected}"));
    assert_eq!(t(Value::Table([].into())), format!("model `t-closeness`: `t` is a table; {expected}"));
}

#[test]
fn distances() {
    let with = |distance: Value, facts: &TableFacts| {
        refusal("t-closeness", &[("t", 0.2.into()), ("distance", distance)], facts)
    };
    let expected =
        "expected \"hierarchical\", \"ordered\" or \"equal\", or \"listed\" for the order of a hierarchy file's lines";
    assert_eq!(
        with("listed".into(), &TableFacts::of_histogram("disease", &[3, 4])),
        "the distance `listed` needs a hierarchy file of `disease` whose lines list its values in order"
    );
    assert_eq!(
        with("euclidean".into(), &patients()),
        format!("model `t-closeness`: `distance` is \"euclidean\"; {expected}")
    );
    assert_eq!(with(whole(1), &patients()), format!("model `t-closeness`: `distance` is 1; {expected}"));
    assert_eq!(
        with("hierarchical".into(), &patients()),
        "model `t-closeness` with the hierarchical distance needs a hierarchy of `disease` that lists its values"
    );
    let split = facts(&[3, 4], vec![0, 1], Some(vec![vec![0, 1], vec![0, 1]]));
    assert_eq!(
        with("hierarchical".into(), &split),
        "model `t-closeness` with the hierarchical distance needs a hierarchy of `disease` that ends in one label for all values"
    );
}

#[test]
fn diversity() {
    let expected = "expected a whole number of at least 1";
    let distinct = |l: Value| refusal("distinct-l-diversity", &[("l", l)], &patients());
    assert_eq!(distinct(whole(0)), format!("model `distinct-l-diversity`: `l` is 0; {expected}"));
    assert_eq!(distinct(1.5.into()), format!("model `distinct-l-diversity`: `l` is 1.5; {expected}"));
    let entropy = |l: Value| refusal("entropy-l-diversity", &[("l", l)], &patients());
    assert_eq!(entropy(0.9.into()), "model `entropy-l-diversity`: `l` is 0.9; expected a number of at least 1");
    assert_eq!(entropy(f64::NAN.into()), "model `entropy-l-diversity`: `l` is NaN; expected a number of at least 1");
    let recursive = |c: Value, l: Value| refusal("recursive-cl-diversity", &[("c", c), ("l", l)], &patients());
    assert_eq!(recursive(2.0.into(), whole(0)), format!("model `recursive-cl-diversity`: `l` is 0; {expected}"));
    for c in [0.0, -1.0] {
        let said = recursive(c.into(), whole(2));
        assert_eq!(said, format!("model `recursive-cl-diversity`: `c` is {c}; expected a number above 0"));
    }
}

#[test]
fn diversity_without_a_sensitive_attribute() {
    for (kind, parameters) in [
        ("distinct-l-diversity", vec![("l", whole(2))]),
        ("entropy-l-diversity", vec![("l", whole(2))]),
        ("recursive-cl-diversity", vec![("c", 2.0.into()), ("l", whole(2))]),
        ("t-closeness", vec![("t", 0.2.into())]),
    ] {
        assert_eq!(
            refusal(kind, &parameters, &TableFacts::of_rows(12)),
            format!(
                "model `{kind}` needs a sensitive attribute; give a column `role = \"sensitive\"`, or name one with `attribute = ...`"
            )
        );
    }
}

#[test]
fn attributes_and_names() {
    let with =
        |attribute: Value| refusal("distinct-l-diversity", &[("l", whole(2)), ("attribute", attribute)], &patients());
    assert_eq!(
        with("salary".into()),
        "model `distinct-l-diversity`: `salary` is not a sensitive attribute; the sensitive attributes are `disease`"
    );
    assert_eq!(with(whole(1)), "model `distinct-l-diversity`: `attribute` is 1; expected the name of a column");
    assert_eq!(
        refusal("k-anonymity", &[("k", whole(2)), ("K", whole(2))], &patients()),
        "model `k-anonymity` has no parameter `K`; it takes `k`"
    );
    assert_eq!(
        refusal("t-closeness", &[("l", whole(2))], &patients()),
        "model `t-closeness` has no parameter `l`; it takes `t`, `distance`, `attribute`"
    );
    let unknown = refusal("l-diversity", &[], &patients());
    assert!(unknown.starts_with("there is no model `l-diversity`; the models are `k-anonymity`, "), "{unknown}");
    for kind in REGISTRY {
        assert!(unknown.contains(&format!("`{}`", kind.kind)), "{} in {unknown}", kind.kind);
    }
}

#[test]
fn delta_presence() {
    let population = TableFacts { has_population: true, ..TableFacts::of_rows(12) };
    let with = |min: f64, max: f64, facts: &TableFacts| {
        refusal("delta-presence", &[("min", min.into()), ("max", max.into())], facts)
    };
    assert_eq!(
        with(-0.1, 0.5, &population),
        "model `delta-presence`: `min` is -0.1; expected a number between 0 and 1"
    );
    assert_eq!(
        with(0.5, 0.4, &population),
        "model `delta-presence`: `max` is 0.4; expected a number between 0.5 and 1"
    );
    assert_eq!(
        with(0.1, 0.4, &TableFacts::of_rows(12)),
        "model `delta-presence` needs `subset`: which rows of the input are the ones to release"
    );
}

#[test]
fn numbers_are_told_in_few_digits() {
    let told = [0.0, -0.25, 12.5, 1e-7, 1e15, -1e308, f64::INFINITY].map(|number| Value::Number(number).to_string());
    assert_eq!(told, ["0", "-0.25", "12.5", "1e-7", "1000000000000000", "-1e308", "inf"]);
    let diversity = model("recursive-cl-diversity", &[("c", 1e308.into()), ("l", whole(2))], &patients());
    assert_eq!(diversity.describe(), "recursive (1e308,2)-diversity of disease");
}
