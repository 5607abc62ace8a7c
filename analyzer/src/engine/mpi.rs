//! What an MPI call means to the set that makes it. Everything is read off the call table: classes, roles and pairings.

use std::sync::Arc;

use frontend::ir::{Expr, Place, Span};
use frontend::mpi::{
    Access, Buffer, Class, CollectiveOp, CommConstructor, Completion, ConstantKind, Direction, Function,
    GeneralizedRequest, Object, Param, Plain, Role, Scope as CallScope, SendMode, Which,
};
use lattice::Linear;

use super::Engine;
use super::agreement::Terms;
use super::aliasing::Stored;
use super::asking::leaves_what_was_found;
use super::changes::stored_in;
use super::clients::{Cargo, Client, Step};
use super::collective::completed;
use super::eval::Location;
use super::exec::Progress;
use super::files::concerns_file;
use super::group::Group;
use super::memory::{Background, Content};
use super::mixed::Mixed;
use super::need::Need;
use super::permutation::Target;
use super::record;
use super::state::{
    Awaited, CollectiveCall, Communicator, Entered, Envelope, Filter, HANDLE, Handle, Hold, InFlight,
    Incoming, Outgoing, Phase, Posted, ProcessSet, State, Status, Ticket, Wait, Wanted,
};
use super::value::Value;
use super::windows::{concerns_window, lets_others_write};
use crate::rules::Rule;

/// The handle of the message from `MPI_PROC_NULL`.
pub(crate) const NO_MESSAGE: &str = "MPI_MESSAGE_NO_PROC";

/// One side of a message as a call describes it.
enum Side<T> {
    Ready(T),
    /// The partner is `MPI_PROC_NULL`.
    Nothing,
    /// The partner is no rank: the call is an error, which ends the program.
    Erroneous,
}

/// A partner argument.
pub(crate) enum Partner {
    /// Rank in the communicator.
    Rank(Linear),
    /// The same where it mixes digits of the own rank.
    Mixed(Arc<Mixed>),
    Nobody,
    Anybody,
}

/// A receive and its source in `MPI_COMM_WORLD`, `None` for any.
type Reception = (Incoming, Option<Target>);

impl<'p> Engine<'p> {
    pub(crate) fn mpi_call(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        dest: Option<&Place>,
        mpi: &'static Function,
        args: &[Expr],
        span: Span,
    ) -> Result<Progress, Need> {
        if !super::functions::is_silent(mpi) && self.is_threaded(set) {
            return Err(Need::give_up(format!("`{}` is called by several threads", mpi.name)));
        }
        self.goes_on_alike(state, set, mpi, span)?;
        let mut scope = self.scope(state, set);
        let values = args.iter().map(|arg| scope.eval(arg)).collect::<Result<Vec<_>, _>>()?;
        let call = Call { mpi, args, values: &values, span };
        let site = self.site(set.frame().function, span, mpi.name);
        self.observe(state, set, &Step::Mpi { call: &call, site });
        if self.has_bad_argument(state, set, &call)? {
            return Ok(Progress::Erroneous);
        }
        self.check_overlaps(state, set, &call);
        self.check_room(state, set, &call)?;
        self.check_blocks(state, set, &call);
        self.check_target(state, set, &call, site);
        let mut scope = self.scope(state, set);
        if let Some(name) = scope.changing_callback(&values) {
            let reason =
                format!("`{name}`, which `{}` is given to call, changes variables that matter", mpi.name);
            return Err(Need::give_up(reason));
        }
        if lets_others_write(mpi) {
            scope.engine.forget_window_memory(scope.memory);
        }
        // All calls return MPI_SUCCESS or do not return: MPI_ERRORS_ARE_FATAL is the default error handler.
        if let Some(dest) = dest {
            let result = if mpi.ret == "int" { Value::int(0) } else { Value::Unknown };
            scope.assign(dest, result)?;
        }
        match mpi.class {
            Class::Init { .. } => {
                // The arguments of `main` that it may change are taken to stay as they are.
                set.phase = Phase::Running;
                if let Some(index) = mpi.params.iter().position(|p| p.direction == Direction::Out) {
                    let value = values.get(index).cloned().unwrap_or(Value::Unknown);
                    self.forget_scalar(state, set, &value);
                }
            }
            Class::Finalize => set.phase = Phase::Finalized,
            Class::Abort => return Ok(Progress::Aborted),
            Class::Query(query) => self.query(state, set, query, &call)?,
            Class::Send { mode, completion } => return self.send(state, set, &call, mode, completion),
            Class::Receive { completion, matched } => {
                return self.receive(state, set, &call, completion, matched);
            }
            Class::SendReceive { completion, .. } => return self.send_receive(state, set, &call, completion),
            Class::Probe { blocking, matched } => return self.probe(state, set, &call, blocking, matched),
            Class::Wait(which) => return self.wait(state, set, &call, which, false),
            Class::Test(which) => return self.wait(state, set, &call, which, true),
            Class::Start(which) => return self.start(state, set, &call, which),
            Class::RequestFree => self.free_request(state, set, &call),
            Class::PartitionReady(_) => {}
            Class::PartitionArrived => return self.partition_arrives(state, set, &call),
            Class::RequestStatus(Which::One) => return self.ask_status(state, set, &call),
            Class::RequestStatus(_) => self.forget_outputs(state, set, &call),
            Class::GeneralizedRequest(GeneralizedRequest::Start) => {
                self.assume("generalized requests are completed".to_owned());
                let ticket = self.new_ticket(state, set, &call, Completion::Nonblocking)?;
                return self.begin(state, set, &call, Completion::Nonblocking, Handle::Nothing, ticket);
            }
            Class::GeneralizedRequest(GeneralizedRequest::Complete) => {}
            Class::Cancel => self.cancel(state, set, &call)?,
            Class::Collective { operation, completion, neighbor: false } => {
                return self.collective(state, set, &call, operation, completion);
            }
            Class::Collective { completion, neighbor: true, .. } => {
                return self.exchange_with_neighbours(state, set, &call, completion);
            }
            class if concerns_file(class) => return self.file_call(state, set, &call),
            class if concerns_window(class) => return self.window_call(state, set, &call),
            Class::CommConstructor(how) => return self.make_communicator(state, set, &call, how),
            Class::GroupConstructor(how) => self.make_group(state, set, &call, how)?,
            Class::Attribute { access: Access::Get, .. } => self.read_attribute(state, set, &call),
            // What MPI does for a session begins when something is made of it.
            Class::SessionInit => self.local_call(state, set, &call),
            _ if mpi.destroyed().is_some() => {
                self.null_handle(state, set, &call);
            }
            Class::Memory { alloc: true } => self.allocate_memory(state, set, &call),
            _ if super::functions::is_silent(mpi) => self.local_call(state, set, &call),
            _ => return Err(Need::give_up(format!("`{}` is not followed yet", mpi.name))),
        }
        set.frame_mut().inst += 1;
        Ok(Progress::Continue)
    }

    /// Whether a team of OpenMP threads executes the code at which a set stands, or a call that led there.
    pub(crate) fn is_threaded(&self, set: &ProcessSet) -> bool {
        set.frames.iter().any(|frame| {
            let function = self.program.function(frame.function);
            let block = function.body.as_ref().map(|cfg| &cfg.graph[frame.block]);
            let inst = block.and_then(|block| block.insts.get(frame.inst));
            inst.is_some_and(|inst| function.executed_by_several_threads(inst.span))
        })
    }

    fn send(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        mode: SendMode,
        completion: Completion,
    ) -> Result<Progress, Need> {
        let hold = match mode {
            SendMode::Synchronous => Hold::Firm,
            SendMode::Buffered => Hold::Free,
            SendMode::Standard | SendMode::Ready if self.buffering => Hold::Polite,
            SendMode::Standard | SendMode::Ready => Hold::Firm,
        };
        let ticket = self.new_ticket(state, set, call, completion)?;
        let handle = match self.outgoing(state, set, call, hold)? {
            Side::Erroneous => return Ok(Progress::Erroneous),
            Side::Nothing => Handle::Nothing,
            Side::Ready(outgoing) => {
                if mode == SendMode::Buffered && !self.ground.lends_buffer {
                    let message = format!("{} has no memory to copy to: none is attached", call.mpi.name);
                    let place = (set.frame().function, call.span);
                    self.report(Rule::InvalidBuffer, state, &set.ranks, place, message, Vec::new());
                }
                Handle::Send(outgoing)
            }
        };
        self.begin(state, set, call, completion, handle, ticket)
    }

    fn receive(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        completion: Completion,
        matched: bool,
    ) -> Result<Progress, Need> {
        let ticket = self.new_ticket(state, set, call, completion)?;
        let reception =
            if matched { self.probed_reception(state, set, call)? } else { self.incoming(state, set, call)? };
        let handle = match reception {
            Side::Erroneous => return Ok(Progress::Erroneous),
            Side::Nothing => Handle::Nothing,
            Side::Ready((incoming, source)) => Handle::Receive(incoming, source),
        };
        self.begin(state, set, call, completion, handle, ticket)
    }

    /// Starts an operation, waits for it, or keeps it to be started.
    pub(crate) fn begin(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        completion: Completion,
        operation: Handle,
        ticket: Ticket,
    ) -> Result<Progress, Need> {
        match completion {
            Completion::Blocking => {
                let waits = !matches!(&operation, Handle::Nothing)
                    && !matches!(&operation, Handle::Send(Outgoing { hold: Hold::Free, .. }));
                if matches!(operation, Handle::Nothing) {
                    self.clear_status(state, set, call);
                }
                self.launch(state, set, operation, Ticket::Call)?;
                return Ok(self.wait_for_call(state, set, call, waits));
            }
            Completion::Nonblocking => {
                self.launch(state, set, operation, ticket)?;
                self.store_request(state, set, call);
            }
            Completion::Persistent | Completion::Partitioned => {
                self.store_request(state, set, call);
                self.keep_handle(set, call, operation)?;
            }
        }
        set.frame_mut().inst += 1;
        Ok(Progress::Continue)
    }

    /// Ends a blocking call: at once, or when its operations are complete.
    fn wait_for_call(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        waits: bool,
    ) -> Progress {
        if !waits {
            set.frame_mut().inst += 1;
            return Progress::Continue;
        }
        let site = self.site(set.frame().function, call.span, call.mpi.name);
        let status = call.mpi.param_with_role(Role::Status).and_then(|i| call.values.get(i)).cloned();
        if let Some(status) = &status {
            self.forget_status(state, set, status);
        }
        let awaited =
            vec![Awaited { ticket: Ticket::Call, status: status.unwrap_or(Value::int(0)), handle: None }];
        set.status = Status::Waiting(Wait { site, awaited, optional: false, partial: None });
        Progress::Continue
    }

    /// Forgets what a status says that is about to be overwritten: nobody asks for it any more.
    pub(crate) fn forget_status(&mut self, state: &mut State, set: &mut ProcessSet, status: &Value) {
        if !state.guises.is_empty() || self.follows_orders() {
            let unknown = (Value::Unknown, Value::Unknown);
            self.scope(state, set).deliver_status(status, &Value::Unknown, &Value::Unknown, &unknown);
        }
    }

    /// Starts an operation. All questions are asked before anything changes.
    pub(crate) fn launch(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        operation: Handle,
        ticket: Ticket,
    ) -> Result<(), Need> {
        let merge = self.fixed.is_none();
        match operation {
            Handle::Send(outgoing) => {
                let relation = outgoing.dest.of_send(&set.ranks, &state.facts)?;
                let ticket = if outgoing.hold == Hold::Free && ticket == Ticket::Call {
                    Ticket::Detached
                } else {
                    ticket
                };
                self.check_ready(state, &outgoing.envelope, &relation);
                let message = InFlight { envelope: outgoing.envelope, relation, ticket, hold: outgoing.hold };
                if merge { record::sent(state, message) } else { state.in_flight.push(message) }
            }
            Handle::Receive(incoming, source) => {
                let rank = source.as_ref().and_then(|source| match source {
                    Target::Rank(rank) => Some(rank),
                    _ => None,
                });
                leaves_what_was_found(set, &incoming.filter, rank, &state.facts)?;
                let wanted = match source {
                    Some(source) => Wanted::From(source.of_receive(&set.ranks, &state.facts)?),
                    None => Wanted::Anybody(set.ranks.clone()),
                };
                // What the buffer holds is not known before the receive is complete.
                let count = incoming.count.clone();
                let (buffer, datatype) = (incoming.buffer.clone(), incoming.datatype.clone());
                self.scope(state, set).deliver(&buffer, &count, &datatype, Value::Unknown);
                let posted = Posted { incoming, wanted, ticket };
                if merge { record::posted(state, posted) } else { state.posted.push(posted) }
            }
            Handle::Collective(call) => {
                let entered = Entered { members: set.ranks.clone(), call, ticket };
                if merge { record::entered(state, entered) } else { state.entered.push(entered) }
            }
            Handle::Several(all) => {
                for one in all {
                    self.launch(state, set, one, ticket.clone())?;
                }
            }
            Handle::Nothing | Handle::Message(..) => {}
        }
        Ok(())
    }

    fn send_receive(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        completion: Completion,
    ) -> Result<Progress, Need> {
        if !matches!(completion, Completion::Blocking | Completion::Nonblocking) {
            return Err(Need::give_up(format!("`{}` is not followed yet", call.mpi.name)));
        }
        let ticket = self.new_ticket(state, set, call, completion)?;
        let hold = if self.buffering { Hold::Polite } else { Hold::Firm };
        let outgoing = self.outgoing(state, set, call, hold)?;
        let incoming = self.incoming(state, set, call)?;
        if matches!(outgoing, Side::Erroneous) || matches!(incoming, Side::Erroneous) {
            return Ok(Progress::Erroneous);
        }
        let facts = &state.facts;
        // Ask what starting the halves would ask before either is started.
        if let Side::Ready(out) = &outgoing {
            out.dest.of_send(&set.ranks, facts)?;
        }
        if let Side::Ready((_, Some(source))) = &incoming {
            source.of_receive(&set.ranks, facts)?;
        }
        let mut waits = false;
        if let Side::Ready(outgoing) = outgoing {
            waits = true;
            self.launch(state, set, Handle::Send(outgoing), ticket.clone())?;
        }
        let receives = matches!(incoming, Side::Ready(_));
        if let Side::Ready((incoming, source)) = incoming {
            waits = true;
            self.launch(state, set, Handle::Receive(incoming, source), ticket)?;
        }
        if completion == Completion::Nonblocking {
            self.store_request(state, set, call);
            set.frame_mut().inst += 1;
            return Ok(Progress::Continue);
        }
        let progress = self.wait_for_call(state, set, call, waits);
        if !receives {
            self.clear_status(state, set, call);
        }
        Ok(progress)
    }

    /// A call that concerns the calling process only: what it writes is not known, but handles it makes are named.
    pub(crate) fn local_call(&mut self, state: &mut State, set: &mut ProcessSet, call: &Call<'_>) {
        self.forget_outputs(state, set, call);
        if let Some((index, object)) = call.mpi.created()
            && let Some((place, offset)) = call.values.get(index).and_then(super::state::address)
        {
            let kind = object.ctype().trim_start_matches("MPI_").to_lowercase();
            let name = format!("{kind} of {}", self.way_to(set, call.span));
            let name = match object {
                Object::Datatype => self.name_datatype(state, set, call, name),
                _ => name.into(),
            };
            let location = Location { object: place, offset: Some(offset.clone()) };
            self.scope(state, set).write(&location, Some(8), Value::Name(name));
        }
    }

    /// `MPI_Alloc_mem`.
    fn allocate_memory(&mut self, state: &mut State, set: &mut ProcessSet, call: &Call<'_>) {
        self.forget_outputs(state, set, call);
        let place = call.at(call.mpi.param_with_role(Role::AllocatedMemory)).and_then(super::state::target);
        let Some(place) = place else { return };
        let bytes = call.value(Role::ByteSize).and_then(Value::as_int).cloned();
        let mut scope = self.scope(state, set);
        let memory = scope.allocate(Content::new(Background::Undefined), bytes, call.span);
        scope.write(&place, Some(8), memory);
    }

    /// A place in the program, with the calls that led to it: what is made there each time is something else.
    fn way_to(&self, set: &ProcessSet, span: Span) -> String {
        let mut way = self.line_of(set.frame().function.unit, span);
        for frame in set.frames.iter().rev().skip(1) {
            let function = self.program.function(frame.function);
            let block = function.body.as_ref().map(|cfg| &cfg.graph[frame.block]);
            if let Some(inst) = block.and_then(|block| block.insts.get(frame.inst)) {
                way = format!("{way}, called at {}", self.line_of(frame.function.unit, inst.span));
            }
        }
        way
    }

    pub(crate) fn forget_outputs(&mut self, state: &mut State, set: &mut ProcessSet, call: &Call<'_>) {
        let written: Vec<(Value, Option<u64>, Stored)> = call
            .mpi
            .params
            .iter()
            .zip(call.values)
            .filter(|(p, _)| p.direction.writes() && p.is_pointer() && !stays_as_it_is(call.mpi, p))
            .map(|(p, value)| (value.clone(), scalar_size(p), stored_in(p)))
            .collect();
        let mut scope = self.scope(state, set);
        for (value, size, stored) in written {
            match super::state::target(&value) {
                Some(location) => scope.write(&location, size, Value::Unknown),
                None if value == Value::Unknown || is_bottom(&value) => {
                    scope.engine.forget_exposed(scope.memory, stored)
                }
                None => {}
            }
        }
    }

    /// A handle that a call gives up.
    pub(crate) fn null_handle(&mut self, state: &mut State, set: &mut ProcessSet, call: &Call<'_>) {
        self.forget_outputs(state, set, call);
        if let Some((index, kind)) = call.mpi.destroyed()
            && let Some(null) = null_name(kind)
            && let Some((object, offset)) = call.values.get(index).and_then(super::state::address)
        {
            let location = Location { object, offset: Some(offset.clone()) };
            self.scope(state, set).write(&location, Some(8), Value::Name(null.into()));
        }
    }

    fn outgoing(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        hold: Hold,
    ) -> Result<Side<Outgoing>, Need> {
        let buffer = call.mpi.buffers().find(|b| b.dest.is_some());
        let Some(buffer) = buffer else {
            return Err(Need::give_up("a send without a destination in the call table"));
        };
        let communicator = self.communicator(call)?;
        let dest = match call.partner(buffer.dest)? {
            Partner::Nobody => return Ok(Side::Nothing),
            Partner::Anybody => return Ok(Side::Erroneous),
            partner => partner,
        };
        let tag = call.at(buffer.send_tag).cloned().unwrap_or(Value::Unknown);
        let count = call.elements(buffer);
        let datatype = call.at(buffer.datatype).cloned().unwrap_or(Value::Unknown);
        let payload = self.payload(state, set, call.at(Some(buffer.param)), &count, &datatype);
        let site = self.site(set.frame().function, call.span, call.mpi.name);
        self.note_sent(site, &payload);
        // What differs from one order of messages to another and decides nothing is not worth a state.
        let is_idle = self.follows_orders() && !self.deciding().messages_matter();
        let payload = if is_idle { Value::Unknown } else { payload };
        let Some(dest) = self.target(state, set, call, &communicator, &dest, buffer.dest)? else {
            return Ok(Side::Erroneous);
        };
        let cargo = self.load(state, set, call);
        let envelope = Envelope { site, communicator, tag, count, datatype, payload, cargo };
        Ok(Side::Ready(Outgoing { envelope, dest, hold }))
    }

    /// The partner of an operation in `MPI_COMM_WORLD`; `None` where it is no rank of the communicator.
    fn target(
        &mut self,
        state: &mut State,
        set: &ProcessSet,
        call: &Call<'_>,
        communicator: &Communicator,
        partner: &Partner,
        index: Option<usize>,
    ) -> Result<Option<Target>, Need> {
        let open = |why: &str| Need::give_up(format!("the partner of `{}` {why}", call.mpi.name));
        match partner {
            Partner::Rank(rank) => {
                if self.is_bad_partner(state, set, communicator, rank, call, index)? {
                    return Ok(None);
                }
                self.world_rank(state, set, communicator, rank).map(Target::Rank).map(Some)
            }
            Partner::Mixed(_)
                if communicator.group != Communicator::world().group || !state.guises.is_empty() =>
            {
                Err(open("mixes digits of the rank in a part of the processes"))
            }
            Partner::Mixed(rank) => self
                .permuted(set, rank, call.values, &state.facts)
                .map(Some)
                .ok_or_else(|| open("mixes digits of the rank, and who names whom in return is not proved")),
            Partner::Nobody | Partner::Anybody => Ok(None),
        }
    }

    pub(crate) fn world_rank(
        &self,
        state: &State,
        set: &ProcessSet,
        communicator: &Communicator,
        rank: &Linear,
    ) -> Result<Linear, Need> {
        let partners = communicator.group.other_side(&set.ranks, &state.facts);
        let world = partners
            .and_then(|partners| partners.to_world(rank, &state.facts))
            .ok_or_else(|| Need::give_up("a rank in a communicator has no simple form in MPI_COMM_WORLD"))?;
        self.out_of_guise(state, &set.ranks, world)
    }

    /// What a receive or probe accepts.
    pub(crate) fn filter(
        &mut self,
        set: &ProcessSet,
        call: &Call<'_>,
        tag: Option<usize>,
    ) -> Result<Filter, Need> {
        let communicator = self.communicator(call)?;
        let tag = match call.at(tag) {
            Some(Value::Name(name)) if &**name == "MPI_ANY_TAG" => None,
            other => Some(other.cloned().unwrap_or(Value::Unknown)),
        };
        let site = self.site(set.frame().function, call.span, call.mpi.name);
        Ok(Filter { site, communicator, tag })
    }

    fn incoming(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
    ) -> Result<Side<Reception>, Need> {
        let buffer = call.mpi.buffers().find(|b| b.source.is_some());
        let Some(buffer) = buffer else {
            return Err(Need::give_up("a receive without a source in the call table"));
        };
        let filter = self.filter(set, call, buffer.recv_tag)?;
        let source = match call.partner(buffer.source)? {
            Partner::Nobody => return Ok(Side::Nothing),
            Partner::Anybody => None,
            partner => match self.target(state, set, call, &filter.communicator, &partner, buffer.source)? {
                None => return Ok(Side::Erroneous),
                source => source,
            },
        };
        let incoming = Incoming {
            filter,
            count: call.elements(buffer),
            datatype: call.at(buffer.datatype).cloned().unwrap_or(Value::Unknown),
            buffer: call.at(Some(buffer.param)).cloned().unwrap_or(Value::Unknown),
        };
        Ok(Side::Ready((incoming, source)))
    }

    /// The receive of a message that a matched probe has found.
    fn probed_reception(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
    ) -> Result<Side<Reception>, Need> {
        let place = call.mpi.param_with_role(Role::Message).and_then(|i| call.values.get(i));
        let handle = place.and_then(super::state::address);
        let handle = handle.and_then(|(object, offset)| Some((object, state.facts.constant(offset)?)));
        // The handle is null afterwards.
        let message = handle.and_then(|handle| set.handles.remove(&handle));
        if let Some(location) = place.and_then(super::state::target) {
            let null = Value::Name("MPI_MESSAGE_NULL".into());
            let old = self.scope(state, set).read_sized(&location, HANDLE.unsigned_abs());
            self.scope(state, set).write(&location, Some(HANDLE.unsigned_abs()), null);
            if old.as_name() == Some(NO_MESSAGE) && call.mpi.request_made().is_none() {
                return Ok(Side::Nothing);
            }
        }
        let (Some(Handle::Message(source, tag, communicator)), Some(buffer)) =
            (message, call.mpi.buffers().next())
        else {
            return Err(Need::give_up(format!("the message of `{}` is not known", call.mpi.name)));
        };
        let site = self.site(set.frame().function, call.span, call.mpi.name);
        let incoming = Incoming {
            filter: Filter { site, communicator, tag: Some(tag) },
            count: call.elements(buffer),
            datatype: call.at(buffer.datatype).cloned().unwrap_or(Value::Unknown),
            buffer: call.at(Some(buffer.param)).cloned().unwrap_or(Value::Unknown),
        };
        Ok(Side::Ready((incoming, Some(Target::Rank(source)))))
    }

    /// The status of a receive from `MPI_PROC_NULL`.
    pub(crate) fn clear_status(&mut self, state: &mut State, set: &mut ProcessSet, call: &Call<'_>) {
        let status = call.mpi.param_with_role(Role::Status).and_then(|i| call.values.get(i));
        let Some(status) = status.cloned() else { return };
        let none = |name: &str| Value::Name(name.into());
        let count = (Value::int(0), Value::Name("MPI_BYTE".into()));
        let (source, tag) = (none("MPI_PROC_NULL"), none("MPI_ANY_TAG"));
        self.scope(state, set).deliver_status(&status, &source, &tag, &count);
    }

    fn forget_scalar(&mut self, state: &mut State, set: &mut ProcessSet, target: &Value) {
        if let Some(location) = super::state::target(target) {
            self.scope(state, set).write(&location, Some(4), Value::Unknown);
        }
    }

    /// The value in a send buffer, for one element of a predefined type.
    fn payload(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        buffer: Option<&Value>,
        count: &Value,
        datatype: &Value,
    ) -> Value {
        let (Some((object, offset)), Some(1)) = (buffer.and_then(super::state::address), count.as_constant())
        else {
            return Value::Unknown;
        };
        let location = Location { object, offset: Some(offset.clone()) };
        self.scope(state, set).read_element(&location, datatype)
    }

    pub(crate) fn communicator(&self, call: &Call<'_>) -> Result<Arc<Communicator>, Need> {
        match call.value(Role::Communicator) {
            Some(Value::Comm(communicator)) => Ok(Arc::clone(communicator)),
            Some(Value::Name(name)) => Communicator::predefined(name)
                .map(Arc::new)
                .ok_or_else(|| Need::give_up(format!("communicator {name} is not followed yet"))),
            _ => Err(Need::give_up("the communicator is not known here")),
        }
    }

    /// The part of a collective call that does not depend on what it computes.
    pub(crate) fn collective_call(
        &mut self,
        state: &State,
        set: &ProcessSet,
        call: &Call<'_>,
    ) -> Result<CollectiveCall, Need> {
        let communicator = self.communicator(call)?;
        self.collective_call_on(state, set, call, communicator)
    }

    /// The same for a given communicator.
    pub(crate) fn collective_call_on(
        &mut self,
        state: &State,
        set: &ProcessSet,
        call: &Call<'_>,
        communicator: Arc<Communicator>,
    ) -> Result<CollectiveCall, Need> {
        communicator.group.know_place(&set.ranks, &state.facts)?;
        let root = match call.value(Role::Root) {
            None => None,
            Some(root) if matches!(communicator.group, Group::Sides(..)) => {
                self.root_between(state, set, &communicator.group, root)?
            }
            Some(Value::Int(root)) => Some(root.clone()),
            Some(_) => return Err(Need::give_up(format!("the root of `{}` is not known", call.mpi.name))),
        };
        Ok(CollectiveCall {
            site: self.site(set.frame().function, call.span, call.mpi.name),
            operation: call.mpi.name.into(),
            communicator,
            root,
            result: Value::int(0),
            count: Value::Unknown,
            datatype: Value::Unknown,
            given: None,
            contribution: None,
            terms: Box::default(),
            creates: None,
            cargo: Cargo::default(),
        })
    }

    fn collective(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        operation: CollectiveOp,
        completion: Completion,
    ) -> Result<Progress, Need> {
        self.stands_alone(state, set, call, operation)?;
        let ticket = self.new_ticket(state, set, call, completion)?;
        if self.communicator(call).is_ok_and(|c| c.is_own()) {
            if !matches!(completion, Completion::Blocking | Completion::Nonblocking) {
                return Err(Need::give_up(format!("`{}` of one process is not followed yet", call.mpi.name)));
            }
            self.collective_alone(state, set, call, operation)?;
            return self.begin(state, set, call, completion, Handle::Nothing, ticket);
        }
        let mut entered = self.collective_call(state, set, call)?;
        let output = call.mpi.buffers().find(|b| b.direction.writes());
        entered.result = output.and_then(|b| call.at(Some(b.param))).cloned().unwrap_or(Value::int(0));
        entered.count = output.and_then(|b| call.at(b.count)).cloned().unwrap_or(Value::Unknown);
        entered.datatype = output.and_then(|b| call.at(b.datatype)).cloned().unwrap_or(Value::Unknown);
        entered.cargo = self.load(state, set, call);
        // What a persistent operation works on is there when it is started.
        if completion != Completion::Persistent {
            entered.given = self.given(state, set, call, operation);
            entered.contribution = self.contribution(state, set, call, operation);
        }
        let mut terms = Terms::of(call, operation);
        self.add_blocks(state, set, call, &mut terms);
        if completion == Completion::Persistent {
            terms.turn = set.known.lives.prepared_on(&entered.communicator.name);
        }
        entered.terms = Box::new(terms);
        if operation != CollectiveOp::Bcast {
            // Whatever the operation computes, buffers that it writes are not known afterwards; what all ranks have alike is
            // stored when it completes.
            self.forget_outputs(state, set, call);
        }
        self.begin(state, set, call, completion, Handle::Collective(entered), ticket)
    }

    /// Notes a collective call on a communicator in which each process is alone: nobody waits for anybody.
    pub(crate) fn gather_alone(
        &mut self,
        state: &mut State,
        set: &ProcessSet,
        call: &Call<'_>,
    ) -> Result<(), Need> {
        let call = self.collective_call(state, set, call)?;
        let entered = Entered { members: set.ranks.clone(), call, ticket: Ticket::Call };
        let sites = [entered.call.site];
        let completed =
            completed(std::slice::from_ref(&entered), &sites, entered.call.root.as_ref(), &state.facts);
        self.clients.completed(&mut state.clients, &completed);
        Ok(())
    }

    /// What a process contributes to a reduction of one element that all get.
    fn given(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        operation: CollectiveOp,
    ) -> Option<(Arc<str>, i64)> {
        if operation != CollectiveOp::Allreduce {
            return None;
        }
        let name = call.value(Role::Op)?.as_name()?;
        let mut buffers = call.mpi.buffers();
        let (sent, received) = (buffers.next()?, buffers.next()?);
        let in_place = call.at(Some(sent.param)).and_then(Value::as_name) == Some("MPI_IN_PLACE");
        let buffer = if in_place { received } else { sent };
        let count = call.at(buffer.count)?.clone();
        let datatype = call.at(buffer.datatype)?.clone();
        let value = self.payload(state, set, call.at(Some(buffer.param)), &count, &datatype);
        Some((name.into(), state.facts.constant(value.as_int()?)?))
    }

    /// Makes a communicator that all processes of the old one must ask for together.
    fn make_communicator(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        how: CommConstructor,
    ) -> Result<Progress, Need> {
        let completion = match how {
            CommConstructor::Idup | CommConstructor::IdupWithInfo => Completion::Nonblocking,
            _ => Completion::Blocking,
        };
        let ticket = self.new_ticket(state, set, call, completion)?;
        if how == CommConstructor::Dup && self.communicator(call).is_ok_and(|c| c.is_own()) {
            return self.duplicate_own(state, set, call);
        }
        if how == CommConstructor::DistGraphCreateAdjacent && self.names_nobody(state, set, call)? {
            return Ok(Progress::Erroneous);
        }
        let entered = self.creation(state, set, call, how)?;
        self.forget_outputs(state, set, call);
        self.begin(state, set, call, completion, Handle::Collective(entered), ticket)
    }
}

/// A call with its evaluated arguments.
pub(crate) struct Call<'a> {
    pub(crate) mpi: &'static Function,
    pub(crate) args: &'a [Expr],
    pub(crate) values: &'a [Value],
    pub(crate) span: Span,
}

impl Call<'_> {
    pub(crate) fn at(&self, index: Option<usize>) -> Option<&Value> {
        self.values.get(index?)
    }

    pub(crate) fn value(&self, role: Role) -> Option<&Value> {
        self.at(self.mpi.param_with(role, Direction::In).or_else(|| match self.mpi.scope {
            CallScope::Over(index) if role == Role::Communicator => Some(index),
            _ => None,
        }))
    }

    /// How many elements a message has: the sum over its partitions, of which both sides may have different numbers (MPI-4.1
    /// section 4.2).
    fn elements(&self, buffer: &Buffer) -> Value {
        let count = self.at(buffer.count).cloned().unwrap_or(Value::Unknown);
        let Some(partitions) = self.at(buffer.partitions) else { return count };
        let product = || count.as_int()?.times(partitions.as_int()?);
        product().map_or(Value::Unknown, Value::Int)
    }

    pub(crate) fn partner(&self, index: Option<usize>) -> Result<Partner, Need> {
        let text = || index.and_then(|i| self.args.get(i)).map_or("partner", |_| "partner");
        match self.at(index) {
            Some(Value::Int(rank)) => Ok(Partner::Rank(rank.clone())),
            Some(Value::Mixed(rank)) => Ok(Partner::Mixed(Arc::clone(rank))),
            Some(Value::Name(name)) if &**name == "MPI_PROC_NULL" => Ok(Partner::Nobody),
            Some(Value::Name(name)) if &**name == "MPI_ANY_SOURCE" => Ok(Partner::Anybody),
            _ => Err(Need::give_up(format!("the {} of `{}` is not known", text(), self.mpi.name))),
        }
    }
}

/// Size in bytes of what a parameter points to, when that is one integer or handle.
fn scalar_size(param: &frontend::mpi::Param) -> Option<u64> {
    if param.is_array() {
        return None;
    }
    match param.ctype.trim_end_matches('*').trim_end() {
        "int" => Some(4),
        "MPI_Status" | "void" | "char" => None,
        handle if handle.starts_with("MPI_") => Some(8),
        _ => None,
    }
}

/// Size in bytes of one element of a predefined datatype.
pub(crate) fn type_size(datatype: &Value) -> Option<u64> {
    frontend::mpi::constant(datatype.as_name()?)?.datatype().map(|d| d.size)
}

/// Whether a buffer is told by the addresses in its datatype, or in a list of displacements.
fn is_bottom(buffer: &Value) -> bool {
    let constant = buffer.as_name().and_then(frontend::mpi::constant);
    constant.is_some_and(|constant| constant.kind == ConstantKind::Other(Plain::Bottom))
}

/// Whether a call changes the object behind a handle, but not the handle.
fn stays_as_it_is(mpi: &Function, param: &Param) -> bool {
    let changed = param.direction == Direction::InOut && param.role != Role::Request;
    changed && param.role.object().is_some() && mpi.destroyed().is_none()
}

/// The null handle of the objects of a kind.
pub(crate) fn null_name(kind: Object) -> Option<&'static str> {
    Some(match kind {
        Object::Communicator => "MPI_COMM_NULL",
        Object::Group => "MPI_GROUP_NULL",
        Object::Datatype => "MPI_DATATYPE_NULL",
        Object::Request => "MPI_REQUEST_NULL",
        Object::Op => "MPI_OP_NULL",
        Object::Errhandler => "MPI_ERRHANDLER_NULL",
        Object::File => "MPI_FILE_NULL",
        Object::Info => "MPI_INFO_NULL",
        Object::Window => "MPI_WIN_NULL",
        Object::Message => "MPI_MESSAGE_NULL",
        Object::Session => "MPI_SESSION_NULL",
        Object::Status | Object::Keyval => return None,
    })
}
