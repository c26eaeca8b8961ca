//! (d, gamma)-privacy by retaining and inserting tuples (Rastogi, Suciu and Hong 2007, "The boundary between privacy and utility in data
//! publishing").
//!
//! An attacker holds every tuple of the domain to be in the table with some prior probability, at most d unless they know it for sure,
//! and independently of the others. A release is (d, gamma)-private if afterwards they hold none of the unsure ones for more than gamma
//! likely, and none for less than d/gamma times as likely as before.
//!
//! The algorithm keeps every tuple of the table with probability alpha + beta, and every other tuple of the domain with probability beta:
//!
//! * A tuple that is seen has its odds multiplied by (alpha + beta) / beta. From at most d/(1 - d) they stay at most gamma/(1 - gamma) iff
//!   (alpha + beta) / beta <= gamma (1 - d) / (d (1 - gamma)).
//! * A tuple that is not seen becomes (1 - alpha - beta) / (p (1 - alpha - beta) + (1 - p) (1 - beta)) times as likely as its prior p. This
//!   is least for p towards 0, and stays at least d/gamma iff 1 - alpha - beta >= (d/gamma) (1 - beta).
//!
//! With both at their bound, and q = gamma + d - gamma d:
//!
//! alpha + beta = gamma (1 - d) / q, beta = d (1 - gamma) / q, alpha = (gamma - d) / q.
//!
//! (The simpler condition 1 - alpha - beta >= d/gamma in the second place is enough too, but asks for a little more than needed.)

use crate::discrete::{Gaps, bernoulli};
use crate::{Dice, Domain, MechanismError, Ratio};
use serde::Serialize;
use std::collections::BTreeSet;
use tamis_table::{ColumnBuilder, Table};

/// How likely tuples are retained and inserted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct RetainInsert {
    /// How much likelier a tuple of the table is seen than another one.
    pub alpha: Ratio,
    /// The probability of a tuple that is not in the table.
    pub beta: Ratio,
    /// The probability of a tuple of the table, alpha + beta.
    pub retain: Ratio,
}

impl RetainInsert {
    /// The probabilities that are (d, gamma)-private and retain the most.
    ///
    /// ```
    /// use tamis_mechanism::retain_insert::RetainInsert;
    /// let chosen = RetainInsert::private("0.1".parse()?, "0.5".parse()?)?;
    /// assert_eq!(chosen.alpha.to_string(), "8/11");
    /// assert_eq!(chosen.beta.to_string(), "1/11");
    /// # Ok::<(), tamis_mechanism::MechanismError>(())
    /// ```
    pub fn private(d: Ratio, gamma: Ratio) -> Result<Self, MechanismError> {
        if d.is_zero() || d >= Ratio::ONE {
            return Err(MechanismError::parameter("d", d, "a probability above 0 and below 1"));
        }
        if gamma <= d || gamma >= Ratio::ONE {
            let expected = format!("a probability above d, which is {d}, and below 1");
            return Err(MechanismError::parameter("gamma", gamma, expected));
        }
        // Over the common denominator of d and gamma, all terms are whole numbers.
        let wide = |ratio: Ratio| (u128::from(ratio.numerator()), u128::from(ratio.denominator()));
        let ((d1, d2), (g1, g2)) = (wide(d), wide(gamma));
        let terms = || -> Option<Self> {
            let q = g1.checked_mul(d2)?.checked_add(d1.checked_mul(g2)?)?.checked_sub(g1.checked_mul(d1)?)?;
            Some(Self {
                alpha: Ratio::reduced(g1.checked_mul(d2)?.checked_sub(d1.checked_mul(g2)?)?, q)?,
                beta: Ratio::reduced(d1.checked_mul(g2 - g1)?, q)?,
                retain: Ratio::reduced(g1.checked_mul(d2 - d1)?, q)?,
            })
        };
        terms().ok_or_else(|| MechanismError::parameter("gamma", gamma, "d and gamma with fewer digits"))
    }

    /// Perturbs a table over a domain that lists all its values. The tuples come in the order of the domain, so that their order tells
    /// nothing; a tuple that the table has more than once counts once. O(rows log rows + tuples inserted).
    pub fn perturb(&self, table: &Table, domain: &Domain, dice: &mut Dice) -> Result<Perturbed, MechanismError> {
        let expected = domain.size() as f64 * self.beta.to_f64();
        if expected > MOST_INSERTED as f64 {
            return Err(MechanismError::TooManyInserted { size: domain.size(), expected, most: MOST_INSERTED });
        }
        let mut members = BTreeSet::new();
        for (row, index) in domain.index_rows(table)?.into_iter().enumerate() {
            members.insert(index.ok_or_else(|| outside(table, domain, row))?);
        }
        let (retain, beta) = (self.retain, self.beta);
        let mut seen: Vec<u128> = members
            .iter()
            .copied()
            .filter(|_| bernoulli(retain.numerator().into(), retain.denominator().into(), dice))
            .collect();
        // Every tuple of the domain is offered with probability beta; those of the table have had their turn.
        let mut offered = Gaps::new((beta.numerator(), beta.denominator()), domain.size());
        while let Some(index) = offered.advance(dice) {
            if !members.contains(&index) {
                seen.push(index);
            }
        }
        seen.sort_unstable();
        let repeated = table.rows() - members.len();
        Ok(Perturbed { table: table_of(domain, &seen)?, estimates: self.estimates(domain, &seen), repeated })
    }

    /// How many tuples of the table have a property that `in_domain` tuples of the domain have and `in_view` tuples of the release.
    ///
    /// Each tuple of the table adds alpha more than another one to the expected number in the release, so that
    /// (in_view - beta in_domain) / alpha is right on average. Its variance is that of the coins, with the estimate in the place of the
    /// unknown count.
    pub fn estimate(&self, in_view: u64, in_domain: u128) -> Estimate {
        let (alpha, beta, retain) = (self.alpha.to_f64(), self.beta.to_f64(), self.retain.to_f64());
        let domain = in_domain as f64;
        let count = (in_view as f64 - beta * domain) / alpha;
        let members = count.clamp(0.0, domain);
        let variance = members * retain * (1.0 - retain) + (domain - members) * beta * (1.0 - beta);
        Estimate { count, standard_error: variance.sqrt() / alpha }
    }

    fn estimates(&self, domain: &Domain, seen: &[u128]) -> Vec<ValueEstimate> {
        let mut counts: Vec<Vec<u64>> = domain.columns().iter().map(|column| vec![0; column.values().len()]).collect();
        for &index in seen {
            for (counts, position) in counts.iter_mut().zip(domain.positions(index)) {
                counts[position] += 1;
            }
        }
        let values = domain.columns().iter().zip(counts).flat_map(|(column, counts)| {
            let in_domain = domain.size() / column.values().len() as u128;
            column.values().iter().zip(counts).map(move |(value, in_view)| ValueEstimate {
                column: column.column().to_owned(),
                value: value.clone(),
                in_view,
                estimate: self.estimate(in_view, in_domain),
            })
        });
        values.collect()
    }
}

/// More rows than this a release should not invent.
const MOST_INSERTED: u64 = 50_000_000;

/// A count of the true table as the release tells it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The estimate, right on average.
    pub count: f64,
    /// By how much it is off, typically.
    pub standard_error: f64,
}

/// The estimate for one value of a column.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ValueEstimate {
    /// The column.
    pub column: String,
    /// The value.
    pub value: String,
    /// How many released tuples have it.
    pub in_view: u64,
    /// How many tuples of the table have it.
    #[serde(flatten)]
    pub estimate: Estimate,
}

/// A perturbed table.
#[derive(Debug)]
pub struct Perturbed {
    /// The tuples to release.
    pub table: Table,
    /// What they tell about every value; computed from the release alone.
    pub estimates: Vec<ValueEstimate>,
    /// How many rows of the table repeat another one: for the steward, not for the release.
    pub repeated: usize,
}

fn outside(table: &Table, domain: &Domain, row: usize) -> MechanismError {
    let found = domain.columns().iter().find_map(|domain| {
        let column = table.column(domain.column()).ok()?;
        let value = column.text(row);
        (!domain.values().iter().any(|known| known == value)).then(|| (column.name().to_owned(), value.to_owned()))
    });
    let (column, value) = found.unwrap_or_default();
    MechanismError::OutsideDomain { row: row + 1, column, value }
}

fn table_of(domain: &Domain, seen: &[u128]) -> Result<Table, MechanismError> {
    let mut builders: Vec<ColumnBuilder> =
        domain.columns().iter().map(|column| ColumnBuilder::new(column.column())).collect();
    for &index in seen {
        for (builder, value) in builders.iter_mut().zip(domain.values(index)) {
            builder.push(value)?;
        }
    }
    Ok(Table::new(builders.into_iter().map(ColumnBuilder::finish).collect())?)
}
