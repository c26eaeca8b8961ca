//! Data keys that a document still names: cells that were not seen must not lose their key.
//!
//! A command that opens or exchanges every cell takes the old data keys away. Another program may have written a cell so that it is not
//! recognised any more, or it may stand inside another value. So the finished bytes are searched for the names of those keys, as text,
//! as UTF-16 and in hexadecimal digits; eight characters of chance do not come up by themselves.

use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::io::{self, Read, Seek as _};

use memchr::memmem::Finder;

/// Bytes that are read at once.
const PIECE: usize = 1 << 18;

/// Names that are looked for one by one, which for a few is the fastest way.
const FEW: usize = 4;

/// How many bytes tell forms apart when there are many.
const WINDOW: usize = 8;

/// Which of these names occur in a file, in time linear in its length however many there are.
pub(super) fn still_named(mut file: &File, names: &[String]) -> io::Result<Vec<String>> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    file.rewind()?;
    search(file, names)
}

fn search(mut bytes: impl Read, names: &[String]) -> io::Result<Vec<String>> {
    let forms: Vec<(Vec<u8>, &String)> = names.iter().flat_map(|name| forms(name).map(|form| (form, name))).collect();
    let longest = forms.iter().map(|(form, _)| form.len()).max().unwrap_or(0);
    let find = Find::of(&forms);
    let mut found = BTreeSet::new();
    let mut piece = Vec::with_capacity(PIECE + longest);
    while bytes.by_ref().take(PIECE as u64).read_to_end(&mut piece)? > 0 {
        find.all(&piece, |form| {
            found.insert(forms[form].1.clone());
        });
        // One may begin here and end in the next piece.
        piece.drain(..piece.len().saturating_sub(longest - 1));
    }
    Ok(found.into_iter().collect())
}

/// How a name may stand in a file. The one of UTF-16 is part of both byte orders.
fn forms(name: &str) -> [Vec<u8>; 4] {
    let mut wide: Vec<u8> = name.bytes().flat_map(|byte| [byte, 0]).collect();
    wide.pop();
    let digits = |digits: String| digits.into_bytes();
    [
        name.as_bytes().to_vec(),
        wide,
        digits(base16ct::lower::encode_string(name.as_bytes())),
        digits(base16ct::upper::encode_string(name.as_bytes())),
    ]
}

/// Where forms are, for few of them or for many.
enum Find<'a> {
    OneByOne(Vec<Finder<'a>>),
    ByWindow { forms: &'a [(Vec<u8>, &'a String)], of: HashMap<[u8; WINDOW], Vec<usize>> },
}

impl<'a> Find<'a> {
    fn of(forms: &'a [(Vec<u8>, &'a String)]) -> Self {
        let is_short = forms.iter().any(|(form, _)| form.len() < WINDOW);
        if forms.len() <= 4 * FEW || is_short {
            return Self::OneByOne(forms.iter().map(|(form, _)| Finder::new(form)).collect());
        }
        let mut of: HashMap<[u8; WINDOW], Vec<usize>> = HashMap::new();
        for (number, (form, _)) in forms.iter().enumerate() {
            if let Some(start) = form.first_chunk() {
                of.entry(*start).or_default().push(number);
            }
        }
        Self::ByWindow { forms, of }
    }

    /// Tells the number of every form that occurs.
    fn all(&self, bytes: &[u8], mut tell: impl FnMut(usize)) {
        match self {
            Self::OneByOne(finders) => {
                let found = finders.iter().enumerate().filter(|(_, finder)| finder.find(bytes).is_some());
                found.for_each(|(number, _)| tell(number));
            }
            Self::ByWindow { forms, of } => {
                for at in 0..bytes.len() {
                    let numbers = bytes[at..].first_chunk().and_then(|start: &[u8; WINDOW]| of.get(start));
                    let here = |number: &&usize| bytes[at..].starts_with(&forms[**number].0);
                    numbers.into_iter().flatten().filter(here).for_each(|number| tell(*number));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|number| format!("kZ3b{number:04}")).collect()
    }

    #[test]
    fn every_form_is_found_wherever_it_stands_among_few_and_many() {
        for count in [1, FEW, FEW + 1, 500] {
            let names = names(count);
            let wanted = &names[count / 2];
            for form in forms(wanted) {
                for before in [0, 1, 7, PIECE - 40, PIECE - 9, PIECE - 1, PIECE, 2 * PIECE - 3] {
                    let text = [vec![b'k'; before], form.clone(), b"kZ3b".to_vec()].concat();
                    assert_eq!(
                        search(text.as_slice(), &names).unwrap(),
                        std::slice::from_ref(wanted),
                        "{count} {before}"
                    );
                }
            }
        }
    }

    #[test]
    fn what_is_not_whole_is_not_found() {
        for count in [1, 500] {
            let names = names(count);
            for form in forms(&names[0]) {
                let text = [&form[..form.len() - 1], b"?", &form[1..]].concat();
                assert!(search(text.as_slice(), &names).unwrap().is_empty(), "{text:?}");
            }
            assert!(search(&b""[..], &names).unwrap().is_empty());
        }
    }
}
