//! Anatomy against figure 6 and against its definition.

use crate::desk;

use desk::{
    Memory, apply, apply_with, cells, counts, figure_6_generalized, figure_6_table, header, lines, names, refusal, rows,
};
use proptest::prelude::*;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;
use std::collections::BTreeMap;
use tamis_transform::kinds::anatomize::Anatomize;
use tamis_transform::{Input, NoFiles, Transformation};

fn figure_6() -> Anatomize {
    Anatomize {
        sensitive: "Choroba".to_owned(),
        groups_from: Some("T'".to_owned()),
        group_by: names(&["Płeć", "Zawód", "Województwo"]),
        group_column: "IG".to_owned(),
        count_column: "Ilość".to_owned(),
        ..Anatomize::default()
    }
}

#[test]
fn paper_figure_6_anatomized() {
    let files = Memory { tables: [("T'", figure_6_generalized())].into(), ..Memory::default() };
    let output = apply_with(&figure_6(), &figure_6_table(), 1, &files).expect("the figure");
    let [quasi, sensitive] = [0, 1].map(|at| &output.tables[at]);
    assert_eq!((quasi.name, header(&quasi.table).as_str()), ("quasi", "Płeć,Zawód,Miasto,IG"));
    assert_eq!(
        rows(&quasi.table),
        [
            "M,Inżynier,Kraków,1",
            "M,Inżynier,Kraków,1",
            "M,Inżynier,Kraków,1",
            "M,Inżynier,Kraków,1",
            "M,Malarz,Opole,2",
            "M,Malarz,Opole,2",
            "K,Śpiewak,Brzeg,2",
            "K,Tancerz,Brzeg,2",
            "M,Muzyk,Brzeg,2",
        ]
    );
    assert_eq!((sensitive.name, header(&sensitive.table).as_str()), ("sensitive", "IG,Choroba,Ilość"));
    assert_eq!(rows(&sensitive.table), ["1,AIDS,3", "1,Grypa,1", "2,AIDS,2", "2,Grypa,1", "2,Nowotwór,2"]);
    assert!(output.tables.iter().all(|made| !made.is_secret));
}

#[test]
fn groups_of_the_caller_are_numbered_as_they_appear() {
    let table = lines("q,w", &["a,x", "b,y", "c,x"]);
    let step = Anatomize { sensitive: "w".to_owned(), ..Anatomize::default() };
    let mut dice = ChaCha20Rng::seed_from_u64(1);
    let output = step.apply(Input { table: &table, groups: Some(&[7, 2, 7]), dice: &mut dice, files: &NoFiles });
    let tables: Vec<Vec<String>> = output.expect("groups").tables.iter().map(|made| rows(&made.table)).collect();
    assert_eq!(tables, [vec!["a,1", "b,2", "c,1"], vec!["1,x,2", "2,y,1"]]);
}

#[test]
fn numbers_are_sorted_as_numbers() {
    let table = lines("q,w", &["a,10", "a,9", "a,100"]);
    let step = Anatomize { sensitive: "w".to_owned(), group_by: names(&["q"]), ..Anatomize::default() };
    let output = apply(&step, &table, 1).expect("one group");
    assert_eq!(rows(&output.tables[1].table), ["1,9,1", "1,10,1", "1,100,1"]);
}

#[test]
fn a_value_in_more_than_one_row_in_l_makes_groups_impossible() {
    let table = lines("q,w", &["a,x", "b,y", "c,x", "d,z", "e,x"]);
    let step = |l| Anatomize { sensitive: "w".to_owned(), l: Some(l), ..Anatomize::default() };
    let said = refusal(apply(&step(2), &table, 1));
    let expected = "`anatomize` cannot be done: `x` is in 3 of 5 rows, which is more than one in 2; \
         no `l` would do, so generalize or remove some of these rows";
    assert_eq!(said, (expected.to_owned(), true));
    let table_of_three = lines("q,w", &["a,x", "b,y", "c,x", "d,z", "e,u", "f,v"]);
    let said = refusal(apply(&step(4), &table_of_three, 1)).0;
    assert!(said.contains("`x` is in 2 of 6 rows") && said.ends_with("`l` can be at most 3"), "{said}");
    assert!(apply(&step(3), &table_of_three, 1).is_ok(), "what is advised can be done");
    let said = refusal(apply(&step(2), &lines("q,w", &["a,", "b,y", "c,"]), 1)).0;
    assert!(said.contains("a missing value is in 2 of 3 rows"), "{said}");
    assert!(!refusal(apply(&step(1), &table, 1)).1);
}

#[test]
fn bad_parameters_are_told() {
    let table = figure_6_table();
    let said = |step: Anatomize| refusal(apply(&step, &table, 1)).0;
    assert!(said(Anatomize { groups_from: None, group_by: vec![], ..figure_6() }).contains("`group_by` is not given"));
    assert!(said(Anatomize { group_by: vec![], ..figure_6() }).contains("of the `groups_from` file"));
    assert!(said(Anatomize { l: Some(2), ..figure_6() }).contains("either `l` or groups"));
    assert!(said(Anatomize { quasi: names(&["Choroba"]), ..figure_6() }).contains("the sensitive `Choroba`"));
    assert!(said(Anatomize { sensitive: String::new(), ..figure_6() }).contains("`sensitive` is not given"));
    assert_eq!(said(figure_6()), "no table T'");
    let files = Memory { tables: [("T'", lines("Płeć", &["*"]))].into(), ..Memory::default() };
    let short = refusal(apply_with(&figure_6(), &table, 1, &files)).0;
    assert!(short.contains("T' has 1 rows where the table has 9"), "{short}");
    let clash =
        Anatomize { group_by: names(&["Miasto"]), groups_from: None, group_column: "Zawód".to_owned(), ..figure_6() };
    assert!(said(clash).contains("two columns are called `Zawód`"));
}

proptest! {
    /// Counts per group are what counting the rows of the quasi-identifier table gives, whatever the groups.
    #[test]
    fn both_tables_together_have_every_row(people in prop::collection::vec((0u8..4, 0u8..4), 0..40)) {
        let texts: Vec<String> = people.iter().map(|(q, w)| format!("q{q},w{w}")).collect();
        let table = lines("q,w", &texts);
        let step = Anatomize { sensitive: "w".to_owned(), group_by: names(&["q"]), ..Anatomize::default() };
        let output = apply(&step, &table, 1).expect("given groups");
        let (quasi, sensitive) = (&output.tables[0].table, &output.tables[1].table);
        prop_assert_eq!(cells(quasi, "q"), cells(&table, "q"));
        let expected = counts(cells(quasi, "group").into_iter().zip(cells(&table, "w")));
        let counted: BTreeMap<(String, String), usize> = cells(sensitive, "group")
            .into_iter()
            .zip(cells(sensitive, "w"))
            .zip(cells(sensitive, "count"))
            .map(|(key, count)| (key, count.parse().expect("a count")))
            .collect();
        prop_assert_eq!(counted, expected);
    }

    /// Groups exist exactly if no value is in more than one row in l; each then has l values or more, none of them twice.
    #[test]
    fn groups_of_l_values_are_as_xiao_and_tao_define_them(
        values in prop::collection::vec(0u8..6, 1..60), l in 2usize..5, seed: u64
    ) {
        let texts: Vec<String> = values.iter().enumerate().map(|(n, w)| format!("p{n},w{w}")).collect();
        let table = lines("q,w", &texts);
        let step = Anatomize { sensitive: "w".to_owned(), l: Some(l), ..Anatomize::default() };
        let is_eligible = counts(values.iter()).values().all(|&count| count * l <= values.len());
        match apply(&step, &table, seed) {
            Err(error) => prop_assert!(error.is_refusal() && !is_eligible),
            Ok(output) => {
                prop_assert!(is_eligible);
                let sensitive = &output.tables[1].table;
                prop_assert!(cells(sensitive, "count").iter().all(|count| count == "1"));
                prop_assert!(counts(cells(sensitive, "group")).values().all(|&size| size >= l));
                prop_assert_eq!(counts(cells(sensitive, "w")), counts(cells(&table, "w")));
                // No row is left to a group of its own: there are as many groups as there can be.
                prop_assert_eq!(counts(cells(sensitive, "group")).len(), values.len() / l);
            }
        }
    }
}
