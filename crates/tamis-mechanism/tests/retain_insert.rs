//! (d, gamma)-privacy: the posterior beliefs of an attacker by enumeration of all tables over small domains, and the release itself.

use proptest::prelude::*;
use std::collections::BTreeMap;
use tamis_mechanism::retain_insert::RetainInsert;
use tamis_mechanism::{ColumnDomain, Dice, Domain, Ratio};
use tamis_table::{ColumnBuilder, Table};

fn ratio(text: &str) -> Ratio {
    text.parse().expect("a number")
}

fn private(d: &str, gamma: &str) -> RetainInsert {
    RetainInsert::private(ratio(d), ratio(gamma)).expect("probabilities")
}

/// P(view | table) for sets of tuples as bits.
fn view_probability(chosen: &RetainInsert, table: u32, view: u32, tuples: u32) -> f64 {
    (0..tuples)
        .map(|tuple| {
            let seen = if table >> tuple & 1 == 1 { chosen.retain } else { chosen.beta }.to_f64();
            if view >> tuple & 1 == 1 { seen } else { 1.0 - seen }
        })
        .product()
}

/// The posterior of every tuple given a view, by Bayes' rule over all tables.
fn posteriors(chosen: &RetainInsert, priors: &[f64], view: u32) -> Vec<f64> {
    let tuples = u32::try_from(priors.len()).expect("few");
    let mut of_tuple = vec![0.0; priors.len()];
    let mut of_view = 0.0;
    for table in 0..1_u32 << tuples {
        let is_in = |tuple: usize| table >> tuple & 1 == 1;
        let prior: f64 = priors.iter().enumerate().map(|(t, p)| if is_in(t) { *p } else { 1.0 - p }).product();
        let joint = prior * view_probability(chosen, table, view, tuples);
        of_view += joint;
        of_tuple.iter_mut().enumerate().filter(|(tuple, _)| is_in(*tuple)).for_each(|(_, sum)| *sum += joint);
    }
    of_tuple.iter().map(|joint| joint / of_view).collect()
}

#[test]
fn no_attacker_with_small_priors_learns_more_than_gamma_or_less_than_its_share() {
    for (d, gamma) in [("0.1", "0.5"), ("0.01", "0.2"), ("0.3", "0.31"), ("0.5", "0.9"), ("0.001", "0.9")] {
        let chosen = private(d, gamma);
        let (d, gamma) = (ratio(d).to_f64(), ratio(gamma).to_f64());
        for priors in [vec![d; 4], vec![d, d / 2.0, d / 10.0, d / 1000.0], vec![d * 1e-6, d, d * 0.9, d * 0.1]] {
            for view in 0..16 {
                for (tuple, (posterior, prior)) in posteriors(&chosen, &priors, view).iter().zip(&priors).enumerate() {
                    let seen = view >> tuple & 1 == 1;
                    assert!(*posterior <= gamma * (1.0 + 1e-9), "d {d}, gamma {gamma}: {posterior} seen {seen}");
                    assert!(
                        *posterior >= d / gamma * prior * (1.0 - 1e-9),
                        "d {d}, gamma {gamma}: {posterior} {prior}"
                    );
                }
            }
        }
    }
}

#[test]
fn both_bounds_are_reached_so_that_nothing_more_could_be_retained() {
    let chosen = private("0.1", "0.5");
    assert!((posteriors(&chosen, &[0.1], 1)[0] - 0.5).abs() < 1e-12);
    let unlikely = posteriors(&chosen, &[1e-9], 0)[0];
    assert!((unlikely / 1e-9 - 0.2).abs() < 1e-6, "{unlikely}");
    // The simpler condition 1 - alpha - beta >= d/gamma is stricter.
    assert!(1.0 - chosen.retain.to_f64() < 0.2);
}

#[test]
fn alpha_and_beta_are_exact() {
    for (d, gamma, alpha, beta, retain) in [
        ("0.1", "0.5", "8/11", "1/11", "9/11"),
        ("0.5", "0.75", "2/7", "1/7", "3/7"),
        ("0.2", "0.4", "5/13", "3/13", "8/13"),
    ] {
        let chosen = private(d, gamma);
        assert_eq!([chosen.alpha, chosen.beta, chosen.retain].map(|r| r.to_string()), [alpha, beta, retain]);
        assert_eq!(chosen.alpha.checked_add(chosen.beta), Some(chosen.retain));
    }
}

#[test]
fn parameters_out_of_range_are_refused() {
    for (d, gamma) in [("0", "0.5"), ("1", "1"), ("0.5", "0.5"), ("0.5", "0.4"), ("0.5", "1"), ("2", "3")] {
        assert!(RetainInsert::private(ratio(d), ratio(gamma)).is_err(), "{d}, {gamma}");
    }
    let long = RetainInsert::private(ratio("0.123456789012345677"), ratio("0.987654321098765433"));
    assert!(long.is_err_and(|error| error.to_string().contains("fewer digits")));
}

fn table(rows: &[(&str, &str)]) -> Table {
    let (mut a, mut b) = (ColumnBuilder::new("a"), ColumnBuilder::new("b"));
    for (left, right) in rows {
        a.push(left).expect("room");
        b.push(right).expect("room");
    }
    Table::new(vec![a.finish(), b.finish()]).expect("a table")
}

fn domain(a: &[&str], b: &[&str]) -> Domain {
    let values = |values: &[&str]| values.iter().map(|&value| value.to_owned()).collect();
    let (a, b) = (ColumnDomain::new("a", values(a)), ColumnDomain::new("b", values(b)));
    Domain::new(vec![a.expect("values"), b.expect("values")]).expect("a domain")
}

#[test]
fn every_view_is_as_likely_as_the_definition_says() {
    let (chosen, domain) = (private("0.2", "0.4"), domain(&["0", "1"], &["x", "y"]));
    // The tuples 0x and 1y of four, one of them twice.
    let (people, members) = (table(&[("0", "x"), ("1", "y"), ("0", "x")]), 0b1001);
    let mut dice = Dice::from_seed(1, "views");
    let (draws, mut seen) = (40_000_u32, BTreeMap::<u32, u32>::new());
    for _ in 0..draws {
        let view = chosen.perturb(&people, &domain, &mut dice).expect("a view");
        assert_eq!(view.repeated, 1);
        let [a, b] = view.table.columns() else { panic!("two columns") };
        let bits = (0..view.table.rows()).map(|row| {
            let place = u32::from(a.text(row) == "1") * 2 + u32::from(b.text(row) == "y");
            1_u32 << place
        });
        *seen.entry(bits.sum()).or_default() += 1;
    }
    let mut statistic = 0.0;
    for view in 0..16 {
        let expected = view_probability(&chosen, members, view, 4) * f64::from(draws);
        assert!(expected > 5.0);
        let found = f64::from(seen.get(&view).copied().unwrap_or(0));
        statistic += (found - expected).powi(2) / expected;
    }
    // The 0.9999 quantile of chi-square with 15 degrees of freedom.
    assert!(statistic < 44.26, "{statistic}: {seen:?}");
}

#[test]
fn estimates_are_right_on_average_and_off_by_their_standard_error() {
    let (chosen, domain) = (private("0.1", "0.5"), domain(&["0", "1", "2"], &["u", "v", "w", "x", "y", "z"]));
    let people = table(&[("0", "u"), ("0", "v"), ("0", "w"), ("0", "x"), ("1", "y"), ("1", "z")]);
    let mut dice = Dice::from_seed(2, "estimates");
    let draws = 20_000;
    let mut found: Vec<f64> = Vec::new();
    for _ in 0..draws {
        let view = chosen.perturb(&people, &domain, &mut dice).expect("a view");
        let of_zero = view.estimates.iter().find(|value| value.column == "a" && value.value == "0").expect("a value");
        found.push(of_zero.estimate.count);
    }
    let mean = found.iter().sum::<f64>() / f64::from(draws);
    let deviation = (found.iter().map(|count| (count - mean).powi(2)).sum::<f64>() / f64::from(draws)).sqrt();
    // 4 of the 6 tuples with a = 0: variance 4 * 18/121 + 2 * 10/121, over alpha squared.
    let expected = ((4.0 * 18.0 + 2.0 * 10.0) / 121.0_f64).sqrt() / (8.0 / 11.0);
    assert!((mean - 4.0).abs() < 4.0 * expected / f64::from(draws).sqrt(), "{mean}");
    assert!((deviation / expected - 1.0).abs() < 0.03, "{deviation} {expected}");
    // The view that has just as many as expected tells the count itself.
    let exact = chosen.estimate(4, 13);
    assert!((exact.count - (4.0 - 13.0 / 11.0) * 11.0 / 8.0).abs() < 1e-12);
}

#[test]
fn large_domains_are_not_gone_through() {
    let values: Vec<String> = (0..100_000).map(|value| value.to_string()).collect();
    let (a, b) = (ColumnDomain::new("a", values.clone()), ColumnDomain::new("b", values));
    let domain = Domain::new(vec![a.expect("values"), b.expect("values")]).expect("a domain");
    assert_eq!(domain.size(), 10_000_000_000);
    let people = table(&[("1", "2"), ("3", "4")]);
    let view = private("0.0000001", "0.5").perturb(&people, &domain, &mut Dice::from_seed(3, "")).expect("a view");
    // 10^10 tuples with probability 10^-7 each.
    assert!((800..1200).contains(&view.table.rows()), "{}", view.table.rows());
    let error = private("0.1", "0.5").perturb(&people, &domain, &mut Dice::from_seed(3, "")).expect_err("too many");
    assert!(error.to_string().contains("of the 10000000000 tuples"), "{error}");
}

#[test]
fn values_outside_the_domain_are_named() {
    let people = table(&[("0", "x"), ("7", "x")]);
    let error = private("0.1", "0.5").perturb(&people, &domain(&["0"], &["x"]), &mut Dice::from_seed(1, ""));
    let error = error.expect_err("a value outside").to_string();
    assert!(error.starts_with("row 2 has `7` in `a`, which is not in the domain"), "{error}");
}

proptest! {
    #[test]
    fn both_conditions_hold_for_all_parameters(d in 1u64..9_998, more in 1u64..9_998) {
        prop_assume!(d + more < 10_000);
        let ratio = |value: u64| Ratio::new(value, 10_000).expect("a fraction");
        let chosen = RetainInsert::private(ratio(d), ratio(d + more)).expect("probabilities");
        let (d, gamma) = (d as f64 / 1e4, (d + more) as f64 / 1e4);
        let (beta, retain) = (chosen.beta.to_f64(), chosen.retain.to_f64());
        prop_assert!(retain / beta <= gamma * (1.0 - d) / (d * (1.0 - gamma)) * (1.0 + 1e-9));
        prop_assert!(1.0 - retain >= d / gamma * (1.0 - beta) - 1e-12);
        prop_assert!(beta > 0.0 && retain < 1.0 && beta < retain);
    }
}
