//! Top and bottom coding against its definition.

use crate::desk;

use desk::{apply, cells, lines, names, refusal, transformed};
use proptest::prelude::*;
use tamis_transform::kinds::code::{Code, Replacement};

fn code() -> Code {
    Code { columns: names(&["age"]), ..Code::default() }
}

#[test]
fn numbers_at_or_beyond_a_threshold_get_one_value() {
    let table = lines("age", &["17", "25", "", "90", "93", "102"]);
    let coded = |replace| {
        cells(&transformed(&Code { top: Some(90.0), bottom: Some(18.0), replace, ..code() }, &table, 1), "age")
    };
    assert_eq!(coded(Replacement::Threshold), ["18", "25", "", "90", "90", "90"]);
    assert_eq!(coded(Replacement::Mean), ["17", "25", "", "95", "95", "95"]);
    assert_eq!(coded(Replacement::Label), ["<=18", "25", "", ">=90", ">=90", ">=90"]);
    let output = apply(&Code { top: Some(90.0), bottom: Some(18.0), ..code() }, &table, 1).expect("coded");
    assert_eq!(output.notes, ["`age`: 1 rows <=18 and 3 rows >=90 coded"]);
}

#[test]
fn thresholds_are_written_as_precisely_as_the_column_or_themselves() {
    let table = lines("age", &["1.25", "9.75"]);
    let coded = |top| cells(&transformed(&Code { top: Some(top), ..code() }, &table, 1), "age")[1].clone();
    assert_eq!([coded(9.0), coded(9.125)], ["9.00", "9.125"]);
}

#[test]
fn bad_parameters_are_told() {
    let table = lines("age", &["17", "x"]);
    let said = |step: Code| refusal(apply(&step, &table, 1)).0;
    assert!(said(code()).contains("one or more of `top`, `bottom`"));
    assert!(said(Code { top: Some(1.0), top_share: Some(0.5), ..code() }).contains("a threshold or a share"));
    assert!(said(Code { top: Some(f64::INFINITY), ..code() }).contains("`top` is inf"));
    assert!(said(Code { bottom_share: Some(1.5), ..code() }).contains("`bottom_share` is 1.5"));
    assert!(said(Code { top: Some(1.0), ..code() }).contains("row 2 of `age` is `x`"));
    let table = lines("age", &["17", "18"]);
    let crossed = refusal(apply(&Code { top: Some(5.0), bottom: Some(5.0), ..code() }, &table, 1)).0;
    assert_eq!(crossed, "`code`: `bottom` is 5 for `age`; expected less than the top, which is 5");
}

proptest! {
    /// At least the share is coded, and a threshold one value farther out would code less than the share.
    #[test]
    fn a_share_codes_as_few_rows_as_equal_numbers_allow(ages in prop::collection::vec(0i32..20, 1..40), percent in 0u32..=100, top: bool) {
        let texts: Vec<String> = ages.iter().map(ToString::to_string).collect();
        let share = Some(f64::from(percent) / 100.0);
        let step = Code {
            top_share: share.filter(|_| top),
            bottom_share: share.filter(|_| !top),
            replace: Replacement::Label,
            ..code()
        };
        let after = cells(&transformed(&step, &lines("age", &texts), 1), "age");
        let coded: Vec<i32> =
            ages.iter().zip(&after).filter(|(_, after)| after.contains('=')).map(|(&age, _)| age).collect();
        let enough = |rows: usize| rows as u32 * 100 >= percent * ages.len() as u32;
        prop_assert!(enough(coded.len()));
        let nearest = if top { coded.iter().min() } else { coded.iter().max() };
        if let Some(nearest) = nearest {
            prop_assert!(!enough(coded.iter().filter(|age| *age != nearest).count()));
            let is_beyond = |age: &i32| if top { age >= nearest } else { age <= nearest };
            prop_assert_eq!(ages.iter().filter(|age| is_beyond(age)).count(), coded.len());
        } else {
            prop_assert_eq!(percent, 0);
        }
    }

    #[test]
    fn the_mean_of_the_column_survives_its_own_mean(cents in prop::collection::vec(0i32..10_000, 1..40), top in 0.0f64..100.0) {
        let texts: Vec<String> = cents.iter().map(|cents| format!("{:.2}", f64::from(*cents) / 100.0)).collect();
        let step = Code { top: Some(top), replace: Replacement::Mean, ..code() };
        let after = cells(&transformed(&step, &lines("age", &texts), 1), "age");
        let mean = |texts: &[String]| texts.iter().map(|x| x.parse::<f64>().expect("a number")).sum::<f64>() / texts.len() as f64;
        // Half a cent for every row: the mean is written as precisely as the column is.
        prop_assert!((mean(&texts) - mean(&after)).abs() <= 0.005 + 1e-9);
    }
}

#[test]
fn the_mean_of_the_largest_numbers_is_a_number() {
    let table = lines("x", &["1e308", "1.5e308", "5"]);
    let step = Code { columns: names(&["x"]), top: Some(1e300), replace: Replacement::Mean, ..Code::default() };
    let output = apply(&step, &table, 1).expect("a mean");
    let coded: f64 = cells(&output.tables[0].table, "x")[0].parse().expect("a number");
    assert!((coded / 1.25e308 - 1.0).abs() < 1e-12);
    assert_eq!(output.notes, ["`x`: 2 rows >=1e300 coded"]);
}
