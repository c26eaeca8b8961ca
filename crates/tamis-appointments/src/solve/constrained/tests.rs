//! Every method against every schedule of small problems, and the paper's examples.

use crate::error::{AppointmentError, Conflict};
use crate::instance::{Allowed, Attribute, Instance, Limit, Member, MixingRule, Share, Unit, Who};
use crate::schedule::{Placement, Schedule};
use crate::solve::{Method, SolveOptions, solve};
use crate::vector::AnonymityVector;
use proptest::prelude::*;
use std::collections::BTreeMap;

const METHODS: [Method; 6] =
    [Method::Exact, Method::Heuristic, Method::Greatest, Method::Half, Method::Authors, Method::Random];

/// (quasi-identifier, nationality, people) of each member, how many units, and a bit for each slot allowed.
type DrawnUnit = (Vec<(usize, u32, u64)>, u64, u8);

fn drawn_unit() -> impl Strategy<Value = DrawnUnit> {
    let single = (0_usize..3, 0_u32..3).prop_map(|(quasi_id, value)| vec![(quasi_id, value, 1)]);
    let family = prop::collection::vec((0_usize..3, 0_u32..3, 1_u64..=2), 1..=2);
    (prop_oneof![4 => single, 1 => family], 1_u64..=3, prop_oneof![Just(7_u8), 1_u8..8])
}

fn drawn_rule() -> impl Strategy<Value = MixingRule> {
    let who = prop_oneof![Just(Who::Each), (0_u32..3).prop_map(Who::Only), (0_u32..3).prop_map(Who::AllBut)];
    let share = prop_oneof![Just("0.25"), Just("0.34"), Just("0.5"), Just("0.7")];
    let share = share.prop_filter_map("a share", |text| text.parse::<Share>().ok().map(Limit::MaximumShare));
    let limit = prop_oneof![share, (2_u32..=3).prop_map(Limit::MinimumDistinct)];
    (who, limit).prop_map(|(who, limit)| MixingRule { attribute: 0, who, limit })
}

fn instance(units: &[DrawnUnit], capacities: &[u64], mixing: Vec<MixingRule>) -> Instance {
    let mut names: Vec<usize> = units.iter().flat_map(|unit| unit.0.iter().map(|member| member.0)).collect();
    names.sort_unstable();
    names.dedup();
    let units = units.iter().map(|(members, count, bits)| Unit {
        members: members
            .iter()
            .map(|&(quasi_id, value, people)| Member {
                quasi_id: names.partition_point(|&other| other < quasi_id),
                values: vec![value],
                people,
            })
            .collect(),
        count: *count,
        allowed: match (0..capacities.len()).filter(|slot| bits & (1 << slot) != 0).collect::<Vec<_>>() {
            slots if slots.len() == capacities.len() => Allowed::All,
            slots => Allowed::Only(slots.into()),
        },
    });
    let values = ["here", "there", "elsewhere"].map(str::to_owned).to_vec();
    Instance {
        quasi_ids: names.len(),
        capacities: capacities.to_vec(),
        units: units.collect(),
        attributes: vec![Attribute { name: "nationality".to_owned(), values }],
        mixing,
    }
}

/// Calls for every way to place units where they may go; units marked as optional may also stay away.
fn every_schedule(instance: &Instance, is_optional: &[bool], mut see: impl FnMut(&Instance, &Schedule)) {
    let each: Vec<usize> = (0..instance.units.len())
        .flat_map(|unit| std::iter::repeat_n(unit, instance.units[unit].count as usize))
        .collect();
    let slots = instance.capacities.len();
    let mut choice = vec![0; each.len()];
    loop {
        let mut cells: Vec<BTreeMap<usize, u64>> = vec![BTreeMap::new(); instance.units.len()];
        let mut fits = true;
        for (&unit, &slot) in each.iter().zip(&choice) {
            if slot < slots {
                fits &= instance.units[unit].allowed.contains(slot);
                *cells[unit].entry(slot).or_insert(0) += 1;
            } else {
                fits &= is_optional[unit];
            }
        }
        if fits {
            let mut placed = instance.clone();
            for (unit, row) in placed.units.iter_mut().zip(&cells) {
                unit.count = row.values().sum();
            }
            let row =
                |row: BTreeMap<usize, u64>| row.into_iter().map(|(slot, units)| Placement { slot, units }).collect();
            see(&placed, &Schedule { rows: cells.into_iter().map(row).collect() });
        }
        let Some(at) = choice.iter().position(|&slot| slot < slots) else { return };
        choice[..at].fill(0);
        choice[at] += 1;
    }
}

/// The best vector of all schedules that meet the conditions.
fn best_of_all(instance: &Instance) -> Option<AnonymityVector> {
    let mut best: Option<AnonymityVector> = None;
    every_schedule(instance, &vec![false; instance.units.len()], |placed, schedule| {
        if placed.check(schedule).is_ok() {
            let vector = schedule.vector(placed);
            if best.as_ref().is_none_or(|best| vector < *best) {
                best = Some(vector);
            }
        }
    });
    best
}

/// Whether the units, slots and rules a conflict names alone have no schedule, whether or not others keep them company.
fn is_real(instance: &Instance, conflict: &Conflict) -> bool {
    let is_optional: Vec<bool> = (0..instance.units.len()).map(|unit| !conflict.units.contains(&unit)).collect();
    let mut only = instance.clone();
    only.mixing = conflict.rules.iter().map(|&rule| instance.mixing[rule].clone()).collect();
    let mut is_real = true;
    every_schedule(&only, &is_optional, |placed, schedule| is_real &= placed.check(schedule).is_err());
    is_real
}

fn small() -> impl Strategy<Value = Instance> {
    let units = prop::collection::vec(drawn_unit(), 1..=5);
    let capacities = prop::collection::vec(1_u64..=6, 1..=3);
    let mixing = prop_oneof![Just(Vec::new()), prop::collection::vec(drawn_rule(), 1..=2)];
    (units, capacities, mixing)
        .prop_map(|(mut units, capacities, mixing)| {
            let mut left = 7;
            for unit in &mut units {
                unit.1 = unit.1.min(left);
                left -= unit.1;
            }
            units.retain(|unit| unit.1 > 0);
            instance(&units, &capacities, mixing)
        })
        .prop_filter("places for everybody", |instance| instance.validate().is_ok())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_schedule_is_found_exactly_when_there_is_one(instance in small(), seed in 0_u64..100) {
        let best = best_of_all(&instance);
        let options = SolveOptions { seed, ..SolveOptions::default() };
        for method in METHODS {
            match (solve(&instance, method, &options), &best) {
                (Ok(solution), Some(best)) => {
                    prop_assert_eq!(instance.check(&solution.schedule), Ok(()));
                    prop_assert_eq!(solution.schedule.vector(&instance), solution.vector.clone());
                    prop_assert!(solution.vector >= *best && solution.lower_bound <= *best);
                }
                (Err(AppointmentError::Infeasible(conflict)), None) => {
                    prop_assert!(conflict.is_proved, "{:?}", conflict);
                    prop_assert!(is_real(&instance, &conflict), "{:?}", conflict);
                }
                (outcome, best) => prop_assert!(false, "{:?}: {:?}, best {:?}", method, outcome, best),
            }
        }
    }
}

/// Small problems drawn by a fixed generator, so that rates mean the same every time.
fn fixed_family(cases: usize) -> Vec<Instance> {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    (0..cases).filter_map(|_| small().new_tree(&mut runner).ok().map(|tree| tree.current())).collect()
}

#[test]
fn the_heuristic_nearly_always_finds_the_optimum_of_small_problems() {
    let (mut optimal, mut feasible) = (0, 0);
    for instance in fixed_family(400) {
        let Some(best) = best_of_all(&instance) else { continue };
        feasible += 1;
        if let Ok(solution) = solve(&instance, Method::Heuristic, &SolveOptions::default()) {
            optimal += usize::from(solution.vector == best);
        }
    }
    println!("{optimal} of {feasible} optimal");
    assert!(feasible > 100 && optimal * 100 >= feasible * 98, "{optimal} of {feasible}");
}
