//! Selectors made ready for looking up element after element.

use super::error::Problem;
use super::name::{self, ExpandedName};
use super::scope::Scope;
use super::selector::{Field, Path, Selector, SelectorError};
use crate::xml_text::is_simple_name;

/// A field: the numbers of its selector and of the field in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FieldId {
    pub(super) selector: usize,
    pub(super) field: usize,
}

/// The selectors of all policies that concern one document, and the name of the element around sealed values.
///
/// ```
/// use tamis_ucrypt::document::xml::{Field, Namespaces, Path, Selector, Selectors};
/// let none = Namespaces::new();
/// let selector = Selector {
///     table: "patients".into(),
///     record: Path::absolute("/patients/patient", &none)?,
///     key: Some(Path::relative("@id", &none)?),
///     fields: vec![Field { name: "Disease".into(), path: Path::relative("disease", &none)? }],
/// };
/// let selectors = Selectors::new("UCRYPT", [selector])?;
/// # Ok::<(), tamis_ucrypt::document::xml::SelectorError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Selectors {
    element: String,
    tables: Vec<Selector>,
    /// A tree of all paths; the first node is the document.
    nodes: Vec<Node>,
    most_fields: usize,
}

/// A place in the tree of paths, or nowhere in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NodeId(u32);

impl NodeId {
    pub(super) const DOCUMENT: Self = Self(0);
    pub(super) const NOWHERE: Self = Self(u32::MAX);
}

/// What the selectors say about an element or an attribute.
#[derive(Debug, Clone, Default)]
pub(super) struct Meaning {
    /// It is the key of the records of these selectors.
    pub(super) keys: Vec<usize>,
    /// It is these fields.
    pub(super) fields: Vec<FieldId>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Node {
    children: Vec<Child>,
    /// It is a record of these selectors.
    pub(super) records: Vec<usize>,
    pub(super) content: Meaning,
    pub(super) attributes: Vec<(ExpandedName, Meaning)>,
    /// Fields whose names, as the policy calls them, may be taken for those of elements or attributes here.
    called: Vec<FieldId>,
}

impl Node {
    /// Whether no path goes on from here.
    pub(super) fn is_last(&self) -> bool {
        self.children.is_empty()
    }
}

#[derive(Debug, Clone)]
struct Child {
    /// Of the local name.
    print: u64,
    name: ExpandedName,
    node: NodeId,
}

static NOTHING: Node = Node {
    children: Vec::new(),
    records: Vec::new(),
    content: Meaning { keys: Vec::new(), fields: Vec::new() },
    attributes: Vec::new(),
    called: Vec::new(),
};

impl Selectors {
    /// Checks the selectors and makes them ready. Selectors of the same records in the same table are joined.
    pub fn new(element: &str, selectors: impl IntoIterator<Item = Selector>) -> Result<Self, SelectorError> {
        if !is_simple_name(element) {
            return Err(SelectorError::Element(element.to_owned()));
        }
        let mut plan =
            Self { element: element.to_owned(), tables: Vec::new(), nodes: vec![Node::default()], most_fields: 0 };
        for selector in selectors {
            plan.join(selector)?;
        }
        for number in 0..plan.tables.len() {
            plan.plant(number);
        }
        plan.most_fields = plan.tables.iter().map(|selector| selector.fields.len()).max().unwrap_or_default();
        Ok(plan)
    }

    /// Refuses a field that holds the key of the records of another table: sealed, it would keep that table from being read.
    pub fn refuse_lost_keys(&self) -> Result<(), SelectorError> {
        for (number, Selector { table, record, fields, .. }) in self.tables.iter().enumerate() {
            for Field { name, path } in fields {
                let field = record.then(path);
                let others = self.tables.iter().enumerate().filter(|(other, _)| *other != number);
                let mut keys = others.filter_map(|(_, other)| Some((other, other.record.then(other.key.as_ref()?))));
                let holds = |key: &Path| match field.attribute {
                    Some(_) => field == *key,
                    None => key.elements.starts_with(&field.elements),
                };
                if let Some((other, _)) = keys.find(|(_, key)| holds(key)) {
                    let (table, field, other) = (table.clone(), name.clone(), other.table.clone());
                    return Err(SelectorError::KeyOfOther { table, field, other });
                }
            }
        }
        Ok(())
    }

    /// Whether an element of this name, somewhere, could be a record, a field or what a field is an attribute of.
    pub(super) fn names_element(&self, local: &str) -> bool {
        let is_last = |path: &Path| path.elements.last().is_some_and(|name| name::is_alike(&name.local, local));
        self.tables.iter().any(|table| is_last(&table.record) || table.fields.iter().any(|field| is_last(&field.path)))
    }

    /// The same of an attribute, which a person may also take for an element.
    pub(super) fn names_field(&self, local: &str) -> bool {
        let is_last = |path: &Path| {
            let last = path.attribute.as_ref().or(path.elements.last());
            last.is_some_and(|name| name::is_alike(&name.local, local))
        };
        self.tables.iter().any(|table| table.fields.iter().any(|field| is_last(&field.path)))
    }

    /// The name of the element around sealed values.
    pub fn element(&self) -> &str {
        &self.element
    }

    fn join(&mut self, selector: Selector) -> Result<(), SelectorError> {
        let Selector { table, record, key, fields } = selector;
        let same = |other: &Selector| other.table == table && other.record == record && other.key == key;
        let number = self.tables.iter().position(same).unwrap_or_else(|| {
            self.tables.push(Selector { table: table.clone(), record, key: key.clone(), fields: Vec::new() });
            self.tables.len() - 1
        });
        let joined = &mut self.tables[number].fields;
        for field in fields {
            if key.as_ref().is_some_and(|key| holds(&field.path, key)) {
                return Err(SelectorError::KeyInside { table, field: field.name });
            }
            match joined.iter().find(|other| other.name == field.name) {
                None => joined.push(field),
                Some(other) if *other == field => {}
                Some(_) => return Err(SelectorError::Repeated { table, field: field.name }),
            }
        }
        Ok(())
    }

    fn plant(&mut self, number: usize) {
        let Selector { record, key, fields, .. } = self.tables[number].clone();
        let root = self.node(NodeId::DOCUMENT, &record);
        self.nodes[root.0 as usize].records.push(number);
        if let Some(key) = key {
            self.meaning(root, &key).keys.push(number);
        }
        for (field, Field { name, path }) in fields.iter().enumerate() {
            let id = FieldId { selector: number, field };
            self.meaning(root, path).fields.push(id);
            let last = path.attribute.as_ref().or(path.elements.last());
            if last.is_some_and(|last| name::is_alike(&last.local, name)) {
                continue;
            }
            // In the record, and beside the place that the path leads to.
            let around = path.elements.len() - usize::from(path.attribute.is_none() && !path.elements.is_empty());
            let beside = path.elements[..around].to_vec();
            let beside = self.node(root, &Path { elements: beside, attribute: None });
            for node in [root, beside] {
                let called = &mut self.nodes[node.0 as usize].called;
                if !called.contains(&id) {
                    called.push(id);
                }
            }
        }
    }

    fn node(&mut self, from: NodeId, path: &Path) -> NodeId {
        path.elements.iter().fold(from, |node, name| {
            let known = self.at(node).children.iter().find(|child| child.name == *name).map(|child| child.node);
            known.unwrap_or_else(|| {
                let new = NodeId(self.nodes.len() as u32);
                self.nodes.push(Node::default());
                let child = Child { print: name::print(&name.local), name: name.clone(), node: new };
                self.nodes[node.0 as usize].children.push(child);
                new
            })
        })
    }

    fn meaning(&mut self, from: NodeId, path: &Path) -> &mut Meaning {
        let node = self.node(from, path);
        let node = &mut self.nodes[node.0 as usize];
        let Some(attribute) = &path.attribute else { return &mut node.content };
        let known = node.attributes.iter().position(|(name, _)| name == attribute);
        let at = known.unwrap_or_else(|| {
            node.attributes.push((attribute.clone(), Meaning::default()));
            node.attributes.len() - 1
        });
        &mut node.attributes[at].1
    }

    pub(super) fn at(&self, node: NodeId) -> &Node {
        self.nodes.get(node.0 as usize).unwrap_or(&NOTHING)
    }

    pub(super) fn selector(&self, number: usize) -> &Selector {
        &self.tables[number]
    }

    /// The number of fields of the selector that has the most.
    pub(super) fn most_fields(&self) -> usize {
        self.most_fields
    }

    /// The fields that a person would look for in an element or attribute of this one that no path leads to: called like one that a path
    /// leads to but for its case, or in a namespace where that is in none or the other way round, or an attribute instead of an element,
    /// or called like the field is in the policy.
    pub(super) fn namesake<'s>(
        &self,
        node: &Node,
        local: &str,
        namespace: impl FnOnce() -> Option<&'s str>,
    ) -> Box<[FieldId]> {
        let is_alike = |name: &ExpandedName| name::is_alike(&name.local, local);
        let mut children = node.children.iter().filter(|child| is_alike(&child.name)).peekable();
        let mut attributes = node.attributes.iter().filter(|(name, _)| is_alike(name)).peekable();
        let name_of = |id: &FieldId| self.tables[id.selector].fields[id.field].name.as_str();
        let mut called = node.called.iter().filter(|id| name::is_alike(name_of(id), local)).peekable();
        let mut fields = Vec::new();
        if (children.peek().is_some() || attributes.peek().is_some() || called.peek().is_some())
            && let Some(namespace) = namespace()
        {
            let may_be_meant = |name: &ExpandedName| name::may_be_meant(&name.namespace, namespace);
            for child in children.filter(|child| may_be_meant(&child.name)) {
                self.fields_below(child.node, &mut fields);
            }
            let attributes = attributes.filter(|(name, _)| may_be_meant(name));
            fields.extend(attributes.flat_map(|(_, meaning)| &meaning.fields));
            fields.extend(called.filter(|_| namespace != name::XSI));
        }
        fields.into()
    }

    /// The fields that an element is, has as attributes or holds.
    fn fields_below(&self, node: NodeId, fields: &mut Vec<FieldId>) {
        let Node { children, content, attributes, .. } = self.at(node);
        let attributes = attributes.iter().map(|(_, meaning)| meaning);
        fields.extend(attributes.chain([content]).flat_map(|meaning| &meaning.fields));
        for child in children {
            self.fields_below(child.node, fields);
        }
    }

    /// The place of a child element, whose prefix is checked on the way.
    pub(super) fn child(&self, node: NodeId, prefix: &str, local: &str, scope: &Scope) -> Result<NodeId, Problem> {
        let children = &self.at(node).children;
        if prefix.is_empty() && children.is_empty() {
            return Ok(NodeId::NOWHERE);
        }
        let print = name::print(local);
        // No name has a byte of zero, so that shorter ones are told by their prints.
        let is_named = |child: &&Child| child.print == print && (local.len() < 8 || child.name.local == local);
        let mut named = children.iter().filter(is_named).peekable();
        if prefix.is_empty() && named.peek().is_none() {
            return Ok(NodeId::NOWHERE);
        }
        let namespace = scope.resolve(prefix)?;
        Ok(named
            .find(|child| name::is_same(&child.name.namespace, namespace))
            .map_or(NodeId::NOWHERE, |child| child.node))
    }
}

/// Whether sealing the field would seal the key.
fn holds(field: &Path, key: &Path) -> bool {
    match &field.attribute {
        Some(_) => field == key,
        None => {
            key.elements.starts_with(&field.elements)
                && (key.attribute.is_none() || key.elements.len() > field.elements.len())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::selector::Namespaces;
    use super::*;

    fn selector(table: &str, key: &str, fields: &[(&str, &str)]) -> Selector {
        let none = Namespaces::new();
        Selector {
            table: table.into(),
            record: Path::absolute("/a/b", &none).unwrap(),
            key: Some(Path::relative(key, &none).unwrap()),
            fields: fields
                .iter()
                .map(|(name, path)| Field { name: (*name).into(), path: Path::relative(path, &none).unwrap() })
                .collect(),
        }
    }

    #[test]
    fn a_field_that_would_seal_the_key_is_refused() {
        for (key, field) in [("id", "id"), ("@id", "@id"), ("head/id", "head"), ("head/@id", "."), ("id", ".")] {
            let refused = Selectors::new("UCRYPT", [selector("t", key, &[("f", field)])]);
            assert!(matches!(refused, Err(SelectorError::KeyInside { .. })), "{key} {field}");
        }
        for (key, field) in [("@id", "."), ("f/@id", "f"), ("id", "@id"), ("head/id", "head/other")] {
            assert!(Selectors::new("UCRYPT", [selector("t", key, &[("f", field)])]).is_ok(), "{key} {field}");
        }
    }

    #[test]
    fn the_same_records_of_two_policies_are_joined() {
        let plan = Selectors::new(
            "UCRYPT",
            [selector("t", "@id", &[("f", "f")]), selector("t", "@id", &[("f", "f"), ("g", "g")])],
        );
        assert_eq!(plan.unwrap().tables, [selector("t", "@id", &[("f", "f"), ("g", "g")])]);
        let bent = Selectors::new("UCRYPT", [selector("t", "@id", &[("f", "f")]), selector("t", "@id", &[("f", "g")])]);
        assert!(matches!(bent, Err(SelectorError::Repeated { .. })));
    }

    #[test]
    fn the_element_of_sealed_values_needs_a_name() {
        assert!(Selectors::new("ZASTRZEŻONE", []).is_ok());
        for element in ["", "a:b", "a b", "1", "<UCRYPT"] {
            assert!(matches!(Selectors::new(element, []), Err(SelectorError::Element(_))), "{element}");
        }
    }
}
