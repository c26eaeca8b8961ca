//! The audit of distributional privacy: all pairs by definition, the estimate against all pairs, and the confidence bound.

use proptest::prelude::*;
use tamis_mechanism::audit::distributional::{Audit, Mechanism, Pairing};
use tamis_mechanism::audit::upper_confidence_bound;
use tamis_mechanism::{Dice, Ratio};
use tamis_table::{ColumnBuilder, Table};

fn ratio(text: &str) -> Ratio {
    text.parse().expect("a number")
}

fn table(values: &[u8]) -> Table {
    let mut builder = ColumnBuilder::new("disease");
    for value in values {
        builder.push(&value.to_string()).expect("room");
    }
    Table::new(vec![builder.finish()]).expect("a table")
}

fn audit(mechanism: Mechanism, rows: usize, pairing: Pairing, by: &[String]) -> Audit<'_> {
    let (alpha, beta) = (ratio("1"), ratio("0.1"));
    Audit { by, rows, alpha, beta, mechanism, pairing, pairs: 100_000, confidence: 0.95 }
}

/// The probability of the answer `a` to the count `c`.
fn answer(mechanism: Mechanism, c: u64, a: i64) -> f64 {
    let choose = |n: u64, k: u64| (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product::<f64>();
    match mechanism {
        Mechanism::Exact => f64::from(c.cast_signed() == a),
        Mechanism::Geometric { epsilon } => {
            let decay = (-epsilon.to_f64()).exp();
            (1.0 - decay) / (1.0 + decay) * decay.powi(i32::try_from((a - c.cast_signed()).abs()).expect("small"))
        }
        // -1 stands for nothing told.
        Mechanism::Threshold { k } => f64::from(if c >= k { c.cast_signed() == a } else { a == -1 }),
        Mechanism::Sample { beta, k } => {
            let beta = beta.to_f64();
            let of = |j: u64| choose(c, j) * beta.powf(j as f64) * (1.0 - beta).powf((c - j) as f64);
            match u64::try_from(a) {
                Err(_) if a == -1 => (0..=c).filter(|&j| j < k).map(of).sum(),
                Ok(j) if j >= k && j <= c => of(j),
                _ => 0.0,
            }
        }
    }
}

/// The share of failing pairs, answer by answer.
fn failing_share(values: &[u8], audit: &Audit<'_>) -> (u64, u64) {
    let n = u32::try_from(values.len()).expect("few");
    let databases: Vec<u32> = (0..1_u32 << n).filter(|set| set.count_ones() as usize == audit.rows).collect();
    let count =
        |set: u32, value: u8| (0..n).filter(|&row| set >> row & 1 == 1 && values[row as usize] == value).count() as u64;
    let (mut failing, mut pairs) = (0, 0);
    for &left in &databases {
        for &right in databases.iter().filter(|&&right| audit.pairing == Pairing::Independent || left & right == 0) {
            pairs += 1;
            let is_failing = values.iter().any(|&value| {
                let (c1, c2) = (count(left, value), count(right, value));
                let bound = audit.alpha.to_f64().exp() * (1.0 + 1e-9);
                (-20..40).any(|a| answer(audit.mechanism, c1, a) > bound * answer(audit.mechanism, c2, a))
            });
            failing += u64::from(is_failing);
        }
    }
    (failing, pairs)
}

fn mechanisms() -> impl Strategy<Value = Mechanism> {
    prop_oneof![
        Just(Mechanism::Exact),
        (1u64..30).prop_map(|tenths| Mechanism::Geometric { epsilon: Ratio::new(tenths, 10).expect("a fraction") }),
        (0u64..4).prop_map(|k| Mechanism::Threshold { k }),
        (1u64..10, 0u64..4)
            .prop_map(|(tenths, k)| Mechanism::Sample { beta: Ratio::new(tenths, 10).expect("a fraction"), k }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn all_pairs_fail_as_by_definition(
        values in prop::collection::vec(0u8..3, 4..8), rows in 1usize..3, mechanism in mechanisms(), disjoint: bool,
    ) {
        let by = ["disease".to_owned()];
        let pairing = if disjoint { Pairing::Disjoint } else { Pairing::Independent };
        let audit = audit(mechanism, rows, pairing, &by);
        let verdict = audit.run(&table(&values), &mut Dice::from_seed(1, "")).expect("a verdict");
        prop_assert!(verdict.exact);
        prop_assert_eq!((verdict.failures, verdict.pairs), failing_share(&values, &audit));
        prop_assert_eq!(verdict.holds, verdict.failures * 10 <= verdict.pairs);
    }

    #[test]
    fn the_confidence_bound_is_where_so_few_failures_become_unlikely(failures in 0u64..20, more in 1u64..200) {
        let trials = failures + more;
        let bound = upper_confidence_bound(failures, trials, 0.95);
        let at_most: f64 = (0..=failures)
            .map(|k| {
                let choose: f64 = (0..k).map(|i| (trials - i) as f64 / (i + 1) as f64).product();
                choose * bound.powf(k as f64) * (1.0 - bound).powf((trials - k) as f64)
            })
            .sum();
        prop_assert!((at_most - 0.05).abs() < 1e-9, "{} {}", bound, at_most);
    }
}

#[test]
fn random_pairs_fail_as_often_as_all_pairs_say() {
    let values = [0, 0, 0, 1, 1, 1, 1, 2];
    let by = ["disease".to_owned()];
    for mechanism in [Mechanism::Exact, Mechanism::Geometric { epsilon: ratio("0.6") }, Mechanism::Threshold { k: 2 }] {
        for pairing in [Pairing::Independent, Pairing::Disjoint] {
            let all = audit(mechanism, 4, pairing, &by);
            let exact = all.run(&table(&values), &mut Dice::from_seed(1, "")).expect("a verdict");
            assert!(exact.exact);
            // Fewer pairs than there are, again and again.
            let some = Audit { pairs: 60, ..all };
            let mut dice = Dice::from_seed(2, "pairs");
            let (mut failures, mut covered) = (0, 0);
            for _ in 0..500 {
                let verdict = some.run(&table(&values), &mut dice).expect("a verdict");
                assert!(!verdict.exact);
                failures += verdict.failures;
                covered += u32::from(verdict.upper_bound >= exact.failure_probability);
            }
            let share = failures as f64 / 30_000.0;
            assert!((share - exact.failure_probability).abs() < 0.012, "{mechanism:?} {share} {exact:?}");
            assert!(covered >= 460, "{mechanism:?}: the bound covers in {covered} of 500 only");
        }
    }
}

#[test]
fn small_epsilon_holds_and_exact_counts_do_not() {
    let values: Vec<u8> = (0..200).map(|row| u8::from(row % 3 == 0)).collect();
    let by = ["disease".to_owned()];
    let run = |mechanism| {
        let audit = Audit { pairs: 2000, ..audit(mechanism, 50, Pairing::Disjoint, &by) };
        audit.run(&table(&values), &mut Dice::from_seed(3, "")).expect("a verdict")
    };
    assert!(run(Mechanism::Geometric { epsilon: ratio("0.05") }).holds);
    let exact = run(Mechanism::Exact);
    assert!(!exact.holds && exact.failure_probability > 0.8, "{exact:?}");
    assert!(exact.worst.is_some_and(|worst| worst.failures > 1600));
}

#[test]
fn audits_that_make_no_sense_are_refused() {
    let by = ["disease".to_owned()];
    let valid = audit(Mechanism::Exact, 2, Pairing::Disjoint, &by);
    let zero = Mechanism::Geometric { epsilon: Ratio::ZERO };
    let one = Mechanism::Sample { beta: Ratio::ONE, k: 2 };
    let twice = [by[0].clone(), by[0].clone()];
    let unknown = ["nothing".to_owned()];
    let bad = [
        Audit { rows: 0, ..valid },
        Audit { rows: 3, ..valid },
        Audit { pairs: 0, ..valid },
        Audit { beta: ratio("1.5"), ..valid },
        Audit { confidence: 1.0, ..valid },
        Audit { confidence: f64::NAN, ..valid },
        Audit { mechanism: zero, ..valid },
        Audit { mechanism: one, ..valid },
        Audit { by: &twice, ..valid },
        Audit { by: &unknown, ..valid },
    ];
    for audit in bad {
        assert!(audit.run(&table(&[1, 2, 1, 2, 3]), &mut Dice::from_seed(1, "")).is_err(), "{audit:?}");
    }
}
