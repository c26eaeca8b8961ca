//! Any text is a policy or a clear error; a policy's builders build or say why not.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tamis_release::{HierarchySource, Policy};
use tamis_table::Hierarchy;

const VALUES: [&str; 8] = ["17", "23", "23.5", "-4", "2024-02-29", "Hauptstr. 7", "Hauptstr. 12", ""];

fuzz_target!(|text: &str| {
    let Ok(policy) = Policy::parse(text, "fuzz") else { return };
    for attribute in policy.attributes.values() {
        if let Some(HierarchySource::Builder(builder)) = &attribute.hierarchy
            && let Ok(rows) = builder.build(&VALUES)
        {
            Hierarchy::from_rows(&rows).expect("what a builder builds can be used");
        }
    }
});
