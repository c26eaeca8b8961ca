//! `tamis attack` as a user tries it: every figure that the sources name, exit codes, bad input, the JSON document.

use crate::program::{Desk, Ran, repository};
use serde_json::{Value, json};

const CLASS: &str = "Edad,Codigo postal";

fn desk(files: &[&str]) -> Desk {
    let desk = Desk::new();
    for file in files {
        desk.take(file);
    }
    desk
}

/// Runs an attack with `--json` that must end with this code; the document it prints.
fn attacked(desk: &Desk, arguments: &[&str], code: i32) -> Value {
    let ran = desk.tamis_with(&[&["attack"], arguments, &["--json"]].concat());
    assert_eq!(ran.code, code, "{arguments:?}: {ran:?}");
    ran.document()
}

fn said(desk: &Desk, arguments: &[&str], code: i32) -> Ran {
    let ran = desk.tamis_with(&[&["attack"], arguments].concat());
    assert_eq!(ran.code, code, "{arguments:?}: {ran:?}");
    ran
}

/// Asserts that an attack cannot be tried and that a sentence says why.
fn bad(desk: &Desk, arguments: &[&str], part: &str) {
    let before = desk.listing();
    let ran = said(desk, arguments, 2);
    assert_eq!(ran.out, "", "{arguments:?}");
    assert!(
        ran.err.starts_with("error: ") && ran.err.contains(part),
        "{arguments:?} does not say `{part}`: {}",
        ran.err
    );
    assert_eq!(desk.listing(), before, "{arguments:?} leaves files behind");
}

const LINKAGE: [&str; 5] =
    ["linkage", "thesis_table_1_private.csv", "thesis_table_1_census.csv", "--on", "Sexo,Nacimiento,Codigo postal"];

fn census() -> Desk {
    desk(&["thesis_table_1_private.csv", "thesis_table_1_census.csv"])
}

#[test]
fn thesis_table_1_linkage_names_the_person_and_the_disease() {
    let desk = census();
    let document = attacked(&desk, &[&LINKAGE[..], &["--identify", "Nombre"]].concat(), 1);
    assert_eq!(document["findings"].as_array().map(Vec::len), Some(1));
    assert_eq!(document["findings"][0]["who"], json!({ "Nombre": "Acosta Pizarro Omar Demetrio" }));
    assert_eq!(
        document["findings"][0]["learned"],
        json!({ "Estado civil": "Divorciado/a", "Prevision": "Fonasa", "Enfermedad": "Cáncer", "Sueldo": "628.030" })
    );
    let sentence = said(&desk, &[&LINKAGE[..], &["--identify", "Nombre"]].concat(), 1).out;
    assert!(sentence.contains("Acosta Pizarro Omar Demetrio") && sentence.contains("Cáncer"), "{sentence}");
}

#[test]
fn the_document_has_the_same_fields_for_every_attack() {
    let document = attacked(&census(), &LINKAGE, 1);
    let fields: Vec<&str> =
        document.as_object().map(|map| map.keys().map(String::as_str).collect()).unwrap_or_default();
    let mut expected = [
        "attack", "people", "at_risk", "share", "summary", "figures", "notes", "findings", "more", "bound", "succeeds",
    ];
    expected.sort_unstable();
    let mut sorted = fields.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, expected);
    assert_eq!((&document["people"], &document["at_risk"], &document["share"]), (&json!(4), &json!(1), &json!(0.25)));
    assert_eq!((&document["bound"], &document["succeeds"]), (&json!(0.0), &json!(true)));
    let finding: Vec<&String> = document["findings"][0].as_object().map(|map| map.keys().collect()).unwrap_or_default();
    for name in ["people", "probability", "who", "learned", "sentence"] {
        assert!(finding.iter().any(|field| *field == name), "{name} is missing in {finding:?}");
    }
}

#[test]
fn a_bound_allows_some_people_to_be_at_risk() {
    let desk = census();
    assert_eq!(attacked(&desk, &[&LINKAGE[..], &["--bound", "0.25"]].concat(), 0)["succeeds"], false);
    assert_eq!(attacked(&desk, &[&LINKAGE[..], &["--bound", "0.2"]].concat(), 1)["succeeds"], true);
    bad(&desk, &[&LINKAGE[..], &["--bound", "2"]].concat(), "--bound is 2; expected a share between 0 and 1");
}

#[test]
fn a_generalized_release_is_linked_through_hierarchies() {
    let desk = desk(&["thesis_table_25_zip_code.csv"]);
    desk.write("released.csv", "zip,disease\n4760*,flu\n4767*,cold\n4767*,flu\n");
    desk.write("people.csv", "name,zip\nAda,47602\nBob,47677\n");
    let arguments = ["linkage", "released.csv", "people.csv", "--on", "zip", "--identify", "name"];
    bad(&desk, &arguments, "give --hierarchy zip=FILE");
    bad(&desk, &["membership", "released.csv", "people.csv", "--on", "zip"], "give --hierarchy zip=FILE");
    let hierarchy = ["--hierarchy", "zip=thesis_table_25_zip_code.csv"];
    let document = attacked(&desk, &[&arguments[..], &hierarchy].concat(), 1);
    assert_eq!(document["findings"][0]["who"], json!({ "name": "Ada" }));
    assert_eq!(document["figures"]["matched"], 2);
}

/// Two releases of the sixty people of the guides, the second coarser, with their manifests.
fn two_releases() -> Desk {
    let desk = Desk::new();
    let examples = repository().join("docs/guide/examples");
    desk.write("people.csv", std::fs::read(examples.join("people.csv")).expect("an example"));
    for (name, level) in [("fine", 1), ("coarse", 2)] {
        let policy = format!(
            r#"
            [input]
            path = "people.csv"
            [attributes.name]
            role = "identifying"
            [attributes.age]
            role = "quasi-identifying"
            hierarchy = {{ interval = {{ width = 10, factors = [4] }} }}
            min_level = {level}
            max_level = {level}
            [attributes.zip]
            role = "quasi-identifying"
            hierarchy = {{ mask = {{ levels = 3 }} }}
            [attributes.sex]
            role = "quasi-identifying"
            [attributes.diagnosis]
            role = "sensitive"
            hierarchy = {{ tree = {{ children = {{ lungs = ["flu", "asthma", "bronchitis"], metabolism = ["diabetes", "obesity"], circulation = ["hypertension"], stomach = ["gastritis"] }} }} }}
            [[models]]
            kind = "k-anonymity"
            k = 2
            [search]
            suppression_limit = 0.1
            [output]
            order = "input"
            "#
        );
        desk.write(&format!("{name}.toml"), policy);
        desk.done(&format!("anonymize {name}.toml --output {name}.csv --manifest {name}.json --quiet"));
    }
    desk
}

#[test]
fn a_manifest_gives_the_hierarchies_of_the_release() {
    let desk = two_releases();
    let manifest = ["--manifest", "fine.json"];
    let linkage = ["linkage", "fine.csv", "people.csv", "--on", "age,zip,sex"];
    bad(&desk, &linkage, "give --hierarchy age=FILE");
    let document = attacked(&desk, &[&linkage[..], &manifest].concat(), 0);
    let figure = |name: &str| document["figures"][name].as_u64().unwrap_or_default();
    assert_eq!(figure("matched") + figure("suppressed_rows"), 60, "everybody whose row is told fits it");
    assert!(figure("matched") >= 54);
    let membership = ["membership", "fine.csv", "people.csv", "--on", "age,zip,sex"];
    let document = attacked(&desk, &[&membership[..], &manifest].concat(), 1);
    assert_eq!(document["figures"]["certainly_present"], 60);
    let similarity = ["similarity", "fine.csv", "--quasi", "age,zip,sex", "--sensitive", "diagnosis"];
    bad(&desk, &similarity, "or a manifest that has one");
    let with = desk.tamis_with(&[&["attack"], &similarity[..], &manifest, &["--json"]].concat());
    assert!(with.code < 2 && with.document()["figures"]["classes"].as_u64() > Some(0), "{with:?}");
    let (first, second) = (["unsorted", "fine.csv", "coarse.csv"], ["complementary", "fine.csv", "coarse.csv"]);
    let quasi = ["--quasi", "age,sex"];
    let ran = desk.tamis_with(&[&["attack"], &first[..], &quasi, &manifest, &["--json"]].concat());
    assert!(ran.code < 2 && ran.document()["figures"]["same_order"] == true, "{ran:?}");
    let ran =
        desk.tamis_with(&[&["attack"], &second[..], &quasi, &["--on", "diagnosis"], &manifest, &["--json"]].concat());
    assert!(ran.code < 2, "{ran:?}");
    bad(&desk, &[&first[..], &manifest, &["--output", "fine.json"]].concat(), "would be overwritten");
    bad(&desk, &[&linkage[..], &["--manifest", "people.csv"]].concat(), "people.csv");
}

#[test]
fn a_hierarchy_that_is_named_goes_before_that_of_the_manifest() {
    let desk = two_releases();
    desk.write("nobody.csv", "x;y\nz;y\n");
    let linkage = ["linkage", "fine.csv", "people.csv", "--on", "age,zip,sex", "--manifest", "fine.json"];
    let document = attacked(&desk, &[&linkage[..], &["--hierarchy", "age=nobody.csv"]].concat(), 0);
    assert_eq!(document["figures"]["matched"], 0);
}

#[test]
fn a_manifest_gives_downcoding_and_minimality_their_hierarchies() {
    let desk = Desk::new();
    desk.write("age.csv", "20;20-39;*\n30;20-39;*\n40;40-59;*\n50;40-59;*\n");
    desk.write("people.csv", "age,sick\n20,yes\n30,no\n40,no\n50,no\n");
    desk.write(
        "policy.toml",
        r#"
        [input]
        path = "people.csv"
        [attributes.age]
        role = "quasi-identifying"
        hierarchy = "age.csv"
        [attributes.sick]
        role = "insensitive"
        [[models]]
        kind = "k-anonymity"
        k = 2
        [search]
        suppression_limit = 0.0
        "#,
    );
    desk.done("anonymize policy.toml --output released.csv --manifest manifest.json --quiet");
    for manifest in [["--manifest", "manifest.json"], ["--hierarchy", "age=age.csv"]] {
        let downcoding = ["downcoding", "released.csv", "--quasi", "age", "--k", "2", "--recoding", "local"];
        let document = attacked(&desk, &[&downcoding[..], &manifest].concat(), 1);
        assert_eq!(document["at_risk"], 4);
        let summary = document["summary"].as_str().unwrap_or_default();
        assert!(
            summary.ends_with("2 classes are undone whole. For a single row, no finer value becomes likelier."),
            "{summary}"
        );
        let minimality = [
            "minimality",
            "released.csv",
            "--external",
            "people.csv",
            "--quasi",
            "age",
            "--sensitive",
            "sick",
            "--l",
            "2",
        ];
        let document = attacked(&desk, &[&minimality[..], &manifest, &["--values", "yes"]].concat(), 0);
        assert_eq!(document["people"], 4);
    }
}

fn table_10() -> Desk {
    desk(&["thesis_table_10_first_release.csv", "thesis_table_10_second_release.csv", "thesis_table_10_private.csv"])
}

const UNSORTED: [&str; 3] = ["unsorted", "thesis_table_10_first_release.csv", "thesis_table_10_second_release.csv"];

#[test]
fn thesis_table_10_unsorted_gives_the_private_table() {
    let desk = table_10();
    let document = attacked(
        &desk,
        &[&UNSORTED[..], &["--original", "thesis_table_10_private.csv", "--output", "out.csv"]].concat(),
        1,
    );
    assert_eq!(desk.read("out.csv"), desk.read("thesis_table_10_private.csv"));
    assert_eq!((&document["figures"]["rows_recovered"], &document["output"]), (&json!(12), &json!("out.csv")));
    let ran = said(&desk, &[&UNSORTED[..], &["--top", "2"]].concat(), 1);
    assert!(ran.out.contains("... and 10 more; --top N lists more"), "{}", ran.out);
}

#[test]
fn an_input_is_never_overwritten() {
    let desk = table_10();
    bad(&desk, &[&UNSORTED[..], &["--output", UNSORTED[1]]].concat(), "would be overwritten");
}

const TABLE_11: [&str; 13] = [
    "complementary",
    "thesis_table_11_first_release.csv",
    "thesis_table_11_second_release.csv",
    "--on",
    "Problema",
    "--hierarchy",
    "Etnia=thesis_table_10_ethnicity.csv",
    "--hierarchy",
    "C. Postal=thesis_table_10_postal_code.csv",
    "--hierarchy",
    "Nacimiento=thesis_table_11_birth.csv",
    "--hierarchy",
    "Sexo=thesis_table_11_sex.csv",
];

#[test]
fn thesis_table_11_complementary_gives_the_linking_table_and_its_two_unique_tuples() {
    let desk = desk(&[
        "thesis_table_11_first_release.csv",
        "thesis_table_11_second_release.csv",
        "thesis_table_11_linking_table.csv",
        "thesis_table_10_ethnicity.csv",
        "thesis_table_10_postal_code.csv",
        "thesis_table_11_birth.csv",
        "thesis_table_11_sex.csv",
    ]);
    let document = attacked(&desk, &[&TABLE_11[..], &["--output", "linking.csv"]].concat(), 1);
    assert_eq!(desk.read("linking.csv"), desk.read("thesis_table_11_linking_table.csv"));
    let tuple = |finding: &Value| {
        let value = |part: &str, name: &str| finding[part][name].as_str().map(str::to_owned).unwrap_or_default();
        [
            value("who", "Etnia"),
            value("who", "Nacimiento"),
            value("who", "Sexo"),
            value("who", "C. Postal"),
            value("learned", "Problema"),
        ]
    };
    let tuples: Vec<_> =
        document["findings"].as_array().map(|findings| findings.iter().map(tuple).collect()).unwrap_or_default();
    assert_eq!(
        tuples,
        [
            ["rapanui", "1964", "masculino", "05345", "falta de aliento"],
            ["rapanui", "1965", "femenino", "05346", "hipertensión"]
        ]
    );
}

fn table_12(rest: &[&str], code: i32) -> Value {
    let desk = desk(&["thesis_table_12_homogeneity.csv"]);
    let (kind, rest) = rest.split_first().expect("an attack");
    let table = [kind, "thesis_table_12_homogeneity.csv", "--quasi", CLASS, "--sensitive", "Problema"];
    attacked(&desk, &[&table[..], rest].concat(), code)
}

#[test]
fn thesis_table_12_homogeneity_finds_the_class_with_the_flu() {
    let document = table_12(&["homogeneity"], 1);
    assert_eq!(document["at_risk"], 3);
    assert_eq!(document["findings"][0]["who"], json!({ "Edad": "< 50", "Codigo postal": "054**" }));
    assert_eq!(document["findings"][0]["learned"], json!({ "Problema": "gripe" }));
    assert_eq!(table_12(&["homogeneity", "--share", "0.6"], 1)["at_risk"], 9);
}

#[test]
fn thesis_table_13_background_knowledge_leaves_back_pain() {
    let document = table_12(&["background", "--rules-out", "vómitos", "--where", "Edad=≥ 50"], 1);
    let old = document["findings"].as_array().and_then(|findings| {
        findings.iter().find(|finding| finding["who"] == json!({ "Edad": "≥ 50", "Codigo postal": "054**" })).cloned()
    });
    assert_eq!(old.map(|finding| finding["learned"].clone()), Some(json!({ "Problema": "dolor de espalda" })));
    assert_eq!(document["figures"]["people_by_power"], json!({ "1": 6 }));
    assert_eq!(table_12(&["background", "--power", "0"], 1)["at_risk"], 3, "the flu needs no knowledge");
    assert_eq!(table_12(&["background", "--power", "1"], 1)["at_risk"], 9);
}

#[test]
fn skewness_compares_classes_with_the_table() {
    let document = table_12(&["skewness", "--factor", "3", "--gain", "0.5"], 1);
    assert_eq!(document["findings"].as_array().map(Vec::len), Some(1));
    assert_eq!(document["figures"]["largest_gain"], 1.0 - 4.0 / 12.0);
    assert_eq!(table_12(&["skewness", "--values", "obesidad", "--gain", "0.3"], 0)["at_risk"], 0);
}

#[test]
fn thesis_table_16_similarity_finds_low_salaries_and_stomach_diseases() {
    let desk = desk(&["thesis_table_16_similarity.csv", "thesis_table_16_salary.csv", "thesis_table_16_disease.csv"]);
    for (column, file, meaning) in
        [("Salario", "thesis_table_16_salary.csv", "[3-5]"), ("Enfermedad", "thesis_table_16_disease.csv", "estómago")]
    {
        let hierarchy = format!("{column}={file}");
        let table = ["similarity", "thesis_table_16_similarity.csv", "--quasi", CLASS, "--sensitive", column];
        let document = attacked(&desk, &[&table[..], &["--hierarchy", &hierarchy]].concat(), 1);
        assert_eq!(document["at_risk"], 3);
        assert_eq!(document["findings"][0]["who"], json!({ "Edad": "40", "Codigo postal": "0538*" }));
        assert_eq!(document["findings"][0]["learned"], json!({ column: meaning }));
        bad(&desk, &table, "give one with --hierarchy");
        bad(&desk, &[&table[..], &["--hierarchy", &hierarchy, "--level", "3"]].concat(), "has levels 1 to 2");
    }
}

#[test]
fn downcoding_undoes_pairs_that_were_generalized_row_by_row() {
    let desk = desk(&["downcoding_release.csv", "downcoding_age.csv"]);
    let attack =
        ["downcoding", "downcoding_release.csv", "--quasi", "age", "--k", "2", "--hierarchy", "age=downcoding_age.csv"];
    assert_eq!(attacked(&desk, &attack, 0)["at_risk"], 0);
    let document = attacked(&desk, &[&attack[..], &["--recoding", "local"]].concat(), 1);
    assert_eq!(document["figures"]["classes_undone"], 2);
    assert_eq!(document["findings"][0]["learned"], json!({ "age = 20-29": "1", "age = 30-39": "1" }));
    desk.write("large.csv", format!("age\n{}", "*\n20-39\n".repeat(3)));
    bad(
        &desk,
        &["downcoding", "large.csv", "--quasi", "age", "--k", "2", "--hierarchy", "age=downcoding_age.csv"],
        "3 suppressed rows",
    );
    bad(&desk, &attack[..6], "give them with --hierarchy");
}

#[test]
fn what_cannot_be_thought_through_is_refused() {
    let desk = Desk::new();
    let ages: Vec<String> = (0..60).map(|age| format!("{age};all")).collect();
    desk.write("age.csv", ages.join("\n"));
    desk.write("released.csv", format!("age\n{}", "all\n".repeat(500)));
    let attack = [
        "downcoding",
        "released.csv",
        "--quasi",
        "age",
        "--k",
        "2",
        "--hierarchy",
        "age=age.csv",
        "--recoding",
        "local",
    ];
    bad(&desk, &attack, "in more than 200000 ways");
}

#[test]
fn wong_2007_minimality_is_certain_where_the_release_promises_a_half() {
    let desk = desk(&["wong_2007_release.csv", "wong_2007_people.csv", "wong_2007_qid.csv"]);
    let attack = [
        "minimality",
        "wong_2007_release.csv",
        "--external",
        "wong_2007_people.csv",
        "--quasi",
        "QID",
        "--sensitive",
        "Disease",
        "--l",
        "2",
        "--hierarchy",
        "QID=wong_2007_qid.csv",
    ];
    let document = attacked(&desk, &[&attack[..], &["--values", "HIV"]].concat(), 1);
    assert_eq!((&document["at_risk"], &document["people"]), (&json!(2), &json!(7)));
    assert_eq!(document["findings"][0]["who"], json!({ "QID": "q1" }));
    assert_eq!(document["findings"][0]["probability"], 1.0);
    assert_eq!(document["figures"]["promised_probability"], 0.5);
    bad(&desk, &attack, "the values of `Disease` that matter");
    desk.write("wong_2007_people.csv", "QID\nq1\nq2\n");
    bad(&desk, &[&attack[..], &["--values", "HIV"]].concat(), "has 2 people where the release has 7 rows");
}

#[test]
fn membership_tells_who_is_certainly_there() {
    let desk = Desk::new();
    desk.write("released.csv", "zip,disease\n1,flu\n2,flu\n2,cold\n");
    desk.write("population.csv", "name,zip\nAda,1\nBob,1\nCid,2\nDora,2\nEve,3\n");
    let attack = ["membership", "released.csv", "population.csv", "--on", "zip", "--identify", "name"];
    let document = attacked(&desk, &attack, 1);
    let named: Vec<&str> = document["findings"]
        .as_array()
        .map(|findings| findings.iter().filter_map(|finding| finding["who"]["name"].as_str()).collect())
        .unwrap_or_default();
    assert_eq!(named, ["Cid", "Dora", "Eve"]);
    assert_eq!(
        (&document["figures"]["certainly_present"], &document["figures"]["certainly_absent"]),
        (&json!(2), &json!(1))
    );
    attacked(&desk, &[&attack[..], &["--min", "0", "--max", "1"]].concat(), 0);
    desk.write("released.csv", "zip,disease\n1,flu\n2,flu\n2,cold\n*,gout\n");
    let document = attacked(&desk, &attack, 1);
    // Of the people with 1 and 3, one is in a row of their own, and another is in the suppressed row: Eve is as likely as the other two.
    assert_eq!(
        (&document["figures"]["certainly_absent"], &document["figures"]["least_probability"]),
        (&json!(0), &json!(0.5))
    );
    assert!(
        document["notes"][0].as_str().is_some_and(|note| note.contains("1 suppressed row could be about anybody")),
        "{document}"
    );
    bad(&desk, &[&attack[..], &["--min", "0.6", "--max", "0.4"]].concat(), "expected 0 <= min <= max <= 1");
}

#[test]
fn bad_input_is_a_sentence() {
    let desk = desk(&["thesis_table_12_homogeneity.csv", "age.csv", "hierarchy_with_two_parents.csv"]);
    let table = "thesis_table_12_homogeneity.csv";
    bad(&desk, &["homogeneity", "none.csv", "--quasi", "Edad", "--sensitive", "Problema"], "cannot open");
    bad(
        &desk,
        &["homogeneity", table, "--quasi", "Age", "--sensitive", "Problema"],
        "has no column `Age`; its columns are `Edad`",
    );
    bad(
        &desk,
        &["homogeneity", table, "--quasi", "Edad", "--sensitive", "Edad"],
        "both quasi-identifying and sensitive",
    );
    bad(&desk, &["homogeneity", table, "--quasi", "Edad", "--sensitive", "Problema", "--share", "0"], "the share is 0");
    let background = ["background", table, "--quasi", "Edad", "--sensitive", "Problema"];
    bad(&desk, &[&background[..], &["--rules-out", "tos"]].concat(), "`tos` is to be ruled out, but no row has it");
    bad(&desk, &[&background[..], &["--power", "1", "--where", "Edad"]].concat(), "expected COLUMN=VALUE");
    bad(&desk, &[&background[..], &["--power", "1", "--where", "Edad=7"]].concat(), "no row of the table fits");
    bad(&desk, &[&background[..], &["--power", "1", "--where", "Sexo=7"]].concat(), "not among the quasi-identifiers");
    let skewness = ["skewness", table, "--quasi", "Edad", "--sensitive", "Problema"];
    bad(&desk, &[&skewness[..], &["--factor", "0.5"]].concat(), "the factor is 0.5");
    let linkage = ["linkage", table, table, "--on", "Edad"];
    bad(&desk, &[&linkage[..], &["--hierarchy", "Edad"]].concat(), "expected COLUMN=FILE");
    bad(&desk, &[&linkage[..], &["--hierarchy", "Sexo=age.csv"]].concat(), "`Sexo`, which is not among Edad");
    bad(
        &desk,
        &[&linkage[..], &["--hierarchy", "Edad=hierarchy_with_two_parents.csv"]].concat(),
        "other labels than line",
    );
    assert_eq!(said(&desk, &background, 2).out, "", "one kind of knowledge is needed");
}

#[test]
fn a_million_rows_are_joined_in_linear_time() {
    let desk = Desk::new();
    let place = |person: u32| (person % 5_000, person / 5_000 % 100);
    let person = |person: u32| {
        let (zip, age) = place(person);
        format!("{person},{zip},{age}\n")
    };
    let row = |person: u32| {
        let (zip, age) = place(person);
        format!("{zip},{age},d{}\n", person % 7)
    };
    let people: String = ["name,zip,age\n".to_owned()].into_iter().chain((0..1_000_000).map(person)).collect();
    let released: String = ["zip,age,disease\n".to_owned()].into_iter().chain((0..1_000_000).map(row)).collect();
    desk.write("people.csv", people).write("released.csv", released);
    let document = attacked(&desk, &["linkage", "released.csv", "people.csv", "--on", "zip,age", "--top", "3"], 0);
    assert_eq!(
        (&document["figures"]["matched"], &document["figures"]["least_candidates"]),
        (&json!(1_000_000), &json!(2))
    );
    let document = attacked(&desk, &["membership", "released.csv", "people.csv", "--on", "zip,age", "--top", "3"], 1);
    assert_eq!((&document["at_risk"], &document["more"]), (&json!(1_000_000), &json!(999_997)));
}

#[test]
fn sentences_are_about_one_person_and_missing_values_too() {
    let desk = Desk::new();
    desk.write("one.csv", "a,s\n,flu\n").write("gaps.csv", "a,s\n,flu\n,\n1,\n1,cold\n");
    let ran = said(&desk, &["homogeneity", "one.csv", "--quasi", "a", "--sensitive", "s"], 1);
    assert!(ran.out.contains("1 of 1 person is in classes"), "{}", ran.out);
    assert!(ran.out.contains("The only person with a missing has s = flu."), "{}", ran.out);
    let background = ["background", "gaps.csv", "--quasi", "a", "--sensitive", "s", "--power", "1"];
    let ran = said(&desk, &background, 1);
    assert!(ran.out.contains("Whoever has a missing certainly has s"), "{}", ran.out);
    assert!(!ran.out.contains("=  "), "{}", ran.out);
    desk.write("register.csv", "who,a\n,1\nAda,2\n").write("release.csv", "a,s\n1,flu\n2,cold\n");
    let ran = said(&desk, &["linkage", "release.csv", "register.csv", "--on", "a", "--identify", "who"], 1);
    assert!(ran.out.contains("Person 1 of the external table (a = 1) fits only row 1"), "{}", ran.out);
}
