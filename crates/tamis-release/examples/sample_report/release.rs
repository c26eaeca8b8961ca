//! Adult with k = 5, and a lattice small enough to be drawn whole.

use tamis_release::report::{
    AttributeReport, Classes, LatticeNode, LatticeReport, NodeStatus, ReleaseReport, Risk, Rows, SensitiveReport,
    Verdict,
};

pub(crate) const QUASI: [&str; 8] =
    ["sex", "age", "race", "marital-status", "education", "native-country", "workclass", "salary-class"];
const MAXIMUM: [usize; 8] = [1, 4, 1, 2, 3, 2, 2, 1];
const SOLUTION: [usize; 8] = [0, 3, 0, 0, 2, 1, 0, 0];
const LOSS: f64 = 0.162_132_613_166_699_8;

const ATTRIBUTES: &str = include_str!("attributes.tsv");
const CLASS_SIZES: &str = include_str!("class_sizes.csv");
const OCCUPATION: &str = "Prof-specialty=4038|Craft-repair=4030|Exec-managerial=3992|Adm-clerical=3721|Sales=3584|\
    Other-service=3212|Machine-op-inspct=1966|Transport-moving=1572|Handlers-cleaners=1350|Farming-fishing=989|\
    Tech-support=912|Protective-serv=644|Priv-house-serv=143|Armed-Forces=9";
const POLICY: &str = "\
[input]
path = \"adult.csv\"

[attributes.age]
role = \"quasi-identifying\"
hierarchy = \"hierarchies/adult/age.csv\"

[attributes.occupation]
role = \"sensitive\"
hierarchy = \"hierarchies/adult/occupation.csv\"

[[models]]
kind = \"k-anonymity\"
k = 5

[search]
suppression_limit = 1.0
algorithm = \"optimal\"

[quality]
measure = \"loss\"
aggregate = \"geometric\"
factor = 0.5
";

pub(crate) fn adult() -> ReleaseReport {
    let nodes = lattice();
    ReleaseReport {
        is_mechanism: false,
        title: "Adult census, 30,162 people".into(),
        version: env!("CARGO_PKG_VERSION").into(),
        verdict: Verdict {
            models: vec!["5-anonymity".into()],
            measure: "loss".into(),
            score: LOSS,
            optimal: true,
            bound: None,
        },
        rows: Rows { input: 30_162, kept: 27_978, suppressed: 2_184 },
        quality: vec![("loss".into(), LOSS), ("average-class-size".into(), 30_162.0 / 519.0)],
        classes: Classes { count: 518, min: 5, max: 1340, average: 54.011_583_011_583_014 },
        risk: Risk { average: 0.018_514_547_144_184_716, max: 0.2, at_risk: 0.045_821_717_063_406_965, threshold: 0.1 },
        k: Some(5),
        class_sizes: CLASS_SIZES.lines().skip(1).filter_map(|line| line.split_once(',')).map(pair).collect(),
        counts_people: false,
        attributes: attributes(),
        sensitive: vec![SensitiveReport {
            name: "occupation".into(),
            distinct_l: 1,
            entropy_l: 1.0,
            t: Some(0.885_319_275_910_085_5),
            distance: "equal".into(),
            ordered: false,
            distribution: tallied(OCCUPATION),
        }],
        lattice: Some(LatticeReport {
            attributes: QUASI.map(Into::into).to_vec(),
            maximum: MAXIMUM.to_vec(),
            solution: SOLUTION.to_vec(),
            total: "4320".into(),
            checked: nodes.len() as u64,
            nodes,
        }),
        smallest_count: 5,
        policy: POLICY.into(),
        facts: vec![
            ("Input, SHA-256".into(), "c700df9304fbf3c4d4db5938bffc510561bd4a2dfad285a3feef9a20619391c5".into()),
            ("Rows shuffled with seed".into(), "1".into()),
        ],
        notes: vec!["occupation is sensitive, but no model protects it: some class holds a single value.".into()],
    }
}

fn attributes() -> Vec<AttributeReport> {
    let quasi = ATTRIBUTES.lines().skip(1).map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        let labels: Vec<String> = fields[2].split('|').map(Into::into).collect();
        AttributeReport {
            name: fields[0].into(),
            role: "quasi-identifying".into(),
            level: fields[1].parse().unwrap_or(0),
            levels: labels.len(),
            labels,
            loss: fields[3].parse().ok(),
            ordered: fields[0] == "age",
            before: tallied(fields[4]),
            after: tallied(fields[5]),
        }
    });
    let occupation = AttributeReport { name: "occupation".into(), role: "sensitive".into(), ..Default::default() };
    quasi.chain([occupation]).collect()
}

fn tallied(text: &str) -> Vec<(String, u64)> {
    // A value may hold `=` itself (`<=50K`), the count never does.
    text.split('|').filter_map(|item| item.rsplit_once('=')).map(|(v, n)| (v.into(), n.parse().unwrap_or(0))).collect()
}

fn pair((size, classes): (&str, &str)) -> (u64, u64) {
    (size.parse().unwrap_or(0), classes.parse().unwrap_or(0))
}

/// Those transformations whose generalization alone costs less than the solution, by a rough estimate.
fn lattice() -> Vec<LatticeNode> {
    let total = MAXIMUM.iter().map(|m| m + 1).product::<usize>();
    (0..total)
        .map(|mut index| {
            let mut levels = vec![0; MAXIMUM.len()];
            for (level, m) in levels.iter_mut().zip(MAXIMUM).rev() {
                *level = index % (m + 1);
                index /= m + 1;
            }
            levels
        })
        .filter_map(|levels| {
            let parts = levels.iter().zip(MAXIMUM).map(|(&level, m)| 1.0 + (level as f64 / m as f64).powi(3));
            let lower_bound = parts.product::<f64>().powf(1.0 / 8.0) - 1.0;
            let solution = levels == SOLUTION;
            let status = if solution { NodeStatus::Solution } else { NodeStatus::Evaluated };
            let score = solution.then_some(LOSS);
            (lower_bound < LOSS).then_some(LatticeNode { levels, score, lower_bound, status, holds: Some(true) })
        })
        .collect()
}

/// The same release with three attributes of a few levels each.
pub(crate) fn small_lattice() -> ReleaseReport {
    let node = |levels: [usize; 3], score: Option<f64>, status, holds| LatticeNode {
        levels: levels.to_vec(),
        score,
        lower_bound: 0.05,
        status,
        holds,
    };
    ReleaseReport {
        title: "Patients".into(),
        lattice: Some(LatticeReport {
            attributes: ["zip", "gender", "age"].map(Into::into).to_vec(),
            maximum: vec![2, 1, 3],
            solution: vec![1, 0, 2],
            nodes: vec![
                node([0, 0, 0], Some(1.0), NodeStatus::Evaluated, Some(false)),
                node([1, 0, 0], Some(0.61), NodeStatus::Evaluated, Some(false)),
                node([0, 0, 2], Some(0.52), NodeStatus::Evaluated, Some(false)),
                node([1, 0, 2], Some(0.31), NodeStatus::Solution, Some(true)),
                node([1, 1, 1], Some(0.38), NodeStatus::Evaluated, Some(true)),
                node([2, 0, 1], Some(0.41), NodeStatus::Evaluated, Some(true)),
            ],
            total: "24".into(),
            checked: 6,
        }),
        ..adult()
    }
}
