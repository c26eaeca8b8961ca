//! Tests of tamis-risk from outside.

mod attack_classes;
mod attack_joins;
mod attack_minimal;
mod attack_releases;
mod attack_tables;
mod attack_thesis;
mod minimal_uniques;
mod people_with_several_rows;
mod safe_harbour;
