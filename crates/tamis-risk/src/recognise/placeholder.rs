//! Texts that stand for no value.

const PLACEHOLDERS: &str = "na n/a n.a. n.a nan nil null none no nothing unknown missing unspecified not+available not+applicable \
    not+known not+specified no+data no+information no+remarks no+comment no+comments \
    ninguno ninguna nada desconocido desconocida no+aplica sin+datos sin+información s/d \
    brak brak+danych nieznany nieznane nie+dotyczy b/d \
    kein keine keines nichts unbekannt keine+angabe keine+angaben k.a. k.+a. entfällt \
    aucun aucune néant inconnu inconnue non+renseigné sans+objet n.c. nc";

/// Whether a text says that there is no value.
///
/// ```
/// use tamis_risk::recognise::is_placeholder;
/// assert!(is_placeholder(" N/A ") && is_placeholder("--") && is_placeholder("keine Angabe") && is_placeholder("brak"));
/// assert!(!is_placeholder("flu") && !is_placeholder("0") && !is_placeholder("none of the above"));
/// ```
pub fn is_placeholder(text: &str) -> bool {
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    let text = words.join("+");
    !text.contains(char::is_alphanumeric) || PLACEHOLDERS.split_whitespace().any(|placeholder| placeholder == text)
}
