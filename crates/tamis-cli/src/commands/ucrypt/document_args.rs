//! What kind of document a file is, and where the result goes.

use crate::answer::{CommandError, sentence};
use crate::commands::is_same_file;
use crate::progress::reading_document;
use crate::shell::Shell;
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use tamis_release::single_character;
use tamis_ucrypt::counted;
use tamis_ucrypt::document::good_threads;
use tamis_ucrypt::document::rows::Charset;
use tamis_ucrypt::document::sql::Dialect;
use tamis_ucrypt::operation::{Form, Kind};

#[derive(Debug, Args)]
pub(super) struct DocumentArgs {
    /// What the document is, if its name does not say
    #[arg(long, value_name = "KIND")]
    pub(super) kind: Option<KindName>,
    /// CSV: what separates fields, if it should not be detected: one character, or `tab`
    #[arg(long, value_name = "CHAR")]
    pub(super) delimiter: Option<String>,
    /// CSV and SQL: the character set, such as ISO-8859-2 or windows-1250, of CSV also UTF-16LE; UTF-8 if left out, or UTF-16 where a byte order mark of CSV
    /// says so
    #[arg(long, value_name = "NAME")]
    pub(super) encoding: Option<String>,
    /// SQL: the system that the dump is for, if it does not say; standard if left out
    #[arg(long, value_name = "SYSTEM")]
    pub(super) dialect: Option<DialectName>,
    /// Only this table of the policy; a CSV file is one table, and its name or its columns may say which
    #[arg(long, value_name = "NAME")]
    pub(super) table: Option<String>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum KindName {
    Xml,
    Csv,
    Sql,
    Sqlite,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum DialectName {
    Standard,
    Postgresql,
    Mysql,
    Sqlite,
}

impl DialectName {
    pub(super) fn dialect(self) -> Dialect {
        match self {
            Self::Standard => Dialect::Standard,
            Self::Postgresql => Dialect::PostgreSql,
            Self::Mysql => Dialect::MySql,
            Self::Sqlite => Dialect::Sqlite,
        }
    }

    /// What people call it.
    pub(super) fn said(self) -> &'static str {
        match self {
            Self::Standard => "standard SQL",
            Self::Postgresql => "PostgreSQL",
            Self::Mysql => "MySQL",
            Self::Sqlite => "SQLite",
        }
    }
}

impl DocumentArgs {
    /// The form of a document.
    pub(super) fn form(&self, path: &Path, shell: &Shell) -> Result<Form, CommandError> {
        refuse_standard(path, "standard input", "it is read more than once")?;
        if self.kind.is_none() {
            refuse_other_files(path)?;
        }
        let kind = self.kind.map(|kind| match kind {
            KindName::Xml => Kind::Xml,
            KindName::Csv => Kind::Csv,
            KindName::Sql => Kind::Sql,
            KindName::Sqlite => Kind::Sqlite,
        });
        let mut form = Form::of(path, kind)?;
        if let Some(text) = &self.delimiter {
            form.delimiter = single_character("delimiter", text)?;
        }
        if let Some(name) = &self.encoding {
            let named = if form.kind == Kind::Csv { Charset::named_or_wide(name) } else { Charset::named(name) };
            form.charset = named.map_err(|unknown| sentence(unknown.to_string()))?;
        }
        form.dialect = self.dialect.map(DialectName::dialect);
        form.table.clone_from(&self.table);
        // Where address space is limited, more threads only cost time.
        form.threads = shell.threads.min(good_threads());
        form.progress = reading_document(shell, path);
        Ok(form)
    }

    /// Refuses an output whose name says that it is a document of another kind: the next command would read it as one.
    pub(super) fn ensure_kind(&self, output: &Path, form: &Form) -> Result<(), CommandError> {
        match Kind::of(output) {
            Some(kind) if kind != form.kind && self.kind.is_none() => Err(sentence(format!(
                "{}: the name says {}, and the document is {}; choose another name, or name the kind with --kind",
                output.display(),
                kind.name(),
                form.kind.name()
            ))),
            _ => Ok(()),
        }
    }

    /// The system that a condition is for.
    pub(super) fn dialect(&self) -> DialectName {
        self.dialect.unwrap_or(DialectName::Standard)
    }

    /// The table, if only one is meant.
    pub(super) fn table(&self) -> Option<&str> {
        self.table.as_deref()
    }
}

/// Endings of data keys, policies, logs and secrets, which a document would destroy.
const TAKEN: [&str; 7] = ["ukeys", "uaudit", "upolicy", "next", "ukey", "upub", "ushare"];

/// Refuses `-` as the name of an output, which would become a file of that name, and the names of keys, policies and logs, also where the
/// output is a link to such a file.
pub(super) fn ensure_file(output: &Path) -> Result<(), CommandError> {
    refuse_standard(output, "standard output", "it appears whole or not at all")?;
    let led = output.is_symlink().then(|| std::fs::canonicalize(output).ok()).flatten();
    for path in [Some(output), led.as_deref()].into_iter().flatten() {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        if TAKEN.iter().any(|taken| extension.eq_ignore_ascii_case(taken)) {
            let led =
                if path == output { String::new() } else { format!(", and this is a link to {}", path.display()) };
            return Err(sentence(format!(
                "{}: files called .{extension} hold keys, policies or logs{led}; choose another name for the document",
                output.display()
            )));
        }
    }
    Ok(())
}

/// A document that has further names: if it is replaced, these keep what it was.
pub(super) struct Links {
    document: PathBuf,
    /// The number of the file.
    inode: u64,
    note: String,
}

impl Links {
    /// The further names of a document, before anything is done to it.
    pub(super) fn of(document: &Path, kept: &str) -> Option<Self> {
        let (inode, names) = inode_and_names(document)?;
        let others = names.saturating_sub(1);
        let names = counted(others, "further name (hard link), under which", "further names (hard links), under which");
        let note = format!("{} had {names} it {kept}", document.display());
        (others > 0).then(|| Self { document: document.to_owned(), inode, note })
    }

    /// What is said of them afterwards, if the document was replaced.
    pub(super) fn told(self) -> Option<String> {
        let is_same = inode_and_names(&self.document).is_some_and(|(inode, _)| inode == self.inode);
        (!is_same).then_some(self.note)
    }
}

#[cfg(unix)]
fn inode_and_names(document: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::metadata(document).ok().map(|file| (file.ino(), file.nlink()))
}

#[cfg(not(unix))]
fn inode_and_names(_: &Path) -> Option<(u64, u64)> {
    None
}

/// Refuses policies and keys in the place of documents, with a word about where they belong.
fn refuse_other_files(path: &Path) -> Result<(), CommandError> {
    let why = match path.extension().and_then(|extension| extension.to_str()) {
        Some("upolicy") => "this is a policy, and no document; `tamis ucrypt policy show` tells what it says",
        Some("ukey" | "ushare") => "this is a key or share, and no document; repeat --with for each holder",
        _ => return Ok(()),
    };
    Err(sentence(format!("{}: {why}", path.display())))
}

fn refuse_standard(path: &Path, stream: &str, why: &str) -> Result<(), CommandError> {
    if path.as_os_str() == "-" {
        return Err(sentence(format!(
            "-: a document cannot be {stream}, as {why}; name a file (./- if it is called so)"
        )));
    }
    Ok(())
}

#[derive(Debug, Args)]
pub(super) struct OutputArgs {
    /// Where to write the result: this, or --in-place
    #[arg(long, short, value_name = "FILE", conflicts_with = "in_place")]
    output: Option<PathBuf>,
    /// Put the result in the place of the document
    #[arg(long)]
    in_place: bool,
}

impl OutputArgs {
    /// Where the result goes. The document itself is replaced only by whoever says so.
    pub(super) fn path<'a>(&'a self, input: &'a Path) -> Result<&'a Path, CommandError> {
        if let Some(output) = &self.output {
            ensure_file(output)?;
        }
        match self.output.as_deref() {
            Some(output) if is_same_file(output, input) => Err(sentence(format!(
                "{} would be overwritten by an output; choose another path, or say --in-place",
                input.display()
            ))),
            None if !self.in_place => {
                Err(sentence("say where the result goes: --output FILE, or --in-place to replace the document"))
            }
            None => ensure_file(input).map(|()| input),
            Some(output) => Ok(output),
        }
    }

    /// The further names of a document that is to be replaced.
    pub(super) fn links(&self, input: &Path, kept: &str) -> Option<Links> {
        self.in_place.then(|| Links::of(input, kept))?
    }
}
