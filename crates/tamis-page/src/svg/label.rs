//! Text that fits the room it has. A page without script cannot measure text, so widths are estimated.

/// Shortens `text` to about `width` pixels at the drawing's 12-pixel type; the caller keeps the whole in a `<title>`.
pub(super) fn fit(text: &str, width: f64) -> String {
    let room = (width / 6.4).max(1.0) as usize;
    let mut used = 0;
    for (at, c) in text.char_indices() {
        used += columns(c);
        if used > room {
            let mut shorter = text[..at].to_owned();
            shorter.pop();
            return shorter.trim_end().to_owned() + "…";
        }
    }
    text.to_owned()
}

/// Chinese, Japanese and Korean characters and emoji take two columns.
fn columns(c: char) -> usize {
    if matches!(c, '\u{1100}'..='\u{115F}' | '\u{2E80}'..='\u{A4CF}' | '\u{AC00}'..='\u{D7A3}' | '\u{F900}'..='\u{FAFF}' | '\u{FE30}'..='\u{FE6F}' | '\u{FF00}'..='\u{FF60}' | '\u{1F300}'..='\u{1FAFF}' | '\u{20000}'..='\u{3FFFD}')
    {
        2
    } else {
        1
    }
}

#[cfg(test)]
mod tests {
    use super::fit;

    #[test]
    fn long_text_is_shortened_between_characters() {
        assert_eq!(fit("short", 100.0), "short");
        assert_eq!(fit("Outlying-US(Guam-USVI-etc)", 64.0), "Outlying-…");
        assert_eq!(fit("éééééééééééé", 64.0), "ééééééééé…");
        assert_eq!(fit("東京都千代田区", 64.0), "東京都千…");
        assert_eq!(fit("abc", 0.0), "…");
    }
}
