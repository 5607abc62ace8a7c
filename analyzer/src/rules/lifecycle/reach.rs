//! Which functions of a program use MPI, and which start or stop it, they themselves or through others.

use std::collections::BTreeMap;

use frontend::ir::{Callee, FunctionId, InstKind, Terminator};
use frontend::mpi::{self, Class};
use frontend::program::{FunctionRef, Program, Resolution};

use super::paths::Phase;
use crate::rules::values::has_known_effect;

/// What calling a function may mean for MPI.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reach {
    /// Calls functions that MPI must be initialised for.
    pub(super) uses: bool,
    /// Initialises or finalises MPI.
    pub(super) changes: bool,
    /// Calls unseen code that may initialise MPI.
    pub(super) unseen_init: bool,
    /// Calls unseen code that may finalise MPI.
    pub(super) unseen_finalize: bool,
    /// Some path through it comes back.
    pub(super) returns: bool,
}

impl Reach {
    /// What a syntax error hides.
    const HIDDEN: Self =
        Self { uses: false, changes: false, unseen_init: true, unseen_finalize: true, returns: true };

    fn matters(self) -> bool {
        self.uses || self.changes || self.unseen_init || self.unseen_finalize
    }

    /// The phases that calling unseen code may lead to.
    pub(super) fn unseen_phases(self, phase: Phase) -> impl Iterator<Item = Phase> {
        let started = (phase == Phase::Before && self.unseen_init).then_some(Phase::During);
        let ended = (phase == Phase::During && self.unseen_finalize).then_some(Phase::After);
        [Some(phase), started, ended].into_iter().flatten()
    }
}

/// [`Reach`] of every function of a program.
pub(super) struct Reaches {
    of: BTreeMap<FunctionRef, Reach>,
    /// Some function starts a session of the sessions model (MPI-4.1 section 11.3).
    pub(super) has_session: bool,
    /// Some function calls unseen code that may initialise MPI.
    pub(super) has_unseen_init: bool,
    /// Some function calls unseen code that may finalise MPI.
    pub(super) has_unseen_finalize: bool,
    /// Some function registers a handler that runs at the end of the program.
    pub(super) has_exit_handler: bool,
}

impl Reaches {
    pub(super) fn new(program: &Program) -> Self {
        let mut all = Self {
            of: BTreeMap::new(),
            has_session: false,
            has_unseen_init: false,
            has_unseen_finalize: false,
            has_exit_handler: false,
        };
        let mut callers: BTreeMap<FunctionRef, Vec<FunctionRef>> = BTreeMap::new();
        for (unit, contents) in program.units.iter().enumerate() {
            for index in 0..contents.functions.len() {
                let Ok(index) = u32::try_from(index) else { break };
                let function = FunctionRef { unit, function: FunctionId(index) };
                let (reach, callees) = all.direct(program, function);
                all.of.insert(function, reach);
                for callee in callees {
                    callers.entry(callee).or_default().push(function);
                }
            }
        }
        let mut pending: Vec<FunctionRef> =
            all.of.iter().filter(|(_, reach)| reach.matters()).map(|(function, _)| *function).collect();
        while let Some(function) = pending.pop() {
            let reach = all.get(function);
            for caller in callers.get(&function).into_iter().flatten() {
                let Some(known) = all.of.get_mut(caller) else { continue };
                let new = Reach {
                    uses: known.uses || reach.uses,
                    changes: known.changes || reach.changes,
                    unseen_init: known.unseen_init || reach.unseen_init,
                    unseen_finalize: known.unseen_finalize || reach.unseen_finalize,
                    returns: known.returns,
                };
                if *known != new {
                    *known = new;
                    pending.push(*caller);
                }
            }
        }
        all
    }

    pub(super) fn get(&self, function: FunctionRef) -> Reach {
        self.of.get(&function).copied().unwrap_or(Reach::HIDDEN)
    }

    /// What a function does by itself, and whom it calls.
    fn direct(&mut self, program: &Program, function: FunctionRef) -> (Reach, Vec<FunctionRef>) {
        let mut reach = Reach::default();
        let mut callees = Vec::new();
        let Some(cfg) = &program.function(function).body else {
            // A syntax error hides what it does.
            return (Reach::HIDDEN, callees);
        };
        for block in cfg.graph.node_weights() {
            reach.returns |= matches!(block.terminator, Terminator::Return(..));
            for inst in &block.insts {
                let InstKind::Call { callee, .. } = &inst.kind else { continue };
                match callee {
                    Callee::Direct { mpi: Some(called), .. } => {
                        reach.uses |= needs_init(called);
                        reach.changes |= matches!(called.class, Class::Init { .. } | Class::Finalize);
                        self.has_session |= called.class == Class::SessionInit;
                    }
                    Callee::Direct { name, mpi: None } => match program.resolve(function.unit, name) {
                        Resolution::Defined(target) => callees.push(target),
                        _ => {
                            self.has_exit_handler |= matches!(&**name, "atexit" | "on_exit");
                            reach.unseen_init |= may_initialize(name);
                            reach.unseen_finalize |= may_finalize(name);
                            self.has_unseen_init |= reach.unseen_init;
                            self.has_unseen_finalize |= reach.unseen_finalize;
                        }
                    },
                    Callee::Indirect(_) => callees.extend(program.indirect_targets(function).iter().copied()),
                }
            }
        }
        (reach, callees)
    }
}

/// Whether the call is wrong before initialisation and after finalisation.
pub(super) fn needs_init(function: &mpi::Function) -> bool {
    !function.any_time && !matches!(function.class, Class::Init { .. })
}

/// Whether unseen code of that name may initialise MPI. Libraries do (`PetscInitialize`, `start_parallel`), and their
/// names say so.
pub(super) fn may_initialize(name: &str) -> bool {
    suggests(name, &["init", "start", "begin", "setup", "launch", "main"])
}

/// Whether unseen code of that name may finalise MPI.
pub(super) fn may_finalize(name: &str) -> bool {
    suggests(
        name,
        &[
            "fin", "end", "exit", "close", "shut", "clean", "term", "destroy", "stop", "abort", "quit",
            "die", "fail", "main",
        ],
    )
}

fn suggests(name: &str, words: &[&str]) -> bool {
    let lower = name.to_ascii_lowercase();
    !has_known_effect(name) && words.iter().any(|word| lower.contains(word))
}
