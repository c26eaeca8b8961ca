//! What a transformation gets and gives.

use crate::TransformError;
use rand_chacha::ChaCha20Rng;
use std::fmt::Debug;
use tamis_table::Table;
use zeroize::Zeroizing;

/// What a transformation works on.
pub struct Input<'a> {
    /// The table.
    pub table: &'a Table,
    /// The group of each row where the caller has formed groups, such as the classes of a release.
    pub groups: Option<&'a [u32]>,
    /// Everything random comes from here: from the operating system, or from a seed.
    pub dice: &'a mut ChaCha20Rng,
    /// Opens the other files a transformation names.
    pub files: &'a dyn Files,
}

/// Opens files for transformations, which open none themselves.
pub trait Files {
    /// A table.
    fn table(&self, path: &str) -> Result<Table, TransformError>;
    /// The bytes of a secret key.
    fn key(&self, path: &str) -> Result<Zeroizing<Vec<u8>>, TransformError>;
}

/// There are no files to open.
#[derive(Debug, Clone, Copy)]
pub struct NoFiles;

impl Files for NoFiles {
    fn table(&self, path: &str) -> Result<Table, TransformError> {
        Err(TransformError::File(format!("{path} cannot be opened here")))
    }

    fn key(&self, path: &str) -> Result<Zeroizing<Vec<u8>>, TransformError> {
        Err(TransformError::File(format!("{path} cannot be opened here")))
    }
}

/// What a transformation makes.
#[derive(Debug)]
pub struct Output {
    /// The tables; most transformations make one, whose name is empty.
    pub tables: Vec<OutputTable>,
    /// What the user should know.
    pub notes: Vec<String>,
}

/// One of the tables made.
#[derive(Debug)]
pub struct OutputTable {
    /// Tells it from the others: `quasi`, `sensitive`, `link`. Empty where there is one table only.
    pub name: &'static str,
    /// The rows.
    pub table: Table,
    /// Whether it must stay with the steward, as the table that links the others does.
    pub is_secret: bool,
}

impl Output {
    /// One table to release and nothing to say.
    pub fn of(table: Table) -> Self {
        Self { tables: vec![OutputTable { name: "", table, is_secret: false }], notes: Vec::new() }
    }
}

/// What a transformation works on when it is a step of a policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The input, before the search.
    Input,
    /// The released rows as they are generalized, in the groups that their classes form.
    Release,
    /// The released rows with the values of the input, in the groups that their classes form: the groups protect in place of the labels.
    Groups,
}

/// One operation on a table, with its parameters.
pub trait Transformation: Debug {
    /// Applies it. Parameters are checked here, before anything is done.
    fn apply(&self, input: Input<'_>) -> Result<Output, TransformError>;

    /// What it works on when a policy asks for it.
    fn stage(&self) -> Stage {
        Stage::Input
    }

    /// The names of the tables it makes, in their order; one without a name unless said otherwise.
    fn tables(&self) -> &'static [&'static str] {
        &[""]
    }

    /// The other files that its parameters name.
    fn files(&self) -> Vec<&str> {
        Vec::new()
    }
}
