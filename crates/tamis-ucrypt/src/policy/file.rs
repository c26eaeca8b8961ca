//! The text of `NAME.upolicy`: TOML, written in one order with a word about each part.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::num::NonZeroU8;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use super::check::value;
use super::{Holder, Keeping, Policy, PolicyError, Proof, Selection};
use crate::cell::Binding;
use crate::key::{NotAfter, PolicyPublic};

/// Longest file that is read: 255 holders take about 150 kilobytes.
const LONGEST: usize = 4 << 20;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    v: u32,
    id: String,
    owner: String,
    element: String,
    p: usize,
    n: usize,
    epoch: u32,
    r#gen: u32,
    pk: String,
    cipher: String,
    bind: String,
    pad: usize,
    #[serde(default)]
    holder: Vec<FileHolder>,
    #[serde(default)]
    namespaces: BTreeMap<String, String>,
    #[serde(default)]
    table: Vec<Selection>,
    mac: FileCode,
    #[serde(default)]
    proof: Option<FileProof>,
    /// Only while the policy waits to take the place of another.
    #[serde(default)]
    handover: Option<FileCode>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileHolder {
    name: String,
    x: NonZeroU8,
    #[serde(default)]
    not_after: Option<NotAfter>,
    commitment: String,
    #[serde(default)]
    recipient: Option<String>,
    #[serde(default)]
    share: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileCode {
    code: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileProof {
    epoch: u32,
    pk: String,
    code: String,
}

/// The part that serde writes well by itself.
#[derive(Serialize)]
struct FileFields<'a> {
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    namespaces: &'a BTreeMap<String, String>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    table: &'a [Selection],
}

impl Policy {
    /// The text of the file.
    pub fn to_file(&self) -> String {
        let mut text = String::with_capacity(1024 + 600 * self.holders.len());
        self.write(&mut text).expect("a string takes any text");
        text
    }

    fn write(&self, text: &mut String) -> std::fmt::Result {
        let quoted = |text: &str| toml::Value::from(text);
        writeln!(
            text,
            "# A policy of sealed fields: who opens them, and which they are. Nothing in it is secret.\n\
             # It cannot be edited by hand: the code at its end is checked whenever fields are opened.\n\
             v = 1\nid = {}\nowner = {}\nelement = {}\n",
            quoted(&self.id),
            quoted(&self.owner),
            quoted(&self.element)
        )?;
        writeln!(
            text,
            "# Any p of the n holders open what is sealed.\np = {}\nn = {}\n",
            self.threshold,
            self.holders.len()
        )?;
        writeln!(
            text,
            "# The public key, how many keys the policy has had, and how often they were shared.\npk = \"{}\"\nepoch = {}\ngen = {}\n",
            self.public, self.epoch, self.generation
        )?;
        writeln!(
            text,
            "# How new cells are sealed.\ncipher = \"{}\"\nbind = \"{}\"\npad = {}",
            self.cipher, self.binding, self.pad
        )?;
        for holder in &self.holders {
            writeln!(text, "\n[[holder]]\nname = {}\nx = {}", quoted(&holder.name), holder.number)?;
            if let Some(not_after) = &holder.not_after {
                writeln!(text, "not_after = {}", quoted(not_after.as_str()))?;
            }
            writeln!(text, "commitment = \"{}\"", holder.commitment)?;
            if let Keeping::Wrapped { recipient, share } = &holder.keeping {
                writeln!(text, "recipient = \"{recipient}\"\nshare = \"{share}\"")?;
            }
        }
        let fields = toml::to_string(&FileFields { namespaces: &self.namespaces, table: &self.selections });
        let fields = fields.map_err(|_| std::fmt::Error)?;
        if !fields.is_empty() {
            writeln!(text, "\n# The fields to seal.\n{}", fields.trim_end())?;
        }
        if let Some(proof) = &self.proof {
            writeln!(
                text,
                "\n# That the holders of the key before agreed to this one.\n[proof]\nepoch = {}\npk = \"{}\"\ncode = \"{}\"",
                proof.epoch,
                proof.public,
                STANDARD.encode(proof.code)
            )?;
        }
        writeln!(text, "\n# That p holders agreed to all of the above.\n[mac]\ncode = \"{}\"", self.code_in_base64())
    }

    /// The text of `NAME.upolicy.next`: with the code of the holders before.
    pub(super) fn to_waiting_file(&self, code: &[u8; 32]) -> String {
        let code = STANDARD.encode(code);
        let why = "# That the holders of the key before wrote all of this, while it waits.";
        format!("{}\n{why}\n[handover]\ncode = \"{code}\"\n", self.to_file())
    }

    /// The code of the policy, as its file and its log have it.
    pub(crate) fn code_in_base64(&self) -> String {
        STANDARD.encode(self.code)
    }

    /// Reads and checks the text of a file, without the byte order mark that some editors put in front. Whether the holders vouch for it shows when they come together.
    pub fn from_file(text: &str) -> Result<Self, PolicyError> {
        Self::from_waiting_file(text).map(|(policy, _)| policy)
    }

    /// The same for `NAME.upolicy.next`, with the code of the holders before.
    pub fn from_waiting_file(text: &str) -> Result<(Self, Option<[u8; 32]>), PolicyError> {
        if text.len() > LONGEST {
            return Err(PolicyError::File(format!("it has {} bytes, and at most {LONGEST} are read", text.len())));
        }
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let file: File = toml::from_str(text).map_err(|error| {
            let line = error.span().map(|span| 1 + text[..span.start.min(text.len())].matches('\n').count());
            let line = line.map_or_else(String::new, |line| format!("line {line}: "));
            PolicyError::File(format!("{line}{}", error.message()))
        })?;
        let handover = file.handover.as_ref().map(|handover| code("handover", &handover.code)).transpose()?;
        Ok((file.into_policy()?, handover))
    }
}

impl File {
    fn into_policy(self) -> Result<Policy, PolicyError> {
        if self.v != 1 {
            return Err(PolicyError::Version(self.v));
        }
        if self.n != self.holder.len() {
            return Err(PolicyError::Count { said: self.n, listed: self.holder.len() });
        }
        if self.epoch == 0 || self.r#gen == 0 {
            return Err(value("epoch or gen", "0", "both count from 1"));
        }
        let policy = Policy {
            public: public("pk", &self.pk)?,
            cipher: self
                .cipher
                .parse()
                .map_err(|_| value("cipher", &self.cipher, "A256GCM, A256GCM-SIV or XC20P is expected"))?,
            binding: self.bind.parse::<Binding>().map_err(|_| value("bind", &self.bind, "rf, f or n is expected"))?,
            holders: self.holder.into_iter().map(FileHolder::into_holder).collect::<Result<_, _>>()?,
            code: code("mac", &self.mac.code)?,
            proof: self.proof.map(FileProof::into_proof).transpose()?,
            id: self.id,
            owner: self.owner,
            element: self.element,
            threshold: self.p,
            epoch: self.epoch,
            generation: self.r#gen,
            pad: self.pad,
            namespaces: self.namespaces,
            selections: self.table,
        };
        policy.check()?;
        Ok(policy)
    }
}

impl FileHolder {
    fn into_holder(self) -> Result<Holder, PolicyError> {
        let refused = |why: &str| PolicyError::Holder { holder: self.name.clone(), why: why.to_owned() };
        let commitment =
            self.commitment.parse().map_err(|why| refused(&format!("its commitment is damaged: {why}")))?;
        let keeping = match (self.recipient, self.share) {
            (Some(recipient), Some(share)) => {
                if !share.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte)) {
                    return Err(refused("its share is damaged: it is not base64"));
                }
                Keeping::Wrapped { recipient, share }
            }
            (None, None) => Keeping::Bare,
            _ => return Err(refused("recipient and share belong together")),
        };
        Ok(Holder { name: self.name, number: self.x, not_after: self.not_after, commitment, keeping })
    }
}

impl FileProof {
    fn into_proof(self) -> Result<Proof, PolicyError> {
        Ok(Proof { epoch: self.epoch, public: public("proof.pk", &self.pk)?, code: code("proof.code", &self.code)? })
    }
}

fn public(key: &'static str, text: &str) -> Result<PolicyPublic, PolicyError> {
    text.parse().map_err(|_| value(key, text, "32 bytes in base64 are expected"))
}

fn code(key: &'static str, text: &str) -> Result<[u8; 32], PolicyError> {
    let bytes = STANDARD.decode(text).ok().and_then(|bytes| bytes.try_into().ok());
    bytes.ok_or_else(|| value(key, text, "32 bytes in base64 are expected"))
}
