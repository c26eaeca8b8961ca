//! What cells are called and how their status is spelled.

use tamis_cells::{CellId, Status};

use super::Draft;

/// The status that a word or a letter of a peer means; none for a word that means none.
///
/// `s` is safe, `u` unsafe and primary, `m` and `x` a secondary of an earlier protection, which is free now, `z` protected
/// from being hidden, `h` hidden without a demand.
pub(crate) fn status_in(text: &str) -> Option<Status> {
    Some(match text.trim().to_ascii_lowercase().as_str() {
        "s" | "safe" | "free" | "m" | "x" | "secondary" => Status::Free,
        "u" | "unsafe" | "primary" | "p" => Status::Primary,
        "z" | "fixed" | "protected" => Status::Fixed,
        "h" | "hidden" => Status::Hidden,
        _ => return None,
    })
}

/// Whether a status says that an earlier protection hid the cell for the sake of others.
pub(crate) fn is_mark(text: &str) -> bool {
    matches!(text.trim().to_ascii_lowercase().as_str(), "m" | "x" | "secondary")
}

/// A name as a file of cells has it: a whole number stays one.
pub(crate) fn id_in(text: &str) -> CellId {
    let text = text.trim();
    match text.parse::<i64>() {
        Ok(number) if number.to_string() == text => CellId::Number(number),
        _ => CellId::Text(text.to_owned()),
    }
}

/// What may stand between the labels of a cell's name.
const BETWEEN: [&str; 6] = ["/", "|", ";", " / ", " | ", "\t"];

impl Draft {
    /// A name for each cell: its id, or its labels joined by something that no label contains.
    pub(crate) fn ids(&self) -> Vec<CellId> {
        let labels = || self.dimensions.iter().flat_map(crate::dimension::Dimension::labels);
        let between = BETWEEN.into_iter().find(|between| labels().all(|label| !label.contains(between)));
        let name = |(number, cell): (usize, &super::DraftCell)| match (&cell.id, between) {
            (Some(id), _) => id.clone(),
            (None, Some(between)) => {
                let labels = self.dimensions.iter().zip(&cell.coordinates);
                let labels: Vec<&str> = labels.map(|(dimension, &label)| dimension.label(label)).collect();
                CellId::Text(labels.join(between))
            }
            (None, None) => CellId::Text(format!("cell {}", number + 1)),
        };
        self.cells.iter().enumerate().map(name).collect()
    }
}
