//! Basic (predefined) datatypes: the leaves of every layout.

use serde::Serialize;

/// A predefined datatype of C, with the size it has where `int` has 4 bytes and `long` and pointers have 8 (LP64).
///
/// MPI-4.1 section 3.2.2, tables 3.2 and 3.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(into = "&'static str")]
#[non_exhaustive]
pub enum Basic {
    /// `MPI_BYTE`: eight bits without a meaning.
    Byte,
    /// `MPI_CHAR`.
    Char,
    /// `MPI_SIGNED_CHAR`.
    SignedChar,
    /// `MPI_UNSIGNED_CHAR`.
    UnsignedChar,
    /// `MPI_SHORT`.
    Short,
    /// `MPI_UNSIGNED_SHORT`.
    UnsignedShort,
    /// `MPI_INT`.
    Int,
    /// `MPI_UNSIGNED`.
    Unsigned,
    /// `MPI_LONG`.
    Long,
    /// `MPI_UNSIGNED_LONG`.
    UnsignedLong,
    /// `MPI_LONG_LONG`.
    LongLong,
    /// `MPI_UNSIGNED_LONG_LONG`.
    UnsignedLongLong,
    /// `MPI_FLOAT`.
    Float,
    /// `MPI_DOUBLE`.
    Double,
    /// `MPI_LONG_DOUBLE`.
    LongDouble,
    /// `MPI_WCHAR`.
    Wchar,
    /// `MPI_C_BOOL`.
    CBool,
    /// `MPI_INT8_T`.
    Int8,
    /// `MPI_INT16_T`.
    Int16,
    /// `MPI_INT32_T`.
    Int32,
    /// `MPI_INT64_T`.
    Int64,
    /// `MPI_UINT8_T`.
    Uint8,
    /// `MPI_UINT16_T`.
    Uint16,
    /// `MPI_UINT32_T`.
    Uint32,
    /// `MPI_UINT64_T`.
    Uint64,
    /// `MPI_C_FLOAT_COMPLEX`.
    FloatComplex,
    /// `MPI_C_DOUBLE_COMPLEX`.
    DoubleComplex,
    /// `MPI_C_LONG_DOUBLE_COMPLEX`.
    LongDoubleComplex,
    /// `MPI_AINT`.
    Aint,
    /// `MPI_COUNT`.
    Count,
    /// `MPI_OFFSET`.
    Offset,
}

/// All basic datatypes with their names in MPI, sizes and alignments in bytes.
const ALL: &[(Basic, &str, u8, u8)] = &[
    (Basic::Byte, "MPI_BYTE", 1, 1),
    (Basic::Char, "MPI_CHAR", 1, 1),
    (Basic::SignedChar, "MPI_SIGNED_CHAR", 1, 1),
    (Basic::UnsignedChar, "MPI_UNSIGNED_CHAR", 1, 1),
    (Basic::Short, "MPI_SHORT", 2, 2),
    (Basic::UnsignedShort, "MPI_UNSIGNED_SHORT", 2, 2),
    (Basic::Int, "MPI_INT", 4, 4),
    (Basic::Unsigned, "MPI_UNSIGNED", 4, 4),
    (Basic::Long, "MPI_LONG", 8, 8),
    (Basic::UnsignedLong, "MPI_UNSIGNED_LONG", 8, 8),
    (Basic::LongLong, "MPI_LONG_LONG", 8, 8),
    (Basic::UnsignedLongLong, "MPI_UNSIGNED_LONG_LONG", 8, 8),
    (Basic::Float, "MPI_FLOAT", 4, 4),
    (Basic::Double, "MPI_DOUBLE", 8, 8),
    (Basic::LongDouble, "MPI_LONG_DOUBLE", 16, 16),
    (Basic::Wchar, "MPI_WCHAR", 4, 4),
    (Basic::CBool, "MPI_C_BOOL", 1, 1),
    (Basic::Int8, "MPI_INT8_T", 1, 1),
    (Basic::Int16, "MPI_INT16_T", 2, 2),
    (Basic::Int32, "MPI_INT32_T", 4, 4),
    (Basic::Int64, "MPI_INT64_T", 8, 8),
    (Basic::Uint8, "MPI_UINT8_T", 1, 1),
    (Basic::Uint16, "MPI_UINT16_T", 2, 2),
    (Basic::Uint32, "MPI_UINT32_T", 4, 4),
    (Basic::Uint64, "MPI_UINT64_T", 8, 8),
    (Basic::FloatComplex, "MPI_C_FLOAT_COMPLEX", 8, 4),
    (Basic::DoubleComplex, "MPI_C_DOUBLE_COMPLEX", 16, 8),
    (Basic::LongDoubleComplex, "MPI_C_LONG_DOUBLE_COMPLEX", 32, 16),
    (Basic::Aint, "MPI_AINT", 8, 8),
    (Basic::Count, "MPI_COUNT", 8, 8),
    (Basic::Offset, "MPI_OFFSET", 8, 8),
];

impl Basic {
    /// All of them, in the order of the table.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        ALL.iter().map(|(basic, ..)| *basic)
    }

    /// The name of the predefined handle, as `MPI_DOUBLE`.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// Bytes of data, which is the extent, too.
    pub fn size(self) -> i64 {
        i64::from(self.row().2)
    }

    /// What the address of an object of this type is a multiple of, in bytes.
    pub fn alignment(self) -> i64 {
        i64::from(self.row().3)
    }

    /// The datatype of that name, if there is one here.
    pub fn named(name: &str) -> Option<Self> {
        ALL.iter().find(|(_, of, ..)| *of == name).map(|(basic, ..)| *basic)
    }

    fn row(self) -> &'static (Self, &'static str, u8, u8) {
        // The table is in the order of the enumeration, which a test checks.
        &ALL[self as usize]
    }
}

impl From<Basic> for &'static str {
    fn from(basic: Basic) -> Self {
        basic.name()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_is_in_the_order_of_the_enumeration() {
        for (index, (basic, ..)) in ALL.iter().enumerate() {
            assert_eq!(*basic as usize, index, "{basic:?}");
        }
    }
}
