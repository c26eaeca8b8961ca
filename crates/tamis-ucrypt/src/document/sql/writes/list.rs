//! The columns that a statement lists, and which of them are sealed.

/// Which places of a row are those of sealed columns: the first 64 as bits, all as soon as one behind them is sealed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum List {
    #[default]
    None,
    /// Names of columns, in so many parentheses, of which the next is this one.
    Names { depth: u32, at: u32, sealed: u64 },
    /// They are over.
    Read { sealed: u64 },
    /// The values of a row, in so many parentheses.
    Row { depth: u32, at: u32, sealed: u64 },
    /// A query gives the rows, and none of the columns is sealed.
    Unsealed,
}

impl List {
    /// Whether a value that stands here counts.
    pub(super) fn counts(self) -> bool {
        match self {
            Self::None => true,
            Self::Names { .. } | Self::Unsealed => false,
            Self::Read { sealed } => sealed != 0,
            Self::Row { at, sealed, .. } => sealed & bit(at) != 0,
        }
    }

    /// Whether a sealed column is filled; without a list, behind the name of the table.
    pub(super) fn is_sealed(self, is_behind_name: bool) -> bool {
        match self {
            Self::None => is_behind_name,
            Self::Names { .. } | Self::Unsealed => false,
            Self::Read { sealed } | Self::Row { sealed, .. } => sealed != 0,
        }
    }

    /// Takes the name of a sealed column.
    pub(super) fn name(&mut self) {
        if let Self::Names { at, sealed, .. } = self {
            *sealed |= bit(*at);
        }
    }

    /// What is known where a query begins.
    pub(super) fn behind_select(self) -> Self {
        if matches!(self, Self::Read { sealed: 0 } | Self::Unsealed) { Self::Unsealed } else { Self::None }
    }

    /// Takes a sign behind which so many parentheses are open.
    pub(super) fn sign(&mut self, byte: u8, open: u32, is_behind_table: bool) {
        *self = match *self {
            Self::None if byte == b'(' && is_behind_table => Self::Names { depth: open, at: 0, sealed: 0 },
            Self::Names { depth, at, sealed } if byte == b',' => Self::Names { depth, at: at + 1, sealed },
            Self::Names { depth, sealed, .. } if byte == b')' && open < depth => Self::Read { sealed },
            Self::Read { sealed } if byte == b'(' => Self::Row { depth: open, at: 0, sealed },
            Self::Row { depth, at, sealed } if byte == b',' && open == depth => Self::Row { depth, at: at + 1, sealed },
            Self::Row { depth, sealed, .. } if byte == b')' && open < depth => Self::Read { sealed },
            other => other,
        };
    }
}

fn bit(at: u32) -> u64 {
    1_u64.checked_shl(at).unwrap_or(u64::MAX)
}
