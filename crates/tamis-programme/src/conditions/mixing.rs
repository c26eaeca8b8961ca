//! Who may meet in a slot, as users write it.

use crate::{People, ProgrammeError};
use std::fmt;
use tamis_appointments::{Attribute, Limit, MixingRule, Share, Who};
use tamis_table::{Codes, Column};

/// A mixing rule by the names of columns and values.
///
/// `COLUMN:NUMBER` speaks of each value of the column by itself, `COLUMN=VALUE:NUMBER` of one value, `COLUMN!=VALUE:NUMBER` of all
/// others together. The number stands behind the last colon and the column before the first `=` or `!=`, so values may contain any of
/// them.
///
/// ```
/// use tamis_programme::{MixingText, WhoText};
///
/// let rule = MixingText::share("Nationality!=Norway:0.15")?;
/// assert_eq!((rule.column.as_str(), rule.who), ("Nationality", WhoText::AllBut("Norway".to_owned())));
/// assert!(MixingText::distinct("Nationality!=Norway:three").is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MixingText {
    /// The column of people.
    pub column: String,
    /// Whom the rule counts.
    pub who: WhoText,
    /// What it asks of them.
    pub limit: Limit,
}

/// Whom a rule counts, by the value itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WhoText {
    /// The people of each value by themselves.
    Each,
    /// The people of one value.
    Only(String),
    /// Everybody but the people of one value.
    AllBut(String),
}

impl MixingText {
    /// A largest share: `Nationality!=Norway:0.15`.
    pub fn share(text: &str) -> Result<Self, String> {
        let (column, who, number) = split(text, "0.15")?;
        let limit = Limit::MaximumShare(number.parse::<Share>()?);
        Ok(Self { column, who, limit })
    }

    /// A smallest number of different values: `Nationality!=Norway:3`.
    pub fn distinct(text: &str) -> Result<Self, String> {
        let (column, who, number) = split(text, "3")?;
        let least = number.parse().ok().filter(|&least: &u32| least > 0 && number.bytes().all(|b| b.is_ascii_digit()));
        let least =
            least.ok_or_else(|| format!("`{number}` is not a number of values; write a whole number from 1 on"))?;
        if let (WhoText::Only(value), true) = (&who, least > 1) {
            return Err(format!(
                "`{text}` asks people with the one value `{value}` to have {least}; write != or no value"
            ));
        }
        Ok(Self { column, who, limit: Limit::MinimumDistinct(least) })
    }
}

impl fmt::Display for MixingText {
    /// The rule as it is written behind its flag.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.limit {
            Limit::MaximumShare(_) => "--max-share ",
            Limit::MinimumDistinct(_) => "--min-distinct ",
        })?;
        f.write_str(&self.column)?;
        match &self.who {
            WhoText::Each => {}
            WhoText::Only(value) => write!(f, "={value}")?,
            WhoText::AllBut(value) => write!(f, "!={value}")?,
        }
        match self.limit {
            Limit::MaximumShare(share) => {
                let (numerator, denominator) = share.fraction();
                let digits = denominator.ilog10() as usize;
                if digits == 0 {
                    return write!(f, ":{numerator}");
                }
                write!(f, ":{}.{:0digits$}", numerator / denominator, numerator % denominator)
            }
            Limit::MinimumDistinct(least) => write!(f, ":{least}"),
        }
    }
}

fn split<'a>(text: &'a str, example: &str) -> Result<(String, WhoText, &'a str), String> {
    let wanted =
        || format!("`{text}` is not a rule; write COLUMN:{example}, COLUMN=VALUE:{example} or COLUMN!=VALUE:{example}");
    let (whom, number) = text.rsplit_once(':').ok_or_else(wanted)?;
    let (column, who) = match whom.split_once('=') {
        None => (whom, WhoText::Each),
        Some((column, value)) => match column.strip_suffix('!') {
            Some(column) => (column, WhoText::AllBut(value.to_owned())),
            None => (column, WhoText::Only(value.to_owned())),
        },
    };
    if column.is_empty() {
        return Err(wanted());
    }
    Ok((column.to_owned(), who, number))
}

/// The rules bound to the values of the people.
#[derive(Debug, Clone, Default)]
pub(crate) struct Mixing {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) rules: Vec<MixingRule>,
    /// For each attribute the code of every row.
    pub(crate) codes: Vec<Codes>,
    /// For each attribute its code of each value of the column.
    code_of_value: Vec<Vec<u32>>,
}

impl Mixing {
    /// Finds columns and values. Values that no rule tells apart become one, so that fewer kinds of people have to be scheduled.
    pub(crate) fn bind(texts: &[MixingText], people: &People) -> Result<Self, ProgrammeError> {
        let mut mixing = Self::default();
        for text in texts {
            let column = people.sheet.column(&text.column)?;
            if !mixing.attributes.iter().any(|known| known.name == text.column) {
                let about: Vec<&MixingText> = texts.iter().filter(|other| other.column == text.column).collect();
                mixing.add_attribute(column, &about, people.count());
            }
        }
        for text in texts {
            let attribute = mixing.attributes.iter().position(|known| known.name == text.column).unwrap_or_default();
            let code = |value: &String| {
                let known = people.sheet.column(&text.column)?.dictionary().iter().position(|known| known == value);
                known.map(|at| mixing.code_of_value[attribute][at]).ok_or_else(|| unknown_value(text, value, people))
            };
            let who = match &text.who {
                WhoText::Each => Who::Each,
                WhoText::Only(value) => Who::Only(code(value)?),
                WhoText::AllBut(value) => Who::AllBut(code(value)?),
            };
            mixing.rules.push(MixingRule { attribute, who, limit: text.limit });
        }
        Ok(mixing)
    }

    fn add_attribute(&mut self, column: &Column, about: &[&MixingText], rows: usize) {
        let tells_all_apart = |rule: &&MixingText| match (&rule.who, rule.limit) {
            (WhoText::Each, _) => true,
            (WhoText::AllBut(_), Limit::MinimumDistinct(least)) => least > 1,
            _ => false,
        };
        let is_named = |value: &str| {
            about.iter().any(|rule| match &rule.who {
                WhoText::Only(named) | WhoText::AllBut(named) => named == value,
                WhoText::Each => false,
            })
        };
        let keeps_all = about.iter().any(tells_all_apart);
        let mut values: Vec<String> = Vec::new();
        let mut others = None;
        let code_of: Vec<u32> = column
            .dictionary()
            .iter()
            .map(|value| {
                if keeps_all || is_named(value) {
                    values.push(value.to_owned());
                    return values.len() as u32 - 1;
                }
                *others.get_or_insert_with(|| {
                    values.push("any other".to_owned());
                    values.len() as u32 - 1
                })
            })
            .collect();
        let codes = (0..rows).map(|row| code_of[column.codes().get(row) as usize]).collect();
        self.attributes.push(Attribute { name: column.name().to_owned(), values });
        self.codes.push(Codes::Wide(codes));
        self.code_of_value.push(code_of);
    }
}

fn unknown_value(rule: &MixingText, value: &str, people: &People) -> ProgrammeError {
    const SHOWN: usize = 8;
    let known: Vec<&str> =
        people.sheet.column(&rule.column).map(|column| column.dictionary().iter().collect()).unwrap_or_default();
    let mut shown: Vec<String> = known.iter().take(SHOWN).map(|value| format!("`{value}`")).collect();
    if known.len() > SHOWN {
        shown.push(format!("{} more", known.len() - SHOWN));
    }
    ProgrammeError::Invalid(format!(
        "{rule}: nobody in {} has `{}` {value}; the values are {}",
        people.sheet.name(),
        rule.column,
        shown.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_rule_is_read_as_it_is_written(text in "[A-Za-z:]{1,4}(!?=[a-z:=!]{0,4})?:[0-9]?\\.?[0-9]{0,3}") {
            for rule in [MixingText::share(&text), MixingText::distinct(&text)].into_iter().flatten() {
                let written = rule.to_string();
                let (flag, behind) = written.split_once(' ').expect("a flag");
                let again = if flag == "--max-share" { MixingText::share(behind) } else { MixingText::distinct(behind) };
                prop_assert_eq!(again, Ok(rule));
            }
        }
    }

    #[test]
    fn what_is_no_rule_is_told() {
        for text in ["", ":", "a", "=b:1", "!=b:1", "a:", "a:2", "a:-1", "a:1e-1", "a:0.1234567891", "a:nan"] {
            assert!(MixingText::share(text).is_err(), "{text}");
        }
        for text in ["a:0", "a:1.5", "a:+1", "a=b:2", "a:99999999999"] {
            assert!(MixingText::distinct(text).is_err(), "{text}");
        }
    }
}
