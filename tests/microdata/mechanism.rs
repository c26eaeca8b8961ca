//! Noisy counts under a budget, perturbed tables and audits, run as a user would.

use crate::program::{Desk, Ran};
use serde_json::Value;
use std::process::Stdio;

/// 40 people of two sexes in three cities, and visits of five of them.
fn desk() -> Desk {
    let desk = Desk::new();
    let person = |row: usize| format!("p{row:02},{},{}", ["f", "m"][row % 2], ["Lima", "Cuzco", "Puno"][row * row % 3]);
    let visit = |row: usize| format!("p{},{}", row % 5, ["north", "south"][row % 2]);
    let lines = |header: &str, lines: Vec<String>| format!("{header}\n{}\n", lines.join("\n"));
    desk.write("people.csv", lines("name,sex,city", (0..40).map(person).collect()));
    desk.write("visits.csv", lines("who,ward", (0..30).map(visit).collect()));
    desk.write("city.csv", "Lima;Peru\nCuzco;Peru\nPuno;Peru\nTacna;Peru\n");
    desk
}

const BY_SEX: &str = "histogram people.csv --by sex --domain sex=f|m --budget ledger.json";

/// Runs a command that must be refused with `code`, changing nothing; what it says.
fn refused(desk: &Desk, arguments: &str, code: i32) -> Ran {
    let before = desk.listing();
    let ran = desk.tamis(arguments);
    assert_eq!(ran.code, code, "{arguments}: {ran:?}");
    assert_eq!(desk.listing(), before, "{arguments} changes files");
    ran
}

/// Asserts that a command is bad input and says so with these parts.
fn bad(desk: &Desk, arguments: &str, parts: &[&str]) {
    let ran = refused(desk, arguments, 2);
    assert_eq!(ran.out, "", "{arguments}");
    for part in parts {
        assert!(ran.err.contains(part), "{arguments} does not say `{part}`: {}", ran.err);
    }
}

fn counts(document: &Value) -> Vec<i64> {
    let cells = document["histogram"]["cells"].as_array().expect("cells");
    cells.iter().map(|cell| cell["count"].as_i64().expect("a count")).collect()
}

#[test]
fn a_histogram_is_paid_for_before_it_is_told() {
    let desk = desk();
    let document = desk.json(&format!("{BY_SEX} --epsilon 0.5 --total-epsilon 1 --seed 1 --output counts.csv"), 0);
    assert_eq!(counts(&document).len(), 2);
    assert_eq!(document["budget"]["left"]["epsilon"], 0.5);
    assert_eq!(document["budget"]["spendings"][0]["query"], "histogram of people.csv by sex");
    let written = desk.read("counts.csv");
    let mut lines = written.lines();
    assert_eq!(lines.next(), Some("sex,noisy_count,low,high"));
    for (line, count) in lines.zip(counts(&document)) {
        assert_eq!(line.split(',').nth(1), Some(count.to_string().as_str()), "{written}");
    }
    let shown = desk.json("budget show ledger.json", 0);
    assert_eq!(shown["left"]["epsilon"], 0.5);
    assert_eq!(shown["spendings"].as_array().map(Vec::len), Some(1));
    assert!(desk.done("budget show ledger.json").out.starts_with("The budget of people.csv: 0.5 of 1 epsilon left"));
}

#[test]
fn what_exceeds_the_budget_is_refused_and_nothing_is_spent_or_told() {
    let desk = desk();
    desk.done(&format!("{BY_SEX} --epsilon 0.9 --total-epsilon 1"));
    let ran = refused(&desk, &format!("{BY_SEX} --epsilon 0.2 --output counts.csv"), 1);
    assert!(
        ran.out.contains("Refused: the budget does not allow it: 0.2 of epsilon")
            && ran.out.contains("0.1 and 0 are left"),
        "{ran:?}"
    );
    let document = refused(&desk, &format!("{BY_SEX} --epsilon 0.2 --json"), 1).document();
    assert!(
        document["error"].as_str().is_some_and(|error| error.contains("0.1 and 0 are left"))
            && document.get("histogram").is_none()
    );
    desk.done(&format!("{BY_SEX} --epsilon 0.1"));
    refused(&desk, &format!("{BY_SEX} --epsilon 0.000000000000000001"), 1);
    // More than the total of a ledger that would be new: not even created.
    refused(&desk, "histogram people.csv --by sex --domain sex=f|m --budget new.json --epsilon 2 --total-epsilon 1", 1);
}

#[test]
fn a_question_that_makes_no_sense_is_bad_input_whatever_the_budget() {
    let desk = desk();
    desk.done(&format!("{BY_SEX} --epsilon 1 --total-epsilon 1"));
    let city = "histogram people.csv --by city --budget ledger.json --epsilon 0.5";
    bad(&desk, &format!("{city} --delta 1"), &["delta is 1; expected a number above 0 and below 1"]);
    bad(&desk, &format!("{city} --delta 0"), &["delta is 0"]);
    bad(&desk, city, &["the values of `city` are not given"]);
    bad(&desk, &format!("{BY_SEX} --epsilon 0.5 --delta 0.1"), &["no --delta is needed"]);
    bad(&desk, &format!("{BY_SEX} --epsilon 0"), &["epsilon is 0"]);
    bad(&desk, &format!("{BY_SEX} --epsilon 0.5 --level 1e308"), &["the level is 1e308;"]);
    refused(&desk, &format!("{city} --delta 0.1"), 1);
}

#[test]
fn whether_rows_repeat_is_not_told() {
    let desk = desk();
    desk.write("apart.csv", "a\n1\n2\n").write("alike.csv", "a\n1\n1\n2\n");
    let said = |name: &str| {
        desk.done(&format!("perturb {name} --columns a --domain a=1|2 --d 0.1 --gamma 0.5 --output out.csv")).err
    };
    assert_eq!(said("apart.csv"), said("alike.csv"));
    assert!(said("apart.csv").contains("if rows have the same tuple they count once"));
}

/// Runs a command several times at once; the documents of those that ended with 0 and with 1.
fn race(desk: &Desk, arguments: &str, processes: usize) -> (Vec<Value>, Vec<Value>) {
    let spawn = |_| {
        let mut command = desk.command(arguments.split_whitespace());
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
    };
    let children: Vec<_> = (0..processes).map(spawn).collect();
    let outputs: Vec<_> = children.into_iter().map(|child| child.wait_with_output().expect("it ends")).collect();
    let (done, rest): (Vec<_>, Vec<_>) = outputs.iter().partition(|output| output.status.code() == Some(0));
    assert!(rest.iter().all(|output| output.status.code() == Some(1)), "{outputs:?}");
    let document = |output: &&std::process::Output| serde_json::from_slice(&output.stdout).expect("a document");
    (done.iter().map(document).collect(), rest.iter().map(document).collect())
}

#[test]
fn of_many_processes_at_once_only_as_many_spend_as_the_budget_allows() {
    let desk = desk();
    desk.done(&format!("{BY_SEX} --epsilon 0.5 --total-epsilon 1"));
    let (told, refused) = race(&desk, &format!("{BY_SEX} --epsilon 0.1 --json"), 12);
    assert_eq!((told.len(), refused.len()), (5, 7));
    assert!(refused.iter().all(|document| document.get("histogram").is_none()), "{refused:?}");
    let shown = desk.json("budget show ledger.json", 0);
    assert_eq!(shown["left"]["epsilon"], 0.0);
    assert_eq!(shown["spendings"].as_array().map(Vec::len), Some(6));
}

#[test]
fn of_many_processes_that_create_the_budget_one_does() {
    let desk = desk();
    let (told, refused) = race(&desk, &format!("{BY_SEX} --epsilon 0.4 --total-epsilon 1 --json"), 8);
    assert_eq!((told.len(), refused.len()), (2, 6));
    assert_eq!(desk.json("budget show ledger.json", 0)["left"]["epsilon"], 0.2);
}

#[test]
fn a_ledger_that_was_tampered_with_is_not_used() {
    let desk = desk();
    desk.done(&format!("{BY_SEX} --epsilon 0.9 --total-epsilon 1"));
    let ledger = desk.read("ledger.json");
    for (found, changed) in [
        ("\"0.9\"", "\"0.1\""),
        ("\"total_epsilon\": \"1\"", "\"total_epsilon\": \"100\""),
        ("people.csv", "other.csv"),
    ] {
        desk.write("ledger.json", ledger.replacen(found, changed, 1));
        bad(&desk, &format!("{BY_SEX} --epsilon 0.1"), &["ledger.json", "no whole ledger", "stays spent"]);
        bad(&desk, "budget show ledger.json", &["no whole ledger"]);
    }
    for text in ["", "{}", "[]", "null", "not json", "\u{1F600}"] {
        desk.write("ledger.json", text);
        bad(&desk, &format!("{BY_SEX} --epsilon 0.1"), &["no whole ledger: it cannot be read"]);
    }
    desk.write("ledger.json", [0xff, 0xfe]);
    bad(&desk, &format!("{BY_SEX} --epsilon 0.1"), &["cannot read the budget"]);
}

#[test]
fn every_data_set_has_a_budget_of_its_own() {
    let desk = desk();
    desk.done(&format!("{BY_SEX} --epsilon 0.1 --total-epsilon 1"));
    bad(
        &desk,
        "histogram visits.csv --by ward --domain ward=north|south --epsilon 0.1 --budget ledger.json",
        &["is the budget of `people.csv`, not of `visits.csv`"],
    );
    bad(
        &desk,
        &format!("{BY_SEX} --epsilon 0.1 --total-epsilon 2"),
        &["has a total of 1 epsilon", "cannot be changed"],
    );
    desk.done(&format!("{BY_SEX} --epsilon 0.1 --total-epsilon 1.0"));
}

#[test]
fn the_same_seed_gives_the_same_noise_and_another_query_other_noise() {
    let desk = desk();
    let query = |rest: &str| {
        let arguments = format!(
            "histogram people.csv --domain sex=f|m --domain city=city.csv --budget l.json --total-epsilon 100 --seed 7 {rest}"
        );
        counts(&desk.json(&arguments, 0))
    };
    let first = query("--by sex,city --epsilon 0.1");
    assert_eq!(first.len(), 8);
    assert_eq!(query("--by sex,city --epsilon 0.1"), first);
    assert_ne!(query("--by sex,city --epsilon 0.11"), first);
    let ran = desk.done(&format!("{BY_SEX} --epsilon 0.1 --total-epsilon 1 --seed 7"));
    assert!(ran.err.contains("whoever knows the --seed"), "{ran:?}");
    let drawn =
        |_| {
            counts(&desk.json(
                "histogram people.csv --by sex --domain sex=f|m --budget s.json --total-epsilon 1 --epsilon 0.01",
                0,
            ))
        };
    assert_ne!(drawn(1), drawn(2), "noise from the system repeats");
}

#[test]
fn values_from_the_data_need_delta_and_small_counts_stay_hidden() {
    let desk = desk();
    bad(
        &desk,
        "histogram people.csv --by city --epsilon 1 --budget b.json --total-epsilon 5",
        &["the values of `city` are not given", "--delta"],
    );
    bad(
        &desk,
        "histogram people.csv --by sex --domain sex=f|m --epsilon 1 --delta 0.01 --budget b.json --total-epsilon 5 --total-delta 0.5",
        &["no --delta is needed"],
    );
    let arguments = "histogram people.csv --by name,sex --epsilon 1 --delta 0.001 --budget b.json --total-epsilon 5 --total-delta 0.5 --seed 1";
    let document = desk.json(arguments, 0);
    assert_eq!(document["histogram"]["threshold"], 8);
    assert_eq!(counts(&document), [0; 0], "names were told");
    assert_eq!(document["budget"]["left"]["delta"], 0.499);
    refused(&desk, "histogram people.csv --by name --epsilon 1 --delta 0.5 --budget b.json", 1);
}

#[test]
fn people_with_many_rows_are_bounded() {
    let desk = desk();
    let query =
        "histogram visits.csv --by ward --domain ward=north|south --epsilon 1000 --budget v.json --total-epsilon 9000";
    assert_eq!(counts(&desk.json(query, 0)).iter().sum::<i64>(), 30);
    assert_eq!(counts(&desk.json(&format!("{query} --entity who --max-rows 2"), 0)).iter().sum::<i64>(), 10);
    bad(&desk, &format!("{query} --entity who"), &["--max-rows"]);
    bad(&desk, &format!("{query} --entity who --max-rows 0"), &["--max-rows"]);
    bad(&desk, &format!("{query} --entity whom --max-rows 2"), &["no column `whom`"]);
}

#[test]
fn counts_below_0_can_be_mended() {
    let desk = desk();
    let query = |rest: &str| {
        let domain = "city=Lima|Cuzco|Puno|a|b|c|d|e|f|g|h";
        let arguments = format!(
            "histogram people.csv --by city --domain {domain} --epsilon 0.05 --budget c.json --total-epsilon 9 --seed 3 {rest}"
        );
        counts(&desk.json(&arguments, 0))
    };
    let noisy = query("");
    assert!(noisy.iter().any(|&count| count < 0), "{noisy:?}");
    assert_eq!(query("--clamp"), noisy.iter().map(|&count| count.max(0)).collect::<Vec<_>>());
    let kept = query("--keep-total");
    assert!(kept.iter().all(|&count| count >= 0));
    assert_eq!(kept.iter().sum::<i64>(), noisy.iter().sum::<i64>().max(0));
}

#[test]
fn bad_queries_spend_nothing() {
    let desk = desk();
    let create = "--budget b.json --total-epsilon 1";
    for (arguments, parts) in [
        ("--by sex --domain sex=f|m --epsilon 0", &["epsilon is 0", "above 0"][..]),
        ("--by sex --domain sex=f|m --epsilon -1", &["--epsilon", "below 0"]),
        ("--by sex --domain sex=f|m --epsilon abc", &["--epsilon: `abc` is no decimal number"]),
        ("--by sex --domain sex=f|m --epsilon 1e-19", &["too many decimals"]),
        ("--by sex --domain sex=f|f --epsilon 1", &["lists `f` twice"]),
        ("--by sex --domain sex=nofile.csv --epsilon 1", &["cannot open `nofile.csv`"]),
        ("--by sex --domain sex --epsilon 1", &["--domain is `sex`"]),
        ("--by sex --domain city=a|b --epsilon 1", &["--domain names `city`"]),
        ("--by sex --domain sex=f|m --domain sex=f|m --epsilon 1", &["twice"]),
        ("--by sex,sex --domain sex=f|m --epsilon 1", &["`sex` is named twice"]),
        ("--by age --domain age=1|2 --epsilon 1", &["no column `age`"]),
        ("--by sex --domain sex=f|m --epsilon 1 --level 1", &["level is 1"]),
        ("--by sex --domain sex=f|m --epsilon 1 --output nodir/x.csv", &["nodir"]),
        ("--by sex --domain sex=f|m --epsilon 1 --output people.csv", &["people.csv would be overwritten"]),
        ("--by sex --domain sex=f|m --epsilon 1 --output b.json", &["overwritten"]),
    ] {
        bad(&desk, &format!("histogram people.csv {arguments} {create}"), parts);
    }
    bad(
        &desk,
        "histogram people.csv --by sex --domain sex=f|m --epsilon 1 --budget b.json",
        &["there is no budget", "--total-epsilon"],
    );
    bad(
        &desk,
        "histogram people.csv --by sex --domain sex=f|m --epsilon 1 --budget b.json --total-epsilon 0",
        &["total epsilon is 0"],
    );
    bad(
        &desk,
        "histogram people.csv --by sex --domain sex=f|m --epsilon 1 --budget people.csv --total-epsilon 1",
        &["overwritten"],
    );
    bad(&desk, "budget show nothing.json", &["cannot read the budget `nothing.json`"]);
}

#[test]
fn a_perturbed_table_has_tuples_of_the_domain_in_its_order() {
    let desk = desk();
    let document = desk.json(
        "perturb people.csv --columns sex,city --domain city=city.csv --d 0.1 --gamma 0.5 --output out.csv --seed 5",
        0,
    );
    assert_eq!(document["exact"]["alpha"], "8/11");
    assert_eq!(document["exact"]["beta"], "1/11");
    assert_eq!(document["domain"], "8");
    let text = desk.read("out.csv");
    let rows: Vec<&str> = text.lines().skip(1).collect();
    assert_eq!(rows.len() as u64, document["rows"].as_u64().expect("a number"));
    let domain: Vec<String> = ["f", "m"]
        .iter()
        .flat_map(|sex| ["Lima", "Cuzco", "Puno", "Tacna"].map(|city| format!("{sex},{city}")))
        .collect();
    let places: Vec<_> =
        rows.iter().map(|row| domain.iter().position(|tuple| tuple == row).expect("a tuple")).collect();
    assert!(places.windows(2).all(|pair| pair[0] < pair[1]), "{rows:?}");
    desk.json(
        "perturb people.csv --columns sex,city --domain city=city.csv --d 0.1 --gamma 0.5 --output again.csv --seed 5",
        0,
    );
    assert_eq!(desk.read("again.csv"), text);
    assert_eq!(document["estimates"].as_array().map(Vec::len), Some(6));
}

#[test]
fn bad_perturbations_write_nothing() {
    let desk = desk();
    for (arguments, parts) in [
        ("--columns sex --d 0.5 --gamma 0.4 --output o.csv", &["gamma is 0.4", "above d"][..]),
        ("--columns sex --d 0 --gamma 0.4 --output o.csv", &["d is 0"]),
        ("--columns sex --d 0.1 --gamma 1 --output o.csv", &["gamma is 1"]),
        ("--columns sex --d x --gamma 1 --output o.csv", &["--d: `x`"]),
        (
            "--columns city --domain city=Lima|Puno --d 0.1 --gamma 0.5 --output o.csv",
            &["has `Cuzco` in `city`", "not in the domain"],
        ),
        ("--columns sex,sex --d 0.1 --gamma 0.5 --output o.csv", &["named twice"]),
        ("--columns sex --d 0.1 --gamma 0.5 --output people.csv", &["overwritten"]),
        ("--columns nothing --d 0.1 --gamma 0.5 --output o.csv", &["no column `nothing`"]),
    ] {
        bad(&desk, &format!("perturb people.csv {arguments}"), parts);
    }
}

#[test]
fn an_audit_answers_by_its_exit_code() {
    let desk = desk();
    let audit = |rest: &str| format!("audit distributional people.csv --alpha 1 --seed 1 {rest}");
    let document =
        desk.json(&audit("--rows 20 --beta 0.05 --by sex --mechanism geometric:epsilon=0.05 --pairs 2000"), 0);
    assert_eq!(
        (&document["holds"], &document["exact"], &document["pairs"]),
        (&true.into(), &false.into(), &2000.into())
    );
    let document = desk.json(&audit("--rows 20 --beta 0.05 --by sex,city --mechanism exact --pairs 500 --disjoint"), 1);
    assert_eq!(document["holds"], false);
    // Two databases of one row each: 40 * 40 pairs, of which half are of different sexes.
    let document = desk.json(&audit("--rows 1 --beta 0.5 --by sex --mechanism exact"), 0);
    assert_eq!((&document["exact"], &document["failure_probability"]), (&true.into(), &0.5.into()));
    desk.json(&audit("--rows 1 --beta 0.49 --by sex --mechanism exact"), 1);
    desk.json(&audit("--rows 1 --beta 0 --by sex --mechanism threshold:k=2"), 0);
    desk.json(&audit("--rows 1 --beta 0 --by sex --mechanism sample:beta=0.3,k=2"), 0);
    let ran = desk.tamis(&audit("--rows 1 --beta 0.49 --by sex --mechanism exact"));
    assert!(ran.code == 1 && ran.out.contains("does not hold: (1, 0.49)-distributional privacy"), "{ran:?}");
}

#[test]
fn a_claim_of_differential_privacy_stands_or_falls() {
    let desk = desk();
    let audit = |rest: &str| format!("audit differential --seed 1 --draws 40000 {rest}");
    let document = desk.json(&audit("--mechanism geometric:epsilon=0.5 --epsilon 0.5"), 0);
    assert!(document["least_epsilon"].as_f64().is_some_and(|least| (0.3..0.5).contains(&least)), "{document}");
    desk.json(&audit("--mechanism geometric:epsilon=1 --epsilon 0.5"), 1);
    let ran = desk.tamis(&audit("--mechanism threshold:k=10 --epsilon 3 --delta 0.1"));
    assert!(ran.code == 1 && ran.out.contains("does not hold: (3, 0.1)-differential privacy"), "{ran:?}");
    for (arguments, part) in [
        ("--mechanism exact --epsilon 1 --count 0", "the count is 0"),
        ("--mechanism exact --epsilon 1 --draws 5", "the number of draws is 5"),
        ("--mechanism exact --epsilon x", "--epsilon: `x`"),
        ("--mechanism exact --epsilon 1 --delta 1", "delta is 1"),
    ] {
        bad(&desk, &format!("audit differential {arguments}"), &[part]);
    }
}

#[test]
fn bad_audits_are_refused() {
    let desk = desk();
    for (arguments, parts) in [
        ("--rows 0 --alpha 1 --beta 0.1 --by sex --mechanism exact", &["number of rows of a database is 0"][..]),
        ("--rows 41 --alpha 1 --beta 0.1 --by sex --mechanism exact", &["between 1 and 40"]),
        ("--rows 21 --alpha 1 --beta 0.1 --by sex --mechanism exact --disjoint", &["between 1 and 20"]),
        ("--rows 5 --alpha 1 --beta 2 --by sex --mechanism exact", &["beta is 2"]),
        ("--rows 5 --alpha -1 --beta 0.1 --by sex --mechanism exact", &["--alpha", "below 0"]),
        ("--rows 5 --alpha 1 --beta 0.1 --by sex --mechanism magic", &["--mechanism is `magic`", "geometric:epsilon"]),
        ("--rows 5 --alpha 1 --beta 0.1 --by sex --mechanism threshold:k=x", &["--mechanism"]),
        ("--rows 5 --alpha 1 --beta 0.1 --by sex --mechanism geometric", &["--mechanism"]),
        ("--rows 5 --alpha 1 --beta 0.1 --by sex --mechanism geometric:epsilon=0", &["epsilon is 0"]),
        ("--rows 5 --alpha 1 --beta 0.1 --by age --mechanism exact", &["no column `age`"]),
        ("--rows 5 --alpha 1 --beta 0.1 --by sex --mechanism exact --confidence 2", &["confidence is 2"]),
    ] {
        bad(&desk, &format!("audit distributional people.csv {arguments}"), parts);
    }
}
