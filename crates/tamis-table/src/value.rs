//! What kind of values a column holds, and how two of them compare.

use crate::ExactNumber;
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

/// Another way in which values can be read, with a value that can.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rival<'a> {
    /// As dates in this format, which has day and month the other way round.
    DateFormat(&'a str, &'static str),
    /// As whole numbers whose dots separate thousands.
    Thousands(&'a str),
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

    /// Another way to read values of this type: one that fits all of them as well and puts them in another order. None if the values
    /// decide, or if it makes no difference.
    ///
    /// ```
    /// use tamis_table::{DataType, Rival};
    /// let rival = |values: &[&'static str]| DataType::of(values.iter().copied()).rival(values.iter().copied());
    /// assert_eq!(rival(&["01/03/2020", "02/01/2020"]), Some(Rival::DateFormat("01/03/2020", "%m/%d/%Y")));
    /// assert_eq!(rival(&["01/03/2020", "02/01/2020", "31/01/2020"]), None);
    /// assert_eq!(rival(&["01/03/2020", "01/04/2020"]), None);
    /// assert_eq!(rival(&["900", "1.000"]), Some(Rival::Thousands("1.000")));
    /// assert_eq!(rival(&["900", "1.000", "1.5"]), None);
    /// assert_eq!(rival(&["1.000", "12.345"]), None);
    /// ```
    #[allow(clippy::needless_pass_by_value, reason = "a cheap, cloned iterator")]
    pub fn rival<'a>(self, values: impl Iterator<Item = &'a str> + Clone) -> Option<Rival<'a>> {
        let mut order: Vec<&str> = values.clone().collect();
        order.sort_by(|left, right| compare_values(self, left, right));
        match self {
            Self::Date(format) => {
                let rivals: &[&'static str] = match format {
                    "%d/%m/%Y" => &["%m/%d/%Y"],
                    "%d.%m.%Y" => &["%m.%d.%Y"],
                    "%d-%m-%Y" => &["%m-%d-%Y"],
                    "%d/%m/%y" => &["%m/%d/%y", "%y/%m/%d"],
                    _ => &[],
                };
                let found = values.clone().next()?;
                let differs = |rival: &&'static str| {
                    let dates: Option<Vec<Date>> = order.iter().map(|value| parse_date(rival, value)).collect();
                    dates.is_some_and(|dates| dates.windows(2).any(|pair| pair[0] > pair[1]))
                };
                rivals.iter().copied().find(differs).map(|rival| Rival::DateFormat(found, rival))
            }
            Self::Decimal => {
                let found = values.clone().find(|value| value.contains('.'))?;
                let numbers: Option<Vec<f64>> = order.iter().map(|value| without_grouping(value)).collect();
                let differs = numbers?.windows(2).any(|pair| pair[0] > pair[1]);
                differs.then_some(Rival::Thousands(found))
            }
            Self::Integer | Self::Text => None,
        }
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

/// Compares two values the way their type orders them; values that do not have the type compare as text after those that do. Two
/// spellings of one value compare as text too, so that every set of texts has one order.
pub fn compare_values(data_type: DataType, left: &str, right: &str) -> Ordering {
    value_order(data_type, left, right).then_with(|| left.cmp(right))
}

/// Compares what two texts stand for: spellings of one number or date are equal, numbers of any length are compared exactly.
///
/// ```
/// use std::cmp::Ordering;
/// use tamis_table::{DataType, value_order};
/// assert_eq!(value_order(DataType::Decimal, "1", "1.0"), Ordering::Equal);
/// assert_eq!(value_order(DataType::Date("%Y-%m-%d"), "2024-1-2", "2024-01-02"), Ordering::Equal);
/// assert_eq!(value_order(DataType::Decimal, "9999999999999999999", "10000000000000000001"), Ordering::Less);
/// assert_eq!(value_order(DataType::Integer, "?", "7"), Ordering::Greater);
/// ```
pub fn value_order(data_type: DataType, left: &str, right: &str) -> Ordering {
    match data_type {
        DataType::Integer | DataType::Decimal => {
            // A double never puts two numbers in the wrong order, but it may not tell them apart.
            let (near_left, near_right) = (number_in(left), number_in(right));
            match near_left.zip(near_right).map(|(left, right)| left.partial_cmp(&right)) {
                Some(Some(order)) if order.is_ne() => order,
                _ => by_key(ExactNumber::parse(left), ExactNumber::parse(right), left, right),
            }
        }
        DataType::Date(format) => by_key(parse_date(format, left), parse_date(format, right), left, right),
        DataType::Text => left.cmp(right),
    }
}

/// The first of these numbers whose dot may separate thousands, where that would put it further from the others or nearer to them: some
/// numbers have a dot, each has exactly three digits behind it, and others have none.
///
/// ```
/// use tamis_table::thousands_or_decimals;
/// assert_eq!(thousands_or_decimals(["700", "1.000"].into_iter()), Some("1.000"));
/// assert_eq!(thousands_or_decimals(["700", "1.000", "1.25"].into_iter()), None);
/// // If all numbers are a thousand times as large, so are their distances.
/// assert_eq!(thousands_or_decimals(["0", "1.000", "12.345"].into_iter()), None);
/// ```
#[allow(clippy::needless_pass_by_value, reason = "a cheap, cloned iterator")]
pub fn thousands_or_decimals<'a>(values: impl Iterator<Item = &'a str> + Clone) -> Option<&'a str> {
    let mut numbers = values.clone().filter_map(|value| Some((value, number_in(value)?)));
    let is_dotted = |value: &str| value.contains('.');
    let has_others = numbers.clone().any(|(value, number)| !is_dotted(value) && number != 0.0);
    let can_be_grouped = numbers.clone().all(|(value, _)| without_grouping(value).is_some());
    numbers.find(|(value, _)| is_dotted(value) && has_others && can_be_grouped).map(|(value, _)| value)
}

/// The number that a text spells if its dot, should it have one, separates thousands; none if it cannot. A number of thousands does not
/// start with 0.
fn without_grouping(text: &str) -> Option<f64> {
    let text = text.trim();
    let Some((thousands, rest)) = text.strip_prefix('-').unwrap_or(text).split_once('.') else {
        return number_in(text);
    };
    let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let is_grouped = (1..=3).contains(&thousands.len())
        && !thousands.starts_with('0')
        && rest.len() == 3
        && is_digits(thousands)
        && is_digits(rest);
    if is_grouped { number_in(&text.replace('.', "")) } else { None }
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
    // `strptime` accepts "1/2/63" where "%d/%m/%Y" is meant as year 63; a day or month may lack its zero, a year has four digits.
    let is_long = |date: &Date| !format.contains("%Y") || text.len() == 10 || (text.len() < 10 && date.year() >= 1000);
    Date::strptime(format, text.trim()).ok().filter(is_long)
}

fn by_key<T: Ord>(left: Option<T>, right: Option<T>, left_text: &str, right_text: &str) -> Ordering {
    match (left, right) {
        (Some(left), Some(right)) => left.cmp(&right),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => left_text.cmp(right_text),
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
