//! What scheduling commands say about vectors and proofs.

use crate::answer::CommandError;
use serde_json::{Value, json};
use tamis_appointments::vector::{Position, Ranking, positions};
use tamis_appointments::{AnonymityVector, LevelProof, Method, Reason, Solution};

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

/// The place of a vector in words.
pub(super) fn place(position: &Position) -> String {
    match (position.index(), position.count()) {
        (Some(index), Some(count)) if count.bits() <= 64 => format!("index {index} of {count} vectors"),
        _ => match position.log_gap() {
            gap if gap.abs() < 1e-3 => format!("ln(1 - index/p) = {gap:.1e}"),
            gap => format!("ln(1 - index/p) = {gap:.4}"),
        },
    }
}

/// What is proved, component by component.
pub(super) fn proofs_document(solution: &Solution) -> Value {
    let proof = |proof: &LevelProof| json!({ "size": proof.size, "cells": proof.cells, "reason": name_of_reason(proof.reason) });
    solution.proofs.iter().map(proof).collect()
}

/// Whether the schedule is the best there is, in a sentence.
pub(super) fn verdict(solution: &Solution) -> String {
    if solution.is_optimal() {
        return "optimal: no schedule is more anonymous".to_owned();
    }
    let bound = brief(&solution.lower_bound);
    let verdict = format!("not proved optimal: no schedule has a smaller vector than {bound}");
    match solution.proved_up_to() {
        0 => verdict,
        size => format!("{verdict}; proved best up to cells of {}", people(size)),
    }
}

/// Which bound proves which components; those that are zero need no word.
pub(super) fn proof_lines(solution: &Solution) -> Vec<String> {
    let told = solution.proofs.iter().filter(|proof| proof.reason != Reason::Zero);
    let line = |proof: &LevelProof| {
        let cells = if proof.cells == 1 { "1 cell".to_owned() } else { format!("{} cells", proof.cells) };
        format!("at least {cells} of {}: {}", people(proof.size), sentence_of_reason(proof.reason))
    };
    told.map(line).collect()
}

/// `1 person`, `2 people`.
pub(super) fn people(number: u64) -> String {
    if number == 1 { "1 person".to_owned() } else { format!("{number} people") }
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

/// A method as its flag names it.
pub(super) fn name_of_method(method: Method) -> &'static str {
    match method {
        Method::Exact => "exact",
        Method::Heuristic => "heuristic",
        Method::Greatest => "greatest",
        Method::Half => "half",
        Method::Authors => "authors",
        Method::Random => "random",
    }
}
