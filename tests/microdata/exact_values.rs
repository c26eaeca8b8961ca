//! Values are compared by what they stand for: spellings of one number or date are one value, and numbers of any length are exact.

use crate::program::Desk;

/// A table of a quasi-identifier and a sensitive attribute.
fn desk(rows: &str) -> Desk {
    let desk = Desk::new();
    let lines: Vec<String> = rows.split_whitespace().map(|row| format!("{row}\n")).collect();
    desk.write("e.csv", format!("q,s\n{}", lines.concat()));
    desk
}

const GATE: &str = "check e.csv --quasi q --sensitive s --distance ordered --require t=0.4";

fn distance(desk: &Desk, code: i32) -> f64 {
    desk.json(GATE, code)["sensitive"]["s"]["t"].as_f64().expect("a distance")
}

#[test]
fn spellings_of_one_number_or_date_have_one_rank_of_the_ordered_distance() {
    for rows in [
        "a,1 a,1.0 b,10 b,10.0",
        "a,1 a,1.00 b,1e1 b,10",
        "a,2024-1-2 a,2024-01-02 b,2024-5-1 b,2024-05-01",
        "a,0 a,-0 b,7 b,7.0",
    ] {
        let desk = desk(rows);
        assert_eq!(distance(&desk, 1), 0.5, "{rows}");
        let model = "check e.csv --quasi q --sensitive s --model t-closeness:t=0.4,distance=ordered";
        assert_eq!(desk.tamis(model).code, 1, "{rows}");
    }
    assert_eq!(distance(&desk("a,1 a,10.0 b,1.0 b,10"), 0), 0.0);
}

#[test]
fn a_release_does_not_pass_because_numbers_are_spelled_in_two_ways() {
    let desk = desk("a,1 a,1.0 b,10 b,10.0");
    desk.write(
        "p.toml",
        "[input]\npath = \"e.csv\"\n[attributes.q]\nrole = \"quasi-identifying\"\nhierarchy = { mask = { levels = 0 } }\n\
         [attributes.s]\nrole = \"sensitive\"\n[[models]]\nkind = \"t-closeness\"\ndistance = \"ordered\"\nt = 0.4\n",
    );
    let document = desk.json("anonymize p.toml --output o.csv --seed 1", 0);
    assert_eq!(document["solution"]["levels"]["q"], 1, "{document}");
}

#[test]
fn integers_that_no_double_tells_apart_keep_their_order() {
    let long = desk("a,9999999999999999999 a,10000000000000000001 b,10000000000000000002 b,10000000000000000003");
    let short = desk("a,1 a,2 b,3 b,4");
    assert_eq!(distance(&long, 0), distance(&short, 0));
    // By the alphabet, or as doubles, the classes would be mixed.
    let mixed = desk("a,9999999999999999999 a,10000000000000000002 b,10000000000000000001 b,10000000000000000003");
    assert!(distance(&mixed, 0) < distance(&long, 0));
}

#[test]
fn k_e_anonymity_counts_and_spans_long_integers_exactly() {
    let desk = desk("a,10000000000000000001 a,10000000000000000003 b,10000000000000000001 b,10000000000000000007");
    let holds = |e: u32| {
        let model = format!("check e.csv --quasi q --sensitive s --model k-e-anonymity:k=2,e={e}");
        desk.tamis(&model).code
    };
    assert_eq!([holds(2), holds(3), holds(6)], [0, 1, 1]);
}

/// A policy that keeps the values or puts the labels of a hierarchy file in their place.
fn figures_of(values: &str, hierarchy: &str) -> serde_json::Value {
    let desk = Desk::new();
    let lines = |text: &str| text.split_whitespace().map(|line| format!("{line}\n")).collect::<Vec<_>>().concat();
    desk.write("n.csv", format!("n\n{}", lines(values)));
    let is_file = !hierarchy.is_empty();
    if is_file {
        desk.write("h.csv", lines(hierarchy));
    }
    let source = if is_file { "hierarchy = \"h.csv\"\nmin_level = 1\n" } else { "" };
    desk.write(
        "p.toml",
        format!(
            "[input]\npath = \"n.csv\"\nmissing = [\"NA\"]\n[attributes.n]\nrole = \"quasi-identifying\"\n{source}\
             [[models]]\nkind = \"k-anonymity\"\nk = 2\n"
        ),
    );
    desk.json("anonymize p.toml --seed 1", 0)["figures"].clone()
}

#[test]
fn labels_that_are_no_range_have_no_figures() {
    let months = "20200105;2020-01;* 20200117;2020-01;* 20200211;2020-02;* 20200220;2020-02;*";
    let years = "20200105;2020;* 20200117;2020;* 20200211;2020;* 20200220;2020;*";
    for hierarchy in [months, years] {
        let figures = figures_of("20200105 20200117 20200211 20200220", hierarchy);
        assert!(figures.get("n").is_none(), "{figures}");
    }
    let backwards = figures_of("40 50 60 90", "40;90-10;* 50;90-10;* 60;90-10;* 90;90-10;*");
    assert!(backwards.get("n").is_none(), "{backwards}");
    let range = figures_of("40 50 60 90", "40;40-59;* 50;40-59;* 60;60-99;* 90;60-99;*");
    assert_eq!((&range["n"]["min"], &range["n"]["max"]), (&40.into(), &99.into()), "{range}");
}

#[test]
fn the_mode_is_the_most_frequent_released_label_also_if_it_says_that_there_is_no_value() {
    let figures = figures_of("NA NA NA NA 31 31", "");
    assert_eq!((&figures["n"]["mode"], &figures["n"]["mode_count"]), (&"NA".into(), &4.into()), "{figures}");
}

#[test]
fn means_below_zero_are_rounded_down_too() {
    let figures = figures_of("-1 -1 -2 -2", "");
    assert_eq!(figures["n"]["mean_lower"], -2, "{figures}");
}

#[test]
fn a_wholly_suppressed_table_meets_no_requirement() {
    let desk = Desk::new();
    desk.write("s.csv", "a,s\n*,1\n*,2\n");
    for requirement in ["--require l=2", "--model distinct-l-diversity:l=2", "--model k-anonymity:k=2"] {
        let ran = desk.tamis(&format!("check s.csv --quasi a --sensitive s {requirement}"));
        assert_eq!(ran.code, 1, "{requirement}: {ran:?}");
        assert!(!ran.out.contains("between 1 and 0") && !ran.err.contains("between 1 and 0"), "{ran:?}");
    }
}

#[test]
fn the_value_that_has_no_order_is_named() {
    let desk = desk("a,2024-02-30 a,2023-12-31 b,2024-01-01");
    let ran = desk.tamis(GATE);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("`2024-02-30` is neither a number nor a date"), "{}", ran.err);
}

#[test]
fn a_parameter_of_differential_privacy_that_is_missing_is_named() {
    let desk = desk("a,1 b,2");
    desk.write(
        "p.toml",
        "[input]\npath = \"e.csv\"\n[attributes.q]\nrole = \"quasi-identifying\"\n[[models]]\nkind = \"differential-privacy\"\nepsilon = 1\n",
    );
    for command in ["anonymize p.toml", "check e.csv --quasi q --model differential-privacy:epsilon=1"] {
        let ran = desk.tamis(command);
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains("delta") && !ran.err.contains("NaN"), "{}", ran.err);
    }
}

#[test]
fn a_seed_of_a_wrong_type_is_not_repeated() {
    for seed in ["\"918273645\"", "-918273645", "918273645.5", "[918273645]", "{ a = 918273645 }"] {
        let desk = desk("a,1 b,2");
        desk.write(
            "p.toml",
            format!(
                "[input]\npath = \"e.csv\"\n[attributes.q]\nrole = \"quasi-identifying\"\n[output]\nseed = {seed}\n"
            ),
        );
        for command in ["anonymize p.toml --json", "lattice p.toml --json", "compare p.toml --k 2 --json"] {
            let ran = desk.tamis(command);
            assert_eq!(ran.code, 2, "{ran:?}");
            assert!(!ran.err.contains("918273645") && !ran.out.contains("918273645"), "{ran:?}");
            assert!(ran.err.contains("seed") && ran.err.contains("p.toml"), "{}", ran.err);
        }
    }
}

#[test]
fn secrets_of_addresses_are_not_repeated_however_they_are_encoded_or_named() {
    let desk = Desk::new();
    for address in [
        "postgres%3A%2F%2Fbob%3AS3cr3t%40host%2Fdb",
        "https://h/x?pass%77ord=S3cr3t",
        "https://h/x?password%3DS3cr3t",
        "https://h/x?user[password]=S3cr3t",
        "https://h/x?password1=S3cr3t",
        "https://h/x?code=S3cr3t",
        "https://h/x?p=S3cr3t&a=b",
        "host=h pass=S3cr3t",
        "DB_PASS=S3cr3t",
        "bob/S3cr3t@host:1521/x",
        "postgres://bob:S3cr3t%20more@host/db",
        "postgres%3A%2F%2Fbob%3AS3cr3t%2540more%40host",
    ] {
        for json in [&[][..], &["--json"]] {
            let ran = desk.tamis_with(&[&["check", address, "--quasi", "a"], json].concat());
            assert_eq!(ran.code, 2, "{ran:?}");
            assert!(!ran.err.contains("S3cr3t") && !ran.out.contains("S3cr3t"), "{ran:?}");
        }
    }
}
