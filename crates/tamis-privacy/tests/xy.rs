//! (X,Y)-anonymity, linkability and privacy against their definitions, row by row.

use crate::rows;

use proptest::prelude::*;
use rows::{Requirement, View, check, failing_at_once, figure_2_after, figure_2_before, list, refusal, rows};
use std::collections::BTreeSet;
use tamis_privacy::Value;

/// Sets of columns that may be known and must not be learnt; the first needs one quasi-identifier, the last two.
const SIDES: [(&[&str], &[&str]); 6] = [
    (&["q0"], &["disease"]),
    (&["q0"], &["disease", "job"]),
    (&["job"], &["disease"]),
    (&["q0", "job"], &["disease"]),
    (&["job"], &["q0"]),
    (&["q0"], &["q1", "disease"]),
];

fn distinct(view: &View<'_>, rows: &[usize], columns: &[&str]) -> usize {
    let tuple = |&row: &usize| columns.iter().map(|name| view.text(row, name)).collect::<Vec<_>>();
    rows.iter().map(tuple).collect::<BTreeSet<_>>().len()
}

fn is_anonymous(view: &View<'_>, (x, y): (&[&str], &[&str]), k: usize) -> bool {
    view.kept.iter().all(|&row| distinct(view, &view.alike(row, x), y) >= k)
}

fn is_unlinkable(view: &View<'_>, (x, y): (&[&str], &[&str]), tenths: usize, values: &[&str]) -> bool {
    view.kept.iter().all(|&row| {
        let group = view.alike(row, x);
        let same = view.alike(row, &[x, y].concat()).len();
        let is_watched = values.is_empty() || values.contains(&view.text(row, y[0]).as_str());
        !is_watched || 10 * same <= tenths * group.len()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn every_x_has_k_values_of_y(table in rows(), choices in any::<(u64, u64, u64)>(), at in 0..SIDES.len(), k in 1i64..4) {
        let sides = SIDES[at];
        prop_assume!(k as usize <= table.quasi.len() && (table.trees.len() > 1 || at < 5));
        let parameters = [("x", list(sides.0)), ("y", list(sides.1)), ("k", k.into())];
        check(&table, &Requirement::new("xy-anonymity", &parameters), choices, |view| is_anonymous(view, sides, k as usize));
    }

    #[test]
    fn no_x_tells_a_y(
        table in rows(), choices in any::<(u64, u64, u64)>(), at in 0..SIDES.len(), tenths in 1usize..=10, watches in any::<bool>(),
    ) {
        let sides = SIDES[at];
        prop_assume!(table.trees.len() > 1 || at < 5);
        let mut parameters = vec![("x", list(sides.0)), ("y", list(sides.1)), ("h", (tenths as f64 / 10.0).into())];
        let some = &table.others["disease"][0].clone();
        let values = if watches && sides.1 == ["disease"] { vec![some.as_str()] } else { Vec::new() };
        if !values.is_empty() {
            parameters.push(("values", list(&values)));
        }
        let requirement = Requirement::new("xy-linkability", &parameters);
        check(&table, &requirement, choices, |view| is_unlinkable(view, sides, tenths, &values));
    }

    #[test]
    fn privacy_is_both(
        table in rows(), choices in any::<(u64, u64, u64)>(), at in 0..SIDES.len(), k in 1i64..4, tenths in 1usize..=10,
    ) {
        let sides = SIDES[at];
        prop_assume!(k as usize <= table.quasi.len() && (table.trees.len() > 1 || at < 5));
        let h = tenths as f64 / 10.0;
        let parameters = [("x", list(sides.0)), ("y", list(sides.1)), ("k", k.into()), ("h", h.into())];
        check(&table, &Requirement::new("xy-privacy", &parameters), choices, |view| {
            is_anonymous(view, sides, k as usize) && is_unlinkable(view, sides, tenths, &[])
        });
    }

    /// Without x all quasi-identifiers are known, so groups are classes.
    #[test]
    fn without_x_groups_are_classes(table in rows(), choices in any::<(u64, u64, u64)>(), k in 1i64..4) {
        prop_assume!(k as usize <= table.quasi.len());
        let requirement = Requirement::new("xy-anonymity", &[("y", "disease".into()), ("k", k.into())]);
        check(&table, &requirement, choices, |view| {
            view.kept.iter().all(|&row| distinct(view, &view.class(row), &["disease"]) >= k as usize)
        });
    }
}

#[test]
fn paper_figure_2_confidence_of_aids_falls_from_three_quarters_to_one_quarter() {
    let linked = |table, h: f64| {
        let parameters = [("x", "q0".into()), ("y", "disease".into()), ("h", h.into()), ("values", list(&["AIDS"]))];
        failing_at_once(&table, &Requirement::new("xy-linkability", &parameters))
    };
    // In the second group AIDS has two of five rows before and one of five after.
    assert_eq!([linked(figure_2_before(), 0.75), linked(figure_2_before(), 0.74)], [0, 1]);
    assert_eq!([linked(figure_2_before(), 0.4), linked(figure_2_before(), 0.39)], [1, 2]);
    assert_eq!([linked(figure_2_after(), 0.25), linked(figure_2_after(), 0.24)], [0, 1]);
    assert_eq!([linked(figure_2_after(), 0.2), linked(figure_2_after(), 0.19)], [1, 2]);
}

#[test]
fn paper_figure_2_private_after_the_rotation_only() {
    let failing = |table| {
        let parameters = [("y", "disease".into()), ("k", 4.into()), ("h", 0.25.into())];
        failing_at_once(&table, &Requirement::new("xy-privacy", &parameters))
    };
    assert_eq!((failing(figure_2_before()), failing(figure_2_after())), (2, 0));
}

#[test]
fn bad_parameters_are_told() {
    let table = figure_2_before();
    let said = |kind, parameters: &[(&str, Value)]| refusal(&table, kind, parameters);
    let anonymity = |parameters: &[(&str, Value)]| said("xy-anonymity", parameters);
    assert!(anonymity(&[("k", 2.into())]).contains("needs the parameter `y`"));
    assert!(anonymity(&[("y", "disease".into())]).contains("needs the parameter `k`"));
    assert!(anonymity(&[("y", "disease".into()), ("k", 10.into())]).contains("more than the 9 rows"));
    let twice = anonymity(&[("x", "disease".into()), ("y", "disease".into()), ("k", 2.into())]);
    assert!(twice.contains("`y` names the column `disease`, which x names too"), "{twice}");
    let known = anonymity(&[("y", "q0".into()), ("k", 2.into())]);
    assert!(known.contains("x is all of them if left out"), "{known}");
    let repeated = anonymity(&[("y", list(&["disease", "disease"])), ("k", 2.into())]);
    assert!(repeated.contains("is named twice"), "{repeated}");
    let number = anonymity(&[("x", 3.into()), ("y", "disease".into()), ("k", 2.into())]);
    assert!(number.contains("expected the name of a column"), "{number}");
    let linkability = |values: Value, y: Value| {
        said("xy-linkability", &[("x", "q0".into()), ("y", y), ("h", 0.5.into()), ("values", values)])
    };
    let unknown = linkability("plague".into(), "disease".into());
    assert!(unknown.contains("`plague` is no value of `disease`; its values are `AIDS`, `flu`, `tumour`"), "{unknown}");
    let share = said("xy-linkability", &[("y", "disease".into()), ("h", 1.5.into())]);
    assert!(share.contains("`h` is 1.5"), "{share}");
}

#[test]
fn values_are_those_of_one_column_that_does_not_generalize() {
    let mut table = figure_2_before();
    table.others.insert("job", vec!["cook".to_owned(); 9]);
    let said = |x: Value, y: Value| {
        refusal(&table, "xy-linkability", &[("x", x), ("y", y), ("h", 0.5.into()), ("values", "AIDS".into())])
    };
    assert!(said("q0".into(), list(&["disease", "job"])).contains("y has several"));
    assert!(said("job".into(), "q0".into()).contains("is a quasi-identifier, whose values change"));
}
