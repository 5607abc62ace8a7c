//! From trees to constructors of MPI.

use std::sync::Arc;

use crate::bounds::Bounds;
use crate::datatype::{Constructor, Datatype};
use crate::layout::{Layout, LayoutError};
use crate::tree::Tree;

impl Datatype {
    /// The datatype of the elements of a tree, with the bounds that MPI gives them.
    ///
    /// # Errors
    ///
    /// If a displacement is too far from 0, or the elements are too many to be counted.
    pub fn of_tree(tree: &Tree) -> Result<Self, LayoutError> {
        Layout::of_tree(tree.clone())?.datatype()
    }

    /// The same datatype with constructors instead of trees.
    ///
    /// # Errors
    ///
    /// As [`of_tree`](Self::of_tree).
    pub fn without_trees(&self) -> Result<Self, LayoutError> {
        Ok(match self {
            Self::Basic(_) => self.clone(),
            Self::Tree(tree) => Self::of_tree(tree)?,
            Self::Constructed(constructor) => {
                let children =
                    constructor.children().iter().map(Self::without_trees).collect::<Result<_, _>>()?;
                constructor.with_children(children).into()
            }
        })
    }
}

impl Layout {
    /// Constructors that build this layout: about one for each node of the tree, and one that sets the bounds where they are not the ones
    /// that MPI gives the elements.
    ///
    /// # Errors
    ///
    /// If something is too large for 64 bits, which a layout of a datatype never is.
    pub fn datatype(&self) -> Result<Datatype, LayoutError> {
        let datatype = constructors(&self.tree)?;
        let built = datatype.layout()?.bounds;
        let (lower_bound, extent) = (self.bounds.lower, self.bounds.extent());
        if (built.lower, built.extent()) == (lower_bound, extent) && (built.set || !self.bounds.set) {
            return Ok(datatype);
        }
        Ok(Constructor::Resized { lower_bound, extent, child: datatype }.into())
    }
}

/// Constructors for a tree whose bounds may differ from those of the elements if it has buckets.
fn constructors(tree: &Tree) -> Result<Datatype, LayoutError> {
    Ok(match tree {
        Tree::Con { count: 1, basic } => Datatype::Basic(*basic),
        Tree::Con { count, basic } => {
            Constructor::Contiguous { count: counted(*count)?, child: Datatype::Basic(*basic) }.into()
        }
        Tree::Vec { count, stride, child } => {
            let (blocklength, child) = block(child)?;
            let count = counted(*count)?;
            match child {
                Datatype::Basic(basic) if stride % basic.size() == 0 => {
                    Constructor::Vector { count, blocklength, stride: stride / basic.size(), child }
                }
                _ => Constructor::Hvector { count, blocklength, stride: *stride, child },
            }
            .into()
        }
        Tree::Idx { indices, child } => {
            let (blocklength, child) = block(child)?;
            match in_elements(indices, &child) {
                Some(displacements) => Constructor::IndexedBlock { blocklength, displacements, child },
                None => Constructor::HindexedBlock { blocklength, displacements: indices.clone(), child },
            }
            .into()
        }
        Tree::Strc { indices, children } => {
            let blocks = children.iter().map(block).collect::<Result<Vec<_>, _>>()?;
            let (blocklengths, children): (Vec<i64>, Vec<Datatype>) = blocks.into_iter().unzip();
            Constructor::Struct {
                blocklengths: blocklengths.into(),
                displacements: indices.clone(),
                children: children.into(),
            }
            .into()
        }
        Tree::VecBuc { stride, step, buckets, child } => {
            let indices = (0..buckets.len() as i64).map(|i| i * stride).collect();
            bucketed(*step, &indices, buckets, child)?
        }
        Tree::IdxBuc { step, indices, buckets, child } => bucketed(*step, indices, buckets, child)?,
    })
}

fn bucketed(
    step: i64,
    indices: &Arc<[i64]>,
    buckets: &[usize],
    child: &Tree,
) -> Result<Datatype, LayoutError> {
    let blocklengths = buckets.iter().map(|size| counted(*size)).collect::<Result<Arc<[i64]>, _>>()?;
    let datatype = constructors(child)?;
    if natural_extent(child)? != Some(step) {
        let child = Constructor::Resized { lower_bound: 0, extent: step, child: datatype }.into();
        return Ok(Constructor::Hindexed { blocklengths, displacements: indices.clone(), child }.into());
    }
    Ok(match in_elements(indices, &datatype) {
        Some(displacements) => Constructor::Indexed { blocklengths, displacements, child: datatype },
        None => Constructor::Hindexed { blocklengths, displacements: indices.clone(), child: datatype },
    }
    .into())
}

/// A tree as a block of some length, since most constructors of MPI repeat what they place.
fn block(tree: &Tree) -> Result<(i64, Datatype), LayoutError> {
    Ok(match tree {
        Tree::Con { count, basic } => (counted(*count)?, Datatype::Basic(*basic)),
        Tree::Vec { count, stride, child } if natural_extent(child)? == Some(*stride) => {
            (counted(*count)?, constructors(child)?)
        }
        _ => (1, constructors(tree)?),
    })
}

/// The extent of what is built for a tree, if it is the one of the elements.
fn natural_extent(tree: &Tree) -> Result<Option<i64>, LayoutError> {
    let buckets = tree.nodes().any(|node| matches!(node, Tree::VecBuc { .. } | Tree::IdxBuc { .. }));
    Ok(if buckets { None } else { Some(Bounds::of_tree(tree)?.extent()) })
}

/// Displacements in elements of a predefined datatype, if all are whole ones that an `int` can hold.
fn in_elements(bytes: &[i64], child: &Datatype) -> Option<Arc<[i64]>> {
    let Datatype::Basic(basic) = child else { return None };
    (bytes.iter())
        .map(|d| (d % basic.size() == 0 && i32::try_from(d / basic.size()).is_ok()).then(|| d / basic.size()))
        .collect()
}

fn counted(count: usize) -> Result<i64, LayoutError> {
    i64::try_from(count).map_err(|_| LayoutError::TooMany)
}
