//! What several texts have in common: characters in order, with gaps.

use super::super::lcs;
use std::fmt;

/// Characters with gaps between some of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    characters: Vec<char>,
    /// Whether there is a gap before each character, and after the last.
    gaps: Vec<bool>,
    /// Length of the longest text it stands for.
    longest: usize,
}

impl Pattern {
    /// A text without gaps.
    pub(super) fn new(text: &str) -> Self {
        let characters: Vec<char> = text.chars().collect();
        let gaps = vec![false; characters.len() + 1];
        let longest = characters.len();
        Self { characters, gaps, longest }
    }

    pub(super) fn characters(&self) -> &[char] {
        &self.characters
    }

    pub(super) fn longest(&self) -> usize {
        self.longest
    }

    /// Makes it stand for the texts of another pattern with the same label, too.
    pub(super) fn absorb(&mut self, other: &Self) {
        self.longest = self.longest.max(other.longest);
    }

    /// Whether at least this share of the longest text is left.
    pub(super) fn keeps(&self, share: f64) -> bool {
        self.characters.len() as f64 >= share * self.longest as f64
    }

    /// What both have in common, without inner runs shorter than `shortest_run`.
    pub(super) fn join(&self, other: &Self, shortest_run: usize) -> Self {
        let mut characters = Vec::new();
        let mut gaps = Vec::new();
        let (mut next_left, mut next_right) = (0, 0);
        let gap = |left: usize, right: usize, skipped: bool| skipped || self.gaps[left] || other.gaps[right];
        for (left, right) in lcs::matches(&self.characters, &other.characters) {
            characters.push(self.characters[left]);
            gaps.push(gap(left, right, left > next_left || right > next_right));
            (next_left, next_right) = (left + 1, right + 1);
        }
        let (left_end, right_end) = (self.characters.len(), other.characters.len());
        gaps.push(gap(left_end, right_end, left_end > next_left || right_end > next_right));
        let longest = self.longest.max(other.longest);
        Self { characters, gaps, longest }.without_short_runs(shortest_run)
    }

    /// Single letters that unrelated words happen to share tell nothing and read badly.
    fn without_short_runs(self, shortest_run: usize) -> Self {
        let length = self.characters.len();
        let mut kept = Self { characters: Vec::new(), gaps: Vec::new(), longest: self.longest };
        let mut dropped = false;
        let mut start = 0;
        while start < length {
            let end = (start + 1..length).find(|&next| self.gaps[next]).unwrap_or(length);
            let at_an_end = (start == 0 && !self.gaps[0]) || (end == length && !self.gaps[length]);
            if at_an_end || end - start >= shortest_run {
                kept.gaps.push(self.gaps[start] || dropped);
                kept.gaps.extend(std::iter::repeat_n(false, end - start - 1));
                kept.characters.extend_from_slice(&self.characters[start..end]);
                dropped = false;
            } else {
                dropped = true;
            }
            start = end;
        }
        kept.gaps.push(self.gaps[length] || dropped);
        kept
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write as _;
        for (character, &gap) in self.characters.iter().zip(&self.gaps) {
            if gap {
                f.write_char('*')?;
            }
            f.write_char(*character)?;
        }
        if self.gaps.last() == Some(&true) { f.write_char('*') } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn join(texts: &[&str], shortest_run: usize) -> String {
        let mut patterns = texts.iter().map(|text| Pattern::new(text));
        let first = patterns.next().unwrap_or(Pattern::new(""));
        patterns.fold(first, |joined, next| joined.join(&next, shortest_run)).to_string()
    }

    #[test]
    fn gaps_stand_where_texts_differ() {
        assert_eq!(join(&["Hauptstrasse 12", "Hauptstrasse 7"], 3), "Hauptstrasse *");
        assert_eq!(join(&["Main Road 5", "Mill Road 5"], 1), "M*i* Road 5");
        assert_eq!(join(&["a", "b"], 1), "*");
        assert_eq!(join(&["ab", "aXb", "aYb"], 1), "a*b");
    }

    #[test]
    fn short_inner_runs_are_left_out() {
        assert_eq!(join(&["Main Road 5", "Mill Road 5"], 3), "M* Road 5");
        assert_eq!(join(&["x1a2y", "x3a4y"], 2), "x*y");
    }
}
