//! Tables of totals from files: shapes, sums, links, and every sentence about a broken one.

use std::path::PathBuf;

use tamis_cells::{CellId, Pattern, Status};
use tamis_totals::{
    Bounds, Columns, Cost, HierarchyFile, Letters, MissingCells, ReleaseOptions, Singletons, TableOptions, Totals,
    read_pattern, read_totals, write_flagged, write_released,
};
use tempfile::TempDir;

struct Desk(TempDir);

impl Desk {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a directory"))
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.path().join(name)).expect("a file")
    }

    fn totals(&self, text: &str, options: &TableOptions) -> Totals {
        read_totals(&[self.write("table.csv", text)], options).expect("a table")
    }

    /// The sentence about a broken table, without the directory.
    fn sentence(&self, text: &str, options: &TableOptions) -> String {
        let error = read_totals(&[self.write("table.csv", text)], options).expect_err("a broken table");
        error.to_string().replace(&format!("{}/", self.0.path().display()), "")
    }
}

fn plain() -> TableOptions {
    TableOptions::default()
}

fn value(totals: &Totals, labels: &[&str]) -> f64 {
    totals.table().cells()[totals.find_labels(labels).unwrap_or_else(|| panic!("{labels:?}"))].value
}

/// The slow twin: every total of every dimension is the sum of its parts, and there are no other equations.
fn holds(totals: &Totals) {
    let cells = totals.table().cells();
    for equation in totals.table().equations() {
        let sum: f64 = equation.terms.iter().map(|&(cell, by)| by * cells[cell].value).sum();
        assert!((sum - equation.rhs).abs() < 1e-9, "{equation:?}");
    }
    let mut expected = 0;
    for cell in 0..cells.len() {
        for (place, dimension) in totals.dimensions().iter().enumerate() {
            for group in dimension.groups() {
                let label = totals.coordinates(cell)[place];
                let is_part = |other: usize| {
                    let (mine, theirs) = (totals.coordinates(cell), totals.coordinates(other));
                    (0..mine.len()).all(|at| {
                        if at == place { group.children.contains(&theirs[at]) } else { mine[at] == theirs[at] }
                    })
                };
                expected += usize::from(group.parent == label && (0..cells.len()).any(is_part));
            }
        }
    }
    assert_eq!(totals.table().equations().len(), expected);
}

#[test]
fn one_two_three_and_four_dimensions_add_up() {
    let desk = Desk::new();
    for dimensions in 1..=4usize {
        let names: Vec<String> = (0..dimensions).map(|at| format!("d{at}")).collect();
        let mut text = format!("{},value\n", names.join(","));
        for number in 0..2usize.pow(dimensions as u32) {
            let labels: Vec<String> = (0..dimensions).map(|at| format!("l{}", number >> at & 1)).collect();
            text.extend([format!("{},{}\n", labels.join(","), number + 1)]);
        }
        let totals = desk.totals(&text, &plain());
        assert_eq!(totals.table().cells().len(), 3usize.pow(dimensions as u32));
        let all = 2usize.pow(dimensions as u32);
        assert_eq!(value(&totals, &vec!["Total"; dimensions]), (all * (all + 1) / 2) as f64);
        holds(&totals);
    }
}

const INNER: &str = "Region,Trade,value\nNorth,A,1.10\nNorth,B,2\nSouth,A,0.2\n";

#[test]
fn computed_totals_are_those_given() {
    let desk = Desk::new();
    let computed = desk.totals(INNER, &plain());
    let given = format!("{INNER}Total,A,1.3\nTotal,B,2\nNorth,Total,3.1\nSouth,Total,0.2\nTotal,Total,3.3\n");
    let given = desk.totals(&given, &plain());
    for cell in 0..computed.table().cells().len() {
        assert_eq!(
            value(&given, &computed.labels(cell)),
            computed.table().cells()[cell].value,
            "{:?}",
            computed.labels(cell)
        );
    }
    assert_eq!(computed.table().equations().len(), given.table().equations().len());
    holds(&computed);
    // Behind the rows, totals by their labels, the total first.
    let order: Vec<String> = (3..8).map(|cell| computed.labels(cell).join("/")).collect();
    assert_eq!(order, ["Total/Total", "Total/A", "Total/B", "North/Total", "South/Total"]);
    assert_eq!(computed.value_text(0), "1.10", "values stay as they are written");
    assert_eq!(computed.value_text(3), "3.3", "sums have no binary noise");
    assert_eq!(computed.table().cells()[3].id, CellId::Text("Total/Total".into()));
}

const HRC: &str = "North\n@Oslo\n@@Oslo East\n@@Oslo West\n@Bodo\nSouth\n";

#[test]
fn hierarchies_of_any_form_give_the_same_table() {
    let desk = Desk::new();
    let csv = "Oslo East;Oslo;North;*\nOslo West;Oslo;North;*\nBodo;Bodo;North;*\nSouth;South;South;*\n";
    let sdc = "@;Total\n@@;North\n@@@;Oslo\n@@@@;Oslo East\n@@@@;Oslo West\n@@@;Bodo\n@@;South\n";
    let rows = "Region,value\nOslo East,1\nOslo West,2\nBodo,4\nSouth,8\n";
    let mut seen = Vec::new();
    for (name, text) in [("r.hrc", HRC), ("r.csv", csv), ("s.hrc", sdc)] {
        let file = HierarchyFile { dimension: "Region".into(), path: desk.write(name, text) };
        let totals = desk.totals(rows, &TableOptions { hierarchies: vec![file], ..plain() });
        assert_eq!(value(&totals, &["Oslo"]), 3.0);
        assert_eq!(value(&totals, &["North"]), 7.0);
        assert_eq!(value(&totals, &["Total"]), 15.0);
        assert_eq!(totals.table().cells().len(), 7);
        holds(&totals);
        let region = &totals.dimensions()[0];
        let shown: Vec<String> = region
            .in_order()
            .iter()
            .map(|&label| format!("{}{}", "-".repeat(region.depth(label)), region.label(label)))
            .collect();
        seen.push(shown);
    }
    assert_eq!(seen[0], ["Total", "-North", "--Oslo", "---Oslo East", "---Oslo West", "--Bodo", "-South"]);
    assert!(seen.iter().all(|shown| *shown == seen[0]), "{seen:?}");
}

#[test]
fn two_hierarchies_describe_the_same_labels() {
    let desk = Desk::new();
    let north = HierarchyFile { dimension: "Region".into(), path: desk.write("n.hrc", "N\n@a\n@b\nS\n@c\n@d\n") };
    let size =
        HierarchyFile { dimension: "Region".into(), path: desk.write("s.hrc", "large\n@a\n@c\nsmall\n@b\n@d\n") };
    let totals =
        desk.totals("Region,value\na,1\nb,2\nc,4\nd,8\n", &TableOptions { hierarchies: vec![north, size], ..plain() });
    assert_eq!((value(&totals, &["N"]), value(&totals, &["large"])), (3.0, 5.0));
    assert_eq!(totals.table().equations().len(), 6);
    holds(&totals);
}

#[test]
fn linked_tables_share_their_cells() {
    let desk = Desk::new();
    let trade = desk.write("trade.csv", "Region,Trade,value\nN,A,1\nN,B,2\nS,A,3\nS,B,4\n");
    let size = desk.write("size.csv", "Region,Size,value\nN,big,3\nS,big,5\nS,small,2\n");
    let options = TableOptions { dimensions: ["Region", "Trade", "Size"].map(str::to_owned).to_vec(), ..plain() };
    let totals = read_totals(&[trade.clone(), size], &options).expect("linked tables");
    // 4 + 5 cells of the first table, 3 of the second, its totals by size; totals by region are shared.
    assert_eq!(totals.table().cells().len(), 4 + 5 + 3 + 2);
    assert_eq!(value(&totals, &["N", "Total", "Total"]), 3.0);
    assert!(totals.find_labels(&["N", "A", "big"]).is_none(), "nobody published that");
    let wrong = desk.write("size.csv", "Region,Size,value\nN,big,3\nN,Total,4\n");
    let error = read_totals(&[trade.clone(), wrong], &options).expect_err("3 is not 4").to_string();
    assert!(
        error.contains(
            "size.csv`, line 3: (Region=N, Trade=Total, Size=Total) is 4, but its 2 parts along `Trade` add up to 3"
        ),
        "{error}"
    );
    // By id: the same total under other labels.
    let ids = desk.write("a.csv", "id,Region,value\n1,N,1\n2,S,2\nsum,Total,3\n");
    let other = desk.write("b.csv", "id,Kind,value\nx,k,1\ny,l,1\nsum,Total,3\n");
    let options = TableOptions {
        dimensions: vec!["Region".into(), "Kind".into()],
        columns: Columns { id: Some("id".into()), ..Columns::default() },
        ..plain()
    };
    let error = read_totals(&[&ids, &other], &options).expect_err("1 + 1 is not 3").to_string();
    assert!(error.contains("b.csv") || error.contains("a.csv"), "{error}");
    assert!(error.contains("add up to 2, 1 apart"), "{error}");
    let other = desk.write("b.csv", "id,Kind,value\nx,k,1\ny,l,3\nsum,Total,4\n");
    let error = read_totals(&[&ids, &other], &options).expect_err("3 is not 4").to_string();
    assert!(error.contains("line 4: the value is 4 and 3 at") && error.contains("a.csv`, line 4"), "{error}");
    let twice = desk.write("c.csv", "id,Region,value\n1,N,1\n1,S,1\n");
    let error = read_totals(&[&twice], &TableOptions { dimensions: vec!["Region".into()], ..options.clone() });
    let error = error.expect_err("one id, two cells").to_string();
    assert!(error.contains("line 3: the id was given before at") && error.contains("line 2"), "{error}");
}

#[test]
fn broken_tables_are_told_by_place() {
    let desk = Desk::new();
    let told = |text: &str| desk.sentence(text, &plain());
    assert_eq!(
        told("Region,value\nN,1\nS,2\nTotal,4\n"),
        "`table.csv`, line 4: (Region=Total) is 4, but its 2 parts along `Region` add up to 3, 1 apart; \
         mend the values, or leave totals out to have them computed"
    );
    assert_eq!(
        told("Region,value\nN,1\nS,two\n"),
        "`table.csv`, line 3, column `value`: found `two`, expected a number with a decimal point"
    );
    assert!(told("Region,value\nN,1\nS,\n").starts_with("`table.csv`, line 3, column `value`: found no value"));
    assert!(told("Region,value\n,1\nS,2\n").starts_with("`table.csv`, line 2, column `Region`: found no label"));
    let twice = told("Region,value\nN,1\nS,2\nN,1\n");
    assert!(
        twice.starts_with("`table.csv`, line 4: the combination of labels was given before at `table.csv`, line 2"),
        "{twice}"
    );
    assert!(told("Region,turnover\nN,1\n").contains("name the column of values with --value"));
    assert!(
        told("Region,value,status\nN,1,q\n").starts_with("`table.csv`, line 2, column `status`: found the status `q`")
    );
    assert!(told("Region,value,lb\nN,1,2\n").contains("line 2: (Region=N) is 1, outside its bounds 2 to inf"));
    assert!(told("Region,value,status\nN,0,u\nS,5,s\n").contains("--zero-range"));
    let hierarchy = |text: &str| {
        let file = HierarchyFile { dimension: "Region".into(), path: desk.write("r.hrc", text) };
        desk.sentence("Region,value\nOslo,1\nParis,2\n", &TableOptions { hierarchies: vec![file], ..plain() })
    };
    assert!(
        hierarchy("North\n@Oslo\n")
            .starts_with("`table.csv`, line 3, column `Region`: the label `Paris` is not in the hierarchy")
    );
    assert!(
        hierarchy("North\n@@Oslo\n").starts_with("the hierarchy `r.hrc`: line 2: `Oslo` is 2 levels below `North`")
    );
    assert!(
        hierarchy("North\n@Oslo\nSouth\n@Oslo\n")
            .starts_with("the hierarchy `r.hrc`, line 4: the label `Oslo` occurs twice")
    );
    let missing = TableOptions { missing_cells: MissingCells::Error, ..plain() };
    assert!(desk.sentence(INNER, &missing).contains("there is no row for (Region=South, Trade=B)"));
    let stranger = HierarchyFile { dimension: "Nowhere".into(), path: "x.hrc".into() };
    let stranger = desk.sentence(INNER, &TableOptions { hierarchies: vec![stranger], ..plain() });
    assert!(stranger.starts_with("there is no dimension `Nowhere`; the dimensions are `Region`, `Trade`"));
}

#[test]
fn empty_cells_are_published_unless_they_may_be_hidden() {
    let desk = Desk::new();
    assert_eq!(desk.totals(INNER, &plain()).find_labels(&["South", "B"]), None);
    let free = desk.totals(INNER, &TableOptions { missing_cells: MissingCells::Free, ..plain() });
    let cell = free.find_labels(&["South", "B"]).expect("a cell");
    assert_eq!((free.table().cells()[cell].status, free.table().cells()[cell].value), (Status::Free, 0.0));
    let counted = desk.totals("Region,value,frequency\nN,5,2\nS,0,0\n", &plain());
    assert_eq!(counted.table().cells()[1].status, Status::Fixed);
}

#[test]
fn costs_and_bounds_are_those_asked_for() {
    let desk = Desk::new();
    let text = "Region,value,weight,freq,size\nN,7,3,2,9\nS,1,4,5,8\n";
    let costs = |cost: Option<Cost>| -> Vec<f64> {
        let dimensions = vec!["Region".to_owned()];
        let totals = desk.totals(text, &TableOptions { cost, dimensions, ..plain() });
        totals.table().cells().iter().map(|cell| cell.weight).collect()
    };
    assert_eq!(costs(None), [3.0, 4.0, 7.0]);
    assert_eq!(costs(Some(Cost::Value)), [7.0, 1.0, 8.0]);
    assert_eq!(costs(Some(Cost::Unit)), [1.0, 1.0, 1.0]);
    assert_eq!(costs(Some(Cost::Frequency)), [2.0, 5.0, 7.0]);
    assert_eq!(costs(Some(Cost::Log)), [8f64.ln(), 2f64.ln(), 9f64.ln()]);
    assert_eq!(costs(Some(Cost::Column("size".into()))), [9.0, 8.0, 17.0]);
    let bounds = |text: &str, bounds: Option<Bounds>| {
        let totals = desk.totals(text, &TableOptions { bounds, ..plain() });
        let cell = &totals.table().cells()[0];
        (cell.lower, cell.upper)
    };
    assert_eq!(bounds("R,value\na,4\nb,2\n", None), (0.0, f64::INFINITY));
    assert_eq!(bounds("R,value\na,4\nb,-2\n", None), (f64::NEG_INFINITY, f64::INFINITY));
    assert_eq!(bounds("R,value\na,4\nb,2\n", Some(Bounds::Share(50.0))), (2.0, 6.0));
    assert_eq!(
        bounds("R,value,status,lpl,upl\na,4,u,3,1\nb,2,s,,\n", Some(Bounds::Share(50.0))),
        (1.0, 6.0),
        "widened"
    );
    assert_eq!(
        bounds("R,value,status,lpl,upl,lb,ub\na,4,u,3,1,3,9\nb,2,s,,,,\n", None),
        (3.0, 9.0),
        "as the file says"
    );
    assert_eq!(
        bounds("R,value,status,lpl,upl,lb,ub\na,4,u,3,1,3,9\nb,2,s,,,,\n", Some(Bounds::Share(50.0))),
        (1.0, 6.0),
        "what is asked for comes before what the file says"
    );
}

#[test]
fn numbers_of_spreadsheets_and_crosstabs_get_a_remedy() {
    let desk = Desk::new();
    let told = |text: &str| desk.sentence(text, &plain());
    for (found, written) in
        [("1.234,5", "1234.5"), ("1 234", "1234"), ("12,5", "12.5"), ("1.234.567", "1234567"), ("-1,234.5", "-1234.5")]
    {
        let told = told(&format!("R;value\na;{found}\n"));
        assert!(told.contains(&format!("line 2, column `value`: found `{found}`")), "{told}");
        assert!(told.ends_with(&format!("write it like {written}")), "{told}");
    }
    let hidden = told("R,value\na,x\nb,3\n");
    assert!(hidden.contains("true values") && hidden.contains("--pattern"), "{hidden}");
    assert!(told("R;Bau;Handel\nN;1;2\n").contains("one row for each cell"));
    assert!(!told("R;turnover\nN;1\n").contains("one row for each cell"));
}

#[test]
fn sums_of_linked_tables_name_a_line() {
    let desk = Desk::new();
    let trade = desk.write("trade.csv", "Region,Trade,value\nN,A,1\nN,B,2\nS,A,3\nS,B,4\n");
    let size = desk.write("size.csv", "Region,Size,value\nS,big,7\nN,big,1\nN,small,1\n");
    let options = TableOptions { dimensions: ["Region", "Trade", "Size"].map(str::to_owned).to_vec(), ..plain() };
    let error = read_totals(&[trade, size], &options).expect_err("3 is not 2").to_string();
    assert!(error.contains("size.csv`, line "), "{error}");
    assert!(error.contains("add up to"), "{error}");
}

#[test]
fn attackers_must_know_something() {
    let desk = Desk::new();
    let text = "R,value,status\na,4,u\nb,2,\nc,3,\n";
    let told = |file: &str| {
        let attackers = Some(desk.write("attackers.csv", file));
        desk.sentence(text, &TableOptions { attackers, ..plain() })
    };
    assert!(
        told("attacker,R\nx,b\n").contains("`attackers.csv` does not say what attackers know; expected a column `lb`")
    );
    assert!(
        told("attacker,R,lb,ub\nx,b,1,3\nx,c,,\n").starts_with("`attackers.csv`, line 3: x knows nothing about (R=c)")
    );
}

#[test]
fn what_is_written_is_read_again() {
    let desk = Desk::new();
    let text = "Region,Trade,value,status,freq\nN,A,1.50,u,1\nN,B,2,s,4\nS,A,3,z,3\nS,B,4,h,2\n";
    let totals = desk.totals(text, &plain());
    assert_eq!(totals.table().cells()[0].levels.upper, 0.3);
    let path = desk.0.path().join("flagged.csv");
    write_flagged(&path, &totals).expect("written");
    let again = read_totals(&[&path], &plain()).expect("read again");
    assert_eq!(again.table(), totals.table());
    let pattern = Pattern::new(vec![true, false, false, true, false, false, true, false, false]);
    let released = desk.0.path().join("released.csv");
    for (letters, begins) in [
        (Letters::Public, "Region,Trade,value,status\nN,A,x,x\nN,B,2,s\nS,A,3,s\nS,B,x,x\n"),
        (Letters::Peers, "Region,Trade,value,status\nN,A,x,u\nN,B,2,s\nS,A,3,z\nS,B,x,m\n"),
    ] {
        let options = ReleaseOptions { letters, ..ReleaseOptions::default() };
        write_released(&released, &totals, &pattern, None, &options).expect("written");
        let lines = desk.read("released.csv");
        assert!(lines.starts_with(begins), "{lines}");
        assert_eq!(read_pattern(&released, &totals, &plain()).expect("a pattern"), pattern);
    }
}

#[test]
fn singletons_attack_their_neighbours() {
    let desk = Desk::new();
    let text = "R,T,value,status,freq\na,A,1,u,1\na,B,2,u,3\nb,A,3,s,3\nb,B,4,u,9\n";
    let attackers =
        |singletons| desk.totals(text, &TableOptions { singletons, ..plain() }).table().attackers().to_vec();
    assert!(attackers(Singletons::Off).is_empty());
    let [near] = attackers(Singletons::Neighbours).try_into().expect("one singleton");
    assert_eq!(near.bounds, [(0, 1.0, 1.0)]);
    assert_eq!(near.levels.iter().map(|(cell, _)| *cell).collect::<Vec<_>>(), [0, 3]);
    let [all] = attackers(Singletons::All).try_into().expect("one singleton");
    assert_eq!(all.levels.iter().map(|(cell, _)| *cell).collect::<Vec<_>>(), [0]);
    let file = desk.write("attackers.csv", "attacker,R,T,lb,ub\nexpert,b,B,3,5\nexpert,b,A,3,3\n");
    let totals = desk.totals(text, &TableOptions { attackers: Some(file), ..plain() });
    assert_eq!(totals.table().attackers()[0].bounds, [(3, 3.0, 5.0), (2, 3.0, 3.0)]);
}

/// The firm of A/X is the one of AB/X, as that has one contributor only: one attacker, who is not asked about either.
#[test]
fn cells_that_must_have_the_same_contributor_have_one_attacker() {
    let desk = Desk::new();
    let path = desk.write("r.hrc", "AB\n@A\n@B\nCC\n@C\n");
    let text = "r,c,value,frequency,status\nA,X,10,1,u\nB,X,0,0,s\nAB,X,10,1,u\nA,Y,70,9,s\nB,Y,60,9,s\nAB,Y,130,18,s\n\
                C,X,50,1,u\nC,Y,40,7,s\nCC,X,50,1,s\nCC,Y,40,7,s\n";
    for singletons in [Singletons::Neighbours, Singletons::All] {
        let hierarchies = vec![HierarchyFile { dimension: "r".into(), path: path.clone() }];
        let totals = desk.totals(text, &TableOptions { singletons, hierarchies, ..plain() });
        let cell = |labels: &[&str]| totals.find_labels(labels).expect("a cell");
        let [first, second] = totals.table().attackers() else { panic!("two attackers") };
        let known =
            |attacker: &tamis_cells::Attacker| attacker.bounds.iter().map(|(cell, ..)| *cell).collect::<Vec<_>>();
        assert_eq!(known(first), [cell(&["A", "X"]), cell(&["AB", "X"])]);
        assert_eq!(known(second), [cell(&["C", "X"]), cell(&["CC", "X"])]);
        assert!(known(first).iter().all(|own| first.levels.contains(&(*own, tamis_cells::Levels::default()))));
    }
}

#[test]
fn a_hierarchy_of_indented_lines_is_known_by_its_content() {
    let desk = Desk::new();
    let text = "r,value\nOslo,1\nBodo,2\nMalmo,4\n";
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut gzip, b"North\n@Oslo\n@Bodo\nSouth\n@Malmo\n").expect("bytes");
    let packed = desk.write("r.hrc.gz", "");
    std::fs::write(&packed, gzip.finish().expect("bytes")).expect("a file");
    for path in [
        packed,
        desk.write("r.txt", "North\n@Oslo\n@Bodo\nSouth\n@Malmo\n"),
        desk.write("63", "@;North\n@@;Oslo\n@@;Bodo\n@;South\n@@;Malmo\n"),
    ] {
        let hierarchies = vec![HierarchyFile { dimension: "r".into(), path: path.clone() }];
        let totals = desk.totals(text, &TableOptions { hierarchies, ..plain() });
        assert!((value(&totals, &["North"]) - 3.0).abs() < 1e-9, "{}", path.display());
    }
}

#[test]
fn equations_and_marks_come_from_files() {
    let desk = Desk::new();
    let lines = desk.write("more.txt", "# two regions\n[N/A] + 2 [S/A] = 7\n");
    let totals = desk.totals("Region,Trade,value\nN,A,1\nS,A,3\n", &TableOptions { equations: vec![lines], ..plain() });
    let last = totals.table().equations().last().expect("an equation");
    assert_eq!((last.rhs, last.terms.as_slice()), (7.0, [(0, 1.0), (1, 2.0)].as_slice()));
    let wrong = |text: &str| {
        let lines = desk.write("more.txt", text);
        desk.sentence("Region,Trade,value\nN,A,1\nS,A,3\n", &TableOptions { equations: vec![lines], ..plain() })
    };
    assert_eq!(
        wrong("\n[N/A] = 2\n"),
        "`more.txt`, line 2: the equation does not add up: the left side is 1, the right side 2, 1 apart"
    );
    assert!(wrong("nobody = 2\n").starts_with("`more.txt`, line 1: the table has no cell `nobody`"));
    assert!(wrong("[N/A] + = 2\n").starts_with("`more.txt`, line 1: found"));
    let marks = desk.write("fixed.csv", "Region\nN\n");
    let options = TableOptions { marked: vec![(Status::Fixed, marks)], ..plain() };
    let totals = desk.totals("Region,Trade,value\nN,A,1\nS,A,3\n", &options);
    let cell = totals.find_labels(&["N", "Total"]).expect("a total");
    assert_eq!(totals.table().cells()[cell].status, Status::Fixed);
}
