//! Until when a holder may take part.

use std::fmt;
use std::str::FromStr;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};
use serde::{Deserialize, Serialize};

use super::KeyError;
use crate::shown::beginning;

/// The last moment at which a share is accepted: a date, to its end in UTC, or a time with its zone (RFC 3339).
///
/// ```
/// use tamis_ucrypt::key::NotAfter;
/// let end: NotAfter = "2030-12-31".parse().unwrap();
/// assert!(!end.is_over("2030-12-31T23:59:59Z".parse().unwrap()));
/// assert!(end.is_over("2031-01-01T00:00:00Z".parse().unwrap()));
/// assert!("31.12.2030".parse::<NotAfter>().is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct NotAfter {
    text: String,
    /// The first moment that is too late.
    end: Timestamp,
}

impl NotAfter {
    /// Whether the time is over at this moment.
    pub fn is_over(&self, now: Timestamp) -> bool {
        now >= self.end
    }

    /// Whether this time ends before another does.
    pub fn is_before(&self, other: &Self) -> bool {
        self.end < other.end
    }

    /// The text as it was given.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl FromStr for NotAfter {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        let refused = || KeyError::NotAfter(beginning(text));
        let end = if text.len() == "2030-12-31".len() {
            let date: Date = text.parse().map_err(|_| refused())?;
            let next = date.checked_add(1.day()).map_err(|_| refused())?;
            let start = next.to_zoned(TimeZone::UTC).map_err(|_| refused())?;
            start.timestamp()
        } else {
            let last: Timestamp = text.parse().map_err(|_| refused())?;
            last.checked_add(1.nanosecond()).map_err(|_| refused())?
        };
        Ok(Self { text: text.to_owned(), end })
    }
}

impl TryFrom<String> for NotAfter {
    type Error = KeyError;

    fn try_from(text: String) -> Result<Self, KeyError> {
        text.parse()
    }
}

impl From<NotAfter> for String {
    fn from(not_after: NotAfter) -> Self {
        not_after.text
    }
}

impl fmt::Display for NotAfter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
