//! What the log says of those who came for nothing.

use super::*;
use crate::audit::Entry;

fn last(room: &Room) -> Entry {
    PolicyFile::read(&room.policy()).unwrap().log.last().unwrap().unwrap()
}

#[test]
fn who_came_is_named_where_too_few_did() {
    let room = Room::new();
    let error = room.open_with("sealed.csv", &[Offer::Key(&room.keys[1])]).unwrap_err();
    assert_eq!(error.exit(), Exit::TooFewHolders);
    let entry = last(&room);
    assert_eq!((entry.action, entry.holders.as_slice()), (Action::Refuse, ["doctor".to_owned()].as_slice()));
    // A change of the policy is refused in the same way.
    let file = PolicyFile::lock(&room.policy()).unwrap();
    let refused = super::super::amend(&file, &[Offer::Key(&room.keys[2])], |_| {}, Timestamp::now());
    assert_eq!(refused.unwrap_err().exit(), Exit::TooFewHolders);
    assert_eq!(last(&room).holders, ["payer"]);
}

#[test]
fn who_was_refused_is_named_alone() {
    let room = Room::new();
    let error = room.open("sealed.csv", [1, 3]).unwrap_err();
    assert_eq!(error.exit(), Exit::ShareRefused);
    assert_eq!(last(&room).holders, ["executor"]);
}

#[test]
fn who_came_to_an_edited_policy_is_named() {
    let room = Room::new();
    let text = fs::read_to_string(room.policy()).unwrap();
    fs::write(room.policy(), text.replace("pad = 32", "pad = 16")).unwrap();
    assert_eq!(room.open("sealed.csv", [1, 2]).unwrap_err().exit(), Exit::Input);
    let entry = last(&room);
    assert_eq!((entry.action, entry.holders.len()), (Action::Refuse, 2), "{entry}");
}

#[test]
fn holders_who_came_together_and_opened_or_granted_nothing_are_logged() {
    let room = Room::new();
    let both = ["doctor".to_owned(), "payer".to_owned()];
    let is_noted = |document: &str| {
        let entry = last(&room);
        assert_eq!((entry.action, entry.holders.as_slice()), (Action::Refuse, both.as_slice()), "{entry}");
        assert!(entry.note.contains(document), "{entry}");
        entry.n
    };
    // Nothing to open, a document of which every cell was edited, and both for somebody else.
    assert_eq!(room.open("plain.csv", [1, 2]).unwrap_err().exit(), Exit::Input);
    let first = is_noted("plain.csv");
    let mut text = fs::read(room.path("sealed.csv")).unwrap();
    let ends: Vec<usize> =
        text.windows(9).enumerate().filter(|(_, nine)| nine == b"</UCRYPT>").map(|(at, _)| at).collect();
    for end in ends {
        text[end - 9] = if text[end - 9] == b'A' { b'B' } else { b'A' };
    }
    fs::write(room.path("sealed.csv"), text).unwrap();
    assert_eq!(room.open("sealed.csv", [1, 2]).unwrap_err().exit(), Exit::CellRefused);
    assert_eq!(is_noted("sealed.csv"), first + 1);
    fs::remove_file(room.path("sealed.csv.ukeys")).unwrap();
    let file = PolicyFile::read(&room.policy()).unwrap();
    for (count, (document, exit)) in [("plain.csv", Exit::Input), ("sealed.csv", Exit::CellRefused)].iter().enumerate()
    {
        let form = Form::of(&room.path(document), None).unwrap();
        let open = Open { fields: &["City".to_owned()], ..Open::new(&file, &form) };
        let offers = [Offer::Key(&room.keys[1]), Offer::Key(&room.keys[2])];
        let granted = open.grant(
            &offers,
            &room.path(document),
            Reader { name: "reader", recipient: &room.keys[0].recipient() },
            Timestamp::now(),
        );
        assert_eq!(granted.err().unwrap().exit(), *exit);
        assert_eq!(is_noted(document), first + 2 + count as u64);
    }
}

/// Who reads by a grant may have no right to write the log; one that cannot be written keeps nobody out, and is told.
#[test]
fn a_reader_opens_what_was_granted_though_the_log_cannot_be_written() {
    let room = Room::new();
    let file = PolicyFile::read(&room.policy()).unwrap();
    let (path, output) = (room.path("sealed.csv"), room.path("read.csv"));
    let form = Form::of(&path, None).unwrap();
    let fields = ["Disease".to_owned()];
    let open = Open { fields: &fields, ..Open::new(&file, &form) };
    let offers = [Offer::Key(&room.keys[1]), Offer::Key(&room.keys[2])];
    let handed = open
        .grant(&offers, &path, Reader { name: "reader", recipient: &room.keys[0].recipient() }, Timestamp::now())
        .unwrap();
    assert_eq!(open.run_granted(&handed.grants, &path, &output, Timestamp::now()).unwrap().log, None);
    fs::remove_file(file.log.path()).unwrap();
    fs::create_dir(file.log.path()).unwrap();
    // What is no log tells nothing of the policy; the fingerprint does.
    let print = file.policy.fingerprint();
    let open = Open { fingerprint: Some(&print), ..open };
    let opened = open.run_granted(&handed.grants, &path, &output, Timestamp::now()).unwrap();
    assert!(opened.log.is_some_and(|reason| reason.contains("uaudit")) && opened.counts.changed == 1);
}
