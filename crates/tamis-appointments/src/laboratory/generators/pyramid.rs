//! How old the people of Spain were at the beginning of 2015 (thesis, Figure 14), and how many of them were men (Figure 15).

/// People by groups of five years: 0 to 4, 5 to 9, ..., 90 to 94.
const FIVE_YEAR_GROUPS: [u64; 19] = [
    2_256_137, 2_484_228, 2_307_748, 2_152_888, 2_318_277, 2_637_741, 3_267_325, 3_948_602, 3_888_532, 3_690_385,
    3_409_097, 2_978_760, 2_508_107, 2_357_956, 1_949_490, 1_553_295, 1_425_513, 854_988, 356_755,
];

/// People of 95 and more years.
const OLDEST_GROUP: u64 = 94_038;

/// The first age of the oldest group.
const OLDEST_GROUP_FROM: u32 = 95;

/// Nobody is older than this.
pub(super) const OLDEST: u32 = 109;

/// Men among all residents.
pub(super) const MEN: u64 = 22_820_775;

/// All residents.
pub(super) const RESIDENTS: u64 = 46_439_864;

/// How many people are of this age, up to a common factor.
///
/// The figure has no single years. A group of five years is spread evenly over them; of the open group from 95 on, each year
/// of age has two thirds of the people of the year before, which is about the mortality at that age.
pub(super) fn weight(age: u32) -> u64 {
    const SCALE: u64 = 5 * 1000;
    if age > OLDEST {
        return 0;
    }
    if age < OLDEST_GROUP_FROM {
        return FIVE_YEAR_GROUPS[(age / 5) as usize] * SCALE / 5;
    }
    let survival = |age: u32| (2.0_f64 / 3.0).powi((age - OLDEST_GROUP_FROM).cast_signed());
    let all: f64 = (OLDEST_GROUP_FROM..=OLDEST).map(survival).sum();
    ((OLDEST_GROUP * SCALE) as f64 * survival(age) / all).round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thesis_figures_14_and_15_agree_on_all_residents() {
        // The groups of the figure are rounded estimates: they miss its printed total by two.
        assert_eq!(FIVE_YEAR_GROUPS.iter().sum::<u64>() + OLDEST_GROUP, RESIDENTS - 2);
        assert_eq!(MEN + 23_619_089, RESIDENTS);
    }

    #[test]
    fn single_years_add_up_to_their_group() {
        assert_eq!((35..40).map(weight).sum::<u64>(), 3_948_602 * 5000);
        let oldest: u64 = (95..=OLDEST).map(weight).sum();
        assert!(oldest.abs_diff(OLDEST_GROUP * 5000) < 20, "{oldest}");
        assert_eq!(weight(OLDEST + 1), 0);
    }
}
