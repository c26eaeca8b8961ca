//! One bad value, file name, clock or disk does not keep the rest from being opened.

use crate::holders::*;
use crate::program::Desk;

const HOLDERS: [&str; 2] = ["patient", "payer"];

/// Records 3 and 5 are sealed, and everybody else's free text can be written over.
fn ward() -> Desk {
    let desk = desk();
    for kind in KINDS {
        desk.done(&format!("ucrypt seal p.upolicy plain.{kind} -o sealed.{kind} --record 3 --record 5"));
    }
    desk
}

/// Puts a text into the field `Miasto` of a record, or in the place of a value that stands once in the document, as its kind writes it.
fn typed(desk: &Desk, kind: &str, record: &str, old: &str, text: &str) {
    let name = format!("typed.{kind}");
    if kind == "db" {
        std::fs::copy(desk.path("sealed.db"), desk.path(&name)).expect("a copy");
        let database = rusqlite::Connection::open(desk.path(&name)).expect("a database");
        database.execute("UPDATE pacjenci SET Miasto = ?1 WHERE Id = ?2", [text, record]).expect("an edit");
        return;
    }
    let sealed = desk.read(&format!("sealed.{kind}"));
    let written = match kind {
        "xml" => text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"),
        "csv" => format!("\"{}\"", text.replace('"', "\"\"")),
        _ => text.replace('\'', "''"),
    };
    assert_eq!(sealed.matches(old).count(), 1, "{kind}: {old}");
    desk.write(&name, sealed.replacen(old, &old.replace("Opole", &written), 1));
    desk.write("typed.csv.ukeys", desk.read("sealed.csv.ukeys"));
}

/// Where `Miasto` of record 2 stands.
fn city_of_2(kind: &str) -> &'static str {
    match kind {
        "xml" => "<Nazwisko>Nowak</Nazwisko><Zawód>Malarz</Zawód><Miasto>Opole</Miasto>",
        "csv" => "2,Nowak,Malarz,Opole",
        _ => "'Nowak', 'Malarz', 'Opole'",
    }
}

/// What somebody may type, or an edit may leave: cut off, of another policy, of this one with a key that is not there, of another tool.
fn typings(desk: &Desk) -> Vec<String> {
    let id = desk.json("ucrypt policy show p.upolicy", 0)["policy"].as_str().expect("an id").to_owned();
    vec![
        "<UCRYPT v=\"1\" pol=\"x\">".into(),
        "see <UCRYPT v=\"1\" pol=\"x\"> in the manual".into(),
        "<UCRYPT v=\"1\" pol=\"x\">AAAA</UCRYPT>".into(),
        format!("<UCRYPT cipher=\"A256GCM\" v=\"1\" pol=\"{id}\" ep=\"1\" kid=\"AAAAAAAA\" bind=\"rf\">AAAA</UCRYPT>"),
        format!("<UCRYPT v=\"2\" pol=\"{id}\">AAAA</UCRYPT>"),
        "<UCRYPT>AAAA</UCRYPT>".into(),
    ]
}

fn value(desk: &Desk, document: &str, record: usize, column: usize) -> String {
    if document.rsplit('.').next() == Some("db") {
        return rows(desk, document)[record - 1][column].clone();
    }
    let text = desk.read(document);
    let wanted = ROWS[record - 1][column];
    if text.contains(wanted) { wanted.to_owned() } else { text }
}

#[test]
fn a_text_like_a_cell_in_one_record_does_not_keep_the_others_closed() {
    let desk = ward();
    for text in typings(&desk) {
        for kind in KINDS {
            typed(&desk, kind, "2", city_of_2(kind), &text);
            let before = desk.bytes(&format!("typed.{kind}"));
            let by = with(&HOLDERS);
            // The rest opens, the damage is told, and the exit code says so wherever it is. A cell of another tool is no damage.
            let is_foreign = text == "<UCRYPT>AAAA</UCRYPT>";
            let code = if is_foreign { 0 } else { 5 };
            let one = desk.json(&format!("ucrypt open p.upolicy typed.{kind} -o one.{kind} --record 5{by}"), code);
            assert_eq!(one["opened"], 4, "{kind}: {text}: {one}");
            assert_eq!(value(&desk, &format!("one.{kind}"), 5, 4), "Podagra", "{kind}: {text}");
            let all = desk.json(&format!("ucrypt open p.upolicy typed.{kind} -o all.{kind}{by}"), 5);
            assert_eq!((&all["opened"], &all["damaged"]), (&8.into(), &1.into()), "{kind}: {text}: {all}");
            let left = &all["left"][0];
            assert_eq!((&left["record"], &left["field"]), (&"2".into(), &"Miasto".into()), "{all}");
            assert!(left["place"].as_str().is_some_and(|place| !place.is_empty()), "{all}");
            if !is_foreign {
                assert_eq!(one["damaged"], 1, "it is not hidden: {one}");
                assert!(one["notes"].to_string().contains("Miasto"), "{one}");
            }
            for record in [3, 5] {
                assert_eq!(value(&desk, &format!("all.{kind}"), record, 1), ROWS[record - 1][1], "{kind}: {text}");
            }
            assert_eq!(desk.bytes(&format!("typed.{kind}")), before, "{kind}");
            if kind == "db" {
                assert_eq!(rows(&desk, "all.db")[1][3], text);
            }
            // A record that is damaged and chosen: nothing else was asked for, so nothing is written.
            let ran = desk.tamis(&format!("ucrypt open p.upolicy typed.{kind} -o two.{kind} --record 2{by}"));
            assert_eq!(ran.code, 5, "{kind}: {text}: {ran:?}");
            assert!(ran.err.contains("\"2\"") && ran.err.contains("Miasto"), "{ran:?}");
            assert!(!desk.path(&format!("two.{kind}")).exists());
        }
    }
}

#[test]
fn a_document_with_damage_opens_byte_for_byte_once_it_is_mended() {
    let desk = ward();
    let by = with(&HOLDERS);
    for kind in ["xml", "csv", "sql"] {
        let sealed = desk.read(&format!("sealed.{kind}"));
        // The key that a cell names is cut out of one; the opened rest keeps it for whoever mends the cell.
        let at = sealed.rfind("kid=").expect("a cell");
        let end = at + sealed[at..].find(" bind").expect("its end");
        let damaged = format!("{}{}", &sealed[..at], &sealed[end..]);
        desk.write(&format!("typed.{kind}"), &damaged).write("typed.csv.ukeys", desk.read("sealed.csv.ukeys"));
        let ran = desk.tamis(&format!("ucrypt open p.upolicy typed.{kind} -o all.{kind}{by}"));
        assert_eq!(ran.code, 5, "{kind}: {ran:?}");
        assert!(ran.err.contains("record \"5\"") && ran.err.contains("Choroba"), "{ran:?}");
        let opened = desk.read(&format!("all.{kind}"));
        assert_eq!(opened.matches("<UCRYPT ").count(), 1, "{kind}: {opened}");
        let hole = opened.rfind(" bind").expect("the cell");
        let mended = format!("{}{}{}", &opened[..hole], sealed[at - 1..end].trim_end(), &opened[hole..]);
        let mended = mended.replace("  kid", " kid");
        desk.write(&format!("mended.{kind}"), mended);
        if kind == "csv" {
            desk.write("mended.csv.ukeys", desk.read("all.csv.ukeys"));
        }
        desk.done(&format!("ucrypt open p.upolicy mended.{kind} -o opened.{kind}{by}"));
        assert_plain(&desk, &format!("sealed.{kind}"));
    }
}

#[test]
fn a_filter_takes_damaged_values_for_sealed_ones_and_tells_of_them() {
    let desk = ward();
    for kind in KINDS {
        typed(&desk, kind, "2", city_of_2(kind), "<UCRYPT v=\"1\" pol=\"x\">");
        let command = format!("ucrypt filter typed.{kind} --policy p.upolicy");
        let dropped = desk.json(&format!("{command} --drop -o without.{kind}"), 5);
        assert_eq!((&dropped["kept"], &dropped["damaged"]), (&6.into(), &1.into()), "{kind}: {dropped}");
        assert_eq!(dropped["left"][0]["record"], "2", "{dropped}");
        let only = desk.json(&format!("{command} --only -o only.{kind}"), 5);
        assert_eq!(only["kept"], 3, "{kind}: {only}");
        let found = desk.json(&format!("ucrypt inspect typed.{kind} --policy p.upolicy"), 0);
        assert_eq!(found["damaged"], 1, "{found}");
        // What is sealed elsewhere does not depend on it; what is damaged itself is not passed off as sealed.
        let sealed = desk.json(&format!("ucrypt seal p.upolicy typed.{kind} -o more.{kind} --record 4"), 0);
        assert!(sealed["sealed"] == 4 && sealed["notes"].to_string().contains("Miasto"), "{kind}: {sealed}");
        let seal = format!("ucrypt seal p.upolicy typed.{kind} -o more.{kind} --record 2");
        assert_refused(&desk, &seal, 5, &["\"2\"", "Miasto"]);
        // A rotation would take the key away that mending may need.
        let rotate = format!("ucrypt rotate p.upolicy typed.{kind} --full{}", with(&HOLDERS));
        assert_refused(&desk, &rotate, 5, &["\"2\"", "Miasto"]);
    }
}

#[test]
fn damage_elsewhere_ends_with_5_whatever_was_asked_for_and_however_it_shows() {
    let desk = ward();
    let by = with(&HOLDERS);
    desk.done("ucrypt keygen reader");
    for kind in ["xml", "csv", "sql"] {
        let open = format!("ucrypt open p.upolicy typed.{kind} -o one.{kind}");
        desk.done(&format!(
            "ucrypt open p.upolicy sealed.{kind} --grant Nazwisko --record 5 --to reader.upub -o {kind}.ugrant{by}"
        ));
        let sealed = desk.read(&format!("sealed.{kind}"));
        let start = sealed.find("<UCRYPT ").expect("a cell");
        let body = start + sealed[start..].find('>').expect("its tag") + 1;
        let end = body + sealed[body..].find("</UCRYPT>").expect("its end");
        let put =
            |range: std::ops::Range<usize>, text: &str| [&sealed[..range.start], text, &sealed[range.end..]].concat();
        let quote = if kind == "csv" { "\"\"" } else { "\"" };
        let version = format!("v={quote}1{quote}");
        let at = start + sealed[start..].find(&version).expect("its version");
        let version = at..at + version.len();
        let damages = [
            ("another version", put(version, &format!("v={quote}2{quote}")), true),
            ("an empty body", put(body..end, ""), true),
            ("edited", put(body + 30..body + 31, if &sealed[body + 30..=body + 30] == "A" { "B" } else { "A" }), false),
            ("exchanged", exchange(&sealed, 0, 1), false),
        ];
        for (what, text, shows) in damages {
            desk.write(&format!("typed.{kind}"), text).write("typed.csv.ukeys", desk.read("sealed.csv.ukeys"));
            // The damage is in record 3.
            for scope in ["--record 5", "--field Choroba", "--record 5 --field Miasto"] {
                let one = desk.json(&format!("{open} {scope}{by}"), 5);
                assert!(one["opened"] != 0 && one["damaged"] != 0, "{kind}, {what}, {scope}: {one}");
                assert_eq!(one["left"][0]["record"], "3", "{kind}, {what}, {scope}: {one}");
            }
            let to = "--grant Choroba --record 5 --to reader.upub";
            desk.json(&format!("ucrypt open p.upolicy typed.{kind} {to} -o late.ugrant{by}"), 5);
            // A reader of a grant sees what shows without a key.
            let granted = format!("{open} --granted {kind}.ugrant --with reader.ukey");
            assert_eq!(desk.tamis(&granted).code, if shows { 5 } else { 0 }, "{kind}, {what}");
        }
    }
}

/// Exchanges two cells of a document.
fn exchange(text: &str, first: usize, second: usize) -> String {
    let starts: Vec<usize> = text.match_indices("<UCRYPT ").map(|(at, _)| at).collect();
    let end = |at: usize| at + text[at..].find("</UCRYPT>").expect("an end") + "</UCRYPT>".len();
    let (one, two) = (starts[first], starts[second]);
    let (a, b) = (&text[one..end(one)], &text[two..end(two)]);
    [&text[..one], b, &text[end(one)..two], a, &text[end(two)..]].concat()
}

#[test]
fn both_places_of_an_exchange_are_named() {
    let desk = ward();
    let by = with(&HOLDERS);
    for kind in ["xml", "csv", "sql"] {
        let sealed = desk.read(&format!("sealed.{kind}"));
        // The cells of record 3 are 0 to 3 and those of record 5 follow: Nazwisko, Zawód, Miasto, Choroba.
        for (first, second, places) in
            [(0, 4, ["Nazwisko", "Nazwisko"]), (1, 7, ["Zawód", "Choroba"]), (4, 6, ["Nazwisko", "Miasto"])]
        {
            desk.write(&format!("typed.{kind}"), exchange(&sealed, first, second));
            desk.write("typed.csv.ukeys", desk.read("sealed.csv.ukeys"));
            let all = desk.json(&format!("ucrypt open p.upolicy typed.{kind} -o all.{kind}{by}"), 5);
            assert_eq!((&all["opened"], &all["damaged"]), (&6.into(), &2.into()), "{kind}: {all}");
            let record = |cell: usize| if cell < 4 { "3" } else { "5" };
            let (one, two) = (&all["left"][0], &all["left"][1]);
            assert_eq!((&one["record"], &one["field"]), (&record(first).into(), &places[0].into()), "{all}");
            assert_eq!((&two["record"], &two["field"]), (&record(second).into(), &places[1].into()), "{all}");
            let names = |why: &serde_json::Value, cell: usize, field: &str| {
                let why = why.as_str().expect("words");
                why.contains(&format!("record \"{}\", field \"{field}\"", record(cell)))
            };
            assert!(names(&one["why"], second, places[1]) && names(&two["why"], first, places[0]), "{all}");
            // Where only one of the two is asked for, it still names the other.
            let one = format!("--record {} --field {}", record(second), places[1]);
            let ran = desk.tamis(&format!("ucrypt open p.upolicy typed.{kind} -o one.{kind} {one}{by}"));
            assert_eq!(ran.code, 5, "{ran:?}");
            assert!(ran.err.contains(&format!("record \"{}\", field \"{}\"", record(first), places[0])), "{ran:?}");
            let rotate = format!("ucrypt rotate p.upolicy typed.{kind} --full{by}");
            let said = assert_refused(&desk, &rotate, 5, &[places[0], places[1]]);
            assert!(said.contains("\"5\""), "{said}");
        }
    }
}

/// Runs the program where files may have so many blocks, as on a disk that is full then.
fn with_room_for(desk: &Desk, blocks: u32, arguments: &str) -> crate::program::Ran {
    let shell = format!("trap '' XFSZ; ulimit -f {blocks}; exec '{}' {arguments}", env!("CARGO_BIN_EXE_tamis"));
    let mut process = std::process::Command::new("sh");
    process.arg("-c").arg(shell).current_dir(desk.path("")).env("NO_COLOR", "1").stdin(std::process::Stdio::null());
    let output = process.output().expect("a shell");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    crate::program::Ran { code: output.status.code().unwrap_or(-1), out: text(output.stdout), err: text(output.stderr) }
}

#[cfg(unix)]
#[test]
fn a_full_disk_names_the_output_and_leaves_nothing() {
    let desk = ward();
    std::fs::create_dir(desk.path("there")).expect("a directory");
    let by = with(&HOLDERS);
    for kind in KINDS {
        // Long enough that no limit of blocks, whatever they count, lets it pass.
        let text = "x".repeat(40_000);
        if kind == "db" {
            let database = rusqlite::Connection::open(desk.path("sealed.db")).expect("a database");
            database.execute("UPDATE pacjenci SET Miasto = ?1 WHERE Id = 2", [&text]).expect("an edit");
        } else {
            typed(&desk, kind, "2", city_of_2(kind), &text);
            std::fs::copy(desk.path(&format!("typed.{kind}")), desk.path(&format!("sealed.{kind}"))).expect("a copy");
        }
        for command in [
            format!("seal p.upolicy sealed.{kind} -o there/out.{kind} --record 4"),
            format!("open p.upolicy sealed.{kind} -o there/out.{kind}{by}"),
            format!("filter sealed.{kind} --policy p.upolicy --only -o there/out.{kind}"),
            format!("filter sealed.{kind} --policy p.upolicy --drop -o there/out.{kind}"),
        ] {
            if kind != "db" && command.starts_with("filter") && command.contains("--only") {
                continue;
            }
            let ran = with_room_for(&desk, 16, &format!("ucrypt {command}"));
            assert_eq!(ran.code, if ran.err.is_empty() { 0 } else { 2 }, "{command}: {ran:?}");
            let is_small = command.contains("--drop") || command.contains("--only");
            if !is_small {
                assert!(ran.err.contains(&format!("there/out.{kind}: ")), "{command}: {ran:?}");
            }
            if ran.code == 2 {
                assert!(!ran.err.contains(&format!("sealed.{kind}")), "{command}: {ran:?}");
                assert_eq!(std::fs::read_dir(desk.path("there")).expect("a directory").count(), 0, "{command}");
            }
            std::fs::remove_dir_all(desk.path("there")).expect("it was made");
            std::fs::create_dir(desk.path("there")).expect("a directory");
        }
    }
    // Small files: keys, policies, share files and the log.
    for command in [
        "keygen late".to_owned(),
        "policy new there/new.upolicy -p 1 --holder patient.upub --holder payer.upub --fields fields.toml".to_owned(),
        format!("rotate p.upolicy sealed.csv --full{by}"),
    ] {
        let before = desk.listing();
        let ran = with_room_for(&desk, 0, &format!("ucrypt {command}"));
        assert_eq!(ran.code, 2, "{command}: {ran:?}");
        let names = ["late.ukey: ", "new.upolicy: ", ".upolicy.next: ", "p.e1.upolicy: ", ".uaudit: "];
        assert!(names.iter().any(|name| ran.err.contains(name)), "{command}: {ran:?}");
        assert!(before == desk.listing(), "{command} leaves something behind");
    }
}

/// A small generator of numbers, so that a failure can be repeated.
fn next(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

#[cfg(unix)]
#[test]
fn a_damaged_database_ends_every_command_in_time() {
    let desk = desk();
    {
        let database = rusqlite::Connection::open(desk.path("many.db")).expect("a database");
        database.execute_batch("PRAGMA page_size = 512; CREATE TABLE pacjenci (\"Id\" INTEGER, \"Nazwisko\" TEXT, \"Zawód\" TEXT, \"Miasto\" TEXT, \"Choroba\" TEXT); CREATE TABLE by_name (name TEXT PRIMARY KEY, n) WITHOUT ROWID;").expect("tables");
        for number in 0..1500 {
            database.execute("INSERT INTO pacjenci VALUES (?1, 'n', 'z', 'm', 'c')", [number]).expect("a row");
            database.execute("INSERT INTO by_name VALUES (?1, 1)", [format!("{number:05}")]).expect("a row");
        }
    }
    desk.done("ucrypt seal p.upolicy many.db -o whole.db --record 5");
    let whole = desk.bytes("whole.db");
    let mut state = 7;
    let mut slow = Vec::new();
    let mut refused = 0;
    for round in 0..300 {
        let mut bytes = whole.clone();
        // Headers of pages and the first cells, where numbers and pointers are, as often as any other place.
        let at = if round % 2 == 0 {
            next(&mut state) % bytes.len()
        } else {
            next(&mut state) % (bytes.len() / 512) * 512 + next(&mut state) % 24
        };
        bytes[at] = bytes[at].wrapping_add(1 + (next(&mut state) % 255) as u8);
        desk.write("bad.db", &bytes);
        let command = match round % 3 {
            0 => "ucrypt inspect bad.db --policy p.upolicy".to_owned(),
            1 => "ucrypt filter bad.db --policy p.upolicy --drop -o out.db".to_owned(),
            _ => "ucrypt seal p.upolicy bad.db -o out.db --record 7".to_owned(),
        };
        // Ten seconds of a processor, and no panic.
        let ran = desk.tamis_within(4000, &command);
        if ran.code == -1 {
            slow.push((round, at, command));
            continue;
        }
        assert!([0, 2, 5].contains(&ran.code) && !ran.err.contains("panicked"), "{round}, byte {at}: {ran:?}");
        refused += usize::from(ran.code != 0);
        let _ = std::fs::remove_file(desk.path("out.db"));
    }
    assert!(slow.is_empty(), "these do not end: {slow:?}");
    assert!(refused > 20, "only {refused} were refused");
}

#[cfg(unix)]
#[test]
fn one_wrong_row_number_is_told_with_its_table() {
    let desk = desk();
    let database = rusqlite::Connection::open(desk.path("many.db")).expect("a database");
    database.execute_batch("CREATE TABLE pacjenci (\"Id\" INTEGER, \"Nazwisko\" TEXT, \"Zawód\" TEXT, \"Miasto\" TEXT, \"Choroba\" TEXT);").expect("a table");
    for number in 1..=9 {
        database.execute("INSERT INTO pacjenci VALUES (?1, 'n', 'z', 'm', 'c')", [number]).expect("a row");
    }
    drop(database);
    let mut bytes = desk.bytes("many.db");
    // A cell is its length, its row number and the record: the header of 6 bytes for 5 columns.
    let at = bytes.windows(3).rposition(|three| three[1] == 9 && three[2] == 6).expect("the last row");
    bytes[at + 1] = 3;
    desk.write("many.db", &bytes);
    for command in [
        "inspect many.db --policy p.upolicy",
        "inspect many.db",
        "filter many.db --policy p.upolicy --drop -o out.db",
        "seal p.upolicy many.db -o out.db --record 7",
    ] {
        let ran = desk.tamis_within(4000, &format!("ucrypt {command}"));
        assert_eq!(ran.code, 2, "{command}: {ran:?}");
        assert!(ran.err.contains("table pacjenci is damaged"), "{command}: {ran:?}");
        assert!(!desk.path("out.db").exists());
    }
}

#[cfg(unix)]
#[test]
fn names_that_are_no_text_are_names_of_files_all_the_same() {
    use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
    let desk = desk();
    let odd = |name: &[u8]| std::ffi::OsString::from_vec(name.to_vec());
    let run = |arguments: &[std::ffi::OsString]| {
        let output = desk.command([]).args(arguments).output().expect("the program runs");
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!err.contains("panicked"), "{arguments:?}: {err}");
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned(), err)
    };
    for kind in KINDS {
        let names: [Vec<u8>; 3] = [b"od\xffd".to_vec(), b"new\nline".to_vec(), b"bell\x07\x1b[0m".to_vec()]
            .map(|name| [name, format!(".{kind}").into_bytes()].concat());
        for name in names {
            std::fs::copy(desk.path(&format!("plain.{kind}")), desk.path("").join(odd(&name))).expect("a copy");
            let sealed = [b"s\xfe-".as_slice(), &name].concat();
            let opened = [b"o\xfe-".as_slice(), &name].concat();
            let word = |text: &str| std::ffi::OsString::from(text);
            for json in [false, true] {
                let more = if json { vec![word("--json")] } else { Vec::new() };
                let seal = [
                    word("ucrypt"),
                    word("seal"),
                    word("p.upolicy"),
                    odd(&name),
                    word("-o"),
                    odd(&sealed),
                    word("--record"),
                    word("5"),
                ];
                assert_eq!(run(&[seal.to_vec(), more.clone()].concat()).0, Some(0), "{kind} {name:?}");
                let inspect = [word("ucrypt"), word("inspect"), odd(&sealed), word("--policy"), word("p.upolicy")];
                assert_eq!(run(&[inspect.to_vec(), more.clone()].concat()).0, Some(0), "{kind} {name:?}");
                let open = [
                    word("ucrypt"),
                    word("open"),
                    word("p.upolicy"),
                    odd(&sealed),
                    word("-o"),
                    odd(&opened),
                    word("--with"),
                    word("patient.ukey"),
                    word("--with"),
                    word("payer.ukey"),
                ];
                assert_eq!(run(&[open.to_vec(), more.clone()].concat()).0, Some(0), "{kind} {name:?}");
                let filter = [
                    word("ucrypt"),
                    word("filter"),
                    odd(&sealed),
                    word("--drop"),
                    word("--policy"),
                    word("p.upolicy"),
                    word("-o"),
                    odd(&opened),
                ];
                assert_eq!(run(&[filter.to_vec(), more.clone()].concat()).0, Some(0), "{kind} {name:?}");
                std::fs::remove_file(desk.path("").join(std::ffi::OsStr::from_bytes(&opened))).expect("it was written");
            }
        }
    }
    // Arguments that are no text, anywhere else: an error or an answer, and never a panic.
    let table = "a,b\n1,x\n1,x\n2,y\n2,y\n";
    std::fs::write(desk.path("").join(odd(b"t\xff.csv")), table).expect("a file");
    let lines: [&[&[u8]]; 14] = [
        &[b"check", b"t\xff.csv", b"--quasi", b"a"],
        &[b"check", b"t\xff.csv", b"--quasi", b"a\xff"],
        &[b"anonymize", b"t\xff.csv", b"--quasi", b"a", b"--k", b"2", b"--output", b"r\xff.csv"],
        &[b"anonymize", b"\xff.toml"],
        &[b"init", b"t\xff.csv", b"--output", b"p\xff.toml"],
        &[b"risk", b"t\xff.csv", b"--quasi", b"a"],
        &[b"cells", b"protect", b"\xff.json"],
        &[b"cells", b"generate", b"--output", b"g\xff.json", b"--shape", b"3,3"],
        &[b"appointments", b"solve", b"--frequencies", b"\xff", b"--capacities", b"1"],
        &[
            b"appointments",
            b"assign",
            b"--people",
            b"t\xff.csv",
            b"--quasi",
            b"a",
            b"--slots",
            b"t\xff.csv",
            b"--capacity",
            b"a",
            b"--output",
            b"as\xff.csv",
        ],
        &[b"vector", b"of", b"t\xff.csv", b"--quasi", b"a"],
        &[b"ucrypt", b"keygen", b"h\xff"],
        &[b"ucrypt", b"policy", b"show", b"p\xff.upolicy"],
        &[b"\xff"],
    ];
    for line in lines {
        for json in [&[][..], &[b"--json".as_slice()]] {
            let arguments: Vec<_> = line.iter().chain(json).map(|part| odd(part)).collect();
            let (code, out, err) = run(&arguments);
            assert!(matches!(code, Some(0..=2)), "{arguments:?}: {code:?} {out} {err}");
            assert!(!err.contains("cannot be written as JSON"), "{arguments:?}: {err}");
            assert!(json.is_empty() || serde_json::from_str::<serde_json::Value>(&out).is_ok(), "{arguments:?}: {out}");
        }
    }
}

#[test]
fn a_csv_file_in_utf_16_is_sealed_opened_filtered_and_inspected_in_utf_16() {
    let desk = desk();
    let by = with(&HOLDERS);
    let little: fn(&str) -> Vec<u8> = |text| text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: fn(&str) -> Vec<u8> = |text| text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let forms = [(little, ","), (big, ","), (little, ";"), (big, "\t")];
    for (write, delimiter) in forms {
        // A character of two units, and other line breaks.
        let plain = csv().replace(',', delimiter).replace("Opole", "Opole 😀").replace('\n', "\r\n");
        desk.write("wide.csv", write(&format!("\u{feff}{plain}")));
        desk.done("ucrypt seal p.upolicy wide.csv -o sealed.csv --record 5 --record 2");
        let sealed = desk.bytes("sealed.csv");
        assert_eq!(sealed[..2], desk.bytes("wide.csv")[..2]);
        assert!(!String::from_utf8_lossy(&sealed).replace('\0', "").contains("Podagra"));
        let found = desk.json("ucrypt inspect sealed.csv --policy p.upolicy", 0);
        assert_eq!((&found["sealed"], &found["records"]), (&8.into(), &9.into()), "{found}");
        desk.done(&format!("ucrypt open p.upolicy sealed.csv -o opened.csv{by}"));
        assert_eq!(desk.bytes("opened.csv"), desk.bytes("wide.csv"));
        desk.done("ucrypt filter sealed.csv --drop -o dropped.csv");
        let kept = plain.split_inclusive('\n').filter(|line| !line.starts_with(['2', '5'])).collect::<String>();
        assert_eq!(desk.bytes("dropped.csv"), write(&format!("\u{feff}{kept}")));
        desk.done("ucrypt seal p.upolicy wide.csv -o where.csv --where Choroba=Grypa");
        desk.done(&format!("ucrypt rotate p.upolicy sealed.csv --full{by}"));
        desk.done(&format!("ucrypt open p.upolicy sealed.csv -o opened.csv{by}"));
        assert_eq!(desk.bytes("opened.csv"), desk.bytes("wide.csv"));
    }
    // Without a mark, the user says so; with one, that counts.
    for (write, name) in [(little, "UTF-16LE"), (little, "utf-16"), (big, "utf16be")] {
        for mark in ["", "\u{feff}"] {
            desk.write("wide.csv", write(&format!("{mark}{}", csv())));
            desk.done(&format!("ucrypt seal p.upolicy wide.csv -o sealed.csv --record 5 --encoding {name}"));
            let open = format!("ucrypt open p.upolicy sealed.csv -o opened.csv{by} --encoding");
            desk.done(&format!("{open} {name}"));
            assert_eq!(desk.bytes("opened.csv"), desk.bytes("wide.csv"));
            desk.done(&format!("ucrypt rotate p.upolicy sealed.csv --full{by} --encoding {name}"));
            desk.done(&format!("{open} {}", if mark.is_empty() { name } else { "UTF-16BE" }));
            assert_eq!(desk.bytes("opened.csv"), desk.bytes("wide.csv"));
        }
    }
    desk.write("other.csv", big(&csv()));
    assert_refused(
        &desk,
        "ucrypt seal p.upolicy other.csv -o out.csv --all --encoding UTF-16LE",
        2,
        &["other.csv", "Id"],
    );
    assert_refused(&desk, "ucrypt seal p.upolicy plain.sql -o out.sql --all --encoding UTF-16LE", 2, &["UTF-16LE"]);
    // What is no UTF-16, or does not say that it is, is refused in a sentence.
    let lone = [vec![0xFF, 0xFE], little("Id,Nazwisko"), vec![0x00, 0xD8, 0x0A, 0x00]].concat();
    for (bytes, word) in [(lone, "UTF-16"), (little(&csv()), "byte order mark"), (vec![0xFF, 0xFE, b'a'], "UTF-16")] {
        desk.write("bad.csv", bytes);
        assert_refused(&desk, "ucrypt seal p.upolicy bad.csv -o out.csv --all", 2, &["bad.csv", word]);
    }
}
