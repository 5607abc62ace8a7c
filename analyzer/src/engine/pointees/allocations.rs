//! Which calls allocate memory. Where functions only pass on what they have just allocated, the calls of the outermost of them stand for
//! it: otherwise all that a program allocates by one such function would be one object.
//!
//! Inside of these functions what they pass on may be of any of their calls.

use std::collections::BTreeSet;

use frontend::ir::{Callee, Cfg, Expr, ExprKind, InstKind, LocalId, Place, Span, Terminator};
use frontend::program::FunctionRef;
use rustc_hash::{FxHashMap, FxHashSet};

use super::solving::{Solver, Source};
use super::{Named, Node};
use crate::engine::bytes::returns_new;
use crate::engine::library::{self, Effect};

/// A call that allocates, or that passes on what has just been allocated.
#[derive(Clone, Debug, Default)]
pub(super) struct Allocation {
    pub(super) object: Option<Node>,
    /// The function that passes it on, in its turn.
    pub(super) within: Option<FunctionRef>,
}

impl Solver<'_> {
    /// Finds the calls that allocate, and those of functions that pass on what they have just allocated.
    pub(super) fn find_allocations(&mut self, functions: &[FunctionRef]) {
        let program = self.program;
        let passes_on: FxHashSet<FunctionRef> =
            functions.iter().copied().filter(|&function| returns_new(program, function)).collect();
        let mut callers: FxHashMap<FunctionRef, Vec<(usize, Span)>> = FxHashMap::default();
        for &function in functions {
            let Some(cfg) = &program.function(function).body else { continue };
            let returned = match passes_on.contains(&function) {
                true => returned_locals(cfg),
                false => FxHashSet::default(),
            };
            for inst in cfg.graph.node_weights().flat_map(|block| &block.insts) {
                let InstKind::Call { dest, callee, args } = &inst.kind else { continue };
                let targets = self.targets(function, callee, args.len());
                let mut targets = targets.into_iter().filter(|target| passes_on.contains(target)).peekable();
                let allocates = match callee {
                    Callee::Direct { name, mpi: None } if targets.peek().is_none() => matches!(
                        library::effect(name),
                        Some(Effect::Allocates { .. } | Effect::Reallocates | Effect::Copies | Effect::Line)
                    ),
                    _ => false,
                };
                if !allocates && targets.peek().is_none() {
                    continue;
                }
                let call = (function.unit, inst.span);
                targets.for_each(|target| callers.entry(target).or_default().push(call));
                let object = self.named(Named::Heap(call.0, call.1));
                let is_passed_on =
                    |dest: &Place| dest.as_local().is_some_and(|local| returned.contains(&local));
                let within = dest.as_ref().is_some_and(is_passed_on).then_some(function);
                // Calls may stand at one place, where a macro has both.
                let allocation = self.found.allocations.entry(call).or_default();
                *allocation = Allocation { object: Some(object), within: within.or(allocation.within) };
            }
        }
        for &function in functions.iter().filter(|function| passes_on.contains(function)) {
            let (mut all, mut seen, mut work) = (BTreeSet::new(), BTreeSet::new(), vec![function]);
            while let Some(function) = work.pop() {
                if !seen.insert(function) {
                    continue;
                }
                for call in callers.get(&function).into_iter().flatten() {
                    let allocation = &self.found.allocations[call];
                    all.extend(allocation.object);
                    work.extend(allocation.within);
                }
            }
            self.found.passed_on.insert(function, all);
        }
    }

    /// What may have been allocated by a call, as it is known where the call is made.
    pub(super) fn allocated(&mut self, call: (usize, Span), dest: Node) -> Vec<Node> {
        let Some(allocation) = self.found.allocations.get(&call).cloned() else { return Vec::new() };
        let mut all: Vec<Node> = allocation.object.into_iter().collect();
        all.extend(allocation.within.iter().flat_map(|function| &self.found.passed_on[function]));
        for &object in &all {
            self.include(Source::Address(object), dest);
        }
        all
    }
}

/// Locals of which the value may be returned.
fn returned_locals(cfg: &Cfg) -> FxHashSet<LocalId> {
    fn read(value: &Expr) -> Option<LocalId> {
        match &value.strip_casts().kind {
            ExprKind::Load(place) => place.as_local(),
            _ => None,
        }
    }
    let blocks = || cfg.graph.node_weights();
    let mut found: FxHashSet<LocalId> = blocks()
        .filter_map(|block| match &block.terminator {
            Terminator::Return(Some(value), _) => read(value),
            _ => None,
        })
        .collect();
    loop {
        let before = found.len();
        for inst in blocks().flat_map(|block| &block.insts) {
            if let InstKind::Assign(place, value) = &inst.kind
                && place.as_local().is_some_and(|local| found.contains(&local))
            {
                found.extend(read(value));
            }
        }
        if found.len() == before {
            return found;
        }
    }
}
