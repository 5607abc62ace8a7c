//! Which locals a block may still mention. What nobody mentions any more need not be known.

use frontend::ir::{
    BlockId, Callee, Cfg, Expr, ExprKind, Function, InstKind, LocalId, Place, PlaceBase, Projection,
    Terminator,
};

/// In functions with more locals than this, even variables whose address is taken are forgotten after their last mention:
/// what pointers to them still reach is then unknown.
const MANY_LOCALS: usize = 256;
/// Expressions nested deeper than this count as mentioning every local.
const MAX_DEPTH: u32 = 200;

/// Live locals at the start of every block.
pub(in crate::rules) struct Liveness {
    /// Bits by local, per block.
    live: Vec<Vec<u64>>,
    /// Locals that are never forgotten.
    kept: Vec<u64>,
}

impl Liveness {
    pub(in crate::rules) fn new(function: &Function, cfg: &Cfg) -> Self {
        let words = function.locals.len().div_ceil(64);
        let mut kept = vec![0; words];
        if function.locals.len() <= MANY_LOCALS {
            for (index, _) in function.locals.iter().enumerate().filter(|(_, local)| local.address_taken) {
                kept[index / 64] |= 1 << (index % 64);
            }
        }
        // Per block: locals mentioned before they are stored to, and locals stored to before they are mentioned.
        let mut mentioned = vec![vec![0_u64; words]; cfg.graph.node_count()];
        let mut stored = vec![vec![0_u64; words]; cfg.graph.node_count()];
        for block in cfg.graph.node_indices() {
            let mut scan =
                Scan { mentioned: &mut mentioned[block.index()], stored: &mut stored[block.index()] };
            for inst in &cfg.graph[block].insts {
                scan.inst(&inst.kind);
            }
            match &cfg.graph[block].terminator {
                Terminator::Branch { condition: expr, .. }
                | Terminator::Switch { value: expr, .. }
                | Terminator::Return(Some(expr), _) => scan.expr(expr, 0),
                _ => {}
            }
        }
        let mut live = mentioned.clone();
        let mut pending: Vec<BlockId> = cfg.graph.node_indices().collect();
        let mut is_pending = vec![true; cfg.graph.node_count()];
        while let Some(block) = pending.pop() {
            is_pending[block.index()] = false;
            for before in cfg.graph.neighbors_directed(block, petgraph::Incoming) {
                let mut changed = false;
                for word in 0..words {
                    let new = live[block.index()][word] & !stored[before.index()][word];
                    let slot = &mut live[before.index()][word];
                    changed |= *slot | new != *slot;
                    *slot |= new;
                }
                if changed && !std::mem::replace(&mut is_pending[before.index()], true) {
                    pending.push(before);
                }
            }
        }
        Self { live, kept }
    }

    /// Whether the local may be mentioned from the start of the block on.
    pub(super) fn is_live(&self, block: BlockId, local: LocalId) -> bool {
        let (word, bit) = (local.0 as usize / 64, 1_u64 << (local.0 % 64));
        let row = &self.live[block.index()];
        row.get(word).is_none_or(|bits| (bits | self.kept[word]) & bit != 0)
    }
}

struct Scan<'s> {
    mentioned: &'s mut [u64],
    stored: &'s mut [u64],
}

impl Scan<'_> {
    fn inst(&mut self, inst: &InstKind) {
        match inst {
            InstKind::Assign(place, expr) => {
                self.expr(expr, 0);
                self.store(place);
            }
            InstKind::Call { dest, callee, args } => {
                args.iter().for_each(|arg| self.expr(arg, 0));
                if let Callee::Indirect(target) = callee {
                    self.expr(target, 0);
                }
                dest.iter().for_each(|place| self.store(place));
            }
            // A declaration of a variable-length array also fixes its lengths, which the array's uses need.
            InstKind::Declare(local) => self.set(*local),
            InstKind::Opaque { writes, .. } => writes.iter().flatten().for_each(|place| self.place(place, 0)),
        }
    }

    fn mention(&mut self, local: LocalId) {
        let (word, bit) = (local.0 as usize / 64, 1_u64 << (local.0 % 64));
        if let (Some(mentioned), Some(stored)) = (self.mentioned.get_mut(word), self.stored.get(word)) {
            *mentioned |= bit & !stored;
        }
    }

    fn set(&mut self, local: LocalId) {
        let (word, bit) = (local.0 as usize / 64, 1_u64 << (local.0 % 64));
        if let (Some(mentioned), Some(stored)) = (self.mentioned.get(word), self.stored.get_mut(word)) {
            *stored |= bit & !mentioned;
        }
    }

    fn store(&mut self, place: &Place) {
        match place.as_local() {
            Some(local) => self.set(local),
            None => self.place(place, 0),
        }
    }

    fn place(&mut self, place: &Place, depth: u32) {
        match &place.base {
            PlaceBase::Local(local) => self.mention(*local),
            PlaceBase::Global(_) => {}
            PlaceBase::Deref(pointer) => self.expr(pointer, depth + 1),
        }
        for projection in &place.projections {
            if let Projection::Index(index) = projection {
                self.expr(index, depth + 1);
            }
        }
    }

    fn expr(&mut self, expr: &Expr, depth: u32) {
        if MAX_DEPTH < depth {
            for (mentioned, stored) in self.mentioned.iter_mut().zip(self.stored.iter()) {
                *mentioned |= !stored;
            }
            return;
        }
        match &expr.kind {
            ExprKind::Load(place) | ExprKind::AddressOf(place) => self.place(place, depth + 1),
            ExprKind::Unary(_, a) | ExprKind::Cast(a) => self.expr(a, depth + 1),
            ExprKind::Binary(_, a, b) => {
                self.expr(a, depth + 1);
                self.expr(b, depth + 1);
            }
            ExprKind::Conditional(a, b, c) => {
                self.expr(a, depth + 1);
                self.expr(b, depth + 1);
                self.expr(c, depth + 1);
            }
            ExprKind::SizeofVla(factors) => factors.iter().for_each(|factor| self.expr(factor, depth + 1)),
            _ => {}
        }
    }
}
