//! One column: a code per row into a dictionary, stored in as few bytes as the dictionary needs.

use crate::sealed::{SEALED, is_sealed};
use crate::{DataType, Dictionary, Interner, TableError};

/// Position of a value in its column's dictionary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(pub u32);

/// The codes of a column, one to four bytes a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Codes {
    /// At most 256 distinct values.
    Narrow(Vec<u8>),
    /// At most 65,536 distinct values.
    Medium(Vec<u16>),
    /// Anything larger.
    Wide(Vec<u32>),
}

impl Codes {
    /// Number of rows.
    pub fn len(&self) -> usize {
        match self {
            Self::Narrow(codes) => codes.len(),
            Self::Medium(codes) => codes.len(),
            Self::Wide(codes) => codes.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The code at `row`. Panics past the end.
    #[inline]
    pub fn get(&self, row: usize) -> u32 {
        match self {
            Self::Narrow(codes) => u32::from(codes[row]),
            Self::Medium(codes) => u32::from(codes[row]),
            Self::Wide(codes) => codes[row],
        }
    }

    /// Calls `each(row, code)` for every row in order; the width is decided once, outside the loop.
    pub fn for_each(&self, mut each: impl FnMut(usize, u32)) {
        match self {
            Self::Narrow(codes) => codes.iter().enumerate().for_each(|(row, &code)| each(row, code.into())),
            Self::Medium(codes) => codes.iter().enumerate().for_each(|(row, &code)| each(row, code.into())),
            Self::Wide(codes) => codes.iter().enumerate().for_each(|(row, &code)| each(row, code)),
        }
    }

    #[inline]
    fn push(&mut self, code: u32) {
        match self {
            Self::Narrow(codes) => match u8::try_from(code) {
                Ok(code) => codes.push(code),
                Err(_) => self.widen_and_push(code),
            },
            Self::Medium(codes) => match u16::try_from(code) {
                Ok(code) => codes.push(code),
                Err(_) => self.widen_and_push(code),
            },
            Self::Wide(codes) => codes.push(code),
        }
    }

    #[cold]
    fn widen_and_push(&mut self, code: u32) {
        *self = match std::mem::replace(self, Self::Narrow(Vec::new())) {
            Self::Narrow(codes) => Self::Medium(codes.into_iter().map(u16::from).collect()),
            Self::Medium(codes) => Self::Wide(codes.into_iter().map(u32::from).collect()),
            wide @ Self::Wide(_) => wide,
        };
        self.push(code);
    }
}

/// A named, typed column of a [`Table`](crate::Table).
///
/// The missing value, if the column has one, is an ordinary entry of the dictionary whose code [`Column::missing`] tells. Sealed fields are
/// a missing category of their own: one entry, [`SEALED`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    name: String,
    data_type: DataType,
    dictionary: Dictionary,
    codes: Codes,
    missing: Option<Code>,
    spellings: Spellings,
}

/// How rows spell their missing value, where they do so in several ways.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Spellings {
    texts: Vec<String>,
    /// The rows with a missing value in ascending order, each with the position of its spelling; empty if there is one spelling.
    of_row: Vec<(u32, u32)>,
}

impl Spellings {
    fn push(&mut self, row: usize, text: &str) {
        let known = self.texts.iter().position(|known| known == text);
        let position = known.unwrap_or_else(|| {
            self.texts.push(text.to_owned());
            self.texts.len() - 1
        });
        self.of_row.push((row as u32, position as u32));
    }

    fn position(&self, row: usize) -> Option<usize> {
        let found = self.of_row.binary_search_by_key(&row, |&(row, _)| row as usize).ok()?;
        Some(self.of_row[found].1 as usize)
    }
}

impl Column {
    /// The header of the column.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The narrowest type that all values but the missing and the sealed one have.
    pub fn data_type(&self) -> DataType {
        self.data_type
    }

    /// The distinct values.
    pub fn dictionary(&self) -> &Dictionary {
        &self.dictionary
    }

    /// The code of every row.
    pub fn codes(&self) -> &Codes {
        &self.codes
    }

    /// The code that stands for a missing value, if the column has one.
    pub fn missing(&self) -> Option<Code> {
        self.missing
    }

    /// The code that stands for every sealed field, if the column has one. Time: O(distinct values).
    ///
    /// ```
    /// use tamis_table::ColumnBuilder;
    /// let mut builder = ColumnBuilder::new("disease");
    /// for text in ["flu", "<UCRYPT v=\"1\">AAEC</UCRYPT>", "", "<UCRYPT v=\"1\">AwQF</UCRYPT>"] {
    ///     builder.push(text)?;
    /// }
    /// let column = builder.finish();
    /// assert_eq!(column.dictionary().len(), 3);
    /// assert_eq!(column.text(1), "<UCRYPT/>");
    /// assert_eq!(column.sealed().map(|code| code.0), Some(column.codes().get(3)));
    /// assert_ne!(column.sealed(), column.missing());
    /// # Ok::<(), tamis_table::TableError>(())
    /// ```
    pub fn sealed(&self) -> Option<Code> {
        self.dictionary.iter().position(|text| text == SEALED).map(|code| Code(code as u32))
    }

    /// The text at `row`. Panics past the end.
    pub fn text(&self, row: usize) -> &str {
        self.dictionary.text(self.codes.get(row))
    }

    /// The ways in which rows spell their missing value, if there are several; [`Column::spelling`] tells which row has which.
    pub fn spellings(&self) -> &[String] {
        &self.spellings.texts
    }

    /// The position among [`Column::spellings`] of how this row spells its missing value; none if it has a value, or if all rows spell a
    /// missing one alike.
    ///
    /// ```
    /// use tamis_table::ColumnBuilder;
    /// let mut builder = ColumnBuilder::new("born").missing(&["31.02.1950".to_owned(), "NA".to_owned()]);
    /// for text in ["31.02.1950", "01.03.1950", "NA", "NA"] {
    ///     builder.push(text)?;
    /// }
    /// let column = builder.finish();
    /// assert_eq!(column.text(0), "NA");
    /// assert_eq!(column.spelling(0).map(|position| column.spellings()[position].as_str()), Some("31.02.1950"));
    /// assert_eq!(column.spelling(1), None);
    /// # Ok::<(), tamis_table::TableError>(())
    /// ```
    pub fn spelling(&self, row: usize) -> Option<usize> {
        self.spellings.position(row)
    }

    /// This column, whose rows are those of another, with the missing values of both spelled as the other has them.
    ///
    /// ```
    /// use tamis_table::ColumnBuilder;
    /// let missing = ["NA".to_owned(), "?".to_owned()];
    /// let column = |texts: [&str; 3]| {
    ///     let mut builder = ColumnBuilder::new("age").missing(&missing);
    ///     texts.iter().try_for_each(|text| builder.push(text)).map(|()| builder.finish())
    /// };
    /// let coded = column(["NA", "90", "NA"])?.spelled_like(&column(["?", "97", "NA"])?);
    /// assert_eq!([0, 1, 2].map(|row| coded.spelled_text(row)), ["?", "90", "NA"]);
    /// # Ok::<(), tamis_table::TableError>(())
    /// ```
    #[must_use]
    pub fn spelled_like(mut self, other: &Self) -> Self {
        if let Some(Code(missing)) = self.missing
            && self.codes.len() == other.codes.len()
        {
            let mut spellings = Spellings::default();
            for &(row, position) in &other.spellings.of_row {
                if self.codes.get(row as usize) == missing {
                    spellings.push(row as usize, &other.spellings.texts[position as usize]);
                }
            }
            self.spellings = spellings;
        }
        self
    }

    /// The text at `row` as the row spells it, also where it spells a missing value otherwise than others. Panics past the end.
    pub fn spelled_text(&self, row: usize) -> &str {
        self.spelling(row).map_or_else(|| self.text(row), |position| &self.spellings.texts[position])
    }

    /// The values that occur, without the missing and the sealed one, and how many rows hold each: what hierarchies are built from.
    pub fn counted_values(&self) -> Vec<(&str, u64)> {
        let missing = self.missing.map(|code| code.0 as usize);
        let counted = self.dictionary.iter().zip(self.frequencies()).enumerate();
        counted
            .filter(|&(code, (text, count))| Some(code) != missing && text != SEALED && count > 0)
            .map(|(_, value)| value)
            .collect()
    }

    /// The column over the given rows, with only the values that they hold, in the order in which they hold them. Panics past the end.
    #[must_use]
    pub fn select(&self, rows: &[usize]) -> Self {
        let mut new_codes = vec![None; self.dictionary.len()];
        let mut interner = Interner::default();
        let mut codes = Codes::Narrow(Vec::new());
        for &row in rows {
            let old = self.codes.get(row);
            let new = *new_codes[old as usize].get_or_insert_with(|| {
                // The part of a dictionary that fits has no more values or bytes than the dictionary, which fits.
                interner.intern(self.dictionary.text(old)).unwrap_or_default()
            });
            codes.push(new);
        }
        let missing = self.missing.and_then(|code| new_codes[code.0 as usize]).map(Code);
        let dictionary = interner.finish();
        let is_present = |code: usize, text: &str| missing != Some(Code(code as u32)) && text != SEALED;
        let present = dictionary.iter().enumerate().filter(|&(code, text)| is_present(code, text));
        let data_type = DataType::of(present.map(|(_, text)| text));
        let mut spellings = Spellings::default();
        for (new, &old) in rows.iter().enumerate() {
            if let Some(position) = self.spelling(old) {
                spellings.push(new, &self.spellings.texts[position]);
            }
        }
        Self { name: self.name.clone(), data_type, dictionary, codes, missing, spellings }
    }

    /// How many rows hold each code.
    pub fn frequencies(&self) -> Vec<u64> {
        let mut counts = vec![0; self.dictionary.len()];
        self.codes.for_each(|_, code| counts[code as usize] += 1);
        counts
    }
}

/// The spelling that stands for all of them where rows spell a missing value in several ways: none if there is one among the named,
/// else the first that rows have, or that is named, and that reads like no value. A digit makes a number, a date or a code of it; where all
/// have one, nothing is written, or something that is no value of the column.
fn spelling_of_missing<'a>(named: &'a [String], met: &'a [String], is_value: impl Fn(&str) -> bool) -> &'a str {
    if named.iter().any(String::is_empty) {
        return "";
    }
    let in_use = named.iter().filter(|text| met.contains(text));
    let neutral = |text: &&str| !text.contains(|character: char| character.is_ascii_digit());
    let mut all = in_use.chain(named).map(String::as_str);
    let unnamed = ["", "NA", "missing"].into_iter().find(|text| !is_value(text));
    all.find(neutral).or(unnamed).unwrap_or("(missing)")
}

/// Collects the values of one column, row by row.
#[derive(Debug)]
pub struct ColumnBuilder {
    name: String,
    interner: Interner,
    codes: Codes,
    missing_texts: Vec<String>,
    missing: Option<u32>,
    /// How they are spelled, from the first row with another spelling than the first on.
    spellings: Spellings,
    last: Option<u32>,
}

impl ColumnBuilder {
    /// An empty column; the empty text counts as missing.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            interner: Interner::default(),
            codes: Codes::Narrow(Vec::new()),
            missing_texts: vec![String::new()],
            missing: None,
            spellings: Spellings::default(),
            last: None,
        }
    }

    /// Says which texts mean that the value is missing. They share one code. Its text is the spelling that the rows have, or where they
    /// have several the empty one if it is among `texts`, otherwise one that reads like no value: how one row is spelled says nothing
    /// about the others, and `31.02.1950` in the place of `NA` would be an invented date.
    #[must_use]
    pub fn missing(mut self, texts: &[String]) -> Self {
        self.missing_texts = texts.to_vec();
        self
    }

    /// The header of the column.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Appends a row.
    #[inline]
    pub fn push(&mut self, text: &str) -> Result<(), TableError> {
        // Neighbouring rows often agree; comparing with the last text is cheaper than hashing.
        if let Some(last) = self.last
            && self.interner.dictionary().bytes(last) == text.as_bytes()
        {
            self.codes.push(last);
            return Ok(());
        }
        let text = if is_sealed(text) { SEALED } else { text };
        // Missing values may be spelled in several ways ("", "NA"); only one spelling enters the dictionary, so that it lists no
        // value that no row holds.
        let is_missing = self.missing_texts.iter().any(|missing| missing == text);
        let code = match self.missing {
            Some(missing) if is_missing => missing,
            _ => self.interner.intern(text).ok_or_else(|| self.too_large("distinct values or their bytes"))?,
        };
        if is_missing {
            self.missing = Some(code);
            if self.interner.dictionary().bytes(code) != text.as_bytes() {
                self.spell(text);
            }
        }
        self.push_code(code);
        Ok(())
    }

    /// Appends a row if its value was met before, which spares checking that the bytes are UTF-8; says whether it did.
    ///
    /// ```
    /// use tamis_table::ColumnBuilder;
    /// let mut column = ColumnBuilder::new("sex");
    /// assert!(!column.push_known(b"Male"));
    /// column.push("Male")?;
    /// assert!(column.push_known(b"Male"));
    /// assert_eq!(column.len(), 2);
    /// # Ok::<(), tamis_table::TableError>(())
    /// ```
    #[inline]
    #[must_use = "a value that is not known has to be pushed"]
    pub fn push_known(&mut self, bytes: &[u8]) -> bool {
        let known = match self.last {
            Some(last) if self.interner.dictionary().bytes(last) == bytes => Some(last),
            _ => self.interner.find_bytes(bytes),
        };
        let Some(code) = known else { return false };
        self.push_code(code);
        true
    }

    /// Number of rows so far.
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether no row was pushed yet.
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// The finished column, its type derived from its distinct values.
    pub fn finish(self) -> Column {
        let mut dictionary = self.interner.finish();
        let missing = self.missing.map(Code);
        let mut spellings = self.spellings;
        if let Some(Code(code)) = missing.filter(|_| !spellings.of_row.is_empty()) {
            // Only the rows that differ from the first spelling were taken down.
            let mut others = spellings.of_row.iter().copied().peekable();
            let mut of_row = Vec::new();
            self.codes.for_each(|row, found| {
                if found == code {
                    let other = others.next_if(|&(other, _)| other as usize == row);
                    of_row.push((row as u32, other.map_or(0, |(_, position)| position + 1)));
                }
            });
            spellings.of_row = of_row;
            spellings.texts.insert(0, dictionary.text(code).to_owned());
            let is_value =
                |text: &str| dictionary.iter().enumerate().any(|(i, known)| i != code as usize && known == text);
            let spelling = spelling_of_missing(&self.missing_texts, &spellings.texts, is_value);
            let mut respelled = Interner::default();
            for (position, text) in (0..).zip(dictionary.iter()) {
                // No value is spelled like a missing one, so that every text keeps its code.
                let _ = respelled.intern(if position == code { spelling } else { text });
            }
            dictionary = respelled.finish();
        }
        let is_missing = |code: usize| missing.is_some_and(|missing| missing.0 as usize == code);
        let is_present = |code: usize, text: &str| !is_missing(code) && text != SEALED;
        let present =
            dictionary.iter().enumerate().filter(|&(code, text)| is_present(code, text)).map(|(_, text)| text);
        let data_type = DataType::of(present);
        Column { name: self.name, data_type, dictionary, codes: self.codes, missing, spellings }
    }

    /// Takes down that the next row spells its missing value otherwise than the first that had one.
    #[cold]
    fn spell(&mut self, text: &str) {
        self.spellings.push(self.codes.len(), text);
    }

    #[inline]
    fn push_code(&mut self, code: u32) {
        self.codes.push(code);
        self.last = Some(code);
    }

    fn too_large(&self, what: &'static str) -> TableError {
        TableError::TooLarge { name: self.name.clone(), what }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sealed_fields_are_one_category_that_does_not_change_the_type() -> Result<(), TableError> {
        let mut builder = ColumnBuilder::new("age");
        let sealed = [" <UCRYPT cipher=\"A256GCM\">AA</UCRYPT>", "<UCRYPT>BB</UCRYPT>"];
        for text in [sealed[0], "7", "", sealed[1], "8", sealed[1]] {
            builder.push(text)?;
        }
        let column = builder.finish();
        assert_eq!(column.codes(), &Codes::Narrow(vec![0, 1, 2, 0, 3, 0]));
        assert_eq!((column.sealed(), column.missing()), (Some(Code(0)), Some(Code(2))));
        assert_eq!(column.data_type(), DataType::Integer);
        assert_eq!(column.counted_values(), [("7", 1), ("8", 1)]);
        assert_eq!(column.select(&[0, 1]).data_type(), DataType::Integer);
        for text in ["<UCRYPTED>", "UCRYPT", "a <UCRYPT>"] {
            assert!(!is_sealed(text), "{text}");
        }
        Ok(())
    }

    #[test]
    fn every_spelling_of_a_missing_value_has_one_code_and_one_text() -> Result<(), TableError> {
        let mut builder = ColumnBuilder::new("age").missing(&["NA".to_owned(), String::new()]);
        for text in ["NA", "7", "", "7", "", "NA", ""] {
            builder.push(text)?;
        }
        let column = builder.finish();
        assert_eq!(column.codes(), &Codes::Narrow(vec![0, 1, 0, 1, 0, 0, 0]));
        assert_eq!(column.missing(), Some(Code(0)));
        assert_eq!((column.dictionary().text(0), column.dictionary().text(1)), ("", "7"));
        assert_eq!(column.data_type(), DataType::Integer);
        Ok(())
    }
}
