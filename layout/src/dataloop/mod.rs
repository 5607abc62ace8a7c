//! Dataloops: layouts compiled into loops that are processed fast, and in pieces (Ross, Miller, Gropp 2003).
//!
//! * A [`Dataloop`] is a [`Tree`] compiled: simplified [`Loop`]s with the bounds of the datatype.
//! * A [`Segment`] is the processing of so many copies of it: packing, unpacking and lists of runs, each of which stops and goes on at any
//!   byte.
//! * [`c_pack`] writes the loops as C functions.
//! * An [`Action`] is what is done with the bytes. The traversal knows none of them: write your own for something else.
//!
//! ```
//! use layout::dataloop::{Dataloop, Segment};
//! use layout::{Basic, Tree};
//!
//! // A column of a matrix of 3 rows and 4 columns.
//! let column = Dataloop::compile(&Tree::vec(3, 16, Tree::con(1, Basic::Int)))?;
//! assert_eq!((column.size(), column.extent()), (12, 36));
//!
//! let matrix: Vec<u8> = (0..12_i32).flat_map(i32::to_ne_bytes).collect();
//! let mut packed = [0; 12];
//! let mut segment = Segment::new(&column, 1)?;
//! segment.pack(&matrix, 4, &mut packed[..5])?; // the column at byte 4, its first five bytes,
//! segment.pack(&matrix, 4, &mut packed[5..])?; // and the others
//! assert_eq!(packed[8..], 9_i32.to_ne_bytes());
//! # Ok::<(), layout::dataloop::LoopError>(())
//! ```
//!
//! # Sizes, extents, lifetimes
//!
//! *Size* is how many bytes of data there are, *extent* how many bytes the next copy is further on. Natural extents are those that MPI
//! gives a typemap (MPI-4.1 section 5.1.6); [`Dataloop::resized`] gives others. The *origin* is the address that displacement 0 means: data
//! may lie before it. Sizes and all displacements are below 2^62; what is greater is an error when it is compiled.
//!
//! A `Dataloop` and a `Segment` own what they need: a segment stays valid when its dataloop is dropped, and neither borrows the buffers.
//! Buffers may change between two calls, and even be other ones; each call needs all of the memory that the segment's data spans.

mod action;
mod c_code;
mod compile;
mod copy;
mod engine;
mod kernels;
mod loops;
mod nest;
mod program;
mod runs;
mod segment;

use std::sync::Arc;

use thiserror::Error;

pub use action::{Action, Checksum, Extent, List, PackSwapped, UnpackSwapped};
pub use c_code::c_pack;
pub use loops::Loop;
pub use nest::{Block, Part};
pub use segment::Segment;

use self::loops::Placed;
use self::program::Program;
use crate::layout::Layout;
use crate::tree::Tree;

/// A stride of so many bytes is far: within a page of a few of them the processor finds the next lines by itself.
const FAR: u64 = 256;

/// Bytes of a cache line.
const LINE: u64 = 64;

/// How many blocks ahead memory is prefetched.
const AHEAD: usize = 64;

/// More bytes of cache lines than this are cold, which is as much as the second level of caches often has: prefetching is worth its while.
const COLD: u64 = 1 << 20;

/// So many bytes of cache lines are near: the first level of caches keeps them, and leaves room for the packed bytes.
const NEAR: u64 = 16 << 10;

/// How many rows of a tile ahead memory is prefetched.
const TILES_AHEAD: usize = 12;

/// The outermost level from which on all repetitions are near, those of a dimension outside of it included that makes the lines of each
/// block so many bytes wide; `None` if not even those of the innermost one are. `counts` are those of the dimensions, as far as they are known,
/// and `outside` is the level of the one outside.
fn near_level(counts: &[Option<u64>], outside: usize, wide: u64) -> Option<usize> {
    let mut bytes = (wide.div_ceil(LINE) + 1).saturating_mul(LINE);
    let mut near = None;
    for level in (outside + 1..counts.len()).rev() {
        bytes = bytes.saturating_mul(counts[level]?);
        if bytes > NEAR {
            break;
        }
        near = Some(level);
    }
    near
}

/// How many loops may be below each other, and nodes of a tree.
const DEEPEST: u32 = 256;

/// Why a layout cannot be processed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LoopError {
    /// There are more bytes, or they are further apart, than 2^62.
    #[error("the data or its displacements exceed 2^62 bytes")]
    TooLarge,
    /// A tree is too deep.
    #[error("more than {DEEPEST} levels below each other")]
    TooDeep,
    /// The segment's data is not within the memory.
    #[error("the data spans the bytes from {first} to before {end}, which is not all within the memory")]
    OutOfBounds {
        /// The first byte, from the origin.
        first: i64,
        /// The one after the last, from the origin.
        end: i64,
    },
    /// There is no such position.
    #[error("position {position} is beyond the end, {end}")]
    BeyondEnd {
        /// The position that was asked for.
        position: u64,
        /// How many bytes there are.
        end: u64,
    },
}

/// What the loops know about the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Units {
    /// Nothing: adjacent numbers of different types are one run.
    #[default]
    Bytes,
    /// Where numbers begin and end, for actions that change their representation.
    Numbers,
}

/// A layout compiled into loops.
#[derive(Clone, Debug)]
pub struct Dataloop {
    placed: Placed,
    program: Arc<Program>,
    lower_bound: i64,
    extent: i64,
}

impl Dataloop {
    /// The loops of a tree, with the bounds that MPI gives its typemap.
    ///
    /// # Errors
    ///
    /// If displacements are too large, or the tree too deep.
    pub fn compile(tree: &Tree) -> Result<Self, LoopError> {
        Self::compile_with(tree, Units::Bytes)
    }

    /// The loops of a layout, with its bounds.
    ///
    /// # Errors
    ///
    /// If the tree is too deep.
    pub fn of_layout(layout: &Layout) -> Result<Self, LoopError> {
        Ok(Self::bounded(
            compile::compile(&layout.tree, Units::Bytes)?,
            layout.bounds.lower,
            layout.bounds.extent(),
        ))
    }

    /// The loops of a tree that know as much about the bytes as `units` says.
    ///
    /// # Errors
    ///
    /// If displacements are too large, or the tree too deep.
    pub fn compile_with(tree: &Tree, units: Units) -> Result<Self, LoopError> {
        let placed = compile::compile(tree, units)?;
        let (first, end) = placed.span;
        let alignment = alignment(tree);
        // The span is below 2^63, so there is room for the padding.
        let extent = end - first;
        let extent = extent.checked_add((-extent).rem_euclid(alignment)).ok_or(LoopError::TooLarge)?;
        Ok(Self::bounded(placed, first, extent))
    }

    fn bounded(placed: Placed, lower_bound: i64, extent: i64) -> Self {
        Self { program: Arc::new(Program::new(&placed.code)), lower_bound, extent, placed }
    }

    /// The same data with other bounds, as of `MPI_Type_create_resized`.
    #[must_use]
    pub fn resized(self, lower_bound: i64, extent: i64) -> Self {
        Self { lower_bound, extent, ..self }
    }

    /// Bytes of data of one copy.
    pub const fn size(&self) -> u64 {
        self.placed.size
    }

    /// Where a copy begins, in bytes from the origin.
    pub const fn lower_bound(&self) -> i64 {
        self.lower_bound
    }

    /// From one copy to the next, in bytes.
    pub const fn extent(&self) -> i64 {
        self.extent
    }

    /// Where the first byte of data is, from the origin; 0 if there is none.
    pub const fn true_lower_bound(&self) -> i64 {
        self.placed.span.0
    }

    /// From the first byte of data to the last one.
    pub const fn true_extent(&self) -> i64 {
        self.placed.span.1 - self.placed.span.0
    }

    /// The loops.
    pub const fn code(&self) -> &Loop {
        &self.placed.code
    }

    /// Whether it is known that no byte of memory occurs twice, also with the copies that follow.
    pub(crate) fn disjoint(&self) -> bool {
        let copies = self.extent >= self.true_extent();
        copies && self.program.disjoint()
    }

    /// Where the loops start, in bytes from the origin.
    pub const fn displacement(&self) -> i64 {
        self.placed.at
    }
}

/// The strictest alignment of the numbers that a tree describes: what occurs no times does not matter.
fn alignment(tree: &Tree) -> i64 {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut rest = vec![tree];
    let mut strictest = 1;
    while let Some(node) = rest.pop() {
        // Trees share children: each is looked at once.
        if !seen.insert(std::ptr::from_ref(node)) {
            continue;
        }
        match node {
            Tree::Con { count: 0, .. } | Tree::Vec { count: 0, .. } => {}
            Tree::Con { basic, .. } => strictest = strictest.max(basic.alignment()),
            Tree::Idx { indices, .. } if indices.is_empty() => {}
            Tree::VecBuc { buckets, .. } | Tree::IdxBuc { buckets, .. }
                if buckets.iter().all(|count| *count == 0) => {}
            _ => rest.extend(node.children()),
        }
    }
    strictest
}
