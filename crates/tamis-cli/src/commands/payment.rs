//! What a differentially private release costs, and the ledger it is paid from.

use super::mechanism::{exact, total};
use crate::answer::{CommandError, sentence};
use crate::args::AnonymizeArgs;
use crate::clock::now;
use std::path::Path;
use tamis_mechanism::{MechanismError, Ratio, Spending};
use tamis_privacy::Value;
use tamis_release::{LedgerFile, Policy};

/// A spending that is due once the release is ready.
#[derive(Debug)]
pub(crate) struct Payment<'a> {
    ledger: &'a Path,
    data: String,
    total: Option<(Ratio, Ratio)>,
    spending: Spending,
}

impl<'a> Payment<'a> {
    /// The payment that the flags ask for, if they do.
    pub(crate) fn of(args: &'a AnonymizeArgs, policy: &Policy) -> Result<Option<Self>, CommandError> {
        let Some(ledger) = args.budget.as_deref() else { return Ok(None) };
        let Some(model) = policy.models.iter().find(|model| model.kind == "differential-privacy") else {
            return Err(sentence("--budget is for differentially private releases; the policy asks for no such model"));
        };
        let parameter = |name: &str| match model.parameters.get(name) {
            Some(Value::Integer(number)) => exact(name, &number.to_string()),
            Some(Value::Number(number)) => exact(name, &number.to_string()),
            _ => Err(sentence(format!("model `differential-privacy` needs the number `{name}`; add `{name} = ...`"))),
        };
        let total = total(args.total_epsilon.as_deref(), args.total_delta.as_deref())?;
        let data = Path::new(&policy.input.path).file_name().unwrap_or_default().to_string_lossy().into_owned();
        let spending = Spending {
            time: now()?.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            query: format!("rows of {data} recoded as in {}", args.policy.display()),
            epsilon: parameter("epsilon")?,
            delta: parameter("delta")?,
        };
        Ok(Some(Self { ledger, data, total, spending }))
    }

    fn file(&self) -> LedgerFile<'_> {
        LedgerFile { path: self.ledger, data: &self.data, total: self.total }
    }

    /// Whether enough is left; nothing is spent.
    pub(crate) fn can_be_made(&self) -> Result<Result<(), MechanismError>, CommandError> {
        Ok(self.file().open()?.spend(self.spending.clone()))
    }

    /// Spends; the refusal of the ledger is the inner error.
    pub(crate) fn make(&self) -> Result<Result<(), MechanismError>, CommandError> {
        Ok(self.file().spend(self.spending.clone())?.map(|_| ()))
    }
}
