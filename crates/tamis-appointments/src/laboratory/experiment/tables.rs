//! The experiments of the sources, with what they printed.

use super::{Arm, Comparison, Experiment, Setting, Source};
use crate::laboratory::LaboratoryError;
use crate::laboratory::generators::{Generator, Norway, Paper, PaperText, QuasiIds, REGIONS, Thesis};
use crate::solve::Method;

/// How often each row of a table is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Runs {
    /// As often as the source says.
    AsPublished,
    /// So often.
    Given(u64),
}

impl Runs {
    fn or(self, published: u64) -> u64 {
        match self {
            Self::AsPublished => published,
            Self::Given(runs) => runs,
        }
    }

    fn check(self) -> Result<(), LaboratoryError> {
        let Self::Given(runs) = self else { return Ok(()) };
        if (1..=MOST_RUNS).contains(&runs) {
            return Ok(());
        }
        Err(LaboratoryError::parameter("the number of runs", runs, "give 1 to 1,000,000"))
    }
}

/// More runs than this tell nothing more.
const MOST_RUNS: u64 = 1_000_000;

const AUTHORS: Arm = Arm::Method(Method::Authors);
const HALF: Arm = Arm::Method(Method::Half);
const HEURISTIC: Arm = Arm::Method(Method::Heuristic);
const EXACT: Arm = Arm::Method(Method::Exact);

const fn over(of: Arm, over: Arm) -> Comparison {
    Comparison { of, over }
}

/// Table 10 of the paper: N, heuristic/random and C.P./heuristic in percent.
const TABLE_10: [(u64, f64, Option<f64>); 11] = [
    (20, 24.0, Some(1.0)),
    (25, 20.0, Some(2.0)),
    (30, 36.0, Some(5.0)),
    (35, 42.0, Some(12.0)),
    (40, 54.0, Some(14.0)),
    (45, 50.0, Some(14.0)),
    (50, 62.0, Some(10.0)),
    (100, 82.0, None),
    (250, 93.0, None),
    (500, 92.0, None),
    (1000, 92.0, None),
];

/// The dense case of the text beside Table 10: N = 1000 with Q = N/10 + 5.
const DENSE: (u64, f64) = (1000, 35.0);

/// The paper's Table 10: how much better than random appointments the rules and the optimum are, by size of the population.
pub fn table_10(runs: Runs) -> Result<Experiment, LaboratoryError> {
    let note =
        "Populations are drawn as in the authors' program; the paper's text describes others (--generator paper-text).";
    table_10_of(runs, |people, quasi_ids| Generator::Paper(Paper { people, quasi_ids }), note)
}

/// Table 10 with the populations that the paper's text describes, which are not those of the printed figures.
pub fn table_10_by_text(runs: Runs) -> Result<Experiment, LaboratoryError> {
    let note = "Populations are drawn as the paper's text describes them; the printed figures fit those of the authors' program \
        (--generator paper).";
    table_10_of(runs, |people, quasi_ids| Generator::PaperText(PaperText { people, quasi_ids }), note)
}

fn table_10_of(
    runs: Runs,
    generator: impl Fn(u64, QuasiIds) -> Generator,
    note: &str,
) -> Result<Experiment, LaboratoryError> {
    runs.check()?;
    let source = |people, quasi_ids| {
        let published = if people <= 250 { 10_000 } else { 1000 };
        Source::Draws(generator(people, quasi_ids), runs.or(published))
    };
    let mut settings: Vec<Setting> = TABLE_10
        .iter()
        .map(|&(people, heuristic, optimum)| Setting {
            label: format!("N = {people}"),
            source: source(people, QuasiIds::PAPER),
            published: [(over(AUTHORS, Arm::Drawn), Some(heuristic)), (over(EXACT, AUTHORS), optimum)]
                .into_iter()
                .filter_map(|(comparison, percent)| Some((comparison, percent? / 100.0)))
                .collect(),
            published_k: Vec::new(),
        })
        .collect();
    settings.push(Setting {
        label: format!("N = {}, Q = N/10+5", DENSE.0),
        source: source(DENSE.0, QuasiIds::DENSE),
        published: vec![(over(AUTHORS, Arm::Drawn), DENSE.1 / 100.0)],
        published_k: Vec::new(),
    });
    Ok(Experiment {
        title: "Table 10 of the paper".to_owned(),
        settings,
        arms: vec![Arm::Drawn, AUTHORS, HALF, HEURISTIC, EXACT],
        comparisons: vec![
            over(AUTHORS, Arm::Drawn),
            over(HALF, Arm::Drawn),
            over(HEURISTIC, Arm::Drawn),
            over(EXACT, Arm::Drawn),
            over(EXACT, AUTHORS),
        ],
        notes: vec![
            "The paper's heuristic column is the rule of the authors' program (authors), not Algorithm 2 as printed (half).".to_owned(),
            note.to_owned(),
        ],
    })
}

/// The paper's Table 11: how much better than the drawn appointments of a programme like Norway's the rules are, by region.
pub fn table_11(norway: &Norway, seed: u64) -> Result<Experiment, LaboratoryError> {
    let programmes = norway.programmes(seed)?;
    let settings = REGIONS.iter().map(|region| Setting {
        label: format!("region {}", region.number),
        source: Source::Programmes(
            programmes.iter().filter(|programme| programme.region == region.number).cloned().collect(),
        ),
        published: vec![(over(AUTHORS, Arm::Drawn), region.published.2 / 100.0)],
        published_k: Vec::new(),
    });
    Ok(Experiment {
        title: "Table 11 of the paper".to_owned(),
        settings: settings.collect(),
        arms: vec![Arm::Drawn, AUTHORS, HEURISTIC],
        comparisons: vec![over(AUTHORS, Arm::Drawn), over(HEURISTIC, Arm::Drawn)],
        notes: vec![
            "The register behind the paper is not public: ages, growth and sizes of centres are made up, so the figures show the same kind of programme, not the same one.".to_owned(),
            format!(
                "{} dates per region; the paper prints 282, although January 1992 to March 2015 are 279 months.",
                norway.dates
            ),
        ],
    })
}

/// Table 7 of the thesis: population, gain of the optimum and of the heuristic over random, of the optimum over the heuristic.
const THESIS_7: [(u64, Option<f64>, f64, Option<f64>); 4] = [
    (5, Some(0.3815), 0.368_166_666_666_666_7, Some(0.013_333_333_333_333_332)),
    (10, Some(0.648_448_872_785_829_4), 0.603_443_749_085_053_6, Some(0.045_005_123_700_775_876)),
    (25, Some(0.880_872_186_821_432), 0.710_577_093_128_347_5, Some(0.170_295_093_693_084_3)),
    (50, None, 0.772_735_835_648_884_6, None),
];

/// The thesis' Table 7: gains of the optimum and of the authors' rule over random appointments.
pub fn thesis_7(runs: Runs) -> Result<Experiment, LaboratoryError> {
    runs.check()?;
    let settings = THESIS_7.iter().map(|&(people, exact, authors, between)| Setting {
        published: [
            (over(EXACT, Arm::Drawn), exact),
            (over(AUTHORS, Arm::Drawn), Some(authors)),
            (over(EXACT, AUTHORS), between),
        ]
        .into_iter()
        .filter_map(|(comparison, value)| Some((comparison, value?)))
        .collect(),
        ..thesis_setting(people, runs)
    });
    Ok(Experiment {
        title: "Table 7 of the thesis".to_owned(),
        settings: settings.collect(),
        arms: vec![Arm::Drawn, AUTHORS, HEURISTIC, EXACT],
        comparisons: vec![
            over(EXACT, Arm::Drawn),
            over(AUTHORS, Arm::Drawn),
            over(EXACT, AUTHORS),
            over(HEURISTIC, Arm::Drawn),
        ],
        notes: vec![THESIS_RANGES.to_owned()],
    })
}

/// Table 8 of the thesis: population, k of random appointments, of the optimum and of the heuristic.
const THESIS_8: [(u64, f64, Option<f64>, f64); 6] = [
    (5, 1.01, Some(1.05), 1.05),
    (10, 1.0, Some(1.07), 1.06),
    (25, 1.0, Some(1.43), 1.26),
    (100, 1.01, None, 2.16),
    (1000, 1.02, None, 6.82),
    (10_000, 1.15, None, 17.31),
];

/// The thesis' Table 8: k by size of the population.
pub fn thesis_8(runs: Runs) -> Result<Experiment, LaboratoryError> {
    runs.check()?;
    let settings = THESIS_8.iter().map(|&(people, random, exact, authors)| Setting {
        published_k: [(Arm::Drawn, Some(random)), (EXACT, exact), (AUTHORS, Some(authors))]
            .into_iter()
            .filter_map(|(arm, value)| Some((arm, value?)))
            .collect(),
        ..thesis_setting(people, runs)
    });
    Ok(Experiment {
        title: "Table 8 of the thesis".to_owned(),
        settings: settings.collect(),
        arms: vec![Arm::Drawn, EXACT, AUTHORS, HEURISTIC],
        comparisons: Vec::new(),
        notes: vec![THESIS_RANGES.to_owned()],
    })
}

const THESIS_RANGES: &str = "The thesis does not print the ranges its populations were drawn from: 5 to 10 quasi-identifier values and \
    capacities from 1 to twice the root of N come nearest to its figures.";

/// The thesis ran everything a hundred times.
const THESIS_RUNS: u64 = 100;

fn thesis_setting(people: u64, runs: Runs) -> Setting {
    Setting {
        label: format!("N = {people}"),
        source: Source::Draws(Generator::Thesis(Thesis::of(people)), runs.or(THESIS_RUNS)),
        published: Vec::new(),
        published_k: Vec::new(),
    }
}

/// An experiment of one's own: problems of some generators, scheduled by some methods, all against drawn appointments.
pub fn custom(generators: Vec<(String, Generator)>, arms: &[Arm], runs: Runs) -> Result<Experiment, LaboratoryError> {
    runs.check()?;
    let settings = generators.into_iter().map(|(label, generator)| Setting {
        label,
        source: Source::Draws(generator, runs.or(THESIS_RUNS)),
        published: Vec::new(),
        published_k: Vec::new(),
    });
    let mut others: Vec<Arm> = Vec::new();
    for &arm in arms {
        if arm != Arm::Drawn && !others.contains(&arm) {
            others.push(arm);
        }
    }
    Ok(Experiment {
        title: "Experiment".to_owned(),
        settings: settings.collect(),
        comparisons: others.iter().map(|&arm| over(arm, Arm::Drawn)).collect(),
        arms: std::iter::once(Arm::Drawn).chain(others).collect(),
        notes: Vec::new(),
    })
}
