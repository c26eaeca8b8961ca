//! Whether answers drawn from a mechanism contradict the epsilon it claims.
//!
//! The mechanism answers a count many times with a person and many times without. If some event, such as "at least 12 is told", is seen
//! so much more often in one case than in the other that no (epsilon, delta)-differentially private mechanism would do so, the claim is
//! refuted. The first half of the answers chooses the event, the second half alone is evidence for it, so that the choice does not count
//! as luck (after Bichsel, Steffen, Bogunovic and Vechev 2021, "DP-Sniper").
//!
//! An audit that finds nothing proves nothing: it has looked at one count and at simple events only.

use super::distributional::Mechanism;
use super::upper_confidence_bound;
use crate::discrete::Gaps;
use crate::{Dice, GeometricMechanism, MechanismError, Ratio};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt;

/// A claim to audit.
#[derive(Debug, Clone, Copy)]
pub struct Audit {
    /// What answers.
    pub mechanism: Mechanism,
    /// The true count with the person; one less without.
    pub count: u64,
    /// The epsilon claimed.
    pub epsilon: Ratio,
    /// The delta claimed.
    pub delta: Ratio,
    /// How many answers are drawn with the person and as many without.
    pub draws: u64,
    /// How likely a claim that is true is not refuted, at least.
    pub confidence: f64,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verdict {
    /// Whether the claim stands.
    pub holds: bool,
    /// The mechanism's epsilon is at least this, for the delta claimed, with the confidence asked for. Infinite is told as the largest
    /// double.
    pub least_epsilon: f64,
    /// The event that tells the most.
    pub event: String,
    /// Whether the event is likelier with the person or without.
    pub likelier: &'static str,
    /// How often it was seen in the second half of the answers where it is likelier...
    pub often: u64,
    /// ...and where it is not.
    pub seldom: u64,
    /// Answers in that half, in each case.
    pub answers: u64,
}

/// What an answer may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Event {
    Nothing,
    AtLeast(i64),
    AtMost(i64),
}

impl Event {
    fn holds(self, answer: Option<i64>) -> bool {
        match (self, answer) {
            (Self::Nothing, None) => true,
            (Self::AtLeast(bound), Some(told)) => told >= bound,
            (Self::AtMost(bound), Some(told)) => told <= bound,
            _ => false,
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("nothing is told"),
            Self::AtLeast(bound) => write!(f, "at least {bound} is told"),
            Self::AtMost(bound) => write!(f, "at most {bound} is told"),
        }
    }
}

impl Audit {
    /// Draws answers and looks for a contradiction. O(draws * different answers).
    ///
    /// ```
    /// use tamis_mechanism::{Dice, Ratio, audit::differential::Audit, audit::distributional::Mechanism};
    /// let audit = Audit {
    ///     mechanism: Mechanism::Geometric { epsilon: "2".parse()? },
    ///     count: 10, epsilon: "1".parse()?, delta: Ratio::ZERO, draws: 20_000, confidence: 0.99,
    /// };
    /// let verdict = audit.run(&mut Dice::from_seed(1, ""))?;
    /// assert!(!verdict.holds && verdict.least_epsilon > 1.5);
    /// # Ok::<(), tamis_mechanism::MechanismError>(())
    /// ```
    pub fn run(&self, dice: &mut Dice) -> Result<Verdict, MechanismError> {
        self.check()?;
        let half = self.draws / 2;
        let mut draw = |count: u64| -> Result<Vec<Option<i64>>, MechanismError> {
            (0..half).map(|_| answer(self.mechanism, count, dice)).collect()
        };
        let (with, without) = (draw(self.count)?, draw(self.count - 1)?);
        let (event, is_with) = self.most_telling(&with, &without);
        let (with, without) = (draw(self.count)?, draw(self.count - 1)?);
        let seen = |answers: &[Option<i64>]| answers.iter().filter(|&&answer| event.holds(answer)).count() as u64;
        let (often, seldom) = if is_with { (seen(&with), seen(&without)) } else { (seen(&without), seen(&with)) };
        let least_epsilon = self.least_epsilon(often, seldom, half);
        Ok(Verdict {
            holds: least_epsilon <= self.epsilon.to_f64(),
            least_epsilon,
            event: event.to_string(),
            likelier: if is_with { "with the person" } else { "without the person" },
            often,
            seldom,
            answers: half,
        })
    }

    fn check(&self) -> Result<(), MechanismError> {
        self.mechanism.check()?;
        if self.count == 0 {
            return Err(MechanismError::parameter("the count", 0, "a whole number of at least 1"));
        }
        if self.draws < 100 {
            return Err(MechanismError::parameter("the number of draws", self.draws, "a whole number of at least 100"));
        }
        if self.delta >= Ratio::ONE {
            return Err(MechanismError::parameter("delta", self.delta, "a number of at least 0 and below 1"));
        }
        if !(self.confidence > 0.0 && self.confidence < 1.0) {
            return Err(MechanismError::parameter("the confidence", self.confidence, "a number above 0 and below 1"));
        }
        Ok(())
    }

    /// The event that sets the two cases apart the most, and whether it is likelier with the person. Rare events promise much by luck,
    /// so that each count is taken three standard deviations towards the other.
    fn most_telling(&self, with: &[Option<i64>], without: &[Option<i64>]) -> (Event, bool) {
        let values: BTreeSet<i64> = with.iter().chain(without).copied().flatten().collect();
        let bounds = values.into_iter().flat_map(|told| [Event::AtLeast(told), Event::AtMost(told)]);
        let slack = self.delta.to_f64() * with.len() as f64;
        let mut best = (f64::NEG_INFINITY, Event::Nothing, true);
        for event in [Event::Nothing].into_iter().chain(bounds) {
            let seen = |answers: &[Option<i64>]| answers.iter().filter(|&&answer| event.holds(answer)).count() as f64;
            let (present, absent) = (seen(with), seen(without));
            for (often, seldom, is_with) in [(present, absent, true), (absent, present, false)] {
                let score = (often - 3.0 * often.sqrt() - slack) / (seldom + 3.0 * seldom.sqrt() + 3.0);
                if score > best.0 {
                    best = (score, event, is_with);
                }
            }
        }
        (best.1, best.2)
    }

    /// ln((p - delta) / q) with p as small and q as large as they can be; each is missed by half of what confidence leaves.
    fn least_epsilon(&self, often: u64, seldom: u64, answers: u64) -> f64 {
        let confidence = f64::midpoint(1.0, self.confidence);
        let least = 1.0 - upper_confidence_bound(answers - often, answers, confidence);
        let most = upper_confidence_bound(seldom, answers, confidence);
        let ratio = (least - self.delta.to_f64()).max(0.0) / most;
        ratio.ln().clamp(0.0, f64::MAX)
    }
}

/// One answer of a mechanism; none if it keeps silent.
fn answer(mechanism: Mechanism, count: u64, dice: &mut Dice) -> Result<Option<i64>, MechanismError> {
    let told = |count: u64, k: u64| (count >= k).then(|| i64::try_from(count).unwrap_or(i64::MAX));
    Ok(match mechanism {
        Mechanism::Exact => told(count, 0),
        Mechanism::Geometric { epsilon } => Some(GeometricMechanism::new(epsilon, 1)?.noisy(count, dice)),
        Mechanism::Threshold { k } => told(count, k),
        Mechanism::Sample { beta, k } => {
            let mut sample = Gaps::new((beta.numerator(), beta.denominator()), count.into());
            let mut size = 0;
            while sample.advance(dice).is_some() {
                size += 1;
            }
            told(size, k)
        }
    })
}
