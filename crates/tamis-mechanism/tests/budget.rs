//! The ledger: sums, refusals, and files that were tampered with.

use proptest::prelude::*;
use tamis_mechanism::{Ledger, MechanismError, Ratio, Spending};

fn ratio(text: &str) -> Ratio {
    text.parse().expect("a number")
}

fn spending(epsilon: &str, delta: &str) -> Spending {
    let (time, query) = ("2026-01-02T03:04:05Z".to_owned(), "count by \"sex\"".to_owned());
    Spending { time, query, epsilon: ratio(epsilon), delta: ratio(delta) }
}

fn ledger(spendings: &[(&str, &str)]) -> Ledger {
    let mut ledger = Ledger::new("people.csv", ratio("1"), ratio("1e-5")).expect("a budget");
    for (epsilon, delta) in spendings {
        ledger.spend(spending(epsilon, delta)).expect("enough left");
    }
    ledger
}

#[test]
fn ten_tenths_are_the_whole_budget_and_one_more_is_refused() {
    let mut ledger = ledger(&[("0.1", "0"); 10]);
    assert_eq!(ledger.left(), (Ratio::ZERO, ratio("0.00001")));
    assert_eq!(ledger.spent(), (Ratio::ONE, Ratio::ZERO));
    let before = ledger.clone();
    let error = ledger.spend(spending("0.000000000000000001", "0")).expect_err("nothing left");
    assert!(error.is_refusal());
    assert_eq!(ledger, before, "a refusal spends nothing");
    assert!(error.to_string().contains("0 and 0.00001 are left"), "{error}");
}

#[test]
fn delta_is_a_budget_of_its_own() {
    let mut ledger = ledger(&[("0.1", "0.000006")]);
    assert!(ledger.spend(spending("0.1", "0.000006")).is_err_and(|error| error.is_refusal()));
    assert!(ledger.spend(spending("0.1", "0.000004")).is_ok());
}

#[test]
fn budgets_that_promise_nothing_are_refused() {
    assert!(Ledger::new("d", Ratio::ZERO, Ratio::ZERO).is_err());
    assert!(Ledger::new("d", Ratio::ONE, Ratio::ONE).is_err());
}

#[test]
fn every_changed_character_of_a_file_is_noticed() {
    let text = ledger(&[("0.1", "0"), ("0.25", "0.000001")]).to_text();
    assert!(Ledger::parse(&text).is_ok());
    for (position, character) in text.char_indices() {
        for other in ['0', '9', 'x', '"', ' '] {
            if character == other || character.is_whitespace() {
                continue;
            }
            let mut changed = text.clone();
            changed.replace_range(position..position + character.len_utf8(), &other.to_string());
            let read = Ledger::parse(&changed);
            assert!(
                matches!(read, Err(MechanismError::BadLedger { .. })),
                "{other} for {character} at {position}: {read:?}"
            );
        }
    }
}

#[test]
fn cut_and_rearranged_files_are_noticed() {
    let text = ledger(&[("0.1", "0"), ("0.25", "0.000001")]).to_text();
    for length in 0..text.trim_end().len() {
        assert!(Ledger::parse(&text[..length]).is_err(), "cut after {length} bytes");
    }
    let swapped = text.replace("\"0.1\"", "\"?\"").replace("\"0.25\"", "\"0.1\"").replace("\"?\"", "\"0.25\"");
    assert_ne!(swapped, text);
    assert!(Ledger::parse(&swapped).is_err());
    for extra in [text.replace("\"form\"", "\"more\": 1, \"form\""), text.repeat(2), format!("[{text}]")] {
        assert!(Ledger::parse(&extra).is_err());
    }
}

#[test]
fn spendings_left_out_or_added_at_the_end_are_noticed() {
    let (shorter, longer) = (ledger(&[("0.1", "0")]), ledger(&[("0.1", "0"), ("0.25", "0.000001")]));
    let json = |ledger: &Ledger| serde_json::from_str::<serde_json::Value>(&ledger.to_text()).expect("JSON");
    let (shorter, longer) = (json(&shorter), json(&longer));
    assert_eq!(shorter["spendings"][0], longer["spendings"][0], "one is the beginning of the other");
    for (header, entries) in [(&longer, &shorter), (&shorter, &longer)] {
        let mut forged = header.clone();
        forged["spendings"] = entries["spendings"].clone();
        let error = Ledger::parse(&forged.to_string()).expect_err("entries of another ledger").to_string();
        assert!(error.contains("spendings are missing or were added"), "{error}");
        forged["count"] = entries["count"].clone();
        let error = Ledger::parse(&forged.to_string()).expect_err("a count of another ledger").to_string();
        assert!(error.contains("its header does not have the hash that stands in it"), "{error}");
        forged["last"] = entries["last"].clone();
        assert!(Ledger::parse(&forged.to_string()).is_err(), "the header's own hash covers both");
    }
    let mut other = longer.clone();
    other["spendings"][1]["query"] = "another".into();
    assert!(Ledger::parse(&other.to_string()).is_err());
}

#[test]
fn the_ledger_that_fuzzing_starts_from_is_whole() {
    let text = include_str!("../../../tests/fuzz/seeds/ledger/one_spending");
    let ledger = Ledger::parse(text).expect("a whole ledger");
    assert_eq!(ledger.spent().0, ratio("0.5"));
    assert_eq!(ledger.to_text(), text);
}

#[test]
fn nobody_is_told_to_bring_back_what_was_spent() {
    let error = Ledger::parse("{}").expect_err("no ledger").to_string();
    assert!(error.contains("create a new ledger whose total is less by it"), "{error}");
    assert!(!error.contains("backup"), "{error}");
}

#[test]
fn the_other_way_to_write_a_number_is_the_same_number() {
    let text = ledger(&[("0.5", "0")]).to_text();
    assert_eq!(Ledger::parse(&text.replace("\"0.5\"", "\"0.50\"")).ok(), Ledger::parse(&text).ok());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn any_text_is_a_ledger_or_a_sentence(text in "\\PC{0,80}") {
        let error = Ledger::parse(&text).expect_err("random text").to_string();
        prop_assert!(error.starts_with("the budget is no whole ledger"));
    }

    #[test]
    fn any_json_is_a_ledger_or_a_sentence(
        form in "tamis-budget-1|[a-z]{0,5}", total in "[0-9.e-]{0,8}", epsilon in "[0-9.e-]{0,8}", hash in "[0-9a-f]{0,4}",
    ) {
        let text = format!(
            r#"{{"form":"{form}","data":"d","total_epsilon":"{total}","total_delta":"0","count":1,"last":"{hash}","hash":"{hash}",
            "spendings":[{{"time":"","query":"","epsilon":"{epsilon}","delta":"0","hash":"{hash}"}}]}}"#
        );
        prop_assert!(Ledger::parse(&text).is_err());
    }

    #[test]
    fn files_read_back_and_sums_are_exact(
        hundredths in prop::collection::vec(0u64..40, 0..12), query in "\\PC{0,20}", data in "\\PC{0,20}",
    ) {
        let mut ledger = Ledger::new(&data, ratio("1"), Ratio::ZERO).expect("a budget");
        let mut left = 100;
        for amount in hundredths {
            let asked = Spending { query: query.clone(), ..spending(&format!("0.{amount:02}"), "0") };
            prop_assert_eq!(ledger.spend(asked).is_ok(), amount <= left);
            left = if amount <= left { left - amount } else { left };
        }
        prop_assert_eq!(ledger.left().0, Ratio::new(left, 100).expect("a fraction"));
        prop_assert_eq!(Ledger::parse(&ledger.to_text()).ok(), Some(ledger));
    }
}
