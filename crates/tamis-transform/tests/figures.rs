//! Figures before and after against their definitions.

use crate::tables;

use proptest::prelude::*;
use std::collections::BTreeMap;
use tables::table;
use tamis_transform::figures::compare;

type Failure = Box<dyn std::error::Error>;

/// Mean and sample variance by the book, in exact integers: n and sums of numbers below a million fit easily.
fn naive(numbers: &[i64]) -> (Option<f64>, Option<f64>) {
    let (n, sum) = (numbers.len() as i128, numbers.iter().map(|&x| i128::from(x)).sum::<i128>());
    let squares: i128 = numbers.iter().map(|&x| i128::from(x) * i128::from(x)).sum();
    let mean = (n > 0).then(|| sum as f64 / n as f64);
    let variance = (n > 1).then(|| (n * squares - sum * sum) as f64 / (n * (n - 1)) as f64);
    (mean, variance)
}

/// The quotient of covariance and deviations by the book, in exact integers.
fn naive_correlation(pairs: &[(i64, i64)]) -> Option<f64> {
    let n = pairs.len() as i128;
    let sum = |f: fn(&(i64, i64)) -> i128| pairs.iter().map(f).sum::<i128>();
    let (x, y) = (sum(|p| p.0.into()), sum(|p| p.1.into()));
    let xx = n * sum(|p| i128::from(p.0) * i128::from(p.0)) - x * x;
    let yy = n * sum(|p| i128::from(p.1) * i128::from(p.1)) - y * y;
    let xy = n * sum(|p| i128::from(p.0) * i128::from(p.1)) - x * y;
    (xx > 0 && yy > 0).then(|| xy as f64 / ((xx as f64).sqrt() * (yy as f64).sqrt()))
}

fn close(left: Option<f64>, right: Option<f64>) -> bool {
    match (left, right) {
        (Some(left), Some(right)) => (left - right).abs() <= 1e-9 * (1.0 + right.abs()),
        (left, right) => left == right,
    }
}

fn text(number: Option<i64>) -> String {
    number.map_or(String::new(), |number| number.to_string())
}

proptest! {
    #[test]
    fn numbers_have_the_figures_of_the_definition(
        rows in prop::collection::vec((prop::option::weighted(0.9, -9i64..9), prop::option::weighted(0.9, 999_000i64..1_000_000)), 1..40)
    ) {
        let first: Vec<String> = rows.iter().map(|row| text(row.0)).collect();
        let second: Vec<String> = rows.iter().map(|row| text(row.1)).collect();
        prop_assume!(rows.iter().any(|row| row.0.is_some()) && rows.iter().any(|row| row.1.is_some()));
        let table = table(&[("x", &first), ("y", &second)])?;
        let changes = compare(&table, &table);
        for (column, figures) in changes.numbers.iter().enumerate() {
            let known: Vec<i64> = rows.iter().filter_map(|row| if column == 0 { row.0 } else { row.1 }).collect();
            let (mean, variance) = naive(&known);
            prop_assert_eq!(figures.before.n as usize, known.len());
            prop_assert_eq!(figures.before.missing as usize, rows.len() - known.len());
            prop_assert!(close(figures.before.mean, mean) && close(figures.before.variance, variance));
            prop_assert_eq!(figures.before.min, known.iter().min().map(|&x| x as f64));
            prop_assert_eq!(figures.before.max, known.iter().max().map(|&x| x as f64));
            prop_assert_eq!(figures.before, figures.after);
        }
        let pairs: Vec<(i64, i64)> = rows.iter().filter_map(|row| row.0.zip(row.1)).collect();
        prop_assert!(close(changes.correlations.before[0][1], naive_correlation(&pairs)));
        prop_assert_eq!(changes.correlations.before[1][0], changes.correlations.after[0][1]);
    }

    #[test]
    fn categories_have_the_counts_and_distances_of_the_definition(
        before in prop::collection::vec((0u8..4, 0u8..3), 1..30),
        after in prop::collection::vec((0u8..5, 0u8..3), 1..30),
    ) {
        let texts = |rows: &[(u8, u8)]| -> (Vec<String>, Vec<String>) {
            rows.iter().map(|row| (format!("v{}", row.0), if row.1 == 0 { String::new() } else { format!("w{}", row.1) })).unzip()
        };
        let ((first, second), (third, fourth)) = (texts(&before), texts(&after));
        let changes = compare(&table(&[("v", &first), ("w", &second)])?, &table(&[("v", &third), ("w", &fourth)])?);

        let mut cells: BTreeMap<(u8, u8), (u64, u64)> = BTreeMap::new();
        for &row in &before {
            cells.entry(row).or_default().0 += 1;
        }
        for &row in &after {
            cells.entry(row).or_default().1 += 1;
        }
        let distance = |counts: &mut dyn Iterator<Item = (u64, u64)>| {
            counts.map(|(b, a)| (b as f64 / before.len() as f64 - a as f64 / after.len() as f64).abs()).sum::<f64>() / 2.0
        };
        let contingency = &changes.contingency[0];
        prop_assert!(close(contingency.distance, Some(distance(&mut cells.values().copied()))));
        for (i, v) in contingency.values[0].iter().enumerate() {
            for (j, w) in contingency.values[1].iter().enumerate() {
                let digit = |value: &Option<String>| value.as_ref().map_or(0, |value| value.as_bytes()[1] - b'0');
                let expected = cells.get(&(digit(v), digit(w))).copied().unwrap_or_default();
                prop_assert_eq!((contingency.counts.before[i][j], contingency.counts.after[i][j]), expected);
            }
        }
        let mut of_v: BTreeMap<u8, (u64, u64)> = BTreeMap::new();
        for (cell, (b, a)) in &cells {
            let counts = of_v.entry(cell.0).or_default();
            *counts = (counts.0 + b, counts.1 + a);
        }
        prop_assert!(close(changes.categories[0].distance, Some(distance(&mut of_v.values().copied()))));
        let listed: Vec<(u64, u64)> = changes.categories[0].values.iter().map(|value| (value.before, value.after)).collect();
        prop_assert_eq!(listed, of_v.into_values().collect::<Vec<_>>());
    }
}

#[test]
fn cramers_v_is_one_for_synonyms_zero_for_independence_and_the_textbook_value_between() -> Result<(), Failure> {
    let v = |first: &[&str], second: &[&str]| -> Result<Option<f64>, Failure> {
        let table = table(&[("a", first), ("b", second)])?;
        Ok(compare(&table, &table).contingency[0].cramers_v.before)
    };
    assert_eq!(v(&["x", "x", "y", "z"], &["1a", "1a", "2a", "3a"])?, Some(1.0));
    assert_eq!(v(&["x", "x", "y", "y"], &["m", "f", "m", "f"])?, Some(0.0));
    assert_eq!(v(&["x", "x", "y", "y"], &["m", "m", "m", "m"])?, None);
    // Counts 10, 20, 30, 5: chi squared = 65 (10*5 - 20*30)^2 / (30 * 35 * 40 * 25), V its square root over 65.
    let rows = |counts: [(&'static str, usize); 4]| counts.iter().flat_map(|&(v, n)| vec![v; n]).collect::<Vec<_>>();
    let first = rows([("x", 10), ("x", 20), ("y", 30), ("y", 5)]);
    let second = rows([("m", 10), ("f", 20), ("m", 30), ("f", 5)]);
    let expected = 550.0 / f64::sqrt(30.0 * 35.0 * 40.0 * 25.0);
    assert!(close(v(&first, &second)?, Some(expected)));
    Ok(())
}

#[test]
fn a_large_mean_does_not_swallow_a_small_variance() -> Result<(), Failure> {
    let numbers: Vec<String> = (0..10_000).map(|row| format!("{}.25", 1_000_000_000_000_i64 + row % 2)).collect();
    let same = vec!["0.1".to_owned(); 10_000];
    let table = table(&[("x", &numbers), ("constant", &same)])?;
    let changes = compare(&table, &table);
    assert!(close(changes.numbers[0].before.variance, Some(2_500.0 / 9_999.0)));
    assert_eq!(changes.correlations.before[0][1], None);
    Ok(())
}

#[test]
fn values_that_are_no_numbers_any_more_are_not_comparable() -> Result<(), Failure> {
    let before = table(&[("age", &["20", "30", "40", "50", ""])])?;
    let after = table(&[("age", &["20", "30-49", "*", "50", ""])])?;
    let age = &compare(&before, &after).numbers[0];
    assert_eq!((age.before.n, age.before.missing, age.before.not_comparable), (4, 1, 0));
    assert_eq!((age.after.n, age.after.missing, age.after.not_comparable), (2, 1, 2));
    assert_eq!((age.after.mean, age.after.min, age.after.max), (Some(35.0), Some(20.0), Some(50.0)));
    Ok(())
}

#[test]
fn columns_of_one_table_only_are_listed_and_tables_may_be_empty() -> Result<(), Failure> {
    let empty: [&str; 0] = [];
    let before = table(&[("name", &["Ann", "Bob"]), ("age", &["20", "30"])])?;
    let after = table(&[("id", &empty), ("age", &empty)])?;
    let changes = compare(&before, &after);
    assert_eq!((changes.only_before, changes.only_after), (vec!["name".to_owned()], vec!["id".to_owned()]));
    assert_eq!((changes.numbers[0].after.mean, changes.categories[0].distance), (None, None));
    Ok(())
}

#[test]
fn many_values_are_cut_to_those_that_changed_most() -> Result<(), Failure> {
    let before: Vec<String> = (0..100).map(|row| format!("v{row:02}")).collect();
    let after: Vec<String> = (0..100).map(|row| format!("v{:02}", if row == 70 { 3 } else { row })).collect();
    let changes = compare(&table(&[("v", &before)])?, &table(&[("v", &after)])?);
    let column = &changes.categories[0];
    assert_eq!((column.values.len(), column.values_left_out), (30, 70));
    let moved: Vec<_> = column.values.iter().filter(|value| value.before != value.after).collect();
    assert_eq!((moved[0].value.as_deref(), moved[0].after), (Some("v03"), 2));
    assert_eq!((moved[1].value.as_deref(), moved[1].after), (Some("v70"), 0));
    assert!(changes.contingency.is_empty());
    Ok(())
}

#[test]
fn the_text_shows_what_changed_and_sums_up_the_rest() -> Result<(), Failure> {
    let before = table(&[
        ("age", &["20", "30", "40", "50"]),
        ("weight", &["60", "70", "80", "90"]),
        ("sex", &["f", "m", "f", "m"]),
        ("flu", &["yes", "yes", "no", "no"]),
    ])?;
    let after = table(&[
        ("age", &["25", "25", "45", "45"]),
        ("weight", &["60", "70", "80", "90"]),
        ("sex", &["f", "m", "f", "m"]),
        ("flu", &["yes", "no", "no", "no"]),
    ])?;
    let expected = "\
rows 4

numbers  n  mean  variance          min       max
-------  -  ----  ----------------  --------  --------
age      4  35    166.67 -> 133.33  20 -> 25  50 -> 45
numbers unchanged: weight

correlation of  before  after
--------------  ------  -----
age, weight     1.000   0.894

categories  values  distance  largest change of a share
----------  ------  --------  -------------------------
age         4 -> 2  1.0000    25: 0.0000 -> 0.5000
flu         2       0.2500    no: 0.5000 -> 0.7500
categories unchanged: weight, sex

contingency table of  distance  Cramér's V
--------------------  --------  --------------
age, weight           1.0000    1.000
age, sex              1.0000    1.000 -> 0.000
age, flu              1.0000    1.000 -> 0.577
weight, flu           0.2500    1.000
sex, flu              0.2500    0.000 -> 0.577
contingency tables not shown: 1, distance at most 0.0000";
    assert_eq!(compare(&before, &after).to_text(), expected);
    Ok(())
}
