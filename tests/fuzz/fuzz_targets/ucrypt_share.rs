//! Any text is a share on paper, a key of a holder or a clear error that quotes nothing of it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tamis_ucrypt::key::{BareShare, HolderPublic, HolderSecret, Protection};

fuzz_target!(|text: &str| {
    match BareShare::from_file("doctor", text, None) {
        Ok(share) => {
            let written = share.to_file(Protection::Paper).expect("words can always be written");
            let again = BareShare::from_file("doctor", &written, None).expect("what was written can be read");
            assert_eq!((again.label(), again.words()), (share.label(), share.words()));
        }
        Err(error) => assert!(!error.refusal.to_string().contains("abandon")),
    }
    if let Ok(public) = HolderPublic::from_file(text) {
        assert_eq!(HolderPublic::from_file(&public.to_file()).expect("what was written can be read"), public);
    }
    if let Ok(secret) = HolderSecret::from_file(text, None) {
        let written = secret.to_file(None).expect("a key without a passphrase can always be written");
        let again = HolderSecret::from_file(&written, None).expect("what was written can be read");
        assert_eq!(again.recipient(), secret.recipient());
    }
});
