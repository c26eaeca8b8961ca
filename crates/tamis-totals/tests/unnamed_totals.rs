//! Totals that nobody named: they are taken for what they are, or refused.

use tamis_totals::{TableOptions, Totals, TotalsError, read_totals};

fn read(text: &str, options: &TableOptions) -> Result<Totals, TotalsError> {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("table.csv");
    std::fs::write(&path, text).expect("a file");
    read_totals(&[path], options)
}

fn sentence(text: &str) -> String {
    read(text, &TableOptions::default()).expect_err("a broken table").to_string()
}

fn named(totals: &[(&str, &str)]) -> TableOptions {
    let totals = totals.iter().map(|&(name, total)| (name.to_owned(), total.to_owned())).collect();
    TableOptions { totals, ..TableOptions::default() }
}

const LOW: &str =
    "region,branch,value,status\nN,a,10,u\nN,b,1,\nN,TOT,11,\nS,a,5,\nS,TOT,5,\nTOT,a,15,\nTOT,b,1,\nTOT,TOT,16,\n";

#[test]
fn totals_are_known_in_small_letters_and_capitals() {
    for spelled in ["total", "TOTAL", "Total"] {
        let totals = read(&LOW.replace("TOT", spelled), &TableOptions::default()).expect("a table");
        assert_eq!(totals.table().cells().len(), 8, "nothing is computed");
        assert_eq!(totals.labels(7), [spelled, spelled]);
        assert_eq!(totals.coordinates(7), [0, 0]);
        // The twin that names its total.
        let twin = read(LOW, &TableOptions { total: "TOT".to_owned(), ..TableOptions::default() }).expect("a table");
        assert_eq!(twin.table().equations(), totals.table().equations());
    }
}

#[test]
fn a_label_that_is_the_sum_of_all_others_is_asked_about() {
    let told = sentence(LOW);
    assert!(told.contains("column `region`: `TOT` is the sum of all other labels wherever it occurs"), "{told}");
    assert!(told.contains("--total region=TOT") && told.contains("--total region=Total"), "{told}");
    let told = read(LOW, &named(&[("region", "TOT")])).expect_err("one is named").to_string();
    assert!(told.contains("column `branch`: `TOT`"), "{told}");
    assert!(read(LOW, &named(&[("region", "TOT"), ("branch", "TOT")])).is_ok());
    // A real label: the user has said so.
    let real = read(LOW, &named(&[("region", "Total"), ("branch", "Total")])).expect("as told");
    assert!(real.table().cells().len() > 8);
    assert!(sentence("region,value\na,3\nb,4\nall,7\n").contains("`all` is the sum of all other labels"));
}

#[test]
fn chance_is_no_total() {
    // Two equal labels, a sum in one slice only, and a file that gives the total.
    for text in [
        "sex,region,value\nm,N,5\nf,N,5\nm,S,7\nf,S,7\n",
        "r,b,value\nx,a,1\nx,b,2\nx,c,3\ny,a,1\ny,b,2\ny,c,4\n",
        "r,value\na,3\nb,4\nc,7\nTotal,14\n",
        "r,value\na,7\nb,7\n",
    ] {
        assert!(read(text, &TableOptions::default()).is_ok(), "{text}");
    }
}

#[test]
fn subtotals_without_a_hierarchy_are_asked_about() {
    let mut text = "region,branch,value\n".to_owned();
    for (branch, [east, west, south]) in [("a", [1, 2, 9]), ("b", [4, 8, 5]), ("c", [6, 1, 7]), ("d", [3, 3, 2])] {
        for (region, value) in [("East", east), ("West", west), ("North", east + west), ("South", south)] {
            text.extend([format!("{region},{branch},{value}\n")]);
        }
    }
    let told = sentence(&text);
    assert!(told.contains("`North` is the sum of the labels from `East` to `West`"), "{told}");
    assert!(told.contains("--hierarchy region=FILE") && told.contains("--total region=Total"), "{told}");
    assert!(read(&text, &named(&[("region", "Total")])).is_ok());
}

#[test]
fn sums_that_are_too_large_speak_of_hierarchies_first() {
    let told = sentence("region,value\nEast,1\nWest,2\nNorth,3\nSouth,0\nTotal,3\n");
    let (hierarchy, leave) = (told.find("--hierarchy region=FILE"), told.find("leave totals out"));
    assert!(told.contains("that is 2 times as much"), "{told}");
    assert!(hierarchy.is_some() && hierarchy < leave, "{told}");
    assert!(!sentence("region,value\nEast,1\nWest,2\nTotal,4\n").contains("--hierarchy"));
}
