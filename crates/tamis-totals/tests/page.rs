//! The page of a table: what it shows, to whom, and what it never shows.

use tamis_cells::audit::{Exposed, Interval};
use tamis_cells::{Audit, Demand, Pattern, Side};
use tamis_totals::page::{PageFacts, Reader, cells_page};
use tamis_totals::{TableOptions, Totals, read_totals};

const TABLE: &str = "Trade,Region,value,status,lpl,upl\n\
    <b>A</b>,North,7171,u,5,5\n<b>A</b>,South,8282,s,,\nB,North,9393,s,,\nB,South,6464,s,,\n";

fn totals(text: &str) -> Totals {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("table.csv");
    std::fs::write(&path, text).expect("a file");
    read_totals(&[&path], &TableOptions::default()).expect("a table")
}

/// The first four cells are hidden; anybody computes a hundred around each.
fn audit(totals: &Totals, exposed: bool) -> (Pattern, Audit) {
    let cells = totals.table().cells();
    let interval = |cell: usize| Interval { cell, attacker: 0, lower: cells[cell].value - 100.0, upper: f64::INFINITY };
    let demand = Demand { cell: 0, attacker: 0, side: Side::Upper, level: 5.0 };
    let audit = Audit {
        intervals: (0..4).map(interval).collect(),
        exposed: if exposed { vec![Exposed { demand, reach: 3.0 }] } else { Vec::new() },
        unproved: Vec::new(),
        published: Vec::new(),
        published_hidden: Vec::new(),
        hidden_fixed: Vec::new(),
        unnecessary_complete: true,
        intervals_complete: true,
        unnecessary: Vec::new(),
        attacks: 0,
    };
    (Pattern::new((0..cells.len()).map(|cell| cell < 4).collect()), audit)
}

fn page(totals: &Totals, reader: Reader, exposed: bool) -> String {
    let (pattern, audit) = audit(totals, exposed);
    let facts = PageFacts {
        title: "A & B",
        reader,
        table: totals.table(),
        totals: Some(totals),
        pattern: &pattern,
        audit: &audit,
        search: None,
        mark: "×",
        notes: &[],
    };
    cells_page(&facts, "1.0")
}

#[test]
fn the_makers_page_shows_values_and_intervals_and_says_so() {
    let page = page(&totals(TABLE), Reader::Steward, false);
    assert!(page.contains("Not for publication"));
    for text in ["7171", "anybody computes 7071 to ∞", "asked 7166 to 7176", "A &amp; B"] {
        assert!(page.contains(text), "{text}: {page}");
    }
    assert!(!page.contains("<b>A</b>") && page.contains("&lt;b&gt;A&lt;/b&gt;"), "every text is escaped");
    assert!(!page.contains("NaN"), "{page}");
}

#[test]
fn an_exposed_primary_stands_out() {
    let page = page(&totals(TABLE), Reader::Steward, true);
    assert!(page.contains("Exposed: 1 of 1 primary cell") && page.contains("2 short above"), "{page}");
    assert!(page.contains("class=\"num exposed\""));
}

#[test]
fn the_public_page_has_nothing_that_is_hidden() {
    let page = page(&totals(TABLE), Reader::Public, true);
    for secret in ["7171", "8282", "9393", "6464", "7071", "num primary", "num exposed", "num secondary", "Exposed"] {
        assert!(!page.contains(secret), "{secret}: {page}");
    }
    assert_eq!(page.matches(">×<").count(), 4);
    assert!(page.contains("31310"), "the total is true: {page}");
}

#[test]
fn a_place_without_a_cell_is_explained() {
    let gap = TABLE.replace("B,South,6464,s,,\n", "");
    assert!(page(&totals(&gap), Reader::Public, false).contains("· stands where the table has no cell"));
    assert!(!page(&totals(TABLE), Reader::Public, false).contains("· stands"));
}

#[test]
fn a_table_without_primaries_is_not_called_protected() {
    let page = page(&totals(&TABLE.replace(",u,5,5", ",s,,")), Reader::Steward, false);
    assert!(page.contains("No cell is primary: nothing is protected."), "{page}");
}

#[test]
fn one_dimension_three_dimensions_and_too_many_cells_have_their_pages() {
    let lines = |count: usize| (0..count).map(|row| format!("r{row},{row}\n")).collect::<Vec<_>>().concat();
    let one = page(&totals(&format!("Region,value\n{}", lines(6))), Reader::Steward, false);
    assert!(one.contains("r5") && !one.contains("<details"));
    let cube =
        (0..8).map(|n| format!("a{},b{},c{},{}\n", n / 4, n / 2 % 2, n % 2, n + 10)).collect::<Vec<_>>().concat();
    let cube = page(&totals(&format!("A,B,C,value\n{cube}")), Reader::Steward, false);
    assert_eq!(cube.matches("<details").count(), 3);
    assert!(cube.contains("C: c1"));
    let large = page(&totals(&format!("Region,value\n{}", lines(20_500))), Reader::Steward, false);
    assert!(large.contains("too large for a page") && large.contains("cells are left out of the list"));
}
