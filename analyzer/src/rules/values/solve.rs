//! Forward dataflow to a fixpoint, over any domain.

use std::collections::BTreeSet;

use frontend::ir::{BlockId, Cfg};
use petgraph::visit::DfsPostOrder;

/// What a forward analysis knows at a point.
pub(in crate::rules) trait Domain: Clone + PartialEq {
    /// Covers both.
    fn join(&self, other: &Self) -> Self;
    /// Covers `new`, which covers `self`; every chain of these is finite.
    fn widen(&self, new: &Self) -> Self;
}

/// From the how-manieth visit on a loop head is widened.
const WIDEN_AFTER: u32 = 3;
/// Visits of all blocks together, per block; beyond this the analysis gives up (irreducible graphs of generated code).
const MAX_VISITS_PER_BLOCK: usize = 64;
/// Passes that win back precision after widening.
const DESCENDING_PASSES: usize = 2;

/// A solution: for each block what is known at its start.
pub(in crate::rules) struct Solution<D> {
    /// By block index; `None` where no execution gets.
    pub(in crate::rules) entry: Vec<Option<D>>,
    /// The blocks in reverse post-order.
    pub(in crate::rules) order: Vec<BlockId>,
}

/// Solves for the states at the start of all blocks. `outgoing` gives, for a block and the state at its start, the
/// states with which it goes on. `None` if that takes too long.
pub(in crate::rules) fn solve<D: Domain>(
    cfg: &Cfg,
    start: &D,
    outgoing: impl Fn(BlockId, &D) -> Vec<(BlockId, D)>,
) -> Option<Solution<D>> {
    let mut post_order = DfsPostOrder::new(&cfg.graph, cfg.entry);
    let mut order = Vec::with_capacity(cfg.graph.node_count());
    while let Some(block) = post_order.next(&cfg.graph) {
        order.push(block);
    }
    order.reverse();
    let mut solution = Solution { entry: vec![None; cfg.graph.node_count()], order };
    ascend(cfg, start, &outgoing, &mut solution)?;
    for _ in 0..DESCENDING_PASSES {
        descend(cfg, start, &outgoing, &mut solution);
    }
    Some(solution)
}

/// Goes up from nothing to a solution.
fn ascend<D: Domain>(
    cfg: &Cfg,
    start: &D,
    outgoing: &impl Fn(BlockId, &D) -> Vec<(BlockId, D)>,
    solution: &mut Solution<D>,
) -> Option<()> {
    let Solution { entry, order } = solution;
    let mut position = vec![usize::MAX; entry.len()];
    for (index, block) in order.iter().enumerate() {
        position[block.index()] = index;
    }
    let mut visits = vec![0_u32; entry.len()];
    let mut budget = order.len().saturating_mul(MAX_VISITS_PER_BLOCK);
    entry[cfg.entry.index()] = Some(start.clone());
    let mut pending = BTreeSet::from([position[cfg.entry.index()]]);
    while let Some(next) = pending.pop_first() {
        budget = budget.checked_sub(1)?;
        let block = order[next];
        let Some(state) = &entry[block.index()] else { continue };
        for (target, out) in outgoing(block, state) {
            let at = position[target.index()];
            let retreating = at <= next;
            let new = match &entry[target.index()] {
                None => out,
                Some(old) => {
                    let join = old.join(&out);
                    visits[target.index()] += u32::from(retreating);
                    if retreating && WIDEN_AFTER < visits[target.index()] { old.widen(&join) } else { join }
                }
            };
            if entry[target.index()].as_ref() != Some(&new) {
                entry[target.index()] = Some(new);
                pending.insert(at);
            }
        }
    }
    Some(())
}

/// Recomputes every block once from its predecessors. Starting from a solution this yields a solution.
fn descend<D: Domain>(
    cfg: &Cfg,
    start: &D,
    outgoing: &impl Fn(BlockId, &D) -> Vec<(BlockId, D)>,
    solution: &mut Solution<D>,
) {
    let mut next: Vec<Option<D>> = vec![None; solution.entry.len()];
    next[cfg.entry.index()] = Some(start.clone());
    for &block in &solution.order {
        let Some(state) = &solution.entry[block.index()] else { continue };
        for (target, out) in outgoing(block, state) {
            let slot = &mut next[target.index()];
            *slot = Some(slot.as_ref().map_or_else(|| out.clone(), |so_far| so_far.join(&out)));
        }
    }
    solution.entry = next;
}
