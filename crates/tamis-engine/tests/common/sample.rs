//! A random table with hierarchies, requirements and a measure, and the problem the engine makes of it.

use super::company::{joint_facts, quasi_facts, with_names};
use super::{ClassModel, Company, Dice, Together};
use tamis_engine::{Aggregate, Lattice, Problem, QualitySettings};
use tamis_privacy::{Model, Parameters, SensitiveFacts, TableFacts, Value, bind};
use tamis_table::{
    ColumnBuilder, FrequencySet, FrequencySpec, Hierarchy, HierarchyRow, MissingPolicy, Recoder, Table, compare_values,
};

/// What a table may have beyond rows that are people.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Flavour {
    /// People have several rows.
    pub(crate) people: bool,
    /// Missing values match anything.
    pub(crate) wildcards: bool,
    /// The rows to release are part of a population.
    pub(crate) population: bool,
}

/// A row as the file has it; the empty text is a missing value.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub(crate) quasi: Vec<String>,
    pub(crate) sensitive: Vec<String>,
    pub(crate) person: usize,
    pub(crate) is_released: bool,
}

/// A requirement; fractions are whole numbers of tenths, quarters or twentieths so that the twin can be exact.
#[derive(Debug, Clone)]
pub(crate) enum Requirement {
    K { k: u64 },
    Distinct { l: u64, attribute: Option<usize> },
    Entropy { quarters: u64, attribute: Option<usize> },
    Recursive { tenths: u64, l: u64, attribute: Option<usize> },
    Closeness { twentieths: u64, distance: &'static str, attribute: Option<usize> },
    Presence { min_tenths: u64, max_tenths: u64 },
    Class(ClassModel),
}

/// How quality is measured.
#[derive(Debug, Clone)]
pub(crate) struct Quality {
    pub(crate) measure: &'static str,
    pub(crate) variant: Option<&'static str>,
    pub(crate) aggregate: Option<Aggregate>,
    pub(crate) tenths: u64,
    pub(crate) weights: Vec<f64>,
}

#[derive(Debug, Clone)]
pub(crate) struct Sample {
    pub(crate) rows: Vec<Row>,
    /// Lines of labels per quasi-identifier; none if it may only be kept or suppressed.
    pub(crate) hierarchies: Vec<Option<Vec<Vec<String>>>>,
    /// Whether a missing value of the quasi-identifier matches anything.
    pub(crate) wildcards: Vec<bool>,
    /// Lines of labels per sensitive attribute, ending in one label.
    pub(crate) trees: Vec<Vec<Vec<String>>>,
    pub(crate) flavour: Flavour,
    pub(crate) requirements: Vec<Requirement>,
    pub(crate) company: Company,
    pub(crate) quality: Quality,
    pub(crate) limit: u64,
    pub(crate) lower: Vec<usize>,
    pub(crate) upper: Vec<usize>,
}

/// Random lines of a hierarchy over `values`, some twice.
fn lines(dice: &mut Dice, values: &[String], columns: usize, one_top: bool) -> Vec<Vec<String>> {
    let mut labels: Vec<Vec<String>> = values.iter().map(|value| vec![value.clone()]).collect();
    for level in 1..columns {
        let width = dice.within(1, 4);
        let is_top = level + 1 == columns;
        let mut parents: std::collections::BTreeMap<String, String> = std::collections::BTreeMap::new();
        for line in &mut labels {
            let parent = parents.entry(line[level - 1].clone()).or_insert_with(|| {
                if is_top && one_top { "*".to_owned() } else { format!("{level}.{}", dice.below(width)) }
            });
            line.push(parent.clone());
        }
    }
    for line in 0..values.len() {
        if dice.chance(15) {
            labels.push(labels[line].clone());
        }
    }
    labels
}

impl Sample {
    pub(crate) fn random(seed: u64, rows: usize, attributes: usize, flavour: Flavour) -> Self {
        let mut dice = Dice(seed);
        let dice = &mut dice;
        let sensitive = if dice.chance(20) { 0 } else { dice.within(1, 2) };
        let mut domains: Vec<Vec<String>> = Vec::new();
        let mut hierarchies = Vec::new();
        for _ in 0..attributes {
            let mut values: Vec<String> = (0..dice.within(1, 7)).map(|value| format!("v{value}")).collect();
            let columns = dice.within(1, 4);
            let has_missing = dice.chance(if flavour.wildcards { 80 } else { 15 });
            let lists_missing = has_missing && dice.chance(30);
            if lists_missing {
                values.push(String::new());
            }
            let one_top = dice.chance(75);
            hierarchies.push((!dice.chance(10)).then(|| lines(dice, &values, columns, one_top)));
            // Not all listed values occur.
            let occurring = dice.within(1, values.len());
            values.drain(..values.len() - occurring);
            if has_missing && !lists_missing {
                values.push(String::new());
            }
            domains.push(values);
        }
        let secrets: Vec<Vec<String>> = (0..sensitive)
            .map(|_| (0..dice.within(1, 5)).map(|value| (value * 7 % 12).to_string()).collect())
            .collect();
        let people = dice.within(1, rows);
        let share = dice.within(20, 90);
        let table: Vec<Row> = (0..rows)
            .map(|row| Row {
                // Skewed towards the first values, so that some classes are large.
                quasi: domains
                    .iter()
                    .map(|values| values[dice.below(values.len()).min(dice.below(values.len()))].clone())
                    .collect(),
                sensitive: secrets.iter().map(|values| dice.pick(values)).collect(),
                person: if flavour.people { dice.below(people) } else { row },
                is_released: row == 0 || !flavour.population || dice.chance(share),
            })
            .collect();
        let trees = secrets
            .iter()
            .map(|values| {
                let columns = dice.within(2, 4);
                lines(dice, values, columns, true)
            })
            .collect();
        let released = table.iter().filter(|row| row.is_released).count();
        let wildcards = (0..attributes).map(|_| flavour.wildcards && dice.chance(80)).collect();
        let limit = match dice.below(5) {
            0 => 0,
            1 => released,
            2 => released / 10,
            3 => released / 3,
            _ => dice.within(0, released),
        } as u64;
        let mut sample = Self {
            rows: table,
            hierarchies,
            wildcards,
            trees,
            flavour,
            requirements: Vec::new(),
            company: Company::default(),
            quality: quality(dice, attributes),
            limit,
            lower: vec![0; attributes],
            upper: Vec::new(),
        };
        sample.requirements = sample.random_requirements(dice, sensitive);
        for j in 0..attributes {
            let top = sample.lines(j)[0].len() - 1;
            let upper = if dice.chance(85) { top } else { dice.within(0, top) };
            sample.upper.push(upper);
            sample.lower[j] = if dice.chance(85) { 0 } else { dice.within(0, upper) };
        }
        sample
    }

    /// The same with requirements on all classes together.
    pub(crate) fn with_company(seed: u64, rows: usize, attributes: usize, flavour: Flavour) -> Self {
        let mut sample = Self::random(seed, rows, attributes, flavour);
        let mut dice = Dice(!seed);
        sample.company = Company::random(&mut dice, &sample);
        if dice.chance(50) {
            sample.requirements.clear();
        }
        sample
    }

    fn random_requirements(&self, dice: &mut Dice, sensitive: usize) -> Vec<Requirement> {
        let mut requirements = Vec::new();
        let size = self.size_of_table();
        if dice.chance(75) {
            requirements.push(Requirement::K { k: dice.within(1, (size as usize).min(6)) as u64 });
        }
        if self.flavour.population {
            let (a, b) = (dice.within(0, 10) as u64, dice.within(0, 10) as u64);
            let (min_tenths, max_tenths) = if dice.chance(50) { (0, a.max(b)) } else { (a.min(b), a.max(b)) };
            requirements.push(Requirement::Presence { min_tenths, max_tenths });
        }
        for _ in 0..if sensitive == 0 { 0 } else { dice.within(0, 2) } {
            let attribute = dice.chance(60).then(|| dice.below(sensitive));
            let l = dice.within(1, 4) as u64;
            requirements.push(match dice.below(4) {
                0 => Requirement::Distinct { l, attribute },
                1 => Requirement::Entropy { quarters: dice.within(4, 13) as u64, attribute },
                2 => Requirement::Recursive { tenths: dice.within(5, 40) as u64, l, attribute },
                _ => Requirement::Closeness {
                    twentieths: dice.within(0, 14) as u64,
                    distance: dice.pick(&["equal", "ordered", "hierarchical"]),
                    attribute,
                },
            });
        }
        requirements
    }

    /// Rows to release, or the people behind them.
    pub(crate) fn size_of_table(&self) -> u64 {
        let mut people: Vec<usize> = self.rows.iter().filter(|row| row.is_released).map(|row| row.person).collect();
        people.sort_unstable();
        people.dedup();
        people.len() as u64
    }

    /// The lines of quasi-identifier j; without hierarchy every value that occurs and `*`.
    pub(crate) fn lines(&self, j: usize) -> Vec<Vec<String>> {
        self.hierarchies[j].clone().unwrap_or_else(|| {
            let mut values: Vec<String> = self.rows.iter().map(|row| row.quasi[j].clone()).collect();
            values.sort();
            values.dedup();
            values.into_iter().map(|value| vec![value, "*".to_owned()]).collect()
        })
    }

    pub(crate) fn problem(&self) -> Problem {
        let column = |name: String, text: &dyn Fn(&Row) -> String| {
            let mut column = ColumnBuilder::new(name);
            self.rows.iter().for_each(|row| column.push(&text(row)).unwrap());
            column.finish()
        };
        let mut columns = Vec::new();
        for j in 0..self.hierarchies.len() {
            columns.push(column(format!("q{j}"), &|row| row.quasi[j].clone()));
        }
        for s in 0..self.trees.len() {
            columns.push(column(format!("s{s}"), &|row| row.sensitive[s].clone()));
        }
        columns.push(column("person".to_owned(), &|row| row.person.to_string()));
        columns.push(self.company.guard_column(self.rows.len()));
        let table = Table::new(columns).unwrap();
        let bound = |name: &str, lines: &[Vec<String>]| {
            let rows: Vec<HierarchyRow> =
                lines.iter().zip(1..).map(|(labels, line)| HierarchyRow { line, labels: labels.clone() }).collect();
            Recoder::bind(&Hierarchy::from_rows(&rows).unwrap(), table.column(name).unwrap()).unwrap()
        };
        let names: Vec<String> = (0..self.hierarchies.len()).map(|j| format!("q{j}")).collect();
        let secrets: Vec<String> = (0..self.trees.len()).map(|s| format!("s{s}")).collect();
        let quasi = names.iter().zip(&self.hierarchies).zip(&self.wildcards).map(|((name, lines), &wild)| {
            let recoder = match lines {
                Some(lines) => bound(name, lines),
                None => Recoder::keep_or_suppress(table.column(name).unwrap()),
            };
            let policy = if wild { MissingPolicy::MatchesAnything } else { MissingPolicy::OwnCategory };
            (name.as_str(), recoder, policy)
        });
        let subset: Vec<bool> = self.rows.iter().map(|row| row.is_released).collect();
        let spec = FrequencySpec {
            quasi: quasi.collect(),
            sensitive: secrets.iter().map(String::as_str).collect(),
            entity: self.flavour.people.then_some("person"),
            subset: self.flavour.population.then_some(&subset),
            joint: self.company.together.iter().flat_map(Together::joint).collect(),
        };
        let (frequency, _) = FrequencySet::count(&table, spec).unwrap();
        let mut offset = 0;
        let mut sensitive = Vec::new();
        for (s, name) in secrets.iter().enumerate() {
            let column = table.column(name).unwrap();
            let dictionary = column.dictionary();
            let mut order: Vec<u32> = (0..dictionary.len() as u32).collect();
            order.sort_by(|&a, &b| compare_values(column.data_type(), dictionary.text(a), dictionary.text(b)));
            let recoder = bound(name, &self.trees[s]);
            let totals = dictionary.iter().map(|value| self.total(s, value)).collect();
            let tree = Some((0..recoder.levels()).map(|level| recoder.labels_of_codes(level).to_vec()).collect());
            let facts = SensitiveFacts { name: name.clone(), offset, totals, order, tree, ..SensitiveFacts::default() };
            sensitive.push(with_names(facts, &table, &recoder));
            offset += dictionary.len();
        }
        let facts = TableFacts {
            rows: self.size_of_table(),
            has_population: self.flavour.population,
            has_entity: self.flavour.people,
            population: None,
            sensitive,
            quasi: quasi_facts(&frequency, &table),
            joint: joint_facts(&frequency, &table),
        };
        let table_models = self.company.together.iter().flat_map(|one| one.bind(&facts)).collect();
        let models = self.requirements.iter().flat_map(|requirement| requirement.bind(&facts)).collect();
        let measure = self.quality.settings().build(&frequency).unwrap();
        let lattice = Lattice::new(self.lower.clone(), self.upper.clone());
        Problem { frequency, models, table_models, measure, limit: self.limit, lattice }
    }

    /// How many rows to release have a sensitive value, or how many of the people behind them.
    pub(crate) fn total(&self, s: usize, value: &str) -> u64 {
        let having = self.rows.iter().filter(|row| row.is_released && row.sensitive[s] == value);
        let mut people: Vec<usize> = having.map(|row| row.person).collect();
        people.sort_unstable();
        people.dedup();
        people.len() as u64
    }
}

fn quality(dice: &mut Dice, attributes: usize) -> Quality {
    let aggregate = dice.chance(80).then(|| dice.pick(&Aggregate::ALL));
    let (measure, variant, aggregate) = match dice.below(9) {
        0..3 => ("loss", None, aggregate),
        3 => ("discernibility", dice.pick(&[None, Some("standard"), Some("monotone")]), None),
        4 => ("average-class-size", None, None),
        5 | 6 => (
            "non-uniform-entropy",
            dice.pick(&[None, Some("standard"), Some("monotone"), Some("normalized")]),
            aggregate,
        ),
        7 => ("precision", None, aggregate),
        _ => ("height", None, None),
    };
    let mut weights: Vec<f64> = (0..attributes).map(|_| dice.pick(&[1.0, 1.0, 0.5, 0.3, 2.0, 0.0])).collect();
    if weights.iter().all(|&weight| weight == 0.0) {
        weights[0] = 1.0;
    }
    Quality {
        measure,
        variant,
        aggregate,
        tenths: if dice.chance(40) { 5 } else { dice.within(0, 10) as u64 },
        weights,
    }
}

impl Quality {
    fn settings(&self) -> QualitySettings {
        QualitySettings {
            measure: self.measure.to_owned(),
            aggregate: self.aggregate,
            factor: self.tenths as f64 / 10.0,
            weights: self.weights.clone(),
            variant: self.variant.map(str::to_owned),
        }
    }
}

impl Requirement {
    fn bind(&self, facts: &TableFacts) -> Vec<Box<dyn Model>> {
        let whole = |value: u64| Value::Integer(i64::try_from(value).unwrap());
        let (kind, mut parameters, attribute) = match *self {
            Self::K { k } => ("k-anonymity", Parameters::from([("k", whole(k))]), None),
            Self::Distinct { l, attribute } => ("distinct-l-diversity", Parameters::from([("l", whole(l))]), attribute),
            Self::Entropy { quarters, attribute } => {
                ("entropy-l-diversity", Parameters::from([("l", (quarters as f64 / 4.0).into())]), attribute)
            }
            Self::Recursive { tenths, l, attribute } => {
                let parameters = Parameters::from([("c", (tenths as f64 / 10.0).into()), ("l", whole(l))]);
                ("recursive-cl-diversity", parameters, attribute)
            }
            Self::Closeness { twentieths, distance, attribute } => {
                let parameters =
                    Parameters::from([("t", (twentieths as f64 / 20.0).into()), ("distance", distance.into())]);
                ("t-closeness", parameters, attribute)
            }
            Self::Presence { min_tenths, max_tenths } => {
                let share = |tenths: u64| Value::Number(tenths as f64 / 10.0);
                ("delta-presence", Parameters::from([("min", share(min_tenths)), ("max", share(max_tenths))]), None)
            }
            Self::Class(ref model) => return model.bind(facts),
        };
        if let Some(attribute) = attribute {
            parameters.0.insert("attribute".to_owned(), format!("s{attribute}").as_str().into());
        }
        bind(kind, &parameters, facts).unwrap().classes
    }
}
