//! Sealed fields in a sensitive column: a value of their own for diversity, which is told, and nothing that an attacker learns.

use crate::program::Desk;
use serde_json::{Value, json};

const COLUMNS: &str = "--quasi Miasto --sensitive Choroba";

fn sealed(row: usize) -> String {
    format!("\"<UCRYPT cipher=\"\"A256GCM\"\" v=\"\"1\"\" pol=\"\"p\"\" kid=\"\"k\"\">AA{row}</UCRYPT>\"")
}

/// Five people in A, all with AIDS, and four in B with three diseases; `is_sealed` says whose disease is sealed.
fn desk(is_sealed: impl Fn(usize) -> bool) -> Desk {
    let diseases = ["AIDS", "AIDS", "AIDS", "AIDS", "AIDS", "flu", "cough", "flu", "cold"];
    let rows = diseases.into_iter().enumerate().map(|(row, disease)| {
        let disease = if is_sealed(row) { sealed(row) } else { disease.to_owned() };
        format!("{},{disease}\n", if row < 5 { "A" } else { "B" })
    });
    let table = std::iter::once("Miasto,Choroba\n".to_owned()).chain(rows).collect::<String>();
    let desk = Desk::new();
    desk.write("s.csv", table);
    desk
}

fn one_sealed() -> Desk {
    desk(|row| row == 2)
}

fn document(desk: &Desk, arguments: &str, code: i32) -> Value {
    let ran = desk.tamis(&format!("{arguments} --json"));
    assert_eq!(ran.code, code, "{arguments}: {ran:?}");
    ran.document()
}

/// Asserts that a command says a note, and puts it into its document too.
fn assert_noted(desk: &Desk, arguments: &str, note: &str) {
    let ran = desk.tamis(arguments);
    assert!(ran.err.contains(&format!("note: {note}\n")), "{arguments}: {}", ran.err);
    let notes = desk.tamis(&format!("{arguments} --json")).document()["notes"].clone();
    assert!(notes.as_array().is_some_and(|notes| notes.contains(&json!(note))), "{arguments}: {notes}");
}

#[test]
fn check_says_what_diversity_owes_to_sealed_values() {
    let check = format!("check s.csv {COLUMNS} --require l=2");
    let desk = one_sealed();
    let note = "`Choroba` is sealed in 1 of 9 rows; sealed values count as one value of their own, which can make diversity look higher \
                than what is visible; without them the least diverse class has l = 1";
    assert_noted(&desk, &check, note);
    let figures = &document(&desk, &check, 0)["sensitive"]["Choroba"];
    assert_eq!((&figures["distinct_l"], &figures["visible_l"]), (&json!(2), &json!(1)));
}

#[test]
fn check_has_no_visible_diversity_where_nothing_or_everything_is_sealed() {
    let check = format!("check s.csv {COLUMNS}");
    let plain = document(&desk(|_| false), &check, 0);
    assert_eq!((&plain["notes"], plain["sensitive"]["Choroba"].get("visible_l")), (&json!([]), None));
    let desk = desk(|_| true);
    assert_noted(
        &desk,
        &check,
        "`Choroba` is sealed in 9 of 9 rows; sealed values count as one value of their own, which can make diversity look higher than \
         what is visible",
    );
    assert_eq!(document(&desk, &check, 0)["sensitive"]["Choroba"].get("visible_l"), None);
}

#[test]
fn sealed_rows_of_the_reference_are_not_counted() {
    let desk = one_sealed();
    desk.write("before.csv", format!("Choroba\nAIDS\nflu\ncough\ncold\n{}\n{}\n", sealed(1), sealed(2)));
    let notes = document(&desk, &format!("check s.csv {COLUMNS} --reference before.csv"), 0)["notes"].to_string();
    assert!(notes.contains("`Choroba` is sealed in 1 of 9 rows"), "{notes}");
}

#[test]
fn sealed_values_that_a_model_names_itself_are_told() {
    let check = "check s.csv --quasi Miasto --model xy-anonymity:x=Miasto,y=Choroba,k=2";
    let notes = document(&one_sealed(), check, 0)["notes"].to_string();
    assert!(notes.contains("`Choroba` is sealed in 1 of 9 rows"), "{notes}");
}

#[test]
fn anonymize_says_that_sealed_values_count() {
    let desk = one_sealed();
    desk.write(
        "p.toml",
        r#"
        [input]
        path = "s.csv"
        [attributes.Miasto]
        role = "quasi-identifying"
        [attributes.Choroba]
        role = "sensitive"
        [[models]]
        kind = "distinct-l-diversity"
        l = 2
        "#,
    );
    assert_noted(
        &desk,
        "anonymize p.toml",
        "`Choroba` is sealed in 1 of 9 rows; sealed values count as one value of their own, which can make diversity look higher than \
         what is visible",
    );
}

const LEFT_OUT: &str = "sealed in 1 of 9 rows; whoever has the table alone does not learn sealed values, so the attack is tried on the others";

#[test]
fn visible_values_that_agree_are_found_beside_sealed_ones() {
    let desk = one_sealed();
    let attack = format!("attack homogeneity s.csv {COLUMNS}");
    let found = document(&desk, &attack, 1);
    assert_eq!((&found["people"], &found["at_risk"], &found["succeeds"]), (&json!(9), &json!(4), &json!(true)));
    assert_eq!(found["figures"], json!({ "classes": 2, "homogeneous_classes": 1, "k": 4 }));
    assert_eq!(found["findings"][0]["learned"], json!({ "Choroba": "AIDS" }));
    assert_eq!(
        found["findings"][0]["sentence"],
        "All 4 people with Miasto = A and a Choroba that is not sealed have Choroba = AIDS."
    );
    assert_eq!(
        found["summary"],
        "4 of 9 people are exposed, in classes in which everybody whose value is not sealed has the same Choroba (1 of 2 classes)."
    );
    assert_noted(&desk, &attack, &format!("`Choroba` is {LEFT_OUT}"));
    assert_eq!(document(&desk, &format!("{attack} --share 0.5"), 1)["at_risk"], 8);
}

#[test]
fn a_single_visible_value_is_found_too() {
    let found = document(&desk(|row| row < 4), &format!("attack homogeneity s.csv {COLUMNS}"), 1);
    assert_eq!(found["at_risk"], 1);
    assert_eq!(
        found["findings"][0]["sentence"],
        "The only person with Miasto = A and a Choroba that is not sealed has Choroba = AIDS."
    );
}

#[test]
fn nothing_is_learned_where_everything_is_sealed() {
    let desk = desk(|_| true);
    desk.write("meaning.csv", "AIDS;severe;*\nflu;mild;*\n");
    for attack in ["homogeneity", "background --power 1", "skewness", "similarity --hierarchy Choroba=meaning.csv"] {
        let (kind, options) = attack.split_once(' ').unwrap_or((attack, ""));
        let arguments = format!("attack {kind} s.csv {COLUMNS} {options}");
        let found = document(&desk, &arguments, 0);
        assert_eq!((&found["people"], &found["at_risk"]), (&json!(9), &json!(0)), "{attack}");
        let ran = desk.tamis(&arguments);
        assert!(ran.out.ends_with("The attack fails.\n"), "{attack}: {}", ran.out);
    }
    let found = document(&desk, &format!("attack background s.csv {COLUMNS} --power 1"), 0);
    assert_eq!(
        (&found["figures"]["least_power"], &found["summary"]),
        (&Value::Null, &json!("The Choroba of 0 of 9 people follows."))
    );
}

#[test]
fn what_is_left_of_a_class_is_told_by_its_visible_values() {
    let desk = desk(|row| row == 2 || row == 6);
    let found = document(&desk, &format!("attack background s.csv {COLUMNS} --rules-out flu"), 1);
    assert_eq!((&found["at_risk"], &found["findings"][0]["learned"]["Choroba"]), (&json!(3), &json!("cold")));
    assert_eq!(
        found["findings"][0]["sentence"],
        "Whoever has Miasto = B and a Choroba that is not sealed certainly has Choroba = cold once flu is ruled out."
    );
}

#[test]
fn skewness_compares_visible_values() {
    let desk = one_sealed();
    desk.write("before.csv", format!("Choroba\nAIDS\nflu\ncough\ncold\n{}\n", sealed(1)));
    let attack = format!("attack skewness s.csv {COLUMNS}");
    let found = document(&desk, &attack, 1);
    assert_eq!((&found["at_risk"], &found["figures"]["largest_factor"]), (&json!(8), &json!(2.0)));
    assert_eq!(document(&desk, &format!("{attack} --reference before.csv"), 1)["figures"]["largest_factor"], 4.0);
    // The table before it was sealed has no sealed value.
    desk.write("plain.csv", "Choroba\nAIDS\nflu\ncough\ncold\n");
    assert_eq!(document(&desk, &format!("{attack} --reference plain.csv"), 1)["figures"]["largest_factor"], 4.0);
}

#[test]
fn similarity_needs_no_label_of_sealed_values() {
    let desk = desk(|row| row == 2 || row == 8);
    desk.write("meaning.csv", "AIDS;severe;*\nflu;chest;*\ncough;chest;*\n");
    let found = document(&desk, &format!("attack similarity s.csv {COLUMNS} --hierarchy Choroba=meaning.csv"), 1);
    assert_eq!(found["at_risk"], 3);
    assert_eq!(
        found["findings"][0]["sentence"],
        "All 3 people with Miasto = B and a Choroba that is not sealed have a value of Choroba that means chest: flu, cough."
    );
}
