//! The page of an experiment: complete, escaped, without script.

use tamis_appointments::Method;
use tamis_appointments::laboratory::experiment::{Arm, Outcome};
use tamis_appointments::laboratory::experiment::{RunOptions, Runs, thesis_7, thesis_8};
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
    assert!(page.contains("authors/random") && page.contains("printed 36.8%"));
    assert_eq!(page.matches("<svg").count(), 3, "means, distributions and k");
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
    assert_eq!(page.matches("<svg").count(), 1);
    assert!(page.contains("printed 1.26"));
    assert_eq!(page, experiment_page(&outcome, "1.0"), "the same values give the same bytes");
}

#[test]
fn an_outcome_without_rows_is_still_a_page() {
    let nothing = Outcome { title: "Nothing".to_owned(), seed: 1, rows: Vec::new(), notes: Vec::new() };
    let page = experiment_page(&nothing, "");
    assert!(page.contains("<h1>Nothing</h1>") && page.ends_with("</html>"));
}
