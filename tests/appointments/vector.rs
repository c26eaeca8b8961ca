//! What `tamis vector` promises: places, comparisons, measures, and sentences about what is wrong.

use crate::program::Desk;
use serde_json::{Value, json};

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

mod index {
    use super::*;

    /// The thesis prints 3157, 8, 642 and 3045, mixing places counted from 0 and from 1.
    #[test]
    fn the_positions_of_the_sources_counted_from_0() {
        let desk = Desk::new();
        for (vector, index) in [("2,3,2,4", "3157"), ("24,3", "7"), ("9,4,3,1", "641"), ("2,6,4,1", "3044")] {
            let document = desk.json(&format!("vector index --vector {vector} --n 30"), 0);
            assert_eq!(document["index"], index, "{vector}");
            assert_eq!((&document["n"], &document["k"]), (&json!(30), &json!(1)));
            assert_eq!((&document["count"], &document["method"]), (&json!("5604"), &json!("exact")));
        }
        let best = desk.json("vector index --vector 30:1", 0);
        assert_eq!(best["index"], "5603", "the best index is p(N) - 1");
        assert_eq!((&best["k"], best["vector"].as_array().map(Vec::len)), (&json!(30), Some(30)));
        let worst = desk.json("vector index --vector 30", 0);
        assert_eq!((&worst["index"], &worst["log_index"], &worst["share"]), (&json!("0"), &Value::Null, &json!(0.0)));
    }

    #[test]
    fn a_place_in_words() {
        insta::assert_snapshot!("place", Desk::new().done("vector index --vector 2,3,2,4").out);
    }

    #[test]
    fn logarithms_say_what_the_share_cannot() {
        let desk = Desk::new();
        let document = desk.json("vector index --vector 2,3,2,4", 0);
        let (share, gap) = (number(&document["share"]), number(&document["log_gap"]));
        assert_eq!(share, 3157.0 / 5604.0);
        assert!((gap - (1.0 - share).ln()).abs() < 1e-12);
        assert!((number(&document["log_index"]) - 3157_f64.ln()).abs() < 1e-12);
        let forced = desk.json("vector index --vector 2,3,2,4 --method logarithmic", 0);
        assert_eq!((&forced["method"], &forced["index"]), (&json!("logarithmic"), &Value::Null));
        assert!((number(&forced["log_gap"]) - gap).abs() < 1e-3);
    }

    #[test]
    fn millions_of_people_are_placed_by_logarithms() {
        let desk = Desk::new();
        let document = desk.json("vector index --vector 2:1200000", 0);
        assert_eq!((&document["method"], &document["n"]), (&json!("logarithmic"), &json!(2_400_000)));
        let share = number(&document["share"]);
        assert!(share > 0.998 && share < 1.0, "any vector without people alone is nearly at the top");
        assert!((share - number(&document["share_by_people_alone"])).abs() < 2e-3);
        let better = desk.json("vector index --vector 3:800000", 0);
        assert!(number(&better["log_gap"]) < number(&document["log_gap"]) - 3.0, "the gap still tells them apart");
        insta::assert_snapshot!("millions", desk.done("vector index --vector 3:800000").out);
    }

    #[test]
    fn a_cell_of_a_billion_people_is_listed_and_not_written_out() {
        let desk = Desk::new();
        let document = desk.json("vector index --vector 2:3,1000000000:1", 0);
        assert!(document.get("vector").is_none());
        assert_eq!(document["cells"], json!([{ "size": 2, "cells": 3 }, { "size": 1_000_000_000, "cells": 1 }]));
        assert!(document["note"].as_str().is_some_and(|note| note.contains("1000000000 people")));
    }
}

mod unrank {
    use super::*;

    #[test]
    fn the_vector_of_an_index_has_that_index() {
        let desk = Desk::new();
        let document = desk.json("vector unrank --n 30 --index 3157", 0);
        assert_eq!((&document["vector"], &document["index"]), (&json!([2, 3, 2, 4]), &json!("3157")));
        assert_eq!(desk.done("vector unrank --n 30 --index 3157").out, desk.done("vector index --vector 2,3,2,4").out);
    }

    /// The thesis' list of the vectors of four people, from the worst to the best.
    #[test]
    fn the_five_vectors_of_four_people() {
        let desk = Desk::new();
        let listed: Vec<Value> = (0..5)
            .map(|index| desk.json(&format!("vector unrank --n 4 --index {index}"), 0)["vector"].clone())
            .collect();
        assert_eq!(json!(listed), json!([[4], [2, 1], [1, 0, 1], [0, 2], [0, 0, 0, 1]]));
    }

    #[test]
    fn a_thousand_people() {
        let desk = Desk::new();
        let index = "12345678901234567890123456789";
        let document = desk.json(&format!("vector unrank --n 1000 --index 000{index}"), 0);
        let vector: Vec<String> = document["vector"].as_array().expect("a list").iter().map(Value::to_string).collect();
        let back = desk.json(&format!("vector index --n 1000 --vector {}", vector.join(",")), 0);
        assert_eq!(back["index"], index);
    }
}

mod count {
    use super::*;

    #[test]
    fn the_counts_of_the_sources() {
        let desk = Desk::new();
        let count = |n: u64| desk.json(&format!("vector count --n {n}"), 0)["count"].clone();
        assert_eq!((count(4), count(30), count(100)), (json!("5"), json!("5604"), json!("190569292")));
        assert_eq!(count(5000), "169820168825442121851975101689306431361757683049829233322203824652329144349");
    }

    #[test]
    fn by_logarithms_on_request_and_without_the_number() {
        let desk = Desk::new();
        let document = desk.json("vector count --n 30 --method logarithmic", 0);
        assert_eq!((&document["count"], &document["method"]), (&Value::Null, &json!("logarithmic")));
        assert!((number(&document["log_count"]) - 5604_f64.ln()).abs() < 1e-3);
        assert!(desk.done("vector count --n 30 --method logarithmic").out.contains("the number is left out"));
        assert_eq!(desk.json("vector count --n 30 --method exact", 0)["count"], "5604");
    }

    /// The paper has it below 0.3% from 5,000 people on.
    #[test]
    fn the_approximation_is_off_by_more_than_the_paper_says() {
        let desk = Desk::new();
        let error =
            |n: u64| number(&desk.json(&format!("vector count --n {n}"), 0)["hardy_ramanujan"]["relative_error"]);
        assert!((error(5000) - 0.0063).abs() < 0.00005);
        assert!(error(21_922) > 0.003 && error(21_923) < 0.003);
        insta::assert_snapshot!("count", desk.done("vector count --n 5000").out);
        insta::assert_snapshot!("count_by_logarithms", desk.done("vector count --n 2400000").out);
    }
}

mod compare {
    use super::*;

    /// 0.20 and 0.96, as the thesis prints.
    #[test]
    fn the_improvements_of_the_thesis() {
        let desk = Desk::new();
        let compare =
            |first: &str| desk.json(&format!("vector compare --vector {first} --vector 24,3 --base 2,3,2,4"), 0);
        let document = compare("9,4,3,1");
        assert_eq!(number(&document["improvement"]), 634.0 / 3157.0);
        assert_eq!((&document["difference"], &document["distance"]), (&json!("634"), &json!("634")));
        assert_eq!((&document["more_anonymous"], &document["first_difference"]), (&json!(1), &json!(1)));
        assert_eq!(number(&compare("2,6,4,1")["improvement"]), 3037.0 / 3157.0);
    }

    #[test]
    fn the_difference_has_the_sign_of_the_first_vector() {
        let desk = Desk::new();
        let document = desk.json("vector compare --vector 24,3 --vector 9,4,3,1 --base 2,3,2,4", 0);
        assert_eq!((&document["difference"], &document["distance"]), (&json!("-634"), &json!("634")));
        assert_eq!(number(&document["improvement"]), -634.0 / 3157.0);
        assert_eq!(document["more_anonymous"], 2);
        let equal = desk.json("vector compare --vector 24,3 --vector 1:24,2:3 --base 30", 0);
        assert_eq!((&equal["more_anonymous"], &equal["difference"]), (&Value::Null, &json!("0")));
        assert_eq!(equal["improvement"], 0.0, "nothing can be lost from the worst vector of all");
    }

    #[test]
    fn a_comparison_in_words() {
        let desk = Desk::new();
        insta::assert_snapshot!(
            "compared",
            desk.done("vector compare --vector 9,4,3,1 --vector 24,3 --base 2,3,2,4").out
        );
        let large = "vector compare --vector 1:100,2:499950 --vector 1:20000,2:490000 --base 10:100000";
        insta::assert_snapshot!("compared_by_logarithms", desk.done(large).out);
    }
}

mod measures {
    use super::*;

    #[test]
    fn of_the_appointments_of_the_paper() {
        let desk = Desk::new();
        let document = desk.json("vector measures --vector 9,3 --below 2", 0);
        assert_eq!(document["vector"], json!([9, 3]));
        let measures = &document["measures"];
        assert_eq!((&measures["mean_cell"], &measures["mean_crowd"]), (&json!(1.25), &json!(1.4)));
        assert_eq!((&measures["share_alone"], &measures["risk"]), (&json!(0.6), &json!(0.8)));
        assert_eq!(measures["below"], json!({ "k": 2, "people": 9, "share": 0.6 }));
        insta::assert_snapshot!("measures", desk.done("vector measures --vector 0,2,1,2").out);
    }
}

mod of {
    use super::*;

    /// The paper prints (11,2); three pairs share a quasi-identifier and a slot.
    #[test]
    fn tables_3_and_6_of_the_paper_have_three_pairs() {
        let desk = Desk::new();
        desk.take("caballero_2017_table_3.csv");
        let before = desk.json("vector of caballero_2017_table_3.csv --quasi ZIP,Gender,Age", 0);
        assert_eq!((&before["vector"], &before["k"]), (&json!([0, 1, 0, 2, 1]), &json!(2)));
        let after = desk.json("vector of caballero_2017_table_3.csv --quasi ZIP,Gender,Age,Centre,Hour", 0);
        assert_eq!((&after["vector"], &after["k"], &after["n"]), (&json!([9, 3]), &json!(1), &json!(15)));
        assert_eq!(after["measures"]["share_alone"], 0.6);
        let said = desk.done("vector of caballero_2017_table_3.csv --quasi ZIP,Gender,Age,Centre,Hour").out;
        insta::assert_snapshot!("of_table_3", said);
    }

    #[test]
    fn the_vector_is_that_of_check() {
        let desk = Desk::with_adult();
        desk.take("missing_values.csv").write("t.csv", "a;b;who\n*;*;p\n1;x;p\n1;x;q\n*;y;q\n;y;r\n;y;r\n");
        let questions = [
            ("adult.csv", "sex,age,race", ""),
            ("adult.csv", "sex,age,race,marital-status,education,native-country,workclass,salary-class", ""),
            ("t.csv", "a,b", ""),
            ("t.csv", "a,b", "--count-suppressed"),
            ("t.csv", "a,b", "--entity who"),
            ("t.csv", "b", "--missing x --delimiter ;"),
        ];
        for (data, quasi, flags) in questions {
            let check = desk.json(&format!("check {data} --quasi {quasi} {flags}"), 0);
            let vector = desk.json(&format!("vector of {data} --quasi {quasi} {flags}"), 0);
            assert_eq!(vector["vector"], check["anonymity_vector"], "{data} {quasi} {flags}");
            assert_eq!(vector["k"], check["k"], "{data} {quasi} {flags}");
            assert_eq!(vector["measures"]["cells"], check["classes"], "{data} {quasi} {flags}");
        }
    }
}

/// Every mistake ends with exit code 2 and a sentence that says what was found and what was expected.
#[test]
fn mistakes_are_told_with_their_place() {
    let desk = Desk::new();
    desk.take("header_only.csv").take("people.csv").write("stars.csv", "age,zip\n*,1\n*,2\n");
    let expected = "expected a whole number of cells of 0 or more, or SIZE:CELLS";
    let cases: [(&[&str], &str); 29] = [
        (
            &["index", "--vector", "2,3,2,4", "--n", "31"],
            "--vector: the vector stands for 30 people, 1 fewer than the 31 expected",
        ),
        (
            &["index", "--vector", "2,3,2,4", "--n", "28"],
            "--vector: the vector stands for 30 people, 2 more than the 28 expected",
        ),
        (&["index", "--vector", "2,-3"], &format!("--vector: component 2 of the vector is `-3`; {expected}")),
        (&["index", "--vector", "-2,3"], &format!("--vector: component 1 of the vector is `-2`; {expected}")),
        (&["index", "--vector", "2,three"], &format!("--vector: component 2 of the vector is `three`; {expected}")),
        (&["index", "--vector", "NaN"], &format!("--vector: component 1 of the vector is `NaN`; {expected}")),
        (&["index", "--vector", ""], &format!("--vector: component 1 of the vector is ``; {expected}")),
        (&["index", "--vector", "0,0"], "the vector has no cells"),
        (&["index", "--vector", "99999999999999999999"], "more than 9007199254740992 people"),
        (&["index", "--vector", "4611686018427387904:4"], "more than 9007199254740992 people"),
        (&["index", "--vector", "1", "--n", "0"], "--n: the number of people is 0"),
        (&["index", "--vector", "200001:1", "--method", "exact"], "200001 people are more than the 200000"),
        (&["index", "--vector", "200001:1", "--method", "exact"], "say --method logarithmic, or leave --method out"),
        (&["unrank", "--n", "30", "--index", "5604"], "have the indexes 0 to 5603"),
        (&["unrank", "--n", "30", "--index", "-1"], "--index is `-1`; expected a whole number from 0 to 5603"),
        (&["unrank", "--n", "30", "--index", "1e3"], "--index is `1e3`; expected a whole number from 0 to 5603"),
        (&["unrank", "--n", "30", "--index", ""], "--index is ``; expected a whole number"),
        (&["unrank", "--n", "0", "--index", "0"], "--n: the number of people is 0"),
        (
            &["unrank", "--n", "300000", "--index", "0"],
            "--n is 300000; going from an index to its vector is exact only",
        ),
        (&["count", "--n", "300000", "--method", "exact"], "--method exact: 300000 people are more than the 200000"),
        (&["count", "--n", "0"], "--n: the number of people is 0"),
        (
            &["count", "--n", "18446744073709551615"],
            "--n is 18446744073709551615; expected at most 9007199254740992 people",
        ),
        (&["count", "--n", "-5"], "invalid value '-5' for '--n <PEOPLE>'"),
        (&["compare", "--vector", "2,3"], "--vector is given 1 times; expected two vectors"),
        (
            &["compare", "--vector", "2,3", "--vector", "9"],
            "the second --vector: the vector stands for 9 people, 1 more than the 8",
        ),
        (
            &["compare", "--vector", "8", "--vector", "2,3", "--base", "1"],
            "--base: the vector stands for 1 person, 7 fewer",
        ),
        (&["of", "header_only.csv", "--quasi", "age"], "expected at least one row below it"),
        (&["of", "stars.csv", "--quasi", "age"], "every row of stars.csv is nothing but `*`"),
        (&["of", "people.csv", "--quasi", "nothing"], "`nothing`"),
    ];
    for (arguments, sentence) in cases {
        let ran = desk.tamis_with(&[&["vector"], arguments].concat());
        assert_eq!(ran.code, 2, "{arguments:?}: {ran:?}");
        assert!(ran.err.contains(sentence), "{arguments:?}: {} instead of {sentence}", ran.err);
        assert!(ran.out.is_empty(), "{arguments:?}: {}", ran.out);
    }
    let long = "9".repeat(5000);
    let ran = desk.tamis_with(&["vector", "unrank", "--n", "30", "--index", &long]);
    assert!(ran.code == 2 && ran.err.contains("--index has 5000 digits"), "{ran:?}");
}
