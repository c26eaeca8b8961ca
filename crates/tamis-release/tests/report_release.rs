//! The page of one release says what it was given, escapes it, and survives anything.

use crate::report_checks;

use report_checks::assert_self_contained;
use tamis_release::report::{
    AttributeReport, Classes, LatticeNode, LatticeReport, NodeStatus, ReleaseReport, Risk, Rows, SensitiveReport,
    Verdict, release_page,
};

const EVIL: &str = "<script>alert(1)</script>\"'&";

fn adult() -> ReleaseReport {
    ReleaseReport {
        is_mechanism: false,
        title: "Adult census".into(),
        version: "0.1.0".into(),
        verdict: Verdict {
            models: vec!["5-anonymity".into(), "t-closeness of occupation (t = 0.2)".into()],
            measure: "loss".into(),
            score: 0.162_132_613_166_699_8,
            optimal: true,
            bound: None,
        },
        rows: Rows { input: 30_162, kept: 27_978, suppressed: 2_184 },
        quality: vec![("loss".into(), 0.162_132_613_166_699_8)],
        classes: Classes { count: 518, min: 5, max: 1340, average: 54.011_583 },
        risk: Risk { average: 0.018_514_547, max: 0.2, at_risk: 0.045_821_717, threshold: 0.1 },
        k: Some(5),
        class_sizes: vec![(5, 72), (6, 40), (1340, 1)],
        counts_people: false,
        attributes: vec![AttributeReport {
            name: "age".into(),
            role: "quasi-identifying".into(),
            level: 1,
            levels: 3,
            labels: vec!["39".into(), "20-39".into(), "*".into()],
            loss: Some(0.2504),
            ordered: true,
            before: vec![("38".into(), 791), ("39".into(), 786)],
            after: vec![("20-39".into(), 14_931), ("*".into(), 2_184)],
        }],
        sensitive: vec![SensitiveReport {
            name: "occupation".into(),
            distinct_l: 3,
            entropy_l: 2.8,
            t: Some(0.167),
            distance: "ordered".into(),
            ordered: false,
            distribution: vec![("Sales".into(), 3584)],
        }],
        lattice: Some(lattice(&[2], &[1])),
        smallest_count: 5,
        policy: "[[models]]\nkind = \"k-anonymity\"\nk = 5\n".into(),
        facts: vec![("Input, SHA-256".into(), "c700df93".into())],
        notes: vec!["sex has no hierarchy".into()],
    }
}

fn lattice(maximum: &[usize], solution: &[usize]) -> LatticeReport {
    LatticeReport {
        attributes: (0..maximum.len()).map(|i| format!("a{i}")).collect(),
        maximum: maximum.to_vec(),
        solution: solution.to_vec(),
        nodes: vec![LatticeNode {
            levels: solution.to_vec(),
            score: Some(0.25),
            lower_bound: 0.1,
            status: NodeStatus::Solution,
            holds: Some(true),
        }],
        total: maximum.iter().map(|m| m + 1).product::<usize>().to_string(),
        checked: 1,
    }
}

#[test]
fn the_page_holds_the_figures_given() {
    let page = release_page(&adult());
    for text in [
        "satisfies 5-anonymity and t-closeness of occupation (t = 0.2).",
        "It keeps 27,978 of 30,162 rows (92.76%).",
        "this is proved",
        "0.1621326131666998",
        "2,184",
        "518",
        "1,340",
        "54.01",
        "1.851%",
        "4.582%",
        "k = 5",
        "39 → 20-39",
        "25.04%",
        "14,931 (49.50%)",
        "0.167",
        "kind = &quot;k-anonymity&quot;\nk = 5\n",
        "c700df93",
        "sex has no hierarchy",
        "[1]: solution, models hold, score 0.25",
        "Tamis 0.1.0",
    ] {
        assert!(page.contains(text), "{text} is missing");
    }
    assert_self_contained(&page);
}

#[test]
fn a_heuristic_solution_states_its_bound() {
    let mut report = adult();
    report.verdict.optimal = false;
    report.verdict.bound = Some(0.15);
    let page = release_page(&report);
    assert!(page.contains("not proved to be the best possible: it is proved that none is below 0.15."));
    assert!(!page.contains("this is proved"));
    report.verdict.bound = None;
    assert!(release_page(&report).contains("not proved to be the best possible."));
}

#[test]
fn every_text_is_escaped() {
    let evil = || EVIL.to_owned();
    let pairs = || vec![(evil(), 7_u64), ("*".to_owned(), 2)];
    let report = ReleaseReport {
        title: evil(),
        version: evil(),
        verdict: Verdict { models: vec![evil()], measure: evil(), ..Verdict::default() },
        quality: vec![(evil(), 1.0)],
        attributes: vec![AttributeReport {
            name: evil(),
            role: evil(),
            level: 1,
            levels: 2,
            labels: vec![evil(), evil()],
            loss: Some(0.5),
            ordered: false,
            before: pairs(),
            after: pairs(),
        }],
        sensitive: vec![SensitiveReport {
            name: evil(),
            distance: evil(),
            distribution: pairs(),
            ..Default::default()
        }],
        lattice: Some(LatticeReport { attributes: vec![evil()], total: evil(), ..lattice(&[1], &[1]) }),
        policy: evil(),
        facts: vec![(evil(), evil())],
        notes: vec![evil()],
        ..adult()
    };
    let page = release_page(&report);
    assert_self_contained(&page);
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
}

#[test]
fn nothing_at_all_renders() {
    let page = release_page(&ReleaseReport::default());
    assert_self_contained(&page);
    assert!(page.contains("No row was released, so there are no classes to show."));
    for absent in ["id=\"sensitive\"", "id=\"lattice\"", "id=\"policy\"", "id=\"recoding\""] {
        assert!(!page.contains(absent), "{absent}");
    }
}

#[test]
fn numbers_beyond_reason_render() {
    for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, -1.0, 1e-320] {
        let mut report = adult();
        report.verdict.score = odd;
        report.verdict.optimal = false;
        report.verdict.bound = Some(odd);
        report.quality = vec![("odd".into(), odd)];
        report.classes.average = odd;
        report.risk = Risk { average: odd, max: odd, at_risk: odd, threshold: odd };
        report.attributes[0].loss = Some(odd);
        report.sensitive[0].entropy_l = odd;
        report.sensitive[0].t = Some(odd);
        assert_self_contained(&release_page(&report));
    }
    let mut report = adult();
    report.rows = Rows { input: u64::MAX, kept: u64::MAX, suppressed: 0 };
    report.k = Some(u64::MAX);
    report.class_sizes = vec![(u64::MAX, u64::MAX), (0, 1), (1, u64::MAX)];
    report.attributes[0].before = vec![("a".into(), u64::MAX); 40];
    report.attributes[0].after = vec![("*".into(), u64::MAX); 2];
    report.attributes[0].level = 99;
    let page = release_page(&report);
    assert!(page.contains("18,446,744,073,709,551,615"));
    assert_self_contained(&page);
}

#[test]
fn small_lattices_are_drawn_whole_and_large_ones_by_height() {
    let drawn = |maximum: &[usize], solution: &[usize]| {
        let page =
            release_page(&ReleaseReport { lattice: Some(lattice(maximum, solution)), ..ReleaseReport::default() });
        assert_self_contained(&page);
        page
    };
    let small = drawn(&[1, 2], &[0, 1]);
    assert_eq!(small.matches("<g class=\"node").count(), 6);
    assert_eq!(small.matches("class=\"edge\"").count(), 7);
    assert_eq!(small.matches("<g class=\"node solution\"").count(), 1);
    let large = drawn(&[1, 4, 1, 2, 3, 2, 2, 1], &[0, 3, 0, 0, 2, 1, 0, 0]);
    assert!(large.contains("4,320") && large.contains("solution at height 6"));
    assert!(large.contains("Height 8: 678 transformations, 0 evaluated"));
    assert!(drawn(&[], &[]).contains("<g class=\"node solution\""));
    assert!(drawn(&[3, 3, 2, 2], &[0, 0, 0, 0]).contains("<g class=\"node solution\""));
}

#[test]
fn malformed_lattices_do_not_panic() {
    let odd = LatticeReport { maximum: vec![usize::MAX, 5], solution: vec![usize::MAX, 9, 9], ..lattice(&[2], &[1]) };
    assert_self_contained(&release_page(&ReleaseReport { lattice: Some(odd), ..adult() }));
    let short = LatticeReport { maximum: vec![2, 2], solution: vec![7], total: String::new(), ..lattice(&[2], &[1]) };
    assert_self_contained(&release_page(&ReleaseReport { lattice: Some(short), ..adult() }));
}

#[test]
fn rare_values_of_the_input_are_not_shown() {
    let mut report = adult();
    report.attributes[0] = AttributeReport {
        name: "country".into(),
        before: vec![("Germany".into(), 128), ("Italy".into(), 68), ("Holand-Netherlands".into(), 1)],
        after: vec![("Europe".into(), 197)],
        ..AttributeReport::default()
    };
    let page = release_page(&report);
    assert!(!page.contains("Holand-Netherlands") && page.contains("others (2)"));
    report.smallest_count = 0;
    assert!(release_page(&report).contains("Holand-Netherlands"));
}

#[test]
fn the_report_is_serializable() {
    let json = serde_json::to_value(adult()).expect("plain values");
    assert_eq!(json["lattice"]["total"], "3");
    assert_eq!(json["lattice"]["nodes"][0]["status"], "solution");
    assert_eq!(json["rows"]["kept"], 27_978);
}

#[test]
fn the_page_of_a_release_made_by_a_mechanism_does_not_ask_to_publish_its_figures() {
    let page = release_page(&ReleaseReport { is_mechanism: true, ..adult() });
    assert!(page.contains("Publish neither the page nor its figures"));
    assert!(!page.contains("Publish the figures"));
}
