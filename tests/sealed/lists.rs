//! Files that `tamis ucrypt` reads beside documents: what no list is ends in words, which repeat nothing of it, and in little memory.

use crate::holders::*;

#[cfg(target_os = "linux")]
mod in_little_memory {
    use super::*;

    #[test]
    fn lists_that_are_long_or_without_end_are_refused() {
        let desk = sealed_desk();
        let keys = (0..3_000_000).map(|key| format!("{key}\n")).collect::<Vec<_>>().concat();
        desk.write("long", keys);
        let seal = "ucrypt seal p.upolicy plain.csv -o out.csv";
        let open = "ucrypt open p.upolicy sealed.csv -o out.csv";
        std::fs::copy(desk.path("sealed.csv"), desk.path("endless.csv")).expect("a copy");
        let keys = std::fs::File::create(desk.path("endless.csv.ukeys")).expect("a file");
        keys.set_len(1 << 40).expect("a file of nothing");
        for (command, words) in [
            (format!("{seal} --records-from long"), "line 524289 has one key too many"),
            (format!("{seal} --records-from /dev/zero"), "line 1 is longer than"),
            (format!("{seal} --where-file /dev/zero"), "/dev/zero: "),
            (format!("{seal} --where-file - < /dev/zero"), "longer than 1 MiB"),
            (format!("{open} --words-file doctor=/dev/zero"), "/dev/zero: "),
            (format!("{open} --passphrase-file /dev/zero --with doctor.ukey"), "/dev/zero: "),
            (format!("{open} --with /dev/zero"), "/dev/zero: "),
            ("ucrypt seal p.upolicy endless.csv -o out.csv --record 6".to_owned(), "endless.csv.ukeys: "),
            ("ucrypt policy new x.upolicy -p 1 --holder doctor.upub --fields /dev/zero".to_owned(), "/dev/zero: "),
        ] {
            let ran = desk.tamis_small(&command);
            assert!(ran.code == 2 && ran.err.contains(words), "{command}: {ran:?}");
            assert!(!desk.path("out.csv").exists(), "{command}");
        }
    }

    #[test]
    fn many_keys_are_not_too_many() {
        const RECORDS: usize = 250_000;
        let desk = desk();
        let keys = (0..RECORDS).rev().map(|key| format!("{key}\n")).collect::<Vec<_>>().concat();
        let rows = (0..RECORDS).map(|key| format!("{key},a,b,c,d\n")).collect::<Vec<_>>().concat();
        desk.write("list", keys).write("plain.csv", format!("{}\n{rows}", COLUMNS.join(",")));
        for choice in ["--records-from list", "--where Choroba=d"] {
            let ran = desk.tamis_small(&format!("ucrypt seal p.upolicy plain.csv -o out.csv {choice} --json"));
            assert_eq!(ran.code, 0, "{ran:?}");
            assert_eq!(ran.document()["sealed"], 4 * RECORDS, "{choice}");
        }
    }
}

#[test]
fn a_file_that_was_given_by_mistake_is_not_repeated() {
    let desk = desk();
    let key = desk.read("doctor.ukey");
    let secret = key.lines().find(|line| line.starts_with("AGE-SECRET-KEY-1")).expect("a key").to_owned();
    desk.write("secret", format!("5\n\n{secret}\ncorrect horse battery staple\n7\n"));
    let seal = "ucrypt seal p.upolicy plain.csv -o out.csv";
    let said = assert_refused(&desk, &format!("{seal} --records-from secret"), 2, &["keys in lines 3, 4 of secret"]);
    assert!(!said.contains("horse"), "{said}");
    assert_refused(&desk, &format!("{seal} --record x --records-from doctor.ukey"), 2, &["\"x\"", "of doctor.ukey"]);
    desk.write("secret", &secret);
    assert_refused(&desk, &format!("{seal} --where-file secret"), 2, &["COLUMN=VALUE"]);
    let open = "ucrypt open p.upolicy plain.csv -o out.csv --words-file";
    for file in ["secret", "doctor.ukey"] {
        assert_refused(&desk, &format!("{open} doctor={file}"), 4, &["\"doctor\"", "24 words"]);
    }
    let new = "ucrypt policy new x.upolicy -p 1 --holder doctor.upub --fields";
    assert_refused(&desk, &format!("{new} doctor.ukey"), 2, &["doctor.ukey: "]);
}

#[test]
fn a_key_that_is_not_there_is_named_by_its_beginning() {
    let desk = desk();
    let long = "k".repeat(3000);
    let seal = format!("ucrypt seal p.upolicy plain.csv -o out.csv --record {long}");
    let said = assert_refused(&desk, &seal, 2, &["there is no record \"kkk"]);
    assert!(said.len() < 200, "{said}");
}

/// Editors of Windows write it in front of a text.
#[test]
fn a_byte_order_mark_is_no_part_of_what_follows_it() {
    let desk = sealed_desk();
    desk.write("pass", "correct horse\n");
    desk.done("ucrypt keygen careful --passphrase-file pass");
    desk.done(
        "ucrypt policy new m.upolicy -p 2 --holder careful.upub --bare notary --bare bank --paper --fields fields.toml",
    );
    desk.done("ucrypt seal m.upolicy plain.csv -o mixed.csv --record 5");
    let share = desk.read("notary.ushare");
    let words = share.lines().find_map(|line| line.strip_prefix("words = ")).expect("words").trim_matches('"');
    desk.write("words.txt", words).write("list", "5\r\n6\r\n").write("condition", "Choroba=Grypa\r\n");
    for name in [
        "list",
        "condition",
        "words.txt",
        "pass",
        "fields.toml",
        "careful.ukey",
        "careful.upub",
        "notary.ushare",
        "bank.ushare",
        "m.upolicy",
        "mixed.csv.ukeys",
    ] {
        desk.write(name, [b"\xef\xbb\xbf", desk.bytes(name).as_slice()].concat());
    }
    let seal = |chosen: &str| desk.json(&format!("ucrypt seal m.upolicy plain.csv -o out.csv {chosen}"), 0);
    assert_eq!(seal("--records-from list")["sealed"], 8);
    assert_eq!(seal("--where-file condition")["sealed"], 8);
    let open = "ucrypt open m.upolicy mixed.csv -o opened.csv";
    for holders in [
        "--words-file notary=words.txt --with bank.ushare",
        "--with notary.ushare --with careful.ukey --passphrase-file pass",
    ] {
        desk.done(&format!("{open} {holders}"));
        assert_plain(&desk, "mixed.csv");
    }
    desk.done("ucrypt policy new n.upolicy -p 1 --holder careful.upub --fields fields.toml");
}
