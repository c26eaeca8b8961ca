//! Private samples: each row by itself with its probability, and no small class.

use proptest::prelude::*;
use tamis_mechanism::safe_pub::{rows_of_large_classes, sample_rows};
use tamis_mechanism::{Dice, Ratio};

#[test]
fn every_row_and_every_pair_is_kept_as_often_as_independent_coins_say() {
    let (rows, draws) = (6_usize, 30_000);
    let beta: Ratio = "0.3".parse().expect("a number");
    let mut dice = Dice::from_seed(1, "sample");
    let (mut single, mut pair) = (vec![0_i64; rows], vec![0_i64; rows * rows]);
    for _ in 0..draws {
        let sample = sample_rows(rows, beta, &mut dice).expect("a sample");
        assert!(sample.is_sorted() && sample.iter().all(|&row| row < rows));
        for &left in &sample {
            single[left] += 1;
            sample.iter().filter(|&&right| right != left).for_each(|&right| pair[left * rows + right] += 1);
        }
    }
    // Four standard deviations.
    assert!(single.iter().all(|&seen| (seen - 9000).abs() < 318), "{single:?}");
    let apart = (0..rows * rows).filter(|cell| cell / rows != cell % rows);
    assert!(apart.into_iter().all(|cell| (pair[cell] - 2700).abs() < 199), "{pair:?}");
}

#[test]
fn probabilities_out_of_range_are_refused() {
    for beta in ["0", "1.1"] {
        let error = sample_rows(3, beta.parse().expect("a number"), &mut Dice::from_seed(1, "")).expect_err(beta);
        assert_eq!(error.to_string(), format!("beta is {beta}; expected a probability above 0 and at most 1"));
    }
}

proptest! {
    #[test]
    fn a_row_stays_iff_its_class_has_k(class_of_row in prop::collection::vec(0u32..6, 0..30), k in 0u64..6) {
        let kept = rows_of_large_classes(&class_of_row, k);
        for (class, &is_kept) in class_of_row.iter().zip(&kept) {
            prop_assert_eq!(is_kept, class_of_row.iter().filter(|other| *other == class).count() as u64 >= k);
        }
        prop_assert_eq!(kept.len(), class_of_row.len());
    }
}
