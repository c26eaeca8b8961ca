//! Requirements on the risk of a table.

use super::RiskReport;
use crate::ReleaseError;

/// A figure that must not be exceeded.
#[derive(Debug, Clone, Copy)]
pub struct RiskBound {
    name: &'static str,
    meaning: &'static str,
    /// The largest value allowed.
    pub most: f64,
    figure: fn(&RiskReport) -> Option<f64>,
}

/// A name, its meaning, and where a report holds the figure.
type Known = (&'static str, &'static str, fn(&RiskReport) -> Option<f64>);

const KNOWN: [Known; 8] = [
    ("average", "the average risk", |report| Some(report.prosecutor.average)),
    ("max", "the largest risk", |report| Some(report.prosecutor.max)),
    ("at_risk", "the share of rows above the threshold", |report| Some(report.prosecutor.at_risk)),
    ("uniques", "the share of rows that are unique in the table", |report| Some(report.uniques.share)),
    ("journalist", "the largest risk from a journalist", |report| {
        report.journalist.as_ref().map(|found| found.risk.max)
    }),
    ("marketer", "the expected share of rows matched to the right person", |report| Some(report.marketer.share)),
    ("population_uniques", "the share of people unique in the population", |report| {
        let counted = report.population.as_ref().map(|found| found.uniques as f64 / found.people.max(1) as f64);
        counted.or_else(|| Some(report.estimates.as_ref()?.dankar.as_ref()?.share_of_population))
    }),
    ("presence", "the largest share of a class of the population that is in the table", |report| {
        report.presence.as_ref().map(|found| found.max)
    }),
];

impl RiskBound {
    /// Parses `average=0.1,max=0.2,uniques=0.05` and the like.
    ///
    /// ```
    /// use tamis_release::risk::RiskBound;
    /// let bounds = RiskBound::parse_list("average=0.1, max=0.2")?;
    /// assert_eq!((bounds[0].name(), bounds[1].most), ("average", 0.2));
    /// assert!(RiskBound::parse_list("average=2").is_err());
    /// # Ok::<(), tamis_release::ReleaseError>(())
    /// ```
    pub fn parse_list(text: &str) -> Result<Vec<Self>, ReleaseError> {
        text.split(',').map(|part| Self::parse(part.trim())).collect()
    }

    fn parse(text: &str) -> Result<Self, ReleaseError> {
        let bad = || {
            let names: Vec<&str> = KNOWN.iter().map(|&(name, ..)| name).collect();
            ReleaseError::Setting(format!(
                "`{text}` is no requirement; expected NAME=NUMBER with a number between 0 and 1 and one of the names {}",
                names.join(", ")
            ))
        };
        let (name, value) = text.split_once('=').ok_or_else(bad)?;
        let most = value.trim().parse::<f64>().ok().filter(|most| (0.0..=1.0).contains(most)).ok_or_else(bad)?;
        let &(name, meaning, figure) = KNOWN.iter().find(|&&(known, ..)| known == name.trim()).ok_or_else(bad)?;
        Ok(Self { name, meaning, most, figure })
    }

    /// The name it was asked for by.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The figure in words.
    pub fn meaning(&self) -> &'static str {
        self.meaning
    }

    /// Whether the figure tells about the people around the table.
    pub fn is_about_the_population(&self) -> bool {
        matches!(self.name, "journalist" | "population_uniques" | "presence")
    }

    /// What the report has; an error if it cannot have it without a population or a fraction.
    pub fn found(&self, report: &RiskReport) -> Result<f64, ReleaseError> {
        (self.figure)(report).ok_or_else(|| {
            let needed = if self.name == "presence" { "--population" } else { "--population or --fraction" };
            ReleaseError::Setting(format!("the requirement `{}` needs {needed}", self.name))
        })
    }

    /// Why the report does not meet the bound, if it does not.
    pub fn violation(&self, report: &RiskReport) -> Result<Option<String>, ReleaseError> {
        let found = self.found(report)?;
        Ok((found > self.most).then(|| format!("{} is {found}, at most {} is allowed", self.meaning, self.most)))
    }
}
