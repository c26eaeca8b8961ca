//! Columns flagged by name and content, and columns left alone.

use tamis_risk::hipaa::{Flag, Identifier, flags};
use tamis_table::{ColumnBuilder, Table, TableError};

fn flags_of(name: &str, values: &[String]) -> Result<Vec<Flag>, TableError> {
    let mut builder = ColumnBuilder::new(name);
    values.iter().try_for_each(|value| builder.push(value))?;
    Ok(flags(&Table::new(vec![builder.finish()])?))
}

fn of_texts(values: &[&str]) -> Vec<String> {
    values.iter().map(|&value| value.to_owned()).collect()
}

#[test]
fn contents_are_recognised_under_any_name() -> Result<(), TableError> {
    for (identifier, values) in [
        (Identifier::Email, ["a@b.org", "c.d@e.cl", ""]),
        (Identifier::Url, ["https://a.org/x", "www.site.com", "-"]),
        (Identifier::IpAddress, ["10.0.0.1", "fe80::1", ""]),
        (Identifier::SocialSecurity, ["123-45-6789", "", ""]),
        (Identifier::SocialSecurity, ["12.345.678-5", "7.654.321-6", "-"]),
        (Identifier::SocialSecurity, ["44051401359", "02070803628", ""]),
        (Identifier::Account, ["4111 1111 1111 1111", "378282246310005", ""]),
        (Identifier::Account, ["DE89370400440532013000", "", "none"]),
        (Identifier::Date, ["2020-01-31", "1999-12-24", "2020"]),
        (Identifier::Phone, ["+56 9 8765 4321", "(212) 555-0123", ""]),
        (Identifier::Geography, ["05403", "10027", "94110-1234"]),
    ] {
        let found = flags_of("x", &of_texts(&values))?;
        assert_eq!(found.iter().map(|flag| flag.identifier).collect::<Vec<_>>(), [identifier], "{values:?}: {found:?}");
        assert!(found[0].share.is_some_and(|share| share > 0.3));
    }
    Ok(())
}

#[test]
fn ages_over_89_and_values_of_ones_own() -> Result<(), TableError> {
    let ages: Vec<String> = (60..100).map(|age| age.to_string()).collect();
    let found = flags_of("age", &ages)?;
    assert_eq!((found[0].identifier, found[0].share), (Identifier::Date, Some(0.25)));
    assert!(flags_of("age", &ages[..20])?.iter().all(|flag| flag.identifier != Identifier::Date));
    let codes: Vec<String> = (0..50).map(|code| format!("K{}", code * 37)).collect();
    let found = flags_of("kit", &codes)?;
    assert_eq!((found[0].identifier, found[0].share), (Identifier::OtherUnique, Some(1.0)));
    Ok(())
}

#[test]
fn a_name_and_a_content_that_agree_are_one_flag() -> Result<(), TableError> {
    let found = flags_of("e-mail", &of_texts(&["a@b.org", "c@d.org"]))?;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].reason, "values are e-mail addresses; its name says `mail`");
    Ok(())
}

#[test]
fn harmless_columns_are_left_alone() -> Result<(), TableError> {
    for (name, values) in [
        ("sex", of_texts(&["male", "female", "male"])),
        ("year", of_texts(&["2019", "2020", "2021"])),
        ("age", of_texts(&["39", "40-49", "*"])),
        ("weight", (0..60).map(|n| format!("{}.{}", 50 + n, n)).collect()),
        ("salary", of_texts(&["18500", "41200", "1000"])),
        ("empty", of_texts(&["", ""])),
    ] {
        assert_eq!(flags_of(name, &values)?, [], "{name}");
    }
    Ok(())
}

#[test]
fn the_rule_has_eighteen_letters_and_a_remedy_for_each() {
    let letters: String = Identifier::ALL.iter().map(|identifier| identifier.letter()).collect();
    assert_eq!(letters, "ABCDEFGHIJKLMNOPQR");
    assert!(
        Identifier::ALL.iter().all(|identifier| !identifier.meaning().is_empty() && !identifier.remedy().is_empty())
    );
}
