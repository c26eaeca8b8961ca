//! What `tamis cells generate` promises: tables in three formats, the same for the same seed, and sentences about what is wrong.

use crate::program::Desk;
use serde_json::{Value, json};

#[test]
fn a_table_as_json() {
    let desk = Desk::new();
    let answer = desk.json("cells generate --sizes 4,2x3 --primaries 0.1 --seed 7 --output table.json", 0);
    assert_eq!((&answer["seed"], &answer["cells"], &answer["primary"]), (&json!(7), &json!(45), &json!(2)));
    assert_eq!((&answer["equations"], &answer["empty"]), (&json!(9 + 3 * 5), &json!(0)));
    let table: Value = serde_json::from_str(&desk.read("table.json")).expect("JSON");
    let cells = table["cells"].as_array().expect("cells");
    assert_eq!((cells.len(), &cells[0]["id"], &cells[44]["id"]), (45, &json!("r1/c1.1"), &json!("Total/Total")));
    assert_eq!(cells.iter().filter(|cell| cell["status"] == "primary").count(), 2);
    assert_eq!(table["equations"].as_array().map(Vec::len), Some(24));
    assert_eq!(table.get("attackers"), None);
}

#[test]
fn the_same_seed_gives_the_same_bytes_in_every_format() {
    let desk = Desk::new();
    for name in ["json", "jj", "csv"] {
        for file in ["one", "two"] {
            desk.done(&format!(
                "cells generate --sizes 5,5,3 --zeros 0.3 --bounds tight --seed 3 --output {file}.{name}"
            ));
        }
        assert_eq!(desk.read(&format!("one.{name}")), desk.read(&format!("two.{name}")));
    }
    let printed = desk.done("cells generate --sizes 5,5,3 --zeros 0.3 --bounds tight --seed 3").out;
    assert_eq!(printed, desk.read("one.json"), "without a file it goes to standard output");
}

#[test]
fn jj_as_peers_read_it() {
    let desk = Desk::new();
    desk.done("cells generate --sizes 3 --weights unit --seed 1 --output table.jj");
    let text = desk.read("table.jj");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines.len(), lines[0], lines[1], lines[6]), (8, "0", "4", "1"));
    assert_eq!(lines[7], "0 4 : 0 ( 1 ) 1 ( 1 ) 2 ( 1 ) 3 ( -1 )");
    let fields: Vec<&str> = lines[2].split(' ').collect();
    assert_eq!((fields[0], fields[2], fields[4], fields[5]), ("0", "1", "0", "inf"));
}

#[test]
fn a_csv_with_a_column_for_each_dimension_and_its_groups_beside_it() {
    let desk = Desk::new();
    let answer = desk.json("cells generate --sizes 2,2x2 --threshold 200 --seed 5 --output table.csv", 0);
    let text = desk.read("table.csv");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "r,c,value,weight,status,lb,ub,lpl,upl,spl");
    assert_eq!(lines.len(), 1 + 3 * 7);
    assert!(lines[1].starts_with("r1,c1.1,") && lines[21].starts_with("Total,Total,"), "{text}");
    for line in &lines[1..] {
        let fields: Vec<&str> = line.split(',').collect();
        let value: f64 = fields[2].parse().expect("a value");
        assert_eq!(fields[4] == "u", value <= 200.0, "{line}");
    }
    assert_eq!(desk.read("table.c.csv"), "c1.1;c1;Total\nc1.2;c1;Total\nc2.1;c2;Total\nc2.2;c2;Total\n");
    assert!(answer["hierarchies"]["c"].as_str().is_some_and(|path| path.ends_with("table.c.csv")), "{answer}");
}

#[test]
fn singletons_are_attackers() {
    let desk = Desk::new();
    let answer = desk.json("cells generate --primaries 0.1 --singletons 0.5 --seed 2 --output t.json", 0);
    assert_eq!((&answer["primary"], &answer["attackers"]), (&json!(10), &json!(5)));
}

#[test]
fn what_is_wrong_is_said_and_nothing_written() {
    let desk = Desk::new();
    for (arguments, expected) in [
        ("--sizes 3x --output t.json", "\"3x\" is no size; expected a number as 10, or groups as 3x4"),
        ("--sizes 0 --output t.json", "\"0\" is no size"),
        ("--sizes 9999,9999 --output t.json", "the table would have more than 20000000 cells"),
        ("--zeros 2 --output t.json", "the share of empty cells is 2, expected 0 to 1"),
        ("--primaries -1 --output t.json", "-1"),
        ("--bounds narrow --output t.json", "\"narrow\" is neither wide, tight, a share as 0.2 nor a multiple as 3x"),
        ("--bounds 0.05 --output t.json", "the lower protection level is 0.1 of the value, but bounds within 0.05"),
        ("--primaries 0.1 --threshold 4 --output t.json", "cannot be used with"),
        ("--output t.txt", "t.txt does not say how to write the table; call it .json, .jj or .csv, or give --format"),
        ("--singletons 0.5 --output t.jj", "only JSON has a place for singletons"),
        ("--sizes 2x2 --format csv", "the groups of --sizes need files beside the CSV; give --output FILE"),
        ("--json", "--json and the table cannot both go to standard output; give --output FILE"),
        ("--output nowhere/t.json", "nowhere"),
    ] {
        let before = desk.listing();
        let ran = desk.tamis(&format!("cells generate {arguments}"));
        assert_eq!(ran.code, 2, "{arguments}: {ran:?}");
        // Whoever asked for JSON gets the sentence as a document too.
        assert_eq!(ran.out.is_empty(), arguments != "--json", "{arguments}: {ran:?}");
        assert!(ran.err.contains(expected), "{arguments}: {}", ran.err);
        assert_eq!(desk.listing(), before, "{arguments} leaves files behind");
    }
}
