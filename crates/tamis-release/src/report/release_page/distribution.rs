//! Distributions before and after, folded to what a reader can take in and a page may say.

use std::cmp::Reverse;
use std::collections::HashMap;

use maud::{Markup, html};

use crate::report::document::{figure, legend, section as framed};
use crate::report::numbers::{count, percent_fixed, share};
use crate::report::svg::{Bar, Scale, bars};
use crate::report::{AttributeReport, ReleaseReport};

/// Most values drawn one by one.
const SHOWN: usize = 12;
const SUPPRESSED: &str = "*";
/// What a missing value is called.
const MISSING: &str = "(missing)";

/// A value, or several folded together, with its rows before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) label: String,
    pub(super) before: u64,
    pub(super) after: u64,
}

impl Tally {
    pub(super) fn new(label: &str, before: u64, after: u64) -> Self {
        Self { label: label.to_owned(), before, after }
    }

    /// A count of the input table that may not be shown alone.
    fn is_small(&self, smallest: u64) -> bool {
        self.before > 0 && self.before < smallest
    }
}

/// At most [`SHOWN`] tallies: neighbours are joined if the values are ordered, else the rarest become `others`. A count
/// before of less than `smallest` is joined too, with as many others as it takes to hide it.
pub(super) fn fold(tallies: Vec<Tally>, ordered: bool, smallest: u64) -> Vec<Tally> {
    if !ordered {
        return join_rarest(tallies, smallest);
    }
    // A missing value has no neighbours.
    let (missing, values): (Vec<Tally>, Vec<Tally>) = tallies.into_iter().partition(|tally| tally.label == MISSING);
    join_neighbours(values, smallest).into_iter().chain(missing).collect()
}

fn join_neighbours(tallies: Vec<Tally>, smallest: u64) -> Vec<Tally> {
    let run = tallies.len().div_ceil(SHOWN).max(1);
    let mut runs: Vec<Vec<Tally>> = Vec::new();
    let small =
        |run: &[Tally]| Tally { label: String::new(), before: total(run, |t| t.before), after: 0 }.is_small(smallest);
    for next in tallies {
        match runs.last_mut() {
            Some(last) if last.len() < run || small(last) => last.push(next),
            _ => runs.push(vec![next]),
        }
    }
    if runs.len() > 1 && runs.last().is_some_and(|last| small(last)) {
        let last = runs.pop().unwrap_or_default();
        runs.last_mut().unwrap_or(&mut Vec::new()).extend(last);
    }
    runs.iter().map(|run| joined(run, span(run))).collect()
}

fn join_rarest(mut tallies: Vec<Tally>, smallest: u64) -> Vec<Tally> {
    tallies.sort_by_key(|tally| Reverse((tally.before, tally.after)));
    let mut keep = if tallies.len() > SHOWN { SHOWN } else { tallies.len() };
    while keep > 0 && tallies[keep - 1].is_small(smallest) {
        keep -= 1;
    }
    let mut others = tallies.split_off(keep);
    // Others that are few in sum would still be a small count.
    while joined(&others, String::new()).is_small(smallest) {
        let Some(next) = tallies.pop() else { break };
        others.push(next);
    }
    match others.len() {
        0 => {}
        1 if !others[0].is_small(smallest) => tallies.append(&mut others),
        n => tallies.push(joined(&others, format!("others ({})", count(n as u64)))),
    }
    tallies
}

fn joined(run: &[Tally], label: String) -> Tally {
    Tally { label, before: total(run, |t| t.before), after: total(run, |t| t.after) }
}

fn total(run: &[Tally], rows: impl Fn(&Tally) -> u64) -> u64 {
    run.iter().fold(0, |sum, tally| sum.saturating_add(rows(tally)))
}

fn span(run: &[Tally]) -> String {
    match run {
        [] => String::new(),
        [one] => one.label.clone(),
        [first, .., last] => format!("{} … {}", first.label, last.label),
    }
}

pub(super) fn section(report: &ReleaseReport) -> Option<Markup> {
    let drawn = || report.attributes.iter().filter(|a| !a.before.is_empty() || !a.after.is_empty());
    drawn().next()?;
    let small = match report.smallest_count {
        0 | 1 => String::new(),
        n => format!(
            " Values of the input held by fewer than {} rows are joined with others and not shown alone.",
            count(n)
        ),
    };
    let explanation = format!(
        "How often each value occurs in the input and in the release, in rows and as a share of all rows. Suppressed rows \
         appear as *. Where there are many values, neighbours are joined or the rarest are shown as others.{small}"
    );
    let content = html! {
        (legend(&[("before", "before (input)"), ("after", "after (release)")]))
        @for attribute in drawn() {
            h3 { (attribute.name) }
            (drawing(attribute, report))
        }
    };
    Some(framed("distributions", "Before and after", &explanation, &content))
}

/// Bar by bar if the released values are those of the input, else one drawing beside the other on the same scale.
fn drawing(attribute: &AttributeReport, report: &ReleaseReport) -> Markup {
    let rows = report.rows.input;
    let name = &attribute.name;
    let (starred, kept): (Vec<_>, Vec<_>) = attribute.after.iter().partition(|(label, _)| label == SUPPRESSED);
    let suppressed = starred.iter().fold(0_u64, |sum, (_, n)| sum.saturating_add(*n));
    let star = (suppressed > 0).then(|| Tally::new(SUPPRESSED, 0, suppressed));
    let after: HashMap<&str, u64> = kept.iter().map(|(label, n)| (label.as_str(), *n)).collect();
    let same = attribute.before.iter().filter(|(label, _)| after.contains_key(label.as_str())).count() == after.len();
    let input = |(label, n): &(String, u64)| Tally::new(label, *n, after.get(label.as_str()).copied().unwrap_or(0));
    let before = fold(attribute.before.iter().map(input).collect(), attribute.ordered, report.smallest_count);
    if same {
        let both: Vec<Tally> = before.into_iter().chain(star).collect();
        let scale = scale(&both, rows);
        return chart(name, &both, rows, &scale, Side::Both, 700.0);
    }
    let released = kept.iter().map(|(label, n)| Tally::new(label, 0, *n)).collect();
    let released: Vec<Tally> = fold(released, attribute.ordered, 0).into_iter().chain(star).collect();
    let scale = scale(before.iter().chain(&released), rows);
    html! {
        div class="pair" {
            (figure("before", &chart(name, &before, rows, &scale, Side::Before, 480.0)))
            (figure("after", &chart(name, &released, rows, &scale, Side::After, 480.0)))
        }
    }
}

/// One scale for all of them, so that bars of two drawings compare.
fn scale<'a>(tallies: impl IntoIterator<Item = &'a Tally>, rows: u64) -> Scale {
    Scale::from_zero(tallies.into_iter().map(|tally| share(tally.before.max(tally.after), rows)), 5)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    After,
    Both,
}

fn chart(name: &str, tallies: &[Tally], rows: u64, scale: &Scale, side: Side, width: f64) -> Markup {
    let value = |n: u64| (share(n, rows), format!("{} ({})", count(n), percent_fixed(share(n, rows), 2)));
    let bar = |tally: &Tally| {
        let is_star = tally.label == SUPPRESSED && tally.before == 0;
        let before = (side != Side::After).then(|| (!is_star).then(|| value(tally.before)));
        let after = (side != Side::Before).then(|| Some(value(tally.after)));
        let label = if is_star { "* (suppressed)".to_owned() } else { tally.label.clone() };
        Bar { label, values: before.into_iter().chain(after).collect() }
    };
    let drawn: Vec<Bar> = tallies.iter().map(bar).collect();
    let series: &[(&str, &str)] = match side {
        Side::Before => &[("before", "before")],
        Side::After => &[("after", "after")],
        Side::Both => &[("before", "before"), ("after", "after")],
    };
    bars(&format!("Distribution of {name}"), &drawn, series, scale, width)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tallies(counts: &[u64]) -> Vec<Tally> {
        counts.iter().enumerate().map(|(i, &n)| Tally::new(&i.to_string(), n, n)).collect()
    }

    fn shown(folded: &[Tally]) -> Vec<(&str, u64)> {
        folded.iter().map(|t| (t.label.as_str(), t.before)).collect()
    }

    #[test]
    fn the_rarest_become_others() {
        let folded = fold(tallies(&(1..=20).collect::<Vec<_>>()), false, 0);
        assert_eq!(folded.len(), 13);
        assert_eq!(shown(&folded)[0], ("19", 20));
        assert_eq!(shown(&folded)[12], ("others (8)", 36));
        assert_eq!(fold(tallies(&[1; 13]), false, 0).len(), 13);
    }

    #[test]
    fn ordered_values_are_joined_with_their_neighbours() {
        let folded = fold(tallies(&[1; 30]), true, 0);
        assert_eq!(shown(&folded)[0], ("0 … 2", 3));
        assert_eq!(folded.len(), 10);
        assert_eq!(shown(&fold(tallies(&[7, 3]), true, 0)), [("0", 7), ("1", 3)]);
    }

    #[test]
    fn small_counts_of_the_input_are_never_shown_alone() {
        assert_eq!(shown(&fold(tallies(&[100, 9, 1]), false, 5)), [("0", 100), ("others (2)", 10)]);
        assert_eq!(shown(&fold(tallies(&[100, 1]), false, 5)), [("others (2)", 101)]);
        assert_eq!(shown(&fold(tallies(&[100, 2, 2, 2]), false, 5)), [("0", 100), ("others (3)", 6)]);
        assert_eq!(shown(&fold(tallies(&[9, 1, 9, 2]), true, 5)), [("0", 9), ("1 … 3", 12)]);
        assert_eq!(shown(&fold(tallies(&[3]), false, 5)), [("others (1)", 3)]);
    }

    #[test]
    fn sums_saturate() {
        assert_eq!(fold(tallies(&[u64::MAX; 14]), false, 0)[12].before, u64::MAX);
        assert!(fold(Vec::new(), true, 5).is_empty() && fold(Vec::new(), false, 5).is_empty());
    }
}
