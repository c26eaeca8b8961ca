//! A policy of two tables, and documents that have one of them or both.

use crate::holders::*;

/// Two tables, and documents of which some have the one only.
fn surgery() -> crate::program::Desk {
    let desk = desk();
    let table = |name: &str, key: &str, record: &str, field: &str| {
        format!(
            "[[table]]\nname = \"{name}\"\nkey = \"{key}\"\nrecord = \"/r/{record}\"\nrecord_key = \"{key}\"\n\
            [[table.field]]\nname = \"{field}\"\n"
        )
    };
    desk.write("v.toml", table("pacjenci", "Id", "p", "Nazwisko") + &table("wizyty", "Nr", "w", "Choroba"));
    desk.done("ucrypt policy new v.upolicy -p 2 --holder patient.upub --holder doctor.upub --fields v.toml");
    desk.write("pacjenci.csv", "Id,Nazwisko,Choroba\n1,Pyc,flu\n");
    let patients = "<p><Id>1</Id><Nazwisko>Pyc</Nazwisko><Choroba>flu</Choroba></p>";
    desk.write("one.xml", format!("<r>{patients}</r>"));
    desk.write("both.xml", format!("<r>{patients}<w><Nr>7</Nr><Choroba>gout</Choroba></w></r>"));
    let patients = "CREATE TABLE pacjenci (\"Id\" int, \"Nazwisko\" text, \"Choroba\" text);\n\
        INSERT INTO pacjenci VALUES (1, 'Pyc', 'flu');\n";
    let visits = "CREATE TABLE wizyty (\"Nr\" int, \"Choroba\" text);\nINSERT INTO wizyty VALUES (7, 'gout');\n";
    for (name, dump) in [("one", patients.to_owned()), ("both", format!("{patients}{visits}"))] {
        desk.write(&format!("{name}.sql"), &dump);
        let database = rusqlite::Connection::open(desk.path(&format!("{name}.db"))).expect("a database");
        database.execute_batch(&dump).expect("rows");
    }
    desk
}

#[test]
fn a_field_of_another_table_than_the_document_has_is_not_passed_over() {
    let desk = surgery();
    for document in ["pacjenci.csv", "one.xml", "one.sql", "one.db"] {
        let kind = document.rsplit('.').next().expect("a kind");
        for how in [
            format!("--record 1 --field Choroba -o out.{kind}"),
            format!("--all --field Choroba -o out.{kind}"),
            "--all --field Choroba --in-place".to_owned(),
            format!("--all --field Nazwisko --field Choroba -o out.{kind}"),
        ] {
            let words = ["record has the field \"Choroba\"", "nothing was sealed"];
            assert_refused(&desk, &format!("ucrypt seal v.upolicy {document} {how}"), 2, &words);
        }
        desk.done(&format!("ucrypt seal v.upolicy {document} --all --field Nazwisko -o {document}.{kind}"));
    }
    // The table is there, and none of its records is meant, or another table is.
    for kind in ["xml", "sql", "db"] {
        let seal = format!("ucrypt seal v.upolicy both.{kind} -o out.{kind} --field Choroba");
        for which in ["--record 1", "--record 1 --field Nazwisko", "--all --table pacjenci", "--where Id=1"] {
            let words = ["record has the field \"Choroba\"", "nothing was sealed"];
            assert_refused(&desk, &format!("{seal} {which}"), 2, &words);
        }
        assert_eq!(desk.json(&format!("{seal} --all"), 0)["sealed"], 1, "{kind}");
        std::fs::remove_file(desk.path(&format!("out.{kind}"))).expect("it was written");
    }
}

/// One mistake has one exit code, in every kind of document and however records are chosen.
#[test]
fn two_records_with_one_key_are_named_with_their_line() {
    let desk = surgery();
    desk.write("two.csv", "Id,Nazwisko\n5,Pyc\n5,Nowak\n");
    let dump = "CREATE TABLE pacjenci (\"Id\" int, \"Nazwisko\" text);\n\
        INSERT INTO pacjenci VALUES (5, 'Pyc'),\n(5, 'Nowak');\n";
    desk.write("two.sql", dump);
    rusqlite::Connection::open(desk.path("two.db")).expect("a database").execute_batch(dump).expect("rows");
    let record = "<p><Id>5</Id><Nazwisko>Pyc</Nazwisko></p>";
    desk.write("two.xml", format!("<r>{record}\n\n{record}</r>"));
    for kind in KINDS {
        for which in ["--all", "--record 5", "--where Id=5"] {
            let seal = format!("ucrypt seal v.upolicy two.{kind} -o out.{kind} --table pacjenci {which}");
            let said = assert_refused(&desk, &seal, 2, &["another record", "same key"]);
            let place = if kind == "db" { "record 5" } else { "line 3, " };
            assert!(said.contains(place) && said.contains("record") && said.contains('5'), "{said}");
        }
    }
    // In two runs as in one.
    let first = "<p><Id>5</Id><Nazwisko>Nowak</Nazwisko></p>";
    desk.write("later.xml", format!("<r>{first}</r>"));
    desk.done("ucrypt seal v.upolicy later.xml --all --in-place --field Nazwisko");
    desk.write("later.xml", desk.read("later.xml").replace("</r>", &format!("{record}</r>")));
    let again = "ucrypt seal v.upolicy later.xml --all --in-place --field Nazwisko";
    assert_refused(&desk, again, 2, &["record \"5\"", "same key"]);
}
