//! What a failure means to the caller of the program.

/// The class of a failure; its code is the exit code of the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// The input, a file or an option is wrong.
    Input,
    /// Fewer holders took part than the policy asks for.
    TooFewHolders,
    /// A share was refused, and its holder is named.
    ShareRefused,
    /// A cell does not authenticate or cannot be opened, and its place is named.
    CellRefused,
}

impl Exit {
    /// The exit code.
    pub fn code(self) -> u8 {
        match self {
            Self::Input => 2,
            Self::TooFewHolders => 3,
            Self::ShareRefused => 4,
            Self::CellRefused => 5,
        }
    }
}
