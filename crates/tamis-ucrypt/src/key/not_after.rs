//! Until when a holder may take part.

use std::fmt;
use std::str::FromStr;

use jiff::civil::{Date, date};
use jiff::fmt::temporal::Pieces;
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
/// assert!(!"9999-12-31".parse::<NotAfter>().unwrap().is_over("9998-01-01T00:00:00Z".parse().unwrap()));
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
            let last: Date = text.parse().map_err(|_| refused())?;
            last.checked_add(1.day()).and_then(|next| next.to_zoned(TimeZone::UTC)).map(|start| start.timestamp())
        } else {
            text.parse::<Timestamp>().and_then(|last| last.checked_add(1.nanosecond()))
        };
        match end {
            Ok(end) => Ok(Self { text: text.to_owned(), end }),
            // "For ever". No clock that stands there is believed.
            Err(_) if is_beyond(text) => Ok(Self { text: text.to_owned(), end: Timestamp::MAX }),
            Err(_) => Err(refused()),
        }
    }
}

/// Whether this is a time on one of the last days of the year 9999, which are beyond those that are computed with.
fn is_beyond(text: &str) -> bool {
    let Ok(pieces) = Pieces::parse(text) else { return false };
    let is_whole = pieces.time().is_some() && pieces.offset().is_some();
    (is_whole || text.len() == "2030-12-31".len()) && pieces.date() >= date(9999, 12, 30)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_days_of_the_year_9999_mean_for_ever() {
        let late = "9999-12-29T00:00:00Z".parse().unwrap();
        for text in [
            "9999-12-30",
            "9999-12-31",
            "9999-12-31T23:59:59Z",
            "9999-12-31T23:59:59.999+01:00",
            "9999-12-30T23:00:00Z",
        ] {
            let end: NotAfter = text.parse().unwrap();
            assert!(!end.is_over(late) && end.as_str() == text, "{text}");
        }
        for text in
            ["9999-12-31T23:59:59", "9999-12-32", "9999-13-31", "-009999-01-01T00:00:00Z", "9999-12-31T", "10000-01-01"]
        {
            assert!(text.parse::<NotAfter>().is_err(), "{text}");
        }
        assert!("9999-12-28".parse::<NotAfter>().unwrap().is_over(late));
    }
}
