//! Dates by day, week, month, quarter, year and spans of years.

use super::{Labels, fail};
use crate::value::parse_date;
use crate::{DataType, HierarchyError};
use jiff::ToSpan;
use jiff::civil::Date;
use jiff::fmt::strtime;
use serde::{Deserialize, Serialize};

/// Dates on ever longer spans of the calendar.
///
/// Labels sort like the dates do: `2024-03-15`, `2024-W11`, `2024-03`, `2024-Q1`, `2024`, `2020-2024`, `2020s`,
/// `2000-2099`. A level can be spelled otherwise, see [`DateLevel`]. A week belongs where its Thursday does, as ISO 8601 has
/// it; if a hierarchy has weeks, its longer spans count whole weeks.
///
/// ```
/// use tamis_table::hierarchy::builders::{Builder, DateLevel, DateUnit, Dates};
/// let levels = [DateUnit::Month, DateUnit::Quarter, DateUnit::FiveYears].map(DateLevel::Unit);
/// let born = Builder::Date(Dates { levels: levels.to_vec(), ..Dates::default() });
/// assert_eq!(born.build(&["15/03/1961"])?[0].labels, ["15/03/1961", "1961-03", "1961-Q1", "1960-1964", "*"]);
/// # Ok::<(), tamis_table::HierarchyError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Dates {
    /// How the values are spelled, as in `strptime`; recognised if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// The latest year a two-digit year can mean: with 2020, `19` is 2019 and `63` is 1963. 2068 if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latest_year: Option<i16>,
    /// The levels, each longer than the one before.
    pub levels: Vec<DateLevel>,
}

/// A level of a date hierarchy: a unit, or a unit and how it is spelled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    untagged,
    deny_unknown_fields,
    expecting = "a level must be \"day\", \"week\", \"month\", \"quarter\", \"year\", \"five-years\", \"decade\" or \"century\", or \
                 { unit = \"month\", format = \"%m/%y\" }"
)]
pub enum DateLevel {
    /// Spelled as in ISO 8601 or close to it.
    Unit(DateUnit),
    /// Spelled in a `strftime` format that is applied to the first day; spans of several years are spelled `first-last`.
    Spelled {
        /// The unit.
        unit: DateUnit,
        /// Its spelling.
        format: String,
    },
}

/// Spans of the calendar, shortest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DateUnit {
    /// `2024-03-15`
    Day,
    /// `2024-W11`
    Week,
    /// `2024-03`
    Month,
    /// `2024-Q1`
    Quarter,
    /// `2024`
    Year,
    /// `2020-2024`
    FiveYears,
    /// `2020s`
    Decade,
    /// `2000-2099`
    Century,
}

impl Default for Dates {
    fn default() -> Self {
        let levels = [DateUnit::Month, DateUnit::Quarter, DateUnit::Year, DateUnit::FiveYears, DateUnit::Decade];
        Self { format: None, latest_year: None, levels: levels.map(DateLevel::Unit).to_vec() }
    }
}

impl DateLevel {
    fn unit(&self) -> DateUnit {
        match self {
            Self::Unit(unit) | Self::Spelled { unit, .. } => *unit,
        }
    }

    fn label(&self, date: Date) -> Result<String, HierarchyError> {
        let unit = self.unit();
        match self {
            Self::Unit(_) => Ok(unit.label(date)),
            Self::Spelled { format, .. } => {
                let spell = |date: Date| {
                    strtime::format(format, date).map_err(|error| {
                        HierarchyError::Builder(format!("the format `{format}` cannot spell a date: {error}"))
                    })
                };
                match unit.years() {
                    0 | 1 => spell(unit.first_day(date)),
                    years => {
                        let first = unit.first_day(date);
                        let last = first.checked_add((years - 1).years()).unwrap_or(Date::MAX);
                        Ok(format!("{}-{}", spell(first)?, spell(last)?))
                    }
                }
            }
        }
    }
}

impl DateUnit {
    fn name(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Quarter => "quarter",
            Self::Year => "year",
            Self::FiveYears => "five-years",
            Self::Decade => "decade",
            Self::Century => "century",
        }
    }

    /// How many years it spans; 0 if less than one.
    fn years(self) -> i16 {
        match self {
            Self::Day | Self::Week | Self::Month | Self::Quarter => 0,
            Self::Year => 1,
            Self::FiveYears => 5,
            Self::Decade => 10,
            Self::Century => 100,
        }
    }

    fn first_day(self, date: Date) -> Date {
        let first_of = |year: i16, month: i8| Date::new(year, month, 1).unwrap_or(Date::MIN);
        match self {
            Self::Day => date,
            Self::Week => {
                date.checked_sub(i64::from(date.weekday().to_monday_zero_offset()).days()).unwrap_or(Date::MIN)
            }
            Self::Month => date.first_of_month(),
            Self::Quarter => first_of(date.year(), (date.month() - 1) / 3 * 3 + 1),
            Self::Year | Self::FiveYears | Self::Decade | Self::Century => {
                first_of(date.year().div_euclid(self.years()) * self.years(), 1)
            }
        }
    }

    fn label(self, date: Date) -> String {
        let year = date.year();
        let years = self.years();
        match self {
            Self::Day => date.to_string(),
            Self::Week => {
                let week = date.iso_week_date();
                format!("{:04}-W{:02}", week.year(), week.week())
            }
            Self::Month => format!("{year:04}-{:02}", date.month()),
            Self::Quarter => format!("{year:04}-Q{}", (date.month() - 1) / 3 + 1),
            Self::Year => format!("{year:04}"),
            Self::Decade => format!("{:04}s", year.div_euclid(years) * years),
            Self::FiveYears | Self::Century => {
                let first = year.div_euclid(years) * years;
                format!("{first:04}-{:04}", first + years - 1)
            }
        }
    }
}

impl Dates {
    pub(super) fn rows(&self, values: &[&str]) -> Result<Vec<Labels>, HierarchyError> {
        if self.levels.is_empty() {
            return fail("`levels` of a date hierarchy is empty; list some, such as [\"month\", \"year\"]");
        }
        if let Some(pair) = self.levels.windows(2).find(|pair| pair[0].unit() >= pair[1].unit()) {
            return fail(format!(
                "the levels of a date hierarchy must grow, but `{}` follows `{}`",
                pair[1].unit().name(),
                pair[0].unit().name()
            ));
        }
        let detected = match &self.format {
            Some(_) => None,
            None => detect(values)?,
        };
        let by_week = self.levels.iter().any(|level| level.unit() == DateUnit::Week);
        values
            .iter()
            .map(|&value| {
                let date = self.parse(value, detected)?;
                let mut labels = vec![value.to_owned()];
                for level in &self.levels {
                    let date = if by_week && level.unit() > DateUnit::Week { thursday(date) } else { date };
                    labels.push(level.label(date)?);
                }
                Ok(labels)
            })
            .collect()
    }

    /// The date that a value spells in the named format; none if no format is named.
    pub(super) fn date_of(&self, value: &str) -> Option<Date> {
        self.format.as_ref()?;
        self.parse(value, None).ok()
    }

    fn parse(&self, value: &str, detected: Option<&str>) -> Result<Date, HierarchyError> {
        let (format, date) = match &self.format {
            Some(format) => (format.as_str(), Date::strptime(format, value.trim()).ok()),
            None => (detected.unwrap_or_default(), detected.and_then(|format| parse_date(format, value))),
        };
        let date = date.ok_or_else(|| {
            HierarchyError::Builder(format!(
                "`{value}` is no date in the format `{format}`; correct it or the `format`"
            ))
        })?;
        match self.latest_year {
            Some(latest) if format.contains("%y") => in_century_up_to(latest, date).ok_or_else(|| {
                HierarchyError::Builder(format!(
                    "`{value}` is no date if two-digit years end with {latest}; correct `latest_year`"
                ))
            }),
            _ => Ok(date),
        }
    }
}

/// The last date up to the end of year `latest` that agrees with `date` in all but the century.
fn in_century_up_to(latest: i16, date: Date) -> Option<Date> {
    let back = (i32::from(latest) - i32::from(date.year())).rem_euclid(100);
    let year = i16::try_from(i32::from(latest) - back).ok()?;
    Date::new(year, date.month(), date.day()).ok()
}

/// The Thursday of the date's week; the date itself in the week in which the calendar starts.
fn thursday(date: Date) -> Date {
    date.checked_add((3 - i64::from(date.weekday().to_monday_zero_offset())).days()).unwrap_or(date)
}

/// The format that all values share; `None` if there are no values.
fn detect<'a>(values: &[&'a str]) -> Result<Option<&'static str>, HierarchyError> {
    let format = |value: &'a str| match DataType::of(std::iter::once(value)) {
        DataType::Date(format) => Some(format),
        _ => None,
    };
    let Some(&first) = values.first() else { return Ok(None) };
    if let DataType::Date(format) = DataType::of(values.iter().copied()) {
        return Ok(Some(format));
    }
    if let Some(stranger) = values.iter().copied().find(|&value| format(value).is_none()) {
        return fail(format!("`{stranger}` is no date in a known spelling; give the `format`, such as \"%d/%m/%Y\""));
    }
    let other = values.iter().copied().find(|&value| format(value) != format(first)).unwrap_or(first);
    fail(format!(
        "no one format reads all the dates, such as `{first}` and `{other}`; spell them alike or give the `format`"
    ))
}
