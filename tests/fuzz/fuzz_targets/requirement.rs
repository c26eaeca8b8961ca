//! Any text is a requirement or a clear error, and binding it to a table never fails otherwise than with one.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tamis_privacy::TableFacts;
use tamis_release::ModelPolicy;

fuzz_target!(|text: &str| {
    let Ok(model) = text.parse::<ModelPolicy>() else { return };
    let facts = TableFacts::of_values("disease", &["flu", "12", "cancer"], &[5, 3, 2]);
    let _ = tamis_privacy::joint_columns(&model.kind, &model.parameters);
    let _ = tamis_privacy::bind(&model.kind, &model.parameters, &facts);
});
