//! Against every schedule there is, and against the exact method for problems without conditions.

mod brute_force;
mod properties;
mod strategies;
