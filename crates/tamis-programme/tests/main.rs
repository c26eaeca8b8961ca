//! Tests of tamis-programme from outside.

mod conditions_hold;
mod experiment_page;
mod register;
