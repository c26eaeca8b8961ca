//! Every method against every schedule of small problems, and the paper's examples.

use crate::error::{AppointmentError, Conflict};
use crate::instance::{Allowed, Attribute, Instance, Limit, Member, MixingRule, Share, Unit, Who};
use crate::schedule::{Placement, Schedule};
use crate::solve::{Method, Patience, SolveOptions, solve};
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
    let mut placed = instance.clone();
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
                    prop_assert!(method != Method::Exact || (solution.is_optimal() && solution.vector == *best));
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
    for instance in fixed_family(600) {
        let best = best_of_all(&instance).filter(|_| instance.as_plain().is_none());
        let Some(best) = best else { continue };
        feasible += 1;
        if let Ok(solution) = solve(&instance, Method::Heuristic, &SolveOptions::default()) {
            optimal += usize::from(solution.vector == best);
        }
    }
    println!("{optimal} of {feasible} optimal");
    assert!(feasible > 100 && optimal * 100 >= feasible * 98, "{optimal} of {feasible}");
}

fn share(text: &str) -> Limit {
    Limit::MaximumShare(text.parse().unwrap_or_else(|error| panic!("{error}")))
}

/// The paper's example of its section 9: at most 15 percent who are not from the country, of at least three nationalities.
fn ethical_example(foreigners: &[(usize, u32)], capacities: &[u64]) -> Instance {
    let mut units: Vec<DrawnUnit> = (0..3).map(|quasi_id| (vec![(quasi_id, 0, 1)], 17, u8::MAX)).collect();
    units.extend(foreigners.iter().map(|&(quasi_id, value)| (vec![(quasi_id, value, 1)], 1, u8::MAX)));
    let rules = [share("0.15"), Limit::MinimumDistinct(3)];
    let rules = rules.map(|limit| MixingRule { attribute: 0, who: Who::AllBut(0), limit });
    instance(&units, capacities, rules.to_vec())
}

#[test]
fn at_most_15_percent_foreigners_of_at_least_three_nationalities() {
    let foreigners = [(0, 1), (1, 2), (2, 3), (0, 1), (1, 2), (2, 3)];
    let instance = ethical_example(&foreigners, &[20, 20, 20]);
    for method in METHODS {
        let solution = solve(&instance, method, &SolveOptions::default());
        let solution = solution.unwrap_or_else(|error| panic!("{method:?}: {error}"));
        assert_eq!(instance.check(&solution.schedule), Ok(()), "{method:?}");
        let with_foreigners =
            (0..3).filter(|&slot| solution.schedule.rows[3..].iter().flatten().any(|placement| placement.slot == slot));
        assert_eq!(with_foreigners.count(), 2, "{method:?}: three each, since a slot of 20 takes at most three");
    }
    let heuristic = solve(&instance, Method::Heuristic, &SolveOptions::default()).map(|solution| solution.vector);
    assert!(heuristic.is_ok_and(|vector| vector.k() > Some(2)));
}

fn conflict_of(instance: &Instance, method: Method) -> Conflict {
    match solve(instance, method, &SolveOptions::default()) {
        Err(AppointmentError::Infeasible(conflict)) => *conflict,
        outcome => panic!("{outcome:?}"),
    }
}

#[test]
fn too_many_foreigners_and_too_few_nationalities_are_told_with_their_figures() {
    let ten: Vec<(usize, u32)> = (0..10).map(|number| (number % 3, 1 + number as u32 % 3)).collect();
    let conflict = conflict_of(&ethical_example(&ten, &[40, 40]), Method::Heuristic);
    assert_eq!((conflict.people, conflict.places, conflict.is_proved), (10, 9, true));
    assert_eq!((conflict.units.len(), conflict.rules.as_slice()), (10, &[0][..]));
    assert_eq!(
        conflict.reason,
        "rule 1 counts 10 people, but its share of the 61 people who may go to their slots is 9: 1 too many"
    );

    let conflict = conflict_of(&ethical_example(&[(0, 1), (1, 2)], &[30, 30]), Method::Exact);
    assert_eq!((conflict.people, conflict.rules.as_slice(), conflict.is_proved), (2, &[1][..], true));
    assert!(conflict.reason.starts_with("rule 2 asks for 3 different values in a slot, but at most 2 can meet"));
}

#[test]
fn the_fewest_people_and_slots_that_collide_are_named() {
    let single = |quasi_id, count, bits| (vec![(quasi_id, 0, 1)], count, bits);
    // Slots 0 and 1 take 5 together; 4 people want slot 0 or 1, 2 only slot 1. Slots 2 and 3 have nothing to do with it.
    let units = [single(0, 4, 0b0011), single(1, 2, 0b0010), single(2, 3, 0b1110), single(0, 2, 0b1000)];
    let conflict = conflict_of(&instance(&units, &[3, 2, 6, 6], Vec::new()), Method::Greatest);
    assert_eq!((conflict.units, conflict.slots), (vec![0, 1], vec![0, 1]));
    assert_eq!((conflict.people, conflict.places, conflict.is_proved), (6, 5, true));
    assert_eq!(conflict.reason, "6 people may only go to slots that together take 5: 1 place is missing");
}

#[test]
fn somebody_without_a_slot_and_a_family_without_a_large_enough_one_are_named() {
    let units = [(vec![(0, 0, 1)], 2, 0b11), (vec![(1, 0, 1)], 3, 0b00), (vec![(0, 0, 2), (2, 0, 2)], 1, 0b11)];
    let nowhere = conflict_of(&instance(&units, &[9, 9], Vec::new()), Method::Random);
    assert_eq!((nowhere.units, nowhere.slots, nowhere.people), (vec![1], Vec::new(), 3));
    assert_eq!(nowhere.reason, "unit 2 (3 people) may not go to any slot");

    let units = [units[0].clone(), units[2].clone()];
    let large = conflict_of(&instance(&units, &[3, 3], Vec::new()), Method::Half);
    assert_eq!((large.units, large.people, large.places, large.is_proved), (vec![1], 4, 3, true));
}

#[test]
fn families_that_fit_by_number_but_not_as_they_are_make_a_conflict_without_the_others() {
    // Three families of two do not fit two slots of three, though there are six places; the seventh slot is for others.
    let family = (vec![(0, 0, 2)], 3, 0b011);
    let others = (vec![(1, 0, 1)], 2, 0b110);
    let conflict = conflict_of(&instance(&[family, others], &[3, 3, 9], Vec::new()), Method::Authors);
    assert_eq!((conflict.units, conflict.slots, conflict.people), (vec![0], vec![0, 1], 6));
    assert_eq!((conflict.places, conflict.is_proved), (6, true));
}

/// Regions that overlap and some that do not, with families, fixed appointments and a rule.
fn several_components(seed: u64) -> Instance {
    use rand::{RngExt, SeedableRng};
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    let mut instance = instance(&[(vec![(0, 0, 1)], 1, 1)], &[12], Vec::new());
    instance.capacities = vec![12; 24];
    instance.units[0].allowed = Allowed::Only([0].into());
    for region in 0..6 {
        for quasi_id in 0..5 {
            let list: Vec<usize> = match region % 3 {
                0 => (4 * region..4 * region + 4).collect(),
                _ => (4 * region + quasi_id % 2..4 * region + 2 + quasi_id % 3).collect(),
            };
            let members =
                vec![Member { quasi_id, values: vec![0], people: 1 + u64::from(region == 2 && quasi_id < 2) }];
            let count = rng.random_range(1..=4);
            instance.units.push(Unit { members, count, allowed: Allowed::Only(list.into()) });
        }
    }
    instance.quasi_ids = 5;
    instance
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let instance = several_components(5);
    assert!(instance.components().len() >= 4);
    for method in METHODS {
        let with_threads = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let pool = pool.unwrap_or_else(|error| panic!("{error}"));
            pool.install(|| solve(&instance, method, &SolveOptions { seed: 3, ..SolveOptions::default() }))
        };
        let one = with_threads(1);
        assert!(one.as_ref().is_ok_and(|solution| instance.check(&solution.schedule).is_ok()), "{one:?}");
        assert_eq!(one, with_threads(4), "{method:?}");
    }
}

#[test]
fn regions_of_the_paper_are_solved_one_by_one_and_their_vectors_add() {
    let frequencies = [[4, 4, 5, 2], [3, 3, 4, 5]];
    let capacities = [4, 2, 4, 3, 2];
    let mut units = Vec::new();
    for (region, frequencies) in frequencies.iter().enumerate() {
        let slots: Vec<usize> = (5 * region..5 * region + 5).collect();
        for (quasi_id, &count) in frequencies.iter().enumerate() {
            units.push(Unit { allowed: Allowed::Only(slots.clone().into()), ..Unit::people(quasi_id, count) });
        }
    }
    let capacities_of_both = [capacities, capacities].concat();
    let (attributes, mixing) = (Vec::new(), Vec::new());
    let both = Instance { quasi_ids: 4, capacities: capacities_of_both, units, attributes, mixing };
    for method in [Method::Exact, Method::Greatest, Method::Half, Method::Authors] {
        let vector_of = |instance: &Instance| {
            let solution = solve(instance, method, &SolveOptions::default());
            let solution = solution.unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(instance.check(&solution.schedule), Ok(()));
            solution.vector
        };
        let alone = frequencies.map(|frequencies| {
            vector_of(&Instance::plain(&frequencies, &capacities).unwrap_or_else(|error| panic!("{error}")))
        });
        if method == Method::Exact {
            assert_eq!(vector_of(&both), alone[0].plus(&alone[1]));
        } else {
            assert_eq!(vector_of(&both).people(), 30);
        }
    }
}

#[test]
fn however_little_time_there_is_some_schedule_is_found() {
    let foreigners = [(0, 1), (1, 2), (2, 3), (0, 1), (1, 2), (2, 3)];
    let instance = ethical_example(&foreigners, &[20, 20, 20]);
    for method in METHODS {
        let patience = Patience::of(std::time::Duration::ZERO);
        let solution = solve(&instance, method, &SolveOptions { patience, ..SolveOptions::default() });
        assert!(solution.is_ok_and(|solution| instance.check(&solution.schedule).is_ok()), "{method:?}");
    }
}

#[test]
fn numbers_as_large_as_they_may_be_are_scheduled_too() {
    let many = 1 << 38;
    let single = |quasi_id, bits| (vec![(quasi_id, 0, 1)], many, bits);
    let family = (vec![(0, 0, 2), (1, 0, 1)], many / 16, 0b110);
    let instance = instance(&[single(0, 0b011), single(1, 0b111), family], &[many, many, many / 2], Vec::new());
    for method in [Method::Heuristic, Method::Greatest, Method::Half, Method::Authors] {
        let solution = solve(&instance, method, &SolveOptions::default());
        assert!(solution.is_ok_and(|solution| instance.check(&solution.schedule).is_ok()), "{method:?}");
    }
}
