//! Average and marketer risk against their definitions, row by row, and the smallest classes first.

use crate::rows;

use proptest::prelude::*;
use rows::{Requirement, View, check, figure_2_before, refusal, rows};
use tamis_privacy::TableFacts;

/// All sizes in these tables divide it.
const UNIT: u64 = 2u64.pow(5) * 27 * 25 * 7 * 11 * 13 * 17 * 19 * 23 * 29 * 31;

/// One over the size of each released row's crowd, summed, is at most `percent` of the rows.
fn holds(view: &View<'_>, percent: u64, crowd: impl Fn(usize) -> u64) -> bool {
    let risk: u128 = view.kept.iter().map(|&row| u128::from(UNIT / crowd(row))).sum();
    100 * risk <= u128::from(percent) * view.kept.len() as u128 * u128::from(UNIT)
}

/// People of the population with a row's released values.
fn population(view: &View<'_>, row: usize) -> u64 {
    let released = |codes: &[u32]| -> Vec<u32> {
        codes.iter().enumerate().map(|(j, &code)| view.table.trees[j][view.levels[j]][code as usize]).collect()
    };
    let own = released(&view.table.quasi[row]);
    let outside = view.table.population.iter().flatten().filter(|codes| released(codes) == own).count();
    let inside = view.table.quasi.iter().filter(|codes| released(codes) == own).count();
    (outside + inside) as u64
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn the_average_risk_is_within_the_bound(table in rows(), choices in any::<(u64, u64, u64)>(), percent in 8u64..=100) {
        prop_assume!(percent as usize * table.quasi.len() >= 100);
        let requirement = Requirement::new("average-risk", &[("max", (percent as f64 / 100.0).into())]);
        check(&table, &requirement, choices, |view| holds(view, percent, |row| view.class(row).len() as u64));
    }

    #[test]
    fn the_marketer_risk_is_within_the_bound(table in rows(), choices in any::<(u64, u64, u64)>(), percent in 3u64..=100) {
        prop_assume!(table.population.is_some());
        let requirement = Requirement::new("marketer-risk", &[("max", (percent as f64 / 100.0).into())]);
        check(&table, &requirement, choices, |view| holds(view, percent, |row| population(view, row)));
    }

    /// What falls are all classes up to a size, and one size less would not have been enough.
    #[test]
    fn the_smallest_classes_fall_and_no_more_sizes_than_needed(
        sizes in prop::collection::vec(1u64..9, 1..9), percent in 8u64..=100,
    ) {
        let rows: u64 = sizes.iter().sum();
        prop_assume!(percent * rows >= 100);
        let parameters = tamis_privacy::Parameters::from([("max", (percent as f64 / 100.0).into())]);
        let bound = tamis_privacy::bind("average-risk", &parameters, &TableFacts::of_rows(rows)).unwrap();
        let classes = tamis_privacy::Classes { rows: sizes.clone(), ..Default::default() };
        let failing = bound.table[0].failing(&classes, &vec![true; sizes.len()]);
        let holds = |least: u64| {
            let left = || sizes.iter().filter(|&&size| size >= least);
            100 * left().count() as u64 <= percent * left().sum::<u64>()
        };
        let least = (0..=9).find(|&least| holds(least)).unwrap();
        let expected: Vec<u32> = (0..sizes.len() as u32).filter(|&class| sizes[class as usize] < least).collect();
        prop_assert_eq!(failing, expected);
    }
}

#[test]
fn bad_parameters_are_told() {
    let table = figure_2_before();
    assert!(refusal(&table, "average-risk", &[]).contains("needs the parameter `max`"));
    assert!(refusal(&table, "average-risk", &[("max", 1.5.into())]).contains("`max` is 1.5"));
    let small = refusal(&table, "average-risk", &[("max", 0.1.into())]);
    assert!(small.contains("even all 9 rows in one class have a risk of 0.111"), "{small}");
    assert!(refusal(&table, "marketer-risk", &[("max", 0.5.into())]).contains("needs `subset`"));
    assert!(refusal(&table, "marketer-risk", &[("max", 0.into())]).contains("`max` is 0"));
}
