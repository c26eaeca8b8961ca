//! Swapping: marginals stay exactly, partners agree where they must, ranks stay near.

use crate::desk;

use desk::{apply, cells, counts, lines, names, refusal, transformed};
use proptest::prelude::*;
use tamis_table::Table;
use tamis_transform::kinds::swap::Swap;

fn swap(columns: &[&str], probability: f64) -> Swap {
    Swap { columns: names(columns), probability: Some(probability), ..Swap::default() }
}

/// People with a mark of their own beside the column that is swapped.
fn marked(people: &[(u8, i32)]) -> Table {
    let texts: Vec<String> = people.iter().enumerate().map(|(row, (q, x))| format!("{q},{x},{row}")).collect();
    lines("q,x,row", &texts)
}

#[test]
fn the_probability_is_how_many_rows_take_part() {
    let people: Vec<(u8, i32)> = (0..4000).map(|n| (0, n)).collect();
    let table = marked(&people);
    let moved = |probability| {
        let after = transformed(&swap(&["x"], probability), &table, 5);
        cells(&after, "x").iter().zip(cells(&table, "x")).filter(|(after, before)| **after != *before).count()
    };
    assert_eq!(moved(0.0), 0);
    assert!(moved(0.25).abs_diff(1000) < 100, "{}", moved(0.25));
    assert_eq!(moved(1.0), 4000);
}

#[test]
fn columns_are_exchanged_together_or_each_by_itself() {
    let texts: Vec<String> = (0..50).map(|n| format!("{n},{n}")).collect();
    let table = lines("a,b", &texts);
    let after = |together| transformed(&Swap { together, ..swap(&["a", "b"], 1.0) }, &table, 5);
    assert_eq!(cells(&after(true), "a"), cells(&after(true), "b"));
    assert_ne!(cells(&after(false), "a"), cells(&after(false), "b"));
}

#[test]
fn bad_parameters_are_told() {
    let table = lines("x", &["1", "2"]);
    let said = |step: Swap| refusal(apply(&step, &table, 1)).0;
    assert!(said(Swap { probability: None, ..swap(&["x"], 0.0) }).contains("`probability` is not given"));
    assert!(said(swap(&["x"], 1.5)).contains("`probability` is 1.5"));
    assert!(said(swap(&["x"], f64::NAN)).contains("`probability` is NaN"));
    assert!(said(Swap { rank: Some(0.0), ..swap(&["x"], 1.0) }).contains("`rank` is 0"));
    assert!(said(Swap { rank: Some(f64::NAN), ..swap(&["x"], 1.0) }).contains("`rank` is NaN"));
    assert!(said(Swap { rank: Some(5.0), together: true, ..swap(&["x"], 1.0) }).contains("`together`"));
    assert!(said(Swap { within: names(&["y"]), ..swap(&["x"], 1.0) }).contains("no column `y`"));
}

proptest! {
    #[test]
    fn values_move_inside_their_groups_only(
        people in prop::collection::vec((0u8..3, 0i32..6), 0..40), probability in 0.0f64..=1.0, seed: u64
    ) {
        let table = marked(&people);
        let within = Swap { within: names(&["q"]), ..swap(&["x"], probability) };
        let after = transformed(&within, &table, seed);
        let joint = |table: &Table| counts(cells(table, "q").into_iter().zip(cells(table, "x")));
        prop_assert_eq!(joint(&after), joint(&table));
        prop_assert_eq!(cells(&after, "row"), cells(&table, "row"));
        let anywhere = transformed(&swap(&["x"], probability), &table, seed);
        prop_assert_eq!(counts(cells(&anywhere, "x")), counts(cells(&table, "x")));
    }

    /// Swapping the marks by the order of the numbers shows who exchanged with whom: in pairs, never farther apart than the window.
    #[test]
    fn ranks_move_no_farther_than_the_window(values in prop::collection::vec(0i32..1000, 2..60), percent in 1.0f64..60.0, seed: u64) {
        let texts: Vec<String> = values.iter().map(ToString::to_string).collect();
        let table = lines("x", &texts);
        let step = Swap { rank: Some(percent), probability: None, ..swap(&["x"], 0.0) };
        let after: Vec<i32> = cells(&transformed(&step, &table, seed), "x").iter().map(|x| x.parse().expect("a number")).collect();
        let mut sorted = values.clone();
        sorted.sort_unstable();
        let mut sorted_after = after.clone();
        sorted_after.sort_unstable();
        prop_assert_eq!(&sorted, &sorted_after);
        let window = ((percent / 100.0 * values.len() as f64) as usize).max(1);
        for (before, after) in values.iter().zip(&after) {
            // Equal numbers share a range of ranks; the nearest ends of both ranges are within the window.
            let ranks = |x: &i32| (sorted.partition_point(|y| y < x), sorted.partition_point(|y| y <= x) - 1);
            let ((low_a, high_a), (low_b, high_b)) = (ranks(before), ranks(after));
            let apart = if high_a < low_b { low_b - high_a } else { low_a.saturating_sub(high_b) };
            prop_assert!(apart <= window, "{before} became {after}: {apart} ranks apart where {window} are allowed");
        }
    }
}

#[test]
fn almost_every_row_finds_a_neighbour() {
    let people: Vec<(u8, i32)> = (0..1000).map(|n| (0, (n * 7919) % 1000)).collect();
    let table = marked(&people);
    let step = Swap { rank: Some(2.0), probability: None, ..swap(&["x"], 0.0) };
    let after = transformed(&step, &table, 5);
    let same = cells(&after, "x").iter().zip(cells(&table, "x")).filter(|(after, before)| *after == before).count();
    assert!(same < 20, "{same}");
}
