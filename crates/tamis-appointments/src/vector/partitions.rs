//! The number of partitions, which is the number of anonymity vectors.

use super::limbs::{LimbTable, limbs_of_bits};
use std::f64::consts::{LOG2_E, PI};

/// An upper bound of the bits of p(n), from `p(n) < exp(pi sqrt(2n/3))`.
pub(super) fn bits_of_count(people: u64) -> f64 {
    PI * (2.0 * people as f64 / 3.0).sqrt() * LOG2_E
}

/// How many rows of the table are computed together.
const BLOCK: usize = 64;

/// p(0), p(1), ..., p(n), one row each, by Euler's pentagonal recurrence
/// `p(n) = p(n-1) + p(n-2) - p(n-5) - p(n-7) + p(n-12) + ...`: about 1.1 n^1.5 additions of numbers of 1.8 sqrt(n) bits.
///
/// A row needs rows all over the table. Rows are therefore computed in blocks that stay in the processor's cache: one step of
/// the recurrence for all rows of the block reads rows that stand side by side. Sums may fall below zero on the way, as
/// complements of two.
pub(super) fn partition_table(people: usize) -> LimbTable {
    let mut table = LimbTable::zeros(people + 1, limbs_of_bits(bits_of_count(people as u64)));
    table.row_mut(0)[0] = 1;
    for start in (1..=people).step_by(BLOCK) {
        let end = (start + BLOCK).min(people + 1);
        let width = limbs_of_bits(bits_of_count(end as u64 - 1));
        let steps = || pentagonal_steps().take_while(|&(_, step)| step < end);
        // First the terms from before the block, step by step, then those from within, row by row.
        for (number, step) in steps() {
            for row in start.max(step)..end.min(start + step) {
                table.add_row(row, row - step, number % 2 == 1, width);
            }
        }
        for row in start..end {
            for (number, step) in steps().take_while(|&(_, step)| step <= row - start) {
                table.add_row(row, row - step, number % 2 == 1, width);
            }
        }
    }
    table
}

/// (k, g) for the generalised pentagonal numbers g = k(3k-1)/2 and k(3k+1)/2, in ascending order.
fn pentagonal_steps() -> impl Iterator<Item = (usize, usize)> {
    (1..).flat_map(|k: usize| [(k, k * (3 * k - 1) / 2), (k, k * (3 * k + 1) / 2)])
}

/// The approximation of Hardy and Ramanujan, `exp(pi sqrt(2n/3)) / (4 n sqrt(3))`, as its logarithm.
///
/// It is always too large: by 1.4% at n = 1,000, by 0.63% at 5,000, and by less than 0.3% from n = 21,923 on (the paper says
/// from 5,000 on).
///
/// ```
/// use tamis_appointments::vector::{VectorOrder, hardy_ramanujan_error};
///
/// let error = hardy_ramanujan_error(&VectorOrder::of_people(1000)?);
/// assert!((error - 0.01415).abs() < 0.00001, "the thesis' 1.415%");
/// # Ok::<(), tamis_appointments::vector::VectorError>(())
/// ```
pub fn log_hardy_ramanujan(people: u64) -> f64 {
    let n = people as f64;
    PI * (2.0 * n / 3.0).sqrt() - (4.0 * n * 3_f64.sqrt()).ln()
}

/// By which share the approximation of Hardy and Ramanujan is larger than p(n).
pub fn hardy_ramanujan_error(order: &super::VectorOrder) -> f64 {
    (log_hardy_ramanujan(order.people()) - super::rounding::natural_log(order.count())).exp_m1()
}

/// Up to so many people, partitions are counted even where only their logarithm is asked for; the counts are below 2^53.
const COUNTED: u64 = 256;

/// ln p(n): counted for a few people, else by the first term of Rademacher's series,
/// `p(n) ~ exp(c l) (1 - 1/(c l)) / (4 sqrt(3) l^2)` with `c = pi sqrt(2/3)` and `l = sqrt(n - 1/24)`, whose relative error of
/// about `exp(-c l / 2)` is below 1e-8 there.
pub fn log_count(people: u64) -> f64 {
    if let Some(log) = log_of_few_people(people, 1) {
        return log;
    }
    let square = people as f64 - 1.0 / 24.0;
    let exponent = PI * (2.0 / 3.0 * square).sqrt();
    exponent + (-exponent.recip()).ln_1p() - (4.0 * 3_f64.sqrt() * square).ln()
}

/// ln of the number of partitions of a few people into parts of at least `smallest`, by adding one part size after the other;
/// none if there are many.
pub(super) fn log_of_few_people(people: u64, smallest: u64) -> Option<f64> {
    if people > COUNTED {
        return None;
    }
    let mut ways = [0.0_f64; COUNTED as usize + 1];
    ways[0] = 1.0;
    for part in smallest as usize..=people as usize {
        for m in part..=people as usize {
            ways[m] += ways[m - part];
        }
    }
    Some(ways[people as usize].ln())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::VectorOrder;
    use crate::vector::rounding::natural_log;
    use num_bigint::BigUint;

    fn count(people: u64) -> String {
        VectorOrder::of_people(people).expect("few enough").count().to_string()
    }

    #[test]
    fn the_counts_the_sources_print() {
        assert_eq!(count(4), "5");
        assert_eq!(count(30), "5604");
        assert_eq!(count(100), "190569292");
        assert_eq!(count(5000), "169820168825442121851975101689306431361757683049829233322203824652329144349");
    }

    #[test]
    fn the_recurrence_agrees_with_the_thesis_recursion() {
        // p(n) as the thesis computes it: parts up to m, one m after the other.
        let mut by_parts = vec![BigUint::ZERO; 301];
        by_parts[0] = BigUint::from(1_u32);
        for part in 1..=300 {
            for n in part..=300 {
                let more = by_parts[n - part].clone();
                by_parts[n] += more;
            }
        }
        let table = partition_table(300);
        assert!((0..=300).all(|n| table.number(n) == by_parts[n]));
    }

    #[test]
    fn hardy_ramanujan_is_within_a_third_of_a_percent_from_21_923_on_and_not_from_5_000() {
        let error = |people| hardy_ramanujan_error(&VectorOrder::of_people(people).expect("few enough"));
        assert!((error(5000) - 0.0063).abs() < 0.00005, "{}", error(5000));
        let table = partition_table(21_923);
        let error = |people: u64| (log_hardy_ramanujan(people) - natural_log(&table.number(people as usize))).exp_m1();
        assert!(error(21_922) > 0.003 && error(21_923) < 0.003, "{} {}", error(21_922), error(21_923));
    }

    #[test]
    fn the_first_term_of_rademacher_is_as_close_as_promised() {
        let table = partition_table(2000);
        for people in 0..=2000_u64 {
            let exact = natural_log(&table.number(people as usize));
            let promised = if people <= COUNTED { 1e-14 } else { 1e-8 };
            assert!((log_count(people) - exact).abs() < promised, "{people}");
        }
    }
}
