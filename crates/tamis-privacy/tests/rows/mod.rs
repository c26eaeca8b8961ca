//! Small tables of rows, what a model of the whole table sees of them, and checks of what every such model promises.

#![allow(dead_code, reason = "every test file uses its part of this")]

use proptest::prelude::*;
use std::collections::BTreeMap;
use tamis_privacy::{
    Classes, Histograms, JointFacts, JointPart, Parameters, QuasiFacts, SensitiveFacts, TableFacts, TableModel, Value,
    bind, joint_columns, settle,
};

/// A table: quasi-identifiers `q0`, `q1`, ... with hierarchies, other columns with texts.
#[derive(Debug, Clone)]
pub(crate) struct Rows {
    /// For each row the code of every quasi-identifier.
    pub(crate) quasi: Vec<Vec<u32>>,
    /// For each quasi-identifier and level the label of every code; level 0 is the code itself.
    pub(crate) trees: Vec<Vec<Vec<u32>>>,
    /// The number each code stands for.
    pub(crate) numbers: Vec<f64>,
    /// The other columns by name, a text for each row; `disease` is sensitive.
    pub(crate) others: BTreeMap<&'static str, Vec<String>>,
    /// The hierarchy of the sensitive column: for each level the label of a value.
    pub(crate) names: BTreeMap<String, Vec<String>>,
    /// Rows of a population that are not to be released, by their quasi-identifiers.
    pub(crate) population: Option<Vec<Vec<u32>>>,
}

/// Codes of a quasi-identifier.
pub(crate) const CODES: usize = 4;

/// Levels of its hierarchy.
pub(crate) const LEVELS: usize = 3;

/// Some rows as they are released on some levels.
#[derive(Debug, Clone)]
pub(crate) struct View<'r> {
    pub(crate) table: &'r Rows,
    pub(crate) levels: Vec<usize>,
    /// The released rows.
    pub(crate) kept: Vec<usize>,
}

impl View<'_> {
    /// The text of a column as it is released.
    pub(crate) fn text(&self, row: usize, column: &str) -> String {
        match self.table.others.get(column) {
            Some(texts) => texts[row].clone(),
            None => self.label(row, column[1..].parse().unwrap()).to_string(),
        }
    }

    pub(crate) fn label(&self, row: usize, j: usize) -> u32 {
        self.table.trees[j][self.levels[j]][self.table.quasi[row][j] as usize]
    }

    /// The released rows that agree with a row on some columns.
    pub(crate) fn alike(&self, row: usize, columns: &[&str]) -> Vec<usize> {
        let agree = |&other: &usize| columns.iter().all(|name| self.text(other, name) == self.text(row, name));
        self.kept.iter().copied().filter(agree).collect()
    }

    /// The released rows of a row's class.
    pub(crate) fn class(&self, row: usize) -> Vec<usize> {
        let agree = |&other: &usize| (0..self.levels.len()).all(|j| self.label(other, j) == self.label(row, j));
        self.kept.iter().copied().filter(agree).collect()
    }
}

/// Two or three quasi-identifiers, a few rows, diseases, jobs and guards.
pub(crate) fn rows() -> impl Strategy<Value = Rows> {
    (1usize..4, 1usize..13).prop_flat_map(|(columns, rows)| {
        let codes = prop::collection::vec(prop::collection::vec(0..CODES as u32, columns), rows);
        let halves = prop::collection::vec(prop::collection::vec(0u32..2, CODES), columns);
        let texts = |values: &'static [&'static str]| {
            prop::collection::vec(prop::sample::select(values).prop_map(str::to_owned), rows)
        };
        let numbers = prop::collection::vec(0u8..12, CODES);
        let others = (
            texts(&["flu", "asthma", "ulcer"]),
            texts(&["nurse", "cook", "clerk"]),
            texts(&["", "", "lungs", "flu", "any", "stomach"]),
            texts(&["0", "0.3", "0.5", "1"]),
        );
        let population = prop::collection::vec(prop::collection::vec(0..CODES as u32, columns), 0..20);
        (codes, halves, numbers, others, prop::option::of(population)).prop_map(
            |(quasi, halves, numbers, (disease, job, guard, bound), population)| Rows {
                trees: halves
                    .into_iter()
                    .map(|half| vec![(0..CODES as u32).collect(), first_is_zero(&half), vec![0; CODES]])
                    .collect(),
                quasi,
                numbers: numbers.into_iter().map(f64::from).collect(),
                others: [("disease", disease), ("job", job), ("guard", guard), ("bound", bound)].into(),
                names: names(),
                population,
            },
        )
    })
}

/// Labels numbered in the order they occur, as hierarchies do.
fn first_is_zero(labels: &[u32]) -> Vec<u32> {
    labels.iter().map(|&label| u32::from(label != labels[0])).collect()
}

fn names() -> BTreeMap<String, Vec<String>> {
    let line = |value: &str, above: &str| {
        (value.to_owned(), [value, above, "any"].iter().map(|&name| name.to_owned()).collect())
    };
    [line("flu", "lungs"), line("asthma", "lungs"), line("ulcer", "stomach")].into()
}

/// Different texts in order, and the position of each row's.
fn code(texts: &[String]) -> (Vec<String>, Vec<u32>) {
    let mut known = texts.to_vec();
    known.sort();
    known.dedup();
    let codes = texts.iter().map(|text| known.iter().position(|other| other == text).unwrap() as u32).collect();
    (known, codes)
}

impl Rows {
    fn column(&self, name: &str) -> Vec<String> {
        match self.others.get(name) {
            Some(texts) => texts.clone(),
            None => self.quasi.iter().map(|codes| codes[name[1..].parse::<usize>().unwrap()].to_string()).collect(),
        }
    }

    fn joint_texts(&self, columns: &[String]) -> Vec<String> {
        let parts: Vec<Vec<String>> = columns.iter().map(|name| self.column(name)).collect();
        (0..self.quasi.len())
            .map(|row| parts.iter().map(|part| part[row].as_str()).collect::<Vec<_>>().join("\u{1}"))
            .collect()
    }

    pub(crate) fn facts(&self, sets: &[Vec<String>]) -> TableFacts {
        let middle = |tree: &[u32], label: u32| {
            let covered = || (0..CODES).filter(|&code| tree[code] == label).map(|code| self.numbers[code]);
            let (least, most) = (covered().fold(f64::MAX, f64::min), covered().fold(f64::MIN, f64::max));
            least + (most - least) / 2.0
        };
        let quasi = |(j, tree): (usize, &Vec<Vec<u32>>)| {
            let labels = |level: &Vec<u32>| level.iter().max().unwrap() + 1;
            QuasiFacts {
                name: format!("q{j}"),
                labels: tree.iter().map(labels).collect(),
                numbers: tree
                    .iter()
                    .map(|level| (0..labels(level)).map(|label| middle(level, label)).collect())
                    .collect(),
            }
        };
        let (values, codes) = code(&self.others["disease"]);
        let total = |code| codes.iter().filter(|&&other| other == code).count() as u64;
        let level =
            |level: usize| code(&values.iter().map(|value| self.names[value][level].clone()).collect::<Vec<_>>());
        let sensitive = SensitiveFacts {
            name: "disease".to_owned(),
            totals: (0..values.len() as u32).map(total).collect(),
            order: (0..values.len() as u32).collect(),
            tree: Some((0..3).map(|at| level(at).1).collect()),
            labels: (0..3).map(|at| level(at).0).collect(),
            values: values.into(),
            ..SensitiveFacts::default()
        };
        let joint = |columns: &Vec<String>| {
            let texts = self.joint_texts(columns);
            let (combinations, _) = code(&texts);
            let part = |name: &String| {
                let (values, codes) = code(&self.column(name));
                let first = |combination| texts.iter().position(|text| text == combination).unwrap();
                JointPart {
                    missing: values.iter().position(String::is_empty).map(|code| code as u32),
                    values: values.into(),
                    of_code: combinations.iter().map(|combination| codes[first(combination)]).collect(),
                }
            };
            JointFacts { columns: columns.clone(), parts: columns.iter().map(part).collect() }
        };
        TableFacts {
            rows: self.quasi.len() as u64,
            has_population: self.population.is_some(),
            population: None,
            has_entity: false,
            quasi: self.trees.iter().enumerate().map(quasi).collect(),
            sensitive: vec![sensitive],
            joint: sets.iter().map(joint).collect(),
        }
    }

    /// The classes on some levels, and the class of each row.
    pub(crate) fn classes(&self, levels: &[usize], sets: &[Vec<String>]) -> (Classes, Vec<usize>) {
        let labels = |codes: &[u32]| -> Vec<u32> {
            codes.iter().enumerate().map(|(j, &code)| self.trees[j][levels[j]][code as usize]).collect()
        };
        let of_row: Vec<Vec<u32>> = self.quasi.iter().map(|codes| labels(codes)).collect();
        let outside: Vec<Vec<u32>> = self.population.iter().flatten().map(|codes| labels(codes)).collect();
        let mut distinct: Vec<Vec<u32>> = Vec::new();
        for labels in of_row.iter().chain(&outside) {
            if !distinct.contains(labels) {
                distinct.push(labels.clone());
            }
        }
        let number = |labels: &Vec<u32>| distinct.iter().position(|other| other == labels).unwrap();
        let class_of: Vec<usize> = of_row.iter().map(number).collect();
        let rows = |class: usize| (0..class_of.len()).filter(|&row| class_of[row] == class).collect::<Vec<_>>();
        let histograms = |codes: &[u32]| {
            Histograms::from_classes((0..distinct.len()).map(|class| {
                let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
                for row in rows(class) {
                    *counts.entry(codes[row]).or_default() += 1;
                }
                counts.into_iter().collect()
            }))
        };
        let beside = |class: usize| outside.iter().filter(|labels| number(labels) == class).count() as u64;
        let classes = Classes {
            levels: levels.to_vec(),
            labels: (0..levels.len()).map(|j| distinct.iter().map(|labels| labels[j]).collect()).collect(),
            rows: (0..distinct.len()).map(|class| rows(class).len() as u64).collect(),
            population: (0..distinct.len()).map(|class| rows(class).len() as u64 + beside(class)).collect(),
            sensitive: vec![histograms(&code(&self.others["disease"]).1)],
            joint: sets.iter().map(|columns| histograms(&code(&self.joint_texts(columns)).1)).collect(),
        };
        (classes, class_of)
    }

    /// Any levels, from whatever numbers.
    pub(crate) fn levels(&self, choice: u64) -> Vec<usize> {
        (0..self.trees.len()).map(|j| choice as usize / LEVELS.pow(j as u32) % LEVELS).collect()
    }
}

/// A requirement by name.
pub(crate) struct Requirement {
    pub(crate) kind: &'static str,
    pub(crate) parameters: Parameters,
}

impl Requirement {
    pub(crate) fn new(kind: &'static str, parameters: &[(&str, Value)]) -> Self {
        let named = parameters.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        Self { kind, parameters: Parameters(named) }
    }
}

pub(crate) fn list(names: &[&str]) -> Value {
    Value::List(names.iter().map(|&name| name.into()).collect())
}

/// All that a model of the whole table promises, given what the definition says of any released rows:
/// * nothing fails iff the definition holds, whatever is kept;
/// * what is left at the end meets it;
/// * what a hereditary one lets fall, no less general release has, however chosen;
/// * no less general release that meets it has more rows than the bound says.
///
/// `choices` are two numbers for levels, the more general first once they are ordered, and one for the classes that are kept.
pub(crate) fn check(
    table: &Rows,
    requirement: &Requirement,
    choices: (u64, u64, u64),
    holds: impl Fn(&View<'_>) -> bool,
) -> Vec<Vec<usize>> {
    let sets = joint_columns(requirement.kind, &requirement.parameters).unwrap();
    let bound = bind(requirement.kind, &requirement.parameters, &table.facts(&sets)).unwrap();
    let models: Vec<&dyn TableModel> = bound.table.iter().map(AsRef::as_ref).collect();
    let (some, others) = (table.levels(choices.0), table.levels(choices.1));
    let general: Vec<usize> = some.iter().zip(&others).map(|(&left, &right)| left.max(right)).collect();
    let view = |levels: &[usize], class_of: &[usize], kept: &[bool]| View {
        table,
        levels: levels.to_vec(),
        kept: (0..class_of.len()).filter(|&row| kept[class_of[row]]).collect(),
    };
    let mut left_at = Vec::new();
    for levels in [&general, &some] {
        let (classes, class_of) = table.classes(levels, &sets);
        let mask: Vec<bool> = (0..classes.len()).map(|class| choices.2 >> class & 1 == 1).collect();
        for kept in [mask, vec![true; classes.len()]] {
            let failing: Vec<Vec<u32>> = models.iter().map(|model| model.failing(&classes, &kept)).collect();
            let expected = holds(&view(levels, &class_of, &kept));
            assert_eq!(failing.iter().all(Vec::is_empty), expected, "{failing:?} of {kept:?} at {levels:?}");
            assert!(failing.iter().flatten().all(|&class| kept[class as usize]), "what is not kept cannot fall");
            let left = settle(&models, &classes, kept);
            let left = view(levels, &class_of, &left);
            assert!(holds(&left), "{left:?} does not meet the requirement");
            left_at.push(left.kept);
        }
    }
    // Every release of the less general transformation that meets the definition.
    let (above, class_above) = table.classes(&general, &sets);
    let (below, class_below) = table.classes(&some, &sets);
    let all = vec![true; above.len()];
    let most = models.iter().map(|model| model.most_kept(&above, &all)).min().unwrap();
    let hereditary: Vec<&dyn TableModel> = models.iter().copied().filter(|model| model.is_hereditary()).collect();
    let standing = settle(&hereditary, &above, all);
    if below.len() <= 9 {
        for choice in 0u64..1 << below.len() {
            let kept: Vec<bool> = (0..below.len()).map(|class| choice >> class & 1 == 1).collect();
            let released = view(&some, &class_below, &kept);
            if holds(&released) {
                assert!(released.kept.len() as u64 <= most, "{} rows, bound {most}", released.kept.len());
                assert!(released.kept.iter().all(|&row| standing[class_above[row]]), "a fallen row stands below");
            }
        }
    }
    left_at
}

/// What binding says if it refuses.
pub(crate) fn refusal(table: &Rows, kind: &'static str, parameters: &[(&str, Value)]) -> String {
    let requirement = Requirement::new(kind, parameters);
    let sets = joint_columns(kind, &requirement.parameters).unwrap();
    bind(kind, &requirement.parameters, &table.facts(&sets)).unwrap_err().to_string()
}

/// A table of one quasi-identifier per text of a row but the last, which is the disease; nothing generalizes.
pub(crate) fn printed(lines: &[[&str; 2]]) -> Rows {
    let groups: Vec<String> = lines.iter().map(|line| line[0].to_owned()).collect();
    let (_, codes) = code(&groups);
    let diseases: Vec<String> = lines.iter().map(|line| line[1].to_owned()).collect();
    Rows {
        quasi: codes.into_iter().map(|code| vec![code]).collect(),
        trees: vec![vec![(0..CODES as u32).collect(), vec![0; CODES], vec![0; CODES]]],
        numbers: vec![0.0; CODES],
        names: diseases.iter().map(|value| (value.clone(), vec![value.clone(), "any".into(), "any".into()])).collect(),
        others: [("disease", diseases)].into(),
        population: None,
    }
}

/// Figure 2 of Liber (2014) before the synonyms are rotated: a technical and an artistic group.
pub(crate) fn figure_2_before() -> Rows {
    printed(&[
        ["technical", "AIDS"],
        ["technical", "AIDS"],
        ["technical", "flu"],
        ["technical", "AIDS"],
        ["artistic", "tumour"],
        ["artistic", "flu"],
        ["artistic", "tumour"],
        ["artistic", "AIDS"],
        ["artistic", "AIDS"],
    ])
}

/// The same afterwards.
pub(crate) fn figure_2_after() -> Rows {
    printed(&[
        ["technical", "AIDS"],
        ["technical", "test A positive"],
        ["technical", "flu"],
        ["technical", "disease A"],
        ["artistic", "tumour"],
        ["artistic", "flu"],
        ["artistic", "disease N"],
        ["artistic", "AIDS"],
        ["artistic", "disease A"],
    ])
}

/// How many classes fail a requirement when all are kept, on level 0.
pub(crate) fn failing_at_once(table: &Rows, requirement: &Requirement) -> usize {
    let sets = joint_columns(requirement.kind, &requirement.parameters).unwrap();
    let bound = bind(requirement.kind, &requirement.parameters, &table.facts(&sets)).unwrap();
    let (classes, _) = table.classes(&vec![0; table.trees.len()], &sets);
    let mut failing: Vec<u32> =
        bound.table.iter().flat_map(|model| model.failing(&classes, &vec![true; classes.len()])).collect();
    failing.sort_unstable();
    failing.dedup();
    failing.len()
}
