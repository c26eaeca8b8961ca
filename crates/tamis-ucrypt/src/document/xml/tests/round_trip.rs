//! Random documents: nothing treated is nothing changed, and what is sealed comes back.

use proptest::prelude::*;

use super::*;

/// Content of an element, with everything that can stand there.
fn content() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        "[a-zA-Zżółć0-9 \n\t'\".,;-]{0,12}",
        Just("&lt;UCRYPT&gt;".to_owned()),
        Just("<a>&lt;UCRYPT cipher=\"x\"&gt;AAAA&lt;/UCRYPT&gt;</a>".to_owned()),
        Just("<UCRYPT cipher='x'>AAAA</UCRYPT>".to_owned()),
        Just("<![CDATA[<UCRYPT>AAAA</UCRYPT>]]>".to_owned()),
        Just("&amp;&lt;&gt;&quot;&apos;&#13;&#x142;".to_owned()),
        Just("<![CDATA[ <x> && ]] ]]>".to_owned()),
        Just("<!-- <p> - -->".to_owned()),
        Just("<?go <p> ?>".to_owned()),
        Just("\r\n > ".to_owned()),
        Just("\u{FEFF}".to_owned()),
    ];
    leaf.prop_recursive(3, 24, 5, |inner| {
        let name = prop_oneof![Just("a"), Just("b"), Just("n:c"), Just("d"), Just("p"), Just("żółw")];
        let attributes = prop_oneof![
            Just(""),
            Just(" x='1 &amp; 2'"),
            Just(" x=\"it's\" y='\"'"),
            Just("  y = '&lt;UCRYPT&gt;AAAA&lt;/UCRYPT&gt;'\n"),
            Just(" x='a\tb' "),
        ];
        let element = (name, attributes, prop::collection::vec(inner, 0..4), any::<bool>()).prop_map(
            |(name, attributes, inner, empty)| {
                let inner = inner.concat();
                if inner.is_empty() && empty {
                    format!("<{name}{attributes}/>")
                } else {
                    format!("<{name}{attributes}>{inner}</{name}>")
                }
            },
        );
        prop_oneof![element.clone(), element.clone(), element]
    })
}

/// A document with records at `/r/p`, their keys before or behind the rest.
pub(super) fn document() -> impl Strategy<Value = String> {
    let record =
        (prop::collection::vec(content(), 0..6), any::<bool>(), "[ \n]{0,3}").prop_map(|(inner, first, space)| {
            let key = "<k>7</k>";
            let inner = inner.concat();
            if first { format!("{space}<p x='y'>{key}{inner}</p>") } else { format!("{space}<p>{inner}{key}\n</p >") }
        });
    let other = (content(), "[ \n]{0,2}").prop_map(|(content, space)| format!("{space}<m>{content}</m>"));
    let head = prop_oneof![Just(""), Just("\u{FEFF}<?xml version='1.0'?>\n"), Just("<!-- c --><?a b?>\n")];
    (head, prop::collection::vec(prop_oneof![3 => record, 1 => other], 0..8), "[ \n]{0,2}")
        .prop_map(|(head, parts, tail)| format!("{head}<r xmlns:n='urn:n'>{}\n</r>{tail}", parts.concat()))
}

pub(super) fn several() -> Selectors {
    selectors_of(&[("t", "/r/p", "k", &["a", "b", "n:c", "d/a", "@x", "b/@y"])])
}

/// Only what was hidden comes back; sealed values of other tools stay.
struct ShowHidden;

impl Treatment for ShowHidden {
    type Refusal = String;

    fn field(&self, place: Place<'_>, content: &Content<'_>) -> Result<Outcome, String> {
        match content {
            Content::Sealed(marker) if marker.attributes.cipher == "hidden" => Show.field(place, content),
            _ => Ok(Outcome::Keep),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn what_nobody_changes_is_copied(document in document(), threads in 1..4_usize) {
        // A selected key cannot be sealed, so the content may hold several keys: whoever does not ask needs none.
        struct Nothing;
        impl Treatment for Nothing {
            type Refusal = String;
            fn field(&self, _: Place<'_>, _: &Content<'_>) -> Result<Outcome, String> {
                Ok(Outcome::Keep)
            }
        }
        let (copy, _) = rewrite(document.as_bytes(), &several(), &Nothing, threads).unwrap();
        prop_assert_eq!(String::from_utf8(copy).unwrap(), document);
    }

    #[test]
    fn what_is_sealed_comes_back(document in document(), threads in 1..4_usize) {
        let selectors = several();
        let (sealed, tally) = rewrite(document.as_bytes(), &selectors, &Hide, threads).unwrap();
        prop_assert_eq!(tally.changed > 0, sealed != document.as_bytes());
        let (again, _) = rewrite(&sealed, &selectors, &Hide, 1).unwrap();
        prop_assert_eq!(String::from_utf8_lossy(&again), String::from_utf8_lossy(&sealed));
        let (opened, opening) = rewrite(&sealed, &selectors, &ShowHidden, threads).unwrap();
        prop_assert_eq!(String::from_utf8(opened).unwrap(), document);
        prop_assert_eq!(opening.changed, tally.changed);
    }

    #[test]
    fn any_other_text_is_rewritten_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200), cut in 0..2000_usize, document in document()) {
        let _ = rewrite(&bytes, &several(), &Hide, 1);
        let mut spoiled = document.into_bytes();
        let at = cut % (spoiled.len() + 1);
        let from = bytes.len() / 8;
        spoiled.splice(at..at, bytes.into_iter().take(from));
        if let Ok((sealed, _)) = rewrite(&spoiled, &several(), &Hide, 1) {
            let (opened, _) = rewrite(&sealed, &several(), &ShowHidden, 1).unwrap();
            prop_assert_eq!(opened, spoiled);
        }
    }
}

#[test]
fn long_documents_come_in_many_batches_and_in_order() {
    let records = (0..30_000).map(|number| {
        let filler = "text ".repeat(number % 11);
        let between = if number % 1000 == 0 { "<m n='&lt;UCRYPT&gt;x&lt;/UCRYPT&gt;'>between</m>\n" } else { "" };
        format!("  <p id='{number}'><a>{number}</a>{filler}</p>\n{between}")
    });
    let document = format!("<r>\n{}</r>\n", records.collect::<Vec<_>>().concat());
    let selectors = selectors(&["a"]);
    let (sealed, tally) = rewrite(document.as_bytes(), &selectors, &Hide, 3).unwrap();
    assert_eq!((tally.records, tally.changed, tally.sealed), (30_000, 30_000, 30));
    assert_eq!(sealed, rewrite(document.as_bytes(), &selectors, &Hide, 1).unwrap().0);
    assert_eq!(rewrite(&sealed, &selectors, &ShowHidden, 2).unwrap().0, document.as_bytes());
}

#[test]
fn nothing_is_sealed_that_could_not_be_read_again() {
    let half = "x".repeat(super::super::limits::LONGEST_RECORD / 2);
    let selectors = selectors(&["a", "b"]);
    let fits = format!("<r><p id='1'><a>{half}</a></p></r>");
    let (sealed, _) = rewrite(fits.as_bytes(), &selectors, &Hide, 2).unwrap();
    assert_eq!(rewrite(&sealed, &selectors, &Show, 2).unwrap().0, fits.as_bytes());
    let long = format!("<r>\n<p id='1'><a>{half}</a><b>{}</b></p></r>", &half[..half.len() - 1000]);
    assert_eq!(refused(long.as_bytes(), &selectors), (2, 1, Problem::LongResult));
    // Nor is anything pushed below the deepest level.
    let deepest = format!("<r><p id='1'><a>{}<b></b>{}</a></p></r>", "<b>".repeat(996), "</b>".repeat(996));
    let path = format!("a/{}", vec!["b"; 997].join("/"));
    let selectors = super::selectors(&[path.as_str()]);
    let sealed = rewritten(&deepest, &selectors, &Hide);
    assert_ne!(sealed, deepest);
    assert_eq!(rewritten(&sealed, &selectors, &Show), deepest);
}
