//! Which populations are made up: the flags that `generate` and `experiment custom` share.

use crate::answer::{CommandError, sentence};
use clap::{Args, ValueEnum};
use tamis_appointments::laboratory::generators::{
    Ages, Generator, Norway, Paper, PaperText, Population, QuasiIds, Screening, Sex, Thesis,
};

/// What can be made up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GeneratorName {
    /// What the authors' program draws
    Paper,
    /// What the paper's text describes: normal with 20% deviation
    PaperText,
    /// The thesis' experiments: random numbers of values, capacities from a range
    Thesis,
    /// People by age, postcode and sex, with the ages of Spain in 2015
    SpanishPyramid,
    /// A screening programme with the sizes of the paper's Table 11
    Norway,
}

/// What may be said about a generator; what does not belong to the one chosen is refused.
#[derive(Debug, Args)]
pub(crate) struct GeneratorArgs {
    /// paper, paper-text: how many quasi-identifier values there are [default: N/100+5]
    #[arg(long, value_name = "N/D+C|NUMBER")]
    quasi_ids: Option<QuasiIds>,
    /// thesis: the smallest number of quasi-identifier values [default: 5]
    #[arg(long, value_name = "NUMBER")]
    min_quasi_ids: Option<u64>,
    /// thesis: the largest number of quasi-identifier values [default: 10]
    #[arg(long, value_name = "NUMBER")]
    max_quasi_ids: Option<u64>,
    /// thesis, spanish-pyramid: the smallest capacity [default: 1 or 5]
    #[arg(long, value_name = "PEOPLE")]
    min_capacity: Option<u64>,
    /// thesis, spanish-pyramid: the largest capacity [default: twice the root of N, or 15]
    #[arg(long, value_name = "PEOPLE")]
    max_capacity: Option<u64>,
    /// spanish-pyramid: how many slots at least [default: 1]
    #[arg(long, value_name = "NUMBER")]
    slots: Option<u64>,
    /// spanish-pyramid: how ages are spread [default: spain]
    #[arg(long, value_enum)]
    ages: Option<Ages>,
    /// spanish-pyramid: only people of this sex
    #[arg(long, value_enum)]
    sex: Option<Sex>,
    /// spanish-pyramid: the youngest [default: 0]
    #[arg(long, value_name = "YEARS")]
    min_age: Option<u32>,
    /// spanish-pyramid: the oldest [default: 100]
    #[arg(long, value_name = "YEARS")]
    max_age: Option<u32>,
    /// spanish-pyramid: how many postcodes, from 28000 on [default: 3]
    #[arg(long, value_name = "NUMBER")]
    postcodes: Option<u32>,
}

/// What may be said about a programme like Norway's.
#[derive(Debug, Args)]
pub(crate) struct NorwayArgs {
    /// A programme like Norway's: the share of the 2.4 million invitations [default: 1]
    #[arg(allow_negative_numbers = true, long, value_name = "SHARE")]
    scale: Option<f64>,
    /// A programme like Norway's: how many dates [default: the 282 that the paper prints]
    #[arg(long, value_name = "NUMBER")]
    dates: Option<u32>,
}

impl NorwayArgs {
    pub(crate) fn norway(&self) -> Norway {
        let usual = Norway::default();
        Norway { dates: self.dates.unwrap_or(usual.dates), scale: self.scale.unwrap_or(usual.scale) }
    }

    /// Its flags, for the kinds that take them.
    pub(crate) fn flags<Kind>(&self, kinds: &'static [Kind]) -> [GivenFlag<Kind>; 2] {
        [
            GivenFlag { flag: "--scale", value: self.scale.map(|scale| scale.to_string()), kinds },
            GivenFlag { flag: "--dates", value: self.dates.map(|dates| dates.to_string()), kinds },
        ]
    }
}

/// A flag that was given, and the kinds that take it.
pub(crate) struct GivenFlag<Kind: 'static> {
    pub(crate) flag: &'static str,
    /// As it may be written again; none if the flag was left out.
    pub(crate) value: Option<String>,
    pub(crate) kinds: &'static [Kind],
}

/// Refuses the first flag that was given although the kind chosen does not take it.
pub(crate) fn refuse_misplaced<Kind: ValueEnum + PartialEq>(
    chosen: &Kind,
    flags: &[GivenFlag<Kind>],
) -> Result<(), CommandError> {
    let Some(misplaced) = flags.iter().find(|flag| flag.value.is_some() && !flag.kinds.contains(chosen)) else {
        return Ok(());
    };
    let kinds: Vec<String> = misplaced.kinds.iter().map(|kind| format!("`{}`", name_of(kind))).collect();
    let kinds = match kinds.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        kinds => kinds.concat(),
    };
    Err(sentence(format!(
        "{} does not apply to `{}`, only to {kinds}; leave it out or choose another kind",
        misplaced.flag,
        name_of(chosen)
    )))
}

/// The word on the command line.
pub(crate) fn name_of(value: &impl ValueEnum) -> String {
    value.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

impl GeneratorArgs {
    /// Every flag with the generators that take it.
    pub(crate) fn flags(&self) -> Vec<GivenFlag<GeneratorName>> {
        use GeneratorName as Name;
        const PAPERS: &[GeneratorName] = &[Name::Paper, Name::PaperText];
        const THESIS: &[GeneratorName] = &[Name::Thesis];
        const RANGES: &[GeneratorName] = &[Name::Thesis, Name::SpanishPyramid];
        const PYRAMID: &[GeneratorName] = &[Name::SpanishPyramid];
        fn flag<T: ToString>(
            flag: &'static str,
            value: Option<&T>,
            kinds: &'static [GeneratorName],
        ) -> GivenFlag<GeneratorName> {
            GivenFlag { flag, value: value.map(ToString::to_string), kinds }
        }
        vec![
            flag("--quasi-ids", self.quasi_ids.as_ref(), PAPERS),
            flag("--min-quasi-ids", self.min_quasi_ids.as_ref(), THESIS),
            flag("--max-quasi-ids", self.max_quasi_ids.as_ref(), THESIS),
            flag("--min-capacity", self.min_capacity.as_ref(), RANGES),
            flag("--max-capacity", self.max_capacity.as_ref(), RANGES),
            flag("--slots", self.slots.as_ref(), PYRAMID),
            flag("--ages", self.ages.as_ref().map(name_of).as_ref(), PYRAMID),
            flag("--sex", self.sex.as_ref().map(name_of).as_ref(), PYRAMID),
            flag("--min-age", self.min_age.as_ref(), PYRAMID),
            flag("--max-age", self.max_age.as_ref(), PYRAMID),
            flag("--postcodes", self.postcodes.as_ref(), PYRAMID),
        ]
    }

    /// The generator of this name for so many people; none for `norway`, which has its own sizes.
    pub(crate) fn generator(&self, name: GeneratorName, people: u64) -> Option<Generator> {
        let quasi_ids = self.quasi_ids.unwrap_or(QuasiIds::PAPER);
        Some(match name {
            GeneratorName::Paper => Generator::Paper(Paper { people, quasi_ids }),
            GeneratorName::PaperText => Generator::PaperText(PaperText { people, quasi_ids }),
            GeneratorName::Thesis => {
                let usual = Thesis::of(people);
                Generator::Thesis(Thesis {
                    people,
                    minimum_quasi_ids: self.min_quasi_ids.unwrap_or(usual.minimum_quasi_ids),
                    maximum_quasi_ids: self.max_quasi_ids.unwrap_or(usual.maximum_quasi_ids),
                    minimum_capacity: self.min_capacity.unwrap_or(usual.minimum_capacity),
                    maximum_capacity: self.max_capacity.unwrap_or(usual.maximum_capacity),
                })
            }
            GeneratorName::SpanishPyramid => Generator::Screening(self.screening(people)),
            GeneratorName::Norway => return None,
        })
    }

    /// A population of so many people with slots for it.
    pub(crate) fn screening(&self, people: u64) -> Screening {
        let population = Population {
            people,
            ages: self.ages.unwrap_or(Ages::SpanishPyramid),
            sex: self.sex,
            minimum_age: self.min_age.unwrap_or(0),
            maximum_age: self.max_age.unwrap_or(100),
            postcodes: self.postcodes.unwrap_or(3),
        };
        Screening {
            population,
            slots: self.slots.unwrap_or(1),
            minimum_capacity: self.min_capacity.unwrap_or(5),
            maximum_capacity: self.max_capacity.unwrap_or(15),
        }
    }
}
