//! The printed figures again.

use super::*;
use crate::solve::Method;
use proptest::prelude::*;

const AUTHORS: Arm = Arm::Method(Method::Authors);
const EXACT: Arm = Arm::Method(Method::Exact);
const HEURISTIC: Arm = Arm::Method(Method::Heuristic);

fn run(mut experiment: Experiment, arms: &[Arm], seed: u64) -> Outcome {
    experiment.keep_arms(arms);
    let options = RunOptions { seed, time_limit: None, threads: 0 };
    experiment.run(&options, &|_| {}).expect("plausible parameters")
}

/// Whether a mean is within two standard errors of a range.
fn is_within(summary: &Summary, least: f64, most: f64) -> bool {
    let reach = 2.0 * summary.standard_error.expect("several runs");
    summary.mean + reach >= least && summary.mean - reach <= most
}

#[test]
fn paper_table_10_by_the_authors_rule() {
    let outcome = run(table_10(Runs::Given(300)).expect("few runs"), &[AUTHORS], 1);
    for row in &outcome.rows {
        let figures = row.comparison(AUTHORS, Arm::Drawn).expect("compared");
        let printed = figures.published.expect("printed in every row");
        // The paper prints whole percents, cut off; its dense row says "just about the 35%".
        let (least, most) = if row.label.contains("N/10+5") { (0.31, 0.35) } else { (printed, printed + 0.01) };
        assert!(is_within(&figures.improvement, least, most), "{}: {:?}", row.label, figures.improvement);
    }
}

#[test]
fn paper_table_10_as_another_program_reproduces_it() {
    // An independent program with the same rule; in percent. Its populations are mended in a way that is not known in every detail
    // and its own error is not known either, so it is held to a point, and a little more where there are fewer runs. The printed figures themselves are held to two standard errors above.
    let reproduced = [
        ("N = 20", 23.6, 1.0),
        ("N = 30", 36.4, 1.0),
        ("N = 40", 54.1, 1.0),
        ("N = 50", 62.0, 1.0),
        ("N = 100", 82.4, 1.0),
        ("N = 250", 93.8, 1.3),
        ("N = 500", 91.7, 1.3),
        ("N = 1000", 91.6, 1.3),
    ];
    let mut few = table_10(Runs::Given(500)).expect("enough runs");
    let mut many = table_10(Runs::Given(10_000)).expect("enough runs");
    few.settings.retain(|setting| setting.people().is_some_and(|people| people > 100));
    many.settings.retain(|setting| setting.people().is_some_and(|people| people <= 100));
    let rows: Vec<_> = [few, many].into_iter().flat_map(|experiment| run(experiment, &[AUTHORS], 4).rows).collect();
    for (label, percent, reach) in reproduced {
        let row = rows.iter().find(|row| row.label == label).expect("a row of the table");
        let figures = row.comparison(AUTHORS, Arm::Drawn).expect("compared");
        assert!((figures.improvement.mean * 100.0 - percent).abs() <= reach, "{label}: {:?}", figures.improvement);
    }
}

#[test]
fn paper_table_10_optimum_over_heuristic() {
    let mut experiment = table_10(Runs::Given(60)).expect("few runs");
    experiment.settings.retain(|setting| setting.people().is_some_and(|people| people <= 50));
    let outcome = run(experiment, &[AUTHORS, HEURISTIC, EXACT], 3);
    for row in &outcome.rows {
        let figures = row.comparison(EXACT, AUTHORS).expect("compared");
        let printed = figures.published.expect("printed up to 50 people");
        assert!(is_within(&figures.improvement, printed - 0.01, printed + 0.02), "{}: {figures:?}", row.label);
        assert!(figures.improvement.minimum >= 0.0, "nothing is better than the optimum");
        assert_eq!(row.arm(EXACT).expect("took part").proved, 1.0);
    }
}

#[test]
fn paper_table_11_means_by_the_authors_rule() {
    let norway = crate::laboratory::generators::Norway::default();
    let mut experiment = table_11(&norway, 1).expect("the usual programme");
    // Region 1 alone has more than half of the women; the others show the same.
    experiment.settings.remove(0);
    let outcome = run(experiment, &[AUTHORS], 1);
    for row in &outcome.rows {
        let figures = row.comparison(AUTHORS, Arm::Drawn).expect("compared");
        let printed = figures.published.expect("printed");
        assert!((figures.improvement.mean - printed).abs() < 0.03, "{}: {figures:?}", row.label);
        assert_eq!(row.runs, 282);
    }
}

#[test]
fn thesis_table_8_by_the_authors_rule() {
    let outcome = run(thesis_8(Runs::Given(100)).expect("few runs"), &[AUTHORS], 1);
    for row in &outcome.rows {
        let figures = row.arm(AUTHORS).expect("took part");
        let printed = figures.published_k.expect("printed");
        assert!((figures.k.mean / printed - 1.0).abs() < 0.2, "{}: {:?} {printed}", row.label, figures.k);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn outcomes_do_not_depend_on_the_threads(seed in any::<u64>()) {
        let outcome = |threads| {
            let mut experiment = thesis_7(Runs::Given(7)).expect("few runs");
            experiment.keep_arms(&[AUTHORS]);
            let options = RunOptions { seed, time_limit: None, threads };
            let mut outcome = experiment.run(&options, &|_| {}).expect("plausible parameters");
            for figures in outcome.rows.iter_mut().flat_map(|row| &mut row.arms) {
                figures.seconds = 0.0;
            }
            outcome
        };
        prop_assert_eq!(outcome(1), outcome(3));
    }
}

#[test]
fn improvements_are_those_of_single_indexes() {
    use crate::vector::{AnonymityVector, VectorOrder};
    let outcome = run(thesis_7(Runs::Given(1)).expect("a run"), &[AUTHORS], 9);
    let row = outcome.rows.iter().find(|row| row.label == "N = 25").expect("a row");
    // The same problem by hand: the seed of a run is that of its row (the third) and number.
    let mut dice = Dice::of_part(9, 2 << 32);
    let problem =
        Generator::Thesis(crate::laboratory::generators::Thesis::of(25)).generate(dice.seed()).expect("plausible");
    let drawn = crate::laboratory::draw::drawn_vector(&problem, dice.seed());
    let options = crate::SolveOptions { seed: dice.seed(), ..crate::SolveOptions::default() };
    let instance = crate::Instance::plain(&problem.frequencies, &problem.capacities).expect("room for all");
    let scheduled = crate::solve(&instance, Method::Authors, &options).expect("room for all").vector;
    let order = VectorOrder::of_people(25).expect("few people");
    let index =
        |vector: &AnonymityVector| order.index(vector).expect("25 people").to_string().parse::<f64>().expect("small");
    let base = AnonymityVector::of_sizes(problem.frequencies.iter().copied());
    let by_hand = (index(&scheduled) - index(&drawn)) / index(&base);
    assert!((row.comparison(AUTHORS, Arm::Drawn).expect("compared").improvement.mean - by_hand).abs() < 1e-12);
}

#[test]
fn numbers_of_runs_that_make_no_sense_are_refused() {
    let refused = table_10(Runs::Given(0)).expect_err("no runs");
    assert_eq!(refused.to_string(), "the number of runs is 0; give 1 to 1,000,000");
}

#[test]
fn above_the_exact_indexes_only_k_is_shown() {
    let paper = crate::laboratory::generators::Paper {
        people: 300_000,
        quasi_ids: crate::laboratory::generators::QuasiIds::PAPER,
    };
    let experiment = custom(vec![("many".to_owned(), Generator::Paper(paper))], &[AUTHORS], Runs::Given(1));
    let outcome = run(experiment.expect("a run"), &[AUTHORS], 1);
    assert!(outcome.rows[0].comparisons.is_empty() && outcome.rows[0].arms.len() == 2);
}
