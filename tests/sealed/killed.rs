//! `kill -9` during a rotation: whatever was done by then, every document opens, and the same command again finishes.

#![cfg(unix)]

use crate::holders::*;
use crate::program::Desk;
use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt as _;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Copies of each kind of document: the more there are, the longer the phase takes in which files get their names.
const COPIES: usize = 4;

/// A policy whose patient is about to be replaced by an executor in many documents.
struct Rotation {
    desk: Desk,
    documents: Vec<String>,
    before: BTreeMap<PathBuf, Vec<u8>>,
}

/// What a kill left.
#[derive(Debug, Default)]
struct Kills {
    /// Before any file had its new name.
    before: usize,
    /// While files got their names.
    inside: usize,
    /// When all was done but saying so.
    after: usize,
}

impl Rotation {
    fn new() -> Self {
        let desk = sealed_desk();
        desk.done("ucrypt keygen executor");
        let mut documents = Vec::new();
        for copy in 0..COPIES {
            for kind in ["csv", "xml", "sql"] {
                let name = format!("many{copy}.{kind}");
                desk.done(&format!("ucrypt seal p.upolicy plain.{kind} -o {name} --record 5 --table pacjenci"));
                documents.push(name);
            }
        }
        let before = desk.listing();
        Self { desk, documents, before }
    }

    fn start(&self) -> Child {
        let documents = self.documents.join(" ");
        let command = format!(
            "ucrypt rotate p.upolicy {documents} --full --table pacjenci --replace patient=executor.upub{}",
            with(&["doctor", "payer"])
        );
        let words: Vec<&str> = command.split_whitespace().collect();
        let mut command = self.desk.command(words);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it runs")
    }

    /// Puts everything back as it was before.
    fn restore(&self) {
        for path in self.desk.listing().into_keys().filter(|path| !self.before.contains_key(path)) {
            std::fs::remove_file(path).expect("a file");
        }
        for (path, content) in &self.before {
            std::fs::write(path, content).expect("a file");
        }
    }

    fn opens(&self, document: &str, holders: &[&str]) -> bool {
        let extension = document.rsplit('.').next().expect("an extension");
        let opened = format!("opened.{extension}");
        let by = with(holders);
        let ran = self.desk.tamis(&format!("ucrypt open p.upolicy {document} -o {opened} --table pacjenci{by}"));
        if ran.code != 0 {
            return false;
        }
        assert_plain(&self.desk, document);
        true
    }

    /// Every document opens with the holders that it had or got; both pairs never fail.
    fn assert_nothing_is_lost(&self, when: &str) {
        for document in &self.documents {
            assert!(self.opens(document, &["doctor", "payer"]), "{document}, {when}");
        }
        // The ends of the list tell whether old and new holders were told apart.
        for document in [&self.documents[0], &self.documents[self.documents.len() - 1]] {
            let is_open = ["patient", "executor"].map(|third| self.opens(document, &[third, "payer"]));
            assert!(is_open.contains(&true), "{document}, {when}: neither the old nor the new third holder opens it");
        }
    }

    /// Looks at what a killed run left, and runs the command again.
    fn examine(&self, mut child: Child, when: &str, kills: &mut Kills) -> bool {
        let ended = child.wait().expect("it ends");
        let is_killed = ended.signal().is_some();
        assert!(is_killed || ended.success(), "{when}: {ended:?}");
        let is_begun = self.desk.path("p.e1.upolicy").exists();
        let is_waiting = self.desk.path("p.upolicy.next").exists();
        let is_old = self.before[&self.desk.path("p.upolicy")] == self.desk.bytes("p.upolicy");
        if is_killed {
            let phase = match (is_begun, is_old || is_waiting) {
                (false, _) => &mut kills.before,
                (true, true) => &mut kills.inside,
                (true, false) => &mut kills.after,
            };
            *phase += 1;
        }
        self.assert_nothing_is_lost(when);
        if is_old {
            assert!(self.start().wait().expect("it ends").success(), "{when}: the same command does not finish it");
        } else if is_waiting {
            // All is done but tidying up, which the next change does.
            self.desk.done(&format!("ucrypt refresh p.upolicy{}", with(&["doctor", "payer"])));
        }
        assert!(!self.desk.path("p.upolicy.next").exists(), "{when}");
        for document in [&self.documents[0], &self.documents[self.documents.len() - 1]] {
            assert!(self.opens(document, &["executor", "doctor"]), "{document}, {when}");
            assert!(!self.opens(document, &["patient", "doctor"]), "{document}, {when}");
        }
        self.restore();
        is_killed
    }
}

/// Kills after longer and longer delays, until the command is faster.
#[test]
fn after_any_delay_nothing_is_lost() {
    let rotation = Rotation::new();
    let started = Instant::now();
    assert!(rotation.start().wait().expect("it ends").success());
    let whole = started.elapsed();
    rotation.restore();
    let mut kills = Kills::default();
    let mut delay = Duration::ZERO;
    let mut survived = 0;
    let mut working = 0;
    while survived < 2 {
        let mut child = rotation.start();
        // What it does before it holds the documents changes nothing.
        let is_begun = rotation.desk.wait_until_locked(&rotation.documents[0], &mut child);
        std::thread::sleep(delay);
        let _ = child.kill();
        working += u32::from(is_begun);
        survived = if rotation.examine(child, &format!("after {delay:?}"), &mut kills) { 0 } else { survived + 1 };
        delay += whole / 12;
        assert!(delay < whole * 1000, "the command does not end");
    }
    println!("kills by delay: {kills:?}");
    assert!(working > 2 && kills.before + kills.inside > 2, "hardly ever killed while it worked: {working}, {kills:?}");
}

/// Kills as soon as a file has its new name, for each file that gets one.
#[test]
fn at_each_step_nothing_is_lost() {
    let rotation = Rotation::new();
    let named = |name: &str| rotation.desk.path(name).exists();
    let changed = |name: &str| {
        let path = rotation.desk.path(name);
        std::fs::read(&path).is_ok_and(|content| content != rotation.before[&path])
    };
    let last = &rotation.documents[rotation.documents.len() - 1];
    let mut steps: Vec<(String, Box<dyn Fn() -> bool>)> = vec![
        ("the old policy is kept".into(), Box::new(|| named("p.e1.upolicy"))),
        ("the new policy waits".into(), Box::new(|| named("p.upolicy.next"))),
        ("both keys stand beside the first document".into(), Box::new(|| changed("many0.csv.ukeys"))),
    ];
    for document in rotation.documents.iter().step_by(4).chain([last]) {
        steps.push((format!("{document} is new"), Box::new(move || changed(document))));
    }
    steps.push(("the policy is new".into(), Box::new(|| changed("p.upolicy"))));
    let mut kills = Kills::default();
    for (what, is_reached) in &steps {
        let mut child = rotation.start();
        while !is_reached() && child.try_wait().expect("a process").is_none() {}
        let _ = child.kill();
        rotation.examine(child, &format!("when {what}"), &mut kills);
    }
    // On a busy machine the command may be done before it is looked at again: then once more.
    for _ in 0..20 {
        if kills.inside > 0 {
            break;
        }
        let mut child = rotation.start();
        while !named("p.e1.upolicy") && child.try_wait().expect("a process").is_none() {}
        let _ = child.kill();
        rotation.examine(child, "when the old policy is kept", &mut kills);
    }
    println!("kills by step, {} of them: {kills:?}", steps.len());
    assert!(kills.inside > 0, "no kill hit the phase in which files get their names: {kills:?}");
}
