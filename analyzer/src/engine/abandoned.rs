//! What is certain of a state from which the engine does not go on: a collective call that some processes wait in, and that others, however
//! they go on, do not make next.
//!
//! Where a call comes too early or is left out on some ranks, what it would have told them is often what decides how they go on: then the
//! branch on it ends the path, and this is what is left to be said.

use std::ops::Range;

use frontend::ir::{BlockId, Callee, ExprKind, Inst, InstKind, Terminator};
use frontend::mpi::{self, Class, Completion, Role, lookup};
use frontend::program::{FunctionRef, Resolution};
use rustc_hash::FxHashSet;

use super::Engine;
use super::functions::ends_program;
use super::state::{Entered, ProcessSet, State, Status};
use super::waiting::waits_for;
use crate::results::Related;
use crate::rules::Rule;

impl Engine<'_> {
    /// Reports blocking collective calls on `MPI_COMM_WORLD` that some set waits in, and that cannot be the next ones of another set.
    pub(crate) fn report_abandoned(&mut self, state: &State) {
        // Where it is open who came first, or what an answer was, the same holds for where each process is.
        let is_open = !state.alike.is_empty() || !state.guises.is_empty();
        if is_open || state.sets.iter().any(|set| set.asking.is_some()) {
            return;
        }
        for entered in state.entered.iter().filter(|entered| is_waited_for(state, entered)) {
            let is_absent = |set: &&ProcessSet| {
                !set.is_done()
                    && has_not_entered(state, set, entered)
                    && !self.may_make(set, &entered.call.operation, true)
            };
            let Some(absent) = state.sets.iter().find(is_absent) else { continue };
            let operation = &entered.call.operation;
            let who = self.rank_list(&absent.ranks, &state.facts);
            let how = if self.may_make(absent, operation, false) { "next" } else { "any more" };
            let message = format!("waits in `{operation}`, which is not called {how} by {who}");
            let (function, place) = (absent.frame().function, self.standing_at(absent));
            let related = place.map(|span| Related {
                range: self.range_of(function.unit, span),
                message: format!("{who} comes to here without calling it, and does not call it {how}"),
            });
            let place = self.site_place(entered.call.site);
            self.report(
                Rule::MissingCollective,
                state,
                &entered.members,
                place,
                message,
                related.into_iter().collect(),
            );
        }
    }

    /// Where a set stands.
    fn standing_at(&self, set: &ProcessSet) -> Option<frontend::ir::Span> {
        let frame = set.frame();
        let block = &self.program.function(frame.function).body.as_ref()?.graph[frame.block];
        match (block.insts.get(frame.inst), &block.terminator) {
            (Some(inst), _) => Some(inst.span),
            (None, Terminator::Branch { condition, .. }) => Some(condition.span),
            (None, Terminator::Switch { value, .. }) => Some(value.span),
            (None, Terminator::Return(_, span)) => Some(*span),
            (None, _) => block.insts.last().map(|inst| inst.span),
        }
    }

    /// Whether the processes of a set may make a collective call of this name from where they stand, whatever way they go, and if it has to
    /// be the next one on all processes; also where they may end the program instead.
    fn may_make(&self, set: &ProcessSet, operation: &str, next: bool) -> bool {
        let class = lookup(operation).map(|function| function.class);
        let is_it = |call: &mpi::Function| {
            call.name == operation || Some(call.class) == class || call.class == Class::Abort
        };
        let mut called: FxHashSet<FunctionRef> = FxHashSet::default();
        let mut work: Vec<FunctionRef> = Vec::new();
        for frame in &set.frames {
            let Some(cfg) = &self.program.function(frame.function).body else { return true };
            let mut seen: FxHashSet<BlockId> = FxHashSet::default();
            let mut blocks = vec![(frame.block, frame.inst)];
            while let Some((block, first)) = blocks.pop() {
                // Another call of all processes that is surely made comes first.
                let insts = cfg.graph[block].insts.iter().skip(first);
                let before =
                    insts.take_while(|inst| !(next && is_of_all(inst) && !makes(inst, is_it))).count();
                let last = first + before;
                if self.speaks(frame.function, block, first..last, is_it, &mut work) {
                    return true;
                }
                if last == cfg.graph[block].insts.len() {
                    let after = cfg.graph.neighbors(block).filter(|&block| seen.insert(block));
                    blocks.extend(after.map(|block| (block, 0)));
                }
            }
        }
        while let Some(function) = work.pop() {
            if !called.insert(function) {
                continue;
            }
            let Some(cfg) = &self.program.function(function).body else { return true };
            if cfg
                .graph
                .node_indices()
                .any(|block| self.speaks(function, block, 0..usize::MAX, is_it, &mut work))
            {
                return true;
            }
        }
        false
    }

    /// Whether some instructions of a block make one of these calls, or the program ends there. The functions that they call are added to
    /// `work`.
    fn speaks(
        &self,
        function: FunctionRef,
        block: BlockId,
        which: Range<usize>,
        is_it: impl Fn(&mpi::Function) -> bool,
        work: &mut Vec<FunctionRef>,
    ) -> bool {
        let Some(cfg) = &self.program.function(function).body else { return true };
        let code = &cfg.graph[block];
        // Also those that are given to the library to call.
        work.extend(self.program.indirect_targets(function));
        let ends = code.insts.len() <= which.end && matches!(code.terminator, Terminator::Unreachable);
        let insts = code.insts.iter().skip(which.start).take(which.end.saturating_sub(which.start));
        ends || insts.into_iter().any(|inst| {
            if ends_program(self.program, function.unit, inst, &self.ground.never_returning) {
                return true;
            }
            match &inst.kind {
                InstKind::Call { callee: Callee::Direct { mpi: Some(mpi), .. }, .. } => is_it(mpi),
                InstKind::Call { callee: Callee::Direct { name, mpi: None }, .. } => {
                    if let Resolution::Defined(target) = self.program.resolve(function.unit, name) {
                        work.push(target);
                    }
                    false
                }
                _ => false,
            }
        })
    }
}

/// Whether an instruction is a call that the others must all make as well before they make another one.
fn is_of_all(inst: &Inst) -> bool {
    let InstKind::Call { callee: Callee::Direct { mpi: Some(mpi), .. }, args, .. } = &inst.kind else {
        return false;
    };
    let world = mpi.param_with_role(Role::Communicator).and_then(|index| args.get(index)).is_some_and(|arg| {
        matches!(&arg.strip_casts().kind, ExprKind::Constant { name, .. } if &**name == "MPI_COMM_WORLD")
    });
    world && matches!(mpi.class, Class::Collective { completion: Completion::Blocking, neighbor: false, .. })
}

/// Whether an instruction makes one of these calls.
fn makes(inst: &Inst, is_it: impl Fn(&mpi::Function) -> bool) -> bool {
    matches!(&inst.kind, InstKind::Call { callee: Callee::Direct { mpi: Some(mpi), .. }, .. } if is_it(mpi))
}

/// Whether some set waits in a collective call of all processes.
fn is_waited_for(state: &State, entered: &Entered) -> bool {
    &*entered.call.communicator.name == "MPI_COMM_WORLD"
        && state.sets.iter().any(|set| {
            let Status::Waiting(wait) = &set.status else { return false };
            !wait.optional
                && wait.partial.is_none()
                && waits_for(wait, &entered.ticket, &state.facts)
                && set.ranks.within(&entered.members, &state.facts)
        })
}

/// Whether no member of a set has made a call that a collective may be waiting for.
fn has_not_entered(state: &State, set: &ProcessSet, entered: &Entered) -> bool {
    let facts = &state.facts;
    state.entered.iter().all(|other| {
        other.call.operation != entered.call.operation || other.members.disjoint(&set.ranks, facts)
    }) && entered.members.disjoint(&set.ranks, facts)
}
