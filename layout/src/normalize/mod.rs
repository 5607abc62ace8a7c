//! A cheaper tree for the same elements (Ganian, Kalany, Szeider, Träff 2018, section 4.3).
//!
//! Where the table of `reconstruct` fits into memory, the tree is flattened, since a `strc` may make any tree cheaper. Else nothing is
//! flattened that need not be: `chain.rs` finds the cheapest nodes `vec` and `idx` above what is below them, in time of the tree's own lists
//! (what Träff showed in 2014 to be possible); below are a leaf, or a node with several children or buckets, which is flattened if it is
//! short enough, and keeps its shape with cheaper children if not.

mod chain;
mod steps;

use crate::basic::Basic;
use crate::bounds::Bounds;
use crate::cost::CostModel;
use crate::reconstruct::{Constructors, Options, ReconstructError, bound, reconstruct, table_fits, together};
use crate::tree::Tree;

/// Constants of a cost model up to this one cannot add up to more than 64 bits hold, whatever tree fits into memory.
const LARGEST_COST: u32 = 1 << 28;

/// Memory for an element of a flattened tree, of all that is linear in its length.
const BYTES_FLAT: usize = 64;

/// How a tree was made cheaper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// By flattening all of it.
    Flattened,
    /// Without flattening any of it; no tree of `con`, `vec` and `idx` costs less.
    Structural,
    /// By flattening nodes with several children or with buckets only, as far as they are short enough.
    Partly,
}

/// A tree for the elements of a given one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Normalization {
    /// The tree.
    pub tree: Tree,
    /// What it costs.
    pub cost: u64,
    /// What the given one costs.
    pub given_cost: u64,
    /// How it was found.
    pub way: Way,
    /// Whether no tree of the constructors that are allowed costs less.
    pub optimal: bool,
    /// What every such tree costs at least.
    pub lower_bound: u64,
}

/// The cheapest tree that is found for the elements of `tree`.
///
/// It may cost more than the given one only if that has nodes that `options` does not allow. With `flatten`, the whole tree is flattened if
/// the table of `reconstruct` fits into the memory limit. Without `strc`, flattening is never needed for what has no `strc` and no buckets.
///
/// # Errors
///
/// As [`reconstruct`], but a tree without elements is a leaf; and if a displacement in the tree is too far from 0, or a tree that must be
/// flattened does not fit into the memory limit.
pub fn normalize(tree: &Tree, options: &Options, flatten: bool) -> Result<Normalization, ReconstructError> {
    let elements = Bounds::of_tree(tree)?.elements;
    let cost = &options.cost;
    if cost.constants().into_iter().any(|constant| constant > LARGEST_COST) {
        return Err(ReconstructError::CostTooLarge(elements));
    }
    let given_cost = cost.of(tree);
    let answer = |tree: Tree, way: Way, lower_bound: u64| {
        let cost = cost.of(&tree);
        let lower_bound = lower_bound.min(cost);
        Normalization { optimal: cost == lower_bound, tree, cost, given_cost, way, lower_bound }
    };
    if tree.is_empty() {
        return Ok(answer(Tree::con(0, Basic::Byte), Way::Structural, cost.con.into()));
    }
    if options.constructors == Constructors::Homogeneous {
        if tree.nodes().all(is_simple) {
            let found = structurally(tree, options)?;
            return Ok(answer(found, Way::Structural, u64::MAX));
        }
        if elements > options.memory_limit / BYTES_FLAT {
            return Err(ReconstructError::Memory(elements));
        }
        let found = reconstruct(&tree.flatten(), options)?;
        return Ok(answer(found.tree, Way::Flattened, u64::MAX));
    }
    if flatten && short(tree, options) {
        let found = reconstruct(&tree.flatten(), options)?;
        return Ok(answer(found.tree, Way::Flattened, found.lower_bound));
    }
    let found = structurally(tree, options)?;
    let way = if tree.nodes().all(is_simple) { Way::Structural } else { Way::Partly };
    let allowed = options.constructors == Constructors::Extended || !tree.nodes().any(has_buckets);
    let better = if allowed && given_cost < cost.of(&found) { tree.clone() } else { found };
    Ok(answer(better, way, lower_bound(tree, cost)))
}

/// Whether the whole tree can be flattened and reconstructed.
fn short(tree: &Tree, options: &Options) -> bool {
    tree.len().is_some_and(|elements| table_fits(elements, options))
}

fn is_simple(node: &Tree) -> bool {
    matches!(node, Tree::Con { .. } | Tree::Vec { .. } | Tree::Idx { .. })
}

fn has_buckets(node: &Tree) -> bool {
    matches!(node, Tree::VecBuc { .. } | Tree::IdxBuc { .. })
}

/// What every tree for the elements of a tree with elements costs at least.
fn lower_bound(tree: &Tree, cost: &CostModel) -> u64 {
    match steps::of(tree) {
        Some(steps) => {
            let shifted = steps.first.displacement != 0;
            let leaf = !shifted
                && steps
                    .distances
                    .iter()
                    .all(|(basic, distance)| *basic == steps.last.basic && *distance == basic.size());
            bound::bound(steps.distances.len(), shifted, leaf, cost)
        }
        None => cost.con.into(),
    }
}

/// A tree that is found without flattening more than must be.
fn structurally(tree: &Tree, options: &Options) -> Result<Tree, ReconstructError> {
    let (mut chain, end) = chain::Chain::above(tree);
    let end = match end {
        Tree::Con { .. } => end.clone(),
        _ => branching(end, options)?,
    };
    // What was found below may be repetitions, too.
    let (more, below) = chain::Chain::above(&end);
    chain.extend(more);
    let end = below.clone();
    Ok(chain.cheapest(&end, &options.cost))
}

/// A cheaper tree for a node with several children or with buckets.
fn branching(node: &Tree, options: &Options) -> Result<Tree, ReconstructError> {
    if short(node, options) {
        return Ok(reconstruct(&node.flatten(), options)?.tree);
    }
    Ok(match node {
        Tree::Strc { indices, children } => {
            let mut places = Vec::new();
            for (index, child) in indices.iter().zip(children.iter()).filter(|(_, child)| !child.is_empty()) {
                // The indices can carry what a child is shifted by, and a struct costs more than its children do.
                match structurally(child, options)? {
                    Tree::Idx { indices, child } if indices.len() == 1 => {
                        places.push((index + indices[0], (*child).clone()));
                    }
                    Tree::Strc { indices, children } => {
                        places.extend(indices.iter().map(|at| index + at).zip(children.iter().cloned()));
                    }
                    child => places.push((*index, child)),
                }
            }
            together(places, &options.cost)
        }
        Tree::VecBuc { stride, step, buckets, child } => {
            let child = structurally(child, options)?;
            if options.constructors == Constructors::Basic {
                let starts = (0..).map(|i: i64| i * stride);
                return Ok(spread(*step, starts, buckets, &child, &options.cost));
            }
            Tree::VecBuc { stride: *stride, step: *step, buckets: buckets.clone(), child: child.into() }
        }
        Tree::IdxBuc { step, indices, buckets, child } => {
            let child = structurally(child, options)?;
            if options.constructors == Constructors::Basic {
                return Ok(spread(*step, indices.iter().copied(), buckets, &child, &options.cost));
            }
            Tree::IdxBuc {
                step: *step,
                indices: indices.clone(),
                buckets: buckets.clone(),
                child: child.into(),
            }
        }
        _ => node.clone(),
    })
}

/// Buckets without the constructors for buckets: each is a `vec`, and all are a `strc`.
fn spread(
    step: i64,
    starts: impl Iterator<Item = i64>,
    buckets: &[usize],
    child: &Tree,
    cost: &CostModel,
) -> Tree {
    let bucket = |size: usize| match (size, child) {
        (1, child) => child.clone(),
        (size, Tree::Con { count, basic }) if step == *count as i64 * basic.size() => {
            Tree::con(size * count, *basic)
        }
        (size, child) => Tree::vec(size, step, child.clone()),
    };
    let places = starts.zip(buckets).filter(|(_, size)| **size > 0);
    together(places.map(|(start, size)| (start, bucket(*size))).collect(), cost)
}
