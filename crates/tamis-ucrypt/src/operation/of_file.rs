//! Which file an error is about.

use std::io;
use std::path::Path;

use rusqlite::ErrorCode;

use super::OperationError;
use crate::cell::{CellError, Refusal};
use crate::document::header::HeaderError;
use crate::document::rows::{self, RowsError};
use crate::document::xml::{self, XmlError};

/// Says which file an error of the system is about.
pub(super) trait OfFile<T> {
    fn of(self, path: &Path) -> Result<T, OperationError>;
}

impl<T> OfFile<T> for io::Result<T> {
    fn of(self, path: &Path) -> Result<T, OperationError> {
        self.map_err(|source| OperationError::File { path: path.to_owned(), source })
    }
}

impl<T> OfFile<T> for Result<T, XmlError> {
    fn of(self, path: &Path) -> Result<T, OperationError> {
        self.map_err(|source| OperationError::Xml { path: path.to_owned(), source })
    }
}

impl<T> OfFile<T> for Result<T, RowsError> {
    fn of(self, path: &Path) -> Result<T, OperationError> {
        self.map_err(|source| OperationError::Rows { path: path.to_owned(), source })
    }
}

impl<T> OfFile<T> for Result<T, HeaderError> {
    fn of(self, path: &Path) -> Result<T, OperationError> {
        self.map_err(|source| OperationError::Header { path: path.to_owned(), source })
    }
}

impl<T> OfFile<T> for Result<T, xml::RewriteError<CellError>> {
    fn of(self, path: &Path) -> Result<T, OperationError> {
        self.map_err(|error| match error {
            xml::RewriteError::Xml(source) => OperationError::Xml { path: path.to_owned(), source },
            xml::RewriteError::Refused { refusal: cell, .. } => OperationError::Cell { path: path.to_owned(), cell },
        })
    }
}

impl<T> OfFile<T> for Result<T, rows::RewriteError<CellError>> {
    fn of(self, path: &Path) -> Result<T, OperationError> {
        self.map_err(|error| match error {
            rows::RewriteError::Rows(source) => OperationError::Rows { path: path.to_owned(), source },
            // The document is wrong, and no cell.
            rows::RewriteError::Refused(spot, CellError { record, refusal: Refusal::TwoRecords, .. }) => {
                let source = RowsError::DoubledKey { spot, record, column: None };
                OperationError::Rows { path: path.to_owned(), source }
            }
            rows::RewriteError::Refused(_, cell) => OperationError::Cell { path: path.to_owned(), cell },
        })
    }
}

/// Says of what could not be written, a full disk mostly, that it is the output and not the document that is read.
pub(super) fn of_output(error: OperationError, output: &Path) -> OperationError {
    use rusqlite::ffi::{SQLITE_IOERR_FSYNC, SQLITE_IOERR_TRUNCATE, SQLITE_IOERR_WRITE};
    let source = match error {
        OperationError::Xml { source: XmlError::Write(source), .. }
        | OperationError::Rows { source: RowsError::Write(source), .. } => source,
        OperationError::Rows { source: RowsError::Database(source), path } => match source.sqlite_error() {
            Some(code) if code.code == ErrorCode::DiskFull => io::Error::from(io::ErrorKind::StorageFull),
            Some(code)
                if [SQLITE_IOERR_WRITE, SQLITE_IOERR_FSYNC, SQLITE_IOERR_TRUNCATE].contains(&code.extended_code) =>
            {
                io::Error::other(source)
            }
            _ => return OperationError::Rows { source: RowsError::Database(source), path },
        },
        error => return error,
    };
    OperationError::File { path: output.to_owned(), source }
}
