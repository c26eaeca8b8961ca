use std::fs;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use tempfile::TempDir;

use super::held::Held;
use super::rotate::Rotation;
use super::{Chosen, Condition, Depth, Form, Kind, Open, OperationError, Outlet, PolicyFile, Reader, Seal};
use crate::audit::Action;
use crate::exit::Exit;
use crate::key::{BareShare, HolderSecret, Protection};
use crate::policy::{Field, Member, Offer, Plan, Policy, Selection};

mod interrupted;
mod log;
mod meanwhile;
mod nothing_to_rotate;

const TABLE: &str = "Id,City,Disease\n4,Opole,flu\n5,\"Opole\",gout\n";

/// A policy that any two of patient, doctor and payer open, and a document of every kind with record 5 sealed.
struct Room {
    directory: TempDir,
    keys: [HolderSecret; 4],
}

impl Room {
    fn new() -> Self {
        let keys = ["patient", "doctor", "payer", "executor"].map(|name| HolderSecret::generate(name).unwrap());
        let room = Self { directory: tempfile::tempdir().unwrap(), keys };
        let fields = ["City", "Disease"].map(|name| Field { name: name.into(), ..Field::default() });
        let selection = Selection {
            name: "patients".into(),
            key: Some("Id".into()),
            record: Some("/patients/patient".into()),
            record_key: Some("@id".into()),
            fields: fields.into(),
            ..Selection::default()
        };
        let mut members: Vec<Member> = room.keys[..3].iter().map(|key| Member::from(key.public(None))).collect();
        members.push(Member { name: "safe".into(), not_after: None, recipient: None });
        let made = Policy::create(Plan { members, selections: vec![selection], ..Plan::default() }).unwrap();
        fs::write(room.policy(), made.policy.to_file()).unwrap();
        fs::write(room.path("safe.ushare"), &*made.bare[0].to_file(Protection::Paper).unwrap()).unwrap();
        let dump = "CREATE TABLE patients (Id INTEGER, City TEXT, Disease TEXT);\nINSERT INTO patients VALUES (4, 'Opole', 'flu'), (5, 'Opole', 'gout');\n";
        let xml = "<patients><patient id='5'><City>Opole</City><Disease>gout</Disease></patient></patients>";
        fs::write(room.path("plain.csv"), TABLE).unwrap();
        fs::write(room.path("plain.sql"), dump).unwrap();
        fs::write(room.path("plain.xml"), xml).unwrap();
        rusqlite::Connection::open(room.path("plain.db")).unwrap().execute_batch(dump).unwrap();
        for kind in ["csv", "sql", "xml", "db"] {
            room.seal(&format!("plain.{kind}"), &format!("sealed.{kind}")).unwrap();
        }
        room
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn policy(&self) -> PathBuf {
        self.path("p.upolicy")
    }

    fn seal(&self, from: &str, to: &str) -> Result<(), OperationError> {
        let file = PolicyFile::read(&self.policy())?;
        let form = Form::of(&self.path(from), None)?;
        let chosen = Chosen::records(["5"]);
        let seal = Seal { chosen: &chosen, ..Seal::new(&file, &form) };
        seal.run(&self.path(from), &self.path(to), Timestamp::now()).map(|_| ())
    }

    /// The executor, and the share in the safe.
    fn open_with_safe(&self, document: &str) -> Result<(), OperationError> {
        let text = fs::read_to_string(self.path("safe.g2.ushare")).unwrap();
        let share = BareShare::from_file("safe", &text, None).unwrap();
        self.open_with(document, &[Offer::Key(&self.keys[3]), Offer::Share(&share)])
    }

    fn open(&self, document: &str, holders: [usize; 2]) -> Result<(), OperationError> {
        self.open_with(document, &holders.map(|holder| Offer::Key(&self.keys[holder])))
    }

    fn open_with(&self, document: &str, offers: &[Offer<'_>]) -> Result<(), OperationError> {
        let file = PolicyFile::read(&self.policy())?;
        let path = self.path(document);
        let form = Form::of(&path, None)?;
        let opened = self.path(&format!("opened-{document}"));
        Open::new(&file, &form).run(offers, &path, &opened, Timestamp::now())?;
        let plain = self.path(&document.replace("sealed", "plain"));
        if form.kind != Kind::Sqlite {
            assert_eq!(fs::read(&opened).unwrap(), fs::read(plain).unwrap(), "{document}");
        }
        Ok(())
    }

    /// Doctor and payer put the executor in the place of the patient; the program is stopped after so many steps. Gives how many there
    /// are.
    fn rotate(&self, depth: Depth, steps: usize) -> Result<usize, OperationError> {
        let file = PolicyFile::lock(&self.policy())?;
        let members = file.policy.members_replacing("patient", self.keys[3].public(None).into())?;
        self.rotate_to(&file, &members, depth, steps)
    }

    fn rotate_to(
        &self,
        file: &PolicyFile,
        members: &[Member],
        depth: Depth,
        steps: usize,
    ) -> Result<usize, OperationError> {
        let outlet = Outlet { directory: self.directory.path(), protection: Protection::Paper };
        let rotation = Rotation { file, members, threshold: 2, depth, action: Action::Rotate, outlet };
        let documents: Vec<(PathBuf, Form)> = ["sealed.csv", "sealed.sql", "sealed.xml", "sealed.db"]
            .iter()
            .map(|name| (self.path(name), Form::of(Path::new(&self.path(name)), None).unwrap()))
            .collect();
        let offers = [Offer::Key(&self.keys[1]), Offer::Key(&self.keys[2])];
        let mut held = Held::to_replace(&documents)?;
        let (prepared, _) = rotation.prepare(&mut held, &offers, &documents, Timestamp::now())?;
        let count = prepared.len();
        prepared.run_first(steps)?;
        Ok(count)
    }
}

const DOCUMENTS: [&str; 4] = ["sealed.csv", "sealed.sql", "sealed.xml", "sealed.db"];

#[test]
fn a_rotation_that_stops_after_any_step_leaves_every_document_open_and_can_be_finished() {
    for depth in [Depth::Full, Depth::Headers] {
        let mut steps = 0;
        loop {
            let room = Room::new();
            let all = room.rotate(depth, steps).unwrap();
            for document in DOCUMENTS {
                // They hold shares before and after.
                room.open(document, [1, 2]).unwrap_or_else(|error| panic!("{depth:?} {steps} {document}: {error}"));
            }
            // What is finished cannot be begun again: the executor is no patient.
            let again = room.rotate(depth, usize::MAX);
            let is_finished = matches!(again, Err(OperationError::Policy(_)));
            assert!(again.is_ok() || is_finished, "{depth:?} {steps}");
            for document in DOCUMENTS {
                for pair in [[3, 1], [3, 2], [1, 2]] {
                    room.open(document, pair).unwrap_or_else(|error| panic!("{depth:?} {steps} {document}: {error}"));
                }
                room.open_with_safe(document).unwrap_or_else(|error| panic!("{depth:?} {steps} {document}: {error}"));
                let patient = room.open(document, [0, 2]).unwrap_err();
                assert_eq!(patient.exit(), Exit::ShareRefused);
            }
            let left = fs::read_dir(room.directory.path()).unwrap().map(|entry| entry.unwrap().path());
            assert_eq!(left.filter(|path| path.extension().is_some_and(|end| end == "next")).count(), 0);
            // What was interrupted once does not stand in the way of the next change.
            let file = PolicyFile::lock(&room.policy()).unwrap();
            for next in [Depth::Headers, Depth::Full] {
                let again = room.rotate_to(&file, &file.policy.members(), next, 0);
                assert!(again.is_ok(), "{depth:?} {steps} {next:?}: {again:?}");
            }
            if steps >= all {
                assert!(is_finished, "a rotation that was not stopped is finished");
                break;
            }
            steps += 1;
        }
        assert!(steps > 6, "there is something to stop between");
    }
}

/// Puts another character into the first wrapped key of a text.
fn edit_key(path: &Path, mark: &str) {
    let text = fs::read_to_string(path).unwrap();
    let at = text.find(mark).unwrap() + mark.len() + 20;
    let other = if &text[at..=at] == "A" { "B" } else { "A" };
    fs::write(path, format!("{}{other}{}", &text[..at], &text[at + 1..])).unwrap();
}

#[test]
fn a_key_that_was_edited_while_a_rotation_was_interrupted_is_refused() {
    let keys = [("sealed.csv.ukeys", "\"dk\":\""), ("sealed.xml", " dk=\"")];
    for depth in [Depth::Full, Depth::Headers] {
        for (name, mark) in keys {
            // The new policy waits; then no document, some of them or all of them are done.
            let mut refused = 0;
            for steps in 0.. {
                let room = Room::new();
                let all = room.rotate(depth, steps).unwrap();
                if steps + 1 >= all {
                    break;
                }
                if PolicyFile::read(&room.policy()).unwrap().next.is_none() {
                    continue;
                }
                edit_key(&room.path(name), mark);
                match room.rotate(depth, usize::MAX) {
                    // It was the old key, and the cells were sealed anew before.
                    Ok(_) => DOCUMENTS.iter().for_each(|document| room.open(document, [1, 2]).unwrap()),
                    Err(error) => {
                        refused += 1;
                        assert_eq!(error.exit(), Exit::CellRefused, "{depth:?} {name} {steps}: {error}");
                        assert!(error.to_string().contains("does not open"), "{depth:?} {name} {steps}: {error}");
                    }
                }
            }
            // Beside a CSV file, the edited key is the old one, which no cell needs once all were sealed anew.
            assert!(refused > 2, "{depth:?} {name}: {refused}");
        }
    }
}

#[test]
fn holders_who_have_no_part_in_the_new_key_finish_its_rotation_but_for_edited_keys() {
    for is_edited in [false, true] {
        for done in [0, 2, 3] {
            let room = Room::new();
            let rotate = |steps| {
                let file = PolicyFile::lock(&room.policy()).unwrap();
                let members: Vec<Member> =
                    [0, 3].map(|holder: usize| Member::from(room.keys[holder].public(None))).into();
                room.rotate_to(&file, &members, Depth::Full, steps)
            };
            // The old policy and the new one have their names, and perhaps the first document and its keys.
            rotate(2 + done).unwrap();
            assert!(PolicyFile::read(&room.policy()).unwrap().next.is_some());
            if is_edited {
                edit_key(&room.path("sealed.xml"), " dk=\"");
                assert_eq!(rotate(usize::MAX).unwrap_err().exit(), Exit::CellRefused);
            } else {
                rotate(usize::MAX).unwrap();
                for document in DOCUMENTS {
                    room.open(document, [0, 3]).unwrap();
                }
            }
        }
    }
}

#[test]
fn an_interrupted_change_is_finished_before_another_one_begins() {
    let room = Room::new();
    room.rotate(Depth::Full, 4).unwrap();
    let file = PolicyFile::lock(&room.policy()).unwrap();
    assert!(file.next.is_some());
    let outlet = Outlet { directory: room.directory.path(), protection: Protection::Paper };
    let offers = [Offer::Key(&room.keys[1]), Offer::Key(&room.keys[2])];
    let members = file.policy.members();
    let soft = super::change_shares(&file, &offers, &members, Action::Refresh, None, outlet, Timestamp::now());
    assert!(matches!(soft, Err(OperationError::Interrupted(_))));
    let other =
        Rotation { file: &file, members: &members, threshold: 2, depth: Depth::Full, action: Action::Rotate, outlet };
    assert!(matches!(other.run(&offers, &[], Timestamp::now()), Err(OperationError::Interrupted(_))));
}

#[test]
fn two_records_with_one_key_are_not_sealed() {
    let room = Room::new();
    fs::write(room.path("doubled.csv"), format!("{TABLE}5,Brzeg,cold\n")).unwrap();
    fs::write(
        room.path("doubled.xml"),
        "<patients><patient id='5'><City>a</City></patient><patient id='5'><City>b</City></patient></patients>",
    )
    .unwrap();
    for (name, said) in [("doubled.csv", "same key"), ("doubled.xml", "same key")] {
        let error = room.seal(name, "out").unwrap_err();
        assert!(error.to_string().contains(said), "{error}");
        assert!(!room.path("out").exists());
    }
}

#[test]
fn two_records_with_one_key_are_not_sealed_where_all_are_chosen() {
    let room = Room::new();
    let file = PolicyFile::read(&room.policy()).unwrap();
    let record = |key: &str| format!("<patient id='{key}'><City>a</City><Disease>b</Disease></patient>");
    let path = room.path("all.xml");
    for (keys, is_sealed) in [(["5", "6"], true), (["5", "5"], false)] {
        let records: String = keys.iter().map(|key| record(key)).collect();
        fs::write(&path, format!("<patients>{records}</patients>")).unwrap();
        let form = Form::of(&path, None).unwrap();
        let chosen = Chosen::all();
        let seal = Seal { chosen: &chosen, ..Seal::new(&file, &form) };
        let sealed = seal.run(&path, &room.path("all-sealed.xml"), Timestamp::now());
        assert_eq!(sealed.is_ok(), is_sealed, "{keys:?}");
    }
}

#[test]
fn a_condition_that_too_many_records_meet_is_refused() {
    let room = Room::new();
    let file = PolicyFile::read(&room.policy()).unwrap();
    let path = room.path("many.csv");
    for (count, is_sealed) in [(1_000, true), ((1 << 20) + 1, false)] {
        let rows = (0..count).map(|id| format!("{id},Opole,flu\n")).collect::<Vec<_>>().concat();
        fs::write(&path, format!("Id,City,Disease\n{rows}")).unwrap();
        let form = Form::of(&path, None).unwrap();
        let condition = Some(Condition::new("Disease", "flu"));
        let seal = Seal { condition, ..Seal::new(&file, &form) };
        match seal.run(&path, &room.path("many-sealed.csv"), Timestamp::now()) {
            Ok(sealed) => assert!(is_sealed && sealed.counts.changed == 2 * count),
            Err(error) => assert!(!is_sealed && error.to_string().contains("more than 1048576 records"), "{error}"),
        }
    }
}

#[test]
fn the_delimiter_is_the_most_frequent_one_of_the_first_line() {
    let room = Room::new();
    for (line, delimiter) in [("a,b;c,d", b','), ("a;b", b';'), ("a\tb", b'\t'), ("\"a,b,c\"|d|e", b'|'), ("a", b',')] {
        fs::write(room.path("x.csv"), line).unwrap();
        assert_eq!(Form::of(&room.path("x.csv"), None).unwrap().delimiter, delimiter, "{line}");
    }
}
