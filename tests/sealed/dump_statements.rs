//! Statements, comments and names of a dump behind which a value could stay readable: each is refused by its line, and nothing is written.

use crate::holders::*;
use crate::program::Desk;

const FIELDS: &str = r#"
[[table]]
name = "patients"
key = "id"
[[table.field]]
name = "disease"
"#;

const CREATE: &str = "CREATE TABLE public.patients (id integer, disease text, note text);\n";
const ROWS: &str = "COPY public.patients (id, disease, note) FROM stdin;\n1\tGout\ta\n\\.\n";

fn desk_with(source: &str) -> Desk {
    let desk = desk();
    desk.write("one.toml", FIELDS.replace("key =", &format!("source = \"{source}\"\nkey =")));
    new_policy(&desk, "one.upolicy", "one.toml");
    desk
}

fn assert_all_refused(source: &str, dialect: &str, kind: &str, dumps: &[String]) {
    let desk = desk_with(source);
    for dump in dumps {
        desk.write("dump.sql", dump);
        let seal = format!("ucrypt seal one.upolicy dump.sql --all --dialect {dialect} -o out.sql");
        assert_eq!(desk.tamis(&seal).code, 2, "{dump}");
        let said = assert_refused(&desk, &seal, 2, &["line ", kind]);
        assert!(!said.contains("SECRET"), "{dump}: {said}");
    }
}

fn assert_sealed(desk: &Desk, dialect: &str, dump: &str) {
    desk.write("dump.sql", dump);
    let ran = desk.tamis(&format!("ucrypt seal one.upolicy dump.sql --all --dialect {dialect} -o out.sql"));
    assert_eq!(ran.code, 0, "{dump}: {ran:?}");
    assert!(!desk.read("out.sql").contains("SECRET"), "{dump}");
}

fn behind(dumps: &[&str]) -> Vec<String> {
    dumps.iter().map(|dump| format!("{CREATE}{ROWS}{dump}\n")).collect()
}

const STATEMENTS: &str = "--allow-readable statements";

#[test]
fn a_table_that_was_filled_by_anything_and_becomes_part_of_a_sealed_one_is_refused() {
    let pn = "CREATE TABLE public.pn (id int, disease text, note text);\n";
    let dumps = behind(&[
        &format!("{pn}COPY public.pn FROM stdin CSV;\n9,SECRET,x\n\\.\nALTER TABLE public.pn INHERIT public.patients;"),
        "CREATE TABLE public.pn AS SELECT 9 AS id, 'SECRET' AS disease;\nDROP TABLE public.patients;\nALTER TABLE public.pn RENAME TO patients;",
        "SELECT 9 AS id, 'SECRET' AS disease INTO public.pn;\nALTER TABLE public.patients ATTACH PARTITION public.pn DEFAULT;",
        &format!("{pn}INSERT INTO public.pn SELECT 9, 'SECRET';\nALTER TABLE public.pn INHERIT public.patients;"),
        &format!("{pn}UPDATE public.pn SET disease = 'SECRET';\nALTER TABLE public.pn INHERIT public.patients;"),
        "CREATE MATERIALIZED VIEW public.pn AS SELECT 9 AS id, 'SECRET' AS disease;\nALTER MATERIALIZED VIEW public.pn RENAME TO patients;",
        "ALTER SCHEMA public RENAME TO x;",
    ]);
    assert_all_refused("patients", "postgresql", STATEMENTS, &dumps);
    let old = "CREATE TABLE patients (id int, disease text);\nCREATE TABLE pold (id int, disease text);\nINSERT INTO pold VALUES (9, 'SECRET');\n";
    let dumps = [
        "ALTER TABLE pold RENAME = patients",
        "RENAME TABLE pold WAIT 5 TO patients",
        "ALTER ONLINE TABLE pold RENAME patients",
        "ALTER TABLE patients CONVERT TABLE pold TO PARTITION p1 VALUES LESS THAN (10)",
        "ALTER TABLE pold EXCHANGE PARTITION p0 WITH TABLE patients",
        "RENAME TABLE x TO y AS z",
        "CREATE TABLE x AS SELECT 9 AS id, 'SECRET' AS disease; RENAME TABLE x TO patients",
        "DELIMITER //\nCREATE TABLE x AS SELECT 9 AS id//\nRENAME TABLE x TO patients//\nDELIMITER ;\nSELECT 1",
    ];
    assert_all_refused("patients", "mysql", STATEMENTS, &dumps.map(|dump| format!("{old}{dump};\n")));
    let sqlite =
        "CREATE TABLE x AS SELECT 9 AS id, 'SECRET' AS disease;\nALTER TABLE x RENAME TO patients;\n".to_owned();
    assert_all_refused("patients", "sqlite", STATEMENTS, &[sqlite]);
}

#[test]
fn whatever_runs_when_a_dump_is_loaded_and_is_not_known_to_move_no_rows_is_refused() {
    let dumps = behind(&[
        "DO $$ BEGIN ALTER TABLE public.p1 INHERIT public.patients; END $$;",
        "SELECT 'ALTER TABLE public.patients ATTACH PARTITION public.p1 DEFAULT' \\gexec",
        "CREATE FUNCTION mk(t text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN EXECUTE t; END $$;\nSELECT mk('p1');",
        "CREATE SCHEMA s CREATE TABLE p1 () INHERITS (public.patients);",
        "DO $$ DECLARE t text := 'public.patients'; s text := 'SECRET'; BEGIN EXECUTE format('UPDATE %s SET disease = $1', t) USING s; END $$;",
        "DO E'BEGIN UPDATE pati\\145nts SET disease = ''SECRET''; END';",
        "UPDATE U&\"p\\0061tients\" SET disease = 'SECRET';",
        "CREATE FUNCTION b(d text) RETURNS void LANGUAGE sql AS $$ SELECT a(d) $$;\nSELECT b('SECRET');",
        "CREATE FUNCTION b(d text) RETURNS int LANGUAGE sql AS $$ SELECT a(d) $$;\nINSERT INTO log VALUES (b('SECRET'));",
        "CREATE FUNCTION b(d text) RETURNS int LANGUAGE sql AS $$ SELECT a(d) $$;\nINSERT INTO log VALUES (1) RETURNING b('SECRET');",
        "CREATE OPERATOR ### (FUNCTION = b, LEFTARG = int, RIGHTARG = text);\nSELECT 9 ### 'SECRET';",
        "CALL load_all();",
        "PREPARE p AS SELECT 1; EXECUTE p;",
        "COPY public.staging (id, d) FROM stdin;\n9\tSECRET\n\\.\nDO $$ BEGIN INSERT INTO public.patients (id, disease) SELECT id, d FROM public.staging; END $$;",
        "\\set q 'f(5, 1)'\nSELECT :q;",
    ]);
    assert_all_refused("patients", "postgresql", STATEMENTS, &dumps);
    let create = "CREATE TABLE patients (id int, disease text, note text);\n";
    let dumps = [
        "SET @t = 'patients'; EXECUTE IMMEDIATE CONCAT('UPDATE ', @t, ' SET disease=''SECRET''');",
        "SET @t = CONCAT('INSERT INTO ', 'pat', 'ients VALUES (9,?,1)'); PREPARE s FROM @t; EXECUTE s USING @d;",
        "PREPARE s FROM 'ALTER TABLE patients MODIFY note text AFTER id'; EXECUTE s;",
        "DELIMITER //\nCREATE VIEW v AS SELECT id, note AS disease, disease AS note FROM patients//\nDELIMITER ;\nINSERT INTO v (id, disease) VALUES (9, 'SECRET');",
        "DELIMITER //\nCREATE PROCEDURE p() SELECT 1; UPDATE patients SET disease = 'SECRET'//\nDELIMITER ;\n",
        "DELIMITER //\nCREATE PROCEDURE p() BEGIN SELECT CASE 1 WHEN 1 THEN 2 END; END; UPDATE patients SET disease = 'SECRET'//\nDELIMITER ;\n",
        "BINLOG 'AAAA';",
        "/*!99999 CREATE TABLE x (id int) */;",
    ];
    assert_all_refused("patients", "mysql", STATEMENTS, &dumps.map(|dump| format!("{create}{dump}\n")));
}

#[test]
fn rows_whose_columns_may_be_in_another_order_are_refused() {
    let row = "INSERT INTO patients VALUES (9, 'SECRET', 'x');\n";
    for (dialect, statements) in [
        (
            "postgresql",
            "CREATE TABLE a.patients (id int, disease text, note text);\nCREATE TABLE b.patients (note text, id int, disease text);\nSET search_path = a;\n",
        ),
        (
            "mysql",
            "USE a;\nCREATE TABLE patients (id int, disease text, note text);\nUSE b;\nCREATE TABLE patients (note text, id int, disease text);\nUSE a;\n",
        ),
        (
            "sqlite",
            "CREATE TABLE patients (id, disease, note);\nCREATE TEMP TABLE patients (note, id, disease);\nDROP TABLE temp.patients;\n",
        ),
        (
            "sqlite",
            "CREATE TABLE patients (id, disease, note);\nBEGIN;\nDROP TABLE patients;\nCREATE TABLE patients (note, id, disease);\nROLLBACK;\n",
        ),
        (
            "postgresql",
            "CREATE TABLE patients (id int, key text, disease text);\nALTER TABLE patients DROP key, ADD index text;\n",
        ),
        (
            "mysql",
            "CREATE TABLE patients (id int, disease text, note text);\nDELIMITER //\nALTER TABLE patients MODIFY note text AFTER id//\nDELIMITER ;\n",
        ),
        (
            "mysql",
            "CREATE TABLE patients (id int, disease text, note text);\nDELIMITER //\nDROP TABLE patients//\nCREATE TABLE IF NOT EXISTS patients (note text, id int, disease text)//\nDELIMITER ;\n",
        ),
        ("mysql", "CREATE TABLE patients (id int, /*!99999 note text, */ disease text);\n"),
        (
            "postgresql",
            "CREATE TABLE w (id int, disease text, note text);\nCREATE TABLE patients PARTITION OF w DEFAULT;\nALTER TABLE w RENAME COLUMN note TO n;\n",
        ),
    ] {
        assert_all_refused("patients", dialect, "columns of", &[format!("{statements}{row}")]);
    }
    let dump = "CREATE TABLE patients (id int, disease text, note text);\nINSERT INTO patients /*!99999 (id, note, disease) */ VALUES (9, 'SECRET', 'x');\n";
    assert_all_refused("patients", "mysql", STATEMENTS, &[dump.to_owned()]);
}

#[test]
fn columns_that_swap_their_names_are_refused() {
    let dumps = behind(&[
        "ALTER TABLE public.patients RENAME COLUMN disease TO x;\nALTER TABLE public.patients RENAME COLUMN note TO disease;",
        "CREATE VIEW public.v AS SELECT note AS disease, id, disease AS note FROM public.patients;\nINSERT INTO public.v (disease, id, note) VALUES ('x', 9, 'SECRET');",
        "CREATE TABLE public.p1 (id int, disease text);\nCREATE VIEW public.v AS TABLE public.p1;\nALTER TABLE public.p1 INHERIT public.patients;\nINSERT INTO public.v (id, disease) VALUES (9, 'x');",
    ]);
    assert_all_refused("patients", "postgresql", STATEMENTS, &dumps);
}

#[test]
fn other_spellings_of_a_name_mean_the_same_table() {
    let create = "CREATE TABLE patients (id, disease, note);\nCREATE TABLE o (a);\n";
    let dumps = [
        "CREATE TRIGGER t AFTER INSERT ON o BEGIN INSERT INTO 'patients' VALUES (9, 'SECRET', 'x'); END;\n",
        "CREATE TRIGGER t AFTER INSERT ON o BEGIN UPDATE 'patients' SET 'disease' = 'SECRET'; END;\n",
        "UPDATE 'patients' SET disease = 'SECRET';\n",
        "INSERT INTO sqlite_stat4 VALUES('patients','i','1 1','0 0','0 0',X'03197a666c757839');\n",
    ];
    assert_all_refused("patients", "sqlite", STATEMENTS, &dumps.map(|dump| format!("{create}{dump}")));
    let desk = desk_with("clinic.patients");
    let dump =
        "CREATE TABLE clinic.patients (id int, disease text);\nINSERT INTO v1.clinic.patients VALUES (9, 'SECRET');\n";
    assert_sealed(&desk, "postgresql", dump);
    let child = "CREATE TABLE c () INHERITS (v1.clinic.patients);\nINSERT INTO c (id, disease) VALUES (8, 'SECRET');\n";
    assert_sealed(&desk, "postgresql", &format!("{dump}{child}"));
}

#[test]
fn comments_with_values_beside_rows_of_a_sealed_table_are_refused() {
    let one = "INSERT INTO public.patients VALUES (1, 'Gout', 'a');\n";
    let two = "INSERT INTO public.patients VALUES (2, 'Gout', 'a');\n";
    let mut dumps = vec![
        format!("{CREATE}{one}-- (9, 'SECRET', 'x');\n{two}"),
        format!("{CREATE}{one}/* (9, 5, x) */\n{two}"),
        format!("{CREATE}-- was 'SECRET'\n{two}"),
        format!("{CREATE}{one}-- was 'SECRET'\nSELECT 1;\n"),
        format!("{CREATE}INSERT INTO public.patients VALUES (1, 'Gout', -- was 'SECRET'\n'a');\n"),
        format!("{CREATE}INSERT INTO public.patients VALUES (1, 'Gout', 'a' /* 'SECRET' */);\n"),
        format!("{CREATE}INSERT INTO public.patients VALUES (1, 'Gout', /* was SECRET */ 'a');\n"),
        format!("{CREATE}INSERT INTO public.patients /* (9, 'SECRET') */ VALUES (1, 'Gout', 'a');\n"),
        format!("{CREATE}{one}SELECT 1;\n-- INSERT INTO\n-- public.patients\n-- VALUES (9, 'SECRET');\n"),
    ];
    assert_all_refused("patients", "postgresql", "--allow-readable comments", &dumps);
    dumps = vec![format!(
        "CREATE TABLE patients (id int, disease text, note text);\nINSERT INTO patients VALUES (1, 'a', 'b' # 'SECRET'\n);\n"
    )];
    assert_all_refused("patients", "mysql", "--allow-readable comments", &dumps);
    let desk = desk_with("patients");
    for comment in [
        "--\n-- Data for Name: patients; Type: TABLE DATA; Schema: public; Owner: x\n--\n",
        "-- TOC entry 215 (class 1259 OID 16385)\n-- Name: f(integer, text); Type: FUNCTION\n",
        "-- Dump completed on 2026-01-01 10:00:00\n",
        "--\n-- Dumping routines for database 'clinic'\n--\n",
    ] {
        assert_sealed(&desk, "postgresql", &format!("{CREATE}{comment}{one}{comment}{two}{comment}"));
    }
}

#[test]
fn a_place_that_stays_readable_is_told_before_records_that_are_missing() {
    let desk = desk_with("patients");
    desk.write("dump.sql", format!("{CREATE}COPY public.patients FROM stdin CSV;\n9,SECRET,x\n\\.\n"));
    let words = ["line 2", "only in its text format without options", STATEMENTS];
    assert_refused(&desk, "ucrypt seal one.upolicy dump.sql --all -o out.sql", 2, &words);
    desk.write("dump.sql", "COPY public.p_2020 (id, disease, note) FROM stdin;\n9\tSECRET\tx\n\\.\n");
    let words = ["public.p_2020 has the columns of patients", "dump the definitions"];
    assert_refused(&desk, "ucrypt seal one.upolicy dump.sql --all -o out.sql", 2, &words);
}
