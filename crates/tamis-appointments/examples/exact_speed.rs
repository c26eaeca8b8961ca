//! How many CPU seconds the proven optimum takes: `cargo run --release --example exact_speed [seeds]`.
//!
//! Programmes are drawn as the authors of the paper drew theirs: Q = N/100 + 5 frequencies (dense: N/10 + 5) around
//! N/Q, and N/10 slots with capacities around 10 (5 to 14), topped up until everybody has a place.

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::Instant;
use tamis_appointments::{Instance, Method, SolveOptions, solve};

fn main() {
    let seeds: u64 = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(100);
    println!("| N | Q | proved | mean seconds | worst | its seed |");
    println!("|---|---|---|---|---|---|");
    for (people, per_value) in
        [(50, 100), (100, 100), (1_000, 100), (10_000, 100), (1_000_000, 100), (1_000, 10), (1_000_000, 10)]
    {
        let values = people / per_value + 5;
        let runs: Vec<(f64, u64, bool)> = (1..=seeds).map(|seed| run(people, values, seed)).collect();
        let proved = runs.iter().filter(|run| run.2).count();
        let mean = runs.iter().map(|run| run.0).sum::<f64>() / seeds as f64;
        let (worst, seed, _) = runs.into_iter().max_by(|left, right| left.0.total_cmp(&right.0)).unwrap_or_default();
        println!("| {people} | {values} | {proved} of {seeds} | {mean:.3} | {worst:.3} | {seed} |");
    }
}

/// Seconds of this one thread, the seed, and whether the optimum is proved.
fn run(people: u64, values: u64, seed: u64) -> (f64, u64, bool) {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let frequencies = frequencies(people, values, &mut dice);
    let capacities = capacities(people, &mut dice);
    let instance = Instance::plain(&frequencies, &capacities).expect("the generator makes room for everybody");
    let start = cpu_seconds();
    let solution = solve(&instance, Method::Exact, &SolveOptions::default()).expect("plain problems have schedules");
    (cpu_seconds() - start, seed, solution.is_optimal())
}

/// Uniform from N/Q - 5 (at least 1) to N/Q + 10, then raised or lowered one by one until they sum to N.
fn frequencies(people: u64, values: u64, dice: &mut impl Rng) -> Vec<u64> {
    let mean = people / values;
    let (least, most) = (mean.saturating_sub(5).max(1), mean + 10);
    let mut frequencies: Vec<u64> = (0..values).map(|_| dice.random_range(least..=most)).collect();
    let mut sum: u64 = frequencies.iter().sum();
    while sum != people {
        let at = dice.random_range(0..frequencies.len());
        if sum < people {
            frequencies[at] += 1;
            sum += 1;
        } else if frequencies[at] > 1 {
            frequencies[at] -= 1;
            sum -= 1;
        }
    }
    frequencies
}

/// N/10 capacities, uniform from 5 to 14, raised one by one until they sum to at least N.
fn capacities(people: u64, dice: &mut impl Rng) -> Vec<u64> {
    let mut capacities: Vec<u64> = (0..people / 10).map(|_| dice.random_range(5..=14)).collect();
    let mut sum: u64 = capacities.iter().sum();
    while sum < people {
        let at = dice.random_range(0..capacities.len());
        capacities[at] += 1;
        sum += 1;
    }
    capacities
}

/// CPU seconds of this process where the system tells them, otherwise seconds of the clock.
fn cpu_seconds() -> f64 {
    use std::sync::OnceLock;
    static START: OnceLock<Instant> = OnceLock::new();
    let by_clock = START.get_or_init(Instant::now).elapsed().as_secs_f64();
    let nanoseconds = std::fs::read_to_string("/proc/self/schedstat")
        .ok()
        .and_then(|text| text.split_whitespace().next().and_then(|first| first.parse::<f64>().ok()));
    nanoseconds.map_or(by_clock, |nanoseconds| nanoseconds / 1e9)
}
