//! Data-key headers
/// placeholder
#[derive(Debug, thiserror::Error)]
pub enum HeaderError {}
