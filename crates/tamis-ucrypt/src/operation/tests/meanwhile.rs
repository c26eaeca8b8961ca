//! Policies that change between the moment in which a command reads them and the one in which it has its locks.

use super::*;
use crate::operation::Progress;

#[test]
fn the_epoch_that_is_told_is_that_of_the_policy_that_was_used() {
    let room = Room::new();
    let early = PolicyFile::read(&room.policy()).unwrap();
    room.rotate(Depth::Full, usize::MAX).unwrap();
    assert_eq!(early.policy.epoch, 1);
    let path = room.path("sealed.csv");
    let form = Form::of(&path, None).unwrap();
    let chosen = Chosen::records(["4"]);
    let seal = Seal { chosen: &chosen, ..Seal::new(&early, &form) };
    assert_eq!(seal.run(&path, &path, Timestamp::now()).unwrap().epoch, 2);
    let offers = [Offer::Key(&room.keys[1]), Offer::Key(&room.keys[3])];
    let open = Open { fields: &["City".to_owned()], ..Open::new(&early, &form) };
    let output = room.path("opened.csv");
    assert_eq!(open.run(&offers, &path, &output, Timestamp::now()).unwrap().epoch, 2);
    let handed = open
        .grant(&offers, &path, Reader { name: "reader", recipient: &room.keys[0].recipient() }, Timestamp::now())
        .unwrap();
    assert_eq!(handed.epoch, 2);
    assert_eq!(open.run_granted(&handed.grants, &path, &output, Timestamp::now()).unwrap().epoch, 2);
}

#[test]
fn nothing_is_sealed_for_a_policy_that_is_replaced_while_the_document_is_read() {
    for kind in ["csv", "xml", "sql"] {
        let room = Room::new();
        let [input, output] = [format!("plain.{kind}"), format!("late.{kind}")].map(|name| room.path(&name));
        let file = PolicyFile::read(&room.policy()).unwrap();
        let mut form = Form::of(&input, None).unwrap();
        let chosen = Chosen::records(["5"]);
        // Another program changes the policy as soon as the first bytes are read: the same text, in another file.
        let policy = room.policy();
        form.progress = Some(Progress::new(move |_| {
            let beside = policy.with_extension("other");
            fs::copy(&policy, &beside).unwrap();
            fs::rename(&beside, &policy).unwrap();
        }));
        let seal = Seal { chosen: &chosen, ..Seal::new(&file, &form) };
        let refused = seal.run(&input, &output, Timestamp::now()).unwrap_err();
        assert!(matches!(&refused, OperationError::Changed(path) if *path == room.policy()), "{kind}: {refused}");
        assert!(!output.exists());
        let quiet = Form { progress: None, ..form.clone() };
        let chosen = Chosen::records(["5"]);
        let seal = Seal { chosen: &chosen, ..Seal::new(&file, &quiet) };
        seal.run(&input, &output, Timestamp::now()).unwrap();
    }
}

#[test]
fn a_rotation_does_not_replace_another_policy_that_is_called_like_the_old_epoch() {
    for depth in [Depth::Full, Depth::Headers] {
        let room = Room::new();
        let (kept, before) = (room.path("p.e1.upolicy"), fs::read(room.policy()).unwrap());
        fs::write(&kept, "the policy of somebody else").unwrap();
        let refused = room.rotate(depth, usize::MAX).unwrap_err();
        assert!(matches!(&refused, OperationError::Exists(path) if *path == kept), "{refused}");
        assert_eq!(refused.exit(), Exit::Input);
        assert_eq!(fs::read(&kept).unwrap(), b"the policy of somebody else");
        assert_eq!(fs::read(room.policy()).unwrap(), before);
        assert!(!room.path("p.upolicy.next").exists());
        // The old policy itself may stand there: a change that stopped left it.
        fs::write(&kept, &before).unwrap();
        room.rotate(depth, usize::MAX).unwrap();
    }
}
