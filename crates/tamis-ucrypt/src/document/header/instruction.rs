//! A header as what an XML processing instruction says.

use std::fmt::Write as _;

use super::{HeaderError, KeyHeader, VERSION};
use crate::shown::beginning;

impl KeyHeader {
    /// What stands between `<?ucrypt-key ` and `?>`.
    pub fn to_instruction(&self) -> String {
        let mut text = format!("v=\"{VERSION}\" pol=\"{}\" ep=\"{}\" kid=\"{}\"", self.pol, self.ep, self.kid);
        if let Some(born) = &self.born {
            // Writing to a string cannot fail.
            let _ = write!(text, " born=\"{born}\"");
        }
        let _ = write!(text, " dk=\"{}\"", self.dk);
        text
    }

    /// Reads what stands between `<?ucrypt-key ` and `?>`, in any order.
    pub fn from_instruction(text: &str) -> Result<Self, HeaderError> {
        const NAMES: [&str; 6] = ["v", "pol", "ep", "kid", "born", "dk"];
        let mut parts: [Option<&str>; 6] = [None; 6];
        let mut rest = text.trim_ascii();
        while !rest.is_empty() {
            let (name, after) = rest.split_once('=').ok_or(HeaderError::Form)?;
            let (name, after) = (name.trim_ascii_end(), after.trim_ascii_start());
            let quote = after.chars().next().filter(|first| matches!(first, '"' | '\'')).ok_or(HeaderError::Form)?;
            let (value, after) = after[1..].split_once(quote).ok_or(HeaderError::Form)?;
            let known = NAMES.iter().position(|known| *known == name);
            let part = known.map(|position| &mut parts[position]).filter(|part| part.is_none());
            *part.ok_or_else(|| HeaderError::Unknown(beginning(name)))? = Some(value);
            rest = after.trim_ascii_start();
            if rest.len() == after.len() && !rest.is_empty() {
                return Err(HeaderError::Form);
            }
        }
        let [v, pol, ep, kid, born, dk] = parts;
        match v {
            Some(VERSION) => {}
            Some(other) => return Err(HeaderError::Version(beginning(other))),
            None => return Err(HeaderError::Part("v")),
        }
        let part = |name, value: Option<_>| value.ok_or(HeaderError::Part(name));
        Self::new(part("pol", pol)?, part("ep", ep)?, part("kid", kid)?, born, part("dk", dk)?)
    }
}

#[cfg(test)]
mod tests {
    use super::{HeaderError, KeyHeader};

    #[test]
    fn order_quotes_and_white_space_are_free() {
        let read =
            KeyHeader::from_instruction(" dk = 'AA=='\n kid=\"kZ3bQ9xA\" born='2026-01-01' ep='3' pol='p' v='1'")
                .unwrap();
        assert_eq!(read, KeyHeader::new("p", "3", "kZ3bQ9xA", Some("2026-01-01"), "AA==").unwrap());
        assert_eq!(KeyHeader::from_instruction(&read.to_instruction()), Ok(read));
    }

    #[test]
    fn anything_else_is_refused() {
        let read = KeyHeader::from_instruction;
        let good = r#"v="1" pol="p" ep="1" kid="kZ3bQ9xA" dk="AA""#;
        assert!(read(good).is_ok());
        assert_eq!(read(&good.replace("v=\"1\"", "v=\"2\"")), Err(HeaderError::Version("2".into())));
        assert_eq!(read(&good.replace("v=\"1\" ", "")), Err(HeaderError::Part("v")));
        assert_eq!(read(&good.replace("dk=\"AA\"", "")), Err(HeaderError::Part("dk")));
        assert_eq!(read(&format!("{good} ep=\"2\"")), Err(HeaderError::Unknown("ep".into())));
        assert_eq!(read(&format!("{good} x=\"2\"")), Err(HeaderError::Unknown("x".into())));
        for broken in ["v", "v=1", "v=\"1", "v=\"1\"pol=\"p\"", "=\"\""] {
            assert!(read(broken).is_err(), "{broken}");
        }
    }
}
