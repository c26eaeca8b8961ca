//! The clock of the machine.

use crate::answer::{CommandError, sentence};
use jiff::Timestamp;
use std::time::SystemTime;

/// What time it is. A clock beyond the dates that can be written is refused: by it every holder has expired, and the log would say so for
/// ever.
pub(crate) fn now() -> Result<Timestamp, CommandError> {
    at(SystemTime::now())
}

fn at(time: SystemTime) -> Result<Timestamp, CommandError> {
    Timestamp::try_from(time).map_err(|_| {
        sentence("the clock of this machine stands at the end of the year 9999 or beyond; set it right and try again")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, UNIX_EPOCH};

    #[test]
    fn a_clock_at_the_end_of_the_year_9999_is_refused_and_no_panic() {
        let last_day = UNIX_EPOCH + Duration::from_secs(253_402_214_400);
        assert!(at(last_day).unwrap_err().to_string().contains("9999"));
        assert!(at(last_day + Duration::from_secs(1 << 36)).is_err());
        assert_eq!(at(UNIX_EPOCH).unwrap(), Timestamp::UNIX_EPOCH);
        assert!(at(last_day - Duration::from_secs(86_400)).is_ok());
    }
}
