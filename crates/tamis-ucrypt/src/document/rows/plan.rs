//! What the selectors mean for the columns that a table turned out to have.

use super::{Columns, RowsError};

/// A table of the document: what its columns are called and which of them are selected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Plan {
    /// What messages call the table.
    pub(crate) name: String,
    /// The columns in their order.
    pub(crate) columns: Vec<String>,
    /// What each column is selected as.
    pub(crate) targets: Vec<Option<Target>>,
    /// The columns that hold record keys; the first one also serves the columns that nobody selected.
    pub(crate) keys: Vec<KeyColumn>,
    /// Whether a treatment may drop its records.
    pub(crate) drops: bool,
}

/// What a selected column is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Target {
    /// Position among the keys of the plan.
    pub(crate) key: usize,
    pub(crate) field: String,
    pub(crate) element: String,
}

/// A column that tells records apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KeyColumn {
    pub(crate) position: usize,
    /// The logical name of the table.
    pub(crate) table: String,
}

impl Plan {
    /// Finds the columns of the selectors. With `folded`, a column that is not found exactly is looked for without regard to the
    /// case of ASCII letters, as databases do.
    pub(crate) fn new(
        name: String,
        columns: Vec<String>,
        selectors: &[&Columns],
        folded: bool,
    ) -> Result<Self, RowsError> {
        let mut targets: Vec<Option<Target>> = vec![None; columns.len()];
        let mut keys: Vec<KeyColumn> = Vec::new();
        for selector in selectors {
            let find = |wanted: &str| {
                position(&columns, wanted, folded).map_err(|none| none.error(wanted, &name, &selector.table, &columns))
            };
            let wanted = KeyColumn { position: find(&selector.key)?, table: selector.table.clone() };
            let key = keys.iter().position(|known| *known == wanted).unwrap_or(keys.len());
            if key == keys.len() {
                keys.push(wanted);
            }
            for one in &selector.columns {
                let place = find(&one.column)?;
                if targets[place].is_some() {
                    return Err(RowsError::SelectedTwice { column: one.column.clone(), table: name });
                }
                let (field, element) = (one.field.clone(), selector.element.clone());
                targets[place] = Some(Target { key, field, element });
            }
        }
        if let Some(key) = keys.iter().find(|key| targets[key.position].is_some()) {
            return Err(RowsError::SealedKey { column: columns[key.position].clone(), table: name });
        }
        Ok(Self { name, columns, targets, keys, drops: true })
    }
}

enum NotOne {
    None,
    Several,
}

impl NotOne {
    fn error(self, column: &str, table: &str, selected: &str, columns: &[String]) -> RowsError {
        let (column, table) = (column.to_owned(), table.to_owned());
        match self {
            Self::None => {
                RowsError::NoColumn { column, table, selected: selected.to_owned(), columns: columns.to_vec() }
            }
            Self::Several => RowsError::DoubledColumn { column, table },
        }
    }
}

fn position(columns: &[String], wanted: &str, folded: bool) -> Result<usize, NotOne> {
    let exact = only(columns.iter().map(|column| column == wanted));
    match exact {
        Err(NotOne::None) if folded => only(columns.iter().map(|column| column.eq_ignore_ascii_case(wanted))),
        found => found,
    }
}

fn only(hits: impl Iterator<Item = bool>) -> Result<usize, NotOne> {
    let mut hits = hits.enumerate().filter(|(_, hit)| *hit).map(|(place, _)| place);
    let first = hits.next().ok_or(NotOne::None)?;
    if hits.next().is_some() { Err(NotOne::Several) } else { Ok(first) }
}

#[cfg(test)]
mod tests {
    use super::Plan;
    use crate::document::rows::{Column, Columns};

    fn selector(table: &str, key: &str, columns: &[&str]) -> Columns {
        let column = |name: &&str| Column { column: (*name).to_owned(), field: name.to_lowercase() };
        Columns {
            source: "t".into(),
            table: table.into(),
            key: key.into(),
            columns: columns.iter().map(column).collect(),
            element: "UCRYPT".into(),
        }
    }

    fn plan(columns: &[&str], selectors: &[&Columns], folded: bool) -> Result<Plan, String> {
        let columns = columns.iter().map(|&name| name.to_owned()).collect();
        Plan::new("the table".into(), columns, selectors, folded).map_err(|error| error.to_string())
    }

    #[test]
    fn two_policies_may_share_a_table_and_a_key() {
        let (one, two) = (selector("T", "Id", &["A"]), selector("T", "Id", &["B"]));
        let plan = plan(&["A", "B", "Id"], &[&one, &two], false).unwrap();
        assert_eq!(plan.keys.len(), 1);
        assert_eq!(plan.keys[0].position, 2);
        assert_eq!(plan.targets[1].as_ref().map(|target| target.field.as_str()), Some("b"));
    }

    #[test]
    fn columns_that_are_missing_doubled_or_selected_twice_are_named() {
        let one = selector("T", "Id", &["A"]);
        assert_eq!(plan(&["Id", "B"], &[&one], true).unwrap_err(), "there is no column A in the table");
        assert_eq!(plan(&["Id", "a"], &[&one], false).unwrap_err(), "there is no column A in the table");
        assert_eq!(
            plan(&["Id", "A", "A"], &[&one], false).unwrap_err(),
            "there is more than one column A in the table"
        );
        assert_eq!(
            plan(&["Id", "a", "Id"], &[&one], true).unwrap_err(),
            "there is more than one column Id in the table"
        );
        assert!(plan(&["Id", "A"], &[&one, &one], false).unwrap_err().contains("selected twice"));
        assert!(plan(&["Id", "A"], &[&selector("T", "A", &["A"])], false).unwrap_err().contains("record key"));
        assert!(plan(&["Id", "a", "B", "B"], &[&one], true).is_ok());
    }
}
