//! Rotations that are finished after something else happened meanwhile.

use super::*;

/// The steps after which the new policy waits, up to the last before the end.
fn waiting(depth: Depth) -> impl Iterator<Item = (usize, Room)> {
    let stopped = move |steps| {
        let room = Room::new();
        let all = room.rotate(depth, steps).unwrap();
        (steps + 1 < all).then_some((steps, room))
    };
    let is_waiting = |(_, room): &(usize, Room)| PolicyFile::read(&room.policy()).unwrap().next.is_some();
    (0..).map_while(stopped).filter(is_waiting)
}

/// Another character in the wrapped share of each holder: it is still base64.
fn damage_shares(text: &str) -> String {
    let line = |line: &str| match line.strip_prefix("share = \"") {
        Some(share) => format!("share = \"{}{}", if share.starts_with('Y') { 'Z' } else { 'Y' }, &share[1..]),
        None => line.to_owned(),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_policy_that_was_damaged_or_edited_while_it_waited_does_not_take_its_place() {
    let edits: [fn(&str) -> String; 5] = [
        damage_shares,
        |text| text.replace("bind = \"rf\"", "bind = \"n\""),
        |text| text.replace("name = \"Disease\"", "name = \"City2\""),
        |text| text.replace("pad = 32", "pad = 64"),
        |text| text.split("\n# That the holders of the key before wrote").next().unwrap().to_owned(),
    ];
    for edit in edits {
        let mut tried = 0;
        for (steps, room) in waiting(Depth::Full) {
            let next = room.path("p.upolicy.next");
            let good = fs::read_to_string(&next).unwrap();
            let edited = edit(&good);
            assert_ne!(edited, good);
            fs::write(&next, edited).unwrap();
            let before = fs::read(room.path("sealed.xml")).unwrap();
            let error = room.rotate(Depth::Full, usize::MAX).unwrap_err();
            assert!(matches!(error, OperationError::Successor { .. }), "{steps}: {error}");
            assert_eq!(error.exit(), Exit::Input);
            assert!(fs::read(room.path("sealed.xml")).unwrap() == before);
            // With a good copy everything goes on.
            fs::write(&next, good).unwrap();
            room.rotate(Depth::Full, usize::MAX).unwrap();
            for document in DOCUMENTS {
                room.open(document, [3, 2]).unwrap();
            }
            tried += 1;
        }
        assert!(tried > 3);
    }
}

#[test]
fn a_policy_that_waited_and_is_put_in_its_place_by_hand_is_a_policy() {
    let (_, room) = waiting(Depth::Full).last().unwrap();
    let text = fs::read_to_string(room.path("p.upolicy.next")).unwrap();
    let (policy, handover) = Policy::from_waiting_file(&text).unwrap();
    assert!(handover.is_some());
    assert_eq!(Policy::from_file(&text).unwrap(), policy);
    assert!(!policy.to_file().contains("handover"));
}

#[test]
fn a_full_rotation_that_finishes_one_of_data_keys_seals_every_cell_anew() {
    let texts = ["sealed.csv", "sealed.sql", "sealed.xml"];
    let mut tried = 0;
    for (steps, room) in waiting(Depth::Headers) {
        let before = texts.map(|name| fs::read_to_string(room.path(name)).unwrap());
        let cell = |text: &str| text.split("</UCRYPT>").next().unwrap().replace("\"\"", "\"");
        let cells = |text: &str| text.split("<UCRYPT ").skip(1).map(cell).collect::<Vec<_>>();
        room.rotate(Depth::Full, usize::MAX).unwrap();
        for (name, before) in texts.iter().zip(before) {
            let after = cells(&fs::read_to_string(room.path(name)).unwrap());
            assert_eq!(after.len(), 2);
            assert!(!cells(&before).iter().any(|cell| after.contains(cell)), "{name} {steps}");
            assert!(after.iter().all(|cell| cell.contains("ep=\"2\"")), "{name} {steps}");
        }
        for document in DOCUMENTS {
            room.open(document, [3, 2]).unwrap();
        }
        tried += 1;
    }
    assert!(tried > 3);
}

#[cfg(unix)]
#[test]
fn a_document_that_is_named_twice_is_refused_before_anything_is_done() {
    let room = Room::new();
    std::os::unix::fs::symlink(room.path("sealed.csv"), room.path("link.csv")).unwrap();
    let file = PolicyFile::lock(&room.policy()).unwrap();
    let members = file.policy.members();
    let outlet = Outlet { directory: room.directory.path(), protection: Protection::Paper };
    let rotation =
        Rotation { file: &file, members: &members, threshold: 2, depth: Depth::Full, action: Action::Rotate, outlet };
    let document = |name: &str| (room.path(name), Form::of(&room.path(name), None).unwrap());
    let offers = [Offer::Key(&room.keys[1]), Offer::Key(&room.keys[2])];
    for other in ["link.csv", "./sealed.csv"] {
        let error = rotation.run(&offers, &[document("sealed.csv"), document(other)], Timestamp::now()).unwrap_err();
        assert!(matches!(error, OperationError::NamedTwice { .. }), "{error}");
        assert_eq!(error.exit(), Exit::Input);
    }
    room.open("sealed.csv", [1, 2]).unwrap();
    assert!(!room.path("p.e1.upolicy").exists());
}

#[cfg(unix)]
#[test]
fn what_belongs_to_a_policy_stands_beside_it_and_not_beside_a_link() {
    let room = Room::new();
    let elsewhere = tempfile::tempdir().unwrap();
    let link = elsewhere.path().join("l.upolicy");
    std::os::unix::fs::symlink(room.policy(), &link).unwrap();
    let file = PolicyFile::lock(&link).unwrap();
    assert_eq!(file.log.path(), fs::canonicalize(room.directory.path()).unwrap().join("p.uaudit"));
    room.rotate_to(&file, &file.policy.members(), Depth::Full, usize::MAX).unwrap();
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 1);
    assert!(room.path("p.e1.upolicy").exists());
    assert_eq!(PolicyFile::read(&link).unwrap().policy.epoch, 2);
}
