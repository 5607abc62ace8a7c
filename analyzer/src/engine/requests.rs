//! Requests: where their handles are, and calls that start, complete and free the operations behind them (MPI-4.1 sections 3.7, 3.9).
//!
//! A handle is represented by the address at which it was first stored, its slot. Handles in an array that is indexed by a loop
//! counter have no cell of their own; the operations behind them are then known by the range of slots, and a wait for one of
//! them waits for all, which delays a process but changes no match.

use frontend::mpi::{Class, CollectiveOp, Completion, Direction, Role, Which};
use lattice::{Linear, Range, Ranks};

use super::Engine;
use super::aliasing::Stored;
use super::eval::Location;
use super::exec::Progress;
use super::memory::ObjectId;
use super::mpi::Call;
use super::need::Need;
use super::partial::{STATUS, element};
use super::state::{
    Arrived, Awaited, CollectiveCall, HANDLE, Handle, Hold, InFlight, Partial, Posted, ProcessSet, Slot,
    State, Status, Ticket, Wait, address, target,
};
use super::value::Value;
use super::waiting::is_same_slot;

/// The handle of no request.
pub(crate) const NULL_REQUEST: &str = "MPI_REQUEST_NULL";
/// Requests of one call that are followed one by one.
const LISTED: i64 = 256;

/// A request that a call is given.
#[derive(PartialEq)]
struct Requested {
    ticket: Ticket,
    /// Its index in the list that the call is given, and the address of its handle; `None` for many at once.
    position: Option<i64>,
    handle: Option<(ObjectId, Linear)>,
    /// Whether the handle is known not to be null.
    known: bool,
}

impl Engine<'_> {
    /// The ticket of an operation that a call starts. An older operation whose handle was there can no longer be waited for.
    pub(crate) fn new_ticket(
        &mut self,
        state: &mut State,
        set: &ProcessSet,
        call: &Call<'_>,
        completion: Completion,
    ) -> Result<Ticket, Need> {
        if completion == Completion::Blocking {
            return Ok(Ticket::Call);
        }
        let index = call.mpi.param_with_role(Role::Request);
        let Some((object, offset)) = call.at(index).and_then(address) else {
            return Err(Need::give_up(format!("where `{}` stores its request is not known", call.mpi.name)));
        };
        let slot = slot_at(object, offset);
        if completion == Completion::Nonblocking {
            detach(state, set, &slot);
            // How many are left in the array is not known any more.
            let facts = &state.facts;
            let is_counted = |a: &Arrived| {
                a.left.is_some()
                    && matches!(&a.ticket, Ticket::Request(s) if s.object == object)
                    && a.receivers.within(&set.ranks, facts)
            };
            state.arrived.retain(|a| !is_counted(a));
        }
        Ok(Ticket::Request(slot))
    }

    /// Stores the handle of a request that a call makes.
    pub(crate) fn store_request(&mut self, state: &mut State, set: &mut ProcessSet, call: &Call<'_>) {
        let index = call.mpi.param_with_role(Role::Request);
        if let Some((object, offset)) = call.at(index).and_then(address) {
            let handle = Value::Address(object, offset.clone());
            let location = Location { object, offset: Some(offset.clone()) };
            self.scope(state, set).write(&location, Some(8), handle);
        }
    }

    /// Keeps a persistent operation until it is started.
    pub(crate) fn keep_handle(
        &mut self,
        set: &mut ProcessSet,
        call: &Call<'_>,
        operation: Handle,
    ) -> Result<(), Need> {
        let index = call.mpi.param_with_role(Role::Request);
        match call.at(index).and_then(address) {
            Some((object, offset)) if offset.as_constant().is_some() => {
                set.handles.insert((object, offset.constant()), operation);
                Ok(())
            }
            _ => Err(Need::give_up(
                "persistent requests in an array with a symbolic index are not followed yet",
            )),
        }
    }

    /// `MPI_Wait`, `MPI_Waitall`, ... and, with `asks`, `MPI_Test`, ...
    pub(crate) fn wait(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        which: Which,
        asks: bool,
    ) -> Result<Progress, Need> {
        let mut requested = self.requested(state, set, call)?;
        // What a wait has just been told to complete is idle from then on; a test leaves that open.
        requested
            .retain(|request| !(is_inactive(state, set, request) || asks && is_idle(state, set, request)));
        if requested.is_empty() {
            // No operation is active: the call returns at once, and a test succeeds.
            let flag = call.mpi.param_with_role(Role::Flag);
            self.store_integers(state, set, call.at(flag), &[Value::int(1)]);
        } else if asks && !self.succeeds(state, set, call)? {
            return Ok(Progress::Continue);
        } else if asks {
            let mut again = self.requested(state, set, call)?;
            again.retain(|request| !(is_inactive(state, set, request) || is_idle(state, set, request)));
            if again != requested {
                return Err(self.asks_for_another());
            }
        }
        let statuses = call.at(call.mpi.param_with_role(Role::Status)).cloned().unwrap_or(Value::int(0));
        // A persistent request stays.
        let stays = |handle: &Option<(ObjectId, Linear)>| {
            let place = handle.as_ref().map(|(object, offset)| (*object, offset.constant()));
            place.is_some_and(|place| set.handles.contains_key(&place))
        };
        let partial = matches!(which, Which::Any | Which::Some).then(|| {
            // Whether a persistent request is active is not known one by one.
            let listed = requested.iter().all(|r| r.known && !stays(&r.handle));
            let position = |r: &Requested| r.position.filter(|_| listed);
            let outputs = [Role::CompletedIndex, Role::ArrayLength, Role::Status]
                .map(|role| call.at(call.mpi.param_with(role, Direction::Out)).cloned());
            let matters = outputs.iter().flatten().filter_map(target).any(|at| self.decides(at.object));
            let [indices, number, statuses] = outputs.map(|output| output.unwrap_or(Value::int(0)));
            let positions = requested.iter().filter_map(position).collect();
            Partial { which, positions, matters, indices, number, statuses }
        });
        let awaited: Vec<Awaited> = requested
            .into_iter()
            .map(|Requested { ticket, position, handle, .. }| Awaited {
                ticket,
                status: match which {
                    Which::One => statuses.clone(),
                    Which::All => element(&statuses, position, STATUS),
                    Which::Any | Which::Some => Value::int(0),
                },
                handle: handle
                    .filter(|handle| !stays(&Some(handle.clone())))
                    .map(|(object, offset)| Value::Address(object, offset)),
            })
            .collect();
        if let Some(partial) = &partial {
            self.forget_results(state, set, partial);
            if awaited.is_empty() {
                let undefined = Value::Name("MPI_UNDEFINED".into());
                let place = if which == Which::Any { &partial.indices } else { &partial.number };
                self.store_integers(state, set, Some(place), &[undefined]);
            }
        }
        if awaited.is_empty() {
            if which == Which::One {
                // The empty status.
                let any = |name: &str| Value::Name(name.into());
                let nothing = (Value::int(0), any("MPI_BYTE"));
                let (source, tag) = (any("MPI_ANY_SOURCE"), any("MPI_ANY_TAG"));
                self.scope(state, set).deliver_status(&statuses, &source, &tag, &nothing);
            }
            set.frame_mut().inst += 1;
            return Ok(Progress::Continue);
        }
        let site = self.site(set.frame().function, call.span, call.mpi.name);
        set.status = Status::Waiting(Wait { site, awaited, optional: asks, partial });
        Ok(Progress::Continue)
    }

    /// Whether none of the requests that a call is given has an operation under way.
    pub(crate) fn are_idle(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
    ) -> Result<bool, Need> {
        let requested = self.requested(state, set, call)?;
        Ok(requested.iter().all(|request| is_idle(state, set, request)))
    }

    /// Waits for the operation of one request, which stays as it is otherwise.
    pub(crate) fn wait_for_arrival(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
    ) -> Result<(), Need> {
        let mut requested = self.requested(state, set, call)?;
        requested.retain(|request| !is_inactive(state, set, request));
        if requested.is_empty() {
            set.frame_mut().inst += 1;
            return Ok(());
        }
        let awaited = requested.into_iter().map(|request| Awaited {
            ticket: request.ticket,
            status: Value::int(0),
            handle: None,
        });
        let site = self.site(set.frame().function, call.span, call.mpi.name);
        set.status =
            Status::Waiting(Wait { site, awaited: awaited.collect(), optional: true, partial: None });
        Ok(())
    }

    /// `MPI_Request_get_status`: asks as `MPI_Test` does, and leaves the request as it is (MPI-4.1 section 3.7.6).
    pub(crate) fn ask_status(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
    ) -> Result<Progress, Need> {
        let request = call.value(Role::Request).cloned().unwrap_or(Value::Unknown);
        let slot = match &request {
            Value::Address(object, offset) => Some(slot_at(*object, offset)),
            _ => None,
        };
        let idle = slot.as_ref().and_then(|slot| {
            let first = state.facts.constant(&slot.span.as_ref()?.lo)?;
            Some(set.known.lives.is_idle((slot.object, first)))
        });
        let is_null = request.as_name() == Some(NULL_REQUEST);
        if is_null || idle == Some(true) {
            let flag = call.mpi.param_with_role(Role::Flag);
            self.store_integers(state, set, call.at(flag), &[Value::int(1)]);
        } else if let Some(slot) = slot {
            if self.succeeds(state, set, call)? {
                let status = call.at(call.mpi.param_with_role(Role::Status)).cloned();
                let awaited = Awaited {
                    ticket: Ticket::Request(slot),
                    status: status.unwrap_or(Value::int(0)),
                    handle: None,
                };
                let site = self.site(set.frame().function, call.span, call.mpi.name);
                set.status =
                    Status::Waiting(Wait { site, awaited: vec![awaited], optional: true, partial: None });
            }
            return Ok(Progress::Continue);
        } else {
            self.forget_outputs(state, set, call);
        }
        set.frame_mut().inst += 1;
        Ok(Progress::Continue)
    }

    /// `MPI_Cancel` (MPI-4.1 section 3.8.4): the operation is either complete or as if it had never been started. Where no other side
    /// of it is there yet, the latter is followed; that the other side may be faster is said.
    pub(crate) fn cancel(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
    ) -> Result<(), Need> {
        let facts = state.facts.clone();
        for request in self.requested(state, set, call)? {
            let Ticket::Request(slot) = &request.ticket else { continue };
            let ranks = set.ranks.clone();
            let may_be_it = |ticket: &Ticket, who: &Ranks| {
                matches!(ticket, Ticket::Request(s) if s.object == slot.object)
                    && !who.disjoint(&ranks, &facts)
            };
            let is_it = |ticket: &Ticket, who: &Ranks| {
                matches!(ticket, Ticket::Request(s) if is_same_slot(s, slot, &facts))
                    && who.within(&ranks, &facts)
            };
            let State { in_flight, posted, entered, .. } = &*state;
            let meet = |m: &InFlight, p: &Posted| {
                m.envelope.communicator.name == p.incoming.filter.communicator.name
                    && !m.relation.receivers().disjoint(&p.wanted.receivers(), &facts)
            };
            let is_open = entered.iter().any(|e| may_be_it(&e.ticket, &e.members))
                || posted.iter().any(|p| {
                    let who = p.wanted.receivers();
                    may_be_it(&p.ticket, &who)
                        && (!is_it(&p.ticket, &who) || in_flight.iter().any(|m| meet(m, p)))
                })
                || in_flight.iter().any(|m| {
                    let who = m.relation.senders();
                    may_be_it(&m.ticket, &who)
                        && (!is_it(&m.ticket, &who) || posted.iter().any(|p| meet(m, p)))
                });
            if is_open {
                return Err(Need::give_up(format!("whether `{}` comes in time is open", call.mpi.name)));
            }
            let under_way = posted.len() + in_flight.len();
            state.posted.retain(|p| !is_it(&p.ticket, &p.wanted.receivers()));
            state.in_flight.retain(|m| !is_it(&m.ticket, &m.relation.senders()));
            if state.posted.len() + state.in_flight.len() < under_way {
                let place = self.line_of(set.frame().function.unit, call.span);
                self.unexplored(format!(
                    "{place}: whether `{}` comes in time depends on timing",
                    call.mpi.name
                ));
            }
        }
        Ok(())
    }

    /// The requests that a call is given; null ones are left out.
    fn requested(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
    ) -> Result<Vec<Requested>, Need> {
        let index = call.mpi.param_with_role(Role::Request);
        let is_array = index.and_then(|i| call.mpi.params.get(i)).is_some_and(frontend::mpi::Param::is_array);
        let number = if is_array {
            call.at(call.mpi.param_with_role(Role::ArrayLength)).cloned().unwrap_or(Value::Unknown)
        } else {
            Value::int(1)
        };
        if number.as_int().and_then(|n| state.facts.constant(n)).is_some_and(|n| n <= 0) {
            return Ok(Vec::new());
        }
        let Some((object, offset)) = call.at(index).and_then(address) else {
            return Err(Need::give_up(format!("the request of `{}` is not known here", call.mpi.name)));
        };
        let offset = offset.clone();
        let constant = number.as_int().and_then(|n| state.facts.constant(n));
        let start = state.facts.constant(&offset).filter(|_| offset.is_uniform());
        let mut requested = Vec::new();
        if let (Some(number @ ..=LISTED), true) = (constant, start.is_some() || !is_array) {
            for i in 0..number {
                let place =
                    offset.offset(i * HANDLE).ok_or_else(|| Need::give_up("an address exceeds 64 bits"))?;
                let location = Location { object, offset: Some(place.clone()) };
                let (slot, known) = match self.scope(state, set).read_sized(&location, 8) {
                    Value::Name(name) if &*name == NULL_REQUEST => continue,
                    Value::Address(home, first) => (slot_at(home, &first), true),
                    _ => (slot_at(object, &place), false),
                };
                let ticket = Ticket::Request(slot);
                requested.push(Requested { ticket, position: Some(i), handle: Some((object, place)), known });
            }
            return Ok(requested);
        }
        // Many at once: the operations behind them, as far as the range tells them from others in the array.
        let end = number
            .as_int()
            .and_then(|n| n.offset(-1)?.scale(HANDLE))
            .and_then(|bytes| offset.add(&bytes))
            .filter(|_| offset.is_uniform());
        let span = end.map(|hi| Range { lo: offset, hi });
        requested.push(Requested {
            ticket: Ticket::Request(Slot { object, span }),
            position: None,
            handle: None,
            known: false,
        });
        Ok(requested)
    }

    /// `MPI_Start`, `MPI_Startall`.
    pub(crate) fn start(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        _which: Which,
    ) -> Result<Progress, Need> {
        let requested = self.requested(state, set, call)?;
        let mut operations = Vec::new();
        for Requested { ticket, handle, .. } in requested {
            let Ticket::Request(slot) = &ticket else { continue };
            let known = handle
                .as_ref()
                .and(slot.span.as_ref())
                .and_then(|span| set.handles.get(&(slot.object, state.facts.constant(&span.lo)?)).cloned());
            let Some(operation) = known else {
                return Err(Need::give_up(format!(
                    "which operation `{}` starts is not known",
                    call.mpi.name
                )));
            };
            // Ask what starting asks before anything is started.
            let facts = &state.facts;
            for part in operation.parts() {
                match part {
                    Handle::Send(out) => {
                        out.dest.of_send(&set.ranks, facts)?;
                    }
                    Handle::Receive(_, Some(source)) => {
                        source.of_receive(&set.ranks, facts)?;
                    }
                    _ => {}
                }
            }
            operations.push((operation, ticket));
        }
        for (operation, ticket) in operations {
            let operation = match operation {
                Handle::Send(mut outgoing) if outgoing.hold != Hold::Free => {
                    outgoing.envelope.payload = Value::Unknown;
                    Handle::Send(outgoing)
                }
                other => other,
            };
            let operation = self.reloaded(state, set, operation);
            for part in operation.parts() {
                if let Handle::Collective(collective) = part {
                    self.forget_result(state, set, collective);
                }
            }
            self.launch(state, set, operation, ticket)?;
        }
        set.frame_mut().inst += 1;
        Ok(Progress::Continue)
    }

    /// Forgets what a collective operation that is started will overwrite; what is broadcast is stored when it is complete.
    fn forget_result(&mut self, state: &mut State, set: &mut ProcessSet, collective: &CollectiveCall) {
        let class = frontend::mpi::lookup(&collective.operation).map(|mpi| mpi.class);
        if matches!(class, Some(Class::Collective { operation: CollectiveOp::Bcast, .. })) {
            return;
        }
        let mut scope = self.scope(state, set);
        match target(&collective.result) {
            Some(place) => scope.write(&place, None, Value::Unknown),
            None if collective.result == Value::Unknown => {
                scope.engine.forget_exposed(scope.memory, Stored::of_datatype(&collective.datatype));
            }
            None => {}
        }
    }

    /// `MPI_Request_free`: the operation goes on, nobody waits for it.
    pub(crate) fn free_request(&mut self, state: &mut State, set: &mut ProcessSet, call: &Call<'_>) {
        let index = call.mpi.param_with_role(Role::Request);
        let Some((object, offset)) = call.at(index).and_then(address) else { return };
        let location = Location { object, offset: Some(offset.clone()) };
        let offset = offset.clone();
        if let Value::Address(home, first) = self.scope(state, set).read_sized(&location, 8) {
            detach(state, set, &slot_at(home, &first));
        }
        if let Some(offset) = offset.as_constant() {
            set.handles.remove(&(object, offset));
        }
        self.scope(state, set).write(&location, Some(8), Value::Name(NULL_REQUEST.into()));
    }
}

/// Whether a request is known to be a persistent one that has not been started since it was made or waited for.
fn is_idle(state: &State, set: &ProcessSet, request: &Requested) -> bool {
    let Ticket::Request(Slot { object, span: Some(span) }) = &request.ticket else { return false };
    let first = state.facts.constant(&span.lo);
    request.handle.is_some() && first.is_some_and(|first| set.known.lives.is_idle((*object, first)))
}

/// Whether a request is that of a persistent receive which is not under way: waiting for it returns at once (MPI-4.1 section 3.9).
/// Nothing is said of other operations: once matched they leave nothing behind, and may be complete or not.
fn is_inactive(state: &State, set: &ProcessSet, request: &Requested) -> bool {
    let facts = &state.facts;
    let Ticket::Request(slot) = &request.ticket else { return false };
    let place = slot.span.as_ref().and_then(|span| Some((slot.object, facts.constant(&span.lo)?)));
    let other = |ticket: &Ticket| match ticket {
        Ticket::Request(s) => s.object != slot.object,
        _ => true,
    };
    place.is_some_and(|place| matches!(set.handles.get(&place), Some(Handle::Receive(..))))
        && state.posted.iter().all(|p| other(&p.ticket) || p.wanted.receivers().disjoint(&set.ranks, facts))
        && state.arrived.iter().all(|a| other(&a.ticket) || a.receivers.disjoint(&set.ranks, facts))
}

fn slot_at(object: ObjectId, offset: &Linear) -> Slot {
    let span = offset.is_uniform().then(|| Range::single(offset.clone()));
    Slot { object, span }
}

/// Nobody of a set waits any more for the operations with this slot.
fn detach(state: &mut State, set: &ProcessSet, slot: &Slot) {
    let facts = state.facts.clone();
    let inside = |ranks: &Ranks| ranks.within(&set.ranks, &facts);
    let mine = |ticket: &Ticket| matches!(ticket, Ticket::Request(s) if is_same_slot(s, slot, &facts));
    for message in state.in_flight.iter_mut().filter(|m| mine(&m.ticket) && inside(&m.relation.senders())) {
        message.ticket = Ticket::Detached;
    }
    for posted in state.posted.iter_mut().filter(|p| mine(&p.ticket) && inside(&p.wanted.receivers())) {
        posted.ticket = Ticket::Detached;
    }
    for entered in state.entered.iter_mut().filter(|e| mine(&e.ticket) && inside(&e.members)) {
        entered.ticket = Ticket::Detached;
    }
    state.arrived.retain(|a| !(mine(&a.ticket) && inside(&a.receivers)));
}
