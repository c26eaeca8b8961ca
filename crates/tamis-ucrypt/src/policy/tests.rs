//! The paper's three holders, and everything that can go wrong between them.

use jiff::Timestamp;

use super::*;
use crate::cell::{KeyId, MarkerReader, Opener, Value};
use crate::document::Place;
use crate::exit::Exit;
use crate::key::{BareShare, HolderSecret, ShareRefusal};

mod changes;
mod files;
mod refusals;

const NAMES: [&str; 3] = ["patient", "doctor", "payer"];
const PLACE: Place<'_> = Place { table: "patients", record: "5", field: "Choroba" };

fn now() -> Timestamp {
    "2026-06-01T12:00:00Z".parse().unwrap()
}

fn keys(names: &[&str]) -> Vec<HolderSecret> {
    names.iter().map(|name| HolderSecret::generate(name).unwrap()).collect()
}

fn members(keys: &[HolderSecret]) -> Vec<Member> {
    keys.iter().map(|key| Member::from(key.public(None))).collect()
}

fn plan(threshold: usize, members: Vec<Member>) -> Plan {
    Plan {
        id: Some("p7Q2".into()),
        owner: "Jan Kowalski".into(),
        threshold,
        members,
        selections: vec![Selection {
            name: "patients".into(),
            key: Some("Id".into()),
            record: Some("/m:pacjenci/m:pacjent".into()),
            record_key: Some("@id".into()),
            fields: vec![
                Field { name: "Choroba".into(), ..Field::default() },
                Field { name: "Zawód".into(), column: Some("zawod".into()), path: Some("m:praca/@zawód".into()) },
            ],
            ..Selection::default()
        }],
        namespaces: [("m".to_owned(), "urn:example:medicine".to_owned())].into(),
        ..Plan::default()
    }
}

/// The paper's policy: two of patient, doctor and payer.
fn paper() -> (Policy, Vec<HolderSecret>) {
    let keys = keys(&NAMES);
    let change = Policy::create(plan(2, members(&keys))).unwrap();
    assert!(change.bare.is_empty());
    (change.policy, keys)
}

/// New shares of the same key for the same holders.
fn refreshed(unlocked: &Unlocked<'_>) -> Change {
    unlocked.reshare(unlocked.policy.threshold, &unlocked.policy.members()).unwrap()
}

fn offers(keys: &[HolderSecret]) -> Vec<Offer<'_>> {
    keys.iter().map(Offer::Key).collect()
}

fn error(policy: &Policy, offers: &[Offer<'_>]) -> PolicyError {
    match policy.unlock(offers, now()) {
        Ok(_) => panic!("the policy opens"),
        Err(error) => error,
    }
}

fn refusal(policy: &Policy, offers: &[Offer<'_>]) -> (String, ShareRefusal) {
    match error(policy, offers) {
        PolicyError::Share(error) => {
            assert_eq!(PolicyError::from(error.clone()).exit(), Exit::ShareRefused);
            (error.holder, error.refusal)
        }
        other => panic!("{other}"),
    }
}

#[test]
fn each_pair_of_the_three_opens_and_no_one_alone() {
    let (policy, keys) = paper();
    let run = policy.sealing_run().unwrap();
    let text = run.sealer.seal(PLACE, &Value::text("AIDS")).unwrap().to_text(&policy.element);
    let marker = MarkerReader::new("UCRYPT").read(&text).unwrap();
    for (first, second) in [(0, 1), (0, 2), (1, 2), (2, 0)] {
        let pair = [Offer::Key(&keys[first]), Offer::Key(&keys[second])];
        let unlocked = policy.unlock(&pair, now()).unwrap();
        assert_eq!(unlocked.holders(), [NAMES[first], NAMES[second]]);
        let key = unlocked.data_key(run.epoch, &run.kid, &run.dk).unwrap();
        let mut opener = Opener::default();
        opener.insert(&policy.id, run.epoch, &run.kid, &key);
        assert_eq!(opener.open(PLACE, &marker).unwrap(), Value::text("AIDS"));
    }
    for (index, key) in keys.iter().enumerate() {
        let error = error(&policy, &[Offer::Key(key)]);
        assert_eq!(error.exit(), Exit::TooFewHolders);
        let others: Vec<String> =
            NAMES.iter().filter(|name| **name != NAMES[index]).map(|name| format!("{name:?}")).collect();
        assert_eq!(
            error.to_string(),
            format!("1 of the 2 holders that are needed took part; {} could help", others.join(" or "))
        );
    }
    assert!(policy.unlock(&offers(&keys), now()).is_ok());
    assert_eq!(error(&policy, &[]).exit(), Exit::TooFewHolders);
}

#[test]
fn shares_in_the_policy_in_files_and_on_paper_work_together() {
    use crate::key::{Passphrase, Protection};
    let keys = keys(&["patient"]);
    let mut members = members(&keys);
    for name in ["doctor", "payer"] {
        members.push(Member { name: name.into(), not_after: None, recipient: None });
    }
    let change = Policy::create(plan(3, members)).unwrap();
    let passphrase = Passphrase::new("correct horse".into()).with_cost(1);
    let file = change.bare[0].to_file(Protection::Passphrase(&passphrase)).unwrap();
    let printed = change.bare[1].to_file(Protection::Paper).unwrap();
    let policy = Policy::from_file(&change.policy.to_file()).unwrap();
    let doctor = BareShare::from_file("doctor", &file, Some(&passphrase)).unwrap();
    let payer = BareShare::from_file("payer", &printed, None).unwrap();
    let all = [Offer::Share(&payer), Offer::Key(&keys[0]), Offer::Share(&doctor)];
    assert_eq!(policy.unlock(&all, now()).unwrap().holders(), ["payer", "patient", "doctor"]);
    assert_eq!(
        error(&policy, &all[..2]).to_string(),
        "2 of the 3 holders that are needed took part; \"doctor\" could help"
    );
}

#[test]
fn two_hundred_and_fifty_five_holders_come_together() {
    let names: Vec<String> = (1..=255).map(|number| format!("holder {number}")).collect();
    let keys = keys(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let policy = Policy::create(plan(200, members(&keys))).unwrap().policy;
    let policy = Policy::from_file(&policy.to_file()).unwrap();
    assert!(policy.unlock(&offers(&keys[55..]), now()).is_ok());
    let error = error(&policy, &offers(&keys[56..]));
    assert!(error.to_string().starts_with("199 of the 200 holders that are needed took part; \"holder 1\""));
    assert!(error.to_string().ends_with("\"holder 10\" or 46 more could help"), "{error}");
}

#[test]
fn impossible_numbers_of_holders_are_refused() {
    let created = |threshold, count: usize| {
        let members: Vec<Member> =
            (0..count).map(|number| Member { name: format!("h{number}"), not_after: None, recipient: None }).collect();
        Policy::create(plan(threshold, members)).map(|_| ()).unwrap_err().to_string()
    };
    assert_eq!(created(4, 3), "4 of 3 can never come together: the threshold is larger than the number of holders");
    assert_eq!(created(0, 3), "no secret is shared so that 0 holders open it: the threshold must be at least 1");
    assert_eq!(created(1, 0), "there are no holders");
    assert_eq!(created(2, 256), "256 holders are too many: a secret is shared among at most 255");
}

#[test]
fn what_the_owner_should_know_is_said() {
    let keys = keys(&NAMES);
    let warnings = |threshold, binding| {
        let policy = Policy::create(Plan { binding, ..plan(threshold, members(&keys)) }).unwrap().policy;
        policy.warnings(now())
    };
    assert_eq!(warnings(1, Binding::RecordField), [Warning::AnyAlone]);
    assert_eq!(warnings(2, Binding::RecordField), []);
    assert_eq!(warnings(3, Binding::RecordField), [Warning::AllNeeded(3)]);
    assert_eq!(warnings(2, Binding::None), [Warning::WeakBinding(Binding::None)]);

    let mut late = members(&keys);
    for member in &mut late[..2] {
        member.not_after = Some("2026-05-31".parse().unwrap());
    }
    let policy = Policy::create(plan(2, late)).unwrap().policy;
    let expected = [
        Warning::Expired("patient".into()),
        Warning::Expired("doctor".into()),
        Warning::TooFewValid { valid: 1, need: 2 },
    ];
    assert_eq!(policy.warnings(now()), expected);
    assert_eq!(policy.warnings("2026-05-31T23:00:00Z".parse().unwrap()), []);
}
