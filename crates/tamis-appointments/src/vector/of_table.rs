//! The anonymity vector of a table.

use super::AnonymityVector;
use tamis_table::hierarchy::SUPPRESSED;
use tamis_table::{FrequencySet, FrequencySpec, MissingPolicy, Recoder, Table, TableError};

/// What rows are whose quasi-identifiers are nothing but `*`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SuppressedRows {
    /// They are no longer in the table.
    #[default]
    LeftOut,
    /// They are a cell like any other.
    Counted,
}

/// Counts the rows of a table by quasi-identifier, and the resulting cells by size. Where a column names people who may have
/// several rows, `entity`, a cell is as large as the number of different people in it.
///
/// One pass over the rows with a hash table of the distinct tuples.
pub fn vector_of_table(
    table: &Table,
    quasi: &[String],
    entity: Option<&str>,
    suppressed: SuppressedRows,
) -> Result<AnonymityVector, TableError> {
    let columns = quasi.iter().map(|name| table.column(name)).collect::<Result<Vec<_>, _>>()?;
    let stars: Vec<Option<usize>> =
        columns.iter().map(|column| column.dictionary().iter().position(|text| text == SUPPRESSED)).collect();
    let is_suppressed =
        |row: usize| columns.iter().zip(&stars).all(|(column, &star)| Some(column.codes().get(row) as usize) == star);
    let is_counted: Vec<bool> =
        (0..table.rows()).map(|row| suppressed == SuppressedRows::Counted || !is_suppressed(row)).collect();
    let spec = FrequencySpec {
        quasi: (quasi.iter().zip(&columns))
            .map(|(name, column)| (name.as_str(), Recoder::keep_or_suppress(column), MissingPolicy::OwnCategory))
            .collect(),
        entity,
        subset: Some(&is_counted),
        ..FrequencySpec::default()
    };
    let (frequency, _) = FrequencySet::count(table, spec)?;
    Ok(AnonymityVector::of_sizes((0..frequency.tuples()).map(|tuple| frequency.size(tuple))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_table::ColumnBuilder;

    fn table(columns: &[(&str, &[&str])]) -> Table {
        let columns = columns.iter().map(|(name, values)| {
            let mut builder = ColumnBuilder::new(*name);
            for value in *values {
                builder.push(value).expect("few values");
            }
            builder.finish()
        });
        Table::new(columns.collect()).expect("columns of one length")
    }

    fn vector(table: &Table, quasi: &[&str], entity: Option<&str>, suppressed: SuppressedRows) -> Vec<u64> {
        let quasi: Vec<String> = quasi.iter().map(|&name| name.to_owned()).collect();
        vector_of_table(table, &quasi, entity, suppressed).expect("known columns").to_dense()
    }

    /// The paper's Table 5: four tables with k = 1 that are not equally anonymous.
    #[test]
    fn paper_table_5_vectors() {
        let values = ["ABCDDDDD", "ABCCCCCC", "ABBCCCCC", "ABBBCCCC"];
        let printed: [&[u64]; 4] = [&[3, 0, 0, 0, 1], &[2, 0, 0, 0, 0, 1], &[1, 1, 0, 0, 1], &[1, 0, 1, 1]];
        for (values, printed) in values.iter().zip(printed) {
            let letters: Vec<String> = values.chars().map(String::from).collect();
            let letters: Vec<&str> = letters.iter().map(String::as_str).collect();
            assert_eq!(vector(&table(&[("q", &letters)]), &["q"], None, SuppressedRows::LeftOut), printed, "{values}");
        }
    }

    #[test]
    fn suppressed_rows_and_people_with_several_rows() {
        let table = table(&[
            ("age", &["1", "1", "2", "*", "*"]),
            ("zip", &["a", "a", "b", "*", "c"]),
            ("who", &["p", "p", "q", "r", "s"]),
        ]);
        assert_eq!(vector(&table, &["age", "zip"], None, SuppressedRows::LeftOut), [2, 1]);
        assert_eq!(vector(&table, &["age", "zip"], None, SuppressedRows::Counted), [3, 1]);
        assert_eq!(vector(&table, &["age", "zip"], Some("who"), SuppressedRows::Counted), [4]);
        let unknown = vector_of_table(&table, &["sex".to_owned()], None, SuppressedRows::LeftOut);
        assert!(matches!(unknown, Err(TableError::UnknownColumn { .. })));
    }
}
