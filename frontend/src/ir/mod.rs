//! The typed intermediate representation: what one translation unit means, free of C's syntax.
//!
//! It is in the manner of CIL: expressions are *pure* (no call, no assignment, no increment inside), every side effect
//! is an [`Inst`] of its own in the order C prescribes, and control flow is a graph of basic blocks ([`Cfg`]).
//! `a && f(b)` becomes a branch, `a && b` with pure operands stays one expression.
//!
//! Invariants:
//! - Every expression, place and instruction carries a [`Span`] of the preprocessed text; only
//!   [`Unit::locate`](unit::Unit::locate) turns it into a file, line and column of the user's.
//! - Array-to-pointer decay is explicit ([`ExprKind::AddressOf`] of element 0); so are implicit conversions between arithmetic
//!   types of different kind where they change the value's range ([`ExprKind::Cast`]).
//! - Constants of the preprocessor are gone; enumerators and predefined MPI objects keep their names
//!   ([`ExprKind::Constant`]).

pub mod cfg;
pub mod dump;
pub mod expr;
pub mod types;
pub mod unit;
pub mod visit;

pub use cfg::{Block, BlockId, Callee, Cfg, Edge, Inst, InstKind, NaturalLoop, Terminator};
pub use expr::{BinaryOp, Expr, ExprKind, Place, PlaceBase, Projection, UnaryOp};
pub use types::{
    FLOAT128, Field, FunctionType, IntKind, Record, RecordId, RecordKind, Type, TypeId, TypeTable,
};
pub use unit::{
    Assumption, Construct, Function, FunctionId, Global, GlobalId, Initializer, Local, LocalId, Problem,
    Startup, Threads, Unit,
};

/// A range of bytes of a unit's preprocessed text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The smallest span that covers both.
    #[must_use]
    pub fn cover(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}
