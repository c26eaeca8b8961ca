//! What the methods without proof reach, and in what time.
//!
//! * `cargo run --release --example measure -- improvement [RUNS [PEOPLE [QUASI_IDS]]]`: the mean improvement over
//!   drawn places on problems like those of the paper's Table 10.
//! * `cargo run --release --example measure -- large [PEOPLE [QUASI_IDS]]`: one problem of the same kind, its vector
//!   and bound.
//! * `cargo run --release --example measure -- screening`: 1,410 programmes of a national screening.

mod positions;
mod problems;

use positions::Positions;
use std::time::Instant;
use tamis_appointments::{AnonymityVector, Instance, Method, SolveOptions, solve};

const METHODS: [(&str, Method); 5] = [
    ("authors", Method::Authors),
    ("greatest", Method::Greatest),
    ("half", Method::Half),
    ("heuristic", Method::Heuristic),
    ("exact", Method::Exact),
];

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn main() -> Outcome {
    let arguments: Vec<usize> = std::env::args().skip(2).map(|text| text.parse()).collect::<Result<_, _>>()?;
    match std::env::args().nth(1).as_deref() {
        Some("large") => {
            let people = arguments.first().copied().unwrap_or(1_000_000);
            large(people, arguments.get(1).copied().unwrap_or(people / 100 + 5))
        }
        Some("screening") => screening(),
        _ => improvements(&arguments),
    }
}

fn large(people: usize, quasi_ids: usize) -> Outcome {
    let (frequencies, capacities) = problems::paper(people, quasi_ids, 1);
    let instance = Instance::plain(&frequencies, &capacities)?;
    for (name, method) in METHODS.into_iter().chain([("random", Method::Random)]) {
        let start = Instant::now();
        let solution = solve(&instance, method, &SolveOptions::default())?;
        let time = start.elapsed().as_secs_f64();
        instance.check(&solution.schedule)?;
        println!("{name:>10} {time:.3} s {} bound {}", solution.vector, solution.lower_bound);
    }
    Ok(())
}

fn screening() -> Outcome {
    const CENTRES: [usize; 5] = [13, 4, 3, 3, 3];
    let (mut people, mut certified, mut whole) = (0, 0, 0);
    let start = Instant::now();
    for programme in 0..1410 {
        let (frequencies, capacities) = problems::screening(CENTRES[programme % CENTRES.len()], programme as u64);
        let instance = Instance::plain(&frequencies, &capacities)?;
        let solution = solve(&instance, Method::Heuristic, &SolveOptions::default())?;
        instance.check(&solution.schedule)?;
        people += instance.people();
        certified += usize::from(solution.is_optimal());
        whole += usize::from(solution.vector == AnonymityVector::of_sizes(frequencies));
    }
    let time = start.elapsed().as_secs_f64();
    println!("{people} people, {time:.3} s, {certified} certified, {whole} without a split crowd");
    Ok(())
}

fn improvements(arguments: &[usize]) -> Outcome {
    let runs = arguments.first().copied().unwrap_or(100);
    let sizes = match arguments[..] {
        [_, people, quasi_ids] => vec![(people, quasi_ids)],
        [_, people] => vec![(people, people / 100 + 5)],
        _ => {
            let mut sizes: Vec<_> =
                [20, 30, 40, 50, 100, 250, 500, 1000].map(|people| (people, people / 100 + 5)).into();
            sizes.push((1000, 105));
            sizes
        }
    };
    print!("{:>6} {:>5}", "N", "Q");
    for (name, _) in METHODS {
        print!(" {name:>10} {:>8}", "ms");
    }
    println!(" {:>9}", "optimal");
    for (people, quasi_ids) in sizes {
        row(people, quasi_ids, runs)?;
    }
    Ok(())
}

fn row(people: usize, quasi_ids: usize, runs: usize) -> Outcome {
    let positions = Positions::new(people);
    let mut sums = [(0.0, 0.0); METHODS.len()];
    let mut met = 0;
    for run in 0..runs {
        let (frequencies, capacities) = problems::paper(people, quasi_ids, run as u64);
        let instance = Instance::plain(&frequencies, &capacities)?;
        let options = SolveOptions { seed: run as u64, ..SolveOptions::default() };
        let base = positions.of(&AnonymityVector::of_sizes(frequencies));
        let drawn = positions.of(&solve(&instance, Method::Random, &options)?.vector);
        let mut heuristic = None;
        for ((_, method), (improvement, time)) in METHODS.iter().zip(&mut sums) {
            let start = Instant::now();
            let solution = solve(&instance, *method, &options)?;
            *time += start.elapsed().as_secs_f64();
            instance.check(&solution.schedule)?;
            *improvement += if base == 0.0 { 0.0 } else { (positions.of(&solution.vector) - drawn) / base };
            match method {
                Method::Heuristic => heuristic = Some(solution.vector),
                Method::Exact => met += usize::from(heuristic.as_ref() == Some(&solution.vector)),
                _ => {}
            }
        }
    }
    print!("{people:>6} {quasi_ids:>5}");
    for (improvement, time) in sums {
        print!(" {:>10.3} {:>8.3}", 100.0 * improvement / runs as f64, 1000.0 * time / runs as f64);
    }
    println!(" {:>8.1}%", 100.0 * met as f64 / runs as f64);
    Ok(())
}
