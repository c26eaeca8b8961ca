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

/// Columns that nobody selected and that are called like one that is to be sealed, or like its field in the policy, but for what [`folded`]
/// leaves out, or for a number that one of them has.
pub(crate) fn namesakes<'a>(plan: &'a Plan, selectors: &[&'a Columns]) -> Vec<Namesake<'a>> {
    let sealed = selectors.iter().flat_map(|table| &table.columns).filter(|column| column.required);
    let names = |name: &str| [folded(name), folded(unnumbered(name))];
    let sealed: Vec<(&str, [String; 2], [String; 2])> =
        sealed.map(|column| (column.column.as_str(), names(&column.column), names(&column.field))).collect();
    // Of two that have numbers, the numbers tell.
    let is_alike =
        |one: &[String; 2], other: &[String; 2]| one[0] == other[0] || one[0] == other[1] || one[1] == other[0];
    let is_free = |at: usize| plan.targets[at].is_none() && !plan.keys.iter().any(|key| key.position == at);
    let mut found = Vec::new();
    for (position, column) in plan.columns.iter().enumerate().filter(|(at, _)| is_free(*at)) {
        let name = names(column);
        let alike = sealed.iter().filter(|(_, column, field)| is_alike(&name, column) || is_alike(&name, field));
        found.extend(alike.map(|(sealed, ..)| Namesake { position, column, sealed }));
    }
    found
}

/// A name as a person sees it: without regard to case and to the way in which letters are composed, without blanks, control characters
/// and signs that take no room, and without what programs put around it.
pub(crate) fn folded(name: &str) -> String {
    let name: String = name.nfkc().flat_map(char::to_lowercase).nfkc().filter(|sign| is_seen(*sign)).collect();
    match name.trim_matches(|sign: char| !sign.is_alphanumeric()) {
        "" => name,
        word => word.to_owned(),
    }
}

/// A name without the numbers behind it: programs that join tables number columns of one name, as in `disease.1`, `disease_1` or
/// `disease (1)`, and again if they join them again.
fn unnumbered(name: &str) -> &str {
    let is_sign = |sign: char| !sign.is_alphanumeric();
    let mut name = name;
    loop {
        let numbered = name.trim_end_matches(is_sign);
        let signed = numbered.trim_end_matches(|sign: char| sign.is_ascii_digit());
        let plain = signed.trim_end_matches(is_sign);
        if signed.len() == numbered.len() || plain.len() == signed.len() || plain.is_empty() {
            return name;
        }
        name = plain;
    }
}

/// The key of a record as a person sees it, if that is another text: without blanks, control characters and signs that take no room.
pub(crate) fn seen(key: &str) -> Option<String> {
    (!key.bytes().all(|byte| byte.is_ascii_graphic())).then(|| key.nfc().filter(|sign| is_seen(*sign)).collect())
}

fn is_seen(sign: char) -> bool {
    !sign.is_whitespace() && !sign.is_control() && !is_invisible(sign)
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
            "Choroba_1",
            "Choroba (1)",
            "choroba[1]",
            "Choroba 1",
            "Choroba.1.1",
            "Choroba...3",
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
        assert_eq!(found("Choroba_1", "Choroba"), 1);
        assert_eq!(found("Choroba_1", "Choroba_2"), 0);
    }

    #[test]
    fn a_column_that_is_called_like_the_field_of_another_is_found() {
        let columns = ["Id", "Choroba", "d2"].map(str::to_owned).to_vec();
        let one = Column { column: "d2".into(), field: "choroba".into(), required: true };
        let (table, key, element) = ("t".to_owned(), "Id".to_owned(), "UCRYPT".to_owned());
        let selector = Columns { source: table.clone(), table, key, columns: vec![one], element };
        let plan = Plan::new("the file".into(), columns, &[&selector], false).unwrap();
        assert_eq!(namesakes(&plan, &[&selector]), [Namesake { position: 1, column: "Choroba", sealed: "d2" }]);
    }
}
