//! What `tamis cells` makes of files as offices have them: pipes, values that other programs added up, labels that are missing or in any
//! order, firms that stand alone.

use crate::program::Desk;
#[cfg(feature = "cells")]
use crate::program::Ran;
#[cfg(feature = "cells")]
use serde_json::json;

#[cfg(feature = "cells")]
const TABLE: &str = "a,b,value,status,lpl,upl\n\
    x,p,20,,,\nx,q,45,,,\nx,r,30,,,\ny,p,50,,,\ny,q,22,primary,5,5\ny,r,60,,,\nz,p,38,,,\nz,q,72,,,\nz,r,90,,,\n";

/// Runs a command that reads a file from standard input, which is a pipe.
#[cfg(feature = "cells")]
fn piped(desk: &Desk, arguments: &str, content: &str) -> Ran {
    use std::io::Write;
    use std::process::Stdio;
    let mut command = desk.command(arguments.split_whitespace());
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
    // A program that refuses its arguments may end before it reads anything.
    let _ = child.stdin.take().expect("a pipe").write_all(content.as_bytes());
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Ran { code: output.status.code().expect("a code"), out: text(output.stdout), err: text(output.stderr) }
}

#[cfg(all(feature = "cells", unix))]
mod pipes {
    use super::*;

    #[test]
    fn a_pattern_is_read_from_a_pipe_as_from_a_file() {
        let desk = Desk::new();
        desk.write("table.csv", TABLE);
        desk.done("cells protect table.csv --output released.csv");
        desk.done("cells protect table.csv --output table.json");
        let ids = "y/q\ny/p\nx/q\nx/p\n";
        for (table, pattern) in [
            ("table.csv", ids.to_owned()),
            ("table.csv", desk.read("released.csv")),
            ("table.csv", json!(["y/q", "y/p", "x/q", "x/p"]).to_string()),
            ("table.json", ids.to_owned()),
        ] {
            desk.write("pattern", &pattern);
            let from_file = desk.tamis(&format!("cells audit {table} --pattern pattern --json")).document();
            let ran = piped(&desk, &format!("cells audit {table} --pattern /dev/stdin --json"), &pattern);
            assert_eq!(ran.code, 0, "{table}, {pattern}: {ran:?}");
            assert_eq!(ran.document()["counts"], from_file["counts"], "{table}, {pattern}");
            assert_eq!(ran.document()["counts"]["hidden"], json!(4), "{table}, {pattern}");
        }
    }

    #[test]
    fn a_table_is_read_from_a_pipe_as_from_a_file() {
        let desk = Desk::new();
        desk.write("table.csv", TABLE);
        desk.done("cells protect table.csv --output table.json");
        let cost = desk.json("cells protect table.csv", 0)["cost"].clone();
        for table in ["table.csv", "table.json"] {
            let ran = piped(&desk, "cells protect /dev/stdin --json", &desk.read(table));
            assert_eq!((ran.code, &ran.document()["cost"]), (0, &cost), "{table}: {ran:?}");
        }
    }

    #[test]
    fn a_pipe_without_anything_in_it_is_no_pattern() {
        let desk = Desk::new();
        desk.write("table.csv", TABLE);
        for nothing in ["", "\n"] {
            let ran = piped(&desk, "cells audit table.csv --pattern /dev/stdin", nothing);
            assert_eq!(ran.code, 2, "{ran:?}");
            assert!(ran.err.contains("/dev/stdin is empty; expected the cells that are hidden"), "{}", ran.err);
        }
        let ran = piped(&desk, "cells audit table.csv --pattern /dev/stdin", "[]");
        assert_eq!(ran.code, 1, "{ran:?}");
    }
}

mod labels {
    use super::*;

    const FIRMS: &str = "firm,region,size,turnover\n\
        1,Oslo,10-19,50\n2,Oslo,10-19,60\n3,Oslo,5-9,10\n4,Bergen,5-9,20\n5,Bergen,10-19,30\n6,Bergen,,40\n7,Bergen,,45\n8,,5-9,70\n9,,10-19,75\n";

    #[test]
    #[cfg(feature = "cells")]
    fn what_is_written_for_missing_labels_is_read_again() {
        let desk = Desk::new();
        desk.write("firms.csv", FIRMS).write("regions.hrc", "South\n@Oslo\nWest\n@Bergen\n");
        let start =
            "cells primaries firms.csv --dimensions region,size --value turnover --respondent firm --min-frequency 2";
        for hierarchy in ["", "--hierarchy region=regions.hrc"] {
            for how in ["label", "safe"] {
                desk.done(&format!("{start} {hierarchy} --missing-labels {how} --output flagged.csv"));
                assert!(desk.read("flagged.csv").contains("(missing)"), "{}", desk.read("flagged.csv"));
                let found = desk.json(&format!("cells protect flagged.csv --dimensions region,size {hierarchy}"), 0);
                assert_eq!(found["optimal"], json!(true), "{hierarchy} {how}: {found}");
            }
        }
    }

    #[test]
    fn labels_without_a_hierarchy_are_sorted_and_their_numbers_by_value() {
        let desk = Desk::new();
        desk.write("firms.csv", FIRMS.replace("6,Bergen,", "6,Bergen,100+").replace("7,Bergen,", "7,Bergen,100+"));
        let start = "cells primaries firms.csv --dimensions size --value turnover --min-frequency 2";
        desk.done(&format!("{start} --output flagged.csv"));
        let written = desk.read("flagged.csv");
        let labels: Vec<&str> = written.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
        assert_eq!(labels, ["5-9", "10-19", "100+", "Total"], "{written}");
    }
}

mod decimals {
    #[cfg(feature = "cells")]
    use super::*;

    /// Programs that add up in binary write 36355.989499999996 where 36355.9895 is meant.
    #[test]
    #[cfg(feature = "cells")]
    fn values_are_published_as_the_decimals_that_they_are() {
        let desk = Desk::new();
        let values = ["36355.989499999996", "0.1", "0.2", "12.7", "9.1005", "3.3", "48.0025", "7.7", "1.1"];
        let rows = ["x,p", "x,q", "x,r", "y,p", "y,q", "y,r", "z,p", "z,q", "z,r"].iter().zip(values);
        let rows: Vec<String> = rows
            .map(|(labels, value)| format!("{labels},{value},{}", if *labels == "y,q" { "u" } else { "s" }))
            .collect();
        desk.write("table.csv", format!("a,b,value,status\n{}\n", rows.join("\n")));
        let ran = desk.done("cells protect table.csv --safety 10 --output out.csv --page own.html --public-page public.html --intervals");
        assert!(ran.err.contains("36355.989499999996 where 36355.9895 is meant"), "{}", ran.err);
        for name in ["out.csv", "own.html", "public.html"] {
            // The page of the house says what the file had.
            let written = desk.read(name).replace("36355.989499999996", "");
            assert_eq!(written != desk.read(name), name == "own.html", "{name}: {written}");
            assert!(!written.contains("99999") && !written.contains("00000000"), "{name}: {written}");
        }
        assert!(desk.read("out.csv").contains("Total,Total,36438.1925,"), "{}", desk.read("out.csv"));
        assert!(!ran.out.contains("99999"), "{}", ran.out);
    }
}

mod singletons {
    #[cfg(feature = "cells")]
    use super::*;
    #[cfg(feature = "cells")]
    use std::fmt::Write;

    /// The firm of A/X is the one of AB/X, which has one contributor only: it does not attack itself.
    #[test]
    #[cfg(feature = "cells")]
    fn a_firm_that_is_alone_in_a_total_too_is_one_attacker() {
        let desk = Desk::new();
        desk.write("r.hrc", "AB\n@A\n@B\nCC\n@C\n");
        desk.write(
            "table.csv",
            "r,c,value,frequency,status\nA,X,10,1,u\nB,X,0,0,s\nAB,X,10,1,u\nA,Y,70,9,s\nB,Y,60,9,s\nAB,Y,130,18,s\n\
             C,X,50,5,s\nC,Y,40,7,s\nCC,X,50,5,s\nCC,Y,40,7,s\n",
        );
        for asked in ["--singletons", "--singletons=all"] {
            let found = desk.json(
                &format!(
                    "cells protect table.csv --dimensions r,c --hierarchy r=r.hrc --safety 10 --zero-range 1 {asked}"
                ),
                0,
            );
            assert_eq!(found["optimal"], json!(true), "{asked}: {found}");
        }
    }

    /// Firm 1 is alone in a/A and most of the total of a: it cannot be kept from what it gave to it itself.
    #[test]
    #[cfg(feature = "cells")]
    fn a_firm_does_not_attack_the_cells_that_are_protected_for_its_own_sake() {
        let desk = Desk::new();
        let mut firms = "firm,region,branch,turnover\n1,a,A,900\n".to_owned();
        let mut firm = 2;
        for (region, branch, count) in [("a", "B", 3), ("b", "A", 1), ("b", "B", 4), ("c", "A", 5), ("c", "B", 4)] {
            for _ in 0..count {
                let _ = writeln!(firms, "{firm},{region},{branch},{}", 10 + firm);
                firm += 1;
            }
        }
        desk.write("firms.csv", firms);
        let start =
            "cells primaries firms.csv --dimensions region,branch --value turnover --respondent firm --dominance 1,75";
        for asked in ["--singletons", "--singletons=all"] {
            desk.done(&format!("{start} {asked} --output flagged.json"));
            let found = desk.json("cells protect flagged.json", 0);
            assert_eq!(found["optimal"], json!(true), "{asked}: {found}");
        }
    }
}

/// A level far below the rounding of the value is a level.
#[test]
#[cfg(feature = "cells")]
fn a_small_level_on_a_large_value_is_protected() {
    let desk = Desk::new();
    desk.write("a.csv", "r,c,value,status,lpl,upl\nA,X,300000000000,u,0.0001,0.0001\nA,Y,5,,,\nB,X,7,,,\nB,Y,9,,,\n");
    let found = desk.json("cells protect a.csv --intervals", 0);
    assert_eq!(found["cost"], json!(300_000_000_021.0), "{found}");
    assert!(!found.to_string().contains("lpl, upl and spl are 0"), "{found}");
}

/// What is published is what was read, digit by digit, and sums of it are exact.
#[cfg(feature = "cells")]
mod digits {
    use super::*;

    const LONG: &str = r#"{ "cells": [
        { "id": "a", "value": 12345678901.23456, "status": "primary", "lpl": 1, "upl": 1 },
        { "id": "b", "value": 33026385.0614 }, { "id": "c", "value": 0.1 }, { "id": "d", "value": 98765432109.87653 },
        { "id": "e", "value": 12345678901.23456 } ],
      "equations": [ { "terms": [["a", 1], ["e", -1]] } ] }"#;

    #[test]
    fn a_public_page_and_a_released_table_show_numbers_as_they_were_read() {
        let desk = Desk::new();
        desk.write("table.json", LONG);
        desk.done("cells protect table.json --public-page public.html --page own.html -o out.csv -q");
        for (file, numbers) in [
            ("public.html", &["33026385.0614", "98765432109.87653"][..]),
            ("own.html", &["12345678901.23456", "33026385.0614"]),
            ("out.csv", &["33026385.0614", "98765432109.87653"]),
        ] {
            for number in numbers {
                assert!(desk.read(file).contains(number), "{file} lacks {number}: {}", desk.read(file));
            }
        }
    }

    #[test]
    fn computed_totals_are_exact_sums() {
        let desk = Desk::new();
        desk.write("table.csv", "r,value\na,1234567890123.4567\nb,30.1\nc,40.2\n");
        desk.done("cells protect table.csv -o out.csv -q");
        assert!(desk.read("out.csv").contains("Total,1234567890193.7567"), "{}", desk.read("out.csv"));
    }

    #[test]
    fn labels_that_are_numbers_stand_by_value() {
        let desk = Desk::new();
        desk.write("table.csv", "r,value\n-5,1\n-10,2\n1.5,3\n1.25,4\n10,5\n");
        desk.done("cells protect table.csv -o out.csv --public-page page.html -q");
        let page = desk.read("page.html");
        let at = |label: &str| page.find(&format!(">{label}<")).unwrap_or_else(|| panic!("{label}: {page}"));
        assert!(["-10", "-5", "1.25", "1.5", "10"].windows(2).all(|pair| at(pair[0]) < at(pair[1])), "{page}");
    }
}

#[cfg(feature = "cells")]
#[test]
fn a_pattern_of_a_header_alone_is_refused() {
    let desk = Desk::new();
    desk.write("table.csv", TABLE);
    desk.done("cells protect table.csv -o table.json -q");
    desk.write("pattern.csv", "id,status\n");
    for table in ["table.csv", "table.json"] {
        let ran = desk.tamis(&format!("cells audit {table} --pattern pattern.csv"));
        assert_eq!(ran.code, 2, "{table}: {ran:?}");
        assert!(ran.err.contains("no rows; expected the cells that are hidden"), "{table}: {}", ran.err);
    }
}

/// Two firms, one of them nearly all of the region: the same two are in its total and in its one size, as both have two contributors and
/// one value. The larger one is no attacker of either.
#[cfg(feature = "cells")]
#[test]
fn nested_cells_with_the_same_contributors_have_the_same_largest_one() {
    let desk = Desk::new();
    desk.write(
        "table.csv",
        "region,trade,size,value,freq,status\n\
         09,tr1,LL,51.5,1,u\n09,tr2,LL,32242.191,1,u\n09,tr1,SS,0,0,z\n09,tr2,SS,0,0,z\n\
         10,tr1,LL,500,9,s\n10,tr2,LL,700,9,s\n10,tr1,SS,900,9,s\n10,tr2,SS,800,9,s\n",
    );
    desk.write("confidential.csv", "region,trade,size\n09,Total,LL\n09,Total,Total\n");
    let found = desk.json("cells protect table.csv --singletons=all --primary confidential.csv -o out.json", 0);
    assert!(found["attackers"].as_u64().is_some_and(|attackers| attackers > 1), "{found}");
    let made: serde_json::Value = serde_json::from_str(&desk.read("out.json")).expect("JSON");
    let larger = made["attackers"].as_array().expect("attackers").iter().find(|attacker| {
        attacker["bounds"].as_array().is_some_and(|bounds| bounds.iter().any(|bound| bound["lb"] == 32242.191))
    });
    let released: Vec<&str> = larger.expect("the larger firm")["levels"]
        .as_array()
        .expect("levels")
        .iter()
        .filter_map(|l| l["id"].as_str())
        .collect();
    for cell in ["09/Total/LL", "09/Total/Total"] {
        assert!(released.contains(&cell), "{cell}: {released:?}");
    }
}

/// A refusal tells every level that is out of reach: a width that both other levels ask for together as well.
#[cfg(feature = "cells")]
#[test]
fn a_refusal_tells_widths_that_other_levels_ask_for_too() {
    let desk = Desk::new();
    desk.write(
        "table.json",
        r#"{ "cells": [ { "id": "a", "value": 10, "lb": 10, "ub": 12, "status": "primary", "lpl": 3, "upl": 2, "spl": 4 },
             { "id": "b", "value": 10, "lb": 0, "ub": 20 }, { "id": "sum", "value": 20, "status": "fixed" } ],
           "equations": [ { "terms": [["a", 1], ["b", 1], ["sum", -1]] } ] }"#,
    );
    let found = desk.json("cells protect table.json", 1);
    let levels: Vec<&str> =
        found["out_of_reach"].as_array().expect("levels").iter().filter_map(|level| level["level"].as_str()).collect();
    assert_eq!(levels, ["lpl", "spl"], "{found}");
}
