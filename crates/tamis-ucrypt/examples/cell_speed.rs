//! How long one cell takes to seal, write, read and open, on one core: `cargo run --release -p tamis-ucrypt --example cell_speed`.
//!
//! With the name of a cipher behind `--`, that cipher alone: for a profiler.
//! Every figure is CPU time, and the best of several rounds, because the others only tell what else the machine was doing.

use std::hint::black_box;

use tamis_ucrypt::cell::{Binding, Cipher, DataKey, KeyId, Marker, MarkerReader, Opener, Scope, Sealer, Value};
use tamis_ucrypt::document::Place;

const CELLS: usize = 200_000;
const ROUNDS: usize = 7;

fn main() {
    let records: Vec<String> = (0..CELLS).map(|record| record.to_string()).collect();
    let place = |record: usize| Place { table: "patients", record: &records[record], field: "diagnosis" };
    println!("nanoseconds per cell   seal   write    read    open   cells/s (seal and write, read and open)");
    let only = std::env::args().nth(1);
    let asked = |cipher: &Cipher| only.as_ref().is_none_or(|name| name == cipher.as_str());
    for cipher in Cipher::ALL.into_iter().filter(asked) {
        for text in ["Nowotwór", &"long value ".repeat(40)] {
            let key = DataKey::generate();
            let kid = KeyId::generate();
            let scope = Scope { cipher, policy: "p7Q2", epoch: 1, kid: &kid, binding: Binding::RecordField, pad: 32 };
            let sealer = Sealer::new(&key, scope);
            let mut opener = Opener::default();
            opener.insert(scope.policy, scope.epoch, scope.kid, &key);

            let seal = |record| sealer.seal(place(record), &Value::text(text)).unwrap();
            let markers: Vec<Marker> = (0..CELLS).map(seal).collect();
            let texts: Vec<String> = markers.iter().map(|m| m.to_text("UCRYPT")).collect();
            let mut reader = MarkerReader::new("UCRYPT");
            let mut line = String::new();

            let sealing = best(|cell| {
                black_box(seal(cell));
            });
            let writing = best(|cell| {
                line.clear();
                markers[cell].write("UCRYPT", &mut line);
                black_box(&line);
            });
            let reading = best(|cell| {
                black_box(reader.read(&texts[cell]).unwrap());
            });
            let opening = best(|cell| {
                black_box(opener.open(place(cell), &markers[cell]).unwrap());
            });
            println!(
                "{:<11} {:>4} bytes {sealing:>7.0} {writing:>7.0} {reading:>7.0} {opening:>7.0}   {:>9.0} {:>9.0}",
                cipher.as_str(),
                text.len(),
                1e9 / (sealing + writing),
                1e9 / (reading + opening),
            );
        }
    }
}

/// The shortest mean time of one call, in nanoseconds.
fn best(mut work: impl FnMut(usize)) -> f64 {
    let mut shortest = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = nanoseconds();
        (0..CELLS).for_each(&mut work);
        shortest = shortest.min(nanoseconds() - start);
    }
    shortest / CELLS as f64
}

/// CPU time of this thread, as Linux counts it.
fn nanoseconds() -> f64 {
    let counted = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    counted.split_whitespace().next().and_then(|number| number.parse().ok()).expect("Linux counts CPU time")
}
