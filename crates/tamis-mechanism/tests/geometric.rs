//! The geometric mechanism: its closed forms against sums of probabilities, and its promise on histograms that differ in one person.

use tamis_mechanism::{
    ColumnDomain, Contribution, Dice, Domain, GeometricMechanism, HistogramQuery, PostProcessing, Ratio,
};
use tamis_table::{ColumnBuilder, Table};

fn mechanism(epsilon: &str, sensitivity: u32) -> GeometricMechanism {
    GeometricMechanism::new(epsilon.parse().expect("a number"), sensitivity).expect("a mechanism")
}

/// The probability of the noise x.
fn noise(epsilon: f64, sensitivity: u32, x: i64) -> f64 {
    let decay = (-epsilon / f64::from(sensitivity)).exp();
    (1.0 - decay) / (1.0 + decay) * decay.powf(x.abs() as f64)
}

fn table(columns: &[(&str, &[&str])]) -> Table {
    let columns = columns.iter().map(|(name, values)| {
        let mut builder = ColumnBuilder::new(*name);
        values.iter().for_each(|value| builder.push(value).expect("room"));
        builder.finish()
    });
    Table::new(columns.collect()).expect("a table")
}

fn domain(columns: &[(&str, &[&str])]) -> Domain {
    let columns = columns
        .iter()
        .map(|(name, values)| ColumnDomain::new(*name, values.iter().map(|&value| value.to_owned()).collect()))
        .collect::<Result<_, _>>();
    Domain::new(columns.expect("values")).expect("a domain")
}

#[test]
fn error_and_interval_are_those_of_the_summed_distribution() {
    for (text, epsilon) in [("0.1", 0.1), ("0.5", 0.5), ("1", 1.0), ("3", 3.0)] {
        for sensitivity in [1, 4] {
            let mechanism = mechanism(text, sensitivity);
            let range = -20_000..=20_000_i64;
            let variance: f64 = range.map(|x| (x * x) as f64 * noise(epsilon, sensitivity, x)).sum();
            assert!((mechanism.standard_error() / variance.sqrt() - 1.0).abs() < 1e-9);
            for level in [0.5, 0.9, 0.95, 0.99] {
                let width = i64::try_from(mechanism.half_width(level)).expect("small");
                let inside = |width: i64| (-width..=width).map(|x| noise(epsilon, sensitivity, x)).sum::<f64>();
                assert!(inside(width) >= level - 1e-12, "epsilon {epsilon}, level {level}");
                assert!(
                    width == 0 || inside(width - 1) < level,
                    "epsilon {epsilon}, level {level}: {width} is too wide"
                );
            }
        }
    }
}

#[test]
fn the_threshold_hides_whoever_is_alone_in_a_cell_but_for_delta() {
    for (text, epsilon) in [("0.5", 0.5), ("1", 1.0), ("2", 2.0)] {
        for rows in [1_u32, 2, 3, 5] {
            for delta in [1e-2, 1e-4, 1e-6] {
                let ratio: Ratio = format!("{delta:e}").parse().expect("a number");
                let threshold = mechanism(text, rows).threshold(ratio).expect("a threshold");
                let told = |count: i64, threshold: i64| -> f64 {
                    (threshold - count..threshold + 5000).map(|x| noise(epsilon, rows, x)).sum()
                };
                // Every way to spread a person's rows over cells of their own.
                let worst = |threshold: i64| {
                    partitions(rows.into())
                        .iter()
                        .map(|parts| parts.iter().map(|&c| told(c, threshold)).sum())
                        .fold(0.0, f64::max)
                };
                let worst_here: f64 = worst(threshold);
                assert!(worst_here <= delta, "epsilon {epsilon}, {rows} rows, delta {delta}: {worst_here}");
                let lower = threshold - 1;
                assert!(lower <= i64::from(rows) || worst(lower) > delta, "{threshold} is more than needed");
            }
        }
    }
}

fn partitions(total: i64) -> Vec<Vec<i64>> {
    fn extend(left: i64, most: i64, parts: &mut Vec<i64>, all: &mut Vec<Vec<i64>>) {
        if left == 0 {
            all.push(parts.clone());
        }
        for part in 1..=most.min(left) {
            parts.push(part);
            extend(left - part, part, parts, all);
            parts.pop();
        }
    }
    let mut all = Vec::new();
    extend(total, total, &mut Vec::new(), &mut all);
    all
}

#[test]
fn histograms_with_values_from_the_data_are_within_epsilon_and_delta_whoever_is_added() {
    // A table with one cell, to which a person with two rows is added: both in the cell, one in it and one in a new cell, both in one
    // new cell, or each in a new cell of its own. What is told of a cell: nothing (none), or a count from the threshold on.
    let (epsilon, delta, rows) = (1.0_f64, 0.01, 2);
    let threshold = mechanism("1", rows).threshold("0.01".parse().expect("a number")).expect("a threshold");
    let told = |count: Option<i64>| -> Vec<f64> {
        let Some(count) = count else { return [&[1.0][..], &[0.0; 80]].concat() };
        let mut of: Vec<f64> = (threshold..threshold + 80).map(|told| noise(epsilon, rows, told - count)).collect();
        of.insert(0, 1.0 - of.iter().sum::<f64>());
        of
    };
    let product = |left: &[f64], right: &[f64]| -> Vec<f64> {
        left.iter().flat_map(|l| right.iter().map(move |r| l * r)).collect()
    };
    let excess = |left: &[f64], right: &[f64]| -> f64 {
        left.iter().zip(right).map(|(l, r)| (l - epsilon.exp() * r).max(0.0)).sum()
    };
    for count in 1..2 * threshold {
        for (old, new) in [(2, vec![]), (1, vec![1]), (0, vec![2]), (0, vec![1, 1])] {
            let cells = |old: i64, new: &[Option<i64>]| {
                new.iter().fold(told(Some(old)), |all, &count| product(&all, &told(count)))
            };
            let without = cells(count, &vec![None; new.len()]);
            let with = cells(count + old, &new.iter().map(|&count| Some(count)).collect::<Vec<_>>());
            assert!(excess(&with, &without) <= delta + 1e-12, "{count}, {old}, {new:?}: with");
            assert!(excess(&without, &with) <= delta + 1e-12, "{count}, {old}, {new:?}: without");
        }
    }
}

#[test]
fn what_is_told_of_a_cell_with_and_without_a_person_is_within_epsilon() {
    for rows in [1_u32, 3] {
        let epsilon = 0.7_f64;
        for told in -200..200 {
            let (with, without) = (noise(epsilon, rows, told - i64::from(rows)), noise(epsilon, rows, told));
            assert!(with <= epsilon.exp() * without * (1.0 + 1e-9) && without <= epsilon.exp() * with * (1.0 + 1e-9));
        }
    }
}

#[test]
fn every_cell_of_the_domain_gets_noise_and_rows_outside_are_left_out() {
    let people = table(&[("sex", &["f", "m", "f", "x"]), ("city", &["A", "A", "B", "A"])]);
    let domain = domain(&[("sex", &["f", "m"]), ("city", &["A", "B", "C"])]);
    let query = HistogramQuery {
        domain: &domain,
        delta: None,
        epsilon: "1000".parse().expect("a number"),
        contribution: Contribution::OneRow,
        post_processing: PostProcessing::None,
        level: 0.95,
    };
    // With so large an epsilon the noise is 0 but for one time in e^1000.
    let mut dice = Dice::from_seed(1, "");
    let counts = query.count(&people, &mut dice).expect("counts");
    let told = query.tell(&counts, &mut dice).expect("a histogram");
    let cells: Vec<(String, i64)> = told.cells.iter().map(|cell| (cell.values.concat(), cell.count)).collect();
    let expected = [("fA", 1), ("fB", 1), ("fC", 0), ("mA", 1), ("mB", 0), ("mC", 0)];
    assert_eq!(cells, expected.map(|(values, count)| (values.to_owned(), count)));
    // With a small one, the empty cells are noisy too.
    let query = HistogramQuery { epsilon: "0.01".parse().expect("a number"), ..query };
    let told = query.tell(&counts, &mut dice).expect("a histogram");
    assert!(told.cells.iter().filter(|cell| cell.count != 0).count() >= 5, "{told:?}");
}

#[test]
fn a_person_has_no_more_rows_than_allowed_chosen_evenly() {
    let visits = table(&[("who", &["a", "a", "a", "a", "b"]), ("ward", &["1", "2", "3", "4", "1"])]);
    let domain = domain(&[("ward", &["1", "2", "3", "4"])]);
    let query = HistogramQuery {
        domain: &domain,
        delta: None,
        epsilon: "1000".parse().expect("a number"),
        contribution: Contribution::AtMost { entity: "who", rows: 2 },
        post_processing: PostProcessing::Clamp,
        level: 0.95,
    };
    let mut dice = Dice::from_seed(2, "");
    let mut sums = [0_i64; 4];
    for _ in 0..4000 {
        let counts = query.count(&visits, &mut dice).expect("counts");
        let told = query.tell(&counts, &mut dice).expect("a histogram");
        assert_eq!(told.cells.iter().map(|cell| cell.count).sum::<i64>(), 3);
        sums.iter_mut().zip(&told.cells).for_each(|(sum, cell)| *sum += cell.count);
    }
    // Ward 1 has b every time, and every ward has a half of the time.
    for (sum, expected) in sums.iter().zip([6000, 2000, 2000, 2000]) {
        assert!((sum - expected).abs() < 160, "{sums:?}");
    }
}

#[test]
fn rows_of_nobody_are_refused() {
    let visits = table(&[("who", &["a", ""]), ("ward", &["1", "2"])]);
    let domain = domain(&[("ward", &["1", "2"])]);
    let query = HistogramQuery {
        domain: &domain,
        delta: None,
        epsilon: Ratio::ONE,
        contribution: Contribution::AtMost { entity: "who", rows: 1 },
        post_processing: PostProcessing::None,
        level: 0.95,
    };
    let error = query.count(&visits, &mut Dice::from_seed(1, "")).expect_err("a row of nobody").to_string();
    assert_eq!(error, "row 2 has no value in `who`; every row needs the person it is about");
}

#[test]
fn cells_from_the_data_are_told_from_the_threshold_on_only() {
    let mut cities: Vec<&str> = vec!["large"; 500];
    cities.push("alone");
    let people = table(&[("city", &cities)]);
    let from_data = ColumnDomain::of_data(people.column("city").expect("a column")).expect("values");
    let domain = Domain::new(vec![from_data]).expect("a domain");
    let query = HistogramQuery {
        domain: &domain,
        delta: Some("0.000001".parse().expect("a number")),
        epsilon: Ratio::ONE,
        contribution: Contribution::OneRow,
        post_processing: PostProcessing::None,
        level: 0.95,
    };
    let mut dice = Dice::from_seed(3, "");
    let counts = query.count(&people, &mut dice).expect("counts");
    for _ in 0..2000 {
        let told = query.tell(&counts, &mut dice).expect("a histogram");
        let names: Vec<&str> = told.cells.iter().map(|cell| cell.values[0].as_str()).collect();
        assert_eq!(names, ["large"]);
        assert!(told.cells[0].count >= told.threshold.expect("a threshold"));
    }
}

#[test]
fn parameters_out_of_range_are_refused() {
    for (epsilon, sensitivity, sentence) in [
        ("0", 1, "epsilon is 0; expected a number above 0"),
        ("1001", 1, "epsilon is 1001; expected a number above 0 and at most 1000"),
        ("1", 0, "the number of rows of a person is 0; expected a whole number of at least 1"),
    ] {
        let error = GeometricMechanism::new(epsilon.parse().expect("a number"), sensitivity).expect_err(epsilon);
        assert_eq!(error.to_string(), sentence);
    }
    for delta in ["0", "1", "2"] {
        assert!(mechanism("1", 1).threshold(delta.parse().expect("a number")).is_err(), "{delta}");
    }
    assert!(mechanism("1e-18", 1).threshold("1e-18".parse().expect("a number")).is_err());
}

/// The rows of the first table below a heading whose header starts so.
fn documented(page: &str, header: &str) -> Vec<Vec<f64>> {
    let below = page.split_once(header).expect("the table").1;
    let rows = below.lines().skip(2).take_while(|line| line.starts_with('|'));
    let number = |cell: &str| cell.trim().trim_start_matches("+-").parse().expect("a number");
    rows.map(|row| row.trim_matches('|').split('|').map(number).collect()).collect()
}

#[test]
fn the_documented_figures_are_those_of_the_mechanism() {
    let rows = documented(include_str!("../../../docs/reference/mechanisms.md"), "| epsilon / s |");
    assert_eq!(rows.len(), 4);
    for row in rows {
        let [epsilon, error, width, threshold] = row[..] else { panic!("four columns: {row:?}") };
        let mechanism = mechanism(&epsilon.to_string(), 1);
        let found = [
            (mechanism.standard_error() * 100.0).round() / 100.0,
            mechanism.half_width(0.95) as f64,
            mechanism.threshold("1e-6".parse().expect("a number")).expect("a threshold") as f64,
        ];
        assert_eq!(found, [error, width, threshold], "epsilon {epsilon}");
    }
}
