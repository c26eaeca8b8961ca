//! (c,t)-isolation against its definition: every pair of rows.

use crate::rows;

use proptest::prelude::*;
use rows::{CODES, Requirement, Rows, View, check, figure_2_before, refusal, rows};
use tamis_privacy::{Classes, ModelError, Parameters, QuasiFacts, TableFacts, Value, bind};

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

/// The rows that are isolated with t = 2 and c = 0.5, one row for each point.
fn isolated(columns: &[Vec<f64>], scale: &str) -> Result<Vec<u32>, ModelError> {
    let rows = columns[0].len() as u32;
    let quasi = |(j, numbers): (usize, &Vec<f64>)| QuasiFacts {
        name: format!("q{j}"),
        labels: vec![rows],
        numbers: vec![numbers.clone()],
    };
    let facts =
        TableFacts { quasi: columns.iter().enumerate().map(quasi).collect(), ..TableFacts::of_rows(rows.into()) };
    let classes = Classes {
        levels: vec![0; columns.len()],
        labels: vec![(0..rows).collect(); columns.len()],
        rows: vec![1; rows as usize],
        ..Classes::default()
    };
    let parameters = Parameters::from([("c", 0.5.into()), ("t", 2.into()), ("scale", scale.into())]);
    Ok(bind("ct-isolation", &parameters, &facts)?.table[0].failing(&classes, &vec![true; rows as usize]))
}

#[test]
fn numbers_whose_squares_are_no_doubles_isolate_as_small_ones_do() {
    let expected = isolated(&[vec![0.0, 1.0, 4.0]], "none");
    assert_eq!(expected, Ok(vec![0, 1]));
    for unit in [1e-320, 1e-200, 1e-100, 0.5, 1e100, 1e200, 4e307] {
        for scale in ["none", "range"] {
            for column in [vec![0.0, unit, 4.0 * unit], vec![-4.0 * unit, -3.0 * unit, 0.0]] {
                let found = isolated(&[column], scale);
                assert_eq!(found, expected, "{unit:e} with scale {scale}");
            }
        }
    }
    for scale in ["none", "range"] {
        // Their range is no double.
        let found = isolated(&[vec![-1.7e308, 1.7e308, 1.7e308 - 1.7e300]], scale);
        assert_eq!(found, Ok(vec![1, 2]), "scale {scale}");
        let two = isolated(&[vec![0.0, 1e200, 4e200], vec![0.0, 0.0, 0.0]], scale);
        assert_eq!(two, expected, "scale {scale}");
    }
}

#[test]
fn numbers_too_close_and_too_far_apart_at_once_are_refused() {
    for (columns, scale) in [
        (vec![vec![0.0, 1.0, 1e200]], "none"),
        (vec![vec![0.0, 1.0, 1e200]], "range"),
        (vec![vec![0.0, 1e-300, 1.0]], "range"),
        (vec![vec![0.0, 1e200, 3e200], vec![0.0, 1.0, 3.0]], "none"),
    ] {
        let error = isolated(&columns, scale).expect_err("distances that cannot be compared").to_string();
        assert!(error.contains("too close together beside others that lie too far apart"), "{error}");
    }
    assert!(
        isolated(&[vec![0.0, 1e200, 3e200], vec![0.0, 1.0, 3.0]], "range").is_ok(),
        "each column has its own range"
    );
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
