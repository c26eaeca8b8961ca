//! Telephone and fax numbers.

/// Whether a text is a telephone number: 7 to 15 digits (as ITU-T E.164 allows) in groups, led by `+`, `00` or an area code in
/// brackets, or else in at least two groups; a bare run of digits could be any number and a date is none.
///
/// ```
/// use tamis_risk::recognise::is_phone;
/// assert!(is_phone("+56 9 8765 4321") && is_phone("(212) 555-0123") && is_phone("212-555-0123") && is_phone("+48221234567"));
/// assert!(!is_phone("12345678") && !is_phone("2020-01-02") && !is_phone("05403") && !is_phone("123-45-6789"));
/// ```
pub fn is_phone(text: &str) -> bool {
    let text = text.trim();
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let is_shaped = text.chars().all(|c| c.is_ascii_digit() || "+()-. /".contains(c)) && text.matches('+').count() <= 1;
    if !is_shaped || !(7..=15).contains(&digits) || super::is_calendar_date(text) {
        return false;
    }
    if text.starts_with('+') || (text.starts_with("00") && text.len() > 10) || text.starts_with('(') {
        return true;
    }
    let groups: Vec<usize> =
        text.split(|c: char| !c.is_ascii_digit()).filter(|group| !group.is_empty()).map(str::len).collect();
    // A date, a decimal number or a social security number has a last group of one or two digits, or groups of 3, 2 and 4.
    groups.len() >= 2
        && !text.contains('.')
        && groups.last().is_some_and(|&last| last >= 3)
        && groups.iter().all(|&group| group <= 5)
        && groups != [3, 2, 4]
}

/// What people write before a number to call.
const CALLED: &str = "tel telf tlf telefon telefone telefono teléfono telephone téléphone tél phone mobile mobil móvil movil cel \
    celular kom komórka komorka handy fax fon whatsapp call llamar llame dzwonić anrufen appeler";
/// Among words, a number in fewer groups or digits is rather a range, a year or an amount of money.
const LEAST_GROUPS: usize = 3;
const LEAST_DIGITS: usize = 9;

/// Whether a telephone number stands in a text, alone, in a list or among words.
///
/// ```
/// use tamis_risk::recognise::has_phone;
/// assert!(has_phone("600 123 400 / 600 123 500") && has_phone("tel:+34600123400") && has_phone("ask Ana, phone 600123400"));
/// assert!(!has_phone("1 250 000 EUR") && !has_phone("INV-2020-00123") && !has_phone("2020-01-02 10:30") && !has_phone("600123400"));
/// assert!(!has_phone("10000-15000 EUR") && !has_phone("100 000-150 000 EUR") && !has_phone("born 1990-1999"));
/// assert!(!has_phone("from 18 000 to 25 000 zl") && !has_phone("from 2020-01-02 on") && !has_phone("52.2297 21.0122"));
/// ```
pub fn has_phone(text: &str) -> bool {
    is_phone(text) || runs(text).any(|(before, run)| is_number_to_call(before, run))
}

/// Whether a telephone number stands in a text that nothing else is: one of 8 to 15 digits behind `+`, one in groups behind `00`, one
/// whose area code is in brackets, or nine digits or more behind a word such as `tel`.
///
/// ```
/// use tamis_risk::recognise::has_unmistakable_phone;
/// assert!(has_unmistakable_phone("+34 602 603 062") && has_unmistakable_phone("flu, ask +48221234567"));
/// assert!(has_unmistakable_phone("0034 602 603 062") && has_unmistakable_phone("(212) 555-0123") && has_unmistakable_phone("tel 602603062"));
/// assert!(!has_unmistakable_phone("+12345678.5") && !has_unmistakable_phone("602 603 062") && !has_unmistakable_phone("+1234567"));
/// assert!(!has_unmistakable_phone("(2020) 1234567") && !has_unmistakable_phone("0012345678905"));
/// ```
pub fn has_unmistakable_phone(text: &str) -> bool {
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).count();
    runs(text).any(|(before, run)| {
        let run = run.trim_end_matches(['.', '-', '(', ' ', '+']);
        let has_country = run.rsplit_once('+').is_some_and(|(_, number)| {
            let is_decimal = number.matches('.').count() == 1 && !number.contains([' ', '-', '(']);
            number.starts_with(|c: char| ('1'..='9').contains(&c)) && (8..=15).contains(&digits(number)) && !is_decimal
        });
        let number = run.trim_start();
        let has_prefix = number.strip_prefix("00").is_some_and(|number| {
            number.starts_with(|c: char| ('1'..='9').contains(&c))
                && digits(number) >= LEAST_DIGITS
                && number.contains([' ', '-'])
        });
        let has_area =
            number.strip_prefix('(').and_then(|number| number.split_once(')')).is_some_and(|(area, rest)| {
                (2..=3).contains(&area.len()) && digits(area) == area.len() && digits(rest) + area.len() >= LEAST_DIGITS
            });
        let is_called = is_called(before) && digits(run) >= LEAST_DIGITS && is_number_to_call(before, run);
        has_country || has_prefix || has_area || is_called
    })
}

/// Whether a telephone number stands in a text that cannot be an amount of money: with a country code or an area code in brackets, or in
/// three groups of nine digits or more that are no thousands.
///
/// ```
/// use tamis_risk::recognise::has_plain_phone;
/// assert!(has_plain_phone("(212) 555-0123") && has_plain_phone("212-555-0123") && has_plain_phone("+34 602 603 062"));
/// assert!(!has_plain_phone("1 250 000") && !has_plain_phone("120 250 000") && !has_plain_phone("12.250.000"));
/// ```
pub fn has_plain_phone(text: &str) -> bool {
    has_unmistakable_phone(text)
        || runs(text).any(|(before, run)| {
            let groups: Vec<&str> =
                run.split(|c: char| !c.is_ascii_digit()).filter(|group| !group.is_empty()).collect();
            let are_thousands = !run.contains('-') && groups.iter().skip(1).all(|group| group.len() == 3);
            is_number_to_call(before, run)
                && (run.trim_start().starts_with('(') || groups.len() >= LEAST_GROUPS && !are_thousands)
        })
}

/// The runs of digits and what may stand between them, each with the text before it. What is part of a word, such as `INV-2020-1`, is none.
fn runs(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let is_part = |c: char| c.is_ascii_digit() || "+()-. ".contains(c);
    let mut from = 0;
    text.split(move |c: char| !is_part(c)).filter_map(move |run| {
        let start = text[from..].find(run).map_or(from, |at| from + at);
        let end = start + run.len();
        from = end;
        let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let is_glued = is_word(text[..start].chars().next_back()) && !run.starts_with([' ', '(', '.'])
            || is_word(text[end..].chars().next()) && !run.ends_with([' ', ')', '.']);
        (!is_glued).then_some((&text[..start], run))
    })
}

/// Whether the last word before a number says that it is one to call.
fn is_called(before: &str) -> bool {
    let last = before.trim_end_matches(|c: char| !c.is_alphanumeric()).rsplit(|c: char| !c.is_alphabetic()).next();
    last.is_some_and(|word| CALLED.split_whitespace().any(|call| call == word.to_lowercase()))
}

fn is_number_to_call(before: &str, run: &str) -> bool {
    run.split(" - ").any(|piece| {
        let piece = piece.trim_start_matches(['.', '-', ')', ' ']).trim_end_matches(['.', '-', '(', ' ', '+']);
        let groups: Vec<usize> =
            piece.split(|c: char| !c.is_ascii_digit()).filter(|group| !group.is_empty()).map(str::len).collect();
        let digits: usize = groups.iter().sum();
        let is_led = piece.starts_with(['+', '(']) || piece.starts_with("00");
        let is_grouped_alike = [' ', '-', '.'].iter().filter(|&&separator| piece.contains(separator)).count() == 1;
        let is_long = groups.len() >= LEAST_GROUPS && digits >= LEAST_DIGITS && is_grouped_alike;
        let is_called = is_called(before);
        let is_bare = groups.len() == 1 && (7..=15).contains(&digits);
        is_phone(piece) && (is_led || is_long || is_called) || is_bare && is_called
    })
}

/// Whether a run of digits among words is rather an amount of money, such as `1 250 000`, or a range from one number to another.
pub(super) fn is_amount_or_range(run: &str) -> bool {
    let digits = |part: &str| part.chars().filter(char::is_ascii_digit).count();
    let is_grouped = |part: &str| {
        let groups: Vec<usize> = part.split(' ').map(str::len).collect();
        (1..=3).contains(&groups[0]) && groups[1..].iter().all(|&group| group == 3)
    };
    let parts: Vec<&str> = run.split('-').map(str::trim).collect();
    let are_plain = parts
        .iter()
        .all(|part| part.chars().all(|c| c.is_ascii_digit() || c == ' ') && (is_grouped(part) || !part.contains(' ')));
    match parts.as_slice() {
        [one] => are_plain && digits(one) < LEAST_DIGITS,
        [from, to] => are_plain && digits(from) > 3 && digits(to) > 3,
        _ => false,
    }
}
