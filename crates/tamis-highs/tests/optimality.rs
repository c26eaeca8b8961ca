//! Random programs changed in place, against the conditions of optimality and against programs made anew.

use proptest::prelude::*;
use tamis_highs::Highs;
use tamis_solver::{LiveColumn, LiveProgram, LiveRow, LiveSolver, LiveStatus, Simplex};

const TOLERANCE: f64 = 1e-7;

#[derive(Debug, Clone)]
struct Model {
    columns: Vec<LiveColumn>,
    rows: Vec<LiveRow>,
}

#[derive(Debug, Clone)]
enum Change {
    Cost(usize, f64),
    Bounds(usize, f64, f64),
    Add(LiveRow),
    Delete(usize),
}

fn bounds() -> impl Strategy<Value = (f64, f64)> {
    let lower = prop_oneof![3 => (-5..5_i32).prop_map(f64::from), 1 => Just(f64::NEG_INFINITY)];
    let width = prop_oneof![3 => (0..9_i32).prop_map(f64::from), 1 => Just(f64::INFINITY)];
    (lower, width).prop_map(|(lower, width)| {
        let upper = if lower.is_finite() { lower + width } else { width };
        (lower, upper)
    })
}

const COLUMNS: usize = 6;

fn row() -> impl Strategy<Value = LiveRow> {
    (bounds(), prop::collection::vec(-3..4_i32, COLUMNS)).prop_map(|((lower, upper), factors)| {
        let terms = factors.into_iter().map(f64::from).enumerate().filter(|(_, factor)| *factor != 0.0).collect();
        LiveRow { lower, upper, terms }
    })
}

fn model() -> impl Strategy<Value = Model> {
    let column = ((-4..5_i32).prop_map(f64::from), bounds()).prop_map(|(cost, (lower, upper))| LiveColumn {
        cost,
        lower,
        upper,
    });
    (prop::collection::vec(column, COLUMNS), prop::collection::vec(row(), 0..6))
        .prop_map(|(columns, rows)| Model { columns, rows })
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        (0..COLUMNS, -4..5_i32).prop_map(|(column, cost)| Change::Cost(column, f64::from(cost))),
        (0..COLUMNS, bounds()).prop_map(|(column, (lower, upper))| Change::Bounds(column, lower, upper)),
        row().prop_map(Change::Add),
        any::<usize>().prop_map(Change::Delete),
    ]
}

impl Model {
    fn live(&self) -> Box<dyn LiveProgram> {
        let mut live = Highs.program();
        live.add_columns(&self.columns);
        live.add_rows(&self.rows);
        live
    }

    fn apply(&mut self, change: &Change, live: &mut dyn LiveProgram) {
        match change {
            Change::Cost(column, cost) => {
                self.columns[*column].cost = *cost;
                live.set_costs(&[(*column, *cost)]);
            }
            Change::Bounds(column, lower, upper) => {
                (self.columns[*column].lower, self.columns[*column].upper) = (*lower, *upper);
                live.set_bounds(&[(*column, *lower, *upper)]);
            }
            Change::Add(row) => {
                self.rows.push(row.clone());
                live.add_rows(std::slice::from_ref(row));
            }
            Change::Delete(_) if self.rows.is_empty() => {}
            Change::Delete(row) => {
                let row = row % self.rows.len();
                self.rows.remove(row);
                live.delete_rows(&[row]);
            }
        }
    }

    /// Values within bounds, reduced costs that follow from the prices, signs that fit the bounds at rest: together these
    /// prove that nothing is better.
    fn check_optimal(&self, live: &dyn LiveProgram) -> Result<(), TestCaseError> {
        let inside = |value: f64, lower: f64, upper: f64| lower - TOLERANCE <= value && value <= upper + TOLERANCE;
        let at = |value: f64, bound: f64| (value - bound).abs() <= TOLERANCE;
        let fits = |price: f64, value: f64, lower: f64, upper: f64| {
            (price <= TOLERANCE || at(value, lower)) && (price >= -TOLERANCE || at(value, upper))
        };
        let mut reduced: Vec<f64> = self.columns.iter().map(|column| column.cost).collect();
        for (row, price) in self.rows.iter().zip(live.prices()) {
            let sum = row.terms.iter().map(|(column, factor)| factor * live.values()[*column]).sum();
            prop_assert!(inside(sum, row.lower, row.upper) && fits(*price, sum, row.lower, row.upper));
            row.terms.iter().for_each(|(column, factor)| reduced[*column] -= price * factor);
        }
        let mut objective = 0.0;
        for (at, column) in self.columns.iter().enumerate() {
            let (value, cost) = (live.values()[at], live.reduced_costs()[at]);
            prop_assert!((cost - reduced[at]).abs() <= TOLERANCE);
            prop_assert!(inside(value, column.lower, column.upper) && fits(cost, value, column.lower, column.upper));
            objective += value * column.cost;
        }
        prop_assert!((objective - live.objective()).abs() <= TOLERANCE);
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn changes_in_place_end_where_a_new_program_does(mut model in model(), changes in prop::collection::vec(change(), 0..12)) {
        let mut live = model.live();
        for (step, change) in changes.iter().enumerate() {
            let simplex = if step % 2 == 0 { Simplex::Primal } else { Simplex::Dual };
            let warm = live.solve(simplex);
            let mut fresh = model.live();
            prop_assert_eq!(warm, fresh.solve(Simplex::Dual), "step {}", step);
            prop_assert!(matches!(warm, LiveStatus::Optimal | LiveStatus::Infeasible | LiveStatus::Unbounded));
            if warm == LiveStatus::Optimal {
                model.check_optimal(&*live)?;
                prop_assert!((live.objective() - fresh.objective()).abs() <= TOLERANCE);
            }
            model.apply(change, &mut *live);
        }
    }

    #[test]
    fn a_cutoff_is_never_claimed_wrongly(model in model(), cutoff in -20..20_i32) {
        let mut live = model.live();
        let truth = live.solve(Simplex::Dual);
        let optimum = live.objective();
        let mut live = model.live();
        live.set_cutoff(f64::from(cutoff));
        if live.solve(Simplex::Dual) == LiveStatus::CutOff {
            prop_assert!(truth == LiveStatus::Infeasible || optimum >= f64::from(cutoff) - TOLERANCE);
        }
    }
}
