//! Which fields are selected, against a slow twin that builds the whole tree and walks every path anew.

use proptest::prelude::*;
use quick_xml::NsReader;
use quick_xml::events::{BytesStart, Event};
use quick_xml::name::ResolveResult;

use super::round_trip::{document, several};
use super::*;

/// An element of the twin's tree: its name as namespace and local part, its attributes and its children.
#[derive(Default)]
struct Tree {
    name: String,
    attributes: Vec<String>,
    children: Vec<Tree>,
}

/// `{namespace}local`.
fn expanded(namespace: &ResolveResult<'_>, local: &str) -> String {
    match namespace {
        ResolveResult::Bound(namespace) => format!("{{{}}}{local}", namespace.0),
        _ => local.to_owned(),
    }
}

fn tree(text: &str) -> Tree {
    let mut reader = NsReader::from_str(text);
    let mut open = vec![Tree::default()];
    loop {
        let event = reader.read_event().unwrap();
        match &event {
            Event::Start(start) | Event::Empty(start) => {
                let node = element(&reader, start);
                open.push(node);
            }
            Event::Eof => return open.remove(0),
            _ => {}
        }
        if matches!(event, Event::End(_) | Event::Empty(_)) {
            let node = open.pop().unwrap();
            open.last_mut().unwrap().children.push(node);
        }
    }
}

fn element(reader: &NsReader<&[u8]>, start: &BytesStart<'_>) -> Tree {
    let resolver = reader.resolver();
    let (namespace, local) = resolver.resolve_element(start.name());
    let attributes = start.attributes().map(|attribute| {
        let (namespace, local) = resolver.resolve_attribute(attribute.unwrap().key);
        expanded(&namespace, local.as_ref())
    });
    Tree { name: expanded(&namespace, local.as_ref()), attributes: attributes.collect(), children: Vec::new() }
}

/// How many elements or attributes of the tree are at a path.
fn count(tree: &Tree, path: &[String]) -> usize {
    match path {
        [] => 1,
        [last] if last.starts_with('@') => tree.attributes.iter().filter(|name| **name == last[1..]).count(),
        [first, rest @ ..] => {
            tree.children.iter().filter(|child| child.name == *first).map(|child| count(child, rest)).sum()
        }
    }
}

proptest! {
    #[test]
    fn a_tree_has_the_same_fields(document in document()) {
        let selectors = several();
        let watch = Watch::default();
        rewrite(document.as_bytes(), &selectors, &watch, 1).unwrap();
        let seen = watch.0.into_inner().unwrap();
        let tree = tree(document.trim_start_matches('\u{FEFF}'));
        for (field, path) in [
            ("a", "a"), ("b", "b"), ("n:c", "{urn:n}c"), ("d/a", "d/a"), ("@x", "@x"), ("b/@y", "b/@y"),
        ] {
            // A namespace has no slash here.
            let path: Vec<String> = ["r", "p"].into_iter().chain(path.split('/')).map(str::to_owned).collect();
            // A sealed attribute of a field is called `a/@y[1]` or `a[2]/@y[1]`.
            let of = |place: &str| {
                let name = place.strip_prefix("t 7 ").unwrap_or_default();
                name == field || name.strip_prefix(field).is_some_and(|rest| rest.starts_with('[') && !rest.contains('@'))
            };
            let found = seen.iter().filter(|(place, _)| of(place)).count();
            prop_assert_eq!(found, count(&tree, &path), "{}", field);
        }
    }
}

#[test]
fn names_are_compared_with_their_namespaces_and_not_with_their_prefixes() {
    let selectors = selectors_of(&[("t", "/n:r/n:p", "@n:id", &["n:a", "b", "n:a/@n:x", "n:a/@x"])]);
    let of = |place: &str, content: &str| (place.to_owned(), format!("text {content}"));
    let expected = [of("t 5 n:a/@n:x", "1"), of("t 5 n:a/@x", "2"), of("t 5 n:a", "3"), of("t 5 b", "4")];
    for document in [
        "<n:r xmlns:n='urn:n'><n:p n:id='5'><n:a n:x='1' x='2'>3</n:a><b>4</b></n:p></n:r>",
        "<r xmlns='urn:n' xmlns:q='urn:n'><p q:id='5'><a q:x='1' x='2'>3</a><b xmlns=''>4</b><n:a xmlns:n='urn:other'>0</n:a></p></r>",
        "<z:r xmlns:z='urn:&#110;'><y:p xmlns:y='urn:n' y:id='5'><z:a y:x='1' x='2'>3</z:a><y:b>0</y:b><b>4</b></y:p></z:r>",
    ] {
        assert_eq!(seen(document, &selectors), expected, "{document}");
    }
    for document in ["<r><p><a>0</a></p></r>", "<n:r xmlns:n='urn:o'><n:p n:id='5'><n:a>0</n:a></n:p></n:r>"] {
        assert_eq!(seen(document, &selectors), [], "{document}");
    }
}

#[test]
fn records_and_fields_are_where_their_paths_say_and_nowhere_else() {
    let document = "<r><q><p id='1'><a>0</a></p></q><p id='2'><x><a>0</a></x><a>1</a></p><a>0</a></r>";
    assert_eq!(seen(document, &selectors(&["a"])), [("t 2 a".to_owned(), "text 1".to_owned())]);
    assert_eq!(seen("<p id='1'><a>0</a></p>", &selectors(&["a"])), []);
    let own = selectors_of(&[("t", "/r/p", "@id", &["."])]);
    assert_eq!(seen("<r><p id='1'>x</p></r>", &own), [("t 1 .".to_owned(), "text x".to_owned())]);
}
