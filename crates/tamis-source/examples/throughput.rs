//! How fast a file is read into a table and written back: the shortest of several runs, on one thread.
//!
//! `cargo run --release -p tamis-source --example throughput -- adult.csv 9 [out.csv]`

use std::time::{Duration, Instant};
use tamis_source::{OutputColumn, ReadOptions, WriteOptions, read_table, write_table};
use tamis_table::Column;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("usage: throughput FILE [RUNS [OUT]]")?;
    let runs: usize = arguments.next().map_or(Ok(5), |runs| runs.parse())?;
    let output = arguments.next();
    let megabytes = std::fs::metadata(&path)?.len() as f64 / 1e6;
    let report = |what: &str, time: Duration| {
        println!("{what} {:.1} ms, {:.0} MB/s", time.as_secs_f64() * 1e3, megabytes / time.as_secs_f64());
    };

    let read = || read_table(&path, &ReadOptions::default());
    report("read ", shortest(runs, || read().map(drop))?);
    if let Some(output) = output {
        let table = read()?;
        let write = || {
            let columns: Vec<OutputColumn<'_>> = table.columns().iter().map(output_column).collect();
            write_table(&output, &WriteOptions::default(), &columns, 0..table.rows())
        };
        report("write", shortest(runs, write)?);
    }
    Ok(())
}

fn output_column(column: &Column) -> OutputColumn<'_> {
    let cells = column.dictionary().iter().map(str::to_owned).collect();
    OutputColumn { name: column.name(), cells, cell_of_row: Box::new(|row| column.codes().get(row)) }
}

fn shortest<E>(runs: usize, mut run: impl FnMut() -> Result<(), E>) -> Result<Duration, E> {
    let mut shortest = Duration::MAX;
    for _ in 0..runs.max(1) {
        let start = Instant::now();
        run()?;
        shortest = shortest.min(start.elapsed());
    }
    Ok(shortest)
}
