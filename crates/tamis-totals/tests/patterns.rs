//! Which cells a released table hides, whatever its columns are called, and what is no released table of the true one.

use std::path::PathBuf;

use tamis_cells::CellId;
use tamis_cells::Status::{Free, Hidden, Primary};
use tamis_totals::{TableOptions, Totals, read_pattern, read_totals};
use tempfile::TempDir;

const TRUE: &str = "region,branch,value,status\nN,a,10,u\nN,b,5,\nS,a,7,\nS,b,6,\n";

struct Desk(TempDir, Totals);

impl Desk {
    fn new() -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("true.csv");
        std::fs::write(&path, TRUE).expect("a file");
        let totals = read_totals(&[path], &TableOptions::default()).expect("a table");
        Self(directory, totals)
    }

    fn write(&self, text: &str) -> PathBuf {
        let path = self.0.path().join("released.csv");
        std::fs::write(&path, text).expect("a file");
        path
    }

    fn hidden(&self, text: &str) -> Vec<String> {
        let pattern = read_pattern(self.write(text), &self.1, &TableOptions::default()).expect("a pattern");
        pattern.cells().map(|cell| self.1.table().cells()[cell].id.to_string()).collect()
    }

    fn sentence(&self, text: &str) -> String {
        let error = read_pattern(self.write(text), &self.1, &TableOptions::default()).expect_err("no pattern");
        error.to_string().replace(&format!("{}/", self.0.path().display()), "")
    }
}

#[test]
fn values_tell_what_is_hidden_where_no_status_does() {
    let desk = Desk::new();
    let totals = "N,Total,15\nS,a,7\nS,b,6\nS,Total,13\nTotal,a,17\nTotal,b,11\nTotal,Total,28\n";
    assert_eq!(desk.hidden(&format!("region,branch,value\nN,a,x\nN,b,5\n{totals}")), ["N/a"]);
    assert_eq!(desk.hidden(&format!("Region,Branch,Value\nN,a,\nN,b,..\n{totals}")), ["N/a", "N/b"]);
    assert_eq!(desk.hidden("id,value\nN/a,x\nN/b,5\n"), ["N/a"]);
}

#[test]
fn columns_of_statuses_are_known_by_their_usual_names() {
    let desk = Desk::new();
    assert_eq!(desk.hidden("region,branch,freq,value,sdcStatus\nN,a,1,10,u\nN,b,4,5,s\n"), ["N/a"]);
    assert_eq!(desk.hidden("region,branch,value,Status\nN,a,10,u\nN,b,x,m\nS,a,7,s\n"), ["N/a", "N/b"]);
    assert_eq!(desk.hidden("id,suppressed\nN/a,1\nN/b,0\n"), ["N/a"]);
    assert_eq!(desk.hidden("branch,region,status\na,S,h\nb,N,x\nb,S,z\n"), ["N/b", "S/a"]);
}

#[test]
fn nothing_but_names_are_the_hidden_cells() {
    let desk = Desk::new();
    assert_eq!(desk.hidden("region,branch\nN,a\nS,b\n"), ["N/a", "S/b"]);
    assert_eq!(desk.hidden("id\nN/a\n"), ["N/a"]);
    assert_eq!(desk.hidden("N/a\nS/b\n"), ["N/a", "S/b"]);
    assert_eq!(desk.hidden("region\nN\n"), ["N/Total"]);
    assert_eq!(desk.hidden("[\"N/a\"]"), ["N/a"]);
}

#[test]
fn what_is_not_the_release_of_the_table_is_refused() {
    let desk = Desk::new();
    assert_eq!(
        desk.sentence("region,branch,value,status\nN,a,x,u\nN,Total,99,s\n"),
        "`released.csv`, line 3, cell N/Total: the cell is published as 99, but its true value is 15; \
         audit the release with the table it was made from"
    );
    assert!(
        desk.sentence("region,branch,status\nN,a,c\n")
            .starts_with("`released.csv`, line 2, cell N/a: found the status `c`, expected u (primary)")
    );
    let stranger = desk.sentence("region,branch,turnover\nN,a,x\n");
    assert!(
        stranger.contains("no column says which cells are hidden") && stranger.contains("`turnover`"),
        "{stranger}"
    );
    assert!(desk.sentence("id,turnover\nN/a,x\n").contains("no column says which cells are hidden"));
    assert!(
        desk.sentence("region,branch,value,status\nN,a,x,s\n").contains("marked as published, but its value is `x`")
    );
    // Numbers that are spelled otherwise are no hidden values.
    assert!(desk.sentence("region;branch;value\nN;a;10,0\n").contains("line 2, cell N/a: found `10,0`"));
    assert!(desk.sentence("region,branch,value\nN,a,x\nN,c,x\n").contains("line 3: the table has no cell `N, c`"));
    assert!(desk.sentence("region,branch,value\nN,a,x\nN,c,3\n").contains("line 3: the table has no cell `N, c`"));
    assert_eq!(desk.hidden("region,branch,value\nN,a,x\nN,c,0\n"), ["N/a"], "nobody is there, as published");
    // A list of ids tells the line of an unknown one.
    let unknown = desk.sentence("N/a\nN/c\n");
    assert!(unknown.contains("`released.csv`, line 2: there is no cell N/c"), "{unknown}");
}

#[test]
fn marks_of_an_earlier_protection_are_free_and_remembered() {
    let desk = Desk::new();
    let path = desk.write("region,branch,value,sdcStatus\nN,a,10,u\nN,b,5,x\nS,a,7,m\nS,b,6,h\n");
    let totals = read_totals(&[path], &TableOptions::default()).expect("a table");
    let marked: Vec<bool> = (0..4).map(|cell| totals.is_marked(cell)).collect();
    assert_eq!(marked, [false, true, true, false]);
    let statuses: Vec<_> = totals.table().cells()[..4].iter().map(|cell| cell.status).collect();
    assert_eq!(statuses, [Primary, Free, Free, Hidden]);
    assert_eq!(totals.table().cells()[0].id, CellId::Text("N/a".into()));
}
