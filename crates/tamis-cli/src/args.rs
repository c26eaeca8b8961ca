//! What the command line accepts.

use clap::{Args, Parser, Subcommand};
use std::ffi::OsString;
use std::path::PathBuf;

/// Release data about people without releasing the people.
#[derive(Debug, Parser)]
#[command(name = "tamis", version, propagate_version = true, arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Flags of every command.
#[derive(Debug, Clone, Args)]
pub(crate) struct Common {
    /// Print one JSON document on standard output and nothing else there
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Threads to use; all processors if left out. The result does not depend on it
    #[arg(allow_negative_numbers = true, long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,
    /// Make everything random repeatable
    #[arg(allow_negative_numbers = true, long, global = true, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// No progress bars and no notes
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Find the least distorted table that meets a policy, and write it
    Anonymize(AnonymizeArgs),
    /// Tell which k, l, t and more a table has; with --require or --model, a gate for pipelines
    Check(CheckArgs),
    /// Measure who could be recognised in a table, by whom and by which columns
    Risk(RiskArgs),
    /// Try an attack of the literature on a table before it is released
    Attack(AttackArgs),
    /// Solve a policy under many settings of k, l and t
    Compare(CompareArgs),
    /// Evaluate every transformation of a policy's lattice
    Lattice(LatticeArgs),
    /// Run the Adult census comparison on the bundled data and leave a report
    Demo(DemoArgs),
    /// Look at a table and write a first policy
    Init(InitArgs),
    /// Build, check and show generalization hierarchies
    Hierarchy(HierarchyArgs),
    /// Check a release against its manifest
    Verify(VerifyArgs),
    /// Recode new rows as a manifest says
    Apply(ApplyArgs),
    /// Generate test data
    Generate(GenerateArgs),
    /// Tell how many people have each combination of values, with noise that a privacy budget pays for
    Histogram(crate::commands::histogram::HistogramArgs),
    /// Show what is left of a privacy budget
    Budget(crate::commands::budget::BudgetArgs),
    /// Retain and insert tuples at random, so that no tuple of the release is for sure one of the table
    Perturb(crate::commands::perturb::PerturbArgs),
    /// Test whether a release mechanism keeps its promise on a table
    Audit(crate::commands::audit::AuditArgs),
    /// Split, permute, swap, disturb, code, sample or pseudonymize a table
    Transform(crate::commands::transform::TransformArgs),
    /// Measure, compare and number anonymity vectors
    Vector(crate::commands::vector::VectorArgs),
    /// Schedule screening appointments so that people stay indistinguishable
    Appointments(crate::commands::appointments::AppointmentsArgs),
    /// Hide confidential cells of a table of totals, and attack tables with hidden cells
    Cells(crate::commands::cells::CellsArgs),
    /// Seal fields of XML, CSV and SQL documents so that only p of n holders open them
    Ucrypt(crate::commands::ucrypt::UcryptArgs),
    /// List the privacy models and quality measures a policy may ask for
    Models,
}

#[derive(Debug, Args)]
pub(crate) struct AnonymizeArgs {
    /// The policy, a TOML file
    pub(crate) policy: PathBuf,
    /// Where to write the released table; .gz and .zst compress
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Write a page with distributions, classes, risk and the policy
    #[arg(long, value_name = "FILE.html")]
    pub(crate) report: Option<PathBuf>,
    /// Write a manifest, from which the release can be verified and replayed
    #[arg(long, value_name = "FILE.json")]
    pub(crate) manifest: Option<PathBuf>,
    /// Share of rows that may be suppressed, instead of the policy's
    #[arg(allow_negative_numbers = true, long, value_name = "SHARE")]
    pub(crate) suppression_limit: Option<f64>,
    /// Seconds after which the best so far is taken
    #[arg(allow_negative_numbers = true, long, value_name = "SECONDS")]
    pub(crate) time_limit: Option<f64>,
    /// The ledger that a differentially private release is paid from; refused when too little is left
    #[arg(long, value_name = "LEDGER")]
    pub(crate) budget: Option<PathBuf>,
    /// The epsilon of all releases together, which creates the ledger
    #[arg(allow_negative_numbers = true, long, value_name = "EPSILON", requires = "budget")]
    pub(crate) total_epsilon: Option<String>,
    /// The delta of all releases together, for a new ledger; 0 if left out
    #[arg(allow_negative_numbers = true, long, value_name = "DELTA", requires = "total_epsilon")]
    pub(crate) total_delta: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct InputArgs {
    /// What separates fields, if it should not be detected: one character, or `tab`
    #[arg(long, value_name = "CHAR")]
    pub(crate) delimiter: Option<String>,
    /// utf-8 or latin-1
    #[arg(long, value_name = "NAME")]
    pub(crate) encoding: Option<String>,
    /// A text that means a missing value, beside the empty one; may be repeated
    #[arg(long = "missing", value_name = "TEXT")]
    pub(crate) missing: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// The table
    pub(crate) data: PathBuf,
    /// The quasi-identifiers
    #[arg(long, value_delimiter = ',', value_name = "A,B,...", required = true)]
    pub(crate) quasi: Vec<String>,
    /// The sensitive attributes
    #[arg(long, value_delimiter = ',', value_name = "A,B,...")]
    pub(crate) sensitive: Vec<String>,
    /// A hierarchy of a sensitive attribute, for the hierarchical distance; may be repeated
    #[arg(long = "hierarchy", value_name = "ATTRIBUTE=FILE")]
    pub(crate) hierarchies: Vec<OsString>,
    /// The distance of t: hierarchical, ordered (numbers, dates), listed (by the lines of the hierarchy) or equal
    #[arg(long, value_name = "NAME")]
    pub(crate) distance: Option<String>,
    /// The table that t is measured against, such as the input of a release; the assessed rows if left out
    #[arg(long, value_name = "FILE", conflicts_with = "count_suppressed")]
    pub(crate) reference: Option<PathBuf>,
    /// Bounds that must hold: k=5,l=3,entropy=2.5,c=4,t=0.2,alpha=0.5,beta=1,delta=2,risk=0.1; exit code 1 if one does not
    #[arg(long, value_name = "BOUNDS")]
    pub(crate) require: Option<String>,
    /// A requirement of any kind that must hold, such as `lkc-privacy:l=3,k=5,c=0.5`; may be repeated, exit code 1 if one does not.
    /// `tamis models` lists the kinds
    #[arg(long = "model", value_name = "KIND:NAME=VALUE,...")]
    pub(crate) models: Vec<String>,
    /// The l for which the least c of recursive (c,l)-diversity is told
    #[arg(allow_negative_numbers = true, long, value_name = "L", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) l: u64,
    /// The column that names the person, where a person may have several rows
    #[arg(long, value_name = "COLUMN")]
    pub(crate) entity: Option<String>,
    /// Count rows of nothing but `*` as a class instead of leaving them out
    #[arg(long)]
    pub(crate) count_suppressed: bool,
    /// A row whose risk is above this is at risk
    #[arg(allow_negative_numbers = true, long, value_name = "SHARE", default_value_t = 0.1)]
    pub(crate) threshold: f64,
    /// Show the table with its equivalence classes in colour
    #[arg(long)]
    pub(crate) show: bool,
    /// How many rows to show
    #[arg(allow_negative_numbers = true, long, value_name = "N", default_value_t = 50)]
    pub(crate) rows: usize,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

#[derive(Debug, Args)]
pub(crate) struct RiskArgs {
    /// The table
    pub(crate) data: PathBuf,
    /// The quasi-identifiers
    #[arg(long, value_delimiter = ',', value_name = "A,B,...", required = true)]
    pub(crate) quasi: Vec<String>,
    /// A population that contains the table, with the same quasi-identifiers
    #[arg(long, value_name = "FILE", conflicts_with = "fraction")]
    pub(crate) population: Option<PathBuf>,
    /// The share of the population that is in the table, where the population itself is not at hand
    #[arg(allow_negative_numbers = true, long, value_name = "SHARE")]
    pub(crate) fraction: Option<f64>,
    /// A row whose risk is above this is at risk
    #[arg(allow_negative_numbers = true, long, value_name = "SHARE", default_value_t = 0.1)]
    pub(crate) threshold: f64,
    /// The column that names the person, where a person may have several rows
    #[arg(long, value_name = "COLUMN")]
    pub(crate) entity: Option<String>,
    /// A row to explain; the first below the header is 1
    #[arg(allow_negative_numbers = true, long, value_name = "N")]
    pub(crate) row: Option<usize>,
    /// How many of the riskiest records to list
    #[arg(allow_negative_numbers = true, long, value_name = "N", default_value_t = 10)]
    pub(crate) top: usize,
    /// The largest number of columns of a minimal sample unique; all for up to ten columns, else 3
    #[arg(allow_negative_numbers = true, long, value_name = "SIZE")]
    pub(crate) msu: Option<usize>,
    /// Write a page with everything, for yourself
    #[arg(long, value_name = "FILE.html")]
    pub(crate) report: Option<PathBuf>,
    /// Write a page that discloses nothing about anybody, for everyone
    #[arg(long, value_name = "FILE.html")]
    pub(crate) external: Option<PathBuf>,
    /// Bounds that must hold: average=0.1,max=0.2,at_risk=0.05,uniques=0.05,journalist=0.1,marketer=0.05,population_uniques=0.01,presence=0.5; exit code 1 if one does not
    #[arg(long, value_name = "BOUNDS")]
    pub(crate) require: Option<String>,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

#[derive(Debug, Args)]
pub(crate) struct AttackArgs {
    #[command(subcommand)]
    pub(crate) kind: crate::commands::attack::Kind,
}

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// The policy, a TOML file; its k is combined with every l and t
    pub(crate) policy: PathBuf,
    /// Values of k, each by itself
    #[arg(allow_negative_numbers = true, long, value_delimiter = ',', value_name = "K,...")]
    pub(crate) k: Vec<u64>,
    /// Values of l for recursive (c,l)-diversity
    #[arg(allow_negative_numbers = true, long, value_delimiter = ',', value_name = "L,...")]
    pub(crate) l: Vec<u64>,
    /// The c of recursive (c,l)-diversity
    #[arg(allow_negative_numbers = true, long, value_delimiter = ',', value_name = "C,...", default_value = "4")]
    pub(crate) c: Vec<f64>,
    /// Values of t for t-closeness
    #[arg(allow_negative_numbers = true, long, value_delimiter = ',', value_name = "T,...")]
    pub(crate) t: Vec<f64>,
    /// The distance of t: hierarchical, ordered (numbers, dates), listed (by the lines of the hierarchy) or equal
    #[arg(long, value_name = "NAME")]
    pub(crate) distance: Option<String>,
    /// A requirement of any kind, such as `alpha-k-anonymity:alpha=0.5,k=5`, with the policy's k; may be repeated
    #[arg(long = "model", value_name = "KIND:NAME=VALUE,...")]
    pub(crate) models: Vec<String>,
    /// Write the rows as CSV
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    /// Write a page with a table and charts
    #[arg(long, value_name = "FILE.html")]
    pub(crate) html: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct LatticeArgs {
    /// The policy, a TOML file
    pub(crate) policy: PathBuf,
    /// Only the minimal transformations that hold
    #[arg(long)]
    pub(crate) minimal: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// Where to write the report
    #[arg(long, short, value_name = "FILE.html", default_value = "tamis-report.html")]
    pub(crate) output: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// The table
    pub(crate) data: PathBuf,
    /// Where to write the policy; standard output if left out
    #[arg(long, short, value_name = "FILE.toml")]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite an existing policy
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

#[derive(Debug, Args)]
pub(crate) struct HierarchyArgs {
    #[command(subcommand)]
    pub(crate) kind: crate::commands::hierarchy::Kind,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// The manifest
    pub(crate) manifest: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct ApplyArgs {
    /// The manifest
    pub(crate) manifest: PathBuf,
    /// The new rows
    pub(crate) data: PathBuf,
    /// Where to write the recoded rows
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Suppress rows whose class fails, within the policy's limit, instead of refusing
    #[arg(long)]
    pub(crate) suppress: bool,
}

#[derive(Debug, Args)]
pub(crate) struct GenerateArgs {
    #[command(subcommand)]
    pub(crate) kind: Generate,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Generate {
    /// People distributed as in the Adult census data, with some noise
    Adult {
        /// How many
        #[arg(allow_negative_numbers = true, long, value_name = "N")]
        rows: u64,
        /// Where to write; .gz and .zst compress. Standard output if left out
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
        /// How likely each value is replaced by another person's
        #[arg(allow_negative_numbers = true, long, value_name = "SHARE", default_value_t = tamis_adult::DEFAULT_NOISE)]
        noise: f64,
    },
}
