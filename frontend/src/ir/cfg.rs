//! Control-flow graphs.

use std::sync::Arc;

use petgraph::graph::{DiGraph, NodeIndex};

use super::Span;
use super::expr::{Expr, Place};
use super::unit::LocalId;

/// Index of a [`Block`] in its function's graph.
pub type BlockId = NodeIndex<u32>;

/// The control-flow graph of one function.
#[derive(Clone, Debug)]
pub struct Cfg {
    /// Basic blocks and the edges between them. Every block is reachable from `entry` (unreachable code is dropped, except
    /// that its calls are kept in [`Cfg::unreachable_calls`]).
    pub graph: DiGraph<Block, Edge, u32>,
    /// Where execution starts.
    pub entry: BlockId,
    /// Natural loops, outer before inner. Irreducible regions (a `goto` into a loop) have none.
    pub loops: Vec<NaturalLoop>,
    /// Spans of calls in code that nothing reaches.
    pub unreachable_calls: Vec<Span>,
}

/// A basic block.
#[derive(Clone, Debug)]
pub struct Block {
    /// Instructions in order.
    pub insts: Vec<Inst>,
    /// How it ends.
    pub terminator: Terminator,
}

/// How a block ends. Targets are also edges of the graph, with the same meaning.
#[derive(Clone, Debug)]
pub enum Terminator {
    /// Goes on at one block.
    Goto(BlockId),
    /// Goes to `then` when the condition is not zero, else to `otherwise`.
    Branch {
        /// Pure scalar condition.
        condition: Expr,
        /// Target when not zero.
        then: BlockId,
        /// Target when zero.
        otherwise: BlockId,
    },
    /// `switch`: the first case whose inclusive range holds the value, else `default`.
    Switch {
        /// Pure integer.
        value: Expr,
        /// `(low, high, target)`; GNU ranges have `low < high`.
        cases: Vec<(i128, i128, BlockId)>,
        /// Target when no case fits.
        default: BlockId,
    },
    /// Computed `goto *p` (GNU): any of these.
    IndirectGoto(Vec<BlockId>),
    /// Returns from the function.
    Return(Option<Expr>, Span),
    /// Not reached: after a call that never returns (`exit`, `abort`, `__builtin_unreachable`).
    Unreachable,
}

/// Meaning of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// Unconditional.
    Always,
    /// The branch condition is not zero.
    True,
    /// The branch condition is zero.
    False,
    /// The n-th case of the switch.
    Case(u32),
    /// No case of the switch.
    Default,
}

/// One instruction.
#[derive(Clone, Debug)]
pub struct Inst {
    /// What it does.
    pub kind: InstKind,
    /// Where it stands.
    pub span: Span,
}

/// What an [`Inst`] does.
#[derive(Clone, Debug)]
pub enum InstKind {
    /// `place = value`. Whole-record assignment included.
    Assign(Place, Expr),
    /// A call.
    Call {
        /// Where the result goes, if anywhere.
        dest: Option<Place>,
        /// Who is called.
        callee: Callee,
        /// Arguments; their spans are those of the user's argument expressions.
        args: Vec<Expr>,
    },
    /// A variable comes into scope with an unspecified value (declaration without initialiser), or its storage starts
    /// anew (each iteration of a loop body).
    Declare(LocalId),
    /// Something without a model: inline assembly, a construct we do not know. It may write these places
    /// (`None`: anything it could reach) and does not communicate.
    Opaque {
        /// What it is.
        reason: &'static str,
        /// What it may write.
        writes: Option<Vec<Place>>,
    },
}

/// Who is called.
#[derive(Clone, Debug)]
pub enum Callee {
    /// A function by name: of the program, of MPI, of a library. Resolve with `Program::resolve`.
    Direct {
        /// The name written.
        name: Arc<str>,
        /// The MPI function it stands for, `PMPI_` and wrappers declared in `anyrank.toml` included.
        mpi: Option<&'static crate::mpi::Function>,
    },
    /// Through a function pointer.
    Indirect(Expr),
}

/// A natural loop.
#[derive(Clone, Debug)]
pub struct NaturalLoop {
    /// Its header: dominates all of `blocks`.
    pub header: BlockId,
    /// All blocks, header included, sorted.
    pub blocks: Vec<BlockId>,
    /// Sources of the back edges, sorted.
    pub latches: Vec<BlockId>,
    /// Index in [`Cfg::loops`] of the innermost loop around it.
    pub parent: Option<usize>,
    /// Variables that change by a constant on each trip and in no other way within the loop.
    pub inductions: Vec<Induction>,
}

/// An induction variable `variable += step` of a [`NaturalLoop`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Induction {
    /// The variable: a local whose address is not taken.
    pub variable: LocalId,
    /// What is added on every trip round the loop.
    pub step: i128,
}

impl Terminator {
    /// All targets, in order.
    #[must_use]
    pub fn targets(&self) -> Vec<BlockId> {
        match self {
            Self::Goto(target) => vec![*target],
            Self::Branch { then, otherwise, .. } => vec![*then, *otherwise],
            Self::Switch { cases, default, .. } => {
                cases.iter().map(|&(_, _, b)| b).chain([*default]).collect()
            }
            Self::IndirectGoto(targets) => targets.clone(),
            Self::Return(..) | Self::Unreachable => Vec::new(),
        }
    }
}
