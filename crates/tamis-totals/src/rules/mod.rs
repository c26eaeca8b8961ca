//! Rules that make cells confidential, and the protection levels that follow from them.
//!
//! With X the total and x1 >= x2 >= ... the contributions of a cell, a rule hits where the upper level is above zero:
//!
//! | rule | upper level |
//! |---|---|
//! | (n,k)-dominance | 100/k (x1 + ... + xn) - X |
//! | p% with coalitions of n | p/100 x1 + (x1 + ... + x(n+1)) - X |
//! | p/q with coalitions of n | p/q x1 + (x1 + ... + x(n+1)) - X |
//! | minimum frequency, request, by hand | X times the safety share |
//!
//! The lower level is the upper one, except that a cell of value zero with contributors has the zero range above and nothing
//! below. Where several rules hit a cell, the largest level counts.

mod apply;
mod facts;
mod spelled;

pub(crate) use apply::facts_of;

pub use facts::{Contribution, Facts};

/// A rule that made a cell primary, with the levels it asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The cell.
    pub cell: usize,
    /// The rule as a person writes it.
    pub rule: String,
    /// The lower level it asks for.
    pub lower: f64,
    /// The upper level it asks for.
    pub upper: f64,
}

/// The n largest contributors hold more than k percent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dominance {
    /// How many contributors.
    pub n: u32,
    /// How many percent they may hold, above 0 and at most 100.
    pub k: f64,
}

/// The largest contributor can be estimated to within a share of it by a coalition of the next ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PriorPosterior {
    /// How close an estimate may come, in percent.
    pub p: f64,
    /// How close everybody can come beforehand, in percent; 100 for the p% rule.
    pub q: f64,
    /// How many contributors may work together.
    pub n: u32,
}

/// What is done about cells of value zero that have contributors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Zeros {
    /// The rules decide.
    #[default]
    Rules,
    /// All of them are primary.
    Primary,
    /// None of them is primary; they may be hidden.
    Safe,
    /// All of them are published.
    Fixed,
}

/// Which rules make cells primary.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rules {
    /// Fewer contributors than this.
    pub min_frequency: Option<f64>,
    /// Fewer respondents than this, where several respondents may be one contributor.
    pub min_respondents: Option<f64>,
    /// Dominance rules.
    pub dominance: Vec<Dominance>,
    /// p% and p/q rules.
    pub prior_posterior: Vec<PriorPosterior>,
    /// Somebody asked for protection who holds at least this share of the cell, in percent.
    pub request: Option<f64>,
    /// Cells of value zero.
    pub zeros: Zeros,
}

/// Shares of rounding noise make no rule hit.
const NOISE: f64 = 1e-9;

impl Rules {
    /// Whether there is no rule.
    pub fn is_empty(&self) -> bool {
        let counts = self.min_frequency.is_none() && self.min_respondents.is_none() && self.request.is_none();
        counts && self.dominance.is_empty() && self.prior_posterior.is_empty() && self.zeros == Zeros::Rules
    }

    /// How many of the largest contributions the rules look at.
    pub(crate) fn depth(&self) -> u32 {
        let dominance = self.dominance.iter().map(|rule| rule.n);
        let coalitions = self.prior_posterior.iter().map(|rule| rule.n.saturating_add(1));
        dominance.chain(coalitions).max().unwrap_or(1)
    }

    /// The rules that hit a cell, each with the upper level it asks for; none for rules that ask for the safety share.
    ///
    /// ```
    /// use tamis_totals::{Contribution, Dominance, Facts, Rules};
    /// let top = [80.0, 15.0, 5.0].map(|size| Contribution { size, weight: 1.0 }).to_vec();
    /// let facts = Facts { value: 100.0, size: 100.0, frequency: Some(3.0), top, ..Facts::default() };
    /// let rules = Rules { dominance: vec![Dominance { n: 1, k: 75.0 }], ..Rules::default() };
    /// let hits = rules.hits(&facts);
    /// assert_eq!(hits[0].0, "(1,75)-dominance");
    /// assert!((hits[0].1.unwrap_or(0.0) - (100.0 / 75.0 * 80.0 - 100.0)).abs() < 1e-9);
    /// ```
    pub fn hits(&self, facts: &Facts) -> Vec<(String, Option<f64>)> {
        let mut hits = Vec::new();
        let mut below = |least: Option<f64>, count: Option<f64>, what: &str| {
            if let (Some(least), Some(count)) = (least, count)
                && count > 0.0
                && count < least * (1.0 - NOISE)
            {
                hits.push((format!("fewer than {least} {what}"), None));
            }
        };
        below(self.min_frequency, facts.frequency, "contributors");
        below(self.min_respondents, facts.respondents, "respondents");
        let mut level = |rule: &dyn ToString, upper: f64| {
            if upper > NOISE * facts.size {
                hits.push((rule.to_string(), Some(upper)));
            }
        };
        if !facts.top.is_empty() {
            for rule in &self.dominance {
                level(rule, 100.0 / rule.k * facts.largest(rule.n) - facts.size);
            }
            for rule in &self.prior_posterior {
                let largest = facts.top[0].size;
                level(rule, rule.p / rule.q * largest + facts.largest(rule.n.saturating_add(1)) - facts.size);
            }
        }
        if let (Some(least), Some(share)) = (self.request, facts.requested)
            && share >= least * (1.0 - NOISE)
        {
            hits.push(("request".to_owned(), None));
        }
        if self.zeros == Zeros::Primary && facts.value == 0.0 && facts.frequency.is_some_and(|count| count > 0.0) {
            hits.push(("zero".to_owned(), None));
        }
        hits
    }
}
