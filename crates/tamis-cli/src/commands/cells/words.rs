//! Cells and numbers in words.

/// `1 cell`, `2 cells`.
pub(super) fn cells(count: usize) -> String {
    counted(count as u64, "cell", "cells")
}

/// `1 equation`, `2 equations`.
pub(super) fn equations(count: usize) -> String {
    counted(count as u64, "equation", "equations")
}

/// A number with its noun.
pub(super) fn counted(count: u64, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

/// A number without the noise of its last binary digits.
pub(super) fn number(value: f64) -> String {
    if !value.is_finite() {
        return if value > 0.0 { "inf".to_owned() } else { "-inf".to_owned() };
    }
    // Fifteen digits: as many as a number holds for sure.
    let rounded: f64 = format!("{value:.14e}").parse().unwrap_or(value);
    if rounded == 0.0 { "0".to_owned() } else { rounded.to_string() }
}

/// The value as JSON has it: no number for what is infinite.
pub(super) fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

/// What a side of a level is called in files.
pub(super) fn level_name(side: tamis_cells::Side) -> &'static str {
    match side {
        tamis_cells::Side::Upper => "upl",
        tamis_cells::Side::Lower => "lpl",
        tamis_cells::Side::Width => "spl",
    }
}

/// Who attacks.
pub(super) fn attacker_name(table: &tamis_cells::CellTable, attacker: usize) -> &str {
    attacker.checked_sub(1).map_or("public", |known| &table.attackers()[known].name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_lose_the_noise_of_sums() {
        assert_eq!(number(0.1 + 0.2), "0.3");
        assert_eq!(number(115.0), "115");
        assert_eq!(number(-0.0), "0");
        assert_eq!(number(f64::NEG_INFINITY), "-inf");
        assert_eq!(number(1e9 + 0.25), "1000000000.25");
        assert_eq!(number(182_780_310.076_1), "182780310.0761");
    }
}
