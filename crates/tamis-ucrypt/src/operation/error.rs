//! Why an operation failed.

use std::io;
use std::path::{Path, PathBuf};

use super::Damage;
use crate::audit::AuditError;
use crate::cell::CellError;
use crate::document::StillReadable;
use crate::document::header::HeaderError;
use crate::document::rows::RowsError;
use crate::document::xml::{Problem, SelectorError, XmlError};
use crate::exit::Exit;
use crate::key::{KeyError, ShareError};
use crate::policy::PolicyError;
use crate::{counted, first_few};

/// Why an operation failed. No message holds plaintext, a share or a key.
#[derive(Debug, thiserror::Error)]
pub enum OperationError {
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A document that cannot be read more than once.
    #[error("{} is no regular file; documents are read more than once, so write it to a file first", .0.display())]
    NotAFile(PathBuf),
    /// A directory in the place of a document.
    #[error("{}: it is a directory", .0.display())]
    Directory(PathBuf),
    /// A policy in something else than a file.
    #[error("{} is no regular file; a policy is read more than once, so write it to a file first", .0.display())]
    PolicyNotAFile(PathBuf),
    /// An output that is a device, a pipe or a directory.
    #[error("{} is there and no regular file, so it is not replaced; choose another output", .0.display())]
    NotReplaced(PathBuf),
    /// The policy, or who came to open it.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// A key.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// A share.
    #[error(transparent)]
    Share(#[from] ShareError),
    /// A cell.
    #[error("{}: {cell}", path.display())]
    Cell {
        /// The document.
        path: PathBuf,
        /// Where in it, and what is wrong.
        cell: CellError,
    },
    /// Sealed values that do not open, and beside which nothing does.
    #[error("{}: {damage}{}", path.display(), and_more(*.more))]
    Damaged {
        /// The document.
        path: PathBuf,
        /// The first of them.
        damage: Box<Damage>,
        /// How many more there are.
        more: u64,
    },
    /// A cell whose data key does not open with this policy.
    #[error("{}: {cell}{}", path.display(), after_semicolon(.way_out.as_deref()))]
    Closed {
        /// The document.
        path: PathBuf,
        /// Where in it.
        cell: CellError,
        /// Which policy file may open it.
        way_out: Option<String>,
    },
    /// A cell that a grant does not open.
    #[error(
        "{}: {cell}; the grant may be older than the cell: what was sealed anew since, as by a rotation, has another key, and needs another grant",
        path.display()
    )]
    Regranted {
        /// The document.
        path: PathBuf,
        /// Where in it.
        cell: CellError,
    },
    /// A cell whose data key would stand in a file that is not there.
    #[error(
        "{}: {cell}; the file of its data keys, {}, is missing{}",
        path.display(), keys.display(), has_them(.elsewhere.as_deref(), "a copy of it under that name opens the cell")
    )]
    NoKeyFile {
        /// The document.
        path: PathBuf,
        /// Where in it.
        cell: CellError,
        /// The file.
        keys: PathBuf,
        /// Another file of data keys that has it.
        elsewhere: Option<PathBuf>,
    },
    /// Data keys beside an output that cannot stay together with those of the document.
    #[error(
        "{}: {source}; the keys that stand there may be those of a copy of another document, and are not replaced: choose another output, or move \
         that file away with the document that it belongs to",
        keys.display()
    )]
    KeysInTheWay {
        /// The file of data keys.
        keys: PathBuf,
        /// What is wrong.
        source: HeaderError,
    },
    /// A cell whose data key is not in the document.
    #[error(
        "{}: {cell}; the document has no {home} for it, which another program may have dropped{}",
        path.display(), has_them(.elsewhere.as_deref(), "its line belongs there")
    )]
    KeyDropped {
        /// The document.
        path: PathBuf,
        /// Where in it.
        cell: CellError,
        /// Where the key would stand.
        home: String,
        /// A file of data keys that has it.
        elsewhere: Option<PathBuf>,
    },
    /// Cells that were not recognised, whose key would be lost.
    #[error(
        "{}: the data key {} would be lost, and something in the document still names it: a sealed value that another program wrote otherwise, \
         perhaps, or one inside another value; open the document, mend that and seal it again; nothing was changed",
        path.display(), kids.join(", ")
    )]
    StillNamed {
        /// The document.
        path: PathBuf,
        /// The data keys.
        kids: Vec<String>,
    },
    /// The log.
    #[error(transparent)]
    Audit(#[from] AuditError),
    /// The headers of data keys.
    #[error("{}: {source}", path.display())]
    Header {
        /// The document or its key file.
        path: PathBuf,
        /// What is wrong.
        source: HeaderError,
    },
    /// The XML document.
    #[error("{}: {source}", path.display())]
    Xml {
        /// The document.
        path: PathBuf,
        /// What is wrong.
        source: XmlError,
    },
    /// The table.
    #[error("{}: {source}", path.display())]
    Rows {
        /// The document.
        path: PathBuf,
        /// What is wrong.
        source: RowsError,
    },
    /// Values that would stay readable.
    #[error("{}: {places}", path.display())]
    Readable {
        /// The document.
        path: PathBuf,
        /// Where in it.
        places: StillReadable,
    },
    /// The selectors of the policy.
    #[error("the fields of the policy: {0}")]
    Selector(#[from] SelectorError),
    /// The columns of the policy.
    #[error("the fields of the policy: {0}")]
    Columns(RowsError),
    /// The path of records that no policy names.
    #[error("the path of the records: {0}; prefixes of namespaces have a meaning only in a policy")]
    RecordPath(SelectorError),
    /// The name of a file does not say what it is.
    #[error("{}: its name does not say what it is; call it .xml, .csv, .tsv, .sql, .db, .sqlite or .sqlite3, or name its kind with --kind", .0.display())]
    UnknownKind(PathBuf),
    /// The policy says nothing about documents of this kind.
    #[error("the policy names no fields in {0} documents")]
    NoFields(&'static str),
    /// A CSV file that could be one of several tables.
    #[error(
        "{}: the policy has the tables {tables}, and {fitting} of them has all its columns here; say which of them the file is, with --table",
        path.display()
    )]
    WhichTable {
        /// The file.
        path: PathBuf,
        /// What the tables are called.
        tables: String,
        /// How many of them it could be.
        fitting: &'static str,
    },
    /// A table that the policy does not have.
    #[error("the policy has no table {table:?} with fields in documents of this kind; {}", those_there(.known))]
    NoTable {
        /// The table.
        table: String,
        /// Those that it has.
        known: Vec<String>,
    },
    /// A field that the policy does not have.
    #[error("the policy has no field {field}; it has {known}")]
    NoField {
        /// The field.
        field: String,
        /// Those that it has.
        known: String,
    },
    /// Cells that would claim to be bound to something that is not there.
    #[error(
        "records of table {0:?} have no key in XML documents, so cells cannot be bound to them (rf); give the table a record_key, or bind to fields only (f)"
    )]
    NoKeyToBindTo(String),
    /// Nobody said which elements are records.
    #[error(
        "name a policy or the path of the records, such as /patients/patient: elements of XML do not say which of them are records"
    )]
    NoRecordPath,
    /// Nobody said which records.
    #[error("nothing is sealed unless it is chosen: name records, a condition, or all of them")]
    NothingChosen,
    /// Records that are not there.
    #[error("{}: there is no record {missed}; nothing was sealed", path.display())]
    NoRecords {
        /// The document.
        path: PathBuf,
        /// Which.
        missed: String,
    },
    /// A list of keys that cannot be read. It may be another file than was meant, so nothing of it is repeated.
    #[error("{}: line {line} {why}", path.display())]
    List {
        /// The file.
        path: PathBuf,
        /// The line.
        line: u32,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A grant of other cells.
    #[error("{}: none of the cells that were granted is in it; nothing was written", .0.display())]
    GrantFitsNothing(PathBuf),
    /// Sealed fields that the filter does not know by their name.
    #[error(
        "{}: its sealed fields are not called <{element}> but, as it seems, {found}: name them with --element, or their policy with --policy; nothing was written",
        path.display()
    )]
    OtherElement {
        /// The document.
        path: PathBuf,
        /// The name that was looked for.
        element: String,
        /// The names that seem to be theirs.
        found: String,
    },
    /// A query for a policy without tables.
    #[error(
        "the policy {0} selects no column of a table, so there is no condition for a query; the filter of files needs none"
    )]
    NoQuery(String),
    /// A condition that no record meets.
    #[error("{}: no record has that value in {column:?}; nothing was sealed", path.display())]
    NoMatch {
        /// The document.
        path: PathBuf,
        /// The column or path.
        column: String,
    },
    /// A condition on what no record of an XML document has.
    #[error("{}: no record has {column:?}: name it by its path from the record, @ before attributes; nothing was sealed", path.display())]
    NoConditionPath {
        /// The document.
        path: PathBuf,
        /// The path.
        column: String,
    },
    /// A condition with a path that is none.
    #[error("the condition: {0}; prefixes are those of [namespaces] in the policy")]
    ConditionPath(SelectorError),
    /// A condition on a column that no table has.
    #[error("no table has the column {column:?}: {there}; nothing was sealed")]
    NoConditionColumn {
        /// The column.
        column: String,
        /// The columns that the tables have.
        there: String,
    },
    /// A condition that a record without a key meets: all others without one would be sealed with it.
    #[error(
        "a record that has that value in {0:?} has no key to find it again by; nothing was sealed; give its table a record key, or choose all records"
    )]
    KeylessMatch(String),
    /// A condition that more records meet than can be remembered.
    #[error(
        "more than {most} records have that value in {column:?}; nothing was sealed; choose all of them, or name smaller parts one after the other"
    )]
    TooManyMatch {
        /// The column or path.
        column: String,
        /// How many there may be.
        most: usize,
    },
    /// A document without any record of the policy.
    #[error("{}: no record was found: {wanted}; nothing was sealed", path.display())]
    NoRecordsRead {
        /// The document.
        path: PathBuf,
        /// What was looked for, and what is there instead.
        wanted: String,
    },
    /// A filter that would take sealed values for something else than records.
    #[error(
        "{}: {}, and none in a record that is known here; check the path of the records, its namespaces, and the tables of the policy; nothing was written",
        path.display(),
        counted(*.sealed, "sealed field", "sealed fields")
    )]
    SealedElsewhere {
        /// The document.
        path: PathBuf,
        /// How many there are.
        sealed: u64,
    },
    /// Fields that no record has.
    #[error(
        "{}: no record has the field {fields}; nothing was sealed; check its path, or name the fields that are there if only these are meant",
        path.display()
    )]
    NotMatched {
        /// The document.
        path: PathBuf,
        /// The fields.
        fields: String,
    },
    /// Fields that were asked for, and that no table has of which a record was chosen.
    #[error(
        "{}: no chosen record has the field {fields}, which the policy has in table {tables}; nothing was sealed; choose records of that table, or name only the fields that are meant (--table says which table a CSV file is)",
        path.display()
    )]
    NotInChosen {
        /// The document.
        path: PathBuf,
        /// The fields.
        fields: String,
        /// The tables that have them.
        tables: String,
    },
    /// A document in which there is nothing to open.
    #[error("{}: {why}; nothing was opened", path.display())]
    NothingToOpen {
        /// The document.
        path: PathBuf,
        /// What is there instead.
        why: String,
    },
    /// A change of key that would leave every document behind that is sealed under the old one.
    #[error(
        "nothing in these documents is sealed under this policy, so nothing was changed: name the documents that are, or they would keep the old key \
         (where nothing is sealed yet, write a new policy)"
    )]
    NothingToRotate,
    /// A policy that was replaced by another file.
    #[error("{} is epoch {epoch} of this policy, and newer: use that", path.display())]
    Superseded {
        /// The newer file.
        path: PathBuf,
        /// Its epoch.
        epoch: u32,
    },
    /// A policy that another file may have replaced, as that says of itself.
    #[error(
        "{} says that it is epoch {epoch} of the policy in {}, and later; no log here vouches for it, and it may have been put there by somebody else: ask \
         the holders which of the two is theirs, and take the other one out of the directory",
        path.display(), this.display()
    )]
    MaySupersede {
        /// The other file.
        path: PathBuf,
        /// Its epoch, as it says.
        epoch: u32,
        /// The policy.
        this: PathBuf,
    },
    /// A policy that is not what its holders made.
    #[error(
        "{}: {found} ({}); where a holder reads out the fingerprint of this very file, --policy-fingerprint takes it for good",
        path.display(), log.display()
    )]
    EditedSince {
        /// The policy.
        path: PathBuf,
        /// Its log.
        log: PathBuf,
        /// What the log says.
        found: String,
    },
    /// A log that was edited, or is none, and cannot tell whether the policy is what its holders made.
    #[error(
        "{}: its log was edited or replaced, so nothing tells whether the policy is the holders' own: {found} ({}); put the log of the holders back, or let one of \
         them read out the fingerprint of the policy, for --policy-fingerprint",
        path.display(), log.display()
    )]
    EditedLog {
        /// The policy.
        path: PathBuf,
        /// Its log.
        log: PathBuf,
        /// What is wrong with it.
        found: AuditError,
    },
    /// Another policy than the one that was meant.
    #[error(
        "{}: its fingerprint is {found}, not {wanted}: it is not the policy that was meant, or was changed since; ask the holders for theirs, and \
         nothing is done until then",
        path.display()
    )]
    OtherFingerprint {
        /// The policy.
        path: PathBuf,
        /// Its fingerprint.
        found: String,
        /// The one that was meant.
        wanted: String,
    },
    /// A cell of this field and record is not there.
    #[error("{}: there is no sealed field {fields} to grant", path.display())]
    NothingToGrant {
        /// The document.
        path: PathBuf,
        /// What was asked for.
        fields: String,
    },
    /// A grant file that is none.
    #[error("this is no grant that this key opens: {0}")]
    Grant(&'static str),
    /// A change of another kind waits to be finished.
    #[error(
        "a change of this policy was interrupted and waits in {}; finish it with the same command before another one",
        .0.display()
    )]
    Interrupted(PathBuf),
    /// What waits to take the place of the policy is no policy.
    #[error(
        "{}: {why}; a change of the policy was interrupted here: if all documents open, delete this file, otherwise put a good copy of it back",
        path.display()
    )]
    Successor {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// One document under two names.
    #[error("{} and {} are one document: name it once", first.display(), second.display())]
    NamedTwice {
        /// The one name.
        first: PathBuf,
        /// The other.
        second: PathBuf,
    },
    /// Two documents whose keys are in one file.
    #[error(
        "{} and {} have their data keys in one file, {}, and each would undo what becomes of the other's: put a copy of the file in the place of the link, \
         or name the documents in commands of their own",
        first.display(), second.display(), keys.display()
    )]
    SharedKeys {
        /// The one document.
        first: PathBuf,
        /// The other.
        second: PathBuf,
        /// The file.
        keys: PathBuf,
    },
    /// The policy of a command, or what belongs to it, in the place of a document.
    #[error("{} leads to {}, the {what} of this very command, which is no document: name another file; nothing was done", path.display(), file.display())]
    OwnFile {
        /// What was given.
        path: PathBuf,
        /// Where it leads.
        file: PathBuf,
        /// What that is.
        what: &'static str,
    },
    /// A key file that is a link to nothing.
    #[error("{} is a symbolic link that leads to no file: put the data keys there again, or take the link away if there never were any", .0.display())]
    LostKeys(PathBuf),
    /// What waits to take the place of the policy was not made by its holders.
    #[error(
        "{}: the holders of the policy did not agree to this change: somebody else put the file there, so delete it, and run the command again",
        .0.display()
    )]
    NotAgreed(PathBuf),
    /// A document that is not what was read any more.
    #[error("{} changed while it was read, by another program; nothing was written, so run the command again", .0.display())]
    Changed(PathBuf),
    /// An output that was not there when the command began.
    #[error("{} appeared while the command ran, from another program; nothing was written", .0.display())]
    Appeared(PathBuf),
    /// A directory that would have to be there.
    #[error("{}: there is no such directory; make it first", .0.display())]
    NoDirectory(PathBuf),
    /// A new policy with the id of another one.
    #[error("{} is a policy with the id {id:?} already: cells would not say which of the two opens them; choose another --id", path.display())]
    SameId {
        /// The other policy.
        path: PathBuf,
        /// The id.
        id: String,
    },
    /// Files that would lose what they hold.
    #[error("{} exists already; it may be the only copy, so it is not replaced", .0.display())]
    Exists(PathBuf),
}

impl OperationError {
    /// What this failure means to the caller of the program.
    pub fn exit(&self) -> Exit {
        match self {
            Self::Policy(error) => error.exit(),
            Self::Share(error) => error.exit(),
            Self::Cell { .. }
            | Self::Damaged { .. }
            | Self::Closed { .. }
            | Self::Regranted { .. }
            | Self::StillNamed { .. }
            | Self::NoKeyFile { .. }
            | Self::KeyDropped { .. }
            | Self::Rows { source: RowsError::Broken { .. }, .. }
            | Self::Xml {
                source: XmlError::Malformed { problem: Problem::Damaged { .. } | Problem::Unfit { .. }, .. },
                ..
            } => Exit::CellRefused,
            _ => Exit::Input,
        }
    }
}

fn those_there(tables: &[String]) -> String {
    if tables.is_empty() { "it has none".to_owned() } else { format!("it has {}", first_few(tables, 10)) }
}

fn has_them(keys: Option<&Path>, what_to_do: &str) -> String {
    keys.map_or_else(String::new, |keys| format!("; {} has that key: {what_to_do}", keys.display()))
}

fn and_more(more: u64) -> String {
    if more == 0 {
        String::new()
    } else {
        format!("; {} too", counted(more, "other does not open", "others do not open"))
    }
}

fn after_semicolon(text: Option<&str>) -> String {
    text.map_or_else(String::new, |text| format!("; {text}"))
}
