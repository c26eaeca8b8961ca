//! Sealed fields: values that stay in their document and that only p of n key holders can open.
//!
//! A [`document`] is read as a stream of records and fields. Selected fields become [`cell`]s, sealed under data keys. A data key is wrapped
//! to the public [`key`] of a [`policy`], whose secret half exists only in shares that the holders keep; who shares, opens and changes is
//! written into the [`audit`] log. An [`operation`] is all of this together, from files to files: most programs want that one.
//!
//! One value, sealed by anybody and opened by two of three holders:
//!
//! ```
//! use jiff::Timestamp;
//! use tamis_ucrypt::cell::{Opener, Value};
//! use tamis_ucrypt::document::Place;
//! use tamis_ucrypt::key::HolderSecret;
//! use tamis_ucrypt::policy::{Field, Member, Offer, Plan, Policy, Selection};
//!
//! let [patient, doctor, payer] = ["patient", "doctor", "payer"].map(|name| HolderSecret::generate(name).unwrap());
//! let members = [&patient, &doctor, &payer].map(|key| Member::from(key.public(None))).to_vec();
//! let fields = vec![Field { name: "disease".into(), ..Field::default() }];
//! let selections = vec![Selection { name: "patients".into(), key: Some("id".into()), fields, ..Selection::default() }];
//! let policy = Policy::create(Plan { threshold: 2, members, selections, ..Plan::default() })?.policy;
//!
//! // Sealing takes the policy, which is public. The wrapped data key goes with the document.
//! let place = Place { table: "patients", record: "5", field: "disease" };
//! let run = policy.sealing_run()?;
//! let cell = run.sealer.seal(place, &Value::text("AIDS"))?;
//! assert!(cell.to_text("UCRYPT").starts_with("<UCRYPT cipher=\"A256GCM\" v=\"1\" pol="));
//!
//! // Opening takes two holders.
//! assert!(policy.unlock(&[Offer::Key(&doctor)], Timestamp::now()).is_err());
//! let unlocked = policy.unlock(&[Offer::Key(&doctor), Offer::Key(&payer)], Timestamp::now())?;
//! let mut opener = Opener::default();
//! opener.insert(&policy.id, run.epoch, &run.kid, &unlocked.data_key(run.epoch, &run.kid, &run.dk)?);
//! assert!(opener.open(place, &cell)? == Value::text("AIDS"));
//!
//! // In another record the same cell does not open.
//! assert!(opener.open(Place { record: "6", ..place }, &cell).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What it is not
//!
//! * No anonymization: a record whose disease is sealed is still its person's record. `tamis anonymize` is for that.
//! * No signature: whoever has the public policy can seal. A cell says who may read it, not who wrote it.
//! * No protocol between machines: the shares of p holders come together in one process, which then knows the key.
//! * No way to take back what was read, and no clock that mathematics would know of: expiry is kept by the tool.
//! * No cryptography of its own: ciphers, HPKE, HKDF, secret sharing and age come from crates that do nothing else.

pub mod audit;
pub mod cell;
mod counted;
mod directory;
pub mod document;
mod exit;
mod framing;
pub mod key;
mod lock;
pub mod operation;
pub mod policy;
mod shown;
mod xml_text;

pub use counted::{counted, first_few};
pub use directory::directory_of;
pub use exit::Exit;
pub use lock::on_waiting;
