//! Runs the heuristic on random tables: sizes of the dimensions, share of primaries, wide or tight, seed.
//!
//!     cargo run --example heuristic -- 20x20 0.05 wide 1

#![allow(clippy::cast_possible_wrap)] // numbers of cells are small

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use tamis_cells::protect::{Method, Options};
use tamis_cells::{Cell, CellId, CellTable, Equation, Levels, Status, protect};
use tamis_highs::Highs;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let sizes: Vec<usize> = words[0].split('x').map(|size| size.parse().expect("a size")).collect();
    let share: f64 = words[1].parse().expect("a share");
    let seeds = words[3].split_once('-').map_or_else(
        || words[3].parse().map(|seed| seed..=seed).expect("a seed"),
        |(a, b)| a.parse().expect("seed")..=b.parse().expect("seed"),
    );
    for seed in seeds {
        let table = random(&sizes, share, words[2] == "tight", seed);
        let stop = AtomicBool::new(false);
        let limit = words.get(4).map(|limit| Duration::from_secs_f64(limit.parse().expect("seconds")));
        let method =
            if words.get(5).is_some_and(|word| word == "optimal") { Method::Optimal } else { Method::Heuristic };
        let options = Options { method, time_limit: limit, gap: 0.0, stop: &stop, progress: &|_| {} };
        let begun = Instant::now();
        let least: f64 = table.cells().iter().filter(|c| c.status == Status::Primary).map(|c| c.weight).sum();
        match protect(&table, &Highs, &options) {
            Ok(found) => println!(
                "seed {seed}: {} cells, {} hidden, cost {} secondaries {} bound {:.0} attacks {} time {:.2}",
                table.cells().len(),
                found.pattern.cells().count(),
                found.cost,
                found.cost - least,
                found.bound - least,
                found.effort.attacks,
                begun.elapsed().as_secs_f64()
            ),
            Err(error) => println!("seed {seed}: {error}"),
        }
    }
}

/// Values 1 to 100 (a tenth of them 0), margins; primaries among inner cells with levels of 10%; costs are values.
fn random(sizes: &[usize], share: f64, tight: bool, seed: u64) -> CellTable {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x1234_5678;
    let mut draw = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    };
    let full: Vec<usize> = sizes.iter().map(|size| size + 1).collect();
    let count: usize = full.iter().product();
    let coordinates = |mut index: usize| -> Vec<usize> {
        full.iter()
            .rev()
            .map(|size| {
                let at = index % size;
                index /= size;
                at
            })
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
            .collect()
    };
    let index = |at: &[usize]| at.iter().zip(&full).fold(0, |sum, (at, size)| sum * size + at);
    let mut values = vec![0.0; count];
    for cell in 0..count {
        let at = coordinates(cell);
        if at.iter().zip(sizes).all(|(at, size)| at < size) {
            let value = if draw() < 0.1 { 0.0 } else { (draw() * 100.0).ceil() };
            for mask in 0..1usize << sizes.len() {
                let to: Vec<usize> =
                    (0..sizes.len()).map(|d| if mask >> d & 1 == 1 { sizes[d] } else { at[d] }).collect();
                values[index(&to)] += value;
            }
        }
    }
    let cells: Vec<Cell> = (0..count)
        .map(|cell| {
            let at = coordinates(cell);
            let inner = at.iter().zip(sizes).all(|(at, size)| at < size);
            let value = values[cell];
            let primary = inner && value > 0.0 && draw() < share;
            let level = (value * 0.1).ceil();
            let (lower, upper) = if tight {
                (
                    (value * 0.75).floor().min(value - if primary { level } else { 0.0 }),
                    (value * 1.25).ceil().max(value + level),
                )
            } else {
                (0.0, value * 10.0 + 1000.0)
            };
            Cell {
                id: CellId::Number(cell as i64),
                value,
                weight: value,
                lower: lower.max(0.0),
                upper,
                levels: if primary { Levels { lower: level, upper: level, sliding: 0.0 } } else { Levels::default() },
                status: if primary {
                    Status::Primary
                } else if value == 0.0 {
                    Status::Fixed
                } else {
                    Status::Free
                },
            }
        })
        .collect();
    let mut equations = Vec::new();
    for d in 0..sizes.len() {
        for cell in 0..count {
            let at = coordinates(cell);
            if at[d] == sizes[d] {
                let mut terms = vec![(cell, -1.0)];
                for part in 0..sizes[d] {
                    let mut to = at.clone();
                    to[d] = part;
                    terms.push((index(&to), 1.0));
                }
                equations.push(Equation { rhs: 0.0, terms });
            }
        }
    }
    CellTable::new(cells, equations, Vec::new()).expect("a table that adds up")
}
