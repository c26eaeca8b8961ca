//! The comparison page says what it was given, escapes it, and survives anything.

use crate::report_checks;

use report_checks::assert_self_contained;
use tamis_release::report::{CompareReport, CompareRow, Figure, Published, compare_page};

fn row(family: &str, parameter: f64, loss: f64) -> CompareRow {
    CompareRow {
        setting: format!("{family} = {parameter}"),
        family: family.into(),
        parameter,
        loss,
        risk_average: 0.018_514_547,
        risk_max: 0.2,
        at_risk: 0.045_821_717,
        classes: 518,
        average: 54.011_583,
        kept: 27_978,
        suppressed: 2_184,
        levels: "0 3 0 0 2 1 0 0".into(),
        seconds: 0.04,
        published: vec![Published { figure: Figure::Loss, value: loss, agrees: true }],
    }
}

fn report() -> CompareReport {
    CompareReport {
        title: "Adult".into(),
        version: "0.1.0".into(),
        attributes: vec!["sex".into(), "age".into()],
        rows: vec![
            row("k", 2.0, 0.107_551),
            row("k", 5.0, 0.162_133),
            row("l", 2.0, 0.167_375),
            row("l", 4.0, 0.203_905),
            row("t", 0.1, 0.711_877),
            row("t", 0.2, 0.504_985),
        ],
        reference: "a study".into(),
        notes: vec!["a note".into()],
    }
}

#[test]
fn six_charts_and_a_table() {
    let page = compare_page(&report());
    assert_eq!(page.matches("<svg").count(), 6);
    for text in [
        "6 settings, with a loss between 10.76% and 71.19%. All 6 published reference values agree.",
        "Loss against k",
        "Loss against l",
        "Loss against t",
        "Average risk against k",
        "Average risk against l",
        "Average risk against t",
        "k = 5: loss 16.21%",
        "<td class=\"levels\">0 3 0 0 2 1 0 0</td>",
        "27,978",
        "2,184",
        "54.01",
        "✓ agrees",
        "order sex, age",
        "a study",
        "a note",
    ] {
        assert!(page.contains(text), "{text} is missing");
    }
    assert_eq!(page.matches("class=\"dot\"").count(), 12);
    assert_eq!(page.matches("class=\"ring\"").count(), 6);
    assert_self_contained(&page);
}

#[test]
fn a_disagreement_shows_the_published_value() {
    let mut report = report();
    report.rows[0].published = vec![
        Published { figure: Figure::Loss, value: 0.12, agrees: false },
        Published { figure: Figure::Classes, value: 1394.0, agrees: false },
    ];
    let page = compare_page(&report);
    assert!(page.contains("✗ published: loss 12%, classes 1,394"));
    assert!(page.contains("5 of 7 published reference values agree."));
}

#[test]
fn without_references_there_is_no_column_for_them() {
    let mut report = report();
    for row in &mut report.rows {
        row.published.clear();
    }
    let page = compare_page(&report);
    assert!(!page.contains("agree") && !page.contains(">Published<") && !page.contains("class=\"ring\""));
}

#[test]
fn every_text_is_escaped() {
    let evil = "<script>alert(1)</script>\"'&";
    let mut report = report();
    report.title = evil.into();
    report.version = evil.into();
    report.attributes = vec![evil.into()];
    report.reference = evil.into();
    report.notes = vec![evil.into()];
    report.rows[0].setting = evil.into();
    report.rows[0].family = evil.into();
    report.rows[0].levels = evil.into();
    assert_self_contained(&compare_page(&report));
}

#[test]
fn empty_and_unreasonable_input_renders() {
    let empty = compare_page(&CompareReport::default());
    assert!(empty.contains("No setting was compared."));
    assert_self_contained(&empty);
    for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, -f64::MAX, 1e-320, 0.0] {
        let mut report = report();
        report.rows.truncate(2);
        for row in &mut report.rows {
            (row.parameter, row.loss, row.risk_average, row.risk_max) = (odd, odd, odd, odd);
            (row.at_risk, row.average, row.seconds) = (odd, odd, odd);
            (row.classes, row.kept, row.suppressed) = (u64::MAX, u64::MAX, u64::MAX);
            row.setting = "odd".into();
            row.published = vec![Published { figure: Figure::RiskAverage, value: odd, agrees: false }];
        }
        assert_self_contained(&compare_page(&report));
    }
}
