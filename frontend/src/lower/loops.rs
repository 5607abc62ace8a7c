//! Natural loops and their induction variables.

use petgraph::Direction;
use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::graph::DiGraph;

use crate::ir::cfg::Induction;
use crate::ir::{
    BinaryOp, Block, BlockId, Edge, Expr, ExprKind, InstKind, Local, LocalId, NaturalLoop, Place,
};

type Graph = DiGraph<Block, Edge, u32>;

/// All natural loops, outer before inner. Blocks are numbered in reverse postorder.
pub(super) fn natural_loops(graph: &Graph, entry: BlockId, locals: &[Local]) -> Vec<NaturalLoop> {
    let dominators = simple_fast(graph, entry);
    // An edge that does not go forward in reverse postorder is a back edge if its target dominates its source.
    let mut back: Vec<(BlockId, BlockId)> = graph
        .edge_indices()
        .filter_map(|e| graph.edge_endpoints(e))
        .filter(|&(from, to)| to <= from && dominates(&dominators, to, from))
        .map(|(from, to)| (to, from))
        .collect();
    back.sort_unstable();
    back.dedup();
    let mut loops: Vec<NaturalLoop> = Vec::new();
    for chunk in back.chunk_by(|a, b| a.0 == b.0) {
        let header = chunk[0].0;
        let latches: Vec<BlockId> = chunk.iter().map(|&(_, from)| from).collect();
        let blocks = members(graph, header, &latches);
        loops.push(NaturalLoop { header, blocks, latches, parent: None, inductions: Vec::new() });
    }
    // A header that comes earlier in reverse postorder is the outer one of two nested loops.
    for inner in 0..loops.len() {
        let header = loops[inner].header;
        loops[inner].parent = (0..inner)
            .filter(|&outer| loops[outer].blocks.binary_search(&header).is_ok())
            .min_by_key(|&outer| loops[outer].blocks.len());
    }
    let innermost = innermost_loop(graph, &loops);
    for index in 0..loops.len() {
        loops[index].inductions = inductions(graph, &loops, index, &innermost, &dominators, locals);
    }
    loops
}

fn dominates(dominators: &Dominators<BlockId>, above: BlockId, below: BlockId) -> bool {
    dominators.dominators(below).is_some_and(|mut chain| chain.any(|d| d == above))
}

fn members(graph: &Graph, header: BlockId, latches: &[BlockId]) -> Vec<BlockId> {
    let mut inside = vec![false; graph.node_count()];
    inside[header.index()] = true;
    let mut stack = latches.to_vec();
    while let Some(at) = stack.pop() {
        if !std::mem::replace(&mut inside[at.index()], true) {
            stack.extend(graph.neighbors_directed(at, Direction::Incoming));
        }
    }
    graph.node_indices().filter(|n| inside[n.index()]).collect()
}

fn innermost_loop(graph: &Graph, loops: &[NaturalLoop]) -> Vec<Option<usize>> {
    let mut innermost = vec![None; graph.node_count()];
    // Inner loops come later, so they overwrite.
    for (index, natural) in loops.iter().enumerate() {
        for block in &natural.blocks {
            innermost[block.index()] = Some(index);
        }
    }
    innermost
}

/// What the loop does to one variable.
#[derive(Clone, Copy)]
enum Change {
    /// Adds this much once per trip.
    Step(i128),
    /// Anything else.
    Other,
}

fn inductions(
    graph: &Graph,
    loops: &[NaturalLoop],
    index: usize,
    innermost: &[Option<usize>],
    dominators: &Dominators<BlockId>,
    locals: &[Local],
) -> Vec<Induction> {
    let natural = &loops[index];
    let mut changes: Vec<(LocalId, Change)> = Vec::new();
    let mut note = |id: LocalId, change: Change| match changes.iter_mut().find(|(l, _)| *l == id) {
        Some((_, old)) => {
            *old = match (*old, change) {
                (Change::Step(a), Change::Step(b)) => a.checked_add(b).map_or(Change::Other, Change::Step),
                _ => Change::Other,
            }
        }
        None => changes.push((id, change)),
    };
    let base = |place: &Place| match place.base {
        crate::ir::PlaceBase::Local(id) => Some(id),
        _ => None,
    };
    for &block in &natural.blocks {
        let every_trip = innermost[block.index()] == Some(index)
            && natural.latches.iter().all(|&latch| dominates(dominators, block, latch));
        for inst in &graph[block].insts {
            match &inst.kind {
                InstKind::Assign(place, value) => {
                    let Some(id) = base(place) else { continue };
                    let change = match (place.as_local(), step(value, id)) {
                        (Some(_), Some(step)) if every_trip => Change::Step(step),
                        _ => Change::Other,
                    };
                    note(id, change);
                }
                InstKind::Call { dest: Some(place), .. } => {
                    if let Some(id) = base(place) {
                        note(id, Change::Other);
                    }
                }
                InstKind::Declare(id) => note(*id, Change::Other),
                InstKind::Opaque { writes: Some(places), .. } => {
                    places.iter().filter_map(base).for_each(|id| note(id, Change::Other));
                }
                InstKind::Call { dest: None, .. } | InstKind::Opaque { writes: None, .. } => {}
            }
        }
    }
    let mut out: Vec<Induction> = changes
        .into_iter()
        .filter_map(|(variable, change)| {
            let local = locals.get(variable.0 as usize)?;
            let private = !local.address_taken && !local.unstable && local.static_init.is_none();
            match change {
                Change::Step(step) if private && step != 0 => Some(Induction { variable, step }),
                _ => None,
            }
        })
        .collect();
    out.sort_by_key(|i| i.variable);
    out
}

/// The constant that `value` adds to the variable.
fn step(value: &Expr, id: LocalId) -> Option<i128> {
    let ExprKind::Binary(op, left, right) = &value.kind else { return None };
    let is_variable = |e: &Expr| matches!(&e.kind, ExprKind::Load(place) if place.as_local() == Some(id));
    match (op, &left.kind, &right.kind) {
        (BinaryOp::Add, _, ExprKind::Int(step)) if is_variable(left) => Some(*step),
        (BinaryOp::Add, ExprKind::Int(step), _) if is_variable(right) => Some(*step),
        (BinaryOp::Sub, _, ExprKind::Int(step)) if is_variable(left) => step.checked_neg(),
        _ => None,
    }
}
