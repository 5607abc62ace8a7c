//! What every tree for a sequence costs at least.

use super::sequence::Sequence;
use crate::cost::CostModel;

/// A bound that takes O(n log n) to compute.
pub(super) fn lower_bound(sequence: &Sequence<'_>, cost: &CostModel) -> u64 {
    let mut steps = sequence.steps.clone();
    steps.sort_unstable();
    steps.dedup();
    let shifted = sequence.at(0) != 0;
    bound(steps.len(), shifted, !shifted && sequence.is_con(0, sequence.len()), cost)
}

/// The bound for a sequence with that many different steps, that begins at 0 or not, and is what a leaf describes or not.
///
/// Walking from one element to the next crosses one boundary of one node, and the distance depends only on the node and on which of its
/// boundaries it is. A leaf and a `vec` have one kind of boundary, the other nodes fewer than they have list elements, or as many. So `u`
/// different distances take that many leaves, nodes `vec` and list elements; one leaf there is in any case.
pub(crate) fn bound(steps: usize, shifted: bool, leaf: bool, cost: &CostModel) -> u64 {
    let [con, vec, idx, strc, vecbuc, idxbuc, lookup] =
        [cost.con, cost.vec, cost.idx, cost.strc, cost.vecbuc, cost.idxbuc, cost.lookup].map(u64::from);
    let beyond_leaf = (steps as u64).saturating_sub(1) * con.min(vec).min(lookup);
    // Only a node with indices can begin elsewhere than at 0.
    let shift = if shifted { idx.min(strc).min(idxbuc) + lookup } else { 0 };
    // What is no leaf has a root that is none.
    let root = vec.min(idx + lookup).min(strc + 2 * lookup).min(vecbuc + lookup).min(idxbuc + 2 * lookup);
    con + beyond_leaf.max(shift).max(if leaf { 0 } else { root })
}
