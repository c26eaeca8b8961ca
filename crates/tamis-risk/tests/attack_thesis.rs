//! The attacks on the tables of the thesis that describes them, and on the example of Wong et al. (2007).

use crate::attack_tables;

use attack_tables::{file, hierarchies, number, rows, table};
use tamis_risk::attacks::downcoding::Recoding;
use tamis_risk::attacks::{
    AttackError, LabelsByColumn, background, complementary, homogeneity, linkage, minimality, similarity, skewness,
    unsorted,
};

const CLASS: [&str; 2] = ["Edad", "Codigo postal"];

fn fields(fields: &tamis_risk::attacks::Fields) -> Vec<&str> {
    fields.0.iter().map(|(_, value)| value.as_str()).collect()
}

#[test]
fn thesis_table_1_one_person_of_the_census_is_re_identified() -> Result<(), AttackError> {
    let (released, census) = (file("thesis_table_1_private.csv"), file("thesis_table_1_census.csv"));
    let options = linkage::Options { identify: Some("Nombre"), limit: 10, ..linkage::Options::default() };
    let report = linkage::attack(&released, &census, &["Sexo", "Nacimiento", "Codigo postal"], &options)?;
    assert_eq!((report.people, report.at_risk), (4, 1));
    assert_eq!(fields(&report.findings[0].who), ["Acosta Pizarro Omar Demetrio"]);
    assert_eq!(fields(&report.findings[0].learned), ["Divorciado/a", "Fonasa", "Cáncer", "628.030"]);
    let candidates =
        linkage::candidates(&released, &census, &["Sexo", "Nacimiento", "Codigo postal"], &LabelsByColumn::new())?;
    assert_eq!(candidates, [0, 2, 1, 2]);
    Ok(())
}

#[test]
fn thesis_table_10_two_releases_in_the_same_order_give_the_private_table() -> Result<(), AttackError> {
    let (first, second) = (file("thesis_table_10_first_release.csv"), file("thesis_table_10_second_release.csv"));
    let private = file("thesis_table_10_private.csv");
    let labels =
        hierarchies(&[("Etnia", "thesis_table_10_ethnicity.csv"), ("C. Postal", "thesis_table_10_postal_code.csv")]);
    for labels in [labels, LabelsByColumn::new()] {
        let options = unsorted::Options { labels, original: Some(&private), ..unsorted::Options::default() };
        let (combined, report) = unsorted::attack(&first, &second, &options)?;
        assert_eq!(rows(&combined), rows(&private));
        assert_eq!((report.people, report.at_risk), (12, 12));
        assert_eq!((number(&report, "k_of_releases"), number(&report, "k_combined")), (2.0, 1.0));
    }
    Ok(())
}

#[test]
fn thesis_table_10_shuffled_the_releases_contradict_each_other() -> Result<(), AttackError> {
    let (first, second) = (file("thesis_table_10_first_release.csv"), file("thesis_table_10_second_release.csv"));
    let shuffled = second.select(&[3, 0, 11, 6, 5, 1, 9, 2, 4, 10, 8, 7]);
    let (_, report) = unsorted::attack(&first, &shuffled, &unsorted::Options::default())?;
    assert_eq!((report.at_risk, report.figures["same_order"].as_bool()), (0, Some(false)));
    Ok(())
}

/// The postal codes and the other hierarchies from which both releases of Table 11 were made.
fn table_11() -> LabelsByColumn {
    hierarchies(&[
        ("Etnia", "thesis_table_10_ethnicity.csv"),
        ("Nacimiento", "thesis_table_11_birth.csv"),
        ("Sexo", "thesis_table_11_sex.csv"),
        ("C. Postal", "thesis_table_10_postal_code.csv"),
    ])
}

// The running text prints 05345 and "hipertención" for the second tuple; the tables have 05346 and hipertensión. The linking table heads
// its second column "C. Postal", but it holds the year of birth.
#[test]
fn thesis_table_11_the_linking_table_has_two_unique_tuples() -> Result<(), AttackError> {
    let (first, second) = (file("thesis_table_11_first_release.csv"), file("thesis_table_11_second_release.csv"));
    let options = complementary::Options {
        on: vec!["Problema"],
        labels: table_11(),
        limit: 10,
        ..complementary::Options::default()
    };
    let (linking, report) = complementary::attack(&first, &second, &options)?;
    assert_eq!(rows(&linking), rows(&file("thesis_table_11_linking_table.csv")));
    let unique: Vec<Vec<&str>> =
        report.findings.iter().map(|finding| [fields(&finding.who), fields(&finding.learned)].concat()).collect();
    assert_eq!(
        unique,
        [
            ["rapanui", "1964", "masculino", "05345", "falta de aliento"],
            ["rapanui", "1965", "femenino", "05346", "hipertensión"]
        ]
    );
    assert_eq!((number(&report, "k_first"), number(&report, "k_second"), number(&report, "unique")), (2.0, 2.0, 2.0));
    assert_eq!(number(&report, "uncertain_links"), 2.0, "obesidad fits in two ways");
    Ok(())
}

#[test]
fn thesis_table_11_the_order_of_rows_does_not_matter_for_the_unique_tuples() -> Result<(), AttackError> {
    let (first, second) = (file("thesis_table_11_first_release.csv"), file("thesis_table_11_second_release.csv"));
    let shuffled = second.select(&[8, 3, 11, 6, 5, 1, 9, 2, 4, 10, 0, 7]);
    let options = complementary::Options {
        on: vec!["Problema"],
        labels: table_11(),
        limit: 10,
        ..complementary::Options::default()
    };
    let (_, straight) = complementary::attack(&first, &second, &options)?;
    let (_, report) = complementary::attack(&first, &shuffled, &options)?;
    assert_eq!(report.findings, straight.findings);
    Ok(())
}

#[test]
fn thesis_table_12_the_young_of_054_all_have_the_flu() -> Result<(), AttackError> {
    let report = homogeneity::attack(&file("thesis_table_12_homogeneity.csv"), &CLASS, "Problema", 1.0, 10)?;
    assert_eq!((report.people, report.at_risk, report.findings.len()), (12, 3, 1));
    assert_eq!(fields(&report.findings[0].who), ["< 50", "054**"]);
    assert_eq!(fields(&report.findings[0].learned), ["gripe"]);
    let nearly = homogeneity::attack(&file("thesis_table_12_homogeneity.csv"), &CLASS, "Problema", 0.6, 10)?;
    assert_eq!(nearly.at_risk, 9);
    Ok(())
}

#[test]
fn thesis_table_13_without_vomiting_the_old_of_054_have_back_pain() -> Result<(), AttackError> {
    let options = background::Options {
        knowledge: background::Knowledge::RulesOut(vec!["vómitos"]),
        only: vec![("Edad", "≥ 50"), ("Codigo postal", "054**")],
        confidence: 1.0,
        limit: 10,
    };
    let report = background::attack(&file("thesis_table_12_homogeneity.csv"), &CLASS, "Problema", &options)?;
    assert_eq!((report.people, report.at_risk), (3, 3));
    assert_eq!(fields(&report.findings[0].learned), ["dolor de espalda"]);
    assert_eq!(report.findings[0].probability, 1.0);
    Ok(())
}

/// The table of section 2.2.2: one in a hundred is positive; one class has as many positive as negative, one 49 and 1.
#[test]
fn thesis_section_2_2_2_a_diverse_class_can_make_a_rare_value_likely() -> Result<(), AttackError> {
    let mut people = Vec::new();
    for (class, positive, negative) in [("half", 25, 25), ("most", 49, 1), ("few", 1, 49), ("rest", 25, 9825)] {
        people.extend(std::iter::repeat_n(vec![class, "positive"], positive));
        people.extend(std::iter::repeat_n(vec![class, "negative"], negative));
    }
    let options = skewness::Options { factor: 2.0, gain: 0.1, reference: None, values: vec![], limit: 10 };
    let report = skewness::attack(&table(&["class", "test"], &people), &["class"], "test", &options)?;
    let found: Vec<(Vec<&str>, f64)> =
        report.findings.iter().map(|finding| (fields(&finding.who), finding.probability)).collect();
    assert_eq!(found, [(vec!["most"], 0.98), (vec!["half"], 0.5)]);
    assert!((number(&report, "largest_factor") - 98.0).abs() < 1e-9);
    assert!((number(&report, "largest_gain") - 0.97).abs() < 1e-9);
    Ok(())
}

// The printed table lacks the column of salaries that its text speaks of; they are those of Li et al. (2007), from which the table is taken.
#[test]
fn thesis_table_16_the_first_class_has_low_salaries_and_stomach_diseases() -> Result<(), AttackError> {
    let released = file("thesis_table_16_similarity.csv");
    for (column, name, meaning) in
        [("Salario", "thesis_table_16_salary.csv", "[3-5]"), ("Enfermedad", "thesis_table_16_disease.csv", "estómago")]
    {
        let labels = hierarchies(&[(column, name)]);
        let report = similarity::attack(&released, &CLASS, column, &labels[column], None, 10)?;
        assert_eq!((report.people, report.at_risk, report.findings.len()), (9, 3, 1));
        assert_eq!(fields(&report.findings[0].who), ["40", "0538*"]);
        assert_eq!(fields(&report.findings[0].learned), [meaning]);
    }
    Ok(())
}

fn wong(recoding: Recoding) -> minimality::Options<'static> {
    minimality::Options {
        labels: hierarchies(&[("QID", "wong_2007_qid.csv")]),
        l: 2.0,
        k: 1,
        values: vec!["HIV"],
        recoding,
        limit: 10,
    }
}

#[test]
fn wong_2007_only_two_sick_people_with_q1_explain_why_everybody_was_generalized() -> Result<(), AttackError> {
    let (released, people) = (file("wong_2007_release.csv"), file("wong_2007_people.csv"));
    let report = minimality::attack(&released, &people, &["QID"], "Disease", &wong(Recoding::Global))?;
    assert_eq!((report.people, report.at_risk), (7, 2));
    assert_eq!(fields(&report.findings[0].who), ["q1"]);
    assert_eq!(report.findings[0].probability, 1.0);
    Ok(())
}

#[test]
fn wong_2007_the_same_follows_if_only_some_rows_were_generalized() -> Result<(), AttackError> {
    let (released, people) = (file("wong_2007_local_release.csv"), file("wong_2007_local_people.csv"));
    let report = minimality::attack(&released, &people, &["QID"], "Disease", &wong(Recoding::Local))?;
    assert_eq!((report.people, report.at_risk), (6, 2));
    assert_eq!(report.findings[0].probability, 1.0);
    let global = minimality::attack(&released, &people, &["QID"], "Disease", &wong(Recoding::Global));
    assert!(global.is_err_and(|error| error.to_string().contains("different levels")));
    Ok(())
}
