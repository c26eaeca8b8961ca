//! Requirements on all classes together: what the engine is told, and what they mean row by row.

use super::oracle::{Key, Lines};
use super::{Dice, Sample};
use std::collections::{BTreeMap, BTreeSet};
use tamis_privacy::{
    JointFacts, JointPart, Parameters, QuasiFacts, SensitiveFacts, TableFacts, TableModel, Value, bind, joint_columns,
};
use tamis_table::{Column, ColumnBuilder, Recoder, Table};

/// A requirement on all classes together; shares are whole tenths so that the twin can be exact.
#[derive(Debug, Clone)]
pub(crate) enum Together {
    Lkc { l: usize, k: usize, tenths: usize },
    Anonymity { x: Vec<String>, y: Vec<String>, k: usize },
    Linkability { x: Vec<String>, y: Vec<String>, tenths: usize },
    Personal { tenths: usize },
    Isolation { halves: i32, t: usize },
    AverageRisk { tenths: usize },
    MarketerRisk { tenths: usize },
}

/// What a sample asks of all classes together.
#[derive(Debug, Clone, Default)]
pub(crate) struct Company {
    pub(crate) together: Vec<Together>,
    /// For each row the node of the first sensitive attribute's hierarchy that it guards; empty for no wish.
    guards: Vec<String>,
}

impl Company {
    /// One or two requirements that make sense for the table, and some wishes.
    pub(crate) fn random(dice: &mut Dice, sample: &Sample) -> Self {
        // Only what lies above a value that occurs is a node.
        let occurring: Vec<&String> = sample.rows.iter().filter_map(|row| row.sensitive.first()).collect();
        let lines = sample.trees.first().into_iter().flatten().filter(|line| occurring.contains(&&line[0]));
        let nodes: Vec<String> = lines.flatten().cloned().collect();
        let mut guard = |_| if dice.chance(30) && !nodes.is_empty() { dice.pick(&nodes) } else { String::new() };
        let guards = (0..sample.rows.len()).map(&mut guard).collect();
        Self { together: (0..dice.within(1, 2)).map(|_| Together::random(dice, sample)).collect(), guards }
    }

    pub(crate) fn guard_column(&self, rows: usize) -> Column {
        let mut column = ColumnBuilder::new("guard");
        (0..rows).for_each(|row| column.push(self.guard(row)).unwrap());
        column.finish()
    }

    fn guard(&self, row: usize) -> &str {
        self.guards.get(row).map_or("", String::as_str)
    }
}

/// What one bound model lets fall.
enum Step<'a> {
    Size { l: usize, k: usize },
    Confidence { l: usize, tenths: usize, s: usize },
    Other(&'a Together),
}

impl Together {
    /// One that makes sense for the table.
    pub(crate) fn random(dice: &mut Dice, sample: &Sample) -> Self {
        let columns = sample.hierarchies.len();
        let secrets = sample.trees.len();
        let k = dice.within(1, 4.min(sample.size_of_table() as usize));
        let tenths = if secrets == 0 { 10 } else { dice.within(2, 10) };
        let quasi = |j: usize| format!("q{j}");
        let x = match dice.below(4) {
            0 => vec![quasi(0)],
            1 => (0..columns).map(quasi).collect(),
            2 => vec!["guard".to_owned()],
            _ => vec![quasi(columns - 1), "guard".to_owned()],
        };
        let y = match dice.below(3) {
            0 if !x.contains(&quasi(0)) => vec![quasi(0)],
            _ if secrets > 0 => vec!["s0".to_owned()],
            _ => vec!["person".to_owned()],
        };
        match dice.below(8) {
            0 | 1 => Self::Lkc { l: dice.within(1, columns + 1), k, tenths },
            2 => Self::Anonymity { x, y, k },
            3 => Self::Linkability { x, y, tenths: dice.within(2, 10) },
            4 if secrets > 0 => Self::Personal { tenths: dice.within(0, 9) },
            5 => Self::Isolation { halves: dice.pick(&[1, 2, 3, 4, 5, 6]), t: k },
            6 if sample.flavour.population => Self::MarketerRisk { tenths: dice.within(1, 9) },
            _ => Self::AverageRisk { tenths: dice.within(1, 9).max(10usize.div_ceil(sample.size_of_table() as usize)) },
        }
    }

    fn named(&self) -> (&'static str, Parameters) {
        let whole = |value: usize| Value::Integer(i64::try_from(value).unwrap());
        let share = |tenths: usize| Value::Number(tenths as f64 / 10.0);
        let list = |names: &[String]| Value::List(names.iter().map(|name| name.as_str().into()).collect());
        match self {
            &Self::Lkc { l, k, tenths } => {
                ("lkc-privacy", Parameters::from([("l", whole(l)), ("k", whole(k)), ("c", share(tenths))]))
            }
            Self::Anonymity { x, y, k } => {
                ("xy-anonymity", Parameters::from([("x", list(x)), ("y", list(y)), ("k", whole(*k))]))
            }
            Self::Linkability { x, y, tenths } => {
                ("xy-linkability", Parameters::from([("x", list(x)), ("y", list(y)), ("h", share(*tenths))]))
            }
            &Self::Personal { tenths } => {
                let parameters = [("attribute", "s0".into()), ("guard", "guard".into()), ("bound", share(tenths))];
                ("personalized-privacy", Parameters::from(parameters))
            }
            &Self::Isolation { halves, t } => {
                let c = Value::Number(f64::from(halves) / 2.0);
                ("ct-isolation", Parameters::from([("c", c), ("t", whole(t)), ("scale", "none".into())]))
            }
            &Self::AverageRisk { tenths } => ("average-risk", Parameters::from([("max", share(tenths))])),
            &Self::MarketerRisk { tenths } => ("marketer-risk", Parameters::from([("max", share(tenths))])),
        }
    }

    /// The sets of columns it needs counted together.
    pub(crate) fn joint(&self) -> Vec<Vec<String>> {
        let (kind, parameters) = self.named();
        joint_columns(kind, &parameters).unwrap()
    }

    pub(crate) fn bind(&self, facts: &TableFacts) -> Vec<Box<dyn TableModel>> {
        let (kind, parameters) = self.named();
        bind(kind, &parameters, facts).unwrap().table
    }

    fn steps(&self, secrets: usize) -> Vec<Step<'_>> {
        let &Self::Lkc { l, k, tenths } = self else { return vec![Step::Other(self)] };
        let mut steps = vec![Step::Size { l, k }];
        if tenths < 10 {
            steps.extend((0..secrets).map(|s| Step::Confidence { l, tenths, s }));
        }
        steps
    }
}

/// The number behind a value such as `v3`.
fn number(value: &str) -> i64 {
    value.trim_start_matches('v').parse().unwrap_or(9)
}

/// Quasi-identifiers with the middles of their labels.
pub(crate) fn quasi_facts(problem: &tamis_table::FrequencySet, table: &Table) -> Vec<QuasiFacts> {
    let facts = |attribute: &tamis_table::Attribute| {
        let recoder = &attribute.recoder;
        let dictionary = table.column(&attribute.name).unwrap().dictionary();
        let middle = |level: usize, label: u32| {
            let of_code = recoder.labels_of_codes(level);
            let covered =
                || of_code.iter().zip(dictionary.iter()).filter(|&(&of, _)| of == label).map(|(_, v)| number(v));
            covered().min().zip(covered().max()).map_or(0.0, |(least, most)| (least + most) as f64 / 2.0)
        };
        let labels = |level: usize| recoder.labels(level).len() as u32;
        let middles = |level: usize| (0..labels(level)).map(|label| middle(level, label)).collect();
        QuasiFacts {
            name: attribute.name.clone(),
            labels: (0..recoder.levels()).map(labels).collect(),
            numbers: (0..recoder.levels()).map(middles).collect(),
        }
    };
    problem.attributes.iter().map(facts).collect()
}

pub(crate) fn joint_facts(frequency: &tamis_table::FrequencySet, table: &Table) -> Vec<JointFacts> {
    let values = |name: &String| table.column(name).unwrap().dictionary().iter().map(str::to_owned).collect();
    let missing = |name: &String| table.column(name).unwrap().missing().map(|code| code.0);
    let facts = |joint: &tamis_table::Joint| JointFacts {
        columns: joint.columns.clone(),
        parts: joint
            .columns
            .iter()
            .zip(&joint.of_code)
            .map(|(name, of_code)| JointPart { values: values(name), of_code: of_code.clone(), missing: missing(name) })
            .collect(),
    };
    frequency.joint.iter().map(facts).collect()
}

/// A sensitive attribute with the names of its hierarchy's nodes.
pub(crate) fn with_names(facts: SensitiveFacts, table: &Table, recoder: &Recoder) -> SensitiveFacts {
    let labels = |level: usize| recoder.labels(level).iter().map(str::to_owned).collect::<Vec<String>>();
    SensitiveFacts {
        values: table.column(&facts.name).unwrap().dictionary().iter().map(str::to_owned).collect(),
        labels: (0..recoder.levels()).map(labels).collect(),
        ..facts
    }
}

/// One transformation, row by row.
pub(crate) struct Rows<'s> {
    pub(crate) sample: &'s Sample,
    pub(crate) hierarchies: &'s [Lines],
    pub(crate) levels: &'s [usize],
    pub(crate) keys: &'s [Key],
}

impl Rows<'_> {
    /// What is left of the kept classes when every requirement has taken away what fails, again and again; those that are passed on to
    /// less general transformations alone if asked.
    pub(crate) fn settle(&self, kept: &mut BTreeSet<Key>, hereditary_only: bool) {
        let secrets = self.sample.trees.len();
        let steps: Vec<Step<'_>> = self.sample.company.together.iter().flat_map(|one| one.steps(secrets)).collect();
        let mut is_settled = false;
        while !is_settled {
            is_settled = true;
            for step in steps.iter().filter(|step| !hereditary_only || is_hereditary(step)) {
                loop {
                    let rows: Vec<usize> = self.released(kept);
                    let failing = self.failing(step, &rows);
                    let mut fell = false;
                    for row in failing {
                        fell |= kept.remove(&self.keys[row]);
                    }
                    is_settled &= !fell;
                    // Groups that are too small fall to the end; the others wait for the next round.
                    if !fell || !matches!(step, Step::Size { .. }) {
                        break;
                    }
                }
            }
        }
    }

    fn released(&self, kept: &BTreeSet<Key>) -> Vec<usize> {
        let rows = &self.sample.rows;
        (0..rows.len()).filter(|&row| rows[row].is_released && kept.contains(&self.keys[row])).collect()
    }

    fn text(&self, row: usize, column: &str) -> String {
        let of = &self.sample.rows[row];
        match column {
            "guard" => self.sample.company.guard(row).to_owned(),
            "person" => of.person.to_string(),
            _ => {
                let position: usize = column[1..].parse().unwrap();
                if column.starts_with('q') { self.keys[row][position].clone() } else { of.sensitive[position].clone() }
            }
        }
    }

    /// Groups of rows that agree on some columns.
    fn groups(&self, rows: &[usize], columns: &[String]) -> Vec<Vec<usize>> {
        let mut groups: BTreeMap<Vec<String>, Vec<usize>> = BTreeMap::new();
        for &row in rows {
            groups.entry(columns.iter().map(|name| self.text(row, name)).collect()).or_default().push(row);
        }
        groups.into_values().collect()
    }

    /// Every set of at most `l` quasi-identifiers. Where they hold for the largest sets of columns in which the rows differ they hold for
    /// all, so only what fails for those needs to fall.
    fn combinations(&self, l: usize, rows: &[usize]) -> Vec<Vec<String>> {
        let differs = |&j: &usize| rows.iter().any(|&row| self.keys[row][j] != self.keys[rows[0]][j]);
        let columns: Vec<usize> = (0..self.levels.len()).filter(differs).collect();
        (0u32..1 << columns.len())
            .filter(|chosen| chosen.count_ones() as usize == l.min(columns.len()))
            .map(|chosen| columns.iter().enumerate().filter(move |&(at, _)| chosen >> at & 1 == 1))
            .map(|chosen| chosen.map(|(_, j)| format!("q{j}")).collect())
            .collect()
    }

    fn largest(&self, rows: &[usize], columns: &[String]) -> usize {
        self.groups(rows, columns).iter().map(Vec::len).max().unwrap_or(0)
    }

    fn failing(&self, step: &Step<'_>, rows: &[usize]) -> Vec<usize> {
        let of_groups = |columns: &[String], fails: &dyn Fn(&[usize]) -> bool| -> Vec<usize> {
            self.groups(rows, columns).into_iter().filter(|group| fails(group)).flatten().collect()
        };
        match step {
            Step::Size { l, k } => {
                let of = |columns: &Vec<String>| of_groups(columns, &|group| group.len() < *k);
                self.combinations(*l, rows).iter().flat_map(of).collect()
            }
            Step::Confidence { l, tenths, s } => {
                let values = [format!("s{s}")];
                let fails = |group: &[usize]| 10 * self.largest(group, &values) > tenths * group.len();
                self.combinations(*l, rows).iter().flat_map(|columns| of_groups(columns, &fails)).collect()
            }
            Step::Other(Together::Anonymity { x, y, k }) => of_groups(x, &|group| self.groups(group, y).len() < *k),
            Step::Other(Together::Linkability { x, y, tenths }) => {
                of_groups(x, &|group| 10 * self.largest(group, y) > tenths * group.len())
            }
            Step::Other(Together::Personal { tenths }) => {
                let classes: Vec<String> = (0..self.levels.len()).map(|j| format!("q{j}")).collect();
                of_groups(&classes, &|group| group.iter().any(|&row| self.is_breached(row, group, *tenths)))
            }
            Step::Other(Together::Isolation { halves, t }) => self.isolated(rows, i64::from(*halves), *t),
            Step::Other(Together::AverageRisk { tenths }) => {
                riskiest(rows, *tenths, &|row| rows.iter().filter(|&&other| self.keys[other] == self.keys[row]).count())
            }
            Step::Other(Together::MarketerRisk { tenths }) => {
                riskiest(rows, *tenths, &|row| self.keys.iter().filter(|&key| *key == self.keys[row]).count())
            }
            Step::Other(Together::Lkc { .. }) => unreachable!("has steps of its own"),
        }
    }

    fn is_breached(&self, row: usize, class: &[usize], tenths: usize) -> bool {
        let guard = self.sample.company.guard(row);
        let line = |value: &str| self.sample.trees[0].iter().find(|line| line[0] == value).unwrap();
        let under = class
            .iter()
            .filter(|&&other| line(&self.sample.rows[other].sensitive[0]).iter().any(|node| node == guard))
            .count();
        !guard.is_empty() && 10 * under > tenths * class.len()
    }

    /// Twice the middle of what a label covers.
    fn place(&self, row: usize, j: usize) -> i64 {
        let label = &self.keys[row][j];
        let alike = self.sample.rows.iter().map(|other| other.quasi[j].as_str());
        let covered: Vec<i64> =
            alike.filter(|value| self.hierarchies[j].label(value, self.levels[j]) == label).map(number).collect();
        covered.iter().min().unwrap() + covered.iter().max().unwrap()
    }

    fn isolated(&self, rows: &[usize], halves: i64, t: usize) -> Vec<usize> {
        if rows.len() < t {
            return rows.to_vec();
        }
        let places: BTreeMap<usize, Vec<i64>> =
            rows.iter().map(|&row| (row, (0..self.levels.len()).map(|j| self.place(row, j)).collect())).collect();
        let squared = |left: usize, right: usize| -> i64 {
            places[&left].iter().zip(&places[&right]).map(|(left, right)| (left - right).pow(2)).sum()
        };
        let isolates = |x0: usize, x: usize| {
            let is_within = |&&other: &&usize| 4 * squared(x0, other) <= halves * halves * squared(x0, x);
            x0 != x && rows.iter().filter(is_within).count() < t
        };
        rows.iter().copied().filter(|&x| rows.iter().any(|&x0| isolates(x0, x))).collect()
    }
}

/// Whether what falls also falls in every less general transformation.
fn is_hereditary(step: &Step<'_>) -> bool {
    match step {
        Step::Size { .. } => true,
        Step::Other(Together::Anonymity { x, y, .. }) => {
            x.iter().all(|name| name.starts_with('q')) && !y.iter().any(|name| name.starts_with('q'))
        }
        _ => false,
    }
}

/// The rows with the smallest crowds, all of one size at a time, until the mean of one over the crowd of the others is small enough.
fn riskiest(rows: &[usize], tenths: usize, crowd: &dyn Fn(usize) -> usize) -> Vec<usize> {
    /// Divisible by everything up to 40 but large primes, whose quotients are off by less than any difference that counts.
    const UNIT: u128 = 5_342_931_457_063_200 * 1_000_000;
    let crowds: Vec<usize> = rows.iter().map(|&row| crowd(row)).collect();
    let meets = |least: usize| {
        let left = || crowds.iter().filter(|&&crowd| crowd >= least);
        let risk: u128 = left().map(|&crowd| UNIT / crowd as u128).sum();
        10 * risk <= tenths as u128 * left().count() as u128 * UNIT
    };
    let most = crowds.iter().max().map_or(1, |most| most + 1);
    let least = (1..=most).find(|&least| meets(least)).unwrap();
    rows.iter().zip(&crowds).filter(|&(_, &crowd)| crowd < least).map(|(&row, _)| row).collect()
}
