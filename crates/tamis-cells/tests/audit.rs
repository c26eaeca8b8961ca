//! The auditor against exact fractions, and what it says in cases that people can follow.

mod oracle;

use std::sync::atomic::AtomicBool;

use oracle::random::{self, Shape};
use proptest::prelude::*;
use tamis_cells::audit::{Audit, AuditOptions};
use tamis_cells::{CellTable, Demand, Pattern, audit};
use tamis_highs::Highs;

fn run(table: &CellTable, pattern: &Pattern, threads: usize) -> Audit {
    let stop = AtomicBool::new(false);
    let options = AuditOptions { threads, unnecessary: true, stop: &stop, progress: &|_, _| {} };
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
    prop_assert_eq!(&audit.unnecessary, &oracle::unnecessary(table, pattern));
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
}
