//! Which tables are meant.

use crate::ProgrammeError;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use tamis_source::database::{Identifier, NewColumn, Transaction};

/// One table by its name, or several whose names end in a number from 0 on.
///
/// ```
/// use tamis_programme::register::Tables;
///
/// let several = Tables { name: "tabla".to_owned(), number: 3 };
/// assert_eq!(several.names().collect::<Vec<_>>(), ["tabla0", "tabla1", "tabla2"]);
/// let one = Tables { name: "tabla".to_owned(), number: 1 };
/// assert_eq!(one.names().collect::<Vec<_>>(), ["tabla"]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tables {
    /// The name, or what the names have in common.
    pub name: String,
    /// How many tables there are.
    pub number: u32,
}

impl Tables {
    /// The names of the tables of people.
    pub fn names(&self) -> impl Iterator<Item = String> + '_ {
        (0..self.number).map(|number| match self.number {
            1 => self.name.clone(),
            _ => format!("{}{number}", self.name),
        })
    }

    /// The names of the tables of people, each with a seed of its own.
    pub(super) fn with_seeds(&self, seed: u64) -> impl Iterator<Item = (String, u64)> + '_ {
        (0..).zip(self.names()).map(move |(number, name)| {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            random.set_stream(number);
            (name, random.next_u64())
        })
    }
}

/// What the table of slots is called that belongs to a table of people.
pub(super) fn resource_table(people: &str) -> String {
    format!("{people}_resource")
}

/// Makes a table, in the place of one of that name only if that was asked for.
pub(super) fn make_table(
    transaction: &dyn Transaction,
    name: &str,
    columns: &[NewColumn],
    may_replace: bool,
) -> Result<Identifier, ProgrammeError> {
    let existing = transaction.tables()?.into_iter().find(|known| known.eq_ignore_ascii_case(name));
    match existing {
        Some(known) if may_replace => transaction.drop_table(&Identifier::new(&known)?)?,
        Some(known) => {
            return Err(ProgrammeError::Invalid(format!(
                "`{}` has a table `{known}` already; choose another name, or add --replace to lose what it holds",
                transaction.database()
            )));
        }
        None => {}
    }
    let table = Identifier::new(name)?;
    transaction.create_table(&table, columns)?;
    Ok(table)
}
