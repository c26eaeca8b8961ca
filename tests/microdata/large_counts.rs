//! Tables so large that products of counts no longer fit 32 bits: distances must come out as exact arithmetic gives them.

use crate::program::Desk;
use std::collections::BTreeMap;

const ROWS: u64 = 300_000;
const QUASI: [usize; 2] = [0, 2];
const OCCUPATION: usize = 7;

/// A fraction with a positive denominator.
type Fraction = (i128, i128);

fn larger(left: Fraction, right: Fraction) -> Fraction {
    if left.0 * right.1 >= right.0 * left.1 { left } else { right }
}

type Histogram = BTreeMap<String, i128>;

/// Per value, in the order of the values, `count * rows - total * size`: the difference of the shares times `size * rows`.
fn differences(class: &Histogram, table: &Histogram) -> (BTreeMap<String, i128>, i128) {
    let (size, rows): (i128, i128) = (class.values().sum(), table.values().sum());
    let differences = table
        .iter()
        .map(|(value, total)| (value.clone(), class.get(value).copied().unwrap_or(0) * rows - total * size))
        .collect();
    (differences, size * rows)
}

fn equal(class: &Histogram, table: &Histogram) -> Fraction {
    let (differences, scale) = differences(class, table);
    (differences.values().map(|difference| difference.abs()).sum(), 2 * scale)
}

/// In the order of the lines of the hierarchy, as nothing else ranks occupations.
fn ordered(class: &Histogram, table: &Histogram, lines: &[Vec<&str>]) -> Fraction {
    let (differences, scale) = differences(class, table);
    let mut sum = 0;
    let moved = lines.iter().filter_map(|line| differences.get(line[0])).map(|difference| {
        sum += difference;
        i128::abs(sum)
    });
    (moved.sum(), scale * (table.len() as i128 - 1))
}

fn hierarchical(class: &Histogram, table: &Histogram, lines: &[Vec<&str>]) -> Fraction {
    let (mut extras, scale) = differences(class, table);
    let height = lines[0].len() - 1;
    let mut cost = 0;
    for level in 1..=height {
        let mut nodes: BTreeMap<String, (i128, i128)> = BTreeMap::new();
        for (label, extra) in &extras {
            let line = lines.iter().find(|line| line[level - 1] == label).expect("every label has a line");
            let (positive, negative) = nodes.entry(line[level].to_owned()).or_default();
            if *extra > 0 { *positive += extra } else { *negative -= extra }
        }
        cost += level as i128 * nodes.values().map(|&(positive, negative)| positive.min(negative)).sum::<i128>();
        extras = nodes.into_iter().map(|(label, (positive, negative))| (label, positive - negative)).collect();
    }
    (cost, scale * height as i128)
}

#[test]
fn distances_of_three_hundred_thousand_rows_are_exact() {
    let desk = Desk::with_adult();
    desk.done(&format!("generate adult --rows {ROWS} --seed 7 --output people.csv"));
    let text = desk.read("people.csv");
    let mut classes: BTreeMap<Vec<&str>, Histogram> = BTreeMap::new();
    let mut table = Histogram::new();
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(';').collect();
        let class = classes.entry(QUASI.iter().map(|&column| cells[column]).collect()).or_default();
        *class.entry(cells[OCCUPATION].to_owned()).or_default() += 1;
        *table.entry(cells[OCCUPATION].to_owned()).or_default() += 1;
    }
    let rows: i128 = table.values().sum();
    assert_eq!(rows, i128::from(ROWS));
    let largest = classes.values().map(|class| class.values().sum::<i128>()).max().expect("classes");
    assert!(largest * rows > i128::from(u32::MAX), "the product {largest} * {rows} fits 32 bits; take more rows");
    let lines: Vec<Vec<&str>> =
        tamis_adult::hierarchy("occupation").expect("bundled").lines().map(|line| line.split(';').collect()).collect();

    let worst = |distance: &dyn Fn(&Histogram) -> Fraction| classes.values().map(distance).fold((0, 1), larger);
    let expected = [
        ("equal", worst(&|class| equal(class, &table))),
        ("listed", worst(&|class| ordered(class, &table, &lines))),
        ("hierarchical", worst(&|class| hierarchical(class, &table, &lines))),
    ];
    for (distance, (numerator, denominator)) in expected {
        let check = format!(
            "check people.csv --quasi sex,race --sensitive occupation --hierarchy occupation=hierarchies/adult/occupation.csv --distance {distance}"
        );
        let document = desk.json(&check, 0);
        let t = document["sensitive"]["occupation"]["t"].as_f64().expect("a number");
        let exact = numerator as f64 / denominator as f64;
        assert!((t - exact).abs() <= 1e-15, "{distance}: t is {t}, exactly {numerator}/{denominator} = {exact}");
        assert_eq!(document["classes"], classes.len());
        desk.json(&format!("{check} --require t={exact}"), 0);
        desk.json(&format!("{check} --require t={}", exact * (1.0 - 1e-9)), 1);
    }
}

#[test]
fn a_release_of_three_hundred_thousand_rows_keeps_its_t() {
    let desk = Desk::with_adult();
    desk.done(&format!("generate adult --rows {ROWS} --seed 7 --output adult.csv"));
    desk.write(
        "close.toml",
        crate::program::adult_policy(
            "[[models]]\nkind = \"k-anonymity\"\nk = 5\n[[models]]\nkind = \"t-closeness\"\nt = 0.2\n\
             [output]\nsuppressed = \"keep\"\n",
        ),
    );
    let document = desk.json("anonymize close.toml --output out.csv --seed 1 --threads 2", 0);
    let kept = document["rows"]["kept"].as_i64().expect("a number");
    assert!(kept > 0);

    // A suppressed row still counts in the distribution of the whole table, which a user of the release cannot see: count it here.
    let input = desk.read("adult.csv");
    let mut table = Histogram::new();
    for line in input.lines().skip(1) {
        *table.entry(line.split(';').nth(OCCUPATION).expect("a cell").to_owned()).or_default() += 1;
    }
    let lines: Vec<Vec<&str>> =
        tamis_adult::hierarchy("occupation").expect("bundled").lines().map(|line| line.split(';').collect()).collect();
    let output = desk.read("out.csv");
    let mut classes: BTreeMap<String, Histogram> = BTreeMap::new();
    for line in output.lines().skip(1) {
        let mut cells: Vec<&str> = line.split(';').collect();
        let occupation = cells.remove(OCCUPATION);
        if cells.iter().any(|&cell| cell != "*") {
            *classes.entry(cells.join(";")).or_default().entry(occupation.to_owned()).or_default() += 1;
        }
    }
    assert_eq!(document["classes"]["count"], classes.len());
    for (name, class) in &classes {
        let (numerator, denominator) = hierarchical(class, &table, &lines);
        assert!(class.values().sum::<i128>() >= 5, "{name}");
        assert!(numerator * 10 <= denominator * 2, "{name}: {numerator}/{denominator} is above 0.2");
    }
}
