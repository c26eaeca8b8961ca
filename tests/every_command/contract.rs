//! What scripts may rely on: verbs, flags, JSON fields, exit codes and bytes.

use crate::program::{Desk, adult_policy, sorted_rows};
use serde_json::{Value, json};
use std::io::Read;

const K5: &str = "[[models]]\nkind = \"k-anonymity\"\nk = 5\n";
const ADULT_QUASI: &str = "sex,age,race,marital-status,education,native-country,workclass,salary-class";

/// The policy of a table of the thesis with both of its quasi-identifiers.
fn thesis_policy(table: &str, k: u64, search: &str) -> String {
    format!(
        "[input]\npath = \"{table}\"\n\
         [attributes.Etnia]\nrole = \"quasi-identifying\"\nhierarchy = \"thesis_figure_4_ethnicity.csv\"\n\
         [attributes.\"Codigo postal\"]\nrole = \"quasi-identifying\"\nhierarchy = \"thesis_figure_4_postal_code.csv\"\n\
         [[models]]\nkind = \"k-anonymity\"\nk = {k}\n[search]\n{search}\n"
    )
}

fn thesis_desk(table: &str) -> Desk {
    let desk = Desk::new();
    desk.take(table).take("thesis_figure_4_ethnicity.csv").take("thesis_figure_4_postal_code.csv");
    desk
}

/// The levels of the transformations for which `is_wanted` says so.
fn levels(document: &Value, is_wanted: impl Fn(&Value) -> bool) -> Vec<[u64; 2]> {
    let transformations = document["transformations"].as_array().expect("transformations");
    let level = |node: &Value, name: &str| node["levels"][name].as_u64().expect("a level");
    transformations
        .iter()
        .filter(|node| is_wanted(node))
        .map(|node| [level(node, "Etnia"), level(node, "Codigo postal")])
        .collect()
}

fn minimal(document: &Value) -> Vec<[u64; 2]> {
    levels(document, |node| node["minimal"] == true)
}

/// Nine patients with the hierarchies that lead to Table 25; order as in the input.
fn patients(rest: &str) -> Desk {
    let desk = Desk::new();
    desk.take("thesis_table_24_patients.csv").take("thesis_table_25_age.csv").take("thesis_table_25_zip_code.csv");
    desk.write(
        "patients.toml",
        format!(
            "[input]\npath = \"thesis_table_24_patients.csv\"\n\
             [attributes.\"ZIP Code\"]\nrole = \"quasi-identifying\"\nhierarchy = \"thesis_table_25_zip_code.csv\"\n\
             [attributes.Age]\nrole = \"quasi-identifying\"\nhierarchy = \"thesis_table_25_age.csv\"\n\
             [attributes.Disease]\nrole = \"sensitive\"\n{rest}"
        ),
    );
    desk
}

const K3_IN_ORDER: &str = "[[models]]\nkind = \"k-anonymity\"\nk = 3\n[output]\norder = \"input\"\n";

/// Human output with what changes from run to run taken out.
fn without_time(text: &str) -> String {
    let lines = text.lines().map(|line| match line.split_once(" evaluated in ") {
        Some((before, _)) => format!("{before} evaluated in [time]"),
        None => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

mod anonymize {
    use super::*;

    #[test]
    fn tells_the_figures_of_the_contract_for_adult_with_k_5() {
        let desk = Desk::with_adult();
        let ran = desk.done("anonymize adult.toml --json");
        let document = ran.document();
        assert_eq!(
            document["solution"]["levels"],
            json!({ "sex": 0, "age": 3, "race": 0, "marital-status": 0, "education": 2, "native-country": 1, "workclass": 0, "salary-class": 0 })
        );
        let places: Vec<Option<usize>> =
            tamis_adult::QUASI_IDENTIFIERS.iter().map(|name| ran.out.find(&format!("\"{name}\":"))).collect();
        assert!(places.is_sorted() && places[0].is_some(), "levels stand in the order of the columns: {}", ran.out);
        assert_eq!(document["solution"]["optimal"], true);
        assert_eq!(document["quality"]["loss"], 0.162_132_613_166_699_8);
        assert_eq!(
            document["classes"],
            json!({ "count": 518, "min": 5, "max": 1340, "average": 54.011_583_011_583_014 })
        );
        assert_eq!(document["rows"], json!({ "input": 30162, "kept": 27978, "suppressed": 2184 }));
        assert_eq!(document["risk"]["average"], 0.018_514_547_144_184_716);
        assert_eq!(document["risk"]["max"], 0.2);
        assert_eq!(document["risk"]["at_risk"], 0.045_821_717_063_406_965);
        assert_eq!(document["search"]["lattice"], 4320);
        assert!(document["search"]["checked"].as_u64().is_some_and(|checked| checked > 0 && checked <= 4320));
        assert!(document["search"]["seconds"].is_f64());
        assert_eq!(desk.listing().len(), 13, "without --output nothing is written");
    }

    #[test]
    fn writes_the_same_bytes_for_the_same_seed_whatever_the_number_of_threads() {
        let desk = Desk::with_adult();
        let before = desk.listing();
        let mut documents = Vec::new();
        for threads in [1, 2, 4] {
            let arguments = format!(
                "anonymize adult.toml --seed 42 --threads {threads} --output {threads}.csv --report {threads}.html"
            );
            let mut document = desk.json(&arguments, 0);
            document["search"]["seconds"] = Value::Null;
            document["search"]["checked"] = Value::Null;
            document["output"]["path"] = Value::Null;
            documents.push(document);
        }
        assert!(documents.windows(2).all(|pair| pair[0] == pair[1]), "{documents:?}");
        assert_eq!(documents[0]["output"]["seed"], 42);
        assert_eq!(desk.bytes("1.csv"), desk.bytes("2.csv"));
        assert_eq!(desk.bytes("1.csv"), desk.bytes("4.csv"));
        for (path, content) in before {
            assert!(path.is_dir() || std::fs::read(&path).expect("still there") == content, "{path:?} was modified");
        }
        assert!(desk.read("1.html").starts_with("<!DOCTYPE html>"));
        assert!(
            desk.listing().keys().all(|path| !path.to_string_lossy().contains(".tamis-")),
            "no temporary file stays"
        );

        desk.json("anonymize adult.toml --seed 43 --output other.csv", 0);
        let (one, other) = (desk.read("1.csv"), desk.read("other.csv"));
        assert_ne!(one, other, "another seed gives another order");
        assert_eq!(sorted_rows(&one), sorted_rows(&other), "of the same rows");
        assert_eq!(one.lines().next(), other.lines().next());
    }

    #[test]
    fn a_random_seed_is_told_and_repeats_the_release() {
        let desk = patients("[[models]]\nkind = \"k-anonymity\"\nk = 3\n");
        let document = desk.json("anonymize patients.toml --output first.csv", 0);
        let seed = document["output"]["seed"].as_u64().expect("a seed");
        assert!(seed < 1 << 53, "every JSON reader holds {seed} exactly");
        desk.json(&format!("anonymize patients.toml --output second.csv --seed {seed}"), 0);
        assert_eq!(desk.bytes("first.csv"), desk.bytes("second.csv"));
    }

    #[test]
    fn a_seed_beyond_what_json_numbers_hold_is_a_decimal_string() {
        let desk = patients("[[models]]\nkind = \"k-anonymity\"\nk = 3\n");
        let largest = u64::MAX.to_string();
        let arguments = format!("anonymize patients.toml --output out.csv --manifest m.json --seed {largest}");
        assert_eq!(desk.json(&arguments, 0)["output"]["seed"], largest);
        desk.done("verify m.json");
    }

    #[test]
    fn the_seed_of_a_policy_counts_unless_the_command_line_gives_one() {
        let desk =
            patients("[[models]]\nkind = \"k-anonymity\"\nk = 3\n[output]\nseed = 8\npath = \"by_policy.csv\"\n");
        let document = desk.json("anonymize patients.toml", 0);
        assert_eq!(document["output"]["seed"], 8);
        let by_policy = desk.bytes("by_policy.csv");
        assert_eq!(desk.json("anonymize patients.toml --seed 8 --output same.csv", 0)["output"]["rows"], 9);
        assert_eq!(by_policy, desk.bytes("same.csv"));
        assert_eq!(desk.json("anonymize patients.toml --seed 9", 0)["output"]["seed"], 9);
        assert_ne!(by_policy, desk.bytes("by_policy.csv"));
    }

    #[test]
    fn thesis_table_25_is_the_best_3_anonymous_version_of_table_24() {
        let desk = patients(K3_IN_ORDER);
        let ran = desk.done("anonymize patients.toml --output released.csv");
        assert_eq!(
            desk.read("released.csv"),
            "ZIP Code,Age,Disease\n476**,2*,Heart Disease\n476**,2*,Heart Disease\n476**,2*,Heart Disease\n4790*,≥40,Flu\n\
             4790*,≥40,Heart Disease\n4790*,≥40,Cancer\n476**,3*,Heart Disease\n476**,3*,Cancer\n476**,3*,Cancer\n"
        );
        insta::assert_snapshot!("patients", without_time(&ran.out));
        assert_eq!(ran.err, "");
    }

    #[test]
    fn compresses_what_is_called_gz_or_zst_and_separates_tsv_by_tabs() {
        let desk = patients(K3_IN_ORDER);
        for name in ["plain.csv", "small.csv.gz", "small.csv.zst", "tabs.tsv", "a.tsv.csv"] {
            desk.done(&format!("anonymize patients.toml --output {name}"));
        }
        let plain = desk.bytes("plain.csv");
        let mut unzipped = Vec::new();
        flate2::read::GzDecoder::new(desk.bytes("small.csv.gz").as_slice()).read_to_end(&mut unzipped).expect("gzip");
        assert_eq!(unzipped, plain);
        assert_eq!(zstd::decode_all(desk.bytes("small.csv.zst").as_slice()).expect("zstd"), plain);
        assert_eq!(desk.read("tabs.tsv").replace('\t', ","), desk.read("plain.csv"));
        assert_eq!(desk.bytes("a.tsv.csv"), plain);
        for name in ["small.csv.gz", "small.csv.zst", "tabs.tsv"] {
            let document = desk.tamis_with(&["check", name, "--quasi", "ZIP Code,Age", "--json"]).document();
            assert_eq!(document["k"], 3);
        }
    }

    #[test]
    fn reads_what_it_can_write() {
        let desk = patients(K3_IN_ORDER);
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut gzip, &desk.bytes("thesis_table_24_patients.csv")).expect("memory");
        desk.write("patients.csv.gz", gzip.finish().expect("memory"));
        desk.write(
            "zipped.toml",
            desk.read("patients.toml").replace("thesis_table_24_patients.csv", "patients.csv.gz"),
        );
        desk.done("anonymize zipped.toml --output zipped.csv");
        desk.done("anonymize patients.toml --output plain.csv");
        assert_eq!(desk.bytes("zipped.csv"), desk.bytes("plain.csv"));
    }

    #[test]
    fn keeps_or_drops_suppressed_rows_and_drops_identifying_columns() {
        let desk = Desk::new();
        desk.write(
            "people.csv",
            "name,zip,age,weight,note\nAda,1,30,61.50,a\nBo,1,30,70,b\nCy,1,30,070,c\nDi,9,99,55,secret\n",
        );
        let policy = |output: &str| {
            format!(
                "[input]\npath = \"people.csv\"\n[attributes.name]\nrole = \"identifying\"\n\
                 [attributes.zip]\nrole = \"quasi-identifying\"\n[attributes.age]\nrole = \"quasi-identifying\"\n\
                 [attributes.weight]\nrole = \"insensitive\"\n[attributes.note]\nrole = \"sensitive\"\n\
                 [[models]]\nkind = \"k-anonymity\"\nk = 3\n[search]\nsuppression_rows = 1\n[output]\norder = \"input\"\n{output}"
            )
        };
        desk.write("keep.toml", policy("")).write("drop.toml", policy("suppressed = \"drop\"\n"));
        let document = desk.json("anonymize keep.toml --output keep.csv", 0);
        assert_eq!(document["rows"], json!({ "input": 4, "kept": 3, "suppressed": 1 }));
        assert_eq!(document["output"]["rows"], 4);
        // Numbers that are kept stay as they were written; a suppressed row shows nothing, its sensitive value neither.
        assert_eq!(desk.read("keep.csv"), "zip,age,weight,note\n1,30,61.50,a\n1,30,70,b\n1,30,070,c\n*,*,*,*\n");
        let document = desk.json("anonymize drop.toml --output drop.csv", 0);
        assert_eq!((&document["output"]["rows"], &document["rows"]["suppressed"]), (&json!(3), &json!(1)));
        assert_eq!(desk.read("drop.csv"), "zip,age,weight,note\n1,30,61.50,a\n1,30,70,b\n1,30,070,c\n");
    }

    #[test]
    fn a_column_the_policy_does_not_list_is_left_out_and_a_note_says_so() {
        let desk = Desk::new();
        desk.write("people.csv", "zip,shoe size\n1,38\n1,39\n");
        desk.write(
            "policy.toml",
            "[input]\npath = \"people.csv\"\n[attributes.zip]\nrole = \"quasi-identifying\"\n[[models]]\nkind = \"k-anonymity\"\nk = 2\n",
        );
        let note = "column `shoe size` has no entry in the policy and is left out; give it a role to release it";
        let ran = desk.done("anonymize policy.toml --output out.csv --json");
        assert_eq!(desk.read("out.csv"), "zip\n1\n1\n");
        assert!(ran.err.contains(&format!("note: {note}")), "{}", ran.err);
        let notes = ran.document()["notes"].clone();
        assert!(notes.as_array().is_some_and(|notes| notes.contains(&json!(note))), "{notes}");
        assert_eq!(desk.done("anonymize policy.toml --quiet --output out.csv").err, "");
    }

    #[test]
    fn levels_stay_within_their_bounds_and_weights_say_whose_loss_counts() {
        let desk = patients(K3_IN_ORDER);
        let policy = desk.read("patients.toml");
        let bounded = policy.replace("[attributes.Age]\n", "[attributes.Age]\nmin_level = 2\nmax_level = 2\n");
        desk.write("bounded.toml", bounded);
        assert_eq!(desk.json("anonymize bounded.toml", 0)["solution"]["levels"], json!({ "ZIP Code": 1, "Age": 2 }));
        let document = desk.json("anonymize bounded.toml", 0);
        assert_eq!(document["search"]["lattice"], 4);
        // Where only the postal code's loss counts, the age is given up for it.
        desk.write("weighted.toml", policy.replace("[attributes.Age]\n", "[attributes.Age]\nweight = 0\n"));
        let document = desk.json("anonymize weighted.toml", 0);
        assert_eq!(document["solution"]["levels"], json!({ "ZIP Code": 1, "Age": 2 }));
        assert!(document["quality"]["score"].is_f64(), "the weighted loss stands beside the default one: {document}");
    }

    #[test]
    fn every_measure_and_aggregate_is_told_beside_the_loss() {
        for measure in ["discernibility", "average-class-size", "non-uniform-entropy", "precision", "height"] {
            let desk = patients(&format!("[quality]\nmeasure = \"{measure}\"\n{K3_IN_ORDER}"));
            let document = desk.json("anonymize patients.toml", 0);
            assert!(document["quality"]["loss"].is_f64(), "{measure}: {document}");
            assert!(document["quality"][measure].is_number(), "{measure}: {document}");
        }
        for aggregate in ["geometric", "arithmetic", "sum", "max", "rank"] {
            let desk = patients(&format!("[quality]\naggregate = \"{aggregate}\"\n{K3_IN_ORDER}"));
            let document = desk.json("anonymize patients.toml", 0);
            assert!(document["quality"]["loss"].is_f64(), "{aggregate}: {document}");
            assert_eq!(document["solution"]["optimal"], true, "{aggregate}");
        }
        let desk = patients(&format!("[quality]\nmeasure = \"discernibility\"\n{K3_IN_ORDER}"));
        assert_eq!(desk.json("anonymize patients.toml", 0)["quality"]["discernibility"], 27.0);
    }

    #[test]
    fn a_heuristic_search_answers_in_the_same_form() {
        let desk = patients(&format!("[search]\nalgorithm = \"heuristic\"\ntime_limit = 5\n{K3_IN_ORDER}"));
        let document = desk.json("anonymize patients.toml", 0);
        assert!(document["solution"]["optimal"].is_boolean() && document["solution"]["lower_bound"].is_number());
        assert_eq!(document["rows"]["kept"], 9);
    }

    #[test]
    fn suppression_is_limited_by_a_share_a_number_or_the_command_line() {
        let desk = thesis_desk("thesis_table_8.csv");
        let suppressed = |search: &str, flags: &str| {
            desk.write("policy.toml", thesis_policy("thesis_table_8.csv", 2, search));
            desk.json(&format!("anonymize policy.toml {flags}"), 0)["rows"]["suppressed"].as_u64().expect("a number")
        };
        assert_eq!(suppressed("", ""), 0);
        assert_eq!(suppressed("suppression_limit = 0.125", ""), 1);
        assert_eq!(suppressed("suppression_limit = 0.124", ""), 0);
        assert_eq!(suppressed("suppression_rows = 1", ""), 1);
        assert_eq!(suppressed("suppression_rows = 0\nsuppression_limit = 1.0", ""), 0);
        assert_eq!(suppressed("suppression_rows = 0", "--suppression-limit 0.13"), 1);
    }

    #[test]
    fn where_nothing_is_admissible_it_says_what_would_have_to_give() {
        let desk = thesis_desk("thesis_table_8.csv");
        let policy = thesis_policy("thesis_table_8.csv", 5, "");
        let bound = |name: &str| format!("[attributes.{name}]\nmax_level = 1\n");
        let policy = policy
            .replace("[attributes.\"Codigo postal\"]\n", &bound("\"Codigo postal\""))
            .replace("[attributes.Etnia]\n", "[attributes.Etnia]\nmax_level = 0\n");
        desk.write("policy.toml", &policy);
        let before = desk.listing();
        let document = desk.json("anonymize policy.toml --output out.csv --report out.html --manifest out.json", 1);
        assert_eq!(desk.listing(), before, "nothing is written");
        assert_eq!(document["error"], "no transformation meets the models with at most 0 of 8 rows suppressed");
        assert_eq!(document["suppression_needed"], 8);
        assert_eq!(document["nearest_k"], 1);
        let ran = desk.tamis("anonymize policy.toml");
        assert_eq!(ran.code, 1);
        insta::assert_snapshot!("no_solution", ran.out);

        // What it recommends is enough.
        desk.write("policy.toml", policy.replace("k = 5", "k = 2"));
        let document = desk.json("anonymize policy.toml", 1);
        assert_eq!((&document["suppression_needed"], &document["nearest_k"]), (&json!(2), &json!(1)));
        let share = document["suppression_limit_needed"].as_f64().expect("a share");
        assert_eq!(
            desk.json(&format!("anonymize policy.toml --suppression-limit {share}"), 0)["rows"]["suppressed"],
            2
        );
    }
}

mod everything_hidden {
    use super::*;

    const PEOPLE: &str = "zip,age,illness\n1,10,flu\n2,20,flu\n3,30,cold\n4,40,cold\n";

    fn policy(search: &str) -> String {
        format!(
            "[input]\npath = \"people.csv\"\n[attributes.zip]\nrole = \"quasi-identifying\"\n\
             [attributes.age]\nrole = \"quasi-identifying\"\n[attributes.illness]\nrole = \"sensitive\"\n\
             [[models]]\nkind = \"k-anonymity\"\nk = 4\n{search}"
        )
    }

    /// The loss is a product of roots and may be off by their rounding.
    fn loses_everything(document: &Value) -> bool {
        document["quality"]["loss"].as_f64().is_some_and(|loss| (loss - 1.0).abs() < 1e-12)
    }

    #[test]
    fn without_suppression_a_table_of_stars_is_one_class() {
        let desk = Desk::new();
        desk.write("people.csv", PEOPLE).write("policy.toml", policy(""));
        let document = desk.json("anonymize policy.toml --output out.csv --manifest m.json", 0);
        assert_eq!(document["rows"], json!({ "input": 4, "kept": 4, "suppressed": 0 }));
        assert!(loses_everything(&document), "{document}");
        desk.done("verify m.json");
        assert_eq!(sorted_rows(&desk.read("out.csv")), ["*,*,cold", "*,*,cold", "*,*,flu", "*,*,flu"]);
    }

    #[test]
    fn with_suppression_it_counts_as_suppressed_and_loses_everything_but_no_more() {
        for search in ["[search]\nsuppression_limit = 1.0\n", "[search]\nsuppression_rows = 1\n"] {
            let desk = Desk::new();
            desk.write("people.csv", PEOPLE).write("policy.toml", policy(search));
            let document = desk.json("anonymize policy.toml --output out.csv --manifest m.json", 0);
            assert_eq!(document["rows"], json!({ "input": 4, "kept": 0, "suppressed": 4 }), "{search}");
            assert_eq!(document["classes"]["count"], 0);
            assert!(loses_everything(&document), "{search}: {document}");
            desk.done("verify m.json");
        }
    }
}

mod check {
    use super::*;

    #[test]
    fn the_report_tells_of_the_release_what_check_does_and_keeps_the_seed() {
        let desk = Desk::new();
        desk.write("all.csv", "zip,in,dx\n1,y,flu\n1,y,flu\n1,n,hiv\n2,y,flu\n2,y,flu\n2,n,aids\n");
        desk.write(
            "policy.toml",
            "[input]\npath = \"all.csv\"\n[attributes.zip]\nrole = \"quasi-identifying\"\n[attributes.dx]\nrole = \"sensitive\"\n\
             [[models]]\nkind = \"k-anonymity\"\nk = 2\n[output]\nseed = 987654321\n[[models]]\nkind = \"delta-presence\"\nmin = 0\nmax = 0.9\n\
             subset = { column = \"in\", equals = \"y\" }\n",
        );
        desk.done("anonymize policy.toml --output out.csv --report page.html");
        let page = desk.read("page.html");
        let checked = desk.json("check out.csv --quasi zip --sensitive dx", 0);
        assert_eq!(checked["sensitive"]["dx"]["distinct_l"], 1);
        assert!(!page.contains("hiv") && !page.contains("aids"), "values of people who are not released");
        assert!(!page.contains("987654321") && page.contains("not shown"), "the seed would undo the shuffle");
    }

    #[test]
    fn the_heuristic_with_a_number_of_evaluations_is_repeatable() {
        let desk = Desk::with_adult();
        let policy =
            desk.read("adult.toml").replace("[search]\n", "[search]\nalgorithm = \"heuristic\"\nevaluations = 40\n");
        desk.write("adult.toml", policy.replace("algorithm = \"optimal\"\n", ""));
        let run = || {
            let mut document = desk.json("anonymize adult.toml --seed 3", 0);
            document["search"]["seconds"] = json!(0);
            document
        };
        let (first, second) = (run(), run());
        assert_eq!(first, second);
        assert_eq!(first["search"]["checked"], 40);
    }

    #[test]
    fn two_releases_with_one_seed_are_in_different_orders() {
        let desk = Desk::with_adult();
        let policy = desk.read("adult.toml");
        desk.write("other.toml", policy.replace("k = 5", "k = 6"));
        desk.done("anonymize adult.toml --output five.csv --seed 1");
        desk.done("anonymize other.toml --output six.csv --seed 1");
        let occupations = |file: &str| -> Vec<String> {
            desk.read(file).lines().map(|line| line.split(';').nth(7).unwrap_or_default().to_owned()).collect()
        };
        let (five, six) = (occupations("five.csv"), occupations("six.csv"));
        let agreeing = five.iter().zip(&six).filter(|(left, right)| left == right).count();
        assert!(agreeing < five.len() / 2, "{agreeing} of {} rows agree", five.len());
    }

    #[test]
    fn suppressed_rows_do_not_make_text_of_numbers() {
        let desk = Desk::new();
        let rows = "zip,pay\nA,9\nA,10\nA,11\nB,100\nB,101\nB,102\n";
        desk.write("plain.csv", rows).write("starred.csv", format!("{rows}*,*\n"));
        for file in ["plain.csv", "starred.csv"] {
            let document = desk.json(&format!("check {file} --quasi zip --sensitive pay --distance ordered"), 0);
            let t = document["sensitive"]["pay"]["t"].as_f64().expect("a number");
            assert!((t - 0.3).abs() < 1e-12, "{file}: {t}");
        }
    }

    #[test]
    fn suppressed_rows_that_show_a_sensitive_value_are_told_of() {
        let desk = Desk::new();
        desk.write("stars.csv", "zip,age,dx\n*,*,flu\n*,*,flu\n1,2,flu\n1,2,cold\n");
        let check = "check stars.csv --quasi zip,age --sensitive dx --require k=2,l=2";
        let document = desk.json(check, 0);
        assert_eq!((&document["classes"], &document["suppressed"]), (&json!(1), &json!(2)));
        assert!(document["notes"].to_string().contains("still show `dx` in 2 of them"), "{document}");
        let document = desk.json(&format!("{check} --count-suppressed"), 1);
        assert_eq!((&document["classes"], &document["sensitive"]["dx"]["distinct_l"]), (&json!(2), &json!(1)));
    }

    #[test]
    fn t_is_measured_against_the_reference_table() {
        let desk = Desk::with_adult();
        let policy = desk.read("adult.toml");
        desk.write("adult.toml", format!("{policy}[[models]]\nkind = \"t-closeness\"\nt = 0.2\n"));
        desk.done("anonymize adult.toml --output released.csv --seed 1");
        let check = format!(
            "check released.csv --quasi {ADULT_QUASI} --sensitive occupation --hierarchy occupation=hierarchies/adult/occupation.csv --require k=5,t=0.2"
        );
        let alone = desk.json(&check, 1);
        assert!(alone["sensitive"]["occupation"]["t"].as_f64() > Some(0.2), "against the released rows only");
        let document = desk.json(&format!("{check} --reference adult.csv"), 0);
        assert!(document["sensitive"]["occupation"]["t"].as_f64() <= Some(0.2), "{document}");
        assert_eq!((&document["rows"], &document["suppressed"]), (&json!(22891), &json!(7271)));
    }

    #[test]
    fn a_release_of_adult_has_the_k_that_was_asked_for() {
        let desk = Desk::with_adult();
        desk.done("anonymize adult.toml --output released.csv --seed 1");
        let check = format!(
            "check released.csv --quasi {ADULT_QUASI} --sensitive occupation --hierarchy occupation=hierarchies/adult/occupation.csv"
        );
        let document = desk.json(&check, 0);
        assert_eq!(
            document["sensitive"]["occupation"]["distance"], "hierarchical",
            "the `*` of suppressed rows is no obstacle"
        );
        let document = desk.json(&format!("check released.csv --quasi {ADULT_QUASI} --sensitive occupation"), 0);
        assert_eq!((&document["k"], &document["classes"]), (&json!(5), &json!(518)));
        assert_eq!((&document["rows"], &document["suppressed"]), (&json!(27978), &json!(2184)));
        let vector: Vec<u64> = serde_json::from_value(document["anonymity_vector"].clone()).expect("numbers");
        assert_eq!(vector.len(), 1340);
        assert_eq!(vector[..4], [0, 0, 0, 0]);
        assert!(vector[4] > 0 && vector[1339] == 1);
        assert_eq!(vector.iter().sum::<u64>(), 518);
        assert_eq!(vector.iter().zip(1..).map(|(count, size)| count * size).sum::<u64>(), 27978);
        let occupation = &document["sensitive"]["occupation"];
        for field in ["distinct_l", "entropy_l", "t"] {
            assert!(occupation[field].is_number(), "{field}: {occupation}");
        }
        assert!(occupation.get("recursive_c").is_some());
        let hidden = desk.json(&format!("check released.csv --quasi {ADULT_QUASI} --count-suppressed"), 0);
        assert_eq!((&hidden["rows"], &hidden["classes"]), (&json!(30162), &json!(519)));
    }

    #[test]
    fn a_gate_lets_through_what_holds_and_says_what_does_not() {
        let desk = Desk::new();
        desk.take("thesis_table_14_distinct_3_diverse.csv");
        let gate = |bounds: &str| {
            desk.tamis_with(&[
                "check",
                "thesis_table_14_distinct_3_diverse.csv",
                "--quasi",
                "Edad,Codigo postal",
                "--sensitive",
                "Problema",
                "--require",
                bounds,
            ])
        };
        for holds in ["k=4", "l=3", "k=4,l=3,entropy=2.8,t=0.6875,risk=0.25", " k = 1 , l = 1 ", "l=2,c=1.01"] {
            let ran = gate(holds);
            assert_eq!(ran.code, 0, "{holds}: {ran:?}");
            assert!(ran.out.contains("every requirement holds"));
        }
        for (fails, reason) in [
            ("k=5", "does not hold: k is 4, 5 is required"),
            ("l=4", "does not hold: Problema: the least diverse class has l = 3, 4 is required"),
            ("entropy=2.9", "does not hold: Problema: a class has entropy 2.82842712474619"),
            ("t=0.6874", "does not hold: Problema: a class is at distance 0.6875 (equal), at most 0.6874 is allowed"),
            ("risk=0.2", "does not hold: the largest risk is 0.25, at most 0.2 is allowed"),
            ("l=2,c=1", "does not hold: Problema: a class needs c above 1 for l = 2, 1 is required"),
            ("k=4,k=9", "does not hold: k is 4, 9 is required"),
        ] {
            let ran = gate(fails);
            assert_eq!(ran.code, 1, "{fails}: {ran:?}");
            assert!(ran.out.contains(reason), "{fails}: {}", ran.out);
        }
    }

    #[test]
    fn a_gate_in_json_says_whether_it_holds() {
        let desk = Desk::new();
        desk.write("people.csv", "zip\n1\n1\n");
        let document = desk.json("check people.csv --quasi zip --require k=2", 0);
        assert_eq!(document["holds"], true);
        let document = desk.json("check people.csv --quasi zip --require k=3", 1);
        assert_eq!((&document["holds"], &document["violations"]), (&json!(false), &json!(["k is 2, 3 is required"])));
    }

    #[test]
    fn the_examples_of_the_thesis_have_their_l_c_and_t() {
        let desk = Desk::new();
        desk.take("thesis_table_14_distinct_3_diverse.csv").take("thesis_table_15_entropy_2.8_diverse.csv");
        desk.take("thesis_figure_7_recursive_2_3_diverse.csv").take("thesis_table_17_ordered_distance.csv");
        let check = |arguments: &[&str]| desk.tamis_with(&[&["check"], arguments, &["--json"]].concat()).document();
        let quasi = "Edad,Codigo postal";
        let problem =
            |table: &str| check(&[table, "--quasi", quasi, "--sensitive", "Problema"])["sensitive"]["Problema"].clone();
        assert_eq!(problem("thesis_table_14_distinct_3_diverse.csv")["distinct_l"], 3);
        let entropy = problem("thesis_table_15_entropy_2.8_diverse.csv")["entropy_l"].as_f64().expect("a number");
        assert!((entropy - 8f64.sqrt()).abs() < 1e-12, "{entropy}");
        let figure =
            check(&["thesis_figure_7_recursive_2_3_diverse.csv", "--quasi", "Q", "--sensitive", "S", "--l", "3"]);
        assert_eq!(
            (&figure["sensitive"]["S"]["recursive_c"], &figure["sensitive"]["S"]["l"]),
            (&json!(1.5), &json!(3))
        );
        let table = "thesis_table_17_ordered_distance.csv";
        let salary = check(&[table, "--quasi", quasi, "--sensitive", "Sueldo", "--distance", "ordered"]);
        let t = salary["sensitive"]["Sueldo"]["t"].as_f64().expect("a number");
        assert!((t - 1.0 / 6.0).abs() < 1e-15, "{t}");
    }

    #[test]
    fn people_with_several_rows_count_once() {
        let desk = Desk::new();
        desk.take("visits_of_patients.csv");
        let document = desk.json("check visits_of_patients.csv --quasi zip,ward --sensitive diagnosis", 0);
        assert_eq!((&document["k"], &document["anonymity_vector"]), (&json!(1), &json!([1, 0, 0, 2])));
        let document =
            desk.json("check visits_of_patients.csv --quasi zip,ward --sensitive diagnosis --entity patient", 0);
        assert_eq!((&document["k"], &document["anonymity_vector"]), (&json!(1), &json!([1, 2])));
        assert_eq!(document["rows"], 9);
    }

    #[test]
    fn the_table_is_shown_class_by_class() {
        let desk = Desk::new();
        desk.take("thesis_table_24_patients.csv");
        desk.write("mixed.csv", "zip,note\n2,b\n1,a\n*,hidden\n2,\u{1b}[31mred\n1,c\n");
        let ran = desk.done("check mixed.csv --quasi zip --show");
        insta::assert_snapshot!("shown", ran.out);
        assert!(!ran.out.contains('\u{1b}'), "no escape sequence of the data reaches the terminal");
        let ran = desk.done("check mixed.csv --quasi zip --show --rows 2");
        assert!(ran.out.contains("... 3 more rows; --rows N shows more"), "{}", ran.out);
    }
}

mod lattice {
    use super::*;

    #[test]
    fn thesis_table_3_generalizations_have_their_k() {
        let desk = thesis_desk("thesis_table_3.csv");
        let holds = |k: u64| {
            desk.write("policy.toml", thesis_policy("thesis_table_3.csv", k, ""));
            let ran = desk.tamis("lattice policy.toml --json");
            assert_eq!(ran.code, 0, "{ran:?}");
            levels(&ran.document(), |node| node["holds"] == true)
        };
        let largest = |levels: [u64; 2]| (1..=12).filter(|&k| holds(k).contains(&levels)).max();
        assert_eq!(largest([1, 0]), Some(3));
        assert_eq!(largest([1, 1]), Some(6));
        assert_eq!(largest([0, 2]), Some(4));
        assert_eq!(largest([0, 1]), Some(2));
    }

    #[test]
    fn thesis_table_4_k_minimal_generalizations() {
        let desk = thesis_desk("thesis_table_3.csv");
        let minimal_for = |k: u64| {
            desk.write("policy.toml", thesis_policy("thesis_table_3.csv", k, ""));
            minimal(&desk.json("lattice policy.toml", 0))
        };
        assert_eq!(minimal_for(2), [[0, 1], [1, 0]]);
        assert_eq!(minimal_for(3), [[0, 2], [1, 0]]);
    }

    #[test]
    fn thesis_table_9_k_minimal_with_max_sup() {
        let desk = thesis_desk("thesis_table_8.csv");
        let minimal_for = |most: u64| {
            desk.write("policy.toml", thesis_policy("thesis_table_8.csv", 2, &format!("suppression_rows = {most}")));
            let document = desk.json("lattice policy.toml", 0);
            assert_eq!((&document["size"], &document["limit"]), (&json!(6), &json!(most)));
            assert_eq!(document["attributes"], json!(["Etnia", "Codigo postal"]));
            let only = desk.json("lattice policy.toml --minimal", 0);
            assert_eq!(minimal(&only).len(), only["transformations"].as_array().map_or(0, Vec::len));
            minimal(&document)
        };
        assert_eq!(minimal_for(0), [[1, 1]]);
        assert_eq!(minimal_for(1), [[0, 2], [1, 0]]);
        assert_eq!(minimal_for(2), [[0, 1], [1, 0]]);
        assert_eq!(minimal_for(3), [[0, 1], [1, 0]]);
        insta::assert_snapshot!("lattice", desk.done("lattice policy.toml").out);
    }

    #[test]
    fn where_nothing_holds_the_answer_is_no() {
        let desk = thesis_desk("thesis_table_8.csv");
        let policy = thesis_policy("thesis_table_8.csv", 8, "");
        let bounded = policy.replace("[attributes.Etnia]\n", "[attributes.Etnia]\nmax_level = 0\n");
        desk.write("policy.toml", bounded);
        let document = desk.json("lattice policy.toml", 1);
        assert_eq!(document["transformations"].as_array().map(Vec::len), Some(3));
    }
}

mod compare {
    use super::*;

    #[test]
    fn a_setting_without_a_solution_is_told_and_the_answer_is_no() {
        let desk = patients(&K3_IN_ORDER.replace("k = 3", "k = 1"));
        let bounded = desk.read("patients.toml").replace("[attributes.Age]\n", "[attributes.Age]\nmax_level = 1\n");
        desk.write(
            "patients.toml",
            bounded.replace(
                "role = \"quasi-identifying\"\nhierarchy = \"thesis_table_25_zip",
                "max_level = 2\nrole = \"quasi-identifying\"\nhierarchy = \"thesis_table_25_zip",
            ),
        );
        let document = desk.json("compare patients.toml --k 2,3,4 --l 2 --c 3 --t 0.5 --distance equal", 1);
        let rows = document["rows"].as_array().expect("rows");
        let names: Vec<&Value> = rows.iter().map(|row| &row["name"]).collect();
        assert_eq!(names, ["k2", "k3", "k4", "k1_c3_l2", "k1_t0.5"]);
        assert_eq!(rows[1]["classes"]["count"], 3);
        assert!(rows[2].get("classes").is_none());
        assert_eq!(rows[2]["refusal"], "no transformation meets the models with at most 0 of 9 rows suppressed");
    }

    /// Each released person is alone in their class, but not all of them are alone in the population.
    #[test]
    fn a_population_is_enough_for_k_map_and_journalist_risk() {
        let desk = Desk::new();
        desk.write("all.csv", "zip,in\n1,yes\n1,no\n1,no\n2,no\n2,yes\n3,yes\n");
        let policy = |model: &str| {
            format!(
                "[input]\npath = \"all.csv\"\n[attributes.zip]\nrole = \"quasi-identifying\"\n[search]\nsuppression_limit = 1.0\n\
                 [[models]]\n{model}\nsubset = {{ column = \"in\", equals = \"yes\" }}\n"
            )
        };
        for (model, kept) in [
            ("kind = \"k-map\"\nk = 1", 3),
            ("kind = \"k-map\"\nk = 2", 2),
            ("kind = \"k-map\"\nk = 3", 1),
            ("kind = \"journalist-risk\"\nmax = 0.5", 2),
            ("kind = \"journalist-risk\"\nmax = 0.34", 1),
        ] {
            desk.write("policy.toml", policy(model));
            let document = desk.json("anonymize policy.toml", 0);
            assert_eq!(document["rows"], json!({ "input": 3, "kept": kept, "suppressed": 3 - kept }), "{model}");
        }
    }

    #[test]
    fn the_population_of_a_policy_counts_for_every_setting_and_other_models_give_way() {
        let desk = Desk::new();
        desk.write("all.csv", "zip,in\n1,yes\n1,no\n1,yes\n2,no\n2,yes\n2,no\n");
        desk.write(
            "policy.toml",
            "[input]\npath = \"all.csv\"\n[attributes.zip]\nrole = \"quasi-identifying\"\n[attributes.in]\nrole = \"sensitive\"\n\
             [search]\nsuppression_limit = 1.0\n[[models]]\nkind = \"k-anonymity\"\nk = 1\n\
             [[models]]\nkind = \"distinct-l-diversity\"\nl = 2\n\
             [[models]]\nkind = \"delta-presence\"\nmin = 0.0\nmax = 0.9\nsubset = { column = \"in\", equals = \"yes\" }\n",
        );
        let document = desk.json("compare policy.toml --k 1,2", 0);
        assert_eq!(document["rows"][0]["rows"], json!({ "input": 3, "kept": 3, "suppressed": 0 }));
        assert_eq!(document["rows"][1]["rows"], json!({ "input": 3, "kept": 2, "suppressed": 1 }));
        assert_eq!(document["rows"][0]["models"], json!(["1-anonymity", "(0, 0.9)-presence"]));
        let ran = desk.done("compare policy.toml --k 1,2");
        assert!(
            ran.err.contains("note: the policy's distinct-l-diversity gives way to the settings compared"),
            "{}",
            ran.err
        );
    }

    #[test]
    fn every_row_has_the_fields_of_anonymize() {
        let desk = patients(K3_IN_ORDER);
        let document = desk.json("compare patients.toml --k 3", 0);
        let mut row = document["rows"][0].clone();
        let mut alone = desk.json("anonymize patients.toml", 0);
        for document in [&mut row, &mut alone] {
            document["search"] = Value::Null;
        }
        for (field, value) in alone.as_object().expect("fields") {
            assert_eq!(row[field], *value, "{field}");
        }
        assert_eq!(row["setting"], json!({ "k": 3 }));
    }
}

mod init {
    use super::*;

    /// Writes a first policy for the table, runs it as it is, and gives both.
    fn first_policy(desk: &Desk, data: &str, flags: &[&str]) -> (String, Value) {
        let ran = desk.tamis_with(&[&["init", data, "--output", "first.toml", "--force"], flags].concat());
        assert_eq!(ran.code, 0, "{data}: {ran:?}");
        let ran = desk.tamis_with(&["anonymize", "first.toml", "--output", "first.out.csv", "--json"]);
        let policy = desk.read("first.toml");
        assert_eq!(ran.code, 0, "{data}: {ran:?}\n{policy}");
        (policy, ran.document())
    }

    #[test]
    fn the_policy_of_adult_runs_as_it_is() {
        let desk = Desk::with_adult();
        let (policy, document) = first_policy(&desk, "adult.csv", &[]);
        assert!(policy.contains("[attributes.occupation]\nrole = \"sensitive\""), "{policy}");
        assert_eq!(document["rows"]["input"], 30162);
        assert!(document["classes"]["min"].as_u64().is_some_and(|k| k >= 5));
    }

    #[test]
    fn the_policy_of_the_patients_is_commented_and_runs() {
        let desk = Desk::new();
        desk.take("thesis_table_24_patients.csv");
        let (policy, document) = first_policy(&desk, "thesis_table_24_patients.csv", &[]);
        insta::assert_snapshot!("first_policy", policy);
        assert_eq!(document["rows"]["kept"], 9);
    }

    #[test]
    fn every_table_that_can_be_read_gets_a_policy_that_runs() {
        let tables: [(&str, &str); 14] = [
            ("one row", "zip,age\n28001,30\n"),
            ("one column", "age\n30\n31\n32\n30\n"),
            ("one cell", "age\n30\n"),
            ("only names", "name\nAda\nBo\n"),
            ("only a diagnosis", "disease\nflu\ncold\n"),
            ("names and a diagnosis", "name,disease\nAda,flu\nBo,cold\nCy,flu\n"),
            ("a column without values", "zip,empty\n1,\n1,\n2,\n"),
            ("dots and spaces", "a.b,c d, e \n1,2,3\n1,2,3\n"),
            ("quotes", "\"quo\"\"ted\",'single',back\\slash\n1,2,3\n1,2,3\n"),
            ("line breaks in a name", "\"two\nlines\",\"dise\nase\",\"tab\there\"\n1,2,3\n1,2,3\n"),
            ("other scripts", "płeć,年齢,возраст,😀\nk,30,30,1\nm,30,30,1\n"),
            ("names that TOML could mistake", "[x],#y,\"z = 1\",\"\"\"\"\"\"\"\"\n1,2,3,4\n1,2,3,4\n"),
            ("mixed types", "a,b,c\n1,2020-01-01,x\n1.5,n/a,y\n-3e5,2020-13-45,1\n,,\n"),
            ("large and small numbers", "n,m\n9223372036854775807,-0.000001\n-9223372036854775808,1e300\n0,0\n"),
        ];
        for (what, text) in tables {
            let desk = Desk::new();
            desk.write("table.csv", text);
            let (policy, document) = first_policy(&desk, "table.csv", &[]);
            let rows = document["rows"]["input"].as_u64().expect("rows");
            assert!(rows >= 1, "{what}: {policy}");
            let released = desk.read("first.out.csv");
            assert!(!released.is_empty(), "{what}");
        }
    }

    #[test]
    fn dates_and_missing_values_are_understood() {
        let desk = Desk::new();
        desk.take("dates.csv").take("missing_values.csv");
        let (policy, _) = first_policy(&desk, "dates.csv", &[]);
        assert!(policy.contains("[attributes.born]\nrole = \"quasi-identifying\"\nhierarchy = { date = "), "{policy}");
        assert!(policy.contains("[attributes.result]\nrole = \"sensitive\""), "{policy}");
        let (policy, _) = first_policy(&desk, "missing_values.csv", &["--missing", "?"]);
        assert!(policy.contains("missing = [\"\", \"?\"]"), "{policy}");
        assert!(policy.contains("[attributes.age]\nrole = \"quasi-identifying\"\nhierarchy = { "), "{policy}");
    }

    #[test]
    fn what_was_said_about_the_file_is_kept_in_the_policy() {
        let desk = Desk::new();
        desk.write("odd.txt", b"city:age\nMalm\xf6:30\nMalm\xf6:30\n");
        let (policy, document) = first_policy(&desk, "odd.txt", &["--delimiter", ":", "--encoding", "latin-1"]);
        assert!(policy.contains("delimiter = \":\"") && policy.contains("encoding = \"latin-1\""), "{policy}");
        assert_eq!(document["solution"]["levels"], json!({ "city": 0, "age": 0 }));
        assert_eq!(desk.read("first.out.csv"), "city:age\nMalmö:30\nMalmö:30\n");
    }

    #[test]
    fn without_an_output_the_policy_goes_to_standard_output() {
        let desk = Desk::new();
        desk.take("thesis_table_24_patients.csv");
        let ran = desk.done("init thesis_table_24_patients.csv");
        assert!(
            ran.out.starts_with("# A first policy for thesis_table_24_patients.csv: 9 rows, 3 columns."),
            "{}",
            ran.out
        );
        assert_eq!(desk.listing().len(), 1);
        desk.write("printed.toml", &ran.out);
        desk.done("anonymize printed.toml");
        let document = desk.json("init thesis_table_24_patients.csv", 0);
        assert_eq!(document["policy"].as_str().map(str::trim_end), Some(ran.out.trim_end()));
        assert_eq!(document["columns"][2]["role"], "sensitive");
    }

    #[test]
    fn a_policy_in_another_directory_still_finds_the_data() {
        let desk = Desk::new();
        desk.take("thesis_table_24_patients.csv");
        std::fs::create_dir(desk.path("policies")).expect("a directory");
        desk.done("init thesis_table_24_patients.csv --output policies/first.toml");
        desk.done("anonymize policies/first.toml --output out.csv");
    }
}

mod manifest {
    use super::*;

    #[test]
    fn a_release_is_verified_until_someone_touches_it() {
        let desk = Desk::with_adult();
        desk.done("anonymize adult.toml --output released.csv --manifest manifest.json --seed 5");
        let manifest: Value = serde_json::from_str(&desk.read("manifest.json")).expect("JSON");
        assert_eq!(manifest["policy"], desk.read("adult.toml"));
        assert_eq!(manifest["recoding"]["levels"]["age"], 3);
        assert_eq!(manifest["recoding"]["seed"], 5);
        assert!(manifest["input"]["sha256"].as_str().is_some_and(|hash| hash.len() == 64));
        assert!(manifest["tamis"].is_string() && manifest["outcome"]["quality"]["loss"].is_f64());
        let document = desk.json("verify manifest.json", 0);
        assert_eq!(document["holds"], true);

        let released = desk.read("released.csv");
        desk.write("released.csv", released.replacen("Male", "Female", 1));
        let document = desk.json("verify manifest.json", 1);
        let failing = |document: &Value| -> Vec<String> {
            let checks = document["checks"].as_array().expect("checks");
            checks.iter().filter(|check| check["holds"] == false).map(|check| check["check"].to_string()).collect()
        };
        assert_eq!(failing(&document), ["\"the release\""]);
        std::fs::remove_file(desk.path("released.csv")).expect("a file");
        assert_eq!(failing(&desk.json("verify manifest.json", 1)), ["\"the release\""]);
        desk.write("released.csv", released);
        desk.json("verify manifest.json", 0);

        let input = desk.read("adult.csv");
        desk.write("adult.csv", input.replacen("Male", "Female", 1));
        assert_eq!(failing(&desk.json("verify manifest.json", 1)), ["\"the input\""]);
        desk.write("adult.csv", input);

        let text = desk.read("manifest.json");
        for (what, tampered) in [
            ("a figure", text.replacen("\"suppressed\": 2184", "\"suppressed\": 2183", 1)),
            ("the seed", text.replacen("\"seed\": 5", "\"seed\": 6", 1)),
            ("the policy", text.replacen("k = 5", "k = 6", 1)),
        ] {
            assert_ne!(tampered, text, "{what}");
            desk.write("tampered.json", tampered);
            assert_eq!(desk.tamis("verify tampered.json").code, 1, "{what}");
        }
    }

    #[test]
    fn the_same_release_gives_the_same_manifest() {
        let desk = patients(K3_IN_ORDER);
        for manifest in ["one.json", "two.json"] {
            desk.done(&format!("anonymize patients.toml --output out.csv --manifest {manifest} --seed 1"));
        }
        assert_eq!(desk.read("one.json"), desk.read("two.json"));
    }

    #[test]
    fn a_limit_given_on_the_command_line_is_verified_too() {
        let desk = thesis_desk("thesis_table_8.csv");
        desk.write("policy.toml", thesis_policy("thesis_table_8.csv", 2, ""));
        desk.done("anonymize policy.toml --suppression-limit 0.3 --output out.csv --manifest m.json");
        let document = desk.json("verify m.json", 0);
        assert_eq!(document["holds"], true);
    }

    #[test]
    fn it_can_lie_in_another_directory_and_be_verified_from_anywhere() {
        let desk = patients(K3_IN_ORDER);
        std::fs::create_dir_all(desk.path("records/2018")).expect("directories");
        desk.done("anonymize patients.toml --output out.csv.gz --manifest records/2018/m.json");
        desk.done("verify records/2018/m.json");
        let elsewhere = Desk::new();
        let manifest = desk.path("records/2018/m.json");
        let ran = elsewhere.tamis_with(&["verify", manifest.to_str().expect("UTF-8")]);
        assert_eq!(ran.code, 0, "{ran:?}");
    }

    #[test]
    fn new_rows_are_recoded_if_the_models_still_hold() {
        let desk = patients(K3_IN_ORDER);
        desk.done("anonymize patients.toml --output out.csv --manifest m.json");
        let header = "ZIP Code,Age,Disease\n";
        desk.write("new.csv", format!("{header}47602,22,Flu\n47605,27,Flu\n47607,29,Cancer\n"));
        let document = desk.json("apply m.json new.csv --output recoded.csv", 0);
        assert_eq!(desk.read("recoded.csv"), format!("{header}476**,2*,Flu\n476**,2*,Flu\n476**,2*,Cancer\n"));
        assert_eq!((&document["written"], &document["classes"]["count"]), (&json!(3), &json!(1)));

        desk.write("lone.csv", format!("{header}47602,22,Flu\n47605,27,Flu\n47607,29,Cancer\n47905,43,Flu\n"));
        let before = desk.listing();
        let ran = desk.tamis("apply m.json lone.csv --output lone.out.csv");
        assert_eq!((ran.code, desk.listing() == before), (1, true), "{ran:?}");
        assert!(ran.out.contains("1 of 4 new rows are in classes that fail (3-anonymity)"), "{}", ran.out);
        let ran = desk.tamis("apply m.json lone.csv --output lone.out.csv --suppress");
        assert_eq!((ran.code, desk.listing() == before), (1, true), "the policy allows no suppression: {ran:?}");
        assert!(ran.out.contains("the policy allows 0 to be suppressed"), "{}", ran.out);

        desk.write("few.csv", format!("{header}47602,22,Flu\n47605,27,Flu\n"));
        let ran = desk.tamis("apply m.json few.csv --output few.out.csv");
        assert_eq!(ran.code, 1, "{ran:?}");
        assert!(ran.err.contains("the models cannot hold: 2 new rows where every class needs 3"), "{}", ran.err);

        desk.write("strange.csv", format!("{header}47602,22,Flu\n47605,27,Flu\n47607,99,Cancer\n"));
        let ran = desk.tamis("apply m.json strange.csv --output strange.out.csv");
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(ran.err.contains("does not list the value `99`"), "{}", ran.err);
        assert!(!desk.path("strange.out.csv").exists());
    }

    #[test]
    fn new_rows_that_fail_can_be_suppressed_within_the_limit() {
        let desk = patients(
            "[search]\nsuppression_limit = 0.25\n[[models]]\nkind = \"k-anonymity\"\nk = 3\n[output]\norder = \"input\"\n",
        );
        desk.done("anonymize patients.toml --output out.csv --manifest m.json");
        desk.write("new.csv", "ZIP Code,Age,Disease\n47602,22,Flu\n47605,27,Flu\n47607,29,Cancer\n47905,43,Flu\n");
        assert_eq!(desk.tamis("apply m.json new.csv --output new.out.csv").code, 1);
        desk.done("apply m.json new.csv --output new.out.csv --suppress");
        assert_eq!(
            desk.read("new.out.csv"),
            "ZIP Code,Age,Disease\n476**,2*,Flu\n476**,2*,Flu\n476**,2*,Cancer\n*,*,*\n"
        );
    }

    #[test]
    fn new_values_fall_into_the_intervals_and_masks_that_were_built() {
        let desk = Desk::new();
        let policy = |age: &str| {
            format!(
                "[input]\npath = \"old.csv\"\n[attributes.zip]\nrole = \"quasi-identifying\"\nhierarchy = {{ mask = {{}} }}\n\
                 [attributes.age]\nrole = \"quasi-identifying\"\nhierarchy = {age}\n[[models]]\nkind = \"k-anonymity\"\nk = 2\n\
                 [output]\norder = \"input\"\n"
            )
        };
        desk.write("old.csv", "zip,age\n28001,31\n28002,35\n41001,52\n41002,58\n");
        desk.write("policy.toml", policy("{ interval = { start = 0, width = 10 } }"));
        desk.done("anonymize policy.toml --output old.out.csv --manifest m.json");
        assert_eq!(
            desk.read("old.out.csv"),
            "zip,age\n2800*,\"[30, 40[\"\n2800*,\"[30, 40[\"\n4100*,\"[50, 60[\"\n4100*,\"[50, 60[\"\n"
        );
        desk.write("new.csv", "zip,age\n28007,33\n28008,39\n41005,52\n41009,50\n");
        desk.done("apply m.json new.csv --output new.out.csv");
        assert_eq!(desk.read("new.out.csv"), desk.read("old.out.csv"));
        desk.done("verify m.json");

        // What is rare depends on all values, so new ones could change what the old ones became.
        desk.write("policy.toml", policy("{ rare = { minimum = [2] } }"));
        desk.done("anonymize policy.toml --output old.out.csv --manifest rare.json");
        let ran = desk.tamis("apply rare.json new.csv --output rare.out.csv");
        assert!(ran.code != 0 || !desk.read("rare.out.csv").contains("33"), "{ran:?}");
    }

    #[test]
    fn new_rows_are_shuffled_by_seed() {
        let desk = patients("[[models]]\nkind = \"k-anonymity\"\nk = 3\n[output]\nseed = 3\n");
        desk.done("anonymize patients.toml --output out.csv --manifest m.json");
        for (name, flags) in [("a", ""), ("b", ""), ("c", "--seed 3"), ("d", "--seed 4")] {
            desk.done(&format!("apply m.json thesis_table_24_patients.csv --output {name}.csv {flags}"));
        }
        assert_eq!(desk.bytes("a.csv"), desk.bytes("b.csv"), "the policy's seed counts");
        assert_eq!(desk.bytes("a.csv"), desk.bytes("c.csv"));
        assert_ne!(desk.bytes("a.csv"), desk.bytes("d.csv"));
    }
}

mod people_and_populations {
    use super::*;

    fn visits(entity: &str, models: &str) -> Desk {
        let desk = Desk::new();
        desk.take("visits_of_patients.csv");
        desk.write(
            "visits.toml",
            format!(
                "{entity}[input]\npath = \"visits_of_patients.csv\"\n[attributes.zip]\nrole = \"quasi-identifying\"\nhierarchy = {{ mask = {{}} }}\n\
                 [attributes.ward]\nrole = \"quasi-identifying\"\n[attributes.diagnosis]\nrole = \"sensitive\"\n{models}"
            ),
        );
        desk
    }

    #[test]
    fn an_entity_makes_k_and_l_count_people_instead_of_rows() {
        // Three of the first class's four rows are one patient's.
        let k4 = "[search]\nsuppression_limit = 0.2\n[[models]]\nkind = \"k-anonymity\"\nk = 4\n";
        let document = visits("", k4).json("anonymize visits.toml", 0);
        assert_eq!(document["solution"]["levels"], json!({ "zip": 0, "ward": 0 }));
        let document = visits("entity = \"patient\"\n", k4).json("anonymize visits.toml", 0);
        assert_eq!(
            document["solution"]["levels"],
            json!({ "zip": 1, "ward": 1 }),
            "only everyone together are four people"
        );
        assert_eq!(document["classes"], json!({ "count": 1, "min": 5, "max": 5, "average": 5.0, "unit": "people" }));
        assert_eq!(document["rows"], json!({ "input": 9, "kept": 9, "suppressed": 0 }));

        let desk = visits(
            "entity = \"patient\"\n",
            "[[models]]\nkind = \"k-anonymity\"\nk = 2\n[search]\nsuppression_limit = 0.2\n",
        );
        let document = desk.json("anonymize visits.toml --output out.csv", 0);
        assert_eq!(document["classes"], json!({ "count": 2, "min": 2, "max": 2, "average": 2.0, "unit": "people" }));
        assert_eq!(document["rows"], json!({ "input": 9, "kept": 8, "suppressed": 1 }));
        assert!(!desk.read("out.csv").contains("patient"), "the person is never released");
    }

    #[test]
    fn missing_values_are_a_category_or_match_anything() {
        let desk = Desk::new();
        desk.take("missing_values.csv");
        let policy = |missing: &str| {
            format!(
                "[input]\npath = \"missing_values.csv\"\nmissing = [\"?\"]\n\
                 [attributes.zip]\nrole = \"quasi-identifying\"\nmissing = \"{missing}\"\n\
                 [attributes.age]\nrole = \"quasi-identifying\"\nmissing = \"{missing}\"\n\
                 [attributes.answer]\nrole = \"sensitive\"\n\
                 [search]\nsuppression_limit = 1.0\n[[models]]\nkind = \"k-anonymity\"\nk = 2\n[output]\norder = \"input\"\n"
            )
        };
        desk.write("own.toml", policy("own-category")).write("any.toml", policy("matches-anything"));
        let own = desk.json("anonymize own.toml --output own.csv", 0);
        assert_eq!((&own["rows"]["kept"], &own["classes"]["min"]), (&json!(4), &json!(2)));
        assert_eq!(desk.read("own.csv").matches('?').count(), 0);
        let any = desk.json("anonymize any.toml --output any.csv", 0);
        assert_eq!((&any["rows"]["kept"], &any["quality"]["loss"]), (&json!(6), &json!(0.0)), "{any}");
        assert_eq!(desk.bytes("any.csv"), desk.bytes("missing_values.csv"), "missing values come out as they went in");
    }

    /// Adult with every tenth row to be released: a file of those rows, and a column that tells.
    fn adult_subset() -> Desk {
        let desk = Desk::with_adult();
        let text = desk.read("adult.csv");
        let (mut listed, mut marked) = (String::new(), String::new());
        for (number, line) in text.lines().enumerate() {
            let is_in = number > 0 && number % 10 == 0;
            let mark = if number == 0 {
                "released"
            } else if is_in {
                "yes"
            } else {
                "no"
            };
            marked.extend([line, ";", mark, "\n"]);
            if number == 0 || is_in {
                listed.extend([line, "\n"]);
            }
        }
        desk.write("tenth.csv", listed).write("marked.csv", marked);
        let models = |subset: &str| {
            adult_policy(&format!(
                "{K5}[[models]]\nkind = \"delta-presence\"\nmin = 0.0\nmax = 0.2\nsubset = {subset}\n"
            ))
        };
        desk.write("file.toml", models("\"tenth.csv\""));
        let rule = models("{ column = \"released\", equals = \"yes\" }").replace("\"adult.csv\"", "\"marked.csv\"");
        desk.write("column.toml", rule);
        desk
    }

    #[test]
    fn presence_is_bounded_for_a_subset_given_as_a_file_or_by_a_column() {
        let desk = adult_subset();
        let by_file = desk.json("anonymize file.toml --output file.csv --seed 1", 0);
        let by_column = desk.json("anonymize column.toml --output column.csv --seed 1", 0);
        for field in ["solution", "quality", "classes", "rows", "risk", "figures"] {
            assert_eq!(by_file[field], by_column[field], "{field}");
        }
        assert_eq!(by_file["rows"]["input"], 3016);
        assert_eq!(by_file["solution"]["optimal"], true);
        let (file, column) = (desk.read("file.csv"), desk.read("column.csv"));
        assert_eq!(sorted_rows(&file), sorted_rows(&column));
        assert_eq!(file.lines().count(), 3017, "only the subset is released");
        assert!(!column.contains("released"), "the column that tells is not listed in the policy");
        let kept = file.lines().skip(1).filter(|line| *line != "*;*;*;*;*;*;*;*;*").count();
        assert_eq!(by_file["rows"]["kept"], kept);

        // Count the shares of the released classes anew, from the hierarchy files.
        let hierarchy = |column: &str| -> Vec<Vec<String>> {
            desk.read(&format!("hierarchies/adult/{column}.csv"))
                .lines()
                .map(|line| line.split(';').map(str::to_owned).collect())
                .collect()
        };
        let mut classes: std::collections::BTreeMap<Vec<String>, [u32; 2]> = std::collections::BTreeMap::new();
        let columns: Vec<(usize, usize, Vec<Vec<String>>)> = tamis_adult::COLUMNS
            .iter()
            .enumerate()
            .filter(|(_, column)| **column != tamis_adult::SENSITIVE)
            .map(|(position, column)| {
                let level = by_file["solution"]["levels"][column].as_u64().expect("a level") as usize;
                (position, level, hierarchy(column))
            })
            .collect();
        for (number, line) in desk.read("adult.csv").lines().enumerate().skip(1) {
            let cells: Vec<&str> = line.split(';').collect();
            let labels = columns.iter().map(|(position, level, lines)| {
                lines.iter().find(|line| line[0] == cells[*position]).expect("listed")[*level].clone()
            });
            let counts = classes.entry(labels.collect()).or_default();
            counts[0] += u32::from(number % 10 == 0);
            counts[1] += 1;
        }
        let holds = |&[released, population]: &[u32; 2]| released >= 5 && released * 5 <= population;
        let kept: u32 = classes.values().filter(|counts| holds(counts)).map(|counts| counts[0]).sum();
        assert_eq!(by_file["rows"]["kept"], kept);
        assert_eq!(by_file["classes"]["count"], classes.values().filter(|counts| holds(counts)).count());
    }

    #[test]
    fn a_manifest_of_a_subset_is_verified_and_applied_from_elsewhere() {
        let desk = adult_subset();
        desk.done("anonymize file.toml --output file.csv --manifest m.json");
        let elsewhere = Desk::new();
        let (manifest, data) = (desk.path("m.json"), desk.path("adult.csv"));
        let (manifest, data) = (manifest.to_str().expect("UTF-8"), data.to_str().expect("UTF-8"));
        assert_eq!(elsewhere.tamis_with(&["verify", manifest]).code, 0);
        let ran = elsewhere.tamis_with(&["apply", manifest, data, "--suppress", "--output", "again.csv"]);
        assert_eq!(ran.code, 0, "{ran:?}");
        assert_eq!(sorted_rows(&elsewhere.read("again.csv")), sorted_rows(&desk.read("file.csv")));
    }
}

mod everywhere {
    use super::*;
    use std::process::Stdio;

    #[test]
    fn json_is_one_document_and_nothing_else_on_standard_output() {
        let desk = patients(K3_IN_ORDER);
        desk.done("anonymize patients.toml --output out.csv --manifest m.json");
        for arguments in [
            "anonymize patients.toml",
            "anonymize patients.toml --output a.csv --report a.html --manifest a.json",
            "check thesis_table_24_patients.csv --quasi Age --sensitive Disease --show",
            "compare patients.toml --k 2,3",
            "lattice patients.toml",
            "init thesis_table_24_patients.csv",
            "init thesis_table_24_patients.csv --output first.toml",
            "hierarchy show thesis_table_25_age.csv",
            "hierarchy check thesis_table_25_age.csv",
            "hierarchy interval thesis_table_24_patients.csv --column Age --width 10",
            "hierarchy auto thesis_table_24_patients.csv --column Disease --output auto.csv",
            "verify m.json",
            "apply m.json thesis_table_24_patients.csv",
            "generate adult --rows 3 --output three.csv",
            "models",
        ] {
            let ran = desk.tamis(&format!("{arguments} --json"));
            assert_eq!(ran.code, 0, "{arguments}: {ran:?}");
            assert!(ran.document().is_object(), "{arguments}");
            assert!(!ran.err.contains("error"), "{arguments}: {}", ran.err);
        }
        for (arguments, code) in
            [("anonymize nowhere.toml", 2), ("check thesis_table_24_patients.csv --quasi Nowhere", 2)]
        {
            let document = desk.json(arguments, code);
            assert!(document["error"].is_string(), "{document}");
        }
    }

    #[test]
    fn the_flags_may_stand_before_the_verb() {
        let desk = patients(K3_IN_ORDER);
        let ran = desk.done("--json --threads 1 --seed 3 anonymize patients.toml");
        assert_eq!(ran.document()["rows"]["kept"], 9);
    }

    #[test]
    fn a_replaced_output_is_whole_and_a_refused_run_leaves_the_old_one() {
        let desk = patients(K3_IN_ORDER);
        desk.write("out.csv", "old\n");
        desk.write("wrong.toml", desk.read("patients.toml").replace("k = 3", "k = 10"));
        assert_eq!(desk.tamis("anonymize wrong.toml --output out.csv").code, 2);
        assert_eq!(desk.read("out.csv"), "old\n");
        desk.done("anonymize patients.toml --output out.csv");
        assert_eq!(desk.read("out.csv").lines().count(), 10);
    }

    #[test]
    fn a_closed_pipe_is_no_panic_and_no_answer() {
        let desk = Desk::with_adult();
        let closed = |arguments: &str| {
            let mut command = desk.command(arguments.split_whitespace());
            let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program runs");
            drop(child.stdout.take());
            let output = child.wait_with_output().expect("the program ends");
            let err = String::from_utf8(output.stderr).expect("UTF-8");
            assert_eq!(err, "", "{arguments}");
            output.status.code()
        };
        assert_eq!(closed("generate adult --rows 100000"), Some(0));
        assert_eq!(closed("check adult.csv --quasi sex --show --rows 30162"), Some(0));
        assert_eq!(closed("check adult.csv --quasi sex --json"), Some(0));
        assert_eq!(closed("models"), Some(0));
        // A gate whose reader has gone away still says no.
        assert_eq!(closed("check adult.csv --quasi sex,age --require k=100000"), Some(1));
        assert_eq!(closed("check adult.csv --quasi sex,age --require k=100000 --json"), Some(1));
    }

    #[test]
    fn help_and_version_are_answers() {
        let desk = Desk::new();
        assert!(desk.done("--version").out.starts_with("tamis "));
        for verb in [
            "anonymize",
            "check",
            "compare",
            "lattice",
            "demo",
            "init",
            "hierarchy",
            "verify",
            "apply",
            "generate",
            "models",
        ] {
            assert!(desk.done(&format!("{verb} --help")).out.contains("--json"), "{verb}");
        }
        let ran = desk.tamis("");
        assert_eq!(ran.code, 2);
    }

    #[test]
    fn models_and_measures_are_listed() {
        let desk = Desk::new();
        insta::assert_snapshot!("models", desk.done("models").out);
    }

    #[test]
    fn generated_tables_are_repeatable_and_extend_each_other() {
        let desk = Desk::new();
        desk.done("generate adult --rows 50 --seed 9 --output short.csv");
        desk.done("generate adult --rows 200 --seed 9 --output long.csv.zst");
        let long =
            String::from_utf8(zstd::decode_all(desk.bytes("long.csv.zst").as_slice()).expect("zstd")).expect("UTF-8");
        assert!(long.starts_with(&desk.read("short.csv")));
        assert_eq!(desk.done("generate adult --rows 50 --seed 9").out, desk.read("short.csv"));
        assert_ne!(desk.done("generate adult --rows 50 --seed 10").out, desk.read("short.csv"));
    }
}

mod hierarchies {
    use super::*;

    #[test]
    fn builders_write_files_that_policies_can_use() {
        let desk = patients(K3_IN_ORDER);
        desk.take("dates.csv");
        let table = "thesis_table_24_patients.csv";
        for (kind, first_line) in [
            (&["interval", table, "--column", "Age", "--width", "10", "--factors", "2"][..], "29;[20, 30[;[20, 40[;*"),
            (&["order", table, "--column", "Age", "--group", "3"][..], "29;22 .. 29;*"),
            (&["mask", table, "--column", "ZIP Code", "--levels", "2"][..], "47677;4767*;476**;*"),
            (&["date", "dates.csv", "--column", "born", "--levels", "month,year"][..], "1970-01-31;1970-01;1970;*"),
            (
                &["rare", table, "--column", "Disease", "--minimum", "2", "--other", "rare"][..],
                "Heart Disease;Heart Disease;*",
            ),
        ] {
            let arguments = [&["hierarchy"], kind, &["--output", "built.csv"]].concat();
            let ran = desk.tamis_with(&arguments);
            assert_eq!(ran.code, 0, "{ran:?}");
            assert_eq!(desk.read("built.csv").lines().next(), Some(first_line), "{kind:?}");
            assert_eq!(desk.tamis("hierarchy check built.csv").code, 0, "{kind:?}");
        }
        desk.write(
            "parents.csv",
            "Flu;infection\nCancer;growth\nHeart Disease;organ\ninfection;*\ngrowth;*\norgan;*\n",
        );
        let ran = desk.tamis_with(&["hierarchy", "tree", table, "--column", "Disease", "--parents", "parents.csv"]);
        assert_eq!(ran.code, 0, "{ran:?}");
        assert!(ran.out.contains("Flu;infection;*"), "{}", ran.out);
    }

    #[test]
    fn a_check_says_line_by_line_what_is_wrong() {
        let desk = Desk::new();
        desk.write("h.csv", "1;a;*\n2;a\n1;b;*\n3;c;*\n");
        desk.write("data.csv", "v\n1\n7\n");
        let document = desk.json("hierarchy check h.csv --data data.csv --column v", 1);
        assert_eq!(document["usable"], false);
        let kinds: Vec<(Option<u64>, &str)> = document["findings"]
            .as_array()
            .expect("findings")
            .iter()
            .map(|finding| (finding["line"].as_u64(), finding["kind"].as_str().expect("a kind")))
            .collect();
        assert!(kinds.contains(&(Some(2), "UnevenRow")), "{kinds:?}");
        assert!(kinds.contains(&(Some(3), "TwoParents")), "{kinds:?}");
        assert!(kinds.iter().any(|(_, kind)| *kind == "MissingValue"), "{kinds:?}");
    }
}
