//! From a datatype to its layout: a tree of its elements, and its bounds.

use std::sync::Arc;

use thiserror::Error;

use crate::array;
use crate::basic::Basic;
use crate::bounds::{Bounds, Parts, near};
use crate::datatype::{Constructor, Datatype};
use crate::tree::Tree;

/// Datatypes may be nested this deep.
pub const DEEPEST: usize = 200;

/// What a datatype describes: its elements, as a tree, and its bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The elements in the order in which they are packed.
    pub tree: Tree,
    /// Where they begin and end, and how large they are.
    pub bounds: Bounds,
}

/// Why a datatype describes nothing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LayoutError {
    /// A count, blocklength or size is below 0.
    #[error("{what} {value} is negative")]
    Negative {
        /// What is.
        what: &'static str,
        /// What it is.
        value: i64,
    },
    /// Lists that belong together have different lengths.
    #[error("there are {found} {what} for {expected} {of}")]
    Lengths {
        /// What the list has.
        what: &'static str,
        /// How many.
        found: usize,
        /// What there should be as many of.
        of: &'static str,
        /// How many there are.
        expected: usize,
    },
    /// An argument is outside what the standard allows.
    #[error("{0}")]
    Argument(String),
    /// A place is too far from 0.
    #[error("a place {0} bytes from the start is too far; at most 2^61 bytes are possible")]
    TooFar(i128),
    /// More elements or bytes than can be counted.
    #[error("the datatype has more than 2^61 elements or bytes of data")]
    TooMany,
    /// Nested too deep.
    #[error("the datatype is nested more than {DEEPEST} levels deep")]
    TooDeep,
}

impl Layout {
    /// What a tree describes.
    ///
    /// # Errors
    ///
    /// As [`Bounds::of_tree`].
    pub fn of_tree(tree: Tree) -> Result<Self, LayoutError> {
        Ok(Self { bounds: Bounds::of_tree(&tree)?, tree })
    }

    /// Whether there is no element in it: known from the bounds, since a tree whose parts are shared may have very many paths.
    fn is_empty(&self) -> bool {
        self.bounds.elements == 0
    }
}

impl Datatype {
    /// Its elements and bounds, in time and memory of its description, not of its elements.
    ///
    /// # Errors
    ///
    /// If an argument is not what the standard allows, or something is too large for 64 bits.
    pub fn layout(&self) -> Result<Layout, LayoutError> {
        self.layout_within(DEEPEST)
    }

    fn layout_within(&self, levels: usize) -> Result<Layout, LayoutError> {
        let levels = levels.checked_sub(1).ok_or(LayoutError::TooDeep)?;
        match self {
            Self::Basic(basic) => Ok(Layout { tree: Tree::con(1, *basic), bounds: Bounds::of_basic(*basic) }),
            Self::Tree(tree) => Layout::of_tree((**tree).clone()),
            Self::Constructed(constructor) => {
                let children = (constructor.children().iter())
                    .map(|child| child.layout_within(levels))
                    .collect::<Result<Vec<_>, _>>()?;
                constructor.layout(children)
            }
        }
    }
}

impl Constructor {
    /// What the call makes of children with these layouts, whatever its own [`children`](Self::children) are.
    ///
    /// So datatypes can be built step by step, as a program does, without describing their children again each time.
    ///
    /// # Errors
    ///
    /// As [`Datatype::layout`], and if there are not as many layouts as the call has children.
    pub fn layout(&self, children: Vec<Layout>) -> Result<Layout, LayoutError> {
        if let Self::Struct { blocklengths, displacements, .. } = self {
            return structure(blocklengths, displacements, children);
        }
        as_many(("layouts", children.len()), ("children", 1))?;
        let Some(child) = children.into_iter().next() else {
            unreachable!("there is one");
        };
        let extent = child.bounds.extent();
        let in_extents = |list: &[i64]| -> Result<Vec<i64>, LayoutError> {
            list.iter().map(|d| near(i128::from(*d) * i128::from(extent))).collect()
        };
        match self {
            Self::Dup { .. } | Self::Struct { .. } => Ok(child),
            Self::Contiguous { count, .. } => row(natural("count", *count)?, extent.into(), child),
            Self::Vector { count, blocklength, stride, .. } => {
                blocks(*count, *blocklength, i128::from(*stride) * i128::from(extent), child)
            }
            Self::Hvector { count, blocklength, stride, .. } => {
                blocks(*count, *blocklength, (*stride).into(), child)
            }
            Self::Indexed { blocklengths, displacements, .. } => {
                indexed(blocklengths, &in_extents(displacements)?, child)
            }
            Self::Hindexed { blocklengths, displacements, .. } => indexed(blocklengths, displacements, child),
            Self::IndexedBlock { blocklength, displacements, .. } => {
                indexed(&vec![*blocklength; displacements.len()], &in_extents(displacements)?, child)
            }
            Self::HindexedBlock { blocklength, displacements, .. } => {
                indexed(&vec![*blocklength; displacements.len()], displacements, child)
            }
            Self::Subarray { sizes, subsizes, starts, order, .. } => {
                array::subarray(sizes, subsizes, starts, *order, child)
            }
            Self::Darray { size, rank, sizes, distributions, arguments, processes, order, .. } => {
                let grid = array::Grid { size: *size, rank: *rank, processes };
                array::darray(&grid, sizes, distributions, arguments, *order, child)
            }
            Self::Resized { lower_bound, extent, .. } => Ok(Layout {
                bounds: child.bounds.resized((*lower_bound).into(), (*extent).into())?,
                tree: child.tree,
            }),
        }
    }
}

/// A count, which must not be negative.
pub(crate) fn natural(what: &'static str, value: i64) -> Result<usize, LayoutError> {
    usize::try_from(value).map_err(|_| LayoutError::Negative { what, value })
}

/// An error unless a list is as long as another one.
pub(crate) fn as_many(
    (what, found): (&'static str, usize),
    (of, expected): (&'static str, usize),
) -> Result<(), LayoutError> {
    if found == expected { Ok(()) } else { Err(LayoutError::Lengths { what, found, of, expected }) }
}

/// `count` copies `stride` bytes apart.
pub(crate) fn row(count: usize, stride: i128, child: Layout) -> Result<Layout, LayoutError> {
    // The stride of a single copy may be anything.
    let stride = if count > 1 { near(stride)? } else { 0 };
    let mut parts = Parts::default();
    parts.block(&child.bounds, count as i128, 0, stride)?;
    let tree = if child.is_empty() { empty() } else { repeated(count, stride, child.tree) };
    Ok(Layout { bounds: parts.bounds()?, tree })
}

/// Blocks of `length` children each, `stride` bytes apart.
fn blocks(count: i64, length: i64, stride: i128, child: Layout) -> Result<Layout, LayoutError> {
    let (count, length) = (natural("count", count)?, natural("blocklength", length)?);
    let extent = child.bounds.extent();
    row(count, stride, row(length, extent.into(), child)?)
}

/// Blocks of these lengths at these places.
fn indexed(lengths: &[i64], places: &[i64], child: Layout) -> Result<Layout, LayoutError> {
    as_many(("blocklengths", lengths.len()), ("displacements", places.len()))?;
    let step = child.bounds.extent();
    let mut parts = Parts::default();
    let (mut indices, mut buckets) = (Vec::new(), Vec::new());
    for (length, place) in lengths.iter().zip(places) {
        let length = natural("blocklength", *length)?;
        parts.block(&child.bounds, length as i128, (*place).into(), step)?;
        if length > 0 {
            indices.push(*place);
            buckets.push(length);
        }
    }
    let bounds = parts.bounds()?;
    let tree = match buckets.first() {
        None => empty(),
        _ if child.is_empty() => empty(),
        Some(&length) if buckets.iter().all(|other| *other == length) => {
            at_places(indices, repeated(length, step, child.tree))
        }
        _ => Tree::IdxBuc {
            step,
            indices: indices.into(),
            buckets: buckets.into(),
            child: Arc::new(child.tree),
        },
    };
    Ok(Layout { tree, bounds })
}

fn structure(lengths: &[i64], places: &[i64], children: Vec<Layout>) -> Result<Layout, LayoutError> {
    as_many(("blocklengths", lengths.len()), ("datatypes", children.len()))?;
    as_many(("displacements", places.len()), ("datatypes", children.len()))?;
    let mut all = Vec::new();
    for ((length, place), child) in lengths.iter().zip(places).zip(children) {
        let extent = child.bounds.extent();
        all.push((*place, row(natural("blocklength", *length)?, extent.into(), child)?));
    }
    together(all)
}

/// Layouts at places, one after the other.
pub(crate) fn together(all: Vec<(i64, Layout)>) -> Result<Layout, LayoutError> {
    let mut parts = Parts::default();
    let mut trees = Vec::new();
    for (place, layout) in all {
        parts.add(&layout.bounds, 1, place.into(), place.into())?;
        if !layout.is_empty() {
            trees.push((place, layout.tree));
        }
    }
    let tree = match trees.len() {
        0 => empty(),
        1 => trees.pop().map_or_else(empty, |(place, tree)| at_places(vec![place], tree)),
        _ => {
            let (indices, children): (Vec<i64>, Vec<Tree>) = trees.into_iter().unzip();
            Tree::strc(indices, children)
        }
    };
    Ok(Layout { tree, bounds: parts.bounds()? })
}

/// The tree of no elements.
pub(crate) fn empty() -> Tree {
    Tree::con(0, Basic::Byte)
}

/// `count` copies of a tree that is not empty; as one leaf where that is all it is.
fn repeated(count: usize, stride: i64, tree: Tree) -> Tree {
    match tree {
        _ if count == 0 => empty(),
        tree if count == 1 => tree,
        // Bounds are computed before, so that the product is known to fit.
        Tree::Con { count: inner, basic } if stride == inner as i64 * basic.size() => {
            Tree::con(count * inner, basic)
        }
        tree => Tree::vec(count, stride, tree),
    }
}

/// Copies of a tree at places; a single one at 0 is the tree.
fn at_places(indices: Vec<i64>, tree: Tree) -> Tree {
    if indices == [0] { tree } else { Tree::idx(indices, tree) }
}
