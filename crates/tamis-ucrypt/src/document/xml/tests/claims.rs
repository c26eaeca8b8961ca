//! What is a cell for a reader of XML, and what only claims to be one.

use super::forms::{content_of, value_of};
use super::*;

const CELL: &str = "<UCRYPT cipher=\"c\" v=\"1\" pol=\"p\">AAEC</UCRYPT>";

/// Ways to write a cell that are the same to a reader of XML.
fn ways_to_split() -> Vec<String> {
    let escaped = CELL.replace('<', "&lt;").replace('>', "&gt;");
    let mut ways = vec![
        CELL.replace("AAEC", "AA<![CDATA[EC]]>"),
        CELL.replace("AAEC", "<![CDATA[AA]]><![CDATA[EC]]>"),
        CELL.replace("AAEC", "AA<!-- <b> -->EC"),
        CELL.replace("AAEC", "\n<?a b?> AAEC<!---->"),
        CELL.replace("AAEC", "<![CDATA[ ]]>AA&#69;C"),
        format!("<!-- a -->{CELL} <?b c?>\n"),
        format!(" <![CDATA[\n]]>{CELL}"),
        escaped.replace("AAEC", "<![CDATA[AAEC]]>"),
        escaped.replace("UCRYPT ", "UC<!-- b -->RYPT<?d?> "),
        format!("<!-- a -->{escaped}"),
    ];
    ways.extend([10, 20, 43].map(|at| format!("<![CDATA[{}]]><![CDATA[{}]]>", &CELL[..at], &CELL[at..])));
    ways
}

/// Ways to spoil one.
fn ways_to_spoil() -> Vec<String> {
    let escaped = CELL.replace('<', "&lt;").replace('>', "&gt;");
    vec![
        format!("<![CDATA[{escaped}]]>"),
        format!("<![CDATA[foo]]>{}", escaped.replace('&', "&amp;")),
        escaped.replace('&', "&amp;"),
        escaped.replace('&', "&amp;amp;"),
        format!("foo<!-- a -->{escaped}"),
        format!("{escaped}<![CDATA[.]]>"),
        format!("<![CDATA[a]]><![CDATA[{CELL}]]>"),
        CELL.replace("AAEC", "AA<b/>EC"),
        CELL.replace("AAEC", "AA<!-- a --><b/>EC"),
    ]
}

#[test]
fn a_cell_is_what_a_reader_of_xml_finds_however_it_is_split() {
    for inner in ways_to_split() {
        assert_eq!(content_of(&inner), "sealed AAEC", "{inner}");
        for around in ["<r><p id='1'><z>{}</z></p></r>", "<r><z>{}</z><p id='1'/></r>"] {
            let seen = seen(&around.replace("{}", &inner), &selectors(&["a"]));
            assert_eq!(seen.len(), 1, "{inner}: {seen:?}");
            assert_eq!(seen[0].1, "sealed AAEC", "{inner}");
        }
    }
    let escaped = CELL.replace('<', "&lt;").replace('"', "&quot;");
    assert_eq!(value_of(&format!("'{}'", escaped.replace("&lt;", "&#60;").replace(" v", "\n\tv"))), "sealed AAEC");
}

#[test]
fn a_cell_that_a_reader_of_xml_would_not_find_is_damaged() {
    let damaged = |document: &str| {
        let (.., problem) = refused(document.as_bytes(), &selectors(&["a", "@b"]));
        assert!(matches!(problem, Problem::Damaged { .. }), "{document}: {problem}");
    };
    for inner in ways_to_spoil() {
        for around in ["<p id='7'><a>{}</a></p>", "<p id='7'><z>{}</z></p>", "<z>{}</z><p id='7'/>"] {
            damaged(&format!("<r>{}</r>", around.replace("{}", &inner)));
        }
    }
    let twice = CELL.replace('<', "&amp;lt;").replace('"', "&quot;");
    for name in ["b", "z"] {
        damaged(&format!("<r><p id='7' {name}=\"{twice}\"/></r>"));
    }
    let escaped = CELL.replace('<', "&lt;");
    for inner in [format!("<c/>{escaped}"), escaped.replace("AAEC", "AA<c/>EC"), format!("<c>x{CELL}</c>")] {
        damaged(&format!("<r><p id='7'><a>{inner}</a></p></r>"));
    }
    for beside in ["<r>x{}<p id='7'/></r>", "<r><p id='7'/>{}</r>", "<r><p id='7'><c/>{}</p></r>", "<r>{}{}</r>"] {
        damaged(&beside.replace("{}", CELL));
    }
    // One in a comment is none.
    for inner in [format!("x<!-- {CELL} -->"), format!("<?x {CELL}?>")] {
        assert!(content_of(&inner).starts_with("fragment"), "{inner}");
    }
}

#[test]
fn every_sealed_or_damaged_value_counts_once() {
    let document = |inner: &str| format!("<r><p id='1'><a>{inner}</a></p></r>");
    for selectors in [selectors(&["a"]), Selectors::new("UCRYPT", []).unwrap()] {
        let tally = |inner: &str| {
            let (output, tally) = rewrite(document(inner).as_bytes(), &selectors, &Leave, 1).unwrap();
            assert_eq!(output, document(inner).as_bytes());
            (tally.sealed, tally.damaged)
        };
        for inner in ways_to_split() {
            assert_eq!(tally(&inner), (1, 0), "{inner}");
        }
        for inner in ways_to_spoil() {
            assert_eq!(tally(&inner), (0, 1), "{inner}");
        }
        for inner in [
            format!("foo{CELL}"),
            format!("{CELL}{CELL}x{CELL}"),
            format!("{CELL}<b/>"),
            format!("{CELL} <!-- a --> bar"),
        ] {
            assert_eq!(tally(&inner), (0, 1), "{inner}");
        }
    }
}

#[test]
fn cells_are_alone_in_their_elements_wherever_the_document_is_cut() {
    let cell = CELL.replace("AAEC", &"A".repeat(400));
    let document = format!("<r>{}</r>", format!("<z>\n{cell}<!-- a --> </z>").repeat(2_000));
    let none = Selectors::new("UCRYPT", []).unwrap();
    for threads in [1, 2] {
        let (_, tally) = rewrite(document.as_bytes(), &none, &Leave, threads).unwrap();
        assert_eq!((tally.sealed, tally.damaged), (2_000, 0));
    }
}

#[test]
fn a_sealed_value_with_a_prefix_is_damaged() {
    let prefixed = CELL.replace("UCRYPT cipher", "ns0:UCRYPT xmlns:ns0='urn:u' cipher").replace("</", "</ns0:");
    let other = prefixed.replace("v=", "w=");
    for element in ["a", "b"] {
        for (document, damaged) in [
            (format!("<r><p id='1'><{element}>{prefixed}</{element}></p></r>"), true),
            (format!("<r><p id='1'><{element}>{prefixed} x</{element}></p></r>"), true),
            (format!("<r><p id='1'><{element}>{other}</{element}></p></r>"), false),
        ] {
            let refused = rewrite(document.as_bytes(), &selectors(&["a"]), &Hide, 1);
            assert_eq!(refused.is_err(), damaged, "{document}");
        }
    }
}
