//! Where tables and hierarchies come from: files beside the policy, or the bundled Adult data.

use crate::{Input, ReleaseError};
use std::path::{Path, PathBuf};
use tamis_source::{
    ColumnFilter, Encoding, Progress, ReadOptions, SourceError, detect_encoded, parse_hierarchy, read_hierarchy_in,
    read_table, read_table_from,
};
use tamis_table::{HierarchyRow, Table};

/// Provides what a policy names.
pub trait Sources {
    /// The table of the input, with these columns only.
    fn table(&self, input: &Input, columns: ColumnFilter) -> Result<Table, ReleaseError>;

    /// The lines of a hierarchy file of a table in this encoding.
    fn hierarchy(&self, path: &str, encoding: Encoding) -> Result<Vec<HierarchyRow>, SourceError>;

    /// The lines of the hierarchy of `column` with lines for those of `values` that it does not list, where it is known how to make
    /// them.
    fn complete(&self, _column: &str, rows: Vec<HierarchyRow>, _values: &[(&str, u64)]) -> Vec<HierarchyRow> {
        rows
    }

    /// The order of its values that the policy stated for a column whose hierarchy is no longer built but stored.
    fn stated_order<'a>(&self, _column: &str, _rows: &'a [HierarchyRow]) -> Option<Vec<&'a str>> {
        None
    }

    /// A path of the policy as a file.
    fn resolve(&self, path: &str) -> PathBuf;

    /// What separates the fields of the input.
    fn delimiter(&self, input: &Input) -> Result<u8, ReleaseError>;
}

/// Files relative to a directory.
#[derive(Debug, Default)]
pub struct Files {
    /// The directory of the policy.
    pub base: PathBuf,
    /// The file of the input, where it is not the one that the policy names: its name need not be text.
    pub input: Option<PathBuf>,
    /// Whom to tell how far reading has come.
    pub progress: Option<Progress>,
}

impl Files {
    /// Files relative to where a policy lies.
    pub fn beside(policy: &Path) -> Self {
        Self { base: policy.parent().map(Path::to_path_buf).unwrap_or_default(), ..Self::default() }
    }

    fn input(&self, input: &Input) -> PathBuf {
        // A population or a subset is a table of its own, and stays the one that the policy names.
        let replaced = self.input.as_ref().filter(|path| path.display().to_string() == input.path);
        replaced.cloned().unwrap_or_else(|| self.resolve(&input.path))
    }
}

impl Sources for Files {
    fn table(&self, input: &Input, columns: ColumnFilter) -> Result<Table, ReleaseError> {
        let options = ReadOptions { columns, progress: self.progress.clone(), ..read_options(input)? };
        Ok(read_table(self.input(input), &options)?)
    }

    fn hierarchy(&self, path: &str, encoding: Encoding) -> Result<Vec<HierarchyRow>, SourceError> {
        read_hierarchy_in(self.resolve(path), encoding)
    }

    fn resolve(&self, path: &str) -> PathBuf {
        self.base.join(path)
    }

    fn delimiter(&self, input: &Input) -> Result<u8, ReleaseError> {
        if let Some(delimiter) = &input.delimiter {
            return single_character("delimiter", delimiter);
        }
        let encoding = input.encoding.as_deref().map_or(Ok(Encoding::Utf8), str::parse)?;
        Ok(detect_encoded(self.input(input), encoding)?.delimiter)
    }
}

/// The Adult census data and its hierarchies, which come with Tamis.
#[derive(Debug, Clone, Copy)]
pub struct Bundled;

impl Sources for Bundled {
    fn table(&self, _: &Input, columns: ColumnFilter) -> Result<Table, ReleaseError> {
        let text = tamis_adult::csv();
        let options = ReadOptions { delimiter: Some(b';'), columns, ..ReadOptions::default() };
        Ok(read_table_from(text.as_bytes(), "the bundled Adult data", &options)?)
    }

    fn hierarchy(&self, path: &str, _: Encoding) -> Result<Vec<HierarchyRow>, SourceError> {
        parse_hierarchy(tamis_adult::hierarchy(path).unwrap_or_default().as_bytes(), path)
    }

    fn resolve(&self, path: &str) -> PathBuf {
        PathBuf::from(path)
    }

    fn delimiter(&self, _: &Input) -> Result<u8, ReleaseError> {
        Ok(b';')
    }
}

/// The reading options a policy gives.
pub(crate) fn read_options(input: &Input) -> Result<ReadOptions, ReleaseError> {
    let character = |what, text: &Option<String>| text.as_deref().map(|text| single_character(what, text)).transpose();
    Ok(ReadOptions {
        delimiter: character("delimiter", &input.delimiter)?,
        quote: character("quote", &input.quote)?,
        encoding: input.encoding.as_deref().map(str::parse).transpose()?,
        missing: input.missing.clone().unwrap_or_else(|| vec![String::new()]),
        ..ReadOptions::default()
    })
}

/// One ASCII character, or the word `tab`.
pub fn single_character(what: &str, text: &str) -> Result<u8, ReleaseError> {
    match (text, text.as_bytes()) {
        ("tab" | "\\t", _) => Ok(b'\t'),
        (_, &[byte]) if byte.is_ascii() => Ok(byte),
        _ => Err(ReleaseError::Setting(format!("the {what} is `{text}`; expected one ASCII character, or `tab`"))),
    }
}
