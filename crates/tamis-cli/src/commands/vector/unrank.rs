//! `tamis vector unrank`: from a place to its vector.

use super::figures::tell_place;
use super::given;
use crate::answer::{Answer, CommandResult, sentence};
use crate::shell::Shell;
use clap::Args;
use num_bigint::BigUint;
use tamis_appointments::vector::{LARGEST_EXACT, VectorOrder, positions_in};

#[derive(Debug, Args)]
pub(crate) struct UnrankArgs {
    /// How many people the vector stands for, at most 200,000: there is no vector of a logarithm
    #[arg(allow_negative_numbers = true, long, value_name = "PEOPLE")]
    n: u64,
    /// Its place, from 0 (everybody alone) to p(N) - 1 (all together)
    #[arg(allow_hyphen_values = true, long, value_name = "INDEX")]
    index: String,
}

/// More digits than the last index of any order has; reading many more would take long for nothing.
const MOST_DIGITS: usize = 1000;

pub(crate) fn run(args: &UnrankArgs, shell: &Shell) -> CommandResult {
    if args.n > LARGEST_EXACT {
        return Err(sentence(format!(
            "--n is {}; going from an index to its vector is exact only, for at most {LARGEST_EXACT} people",
            args.n
        )));
    }
    let order = VectorOrder::of_people(given::people(args.n)?)?;
    let digits = args.index.trim();
    let index: BigUint = match digits.trim_start_matches('0') {
        _ if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            return Err(sentence(format!(
                "--index is `{}`; expected a whole number from 0 to {}",
                digits.escape_debug(),
                order.count() - 1_u32
            )));
        }
        "" => BigUint::ZERO,
        long if long.len() > MOST_DIGITS => {
            return Err(sentence(format!(
                "--index has {} digits; the vectors of {} people have the indexes 0 to {}",
                long.len(),
                args.n,
                order.count() - 1_u32
            )));
        }
        digits => digits.parse().map_err(|error| sentence(format!("--index: {error}")))?,
    };
    let vector = order.unrank(&index)?;
    for position in positions_in(&order, &[&vector])? {
        tell_place(shell, &vector, &position)?;
    }
    Ok(Answer::Yes)
}
