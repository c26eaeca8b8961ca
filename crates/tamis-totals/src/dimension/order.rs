//! The order of labels that no hierarchy gives one.

use std::cmp::Ordering;

use tamis_table::number_in;

/// Sorts labels: by their values where all are decimal numbers, otherwise [as people do](natural).
///
/// Numbers that a point divides may be sections too, of which 2.9 comes before 2.10. As decimals nobody writes a last digit of 0
/// beside labels with another number of digits, so that labels of which one is written so are sections.
pub(super) fn sort<'a, T>(labels: &mut [T], text: impl Fn(&T) -> &'a str) {
    let decimals = |label: &str| label.split_once('.').map_or("", |(_, decimals)| decimals).len();
    let is_section = |label: &T| {
        let label = text(label);
        label.contains('.')
            && label.ends_with('0')
            && labels.iter().any(|other| decimals(text(other)) != decimals(label))
    };
    let are_numbers = labels.iter().all(|label| is_decimal(text(label))) && !labels.iter().any(is_section);
    let value = |label: &str| number_in(label).filter(|_| are_numbers).unwrap_or(0.0);
    labels.sort_by(|left, right| {
        let (left, right) = (text(left), text(right));
        value(left).total_cmp(&value(right)).then_with(|| natural(left, right))
    });
}

/// Digits with a sign and a decimal point perhaps.
fn is_decimal(label: &str) -> bool {
    let digits = label.strip_prefix(['-', '+', '\u{2212}']).unwrap_or(label);
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    let all = |digits: &str| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    all(whole) && all(part)
}

/// As people sort: numbers within labels by their value, letters without regard to capitals. Labels that only differ in capitals
/// or leading zeros are told apart in the end.
fn natural(left: &str, right: &str) -> Ordering {
    let (mut a, mut b) = (left, right);
    while let (Some(first), Some(second)) = (a.chars().next(), b.chars().next()) {
        if first.is_ascii_digit() && second.is_ascii_digit() {
            let (one, rest) = digits(a);
            let (other, rest_of_other) = digits(b);
            let order = one.len().cmp(&other.len()).then(one.cmp(other));
            if order != Ordering::Equal {
                return order;
            }
            (a, b) = (rest, rest_of_other);
        } else {
            let order = first.to_lowercase().cmp(second.to_lowercase());
            if order != Ordering::Equal {
                return order;
            }
            (a, b) = (&a[first.len_utf8()..], &b[second.len_utf8()..]);
        }
    }
    a.len().cmp(&b.len()).then(left.cmp(right))
}

/// The digits that a text begins with, without leading zeros, and the rest.
fn digits(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    (text[..end].trim_start_matches('0'), &text[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted<'a>(labels: &[&'a str]) -> Vec<&'a str> {
        let mut labels = labels.to_vec();
        sort(&mut labels, |label| *label);
        labels
    }

    #[test]
    fn labels_that_are_numbers_as_a_whole_stand_by_value() {
        assert_eq!(sorted(&["10", "-5", "-10", "0", "2"]), ["-10", "-5", "0", "2", "10"]);
        assert_eq!(sorted(&["1.5", "1.25", "1.125", "10"]), ["1.125", "1.25", "1.5", "10"]);
        assert_eq!(sorted(&["1.50", "1.25", "0.75"]), ["0.75", "1.25", "1.50"]);
    }

    #[test]
    fn sections_stand_in_their_order() {
        assert_eq!(sorted(&["2.10", "2.9", "2.1", "10.1"]), ["2.1", "2.9", "2.10", "10.1"]);
        assert_eq!(sorted(&["1.10.2", "1.9", "1"]), ["1", "1.9", "1.10.2"]);
    }

    #[test]
    fn numbers_in_labels_are_numbers() {
        let mut labels = vec!["tr10", "tr2", "Tr1", "b", "A", "tr02", "10-19", "5-9", "20+", ""];
        labels.sort_by(|a, b| natural(a, b));
        assert_eq!(labels, ["", "5-9", "10-19", "20+", "A", "b", "Tr1", "tr02", "tr2", "tr10"]);
    }
}
