//! Aligned tables for a terminal.

/// Rows of cells under a header; numbers are aligned to the right.
#[derive(Debug, Default)]
pub(crate) struct TextTable {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl TextTable {
    pub(crate) fn new(header: &[&str]) -> Self {
        Self { header: header.iter().map(|&cell| cell.to_owned()).collect(), rows: Vec::new() }
    }

    pub(crate) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells.into_iter().map(|cell| printable(&cell)).collect());
    }

    /// The table as text, without a final newline.
    pub(crate) fn render(&self) -> String {
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column)).chain(self.header.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let is_number = |column: usize| {
            self.rows.iter().filter_map(|row| row.get(column)).all(|cell| {
                cell.is_empty() || cell.starts_with(|c: char| c.is_ascii_digit() || c == '-') && !cell.contains(' ')
            })
        };
        let widths: Vec<usize> = (0..self.header.len()).map(width).collect();
        let numbers: Vec<bool> = (0..self.header.len()).map(is_number).collect();
        let line = |cells: &[String]| {
            let padded: Vec<String> = cells
                .iter()
                .zip(widths.iter().zip(&numbers))
                .map(|(cell, (&width, &is_number))| {
                    let gap = " ".repeat(width - cell.chars().count());
                    if is_number { format!("{gap}{cell}") } else { format!("{cell}{gap}") }
                })
                .collect();
            padded.join("  ").trim_end().to_owned()
        };
        let rule: Vec<String> = widths.iter().map(|&width| "-".repeat(width)).collect();
        let mut lines = vec![line(&self.header), rule.join("  ")];
        lines.extend(self.rows.iter().map(|row| line(row)));
        lines.join("\n")
    }
}

/// Text of a file as a terminal may safely show it: line breaks and escape sequences are spelled out.
pub(crate) fn printable(text: &str) -> String {
    let mut printable = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() { printable.extend(character.escape_default()) } else { printable.push(character) }
    }
    printable
}

/// A share as a percentage.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.2}%", share * 100.0)
}
