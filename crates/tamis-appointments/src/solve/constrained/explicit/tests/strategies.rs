//! Small problems with every kind of condition.

use super::brute_force;
use crate::instance::{Allowed, Attribute, Instance, Limit, Member, MixingRule, Unit, Who};
use proptest::prelude::*;

const ATTRIBUTES: usize = 2;
const VALUES: u32 = 3;
const MOST_PEOPLE: u64 = 12;
const MOST_SCHEDULES: usize = 4_000;

fn member() -> impl Strategy<Value = Member> {
    (0..4_usize, prop::collection::vec(0..VALUES, ATTRIBUTES), prop_oneof![5 => Just(1_u64), 1 => Just(2)])
        .prop_map(|(quasi_id, values, people)| Member { quasi_id, values, people })
}

fn unit() -> impl Strategy<Value = Unit> {
    let members = prop_oneof![
        3 => prop::collection::vec(member(), 1),
        1 => prop::collection::vec(member(), 2..4),
    ];
    let allowed = prop_oneof![1 => Just(vec![true; 4]), 1 => prop::collection::vec(any::<bool>(), 4)];
    (members, 1..5_u64, allowed).prop_map(|(members, count, allowed)| {
        let slots: Vec<usize> = (0..4).filter(|&slot| allowed[slot]).collect();
        let allowed = if slots.len() == 4 { Allowed::All } else { Allowed::Only(slots.into()) };
        Unit { members, count, allowed }
    })
}

fn rule() -> impl Strategy<Value = MixingRule> {
    let who = prop_oneof![Just(Who::Each), (0..VALUES).prop_map(Who::Only), (0..VALUES).prop_map(Who::AllBut)];
    let share = prop_oneof![Just("0.25"), Just("0.5"), Just("0.6"), Just("0.75"), Just("0")];
    let limit = prop_oneof![
        2 => share.prop_map(|share| Limit::MaximumShare(share.parse().expect("a share"))),
        1 => (0..4_u32).prop_map(Limit::MinimumDistinct),
    ];
    (0..ATTRIBUTES, who, limit).prop_map(|(attribute, who, limit)| MixingRule { attribute, who, limit })
}

/// Problems of up to 12 people, 4 quasi-identifier values and 4 slots, few enough schedules to look at all of them.
pub(super) fn instance() -> impl Strategy<Value = Instance> {
    let rules = prop_oneof![1 => Just(Vec::new()), 1 => prop::collection::vec(rule(), 1..3)];
    (prop::collection::vec(unit(), 1..7), prop::collection::vec(1..7_u64, 1..=4), rules).prop_map(
        |(units, capacities, mixing)| {
            let slots = capacities.len();
            let mut instance = Instance {
                quasi_ids: 4,
                capacities,
                units: Vec::new(),
                attributes: vec![Attribute { name: "of no importance".to_owned(), values: Vec::new() }; ATTRIBUTES],
                mixing,
            };
            for mut unit in units {
                if let Allowed::Only(allowed) = &unit.allowed {
                    unit.allowed = Allowed::Only(allowed.iter().copied().filter(|&slot| slot < slots).collect());
                }
                instance.units.push(unit);
                if instance.people() > MOST_PEOPLE || brute_force::schedules(&instance) > MOST_SCHEDULES {
                    instance.units.pop();
                }
            }
            instance
        },
    )
}
