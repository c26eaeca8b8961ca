//! Condensation keeps what it says it keeps.

use crate::tables;

use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
use std::collections::BTreeMap;
use tables::table;
use tamis_table::Table;
use tamis_transform::grouping::{Points, mdav};
use tamis_transform::kinds::condense::{Condense, Draw};
use tamis_transform::{Input, NoFiles, Output, TransformError, Transformation};

type Failure = Box<dyn std::error::Error>;

fn apply(step: &Condense, table: &Table, dice: &mut ChaCha20Rng) -> Result<Output, TransformError> {
    step.apply(Input { table, groups: None, dice, files: &NoFiles })
}

/// Two clouds of different shape, and a category that goes with them.
fn clouds() -> Result<Table, Failure> {
    let rows: Vec<(f64, f64, &str)> = (0..24)
        .map(|row| {
            let step = f64::from(row % 12);
            let wave = f64::from(row * 7 % 12) - 5.5;
            if row < 12 { (step, 2.0 * step + wave, "left") } else { (100.0 + wave, 50.0 - step, "right") }
        })
        .collect();
    let x: Vec<String> = rows.iter().map(|row| format!("{:.6}", row.0)).collect();
    let y: Vec<String> = rows.iter().map(|row| format!("{:.6}", row.1)).collect();
    let side: Vec<String> = rows.iter().map(|row| row.2.to_owned()).collect();
    Ok(table(&[("x", &x), ("y", &y), ("side", &side)])?)
}

fn numbers(table: &Table, column: &str) -> Result<Vec<f64>, Failure> {
    let column = table.column(column)?;
    (0..table.rows()).map(|row| Ok(column.text(row).parse()?)).collect()
}

/// Means of x and y, their variances and covariance, with n below.
fn moments(x: &[f64], y: &[f64]) -> [f64; 5] {
    let n = x.len() as f64;
    let (mean_x, mean_y) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
    let sum = |f: &dyn Fn(f64, f64) -> f64| x.iter().zip(y).map(|(x, y)| f(x - mean_x, y - mean_y)).sum::<f64>() / n;
    [mean_x, mean_y, sum(&|x, _| x * x), sum(&|_, y| y * y), sum(&|x, y| x * y)]
}

#[test]
fn means_and_covariances_of_every_group_converge_to_those_of_before() -> Result<(), Failure> {
    let original = clouds()?;
    let columns: Vec<_> = original.columns().iter().collect();
    let members = mdav(&Points::of("condense", &columns)?, 6).members();
    for draw in [Draw::Uniform, Draw::Normal] {
        let mut dice = ChaCha20Rng::seed_from_u64(7);
        let step = Condense { k: 6, draw, ..Condense::default() };
        let mut drawn: Vec<(Vec<f64>, Vec<f64>)> = vec![(Vec::new(), Vec::new()); members.len()];
        for _ in 0..3000 {
            let output = apply(&step, &original, &mut dice)?;
            let (x, y) = (numbers(&output.tables[0].table, "x")?, numbers(&output.tables[0].table, "y")?);
            for (group, drawn) in drawn.iter_mut().enumerate() {
                drawn.0.extend(members.group(group).iter().map(|&row| x[row as usize]));
                drawn.1.extend(members.group(group).iter().map(|&row| y[row as usize]));
            }
        }
        let (x, y) = (numbers(&original, "x")?, numbers(&original, "y")?);
        for (group, drawn) in drawn.iter().enumerate() {
            let of = |values: &[f64]| members.group(group).iter().map(|&row| values[row as usize]).collect::<Vec<_>>();
            let expected = moments(&of(&x), &of(&y));
            let found = moments(&drawn.0, &drawn.1);
            // 18,000 draws: five standard errors of a mean are 0.037 deviations, of a normal variance 0.053 of it.
            let (dx, dy) = (expected[2].sqrt(), expected[3].sqrt());
            let bounds = [0.04 * dx, 0.04 * dy, 0.06 * dx * dx, 0.06 * dy * dy, 0.06 * dx * dy];
            for ((found, expected), bound) in found.iter().zip(expected).zip(bounds) {
                assert!((found - expected).abs() <= bound, "{draw:?}, group {group}: {found} is not {expected}");
            }
        }
    }
    Ok(())
}

#[test]
fn categories_keep_their_counts_in_every_group_and_leave_their_rows() -> Result<(), Failure> {
    let x: Vec<String> = (0..60).map(|row| (row * 31 % 60).to_string()).collect();
    let code: Vec<String> = (0..60).map(|row| format!("c{}", row % 5)).collect();
    let original = table(&[("x", &x), ("code", &code)])?;
    let columns: Vec<_> = original.columns().iter().collect();
    let members = mdav(&Points::of("condense", &columns)?, 10).members();
    let step = Condense { k: 10, ..Condense::default() };
    let output = apply(&step, &original, &mut ChaCha20Rng::seed_from_u64(3))?;
    let (before, after) = (original.column("code")?, output.tables[0].table.column("code")?);
    for group in 0..members.len() {
        let counts = |column: &tamis_table::Column| {
            let mut counts: BTreeMap<String, usize> = BTreeMap::new();
            for &row in members.group(group) {
                *counts.entry(column.text(row as usize).to_owned()).or_default() += 1;
            }
            counts
        };
        assert_eq!(counts(before), counts(after));
    }
    assert!((0..60).any(|row| before.text(row) != after.text(row)));
    Ok(())
}

#[test]
fn missing_numbers_stay_as_many_and_ranges_are_kept_if_told() -> Result<(), Failure> {
    let x: Vec<String> =
        (0..40).map(|row| if row % 4 == 0 { String::new() } else { (row * row).to_string() }).collect();
    let original = table(&[("x", &x), ("name", &x)])?;
    let step = |clamp| Condense { columns: vec!["x".into()], k: 8, clamp, draw: Draw::Normal };
    let free = apply(&step(false), &original, &mut ChaCha20Rng::seed_from_u64(6))?;
    let kept = apply(&step(true), &original, &mut ChaCha20Rng::seed_from_u64(6))?;
    let column = kept.tables[0].table.column("x")?;
    let drawn: Vec<f64> = (0..40).filter_map(|row| column.text(row).parse().ok()).collect();
    assert_eq!(drawn.len(), 30);
    assert!(drawn.iter().all(|number| (1.0..=1521.0).contains(number)));
    let said = |output: &Output, start: &str| output.notes.iter().any(|note| note.starts_with(start));
    assert!(said(&free, "numbers outside the range of before: "));
    assert!(said(&kept, "numbers moved to the end of their range: "));
    assert!(said(&kept, "still as they were, each in its row: name"));
    Ok(())
}

#[test]
fn only_numbers_that_are_written_outside_the_range_are_counted() -> Result<(), Failure> {
    let x: Vec<String> = (0..40).map(|row| (row % 10).to_string()).collect();
    let original = table(&[("x", &x)])?;
    for seed in 0..20 {
        let step = |clamp| Condense { k: 4, clamp, ..Condense::default() };
        let free = apply(&step(false), &original, &mut ChaCha20Rng::seed_from_u64(seed))?;
        let kept = apply(&step(true), &original, &mut ChaCha20Rng::seed_from_u64(seed))?;
        let written = numbers(&free.tables[0].table, "x")?;
        let outside = written.iter().filter(|number| !(0.0..=9.0).contains(*number)).count();
        let told = |output: &Output, start: &str| -> Result<usize, Failure> {
            let note = output.notes.iter().find_map(|note| note.strip_prefix(start));
            Ok(note.map_or(Ok(0), str::parse)?)
        };
        assert_eq!(told(&free, "numbers outside the range of before: ")?, outside, "seed {seed}");
        assert_eq!(told(&kept, "numbers moved to the end of their range: ")?, outside, "seed {seed}");
    }
    Ok(())
}

#[test]
fn the_same_dice_give_the_same_rows_and_others_give_others() -> Result<(), Failure> {
    let original = clouds()?;
    let step = Condense { k: 4, ..Condense::default() };
    let drawn = |seed| -> Result<Table, Failure> {
        let mut output = apply(&step, &original, &mut ChaCha20Rng::seed_from_u64(seed))?;
        Ok(output.tables.remove(0).table)
    };
    assert_eq!(drawn(1)?, drawn(1)?);
    assert_ne!(drawn(1)?, drawn(2)?);
    Ok(())
}

#[test]
fn too_few_rows_are_told_in_a_sentence() -> Result<(), Failure> {
    let original = clouds()?;
    let said = |k| apply(&Condense { k, ..Condense::default() }, &original, &mut ChaCha20Rng::seed_from_u64(1));
    let sentence = |k| said(k).map(|_| ()).map_err(|error| error.to_string());
    assert_eq!(sentence(25), Err("`condense` cannot be done: a group needs k = 25 rows, the table has 24".to_owned()));
    assert_eq!(sentence(1), Err("`condense`: `k` is 1; expected a whole number from 2".to_owned()));
    Ok(())
}

#[test]
fn numbers_too_large_to_calculate_with_are_refused() -> Result<(), Failure> {
    let table = table(&[("x", &["1e308", "-1e308", "1e308", "-1e308"]), ("y", &["1", "2", "3", "4"])])?;
    for clamp in [false, true] {
        let step = Condense { columns: Vec::new(), k: 2, clamp, draw: Draw::Uniform };
        let refused = apply(&step, &table, &mut ChaCha20Rng::seed_from_u64(1));
        let said = "the numbers of `x` are too large to calculate with";
        assert!(refused.is_err_and(|error| error.is_refusal() && error.to_string().contains(said)));
    }
    Ok(())
}
