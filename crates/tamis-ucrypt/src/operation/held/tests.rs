use std::fs::{self, FileTimes};
use std::path::PathBuf;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use super::*;

struct Room(TempDir);

impl Room {
    fn new() -> Self {
        let room = Self(tempfile::tempdir().unwrap());
        for name in ["a.csv", "b.csv", "c.csv"] {
            fs::write(room.path(name), "Id,Disease\n5,gout\n").unwrap();
        }
        room
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn form(&self) -> Form {
        Form::of(&self.path("a.csv"), None).unwrap()
    }

    fn write(&self, input: &str, output: &str) -> Held {
        Held::to_write(&self.path(input), &self.form(), &self.path(output)).unwrap()
    }
}

#[test]
fn what_an_editor_changes_meanwhile_is_not_replaced() {
    let room = Room::new();
    let path = room.path("a.csv");
    let changes: [(&str, &dyn Fn()); 5] = [
        ("another length", &|| fs::write(&path, "Id,Disease\n5,gout\n6,flu\n").unwrap()),
        ("another time", &|| {
            let times = FileTimes::new().set_modified(SystemTime::UNIX_EPOCH);
            File::options().write(true).open(&path).unwrap().set_times(times).unwrap();
        }),
        ("another file of that name", &|| {
            let before = fs::metadata(&path).unwrap().modified().unwrap();
            fs::rename(room.path("c.csv"), &path).unwrap();
            let times = FileTimes::new().set_modified(before);
            File::options().write(true).open(&path).unwrap().set_times(times).unwrap();
        }),
        ("no file", &|| fs::remove_file(&path).unwrap()),
        ("other keys", &|| fs::write(room.path("a.csv.ukeys"), "\n").unwrap()),
    ];
    for (what, change) in changes {
        fs::write(&path, "Id,Disease\n5,gout\n").unwrap();
        let _ = fs::remove_file(room.path("a.csv.ukeys"));
        for output in ["a.csv", "b.csv"] {
            room.write("a.csv", output).confirm().unwrap();
        }
        let mut held = room.write("a.csv", "a.csv");
        change();
        let refused = held.confirm().unwrap_err();
        assert!(matches!(refused, OperationError::Changed(_)), "{what}: {refused}");
        assert!(refused.to_string().contains("changed while it was read"), "{refused}");
    }
}

#[test]
fn an_output_that_appears_meanwhile_is_not_replaced() {
    let room = Room::new();
    let mut held = room.write("a.csv", "new.csv");
    fs::write(room.path("new.csv"), "").unwrap();
    assert!(matches!(held.confirm(), Err(OperationError::Appeared(_))));
}

#[cfg(unix)]
#[test]
fn one_waits_for_the_other_and_holds_the_file_that_has_the_name() {
    let room = Room::new();
    let held = room.write("a.csv", "a.csv");
    let (send, receive) = mpsc::channel();
    thread::scope(|scope| {
        scope.spawn(|| {
            send.send(()).unwrap();
            let mut second = room.write("b.csv", "a.csv");
            second.confirm().unwrap();
            // It must be the new file that is locked, or a third one would not wait.
            let there = State::of(&room.path("a.csv")).unwrap().unwrap();
            assert!(second.locks.iter().any(|lock| State::from(&lock.metadata().unwrap()).inode == there.inode));
            send.send(()).unwrap();
        });
        // Only of one who has begun does it say something that nothing more comes.
        receive.recv().unwrap();
        assert_eq!(receive.recv_timeout(Duration::from_millis(200)), Err(RecvTimeoutError::Timeout));
        fs::write(room.path("next"), "Id,Disease\n").unwrap();
        fs::rename(room.path("next"), room.path("a.csv")).unwrap();
        drop(held);
        receive.recv().unwrap();
    });
}

#[cfg(unix)]
#[test]
fn readers_do_not_wait_for_each_other_and_nobody_waits_for_himself() {
    let room = Room::new();
    fs::hard_link(room.path("a.csv"), room.path("same.csv")).unwrap();
    std::os::unix::fs::symlink("a.csv", room.path("link.csv")).unwrap();
    let first = Held::to_read(&room.path("a.csv"), &room.form()).unwrap();
    let second = Held::to_read(&room.path("link.csv"), &room.form()).unwrap();
    drop((first, second));
    let names = ["a.csv", "link.csv", "same.csv", "b.csv", "a.csv"];
    let documents: Vec<(PathBuf, Form)> = names.iter().map(|name| (room.path(name), room.form())).collect();
    let mut held = Held::to_replace(&documents).unwrap();
    assert_eq!(held.locks.len(), 2);
    held.confirm().unwrap();
}

#[cfg(unix)]
#[test]
fn documents_named_in_another_order_are_locked_in_the_same() {
    let room = Room::new();
    let documents = |names: [&str; 3]| names.map(|name| (room.path(name), room.form()));
    thread::scope(|scope| {
        for names in [["a.csv", "b.csv", "c.csv"], ["c.csv", "b.csv", "a.csv"], ["b.csv", "c.csv", "a.csv"]] {
            let documents = documents(names);
            scope.spawn(move || {
                for _ in 0..200 {
                    drop(Held::to_replace(&documents).unwrap());
                }
            });
        }
    });
}
