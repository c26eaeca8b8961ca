//! What kind of values a column holds, and how two of them compare.

use jiff::civil::Date;
use std::cmp::Ordering;

/// The kind of values in a column; it decides their order and which hierarchy builders fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DataType {
    /// Whole numbers.
    Integer,
    /// Numbers, some with a decimal point or exponent.
    Decimal,
    /// Calendar dates in this `strptime` format.
    Date(&'static str),
    /// Anything else.
    Text,
}

/// The date spellings recognised without being told. Where a column fits both day-first and month-first, day-first wins,
/// as ISO 8601 aside most of the world writes it so; a policy can name the format.
const DATE_FORMATS: [&str; 7] = ["%Y-%m-%d", "%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%d-%m-%Y", "%Y/%m/%d", "%d/%m/%y"];

impl DataType {
    /// The narrowest type of all the given values; text if there are none.
    ///
    /// ```
    /// use tamis_table::DataType;
    /// assert_eq!(DataType::of(["7", "12"].into_iter()), DataType::Integer);
    /// assert_eq!(DataType::of(["7", "1.5"].into_iter()), DataType::Decimal);
    /// assert_eq!(DataType::of(["15/03/1961"].into_iter()), DataType::Date("%d/%m/%Y"));
    /// // A leading zero is a spelling that a number would lose.
    /// assert_eq!(DataType::of(["05345"].into_iter()), DataType::Text);
    /// ```
    #[allow(clippy::needless_pass_by_value, reason = "a cheap, cloned iterator")]
    pub fn of<'a>(values: impl Iterator<Item = &'a str> + Clone) -> Self {
        let mut sample = values.clone();
        let Some(first) = sample.next() else { return Self::Text };
        if is_number(first) {
            if values.clone().all(is_integer) {
                return Self::Integer;
            }
            if values.clone().all(is_number) {
                return Self::Decimal;
            }
            return Self::Text;
        }
        DATE_FORMATS
            .into_iter()
            .find(|format| values.clone().all(|value| parse_date(format, value).is_some()))
            .map_or(Self::Text, Self::Date)
    }

    /// The name used in policies and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Integer => "integer",
            Self::Decimal => "decimal",
            Self::Date(_) => "date",
            Self::Text => "text",
        }
    }
}

/// Compares two values the way their type orders them; values that do not have the type compare as text after those that do.
pub fn compare_values(data_type: DataType, left: &str, right: &str) -> Ordering {
    match data_type {
        // Doubles cannot tell neighbours beyond 2^53 apart.
        DataType::Integer => by_key(integer(left), integer(right), i64::cmp).then_with(|| left.cmp(right)),
        DataType::Decimal => by_key(number_in(left), number_in(right), f64::total_cmp).then_with(|| left.cmp(right)),
        DataType::Date(format) => {
            by_key(parse_date(format, left), parse_date(format, right), Date::cmp).then_with(|| left.cmp(right))
        }
        DataType::Text => left.cmp(right),
    }
}

fn integer(text: &str) -> Option<i64> {
    text.trim().parse().ok()
}

/// The number a text spells, if it spells a finite one. An interval, `*` or `NaN` spells none.
///
/// ```
/// use tamis_table::number_in;
/// assert_eq!(number_in("-2.50"), Some(-2.5));
/// assert_eq!(number_in("20-39"), None);
/// ```
pub fn number_in(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

/// The date a text spells in the given format.
pub(crate) fn parse_date(format: &str, text: &str) -> Option<Date> {
    // The separators and digit count are checked first: `strptime` accepts "1/2/63" where "%d/%m/%Y" is meant as year 63.
    if format.contains("%Y") && text.len() != 10 {
        return None;
    }
    Date::strptime(format, text.trim()).ok()
}

fn by_key<T>(left: Option<T>, right: Option<T>, compare: impl Fn(&T, &T) -> Ordering) -> Ordering {
    match (left, right) {
        (Some(left), Some(right)) => compare(&left, &right),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => Ordering::Equal,
    }
}

fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty()
        && digits.len() <= 18
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && (digits.len() == 1 || !digits.starts_with('0'))
}

fn is_number(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let leading_zero = unsigned.len() > 1 && unsigned.starts_with('0') && !unsigned.starts_with("0.");
    unsigned.starts_with(|first: char| first.is_ascii_digit() || first == '.')
        && !leading_zero
        && number_in(text).is_some()
}

/// A number for a message: the largest doubles have 309 digits, which nobody reads.
///
/// ```
/// use tamis_table::brief_number;
/// assert_eq!([0.0, -2.5, 1e15, 1e308, -1e-300].map(brief_number), ["0", "-2.5", "1000000000000000", "1e308", "-1e-300"]);
/// ```
pub fn brief_number(number: f64) -> String {
    let is_long = number != 0.0 && number.is_finite() && !(1e-5..1e16).contains(&number.abs());
    if is_long { format!("{number:e}") } else { number.to_string() }
}
