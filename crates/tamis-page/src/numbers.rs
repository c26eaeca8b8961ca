//! Numbers as a reader wants them: thousands separated, four significant digits, percentages; `–` for what is not a
//! number.

const MISSING: &str = "–";

/// A count: `27,978`.
pub fn count(value: u64) -> String {
    grouped(&value.to_string())
}

/// A whole number given in decimal digits; anything else is returned as it is.
pub fn digits(text: &str) -> String {
    if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) { grouped(text) } else { text.to_owned() }
}

/// Four significant digits: `54.01`, `0.1621`, `1,235`; powers of ten beyond what reads easily.
pub fn significant(value: f64) -> String {
    if value.is_nan() {
        return MISSING.into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "∞".into() } else { "−∞".into() };
    }
    if value == 0.0 {
        return "0".into();
    }
    let magnitude = value.abs().log10().floor() as i32;
    if !(-5..15).contains(&magnitude) {
        let written = format!("{value:.3e}");
        let (mantissa, exponent) = written.split_once('e').unwrap_or((&written, "0"));
        return format!("{}·10^{exponent}", trimmed(mantissa));
    }
    let decimals = usize::try_from(3 - magnitude).unwrap_or(0);
    trimmed(&fixed(value, decimals)).to_owned()
}

/// A fraction as a percentage with four significant digits: `16.21%`.
pub fn percent(fraction: f64) -> String {
    if fraction.is_finite() { format!("{}%", significant(fraction * 100.0)) } else { significant(fraction) }
}

/// A fraction as a percentage with a fixed number of decimals, to be aligned in a column.
pub fn percent_fixed(fraction: f64, decimals: usize) -> String {
    if fraction.is_finite() { format!("{}%", fixed(fraction * 100.0, decimals)) } else { significant(fraction) }
}

/// A number with a fixed number of decimals and thousands separated.
pub fn fixed(value: f64, decimals: usize) -> String {
    if !value.is_finite() || value.abs() >= 1e15 {
        return significant(value);
    }
    let written = format!("{:.decimals$}", value.abs());
    let (whole, rest) = written.split_at(written.find('.').unwrap_or(written.len()));
    let sign = if value < 0.0 && written.bytes().any(|b| matches!(b, b'1'..=b'9')) { "−" } else { "" };
    format!("{sign}{}{rest}", grouped(whole))
}

/// The shortest digits that give the same double again.
pub fn exact(value: f64) -> String {
    if !value.is_finite() {
        significant(value)
    } else if value != 0.0 && (value.abs() < 1e-5 || value.abs() >= 1e17) {
        format!("{value:e}")
    } else {
        value.to_string()
    }
}

/// `part` of `whole` as a fraction; nothing of nothing is 0.
pub fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// "1 row", "2 rows".
pub fn counted(value: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(value), if value == 1 { one } else { many })
}

fn grouped(whole: &str) -> String {
    let mut out = String::with_capacity(whole.len() * 4 / 3 + 1);
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

fn trimmed(written: &str) -> &str {
    if written.contains('.') { written.trim_end_matches('0').trim_end_matches('.') } else { written }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_grouped_in_thousands() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(27_978), "27,978");
        assert_eq!(count(u64::MAX), "18,446,744,073,709,551,615");
        assert_eq!(digits("4320"), "4,320");
        assert_eq!(digits("many"), "many");
    }

    #[test]
    fn four_significant_digits() {
        assert_eq!(significant(54.011_583), "54.01");
        assert_eq!(significant(0.162_132), "0.1621");
        assert_eq!(significant(1_234.56), "1,235");
        assert_eq!(significant(-2.5), "−2.5");
        assert_eq!(significant(1.5e300), "1.5·10^300");
        assert_eq!(significant(1e-9), "1·10^-9");
    }

    #[test]
    fn percentages() {
        assert_eq!(percent(0.162_132_613), "16.21%");
        assert_eq!(percent(0.2), "20%");
        assert_eq!(percent(0.000_394_99), "0.0395%");
        assert_eq!(percent_fixed(0.5, 2), "50.00%");
        assert_eq!(percent_fixed(-0.000_000_1, 2), "0.00%");
    }

    #[test]
    fn what_is_not_a_number_is_a_dash() {
        assert_eq!(significant(f64::NAN), "–");
        assert_eq!(percent(f64::NAN), "–");
        assert_eq!(fixed(f64::INFINITY, 2), "∞");
        assert_eq!(exact(f64::NAN), "–");
        assert_eq!(percent(share(0, 0)), "0%");
    }

    #[test]
    fn exact_keeps_every_digit() {
        assert_eq!(exact(0.162_132_613_166_699_8), "0.1621326131666998");
        assert_eq!(exact(1e-300), "1e-300");
    }
}
