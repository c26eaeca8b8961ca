//! Promises of mechanisms: differential privacy as a bound on classes, the others as parameters alone.

use crate::common;

use common::{model, refusal};
use proptest::prelude::*;
use tamis_privacy::sampling_privacy::{delta_of, largest_beta};
use tamis_privacy::{Class, Parameters, TableFacts, Value, kind};

fn class(size: u64) -> Class<'static> {
    Class { size, population: size, counts: &[] }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// The least class size reaches delta, and one less does not.
    #[test]
    fn classes_are_as_large_as_delta_asks(tenths in 3u32..30, zeros in 2i32..9, share in 0.1f64..1.0) {
        let (epsilon, delta) = (f64::from(tenths) / 10.0, 10f64.powi(-zeros));
        let beta = share * largest_beta(epsilon);
        let parameters: [(&str, Value); 3] =
            [("epsilon", epsilon.into()), ("delta", delta.into()), ("beta", beta.into())];
        let model = model("differential-privacy", &parameters, &TableFacts::of_rows(1000));
        let k = model.least_size();
        // Beta is rounded down to a multiple of 2^-32, which the delta of the rounded one may tell by a hair.
        prop_assert!(delta_of(k, beta, epsilon) <= delta * (1.0 + 1e-4));
        prop_assert!(k == 1 || delta_of(k - 1, beta, epsilon) > delta * (1.0 - 1e-4));
        prop_assert!(model.holds(&class(k)) && !model.holds(&class(k - 1)) && model.is_hereditary());
    }
}

fn private(epsilon: f64, delta: f64, beta: Option<f64>) -> Vec<(&'static str, Value)> {
    let mut parameters = vec![("epsilon", epsilon.into()), ("delta", delta.into())];
    parameters.extend(beta.map(|beta| ("beta", beta.into())));
    parameters
}

#[test]
fn differential_privacy_says_how_it_is_reached() {
    let model = model("differential-privacy", &private(1.0, 0.001, Some(0.5)), &TableFacts::of_rows(1000));
    let k = model.least_size();
    assert_eq!(
        model.describe(),
        format!("(1, 0.001)-differential privacy (sampled with 0.5000, classes of at least {k})")
    );
}

#[test]
fn differential_privacy_that_makes_no_sense() {
    let rows = TableFacts::of_rows(1000);
    let with = |parameters: &[(&str, Value)]| refusal("differential-privacy", parameters, &rows);
    let kind = "model `differential-privacy`";
    assert_eq!(
        with(&private(0.0, 0.1, None)),
        format!("{kind}: `epsilon` is 0; expected a number between 0.0001 and 10")
    );
    assert_eq!(
        with(&private(1.0, 0.0, None)),
        format!("{kind}: `delta` is 0; expected a number above 0 and at most 1")
    );
    assert!(with(&private(1.0, 1.0, None)).starts_with("model `differential-privacy`: delta is 1; expected"));
    assert!(with(&private(1.0, 0.1, Some(0.9))).starts_with("model `differential-privacy`: beta is 0.9; expected"));
    let people = TableFacts { has_entity: true, ..TableFacts::of_rows(1000) };
    assert_eq!(
        refusal("differential-privacy", &private(1.0, 0.1, None), &people),
        format!(
            "{kind} counts rows and cannot be used where `entity` lets a person have several; give one row per person"
        )
    );
}

/// Bound to a table they would hold of any, so they are refused.
#[test]
fn promises_of_mechanisms_are_not_bound_to_tables() {
    for (kind, parameters) in [
        ("d-gamma-privacy", [("d", 0.1.into()), ("gamma", 0.5.into())]),
        ("distributional-privacy", [("alpha", 0.1.into()), ("beta", 0.5.into())]),
    ] {
        assert_eq!(
            refusal(kind, &parameters, &TableFacts::of_rows(10)),
            format!(
                "model `{kind}`: no table has or lacks it, for it is a promise of how a release is made; run the mechanism that keeps it instead"
            )
        );
    }
}

#[test]
fn parameters_of_mechanisms_are_checked() {
    let check = |name: &str, parameters: [(&str, Value); 2]| {
        let tamis_privacy::Bind::Mechanism { check } = kind(name).unwrap().bind else { panic!("{name}") };
        check(&Parameters::from(parameters)).map_err(|error| error.to_string())
    };
    let d_gamma = |d: f64, gamma: f64| check("d-gamma-privacy", [("d", d.into()), ("gamma", gamma.into())]);
    assert_eq!(d_gamma(0.1, 0.2), Ok(()));
    let kind = "model `d-gamma-privacy`";
    let said = |text: &str| Err(format!("{kind}: {text}"));
    assert_eq!(d_gamma(0.2, 0.2), said("`d` is 0.2; expected a number above 0 and below gamma, 0.2"));
    assert_eq!(d_gamma(0.0, 0.2), said("`d` is 0; expected a number above 0 and at most 1"));
    assert_eq!(d_gamma(0.2, 1.0), said("`gamma` is 1; expected a number above d and below 1"));
    let distributional =
        |alpha: f64, beta: f64| check("distributional-privacy", [("alpha", alpha.into()), ("beta", beta.into())]);
    assert_eq!(distributional(0.0, 0.01), Ok(()));
    let kind = "model `distributional-privacy`";
    let said = |text: &str| Err(format!("{kind}: {text}"));
    assert_eq!(distributional(-1.0, 0.1), said("`alpha` is -1; expected a number of at least 0"));
    assert_eq!(distributional(1.0, 1.0), said("`beta` is 1; expected a number above 0 and below 1"));
    assert_eq!(distributional(1.0, 0.0), said("`beta` is 0; expected a number above 0 and at most 1"));
}
