//! The samplers against exact probabilities: every way their draws can fall in small cases, and many draws of the real generator.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use tamis_mechanism::Dice;
use tamis_mechanism::discrete::{DiscreteLaplace, Draw, Gaps, bernoulli, bernoulli_exp, bernoulli_power};

/// Draws that fall as they are told; asked for more, they give up and say how likely each outcome would be.
struct Script<'a> {
    outcomes: std::slice::Iter<'a, u128>,
    wanted: &'a RefCell<Vec<f64>>,
}

impl Script<'_> {
    fn next(&mut self, probabilities: impl FnOnce() -> Vec<f64>) -> u128 {
        if let Some(&outcome) = self.outcomes.next() {
            return outcome;
        }
        *self.wanted.borrow_mut() = probabilities();
        // Unlike a panic this says nothing on standard error.
        resume_unwind(Box::new(()))
    }
}

impl Draw for Script<'_> {
    fn below(&mut self, bound: u128) -> u128 {
        self.next(|| vec![1.0 / bound as f64; bound as usize])
    }

    fn chance(&mut self, numerator: u128, denominator: u128) -> bool {
        let yes = numerator as f64 / denominator as f64;
        self.next(|| vec![1.0 - yes, yes]) == 1
    }
}

/// The distribution of a sampler by every way its draws can fall, down to the probability `cutoff`; and the probability of the ways
/// that were left off.
fn enumerate<T: Ord>(cutoff: f64, sampler: impl Fn(&mut Script<'_>) -> T) -> (BTreeMap<T, f64>, f64) {
    let (mut found, mut lost) = (BTreeMap::new(), 0.0);
    let mut open = vec![(Vec::new(), 1.0)];
    while let Some((outcomes, probability)) = open.pop() {
        let wanted = RefCell::new(Vec::new());
        let mut script = Script { outcomes: outcomes.iter(), wanted: &wanted };
        match catch_unwind(AssertUnwindSafe(|| sampler(&mut script))) {
            Ok(result) => *found.entry(result).or_insert(0.0) += probability,
            Err(payload) => {
                let wanted = wanted.take();
                if wanted.is_empty() {
                    resume_unwind(payload);
                }
                for (outcome, share) in (0..).zip(wanted) {
                    let probability = probability * share;
                    if probability >= cutoff {
                        open.push(([&outcomes[..], &[outcome]].concat(), probability));
                    } else {
                        lost += probability;
                    }
                }
            }
        }
    }
    (found, lost)
}

/// Asserts that what was enumerated is at most the exact probability, and short of it by what was left off at most.
fn assert_within<T: Ord + std::fmt::Debug>(found: &BTreeMap<T, f64>, lost: f64, exact: impl Fn(&T) -> f64) {
    assert!(lost < 0.05, "{lost} left off: the enumeration says little");
    for (value, probability) in found {
        let exact = exact(value);
        assert!(*probability <= exact + 1e-9, "{value:?}: {probability} > {exact}");
        assert!(exact <= probability + lost + 1e-9, "{value:?}: {probability} < {exact}");
    }
}

#[test]
fn coins_of_e_have_their_probability_in_every_small_case() {
    for (numerator, denominator) in [(0, 1), (1, 1), (1, 2), (2, 3), (3, 2), (2, 1)] {
        let (found, lost) = enumerate(1e-5, |dice| bernoulli_exp(numerator, denominator, dice));
        let exact = (-(numerator as f64) / denominator as f64).exp();
        assert_within(&found, lost, |&yes| if yes { exact } else { 1.0 - exact });
    }
}

#[test]
fn coins_of_powers_have_their_probability_in_every_small_case() {
    for (probability, exponent) in [((1, 2), 2), ((1, 3), 3), ((1, 5), 4), ((2, 5), 2), ((1, 4), 0), ((1, 1), 1)] {
        let (found, lost) = enumerate(1e-7, |dice| bernoulli_power(probability, exponent, dice));
        let p = probability.0 as f64 / probability.1 as f64;
        let exact = (1.0 - p).powi(i32::try_from(exponent).expect("small"));
        // A power with so few terms is enumerated in full.
        assert!(lost < 1e-12);
        assert_within(&found, lost, |&yes| if yes { exact } else { 1.0 - exact });
    }
}

#[test]
fn the_discrete_laplace_has_its_probabilities_in_every_small_case() {
    for (numerator, denominator) in [(1, 1), (2, 1), (3, 2)] {
        let laplace = DiscreteLaplace::new(numerator, denominator).expect("above 0");
        let (found, lost) = enumerate(2e-7, |dice| laplace.draw(dice));
        let decay = (-(numerator as f64) / denominator as f64).exp();
        let exact = |&x: &i128| (1.0 - decay) / (1.0 + decay) * decay.powi(i32::try_from(x.abs()).expect("small"));
        assert!(found.len() >= 5, "{found:?}");
        assert_within(&found, lost, exact);
    }
}

#[test]
fn chosen_positions_are_independent_coins_in_every_small_case() {
    for (probability, limit) in [((1_u64, 2_u64), 3_u32), ((1, 3), 3), ((2, 3), 4), ((1, 1), 3)] {
        let (found, lost) = enumerate(1e-7, |dice| {
            let mut gaps = Gaps::new(probability, limit.into());
            let mut chosen = 0_u32;
            while let Some(position) = gaps.advance(dice) {
                chosen |= 1 << position;
            }
            chosen
        });
        let p = probability.0 as f64 / probability.1 as f64;
        assert_within(&found, lost, |chosen| {
            let ones = chosen.count_ones();
            p.powi(ones.cast_signed()) * (1.0 - p).powi((limit - ones).cast_signed())
        });
    }
}

/// Pearson's statistic, with a bound that a right sampler passes but for about one seed in ten thousand.
fn assert_fits(observed: &[u64], probabilities: &[f64]) {
    let draws: u64 = observed.iter().sum();
    let statistic: f64 = observed
        .iter()
        .zip(probabilities)
        .map(|(&seen, p)| {
            let expected = p * draws as f64;
            assert!(expected >= 5.0, "too few draws for a class of probability {p}");
            (seen as f64 - expected).powi(2) / expected
        })
        .sum();
    let freedom = (observed.len() - 1) as f64;
    // Wilson and Hilferty's approximation of the quantile.
    let bound = freedom * (1.0 - 2.0 / (9.0 * freedom) + 3.72 * (2.0 / (9.0 * freedom)).sqrt()).powi(3);
    assert!(statistic <= bound, "chi-square {statistic} with {freedom} degrees of freedom is above {bound}");
}

#[test]
fn numbers_below_a_bound_are_uniform() {
    for bound in [2_u128, 3, 7, 10, 16] {
        let mut dice = Dice::from_seed(1, "uniform");
        let mut seen = vec![0; bound as usize];
        (0..50_000).for_each(|_| seen[dice.below(bound) as usize] += 1);
        assert_fits(&seen, &vec![1.0 / bound as f64; bound as usize]);
    }
    let mut dice = Dice::from_seed(2, "wide");
    let bound = (1_u128 << 100) + 12345;
    assert!((0..1000).map(|_| dice.below(bound)).all(|drawn| drawn < bound));
    assert!((0..1000).any(|_| dice.below(bound) > bound / 2));
    assert_eq!((dice.below(0), dice.below(1)), (0, 0));
}

#[test]
fn many_coins_fit() {
    let mut dice = Dice::from_seed(3, "coins");
    let yes = (0..100_000).filter(|_| bernoulli(3, 7, &mut dice)).count() as u64;
    assert_fits(&[yes, 100_000 - yes], &[3.0 / 7.0, 4.0 / 7.0]);
    for (numerator, denominator) in [(1_u128, 10_u128), (7, 3), (1, 1)] {
        let exact = (-(numerator as f64) / denominator as f64).exp();
        let yes = (0..100_000).filter(|_| bernoulli_exp(numerator, denominator, &mut dice)).count() as u64;
        assert_fits(&[yes, 100_000 - yes], &[exact, 1.0 - exact]);
    }
}

#[test]
fn many_draws_of_the_discrete_laplace_fit() {
    for (numerator, denominator) in [(1_u128, 2_u128), (1, 10), (7, 5), (3, 1)] {
        let decay = (-(numerator as f64) / denominator as f64).exp();
        let exact = |x: i64| (1.0 - decay) / (1.0 + decay) * decay.powi(i32::try_from(x.abs()).expect("small"));
        let draws = 100_000;
        let last = (0..1000).take_while(|&x| exact(x) * f64::from(draws) > 20.0).last().expect("0 at least");
        let mut seen = vec![0; 2 * last as usize + 2];
        let laplace = DiscreteLaplace::new(numerator, denominator).expect("above 0");
        let mut dice = Dice::from_seed(4, "laplace");
        for _ in 0..draws {
            let x = i64::try_from(laplace.draw(&mut dice)).expect("small");
            let class = if x.abs() <= last { (x + last) as usize } else { 2 * last as usize + 1 };
            seen[class] += 1;
        }
        let mut probabilities: Vec<f64> = (-last..=last).map(exact).collect();
        probabilities.push(1.0 - probabilities.iter().sum::<f64>());
        assert_fits(&seen, &probabilities);
    }
}

#[test]
fn chosen_positions_are_as_many_as_a_binomial_says() {
    // 20 positions with probability 1/7: how many are chosen, and the first one's distribution.
    let (draws, p) = (50_000, 1.0 / 7.0_f64);
    let mut dice = Dice::from_seed(5, "gaps");
    let (mut sizes, mut firsts) = (vec![0; 8], vec![0; 21]);
    for _ in 0..draws {
        let chosen = Gaps::new((1, 7), 20).collect(&mut dice);
        sizes[chosen.len().min(7)] += 1;
        firsts[chosen.first().map_or(20, |&first| first as usize)] += 1;
    }
    let choose = |k: u32| (0..k).map(|i| f64::from(20 - i) / f64::from(i + 1)).product::<f64>();
    let mut probabilities: Vec<f64> =
        (0..7_u32).map(|k| choose(k) * p.powi(k.cast_signed()) * (1.0 - p).powi(20 - k.cast_signed())).collect();
    probabilities.push(1.0 - probabilities.iter().sum::<f64>());
    assert_fits(&sizes, &probabilities);
    let mut probabilities: Vec<f64> = (0..20).map(|first| p * (1.0 - p).powi(first)).collect();
    probabilities.push((1.0 - p).powi(20));
    assert_fits(&firsts, &probabilities);
}

#[test]
fn dice_for_another_purpose_fall_otherwise_and_for_the_same_alike() {
    let draw = |mut dice: Dice| -> Vec<u128> { (0..20).map(|_| dice.below(1 << 20)).collect() };
    assert_eq!(draw(Dice::from_seed(1, "a")), draw(Dice::from_seed(1, "a")));
    assert_ne!(draw(Dice::from_seed(1, "a")), draw(Dice::from_seed(1, "b")));
    assert_ne!(draw(Dice::from_seed(1, "a")), draw(Dice::from_seed(2, "a")));
    let system = || draw(Dice::from_system().expect("a system with random numbers"));
    assert_ne!(system(), system());
}

#[test]
fn no_floating_point_where_samples_are_drawn() {
    let sources = [
        include_str!("../src/discrete/mod.rs"),
        include_str!("../src/discrete/dice.rs"),
        include_str!("../src/discrete/bernoulli.rs"),
        include_str!("../src/discrete/laplace.rs"),
        include_str!("../src/discrete/gap.rs"),
    ];
    for source in sources {
        for word in ["f64", "f32", "random_range", "to_f64", ".exp()", ".ln()"] {
            assert!(!source.contains(word), "`{word}` in a sampler");
        }
    }
}
