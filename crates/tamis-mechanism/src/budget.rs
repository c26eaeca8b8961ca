//! The privacy budget of a data set: what may be spent, and every spending.

use crate::{MechanismError, Ratio};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// One answer that was paid for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spending {
    /// When, as the clock of the machine says.
    pub time: String,
    /// What was asked.
    pub query: String,
    /// The epsilon it cost.
    pub epsilon: Ratio,
    /// The delta it cost.
    pub delta: Ratio,
}

/// What may be spent on a data set, and what was.
///
/// Answers about the same people add up (sequential composition): their epsilons and deltas are summed as exact fractions. The cells of
/// one histogram speak of different people and cost once (parallel composition).
///
/// Every entry carries the hash of all before it, and the header how many there are and the hash of the last, so that a change by accident
/// or by hand is noticed, entries left out at the end included. Whoever can write the file can also write all hashes anew, or put an old
/// copy in its place: keep the ledger where only the steward can write.
///
/// ```
/// use tamis_mechanism::{Ledger, Spending};
/// let mut ledger = Ledger::new("people.csv", "1".parse()?, "0".parse()?)?;
/// let query = Spending { time: "2026-01-01T00:00:00Z".into(), query: "by sex".into(), epsilon: "0.6".parse()?, delta: "0".parse()? };
/// ledger.spend(query.clone())?;
/// assert_eq!(ledger.left().0.to_string(), "0.4");
/// assert!(ledger.spend(query).is_err_and(|error| error.is_refusal()));
/// assert_eq!(Ledger::parse(&ledger.to_text())?, ledger);
/// # Ok::<(), tamis_mechanism::MechanismError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ledger {
    data: String,
    total_epsilon: Ratio,
    total_delta: Ratio,
    spendings: Vec<Spending>,
}

/// The name of this form of the file.
const FORM: &str = "tamis-budget-1";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LedgerFile {
    form: String,
    data: String,
    total_epsilon: Ratio,
    total_delta: Ratio,
    /// How many spendings follow.
    count: u64,
    /// The hash of the last of them, with which it covers all; that of the fields above if there is none.
    last: String,
    /// Of all fields above.
    hash: String,
    spendings: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    time: String,
    query: String,
    epsilon: Ratio,
    delta: Ratio,
    hash: String,
}

impl Ledger {
    /// A budget of which nothing is spent.
    pub fn new(data: &str, total_epsilon: Ratio, total_delta: Ratio) -> Result<Self, MechanismError> {
        if total_epsilon.is_zero() {
            return Err(MechanismError::parameter("the total epsilon", total_epsilon, "a number above 0"));
        }
        if total_delta >= Ratio::ONE {
            return Err(MechanismError::parameter(
                "the total delta",
                total_delta,
                "a number of at least 0 and below 1",
            ));
        }
        Ok(Self { data: data.to_owned(), total_epsilon, total_delta, spendings: Vec::new() })
    }

    /// The data set whose budget it is.
    pub fn data(&self) -> &str {
        &self.data
    }

    /// Epsilon and delta that may be spent in all.
    pub fn total(&self) -> (Ratio, Ratio) {
        (self.total_epsilon, self.total_delta)
    }

    /// Every spending, the oldest first.
    pub fn spendings(&self) -> &[Spending] {
        &self.spendings
    }

    /// Epsilon and delta spent so far.
    pub fn spent(&self) -> (Ratio, Ratio) {
        let left = self.left();
        let difference = |total: Ratio, left: Ratio| total.checked_sub(left).unwrap_or(total);
        (difference(self.total_epsilon, left.0), difference(self.total_delta, left.1))
    }

    /// Epsilon and delta that are left.
    pub fn left(&self) -> (Ratio, Ratio) {
        let mut left = self.total();
        for spending in &self.spendings {
            // A sum that has no room would have been refused when it was spent; none left is the safe answer all the same.
            left.0 = left.0.checked_sub(spending.epsilon).unwrap_or(Ratio::ZERO);
            left.1 = left.1.checked_sub(spending.delta).unwrap_or(Ratio::ZERO);
        }
        left
    }

    /// Spends, or refuses and spends nothing.
    pub fn spend(&mut self, spending: Spending) -> Result<(), MechanismError> {
        let left = self.left();
        let fits = left.0.checked_sub(spending.epsilon).is_some() && left.1.checked_sub(spending.delta).is_some();
        if !fits {
            return Err(MechanismError::BudgetExceeded {
                asked_epsilon: Box::new(spending.epsilon),
                asked_delta: Box::new(spending.delta),
                left_epsilon: Box::new(left.0),
                left_delta: Box::new(left.1),
            });
        }
        self.spendings.push(spending);
        Ok(())
    }

    /// The file.
    pub fn to_text(&self) -> String {
        let mut last = self.first_hash();
        let mut spendings = Vec::with_capacity(self.spendings.len());
        for Spending { time, query, epsilon, delta } in &self.spendings {
            last = chained(&last, &[time, query, &epsilon.to_string(), &delta.to_string()]);
            let (time, query, hash) = (time.clone(), query.clone(), last.clone());
            spendings.push(Entry { time, query, epsilon: *epsilon, delta: *delta, hash });
        }
        let count = spendings.len() as u64;
        let file = LedgerFile {
            form: FORM.to_owned(),
            data: self.data.clone(),
            total_epsilon: self.total_epsilon,
            total_delta: self.total_delta,
            count,
            hash: self.header_hash(count, &last),
            last,
            spendings,
        };
        // Texts and fractions always have a JSON form.
        serde_json::to_string_pretty(&file).map(|text| text + "\n").unwrap_or_default()
    }

    /// Reads a file back. One that was not written by [`Ledger::to_text`] as it stands is an error.
    pub fn parse(text: &str) -> Result<Self, MechanismError> {
        let bad = |reason: String| MechanismError::BadLedger { reason };
        let file: LedgerFile =
            serde_json::from_str(text).map_err(|error| bad(format!("it cannot be read ({error})")))?;
        if file.form != FORM {
            return Err(bad(format!("its form is `{}` where `{FORM}` was expected", file.form)));
        }
        let mut ledger =
            Self::new(&file.data, file.total_epsilon, file.total_delta).map_err(|error| bad(error.to_string()))?;
        if file.hash != ledger.header_hash(file.count, &file.last) {
            return Err(bad("its header does not have the hash that stands in it".to_owned()));
        }
        if file.count != file.spendings.len() as u64 {
            return Err(bad(format!(
                "spendings are missing or were added: its header counts {}, {} are there",
                file.count,
                file.spendings.len()
            )));
        }
        let mut previous = ledger.first_hash();
        for (number, entry) in (1..).zip(file.spendings) {
            let Entry { time, query, epsilon, delta, hash } = entry;
            previous = chained(&previous, &[&time, &query, &epsilon.to_string(), &delta.to_string()]);
            if hash != previous {
                return Err(bad(format!("spending {number} does not have the hash that stands beside it")));
            }
            ledger
                .spend(Spending { time, query, epsilon, delta })
                .map_err(|_| bad(format!("spending {number} exceeds the total")))?;
        }
        if previous != file.last {
            return Err(bad("its last spending is not the one that its header speaks of".to_owned()));
        }
        Ok(ledger)
    }

    /// The hash of everything, given how many spendings there are and the hash of the last.
    fn header_hash(&self, count: u64, last: &str) -> String {
        chained(&self.first_hash(), &[&count.to_string(), last])
    }

    /// What the first spending comes after.
    fn first_hash(&self) -> String {
        chained(FORM, &[&self.data, &self.total_epsilon.to_string(), &self.total_delta.to_string()])
    }
}

/// The hash of what was before and of these texts, each with its length, so that no two lists of texts look the same.
fn chained(previous: &str, texts: &[&str]) -> String {
    let mut hasher = Sha256::new();
    for text in [previous].iter().chain(texts) {
        hasher.update((text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    }
    base16ct::lower::encode_string(&hasher.finalize())
}
