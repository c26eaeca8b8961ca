//! Columns that a person would take for one that is sealed: their values are readable, and nobody may have meant that.

use unicode_normalization::UnicodeNormalization as _;

use super::{Columns, Plan};

/// Two columns of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Namesake<'a> {
    /// The position of the one that nobody selected.
    pub(crate) position: usize,
    pub(crate) column: &'a str,
    /// The one that is to be sealed.
    pub(crate) sealed: &'a str,
}

/// Columns that nobody selected and that are called like one that is to be sealed, but for what [`folded`] leaves out.
pub(crate) fn namesakes<'a>(plan: &'a Plan, selectors: &[&'a Columns]) -> Vec<Namesake<'a>> {
    let sealed = selectors.iter().flat_map(|table| &table.columns).filter(|column| column.required);
    let sealed: Vec<(&str, String)> = sealed.map(|column| (column.column.as_str(), folded(&column.column))).collect();
    let mut found = Vec::new();
    for (position, column) in plan.columns.iter().enumerate().filter(|(at, _)| plan.targets[*at].is_none()) {
        let name = folded(column);
        let alike = sealed.iter().filter(|(_, other)| *other == name);
        found.extend(alike.map(|(sealed, _)| Namesake { position, column, sealed }));
    }
    found
}

/// A name as a person sees it: without regard to case and to the way in which letters are composed, without blanks, control characters
/// and signs that take no room, and without what programs put around it.
pub(crate) fn folded(name: &str) -> String {
    let name: String = name.nfkc().flat_map(char::to_lowercase).nfkc().filter(is_seen).collect();
    // Programs that join tables number columns of one name, as in `disease.1`; others leave quotation marks or rules around names.
    let unnumbered = match name.rsplit_once('.') {
        Some((name, number)) if !number.is_empty() && number.bytes().all(|sign| sign.is_ascii_digit()) => name,
        _ => &name,
    };
    match unnumbered.trim_matches(|sign: char| !sign.is_alphanumeric()) {
        "" => name,
        word => word.to_owned(),
    }
}

/// The key of a record as a person sees it, if that is another text: without blanks, control characters and signs that take no room.
pub(crate) fn seen(key: &str) -> Option<String> {
    (!key.bytes().all(|byte| byte.is_ascii_graphic())).then(|| key.nfc().filter(is_seen).collect())
}

fn is_seen(sign: &char) -> bool {
    !sign.is_whitespace() && !sign.is_control() && !is_invisible(*sign)
}

/// Signs that Unicode says to show nothing for (`Default_Ignorable_Code_Point`), as far as texts have them.
fn is_invisible(sign: char) -> bool {
    matches!(
        sign,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::rows::Column;

    fn found(sealed: &str, column: &str) -> usize {
        let columns = vec!["Id".to_owned(), sealed.to_owned(), column.to_owned()];
        let one = Column { column: sealed.to_owned(), field: sealed.to_owned(), required: true };
        let (table, key, element) = ("t".to_owned(), "Id".to_owned(), "UCRYPT".to_owned());
        let selector = Columns { source: table.clone(), table, key, columns: vec![one], element };
        let plan = Plan::new("the file".into(), columns, &[&selector], false).unwrap();
        namesakes(&plan, &[&selector]).len()
    }

    #[test]
    fn what_looks_like_a_sealed_column_is_found() {
        for other in [
            "choroba",
            " Choroba ",
            "Choroba\u{a0}",
            "\u{feff}Choroba",
            "Cho\u{200b}roba",
            "Choro\u{ad}ba",
            "\u{202e}Choroba",
            "Choroba\n",
            "Cho roba",
            "Ｃｈｏｒｏｂａ",
            "'Choroba'",
            "\"choroba\"",
            "Choroba.1",
            "choroba_",
        ] {
            assert_eq!(found("Choroba", other), 1, "{other:?}");
        }
        for (sealed, other) in [("é", "e\u{301}"), ("é", "E\u{301}"), ("E\u{301}", "é"), ("Zawód", "ZAWO\u{301}D")]
        {
            assert_eq!(found(sealed, other), 1, "{sealed:?} {other:?}");
        }
        for other in ["Choroba2", "Choroba.x", "1.Choroba", "Choroby", "e", "", "\u{200b}"] {
            assert_eq!(found("Choroba", other), 0, "{other:?}");
        }
        assert_eq!(found("%", "#"), 0);
    }
}
