//! The Adult census data as a problem for the engine.

use tamis_engine::{Lattice, Problem, QualitySettings};
use tamis_privacy::{Parameters, SensitiveFacts, TableFacts, Value, bind};
use tamis_table::{ColumnBuilder, FrequencySet, FrequencySpec, Hierarchy, HierarchyRow, MissingPolicy, Recoder, Table};

pub(crate) fn table() -> Table {
    let text = tamis_adult::csv();
    let mut lines = text.lines();
    let mut columns: Vec<ColumnBuilder> = lines.next().unwrap().split(';').map(ColumnBuilder::new).collect();
    for line in lines {
        for (column, value) in columns.iter_mut().zip(line.split(';')) {
            column.push(value).unwrap();
        }
    }
    Table::new(columns.into_iter().map(ColumnBuilder::finish).collect()).unwrap()
}

fn recoder(table: &Table, name: &str) -> Recoder {
    let rows: Vec<HierarchyRow> = tamis_adult::hierarchy(name)
        .unwrap()
        .lines()
        .zip(1..)
        .map(|(text, line)| HierarchyRow { line, labels: text.split(';').map(str::to_owned).collect() })
        .collect();
    Recoder::bind(&Hierarchy::from_rows(&rows).unwrap(), table.column(name).unwrap()).unwrap()
}

/// Adult with these requirements and no limit on suppression.
pub(crate) fn problem(table: &Table, requirements: &[(&str, Parameters)]) -> Problem {
    let needs_sensitive = requirements.iter().any(|(kind, _)| *kind != "k-anonymity");
    let quasi = tamis_adult::QUASI_IDENTIFIERS;
    let spec = FrequencySpec {
        quasi: quasi.iter().map(|&name| (name, recoder(table, name), MissingPolicy::OwnCategory)).collect(),
        sensitive: if needs_sensitive { vec![tamis_adult::SENSITIVE] } else { Vec::new() },
        ..FrequencySpec::default()
    };
    let (frequency, _) = FrequencySet::count(table, spec).unwrap();
    let occupation = recoder(table, tamis_adult::SENSITIVE);
    let sensitive = frequency
        .sensitive
        .iter()
        .map(|sensitive| SensitiveFacts {
            name: sensitive.name.clone(),
            offset: 0,
            totals: sensitive.totals.clone(),
            order: (0..sensitive.totals.len() as u32).collect(),
            tree: Some((0..occupation.levels()).map(|level| occupation.labels_of_codes(level).to_vec()).collect()),
            ..SensitiveFacts::default()
        })
        .collect();
    let facts = TableFacts { rows: frequency.rows, has_population: false, sensitive, ..TableFacts::default() };
    let models =
        requirements.iter().flat_map(|(kind, parameters)| bind(kind, parameters, &facts).unwrap().classes).collect();
    let upper: Vec<usize> = frequency.attributes.iter().map(|attribute| attribute.recoder.levels() - 1).collect();
    let measure = QualitySettings::loss(upper.len()).build(&frequency).unwrap();
    Problem {
        limit: frequency.rows,
        lattice: Lattice::new(vec![0; upper.len()], upper),
        frequency,
        models,
        table_models: Vec::new(),
        measure,
    }
}

/// The requirements of one published setting.
pub(crate) fn requirements(setting: &tamis_adult::PublishedSetting) -> Vec<(&'static str, Parameters)> {
    let whole = |value: u64| Value::Integer(i64::try_from(value).unwrap());
    let mut requirements = vec![("k-anonymity", Parameters::from([("k", whole(setting.k))]))];
    if let (Some(c), Some(l)) = (setting.c, setting.l) {
        requirements.push(("recursive-cl-diversity", Parameters::from([("c", c.into()), ("l", whole(l))])));
    }
    if let Some(t) = setting.t {
        requirements.push(("t-closeness", Parameters::from([("t", t.into())])));
    }
    requirements
}
