//! Tables as JSON.
//!
//! ```json
//! { "cells": [ { "id": 0, "value": 12, "weight": 12, "lb": 0, "ub": null, "lpl": 2, "upl": 2, "spl": 0,
//!                "status": "primary" } ],
//!   "equations": [ { "rhs": 0, "terms": [[0, 1], [1, 1], [2, -1]] } ],
//!   "attackers": [ { "name": "a", "bounds": [ { "id": 1, "lb": 3, "ub": 3 } ], "levels": [ { "id": 1 } ] } ] }
//! ```
//!
//! An id is a whole number or a text. Of a cell only `id` and `value` are needed. Without `weight` hiding costs the absolute
//! value. Without `lb` a value of 0 and more is known not to be negative, any other has no bound; without `ub` there is none;
//! `null` is no bound. Levels are 0 and `status` is `free` where they are not given; `status` is one of `primary`, `free`,
//! `fixed` (must be published) and `hidden` (must be hidden, asks nothing). `rhs` is 0 where it is not given. `attackers` may
//! be left out; a bound that an attacker's entry does not give is the public one, levels that are not given are 0.
//!
//! A field of another name is refused, so that a misspelt level is not taken for a level of 0.

use std::collections::HashMap;
use std::fmt;
use std::io::{self, Write};
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{self, Deserializer, SeqAccess, Visitor};

use super::{FormatError, text_of};
use crate::table::{Attacker, Cell, CellId, CellTable, Equation, Levels, Status};

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with cells and equations")]
struct Document {
    #[serde(deserialize_with = "counted")]
    cells: Vec<CellEntry>,
    #[serde(deserialize_with = "counted")]
    equations: Vec<EquationEntry>,
    #[serde(default, deserialize_with = "counted")]
    attackers: Vec<AttackerEntry>,
}

/// What messages call an entry of a list.
trait Named {
    const NAME: &'static str;
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a cell: an object with id and value")]
struct CellEntry {
    id: CellId,
    value: f64,
    weight: Option<f64>,
    #[serde(default)]
    lb: Bound,
    #[serde(default)]
    ub: Bound,
    #[serde(default)]
    lpl: f64,
    #[serde(default)]
    upl: f64,
    #[serde(default)]
    spl: f64,
    #[serde(default = "free")]
    status: Status,
}

impl Named for CellEntry {
    const NAME: &'static str = "cell number";
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an equation: an object with rhs and terms")]
struct EquationEntry {
    #[serde(default)]
    rhs: f64,
    terms: Vec<(CellId, f64)>,
}

impl Named for EquationEntry {
    const NAME: &'static str = "equation";
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an attacker: an object with name, bounds and levels")]
struct AttackerEntry {
    name: String,
    #[serde(default)]
    bounds: Vec<BoundsEntry>,
    #[serde(default)]
    levels: Vec<LevelsEntry>,
}

impl Named for AttackerEntry {
    const NAME: &'static str = "attacker number";
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "bounds: an object with id, lb and ub")]
struct BoundsEntry {
    id: CellId,
    lb: Option<f64>,
    ub: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "levels: an object with id, lpl, upl and spl")]
struct LevelsEntry {
    id: CellId,
    #[serde(default)]
    lpl: f64,
    #[serde(default)]
    upl: f64,
    #[serde(default)]
    spl: f64,
}

/// A bound: left out, given as null, or a number.
#[derive(Clone, Copy, Default)]
enum Bound {
    #[default]
    Missing,
    None,
    At(f64),
}

impl<'de> Deserialize<'de> for Bound {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Option::<f64>::deserialize(deserializer)?.map_or(Self::None, Self::At))
    }
}

fn free() -> Status {
    Status::Free
}

/// Reads a list and says in every error which entry it was.
fn counted<'de, D: Deserializer<'de>, T: Deserialize<'de> + Named>(deserializer: D) -> Result<Vec<T>, D::Error> {
    struct Counted<T>(PhantomData<T>);
    impl<'de, T: Deserialize<'de> + Named> Visitor<'de> for Counted<T> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<T>, A::Error> {
            let mut entries = Vec::new();
            loop {
                match list.next_element() {
                    Ok(Some(entry)) => entries.push(entry),
                    Ok(None) => return Ok(entries),
                    // The place is at the end of the message, where serde_json finds it again.
                    Err(error) => {
                        return Err(de::Error::custom(format_args!("{} {}: {error}", T::NAME, entries.len() + 1)));
                    }
                }
            }
        }
    }
    deserializer.deserialize_seq(Counted(PhantomData))
}

/// Reads a table.
///
/// ```
/// let text = r#"{ "cells": [ { "id": "a", "value": 5 }, { "id": "b", "value": 5 } ],
///                 "equations": [ { "terms": [["a", 1], ["b", -1]] } ] }"#;
/// let table = tamis_cells::format::json::read(text.as_bytes()).unwrap();
/// assert_eq!((table.cells()[0].weight, table.cells()[0].lower), (5.0, 0.0));
/// ```
pub fn read(bytes: &[u8]) -> Result<CellTable, FormatError> {
    let Document { cells, equations, attackers } = serde_json::from_slice(text_of(bytes)).map_err(|e| syntax(&e))?;
    let cells: Vec<Cell> = cells.into_iter().map(cell).collect();
    // The last of two cells with one id wins here; the table refuses them.
    let positions: HashMap<&CellId, usize> =
        cells.iter().enumerate().map(|(position, cell)| (&cell.id, position)).collect();
    let find = |id: &CellId, place: &dyn Fn() -> String| {
        let unknown = || FormatError::UnknownCell { place: place(), id: id.to_string() };
        positions.get(id).copied().ok_or_else(unknown)
    };
    let equations: Vec<Equation> = equations
        .into_iter()
        .enumerate()
        .map(|(index, EquationEntry { rhs, terms })| {
            let place = || format!("equation {}", index + 1);
            let term = |(id, coefficient)| Ok((find(&id, &place)?, coefficient));
            Ok(Equation { rhs, terms: terms.into_iter().map(term).collect::<Result<_, FormatError>>()? })
        })
        .collect::<Result<_, FormatError>>()?;
    let attackers: Vec<Attacker> = attackers
        .into_iter()
        .map(|AttackerEntry { name, bounds, levels }| {
            let place = || format!("attacker {name}");
            let bound = |BoundsEntry { id, lb, ub }| {
                Ok((find(&id, &place)?, lb.unwrap_or(f64::NEG_INFINITY), ub.unwrap_or(f64::INFINITY)))
            };
            let level = |LevelsEntry { id, lpl, upl, spl }| {
                Ok((find(&id, &place)?, Levels { lower: lpl, upper: upl, sliding: spl }))
            };
            let bounds = bounds.into_iter().map(bound).collect::<Result<_, FormatError>>()?;
            let levels = levels.into_iter().map(level).collect::<Result<_, FormatError>>()?;
            Ok(Attacker { name, bounds, levels })
        })
        .collect::<Result<_, FormatError>>()?;
    Ok(CellTable::new(cells, equations, attackers)?)
}

fn cell(entry: CellEntry) -> Cell {
    let CellEntry { id, value, weight, lb, ub, lpl, upl, spl, status } = entry;
    Cell {
        id,
        value,
        weight: weight.unwrap_or(value.abs()),
        lower: match lb {
            Bound::Missing if value >= 0.0 => 0.0,
            Bound::Missing | Bound::None => f64::NEG_INFINITY,
            Bound::At(bound) => bound,
        },
        upper: match ub {
            Bound::Missing | Bound::None => f64::INFINITY,
            Bound::At(bound) => bound,
        },
        levels: Levels { lower: lpl, upper: upl, sliding: spl },
        status,
    }
}

/// The sentence of serde_json with its place in front.
pub(super) fn syntax(error: &serde_json::Error) -> FormatError {
    let (line, column) = (error.line(), error.column());
    let sentence = error.to_string();
    let place = format!(" at line {line} column {column}");
    // Two of its words are for programmers.
    let problem = sentence
        .strip_suffix(&place)
        .unwrap_or(&sentence)
        .replace("expected f64", "expected a number")
        .replace("expected a tuple of size 2", "expected an id and a coefficient")
        .replace("EOF while parsing", "the file ends within");
    if line == 0 { FormatError::Line { line: 1, problem } } else { FormatError::Syntax { line, column, problem } }
}

/// Writes a table that [`read`] reads back unchanged: a line a cell, a line an equation, every field given.
pub fn write(table: &CellTable, output: &mut impl Write) -> io::Result<()> {
    let cells = table.cells();
    let id = |cell: usize| serde_json::to_string(&cells[cell].id).map_err(io::Error::other);
    output.write_all(b"{ \"cells\": [")?;
    for (index, cell) in cells.iter().enumerate() {
        let Cell { value, weight, levels, status, .. } = cell;
        write!(
            output,
            "{}{{ \"id\": {}, \"value\": {value}, \"weight\": {weight}, \"lb\": {}, \"ub\": {}, \"lpl\": {}, \"upl\": {}, \
            \"spl\": {}, \"status\": {} }}",
            separator(index),
            id(index)?,
            Shown(cell.lower),
            Shown(cell.upper),
            levels.lower,
            levels.upper,
            levels.sliding,
            serde_json::to_string(status).map_err(io::Error::other)?
        )?;
    }
    output.write_all(b" ],\n  \"equations\": [")?;
    for (index, Equation { rhs, terms }) in table.equations().iter().enumerate() {
        write!(output, "{}{{ \"rhs\": {rhs}, \"terms\": [", separator(index))?;
        for (place, (cell, coefficient)) in terms.iter().enumerate() {
            write!(output, "{}[{}, {coefficient}]", if place == 0 { "" } else { ", " }, id(*cell)?)?;
        }
        output.write_all(b"] }")?;
    }
    output.write_all(b" ]")?;
    if !table.attackers().is_empty() {
        output.write_all(b",\n  \"attackers\": [")?;
        for (index, Attacker { name, bounds, levels }) in table.attackers().iter().enumerate() {
            let name = serde_json::to_string(name).map_err(io::Error::other)?;
            write!(output, "{}{{ \"name\": {name}, \"bounds\": [", separator(index))?;
            for (place, (cell, lower, upper)) in bounds.iter().enumerate() {
                let comma = if place == 0 { "" } else { ", " };
                write!(
                    output,
                    "{comma}{{ \"id\": {}, \"lb\": {}, \"ub\": {} }}",
                    id(*cell)?,
                    Shown(*lower),
                    Shown(*upper)
                )?;
            }
            output.write_all(b"], \"levels\": [")?;
            for (place, (cell, Levels { lower, upper, sliding })) in levels.iter().enumerate() {
                let (comma, id) = (if place == 0 { "" } else { ", " }, id(*cell)?);
                write!(output, "{comma}{{ \"id\": {id}, \"lpl\": {lower}, \"upl\": {upper}, \"spl\": {sliding} }}")?;
            }
            output.write_all(b"] }")?;
        }
        output.write_all(b" ]")?;
    }
    output.write_all(b" }\n")
}

fn separator(index: usize) -> &'static str {
    if index == 0 { "\n    " } else { ",\n    " }
}

/// A bound in JSON, which knows no infinity. Rust writes the shortest digits that read back as the same number.
struct Shown(f64);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_finite() { write!(f, "{}", self.0) } else { f.write_str("null") }
    }
}
