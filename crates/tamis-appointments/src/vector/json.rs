//! Vectors in JSON documents.

use super::AnonymityVector;
use serde::Serialize;

/// The largest cell of a vector that is written with a number for every size up to it.
pub const LARGEST_DENSE: u64 = 100_000;

/// A vector as fields of a JSON document, to be flattened into it: `vector`, an array with the cells of size 1 first. Where the
/// largest cell makes that array longer than [`LARGEST_DENSE`], `cells` lists the sizes that occur instead and `note` says so:
/// a cell of a billion people is no reason to write a billion zeros.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct VectorJson {
    /// The cells of size 1, 2, ...
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vector: Option<Vec<u64>>,
    /// The sizes that occur.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cells: Option<Vec<SizeCount>>,
    /// Why there is no array.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// How many cells have a size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct SizeCount {
    /// People in each of them.
    pub size: u64,
    /// How many.
    pub cells: u64,
}

impl From<&AnonymityVector> for VectorJson {
    fn from(vector: &AnonymityVector) -> Self {
        match vector.dense_if_short() {
            Some(dense) => Self { vector: Some(dense), cells: None, note: None },
            None => Self {
                vector: None,
                cells: Some(vector.counts().iter().map(|&(size, cells)| SizeCount { size, cells }).collect()),
                note: Some(format!(
                    "the largest cell has {} people; above {LARGEST_DENSE} only the sizes that occur are listed, under `cells`",
                    vector.largest()
                )),
            },
        }
    }
}

impl AnonymityVector {
    /// The vector with a number for every size, unless its largest cell has more than [`LARGEST_DENSE`] people.
    pub fn dense_if_short(&self) -> Option<Vec<u64>> {
        (self.largest() <= LARGEST_DENSE).then(|| self.to_dense())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_of_a_billion_people_is_a_pair() {
        let short = VectorJson::from(&AnonymityVector::of_sizes([2, 2, LARGEST_DENSE]));
        assert_eq!(short.vector.as_ref().map(Vec::len), Some(100_000));
        assert_eq!((short.cells, short.note), (None, None));
        let long = VectorJson::from(&AnonymityVector::of_sizes([2, 2, 1_000_000_000]));
        let expected = vec![SizeCount { size: 2, cells: 2 }, SizeCount { size: 1_000_000_000, cells: 1 }];
        assert_eq!((long.vector, long.cells), (None, Some(expected)));
        assert!(long.note.is_some_and(|note| note.contains("1000000000 people")));
    }
}
