//! Made-up tables with any number of attributes, repeatable from a seed.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use tamis_engine::{Lattice, Problem, QualitySettings};
use tamis_privacy::{Model, Parameters, SensitiveFacts, TableFacts, Value, bind};
use tamis_table::{
    Attribute, ColumnBuilder, FrequencySet, FrequencySpec, Hierarchy, HierarchyRow, MissingPolicy, Recoder, Sensitive,
    Table,
};

/// What table to make and what to ask of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) attributes: usize,
    pub(crate) rows: usize,
    pub(crate) seed: u64,
    pub(crate) k: i64,
    /// Share of rows that may be suppressed.
    pub(crate) limit: f64,
    pub(crate) measure: &'static str,
    /// Asked besides k-anonymity of a sensitive attribute with five values.
    pub(crate) model: Option<(&'static str, &'static str, f64)>,
    /// Attribute j may not reach its top level if bit j is set.
    pub(crate) cut: u32,
}

impl Shape {
    /// 5-anonymity with the loss measure.
    pub(crate) fn people(attributes: usize, rows: usize, limit: f64) -> Self {
        Self { attributes, rows, seed: 1, k: 5, limit, measure: "loss", model: None, cut: 0 }
    }

    /// Attributes of 2 to 16 values in hierarchies of 2 to 4 levels. People are of six kinds; three values in four follow from the kind, the
    /// others are random with small numbers more frequent.
    pub(crate) fn problem(&self) -> Problem {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        let mut below = |end: usize| (random.next_u64() % end as u64) as usize;
        let domains: Vec<usize> = (0..self.attributes).map(|_| [2, 4, 6, 8, 12, 16][below(6)]).collect();
        let names: Vec<String> = (0..self.attributes).map(|j| format!("a{j}")).collect();
        let mut columns: Vec<ColumnBuilder> = names.iter().map(|name| ColumnBuilder::new(name.as_str())).collect();
        let mut sensitive = ColumnBuilder::new("sensitive");
        for _ in 0..self.rows {
            let kind = below(6);
            sensitive.push(&((kind + below(2) * below(5)) % 5).to_string()).unwrap();
            for (j, (column, &domain)) in columns.iter_mut().zip(&domains).enumerate() {
                let value = if below(4) > 0 { kind * (j + 3) % domain } else { below(domain).min(below(domain)) };
                column.push(&value.to_string()).unwrap();
            }
        }
        columns.push(sensitive);
        let table = Table::new(columns.into_iter().map(ColumnBuilder::finish).collect()).unwrap();
        let quasi = names
            .iter()
            .zip(&domains)
            .map(|(name, &domain)| {
                let recoder = Recoder::bind(&hierarchy(domain), table.column(name).unwrap()).unwrap();
                (name.as_str(), recoder, MissingPolicy::OwnCategory)
            })
            .collect();
        let sensitive = self.model.map(|_| "sensitive").into_iter().collect();
        let spec = FrequencySpec { quasi, sensitive, ..FrequencySpec::default() };
        let (frequency, _) = FrequencySet::count(&table, spec).unwrap();
        let models = self.models(&frequency);
        let top =
            |(j, attribute): (usize, &Attribute)| attribute.recoder.levels() - 1 - (self.cut >> j.min(31) & 1) as usize;
        let upper: Vec<usize> = frequency.attributes.iter().enumerate().map(top).collect();
        let settings = QualitySettings { measure: self.measure.to_owned(), ..QualitySettings::loss(upper.len()) };
        Problem {
            models,
            table_models: Vec::new(),
            measure: settings.build(&frequency).unwrap(),
            limit: (frequency.rows as f64 * self.limit) as u64,
            lattice: Lattice::new(vec![0; upper.len()], upper),
            frequency,
        }
    }

    fn models(&self, frequency: &FrequencySet) -> Vec<Box<dyn Model>> {
        let facts = |sensitive: &Sensitive| SensitiveFacts {
            name: sensitive.name.clone(),
            offset: 0,
            totals: sensitive.totals.clone(),
            order: (0..sensitive.totals.len() as u32).collect(),
            ..SensitiveFacts::default()
        };
        let sensitive = frequency.sensitive.iter().map(facts).collect();
        let facts = TableFacts { rows: frequency.rows, has_population: false, sensitive, ..TableFacts::default() };
        let k = Parameters::from([("k", Value::Integer(self.k))]);
        let mut models: Vec<Box<dyn Model>> = bind("k-anonymity", &k, &facts).unwrap().classes;
        if let Some((name, parameter, value)) = self.model {
            models.extend(bind(name, &Parameters::from([(parameter, value.into())]), &facts).unwrap().classes);
        }
        models
    }
}

/// Values in pairs, pairs of pairs if there are many, and all together.
fn hierarchy(domain: usize) -> Hierarchy {
    let labels = |value: usize| -> Vec<String> {
        let mut labels = vec![value.to_string()];
        if domain > 2 {
            labels.push(format!("pair {}", value / 2));
        }
        if domain > 6 {
            labels.push(format!("four {}", value / 4));
        }
        labels.push("*".to_owned());
        labels
    };
    let rows: Vec<HierarchyRow> =
        (0..domain).zip(1..).map(|(v, line)| HierarchyRow { line, labels: labels(v) }).collect();
    Hierarchy::from_rows(&rows).unwrap()
}
