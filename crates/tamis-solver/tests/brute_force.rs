//! Small integer programs, beside trying every value.

use proptest::prelude::*;
use tamis_solver::{Limit, MicroLp, Program, Relation, Solver, Status};

const LARGEST: i32 = 4;

/// Programs with small whole numbers, so that every sum can be checked in integers.
fn programs() -> impl Strategy<Value = Program> {
    let relation = prop_oneof![Just(Relation::AtMost), Just(Relation::Exactly), Just(Relation::AtLeast)];
    (1_usize..=4).prop_flat_map(move |variables| {
        let row = (prop::collection::vec(-4_i32..=4, variables), relation.clone(), -6_i32..=12);
        let costs = prop::collection::vec(-5_i32..=5, variables);
        (costs, prop::collection::vec(row, 0..=4)).prop_map(|(costs, rows)| {
            let mut program = Program::default();
            for cost in costs {
                program.integer(0, LARGEST, f64::from(cost));
            }
            for (factors, relation, right) in rows {
                let terms = factors.iter().map(|&factor| f64::from(factor)).enumerate();
                program.row(terms.filter(|&(_, factor)| factor != 0.0), relation, f64::from(right));
            }
            program
        })
    })
}

fn costs(program: &Program, values: &[i64]) -> i64 {
    program.variables.iter().zip(values).map(|(variable, value)| variable.cost as i64 * value).sum()
}

fn holds(program: &Program, values: &[i64]) -> bool {
    program.rows.iter().all(|row| {
        let sum: i64 = row.terms.iter().map(|&(variable, factor)| factor as i64 * values[variable]).sum();
        match row.relation {
            Relation::AtMost => sum <= row.right as i64,
            Relation::Exactly => sum == row.right as i64,
            Relation::AtLeast => sum >= row.right as i64,
        }
    })
}

/// The least costs over all values.
fn least(program: &Program) -> Option<i64> {
    let base = i64::from(LARGEST) + 1;
    let all = base.pow(program.variables.len() as u32);
    let values = |number: i64| (0..program.variables.len()).map(move |at| number / base.pow(at as u32) % base);
    (0..all)
        .map(|number| values(number).collect::<Vec<_>>())
        .filter(|values| holds(program, values))
        .map(|values| costs(program, &values))
        .min()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn the_optimum_is_that_of_trying_everything(program in programs()) {
        let outcome = MicroLp.solve(&program, &Limit::none());
        match least(&program) {
            None => prop_assert_eq!(outcome.status, Status::Infeasible),
            Some(least) => {
                prop_assert_eq!(&outcome.status, &Status::Optimal);
                let values = outcome.integers().expect("an optimum has whole values");
                prop_assert!(holds(&program, &values));
                prop_assert!(values.iter().all(|value| (0..=i64::from(LARGEST)).contains(value)));
                prop_assert_eq!(costs(&program, &values), least);
                prop_assert_eq!(outcome.whole_bound(), Some(least));
            }
        }
    }

    #[test]
    fn the_relaxation_is_a_bound(program in programs()) {
        let outcome = MicroLp.relax(&program, &Limit::none());
        if let Some(least) = least(&program) {
            prop_assert_eq!(&outcome.status, &Status::Optimal);
            prop_assert!(outcome.whole_bound().expect("an optimum is a bound") <= least);
        }
    }
}

/// A program with so many equal choices that branching over them takes long: an odd sum of even numbers.
fn hopeless() -> Program {
    let mut program = Program::default();
    let variables: Vec<usize> = (0..60).map(|_| program.integer(0, 1, 0.0)).collect();
    program.row(variables.iter().map(|&variable| (variable, 2.0)), Relation::Exactly, 59.0);
    program
}

#[test]
fn limits_are_kept() {
    let mut program = hopeless();
    // Two more variables keep the row from being refused at a glance.
    let (x, y) = (program.integer(0, 1, 0.0), program.integer(0, 1, 0.0));
    program.rows[0].terms.extend([(x, 4.0), (y, 6.0)]);
    let nodes = Limit { nodes: Some(20), ..Limit::none() };
    assert_eq!(MicroLp.solve(&program, &nodes).status, Status::TimedOut);
    let flag = || true;
    let stopped = Limit { is_over: Some(&flag), ..Limit::none() };
    assert_eq!(MicroLp.solve(&program, &stopped).status, Status::TimedOut);
    assert_eq!(MicroLp.relax(&program, &Limit::of(std::time::Duration::ZERO)).status, Status::TimedOut);
}

#[test]
fn what_cannot_be_solved_is_a_status() {
    let mut program = Program::default();
    let x = program.real(0.0, f64::INFINITY, -1.0);
    assert_eq!(MicroLp.relax(&program, &Limit::none()).status, Status::Unbounded);
    program.row([(x, f64::NAN)], Relation::AtMost, 1.0);
    assert!(matches!(MicroLp.relax(&program, &Limit::none()).status, Status::Failed(_)));
    assert_eq!(MicroLp.solve(&Program::default(), &Limit::none()).objective, Some(0.0));
}
