//! Writes the bundled Adult data to a file: `cargo run -p tamis-adult --example write_csv -- adult.csv`

fn main() -> std::io::Result<()> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "adult.csv".to_owned());
    std::fs::write(path, tamis_adult::csv())
}
