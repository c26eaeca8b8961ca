use super::table::ALL;
use super::*;

#[test]
fn every_byte_of_every_set_comes_back_both_ways() {
    assert_eq!(ALL.len(), 32);
    for table in ALL.iter() {
        let charset = Charset::named(table.name).unwrap();
        assert_eq!(charset.name(), table.name);
        let mut characters = Vec::new();
        for byte in 0..=255_u8 {
            let mut text = Vec::new();
            let is_decoded = charset.decode_more(&mut vec![byte], true, &mut text);
            let whole = charset.decode(&[byte]).map(Cow::into_owned);
            assert_eq!(whole.is_some(), is_decoded, "{} {byte:02X}", table.name);
            let Some(whole) = whole else { continue };
            assert_eq!(whole.as_bytes(), text);
            assert!(whole.chars().all(|character| charset.has(character)));
            assert_eq!(charset.encode(&whole).as_deref(), Some(&[byte][..]), "{} {byte:02X}", table.name);
            assert_eq!(charset.encode_all(whole.clone()), [byte]);
            characters.push(whole);
        }
        let count = characters.len();
        assert!(count >= 128);
        characters.sort();
        characters.dedup();
        assert_eq!(characters.len(), count, "{}: two bytes are one character", table.name);
    }
}

#[test]
fn a_name_means_what_its_standard_says() {
    for label in ["ISO-8859-1", "latin1", "L1", "cp819"] {
        let latin = Charset::named(label).unwrap();
        assert_eq!(latin.name(), "ISO-8859-1");
        for byte in 0..=255_u8 {
            assert_eq!(latin.decode(&[byte]).unwrap().chars().next(), Some(char::from(byte)));
        }
    }
    assert!(Charset::named("windows-1252").unwrap().has('€'));
    assert!(!Charset::named("ISO-8859-9").unwrap().has('€') && Charset::named("windows-1254").unwrap().has('€'));
    for label in ["US-ASCII", "ascii"] {
        assert!(!Charset::named(label).unwrap().has('ó'));
        assert_eq!(Charset::named(label).unwrap().decode(b"\xf3"), None);
    }
}

#[test]
fn polish_letters_stand_where_their_standard_puts_them() {
    // ISO/IEC 8859-2 and windows-1250 differ in ą (B1 and B9).
    for (label, byte) in [("ISO-8859-2", 0xB1), ("windows-1250", 0xB9), ("cp1250", 0xB9)] {
        assert_eq!(Charset::named(label).unwrap().encode("ą").as_deref(), Some(&[byte][..]));
        assert_eq!(Charset::named(label).unwrap().encode("日"), None);
    }
}

#[test]
fn sets_with_several_forms_of_a_character_are_refused() {
    for label in ["Shift_JIS", "GBK", "ISO-2022-JP", "UTF-7", "UTF-16", "UTF-16LE", "x-user-defined", "no\nsuch", ""] {
        let refused = Charset::named(label).unwrap_err().to_string();
        let label = label.replace('\n', "");
        let sentence =
            format!("the encoding \"{label}\" is not offered: convert the document to UTF-8, or name one of ");
        assert!(refused.starts_with(&sentence), "{refused}");
    }
    // What the sentence offers.
    let parts = (1..=11).chain(13..=16).map(|part| format!("ISO-8859-{part}"));
    let pages = (1250..=1258).map(|page| format!("windows-{page}"));
    let others = ["US-ASCII", "windows-874", "IBM866", "KOI8-R", "KOI8-U", "macintosh", "x-mac-cyrillic"];
    for name in parts.chain(pages).chain(others.map(str::to_owned)) {
        assert_eq!(Charset::named(&name).unwrap().name(), name);
    }
}

#[test]
fn utf_16_waits_for_the_other_half_of_a_character() {
    let (mut raw, mut text) = (Vec::new(), Vec::new());
    for byte in [0xD8, 0x3D, 0xDE, 0x00] {
        raw.push(byte);
        assert!(Charset::UTF_16_BE.decode_more(&mut raw, false, &mut text));
    }
    assert_eq!(text, "😀".as_bytes());
    assert!(!Charset::UTF_16_BE.decode_more(&mut vec![0xD8, 0x3D], true, &mut text));
    assert!(!Charset::UTF_16_BE.decode_more(&mut vec![0xDE, 0x00, 0, 0x41], false, &mut text));
    for wide in [Charset::UTF_16_BE, Charset::UTF_16_LE] {
        assert_eq!(wide.decode(&wide.encode("aó😀").unwrap()).as_deref(), Some("aó😀"));
    }
}
