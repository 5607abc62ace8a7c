//! Conditions around a point of a function, and whether they may know more about MPI's state than we do.

use std::collections::BTreeSet;

use frontend::ir::{
    BlockId, Callee, Cfg, Expr, ExprKind, Function, InstKind, LocalId, Place, PlaceBase, Projection,
    Terminator,
};
use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::graph::{DiGraph, NodeIndex};

use crate::rules::values::has_known_effect;

/// Facts about the conditions of one function.
pub(super) struct Guards {
    post_dominators: Dominators<NodeIndex<u32>>,
    exit: NodeIndex<u32>,
    /// Blocks that end in a condition on something that other functions set.
    suspicious: BTreeSet<BlockId>,
    is_main: bool,
}

/// Expressions nested deeper than this count as suspicious.
const MAX_DEPTH: u32 = 200;

impl Guards {
    pub(super) fn new(function: &Function, cfg: &Cfg) -> Self {
        let mut reversed: DiGraph<(), (), u32> = DiGraph::with_capacity(cfg.graph.node_count() + 1, 0);
        for _ in 0..=cfg.graph.node_count() {
            reversed.add_node(());
        }
        let exit = NodeIndex::new(cfg.graph.node_count());
        for block in cfg.graph.node_indices() {
            let terminator = &cfg.graph[block].terminator;
            if matches!(terminator, Terminator::Return(..)) {
                reversed.add_edge(exit, block, ());
            }
            for target in terminator.targets() {
                reversed.add_edge(target, block, ());
            }
        }
        let is_main = &*function.name == "main";
        let opaque = opaque_locals(function, cfg, is_main);
        let suspicious = cfg
            .graph
            .node_indices()
            .filter(|&block| match &cfg.graph[block].terminator {
                Terminator::Branch { condition: expr, .. } | Terminator::Switch { value: expr, .. } => {
                    is_opaque(expr, &opaque, 0)
                }
                _ => false,
            })
            .collect();
        Self { post_dominators: simple_fast(&reversed, exit), exit, suspicious, is_main }
    }

    /// Where the paths from a branch meet again: only there its condition stops to matter.
    pub(super) fn is_closed_at(&self, branch: BlockId, block: BlockId) -> bool {
        self.post_dominators.immediate_dominator(branch) == Some(block)
    }

    /// Whether being behind that branch may depend on MPI's state in a way that is not followed: the condition asks for
    /// something that other functions set. In `main` an early return is none of these, it merely gives up.
    pub(super) fn is_suspicious(&self, branch: BlockId) -> bool {
        let gives_up = self.is_main && self.post_dominators.immediate_dominator(branch) == Some(self.exit);
        self.suspicious.contains(&branch) && !gives_up
    }
}

/// Locals whose values other functions of the program set.
fn opaque_locals(function: &Function, cfg: &Cfg, is_main: bool) -> BTreeSet<LocalId> {
    let mut opaque = BTreeSet::new();
    for (index, local) in (0_u32..).zip(&function.locals) {
        if local.static_init.is_some() || index < function.params && !is_main {
            opaque.insert(LocalId(index));
        }
    }
    let calls = cfg.graph.node_weights().flat_map(|block| &block.insts).filter_map(|inst| match &inst.kind {
        InstKind::Call { dest, callee, args } => Some((dest, callee, args)),
        _ => None,
    });
    for (dest, callee, args) in calls {
        let is_known = match callee {
            Callee::Direct { mpi: Some(_), .. } => true,
            Callee::Direct { name, mpi: None } => has_known_effect(name),
            Callee::Indirect(_) => false,
        };
        if is_known {
            continue;
        }
        opaque.extend(dest.iter().filter_map(Place::as_local));
        for arg in args {
            if let ExprKind::AddressOf(place) = &arg.strip_casts().kind
                && let PlaceBase::Local(local) = place.base
            {
                opaque.insert(local);
            }
        }
    }
    // A copy of such a value is one too.
    loop {
        let before = opaque.len();
        for inst in cfg.graph.node_weights().flat_map(|block| &block.insts) {
            if let InstKind::Assign(place, expr) = &inst.kind
                && let PlaceBase::Local(local) = place.base
                && is_opaque(expr, &opaque, 0)
            {
                opaque.insert(local);
            }
        }
        if opaque.len() == before {
            return opaque;
        }
    }
}

fn is_opaque(expr: &Expr, opaque: &BTreeSet<LocalId>, depth: u32) -> bool {
    if MAX_DEPTH < depth {
        return true;
    }
    match &expr.kind {
        ExprKind::Load(place) => match &place.base {
            PlaceBase::Local(local) => {
                opaque.contains(local)
                    || place.projections.iter().any(|projection| match projection {
                        Projection::Index(index) => is_opaque(index, opaque, depth + 1),
                        Projection::Field(..) => false,
                    })
            }
            PlaceBase::Global(_) => true,
            // `argv[1][0]`: what the user typed.
            PlaceBase::Deref(pointer) => is_opaque(pointer, opaque, depth + 1),
        },
        ExprKind::Unary(_, a) | ExprKind::Cast(a) => is_opaque(a, opaque, depth + 1),
        ExprKind::Binary(_, a, b) => is_opaque(a, opaque, depth + 1) || is_opaque(b, opaque, depth + 1),
        ExprKind::Conditional(a, b, c) => [a, b, c].iter().any(|part| is_opaque(part, opaque, depth + 1)),
        ExprKind::Unknown(_) => true,
        _ => false,
    }
}
