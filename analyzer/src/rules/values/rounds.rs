//! Loops that can be gone through round by round.
//!
//! A join at the loop head loses which element of an array a round changes: after `for (i = 0; i < 3; i++) a[i] -= a[0];` nothing
//! would be known of `a`. Where each branch of a short loop is decided by what is known on entry, its rounds are executed
//! one after the other, and what holds after the last of them goes on.
//!
//! Only loops without a call that a rule might have something to say about are gone through, since what holds within the loop is
//! not recorded then.

use frontend::ir::{BlockId, Callee, Cfg, InstKind};
use frontend::mpi::{AddressOp, Class};

use super::eval::Evaluator;
use super::liveness::Liveness;
use super::state::State;
use super::{apply, forget_dead, outgoing};

/// Blocks that are executed for one loop, loops within it included; one that needs more is left to the join. Arrays of more
/// elements than [`State`] keeps gain nothing from it.
const MAX_STEPS: u32 = 256;

/// A loop in which only sums, stores and branches happen.
struct Quiet {
    header: BlockId,
    /// Sorted.
    blocks: Vec<BlockId>,
}

impl Quiet {
    fn contains(&self, block: BlockId) -> bool {
        self.blocks.binary_search(&block).is_ok()
    }
}

/// The loops of a function that may be gone through.
pub(super) struct Rounds(Vec<Quiet>);

impl Rounds {
    pub(super) fn new(cfg: &Cfg) -> Self {
        let quiet = cfg.loops.iter().filter(|l| l.blocks.iter().all(|&block| is_quiet(cfg, block)));
        Self(quiet.map(|l| Quiet { header: l.header, blocks: l.blocks.clone() }).collect())
    }

    /// Where control is after the loop that begins at `target`, if `target` is the head of one, entered from `from` outside of
    /// it, and every branch in it is decided.
    pub(super) fn leave(
        &self,
        eval: &Evaluator<'_>,
        cfg: &Cfg,
        liveness: &Liveness,
        from: BlockId,
        (target, state): (BlockId, &State),
    ) -> Option<(BlockId, State)> {
        let quiet = self.0.iter().find(|l| l.header == target && !l.contains(from))?;
        let (mut block, mut state) = (target, state.clone());
        for _ in 0..MAX_STEPS {
            if !quiet.contains(block) {
                return Some((block, state));
            }
            for inst in &cfg.graph[block].insts {
                apply(eval, &mut state, inst);
            }
            let mut ways = outgoing(eval, &cfg.graph[block].terminator, &state);
            if ways.len() != 1 {
                return None;
            }
            (block, state) = ways.pop()?;
            forget_dead(liveness, block, &mut state);
        }
        None
    }
}

/// Whether nothing happens in a block but stores, and sums of addresses.
fn is_quiet(cfg: &Cfg, block: BlockId) -> bool {
    cfg.graph[block].insts.iter().all(|inst| match &inst.kind {
        InstKind::Assign(..) | InstKind::Declare(_) => true,
        InstKind::Call { callee: Callee::Direct { mpi: Some(mpi), .. }, .. } => {
            matches!(mpi.class, Class::Address(AddressOp::Add | AddressOp::Difference))
        }
        InstKind::Call { .. } | InstKind::Opaque { .. } => false,
    })
}
