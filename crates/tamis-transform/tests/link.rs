//! Linking tables and joining them: nothing is lost, and nothing of the link shows in the released tables.

use crate::desk;

use desk::{Memory, apply, apply_with, cells, counts, figure_6_table, header, lines, names, refusal, rows};
use proptest::prelude::*;
use std::collections::BTreeSet;
use tamis_table::Table;
use tamis_transform::kinds::join::Join;
use tamis_transform::kinds::link::Link;
use tamis_transform::{Output, TransformError};

fn linked(table: &Table, id: Option<&str>, sensitive: &[&str], seed: u64) -> Output {
    let step = Link { sensitive: names(sensitive), id: id.map(str::to_owned), ..Link::default() };
    apply(&step, table, seed).expect("a table that can be split")
}

/// The three tables as files, and the first of them.
fn files(output: Output) -> (Table, Memory) {
    let [first, second, third] = output.tables.try_into().expect("three tables");
    (first.table, Memory { tables: [("T2", second.table), ("T3", third.table)].into(), ..Memory::default() })
}

fn join(id: &str, columns: &[&str]) -> Join {
    Join {
        link: "T3".to_owned(),
        sensitive: "T2".to_owned(),
        id: id.to_owned(),
        columns: names(columns),
        ..Join::default()
    }
}

#[test]
fn paper_section_3_1_intermediate_tables() {
    let output = linked(&figure_6_table(), None, &["Choroba"], 1);
    let made: Vec<(&str, String, bool)> =
        output.tables.iter().map(|made| (made.name, header(&made.table), made.is_secret)).collect();
    assert_eq!(
        made,
        [
            ("quasi", "ID,Płeć,Zawód,Miasto".to_owned(), false),
            ("sensitive", "IDP,Choroba".to_owned(), false),
            ("link", "ID,IDP".to_owned(), true),
        ]
    );
    let [first, second, third] = [0, 1, 2].map(|at| &output.tables[at].table);
    assert_eq!(rows(first)[6], "7,K,Śpiewak,Brzeg");
    let ordered: Vec<String> = (1..=9).map(|number: usize| number.to_string()).collect();
    assert_eq!(cells(second, "IDP"), ordered, "the order of T2 tells nothing");
    assert_eq!(counts(cells(second, "Choroba")), counts(cells(&figure_6_table(), "Choroba")));
    assert_eq!(cells(third, "ID"), ordered);
    assert_eq!(cells(third, "IDP").into_iter().collect::<BTreeSet<_>>(), ordered.into_iter().collect());
}

#[test]
fn every_arrangement_of_secret_ids_occurs() {
    let table = lines("id,w", &["a,1", "b,2", "c,3"]);
    let arrangement = |seed| cells(&linked(&table, Some("id"), &["w"], seed).tables[2].table, "IDP").concat();
    let met = counts((0..600).map(arrangement));
    assert_eq!(met.len(), 6);
    assert!(met.values().all(|&times| times > 60), "{met:?}");
}

#[test]
fn ids_must_be_there_and_differ() {
    let step = |id: &str| Link { sensitive: names(&["w"]), id: Some(id.to_owned()), ..Link::default() };
    let table = lines("id,twice,w", &["a,x,1", ",y,2", "c,x,3"]);
    let said = refusal(apply(&step("id"), &table, 1));
    assert_eq!(said, ("`link`: row 2 of the table has no `id`; every row needs one".to_owned(), false));
    let said = refusal(apply(&step("twice"), &table, 1)).0;
    assert_eq!(said, "`link`: rows 1 and 3 of the table both have `x` as `twice`; every row needs its own");
    assert!(refusal(apply(&step("w"), &table, 1)).0.contains("sensitive too"));
    assert!(refusal(apply(&step("nobody"), &table, 1)).0.contains("there is no column `nobody`"));
    let clash = Link { sensitive: names(&["w"]), new_id: "twice".to_owned(), ..Link::default() };
    assert!(refusal(apply(&clash, &table, 1)).0.contains("which the table already has"));
}

#[test]
fn tables_that_do_not_belong_together_are_refused() {
    let table = lines("ID,q,w", &["a,x,1", "b,y,2"]);
    let said = |change: fn(&mut Memory)| {
        let (first, mut memory) = files(linked(&table, Some("ID"), &["w"], 1));
        change(&mut memory);
        refusal(apply_with(&join("ID", &[]), &first, 0, &memory)).0
    };
    let unknown = said(|memory| drop(memory.tables.insert("T3", lines("ID,IDP", &["a,1", "c,2"]))));
    assert_eq!(unknown, "`join`: `b` as `ID` in row 2 of the table is not in T3; the tables must come from one `link`");
    let extra = said(|memory| drop(memory.tables.insert("T3", lines("ID,IDP", &["a,1", "b,2", "c,3"]))));
    assert_eq!(extra, "`join`: `c` as `ID` in row 3 of T3 is not in the table; the tables must come from one `link`");
    let repeated = said(|memory| drop(memory.tables.insert("T3", lines("ID,IDP", &["a,1", "b,1"]))));
    assert!(repeated.contains("rows 1 and 2 of T3 both have `1` as `IDP`"), "{repeated}");
    let missing = said(|memory| drop(memory.tables.insert("T2", lines("IDP,w", &["1,x", ",y"]))));
    assert!(missing.contains("row 2 of T2 has no `IDP`"), "{missing}");
    let orphan = said(|memory| drop(memory.tables.insert("T2", lines("IDP,w", &["1,x", "2,y", "3,z"]))));
    assert!(orphan.contains("`3` as `IDP` in row 3 of T2 is not in T3"), "{orphan}");
    let column = said(|memory| drop(memory.tables.insert("T2", lines("other,w", &["1,x", "2,y"]))));
    assert!(column.starts_with("T2: there is no column `IDP`"), "{column}");
    assert_eq!(said(|memory| drop(memory.tables.remove("T2"))), "no table T2");
}

proptest! {
    #[test]
    fn joining_undoes_linking(cells in prop::collection::vec((0u8..5, 0u8..3, 0u8..3), 0..40), seed: u64, with_id: bool) {
        let texts: Vec<String> = cells.iter().enumerate().map(|(n, (q, w, v))| format!("p{n},{w},q{q},{v}")).collect();
        // Sensitive columns lie on both sides of a quasi-identifier: the order of columns must come back too.
        let table = lines("name,w,q,v", &texts);
        let id = if with_id { Some("name") } else { None };
        let (first, memory) = files(linked(&table, id, &["w", "v"], seed));
        let joined = apply_with(&join(id.unwrap_or("ID"), &["name", "w", "q", "v"]), &first, 0, &memory);
        let joined: Result<Vec<Table>, TransformError> = joined.map(|output| output.tables.into_iter().map(|made| made.table).collect());
        prop_assert_eq!(joined.ok(), Some(vec![table]));
    }
}
