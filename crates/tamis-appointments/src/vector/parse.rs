//! Vectors as people write them.

use super::{AnonymityVector, VectorError};
use std::collections::BTreeMap;
use std::str::FromStr;

impl FromStr for AnonymityVector {
    type Err = VectorError;

    /// `2,3,2,4` (cells of size 1 first) or `1:2,2:3,900:4` (size and cells), with or without brackets and blanks.
    ///
    /// ```
    /// use tamis_appointments::AnonymityVector;
    ///
    /// let vector: AnonymityVector = "(0, 2, 1, 2)".parse()?;
    /// assert_eq!(vector, "2:2,3:1,4:2".parse()?);
    /// assert_eq!(vector.people(), 15);
    /// # Ok::<(), tamis_appointments::vector::VectorError>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, VectorError> {
        let trimmed = text.trim();
        let inner = trimmed.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(trimmed);
        let is_pairs = inner.contains(':');
        let mut counts = BTreeMap::new();
        for (position, component) in (1..).zip(inner.split(',').map(str::trim)) {
            let (size, cells) = match component.split_once(':') {
                None if is_pairs => return Err(VectorError::Mixed { position, found: brief(component) }),
                None => (position as u64, whole_number(component, position, component)?),
                Some((size, cells)) => {
                    let size = whole_number(size.trim(), position, component)?;
                    (size, whole_number(cells.trim(), position, component)?)
                }
            };
            if size == 0 {
                return Err(VectorError::ZeroSize { position });
            }
            if counts.insert(size, cells).is_some() {
                return Err(VectorError::Repeated { position, size });
            }
        }
        let vector = Self { counts: counts.into_iter().filter(|&(_, cells)| cells > 0).collect() };
        vector.checked_people()?;
        Ok(vector)
    }
}

fn whole_number(digits: &str, position: usize, component: &str) -> Result<u64, VectorError> {
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(VectorError::Component { position, found: brief(component) });
    }
    // Digits that are no 64-bit number are more than anybody counts.
    digits.parse().map_err(|_| VectorError::TooManyPeople)
}

/// What was found, cut where it is long, without what a terminal would obey.
fn brief(component: &str) -> String {
    const SHOWN: usize = 40;
    let shown: String = component.chars().take(SHOWN).flat_map(char::escape_debug).collect();
    if component.chars().count() > SHOWN { shown + "..." } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn refused(text: &str) -> String {
        text.parse::<AnonymityVector>().expect_err(text).to_string()
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read(counts in prop::collection::btree_map(1_u64..60, 0_u64..9, 1..9)) {
            let vector = AnonymityVector::of_counts(counts);
            prop_assume!(vector.cells() > 0);
            prop_assert_eq!(vector.to_string().parse(), Ok(vector));
        }

        #[test]
        fn any_text_is_a_vector_or_refused(text in "[-0-9:,. ()x]{0,24}") {
            if let Ok(vector) = text.parse::<AnonymityVector>() {
                prop_assert!(vector.checked_people().is_ok());
            }
        }
    }

    #[test]
    fn sizes_that_do_not_occur_may_be_said() {
        assert_eq!("0,2,0,0".parse(), Ok(AnonymityVector::of_sizes([2, 2])));
        assert_eq!("1:0,2:2".parse(), Ok(AnonymityVector::of_sizes([2, 2])));
    }

    #[test]
    fn mistakes_are_named_with_their_place() {
        let expected = "expected a whole number of cells of 0 or more, or SIZE:CELLS";
        assert_eq!(refused("2,-3,1"), format!("component 2 of the vector is `-3`; {expected}"));
        assert_eq!(refused("2,3,x"), format!("component 3 of the vector is `x`; {expected}"));
        assert_eq!(refused("2,,1"), format!("component 2 of the vector is ``; {expected}"));
        assert_eq!(refused("1.5"), format!("component 1 of the vector is `1.5`; {expected}"));
        assert_eq!(refused(""), format!("component 1 of the vector is ``; {expected}"));
        assert_eq!(refused("1:2,3:\u{1b}"), format!("component 2 of the vector is `3:\\u{{1b}}`; {expected}"));
        assert!(refused("1:2,7").contains("component 2 of the vector is `7`; write all components"));
        assert_eq!(
            refused("5:2,5:1"),
            "component 2 of the vector gives the cells of size 5 again; give each size once"
        );
        assert_eq!(refused("0:3"), "component 1 of the vector has size 0; a cell holds at least one person");
        assert!(refused("0,0").contains("stands for nobody"));
        for huge in ["99999999999999999999999", "9007199254740993", "4294967296:4294967296,1:18446744073709551615"] {
            assert!(refused(huge).contains("more than 9007199254740992 people"), "{huge}");
        }
    }
}
