//! What outputs keep to themselves: seeds, passwords, pages for the steward, values that point at single people, spellings.

use crate::program::Desk;

const POLICY: &str = "[input]\npath = \"people.csv\"\n[attributes.zip]\nrole = \"quasi-identifying\"\n\
     [[models]]\nkind = \"k-anonymity\"\nk = 2\n";

fn people() -> Desk {
    let desk = Desk::new();
    desk.write("people.csv", "zip,dx\n1,flu\n1,flu\n2,hiv\n2,flu\n");
    desk
}

#[test]
fn a_page_never_shows_the_seed_however_the_policy_is_written() {
    for seed in [
        "[output]\nseed = 987654321",
        "[output]\n\"seed\" = 987_654_321 # 987654321",
        "# output.seed = 987654321\n[output]\n'seed' = 987654321",
    ] {
        let desk = people();
        desk.write("policy.toml", format!("{POLICY}{seed}\n"));
        desk.done("anonymize policy.toml --output out.csv --report page.html");
        let page = desk.read("page.html");
        assert!(!page.contains("987654321") && !page.contains("987_654_321") && page.contains("not shown"), "{seed}");
    }
    for seed in ["output = { seed = 987654321 }", "output.seed = 987654321", "\"output\".seed = 987654321"] {
        let desk = people();
        desk.write("policy.toml", format!("{seed}\n{POLICY}"));
        desk.done("anonymize policy.toml --output out.csv --report page.html");
        assert!(!desk.read("page.html").contains("987654321"), "{seed}");
    }
}

#[cfg(unix)]
#[test]
fn pages_for_the_steward_are_read_by_their_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let desk = people();
    desk.write("policy.toml", POLICY);
    desk.write("page.html", "older, and for everybody");
    desk.done("anonymize policy.toml --output out.csv --report page.html");
    desk.done("compare policy.toml --k 2,3 --html compared.html");
    for name in ["page.html", "compared.html"] {
        let mode = std::fs::metadata(desk.path(name)).expect(name).permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
}

#[test]
fn no_message_repeats_the_password_of_an_address() {
    let desk = people();
    for address in
        ["mysql://ana:hunter2@host/db", "postgres://ana:a@hunter2@host/db?x=1", "mysql://h/db?password=hunter2"]
    {
        desk.write("policy.toml", POLICY.replace("people.csv", address));
        for command in [
            "anonymize policy.toml --output out.csv".to_owned(),
            "anonymize policy.toml --output out.csv --json".to_owned(),
            "lattice policy.toml".to_owned(),
            "compare policy.toml --k 2".to_owned(),
            format!("check {address} --quasi zip --json"),
            format!("risk {address} --quasi zip"),
            format!("init {address}"),
            format!("hierarchy {address}"),
            format!(
                "appointments assign --people {address} --quasi zip --slots people.csv --capacity dx --output out.csv"
            ),
            format!("appointments database get-k --database {address} --table t --attributes a"),
        ] {
            let ran = desk.tamis(&command);
            assert_eq!(ran.code, 2, "{command}: {}", ran.err);
            assert!(!ran.err.contains("hunter2") && !ran.out.contains("hunter2"), "{command}: {} {}", ran.err, ran.out);
        }
    }
}

fn rows(header: &str, row: impl Fn(usize) -> String) -> String {
    let lines: Vec<String> = (0..40).map(row).collect();
    format!("{header}\n{}\n", lines.join("\n"))
}

#[test]
fn init_and_risk_agree_on_columns_that_point_at_single_people() {
    let desk = Desk::new();
    desk.write(
        "people.csv",
        rows("edad,contacto,llamar,cuenta,notas", |row| {
            let text = format!("visita {row} con la hermana de Ana en el centro {}", row * 7);
            // Each address stands in four rows, so that uniqueness does not give it away.
            let who = row / 4;
            format!("{},p{who}@example.cl,+56 9 8765 43{who:02},ES9121000418450200051332,{text}", 30 + row % 5)
        }),
    );
    let document = desk.json("init people.csv --output policy.toml", 0);
    let role = |name: &str| {
        let columns = document["columns"].as_array().expect("columns");
        columns.iter().find(|column| column["name"] == name).map(|column| column["role"].clone()).expect(name)
    };
    for name in ["contacto", "llamar", "cuenta", "notas"] {
        assert_eq!(role(name), "identifying", "{name}");
    }
    assert_eq!(role("edad"), "quasi-identifying");
    desk.done("anonymize policy.toml --output out.csv --seed 1");
    assert!(desk.read("out.csv").starts_with("edad\n"), "{}", desk.read("out.csv"));
}

#[test]
fn a_table_of_nothing_but_addresses_is_released_without_them() {
    let desk = Desk::new();
    desk.write(
        "people.csv",
        rows("contacto,notas", |row| format!("p{}@example.cl,vive con su hermana {row} aqui", row / 20)),
    );
    desk.done("init people.csv --output policy.toml");
    desk.done("anonymize policy.toml --output out.csv --seed 1");
    let released = desk.read("out.csv");
    assert!(!released.contains('@') && !released.contains("hermana"), "{released}");
}

#[test]
fn a_missing_value_is_not_written_in_the_spelling_of_another_row() {
    let desk = Desk::new();
    desk.write("people.csv", "born,dx\n31.02.1950,flu\n,flu\n,flu\nNA,flu\n01.02.1960,flu\n01.02.1960,flu\n");
    let policy = |missing: &str, output: &str| {
        format!(
            "[input]\npath = \"people.csv\"\nmissing = {missing}\n[attributes.born]\nrole = \"quasi-identifying\"\n\
             [attributes.dx]\nrole = \"insensitive\"\n[[models]]\nkind = \"k-anonymity\"\nk = 2\n[output]\norder = \"input\"\n{output}"
        )
    };
    for (missing, output, written) in [
        ("[\"31.02.1950\", \"NA\", \"\"]", "", ""),
        ("[\"NA\", \"31.02.1950\", \"\"]", "missing = \"unknown\"\n", "unknown"),
    ] {
        desk.write("policy.toml", policy(missing, output));
        desk.done("anonymize policy.toml --output out.csv");
        let released = desk.read("out.csv");
        assert!(!released.contains("31.02.1950"), "{released}");
        assert_eq!(released.lines().filter(|line| *line == format!("{written},flu")).count(), 4, "{released}");
    }
}

/// One row with a spelling that reads like a date, four with others: nobody else gets that date.
#[test]
fn no_date_is_invented_for_a_missing_value() {
    let born = ["31.02.1950", "NA", "n/a", "NA", "NA", "01.02.1960", "01.02.1960"];
    let columns = |cells: &[&str]| cells.join("\n") + "\n";
    for (role, missing, expected) in [
        ("quasi-identifying", "[\"31.02.1950\", \"NA\", \"n/a\"]", ["NA"; 5]),
        ("sensitive", "[\"31.02.1950\", \"NA\", \"n/a\"]", ["NA"; 5]),
        ("quasi-identifying", "[\"31.02.1950\", \"\", \"NA\", \"n/a\"]", [""; 5]),
        ("insensitive", "[\"31.02.1950\", \"NA\", \"n/a\"]", ["31.02.1950", "NA", "n/a", "NA", "NA"]),
    ] {
        let desk = Desk::new();
        let rows: Vec<String> = born.iter().map(|born| format!("{born};1")).collect();
        desk.write("people.csv", format!("born;q\n{}\n", rows.join("\n")));
        let policy = format!(
            "[input]\npath = \"people.csv\"\nmissing = {missing}\n[attributes.born]\nrole = \"{role}\"\n[attributes.q]\n\
             role = \"quasi-identifying\"\n[[models]]\nkind = \"k-anonymity\"\nk = 2\n[output]\norder = \"input\"\n"
        );
        desk.write("policy.toml", &policy).write("named.toml", policy + "missing = \"unknown\"\n");
        desk.done("anonymize policy.toml --output out.csv --manifest manifest.json");
        desk.done("verify manifest.json");
        let told = |file: &str| {
            let released = desk.read(file);
            columns(&released.lines().skip(1).filter_map(|line| line.split(';').next()).collect::<Vec<_>>())
        };
        assert_eq!(told("out.csv"), columns(&[&expected[..], &born[5..]].concat()), "{role} {missing}");
        desk.done("anonymize named.toml --output named.csv");
        assert_eq!(told("named.csv"), columns(&[&["unknown"; 5][..], &born[5..]].concat()), "{role} {missing}");
    }
}

#[test]
fn where_every_spelling_reads_like_a_value_a_missing_value_is_written_as_nothing() {
    let desk = Desk::new();
    desk.write("people.csv", "n;x\n-1;a\n999;a\n-1;a\n5;a\n5;a\n");
    desk.write(
        "policy.toml",
        "[input]\npath = \"people.csv\"\nmissing = [\"-1\", \"999\"]\n[attributes.n]\nrole = \"quasi-identifying\"\n\
         [[models]]\nkind = \"k-anonymity\"\nk = 2\n[output]\norder = \"input\"\n[attributes.x]\nrole = \"insensitive\"\n",
    );
    desk.done("anonymize policy.toml --output out.csv");
    assert_eq!(desk.read("out.csv"), "n;x\n;a\n;a\n;a\n5;a\n5;a\n");
}

#[test]
fn missing_values_are_not_written_like_values_or_labels_of_their_column() {
    let desk = Desk::new();
    desk.write("people.csv", "n;x\nNA;a\nNA;a\n5;a\n5;b\n");
    let policy = |written: &str| {
        format!(
            "[input]\npath = \"people.csv\"\nmissing = [\"NA\"]\n[attributes.n]\nrole = \"quasi-identifying\"\n\
             hierarchy = {{ interval = {{ width = 10 }} }}\n[attributes.x]\nrole = \"insensitive\"\n[[models]]\n\
             kind = \"k-anonymity\"\nk = 2\n[output]\nmissing = \"{written}\"\n"
        )
    };
    for (written, what) in [("5", "a value of `n`"), ("[0, 10[", "a label of `n`")] {
        desk.write("policy.toml", policy(written));
        let ran = desk.tamis("anonymize policy.toml --output out.csv");
        assert_eq!((ran.code, desk.path("out.csv").exists()), (2, false), "{ran:?}");
        assert!(ran.err.contains("output.missing") && ran.err.contains(what), "{ran:?}");
    }
    // No value of `x` is missing, and `6` is no value of `n`.
    for written in ["a", "6", "", "NA"] {
        desk.write("policy.toml", policy(written));
        desk.done("anonymize policy.toml --output out.csv");
    }
}

#[test]
fn a_page_says_that_its_policy_is_written_anew() {
    let desk = people();
    desk.write("policy.toml", format!("# for the board\n{POLICY}[output]\nseed = 7\n"));
    desk.done("anonymize policy.toml --output out.csv --report page.html");
    let page = desk.read("page.html");
    assert!(!page.contains("for the board") && page.contains("written anew here, without its comments"), "{page}");
    assert!(!page.contains("what was asked for, word for word"), "{page}");
}
