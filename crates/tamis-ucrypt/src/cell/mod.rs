//! One sealed value: its marker and what the marker says.

mod marker;

pub use marker::{Attributes, Marker};
