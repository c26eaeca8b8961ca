//! What `tamis cells primaries` promises: rules, levels, files, sentences, exit codes.

use crate::program::{Desk, repository};
use serde_json::{Value, json};

fn firms() -> Desk {
    let desk = Desk::new();
    for name in ["firms.csv", "regions.hrc"] {
        desk.write(name, std::fs::read(repository().join("docs/guide/examples").join(name)).expect(name));
    }
    desk
}

const FIRMS: &str =
    "cells primaries firms.csv --dimensions region,branch --value turnover --hierarchy region=regions.hrc";

fn ids(document: &Value) -> Vec<&str> {
    document["primary"].as_array().expect("primaries").iter().filter_map(Value::as_str).collect()
}

#[test]
fn rules_hit_cells_with_their_levels() {
    let desk = firms();
    let rules = "--respondent firm --holding holding --min-frequency 3 --p-percent 10";
    let document = desk.json(&format!("{FIRMS} {rules}"), 0);
    assert_eq!(ids(&document), ["Oslo/Metal", "Bodo/Food", "Bodo/Paper"]);
    assert_eq!((&document["cells"], &document["singletons"]), (&json!(28), &json!(1)));
    let food = &document["primaries"][1];
    assert_eq!(food["labels"], json!({ "region": "Bodo", "branch": "Food" }));
    assert_eq!((&food["value"], &food["frequency"], &food["upl"]), (&json!(265.0), &json!(2.0), &json!(53.0)));
    assert_eq!(food["rules"][0]["rule"], json!("fewer than 3 contributors"));
    // Without holdings three firms are enough, and nobody dominates.
    let document = desk.json(&format!("{FIRMS} --respondent firm --min-frequency 3"), 0);
    assert_eq!(ids(&document), ["Bodo/Paper"]);
}

#[test]
fn what_is_written_is_read_again() {
    let desk = firms();
    let rules = "--min-frequency 3 --dominance 2,85 --cost unit --bounds 50%";
    let first = desk.json(&format!("{FIRMS} {rules} --output flagged.csv --report hits.csv"), 0);
    let again = "cells primaries flagged.csv --from table --dimensions region,branch --hierarchy region=regions.hrc";
    let second = desk.json(&format!("{again} --output again.csv"), 0);
    assert_eq!(ids(&first), ids(&second));
    assert_eq!(desk.read("flagged.csv"), desk.read("again.csv"));
    let header = desk.read("hits.csv").lines().next().map(str::to_owned);
    assert_eq!(header.as_deref(), Some("region,branch,turnover,rule,lpl,upl"));
    desk.done(&format!("{FIRMS} {rules} --output table.json"));
    let table: Value = serde_json::from_str(&desk.read("table.json")).expect("JSON");
    assert_eq!(table["cells"].as_array().map(Vec::len), Some(28));
    desk.done(&format!("{FIRMS} {rules} --output table.jj"));
    assert!(desk.read("table.jj").starts_with("0\n28\n"));
}

#[test]
fn bad_input_is_a_sentence_and_nothing_is_written() {
    let desk = firms();
    desk.write("broken.hrc", "South\n@@Oslo\n").write("wrong.csv", "region,value\nOslo,5\nBergen,6\nTotal,12\n");
    let before = desk.listing();
    let told = |arguments: &str, sentence: &str| {
        let ran = desk.tamis(arguments);
        assert_eq!(ran.code, 2, "{arguments}: {ran:?}");
        assert!(ran.err.contains(sentence), "{arguments}: {}", ran.err);
        assert_eq!(desk.listing(), before, "{arguments}");
    };
    let broken = "cells primaries firms.csv --dimensions region --value turnover --output out.csv";
    told(&format!("{broken} --hierarchy region=broken.hrc"), "`broken.hrc`: line 2: `Oslo` is 2 levels below `South`");
    told(&format!("{broken} --dominance 2"), "--dominance: found `2`, expected N,K");
    told(&format!("{broken} --dominance 0,85"), "--dominance: found `0,85`");
    told(&format!("{broken} --p-percent -1"), "--p-percent");
    told(&format!("{broken} --pq 20,10"), "--pq: found `20,10`");
    told(&format!("{broken} --min-frequency 0"), "--min-frequency 0: give a number above 0");
    told(&format!("{broken} --zeros maybe"), "--zeros maybe: expected rules, primary, safe or fixed");
    told(&format!("{broken} --bounds wide"), "--bounds: found the bounds `wide`");
    told(&format!("{broken} --holding nobody"), "has no column `nobody`");
    told(
        "cells primaries wrong.csv --from table",
        "line 4: (region=Total) is 12, but its 2 parts along `region` add up to 11, 1 apart",
    );
    told("cells primaries firms.csv --value turnover", "--dimensions");
    told("cells primaries none.csv --dimensions a", "cannot open `none.csv`");
    told(&format!("{FIRMS} --output firms.csv"), "would be overwritten");
}

#[test]
fn attackers_are_not_dropped_silently() {
    let desk = Desk::new();
    desk.write("firms.csv", "firm,region,branch,turnover\n1,a,A,5\n2,b,A,6\n3,a,B,7\n4,b,B,9\n");
    let start = "cells primaries firms.csv --dimensions region,branch --value turnover --respondent firm --min-frequency 2 --singletons=all";
    for output in ["out.csv", "out.jj"] {
        let ran = desk.tamis(&format!("{start} --output {output}"));
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains("has no place for attackers; write the table as .json"), "{}", ran.err);
    }
    desk.json(&format!("{start} --output out.json"), 0);
}
