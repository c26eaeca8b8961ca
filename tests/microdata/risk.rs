//! What `tamis risk` promises: figures, pages, exit codes.

use crate::program::{Desk, repository};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const ADULT_QUASI: &str = "sex,age,race,marital-status,education,native-country,workclass,salary-class";

/// Nine volunteers out of a neighbourhood of 24.
fn neighbourhood() -> Desk {
    let desk = Desk::new();
    for name in ["volunteers.csv", "neighbours.csv", "people.csv", "visits.csv"] {
        desk.write(name, std::fs::read(repository().join("docs/guide/examples").join(name)).expect(name));
    }
    desk
}

mod figures {
    use super::*;

    #[test]
    fn against_a_population_that_is_counted() {
        let desk = neighbourhood();
        let document = desk.json("risk volunteers.csv --quasi age,district,sex --population neighbours.csv", 0);
        assert_eq!(document["rows"], 9);
        assert_eq!(document["classes"]["sizes"], json!([[1, 3], [2, 3]]));
        assert_eq!(document["uniques"], json!({ "rows": 3, "share": 3.0 / 9.0 }));
        assert_eq!(document["prosecutor"]["average"], 6.0 / 9.0);
        // Classes of 2, 1, 2, 2, 1 and 1 volunteers are among 6, 4, 3, 5, 2 and 1 neighbours.
        let expected = (2.0 / 6.0 + 1.0 / 4.0 + 2.0 / 3.0 + 2.0 / 5.0 + 1.0 / 2.0 + 1.0) / 9.0;
        let found = document["journalist"]["average"].as_f64().expect("a number");
        assert!((found - expected).abs() < 1e-12, "{found} instead of {expected}");
        assert_eq!(document["journalist"]["max"], 1.0);
        assert_eq!(document["journalist"]["basis"], "population");
        assert_eq!(document["marketer"]["share"], document["journalist"]["average"]);
        let population = &document["population"];
        assert_eq!((&population["people"], &population["uniques"]), (&json!(24), &json!(1)));
        assert_eq!((&population["uniques_in_table"], &population["fraction"]), (&json!(1), &json!(9.0 / 24.0)));
        assert!(document.get("estimates").is_none(), "nothing is estimated beside what is counted");
        assert_eq!(document["presence"], json!({ "min": 0.25, "max": 1.0 }));
        assert_eq!(document["records"].as_array().expect("a list").len(), 9);
    }

    #[test]
    fn by_estimate_where_only_the_fraction_is_known() {
        let desk = neighbourhood();
        let document = desk.json("risk volunteers.csv --quasi age,district,sex --fraction 0.5", 0);
        assert_eq!(document["journalist"]["basis"], "estimate");
        // One person seen at a fraction of one half: the mean of 1/F is ln 2.
        let highest = document["journalist"]["max"].as_f64().expect("a number");
        assert!((highest - 2f64.ln()).abs() < 1e-12, "{highest}");
        for estimator in ["pitman", "zayatz", "snb", "dankar"] {
            assert!(document["estimates"].get(estimator).is_some(), "{estimator} is told even where it is not defined");
        }
        let whole = desk.json("risk volunteers.csv --quasi age,district,sex --fraction 1", 0);
        assert_eq!(whole["journalist"]["average"], whole["prosecutor"]["average"]);
        assert_eq!(whole["estimates"]["dankar"]["population_uniques"], 3.0);
        assert_eq!(whole["estimates"]["dankar"]["estimator"], "snb", "the rule names what it chose, not itself");
    }

    #[test]
    fn people_with_several_visits_do_not_hide_behind_themselves() {
        let desk = neighbourhood();
        let rows = desk.json("risk visits.csv --quasi year,ward", 0);
        let people = desk.json("risk visits.csv --quasi year,ward --entity patient", 0);
        assert_eq!(rows["uniques"]["rows"], 0);
        assert_eq!(people["uniques"]["rows"], 3, "the three visits of p01 are all there is of 2023 in the north");
        let check = desk.json("check visits.csv --quasi year,ward --entity patient", 0);
        assert_eq!(people["prosecutor"], check["risk"]);
        let flag = |document: &Value| {
            let flags = document["hipaa"].as_array().cloned().unwrap_or_default();
            flags.into_iter().find(|flag| flag["column"] == "patient")
        };
        assert_eq!(flag(&people).map(|flag| flag["letter"].clone()), Some(json!("R")), "whoever it is, it names them");
    }

    #[test]
    fn a_row_is_explained_by_its_smallest_unique_combinations() {
        let desk = Desk::new();
        desk.write("t.csv", "age,zip,sex\n30,1,m\n30,2,m\n31,1,m\n31,2,f\n31,2,m\n30,1,m\n");
        let document = desk.json("risk t.csv --quasi age,zip,sex --row 3", 0);
        assert_eq!(document["row"]["minimal_uniques"], json!([["age", "zip"]]));
        assert_eq!(document["row"]["class_size"], 1);
        let without: Vec<u64> = document["row"]["columns"]
            .as_array()
            .expect("columns")
            .iter()
            .map(|column| column["class_size_without"].as_u64().expect("a number"))
            .collect();
        assert_eq!(without, [3, 2, 1]);
        let said = desk.done("risk t.csv --quasi age,zip,sex --row 3").out;
        for line in [
            "row 3 has age 31, zip 1, sex m.",
            "It is unique because of {age, zip}: nobody else in the table has these values.",
            "Its smallest unique combinations are {age, zip}.",
        ] {
            assert!(said.contains(line), "{line} is missing: {said}");
        }
        let shared = desk.done("risk t.csv --quasi age,zip,sex --row 1").out;
        assert!(shared.contains("2 people of the table share them, so a guess is right with 50.00%."), "{shared}");
    }

    #[test]
    fn adult_agrees_with_check_and_contributions_add_up() {
        let desk = Desk::with_adult();
        let document = desk.json(&format!("risk adult.csv --quasi {ADULT_QUASI} --fraction 0.01"), 0);
        let check = desk.json(&format!("check adult.csv --quasi {ADULT_QUASI}"), 0);
        assert_eq!(document["prosecutor"], check["risk"]);
        assert_eq!(document["classes"]["count"], check["classes"]);
        assert_eq!(document["uniques"]["rows"], check["anonymity_vector"][0]);
        let attributes = document["attributes"].as_array().expect("a list");
        let total: f64 = attributes.iter().filter_map(|attribute| attribute["contribution"].as_f64()).sum();
        let share = document["uniques"]["share"].as_f64().expect("a number");
        assert!((total - share).abs() < 1e-9, "{total} instead of {share}");
        assert_eq!(document["msu"]["rows"], document["uniques"]["rows"]);
        assert_eq!(document["estimates"]["dankar"]["estimator"], "pitman");
        assert_eq!(document["records"].as_array().expect("a list").len(), 10);
    }

    #[test]
    fn columns_of_identifiers_are_flagged() {
        let desk = Desk::new();
        desk.write(
            "p.csv",
            "imię,correo,nacido,group\nAna,ana@example.cl,1990-02-03,a\nPia,pia@example.cl,1991-02-03,b\n",
        );
        let flags = desk.json("risk p.csv --quasi group", 0)["hipaa"].clone();
        let letters: Vec<&str> =
            flags.as_array().expect("a list").iter().filter_map(|flag| flag["letter"].as_str()).collect();
        assert_eq!(letters, ["A", "F", "C"]);
        assert_eq!(flags[1]["share"], 1.0);
    }
}

mod requirements {
    use super::*;

    #[test]
    fn a_bound_that_fails_is_exit_code_1() {
        let desk = neighbourhood();
        let quasi = "risk volunteers.csv --quasi age,district,sex";
        let document = desk.json(&format!("{quasi} --require average=0.5,max=1"), 1);
        assert_eq!(document["holds"], false);
        assert_eq!(document["violations"], json!(["the average risk is 0.6666666666666666, at most 0.5 is allowed"]));
        let document = desk.json(&format!("{quasi} --require average=0.7,uniques=0.34,at_risk=1,marketer=0.7"), 0);
        assert_eq!(document["holds"], true);
        let with = format!("{quasi} --population neighbours.csv");
        desk.json(&format!("{with} --require journalist=1,population_uniques=0.05,presence=1"), 0);
        desk.json(&format!("{with} --require presence=0.9"), 1);
        assert!(desk.done(&format!("{quasi} --require max=1")).out.contains("every requirement holds"));
    }
}

/// The text of a page that a reader sees: no style sheet, no tags.
fn visible(page: &str) -> String {
    let body = page.split_once("</style>").expect("a style sheet").1;
    let mut text = String::new();
    let mut in_tag = false;
    for character in body.chars() {
        match character {
            '<' => in_tag = true,
            '>' => {
                in_tag = false;
                text.push(' ');
            }
            _ if !in_tag => text.push(character),
            _ => {}
        }
    }
    text
}

fn words(text: &str) -> BTreeSet<&str> {
    text.split_whitespace().map(|word| word.trim_matches(['.', ',', ';', ':', '(', ')'])).collect()
}

mod pages {
    use super::*;

    #[test]
    fn the_internal_page_has_everything() {
        let desk = neighbourhood();
        desk.done("risk people.csv --quasi age,zip,sex --fraction 0.1 --row 4 --require max=1 --report inside.html");
        let page = desk.read("inside.html");
        for part in ["05478", "Minimal sample uniques", "Safe harbour", "Pitman", "Journalist", "✓ met", "<svg"] {
            assert!(page.contains(part), "{part} is missing");
        }
        for forbidden in ["<script", "http://", "https://", "NaN"] {
            assert!(!page.contains(forbidden), "{forbidden} in the page");
        }
    }

    #[cfg(unix)]
    #[test]
    fn the_internal_page_is_its_owners_alone() {
        use std::os::unix::fs::PermissionsExt;
        let desk = neighbourhood();
        let mode = |name: &str| std::fs::metadata(desk.path(name)).expect("a file").permissions().mode() & 0o777;
        let open = std::fs::Permissions::from_mode(0o644);
        desk.write("old.html", "old");
        std::fs::set_permissions(desk.path("old.html"), open.clone()).expect("permissions");
        for name in ["new.html", "old.html"] {
            desk.done(&format!("risk people.csv --quasi age,zip,sex --report {name} --external out.html"));
            assert_eq!(mode(name), 0o600, "{name}");
            assert_ne!(mode("out.html") & 0o044, 0, "the external page is for others");
        }
    }

    #[test]
    fn the_external_page_shows_no_value_and_no_count() {
        let desk = Desk::with_adult();
        let arguments = format!(
            "risk adult.csv --quasi {ADULT_QUASI} --fraction 0.01 --row 17 --require average=0.25,max=0.3 --external out.html"
        );
        assert_eq!(desk.tamis(&arguments).code, 1);
        let page = desk.read("out.html");
        let text = visible(&page);
        let words = words(&text);
        let table = desk.read("adult.csv");
        for value in table.lines().skip(1).flat_map(|line| line.split([',', ';'])).collect::<BTreeSet<_>>() {
            let is_number = value.parse::<f64>().is_ok();
            assert!(is_number || !words.contains(value), "the value {value} is on the page");
        }
        // Every number is an end of a band, a bound that was asked for, the rounded number of rows or the version.
        let version = env!("CARGO_PKG_VERSION");
        let allowed = ["1", "5", "10", "20", "50", "0.1", "0.25", "0.3", "30,000", version];
        let numbers: Vec<&str> = text
            .split(|c: char| !(c.is_ascii_digit() || c == '.' || c == ','))
            .map(|number| number.trim_matches(['.', ',']))
            .filter(|number| !number.is_empty())
            .collect();
        assert!(numbers.contains(&"30,000") && numbers.contains(&"0.25"), "{numbers:?}");
        for number in numbers {
            assert!(allowed.contains(&number), "{number} is on the page: {text}");
        }
    }

    #[test]
    fn the_external_page_does_not_change_when_one_person_leaves() {
        let desk = Desk::with_adult();
        let table = desk.read("adult.csv");
        let mut pages = BTreeSet::new();
        for left_out in [1, 2, 17, 20_000, 30_162] {
            let rest: Vec<&str> =
                table.lines().enumerate().filter(|&(line, _)| line != left_out).map(|(_, text)| text).collect();
            desk.write("rest.csv", rest.join("\n") + "\n");
            desk.done(&format!("risk rest.csv --quasi {ADULT_QUASI} --msu 2 --external out.html"));
            pages.insert(desk.read("out.html"));
        }
        assert_eq!(pages.len(), 1);
    }

    #[test]
    fn the_external_page_of_a_small_table_tells_no_figure() {
        let desk = neighbourhood();
        let risk = "risk volunteers.csv --quasi age,district,sex --population neighbours.csv";
        let require = "presence=0.9,journalist=0.9,population_uniques=0.9,uniques=0.9";
        assert_eq!(desk.tamis(&format!("{risk} --require {require} --external out.html")).code, 1);
        let text = visible(&desk.read("out.html"));
        assert!(text.contains("fewer than 100") && text.contains("too small for any figure"), "{text}");
        for told in ["%", "north", "20-39", "female", "24", "unique", "met", "0.9", "equirement"] {
            assert!(!text.contains(told), "{told} is on the page: {text}");
        }
    }
}

mod bad_input {
    use super::*;

    fn bad(arguments: &str, part: &str) {
        let desk = neighbourhood();
        let before = desk.listing();
        let ran = desk.tamis(arguments);
        assert_eq!(ran.code, 2, "{arguments}: {ran:?}");
        assert!(ran.err.contains(part), "{arguments} does not say `{part}`: {}", ran.err);
        assert_eq!(ran.out, "");
        assert_eq!(desk.listing(), before, "{arguments} leaves files behind");
    }

    #[test]
    fn settings_that_make_no_sense() {
        let risk = "risk volunteers.csv --quasi age,district";
        bad("risk volunteers.csv", "--quasi");
        bad("risk nowhere.csv --quasi age", "nowhere.csv");
        bad("risk volunteers.csv --quasi age,zip", "`zip`");
        bad("risk volunteers.csv --quasi age,age", "--quasi names `age` twice");
        bad(&format!("{risk} --fraction 0"), "--fraction is 0; expected the share of the population");
        bad(&format!("{risk} --fraction 1.5"), "--fraction is 1.5");
        bad(&format!("{risk} --fraction -1"), "--fraction is -1");
        bad(&format!("{risk} --fraction 0.5 --population neighbours.csv"), "cannot be used with");
        bad(&format!("{risk} --threshold 2"), "--threshold is 2; expected a number between 0 and 1");
        bad(&format!("{risk} --row 10"), "--row is 10; expected a row of the table, from 1 to 9");
        bad(&format!("{risk} --row 0"), "--row is 0");
        bad(&format!("{risk} --msu 0"), "--msu is 0");
        bad(&format!("{risk} --entity age"), "--entity names a quasi-identifier");
        bad(&format!("{risk} --entity who"), "`who`");
        bad(&format!("{risk} --require risk=0.1"), "`risk=0.1` is no requirement; expected NAME=NUMBER");
        bad(&format!("{risk} --require average=7"), "`average=7` is no requirement");
        bad(
            &format!("{risk} --require journalist=0.1"),
            "the requirement `journalist` needs --population or --fraction",
        );
        bad(&format!("{risk} --fraction 0.5 --require presence=0.1"), "the requirement `presence` needs --population");
    }

    #[test]
    fn populations_that_cannot_contain_the_table() {
        bad(
            "risk neighbours.csv --quasi age,sex --population volunteers.csv",
            "expected a population that contains the table",
        );
        bad(
            "risk volunteers.csv --quasi age,sex --population people.csv --report r.html --external e.html",
            "the population has none of the table's combinations of quasi-identifiers",
        );
        bad("risk volunteers.csv --quasi age,diagnosis --population neighbours.csv", "has no column `diagnosis`");
        bad("risk volunteers.csv --quasi age --population nowhere.csv", "nowhere.csv");
    }

    #[test]
    fn outputs_that_would_replace_an_input_or_each_other() {
        bad("risk volunteers.csv --quasi age --report volunteers.csv", "volunteers.csv would be overwritten");
        bad("risk volunteers.csv --quasi age --report a.html --external a.html", "a.html would be overwritten");
        bad("risk volunteers.csv --quasi age --external nowhere/a.html", "nowhere");
    }

    #[test]
    fn more_sets_of_columns_than_can_be_walked() {
        let desk = Desk::new();
        let header: Vec<String> = (0..40).map(|column| format!("c{column}")).collect();
        let row = vec!["x"; 40].join(",");
        desk.write("wide.csv", format!("{}\n{row}\n{row}\n", header.join(",")));
        let ran = desk.tamis(&format!("risk wide.csv --quasi {} --msu 8", header.join(",")));
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains("choose a smaller --msu or fewer columns"), "{}", ran.err);
        let document = desk.json(&format!("risk wide.csv --quasi {}", header.join(",")), 0);
        assert_eq!((&document["msu"]["size"], &document["uniques"]["rows"]), (&json!(3), &json!(0)));
        assert!(document["attributes"][0]["contribution"].is_null());
    }
}
