//! (c,t)-isolation against its definition: every pair of rows.

mod rows;

use proptest::prelude::*;
use rows::{CODES, Requirement, Rows, View, check, figure_2_before, refusal, rows};
use tamis_privacy::Value;

/// Places in quarters, so that everything is a whole number: a label's middle may end in one half, c in one half too.
fn place(table: &Rows, levels: &[usize], row: usize, j: usize) -> i64 {
    let tree = &table.trees[j][levels[j]];
    let label = tree[table.quasi[row][j] as usize];
    let covered = || (0..CODES).filter(|&code| tree[code] == label).map(|code| table.numbers[code] as i64);
    covered().min().unwrap() + covered().max().unwrap()
}

/// No ball around a row, `halves` / 2 times as wide as the distance to another row, has fewer than t rows; and there are t at all.
fn holds(view: &View<'_>, halves: i64, t: usize) -> bool {
    let squared = |left: usize, right: usize| -> i64 {
        let apart = |j| place(view.table, &view.levels, left, j) - place(view.table, &view.levels, right, j);
        (0..view.levels.len()).map(|j| apart(j) * apart(j)).sum()
    };
    let is_isolated = |x0: usize, x: usize| {
        let within = |&&other: &&usize| 4 * squared(x0, other) <= halves * halves * squared(x0, x);
        view.kept.iter().filter(within).count() < t
    };
    let pairs = view.kept.iter().flat_map(|&x0| view.kept.iter().map(move |&x| (x0, x))).filter(|(x0, x)| x0 != x);
    (view.kept.is_empty() || view.kept.len() >= t) && !pairs.into_iter().any(|(x0, x)| is_isolated(x0, x))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn nobody_is_isolated(table in rows(), choices in any::<(u64, u64, u64)>(), halves in 1i64..9, t in 1i64..6) {
        prop_assume!(t as usize <= table.quasi.len());
        let c = halves as f64 / 2.0;
        let parameters = [("c", c.into()), ("t", t.into()), ("scale", "none".into())];
        check(&table, &Requirement::new("ct-isolation", &parameters), choices, |view| holds(view, halves, t as usize));
    }

    /// In one dimension the scale makes no difference, up to rounding; powers of two round nothing.
    #[test]
    fn scaling_a_single_column_changes_nothing(table in rows(), choices in any::<(u64, u64, u64)>(), t in 1i64..6) {
        let mut table = table;
        table.quasi.iter_mut().for_each(|codes| codes.truncate(1));
        table.trees.truncate(1);
        table.population = None;
        table.numbers = vec![0.0, 3.0, 8.0, 16.0];
        prop_assume!(t as usize <= table.quasi.len());
        let left = |scale: &str| {
            let parameters = [("c", 1.5.into()), ("t", t.into()), ("scale", scale.into()), ("attributes", "q0".into())];
            check(&table, &Requirement::new("ct-isolation", &parameters), choices, |view| holds(view, 3, t as usize))
        };
        assert_eq!(left("none"), left("range"));
    }
}

#[test]
fn bad_parameters_are_told() {
    let table = figure_2_before();
    let said = |table: &Rows, more: &[(&str, Value)]| {
        let mut parameters = vec![("c", 2.into()), ("t", 3.into())];
        parameters.extend(more.iter().cloned());
        refusal(table, "ct-isolation", &parameters)
    };
    assert!(refusal(&table, "ct-isolation", &[("c", 0.into()), ("t", 3.into())]).contains("a number above 0"));
    assert!(refusal(&table, "ct-isolation", &[("c", 2.into())]).contains("needs the parameter `t`"));
    assert!(refusal(&table, "ct-isolation", &[("c", 2.into()), ("t", 10.into())]).contains("more than the 9 rows"));
    assert!(said(&table, &[("scale", "log".into())]).contains("expected \"range\" or \"none\""));
    let other = said(&table, &[("attributes", "disease".into())]);
    assert!(
        other.contains("`disease`, which is no quasi-identifier that holds nothing but numbers; those are `q0`"),
        "{other}"
    );
    let twice = said(&table, &[("attributes", rows::list(&["q0", "q0"]))]);
    assert!(twice.contains("is named twice"), "{twice}");
}
