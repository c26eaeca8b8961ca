//! What is done when no method is asked for: the best schedule that can be proved in seconds, whatever the number of people, and how
//! it is told: k first, and the iterations of the paper's Algorithm 1 on request.

use crate::program::Desk;
use serde_json::{Value, json};

const EXAMPLE: &str = "appointments solve --frequencies 4,4,5,2 --capacities 4,2,4,3,2 --seed 1";

/// So many frequencies and capacities, drawn around two means by a small generator of its own.
fn numbers(people: u64, values: u64, slots: u64) -> (String, String) {
    let mut state = 12_345_u64;
    let mut draw = |from: u64, width: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        from + (state >> 33) % width
    };
    let frequencies: Vec<u64> = (0..values).map(|_| draw((people / values).saturating_sub(5).max(1), 16)).collect();
    let total: u64 = frequencies.iter().sum();
    let mut capacities: Vec<u64> = (0..slots).map(|_| draw((total / slots).saturating_sub(5).max(1), 10)).collect();
    let missing = total.saturating_sub(capacities.iter().sum());
    for slot in 0..missing {
        capacities[(slot % slots) as usize] += 1;
    }
    let listed = |numbers: Vec<u64>| numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
    (listed(frequencies), listed(capacities))
}

fn solved(people: u64, values: u64, slots: u64, flags: &str) -> Value {
    let (frequencies, capacities) = numbers(people, values, slots);
    let desk = Desk::new();
    desk.write("f.txt", frequencies).write("c.txt", capacities);
    desk.json(&format!("appointments solve --frequencies @f.txt --capacities @c.txt --seed 1 {flags}"), 0)
}

#[test]
fn above_20_000_people_the_default_is_the_proven_optimum_too() {
    let best = solved(100_000, 2_000, 1_500, "");
    assert_eq!((&best["method"], &best["optimal"]), (&json!("exact"), &json!(true)));
    assert_eq!(best["lower_bound_sizes"], best["sizes"]);
    let heuristic = solved(100_000, 2_000, 1_500, "--method heuristic");
    assert_eq!(heuristic["method"], "heuristic");
    assert!(best["k"].as_u64() > heuristic["k"].as_u64(), "{} {}", best["k"], heuristic["k"]);
}

#[test]
fn where_nothing_is_proved_the_heuristic_answers_and_tells_the_bound() {
    // Cells of a thousand people make networks that are too large to be built.
    let document = solved(1_000_000, 1_000, 300, "--time-limit 3");
    let is_optimal = document["optimal"] == json!(true);
    assert_eq!(document["method"], if is_optimal { "exact" } else { "heuristic" });
    assert!(!document["lower_bound_sizes"].as_array().expect("a bound").is_empty());
    let heuristic = solved(1_000_000, 1_000, 300, "--method heuristic");
    assert!(document["k"].as_u64() >= heuristic["k"].as_u64());
}

#[test]
fn one_group_of_thousands_does_not_switch_the_search_off() {
    let desk = Desk::new();
    let usual_groups: Vec<u64> = (0..40).map(|group| 40 + group * 7 % 20).collect();
    let usual_slots: Vec<u64> = (0..30).map(|slot| 55 + slot * 11 % 25).collect();
    let k = |more_group: Option<u64>, flags: &str| {
        let groups: Vec<u64> = usual_groups.iter().copied().chain(more_group).collect();
        let slots: Vec<u64> =
            usual_slots.iter().copied().chain(vec![60; if more_group.is_some() { 25 } else { 0 }]).collect();
        let listed = |numbers: &[u64]| numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
        desk.write("f.txt", listed(&groups)).write("c.txt", listed(&slots));
        let command = "appointments solve --frequencies @f.txt --capacities @c.txt --seed 1";
        desk.json(&format!("{command} {flags}"), 0)["k"].as_u64()
    };
    let without = k(None, "--time-limit 5");
    for flags in ["--time-limit 5", "--time-limit 5 --method exact"] {
        let with = k(Some(1_500), flags);
        assert!(with >= without, "{flags}: {with:?} {without:?}");
        assert!(with > k(Some(1_500), "--method heuristic"), "{flags}: {with:?}");
    }
}

#[test]
fn few_groups_and_slots_of_thousands_are_proved_whatever_their_sizes() {
    let desk = Desk::new();
    for (frequencies, capacities, k) in [
        ("30000,20000", "25000,26000", 10_000),
        ("3000,2000", "2500,2600", 1_000),
        ("12000,9000,7000", "11000,9000,5000,4000", 4_000),
    ] {
        let document =
            desk.json(&format!("appointments solve --frequencies {frequencies} --capacities {capacities} --seed 1"), 0);
        assert_eq!((&document["method"], &document["optimal"]), (&json!("exact"), &json!(true)), "{frequencies}");
        assert_eq!(document["k"], json!(k), "{frequencies}");
    }
}

#[test]
fn a_level_of_search_that_is_proved_is_the_exact_methods() {
    let document = Desk::new().json(&format!("{EXAMPLE} --level 0"), 0);
    assert_eq!(document["method"], "exact");
}

#[test]
fn people_tied_by_their_slots_are_searched_too() {
    let desk = Desk::new();
    let flags = "--allow 1:1,2,3 --allow 2:2,3,4 --allow 3:3,4,5 --seed 3";
    let command = format!("appointments solve --frequencies 17,23,29,11 --capacities 20,18,16,22,24 {flags}");
    let best = desk.json(&command, 0);
    let heuristic = desk.json(&format!("{command} --method heuristic"), 0);
    assert!(best["k"].as_u64() >= heuristic["k"].as_u64());
    assert_eq!(best, {
        let mut again = desk.json(&command, 0);
        again["seconds"] = best["seconds"].clone();
        again
    });
}

#[test]
fn k_and_what_it_means_stand_first() {
    let desk = Desk::new();
    let first = |command: &str| desk.done(command).out.lines().next().unwrap_or_default().to_owned();
    assert_eq!(first(EXAMPLE), "k = 2: everybody shares quasi-identifier and slot with at least 1 other");
    let command = "appointments solve --frequencies 3,3 --capacities 3,3";
    assert_eq!(first(command), "k = 3: everybody shares quasi-identifier and slot with at least 2 others");
    let command = "appointments solve --frequencies 3 --capacities 2,1";
    assert_eq!(first(command), "k = 1: 1 person is alone with their quasi-identifier in their slot");
}

/// Table 8 of the paper as printed: matrix, anom and v of each level.
fn table_8() -> [(Value, Value, Value); 4] {
    let first = json!([[0, 0, 2, 0, 2], [2, 2, 0, 0, 0], [0, 0, 2, 3, 0], [2, 0, 0, 0, 0]]);
    let best = json!([[0, 0, 4, 0, 0], [4, 0, 0, 0, 0], [0, 0, 0, 3, 2], [0, 2, 0, 0, 0]]);
    let other = json!([[4, 0, 0, 0, 0], [0, 0, 4, 0, 0], [0, 0, 0, 3, 2], [0, 2, 0, 0, 0]]);
    let v = || json!([0, 2, 1, 2]);
    [
        (first, json!([0]), json!([0, 6, 1, 0])),
        (best.clone(), json!([0, 2]), v()),
        (other, json!([0, 2, 1]), v()),
        (best, json!([0, 2, 1, 2]), v()),
    ]
}

/// Whether a matrix is an answer of its iteration: it appoints everybody, keeps to the capacities and has the vector printed beside.
fn is_answer(matrix: &Value, vector: &Value) -> bool {
    let matrix: Vec<Vec<u64>> = serde_json::from_value(matrix.clone()).expect("a matrix");
    let rows: Vec<u64> = matrix.iter().map(|row| row.iter().sum()).collect();
    let slots: Vec<u64> = (0..5).map(|slot| matrix.iter().map(|row| row[slot]).sum()).collect();
    let count = |size: u64| matrix.iter().flatten().filter(|&&cell| cell == size).count();
    rows == [4, 4, 5, 2] && slots == [4, 2, 4, 3, 2] && json!((1..=4).map(count).collect::<Vec<_>>()) == *vector
}

#[test]
fn table_8_is_shown_iteration_by_iteration() {
    let document = Desk::new().json(&format!("{EXAMPLE} --trace"), 0);
    let iterations = document["iterations"].as_array().expect("iterations");
    assert_eq!(iterations.len(), 4);
    for ((level, (matrix, anom, v)), iteration) in (1..).zip(table_8()).zip(iterations) {
        assert_eq!((&iteration["level"], &iteration["anom"], &iteration["v"]), (&json!(level), &anom, &v));
        assert!(is_answer(&iteration["matrix"], &v) && is_answer(&matrix, &v));
        // Several schedules answer an iteration. The paper's solver left the order of rows at levels 1 and 3 only.
        assert_eq!(iteration["matrix"] == matrix, [2, 4].contains(&level), "level {level}");
    }
}

#[test]
fn iterations_are_told_to_people_too_and_end_where_the_level_ends() {
    let desk = Desk::new();
    let text = desk.done(&format!("{EXAMPLE} --trace")).out;
    for line in ["level 1: anom (0), v (0, 6, 1, 0)", "level 4: anom (0, 2, 1, 2), v (0, 2, 1, 2)"] {
        assert!(text.contains(line), "{text}");
    }
    let document = desk.json(&format!("{EXAMPLE} --trace --level 1"), 0);
    assert_eq!(document["iterations"].as_array().map(Vec::len), Some(3));
}

#[test]
fn a_trace_of_large_groups_is_short_and_keeps_the_time_limit() {
    let desk = Desk::new();
    for (sizes, shown) in
        [("--frequencies 50000 --capacities 50000", 9), ("--frequencies 2000000 --capacities 2000000", 0)]
    {
        let begun = std::time::Instant::now();
        let ran = desk.tamis(&format!("appointments solve {sizes} --trace --time-limit 1 --json"));
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(begun.elapsed().as_secs() < 20 && ran.out.len() < 30_000_000, "{}", ran.out.len());
        let document = ran.document();
        assert_eq!(document["iterations"].as_array().map(Vec::len), Some(shown));
        assert!(document["notes"].to_string().contains("500000 numbers"), "{}", document["notes"]);
    }
    let uneven = "appointments solve --frequencies 300000,200000,123456 --capacities 250000,260000,200000 --trace --time-limit 2 -q";
    let begun = std::time::Instant::now();
    let out = desk.done(uneven).out;
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
    assert!(out.contains("shown: further ones"), "{out}");
}
