//! Levels just above and just below what can be reached, and weights of very different sizes: what a search returns passes
//! the audit, and what it claims about the cost is true.

use crate::oracle;

use std::sync::atomic::AtomicBool;

use oracle::random::{self, Dice};
use proptest::prelude::*;
use tamis_cells::audit::tolerance::slack;
use tamis_cells::audit::{Audit, AuditOptions, Exposed, audit};
use tamis_cells::protect::{Method, Options, ProtectError, Protected};
use tamis_cells::{Cell, CellId, CellTable, Demand, Equation, Levels, Pattern, Status, protect};
use tamis_highs::Highs;

const METHODS: [Method; 2] = [Method::Optimal, Method::Heuristic];

fn search(table: &CellTable, method: Method) -> Result<Protected, ProtectError> {
    let stop = AtomicBool::new(false);
    let options = Options { method, time_limit: None, gap: 0.0, stop: &stop, progress: &|_| {} };
    protect(table, &Highs, &options)
}

fn audited(table: &CellTable, pattern: &Pattern) -> Audit {
    let stop = AtomicBool::new(false);
    let options = AuditOptions { threads: 1, unnecessary: false, deadline: None, stop: &stop, progress: &|_, _| {} };
    audit(table, pattern, &Highs, &options).unwrap()
}

/// The levels that are out of reach with everything hidden, as far as that is proved. Only a level that lies on the very edge of
/// what counts as met may be without a proof.
fn proved_exposed(table: &CellTable) -> Vec<Demand> {
    let audit = audited(table, &Pattern::most(table));
    let mut exposed = audit.exposed;
    for &Exposed { demand: Demand { cell, level, .. }, reach } in
        exposed.iter().filter(|exposed| audit.unproved.contains(&exposed.demand))
    {
        let edge = level - slack(level, table.cells()[cell].value);
        assert!((reach - edge).abs() <= 1e-11 * level, "{reach} of {level} is not decided");
    }
    exposed.retain(|exposed| !audit.unproved.contains(&exposed.demand));
    exposed.iter().map(|exposed| exposed.demand).collect()
}

/// Searches in both ways and lets the audit judge the outcome.
fn check(table: &CellTable) {
    for method in METHODS {
        match search(table, method) {
            Ok(found) => {
                let audit = audited(table, &found.pattern);
                assert!(audit.is_protected(), "{method:?}: {:?} is exposed", audit.exposed);
                assert_eq!(found.optimal, found.bound >= found.cost);
            }
            Err(ProtectError::CannotBeProtected(beyond)) => {
                let named: Vec<_> = beyond.iter().map(|beyond| beyond.demand).collect();
                assert_eq!((named, true), (proved_exposed(table), !beyond.is_empty()));
            }
            Err(ProtectError::NotDecided(_)) => assert_eq!(proved_exposed(table), []),
            Err(error) => panic!("{method:?}: {error}"),
        }
    }
}

fn cell(id: i64, value: f64, weight: f64) -> Cell {
    let (lower, upper, levels, status) = (0.0, 2.0 * value, Levels::default(), Status::Free);
    Cell { id: CellId::Number(id), value, weight, lower, upper, levels, status }
}

/// A primary that needs company of 10^9; the cheap neighbour offers one less, the dear one enough.
#[test]
fn one_short_of_a_thousand_million() {
    let upper = 1e9;
    let mut cells = vec![cell(1, 5e9, 1.0), cell(2, 5e9, 1.0), cell(3, 5e9, 100.0), cell(4, 15e9, 1.0)];
    cells[0].status = Status::Primary;
    cells[0].levels = Levels { upper, ..Levels::default() };
    cells[1].lower = 5e9 - 999_999_999.0;
    cells[3].status = Status::Fixed;
    let terms = vec![(0, 1.0), (1, 1.0), (2, 1.0), (3, -1.0)];
    let table = CellTable::new(cells, vec![Equation { rhs: 0.0, terms }], Vec::new()).unwrap();
    for method in METHODS {
        let found = search(&table, method).unwrap();
        assert!(audited(&table, &found.pattern).is_protected(), "{method:?}");
        assert!(found.pattern.hides(2), "{method:?}");
    }
    let found = search(&table, Method::Optimal).unwrap();
    assert_eq!((found.cost, found.optimal), (101.0, true));
}

#[test]
fn everything_hidden_and_one_short_cannot_be_protected() {
    let mut cells = vec![cell(1, 5e9, 1.0), cell(2, 5e9, 1.0), cell(3, 10e9, 1.0)];
    cells[0].status = Status::Primary;
    cells[0].levels = Levels { upper: 1e9, ..Levels::default() };
    cells[1].lower = 5e9 - 999_999_999.0;
    cells[2].status = Status::Fixed;
    let terms = vec![(0, 1.0), (1, 1.0), (2, -1.0)];
    let table = CellTable::new(cells, vec![Equation { rhs: 0.0, terms }], Vec::new()).unwrap();
    for method in METHODS {
        assert!(matches!(search(&table, method), Err(ProtectError::CannotBeProtected(_))), "{method:?}");
    }
}

/// The table with the levels of its primaries set anew, next to what some pattern reaches.
fn with_close_levels(table: &CellTable, dice: &mut Dice) -> Option<CellTable> {
    let mut pattern = Pattern::least(table);
    for (number, cell) in table.cells().iter().enumerate() {
        if cell.status == Status::Free && !dice.once_in(3) {
            pattern.set(number, true);
        }
    }
    let intervals = audited(table, &pattern).intervals;
    let mut cells = table.cells().to_vec();
    for interval in intervals.iter().filter(|interval| interval.attacker == 0) {
        let cell = &mut cells[interval.cell];
        let reach = interval.upper - cell.value;
        if cell.status == Status::Primary {
            let by = 10_f64.powi(-6 - i32::try_from(dice.roll(5)).unwrap()) * (dice.roll(9) as f64 + 1.0);
            let share = if dice.once_in(3) { 1.0 - by } else { 1.0 + by };
            let upper = if reach.is_finite() && reach > 0.0 { reach * share } else { 0.0 };
            cell.levels = Levels { upper, ..Levels::default() };
        }
    }
    CellTable::new(cells, table.equations().to_vec(), Vec::new()).ok()
}

/// The table with weights of very different sizes.
fn with_wide_weights(table: &CellTable, dice: &mut Dice) -> CellTable {
    let mut cells = table.cells().to_vec();
    for cell in &mut cells {
        cell.weight = if dice.once_in(3) { 1e11 } else { dice.roll(20) as f64 + 1.0 };
    }
    CellTable::new(cells, table.equations().to_vec(), table.attackers().to_vec()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn close_calls_are_decided_like_an_audit(
        shape in prop::sample::select(random::shapes(16)),
        unit in prop::sample::select(vec![1.0, 0.001, 1e6, 1e9]),
        seed in any::<u64>(),
    ) {
        if let Some(table) = with_close_levels(&random::table(shape, unit, seed), &mut Dice(seed)) {
            check(&table);
        }
    }

    #[test]
    fn what_is_called_least_is_least_whatever_the_weights(
        shape in prop::sample::select(random::shapes(12)),
        seed in any::<u64>(),
    ) {
        let table = with_wide_weights(&random::table(shape, 1.0, seed), &mut Dice(seed));
        if let (Ok(found), Some((least, _))) = (search(&table, Method::Optimal), oracle::optimum(&table)) {
            prop_assert!(found.bound <= least + 1e-3, "bound {} above the least cost {least}", found.bound);
            prop_assert!(!found.optimal || found.cost <= least + 1e-3, "cost {}, least {least}", found.cost);
            prop_assert!(found.cost <= least * (1.0 + 1e-8), "cost {}, least {least}", found.cost);
        }
    }
}
