//! The number of threads changes how long a search takes and nothing else.

use crate::common;

use common::{Company, Dice, Flavour, Quality, Requirement, Row, Sample, Together, check_optimum};
use tamis_engine::{Aggregate, Limits, optimal, survey};

/// About 25,000 distinct tuples, enough for the search to share its work.
fn sample(quality: Quality, requirements: Vec<Requirement>) -> Sample {
    let mut dice = Dice(7);
    let lines: Vec<Vec<String>> = (0..60)
        .map(|value| vec![value.to_string(), format!("a{}", value / 4), format!("b{}", value / 20), "*".to_owned()])
        .collect();
    let rows = (0..27_000)
        .map(|person| Row {
            quasi: (0..3).map(|_| dice.below(60).to_string()).collect(),
            sensitive: vec![dice.below(6).to_string()],
            person,
            is_released: true,
        })
        .collect();
    Sample {
        company: Company::default(),
        rows,
        hierarchies: vec![Some(lines); 3],
        wildcards: vec![false; 3],
        trees: vec![(0..6).map(|value| vec![value.to_string(), (value / 2).to_string(), "*".to_owned()]).collect()],
        flavour: Flavour::default(),
        requirements,
        quality,
        limit: 2_000,
        lower: vec![0; 3],
        upper: vec![3; 3],
    }
}

#[test]
fn any_number_of_threads_finds_the_same() {
    let quality =
        |measure, aggregate| Quality { measure, variant: None, aggregate, tenths: 5, weights: vec![1.0, 0.5, 1.0] };
    let closeness = Requirement::Closeness { twentieths: 3, distance: "hierarchical", attribute: None };
    let lkc = Together::Lkc { l: 2, k: 5, tenths: 4 };
    for (quality, requirements, together) in [
        (quality("loss", None), vec![Requirement::K { k: 5 }], Vec::new()),
        (quality("loss", Some(Aggregate::Rank)), vec![Requirement::K { k: 2 }, closeness], Vec::new()),
        (
            quality("discernibility", None),
            vec![Requirement::Recursive { tenths: 20, l: 3, attribute: None }],
            Vec::new(),
        ),
        (quality("loss", None), Vec::new(), vec![lkc, Together::AverageRisk { tenths: 3 }]),
    ] {
        let mut sample = sample(quality, requirements);
        sample.company.together = together;
        let problem = sample.problem();
        assert!(problem.frequency.tuples() > 20_000);
        let expected = check_optimum(&problem, &survey(&problem).unwrap());
        for threads in [1, 2, 4] {
            let found = optimal(&problem, &Limits { threads, ..Limits::default() }, &mut ());
            assert_eq!(found.ok(), expected, "{threads} threads");
        }
    }
}
