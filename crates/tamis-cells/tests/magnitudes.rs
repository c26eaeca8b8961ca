//! Numbers as offices have them: four decimals beside thousands of millions in one table, bounds that are open or far away.
//! Whatever the numbers look like, the audit and both searches say what exact fractions say, and nothing is refused that a
//! pattern protects.

use crate::oracle;

use std::sync::atomic::AtomicBool;

use oracle::random::{self, Dice};
use proptest::prelude::*;
use tamis_cells::audit::tolerance::meets;
use tamis_cells::audit::{Audit, AuditOptions, audit};
use tamis_cells::protect::{Method, Options, ProtectError, Protected};
use tamis_cells::{CellTable, Demand, Pattern, Side, protect};
use tamis_highs::Highs;

fn audited(table: &CellTable, pattern: &Pattern) -> Audit {
    let stop = AtomicBool::new(false);
    let options = AuditOptions { threads: 1, unnecessary: true, deadline: None, stop: &stop, progress: &|_, _| {} };
    audit(table, pattern, &Highs, &options).expect("an audit")
}

fn search(table: &CellTable, method: Method) -> Result<Protected, ProtectError> {
    let stop = AtomicBool::new(false);
    protect(table, &Highs, &Options { method, time_limit: None, gap: 0.0, stop: &stop, progress: &|_| {} })
}

/// The levels that a pattern does not meet by exact fractions, which count as met where an audit says so.
fn truly_exposed(table: &CellTable, pattern: &Pattern) -> Vec<Demand> {
    let views: Vec<_> =
        (0..=table.attackers().len()).map(|attacker| oracle::View::new(table, pattern, attacker)).collect();
    let holds = |demand: &Demand| {
        let reach = |up| views[demand.attacker].reach(demand.cell, up).map_or(f64::INFINITY, oracle::Ratio::to_f64);
        let reach = || match demand.side {
            Side::Upper => reach(true),
            Side::Lower => reach(false),
            Side::Width => reach(true) + reach(false),
        };
        pattern.hides(demand.cell) && meets(reach(), demand.level, table.cells()[demand.cell].value)
    };
    Demand::of(table).into_iter().filter(|demand| !holds(demand)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn audits_say_what_exact_fractions_say(shape in prop::sample::select(random::shapes(30)), seed: u64) {
        let table = random::spread(shape, seed);
        let pattern = random::pattern(&table, seed);
        let audit = audited(&table, &pattern);
        for interval in &audit.intervals {
            let (lower, upper) = oracle::interval(&table, &pattern, interval.attacker, interval.cell);
            let lower = lower.map_or(f64::NEG_INFINITY, oracle::Ratio::to_f64);
            let upper = upper.map_or(f64::INFINITY, oracle::Ratio::to_f64);
            let value = table.cells()[interval.cell].value;
            // What is shown is proved to be possible, so that it is never too wide; beside numbers 10^12 times as large an end may be
            // missed by a little.
            let near = |found: f64, truth: f64| {
                let (found, truth) = ((found - value).abs(), (truth - value).abs());
                found == truth || (found <= truth * (1.0 + 1e-9) + 1e-15 * value.abs() && found >= truth * (1.0 - 1e-6) - 1e-15 * value.abs())
            };
            prop_assert!(near(interval.lower, lower) && near(interval.upper, upper), "{interval:?}: {lower} to {upper}");
        }
        let exposed: Vec<Demand> = audit.exposed.iter().map(|exposed| exposed.demand).collect();
        prop_assert_eq!(exposed, truly_exposed(&table, &pattern));
        prop_assert_eq!(&audit.unproved, &Vec::new());
    }

    #[test]
    fn searches_protect_whatever_can_be_protected(shape in prop::sample::select(random::shapes(30)), seed: u64) {
        let table = random::spread(shape, seed);
        let beyond = truly_exposed(&table, &Pattern::most(&table));
        for method in [Method::Optimal, Method::Heuristic] {
            match search(&table, method) {
                Ok(found) => prop_assert_eq!(truly_exposed(&table, &found.pattern), Vec::new(), "{:?}", method),
                Err(ProtectError::CannotBeProtected(levels)) => {
                    let named: Vec<Demand> = levels.iter().map(|level| level.demand).collect();
                    prop_assert_eq!(&named, &beyond, "{:?}", method);
                }
                Err(error) => prop_assert!(false, "{:?}: {}", method, error),
            }
        }
    }

    #[test]
    fn the_cheapest_pattern_is_found(shape in prop::sample::select(random::shapes(15)), seed: u64) {
        let table = random::spread(shape, seed);
        if let (Ok(found), Some((least, _))) = (search(&table, Method::Optimal), oracle::optimum(&table)) {
            prop_assert!((found.cost - least).abs() <= 1e-9 * least, "cost {} instead of {}", found.cost, least);
            // Linear programs tell no closer costs apart.
            prop_assert!(found.bound <= least * (1.0 + 1e-9), "bound {} above {}", found.bound, least);
        }
    }
}

/// Bounds so far away that they bind nothing change nothing.
#[test]
fn far_bounds_are_as_good_as_open_ones() {
    for seed in 0..40 {
        let table = random::spread(random::Shape::Grid(&[3, 3]), seed);
        let costs: Vec<Option<f64>> = [f64::INFINITY, 1e14, 1e16, 1e18]
            .into_iter()
            .map(|far| {
                let cells = table.cells().iter().map(|cell| tamis_cells::Cell { upper: far, ..cell.clone() }).collect();
                let table = CellTable::new(cells, table.equations().to_vec(), Vec::new()).expect("a true table");
                search(&table, Method::Optimal).ok().map(|found| found.cost)
            })
            .collect();
        assert!(costs.windows(2).all(|pair| pair[0] == pair[1]), "seed {seed}: {costs:?}");
    }
}

#[test]
fn a_search_without_a_limit_finds_the_same_in_every_run() {
    for seed in 0..10 {
        // All cells cost the same, so that many patterns are cheapest.
        let table = random::spread(random::Shape::Grid(&[5, 4]), seed);
        let cells = table.cells().iter().map(|cell| tamis_cells::Cell { weight: 1.0, ..cell.clone() }).collect();
        let table = CellTable::new(cells, table.equations().to_vec(), Vec::new()).expect("a true table");
        for method in [Method::Optimal, Method::Heuristic] {
            assert_eq!(search(&table, method), search(&table, method), "seed {seed}, {method:?}");
        }
    }
}

#[test]
fn dice_reach_every_size() {
    let mut dice = Dice(7);
    let values: Vec<f64> = (0..1000).map(|_| random::spread_value(&mut dice) as f64 / 1e4).collect();
    assert!(values.iter().any(|value| *value < 0.1) && values.iter().any(|value| *value > 1e11));
}
