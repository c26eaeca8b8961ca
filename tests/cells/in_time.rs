//! Time limits of `tamis cells protect` are promises, and tables as offices have them are protected within: open bounds, four decimals,
//! values of all sizes, hierarchies, linked tables.
//!
//! Nothing here depends on how fast the machine is: limits are short, and what is granted beyond them is many times what is promised.

#![cfg(feature = "cells")]

use crate::program::Desk;
use serde_json::Value;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// A random number below another one, repeatable (Knuth's multiplier).
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }

    /// Sizes of firms: most small, few very large, four decimals.
    fn turnover(&mut self) -> String {
        let size = (0..12).map(|_| self.below(1000) as f64 / 1000.0 - 0.5).sum::<f64>();
        format!("{:.4}", (5.0 + 2.5 * size).exp())
    }
}

/// Labels in groups: letter by letter, so many parts each.
fn hierarchy(letters: &str, parts: u64) -> (Vec<String>, String) {
    let (mut labels, mut file) = (Vec::new(), String::new());
    for letter in letters.chars() {
        let _ = writeln!(file, "{letter}");
        for part in 0..parts {
            let _ = writeln!(file, "@{letter}{part}");
            labels.push(format!("{letter}{part}"));
        }
    }
    (labels, file)
}

/// Microdata of firms by activity, region and size, with hierarchies of the first two.
fn office(firms: u64, activities: (&str, u64), regions: (&str, u64)) -> Desk {
    let desk = Desk::new();
    let (activity, file) = hierarchy(activities.0, activities.1);
    desk.write("activity.hrc", file);
    let (region, file) = hierarchy(regions.0, regions.1);
    desk.write("region.hrc", file);
    let mut dice = Dice(7);
    let mut rows = "firm,activity,region,size,turnover\n".to_owned();
    for firm in 0..firms {
        // The lesser of two: some activities and regions have many firms, others few.
        let mut skewed = |labels: &[String]| {
            let most = labels.len() as u64;
            labels[u64::min(dice.below(most), dice.below(most)) as usize].clone()
        };
        let (activity, region) = (skewed(&activity), skewed(&region));
        let size = ["S", "S", "S", "M", "M", "L"][dice.below(6) as usize];
        let _ = writeln!(rows, "{firm},{activity},{region},{size},{}", dice.turnover());
    }
    desk.write("firms.csv", rows);
    desk
}

const HIERARCHIES: &str = "--hierarchy activity=activity.hrc --hierarchy region=region.hrc";

/// What `protect` answers within a limit, which it keeps; the audit of what it wrote agrees.
fn in_time(desk: &Desk, table: &str, seconds: u64, flags: &str) -> Value {
    let started = Instant::now();
    let found = desk.json(&format!("cells protect {table} {flags} --time-limit {seconds} --output out.json"), 0);
    assert!(started.elapsed() < Duration::from_secs(4 * seconds + 20), "{flags}: {:?}", started.elapsed());
    found
}

/// Three dimensions, two of them hierarchical: hundreds of confidential cells.
#[test]
fn every_method_keeps_its_limit_on_a_deep_table() {
    let desk = office(1500, ("ABC", 4), ("VWXYZ", 4));
    let start = "cells primaries firms.csv --dimensions activity,region,size --value turnover --respondent firm --dominance 1,75";
    let made = desk.json(&format!("{start} {HIERARCHIES} --output table.json"), 0);
    assert!(made["primary"].as_array().is_some_and(|cells| cells.len() > 300), "{}", made["primary"]);
    for method in ["heuristic", "optimal"] {
        let found = in_time(&desk, "table.json", 6, &format!("--method {method}"));
        let gap = found["gap"].as_f64().expect("a gap");
        assert!((0.0..=1.0).contains(&gap), "{gap}");
    }
}

/// Whatever the limit, the answer is a pattern or a sentence that says that time ran out.
#[test]
fn a_limit_that_is_far_too_short_is_kept_too() {
    let desk = office(1500, ("ABC", 4), ("VWXYZ", 4));
    let start = "cells primaries firms.csv --dimensions activity,region,size --value turnover --respondent firm --dominance 1,75";
    desk.done(&format!("{start} {HIERARCHIES} --output table.json"));
    for method in ["heuristic", "optimal"] {
        let started = Instant::now();
        let ran = desk.tamis(&format!("cells protect table.json --method {method} --time-limit 0.01"));
        assert!(started.elapsed() < Duration::from_secs(25), "{method}: {:?}", started.elapsed());
        assert!(ran.code == 0 || ran.err.contains("the time ran out"), "{method}: {ran:?}");
    }
}

/// Two linked tables with open bounds, values of four decimals from 1 to 10^8.
#[test]
fn linked_tables_of_an_office_are_protected_with_open_bounds_as_with_far_ones() {
    let desk = office(900, ("ABC", 4), ("VWXYZ", 3));
    let start = "cells primaries firms.csv --value turnover --respondent firm --dominance 1,75";
    desk.done(&format!("{start} --dimensions activity,size --hierarchy activity=activity.hrc --output one.csv"));
    desk.done(&format!("{start} --dimensions region,size --hierarchy region=region.hrc --output two.csv"));
    for tables in ["one.csv", "two.csv", "one.csv two.csv"] {
        let dimensions = match tables {
            "one.csv" => "--dimensions activity,size --hierarchy activity=activity.hrc",
            "two.csv" => "--dimensions region,size --hierarchy region=region.hrc",
            _ => &format!("--dimensions activity,region,size {HIERARCHIES}"),
        };
        let costs: Vec<Value> = ["", "--bounds 0..1e9", "--bounds 0..1e12", "--bounds 0..1e15"]
            .into_iter()
            .map(|bounds| {
                let found = in_time(&desk, tables, 60, &format!("{dimensions} {bounds}"));
                assert_eq!(found["optimal"], Value::Bool(true), "{tables} {bounds}: {found}");
                found["cost"].clone()
            })
            .collect();
        assert!(costs.windows(2).all(|pair| pair[0] == pair[1]), "{tables}: {costs:?}");
    }
}

/// The audit of a table in which everything is hidden takes no longer than it is worth.
#[test]
fn an_audit_of_everything_hidden_comes_to_an_end() {
    let desk = office(1500, ("ABC", 4), ("VWXYZ", 4));
    let start = "cells primaries firms.csv --dimensions activity,region,size --value turnover --respondent firm --dominance 1,75";
    desk.done(&format!("{start} {HIERARCHIES} --output table.json"));
    let table: Value = serde_json::from_str(&desk.read("table.json")).expect("JSON");
    let ids = table["cells"].as_array().expect("cells").iter().filter_map(|cell| cell["id"].as_str());
    desk.write("all.txt", ids.collect::<Vec<_>>().join("\n"));
    let started = Instant::now();
    let ran = desk.tamis("cells audit table.json --pattern all.txt --json");
    assert!(started.elapsed() < Duration::from_secs(90), "{:?}", started.elapsed());
    assert_eq!(
        (ran.code, &ran.document()["counts"]["hidden"]),
        (0, &table["cells"].as_array().expect("cells").len().into())
    );
}

/// Hundreds of contributors who stand alone in their cells are attackers of their own, and take no more time than the limit.
#[test]
fn attackers_who_know_their_own_cells_keep_the_limit_too() {
    let desk = office(2000, ("ABC", 4), ("VWXYZ", 4));
    let start = "cells primaries firms.csv --dimensions activity,region,size --value turnover --dominance 2,70 --singletons=all";
    desk.done(&format!("{start} {HIERARCHIES} --output table.json"));
    for method in ["optimal", "heuristic"] {
        let started = Instant::now();
        let ran = desk.tamis(&format!("cells protect table.json --method {method} --time-limit 3"));
        assert!(started.elapsed() < Duration::from_secs(15), "{method}: {:?}", started.elapsed());
        assert!(ran.code == 0 || ran.err.contains("the time ran out"), "{method}: {ran:?}");
    }
}

/// What hundreds of attackers ask is what the public asks, nearly: the heuristic has a pattern, and its audit and that of everything hidden
/// come to an end.
#[test]
fn hundreds_of_attackers_are_protected_against_and_audited_in_time() {
    let desk = office(700, ("ABC", 3), ("VWXYZ", 3));
    let start = "cells primaries firms.csv --dimensions activity,region,size --value turnover --dominance 2,85 --singletons=all";
    let made = desk.json(&format!("{start} {HIERARCHIES} --output table.json"), 0);
    assert!(made["attackers"].as_u64().is_some_and(|attackers| attackers > 40), "{}", made["attackers"]);
    in_time(&desk, "table.json", 20, "--method heuristic");
    let table: Value = serde_json::from_str(&desk.read("table.json")).expect("JSON");
    let ids = table["cells"].as_array().expect("cells").iter().filter_map(|cell| cell["id"].as_str());
    desk.write("all.txt", ids.collect::<Vec<_>>().join("\n"));
    let started = Instant::now();
    desk.done("cells audit table.json --pattern all.txt --json");
    assert!(started.elapsed() < Duration::from_secs(90), "{:?}", started.elapsed());
}
