//! When a level counts as met: the one place that says so, for audits and for searches alike.
//!
//! The true optimum of an attacker often lies exactly on the level, since levels and bounds are made from the same numbers.
//! So a reach that equals the level up to rounding must pass. A reach that is truly smaller must not: 999,999,999 does not
//! meet 1,000,000,000, which is one part in 10^9. Between the two lies [`RELATIVE`].
//!
//! There is a second rounding: a bound that was computed as value plus level is rounded to the digits of the value, so that
//! the room that is left differs from the level by as much, however small the level is. Hence the slack has a part that
//! depends on the value. It is never more than half of the level: however large the value is, a cell that does not move meets no level.

/// The share of a level that may be missing: ten digits of it hold.
pub const RELATIVE: f64 = 1e-10;

/// By how much a reach may fall short of a level of a cell with this value: a 10^10th of the level, and the rounding of
/// numbers as large as the value, up to half of the level.
pub fn slack(level: f64, value: f64) -> f64 {
    RELATIVE * level + f64::min(2.0 * f64::EPSILON * value.abs(), level / 2.0)
}

/// Whether a computed deviation (or width) meets a level, for a cell with this value.
///
/// ```
/// use tamis_cells::audit::tolerance::meets;
///
/// assert!(meets(1e9, 1e9, 5e9));
/// assert!(!meets(999_999_999.0, 1e9, 5e9));
/// assert!(meets(0.3 - 0.1, 0.2, 0.3)); // rounded to 0.19999999999999998
/// assert!(!meets(0.0, 0.0001, 300_000_000_000.0));
/// ```
pub fn meets(reach: f64, level: f64, value: f64) -> bool {
    reach >= level - slack(level, value)
}
