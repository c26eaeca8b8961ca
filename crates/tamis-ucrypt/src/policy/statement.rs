//! The bytes that the holders vouch for: all that a policy says, in one order, so that comments and layout of the file are free.

use sha2::{Digest as _, Sha256};

use super::{Holder, Keeping, Policy, Selection};
use crate::framing::{list, push};
use crate::key::{NotAfter, PolicySecret};

impl Policy {
    /// Everything but the code itself.
    fn statement(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(4096);
        let mut text = |text: &str| push(text.as_bytes(), &mut bytes);
        text("UCRYPT1 policy");
        text(&self.id);
        text(&self.owner);
        text(&self.element);
        text(&self.threshold.to_string());
        text(&self.epoch.to_string());
        text(&self.generation.to_string());
        text(&self.public.to_string());
        text(self.cipher.as_str());
        text(self.binding.as_str());
        text(&self.pad.to_string());
        let holders: Vec<Vec<u8>> = self.holders.iter().map(holder).collect();
        push_lists(&holders, &mut bytes);
        let namespaces: Vec<Vec<u8>> =
            self.namespaces.iter().map(|(prefix, uri)| list([prefix.as_bytes(), uri.as_bytes()])).collect();
        push_lists(&namespaces, &mut bytes);
        let selections: Vec<Vec<u8>> = self.selections.iter().map(selection).collect();
        push_lists(&selections, &mut bytes);
        let before = self.proof.map_or_else(Vec::new, |proof| {
            list([proof.epoch.to_string().as_bytes(), proof.public.bytes(), &proof.code])
        });
        push(&before, &mut bytes);
        bytes
    }

    /// What tells this policy from every other one, in 64 hexadecimal digits: SHA-256 over all that it says, its code included. Whoever seals
    /// cannot check the code, as that takes p holders, but can compare this with what the holders say.
    pub fn fingerprint(&self) -> String {
        let bytes = list([b"UCRYPT1 fingerprint".as_slice(), &self.statement(), &self.code]);
        base16ct::lower::encode_string(&Sha256::digest(&bytes))
    }

    /// The code that the owners of this secret compute over the policy.
    pub(super) fn code_by(&self, secret: &PolicySecret) -> [u8; 32] {
        secret.authenticate(&self.statement())
    }

    /// Whether the owners of this secret vouch for the policy.
    pub(super) fn is_vouched_for(&self, secret: &PolicySecret) -> bool {
        secret.vouches_for(&self.statement(), &self.code)
    }

    /// What the holders of the key before vouch for while the policy waits to take the place of theirs: every word of it.
    pub(super) fn handover(&self) -> Vec<u8> {
        list([b"UCRYPT1 handover".as_slice(), &self.statement(), &self.code])
    }

    /// What the holders of the key before vouch for when the key changes: the succession of the keys, and nothing that may change later.
    pub(super) fn succession(&self, before: &Self) -> Vec<u8> {
        list([
            b"UCRYPT1 rekey".as_slice(),
            self.id.as_bytes(),
            before.epoch.to_string().as_bytes(),
            before.public.bytes(),
            self.epoch.to_string().as_bytes(),
            self.public.bytes(),
        ])
    }
}

fn push_lists(lists: &[Vec<u8>], bytes: &mut Vec<u8>) {
    push(&list(lists.iter().map(Vec::as_slice)), bytes);
}

/// A list of nothing or of one, so that an absent value differs from an empty one.
fn optional(text: Option<&str>) -> Vec<u8> {
    list(text.map(str::as_bytes))
}

fn holder(holder: &Holder) -> Vec<u8> {
    let not_after = optional(holder.not_after.as_ref().map(NotAfter::as_str));
    let (recipient, share) = match &holder.keeping {
        Keeping::Wrapped { recipient, share } => (Some(recipient.as_str()), Some(share.as_str())),
        Keeping::Bare => (None, None),
    };
    list([
        holder.name.as_bytes(),
        holder.number.to_string().as_bytes(),
        &not_after,
        holder.commitment.bytes(),
        &optional(recipient),
        &optional(share),
    ])
}

fn selection(selection: &Selection) -> Vec<u8> {
    let mut bytes = list([selection.name.as_bytes()]);
    for text in [&selection.source, &selection.key, &selection.record, &selection.record_key] {
        push(&optional(text.as_deref()), &mut bytes);
    }
    for field in &selection.fields {
        let parts = list([field.name.as_bytes(), &optional(field.column.as_deref()), &optional(field.path.as_deref())]);
        push(&parts, &mut bytes);
    }
    bytes
}
