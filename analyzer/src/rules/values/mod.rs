//! Which values variables and expressions may have at each point of a function.
//!
//! A forward dataflow analysis over the CFG of one function, flow-sensitive and without knowledge of its callers. The
//! lattice is [`State`]: per object (variable, heap block) the values at known offsets, each a small set of alternatives
//! ([`Value`]): integer intervals, named MPI constants, addresses with offsets, handles, "never set". States join where
//! paths merge and widen at loop heads; two descending passes then win back what widening overshot.
//!
//! Contract: the state at a point covers every execution that reaches the point, provided that
//! - callees reach only what they were given the address of, and globals,
//! - objects are accessed within their bounds,
//! - calls of MPI succeed, as they do or die unless the program asks for error codes: what it does after an error is not
//!   analysed.
//!
//! So what [`Value::all`] says of an argument is true on every path that reaches the call, which is what a rule needs
//! to report an error.

mod domain;
mod eval;
mod layout;
mod library;
mod liveness;
mod refine;
mod rounds;
mod solve;
mod state;
mod transfer;

use frontend::ir::{BlockId, Cfg, Expr, Function, Inst, Terminator, Unit};

use rounds::Rounds;

pub use domain::{Atom, Interval, Object, Value};
pub use eval::Evaluator;
pub use layout::Layout;
pub use state::{Fill, State};

pub(super) use liveness::Liveness;
pub(super) use solve::{Domain, Solution, solve};
pub(super) use transfer::apply;

/// Whether a function of that name is one of the C library whose effect on memory is known.
#[must_use]
pub fn has_known_effect(name: &str) -> bool {
    library::effect(name).is_some()
}

/// Loops one right after the other that are gone through at once.
const MAX_LOOPS: u32 = 16;

/// The result for one function.
pub struct Values<'a> {
    /// Evaluates expressions in the states below.
    pub eval: Evaluator<'a>,
    cfg: &'a Cfg,
    solution: Solution<State>,
}

impl<'a> Values<'a> {
    /// Analyses a function. `start` is what is known when it is entered. `None` if it has no body, or the analysis took
    /// too long: nothing is known then.
    #[must_use]
    pub fn analyze(unit: &'a Unit, function: &'a Function, start: State) -> Option<Self> {
        let cfg = function.body.as_ref()?;
        let eval = Evaluator::new(unit, function);
        let liveness = Liveness::new(function, cfg);
        let rounds = Rounds::new(cfg);
        let solution = solve(cfg, &start, |block, state| {
            let mut state = state.clone();
            for inst in &cfg.graph[block].insts {
                apply(&eval, &mut state, inst);
            }
            let mut out = outgoing(&eval, &cfg.graph[block].terminator, &state);
            for (target, state) in &mut out {
                forget_dead(&liveness, *target, state);
                // Where one loop ends another may begin.
                for _ in 0..MAX_LOOPS {
                    let Some(after) = rounds.leave(&eval, cfg, &liveness, block, (*target, state)) else {
                        break;
                    };
                    (*target, *state) = after;
                }
            }
            out
        })?;
        Some(Self { eval, cfg, solution })
    }

    /// Calls `visit` with every instruction that is reached, in the order of the blocks, and the state before it.
    pub fn visit(&self, mut visit: impl FnMut(BlockId, &State, &Inst)) {
        for &block in &self.solution.order {
            let Some(mut state) = self.solution.entry[block.index()].clone() else { continue };
            for inst in &self.cfg.graph[block].insts {
                visit(block, &state, inst);
                apply(&self.eval, &mut state, inst);
            }
        }
    }
}

impl Domain for State {
    fn join(&self, other: &Self) -> Self {
        self.join(other)
    }

    fn widen(&self, new: &Self) -> Self {
        self.widen(new)
    }
}

/// The states with which control goes on after a block, given the state at its end.
pub(in crate::rules) fn outgoing(
    eval: &Evaluator<'_>,
    terminator: &Terminator,
    state: &State,
) -> Vec<(BlockId, State)> {
    match terminator {
        Terminator::Goto(target) => vec![(*target, state.clone())],
        Terminator::Branch { condition, then, otherwise } => [(*then, true), (*otherwise, false)]
            .into_iter()
            .filter_map(|(target, holds)| Some((target, refine::assume(eval, state, condition, holds)?)))
            .collect(),
        Terminator::Switch { value, cases, default } => cases
            .iter()
            .filter_map(|&(low, high, target)| {
                Some((target, refine::assume_case(eval, state, value, low, high)?))
            })
            .chain(default_is_possible(eval, state, value, cases).then(|| (*default, state.clone())))
            .collect(),
        Terminator::IndirectGoto(targets) => targets.iter().map(|&target| (target, state.clone())).collect(),
        Terminator::Return(..) | Terminator::Unreachable => Vec::new(),
    }
}

/// Forgets what the variables hold that nothing mentions from a block on.
pub(super) fn forget_dead(liveness: &Liveness, block: BlockId, state: &mut State) {
    state.keep_only(|object| match object {
        Object::Local(local) => liveness.is_live(block, *local),
        _ => true,
    });
}

/// Whether a switch value may miss all cases.
fn default_is_possible(
    eval: &Evaluator<'_>,
    state: &State,
    value: &Expr,
    cases: &[(i128, i128, BlockId)],
) -> bool {
    let Some(n) = eval.value(state, value).as_range().and_then(Interval::single) else { return true };
    !cases.iter().any(|&(low, high, _)| low <= n && n <= high)
}
