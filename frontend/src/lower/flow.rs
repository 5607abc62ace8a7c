//! The function being lowered: its blocks while they are drafts, and the finished graph.

use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;

use crate::ir::visit::{Part, walk_inst, walk_terminator};
use crate::ir::{
    Block, BlockId, Cfg, Edge, Expr, ExprKind, Inst, InstKind, Local, LocalId, Place, PlaceBase, Span,
    Terminator, TypeId,
};

use super::cleanup::{Cleanup, Leap};
use super::unit::UnitLowerer;

/// A block that is not finished.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) insts: Vec<Inst>,
    pub(super) terminator: Option<Terminator>,
}

/// A `switch` whose body is being read.
#[derive(Debug)]
pub(super) struct SwitchDraft {
    pub(super) cases: Vec<(i128, i128, BlockId)>,
    /// Cases whose value is not known.
    pub(super) unknown: Vec<(Expr, BlockId)>,
    pub(super) default: Option<BlockId>,
    pub(super) ty: TypeId,
}

/// A function being lowered.
#[derive(Debug, Default)]
pub(super) struct Body<'t> {
    /// Its name; `None` at file scope.
    pub(super) name: Option<&'t str>,
    /// Its result type.
    pub(super) result: Option<TypeId>,
    /// What is lowered now is not evaluated: no instruction is kept.
    pub(super) quiet: bool,
    /// A parameter's type is being read; the parameters are not declared yet.
    pub(super) prototype: bool,
    pub(super) locals: Vec<Local>,
    pub(super) blocks: Vec<Draft>,
    pub(super) current: usize,
    /// Where `break` goes, and how many of `cleanups` are left there.
    pub(super) breaks: Vec<(BlockId, usize)>,
    pub(super) continues: Vec<(BlockId, usize)>,
    pub(super) switches: Vec<SwitchDraft>,
    pub(super) labels: FxHashMap<&'t str, BlockId>,
    /// Labels seen with a statement.
    pub(super) placed: Vec<&'t str>,
    /// Labels used by `goto`, with the place of one use.
    pub(super) wanted: Vec<(&'t str, Span)>,
    /// Labels whose address is taken.
    pub(super) addressed: Vec<BlockId>,
    /// Variables of open scopes for which a function is called at their end, outer ones first.
    pub(super) cleanups: Vec<Cleanup<'t>>,
    /// Those of each `goto` that may leave some, and those at each label.
    pub(super) leaps: Vec<Leap<'t>>,
    pub(super) scopes_of_labels: FxHashMap<&'t str, Vec<LocalId>>,
    /// The block that was begun after the last jump, which nothing reaches.
    pub(super) after_jump: Option<usize>,
}

impl<'t> UnitLowerer<'t> {
    /// A new block, not yet current.
    pub(super) fn new_block(&mut self) -> BlockId {
        let id = NodeIndex::new(self.body.blocks.len());
        self.body.blocks.push(Draft::default());
        id
    }

    /// Goes on in `block`.
    pub(super) fn enter(&mut self, block: BlockId) {
        self.body.current = block.index();
    }

    /// Ends the current block; what follows goes to a block that nothing reaches yet.
    pub(super) fn terminate(&mut self, terminator: Terminator) {
        let current = self.body.current;
        if let Some(draft) = self.body.blocks.get_mut(current)
            && draft.terminator.is_none()
        {
            draft.terminator = Some(terminator);
        }
        let next = self.new_block();
        self.enter(next);
        self.body.after_jump = Some(next.index());
    }

    /// Whether nothing reaches the current block.
    pub(super) fn is_after_jump(&self) -> bool {
        self.body.after_jump == Some(self.body.current)
    }

    /// Ends the current block with a jump to `block` and goes on there.
    pub(super) fn goto_and_enter(&mut self, block: BlockId) {
        if let Some(draft) = self.body.blocks.get_mut(self.body.current)
            && draft.terminator.is_none()
        {
            draft.terminator = Some(Terminator::Goto(block));
        }
        self.enter(block);
    }

    /// Adds an instruction.
    pub(super) fn emit(&mut self, kind: InstKind, span: Span) {
        if self.body.quiet {
            return;
        }
        if let Some(draft) = self.body.blocks.get_mut(self.body.current) {
            draft.insts.push(Inst { kind, span });
        }
    }

    /// `place = value`
    pub(super) fn emit_assign(&mut self, place: Place, value: Expr, span: Span) {
        self.emit(InstKind::Assign(place, value), span);
    }

    /// A new local without a name.
    pub(super) fn temporary(&mut self, ty: TypeId, span: Span) -> Place {
        let id = self.add_local(Local {
            name: None,
            ty,
            static_init: None,
            address_taken: false,
            unstable: false,
            vla: Vec::new(),
            span,
        });
        Place { base: PlaceBase::Local(id), projections: Vec::new(), ty, span }
    }

    /// Adds a local variable.
    pub(super) fn add_local(&mut self, local: Local) -> LocalId {
        let id = LocalId(u32::try_from(self.body.locals.len()).unwrap_or(u32::MAX));
        self.body.locals.push(local);
        id
    }

    /// Runs `f` where nothing is evaluated (the operand of `sizeof`): no instruction, block or temporary of it stays.
    pub(super) fn unevaluated<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        self.scratch(f).0
    }

    /// Runs `f` on blocks of its own; the result also says whether it needed any instruction.
    pub(super) fn scratch<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> (T, bool) {
        let blocks = std::mem::replace(&mut self.body.blocks, vec![Draft::default()]);
        let current = std::mem::replace(&mut self.body.current, 0);
        let locals = self.body.locals.len();
        let quiet = std::mem::replace(&mut self.body.quiet, false);
        let addressed = self.body.addressed.len();
        // Block ids of the two sets must not mix.
        let labels = std::mem::take(&mut self.body.labels);
        let placed = std::mem::take(&mut self.body.placed);
        let wanted = std::mem::take(&mut self.body.wanted);
        let leaps = std::mem::take(&mut self.body.leaps);
        let after_jump = self.body.after_jump.take();
        let result = f(self);
        let pure = self.body.blocks.len() == 1 && self.body.blocks[0].insts.is_empty();
        self.body.blocks = blocks;
        self.body.current = current;
        self.body.quiet = quiet;
        self.body.locals.truncate(locals);
        self.body.addressed.truncate(addressed);
        self.body.labels = labels;
        self.body.placed = placed;
        self.body.wanted = wanted;
        self.body.leaps = leaps;
        self.body.after_jump = after_jump;
        (result, pure)
    }
}

/// Turns the drafts into the graph: drops what nothing reaches, joins chains of blocks, finds loops.
pub(super) fn finish(mut blocks: Vec<Draft>, addressed: &[BlockId], locals: &mut [Local]) -> Cfg {
    for draft in &mut blocks {
        match &mut draft.terminator {
            // Falling off the end; the caller has put a `return` at the real one.
            None => draft.terminator = Some(Terminator::Unreachable),
            Some(Terminator::IndirectGoto(targets)) => *targets = addressed.to_vec(),
            Some(_) => {}
        }
    }
    thread_jumps(&mut blocks);
    let entry = NodeIndex::new(0);
    let reachable = reachable(&blocks, entry);
    let unreachable_calls = calls_outside(&blocks, &reachable);
    join_chains(&mut blocks, &reachable, entry);
    let order = reverse_postorder(&blocks, entry);
    let mut graph = DiGraph::with_capacity(order.len(), order.len() * 2);
    let mut renumbered = vec![NodeIndex::end(); blocks.len()];
    for (new, old) in order.iter().enumerate() {
        renumbered[old.index()] = NodeIndex::new(new);
    }
    for old in &order {
        let draft = std::mem::take(&mut blocks[old.index()]);
        let mut terminator = draft.terminator.unwrap_or(Terminator::Unreachable);
        retarget(&mut terminator, |t| renumbered[t.index()]);
        graph.add_node(Block { insts: draft.insts, terminator });
    }
    for node in graph.node_indices().collect::<Vec<_>>() {
        for (target, edge) in edges(&graph[node].terminator) {
            graph.add_edge(node, target, edge);
        }
    }
    mark_addressed(&graph, locals);
    let entry = NodeIndex::new(0);
    let loops = super::loops::natural_loops(&graph, entry, locals);
    Cfg { graph, entry, loops, unreachable_calls }
}

fn retarget(terminator: &mut Terminator, map: impl Fn(BlockId) -> BlockId) {
    match terminator {
        Terminator::Goto(target) => *target = map(*target),
        Terminator::Branch { then, otherwise, .. } => {
            *then = map(*then);
            *otherwise = map(*otherwise);
        }
        Terminator::Switch { cases, default, .. } => {
            for case in cases {
                case.2 = map(case.2);
            }
            *default = map(*default);
        }
        Terminator::IndirectGoto(targets) => targets.iter_mut().for_each(|t| *t = map(*t)),
        Terminator::Return(..) | Terminator::Unreachable => {}
    }
}

fn edges(terminator: &Terminator) -> Vec<(BlockId, Edge)> {
    match terminator {
        Terminator::Goto(target) => vec![(*target, Edge::Always)],
        Terminator::Branch { then, otherwise, .. } => vec![(*then, Edge::True), (*otherwise, Edge::False)],
        Terminator::Switch { cases, default, .. } => {
            let case = |(i, &(_, _, target)): (usize, &(i128, i128, BlockId))| {
                (target, Edge::Case(u32::try_from(i).unwrap_or(u32::MAX)))
            };
            cases.iter().enumerate().map(case).chain([(*default, Edge::Default)]).collect()
        }
        Terminator::IndirectGoto(targets) => targets.iter().map(|&t| (t, Edge::Always)).collect(),
        Terminator::Return(..) | Terminator::Unreachable => Vec::new(),
    }
}

/// Jumps to an empty block that only jumps on go where it goes.
fn thread_jumps(blocks: &mut [Draft]) {
    let hop = |blocks: &[Draft], at: BlockId| match &blocks[at.index()] {
        Draft { insts, terminator: Some(Terminator::Goto(next)) } if insts.is_empty() && *next != at => {
            Some(*next)
        }
        _ => None,
    };
    let mut target: Vec<BlockId> = Vec::with_capacity(blocks.len());
    for start in 0..blocks.len() {
        let mut at = NodeIndex::new(start);
        // An empty endless loop of jumps stays as it is.
        let mut steps = 0;
        while let Some(next) = hop(blocks, at) {
            at = next;
            steps += 1;
            if steps > 64 {
                break;
            }
        }
        target.push(if steps > 64 { NodeIndex::new(start) } else { at });
    }
    for draft in blocks {
        if let Some(terminator) = &mut draft.terminator {
            retarget(terminator, |t| target[t.index()]);
        }
    }
}

fn reachable(blocks: &[Draft], entry: BlockId) -> Vec<bool> {
    let mut seen = vec![false; blocks.len()];
    let mut stack = vec![entry];
    while let Some(at) = stack.pop() {
        if std::mem::replace(&mut seen[at.index()], true) {
            continue;
        }
        if let Some(terminator) = &blocks[at.index()].terminator {
            stack.extend(terminator.targets());
        }
    }
    seen
}

fn calls_outside(blocks: &[Draft], reachable: &[bool]) -> Vec<Span> {
    let mut spans: Vec<Span> = blocks
        .iter()
        .zip(reachable)
        .filter(|(_, reached)| !**reached)
        .flat_map(|(draft, _)| &draft.insts)
        .filter(|inst| matches!(inst.kind, InstKind::Call { .. }))
        .map(|inst| inst.span)
        .collect();
    spans.sort_unstable();
    spans
}

/// A block with one successor that has no other predecessor becomes one with it.
fn join_chains(blocks: &mut [Draft], reachable: &[bool], entry: BlockId) {
    let mut predecessors = vec![0_u32; blocks.len()];
    predecessors[entry.index()] = 1;
    for (draft, _) in blocks.iter().zip(reachable).filter(|(_, r)| **r) {
        for target in draft.terminator.iter().flat_map(Terminator::targets) {
            predecessors[target.index()] += 1;
        }
    }
    for at in (0..blocks.len()).filter(|&b| reachable[b]) {
        while let Some(Terminator::Goto(next)) = blocks[at].terminator {
            if next.index() == at || next == entry || predecessors[next.index()] != 1 {
                break;
            }
            let mut tail = std::mem::take(&mut blocks[next.index()]);
            let Some(terminator) = tail.terminator.take() else { break };
            blocks[at].insts.append(&mut tail.insts);
            blocks[at].terminator = Some(terminator);
        }
    }
}

fn reverse_postorder(blocks: &[Draft], entry: BlockId) -> Vec<BlockId> {
    let mut seen = vec![false; blocks.len()];
    let mut order = Vec::new();
    let targets =
        |at: BlockId| blocks[at.index()].terminator.as_ref().map(Terminator::targets).unwrap_or_default();
    seen[entry.index()] = true;
    let mut stack = vec![(entry, targets(entry))];
    while let Some((at, pending)) = stack.last_mut() {
        // Successors are taken last first, so that the first one comes first in the reversed order.
        match pending.pop() {
            Some(next) => {
                if !std::mem::replace(&mut seen[next.index()], true) {
                    let more = targets(next);
                    stack.push((next, more));
                }
            }
            None => {
                order.push(*at);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

/// Sets [`Local::address_taken`].
fn mark_addressed(graph: &DiGraph<Block, Edge, u32>, locals: &mut [Local]) {
    let mut visit = |part: Part<'_>| {
        if let Part::Expr(Expr { kind: ExprKind::AddressOf(place), .. }) = part
            && let PlaceBase::Local(id) = place.base
            && let Some(local) = locals.get_mut(id.0 as usize)
        {
            local.address_taken = true;
        }
    };
    for block in graph.node_weights() {
        block.insts.iter().for_each(|inst| walk_inst(inst, &mut visit));
        walk_terminator(&block.terminator, &mut visit);
    }
}
