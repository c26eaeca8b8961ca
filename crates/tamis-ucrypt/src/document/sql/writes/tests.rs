use super::*;
use crate::document::rows::{Charset, Column, Columns};

fn selectors() -> [Columns; 1] {
    let column = Column { column: "dis".into(), field: "dis".into(), required: true };
    [Columns {
        source: "public.t".into(),
        table: "t".into(),
        key: "id".into(),
        columns: vec![column],
        element: "UCRYPT".into(),
    }]
}

#[test]
fn values_for_a_selected_table_are_found_wherever_they_stand() {
    let selectors = selectors();
    for dialect in [Dialect::PostgreSql, Dialect::MySql, Dialect::Standard] {
        let tables = Tables::new(dialect, Charset::default(), &selectors);
        for text in [
            "INSERT INTO t VALUES (5, 'x')",
            "insert into public.\"t\" (dis) values (5)",
            "BEGIN; IF a THEN REPLACE t SET dis = 'x'; END IF; END",
            "INSERT OR IGNORE INTO t SELECT true",
            "UPDATE ONLY public.t SET dis = 'x'",
            "SELECT 'x' AS a INTO t",
            "BEGIN SELECT 1 INTO public.t FROM u; END",
            "EXECUTE 'INSERT INTO t VALUES (''x'')'",
            "COPY t FROM 'file'",
            "DELETE FROM t WHERE dis = 'x'",
            "INSERT INTO t (id, dis) VALUES (a, 'x')",
            "INSERT INTO t (id, name) VALUES (a, b), (c, d) ON DUPLICATE KEY UPDATE dis = 'x'",
            "INSERT INTO t (id, dis) SELECT a, 'x'",
            "INSERT INTO t SELECT a WHERE b = 1 UNION SELECT 5",
            "CREATE TRIGGER a BEFORE INSERT ON t FOR EACH ROW SET NEW.name = 'y', NEW.dis = 'x'",
            "BEGIN IF a THEN NEW.\"dis\" := 'x'; END IF; END",
            "EXECUTE format('INSERT INTO %I VALUES (5, %L)', 't', 'x')",
        ] {
            assert_eq!(written_in(text.as_bytes(), &tables, true), Some(0), "{text} {dialect:?}");
        }
        for text in [
            "INSERT INTO t VALUES (NEW.id, NEW.dis)",
            "INSERT INTO archive.t VALUES (5, 'x')",
            "INSERT INTO u VALUES (5, 'x')",
            "UPDATE t SET visits = visits + 1",
            "CREATE TRIGGER a BEFORE INSERT OR UPDATE OF dis ON t FOR EACH ROW WHEN (NEW.a = 'x')",
            "GRANT INSERT, UPDATE ON t TO u; SELECT 'x'",
            "INSERT INTO t SELECT dis FROM t; SELECT 'x'",
            "ON UPDATE CASCADE t 'x'",
            "DELETE FROM t WHERE id = 5",
            "INSERT INTO t (id, name, dis) VALUES (a, 'new', d), (b, f('x', 1), e)",
            "INSERT INTO t (id, dis) SELECT a, b FROM u WHERE ok = 1",
            "UPDATE t SET dis = b WHERE name = 'x'",
            "UPDATE t SET dis = coalesce(note, '') || b",
            "BEGIN IF NEW.dis IS NULL THEN RAISE EXCEPTION 'no value'; END IF; END",
            "INSERT INTO u VALUES (5, NEW.dis, 'x')",
            "IF a = 5 THEN INSERT INTO t VALUES (NEW.id); END IF",
        ] {
            assert_eq!(written_in(text.as_bytes(), &tables, true), None, "{text} {dialect:?}");
        }
        assert_eq!(written_in(b" INSERT INTO t VALUES", &tables, false), Some(0));
        assert_eq!(written_in(b" Data for Name: t; Type: TABLE DATA", &tables, false), None);
    }
    let tables = Tables::new(Dialect::PostgreSql, Charset::default(), &selectors);
    let block = b"DO $a$ BEGIN EXECUTE $b$ INSERT INTO t VALUES (5, E'x\\'') $b$; END $a$";
    assert_eq!(written_in(block, &tables, true), Some(0));
}

#[test]
fn sqlite_takes_a_string_for_a_name_where_one_is_expected() {
    let selectors = selectors();
    let tables = Tables::new(Dialect::Sqlite, Charset::default(), &selectors);
    for text in [
        "CREATE TRIGGER a AFTER INSERT ON o BEGIN INSERT INTO 't' VALUES (5, 'x'); END",
        "CREATE TRIGGER a AFTER INSERT ON o BEGIN UPDATE 'T' SET 'dis' = 'x'; END",
    ] {
        assert_eq!(written_in(text.as_bytes(), &tables, true), Some(0), "{text}");
    }
    let log = "CREATE TRIGGER a AFTER INSERT ON o BEGIN INSERT INTO 'log' VALUES ('t', 'x'); END";
    assert_eq!(written_in(log.as_bytes(), &tables, true), None);
}
