//! Sentences that somebody wrote, which may hold anything, also names.

use super::person_name::{has_title, speaks_of_somebody};
use super::phone::is_amount_or_range;
use super::{has_email, has_url, is_calendar_date, is_phone, is_placeholder};

/// From so many words on a value may be a sentence, and one that seldom recurs is taken for it.
const WORDS: usize = 4;
/// From so many words on it is hardly the label of a category.
const MANY_WORDS: usize = 7;
/// A value of more characters, or of several lines, is a text whatever its words.
const LONG: usize = 100;
/// The share of the different values that must be long, or have many words.
const LEAST_LONG: f64 = 0.1;
const LEAST_WORDY: f64 = 0.3;
/// Labels of categories recur in more rows than this, or there are fewer of them than that.
const FEW_REPEATS: u64 = 10;
const MANY_LABELS: usize = 10;
/// So many notes that only one row each has are no categories; nor are so many in fewer rows than this each, beside a value that most
/// rows have.
const FEW_NOTES: usize = 3;
const FEW_ROWS_EACH: u64 = 5;

/// Whether these different values, each with its number of rows, are free text.
///
/// They are judged by themselves, not by how many rows have them: a note in one row of a hundred is as free as a hundred notes. Values
/// that say that there is none do not count.
///
/// ```
/// use tamis_risk::recognise::are_free_text;
/// let notes = [("seen by Dr Smith, follow-up in two weeks and blood test", 40), ("none", 900), ("pain in the left arm after a fall", 7)];
/// assert!(are_free_text(&notes));
/// assert!(are_free_text(&[("flu", 90), ("other: ask Ana, +48 22 123 45 67", 1)]));
/// assert!(are_free_text(&[("ok", 900), ("lives with Ana Garcia nearby", 3), ("gave the key to Luis", 2), ("works for Eva Ruiz", 1)]));
/// assert!(!are_free_text(&[("never married", 50), ("married, spouse absent", 9)]));
/// ```
pub fn are_free_text(values: &[(&str, u64)]) -> bool {
    let values: Vec<(&str, u64)> = values.iter().filter(|(text, _)| !is_placeholder(text)).copied().collect();
    let (different, rows) = (values.len(), values.iter().map(|&(_, count)| count).sum::<u64>());
    if different == 0 {
        return false;
    }
    let having = |is_one: &dyn Fn(&str) -> bool| values.iter().filter(|(text, _)| is_one(text)).count();
    let share = |is_one: &dyn Fn(&str) -> bool| having(is_one) as f64 / different as f64;
    let is_long = |text: &str| text.trim().contains('\n') || text.chars().count() > LONG;
    let seldom_recurs = different > 1 && different as u64 * 2 > rows
        || different >= MANY_LABELS && different as u64 * FEW_REPEATS >= rows;
    // A sentence that only one row has is no category, nor is one that speaks of somebody and hardly recurs.
    let is_own = |&(text, count): &(&str, u64)| count == 1 && words(text) >= MANY_WORDS;
    let is_about_somebody = |&(text, count): &(&str, u64)| count < FEW_ROWS_EACH && speaks_of_somebody(text);
    share(&is_long) >= LEAST_LONG
        || share(&|text| words(text) >= MANY_WORDS) >= LEAST_WORDY
        || (seldom_recurs && share(&|text| words(text) >= WORDS) >= 0.5)
        || values.iter().any(|value| is_own(value) || is_about_somebody(value))
        || values.iter().filter(|&&(text, count)| count == 1 && words(text) >= WORDS).count() >= FEW_NOTES
        || are_notes_beside_a_filler(&values)
        || having(&|text| is_structured(text) || tells_of_somebody(text)) > 0
}

/// Whether most rows have one short value, such as `ok`, and the others notes of a few words that seldom recur.
fn are_notes_beside_a_filler(values: &[(&str, u64)]) -> bool {
    let rows: u64 = values.iter().map(|&(_, count)| count).sum();
    let is_filler = |&&(text, count): &&(&str, u64)| count * 2 >= rows && words(text) < WORDS;
    let Some(&(filler, _)) = values.iter().find(is_filler) else { return false };
    let others = values.iter().filter(|&&(text, _)| text != filler);
    let (different, rows) = others.clone().fold((0, 0), |(different, rows), &(_, count)| (different + 1, rows + count));
    let wordy = others.filter(|&&(text, _)| words(text) >= WORDS).count();
    different >= FEW_NOTES && different as u64 * FEW_ROWS_EACH >= rows && wordy * 2 >= different
}

/// The words of a text; where a script has no blanks between them, two characters are a word.
fn words(text: &str) -> usize {
    let is_unspaced =
        |c: &char| matches!(*c, '\u{e00}'..='\u{eff}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}');
    let is_between = |c: char| c.is_whitespace() || "_,;|".contains(c);
    let spaced = text.split(is_between).filter(|word| word.contains(char::is_alphabetic)).count();
    spaced + text.chars().filter(is_unspaced).count() / 2
}

/// Whether a text is a document of its own, whose fields may hold anything: JSON or XML.
fn is_structured(text: &str) -> bool {
    let text = text.trim();
    let is_between = |open: &str, close: &str| text.starts_with(open) && text.ends_with(close);
    is_between("{", "}") && text.contains("\":")
        || is_between("[", "]") && text.contains('"')
        || is_between("<", ">") && (text.contains("</") || text.contains("/>"))
}

/// Whether a text has somebody's address or name with a title in it, or is several words and has a number among them.
fn tells_of_somebody(text: &str) -> bool {
    const WORDS_AROUND_A_NUMBER: usize = 3;
    let words = || text.split_whitespace().count();
    has_email(text) || has_url(text) || has_title(text) || words() >= WORDS_AROUND_A_NUMBER && tells_a_number(text)
}

/// Whether a number for the telephone stands between the words of a text.
fn tells_a_number(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_digit() || "+()-. /".contains(c);
    let has_letters = text.contains(char::is_alphabetic);
    let runs = text.split(|c: char| !is_part(c)).map(|run| run.trim_matches([' ', '.', '-', '/', ')']));
    let digits = |run: &str| run.chars().filter(char::is_ascii_digit).count();
    // Alone, nine bare digits could be anything; within a sentence they are a number to call, or one that is as telling.
    let is_bare = |run: &str| digits(run) >= 9 && run.bytes().all(|byte| byte.is_ascii_digit());
    has_letters
        && runs
            .filter(|run| !is_calendar_date(run))
            .any(|run| is_phone(run) && !is_amount_or_range(run) || is_bare(run))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_categories_are_no_free_text() {
        for labels in [
            vec![
                "J45 Asthma bronchiale, nicht allergisch",
                "I10 Essentielle Hypertonie ohne Angabe",
                "E11 Diabetes mellitus",
            ],
            vec!["Some college, no degree", "High school graduate", "Master's degree"],
            vec!["Kopfschmerzen", "Fieber", "Husten"],
            vec!["New York", "San Antonio, Texas", "Los Angeles"],
            vec!["2020-01-02 10:30", "from 2020-01-02 on", "1990 to 1999"],
            vec![
                "from 100 000 to 200 000 zl",
                "18 000 - 25 000 EUR a year",
                "100 000-150 000 EUR a year",
                "1 250 000 EUR a year",
            ],
        ] {
            let counted: Vec<(&str, u64)> = labels.into_iter().map(|label| (label, 40)).collect();
            assert!(!are_free_text(&counted), "{counted:?}");
        }
    }

    #[test]
    fn sentences_are_free_text_however_often_they_recur() {
        for (sentences, count) in [
            (
                vec![
                    "Patient complains of pain in the left arm",
                    "no remarks",
                    "Wizyta kontrolna u Jana Kowalskiego, skierowanie do kardiologa",
                ],
                400,
            ),
            (vec!["患者は左腕の痛みを訴えている。", "来週再診。娘の佐藤花子から電話。"], 40),
            (vec!["line one\nline two", "x"], 9),
            (vec!["flu", "cold", "HIV, see Dr. Weber"], 30),
            (vec!["flu", "call sister 601234567 first"], 30),
            (vec!["flu", "write to ana@example.org (sister)"], 30),
        ] {
            let counted: Vec<(&str, u64)> = sentences.into_iter().map(|sentence| (sentence, count)).collect();
            assert!(are_free_text(&counted), "{counted:?}");
        }
    }
}
