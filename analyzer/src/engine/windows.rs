//! Windows (MPI-4.1 chapter 12): memory that other processes read and write.
//!
//! The handle of a window is a communicator of the processes that share it: making it, fences and freeing it are collective calls.
//! What a process puts into the memory of another one is no message, as nobody receives it; who puts what where is not followed.
//! Memory that may be that of a window is forgotten at every call that may wait for other processes or orders accesses: they may have
//! written there. That locks are given in the end, and that the epochs of `MPI_Win_post` and `MPI_Win_start` fit each other, is taken
//! for granted, which the verdict says.

use std::sync::Arc;

use frontend::ir::{Callee, InstKind};
use frontend::mpi::{Class, Completion, Function, Object, RmaSync, Role, WinConstructor};

use super::Engine;
use super::changes::Reached;
use super::clients::lifecycles::asserted_by_all;
use super::exec::Progress;
use super::functions::is_silent;
use super::groundwork::Groundwork;
use super::memory::{Content, Memory};
use super::mpi::Call;
use super::need::Need;
use super::state::{Handle, ProcessSet, SiteId, State, Ticket, target};
use super::value::Value;

/// Whether a call of this class is one of a window, and not about its name or attributes only.
pub(crate) fn concerns_window(class: Class) -> bool {
    matches!(
        class,
        Class::WinConstructor(_)
            | Class::WinDestructor
            | Class::WinMemory { .. }
            | Class::Rma { .. }
            | Class::RmaSync(_)
            | Class::SetInfo(Object::Window)
    )
}

/// What the address of the memory that a call allocates for a window is called.
pub(crate) fn memory_name(site: SiteId) -> Arc<str> {
    format!("{MEMORY} {}", site.0).into()
}

/// Whether a name is that of such an address.
pub(crate) fn is_memory_name(name: &str) -> bool {
    name.starts_with(MEMORY)
}

/// How these names begin.
const MEMORY: &str = "memory of a window made at site";

/// Whether other processes may have written to memory of windows when a call returns.
pub(crate) fn lets_others_write(call: &Function) -> bool {
    concerns_window(call.class) || !is_silent(call)
}

/// The objects that may be memory of a window; `None`: there are no windows over memory of the program.
pub(crate) fn window_memory(ground: &Groundwork<'_>) -> Option<Reached> {
    let mut found: Option<Reached> = None;
    for &function in &ground.reachable {
        let Some(cfg) = &ground.program.function(function).body else { continue };
        for inst in cfg.graph.node_weights().flat_map(|block| &block.insts) {
            let InstKind::Call { callee: Callee::Direct { mpi: Some(mpi), .. }, args, .. } = &inst.kind
            else {
                continue;
            };
            if !matches!(mpi.class, Class::WinConstructor(_) | Class::WinMemory { attach: true }) {
                continue;
            }
            let base = mpi.param_with_role(Role::WindowMemory).and_then(|index| args.get(index));
            let Some(base) = base else { continue };
            let there = ground.points_to().and_then(|found| found.of(ground.program, function, base));
            found.get_or_insert_default().add(there.as_deref());
        }
    }
    found
}

impl Engine<'_> {
    /// A call for which [`concerns_window`].
    pub(crate) fn window_call(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
    ) -> Result<Progress, Need> {
        match call.mpi.class {
            Class::WinConstructor(how) => {
                let operation = self.over_shared(state, set, call)?;
                if matches!(operation, Handle::Collective(_)) {
                    self.forget_outputs(state, set, call);
                }
                if how == WinConstructor::Allocate {
                    self.name_memory(state, set, call);
                }
                self.begin(state, set, call, Completion::Blocking, operation, Ticket::Call)
            }
            Class::WinDestructor => {
                let operation = self.over_shared(state, set, call)?;
                self.null_handle(state, set, call);
                self.begin(state, set, call, Completion::Blocking, operation, Ticket::Call)
            }
            Class::RmaSync(RmaSync::Fence) | Class::SetInfo(_) => {
                let mut operation = self.over_shared(state, set, call)?;
                if let Handle::Collective(entered) = &mut operation {
                    entered.terms.asserts = asserted_by_all(call);
                }
                self.begin(state, set, call, Completion::Blocking, operation, Ticket::Call)
            }
            Class::Rma { request: true, .. } => {
                self.assume_epochs_fit();
                let ticket = self.new_ticket(state, set, call, Completion::Nonblocking)?;
                self.forget_outputs(state, set, call);
                self.begin(state, set, call, Completion::Nonblocking, Handle::Nothing, ticket)
            }
            _ => {
                self.assume_epochs_fit();
                self.forget_outputs(state, set, call);
                set.frame_mut().inst += 1;
                Ok(Progress::Continue)
            }
        }
    }

    /// Gives a name to memory that a call allocates: what is in it is not followed.
    fn name_memory(&mut self, state: &mut State, set: &mut ProcessSet, call: &Call<'_>) {
        let place = call.at(call.mpi.param_with_role(Role::AllocatedMemory)).and_then(target);
        if let Some(place) = place {
            let name = memory_name(self.site(set.frame().function, call.span, call.mpi.name));
            self.scope(state, set).write(&place, Some(8), Value::Name(name));
        }
    }

    /// Notes what is taken for granted of windows.
    pub(crate) fn assume_epochs_fit(&mut self) {
        self.assume("one-sided operations and their epochs end; what they transfer is not listed".to_owned());
    }

    /// Forgets what others may write to memory of windows.
    pub(crate) fn forget_window_memory(&mut self, memory: &mut Memory) {
        if let Some(reached) = self.ground.window_memory() {
            let objects = reached.objects().cloned();
            for object in self.exposed(memory) {
                let is_forgotten = memory.get(object).is_some_and(Content::is_forgotten_shared);
                if !is_forgotten && self.may_be_in(object, objects.as_ref()) {
                    memory.content(object).forget_shared();
                }
            }
        }
    }
}
