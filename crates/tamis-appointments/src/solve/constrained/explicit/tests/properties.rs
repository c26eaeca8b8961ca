use super::super::effort::Effort;
use super::super::relaxed::Relaxed;
use super::super::{Outcome, explicit, levels};
use super::brute_force::smallest_vector;
use super::strategies::instance;
use crate::instance::Instance;
use crate::solve::{Patience, Solution, SolveOptions};
use proptest::prelude::*;

fn options() -> SolveOptions {
    SolveOptions::default()
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
    #![proptest_config(ProptestConfig::with_cases(1000))]

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
    fn whatever_is_said_after_a_few_steps_is_true(instance in instance(), steps in 0..60_u64, has_start in any::<bool>()) {
        prop_assume!(!instance.units.is_empty());
        let start = match explicit(&instance, None, &options()) {
            Outcome::Solution(_) if has_start => {
                let mut effort = Effort::with_steps(Patience::default(), 40);
                match levels::solve(&instance, None, &Relaxed::nothing(&instance), None, &mut effort) {
                    Outcome::Solution(solution) => Some(solution.schedule),
                    _ => None,
                }
            }
            _ => None,
        };
        let mut effort = Effort::with_steps(Patience::default(), steps);
        match levels::solve(&instance, start.as_ref(), &Relaxed::nothing(&instance), None, &mut effort) {
            Outcome::Solution(solution) => is_sound(&instance, &solution)?,
            Outcome::Infeasible => prop_assert_eq!(smallest_vector(&instance), None),
            Outcome::NothingFound => prop_assert!(start.is_none()),
        }
    }
}
