//! Any bytes are an SQL dump of any system or a clear error, and what nobody touches keeps its bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tamis_ucrypt::document::rows::{Column, Columns};
use tamis_ucrypt::document::sql::{Dialect, Headers, Options, rewrite, survey};
use tamis_ucrypt::document::{Content, Outcome, Place, Treatment};

struct Keep;

impl Treatment for Keep {
    type Refusal = ();

    fn field(&self, _: Place<'_>, _: &Content<'_>) -> Result<Outcome, ()> {
        Ok(Outcome::Keep)
    }
}

fuzz_target!(|bytes: &[u8]| {
    let columns = Columns {
        source: "t".into(),
        table: "T".into(),
        key: "k".into(),
        columns: vec![Column { column: "a".into(), field: "a".into() }],
        element: "UCRYPT".into(),
    };
    for dialect in [Dialect::Standard, Dialect::PostgreSql, Dialect::MySql, Dialect::Sqlite] {
        let options = Options { dialect: Some(dialect), ..Options::default() };
        let _ = survey(bytes, &options);
        for selectors in [&[][..], &[columns.clone()]] {
            let mut same = Vec::new();
            if rewrite(bytes, &mut same, &options, selectors, Headers::Keep, &Keep).is_ok() {
                assert_eq!(same, bytes);
            }
        }
    }
});
