//! The pages of a table's risk are whole, escape what they are given and survive anything.

use crate::report_checks;

use report_checks::assert_self_contained;
use tamis_release::ReleaseError;
use tamis_release::report::{external_risk_page, risk_page};
use tamis_release::risk::{RiskBound, RiskOptions, RiskReport, risk};
use tamis_table::{ColumnBuilder, Table};

const HOSTILE: &str = "<script>alert('&')</script>";

fn table(columns: &[(&str, Vec<String>)]) -> Result<Table, ReleaseError> {
    let mut built = Vec::new();
    for (name, values) in columns {
        let mut builder = ColumnBuilder::new(*name);
        for value in values {
            builder.push(value)?;
        }
        built.push(builder.finish());
    }
    Ok(Table::new(built)?)
}

fn hostile() -> Result<RiskReport, ReleaseError> {
    let values = |shift: usize| (0..150).map(|row| format!("{HOSTILE}{}", (row * 7 + shift) % 40)).collect();
    let table = table(&[(HOSTILE, values(0)), ("b", values(3))])?;
    let options = RiskOptions {
        quasi: vec![HOSTILE.to_owned(), "b".to_owned()],
        fraction: Some(0.2),
        row: Some(1),
        ..RiskOptions::default()
    };
    risk(&table, None, &options)
}

fn verdicts(report: &RiskReport, bounds: &str) -> Result<Vec<(RiskBound, bool)>, ReleaseError> {
    RiskBound::parse_list(bounds)?.into_iter().map(|bound| Ok((bound, bound.violation(report)?.is_none()))).collect()
}

#[test]
fn hostile_names_and_values_are_escaped() -> Result<(), ReleaseError> {
    let report = hostile()?;
    let verdicts = verdicts(&report, "average=0.9,max=0.01")?;
    let inside = risk_page(&report, &verdicts, HOSTILE, "0.1.0");
    let outside = external_risk_page(&report, &verdicts, HOSTILE, "0.1.0");
    for page in [&inside, &outside] {
        assert_self_contained(page);
        assert!(page.contains("&lt;script&gt;") && page.contains("✓ met") && page.contains("✗ not met"));
    }
    assert!(inside.contains("&lt;/script&gt;0"), "the steward sees values");
    assert!(!outside.contains("&lt;/script&gt;0"), "nobody else does");
    Ok(())
}

#[test]
fn a_table_of_suppressed_rows_has_no_risk() -> Result<(), ReleaseError> {
    let table = table(&[("a", vec!["*".to_owned(); 3])])?;
    let report = risk(&table, None, &RiskOptions { quasi: vec!["a".to_owned()], ..RiskOptions::default() })?;
    assert_eq!((report.rows, report.suppressed, report.uniques.share), (0, 3, 0.0));
    assert_eq!((report.prosecutor.max, report.classes.count), (0.0, 0));
    assert_self_contained(&risk_page(&report, &[], "nothing", ""));
    assert_self_contained(&external_risk_page(&report, &[], "nothing", ""));
    Ok(())
}

/// Two tables that differ in every value and every count, but not in their bands, have the same external page.
#[test]
fn the_external_page_depends_on_bands_alone() -> Result<(), ReleaseError> {
    let page = |classes: usize, size: usize, word: &str| -> Result<String, ReleaseError> {
        let values = (0..classes * size).map(|row| format!("{word}{}", row % classes)).collect();
        let options = RiskOptions { quasi: vec!["a".to_owned()], ..RiskOptions::default() };
        let report = risk(&table(&[("a", values)])?, None, &options)?;
        Ok(external_risk_page(&report, &verdicts(&report, "max=0.1")?, "title", "0.1.0"))
    };
    assert_eq!(page(11, 40, "x")?, page(13, 33, "y")?);
    assert_ne!(page(11, 40, "x")?, page(11, 11, "x")?);
    Ok(())
}

/// Requirements on the population can hang on one person, so the external page says nothing of them; the internal one does.
#[test]
fn requirements_on_the_population_stay_inside() -> Result<(), ReleaseError> {
    let values = |rows: usize| (0..rows).map(|row| format!("v{}", row % 20)).collect();
    let (sample, around) = (table(&[("a", values(200))])?, table(&[("a", values(800))])?);
    let report = risk(&sample, Some(&around), &RiskOptions { quasi: vec!["a".to_owned()], ..RiskOptions::default() })?;
    let bounds = "average=0.2,journalist=0.01,population_uniques=0.1,presence=0.1";
    let verdicts = verdicts(&report, bounds)?;
    let outside = external_risk_page(&report, &verdicts, "title", "");
    assert_eq!((outside.matches("✓ met").count(), outside.matches("✗ not met").count()), (1, 0));
    assert!(outside.contains("every requirement below is met") && !outside.contains("population"), "{outside}");
    let inside = risk_page(&report, &verdicts, "title", "");
    assert_eq!((inside.matches("✓ met").count(), inside.matches("✗ not met").count()), (2, 2));
    assert!(!inside.contains("Pitman"), "nothing is estimated beside what is counted");
    assert!(inside.contains("Counted: 0 of 800 people in the population are unique there"), "{inside}");
    Ok(())
}
