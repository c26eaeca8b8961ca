//! Microaggregation against the definitions of MDAV and of the best groups of one column.

use crate::tables;

use proptest::prelude::*;
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
use std::collections::HashMap;
use tables::table;
use tamis_table::Table;
use tamis_transform::grouping::{Points, mdav, optimal_univariate, standardized};
use tamis_transform::kinds::microaggregate::{Centre, Microaggregate};
use tamis_transform::{Input, NoFiles, Output, TransformError, Transformation};

type Failure = Box<dyn std::error::Error>;

fn apply(step: &Microaggregate, table: &Table) -> Result<Output, TransformError> {
    step.apply(Input { table, groups: None, dice: &mut ChaCha20Rng::seed_from_u64(1), files: &NoFiles })
}

/// MDAV word by word: everything is computed anew for every group, and sorted in full.
struct LiteralMdav<'a> {
    points: &'a Points,
    left: Vec<usize>,
    groups: Vec<Vec<usize>>,
}

impl LiteralMdav<'_> {
    fn distance(&self, row: usize, (numbers, categories): &(Vec<f64>, Vec<u32>)) -> f64 {
        let mut distance = 0.0;
        for (column, &origin) in self.points.numbers.iter().zip(numbers) {
            distance += (column[row] - origin) * (column[row] - origin);
        }
        for (column, &origin) in self.points.categories.iter().zip(categories) {
            distance += f64::from(u8::from(column[row] != origin));
        }
        distance
    }

    fn point(&self, row: usize) -> (Vec<f64>, Vec<u32>) {
        let numbers = self.points.numbers.iter().map(|column| column[row]).collect();
        (numbers, self.points.categories.iter().map(|column| column[row]).collect())
    }

    fn centre(&self) -> (Vec<f64>, Vec<u32>) {
        let mean = |column: &Vec<f64>| self.left.iter().map(|&row| column[row]).sum::<f64>() / self.left.len() as f64;
        let mode = |column: &Vec<u32>| {
            let count = |code: u32| self.left.iter().filter(|&&row| column[row] == code).count();
            let largest = column.iter().copied().max().unwrap_or(0);
            (0..=largest).rev().max_by_key(|&code| count(code)).unwrap_or(0)
        };
        (self.points.numbers.iter().map(mean).collect(), self.points.categories.iter().map(mode).collect())
    }

    fn farthest_from(&self, origin: &(Vec<f64>, Vec<u32>)) -> usize {
        let mut rows = self.left.clone();
        rows.sort_by(|&a, &b| self.distance(b, origin).total_cmp(&self.distance(a, origin)).then(a.cmp(&b)));
        rows[0]
    }

    fn group_around(&mut self, row: usize, k: usize) {
        let origin = self.point(row);
        let mut rows: Vec<usize> = self.left.iter().copied().filter(|&other| other != row).collect();
        rows.sort_by(|&a, &b| self.distance(a, &origin).total_cmp(&self.distance(b, &origin)).then(a.cmp(&b)));
        rows.truncate(k - 1);
        rows.push(row);
        self.left.retain(|row| !rows.contains(row));
        self.groups.push(rows);
    }

    fn run(mut self, k: usize) -> Vec<Vec<usize>> {
        while self.left.len() >= 3 * k {
            let r = self.farthest_from(&self.centre());
            self.group_around(r, k);
            let s = self.farthest_from(&self.point(r));
            self.group_around(s, k);
        }
        if self.left.len() >= 2 * k {
            let r = self.farthest_from(&self.centre());
            self.group_around(r, k);
        }
        if !self.left.is_empty() {
            self.groups.push(self.left);
        }
        self.groups
    }
}

fn points() -> impl Strategy<Value = Points> {
    // Few different numbers make many equal distances, where the order must decide.
    let number = prop_oneof![(-3i8..3).prop_map(f64::from), -2.0..2.0f64];
    prop::collection::vec((number.clone(), number, 0u32..3), 1..60).prop_map(|rows| Points {
        numbers: vec![rows.iter().map(|row| row.0).collect(), rows.iter().map(|row| row.1).collect()],
        categories: vec![rows.iter().map(|row| row.2).collect()],
    })
}

/// The least sum of squares within groups of at least k over all partitions of the numbers, not only runs.
fn least_within(numbers: &[f64], k: usize) -> f64 {
    fn place(numbers: &[f64], k: usize, next: usize, groups: &mut Vec<Vec<f64>>) -> f64 {
        if next == numbers.len() {
            let fits = groups.iter().all(|group| group.len() >= k);
            return if fits { groups.iter().map(|group| within(group)).sum() } else { f64::INFINITY };
        }
        let mut least = f64::INFINITY;
        for group in 0..=groups.len() {
            if group == groups.len() {
                groups.push(Vec::new());
            }
            groups[group].push(numbers[next]);
            least = least.min(place(numbers, k, next + 1, groups));
            groups[group].pop();
            if groups[group].is_empty() {
                groups.pop();
            }
        }
        least
    }
    place(numbers, k, 0, &mut Vec::new())
}

fn within(group: &[f64]) -> f64 {
    let mean = group.iter().sum::<f64>() / group.len() as f64;
    group.iter().map(|number| (number - mean).powi(2)).sum()
}

proptest! {
    #[test]
    fn mdav_makes_the_groups_of_its_definition(points in points(), k in 1usize..7) {
        let literal = LiteralMdav { points: &points, left: (0..points.len()).collect(), groups: Vec::new() }.run(k);
        let groups = mdav(&points, k);
        let mut expected = vec![0; points.len()];
        for (group, rows) in literal.iter().enumerate() {
            for &row in rows {
                expected[row] = group as u32;
            }
        }
        prop_assert_eq!(groups.count, literal.len());
        prop_assert_eq!(groups.of_row, expected);
    }

    #[test]
    fn groups_of_one_column_are_the_best_of_all(
        numbers in prop::collection::vec(prop_oneof![(-4i8..4).prop_map(f64::from), -9.0..9.0f64], 1..=9),
        k in 1usize..5,
    ) {
        let groups = optimal_univariate(&numbers, k);
        let members = groups.members();
        let sizes: Vec<usize> = (0..members.len()).map(|group| members.group(group).len()).collect();
        let found: f64 = (0..members.len())
            .map(|group| within(&members.group(group).iter().map(|&row| numbers[row as usize]).collect::<Vec<_>>()))
            .sum();
        if numbers.len() < k {
            prop_assert_eq!(sizes, [numbers.len()]);
        } else {
            prop_assert!(sizes.iter().all(|&size| (k..2 * k).contains(&size)));
            prop_assert!((found - least_within(&numbers, k)).abs() < 1e-9);
        }
    }

    #[test]
    fn the_result_is_k_anonymous_keeps_means_and_isolates_no_point(
        rows in prop::collection::vec((0i32..100, 0i32..1000, 0u8..3), 6..60),
        k in 2usize..7,
        attacker in (0.0..100.0f64, 0.0..1000.0f64),
        c in 1.0..4.0f64,
    ) {
        let x: Vec<String> = rows.iter().map(|row| row.0.to_string()).collect();
        let y: Vec<String> = rows.iter().map(|row| format!("{}.0", row.1)).collect();
        let z: Vec<String> = rows.iter().map(|row| format!("z{}", row.2)).collect();
        let original = table(&[("x", &x), ("y", &y), ("z", &z)])?;
        let columns = ["x", "y", "z"].map(str::to_owned).to_vec();
        let step = Microaggregate { columns, k, decimals: Some(9), ..Microaggregate::default() };
        let output = apply(&step, &original).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let released = &output.tables[0].table;

        let mut classes: HashMap<Vec<&str>, usize> = HashMap::new();
        for row in 0..released.rows() {
            *classes.entry(released.columns().iter().map(|column| column.text(row)).collect()).or_default() += 1;
        }
        prop_assert!(classes.values().all(|&size| size >= k));

        let numbers = |table: &Table, column: usize| -> Result<Vec<f64>, std::num::ParseFloatError> {
            (0..table.rows()).map(|row| table.columns()[column].text(row).parse()).collect()
        };
        let parsed = |table: &Table, column: usize| numbers(table, column).map_err(|e| TestCaseError::fail(e.to_string()));
        for column in 0..2 {
            let (before, after) = (parsed(&original, column)?, parsed(released, column)?);
            prop_assert!((before.iter().sum::<f64>() - after.iter().sum::<f64>()).abs() < 1e-6);
        }

        // The ball around any guess that reaches c times as far as a point holds at least k points, so none is (c,k)-isolated.
        let spots: Vec<(f64, f64)> = parsed(released, 0)?.into_iter().zip(parsed(released, 1)?).collect();
        let apart = |a: (f64, f64), b: (f64, f64)| (a.0 - b.0).hypot(a.1 - b.1);
        for &centre in spots.iter().chain([&attacker]) {
            for &target in &spots {
                let inside = spots.iter().filter(|&&spot| apart(spot, centre) <= c * apart(target, centre)).count();
                prop_assert!(inside >= k);
            }
        }
    }
}

#[test]
fn columns_one_by_one_lose_no_more_than_together_and_say_what_they_do_not_promise() -> Result<(), Failure> {
    let x: Vec<String> = (0..40).map(|row| (row * 37 % 41).to_string()).collect();
    let y: Vec<String> = (0..40).map(|row| (row * 17 % 43).to_string()).collect();
    let original = table(&[("x", &x), ("y", &y)])?;
    let columns = vec!["x".to_owned(), "y".to_owned()];
    let together = apply(&Microaggregate { columns: columns.clone(), k: 4, ..Microaggregate::default() }, &original)?;
    let alone = apply(&Microaggregate { columns, k: 4, univariate: true, ..Microaggregate::default() }, &original)?;
    let loss = |output: &Output| -> Result<f64, Failure> {
        let note = output.notes.iter().find_map(|note| note.strip_prefix("information loss SSE/SST: "));
        Ok(note.ok_or("no loss")?.parse()?)
    };
    assert!(loss(&alone)? < loss(&together)?);
    assert!(alone.notes.contains(&"x, y are 4-anonymous one by one, but not together".to_owned()));
    Ok(())
}

#[test]
fn the_loss_is_the_share_of_squares_within_groups() -> Result<(), Failure> {
    // Groups {1, 3} and {11, 13}: 4 within; 104 around the mean of all, 7.
    let original = table(&[("x", &["1", "3", "11", "13"])])?;
    let output = apply(&Microaggregate { columns: vec!["x".into()], k: 2, ..Microaggregate::default() }, &original)?;
    assert_eq!(output.notes, ["2 groups of 2 rows", "information loss SSE/SST: 0.038462"]);
    Ok(())
}

#[test]
fn the_loss_is_that_of_the_numbers_as_they_are_written() -> Result<(), Failure> {
    // The means 1.5 and 11.5 are written 2 and 12: 2 within, where the means would have 1; 101 around the mean of all, 6.5.
    let original = table(&[("x", &["1", "2", "11", "12"])])?;
    let output = apply(&Microaggregate { columns: vec!["x".into()], k: 2, ..Microaggregate::default() }, &original)?;
    assert!(output.notes.contains(&format!("information loss SSE/SST: {:.6}", 2.0 / 101.0)), "{:?}", output.notes);
    Ok(())
}

#[test]
fn medians_modes_decimals_and_missing_values() -> Result<(), Failure> {
    let original = table(&[("x", &["1.5", "2", "", "90", "91", "98"]), ("sex", &["f", "m", "f", "m", "m", "m"])])?;
    let columns = vec!["x".to_owned(), "sex".to_owned()];
    let step = Microaggregate { columns, k: 3, centre: Centre::Median, ..Microaggregate::default() };
    let output = apply(&step, &original)?;
    let released = &output.tables[0].table;
    let texts = |column: usize| (0..6).map(|row| released.columns()[column].text(row)).collect::<Vec<_>>();
    assert_eq!(texts(0), ["1.8", "1.8", "1.8", "91.0", "91.0", "91.0"]);
    assert_eq!(texts(1), ["f", "f", "f", "m", "m", "m"]);
    assert!(output.notes.contains(&"missing numbers that became the median of their group: 1".to_owned()));
    assert!(output.notes.contains(&"not numbers, so the most frequent value was taken: sex".to_owned()));
    Ok(())
}

#[test]
fn bad_parameters_are_told_in_a_sentence() -> Result<(), Failure> {
    let original = table(&[("x", &["1", "2", "3"])])?;
    let said = |columns: &[&str], k, decimals| {
        let columns = columns.iter().map(|&name| name.to_owned()).collect();
        let step = Microaggregate { columns, k, decimals, ..Microaggregate::default() };
        apply(&step, &original).map(|_| ()).map_err(|error| error.to_string())
    };
    let expected = |sentence: &str| Err(sentence.to_owned());
    assert_eq!(
        said(&[], 2, None),
        expected("`microaggregate`: `columns` is empty; expected the names of the columns to aggregate")
    );
    assert_eq!(
        said(&["x", "x"], 2, None),
        expected("`microaggregate`: `columns` is `x` twice; expected each column once")
    );
    assert_eq!(said(&["x"], 1, None), expected("`microaggregate`: `k` is 1; expected a whole number from 2"));
    assert_eq!(
        said(&["x"], 4, None),
        expected("`microaggregate` cannot be done: a group needs k = 4 rows, the table has 3")
    );
    assert_eq!(
        said(&["x"], 2, Some(16)),
        expected("`microaggregate`: `decimals` is 16; expected a whole number from 0 to 15")
    );
    assert!(said(&["y"], 2, None).is_err_and(|sentence| sentence.contains("`y`")));
    Ok(())
}

#[test]
fn standardized_numbers_stay_finite_at_the_ends_of_the_doubles() {
    let huge = standardized(&[Some(f64::MAX), Some(-f64::MAX), Some(0.0)]);
    assert!(huge.iter().all(|number| number.is_finite()) && huge[0] > 0.5);
    assert_eq!(standardized(&[Some(0.1); 7]), [0.0; 7]);
    assert_eq!(standardized(&[Some(0.0), Some(0.0), None]), [0.0; 3]);
}
