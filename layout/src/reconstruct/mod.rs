//! The cheapest type tree for a given sequence of elements.
//!
//! Ganian, Kalany, Szeider and Träff (2018) show that it can be found in polynomial time. Their algorithm takes O(n^4) steps; what is here
//! finds the same in a little more than O(n^2) on all kinds of input that were tried, with or without buckets: `dp.rs` computes the costs of
//! all parts of the sequence, moved to 0; `extract.rs` reads the tree off them and takes care of sequences that do not begin at 0. Where the
//! table of all parts does not fit into memory, `windows.rs` finds a tree that need not be the cheapest, and a bound.

pub(crate) mod bound;
mod buckets;
mod chains;
mod dp;
mod extract;
mod homogeneous;
mod sequence;
mod strides;
mod table;
mod windows;

pub(crate) use windows::together;

use thiserror::Error;

use crate::basic::Basic;
use crate::cost::CostModel;
use crate::layout::LayoutError;
use crate::tree::{Element, Tree};
use sequence::Sequence;
use table::Table;

/// Which constructors a tree may have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Constructors {
    /// `con`, `vec` and `idx`: much faster for long sequences, but not every sequence of several basic datatypes has such a tree.
    Homogeneous,
    /// Those and `strc`.
    #[default]
    Basic,
    /// Those and `vecbuc` and `idxbuc`.
    Extended,
}

/// How a tree is to be found.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What the nodes of a tree cost.
    pub cost: CostModel,
    /// Which nodes it may have.
    pub constructors: Constructors,
    /// Bytes that the table of the costs of all parts may take; with less than it needs, the tree need not be the cheapest.
    pub memory_limit: usize,
}

impl Default for Options {
    /// The costs of the paper, the basic constructors, and 2 GiB, which is enough for 32,000 elements.
    fn default() -> Self {
        Self { cost: CostModel::default(), constructors: Constructors::Basic, memory_limit: 2 << 30 }
    }
}

/// A tree that describes a given sequence, of the constructors that [`Options`] allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reconstruction {
    /// The tree.
    pub tree: Tree,
    /// What it costs.
    pub cost: u64,
    /// Whether no such tree costs less.
    pub optimal: bool,
    /// What every such tree for the sequence costs at least: `cost` itself if `optimal`.
    pub lower_bound: u64,
}

/// Why no tree can be found.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReconstructError {
    /// A tree describes at least one element.
    #[error("there are no displacements; a tree describes at least one")]
    Empty,
    /// The difference of two displacements could overflow.
    #[error("displacement {0} is too far from 0; at most 2^61 bytes are possible")]
    TooFar(i64),
    /// More elements than a `u32` can count.
    #[error("{0} displacements are too many; at most 4294967295 are possible")]
    TooLong(usize),
    /// The elements are no repetition of one block, so that they have no tree without `strc`.
    #[error("the elements are not repetitions of one basic datatype: without strc there is no tree for them")]
    NeedsStruct,
    /// A sequence is longer than the memory limit allows for.
    #[error("{0} elements are too many for the memory limit")]
    Memory(usize),
    /// A tree describes nothing that could be counted.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// Costs are computed with 32 bits.
    #[error(
        "the constants of the cost model are too large for {0} displacements; divide all of them by a common factor"
    )]
    CostTooLarge(usize),
}

/// A tree of least cost for a sequence of elements, or the best that is found within the memory limit.
///
/// # Errors
///
/// If the sequence is empty or too long, displacements are too far from 0, or costs too large.
pub fn reconstruct(elements: &[Element], options: &Options) -> Result<Reconstruction, ReconstructError> {
    let sequence = Sequence::new(elements)?;
    check_costs(sequence.len(), &options.cost)?;
    if options.constructors == Constructors::Homogeneous {
        let tree = homogeneous::tree(&sequence, &options.cost).ok_or(ReconstructError::NeedsStruct)?;
        let cost = options.cost.of(&tree);
        return Ok(Reconstruction { tree, cost, optimal: true, lower_bound: cost });
    }
    if let Some(found) = without_table(&sequence, &options.cost) {
        return Ok(found);
    }
    match compute(&sequence, options) {
        Some(table) => {
            let tree = extract::tree(&sequence, &table, options);
            let cost = options.cost.of(&tree);
            Ok(Reconstruction { tree, cost, optimal: true, lower_bound: cost })
        }
        None => Ok(windows::reconstruct(elements, &sequence, options)),
    }
}

/// The cheapest tree of `con`, `vec` and `idx` if no other tree can cost less, which is so for the most regular sequences, however long.
fn without_table(sequence: &Sequence<'_>, cost: &CostModel) -> Option<Reconstruction> {
    let lower_bound = bound::lower_bound(sequence, cost);
    let tree = homogeneous::tree(sequence, cost)?;
    (cost.of(&tree) == lower_bound).then_some(Reconstruction {
        tree,
        cost: lower_bound,
        optimal: true,
        lower_bound,
    })
}

/// Whether the table of all parts of `n` elements fits into the memory that is allowed.
pub(crate) fn table_fits(n: usize, options: &Options) -> bool {
    Table::bytes(n).is_some_and(|bytes| bytes <= options.memory_limit)
}

/// [`reconstruct`] for displacements that count elements of one basic datatype, as the paper has them.
///
/// The displacements in the tree are bytes all the same; [`Tree::in_units_of`] makes elements of them.
///
/// # Errors
///
/// As [`reconstruct`].
pub fn reconstruct_displacements(
    displacements: &[i64],
    basic: Basic,
    options: &Options,
) -> Result<Reconstruction, ReconstructError> {
    let elements = (displacements.iter())
        .map(|&d| {
            let bytes = d.checked_mul(basic.size()).ok_or(ReconstructError::TooFar(d))?;
            Ok(Element::new(bytes, basic))
        })
        .collect::<Result<Vec<_>, ReconstructError>>()?;
    reconstruct(&elements, options)
}

/// The costs of all parts of the sequence, if the table fits into the memory that is allowed and there.
fn compute(sequence: &Sequence<'_>, options: &Options) -> Option<Table> {
    if !table_fits(sequence.len(), options) {
        return None;
    }
    let mut table = Table::new(sequence.len())?;
    dp::fill(sequence, &options.cost, options.constructors == Constructors::Extended, &mut table);
    Some(table)
}

/// Sums of costs must stay below the value that stands for "impossible"; no sum exceeds twice the cost of a `strc` of single elements.
fn check_costs(n: usize, cost: &CostModel) -> Result<(), ReconstructError> {
    let nodes = [cost.con, cost.vec, cost.idx, cost.strc, cost.vecbuc, cost.idxbuc];
    let sum: u64 = nodes.iter().copied().map(u64::from).sum();
    let elements = u64::from(cost.lookup) * 2 + u64::from(cost.con);
    let most = (elements.checked_mul(n as u64 + 2)).and_then(|all| all.checked_add(2 * sum));
    match most {
        Some(most) if most < u64::from(table::IMPOSSIBLE) => Ok(()),
        _ => Err(ReconstructError::CostTooLarge(n)),
    }
}
