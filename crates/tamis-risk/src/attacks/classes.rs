//! The classes of a table: rows with the same quasi-identifiers, and how often each sensitive value occurs in them.

use super::report::counted;
use super::{AttackError, Fields};
use tamis_table::hierarchy::SUPPRESSED;
use tamis_table::{Column, Members, Table, TupleColumn, number_tuples};

/// Rows grouped by some columns. Rows with `*` in all of them are suppressed: they say nothing about anybody and are left out.
///
/// Grouping is one hash look-up a row.
pub(crate) struct Classes<'a> {
    pub(crate) columns: Vec<&'a Column>,
    pub(crate) class_of_row: Vec<u32>,
    pub(crate) first_rows: Vec<u32>,
    pub(crate) members: Members,
    suppressed: Option<usize>,
}

/// A value of a class and how many rows hold it.
pub(crate) type Counted = (u32, u64);

/// How many rows a histogram counts: those of the class whose value is not sealed.
pub(crate) fn visible(histogram: &[Counted]) -> u64 {
    histogram.iter().map(|&(_, count)| count).sum()
}

impl<'a> Classes<'a> {
    pub(crate) fn of(table: &'a Table, names: &[&str]) -> Result<Self, AttackError> {
        let columns = names.iter().map(|name| table.column(name)).collect::<Result<Vec<_>, _>>()?;
        let views: Vec<&dyn TupleColumn> = columns.iter().map(|column| column.codes() as &dyn TupleColumn).collect();
        let domains: Vec<u32> = columns.iter().map(|column| column.dictionary().len() as u32).collect();
        let (class_of_row, first_rows) = number_tuples(table.rows(), &views, &domains);
        let members = Members::of(&class_of_row, first_rows.len());
        let is_suppressed =
            |&row: &u32| !columns.is_empty() && columns.iter().all(|column| column.text(row as usize) == SUPPRESSED);
        let suppressed = first_rows.iter().position(is_suppressed);
        Ok(Self { columns, class_of_row, first_rows, members, suppressed })
    }

    /// All classes but the suppressed rows.
    pub(crate) fn kept(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.first_rows.len()).filter(|&class| !self.is_suppressed(class))
    }

    pub(crate) fn is_suppressed(&self, class: usize) -> bool {
        self.suppressed == Some(class)
    }

    pub(crate) fn size(&self, class: usize) -> u64 {
        self.members.group(class).len() as u64
    }

    pub(crate) fn suppressed_rows(&self) -> u64 {
        self.suppressed.map_or(0, |class| self.size(class))
    }

    /// Rows that are not suppressed.
    pub(crate) fn rows(&self) -> u64 {
        self.class_of_row.len() as u64 - self.suppressed_rows()
    }

    /// Rows of the smallest class; 0 if there is none.
    pub(crate) fn k(&self) -> u64 {
        self.kept().map(|class| self.size(class)).min().unwrap_or(0)
    }

    pub(crate) fn code(&self, column: usize, class: usize) -> u32 {
        self.columns[column].codes().get(self.first_rows[class] as usize)
    }

    pub(crate) fn text(&self, column: usize, class: usize) -> &'a str {
        self.columns[column].text(self.first_rows[class] as usize)
    }

    /// The values that the rows of a class share.
    pub(crate) fn fields(&self, class: usize) -> Fields {
        let field =
            |(position, column): (usize, &&Column)| (column.name().to_owned(), self.text(position, class).to_owned());
        Fields(self.columns.iter().enumerate().map(field).collect())
    }

    /// The values of a column in each class, the most frequent first, ties in dictionary order. Linear in rows, but for sorting.
    ///
    /// Sealed values are left out: the table does not tell them to anybody.
    pub(crate) fn histograms(&self, column: &Column) -> Vec<Vec<Counted>> {
        let sealed = column.sealed().map(|code| code.0);
        let mut scratch = vec![0u64; column.dictionary().len()];
        (0..self.first_rows.len())
            .map(|class| {
                let rows = self.members.group(class).iter().map(|&row| column.codes().get(row as usize));
                let mut present = Vec::new();
                for code in rows.filter(|&code| Some(code) != sealed) {
                    if scratch[code as usize] == 0 {
                        present.push(code);
                    }
                    scratch[code as usize] += 1;
                }
                let mut values: Vec<Counted> =
                    present.into_iter().map(|code| (code, std::mem::take(&mut scratch[code as usize]))).collect();
                values.sort_unstable_by_key(|&(code, count)| (std::cmp::Reverse(count), code));
                values
            })
            .collect()
    }

    /// What the people whom a histogram of a class counts have, in words: the values of the class, and no sealed one where others are.
    pub(crate) fn whom(&self, class: usize, column: &Column, histogram: &[Counted]) -> String {
        let values = self.fields(class).phrase();
        if visible(histogram) == self.size(class) {
            values
        } else {
            format!("{values} and a {} that is not sealed", column.name())
        }
    }

    /// What to say if some values of the column are sealed.
    pub(crate) fn note_on_sealed(&self, column: &Column, histograms: &[Vec<Counted>]) -> Option<String> {
        let sealed = self.rows() - self.kept().map(|class| visible(&histograms[class])).sum::<u64>();
        (sealed > 0).then(|| {
            format!(
                "`{}` is sealed in {sealed} of {}; whoever has the table alone does not learn sealed values, so the attack is tried on the others",
                column.name(),
                counted(self.rows(), "row", "rows")
            )
        })
    }
}

/// One field.
pub(crate) fn field(name: &str, value: &str) -> Fields {
    Fields(vec![(name.to_owned(), value.to_owned())])
}
