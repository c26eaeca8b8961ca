//! How places and measures are told.

use crate::answer::CommandError;
use crate::shell::Shell;
use crate::text_table::percent;
use serde::Serialize;
use tamis_appointments::AnonymityVector;
use tamis_appointments::vector::{Measures, Position, Ranking, VectorJson, share_by_people_alone};

/// The place of a vector as a JSON document.
#[derive(Serialize)]
pub(super) struct PlaceJson {
    n: u64,
    k: u64,
    #[serde(flatten)]
    vector: VectorJson,
    /// None where only its logarithm is known.
    index: Option<String>,
    count: Option<String>,
    share: f64,
    log_index: Option<f64>,
    log_count: f64,
    log_gap: f64,
    /// What the people alone let expect of the share.
    share_by_people_alone: f64,
    method: Ranking,
}

impl PlaceJson {
    pub(super) fn new(vector: &AnonymityVector, position: &Position) -> Self {
        Self {
            n: position.people(),
            k: vector.k().unwrap_or(0),
            vector: vector.into(),
            index: position.index().map(ToString::to_string),
            count: position.count().map(ToString::to_string),
            share: position.share(),
            log_index: position.log_index(),
            log_count: position.log_count(),
            log_gap: position.log_gap(),
            share_by_people_alone: share_by_people_alone(position.people(), vector.cells_of_size(1)),
            method: position.ranking(),
        }
    }
}

/// From this share on, the index says little.
const SATURATED: f64 = 0.99;

/// Lines of a name and what is said about it, aligned.
#[derive(Default)]
pub(super) struct Lines(Vec<String>);

impl Lines {
    pub(super) fn line(&mut self, name: &str, text: impl AsRef<str>) {
        self.0.push(format!("{name:<16}{}", text.as_ref()));
    }

    pub(super) fn text(&self) -> String {
        self.0.join("\n")
    }

    /// The vector and what it stands for.
    pub(super) fn vector(&mut self, vector: &AnonymityVector) {
        self.line("vector", vector.to_string());
        let cells = vector.cells();
        self.line(
            "people",
            format!(
                "{} in {}; the smallest cell has {}",
                vector.people(),
                counted(cells, "cell"),
                vector.k().unwrap_or(0)
            ),
        );
    }

    /// Where it stands.
    pub(super) fn position(&mut self, vector: &AnonymityVector, position: &Position) {
        if let (Some(index), Some(count)) = (position.index(), position.count()) {
            self.line("index", brief_integer(&index.to_string()));
            self.line(
                "of",
                format!("{} vectors, counted from 0, the least anonymous", brief_integer(&count.to_string())),
            );
        }
        self.line("better than", share_of_vectors(position));
        let log_index = position.log_index().map_or_else(|| "none".to_owned(), told_log);
        self.line("ln index", format!("{log_index}, of ln p = {}", told_log(position.log_count())));
        self.line("ln(1 - index/p)", told_log(position.log_gap()));
        let alone = vector.cells_of_size(1);
        let usual = share_by_people_alone(position.people(), alone);
        if usual > SATURATED {
            let people = if alone == 1 { "person" } else { "people" };
            self.line(
                "saturation",
                format!(
                    "nearly every vector with {alone} {people} alone is above {}; compare k and ln(1 - index/p)",
                    percent(usual)
                ),
            );
        }
        self.line("computed", computed(position.ranking()));
    }

    pub(super) fn measures(&mut self, measures: &Measures) {
        self.line("cell", format!("{:.2} people on average, median {}", measures.mean_cell, measures.median_cell));
        self.line(
            "crowd",
            format!(
                "{:.2} people around a random person, median {}, geometric mean {:.2}",
                measures.mean_crowd, measures.median_crowd, measures.effective_crowd
            ),
        );
        self.line("alone", percent(measures.share_alone) + " of the people");
        let below = &measures.below;
        self.line(
            &format!("below {}", below.k),
            format!("{} in cells of fewer than {}, {}", below.people, below.k, percent(below.share)),
        );
        self.line("risk", format!("{} on average, {} at most", percent(measures.risk), percent(measures.highest_risk)));
        self.line(
            "entropy",
            format!("{:.4} bits, as {:.2} cells of equal size", measures.entropy_bits, measures.effective_cells),
        );
    }
}

/// Tells a vector and its place, in words and as the document.
pub(super) fn tell_place(shell: &Shell, vector: &AnonymityVector, position: &Position) -> Result<(), CommandError> {
    let mut lines = Lines::default();
    lines.vector(vector);
    lines.position(vector, position);
    shell.say(&lines.text());
    shell.json(&PlaceJson::new(vector, position))
}

pub(super) fn computed(ranking: Ranking) -> &'static str {
    match ranking {
        Ranking::Exact => "exactly",
        Ranking::Logarithmic => "by logarithms",
    }
}

fn counted(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// The share of vectors that are less anonymous; what is missing to all of them where that is hardly anything.
pub(in crate::commands) fn share_of_vectors(position: &Position) -> String {
    let hardly = 1e-4_f64.ln();
    let missing = position.log_gap();
    match position.log_index().map(|log| log - position.log_count()) {
        _ if missing <= hardly => format!("all vectors but a share of {}", small_number(missing)),
        Some(share) if share <= hardly => format!("a share of {} of all vectors", small_number(share)),
        _ => format!("{} of all vectors", percent(position.share())),
    }
}

/// A logarithm with four decimals, or more where it would look like zero.
pub(super) fn told_log(log: f64) -> String {
    if log != 0.0 && log.abs() < 1e-3 { format!("{log:.1e}") } else { format!("{log:.4}") }
}

/// A number below 1 by its natural logarithm, in decimal notation, however small it is.
pub(super) fn small_number(log: f64) -> String {
    let decimal = log / std::f64::consts::LN_10;
    let exponent = decimal.floor();
    format!("{:.1}e{exponent}", 10_f64.powf(decimal - exponent))
}

/// A long integer by its beginning and its length.
pub(super) fn brief_integer(digits: &str) -> String {
    const SHOWN: usize = 80;
    if digits.len() <= SHOWN {
        return digits.to_owned();
    }
    format!("{}... ({} digits; --json prints them all)", &digits[..20], digits.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_keep_their_notation_below_what_floating_point_holds() {
        assert_eq!(small_number(0.000_025_f64.ln()), "2.5e-5");
        assert_eq!(small_number(-10_000.0 * std::f64::consts::LN_10), "1.0e-10000");
    }
}
