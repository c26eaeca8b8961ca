//! The place of a vector among all vectors of as many people.

use super::limbs::LimbTable;
use super::partitions::partition_table;
use super::restricted::{Question, count_partitions};
use super::unrank::unrank;
use super::{AnonymityVector, VectorError};
use num_bigint::BigUint;

/// For so many people and fewer, indexes are exact integers; for more there is the logarithmic value.
///
/// At the limit a vector is ranked in a few seconds; the time grows with the square of the number of people, and a little more.
pub const LARGEST_EXACT: u64 = 200_000;

/// All anonymity vectors of N people in their order, from (N), where everybody stands alone and which has index 0, to
/// (0,...,0,1), where all stand together and which has index p(N) - 1.
///
/// The order holds the table of p(0), ..., p(N) (N numbers of 1.8 sqrt(N) bits: 15 MB for 100,000 people), which every
/// question needs: make it once for all vectors of as many people.
///
/// ```
/// use tamis_appointments::{AnonymityVector, vector::VectorOrder};
///
/// let order = VectorOrder::of_people(30)?;
/// let base = AnonymityVector::from_dense(&[2, 3, 2, 4]);
/// assert_eq!(order.index(&base)?.to_string(), "3157");
/// assert_eq!(order.count().to_string(), "5604");
/// assert_eq!(order.unrank(&3157_u32.into())?, base);
/// # Ok::<(), tamis_appointments::vector::VectorError>(())
/// ```
#[derive(Debug, Clone)]
pub struct VectorOrder {
    people: u64,
    count: BigUint,
    counts: LimbTable,
}

impl VectorOrder {
    /// The order of the vectors of so many people.
    pub fn of_people(people: u64) -> Result<Self, VectorError> {
        match people {
            0 => Err(VectorError::NobodyToOrder),
            1..=LARGEST_EXACT => {
                let counts = partition_table(people as usize);
                Ok(Self { people, count: counts.number(people as usize), counts })
            }
            _ => Err(VectorError::TooManyForExact { people }),
        }
    }

    /// N.
    pub fn people(&self) -> u64 {
        self.people
    }

    /// p(N), the number of vectors.
    pub fn count(&self) -> &BigUint {
        &self.count
    }

    /// How many vectors are less anonymous than this one.
    pub fn index(&self, vector: &AnonymityVector) -> Result<BigUint, VectorError> {
        Ok(self.index_all(&[vector])?.swap_remove(0))
    }

    /// The indexes of several vectors, in one sweep.
    ///
    /// With n_i the people in cells of the i-th size s_i that occurs and larger ones, and r(m, s) the partitions of m into parts
    /// of at least s, the vectors at least as anonymous as v are `1 + sum over i of (r(n_i, s_i) - r(n_(i+1), s_i))`: those
    /// that equal v below size s_i and have fewer cells of that size. Only sizes that occur count, however far apart they are.
    pub fn index_all(&self, vectors: &[&AnonymityVector]) -> Result<Vec<BigUint>, VectorError> {
        let mut questions = Vec::new();
        for vector in vectors {
            vector.expect_people(self.people)?;
            let mut left = self.people;
            for &(size, cells) in vector.counts() {
                questions.push(Question { smallest: size as usize, people: left as usize });
                left -= size * cells;
                questions.push(Question { smallest: size as usize, people: left as usize });
            }
        }
        let answers = count_partitions(&self.counts, &questions);
        let mut of_size = answers.chunks_exact(2);
        let index = |vector: &&AnonymityVector| {
            let mut index = &self.count - 1_u32;
            for terms in of_size.by_ref().take(vector.counts().len()) {
                index -= &terms[0] - &terms[1];
            }
            index
        };
        Ok(vectors.iter().map(index).collect())
    }

    /// The vector with this index.
    pub fn unrank(&self, index: &BigUint) -> Result<AnonymityVector, VectorError> {
        if index >= &self.count {
            let last = &self.count - 1_u32;
            return Err(VectorError::IndexOutOfRange { found: index.clone(), people: self.people, last });
        }
        Ok(unrank(&self.counts, self.people as usize, &self.count - 1_u32 - index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::random::random_vector;
    use proptest::prelude::*;

    /// Every vector of so many people, by writing down all partitions with parts of at least `smallest`.
    fn enumerate(people: u64, smallest: u64, sizes: &mut Vec<u64>, all: &mut Vec<AnonymityVector>) {
        if people == 0 {
            all.push(AnonymityVector::of_sizes(sizes.iter().copied()));
        }
        for size in smallest..=people {
            sizes.push(size);
            enumerate(people - size, size, sizes, all);
            sizes.pop();
        }
    }

    #[test]
    fn the_index_is_the_place_in_the_sorted_list_of_all_vectors() {
        for people in (1..=30).chain([40]) {
            let mut all = Vec::new();
            enumerate(people, 1, &mut Vec::new(), &mut all);
            // The least anonymous vector is the greatest and comes first.
            all.sort_by(|left, right| right.cmp(left));
            let order = VectorOrder::of_people(people).expect("few enough");
            assert_eq!(order.count(), &BigUint::from(all.len()));
            let indexes = order.index_all(&all.iter().collect::<Vec<_>>()).expect("all of as many people");
            for (place, (vector, index)) in all.iter().zip(&indexes).enumerate() {
                assert_eq!(index, &BigUint::from(place), "{vector}");
            }
            for (place, vector) in all.iter().enumerate().step_by(1 + all.len() / 200) {
                assert_eq!(&order.unrank(&BigUint::from(place)).expect("in range"), vector);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn unranking_undoes_ranking(seed: u64, people in 31_u64..900, cells in 1_u64..500, share: u64) {
            let order = VectorOrder::of_people(people).expect("few enough");
            let vector = random_vector(people, cells.min(people), seed);
            let index = order.index(&vector).expect("as many people");
            prop_assert_eq!(&order.unrank(&index).expect("in range"), &vector);
            // And the other way round, from anywhere in the order.
            let index = (order.count() * share) >> 64_u32;
            let vector = order.unrank(&index).expect("in range");
            prop_assert_eq!(vector.checked_people(), Ok(people));
            prop_assert_eq!(order.index(&vector), Ok(index));
        }

        #[test]
        fn the_index_falls_as_the_vector_grows(seed: u64, people in 2_u64..400, cells in 1_u64..100, others in 1_u64..100) {
            let order = VectorOrder::of_people(people).expect("few enough");
            let vectors = [random_vector(people, cells.min(people), seed), random_vector(people, others.min(people), !seed)];
            let indexes = order.index_all(&[&vectors[0], &vectors[1]]).expect("as many people");
            prop_assert_eq!(vectors[0].cmp(&vectors[1]), indexes[1].cmp(&indexes[0]));
        }
    }

    #[test]
    fn the_positions_the_sources_print_counted_from_0() {
        let order = VectorOrder::of_people(30).expect("few enough");
        let printed =
            [(vec![2, 3, 2, 4], 3157_u32), (vec![24, 3], 7), (vec![9, 4, 3, 1], 641), (vec![2, 6, 4, 1], 3044)];
        for (cells, position) in printed {
            assert_eq!(order.index(&AnonymityVector::from_dense(&cells)), Ok(position.into()), "{cells:?}");
        }
        assert_eq!(order.index(&AnonymityVector::of_sizes([30])), Ok(5603_u32.into()), "p(30) - 1, not p(30)");
        assert_eq!(order.index(&AnonymityVector::from_dense(&[30])), Ok(0_u32.into()));
    }

    #[test]
    fn the_thesis_list_of_the_vectors_of_four_people() {
        let order = VectorOrder::of_people(4).expect("few enough");
        let in_order = [vec![4], vec![2, 1], vec![1, 0, 1], vec![0, 2], vec![0, 0, 0, 1]];
        for (index, cells) in (0_u32..).zip(in_order) {
            assert_eq!(order.unrank(&index.into()).map(|vector| vector.to_dense()), Ok(cells));
        }
    }

    #[test]
    fn what_cannot_be_ranked_is_refused_with_a_reason() {
        let order = VectorOrder::of_people(30).expect("few enough");
        let other = AnonymityVector::of_sizes([12, 20]);
        assert_eq!(order.index(&other), Err(VectorError::OtherPeople { found: 32, expected: 30 }));
        assert_eq!(order.index(&AnonymityVector::default()), Err(VectorError::NoPeople));
        assert_eq!(
            order.index(&AnonymityVector::of_counts([(u64::MAX, u64::MAX), (3, u64::MAX)])),
            Err(VectorError::TooManyPeople)
        );
        let outside = order.unrank(&5604_u32.into()).expect_err("one too far");
        assert_eq!(
            outside.to_string(),
            "the index 5604 is out of range: the vectors of 30 people have the indexes 0 to 5603"
        );
        assert!(matches!(VectorOrder::of_people(0), Err(VectorError::NobodyToOrder)));
        assert!(matches!(
            VectorOrder::of_people(LARGEST_EXACT + 1),
            Err(VectorError::TooManyForExact { people: 200_001 })
        ));
    }

    #[test]
    fn far_apart_sizes_of_many_people() {
        let order = VectorOrder::of_people(6000).expect("few enough");
        for sizes in [vec![6000], vec![1, 5999], vec![3000, 3000], vec![70, 75, 80, 5775], vec![1; 6000]] {
            let vector = AnonymityVector::of_sizes(sizes);
            let index = order.index(&vector).expect("as many people");
            assert_eq!(order.unrank(&index), Ok(vector));
        }
    }
}
