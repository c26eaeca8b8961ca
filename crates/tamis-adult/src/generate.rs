//! Tables of any length that look like Adult.
//!
//! A row is a record drawn uniformly from the bundled ones, so that all distributions, the joint one included, are Adult's.
//! Noise then makes combinations that Adult does not have, as a longer census would: with a small probability each, a value is
//! replaced by that of another record drawn the same way (which leaves the distribution of the column as it is), and an age is
//! moved by one or two years.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::io::{self, Write};
use std::ops::RangeInclusive;

/// The probability that a value is perturbed, unless said otherwise.
pub const DEFAULT_NOISE: f64 = 0.02;

/// The ages that occur in Adult; a perturbed age stays within them.
const AGES: RangeInclusive<i32> = 17..=90;

const COLUMN_COUNT: usize = crate::COLUMNS.len();
const AGE: usize = 1;

/// Rows are handed to the writer in blocks of about this many bytes.
const BLOCK: usize = 1 << 18;

/// Why no table was generated.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// Not a probability.
    #[error("the noise is {found}; it is the probability that a value is perturbed, give a number from 0 to 1")]
    Noise {
        /// What was given.
        found: f64,
    },
    /// The writer refused the rows.
    #[error("the generated rows cannot be written: {0}")]
    Write(#[from] io::Error),
}

/// Writes a header and `rows` rows of Adult-like data as CSV, with the columns of [`crate::COLUMNS`] and `;` between fields.
///
/// The same arguments give the same bytes everywhere, and a shorter table is the beginning of a longer one. Memory does not
/// depend on `rows`; writes come in large blocks, so `out` needs no buffer of its own.
///
/// ```
/// let mut out = Vec::new();
/// tamis_adult::generate(3, 7, tamis_adult::DEFAULT_NOISE, &mut out)?;
/// let text = String::from_utf8(out).unwrap();
/// assert!(text.starts_with("sex;age;race;"));
/// assert_eq!(text.lines().count(), 4);
/// # Ok::<(), tamis_adult::GenerateError>(())
/// ```
pub fn generate(rows: u64, seed: u64, noise: f64, out: &mut impl Write) -> Result<(), GenerateError> {
    let mut generator = Generator::new(seed, noise)?;
    let mut block = Vec::with_capacity(BLOCK + 1024);
    block.extend_from_slice(crate::COLUMNS.join(";").as_bytes());
    block.push(b'\n');
    for _ in 0..rows {
        generator.append_row(&mut block);
        if block.len() >= BLOCK {
            out.write_all(&block)?;
            block.clear();
        }
    }
    out.write_all(&block)?;
    Ok(out.flush()?)
}

/// An endless source of Adult-like rows.
///
/// ```
/// let mut generator = tamis_adult::Generator::new(7, 0.0)?;
/// let mut row = Vec::new();
/// generator.append_row(&mut row);
/// let row = String::from_utf8(row).unwrap();
/// assert!(row.ends_with('\n'));
/// // without noise every row is a record of the bundled table
/// assert!(tamis_adult::csv().contains(&row));
/// # Ok::<(), tamis_adult::GenerateError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Generator {
    records: Records,
    random: ChaCha8Rng,
    /// A 32-bit draw below this perturbs; 2^32 always does.
    threshold: u64,
}

impl Generator {
    /// Starts the sequence of rows that belongs to `seed`; `noise` is the probability that a value is perturbed.
    pub fn new(seed: u64, noise: f64) -> Result<Self, GenerateError> {
        if !(0.0..=1.0).contains(&noise) {
            return Err(GenerateError::Noise { found: noise });
        }
        let threshold = (noise * 2f64.powi(32)) as u64;
        Ok(Self { records: Records::load(), random: ChaCha8Rng::seed_from_u64(seed), threshold })
    }

    /// Appends the next row: the fields with `;` between them, and a line feed.
    pub fn append_row(&mut self, out: &mut Vec<u8>) {
        let record = self.draw_record();
        let mut replaced = [false; COLUMN_COUNT];
        for replace in &mut replaced {
            *replace = self.perturbs();
        }
        let moves_age = self.perturbs();
        if !moves_age && replaced == [false; COLUMN_COUNT] {
            out.extend_from_slice(self.records.line(record));
            return;
        }
        for (column, replace) in replaced.into_iter().enumerate() {
            let source = if replace { self.draw_record() } else { record };
            let start = out.len();
            out.extend_from_slice(self.records.field(source, column));
            if column == AGE && moves_age {
                let years = self.draw_years();
                move_age(&mut out[start..], years);
            }
        }
    }

    /// The bias of the multiplication, below 2^-49, is far beyond what any sample could show.
    fn draw_record(&mut self) -> usize {
        ((u128::from(self.random.next_u64()) * self.records.len() as u128) >> 64) as usize
    }

    fn perturbs(&mut self) -> bool {
        u64::from(self.random.next_u32()) < self.threshold
    }

    /// One or two years up or down.
    fn draw_years(&mut self) -> i32 {
        [-2, -1, 1, 2][(self.random.next_u32() >> 30) as usize]
    }
}

/// Moves the two-digit age at the start of `field`, the other way if it would leave [`AGES`].
fn move_age(field: &mut [u8], years: i32) {
    let age = i32::from(field[0] - b'0') * 10 + i32::from(field[1] - b'0');
    let moved = if AGES.contains(&(age + years)) { age + years } else { age - years };
    field[0] = b'0' + (moved / 10) as u8;
    field[1] = b'0' + (moved % 10) as u8;
}

/// The bundled records as bytes, cut into fields. A field includes the separator after it, so that a row is its fields in turn.
#[derive(Debug, Clone)]
struct Records {
    text: Vec<u8>,
    /// Where each field of each record begins; the last entry is the end of the record.
    starts: Vec<[u32; COLUMN_COUNT + 1]>,
}

impl Records {
    fn load() -> Self {
        let text = crate::csv().into_bytes();
        let mut starts = Vec::with_capacity(crate::ROWS);
        let mut end = 0u32;
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            let mut record = [end; COLUMN_COUNT + 1];
            for (field, start) in line.split_inclusive(|&byte| byte == b';').zip(&mut record[1..]) {
                end += field.len() as u32;
                *start = end;
            }
            starts.push(record);
        }
        starts.remove(0);
        Self { text, starts }
    }

    fn len(&self) -> usize {
        self.starts.len()
    }

    fn line(&self, record: usize) -> &[u8] {
        let starts = &self.starts[record];
        &self.text[starts[0] as usize..starts[COLUMN_COUNT] as usize]
    }

    fn field(&self, record: usize, column: usize) -> &[u8] {
        let starts = &self.starts[record];
        &self.text[starts[column] as usize..starts[column + 1] as usize]
    }
}
