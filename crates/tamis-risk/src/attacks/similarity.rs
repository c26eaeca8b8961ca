//! Similarity: the sensitive values of a class differ, but mean the same.
//!
//! *Definition.* A class is similar if it has at least two different sensitive values and all of them have one label on some level of
//! the sensitive attribute's hierarchy, up to a given level. The lowest such level counts, since its label says the most. A level on
//! which all values of the hierarchy have one label says nothing and never counts; without a given level, every level counts on which
//! the table's values have more than one label.
//! Numbers work the same with a hierarchy of intervals. Sealed values mean nothing and are left out of their class.
//!
//! *Source.* Li, Li and Venkatasubramanian (ICDE 2007).
//!
//! *What a success proves.* l-diversity counts texts, not meanings. t-closeness with the hierarchical (or ordered) distance does
//! not have this gap.
//!
//! *Cost.* Linear in the rows times the levels of the hierarchy.

use super::classes::{Classes, field, visible};
use super::error::setting;
use super::report::{Found, are, counted, everybody, people, value_in_words};
use super::{AttackError, Finding, Labels, Report};
use tamis_table::Table;

/// Finds the classes whose different sensitive values share a label on a level up to `level`, or on any level that says something.
pub fn attack(
    table: &Table,
    quasi: &[&str],
    sensitive: &str,
    labels: &Labels,
    level: Option<usize>,
    limit: usize,
) -> Result<Report, AttackError> {
    let classes = Classes::of(table, quasi)?;
    let column = table.column(sensitive)?;
    let histograms = classes.histograms(column);
    let top = labels.levels().saturating_sub(1);
    if let Some(level) = level.filter(|&level| level == 0 || level > top) {
        return Err(setting(format!("the level is {level}; the hierarchy of `{sensitive}` has levels 1 to {top}")));
    }
    let mut is_used = vec![false; column.dictionary().len()];
    for &(code, _) in classes.kept().flat_map(|class| &histograms[class]) {
        is_used[code as usize] = true;
    }
    let chains: Vec<Vec<&str>> = column.dictionary().iter().map(|text| labels.chain(text)).collect();
    let used: Vec<&Vec<&str>> =
        chains.iter().zip(&is_used).filter(|(_, used)| **used).map(|(chain, _)| chain).collect();
    if let Some(unlisted) = used.iter().find(|chain| chain.len() <= top).and_then(|chain| chain.first()) {
        return Err(setting(format!(
            "the hierarchy of `{sensitive}` does not list the value `{unlisted}`; add a line for it"
        )));
    }
    let says_something = |level: &usize| used.iter().any(|chain| chain[*level] != used[0][*level]);
    let levels: Vec<usize> = match level {
        Some(highest) => (1..=highest).filter(|&level| !labels.is_root(level)).collect(),
        None => (1..=top).filter(says_something).collect(),
    };
    let shared = |class: usize| {
        let values = &histograms[class];
        let label = |code: u32, level: usize| chains[code as usize][level];
        let is_shared =
            |level: &&usize| values.iter().all(|&(code, _)| label(code, **level) == label(values[0].0, **level));
        (values.len() > 1)
            .then(|| levels.iter().find(is_shared))
            .flatten()
            .map(|&level| (level, label(values[0].0, level)))
    };
    let mut exposed: Vec<(usize, usize, &str)> =
        classes.kept().filter_map(|class| shared(class).map(|(level, label)| (class, level, label))).collect();
    exposed.sort_by_key(|&(class, level, _)| (level, class));
    let mut found = Found::new(limit);
    let mut at_risk = 0;
    for &(class, _, label) in &exposed {
        let histogram = &histograms[class];
        let size = visible(histogram);
        at_risk += size;
        found.add(|| {
            let (who, learned) = (classes.fields(class), field(sensitive, label));
            let values: Vec<&str> =
                histogram.iter().map(|&(code, _)| value_in_words(column.dictionary().text(code))).collect();
            let sentence = format!(
                "{} with {} have a value of {sensitive} that means {label}: {}.",
                everybody(size),
                classes.whom(class, column, histogram),
                values.join(", ")
            );
            Finding { people: size, probability: 1.0, who, learned, sentence }
        });
    }
    Ok(Report::new("similarity", classes.rows(), at_risk, found)
        .summary(format!(
            "{at_risk} of {} {} in classes whose different values of {sensitive} all mean the same ({} of {}).",
            people(classes.rows()),
            are(at_risk),
            exposed.len(),
            counted(classes.kept().count() as u64, "class", "classes")
        ))
        .figure("classes", classes.kept().count())
        .figure("similar_classes", exposed.len())
        .notes(classes.note_on_sealed(column, &histograms)))
}
