//! scratch
mod adult;
use tamis_engine::{heuristic, optimal, Lattice, Limits, Problem, QualitySettings};
use tamis_privacy::{Parameters, TableFacts, Value, bind};
use tamis_table::{ColumnBuilder, FrequencySet, FrequencySpec, Hierarchy, HierarchyRow, MissingPolicy, Recoder, Table};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::time::{Duration, Instant};

fn wide(attributes: usize, rows: usize, seed: u64, k: i64, limit: f64) -> Problem {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut below = |end: usize| (random.next_u64() % end as u64) as usize;
    let widths: Vec<usize> = (0..attributes).map(|_| [2, 4, 6, 8, 12, 16][below(6)]).collect();
    let mut columns: Vec<ColumnBuilder> = (0..attributes).map(|j| ColumnBuilder::new(&format!("a{j}"))).collect();
    for _ in 0..rows {
        let kind = below(6);
        for (j, column) in columns.iter_mut().enumerate() {
            let value = if below(4) > 0 { (kind * (j + 3)) % widths[j] } else { below(widths[j]).min(below(widths[j])) };
            column.push(&format!("{value:02}")).unwrap();
        }
    }
    let table = Table::new(columns.into_iter().map(ColumnBuilder::finish).collect()).unwrap();
    let names: Vec<String> = (0..attributes).map(|j| format!("a{j}")).collect();
    let quasi = names.iter().zip(&widths).map(|(name, &width)| {
        let rows: Vec<HierarchyRow> = (0..width).map(|v| HierarchyRow { line: v as u64 as _, labels: match width {
            0..=2 => vec![format!("{v:02}"), "*".into()],
            3..=6 => vec![format!("{v:02}"), format!("{}x", v / 2), "*".into()],
            _ => vec![format!("{v:02}"), format!("{}x", v / 2), format!("{}y", v / 4), "*".into()] } }).collect();
        (name.as_str(), Recoder::bind(&Hierarchy::from_rows(&rows).unwrap(), table.column(name).unwrap()).unwrap(), MissingPolicy::OwnCategory)
    }).collect();
    let (frequency, _) = FrequencySet::count(&table, FrequencySpec { quasi, ..FrequencySpec::default() }).unwrap();
    let facts = TableFacts { rows: frequency.rows, has_population: false, sensitive: vec![] };
    let models = bind("k-anonymity", &Parameters::from([("k", Value::Integer(k))]), &facts).unwrap().into_iter().collect();
    let upper: Vec<usize> = frequency.attributes.iter().map(|a| a.recoder.levels() - 1).collect();
    let measure = QualitySettings::loss(upper.len()).build(&frequency).unwrap();
    Problem { limit: (frequency.rows as f64 * limit) as u64, lattice: Lattice::new(vec![0; upper.len()], upper), frequency, models, measure }
}

#[test]
fn bench() {
    let secs: f64 = std::env::var("SECS").map_or(3.0, |s| s.parse().unwrap());
    for (d, n, k, limit) in [(12, 2000, 5, 0.1), (20, 2000, 5, 0.05), (20, 2000, 5, 1.0), (30, 2000, 5, 0.1), (20, 20000, 5, 0.02)] {
      for seed in 1..=std::env::var("SEEDS").map_or(1, |s| s.parse().unwrap()) {
        let p = wide(d, n, seed, k, limit);
        let t = Instant::now();
        match heuristic(&p, &Limits { time: Some(Duration::from_secs_f64(secs)), ..Limits::default() }, &mut ()) {
        Ok(s) => {
        println!("d={d} n={n} limit={limit} size {:.1e} tuples {}: {:?} best {:.6} bound {:.6} opt {} checked {} {:?}", p.lattice.approximate_size(), p.frequency.tuples(), t.elapsed(), s.score.value(), s.lower_bound.value(), s.is_optimal, s.checked, s.levels) }
        Err(e) => println!("{e}") }
      }
    }
}

#[test]
fn adult_bench() {
    let table = adult::table();
    for published in tamis_adult::PUBLISHED {
        let problem = adult::problem(&table, &adult::requirements(&published.setting));
        let t = Instant::now();
        let o = optimal(&problem, &Limits::default(), &mut ()).unwrap();
        let to = t.elapsed(); let t = Instant::now();
        let h = heuristic(&problem, &Limits::default(), &mut ()).unwrap();
        let mut first = h.nodes.iter().position(|n| n.levels == o.levels);
        println!("{}: optimal {} {:?}; heuristic {} {:?} found at {:?} same {} proven {}", published.name, o.checked, to, h.checked, t.elapsed(), first, o.levels == h.levels, h.is_optimal);
    }
}
