//! From a policy file to a released table, its report and its manifest.

pub mod report;
