//! Holders: the secret key that each one keeps, and the public key that policies are written with.

use age::secrecy::ExposeSecret as _;
use age::x25519;
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use super::passphrase::{is_for_a_key, is_out_of_memory};
use super::{KeyError, NotAfter, Passphrase};
use crate::shown::beginning;

/// Whose key it is where its file does not say.
const UNNAMED: &str = "unnamed";

const ARMOUR: &str = "-----BEGIN AGE ENCRYPTED FILE-----";

/// Checks a name by which a holder is told from the others, in messages and in names of files.
pub fn check_holder_name(name: &str) -> Result<(), KeyError> {
    let fits = (1..=64).contains(&name.chars().count())
        && name.trim() == name
        && name.chars().all(|c| c.is_alphanumeric() || " .-_".contains(c))
        && !name.starts_with('.');
    if fits { Ok(()) } else { Err(KeyError::HolderName(beginning(name))) }
}

/// The secret key of a holder: an age identity, one for all policies. Its file is `NAME.ukey`.
pub struct HolderSecret {
    name: String,
    identity: x25519::Identity,
}

impl HolderSecret {
    /// A new key for a holder of this name.
    ///
    /// ```
    /// use tamis_ucrypt::key::HolderSecret;
    /// let doctor = HolderSecret::generate("doctor").unwrap();
    /// let file = doctor.to_file(None).unwrap();
    /// let again = HolderSecret::from_file(&file, None).unwrap();
    /// assert_eq!(again.recipient(), doctor.recipient());
    /// ```
    pub fn generate(name: &str) -> Result<Self, KeyError> {
        check_holder_name(name)?;
        Ok(Self { name: name.to_owned(), identity: x25519::Identity::generate() })
    }

    /// The name that the key was made for. A policy may know the holder by another name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name, unless the file gave none.
    pub fn known_name(&self) -> Option<&str> {
        (self.name != UNNAMED).then_some(&self.name)
    }

    /// The public key, as `age1...`.
    pub fn recipient(&self) -> String {
        self.identity.to_public().to_string()
    }

    /// What others need to make this holder one of their policy.
    pub fn public(&self, not_after: Option<NotAfter>) -> HolderPublic {
        HolderPublic { name: self.name.clone(), recipient: self.recipient(), not_after }
    }

    /// The secret key as age writes it.
    pub(super) fn identity_text(&self) -> Zeroizing<String> {
        Zeroizing::new(self.identity.to_string().expose_secret().to_owned())
    }

    pub(super) fn identity(&self) -> &x25519::Identity {
        &self.identity
    }

    /// The text of the file: an age identity file, encrypted if there is a passphrase.
    pub fn to_file(&self, passphrase: Option<&Passphrase>) -> Result<Zeroizing<String>, KeyError> {
        let secret = self.identity.to_string();
        let mut text = Zeroizing::new(String::with_capacity(512));
        for part in [
            "# The secret key of a holder of sealed fields. Whoever has it takes part in the holder's name.\n# holder: ",
            &self.name,
            "\n# public key: ",
            &self.recipient(),
            "\n",
            secret.expose_secret(),
            "\n",
        ] {
            text.push_str(part);
        }
        match passphrase {
            None => Ok(text),
            Some(passphrase) => passphrase.encrypt(text.as_bytes()).map(Zeroizing::new),
        }
    }

    /// Whether the text of a file is encrypted with a passphrase.
    pub fn needs_passphrase(file: &str) -> bool {
        file.trim_start().starts_with(ARMOUR)
    }

    /// Whether the text of a file is something that was encrypted for the key of somebody, as grants are.
    pub fn is_grant(file: &str) -> bool {
        Self::needs_passphrase(file) && is_for_a_key(file.trim_start())
    }

    /// Reads the text of a file.
    pub fn from_file(file: &str, passphrase: Option<&Passphrase>) -> Result<Self, KeyError> {
        if !Self::needs_passphrase(file) {
            return Self::from_plain(file);
        }
        let passphrase = passphrase.ok_or(KeyError::PassphraseNeeded)?;
        let plain = passphrase.decrypt(file.trim_start()).map_err(|error| match error {
            error if is_out_of_memory(&error) => KeyError::Memory,
            age::DecryptError::ExcessiveWork { .. } => {
                KeyError::SecretFile("its passphrase asks for more work than is reasonable")
            }
            age::DecryptError::KeyDecryptionFailed | age::DecryptError::DecryptionFailed => KeyError::Passphrase,
            _ => KeyError::SecretFile("its encryption is damaged"),
        })?;
        let plain = str::from_utf8(&plain).map_err(|_| KeyError::SecretFile("it is not text"))?;
        Self::from_plain(plain)
    }

    fn from_plain(file: &str) -> Result<Self, KeyError> {
        if HolderPublic::from_file(file).is_ok() {
            return Err(KeyError::OtherFile("it is a public key (.upub); the secret one (.ukey) is needed here"));
        }
        let mut name = None;
        let mut identity = None;
        for line in file.lines().map(str::trim).filter(|line| !line.is_empty()) {
            if let Some(comment) = line.strip_prefix('#') {
                if let Some(text) = comment.trim_start().strip_prefix("holder:") {
                    name = Some(text.trim());
                }
            } else if !line.to_ascii_uppercase().starts_with("AGE-SECRET-KEY-") {
                return Err(KeyError::OtherFile(
                    "it is no secret key (.ukey); words from a paper are given with --words-file",
                ));
            } else if identity.replace(line).is_some() {
                return Err(KeyError::SecretFile("it holds more than one key"));
            }
        }
        let identity = identity.ok_or(KeyError::SecretFile("it holds no key"))?;
        // What the reader says is not passed on: it could quote the key.
        let identity = identity.parse().map_err(|_| KeyError::SecretFile("AGE-SECRET-KEY-1... is expected"))?;
        // A key made by age itself has no name; its file is named by whoever offers it.
        let name = name.unwrap_or(UNNAMED);
        check_holder_name(name)?;
        Ok(Self { name: name.to_owned(), identity })
    }
}

/// The public key of a holder. Its file is `NAME.upub`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HolderPublic {
    /// The name.
    pub name: String,
    /// The key, as `age1...`.
    pub recipient: String,
    /// Until when the holder wants to, or may, take part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_after: Option<NotAfter>,
}

impl HolderPublic {
    /// The text of the file.
    pub fn to_file(&self) -> String {
        let quoted = |text: &str| toml::Value::from(text);
        let not_after = self.not_after.as_ref().map(|not_after| {
            let text = quoted(not_after.as_str());
            format!("not_after = {text}\n")
        });
        format!(
            "# The public key of a holder of sealed fields, for the owner of a policy.\nname = {}\nrecipient = {}\n{}",
            quoted(&self.name),
            quoted(&self.recipient),
            not_after.unwrap_or_default()
        )
    }

    /// Reads the text of a file.
    ///
    /// ```
    /// use tamis_ucrypt::key::{HolderPublic, HolderSecret};
    /// let payer = HolderSecret::generate("payer").unwrap();
    /// let public = payer.public(Some("2030-12-31".parse().unwrap()));
    /// assert_eq!(HolderPublic::from_file(&public.to_file()).unwrap(), public);
    /// ```
    pub fn from_file(file: &str) -> Result<Self, KeyError> {
        if file.contains("AGE-SECRET-KEY-1") || HolderSecret::needs_passphrase(file) {
            let why =
                "it is a secret key (.ukey), which its holder gives to nobody; the public one (.upub) is needed here";
            return Err(KeyError::PublicFile(why.to_owned()));
        }
        let public: Self = toml::from_str(file).map_err(|error| KeyError::PublicFile(error.message().to_owned()))?;
        check_holder_name(&public.name)?;
        Ok(Self { recipient: usual_recipient(&public.recipient)?, ..public })
    }
}

/// A public key as keys are compared, in small letters: capital ones are the same key.
pub(crate) fn usual_recipient(text: &str) -> Result<String, KeyError> {
    match text.parse::<x25519::Recipient>() {
        Ok(recipient) => Ok(recipient.to_string()),
        Err(_) => Err(KeyError::Recipient(beginning(text))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(file: &str, passphrase: Option<&Passphrase>) -> KeyError {
        match HolderSecret::from_file(file, passphrase) {
            Ok(_) => panic!("the file is not refused"),
            Err(error) => error,
        }
    }

    #[test]
    fn a_key_file_under_a_passphrase_opens_with_it_alone() {
        let doctor = HolderSecret::generate("doctor").unwrap();
        let passphrase = Passphrase::new("correct horse".into()).with_cost(1);
        let file = doctor.to_file(Some(&passphrase)).unwrap();
        assert!(HolderSecret::needs_passphrase(&file));
        let again = HolderSecret::from_file(&file, Some(&passphrase)).unwrap();
        assert_eq!((again.name(), again.recipient()), ("doctor", doctor.recipient()));
        assert!(matches!(error(&file, None), KeyError::PassphraseNeeded));
        let wrong = Passphrase::new("wrong horse".into());
        assert!(matches!(error(&file, Some(&wrong)), KeyError::Passphrase));
        let cut = &file[..file.len() / 2];
        assert!(matches!(error(cut, Some(&passphrase)), KeyError::SecretFile(_)));
    }

    #[test]
    fn a_key_file_is_an_age_identity_file() {
        let doctor = HolderSecret::generate("doctor").unwrap();
        let file = doctor.to_file(None).unwrap();
        let identities = age::IdentityFile::from_buffer(file.as_bytes());
        assert!(identities.is_ok());
        let bare: String = file.lines().filter(|line| !line.starts_with('#')).collect();
        let unnamed = HolderSecret::from_file(&bare, None).unwrap();
        assert_eq!((unnamed.name(), unnamed.recipient()), ("unnamed", doctor.recipient()));
    }

    #[test]
    fn broken_key_files_are_refused_and_not_quoted() {
        let file = HolderSecret::generate("doctor").unwrap().to_file(None).unwrap();
        let key = file.lines().last().unwrap();
        let cut = &file[..file.len() - 3];
        let twice = format!("{}{key}\n", *file);
        for broken in ["", "# holder: doctor\n", cut, &twice, &file.replace("doctor", "../doctor")] {
            let message = error(broken, None).to_string();
            assert!(!message.contains("AGE-SECRET-KEY-1Q") && !message.contains(&key[20..]), "{message}");
        }
    }

    #[test]
    fn a_public_key_in_the_place_of_a_secret_one_is_told_and_the_other_way_round() {
        let doctor = HolderSecret::generate("doctor").unwrap();
        let message = error(&doctor.public(None).to_file(), None).to_string();
        assert!(message.contains("public key (.upub)"), "{message}");
        let secret = doctor.to_file(None).unwrap();
        let message = HolderPublic::from_file(&secret).unwrap_err().to_string();
        assert!(message.contains("secret key (.ukey)"), "{message}");
        assert!(!message.contains("AGE-SECRET-KEY"), "{message}");
    }

    #[test]
    fn names_of_holders_are_names_of_files_too() {
        for name in ["doctor", "Dr. Kwiatkowski-Nowak", "płatnik_2", "x"] {
            assert!(check_holder_name(name).is_ok(), "{name}");
        }
        for name in ["", " x", "x ", "a/b", "..", ".x", "a\nb", "a\"b", &"x".repeat(65)] {
            assert!(check_holder_name(name).is_err(), "{name}");
        }
    }

    #[test]
    fn a_public_key_in_capital_letters_is_the_same_key() {
        let public = HolderSecret::generate("doctor").unwrap().public(None);
        let loud = public.to_file().replace(&public.recipient, &public.recipient.to_ascii_uppercase());
        assert!(loud.contains("AGE1"));
        assert_eq!(HolderPublic::from_file(&loud).unwrap(), public);
    }

    #[test]
    fn broken_public_files_are_refused() {
        let file = HolderSecret::generate("doctor").unwrap().public(None).to_file();
        for (from, to) in [("doctor", "a/b"), ("age1", "age2"), ("name", "nom"), ("\n", "\nnot_after = \"soon\"\n")] {
            let broken = file.replacen(from, to, 1);
            assert!(HolderPublic::from_file(&broken).is_err(), "{broken}");
        }
    }
}
