//! Assesses a table as it is: which k, l and t it has, and whether that is enough.

use crate::ReleaseError;
use crate::facts::sensitive_facts;
use crate::outcome::RiskFigures;
use serde::Serialize;
use std::collections::{BTreeMap, HashSet};
use tamis_privacy::models::distinct_l::distinct;
use tamis_privacy::models::entropy_l::entropy_l;
use tamis_privacy::models::recursive_cl::least_c;
use tamis_privacy::models::t_closeness::{Distance, Mover};
use tamis_risk::ProsecutorRisk;
use tamis_table::hierarchy::SUPPRESSED;
use tamis_table::{Column, FrequencySet, FrequencySpec, MissingPolicy, Recoder, Table};

/// What to assess.
#[derive(Debug, Clone, Default)]
pub struct AssessOptions {
    /// The quasi-identifiers.
    pub quasi: Vec<String>,
    /// The sensitive attributes.
    pub sensitive: Vec<String>,
    /// Hierarchies of sensitive attributes.
    pub hierarchies: BTreeMap<String, Recoder>,
    /// The distance of t-closeness; hierarchical where there is a hierarchy, else equal.
    pub distance: Option<Distance>,
    /// The l for which the least c of recursive diversity is told.
    pub l: u64,
    /// How often each value of a sensitive attribute occurs in the table that t is measured against; the assessed rows themselves
    /// where it is not given. Values are those of the attribute's dictionary, in its order.
    pub reference: BTreeMap<String, Vec<u64>>,
    /// The column that names the person.
    pub entity: Option<String>,
    /// Which rows to assess, if not all.
    pub rows: Option<Vec<bool>>,
    /// Count rows of nothing but `*` as a class instead of leaving them out as suppressed.
    pub count_suppressed: bool,
    /// A row whose risk is above this is at risk.
    pub threshold: f64,
}

/// What a table has.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Assessment {
    /// Rows assessed.
    pub rows: u64,
    /// Rows left out because their quasi-identifiers and sensitive values are all `*`.
    pub suppressed: u64,
    /// Size of the smallest class; 0 if there is no row.
    pub k: u64,
    /// Number of classes.
    pub classes: u64,
    /// Size of the largest class.
    pub largest: u64,
    /// Mean class size.
    pub average: f64,
    /// How many classes have size 1, 2, 3, ...
    pub anonymity_vector: Vec<u64>,
    /// The prosecutor's risk.
    pub risk: RiskFigures,
    /// Per sensitive attribute, the figures of the worst class.
    pub sensitive: BTreeMap<String, Diversity>,
    /// The class of each row, for showing the table; rows left out have none.
    #[serde(skip)]
    pub class_of_row: Vec<Option<u32>>,
}

/// How diverse the worst class is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Diversity {
    /// Fewest different values.
    pub distinct_l: u64,
    /// Smallest e to the entropy.
    pub entropy_l: f64,
    /// The l that `recursive_c` is for.
    pub l: u64,
    /// The bound that c must exceed for recursive (c,l)-diversity; none if a class has fewer than l values.
    pub recursive_c: Option<f64>,
    /// Largest distance to the whole table.
    pub t: f64,
    /// Which distance.
    pub distance: &'static str,
}

/// Assesses a table. One pass to group the rows, one over the classes.
pub fn assess(table: &Table, options: &AssessOptions) -> Result<Assessment, ReleaseError> {
    if options.quasi.is_empty() {
        return Err(ReleaseError::Setting("name at least one quasi-identifier with --quasi".to_owned()));
    }
    let is_released = released_rows(table, options)?;
    let spec = FrequencySpec {
        quasi: options
            .quasi
            .iter()
            .map(|name| Ok((name.as_str(), Recoder::keep_or_suppress(table.column(name)?), MissingPolicy::OwnCategory)))
            .collect::<Result<_, ReleaseError>>()?,
        sensitive: options.sensitive.iter().map(String::as_str).collect(),
        joint: Vec::new(),
        entity: options.entity.as_deref(),
        subset: Some(&is_released),
    };
    let (frequency, tuple_of_row) = FrequencySet::count(table, spec)?;
    let sizes: Vec<u64> = (0..frequency.tuples())
        .map(|tuple| match &frequency.entities {
            None => u64::from(frequency.counts[tuple]),
            Some(entities) => u64::from(entities.starts[tuple + 1] - entities.starts[tuple]),
        })
        .collect();
    let classes = || sizes.iter().zip(&frequency.counts).filter(|&(&size, _)| size > 0);
    let mut anonymity_vector = vec![0u64; classes().map(|(&size, _)| size as usize).max().unwrap_or(0)];
    for (&size, _) in classes() {
        anonymity_vector[size as usize - 1] += 1;
    }
    let risk = ProsecutorRisk::of(classes().map(|(&size, &rows)| (u64::from(rows), size)), options.threshold);
    let count = classes().count() as u64;
    let assessed = options.rows.as_ref().map_or(table.rows(), |rows| rows.iter().filter(|&&row| row).count()) as u64;
    let sensitive = frequency
        .sensitive
        .iter()
        .enumerate()
        .map(|(position, sensitive)| {
            let column = table.column(&sensitive.name)?;
            Ok((sensitive.name.clone(), diversity(&frequency, position, column, options)?))
        })
        .collect::<Result<_, ReleaseError>>()?;
    Ok(Assessment {
        rows: frequency.rows,
        suppressed: assessed - frequency.rows,
        k: classes().map(|(&size, _)| size).min().unwrap_or(0),
        classes: count,
        largest: anonymity_vector.len() as u64,
        average: if count == 0 { 0.0 } else { sizes.iter().sum::<u64>() as f64 / count as f64 },
        anonymity_vector,
        risk: RiskFigures { average: risk.average, max: risk.max, at_risk: risk.at_risk, threshold: risk.threshold },
        sensitive,
        class_of_row: tuple_of_row.iter().zip(&is_released).map(|(&tuple, &kept)| kept.then_some(tuple)).collect(),
    })
}

/// How often each value of a column occurs in some rows; once per person where a column names people.
pub fn count_values(column: &Column, person: Option<&Column>, rows: impl Iterator<Item = usize>) -> Vec<u64> {
    let mut counts = vec![0; column.dictionary().len()];
    let mut seen = HashSet::new();
    for row in rows {
        let code = column.codes().get(row);
        if person.is_none_or(|person| seen.insert((person.codes().get(row), code))) {
            counts[code as usize] += 1;
        }
    }
    counts
}

/// Rows in which some quasi-identifier or sensitive value is more than `*`: suppressed rows say nothing at all.
fn released_rows(table: &Table, options: &AssessOptions) -> Result<Vec<bool>, ReleaseError> {
    let names = options.quasi.iter().chain(&options.sensitive);
    let columns = names.map(|name| table.column(name)).collect::<Result<Vec<&Column>, _>>()?;
    let stars: Vec<Option<u32>> = columns
        .iter()
        .map(|column| column.dictionary().iter().position(|text| text == SUPPRESSED).map(|code| code as u32))
        .collect();
    let is_star = |row: usize| columns.iter().zip(&stars).all(|(column, &star)| Some(column.codes().get(row)) == star);
    let is_assessed = |row: usize| options.rows.as_ref().is_none_or(|rows| rows[row]);
    Ok((0..table.rows()).map(|row| is_assessed(row) && (options.count_suppressed || !is_star(row))).collect())
}

fn diversity(
    frequency: &FrequencySet,
    position: usize,
    column: &Column,
    options: &AssessOptions,
) -> Result<Diversity, ReleaseError> {
    let sensitive = &frequency.sensitive[position];
    let entries = |tuple: usize| -> Vec<(u32, u32)> {
        match &frequency.entities {
            None => {
                let range = sensitive.starts[tuple] as usize..sensitive.starts[tuple + 1] as usize;
                sensitive.codes[range.clone()].iter().copied().zip(sensitive.counts[range].iter().copied()).collect()
            }
            // A person counts once for each value they have in the class.
            Some(entities) => {
                let starts = &entities.value_starts[position];
                let pairs = &entities.values[position][starts[tuple] as usize..starts[tuple + 1] as usize];
                pairs.iter().map(|&(_, code)| (code, 1)).collect()
            }
        }
    };
    let reference = options.reference.get(&sensitive.name).cloned();
    let totals = reference.unwrap_or_else(|| frequency.sensitive_totals(position));
    let recoder = options.hierarchies.get(&sensitive.name);
    let facts = sensitive_facts(column, totals, recoder);
    let distance = options.distance.unwrap_or(if recoder.is_some() { Distance::Hierarchical } else { Distance::Equal });
    let mover = Mover::new(distance, &facts).ok_or_else(|| {
        ReleaseError::Setting(format!(
            "the hierarchical distance needs a hierarchy of `{0}` that ends in one label: --hierarchy {0}=FILE",
            sensitive.name
        ))
    })?;
    let mut worst = Diversity {
        distinct_l: u64::MAX,
        entropy_l: f64::INFINITY,
        l: options.l,
        recursive_c: Some(0.0),
        t: 0.0,
        distance: distance.name(),
    };
    let mut counts = vec![0u32; facts.totals.len()];
    for tuple in (0..frequency.tuples()).filter(|&tuple| frequency.counts[tuple] > 0) {
        let entries = entries(tuple);
        for &(code, count) in &entries {
            counts[code as usize] += count;
        }
        worst.distinct_l = worst.distinct_l.min(distinct(&counts));
        worst.entropy_l = worst.entropy_l.min(entropy_l(&counts));
        worst.recursive_c = worst.recursive_c.zip(least_c(&counts, options.l)).map(|(worst, c)| worst.max(c));
        worst.t = worst.t.max(mover.distance(&counts));
        for &(code, _) in &entries {
            counts[code as usize] = 0;
        }
    }
    if worst.distinct_l == u64::MAX {
        // Nothing is released, so no class is diverse or close; any bound on l fails.
        (worst.distinct_l, worst.entropy_l, worst.recursive_c) = (0, 0.0, None);
    }
    Ok(worst)
}

/// A bound a table must meet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bound {
    /// At least this k.
    K(u64),
    /// At least this many different sensitive values in every class.
    L(u64),
    /// At least this entropy diversity.
    EntropyL(f64),
    /// Recursive diversity with this c and the l of the options.
    C(f64),
    /// At most this distance.
    T(f64),
    /// At most this risk for anyone.
    Risk(f64),
}

impl Bound {
    /// Parses `k=5,l=3,t=0.2`; also `entropy`, `c` and `risk`.
    ///
    /// ```
    /// use tamis_release::assess::Bound;
    /// assert_eq!(Bound::parse_list("k=5,t=0.2")?, [Bound::K(5), Bound::T(0.2)]);
    /// # Ok::<(), tamis_release::ReleaseError>(())
    /// ```
    pub fn parse_list(text: &str) -> Result<Vec<Self>, ReleaseError> {
        text.split(',').map(|part| Self::parse(part.trim())).collect()
    }

    fn parse(text: &str) -> Result<Self, ReleaseError> {
        let bad = || {
            ReleaseError::Setting(format!(
                "`{text}` is no requirement; expected k=NUMBER, l=NUMBER, entropy=NUMBER, c=NUMBER, t=NUMBER or risk=NUMBER"
            ))
        };
        let (name, value) = text.split_once('=').ok_or_else(bad)?;
        let whole = || value.trim().parse::<u64>().ok().filter(|&whole| whole >= 1).ok_or_else(bad);
        let number = |most: f64| {
            value.trim().parse::<f64>().ok().filter(|&number| number >= 0.0 && number <= most).ok_or_else(bad)
        };
        match name.trim() {
            "k" => whole().map(Self::K),
            "l" => whole().map(Self::L),
            "entropy" | "entropy_l" => number(f64::MAX).map(Self::EntropyL),
            "c" => number(f64::MAX).map(Self::C),
            "t" => number(1.0).map(Self::T),
            "risk" => number(1.0).map(Self::Risk),
            _ => Err(bad()),
        }
    }

    /// Why the table does not meet the bound, if it does not.
    pub fn violation(self, assessment: &Assessment) -> Result<Option<String>, ReleaseError> {
        if !matches!(self, Self::K(_) | Self::Risk(_)) && assessment.sensitive.is_empty() {
            return Err(ReleaseError::Setting(
                "l, entropy, c and t need a sensitive attribute; name one with --sensitive".to_owned(),
            ));
        }
        let of_each = |fails: &dyn Fn(&Diversity) -> Option<String>| {
            assessment.sensitive.iter().find_map(|(name, diversity)| Some(format!("{name}: {}", fails(diversity)?)))
        };
        Ok(match self {
            Self::K(k) => (assessment.k < k).then(|| format!("k is {}, {k} is required", assessment.k)),
            Self::Risk(most) => (assessment.risk.max > most)
                .then(|| format!("the largest risk is {}, at most {most} is allowed", assessment.risk.max)),
            Self::L(l) => of_each(&|d| {
                (d.distinct_l < l).then(|| format!("the least diverse class has l = {}, {l} is required", d.distinct_l))
            }),
            Self::EntropyL(l) => of_each(&|d| {
                (d.entropy_l * (1.0 + 1e-12) < l)
                    .then(|| format!("a class has entropy {}-diversity, {l} is required", d.entropy_l))
            }),
            Self::C(c) => of_each(&|d| match d.recursive_c {
                None => Some(format!("a class has fewer than {} values", d.l)),
                Some(least) => {
                    (least >= c).then(|| format!("a class needs c above {least} for l = {}, {c} is required", d.l))
                }
            }),
            Self::T(t) => of_each(&|d| {
                (d.t > t + 1e-15)
                    .then(|| format!("a class is at distance {} ({}), at most {t} is allowed", d.t, d.distance))
            }),
        })
    }
}
