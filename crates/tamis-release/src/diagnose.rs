//! What would have to give where nothing admissible exists.

use crate::{ModelPolicy, Policy, Prepared, ReleaseError, bind_models, prepare::Requirement};
use serde::Serialize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tamis_engine::{Known, Limits, Measure, Score, SearchError, Tally, optimal};
use tamis_privacy::{Bound, Parameters, Value};

/// Changes, each of which alone would make the release possible.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Diagnosis {
    /// The least number of rows that would have to be suppressed; none if even that does not help.
    pub suppression_needed: Option<u64>,
    /// As a share of the rows.
    pub suppression_limit_needed: Option<f64>,
    /// The largest k that could be met with the limit as it is; none if there is no k in the policy or none helps.
    pub nearest_k: Option<u64>,
    /// The same in sentences.
    pub advice: Vec<String>,
}

/// Looks for the nearest requirement that could be met.
///
/// One search for the least suppression, and one for each step of a binary search over k; what is not found within twenty seconds or
/// before `stop` is set is left out.
pub fn diagnose(
    policy: &Policy,
    prepared: &mut Prepared,
    stop: Option<&AtomicBool>,
) -> Result<Diagnosis, ReleaseError> {
    let patience = Patience { until: Instant::now() + PATIENCE, stop };
    let rows = prepared.problem.frequency.rows;
    let limit = std::mem::replace(&mut prepared.problem.limit, rows);
    let measure = std::mem::replace(&mut prepared.problem.measure, Box::new(SuppressedRows));
    let least = optimal(&prepared.problem, &patience.limits(), &mut ());
    prepared.problem.limit = limit;
    let is_hopeless = matches!(least, Err(SearchError::NoSolution { .. }));
    let suppression_needed =
        least.ok().filter(|solution| solution.is_optimal).map(|solution| solution.tally.suppressed);
    let bound = prepared.problem.require(Bound::default());
    let nearest_k = nearest_k(policy, prepared, &patience)?;
    prepared.problem.require(bound);
    prepared.problem.measure = measure;
    let share = suppression_needed.map(|needed| share_that_allows(needed, rows));
    let mut advice = Vec::new();
    if let (Some(needed), Some(share)) = (suppression_needed, share) {
        advice.push(format!(
            "with the models as they are, at least {needed} of {rows} rows must be suppressed: set suppression_rows = {needed}, or suppression_limit = {share}"
        ));
    } else if is_hopeless {
        advice.push(
            "no amount of suppression helps: a class of the population without rows to release fails the models"
                .to_owned(),
        );
    }
    if let Some(k) = nearest_k {
        advice.push(format!("with {limit} of {rows} rows suppressed, k = {k} is the largest that can be met"));
    }
    Ok(Diagnosis { suppression_needed, suppression_limit_needed: share, nearest_k, advice })
}

/// How long to look for advice that nobody asked for.
const PATIENCE: Duration = Duration::from_secs(20);

struct Patience<'a> {
    until: Instant,
    stop: Option<&'a AtomicBool>,
}

impl Patience<'_> {
    fn limits(&self) -> Limits<'_> {
        let left = self.until.saturating_duration_since(Instant::now());
        Limits { time: Some(left), stop: self.stop, ..Limits::default() }
    }

    fn is_over(&self) -> bool {
        Instant::now() >= self.until || self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

/// The share with the fewest digits that, times the rows and rounded down, still allows `needed` rows.
fn share_that_allows(needed: u64, rows: u64) -> f64 {
    let exact = needed as f64 / rows as f64;
    let allows = |share: f64| (share * rows as f64).floor() as u64 >= needed;
    let rounded = (4..=12).map(|digits| 10f64.powi(digits)).flat_map(|scale| {
        // A product such as 0.29 * 100 falls short of the whole number; the next digit up does not.
        let up = (exact * scale).ceil();
        [up / scale, (up + 1.0) / scale]
    });
    let close = |share: &f64| (*share * rows as f64) < (needed + 1) as f64;
    rounded.filter(close).find(|&share| share <= 1.0 && allows(share)).unwrap_or(1.0)
}

/// The largest k below the policy's for which something is admissible, all other requirements unchanged.
fn nearest_k(policy: &Policy, prepared: &mut Prepared, patience: &Patience<'_>) -> Result<Option<u64>, ReleaseError> {
    let Some(asked) = policy.models.iter().filter_map(ModelPolicy::k).max() else { return Ok(None) };
    let mut is_possible = |k: u64| -> Result<bool, ReleaseError> {
        let changed = Parameters::from([("k", Value::Integer(i64::try_from(k).unwrap_or(i64::MAX)))]);
        let requirements: Vec<Requirement<'_>> = policy
            .models
            .iter()
            .map(|model| (model.kind.as_str(), if model.kind == "k-anonymity" { &changed } else { &model.parameters }))
            .collect();
        prepared.problem.require(bind_models(&requirements, &prepared.facts)?);
        Ok(optimal(&prepared.problem, &patience.limits(), &mut ()).is_ok())
    };
    // A smaller k is never harder, so the possible ones are those up to the answer.
    let (mut possible, mut impossible) = (0, asked);
    while possible + 1 < impossible {
        let middle = possible.midpoint(impossible);
        if is_possible(middle)? { possible = middle } else { impossible = middle }
    }
    // What was cut short may have been possible, so nothing is known.
    Ok((possible > 0 && !patience.is_over()).then_some(possible))
}

/// Counts suppressed rows: the measure under which the optimum suppresses least.
#[derive(Debug)]
struct SuppressedRows;

impl Measure for SuppressedRows {
    fn name(&self) -> &'static str {
        "suppressed-rows"
    }

    fn score(&self, _: &[usize], tally: &Tally) -> Score {
        Score::number(tally.suppressed as f64)
    }

    fn lower_bound(&self, _: &[usize], known: &Known<'_>) -> Score {
        Score::number(known.forced.rows as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::share_that_allows;

    #[test]
    fn a_recommended_share_allows_the_rows_it_was_recommended_for() {
        for rows in [1, 2, 3, 7, 49, 97, 100, 1000, 30_162, 5_000_000] {
            for needed in [0, 1, 2, rows / 3, rows * 29 / 100, rows / 2, rows - 1, rows] {
                let needed = needed.min(rows);
                let share = share_that_allows(needed, rows);
                let allowed = (share * rows as f64).floor() as u64;
                assert!(allowed >= needed && share <= 1.0, "{needed} of {rows}: {share} allows {allowed}");
            }
        }
        assert_eq!(share_that_allows(3, 9), 0.3334);
        assert_eq!(share_that_allows(0, 9), 0.0);
        assert_eq!(share_that_allows(9, 9), 1.0);
    }
}
