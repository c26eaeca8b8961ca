//! What scheduling commands say about vectors and proofs.

use crate::answer::CommandError;
use crate::commands::vector::share_of_vectors;
use crate::text_table::percent;
use serde_json::{Value, json};
use tamis_appointments::vector::{Position, Ranking, positions};
use tamis_appointments::{AnonymityVector, LevelProof, Reason, Solution};

/// A vector as the sources print it, size 1 first; null where that would be nothing but zeros.
pub(super) fn dense(vector: &AnonymityVector) -> Value {
    json!(vector.dense_if_short())
}

/// A vector with its figures.
pub(super) fn vector_document(vector: &AnonymityVector) -> Value {
    json!({ "k": vector.k(), "vector": dense(vector), "sizes": vector.counts(), "cells": vector.cells() })
}

/// A vector with its figures and its place among all vectors.
pub(super) fn placed_document(vector: &AnonymityVector, position: &Position) -> Value {
    let mut document = vector_document(vector);
    document["index"] = json!(position.index().map(ToString::to_string));
    document["share"] = json!(position.share());
    document["log_gap"] = json!(position.log_gap());
    document
}

/// For so many people the exact index takes a fraction of a second; above, logarithms do.
const MOST_RANKED_EXACTLY: u64 = 50_000;

/// The places of vectors of the same people among all vectors.
pub(super) fn places(vectors: &[&AnonymityVector]) -> Result<Vec<Position>, CommandError> {
    let people = vectors.first().map_or(0, |vector| vector.people());
    let ranking = if people <= MOST_RANKED_EXACTLY { Ranking::Exact } else { Ranking::Logarithmic };
    Ok(positions(vectors, Some(ranking))?)
}

/// The place of a vector in words: its index, or what share of vectors it leaves behind where the index is too long to be read.
pub(super) fn place(position: &Position) -> String {
    match (position.index(), position.count()) {
        (Some(index), Some(count)) if count.bits() <= 64 => format!("index {index} of {count} vectors"),
        _ => format!("ahead of {}", share_of_vectors(position)),
    }
}

/// What is proved, component by component.
pub(super) fn proofs_document(solution: &Solution) -> Value {
    let proof = |proof: &LevelProof| json!({ "size": proof.size, "cells": proof.cells, "reason": name_of_reason(proof.reason) });
    solution.proofs.iter().map(proof).collect()
}

/// Whether the schedule is the best there is: a label and a sentence, which says where vector and bound part if it may not be.
pub(super) fn verdict(solution: &Solution) -> (&'static str, String) {
    if solution.is_optimal() {
        return ("proved", "optimal: no schedule is more anonymous".to_owned());
    }
    let best = solution.proved_up_to();
    let up_to = if best == 0 { String::new() } else { format!("best possible up to cells of {}; ", people(best)) };
    let size = best + 1;
    let found = match solution.vector.cells_of_size(size) {
        1 => "is 1 cell".to_owned(),
        several => format!("are {several} cells"),
    };
    let (size, bound) = (people(size), solution.lower_bound.cells_of_size(size));
    ("proof", format!("not proved optimal: {up_to}of {size} there {found}, and the bound is {bound}"))
}

/// More lines of a proof than this nobody reads.
const MOST_PROOFS: usize = 6;

/// Which bound proves which components: sizes that follow each other with the same reason on one line. Components that are zero need
/// no word.
pub(super) fn proof_lines(solution: &Solution) -> Vec<String> {
    let told: Vec<LevelProof> = solution.proofs.iter().copied().filter(|proof| proof.reason != Reason::Zero).collect();
    let line = |alike: &[LevelProof]| {
        let (first, last) = (alike[0], alike[alike.len() - 1]);
        let reason = sentence_of_reason(first.reason);
        let cells = match alike.iter().map(|proof| proof.cells).sum::<u64>() {
            1 => "1 cell".to_owned(),
            cells => format!("{cells} cells"),
        };
        if alike.len() == 1 {
            format!("at least {cells} of {}: {reason}", people(first.size))
        } else {
            format!("sizes {} to {}, {cells}: {reason}", first.size, last.size)
        }
    };
    let mut lines: Vec<String> = told.chunk_by(|one, next| one.reason == next.reason).map(line).collect();
    if lines.len() > MOST_PROOFS {
        let more = lines.split_off(MOST_PROOFS - 1).len();
        lines.push(format!("and {more} reasons more for larger cells; --json tells them all"));
    }
    lines
}

/// `1 person`, `2 people`.
pub(super) fn people(number: u64) -> String {
    if number == 1 { "1 person".to_owned() } else { format!("{number} people") }
}

/// What a vector means for those who are worst off.
pub(super) fn meaning(vector: &AnonymityVector) -> String {
    match vector.k() {
        None => "k = 0: there is nobody to appoint".to_owned(),
        Some(1) => format!(
            "k = 1: {} alone with their quasi-identifier in their slot",
            match vector.cells_of_size(1) {
                1 => "1 person is".to_owned(),
                several => format!("{several} people are"),
            }
        ),
        Some(k) => format!(
            "k = {k}: everybody shares quasi-identifier and slot with at least {} other{}",
            k - 1,
            if k == 2 { "" } else { "s" }
        ),
    }
}

/// How a schedule compares with one at random: by k, and by the index, which says little where nearly all vectors are worse than both.
pub(super) fn improved(improvement: f64, vector: &AnonymityVector, random: &AnonymityVector) -> String {
    let [k, at_random] = [vector, random].map(|vector| vector.k().unwrap_or(0));
    let share =
        if (0.999_95..1.0).contains(&improvement) { "more than 99.99%".to_owned() } else { percent(improvement) };
    format!("k = {k} instead of {at_random} at random, index better by {share}")
}

/// k and vector on one line.
pub(super) fn figures(vector: &AnonymityVector) -> String {
    format!("k = {}, vector {}", vector.k().unwrap_or(0), brief(vector))
}

/// More different sizes than this nobody reads.
const MOST_SIZES: usize = 10;

/// A vector as it is printed, or its smallest sizes if there are many: they are the ones at risk.
pub(super) fn brief(vector: &AnonymityVector) -> String {
    let counts = vector.counts();
    if vector.largest() <= 40 || counts.len() <= MOST_SIZES {
        return vector.to_string();
    }
    let shown: Vec<String> = counts[..MOST_SIZES].iter().map(|(size, cells)| format!("{size}:{cells}")).collect();
    format!("({},... up to {}:{})", shown.join(","), vector.largest(), vector.cells_of_size(vector.largest()))
}

fn name_of_reason(reason: Reason) -> &'static str {
    match reason {
        Reason::Zero => "zero",
        Reason::RowBound => "row-bound",
        Reason::ColumnBound => "column-bound",
        Reason::LinearBound => "linear-bound",
        Reason::IntegerBound => "integer-bound",
        Reason::Remainder => "remainder",
        Reason::Enumeration => "enumeration",
    }
}

fn sentence_of_reason(reason: Reason) -> &'static str {
    match reason {
        Reason::Zero => "it is none",
        Reason::RowBound => "splitting the quasi-identifier values needs as many",
        Reason::ColumnBound => "filling the slots needs as many",
        Reason::LinearBound => "the linear relaxation needs as many",
        Reason::IntegerBound => "the integer program needs as many",
        Reason::Remainder => "nobody is left for other sizes",
        Reason::Enumeration => "every schedule was looked at",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamis_appointments::Schedule;

    fn solution(vector: &[u64], bound: &[u64], proofs: &[(u64, Reason)]) -> Solution {
        Solution {
            schedule: Schedule { rows: Vec::new() },
            vector: AnonymityVector::from_dense(vector),
            lower_bound: AnonymityVector::from_dense(bound),
            proofs: proofs.iter().map(|&(size, reason)| LevelProof { size, cells: 2, reason }).collect(),
        }
    }

    #[test]
    fn a_verdict_tells_where_vector_and_bound_part() {
        assert_eq!(verdict(&solution(&[0, 2], &[0, 2], &[])).0, "proved");
        let told = |vector: &[u64], bound: &[u64]| verdict(&solution(vector, bound, &[])).1;
        assert_eq!(
            told(&[0, 3, 4], &[0, 3, 1, 2]),
            "not proved optimal: best possible up to cells of 2 people; of 3 people there are 4 cells, and the bound is 1"
        );
        assert_eq!(told(&[1, 4], &[0, 3]), "not proved optimal: of 1 person there is 1 cell, and the bound is 0");
    }

    #[test]
    fn a_proof_is_told_in_a_few_lines() {
        let rows = |sizes: std::ops::RangeInclusive<u64>| sizes.map(|size| (size, Reason::RowBound));
        let mut proofs = vec![(1, Reason::Zero), (2, Reason::Zero), (3, Reason::LinearBound)];
        proofs.extend(rows(5..=74));
        assert_eq!(
            proof_lines(&solution(&[], &[], &proofs)),
            [
                "at least 2 cells of 3 people: the linear relaxation needs as many",
                "sizes 5 to 74, 140 cells: splitting the quasi-identifier values needs as many"
            ]
        );
        let changing: Vec<(u64, Reason)> =
            (1..=9).map(|size| (size, if size % 2 == 0 { Reason::RowBound } else { Reason::ColumnBound })).collect();
        let lines = proof_lines(&solution(&[], &[], &changing));
        assert_eq!(lines.len(), MOST_PROOFS);
        assert_eq!(lines[MOST_PROOFS - 1], "and 4 reasons more for larger cells; --json tells them all");
    }
}
