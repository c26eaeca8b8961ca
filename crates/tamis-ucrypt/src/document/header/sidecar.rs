//! Headers as a file of JSON lines beside a document.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{HeaderError, KeyHeader, KeyHeaders, VERSION};
use crate::shown::beginning;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line<'a> {
    v: Cow<'a, str>,
    pol: Cow<'a, str>,
    ep: u32,
    kid: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    born: Option<Cow<'a, str>>,
    dk: Cow<'a, str>,
}

impl KeyHeaders {
    /// The sidecar `NAME.ukeys` of these headers.
    ///
    /// ```
    /// use tamis_ucrypt::document::header::{KeyHeader, KeyHeaders};
    /// let headers = KeyHeaders::new([KeyHeader::new("p7Q2", "1", "kZ3bQ9xA", None, "AAEC")?])?;
    /// let text = headers.to_sidecar();
    /// assert_eq!(text, "{\"v\":\"1\",\"pol\":\"p7Q2\",\"ep\":1,\"kid\":\"kZ3bQ9xA\",\"dk\":\"AAEC\"}\n");
    /// assert_eq!(KeyHeaders::from_sidecar(&text)?, headers);
    /// # Ok::<(), tamis_ucrypt::document::header::HeaderError>(())
    /// ```
    pub fn to_sidecar(&self) -> String {
        let mut text = String::new();
        for header in self.as_slice() {
            let KeyHeader { pol, ep, kid, born, dk } = header;
            let born = born.as_deref().map(Cow::from);
            let (pol, kid, dk) = (pol.into(), kid.as_str().into(), dk.into());
            let line = Line { v: VERSION.into(), pol, ep: *ep, kid, born, dk };
            // Texts and a number are always JSON.
            text.push_str(&serde_json::to_string(&line).unwrap_or_default());
            text.push('\n');
        }
        text
    }

    /// Reads a sidecar. Empty lines are nothing, and neither is the byte order mark that some editors put in front.
    pub fn from_sidecar(text: &str) -> Result<Self, HeaderError> {
        let (headers, damaged) = Self::sound_of_sidecar(text)?;
        damaged.into_iter().next().map_or(Ok(headers), Err)
    }

    /// The sound headers of a sidecar, and what is wrong with its other lines.
    pub(crate) fn sound_of_sidecar(text: &str) -> Result<(Self, Vec<HeaderError>), HeaderError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let (mut headers, mut damaged) = (Self::default(), Vec::new());
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let refused = |reason: String| HeaderError::Line { line: at + 1, reason };
            let mut wrong = Vec::new();
            headers.take(header_of(line), &mut wrong).map_err(|error| refused(error.to_string()))?;
            let wrong = wrong.pop().map(|error| refused(error.to_string()));
            if let Some(error) = wrong {
                Self::default().take(Err(error), &mut damaged).map_err(|error| refused(error.to_string()))?;
            }
        }
        Ok((headers, damaged))
    }
}

fn header_of(line: &str) -> Result<KeyHeader, HeaderError> {
    // A parser's message may quote what it read; its position says enough.
    let read: Line<'_> = serde_json::from_str(line).map_err(|error| HeaderError::NotJson(error.column()))?;
    if read.v != VERSION {
        return Err(HeaderError::Version(beginning(&read.v)));
    }
    KeyHeader::new(&read.pol, &read.ep.to_string(), &read.kid, read.born.as_deref(), &read.dk)
}

#[cfg(test)]
mod tests {
    use super::{KeyHeader, KeyHeaders};

    #[test]
    fn what_is_written_is_read() {
        let one = KeyHeader::new("p", "1", "kZ3bQ9xA", Some("2026-01-01"), "AA==").unwrap();
        let two = KeyHeader::new("q", "4294967295", "kZ3bQ9xA", None, "a+/b").unwrap();
        let headers = KeyHeaders::new([one, two]).unwrap();
        assert_eq!(KeyHeaders::from_sidecar(&headers.to_sidecar()), Ok(headers.clone()));
        let windows = format!("\u{feff}\r\n{}\r\n", headers.to_sidecar().replace('\n', "\r\n"));
        assert_eq!(KeyHeaders::from_sidecar(&windows), Ok(headers));
        assert_eq!(KeyHeaders::from_sidecar(""), Ok(KeyHeaders::default()));
    }

    #[test]
    fn damaged_lines_are_named_and_not_quoted() {
        let good = r#"{"v":"1","pol":"p","ep":1,"kid":"kZ3bQ9xA","dk":"AA"}"#;
        for (line, sentence) in [
            ("{".to_owned(), "line 2 of the key file: not a header in JSON (at character 1)"),
            (
                good.replace("\"1\"", "\"2\""),
                "line 2 of the key file: the data-key header has version \"2\"; this program reads version 1",
            ),
            (good.replace("kZ3bQ9xA", "k"), "line 2 of the key file: the data-key header has no valid kid"),
            (
                good.replace("AA", "AB"),
                "line 2 of the key file: there are two different headers for data key kZ3bQ9xA of policy p",
            ),
        ] {
            let error = KeyHeaders::from_sidecar(&format!("{good}\n{line}\n")).unwrap_err();
            assert_eq!(error.to_string(), sentence);
        }
        assert!(KeyHeaders::from_sidecar(&good.replace("AA", "A\\/")).is_ok(), "as some writers of JSON escape");
        assert!(KeyHeaders::from_sidecar(&good.replace("\"pol\"", "\"secret\"")).is_err());
    }
}
