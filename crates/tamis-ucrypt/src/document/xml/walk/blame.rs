//! Saying whose fault a fault is.

use crate::cell::{MarkerError, starts_marker};
use crate::document::xml::error::{Fault, Problem};
use crate::document::xml::find::Called;
use crate::document::xml::key::key;
use crate::shown::plain;

use super::Walker;

impl Walker<'_> {
    /// A fault in the text that was walked through, with its record as far as that is known. One in the tags or in the body of a sealed value
    /// is the damage of that value, since the rest of the document may be as it was.
    pub(in crate::document::xml) fn blamed(&self, text: &str, fault: Fault) -> Fault {
        let Some(innermost) = self.within.last() else { return fault };
        let damage = self.damage(text, &fault);
        // The sealed value itself may be open; the field is the element around it.
        let around = self.open.len() - usize::from(self.open.last().is_some_and(|open| open.is_marker));
        let field = around.checked_sub(1).and_then(|last| self.plan.at(self.open[last].node).content.fields.first());
        let number = field.and_then(|field| self.record_of(field.selector)).unwrap_or(*innermost);
        let record = key(text, self.plan, &self.records[number]).map(|key| plain(&key)).unwrap_or_default();
        let problem = match damage {
            Some(problem) => {
                let name = match field {
                    Some(field) => {
                        let name = &self.plan.selector(field.selector).fields[field.field].name;
                        let is_met = |called: &Called| matches!(called, Called::Selected(known) if known == field);
                        let met = self.finds.iter().filter(|find| find.record == Some(number) && is_met(&find.called));
                        let met = met.count();
                        if met > 1 { format!("{name}[{met}]") } else { name.clone() }
                    }
                    None => self.path(around),
                };
                Problem::Damaged { record, field: plain(&name), problem }
            }
            None if record.is_empty() => fault.problem,
            None => Problem::InRecord { record, problem: Box::new(fault.problem) },
        };
        Fault { problem, ..fault }
    }

    /// What a fault did to a sealed value, if it is in one.
    fn damage(&self, text: &str, fault: &Fault) -> Option<MarkerError> {
        let element = self.plan.element();
        let is_inside = self.open.last().is_some_and(|open| open.is_marker);
        let start = text.get(..fault.at).and_then(|before| before.rfind('<'));
        let is_tag = start.is_some_and(|start| starts_marker(&text[start..], element));
        match &fault.problem {
            Problem::MismatchedEnd { .. } | Problem::Unclosed(_) | Problem::EndTag if is_inside => {
                Some(MarkerError::EndTag)
            }
            Problem::Reference | Problem::UnknownEntity(_) if is_inside || is_tag => Some(MarkerError::Reference),
            // A quote that is not closed makes everything behind it part of the tag.
            Problem::CutOff | Problem::LongToken
                if text.get(fault.at..).is_some_and(|tag| starts_marker(tag, element)) =>
            {
                Some(MarkerError::StartTag)
            }
            Problem::RepeatedAttribute(_) if is_tag => Some(MarkerError::DoubledAttribute),
            Problem::Attribute | Problem::LessThan | Problem::Name(_) | Problem::Prefix(_) | Problem::Namespace
                if is_tag =>
            {
                Some(MarkerError::StartTag)
            }
            _ => None,
        }
    }
}
