//! A record without a key, or a damaged data key, keeps no other record from being opened.

use crate::holders::*;
use crate::program::Desk;
use rusqlite::Connection;

const HOLDERS: [&str; 2] = ["doctor", "payer"];

/// Two records, of which both are sealed, in every kind of document.
fn ward() -> Desk {
    let desk = desk();
    desk.write(
        "v.toml",
        "[[table]]\nname = \"t\"\nkey = \"id\"\nrecord = \"/r/p\"\nrecord_key = \"@id\"\n[[table.field]]\nname = \"dis\"\n",
    );
    new_policy(&desk, "v.upolicy", "v.toml");
    desk.write("d.csv", "id,dis\n5,flu\n6,gout\n");
    desk.write("d.xml", "<r><p id=\"5\"><dis>flu</dis></p><p id=\"6\"><dis>gout</dis></p></r>");
    Connection::open(desk.path("d.db"))
        .and_then(|database| {
            database
                .execute_batch("CREATE TABLE t (id TEXT, dis TEXT); INSERT INTO t VALUES ('5', 'flu'), ('6', 'gout')")
        })
        .expect("rows");
    for kind in ["csv", "xml", "db"] {
        desk.done(&format!("ucrypt seal v.upolicy d.{kind} -o s.{kind} --all"));
    }
    desk
}

/// Record 5 opens; what is wrong with the other is told.
fn assert_opens_5(desk: &Desk, document: &str, words: &[&str]) {
    let output = document.replace("k.", "o.");
    for which in [" --record 5", ""] {
        let open = format!("ucrypt open v.upolicy {document} -o {output}{which}{}", with(&HOLDERS));
        let opened = assert_left(desk, &open, &output, words);
        assert!(opened.windows(3).any(|bytes| bytes == b"flu"), "{document}{which}");
        assert!(!opened.windows(4).any(|bytes| bytes == b"gout"), "{document}{which}");
    }
}

fn edited(desk: &Desk, statement: &str) {
    std::fs::copy(desk.path("s.db"), desk.path("k.db")).expect("a copy");
    let database = Connection::open(desk.path("k.db")).expect("a database");
    database.execute_batch(statement).expect("an edit");
}

#[test]
fn a_record_without_a_key_that_can_be_read_keeps_no_other_closed() {
    let desk = ward();
    let words = ["its record has no key that can be read"];
    for key in ["", " id=\"\"", " id=\"&lt;UCRYPT>\"", " id=\"&lt;UCRYPT v=&quot;1&quot; pol=&quot;x&quot;>\""] {
        desk.write("k.xml", desk.read("s.xml").replace(" id=\"6\"", key));
        assert_opens_5(&desk, "k.xml", &words);
    }
    desk.write("k.csv", desk.read("s.csv").replace("\n6,", "\n,"));
    desk.write("k.csv.ukeys", desk.read("s.csv.ukeys"));
    assert_opens_5(&desk, "k.csv", &words);
    for key in ["NULL", "CAST(x'ff' AS TEXT)"] {
        edited(&desk, &format!("UPDATE t SET id = {key} WHERE id = '6'"));
        assert_opens_5(&desk, "k.db", &words);
    }
    // What is to be sealed needs one.
    desk.write("n.csv", "id,dis\n5,a\n,b\n");
    assert_refused(&desk, "ucrypt seal v.upolicy n.csv -o x.csv --all", 2, &["the record key id is empty"]);
}

/// One that is damaged, planted or of a later version.
#[test]
fn a_damaged_data_key_keeps_no_other_closed_and_stays() {
    let desk = ward();
    // Of the two records, each with a key of its own, only that of record 5 is sound.
    for kind in ["csv", "xml", "db"] {
        desk.done(&format!("ucrypt seal v.upolicy d.{kind} -o one.{kind} --record 5"));
    }
    let flu = |bytes: &[u8]| bytes.windows(3).any(|bytes| bytes == b"flu");
    let open = |kind: &str| format!("ucrypt open v.upolicy k.{kind} -o o.{kind}{}", with(&HOLDERS));
    let told = ["left as it is: ", "the data-key header"];
    desk.write("k.xml", desk.read("one.xml").replacen("<r>", "<?ucrypt-key zzz?><r>", 1));
    let opened = assert_left(&desk, &open("xml"), "o.xml", &told);
    assert!(flu(&opened) && opened.windows(3).any(|bytes| bytes == b"zzz"));

    desk.write("k.csv", desk.read("one.csv"));
    let keys = desk.read("one.csv.ukeys");
    let other = keys.replacen("\"dk\":\"", "\"dk\":\"AAAA", 1);
    for (line, words) in [("zzz\n", "not a header in JSON"), (other.as_str(), "two different headers")] {
        desk.write("k.csv.ukeys", format!("{keys}{line}"));
        assert!(flu(&assert_left(&desk, &open("csv"), "o.csv", &["left as it is: line 2 of the key file", words])));
        assert_eq!(desk.read("k.csv.ukeys"), format!("{keys}{line}"), "no line is lost");
    }

    std::fs::copy(desk.path("one.db"), desk.path("k.db")).expect("a copy");
    let database = Connection::open(desk.path("k.db")).expect("a database");
    database.execute_batch("INSERT INTO ucrypt_keys VALUES ('aaaaaaaa', 'p', 'x', NULL, x'00')").expect("a row");
    drop(database);
    let opened = assert_left(&desk, &open("db"), "o.db", &told);
    assert!(flu(&opened) && opened.windows(8).any(|bytes| bytes == b"aaaaaaaa"));

    // Its own header is what record 5 needs.
    desk.write("k.xml", desk.read("one.xml").replacen(" dk=", " kd=", 1));
    assert_refused(&desk, &open("xml"), 2, &["the data-key header"]);
    desk.write("k.xml", desk.read("one.xml").replacen("<r>", "<?ucrypt-key zzz?><r>", 1));
    assert_refused(&desk, "ucrypt seal v.upolicy k.xml -o o.xml --all", 2, &["the data-key header"]);
}

#[test]
fn a_cell_whose_tag_has_got_another_name_is_told_with_its_record() {
    let desk = ward();
    for tag in ["<UCRYPTcipher=", "<UCRYPT\u{a0}cipher="] {
        let sealed = desk.read("s.csv");
        let at = sealed.rfind("<UCRYPT ").expect("the cell of record 6");
        let (before, cell) = sealed.split_at(at);
        desk.write("k.csv", format!("{before}{}", cell.replacen("<UCRYPT cipher=", tag, 1)));
        desk.write("k.csv.ukeys", desk.read("s.csv.ukeys"));
        let open = format!("ucrypt open v.upolicy k.csv -o o.csv{}", with(&HOLDERS));
        assert_left(&desk, &open, "o.csv", &["the field \"dis\" of record \"6\" is a damaged sealed value"]);
    }
}

#[test]
fn a_document_whose_records_are_all_in_a_damaged_cell_says_so() {
    let desk = ward();
    desk.write("k.xml", "<r><UCRYPT v=\"1\" pol=\"x\"><p id=\"5\"><dis>flu</dis></p></UCRYPT></r>");
    let open = format!("ucrypt open v.upolicy k.xml -o o.xml --record 5{}", with(&HOLDERS));
    let told = assert_refused(&desk, &open, 2, &["is a damaged sealed value"]);
    assert!(!told.contains("nor any other"), "{told}");
}
