//! Names of people, which no list could hold: what their writing and the words before them give away.

/// Titles before the name of a person.
const TITLES: &str = "Dr Dra DR DRA Prof PROF Mr Mrs Ms Sr Sra Srta Dña Herr Herrn Frau Mme Mlle Monsieur Pani Pana Panią dr dra prof mgr";
/// Titles that also begin names of places, such as Don Benito: they count within a sentence.
const TITLES_AMONG_WORDS: &str = "Don Doña Miss Madame";
/// Small words inside of names.
const PARTICLES: &str = "de del la las los y da das do dos e van von der den zu af al bin ibn di du le";
/// Words for who somebody is to somebody, which notes about people have and labels of categories hardly.
const KIN: &str = "brother sister wife husband mother father son daughter uncle aunt cousin neighbour neighbor mayor \
    hermano hermana esposo esposa marido madre padre hijo hija tío tía primo prima vecino vecina alcalde alcaldesa \
    brat siostra żona zona mąż maz matka ojciec syn córka corka sąsiad sasiad burmistrz \
    bruder schwester ehefrau ehemann mutter vater sohn tochter nachbar nachbarin bürgermeister \
    frère frere soeur sœur mari épouse mère pere père fils fille voisin voisine maire";

/// Whether a title stands before a name: `HIV (Dr.Weber)`.
pub(super) fn has_title(text: &str) -> bool {
    let words = pieces(text);
    let is_long = words.len() > 2;
    words.windows(2).any(|pair| {
        let is_title = listed(TITLES, pair[0]) || is_long && listed(TITLES_AMONG_WORDS, pair[0]);
        is_title && is_capitalised(pair[1])
    })
}

/// Whether words of a note speak of somebody: kin or a neighbour, or two capitalised words in a row behind one that is not, as names stand
/// in a sentence. Diseases that bear names are written so too; hence this is asked of values that hardly recur.
pub(super) fn speaks_of_somebody(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let has_kin = || pieces(text).iter().any(|word| listed(KIN, &word.to_lowercase()));
    let is_small = |word: &str| word.starts_with(char::is_lowercase) && word.ends_with(char::is_alphabetic);
    let is_name = || {
        words.windows(3).any(|three| is_small(three[0]) && is_whole_name(three[1]) && is_capitalised(bare(three[2])))
    };
    words.len() > 2 && (has_kin() || is_name())
}

/// Whether a text is written as a full name is: two to five words without digits, each with a capital letter but for such as `de`.
///
/// ```
/// use tamis_risk::recognise::is_like_full_name;
/// assert!(is_like_full_name("Ana García") && is_like_full_name("Gil, Luis") && is_like_full_name("JAN DE VRIES"));
/// assert!(!is_like_full_name("flu") && !is_like_full_name("Viral sinusitis") && !is_like_full_name("Type 2 Diabetes"));
/// ```
pub fn is_like_full_name(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().map(bare).collect();
    let is_capital = |word: &&&str| is_capitalised(word);
    let capitals = words.iter().filter(is_capital).count();
    (2..=5).contains(&words.len())
        && capitals >= 2
        && words.iter().all(|word| is_capitalised(word) || listed(PARTICLES, word))
}

/// A capital letter and others behind it.
fn is_capitalised(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
        && word.chars().count() > 1
        && word.chars().all(|c| c.is_alphabetic() || "'’-.".contains(c))
}

/// The first of two names: nothing but letters, so that the next word belongs to it.
fn is_whole_name(word: &str) -> bool {
    is_capitalised(word)
        && word.chars().all(|c| c.is_alphabetic() || c == '-')
        && word.chars().skip(1).any(char::is_lowercase)
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

/// The words of a text, whatever stands between them.
fn pieces(text: &str) -> Vec<&str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect()
}

fn listed(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|listed| listed == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_by_the_words_before_them() {
        for text in ["HIV (Dr.Weber)", "dr Kowalski", "seen by Prof. Ruiz", "flu, for Don Luis"] {
            assert!(has_title(text), "{text}");
        }
        for text in ["Don Benito", "MS Relapsing", "dr", "drug Aspirin", "Dr. 7"] {
            assert!(!has_title(text), "{text}");
        }
        for text in ["flu, brother of mayor Juan Perez", "gripe, hermano del paciente", "ask for Ana Gil"] {
            assert!(speaks_of_somebody(text), "{text}");
        }
        for text in ["chronic kidney disease", "Never married at all", "Morbus Crohn", "J45 Asthma bronchiale"] {
            assert!(!speaks_of_somebody(text), "{text}");
        }
    }
}
