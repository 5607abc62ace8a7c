//! What the engine needs to know about a function before it runs it: where branches meet again, which blocks communicate,
//! which variables are live and whose address escapes.

use std::collections::BTreeSet;

use frontend::ir::visit::{Part, walk_expr, walk_place};
use frontend::ir::{
    BlockId, Callee, Cfg, Expr, ExprKind, Inst, InstKind, LocalId, NaturalLoop, Place, PlaceBase, Terminator,
    UnaryOp,
};
use frontend::mpi::{self, Class, Role};
use frontend::program::{FunctionRef, Program, Resolution};
use petgraph::Direction;
use petgraph::graph::DiGraph;
use petgraph::visit::{DfsPostOrder, EdgeRef};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{environment, library};

/// Facts about one function's body.
#[derive(Debug)]
pub(crate) struct FunctionFacts {
    /// Position of each block in reverse postorder.
    pub(crate) order: Vec<u32>,
    /// Where all paths from a block that return at all meet again; `None`: only at the return.
    pub(crate) postdominator: Vec<Option<BlockId>>,
    /// Blocks from which every path ends the program.
    pub(crate) dead_end: Vec<bool>,
    /// Blocks from which nothing is reached but loops without a call that matters.
    pub(crate) endless: Vec<bool>,
    /// Headers of loops: every cycle passes through one, irreducible ones included.
    pub(crate) header: Vec<bool>,
    /// Headers of loops in which nothing communicates.
    pub(crate) quiet: Vec<bool>,
    /// Blocks with several predecessors.
    pub(crate) join: Vec<bool>,
    /// Locals live at the start of each block.
    live: Vec<FxHashSet<LocalId>>,
}

/// Whether a call can be passed over when only memory matters: it neither communicates nor changes what later
/// communication means.
pub(crate) fn is_silent(call: &mpi::Function) -> bool {
    // What a process does to a file without the others concerns its memory only.
    let alone = call.scope == mpi::Scope::Local
        && matches!(
            call.class,
            Class::FileData { phase: mpi::FilePhase::Blocking, .. } | Class::FileManage(_)
        );
    let synchronises = matches!(call.class, Class::RmaSync(how) if how != mpi::RmaSync::Fence);
    alone || synchronises || is_silent_class(call.class)
}

fn is_silent_class(class: Class) -> bool {
    matches!(
        class,
        Class::Query(_)
            | Class::Name { .. }
            | Class::Attribute { .. }
            | Class::Memory { .. }
            | Class::Address(_)
            | Class::Pack { .. }
            | Class::TypeConstructor(_)
            | Class::TypeCommit
            | Class::TypeDestructor
            | Class::OpConstructor
            | Class::OpDestructor
            | Class::GroupConstructor(_)
            | Class::GroupDestructor
            | Class::InfoConstructor(_)
            | Class::InfoDestructor
            | Class::InfoEdit { .. }
            | Class::ErrhandlerConstructor { .. }
            | Class::ErrhandlerDestructor
            | Class::ErrhandlerSet(_)
            | Class::ErrorRegistry(_)
            | Class::KeyvalConstructor(_)
            | Class::KeyvalDestructor(_)
            | Class::ReduceLocal
            | Class::WinMemory { .. }
            | Class::Rma { request: false, .. }
            | Class::SendBuffer(_)
            | Class::StatusEdit(_)
            | Class::HandleConversion(_)
            | Class::ProfilingControl
            | Class::Tool(_)
    )
}

/// Functions of the program that may, directly or through others, make an MPI call that is not silent, or call through a
/// pointer whose targets do. What only those paths do that end the program does not count: an error exit with `MPI_Abort`, say.
pub(crate) fn communicating(
    program: &Program,
    functions: &[FunctionRef],
    never_returning: &FxHashSet<FunctionRef>,
) -> FxHashSet<FunctionRef> {
    leading_to(program, functions, never_returning, |call| !is_silent(call), |_| false)
}

/// Functions that make or give up objects behind handles, also through others.
pub(crate) fn owning(
    program: &Program,
    functions: &[FunctionRef],
    never_returning: &FxHashSet<FunctionRef>,
) -> FxHashSet<FunctionRef> {
    leading_to(program, functions, never_returning, owns, |_| false)
}

/// Functions that note a place to which somebody may jump back, also through others.
pub(crate) fn marking(
    program: &Program,
    functions: &[FunctionRef],
    never_returning: &FxHashSet<FunctionRef>,
) -> FxHashSet<FunctionRef> {
    let marks = |name: &str| library::effect(name) == Some(library::Effect::Marks);
    leading_to(program, functions, never_returning, |_| false, marks)
}

/// Whether a call makes an object behind a handle, changes its stage, or gives it up.
pub(crate) fn owns(call: &mpi::Function) -> bool {
    let moves_on = matches!(
        call.class,
        Class::Wait(_) | Class::Test(_) | Class::Start(_) | Class::Rma { .. } | Class::RmaSync(_)
    );
    let is_made = call.created().is_some() || call.request_made().is_some();
    is_made || call.destroyed().is_some() || moves_on || call.class == Class::TypeCommit
}

/// Functions that lead to certain calls, as [`communicating`] says.
fn leading_to(
    program: &Program,
    functions: &[FunctionRef],
    never_returning: &FxHashSet<FunctionRef>,
    wanted: impl Fn(&mpi::Function) -> bool,
    wanted_outside: impl Fn(&str) -> bool,
) -> FxHashSet<FunctionRef> {
    let mut callers: FxHashMap<FunctionRef, Vec<FunctionRef>> = FxHashMap::default();
    let mut found: FxHashSet<FunctionRef> = FxHashSet::default();
    let mut work: Vec<FunctionRef> = Vec::new();
    for &function in functions {
        let Some(cfg) = &program.function(function).body else { continue };
        let dead_end = dead_ends(cfg, function == program.entry, |inst| {
            ends_program(program, function.unit, inst, never_returning)
        });
        let mut speaks = false;
        for callee in calls_in(cfg, |block| !dead_end[block.index()]) {
            match callee {
                Callee::Direct { mpi: Some(mpi), .. } => speaks |= wanted(mpi),
                Callee::Direct { name, mpi: None } => match program.resolve(function.unit, name) {
                    Resolution::Defined(target) => callers.entry(target).or_default().push(function),
                    Resolution::External => speaks |= wanted_outside(name),
                },
                Callee::Indirect(_) => {
                    for target in program.indirect_targets(function) {
                        callers.entry(target).or_default().push(function);
                    }
                }
            }
        }
        if speaks && found.insert(function) {
            work.push(function);
        }
    }
    while let Some(function) = work.pop() {
        for &caller in callers.get(&function).into_iter().flatten() {
            if found.insert(caller) {
                work.push(caller);
            }
        }
    }
    found
}

/// Functions that never return because each path through them ends the program: `die(message)`.
pub(crate) fn never_returning(program: &Program, functions: &[FunctionRef]) -> FxHashSet<FunctionRef> {
    let mut found: FxHashSet<FunctionRef> = FxHashSet::default();
    loop {
        let before = found.len();
        for &function in functions {
            let Some(cfg) = &program.function(function).body else { continue };
            if !found.contains(&function)
                && dead_ends(cfg, false, |inst| ends_program(program, function.unit, inst, &found))
                    [cfg.entry.index()]
            {
                found.insert(function);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Whether an instruction is a call that ends the program.
pub(crate) fn ends_program(
    program: &Program,
    unit: usize,
    inst: &Inst,
    never: &FxHashSet<FunctionRef>,
) -> bool {
    let InstKind::Call { callee: Callee::Direct { name, mpi }, .. } = &inst.kind else { return false };
    match mpi {
        Some(mpi) => matches!(mpi.class, Class::Abort),
        None => matches!(program.resolve(unit, name), Resolution::Defined(target) if never.contains(&target)),
    }
}

/// Numbers written in the program, and their neighbours: where a counter may stop.
pub(crate) fn thresholds(program: &Program, functions: &[FunctionRef]) -> BTreeSet<i64> {
    let mut found = BTreeSet::new();
    let mut note = |expr: &Expr| {
        walk_expr(expr, &mut |part| {
            if let Part::Expr(Expr { kind: ExprKind::Int(value), .. }) = part
                && let Ok(value) = i64::try_from(*value)
            {
                found.extend([-1, 0, 1].into_iter().filter_map(|near| value.checked_add(near)));
            }
        });
    };
    for &function in functions {
        let Some(cfg) = &program.function(function).body else { continue };
        for block in cfg.graph.node_weights() {
            for inst in &block.insts {
                match &inst.kind {
                    InstKind::Assign(_, value) => note(value),
                    InstKind::Call { args, .. } => args.iter().for_each(&mut note),
                    _ => {}
                }
            }
            if let Terminator::Branch { condition, .. } = &block.terminator {
                note(condition);
            }
        }
    }
    found
}

/// Whether a function names `MPI_ANY_SOURCE`.
pub(crate) fn has_wildcards(program: &Program, functions: &[FunctionRef]) -> bool {
    let names_it = |expr: &Expr| {
        let mut found = false;
        walk_expr(expr, &mut |part| {
            found |= matches!(part, Part::Expr(Expr { kind: ExprKind::Constant { name, .. }, .. }) if &**name == "MPI_ANY_SOURCE");
        });
        found
    };
    let bodies = functions.iter().filter_map(|&f| program.function(f).body.as_ref());
    bodies.flat_map(|cfg| cfg.graph.node_weights()).flat_map(|block| &block.insts).any(|inst| {
        match &inst.kind {
            InstKind::Call { args, .. } => args.iter().any(names_it),
            InstKind::Assign(_, value) => names_it(value),
            _ => false,
        }
    })
}

/// Whether a function waits for some of several operations.
pub(crate) fn has_partial_waits(program: &Program, functions: &[FunctionRef]) -> bool {
    use frontend::mpi::{Class, Which};
    has_call(program, functions, |class| {
        matches!(class, Class::Wait(Which::Any | Which::Some) | Class::Test(Which::Any | Which::Some))
    })
}

/// Whether a function sends what may be sent only when it is waited for, and none has another way to wait for that than messages and
/// collective calls: memory that processes share, or epochs of windows besides fences.
pub(crate) fn has_ready_sends(program: &Program, functions: &[FunctionRef]) -> bool {
    use mpi::{Class, RmaSync, WinConstructor};
    let is_ready = |class| matches!(class, Class::Send { mode: mpi::SendMode::Ready, .. });
    let orders = |class| match class {
        Class::RmaSync(how) => how != RmaSync::Fence,
        Class::WinConstructor(how) => how == WinConstructor::AllocateShared,
        _ => false,
    };
    has_call(program, functions, is_ready) && !has_call(program, functions, orders)
}

/// Whether a function calls one of MPI that is of such a class.
fn has_call(program: &Program, functions: &[FunctionRef], wanted: impl Fn(mpi::Class) -> bool) -> bool {
    let bodies = functions.iter().filter_map(|&f| program.function(f).body.as_ref());
    bodies.flat_map(|cfg| calls_in(cfg, |_| true)).any(|callee| match callee {
        Callee::Direct { mpi: Some(mpi), .. } => wanted(mpi.class),
        _ => false,
    })
}

/// Whether a function lends MPI memory for buffered sends; functions that nobody knows may.
pub(crate) fn may_lend_buffer(program: &Program, functions: &[FunctionRef]) -> bool {
    functions.iter().any(|&function| {
        let Some(cfg) = &program.function(function).body else { return true };
        calls_in(cfg, |_| true).any(|callee| match callee {
            Callee::Direct { mpi: Some(mpi), .. } => {
                matches!(mpi.class, Class::SendBuffer(mpi::SendBufferOp::Attach))
            }
            Callee::Direct { name, mpi: None } => {
                let is_known = || {
                    library::leaves_memory_alone(name)
                        || library::allocates(name)
                        || library::effect(name).is_some()
                        || environment::model(name).is_some()
                };
                matches!(program.resolve(function.unit, name), Resolution::External) && !is_known()
            }
            Callee::Indirect(_) => false,
        })
    })
}

/// Whether a function jumps out of those that are being called, with `longjmp`.
pub(crate) fn jumps(program: &Program, functions: &[FunctionRef]) -> bool {
    functions.iter().any(|&function| {
        let Some(cfg) = &program.function(function).body else { return false };
        calls_in(cfg, |_| true).any(|callee| match callee {
            Callee::Direct { name, mpi: None } => {
                matches!(program.resolve(function.unit, name), Resolution::External)
                    && library::effect(name) == Some(library::Effect::Jumps)
            }
            _ => false,
        })
    })
}

/// The place whose address an argument is.
pub(crate) fn address_of(arg: &Expr) -> Option<&Place> {
    match &arg.kind {
        ExprKind::AddressOf(place) => Some(place),
        ExprKind::Cast(inner) => address_of(inner),
        _ => None,
    }
}

/// All calls of a body.
fn calls_in(cfg: &Cfg, wanted: impl Fn(BlockId) -> bool) -> impl Iterator<Item = &Callee> {
    let blocks = cfg.graph.node_indices().filter(move |&block| wanted(block));
    blocks.flat_map(|block| &cfg.graph[block].insts).filter_map(|inst| match &inst.kind {
        InstKind::Call { callee, .. } => Some(callee),
        _ => None,
    })
}

impl FunctionFacts {
    /// `is_main`: the function is the entry point. `escaping` are the locals that others may read at any time; `ends_program` tells
    /// the calls that do not return because they end the program, `communicates` those that are not silent.
    pub(crate) fn new(
        cfg: &Cfg,
        is_main: bool,
        escaping: &FxHashSet<LocalId>,
        ends_program: impl Fn(&Inst) -> bool,
        communicates: impl Fn(&Inst) -> bool,
    ) -> Self {
        let blocks = cfg.graph.node_count();
        let (order, postorder) = orders(cfg);
        // Every retreating edge ends in a cut point; for reducible graphs these are the loop headers.
        let mut header = vec![false; blocks];
        for edge in cfg.graph.edge_references() {
            if order[edge.target().index()] <= order[edge.source().index()] {
                header[edge.target().index()] = true;
            }
        }
        for NaturalLoop { header: block, .. } in &cfg.loops {
            header[block.index()] = true;
        }
        let join = cfg
            .graph
            .node_indices()
            .map(|b| cfg.graph.edges_directed(b, Direction::Incoming).count() > 1)
            .collect();
        let mut quiet = vec![false; blocks];
        for NaturalLoop { header, blocks, .. } in &cfg.loops {
            quiet[header.index()] = !blocks.iter().any(|&b| cfg.graph[b].insts.iter().any(&communicates));
        }
        let endless = endless(cfg);
        let mut dead_end = dead_ends(cfg, is_main, ends_program);
        for (dead_end, endless) in dead_end.iter_mut().zip(&endless) {
            *dead_end |= *endless;
        }
        let postdominator = postdominators(cfg, &order, &dead_end);
        let live = liveness(cfg, escaping, &postorder);
        Self { order, postdominator, dead_end, endless, header, quiet, join, live }
    }

    /// Locals that may be read after a block starts.
    pub(crate) fn live_at(&self, block: BlockId) -> &FxHashSet<LocalId> {
        &self.live[block.index()]
    }
}

/// The position of each block in reverse postorder, and the blocks in postorder.
pub(crate) fn orders(cfg: &Cfg) -> (Vec<u32>, Vec<BlockId>) {
    let mut postorder = Vec::with_capacity(cfg.graph.node_count());
    let mut search = DfsPostOrder::new(&cfg.graph, cfg.entry);
    while let Some(block) = search.next(&cfg.graph) {
        postorder.push(block);
    }
    let mut order = vec![u32::MAX; cfg.graph.node_count()];
    for (position, block) in postorder.iter().rev().enumerate() {
        order[block.index()] = u32::try_from(position).unwrap_or(u32::MAX);
    }
    (order, postorder)
}

/// Whether a block ends the process as a return from `main` does: `exit(0)`.
fn ends_well(cfg: &Cfg, block: BlockId) -> bool {
    cfg.graph[block].insts.iter().any(|inst| match &inst.kind {
        InstKind::Call { callee: Callee::Direct { name, mpi: None }, args, .. } if &**name == "exit" => {
            args.first().is_some_and(|status| {
                matches!(
                    &status.strip_casts().kind,
                    ExprKind::Int(0) | ExprKind::Constant { value: Some(0), .. }
                )
            })
        }
        _ => false,
    })
}

/// Blocks from which every path ends the program. In `main`, returning an error does so too, if there is another way out.
pub(crate) fn dead_ends(cfg: &Cfg, is_main: bool, ends_program: impl Fn(&Inst) -> bool) -> Vec<bool> {
    if is_main {
        let found = blocks_that_end(
            cfg,
            &ends_program,
            |block| matches!(&cfg.graph[block].terminator, Terminator::Return(Some(status), _) if is_error(status)),
        );
        if !found[cfg.entry.index()] {
            return found;
        }
    }
    blocks_that_end(cfg, ends_program, |_| false)
}

/// Blocks from which a process gets nowhere: it goes round in loops in which it calls nothing that communicates or may end it.
fn endless(cfg: &Cfg) -> Vec<bool> {
    let is_harmless = |inst: &Inst| match &inst.kind {
        InstKind::Call { callee: Callee::Direct { mpi: Some(mpi), .. }, .. } => is_silent(mpi),
        InstKind::Call { callee: Callee::Direct { name, mpi: None }, .. } => {
            use library::Effect::{Allocates, Copies, Owns, Reads, Reallocates};
            matches!(library::effect(name), Some(Allocates { .. } | Copies | Owns(_) | Reads | Reallocates))
                || environment::model(name).is_some()
        }
        InstKind::Call { callee: Callee::Indirect(_), .. } | InstKind::Opaque { .. } => false,
        InstKind::Assign(..) | InstKind::Declare(_) => true,
    };
    let gets_on = |block: BlockId| {
        cfg.graph[block].terminator.targets().is_empty() || !cfg.graph[block].insts.iter().all(is_harmless)
    };
    let mut endless = vec![true; cfg.graph.node_count()];
    let mut work: Vec<BlockId> = cfg.graph.node_indices().filter(|&block| gets_on(block)).collect();
    while let Some(block) = work.pop() {
        if std::mem::replace(&mut endless[block.index()], false) {
            work.extend(cfg.graph.neighbors_directed(block, Direction::Incoming));
        }
    }
    endless
}

/// Whether a status with which the program ends is a number that is not zero.
fn is_error(status: &Expr) -> bool {
    match &status.strip_casts().kind {
        ExprKind::Int(status) => *status != 0,
        ExprKind::Unary(UnaryOp::Neg, status) => is_error(status),
        _ => false,
    }
}

fn blocks_that_end(
    cfg: &Cfg,
    ends_program: impl Fn(&Inst) -> bool,
    fails: impl Fn(BlockId) -> bool,
) -> Vec<bool> {
    let ends = |block: BlockId| fails(block) || cfg.graph[block].insts.iter().any(&ends_program);
    // A block is no dead end when a return, or an endless loop, can be reached from it.
    let mut alive = vec![false; cfg.graph.node_count()];
    let mut work: Vec<BlockId> = cfg
        .graph
        .node_indices()
        .filter(|&b| matches!(cfg.graph[b].terminator, Terminator::Return(..)) || ends_well(cfg, b))
        .chain(cfg.loops.iter().map(|l| l.header))
        .collect();
    while let Some(block) = work.pop() {
        if !ends(block) && !std::mem::replace(&mut alive[block.index()], true) {
            work.extend(cfg.graph.neighbors_directed(block, Direction::Incoming));
        }
    }
    alive.into_iter().map(|alive| !alive).collect()
}

/// Whether the program says of a block that it is never reached (`__builtin_unreachable`, a comment that states an assumption), so that
/// no execution that counts gets there.
pub(crate) fn is_excluded(cfg: &Cfg, block: BlockId) -> bool {
    cfg.graph[block].insts.is_empty() && matches!(cfg.graph[block].terminator, Terminator::Unreachable)
}

/// Where a function ends: it returns, or where it never does, the last `exit(0)`. (The others end it early, as errors do.)
fn ends(cfg: &Cfg, order: &[u32], dead_end: &[bool]) -> Vec<BlockId> {
    let alive = || cfg.graph.node_indices().filter(|block| !dead_end[block.index()]);
    let returns: Vec<BlockId> =
        alive().filter(|&block| matches!(cfg.graph[block].terminator, Terminator::Return(..))).collect();
    if !returns.is_empty() {
        return returns;
    }
    let exits = alive().filter(|&block| matches!(cfg.graph[block].terminator, Terminator::Unreachable));
    exits.max_by_key(|block| order[block.index()]).into_iter().collect()
}

/// Where all paths from each block that return at all meet again; `None`: only at the return.
pub(crate) fn postdominators(cfg: &Cfg, order: &[u32], dead_end: &[bool]) -> Vec<Option<BlockId>> {
    postdominators_where(cfg, order, dead_end, &FxHashMap::default())
}

/// The same where some blocks go on to one other only.
pub(crate) fn postdominators_where(
    cfg: &Cfg,
    order: &[u32],
    dead_end: &[bool],
    decided: &FxHashMap<BlockId, BlockId>,
) -> Vec<Option<BlockId>> {
    let blocks = cfg.graph.node_count();
    let mut reversed: DiGraph<(), ()> = DiGraph::with_capacity(blocks + 1, cfg.graph.edge_count() + 1);
    let nodes: Vec<_> = (0..=blocks).map(|_| reversed.add_node(())).collect();
    let exit = nodes[blocks];
    for block in cfg.graph.node_indices() {
        if dead_end[block.index()] {
            continue;
        }
        let taken = |target: &BlockId| decided.get(&block).is_none_or(|only| only == target);
        for target in cfg.graph.neighbors(block).filter(taken).filter(|t| !dead_end[t.index()]) {
            reversed.add_edge(nodes[target.index()], nodes[block.index()], ());
        }
    }
    for block in ends(cfg, order, dead_end) {
        reversed.add_edge(exit, nodes[block.index()], ());
    }
    let dominators = petgraph::algo::dominators::simple_fast(&reversed, exit);
    nodes[..blocks]
        .iter()
        .map(|&node| {
            dominators.immediate_dominator(node).filter(|&d| d != exit).map(|d| BlockId::new(d.index()))
        })
        .collect()
}

fn liveness(cfg: &Cfg, escaping: &FxHashSet<LocalId>, postorder: &[BlockId]) -> Vec<FxHashSet<LocalId>> {
    let blocks = cfg.graph.node_count();
    let mut live: Vec<FxHashSet<LocalId>> = vec![FxHashSet::default(); blocks];
    loop {
        let mut changed = false;
        for &block in postorder {
            let mut now: FxHashSet<LocalId> = escaping.clone();
            for target in cfg.graph.neighbors(block) {
                now.extend(live[target.index()].iter().copied());
            }
            match &cfg.graph[block].terminator {
                Terminator::Branch { condition: e, .. } | Terminator::Switch { value: e, .. } => {
                    uses(e, &mut now)
                }
                Terminator::Return(Some(e), _) => uses(e, &mut now),
                _ => {}
            }
            for inst in cfg.graph[block].insts.iter().rev() {
                match &inst.kind {
                    InstKind::Assign(place, value) => {
                        define(place, &mut now);
                        uses(value, &mut now);
                    }
                    InstKind::Call { dest, callee, args } => {
                        if let Some(dest) = dest {
                            define(dest, &mut now);
                        }
                        if let Callee::Indirect(callee) = callee {
                            uses(callee, &mut now);
                        }
                        let outputs = outputs(callee, args);
                        outputs.iter().for_each(|(_, place)| define(place, &mut now));
                        now.extend(escaping.iter().copied());
                        for (index, arg) in args.iter().enumerate() {
                            if !outputs.iter().any(|(output, _)| *output == index) {
                                uses(arg, &mut now);
                            }
                        }
                    }
                    InstKind::Declare(local) => {
                        now.remove(local);
                    }
                    InstKind::Opaque { .. } => {}
                }
            }
            if now != live[block.index()] {
                live[block.index()] = now;
                changed = true;
            }
        }
        if !changed {
            return live;
        }
    }
}

/// The arguments of an MPI call whose places it overwrites as a whole before it returns: statuses, ranks and sizes, flags,
/// handles.
fn outputs<'c>(callee: &Callee, args: &'c [Expr]) -> Vec<(usize, &'c Place)> {
    let Callee::Direct { mpi: Some(mpi), .. } = callee else { return Vec::new() };
    let place = |(index, (param, arg)): (usize, (&mpi::Param, &'c Expr))| {
        let whole = param.direction == mpi::Direction::Out
            && !param.is_array()
            && !matches!(param.role, Role::RecvBuffer | Role::InOutBuffer);
        Some((index, address_of(arg).filter(|place| whole && place.as_local().is_some())?))
    };
    mpi.params.iter().zip(args).enumerate().filter_map(place).collect()
}

fn define(place: &Place, live: &mut FxHashSet<LocalId>) {
    match place.as_local() {
        Some(local) => {
            live.remove(&local);
        }
        None => uses_of_place(place, live),
    }
}

fn uses(expr: &Expr, live: &mut FxHashSet<LocalId>) {
    visit(expr, &mut |place| {
        if let PlaceBase::Local(local) = place.base {
            live.insert(local);
        }
    });
}

fn uses_of_place(place: &Place, live: &mut FxHashSet<LocalId>) {
    visit_place(place, &mut |place| {
        if let PlaceBase::Local(local) = place.base {
            live.insert(local);
        }
    });
}

/// Calls `found` for every place in an expression, inner ones included.
pub(crate) fn visit(expr: &Expr, found: &mut impl FnMut(&Place)) {
    walk_expr(expr, &mut |part| {
        if let Part::Place(place) = part {
            found(place);
        }
    });
}

pub(crate) fn visit_place(place: &Place, found: &mut impl FnMut(&Place)) {
    walk_place(place, &mut |part| {
        if let Part::Place(place) = part {
            found(place);
        }
    });
}
