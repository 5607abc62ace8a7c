//! Which values variables and expressions may have at each point of a function.
//!
//! A forward dataflow analysis over the CFG of one function, flow-sensitive and without knowledge of its callers. The
//! lattice is [`State`]: per object (variable, heap block) the values at known offsets, each a small set of alternatives
//! ([`Value`]): integer intervals, named MPI constants, addresses with offsets, handles, "never set". States join where
//! paths merge and widen at loop heads; two descending passes then win back what widening overshot.
//!
//! Contract: the state at a point covers every execution that reaches the point, provided that
//! - callees reach only what they were given the address of, and globals,
//! - objects are accessed within their bounds.
//!
//! So what [`Value::all`] says of an argument is true on every path that reaches the call, which is what a rule needs
//! to report an error.

mod domain;
mod eval;
mod layout;
mod library;
mod refine;
mod state;
mod transfer;

use std::collections::BTreeSet;

use frontend::ir::{BlockId, Cfg, Function, Inst, Terminator, Unit};
use petgraph::visit::DfsPostOrder;

pub use domain::{Atom, Interval, Object, Value};
pub use eval::Evaluator;
pub use layout::Layout;
pub use state::{Fill, State};

/// From the how-manieth visit on a loop head is widened.
const WIDEN_AFTER: u32 = 3;
/// Visits of all blocks together, per block; beyond this the analysis gives up (irreducible graphs of generated code).
const MAX_VISITS_PER_BLOCK: usize = 64;
/// Passes that win back precision after widening.
const DESCENDING_PASSES: usize = 2;

/// The result for one function.
pub struct Values<'a> {
    /// Evaluates expressions in the states below.
    pub eval: Evaluator<'a>,
    cfg: &'a Cfg,
    /// State at the start of each block, by index; `None` where no execution gets.
    entry: Vec<Option<State>>,
    order: Vec<BlockId>,
}

impl<'a> Values<'a> {
    /// Analyses a function. `start` is what is known when it is entered. `None` if it has no body, or the analysis took
    /// too long: nothing is known then.
    #[must_use]
    pub fn analyze(unit: &'a Unit, function: &'a Function, start: State) -> Option<Self> {
        let cfg = function.body.as_ref()?;
        let mut post_order = DfsPostOrder::new(&cfg.graph, cfg.entry);
        let mut order = Vec::with_capacity(cfg.graph.node_count());
        while let Some(block) = post_order.next(&cfg.graph) {
            order.push(block);
        }
        order.reverse();
        let mut values = Self {
            eval: Evaluator::new(unit, function),
            cfg,
            entry: vec![None; cfg.graph.node_count()],
            order,
        };
        values.ascend(&start)?;
        for _ in 0..DESCENDING_PASSES {
            values.descend(&start);
        }
        Some(values)
    }

    /// Calls `visit` with every instruction that is reached, in the order of the blocks, and the state before it.
    pub fn visit(&self, mut visit: impl FnMut(BlockId, &State, &Inst)) {
        for &block in &self.order {
            let Some(mut state) = self.entry[block.index()].clone() else { continue };
            for inst in &self.cfg.graph[block].insts {
                visit(block, &state, inst);
                transfer::apply(&self.eval, &mut state, inst);
            }
        }
    }

    /// Goes up from nothing to a state that covers all executions.
    fn ascend(&mut self, start: &State) -> Option<()> {
        let mut position = vec![usize::MAX; self.entry.len()];
        for (index, block) in self.order.iter().enumerate() {
            position[block.index()] = index;
        }
        let mut visits = vec![0_u32; self.entry.len()];
        let mut budget = self.order.len().saturating_mul(MAX_VISITS_PER_BLOCK);
        self.entry[self.cfg.entry.index()] = Some(start.clone());
        let mut pending = BTreeSet::from([position[self.cfg.entry.index()]]);
        while let Some(next) = pending.pop_first() {
            budget = budget.checked_sub(1)?;
            let block = self.order[next];
            let Some(state) = &self.entry[block.index()] else { continue };
            for (target, out) in self.outgoing(block, state) {
                let at = position[target.index()];
                let retreating = at <= next;
                let new = match &self.entry[target.index()] {
                    None => out,
                    Some(old) => {
                        let join = old.join(&out);
                        visits[target.index()] += u32::from(retreating);
                        if retreating && WIDEN_AFTER < visits[target.index()] {
                            old.widen(&join)
                        } else {
                            join
                        }
                    }
                };
                if self.entry[target.index()].as_ref() != Some(&new) {
                    self.entry[target.index()] = Some(new);
                    pending.insert(at);
                }
            }
        }
        Some(())
    }

    /// Recomputes every block once from its predecessors. Starting from a solution this yields a solution.
    fn descend(&mut self, start: &State) {
        let mut next: Vec<Option<State>> = vec![None; self.entry.len()];
        next[self.cfg.entry.index()] = Some(start.clone());
        for &block in &self.order {
            let Some(state) = &self.entry[block.index()] else { continue };
            for (target, out) in self.outgoing(block, state) {
                let slot = &mut next[target.index()];
                *slot = Some(slot.as_ref().map_or_else(|| out.clone(), |so_far| so_far.join(&out)));
            }
        }
        self.entry = next;
    }

    /// The states with which a block goes on.
    fn outgoing(&self, block: BlockId, state: &State) -> Vec<(BlockId, State)> {
        let mut state = state.clone();
        let block = &self.cfg.graph[block];
        for inst in &block.insts {
            transfer::apply(&self.eval, &mut state, inst);
        }
        match &block.terminator {
            Terminator::Goto(target) => vec![(*target, state)],
            Terminator::Branch { condition, then, otherwise } => [(*then, true), (*otherwise, false)]
                .into_iter()
                .filter_map(|(target, holds)| {
                    Some((target, refine::assume(&self.eval, &state, condition, holds)?))
                })
                .collect(),
            Terminator::Switch { value, cases, default } => cases
                .iter()
                .filter_map(|&(low, high, target)| {
                    Some((target, refine::assume_case(&self.eval, &state, value, low, high)?))
                })
                .chain([(*default, state.clone())])
                .collect(),
            Terminator::IndirectGoto(targets) => {
                targets.iter().map(|&target| (target, state.clone())).collect()
            }
            Terminator::Return(..) | Terminator::Unreachable => Vec::new(),
        }
    }
}
