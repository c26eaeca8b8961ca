//! Any text is a sealed value or a clear error; one that was read is written and read to the same; none opens without having been sealed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tamis_ucrypt::cell::{DataKey, MarkerReader, Opener, starts_marker};
use tamis_ucrypt::document::Place;
use zeroize::Zeroizing;

const PLACE: Place<'_> = Place { table: "T", record: "5", field: "Choroba" };

fuzz_target!(|text: &str| {
    let mut reader = MarkerReader::new("UCRYPT");
    let Ok(marker) = reader.read(text) else { return };
    assert!(starts_marker(text, "UCRYPT") && reader.broken(text).is_none());
    // A longer start tag may exceed the limit once its quotes are escaped.
    if text.len() > 600 {
        return;
    }
    let again = reader.read(&marker.to_text("UCRYPT")).expect("what was written can be read");
    // An attribute without a value is as good as none.
    if marker.attributes.v.as_deref() != Some("") {
        assert_eq!(again, marker);
    }
    let mut opener = Opener::default();
    if let Ok(kid) = marker.attributes.kid.parse() {
        let epoch = marker.attributes.ep.parse().unwrap_or(1);
        opener.insert(&marker.attributes.pol, epoch, &kid, &DataKey::from_bytes(Zeroizing::new([7; 32])));
    }
    assert!(opener.open(PLACE, &marker).is_err());
});
