//! Sealed fields that somebody edited: every kind of document names record and field, and nothing takes them for plain text.

use crate::holders::*;
use serde_json::{Value, json};
use tamis_table::ColumnBuilder;
use tamis_ucrypt::document::csv::{self, Options};
use tamis_ucrypt::document::rows::{RewriteError, RowsError};
use tamis_ucrypt::document::{Content, Outcome, Place, Treatment};

/// The sealed text of record 5 in the field `Choroba`, as it stands in a document of this kind.
fn cell(document: &str) -> &str {
    let start = document.rmatch_indices("<UCRYPT ").next().expect("a cell").0;
    let length = document[start..].find("</UCRYPT>").expect("its end") + "</UCRYPT>".len();
    &document[start..start + length]
}

#[test]
fn a_text_beside_a_cell_is_an_edited_cell_in_every_kind_of_document() {
    let desk = sealed_desk();
    for kind in ["xml", "csv", "sql"] {
        let sealed = desk.read(&format!("sealed.{kind}"));
        let cell = cell(&sealed);
        let edits = [
            format!("foo{cell}"),
            format!("{cell}bar"),
            format!("{cell}{cell}"),
            format!("\n{cell} <UCRYPT>A</UCRYPT>"),
        ];
        for edit in edits {
            let edited = format!("edited.{kind}");
            desk.write(&edited, sealed.replace(cell, &edit));
            desk.write("edited.csv.ukeys", desk.read("sealed.csv.ukeys"));
            let holders = with(&["patient", "payer"]);
            let words = ["record \"5\"", "\"Choroba\"", "beside"];
            let open = format!("ucrypt open p.upolicy {edited} -o out.{kind}{holders}");
            assert_left(&desk, &open, &format!("out.{kind}"), &words);
            assert_refused(&desk, &format!("ucrypt rotate p.upolicy {edited} --full{holders}"), 5, &words);
            assert_refused(&desk, &format!("ucrypt seal p.upolicy {edited} -o out.{kind} --all"), 5, &words);
            let found = desk.json(&format!("ucrypt inspect {edited} --policy p.upolicy"), 0);
            assert_eq!(found["damaged"], 1, "{kind}: {edit}");
            assert!(found["notes"].to_string().contains("1 sealed field is damaged"), "{found}");
        }
        // White space around it is no edit.
        desk.write(&format!("edited.{kind}"), sealed.replace(cell, &format!("\n  {cell}\n")));
        assert_opens(&desk, "p.upolicy", &format!("edited.{kind}"), &["doctor", "payer"]);
    }
}

/// What is done to a cell, in words and in deed.
type Edit = (&'static str, Box<dyn Fn(&str) -> String>);

/// Puts a text into the place of a cell, as this kind of document writes it.
fn replace_cell(desk: &crate::program::Desk, kind: &str, edit: impl Fn(&str) -> String) {
    let name = format!("edited.{kind}");
    if kind == "db" {
        std::fs::copy(desk.path("sealed.db"), desk.path(&name)).expect("a copy");
        let database = rusqlite::Connection::open(desk.path(&name)).expect("a database");
        let cell: String =
            database.query_row("SELECT Choroba FROM pacjenci WHERE Id = 5", [], |row| row.get(0)).expect("a cell");
        database.execute("UPDATE pacjenci SET Choroba = ?1 WHERE Id = 5", [edit(&cell)]).expect("an edit");
        return;
    }
    let sealed = desk.read(&format!("sealed.{kind}"));
    let cell = cell(&sealed);
    let plain = if kind == "csv" { cell.replace("\"\"", "\"") } else { cell.to_owned() };
    let edited = edit(&plain);
    let written = if kind == "csv" { edited.replace('"', "\"\"") } else { edited };
    desk.write(&name, sealed.replace(cell, &written));
    desk.write("edited.csv.ukeys", desk.read("sealed.csv.ukeys"));
}

/// What every command says to a damaged cell, whatever the document is.
fn assert_damaged(desk: &crate::program::Desk, kind: &str, what: &str) {
    let edited = format!("edited.{kind}");
    let holders = with(&["patient", "payer"]);
    let records = if kind == "xml" { " --record-path /pacjenci/pacjent" } else { "" };
    let policy = " --policy p.upolicy";
    let words = ["damaged sealed value", "Choroba"];
    for command in
        [format!("seal p.upolicy {edited} -o out.{kind} --all"), format!("rotate p.upolicy {edited} --full{holders}")]
    {
        assert_refused(desk, &format!("ucrypt {command}"), 5, &words);
    }
    for command in [
        format!("open p.upolicy {edited} -o out.{kind}{holders}"),
        format!("filter {edited} --drop -o out.{kind}{policy}"),
        format!("filter {edited} --only -o out.{kind}{policy}"),
        format!("filter {edited} --drop -o out.{kind}{records}"),
        format!("filter {edited} --only -o out.{kind}{records}"),
    ] {
        assert_left(desk, &format!("ucrypt {command}"), &format!("out.{kind}"), &words);
    }
    let elsewhere = desk.done(&format!("ucrypt seal p.upolicy {edited} -o out.{kind} --record 4"));
    assert!(elsewhere.err.contains("damaged sealed value"), "{kind} {what}: {elsewhere:?}");
    std::fs::remove_file(desk.path(&format!("out.{kind}"))).expect("it was written");
    let _ = std::fs::remove_file(desk.path("out.csv.ukeys"));
    for policy in ["", policy] {
        let found = desk.json(&format!("ucrypt inspect {edited}{policy}"), 0);
        assert_eq!((&found["sealed"], &found["damaged"]), (&3.into(), &1.into()), "{kind} {what}: {found}");
    }
}

#[test]
fn every_command_says_the_same_to_a_damaged_cell_in_every_kind_of_document() {
    let desk = sealed_desk();
    for kind in KINDS {
        let markup = kind == "xml";
        let escaped = |cell: &str| cell.replace('<', "&lt;").replace('>', "&gt;");
        let edits: [Edit; 4] = [
            ("text before", Box::new(|cell| format!("foo{cell}"))),
            ("two cells", Box::new(|cell| format!("{cell}{cell}"))),
            ("child element", Box::new(|cell| cell.replace("</UCRYPT>", "<b/></UCRYPT>"))),
            (
                "escaped",
                Box::new(
                    move |cell| {
                        if markup { escaped(&escaped(cell)).replace("&lt;", "&amp;lt;") } else { escaped(cell) }
                    },
                ),
            ),
        ];
        for (what, edit) in edits {
            replace_cell(&desk, kind, edit);
            assert_damaged(&desk, kind, what);
        }
    }
}

#[test]
fn a_cell_in_an_expression_of_a_dump_is_a_damaged_one() {
    let desk = sealed_desk();
    let sealed = desk.read("sealed.sql");
    let cell = cell(&sealed);
    let digits = cell.bytes().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat();
    for expression in [
        format!("'{cell}'::text"),
        format!("('{cell}')"),
        format!("'\\x{digits}'::bytea"),
        format!("_binary 0x{digits}"),
        format!("decode('{digits}','hex')"),
    ] {
        desk.write("edited.sql", sealed.replace(&format!("'{cell}'"), &expression));
        assert_damaged(&desk, "sql", &expression);
    }
}

#[test]
fn a_cell_that_a_database_keeps_as_a_blob_is_a_cell() {
    let desk = sealed_desk();
    std::fs::copy(desk.path("sealed.db"), desk.path("edited.db")).expect("a copy");
    let blobs = "UPDATE pacjenci SET Choroba = CAST(Choroba AS BLOB), Miasto = CAST(Miasto AS BLOB) WHERE Id = 5";
    rusqlite::Connection::open(desk.path("edited.db")).expect("a database").execute_batch(blobs).expect("blobs");
    for policy in ["", " --policy p.upolicy"] {
        assert_eq!(desk.json(&format!("ucrypt inspect edited.db{policy}"), 0)["sealed"], 4, "{policy}");
    }
    let sealed = desk.json("ucrypt seal p.upolicy edited.db -o again.db --record 5", 0);
    assert_eq!((&sealed["sealed"], &sealed["sealed_before"]), (&0.into(), &4.into()));
    assert_opens(&desk, "p.upolicy", "edited.db", &["doctor", "payer"]);
    desk.done("ucrypt filter edited.db --drop --policy p.upolicy -o rest.db");
    assert_eq!(rows(&desk, "rest.db").len(), 8);
    desk.done(&format!("ucrypt rotate p.upolicy edited.db --full{}", with(&["patient", "payer"])));
    assert_opens(&desk, "p.upolicy", "edited.db", &["doctor", "payer"]);
}

#[test]
fn a_cell_is_what_a_reader_of_xml_finds_and_anything_else_that_claims_to_be_one_is_damaged() {
    let desk = sealed_desk();
    let escaped = |cell: &str| cell.replace('<', "&lt;").replace('>', "&gt;");
    let in_middle = |cell: &str, put: &str| cell.replace("</UCRYPT>", &format!("{put}</UCRYPT>"));
    let halves =
        |cell: &str| format!("<![CDATA[{}]]>x<![CDATA[{}]]>", &cell[..30], &cell[30..]).replace("]]>x<", "]]><");
    let whole: [Edit; 6] = [
        ("comment inside", Box::new(move |cell| in_middle(cell, "<!-- a -->"))),
        ("instruction inside", Box::new(move |cell| in_middle(cell, "<?a b?>"))),
        ("section inside", Box::new(|cell| cell.replacen('>', "><![CDATA[", 1).replace("</UCRYPT>", "]]></UCRYPT>"))),
        ("two sections", Box::new(halves)),
        ("comment beside", Box::new(|cell| format!("<!-- a -->{cell}"))),
        ("escaped, with a comment", Box::new(move |cell| escaped(cell).replace(" v=", "<!-- a --> v="))),
    ];
    for (what, edit) in whole {
        replace_cell(&desk, "xml", edit);
        assert_eq!(desk.json("ucrypt inspect edited.xml --policy p.upolicy", 0)["sealed"], 4, "{what}");
        assert_eq!(desk.json("ucrypt inspect edited.xml", 0)["sealed"], 4, "{what}");
        let sealed = desk.json("ucrypt seal p.upolicy edited.xml -o again.xml --record 5 --allow-readable comments", 0);
        assert_eq!((&sealed["sealed"], &sealed["sealed_before"]), (&0.into(), &4.into()), "{what}");
        assert_eq!(desk.read("again.xml"), desk.read("edited.xml"), "{what}");
        assert_opens(&desk, "p.upolicy", "edited.xml", &["doctor", "payer"]);
        desk.done("ucrypt filter edited.xml --drop --policy p.upolicy -o rest.xml");
        assert!(!desk.read("rest.xml").contains("<Id>5</Id>"), "{what}");
    }
    let spoiled: [Edit; 3] = [
        ("escaped in a section", Box::new(move |cell| format!("<![CDATA[{}]]>", escaped(cell)))),
        ("escaped twice", Box::new(move |cell| escaped(cell).replace('&', "&amp;"))),
        ("a section before", Box::new(move |cell| format!("<![CDATA[a]]>{}", escaped(cell)))),
    ];
    for (what, edit) in spoiled {
        replace_cell(&desk, "xml", edit);
        assert_damaged(&desk, "xml", what);
    }
}

#[test]
fn a_text_that_holds_the_element_without_a_version_is_a_text() {
    let desk = desk();
    for text in ["<UCRYPT>", "see <UCRYPT>", "a <UCRYPT>b</UCRYPT> c", "<UCRYPT"] {
        desk.write("tags.csv", csv().replace("Podagra", text)).write("tags.sql", sql().replace("Podagra", text));
        desk.write("tags.xml", xml().replace("Podagra", &text.replace('<', "&lt;")));
        for kind in ["csv", "sql", "xml"] {
            desk.done(&format!("ucrypt seal p.upolicy tags.{kind} -o sealed.{kind} --record 5"));
            assert!(!desk.read(&format!("sealed.{kind}")).contains("see "));
            let ran = open(&desk, "p.upolicy", &format!("sealed.{kind}"), &["patient", "doctor"]);
            assert_eq!(ran.code, 0, "{text}: {ran:?}");
            assert_eq!(desk.read(&format!("opened.{kind}")), desk.read(&format!("tags.{kind}")), "{text}");
        }
    }
}

#[test]
fn sealing_leaves_cells_of_other_tools_only_if_that_is_allowed() {
    let desk = desk();
    let foreign = "<UCRYPT cipher='szyfr1'>MBJKLO</UCRYPT>";
    desk.write("mixed.csv", csv().replace("Podagra", foreign)).write("mixed.xml", xml().replace("Podagra", foreign));
    for kind in ["csv", "xml"] {
        let seal = format!("ucrypt seal p.upolicy mixed.{kind} -o sealed.{kind} --record 5");
        let words = ["the field \"Choroba\" of record \"5\"", "of another tool", "--allow-readable foreign"];
        assert_refused(&desk, &seal, 2, &words);
        let sealed = desk.json(&format!("{seal} --allow-readable foreign"), 0);
        assert_eq!(sealed["readable"], json!({"foreign": 1}), "{sealed}");
        assert_eq!((&sealed["sealed"], &sealed["left_foreign"]), (&3.into(), &1.into()), "{kind}: {sealed}");
        assert!(sealed["notes"].to_string().contains("1 chosen field holds a cell of another tool"), "{sealed}");
        let other = desk.json(&format!("ucrypt seal p.upolicy mixed.{kind} -o sealed.{kind} --record 4"), 0);
        assert_eq!(other["left_foreign"], 0, "it was not chosen");
    }
}

struct Looking;

impl Treatment for Looking {
    type Refusal = std::convert::Infallible;

    fn field(&self, _: Place<'_>, _: &Content<'_>) -> Result<Outcome, Self::Refusal> {
        Ok(Outcome::Keep)
    }
}

/// The tables of a release have a recogniser of their own.
#[test]
fn tables_and_documents_agree_on_what_is_sealed() {
    let is_sealed_in_document = |text: &str| {
        let file = format!("a\n\"{}\"\n", text.replace('"', "\"\""));
        match csv::rewrite(file.as_bytes(), std::io::sink(), &Options::default(), &[], &Looking) {
            Ok(summary) => summary.sealed > 0,
            Err(RewriteError::Rows(RowsError::Broken { .. })) => true,
            Err(error) => panic!("{text}: {error}"),
        }
    };
    let is_sealed_in_table = |text: &str| {
        let mut column = ColumnBuilder::new("a");
        column.push(text).expect("a value");
        column.finish().sealed().is_some()
    };
    let attributes =
        ["", " cipher='c'", " v='1'", " v='1' pol='p'", " pol=\"p>\"\n v = '1' kid='k'", " a=' v= pol='", " v=1 pol=p"];
    let mut sealed = 0;
    for before in ["", " \n", "x", "<", "<b>", "<UCRYPT>", "<UCRYPT "] {
        for name in ["UCRYPT", "UCRYPTED", "b"] {
            for attributes in attributes {
                for behind in
                    ["", ">", "/>", " >AA</UCRYPT>", ">AA</UCRYPT >\n", ">AA</UCRYPT>x", ">A<b/></UCRYPT>", ">AA</b>"]
                {
                    let text = format!("{before}<{name}{attributes}{behind}");
                    // Elements of other names are cells for a table if all three attributes are there; here nobody asks for them.
                    if attributes.contains("kid") && name != "UCRYPT" {
                        continue;
                    }
                    for text in [text.replace('<', "&lt;").replace('>', "&gt;"), text.replace('<', "&amp;lt;"), text] {
                        let is_sealed = is_sealed_in_document(&text);
                        assert_eq!(is_sealed_in_table(&text), is_sealed, "{text:?}");
                        sealed += u32::from(is_sealed);
                    }
                }
            }
        }
    }
    assert!(sealed > 100, "{sealed}");
}

/// A document with another text in one of its records.
fn with_text(document: &str, record: &str, before: &str, after: &str) -> String {
    let is_meant = |line: &str| line.starts_with(&format!("{record},")) || line.contains(&format!("<Id>{record}<"));
    let edited = |line: &str| if is_meant(line) { line.replacen(before, after, 1) } else { line.to_owned() };
    document.lines().map(|line| edited(line) + "\n").collect::<Vec<_>>().concat()
}

/// A cell is bound to table, record and field, whatever kind of document these stand in.
#[test]
fn a_cell_that_was_moved_to_another_kind_of_document_opens_only_where_it_is_bound_to() {
    let desk = desk();
    for (bind, codes) in [("rf", [0, 5, 5]), ("f", [0, 0, 5]), ("n", [0, 0, 0])] {
        for kind in ["csv", "xml"] {
            let seal = format!("ucrypt seal p.upolicy plain.{kind} -o {bind}.{kind} --record 5 --field Choroba");
            desk.done(&format!("{seal} --bind {bind} --table pacjenci"));
        }
        let header: Value = serde_json::from_str(&desk.read(&format!("{bind}.csv.ukeys"))).expect("one key");
        let part = |name: &str| header[name].as_str().expect("a text");
        let [pol, kid, born, dk] = ["pol", "kid", "born", "dk"].map(part);
        let from_csv =
            format!("<?ucrypt-key v=\"1\" pol=\"{pol}\" ep=\"1\" kid=\"{kid}\" born=\"{born}\" dk=\"{dk}\"?>");
        let (in_csv, in_xml) = (desk.read(&format!("{bind}.csv")), desk.read(&format!("{bind}.xml")));
        let to_xml = cell(&in_csv).replace("\"\"", "\"");
        let instruction = in_xml.lines().find(|line| line.starts_with("<?ucrypt-key ")).expect("a key");
        let of = |name: &str| {
            let start = instruction.find(&format!(" {name}=\"")).expect("a part") + name.len() + 3;
            instruction[start..].split('"').next().expect("a value")
        };
        let [pol, kid, born, dk] = ["pol", "kid", "born", "dk"].map(of);
        let from_xml = json!({ "v": "1", "pol": pol, "ep": 1, "kid": kid, "born": born, "dk": dk });
        let to_csv = format!("\"{}\"", cell(&in_xml).replace('"', "\"\""));
        // Its own place, another record, another field.
        for ((record, before), code) in [("5", "Podagra"), ("1", "AIDS"), ("5", "Zbaraż")].into_iter().zip(codes) {
            let xml = with_text(&xml(), record, before, &to_xml);
            desk.write("moved.xml", xml.replacen("<pacjenci>", &format!("{from_csv}\n<pacjenci>"), 1));
            desk.write("moved.csv", with_text(&csv(), record, before, &to_csv));
            desk.write("moved.csv.ukeys", format!("{from_xml}\n"));
            for kind in ["xml", "csv"] {
                let ran = open(&desk, "p.upolicy", &format!("moved.{kind}"), &["doctor", "payer"]);
                assert_eq!(ran.code, code, "{bind}, {kind}, record {record} in the place of {before}: {ran:?}");
                if code == 0 {
                    let opened = desk.read(&format!("opened.{kind}")).replace('"', "");
                    let plain = if kind == "xml" { self::xml() } else { csv() };
                    assert_eq!(opened, with_text(&plain, record, before, "Podagra").replace('"', ""), "{bind}, {kind}");
                } else {
                    assert!(ran.err.contains(&format!("record \"{record}\"")), "{ran:?}");
                    assert!(!desk.path(&format!("opened.{kind}")).exists());
                }
                let _ = std::fs::remove_file(desk.path(&format!("opened.{kind}")));
            }
        }
    }
}
