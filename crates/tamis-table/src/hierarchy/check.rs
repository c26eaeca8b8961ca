//! Everything that is wrong with a hierarchy, not only the first thing.

use super::HierarchyRow;
use std::collections::{HashMap, HashSet};

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The hierarchy cannot be used.
    Error,
    /// It can be used but is probably not what was meant.
    Warning,
    /// Worth knowing.
    Note,
}

/// What was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum FindingKind {
    /// No lines, or a line without a value.
    Empty,
    /// A line with another number of columns than the first.
    UnevenRow,
    /// A value listed twice with different labels.
    TwoParents,
    /// A label whose values are split again one level up.
    NotCoarsening,
    /// A value of the data that is not listed.
    MissingValue,
    /// A line that says the same as an earlier one.
    RepeatedLine,
    /// The last level has more than one label, so the values never become one.
    SeveralTops,
    /// A label that is also a value which does not lie under it.
    AmbiguousLabel,
    /// Listed values that the data does not have.
    UnusedValues,
}

/// One thing found in a hierarchy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The line it was found in, if it lies in one.
    pub line: Option<u64>,
    /// How bad it is.
    pub severity: Severity,
    /// What it is.
    pub kind: FindingKind,
    /// A sentence that says where, what and what to do.
    pub message: String,
}

/// Everything wrong or odd about the rows of a hierarchy, in line order; findings about the whole come last.
///
/// Without a finding of [`Severity::Error`], [`Hierarchy::from_rows`](super::Hierarchy::from_rows) accepts the rows. Time and
/// memory are linear in the number of cells.
///
/// ```
/// use tamis_table::HierarchyRow;
/// use tamis_table::hierarchy::{FindingKind, check};
/// let row = |line, text: &str| HierarchyRow { line, labels: text.split(';').map(str::to_owned).collect() };
/// let findings = check(&[row(1, "Lima;Peru;*"), row(2, "Cusco;Peru;America"), row(3, "Lima;Chile;*")]);
/// assert_eq!(findings[0].message, "line 2 generalizes `Peru` to `America` on level 2 but line 1 to `*`; give it one label there");
/// assert_eq!(findings[1].message, "line 3 gives `Lima` other labels than line 1 does; keep one of the two");
/// assert_eq!(findings[2].kind, FindingKind::SeveralTops);
/// ```
pub fn check(rows: &[HierarchyRow]) -> Vec<Finding> {
    let mut check = Check { rows, width: rows.first().map_or(0, |row| row.labels.len()), findings: Vec::new() };
    if check.width == 0 {
        check.add(
            None,
            Severity::Error,
            FindingKind::Empty,
            "it is empty; expected lines `value;level 1;...;*`".to_owned(),
        );
        return check.findings;
    }
    let values = check.values();
    check.coarsening(&values);
    check.ambiguity(&values);
    check.top();
    check.findings.sort_by_key(|finding| (finding.line.unwrap_or(u64::MAX), finding.severity, finding.kind));
    check.findings
}

/// [`check`], and whether the values of a column are all listed.
///
/// The empty text is a missing value, which need not be listed.
///
/// ```
/// use tamis_table::HierarchyRow;
/// use tamis_table::hierarchy::check_against;
/// let rows = [HierarchyRow { line: 1, labels: vec!["Lima".to_owned(), "*".to_owned()] }];
/// let findings = check_against(&rows, ["Lima", "Cusco"]);
/// assert_eq!(findings[0].message, "it does not list the value `Cusco`; add a line for it");
/// ```
pub fn check_against<'a>(rows: &[HierarchyRow], values: impl IntoIterator<Item = &'a str>) -> Vec<Finding> {
    let mut findings = check(rows);
    let listed: HashSet<&str> = rows.iter().filter_map(|row| row.labels.first()).map(String::as_str).collect();
    let mut found: HashSet<&str> = HashSet::new();
    for value in values {
        if found.insert(value) && !value.is_empty() && !listed.contains(value) {
            findings.push(Finding {
                line: None,
                severity: Severity::Error,
                kind: FindingKind::MissingValue,
                message: format!("it does not list the value `{value}`; add a line for it"),
            });
        }
    }
    let mut unused = rows.iter().filter(|row| row.labels.first().is_some_and(|value| found.insert(value)));
    if let Some(row) = unused.next() {
        let subject = match unused.count() {
            0 => "does".to_owned(),
            1 => "and 1 more value do".to_owned(),
            others => format!("and {others} more values do"),
        };
        findings.push(Finding {
            line: None,
            severity: Severity::Note,
            kind: FindingKind::UnusedValues,
            message: format!(
                "`{}` (line {}) {subject} not occur in the data; every listed value counts when loss is measured",
                row.labels[0], row.line
            ),
        });
    }
    findings
}

struct Check<'a> {
    rows: &'a [HierarchyRow],
    width: usize,
    findings: Vec<Finding>,
}

impl<'a> Check<'a> {
    fn add(&mut self, line: Option<u64>, severity: Severity, kind: FindingKind, message: String) {
        self.findings.push(Finding { line, severity, kind, message });
    }

    /// The first row of each value; rows of another width and later rows of a value are reported and left out.
    fn values(&mut self) -> HashMap<&'a str, &'a HierarchyRow> {
        let mut values: HashMap<&str, &HierarchyRow> = HashMap::new();
        let first_line = self.rows[0].line;
        for row in self.rows {
            let (line, found) = (row.line, row.labels.len());
            if found != self.width {
                let message = format!(
                    "line {line} has {found} columns where line {first_line} has {}; give every value one label per level",
                    self.width
                );
                self.add(Some(line), Severity::Error, FindingKind::UnevenRow, message);
                continue;
            }
            let value = row.labels[0].as_str();
            let first = *values.entry(value).or_insert(row);
            if std::ptr::eq(first, row) {
                continue;
            }
            if first.labels == row.labels {
                let message = format!(
                    "line {line} repeats line {} (`{value}`); delete one of them, as each counts when loss is measured",
                    first.line
                );
                self.add(Some(line), Severity::Warning, FindingKind::RepeatedLine, message);
            } else {
                let message = format!(
                    "line {line} gives `{value}` other labels than line {} does; keep one of the two",
                    first.line
                );
                self.add(Some(line), Severity::Error, FindingKind::TwoParents, message);
            }
        }
        values
    }

    /// The rows that [`Check::values`] kept, in line order.
    fn kept<'b>(
        &self,
        values: &'b HashMap<&'a str, &'a HierarchyRow>,
    ) -> impl Iterator<Item = &'a HierarchyRow> + use<'a, 'b> {
        let width = self.width;
        self.rows.iter().filter(move |row| {
            row.labels.len() == width
                && values.get(row.labels[0].as_str()).is_some_and(|&first| std::ptr::eq(first, *row))
        })
    }

    fn coarsening(&mut self, values: &HashMap<&'a str, &'a HierarchyRow>) {
        for level in 2..self.width {
            let mut parents: HashMap<&str, &HierarchyRow> = HashMap::new();
            let mut reported: HashSet<(&str, &str)> = HashSet::new();
            for row in self.kept(values) {
                let (label, parent) = (row.labels[level - 1].as_str(), row.labels[level].as_str());
                let first = *parents.entry(label).or_insert(row);
                if first.labels[level] != parent && reported.insert((label, parent)) {
                    let message = format!(
                        "line {} generalizes `{label}` to `{parent}` on level {level} but line {} to `{}`; give it one label there",
                        row.line, first.line, first.labels[level]
                    );
                    self.add(Some(row.line), Severity::Error, FindingKind::NotCoarsening, message);
                }
            }
        }
    }

    /// A released label that is spelled like a value must cover that value, or readers take one for the other.
    fn ambiguity(&mut self, values: &HashMap<&'a str, &'a HierarchyRow>) {
        let mut reported: HashSet<&str> = HashSet::new();
        for row in self.kept(values) {
            for level in 1..self.width {
                let label = row.labels[level].as_str();
                let Some(other) = values.get(label).filter(|other| other.labels[level] != label) else { continue };
                if reported.insert(label) {
                    let message = format!(
                        "line {} uses `{label}` as a label on level {level}, where the value `{label}` of line {} becomes `{}`; \
                         rename the label or move the value under it",
                        row.line, other.line, other.labels[level]
                    );
                    self.add(Some(row.line), Severity::Warning, FindingKind::AmbiguousLabel, message);
                }
            }
        }
    }

    fn top(&mut self) {
        let even = self.rows.iter().filter(|row| row.labels.len() == self.width);
        let mut tops: Vec<&str> = Vec::new();
        let mut seen: HashSet<&str> = HashSet::new();
        for top in even.filter_map(|row| row.labels.last()) {
            if seen.insert(top) {
                tops.push(top);
            }
        }
        if let [first, second, ..] = tops[..] {
            let message = format!(
                "the last level has {} labels, among them `{first}` and `{second}`; add a level `*` so that all values can become one",
                tops.len()
            );
            self.add(None, Severity::Warning, FindingKind::SeveralTops, message);
        }
    }
}
