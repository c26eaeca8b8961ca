//! The Adult census data, bundled: 30,162 records, a hierarchy for each of the nine columns, the results published on them, and
//! a generator of longer tables that look alike.
//!
//! Everything here is text and figures, as a user would have them in files: parsing is the business of `tamis-source`, searching
//! that of `tamis-engine`. The demonstration, the tests and the benchmarks take their data from here.
//!
//! ```
//! let csv = tamis_adult::csv();
//! let mut lines = csv.lines();
//! assert_eq!(lines.next(), Some(tamis_adult::COLUMNS.join(";").as_str()));
//! assert_eq!(lines.next(), Some("Male;39;White;Never-married;Bachelors;United-States;State-gov;Adm-clerical;<=50K"));
//! assert_eq!(lines.count() + 1, tamis_adult::ROWS);
//!
//! let education = tamis_adult::hierarchy("education").unwrap();
//! assert!(education.lines().any(|line| line == "Masters;Graduate;Higher education;*"));
//! ```

mod generate;
mod published;

pub use generate::{DEFAULT_NOISE, GenerateError, Generator, generate};
pub use published::{
    PUBLISHED, PublishedAge, PublishedClasses, PublishedLoss, PublishedResult, PublishedRisk, PublishedRows,
    PublishedSetting,
};

/// Number of records of the bundled table, the header not counted.
pub const ROWS: usize = 30_162;

/// The columns of the bundled table, in order.
pub const COLUMNS: [&str; 9] =
    ["sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation", "salary-class"];

/// The eight quasi-identifying columns of the published study, in column order.
pub const QUASI_IDENTIFIERS: [&str; 8] =
    ["sex", "age", "race", "marital-status", "education", "native-country", "workclass", "salary-class"];

/// The sensitive column of the published study.
pub const SENSITIVE: &str = "occupation";

/// Name and text of each column's hierarchy: the quasi-identifiers in column order, then the sensitive column.
///
/// The text is that of `hierarchies/adult/NAME.csv`: a line per value, fields separated by `;`, no header.
pub const HIERARCHIES: [(&str, &str); 9] = [
    ("sex", include_str!("../../../hierarchies/adult/sex.csv")),
    ("age", include_str!("../../../hierarchies/adult/age.csv")),
    ("race", include_str!("../../../hierarchies/adult/race.csv")),
    ("marital-status", include_str!("../../../hierarchies/adult/marital-status.csv")),
    ("education", include_str!("../../../hierarchies/adult/education.csv")),
    ("native-country", include_str!("../../../hierarchies/adult/native-country.csv")),
    ("workclass", include_str!("../../../hierarchies/adult/workclass.csv")),
    ("salary-class", include_str!("../../../hierarchies/adult/salary-class.csv")),
    ("occupation", include_str!("../../../hierarchies/adult/occupation.csv")),
];

/// The age hierarchy whose labels mean what they say: `20-39` covers the ages 20 to 39.
///
/// The one in [`HIERARCHIES`] is one year off (`20-39` covers 21 to 40), as it was when the results were published.
///
/// ```
/// assert!(tamis_adult::AGE_CORRECTED.lines().any(|line| line == "40;40-44;40-49;40-59;*"));
/// assert!(tamis_adult::hierarchy("age").unwrap().lines().any(|line| line == "40;35-39;30-39;20-39;*"));
/// ```
pub const AGE_CORRECTED: &str = include_str!("../../../hierarchies/adult/age-corrected.csv");

/// `data/adult.csv.zst`, made by `data/make_adult.py`.
const CSV_ZST: &[u8] = include_bytes!("../data/adult.csv.zst");

/// Length of the CSV text, so that decompression allocates once.
const CSV_BYTES: usize = 2_486_772;

/// The bundled table as CSV: a header, `;` between fields, no quotes, lines ended by a line feed.
pub fn csv() -> String {
    let bytes = zstd::bulk::decompress(CSV_ZST, CSV_BYTES).expect("the bundled data is a whole Zstandard frame");
    String::from_utf8(bytes).expect("the bundled data is ASCII")
}

/// The text of the hierarchy of one of the nine columns.
pub fn hierarchy(column: &str) -> Option<&'static str> {
    HIERARCHIES.iter().find(|(name, _)| *name == column).map(|(_, text)| *text)
}
