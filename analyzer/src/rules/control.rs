//! Which blocks every execution of a function passes.

use frontend::ir::{BlockId, Cfg, Terminator};

/// Blocks that no condition guards.
pub(super) struct Control {
    unconditional: Vec<bool>,
}

impl Control {
    /// For one function. A block counts as unconditional if every execution that returns from the function passes it,
    /// or would but for the number of turns of the loops around it.
    pub(super) fn new(cfg: &Cfg) -> Self {
        let n = cfg.graph.node_count();
        let mut unconditional = vec![false; n];
        for block in cfg.graph.node_indices() {
            unconditional[block.index()] = !avoidable(cfg, block);
        }
        Self { unconditional }
    }

    pub(super) fn is_unconditional(&self, block: BlockId) -> bool {
        self.unconditional.get(block.index()).copied().unwrap_or(false)
    }
}

/// Whether a return can be reached without passing `avoid`. To pass by one of the loops around it does not count: its
/// exits are closed unless they are left from the inside.
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
