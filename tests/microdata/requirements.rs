//! Requirements of any kind in one line, as `check` and `compare` take them.

use crate::program::Desk;
use serde_json::Value;

/// The three-anonymous table of the homogeneity attack (table 12 of the thesis of Fernández and Quijón, 2018), in English.
const HOMOGENEITY: &str = "age,zip,problem\n<50,053**,flu\n<50,053**,chest pain\n<50,053**,back pain\n>=50,053**,obesity\n\
    >=50,053**,vomiting\n>=50,053**,vomiting\n<50,054**,flu\n<50,054**,flu\n<50,054**,flu\n>=50,054**,vomiting\n\
    >=50,054**,back pain\n>=50,054**,back pain\n";

fn homogeneity() -> Desk {
    let desk = Desk::new();
    desk.write("table.csv", HOMOGENEITY);
    desk
}

fn verdict(desk: &Desk, model: &str, code: i32) -> Value {
    let arguments = ["check", "table.csv", "--quasi", "age,zip", "--sensitive", "problem", "--json", "--model", model];
    let ran = desk.tamis_with(&arguments);
    assert_eq!(ran.code, code, "{model}: {ran:?}");
    ran.document()
}

/// The classes by hand: three problems; obesity and vomiting twice; flu three times; vomiting and back pain twice.
#[test]
fn every_kind_of_requirement_is_tested_on_the_classes_as_they_are() {
    let desk = homogeneity();
    let cases: [(&str, u64, u64); 19] = [
        ("k-anonymity:k=3", 0, 0),
        ("k-anonymity:k=4", 4, 12),
        ("distinct-l-diversity:l=2", 1, 3),
        ("entropy-l-diversity:l=1.5", 1, 3),
        ("recursive-cl-diversity:c=3,l=2", 1, 3),
        ("t-closeness:t=0.6,distance=equal", 2, 6),
        ("alpha-k-anonymity:alpha=0.5,k=3", 3, 9),
        ("alpha-k-anonymity:alpha=0.5,k=3,values=vomiting", 1, 3),
        ("confidence-bounding:bounds={ flu = 0.5 }", 1, 3),
        ("beta-likeness:beta=2.5", 2, 6),
        ("beta-likeness:beta=3", 0, 0),
        ("delta-disclosure-privacy:delta=5", 4, 12),
        ("prosecutor-risk:max=0.3", 4, 12),
        ("average-risk:max=0.34", 0, 0),
        ("lkc-privacy:l=1,k=6,c=0.7", 0, 0),
        ("lkc-privacy:l=2,k=3,c=0.9", 1, 3),
        ("xy-anonymity:y=problem,k=2", 1, 3),
        ("xy-linkability:x=zip,y=problem,h=0.5", 0, 0),
        ("xy-privacy:x=[\"age\"],y=problem,k=3,h=0.6", 2, 6),
    ];
    for (model, classes, rows) in cases {
        let document = verdict(&desk, model, i32::from(classes > 0));
        let told = &document["models"][0];
        assert_eq!(
            (told["failing_classes"].as_u64(), told["failing_rows"].as_u64(), &told["holds"], &document["holds"]),
            (Some(classes), Some(rows), &Value::from(classes == 0), &Value::from(classes == 0)),
            "{model}"
        );
    }
}

#[test]
fn models_of_a_population_find_theirs_around_the_subset() {
    let desk = Desk::new();
    let rows = |place: &str, inside: usize, outside: usize| {
        [vec![format!("{place},yes"); inside], vec![format!("{place},no"); outside]].concat().join("\n")
    };
    desk.write("town.csv", format!("district,in_study\n{}\n{}\n", rows("east", 4, 6), rows("west", 3, 7)));
    let check = |model: &str| {
        let model = format!("{model},subset={{ column = \"in_study\", equals = \"yes\" }}");
        desk.tamis_with(&["check", "town.csv", "--quasi", "district", "--model", &model]).code
    };
    assert_eq!(check("k-map:k=10"), 0);
    assert_eq!(check("k-map:k=11"), 1);
    assert_eq!(check("delta-presence:min=0.3,max=0.4"), 0);
    assert_eq!(check("delta-presence:min=0.3,max=0.39"), 1);
    assert_eq!(check("journalist-risk:max=0.1"), 0);
    assert_eq!(check("journalist-risk:max=0.09"), 1);
    let ran = desk.tamis("check town.csv --quasi district --model k-map:k=2");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("needs `subset`"), "{}", ran.err);
}

#[test]
fn what_is_no_requirement_is_refused_with_a_sentence() {
    let desk = homogeneity();
    for (model, reason) in [
        ("k-anonymity", "needs the parameter `k`"),
        ("k-anonymity:5", "is no parameter; expected KIND:NAME=VALUE"),
        ("k-anonymity:k=2,k=3", "gives `k` twice"),
        ("k-anonymity:k=2,colour=red", "has no parameter `colour`"),
        ("l-diversity:l=2", "there is no model `l-diversity`"),
        ("lkc-privacy:l=0,k=2,c=0.5", "`l` is 0"),
        ("xy-anonymity:x=age,y=age,k=2", "age"),
        ("xy-anonymity:y=height,k=2", "height"),
        ("confidence-bounding:bounds={ plague = 0.5 }", "`plague` is no value of `problem`"),
        ("k-e-anonymity:k=2,e=1", "works on numbers"),
        ("differential-privacy:epsilon=1,delta=0.1", "cannot be seen in a table"),
        ("d-gamma-privacy:d=0.1,gamma=0.5", "cannot be seen in a table"),
        ("distributional-privacy:alpha=1,beta=0.5", "cannot be seen in a table"),
    ] {
        let document = verdict(&desk, model, 2);
        let error = document["error"].as_str().unwrap_or_default();
        assert!(error.contains(reason), "{model}: {error}");
    }
}

#[test]
fn requirements_are_compared_each_with_the_k_of_the_policy() {
    let desk = Desk::with_adult();
    let document = desk.json(
        "compare adult.toml --k 5 --model alpha-k-anonymity:alpha=0.5,k=5 --model lkc-privacy:l=2,k=20,c=0.75",
        0,
    );
    let rows = document["rows"].as_array().expect("rows");
    let names: Vec<&Value> = rows.iter().map(|row| &row["name"]).collect();
    assert_eq!(names, ["k5", "k5_alpha-k-anonymity:alpha=0.5,k=5", "k5_lkc-privacy:l=2,k=20,c=0.75"]);
    assert_eq!(rows[1]["setting"]["model"]["kind"], "alpha-k-anonymity");
    let loss = |row: &Value| row["quality"]["loss"].as_f64().expect("a loss");
    assert!(rows[1..].iter().all(|row| loss(row) > loss(&rows[0]) && row["solution"]["optimal"] == true), "{rows:?}");
}

#[test]
fn people_count_once_where_a_person_has_several_rows() {
    let desk = Desk::new();
    desk.write("visits.csv", "id,zip,disease\nann,1,flu\nann,1,cold\nbob,2,flu\neve,2,cold\n");
    let check = |model: &str| {
        let arguments = [
            "check",
            "visits.csv",
            "--quasi",
            "zip",
            "--sensitive",
            "disease",
            "--entity",
            "id",
            "--json",
            "--model",
            model,
        ];
        let ran = desk.tamis_with(&arguments);
        (ran.code, ran.document()["models"][0]["failing_rows"].as_u64())
    };
    assert_eq!(check("k-anonymity:k=2"), (1, Some(2)), "two rows of one person are one person");
    assert_eq!(check("alpha-k-anonymity:alpha=0.5,k=1"), (1, Some(2)), "all people there have the flu, and all a cold");
    assert_eq!(check("prosecutor-risk:max=0.5"), (1, Some(2)));
    assert_eq!(check("k-anonymity:k=1"), (0, Some(0)));
}

#[test]
fn more_people_than_there_are_is_answered_with_no() {
    let desk = homogeneity();
    let document = verdict(&desk, "k-anonymity:k=13", 1);
    assert_eq!(document["models"][0]["failing_rows"], 12);
}

#[test]
fn suppressed_rows_do_not_keep_numbers_from_being_numbers() {
    let desk = Desk::new();
    desk.write("points.csv", "x,y\n1,1\n1,1\n1,1\n5,5\n5,5\n5,5\n*,*\n");
    let arguments = ["check", "points.csv", "--quasi", "x,y", "--json", "--model", "ct-isolation:c=0.5,t=3"];
    let ran = desk.tamis_with(&arguments);
    assert_eq!(ran.code, 0, "{ran:?}");
}

/// The value 2 is in the reference alone, and lies between the others there.
#[test]
fn t_is_measured_against_a_reference_in_the_same_way_by_a_model_and_as_a_figure() {
    let desk = Desk::new();
    desk.write("released.csv", "zip,income\n1,1\n1,1\n2,1\n2,9\n")
        .write("input.csv", "zip,income\n1,1\n1,1\n2,2\n2,9\n");
    let check = |t: &str| {
        let base = "check released.csv --quasi zip --sensitive income --distance ordered --reference input.csv";
        desk.json(&format!("{base} --model t-closeness:t={t},distance=ordered"), i32::from(t != "0.375"))
    };
    let document = check("0.375");
    assert_eq!(document["sensitive"]["income"]["t"], 0.375);
    assert_eq!(check("0.374")["models"][0]["holds"], false);
}
