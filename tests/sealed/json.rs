//! The JSON documents of `tamis ucrypt`: one object each, and one shape for what several of them say.

use crate::holders::*;
use crate::program::{Desk, repository};
use serde_json::Value;
use std::collections::BTreeMap;
use tamis_ucrypt::audit::{Action, Event, Log};

/// Runs a command; its document, whose notes are those of standard error.
fn document_of(desk: &Desk, command: &str, code: i32) -> Value {
    let ran = desk.tamis(&format!("ucrypt {command} --json"));
    assert_eq!(ran.code, code, "{command}: {ran:?}");
    let document = ran.document();
    let said: Vec<&str> = ran.err.lines().filter_map(|line| line.strip_prefix("note: ")).collect();
    assert_eq!(document["notes"], serde_json::json!(said), "{command}");
    document
}

/// What every verb says, by its name in the manual. Several runs of a verb show several of its answers.
fn all_documents() -> Vec<(&'static str, Value)> {
    let desk = sealed_desk();
    let both = with(&["patient", "payer"]);
    desk.done("ucrypt keygen surgeon");
    desk.done("ucrypt keygen reader");
    desk.write("torn.uaudit", "").write("pass", "correct horse\n");
    let mut said = Vec::new();
    let mut run = |verb: &'static str, arguments: &str, code: i32| {
        said.push((verb, document_of(&desk, arguments, code)));
    };
    run("keygen", "keygen nurse", 0);
    run("keygen", "keygen clerk --not-after 2199-12-31 --passphrase-file pass", 0);
    run("policy new", "policy new n.upolicy -p 1 --holder nurse.upub --bare safe --paper --fields fields.toml", 0);
    run("policy show", "policy show p.upolicy", 0);
    run("policy check", "policy check p.upolicy", 0);
    run("policy check", "policy check n.upolicy", 1);
    run("seal", "seal p.upolicy plain.csv -o s.csv --record 5", 0);
    run("seal", "seal p.upolicy sealed.csv -o again.csv --record 5", 0);
    run("open", &format!("open p.upolicy sealed.csv -o o.csv{both}"), 0);
    run("open --grant", &format!("open p.upolicy sealed.csv -o g.ugrant --grant Choroba --to reader.upub{both}"), 0);
    run("open", "open p.upolicy sealed.csv -o r.csv --granted g.ugrant --with reader.ukey", 0);
    run("inspect", "inspect sealed.xml --policy p.upolicy", 0);
    run("inspect", "inspect plain.xml", 0);
    desk.write("foreign.csv", "Id,Choroba\n5,<UCRYPT>AAFGHA</UCRYPT>\n");
    let foreign = document_of(&desk, "inspect foreign.csv", 0)["groups"][0].clone();
    for name in ["policy", "epoch", "kid", "cipher", "bind"] {
        assert_eq!(foreign[name], Value::Null, "{name}: {foreign}");
    }
    run("filter", "filter sealed.csv --drop -o f.csv", 0);
    run("filter --sql", "filter --sql --drop --policy p.upolicy", 0);
    run("verify", &format!("verify p.upolicy{both}"), 0);
    run("verify", "verify p.upolicy --with nurse.ukey", 4);
    run("add-holder", &format!("add-holder p.upolicy surgeon.upub{both}"), 0);
    run("replace-key", &format!("replace-key p.upolicy surgeon reader.upub{both}"), 0);
    run("refresh", &format!("refresh p.upolicy{both}"), 0);
    run("rotate", &format!("rotate p.upolicy sealed.csv --full{both}"), 0);
    run("remove-holder", &format!("remove-holder p.upolicy surgeon sealed.csv{both}"), 0);
    run("remove-holder --soft", &format!("remove-holder p.upolicy doctor --soft{both}"), 0);
    run("audit show", "audit show p.upolicy", 0);
    run("audit check", "audit check p.upolicy", 0);
    desk.write("alone.uaudit", desk.bytes("p.uaudit"));
    run("audit check", "audit check alone.uaudit", 0);
    let amend = format!("policy amend p.upolicy --bind f{both}");
    run("policy amend", &amend, 0);
    forward_log(&desk, "p.uaudit");
    run("policy amend", &amend, 0);
    run("policy check", "policy check p.upolicy", 1);
    run("open", &format!("open p.upolicy sealed.csv -o late.csv{both}"), 0);
    run("refresh", &format!("refresh p.upolicy{both}"), 0);
    run("rotate", &format!("rotate p.upolicy sealed.csv --headers{both}"), 0);
    said
}

/// Lets the log know that it has been 2200, so that the clock of this machine is behind.
fn forward_log(desk: &Desk, name: &str) {
    let (policy, note) = ("p".to_owned(), String::new());
    let event = Event {
        action: Action::Open,
        policy,
        epoch: 1,
        generation: 1,
        holders: vec![],
        note,
        code: None,
        fingerprint: None,
    };
    Log::at(desk.path(name)).append("2200-01-01T00:00:00Z".parse().expect("a time"), event).expect("a line");
}

/// The type of what stands under a name, wherever the name occurs.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "truth value",
        Value::Number(_) => "number",
        Value::String(_) => "text",
        Value::Array(_) => "list",
        Value::Object(_) => "object",
    }
}

/// Adds the types under all names; the lines of the log, which are the log's own, are left out.
fn collect<'a>(verb: &str, value: &'a Value, found: &mut BTreeMap<&'a str, BTreeMap<&'static str, String>>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields.iter().filter(|(name, _)| *name != "entries") {
                found.entry(name).or_default().insert(kind(value), verb.to_owned());
                collect(verb, value, found);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| collect(verb, value, found)),
        _ => {}
    }
}

#[test]
fn every_verb_says_one_object_with_notes_and_a_name_means_one_type() {
    let documents = all_documents();
    let mut found = BTreeMap::new();
    for (verb, document) in &documents {
        let notes = document["notes"].as_array().unwrap_or_else(|| panic!("{verb} has no notes: {document}"));
        assert!(notes.iter().all(Value::is_string), "{verb}: {document}");
        collect(verb, document, &mut found);
    }
    for (name, mut kinds) in found {
        kinds.remove("null");
        assert!(kinds.len() <= 1, "{name} has several types: {kinds:?}");
        let expected = match name {
            "policy" | "output" | "kid" | "cipher" | "bind" | "element" | "name" => "text",
            "epoch" | "generation" | "records" | "sealed" | "opened" | "threshold" | "pad" => "number",
            "notes" | "holders" | "shares" | "documents" | "fields" | "elements" => "list",
            _ => continue,
        };
        assert!(kinds.contains_key(expected), "{name} is {kinds:?}, not {expected}");
    }
}

#[test]
fn the_manual_names_every_field() {
    let page = std::fs::read_to_string(repository().join("docs/reference/json.md")).expect("the page");
    let (_, section) = page.split_once("\n## ucrypt\n").expect("its section");
    let section = section.split("\n## ").next().expect("its end");
    let shared: Vec<&str> = section.lines().filter(|line| !line.starts_with('|')).collect();
    let row = |verb: &str| {
        let is_about =
            |line: &&str| line.split('|').nth(1).is_some_and(|verbs| verbs.split('`').any(|name| name == verb));
        section.lines().find(is_about).unwrap_or_else(|| panic!("the page says nothing about {verb}"))
    };
    for (verb, document) in all_documents() {
        let mut said = format!("{} {}", shared.join(" "), row(verb));
        if said.contains("as `policy show`") {
            said += row("policy show");
        }
        for name in document.as_object().expect("an object").keys() {
            assert!(said.contains(&format!("`{name}`")), "{verb}: {name} is not explained");
        }
    }
}

#[test]
fn a_set_back_clock_and_a_missing_policy_are_in_the_notes() {
    let desk = desk();
    let both = with(&["patient", "payer"]);
    forward_log(&desk, "p.uaudit");
    let amended = document_of(&desk, &format!("policy amend p.upolicy --bind f{both}"), 0);
    let has = |document: &Value, words: &str| document["notes"].to_string().contains(words);
    assert!(has(&amended, "the clock stands before") && has(&amended, "bind = f"), "{amended}");
    std::fs::rename(desk.path("p.upolicy"), desk.path("elsewhere")).expect("a file");
    let checked = document_of(&desk, "audit check p.uaudit", 0);
    assert!(has(&checked, "p.upolicy is not there to be compared with"), "{checked}");
}

#[test]
fn what_is_no_policy_is_named() {
    let desk = desk();
    desk.write("none.upolicy", "Id,Nazwisko\n").write("none.uaudit", desk.bytes("p.uaudit"));
    for verb in ["policy amend none.upolicy --bind f", "audit check none.upolicy"] {
        assert_refused(&desk, &format!("ucrypt {verb}"), 2, &["none.upolicy: "]);
    }
}

#[test]
fn a_refusal_is_one_object_too() {
    let desk: Desk = sealed_desk();
    let ran = desk.tamis("ucrypt open p.upolicy sealed.csv -o o.csv --with doctor.ukey --json");
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(ran.document()["error"].as_str().is_some_and(|error| error.contains("1 of the 2 holders")), "{ran:?}");
}
