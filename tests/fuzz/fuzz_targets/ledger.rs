//! Any text is a budget or a clear error, and a budget that was read is written as it was read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tamis_mechanism::{Ledger, Ratio};

fuzz_target!(|text: &str| {
    if let Ok(ratio) = text.parse::<Ratio>() {
        let _ = ratio.checked_add(Ratio::ONE);
    }
    if let Ok(ledger) = Ledger::parse(text) {
        let written = Ledger::parse(&ledger.to_text()).expect("what is written can be read");
        assert_eq!((written.spent(), written.left()), (ledger.spent(), ledger.left()));
    }
});
