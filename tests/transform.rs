//! `tamis transform` as a user runs it.
