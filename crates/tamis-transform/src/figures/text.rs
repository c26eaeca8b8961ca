//! The figures as a person reads them: what changed much in aligned tables, the rest in a sentence.

use super::{BeforeAfter, CategoryChange, FigureChanges, NumberChange, NumberFigures, ValueChange};
use crate::numbers::write_number;

/// Correlations, shares and associations that move by less are summarised.
const WORTH_SHOWING: f64 = 0.005;
/// More lines than this of one kind are summarised.
const MOST_LINES: usize = 10;

impl FigureChanges {
    /// Aligned tables and plain sentences, without a final newline.
    pub fn to_text(&self) -> String {
        let mut parts = vec![rows_sentence(self)];
        parts.extend(numbers_table(&self.numbers));
        parts.extend(correlations_table(self));
        parts.extend(categories_table(self));
        parts.extend(contingency_table(self));
        parts.join("\n\n")
    }
}

fn rows_sentence(changes: &FigureChanges) -> String {
    let mut parts = vec![format!("rows {}", count_change(changes.rows.before, changes.rows.after))];
    for (names, what) in [(&changes.only_before, "gone"), (&changes.only_after, "new")] {
        if !names.is_empty() {
            parts.push(format!("{what}: {}", printable(&names.join(", "))));
        }
    }
    parts.join("; ")
}

fn numbers_table(numbers: &[NumberChange]) -> Option<String> {
    let (same, changed): (Vec<_>, Vec<_>) = numbers.iter().partition(|column| column.before == column.after);
    let mut table = Lines::new(&["numbers", "n", "mean", "variance", "min", "max"]);
    for column in &changed {
        let cell = |figure: fn(&NumberFigures) -> Option<f64>| {
            change(&significant(figure(&column.before)), &significant(figure(&column.after)))
        };
        let mut n = count_change(column.before.n, column.after.n);
        if column.after.not_comparable > 0 {
            n = format!("{n} ({} not numbers)", column.after.not_comparable);
        }
        let figures = [cell(|f| f.mean), cell(|f| f.variance), cell(|f| f.min), cell(|f| f.max)];
        table.row(&[vec![column.column.clone(), n], figures.to_vec()].concat());
    }
    let names: Vec<&str> = same.iter().map(|column| column.column.as_str()).collect();
    table.with_rest((!names.is_empty()).then(|| format!("numbers unchanged: {}", printable(&names.join(", ")))))
}

fn correlations_table(changes: &FigureChanges) -> Option<String> {
    let all = changes.correlations.changes();
    let mut table = Lines::new(&["correlation of", "before", "after"]);
    let shown = all.iter().take_while(|change| change.size() >= WORTH_SHOWING).take(MOST_LINES);
    for change in shown {
        table.row(&[change.columns.join(", "), decimals(change.before), decimals(change.after)]);
    }
    let rest = all.get(table.len()).map(|change| {
        format!("correlations not shown: {}, changed by at most {:.4}", all.len() - table.len(), change.size())
    });
    table.with_rest(rest)
}

fn categories_table(changes: &FigureChanges) -> Option<String> {
    let mut table = Lines::new(&["categories", "values", "distance", "largest change of a share"]);
    let (mut moved, same): (Vec<_>, Vec<_>) =
        changes.categories.iter().partition(|column| column.distance.is_none_or(|distance| distance > 0.0));
    moved.sort_by(|left, right| right.distance.unwrap_or(0.0).total_cmp(&left.distance.unwrap_or(0.0)));
    for column in moved.iter().take(MOST_LINES) {
        let values = count_change(column.distinct.before, column.distinct.after);
        let distance = column.distance.map_or("-".to_owned(), |distance| format!("{distance:.4}"));
        table.row(&[column.column.clone(), values, distance, largest_share_change(column, changes.rows)]);
    }
    let mut rest = Vec::new();
    if let Some(next) = moved.get(table.len()) {
        let distance = next.distance.unwrap_or(0.0);
        rest.push(format!("categories not shown: {}, distance at most {distance:.4}", moved.len() - table.len()));
    }
    if !same.is_empty() {
        let names: Vec<&str> = same.iter().map(|column| column.column.as_str()).collect();
        rest.push(format!("categories unchanged: {}", printable(&names.join(", "))));
    }
    table.with_rest((!rest.is_empty()).then(|| rest.join("\n")))
}

/// The values listed always include the one whose share changed most.
fn largest_share_change(column: &CategoryChange, rows: BeforeAfter<u64>) -> String {
    let share =
        |value: &ValueChange| (value.before as f64 / rows.before as f64, value.after as f64 / rows.after as f64);
    let size = |value: &ValueChange| (share(value).0 - share(value).1).abs();
    let Some(most) = column.values.iter().reduce(|best, value| if size(value) > size(best) { value } else { best })
    else {
        return String::new();
    };
    let (before, after) = share(most);
    let name = most.value.as_deref().unwrap_or("(missing)");
    format!("{}: {}", shortened(name), change(&format!("{before:.4}"), &format!("{after:.4}")))
}

/// The beginning of a value that is too long for a cell, such as a number of 309 digits.
fn shortened(value: &str) -> String {
    const MOST: usize = 40;
    if value.chars().count() <= MOST {
        return value.to_owned();
    }
    value.chars().take(MOST - 3).chain("...".chars()).collect()
}

fn contingency_table(changes: &FigureChanges) -> Option<String> {
    let mut tables: Vec<_> = changes.contingency.iter().collect();
    tables.sort_by(|left, right| right.distance.unwrap_or(0.0).total_cmp(&left.distance.unwrap_or(0.0)));
    let mut table = Lines::new(&["contingency table of", "distance", "Cramér's V"]);
    for pair in tables.iter().take_while(|pair| pair.distance.is_some_and(|d| d >= WORTH_SHOWING)).take(MOST_LINES) {
        let [before, after] = [pair.cramers_v.before, pair.cramers_v.after].map(association);
        table.row(&[pair.columns.join(", "), format!("{:.4}", pair.distance.unwrap_or(0.0)), change(&before, &after)]);
    }
    let rest = tables.get(table.len()).map(|pair| {
        let distance = pair.distance.unwrap_or(0.0);
        format!("contingency tables not shown: {}, distance at most {distance:.4}", tables.len() - table.len())
    });
    table.with_rest(rest)
}

fn association(v: Option<f64>) -> String {
    v.map_or("-".to_owned(), decimals)
}

/// Three decimals, and no sign for what rounds to zero.
fn decimals(value: f64) -> String {
    let mut text = String::new();
    write_number(&mut text, value, 3);
    text
}

fn count_change(before: u64, after: u64) -> String {
    change(&before.to_string(), &after.to_string())
}

fn change(before: &str, after: &str) -> String {
    if before == after { before.to_owned() } else { format!("{before} -> {after}") }
}

/// Five significant digits; whole numbers in full.
fn significant(value: Option<f64>) -> String {
    let Some(value) = value else { return "-".to_owned() };
    let magnitude = if value == 0.0 { 0 } else { value.abs().log10().floor() as i32 };
    if !(-5..15).contains(&magnitude) {
        return format!("{value:.4e}");
    }
    let written = format!("{value:.*}", usize::try_from(4 - magnitude).unwrap_or(0));
    if written.contains('.') { written.trim_end_matches('0').trim_end_matches('.').to_owned() } else { written }
}

/// Text of a file as a terminal may safely show it.
fn printable(text: &str) -> String {
    let spelled =
        |character: char| if character.is_control() { character.escape_default().collect() } else { vec![character] };
    text.chars().flat_map(spelled).collect()
}

/// Lines of cells under a header, aligned to the left.
struct Lines {
    lines: Vec<Vec<String>>,
}

impl Lines {
    fn new(header: &[&str]) -> Self {
        Self { lines: vec![header.iter().map(|&cell| cell.to_owned()).collect()] }
    }

    fn row(&mut self, cells: &[String]) {
        self.lines.push(cells.iter().map(|cell| printable(cell)).collect());
    }

    /// Lines below the header.
    fn len(&self) -> usize {
        self.lines.len() - 1
    }

    /// The table and a sentence below it; nothing if there is neither.
    fn with_rest(self, rest: Option<String>) -> Option<String> {
        let table = (self.len() > 0).then(|| self.render());
        let parts: Vec<String> = table.into_iter().chain(rest).collect();
        (!parts.is_empty()).then(|| parts.join("\n"))
    }

    fn render(&self) -> String {
        let width = |column: usize| self.lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.lines[0].len()).map(width).collect();
        let rule: Vec<String> = widths.iter().map(|&width| "-".repeat(width)).collect();
        let line = |cells: &[String]| {
            let padded = cells.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}"));
            padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        };
        let mut rendered = vec![line(&self.lines[0]), rule.join("  ")];
        rendered.extend(self.lines[1..].iter().map(|cells| line(cells)));
        rendered.join("\n")
    }
}
