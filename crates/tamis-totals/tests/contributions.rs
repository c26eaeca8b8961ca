//! Totals from microdata against a slow count of every cell.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use proptest::prelude::*;
use tamis_cells::Status;
use tamis_totals::{
    ContributionColumns, Dominance, HierarchyFile, MissingLabels, PriorPosterior, Rules, Singletons, TableOptions,
    Totals, Zeros, read_contributions, read_flagged,
};
use tempfile::TempDir;

fn write(desk: &TempDir, name: &str, text: &str) -> PathBuf {
    let path = desk.path().join(name);
    std::fs::write(&path, text).expect("a file");
    path
}

fn by(dimensions: &[&str]) -> TableOptions {
    let dimensions = dimensions.iter().map(|&name| name.to_owned()).collect();
    TableOptions { dimensions, ..TableOptions::default() }
}

fn primaries(totals: &Totals) -> BTreeMap<String, (f64, f64)> {
    let cells = totals.table().cells().iter().enumerate().filter(|(_, cell)| cell.status == Status::Primary);
    cells.map(|(index, cell)| (totals.labels(index).join("/"), (cell.levels.lower, cell.levels.upper))).collect()
}

#[test]
fn a_small_survey_by_hand() {
    let desk = tempfile::tempdir().expect("a directory");
    let text = "firm,group,Region,Trade,value\n1,X,N,A,80\n2,X,N,A,10\n3,,N,A,10\n4,,N,B,50\n5,,S,A,30\n6,,S,A,30\n7,,S,A,30\n8,Y,S,B,0\n";
    let file = write(&desk, "firms.csv", text);
    let columns =
        ContributionColumns { respondent: Some("firm".into()), holding: Some("group".into()), ..Default::default() };
    let rules = Rules {
        min_frequency: Some(2.0),
        dominance: vec![Dominance { n: 1, k: 85.0 }],
        zeros: Zeros::Safe,
        ..Rules::default()
    };
    let totals = read_contributions(&file, &columns, &rules, &by(&["Region", "Trade"])).expect("totals");
    let found = primaries(&totals);
    // X has 90 of 100 in N/A; 4 is alone in N/B; 8 contributes nothing in S/B.
    assert_eq!(found.keys().collect::<Vec<_>>(), ["N/A", "N/B", "Total/B"]);
    let (_, upper) = found["N/A"];
    assert!((upper - (100.0 / 85.0 * 90.0 - 100.0)).abs() < 1e-9);
    // The largest of 20% of 50 and 100/85 * 50 - 50.
    assert_eq!(found["N/B"], (10.0, 10.0));
    assert!(found["Total/B"].1 > 8.0 && found["Total/B"].1 < 9.0, "two contributors, one with nothing: {found:?}");
    let alone = totals.hits().iter().filter(|hit| totals.labels(hit.cell) == ["N", "B"]).count();
    assert_eq!(alone, 2);
    // Without holdings nobody dominates N/A.
    let columns = ContributionColumns { respondent: Some("firm".into()), ..Default::default() };
    let totals = read_contributions(&file, &columns, &rules, &by(&["Region", "Trade"])).expect("totals");
    assert!(!primaries(&totals).contains_key("N/A"));
    // Zeros: a range must be said, then it is all above.
    let zeros = Rules { zeros: Zeros::Primary, ..Rules::default() };
    let error =
        read_contributions(&file, &columns, &zeros, &by(&["Region", "Trade"])).expect_err("no range").to_string();
    assert!(error.contains("--zero-range"), "{error}");
    let options = TableOptions { zero_range: Some(7.0), ..by(&["Region", "Trade"]) };
    let totals = read_contributions(&file, &columns, &zeros, &options).expect("totals");
    assert_eq!(primaries(&totals), BTreeMap::from([("S/B".to_owned(), (0.0, 7.0))]));
    let fixed = Rules { zeros: Zeros::Fixed, ..Rules::default() };
    let totals = read_contributions(&file, &columns, &fixed, &options).expect("totals");
    let cell = totals.find_labels(&["S", "B"]).expect("a cell");
    assert_eq!(totals.table().cells()[cell].status, Status::Fixed);
}

#[test]
fn weights_requests_missing_labels_and_negative_values() {
    let desk = tempfile::tempdir().expect("a directory");
    let file = write(&desk, "w.csv", "R,value,w,ask\na,10,3,\na,2,1,yes\nb,-90,1,no\nb,60,1,0\n,5,1,\n");
    let weight = |missing| ContributionColumns {
        sampling_weight: Some("w".into()),
        request: Some("ask".into()),
        missing,
        ..Default::default()
    };
    let request = Rules { request: Some(5.0), ..Rules::default() };
    let error = read_contributions(&file, &weight(MissingLabels::Error), &request, &by(&["R"]))
        .expect_err("no label")
        .to_string();
    assert!(error.contains("line 6, column `R`: found no label"), "{error}");
    let totals = read_contributions(&file, &weight(MissingLabels::Label), &request, &by(&["R"])).expect("totals");
    assert_eq!((totals.table().cells()[0].value, totals.frequency(0)), (32.0, Some(4.0)));
    // 2 of 32 are 6.25%, of everything less than 5%.
    assert_eq!(primaries(&totals).keys().collect::<Vec<_>>(), ["a"]);
    let single = Rules { min_frequency: Some(2.0), ..Rules::default() };
    let totals = read_contributions(&file, &weight(MissingLabels::Label), &single, &by(&["R"])).expect("totals");
    assert_eq!(primaries(&totals).keys().collect::<Vec<_>>(), ["(missing)"]);
    let totals = read_contributions(&file, &weight(MissingLabels::Safe), &single, &by(&["R"])).expect("totals");
    assert!(primaries(&totals).is_empty());
    // By size, 90 of 150: the total -30 is no measure of who dominates.
    let dominance = Rules { dominance: vec![Dominance { n: 1, k: 50.0 }], ..Rules::default() };
    let totals = read_contributions(&file, &weight(MissingLabels::Label), &dominance, &by(&["R"])).expect("totals");
    assert!((primaries(&totals)["b"].1 - (2.0 * 90.0 - 150.0)).abs() < 1e-9);
}

/// Each hierarchy adds up to the same total, with rows that have no label in it.
#[test]
fn rows_without_a_label_belong_to_the_total_of_every_hierarchy() {
    let desk = tempfile::tempdir().expect("a directory");
    let file = write(&desk, "c.csv", "R,value\na,1\nb,2\nc,4\n,8\n");
    let hierarchy = |name: &str, text: &str| HierarchyFile { dimension: "R".into(), path: write(&desk, name, text) };
    let hierarchies = vec![hierarchy("1.hrc", "N\n@a\n@b\nS\n@c\n"), hierarchy("2.hrc", "E\n@a\nW\n@b\n@c\n")];
    let options = TableOptions { hierarchies, ..by(&["R"]) };
    for missing in [MissingLabels::Label, MissingLabels::Safe] {
        let columns = ContributionColumns { missing, ..ContributionColumns::default() };
        let totals = read_contributions(&file, &columns, &Rules::default(), &options).expect("totals");
        let cell = totals.find_labels(&["Total"]).expect("the total");
        assert!((totals.table().cells()[cell].value - 15.0).abs() < 1e-9);
        let above =
            totals.table().equations().iter().filter(|equation| equation.terms.iter().any(|(at, _)| *at == cell));
        assert_eq!(above.count(), 2);
    }
}

#[test]
fn contributions_belong_to_innermost_labels() {
    let desk = tempfile::tempdir().expect("a directory");
    let file = write(&desk, "c.csv", "R,value\nOslo,1\nNorth,2\n");
    let hierarchy = HierarchyFile { dimension: "R".into(), path: write(&desk, "r.hrc", "North\n@Oslo\nSouth\n") };
    let options = TableOptions { hierarchies: vec![hierarchy], ..by(&["R"]) };
    let error =
        read_contributions(&file, &ContributionColumns::default(), &Rules::default(), &options).expect_err("a total");
    assert!(error.to_string().contains("line 3, column `R`: `North` is a total"), "{error}");
}

#[test]
fn a_table_with_largest_contributions_is_flagged_like_its_microdata() {
    let desk = tempfile::tempdir().expect("a directory");
    let micro = write(&desk, "m.csv", "R,value\na,80\na,15\na,5\nb,40\nb,40\nb,40\n");
    let table = write(&desk, "t.csv", "R,value,freq,x1,x2\na,100,3,80,15\nb,120,3,40,40\nTotal,220,6,80,40\n");
    let rules = Rules {
        prior_posterior: vec![PriorPosterior { p: 10.0, q: 100.0, n: 1 }],
        min_frequency: Some(3.0),
        ..Rules::default()
    };
    let counted = read_contributions(&micro, &ContributionColumns::default(), &rules, &by(&["R"])).expect("totals");
    let mut options = by(&["R"]);
    options.columns.top = vec!["x1".into(), "x2".into()];
    let flagged = read_flagged(&[&table], &rules, &options).expect("totals");
    assert_eq!(primaries(&counted), primaries(&flagged));
    assert_eq!(primaries(&flagged).keys().collect::<Vec<_>>(), ["a"]);
    let error = read_flagged(&[&table], &rules, &by(&["R"])).expect_err("no largest contributions").to_string();
    assert!(error.contains("the 2 largest contributions"), "{error}");
}

/// Region below its total and subtotal.
const ABOVE: [(&str, [&str; 3]); 4] =
    [("a", ["a", "N", "Total"]), ("b", ["b", "N", "Total"]), ("c", ["c", "S", "Total"]), ("d", ["d", "S", "Total"])];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn every_cell_is_judged_as_if_counted_alone(rows in prop::collection::vec((0usize..4, 0usize..3, 0u32..50, 0u32..9), 1..40)) {
        let desk = tempfile::tempdir().expect("a directory");
        let mut text = "R,T,value,firm\n".to_owned();
        for &(region, trade, value, firm) in &rows {
            text.extend([format!("{},t{trade},{value},{firm}\n", ABOVE[region].0)]);
        }
        let file = write(&desk, "m.csv", &text);
        let hierarchy = HierarchyFile { dimension: "R".into(), path: write(&desk, "r.hrc", "N\n@a\n@b\nS\n@c\n@d\n") };
        let options = TableOptions { hierarchies: vec![hierarchy], zero_range: Some(1.0), ..by(&["R", "T"]) };
        let columns = ContributionColumns { respondent: Some("firm".into()), ..Default::default() };
        let rules = Rules { min_frequency: Some(3.0), dominance: vec![Dominance { n: 2, k: 90.5 }], ..Rules::default() };
        let totals = read_contributions(&file, &columns, &rules, &options).expect("totals");
        // The slow way: each cell from the rows that fall into it.
        let mut cells: BTreeMap<(String, String), BTreeMap<u32, f64>> = BTreeMap::new();
        for &(region, trade, value, firm) in &rows {
            for up in ABOVE[region].1 {
                for trade in [format!("t{trade}"), "Total".to_owned()] {
                    *cells.entry((up.to_owned(), trade)).or_default().entry(firm).or_default() += f64::from(value);
                }
            }
        }
        let mut expected = BTreeMap::new();
        for ((region, trade), firms) in &cells {
            let mut sizes: Vec<f64> = firms.values().copied().collect();
            sizes.sort_by(|left, right| right.total_cmp(left));
            let total: f64 = sizes.iter().sum();
            let mut upper: Option<f64> = None;
            if sizes.len() < 3 {
                upper = Some(if total == 0.0 { 1.0 } else { 0.2 * total });
            }
            let two: f64 = sizes.iter().take(2).sum();
            if two > 0.905 * total {
                upper = Some(upper.unwrap_or(0.0).max(100.0 / 90.5 * two - total));
            }
            if let Some(upper) = upper {
                expected.insert(format!("{region}/{trade}"), upper);
            }
        }
        let found = primaries(&totals);
        prop_assert_eq!(found.keys().collect::<BTreeSet<_>>(), expected.keys().collect::<BTreeSet<_>>());
        for (cell, upper) in expected {
            prop_assert!((found[&cell].1 - upper).abs() < 1e-9, "{} {} {:?}", cell, upper, found[&cell]);
        }
        prop_assert_eq!(totals.table().cells().len(), cells.len());
    }
}

#[test]
fn whoever_is_alone_in_several_cells_is_one_attacker() {
    let desk = tempfile::tempdir().expect("a directory");
    let text = "firm,group,R,T,value\n1,X,a,A,5\n2,X,a,B,6\n3,Y,b,A,7\n4,,b,A,8\n5,Z,b,B,4\n6,X,c,A,2\n7,Y,c,B,3\n";
    let file = write(&desk, "firms.csv", text);
    let columns =
        ContributionColumns { respondent: Some("firm".into()), holding: Some("group".into()), ..Default::default() };
    let rules = Rules { min_frequency: Some(3.0), ..Rules::default() };
    let options = TableOptions { singletons: Singletons::Neighbours, ..by(&["R", "T"]) };
    let totals = read_contributions(&file, &columns, &rules, &options).expect("totals");
    let known: BTreeMap<&str, BTreeSet<String>> = (totals.table().attackers().iter())
        .map(|attacker| {
            let cells = attacker.bounds.iter().map(|&(cell, lower, upper)| {
                assert_eq!((lower, upper), (totals.table().cells()[cell].value, totals.table().cells()[cell].value));
                totals.labels(cell).join("/")
            });
            (attacker.name.as_str(), cells.collect())
        })
        .collect();
    // X is alone in both cells of a, so in its total too, and in c/A.
    let set = |cells: &[&str]| cells.iter().map(|&cell| cell.to_owned()).collect::<BTreeSet<String>>();
    assert_eq!(known["the contributor of a/A and 3 more cells"], set(&["a/A", "a/B", "a/Total", "c/A"]));
    assert_eq!(known["the contributor of b/B"], set(&["b/B"]));
    assert_eq!(known["the contributor of c/B"], set(&["c/B"]));
    assert_eq!(known.len(), 3);
}

#[test]
fn what_could_not_be_judged_and_nothing_found_is_noted() {
    let desk = tempfile::tempdir().expect("a directory");
    let file = write(&desk, "table.csv", "R,T,value,freq,t1,t2\nN,a,1000,9,990,5\nN,b,5,5,1,1\nS,a,700,80,10,10\n");
    let mut options = by(&["R", "T"]);
    options.columns.top = vec!["t1".into(), "t2".into()];
    let rules = Rules { dominance: vec![Dominance { n: 1, k: 75.0 }], ..Rules::default() };
    let totals = read_flagged(&[&file], &rules, &options).expect("totals");
    let [note] = totals.notes() else { panic!("{:?}", totals.notes()) };
    assert!(note.starts_with("5 of 8 cells could not be judged by dominance, p% and p/q"), "{note}");
    assert!(note.contains("(R=Total, T=Total)"), "{note}");
    let told = |rules: &Rules| read_flagged(&[&file], rules, &options).expect("totals").notes().join(" ");
    assert!(told(&Rules::default()).contains("no cell is primary: no rule was given"));
    assert!(told(&Rules { min_frequency: Some(2.0), ..Rules::default() }).contains("no rule hits a cell"));
    let firms = write(&desk, "firms.csv", "R,value\nN,1\n,2\n");
    let error = read_contributions(&firms, &ContributionColumns::default(), &rules, &by(&["R"])).expect_err("no label");
    let error = error.to_string();
    assert!(error.contains("line 3, column `R`: found no label") && error.contains("--missing-labels"), "{error}");
}
