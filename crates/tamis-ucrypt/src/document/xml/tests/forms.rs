//! The forms in which plain and sealed values stand in a document.

use super::*;

pub(super) fn content_of(inner: &str) -> String {
    let seen = seen(&format!("<r><p id='1'><a>{inner}</a></p></r>"), &selectors(&["a"]));
    assert_eq!((seen.len(), seen[0].0.as_str()), (1, "t 1 a"));
    seen[0].1.clone()
}

pub(super) fn value_of(inner: &str) -> String {
    let seen = seen(&format!("<r><p id='1' a={inner}/></r>"), &selectors(&["@a"]));
    assert_eq!((seen.len(), seen[0].0.as_str()), (1, "t 1 @a"));
    seen[0].1.clone()
}

#[test]
fn text_that_escaping_gives_back_is_text_and_anything_else_is_a_fragment() {
    for (inner, content) in [
        ("", "text "),
        ("AIDS", "text AIDS"),
        (" \n\tNowotwór 'x' \"y\" ", "text  \n\tNowotwór 'x' \"y\" "),
        ("a &lt; b &amp;&amp; c &gt; d", "text a < b && c > d"),
        ("&#13;", "text \r"),
        ("a > b", "fragment a > b"),
        ("&quot;", "fragment &quot;"),
        ("&#65;", "fragment &#65;"),
        ("a\r\nb", "fragment a\r\nb"),
        ("a<b/>c", "fragment a<b/>c"),
        ("a<!-- c -->", "fragment a<!-- c -->"),
        ("<![CDATA[x]]>", "fragment <![CDATA[x]]>"),
        ("<?x y?>", "fragment <?x y?>"),
    ] {
        assert_eq!(content_of(inner), content);
    }
    for (inner, content) in [
        ("''", "text "),
        ("'a b'", "text a b"),
        ("'&lt;&amp;&gt;&quot;&apos;&#10;&#9;'", "text <&>\"'\n\t"),
        ("\"'\"", "text '"),
        ("'\"'", "fragment \""),
        ("\"&apos;\"", "fragment &apos;"),
        ("'>'", "fragment >"),
        ("'a\tb'", "fragment a\tb"),
    ] {
        assert_eq!(value_of(inner), content);
    }
}

#[test]
fn an_element_without_an_end_tag_is_the_empty_fragment() {
    let seen = seen("<r><p id='1'><a/><a ></a ></p></r>", &selectors(&["a"]));
    assert_eq!(seen, [("t 1 a".into(), "fragment ".into()), ("t 1 a[2]".into(), "text ".to_owned())]);
}

#[test]
fn sealed_values_are_recognised_in_all_their_forms() {
    let marker = "<UCRYPT cipher=\"c\">AAFGHA</UCRYPT>";
    let escaped = marker.replace('<', "&lt;").replace('>', "&gt;");
    for inner in [
        marker.to_owned(),
        format!("\n  {marker}\n  "),
        "<UCRYPT\tcipher = 'c' >\n AAFGHA\n</UCRYPT >".into(),
        "<UCRYPT>AAFGHA</UCRYPT>".into(),
        escaped.clone(),
        format!(" {escaped} "),
        escaped.replace("&gt;", ">").replace("&lt;", "&#60;"),
        format!("<![CDATA[{marker}]]>"),
        format!(" <![CDATA[ {marker} ]]>\n"),
    ] {
        assert_eq!(content_of(&inner), "sealed AAFGHA", "{inner}");
    }
    assert_eq!(value_of(&format!("'{escaped}'")), "sealed AAFGHA");
    assert_eq!(value_of(&format!("\" {} \"", escaped.replace('"', "&quot;"))), "sealed AAFGHA");
}

#[test]
fn what_only_looks_like_a_sealed_value_is_plain() {
    for (inner, content) in [
        ("&lt;UCRYPT&gt;", "text <UCRYPT>"),
        ("&lt;UCRYPTED&gt;a&lt;/UCRYPTED&gt;", "text <UCRYPTED>a</UCRYPTED>"),
        ("<![CDATA[<UCRYPT>]]>", "fragment <![CDATA[<UCRYPT>]]>"),
        ("x &lt;UCRYPT&gt;a&lt;/UCRYPT&gt;", "text x <UCRYPT>a</UCRYPT>"),
        ("<ucrypt>a</ucrypt>", "fragment <ucrypt>a</ucrypt>"),
        ("<UCRYPT><b/></UCRYPT>", "fragment <UCRYPT><b/></UCRYPT>"),
        ("<UCRYPT><b/></UCRYPT>x", "fragment <UCRYPT><b/></UCRYPT>x"),
    ] {
        assert_eq!(content_of(inner), content);
        let document = format!("<r><p id='1'><a>{inner}</a></p></r>");
        let sealed = rewritten(&document, &selectors(&["a"]), &Hide);
        assert_eq!(rewritten(&sealed, &selectors(&["a"]), &Show), document);
    }
}

#[test]
fn a_damaged_sealed_value_is_named_by_record_and_field() {
    for inner in ["&lt;UCRYPT cipher='c'&gt;AAF", "<![CDATA[<UCRYPT cipher='c'>]]>", "<UCRYPT cipher='c'><b/></UCRYPT>"]
    {
        let document = format!("<r><p id='7'><a>{inner}</a></p></r>");
        let (line, _, problem) = refused(document.as_bytes(), &selectors(&["a"]));
        let Problem::Damaged { record, field, .. } = problem else { panic!("{problem}") };
        assert_eq!((line, record.as_str(), field.as_str()), (1, "7", "a"));
    }
}

#[test]
fn a_cell_with_something_beside_it_is_damaged_in_every_form() {
    let cell = "<UCRYPT cipher=\"c\" v=\"1\" pol=\"p\">AAEC</UCRYPT>";
    let escaped = cell.replace('<', "&lt;");
    for inner in [
        format!("foo{cell}"),
        format!("{cell}bar"),
        format!("{cell}{cell}"),
        format!("{cell}<b/>"),
        format!("<b/>{cell}"),
        format!("<UCRYPT>AA</UCRYPT>{cell}"),
        format!("foo{escaped}"),
        format!("{escaped} bar"),
        format!("<![CDATA[foo{cell}]]>"),
        format!("foo<![CDATA[{cell}]]>"),
    ] {
        let document = format!("<r><p id='7'>\n<a>{inner}</a></p></r>");
        let (line, _, problem) = refused(document.as_bytes(), &selectors(&["a"]));
        let Problem::Damaged { record, field, .. } = problem else { panic!("{inner}: {problem}") };
        assert_eq!((line, record.as_str(), field.as_str()), (2, "7", "a"), "{inner}");
    }
    let attribute = format!("foo{}", escaped.replace('"', "&quot;"));
    let document = format!("<r><p id='7' b=\"{attribute}\"/></r>");
    assert!(matches!(refused(document.as_bytes(), &selectors(&["@b"])).2, Problem::Damaged { .. }));
    // A sealed value of an element inside is nobody's damage.
    let document = format!("<r><p id='7'><a>x<b>{cell}</b></a></p></r>");
    let sealed = rewritten(&document, &selectors(&["a"]), &Hide);
    assert_eq!(rewritten(&sealed, &selectors(&["a"]), &Show), document);
}

#[test]
fn a_cell_that_is_cut_inside_its_tags_is_named_by_record_and_field() {
    let cell = "<UCRYPT cipher=\"c\" v=\"1\" pol=\"p\">AAEC</UCRYPT>";
    for (edited, damage) in [
        (cell.replace(" v=", " v=\"1\" v="), MarkerError::DoubledAttribute),
        (cell.replace("</UCRYPT>", ""), MarkerError::EndTag),
        (cell.replace("</UCRYPT>", "</UCRYPT"), MarkerError::EndTag),
        (cell.replace("AAEC", "A&x;"), MarkerError::Reference),
        (cell.replace("cipher=\"c\"", "cipher=\"&x;\""), MarkerError::Reference),
        (cell.replace("\"c\"", "c"), MarkerError::StartTag),
        (cell.replace("pol=\"p\">", "pol=\"p>"), MarkerError::StartTag),
        ("<UCRYPT cip".into(), MarkerError::StartTag),
        ("<UCRYPT cipher=\"c".into(), MarkerError::StartTag),
    ] {
        for (start, name) in [("", "a"), ("<a>x</a>", "a[2]")] {
            let document = format!(
                "<r>\n<p id='6'/><p id='7'>{start}\n<a>{edited}</a><b c=\"d\">e</b></p><p id='8'><a>f</a></p></r>"
            );
            let (line, _, problem) = refused(document.as_bytes(), &selectors(&["a"]));
            let expected = Problem::Damaged { record: "7".into(), field: name.into(), problem: damage };
            assert_eq!((line, problem), (3, expected), "{edited}");
        }
    }
}

#[test]
fn a_fault_elsewhere_in_a_record_names_the_record() {
    for (inner, expected) in [
        ("<b>x</c>", "line 2, column 5: record \"7\": \"</c>\" where \"</b>\" is expected"),
        ("<b>&x;</b>", "line 2, column 4: record \"7\": the entity \"&x;\" is not defined"),
        ("<b c='1' c='2'/>", "line 2, column 10: record \"7\": the attribute \"c\" stands twice in one element"),
        (
            "<!DOCTYPE b>",
            "line 2, column 1: record \"7\": a document type declaration is refused, because entities could make the document anything: remove it",
        ),
    ] {
        let document = format!("<r><p id='7'>\n{inner}</p></r>");
        let rewritten = rewrite(document.as_bytes(), &selectors(&["a"]), &Hide, 1);
        assert_eq!(rewritten.unwrap_err().to_string(), expected);
    }
    let nowhere = rewrite(b"<r><p>&x;</p></r>", &selectors(&["a"]), &Hide, 1).unwrap_err().to_string();
    assert_eq!(nowhere, "line 1, column 7: the entity \"&x;\" is not defined");
}

#[test]
fn sealing_puts_an_element_into_elements_and_its_escaped_form_into_attributes() {
    let document = "<r>\n <p id='1' b=\"x\" c='y'><a >plain</a\n></p></r>";
    let sealed = rewritten(document, &selectors(&["a", "@b", "@c"]), &Hide);
    assert_eq!(
        sealed,
        "<r>\n <p id='1' b=\"&lt;UCRYPT cipher=&quot;hidden&quot;&gt;dAExAUBiAXRleHQBeA==&lt;/UCRYPT&gt;\" \
         c='&lt;UCRYPT cipher=&quot;hidden&quot;&gt;dAExAUBjAXRleHQBeQ==&lt;/UCRYPT&gt;'>\
         <a ><UCRYPT cipher=\"hidden\">dAExAWEBdGV4dAFwbGFpbg==</UCRYPT></a\n></p></r>"
    );
    assert_eq!(rewritten(&sealed, &selectors(&["a", "@b", "@c"]), &Hide), sealed);
    assert_eq!(rewritten(&sealed, &selectors(&["a", "@b", "@c"]), &Show), document);
}

#[test]
fn elements_without_end_tag_get_one_and_lose_it_again() {
    let document = "<r><p id='1'><n:a xmlns:n='urn:n' x='/' /><n:a xmlns:n='urn:n'></n:a></p></r>";
    let sealed = rewritten(document, &selectors(&["n:a"]), &Hide);
    assert!(sealed.contains("<n:a xmlns:n='urn:n' x='/' ><UCRYPT"), "{sealed}");
    assert_eq!(sealed.matches("</UCRYPT></n:a>").count(), 2);
    assert_eq!(rewritten(&sealed, &selectors(&["n:a"]), &Show), document);
}

/// Gives every sealed value another body.
struct Reseal;

impl Treatment for Reseal {
    type Refusal = String;

    fn field(&self, _: Place<'_>, content: &Content<'_>) -> Result<Outcome, String> {
        Ok(match content {
            Content::Sealed(marker) => Outcome::Sealed(Marker { body: "NEW".into(), ..marker.clone() }),
            _ => Outcome::Keep,
        })
    }
}

#[test]
fn a_value_that_is_sealed_anew_keeps_its_form() {
    let marker = "<UCRYPT cipher=\"c\">OLD</UCRYPT>";
    let escaped = "&lt;UCRYPT cipher=\"c\"&gt;OLD&lt;/UCRYPT&gt;";
    let quoted = escaped.replace('"', "&quot;");
    let document = format!(
        "<r><q>{escaped}</q><p id='1' x=\"{quoted}\"><a>{marker}</a><a>{escaped}</a><a><![CDATA[{marker}]]></a>\
         mixed {marker}<b>{escaped}</b></p></r>"
    );
    let resealed = rewritten(&document, &selectors(&["a"]), &Reseal);
    assert_eq!(resealed, document.replace("OLD", "NEW"));
}

#[test]
fn the_name_of_the_element_is_configurable() {
    let none = Namespaces::new();
    let selector = Selector {
        table: "t".into(),
        record: Path::absolute("/r", &none).unwrap(),
        key: None,
        fields: vec![Field { name: "a".into(), path: Path::relative("a", &none).unwrap() }],
    };
    let selectors = Selectors::new("ZASTRZEŻONE", [selector]).unwrap();
    let document = "<r><a>x</a><a><UCRYPT>y</UCRYPT></a></r>";
    let sealed = rewritten(document, &selectors, &Hide);
    assert_eq!(sealed.matches("<ZASTRZEŻONE cipher").count(), 2);
    assert_eq!(rewritten(&sealed, &selectors, &Show), document);
}

/// Most programs write all attributes between the same quotes, whatever stood there.
#[test]
fn an_attribute_between_other_quotes_than_before_means_the_same() {
    for (stood, means) in [
        ("'say \"ah\" '", "\"say &#34;ah&#34; \""),
        ("\"it's > that\"", "'it&#39;s > that'"),
        ("'it&apos;s'", "\"it's\""),
        ("\"'\tx\"", "'&#39;\tx'"),
    ] {
        let document = format!("<r><p id='1' a={stood}/></r>");
        let sealed = rewritten(&document, &selectors(&["@a"]), &Hide);
        // The cell itself holds no quote that is not escaped.
        let other =
            sealed.replace(" a='", "\0").replace("'/>", "\u{1}").replace(" a=\"", " a='").replace("\"/>", "'/>");
        let other = other.replace('\0', " a=\"").replace('\u{1}', "\"/>");
        assert_ne!(other, sealed);
        assert_eq!(rewritten(&other, &selectors(&["@a"]), &Show), format!("<r><p id='1' a={means}/></r>"));
        assert_eq!(rewritten(&sealed, &selectors(&["@a"]), &Show), document);
    }
}

/// Makes every field this.
struct Become(Outcome);

impl Treatment for Become {
    type Refusal = String;

    fn field(&self, _: Place<'_>, _: &Content<'_>) -> Result<Outcome, String> {
        Ok(self.0.clone())
    }
}

#[test]
fn what_a_field_becomes_cannot_break_out_of_it() {
    let document = "<r><p id='1' b=''><a/></p></r>";
    for fragment in [
        "</a><a>",
        "<b>",
        "</a>",
        "<!DOCTYPE a>",
        "&nbsp;",
        "&",
        "<b c='1' c='2'/>",
        "]]>",
        "\u{0}",
        "<x:b/>",
        "<!-- -- -->",
        "<?xml version='1.0'?>",
    ] {
        let result = rewrite(document.as_bytes(), &selectors(&["a"]), &Become(Outcome::Fragment(fragment.into())), 1);
        assert!(matches!(result, Err(RewriteError::Xml(XmlError::Malformed { .. }))), "{fragment}");
    }
    for fragment in ["<", "&nbsp;", "&", "\u{1}"] {
        let result = rewrite(document.as_bytes(), &selectors(&["@b"]), &Become(Outcome::Fragment(fragment.into())), 1);
        assert!(matches!(result, Err(RewriteError::Xml(XmlError::Malformed { .. }))), "{fragment}");
    }
    let hostile = rewritten(document, &selectors(&["@b"]), &Become(Outcome::Fragment("' c='".into())));
    assert_eq!(hostile, document.replace("b=''", "b='&#39; c=&#39;'"));
    let result = rewrite(document.as_bytes(), &selectors(&["a"]), &Become(Outcome::Text("\u{0}".into())), 1);
    assert!(matches!(result, Err(RewriteError::Xml(XmlError::Malformed { problem: Problem::Unfit { .. }, .. }))));
    let well = "x<b xmlns:x='u'><x:c x:d='' e=\"'\"/></b><!-- y --><![CDATA[z]]>&amp;";
    let output = rewritten(document, &selectors(&["a"]), &Become(Outcome::Fragment(well.into())));
    assert_eq!(output, document.replace("<a/>", &format!("<a>{well}</a>")));
    assert_eq!(rewritten(document, &selectors(&["a"]), &Become(Outcome::Null)), document.replace("<a/>", "<a></a>"));
}
