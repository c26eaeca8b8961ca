//! Noise: its size and shape, bounds, decimals, moments and correlations.

use crate::desk;

use desk::{apply, cells, lines, names, refusal, transformed};
use proptest::prelude::*;
use tamis_table::Table;
use tamis_transform::kinds::noise::{Bounds, Distribution, Noise};

fn noise(columns: &[&str]) -> Noise {
    Noise { columns: names(columns), ..Noise::default() }
}

fn scaled(scale: f64) -> Noise {
    Noise { scale: Some(scale), ..noise(&["x"]) }
}

fn numbers(table: &Table, column: &str) -> Vec<f64> {
    cells(table, column).iter().filter(|cell| !cell.is_empty()).map(|cell| cell.parse().expect("a number")).collect()
}

fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

fn covariance(left: &[f64], right: &[f64]) -> f64 {
    let (of_left, of_right) = (mean(left), mean(right));
    let products: f64 = left.iter().zip(right).map(|(l, r)| (l - of_left) * (r - of_right)).sum();
    products / (left.len() - 1) as f64
}

fn correlation(left: &[f64], right: &[f64]) -> f64 {
    covariance(left, right) / (covariance(left, left) * covariance(right, right)).sqrt()
}

/// Many equal numbers with many decimals, so that what is added can be seen.
fn flat(rows: usize) -> Table {
    lines("x", &vec!["50.00000001"; rows])
}

/// Two columns that go together.
fn related(rows: usize) -> Table {
    let texts: Vec<String> =
        (0..rows).map(|n| (n * 7919) % 1000).map(|n| format!("{n}.0001,{}.0002", 3 * n + n * n % 400)).collect();
    lines("x,y", &texts)
}

#[test]
fn what_is_added_has_mean_zero_and_the_standard_deviation_asked_for() {
    for distribution in [Distribution::Normal, Distribution::Laplace, Distribution::Uniform] {
        let step = Noise { distribution, ..scaled(2.0) };
        let added: Vec<f64> =
            numbers(&transformed(&step, &flat(20_000), 5), "x").iter().map(|x| x - 50.000_000_01).collect();
        assert!(mean(&added).abs() < 0.06, "{distribution:?}: {}", mean(&added));
        let deviation = covariance(&added, &added).sqrt();
        assert!((deviation - 2.0).abs() < 0.06, "{distribution:?}: {deviation}");
        // The fourth moment tells the three apart: 3, 6 and 1.8 times the square of the variance.
        let fourth = added.iter().map(|x| x.powi(4)).sum::<f64>() / added.len() as f64 / deviation.powi(4);
        let expected = match distribution {
            Distribution::Normal => 3.0,
            Distribution::Laplace => 6.0,
            Distribution::Uniform => 1.8,
        };
        assert!((fourth / expected - 1.0).abs() < 0.15, "{distribution:?}: {fourth}");
    }
}

#[test]
fn a_part_of_the_deviation_is_measured_on_the_column() {
    let table = related(4000);
    let step = Noise { relative: Some(0.5), ..noise(&["x"]) };
    let (before, after) = (numbers(&table, "x"), numbers(&transformed(&step, &table, 5), "x"));
    let added: Vec<f64> = before.iter().zip(&after).map(|(before, after)| after - before).collect();
    let part = (covariance(&added, &added) / covariance(&before, &before)).sqrt();
    assert!((part - 0.5).abs() < 0.03, "{part}");
}

#[test]
fn mean_and_variance_are_kept_where_asked_for() {
    let table = related(500);
    let step = |keep_moments| Noise { keep_moments, relative: Some(0.8), ..noise(&["x"]) };
    let before = numbers(&table, "x");
    let [kept, widened] = [true, false].map(|keep| numbers(&transformed(&step(keep), &table, 5), "x"));
    assert!((mean(&kept) - mean(&before)).abs() < 1e-4);
    assert!((covariance(&kept, &kept) / covariance(&before, &before) - 1.0).abs() < 1e-6);
    assert!(covariance(&widened, &widened) > 1.4 * covariance(&before, &before));
}

#[test]
fn correlated_noise_keeps_correlations_and_independent_noise_weakens_them() {
    let table = related(4000);
    let step = |correlated| Noise { correlated, relative: Some(1.0), keep_moments: true, ..noise(&["x", "y"]) };
    let of = |table: &Table| correlation(&numbers(table, "x"), &numbers(table, "y"));
    let before = of(&table);
    let [correlated, independent] = [true, false].map(|correlated| of(&transformed(&step(correlated), &table, 5)));
    assert!(before > 0.95);
    assert!((correlated - before).abs() < 0.02, "{correlated} from {before}");
    assert!((independent - before / 2.0).abs() < 0.05, "{independent} from {before}");
}

#[test]
fn columns_that_depend_on_each_other_get_noise_that_does_too() {
    let texts: Vec<String> = (0..200).map(|n| format!("{n}.00,{}.00,7.00", 2 * n)).collect();
    let table = lines("x,y,constant", &texts);
    let step = Noise { correlated: true, relative: Some(0.5), ..noise(&["x", "y", "constant"]) };
    let after = transformed(&step, &table, 5);
    for (x, y) in numbers(&after, "x").iter().zip(numbers(&after, "y")) {
        assert!((2.0 * x - y).abs() < 0.03, "{x} {y}");
    }
    assert_eq!(cells(&after, "constant"), cells(&table, "constant"));
}

#[test]
fn bounds_that_leave_no_number_between_them_are_told() {
    let table = lines("x", &["1", "2"]);
    let said = refusal(apply(&Noise { min: Some(0.2), max: Some(0.8), ..scaled(1.0) }, &table, 1)).0;
    assert!(said.contains("`min` is 0.2"), "{said}");
    let after = transformed(&Noise { min: Some(0.2), max: Some(1.8), ..scaled(9.0) }, &table, 1);
    assert_eq!(cells(&after, "x"), ["1", "1"]);
}

#[test]
fn bad_parameters_are_told() {
    let table = lines("x,name", &["1,Ada", "2,Bob"]);
    let said = |step: Noise| refusal(apply(&step, &table, 1)).0;
    assert!(said(noise(&["x"])).contains("either `scale` or `relative`"));
    assert!(said(Noise { relative: Some(1.0), ..scaled(1.0) }).contains("one of the two"));
    assert!(said(scaled(-1.0)).contains("`scale` is -1"));
    assert!(said(scaled(f64::NAN)).contains("`scale` is NaN"));
    assert!(said(Noise { relative: Some(f64::INFINITY), ..noise(&["x"]) }).contains("`relative` is inf"));
    assert!(said(Noise { min: Some(5.0), max: Some(1.0), ..scaled(1.0) }).contains("at most `max`, which is 1"));
    assert!(said(Noise { max: Some(f64::NAN), ..scaled(1.0) }).contains("`max` is NaN"));
    assert!(said(Noise { correlated: true, ..scaled(1.0) }).contains("`correlated`"));
    assert!(said(Noise { columns: names(&["name"]), ..scaled(1.0) }).contains("row 1 of `name` is `Ada`"));
    assert!(said(Noise { columns: names(&["x", "x"]), ..scaled(1.0) }).contains("a list with `x` twice"));
}

proptest! {
    #[test]
    fn numbers_stay_as_precise_as_they_were_and_inside_the_bounds(
        values in prop::collection::vec(prop::option::of(-300i32..300), 1..40),
        decimals in 0usize..4, scale in 0.0f64..1e4, reflect: bool, min in -320.0f64..0.0, width in 1.0f64..400.0, seed: u64,
    ) {
        let texts: Vec<String> = values
            .iter()
            .map(|value| value.map_or(String::new(), |value| format!("{:.decimals$}", f64::from(value) / 7.0)))
            .collect();
        let table = lines("x", &texts);
        let bounds = if reflect { Bounds::Reflect } else { Bounds::Clamp };
        let step = Noise { min: Some(min), max: Some(min + width), bounds, ..scaled(scale) };
        for (before, after) in texts.iter().zip(cells(&transformed(&step, &table, seed), "x")) {
            prop_assert_eq!(before.is_empty(), after.is_empty());
            if let Ok(number) = after.parse::<f64>() {
                prop_assert!((min..=min + width).contains(&number), "{number} outside {min} and {}", min + width);
                let behind = after.split_once('.').map_or(0, |(_, digits)| digits.len());
                prop_assert_eq!(behind, if texts.iter().all(String::is_empty) { 0 } else { decimals });
            }
        }
    }

    #[test]
    fn no_noise_changes_nothing_but_the_spelling(values in prop::collection::vec(-1000i32..1000, 1..20), seed: u64, keep: bool) {
        let texts: Vec<String> = values.iter().map(ToString::to_string).collect();
        let table = lines("x", &texts);
        let step = Noise { keep_moments: keep, ..scaled(0.0) };
        prop_assert_eq!(cells(&transformed(&step, &table, seed), "x"), texts);
    }
}

#[test]
fn numbers_too_large_to_calculate_with_are_refused() {
    let table = lines("x", &["1e308", "-1e308", "1e308", "5"]);
    for step in [
        Noise { columns: names(&["x"]), relative: Some(0.1), keep_moments: true, ..Noise::default() },
        Noise { columns: names(&["x"]), relative: Some(0.1), ..Noise::default() },
        Noise { columns: names(&["x"]), relative: Some(0.1), correlated: true, ..Noise::default() },
        Noise { columns: names(&["x"]), relative: Some(0.1), max: Some(9.0), ..Noise::default() },
    ] {
        let (said, is_refusal) = refusal(apply(&step, &table, 1));
        assert!(is_refusal && said.contains("the numbers of `x` are too large to calculate with"), "{step:?}: {said}");
    }
    let step = Noise { columns: names(&["x"]), scale: Some(1.0), ..Noise::default() };
    assert!(apply(&step, &table, 1).is_ok(), "what can be calculated is");
}
