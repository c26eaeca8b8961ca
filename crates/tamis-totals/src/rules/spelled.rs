//! How rules are written.

use std::fmt;
use std::str::FromStr;

use tamis_table::number_in;

use super::{Dominance, PriorPosterior};

impl fmt::Display for Dominance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({},{})-dominance", self.n, self.k)
    }
}

impl fmt::Display for PriorPosterior {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let coalition = if self.n == 1 { String::new() } else { format!(", coalitions of {}", self.n) };
        if self.q == 100.0 {
            write!(f, "p% with p={}{coalition}", self.p)
        } else {
            write!(f, "p/q with p={}, q={}{coalition}", self.p, self.q)
        }
    }
}

impl FromStr for Dominance {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "found `{text}`, expected N,K: how many contributors, and how many percent above 0 and up to 100 they may hold"
            )
        };
        let (n, k) = text.split_once(',').ok_or_else(wrong)?;
        let n = n.trim().parse().ok().filter(|&n| n > 0).ok_or_else(wrong)?;
        let k = number_in(k).filter(|&k| k > 0.0 && k <= 100.0).ok_or_else(wrong)?;
        Ok(Self { n, k })
    }
}

impl PriorPosterior {
    /// Reads `P` or `P,N`, the p% rule.
    pub fn p_percent(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "found `{text}`, expected P or P,N: a percentage above 0, and how many contributors may work together"
            )
        };
        let (p, n) = text.split_once(',').unwrap_or((text, "1"));
        let p = number_in(p).filter(|&p| p > 0.0).ok_or_else(wrong)?;
        let n = n.trim().parse().ok().filter(|&n| n > 0).ok_or_else(wrong)?;
        Ok(Self { p, q: 100.0, n })
    }

    /// Reads `P,Q` or `P,Q,N`, the p/q rule.
    pub fn p_q(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "found `{text}`, expected P,Q or P,Q,N: two percentages with 0 < P < Q, and how many contributors may work together"
            )
        };
        let (p, rest) = text.split_once(',').ok_or_else(wrong)?;
        let (q, n) = rest.split_once(',').unwrap_or((rest, "1"));
        let p = number_in(p).filter(|&p| p > 0.0).ok_or_else(wrong)?;
        let q = number_in(q).filter(|&q| q > p).ok_or_else(wrong)?;
        let n = n.trim().parse().ok().filter(|&n| n > 0).ok_or_else(wrong)?;
        Ok(Self { p, q, n })
    }
}
