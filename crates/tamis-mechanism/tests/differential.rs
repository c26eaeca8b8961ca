//! The audit of claims of differential privacy: true ones stand, false ones fall.

use tamis_mechanism::audit::differential::Audit;
use tamis_mechanism::audit::distributional::Mechanism;
use tamis_mechanism::{Dice, Ratio};

fn ratio(text: &str) -> Ratio {
    text.parse().expect("a number")
}

fn audit(mechanism: Mechanism, epsilon: &str, delta: &str) -> Audit {
    Audit { mechanism, count: 6, epsilon: ratio(epsilon), delta: ratio(delta), draws: 20_000, confidence: 0.95 }
}

#[test]
fn true_claims_are_refuted_no_more_often_than_the_confidence_says() {
    // Of 6 rows, each kept with 0.3, more than gamma * 6 = 3.45 are kept with probability 0.0705, which delta has to cover.
    let sample = Mechanism::Sample { beta: ratio("0.3"), k: 4 };
    for (mechanism, delta) in [(Mechanism::Geometric { epsilon: ratio("0.5") }, "0"), (sample, "0.0706")] {
        let audit = audit(mechanism, "0.5", delta);
        let mut dice = Dice::from_seed(1, "true claims");
        let refuted = (0..60).filter(|_| !audit.run(&mut dice).expect("a verdict").holds).count();
        // 3 are expected at most; 11 or more have probability 2 in 10,000 even then.
        assert!(refuted <= 10, "{mechanism:?}: {refuted} of 60 true claims refuted");
    }
}

#[test]
fn false_claims_are_refuted() {
    for (mechanism, epsilon, delta) in [
        (Mechanism::Geometric { epsilon: ratio("1") }, "0.8", "0"),
        (Mechanism::Geometric { epsilon: ratio("0.5") }, "0.3", "0.01"),
        (Mechanism::Exact, "5", "0.5"),
        (Mechanism::Threshold { k: 6 }, "5", "0.9"),
        (Mechanism::Sample { beta: ratio("0.9"), k: 1 }, "0.5", "0.1"),
    ] {
        let audit = Audit { draws: 60_000, ..audit(mechanism, epsilon, delta) };
        let verdict = audit.run(&mut Dice::from_seed(2, "false claims")).expect("a verdict");
        assert!(!verdict.holds && verdict.least_epsilon > ratio(epsilon).to_f64(), "{mechanism:?}: {verdict:?}");
    }
}

#[test]
fn the_bound_comes_close_to_the_true_epsilon_and_not_above() {
    for epsilon in ["0.25", "1", "2"] {
        let audit = Audit {
            draws: 200_000,
            confidence: 0.999,
            ..audit(Mechanism::Geometric { epsilon: ratio(epsilon) }, epsilon, "0")
        };
        let verdict = audit.run(&mut Dice::from_seed(3, "close")).expect("a verdict");
        let exact = ratio(epsilon).to_f64();
        assert!(verdict.holds && verdict.least_epsilon > 0.8 * exact, "{epsilon}: {verdict:?}");
    }
}

#[test]
fn claims_that_make_no_sense_are_refused() {
    let valid = audit(Mechanism::Exact, "1", "0");
    let zero = Mechanism::Geometric { epsilon: Ratio::ZERO };
    for bad in [
        Audit { count: 0, ..valid },
        Audit { draws: 99, ..valid },
        Audit { delta: Ratio::ONE, ..valid },
        Audit { confidence: 0.0, ..valid },
        Audit { confidence: f64::NAN, ..valid },
        Audit { mechanism: zero, ..valid },
    ] {
        assert!(bad.run(&mut Dice::from_seed(1, "")).is_err(), "{bad:?}");
    }
}
