//! Fractions from decimal text: against arithmetic on whole numbers, and with whatever a user may type.

use proptest::prelude::*;
use std::cmp::Ordering;
use tamis_mechanism::Ratio;

fn ratio(text: &str) -> Ratio {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn decimal_texts_are_exact() {
    for (text, numerator, denominator) in [
        ("0.5", 1, 2),
        ("1", 1, 1),
        ("100", 100, 1),
        ("0.10", 1, 10),
        (".25", 1, 4),
        ("2.", 2, 1),
        ("1e-6", 1, 1_000_000),
        ("2.5E+3", 2500, 1),
        ("0", 0, 1),
        ("0.000", 0, 1),
        ("0e99999", 0, 1),
        ("0.000000000000000001", 1, 1_000_000_000_000_000_000),
        ("10000e-4", 1, 1),
        ("0.50000000000000000000000000000000", 1, 2),
    ] {
        assert_eq!(ratio(text), Ratio::new(numerator, denominator).expect("a fraction"), "{text}");
    }
}

#[test]
fn other_texts_are_refused_with_a_sentence() {
    for text in [
        "",
        "-1",
        "-0",
        "+1",
        "abc",
        "1.2.3",
        "1e",
        "e5",
        ".",
        "1e5.0",
        "0x10",
        "1/2",
        "½",
        " 1",
        "1 ",
        "NaN",
        "inf",
        "1e-19",
        "1e99999999999999999999",
        "1e30",
        "99999999999999999999999999999999999999999999",
        "1e-9223372036854775808",
        "1e9223372036854775807",
        "0.1234567890123456789",
        "--1",
        "1e--1",
        "1e+-1",
        "１",
    ] {
        let error = text.parse::<Ratio>().expect_err(text).to_string();
        assert!(error.contains("expected a decimal number") && error.contains(&format!("`{text}`")), "{error}");
    }
}

#[test]
fn a_sum_without_room_is_none_and_never_wrong() {
    let (third, tiny) = (Ratio::new(1, 3).expect("a fraction"), ratio("1e-18"));
    assert_eq!(ratio("18000000000000000000").checked_add(ratio("1000000000000000000")), None);
    assert_eq!(third.checked_add(tiny), Ratio::new(1_000_000_000_000_000_003, 3_000_000_000_000_000_000));
    let prime = Ratio::new(1, 18_446_744_073_709_551_557).expect("a fraction");
    assert_eq!(prime.checked_add(tiny), None);
    assert_eq!(tiny.checked_sub(third), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_text_is_a_fraction_or_a_sentence(text in "\\PC{0,12}|[-+]?[0-9]{0,25}[.]?[0-9]{0,25}([eE][-+]?[0-9]{0,20})?") {
        match text.parse::<Ratio>() {
            Ok(ratio) => prop_assert_eq!(ratio.to_string().parse::<Ratio>().ok(), Some(ratio)),
            Err(error) => prop_assert!(error.to_string().contains("expected")),
        }
    }

    #[test]
    fn sums_and_order_are_those_of_hundredths(left in 0u64..10_000, right in 0u64..10_000) {
        let hundredths = |value: u64| ratio(&format!("{}.{:02}", value / 100, value % 100));
        let (a, b) = (hundredths(left), hundredths(right));
        prop_assert_eq!(a.checked_add(b), Some(hundredths(left + right)));
        prop_assert_eq!(a.checked_sub(b), left.checked_sub(right).map(hundredths));
        prop_assert_eq!(a.cmp(&b), left.cmp(&right));
        prop_assert_eq!(a.cmp(&b) == Ordering::Equal, a == b);
    }
}
