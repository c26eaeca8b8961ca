//! The cells and equations of a random table.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Bounds, Labels, Primaries, Shape, Weights};
use crate::table::{Attacker, Cell, CellId, CellTable, Equation, Levels, Status};

/// Levels keep three decimals: files stay readable.
const DECIMALS: f64 = 1000.0;

/// Cells stand in the order of their labels, the last dimension changing first.
pub(super) fn table(shape: &Shape, dimensions: &[Labels], seed: u64) -> CellTable {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let count: usize = dimensions.iter().map(|dimension| dimension.labels.len()).product();
    let is_leaf: Vec<bool> = (0..count).map(|cell| is_leaf(dimensions, cell)).collect();
    let mut values: Vec<u64> =
        is_leaf.iter().map(|leaf| if *leaf { leaf_value(shape, &mut random) } else { 0 }).collect();
    add_up(dimensions, &mut values);
    let total = values.last().copied().unwrap_or(0) as f64;
    let primary = primaries(shape.primaries, &values, &is_leaf, &mut random);
    let cells: Vec<Cell> = (0..count)
        .map(|position| {
            let value = values[position] as f64;
            let status = match (values[position], primary[position]) {
                (0, _) => Status::Fixed,
                (_, true) => Status::Primary,
                (_, false) => Status::Free,
            };
            let level = |share: f64| if status == Status::Primary { rounded_down(share * value) } else { 0.0 };
            let (lower, upper) = match shape.bounds {
                Bounds::Wide => (0.0, f64::INFINITY),
                Bounds::Multiple(factor) => (0.0, (factor * total).ceil()),
                Bounds::Within(part) => (f64::max(value - part * value, 0.0).floor(), (value + part * value).ceil()),
            };
            let weight = match shape.weights {
                Weights::Value => value,
                Weights::Unit => 1.0,
                Weights::Log => value.ln_1p(),
                Weights::Random => 1.0 + below(&mut random, 100) as f64,
            };
            let levels = Levels { lower: level(shape.lower), upper: level(shape.upper), sliding: level(shape.sliding) };
            Cell { id: id(dimensions, position), value, weight, lower, upper, levels, status }
        })
        .collect();
    let attackers = singletons(shape.singletons, &cells, &is_leaf, &mut random);
    CellTable::new(cells, equations(dimensions), attackers).expect("margins are sums of whole numbers below 2^53")
}

/// A whole number below `bound`.
fn below(random: &mut ChaCha8Rng, bound: u64) -> u64 {
    ((u128::from(random.next_u64()) * u128::from(bound)) >> 64) as u64
}

/// A number from 0 to just below 1.
fn fraction(random: &mut ChaCha8Rng) -> f64 {
    (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

fn leaf_value(shape: &Shape, random: &mut ChaCha8Rng) -> u64 {
    if fraction(random) < shape.zeros { 0 } else { 1 + below(random, u64::from(shape.largest)) }
}

/// Never more than was asked: what bounds admit must be enough.
fn rounded_down(level: f64) -> f64 {
    let rounded = (level * DECIMALS).floor() / DECIMALS;
    if rounded > 0.0 && rounded <= level { rounded } else { level }
}

/// The positions of a cell in the dimensions, last dimension first.
fn positions(dimensions: &[Labels], cell: usize) -> impl Iterator<Item = (&Labels, usize)> {
    let mut rest = cell;
    dimensions.iter().rev().map(move |dimension| {
        let position = rest % dimension.labels.len();
        rest /= dimension.labels.len();
        (dimension, position)
    })
}

fn is_leaf(dimensions: &[Labels], cell: usize) -> bool {
    // A label with parts stands right behind the last of them.
    positions(dimensions, cell)
        .all(|(dimension, position)| position == 0 || dimension.parents[position - 1] != Some(position))
}

fn id(dimensions: &[Labels], cell: usize) -> CellId {
    let mut labels: Vec<&str> =
        positions(dimensions, cell).map(|(dimension, position)| dimension.labels[position].as_str()).collect();
    labels.reverse();
    CellId::Text(labels.join("/"))
}

/// The dimensions with the distance between cells that are neighbours in them.
fn with_steps(dimensions: &[Labels]) -> Vec<(&Labels, usize)> {
    let mut step = 1;
    let mut steps: Vec<(&Labels, usize)> = Vec::with_capacity(dimensions.len());
    for dimension in dimensions.iter().rev() {
        steps.push((dimension, step));
        step *= dimension.labels.len();
    }
    steps.reverse();
    steps
}

/// Sums the values up dimension by dimension, parts before what they are parts of.
fn add_up(dimensions: &[Labels], values: &mut [u64]) {
    for (dimension, step) in with_steps(dimensions) {
        for cell in 0..values.len() {
            let position = cell / step % dimension.labels.len();
            if let Some(parent) = dimension.parents[position] {
                values[cell + (parent - position) * step] += values[cell];
            }
        }
    }
}

/// For each dimension and each label that has parts, one equation for each choice of the other labels.
fn equations(dimensions: &[Labels]) -> Vec<Equation> {
    let count: usize = dimensions.iter().map(|dimension| dimension.labels.len()).product();
    let mut equations = Vec::new();
    for (dimension, step) in with_steps(dimensions) {
        let mut parts = vec![Vec::new(); dimension.labels.len()];
        for (position, parent) in dimension.parents.iter().enumerate() {
            if let Some(parent) = parent {
                parts[*parent].push(position);
            }
        }
        for cell in 0..count {
            let position = cell / step % dimension.labels.len();
            if parts[position].is_empty() {
                continue;
            }
            let parts = parts[position].iter().map(|part| (cell - (position - part) * step, 1.0));
            equations.push(Equation { rhs: 0.0, terms: parts.chain([(cell, -1.0)]).collect() });
        }
    }
    equations
}

fn primaries(rule: Primaries, values: &[u64], is_leaf: &[bool], random: &mut ChaCha8Rng) -> Vec<bool> {
    match rule {
        Primaries::UpTo(most) => values.iter().map(|value| (1..=u64::from(most)).contains(value)).collect(),
        Primaries::Share(share) => {
            let candidates = (0..values.len()).filter(|cell| is_leaf[*cell] && values[*cell] > 0).collect();
            drawn(share, candidates, values.len(), random)
        }
    }
}

/// Marks a share of the candidates, at least one if the share is above 0.
fn drawn(share: f64, mut candidates: Vec<usize>, cells: usize, random: &mut ChaCha8Rng) -> Vec<bool> {
    let wanted = ((share * candidates.len() as f64).round() as usize).clamp(usize::from(share > 0.0), cells);
    let mut marked = vec![false; cells];
    for place in 0..wanted.min(candidates.len()) {
        let other = place + below(random, (candidates.len() - place) as u64) as usize;
        candidates.swap(place, other);
        marked[candidates[place]] = true;
    }
    marked
}

/// One attacker for each singleton: it knows its own cell, which therefore asks nothing of it.
fn singletons(share: f64, cells: &[Cell], is_leaf: &[bool], random: &mut ChaCha8Rng) -> Vec<Attacker> {
    let candidates = (0..cells.len()).filter(|cell| is_leaf[*cell] && cells[*cell].status == Status::Primary).collect();
    let alone = drawn(share, candidates, cells.len(), random);
    (0..cells.len())
        .filter(|cell| alone[*cell])
        .map(|cell| Attacker {
            name: format!("respondent of {}", cells[cell].id),
            bounds: vec![(cell, cells[cell].value, cells[cell].value)],
            levels: vec![(cell, Levels::default())],
        })
        .collect()
}
