use super::super::effort::Effort;
use super::super::relaxed::Relaxed;
use super::super::{Outcome, explicit, levels};
use super::brute_force::smallest_vector;
use super::strategies::instance;
use crate::instance::Instance;
use crate::schedule::Schedule;
use crate::solve::{Patience, Solution, SolveOptions, exact};
use proptest::prelude::*;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

fn options() -> SolveOptions {
    SolveOptions::default()
}

/// The search alone, without help from the problem without conditions, for so many steps.
fn search(instance: &Instance, start: Option<&Schedule>, steps: u64) -> Outcome {
    let mut effort = Effort::with_steps(Patience::default(), steps);
    levels::solve(instance, start, &Relaxed::nothing(instance), None, &mut effort)
}

/// What must hold of every solution, finished or not.
fn is_sound(instance: &Instance, solution: &Solution) -> Result<(), TestCaseError> {
    let optimum = smallest_vector(instance).expect("a schedule was found");
    prop_assert_eq!(instance.check(&solution.schedule), Ok(()));
    prop_assert_eq!(&solution.schedule.vector(instance), &solution.vector);
    prop_assert!(solution.lower_bound <= optimum, "bound {} above {}", solution.lower_bound, optimum);
    for (size, proof) in (1..).zip(&solution.proofs) {
        prop_assert_eq!(proof.size, size);
        prop_assert_eq!(proof.cells, optimum.cells_of_size(size));
        prop_assert_eq!(proof.cells, solution.vector.cells_of_size(size));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn the_optimum_is_that_of_all_schedules(instance in instance()) {
        prop_assume!(!instance.units.is_empty());
        match (explicit(&instance, None, &options()), smallest_vector(&instance)) {
            (Outcome::Solution(solution), Some(optimum)) => {
                is_sound(&instance, &solution)?;
                prop_assert_eq!(&solution.vector, &optimum);
                prop_assert!(solution.is_optimal());
            }
            (Outcome::Infeasible, None) => {}
            (outcome, optimum) => prop_assert!(false, "{:?} where the optimum is {:?}", outcome, optimum),
        }
    }

    #[test]
    fn the_search_alone_says_the_same(instance in instance()) {
        prop_assume!(!instance.units.is_empty() && instance.people() <= instance.capacities.iter().sum());
        match (search(&instance, None, u64::MAX), explicit(&instance, None, &options())) {
            (Outcome::Solution(alone), Outcome::Solution(with_help)) => {
                prop_assert_eq!(&alone.vector, &with_help.vector);
                prop_assert!(alone.is_optimal());
            }
            (alone, with_help) => prop_assert_eq!(alone, with_help),
        }
    }

    #[test]
    fn whatever_is_said_after_a_few_steps_is_true(instance in instance(), steps in 0..60_u64, start_steps in 0..60_u64) {
        prop_assume!(!instance.units.is_empty());
        let start = match search(&instance, None, start_steps) {
            Outcome::Solution(solution) => Some(solution.schedule),
            _ => None,
        };
        match search(&instance, start.as_ref(), steps) {
            Outcome::Solution(solution) => is_sound(&instance, &solution)?,
            Outcome::Infeasible => prop_assert_eq!(smallest_vector(&instance), None),
            Outcome::NothingFound => prop_assert!(start.is_none()),
        }
    }

    #[test]
    fn a_level_of_search_proves_the_components_up_to_it(instance in instance(), level in 0..3_u32) {
        prop_assume!(!instance.units.is_empty());
        let options = SolveOptions { level: Some(level), ..options() };
        if let Outcome::Solution(solution) = explicit(&instance, None, &options) {
            is_sound(&instance, &solution)?;
            let first = solution.vector.k().expect("there are people");
            let last = (first + u64::from(level)).min(solution.vector.largest());
            prop_assert!(solution.is_optimal() || solution.proofs.len() as u64 >= last);
        }
    }

    #[test]
    fn without_conditions_it_is_the_plain_optimum(
        frequencies in prop::collection::vec(1..9_u64, 1..5),
        capacities in prop::collection::vec(1..9_u64, 1..6),
    ) {
        let missing = frequencies.iter().sum::<u64>().saturating_sub(capacities.iter().sum());
        let capacities: Vec<u64> = capacities.iter().copied().chain((missing > 0).then_some(missing)).collect();
        let instance = Instance::plain(&frequencies, &capacities).expect("there is room");
        let plain = exact::exact(&instance.relaxed(), &options());
        match search(&instance, None, u64::MAX) {
            Outcome::Solution(solution) => prop_assert_eq!(solution.vector, plain.vector),
            outcome => prop_assert!(false, "{:?}", outcome),
        }
    }
}

#[test]
fn the_running_example_of_the_paper() {
    let instance = Instance::plain(&[4, 4, 5, 2], &[4, 2, 4, 3, 2]).expect("there is room");
    let Outcome::Solution(solution) = search(&instance, None, u64::MAX) else { panic!("there is a schedule") };
    assert_eq!(solution.vector.to_dense(), [0, 2, 1, 2]);
    assert!(solution.is_optimal());
}

#[test]
fn a_raised_flag_leaves_the_schedule_as_it_is() {
    let instance = Instance::plain(&[4, 4, 5, 2], &[4, 2, 4, 3, 2]).expect("there is room");
    let patience = Patience::default().or_flag(Arc::new(AtomicBool::new(true)));
    let options = SolveOptions { patience, ..options() };
    assert_eq!(explicit(&instance, None, &options), Outcome::NothingFound);
    let Outcome::Solution(optimum) = search(&instance, None, u64::MAX) else { panic!("there is a schedule") };
    let Outcome::Solution(kept) = explicit(&instance, Some(&optimum.schedule), &options) else {
        panic!("there is a schedule")
    };
    assert_eq!(kept.schedule, optimum.schedule);
    assert!(kept.lower_bound <= kept.vector);
}

#[test]
fn people_without_a_choice_can_make_it_impossible() {
    use crate::instance::{Allowed, Unit};
    let fixed = |quasi_id, count| Unit { allowed: Allowed::Only([1].into()), ..Unit::people(quasi_id, count) };
    let instance = Instance {
        quasi_ids: 2,
        capacities: vec![5, 3],
        units: vec![fixed(0, 2), fixed(1, 2)],
        attributes: Vec::new(),
        mixing: Vec::new(),
    };
    assert_eq!(explicit(&instance, None, &options()), Outcome::Infeasible);
}
