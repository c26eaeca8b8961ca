//! Fields, columns and elements with names that could be taken for one another, and tables that lack some of them.

use crate::holders::*;
use crate::program::Desk;
use rusqlite::Connection;

/// A policy whose field `dis` is the column `DIAGNOSIS`, and a table that has a column `dis` beside it.
const TWO_OF_A_NAME: &str = r#"
[[table]]
name = "t"
key = "id"
[[table.field]]
name = "dis"
column = "DIAGNOSIS"
[[table.field]]
name = "note"
path = "note"
"#;

fn desk_of_names() -> Desk {
    let desk = desk();
    desk.write("names.toml", TWO_OF_A_NAME);
    new_policy(&desk, "n.upolicy", "names.toml");
    desk.write("n.csv", "id,DIAGNOSIS,dis\n1,gout,cold\n2,flu,flu\n");
    let dump = "CREATE TABLE t (id int, \"DIAGNOSIS\" text, dis text);\nINSERT INTO t VALUES (1, 'gout', 'cold'), (2, 'flu', 'flu');\n";
    desk.write("n.sql", dump);
    Connection::open(desk.path("n.db")).expect("a database").execute_batch(dump).expect("rows");
    desk
}

fn rows_of_names(desk: &Desk, name: &str) -> Vec<(i64, String, String)> {
    let database = Connection::open(desk.path(name)).expect("a database");
    let mut statement = database.prepare("SELECT id, \"DIAGNOSIS\", dis FROM t ORDER BY id").expect("a table");
    let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
    statement.query_map([], row).expect("rows").collect::<Result<_, _>>().expect("rows")
}

#[test]
fn a_table_without_a_column_of_the_policy_is_sealed_by_the_other_fields_and_opens() {
    let desk = desk_of_names();
    let both = with(&["patient", "payer"]);
    for kind in ["csv", "sql", "db"] {
        let all = format!("ucrypt seal n.upolicy n.{kind} -o all.{kind} --all");
        assert_refused(&desk, &all, 2, &["no column note", "\"DIAGNOSIS\"", "--field"]);
        desk.done(&format!(
            "ucrypt seal n.upolicy n.{kind} -o some.{kind} --all --field dis --allow-readable namesakes"
        ));
        desk.done(&format!("ucrypt inspect some.{kind} --policy n.upolicy"));
        desk.done(&format!("ucrypt rotate n.upolicy some.{kind} --full{both}"));
        desk.done(&format!("ucrypt open n.upolicy some.{kind} -o opened.{kind}{both}"));
        if kind == "db" {
            assert_eq!(rows_of_names(&desk, "opened.db"), rows_of_names(&desk, "n.db"));
        } else {
            assert_eq!(desk.read(&format!("opened.{kind}")), desk.read(&format!("n.{kind}")));
        }
    }
}

#[test]
fn a_cell_that_is_moved_into_a_column_with_the_name_of_its_field_does_not_open() {
    let desk = desk_of_names();
    let both = with(&["patient", "payer"]);
    for kind in ["csv", "sql", "db"] {
        desk.done(&format!(
            "ucrypt seal n.upolicy n.{kind} -o moved.{kind} --record 1 --field dis --allow-readable namesakes"
        ));
        if kind == "db" {
            let database = Connection::open(desk.path("moved.db")).expect("a database");
            let moving = "UPDATE t SET dis = \"DIAGNOSIS\", \"DIAGNOSIS\" = 'flu' WHERE id = 1";
            assert_eq!(database.execute(moving, []).expect("an update"), 1);
        } else {
            let (before, between, cold, flu) =
                if kind == "csv" { ("\n1,", ",", "cold", "flu") } else { ("(1, ", ", ", "'cold'", "'flu'") };
            let text = desk.read(&format!("moved.{kind}"));
            let (head, rest) = text.split_once(before).expect("the record");
            let (cell, tail) = rest.split_once(&format!("{between}{cold}")).expect("the column behind the cell");
            desk.write(&format!("moved.{kind}"), format!("{head}{before}{flu}{between}{cell}{tail}"));
        }
        let open = format!("ucrypt open n.upolicy moved.{kind} -o opened.{kind}{both}");
        assert_refused(&desk, &open, 5, &[&format!("moved.{kind}"), "\"1\""]);
    }
}

#[test]
fn a_grant_of_a_field_reaches_no_field_whose_name_only_begins_alike() {
    let desk = desk();
    let field = |name: &str, column: &str| format!("[[table.field]]\nname = \"{name}\"\ncolumn = \"{column}\"\n");
    let table = "[[table]]\nname = \"t\"\nkey = \"id\"\n";
    desk.write("r.toml", format!("{table}{}{}", field("result", "a"), field("result[HIV]", "b")));
    new_policy(&desk, "r.upolicy", "r.toml");
    desk.write("r.csv", "id,a,b\n1,first,second\n");
    desk.done("ucrypt seal r.upolicy r.csv -o sealed-r.csv --all");
    desk.done("ucrypt keygen reader");
    let both = with(&["patient", "payer"]);
    desk.done(&format!("ucrypt open r.upolicy sealed-r.csv --grant result --to reader.upub -o r.ugrant{both}"));
    desk.done("ucrypt open r.upolicy sealed-r.csv --granted r.ugrant --with reader.ukey -o read.csv");
    let read = desk.read("read.csv");
    assert!(read.contains("1,first,") && !read.contains("second"), "{read}");

    for name in ["a[2]", "./a", "/a"] {
        desk.write("bad.toml", format!("{table}{}", field(name, "a")));
        let new = "ucrypt policy new bad.upolicy -p 2 --holder patient.upub --holder doctor.upub --fields bad.toml";
        assert_refused(&desk, new, 2, &["name[2]"]);
    }
}

#[test]
fn cells_are_not_bound_to_records_that_have_no_key() {
    let desk = desk();
    let fields = "[[table]]\nname = \"p\"\nrecord = \"/pacjenci/pacjent\"\n[[table.field]]\nname = \"Choroba\"\n";
    desk.write("keyless.toml", fields);
    new_policy(&desk, "k.upolicy", "keyless.toml --bind f");
    assert_refused(&desk, "ucrypt seal k.upolicy plain.xml -o out.xml --all --bind rf", 2, &["\"p\"", "record_key"]);
    desk.done("ucrypt seal k.upolicy plain.xml -o out.xml --all");
}

#[test]
fn a_table_with_its_schema_is_found_where_there_are_no_schemas() {
    let desk = desk();
    desk.write("schema.toml", FIELDS.replacen("key = \"Id\"", "source = \"public.pacjenci\"\nkey = \"Id\"", 1));
    new_policy(&desk, "s.upolicy", "schema.toml");
    for kind in ["sql", "db"] {
        desk.done(&format!("ucrypt seal s.upolicy plain.{kind} -o s.{kind} --record 5"));
        assert_opens(&desk, "s.upolicy", &format!("s.{kind}"), &["doctor", "payer"]);
    }
    // Another way to write the name of a table must not leave anything readable.
    for name in ["public .pacjenci", "public/**/.pacjenci", "public. pacjenci", "pacjenci"] {
        desk.write("update.sql", format!("{}UPDATE {name} SET \"Miasto\" = 'Brzeg';\n", sql()));
        assert_refused(
            &desk,
            "ucrypt seal s.upolicy update.sql -o out.sql --all",
            2,
            &["line 12", "this statement may put values into public.pacjenci"],
        );
    }
}

#[test]
fn a_second_field_of_a_record_is_opened_and_granted_by_its_name() {
    let desk = desk();
    desk.write(
        "twice.xml",
        xml().replace("<Choroba>Podagra</Choroba>", "<Choroba>gout</Choroba><Choroba>flu</Choroba>"),
    );
    desk.done("ucrypt seal p.upolicy twice.xml -o sealed.xml --record 5");
    let both = with(&["doctor", "payer"]);
    desk.done(&format!("ucrypt open p.upolicy sealed.xml -o one.xml --field Choroba[2]{both}"));
    let one = desk.read("one.xml");
    assert!(one.contains("<Choroba>flu</Choroba>") && !one.contains("gout"), "{one}");
    assert_refused(&desk, "ucrypt seal p.upolicy twice.xml -o s.xml --all --field Choroba[2]", 2, &["Choroba[2]"]);
    let ran = desk.done(&format!("ucrypt open p.upolicy sealed.xml -o one.xml --record 5 --record 55{both}"));
    assert!(ran.err.contains("\"55\""), "{ran:?}");
    desk.done("ucrypt keygen reader");
    let grant = format!("ucrypt open p.upolicy sealed.xml -o g.ugrant --grant Choroba --to reader.upub{both}");
    assert_refused(&desk, &format!("{grant} --record 55"), 2, &["Choroba of record \"55\""]);
}
