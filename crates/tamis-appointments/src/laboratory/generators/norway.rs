//! A programme like that of the paper's Table 11.

use crate::instance::Plain;
use crate::laboratory::LaboratoryError;
use crate::laboratory::dice::Dice;
use crate::vector::AnonymityVector;
use std::collections::BTreeMap;

/// A region of Table 11.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Region {
    /// As the paper numbers it.
    pub number: u32,
    /// Invitations over all dates.
    pub appointments: u64,
    /// Screening centres.
    pub centres: u32,
    /// How unequal the centres are: centre i has i^-skew times the women of the first.
    pub skew: f64,
    /// The improvements printed: minimum, maximum, mean, in percent.
    pub published: (f64, f64, f64),
}

/// The regions of Table 11.
pub const REGIONS: [Region; 5] = [
    Region { number: 1, appointments: 1_370_100, centres: 13, skew: 0.8, published: (65.4, 96.9, 82.6) },
    Region { number: 2, appointments: 348_487, centres: 4, skew: 6.45, published: (1.7, 65.3, 34.4) },
    Region { number: 3, appointments: 303_226, centres: 3, skew: 1.3, published: (35.8, 92.2, 58.8) },
    Region { number: 4, appointments: 244_990, centres: 3, skew: 0.0, published: (9.5, 89.3, 53.7) },
    Region { number: 9, appointments: 132_395, centres: 3, skew: 9.6, published: (0.0, 21.4, 3.6) },
];

/// A screening programme with the sizes of Table 11: every region and date is a problem of its own, with the birth year as
/// quasi-identifier and the centres of the region as slots.
///
/// The register behind the paper is not public. Regions, centres, invitations, dates and birth years are the printed ones; what
/// the paper does not print is chosen here, and the figures depend on it:
///
/// * Invitations grow over the years: the last date has about twice those of the first, give or take 10% from date to date.
/// * Women are mostly 25 to 69, the ages of cervical screening: as many of each age up to 45, then 2% fewer per year of age. There
///   are tails of women outside: each year of age has 0.8 times the women of the next one towards the core. Birth years
///   end at 1904 and 1996.
/// * Centres are unequal, by a [`Region::skew`] per region that is set so that the authors' rule gives about the printed mean
///   improvement: regions 2 and 9 fit only if nearly everybody goes to one centre, region 4 if its centres are equal.
/// * Who goes where is drawn; a centre's capacity on a date is the number of women who went there, as in the authors' program.
#[derive(Debug, Clone, PartialEq)]
pub struct Norway {
    /// The paper prints 282; January 1992 to March 2015 are 279 months.
    pub dates: u32,
    /// The share of the invitations that is made up, above 0 and up to 1.
    pub scale: f64,
}

impl Default for Norway {
    fn default() -> Self {
        Self { dates: 282, scale: 1.0 }
    }
}

/// The first and last birth year of the paper's data.
const BIRTH_YEARS: (u32, u32) = (1904, 1996);

/// The first screening date.
const FIRST_YEAR: u32 = 1992;

/// No programme goes on for longer: the last invited are born in 1996.
const MOST_DATES: u32 = 600;

/// The invitations of a region for one date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Programme {
    /// The region's number.
    pub region: u32,
    /// The date, counted in months from January 1992.
    pub month: u32,
    /// Women by (birth year, centre), as drawn.
    pub drawn: BTreeMap<(u32, u32), u64>,
}

impl Programme {
    /// How many women are invited.
    pub fn people(&self) -> u64 {
        self.drawn.values().sum()
    }

    /// Year and month of the date.
    pub fn date(&self) -> (u32, u32) {
        (FIRST_YEAR + self.month / 12, self.month % 12 + 1)
    }

    /// Women by birth year.
    pub fn birth_years(&self) -> BTreeMap<u32, u64> {
        self.summed(|(year, _)| year)
    }

    /// Places by centre; centres without any are left out.
    pub fn centres(&self) -> BTreeMap<u32, u64> {
        self.summed(|(_, centre)| centre)
    }

    fn summed(&self, by: impl Fn((u32, u32)) -> u32) -> BTreeMap<u32, u64> {
        let mut sums = BTreeMap::new();
        for (&cell, &people) in &self.drawn {
            *sums.entry(by(cell)).or_insert(0) += people;
        }
        sums
    }

    /// The problem to schedule.
    pub fn problem(&self) -> Plain {
        Plain {
            frequencies: self.birth_years().into_values().collect(),
            capacities: self.centres().into_values().collect(),
        }
    }

    /// The anonymity vector of the drawn appointments.
    pub fn drawn_vector(&self) -> AnonymityVector {
        AnonymityVector::of_sizes(self.drawn.values().copied())
    }
}

impl Norway {
    /// The programmes of a seed, by region and date. Each has its own dice, so a shorter programme is the beginning of each
    /// region's longer one but for the number of invitations.
    pub fn programmes(&self, seed: u64) -> Result<Vec<Programme>, LaboratoryError> {
        self.check()?;
        let mut programmes = Vec::new();
        for region in &REGIONS {
            for (month, people) in self.invitations(region, seed).into_iter().enumerate() {
                programmes.push(Self::programme(region, month as u32, people, seed));
            }
        }
        Ok(programmes)
    }

    /// Refuses parameters that make no programme.
    fn check(&self) -> Result<(), LaboratoryError> {
        if !(1..=MOST_DATES).contains(&self.dates) {
            return Err(LaboratoryError::parameter("the number of dates", self.dates, "give 1 to 600"));
        }
        let is_scale = self.scale > 0.0 && self.scale <= 1.0;
        if !is_scale {
            return Err(LaboratoryError::parameter("the scale", self.scale, "give a number above 0 and up to 1"));
        }
        Ok(())
    }

    /// How many women of a region are invited for each date, at least one.
    fn invitations(&self, region: &Region, seed: u64) -> Vec<u64> {
        let dates = u64::from(self.dates);
        let people = ((region.appointments as f64 * self.scale).round() as u64).max(dates);
        let mut dice = Dice::of_part(seed, part(region, PLAN));
        let growth = |date: u64| 1.0 + date as f64 / (dates - 1).max(1) as f64;
        let weights: Vec<f64> = (0..dates).map(|date| growth(date) * (1.0 + 0.1 * dice.normal()).max(0.1)).collect();
        let mut weight_so_far = 0.0;
        let whole: f64 = weights.iter().sum();
        let mut ends: Vec<u64> = Vec::new();
        for (date, weight) in weights.iter().enumerate() {
            weight_so_far += weight;
            let end = dates.min(date as u64 + 1) + ((people - dates) as f64 * weight_so_far / whole).round() as u64;
            ends.push(end);
        }
        if let Some(last) = ends.last_mut() {
            *last = people;
        }
        ends.iter().scan(0, |before, &end| Some(end - std::mem::replace(before, end))).collect()
    }

    fn programme(region: &Region, month: u32, people: u64, seed: u64) -> Programme {
        let mut dice = Dice::of_part(seed, part(region, month));
        let years = birth_year_weights(FIRST_YEAR + month / 12);
        let size = |centre: u32| (LARGEST_CENTRE * f64::from(centre).powf(-region.skew)) as u64;
        let centres = (1..=region.centres).map(|centre| (centre, size(centre))).collect();
        let (years, centres) = (Urn::new(years), Urn::new(centres));
        let mut drawn = BTreeMap::new();
        for _ in 0..people {
            *drawn.entry((years.draw(&mut dice), centres.draw(&mut dice))).or_insert(0) += 1;
        }
        Programme { region: region.number, month, drawn }
    }
}

/// The stream of the seed that plans a region's invitations.
const PLAN: u32 = u32::MAX;

/// The weight of a region's first centre.
const LARGEST_CENTRE: f64 = 1e9;

/// The stream of the seed that belongs to a region and a month.
fn part(region: &Region, month: u32) -> u64 {
    u64::from(region.number) << 32 | u64::from(month)
}

/// The birth years of women invited in a year, with weights.
fn birth_year_weights(invited_in: u32) -> Vec<(u32, u64)> {
    let (first, last) = BIRTH_YEARS;
    (first..=last.min(invited_in))
        .map(|born| (born, age_weight(invited_in - born)))
        .filter(|&(_, weight)| weight > 0)
        .collect()
}

/// How many women of an age are invited, up to a common factor.
fn age_weight(age: u32) -> u64 {
    const CORE: f64 = 1e9;
    let declining = |age: u32| 0.98_f64.powi(age.saturating_sub(45).cast_signed());
    let weight = match age {
        0..16 => 0.0,
        16..25 => 0.8_f64.powi((25 - age).cast_signed()),
        25..70 => declining(age),
        70.. => declining(69) * 0.8_f64.powi((age - 69).cast_signed()),
    };
    (CORE * weight) as u64
}

/// Values with weights, drawn by weight.
struct Urn {
    /// Each value with the weight of all up to it.
    ends: Vec<(u32, u64)>,
}

impl Urn {
    fn new(weights: Vec<(u32, u64)>) -> Self {
        let ends = weights.into_iter().scan(0, |sum, (value, weight)| {
            *sum += weight;
            Some((value, *sum))
        });
        Self { ends: ends.collect() }
    }

    fn draw(&self, dice: &mut Dice) -> u32 {
        let at = dice.below(self.ends.last().map_or(0, |&(_, all)| all));
        self.ends[self.ends.partition_point(|&(_, end)| end <= at)].0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundredth_of_the_programme_has_the_sizes_of_table_11() {
        let norway = Norway { scale: 0.01, ..Norway::default() };
        let programmes = norway.programmes(1).expect("plausible");
        assert_eq!(programmes.len(), 1410);
        for region in &REGIONS {
            let of_region: Vec<_> = programmes.iter().filter(|programme| programme.region == region.number).collect();
            let people: u64 = of_region.iter().map(|programme| programme.people()).sum();
            assert_eq!((of_region.len(), people), (282, (region.appointments as f64 / 100.0).round() as u64));
        }
        for programme in &programmes {
            let problem = programme.problem();
            assert_eq!((problem.people(), problem.slack()), (programme.people(), 0));
            assert!(programme.drawn.keys().all(|&(year, _)| (1904..=1996).contains(&year)));
        }
        assert_eq!(norway.programmes(1).expect("plausible"), programmes);
        assert_ne!(norway.programmes(2).expect("plausible"), programmes);
    }

    #[test]
    fn most_women_are_of_screening_age_and_the_first_centre_is_the_largest() {
        let programmes = Norway { dates: 3, scale: 0.1 }.programmes(5).expect("plausible");
        let invited: u64 = programmes.iter().map(Programme::people).sum();
        let of_screening_age: u64 = programmes
            .iter()
            .flat_map(Programme::birth_years)
            .filter(|&(year, _)| (1923..=1967).contains(&year))
            .map(|(_, people)| people)
            .sum();
        assert!((0.85..0.95).contains(&(of_screening_age as f64 / invited as f64)), "{of_screening_age} of {invited}");
        let share_of_the_first = |region| {
            let centres = programmes.iter().filter(|programme| programme.region == region).map(Programme::centres);
            let (first, all) =
                centres.fold((0, 0), |(first, all), of| (first + of[&1], all + of.values().sum::<u64>()));
            first as f64 / all as f64
        };
        assert!((share_of_the_first(4) - 1.0 / 3.0).abs() < 0.02, "equal centres");
        assert!(share_of_the_first(9) > 0.99, "one centre for nearly everybody");
    }

    #[test]
    fn parameters_that_make_no_programme_are_refused() {
        let refused = |dates, scale| Norway { dates, scale }.programmes(0).expect_err("impossible").to_string();
        assert_eq!(refused(0, 1.0), "the number of dates is 0; give 1 to 600");
        assert_eq!(refused(282, f64::NAN), "the scale is NaN; give a number above 0 and up to 1");
        assert_eq!(refused(282, 1.5), "the scale is 1.5; give a number above 0 and up to 1");
    }

    #[test]
    fn dates_are_counted_from_january_1992() {
        let programme = |month| Programme { region: 1, month, drawn: BTreeMap::new() };
        assert_eq!(programme(0).date(), (1992, 1));
        assert_eq!(programme(278).date(), (2015, 3), "the 279th month is March 2015, where the paper counts 282 dates");
    }
}
