//! Synthetic rows that happen to be a real person's.

use crate::grouping::is_numeric;
use std::collections::HashMap;
use tamis_table::Column;
use tamis_table::number_in;

/// How many rows of the synthetic columns equal a row of the real columns that occurs only once there. Columns correspond by position;
/// numbers are compared as numbers. Linear in cells.
pub(super) fn equal_to_unique_rows(real: &[&Column], synthetic: &[Column]) -> usize {
    let mut keys_of_real: Vec<Vec<u64>> = vec![Vec::with_capacity(real.len()); rows(real.first().copied())];
    let mut keys_of_synthetic: Vec<Vec<u64>> = vec![Vec::with_capacity(real.len()); rows(synthetic.first())];
    for (&real, synthetic) in real.iter().zip(synthetic) {
        let mut key_of: HashMap<Vec<u8>, u64> = HashMap::new();
        let as_number = is_numeric(real);
        let mut append = |column: &Column, rows: &mut Vec<Vec<u64>>| {
            let spelled = |text: &str| match number_in(text).filter(|_| as_number) {
                // Adding zero takes the sign from a negative one.
                Some(number) => (number + 0.0).to_bits().to_le_bytes().to_vec(),
                None => text.as_bytes().to_vec(),
            };
            let mut keys = Vec::with_capacity(column.dictionary().len());
            for text in column.dictionary().iter() {
                let next = key_of.len() as u64;
                keys.push(*key_of.entry(spelled(text)).or_insert(next));
            }
            column.codes().for_each(|row, code| rows[row].push(keys[code as usize]));
        };
        append(real, &mut keys_of_real);
        append(synthetic, &mut keys_of_synthetic);
    }
    let mut count_of: HashMap<Vec<u64>, u32> = HashMap::with_capacity(keys_of_real.len());
    for key in keys_of_real {
        *count_of.entry(key).or_default() += 1;
    }
    keys_of_synthetic.iter().filter(|key| count_of.get(*key) == Some(&1)).count()
}

fn rows(column: Option<&Column>) -> usize {
    column.map_or(0, |column| column.codes().len())
}
