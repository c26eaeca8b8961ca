//! Dimensions with the hierarchies of files.

use std::collections::HashSet;
use std::path::PathBuf;

use tamis_source::{Encoding, SourceError, read_hierarchy_in};

use super::hrc::HrcLine;
use super::{Dimension, levels, parse_hrc};
use crate::error::{TotalsError, invalid};

/// A hierarchy of a dimension in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HierarchyFile {
    /// The dimension.
    pub dimension: String,
    /// Level columns from the value to the total, or indented lines if it is called `.hrc`.
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
        let shown = file.path.display().to_string();
        let is_hrc = file.path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("hrc"));
        let lines = if is_hrc {
            let bytes =
                std::fs::read(&file.path).map_err(|reason| SourceError::Open { name: shown.clone(), reason })?;
            let text = match String::from_utf8(bytes) {
                Ok(text) => text,
                Err(error) if encoding == Encoding::Latin1 => error.into_bytes().into_iter().map(char::from).collect(),
                Err(_) => {
                    let remedy = "save it as UTF-8, or say `--encoding latin-1` if it is Latin-1";
                    return Err(invalid(format!("the hierarchy `{shown}` is not written in UTF-8; {remedy}")));
                }
            };
            parse_hrc(&text, lead).map_err(|sentence| invalid(format!("the hierarchy `{shown}`: {sentence}")))?
        } else {
            let rows = read_hierarchy_in(&file.path, encoding)?;
            levels::tree(&rows, total).map_err(|reason| TotalsError::Hierarchy { file: shown.clone(), reason })?
        };
        add(&mut dimension, &lines, number)
            .map_err(|(line, sentence)| invalid(format!("the hierarchy `{shown}`, line {line}: {sentence}")))?;
        dimension.has_hierarchy = true;
    }
    dimension.close();
    Ok(dimension)
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
