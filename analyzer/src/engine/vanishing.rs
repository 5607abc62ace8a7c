//! Exits of the program that are always taken: what follows is on no path, so that nothing of it would be in the answer, as if it were
//! not there. The answer says so instead.

use frontend::ir::{BlockId, Callee, Cfg, InstKind, Span};
use frontend::program::{FunctionRef, Program, Resolution};
use petgraph::Direction;
use rustc_hash::FxHashSet;

use super::Engine;
use super::explore::{Ending, Walk};
use super::process_counts::Counts;
use super::state::{Frame, State};

/// Where calls stand that led somewhere, the innermost last.
type Calls = Vec<(FunctionRef, BlockId)>;

/// The blocks that were entered, and where the program was ended.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exits {
    entered: FxHashSet<(FunctionRef, BlockId)>,
    /// The place, and where the calls stand that led there, the innermost last.
    taken: Vec<(FunctionRef, Span, Calls)>,
}

impl Exits {
    pub(crate) fn enter(&mut self, function: FunctionRef, block: BlockId) {
        self.entered.insert((function, block));
    }
}

impl Engine<'_> {
    /// Notes that the program was ended by a process of a set.
    pub(crate) fn note_exit(&mut self, state: &State, index: usize) {
        let frames = state.sets[index].frames.iter();
        let frames: Calls = frames.map(|Frame { function, block, .. }| (*function, *block)).collect();
        let (Some((function, span)), false) =
            (self.here, self.exits.taken.iter().any(|(.., f)| *f == frames))
        else {
            return;
        };
        self.exits.taken.push((function, span, frames));
    }

    /// What communicates and is not reached, because the program always ends before, as far as a walk shows that went along all paths.
    pub(crate) fn vanished(&mut self, walk: &Walk) -> Option<String> {
        let missing = self.unreached_calls();
        let &(function, span) = missing.iter().min()?;
        let call = self.line_of(function.unit, span);
        let aborted: Vec<Counts> = (walk.outcomes.iter())
            .filter(|outcome| outcome.ending == Ending::Aborted)
            .map(|outcome| Counts::of(&outcome.state.facts))
            .collect();
        let mut exits = self.exits.taken.clone();
        exits.sort();
        let always = exits.iter().find(|(_, _, frames)| self.is_always_taken(frames, &missing));
        if let Some((function, span, _)) = always {
            let place = self.line_of(function.unit, *span);
            return Some(format!(
                "{place}: the program always ends here, so that what follows is not reached ({call})"
            ));
        }
        if self.fixed.is_some() {
            // With so few processes there may be nobody to talk to.
            return None;
        }
        let is_silent = |state: &State| {
            let topology = &state.clients.topology;
            topology.exchanged.is_empty() && topology.gathered.is_empty()
        };
        let mut finished = walk.outcomes.iter().filter(|outcome| outcome.ending != Ending::Aborted);
        let all_abort = Counts::cover(&aborted, 1, false);
        let (function, span, _) = exits.first()?;
        (all_abort && finished.all(|outcome| is_silent(&outcome.state))).then(|| {
            let place = self.line_of(function.unit, *span);
            format!(
                "{place}: whoever communicates is on a path that ends the program early, so that what follows is not reached ({call})"
            )
        })
    }

    /// Calls that communicate and that no path has come to.
    fn unreached_calls(&self) -> FxHashSet<(FunctionRef, Span)> {
        let executed: FxHashSet<(FunctionRef, Span)> =
            self.sites.iter().map(|site| (site.function, site.span)).collect();
        let all = self.ground.reachable.iter().flat_map(|&function| {
            let cfg = self.program.function(function).body.as_ref();
            let insts =
                cfg.into_iter().flat_map(|cfg| cfg.graph.node_weights()).flat_map(|block| &block.insts);
            insts.filter_map(move |inst| match &inst.kind {
                InstKind::Call { callee: Callee::Direct { mpi: Some(mpi), .. }, .. }
                    if mpi.class.communicates() =>
                {
                    Some((function, inst.span))
                }
                _ => None,
            })
        });
        all.filter(|call| !executed.contains(call)).collect()
    }

    /// Whether no path has passed an exit by that could have, and some calls are where it would have gone on.
    fn is_always_taken(
        &mut self,
        frames: &[(FunctionRef, BlockId)],
        missing: &FxHashSet<(FunctionRef, Span)>,
    ) -> bool {
        let program = self.program;
        for (depth, &(function, block)) in frames.iter().enumerate().rev() {
            let Some(cfg) = &program.function(function).body else { return false };
            let dead_end = self.facts_of(function).dead_end.clone();
            let others = ways_past(cfg, block, &dead_end);
            if others.is_empty() {
                // The function does not return: its caller has to pass it by.
                continue;
            }
            if others.iter().any(|&other| self.exits.entered.contains(&(function, other))) {
                return false;
            }
            // From there on, and in those who called.
            let mut rest: Vec<(FunctionRef, Vec<BlockId>)> = vec![(function, others)];
            rest.extend(frames[..depth].iter().map(|&(caller, block)| (caller, vec![block])));
            let mut calls: FxHashSet<FunctionRef> = FxHashSet::default();
            return rest
                .into_iter()
                .any(|(function, from)| leads_to(program, function, from, missing, &mut calls));
        }
        // Nobody passes it by: that no path has another end is told elsewhere.
        false
    }
}

/// Blocks to which a path could have gone instead of into the dead end in which a block lies.
fn ways_past(cfg: &Cfg, block: BlockId, dead_end: &[bool]) -> Vec<BlockId> {
    let mut others = Vec::new();
    let mut seen: FxHashSet<BlockId> = FxHashSet::default();
    let mut work = vec![block];
    while let Some(block) = work.pop() {
        if !seen.insert(block) || !dead_end[block.index()] {
            continue;
        }
        for before in cfg.graph.neighbors_directed(block, Direction::Incoming) {
            if dead_end[before.index()] {
                work.push(before);
            } else {
                others.extend(cfg.graph.neighbors(before).filter(|arm| !dead_end[arm.index()]));
            }
        }
    }
    others
}

/// Whether one of some calls can be reached from some blocks of a function.
fn leads_to(
    program: &Program,
    function: FunctionRef,
    from: Vec<BlockId>,
    wanted: &FxHashSet<(FunctionRef, Span)>,
    seen_functions: &mut FxHashSet<FunctionRef>,
) -> bool {
    let mut functions = vec![(function, from)];
    while let Some((function, mut work)) = functions.pop() {
        let Some(cfg) = &program.function(function).body else { continue };
        let mut seen: FxHashSet<BlockId> = FxHashSet::default();
        while let Some(block) = work.pop() {
            if !seen.insert(block) {
                continue;
            }
            work.extend(cfg.graph.neighbors(block));
            for inst in &cfg.graph[block].insts {
                let InstKind::Call { callee, args, .. } = &inst.kind else { continue };
                if wanted.contains(&(function, inst.span)) {
                    return true;
                }
                let targets = match callee {
                    Callee::Direct { mpi: Some(_), .. } => Vec::new(),
                    Callee::Direct { name, mpi: None } => match program.resolve(function.unit, name) {
                        Resolution::Defined(target) => vec![target],
                        _ => Vec::new(),
                    },
                    Callee::Indirect(pointer) => program.call_targets(function, pointer, args.len()),
                };
                for target in targets {
                    if seen_functions.insert(target)
                        && let Some(cfg) = &program.function(target).body
                    {
                        functions.push((target, vec![cfg.entry]));
                    }
                }
            }
        }
    }
    false
}
