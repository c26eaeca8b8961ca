//! The element around a sealed value, as text.

/// What a marker says about its cell, as written: nothing is checked against a policy here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attributes {
    /// The name of the cipher; empty if absent.
    pub cipher: String,
    /// The version; `None` in cells of other tools.
    pub v: Option<String>,
    /// The policy.
    pub pol: String,
    /// The epoch in which the data key was born.
    pub ep: String,
    /// The data key.
    pub kid: String,
    /// What the cell is bound to: `rf`, `f` or `n`.
    pub bind: String,
    /// Attributes that this version does not know, in their order.
    pub others: Vec<(String, String)>,
}

/// A sealed value as found in a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marker {
    /// What its attributes say.
    pub attributes: Attributes,
    /// What stands between the tags, without white space around it.
    pub body: String,
}
