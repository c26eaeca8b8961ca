//! Rotating synonyms against figure 2 and against what it promises.

use crate::desk;

use desk::{Memory, apply, apply_with, cells, counts, figure_6_generalized, lines, names, refusal};
use proptest::prelude::*;
use tamis_table::Table;
use tamis_transform::kinds::rotate_synonyms::RotateSynonyms;

/// The sets Y1, Y2, Y3 of figure 2.
fn figure_2_sets() -> Table {
    lines("Y1,Y2,Y3", &["AIDS,Test A pozytywny,Choroba A", "Grypa,Choroba G,G zakażenie", "Nowotwór,Choroba N,NN"])
}

fn figure_2_step() -> RotateSynonyms {
    RotateSynonyms {
        column: "Choroba".to_owned(),
        synonyms_from: Some("Y".to_owned()),
        group_by: names(&["Płeć", "Zawód", "Województwo"]),
        ..RotateSynonyms::default()
    }
}

/// The second row of AIDS in the second group is printed as Choroba A (Y3), although Test A pozytywny (Y2) is free, while the second
/// row of Nowotwór beside it is printed as Choroba N (Y2). Turns that depend on a value's own occurrences alone cannot give both;
/// taking the set that the group has used least does, so the figure needs no correction.
#[test]
fn paper_figure_2_corrected_table() {
    let files = Memory { tables: [("Y", figure_2_sets())].into(), ..Memory::default() };
    let table = figure_6_generalized();
    let output = apply_with(&figure_2_step(), &table, 1, &files).expect("the figure");
    let corrected = &output.tables[0].table;
    assert_eq!(
        cells(corrected, "Choroba"),
        ["AIDS", "Test A pozytywny", "Grypa", "Choroba A", "Nowotwór", "Grypa", "Choroba N", "AIDS", "Choroba A"]
    );
    let share = |table: &Table| cells(table, "Choroba")[..4].iter().filter(|cell| *cell == "AIDS").count() as f64 / 4.0;
    assert_eq!((share(&table), share(corrected)), (0.75, 0.25), "the probability of AIDS in the first group");
}

fn inline(rows: &[&[&str]]) -> RotateSynonyms {
    let synonyms = rows.iter().map(|row| names(row)).collect();
    RotateSynonyms { column: "w".to_owned(), synonyms, group_by: names(&["q"]), ..RotateSynonyms::default() }
}

#[test]
fn bad_synonyms_are_told() {
    let table = lines("q,w", &["a,x", "a,y", "a,"]);
    let said = |step: RotateSynonyms| refusal(apply(&step, &table, 1)).0;
    let unlisted = said(inline(&[&["x", "x2"]]));
    assert_eq!(unlisted, "`rotate-synonyms`: `y` in row 2 of `w` has no synonyms; add a row for it");
    assert!(said(inline(&[&["x", "x2"], &["y"]])).contains("1 in row 2; expected 2 synonyms"));
    assert!(said(inline(&[&["x"], &["y"]])).contains("expected 2 synonyms"));
    assert!(said(inline(&[&["x", "x2"], &["y", ""]])).contains("without a value in row 2, set 2"));
    assert!(said(inline(&[&["x", "z"], &["y", "z"]])).contains("`z` in row 1 and again in row 2"));
    assert!(said(inline(&[])).contains("`synonyms_from` is not given"));
    assert!(
        said(RotateSynonyms { synonyms_from: Some("f".to_owned()), ..inline(&[&["x", "y"]]) })
            .contains("one of the two")
    );
    assert!(said(RotateSynonyms { group_by: vec![], ..inline(&[&["x", "x2"], &["y", "y2"]]) }).contains("`group_by`"));
    assert!(said(RotateSynonyms { column: String::new(), ..inline(&[]) }).contains("`column` is not given"));
}

#[test]
fn a_missing_value_stays_missing() {
    let table = lines("q,w", &["a,x", "a,", "a,x", "a,"]);
    let output = apply(&inline(&[&["x", "x2"]]), &table, 1).expect("synonyms");
    assert_eq!(cells(&output.tables[0].table, "w"), ["x", "", "x2", ""]);
}

proptest! {
    /// Meanings never change, and in every group the synonyms of a meaning are used equally often, give or take one.
    #[test]
    fn synonyms_take_turns(people in prop::collection::vec((0u8..3, 0u8..3), 0..60), sets in 2usize..5) {
        let synonyms: Vec<Vec<String>> = (0..3).map(|w| (0..sets).map(|set| format!("w{w}-{set}")).collect()).collect();
        let texts: Vec<String> = people.iter().map(|(q, w)| format!("{q},w{w}-{}", usize::from(*w) % sets)).collect();
        let table = lines("q,w", &texts);
        let step = RotateSynonyms { synonyms, ..inline(&[]) };
        let output = apply(&step, &table, 1).expect("synonyms");
        let after = cells(&output.tables[0].table, "w");
        let meaning = |text: &String| text.split('-').next().map(str::to_owned);
        prop_assert_eq!(
            after.iter().map(meaning).collect::<Vec<_>>(),
            cells(&table, "w").iter().map(meaning).collect::<Vec<_>>()
        );
        let used = counts(cells(&table, "q").into_iter().zip(after));
        for q in 0..3 {
            for w in 0..3 {
                let times = |set: usize| used.get(&(q.to_string(), format!("w{w}-{set}"))).copied().unwrap_or(0);
                let all: Vec<usize> = (0..sets).map(times).collect();
                prop_assert!(all.iter().max().unwrap_or(&0) - all.iter().min().unwrap_or(&0) <= 1, "{:?}", all);
            }
        }
    }
}
