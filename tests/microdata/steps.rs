//! Steps of a policy, and releases that a mechanism makes, through the program.

use crate::program::Desk;
use serde_json::Value;

/// The ward of Liber (2014), figure 6, in English, with the trees that give its four-anonymous table.
fn ward(rest: &str) -> Desk {
    let desk = Desk::new();
    desk.write(
        "ward.csv",
        "sex,job,city,disease\nM,engineer,Cracow,AIDS\nM,engineer,Cracow,AIDS\nM,engineer,Cracow,flu\n\
         M,engineer,Cracow,AIDS\nM,painter,Opole,cancer\nM,painter,Opole,flu\nF,singer,Brzeg,cancer\n\
         F,dancer,Brzeg,AIDS\nM,musician,Brzeg,AIDS\n",
    );
    desk.write(
        "job.csv",
        "engineer;technical;*\npainter;artistic;*\nsinger;artistic;*\ndancer;artistic;*\nmusician;artistic;*\n",
    );
    desk.write("city.csv", "Cracow;Lesser Poland;*\nOpole;Opole region;*\nBrzeg;Opole region;*\n");
    desk.write(
        "policy.toml",
        format!(
            "[input]\npath = \"ward.csv\"\n[attributes.sex]\nrole = \"quasi-identifying\"\n\
             [attributes.job]\nrole = \"quasi-identifying\"\nhierarchy = \"job.csv\"\n\
             [attributes.city]\nrole = \"quasi-identifying\"\nhierarchy = \"city.csv\"\n\
             [attributes.disease]\nrole = \"sensitive\"\n[[models]]\nkind = \"k-anonymity\"\nk = 4\n{rest}"
        ),
    );
    desk
}

#[test]
fn paper_figure_6_comes_out_of_a_policy_with_anatomizing_as_its_step() {
    let desk = ward("[output]\norder = \"input\"\n[[steps]]\nkind = \"anatomize\"\nsensitive = \"disease\"\n");
    let document = desk.json("anonymize policy.toml --output w.csv --manifest m.json", 0);
    assert_eq!(document["output"]["files"], serde_json::json!(["w.quasi.csv", "w.sensitive.csv"]));
    assert_eq!(document["steps"][0]["kind"], "anatomize");
    assert_eq!(
        desk.read("w.quasi.csv"),
        "sex,job,city,group\nM,engineer,Cracow,1\nM,engineer,Cracow,1\nM,engineer,Cracow,1\nM,engineer,Cracow,1\n\
         M,painter,Opole,2\nM,painter,Opole,2\nF,singer,Brzeg,2\nF,dancer,Brzeg,2\nM,musician,Brzeg,2\n"
    );
    assert_eq!(desk.read("w.sensitive.csv"), "group,disease,count\n1,AIDS,3\n1,flu,1\n2,AIDS,2\n2,cancer,2\n2,flu,1\n");
    assert!(!desk.path("w.csv").exists());
    desk.done("verify m.json");
}

#[test]
fn permuting_keeps_the_values_of_every_class_and_the_other_columns() {
    let desk = ward("[output]\norder = \"input\"\n[[steps]]\nkind = \"permute\"\ncolumns = [\"disease\"]\n");
    desk.done("anonymize policy.toml --output w.csv --seed 3 --manifest m.json");
    let released = desk.read("w.csv");
    let rows: Vec<Vec<&str>> = released.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let source = desk.read("ward.csv");
    let original: Vec<Vec<&str>> = source.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let diseases = |rows: &[Vec<&str>]| {
        let mut diseases: Vec<String> = rows.iter().map(|row| row[3].to_owned()).collect();
        diseases.sort();
        diseases
    };
    for (row, before) in rows.iter().zip(&original) {
        assert_eq!(row[..3], before[..3]);
    }
    assert_eq!(diseases(&rows[..4]), diseases(&original[..4]));
    assert_eq!(diseases(&rows[4..]), diseases(&original[4..]));
    desk.done("verify m.json");
    desk.done("anonymize policy.toml --output again.csv --seed 3");
    assert_eq!(desk.read("again.csv"), released);
}

#[test]
fn steps_before_the_search_are_told_replayed_and_kept_in_the_manifest() {
    let desk = Desk::new();
    let row = |row: u32| format!("{},{}", 20 + row % 17, if row.is_multiple_of(3) { "flu" } else { "cold" });
    let rows: Vec<String> = (0..40).map(row).collect();
    desk.write("people.csv", format!("age,disease\n{}\n", rows.join("\n")));
    desk.write(
        "policy.toml",
        "[input]\npath = \"people.csv\"\n[attributes.age]\nrole = \"quasi-identifying\"\nhierarchy = { interval = { width = 5 } }\n\
         [attributes.disease]\nrole = \"sensitive\"\n[[models]]\nkind = \"k-anonymity\"\nk = 3\n[search]\nsuppression_limit = 0.2\n\
         [[steps]]\nkind = \"microaggregate\"\ncolumns = [\"age\"]\nk = 4\n[[steps]]\nkind = \"noise\"\ncolumns = [\"age\"]\nscale = 1.0\n",
    );
    let document = desk.json("anonymize policy.toml --output r.csv --manifest m.json", 0);
    let kinds: Vec<&Value> = document["steps"].as_array().expect("steps").iter().map(|step| &step["kind"]).collect();
    assert_eq!(kinds, ["microaggregate", "noise"]);
    assert!(desk.read("m.json").contains("\"secret\": \""));
    desk.done("verify m.json");
    // Without a seed the noise is drawn anew.
    desk.done("anonymize policy.toml --output r2.csv --manifest m2.json");
    assert_ne!(desk.read("m.json"), desk.read("m2.json"));
}

#[test]
fn steps_that_cannot_be_are_refused_and_nothing_is_written() {
    let refused = |steps: &str, reason: &str| {
        let desk = ward(steps);
        let before = desk.listing();
        let ran = desk.tamis("anonymize policy.toml --output w.csv");
        assert_eq!(ran.code, 2, "{}", ran.err);
        assert!(ran.err.contains(reason), "{}", ran.err);
        assert_eq!(desk.listing(), before);
    };
    refused("[[steps]]\nkind = \"shake\"\n", "unknown variant `shake`");
    refused("[[steps]]\nkind = \"sample\"\nrows = 3\nshare = 0.5\ncolour = \"red\"\n", "unknown field `colour`");
    refused("[[steps]]\nkind = \"noise\"\ncolumns = [\"height\"]\nscale = 1.0\n", "there is no column `height`");
    refused(
        "[[steps]]\nkind = \"anatomize\"\nsensitive = \"disease\"\n[[steps]]\nkind = \"permute\"\ncolumns = [\"disease\"]\n",
        "step 1 makes several tables, so it must be the last of the steps",
    );
}

/// A policy on Adult whose recoding is fixed beforehand.
fn fixed(model: &str, age_levels: &str) -> Desk {
    let desk = Desk::with_adult();
    desk.write(
        "fixed.toml",
        format!(
            "[input]\npath = \"adult.csv\"\n[attributes.sex]\nrole = \"quasi-identifying\"\nmin_level = 0\nmax_level = 0\n\
             [attributes.age]\nrole = \"quasi-identifying\"\nhierarchy = \"hierarchies/adult/age.csv\"\n{age_levels}\n\
             [[models]]\n{model}\n"
        ),
    );
    desk
}

#[test]
fn a_differentially_private_release_is_a_sample_without_small_classes() {
    let desk = fixed("kind = \"differential-privacy\"\nepsilon = 1\ndelta = 0.000001", "min_level = 2\nmax_level = 2");
    let document = desk.json("anonymize fixed.toml --output r.csv --seed 5 --manifest m.json", 0);
    let sampled = document["rows"]["input"].as_u64().expect("rows");
    // 30,162 rows with probability 0.632: 19,066 on average, give or take 84.
    assert!((18_500..19_600).contains(&sampled), "{sampled}");
    assert_eq!(document["output"]["rows"], document["rows"]["kept"]);
    let released = desk.json("check r.csv --quasi sex,age --require k=74", 0);
    assert_eq!(released["suppressed"], 0, "rows that are left out do not appear");
    desk.done("verify m.json");
    // Another sample every time, unless there is a seed.
    let again = desk.json("anonymize fixed.toml --output r2.csv --seed 5", 0);
    assert_eq!(again["rows"], document["rows"]);
    let other = desk.json("anonymize fixed.toml --output r3.csv --seed 6", 0);
    assert_ne!(desk.read("r3.csv"), desk.read("r.csv"));
    assert_ne!(other["rows"]["input"], document["rows"]["input"]);
}

#[test]
fn a_recoding_that_the_data_could_decide_is_refused_where_a_mechanism_promises() {
    let model = "kind = \"differential-privacy\"\nepsilon = 1\ndelta = 0.000001";
    let refused = |desk: &Desk, reason: &str| {
        let ran = desk.tamis("anonymize fixed.toml --output r.csv");
        assert_eq!(ran.code, 2, "{}", ran.err);
        assert!(ran.err.contains(reason), "{}", ran.err);
        assert!(!desk.path("r.csv").exists());
    };
    refused(&fixed(model, ""), "`age` may be generalized to several levels");
    let levels = "min_level = 2\nmax_level = 2";
    refused(&fixed(&format!("{model}\n[[models]]\nkind = \"k-anonymity\"\nk = 5"), levels), "must be the only model");
    refused(&fixed(&format!("{model}\n[[steps]]\nkind = \"sample\"\nrows = 5"), levels), "the policy has steps");
    refused(
        &fixed(&format!("{model}\n[attributes.occupation]\nrole = \"sensitive\""), levels),
        "`occupation` would be released as it is",
    );
    refused(&fixed("kind = \"differential-privacy\"\nepsilon = 0\ndelta = 0.1", levels), "epsilon is 0");
    refused(&fixed("kind = \"distributional-privacy\"\nalpha = 1\nbeta = 0.1", levels), "audit such a mechanism");
    refused(&fixed("kind = \"d-gamma-privacy\"\nd = 0.5\ngamma = 0.1", levels), "gamma");
}

#[test]
fn tuples_are_retained_and_inserted_from_the_domain_that_hierarchies_list() {
    let desk = fixed("kind = \"d-gamma-privacy\"\nd = 0.1\ngamma = 0.5", "min_level = 1\nmax_level = 1");
    desk.done("anonymize fixed.toml --output r.csv --seed 2 --manifest m.json");
    let released = desk.read("r.csv");
    let mut tuples: Vec<&str> = released.lines().skip(1).collect();
    let all = tuples.len();
    tuples.sort_unstable();
    tuples.dedup();
    assert_eq!(tuples.len(), all, "a tuple is there or not, and not twice");
    // Nobody in the data is younger than 17, but the hierarchy lists those ages, and one in eleven of what nobody has is inserted; with
    // this seed some are.
    assert!(
        tuples.iter().any(|tuple| tuple.contains("0-4") || tuple.contains("5-9") || tuple.contains("10-14")),
        "{released}"
    );
    desk.done("verify m.json");
}

#[test]
fn steps_that_would_undo_the_models_are_refused() {
    let refused = |rest: &str, reason: &str| {
        let desk = ward(rest);
        let ran = desk.tamis("anonymize policy.toml --output w.csv");
        assert_eq!(ran.code, 2, "{}", ran.err);
        assert!(ran.err.contains(reason), "{}", ran.err);
    };
    let own = "the classes of the release are the groups";
    refused("[[steps]]\nkind = \"permute\"\ncolumns = [\"disease\"]\ngroup_by = [\"city\"]\n", own);
    refused("[[steps]]\nkind = \"permute\"\ncolumns = [\"disease\"]\nby = \"disease\"\nk = 2\n", own);
    refused("[[steps]]\nkind = \"anatomize\"\nsensitive = \"disease\"\nl = 2\n", own);
    refused(
        "[[steps]]\nkind = \"permute\"\ncolumns = [\"city\"]\n",
        "the sensitive column `disease` would stay beside",
    );
}

#[test]
fn the_risk_of_a_permuted_release_is_that_of_its_rows_and_not_of_its_groups() {
    let desk = ward("[[steps]]\nkind = \"permute\"\ncolumns = [\"disease\"]\n");
    let document = desk.json("anonymize policy.toml --output w.csv", 0);
    // The singer, the dancer and the musician are alone with what is known of them.
    assert_eq!(document["risk"]["max"], 1.0);
    assert_eq!(document["models"], serde_json::json!(["groups with 4-anonymity"]));
    let released = desk.json("check w.csv --quasi sex,job,city", 0);
    assert_eq!((&released["risk"]["average"], &released["k"]), (&document["risk"]["average"], &Value::from(1)));
}

#[test]
fn people_who_are_only_counted_are_in_no_figure_of_a_step() {
    let desk = Desk::new();
    let rows: Vec<String> = (0..24).map(|row| format!("person{row},{},{}", 20 + row % 4, row % 3)).collect();
    desk.write("people.csv", format!("name,age,disease\n{}\n", rows.join("\n")));
    desk.write(
        "policy.toml",
        "[input]\npath = \"people.csv\"\n[attributes.name]\nrole = \"identifying\"\n[attributes.age]\nrole = \"quasi-identifying\"\n\
         hierarchy = { interval = { width = 5 } }\n[attributes.disease]\nrole = \"sensitive\"\n\
         [[models]]\nkind = \"xy-anonymity\"\ny = [\"name\"]\nk = 2\n[[steps]]\nkind = \"noise\"\ncolumns = [\"age\"]\nscale = 0.5\n",
    );
    let ran = desk.done("anonymize policy.toml --output r.csv --json --report r.html --manifest m.json");
    for text in [&ran.out, &ran.err, &desk.read("r.csv"), &desk.read("r.html"), &desk.read("m.json")] {
        assert!(!text.contains("person1"), "{text}");
    }
}

#[test]
fn nothing_about_the_order_of_the_input_or_missing_values_breaks_differential_privacy() {
    let model = "kind = \"differential-privacy\"\nepsilon = 1\ndelta = 0.000001";
    let desk = Desk::new();
    let rows = [vec!["A"; 1000], vec!["B"], vec!["A"; 1000], vec!["B"; 1000]].concat();
    desk.write(
        "letters.csv",
        format!("letter,other\n{}\n", rows.iter().map(|row| format!("{row},x")).collect::<Vec<_>>().join("\n")),
    );
    let policy = |more: &str| {
        format!(
            "[input]\npath = \"letters.csv\"\n[attributes.letter]\nrole = \"quasi-identifying\"\nmin_level = 0\nmax_level = 0\n{more}\n[[models]]\n{model}\n"
        )
    };
    desk.write("fixed.toml", policy("[output]\norder = \"input\""));
    desk.done("anonymize fixed.toml --output r.csv --seed 1");
    let released = desk.read("r.csv");
    let runs = released.lines().skip(1).collect::<Vec<_>>().windows(2).filter(|pair| pair[0] != pair[1]).count();
    assert!(runs > 100, "the rows are shuffled whatever the policy says: {runs}");
    for (more, reason) in [
        ("missing = \"matches-anything\"", "missing values of `letter` would match anything"),
        ("hierarchy = { mask = { levels = 1 } }", "the hierarchy of `letter` depends on the data"),
        ("hierarchy = { date = {} }", "the hierarchy of `letter` depends on the data"),
    ] {
        desk.write("fixed.toml", policy(more));
        let ran = desk.tamis("anonymize fixed.toml --output r2.csv");
        assert_eq!(ran.code, 2, "{}", ran.err);
        assert!(ran.err.contains(reason), "{}", ran.err);
    }
}

#[test]
fn differentially_private_releases_are_paid_from_a_budget_and_not_repeated() {
    let desk = fixed("kind = \"differential-privacy\"\nepsilon = 1\ndelta = 0.000001", "min_level = 2\nmax_level = 2");
    let paid = "anonymize fixed.toml --budget ledger.json --quiet --output";
    let first = desk.tamis(&format!("{paid} r1.csv --manifest m.json --total-epsilon 1.5 --total-delta 0.00001"));
    assert_eq!(first.code, 0, "{first:?}");
    let second = desk.tamis(&format!("{paid} r2.csv"));
    assert_eq!(second.code, 1, "{second:?}");
    assert!(second.out.contains("Refused"), "{}", second.out);
    assert!(!desk.path("r2.csv").exists());
    let left = desk.json("budget show ledger.json", 0);
    assert_eq!(left["left"]["epsilon"], 0.5);
    let again = desk.tamis("apply m.json adult.csv --output r3.csv");
    assert_eq!(again.code, 2);
    assert!(again.err.contains("drawing again promises less"), "{}", again.err);
    let unfit = desk.tamis("anonymize adult.toml --budget ledger.json --output r4.csv");
    assert_eq!(unfit.code, 2);
    assert!(unfit.err.contains("--budget is for differentially private releases"), "{}", unfit.err);
}
