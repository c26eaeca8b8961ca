//! Any text is a policy or a clear error, and a policy that was read is written and read to the same; likewise any text is a log of one.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tamis_ucrypt::audit;
use tamis_ucrypt::policy::Policy;

fuzz_target!(|text: &str| {
    if let Ok(policy) = Policy::from_file(text) {
        assert!((1..=policy.holders.len()).contains(&policy.threshold));
        assert_eq!(Policy::from_file(&policy.to_file()).expect("what was written can be read"), policy);
    }
    if let Ok(summary) = audit::check(text.as_bytes()) {
        assert_eq!(summary.entries == 0, summary.last.is_none());
    }
});
