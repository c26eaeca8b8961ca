//! `tamis vector compare`: which of two vectors is more anonymous.

use super::figures::{Lines, PlaceJson, brief_integer, computed, told_log};
use super::given::{self, RankingArgs};
use crate::answer::{Answer, CommandResult, sentence};
use crate::shell::Shell;
use crate::text_table::percent;
use clap::Args;
use serde::Serialize;
use std::cmp::Ordering;
use tamis_appointments::AnonymityVector;
use tamis_appointments::vector::{Position, Ranking, improvement};

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// Cells of size 1, 2, ..., such as 2,3,2,4; or SIZE:CELLS pairs. Given twice
    #[arg(long, value_name = "CELLS,...", allow_hyphen_values = true, required = true)]
    vector: Vec<String>,
    /// The vector before appointments; the improvement is a share of its index
    #[arg(long, value_name = "CELLS,...", allow_hyphen_values = true)]
    base: Option<String>,
    #[command(flatten)]
    ranking: RankingArgs,
}

#[derive(Serialize)]
struct Document {
    n: u64,
    vectors: Vec<PlaceJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    base: Option<PlaceJson>,
    /// 1 or 2, none if they are equal.
    more_anonymous: Option<u8>,
    /// The smallest size of which they have different numbers of cells.
    first_difference: Option<u64>,
    /// index(first) - index(second); none where only logarithms are known.
    difference: Option<String>,
    distance: Option<String>,
    difference_share: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    improvement: Option<f64>,
    method: Ranking,
}

pub(crate) fn run(args: &CompareArgs, shell: &Shell) -> CommandResult {
    let [first, second] = &args.vector[..] else {
        return Err(sentence(format!(
            "--vector is given {} times; expected two vectors to compare",
            args.vector.len()
        )));
    };
    let mut vectors = vec![given::vector("the first --vector", first)?, given::vector("the second --vector", second)?];
    given::expect_people("the second --vector", &vectors[1], vectors[0].people())?;
    if let Some(base) = &args.base {
        let base = given::vector("--base", base)?;
        given::expect_people("--base", &base, vectors[0].people())?;
        vectors.push(base);
    }
    let found = args.ranking.positions(&vectors.iter().collect::<Vec<_>>())?;
    let places: Vec<(&AnonymityVector, &Position)> = vectors.iter().zip(&found).collect();
    if let [first, second, base @ ..] = &places[..] {
        shell.say(&describe(*first, *second, base.first().copied()));
        shell.json(&document(*first, *second, base.first().copied()))?;
    }
    Ok(Answer::Yes)
}

type Place<'a> = (&'a AnonymityVector, &'a Position);

/// The smaller vector is the more anonymous one.
fn more_anonymous(first: Place<'_>, second: Place<'_>) -> Option<u8> {
    match first.0.cmp(second.0) {
        Ordering::Less => Some(1),
        Ordering::Equal => None,
        Ordering::Greater => Some(2),
    }
}

fn document(first: Place<'_>, second: Place<'_>, base: Option<Place<'_>>) -> Document {
    let difference = first.1.minus(second.1);
    Document {
        n: first.1.people(),
        vectors: [first, second].map(|(vector, position)| PlaceJson::new(vector, position)).into(),
        base: base.map(|(vector, position)| PlaceJson::new(vector, position)),
        more_anonymous: more_anonymous(first, second),
        first_difference: first.0.first_difference(second.0),
        distance: difference.as_ref().map(|difference| difference.magnitude().to_string()),
        difference: difference.map(|difference| difference.to_string()),
        difference_share: first.1.share_minus(second.1),
        improvement: base.map(|base| improvement(first.1, second.1, base.1)),
        method: first.1.ranking(),
    }
}

fn describe(first: Place<'_>, second: Place<'_>, base: Option<Place<'_>>) -> String {
    let mut lines = Lines::default();
    let places = [("first", Some(first)), ("second", Some(second)), ("base", base)];
    for (name, (vector, position)) in places.into_iter().filter_map(|(name, place)| Some((name, place?))) {
        let index = match position.index() {
            Some(index) => format!("index {}", brief_integer(&index.to_string())),
            None => format!("ln(1 - index/p) {}", told_log(position.log_gap())),
        };
        lines.line(name, format!("{vector}, k {}, {index}", vector.k().unwrap_or(0)));
    }
    let verdict = match (more_anonymous(first, second), first.0.first_difference(second.0)) {
        (Some(better), Some(size)) => {
            let (few, many) = (first.0.cells_of_size(size), second.0.cells_of_size(size));
            let (name, few, many) = if better == 1 { ("first", few, many) } else { ("second", many, few) };
            format!("the {name} vector: {few} cells of size {size} instead of {many}")
        }
        _ => "neither, the vectors are equal".to_owned(),
    };
    lines.line("more anonymous", verdict);
    if let (Some(difference), Some(count)) = (first.1.minus(second.1), first.1.count()) {
        let (distance, count) = (difference.magnitude().to_string(), count.to_string());
        lines.line("distance", format!("{} of {} places", brief_integer(&distance), brief_integer(&count)));
    }
    if let Some(base) = base {
        let improvement = improvement(first.1, second.1, base.1);
        lines.line("improvement", format!("{} of the base's index, first against second", percent(improvement)));
    }
    lines.line("computed", computed(first.1.ranking()));
    lines.text()
}
