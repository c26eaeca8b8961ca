//! Models that look at all classes together, from a policy to the released file: what is released meets the definition, bad parameters
//! end with exit code 2, what cannot be met with 1, and neither writes anything.

use crate::program::Desk;
use std::collections::{BTreeMap, BTreeSet};

/// A row of a table by column name.
type Row = BTreeMap<String, String>;

const COLUMNS: [&str; 7] = ["name", "age", "zip", "sex", "diagnosis", "guard", "bound"];

/// Sixty patients with a wish each, or none.
fn patients() -> String {
    let line = |person: usize| {
        let diagnosis = ["flu", "asthma", "gastritis", "ulcer"][(person * 3 + person / 7) % 4];
        let guard = ["", "lungs", "", "gastritis", "stomach", ""][person % 6];
        let (age, zip, sex) = (20 + person * 17 % 60, 5301 + person * 7 % 4, ["f", "m"][person % 5 % 2]);
        format!("p{person},{age},{zip},{sex},{diagnosis},{guard},0.{}", 5 + person % 4)
    };
    let lines: Vec<String> = std::iter::once(COLUMNS.join(",")).chain((0..60).map(line)).collect();
    lines.join("\n") + "\n"
}

fn policy(model: &str, more: &str) -> String {
    format!(
        "[input]\npath = \"patients.csv\"\n\
         [attributes.name]\nrole = \"identifying\"\n\
         [attributes.age]\nrole = \"quasi-identifying\"\nhierarchy = {{ interval = {{ width = 10, factors = [2, 3] }} }}\n\
         [attributes.zip]\nrole = \"quasi-identifying\"\nhierarchy = {{ mask = {{ levels = 2 }} }}\n\
         [attributes.sex]\nrole = \"quasi-identifying\"\n\
         [attributes.diagnosis]\nrole = \"sensitive\"\n\
         hierarchy = {{ tree = {{ children = {{ lungs = [\"flu\", \"asthma\"], stomach = [\"gastritis\", \"ulcer\"] }} }} }}\n\
         [attributes.guard]\nrole = \"identifying\"\n\
         [attributes.bound]\nrole = \"identifying\"\n\
         [[models]]\n{model}\n\
         [search]\nsuppression_limit = 0.4\n\
         [output]\norder = \"input\"\ndelimiter = \";\"\n{more}"
    )
}

fn desk(model: &str) -> Desk {
    let desk = Desk::new();
    desk.write("patients.csv", patients()).write("policy.toml", policy(model, ""));
    desk
}

fn rows(text: &str, delimiter: char) -> Vec<Row> {
    let mut lines = text.lines().map(|line| line.split(delimiter).map(str::to_owned).collect::<Vec<_>>());
    let header = lines.next().expect("a header");
    lines.map(|line| header.iter().cloned().zip(line).collect()).collect()
}

/// The released rows, each with the columns of the input that are not released under their own names.
fn released(model: &str) -> Vec<Row> {
    let desk = desk(model);
    desk.done("anonymize policy.toml --output out.csv");
    let (before, after) = (rows(&desk.read("patients.csv"), ','), rows(&desk.read("out.csv"), ';'));
    assert_eq!(before.len(), after.len());
    assert!(!after[0].contains_key("guard") && !after[0].contains_key("name"), "identifying columns are not released");
    let is_suppressed = |row: &Row| row.values().all(|value| value == "*");
    let left: Vec<Row> = before
        .into_iter()
        .zip(after)
        .filter(|(_, after)| !is_suppressed(after))
        .map(|(before, after)| before.into_iter().chain(after).collect())
        .collect();
    assert!(left.len() >= 36, "at most two fifths may be suppressed, {} rows are left", left.len());
    left
}

fn groups<'r>(rows: &'r [Row], columns: &[&str]) -> Vec<Vec<&'r Row>> {
    let mut groups: BTreeMap<Vec<&str>, Vec<&Row>> = BTreeMap::new();
    for row in rows {
        groups.entry(columns.iter().map(|&name| row[name].as_str()).collect()).or_default().push(row);
    }
    groups.into_values().collect()
}

fn most_frequent(group: &[&Row], column: &str) -> usize {
    let count = |value: &str| group.iter().filter(|row| row[column] == value).count();
    group.iter().map(|row| count(&row[column])).max().unwrap_or(0)
}

/// Runs a policy that must be refused with this code and parts of a sentence, leaving nothing behind.
fn refused(model: &str, code: i32, parts: &[&str]) {
    let desk = desk(model);
    let before = desk.listing();
    let ran = desk.tamis("anonymize policy.toml --output out.csv --report out.html --manifest out.json");
    assert_eq!(ran.code, code, "{model}: {ran:?}");
    assert_eq!(desk.listing(), before, "{model} leaves files behind");
    // Bad input is an error; that there is no solution is the answer.
    let said = if code == 2 { &ran.err } else { &ran.out };
    for part in parts {
        assert!(said.contains(part), "{model} does not say `{part}`: {ran:?}");
    }
}

#[test]
fn lkc_privacy_holds_for_every_two_columns() {
    let rows = released("kind = \"lkc-privacy\"\nl = 2\nk = 4\nc = 0.75");
    for columns in [vec!["age"], vec!["zip"], vec!["sex"], vec!["age", "zip"], vec!["age", "sex"], vec!["zip", "sex"]] {
        for group in groups(&rows, &columns) {
            assert!(group.len() >= 4 && 4 * most_frequent(&group, "diagnosis") <= 3 * group.len(), "{columns:?}");
        }
    }
}

#[test]
fn lkc_privacy_of_everything_known_is_k_anonymity() {
    let lkc = desk("kind = \"lkc-privacy\"\nl = 9\nk = 5\nc = 1");
    let k = desk("kind = \"k-anonymity\"\nk = 5");
    lkc.done("anonymize policy.toml --output out.csv");
    k.done("anonymize policy.toml --output out.csv");
    assert_eq!(lkc.read("out.csv"), k.read("out.csv"));
}

#[test]
fn bad_lkc_privacy_is_refused() {
    refused("kind = \"lkc-privacy\"\nl = 2\nk = 61\nc = 1", 2, &["k = 61 is more than the 60 rows"]);
    refused("kind = \"lkc-privacy\"\nl = 2\nk = 5\nc = 0", 2, &["`c` is 0; expected a number above 0"]);
    refused("kind = \"lkc-privacy\"\nl = 2\nk = 5", 2, &["needs the parameter `c`"]);
    refused("kind = \"lkc-privacy\"\nl = 1\nk = 5\nc = 0.1", 1, &["no transformation"]);
}

#[test]
fn xy_anonymity_counts_different_values() {
    let rows = released("kind = \"xy-anonymity\"\nx = [\"age\", \"sex\"]\ny = \"diagnosis\"\nk = 3");
    for group in groups(&rows, &["age", "sex"]) {
        let values: BTreeSet<&str> = group.iter().map(|row| row["diagnosis"].as_str()).collect();
        assert!(values.len() >= 3);
    }
    // A column that is not released can be known all the same.
    let rows = released("kind = \"xy-anonymity\"\nx = \"zip\"\ny = [\"name\"]\nk = 5");
    assert!(groups(&rows, &["zip"]).iter().all(|group| group.len() >= 5));
}

#[test]
fn columns_that_are_only_counted_appear_nowhere() {
    let desk = desk("kind = \"xy-anonymity\"\nx = \"zip\"\ny = [\"name\", \"guard\"]\nk = 5");
    desk.done("anonymize policy.toml --output out.csv --report out.html --manifest out.json");
    for file in ["out.csv", "out.html", "out.json"] {
        let text = desk.read(file);
        assert!(!text.contains("p17"), "{file} tells a name");
    }
}

#[test]
fn bad_xy_anonymity_is_refused() {
    refused("kind = \"xy-anonymity\"\ny = \"illness\"\nk = 2", 2, &["there is no column `illness`", "`diagnosis`"]);
    refused("kind = \"xy-anonymity\"\nx = \"age\"\ny = \"age\"\nk = 2", 2, &["x names too"]);
    refused("kind = \"xy-anonymity\"\ny = \"diagnosis\"\nk = 5", 1, &["no transformation"]);
}

#[test]
fn xy_linkability_bounds_the_confidence_of_named_values() {
    let rows = released("kind = \"xy-linkability\"\nx = \"age\"\ny = \"diagnosis\"\nh = 0.2\nvalues = [\"ulcer\"]");
    for group in groups(&rows, &["age"]) {
        let ulcers = group.iter().filter(|row| row["diagnosis"] == "ulcer").count();
        assert!(5 * ulcers <= group.len());
    }
    refused(
        "kind = \"xy-linkability\"\ny = \"diagnosis\"\nh = 0.2\nvalues = \"plague\"",
        2,
        &["`plague` is no value of `diagnosis`"],
    );
    refused("kind = \"xy-linkability\"\ny = \"diagnosis\"\nh = 0.1", 1, &["no transformation"]);
}

#[test]
fn xy_privacy_is_both() {
    let rows = released("kind = \"xy-privacy\"\nx = [\"sex\", \"zip\"]\ny = \"diagnosis\"\nk = 2\nh = 0.75");
    for group in groups(&rows, &["sex", "zip"]) {
        let values: BTreeSet<&str> = group.iter().map(|row| row["diagnosis"].as_str()).collect();
        assert!(values.len() >= 2 && 4 * most_frequent(&group, "diagnosis") <= 3 * group.len());
    }
    refused("kind = \"xy-privacy\"\ny = \"diagnosis\"\nk = 2", 2, &["needs the parameter `h`"]);
}

#[test]
fn personalized_privacy_heeds_every_wish() {
    let under = |guard: &str, diagnosis: &str| {
        let above = if matches!(diagnosis, "flu" | "asthma") { "lungs" } else { "stomach" };
        guard == diagnosis || guard == above
    };
    for (bounds, own) in [("bound = 0.7", false), ("bounds = \"bound\"", true)] {
        let model = format!("kind = \"personalized-privacy\"\nattribute = \"diagnosis\"\nguard = \"guard\"\n{bounds}");
        let rows = released(&model);
        for class in groups(&rows, &["age", "zip", "sex"]) {
            for row in class.iter().filter(|row| !row["guard"].is_empty()) {
                let breaches = class.iter().filter(|other| under(&row["guard"], &other["diagnosis"])).count();
                let bound: f64 = if own { row["bound"].parse().expect("a number") } else { 0.7 };
                assert!(breaches as f64 / class.len() as f64 <= bound);
            }
        }
    }
}

/// The same patients with `NA` in place of nothing, and a policy that says what it means: the same release.
#[test]
fn a_guard_that_the_policy_calls_missing_is_no_wish() {
    let model = "kind = \"personalized-privacy\"\nattribute = \"diagnosis\"\nguard = \"guard\"\nbound = 0.7";
    let desk = desk(model);
    desk.done("anonymize policy.toml --output empty.csv");
    desk.write("patients.csv", patients().replace(",,", ",NA,"));
    let named = policy(model, "").replace("[input]\n", "[input]\nmissing = [\"NA\"]\n");
    desk.write("policy.toml", named).done("anonymize policy.toml --output named.csv");
    assert_eq!(desk.read("named.csv"), desk.read("empty.csv"));
}

#[test]
fn more_than_the_table_has_is_refused() {
    let sensitive = "[attributes.diagnosis]\nrole = \"sensitive\"";
    let with = |model: &str, code: i32, part: &str| {
        let desk = desk(model);
        let ages = policy(model, "").replace(
            sensitive,
            "[attributes.dose]\nrole = \"sensitive\"\n[attributes.diagnosis]\nrole = \"identifying\"",
        );
        let doses = patients().lines().enumerate().fold(String::new(), |text, (line, row)| {
            let dose = if line == 0 { "dose".to_owned() } else { (10 * (line % 4)).to_string() };
            text + row + "," + &dose + "\n"
        });
        desk.write("patients.csv", doses).write("policy.toml", ages);
        let ran = desk.tamis("anonymize policy.toml --output out.csv");
        assert_eq!(ran.code, code, "{model}: {ran:?}");
        assert!(ran.err.contains(part), "{model}: {ran:?}");
    };
    with("kind = \"k-e-anonymity\"\nk = 2\ne = 10", 0, "");
    with("kind = \"k-e-anonymity\"\nk = 5\ne = 1", 2, "k = 5 is more than the 4 different numbers of `dose`");
    with("kind = \"k-e-anonymity\"\nk = 2\ne = 31", 2, "`dose` span, which go from 0 to 30");
    let subset = "subset = { column = \"sex\", equals = \"f\" }";
    with(&format!("kind = \"k-map\"\nk = 61\n{subset}"), 2, "k = 61 is more than the 60 rows of the population");
}

#[test]
fn bad_personalized_privacy_is_refused() {
    let model = |more: &str| format!("kind = \"personalized-privacy\"\nattribute = \"diagnosis\"\n{more}");
    refused(&model("guard = \"zip\"\nbound = 0.5"), 2, &["a record guards `5301`, which is no node", "`lungs`"]);
    refused(&model("guard = \"guard\""), 2, &["needs the parameter `bound`"]);
    refused(
        &model("guard = \"guard\"\nbounds = \"name\""),
        2,
        &["`name`, which holds `p", "expected a number between 0 and 1"],
    );
    refused(&model("guard = \"wish\"\nbound = 0.5"), 2, &["there is no column `wish`"]);
}

/// Twice the middle of the ages that a label such as `[20, 40)` covers.
fn place(label: &str) -> u64 {
    let bounds: Vec<u64> = label.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect();
    let all = rows(&patients(), ',');
    let ages = all.iter().map(|row| row["age"].parse::<u64>().expect("an age"));
    let covered: Vec<u64> = ages
        .filter(|age| match bounds.as_slice() {
            [] => label == "*",
            [only] => age == only,
            [least, end, ..] => (least..end).contains(&age),
        })
        .collect();
    covered.iter().min().expect("a covered age") + covered.iter().max().expect("a covered age")
}

#[test]
fn nobody_is_isolated() {
    let rows = released("kind = \"ct-isolation\"\nc = 1.5\nt = 4\nattributes = \"age\"\nscale = \"none\"");
    let places: Vec<u64> = rows.iter().map(|row| place(&row["age"])).collect();
    for (x0, &from) in places.iter().enumerate() {
        for (_, &x) in places.iter().enumerate().filter(|&(position, _)| position != x0) {
            let within = places.iter().filter(|&&other| 2 * other.abs_diff(from) <= 3 * x.abs_diff(from)).count();
            assert!(within >= 4, "{from} isolates {x}");
        }
    }
}

#[test]
fn bad_isolation_is_refused() {
    let model = "kind = \"ct-isolation\"\nc = 1.5\nt = 3\nattributes = \"sex\"";
    refused(model, 2, &["`sex`, which is no quasi-identifier", "`age`, `zip`"]);
    refused("kind = \"ct-isolation\"\nc = -1\nt = 3", 2, &["`c` is -1; expected a number above 0"]);
    refused("kind = \"ct-isolation\"\nc = 1\nt = 61", 2, &["t = 61 is more than the 60 rows"]);
}

#[test]
fn the_average_risk_is_bounded() {
    let rows = released("kind = \"average-risk\"\nmax = 0.125");
    assert!(8 * groups(&rows, &["age", "zip", "sex"]).len() <= rows.len());
    refused("kind = \"average-risk\"\nmax = 0.01", 2, &["even all 60 rows in one class have a risk of 0.0166"]);
}

#[test]
fn the_marketer_risk_is_bounded_against_the_population() {
    let model = "kind = \"marketer-risk\"\nmax = 0.1\nsubset = { column = \"sex\", equals = \"f\" }";
    let desk = desk(model);
    let sex = "[attributes.sex]\nrole = ";
    desk.write(
        "policy.toml",
        policy(model, "").replace(&format!("{sex}\"quasi-identifying\""), &format!("{sex}\"identifying\"")),
    );
    desk.done("anonymize policy.toml --output out.csv");
    let all = rows(&patients(), ',');
    let is_alike = |person: &Row, released: &Row| {
        let bounds: Vec<u64> =
            released["age"].split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect();
        let age: u64 = person["age"].parse().expect("an age");
        let fits_age = match bounds.as_slice() {
            [] => true,
            [only] => age == *only,
            [least, end, ..] => (*least..*end).contains(&age),
        };
        let zip = released["zip"].trim_end_matches('*');
        fits_age && person["zip"].starts_with(zip)
    };
    let released = rows(&desk.read("out.csv"), ';');
    let released: Vec<&Row> = released.iter().filter(|row| row.values().any(|value| value != "*")).collect();
    assert!(!released.is_empty());
    let risk: f64 =
        released.iter().map(|row| 1.0 / all.iter().filter(|person| is_alike(person, row)).count() as f64).sum();
    assert!(risk / released.len() as f64 <= 0.1 + 1e-12, "{risk} of {}", released.len());
    refused("kind = \"marketer-risk\"\nmax = 0.1", 2, &["needs `subset`"]);
}

#[test]
fn few_are_unique_in_the_population() {
    let rows = released("kind = \"population-uniqueness\"\nmax = 0.0\nfraction = 0.05\nestimator = \"zayatz\"");
    assert!(groups(&rows, &["age", "zip", "sex"]).iter().all(|group| group.len() >= 2));
    refused("kind = \"population-uniqueness\"\nmax = 0.1\nfraction = 2", 2, &["`fraction` is 2"]);
    refused(
        "kind = \"population-uniqueness\"\nmax = 0.1\nfraction = 1\nestimator = \"mine\"",
        2,
        &["expected \"pitman\""],
    );
}

#[test]
fn people_with_several_rows_are_refused() {
    for model in [
        "kind = \"lkc-privacy\"\nl = 2\nk = 2\nc = 1",
        "kind = \"xy-anonymity\"\ny = \"diagnosis\"\nk = 2",
        "kind = \"average-risk\"\nmax = 0.5",
    ] {
        let desk = desk(model);
        desk.write("policy.toml", format!("entity = \"name\"\n{}", policy(model, "")));
        let ran = desk.tamis("anonymize policy.toml --output out.csv");
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(ran.err.contains("counts rows and cannot be used where `entity`"), "{}", ran.err);
    }
}
