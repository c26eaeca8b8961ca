//! How fast an XML document is rewritten, and in how much memory.
//!
//!     cargo build --release -p tamis-ucrypt --example xml_speed
//!     xml_speed make FILE MEGABYTES       four fields to seal in every 268 bytes: 3 million in 200 MB
//!     xml_speed WAY IN OUT THREADS        WAY is copy, hide or show (base64 instead of a cipher), seal or open
//!
//! Threads beside the reading one, or 0 for as many as are good here; `ulimit -v 65536` before it shows that 64 MB are enough.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::time::Instant;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use tamis_ucrypt::cell::{Attributes, Binding, Cipher, DataKey, KeyId, Marker, Opener, Scope, Sealer, Value};
use tamis_ucrypt::document::xml::{Document, Field, Keys, Namespaces, Path, Rewrite, Selector, Selectors, Tally};
use tamis_ucrypt::document::{Content, Outcome, Place, Treatment, good_threads};
use zeroize::Zeroizing;

type Error = Box<dyn std::error::Error>;

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
    let names = ["Kowalski", "Nowak", "Kwiatkowski", "Pyc", "Wielgosz", "Aster", "Lewkowicz", "Spytek"];
    let jobs = ["Inżynier", "Malarz", "Tancerz", "Muzyk"];
    let towns = ["Kraków", "Opole", "Brzeg"];
    let illnesses = ["AIDS", "Nowotwór", "Grypa"];
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<pacjenci>")?;
    for id in 0..megabytes * 1_000_000 / 268 {
        let record = format!(
            "  <pacjent id=\"{id}\">\n    <nazwisko>{}</nazwisko>\n    <zawod>{}</zawod>\n    <miasto>{}</miasto>\n    <choroba>{}</choroba>\n    <opis>",
            names[id % 8],
            jobs[id % 4],
            towns[id % 3],
            illnesses[id / 3 % 3],
        );
        writeln!(out, "{record}{:.<1$}</opis>\n  </pacjent>", "", 268 - 21 - record.len())?;
    }
    writeln!(out, "</pacjenci>")?;
    out.flush()
}

fn measure(way: &str, from: &str, to: &str, threads: usize) -> Result<(), Error> {
    let key = DataKey::from_bytes(Zeroizing::new([7; 32]));
    let kid: KeyId = "kZ3bQ9xA".parse()?;
    let scope =
        Scope { cipher: Cipher::A256Gcm, policy: "p7Q2", epoch: 1, kid: &kid, binding: Binding::RecordField, pad: 32 };
    let start = Instant::now();
    let tally = match way {
        "copy" => rewrite(&Copy, from, to, threads)?,
        "hide" => rewrite(&Hide, from, to, threads)?,
        "show" => rewrite(&Show, from, to, threads)?,
        "seal" => rewrite(&Seal(Sealer::new(&key, scope)), from, to, threads)?,
        "open" => {
            let mut opener = Opener::default();
            opener.insert(scope.policy, scope.epoch, scope.kid, &key);
            rewrite(&Open(opener), from, to, threads)?
        }
        _ => return Err("copy, hide, show, seal or open".into()),
    };
    let wall = start.elapsed().as_secs_f64();
    let cpu = cpu_seconds()?;
    let megabytes = fs::metadata(from)?.len() as f64 / 1e6;
    let cells = tally.changed as f64;
    println!(
        "{way}, {threads} threads: {megabytes:.0} MB, {cells} cells; {wall:.2} s, {:.0} MB/s, {:.0} cells/s; \
         of one core: {cpu:.2} s, {:.0} MB/s, {:.0} cells/s; {}",
        megabytes / wall,
        cells / wall,
        megabytes / cpu,
        cells / cpu,
        memory()?,
    );
    Ok(())
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
        fields: ["nazwisko", "zawod", "miasto", "choroba"].map(field).into_iter().collect::<Result<_, Error>>()?,
    };
    let selectors = Selectors::new("UCRYPT", [selector])?;
    let document = Document::open(File::open(from)?)?;
    let threads = if threads == 0 { good_threads() } else { threads };
    let rewrite = Rewrite { selectors: &selectors, treatment, keys: Keys::AsTheyAre, threads };
    document.rewrite(&rewrite, File::create(to)?).map_err(|error| error.to_string().into())
}

/// Processor time of all threads: the 14th and 15th field of /proc/self/stat, in hundredths of a second.
fn cpu_seconds() -> Result<f64, Error> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    Ok((fields[11].parse::<f64>()? + fields[12].parse::<f64>()?) / 100.0)
}

fn memory() -> io::Result<String> {
    let status = fs::read_to_string("/proc/self/status")?;
    let lines = status.lines().filter(|line| line.starts_with("VmPeak") || line.starts_with("VmHWM"));
    Ok(lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>().join(", "))
}

struct Copy;
struct Hide;
struct Show;
struct Seal(Sealer);
struct Open(Opener);

impl Treatment for Copy {
    type Refusal = String;

    fn field(&self, _: Place<'_>, _: &Content<'_>) -> Result<Outcome, String> {
        Ok(Outcome::Keep)
    }
}

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

impl Treatment for Seal {
    type Refusal = String;

    fn field(&self, place: Place<'_>, content: &Content<'_>) -> Result<Outcome, String> {
        let value = match content {
            Content::Text(text) | Content::Unusual(text) => Value::text(text),
            _ => return Ok(Outcome::Keep),
        };
        self.0.seal(place, &value).map(Outcome::Sealed).map_err(|error| error.to_string())
    }
}

impl Treatment for Open {
    type Refusal = String;

    fn field(&self, place: Place<'_>, content: &Content<'_>) -> Result<Outcome, String> {
        let Content::Sealed(marker) = content else { return Ok(Outcome::Keep) };
        match self.0.open(place, marker).map_err(|error| error.to_string())? {
            Value::Text(text) | Value::Unusual(text) => Ok(Outcome::Text(text.into_owned())),
            _ => Err("no text".into()),
        }
    }
}
