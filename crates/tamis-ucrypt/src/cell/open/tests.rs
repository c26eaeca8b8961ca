use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::cell::{Binding, CellKey, Scope, Sealer};

const PLACE: Place<'_> = Place { table: "T", record: "5", field: "Choroba" };

struct Pair {
    sealer: Sealer,
    opener: Opener,
}

fn pair(cipher: Cipher, binding: Binding) -> Pair {
    let key = DataKey::generate();
    let kid = KeyId::generate();
    let scope = Scope { cipher, policy: "p7Q2", epoch: 1, kid: &kid, binding, pad: 32 };
    let mut opener = Opener::default();
    opener.insert("p7Q2", 1, &kid, &key);
    Pair { sealer: Sealer::new(&key, scope), opener }
}

fn refusal(pair: &Pair, place: Place<'_>, marker: &Marker) -> Refusal {
    pair.opener.open(place, marker).unwrap_err().refusal
}

fn with(marker: &Marker, change: impl FnOnce(&mut Attributes)) -> Marker {
    let mut attributes = (*marker.attributes).clone();
    change(&mut attributes);
    Marker { attributes: Arc::new(attributes), body: marker.body.clone() }
}

#[test]
fn no_attribute_can_be_edited() {
    for cipher in Cipher::ALL {
        let pair = pair(cipher, Binding::RecordField);
        let marker = pair.sealer.seal(PLACE, &Value::text("AIDS")).unwrap();
        for other in Cipher::ALL.into_iter().filter(|other| *other != cipher) {
            let edited = with(&marker, |a| a.cipher = other.to_string());
            assert_eq!(refusal(&pair, PLACE, &edited), Refusal::NotAuthentic);
        }
        for bind in ["f", "n"] {
            let edited = with(&marker, |a| a.bind = bind.into());
            assert_eq!(refusal(&pair, PLACE, &edited), Refusal::NotAuthentic);
        }
        let unknown = with(&marker, |a| a.others.push(("note".into(), "x".into())));
        assert_eq!(refusal(&pair, PLACE, &unknown), Refusal::UnknownAttribute("note".into()));
        let foreign = with(&marker, |a| a.v = None);
        assert_eq!(refusal(&pair, PLACE, &foreign), Refusal::Foreign);
        let later = with(&marker, |a| a.v = Some("2".into()));
        assert_eq!(refusal(&pair, PLACE, &later), Refusal::Version("2".into()));
        let bound = with(&marker, |a| a.bind = "r".into());
        assert_eq!(refusal(&pair, PLACE, &bound), Refusal::Binding("r".into()));
        for edited in [
            with(&marker, |a| a.pol = "p7Q3".into()),
            with(&marker, |a| a.ep = "01".into()),
            with(&marker, |a| a.kid = "kZ3bQ9xA".into()),
        ] {
            assert!(matches!(refusal(&pair, PLACE, &edited), Refusal::NoKey { .. }));
        }
    }
}

#[test]
fn two_policies_may_claim_one_key_id() {
    let kid: KeyId = "kZ3bQ9xA".parse().unwrap();
    let keys = [DataKey::generate(), DataKey::generate()];
    let mut opener = Opener::default();
    for (policy, key) in ["mine", "yours"].into_iter().zip(&keys) {
        opener.insert(policy, 1, &kid, key);
    }
    for (policy, key) in ["mine", "yours"].into_iter().zip(&keys) {
        let scope = Scope { cipher: Cipher::A256Gcm, policy, epoch: 1, kid: &kid, binding: Binding::Field, pad: 32 };
        let marker = Sealer::new(key, scope).seal(PLACE, &Value::text(policy)).unwrap();
        assert_eq!(opener.open(PLACE, &marker).unwrap(), Value::text(policy));
    }
}

#[test]
fn the_binding_says_where_a_cell_may_move() {
    let moves = [
        (Place { table: "U", ..PLACE }, [false, false, true]),
        (Place { record: "6", ..PLACE }, [false, true, true]),
        (Place { field: "Miasto", ..PLACE }, [false, false, true]),
        // The lengths in the associated data keep neighbouring texts apart.
        (Place { record: "5C", field: "horoba", ..PLACE }, [false, false, true]),
    ];
    for (index, binding) in [Binding::RecordField, Binding::Field, Binding::None].into_iter().enumerate() {
        let pair = pair(Cipher::A256Gcm, binding);
        let marker = pair.sealer.seal(PLACE, &Value::text("AIDS")).unwrap();
        assert!(pair.opener.open(PLACE, &marker).is_ok());
        for (place, opens) in moves {
            assert_eq!(pair.opener.open(place, &marker).is_ok(), opens[index], "{binding} {place:?}");
        }
    }
}

#[test]
fn a_body_that_is_cut_off_or_not_strict_base64_stays_closed() {
    let pair = pair(Cipher::A256Gcm, Binding::RecordField);
    let marker = pair.sealer.seal(PLACE, &Value::text("AIDS")).unwrap();
    for end in 0..marker.body.len() {
        let cut = Marker { body: marker.body[..end].to_owned(), ..marker.clone() };
        let refusal = refusal(&pair, PLACE, &cut);
        assert!(matches!(refusal, Refusal::NotBase64 | Refusal::TooShort(_) | Refusal::NotAuthentic));
    }
    for body in [format!("{} ", marker.body), format!("{}=", marker.body), marker.body.replacen('A', "A\n", 1)] {
        let loose = Marker { body, ..marker.clone() };
        if loose.body != marker.body {
            assert_eq!(refusal(&pair, PLACE, &loose), Refusal::NotBase64);
        }
    }
}

#[test]
fn messages_name_the_place_and_never_the_value() {
    let pair = pair(Cipher::A256Gcm, Binding::RecordField);
    let marker = pair.sealer.seal(PLACE, &Value::text("AIDS")).unwrap();
    let error = pair.opener.open(Place { record: "6", ..PLACE }, &marker).unwrap_err();
    assert!(
        error.to_string().starts_with("record \"6\", field \"Choroba\" of table \"T\": the cell does not authenticate")
    );
    assert!(!format!("{:?}", Value::text("AIDS")).contains("AIDS"));
}

#[test]
fn a_granted_key_opens_its_cell_and_no_other() {
    for cipher in Cipher::ALL {
        let pair = pair(cipher, Binding::RecordField);
        let marker = pair.sealer.seal(PLACE, &Value::text("AIDS")).unwrap();
        let elsewhere = Place { field: "Miasto", ..PLACE };
        let other = pair.sealer.seal(elsewhere, &Value::text("Opole")).unwrap();
        let grant = CellKey::of(&pair.opener, PLACE, &marker).unwrap();
        let grant = CellKey::from_bytes((*grant.bytes()).into());
        assert_eq!(grant.open(PLACE, &marker).unwrap(), Value::text("AIDS"));
        assert!(grant.open(elsewhere, &other).is_err());
        assert!(CellKey::of(&pair.opener, elsewhere, &marker).is_err());
    }
}

#[test]
fn a_key_that_opens_other_cells_too_is_not_granted() {
    for binding in [Binding::Field, Binding::None] {
        let pair = pair(Cipher::A256Gcm, binding);
        let marker = pair.sealer.seal(PLACE, &Value::text("AIDS")).unwrap();
        let error = CellKey::of(&pair.opener, PLACE, &marker).err().map(|error| error.refusal);
        assert_eq!(error, Some(Refusal::SharedKey(binding.to_string())));
    }
}

fn any_value() -> impl Strategy<Value = Value<'static>> {
    prop_oneof![
        any::<String>().prop_map(|text| Value::Text(text.into())),
        any::<String>().prop_map(|text| Value::Fragment(text.into())),
        any::<String>().prop_map(|text| Value::Unusual(text.into())),
        any::<(Option<String>, String)>()
            .prop_map(|(text, spelling)| Value::Spelled { text: text.map(Into::into), spelling: spelling.into() }),
        Just(Value::Null),
    ]
}

proptest! {
    #[test]
    fn any_value_opens_to_itself(
        value in any_value(),
        cipher in prop::sample::select(&Cipher::ALL),
        binding in prop::sample::select(vec![Binding::RecordField, Binding::Field, Binding::None]),
        pad in prop::sample::select(vec![1_usize, 16, 32, 100]),
        names in prop::array::uniform3(any::<String>()),
    ) {
        let key = DataKey::generate();
        let kid = KeyId::generate();
        let scope = Scope { cipher, policy: "p", epoch: u32::MAX, kid: &kid, binding, pad };
        let place = Place { table: &names[0], record: &names[1], field: &names[2] };
        let marker = Sealer::new(&key, scope).seal(place, &value).unwrap();
        let mut opener = Opener::default();
        opener.insert("p", u32::MAX, &kid, &key);
        prop_assert_eq!(STANDARD.decode(&marker.body).unwrap().len() % pad, (cipher.nonce_len() + TAG) % pad);
        prop_assert_eq!(opener.open(place, &marker).unwrap(), value);
    }

    #[test]
    fn no_bit_of_the_body_can_be_flipped(
        cipher in prop::sample::select(&Cipher::ALL),
        position in any::<prop::sample::Index>(),
        bit in 0..8_u8,
    ) {
        let pair = pair(cipher, Binding::RecordField);
        let marker = pair.sealer.seal(PLACE, &Value::text("AIDS")).unwrap();
        let mut bytes = STANDARD.decode(&marker.body).unwrap();
        let index = position.index(bytes.len());
        bytes[index] ^= 1_u8 << bit;
        let edited = Marker { body: STANDARD.encode(bytes), ..marker };
        prop_assert_eq!(refusal(&pair, PLACE, &edited), Refusal::NotAuthentic);
    }

    #[test]
    fn any_bytes_are_read_as_padded_plaintext_only_if_written_so(bytes in prop::collection::vec(prop::sample::select(vec![0_u8, 1, 2, 3, 4, 0x61, 0x80]), 0..12)) {
        if let Some(value) = Value::read_padded(&bytes) {
            let mut again = Vec::new();
            value.write_padded(bytes.len(), &mut again);
            prop_assert_eq!(again, bytes);
        }
    }
}
