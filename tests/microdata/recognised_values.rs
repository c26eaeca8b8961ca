//! What points at somebody is not released by default, in however few rows it stands and whatever its column is called.

use super::recognised_columns::{ROWS, assert_agree, desk};

/// Names that say something else than what is in the column.
const NAMES: &str = "diagnosis diagnostico choroba salary result zip city birth_date municipio region state x";

/// Asserts that a column with `value` in a single row is left out, whatever it is called.
fn assert_left_out(value: &str, others: &str) {
    let one = |row: usize| if row == ROWS / 2 { value } else { others }.to_owned();
    let columns: Vec<(&str, &dyn Fn(usize) -> String)> =
        NAMES.split_whitespace().map(|name| (name, &one as &dyn Fn(usize) -> String)).collect();
    let desk = desk(&columns);
    for (name, role, is_left_out) in assert_agree(&desk) {
        assert!(is_left_out, "`{value}` in {name}, which is {role}");
    }
    desk.done("anonymize policy.toml --output out.csv --seed 1");
    assert!(!desk.read("out.csv").contains(value), "{value}");
}

#[test]
fn one_address_or_number_that_is_nothing_else_is_enough() {
    for value in [
        "ana.garcia@x.es",
        "flu, ana@x.es",
        "https://example.org/people/7",
        "12345678Z",
        "gripe 12.345.678-Z",
        "flu 44051401359",
        "44051401359",
        "12.345.678-5",
        "123-45-6789",
        "DE89 3704 0044 0532 0130 00",
        "pl61109010140000071219812874",
        "4111 1111 1111 1111",
        "Visa 4111-1111-1111-1111",
        "+34 602 603 062",
        "flu +48221234567",
        "0034 602 603 062",
        "(212) 555-0123",
        "flu, call 602603062",
        "flu-12345678Z",
        "flu_12345678Z",
        "flu {dni12345678Z}",
        "f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
        "00:1A:2B:3C:4D:5E",
    ] {
        assert_left_out(value, "flu");
    }
}

#[test]
fn one_note_about_somebody_is_enough() {
    for value in [
        "gripe, hermano del paciente 12345678Z",
        "HIV (Dr.Weber)",
        "HIV, dr Kowalski",
        "flu, brother of mayor Juan Perez",
        "gripe, vecina de Ana Ruiz",
        "flu, wife works at the post office",
        "called_his_wife_at_home_in_the_evening",
        "called,his,wife,at,home,in,the,evening",
        "{\"\"name\"\":\"\"Ana\"\"}",
    ] {
        let unquoted = value.replace("\"\"", "\"");
        let one = |row: usize| if row == 7 { value } else { "flu" }.to_owned();
        let columns: [(&str, &dyn Fn(usize) -> String); 2] = [("diagnosis", &one), ("x", &one)];
        for (name, role, is_left_out) in assert_agree(&desk(&columns)) {
            assert!(is_left_out, "`{unquoted}` in {name}, which is {role}");
        }
    }
}

#[test]
fn a_few_notes_among_categories_are_enough() {
    let notes = ["asked for an HIV test", "lives alone since march", "refuses any blood transfusion"];
    let some = |row: usize| match row % 30 {
        7 => notes[row / 30].to_owned(),
        _ => ["flu", "cold", "chronic kidney disease"][row % 3].to_owned(),
    };
    let columns: [(&str, &dyn Fn(usize) -> String); 2] = [("diagnosis", &some), ("x", &some)];
    assert!(assert_agree(&desk(&columns)).iter().all(|(.., is_left_out)| *is_left_out));
}

#[test]
fn whole_columns_of_what_points_at_people_are_left_out_whatever_they_are_called() {
    let uuid = |row: usize| format!("{:08x}-7dec-41d0-a765-00a0c91e{:04x}", row % 10 * 7919, row % 10);
    let phone = |row: usize| format!("+34 602 603 0{:02}", row % 9);
    let plain_phone = |row: usize| format!("212-555-01{:02}", row % 9);
    let card = |row: usize| ["4111 1111 1111 1111", "5500 0000 0000 0004"][row % 2].to_owned();
    let mac = |row: usize| format!("00:1A:2B:3C:4D:{row:02X}");
    let name = |row: usize| {
        let (first, last) = (["Ana", "Luis", "Eva", "Jan"], ["Gil", "Ruiz", "Kowalska", "Weber", "Moreau"]);
        format!("{} {} {}", first[row % 4], last[row / 4 % 5], ["Soto", "Diaz", "Vega", "Leon"][row / 20])
    };
    let kinds: [&dyn Fn(usize) -> String; 6] = [&uuid, &phone, &plain_phone, &card, &mac, &name];
    for kind in kinds {
        let names = format!("{NAMES} religion occupation postcode");
        let columns: Vec<(&str, &dyn Fn(usize) -> String)> =
            names.split_whitespace().map(|name| (name, kind)).collect();
        for (name, role, is_left_out) in assert_agree(&desk(&columns)) {
            assert!(is_left_out, "{} in {name}, which is {role}", kind(3));
        }
    }
}

#[test]
fn columns_for_comments_are_free_text() {
    let names = "comentarios comentario notas observaciones uwagi komentarz comments free_text remarks Bemerkung";
    let short = |row: usize| ["ok", "avisar a Luis", "fine"][row % 3].to_owned();
    let columns: Vec<(&str, &dyn Fn(usize) -> String)> =
        names.split_whitespace().map(|name| (name, &short as &dyn Fn(usize) -> String)).collect();
    for (name, role, is_left_out) in assert_agree(&desk(&columns)) {
        assert!(is_left_out, "{name} is {role}");
    }
    let number = |row: usize| (row * 7).to_string();
    let names = "nss num_expediente kod_pacjenta";
    let columns: Vec<(&str, &dyn Fn(usize) -> String)> =
        names.split_whitespace().map(|name| (name, &number as &dyn Fn(usize) -> String)).collect();
    assert!(assert_agree(&desk(&columns)).iter().all(|(.., is_left_out)| *is_left_out));
}

#[test]
fn categories_and_numbers_that_look_like_identifiers_by_chance_stay() {
    let of = |values: &'static [&'static str]| move |row: usize| values[row % values.len()].to_owned();
    let diagnoses = of(&["chronic kidney disease", "Type 2 diabetes", "Morbus Crohn", "asthma, mild", "flu"]);
    let rare = |row: usize| if row == 9 { "acute otitis media" } else { "chronic kidney disease" }.to_owned();
    // Some of so many codes pass any check digit.
    let codes = |row: usize| {
        ["123456-1", "123457-2", "123458-3", "123459-4", "12345678-5"][if row == 3 { 4 } else { row % 4 }].to_owned()
    };
    let letters = |row: usize| {
        let (number, is_right) = (10_000_000 + row / 4 * 7919, row == 3);
        let letter = b"TRWAGMYFPDXBNJZSQVHLCKE"[(number + usize::from(!is_right)) % 23];
        format!("{number}{}", char::from(letter))
    };
    let digits = |row: usize| (44_051_401_350_u64 + row as u64 / 8).to_string();
    let cards = |row: usize| (4_111_111_111_111_110_u64 + row as u64 / 8).to_string();
    let pay = |row: usize| format!("1 {} 000", 250 + row % 8);
    let change = |row: usize| format!("+{}", 100 + row % 9);
    let columns: [(&str, &dyn Fn(usize) -> String); 9] = [
        ("diagnosis", &diagnoses),
        ("b", &diagnoses),
        ("icd", &rare),
        ("code", &codes),
        ("lot", &letters),
        ("count", &digits),
        ("total", &cards),
        ("salary", &pay),
        ("change", &change),
    ];
    for (name, role, is_left_out) in assert_agree(&desk(&columns)) {
        assert!(!is_left_out, "{name} is {role}");
    }
}
