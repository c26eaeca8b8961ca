//! Room to work in, one per thread, so that a cell costs no allocation but its result.

use std::cell::RefCell;
use std::sync::Arc;

use super::Attributes;

/// Beyond this size room is given back: one long cell must not hold memory for the rest of the run.
const KEPT: usize = 64 * 1024;

#[derive(Default)]
pub(crate) struct Scratch {
    /// The associated data.
    pub(crate) aad: Vec<u8>,
    /// Nonce, text and tag.
    pub(crate) message: Vec<u8>,
    /// What this thread's markers share, and what it is a copy of.
    attributes: Option<(Arc<Attributes>, Arc<Attributes>)>,
}

impl Scratch {
    /// This thread's own copy of the attributes of a run: threads that counted the uses of one copy would wait for each other.
    pub(crate) fn own(&mut self, attributes: &Arc<Attributes>) -> Arc<Attributes> {
        match &self.attributes {
            Some((of, own)) if Arc::ptr_eq(of, attributes) => Arc::clone(own),
            _ => {
                let own = Arc::new((**attributes).clone());
                self.attributes = Some((Arc::clone(attributes), Arc::clone(&own)));
                own
            }
        }
    }
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Runs `work` in this thread's room, where it must leave no secret behind. `work` must not come back here.
pub(crate) fn with<T>(work: impl FnOnce(&mut Scratch) -> T) -> T {
    SCRATCH.with_borrow_mut(|scratch| {
        scratch.aad.clear();
        scratch.message.clear();
        let result = work(scratch);
        if scratch.message.capacity() > KEPT {
            scratch.message = Vec::new();
        }
        if scratch.aad.capacity() > KEPT {
            scratch.aad = Vec::new();
        }
        result
    })
}
