//! Live programs against a solver that shares nothing with them: whatever is changed in place, the answer must be that of the
//! same program handed to microlp anew, and its prices must prove it.

use proptest::prelude::*;
use tamis_highs::Highs;
use tamis_solver::{
    Limit, LiveColumn, LiveProgram, LiveRow, LiveSolver, LiveStatus, MicroLp, Program, Relation, Row, Simplex, Solver,
    Status, Variable,
};

/// One change of a live program.
#[derive(Debug, Clone)]
enum Change {
    /// Terms, lower bound, and a number that says which kind of row it is.
    AddRow(Vec<(usize, i8)>, i8, u8),
    /// Counted on from the first row after the last.
    DeleteRow(usize),
    Cost(usize, i8),
    /// Lower bound and width.
    Bounds(usize, i8, u8),
}

fn change() -> impl Strategy<Value = Change> {
    let terms = prop::collection::vec((0_usize..6, -3_i8..=3), 1..5);
    prop_oneof![
        (terms, -9_i8..=9, 0_u8..12).prop_map(|(terms, lower, kind)| Change::AddRow(terms, lower, kind)),
        (0_usize..20).prop_map(Change::DeleteRow),
        (0_usize..6, -5_i8..=5).prop_map(|(column, cost)| Change::Cost(column, cost)),
        (0_usize..6, -6_i8..=6, 0_u8..8).prop_map(|(column, lower, width)| Change::Bounds(column, lower, width)),
    ]
}

/// The same program twice: live, and as plain numbers.
struct Twins {
    live: Box<dyn LiveProgram>,
    columns: Vec<LiveColumn>,
    rows: Vec<LiveRow>,
}

impl Twins {
    fn new(costs: &[i8]) -> Self {
        let column = |cost: &i8| LiveColumn { cost: f64::from(*cost), lower: -2.0, upper: 7.0 };
        let columns: Vec<LiveColumn> = costs.iter().map(column).collect();
        let mut live = Highs.program();
        live.add_columns(&columns);
        Self { live, columns, rows: Vec::new() }
    }

    fn make(&mut self, change: &Change) {
        match *change {
            Change::AddRow(ref terms, lower, kind) => {
                let mut sums = vec![0.0; self.columns.len()];
                for &(column, factor) in terms {
                    sums[column] += f64::from(factor);
                }
                let terms = sums.into_iter().enumerate().filter(|(_, factor)| *factor != 0.0).collect();
                let lower = f64::from(lower);
                let upper = match kind {
                    0..4 => lower,
                    4..8 => f64::INFINITY,
                    width => lower + f64::from(width),
                };
                let row = LiveRow { lower, upper, terms };
                self.live.add_rows(std::slice::from_ref(&row));
                self.rows.push(row);
            }
            Change::DeleteRow(_) if self.rows.is_empty() => {}
            Change::DeleteRow(row) => {
                let row = row % self.rows.len();
                self.live.delete_rows(&[row]);
                self.rows.remove(row);
            }
            Change::Cost(column, cost) => {
                self.columns[column].cost = f64::from(cost);
                self.live.set_costs(&[(column, f64::from(cost))]);
            }
            Change::Bounds(column, lower, width) => {
                let (lower, upper) = (f64::from(lower), f64::from(lower) + f64::from(width));
                (self.columns[column].lower, self.columns[column].upper) = (lower, upper);
                self.live.set_bounds(&[(column, lower, upper)]);
            }
        }
    }

    /// The least cost according to microlp; none if no values meet the rows.
    fn by_microlp(&self) -> Option<f64> {
        let variable = |c: &LiveColumn| Variable { lower: c.lower, upper: c.upper, cost: c.cost, is_integer: false };
        let mut program = Program { variables: self.columns.iter().map(variable).collect(), rows: Vec::new() };
        for row in &self.rows {
            // A sum of nothing is 0.
            if row.terms.is_empty() && !(row.lower <= 0.0 && 0.0 <= row.upper) {
                return None;
            }
            for (relation, right) in [(Relation::AtLeast, row.lower), (Relation::AtMost, row.upper)] {
                if right.is_finite() && !row.terms.is_empty() {
                    program.rows.push(Row { terms: row.terms.clone(), relation, right });
                }
            }
        }
        let outcome = MicroLp.solve(&program, &Limit::none());
        match outcome.status {
            Status::Optimal => outcome.objective,
            Status::Infeasible => None,
            other => panic!("microlp: {other:?}"),
        }
    }

    /// Solves, and checks everything that is told about the answer.
    fn check(&mut self, simplex: Simplex) -> Result<(), TestCaseError> {
        let close = |a: f64, b: f64| (a - b).abs() < 1e-6;
        let status = self.live.solve(simplex);
        let Some(least) = self.by_microlp() else {
            prop_assert_eq!(status, LiveStatus::Infeasible);
            return Ok(());
        };
        prop_assert_eq!(status, LiveStatus::Optimal);
        prop_assert!(close(self.live.objective(), least), "{} instead of {least}", self.live.objective());
        prop_assert_eq!(self.live.rows(), self.rows.len());

        let (values, prices) = (self.live.values(), self.live.prices());
        let cost: f64 = self.columns.iter().zip(values).map(|(column, value)| column.cost * value).sum();
        prop_assert!(close(cost, least), "the values cost {cost}, not {least}");
        for (column, value) in self.columns.iter().zip(values) {
            prop_assert!(column.lower - 1e-7 <= *value && *value <= column.upper + 1e-7);
        }
        // A positive price is worth the lower bound, a negative one the upper bound; together they prove the least cost.
        let worth = |price: f64, lower: f64, upper: f64| match price {
            price if price > 1e-9 => price * lower,
            price if price < -1e-9 => price * upper,
            _ => 0.0,
        };
        let mut reduced: Vec<f64> = self.columns.iter().map(|column| column.cost).collect();
        let mut proved = 0.0;
        for (row, &price) in self.rows.iter().zip(prices) {
            let sum: f64 = row.terms.iter().map(|&(column, factor)| factor * values[column]).sum();
            prop_assert!(row.lower - 1e-6 <= sum && sum <= row.upper + 1e-6);
            row.terms.iter().for_each(|&(column, factor)| reduced[column] -= price * factor);
            proved += worth(price, row.lower, row.upper);
        }
        for ((column, own), &told) in self.columns.iter().zip(&reduced).zip(self.live.reduced_costs()) {
            prop_assert!(close(*own, told), "a reduced cost of {told} instead of {own}");
            proved += worth(told, column.lower, column.upper);
        }
        prop_assert!(close(proved, least), "prices prove {proved}, not {least}");
        Ok(())
    }
}

proptest! {
    #[test]
    fn whatever_is_changed_in_place_the_answer_is_that_of_a_new_program(
        costs in prop::collection::vec(-5_i8..=5, 6),
        changes in prop::collection::vec((change(), any::<bool>()), 1..25),
    ) {
        let mut twins = Twins::new(&costs);
        for (change, primal) in changes {
            twins.make(&change);
            twins.check(if primal { Simplex::Primal } else { Simplex::Dual })?;
        }
    }

    #[test]
    fn a_basis_leads_back_without_a_step(
        costs in prop::collection::vec(-5_i8..=5, 6),
        changes in prop::collection::vec(change(), 1..12),
    ) {
        let mut twins = Twins::new(&costs);
        for change in &changes {
            twins.make(change);
        }
        if twins.live.solve(Simplex::Dual) == LiveStatus::Optimal {
            let (basis, objective) = (twins.live.basis(), twins.live.objective());
            let old: Vec<(usize, f64)> = twins.columns.iter().map(|column| column.cost).enumerate().collect();
            let away: Vec<(usize, f64)> = old.iter().map(|&(column, cost)| (column, 1.0 - 2.0 * cost)).collect();
            twins.live.set_costs(&away);
            prop_assert_eq!(twins.live.solve(Simplex::Primal), LiveStatus::Optimal);
            twins.live.set_costs(&old);
            twins.live.restore(&basis);
            let before = twins.live.steps();
            prop_assert_eq!(twins.live.solve(Simplex::Primal), LiveStatus::Optimal);
            prop_assert_eq!(twins.live.steps(), before);
            prop_assert!((twins.live.objective() - objective).abs() < 1e-7);
        }
    }

    #[test]
    fn a_cutoff_is_claimed_only_where_it_is_reached(
        costs in prop::collection::vec(-5_i8..=5, 6),
        changes in prop::collection::vec(change(), 1..12),
        cutoff in -60_i8..60,
    ) {
        let mut twins = Twins::new(&costs);
        for change in &changes {
            twins.make(change);
        }
        twins.live.set_cutoff(f64::from(cutoff));
        let status = twins.live.solve(Simplex::Dual);
        match twins.by_microlp() {
            // A program without values costs more than anything.
            None => prop_assert!(matches!(status, LiveStatus::Infeasible | LiveStatus::CutOff)),
            Some(least) if status == LiveStatus::CutOff => prop_assert!(least >= f64::from(cutoff) - 1e-6),
            Some(_) => prop_assert_eq!(status, LiveStatus::Optimal),
        }
        twins.live.set_cutoff(f64::INFINITY);
        twins.check(Simplex::Dual)?;
    }
}

#[test]
fn a_program_without_an_end_says_so() {
    let mut program = Highs.program();
    program.add_columns(&[LiveColumn { cost: -1.0, lower: 0.0, upper: f64::INFINITY }]);
    program.add_rows(&[LiveRow { lower: 0.0, upper: f64::INFINITY, terms: vec![(0, 1.0)] }]);
    for simplex in [Simplex::Primal, Simplex::Dual] {
        assert_eq!(program.solve(simplex), LiveStatus::Unbounded);
    }
}

/// Twenty columns of cost 1 to 20 and at most 3; every two neighbours add up to 2.5 or more, all to 50 or more.
fn chain() -> Box<dyn LiveProgram> {
    let mut program = Highs.program();
    let column = |cost: u8| LiveColumn { cost: f64::from(cost), lower: 0.0, upper: 3.0 };
    program.add_columns(&(1..=20).map(column).collect::<Vec<_>>());
    let at_least = |lower, terms| LiveRow { lower, upper: f64::INFINITY, terms };
    let neighbours = |column| at_least(2.5, vec![(column, 1.0), (column + 1, 1.0)]);
    program.add_rows(&(0..19).map(neighbours).collect::<Vec<_>>());
    program.add_rows(&[at_least(50.0, (0..20).map(|column| (column, 1.0)).collect())]);
    program
}

#[test]
fn a_limit_of_steps_ends_a_solve_and_the_next_goes_on() {
    let mut whole = chain();
    assert_eq!(whole.solve(Simplex::Dual), LiveStatus::Optimal);
    assert!(whole.steps() > 3, "{} steps", whole.steps());
    let mut program = chain();
    program.set_step_limit(Some(2));
    assert_eq!(program.solve(Simplex::Dual), LiveStatus::Stopped);
    assert!(program.objective() <= whole.objective() + 1e-9, "the objective of dual simplex is a bound");
    program.set_step_limit(None);
    assert_eq!(program.solve(Simplex::Dual), LiveStatus::Optimal);
    assert!((program.objective() - whole.objective()).abs() < 1e-9);
}
