//! Encodings.

use super::*;

fn utf16(text: &str, big: bool) -> Vec<u8> {
    text.encode_utf16().flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
}

/// ISO/IEC 8859-2 and windows-1250, as far as the tests go.
fn bytes(text: &str, windows: bool) -> Vec<u8> {
    let byte = |character| match (character, windows) {
        ('ó', _) => 0xF3,
        ('ż', _) => 0xBF,
        ('ą', false) => 0xB1,
        ('ą', true) => 0xB9,
        ('€', true) => 0x80,
        _ if character.is_ascii() => character as u8,
        _ => panic!("{character}"),
    };
    text.chars().map(byte).collect()
}

fn documents() -> Vec<(&'static str, Vec<u8>)> {
    let document = |encoding: &str| {
        format!(
            "<?xml version=\"1.0\" encoding=\"{encoding}\"?>\n<r><!-- ąó --><p id='ż'><a>ążó</a><ą b='ą'/></p>ó</r>\n"
        )
    };
    let utf8 = document("utf-8");
    vec![
        ("no declaration", "<r><p id='ż'><a>😀</a></p></r>".into()),
        ("UTF-8", utf8.clone().into_bytes()),
        ("UTF-8 with a mark", format!("\u{FEFF}{utf8}").into_bytes()),
        ("UTF-16 little", utf16(&format!("\u{FEFF}{}", document("UTF-16")), false)),
        ("UTF-16 big", utf16(&format!("\u{FEFF}{}", document("UTF-16")), true)),
        ("UTF-16 without a mark", utf16(&document("UTF-16LE").replace('ó', "😀"), false)),
        ("UTF-16 without a mark, big", utf16(&document("UTF-16BE"), true)),
        ("ISO-8859-2", bytes(&document("ISO-8859-2"), false)),
        ("windows-1250", bytes(&document("windows-1250").replace("ąó", "€"), true)),
    ]
}

#[test]
fn every_encoding_comes_back_byte_for_byte() {
    for (name, document) in documents() {
        let watch = Watch::default();
        let (copy, _) = rewrite(&document, &selectors(&["a"]), &watch, 1).unwrap();
        assert_eq!(copy, document, "{name}");
        let seen = watch.0.into_inner().unwrap();
        assert_eq!(seen[0].0, "t ż a", "{name}");
        assert!(["text ążó", "text 😀", "text ąż😀"].contains(&seen[0].1.as_str()), "{name} {seen:?}");

        let (sealed, tally) = rewrite(&document, &selectors(&["a", "ą/@b"]), &Hide, 2).unwrap();
        assert!(sealed.len() > document.len() && tally.changed > 0, "{name}");
        let (opened, _) = rewrite(&sealed, &selectors(&["a", "ą/@b"]), &Show, 2).unwrap();
        assert_eq!(opened, document, "{name}");
    }
}

#[test]
fn what_the_encoding_does_not_have_becomes_a_reference() {
    struct Euro;
    impl Treatment for Euro {
        type Refusal = String;
        fn field(&self, place: Place<'_>, _: &Content<'_>) -> Result<Outcome, String> {
            Ok(match place.field {
                "a" => Outcome::Text("ą€".into()),
                "b" => Outcome::Fragment("ą€".into()),
                _ => Outcome::Fragment("<c>€</c>".into()),
            })
        }
    }
    let document = bytes("<?xml version='1.0' encoding='iso-8859-2'?><r><p id='1'><a/><b/></p></r>", false);
    let (output, _) = rewrite(&document, &selectors(&["a", "b"]), &Euro, 1).unwrap();
    assert!(output.ends_with(b"<a>\xB1&#8364;</a><b>\xB1&#8364;</b></p></r>"), "{output:?}");
    let document = bytes("<?xml version='1.0' encoding='iso-8859-2'?><r><p id='1'><c/></p></r>", false);
    let refused = rewrite(&document, &selectors(&["c"]), &Euro, 1);
    assert!(matches!(refused, Err(RewriteError::Xml(XmlError::Malformed { problem: Problem::Unfit { .. }, .. }))));
}

#[test]
fn bytes_that_the_encoding_does_not_know_are_refused() {
    let none = selectors(&["a"]);
    let not = |name| Problem::NotEncoded(name);
    assert_eq!(refused(&b"<r>\n<p>\xFF</p></r>"[..], &none), (2, 4, not("UTF-8")));
    assert_eq!(refused(&b"<r>\n<m>\xC5</m></r>"[..], &none), (2, 4, not("UTF-8")));
    assert_eq!(refused(&b"<r><p>\xED\xA0\x80</p></r>"[..], &none).2, not("UTF-8"));
    assert_eq!(refused(&b"<?xml version='1.0' encoding='US-ASCII'?><r>\xF3</r>"[..], &none).2, not("US-ASCII"));
    let lone: Vec<u8> = [0xFEFF, 0x3C, 0x72, 0x3E, 0xD800, 0x3C, 0x2F, 0x72, 0x3E]
        .iter()
        .flat_map(|unit: &u16| unit.to_be_bytes())
        .collect();
    assert_eq!(refused(lone.as_slice(), &none).2, not("UTF-16"));
    let mut odd = utf16("\u{FEFF}<r></r>", true);
    odd.push(0);
    assert_eq!(refused(odd.as_slice(), &none).2, not("UTF-16"));
}

#[test]
fn a_declaration_must_fit_the_bytes() {
    let none = selectors(&["a"]);
    let declared = |encoding: &str| format!("<?xml version='1.0' encoding='{encoding}'?><r/>");
    for document in [
        declared("UTF-16").into_bytes(),
        format!("\u{FEFF}{}", declared("ISO-8859-2")).into_bytes(),
        utf16(&format!("\u{FEFF}{}", declared("UTF-8")), false),
    ] {
        assert!(matches!(refused(document.as_slice(), &none).2, Problem::OtherEncoding { .. }));
    }
    for document in [declared("Shift_JIS").into_bytes(), b"\0\0\0<\0\0\0r".to_vec(), b"\x4C\x6F\xA7\x94".to_vec()] {
        assert!(matches!(refused(document.as_slice(), &none).2, Problem::UnknownEncoding(_)));
    }
}

#[test]
fn bytes_that_are_no_text_are_named_by_their_place() {
    let wide: Vec<u8> = "<r>\n<p/>".encode_utf16().flat_map(u16::to_be_bytes).chain([0xD8, 0, 0, b'<']).collect();
    let ascii = [b"<?xml version='1.0' encoding='US-ASCII'?>\n<r>\n a".as_slice(), b"\xF3</r>"].concat();
    for (document, line, column, name) in [
        ([b"\xFE\xFF".as_slice(), &wide].concat(), 2, 5, "UTF-16"),
        (ascii, 3, 3, "US-ASCII"),
        (b"<r>\n \xF3</r>".to_vec(), 2, 2, "UTF-8"),
    ] {
        assert_eq!(refused(document.as_slice(), &selectors(&[])), (line, column, Problem::NotEncoded(name)));
    }
}
