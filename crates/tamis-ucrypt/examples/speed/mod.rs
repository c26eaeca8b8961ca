//! What the measurements of tables and of XML share: made-up people, the ways to treat a document, and what is said of a run.

use std::fs;
use std::time::Instant;

use tamis_ucrypt::cell::{Binding, Cipher, DataKey, KeyId, Opener, Scope, Sealer, Value};
use tamis_ucrypt::document::{Content, Outcome, Place, Treatment};
use zeroize::Zeroizing;

pub(crate) type Error = Box<dyn std::error::Error>;

/// The fields that are sealed.
pub(crate) const FIELDS: [&str; 4] = ["nazwisko", "zawod", "miasto", "choroba"];

/// What the fields of a person hold.
pub(crate) fn person(id: usize) -> [&'static str; 4] {
    let names = ["Kowalski", "Nowak", "Kwiatkowski", "Pyc", "Wielgosz", "Aster", "Lewkowicz", "Spytek"];
    let jobs = ["Inżynier", "Malarz", "Tancerz", "Muzyk"];
    let towns = ["Kraków", "Opole", "Brzeg"];
    let illnesses = ["AIDS", "Nowotwór", "Grypa"];
    [names[id % 8], jobs[id % 4], towns[id % 3], illnesses[id / 3 % 3]]
}

/// Changes nothing.
pub(crate) struct Copy;

impl Treatment for Copy {
    type Refusal = String;

    fn field(&self, _: Place<'_>, _: &Content<'_>) -> Result<Outcome, String> {
        Ok(Outcome::Keep)
    }
}

/// Seals every text.
pub(crate) struct Seal(pub(crate) Sealer);

impl Treatment for Seal {
    type Refusal = String;

    fn field(&self, place: Place<'_>, content: &Content<'_>) -> Result<Outcome, String> {
        let Content::Text(text) = content else { return Ok(Outcome::Keep) };
        self.0.seal(place, &Value::text(text)).map(Outcome::Sealed).map_err(|error| error.to_string())
    }
}

/// Opens what [`Seal`] sealed.
pub(crate) struct Open(pub(crate) Opener);

impl Treatment for Open {
    type Refusal = String;

    fn field(&self, place: Place<'_>, content: &Content<'_>) -> Result<Outcome, String> {
        let Content::Sealed(marker) = content else { return Ok(Outcome::Keep) };
        match self.0.open(place, marker).map_err(|error| error.to_string())? {
            Value::Text(text) => Ok(Outcome::Text(text.into_owned())),
            _ => Err("no text".into()),
        }
    }
}

/// Both under one key, the same in every run.
pub(crate) fn seal_and_open() -> Result<(Seal, Open), Error> {
    let key = DataKey::from_bytes(Zeroizing::new([7; 32]));
    let kid: KeyId = "kZ3bQ9xA".parse()?;
    let scope =
        Scope { cipher: Cipher::A256Gcm, policy: "p7Q2", epoch: 1, kid: &kid, binding: Binding::RecordField, pad: 32 };
    let mut opener = Opener::default();
    opener.insert(scope.policy, scope.epoch, scope.kid, &key);
    Ok((Seal(Sealer::new(&key, scope)), Open(opener)))
}

/// Says how long a run over a file took that changed so many cells, and how much memory.
pub(crate) fn report(what: &str, from: &str, cells: u64, start: Instant) -> Result<(), Error> {
    let wall = start.elapsed().as_secs_f64();
    let cpu = cpu_seconds()?;
    let megabytes = fs::metadata(from)?.len() as f64 / 1e6;
    let cells = cells as f64;
    println!(
        "{what}: {megabytes:.0} MB, {cells} cells; {wall:.2} s, {:.0} MB/s, {:.0} cells/s; \
         of one core: {cpu:.2} s, {:.0} MB/s, {:.0} cells/s; {}",
        megabytes / wall,
        cells / wall,
        megabytes / cpu,
        cells / cpu,
        memory()?,
    );
    Ok(())
}

/// Processor time of all threads: the 14th and 15th field of /proc/self/stat, in hundredths of a second.
fn cpu_seconds() -> Result<f64, Error> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    Ok((fields[11].parse::<f64>()? + fields[12].parse::<f64>()?) / 100.0)
}

fn memory() -> Result<String, Error> {
    let status = fs::read_to_string("/proc/self/status")?;
    let lines = status.lines().filter(|line| line.starts_with("VmPeak") || line.starts_with("VmHWM"));
    Ok(lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>().join(", "))
}
