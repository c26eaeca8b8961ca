//! What every page of Tamis is made of: the frame with its style sheet, numbers as a reader wants them, charts.
//!
//! Values go in, markup comes out: no file is read, nothing is fetched, the same values give the same bytes. Every text is escaped,
//! a page carries no script and forbids itself any network access.
//!
//! ```
//! use maud::html;
//! use tamis_page::document::{document, section};
//!
//! let body = section("people", "People & places", "Who goes where.", &html! { p { (tamis_page::numbers::count(2_400_000)) } });
//! let page = document("An experiment", "1.0", &body);
//! assert!(page.contains("People &amp; places") && page.contains("2,400,000"));
//! ```

pub mod document;
pub mod numbers;
pub mod svg;
