//! Beta-likeness against its definition.

use crate::common;

use common::{check_class, check_union, class, class_in_table, model, refusal, size, whole};
use proptest::prelude::*;
use tamis_privacy::models::beta_likeness::{enhanced_likeness, likeness, likeness_capped_by_the_rarest};
use tamis_privacy::{Model, TableFacts, Value};

/// (p - q) / q <= tenths / 10 for every value, in whole numbers; and where asked for also <= -ln q.
fn holds(counts: &[u32], totals: &[u64], tenths: u64, is_enhanced: bool) -> bool {
    let (size, rows) = (size(counts), totals.iter().sum::<u64>());
    counts.iter().zip(totals).all(|(&count, &total)| {
        let (p, q) = (u64::from(count) * rows, total * size);
        let gain = (p as f64 - q as f64) / q as f64;
        p <= q || (10 * (p - q) <= tenths * q && (!is_enhanced || gain <= -(total as f64 / rows as f64).ln()))
    })
}

fn beta_like(tenths: u64, is_enhanced: bool, facts: &TableFacts) -> Box<dyn Model> {
    let variant = if is_enhanced { "enhanced" } else { "basic" };
    model("beta-likeness", &[("beta", (tenths as f64 / 10.0).into()), ("variant", variant.into())], facts)
}

/// Some classes of one table, none of them empty, with the same values.
fn table() -> impl Strategy<Value = Vec<Vec<u32>>> {
    (1usize..5).prop_flat_map(|values| {
        let class = prop::collection::vec(0u32..6, values).prop_filter("rows", |counts| size(counts) > 0);
        prop::collection::vec(class, 1..6)
    })
}

fn totals(classes: &[Vec<u32>]) -> Vec<u64> {
    (0..classes[0].len()).map(|value| classes.iter().map(|class| u64::from(class[value])).sum()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_class_holds_iff_no_value_gains_too_much(
        (counts, totals) in class_in_table(5, 5), tenths in 1u64..40, is_enhanced: bool,
    ) {
        let facts = TableFacts::of_histogram("disease", &totals);
        check_class(&*beta_like(tenths, is_enhanced, &facts), &counts, |part| holds(part, &totals, tenths, is_enhanced));
    }

    #[test]
    fn the_union_of_classes_that_hold_holds(classes in table(), tenths in 1u64..40, is_enhanced: bool) {
        let facts = TableFacts::of_histogram("disease", &totals(&classes));
        let model = beta_like(tenths, is_enhanced, &facts);
        for right in &classes[1..] {
            check_union(&*model, &classes[0], right);
        }
    }

    /// The number for a whole table is the least beta for which all its classes hold.
    #[test]
    fn the_least_beta_is_the_largest_gain(classes in table()) {
        let totals = totals(&classes);
        let facts = TableFacts::of_histogram("disease", &totals);
        let all_hold = |beta: f64, variant: &str| {
            let model = model("beta-likeness", &[("beta", beta.into()), ("variant", variant.into())], &facts);
            classes.iter().all(|counts| model.holds(&class(counts)))
        };
        let basic = classes.iter().map(|counts| likeness(counts, &totals)).fold(f64::MIN_POSITIVE, f64::max);
        prop_assert!(all_hold(basic, "basic"));
        prop_assert!(basic == f64::MIN_POSITIVE || !all_hold(basic * 0.999, "basic"));
        match classes.iter().map(|counts| enhanced_likeness(counts, &totals)).collect::<Option<Vec<f64>>>() {
            Some(enhanced) => {
                prop_assert_eq!(enhanced.into_iter().fold(f64::MIN_POSITIVE, f64::max), basic);
                prop_assert!(all_hold(basic, "enhanced"));
            }
            None => prop_assert!(!all_hold(1e300, "enhanced")),
        }
    }

    /// A gain of exactly beta holds, also where beta has no exact binary form.
    #[test]
    fn equality_holds(tenths in 1u64..80, times in 1u32..1000) {
        // One in ten of the table, 1 + beta in ten of the class.
        let counts = [(10 + tenths as u32) * times, (90 - tenths as u32) * times];
        let totals = [u64::from(times) * 1000, u64::from(times) * 9000];
        let facts = TableFacts::of_histogram("disease", &totals);
        prop_assert!(beta_like(tenths, false, &facts).holds(&class(&counts)));
        prop_assert!(tenths == 1 || !beta_like(tenths - 1, false, &facts).holds(&class(&counts)));
    }
}

/// pycanon 1.3.6 gives 0.8 for the two classes, basic and enhanced.
#[test]
fn the_figures_of_a_table_by_hand() {
    let classes = [[3u32, 1, 0], [2, 1, 2]];
    let totals = [5u64, 2, 2];
    let gains = classes.map(|counts| likeness(&counts, &totals));
    // 3/4 for 5/9, and 2/5 for 2/9.
    assert_eq!(gains, [7.0 / 20.0, 8.0 / 10.0]);
    assert_eq!(likeness_capped_by_the_rarest(gains[1], &totals), 0.8);
    assert_eq!(likeness_capped_by_the_rarest(3.0, &totals), -(2.0f64 / 9.0).ln());
    // 5/9 may gain up to -ln(5/9) = 0.588, 2/9 up to 1.504.
    assert_eq!(classes.map(|counts| enhanced_likeness(&counts, &totals)), [Some(0.35), Some(0.8)]);
    assert_eq!(enhanced_likeness(&[4, 0, 0], &totals), None);
    assert_eq!((likeness(&[0, 0, 0], &totals), likeness(&[5, 2, 2], &totals)), (0.0, 0.0));
}

#[test]
fn a_class_of_people_may_be_smaller_than_its_values() {
    let facts = TableFacts { has_entity: true, ..TableFacts::of_histogram("disease", &[5, 5]) };
    assert_eq!(beta_like(5, false, &facts).least_size(), 1);
    assert_eq!(beta_like(5, false, &TableFacts::of_histogram("disease", &[5, 5])).least_size(), 2);
}

#[test]
fn what_makes_no_sense_is_said() {
    let facts = TableFacts::of_histogram("disease", &[5, 5]);
    let with =
        |beta: f64, variant: Value| refusal("beta-likeness", &[("beta", beta.into()), ("variant", variant)], &facts);
    let kind = "model `beta-likeness`";
    assert_eq!(with(0.0, "basic".into()), format!("{kind}: `beta` is 0; expected a number above 0"));
    let expected = "expected \"basic\" or \"enhanced\"";
    assert_eq!(with(1.0, "better".into()), format!("{kind}: `variant` is \"better\"; {expected}"));
    assert_eq!(with(1.0, whole(2)), format!("{kind}: `variant` is 2; {expected}"));
    assert_eq!(beta_like(5, true, &facts).describe(), "enhanced 0.5-likeness of disease");
}
