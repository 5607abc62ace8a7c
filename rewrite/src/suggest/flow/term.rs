//! Names for contents of memory: what it was at the start, and what has been computed of that.

use std::collections::BTreeMap;

/// A name for a value that is not a number to us. Equal names are equal values, for whatever the memory holds at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct TermId(u32);

/// A cell of the memory of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Cell {
    pub(super) process: usize,
    pub(super) block: usize,
    pub(super) index: i64,
}

/// Operations that can be done in any order, those of MPI's reductions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Op {
    Sum,
    Product,
    Largest,
    Smallest,
    BitAnd,
    BitOr,
    BitXor,
    And,
    Or,
}

impl Op {
    /// MPI's name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Sum => "MPI_SUM",
            Self::Product => "MPI_PROD",
            Self::Largest => "MPI_MAX",
            Self::Smallest => "MPI_MIN",
            Self::BitAnd => "MPI_BAND",
            Self::BitOr => "MPI_BOR",
            Self::BitXor => "MPI_BXOR",
            Self::And => "MPI_LAND",
            Self::Or => "MPI_LOR",
        }
    }

    /// Whether a value that is combined twice is as one that is combined once.
    fn is_idempotent(self) -> bool {
        !matches!(self, Self::Sum | Self::Product | Self::BitXor)
    }

    /// Whether the result depends on the order for floating-point numbers.
    pub(super) fn rounds(self) -> bool {
        matches!(self, Self::Sum | Self::Product)
    }

    /// The number that changes nothing.
    pub(super) fn neutral(self) -> Option<i64> {
        match self {
            Self::Sum | Self::BitOr | Self::BitXor | Self::Or => Some(0),
            Self::Product | Self::And => Some(1),
            Self::BitAnd => Some(-1),
            Self::Largest | Self::Smallest => None,
        }
    }
}

/// What a name stands for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Term {
    /// What a cell holds at the start.
    Initial(Cell),
    /// The rank of a process.
    Rank(usize),
    /// The number of processes, as a process knows it.
    Size(usize),
    /// A number of the text.
    Number(i64),
    /// Values that are combined, in any order.
    Combined(Op, Vec<TermId>),
    /// Anything else that is computed of others.
    Other(&'static str, Vec<TermId>),
    /// Something that equals nothing else.
    Opaque(u32),
}

/// More values than any reduction of ours combines.
const WIDEST: usize = 256;

/// All names of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Terms {
    all: Vec<Term>,
    known: BTreeMap<Term, TermId>,
    opaque: u32,
}

impl Terms {
    /// The name of a term.
    pub(super) fn of(&mut self, term: Term) -> TermId {
        if let Some(&id) = self.known.get(&term) {
            return id;
        }
        let id = TermId(u32::try_from(self.all.len()).unwrap_or(u32::MAX));
        self.all.push(term.clone());
        self.known.insert(term, id);
        id
    }

    /// What a name stands for.
    pub(super) fn get(&self, id: TermId) -> &Term {
        &self.all[id.0 as usize]
    }

    /// A name that equals no other.
    pub(super) fn fresh(&mut self) -> TermId {
        self.opaque += 1;
        self.of(Term::Opaque(self.opaque))
    }

    /// Values combined in any order; one by itself is itself.
    pub(super) fn combined(&mut self, op: Op, values: &[TermId]) -> TermId {
        let mut all = Vec::new();
        for &value in values {
            match self.get(value) {
                Term::Combined(inner, parts) if *inner == op => all.extend(parts.iter().copied()),
                _ => all.push(value),
            }
        }
        all.sort_unstable();
        if op.is_idempotent() {
            all.dedup();
        }
        match all.as_slice() {
            [only] => *only,
            _ if WIDEST < all.len() => self.fresh(),
            _ => self.of(Term::Combined(op, all)),
        }
    }

    /// The values that a name combines by an operation.
    pub(super) fn parts(&self, op: Op, id: TermId) -> Vec<TermId> {
        match self.get(id) {
            Term::Combined(inner, parts) if *inner == op => parts.clone(),
            _ => vec![id],
        }
    }
}
