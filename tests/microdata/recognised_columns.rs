//! `init` and `risk` ask one recogniser what a column is: a column that one of them wants left out, the other leaves out.

use crate::program::Desk;
use serde_json::Value;

pub(crate) const ROWS: usize = 80;

/// Columns by what they hold, beside an age.
pub(crate) fn desk(columns: &[(&str, &dyn Fn(usize) -> String)]) -> Desk {
    let desk = Desk::new();
    let names: Vec<&str> = columns.iter().map(|&(name, _)| name).collect();
    let mut text = format!("age;{}\n", names.join(";"));
    for row in 0..ROWS {
        let values: Vec<String> = columns.iter().map(|(_, value)| format!("\"{}\"", value(row))).collect();
        text.extend([&*(20 + row % 40).to_string(), ";", &*values.join(";"), "\n"]);
    }
    desk.write("people.csv", text);
    desk
}

/// Every column but the age, with its role and whether `risk` wants it left out.
fn judged(desk: &Desk) -> Vec<(String, String, bool)> {
    let roles = desk.json("init people.csv --output policy.toml --force", 0);
    let risk = desk.json("risk people.csv --quasi age", 0);
    let list = |value: &Value| value.as_array().expect("a list").clone();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let flags = list(&risk["hipaa"]);
    let is_left_out = |name: &str| {
        let mut remedies = flags.iter().filter(|flag| flag["column"] == name).map(|flag| text(&flag["remedy"]));
        remedies.any(|remedy| remedy.starts_with("leave the column out"))
    };
    let columns = list(&roles["columns"]).into_iter().filter(|column| column["name"] != "age");
    columns
        .map(|column| {
            let name = text(&column["name"]);
            let left_out = is_left_out(&name);
            (name, text(&column["role"]), left_out)
        })
        .collect()
}

pub(crate) fn assert_agree(desk: &Desk) -> Vec<(String, String, bool)> {
    let judged = judged(desk);
    for (name, role, left_out) in &judged {
        assert_eq!(role == "identifying", *left_out, "init calls {name} {role}, risk leaves it out: {left_out}");
    }
    judged
}

#[test]
fn init_and_risk_agree_on_the_names_of_columns_in_five_languages() {
    let left_out = "tel website konto license vin device serial photo fingerprint insurance_number Nachname Vorname nom prénom name \
        surname phone2 Telefonnummer teléfono courriel e-mail ssn RUN PESEL passport Reisepass mrn id_paciente polisa cuenta compte \
        Kontonummer iban Führerschein patente Kennzeichen immatriculation urządzenie Seriennummer url strona ip_address iris huella \
        Fingerabdruck foto zdjęcie Lichtbild uuid identyfikator Kennung identifiant address calle ulica Straße rue fax patientId";
    let kept = "zip city birth_date fecha_nacimiento Geburtsdatum naissance miasto ville diagnosis choroba Krankheit maladie salary sex \
        Geschlecht marital_status cell_count region occupation education wiek edad ward height";
    let value = |row: usize| format!("v{}", row * 7 % 8);
    let names: Vec<&str> = left_out.split_whitespace().chain(kept.split_whitespace()).collect();
    let columns: Vec<(&str, &dyn Fn(usize) -> String)> =
        names.iter().map(|&name| (name, &value as &dyn Fn(usize) -> String)).collect();
    for (name, role, is_left_out) in assert_agree(&desk(&columns)) {
        let expected = left_out.split_whitespace().any(|listed| listed == name);
        assert_eq!(is_left_out, expected, "{name} is {role}");
    }
}

/// What somebody may have typed in.
const SENTENCES: [&str; 6] = [
    "Patient complains of pain in the left arm after a fall",
    "Vor drei Wochen operiert von Dr. Weber, jetzt Fieber",
    "Llamó su hija María Pérez para cambiar la cita del martes",
    "no remarks",
    "seen by Dr Smith, follow-up in two weeks and blood test",
    "Wizyta kontrolna u Jana Kowalskiego, skierowanie do kardiologa",
];

fn sentence(row: usize) -> String {
    SENTENCES[row * 5 % 6].to_owned()
}

#[test]
fn free_text_is_left_out_however_it_recurs_and_whatever_its_column_is_called() {
    let own = |row: usize| format!("{} {row}", sentence(row));
    let twice = |row: usize| format!("{} {}", sentence(row), row / 2);
    let some = |row: usize| if row.is_multiple_of(15) { own(row) } else { "none".to_owned() };
    let few = |row: usize| if row.is_multiple_of(15) { own(row) } else { "NA".to_owned() };
    let empty = |row: usize| if row.is_multiple_of(10) { own(row) } else { String::new() };
    let called = |row: usize| if row == 3 { "flu, ask +48 22 123 45 67".to_owned() } else { "flu".to_owned() };
    let titled = |row: usize| if row < 9 { "HIV, tell Dr. Weber".to_owned() } else { "asthma".to_owned() };
    let unspaced = |row: usize| {
        ["患者は左腕の痛みを訴えている。田中医師に紹介。", "来週再診。娘の佐藤花子から電話。"][row % 2].to_owned()
    };
    let lines = |row: usize| format!("line one\nline two {}", row % 4);
    let columns: [(&str, &dyn Fn(usize) -> String); 12] = [
        ("x1", &own),
        ("x2", &twice),
        ("x3", &some),
        ("x4", &few),
        ("x5", &empty),
        ("x6", &sentence),
        ("diagnosis", &sentence),
        ("diagnosis 2", &own),
        ("salary_note", &called),
        ("result", &titled),
        ("x7", &unspaced),
        ("city", &lines),
    ];
    let desk = desk(&columns);
    for (name, role, is_left_out) in assert_agree(&desk) {
        assert!(is_left_out, "{name} is {role}");
    }
    desk.done("anonymize policy.toml --output out.csv --seed 1");
    assert!(desk.read("out.csv").starts_with("age\n"), "{}", desk.read("out.csv"));
}

#[test]
fn init_and_risk_agree_on_what_columns_hold() {
    let uuid = |row: usize| format!("{:08x}-7dec-41d0-a765-00a0c91e{:04x}", row * 7919, row);
    let third = |row: usize| if row.is_multiple_of(3) { uuid(row) } else { String::new() };
    let most = |row: usize| if row % 10 < 7 { format!("K{}", row * 37) } else { "NA".to_owned() };
    let mail = |row: usize| format!("p{}@example.cl", row / 4);
    let phone = |row: usize| format!("+56 9 8765 43{:02}", row / 4);
    let label = |row: usize| {
        ["J45 Asthma bronchiale, nicht allergisch", "I10 Essentielle Hypertonie ohne Angabe", "E11 Diabetes"][row % 3]
            .to_owned()
    };
    let day = |row: usize| format!("2020-{:02}-{:02}", 1 + row % 12, 1 + row % 28);
    let number = |row: usize| (row * 911).to_string();
    let zip = |row: usize| format!("{:05}", 10_000 + row % 9);
    let columns: [(&str, &dyn Fn(usize) -> String); 12] = [
        ("a", &uuid),
        ("b", &third),
        ("c", &most),
        ("d", &mail),
        ("diagnosis", &mail),
        ("e", &phone),
        ("icd", &label),
        ("f", &label),
        ("g", &day),
        ("salary", &number),
        ("h", &number),
        ("i", &zip),
    ];
    let left_out: Vec<String> =
        assert_agree(&desk(&columns)).into_iter().filter(|judged| judged.2).map(|(name, ..)| name).collect();
    assert_eq!(left_out, ["a", "b", "c", "d", "diagnosis", "e", "h"]);
}

/// The columns that are left out, of columns whose values recur.
fn left_out_of(cells: &[(&str, [&str; 4])]) -> Vec<String> {
    let values: Vec<_> = cells.iter().map(|(_, cells)| move |row: usize| cells[row % 4].to_owned()).collect();
    let columns: Vec<(&str, &dyn Fn(usize) -> String)> =
        cells.iter().zip(&values).map(|(&(name, _), value)| (name, value as &dyn Fn(usize) -> String)).collect();
    assert_agree(&desk(&columns)).into_iter().filter(|judged| judged.2).map(|(name, ..)| name).collect()
}

#[test]
fn addresses_and_numbers_of_people_are_found_among_other_words() {
    let cells = [
        ("several", ["ana1@x.org, luis1@x.org", "a@x.org,b@x.org", "c@x.org / d@x.org", "e@x.org f@x.org"]),
        ("comma", ["a@x.org,", "b@x.org,", "c@x.org,", "d@x.org,"]),
        ("angles", ["<a@x.org>", "<b@x.org>", "<c@x.org>", "<d@x.org>"]),
        ("brackets", ["(a@x.org)", "[b@x.org]", "'c@x.org'", "(d@x.org)."]),
        ("scheme", ["mailto:a@x.org", "mailto:b@x.org", "MAILTO:c@x.org", "e-mail: d@x.org"]),
        ("named", ["Ana ana@x.org", "Luis luis@x.org", "Eva <eva@x.org>", "Pia pia@x.org"]),
        ("machine", ["ana@localhost", "luis@localhost", "eva@intranet", "pia@localhost"]),
        ("spelled", ["a(at)x.org", "b (at) x.org", "c[at]x.org", "d(at)x(dot)org"]),
        (
            "calls",
            ["600 123 400 / 600 123 500", "600 123 401 / 600 123 501", "600 123 402", "600 123 403 / 91 123 45 67"],
        ),
        ("link", ["tel:+34600123400", "tel:+34600123401", "tel:+34600123402", "tel:600123403"]),
        ("call", ["Ana 212-555-0123", "Luis +34 600 123 400", "Handy 600123400", "(212) 555-0123 evenings"]),
        ("dni", ["DNI 12345678Z", "DNI: 12.345.678-z", "NIE X1234567L", "DNI 12345678Z, Ana"]),
        ("run", ["RUN 12.345.678-5", "RUT:12345678-5", "(10.000.013-K)", "RUN 12345678-5"]),
        ("pesel number", ["PESEL 44051401359", "PESEL: 02070803628", "44051401359 (Ana)", "PESEL=44051401359"]),
        ("konto", ["de89370400440532013000", "IBAN DE89 3704 0044 0532 0130 00", "pl61109010140000071219812874", "-"]),
        ("card", ["Visa 4111 1111 1111 1111", "card 378282246310005", "Visa 4111-1111-1111-1111", "n/a"]),
        ("page", ["see www.example.org/ana", "<https://example.org/b>", "www.example.org, www.example.com", "none"]),
    ];
    let names: Vec<&str> = cells.iter().map(|&(name, _)| name).collect();
    assert_eq!(left_out_of(&cells), names);
}

#[test]
fn ordinary_words_amounts_ranges_dates_and_codes_are_no_addresses_or_numbers_of_people() {
    let cells = [
        ("icd", ["ICD-10 J45.0", "ICD-10 E11.9", "I10", "C50.911 (left)"]),
        ("range", ["10000-15000 EUR", "15000-20000 EUR", "18 000 - 25 000 EUR", "over 100 000"]),
        ("wide", ["100 000-150 000 EUR", "150 000-200 000 EUR", "from 100 000 to 200 000", "1 250 000 EUR"]),
        ("amount", ["1.250.000,00 EUR", "1,250,000.00 USD", "12 500 000 zl", "3500 CLP"]),
        ("years", ["born 1990-1999", "born 2000-2009", "born 1980-1989", "before 1980"]),
        ("seen", ["from 2020-01-02 on", "until 05/06/2020", "since 2019", "on 1.2.2020"]),
        ("dose", ["2 x 500 mg @ noon", "1 x 250 mg @ 8:30", "none", "3 kg @ 5.20"]),
        ("lot", ["INV-2020-00123", "INV-2020-00124", "LOT 2020-17", "INV-2021-00001"]),
        ("place", ["52.2297 N 21.0122 E", "40.4168 N 3.7038 W", "33.4489 S", "0 E"]),
        ("version", ["v 1.2", "v 1.3-beta", "build 20200102", "v 2.0"]),
    ];
    assert_eq!(left_out_of(&cells), Vec::<String>::new());
}

#[test]
fn short_notes_beside_a_filler_are_free_text() {
    let people = ["Ana Garcia", "Luis Perez", "Eva Ruiz", "Pia Lopez"];
    let notes = |row: usize| match row % 10 {
        7 => format!("lives with {} nearby", people[row / 10 % 4]),
        _ => "ok".to_owned(),
    };
    let each = |row: usize| if row % 10 == 7 { format!("lives with Ana Garcia {row}") } else { "fine".to_owned() };
    let label = |row: usize| if row.is_multiple_of(4) { "other, or not known to us" } else { "yes" }.to_owned();
    let three = |row: usize| match row % 10 {
        7 => "never seen in hospital".to_owned(),
        8 => "seen once in hospital".to_owned(),
        9 => "seen often in hospital".to_owned(),
        _ => "no".to_owned(),
    };
    let columns: [(&str, &dyn Fn(usize) -> String); 4] = [("a", &notes), ("b", &each), ("c", &label), ("d", &three)];
    let left_out: Vec<String> =
        assert_agree(&desk(&columns)).into_iter().filter(|judged| judged.2).map(|(name, ..)| name).collect();
    assert_eq!(left_out, ["a", "b"]);
}
