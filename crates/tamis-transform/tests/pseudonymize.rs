//! Pseudonyms against HMAC-SHA-256 written out as RFC 2104 defines it.

use crate::desk;

use desk::{Memory, apply_with, cells, lines, names, refusal};
use sha2::{Digest, Sha256};
use tamis_table::Table;
use tamis_transform::TransformError;
use tamis_transform::kinds::pseudonymize::{Alphabet, Pseudonymize};

const KEY: &[u8] = b"0123456789abcdef0123456789abcdef";

/// H((key xor 5c..) || H((key xor 36..) || message)) for keys of up to a block.
fn hmac(key: &[u8], message: &[u8]) -> Vec<u8> {
    let padded = |pad: u8| -> Vec<u8> { (0..64).map(|at| key.get(at).copied().unwrap_or(0) ^ pad).collect() };
    let inner = Sha256::digest([padded(0x36), message.to_vec()].concat());
    Sha256::digest([padded(0x5c), inner.to_vec()].concat()).to_vec()
}

fn joined(bytes: &[u8], spelled: impl Fn(u8) -> String) -> String {
    bytes.iter().map(|&byte| spelled(byte)).collect::<Vec<_>>().concat()
}

#[test]
fn the_twin_is_that_of_rfc_4231() {
    // Test case 2 of RFC 4231.
    let hash = hmac(b"Jefe", b"what do ya want for nothing?");
    let text = joined(&hash, |byte| format!("{byte:02x}"));
    assert_eq!(text, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

fn step(columns: &[&str]) -> Pseudonymize {
    Pseudonymize { columns: names(columns), key_file: "key".to_owned(), ..Pseudonymize::default() }
}

fn under(key: &[u8], step: &Pseudonymize, table: &Table) -> Result<Table, TransformError> {
    let files = Memory { keys: [("key", key.to_vec())].into(), ..Memory::default() };
    apply_with(step, table, 1, &files).map(|mut output| output.tables.remove(0).table)
}

#[test]
fn a_pseudonym_is_a_keyed_hash_of_context_and_value() {
    let table = lines("name", &["Ada", "", "Ada", "Zoë"]);
    let hex = Pseudonymize { alphabet: Alphabet::Hex, length: Some(64), ..step(&["name"]) };
    let after = cells(&under(KEY, &hex, &table).expect("pseudonyms"), "name");
    let expected = |value: &str| -> String {
        let message = [&4u64.to_be_bytes()[..], b"name", value.as_bytes()].concat();
        joined(&hmac(KEY, &message), |byte| format!("{byte:02x}"))
    };
    assert_eq!(after, [expected("Ada"), String::new(), expected("Ada"), expected("Zoë")]);
    let shorter = Pseudonymize { length: Some(20), ..hex };
    assert_eq!(cells(&under(KEY, &shorter, &table).expect("pseudonyms"), "name")[3], expected("Zoë")[..20]);
}

#[test]
fn base32_holds_the_same_bits() {
    let table = lines("name", &["Ada"]);
    let text = cells(&under(KEY, &Pseudonymize { length: Some(51), ..step(&["name"]) }, &table).expect("one"), "name")
        .concat();
    let five = |byte: u8| if byte.is_ascii_uppercase() { byte - b'A' } else { byte - b'2' + 26 };
    let bits = joined(text.as_bytes(), |byte| format!("{:05b}", five(byte)));
    let message = [&4u64.to_be_bytes()[..], b"nameAda"].concat();
    let expected = joined(&hmac(KEY, &message), |byte| format!("{byte:08b}"));
    assert_eq!(bits, expected[..255]);
    assert_eq!(cells(&under(KEY, &step(&["name"]), &table).expect("one"), "name").concat(), text[..16]);
}

#[test]
fn a_context_gives_the_same_person_the_same_pseudonym_everywhere() {
    let table = lines("patient,doctor", &["Ada,Bob", "Bob,Ada"]);
    let apart = under(KEY, &step(&["patient", "doctor"]), &table).expect("pseudonyms");
    assert_ne!(cells(&apart, "patient")[0], cells(&apart, "doctor")[1]);
    let person = Pseudonymize { context: Some("person".to_owned()), ..step(&["patient", "doctor"]) };
    let same = under(KEY, &person, &table).expect("pseudonyms");
    assert_eq!(cells(&same, "patient")[0], cells(&same, "doctor")[1]);
    let other = lines("visitor", &["Ada"]);
    let there = under(KEY, &Pseudonymize { columns: names(&["visitor"]), ..person.clone() }, &other).expect("one");
    assert_eq!(cells(&there, "visitor")[0], cells(&same, "patient")[0]);
    let other_key = under(b"another secret key of 32 bytes..", &person, &table).expect("pseudonyms");
    assert_ne!(cells(&other_key, "patient"), cells(&same, "patient"));
}

#[test]
fn a_line_break_behind_the_key_is_not_part_of_it() {
    let table = lines("name", &["Ada"]);
    let of = |key: &[u8]| cells(&under(key, &step(&["name"]), &table).expect("one"), "name");
    assert_eq!(of(KEY), of(&[KEY, b"\r\n"].concat()));
}

#[test]
fn short_keys_lengths_and_missing_files_are_told() {
    let table = lines("name", &["Ada"]);
    let said = |key: &[u8], step: &Pseudonymize| under(key, step, &table).expect_err("a refusal").to_string();
    let short = said(b"password\n", &step(&["name"]));
    assert_eq!(short, "the key in key has 8 bytes; expected 16 or more, as `tamis transform new-key FILE` makes");
    assert!(!short.contains("password"));
    let length = |length, alphabet| said(KEY, &Pseudonymize { length: Some(length), alphabet, ..step(&["name"]) });
    assert!(length(7, Alphabet::Base32).contains("expected 8 to 51 characters"));
    assert!(length(52, Alphabet::Base32).contains("`length` is 52"));
    assert!(length(65, Alphabet::Hex).contains("expected 8 to 64 characters"));
    assert!(
        said(KEY, &Pseudonymize { key_file: String::new(), ..step(&["name"]) }).contains("`key_file` is not given")
    );
    assert_eq!(refusal(apply_with(&step(&["name"]), &table, 1, &Memory::default())).0, "no key key");
}

/// Two of some 150,000 values share the first 32 bits of their hash with near certainty; the table must not mix the two people up.
#[test]
fn two_people_never_get_one_pseudonym() {
    let people: Vec<String> = (0..300_000).map(|number| number.to_string()).collect();
    let table = lines("name", &people);
    let eight = Pseudonymize { alphabet: Alphabet::Hex, length: Some(8), ..step(&["name"]) };
    let said = under(KEY, &eight, &table).expect_err("a collision").to_string();
    assert!(said.contains("two different values get the pseudonym"), "{said}");
    let twelve = Pseudonymize { length: Some(16), ..eight };
    assert!(under(KEY, &twelve, &table).is_ok());
}
