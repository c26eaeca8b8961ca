//! What a cell is bound to.

/// Where a field is, in the logical names of a policy, so that a cell sealed in one kind of document opens in another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place<'a> {
    /// The table that the policy maps the record to.
    pub table: &'a str,
    /// The value of the record key.
    pub record: &'a str,
    /// The field.
    pub field: &'a str,
}
