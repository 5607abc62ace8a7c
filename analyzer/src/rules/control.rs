//! Which blocks every execution of a function passes.

use frontend::ir::{BlockId, Cfg, Terminator};

/// Tells which blocks no condition guards.
pub(super) struct Control<'a> {
    cfg: &'a Cfg,
}

impl<'a> Control<'a> {
    /// For one function.
    pub(super) fn new(cfg: &'a Cfg) -> Self {
        Self { cfg }
    }

    /// Whether every execution that returns from the function passes the block, or would but for the number of turns of
    /// the loops around it. Walks over the graph each time: few calls ask.
    pub(super) fn is_unconditional(&self, block: BlockId) -> bool {
        !avoidable(self.cfg, block)
    }
}

/// Whether a return can be reached without passing `avoid`, or a loop around it can go round without. To pass by one of these loops
/// does not count: its exits are closed unless they are left from the inside.
fn avoidable(cfg: &Cfg, avoid: BlockId) -> bool {
    let around: Vec<_> = cfg.loops.iter().filter(|l| l.blocks.binary_search(&avoid).is_ok()).collect();
    let mut seen = vec![false; cfg.graph.node_count()];
    let mut pending = vec![cfg.entry];
    while let Some(block) = pending.pop() {
        if block == avoid || std::mem::replace(&mut seen[block.index()], true) {
            continue;
        }
        let terminator = &cfg.graph[block].terminator;
        if matches!(terminator, Terminator::Return(..)) {
            return true;
        }
        // A turn of a loop that does without it.
        let goes_round = |target: &BlockId| {
            around.iter().any(|l| l.header == *target && l.blocks.binary_search(&block).is_ok())
        };
        if terminator.targets().iter().any(goes_round) {
            return true;
        }
        // From the test of a loop around the block, only the way in counts.
        let header_of = around.iter().find(|l| l.header == block);
        pending.extend(
            terminator
                .targets()
                .into_iter()
                .filter(|target| header_of.is_none_or(|l| l.blocks.binary_search(target).is_ok())),
        );
    }
    false
}
