//! What the selectors mean for the columns that a table turned out to have.

use super::{Columns, RowsError, Wanted};

/// A table of the document: what its columns are called and which of them are selected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Plan {
    /// What messages call the table.
    pub(crate) name: String,
    /// The columns in their order.
    pub(crate) columns: Vec<String>,
    /// What each column is selected as.
    pub(crate) targets: Vec<Option<Target>>,
    /// What the fields of each column are called: as the policy says, or like the column.
    pub(crate) fields: Vec<String>,
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
        let mut fields = columns.clone();
        for selector in selectors {
            let find = |wanted: &str| position(&columns, wanted, folded);
            // The first line of a file without a header holds values, which no message repeats.
            let is_wanted = |column: &String| {
                let mut wanted = selector.columns.iter().map(|one| &one.column).chain([&selector.key]);
                wanted.any(|wanted| wanted.eq_ignore_ascii_case(column))
            };
            let listed = if folded || columns.iter().any(is_wanted) { &columns[..] } else { &[] };
            let error = |not: NotOne, column: &str, what| not.error(column, what, &name, &selector.table, listed);
            let position = find(&selector.key).map_err(|not| error(not, &selector.key, Wanted::Key))?;
            let wanted = KeyColumn { position, table: selector.table.clone() };
            let key = keys.iter().position(|known| *known == wanted).unwrap_or(keys.len());
            if key == keys.len() {
                keys.push(wanted);
            }
            for one in &selector.columns {
                let place = match find(&one.column) {
                    Err(NotOne::None) if !one.required => continue,
                    found => found.map_err(|not| error(not, &one.column, Wanted::Field))?,
                };
                if targets[place].is_some() {
                    return Err(RowsError::SelectedTwice { column: one.column.clone(), table: name });
                }
                fields[place].clone_from(&one.field);
                targets[place] = Some(Target { key, element: selector.element.clone() });
            }
        }
        if let Some(key) = keys.iter().find(|key| targets[key.position].is_some()) {
            return Err(RowsError::SealedKey { column: columns[key.position].clone(), table: name });
        }
        // A column that is called like a field which is another one is called like no field at all: a cell that was moved there must not open.
        let is_taken = |column: &str| selectors.iter().flat_map(|table| &table.columns).any(|one| one.field == *column);
        for (field, _) in fields.iter_mut().zip(&targets).filter(|(_, target)| target.is_none()) {
            if is_taken(field) {
                field.insert_str(0, "./");
            }
        }
        Ok(Self { name, columns, targets, fields, keys, drops: true })
    }
}

enum NotOne {
    None,
    Several,
}

impl NotOne {
    fn error(self, column: &str, wanted: Wanted, table: &str, selected: &str, columns: &[String]) -> RowsError {
        let (column, table) = (column.to_owned(), table.to_owned());
        match self {
            Self::None => {
                RowsError::NoColumn { column, wanted, table, selected: selected.to_owned(), columns: columns.to_vec() }
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
        let column = |name: &&str| Column { column: (*name).to_owned(), field: name.to_lowercase(), required: true };
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
        assert_eq!(plan.fields[1], "b");
    }

    #[test]
    fn columns_that_are_missing_doubled_or_selected_twice_are_named() {
        let one = selector("T", "Id", &["A"]);
        let no_column = plan(&["Id", "B"], &[&one], true).unwrap_err();
        let words = "there is no column A in the table, which has \"Id\", \"B\"; if it is not meant here, name the fields that are (--field)";
        assert_eq!(no_column, words);
        assert!(plan(&["Id", "a"], &[&one], false).unwrap_err().starts_with("there is no column A in the table, "));
        assert_eq!(
            plan(&["id", "a"], &[&one], false).unwrap_err(),
            "there is no column Id, which tells the records apart, in the table, which has \"id\", \"a\""
        );
        assert_eq!(
            plan(&["5", "AIDS"], &[&one], false).unwrap_err(),
            "there is no column Id, which tells the records apart, in the table, which has none that the policy names: is its first line a header?"
        );
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

    #[test]
    fn a_column_that_is_not_required_may_be_missing() {
        let mut one = selector("T", "Id", &["A", "B"]);
        one.columns[0].required = false;
        let plan = plan(&["Id", "B"], &[&one], false).unwrap();
        assert!(plan.targets[0].is_none() && plan.targets[1].is_some());
    }

    /// A cell that is moved from the column of a field into one that only has its name must not open there.
    #[test]
    fn a_column_that_is_called_like_the_field_of_another_is_called_like_none() {
        let one = selector("T", "Id", &["DIS"]);
        let plan = plan(&["Id", "DIS", "dis", "other"], &[&one], false).unwrap();
        assert_eq!(plan.fields, ["Id", "dis", "./dis", "other"]);
    }
}
