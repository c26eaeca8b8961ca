//! What a model needs to know of the whole table before it can judge a class.

use crate::ModelError;
use crate::models::t_closeness::Distance;
use std::sync::Arc;
use tamis_table::ExactNumber;

/// Facts about the whole table.
#[derive(Debug, Clone, Default)]
pub struct TableFacts {
    /// Rows, or people where the policy names an entity.
    pub rows: u64,
    /// Whether the table holds a population around the rows to release.
    pub has_population: bool,
    /// Rows of that population, if they were counted.
    pub population: Option<u64>,
    /// Whether a person may have several rows, so that sizes count people.
    pub has_entity: bool,
    /// The quasi-identifiers, in the order of [`crate::Classes::labels`].
    pub quasi: Vec<QuasiFacts>,
    /// The sensitive attributes, in the order of [`crate::Class::counts`].
    pub sensitive: Vec<SensitiveFacts>,
    /// The sets of columns that are counted together because a requirement asked for it; in the order of [`crate::Classes::joint`].
    pub joint: Vec<JointFacts>,
}

/// Facts about one quasi-identifier.
#[derive(Debug, Clone, Default)]
pub struct QuasiFacts {
    /// Its column.
    pub name: String,
    /// For each level how many labels it has.
    pub labels: Vec<u32>,
    /// For each level the number each label stands for, the middle of what it covers; empty where the column holds no numbers.
    pub numbers: Vec<Vec<f64>>,
}

/// Facts about one sensitive attribute.
#[derive(Debug, Clone, Default)]
pub struct SensitiveFacts {
    /// Its column.
    pub name: String,
    /// Where its counts start in [`crate::Class::counts`].
    pub offset: usize,
    /// How often each code occurs in the whole table.
    pub totals: Vec<u64>,
    /// The codes in the order of their type (numbers by size, dates by time) or of an explicit list.
    pub order: Vec<u32>,
    /// For each place of `order` whether its value is that of the place before, spelled in another way (`1` and `1.0`): both are one
    /// value of the order. Empty where there is no such pair.
    pub respelled: Vec<bool>,
    /// Why `order` is arbitrary and means nothing, if it is.
    pub unranked: Option<Unranked>,
    /// One of the numbers whose dot may separate thousands or decimals, if that changes how far apart they are and no value decides.
    pub dotted: Option<String>,
    /// The codes in the order in which the lines of a hierarchy file list them, which somebody may have chosen or not; none without one.
    pub listed: Option<Vec<u32>>,
    /// The text of each code.
    pub values: Arc<[String]>,
    /// For each level of its hierarchy the label of every code, level 0 first; none without hierarchy.
    pub tree: Option<Vec<Vec<u32>>>,
    /// For each level of its hierarchy the text of every label; empty without hierarchy.
    pub labels: Arc<[Vec<String>]>,
}

/// What keeps values from having an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unranked {
    /// A value that neither its type nor a list ranks.
    Text(String),
    /// A date that may be day first or month first, which gives the values different orders, and no value decides.
    Date(String),
    /// A number whose dot may separate thousands or decimals, which gives the values different orders, and no value decides.
    Thousands(String),
}

/// Several columns counted together: each combination of their values is one code.
#[derive(Debug, Clone, Default)]
pub struct JointFacts {
    /// The columns.
    pub columns: Vec<String>,
    /// For each column the text that each combination holds there, by a code of its own.
    pub parts: Vec<JointPart>,
}

/// One column of several that are counted together.
#[derive(Debug, Clone, Default)]
pub struct JointPart {
    /// The distinct texts of the column.
    pub values: Arc<[String]>,
    /// For each combination the code of its text.
    pub of_code: Vec<u32>,
    /// The code of the text that stands for a missing value, if there is one.
    pub missing: Option<u32>,
}

impl TableFacts {
    /// A table without sensitive attributes.
    pub fn of_rows(rows: u64) -> Self {
        Self { rows, ..Self::default() }
    }

    /// A table with one sensitive attribute whose codes occur this often and are ordered as they are numbered.
    pub fn of_histogram(name: &str, totals: &[u64]) -> Self {
        let values: Vec<String> = (0..totals.len()).map(|code| code.to_string()).collect();
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        Self::of_values(name, &values, totals)
    }

    /// A table with one sensitive attribute whose values occur this often and are ordered as they are listed.
    ///
    /// ```
    /// use tamis_privacy::TableFacts;
    /// let facts = TableFacts::of_values("disease", &["flu", "cancer"], &[3, 1]);
    /// assert_eq!((facts.rows, facts.sensitive[0].code("cancer")), (4, Some(1)));
    /// ```
    pub fn of_values(name: &str, values: &[&str], totals: &[u64]) -> Self {
        let sensitive = SensitiveFacts {
            name: name.to_owned(),
            totals: totals.to_vec(),
            order: (0..totals.len() as u32).collect(),
            values: values.iter().map(|&value| value.to_owned()).collect(),
            ..SensitiveFacts::default()
        };
        Self { rows: totals.iter().sum(), sensitive: vec![sensitive], ..Self::default() }
    }

    /// The position of a quasi-identifier.
    pub fn quasi(&self, name: &str) -> Option<usize> {
        self.quasi.iter().position(|quasi| quasi.name == name)
    }

    /// The position of the columns that are counted together.
    pub fn joint(&self, columns: &[String]) -> Option<usize> {
        self.joint.iter().position(|joint| joint.columns == columns)
    }
}

impl SensitiveFacts {
    /// The part of a class's counts that belongs to this attribute.
    pub fn counts<'a>(&self, counts: &'a [u32]) -> &'a [u32] {
        &counts[self.offset..self.offset + self.totals.len()]
    }

    /// The code of a value.
    pub fn code(&self, value: &str) -> Option<u32> {
        self.values.iter().position(|known| known == value).map(|code| code as u32)
    }

    /// Refuses to measure along an order that nothing gives.
    pub fn check_order(&self, distance: Distance) -> Result<(), ModelError> {
        let attribute = self.name.clone();
        match (distance, &self.unranked) {
            (Distance::Ordered, Some(Unranked::Text(found))) => {
                Err(ModelError::NoOrder { attribute, found: found.clone() })
            }
            (Distance::Ordered, Some(Unranked::Date(found))) => {
                Err(ModelError::DayOrMonth { attribute, found: found.clone() })
            }
            (Distance::Ordered, Some(Unranked::Thousands(found))) => {
                Err(ModelError::ThousandsOrDecimals { attribute, found: found.clone() })
            }
            (Distance::Listed, _) if self.listed.is_none() => Err(ModelError::NoList { attribute }),
            _ => Ok(()),
        }
    }

    /// The number each code stands for; none if some value that occurs is not a number.
    pub fn numbers(&self) -> Option<Vec<ExactNumber>> {
        let number = |(value, &total): (&String, &u64)| {
            let unused = if total == 0 { ExactNumber::parse("0") } else { None };
            ExactNumber::parse(value).or(unused)
        };
        self.values.iter().zip(&self.totals).map(number).collect()
    }
}
