//! Writes sample pages with the figures of the Adult census study, to look at in a browser:
//!
//! Counts, classes, risk and loss are those of the study. Seconds, the transformations shown as evaluated, the seed and
//! the small lattice are made up: they are there to show the layout.
//!
//! ```text
//! cargo run -p tamis-release --example sample_report -- DIRECTORY
//! ```

mod comparison;
mod release;

use std::path::PathBuf;

use tamis_release::report::{compare_page, release_page};

fn main() -> std::io::Result<()> {
    let directory = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| ".".to_owned()));
    std::fs::write(directory.join("sample_release.html"), release_page(&release::adult()))?;
    std::fs::write(directory.join("sample_small_lattice.html"), release_page(&release::small_lattice()))?;
    std::fs::write(directory.join("sample_comparison.html"), compare_page(&comparison::adult()))?;
    println!("sample pages written to {}", directory.display());
    Ok(())
}
