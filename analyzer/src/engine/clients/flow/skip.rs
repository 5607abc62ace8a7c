//! Code that the engine passes over: it may bring whatever it can read to whatever it may write.

use std::collections::BTreeSet;

use frontend::ir::{BlockId, Callee, Cfg, Inst, InstKind, LocalId, Span, Terminator};
use frontend::program::{FunctionRef, Resolution};
use lattice::Constraints;
use rustc_hash::FxHashSet;

use super::labels::Labels;
use super::steps::callee_name;
use super::{Flow, Known, Pending};
use crate::engine::Engine;
use crate::engine::clients::At;
use crate::engine::effects::reassigned;
use crate::engine::eval::Scope;
use crate::engine::library;

/// What passed-over code does, as far as labels go.
#[derive(Default)]
struct Passed {
    /// Of all that it may write.
    labels: Labels,
    /// Calls of sinks, with the labels of their arguments.
    sinks: Vec<(String, (FunctionRef, Span), Labels)>,
    /// Functions that it may call.
    called: Vec<FunctionRef>,
}

impl Flow {
    /// Part of a function is passed over.
    pub(super) fn pass_region(
        &mut self,
        at: &mut At<'_, '_, '_>,
        known: &Known,
        cfg: &Cfg,
        branch: BlockId,
        blocks: &[BlockId],
        pending: &mut Pending,
    ) {
        let changed = reassigned(cfg, blocks);
        let mut decision = Labels::default();
        for &block in std::iter::once(&branch).chain(blocks) {
            if let Terminator::Branch { condition: expr, .. } | Terminator::Switch { value: expr, .. } =
                &cfg.graph[block].terminator
            {
                let labels = self.of_expr_in_region(at.scope, known, expr, &changed);
                decision.add(&labels.as_decision(at.scope.facts), at.scope.facts);
            }
        }
        let mut passed = Passed { labels: decision, ..Passed::default() };
        for inst in blocks.iter().flat_map(|&block| &cfg.graph[block].insts) {
            self.pass_inst(at.scope, known, inst, &changed, &mut passed);
        }
        self.finish(at, known, passed, pending);
    }

    /// Calls of any of some functions are passed over.
    pub(super) fn pass_functions(
        &mut self,
        at: &mut At<'_, '_, '_>,
        known: &Known,
        targets: &[FunctionRef],
        pending: &mut Pending,
    ) {
        let passed = Passed { called: targets.to_vec(), ..Passed::default() };
        self.finish(at, known, passed, pending);
    }

    fn pass_inst(
        &mut self,
        scope: &mut Scope<'_, '_>,
        known: &Known,
        inst: &Inst,
        changed: &FxHashSet<LocalId>,
        passed: &mut Passed,
    ) {
        match &inst.kind {
            InstKind::Assign(place, value) => {
                let address = frontend::ir::Expr {
                    kind: frontend::ir::ExprKind::AddressOf(Box::new(place.clone())),
                    ty: place.ty,
                    span: place.span,
                };
                for expr in [value, &address] {
                    let labels = self.of_expr_in_region(scope, known, expr, changed);
                    passed.labels.add(&labels, scope.facts);
                }
            }
            InstKind::Declare(_) => {}
            InstKind::Opaque { .. } => {
                let labels = self.of_everything(scope, known);
                passed.labels.add(&labels, scope.facts);
            }
            InstKind::Call { dest, callee, args } => {
                let mut labels = Labels::default();
                let mut values = Vec::new();
                for arg in args {
                    labels.add(&self.of_expr_in_region(scope, known, arg, changed), scope.facts);
                    values.push(scope.eval(arg).unwrap_or(crate::engine::value::Value::Unknown));
                }
                labels.add(&self.of_arguments(scope, known, args, &values), scope.facts);
                let name = callee_name(&inst.kind);
                let writes = dest.is_some() || !name.is_some_and(library::leaves_memory_alone);
                if writes {
                    passed.labels.add(&labels, scope.facts);
                }
                if let Some(name) = name {
                    self.note_call(name, (scope.function, inst.span), labels, passed);
                }
                passed.called.extend(targets(scope.engine, scope.function, callee));
            }
        }
    }

    fn note_call(&mut self, name: &str, place: (FunctionRef, Span), arguments: Labels, passed: &mut Passed) {
        if self.is_source_function(name) {
            let source = self.source(name, place.0, place.1);
            passed.labels.add(&Labels::fresh(source), &Constraints::new());
        }
        if self.is_sink_function(name) {
            passed.sinks.push((name.to_owned(), place, arguments));
        }
    }

    /// Follows the calls, and says what the passed-over code does.
    fn finish(&mut self, at: &mut At<'_, '_, '_>, known: &Known, mut passed: Passed, pending: &mut Pending) {
        let scope = &mut *at.scope;
        let program = scope.engine.program;
        let mut seen: BTreeSet<FunctionRef> = BTreeSet::new();
        if !passed.called.is_empty() {
            // Which of what it can reach a function reads is not looked into.
            let labels = self.of_everything(scope, known);
            passed.labels.add(&labels, scope.facts);
        }
        let mut stored: Vec<(String, (FunctionRef, Span))> = Vec::new();
        while let Some(function) = passed.called.pop() {
            if !seen.insert(function) {
                continue;
            }
            let code = program.function(function);
            for local in &code.locals {
                let Some(name) = &local.name else { continue };
                let means = |names: &[super::Name]| {
                    names
                        .iter()
                        .any(|n| *n.name == **name && n.function.as_ref().is_none_or(|f| *f == *code.name))
                };
                let Some(wanted) = &self.wanted else { continue };
                let (is_source, is_sink) = (means(&wanted.sources), means(&wanted.sinks));
                if is_source {
                    let source = self.source(name, function, local.span);
                    passed.labels.add(&Labels::fresh(source), scope.facts);
                }
                if is_sink {
                    stored.push((name.to_string(), (function, local.span)));
                }
            }
            let Some(cfg) = &code.body else { continue };
            for inst in cfg.graph.node_weights().flat_map(|block| &block.insts) {
                if let Some(name) = callee_name(&inst.kind) {
                    let place = (function, inst.span);
                    self.note_call(name, place, Labels::default(), &mut passed);
                }
                if let InstKind::Call { callee, .. } = &inst.kind {
                    passed.called.extend(targets(scope.engine, function, callee));
                }
            }
        }
        let decided = known.decided(scope.facts);
        let sinks = std::mem::take(&mut passed.sinks);
        let stored = stored.into_iter().map(|(name, place)| (name, place, Labels::default()));
        for (name, place, mut labels) in sinks.into_iter().chain(stored) {
            labels.add(&passed.labels, scope.facts);
            labels.add(&decided, scope.facts);
            let sink = self.sink(&name, place.0, place.1);
            pending.reached.push((labels, sink));
        }
        pending.labels.add(&passed.labels, scope.facts);
    }
}

/// The functions of the program that a call may reach.
fn targets(engine: &Engine<'_>, function: FunctionRef, callee: &Callee) -> Vec<FunctionRef> {
    match callee {
        Callee::Direct { mpi: Some(_), .. } => Vec::new(),
        Callee::Direct { name, mpi: None } => match engine.program.resolve(function.unit, name) {
            Resolution::Defined(target) => vec![target],
            Resolution::External => Vec::new(),
        },
        Callee::Indirect(_) => engine.program.indirect_targets(function),
    }
}
