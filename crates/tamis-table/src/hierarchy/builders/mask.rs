//! Characters hidden one after the other, as postal codes are.

use super::{Labels, MOST_LEVELS, fail};
use crate::HierarchyError;
use serde::{Deserialize, Serialize};

/// The side of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// Where the text starts.
    Left,
    /// Where the text ends.
    Right,
}

/// Hides `step` more characters on each level until nothing is left, then `top`.
///
/// The level on which the longest value would be hidden altogether is the top, so five characters make the value, four
/// masked levels and the top. Characters are counted, not bytes. Values of unequal length keep their length, and with
/// it a hint at what they were, unless `pad` makes them equally long first.
///
/// ```
/// use tamis_table::hierarchy::builders::{Builder, Mask};
/// // The generalization of postal codes by zeros: 05345, 05340, 05300.
/// let zip = Builder::Mask(Mask { character: '0', levels: Some(2), ..Mask::default() });
/// assert_eq!(zip.build(&["05345"])?[0].labels, ["05345", "05340", "05300", "*"]);
/// # Ok::<(), tamis_table::HierarchyError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Mask {
    /// Where hiding starts.
    pub from: Side,
    /// What stands for a hidden character.
    pub character: char,
    /// How many characters each level hides.
    pub step: usize,
    /// How many masked levels there are before the top; as many as it takes if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub levels: Option<usize>,
    /// Fills shorter values up to the length of the longest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pad: Option<char>,
    /// Where the filling goes.
    pub pad_side: Side,
    /// The label of the last level, for all values.
    pub top: String,
}

impl Default for Mask {
    fn default() -> Self {
        Self {
            from: Side::Right,
            character: '*',
            step: 1,
            levels: None,
            pad: None,
            pad_side: Side::Left,
            top: super::SUPPRESSED.to_owned(),
        }
    }
}

impl Mask {
    pub(super) fn rows(&self, values: &[&str]) -> Result<Vec<Labels>, HierarchyError> {
        if self.step == 0 {
            return fail("the `step` of a mask must hide at least 1 character");
        }
        let longest = values.iter().map(|value| value.chars().count()).max().unwrap_or(0);
        let needed = longest.saturating_sub(1) / self.step;
        let levels = self.levels.map_or(needed, |levels| levels.min(needed));
        if levels > MOST_LEVELS {
            return fail(format!(
                "hiding {} of up to {longest} characters at a time makes {levels} levels, more than {MOST_LEVELS}; give a larger `step` or fewer `levels`",
                self.step
            ));
        }
        Ok(values.iter().map(|value| self.labels(value, longest, levels)).collect())
    }

    fn labels(&self, value: &str, longest: usize, levels: usize) -> Labels {
        let mut characters: Vec<char> = value.chars().collect();
        if let Some(pad) = self.pad {
            let filling = std::iter::repeat_n(pad, longest - characters.len());
            match self.pad_side {
                Side::Left => characters.splice(..0, filling).for_each(drop),
                Side::Right => characters.extend(filling),
            }
        }
        let mut labels = vec![value.to_owned()];
        for level in 1..=levels {
            let hidden = level.saturating_mul(self.step).min(characters.len());
            let range = match self.from {
                Side::Left => 0..hidden,
                Side::Right => characters.len() - hidden..characters.len(),
            };
            characters[range].fill(self.character);
            labels.push(characters.iter().collect());
        }
        labels
    }
}
