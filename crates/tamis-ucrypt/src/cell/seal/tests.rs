use super::*;

const KNOWN: &str = "AAECAwQFBgcICQoLyfMiRDkCqpkkRkZlwnGjBmnAZFRRdIhEjbawz/AvuFuIY5WCVzTb3Ef4M0hXqFeA";

fn known_sealer(cipher: Cipher, pad: usize) -> (Sealer, DataKey, KeyId) {
    let mut bytes = [0; 32];
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = index as u8;
    }
    let key = DataKey::from_bytes(bytes.into());
    let kid: KeyId = "kZ3bQ9xA".parse().unwrap();
    let scope = Scope { cipher, policy: "p7Q2", epoch: 1, kid: &kid, binding: Binding::RecordField, pad };
    (Sealer::new(&key, scope), key, kid)
}

const PLACE: Place<'_> = Place { table: "T", record: "5", field: "Choroba" };

#[test]
fn known_answer_of_the_format() {
    let (sealer, ..) = known_sealer(Cipher::A256Gcm, 32);
    let nonce: Vec<u8> = (0..12).collect();
    let marker = sealer.seal_with(&nonce, PLACE, &Value::text("AIDS")).unwrap();
    assert_eq!(
        marker.to_text("UCRYPT"),
        format!(
            "<UCRYPT cipher=\"A256GCM\" v=\"1\" pol=\"p7Q2\" ep=\"1\" kid=\"kZ3bQ9xA\" bind=\"rf\">{KNOWN}</UCRYPT>"
        )
    );
}

/// What stands behind `name = ` on the page of the format.
fn figure(name: &str) -> &'static str {
    let page = include_str!("../../../../../docs/ucrypt/format.md");
    let start = format!("    {name} = ");
    page.lines().find_map(|line| line.strip_prefix(&start)).unwrap_or_else(|| panic!("the page has no {name}"))
}

#[test]
fn known_answers_of_the_manual_for_each_cipher() {
    for cipher in Cipher::ALL {
        let (sealer, ..) = known_sealer(cipher, 32);
        let nonce: Vec<u8> = (0..24).take(cipher.nonce_len()).collect();
        let marker = sealer.seal_with(&nonce, PLACE, &Value::text("AIDS")).unwrap();
        assert_eq!(marker.body, figure(cipher.as_str()), "{cipher}");
    }
}

#[test]
fn known_answers_of_the_manual_for_each_step() {
    let hexadecimal = |bytes: &[u8]| base16ct::lower::encode_string(bytes);
    let (sealer, ..) = known_sealer(Cipher::A256Gcm, 32);
    let mut aad = Vec::new();
    sealer.common.write_aad(PLACE, &mut aad);
    assert_eq!(hexadecimal(&aad), figure("associated data"));
    assert_eq!(hexadecimal(sealer.keys.derive(&aad).as_ref()), figure("cell key"));
    let mut plaintext = Vec::new();
    Value::text("AIDS").write_padded(32, &mut plaintext);
    assert_eq!(hexadecimal(&plaintext), figure("plaintext"));
}

#[test]
fn short_and_long_diagnoses_have_one_length() {
    let (sealer, ..) = known_sealer(Cipher::A256Gcm, 32);
    let short = sealer.seal(PLACE, &Value::text("AIDS")).unwrap();
    let long = sealer.seal(PLACE, &Value::text("Nowotwór")).unwrap();
    assert_eq!(short.body.len(), long.body.len());
    assert_eq!(sealer.seal(PLACE, &Value::Null).unwrap().body.len(), long.body.len());
}

#[test]
fn the_same_value_never_looks_the_same_twice() {
    for cipher in Cipher::ALL {
        let (sealer, ..) = known_sealer(cipher, 32);
        let first = sealer.seal(PLACE, &Value::text("AIDS")).unwrap();
        let second = sealer.seal(PLACE, &Value::text("AIDS")).unwrap();
        assert_ne!(first.body, second.body);
    }
}
