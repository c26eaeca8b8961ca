//! `tamis vector`: anonymity vectors by themselves.

mod compare;
mod count;
mod figures;
mod given;
mod index;
mod measures;
mod of;
mod unrank;

pub(super) use figures::share_of_vectors;

use crate::answer::CommandResult;
use crate::shell::Shell;
use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(crate) struct VectorArgs {
    #[command(subcommand)]
    kind: VectorKind,
}

#[derive(Debug, Subcommand)]
enum VectorKind {
    /// Tell the place of a vector among all vectors of as many people
    Index(index::IndexArgs),
    /// Tell which vector has an index
    Unrank(unrank::UnrankArgs),
    /// Tell how many vectors there are for a number of people
    Count(count::CountArgs),
    /// Tell which of two vectors is more anonymous, and by how much
    Compare(compare::CompareArgs),
    /// Tell means, medians, risk and entropy of a vector
    Measures(measures::MeasuresArgs),
    /// Tell the vector of a table, its place and its measures
    Of(of::OfArgs),
}

pub(crate) fn run(args: &VectorArgs, shell: &Shell) -> CommandResult {
    match &args.kind {
        VectorKind::Index(args) => index::run(args, shell),
        VectorKind::Unrank(args) => unrank::run(args, shell),
        VectorKind::Count(args) => count::run(args, shell),
        VectorKind::Compare(args) => compare::run(args, shell),
        VectorKind::Measures(args) => measures::run(args, shell),
        VectorKind::Of(args) => of::run(args, shell),
    }
}
