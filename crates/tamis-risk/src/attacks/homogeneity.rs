//! Homogeneity: everybody in a class has the same sensitive value.
//!
//! *Definition.* A class (the rows that agree on the quasi-identifiers) is homogeneous if one sensitive value makes up at least the share
//! `share` of it. At 1 all its rows hold the value, and whoever knows that a person is in the class knows the value, whatever k is.
//! Sealed values are nobody's to learn: the share is that among the other rows of the class, whose people are exposed, and a class in
//! which everything is sealed is not homogeneous.
//!
//! *Source.* Machanavajjhala, Gehrke, Kifer and Venkitasubramaniam, l-Diversity: Privacy Beyond k-Anonymity (ICDE 2006).
//!
//! *What a success proves.* k-anonymity does not protect the sensitive value here. l-diversity with l of at least 2 does.
//!
//! *Cost.* Linear in the rows, but for sorting the values within classes.

use super::classes::{Classes, field, visible};
use super::error::setting;
use super::report::{Found, are, counted, everybody, people, percent};
use super::{AttackError, Finding, Report};
use tamis_table::{Table, brief_number};

/// Finds the classes in which one sensitive value has at least the share `share`; describes up to `limit` of them.
pub fn attack(table: &Table, quasi: &[&str], sensitive: &str, share: f64, limit: usize) -> Result<Report, AttackError> {
    if !(share > 0.0 && share <= 1.0) {
        return Err(setting(format!("the share is {}; expected a number above 0 and up to 1", brief_number(share))));
    }
    let classes = Classes::of(table, quasi)?;
    let column = table.column(sensitive)?;
    let histograms = classes.histograms(column);
    let size = |class: usize| visible(&histograms[class]);
    let mut exposed: Vec<(usize, u32, u64)> = classes
        .kept()
        .filter_map(|class| histograms[class].first().map(|&(code, count)| (class, code, count)))
        .filter(|&(class, _, count)| count as f64 >= share * size(class) as f64)
        .collect();
    let certainty = |&(class, _, count): &(usize, u32, u64)| count as f64 / size(class) as f64;
    exposed.sort_by(|a, b| certainty(b).total_cmp(&certainty(a)).then(size(b.0).cmp(&size(a.0))).then(a.0.cmp(&b.0)));
    let mut found = Found::new(limit);
    let mut at_risk = 0;
    for entry in &exposed {
        let &(class, code, count) = entry;
        let size = size(class);
        at_risk += size;
        found.add(|| {
            let (who, learned) = (classes.fields(class), field(sensitive, column.dictionary().text(code)));
            let whom = classes.whom(class, column, &histograms[class]);
            let verb = if size == 1 { "has" } else { "have" };
            let sentence = if count == size {
                format!("{} with {whom} {verb} {}.", everybody(size), learned.phrase())
            } else {
                let share = percent(certainty(entry));
                format!("{count} of the {size} people with {whom} have {} ({share}).", learned.phrase())
            };
            Finding { people: size, probability: certainty(entry), who, learned, sentence }
        });
    }
    let note = classes.note_on_sealed(column, &histograms);
    let (exposed_people, whose) = if note.is_some() { (" exposed,", " whose value is not sealed") } else { ("", "") };
    let alike = if share == 1.0 {
        format!("everybody{whose} has")
    } else if note.is_some() {
        format!("at least {} of those{whose} have", percent(share))
    } else {
        format!("at least {} have", percent(share))
    };
    Ok(Report::new("homogeneity", classes.rows(), at_risk, found)
        .summary(format!(
            "{at_risk} of {} {}{exposed_people} in classes in which {alike} the same {sensitive} ({} of {}).",
            people(classes.rows()),
            are(at_risk),
            exposed.len(),
            counted(classes.kept().count() as u64, "class", "classes")
        ))
        .figure("classes", classes.kept().count())
        .figure("homogeneous_classes", exposed.len())
        .figure("k", classes.k())
        .notes(note))
}
