//! Permutation against figure 7, and groups for (k,e)-anonymity against their definition.

use crate::desk;

use desk::{Memory, apply, apply_with, cells, counts, figure_6_generalized, lines, names, refusal, rows};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use tamis_table::Table;
use tamis_transform::kinds::permute::Permute;

/// Table T of figure 7.
///
/// Erratum: its seventh row is an engineer (Inżynier) where figure 6, whose table T' both share, has a singer (Śpiewak); T' calls the
/// row artistic, so figure 6 is right. Groups are those of T' and do not depend on it.
fn figure_7_table() -> Table {
    lines(
        "Płeć,Zawód,Miasto,Choroba",
        &[
            "M,Inżynier,Kraków,AIDS",
            "M,Inżynier,Kraków,AIDS",
            "M,Inżynier,Kraków,Grypa",
            "M,Inżynier,Kraków,AIDS",
            "M,Malarz,Opole,Nowotwór",
            "M,Malarz,Opole,Grypa",
            "K,Inżynier,Brzeg,Nowotwór",
            "K,Tancerz,Brzeg,AIDS",
            "M,Muzyk,Brzeg,AIDS",
        ],
    )
}

/// The other source of figure 7.
fn figure_7_names() -> Table {
    lines(
        "Płeć,Zawód,Miasto,Nazwisko",
        &["M,Inżynier,Kalisz,Kowalski", "K,Tancerz,Brzeg,Nowak", "K,Malarz,Kraków,Jagiel", "M,Inżynier,Kraków,Osowski"],
    )
}

/// The diseases that joining on the quasi-identifiers links with each name.
fn join(table: &Table) -> BTreeMap<String, BTreeSet<String>> {
    let key =
        |row: &str| row.rsplit_once(',').map(|(key, last)| (key.to_owned(), last.to_owned())).expect("four cells");
    let mut linked: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (person, name) in rows(&figure_7_names()).iter().map(|row| key(row)) {
        for (_, disease) in rows(table).iter().map(|row| key(row)).filter(|(quasi, _)| *quasi == person) {
            linked.entry(name.clone()).or_default().insert(disease);
        }
    }
    linked
}

fn figure_7_groups() -> Memory {
    Memory { tables: [("T'", figure_6_generalized())].into(), ..Memory::default() }
}

fn figure_7_step() -> Permute {
    Permute {
        columns: names(&["Choroba"]),
        groups_from: Some("T'".to_owned()),
        group_by: names(&["Płeć", "Zawód", "Województwo"]),
        ..Permute::default()
    }
}

#[test]
fn paper_figure_7_permuted() {
    let before = join(&figure_7_table());
    // K, Tancerz, Brzeg, Nowak, AIDS: the one row disclosed. Osowski is one of four engineers of two diseases.
    assert_eq!(before["Nowak"], BTreeSet::from(["AIDS".to_owned()]));
    assert_eq!(before["Osowski"].len(), 2);
    assert_eq!(before.len(), 2);

    let groups = cells(&figure_6_generalized(), "Zawód");
    let histogram = |table: &Table| counts(groups.iter().cloned().zip(cells(table, "Choroba")));
    let quasi = |table: &Table| ["Płeć", "Zawód", "Miasto"].map(|name| cells(table, name));
    let mut nowak: BTreeMap<String, usize> = BTreeMap::new();
    let seeds = 1000;
    for seed in 0..seeds {
        let output = apply_with(&figure_7_step(), &figure_7_table(), seed, &figure_7_groups()).expect("the figure");
        let after = &output.tables[0].table;
        assert_eq!(histogram(after), histogram(&figure_7_table()));
        assert_eq!(quasi(after), quasi(&figure_7_table()));
        for disease in &join(after)["Nowak"] {
            *nowak.entry(disease.clone()).or_default() += 1;
        }
    }
    // All that is told about Nowak is the distribution of the group: two in five, one in five, two in five.
    for (disease, share) in [("AIDS", 0.4), ("Grypa", 0.2), ("Nowotwór", 0.4)] {
        let found = nowak[disease] as f64 / seeds as f64;
        assert!((found - share).abs() < 0.06, "{disease}: {found}");
    }
}

#[test]
fn columns_are_permuted_together_or_each_by_itself() {
    let people: Vec<String> = (0..30).map(|n| format!("g,{n},{n}")).collect();
    let table = lines("group,a,b", &people);
    let step =
        |together| Permute { columns: names(&["a", "b"]), together, group_by: names(&["group"]), ..Permute::default() };
    let permuted = |together| apply(&step(together), &table, 3).expect("a group").tables.remove(0).table;
    assert_eq!(cells(&permuted(true), "a"), cells(&permuted(true), "b"));
    assert_ne!(cells(&permuted(true), "a"), cells(&table, "a"));
    assert_ne!(cells(&permuted(false), "a"), cells(&permuted(false), "b"));
}

#[test]
fn groups_of_one_are_told() {
    let table = lines("q,w", &["a,1", "b,2", "b,3"]);
    let step = Permute { columns: names(&["w"]), group_by: names(&["q"]), ..Permute::default() };
    let output = apply(&step, &table, 1).expect("groups");
    assert_eq!(output.notes, ["1 of 2 groups have one row, which keeps its values"]);
}

fn by(column: &str, k: usize, e: f64) -> Permute {
    Permute { by: Some(column.to_owned()), k: Some(k), e: Some(e), ..Permute::default() }
}

#[test]
fn bad_parameters_are_told() {
    let table = lines("q,pay", &["a,10", "b,20", "c,x"]);
    let said = |step: Permute| refusal(apply(&step, &table, 1));
    assert!(said(Permute::default()).0.contains("`columns` is not given"));
    assert!(said(Permute { columns: names(&["q"]), ..Permute::default() }).0.contains("`group_by` is not given"));
    assert!(said(by("pay", 2, 1.0)).0.contains("row 3 of `pay` is `x`"));
    assert!(said(by("q", 0, 1.0)).0.contains("`k` is 0"));
    assert!(said(by("q", 2, f64::NAN)).0.contains("`e` is NaN"));
    assert!(said(Permute { k: None, ..by("q", 2, 1.0) }).0.contains("`k` is not given"));
    assert!(said(Permute { by: None, columns: names(&["q"]), ..by("q", 2, 1.0) }).0.contains("`by` is not given"));
    assert!(said(Permute { group_by: names(&["q"]), ..by("q", 2, 1.0) }).0.contains("either `by` or groups"));
    let table = lines("pay", &["10", "20", "20"]);
    let said = refusal(apply(&by("pay", 2, 15.0), &table, 1));
    let expected = "`permute` cannot be done: `pay` has 2 different values that span 10 in the whole table, \
                    where each group needs 2 that span 15";
    assert_eq!(said, (expected.to_owned(), true));
}

/// Whether sorted numbers can be cut into `groups` runs with `k` different numbers that span `e` each, by trying every cut.
fn can_be_cut(sorted: &[i32], groups: usize, k: usize, e: i32) -> bool {
    let holds = |run: &[i32]| {
        run.iter().collect::<BTreeSet<_>>().len() >= k
            && run.last().zip(run.first()).is_some_and(|(last, first)| last - first >= e)
    };
    match groups {
        1 => holds(sorted),
        _ => (1..sorted.len()).any(|end| holds(&sorted[..end]) && can_be_cut(&sorted[end..], groups - 1, k, e)),
    }
}

proptest! {
    /// Formed groups cannot be seen in the result but through what stays in place: the rows that exchange values over many seeds.
    #[test]
    fn groups_for_k_e_are_valid_and_as_many_as_possible(
        pay in prop::collection::vec(0i32..12, 1..11), k in 1usize..4, e in 0i32..6
    ) {
        let texts: Vec<String> = pay.iter().map(ToString::to_string).collect();
        let table = lines("pay", &texts);
        let mut sorted = pay.clone();
        sorted.sort_unstable();
        let most = (1..=pay.len()).rev().find(|&groups| can_be_cut(&sorted, groups, k, e));
        let Some(most) = most else {
            prop_assert!(refusal(apply(&by("pay", k, f64::from(e)), &table, 0)).1);
            return Ok(());
        };
        // A copy of each row's number tells where the permuted ones come from.
        let marked: Vec<String> = pay.iter().enumerate().map(|(row, pay)| format!("{row},{pay}")).collect();
        let marked = lines("row,pay", &marked);
        let step = Permute { columns: names(&["row"]), ..by("pay", k, f64::from(e)) };
        let mut together: Vec<BTreeSet<usize>> = (0..pay.len()).map(|row| BTreeSet::from([row])).collect();
        for seed in 0..200 {
            let output = apply(&step, &marked, seed).expect("a permutation");
            for (row, source) in cells(&output.tables[0].table, "row").iter().enumerate() {
                together[row].insert(source.parse().expect("a row"));
            }
        }
        let groups: BTreeSet<&BTreeSet<usize>> = together.iter().collect();
        prop_assert_eq!(groups.len(), most);
        for group in groups {
            let values: BTreeSet<i32> = group.iter().map(|&row| pay[row]).collect();
            prop_assert!(values.len() >= k);
            prop_assert!(values.last().zip(values.first()).is_some_and(|(last, first)| last - first >= e));
        }
    }
}
