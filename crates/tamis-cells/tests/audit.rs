//! The auditor against exact fractions, and what it says in cases that people can follow.

use crate::oracle;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use oracle::random::{self, Shape};
use proptest::prelude::*;
use tamis_cells::audit::{Audit, AuditError, AuditOptions, Exposed, Interval};
use tamis_cells::{Attacker, Cell, CellId, CellTable, Demand, Equation, Levels, Pattern, Side, Status, audit};
use tamis_highs::Highs;

fn run(table: &CellTable, pattern: &Pattern, threads: usize) -> Audit {
    let stop = AtomicBool::new(false);
    let options = AuditOptions { threads, unnecessary: true, deadline: None, stop: &stop, progress: &|_, _| {} };
    audit(table, pattern, &Highs, &options).expect("an audit")
}

/// Everything that an audit says is what exact fractions say.
fn agrees(table: &CellTable, pattern: &Pattern) -> Result<Audit, TestCaseError> {
    let audit = run(table, pattern, 1);
    let mut intervals = audit.intervals.iter();
    for attacker in 0..=table.attackers().len() {
        for cell in pattern.cells() {
            let found = intervals.next().expect("an interval for each hidden cell and attacker");
            prop_assert_eq!((found.cell, found.attacker), (cell, attacker));
            let (lower, upper) = oracle::interval(table, pattern, attacker, cell);
            let lower = lower.map_or(f64::NEG_INFINITY, oracle::Ratio::to_f64);
            let upper = upper.map_or(f64::INFINITY, oracle::Ratio::to_f64);
            let near = |found: f64, truth: f64| found == truth || (found - truth).abs() <= 1e-9 * truth.abs();
            prop_assert!(near(found.lower, lower) && near(found.upper, upper), "{found:?}: {lower} to {upper}");
        }
    }
    let exposed: Vec<Demand> = audit.exposed.iter().map(|exposed| exposed.demand).collect();
    prop_assert_eq!(exposed, oracle::exposed(table, pattern));
    prop_assert_eq!(&audit.unproved, &Vec::new());
    let unnecessary = oracle::unnecessary(table, pattern);
    prop_assert!(audit.unnecessary.iter().all(|cell| unnecessary.contains(cell)));
    prop_assert!(!audit.unnecessary_complete || audit.unnecessary == unnecessary);
    let faultless = audit.is_protected() && audit.hidden_fixed.is_empty();
    prop_assert_eq!(faultless, oracle::protected(table, pattern));
    Ok(audit)
}

fn any_shape() -> impl Strategy<Value = Shape> {
    prop::sample::select(random::shapes(30))
}

fn any_unit() -> impl Strategy<Value = f64> {
    prop::sample::select(vec![1.0, 0.001, 0.1, 1e9])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn audits_say_what_exact_fractions_say(shape in any_shape(), unit in any_unit(), seed: u64) {
        let table = random::table(shape, unit, seed);
        agrees(&table, &random::pattern(&table, seed))?;
    }

    /// Numbers without a common decimal unit are checked in floating point; the truth is that of the same table in whole
    /// numbers.
    #[test]
    fn numbers_of_seventeen_digits_change_nothing(
        shape in any_shape(),
        factor in prop::sample::select(vec![1.0 / 3.0, 1e9 / 7.0, 1e-3 / 7.0, std::f64::consts::PI * 1e12]),
        seed: u64,
    ) {
        let table = random::table(shape, 1.0, seed);
        let pattern = random::pattern(&table, seed);
        let (whole, odd) = (run(&table, &pattern, 1), run(&stretched(&table, factor), &pattern, 1));
        let near = |a: f64, b: f64| a == b || (a - b).abs() <= 1e-9 * factor * 100.0;
        for (whole, odd) in whole.intervals.iter().zip(&odd.intervals) {
            prop_assert!(near(whole.lower * factor, odd.lower) && near(whole.upper * factor, odd.upper), "{odd:?}");
        }
        let names = |audit: &Audit| -> Vec<(usize, usize, Side)> {
            audit.exposed.iter().map(|Exposed { demand, .. }| (demand.attacker, demand.cell, demand.side)).collect()
        };
        prop_assert_eq!(names(&whole), names(&odd));
        prop_assert_eq!(odd.unproved, Vec::new());
        let complete = whole.unnecessary_complete && odd.unnecessary_complete;
        prop_assert!(!complete || whole.unnecessary == odd.unnecessary);
    }

    #[test]
    fn threads_change_nothing(shape in any_shape(), seed: u64) {
        let table = random::table(shape, 1.0, seed);
        let pattern = random::pattern(&table, seed);
        prop_assert_eq!(run(&table, &pattern, 1), run(&table, &pattern, 4));
    }
}

/// The same table in other money.
fn stretched(table: &CellTable, factor: f64) -> CellTable {
    let levels = |Levels { lower, upper, sliding }: Levels| Levels {
        lower: lower * factor,
        upper: upper * factor,
        sliding: sliding * factor,
    };
    let cells = table.cells().iter().map(|cell| Cell {
        value: cell.value * factor,
        lower: cell.lower * factor,
        upper: cell.upper * factor,
        levels: levels(cell.levels),
        ..cell.clone()
    });
    let equations =
        table.equations().iter().map(|equation| Equation { rhs: equation.rhs * factor, ..equation.clone() });
    let attackers = table.attackers().iter().map(|attacker| Attacker {
        name: attacker.name.clone(),
        bounds: attacker.bounds.iter().map(|&(cell, lower, upper)| (cell, lower * factor, upper * factor)).collect(),
        levels: attacker.levels.iter().map(|&(cell, of)| (cell, levels(of))).collect(),
    });
    CellTable::new(cells.collect(), equations.collect(), attackers.collect()).expect("a true table")
}

fn cell(value: f64, status: Status, level: f64) -> Cell {
    let levels = Levels { lower: level, upper: level, sliding: 0.0 };
    Cell { id: CellId::Text(String::new()), value, weight: 1.0, lower: 0.0, upper: f64::INFINITY, levels, status }
}

fn named(cells: Vec<Cell>, equations: Vec<Vec<(usize, f64)>>) -> CellTable {
    let cells: Vec<Cell> =
        cells.into_iter().zip(0..).map(|(cell, number)| Cell { id: CellId::Number(number), ..cell }).collect();
    let value = |terms: &[(usize, f64)]| terms.iter().map(|(at, factor)| factor * cells[*at].value).sum();
    let equations = equations.into_iter().map(|terms| Equation { rhs: value(&terms), terms }).collect();
    CellTable::new(cells, equations, Vec::new()).expect("a true table")
}

/// Two cells and their sum: hiding both leaves one degree of freedom.
fn two_cells(first: Cell, second: Cell) -> CellTable {
    let total = cell(first.value + second.value, Status::Fixed, 0.0);
    named(vec![first, second, total], vec![vec![(0, 1.0), (1, 1.0), (2, -1.0)]])
}

#[test]
fn one_short_of_a_thousand_million_is_exposed() {
    for (partner, exposed) in [(1e9, false), (999_999_999.0, true), (1e9 - 0.25, true)] {
        let primary = Cell { lower: 2e9, ..cell(3e9, Status::Primary, 1e9) };
        let primary = Cell { levels: Levels { lower: 0.0, ..primary.levels }, ..primary };
        let audit = run(&two_cells(primary, cell(partner, Status::Free, 0.0)), &hide(3, &[0, 1]), 1);
        assert_eq!(audit.intervals[0], Interval { cell: 0, attacker: 0, lower: 2e9, upper: 3e9 + partner });
        assert_eq!(!audit.exposed.is_empty(), exposed, "{partner}");
        assert!(audit.unproved.is_empty());
    }
}

#[test]
fn rounding_of_decimals_exposes_nothing() {
    // 0.3 - 0.1 is 0.19999999999999998 in floating point.
    let primary = Cell { lower: 0.1, upper: 0.5, ..cell(0.3, Status::Primary, 0.2) };
    let audit = run(&two_cells(primary, cell(0.7, Status::Free, 0.0)), &hide(3, &[0, 1]), 1);
    assert_eq!(audit.exposed, []);
    assert_eq!((audit.intervals[0].lower, audit.intervals[0].upper), (0.1, 0.5));
    assert_eq!((audit.intervals[1].lower, audit.intervals[1].upper), (0.5, 0.9));
}

#[test]
fn small_levels_beside_large_values_are_exact() {
    // The level is a thousandth, its neighbours are thousands of millions.
    for (level, exposed) in [(0.002, false), (0.003, true)] {
        let primary = cell(5e9, Status::Primary, level);
        let partner = Cell { lower: 3e9 - 0.002, upper: 3e9 + 0.002, ..cell(3e9, Status::Free, 0.0) };
        let audit = run(&two_cells(primary, partner), &hide(3, &[0, 1]), 1);
        assert_eq!(audit.exposed.len(), if exposed { 2 } else { 0 });
        assert_eq!(audit.intervals[0].upper, 5_000_000_000.002);
    }
}

fn hide(cells: usize, hidden: &[usize]) -> Pattern {
    Pattern::new((0..cells).map(|cell| hidden.contains(&cell)).collect())
}

#[test]
fn a_cell_alone_in_an_equation_is_known() {
    let table = two_cells(cell(3.0, Status::Primary, 1.0), cell(4.0, Status::Free, 0.0));
    let audit = run(&table, &hide(3, &[0]), 1);
    assert_eq!(audit.intervals, [Interval { cell: 0, attacker: 0, lower: 3.0, upper: 3.0 }]);
    let reaches: Vec<f64> = audit.exposed.iter().map(|exposed| exposed.reach).collect();
    assert_eq!(reaches, [0.0, 0.0]);
    assert_eq!(audit.attacks, 0);
}

#[test]
fn broken_rules_are_named() {
    let mut cells =
        vec![cell(3.0, Status::Primary, 1.0), cell(4.0, Status::Hidden, 0.0), cell(5.0, Status::Fixed, 0.0)];
    cells.push(cell(12.0, Status::Free, 0.0));
    let table = named(cells, vec![vec![(0, 1.0), (1, 1.0), (2, 1.0), (3, -1.0)]]);
    let audit = run(&table, &hide(4, &[2, 3]), 1);
    assert_eq!((audit.published, audit.published_hidden, audit.hidden_fixed), (vec![0], vec![1], vec![2]));
    assert_eq!(audit.exposed.iter().map(|exposed| exposed.reach).collect::<Vec<_>>(), [0.0, 0.0]);
    // Nothing that holds depends on them.
    assert_eq!(audit.unnecessary, [2, 3]);
}

#[test]
fn a_pattern_of_another_table_is_refused() {
    let table = two_cells(cell(3.0, Status::Primary, 1.0), cell(4.0, Status::Free, 0.0));
    let stop = AtomicBool::new(false);
    let options = AuditOptions { threads: 1, unnecessary: false, deadline: None, stop: &stop, progress: &|_, _| {} };
    let refused = audit(&table, &hide(5, &[0]), &Highs, &options);
    assert_eq!(refused, Err(AuditError::OtherTable { found: 5, expected: 3 }));
}

#[test]
fn progress_is_told_and_stop_is_heard() {
    let table = random::table(Shape::Grid(&[5, 4]), 1.0, 7);
    let pattern = Pattern::most(&table);
    let told = Mutex::new(Vec::new());
    let stop = AtomicBool::new(false);
    let progress = |done, total| told.lock().unwrap().push((done, total));
    let options = AuditOptions { threads: 1, unnecessary: true, deadline: None, stop: &stop, progress: &progress };
    audit(&table, &pattern, &Highs, &options).expect("an audit");
    let told = told.into_inner().unwrap();
    assert!(told.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 == pair[1].1));
    assert!(told.last().is_some_and(|(done, total)| done <= total));

    let stopping = |done, _| stop.store(done >= 3, Ordering::Relaxed);
    let options = AuditOptions { threads: 1, unnecessary: true, deadline: None, stop: &stop, progress: &stopping };
    assert_eq!(audit(&table, &pattern, &Highs, &options), Err(AuditError::Stopped));
}

/// However large the value is, a cell that does not move meets no level.
#[test]
fn a_level_far_below_the_rounding_of_the_value_is_asked_for() {
    let values = [300_000_000_000.0, 5.0, 7.0, 9.0];
    let cell = |(id, value)| {
        let (levels, status) = (Levels::default(), Status::Free);
        Cell { id: CellId::Number(id), value, weight: value, lower: 0.0, upper: f64::INFINITY, levels, status }
    };
    let mut cells: Vec<Cell> = (1..).zip(values).map(cell).collect();
    cells[0].status = Status::Primary;
    cells[0].levels = Levels { lower: 0.0001, upper: 0.0001, sliding: 0.0 };
    let lines = [[0, 1], [2, 3], [0, 2], [1, 3]];
    let equations = lines.map(|line| Equation {
        rhs: line.iter().map(|at| values[*at]).sum(),
        terms: line.iter().map(|at| (*at, 1.0)).collect(),
    });
    let table = CellTable::new(cells, equations.to_vec(), Vec::new()).expect("a table");
    assert_eq!(Demand::of(&table).len(), 2);
    assert_eq!(run(&table, &Pattern::least(&table), 1).exposed.len(), 2);
    assert!(run(&table, &Pattern::most(&table), 1).is_protected());
}
