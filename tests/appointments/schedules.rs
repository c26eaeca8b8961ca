//! What `tamis appointments assign`, `alternatives` and `solve` promise: schedules, files, sentences, exit codes.

use crate::program::{Desk, repository};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// A desk with the people and slots of the paper's running example (its Tables 2(b) and 7(b)).
fn example() -> Desk {
    let desk = Desk::new();
    for name in ["people.csv", "slots.csv"] {
        let path = repository().join("tests/data/appointments").join(name);
        desk.write(name, std::fs::read(path).expect(name));
    }
    desk
}

const PEOPLE: &str = "--people people.csv --quasi ZIP,Gender,Age";
const SLOTS: &str = "--slots slots.csv --capacity Capacity";

fn assign(flags: &str) -> String {
    format!("appointments assign {PEOPLE} {SLOTS} --output out.csv --seed 7 {flags}")
}

fn alternatives(flags: &str) -> String {
    format!("appointments alternatives --assigned out.csv --quasi ZIP,Gender,Age --id Code {SLOTS} {flags}")
}

/// The rows of a plain CSV file by column.
fn rows(text: &str) -> Vec<BTreeMap<&str, &str>> {
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().expect("a header");
    lines.map(|cells| header.iter().copied().zip(cells).collect()).collect()
}

/// Cells by size, counted anew from a file.
fn vector(text: &str, columns: &[&str]) -> Vec<u64> {
    let mut cells: BTreeMap<Vec<&str>, usize> = BTreeMap::new();
    for row in rows(text) {
        *cells.entry(columns.iter().map(|&column| row[column]).collect()).or_insert(0) += 1;
    }
    let mut vector = vec![0; cells.values().copied().max().unwrap_or(0)];
    for size in cells.into_values() {
        vector[size - 1] += 1;
    }
    vector
}

const WITH_SLOT: [&str; 5] = ["ZIP", "Gender", "Age", "Centre", "Hour"];

mod the_running_example {
    use super::*;

    #[test]
    fn is_scheduled_as_in_table_9() {
        let desk = example();
        let document = desk.json(&assign("--method exact"), 0);
        assert_eq!(document["after"]["vector"], json!([0, 2, 1, 2]));
        assert_eq!((&document["after"]["k"], &document["before"]["k"]), (&json!(2), &json!(2)));
        assert_eq!(document["before"]["vector"], json!([0, 1, 0, 2, 1]));
        assert_eq!((&document["optimal"], &document["lower_bound"]), (&json!(true), &json!([0, 2, 1, 2])));
        assert_eq!((&document["people"], &document["slots"], &document["places"]), (&json!(15), &json!(5), &json!(15)));
        let written = desk.read("out.csv");
        assert_eq!(vector(&written, &WITH_SLOT), [0, 2, 1, 2]);
        assert_eq!(vector(&written, &["Centre", "Hour"]), [0, 2, 1, 2], "as many people as the slots take");
        // Only the five women of 11111 are split, into three and two.
        let slots_of = |zip: &str, gender: &str| -> BTreeSet<(String, String)> {
            let people = rows(&written).into_iter().filter(|row| row["ZIP"] == zip && row["Gender"] == gender);
            people.map(|row| (row["Centre"].to_owned(), row["Hour"].to_owned())).collect()
        };
        assert_eq!(slots_of("11111", "female").len(), 2);
        for (zip, gender) in [("88888", "male"), ("11111", "male"), ("88888", "female")] {
            assert_eq!(slots_of(zip, gender).len(), 1, "{zip} {gender}");
        }
    }

    #[test]
    fn keeps_every_row_as_it_is_and_in_its_place() {
        let desk = example();
        desk.done(&assign(""));
        let (people, written) = (desk.read("people.csv"), desk.read("out.csv"));
        assert_eq!(written.lines().next(), Some("Code,ZIP,Gender,Age,Centre,Hour"));
        assert_eq!(people.lines().count(), written.lines().count());
        for (before, after) in people.lines().zip(written.lines()) {
            assert!(after.starts_with(&format!("{before},")), "{after}");
        }
    }

    #[test]
    fn draws_people_who_are_alike_by_the_seed() {
        let desk = example();
        let written = |seed: u64| {
            desk.done(&format!("appointments assign {PEOPLE} {SLOTS} --output out.csv --seed {seed}"));
            desk.read("out.csv")
        };
        assert_eq!(written(3), written(3));
        // The women of 11111 are split: whoever is first in the file is not always in the same part.
        let sizes: BTreeSet<usize> = (0..20)
            .map(|seed| {
                let text = written(seed);
                let rows = rows(&text);
                let first = &rows[2];
                let alike = |row: &&BTreeMap<&str, &str>| WITH_SLOT.iter().all(|column| row[column] == first[column]);
                rows.iter().filter(alike).count()
            })
            .collect();
        assert_eq!(sizes, BTreeSet::from([2, 3]));
    }

    #[test]
    fn is_the_same_whatever_the_threads_and_the_format() {
        let desk = example();
        desk.done(&assign("--threads 1"));
        let one = desk.read("out.csv");
        desk.done(&assign("--threads 4"));
        assert_eq!(one, desk.read("out.csv"));
        desk.done(&format!("appointments assign {PEOPLE} {SLOTS} --output out.tsv.gz --seed 7"));
        let mut text = String::new();
        let bytes = desk.bytes("out.tsv.gz");
        std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(bytes.as_slice()), &mut text).expect("gzip");
        assert_eq!(text, one.replace(',', "\t"));
    }

    #[test]
    fn is_told_to_people_too() {
        let desk = example();
        let ran = desk.done(&assign("--method exact"));
        for line in ["after       k = 2, vector (0,2,1,2)", "proved      optimal: no schedule is more anonymous"] {
            assert!(ran.out.contains(line), "{}", ran.out);
        }
    }

    #[test]
    fn every_method_appoints_everybody_within_the_capacities() {
        let desk = example();
        for method in ["exact", "heuristic", "greatest", "half", "authors", "random"] {
            let document = desk.json(&assign(&format!("--method {method}")), 0);
            assert_eq!(document["method"], method);
            assert_eq!(document["after"]["vector"], json!(vector(&desk.read("out.csv"), &WITH_SLOT)));
            for load in document["loads"].as_array().expect("loads") {
                assert!(load["people"].as_u64() <= load["capacity"].as_u64(), "{load}");
            }
        }
    }
}

mod conditions {
    use super::*;

    /// Two regions with two centres each, as the paper's Norwegian case has five regions with several.
    fn regions() -> Desk {
        let desk = Desk::new();
        let mut people = "Id,Year,Home,Family,Nation,Stands\n".to_owned();
        for id in 0..24 {
            let (year, home) = (1960 + id % 3, if id < 12 { "North" } else { "South" });
            let family = if id % 12 < 2 { format!("f{home}") } else { String::new() };
            let nation = ["Norway", "Norway", "Norway", "Chile"][id % 4];
            let stands = if id == 20 { "S2" } else { "" };
            people.extend([id.to_string(), format!(",{year},{home},{family},{nation},{stands}\n")]);
        }
        desk.write("people.csv", people);
        desk.write("slots.csv", "Slot,Region,Places\nN1,North,8\nN2,North,4\nS1,South,8\nS2,South,6\n");
        desk
    }

    fn assign(flags: &str) -> String {
        format!(
            "appointments assign --people people.csv --quasi Year --slots slots.csv --capacity Places --slot-id Slot --output out.csv --seed 1 {flags}"
        )
    }

    #[test]
    fn people_stay_in_their_region() {
        let desk = regions();
        let document = desk.json(&assign("--region Home=Region --method exact"), 0);
        let written = desk.read("out.csv");
        assert!(rows(&written).iter().all(|row| row["Home"] == row["Region"]));
        // Four of each of three years go to 8 and 4 places in the North: two years to one slot, one to the other. The South has a
        // slot of 8 and one of 6 for them: the same.
        assert_eq!(document["after"]["vector"], json!([0, 0, 0, 6]));
        assert_eq!(vector(&written, &["Year", "Slot"]), [0, 0, 0, 6]);
        // Renamed, the column is the people's own and is not written twice.
        desk.write("slots.csv", desk.read("slots.csv").replace("Region", "Home"));
        desk.done(&assign("--programme Home --method exact"));
        assert_eq!(desk.read("out.csv").lines().next(), Some("Id,Year,Home,Family,Nation,Stands,Slot"));
    }

    #[test]
    fn families_and_appointments_that_stand_are_kept() {
        let desk = regions();
        desk.done(&assign("--region Home=Region --together Family --fixed Stands"));
        let written = desk.read("out.csv");
        let rows = rows(&written);
        assert_eq!(rows[0]["Slot"], rows[1]["Slot"]);
        assert_eq!(rows[12]["Slot"], rows[13]["Slot"]);
        assert_eq!(rows[20]["Slot"], "S2");
        assert!(rows.iter().all(|row| row["Home"] == row["Region"]));
    }

    #[test]
    fn conditions_that_leave_no_slot_together_are_told_with_everybody_concerned() {
        let desk = regions();
        // Two of the North stand in the South; the one of the South who does is where he may be.
        let people = desk.read("people.csv");
        let standing = |id: usize, line: &str| if (4..6).contains(&id) { format!("{line}S2") } else { line.to_owned() };
        let lines: Vec<String> = people.lines().enumerate().map(|(id, line)| standing(id, line)).collect();
        desk.write("people.csv", lines.join("\n"));
        let ran = desk.tamis(&assign("--id Id --region Home=Region --fixed Stands"));
        assert_eq!(ran.code, 2, "{ran:?}");
        let sentence = "`people.csv`, line 5: --region Home=Region and --fixed Stands leave no slot together, though each leaves some, for Id 3 and for one person more";
        assert!(ran.err.contains(sentence), "{}", ran.err);
    }

    #[test]
    fn nobody_is_sent_further_than_the_distance() {
        let desk = Desk::new();
        desk.write(
            "people.csv",
            "Id,Age,Lat,Lon\n1,50,59.91,10.75\n2,50,59.95,10.60\n3,50,60.39,5.32\n4,50,60.30,5.10\n",
        );
        desk.write("slots.csv", "Slot,Places,North,East\nOslo,4,59.91,10.74\nBergen,3,60.39,5.32\n");
        let flags = "--max-distance 50 --people-location Lat,Lon --slot-location North,East";
        let assign = "appointments assign --people people.csv --quasi Age --slots slots.csv --capacity Places --output out.csv --seed 1 --id Id";
        desk.done(&format!("{assign} {flags}"));
        let written = desk.read("out.csv");
        let slots: Vec<&str> = rows(&written).iter().map(|row| row["Slot"]).collect();
        assert_eq!(slots, ["Oslo", "Oslo", "Bergen", "Bergen"]);
        // Oslo and Bergen are 305 km apart: within 320 anybody may go anywhere, and Oslo takes all four.
        desk.done(&format!("{assign} --max-distance 320 --people-location Lat,Lon --slot-location North,East"));
        assert_eq!(vector(&desk.read("out.csv"), &["Age", "Slot"]), [0, 0, 0, 1]);
        let far =
            desk.tamis(&format!("{assign} --max-distance 5 --people-location Lat,Lon --slot-location North,East"));
        assert_eq!(far.code, 2);
        let sentence =
            "`people.csv`, line 3: --max-distance 5 leaves no slot for Id 2 and for one person more; add slots";
        assert!(far.err.contains(sentence), "{}", far.err);
    }

    #[test]
    fn a_list_says_who_may_go_where() {
        let desk = example();
        desk.write(
            "allowed.csv",
            "ZIP,Gender,Centre\n88888,male,A\n88888,female,C\n11111,male,B\n11111,female,A\n11111,female,B\n",
        );
        desk.write("slots.csv", "Centre,Hour,Capacity\nA,9,6\nB,9,7\nC,9,6\n");
        desk.done(&super::assign("--allowed allowed.csv"));
        let written = desk.read("out.csv");
        for row in rows(&written) {
            let expected = match (row["ZIP"], row["Gender"]) {
                ("88888", "male") => "A",
                ("88888", "female") => "C",
                ("11111", "male") => "B",
                _ => continue,
            };
            assert_eq!(row["Centre"], expected);
        }
        // Beside the four men A has two places left and B three: the five women of 11111 take both.
        assert_eq!(vector(&written, &WITH_SLOT), [0, 2, 1, 2]);
        desk.write("allowed.csv", "Code,Centre\n1,C\n");
        let ran = desk.tamis(&super::assign("--allowed allowed.csv --id Code"));
        assert_eq!(ran.code, 2);
        let sentence = "`people.csv`, line 3: `allowed.csv` has no line for Code 2 and for 13 people more; add lines";
        assert!(ran.err.contains(sentence), "{}", ran.err);
        desk.done(&super::assign("--allowed allowed.csv --id Code --unlisted-anywhere"));
        assert_eq!(rows(&desk.read("out.csv"))[0]["Centre"], "C");
    }

    #[test]
    fn who_meets_in_a_slot_is_mixed() {
        let desk = regions();
        // Six of 24 are from Chile. Both slots must hold four others for one of them.
        desk.write("slots.csv", "Slot,Places\nA,12\nB,12\n");
        desk.done(&assign("--max-share Nation!=Norway:0.25 --method exact"));
        let written = desk.read("out.csv");
        for slot in ["A", "B"] {
            let there: Vec<&str> =
                rows(&written).iter().filter(|row| row["Slot"] == slot).map(|row| row["Nation"]).collect();
            let foreign = there.iter().filter(|&&nation| nation != "Norway").count();
            assert_eq!((there.len(), foreign), (12, 3), "{slot}");
        }
        let document = desk.json(&assign("--max-share Nation!=Norway:0.2"), 1);
        let error = document["error"].as_str().expect("a sentence");
        assert!(error.contains("--max-share Nation!=Norway:0.2") && error.contains("with Year 1960"), "{error}");
        assert_eq!(document["conflict"]["rules"], json!(["--max-share Nation!=Norway:0.2"]));
        assert_eq!(document["conflict"]["proved"], true);
        assert!(error.contains("(the share is rounded down to whole people in every slot)"), "{error}");
        let said = desk.tamis(&assign("--max-share Nation!=Norway:0.2")).err;
        let lines: Vec<&str> = said.lines().collect();
        assert!(
            lines[0].starts_with("error: no schedule meets the conditions: --max-share Nation!=Norway:0.2"),
            "{said}"
        );
        assert!(lines[1].starts_with("  people      2 with Year 19"), "{said}");
        assert!(lines.contains(&"  slots       Slot A") && lines.contains(&"              Slot B"), "{said}");
        assert!(lines.contains(&"  conditions  --max-share Nation!=Norway:0.2"), "{said}");
        assert_eq!(lines.last(), Some(&"add slots or places, or relax a condition"));
        let document = desk.json(&assign("--min-distinct Nation!=Norway:2"), 1);
        assert!(document["error"].as_str().is_some_and(|error| error.contains("--min-distinct Nation!=Norway:2")));
        desk.done(&assign("--min-distinct Nation:2"));
    }
}

mod what_cannot_be {
    use super::*;

    #[test]
    fn names_the_people_and_the_slots_and_writes_nothing() {
        let desk = example();
        desk.write("allowed.csv", "ZIP,Centre\n88888,A\n88888,C\n11111,B\n");
        let before = desk.listing();
        let document = desk.json(&assign("--allowed allowed.csv --id Code"), 1);
        assert_eq!(desk.listing(), before, "nothing is written");
        let conflict = &document["conflict"];
        assert_eq!(
            (&conflict["people"], &conflict["places"], &conflict["proved"]),
            (&json!(9), &json!(7), &json!(true))
        );
        assert_eq!(conflict["slots"], json!([{ "Centre": "B", "Hour": "9" }, { "Centre": "B", "Hour": "13" }]));
        let error = document["error"].as_str().expect("a sentence");
        for part in ["2 places are missing", "4 with ZIP 11111, Gender male", "(2, 8, 11, 15)", "Centre B, Hour 9"] {
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn a_family_larger_than_any_slot() {
        let desk = example();
        let people: String = desk.read("people.csv").lines().enumerate().fold(String::new(), |text, (at, line)| {
            text + line
                + if at == 0 {
                    ",Family\n"
                } else if at < 6 {
                    ",Smith\n"
                } else {
                    ",\n"
                }
        });
        desk.write("people.csv", people);
        let ran = desk.tamis(&assign("--together Family --id Code"));
        assert_eq!(ran.code, 1, "{ran:?}");
        assert!(ran.err.contains("Code 1 has 5 people who must stay together"), "{}", ran.err);
    }
}

mod bad_input {
    use super::*;

    /// Runs `assign` on changed files; the sentence it ends with.
    fn refused(people: Option<&str>, slots: Option<&str>, flags: &str) -> String {
        let desk = example();
        for (name, text) in [("people.csv", people), ("slots.csv", slots)] {
            if let Some(text) = text {
                desk.write(name, text);
            }
        }
        let before = desk.listing();
        let ran = desk.tamis(&assign(flags));
        assert_eq!(ran.code, 2, "{ran:?}");
        assert_eq!(desk.listing(), before, "nothing is written");
        ran.err
    }

    fn expect(sentence: &str, parts: &[&str]) {
        for part in parts {
            assert!(sentence.contains(part), "`{part}` is not in: {sentence}");
        }
    }

    #[test]
    fn capacities() {
        expect(
            &refused(None, Some("Centre,Capacity\nA,9\nB,4\n"), ""),
            &["take 13 people", "there are 15", "2 places"],
        );
        for wrong in ["0", "-3", "4.5", "", "many", "99999999999999999999"] {
            let slots = format!("Centre,Capacity\nA,20\n\nB,{wrong}\n");
            let sentence = refused(None, Some(&slots), "");
            expect(&sentence, &["`slots.csv`, line 4: `Capacity` is", "expected a whole number above 0"]);
        }
        expect(&refused(None, Some("Centre,Capacity\nA,18446744073709551615\nB,9\n"), ""), &["too large"]);
        expect(&refused(None, Some("Capacity\n20\n"), ""), &["no column but `Capacity`"]);
    }

    #[test]
    fn columns_and_files() {
        expect(&refused(None, None, "--region Area"), &["`people.csv` has no column `Area`", "`ZIP`"]);
        expect(&refused(None, None, "--region ZIP"), &["`slots.csv` has no column `ZIP`", "`Centre`"]);
        expect(&refused(None, None, "--quasi Town"), &["`people.csv` has no column `Town`"]);
        expect(&refused(None, None, "--quasi ZIP"), &["column `ZIP` is named twice"]);
        expect(&refused(Some(""), None, ""), &["`people.csv` is empty"]);
        expect(&refused(None, Some("Centre,Capacity\n"), ""), &["`slots.csv` ends after its header"]);
        expect(&refused(None, None, "--output people.csv"), &["cannot be used multiple times"]);
        let desk = example();
        let ran = desk.tamis(&format!("appointments assign {PEOPLE} {SLOTS} --output slots.csv"));
        assert_eq!(ran.code, 2);
        expect(&ran.err, &["slots.csv would be overwritten"]);
        let sentence = refused(None, Some("ZIP,Hour,Capacity\n1,9,20\n"), "");
        expect(&sentence, &["people and slots both have a column `ZIP`", "--slot-prefix"]);
        desk.write("slots.csv", "ZIP,Hour,Capacity\n1,9,20\n");
        desk.done(&assign("--slot-prefix at_"));
        assert!(desk.read("out.csv").starts_with("Code,ZIP,Gender,Age,at_ZIP,at_Hour\n"));
    }

    #[test]
    fn ids() {
        let twice = "Code,ZIP,Gender,Age\n1,1,m,5\n2,1,m,5\n\n1,1,m,5\n";
        expect(&refused(Some(twice), None, "--id Code"), &["`people.csv`, lines 2 and 5: both have `Code` 1"]);
        let none = "Code,ZIP,Gender,Age\n1,1,m,5\n,1,m,5\n";
        expect(&refused(Some(none), None, "--id Code"), &["`people.csv`, line 3: no `Code`"]);
        let slots = "Centre,Hour,Capacity\nA,9,20\nA,10,20\n";
        expect(&refused(None, Some(slots), "--slot-id Centre"), &["`slots.csv`, lines 2 and 3: both have `Centre` A"]);
        let same = "Centre,Capacity\nA,9\nB,9\nA,3\n";
        expect(&refused(None, Some(same), ""), &["`slots.csv`, lines 2 and 4: both are Centre A"]);
    }

    #[test]
    fn conditions() {
        expect(
            &refused(None, None, "--max-share Gender=neither:0.5"),
            &["nobody in `people.csv` has `Gender` neither", "`male`"],
        );
        expect(&refused(None, None, "--max-share Gender:1.5"), &["`1.5` is not a share"]);
        expect(&refused(None, None, "--max-share Gender"), &["`Gender` is not a rule"]);
        expect(&refused(None, None, "--min-distinct Gender:0"), &["`0` is not a number of values"]);
        expect(&refused(None, None, "--min-distinct Gender=male:2"), &["one value `male`"]);
        expect(
            &refused(None, None, "--max-distance -1 --people-location ZIP,Age --slot-location Hour,Hour"),
            &["--max-distance is -1"],
        );
        expect(
            &refused(None, None, "--max-distance 10 --people-location ZIP,Age --slot-location Hour,Hour"),
            &["`people.csv`, line 2: `ZIP` is `88888`", "from -90 to 90"],
        );
        expect(&refused(None, None, "--max-distance 10 --people-location ZIP"), &["not a pair of columns"]);
        expect(&refused(None, None, "--max-distance 10"), &["--people-location"]);
        expect(&refused(None, None, "--fixed ZIP"), &["--slot-id"]);
        let slots = "Slot,Capacity\ns1,20\n";
        expect(
            &refused(None, Some(slots), "--slot-id Slot --fixed ZIP"),
            &["`people.csv`, line 2: `ZIP` is `88888`, which is no slot"],
        );
        let slots = "Place,Capacity\n5,20\n";
        expect(
            &refused(None, Some(slots), "--region ZIP=Place --id Code"),
            &["`people.csv`, line 2: --region ZIP=Place leaves no slot for Code 1 and for 14 people more"],
        );
        let slots = "Place,Capacity\n88888,20\n";
        expect(
            &refused(None, Some(slots), "--region ZIP=Place --id Code"),
            &["`people.csv`, line 3: --region ZIP=Place leaves no slot for Code 2 and for 8 people more"],
        );
    }

    #[test]
    fn lists_of_pairs() {
        let desk = example();
        for (text, part) in [
            ("ZIP,Town\n88888,A\n", "column `Town` is neither"),
            ("ZIP,Gender\n88888,male\n", "no column of `slots.csv`"),
            ("Centre\nA\n", "no column of `people.csv`"),
            ("ZIP,Centre\n88888,Z\n", "`allowed.csv`, line 2: `slots.csv` has no slot with Centre Z"),
        ] {
            desk.write("allowed.csv", text);
            let ran = desk.tamis(&assign("--allowed allowed.csv"));
            assert_eq!(ran.code, 2);
            expect(&ran.err, &[part]);
        }
    }

    #[test]
    fn missing_values_of_the_quasi_identifier_are_a_value() {
        let desk = example();
        desk.write("people.csv", "Code,ZIP,Gender,Age\n1,,m,5\n2,1,m,5\n3,,m,5\n");
        let document = desk.json(&assign(""), 0);
        assert_eq!(document["before"]["vector"], json!([1, 1]));
    }
}

mod somebody_who_cannot_come {
    use super::*;

    /// Men: two at A, three at B; women: two at C; one more place everywhere, none at D.
    fn appointed() -> Desk {
        let desk = Desk::new();
        desk.write(
            "out.csv",
            "Code,ZIP,Gender,Age,Family,Centre,Hour\n1,1,m,50,x,A,9\n2,1,m,50,,A,9\n3,1,m,50,,B,9\n4,1,m,50,,B,9\n5,1,m,50,,B,9\n6,1,f,50,x,C,9\n7,1,f,50,,C,9\n8,1,f,50,,D,9\n9,1,f,50,y,E,9\n10,1,m,50,y,E,9\n",
        );
        desk.write("slots.csv", "Centre,Hour,Capacity\nA,9,3\nB,9,4\nC,9,4\nD,9,1\nE,9,3\n");
        desk
    }

    #[test]
    fn is_offered_slots_with_people_alike_first() {
        let desk = appointed();
        let document = desk.json(&alternatives("--person 1"), 0);
        let found: Vec<(&Value, &Value)> = document["alternatives"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|one| (&one["slot"]["Centre"], &one["after"]["vector"]))
            .collect();
        // Now cells of 2 and 3 and 1 men, 2 and 1 and 1 women: (3,2,1).
        assert_eq!(document["before"]["vector"], json!([3, 2, 1]));
        assert_eq!(
            found,
            [(&json!("E"), &json!([3, 2, 1])), (&json!("B"), &json!([4, 1, 0, 1])), (&json!("C"), &json!([5, 1, 1])),]
        );
        assert_eq!(document["alternatives"][1]["change"], json!([[1, 1], [2, -1], [3, -1], [4, 1]]));
        let all = desk.json(&alternatives("--person 1 --all"), 0);
        assert_eq!(all["alternatives"][3]["slot"]["Centre"], "D");
        assert_eq!(all["alternatives"][3]["open"], false);
    }

    #[test]
    fn leads_to_the_vector_that_is_told() {
        let desk = appointed();
        for (choice, expected) in [("E,9", [3, 2, 1, 0]), ("B,9", [4, 1, 0, 1]), ("C,9", [5, 1, 1, 0])] {
            desk.done(&alternatives(&format!("--person 1 --choose {choice} --output new.csv")));
            let written = desk.read("new.csv");
            let mut found = vector(&written, &WITH_SLOT);
            found.resize(4, 0);
            assert_eq!(found, expected, "{choice}");
            let changed = desk.read("out.csv").lines().zip(written.lines()).filter(|(a, b)| a != b).count();
            assert_eq!(changed, 1);
            assert!(written.lines().nth(1).is_some_and(|line| line == format!("1,1,m,50,x,{choice}")));
        }
    }

    #[test]
    fn takes_the_family_along_or_goes_alone() {
        let desk = appointed();
        let split = desk.tamis(&alternatives("--person 1 --together Family"));
        assert_eq!(split.code, 2);
        assert!(split.err.contains("`out.csv`, lines 2 and 7: `Family` is x for both"), "{}", split.err);
        let alone = desk.json(&alternatives("--person 1 --together Family --alone"), 0);
        assert_eq!(alone["moves"], json!(["1"]));
        let document = desk.json(&alternatives("--person 9 --together Family"), 0);
        assert_eq!(document["moves"], json!(["9", "10"]));
        let open: Vec<&Value> =
            document["alternatives"].as_array().expect("a list").iter().map(|one| &one["slot"]["Centre"]).collect();
        assert_eq!(open, ["C"], "A, B and D have no room for two");
        desk.done(&alternatives("--person 9 --together Family --choose C,9 --output new.csv"));
        let written = desk.read("new.csv");
        assert!(rows(&written)[8..].iter().all(|row| row["Centre"] == "C"));
    }

    #[test]
    fn conditions_hold_for_the_new_slot() {
        let desk = appointed();
        desk.write("allowed.csv", "Gender,Centre\nm,A\nm,B\nm,D\nf,C\nf,D\nf,E\n");
        let document = desk.json(&alternatives("--person 1 --allowed allowed.csv"), 0);
        let found = document["alternatives"].as_array().expect("a list");
        assert_eq!((found.len(), &found[0]["slot"]["Centre"]), (1, &json!("B")));
        let ran = desk.tamis(&alternatives("--person 1 --max-share Gender=m:0.7 --all"));
        assert!(ran.out.contains("--max-share Gender=m:0.7"), "{}", ran.out);
        let ruled_out = desk.tamis(&alternatives("--person 1 --allowed allowed.csv --choose C,9 --output new.csv"));
        assert_eq!(ruled_out.code, 1);
        assert!(ruled_out.err.contains("it is ruled out by --allowed allowed.csv"), "{}", ruled_out.err);
        let closed = desk.tamis(&alternatives("--person 1 --max-share Gender=m:0.7 --choose B,9 --output new.csv"));
        assert_eq!(closed.code, 1);
        assert!(closed.err.contains("Centre B, Hour 9 cannot be chosen: it would break --max-share"), "{}", closed.err);
    }

    /// The next schedule must not send somebody back whose appointment was changed.
    #[test]
    fn has_a_new_appointment_that_stands() {
        let desk = Desk::new();
        desk.write("people.csv", "Code,Age,Stands\n1,50,B\n2,50,\n3,50,\n4,60,\n");
        desk.write("slots.csv", "Slot,Places\nA,3\nB,2\nC,2\n");
        let slots = "--slots slots.csv --capacity Places --slot-id Slot --fixed Stands --seed 1";
        desk.done(&format!("appointments assign --people people.csv --quasi Age {slots} --output out.csv"));
        assert_eq!(rows(&desk.read("out.csv"))[0]["Slot"], "B");
        let slots = "--slots slots.csv --capacity Places --slot-id Slot --fixed Stands";
        let choose = format!(
            "appointments alternatives --assigned out.csv --quasi Age --id Code {slots} --person 1 --choose C --output new.csv"
        );
        let document = desk.json(&choose, 0);
        assert_eq!(
            document["notes"],
            json!(["`Stands` is C now for Code 1: the appointment chosen is the one that stands"])
        );
        let written = desk.read("new.csv");
        let moved: Vec<(&str, &str)> = rows(&written).iter().map(|row| (row["Slot"], row["Stands"])).collect();
        assert_eq!(moved[0], ("C", "C"));
        assert!(moved[1..].iter().all(|&(_, stands)| stands.is_empty()), "only who moves: {moved:?}");
        let people: Vec<&str> = written.lines().map(|line| line.rsplit_once(',').expect("a slot").0).collect();
        desk.write("people.csv", people.join("\n"));
        let slots = format!("{slots} --seed 1");
        desk.done(&format!("appointments assign --people people.csv --quasi Age {slots} --output again.csv"));
        assert_eq!(rows(&desk.read("again.csv"))[0]["Slot"], "C");
        let wrong = desk.tamis(&choose.replace("--fixed Stands", "--fixed Age"));
        assert!(wrong.code == 2 && wrong.err.contains("`Age` is `50`, which is no slot"), "{wrong:?}");
    }

    #[test]
    fn is_told_what_the_columns_mean_and_where_people_alike_are() {
        let desk = appointed();
        let help = desk.done("appointments alternatives --help").out;
        for part in ["alike   people with the same quasi-identifier", "+e3 is one cell of 3 people more"] {
            assert!(help.contains(part), "{help}");
        }
        // The man of E: men are at A and B only, where no place is left now.
        desk.write("slots.csv", "Centre,Hour,Capacity\nA,9,2\nB,9,3\nC,9,4\nD,9,1\nE,9,3\n");
        let hint = "but several that are full or closed do";
        let said = desk.done(&alternatives("--person 10")).out;
        assert!(said.contains(&format!("{hint}; --all lists them too")), "{said}");
        let said = desk.done(&alternatives("--person 10 --all")).out;
        assert!(said.contains(hint) && !said.contains("--all lists"), "{said}");
    }

    #[test]
    fn is_not_bothered_with_coordinates() {
        let desk = Desk::new();
        desk.write("out.csv", "Code,Age,Lat,Lon,Slot,North,East\n1,50,60,5,A,60.0,5.0\n2,50,60,5,B,60.1,5.1\n");
        desk.write("slots.csv", "Slot,Places,North,East\nA,2,60.0,5.0\nB,2,60.1,5.1\nC,2,69,20\n");
        let common = "appointments alternatives --assigned out.csv --quasi Age --id Code --slots slots.csv --capacity Places --slot-id Slot";
        let near = "--max-distance 50 --people-location Lat,Lon --slot-location North,East";
        let said = desk.done(&format!("{common} {near} --person 1")).out;
        assert!(said.starts_with("Code 1 goes to Slot A now\n"), "{said}");
        let far = desk.tamis(&format!("{common} {near} --person 1 --choose C --output new.csv"));
        assert_eq!(far.code, 1);
        assert!(far.err.contains("cannot be chosen: it is ruled out by --max-distance 50"), "{}", far.err);
    }

    #[test]
    fn is_told_when_there_is_no_other_slot_or_something_is_wrong() {
        let desk = appointed();
        desk.write("allowed.csv", "Gender,Centre\nm,A\nm,D\nf,C\n");
        assert_eq!(desk.tamis(&alternatives("--person 1 --allowed allowed.csv")).code, 1);
        for (flags, code, part) in [
            ("--person 99", 2, "`out.csv` has nobody with Code `99`"),
            (
                "--person 1 --choose D,9 --output new.csv",
                1,
                "Centre D, Hour 9 cannot be chosen: it has room for 0 more",
            ),
            ("--person 1 --choose A,9 --output new.csv", 1, "it is the slot they have"),
            ("--person 1 --choose Z,9 --output new.csv", 2, "`slots.csv` has no slot `Z,9`"),
            ("--person 1 --choose B,9", 2, "--output"),
            ("--person 1 --choose B,9 --output out.csv", 2, "would be overwritten"),
        ] {
            let ran = desk.tamis(&alternatives(flags));
            assert_eq!(ran.code, code, "{flags}: {ran:?}");
            assert!(ran.err.contains(part), "{flags}: {}", ran.err);
        }
        desk.write("slots.csv", "Centre,Hour,Capacity\nA,9,3\nB,9,4\nC,9,4\nD,9,1\n");
        let ran = desk.tamis(&alternatives("--person 1"));
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains("`out.csv`, line 10: Centre E, Hour 9 is no slot of `slots.csv`"), "{}", ran.err);
    }
}

mod plain_numbers {
    use super::*;

    const EXAMPLE: &str = "appointments solve --frequencies 4,4,5,2 --capacities 4,2,4,3,2 --seed 1";

    #[test]
    fn give_the_optimum_and_its_proof() {
        let document = Desk::new().json(&format!("{EXAMPLE} --method exact"), 0);
        assert_eq!(document["vector"], json!([0, 2, 1, 2]));
        assert_eq!((&document["optimal"], &document["lower_bound"]), (&json!(true), &json!([0, 2, 1, 2])));
        let matrix: Vec<Vec<u64>> = serde_json::from_value(document["matrix"].clone()).expect("a matrix");
        assert_eq!(matrix.iter().map(|row| row.iter().sum()).collect::<Vec<u64>>(), [4, 4, 5, 2]);
        for (slot, capacity) in [4, 2, 4, 3, 2].into_iter().enumerate() {
            assert!(matrix.iter().map(|row| row[slot]).sum::<u64>() <= capacity);
        }
        // Of the 176 vectors of 15 people, 144 are less anonymous: counted by listing them all.
        assert_eq!((&document["k"], &document["index"]), (&json!(2), &json!("144")));
        assert!(!document["proofs"].as_array().expect("proofs").is_empty());
    }

    #[test]
    fn may_stand_in_files() {
        let desk = Desk::new();
        desk.write("f.txt", "4 4\n5,2\n").write("c.txt", "4\n2\n4\n3\n2\n");
        let document = desk.json("appointments solve --frequencies @f.txt --capacities @c.txt", 0);
        assert_eq!(document["vector"], json!([0, 2, 1, 2]));
    }

    #[test]
    fn may_be_kept_from_slots() {
        let desk = Desk::new();
        let document = desk.json(&format!("{EXAMPLE} --allow 1:1,3 --allow 4:5"), 0);
        let matrix: Vec<Vec<u64>> = serde_json::from_value(document["matrix"].clone()).expect("a matrix");
        assert_eq!((matrix[0][0] + matrix[0][2], matrix[3][4]), (4, 2));
        let document = desk.json(&format!("{EXAMPLE} --allow 1:2,5 --allow 4:5"), 1);
        let conflict = &document["conflict"];
        assert_eq!((&conflict["people"], &conflict["places"]), (&json!(6), &json!(4)));
        assert_eq!((&conflict["frequencies"], &conflict["slots"]), (&json!([1, 4]), &json!([2, 5])));
    }

    #[test]
    fn that_are_wrong_are_told_with_their_place() {
        let desk = Desk::new();
        for (flags, part) in [
            ("--frequencies 4,-4 --capacities 9", "--frequencies, position 2: found `-4`"),
            ("--frequencies -4,4 --capacities 9", "--frequencies, position 1: found `-4`"),
            ("--frequencies 4 --capacities 2,x", "--capacities, position 2: found `x`"),
            ("--frequencies 4 --capacities 2,,9", "--capacities, position 2: found nothing"),
            ("--frequencies 4,0 --capacities 9", "frequency 2 is zero"),
            ("--frequencies 4 --capacities 9,0", "capacity 2 is zero"),
            ("--frequencies 4,4 --capacities 5", "3 places are missing"),
            ("--frequencies 4 --capacities 18446744073709551615,9", "too large"),
            ("--frequencies @none.txt --capacities 9", "cannot read `none.txt`"),
            ("--frequencies 4 --capacities 9 --allow 2:1", "there is no frequency 2"),
            ("--frequencies 4 --capacities 9 --allow 1:2", "there is no slot 2"),
            ("--frequencies 4 --capacities 9 --allow 1", "expected FREQUENCY:SLOT"),
            ("--frequencies 4 --capacities 9 --time-limit 0", "--time-limit is 0"),
        ] {
            let ran = desk.tamis(&format!("appointments solve {flags}"));
            assert_eq!(ran.code, 2, "{flags}: {ran:?}");
            assert!(ran.err.contains(part), "{flags}: {}", ran.err);
        }
    }

    #[test]
    fn with_a_matrix_that_nobody_could_read_are_told_by_cell() {
        let desk = Desk::new();
        let ones = vec!["1"; 1500].join(",");
        let document =
            desk.json(&format!("appointments solve --frequencies {ones} --capacities {ones} --method greatest"), 0);
        assert_eq!(document["matrix"], Value::Null);
        assert_eq!(document["placements"].as_array().map(Vec::len), Some(1500));
        assert_eq!(document["vector"], json!([1500]));
    }
}
