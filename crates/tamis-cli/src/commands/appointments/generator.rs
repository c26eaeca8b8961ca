//! Which populations are made up: the flags that `generate` and `experiment custom` share.

use crate::answer::CommandError;
use clap::{Args, ValueEnum};
use tamis_appointments::laboratory::generators::{
    Ages, Generator, Paper, PaperText, Population, QuasiIds, Screening, Sex, Thesis,
};

/// A generator of plain problems.
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
}

/// What may be said about a generator; what does not belong to the one chosen is not used.
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
    /// spanish-pyramid: how many slots at least
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    slots: u64,
    /// spanish-pyramid: how ages are spread
    #[arg(long, value_enum, default_value_t = AgesName::Spanish)]
    ages: AgesName,
    /// spanish-pyramid: only people of this sex
    #[arg(long, value_enum)]
    sex: Option<SexName>,
    /// spanish-pyramid: the youngest
    #[arg(long, value_name = "YEARS", default_value_t = 0)]
    min_age: u32,
    /// spanish-pyramid: the oldest
    #[arg(long, value_name = "YEARS", default_value_t = 100)]
    max_age: u32,
    /// spanish-pyramid: how many postcodes, from 28000 on
    #[arg(long, value_name = "NUMBER", default_value_t = 3)]
    postcodes: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum AgesName {
    /// As in Spain at the beginning of 2015
    Spanish,
    /// Every age alike
    Uniform,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SexName {
    Man,
    Woman,
}

impl GeneratorArgs {
    /// The generator of this name for so many people.
    pub(crate) fn generator(&self, name: GeneratorName, people: u64) -> Generator {
        let quasi_ids = self.quasi_ids.unwrap_or(QuasiIds::PAPER);
        match name {
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
        }
    }

    /// A population of so many people with slots for it.
    pub(crate) fn screening(&self, people: u64) -> Screening {
        let population = Population {
            people,
            ages: match self.ages {
                AgesName::Spanish => Ages::SpanishPyramid,
                AgesName::Uniform => Ages::Uniform,
            },
            sex: self.sex.map(|sex| match sex {
                SexName::Man => Sex::Man,
                SexName::Woman => Sex::Woman,
            }),
            minimum_age: self.min_age,
            maximum_age: self.max_age,
            postcodes: self.postcodes,
        };
        Screening {
            population,
            slots: self.slots,
            minimum_capacity: self.min_capacity.unwrap_or(5),
            maximum_capacity: self.max_capacity.unwrap_or(15),
        }
    }
}

/// A number of people that was asked for, or what to do.
pub(crate) fn people_or_refuse(people: Option<u64>) -> Result<u64, CommandError> {
    people.ok_or_else(|| crate::answer::sentence("how many people? Give --people N"))
}
