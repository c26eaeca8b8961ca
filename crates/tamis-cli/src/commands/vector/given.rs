//! What the commands are given: vectors, numbers of people, and how to rank.

use crate::answer::{CommandError, sentence};
use clap::Args;
use tamis_appointments::AnonymityVector;
use tamis_appointments::vector::{LARGEST_EXACT, MOST_PEOPLE, Position, Ranking, VectorError, positions};

/// Reads the vector of a flag; a mistake is told with the flag.
pub(super) fn vector(flag: &str, text: &str) -> Result<AnonymityVector, CommandError> {
    text.parse().map_err(|error: VectorError| sentence(format!("{flag}: {error}")))
}

/// A vector that must stand for so many people.
pub(super) fn expect_people(flag: &str, vector: &AnonymityVector, expected: u64) -> Result<(), CommandError> {
    match vector.people() {
        found if found == expected => Ok(()),
        found => Err(sentence(format!("{flag}: {}", VectorError::OtherPeople { found, expected }))),
    }
}

/// A number of people that there can be vectors of.
pub(super) fn people(n: u64) -> Result<u64, CommandError> {
    match n {
        0 => Err(sentence(format!("--n: {}", VectorError::NobodyToOrder))),
        1..=MOST_PEOPLE => Ok(n),
        _ => Err(sentence(format!("--n is {n}; expected at most {MOST_PEOPLE} people"))),
    }
}

#[derive(Debug, Args)]
pub(super) struct RankingArgs {
    /// How to compute places; exactly up to 200,000 people if left out, by logarithms above
    #[arg(long, value_enum)]
    method: Option<Ranking>,
}

impl RankingArgs {
    /// The places of vectors as the flag wants them; more people than can be ranked exactly are told with the flag that helps.
    pub(super) fn positions(&self, vectors: &[&AnonymityVector]) -> Result<Vec<Position>, CommandError> {
        positions(vectors, self.ranking()).map_err(with_flag)
    }

    pub(super) fn ranking(&self) -> Option<Ranking> {
        self.method
    }
}

/// What cannot be ranked, with the flag that helps.
pub(super) fn with_flag(error: VectorError) -> CommandError {
    match error {
        VectorError::TooManyForExact { people } => sentence(format!(
            "--method exact: {people} people are more than the {LARGEST_EXACT} for whom indexes are computed exactly; say --method logarithmic, or leave --method out"
        )),
        error => error.into(),
    }
}
