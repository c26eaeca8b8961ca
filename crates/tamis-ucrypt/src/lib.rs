//! Sealed fields: values that stay in their document and that only p of n key holders can open.
//!
//! A [`document`] is read as a stream of records and fields. Selected fields become [`cell`]s, sealed under data keys. A data key is wrapped
//! to the public [`key`] of a [`policy`], whose secret half exists only in shares that the holders keep; who shares, opens and changes is
//! written into the [`audit`] log. An [`operation`] is all of this together, from files to files.

pub mod audit;
pub mod cell;
pub mod document;
mod exit;
mod framing;
pub mod key;
pub mod operation;
pub mod policy;

pub use exit::Exit;
