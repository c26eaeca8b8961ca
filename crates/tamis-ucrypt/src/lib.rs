//! Sealed fields: values that stay in their document and that only p of n key holders can open.
//!
//! A [`document`] is read as a stream of records and fields. Selected fields become [`cell`]s.

pub mod cell;
pub mod document;
