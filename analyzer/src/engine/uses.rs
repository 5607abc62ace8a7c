//! Whether it matters which of several messages was received: what becomes of the data, from the receive on.
//!
//! A small dataflow over the functions that are active. Data *matters* where it decides a branch, is printed, sent, contributed to a
//! collective, or returned from `main`. It does not where all messages are treated alike, in whatever order they come: sums, products,
//! least and greatest values of them, elements that are chosen by who has sent them or by what they say, and answers to the sender. In
//! a loop of receives each round treats its message as the others do; there only what is left after the loop matters.
//!
//! This is no proof in either direction: sums of floating-point numbers differ in their last bits, and what happens to data in memory
//! that no variable names is not seen.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use frontend::ir::{
    BinaryOp, BlockId, Callee, Expr, ExprKind, Function, GlobalId, Inst, InstKind, LocalId, Place, PlaceBase,
    Projection, Span, Terminator,
};
use frontend::mpi::{self, Class};
use frontend::program::{FunctionRef, Program, Resolution};

use super::environment::{Use, model};
use crate::rules::same_expr;

/// A variable; a pointer stands for what it points to as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Variable {
    Local(LocalId),
    Global(GlobalId),
}

/// An activation at the call that waits, or at the call that led there.
#[derive(Clone, Debug)]
pub(crate) struct Activation {
    pub(crate) function: FunctionRef,
    pub(crate) block: BlockId,
    /// The instruction after which data is followed.
    pub(crate) inst: usize,
    /// Variables that name the data there.
    pub(crate) data: BTreeSet<Variable>,
}

/// Calls of functions that are followed.
const MAX_DEPTH: usize = 4;
/// Functions of the C library that show their arguments.
const OUTPUT: [&str; 11] = [
    "printf", "fprintf", "vprintf", "vfprintf", "dprintf", "puts", "fputs", "putchar", "fputc", "fwrite",
    "write",
];

/// What is known at a place.
#[derive(Clone, Debug, Default, PartialEq)]
struct Known {
    /// What depends on which message was received.
    data: BTreeSet<Variable>,
    /// What says who has sent it.
    identity: BTreeSet<Variable>,
}

/// What an expression depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Depends {
    Neither,
    Identity,
    Data,
}

/// What comes out of a function.
#[derive(Debug, Default)]
struct Outcome {
    /// The first place where the data matters.
    matters: Option<(FunctionRef, Span)>,
    returns_data: bool,
    /// Parameters whose targets hold it.
    given_back: BTreeSet<u32>,
}

/// Where the data that was received matters; activations from the innermost to `main`.
pub(crate) fn matters(program: &Program, activations: &[Activation]) -> Option<(FunctionRef, Span)> {
    let loops: Vec<bool> = activations
        .iter()
        .map(|a| Body::new(program, a.function).is_some_and(|b| b.is_in_loop(a.block)))
        .collect();
    let mut inner = Outcome::default();
    for (depth, activation) in activations.iter().enumerate() {
        let body = Body::new(program, activation.function)?;
        let mut known = Known { data: activation.data.clone(), identity: BTreeSet::new() };
        if depth > 0 {
            body.take_back(activation, &inner, &mut known);
        }
        // What an outer loop does again is one round, whatever happens in it.
        let is_round = loops[depth + 1..].iter().any(|&looped| looped);
        let start = (activation.block, activation.inst);
        inner = body.follow(start, known, is_round, 0);
        if inner.matters.is_some() {
            return inner.matters;
        }
    }
    None
}

struct Body<'p> {
    program: &'p Program,
    at: FunctionRef,
    function: &'p Function,
    /// Variables that receives from any source fill.
    received: BTreeSet<Variable>,
}

impl<'p> Body<'p> {
    fn new(program: &'p Program, at: FunctionRef) -> Option<Self> {
        let function = program.function(at);
        let cfg = function.body.as_ref()?;
        let mut received = BTreeSet::new();
        for inst in cfg.graph.node_weights().flat_map(|block| &block.insts) {
            let InstKind::Call { callee: Callee::Direct { mpi: Some(mpi), .. }, args, .. } = &inst.kind
            else {
                continue;
            };
            for buffer in mpi.buffers() {
                let source = buffer.source.and_then(|source| args.get(source));
                if source.is_some_and(|source| source.constant_name() == Some("MPI_ANY_SOURCE")) {
                    received.extend(args.get(buffer.param).and_then(pointed));
                }
            }
        }
        Some(Self { program, at, function, received })
    }

    fn successors(&self, block: BlockId) -> impl Iterator<Item = BlockId> {
        self.function.body.iter().flat_map(move |cfg| cfg.graph.neighbors(block))
    }

    /// Blocks from which a block is reached in at least one step.
    fn before(&self, target: BlockId) -> BTreeSet<BlockId> {
        let mut found = BTreeSet::new();
        let Some(cfg) = &self.function.body else { return found };
        let mut work = vec![target];
        while let Some(block) = work.pop() {
            for before in cfg.graph.neighbors_directed(block, petgraph::Direction::Incoming) {
                if found.insert(before) {
                    work.push(before);
                }
            }
        }
        found
    }

    fn is_in_loop(&self, block: BlockId) -> bool {
        self.before(block).contains(&block)
    }

    /// What a call that has returned leaves in the variables of its caller.
    fn take_back(&self, activation: &Activation, inner: &Outcome, known: &mut Known) {
        let call = activation.inst.checked_sub(1).and_then(|inst| self.inst(activation.block, inst));
        let Some(InstKind::Call { dest, args, .. }) = call.map(|inst| &inst.kind) else { return };
        if inner.returns_data {
            known.data.extend(dest.as_ref().and_then(base));
        }
        let given = inner.given_back.iter().filter_map(|&index| args.get(usize::try_from(index).ok()?));
        known.data.extend(given.filter_map(pointed));
    }

    fn inst(&self, block: BlockId, inst: usize) -> Option<&'p Inst> {
        self.function.body.as_ref()?.graph[block].insts.get(inst)
    }

    /// Follows what is known from a place of the function to its end.
    fn follow(&self, start: (BlockId, usize), known: Known, is_round: bool, depth: usize) -> Outcome {
        let mut outcome = Outcome::default();
        let Some(cfg) = &self.function.body else { return outcome };
        let before = self.before(start.0);
        let looped = before.contains(&start.0);
        let mut entered: BTreeMap<BlockId, Known> = BTreeMap::new();
        let mut work = VecDeque::from([(start.0, start.1, known)]);
        while let Some((block, first, mut known)) = work.pop_front() {
            let counts = !(is_round || looped && before.contains(&block));
            for inst in cfg.graph[block].insts.iter().skip(first) {
                self.step(block, inst, &mut known, counts, depth, &mut outcome);
            }
            match &cfg.graph[block].terminator {
                Terminator::Branch { condition, .. }
                    if counts
                        && self.depends(condition, &known) == Depends::Data
                        && !self.selects_extreme(block, condition) =>
                {
                    outcome.matters.get_or_insert((self.at, condition.span));
                }
                Terminator::Switch { value, .. }
                    if counts && self.depends(value, &known) == Depends::Data =>
                {
                    outcome.matters.get_or_insert((self.at, value.span));
                }
                Terminator::Return(value, span) => {
                    let is_data = value.as_ref().is_some_and(|v| self.depends(v, &known) == Depends::Data);
                    if is_data && counts && self.at == self.program.entry {
                        outcome.matters.get_or_insert((self.at, *span));
                    }
                    outcome.returns_data |= is_data;
                    let parameters = (0..self.function.params)
                        .filter(|&p| known.data.contains(&Variable::Local(LocalId(p))));
                    outcome.given_back.extend(parameters);
                }
                _ => {}
            }
            for next in self.successors(block) {
                let there = entered.entry(next).or_default();
                let (data, identity) = (there.data.len(), there.identity.len());
                there.data.extend(known.data.iter().copied());
                there.identity.extend(known.identity.iter().copied());
                if (data, identity) != (there.data.len(), there.identity.len()) {
                    work.push_back((next, 0, there.clone()));
                }
            }
        }
        outcome
    }

    fn step(
        &self,
        block: BlockId,
        inst: &'p Inst,
        known: &mut Known,
        counts: bool,
        depth: usize,
        outcome: &mut Outcome,
    ) {
        match &inst.kind {
            InstKind::Assign(place, value) => self.assign(block, place, value, known),
            InstKind::Declare(local) => {
                known.data.remove(&Variable::Local(*local));
                known.identity.remove(&Variable::Local(*local));
            }
            InstKind::Call { dest, callee, args } => {
                let mut is_data = false;
                match callee {
                    Callee::Direct { mpi: Some(mpi), .. } => {
                        if self.gives_away(mpi, args, known) && counts {
                            outcome.matters.get_or_insert((self.at, inst.span));
                        }
                        self.fill(mpi, args, known);
                    }
                    Callee::Direct { name, mpi: None } => {
                        is_data = self.call(name, inst, args, known, counts, depth, outcome);
                    }
                    Callee::Indirect(_) => {}
                }
                if let Some(dest) = dest {
                    let depends = if is_data { Depends::Data } else { Depends::Neither };
                    self.store(dest, depends, known);
                }
            }
            InstKind::Opaque { .. } => {}
        }
    }

    /// A call of a function of the program or of a library; whether its result depends on the data.
    #[allow(clippy::too_many_arguments, reason = "the parts of a call, and where it stands")]
    fn call(
        &self,
        name: &str,
        inst: &'p Inst,
        args: &[Expr],
        known: &mut Known,
        counts: bool,
        depth: usize,
        outcome: &mut Outcome,
    ) -> bool {
        let is_given = |arg: &Expr| {
            self.depends(arg, known) == Depends::Data || pointed(arg).is_some_and(|v| known.data.contains(&v))
        };
        let given: Vec<u32> =
            (0..).zip(args).filter(|(_, arg)| is_given(arg)).map(|(index, _)| index).collect();
        if given.is_empty() {
            return false;
        }
        if let Resolution::Defined(target) = self.program.resolve(self.at.unit, name) {
            let Some(body) = Body::new(self.program, target).filter(|_| depth < MAX_DEPTH) else {
                return false;
            };
            let Some(entry) = body.function.body.as_ref().map(|cfg| cfg.entry) else { return false };
            let data = given.iter().map(|&index| Variable::Local(LocalId(index))).collect();
            let start = Known { data, identity: BTreeSet::new() };
            let inner = body.follow((entry, 0), start, !counts, depth + 1);
            if counts && inner.matters.is_some() {
                outcome.matters.get_or_insert((self.at, inst.span));
            }
            let back = inner.given_back.iter().filter_map(|&index| args.get(usize::try_from(index).ok()?));
            known.data.extend(back.filter_map(pointed));
            return inner.returns_data;
        }
        if counts && OUTPUT.contains(&name) {
            outcome.matters.get_or_insert((self.at, inst.span));
        }
        if let Some(model) = model(name) {
            let written =
                args.iter().enumerate().filter(|&(i, _)| matches!(model.uses(i), Use::Write | Use::Update));
            let written: Vec<Variable> = written.filter_map(|(_, arg)| pointed(arg)).collect();
            known.data.extend(written);
        }
        true
    }

    /// Whether a call of MPI hands the data on, other than as an answer to its sender.
    fn gives_away(&self, mpi: &mpi::Function, args: &[Expr], known: &Known) -> bool {
        if !matches!(mpi.class, Class::Send { .. } | Class::SendReceive { .. } | Class::Collective { .. }) {
            return false;
        }
        mpi.buffers().filter(|buffer| buffer.direction.reads()).any(|buffer| {
            let dest = buffer.dest.and_then(|dest| args.get(dest));
            let is_answer = dest.is_some_and(|dest| self.depends(dest, known) != Depends::Neither);
            let sent = args.get(buffer.param).and_then(pointed);
            !is_answer && sent.is_some_and(|sent| known.data.contains(&sent))
        })
    }

    /// What a call of MPI writes.
    fn fill(&self, mpi: &mpi::Function, args: &[Expr], known: &mut Known) {
        for buffer in mpi.buffers().filter(|buffer| buffer.direction.writes()) {
            let Some(arg) = args.get(buffer.param) else { continue };
            let Some(variable) = pointed(arg) else { continue };
            let source = buffer.source.and_then(|source| args.get(source));
            // The rest of what one sender has to say.
            if source.is_some_and(|source| self.depends(source, known) != Depends::Neither) {
                if self.depends(arg, known) == Depends::Neither {
                    known.data.insert(variable);
                }
            } else if is_whole(arg) {
                known.data.remove(&variable);
                known.identity.remove(&variable);
            }
        }
    }

    fn assign(&self, block: BlockId, place: &Place, value: &Expr, known: &mut Known) {
        let depends = self.depends(value, known);
        if depends == Depends::Data && (accumulates(place, value) || self.keeps_extreme(block, place, known))
        {
            return;
        }
        self.store(place, depends, known);
    }

    fn store(&self, place: &Place, depends: Depends, known: &mut Known) {
        let Some(variable) = base(place) else { return };
        let is_chosen = indices(place).any(|index| self.depends(index, known) != Depends::Neither);
        let is_element = indices(place).next().is_some();
        match depends {
            Depends::Neither if place.projections.is_empty() && !is_element => {
                known.data.remove(&variable);
                known.identity.remove(&variable);
            }
            Depends::Neither => {}
            // An element for each sender.
            _ if is_chosen => {}
            // A list in the order in which messages came.
            Depends::Identity if is_element => {
                known.data.insert(variable);
            }
            Depends::Identity => {
                known.identity.insert(variable);
            }
            Depends::Data => {
                known.data.insert(variable);
            }
        }
    }

    fn depends(&self, expr: &Expr, known: &Known) -> Depends {
        match &expr.kind {
            ExprKind::Load(place) => {
                let inner = indices(place).map(|index| self.depends(index, known)).max();
                let own = match base(place) {
                    _ if self.is_of_status(place) => Depends::Identity,
                    Some(variable) if known.data.contains(&variable) => Depends::Data,
                    Some(variable) if known.identity.contains(&variable) => Depends::Identity,
                    _ => Depends::Neither,
                };
                // An element that is chosen by what came is there whatever comes first.
                own.max(inner.map_or(Depends::Neither, |inner| inner.min(Depends::Identity)))
            }
            ExprKind::AddressOf(place) => {
                let inner = indices(place).map(|index| self.depends(index, known)).max();
                inner.unwrap_or(Depends::Neither).min(Depends::Identity)
            }
            ExprKind::Unary(_, a) | ExprKind::Cast(a) => self.depends(a, known),
            ExprKind::Binary(op, a, b) => {
                let (left, right) = (self.depends(a, known), self.depends(b, known));
                let both = self.is_received(a, left) && self.is_received(b, right);
                if is_symmetric(*op) && both { Depends::Neither } else { left.max(right) }
            }
            ExprKind::Conditional(a, b, c) => {
                [a, b, c].map(|part| self.depends(part, known)).into_iter().max().unwrap_or(Depends::Neither)
            }
            _ => Depends::Neither,
        }
    }

    /// Whether an expression is what some receive from any source got.
    fn is_received(&self, expr: &Expr, depends: Depends) -> bool {
        let ExprKind::Load(place) = &expr.strip_casts().kind else { return depends == Depends::Data };
        depends == Depends::Data || base(place).is_some_and(|variable| self.received.contains(&variable))
    }

    fn is_of_status(&self, place: &Place) -> bool {
        let types = &self.program.units[self.at.unit].types;
        place.projections.iter().any(|projection| match projection {
            Projection::Field(record, _) => types.record(*record).name.as_deref() == Some("MPI_Status"),
            Projection::Index(_) => false,
        })
    }

    /// Whether a branch does no more than keep the least or greatest of what came.
    fn selects_extreme(&self, block: BlockId, condition: &Expr) -> bool {
        self.successors(block).any(|next| {
            let Some(cfg) = &self.function.body else { return false };
            cfg.graph[next].insts.iter().any(|inst| match &inst.kind {
                InstKind::Assign(place, _) => compares(condition, place),
                _ => false,
            })
        })
    }

    /// Whether a place is written where it was found to be less, or greater, than what came; and what is written beside it.
    fn keeps_extreme(&self, block: BlockId, place: &Place, known: &Known) -> bool {
        let Some(cfg) = &self.function.body else { return false };
        let mut conditions = cfg.graph.neighbors_directed(block, petgraph::Direction::Incoming).peekable();
        let written = |condition: &Expr| {
            compares(condition, place)
                || cfg.graph[block].insts.iter().any(|inst| match &inst.kind {
                    InstKind::Assign(other, _) => compares(condition, other),
                    _ => false,
                })
        };
        conditions.peek().is_some()
            && conditions.all(|before| match &cfg.graph[before].terminator {
                Terminator::Branch { condition, .. } => {
                    self.depends(condition, known) == Depends::Data && written(condition)
                }
                _ => false,
            })
    }
}

/// The variable that a place is in, or that points to it.
fn base(place: &Place) -> Option<Variable> {
    match &place.base {
        PlaceBase::Local(local) => Some(Variable::Local(*local)),
        PlaceBase::Global(global) => Some(Variable::Global(*global)),
        PlaceBase::Deref(pointer) => pointed(pointer),
    }
}

/// The variable that a pointer points into, or that holds the pointer.
fn pointed(pointer: &Expr) -> Option<Variable> {
    match &pointer.strip_casts().kind {
        ExprKind::Load(place) | ExprKind::AddressOf(place) => base(place),
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, left, _) => pointed(left),
        _ => None,
    }
}

/// Whether an argument is the address of a variable as a whole.
fn is_whole(arg: &Expr) -> bool {
    match &arg.strip_casts().kind {
        ExprKind::AddressOf(place) => {
            place.projections.is_empty() && matches!(place.base, PlaceBase::Local(_) | PlaceBase::Global(_))
        }
        _ => false,
    }
}

/// What chooses an element of an array, by index or by distance from a pointer.
fn indices(place: &Place) -> impl Iterator<Item = &Expr> {
    let distance = match &place.base {
        PlaceBase::Deref(pointer) => match &pointer.strip_casts().kind {
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, _, distance) => Some(&**distance),
            _ => None,
        },
        _ => None,
    };
    let indices = place.projections.iter().filter_map(|projection| match projection {
        Projection::Index(index) => Some(index),
        Projection::Field(..) => None,
    });
    distance.into_iter().chain(indices)
}

fn is_symmetric(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Add | BinaryOp::Mul | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor)
}

fn is_load_of(expr: &Expr, place: &Place) -> bool {
    let expr = expr.strip_casts();
    let wanted = Expr { kind: ExprKind::Load(Box::new(place.clone())), ty: expr.ty, span: expr.span };
    same_expr(expr, &wanted)
}

/// Whether a value is that of the place with something added, in a way that does not depend on the order.
fn accumulates(place: &Place, value: &Expr) -> bool {
    match &value.strip_casts().kind {
        ExprKind::Binary(op, a, _) if is_symmetric(*op) && is_load_of(a, place) => true,
        ExprKind::Binary(op, _, b) if is_symmetric(*op) && is_load_of(b, place) => true,
        ExprKind::Binary(op, a, b) if is_symmetric(*op) => accumulates(place, a) || accumulates(place, b),
        ExprKind::Binary(BinaryOp::Sub, a, _) => is_load_of(a, place),
        ExprKind::Conditional(condition, _, _) => compares(condition, place),
        _ => false,
    }
}

/// Whether a condition compares a place with something.
fn compares(condition: &Expr, place: &Place) -> bool {
    match &condition.strip_casts().kind {
        ExprKind::Binary(BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge, a, b) => {
            is_load_of(a, place) || is_load_of(b, place)
        }
        _ => false,
    }
}
