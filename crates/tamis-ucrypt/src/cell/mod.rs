//! One sealed value: the marker around it, what the marker says, and the sealing and opening of it.
//!
//! ```
//! use tamis_ucrypt::cell::{Binding, Cipher, DataKey, KeyId, Opener, Place, Scope, Sealer, Value};
//!
//! let key = DataKey::generate();
//! let scope = Scope { cipher: Cipher::A256Gcm, policy: "p7Q2", epoch: 1, kid: &KeyId::generate(), binding: Binding::RecordField, pad: 32 };
//! let sealer = Sealer::new(&key, scope);
//! let place = Place { table: "patients", record: "5", field: "Choroba" };
//! let marker = sealer.seal(place, &Value::text("AIDS")).unwrap();
//!
//! let mut opener = Opener::default();
//! opener.insert(scope.policy, scope.epoch, scope.kid, &key);
//! assert_eq!(opener.open(place, &marker).unwrap(), Value::text("AIDS"));
//! let elsewhere = Place { record: "6", ..place };
//! assert!(opener.open(elsewhere, &marker).is_err());
//! ```

mod associated;
mod cipher;
mod data_key;
mod disguise;
mod error;
mod grant;
mod marker;
mod open;
mod place;
mod plaintext;
mod read;
mod scratch;
mod seal;

pub use cipher::{Cipher, UnknownCipher};
pub use data_key::{DataKey, KeyId, KeyIdError};
pub use error::{CellError, Refusal};
pub use grant::CellKey;
pub use marker::{Attributes, Marker};
pub use open::Opener;
pub use place::Place;
pub use plaintext::{MAX_PAD, Value};
pub use read::{MarkerError, MarkerReader, starts_marker};
pub use seal::{Binding, Scope, Sealer};
