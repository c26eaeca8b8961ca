//! Reading hierarchies and binding them to columns: what is accepted, what is said about the rest.

use proptest::collection::vec;
use proptest::prelude::*;
use tamis_table::hierarchy::{Finding, FindingKind, Severity, check, check_against};
use tamis_table::{Column, ColumnBuilder, Hierarchy, HierarchyError, HierarchyRow, Recoder};

fn rows(lines: &[&str]) -> Vec<HierarchyRow> {
    let labels = |line: &str| if line.is_empty() { Vec::new() } else { line.split(';').map(str::to_owned).collect() };
    lines.iter().zip(1..).map(|(text, line)| HierarchyRow { line, labels: labels(text) }).collect()
}

fn hierarchy(lines: &[&str]) -> Hierarchy {
    Hierarchy::from_rows(&rows(lines)).unwrap_or_else(|error| panic!("{error}"))
}

fn complaint(lines: &[&str]) -> String {
    Hierarchy::from_rows(&rows(lines)).map_or_else(|error| error.to_string(), |_| "it is fine".to_owned())
}

fn column(values: &[&str]) -> Column {
    let mut column = ColumnBuilder::new("city");
    for value in values {
        column.push(value).unwrap_or_else(|error| panic!("{error}"));
    }
    column.finish()
}

#[test]
fn the_first_mistake_is_named() {
    let empty = "it is empty; expected lines `value;level 1;...;*`";
    assert_eq!(complaint(&[]), empty);
    assert_eq!(complaint(&[""]), empty);
    assert_eq!(
        complaint(&["a;A;*", "b;*"]),
        "line 2 has 2 columns where line 1 has 3; give every value one label per level"
    );
    assert_eq!(
        complaint(&["a;A;*", "b;B;*", "a;B;*"]),
        "line 3 gives `a` other labels than line 1 does; keep one of the two"
    );
    assert_eq!(
        complaint(&["a;A;1;*", "b;B;2;*", "c;A;2;*"]),
        "level 2 does not coarsen level 1: line 3 generalizes `A` to `2`, line 1 to `1`"
    );
}

#[test]
fn repeated_lines_count_as_lines() {
    let hierarchy = hierarchy(&["a;A;*", "b;A;*", "a;A;*"]);
    assert_eq!(hierarchy.lines(), 3);
    assert_eq!(hierarchy.levels(), 3);
    assert_eq!((0..4).map(|level| hierarchy.labels_on(level)).collect::<Vec<_>>(), [2, 1, 1, 0]);
    assert_eq!(hierarchy.label("b", 1), Some("A"));
    assert_eq!(hierarchy.label("b", 3), None);
    assert_eq!(hierarchy.label("c", 0), None);
}

#[test]
fn a_recoder_looks_up_labels_and_their_lines() {
    let hierarchy = hierarchy(&["Lima;Peru;*", "Cusco;Peru;*", "Quito;Ecuador;*", "Lima;Peru;*"]);
    let recoder =
        Recoder::bind(&hierarchy, &column(&["Quito", "Cusco", "Quito", "Lima"])).unwrap_or_else(|e| panic!("{e}"));
    assert!(recoder.has_hierarchy());
    assert_eq!((recoder.levels(), recoder.lines()), (3, 4));
    assert_eq!(recoder.labels_of_codes(0), [0, 1, 2]);
    assert_eq!(recoder.label_lines(0), [1, 1, 2]);
    assert_eq!(recoder.labels_of_codes(1), [0, 1, 1]);
    assert_eq!(recoder.labels(1).iter().collect::<Vec<_>>(), ["Ecuador", "Peru"]);
    assert_eq!(recoder.label_lines(1), [1, 3]);
    assert_eq!(recoder.label_lines(2), [4]);
    assert_eq!(recoder.label_map(0, 2), [0, 0, 0]);
    assert_eq!(recoder.label_map(1, 1), [0, 1]);
}

#[test]
fn values_that_are_not_listed_are_named() {
    let hierarchy = hierarchy(&["Lima;Peru;*"]);
    let absent =
        |values: &[&str]| Recoder::bind(&hierarchy, &column(values)).map_or_else(|e| e.to_string(), |_| "ok".into());
    assert_eq!(absent(&["Lima", "Quito"]), "it does not list the value `Quito`; add a line for it");
    assert_eq!(absent(&["Oslo", "Quito"]), "it does not list the value `Oslo` (nor 1 other); add a line for it");
    assert_eq!(
        absent(&["Oslo", "Quito", "Rome"]),
        "it does not list the value `Oslo` (nor 2 others); add a line for it"
    );
    let error = Recoder::bind(&hierarchy, &column(&["Oslo"])).map(|_| ()).unwrap_err();
    assert_eq!(error, HierarchyError::MissingValue { value: "Oslo".to_owned(), others: 0 });
}

#[test]
fn a_missing_value_takes_a_line_of_its_own() {
    let hierarchy = hierarchy(&["Lima;Peru;*", "Cusco;Peru;*"]);
    let recoder = Recoder::bind(&hierarchy, &column(&["Lima", "", "Cusco"])).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(recoder.lines(), 3);
    assert_eq!(recoder.labels(1).iter().collect::<Vec<_>>(), ["Peru", ""]);
    assert_eq!(recoder.labels_of_codes(1), [0, 1, 0]);
    assert_eq!(recoder.label_lines(1), [2, 1]);
    assert_eq!(recoder.labels_of_codes(2), [0, 0, 0]);
    assert_eq!(recoder.label_lines(2), [3]);
}

#[test]
fn a_missing_value_that_is_listed_is_a_value() {
    let hierarchy = hierarchy(&["Lima;Peru;*", ";unknown;*"]);
    let recoder = Recoder::bind(&hierarchy, &column(&["", "Lima"])).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(recoder.lines(), 2);
    assert_eq!(recoder.labels(1).iter().collect::<Vec<_>>(), ["unknown", "Peru"]);
}

#[test]
fn without_a_hierarchy_values_are_kept_or_suppressed() {
    let recoder = Recoder::keep_or_suppress(&column(&["a", "b", "a"]));
    assert!(!recoder.has_hierarchy());
    assert_eq!((recoder.levels(), recoder.lines()), (2, 2));
    assert_eq!(recoder.labels(1).iter().collect::<Vec<_>>(), ["*"]);
    assert_eq!(recoder.label_lines(1), [2]);
}

fn summary(findings: &[Finding]) -> Vec<(Option<u64>, Severity, FindingKind)> {
    findings.iter().map(|finding| (finding.line, finding.severity, finding.kind)).collect()
}

#[test]
fn the_check_finds_everything_at_once() {
    let lines = ["a;A;1;*", "b;B;*", "c;A;2;*", "a;C;1;*", "a;A;1;*", "e;a;1;top", "f;A;2;*"];
    let findings = check_against(&rows(&lines), ["a", "c", "x", "", "y", "x"]);
    assert_eq!(
        summary(&findings),
        [
            (Some(2), Severity::Error, FindingKind::UnevenRow),
            (Some(3), Severity::Error, FindingKind::NotCoarsening),
            (Some(4), Severity::Error, FindingKind::TwoParents),
            (Some(5), Severity::Warning, FindingKind::RepeatedLine),
            (Some(6), Severity::Error, FindingKind::NotCoarsening),
            (Some(6), Severity::Warning, FindingKind::AmbiguousLabel),
            (None, Severity::Warning, FindingKind::SeveralTops),
            (None, Severity::Error, FindingKind::MissingValue),
            (None, Severity::Error, FindingKind::MissingValue),
            (None, Severity::Note, FindingKind::UnusedValues),
        ]
    );
    let messages: Vec<&str> = findings.iter().map(|finding| finding.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "line 2 has 3 columns where line 1 has 4; give every value one label per level",
            "line 3 generalizes `A` to `2` on level 2 but line 1 to `1`; give it one label there",
            "line 4 gives `a` other labels than line 1 does; keep one of the two",
            "line 5 repeats line 1 (`a`); delete one of them, as each counts when loss is measured",
            "line 6 generalizes `1` to `top` on level 3 but line 1 to `*`; give it one label there",
            "line 6 uses `a` as a label on level 1, where the value `a` of line 1 becomes `A`; rename the label or move the \
             value under it",
            "the last level has 2 labels, among them `*` and `top`; add a level `*` so that all values can become one",
            "it does not list the value `x`; add a line for it",
            "it does not list the value `y`; add a line for it",
            "`b` (line 2) and 2 more values do not occur in the data; every listed value counts when loss is measured",
        ]
    );
}

#[test]
fn a_sound_hierarchy_gives_no_findings() {
    assert_eq!(check(&rows(&["05345;05340;*", "05340;05340;*", "05352;05350;*"])), []);
    assert_eq!(summary(&check(&[])), [(None, Severity::Error, FindingKind::Empty)]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

    /// The check and the reader agree on what is usable.
    #[test]
    fn the_check_finds_an_error_exactly_where_reading_fails(lines in vec(vec("[ab*]{0,2}", 0..4), 0..6)) {
        let rows: Vec<HierarchyRow> = lines.into_iter().zip(1..).map(|(labels, line)| HierarchyRow { line, labels }).collect();
        let findings = check(&rows);
        let errors = findings.iter().any(|finding| finding.severity == Severity::Error);
        prop_assert_eq!(errors, Hierarchy::from_rows(&rows).is_err(), "{:?}", findings);
    }
}
