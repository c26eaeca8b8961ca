//! The two files of a new holder.

use std::path::Path;

use super::OperationError;
use super::place::Readers;
use super::steps::Steps;

/// Writes the secret and the public key of a new holder to files that do not exist yet, not even when they get their names.
pub fn write_new_holder(
    (secret, secret_text): (&Path, &str),
    (public, public_text): (&Path, &str),
) -> Result<(), OperationError> {
    let mut steps = Steps::default();
    steps.create(secret, Readers::Owner, secret_text.as_bytes())?;
    steps.create(public, Readers::Usual, public_text.as_bytes())?;
    // Each is of no use without its other half.
    steps.run_or_undo()
}
