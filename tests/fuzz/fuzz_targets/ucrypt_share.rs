//! Any text is a share on paper, a key of a holder or a clear error that quotes nothing of it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tamis_ucrypt::key::{BareShare, HolderPublic, HolderSecret, KeyError, Protection};

/// What a message may have in common with any text: shorter runs than this occur in its own words.
const CHANCE: usize = 12;

/// Fails if a message holds a run of the text that is no word of its own.
fn assert_not_quoted(text: &str, message: &str) {
    let plain = message.as_bytes();
    let is_quoted =
        |run: &[u8]| run.iter().all(u8::is_ascii_alphanumeric) && plain.windows(CHANCE).any(|part| part == run);
    assert!(!text.as_bytes().windows(CHANCE).any(is_quoted), "{message}");
}

fuzz_target!(|text: &str| {
    match BareShare::from_file("doctor", text, None) {
        Ok(share) => {
            let written = share.to_file(Protection::Paper).expect("words can always be written");
            let again = BareShare::from_file("doctor", &written, None).expect("what was written can be read");
            assert_eq!((again.label(), again.words()), (share.label(), share.words()));
        }
        Err(error) => assert_not_quoted(text, &error.refusal.to_string()),
    }
    if let Ok(public) = HolderPublic::from_file(text) {
        assert_eq!(HolderPublic::from_file(&public.to_file()).expect("what was written can be read"), public);
    }
    match HolderSecret::from_file(text, None) {
        // The name of a holder is no secret.
        Err(KeyError::HolderName(_)) => {}
        Err(error) => assert_not_quoted(text, &error.to_string()),
        Ok(secret) => {
            let written = secret.to_file(None).expect("a key without a passphrase can always be written");
            let again = HolderSecret::from_file(&written, None).expect("what was written can be read");
            assert_eq!(again.recipient(), secret.recipient());
        }
    }
});
