//! What a step of a process set does to the labels of its memory.
//!
//! A step says beforehand what labels the data has that it writes ([`Flow::step`]); when it has been taken, the engine says
//! what was written ([`Flow::apply`]). So whatever the engine takes to be changed, by code that it passes over too, is labelled.

use std::sync::Arc;

use frontend::ir::{Callee, Expr, ExprKind, InstKind, LocalId, Place, Span};
use frontend::mpi::{Direction, lookup};
use frontend::program::FunctionRef;

use super::labels::Labels;
use super::read::bytes_at;
use super::tags::Bytes;
use super::{Cargo, Decision, Flow, Known, Pending};
use crate::engine::clients::{After, At, Delivery, Step};
use crate::engine::eval::Scope;
use crate::engine::functions::is_silent;
use crate::engine::library;
use crate::engine::memory::{ContextId, ObjectId, ObjectKind, Write};
use crate::engine::mpi::{Call, type_size};
use crate::engine::state::Frame;
use crate::engine::value::Value;

impl Flow {
    /// What the step at hand will do.
    pub(super) fn step(&mut self, at: &mut At<'_, '_, '_>, known: &mut Known, step: &Step<'_>) {
        let mut pending = std::mem::take(&mut known.pending);
        match step {
            Step::Assign { place, value } => self.assign(at, known, place, value, &mut pending),
            Step::Opaque => pending.labels = self.of_everything(at.scope, known),
            Step::Enter { function, context, args, values } => {
                self.enter(at, known, (*function, *context), args, values, &mut pending);
            }
            Step::Return { value } => {
                if let Some(value) = value {
                    pending.labels = self.of_expr(at.scope, known, value);
                }
                let depth = at.frames.len();
                if self.source_frame(at.scope.engine, at.frames) == Some(depth - 1) {
                    let source = self.source_of_frame(at.scope.engine, at.frames, depth - 1);
                    pending.labels.add(&source, at.scope.facts);
                }
            }
            Step::Library { name, args, values, span } => {
                let labels = self.of_arguments(at.scope, known, args, values);
                let place = (at.scope.function, *span);
                self.call(at.scope, known, name, place, &labels, &mut pending);
                // What is in new memory does not depend on how much of it there is.
                if !library::allocates(name) {
                    pending.labels.add(&labels, at.scope.facts);
                }
            }
            Step::Passed { targets, args, values } => {
                let labels = self.of_everything(at.scope, known);
                let arguments = self.of_arguments(at.scope, known, args, values);
                pending.labels.add(&labels, at.scope.facts);
                pending.labels.add(&arguments, at.scope.facts);
                self.pass_functions(at, known, targets, &mut pending);
            }
            Step::Mpi { call, .. } => self.mpi(at, known, call, &mut pending),
            Step::Branch { condition, meet, .. } => {
                let labels = self.of_expr(at.scope, known, condition).as_decision(at.scope.facts);
                known.decide(at.frames.len(), *meet, &labels, at.scope.facts);
            }
            Step::Skip { cfg, branch, blocks } => {
                self.pass_region(at, known, cfg, *branch, blocks, &mut pending);
            }
        }
        known.pending = pending;
    }

    fn assign(
        &mut self,
        at: &mut At<'_, '_, '_>,
        known: &Known,
        place: &Place,
        value: &Expr,
        pending: &mut Pending,
    ) {
        let scope = &mut *at.scope;
        if let ExprKind::Load(from) = &value.kind
            && scope.is_aggregate(place.ty)
            && let (Ok(Some(source)), Ok(Some(target))) = (scope.locate(from), scope.locate(place))
            && let Some(size) = scope.size_of(place.ty)
            && let Some(bytes) = bytes_at(scope, &source, Some(size))
            && let Some(to) = bytes_at(scope, &target, Some(size))
        {
            // Field by field; the engine will say that something in the object was written.
            let parts = self.tags_of(scope, known, source.object).slice(bytes, to.start);
            pending.areas.extend(parts.into_iter().map(|(part, labels)| (target.object, part, labels)));
            return;
        }
        pending.labels = self.of_expr(scope, known, value);
    }

    fn enter(
        &mut self,
        at: &mut At<'_, '_, '_>,
        known: &Known,
        (function, context): (FunctionRef, ContextId),
        args: &[Expr],
        values: &[Value],
        pending: &mut Pending,
    ) {
        let program = at.scope.engine.program;
        let callee = program.function(function);
        for (index, arg) in (0..callee.params).zip(args) {
            let local = LocalId(index);
            let object = at.scope.engine.local_object(function, context, local);
            let size = program.units[function.unit].types.model_size(callee.local(local).ty).unwrap_or(8);
            let parts = match &arg.kind {
                ExprKind::Load(place) if at.scope.is_aggregate(arg.ty) => match at.scope.locate(place) {
                    Ok(Some(source)) => bytes_at(at.scope, &source, Some(size))
                        .map(|bytes| self.tags_of(at.scope, known, source.object).slice(bytes, 0)),
                    _ => None,
                },
                _ => None,
            };
            let parts = parts.unwrap_or_else(|| {
                let labels = self.of_expr(at.scope, known, arg);
                Bytes::new(0, size).map(|bytes| (bytes, labels)).into_iter().collect()
            });
            pending.areas.extend(parts.into_iter().map(|(part, labels)| (object, part, labels)));
        }
        if self.is_sink_function(&callee.name) {
            let labels = self.of_arguments(at.scope, known, args, values);
            let place = (at.scope.function, at.span);
            self.call(at.scope, known, &callee.name, place, &labels, pending);
        }
    }

    /// A call of a function that may be a source or a sink.
    pub(super) fn call(
        &mut self,
        scope: &Scope<'_, '_>,
        known: &Known,
        name: &str,
        place: (FunctionRef, Span),
        arguments: &Labels,
        pending: &mut Pending,
    ) {
        if self.is_source_function(name) {
            let source = self.source(name, place.0, place.1);
            pending.labels.add(&Labels::fresh(source), scope.facts);
        }
        if self.is_sink_function(name) {
            let mut labels = arguments.clone();
            labels.add(&known.decided(scope.facts), scope.facts);
            let sink = self.sink(name, place.0, place.1);
            pending.reached.push((labels, sink));
        }
    }

    fn mpi(&mut self, at: &mut At<'_, '_, '_>, known: &Known, call: &Call<'_>, pending: &mut Pending) {
        let mut labels = Labels::default();
        for ((param, arg), value) in call.mpi.params.iter().zip(call.args).zip(call.values) {
            // Of a pure output only the address is an argument.
            let of_one = if param.direction == Direction::Out {
                self.of_expr(at.scope, known, arg)
            } else {
                self.of_arguments(at.scope, known, std::slice::from_ref(arg), std::slice::from_ref(value))
            };
            labels.add(&of_one, at.scope.facts);
        }
        let place = (at.scope.function, call.span);
        if is_silent(call.mpi) {
            self.call(at.scope, known, call.mpi.name, place, &labels, pending);
            pending.labels.add(&labels, at.scope.facts);
        } else {
            // What the call brings is delivered later.
            self.call(at.scope, known, call.mpi.name, place, &labels, pending);
            pending.keeps = true;
            if lookup(call.mpi.name).is_some_and(|f| f.buffers().any(|b| b.direction.writes())) {
                pending.labels = Labels::default();
            }
        }
    }

    /// The step has been taken.
    pub(super) fn apply(&mut self, after: &After<'_, '_>, known: &mut Known, writes: &[Write]) {
        let Pending { labels, areas, keeps, reached } = std::mem::take(&mut known.pending);
        for (labels, sink) in &reached {
            self.reach(after, labels, *sink);
        }
        let mut labels = labels;
        labels.add(&known.decided(after.facts), after.facts);
        let frame = self.source_frame(after.engine, after.frames);
        let fresh = frame.map(|frame| self.source_of_frame(after.engine, after.frames, frame));
        for write in writes {
            let object = match *write {
                Write::Gone(object) => {
                    if known.objects.contains_key(&object) {
                        Arc::make_mut(&mut known.objects).remove(&object);
                    }
                    continue;
                }
                Write::New(object) => {
                    let summary = after.memory.get(object).is_some_and(|content| content.summary);
                    if !summary && known.objects.contains_key(&object) {
                        Arc::make_mut(&mut known.objects).remove(&object);
                    }
                    continue;
                }
                Write::Some(object) | Write::Bytes(object, ..) => object,
            };
            // Bytes that have labels of their own are below.
            if areas.iter().any(|(area, ..)| *area == object) {
                continue;
            }
            let bytes = match *write {
                Write::Bytes(_, start, length) if !keeps => Bytes::new(start, length),
                _ => None,
            };
            let labels = self.with_sources(after, object, &labels, frame, fresh.as_ref());
            self.store(after, known, object, bytes, &labels);
        }
        for (object, bytes, labels) in areas {
            let mut labels = labels;
            labels.add(&known.decided(after.facts), after.facts);
            let labels = self.with_sources(after, object, &labels, frame, fresh.as_ref());
            self.store(after, known, object, Some(bytes), &labels);
        }
        known.forget_decisions(after.frames);
        if after.frames.is_empty() {
            *known = Known::default();
        }
    }

    /// The labels of data that is written to an object, with those of the sources that write it: a source function whose own it is
    /// not, or the object itself.
    fn with_sources(
        &mut self,
        after: &After<'_, '_>,
        object: ObjectId,
        labels: &Labels,
        frame: Option<usize>,
        fresh: Option<&Labels>,
    ) -> Labels {
        let mut labels = labels.clone();
        if let (Some(frame), Some(fresh)) = (frame, fresh)
            && !is_local(after, object, frame)
        {
            labels.add(fresh, after.facts);
        }
        if let Some(name) = self.is_source_variable(after.engine, object) {
            let source = self.source(&name, after.place.0, after.place.1);
            labels.add(&Labels::fresh(source), after.facts);
        }
        labels
    }

    /// The outermost activation of a source function.
    fn source_frame(&self, engine: &crate::engine::Engine<'_>, frames: &[Frame]) -> Option<usize> {
        (1..frames.len())
            .find(|&frame| self.is_source_function(&engine.program.function(frames[frame].function).name))
    }

    /// The label of what an activation of a source function brings: from the call that made it.
    fn source_of_frame(
        &mut self,
        engine: &crate::engine::Engine<'_>,
        frames: &[Frame],
        frame: usize,
    ) -> Labels {
        let program = engine.program;
        let (caller, callee) = (&frames[frame - 1], &frames[frame]);
        let body = program.function(caller.function).body.as_ref();
        let call = body.and_then(|cfg| cfg.graph[caller.block].insts.get(caller.inst));
        let span = call.map_or(Span::default(), |inst| inst.span);
        let name = &program.function(callee.function).name;
        Labels::fresh(self.source(name, caller.function, span))
    }

    /// A message or the result of a collective reaches memory.
    pub(super) fn deliver(
        &mut self,
        after: &After<'_, '_>,
        known: &mut Known,
        cargo: &Cargo,
        delivery: &Delivery<'_>,
    ) {
        let place = after.engine.site_place(delivery.site);
        let mut data = cargo.data.clone();
        let name = &after.engine.sites[delivery.site.0 as usize].operation;
        if self.is_source_function(name) {
            let source = self.source(name, place.0, place.1);
            data.add(&Labels::fresh(source), after.facts);
        }
        data.add(&known.decided(after.facts), after.facts);
        let here = After { place, ..*after };
        if let Value::Address(object, offset) = delivery.buffer {
            let length = delivery
                .count
                .as_int()
                .and_then(|count| u64::try_from(after.facts.constant(count)?).ok())
                .and_then(|count| type_size(delivery.datatype)?.checked_mul(count));
            let start = if offset.is_uniform() { after.facts.constant(offset) } else { None };
            let bytes = start.zip(length).and_then(|(start, length)| Bytes::new(start, length));
            self.store(&here, known, *object, bytes, &data);
        } else if *delivery.buffer == Value::Unknown {
            for object in after.engine.exposed(after.memory) {
                self.store(&here, known, object, None, &data);
            }
        }
        let mut about = cargo.about.clone();
        about.add(&known.decided(after.facts), after.facts);
        for status in delivery.statuses {
            if let Value::Address(object, _) = status {
                self.store(&here, known, *object, None, &about);
            }
        }
    }
}

/// Whether an object is a local variable of an activation or of one that it has led to.
fn is_local(after: &After<'_, '_>, object: ObjectId, frame: usize) -> bool {
    match after.engine.objects.kind(object) {
        ObjectKind::Local(context, function, _) => {
            after.frames[frame..].iter().any(|f| f.context == *context && f.function == *function)
        }
        _ => false,
    }
}

impl Known {
    /// Notes a branch that labelled data decides.
    fn decide(
        &mut self,
        depth: usize,
        meet: Option<frontend::ir::BlockId>,
        labels: &Labels,
        facts: &lattice::Constraints,
    ) {
        if labels.is_empty() {
            return;
        }
        match self.decisions.iter_mut().find(|d| (d.depth, d.meet) == (depth, meet)) {
            Some(decision) => decision.labels.add(labels, facts),
            None => self.decisions.push(Decision { depth, meet, labels: labels.clone() }),
        }
        self.decisions.sort_by_key(|decision| (decision.depth, decision.meet));
    }

    /// Forgets the decisions whose arms have met.
    fn forget_decisions(&mut self, frames: &[Frame]) {
        self.decisions.retain(|decision| {
            let Some(frame) = frames.get(decision.depth - 1) else { return false };
            frames.len() > decision.depth || frame.inst != 0 || Some(frame.block) != decision.meet
        });
    }
}

/// The name of the function that an instruction calls directly.
pub(super) fn callee_name(inst: &InstKind) -> Option<&str> {
    match inst {
        InstKind::Call { callee: Callee::Direct { name, .. }, .. } => Some(name),
        _ => None,
    }
}
