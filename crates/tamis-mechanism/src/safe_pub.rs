//! (epsilon, delta)-differential privacy for microdata: a random sample, a recoding that does not look at the data, and no small class.
//!
//! After Li, Qardaji and Su (2012) and Bild, Kuhn and Prasser (2018, "SafePub"). The k that epsilon and delta ask for is worked out by
//! `tamis_privacy::sampling_privacy`; here are the two steps that touch rows. Between them stands a recoding, which must have been chosen
//! without looking at the data: levels that were searched for on the same table take the promise away.

use crate::discrete::Gaps;
use crate::{Dice, MechanismError, Ratio};

/// The rows of a sample, in order: each of `rows` by itself with probability `beta`. O(rows kept).
///
/// ```
/// use tamis_mechanism::{Dice, Ratio, safe_pub::sample_rows};
/// let sample = sample_rows(10, Ratio::ONE, &mut Dice::from_seed(1, ""))?;
/// assert_eq!(sample, (0..10).collect::<Vec<usize>>());
/// # Ok::<(), tamis_mechanism::MechanismError>(())
/// ```
pub fn sample_rows(rows: usize, beta: Ratio, dice: &mut Dice) -> Result<Vec<usize>, MechanismError> {
    if beta.is_zero() || beta > Ratio::ONE {
        return Err(MechanismError::parameter("beta", beta, "a probability above 0 and at most 1"));
    }
    let gaps = Gaps::new((beta.numerator(), beta.denominator()), rows as u128);
    Ok(gaps.collect(dice).into_iter().map(|row| row as usize).collect())
}

/// Which rows of a sample may be told: those whose class has at least k rows of the sample. `class_of_row` numbers the classes of the
/// recoded sample from 0. O(rows).
///
/// ```
/// use tamis_mechanism::safe_pub::rows_of_large_classes;
/// assert_eq!(rows_of_large_classes(&[0, 1, 0, 2, 2, 2], 2), [true, false, true, true, true, true]);
/// ```
pub fn rows_of_large_classes(class_of_row: &[u32], k: u64) -> Vec<bool> {
    let classes = class_of_row.iter().max().map_or(0, |&last| last as usize + 1);
    let mut sizes = vec![0_u64; classes];
    for &class in class_of_row {
        sizes[class as usize] += 1;
    }
    class_of_row.iter().map(|&class| sizes[class as usize] >= k).collect()
}
