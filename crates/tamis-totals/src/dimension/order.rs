//! The order of labels that no hierarchy gives one.

use std::cmp::Ordering;

/// As people sort: numbers within labels by their value, letters without regard to capitals. Labels that only differ in capitals
/// or leading zeros are told apart in the end.
pub(super) fn natural(left: &str, right: &str) -> Ordering {
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

    #[test]
    fn numbers_in_labels_are_numbers() {
        let mut labels = vec!["tr10", "tr2", "Tr1", "b", "A", "tr02", "10-19", "5-9", "20+", ""];
        labels.sort_by(|a, b| natural(a, b));
        assert_eq!(labels, ["", "5-9", "10-19", "20+", "A", "b", "Tr1", "tr02", "tr2", "tr10"]);
    }
}
