//! (k,e)-anonymity: the sensitive numbers of every class are many and far apart.
//!
//! A class holds iff it has at least k different numbers and the largest exceeds the smallest by at least e (Zhang, Koudas, Srivastava
//! and Yu 2007). k is a whole number from 1, e a number from 0; neither may be more
//! than the whole table has. Texts of the same number (5 and 5.0) are one number. Where people have
//! several rows there must also be k people: the values of one person are no choice. The paper reaches it by permuting the numbers
//! inside groups; generalization reaches it just as well, and the requirement on a group is the same.
//!
//! Numbers are taken as they are written, whatever their length, and e as the shortest decimal number that it is: 0.3 - 0.1 is 0.2.
//!
//! Monotone and hereditary: a union has all numbers of its parts and spans at least as much, and a part has no number that the class
//! lacks and spans no more. One pass over the values, O(values).
//!
//! Salaries of Table 17 of the thesis, in thousands: 3, 5 and 9 in one class.
//!
//! ```
//! use tamis_privacy::models::k_e::{distinct_and_span, Numbers};
//! use tamis_privacy::TableFacts;
//! let facts = TableFacts::of_values("salary", &["9", "3", "5"], &[1, 1, 1]);
//! let numbers = Numbers::of(&facts.sensitive[0])?;
//! assert_eq!(distinct_and_span(&[1, 1, 1], &numbers), (3, 6.0));
//! # Ok::<(), tamis_privacy::ModelError>(())
//! ```

use super::ATTRIBUTE;
use crate::{Bind, Class, Model, ModelError, ModelKind, ParameterKind, Parameters, SensitiveFacts, TableFacts, Value};
use num_bigint::BigInt;
use tamis_table::ExactNumber;

/// Registry entry.
pub const KIND: ModelKind = ModelKind {
    kind: "k-e-anonymity",
    promise: "every class has at least k different sensitive numbers, and they span at least e",
    parameters: &[
        ParameterKind { name: "k", meaning: "least number of different numbers, a whole number from 1" },
        ParameterKind { name: "e", meaning: "least difference of the largest and the smallest, a number from 0" },
        ATTRIBUTE,
    ],
    bind: Bind::Classes(bind),
};

/// The numbers that the codes of a sensitive attribute stand for, in ascending order.
#[derive(Debug, Clone)]
pub struct Numbers {
    /// Each with its code.
    ascending: Vec<(ExactNumber, u32)>,
}

impl Numbers {
    /// The numbers of an attribute; an error if some value is none.
    pub fn of(sensitive: &SensitiveFacts) -> Result<Self, ModelError> {
        let Some(numbers) = sensitive.numbers() else { return Err(not_numbers(sensitive)) };
        let mut ascending: Vec<(ExactNumber, u32)> = numbers
            .into_iter()
            .zip(0..)
            .filter(|&(_, code)| sensitive.totals.get(code as usize).is_some_and(|&total| total > 0))
            .collect();
        ascending.sort();
        Ok(Self { ascending })
    }

    /// For each place the first one whose number is at least e above its own; the number of places where none is.
    fn reaches(&self, e: f64) -> Vec<usize> {
        let e = ExactNumber::parse(&format!("{e:e}"));
        let numbers = || self.ascending.iter().map(|(number, _)| number).chain(&e);
        // All in whole numbers of the finest unit, so that sums are exact.
        let unit = numbers().map(ExactNumber::last_place).min().unwrap_or(0);
        let mut whole: Vec<BigInt> =
            numbers().map(|number| number.in_units(unit).parse().unwrap_or_default()).collect();
        let e = whole.pop().unwrap_or_default();
        let mut reach = 0;
        let mut first_from = |number: &BigInt| {
            while whole.get(reach).is_some_and(|other| *other < number + &e) {
                reach += 1;
            }
            reach
        };
        whole.iter().map(&mut first_from).collect()
    }
}

fn not_numbers(sensitive: &SensitiveFacts) -> ModelError {
    let is_number = |text: &str| text.trim().parse::<f64>().is_ok_and(f64::is_finite);
    let mut occurring = sensitive.values.iter().zip(&sensitive.totals).filter(|&(_, &total)| total > 0);
    let found = occurring.find(|(value, _)| !is_number(value)).map_or("", |(value, _)| value.as_str());
    let attribute = sensitive.name.clone();
    if found.trim().is_empty() {
        let reason = format!("it works on numbers, but `{attribute}` has missing values; remove or fill those rows");
        return ModelError::Impossible { kind: KIND.kind, reason };
    }
    ModelError::NotNumbers { kind: KIND.kind, attribute, found: found.to_owned() }
}

/// How many different numbers occur, and by how much the largest exceeds the smallest; zeros for an empty class.
pub fn distinct_and_span(counts: &[u32], numbers: &Numbers) -> (u64, f64) {
    let (distinct, least, most) = extent(counts, &numbers.ascending);
    let number = |place: usize| numbers.ascending.get(place).map_or(0.0, |(number, _)| near(number));
    (distinct, number(most) - number(least))
}

fn near(number: &ExactNumber) -> f64 {
    format!("{}e{}", number.in_units(number.last_place()), number.last_place()).parse().unwrap_or(0.0)
}

/// How many different numbers occur, and the places of the smallest and the largest.
fn extent(counts: &[u32], ascending: &[(ExactNumber, u32)]) -> (u64, usize, usize) {
    let (mut distinct, mut least, mut most) = (0, 0, 0);
    for (place, (number, code)) in ascending.iter().enumerate() {
        if counts[*code as usize] > 0 {
            if distinct == 0 {
                least = place;
            }
            distinct += u64::from(distinct == 0 || ascending[most].0 != *number);
            most = place;
        }
    }
    (distinct, least, most)
}

#[derive(Debug)]
struct KE {
    k: u64,
    e: f64,
    numbers: Numbers,
    /// For each number in ascending order the first that is at least e above it.
    reaches: Vec<usize>,
    sensitive: SensitiveFacts,
}

fn bind(parameters: &Parameters, facts: &TableFacts) -> Result<Vec<Box<dyn Model>>, ModelError> {
    let k = parameters.whole(KIND.kind, "k", KIND.parameters[0].meaning, 1)?;
    let e = parameters.number(KIND.kind, "e", KIND.parameters[1].meaning, (0.0, f64::MAX))?;
    let sensitive = parameters.sensitive(KIND.kind, facts)?;
    if k > facts.rows {
        return Err(ModelError::KExceedsRows { k, rows: facts.rows });
    }
    let model = |sensitive: &SensitiveFacts| {
        if let Some(found) = &sensitive.dotted {
            return Err(ModelError::thousands_or_decimals(KIND.kind, &sensitive.name, found));
        }
        let numbers = Numbers::of(sensitive)?;
        let reaches = numbers.reaches(e);
        check_reach((k, e), &numbers, &reaches, &sensitive.name)?;
        Ok(Box::new(KE { k, e, numbers, reaches, sensitive: sensitive.clone() }) as Box<dyn Model>)
    };
    sensitive.into_iter().map(model).collect()
}

/// What the whole table does not have no class can have.
fn check_reach((k, e): (u64, f64), numbers: &Numbers, reaches: &[usize], attribute: &str) -> Result<(), ModelError> {
    let impossible = |reason: String| Err(ModelError::Impossible { kind: KIND.kind, reason });
    let mut ascending: Vec<&ExactNumber> = numbers.ascending.iter().map(|(number, _)| number).collect();
    let reaches_e = reaches.first().is_some_and(|&reach| reach < ascending.len());
    ascending.dedup();
    let distinct = ascending.len() as u64;
    if k > distinct {
        return impossible(format!(
            "k = {k} is more than the {distinct} different numbers of `{attribute}`; choose k between 1 and {distinct}"
        ));
    }
    if !reaches_e {
        let number = |number: Option<&&ExactNumber>| Value::Number(number.map_or(0.0, |number| near(number)));
        let (least, most) = (number(ascending.first()), number(ascending.last()));
        return impossible(format!(
            "e = {} is more than the numbers of `{attribute}` span, which go from {least} to {most}; choose a smaller e",
            Value::Number(e)
        ));
    }
    Ok(())
}

impl Model for KE {
    fn describe(&self) -> String {
        format!("({},{})-anonymity of the numbers {}", self.k, Value::Number(self.e), self.sensitive.name)
    }

    fn holds(&self, class: &Class<'_>) -> bool {
        let (distinct, least, most) = extent(self.sensitive.counts(class.counts), &self.numbers.ascending);
        class.size >= self.k && distinct >= self.k && self.reaches.get(least).is_some_and(|&reach| most >= reach)
    }

    fn is_hereditary(&self) -> bool {
        true
    }

    fn least_size(&self) -> u64 {
        self.k
    }
}
