//! Columns: codes, missing values and the order of values.

use proptest::collection::vec;
use proptest::prelude::*;
use std::cmp::Ordering;
use tamis_table::{
    Code, Column, ColumnBuilder, DataType, Hierarchy, HierarchyRow, Recoder, compare_values, number_tuples,
};

fn column(missing: &[&str], values: &[String]) -> Column {
    let missing: Vec<String> = missing.iter().map(|&text| text.to_owned()).collect();
    let mut column = ColumnBuilder::new("x").missing(&missing);
    for value in values {
        column.push(value).unwrap_or_else(|error| panic!("{error}"));
    }
    column.finish()
}

fn texts(values: &[&str]) -> Vec<String> {
    values.iter().map(|&value| value.to_owned()).collect()
}

#[test]
fn all_spellings_of_a_missing_value_share_one_code() {
    let column = column(&["", "NA", "?"], &texts(&["7", "NA", "", "NA", "?", "8", "?", "7"]));
    assert_eq!(column.missing(), Some(Code(1)));
    assert_eq!(column.dictionary().iter().collect::<Vec<_>>(), ["7", "", "8"]);
    assert_eq!((0..8).map(|row| column.codes().get(row)).collect::<Vec<_>>(), [0, 1, 1, 1, 1, 2, 1, 0]);
    assert_eq!(column.frequencies(), [2, 5, 1]);
    assert_eq!(column.data_type(), DataType::Integer);
}

#[test]
fn a_hierarchy_need_not_list_any_spelling_of_a_missing_value() {
    let rows: Vec<HierarchyRow> = [["7", "low", "*"], ["8", "low", "*"]]
        .iter()
        .zip(1..)
        .map(|(labels, line)| HierarchyRow { line, labels: texts(labels) })
        .collect();
    let hierarchy = Hierarchy::from_rows(&rows).unwrap_or_else(|error| panic!("{error}"));
    let recoder = Recoder::bind(&hierarchy, &column(&["", "NA"], &texts(&["7", "", "NA", "8"])))
        .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(recoder.lines(), 3);
    let error = Recoder::bind(&hierarchy, &column(&["low"], &texts(&["7", "low"]))).map(|_| ()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`low` stands for a missing value and is also a label on level 1; rename the label, or add a line for `low`"
    );
    assert!(Recoder::bind(&hierarchy, &column(&["*"], &texts(&["7", "*"]))).is_ok());
}

#[test]
fn large_integers_keep_their_order() {
    let (less, more) = ("-9007199254740993", "-9007199254740992");
    assert_eq!(compare_values(DataType::Integer, less, more), Ordering::Less);
    assert_eq!(compare_values(DataType::Decimal, "10000000000000000001", "9999999999999999999"), Ordering::Greater);
    assert_eq!(compare_values(DataType::Decimal, "0.10000000000000000001", "0.1"), Ordering::Greater);
    assert_eq!(compare_values(DataType::Integer, "10", "9"), Ordering::Greater);
    assert_eq!(compare_values(DataType::Integer, "x", "9"), Ordering::Greater);
    assert_eq!(compare_values(DataType::Decimal, "-1.5", "-1.25"), Ordering::Less);
    assert_eq!(compare_values(DataType::Date("%d/%m/%Y"), "02/01/2001", "01/02/2001"), Ordering::Less);
}

#[test]
fn a_constant_column_after_64_full_bits_is_grouped() {
    let columns: Vec<Vec<u32>> =
        (0..9).map(|column| if column < 8 { vec![255, column, 255] } else { vec![0; 3] }).collect();
    let columns: Vec<tamis_table::Codes> = columns.into_iter().map(tamis_table::Codes::Wide).collect();
    let views: Vec<&dyn tamis_table::TupleColumn> = columns.iter().map(|column| column as _).collect();
    let domains = [256, 256, 256, 256, 256, 256, 256, 256, 1];
    assert_eq!(number_tuples(3, &views, &domains), (vec![0, 1, 0], vec![0, 1]));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(16) })]

    #[test]
    fn a_column_gives_back_its_texts(values in vec("[ab?]{0,2}", 0..700)) {
        let column = column(&["", "?"], &values);
        let missing = |text: &str| text.is_empty() || text == "?";
        for (row, value) in values.iter().enumerate() {
            prop_assert_eq!(column.missing().is_some_and(|code| code.0 == column.codes().get(row)), missing(value));
            prop_assert!(missing(value) || column.text(row) == value);
        }
        prop_assert!(column.frequencies().iter().all(|&count| count > 0));
    }

    #[test]
    fn wide_dictionaries_keep_their_codes(distinct in 200u32..70_000) {
        let values: Vec<String> = (0..distinct).map(|number| number.to_string()).collect();
        let column = column(&[], &values);
        prop_assert!((0..distinct).all(|row| column.codes().get(row as usize) == row));
    }
}
