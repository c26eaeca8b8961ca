use proptest::prelude::*;

use super::*;

const OURS: &str = r#"<UCRYPT cipher="A256GCM" v="1" pol="p7Q2" ep="1" kid="kZ3bQ9xA" bind="rf">AAEC</UCRYPT>"#;

fn read(text: &str) -> Result<Marker, MarkerError> {
    MarkerReader::new("UCRYPT").read(text)
}

#[test]
fn what_is_written_reads_back_to_the_same_text() {
    assert_eq!(read(OURS).unwrap().to_text("UCRYPT"), OURS);
}

#[test]
fn attributes_come_in_any_order_quotes_and_spacing() {
    let other =
        "\n <UCRYPT\n bind = 'rf' kid='kZ3bQ9xA' ep=\"1\" pol='p7Q2' v='1' cipher='A256GCM' >\n\t AAEC \r\n</UCRYPT > ";
    assert_eq!(read(other), read(OURS));
}

#[test]
fn cells_of_figure_9_are_foreign_but_recognised() {
    let marker = read("<UCRYPT> AAFGHA </UCRYPT>").unwrap();
    assert_eq!(*marker.attributes, Attributes::default());
    assert_eq!(marker.body, "AAFGHA");
}

#[test]
fn white_space_around_the_body_may_be_written_as_references() {
    assert_eq!(read("<UCRYPT>&#32;\n&#x9;AAFGHA&#10;</UCRYPT>").unwrap().body, "AAFGHA");
}

#[test]
fn an_empty_element_is_a_cell_with_an_empty_body() {
    assert_eq!(read("<UCRYPT cipher='x'/>").unwrap().body, "");
    assert_eq!(read("<UCRYPT/>").unwrap().body, "");
}

#[test]
fn unknown_attributes_are_kept_in_their_order() {
    let marker = read("<UCRYPT z='1' cipher='x' a='&lt;&#x41;'>A</UCRYPT>").unwrap();
    let kept = [("z".to_owned(), "1".to_owned()), ("a".to_owned(), "<A".to_owned())];
    assert_eq!(marker.attributes.others, kept);
}

#[test]
fn the_element_name_is_free() {
    let mut reader = MarkerReader::new("Zastrzeżone");
    assert!(reader.read("<Zastrzeżone cipher='x'>AAEC</Zastrzeżone>").is_ok());
    assert_eq!(reader.read(OURS), Err(MarkerError::NotAMarker));
}

#[test]
fn what_is_not_well_formed_is_named() {
    use MarkerError::*;
    let cases = [
        ("<CRYPT cipher=\"szyfr1\">MBJKLO</UCRYPT>", NotAMarker),
        ("<UCRYPTED>A</UCRYPTED>", NotAMarker),
        ("UCRYPT", NotAMarker),
        ("", NotAMarker),
        ("<UCRYPT", NotAMarker),
        ("<UCRYPT ", StartTag),
        ("<UCRYPT cipher=\"x", StartTag),
        ("<UCRYPT cipher=\"x\"v=\"1\">A</UCRYPT>", StartTag),
        ("<UCRYPT cipher=x>A</UCRYPT>", StartTag),
        ("<UCRYPT cipher>A</UCRYPT>", StartTag),
        ("<UCRYPT ='x'>A</UCRYPT>", StartTag),
        ("<UCRYPT a='<'>A</UCRYPT>", StartTag),
        ("<UCRYPT v='' v='1'>A</UCRYPT>", DoubledAttribute),
        ("<UCRYPT a='&bomb;'>A</UCRYPT>", Reference),
        ("<UCRYPT>&#xD800;</UCRYPT>", Reference),
        ("<UCRYPT>", EndTag),
        ("<UCRYPT>AAEC", EndTag),
        ("<UCRYPT>AAEC</CRYPT>", EndTag),
        ("<UCRYPT>AAEC</UCRYPT>x", Beside),
        ("<UCRYPT/>x", Beside),
        ("<UCRYPT>A<b/>B</UCRYPT>", NotText),
        ("<UCRYPT><!-- A --></UCRYPT>", NotText),
    ];
    for (text, error) in cases {
        assert_eq!(read(text), Err(error), "{text}");
    }
    let long = format!("<UCRYPT a='{}'>A</UCRYPT>", "x".repeat(LONGEST_HEAD));
    assert_eq!(read(&long), Err(StartTag));
}

#[test]
fn a_cell_cut_off_is_broken_and_the_bare_word_is_not() {
    let mut reader = MarkerReader::new("UCRYPT");
    for end in 15..OURS.len() {
        assert!(reader.broken(&OURS[..end]).is_some(), "{}", &OURS[..end]);
    }
    for text in [OURS, "<UCRYPT>", "<UCRYPT> is a tag", "<UCRYPT", "Nowotwór"] {
        assert_eq!(reader.broken(text), None, "{text}");
    }
}

#[test]
fn a_cell_with_something_beside_it_is_broken_and_an_element_without_version_is_text() {
    let mut reader = MarkerReader::new("UCRYPT");
    let cut = &OURS[..60];
    for text in [
        format!("foo{OURS}"),
        format!("{OURS}bar"),
        format!(" {OURS}\n{OURS} "),
        format!("<UCRYPT>AA</UCRYPT>{OURS}"),
        format!("<{OURS}"),
        format!("<UCRYPT {OURS}"),
        format!("foo {cut}"),
        "see <UCRYPT\tv = '1'\npol='p'/>".to_owned(),
    ] {
        assert!(reader.broken(&text).is_some(), "{text}");
    }
    for text in [
        "foo<UCRYPT>",
        "foo<UCRYPT>AA</UCRYPT>bar",
        "foo <UCRYPT cipher='szyfr1'>MBJKLO</UCRYPT>",
        "<UCRYPT cipher='szyfr1'>MBJKLO</UCRYPT> foo",
        "<UCRYPT cipher='szyfr1'/> foo",
        "<UCRYPTED v='1' pol='p'>",
        "foo <UCRYPT> v='1' pol='p'",
        "foo <UCRYPT vv='1' repol='p'>",
        "foo <UCRYPT text=\" v='1' pol='p'\">",
        "<OTHER v='1' pol='p'>A</OTHER>",
        "<<<<UCRYPT",
    ] {
        assert_eq!(reader.broken(text), None, "{text}");
    }
}

#[test]
fn a_cell_whose_brackets_are_still_escaped_is_broken() {
    let mut reader = MarkerReader::new("UCRYPT");
    let escaped = OURS.replace('<', "&lt;").replace('>', "&gt;");
    for text in [
        escaped.clone(),
        format!("foo {escaped} bar"),
        escaped.replace('"', "&quot;"),
        escaped.replace('&', "&amp;"),
        escaped.replace("&lt;", "&#60;"),
        escaped.replace("&lt;", "&#x3c;").replace("&gt;", ">"),
    ] {
        assert_eq!(reader.broken(&text), Some(MarkerError::Escaped), "{text}");
        assert_eq!(reader.broken_xml(&text), None, "{text}");
    }
    for text in
        ["&lt;UCRYPT&gt;", "&lt;UCRYPT cipher='c'&gt;AA&lt;/UCRYPT&gt;", "&lt;UCRYPT &gt; v= pol=", "&UCRYPT v= pol="]
    {
        assert_eq!(reader.broken(text), None, "{text}");
    }
}

#[test]
fn a_cell_whose_start_tag_was_cut_off_or_edited_is_broken() {
    let mut reader = MarkerReader::new("UCRYPT");
    let ours = OURS.replace("AAEC", &"AAEC".repeat(20));
    let body = ours.find("AAEC").unwrap();
    for text in [
        ours[body..].to_owned(),
        ours[body - 20..].to_owned(),
        format!("{}\n", &ours[1..]),
        ours.replace("<UCRYPT", "<UCRPT"),
        ours.replace("<UCRYPT", "<ucrypt"),
        ours.replace("</UCRYPT>", " </UCRYPT >").replacen("<UCRYPT", "UCRYPT", 1),
    ] {
        assert_eq!(reader.broken(&text), Some(MarkerError::StartTag), "{text}");
    }
    let base64 = "A".repeat(80);
    for text in [
        format!("{base64}</UCRYPTED>"),
        "see </UCRYPT>".to_owned(),
        format!("{base64} and more</UCRYPT>"),
        format!("a cell of another tool: <UCRYPT>{base64}</UCRYPT>"),
        format!("{base64}</UCRYPT> and more"),
    ] {
        assert_eq!(reader.broken(&text), None, "{text}");
    }
}

#[test]
fn no_text_is_both_a_cell_and_broken() {
    let mut reader = MarkerReader::new("UCRYPT");
    for name in ["_x", ":x", "é", "Z"] {
        let text = OURS.replace("cipher=", &format!("{name}="));
        assert!(reader.read(&text).is_ok() && reader.broken(&text).is_none(), "{text}");
    }
    for name in ["2cipher", "-c", ".c", ""] {
        let text = OURS.replace("cipher=", &format!("{name}="));
        assert_eq!(
            (reader.read(&text).err(), reader.broken(&text)),
            (Some(MarkerError::StartTag), Some(MarkerError::StartTag)),
            "{text}"
        );
    }
}

#[test]
fn a_reader_does_not_mix_up_neighbours() {
    let mut reader = MarkerReader::new("UCRYPT");
    let first = reader.read(OURS).unwrap();
    let second = reader.read(&OURS.replace("p7Q2", "p7Q3")).unwrap();
    assert!(reader.read("<UCRYPT a=>A</UCRYPT>").is_err());
    let third = reader.read(&OURS.replace("p7Q2", "p7Q3").replace("AAEC", "AAED")).unwrap();
    assert_eq!(first.attributes.pol, "p7Q2");
    assert_eq!(second.attributes.pol, "p7Q3");
    assert!(Arc::ptr_eq(&second.attributes, &third.attributes));
}

proptest! {
    #[test]
    fn any_marker_survives_its_text(
        values in prop::collection::vec("[^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f]{1,12}", 7),
        body in "[!-~ąć]{0,40}",
        single in any::<bool>(),
    ) {
        let mut values = values.into_iter();
        let mut next = || values.next().unwrap();
        let attributes = Attributes {
            cipher: next(), v: Some(next()), pol: next(), ep: next(), kid: next(), bind: next(),
            others: vec![("xml:lang".into(), next())],
        };
        let marker = Marker { attributes: Arc::new(attributes), body };
        let mut text = marker.to_text("UCRYPT");
        if single && !text.contains('\'') {
            text = text.replace('"', "'");
        }
        prop_assert_eq!(read(&text).unwrap(), marker);
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "[<>/='\"&;#xUCRYPTv1 \n]{0,60}") {
        let mut reader = MarkerReader::new("UCRYPT");
        let alone = reader.read(&text);
        let behind = reader.read(&format!("<UCRYPT {text}"));
        prop_assert!(alone.is_err() || starts_marker(&text, "UCRYPT"));
        prop_assert!(behind.is_err() || text.contains('>'));
    }

    #[test]
    fn what_was_read_before_changes_nothing(
        parts in prop::collection::vec(prop::collection::vec(prop::sample::select(vec![
            "<UCRYPT", " v='1'", " v=\"1\"", " pol='>'", " a='</UCRYPT>'", "/", ">", "AA==", "&#65;", "&", "</UCRYPT>", " ", "'",
        ]), 0..7), 1..6),
    ) {
        let mut reader = MarkerReader::new("UCRYPT");
        for text in parts.into_iter().map(|parts| format!("<UCRYPT{}", parts.concat())) {
            for text in [format!("{text}>AA==</UCRYPT>"), text] {
                prop_assert_eq!(reader.read(&text), read(&text), "{}", text);
            }
        }
    }
}
