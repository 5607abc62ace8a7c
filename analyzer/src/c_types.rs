//! MPI's datatypes of the scalar types of C, for crate `layout` (MPI-4.1 section 3.2.2, table 3.2).

use frontend::ir::{IntKind, Type};
use layout::Basic;

/// The datatype of a scalar; `None` for what is no scalar, and for `__int128`, which MPI does not know.
#[must_use]
pub fn basic(ty: &Type) -> Option<Basic> {
    match ty {
        Type::Int(kind) | Type::Enum(_, kind) => integer(*kind),
        Type::Float(4) => Some(Basic::Float),
        Type::Float(8) => Some(Basic::Double),
        Type::Float(16) => Some(Basic::LongDouble),
        Type::Complex(8) => Some(Basic::FloatComplex),
        Type::Complex(16) => Some(Basic::DoubleComplex),
        Type::Complex(32) => Some(Basic::LongDoubleComplex),
        _ => None,
    }
}

fn integer(kind: IntKind) -> Option<Basic> {
    Some(match kind {
        IntKind::Bool => Basic::CBool,
        IntKind::Char => Basic::Char,
        IntKind::SChar => Basic::SignedChar,
        IntKind::UChar => Basic::UnsignedChar,
        IntKind::Short => Basic::Short,
        IntKind::UShort => Basic::UnsignedShort,
        IntKind::Int => Basic::Int,
        IntKind::UInt => Basic::Unsigned,
        IntKind::Long => Basic::Long,
        IntKind::ULong => Basic::UnsignedLong,
        IntKind::LongLong => Basic::LongLong,
        IntKind::ULongLong => Basic::UnsignedLongLong,
        IntKind::Int128 | IntKind::UInt128 => return None,
    })
}
