//! Estimated population uniques against formulas written out and populations drawn from the models.

use proptest::prelude::*;
use tamis_privacy::uniqueness::{Estimator, Sizes, dankar, pitman, population_uniques, snb, zayatz};

/// A small generator with a fixed seed: the tests must not depend on chance.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.unit() * bound as f64) as usize
    }
}

/// The class of every person of a population; people are drawn from the front after shuffling.
fn sample(classes: &[usize], people: usize, dice: &mut Dice) -> Vec<(u64, u64)> {
    let mut population: Vec<usize> =
        classes.iter().enumerate().flat_map(|(class, &size)| std::iter::repeat_n(class, size)).collect();
    let mut counts = vec![0u64; classes.len()];
    for position in 0..people {
        let other = position + dice.below(population.len() - position);
        population.swap(position, other);
        counts[population[position]] += 1;
    }
    Sizes::count(counts)
}

/// A population that grows as Pitman's model says: a newcomer founds a class with probability (theta + classes a) / (theta + people),
/// or joins one with probability in proportion to its size minus a.
fn pitman_population(alpha: f64, theta: f64, people: usize, dice: &mut Dice) -> Vec<usize> {
    let mut sizes: Vec<usize> = vec![1];
    let mut class_of: Vec<usize> = vec![0];
    while class_of.len() < people {
        let founds = (theta + sizes.len() as f64 * alpha) / (theta + class_of.len() as f64);
        if dice.unit() < founds {
            class_of.push(sizes.len());
            sizes.push(1);
            continue;
        }
        // Someone at random; their class is kept with probability (size - a) / size.
        let class = loop {
            let class = class_of[dice.below(class_of.len())];
            if dice.unit() * sizes[class] as f64 >= alpha {
                break class;
            }
        };
        class_of.push(class);
        sizes[class] += 1;
    }
    sizes
}

/// Sizes that are 1 plus a negative binomial number with a whole `a`: successes of probability b before the a-th failure.
fn slide_negative_binomial(a: u32, b: f64, classes: usize, dice: &mut Dice) -> Vec<usize> {
    let mut draw = || {
        let (mut failures, mut size) = (0, 1);
        while failures < a {
            if dice.unit() < b { size += 1 } else { failures += 1 }
        }
        size
    };
    (0..classes).map(|_| draw()).collect()
}

fn uniques(sizes: &[usize]) -> f64 {
    sizes.iter().filter(|&&size| size == 1).count() as f64
}

fn choose(n: u64, k: u64) -> f64 {
    if k > n { 0.0 } else { (0..k).map(|i| (n - i) as f64 / (k - i) as f64).product() }
}

/// Bayes' rule with hypergeometric probabilities from binomial coefficients, as Zayatz writes it.
fn zayatz_literally(sizes: &[(u64, u64)], population: u64) -> f64 {
    let people: u64 = sizes.iter().map(|&(size, classes)| size * classes).sum();
    let classes: u64 = sizes.iter().map(|&(_, classes)| classes).sum();
    let once = |j: u64| choose(j, 1) * choose(population - j, people - 1) / choose(population, people);
    let share =
        |size: u64| sizes.iter().find(|&&(s, _)| s == size).map_or(0.0, |&(_, count)| count as f64 / classes as f64);
    let total: f64 = sizes.iter().map(|&(size, _)| share(size) * once(size)).sum();
    share(1) * once(1) / total
}

#[test]
fn zayatz_is_bayes_rule_written_out() {
    for (sizes, population) in [
        (vec![(1, 3), (2, 2), (5, 1)], 40),
        (vec![(1, 10)], 25),
        (vec![(1, 1), (3, 4), (7, 2)], 28),
        (vec![(1, 8), (2, 5), (3, 1), (11, 1)], 64),
    ] {
        let of = Sizes { of: &sizes };
        let fraction = of.rows() as f64 / population as f64;
        let (found, expected) =
            (zayatz::unique_given_sample_unique(&of, fraction), zayatz_literally(&sizes, population));
        assert!((found - expected).abs() < 1e-12, "{sizes:?}: {found} instead of {expected}");
    }
}

#[test]
fn zayatz_believes_that_a_sample_of_uniques_comes_from_uniques() {
    let estimate = population_uniques(Estimator::Zayatz, &Sizes { of: &[(1, 50)] }, 0.25).expect("always defined");
    assert_eq!((estimate.population_uniques, estimate.share_of_population), (200.0, 1.0));
    assert_eq!(estimate.share_of_sample_uniques, 1.0);
}

/// The logarithm of the likelihood as the model defines it, without the factors that no parameter changes.
fn pitman_likelihood(alpha: f64, theta: f64, sizes: &[(u64, u64)]) -> f64 {
    let of = Sizes { of: sizes };
    let classes: f64 = (1..of.classes()).map(|i| (theta + i as f64 * alpha).ln()).sum();
    let people: f64 = (1..of.rows()).map(|i| (theta + i as f64).ln()).sum();
    let members: f64 =
        sizes.iter().map(|&(size, count)| count as f64 * (1..size).map(|i| (i as f64 - alpha).ln()).sum::<f64>()).sum();
    classes - people + members
}

#[test]
fn pitmans_parameters_have_the_largest_likelihood_of_a_fine_grid() {
    for sizes in [
        vec![(1, 40), (2, 12), (3, 6), (10, 2)],
        vec![(1, 5), (2, 3), (4, 1)],
        vec![(1, 2), (50, 3)],
        vec![(1, 300), (2, 40), (3, 9), (120, 1)],
    ] {
        let fit = pitman::fit(&Sizes { of: &sizes }).expect("a maximum");
        let best = pitman_likelihood(fit.alpha, fit.theta, &sizes);
        for step in 0..100 {
            let alpha = f64::from(step) / 100.0;
            for power in -60..60 {
                let theta = (f64::from(power) / 6.0).exp() - alpha;
                let other = pitman_likelihood(alpha, theta, &sizes);
                assert!(other <= best + 1e-7, "{sizes:?}: {fit:?} {best} but {other} at {alpha}, {theta}");
            }
        }
    }
}

#[test]
fn pitmans_expected_uniques_are_their_product_written_out() {
    for (alpha, theta, population) in [(0.0, 3.0, 500u64), (0.4, -0.2, 700), (0.7, 25.0, 3000)] {
        let product: f64 = (1..population).map(|i| (theta + alpha + i as f64 - 1.0) / (theta + i as f64)).product();
        let found = pitman::expected_uniques(alpha, theta, population as f64);
        assert!((found / (population as f64 * product) - 1.0).abs() < 1e-9);
    }
}

#[test]
fn pitman_finds_the_uniques_of_a_population_of_its_kind() {
    let mut dice = Dice(7);
    let population = pitman_population(0.6, 40.0, 60_000, &mut dice);
    let truth = uniques(&population);
    for fraction in [0.05, 0.1, 0.3] {
        let sizes = sample(&population, (60_000.0 * fraction) as usize, &mut dice);
        let estimate = population_uniques(Estimator::Pitman, &Sizes { of: &sizes }, fraction).expect("converges");
        let ratio = estimate.population_uniques / truth;
        assert!((0.85..1.15).contains(&ratio), "{} instead of {truth} at {fraction}", estimate.population_uniques);
    }
}

#[test]
fn snb_finds_the_uniques_of_a_population_of_its_kind() {
    let mut dice = Dice(11);
    let population = slide_negative_binomial(1, 0.5, 20_000, &mut dice);
    let truth = uniques(&population);
    let people: usize = population.iter().sum();
    // The number of population classes is itself an estimate, which is too high for small samples.
    for (fraction, tolerance) in [(0.3, 0.35), (0.5, 0.15), (0.7, 0.05)] {
        let sizes = sample(&population, (people as f64 * fraction) as usize, &mut dice);
        let estimate = population_uniques(Estimator::Snb, &Sizes { of: &sizes }, fraction).expect("a solution");
        let error = (estimate.population_uniques / truth - 1.0).abs();
        assert!(error < tolerance, "{} instead of {truth} at {fraction}", estimate.population_uniques);
    }
}

#[test]
fn shlossers_classes_are_near_those_of_a_population() {
    let mut dice = Dice(3);
    let population = slide_negative_binomial(2, 0.5, 10_000, &mut dice);
    let people: usize = population.iter().sum();
    let sizes = sample(&population, people / 2, &mut dice);
    let classes = snb::population_classes(&Sizes { of: &sizes }, 0.5).expect("a number");
    assert!((0.9..1.1).contains(&(classes / 10_000.0)), "{classes}");
}

#[test]
fn the_rule_takes_pitman_up_to_a_tenth_and_the_smaller_of_the_others_above() {
    let mut dice = Dice(5);
    let population = slide_negative_binomial(1, 0.6, 10_000, &mut dice);
    let people: usize = population.iter().sum();
    for (fraction, others) in [(0.05, [Estimator::Pitman; 2]), (0.4, [Estimator::Snb, Estimator::Zayatz])] {
        let sizes = sample(&population, (people as f64 * fraction) as usize, &mut dice);
        let sizes = Sizes { of: &sizes };
        let least = others
            .into_iter()
            .filter_map(|estimator| population_uniques(estimator, &sizes, fraction))
            .min_by(|left, right| left.population_uniques.total_cmp(&right.population_uniques));
        assert_eq!(dankar(&sizes, fraction), least);
    }
}

#[test]
fn where_a_model_has_no_maximum_the_rule_falls_back_on_zayatz() {
    let alone = Sizes { of: &[(1, 30)] };
    assert_eq!(population_uniques(Estimator::Pitman, &alone, 0.05), None);
    assert_eq!(population_uniques(Estimator::Snb, &alone, 0.5), None);
    for fraction in [0.05, 0.5] {
        assert_eq!(dankar(&alone, fraction).map(|estimate| estimate.estimator), Some(Estimator::Zayatz));
    }
}

#[test]
fn nobody_alone_a_whole_population_and_fractions_that_are_none() {
    for estimator in Estimator::ALL {
        let shared = population_uniques(estimator, &Sizes { of: &[(2, 5)] }, 0.1).expect("defined");
        assert_eq!((shared.population_uniques, shared.share_of_sample_uniques), (0.0, 0.0));
        let whole = population_uniques(estimator, &Sizes { of: &[(1, 4), (3, 2)] }, 1.0).expect("defined");
        assert_eq!((whole.population_uniques, whole.share_of_population), (4.0, 0.4));
        for fraction in [0.0, -1.0, 1.5, f64::NAN] {
            assert_eq!(population_uniques(estimator, &Sizes { of: &[(1, 4)] }, fraction), None);
        }
        assert_eq!(population_uniques(estimator, &Sizes { of: &[] }, 0.5), None);
        assert_eq!(Estimator::named(estimator.name()), Some(estimator));
    }
}

#[test]
fn shlossers_formula_by_hand() {
    // d = 3, s1 = 2, s2 = 1, p = 1/2: the sums are 7/8, 13/16, 5/4 and 3/2.
    let classes = snb::population_classes(&Sizes { of: &[(1, 2), (2, 1)] }, 0.5).expect("a number");
    assert!((classes - (3.0 + 2.0 * (0.875 / 0.8125) * (1.25f64 / 1.5).powi(2))).abs() < 1e-12, "{classes}");
}

proptest! {
    #[test]
    fn estimates_are_numbers_of_people_or_none(
        sizes in prop::collection::btree_map(1u64..60, 1u64..400, 1..8),
        fraction in 0.0005f64..1.0,
    ) {
        let sizes: Vec<(u64, u64)> = sizes.into_iter().collect();
        let sizes = Sizes { of: &sizes };
        let population = sizes.rows() as f64 / fraction;
        for estimator in Estimator::ALL {
            if let Some(estimate) = population_uniques(estimator, &sizes, fraction) {
                prop_assert!((0.0..=population).contains(&estimate.population_uniques), "{:?}", estimate);
                prop_assert!((0.0..=1.0).contains(&estimate.share_of_sample_uniques), "{:?}", estimate);
            }
        }
        prop_assert!(dankar(&sizes, fraction).is_some(), "Zayatz is always defined");
        prop_assert!(pitman::fit(&sizes).is_some() == (sizes.classes() > 1 && sizes.classes() < sizes.rows()));
    }
}
