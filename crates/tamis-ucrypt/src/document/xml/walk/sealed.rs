//! What looks like a sealed value.

use memchr::{memchr2, memmem};

use crate::document::xml::error::Fault;
use crate::document::xml::find::{Called, Span};
use crate::document::xml::reading::OwnText;

use super::{Child, Open, Walker};

impl Walker<'_> {
    /// Takes a whole element at once that has the same tags as the last sealed value and nothing but a plain text between them:
    /// most sealed values are of this kind. Returns where it ends.
    pub(in crate::document::xml) fn another_marker(&mut self, text: &str, at: usize) -> Option<usize> {
        let rest = text[at..].strip_prefix('<')?.strip_prefix(self.marker_tag.as_str())?.strip_prefix('>')?;
        let parent = self.open.last_mut().filter(|open| open.places.is_some() && open.marker == Child::None)?;
        let body = memchr2(b'<', b'&', rest.as_bytes())?;
        let behind = rest[body..].strip_prefix("</")?.strip_prefix(self.plan.element())?.strip_prefix('>')?;
        // A selector may name the element itself, or one in it.
        if self.marker_tag.is_empty() || !self.plan.at(parent.node).is_last() {
            return None;
        }
        let end = text.len() - behind.len();
        parent.has_children = true;
        parent.marker = Child::Only(at, end);
        Some(end)
    }

    /// Whether a tag whose attributes were just read is that of a sealed value to which a program gave a prefix.
    pub(super) fn is_prefixed_marker(&self, tag: &str, name: &str) -> bool {
        let has = |wanted: &str| self.attributes.iter().any(|one| tag[one.name.clone()] == *wanted);
        let prefix = name.strip_suffix(self.plan.element()).and_then(|prefix| prefix.strip_suffix(':'));
        prefix.is_some() && has("v") && has("pol")
    }

    /// Notes a child of the innermost element that is called like a sealed value.
    pub(super) fn marker(&mut self, start: usize, end: usize) -> Result<(), Fault> {
        match self.open.last_mut() {
            Some(parent) if parent.places.is_some() && parent.marker == Child::None => {
                parent.marker = Child::Only(start, end);
                Ok(())
            }
            _ => self.beside(start, end),
        }
    }

    /// The innermost element gets one more child: what was noted in it is not alone.
    pub(in crate::document::xml) fn begin_child(&mut self) -> Result<(), Fault> {
        let Some(parent) = self.open.last_mut() else { return Ok(()) };
        parent.has_children = true;
        if let Child::Only(start, end) = parent.marker {
            parent.marker = Child::Noted;
            self.beside(start, end)?;
        }
        Ok(())
    }

    /// Notes part of the innermost element that has other content beside it.
    fn beside(&mut self, start: usize, end: usize) -> Result<(), Fault> {
        let parent = self.open.last().and_then(|parent| parent.places).map(|places| places.open);
        let span = Span::Element { range: start..end, parent };
        self.find(Called::Unselected(self.path(self.open.len()).into()), span)
    }

    /// Notes what looks like a sealed value in an element, unless it is all of an element that a selector names anyway.
    pub(super) fn look_for_sealed(
        &mut self,
        text: &str,
        open: &Open,
        span: Span,
        is_alone: Option<bool>,
        unselected: bool,
    ) -> Result<(), Fault> {
        let Span::Content { inner, .. } = &span else { return Ok(()) };
        if let Some(is_alone) = is_alone {
            match open.marker {
                Child::Only(..) if is_alone && unselected => {
                    self.find(Called::Unselected(self.path(self.open.len()).into()), span)
                }
                Child::Only(start, end) if !is_alone => self.beside(start, end),
                _ => Ok(()),
            }
        } else if unselected
            && !open.has_children
            && !open.is_marker
            && may_be_sealed(&text[inner.clone()], self.plan.element())
        {
            self.find(Called::Unselected(self.path(self.open.len()).into()), span)
        } else {
            Ok(())
        }
    }
}

/// Whether a text that is not looked at otherwise may hold a sealed value in its escaped form or in CDATA.
pub(super) fn may_be_sealed(raw: &str, element: &str) -> bool {
    // Nearly every text has neither.
    if memchr2(b'&', b'<', raw.as_bytes()).is_none() {
        return false;
    }
    // Without any of these there is no angle bracket in it.
    if !["lt;", "&#", "<![CDATA["].iter().any(|less| memmem::find(raw.as_bytes(), less.as_bytes()).is_some()) {
        return false;
    }
    let own = OwnText::of(raw);
    memmem::find_iter(own.text.as_bytes(), element)
        .any(|at| at > 0 && matches!(own.text.as_bytes()[at - 1], b'<' | b';'))
}
