//! What `tamis appointments generate` and `tamis appointments experiment` promise: numbers, files, pages, exit codes.

use crate::program::Desk;
use serde_json::Value;

mod generate {
    use super::*;

    fn sum(numbers: &Value) -> u64 {
        numbers.as_array().expect("a list").iter().map(|number| number.as_u64().expect("a number")).sum()
    }

    #[test]
    fn every_kind_makes_room_for_everybody() {
        let desk = Desk::new();
        for kind in ["paper", "paper-text", "thesis", "spanish-pyramid"] {
            let document = desk.json(&format!("appointments generate {kind} --people 120 --seed 5"), 0);
            assert_eq!(document["people"], 120, "{kind}");
            assert_eq!(sum(&document["frequencies"]), 120, "{kind}");
            assert!(sum(&document["capacities"]) >= 120, "{kind}");
            let again = desk.json(&format!("appointments generate {kind} --people 120 --seed 5"), 0);
            assert_eq!(document, again, "{kind}");
        }
    }

    #[test]
    fn the_printed_numbers_are_flags_of_solve() {
        let desk = Desk::new();
        let printed = desk.done("appointments generate paper --people 40 --seed 2").out;
        let flags: Vec<&str> = printed.split_whitespace().collect();
        let solved = desk.json(&format!("appointments solve --method authors {}", flags.join(" ")), 0);
        assert!(solved["vector"].is_array());
    }

    #[test]
    fn people_and_slots_are_written_as_tables() {
        let desk = Desk::new();
        desk.done("appointments generate spanish-pyramid --people 30 --min-age 50 --max-age 69 --sex woman --seed 1 --output-people p.csv --output-slots s.csv");
        let people = desk.read("p.csv");
        let mut lines = people.lines();
        assert_eq!(lines.next(), Some("ID,AGE,CP,SEX"));
        assert_eq!(people.lines().count(), 31);
        for line in lines {
            let cells: Vec<&str> = line.split(',').collect();
            assert!((50..=69).contains(&cells[1].parse::<u32>().expect("an age")), "{line}");
            assert_eq!(cells[3], "woman");
        }
        assert!(desk.read("s.csv").starts_with("RESOURCE,CAPACITY\n0,"));
    }

    #[test]
    fn a_small_norway_has_its_regions_and_dates() {
        let desk = Desk::new();
        let document = desk.json(
            "appointments generate norway --scale 0.001 --dates 4 --seed 1 --output-people p.csv --output-slots s.csv",
            0,
        );
        assert_eq!(document["people"], 1370 + 348 + 303 + 245 + 132);
        assert_eq!(document["programmes"].as_array().map(Vec::len), Some(20));
        assert_eq!(desk.read("p.csv").lines().count(), 2399);
        assert!(desk.read("s.csv").contains("9,1992-04,1,"));
    }

    #[test]
    fn a_norway_that_is_not_kept_says_how_to_keep_it() {
        let desk = Desk::new();
        let ran = desk.done("appointments generate norway --scale 0.001 --dates 2 --seed 1");
        assert!(ran.err.contains("--output-people") && ran.err.contains("--output-slots"), "{}", ran.err);
        let kept = desk.done("appointments generate norway --scale 0.001 --dates 2 --seed 1 --output-slots s.csv");
        assert!(!kept.err.contains("nothing is kept"), "{}", kept.err);
    }

    #[test]
    fn what_makes_no_population_is_refused() {
        let desk = Desk::new();
        for (arguments, sentence) in [
            ("paper", "how many people? Give --people N"),
            ("paper --people 0", "the number of people is 0; give 1 to 100,000,000"),
            ("paper --people 50 --quasi-ids 51", "for 50 people there can be 1 to 50"),
            ("paper --people 50 --quasi-ids N/0+5", "write a number such as 12 or a formula such as N/100+5"),
            (
                "spanish-pyramid --people 5 --min-age 9 --max-age 3",
                "the minimum age is 9; give one up to the maximum age, 3",
            ),
            (
                "thesis --people 5 --max-capacity 0",
                "the smallest capacity is 1; give one from 1 to the largest capacity, 0",
            ),
            ("norway --scale 2", "the scale is 2; give a number above 0 and up to 1"),
            ("norway --scale -1", "the scale is -1; give a number above 0 and up to 1"),
            (
                "norway --people 100",
                "--people does not apply to `norway`, only to `paper`, `paper-text`, `thesis` and `spanish-pyramid`",
            ),
            (
                "thesis --people 50 --quasi-ids 3",
                "--quasi-ids does not apply to `thesis`, only to `paper` and `paper-text`",
            ),
            ("paper --people 50 --sex woman", "--sex does not apply to `paper`, only to `spanish-pyramid`"),
            ("paper --people 50 --ages spain", "--ages does not apply to `paper`, only to `spanish-pyramid`"),
            ("paper-text --people 50 --min-capacity 3", "only to `thesis` and `spanish-pyramid`"),
            ("thesis --people 50 --dates 3", "--dates does not apply to `thesis`, only to `norway`"),
        ] {
            let ran = desk.tamis(&format!("appointments generate {arguments} --output-people p.csv"));
            assert_eq!(ran.code, 2, "{arguments}: {}", ran.err);
            assert!(ran.err.contains(sentence), "{arguments}: {}", ran.err);
            assert!(!desk.path("p.csv").exists(), "{arguments}");
        }
    }
}

mod experiment {
    use super::*;

    /// The document without what depends on the machine.
    fn without_seconds(mut document: Value) -> Value {
        for row in document["rows"].as_array_mut().expect("rows") {
            for arm in row["arms"].as_array_mut().expect("arms") {
                arm["seconds"] = Value::Null;
            }
        }
        document
    }

    #[test]
    fn table_10_has_the_rows_of_the_paper_whatever_the_threads() {
        let desk = Desk::new();
        let command = "appointments experiment table-10 --runs 4 --methods authors,half --seed 3";
        let document = without_seconds(desk.json(&format!("{command} --threads 1"), 0));
        let rows = document["rows"].as_array().expect("rows");
        assert_eq!(rows.len(), 12);
        assert_eq!(rows[0]["label"], "N = 20");
        assert_eq!(rows[0]["comparisons"][0]["of"], "authors");
        assert_eq!(rows[0]["comparisons"][0]["over"], "drawn");
        assert_eq!(rows[0]["comparisons"][0]["published"], 0.24);
        assert_eq!(rows[11]["label"], "N = 1000, Q = N/10+5");
        assert_eq!(document, without_seconds(desk.json(&format!("{command} --threads 3"), 0)));
    }

    #[test]
    fn the_files_say_what_the_document_says() {
        let desk = Desk::new();
        let document = desk.json(
            "appointments experiment thesis-7 --runs 5 --methods authors,exact --seed 1 --csv f.csv --html f.html",
            0,
        );
        let mean = document["rows"][0]["comparisons"][0]["improvement"]["mean"].as_f64().expect("a number");
        let csv = desk.read("f.csv");
        assert!(csv.starts_with("setting,people,runs,figure,of,printed,mean,standard_error,minimum,median,maximum\n"));
        assert!(csv.contains(&format!("N = 5,5,5,improvement,exact/drawn,0.3815,{mean},")), "{csv}");
        let page = desk.read("f.html");
        assert!(page.contains("<h1>Table 7 of the thesis</h1>") && page.contains("<svg") && page.ends_with("</html>"));
        assert!(!page.contains("<script") && !page.contains("http-equiv=\"refresh\"") && !page.contains("src="));
        assert!(page.contains("printed 38.1%") || page.contains("printed 38.2%"), "the thesis prints 0.3815");
    }

    #[test]
    fn table_11_in_small() {
        let desk = Desk::new();
        let ran = desk
            .done("appointments experiment table-11 --scale 0.02 --dates 12 --methods authors --seed 1 --threads 2");
        for shown in ["region 1", "region 9", "82.6%", "34.4%", "58.8%", "53.7%", "3.6%"] {
            assert!(ran.out.contains(shown), "{shown}: {}", ran.out);
        }
        assert!(ran.err.contains("279 months"), "{}", ran.err);
    }

    #[test]
    fn thesis_8_shows_k() {
        let desk = Desk::new();
        let document = desk.json("appointments experiment thesis-8 --runs 3 --methods authors --n 5,100 --seed 1", 0);
        assert_eq!(document["rows"].as_array().map(Vec::len), Some(2));
        assert_eq!(document["rows"][1]["arms"][1]["published_k"], 2.16);
        assert_eq!(document["rows"][1]["comparisons"], Value::Array(Vec::new()));
    }

    #[test]
    fn an_experiment_of_ones_own() {
        let desk = Desk::new();
        let document = desk.json(
            "appointments experiment custom --generator paper-text --n 20,60 --methods half,greatest --runs 3 --seed 1",
            0,
        );
        let arms = document["rows"][1]["arms"].as_array().expect("arms");
        let names: Vec<&str> = arms.iter().filter_map(|arm| arm["arm"].as_str()).collect();
        assert_eq!(names, ["drawn", "half", "greatest"]);
        assert_eq!(document["rows"][1]["people"], 60.0);
    }

    #[test]
    fn every_arm_is_entered_by_the_name_it_is_shown_with() {
        let desk = Desk::new();
        for table in ["custom", "table-10"] {
            let methods = "random,exact,heuristic,greatest,half,authors,drawn";
            let command = format!("appointments experiment {table} --n 30 --runs 2 --methods {methods} --seed 1");
            let document = desk.json(&command, 0);
            let arms = document["rows"][0]["arms"].as_array().expect("arms");
            let mut shown: Vec<&str> = arms.iter().filter_map(|arm| arm["arm"].as_str()).collect();
            let mut entered: Vec<&str> = methods.split(',').collect();
            shown.sort_unstable();
            entered.sort_unstable();
            assert_eq!(shown, entered, "{table}");
            assert!(document["rows"][0]["comparisons"].as_array().map_or(0, Vec::len) >= 6, "{table}");
            assert_eq!(document["command"], format!("tamis {command}"));
        }
    }

    #[test]
    fn table_10_with_the_populations_of_the_text() {
        let desk = Desk::new();
        let rows = |generator: &str| {
            let command =
                format!("appointments experiment table-10 {generator} --runs 4 --methods authors --n 50 --seed 1");
            without_seconds(desk.json(&command, 0))["rows"].clone()
        };
        assert_eq!(rows(""), rows("--generator paper"));
        let by_text = rows("--generator paper-text");
        assert_ne!(by_text, rows(""));
        assert_eq!(by_text[0]["populations"], "paper-text: N/100+5 quasi-identifier values");
        assert_eq!(by_text[0]["comparisons"][0]["published"], 0.62);
    }

    #[test]
    fn one_run_has_no_standard_error() {
        let desk = Desk::new();
        let command = "appointments experiment custom --n 50 --methods authors --runs 1 --seed 1";
        let document = desk.json(&format!("{command} --csv f.csv"), 0);
        assert_eq!(document["rows"][0]["comparisons"][0]["improvement"]["standard_error"], Value::Null);
        for line in desk.read("f.csv").lines().skip(1) {
            assert_eq!(line.split(',').nth(7), Some(""), "{line}");
        }
        let text = desk.done(command).out;
        let row = text.lines().find(|line| line.starts_with("N = 50")).expect("a row");
        assert!(text.contains("error (points)") && text.contains("error (k)"), "{text}");
        assert!(row.ends_with(" -"), "{text}");
    }

    #[test]
    fn what_cannot_be_run_is_refused() {
        let desk = Desk::new();
        for (arguments, sentence) in [
            ("table-10 --runs 0", "the number of runs is 0; give 1 to 1,000,000"),
            ("table-10 --runs 1 --n 21", "the table has no row with such a number of people"),
            ("custom --runs 1", "how many people? Give --n"),
            ("custom --runs 1 --n 3", "the paper's generator has a slot for every ten people"),
            ("table-10 --runs 1 --time-limit nan", "give a number of seconds above 0"),
            ("table-11 --scale 0", "the scale is 0; give a number above 0 and up to 1"),
            ("table-11 --dates 0", "the number of dates is 0; give 1 to 600"),
            (
                "table-11 --runs 2",
                "--runs does not apply to `table-11`, only to `table-10`, `thesis-7`, `thesis-8` and `custom`",
            ),
            ("table-11 --n 50", "--n does not apply to `table-11`"),
            ("table-10 --scale 0.5", "--scale does not apply to `table-10`, only to `table-11`"),
            ("table-10 --quasi-ids 7", "--quasi-ids does not apply to `table-10`, only to `custom`"),
            ("table-10 --generator thesis", "table-10 has the populations `paper` or `paper-text`"),
            ("thesis-7 --generator paper", "--generator does not apply to `thesis-7`, only to `table-10` and `custom`"),
            ("custom --n 50 --sex man", "--sex does not apply to `paper`, only to `spanish-pyramid`"),
            ("custom --generator norway", "run `tamis appointments experiment table-11`"),
        ] {
            let ran = desk.tamis(&format!("appointments experiment {arguments} --csv f.csv"));
            assert_eq!(ran.code, 2, "{arguments}: {}", ran.err);
            assert!(ran.err.contains(sentence), "{arguments}: {}", ran.err);
            assert!(!desk.path("f.csv").exists(), "{arguments}");
        }
    }
}
