//! Tests of tamis-release from outside.

mod report_checks;
mod report_compare;
mod report_release;
mod report_risk;
