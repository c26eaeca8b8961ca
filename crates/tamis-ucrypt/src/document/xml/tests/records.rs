//! Records: their keys, records in records, records that go.

use super::*;

#[test]
fn the_key_may_come_last_and_in_several_forms() {
    for (key, record) in [
        ("<k>5</k>", "5"),
        ("<k>\r\n 5 </k>", "5"),
        ("<k>a&amp;&#98;</k>", "a&b"),
        ("<k><![CDATA[ <5> ]]></k>", "<5>"),
        ("<k>a\r\nb</k>", "a\nb"),
    ] {
        let document = format!("<r><p><a>x</a>{key}</p></r>");
        let selectors = selectors_of(&[("t", "/r/p", "k", &["a"])]);
        assert_eq!(seen(&document, &selectors), [(format!("t {record} a"), "text x".into())]);
    }
}

#[test]
fn a_record_needs_one_key_that_is_text() {
    let selectors = selectors_of(&[("t", "/r/p", "k", &["a"])]);
    let problem = |key: &str| refused(format!("<r>\n <p>{key}<a>x</a></p></r>").as_bytes(), &selectors);
    let table = || "t".to_owned();
    assert_eq!(problem(""), (2, 2, Problem::NoKey(table())));
    assert_eq!(problem("<k> </k>").2, Problem::NoKey(table()));
    assert_eq!(problem("<k/>").2, Problem::NoKey(table()));
    assert_eq!(problem("<k>1</k><k>1</k>").2, Problem::TwoKeys(table()));
    assert_eq!(problem("<k>1<b/></k>").2, Problem::KeyNotText(table()));
    for sealed in ["<UCRYPT>a</UCRYPT>", "&lt;UCRYPT&gt;a&lt;/UCRYPT&gt;", "<![CDATA[<UCRYPT>a</UCRYPT>]]>"] {
        assert_eq!(problem(&format!("<k>{sealed}</k>")).2, Problem::SealedKey(table()), "{sealed}");
    }
    // A record without anything to treat needs no key.
    assert_eq!(seen("<r><p><k/><b/></p></r>", &selectors), []);
}

#[test]
fn records_in_records_have_their_own_keys_and_fields() {
    let selectors = selectors_of(&[
        ("ward", "/r/w", "@id", &["note"]),
        ("patient", "/r/w/p", "k", &["a", "@b"]),
        ("same", "/r/w/p", "@b", &["c"]),
    ]);
    let document = "<r><w id='W'><p b='1'><a>x</a><k>P</k><note>inner</note><c>y</c></p><note>z</note></w></r>";
    let of = |place: &str, content: &str| (place.to_owned(), format!("text {content}"));
    assert_eq!(
        seen(document, &selectors),
        [of("patient P @b", "1"), of("patient P a", "x"), of("same 1 c", "y"), of("ward W note", "z")]
    );
}

#[test]
fn what_is_inside_a_field_goes_with_it() {
    let document = "<r><p id='1'><a>x<b>y</b></a></p></r>";
    let both = selectors(&["a", "a/b"]);
    assert_eq!(seen(document, &both).len(), 2);
    let sealed = rewritten(document, &both, &Hide);
    assert_eq!(sealed.matches("<UCRYPT").count(), 1);
    assert_eq!(rewritten(&sealed, &both, &Show), document);
    // Sealed from the inside out, it opens from the outside in.
    let inner = rewritten(document, &selectors(&["a/b"]), &Hide);
    let outer = rewritten(&inner, &selectors(&["a"]), &Hide);
    assert_eq!(outer.matches("<UCRYPT").count(), 1);
    let once = rewritten(&outer, &both, &Show);
    assert_eq!(once, inner);
    assert_eq!(rewritten(&once, &both, &Show), document);
}

#[test]
fn sealed_values_that_no_selector_names_are_seen_with_their_path() {
    let document = "<r><m><n>&lt;UCRYPT&gt;A&lt;/UCRYPT&gt;</n></m><x b='&lt;UCRYPT&gt;B&lt;/UCRYPT&gt;'/>\
        <p id='1'>C<UCRYPT>D</UCRYPT><e f='&#60;UCRYPT>E&#60;/UCRYPT>'> <UCRYPT>F</UCRYPT> </e>\
        <g><h><![CDATA[<UCRYPT>G</UCRYPT>]]></h></g></p><UCRYPT>H</UCRYPT></r>";
    let of = |place: &str, body: &str| (place.to_owned(), format!("sealed {body}"));
    assert_eq!(
        seen(document, &selectors(&["a"])),
        [
            of("  /r/m/n", "A"),
            of("  /r/x/@b", "B"),
            of("t 1 .", "D"),
            of("t 1 ./e/@f", "E"),
            of("t 1 ./e", "F"),
            of("t 1 ./g/h", "G"),
            of("  /r", "H"),
        ]
    );
}

/// Keeps only records with sealed values, or only those without.
struct Only {
    sealed: bool,
}

impl Treatment for Only {
    type Refusal = String;

    fn field(&self, _: Place<'_>, _: &Content<'_>) -> Result<Outcome, String> {
        Ok(Outcome::Keep)
    }

    fn keeps(&self, sealed: bool) -> bool {
        sealed == self.sealed
    }
}

#[test]
fn removed_records_take_the_space_before_them_along() {
    let sealed = "<p id='1'><a><UCRYPT>x</UCRYPT></a></p>";
    let other = "<p id='2'><b>&lt;UCRYPT v='1'&gt;x&lt;/UCRYPT></b></p>";
    let plain = "<p id='3'><a>&lt;UCRYPT&gt;</a></p>";
    let document = format!("<r>\n  {sealed}\n  {plain}\n\n  {other}\n text {sealed}<m/>{plain}\n</r>\n");
    let filter =
        |document: &str, sealed| rewrite(document.as_bytes(), &selectors(&["a"]), &Only { sealed }, 1).unwrap();
    let (output, tally) = filter(&document, false);
    assert_eq!(String::from_utf8(output).unwrap(), format!("<r>\n  {plain}\n text <m/>{plain}\n</r>\n"));
    assert_eq!(tally, Tally { records: 5, removed: 3, sealed: 3, ..Tally::default() });
    let document = document.replace(other, "");
    let (output, _) = filter(&document, true);
    assert_eq!(String::from_utf8(output).unwrap(), format!("<r>\n  {sealed}\n\n  \n text {sealed}<m/>\n</r>\n"));
}

#[test]
fn no_record_goes_with_a_damaged_value_in_it() {
    let document = "<r><p id='2'><b>&lt;UCRYPT v='1'&gt;x</b></p><p id='3'/></r>";
    for sealed in [false, true] {
        let refused = rewrite(document.as_bytes(), &selectors(&["a"]), &Only { sealed }, 1).unwrap_err();
        assert!(refused.to_string().contains("field \"./b\" of record \"2\" is a damaged"), "{refused}");
    }
}

#[test]
fn a_record_holds_what_the_records_in_it_hold() {
    let selectors = selectors_of(&[("w", "/r/w", "@id", &[]), ("p", "/r/w/p", "@id", &[])]);
    let document = "<r><w> <p id='1'><UCRYPT/></p> <p/></w><w><p/></w></r>";
    let filter =
        |sealed| String::from_utf8(rewrite(document.as_bytes(), &selectors, &Only { sealed }, 1).unwrap().0).unwrap();
    assert_eq!(filter(false), "<r><w><p/></w></r>");
    assert_eq!(filter(true), "<r><w> <p id='1'><UCRYPT/></p></w></r>");
}

#[test]
fn the_root_can_be_a_record() {
    let selectors = selectors_of(&[("t", "/p", "@id", &["a"])]);
    let document = "<?xml version='1.0'?>\n<p id='1'><a>x</a></p>\n<!-- end -->\n";
    let sealed = rewritten(document, &selectors, &Hide);
    assert!(sealed.contains("<UCRYPT"));
    assert_eq!(rewritten(&sealed, &selectors, &Show), document);
    assert!(matches!(refused(&b"<p id='1'/><p id='2'/>"[..], &selectors).2, Problem::SecondRoot(_)));
}

#[test]
fn a_refusal_says_where() {
    struct Refuse;
    impl Treatment for Refuse {
        type Refusal = String;
        fn field(&self, place: Place<'_>, _: &Content<'_>) -> Result<Outcome, String> {
            if place.record == "2" { Err("no".into()) } else { Ok(Outcome::Keep) }
        }
    }
    let document = "<r>\n<p id='1'><a/></p>\n<p id='2'>ż<a>x</a></p></r>";
    for threads in [1, 3] {
        let error = rewrite(document.as_bytes(), &selectors(&["a"]), &Refuse, threads).unwrap_err();
        assert_eq!(error.to_string(), "line 3, column 14: no");
    }
}

#[test]
fn data_keys_stand_before_the_root_and_go_without_a_trace() {
    for head in ["", "<?xml version='1.0'?>", "<?xml version='1.0'?>\n<!-- c -->\n", "\n<?other x?>\r\n"] {
        let document = format!("{head}<r><p id='1'><a>x</a></p></r>");
        let with = |input: &str, keys: &[&str]| {
            let keys: Vec<String> = keys.iter().map(|key| (*key).into()).collect();
            let mut output = Vec::new();
            let selectors = selectors(&[]);
            let rewrite = Rewrite { selectors: &selectors, treatment: &Hide, keys: Keys::Are(&keys), threads: 1 };
            Document::open(input.as_bytes()).unwrap().rewrite(&rewrite, &mut output).unwrap();
            String::from_utf8(output).unwrap()
        };
        let two = with(&document, &["v=\"1\" kid=\"a\"", "v=\"1\" kid=\"b\""]);
        assert_eq!(
            two,
            format!(
                "{head}<?ucrypt-key v=\"1\" kid=\"a\"?>\n<?ucrypt-key v=\"1\" kid=\"b\"?>\n<r><p id='1'><a>x</a></p></r>"
            )
        );
        assert_eq!(Document::open(two.as_bytes()).unwrap().keys(), ["v=\"1\" kid=\"a\"", "v=\"1\" kid=\"b\""]);
        assert_eq!(with(&two, &[]), document);
        assert_eq!(with(&two, &["c"]), format!("{head}<?ucrypt-key c?>\n<r><p id='1'><a>x</a></p></r>"));
    }
    let keys = vec!["a?>".to_owned()];
    let selectors = selectors(&[]);
    let rewrite = Rewrite { selectors: &selectors, treatment: &Hide, keys: Keys::Are(&keys), threads: 1 };
    let result = Document::open(&b"<r/>"[..]).unwrap().rewrite(&rewrite, std::io::sink());
    assert!(matches!(result, Err(RewriteError::Xml(XmlError::Header))));
}

/// Hides fields of records whose keys differ.
struct HideUnique;

impl Treatment for HideUnique {
    type Refusal = String;

    fn field(&self, place: Place<'_>, content: &Content<'_>) -> Result<Outcome, String> {
        Hide.field(place, content)
    }

    fn needs_unique_keys(&self) -> bool {
        true
    }
}

#[test]
fn two_records_in_which_something_is_sealed_have_two_keys() {
    let selectors = selectors(&["a", "b"]);
    let many: Vec<String> = (0..20_000).map(|id| format!("<p id='{id}'><a>x</a></p>\n")).collect();
    let document = format!("<r>\n{} <p id='12345'><b>y</b></p>\n<p id='7'><a>z</a></p></r>", many.concat());
    for threads in [1, 2, 5] {
        let refused = rewrite(document.as_bytes(), &selectors, &HideUnique, threads).unwrap_err();
        let said = "record \"12345\": another record of \"t\" has the same key; a sealed value would open in both";
        assert_eq!(refused.to_string(), format!("line 20002, column 2: {said}"), "{threads}");
    }
}

#[test]
fn records_that_share_a_key_are_left_alone_where_only_one_is_sealed() {
    let selectors = selectors(&["a"]);
    let sealed = rewritten("<r><p id='1'><a>x</a></p></r>", &selectors, &Hide);
    let record = sealed.strip_prefix("<r>").and_then(|rest| rest.strip_suffix("</r>")).unwrap();
    for other in ["<p id='1'><b>x</b></p>", "<p id='1'/>"] {
        let doubled = format!("<r>{record}{other}</r>");
        assert_eq!(rewritten(&doubled, &selectors, &HideUnique), doubled);
    }
    assert_eq!(rewritten(&format!("<r>{record}{record}</r>"), &selectors, &Show).matches("<a>x</a>").count(), 2);
}

/// Their cells could be exchanged, whichever run sealed them.
#[test]
fn what_an_earlier_run_sealed_counts_among_the_records_with_one_key() {
    let selectors = selectors(&["a"]);
    let sealed = rewritten("<r><p id='&#49;'><a>x</a></p></r>", &selectors, &Hide);
    let record = sealed.strip_prefix("<r>").and_then(|rest| rest.strip_suffix("</r>")).unwrap();
    for other in [record, "<p id='1'><a>x</a></p>", "<p id='1'><b><UCRYPT>x</UCRYPT></b></p>"] {
        for (first, second) in [(record, other), (other, record)] {
            let document = format!("<r>{first}{second}</r>");
            let refused = rewrite(document.as_bytes(), &selectors, &HideUnique, 1).unwrap_err().to_string();
            assert!(refused.contains("record \"1\": another record of \"t\" has the same key"), "{refused}");
        }
    }
}
