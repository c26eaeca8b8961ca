//! Personalized privacy against its definition, record by record.

use crate::rows;

use proptest::prelude::*;
use rows::{Requirement, Rows, View, check, figure_2_before, refusal, rows};
use tamis_privacy::{Classes, Histograms, JointFacts, JointPart, Parameters, TableFacts, Value, bind};

/// The share of a record's class under its guard is at most its bound in tenths; records without guard have no wish.
fn holds(view: &View<'_>, tenths: impl Fn(usize) -> usize) -> bool {
    view.kept.iter().all(|&row| {
        let guard = view.text(row, "guard");
        let class = view.class(row);
        let is_under = |&&other: &&usize| view.table.names[&view.text(other, "disease")].contains(&guard);
        guard.is_empty() || 10 * class.iter().filter(is_under).count() <= tenths(row) * class.len()
    })
}

/// A guard that is a node of the diseases that occur.
fn is_known(table: &Rows) -> bool {
    table.others["guard"].iter().all(|guard| {
        guard.is_empty() || table.others["disease"].iter().any(|disease| table.names[disease].contains(guard))
    })
}

fn parameters(more: &[(&'static str, Value)]) -> Vec<(&'static str, Value)> {
    let mut all = vec![("attribute", "disease".into()), ("guard", "guard".into())];
    all.extend(more.iter().cloned());
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn no_record_is_thought_to_be_under_its_guard_with_more_than_the_bound(
        table in rows(), choices in any::<(u64, u64, u64)>(), tenths in 0usize..=10,
    ) {
        prop_assume!(is_known(&table));
        let requirement = Requirement::new("personalized-privacy", &parameters(&[("bound", (tenths as f64 / 10.0).into())]));
        check(&table, &requirement, choices, |view| holds(view, |_| tenths));
    }

    #[test]
    fn every_record_has_its_own_bound(table in rows(), choices in any::<(u64, u64, u64)>()) {
        prop_assume!(is_known(&table));
        let requirement = Requirement::new("personalized-privacy", &parameters(&[("bounds", "bound".into())]));
        let bounds: Vec<f64> = table.others["bound"].iter().map(|text| text.parse().unwrap()).collect();
        check(&table, &requirement, choices, |view| holds(view, |row| (bounds[row] * 10.0).round() as usize));
    }
}

fn patients() -> Rows {
    let mut table = figure_2_before();
    let texts = |texts: [&str; 9]| texts.map(str::to_owned).to_vec();
    table.others.insert("guard", texts(["AIDS", "", "flu", "", "", "", "", "any", ""]));
    table.others.insert("bound", texts(["0.75", "", "0.25", "", "", "", "", "", ""]));
    table
}

/// Rows without a number of their own fall back on the bound for all.
#[test]
fn a_bound_for_all_fills_the_gaps() {
    let table = patients();
    let failing = |bound: f64| {
        let more = [("bounds", "bound".into()), ("bound", bound.into())];
        rows::failing_at_once(&table, &Requirement::new("personalized-privacy", &parameters(&more)))
    };
    assert_eq!((failing(1.0), failing(0.9)), (0, 1));
}

/// What stands for a missing value is no node, and no number.
#[test]
fn a_missing_guard_is_no_wish_and_a_missing_bound_the_one_for_all() {
    let texts = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<String>>();
    let bind_with = |missing: Option<u32>| {
        let part = |values: &[&str], of_code: &[u32], missing| JointPart {
            values: texts(values).into(),
            of_code: of_code.to_vec(),
            missing,
        };
        let parts = vec![
            part(&["flu", "ulcer"], &[0, 1, 0], None),
            part(&["NA", "flu"], &[0, 0, 1], missing),
            part(&["NA"], &[0, 0, 0], missing),
        ];
        let facts = TableFacts {
            joint: vec![JointFacts { columns: texts(&["disease", "guard", "bound"]), parts }],
            ..TableFacts::of_values("disease", &["flu", "ulcer"], &[2, 1])
        };
        let more = [("bounds", "bound".into()), ("bound", 0.5.into())];
        let all = parameters(&more).into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        bind("personalized-privacy", &Parameters(all), &facts)
    };
    let classes = |combinations: Vec<(u32, u32)>| Classes {
        rows: vec![combinations.len() as u64],
        joint: vec![Histograms::from_classes(vec![combinations])],
        ..Classes::default()
    };
    let bound = bind_with(Some(0)).unwrap();
    assert!(bound.table[0].failing(&classes(vec![(0, 1), (1, 1)]), &[true]).is_empty(), "nobody has a wish");
    assert!(bound.table[0].failing(&classes(vec![(1, 1), (2, 1)]), &[true]).is_empty(), "one half is the bound");
    assert_eq!(bound.table[0].failing(&classes(vec![(0, 1), (1, 1), (2, 1)]), &[true]), [0]);
    assert!(bind_with(None).is_err(), "a text that is not missing is a node or a mistake");
}

#[test]
fn bad_parameters_are_told() {
    let mut table = patients();
    let said = |table: &Rows, more: &[(&'static str, Value)]| refusal(table, "personalized-privacy", &parameters(more));
    assert!(said(&table, &[]).contains("needs the parameter `bound`"));
    assert!(said(&table, &[("bound", 2.into())]).contains("`bound` is 2"));
    let gap = said(&table, &[("bounds", "bound".into())]);
    assert!(gap.contains("`bounds` names the column `bound`, which has no number for a record with a guard"), "{gap}");
    let twice = said(&table, &[("bounds", "guard".into())]);
    assert!(twice.contains("has another part in this model"), "{twice}");
    table.others.get_mut("bound").unwrap()[0] = "often".to_owned();
    let text = said(&table, &[("bounds", "bound".into()), ("bound", 1.into())]);
    assert!(text.contains("holds `often`; expected a number between 0 and 1"), "{text}");
    table.others.get_mut("guard").unwrap()[0] = "plague".to_owned();
    let node = said(&table, &[("bound", 0.5.into())]);
    assert!(
        node.contains("a record guards `plague`, which is no node in the hierarchy of `disease`; its nodes are `any`"),
        "{node}"
    );
    let missing = refusal(&table, "personalized-privacy", &[("guard", "guard".into()), ("bound", 0.5.into())]);
    assert!(missing.contains("needs the parameter `attribute`"), "{missing}");
}
