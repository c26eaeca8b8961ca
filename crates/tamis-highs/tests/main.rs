//! Tests of tamis-highs from outside.

mod against_microlp;
mod live;
mod optimality;
