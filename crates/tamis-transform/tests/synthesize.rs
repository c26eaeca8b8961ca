//! Synthetic rows against the definitions of their model.

use crate::tables;

use proptest::prelude::*;
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
use std::collections::{BTreeMap, HashMap};
use tables::table;
use tamis_table::Table;
use tamis_transform::kinds::synthesize::{Model, Synthesize, dependency_forest, gain};
use tamis_transform::{Input, NoFiles, Output, TransformError, Transformation};

type Failure = Box<dyn std::error::Error>;

fn apply(step: &Synthesize, table: &Table, seed: u64) -> Result<Output, TransformError> {
    step.apply(Input { table, groups: None, dice: &mut ChaCha20Rng::seed_from_u64(seed), files: &NoFiles })
}

fn entropy<T: Ord>(values: impl Iterator<Item = T>) -> (f64, usize) {
    let mut counts: BTreeMap<T, usize> = BTreeMap::new();
    values.for_each(|value| *counts.entry(value).or_default() += 1);
    let n = counts.values().sum::<usize>() as f64;
    (counts.values().map(|&count| -(count as f64 / n) * (count as f64 / n).ln()).sum(), counts.len())
}

/// The gain by entropies: H(A) + H(B) - H(A,B), less the price of the parameters.
fn naive_gain(first: &[u32], second: &[u32]) -> f64 {
    let (of_first, a) = entropy(first.iter());
    let (of_second, b) = entropy(second.iter());
    let (of_both, _) = entropy(first.iter().zip(second));
    let n = first.len() as f64;
    of_first + of_second - of_both - ((a - 1) * (b - 1)) as f64 * n.ln() / (2.0 * n)
}

/// The largest sum of gains over all sets of edges without a circle.
fn best_forest(columns: &[Vec<u32>]) -> f64 {
    let mut edges = Vec::new();
    for j in 0..columns.len() {
        edges.extend((0..j).map(|i| (i, j, naive_gain(&columns[i], &columns[j]))));
    }
    let mut best = 0.0;
    for chosen in 0..1u32 << edges.len() {
        let mut tree: Vec<usize> = (0..columns.len()).collect();
        let (mut sum, mut has_circle) = (0.0, false);
        for (_, &(i, j, gain)) in edges.iter().enumerate().filter(|(edge, _)| chosen >> edge & 1 == 1) {
            let (kept, merged) = (tree[i], tree[j]);
            has_circle |= kept == merged;
            tree.iter_mut().filter(|tree| **tree == merged).for_each(|tree| *tree = kept);
            sum += gain;
        }
        if !has_circle && sum > best {
            best = sum;
        }
    }
    best
}

proptest! {
    #[test]
    fn the_forest_has_the_largest_gain_of_all(
        rows in prop::collection::vec((0u32..3, 0u32..3, 0u32..2, prop::bool::weighted(0.8), prop::bool::weighted(0.7)), 2..80),
    ) {
        let columns: Vec<Vec<u32>> = vec![
            rows.iter().map(|row| row.0).collect(),
            rows.iter().map(|row| if row.3 { row.0 } else { row.1 }).collect(),
            rows.iter().map(|row| row.1).collect(),
            rows.iter().map(|row| if row.4 { row.1 } else { row.2 }).collect(),
            rows.iter().map(|row| row.2).collect(),
        ];
        prop_assert!((gain(&columns[0], &columns[1]) - naive_gain(&columns[0], &columns[1])).abs() < 1e-12);
        let forest = dependency_forest(&columns);
        let found: f64 =
            forest.iter().filter_map(|node| node.parent.map(|parent| gain(&columns[node.column], &columns[parent]))).sum();
        prop_assert!((found - best_forest(&columns)).abs() < 1e-9);
        let mut seen = vec![false; columns.len()];
        for node in &forest {
            prop_assert!(!seen[node.column] && node.parent.is_none_or(|parent| seen[parent]));
            seen[node.column] = true;
        }
        prop_assert!(seen.iter().all(|&seen| seen));
    }

    #[test]
    fn rows_equal_to_unique_ones_are_counted(rows in prop::collection::vec((0u8..4, 0u8..6), 1..30), seed in 0u64..1000) {
        let x: Vec<String> = rows.iter().map(|row| format!("x{}", row.0)).collect();
        let y: Vec<String> = rows.iter().map(|row| if row.1 % 2 == 0 { row.1.to_string() } else { format!("{}.5", row.1) }).collect();
        let original = table(&[("x", &x), ("y", &y)])?;
        let output = apply(&Synthesize::default(), &original, seed).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let synthetic = &output.tables[0].table;
        let row = |table: &Table, row: usize| {
            (table.columns()[0].text(row).to_owned(), table.columns()[1].text(row).parse::<f64>().map(f64::to_bits).ok())
        };
        let real: Vec<_> = (0..original.rows()).map(|at| row(&original, at)).collect();
        let equal = (0..synthetic.rows())
            .filter(|&at| real.iter().filter(|&real| *real == row(synthetic, at)).count() == 1)
            .count();
        let told = format!("synthetic rows equal to a real row that is unique: {equal}");
        prop_assert!(output.notes.contains(&told));
    }
}

/// Smoking goes with disease, disease with ward; sex with nothing.
fn hospital() -> Result<Table, Failure> {
    let mut columns: [Vec<&str>; 4] = Default::default();
    for row in 0..400 {
        let smokes = row % 5 < 2;
        let is_ill = if smokes { row % 3 > 0 } else { row % 7 == 0 };
        let ward = if is_ill { ["A", "A", "B"][row / 4 % 3] } else { ["B", "C", "C", ""][row / 3 % 4] };
        let cells =
            [if smokes { "yes" } else { "no" }, if is_ill { "ill" } else { "well" }, ward, ["f", "m"][row / 11 % 2]];
        columns.iter_mut().zip(cells).for_each(|(column, cell)| column.push(cell));
    }
    let [smokes, disease, ward, sex] = &columns;
    Ok(table(&[("smokes", smokes), ("disease", disease), ("ward", ward), ("sex", sex)])?)
}

fn shares<'a>(table: &'a Table, columns: &[&str]) -> Result<HashMap<Vec<&'a str>, f64>, Failure> {
    let columns = columns.iter().map(|name| table.column(name)).collect::<Result<Vec<_>, _>>()?;
    let mut shares = HashMap::new();
    for row in 0..table.rows() {
        let key: Vec<&str> = columns.iter().map(|column| column.text(row)).collect();
        *shares.entry(key).or_insert(0.0) += 1.0 / table.rows() as f64;
    }
    Ok(shares)
}

fn distance(left: &HashMap<Vec<&str>, f64>, right: &HashMap<Vec<&str>, f64>) -> f64 {
    let keys = left.keys().chain(right.keys().filter(|key| !left.contains_key(*key)));
    keys.map(|key| (left.get(key).unwrap_or(&0.0) - right.get(key).unwrap_or(&0.0)).abs()).sum::<f64>() / 2.0
}

const MANY: usize = 200_000;
/// The expected distance of a table of 8 cells is below 0.5 * sqrt(8 / 200,000), 0.0032.
const NEAR: f64 = 0.008;

#[test]
fn columns_and_the_pairs_the_tree_joins_converge_to_those_of_the_table() -> Result<(), Failure> {
    let original = hospital()?;
    let output = apply(&Synthesize { rows: Some(MANY), smoothing: 0.0, ..Synthesize::default() }, &original, 1)?;
    let synthetic = &output.tables[0].table;
    assert_eq!(output.notes[0], "drawn together: disease given smokes, ward given disease; all else independently");
    for columns in [&["sex"][..], &["ward"], &["smokes", "disease"], &["disease", "ward"]] {
        let apart = distance(&shares(&original, columns)?, &shares(synthetic, columns)?);
        assert!(apart < NEAR, "{columns:?}: {apart}");
    }
    assert!(synthetic.column("ward")?.missing().is_some());
    Ok(())
}

#[test]
fn independent_columns_converge_to_the_product_of_their_shares() -> Result<(), Failure> {
    let original = hospital()?;
    let step = Synthesize { rows: Some(MANY), model: Model::Independent, ..Synthesize::default() };
    let output = apply(&step, &original, 2)?;
    let (smokes, disease) = (shares(&original, &["smokes"])?, shares(&original, &["disease"])?);
    let mut product = HashMap::new();
    for (first, share) in &smokes {
        for (second, other) in &disease {
            product.insert(vec![first[0], second[0]], share * other);
        }
    }
    assert!(distance(&product, &shares(&output.tables[0].table, &["smokes", "disease"])?) < NEAR);
    assert!(distance(&product, &shares(&original, &["smokes", "disease"])?) > 0.1);
    Ok(())
}

#[test]
fn smoothing_mixes_in_the_shares_of_the_whole_table() -> Result<(), Failure> {
    let original = hospital()?;
    let smoothing = 40.0;
    let output = apply(&Synthesize { rows: Some(MANY), smoothing, ..Synthesize::default() }, &original, 3)?;
    let (smokes, disease) = (shares(&original, &["smokes"])?, shares(&original, &["disease"])?);
    let both = shares(&original, &["smokes", "disease"])?;
    let mut expected = HashMap::new();
    for (first, share) in &smokes {
        let rows = share * 400.0;
        for (second, other) in &disease {
            let count = 400.0 * both.get(&vec![first[0], second[0]]).unwrap_or(&0.0);
            expected.insert(vec![first[0], second[0]], share * (count + smoothing * other) / (rows + smoothing));
        }
    }
    assert!(distance(&expected, &shares(&output.tables[0].table, &["smokes", "disease"])?) < NEAR);
    assert!(distance(&expected, &both) > 3.0 * NEAR);
    Ok(())
}

#[test]
fn numbers_keep_their_distribution_their_spikes_and_their_correlation() -> Result<(), Failure> {
    let x: Vec<f64> = (0..2000).map(|row| f64::from(row * 1237 % 2000)).collect();
    let y: Vec<f64> =
        x.iter().enumerate().map(|(row, x)| if row % 2 == 0 { 0.0 } else { x * x / 100.0 + 5.0 }).collect();
    let z: Vec<f64> = x.iter().enumerate().map(|(row, x)| x + (row * 31 % 400) as f64).collect();
    let texts = |numbers: &[f64]| numbers.iter().map(|number| format!("{number:.2}")).collect::<Vec<_>>();
    let original = table(&[("x", texts(&x)), ("y", texts(&y)), ("z", texts(&z))])?;
    let output = apply(&Synthesize { rows: Some(MANY), bins: 20, ..Synthesize::default() }, &original, 4)?;
    let synthetic = &output.tables[0].table;
    let numbers = |column: &str| -> Result<Vec<f64>, Failure> {
        let column = synthetic.column(column)?;
        (0..MANY).map(|row| Ok(column.text(row).parse()?)).collect()
    };
    for (name, before) in [("x", &x), ("y", &y), ("z", &z)] {
        let after = numbers(name)?;
        // The largest distance of the two cumulative distributions (Kolmogorov and Smirnov).
        let mut apart: f64 = 0.0;
        for &limit in before.iter().step_by(97) {
            let below = |numbers: &[f64]| {
                numbers.iter().filter(|&&number| number <= limit).count() as f64 / numbers.len() as f64
            };
            apart = apart.max((below(before) - below(&after)).abs());
        }
        assert!(apart < 0.01, "{name}: {apart}");
    }
    let zeros = numbers("y")?.iter().filter(|&&y| y == 0.0).count() as f64 / MANY as f64;
    assert!((zeros - 0.5).abs() < 0.01);
    let changes = tamis_transform::figures::compare(&original, synthetic);
    let (before, after) = (changes.correlations.before[0][2], changes.correlations.after[0][2]);
    assert!(before.zip(after).is_some_and(|(before, after)| (before - after).abs() < 0.02), "{before:?} {after:?}");
    Ok(())
}

#[test]
fn identifiers_explain_nothing_and_are_pointed_out() -> Result<(), Failure> {
    let name: Vec<String> = (0..200).map(|row| format!("person {row}")).collect();
    let sex: Vec<String> = (0..200).map(|row| ["f", "m"][row * 7 / 3 % 2].to_owned()).collect();
    let output = apply(&Synthesize::default(), &table(&[("name", &name), ("sex", &sex)])?, 1)?;
    assert_eq!(output.notes[0], "every column was drawn by itself");
    assert!(output.notes[2].starts_with("most values of `name` are one person's"));
    Ok(())
}

#[test]
fn appended_rows_join_the_real_ones() -> Result<(), Failure> {
    let original = hospital()?;
    let columns = vec!["smokes".to_owned(), "disease".to_owned(), "ward".to_owned()];
    let output = apply(&Synthesize { rows: Some(50), columns, append: true, ..Synthesize::default() }, &original, 9)?;
    let both = &output.tables[0].table;
    assert_eq!((both.rows(), both.columns().len()), (450, 4));
    let counted = |table: &Table| {
        let mut counts: HashMap<Vec<String>, usize> = HashMap::new();
        for row in 0..table.rows() {
            *counts.entry(table.columns().iter().map(|column| column.text(row).to_owned()).collect()).or_default() += 1;
        }
        counts
    };
    let all = counted(both);
    assert!(counted(&original).iter().all(|(row, count)| all.get(row).is_some_and(|found| found >= count)));
    let sex = both.column("sex")?;
    let made: Vec<usize> = (0..450).filter(|&row| sex.text(row).is_empty()).collect();
    assert_eq!((made.len(), sex.missing().is_some()), (50, true));
    assert!(made[0] < 400, "the made rows are among the real ones");
    Ok(())
}

#[test]
fn the_same_dice_give_the_same_rows() -> Result<(), Failure> {
    let original = hospital()?;
    let made =
        |seed| -> Result<Table, Failure> { Ok(apply(&Synthesize::default(), &original, seed)?.tables.remove(0).table) };
    assert_eq!(made(1)?, made(1)?);
    assert_ne!(made(1)?, made(2)?);
    assert_eq!(made(1)?.rows(), original.rows());
    Ok(())
}

#[test]
fn bad_parameters_are_told_in_a_sentence() -> Result<(), Failure> {
    let original = hospital()?;
    let said = |step: &Synthesize, table: &Table| apply(step, table, 1).map(|_| ()).map_err(|error| error.to_string());
    let expected = |sentence: &str| Err(sentence.to_owned());
    assert_eq!(
        said(&Synthesize { rows: Some(0), ..Synthesize::default() }, &original),
        expected("`synthesize`: `rows` is 0; expected a whole number from 1 to 4294967295")
    );
    assert_eq!(
        said(&Synthesize { bins: 1, ..Synthesize::default() }, &original),
        expected("`synthesize`: `bins` is 1; expected a whole number from 2 to 1000")
    );
    assert_eq!(
        said(&Synthesize { smoothing: f64::NAN, ..Synthesize::default() }, &original),
        expected("`synthesize`: `smoothing` is NaN; expected a number from 0")
    );
    let nobody: [&str; 0] = [];
    assert_eq!(
        said(&Synthesize::default(), &table(&[("x", &nobody)])?),
        expected("`synthesize` cannot be done: the table has no rows to learn from")
    );
    Ok(())
}
