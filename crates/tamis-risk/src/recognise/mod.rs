//! Small recognisers of texts that point at a person: each says whether a text is one of its kind.
//!
//! They are strict where the kind has a check digit, and otherwise ask for the shape that people write. What cannot be anything else
//! points at somebody in whichever row it stands; for what may look so by chance, a column is judged by the share of its values.

mod among_words;
mod calendar_date;
mod chilean_run;
mod digits;
mod email;
mod free_text;
mod iban;
mod ip_address;
mod mac_address;
mod payment_card;
mod person_name;
mod pesel;
mod phone;
mod placeholder;
mod social_security;
mod spanish_dni;
mod url;
mod uuid;
mod zip_code;

pub use among_words::is_among_words;
pub use calendar_date::is_calendar_date;
pub use chilean_run::{is_chilean_run, is_like_chilean_run};
pub use email::{has_email, is_email};
pub use free_text::are_free_text;
pub use iban::{is_iban, is_like_iban};
pub use ip_address::is_ip_address;
pub use mac_address::is_mac_address;
pub use payment_card::{is_like_payment_card, is_payment_card};
pub use person_name::is_like_full_name;
pub use pesel::{is_like_pesel, is_pesel};
pub use phone::{has_phone, has_plain_phone, has_unmistakable_phone, is_phone};
pub use placeholder::is_placeholder;
pub use social_security::is_social_security_number;
pub use spanish_dni::{is_like_spanish_dni, is_spanish_dni};
pub use url::{has_url, is_url};
pub use uuid::is_uuid;
pub use zip_code::is_zip_code;
