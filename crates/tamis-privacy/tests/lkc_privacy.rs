//! LKC-privacy against its definition: every combination of at most L columns, row by row.

use crate::rows;

use proptest::prelude::*;
use rows::{Requirement, View, check, failing_at_once, figure_2_after, figure_2_before, refusal, rows};
use tamis_privacy::{Parameters, QuasiFacts, TableFacts, Value, bind};

fn lkc(l: i64, k: i64, c: f64) -> Requirement {
    Requirement::new("lkc-privacy", &[("l", l.into()), ("k", k.into()), ("c", c.into())])
}

/// All sets of columns but the empty one, up to a size.
fn combinations(columns: usize, most: usize) -> Vec<Vec<String>> {
    (1u32..1 << columns)
        .filter(|chosen| chosen.count_ones() as usize <= most)
        .map(|chosen| (0..columns).filter(|&j| chosen >> j & 1 == 1).map(|j| format!("q{j}")).collect())
        .collect()
}

fn holds(view: &View<'_>, l: i64, k: i64, tenths: usize) -> bool {
    combinations(view.levels.len(), l as usize).iter().all(|columns| {
        let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
        view.kept.iter().all(|&row| {
            let group = view.alike(row, &columns);
            let disease = view.text(row, "disease");
            let same = group.iter().filter(|&&other| view.text(other, "disease") == disease).count();
            group.len() >= k as usize && 10 * same <= tenths * group.len()
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_group_by_at_most_l_columns_is_large_and_uncertain(
        table in rows(), choices in any::<(u64, u64, u64)>(), l in 1i64..5, k in 1i64..5, tenths in 1usize..=10,
    ) {
        prop_assume!(k as usize <= table.quasi.len());
        check(&table, &lkc(l, k, tenths as f64 / 10.0), choices, |view| holds(view, l, k, tenths));
    }

    /// With all quasi-identifiers known and any confidence allowed, it is k-anonymity.
    #[test]
    fn all_columns_and_no_confidence_is_k_anonymity(table in rows(), choices in any::<(u64, u64, u64)>(), k in 1i64..5) {
        prop_assume!(k as usize <= table.quasi.len());
        check(&table, &lkc(99, k, 1.0), choices, |view| {
            view.kept.iter().all(|&row| view.class(row).len() >= k as usize)
        });
    }
}

#[test]
fn paper_figure_2_confidence_is_three_quarters_and_then_one_quarter() {
    let failing = |table, c| failing_at_once(&table, &lkc(1, 4, c));
    assert_eq!([failing(figure_2_before(), 0.75), failing(figure_2_before(), 0.74)], [0, 1]);
    assert_eq!([failing(figure_2_after(), 0.25), failing(figure_2_after(), 0.24)], [0, 1]);
}

#[test]
fn bad_parameters_are_told() {
    let table = figure_2_before();
    let said = |parameters: &[(&str, Value)]| refusal(&table, "lkc-privacy", parameters);
    let all = |l: i64, k: i64, c: f64| said(&[("l", l.into()), ("k", k.into()), ("c", c.into())]);
    assert!(all(0, 2, 0.5).contains("`l` is 0; expected a whole number of at least 1"));
    assert!(all(1, 0, 0.5).contains("`k` is 0"));
    assert!(all(1, 10, 0.5).contains("k = 10 is more than the 9 rows"));
    assert!(all(1, 2, 1.5).contains("`c` is 1.5"));
    assert!(said(&[("l", 1.into()), ("k", 2.into())]).contains("needs the parameter `c`"));
    let other = [("l", 1.into()), ("k", 2.into()), ("c", 0.5.into()), ("attribute", "job".into())];
    assert!(said(&other).contains("the sensitive attributes are `disease`"));
}

#[test]
fn what_needs_too_many_combinations_or_people_with_several_rows_is_refused() {
    let quasi = |j: usize| QuasiFacts { name: format!("q{j}"), ..QuasiFacts::default() };
    let facts = TableFacts { quasi: (0..40).map(quasi).collect(), ..TableFacts::of_rows(9) };
    let parameters = Parameters::from([("l", 20.into()), ("k", 2.into()), ("c", 1.into())]);
    let said = bind("lkc-privacy", &parameters, &facts).unwrap_err().to_string();
    assert!(said.contains("20 of 40 quasi-identifiers can be chosen in 137846528820 ways"), "{said}");
    let people = TableFacts { has_entity: true, ..TableFacts::of_rows(9) };
    let said = bind("lkc-privacy", &parameters, &people).unwrap_err().to_string();
    assert!(said.contains("counts rows"), "{said}");
}
