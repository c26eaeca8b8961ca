//! The page of an experiment: complete, escaped, without script.

use tamis_appointments::Method;
use tamis_appointments::laboratory::experiment::{Arm, Outcome};
use tamis_appointments::laboratory::experiment::{RunOptions, Runs, table_11, thesis_7, thesis_8};
use tamis_appointments::laboratory::generators::Norway;
use tamis_programme::experiment_page;

fn outcome(runs: u64) -> Outcome {
    let mut experiment = thesis_7(Runs::Given(runs)).expect("few runs");
    experiment.keep_arms(&[Arm::Method(Method::Authors)]);
    experiment.run(&RunOptions { seed: 1, ..RunOptions::default() }, &|_| {}).expect("plausible parameters")
}

#[test]
fn texts_are_escaped_and_nothing_is_loaded() {
    let mut outcome = outcome(3);
    outcome.title = "<script>alert(1)</script> & \"more\"".to_owned();
    outcome.rows[0].label = "<img src=x onerror=y>".to_owned();
    outcome.notes.push("</style><b>".to_owned());
    let page = experiment_page(&outcome, "<1>");
    assert!(!page.contains("<script") && !page.contains("<img") && !page.contains("</style><b>"));
    assert!(page.contains("&lt;script&gt;") && page.contains("&lt;img src=x onerror=y&gt;"));
    assert!(page.contains("Content-Security-Policy"));
    assert!(!page.contains("http://") && !page.contains("https://"));
}

#[test]
fn printed_figures_stand_beside_ours() {
    let page = experiment_page(&outcome(3), "1.0");
    assert!(page.contains("authors/drawn") && page.contains("printed 36.8%"));
    assert_eq!(page.matches("class=\"chart\"").count(), 3, "means, distributions and k");
    assert!(page.contains("class=\"published\""), "rings where something is printed");
    assert!(!page.contains("NaN") && !page.contains("inf"));
}

#[test]
fn a_table_of_k_alone_has_one_plot() {
    let mut experiment = thesis_8(Runs::Given(2)).expect("few runs");
    experiment.settings.truncate(3);
    experiment.keep_arms(&[Arm::Method(Method::Authors)]);
    let outcome = experiment.run(&RunOptions::default(), &|_| {}).expect("plausible parameters");
    let page = experiment_page(&outcome, "1.0");
    assert_eq!(page.matches("class=\"chart\"").count(), 1);
    assert!(page.contains("printed 1.26"));
    assert_eq!(page, experiment_page(&outcome, "1.0"), "the same values give the same bytes");
}

#[test]
fn an_outcome_without_rows_is_still_a_page() {
    let nothing = Outcome {
        title: "Nothing".to_owned(),
        seed: 1,
        time_limit: None,
        command: None,
        rows: Vec::new(),
        notes: Vec::new(),
    };
    let page = experiment_page(&nothing, "");
    assert!(page.contains("<h1>Nothing</h1>") && page.ends_with("</html>"));
}

#[test]
fn sizes_are_joined_on_a_logarithmic_axis_and_regions_are_not() {
    let sizes = experiment_page(&outcome(3), "1.0");
    assert!(sizes.contains("logarithmic axis") && sizes.contains("<polyline class=\"line\""));
    let mut experiment = table_11(&Norway { dates: 3, scale: 0.001 }, 1).expect("a small programme");
    experiment.keep_arms(&[Arm::Method(Method::Authors)]);
    let regions = experiment.run(&RunOptions::default(), &|_| {}).expect("plausible parameters");
    let regions = experiment_page(&regions, "1.0");
    assert!(!regions.contains("logarithmic axis") && !regions.contains("<polyline"));
    assert!(regions.contains("norway: a problem for each of 3 dates"));
}

#[test]
fn an_arm_looks_the_same_in_every_chart() {
    let page = experiment_page(&outcome(3), "1.0");
    // A legend and a drawing for means, distributions and k each.
    assert_eq!(page.matches("class=\"sample look-authors\"").count(), 3);
    assert_eq!(page.matches("<g class=\"look-authors\">").count(), 3);
    assert_eq!(page.matches("<g class=\"look-drawn\">").count(), 1, "k alone");
}

#[test]
fn the_page_tells_how_to_run_it_again() {
    let mut outcome = outcome(1);
    outcome.command = Some("tamis appointments experiment thesis-7 --runs 1 --seed 1".to_owned());
    outcome.time_limit = Some(1.5);
    let page = experiment_page(&outcome, "1.0");
    assert!(page.contains("<code>tamis appointments experiment thesis-7 --runs 1 --seed 1</code>"));
    assert!(page.contains("1.5 s for a single problem"));
    assert!(page.contains("thesis: 5 to 10 quasi-identifier values, capacities of 1 to 14"), "N = 50");
    assert!(page.contains("± –"), "a single run has no standard error");
}
