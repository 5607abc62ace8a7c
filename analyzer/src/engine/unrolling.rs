//! Loops of few rounds: their rounds are kept apart.
//!
//! A path that comes back to the head of a loop is generalised with what it was there before. Where a loop has a handful of rounds, each
//! with a number of its own (directions, levels, a table of distances), what these have in common says too little. As long as the
//! counter is a known number from which few rounds lead to the end, the rounds are followed one by one. So they are where the counter is
//! multiplied or divided in each round, as in trees and hypercubes: no number takes that many of them. To keep states apart is always
//! right; this only chooses when it is worth it.

use frontend::ir::visit::{Part, walk_expr};
use frontend::ir::{
    BinaryOp, BlockId, Cfg, Expr, ExprKind, InstKind, LocalId, NaturalLoop, Place, PlaceBase, Span,
    Terminator,
};
use frontend::program::FunctionRef;
use lattice::{Constraints, Linear};

use super::Engine;
use super::memory::Memory;
use super::state::{Frame, ProcessSet, State};

/// Rounds that a loop may still have.
const ROUNDS: usize = 8;

/// How a loop counts its rounds.
struct Count<'c> {
    counter: LocalId,
    /// What the counter is afterwards.
    next: &'c Expr,
    condition: &'c Expr,
    /// The outcome of the condition on which the loop goes on.
    goes_on: bool,
}

impl Count<'_> {
    /// Whether each round multiplies or divides the counter, which starts at one end of its numbers and soon is at the other.
    fn multiplies(&self) -> bool {
        let ExprKind::Binary(operator, left, right) = &self.next.strip_casts().kind else { return false };
        let is_counter = |e: &Expr| matches!(&e.strip_casts().kind, ExprKind::Load(place) if variable(place) == Some(self.counter));
        let exceeds = |e: &Expr, least: i128| matches!(&e.strip_casts().kind, ExprKind::Int(k) if least < *k);
        match operator {
            BinaryOp::Add => is_counter(left) && is_counter(right),
            BinaryOp::Mul => is_counter(left) && exceeds(right, 1) || is_counter(right) && exceeds(left, 1),
            BinaryOp::Div => is_counter(left) && exceeds(right, 1),
            BinaryOp::Shl | BinaryOp::Shr => is_counter(left) && exceeds(right, 0),
            _ => false,
        }
    }
}

impl<'p> Engine<'p> {
    /// Whether two states at the same place of one path are in different rounds of a loop that multiplies what counts them.
    pub(crate) fn in_multiplied_rounds(&mut self, old: &State, new: &State) -> bool {
        old.sets.iter().zip(&new.sets).any(|(before, now)| {
            let rounds = [before, now].map(|set| self.multiplied_rounds(set));
            rounds[0] != rounds[1]
        })
    }

    /// Whether a call stands in a loop that multiplies what counts its rounds.
    pub(crate) fn is_in_multiplying_loop(&self, function: FunctionRef, call: Span) -> bool {
        let cfg = self.program.function(function).body.as_ref();
        cfg.is_some_and(|cfg| {
            let holds = |block: &BlockId| cfg.graph[*block].insts.iter().any(|inst| inst.span == call);
            cfg.loops.iter().any(|natural| {
                natural.blocks.iter().any(holds)
                    && count(cfg, natural).is_some_and(|count| count.multiplies())
            })
        })
    }

    /// In which rounds of loops that multiply what counts them a set is.
    pub(crate) fn multiplied_rounds(&mut self, set: &ProcessSet) -> Vec<i64> {
        let mut rounds = Vec::new();
        for frame in &set.frames {
            let cfg = self.program.function(frame.function).body.as_ref();
            for count in cfg.into_iter().flat_map(|cfg| loops_around(cfg, frame.block)) {
                if count.multiplies() {
                    rounds.extend(self.value_of(&set.memory, frame, count.counter));
                }
            }
        }
        rounds
    }

    /// Whether two states at the same place of one path are in different rounds of a loop that has few rounds left.
    pub(crate) fn in_other_rounds(&mut self, old: &State, new: &State) -> bool {
        old.sets.iter().zip(&new.sets).any(|(before, now)| {
            now.frames.iter().enumerate().any(|(depth, frame)| {
                let cfg = self.program.function(frame.function).body.as_ref();
                let mut around = cfg.into_iter().flat_map(|cfg| loops_around(cfg, frame.block));
                around.any(|count| {
                    let rounds = [before, now].map(|set| self.value_of(&set.memory, frame, count.counter));
                    let [Some(first), Some(last)] = rounds else { return false };
                    first != last && self.is_nearly_over(new, now, depth, &count)
                })
            })
        })
    }

    /// The number that a variable of an activation holds, if that is known.
    fn value_of(&mut self, memory: &Memory, frame: &Frame, variable: LocalId) -> Option<i64> {
        self.number_in(memory, frame, variable)?.as_constant()
    }

    /// What number a variable of an activation holds.
    fn number_in(&mut self, memory: &Memory, frame: &Frame, variable: LocalId) -> Option<Linear> {
        let object = self.local_object(frame.function, frame.context, variable);
        let content = memory.get(object)?;
        content.cells.get(&0).and_then(|(_, value)| value.as_int().cloned())
    }

    /// Whether few rounds are left, counted by evaluating what counts them.
    fn is_nearly_over(&mut self, state: &State, set: &ProcessSet, depth: usize, count: &Count<'_>) -> bool {
        // Rounds that only few processes have are no rounds of the program.
        let mut state = State { facts: Constraints::new(), ..state.clone() };
        let mut set = ProcessSet { frames: set.frames[..=depth].to_vec(), ..set.clone() };
        let frame = set.frame();
        let counter = self.local_object(frame.function, frame.context, count.counter);
        let size = self.program.units[frame.function.unit].types.model_size(count.next.ty);
        (0..=ROUNDS).any(|_| {
            let mut scope = self.scope(&mut state, &mut set);
            let Ok(next) = scope.eval(count.next) else { return false };
            if next.as_constant().is_none() {
                return false;
            }
            scope.memory.write(counter, 0, size.unwrap_or(4), next);
            let condition = scope.eval(count.condition);
            let outcome = condition.ok().and_then(|value| scope.truth(&value).ok().flatten());
            outcome == Some(!count.goes_on)
        })
    }
}

/// The loops around a block that count their rounds, with how they do it.
fn loops_around(cfg: &Cfg, block: BlockId) -> impl Iterator<Item = Count<'_>> {
    let around = cfg.loops.iter().filter(move |natural| natural.blocks.contains(&block));
    around.filter_map(|natural| count(cfg, natural))
}

/// The way out of a loop that depends on a variable which the loop sets in one place, from itself.
fn count<'c>(cfg: &'c Cfg, natural: &NaturalLoop) -> Option<Count<'c>> {
    natural.blocks.iter().find_map(|&block| {
        let Terminator::Branch { condition, then, otherwise } = &cfg.graph[block].terminator else {
            return None;
        };
        let stays = [then, otherwise].map(|target| natural.blocks.contains(target));
        if stays[0] == stays[1] {
            return None;
        }
        variables(condition).into_iter().find_map(|counter| {
            let insts = natural.blocks.iter().flat_map(|&block| &cfg.graph[block].insts);
            let mut changes = insts.filter_map(|inst| match &inst.kind {
                InstKind::Assign(place, value) => (variable(place) == Some(counter)).then_some(value),
                _ => None,
            });
            let next = changes.next().filter(|next| variables(next).contains(&counter))?;
            changes.next().is_none().then_some(Count { counter, next, condition, goes_on: stays[0] })
        })
    })
}

fn variable(place: &Place) -> Option<LocalId> {
    match place.base {
        PlaceBase::Local(local) if place.projections.is_empty() => Some(local),
        _ => None,
    }
}

/// The local variables whose values an expression uses.
fn variables(expr: &Expr) -> Vec<LocalId> {
    let mut found = Vec::new();
    walk_expr(expr, &mut |part| {
        if let Part::Expr(Expr { kind: ExprKind::Load(place), .. }) = part {
            found.extend(variable(place));
        }
    });
    found
}
