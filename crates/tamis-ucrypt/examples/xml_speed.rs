//! How fast an XML document is rewritten, and in how much memory.
//!
//!     cargo build --release -p tamis-ucrypt --example xml_speed
//!     xml_speed make FILE MEGABYTES       four fields to seal in every 268 bytes: 3 million in 200 MB
//!     xml_speed WAY IN OUT THREADS        WAY is copy, hide or show (base64 instead of a cipher), seal or open
//!
//! Threads beside the reading one, or 0 for as many as are good here; `ulimit -v 65536` before it shows that 64 MB are enough.

mod speed;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::time::Instant;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use speed::{Copy, Error, FIELDS, person, report, seal_and_open};
use tamis_ucrypt::cell::{Attributes, Marker};
use tamis_ucrypt::document::xml::{Document, Field, Keys, Namespaces, Path, Rewrite, Selector, Selectors, Tally};
use tamis_ucrypt::document::{Content, Outcome, Place, Treatment, good_threads};

fn main() -> Result<(), Error> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["make", path, megabytes] => Ok(make(path, megabytes.parse()?)?),
        [way, from, to, threads] => measure(way, from, to, threads.parse()?),
        _ => Err("xml_speed make FILE MEGABYTES, or xml_speed copy|hide|show|seal|open IN OUT THREADS".into()),
    }
}

fn make(path: &str, megabytes: usize) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<pacjenci>")?;
    for id in 0..megabytes * 1_000_000 / 268 {
        let [name, job, town, illness] = person(id);
        let record = format!(
            "  <pacjent id=\"{id}\">\n    <nazwisko>{name}</nazwisko>\n    <zawod>{job}</zawod>\n    <miasto>{town}</miasto>\n    <choroba>{illness}</choroba>\n    <opis>"
        );
        writeln!(out, "{record}{:.<1$}</opis>\n  </pacjent>", "", 268 - 21 - record.len())?;
    }
    writeln!(out, "</pacjenci>")?;
    out.flush()
}

fn measure(way: &str, from: &str, to: &str, threads: usize) -> Result<(), Error> {
    let (seal, open) = seal_and_open()?;
    let start = Instant::now();
    let tally = match way {
        "copy" => rewrite(&Copy, from, to, threads)?,
        "hide" => rewrite(&Hide, from, to, threads)?,
        "show" => rewrite(&Show, from, to, threads)?,
        "seal" => rewrite(&seal, from, to, threads)?,
        "open" => rewrite(&open, from, to, threads)?,
        _ => return Err("copy, hide, show, seal or open".into()),
    };
    report(&format!("{way}, {threads} threads"), from, tally.changed, start)
}

fn rewrite<T: Treatment<Refusal = String>>(
    treatment: &T,
    from: &str,
    to: &str,
    threads: usize,
) -> Result<Tally, Error> {
    let none = Namespaces::new();
    let field = |name: &str| Ok(Field { name: name.into(), path: Path::relative(name, &none)? });
    let selector = Selector {
        table: "pacjenci".into(),
        record: Path::absolute("/pacjenci/pacjent", &none)?,
        key: Some(Path::relative("@id", &none)?),
        fields: FIELDS.map(field).into_iter().collect::<Result<_, Error>>()?,
    };
    let selectors = Selectors::new("UCRYPT", [selector])?;
    let document = Document::open(File::open(from)?)?;
    let threads = if threads == 0 { good_threads() } else { threads };
    let rewrite = Rewrite { selectors: &selectors, treatment, keys: Keys::AsTheyAre, threads };
    document.rewrite(&rewrite, File::create(to)?).map_err(|error| error.to_string().into())
}

struct Hide;
struct Show;

impl Treatment for Hide {
    type Refusal = String;

    fn field(&self, _: Place<'_>, content: &Content<'_>) -> Result<Outcome, String> {
        let Content::Text(text) = content else { return Ok(Outcome::Keep) };
        thread_local! {
            static ATTRIBUTES: std::sync::Arc<Attributes> = Attributes { cipher: "none".into(), ..Attributes::default() }.into();
        }
        let attributes = ATTRIBUTES.with(std::sync::Arc::clone);
        Ok(Outcome::Sealed(Marker { attributes, body: STANDARD.encode(text) }))
    }
}

impl Treatment for Show {
    type Refusal = String;

    fn field(&self, _: Place<'_>, content: &Content<'_>) -> Result<Outcome, String> {
        let Content::Sealed(marker) = content else { return Ok(Outcome::Keep) };
        let bytes = STANDARD.decode(&marker.body).map_err(|error| error.to_string())?;
        String::from_utf8(bytes).map(Outcome::Text).map_err(|error| error.to_string())
    }
}
