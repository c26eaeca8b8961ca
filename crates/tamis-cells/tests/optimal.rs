//! The search for the cheapest pattern against brute force in exact fractions.

use crate::oracle;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use oracle::random;
use proptest::prelude::*;
use tamis_cells::audit::{AuditOptions, audit};
use tamis_cells::protect::{Method, Options, ProtectError, Protected};
use tamis_cells::{CellTable, Pattern, protect};
use tamis_highs::Highs;

fn search(table: &CellTable, limit: Option<Duration>) -> Result<Protected, ProtectError> {
    let stop = AtomicBool::new(false);
    let options = Options { method: Method::Optimal, time_limit: limit, gap: 0.0, stop: &stop, progress: &|_| {} };
    protect(table, &Highs, &options)
}

fn passes(table: &CellTable, pattern: &Pattern) -> bool {
    let stop = AtomicBool::new(false);
    let options = AuditOptions { threads: 1, unnecessary: false, deadline: None, stop: &stop, progress: &|_, _| {} };
    audit(table, pattern, &Highs, &options).unwrap().is_protected()
}

/// Compares a search with brute force.
fn check(table: &CellTable, limit: Option<Duration>) {
    let least = oracle::optimum(table);
    match (search(table, limit), least) {
        (Err(ProtectError::CannotBeProtected(levels)), None) => {
            let exposed = oracle::exposed(table, &Pattern::most(table));
            let named: Vec<_> = levels.iter().map(|beyond| beyond.demand).collect();
            assert_eq!(named, exposed);
            assert!(levels.iter().all(|beyond| beyond.reach < beyond.demand.level));
        }
        (Ok(found), Some((cost, pattern))) => {
            assert!(oracle::protected(table, &found.pattern), "not protected");
            assert!(passes(table, &found.pattern));
            assert_eq!(found.pattern.cost(table), found.cost);
            assert!(found.bound <= cost + 1e-9 * cost, "bound {} above the optimum {cost} of {pattern:?}", found.bound);
            if limit.is_none() {
                assert!(found.optimal);
                assert!((found.cost - cost).abs() <= 1e-9 * cost, "cost {} instead of {cost}", found.cost);
                assert_eq!(found.gap, 0.0);
            } else {
                assert!(found.optimal == (found.bound >= found.cost));
            }
        }
        (found, least) => panic!("found {found:?}, brute force {least:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_cheapest_pattern_is_found(
        shape in prop::sample::select(random::shapes(16)),
        unit in prop::sample::select(vec![1.0, 0.001, 1e6, 1e9]),
        seed in any::<u64>(),
    ) {
        check(&random::table(shape, unit, seed), None);
    }

    #[test]
    fn without_time_there_is_still_a_protected_pattern_and_a_bound(
        shape in prop::sample::select(random::shapes(12)),
        seed in any::<u64>(),
    ) {
        check(&random::table(shape, 1.0, seed), Some(Duration::ZERO));
    }
}
