//! Walking through elements: checks that they are well formed and notes what selectors name.

mod blame;
mod directions;
mod sealed;

use super::error::{Fault, Problem};
use super::find::{Called, Find, Record, Span};
use super::limits::{DEEPEST, LONGEST_PATH, LONGEST_SCOPE, MOST_FIELDS};
use super::name;
use super::plan::{Node, NodeId, Selectors};
use super::reading::is_blank;
use super::scope::Scope;
use super::tag::{self, Attribute};
use super::text::{is_space, unescaped};
use crate::shown::plain;
use directions::tells_how_to_read;
use sealed::may_be_sealed;

/// An element whose end tag has not come yet.
#[derive(Debug, Clone, Copy)]
struct Open {
    /// Where its name begins among the names.
    name: usize,
    node: NodeId,
    /// How many namespaces were in force outside it.
    scope: usize,
    /// Its places in the text; no place if it began in an earlier text.
    places: Option<Places>,
    /// Its own finds, from and to: their ends are not known yet.
    finds: (usize, usize),
    /// How many records it is.
    records: usize,
    has_children: bool,
    /// Whether it is called like a sealed value.
    is_marker: bool,
    /// Whether it is inside such an element, or one itself.
    is_within: bool,
    marker: Child,
}

/// The child of an open element that is called like a sealed value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Child {
    None,
    /// From and to where the only child is so far. Whether it is alone is not known yet.
    Only(usize, usize),
    /// There is more beside it, and it was noted.
    Noted,
}

#[derive(Debug, Clone, Copy)]
struct Places {
    open: usize,
    close: usize,
    inner: usize,
}

/// What surrounds a piece of a document that is walked through on its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Surroundings {
    pub(super) node: NodeId,
    pub(super) depth: usize,
    pub(super) scope: Scope,
}

impl Surroundings {
    /// Of a document.
    pub(super) fn none() -> Self {
        Self { node: NodeId::DOCUMENT, depth: 0, scope: Scope::default() }
    }

    /// Of something that may stand anywhere.
    pub(super) fn any() -> Self {
        Self { node: NodeId::NOWHERE, depth: 0, scope: Scope::any() }
    }
}

/// The state of a walk. All places are bytes of the text that is handed to each call.
#[derive(Debug)]
pub(super) struct Walker<'p> {
    plan: &'p Selectors,
    outer: NodeId,
    depth: usize,
    scope: Scope,
    names: String,
    open: Vec<Open>,
    attributes: Vec<Attribute>,
    /// The last tag of a sealed value: mostly the next one is the same, and was checked with it.
    marker_tag: String,
    /// Whether elements and attributes are noted that a person would take for a field.
    looks_for_namesakes: bool,
    /// The records that are open, innermost last.
    within: Vec<usize>,
    /// In the order of their beginnings.
    pub(super) records: Vec<Record>,
    /// Mostly in the order of their beginnings.
    pub(super) finds: Vec<Find>,
}

impl<'p> Walker<'p> {
    pub(super) fn new(plan: &'p Selectors) -> Self {
        let Surroundings { node: outer, depth, scope } = Surroundings::none();
        Self {
            plan,
            outer,
            depth,
            scope,
            names: String::new(),
            open: Vec::new(),
            attributes: Vec::new(),
            marker_tag: String::new(),
            looks_for_namesakes: false,
            within: Vec::new(),
            records: Vec::new(),
            finds: Vec::new(),
        }
    }

    /// Notes elements and attributes that a person would take for a field, too.
    pub(super) fn looking_for_namesakes(mut self, looks: bool) -> Self {
        self.looks_for_namesakes = looks;
        self
    }

    /// Begins anew.
    pub(super) fn enter(&mut self, surroundings: &Surroundings) {
        self.outer = surroundings.node;
        self.depth = surroundings.depth;
        self.scope.clone_from(&surroundings.scope);
        self.names.clear();
        self.open.clear();
        self.within.clear();
        self.records.clear();
        self.finds.clear();
    }

    /// Takes a start tag, or one that is an end tag as well.
    pub(super) fn start(&mut self, text: &str, at: usize, end: usize, empty: bool) -> Result<(), Fault> {
        let close = end - if empty { 2 } else { 1 };
        let tag = &text[at + 1..close];
        let scope = self.scope.mark();
        let (node, length) = self.look(tag).map_err(|fault| fault.shifted(at + 1))?;
        let is_marker = tag[..length] == *self.plan.element() || self.is_prefixed_marker(tag, &tag[..length]);
        if self.depth + self.open.len() >= DEEPEST + usize::from(is_marker) {
            return Err(Fault::new(at, Problem::Deep));
        }
        if self.names.len() + length > LONGEST_SCOPE {
            return Err(Fault::new(at, Problem::LargeScope));
        }
        if self.looks_for_namesakes && node == NodeId::NOWHERE && !is_marker {
            self.note_namesake(&tag[..length], at)?;
        }
        self.begin_child()?;
        let plan = self.plan;
        let known = plan.at(node);
        for selector in &known.records {
            if self.records.len() == MOST_FIELDS {
                return Err(Fault::new(at, Problem::ManyFields));
            }
            self.within.push(self.records.len());
            self.records.push(Record { selector: *selector, range: at..end, key: None, has_two_keys: false });
        }
        let name = self.names.len();
        self.names.push_str(&tag[..length]);
        let places = Some(Places { open: at, close, inner: end });
        let records = known.records.len();
        // A root is nobody's value.
        let is_within = self.open.last().is_some_and(|parent| parent.is_within || is_marker);
        self.open.push(Open {
            name,
            node,
            scope,
            places,
            finds: (0, 0),
            records,
            has_children: false,
            is_marker,
            is_within,
            marker: Child::None,
        });
        if !self.attributes.is_empty() {
            let attributes = std::mem::take(&mut self.attributes);
            let taken = self.values(text, at + 1, &attributes, known);
            self.attributes = attributes;
            taken?;
        }
        let first = self.finds.len();
        for field in &known.content.fields {
            self.find(
                Called::Selected(*field),
                Span::Content { open: at, close, inner: end..end, end, empty, is_text: true },
            )?;
        }
        if let Some(open) = self.open.last_mut() {
            open.finds = (first, self.finds.len());
        }
        if empty { self.leave(text, end, end, true) } else { Ok(()) }
    }

    /// Takes note of an element that no path leads to, if a person would take it for one.
    fn note_namesake(&mut self, name: &str, at: usize) -> Result<(), Fault> {
        let parent = self.open.last().map_or(self.outer, |open| open.node);
        let (prefix, local) = name::parts(name);
        let fields = self.plan.namesake(self.plan.at(parent), local, || self.scope.resolve(prefix).ok());
        if fields.is_empty() {
            return Ok(());
        }
        self.find(Called::Namesake(fields), Span::Element { range: at..at, parent: None })
    }

    /// Takes the namespaces of a tag into force and looks its element up; also tells how long its name is.
    pub(super) fn look(&mut self, tag: &str) -> Result<(NodeId, usize), Fault> {
        let parent = self.open.last().map_or(self.outer, |open| open.node);
        if tag == self.marker_tag && !tag.is_empty() {
            self.attributes.clear();
            let element = self.plan.element();
            let node = self.plan.child(parent, "", element, &self.scope).map_err(|problem| Fault::new(0, problem))?;
            return Ok((node, element.len()));
        }
        let length = tag::name_length(tag);
        let (prefix, local) = name::split(&tag[..length]).map_err(|problem| Fault::new(0, problem))?;
        tag::attributes(tag, &mut self.attributes)?;
        if !self.attributes.is_empty() {
            tag::declare(tag, &self.attributes, &mut self.scope)?;
        }
        if tag[..length] == *self.plan.element() {
            // Nobody looks at these attributes here, unless they declare namespaces or use them.
            if !self.attributes.iter().any(|one| needs_namespaces(&tag[one.name.clone()])) {
                self.marker_tag.clear();
                self.marker_tag.push_str(tag);
            }
            self.attributes.clear();
        }
        let node = self.plan.child(parent, prefix, local, &self.scope).map_err(|problem| Fault::new(0, problem))?;
        Ok((node, length))
    }

    /// Looks up whether a tag begins a record, without entering its element.
    pub(super) fn begins_record(&mut self, tag: &str) -> Result<bool, Fault> {
        let mark = self.scope.mark();
        let looked = self.look(tag);
        self.scope.restore(mark);
        looked.map(|(node, _)| !self.plan.at(node).records.is_empty())
    }

    fn values(&mut self, text: &str, offset: usize, attributes: &[Attribute], node: &Node) -> Result<(), Fault> {
        let known = &node.attributes;
        for attribute in attributes {
            let inner = attribute.value.start + offset..attribute.value.end + offset;
            let name = &text[attribute.name.start + offset..attribute.name.end + offset];
            let span = Span::Value { inner: inner.clone(), quote: attribute.quote };
            let (prefix, local) = name::parts(name);
            let meaning = known
                .iter()
                .filter(|(known, _)| known.local == local)
                .find(|(known, _)| {
                    let namespace = self.scope.resolve_attribute(prefix);
                    namespace.is_ok_and(|namespace| name::is_same(namespace, &known.namespace))
                })
                .map(|(_, meaning)| meaning);
            for selector in meaning.iter().flat_map(|meaning| &meaning.keys) {
                self.key(*selector, &span);
            }
            for field in meaning.iter().flat_map(|meaning| &meaning.fields) {
                self.find(Called::Selected(*field), span.clone())?;
            }
            let declares = prefix == "xmlns" || (prefix.is_empty() && local == "xmlns");
            let is_none = declares && unescaped(&text[inner.clone()]).contains(char::is_whitespace);
            if is_none && self.looks_for_namesakes && !node.content.fields.is_empty() {
                return Err(Fault::new(inner.start, Problem::NoNamespace));
            }
            // Whoever names an element means its attributes, too, unless they have a meaning of their own.
            if let (None, Some(namespace)) = (meaning, self.of_content(prefix, local, &text[inner.clone()], node)) {
                for field in &node.content.fields {
                    self.find(Called::Attribute(*field, called(local, &namespace)), span.clone())?;
                }
                continue;
            }
            if self.looks_for_namesakes && meaning.is_none() && prefix != "xmlns" {
                let is_of_xml = |found: &str| found == name::XML && matches!(local, "lang" | "space" | "base" | "id");
                let namespace = || self.scope.resolve_attribute(prefix).ok().filter(|found| !is_of_xml(found));
                let fields = self.plan.namesake(node, local, namespace);
                if !fields.is_empty() {
                    self.find(
                        Called::Namesake(fields),
                        Span::Element { range: inner.start..inner.start, parent: None },
                    )?;
                }
            }
            if meaning.is_none_or(|meaning| meaning.fields.is_empty())
                && may_be_sealed(&text[inner], self.plan.element())
            {
                let path = format!("{}/@{name}", self.path(self.open.len()));
                self.find(Called::Unselected(path.into()), span)?;
            }
        }
        Ok(())
    }

    /// The namespace of an attribute if it belongs to what its element holds, and the element is a field: no declaration of a namespace, and
    /// nothing that only tells programs how to read the element.
    fn of_content(&self, prefix: &str, local: &str, value: &str, node: &Node) -> Option<String> {
        if node.content.fields.is_empty() || prefix == "xmlns" || (prefix.is_empty() && local == "xmlns") {
            return None;
        }
        let namespace = self.scope.resolve_attribute(prefix).ok()?;
        (!tells_how_to_read(namespace, local, value)).then(|| namespace.to_owned())
    }

    /// Takes an end tag.
    pub(super) fn end(&mut self, text: &str, at: usize, end: usize) -> Result<(), Fault> {
        let name = text[at + 2..end - 1].trim_end_matches([' ', '\t', '\n', '\r']);
        let Some(open) = self.open.last() else { return Err(Fault::new(at, Problem::UnmatchedEnd(plain(name)))) };
        let expected = &self.names[open.name..];
        if name != expected {
            name::split(name).map_err(|_| Fault::new(at, Problem::EndTag))?;
            return Err(Fault::new(at, Problem::MismatchedEnd { expected: plain(expected), found: plain(name) }));
        }
        self.leave(text, at, end, false)
    }

    /// Ends the innermost element, whose content ends at `inner_end` and whose end tag ends at `end`.
    fn leave(&mut self, text: &str, inner_end: usize, end: usize, empty: bool) -> Result<(), Fault> {
        let Some(&open) = self.open.last() else { return Ok(()) };
        if let Some(Places { open: start, close, inner }) = open.places {
            // Alone in its element, a sealed value is that element's value, with the white space and the comments around it.
            let is_alone = match open.marker {
                Child::None => None,
                Child::Only(from, to) => {
                    let parts = [&text[inner..from], &text[to..inner_end]];
                    Some(parts.iter().all(|part| part.bytes().all(is_space) || is_blank(part)))
                }
                Child::Noted => Some(false),
            };
            let is_text = !open.has_children || is_alone == Some(false);
            let span = Span::Content { open: start, close, inner: inner..inner_end, end, empty, is_text };
            for find in &mut self.finds[open.finds.0..open.finds.1] {
                find.span = span.clone();
            }
            let plan = self.plan;
            let known = plan.at(open.node);
            for selector in &known.content.keys {
                self.key(*selector, &span);
            }
            self.look_for_sealed(text, &open, span, is_alone, known.content.fields.is_empty())?;
        }
        for _ in 0..open.records {
            if let Some(record) = self.within.pop() {
                self.records[record].range.end = end;
            }
        }
        self.names.truncate(open.name);
        self.scope.restore(open.scope);
        self.open.pop();
        match open.places {
            Some(places) if open.is_marker => self.marker(places.open, end),
            _ => Ok(()),
        }
    }

    fn find(&mut self, called: Called, span: Span) -> Result<(), Fault> {
        if self.finds.len() == MOST_FIELDS {
            return Err(Fault::new(span.start(), Problem::ManyFields));
        }
        let record = match &called {
            Called::Selected(field) | Called::Attribute(field, _) => self.record_of(field.selector),
            Called::Namesake(fields) => fields.first().and_then(|field| self.record_of(field.selector)),
            Called::Unselected(_) => self.within.last().copied(),
        };
        self.finds.push(Find { record, called, span });
        Ok(())
    }

    fn key(&mut self, selector: usize, span: &Span) {
        if let Some(record) = self.record_of(selector) {
            let record = &mut self.records[record];
            record.has_two_keys |= record.key.is_some();
            record.key = Some(span.clone());
        }
    }

    fn record_of(&self, selector: usize) -> Option<usize> {
        self.within.iter().rev().copied().find(|record| self.records[*record].selector == selector)
    }

    /// The path of the innermost of the first `depth` open elements: `./a/b` from its record on, or else `/r/a` from the document
    /// on. No selected field is called like that, so that nothing opens here that was sealed elsewhere. Of a long path only the end
    /// is told, since each of many sealed values has its own.
    fn path(&self, depth: usize) -> String {
        let record = self.open[..depth].iter().rposition(|open| open.records > 0);
        let mut path = if record.is_some() { ".".to_owned() } else { String::new() };
        let first = record.map_or(0, |record| record + 1);
        let end_of = |at: usize| self.open.get(at + 1).map_or(self.names.len(), |next| next.name);
        let (mut from, mut length) = (depth, 0);
        while from > first && length <= LONGEST_PATH {
            from -= 1;
            length += 1 + end_of(from) - self.open[from].name;
        }
        let mut skipped = length.saturating_sub(LONGEST_PATH);
        if skipped > 0 {
            path.push_str("/...");
        }
        for at in from..depth {
            let name = &self.names[self.open[at].name..end_of(at)];
            let start =
                (skipped.min(name.len())..=name.len()).find(|at| name.is_char_boundary(*at)).unwrap_or_default();
            skipped = 0;
            path.push('/');
            path.push_str(&name[start..]);
        }
        path
    }

    /// What surrounds the next element.
    pub(super) fn surroundings(&self) -> Surroundings {
        Surroundings {
            node: self.open.last().map_or(self.outer, |open| open.node),
            depth: self.depth + self.open.len(),
            scope: self.scope.clone(),
        }
    }

    /// Whether no element is open.
    pub(super) fn is_outside(&self) -> bool {
        self.open.is_empty()
    }

    /// Whether the document may be cut here: the innermost open element is known to have other content than a text or a sealed value,
    /// and is not inside one.
    pub(super) fn is_between(&self) -> bool {
        let is_only = |marker| matches!(marker, Child::Only(..));
        self.open.last().is_none_or(|open| open.has_children && !is_only(open.marker) && !open.is_within)
    }

    /// The name of the innermost open element.
    pub(super) fn innermost(&self) -> &str {
        self.open.last().map_or("", |open| &self.names[open.name..])
    }

    /// Gives the finds away and goes on in another text: elements that are open now began in one that is gone.
    pub(super) fn turn_over(&mut self) -> Vec<Find> {
        for open in &mut self.open {
            *open = Open { places: None, finds: (0, 0), ..*open };
        }
        let mut finds = std::mem::take(&mut self.finds);
        finds.sort_by_key(|find| find.span.start());
        finds
    }
}

/// What an attribute of a field is called, whatever prefix the document uses. Of a long namespace only the end is told.
fn called(local: &str, namespace: &str) -> Box<str> {
    if namespace.is_empty() {
        return local.into();
    }
    let from = namespace.len().saturating_sub(LONGEST_PATH);
    let from = (from..namespace.len()).find(|at| namespace.is_char_boundary(*at)).unwrap_or(from);
    format!("{local}{{{}}}", &namespace[from..]).into()
}

fn needs_namespaces(name: &str) -> bool {
    name == "xmlns" || name.contains(':')
}
