//! Data-key headers: the wrapped keys that travel with the cells they opened or sealed.
//!
//! A header says which data key it is and holds it, wrapped to the public key of its policy. Nothing in it is secret. It stands
//! * in an XML document as a processing instruction before the root: [`KeyHeader::to_instruction`];
//! * beside a CSV file in a sidecar `NAME.csv.ukeys` of JSON lines: [`KeyHeaders::to_sidecar`];
//! * in a database or its dump as a row of the table [`TABLE`].

mod instruction;
mod sidecar;

use std::collections::HashMap;

use crate::cell::KeyId;

/// The version of every header that this version of the program writes.
pub const VERSION: &str = "1";

/// The table that holds the headers in a database.
pub const TABLE: &str = "ucrypt_keys";

/// The columns of [`TABLE`], in the order in which its rows are written.
pub const TABLE_COLUMNS: [&str; 5] = ["kid", "pol", "ep", "born", "dk"];

/// Longest wrapped key, in bytes: those of this version take 108.
const LONGEST_KEY: usize = 1024;

/// Most headers of one document. Every one is a run of sealing, and opening works on each of them before it reads a cell.
const MOST: usize = 10_000;

/// Longest of the other texts of a header, in bytes.
const LONGEST_NAME: usize = 64;

/// One wrapped data key.
///
/// ```
/// use tamis_ucrypt::document::header::KeyHeader;
/// let header = KeyHeader::new("p7Q2", "1", "kZ3bQ9xA", None, "AAEC")?;
/// assert_eq!(header.to_instruction(), r#"v="1" pol="p7Q2" ep="1" kid="kZ3bQ9xA" dk="AAEC""#);
/// assert_eq!(KeyHeader::from_instruction(&header.to_instruction())?, header);
/// # Ok::<(), tamis_ucrypt::document::header::HeaderError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyHeader {
    pol: String,
    ep: u32,
    kid: KeyId,
    born: Option<String>,
    dk: String,
}

impl KeyHeader {
    /// A header from its parts as they are written. Every text is short and of characters that no kind of document escapes.
    pub fn new(pol: &str, ep: &str, kid: &str, born: Option<&str>, dk: &str) -> Result<Self, HeaderError> {
        let plain = |name: &'static str, text: &str, longest: usize, extra: &[u8]| {
            let fits = |byte: u8| byte.is_ascii_alphanumeric() || extra.contains(&byte);
            let good = !text.is_empty() && text.len() <= longest && text.bytes().all(fits);
            if good { Ok(text.to_owned()) } else { Err(HeaderError::Part(name)) }
        };
        let epoch: u32 = ep.parse().map_err(|_| HeaderError::Part("ep"))?;
        if epoch.to_string() != ep {
            return Err(HeaderError::Part("ep"));
        }
        Ok(Self {
            pol: plain("pol", pol, LONGEST_NAME, b"-_.")?,
            ep: epoch,
            kid: kid.parse().map_err(|_| HeaderError::Part("kid"))?,
            born: born.map(|born| plain("born", born, LONGEST_NAME, b"-:.+")).transpose()?,
            dk: plain("dk", dk, LONGEST_KEY, b"+/=")?,
        })
    }

    /// The policy.
    pub fn pol(&self) -> &str {
        &self.pol
    }

    /// The epoch in which the key was born.
    pub fn ep(&self) -> u32 {
        self.ep
    }

    /// The data key.
    pub fn kid(&self) -> &KeyId {
        &self.kid
    }

    /// When it was born, as far as its writer cared to say.
    pub fn born(&self) -> Option<&str> {
        self.born.as_deref()
    }

    /// The key, wrapped.
    pub fn dk(&self) -> &str {
        &self.dk
    }

    /// The same key, wrapped anew.
    pub fn rewrapped(&self, dk: &str) -> Result<Self, HeaderError> {
        Self::new(&self.pol, &self.ep.to_string(), self.kid.as_str(), self.born(), dk)
    }
}

/// Why a header is none. What stands in it is not quoted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HeaderError {
    /// A part is missing or holds what it cannot hold.
    #[error("the data-key header has no valid {0}")]
    Part(&'static str),
    /// A part stands there twice, or is none that a header has.
    #[error("the data-key header says {0:?}, which it cannot say here")]
    Unknown(String),
    /// It was written by a later version.
    #[error("the data-key header has version {0:?}; this program reads version 1")]
    Version(String),
    /// It is not `name="value"` throughout.
    #[error("the data-key header is not well formed")]
    Form,
    /// It is not JSON of the names and values that a header has.
    #[error("not a header in JSON (at character {0})")]
    NotJson(usize),
    /// A line of a sidecar is no header.
    #[error("line {line} of the key file: {reason}")]
    Line {
        /// The line, counted from one.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// Two different headers for one key.
    #[error("there are two different headers for data key {kid} of policy {pol}")]
    Doubled {
        /// The policy.
        pol: String,
        /// The key.
        kid: KeyId,
    },
    /// More headers than a document may have.
    #[error("there are more than {MOST} data-key headers")]
    TooMany,
}

/// The headers of a document, each data key once, in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeyHeaders {
    all: Vec<KeyHeader>,
    /// Where in `all` the header of a key is, by policy and key.
    places: HashMap<String, HashMap<String, usize>>,
}

impl KeyHeaders {
    /// These headers. The same one twice is one.
    pub fn new(headers: impl IntoIterator<Item = KeyHeader>) -> Result<Self, HeaderError> {
        let mut all = Self::default();
        for header in headers {
            all.add(header)?;
        }
        Ok(all)
    }

    /// The headers in their order.
    pub fn as_slice(&self) -> &[KeyHeader] {
        &self.all
    }

    /// The header of a data key.
    pub fn get(&self, pol: &str, kid: &KeyId) -> Option<&KeyHeader> {
        self.find(pol, kid.as_str())
    }

    /// The header of a data key by the name that a cell gives it, whatever that is.
    pub(crate) fn find(&self, pol: &str, kid: &str) -> Option<&KeyHeader> {
        self.all.get(self.position(pol, kid)?)
    }

    /// Where among the headers that one is.
    pub(crate) fn position(&self, pol: &str, kid: &str) -> Option<usize> {
        self.places.get(pol)?.get(kid).copied()
    }

    /// Adds a header behind the others.
    pub fn add(&mut self, header: KeyHeader) -> Result<(), HeaderError> {
        match self.get(&header.pol, &header.kid) {
            None if self.all.len() >= MOST => return Err(HeaderError::TooMany),
            None => self.push(header),
            Some(known) if *known == header => {}
            Some(_) => return Err(HeaderError::Doubled { pol: header.pol, kid: header.kid }),
        }
        Ok(())
    }

    /// Adds a header if it is sound; what is wrong with it otherwise goes to the others that are damaged.
    pub(crate) fn take(
        &mut self,
        header: Result<KeyHeader, HeaderError>,
        damaged: &mut Vec<HeaderError>,
    ) -> Result<(), HeaderError> {
        match header.and_then(|header| self.add(header)) {
            Err(HeaderError::TooMany) => Err(HeaderError::TooMany),
            Err(_) if damaged.len() >= MOST => Err(HeaderError::TooMany),
            Err(error) => {
                damaged.push(error);
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }

    /// Puts a header in the place of the one that its data key had, or behind the others.
    pub fn replace(&mut self, header: KeyHeader) {
        let place = self.places.get(&header.pol).and_then(|keys| keys.get(header.kid.as_str()));
        match place {
            Some(&place) => self.all[place] = header,
            None => self.push(header),
        }
    }

    /// Keeps only some.
    pub fn retain(&mut self, keep: impl FnMut(&KeyHeader) -> bool) {
        self.all.retain(keep);
        self.index();
    }

    fn push(&mut self, header: KeyHeader) {
        let place = self.all.len();
        self.places.entry(header.pol.clone()).or_default().insert(header.kid.to_string(), place);
        self.all.push(header);
    }

    fn index(&mut self) {
        self.places.clear();
        for header in std::mem::take(&mut self.all) {
            self.push(header);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{HeaderError, KeyHeader, KeyHeaders};

    fn header(kid: &str, dk: &str) -> KeyHeader {
        KeyHeader::new("p7Q2", "1", kid, None, dk).unwrap()
    }

    #[test]
    fn a_document_has_no_more_than_ten_thousand_headers() {
        let mut headers = KeyHeaders::default();
        for number in 0..10_000 {
            headers.add(header(&format!("k{number:07}"), "AAEC")).unwrap();
        }
        assert_eq!(headers.add(header("k0000007", "AAEC")), Ok(()), "one that is there already");
        assert_eq!(headers.add(header("another_", "AAEC")), Err(HeaderError::TooMany));
        let lines: Vec<String> = (0..130_000)
            .map(|number| {
                format!("{{\"v\":\"1\",\"pol\":\"p{number}\",\"ep\":1,\"kid\":\"kZ3bQ9xA\",\"dk\":\"AAEC\"}}\n")
            })
            .collect();
        let refused = KeyHeaders::from_sidecar(&lines.concat()).unwrap_err().to_string();
        assert!(refused.contains("line 10001") && refused.contains("more than 10000"), "{refused}");
    }

    #[test]
    fn every_header_is_found_after_others_went() {
        let mut headers = KeyHeaders::new(["aaaaaaaa", "bbbbbbbb", "cccccccc"].map(|kid| header(kid, "AAEC"))).unwrap();
        headers.retain(|header| header.kid().as_str() == "cccccccc");
        assert_eq!(headers.find("p7Q2", "cccccccc"), Some(&header("cccccccc", "AAEC")));
        assert_eq!(headers.find("p7Q2", "aaaaaaaa"), None);
        assert_eq!(headers.find("other", "cccccccc"), None);
        assert_eq!(headers, KeyHeaders::new([header("cccccccc", "AAEC")]).unwrap());
    }

    #[test]
    fn a_key_has_one_header() {
        let mut headers = KeyHeaders::new([header("kZ3bQ9xA", "AAEC"), header("kZ3bQ9xA", "AAEC")]).unwrap();
        headers.add(header("bbbbbbbb", "AAEC")).unwrap();
        assert!(matches!(headers.add(header("kZ3bQ9xA", "BBBB")), Err(HeaderError::Doubled { .. })));
        headers.replace(header("kZ3bQ9xA", "BBBB"));
        assert_eq!(headers.as_slice(), [header("kZ3bQ9xA", "BBBB"), header("bbbbbbbb", "AAEC")]);
    }

    #[test]
    fn parts_hold_nothing_that_a_document_would_have_to_escape() {
        let new = |pol: &str, ep: &str, born: Option<&str>, dk: &str| KeyHeader::new(pol, ep, "kZ3bQ9xA", born, dk);
        assert_eq!(new("p\"", "1", None, "AA"), Err(HeaderError::Part("pol")));
        assert_eq!(new("", "1", None, "AA"), Err(HeaderError::Part("pol")));
        assert_eq!(new("p", "01", None, "AA"), Err(HeaderError::Part("ep")));
        assert_eq!(new("p", "-1", None, "AA"), Err(HeaderError::Part("ep")));
        assert_eq!(new("p", "1", Some("today?>"), "AA"), Err(HeaderError::Part("born")));
        assert_eq!(new("p", "1", None, "A'A"), Err(HeaderError::Part("dk")));
        assert_eq!(new("p", "1", None, &"A".repeat(1025)), Err(HeaderError::Part("dk")));
        assert!(new("p", "1", Some("2026-02-01T12:00:00+01:00"), "AA==").is_ok());
        assert!(KeyHeader::new("p", "1", "short", None, "AA").is_err());
    }
}
