//! What can be done with documents and policies: the verbs of the command line, without a terminal.
//!
//! Nothing is half done. What an operation writes has no name until all of it was written (where the system cannot do that, a temporary one
//! beside its place), and takes its names in an order in which a crash at any moment leaves the old or the new state, each of which opens: see
//! [`Rotation`].
//!
//! A table, sealed by its owner and opened by two of three holders:
//!
//! ```
//! use jiff::Timestamp;
//! use tamis_ucrypt::key::HolderSecret;
//! use tamis_ucrypt::operation::{Chosen, Form, Open, PolicyFile, Seal};
//! use tamis_ucrypt::policy::{Field, Member, Offer, Plan, Policy, Selection};
//!
//! # let directory = tempfile::tempdir()?;
//! # let path = |name: &str| directory.path().join(name);
//! let keys = ["patient", "doctor", "payer"].map(|name| HolderSecret::generate(name).unwrap());
//! let members = keys.iter().map(|key| Member::from(key.public(None))).collect();
//! let fields = vec![Field { name: "Choroba".into(), ..Field::default() }];
//! let selections = vec![Selection { name: "patients".into(), key: Some("Id".into()), fields, ..Selection::default() }];
//! let made = Policy::create(Plan { owner: "patient".into(), members, selections, ..Plan::default() })?;
//! std::fs::write(path("patients.upolicy"), made.policy.to_file())?;
//! std::fs::write(path("patients.csv"), "Id,Choroba\n4,Grypa\n5,AIDS\n")?;
//!
//! let file = PolicyFile::read(&path("patients.upolicy"))?;
//! let form = Form::of(&path("patients.csv"), None)?;
//! let chosen = Chosen::records(["5"]);
//! Seal { chosen: &chosen, ..Seal::new(&file, &form) }.run(&path("patients.csv"), &path("sealed.csv"), Timestamp::now())?;
//!
//! let offers = [Offer::Key(&keys[1]), Offer::Key(&keys[2])];
//! Open::new(&file, &form).run(&offers, &path("sealed.csv"), &path("opened.csv"), Timestamp::now())?;
//! assert_eq!(std::fs::read(path("opened.csv"))?, std::fs::read(path("patients.csv"))?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod change;
mod chosen;
mod damage;
mod element_names;
mod error;
mod fields;
mod filter;
mod form;
mod gathered;
mod grant;
mod granted;
mod headers;
mod held;
mod inspect;
mod key_list;
mod matching;
mod nested;
mod new_holder;
mod of_file;
mod open;
mod opening;
mod place;
mod policy_file;
mod progress;
mod rewrite;
mod rotate;
mod seal;
mod sealed_before;
mod selectors;
mod steps;
mod still_named;
mod unmatched;
mod verify;

pub use change::{Changed, Outlet, amend, change_shares, name_waiting_shares, write_new_policy};
pub use chosen::Chosen;
pub use damage::{Damage, Left};
pub use element_names::element_names;
pub use error::OperationError;
pub use filter::{Filter, filter, where_clauses};
pub use form::{Form, Kind};
pub use grant::{Grant, Grants, Reader};
pub use inspect::{Group, Inspection, inspect};
pub use matching::Condition;
pub use new_holder::write_new_holder;
pub use open::{Handed, Open, Opened, Unmet};
pub use policy_file::PolicyFile;
pub use progress::Progress;
pub use rewrite::Counts;
pub use rotate::{Depth, Rotated, Rotation};
pub use seal::{Seal, Sealed};
pub use selectors::no_table;
pub use verify::{Verdict, Verified, verify};

#[cfg(test)]
mod tests;
