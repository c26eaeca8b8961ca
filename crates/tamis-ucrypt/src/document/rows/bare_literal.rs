//! Values that SQL writes without quotes.

/// A value that may stand bare: a number, a truth value or bytes in hexadecimal.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum BareLiteral {
    /// Digits, perhaps behind a sign. Too many for 64 bits are still one.
    Integer,
    /// A number with a decimal point or an exponent.
    Real,
    /// `TRUE` or `FALSE`.
    Truth,
    /// `X'...'`, with an even number of digits: the digits.
    Bytes(String),
    /// `0x...` or `B'...'`, of which only some systems know what they are.
    Bits,
}

impl BareLiteral {
    /// What a text would be if it stood bare. `None` is anything else: a name, a call, a NULL.
    pub(crate) fn of(text: &str) -> Option<Self> {
        if text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false") {
            return Some(Self::Truth);
        }
        if let Some(digits) = quoted(text, b'x') {
            let whole = digits.len().is_multiple_of(2) && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
            return whole.then(|| Self::Bytes(digits.to_owned()));
        }
        if let Some(digits) = quoted(text, b'b') {
            return digits.bytes().all(|digit| matches!(digit, b'0' | b'1')).then_some(Self::Bits);
        }
        if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
            let whole = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
            return whole.then_some(Self::Bits);
        }
        number(text.as_bytes())
    }
}

fn quoted(text: &str, letter: u8) -> Option<&str> {
    let first = *text.as_bytes().first()?;
    if !first.eq_ignore_ascii_case(&letter) {
        return None;
    }
    text[1..].strip_prefix('\'')?.strip_suffix('\'')
}

fn number(text: &[u8]) -> Option<BareLiteral> {
    let digits = |from: &[u8]| from.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut rest = text.strip_prefix(b"-").or_else(|| text.strip_prefix(b"+")).unwrap_or(text);
    let whole = digits(rest);
    rest = &rest[whole..];
    let mut kind = BareLiteral::Integer;
    let mut broken = 0;
    if let Some(after) = rest.strip_prefix(b".") {
        broken = digits(after);
        rest = &after[broken..];
        kind = BareLiteral::Real;
    }
    if whole + broken == 0 {
        return None;
    }
    if let [b'e' | b'E', after @ ..] = rest {
        let after = after.strip_prefix(b"-").or_else(|| after.strip_prefix(b"+")).unwrap_or(after);
        let exponent = digits(after);
        if exponent == 0 {
            return None;
        }
        rest = &after[exponent..];
        kind = BareLiteral::Real;
    }
    rest.is_empty().then_some(kind)
}

#[cfg(test)]
mod tests {
    use super::BareLiteral;

    #[test]
    fn numbers_truth_values_and_bytes_may_stand_bare() {
        for (text, kind) in [
            ("0", BareLiteral::Integer),
            ("-17", BareLiteral::Integer),
            ("007", BareLiteral::Integer),
            ("1.50", BareLiteral::Real),
            (".5", BareLiteral::Real),
            ("5.", BareLiteral::Real),
            ("-9e999", BareLiteral::Real),
            ("1E+3", BareLiteral::Real),
            ("TRUE", BareLiteral::Truth),
            ("X'00fF'", BareLiteral::Bytes("00fF".into())),
            ("0x1F", BareLiteral::Bits),
            ("b'101'", BareLiteral::Bits),
        ] {
            assert_eq!(BareLiteral::of(text), Some(kind), "{text}");
        }
    }

    #[test]
    fn nothing_else_may() {
        for text in [
            "", ".", "-", "e5", "1e", "1 ", "1;", "--1", "1--", "NULL", "x'0'", "x'0g'", "0x", "b'2'", "f()", "1,2",
            "'a'", "½",
        ] {
            assert_eq!(BareLiteral::of(text), None, "{text}");
        }
    }
}
