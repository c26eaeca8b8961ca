//! Models of shares, spans, likeness, disclosure, populations and risk: drawn at random, bound, and judged by their definitions.

use super::{Dice, Sample};
use std::collections::{BTreeMap, BTreeSet};
use tamis_privacy::{Model, Parameters, TableFacts, Value, bind};

/// What is asked; fractions are whole numbers of tenths, hundredths or halves so that the twin can be exact.
#[derive(Debug, Clone)]
pub(crate) enum Ask {
    AlphaK { tenths: u64, k: u64, only: Option<String> },
    Span { k: u64, e: u64 },
    Confidence { value: String, tenths: u64, others: Option<u64> },
    Likeness { tenths: u64, is_enhanced: bool },
    Disclosure { halves: u32 },
    Map { k: u64 },
    Prosecutor { hundredths: u64 },
    Journalist { hundredths: u64 },
}

/// A model of one class, on one sensitive attribute where it looks at any.
#[derive(Debug, Clone)]
pub(crate) struct ClassModel {
    pub(crate) ask: Ask,
    pub(crate) attribute: usize,
}

impl ClassModel {
    /// One or two that make sense for the table.
    pub(crate) fn random(dice: &mut Dice, sample: &Sample) -> Vec<Self> {
        (0..dice.within(1, 2)).map(|_| Self::one(dice, sample)).collect()
    }

    fn one(dice: &mut Dice, sample: &Sample) -> Self {
        let size = sample.size_of_table();
        let k = dice.within(1, (size as usize).min(5)) as u64;
        // Risks that the table is large enough for.
        let hundredths = dice.within(100usize.div_ceil(size as usize).max(15), 100) as u64;
        if sample.flavour.population && dice.chance(40) || sample.trees.is_empty() {
            let ask = match (dice.below(3), sample.flavour.population) {
                (0, true) => Ask::Map { k: dice.within(1, 9) as u64 },
                (1, true) => Ask::Journalist { hundredths: dice.within(8, 100) as u64 },
                _ => Ask::Prosecutor { hundredths },
            };
            return Self { ask, attribute: 0 };
        }
        let attribute = dice.below(sample.trees.len());
        let value = dice.pick(&sample.rows).sensitive[attribute].clone();
        let tenths = dice.within(2, 10) as u64;
        let ask = match dice.below(6) {
            0 => Ask::AlphaK { tenths, k, only: dice.chance(40).then_some(value) },
            1 => {
                // No more than the whole table has, which would be refused.
                let numbers = sample.rows.iter().filter(|row| row.is_released).map(|row| &row.sensitive[attribute]);
                let numbers: BTreeSet<u64> = numbers.map(|value| value.parse().unwrap()).collect();
                let span = numbers.last().zip(numbers.first()).map_or(0, |(most, least)| most - least);
                Ask::Span { k: k.min(4).min(numbers.len() as u64), e: (dice.within(0, 9) as u64).min(span) }
            }
            2 => Ask::Confidence { value, tenths, others: dice.chance(50).then(|| dice.within(3, 10) as u64) },
            3 => Ask::Likeness { tenths: dice.within(1, 30) as u64, is_enhanced: dice.chance(50) },
            4 => Ask::Disclosure { halves: dice.within(1, 8) as u32 },
            _ => Ask::Prosecutor { hundredths },
        };
        Self { ask, attribute }
    }

    pub(crate) fn bind(&self, facts: &TableFacts) -> Vec<Box<dyn Model>> {
        let whole = |value: u64| Value::Integer(i64::try_from(value).unwrap());
        let share = |tenths: u64| Value::Number(tenths as f64 / 10.0);
        let risk = |hundredths: u64| Parameters::from([("max", (hundredths as f64 / 100.0).into())]);
        let attribute = || Value::Text(format!("s{}", self.attribute));
        let (kind, parameters) = match &self.ask {
            Ask::AlphaK { tenths, k, only } => {
                let mut parameters =
                    Parameters::from([("alpha", share(*tenths)), ("k", whole(*k)), ("attribute", attribute())]);
                parameters.0.extend(only.iter().map(|value| ("values".to_owned(), value.as_str().into())));
                ("alpha-k-anonymity", parameters)
            }
            Ask::Span { k, e } => {
                ("k-e-anonymity", Parameters::from([("k", whole(*k)), ("e", whole(*e)), ("attribute", attribute())]))
            }
            Ask::Confidence { value, tenths, others } => {
                let bounds = Value::from([(value.as_str(), share(*tenths))]);
                let mut parameters = Parameters::from([("bounds", bounds), ("attribute", attribute())]);
                parameters.0.extend(others.map(|tenths| ("t".to_owned(), share(tenths))));
                ("confidence-bounding", parameters)
            }
            Ask::Likeness { tenths, is_enhanced } => {
                let variant = if *is_enhanced { "enhanced" } else { "basic" };
                let parameters = [("beta", share(*tenths)), ("variant", variant.into()), ("attribute", attribute())];
                ("beta-likeness", Parameters::from(parameters))
            }
            Ask::Disclosure { halves } => {
                let delta = Value::Number(f64::from(*halves) / 2.0);
                ("delta-disclosure-privacy", Parameters::from([("delta", delta), ("attribute", attribute())]))
            }
            Ask::Map { k } => ("k-map", Parameters::from([("k", whole(*k))])),
            Ask::Prosecutor { hundredths } => ("prosecutor-risk", risk(*hundredths)),
            Ask::Journalist { hundredths } => ("journalist-risk", risk(*hundredths)),
        };
        bind(kind, &parameters, facts).unwrap().classes
    }

    /// Whether the rows of a class meet the definition.
    pub(crate) fn holds(&self, sample: &Sample, rows: &[usize]) -> bool {
        let released: Vec<usize> = rows.iter().copied().filter(|&row| sample.rows[row].is_released).collect();
        let people: BTreeSet<usize> = released.iter().map(|&row| sample.rows[row].person).collect();
        let (size, population) = (people.len() as u64, rows.len() as u64);
        match &self.ask {
            Ask::AlphaK { tenths, k, only } => {
                let is_bounded = |value: &str| only.as_ref().is_none_or(|only| only == value);
                let mut counts = self.counts(sample, &released).into_iter();
                size >= *k && counts.all(|(value, count)| !is_bounded(value) || 10 * count <= tenths * size)
            }
            Ask::Span { k, e } => {
                let numbers: BTreeSet<u64> =
                    self.counts(sample, &released).keys().map(|value| value.parse().unwrap()).collect();
                let span = numbers.last().zip(numbers.first()).map(|(most, least)| most - least);
                size >= *k && numbers.len() as u64 >= *k && span >= Some(*e)
            }
            Ask::Confidence { value, tenths, others } => {
                let bound = |found: &str| if found == value { *tenths } else { others.unwrap_or(10) };
                self.counts(sample, &released).into_iter().all(|(value, count)| 10 * count <= bound(value) * size)
            }
            Ask::Likeness { tenths, is_enhanced } => self.ratios(sample, &released).into_iter().all(|(p, q, rows)| {
                let gain = p as f64 / q as f64 - 1.0;
                let most = -(rows.0 as f64 / rows.1 as f64).ln();
                p <= q || (10 * (p - q) <= tenths * q && (!is_enhanced || gain <= most))
            }),
            Ask::Disclosure { halves } => self.ratios(sample, &released).into_iter().all(|(p, q, _)| {
                let (p, q) = (u128::from(p * p), u128::from(q * q));
                p < q << halves && q < p << halves
            }),
            Ask::Map { k } => population >= *k,
            Ask::Prosecutor { hundredths } => 100 <= hundredths * size,
            Ask::Journalist { hundredths } => 100 <= hundredths * population,
        }
    }

    /// How many people have each value that occurs.
    fn counts<'s>(&self, sample: &'s Sample, released: &[usize]) -> BTreeMap<&'s str, u64> {
        let value = |row: usize| sample.rows[row].sensitive[self.attribute].as_str();
        let pairs: BTreeSet<(usize, &str)> =
            released.iter().map(|&row| (sample.rows[row].person, value(row))).collect();
        let mut counts = BTreeMap::new();
        for (_, value) in pairs {
            *counts.entry(value).or_insert(0) += 1;
        }
        counts
    }

    /// For every value of the table the two whole numbers that are to each other as its share of the class is to that of the table; and
    /// how many of how many pairs of person and value have it there.
    fn ratios(&self, sample: &Sample, released: &[usize]) -> Vec<(u64, u64, (u64, u64))> {
        let counts = self.counts(sample, released);
        let size: u64 = counts.values().sum();
        let all: Vec<usize> = (0..sample.rows.len()).filter(|&row| sample.rows[row].is_released).collect();
        let totals = self.counts(sample, &all);
        let rows: u64 = totals.values().sum();
        let ratio = |(value, total): (&&str, &u64)| {
            (counts.get(value).copied().unwrap_or(0) * rows, size * total, (*total, rows))
        };
        totals.iter().map(ratio).collect()
    }
}
