//! Figures 8 and 9 of A. Liber, "Problemy anonimizacji dokumentów medycznych", part 2: the patient with Id 5 seals four fields.

use crate::cell::{Binding, Cipher, DataKey, KeyId, Opener, Scope, Sealer, Value};

use super::*;

const ROWS: [[&str; 4]; 9] = [
    ["Kowalski", "Inżynier", "Kraków", "AIDS"],
    ["Nowak", "Malarz", "Opole", "Nowotwór"],
    ["Kwiatkowski", "Inżynier", "Brzeg", "Nowotwór"],
    ["Pyc", "Malarz", "Opole", "Grypa"],
    ["Kociniak", "Inżynier", "Kraków", "AIDS"],
    ["Wielgosz", "Inżynier", "Kraków", "Grypa"],
    ["Aster", "Tancerz", "Brzeg", "AIDS"],
    ["Lewkowicz", "Muzyk", "Brzeg", "AIDS"],
    ["Spytek", "Inżynier", "Kraków", "AIDS"],
];
const FIELDS: [&str; 4] = ["Nazwisko", "Zawód", "Miasto", "Choroba"];

fn table() -> String {
    let rows = ROWS.iter().zip(1..).map(|(row, id)| {
        let fields = FIELDS.iter().zip(row).map(|(field, value)| format!("<{field}>{value}</{field}>"));
        format!("  <Pacjent>\n    <Id>{id}</Id>{}\n  </Pacjent>\n", fields.collect::<Vec<_>>().concat())
    });
    format!("<?xml version=\"1.0\"?>\n<Pacjenci>\n{}</Pacjenci>\n", rows.collect::<Vec<_>>().concat())
}

struct Seal(Sealer);
struct Open(Opener);

impl Treatment for Seal {
    type Refusal = String;

    fn field(&self, place: Place<'_>, content: &Content<'_>) -> Result<Outcome, String> {
        match content {
            Content::Text(text) if place.record == "5" => {
                self.0.seal(place, &Value::text(text)).map(Outcome::Sealed).map_err(|error| error.to_string())
            }
            _ => Ok(Outcome::Keep),
        }
    }
}

impl Treatment for Open {
    type Refusal = String;

    fn field(&self, place: Place<'_>, content: &Content<'_>) -> Result<Outcome, String> {
        let Content::Sealed(marker) = content else { return Ok(Outcome::Keep) };
        match self.0.open(place, marker).map_err(|error| error.to_string())? {
            Value::Text(text) => Ok(Outcome::Text(text.into_owned())),
            other => panic!("{}", matches!(other, Value::Null)),
        }
    }
}

#[test]
fn paper_figure_9_record_5_is_sealed_in_four_fields_and_nothing_else_changes() {
    let selectors = selectors_of(&[("Pacjenci", "/Pacjenci/Pacjent", "Id", &FIELDS)]);
    let (key, kid) = (DataKey::generate(), KeyId::generate());
    let scope =
        Scope { cipher: Cipher::A256Gcm, policy: "p7Q2", epoch: 1, kid: &kid, binding: Binding::RecordField, pad: 32 };
    let mut opener = Opener::default();
    opener.insert(scope.policy, scope.epoch, scope.kid, &key);
    let (seal, open) = (Seal(Sealer::new(&key, scope)), Open(opener));

    let plain = table();
    let sealed = rewritten(&plain, &selectors, &seal);
    for (number, (before, after)) in plain.lines().zip(sealed.lines()).enumerate() {
        let is_fifth = number == 2 + 3 * 4 + 1;
        assert_eq!(before != after, is_fifth, "line {number}");
        assert_eq!(
            after.matches("<UCRYPT cipher=\"A256GCM\" v=\"1\" pol=\"p7Q2\" ep=\"1\"").count(),
            4 * usize::from(is_fifth)
        );
    }
    assert_eq!(rewritten(&sealed, &selectors, &seal), sealed);
    assert_eq!(rewritten(&sealed, &selectors, &open), plain);

    // A cell that was copied to another record does not open there.
    let fifth = sealed.lines().find(|line| line.contains("UCRYPT")).unwrap();
    let moved = sealed.replace(fifth, &fifth.replace("<Id>5</Id>", "<Id>6</Id>"));
    let refused = rewrite(moved.as_bytes(), &selectors, &open, 1);
    assert!(matches!(refused, Err(RewriteError::Refused { at, .. }) if at.line == 16));
}
