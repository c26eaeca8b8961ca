//! Dimensions with the hierarchies of files.

use std::collections::HashSet;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use tamis_source::{Encoding, SourceError, parse_hierarchy, shown};
use tamis_table::HierarchyRow;

use super::hrc::{HrcLine, is_indented};
use super::{Dimension, levels, parse_hrc};
use crate::error::{TotalsError, invalid};

/// A hierarchy of a dimension in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HierarchyFile {
    /// The dimension.
    pub dimension: String,
    /// Level columns from the value to the total, or indented lines: its name `.hrc` or its content tells.
    pub path: PathBuf,
}

/// A dimension with all of its hierarchies; flat and without labels if there is none.
pub(crate) fn read_dimension(
    name: &str,
    total: &str,
    files: &[HierarchyFile],
    lead: Option<&str>,
    encoding: Encoding,
) -> Result<Dimension, TotalsError> {
    let mut dimension = Dimension::new(name, total);
    for (number, file) in files.iter().filter(|file| file.dimension == name).enumerate() {
        let shown = shown(&file.path);
        let lines = read_lines(&file.path, &shown, total, lead, encoding)?;
        add(&mut dimension, &lines, number)
            .map_err(|(line, sentence)| invalid(format!("the hierarchy `{shown}`, line {line}: {sentence}")))?;
        dimension.has_hierarchy = true;
    }
    dimension.close();
    Ok(dimension)
}

/// The labels of a hierarchy file in either form, which its name or its content tells.
fn read_lines(
    path: &Path,
    shown: &str,
    total: &str,
    lead: Option<&str>,
    encoding: Encoding,
) -> Result<Vec<HrcLine>, TotalsError> {
    let open = |reason| SourceError::Open { name: shown.to_owned(), reason };
    // Once: what comes through a pipe cannot be read again.
    let bytes = std::fs::read(path).and_then(uncompressed).map_err(open)?;
    let is_called_hrc = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("hrc"));
    let rows = match String::from_utf8(bytes) {
        Ok(text) => text_or_rows(text, is_called_hrc, lead, shown)?,
        Err(error) if encoding == Encoding::Latin1 => {
            let text = error.into_bytes().into_iter().map(char::from).collect();
            text_or_rows(text, is_called_hrc, lead, shown)?
        }
        Err(_) if is_called_hrc => {
            let remedy = "save it as UTF-8, or say `--encoding latin-1` if it is Latin-1";
            return Err(invalid(format!("the hierarchy `{shown}` is not written in UTF-8; {remedy}")));
        }
        Err(error) => Form::Rows(parse_hierarchy(error.as_bytes(), shown)?),
    };
    match rows {
        Form::Indented(text) => {
            parse_hrc(&text, lead).map_err(|sentence| invalid(format!("the hierarchy `{shown}`: {sentence}")))
        }
        Form::Rows(rows) => {
            levels::tree(&rows, total).map_err(|reason| TotalsError::Hierarchy { file: shown.to_owned(), reason })
        }
    }
}

/// The two forms of a hierarchy file.
enum Form {
    Indented(String),
    Rows(Vec<HierarchyRow>),
}

fn text_or_rows(text: String, is_called_hrc: bool, lead: Option<&str>, shown: &str) -> Result<Form, TotalsError> {
    if is_called_hrc || is_indented(&text, lead) {
        return Ok(Form::Indented(text));
    }
    Ok(Form::Rows(parse_hierarchy(text.as_bytes(), shown)?))
}

fn uncompressed(bytes: Vec<u8>) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    match bytes[..] {
        [0x1F, 0x8B, ..] => MultiGzDecoder::new(&bytes[..]).read_to_end(&mut text)?,
        [0x28, 0xB5, 0x2F, 0xFD, ..] => zstd::stream::read::Decoder::new(&bytes[..])?.read_to_end(&mut text)?,
        _ => return Ok(bytes),
    };
    Ok(text)
}

/// Adds the labels of a hierarchy. A single label at the top is the total itself.
fn add(dimension: &mut Dimension, lines: &[HrcLine], hierarchy: usize) -> Result<(), (u64, String)> {
    let mut tops = lines.iter().filter(|line| line.parent.is_none());
    let is_rooted = lines.len() > 1 && tops.next().is_some() && tops.next().is_none();
    let mut numbers: Vec<u32> = Vec::with_capacity(lines.len());
    let mut met = HashSet::with_capacity(lines.len());
    for line in lines {
        let wrong = |sentence: String| (line.line, sentence);
        if !met.insert(line.label.as_str()) {
            return Err(wrong(format!(
                "the label `{}` occurs twice; a label has one place in a hierarchy",
                line.label
            )));
        }
        let number = match (line.parent, dimension.find(&line.label)) {
            (None, None | Some(Dimension::TOTAL)) if is_rooted => {
                dimension.call_total(&line.label, hierarchy);
                Dimension::TOTAL
            }
            (_, Some(Dimension::TOTAL)) => {
                let sentence =
                    format!("`{}` is the name of the total; rename it, or name the total with --total", line.label);
                return Err(wrong(sentence));
            }
            (parent, known) => {
                let parent = parent.map_or(Dimension::TOTAL, |parent| numbers[parent]);
                match known {
                    None => dimension.part_in(&line.label, parent, hierarchy).map_err(wrong)?,
                    Some(known) if dimension.is_above(known, parent) => {
                        let above = dimension.label(parent);
                        let sentence =
                            format!("`{}` is part of `{above}` here and its total in another hierarchy", line.label);
                        return Err(wrong(sentence));
                    }
                    Some(known) => {
                        dimension.attach(known, parent, hierarchy);
                        known
                    }
                }
            }
        };
        numbers.push(number);
    }
    Ok(())
}
