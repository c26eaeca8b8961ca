//! Whatever values and parameters a builder is given, it complains or builds a hierarchy that holds; it never panics.

use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use tamis_table::hierarchy::builders::{
    Bins, Builder, DateLevel, DateUnit, Dates, Decimal, Interval, IntervalLabels, Mask, Minimums, Order, Patterns,
    Rare, Side, Tree,
};
use tamis_table::hierarchy::{Severity, check_against};
use tamis_table::{DataType, Hierarchy};

fn decimal() -> impl Strategy<Value = Decimal> {
    prop_oneof![
        (-200i64..200).prop_map(Decimal::from),
        any::<i64>().prop_map(Decimal::from),
        "-?[0-9]{1,3}\\.[0-9]{1,3}".prop_map(|text| text.parse().unwrap_or(Decimal::from(0))),
    ]
}

fn number_text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => decimal().prop_map(|number| number.to_string()),
        1 => "[-+]?[0-9]{0,4}\\.?[0-9]{0,4}(e[-+]?[0-9]{1,3})?",
        1 => Just(String::new()),
    ]
}

fn interval() -> impl Strategy<Value = Builder> {
    let cuts = vec(-50i64..50, 0..8).prop_map(|mut cuts| {
        cuts.sort_unstable();
        cuts.dedup();
        Bins::Cuts(cuts.into_iter().map(Decimal::from).collect())
    });
    let ranges = vec([decimal(), decimal()], 1..4).prop_map(Bins::Ranges);
    let bins = option::weighted(0.3, prop_oneof![cuts, ranges]);
    let labels = prop_oneof![Just(IntervalLabels::HalfOpen), Just(IntervalLabels::Range)];
    let number = || option::weighted(0.4, decimal());
    (bins, number(), number(), vec(prop_oneof![2u32..6, any::<u32>()], 0..4), number(), number(), labels).prop_map(
        |(bins, start, width, factors, min, max, labels)| {
            Builder::Interval(Interval { bins, start, width, factors, min, max, labels })
        },
    )
}

fn date_level() -> impl Strategy<Value = DateLevel> {
    use DateUnit::{Century, Day, Decade, FiveYears, Month, Quarter, Week, Year};
    let unit = proptest::sample::select(vec![Day, Week, Month, Quarter, Year, FiveYears, Decade, Century]);
    (unit, option::weighted(0.2, "%?[a-zA-Z%/-]{0,4}")).prop_map(|(unit, format)| match format {
        Some(format) => DateLevel::Spelled { unit, format },
        None => DateLevel::Unit(unit),
    })
}

fn unit(level: &DateLevel) -> DateUnit {
    match level {
        DateLevel::Unit(unit) | DateLevel::Spelled { unit, .. } => *unit,
    }
}

fn date() -> impl Strategy<Value = Builder> {
    let format = option::weighted(0.3, prop_oneof![Just("%Y-%m-%d".to_owned()), Just("%d/%m/%y".to_owned()), ".{0,6}"]);
    (format, option::of(any::<i16>()), vec(date_level(), 0..6)).prop_map(|(format, latest_year, mut levels)| {
        levels.sort_by_key(unit);
        levels.dedup_by_key(|level| unit(level));
        Builder::Date(Dates { format, latest_year, levels })
    })
}

fn tree() -> impl Strategy<Value = Builder> {
    (btree_map("[a-f*]", vec("[a-f*]?", 0..3), 0..4), btree_map("[a-f]?", "[a-g*]", 0..5))
        .prop_map(|(children, parents)| Builder::Tree(Tree { children, parents }))
}

fn mask() -> impl Strategy<Value = Builder> {
    let side = || prop_oneof![Just(Side::Left), Just(Side::Right)];
    let levels = option::of(prop_oneof![0usize..5, any::<usize>()]);
    (side(), any::<char>(), prop_oneof![0usize..4, any::<usize>()], levels, option::of(any::<char>()), side(), ".{0,3}")
        .prop_map(|(from, character, step, levels, pad, pad_side, top)| {
            Builder::Mask(Mask { from, character, step, levels, pad, pad_side, top })
        })
}

fn of_any_text() -> impl Strategy<Value = Builder> {
    let order =
        (vec("[a-c]{0,2}", 0..6), prop_oneof![0u64..4, any::<u64>()], vec(prop_oneof![0u32..4, any::<u32>()], 0..4))
            .prop_map(|(order, group, factors)| Builder::Order(Order { order, group, factors }));
    let order_by_type = (2u64..4, vec(2u32..4, 0..3))
        .prop_map(|(group, factors)| Builder::Order(Order { order: Vec::new(), group, factors }));
    let patterns =
        (vec(prop_oneof![0.01f64..1.0, any::<f64>()], 0..3), 0usize..5).prop_map(|(mut similarity, shortest_run)| {
            similarity.sort_by(|left: &f64, right| right.total_cmp(left));
            Builder::Patterns(Patterns { similarity, shortest_run })
        });
    let rare = (vec(prop_oneof![0u64..9, any::<u64>()], 0..4), "[a-c]{0,2}").prop_map(|(mut minimums, other)| {
        minimums.sort_unstable();
        Builder::Rare(Rare { minimum: Minimums::Growing(minimums), other })
    });
    prop_oneof![order, order_by_type, mask(), patterns, rare, tree()]
}

fn date_text() -> impl Strategy<Value = String> {
    prop_oneof![
        9 => (1i16..9999, 1i8..13, 1i8..29).prop_map(|(year, month, day)| format!("{year:04}-{month:02}-{day:02}")),
        1 => (0i16..99, 1i8..13, 1i8..32).prop_map(|(year, month, day)| format!("{day:02}/{month:02}/{year:02}")),
        1 => Just(String::new()),
        1 => Just("9999-12-31".to_owned()),
    ]
}

/// Builds if it can, and then checks what the crate promises of every builder.
fn holds(builder: &Builder, values: &[(String, u64)]) -> Result<(), TestCaseError> {
    let values: Vec<(&str, u64)> = values.iter().map(|(value, count)| (value.as_str(), *count)).collect();
    let Ok(rows) = builder.build_with_counts(&values) else { return Ok(()) };
    let hierarchy = Hierarchy::from_rows(&rows);
    prop_assert!(hierarchy.is_ok(), "{builder:?} {rows:?}");
    let findings = check_against(&rows, values.iter().map(|&(value, _)| value));
    prop_assert!(findings.iter().all(|finding| finding.severity != Severity::Error), "{findings:?}");
    let Ok(hierarchy) = hierarchy else { return Ok(()) };
    let top = if let Builder::Mask(mask) = builder { mask.top.as_str() } else { "*" };
    for (value, _) in &values {
        prop_assert_eq!(hierarchy.label(value, 0), Some(*value));
        prop_assert_eq!(hierarchy.label(value, hierarchy.levels() - 1), Some(top));
    }
    let fineness: Vec<usize> = (0..hierarchy.levels()).map(|level| hierarchy.labels_on(level)).collect();
    prop_assert!(fineness.windows(2).all(|pair| pair[0] >= pair[1]), "{fineness:?}");
    prop_assert_eq!(fineness.last(), Some(&1));
    Ok(())
}

/// Builds, and what it builds holds.
fn builds(builder: &Builder, values: &[(String, u64)]) -> Result<(), TestCaseError> {
    let counted: Vec<(&str, u64)> = values.iter().map(|(value, count)| (value.as_str(), *count)).collect();
    if let (Err(error), false) = (builder.build_with_counts(&counted), values.is_empty()) {
        return Err(TestCaseError::fail(error.to_string()));
    }
    holds(builder, values)
}

/// A policy that was written down reads back the same.
fn survives_writing(builder: &Builder) -> Result<(), TestCaseError> {
    let text = toml::to_string(builder).map_err(|error| TestCaseError::fail(error.to_string()))?;
    let read: Builder = toml::from_str(&text).map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
    prop_assert_eq!(&read, builder);
    Ok(())
}

fn counted(text: impl Strategy<Value = String>) -> impl Strategy<Value = Vec<(String, u64)>> {
    vec((text, prop_oneof![0u64..12, any::<u64>()]), 0..14)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

    #[test]
    fn intervals_hold(builder in interval(), values in counted(number_text())) {
        holds(&builder, &values)?;
        survives_writing(&builder)?;
    }

    /// Parameters as people choose them, so that most of them build.
    #[test]
    fn sensible_intervals_build(
        width in option::of("[1-9](\\.[1-9])?"),
        start in option::of(-20i64..20),
        factors in vec(2u32..5, 0..4),
        (min, max) in (option::of(-90i64..0), option::of(1i64..90)),
        values in counted("(-?[0-9]{1,3}(\\.[0-9]{1,2})?)?"),
    ) {
        let builder = Builder::Interval(Interval {
            width: width.and_then(|width| width.parse().ok()),
            start: start.map(Decimal::from),
            factors,
            min: min.map(Decimal::from),
            max: max.map(Decimal::from),
            ..Interval::default()
        });
        builds(&builder, &values)?;
    }

    #[test]
    fn an_interval_contains_its_number(width in 1i64..500, start in -500i64..500, factor in 2u32..5, number in -10_000i64..10_000) {
        let interval = Interval {
            width: Some(Decimal::from(width)),
            start: Some(Decimal::from(start)),
            factors: vec![factor],
            ..Interval::default()
        };
        let text = number.to_string();
        let rows = Builder::Interval(interval).build(&[&text]).map_err(|error| TestCaseError::fail(error.to_string()))?;
        for (label, width) in rows[0].labels[1..].iter().zip([width, width * i64::from(factor)]) {
            let bounds: Vec<i64> = label.trim_matches('[').split(", ").filter_map(|bound| bound.parse().ok()).collect();
            prop_assert!(bounds[0] <= number && number < bounds[1], "{label}");
            prop_assert_eq!(bounds[1] - bounds[0], width);
            prop_assert_eq!((bounds[0] - start).rem_euclid(width), 0);
        }
    }

    #[test]
    fn dates_hold(builder in date(), values in counted(date_text())) {
        holds(&builder, &values)?;
        survives_writing(&builder)?;
    }

    #[test]
    fn sensible_dates_build(levels in vec(date_level(), 1..6), values in counted("(1[89]|20)[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|2[0-8])")) {
        let mut units: Vec<DateUnit> = levels.iter().map(unit).collect();
        units.sort();
        units.dedup();
        let levels = units.into_iter().map(DateLevel::Unit).collect();
        builds(&Builder::Date(Dates { levels, ..Dates::default() }), &values)?;
    }

    /// Each node lies under an earlier one or under the top.
    #[test]
    fn trees_build(parents in vec(option::weighted(0.8, any::<prop::sample::Index>()), 1..12), values in vec(any::<prop::sample::Index>(), 0..9)) {
        let mut tree = Tree::default();
        for (node, parent) in parents.iter().enumerate() {
            let parent = parent.filter(|_| node > 0).map_or("*".to_owned(), |parent| format!("n{}", parent.index(node)));
            if node % 2 == 0 {
                tree.parents.insert(format!("n{node}"), parent);
            } else {
                tree.children.entry(parent).or_default().push(format!("n{node}"));
            }
        }
        let values: Vec<(String, u64)> = values.iter().map(|value| (format!("n{}", value.index(parents.len())), 1)).collect();
        let builder = Builder::Tree(tree);
        builds(&builder, &values)?;
        survives_writing(&builder)?;
    }

    #[test]
    fn others_hold(builder in of_any_text(), values in counted("[a-c*0]{0,4}")) {
        holds(&builder, &values)?;
    }

    #[test]
    fn any_builder_survives_any_text(
        builder in prop_oneof![interval(), date(), of_any_text()],
        values in counted(".{0,8}"),
    ) {
        holds(&builder, &values)?;
    }

    /// A label keeps at least the asked share of every text it stands for, in order.
    #[test]
    fn patterns_cover_their_texts(
        values in vec("[abc]{1,4}(strasse|weg)? [0-9]{1,2}", 1..40),
        similarity in 0.2f64..1.0,
        shortest_run in 0usize..4,
    ) {
        let builder = Builder::Patterns(Patterns { similarity: vec![similarity, similarity / 2.0], shortest_run });
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        let rows = builder.build(&values).map_err(|error| TestCaseError::fail(error.to_string()))?;
        for row in &rows {
            for (label, share) in row.labels[1..3].iter().zip([similarity, similarity / 2.0]) {
                let kept: Vec<char> = label.chars().filter(|&character| character != '*').collect();
                prop_assert!(kept.len() as f64 >= share * row.labels[0].chars().count() as f64, "{:?}", row.labels);
                let mut text = row.labels[0].chars();
                prop_assert!(kept.iter().all(|kept| text.any(|character| character == *kept)), "{:?}", row.labels);
                let runs: Vec<&str> = label.split('*').collect();
                prop_assert!(row.labels[0].starts_with(runs[0]) && row.labels[0].ends_with(runs[runs.len() - 1]));
            }
        }
    }

    #[test]
    fn suggestions_build(values in prop_oneof![
        counted(number_text()), counted(date_text()), counted("[A-Z][0-9]{4}"), counted(".{0,30}"),
        vec(("[ab ]{8,14}", 1u64..9), 25..40),
    ]) {
        let values: Vec<(&str, u64)> = values.iter().map(|(value, count)| (value.as_str(), *count)).collect();
        let data_type = DataType::of(values.iter().map(|&(value, _)| value).filter(|value| !value.is_empty()));
        for data_type in [data_type, DataType::Decimal, DataType::Date("%Y-%m-%d"), DataType::Text] {
            let builder = Builder::suggest(data_type, &values);
            prop_assert!(values.is_empty() || builder.build_with_counts(&values).is_ok(), "{builder:?}");
            survives_writing(&builder)?;
        }
    }
}
