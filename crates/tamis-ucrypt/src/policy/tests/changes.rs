//! Holders come, go and lose their keys.

use super::*;

/// A data key of the policy, as the header of a document has it.
struct Header {
    kid: KeyId,
    epoch: u32,
    dk: String,
}

fn header(policy: &Policy) -> Header {
    let run = policy.sealing_run().unwrap();
    Header { kid: run.kid, epoch: run.epoch, dk: run.dk }
}

fn opens(policy: &Policy, keys: &[&HolderSecret], header: &Header) -> bool {
    let offers: Vec<Offer<'_>> = keys.iter().map(|key| Offer::Key(key)).collect();
    let unlocked = policy.unlock(&offers, now());
    unlocked.is_ok_and(|unlocked| unlocked.data_key(header.epoch, &header.kid, &header.dk).is_ok())
}

#[test]
fn refresh_gives_new_shares_of_the_same_key() {
    let (old, keys) = paper();
    let header = header(&old);
    let new = refreshed(&old.unlock(&offers(&keys[1..]), now()).unwrap()).policy;
    assert_eq!((new.generation, new.epoch, new.threshold, new.public), (2, 1, 2, old.public));
    for (old, new) in old.holders.iter().zip(&new.holders) {
        assert_eq!((&old.name, old.number), (&new.name, new.number));
        assert_ne!(old.commitment, new.commitment);
    }
    for pair in [[0, 1], [0, 2], [1, 2]] {
        assert!(opens(&new, &pair.map(|index| &keys[index]), &header));
    }
    // Old shares and new ones do not mix, and what the manual says holds: p old ones still fit each other.
    assert!(opens(&old, &[&keys[0], &keys[1]], &header));
}

#[test]
fn a_change_of_doctor() {
    let (old, keys) = paper();
    let old_header = header(&old);
    let new_doctor = HolderSecret::generate("new doctor").unwrap();
    let unlocked = old.unlock(&[Offer::Key(&keys[0]), Offer::Key(&keys[2])], now()).unwrap();
    let mut members = old.members_without("doctor").unwrap();
    members.push(Member::from(new_doctor.public(None)));
    let change = unlocked.rekey(old.threshold, &members).unwrap();
    let new = change.policy;
    assert_eq!((new.epoch, new.generation, new.threshold), (2, 2, 2));
    assert_ne!(new.public, old.public);
    let numbers: Vec<u8> = new.holders.iter().map(|holder| holder.number.get()).collect();
    assert_eq!(numbers, [1, 3, 2]);

    let dk = unlocked.rewrap(&new, old_header.epoch, &old_header.kid, &old_header.dk).unwrap();
    let rewrapped = Header { dk, kid: old_header.kid.clone(), epoch: 1 };
    let new_header = header(&new);
    for pair in [[&keys[0], &keys[2]], [&keys[0], &new_doctor], [&keys[2], &new_doctor]] {
        assert!(opens(&new, &pair, &new_header));
        assert!(opens(&new, &pair, &rewrapped));
        assert!(!opens(&new, &pair, &old_header));
    }
    // The old doctor and the payer, with the policy that they kept.
    let gone = [&keys[1], &keys[2]];
    assert!(opens(&old, &gone, &old_header));
    assert!(!opens(&old, &gone, &new_header));
    assert!(!opens(&old, &gone, &rewrapped));
    assert!(!opens(&new, &gone, &new_header));
}

#[test]
fn a_holder_goes_softly() {
    let (old, keys) = paper();
    let header = header(&old);
    let unlocked = old.unlock(&offers(&keys[..2]), now()).unwrap();
    let new = unlocked.reshare(old.threshold, &old.members_without("payer").unwrap()).unwrap().policy;
    assert_eq!((new.epoch, new.generation, new.holders.len()), (1, 2, 2));
    assert!(opens(&new, &[&keys[0], &keys[1]], &header));
    assert!(!opens(&new, &[&keys[0], &keys[2]], &header));
    assert_eq!(new.warnings(now()), [Warning::AllNeeded(2)]);
}

#[test]
fn a_holder_comes() {
    let (old, keys) = paper();
    let header = header(&old);
    let executor = HolderSecret::generate("executor").unwrap();
    let unlocked = old.unlock(&offers(&keys[..2]), now()).unwrap();
    let members = old.members_with(executor.public(None).into()).unwrap();
    let new = unlocked.reshare(old.threshold, &members).unwrap().policy;
    for key in &keys {
        assert!(opens(&new, &[key, &executor], &header));
    }
}

#[test]
fn a_lost_key_is_replaced_by_two_others() {
    let (old, keys) = paper();
    let header = header(&old);
    let again = HolderSecret::generate("doctor").unwrap();
    let unlocked = old.unlock(&[Offer::Key(&keys[0]), Offer::Key(&keys[2])], now()).unwrap();
    let members = old.members_replacing("doctor", again.public(None).into()).unwrap();
    let new = unlocked.reshare(old.threshold, &members).unwrap().policy;
    assert!(opens(&new, &[&keys[0], &again], &header));
    assert!(!opens(&new, &[&keys[0], &keys[1]], &header));
}

#[test]
fn after_the_patients_death_doctor_and_payer_rotate_to_an_executor() {
    let (old, keys) = paper();
    let executor = HolderSecret::generate("executor").unwrap();
    let unlocked = old.unlock(&offers(&keys[1..]), now()).unwrap();
    let members = old.members_replacing("patient", executor.public(None).into()).unwrap();
    let change = unlocked.rekey(2, &members).unwrap();
    let header = header(&change.policy);
    for key in &keys[1..] {
        assert!(opens(&change.policy, &[key, &executor], &header));
    }
    assert!(!opens(&change.policy, &[&keys[0], &keys[1]], &header));
}

#[test]
fn bare_shares_are_given_out_again_at_every_change() {
    let keys = keys(&NAMES);
    let mut members = members(&keys);
    members[2].recipient = None;
    let made = Policy::create(plan(2, members)).unwrap();
    let unlocked = made.policy.unlock(&[Offer::Key(&keys[0]), Offer::Share(&made.bare[0])], now()).unwrap();
    let change = refreshed(&unlocked);
    assert_eq!((change.bare.len(), change.bare[0].holder.as_str(), change.bare[0].generation), (1, "payer", 2));
    assert!(change.policy.unlock(&[Offer::Key(&keys[0]), Offer::Share(&change.bare[0])], now()).is_ok());
    let old = ShareRefusal::OldGeneration { share: 1, policy: 2 };
    assert_eq!(refusal(&change.policy, &[Offer::Share(&made.bare[0])]), ("payer".into(), old));
}

#[test]
fn the_threshold_never_changes_silently() {
    let (policy, keys) = paper();
    let unlocked = policy.unlock(&offers(&keys), now()).unwrap();
    let two = unlocked.reshare(2, &policy.members_without("payer").unwrap()).unwrap().policy;
    let message = two.members_without("doctor").map(|_| ()).unwrap_err().to_string();
    assert_eq!(
        message,
        "without \"doctor\" the policy would have 1 holder, fewer than the 2 that are needed; set a smaller threshold first, with rotate -p"
    );
    let mut one = policy.members();
    one.truncate(1);
    assert!(matches!(unlocked.reshare(2, &one), Err(PolicyError::Key(_))));
    assert_eq!(unlocked.reshare(3, &policy.members()).unwrap().policy.threshold, 3);
}

#[test]
fn wrong_names_are_refused() {
    let (policy, keys) = paper();
    assert!(matches!(policy.members_without("nurse"), Err(PolicyError::NoSuchHolder { name, .. }) if name == "nurse"));
    let payer: Member = HolderSecret::generate("payer").unwrap().public(None).into();
    assert!(matches!(policy.members_with(payer.clone()), Err(PolicyError::HolderExists(name)) if name == "payer"));
    assert!(matches!(policy.members_replacing("nurse", payer.clone()), Err(PolicyError::HolderExists(_))));
    assert!(matches!(policy.members_replacing("doctor", payer), Err(PolicyError::HolderExists(_))));
    // One key for two holders would make one person two of the p.
    let twin = Member { name: "twin".into(), ..members(&keys)[0].clone() };
    let unlocked = policy.unlock(&offers(&keys), now()).unwrap();
    let doubled = unlocked.reshare(2, &policy.members_with(twin).unwrap());
    assert!(matches!(doubled, Err(PolicyError::Doubled { what: "public key", .. })));
}

#[test]
fn a_new_key_carries_the_consent_of_the_old_holders() {
    let (old, keys) = paper();
    let unlocked = old.unlock(&offers(&keys), now()).unwrap();
    let change = unlocked.rekey(2, &old.members()).unwrap();
    let new = Policy::from_file(&change.policy.to_file()).unwrap();
    assert!(unlocked.agreed_to(&new));
    // It outlives later sharings and amendments of the new key.
    let unlocked_new = new.unlock(&offers(&keys), now()).unwrap();
    assert!(unlocked.agreed_to(&refreshed(&unlocked_new).policy));
    assert!(unlocked.agreed_to(&unlocked_new.amend(|policy| policy.pad = 64).unwrap()));
    // A policy of the same name that nobody agreed to does not have it.
    let forged = Policy::create(plan(2, members(&keys))).unwrap().policy;
    assert!(!unlocked.agreed_to(&forged));
    assert!(!unlocked.agreed_to(&Policy { proof: new.proof, ..forged }));
}

#[test]
fn rules_are_amended_by_p_holders_and_by_nobody_else() {
    let (policy, keys) = paper();
    let unlocked = policy.unlock(&offers(&keys), now()).unwrap();
    let amended = unlocked
        .amend(|policy| {
            policy.element = "Zastrzeżone".into();
            policy.threshold = 1;
            policy.holders.clear();
        })
        .unwrap();
    assert_eq!((amended.element.as_str(), amended.threshold, amended.holders.len()), ("Zastrzeżone", 2, 3));
    assert!(amended.unlock(&offers(&keys), now()).is_ok());
    assert!(unlocked.amend(|policy| policy.element = "1".into()).is_err());
    assert!(unlocked.amend(|policy| policy.pad = 0).is_err());
}
