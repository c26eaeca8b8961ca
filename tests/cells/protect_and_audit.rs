//! What `tamis cells protect` and `audit` promise: patterns, intervals, files, sentences, exit codes.

use crate::program::Desk;
use serde_json::{Value, json};

/// The activities by regions of docs/cells.md, as cells and equations.
fn by_hand() -> Value {
    let (rows, columns) = (["Mining", "Crafts", "Trade", "Services"], ["North", "East", "South", "West"]);
    let values = [[20, 45, 30, 55], [50, 22, 60, 68], [38, 72, 90, 100], [3, 61, 70, 116]];
    let id = |row: &str, column: &str| format!("{row}/{column}");
    let mut cells = Vec::new();
    for (row, own) in rows.iter().zip(values) {
        for (column, value) in columns.iter().zip(own) {
            cells.push(json!({ "id": id(row, column), "value": value }));
        }
        cells.push(json!({ "id": id(row, "Total"), "value": own.iter().sum::<i32>() }));
    }
    for (at, column) in columns.iter().enumerate() {
        cells.push(json!({ "id": id("Total", column), "value": values.iter().map(|row| row[at]).sum::<i32>() }));
    }
    cells.push(json!({ "id": "Total/Total", "value": 900 }));
    cells[6] = json!({ "id": "Crafts/East", "value": 22, "lpl": 5, "upl": 5, "status": "primary" });
    let mut equations = Vec::new();
    for row in rows.iter().chain(&["Total"]) {
        let mut terms: Vec<Value> = columns.iter().map(|column| json!([id(row, column), 1])).collect();
        terms.push(json!([id(row, "Total"), -1]));
        equations.push(json!({ "rhs": 0, "terms": terms }));
    }
    for column in columns.iter().chain(&["Total"]) {
        let mut terms: Vec<Value> = rows.iter().map(|row| json!([id(row, column), 1])).collect();
        terms.push(json!([id("Total", column), -1]));
        equations.push(json!({ "rhs": 0, "terms": terms }));
    }
    json!({ "cells": cells, "equations": equations })
}

fn desk() -> Desk {
    let desk = Desk::new();
    desk.write("table.json", by_hand().to_string());
    desk
}

#[cfg(feature = "cells")]
/// The same table with one row a cell.
fn as_csv() -> String {
    let line = |cell: &Value| {
        let (activity, region) = cell["id"].as_str().expect("an id").split_once('/').expect("two labels");
        let more = if cell["status"] == "primary" { "u,5,5" } else { "s,," };
        format!("{activity},{region},{},{more}\n", cell["value"])
    };
    let table = by_hand();
    let lines = table["cells"].as_array().expect("cells").iter().map(line);
    ["Activity,Region,value,status,lpl,upl\n".to_owned()].into_iter().chain(lines).collect()
}

#[cfg(feature = "cells")]
const SMALL_JJ: &str = "0\n3\n7 2 2 u 0 9 1 1 0\n8 3 3 s 0 9 0 0 0\n9 5 5 s 0 9 0 0 0\n1\n0 3 : 7 (1) 8 (1) 9 (-1)\n";

/// Runs a command that must be refused: its sentence, and nothing written.
fn refused(desk: &Desk, command: &str, code: i32) -> String {
    let before = desk.listing();
    let ran = desk.tamis(&format!("{command} --json"));
    assert_eq!(ran.code, code, "{command}: {ran:?}");
    assert_eq!(before, desk.listing(), "{command} leaves something behind");
    ran.document()["error"].as_str().expect("an error").to_owned()
}

mod the_verbs {
    use super::*;

    #[test]
    fn are_listed() {
        let ran = Desk::new().done("cells --help");
        for verb in ["primaries", "protect", "audit", "generate"] {
            assert!(ran.out.contains(verb), "{}", ran.out);
        }
    }
}

mod bad_input {
    use super::*;

    /// Arguments and tables are checked before anybody looks for the solver.
    #[test]
    fn is_told_in_a_sentence_and_leaves_nothing() {
        let desk = desk();
        desk.write(
            "unknown.json",
            r#"{ "cells": [ { "id": 1, "value": 2 } ], "equations": [ { "terms": [[3, 1]] } ] }"#,
        );
        desk.write("sum.json", r#"{ "cells": [ { "id": "a", "value": 2 }, { "id": "b", "value": 3 } ], "equations": [ { "terms": [["a", 1], ["b", -1]] } ] }"#);
        desk.write("outside.json", r#"{ "cells": [ { "id": "a", "value": 2, "ub": 1 } ], "equations": [] }"#);
        desk.write("broken.json", "{ \"cells\": [\n");
        desk.write("broken.jj", "0\n2\n0 2 2 u 0 9 1 1 0\n1 three 3 s 0 9 0 0 0\n");
        for verb in ["protect", "audit"] {
            for (table, words) in [
                ("missing.json", "cannot open `missing.json`"),
                ("unknown.json", "unknown.json: equation 1: there is no cell 3"),
                ("sum.json", "does not add up: the left side is -1"),
                ("outside.json", "cell a: its value 2 is outside its bounds"),
                ("broken.json", "broken.json: line 2"),
                ("broken.jj", "broken.jj: line 4"),
                ("table.json --dimensions a", "--dimensions is about tables with dimensions"),
                ("table.json table.json", "cannot be linked"),
            ] {
                let told = refused(&desk, &format!("cells {verb} {table} --output out.csv"), 2);
                assert!(told.contains(words), "{verb} {table}: {told}");
            }
        }
    }

    #[test]
    fn covers_flags() {
        let desk = desk();
        for (flags, words) in [
            ("--time-limit 0", "--time-limit is 0.0; give a number of seconds above 0"),
            ("--gap 1", "--gap is 1.0; give a share from 0 to below 1"),
            (
                "--hide Nowhere",
                "--hide Nowhere: there is no such cell in table.json; ids are, for example, Mining/North",
            ),
            ("--publish Crafts/East", "cell Crafts/East cannot be published, it is primary"),
            ("--hide Mining/East --publish Mining/East", "--hide names it too"),
            ("--format jj", "say which with --output"),
            ("--output table.json", "would be overwritten"),
            ("--output nowhere/out.csv", "nowhere"),
            (
                "--output out.xlsx",
                "--output out.xlsx: its name does not say how to write it; call it .csv, .tsv, .json or .jj",
            ),
            ("--output out", "its name does not say how to write it"),
            ("--mark 5 --output out.csv", "--mark 5: a number in place of a hidden value would be taken for the value"),
            ("--letters --output out.jj", "--letters is about the status column of a CSV"),
        ] {
            let told = refused(&desk, &format!("cells protect table.json {flags}"), 2);
            assert!(told.contains(words), "{flags}: {told}");
        }
        for name in ["out.json", "out.xyz"] {
            let told = refused(&desk, &format!("cells audit table.json --output {name}"), 2);
            assert!(told.contains("this file is written as CSV; call it .csv or .tsv"), "{told}");
        }
        let told = refused(&desk, "cells audit table.json --pattern none.txt", 2);
        assert!(told.contains("cannot open `none.txt`"), "{told}");
        desk.write("pattern.txt", "Crafts/East\nElsewhere\n");
        let told = refused(&desk, "cells audit table.json --pattern pattern.txt", 2);
        assert!(told.contains("pattern.txt: line 2: there is no cell Elsewhere"), "{told}");
    }
}

#[cfg(not(feature = "cells"))]
mod without_the_solver {
    use super::*;

    #[test]
    fn both_verbs_say_how_to_get_it() {
        let desk = desk();
        for verb in ["protect", "audit"] {
            let told = refused(&desk, &format!("cells {verb} table.json"), 2);
            assert!(
                told.contains("`./crates/prepare`")
                    && told.contains("`cargo install --path crates/tamis-cli --features cells`"),
                "{told}"
            );
        }
    }
}

#[cfg(feature = "cells")]
mod protect {
    use super::*;

    #[test]
    fn hides_what_the_example_hides() {
        let desk = desk();
        let document = desk.json("cells protect table.json --intervals", 0);
        assert_eq!(
            (&document["cost"], &document["optimal"], &document["gap"]),
            (&json!(137.0), &json!(true), &json!(0.0))
        );
        assert_eq!(document["bound"], json!(137.0));
        assert_eq!(document["primary"], json!(["Crafts/East"]));
        assert_eq!(document["secondary"], json!(["Mining/North", "Mining/East", "Crafts/North"]));
        assert_eq!(document["suppressed"], json!(["Mining/North", "Mining/East", "Crafts/North", "Crafts/East"]));
        assert_eq!((&document["cells"], &document["equations"]), (&json!(25), &json!(10)));
        for figure in ["nodes", "cuts", "attacks", "seconds", "attacks_per_second"] {
            assert!(document["search"][figure].is_number(), "{figure}");
        }
        let own = &document["intervals"][3];
        assert_eq!((&own["id"], &own["lower"], &own["upper"]), (&json!("Crafts/East"), &json!(2.0), &json!(67.0)));
    }

    #[test]
    fn tells_people_the_same() {
        let ran = desk().done("cells protect table.json --method heuristic");
        for line in ["table       25 cells, 10 equations", "primary     1 cell: Crafts/East", "cost        137"] {
            assert!(ran.out.contains(line), "{}", ran.out);
        }
    }

    #[test]
    fn keeps_the_type_of_ids() {
        let desk = Desk::new();
        desk.write("small.jj", SMALL_JJ);
        let document = desk.json("cells protect small.jj --method heuristic", 0);
        assert_eq!(document["primary"], json!([7]));
        assert!(document["suppressed"].as_array().expect("ids").iter().all(Value::is_i64), "{document}");
    }

    #[test]
    fn hides_and_publishes_what_it_is_told() {
        let desk = desk();
        desk.write("ids.txt", "Trade/West\n");
        let flags = "--method heuristic --hide @ids.txt --publish Mining/North";
        let document = desk.json(&format!("cells protect table.json {flags}"), 0);
        let hidden = document["suppressed"].as_array().expect("ids");
        assert!(hidden.contains(&json!("Trade/West")) && !hidden.contains(&json!("Mining/North")), "{document}");
        assert!(document["secondary"].as_array().expect("ids").contains(&json!("Trade/West")));
    }

    #[test]
    fn says_what_is_out_of_reach_and_what_would_help() {
        let desk = desk();
        let rest = ["North", "South", "West", "Total"].map(|column| format!("--publish Crafts/{column}")).join(" ");
        let command = format!("cells protect table.json --output out.csv --page out.html {rest}");
        for method in ["optimal", "heuristic"] {
            let told = refused(&desk, &format!("{command} --method {method}"), 1);
            assert!(told.contains("the table cannot be protected: 2 levels are out of reach"), "{told}");
            let document = desk.json(&format!("{command} --method {method}"), 1);
            let first = &document["out_of_reach"][0];
            assert_eq!((&first["id"], &first["attacker"]), (&json!("Crafts/East"), &json!("public")));
            assert_eq!((&first["needed"], &first["reached"], &first["short"]), (&json!(5.0), &json!(0.0), &json!(5.0)));
            let advice = first["advice"].to_string();
            assert!(advice.contains("let cell Crafts/") && advice.contains("lower its"), "{advice}");
        }
    }

    #[test]
    fn names_the_bound_that_is_too_close() {
        let desk = Desk::new();
        desk.write("small.jj", SMALL_JJ.replace("7 2 2 u 0 9 1 1 0", "7 2 2 u 0 3 1 4 0"));
        let told = refused(&desk, "cells protect small.jj", 1);
        assert!(
            told.contains("cell 7 (value 2): upl asks for a distance of 4, against public only 1 can be reached"),
            "{told}"
        );
        assert!(told.contains("allow it bounds as far as ub 6"), "{told}");
    }

    #[test]
    fn writes_what_may_be_published_without_hidden_values() {
        let desk = desk();
        desk.done("cells protect table.json --output out.csv --mark --");
        let written = desk.read("out.csv");
        assert!(
            written.starts_with("id,value,status\nMining/North,--,x\nMining/East,--,x\nMining/South,30,s\n"),
            "{written}"
        );
        assert!(written.contains("Crafts/East,--,x\n") && !written.contains(",22,"), "{written}");
        desk.done("cells protect table.json --output out.csv --intervals");
        assert!(desk.read("out.csv").contains("Crafts/East,x,x,2,67\n"));
    }

    /// Which hidden cells are confidential is told only where somebody asks for it.
    #[test]
    fn writes_the_letters_of_peers_on_demand() {
        let desk = desk();
        desk.write("table.csv", as_csv());
        for (table, own, other) in [
            ("table.json", "Crafts/East,x,u\n", "Mining/East,x,m\n"),
            ("table.csv", "Crafts,East,x,u\n", "Mining,East,x,m\n"),
        ] {
            let ran = desk.done(&format!("cells protect {table} --output out.csv --letters"));
            let written = desk.read("out.csv");
            assert!(written.contains(own) && written.contains(other), "{written}");
            assert!(ran.err.contains("out.csv tells which hidden cells are confidential"), "{}", ran.err);
            let audited = desk.json(&format!("cells audit {table} --pattern out.csv"), 0);
            assert_eq!(audited["counts"]["hidden"], json!(4));
        }
    }

    #[test]
    fn warns_when_nothing_is_asked() {
        let desk = Desk::new();
        desk.write("none.csv", as_csv().replace(",u,5,5", ",s,,"));
        let ran = desk.done("cells protect none.csv");
        assert!(ran.err.contains("no cell is primary: nothing is protected"), "{}", ran.err);
        assert!(!ran.out.contains("optimal: nothing"), "{}", ran.out);
        let mut bare = by_hand();
        bare["cells"][6] = json!({ "id": "Crafts/East", "value": 22, "status": "primary" });
        desk.write("bare.json", bare.to_string());
        let ran = desk.done("cells protect bare.json");
        assert!(ran.err.contains("nothing is asked for primary Crafts/East"), "{}", ran.err);
    }

    /// Whoever may look into the directory need not be allowed to see what is hidden.
    #[cfg(unix)]
    #[test]
    fn keeps_true_values_from_others() {
        use std::os::unix::fs::PermissionsExt;
        let desk = desk();
        desk.done("cells protect table.json --output out.json --page own.html");
        desk.done("cells protect table.json --output out.jj.gz");
        desk.done("cells protect table.json --output out.csv --public-page public.html");
        desk.done("cells audit out.json --output i.csv");
        let mode = |name: &str| std::fs::metadata(desk.path(name)).expect("a file").permissions().mode() & 0o777;
        for name in ["out.json", "out.jj.gz", "own.html", "i.csv"] {
            assert_eq!(mode(name), 0o600, "{name}");
        }
        for name in ["out.csv", "public.html"] {
            assert_eq!(mode(name), mode("table.json"), "{name}");
        }
        assert_eq!(desk.bytes("out.jj.gz")[..2], [0x1f, 0x8b]);
    }

    /// `--singletons` takes no table for its own value.
    #[test]
    fn reads_a_table_behind_singletons() {
        let desk = Desk::new();
        desk.write("table.csv", as_csv());
        assert_eq!(desk.json("cells protect --singletons table.csv", 0)["cost"], json!(137.0));
        assert_eq!(desk.json("cells protect --singletons=all table.csv", 0)["cost"], json!(137.0));
    }

    #[test]
    fn writes_tables_that_are_audited_again() {
        let desk = desk();
        for name in ["out.json", "out.jj"] {
            desk.done(&format!("cells protect table.json --output {name}"));
            let document = desk.json(&format!("cells audit {name}"), 0);
            assert_eq!((&document["pattern"], &document["counts"]["hidden"]), (&json!("marks"), &json!(4)), "{name}");
        }
    }

    #[test]
    fn is_the_same_whatever_the_threads() {
        let desk = desk();
        let mut written = Vec::new();
        for threads in [1, 4] {
            desk.done(&format!("cells protect table.json --threads {threads} --intervals --output out.csv --page out.html --public-page public.html"));
            written.push(["out.csv", "out.html", "public.html"].map(|name| desk.read(name)));
        }
        assert_eq!(written[0], written[1]);
    }

    #[test]
    fn takes_tables_with_dimensions() {
        let desk = Desk::new();
        desk.write("table.csv", as_csv());
        let document = desk.json("cells protect table.csv --output out.csv --page out.html", 0);
        assert_eq!((&document["cost"], &document["optimal"]), (&json!(137.0), &json!(true)));
        let written = desk.read("out.csv");
        assert!(written.starts_with("Activity,Region,value,status\nMining,North,x,x\n"), "{written}");
        // The released table says itself what is hidden.
        let audited = desk.json("cells audit table.csv --pattern out.csv", 0);
        assert_eq!((&audited["protected"], &audited["counts"]["hidden"]), (&json!(true), &json!(4)));
    }

    #[test]
    fn shows_true_values_only_on_the_page_for_its_maker() {
        let desk = Desk::new();
        desk.write(
            "table.csv",
            as_csv()
                .replace(",22,", ",22.125,")
                .replace("Total,East,200,", "Total,East,200.125,")
                .replace("Crafts,Total,200,", "Crafts,Total,200.125,")
                .replace("Total,Total,900,", "Total,Total,900.125,"),
        );
        desk.done("cells protect table.csv --page own.html --public-page public.html");
        let (own, public) = (desk.read("own.html"), desk.read("public.html"));
        assert!(own.contains("Not for publication") && own.contains("22.125"));
        assert!(
            !public.contains("22.125") && !public.contains("primary cell") && public.contains("masked"),
            "{public}"
        );
        assert!(own.contains("default-src 'none'"));
    }

    /// A table that nobody proves in minutes: Ctrl-C must bring what there is.
    #[cfg(unix)]
    #[test]
    fn ends_with_the_best_so_far_on_ctrl_c() {
        let desk = Desk::new();
        desk.write("hard.json", hard(10).to_string());
        let (document, told) = interrupted(&desk, "cells protect hard.json --json --output out.csv");
        assert_eq!(document["optimal"], json!(false), "{document}");
        assert!(document["gap"].as_f64() > Some(0.0), "{document}");
        assert!(told.contains("the search stopped before"), "{told}");
        assert!(document["bound"].as_f64() <= document["cost"].as_f64());
        let hidden = document["suppressed"].as_array().expect("ids").len();
        assert_eq!(desk.read("out.csv").matches(",x,x\n").count(), hidden);
    }

    /// The first Ctrl-C ends the search, not what is computed about its result.
    #[cfg(unix)]
    #[test]
    fn tells_the_intervals_of_the_best_so_far_on_ctrl_c() {
        let desk = Desk::new();
        desk.write("hard.json", hard(10).to_string());
        let (document, _) = interrupted(&desk, "cells protect hard.json --json --intervals");
        assert_eq!(document["optimal"], json!(false), "{document}");
        let hidden = document["suppressed"].as_array().expect("ids").len();
        let intervals = document["intervals"].as_array().expect("intervals");
        assert_eq!(intervals.len(), hidden);
        let primaries: Vec<&Value> = intervals.iter().filter(|own| own["status"] == "primary").collect();
        assert_eq!(Some(primaries.len()), document["primary"].as_array().map(Vec::len));
        for own in primaries {
            let [value, lower, upper] = ["value", "lower", "upper"].map(|name| own[name].as_f64().expect("a number"));
            let level = (value / 4.0).floor();
            assert!(lower <= value - level + 1e-6 && upper >= value + level - 1e-6, "{own}");
        }
    }

    /// What a search says that Ctrl-C ends. A slow machine may need longer to know that the table can be protected at all:
    /// then the answer is that nothing is known yet, and the next try waits longer.
    #[cfg(unix)]
    fn interrupted(desk: &Desk, command: &str) -> (Value, String) {
        use std::process::{Command, Stdio};
        let mut wait = std::time::Duration::from_secs(4);
        loop {
            let mut running = desk.command(command.split(' '));
            let child = running.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program runs");
            std::thread::sleep(wait);
            let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
            assert!(interrupt.success());
            let output = child.wait_with_output().expect("an end");
            let told = String::from_utf8_lossy(&output.stderr).into_owned();
            // No code: it had not even begun to listen.
            let is_early = output.status.code().is_none() || told.contains("the time ran out before it was known");
            if is_early && wait.as_secs() < 100 {
                wait *= 2;
                continue;
            }
            assert_eq!(output.status.code(), Some(0), "{told}");
            return (serde_json::from_slice(&output.stdout).expect("one document"), told);
        }
    }

    /// A time limit that is over at once still ends with a pattern that protects, and says what it is worth.
    #[test]
    fn protects_however_short_the_time() {
        let desk = Desk::new();
        desk.write("hard.json", hard(5).to_string());
        for method in ["optimal", "heuristic"] {
            let flags = format!("--method {method} --time-limit 0.000001 --output out.csv");
            let document = desk.json(&format!("cells protect hard.json {flags}"), 0);
            assert_eq!(document["optimal"], json!(false));
            let (cost, bound) =
                (document["cost"].as_f64().expect("a cost"), document["bound"].as_f64().expect("a bound"));
            assert!(0.0 < bound && bound < cost, "{method}: {bound} {cost}");
            assert_eq!(
                document["notes"].to_string().contains("could be saved"),
                method == "optimal",
                "{}",
                document["notes"]
            );
            assert_eq!(desk.json("cells audit hard.json --pattern out.csv", 0)["protected"], json!(true));
        }
    }

    /// A cube with narrow bounds.
    fn hard(size: usize) -> Value {
        let (mut cells, mut equations) = (Vec::new(), Vec::new());
        let id = |at: [usize; 3]| at.map(|place| place.to_string()).join("/");
        let mut state = 12345_u64;
        let mut values = std::collections::HashMap::new();
        for number in 0..size.pow(3) {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            values.insert([number / size / size, number / size % size, number % size], 1 + (state >> 33) % 500);
        }
        for axis in 0..3 {
            let known: Vec<([usize; 3], u64)> = values.iter().map(|(at, value)| (*at, *value)).collect();
            for (at, value) in known {
                let mut total = at;
                total[axis] = size;
                *values.entry(total).or_insert(0) += value;
            }
        }
        let mut places: Vec<[usize; 3]> = values.keys().copied().collect();
        places.sort_unstable();
        for (number, at) in places.iter().enumerate() {
            let value = values[at];
            let mut cell = json!({ "id": id(*at), "value": value, "lb": value / 2, "ub": value * 2 });
            if number % 19 == 5 {
                cell["status"] = json!("primary");
                cell["upl"] = json!(value / 4);
                cell["lpl"] = json!(value / 4);
            }
            cells.push(cell);
            for axis in (0..3).filter(|axis| at[*axis] == size) {
                let part = |place: usize| {
                    let mut part = *at;
                    part[axis] = place;
                    json!([id(part), 1])
                };
                let terms: Vec<Value> = (0..size).map(part).chain([json!([id(*at), -1])]).collect();
                equations.push(json!({ "terms": terms }));
            }
        }
        json!({ "cells": cells, "equations": equations })
    }
}

#[cfg(feature = "cells")]
mod audit {
    use super::*;

    #[test]
    fn tells_what_is_exposed_and_by_how_much() {
        let desk = desk();
        desk.write("pattern.txt", "Crafts/East\nCrafts/North\nServices/East\nServices/North\n");
        let document = desk.json("cells audit table.json --pattern pattern.txt", 1);
        assert_eq!((&document["protected"], &document["pattern"]), (&json!(false), &json!("file")));
        let own = &document["primaries"][0];
        assert_eq!((&own["id"], &own["lower"], &own["upper"]), (&json!("Crafts/East"), &json!(19.0), &json!(72.0)));
        assert_eq!((&own["protected"], &own["short"], &own["hidden"]), (&json!(false), &json!(2.0), &json!(true)));
        let exposed = &document["exposed"][0];
        assert_eq!(
            (&exposed["level"], &exposed["needed"], &exposed["reached"]),
            (&json!("lpl"), &json!(5.0), &json!(3.0))
        );
        assert_eq!(document["cells"].as_array().map(Vec::len), Some(4));
        let ran = desk.tamis("cells audit table.json --pattern pattern.txt");
        assert!(ran.out.contains("exposed: 1 of 1 primary cell can be computed too closely"), "{}", ran.out);
    }

    #[test]
    fn attacks_the_primaries_alone_where_nothing_else_is_marked() {
        let ran = desk().tamis("cells audit table.json --json");
        let document = ran.document();
        assert_eq!(
            (ran.code, &document["pattern"], &document["primaries"][0]["exact"]),
            (1, &json!("primaries"), &json!(true))
        );
        assert!(ran.err.contains("only the primaries hidden"), "{}", ran.err);
    }

    #[test]
    fn finds_unnecessary_cells_without_calling_that_exposed() {
        let desk = desk();
        desk.write("pattern.txt", "Crafts/East\nCrafts/North\nMining/East\nMining/North\nTrade/West\n");
        let document = desk.json("cells audit table.json --pattern pattern.txt", 0);
        assert_eq!((&document["protected"], &document["unnecessary"]), (&json!(true), &json!(["Trade/West"])));
    }

    #[test]
    fn tells_a_primary_that_is_published() {
        let desk = desk();
        desk.write("pattern.txt", "Mining/East\n");
        let document = desk.json("cells audit table.json --pattern pattern.txt", 1);
        assert_eq!(
            (&document["published"], &document["primaries"][0]["hidden"]),
            (&json!(["Crafts/East"]), &json!(false))
        );
    }

    #[test]
    fn writes_intervals_and_a_page() {
        let desk = desk();
        desk.write("pattern.txt", "Crafts/East\nCrafts/North\nServices/East\nServices/North\n");
        let mut written = Vec::new();
        for threads in [1, 3] {
            let ran = desk.tamis(&format!(
                "cells audit table.json --pattern pattern.txt --output i.csv --page p.html --threads {threads}"
            ));
            assert_eq!(ran.code, 1);
            written.push([desk.read("i.csv"), desk.read("p.html")]);
        }
        assert_eq!(written[0], written[1]);
        let [intervals, page] = &written[0];
        assert!(intervals.starts_with("id,status,attacker,value,lower,upper,lpl,upl,spl\n"), "{intervals}");
        assert!(intervals.contains("Crafts/East,primary,public,22,19,72,5,5,0\n"), "{intervals}");
        assert!(page.contains("Exposed: 1 of 1 primary cell"), "{page}");
    }

    #[test]
    fn tells_attackers_who_know_more() {
        let desk = Desk::new();
        let mut table = by_hand();
        table["attackers"] = json!([{ "name": "a rival", "bounds": [{ "id": "Mining/North", "lb": 18, "ub": 22 }] }]);
        desk.write("table.json", table.to_string());
        desk.write("pattern.txt", "Crafts/East\nCrafts/North\nMining/East\nMining/North\n");
        let document = desk.json("cells audit table.json --pattern pattern.txt", 1);
        assert_eq!(
            (&document["exposed"][0]["attacker"], &document["exposed"][0]["reached"]),
            (&json!("a rival"), &json!(2.0))
        );
        let own =
            document["cells"].as_array().expect("cells").iter().find(|cell| cell["id"] == "Crafts/East").expect("it");
        assert_eq!(own["closer"], json!([{ "attacker": "a rival", "lower": 20.0, "upper": 24.0 }]));
    }
}
