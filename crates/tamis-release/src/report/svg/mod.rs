//! The drawings that only a release has: its classes by size, and its lattice.

mod hasse;
mod heights;
mod histogram;

pub(super) use hasse::hasse;
pub(super) use heights::heights;
pub(super) use histogram::histogram;
pub(super) use tamis_page::svg::{Axis, Bar, LineChart, Point, Scale, bars, line_chart};

use tamis_page::svg::px;
