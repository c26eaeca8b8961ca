//! Rotations that name the wrong documents.

use super::*;
use crate::operation::Rotated;

/// Doctor and payer put the executor in the place of the patient.
fn rotate(room: &Room, depth: Depth, names: &[&str]) -> Result<Rotated, OperationError> {
    let file = PolicyFile::lock(&room.policy())?;
    let members = file.policy.members_replacing("patient", room.keys[3].public(None).into())?;
    let outlet = Outlet { directory: room.directory.path(), protection: Protection::Paper };
    let rotation = Rotation { file: &file, members: &members, threshold: 2, depth, action: Action::Rotate, outlet };
    let documents: Vec<(PathBuf, Form)> =
        names.iter().map(|name| (room.path(name), Form::of(&room.path(name), None).unwrap())).collect();
    let offers = [Offer::Key(&room.keys[1]), Offer::Key(&room.keys[2])];
    rotation.run(&offers, &documents, Timestamp::now())
}

#[test]
fn a_rotation_that_concerns_no_document_changes_nothing_and_the_log_tells_whom_one_concerns() {
    for depth in [Depth::Full, Depth::Headers] {
        let room = Room::new();
        let log = || fs::read_to_string(room.path("p.uaudit")).unwrap_or_default();
        let before = fs::read(room.policy()).unwrap();
        let error = rotate(&room, depth, &["plain.csv", "plain.xml"]).unwrap_err();
        assert!(matches!(error, OperationError::NothingToRotate), "{error}");
        assert_eq!(error.exit(), Exit::Input);
        assert!(fs::read(room.policy()).unwrap() == before);
        assert!(log().lines().last().unwrap().contains("\"refuse\""));
        assert!(!room.path("p.upolicy.next").exists() && !room.path("p.e1.upolicy").exists());
        let names = ["plain.csv", "sealed.xml", "sealed.sql", "sealed.db", "plain.sql", "plain.db"];
        let rotated = rotate(&room, depth, &names).unwrap();
        assert_eq!(rotated.untouched, ["plain.csv", "plain.sql", "plain.db"].map(|name| room.path(name)));
        let note = "2 of 4: executor, doctor, payer, safe; executor in the place of patient; \
                    plain.csv, sealed.xml, sealed.sql, sealed.db, plain.sql and 1 more";
        assert!(log().contains(note), "{}", log());
    }
}

#[test]
fn a_rotation_that_was_interrupted_is_not_finished_by_one_that_concerns_no_document() {
    for depth in [Depth::Full, Depth::Headers] {
        let room = Room::new();
        let all = room.rotate(depth, 0).unwrap();
        // Everything is done but the last two words: the policy's name, and that nothing waits.
        room.rotate(depth, all - 2).unwrap();
        let before = fs::read(room.policy()).unwrap();
        let error = rotate(&room, depth, &["plain.csv", "plain.sql"]).unwrap_err();
        assert!(matches!(error, OperationError::NothingToRotate), "{error}");
        assert_eq!(fs::read(room.policy()).unwrap(), before);
        let rotated = rotate(&room, depth, &["plain.csv", "sealed.csv", "sealed.db"]).unwrap();
        assert!(rotated.is_resumed);
        assert_eq!(rotated.untouched, [room.path("plain.csv")]);
        for document in DOCUMENTS {
            room.open(document, [3, 1]).unwrap();
        }
    }
}
