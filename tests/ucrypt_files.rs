//! What `tamis ucrypt` does to files while other programs work on them, or while it is stopped.

mod holders;
mod program;

use holders::*;
use program::Desk;
use std::process::{Child, Stdio};

fn start(desk: &Desk, command: &str) -> Child {
    let words: Vec<&str> = command.split_whitespace().collect();
    desk.command(words).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it runs")
}

fn finish(child: Child) {
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Many commands at once.
#[cfg(unix)]
mod at_once {
    use super::*;

    const RECORDS: usize = 20;

    #[test]
    fn twenty_commands_seal_twenty_records_of_one_document() {
        let desk = desk();
        let row = |id: usize| format!("{id},name{id},b,c,d\n");
        let rows: String = (1..=RECORDS).map(row).collect();
        desk.write("plain.csv", format!("{}\n{rows}", COLUMNS.join(",")));
        let record = |id: usize| {
            format!(
                "<pacjent><Id>{id}</Id><Nazwisko>name{id}</Nazwisko><Zawód>b</Zawód><Miasto>c</Miasto><Choroba>d</Choroba></pacjent>\n"
            )
        };
        let records: String = (1..=RECORDS).map(record).collect();
        desk.write("plain.xml", format!("<pacjenci>\n{records}</pacjenci>\n"));
        for kind in ["csv", "xml"] {
            std::fs::copy(desk.path(&format!("plain.{kind}")), desk.path(&format!("sealed.{kind}"))).expect("a copy");
        }
        let seal = |kind: &str, id: usize| {
            start(&desk, &format!("ucrypt seal p.upolicy sealed.{kind} --in-place --record {id}"))
        };
        let all: Vec<Child> = (1..=RECORDS).flat_map(|id| [seal("csv", id), seal("xml", id)]).collect();
        all.into_iter().for_each(finish);
        for kind in ["csv", "xml"] {
            let inspected = desk.json(&format!("ucrypt inspect sealed.{kind}"), 0);
            assert_eq!(inspected["sealed"], RECORDS * 4, "{kind}");
            assert_opens(&desk, "p.upolicy", &format!("sealed.{kind}"), &["doctor", "payer"]);
        }
    }

    #[test]
    fn what_is_sealed_while_the_key_changes_is_sealed_for_the_new_key() {
        let desk = sealed_desk();
        let rotate = format!("ucrypt rotate p.upolicy sealed.csv sealed.xml --full{}", with(&["doctor", "payer"]));
        let reversed = rotate.replace("sealed.csv sealed.xml", "sealed.xml sealed.csv");
        let mut all = vec![start(&desk, &rotate), start(&desk, &reversed)];
        for id in [1, 2, 3] {
            for kind in ["csv", "xml"] {
                all.push(start(&desk, &format!("ucrypt seal p.upolicy sealed.{kind} --in-place --record {id}")));
            }
        }
        all.into_iter().for_each(finish);
        for kind in ["csv", "xml"] {
            assert_opens(&desk, "p.upolicy", &format!("sealed.{kind}"), &["doctor", "payer"]);
        }
    }
}
