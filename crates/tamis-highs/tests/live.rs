//! What the trait promises, method by method.

use tamis_highs::Highs;
use tamis_solver::{LiveColumn, LiveProgram, LiveRow, LiveSolver, LiveStatus, Simplex};

const INFINITY: f64 = f64::INFINITY;

fn program(columns: &[(f64, f64, f64)], rows: &[(f64, f64, &[f64])]) -> Box<dyn LiveProgram> {
    let mut program = Highs.program();
    let column = |&(cost, lower, upper): &(f64, f64, f64)| LiveColumn { cost, lower, upper };
    program.add_columns(&columns.iter().map(column).collect::<Vec<_>>());
    program.add_rows(&rows.iter().map(|&(lower, upper, factors)| row(lower, upper, factors)).collect::<Vec<_>>());
    program
}

fn row(lower: f64, upper: f64, factors: &[f64]) -> LiveRow {
    let terms = factors.iter().copied().enumerate().filter(|(_, factor)| *factor != 0.0).collect();
    LiveRow { lower, upper, terms }
}

fn near(found: f64, expected: f64) -> bool {
    (found - expected).abs() < 1e-9
}

/// min x + 2y + 3z with x + y + z >= 6, x <= 1, y <= 2, z <= 10: x = 1, y = 2, z = 3.
fn three() -> Box<dyn LiveProgram> {
    program(&[(1.0, 0.0, 1.0), (2.0, 0.0, 2.0), (3.0, 0.0, 10.0)], &[(6.0, INFINITY, &[1.0, 1.0, 1.0])])
}

#[test]
fn prices_and_reduced_costs_say_how_the_objective_grows() {
    for simplex in [Simplex::Primal, Simplex::Dual] {
        let mut live = three();
        assert_eq!(live.solve(simplex), LiveStatus::Optimal);
        assert!(near(live.objective(), 14.0));
        assert_eq!(live.values(), [1.0, 2.0, 3.0]);
        // One more asked for is one more z; one more x saves a z.
        assert_eq!(live.prices(), [3.0]);
        assert_eq!(live.reduced_costs(), [-2.0, -1.0, 0.0]);
    }
}

#[test]
fn an_upper_bound_has_a_negative_price() {
    // min -x - y with x + 2y <= 4, x <= 2: one more allowed gains half.
    let mut live = program(&[(-1.0, 0.0, 2.0), (-1.0, 0.0, INFINITY)], &[(-INFINITY, 4.0, &[1.0, 2.0])]);
    assert_eq!(live.solve(Simplex::Dual), LiveStatus::Optimal);
    assert_eq!(live.prices(), [-0.5]);
    assert_eq!(live.reduced_costs(), [-0.5, 0.0]);
}

#[test]
fn costs_and_bounds_change_in_place() {
    let mut live = three();
    live.solve(Simplex::Dual);
    live.set_costs(&[(0, 5.0), (2, 1.0)]);
    assert_eq!(live.solve(Simplex::Primal), LiveStatus::Optimal);
    assert!(near(live.objective(), 6.0));
    live.set_bounds(&[(1, 1.0, 1.0), (2, 0.0, 4.0)]);
    assert_eq!(live.solve(Simplex::Dual), LiveStatus::Optimal);
    assert_eq!(live.values(), [1.0, 1.0, 4.0]);
}

#[test]
fn rows_come_and_go() {
    let mut live = three();
    live.solve(Simplex::Dual);
    live.add_rows(&[row(-INFINITY, 2.0, &[0.0, 0.0, 1.0]), row(0.0, INFINITY, &[1.0, -1.0, 0.0])]);
    assert_eq!(live.rows(), 3);
    assert_eq!(live.solve(Simplex::Dual), LiveStatus::Infeasible);
    live.delete_rows(&[1]);
    assert_eq!(live.rows(), 2);
    // The row behind moved up: x >= y holds.
    assert_eq!(live.solve(Simplex::Dual), LiveStatus::Optimal);
    assert_eq!(live.values(), [1.0, 1.0, 4.0]);
    assert_eq!(live.prices().len(), 2);
    live.delete_rows(&[0, 1]);
    assert_eq!(live.solve(Simplex::Dual), LiveStatus::Optimal);
    assert_eq!(live.values(), [0.0, 0.0, 0.0]);
}

#[test]
fn columns_may_follow_rows() {
    let mut live = three();
    live.solve(Simplex::Dual);
    live.add_columns(&[LiveColumn { cost: 0.5, lower: 0.0, upper: 2.0 }]);
    live.add_rows(&[row(2.0, 2.0, &[0.0, 0.0, 1.0, 1.0])]);
    assert_eq!(live.solve(Simplex::Dual), LiveStatus::Infeasible);
    live.set_bounds(&[(0, 0.0, 2.0)]);
    assert_eq!(live.solve(Simplex::Dual), LiveStatus::Optimal);
    assert_eq!(live.values(), [2.0, 2.0, 2.0, 0.0]);
    assert_eq!(live.reduced_costs().len(), 4);
}

#[test]
fn a_saved_basis_needs_no_steps() {
    let mut live = transport();
    live.solve(Simplex::Dual);
    let (objective, basis) = (live.objective(), live.basis());
    let bounds: Vec<_> = (0..20).map(|column| (column, 0.0, 1.0)).collect();
    live.set_bounds(&bounds);
    assert_eq!(live.solve(Simplex::Dual), LiveStatus::Optimal);
    assert!(live.objective() > objective);
    live.set_bounds(&bounds.iter().map(|(column, ..)| (*column, 0.0, INFINITY)).collect::<Vec<_>>());
    live.restore(&basis);
    let before = live.steps();
    assert_eq!(live.solve(Simplex::Dual), LiveStatus::Optimal);
    assert_eq!(live.steps(), before);
    assert!(near(live.objective(), objective));
    assert_eq!(live.basis(), basis);
}

#[test]
fn a_basis_of_another_size_is_ignored() {
    let other = three().basis();
    let mut live = transport();
    live.restore(&other);
    assert_eq!(live.solve(Simplex::Dual), LiveStatus::Optimal);
    // Before any solve there is no basis worth restoring, but it does no harm.
    let mut live = transport();
    let early = live.basis();
    live.restore(&early);
    assert_eq!(live.solve(Simplex::Dual), LiveStatus::Optimal);
}

fn transport() -> Box<dyn LiveProgram> {
    transport_of(10)
}

/// Stores that must get 3 each from as many places that give 4 at most.
fn transport_of(size: usize) -> Box<dyn LiveProgram> {
    let mut live = Highs.program();
    let cost = |column: usize| 1.0 + f64::from(u32::try_from((column * 37) % 101).unwrap()) / 7.0;
    let columns: Vec<_> =
        (0..size * size).map(|column| LiveColumn { cost: cost(column), lower: 0.0, upper: INFINITY }).collect();
    live.add_columns(&columns);
    let terms = |start: usize, step: usize| (0..size).map(|at| (start + at * step, 1.0)).collect();
    let needs = (0..size).map(|store| LiveRow { lower: 3.0, upper: INFINITY, terms: terms(store, size) });
    let gives = (0..size).map(|place| LiveRow { lower: -INFINITY, upper: 4.0, terms: terms(place * size, 1) });
    live.add_rows(&needs.chain(gives).collect::<Vec<_>>());
    live
}

#[test]
fn a_cutoff_stops_dual_simplex_early() {
    let mut live = transport_of(60);
    live.solve(Simplex::Dual);
    let (optimum, steps) = (live.objective(), live.steps());
    let mut live = transport_of(60);
    live.set_cutoff(optimum / 2.0);
    assert_eq!(live.solve(Simplex::Dual), LiveStatus::CutOff);
    assert!(live.steps() < steps);
    live.set_cutoff(INFINITY);
    assert_eq!(live.solve(Simplex::Dual), LiveStatus::Optimal);
    assert!(near(live.objective(), optimum));
    // A cut-off that is not reached changes nothing.
    live.set_cutoff(optimum + 1.0);
    assert_eq!(live.solve(Simplex::Dual), LiveStatus::Optimal);
}

#[test]
fn the_limit_of_steps_is_one_of_each_solve() {
    let mut live = transport();
    live.set_step_limit(Some(3));
    for solves in 1..=3 {
        assert_eq!(live.solve(Simplex::Dual), LiveStatus::Stopped);
        assert_eq!(live.steps(), 3 * solves);
    }
    live.set_step_limit(None);
    assert_eq!(live.solve(Simplex::Dual), LiveStatus::Optimal);
    assert!(live.steps() > 9);
}

#[test]
fn steps_add_up_over_solves() {
    let mut live = transport();
    live.solve(Simplex::Dual);
    let first = live.steps();
    assert!(first > 0);
    live.solve(Simplex::Dual);
    assert_eq!(live.steps(), first);
    live.set_costs(&[(0, 100.0), (37, -5.0)]);
    live.solve(Simplex::Primal);
    assert!(live.steps() > first);
}

#[test]
fn what_has_no_answer_is_said_so() {
    for simplex in [Simplex::Primal, Simplex::Dual] {
        let mut live = program(&[(-1.0, 0.0, INFINITY), (0.0, 0.0, INFINITY)], &[(0.0, 0.0, &[1.0, -1.0])]);
        assert_eq!(live.solve(simplex), LiveStatus::Unbounded);
        live.set_bounds(&[(1, 0.0, 5.0)]);
        assert_eq!(live.solve(simplex), LiveStatus::Optimal);
        assert_eq!(live.values(), [5.0, 5.0]);
        live.set_bounds(&[(0, 6.0, 7.0)]);
        assert_eq!(live.solve(simplex), LiveStatus::Infeasible);
        live.set_bounds(&[(0, 7.0, 6.0)]);
        assert_eq!(live.solve(simplex), LiveStatus::Infeasible);
        live.set_bounds(&[(0, -INFINITY, INFINITY)]);
        assert_eq!(live.solve(simplex), LiveStatus::Optimal);
    }
}

#[test]
fn programs_without_rows_or_columns_are_programs() {
    let mut live = Highs.program();
    assert_eq!(live.solve(Simplex::Dual), LiveStatus::Optimal);
    assert_eq!((live.objective(), live.rows()), (0.0, 0));
    live.add_columns(&[]);
    live.add_rows(&[]);
    live.set_bounds(&[]);
    live.set_costs(&[]);
    live.delete_rows(&[]);
    assert_eq!(live.solve(Simplex::Primal), LiveStatus::Optimal);
    live.add_columns(&[LiveColumn { cost: -1.0, lower: 0.0, upper: 2.0 }]);
    assert_eq!(live.solve(Simplex::Primal), LiveStatus::Optimal);
    assert_eq!(live.values(), [2.0]);
}

#[test]
fn bounds_from_1e20_on_are_infinite() {
    let mut live = program(&[(-1.0, 0.0, 1e20)], &[]);
    assert_eq!(live.solve(Simplex::Primal), LiveStatus::Unbounded);
    live.set_bounds(&[(0, 0.0, 1e19)]);
    assert_eq!(live.solve(Simplex::Primal), LiveStatus::Optimal);
    assert_eq!(live.values(), [1e19]);
}

#[test]
fn what_is_outside_the_ranges_fails_for_good_and_without_a_panic() {
    type Harm = fn(&mut dyn LiveProgram);
    let harms: [Harm; 9] = [
        |live| live.add_rows(&[row(0.0, 1.0, &[1e16])]),
        |live| live.add_rows(&[row(0.0, 1.0, &[f64::NAN])]),
        |live| live.add_rows(&[LiveRow { lower: 0.0, upper: 1.0, terms: vec![(1, 1.0), (1, 1.0)] }]),
        |live| live.add_rows(&[LiveRow { lower: 0.0, upper: 1.0, terms: vec![(7, 1.0)] }]),
        |live| live.add_rows(&[row(f64::NAN, 1.0, &[1.0])]),
        |live| live.set_bounds(&[(0, INFINITY, INFINITY)]),
        |live| live.set_bounds(&[(9, 0.0, 1.0)]),
        |live| live.set_costs(&[(0, f64::NAN)]),
        |live| live.delete_rows(&[4]),
    ];
    for harm in harms {
        let mut live = three();
        live.solve(Simplex::Dual);
        harm(&mut *live);
        assert_eq!(live.solve(Simplex::Dual), LiveStatus::Failed);
        let basis = live.basis();
        live.restore(&basis);
        live.set_costs(&[(0, 1.0)]);
        assert_eq!(live.solve(Simplex::Primal), LiveStatus::Failed);
    }
}

#[test]
fn many_programs_run_on_many_threads_and_move_between_them() {
    let expected = {
        let mut live = transport();
        live.solve(Simplex::Dual);
        live.objective()
    };
    let begun: Vec<_> = std::thread::scope(|scope| {
        let begin = || {
            let mut live = transport();
            live.set_step_limit(Some(5));
            assert_eq!(live.solve(Simplex::Dual), LiveStatus::Stopped);
            live
        };
        let workers: Vec<_> = (0..8).map(|_| scope.spawn(begin)).collect();
        workers.into_iter().map(|worker| worker.join().expect("a program")).collect()
    });
    std::thread::scope(|scope| {
        for mut live in begun {
            scope.spawn(move || {
                live.set_step_limit(None);
                for _ in 0..50 {
                    assert_eq!(live.solve(Simplex::Dual), LiveStatus::Optimal);
                    assert!(near(live.objective(), expected));
                }
            });
        }
    });
}

#[test]
fn removing_rows_that_rest_on_no_bound_keeps_the_basis() {
    let mut live = transport();
    live.add_rows(&[row(-1000.0, 1000.0, &[1.0, 1.0]), row(-1000.0, 1000.0, &[0.0, 1.0])]);
    live.solve(Simplex::Dual);
    let steps = live.steps();
    live.delete_rows(&[20, 21]);
    assert_eq!(live.solve(Simplex::Dual), LiveStatus::Optimal);
    assert_eq!(live.steps(), steps);
}

/// Runs this very test in a process of its own and reads what it writes: nothing but the lines of the test harness.
#[test]
fn nothing_is_ever_printed() {
    const INSIDE: &str = "TAMIS_HIGHS_IS_QUIET";
    if std::env::var_os(INSIDE).is_some() {
        let mut live = transport();
        live.set_step_limit(Some(2));
        live.solve(Simplex::Dual);
        live.set_bounds(&[(0, 3.0, 2.0), (1, 0.0, 1e300)]);
        live.solve(Simplex::Primal);
        live.add_rows(&[row(0.0, 1.0, &[1e-12, 1.0])]);
        live.solve(Simplex::Dual);
        live.set_bounds(&[(0, 1e30, 1e31)]);
        live.solve(Simplex::Dual);
        live.delete_rows(&[500]);
        return;
    }
    let program = std::env::current_exe().expect("a path");
    let output = std::process::Command::new(program)
        .args(["--exact", "live::nothing_is_ever_printed", "--nocapture", "--test-threads=1"])
        .env(INSIDE, "1")
        .output()
        .expect("a run");
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let text = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert_eq!(lines[..2], ["running 1 test", "test live::nothing_is_ever_printed ... ok"], "{text}");
}
