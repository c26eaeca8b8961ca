//! Where a person has several rows, nobody hides behind themselves.

use tamis_risk::{ColumnSet, MinimalUniques, Records, contribution};
use tamis_table::{ColumnBuilder, FrequencySet, FrequencySpec, MissingPolicy, Recoder, Table, TableError};

fn table(columns: &[(&str, &[&str])]) -> Result<Table, TableError> {
    let build = |(name, values): &(&str, &[&str])| {
        let mut builder = ColumnBuilder::new(*name);
        values.iter().try_for_each(|value| builder.push(value))?;
        Ok(builder.finish())
    };
    Table::new(columns.iter().map(build).collect::<Result<_, TableError>>()?)
}

#[test]
fn two_rows_of_one_person_are_unique_together() -> Result<(), TableError> {
    let table = table(&[
        ("patient", &["p1", "p1", "p2", "p3", "p3"]),
        ("ward", &["north", "north", "south", "south", "south"]),
        ("year", &["2023", "2024", "2023", "2023", "2023"]),
    ])?;
    let spec = FrequencySpec {
        quasi: ["ward", "year"]
            .into_iter()
            .map(|name| Ok((name, Recoder::keep_or_suppress(table.column(name)?), MissingPolicy::OwnCategory)))
            .collect::<Result<_, TableError>>()?,
        entity: Some("patient"),
        ..FrequencySpec::default()
    };
    let (records, _) = Records::of(&FrequencySet::count(&table, spec)?.0);
    assert_eq!((records.tuples(), records.total_rows(), records.unique_rows()), (3, 5, 2));
    assert_eq!((0..3).map(|tuple| records.size(tuple)).collect::<Vec<_>>(), [1, 1, 2]);
    let uniques = MinimalUniques::find(&records, 2);
    // p1 alone was in the north, in both years; nobody else has a row of 2024.
    assert_eq!(uniques.found, [(0, ColumnSet(0b01)), (1, ColumnSet(0b01)), (1, ColumnSet(0b10))]);
    let left = contribution::left_out(&records);
    assert_eq!((left[0].unique_rows, left[1].unique_rows), (1, 2));
    // Wards: one person and two people, in two groups.
    assert_eq!(left[1].average_risk, 2.0 / 3.0);
    Ok(())
}
