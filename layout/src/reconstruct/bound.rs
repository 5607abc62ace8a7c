//! What every tree for a sequence costs at least.

use super::sequence::Sequence;
use crate::cost::CostModel;

/// A bound that takes O(n log n) to compute.
///
/// Walking from one element to the next crosses one boundary of one node, and the distance depends only on the node and on which of its
/// boundaries it is. A leaf and a `vec` have one kind of boundary, the other nodes fewer than they have list elements, or as many. So `u`
/// different distances take that many leaves, nodes `vec` and list elements; one leaf there is in any case.
pub(super) fn lower_bound(sequence: &Sequence<'_>, cost: &CostModel) -> u64 {
    let mut steps = sequence.steps.clone();
    steps.sort_unstable();
    steps.dedup();
    let cheapest = cost.con.min(cost.vec).min(cost.lookup);
    let beyond_leaf = (steps.len() as u64).saturating_sub(1) * u64::from(cheapest);
    // Only a node with indices can begin elsewhere than at 0.
    let shift = match sequence.at(0) {
        0 => 0,
        _ => u64::from(cost.idx.min(cost.strc).min(cost.idxbuc)) + u64::from(cost.lookup),
    };
    u64::from(cost.con) + beyond_leaf.max(shift)
}
