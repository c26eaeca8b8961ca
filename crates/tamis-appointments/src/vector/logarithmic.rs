//! The place of a vector in the order as logarithms, for numbers of people whose indexes have thousands of digits.

use super::AnonymityVector;
use super::few_parts::log_sum;
use super::partitions::log_count;
use super::saddle::log_partitions;

/// Terms below this share of the sum (as a logarithm) change nothing.
const NEGLIGIBLE: f64 = -40.0;
/// Up to so many cells of a size the terms are added one by one, since a difference of two large numbers would lose digits.
const FEW_CELLS: u64 = 8;

/// Logarithms that say where a vector stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Logarithms {
    /// ln p(N)
    pub(super) count: f64,
    /// ln(index / p(N)), minus infinity for index 0
    pub(super) share: f64,
    /// ln(1 - index / p(N))
    pub(super) gap: f64,
}

impl Logarithms {
    /// Two sums of positive terms, one for the vectors before this one and one for the rest; the smaller of them is the more
    /// accurate one, and the other follows from it.
    pub(super) fn of(vector: &AnonymityVector, people: u64) -> Self {
        let count = log_count(people);
        let share = log_index(vector, people) - count;
        let gap = log_rest(vector, people) - count;
        if share < gap {
            Self { count, share, gap: log_one_minus_exp(share) }
        } else {
            Self { count, share: log_one_minus_exp(gap), gap }
        }
    }
}

/// ln(1 - e^x) for x <= 0.
pub(super) fn log_one_minus_exp(x: f64) -> f64 {
    if x >= 0.0 {
        f64::NEG_INFINITY
    } else if x > -std::f64::consts::LN_2 {
        (-x.exp_m1()).ln()
    } else {
        (-x.exp()).ln_1p()
    }
}

/// ln(e^a - e^b), minus infinity unless a > b.
fn log_difference(a: f64, b: f64) -> f64 {
    if a > b { a + log_one_minus_exp(b - a) } else { f64::NEG_INFINITY }
}

/// A sum that ends when what is left of it cannot change it any more.
#[derive(Default)]
struct Sum {
    logs: Vec<f64>,
}

impl Sum {
    /// Whether nothing of at most this size matters to the sum.
    fn is_settled(&self, rest: f64) -> bool {
        let largest = self.logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        rest - largest < NEGLIGIBLE
    }
}

/// ln of the number of vectors that come before: at the first difference they have more cells of a size. These are, for every
/// size s that occurs, those with cells of a size between the one before and s, `r(n, a) - r(n, s)`, and those with more of s.
fn log_index(vector: &AnonymityVector, people: u64) -> f64 {
    let mut sum = Sum::default();
    let (mut left, mut from) = (people, 1);
    for &(size, cells) in vector.counts() {
        if size > from {
            sum.logs.push(log_difference(log_partitions(left, from), log_partitions(left, size)));
        }
        if let Some(rest) = (left - size * cells).checked_sub(size) {
            sum.logs.push(log_partitions(rest, size));
        }
        left -= size * cells;
        from = size + 1;
        if sum.is_settled(log_partitions(left, from)) {
            break;
        }
    }
    log_sum(&sum.logs)
}

/// ln of the number of vectors that do not come before: the vector itself, and those that at the first difference have fewer
/// cells of a size.
fn log_rest(vector: &AnonymityVector, people: u64) -> f64 {
    let mut sum = Sum { logs: vec![0.0] };
    let mut left = people;
    for &(size, cells) in vector.counts() {
        let after = left - size * cells;
        if cells <= FEW_CELLS {
            sum.logs.extend((0..cells).map(|fewer| log_partitions(left - fewer * size, size + 1)));
        } else {
            sum.logs.push(log_difference(log_partitions(left, size), log_partitions(after, size)));
        }
        left = after;
        if sum.is_settled(log_partitions(left, size + 1)) {
            break;
        }
    }
    log_sum(&sum.logs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::VectorOrder;
    use crate::vector::random::random_vector;
    use crate::vector::rounding::natural_log;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// However large and however far apart cells are, the better vector has the smaller gap.
        #[test]
        fn any_vector_has_a_place_and_the_order_is_kept(
            pairs in prop::collection::vec((0_u32..40, 0_u32..40, 1_u64..9), 1..7),
            merged in 1_u64..4,
        ) {
            let counts = pairs.iter().map(|&(size, cells, digit)| (digit << (size * cells.min(13) / 13).min(47), u64::from(cells)));
            let vector = AnonymityVector::of_counts(counts);
            prop_assume!(vector.checked_people().is_ok_and(|people| people > 1) && vector.cells() > merged);
            // A few cells of the smallest size join the largest cell.
            let (size, cells) = vector.counts()[0];
            let moved = merged.min(cells);
            let mut better: Vec<(u64, u64)> = vector.counts().to_vec();
            better[0].1 -= moved;
            if let Some(last) = better.last_mut().filter(|last| last.1 > 0) {
                last.1 -= 1;
                let largest = last.0 + moved * size;
                better.push((largest, 1));
            } else {
                better.push((moved * size, 1));
            }
            let better = AnonymityVector::of_counts(better);
            let people = vector.people();
            prop_assert_eq!(better.people(), people);
            let (worse, best) = (Logarithms::of(&vector, people), Logarithms::of(&better, people));
            for logarithms in [worse, best] {
                prop_assert!(!logarithms.gap.is_nan() && !logarithms.share.is_nan(), "{:?}", logarithms);
                prop_assert!(logarithms.gap <= 0.0 && logarithms.share <= 0.0, "{:?}", logarithms);
                prop_assert!(logarithms.gap >= -logarithms.count - 1e-6, "the vector itself is not before itself");
            }
            prop_assert_eq!(better < vector, true);
            prop_assert!(best.gap <= worse.gap + 1e-3, "{} {:?} {} {:?}", vector, worse, better, best);
        }
    }

    /// What `Position` promises of the logarithmic value.
    #[test]
    fn logarithms_are_those_of_the_exact_index_from_1000_to_20_000_people() {
        for (people, promised) in [(1000_u64, 1e-4), (5000, 2e-5), (20_000, 2e-5)] {
            let order = VectorOrder::of_people(people).expect("few enough");
            let root = (people as f64).sqrt() as u64;
            let mut vectors: Vec<AnonymityVector> =
                [2, 10, root / 2, root, 2 * root, people / 20, people / 5, people / 2]
                    .into_iter()
                    .zip(7..)
                    .map(|(cells, seed)| random_vector(people, cells, seed))
                    .collect();
            vectors.push(order.unrank(&(order.count() / 2_u32)).expect("in range"));
            vectors.push(order.unrank(&(order.count() / 1000_u32)).expect("in range"));
            vectors.push(AnonymityVector::of_sizes([people]));
            vectors.push(AnonymityVector::of_counts([(1, people)]));
            vectors.push(AnonymityVector::of_counts([(1, people - 2), (2, 1)]));
            vectors.push(AnonymityVector::of_counts([(10, people / 10)]));
            let indexes = order.index_all(&vectors.iter().collect::<Vec<_>>()).expect("as many people");
            for (vector, index) in vectors.iter().zip(indexes) {
                let found = Logarithms::of(vector, people);
                let count = natural_log(order.count());
                let exact = (natural_log(&index) - count, natural_log(&(order.count() - &index)) - count);
                let close = |left: f64, right: f64| left == right || (left - right).abs() < promised;
                assert!(
                    close(found.share, exact.0) && close(found.gap, exact.1),
                    "{people} {vector} {found:?} {exact:?}"
                );
            }
        }
    }

    #[test]
    fn both_sums_agree_for_millions_of_people() {
        for people in [1_000_000_u64, 2_400_000, 1 << 40] {
            let root = (people as f64).sqrt() as u64;
            for (alone, size) in [(0, 2), (root / 3, 2), (root, 3), (root / 2, root)] {
                let rest = people - alone;
                let cells = AnonymityVector::of_counts([(1, alone + rest % size), (size, rest / size)]);
                let count = log_count(people);
                let (before, after) = (log_index(&cells, people) - count, log_rest(&cells, people) - count);
                assert!((before.exp() + after.exp() - 1.0).abs() < 1e-4, "{people} {alone}: {before} {after}");
            }
        }
    }
}
