//! Every bad share is refused, and its holder named.

use std::num::NonZeroU8;

use zeroize::Zeroizing;

use super::*;
use crate::key::Share;

#[test]
fn a_share_offered_twice() {
    let (policy, keys) = paper();
    let twice = [Offer::Key(&keys[1]), Offer::Key(&keys[1])];
    assert_eq!(refusal(&policy, &twice), ("doctor".into(), ShareRefusal::Duplicated));
}

#[test]
fn a_share_offered_as_key_and_as_file() {
    let keys = keys(&NAMES);
    let change = Policy::create(plan(2, members(&keys))).unwrap();
    let share = change.policy.check_offer(Offer::Key(&keys[1]), now()).unwrap().1;
    let bare = BareShare { holder: "doctor".into(), policy: "p7Q2".into(), generation: 1, share };
    let twice = [Offer::Key(&keys[1]), Offer::Share(&bare)];
    assert_eq!(refusal(&change.policy, &twice), ("doctor".into(), ShareRefusal::Duplicated));
    assert!(change.policy.unlock(&[Offer::Key(&keys[0]), Offer::Share(&bare)], now()).is_ok());
}

#[test]
fn a_key_of_nobody() {
    let (policy, keys) = paper();
    let stranger = HolderSecret::generate("stranger").unwrap();
    let with = [Offer::Key(&keys[0]), Offer::Key(&keys[1]), Offer::Key(&stranger)];
    assert_eq!(refusal(&policy, &with), ("stranger".into(), ShareRefusal::NotAHolder));
    // The right name does not help.
    let impostor = HolderSecret::generate("payer").unwrap();
    assert_eq!(refusal(&policy, &[Offer::Key(&impostor)]), ("payer".into(), ShareRefusal::OtherKey));
}

#[test]
fn a_key_whose_owner_keeps_the_share_elsewhere() {
    let keys = keys(&NAMES);
    let mut members = members(&keys);
    members[2].recipient = None;
    let policy = Policy::create(plan(2, members)).unwrap().policy;
    assert_eq!(refusal(&policy, &[Offer::Key(&keys[2])]), ("payer".into(), ShareRefusal::KeptBare));
}

#[test]
fn a_wrong_share() {
    let (policy, _) = paper();
    // Whoever offers it is named, also where the number is another's or nobody's.
    for (number, holder, expected) in [
        (2, "doctor", ShareRefusal::Wrong),
        (1, "doctor", ShareRefusal::Wrong),
        (4, "doctor", ShareRefusal::Wrong),
        (1, "stranger", ShareRefusal::NotAHolder),
    ] {
        let share = Share::new(NonZeroU8::new(number).unwrap(), Zeroizing::new([7; 32]));
        let bare = BareShare { holder: holder.into(), policy: "p7Q2".into(), generation: 1, share };
        assert_eq!(refusal(&policy, &[Offer::Share(&bare)]), (holder.into(), expected));
    }
}

#[test]
fn the_share_of_another_holder_under_ones_own_name() {
    // A malicious owner of the file copies the doctor's share, wrapped anew, into the payer's place.
    let (mut policy, keys) = paper();
    let (_, doctors) = policy.check_offer(Offer::Key(&keys[1]), now()).unwrap();
    let wrapped = crate::key::wrap_share(&keys[2].recipient(), policy.share_label(), &doctors).unwrap();
    policy.holders[2].keeping = Keeping::Wrapped { recipient: keys[2].recipient(), share: wrapped };
    assert_eq!(refusal(&policy, &[Offer::Key(&keys[2])]), ("payer".into(), ShareRefusal::Wrong));
}

#[test]
fn a_corrupted_share() {
    let (policy, keys) = paper();
    let Keeping::Wrapped { recipient, share } = &policy.holders[1].keeping else { panic!() };
    let mut edited = share.clone();
    let last = if edited.contains('A') { edited.replace('A', "B") } else { edited.replace('B', "A") };
    edited.truncate(edited.len() - 8);
    for broken in [edited, last, String::new(), "AAAA".into(), share[4..].to_owned()] {
        let mut policy = policy.clone();
        policy.holders[1].keeping = Keeping::Wrapped { recipient: recipient.clone(), share: broken };
        let (holder, refusal) = refusal(&policy, &[Offer::Key(&keys[0]), Offer::Key(&keys[1])]);
        assert_eq!(holder, "doctor");
        assert!(matches!(refusal, ShareRefusal::Corrupted(_)), "{refusal}");
    }
}

#[test]
fn a_share_of_another_policy() {
    let (policy, keys) = paper();
    let other = Policy::create(Plan { id: Some("other".into()), ..plan(2, members(&keys)) }).unwrap().policy;
    let mut mixed = policy.clone();
    mixed.holders[1].keeping = other.holders[1].keeping.clone();
    let foreign = ("doctor".to_owned(), ShareRefusal::Foreign("other".into()));
    assert_eq!(refusal(&mixed, &[Offer::Key(&keys[1])]), foreign);
    let share = other.check_offer(Offer::Key(&keys[1]), now()).unwrap().1;
    let bare = BareShare { holder: "doctor".into(), policy: "other".into(), generation: 1, share: share.clone() };
    assert_eq!(refusal(&policy, &[Offer::Share(&bare)]), foreign);
    // Relabelled, it does not fit the commitment.
    let relabelled = BareShare { policy: "p7Q2".into(), ..bare };
    assert_eq!(refusal(&policy, &[Offer::Share(&relabelled)]), ("doctor".into(), ShareRefusal::Wrong));
}

#[test]
fn a_share_of_another_generation() {
    let (policy, keys) = paper();
    let new = refreshed(&policy.unlock(&offers(&keys[..2]), now()).unwrap()).policy;
    let mut mixed = new.clone();
    mixed.holders[1].keeping = policy.holders[1].keeping.clone();
    let old = ShareRefusal::OldGeneration { share: 1, policy: 2 };
    assert_eq!(refusal(&mixed, &[Offer::Key(&keys[1])]), ("doctor".into(), old));
    let share = new.check_offer(Offer::Key(&keys[1]), now()).unwrap().1;
    let bare = BareShare { holder: "doctor".into(), policy: "p7Q2".into(), generation: 2, share };
    let later = ShareRefusal::LaterGeneration { share: 2, policy: 1 };
    assert_eq!(refusal(&policy, &[Offer::Share(&bare)]), ("doctor".into(), later));
}

#[test]
fn an_expired_share_even_among_enough_others() {
    let keys = keys(&NAMES);
    let mut members = members(&keys);
    members[1].not_after = Some("2026-05-31".parse().unwrap());
    let policy = Policy::create(plan(2, members)).unwrap().policy;
    let expired = ("doctor".to_owned(), ShareRefusal::Expired("2026-05-31".into()));
    assert_eq!(refusal(&policy, &offers(&keys)), expired);
    assert!(policy.unlock(&offers(&keys), "2026-05-31T12:00:00Z".parse().unwrap()).is_ok());
    // Whoever is expired is not named as a help.
    let alone = error(&policy, &[Offer::Key(&keys[0])]);
    assert_eq!(alone.to_string(), "1 of the 2 holders that are needed took part; \"payer\" could help");
    // Moving the end by hand is found as soon as enough come together.
    let mut edited = policy.clone();
    edited.holders[1].not_after = None;
    assert!(matches!(error(&edited, &offers(&keys[..2])), PolicyError::Edited(_)));
}

#[test]
fn messages_are_sentences_with_the_holder() {
    let (policy, keys) = paper();
    let twice = [Offer::Key(&keys[1]), Offer::Key(&keys[1])];
    assert_eq!(error(&policy, &twice).to_string(), "the share of \"doctor\" is refused: it was offered twice");
}
