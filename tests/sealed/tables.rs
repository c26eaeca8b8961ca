//! Policies of several tables, whose documents are named and written each in its own way.

use crate::holders::*;
use crate::program::Desk;
use rusqlite::Connection;

const TABLES: &str = r#"
[[table]]
name = "patients"
key = "Id"
[[table.field]]
name = "Disease"

[[table]]
name = "visits"
key = "Nr"
[[table.field]]
name = "Doctor"
[[table.field]]
name = "Miejscowość"
"#;

/// Doctors and places of visits, in windows-1250: Łukasz Żak of Łódź, and Bąk of Świdnica.
const VISITS: &[u8] = b"Nr;Doctor;Miejscowo\x9C\xE6\n1;\xA3ukasz \xAFak;\xA3\xF3d\x9F\n2;B\xB9k;\x8Cwidnica\n";
const PATIENTS: &str = "Id,Disease\n5,Żółtaczka\n";
/// The columns of both tables.
const WIDE: &str = "Id,Nr,Disease,Doctor,Miejscowość\n1,1,a,b,c\n";

/// Two tables in files whose names do not say which they are, sealed.
fn tables() -> Desk {
    let desk = desk();
    desk.write("tables.toml", TABLES).write("january.csv", PATIENTS).write("2019.csv", VISITS).write("wide.csv", WIDE);
    new_policy(&desk, "t.upolicy", "tables.toml");
    desk.done("ucrypt seal t.upolicy january.csv -o a.csv --all");
    desk.done("ucrypt seal t.upolicy 2019.csv -o b=1.csv --record 1 --encoding windows-1250");
    desk
}

fn assert_both_open(desk: &Desk, holders: &[&str]) {
    let with = with(holders);
    desk.done(&format!("ucrypt open t.upolicy a.csv -o a.open.csv{with}"));
    desk.done(&format!("ucrypt open t.upolicy b=1.csv -o b.open.csv --encoding windows-1250{with}"));
    for (opened, plain) in [("a.open.csv", PATIENTS.as_bytes()), ("b.open.csv", VISITS)] {
        assert!(desk.bytes(opened) == plain, "{opened}");
        std::fs::remove_file(desk.path(opened)).expect("it was written");
    }
}

#[test]
fn tables_in_oddly_named_files_of_two_encodings_are_rotated_together() {
    let desk = tables();
    assert_both_open(&desk, &["patient", "doctor"]);
    let pair = with(&["patient", "doctor"]);
    desk.done(&format!("ucrypt rotate t.upolicy a.csv b=1.csv --full --encoding b=1.csv=windows-1250{pair}"));
    assert_both_open(&desk, &["doctor", "payer"]);
    // Everything said, for each document and for the others.
    let said = "--table a.csv=patients --table b=1.csv=visits --encoding utf-8 --encoding b=1.csv=windows-1250 --delimiter , --delimiter b=1.csv=;";
    desk.done(&format!("ucrypt rotate t.upolicy a.csv b=1.csv --full {said}{pair}"));
    assert_both_open(&desk, &["doctor", "payer"]);
    desk.done(&format!("ucrypt remove-holder t.upolicy payer a.csv b=1.csv --encoding b=1.csv=windows-1250{pair}"));
    assert_both_open(&desk, &["patient", "doctor"]);
}

#[test]
fn documents_whose_names_do_not_say_what_they_are_are_rotated_together() {
    let desk = sealed_desk();
    let dump = r"INSERT INTO pacjenci (Id, Nazwisko, Zawód, Miasto, Choroba) VALUES (5, 'it\'s', 'b', 'c', 'd');";
    desk.write("dump", dump);
    desk.done("ucrypt seal p.upolicy dump -o c --kind sql --dialect mysql --record 5");
    for (kind, name) in [("xml", "a"), ("csv", "b"), ("db", "d")] {
        std::fs::copy(desk.path(&format!("sealed.{kind}")), desk.path(name)).expect("a copy");
    }
    std::fs::copy(desk.path("sealed.csv.ukeys"), desk.path("b.ukeys")).expect("a copy");
    let pair = with(&["doctor", "payer"]);
    let said = "--kind csv --kind a=xml --kind c=sql --kind d=sqlite --dialect c=mysql";
    desk.done(&format!("ucrypt rotate p.upolicy a b c d --full {said}{pair}"));
    desk.done(&format!("ucrypt open p.upolicy c -o opened --kind sql --dialect mysql{pair}"));
    assert_eq!(desk.read("opened").lines().last(), Some(dump));
    for (kind, name) in [("xml", "a"), ("csv", "b"), ("sqlite", "d")] {
        let plain = if kind == "sqlite" { "db" } else { kind };
        desk.done(&format!("ucrypt open p.upolicy {name} -o opened.{plain} --kind {kind}{pair}"));
        assert_plain(&desk, &format!("{name}.{plain}"));
    }
}

#[test]
fn a_setting_is_for_a_document_that_is_named_and_said_once() {
    let desk = tables();
    let rotate = format!("ucrypt rotate t.upolicy a.csv b=1.csv --full{}", with(&["patient", "doctor"]));
    for (settings, words) in [
        ("--table c.csv=visits", ["--table c.csv=visits", "no document"]),
        ("--encoding c.csv=windows-1250", ["--encoding c.csv=windows-1250", "no document"]),
        ("--delimiter c.csv=;", ["--delimiter c.csv=;", "no document"]),
        ("--table a.csv=patients --table a.csv=visits", ["--table", "a.csv twice"]),
        ("--encoding utf-8 --encoding windows-1250", ["--encoding", "all documents twice"]),
        ("--table a.csv=nothing", ["no table", "nothing"]),
        ("--encoding b=1.csv=klingon", ["klingon", "not offered"]),
        ("--delimiter b=1.csv==", ["b=1.csv", "line 2"]),
        ("--kind c.csv=xml", ["--kind c.csv=xml", "no document"]),
        ("--kind a.csv=html", ["--kind html", "xml, csv, sql, sqlite"]),
        ("--dialect oracle", ["--dialect oracle", "standard, postgresql, mysql, sqlite"]),
    ] {
        assert_refused(&desk, &format!("{rotate} {settings}"), 2, &words);
    }
    let soft =
        format!("ucrypt remove-holder t.upolicy payer --soft --table a.csv=visits{}", with(&["patient", "doctor"]));
    assert_refused(&desk, &soft, 2, &["no document", "a.csv"]);
    assert_both_open(&desk, &["patient", "doctor"]);
}

#[test]
fn refusals_say_which_file_is_meant_and_what_to_say() {
    let desk = tables();
    desk.write("other.csv", "Id,Name\n1,a\n");
    for (document, why) in [("wide.csv", "more than one of them"), ("other.csv", "none of them")] {
        let seal = format!("ucrypt seal t.upolicy {document} -o out.csv --all");
        assert_refused(&desk, &seal, 2, &[document, "patients, visits", why, "--table"]);
    }
    desk.done("ucrypt seal t.upolicy wide.csv -o wide.sealed.csv --all --table visits");
    let pair = with(&["patient", "doctor"]);
    let rotate = format!("ucrypt rotate t.upolicy a.csv b=1.csv --full{pair}");
    assert_refused(&desk, &rotate, 2, &["b=1.csv", "UTF-8", "--encoding"]);
    desk.done(&format!("ucrypt remove-holder t.upolicy payer --soft{pair}"));
    let few = format!("ucrypt remove-holder t.upolicy doctor --soft{pair}");
    assert_refused(&desk, &few, 2, &["smaller threshold", "rotate -p"]);
}

#[test]
fn a_condition_is_about_the_table_that_the_file_is() {
    let desk = tables();
    // Nr is the key of the other table, and an ordinary column here.
    desk.write("numbered.csv", "Id,Nr,Disease\n5,7,flu\n7,5,gout\n");
    desk.done("ucrypt seal t.upolicy numbered.csv -o some.csv --where Nr=7");
    let sealed = desk.read("some.csv");
    assert!(sealed.contains("5,7,\"<UCRYPT") && sealed.contains("7,5,gout"), "{sealed}");
}

/// The records of tables that are known by the column of a condition, and those of the others that have the value in it.
#[test]
fn a_condition_on_the_key_of_one_table_is_none_on_the_keys_of_others() {
    let desk = tables();
    let dump = "CREATE TABLE patients (\"Id\" INTEGER, \"Nr\" INTEGER, \"Disease\" TEXT);\n\
        INSERT INTO patients VALUES (5, 7, 'flu'), (7, 5, 'gout'), (8, 7, 'cold');\n\
        CREATE TABLE visits (\"Nr\" INTEGER, \"Doctor\" TEXT, \"Miejscowość\" TEXT);\n\
        INSERT INTO visits VALUES (5, 'Pyc', 'Opole'), (7, 'Nowak', 'Brzeg');\n";
    desk.write("two.sql", dump);
    Connection::open(desk.path("two.db")).expect("a database").execute_batch(dump).expect("rows");
    let values = |database: &Connection| -> String {
        let query = "SELECT group_concat(value, ' ') FROM (SELECT Disease AS value FROM patients UNION ALL SELECT Doctor FROM visits)";
        let all: String = database.query_row(query, [], |row| row.get(0)).expect("rows");
        all.replace("</UCRYPT>", "<UCRYPT").split("<UCRYPT").step_by(2).collect::<Vec<_>>().join("#")
    };
    for kind in ["sql", "db"] {
        let sealed = desk.json(&format!("ucrypt seal t.upolicy two.{kind} -o some.{kind} --where Nr=7"), 0);
        assert_eq!(sealed["sealed"], 4, "{kind}");
        let database = if kind == "db" {
            Connection::open(desk.path("some.db")).expect("a database")
        } else {
            let loaded = Connection::open_in_memory().expect("a database");
            loaded.execute_batch(&desk.read("some.sql")).expect("rows");
            loaded
        };
        assert_eq!(values(&database), "# gout # Pyc #", "{kind}");
    }
    // A key that no record of its table has, and a value that no record of the other has.
    for kind in ["sql", "db"] {
        let none = format!("ucrypt seal t.upolicy two.{kind} -o none.{kind} --where Nr=8");
        assert_refused(&desk, &none, 2, &["that value in \"Nr\"", "nothing was sealed"]);
    }
}

#[test]
fn a_condition_concerns_the_tables_that_have_its_column() {
    let desk = tables();
    let dump = "CREATE TABLE patients (Id int, Disease text);\nINSERT INTO patients VALUES (5,'flu');\n\
        CREATE TABLE visits (Nr int, Doctor text, \"Miejscowość\" text, ward text);\n\
        INSERT INTO visits VALUES (5,'Bąk','Opole','east'),(6,'Żak','Brzeg','west');\n";
    desk.write("both.sql", dump);
    rusqlite::Connection::open(desk.path("both.db")).expect("a database").execute_batch(dump).expect("rows");
    for kind in ["sql", "db"] {
        let seal = format!("ucrypt seal t.upolicy both.{kind} -o sealed.{kind}");
        assert_eq!(desk.json(&format!("{seal} --where ward=east"), 0)["sealed"], 2, "{kind}");
        // A column by which one table knows its records, and which the other does not have.
        assert_eq!(desk.json(&format!("{seal} --where Nr=6"), 0)["sealed"], 2, "{kind}");
        assert_eq!(desk.json(&format!("{seal} --where Disease=flu"), 0)["sealed"], 1, "{kind}");
        std::fs::remove_file(desk.path(&format!("sealed.{kind}"))).expect("it was written");
        let words = ["no table has the column \"wing\"", "Id, Disease", "Doctor, Miejscowość, ward"];
        assert_refused(&desk, &format!("{seal} --where wing=east"), 2, &words);
        assert_refused(&desk, &format!("{seal} --where ward=north"), 2, &["that value in \"ward\""]);
    }
}

#[test]
fn a_condition_compares_what_a_reader_of_xml_finds() {
    let desk = desk();
    let record = |(number, form): (usize, &&str)| {
        format!(
            "<pacjent k='{}'><Id>{number}</Id><Nazwisko>x</Nazwisko><Zawód/><Miasto/><Choroba>{form}</Choroba></pacjent>",
            number % 2
        )
    };
    let met = ["AIDS", "<![CDATA[AIDS]]>", "AI&#68;S", "<!-- a -->AIDS", "A<![CDATA[ID]]>S", "AIDS<?a b?>"];
    let others = ["AIDS ", "<b>AIDS</b>", "AI<b/>DS", "AIDS > b", "a\r\nb", "", "<![CDATA[]]>", "<!-- AIDS -->"];
    let records: String = met.iter().chain(&others).enumerate().map(record).collect();
    desk.write("forms.xml", format!("<pacjenci>{}</pacjenci>", records.replace("<Choroba></Choroba>", "<Choroba/>")));
    for (condition, count) in [
        ("Choroba=AIDS", met.len()),
        ("Choroba=AIDS > b", 1),
        ("Choroba=a\nb", 0),
        ("Choroba=", 3),
        ("@k=1", 7),
        ("Zawód=", 14),
    ] {
        desk.write("condition", condition);
        let seal = "ucrypt seal p.upolicy forms.xml -o sealed.xml --where-file condition";
        if count == 0 {
            assert_refused(&desk, seal, 2, &["that value in"]);
            continue;
        }
        assert_eq!(desk.json(seal, 0)["sealed"], 4 * count, "{condition}");
        std::fs::remove_file(desk.path("sealed.xml")).expect("it was written");
    }
}
