//! Calls of MPI.

use frontend::ir::Expr;
use frontend::mpi::{
    Class, CommConstructor, Completion as Way, Direction, Object as HandleOf, Query, RmaSync, Role, SendMode,
    Which, constant,
};
use model::Kind;

use crate::assumption::Assumption;
use crate::error::Result;
use crate::event::{CallSite, Completion, Envelope, What};
use crate::extract::{Extractor, Frame, Named};
use crate::form::Form;
use crate::memory::{Place, Value};
use crate::parameters;
use crate::partitioned::count_of;
use crate::parts::is_part;
use crate::state::{Probed, State};

/// What a call leaves, and its result. `None` where it does not return.
pub(crate) type After = Option<(State, Value)>;

pub(crate) fn success(state: State) -> After {
    Some((state, Value::Number(Form::number(0))))
}

impl Extractor<'_> {
    /// Follows a call of MPI.
    pub(crate) fn mpi_call(
        &mut self,
        frame: &Frame,
        mut state: State,
        site: &CallSite,
        args: &[Expr],
    ) -> Result<After> {
        let function = site.mpi;
        let span = site.span;
        // Handlers of errors are called where something is wrong.
        if !matches!(function.class, Class::ErrhandlerConstructor { .. }) {
            self.check_callbacks(frame, span, args)?;
        }
        // Messages and collective operations have their buffers looked at, others not.
        let is_exchange = matches!(
            function.class,
            Class::Send { .. } | Class::Receive { .. } | Class::SendReceive { .. } | Class::Collective { .. }
        );
        self.has_other_buffers |= !is_exchange && function.buffers().next().is_some();
        let argument = |role: Role| function.param_with_role(role).and_then(|at| args.get(at));
        let not_followed = format!("`{}` is not followed", function.name);
        match function.class {
            Class::Abort => {
                let of = match argument(Role::Communicator) {
                    Some(of) => self.handle(frame, &mut state, of)?,
                    None => Value::Open,
                };
                let is_of_job = match of {
                    Value::Communicator { number, .. } => {
                        self.part.is_none() && self.of_number(number).has_all
                    }
                    Value::World => true,
                    _ => false,
                };
                self.end_of_all(frame, &state, span, is_of_job)?;
                return Ok(None);
            }
            Class::Send { mode, completion } => {
                let kind = Kind::Send { is_synchronous: mode == SendMode::Synchronous };
                let ends = (argument(Role::Dest), argument(Role::SendTag));
                self.message(frame, &mut state, (site, args), kind, completion, ends)?;
            }
            Class::Receive { completion, matched: false } => {
                let ends = (argument(Role::Source), argument(Role::RecvTag));
                let envelope =
                    self.message(frame, &mut state, (site, args), Kind::Receive, completion, ends)?;
                let status = self.status(frame, &mut state, site, args)?;
                // Each start of a persistent operation writes the buffer once more.
                if matches!(completion, Way::Persistent | Way::Partitioned)
                    && let Some(argument) = argument(Role::RecvBuffer)
                    && let Value::Address(place) = self.evaluate(frame, &mut state, argument)?
                {
                    self.shared.insert(place.object);
                }
                self.forget_outputs(frame, &mut state, site, args)?;
                self.set_status(&mut state, status.as_ref(), &envelope, false)?;
            }
            Class::SendReceive { completion: Way::Blocking, .. } => {
                let to = (argument(Role::Dest), argument(Role::SendTag));
                let from = (argument(Role::Source), argument(Role::RecvTag));
                let to = self.envelope(frame, &mut state, to, args, site)?;
                let from = self.envelope(frame, &mut state, from, args, site)?;
                if to.answers.is_some() || from.answers.is_some() {
                    let reason = "whom a message came from is followed only where it is answered at once";
                    self.unless_trying(frame, site, reason, ())?;
                }
                let [receive, send, end] = std::array::from_fn(|_| self.position());
                let completion = Completion::At(end);
                let mut carried = |direction| self.carried(frame, &mut state, (site, args), direction);
                let (sent, received) = (carried(Direction::In)?, carried(Direction::Out)?);
                let kind = Kind::Receive;
                let completed = completion.clone();
                let envelope = from.clone();
                let what = What::Message { envelope, kind, completion: completed, carried: received };
                self.record(frame, &mut state, site, receive, what)?;
                let kind = Kind::Send { is_synchronous: false };
                let what = What::Message { envelope: to, kind, completion, carried: sent };
                self.record(frame, &mut state, site, send, what)?;
                let status = self.status(frame, &mut state, site, args)?;
                self.forget_outputs(frame, &mut state, site, args)?;
                self.set_status(&mut state, status.as_ref(), &from, false)?;
            }
            Class::Receive { completion: Way::Blocking | Way::Nonblocking, matched: true } => {
                self.matched_receive(frame, &mut state, (site, args))?;
            }
            Class::Probe { blocking, matched } => {
                self.probe(frame, &mut state, (site, args), (blocking, matched))?;
            }
            Class::Wait(which) => self.wait(frame, &mut state, (site, args), which)?,
            Class::Test(which) => self.test(frame, &mut state, (site, args), which)?,
            Class::Start(which) => {
                let position = self.position();
                if let Some((first, count)) = self.requests(frame, &mut state, (site, args), which)? {
                    self.record(frame, &mut state, site, position, What::Start { first, count })?;
                }
            }
            Class::PartitionReady(set) => self.partition_ready(frame, &mut state, (site, args), set)?,
            Class::WinConstructor(_) | Class::FileOpen => {
                let is_file = matches!(function.class, Class::FileOpen);
                self.assume(if is_file { Assumption::Files } else { Assumption::OneSided });
                let Some((made, _)) = function.created() else {
                    return self.give_up(frame, span, not_followed);
                };
                let communicator = self.all_call(frame, &mut state, site, args)?;
                // Others read and write the memory of a window at any time.
                for (param, argument) in function.params.iter().zip(args) {
                    if matches!(param.role, Role::WindowMemory | Role::AllocatedMemory)
                        && let Value::Address(place) = self.evaluate(frame, &mut state, argument)?
                    {
                        self.shared.insert(place.object);
                    }
                }
                self.set(
                    frame,
                    &mut state,
                    args.get(made),
                    Value::Communicator { number: communicator, colour: None, grid: None },
                )?;
            }
            Class::WinDestructor | Class::FileClose | Class::RmaSync(RmaSync::Fence) => {
                self.all_call(frame, &mut state, site, args)?;
            }
            Class::FileData { .. } | Class::FileManage(_) => {
                self.assume(Assumption::Files);
                if function.is_collective() {
                    self.all_call(frame, &mut state, site, args)?;
                }
                self.forget_outputs(frame, &mut state, site, args)?;
            }
            Class::Rma { .. }
            | Class::WinMemory { .. }
            | Class::RmaSync(
                RmaSync::Lock
                | RmaSync::LockAll
                | RmaSync::Unlock
                | RmaSync::UnlockAll
                | RmaSync::Flush
                | RmaSync::FlushAll
                | RmaSync::FlushLocal
                | RmaSync::FlushLocalAll
                | RmaSync::Sync,
            ) => {
                self.forget_outputs(frame, &mut state, site, args)?;
            }
            Class::Collective {
                operation,
                completion: completion @ (Way::Blocking | Way::Nonblocking),
                neighbor: false,
            } => {
                self.collective(frame, &mut state, site, args, (operation, completion))?;
            }
            Class::CommConstructor(constructor) => {
                let Some((made, HandleOf::Communicator)) = function.created() else {
                    return self.give_up(frame, span, not_followed);
                };
                // Only the members of the group call it.
                if constructor == CommConstructor::CreateGroup {
                    let parent = self.communicator(frame, &mut state, site, args)?.unwrap_or(0);
                    let position = self.position();
                    let made_of =
                        self.communicator_of_group(frame, &mut state, parent, (site, args), false)?;
                    let Some(value @ Value::Communicator { number, .. }) = made_of else {
                        let reason = "it is not known which processes this communicator has";
                        self.unless_trying(frame, site, reason, ())?;
                        self.set(frame, &mut state, args.get(made), Value::Open)?;
                        return Ok(success(state));
                    };
                    let what = What::together(number);
                    self.record(frame, &mut state, site, position, what)?;
                    self.set(frame, &mut state, args.get(made), value)?;
                    return Ok(success(state));
                }
                let communicator = self.all_call(frame, &mut state, site, args)?;
                let is_open = self.parts_are_open && is_part(constructor);
                let value = match constructor {
                    // Whether it is a group is asked for all the same.
                    _ if is_open && constructor != CommConstructor::Create => Value::Open,
                    CommConstructor::Create => {
                        let of = (site, args);
                        let made = self.communicator_of_group(frame, &mut state, communicator, of, true)?;
                        made.unwrap_or(Value::Open)
                    }
                    CommConstructor::Dup | CommConstructor::DupWithInfo => {
                        let number = self.duplicated(communicator, site);
                        let grid = match argument(Role::Communicator) {
                            Some(argument) => match self.handle(frame, &mut state, argument)? {
                                Value::Communicator { grid, .. } => grid,
                                _ => None,
                            },
                            None => None,
                        };
                        Value::Communicator { number, colour: None, grid }
                    }
                    CommConstructor::Split => {
                        let mut number = |role: Role| match argument(role) {
                            Some(argument) => self.evaluate(frame, &mut state, argument),
                            None => Ok(Value::Open),
                        };
                        let (colour, key) = (number(Role::Color)?, number(Role::SortKey)?);
                        self.split(&state, communicator, (&colour, &key), site)?.unwrap_or(Value::Open)
                    }
                    CommConstructor::CartCreate => {
                        let made = self.grid(frame, &mut state, communicator, (site, args))?;
                        made.unwrap_or(Value::Open)
                    }
                    CommConstructor::CartSub => {
                        let of = match args.first() {
                            Some(argument) => self.handle(frame, &mut state, argument)?,
                            None => Value::Open,
                        };
                        match of {
                            Value::Communicator { number, grid: Some(grid), .. } => {
                                let of = (number, &*grid);
                                let made = self.part_of_grid(frame, &mut state, of, (site, args))?;
                                made.unwrap_or(Value::Open)
                            }
                            _ => Value::Open,
                        }
                    }
                    _ => Value::Open,
                };
                self.note_creation(frame, &mut state, (site, args), (communicator, &value))?;
                self.set(frame, &mut state, args.get(made), if is_open { Value::Open } else { value })?;
            }
            Class::Query(
                query @ (Query::DimsCreate
                | Query::CartCoords
                | Query::CartRank
                | Query::CartShift
                | Query::CartGet
                | Query::CartdimGet),
            ) => self.grid_query(frame, &mut state, (site, args), query)?,
            Class::Query(query) => {
                let value = match query {
                    Query::CommSize if let Some(size) = self.size_of_grid(frame, &mut state, args)? => {
                        Value::Number(size)
                    }
                    Query::CommRank | Query::CommSize
                        if let Some(value) = self.rank_unknown_to_part(frame, &mut state, args, query)? =>
                    {
                        value
                    }
                    Query::CommRank | Query::CommSize => {
                        match self.communicator(frame, &mut state, site, args)? {
                            Some(number) => {
                                let is_size = query == Query::CommSize;
                                Value::Number(self.in_communicator(&mut state, number, is_size)?)
                            }
                            None => Value::Open,
                        }
                    }
                    Query::GroupRank | Query::GroupSize => {
                        let number = self.in_group(frame, &mut state, args, query)?;
                        number.map_or(Value::Open, Value::Number)
                    }
                    Query::Wtime | Query::Wtick => return Ok(Some((state, Value::Open))),
                    Query::Initialized | Query::Finalized => Value::Same(0),
                    _ => {
                        self.forget_outputs(frame, &mut state, site, args)?;
                        return Ok(success(state));
                    }
                };
                let out = function.params.iter().position(|param| param.direction.writes());
                self.set(frame, &mut state, out.and_then(|out| args.get(out)), value)?;
            }
            Class::Init { threaded } => {
                // The arguments of the program stay what they are.
                if threaded {
                    self.set(frame, &mut state, args.last(), Value::Same(0))?;
                }
            }
            Class::TypeConstructor(constructor) => {
                let bytes = self.datatype_bytes(frame, &mut state, args, constructor)?;
                self.forget_outputs(frame, &mut state, site, args)?;
                if let (Some(bytes), Some((made, _))) = (bytes, function.created()) {
                    self.set(frame, &mut state, args.get(made), Value::Datatype(bytes))?;
                }
            }
            Class::GroupConstructor(constructor) => {
                let made = self.new_group(frame, &mut state, args, constructor)?;
                self.forget_outputs(frame, &mut state, site, args)?;
                self.set(frame, &mut state, args.last(), made.unwrap_or(Value::Open))?;
            }
            Class::TypeCommit => {}
            Class::Finalize
            | Class::TypeDestructor
            | Class::Pack { .. }
            | Class::Address(_)
            | Class::OpConstructor
            | Class::OpDestructor
            | Class::InfoConstructor(_)
            | Class::InfoDestructor
            | Class::InfoEdit { .. }
            | Class::ErrhandlerConstructor { .. }
            | Class::ErrhandlerDestructor
            | Class::ErrhandlerSet(_)
            | Class::Name { .. }
            | Class::ProfilingControl
            | Class::ReduceLocal
            | Class::SendBuffer(_)
            | Class::GroupDestructor
            | Class::RequestFree => {
                self.forget_outputs(frame, &mut state, site, args)?;
            }
            Class::CommDestructor { disconnect: false } => {
                self.forget_outputs(frame, &mut state, site, args)?;
                self.set(frame, &mut state, args.first(), Value::NoCommunicator)?;
            }
            Class::Memory { alloc } => {
                if alloc {
                    let value = self.allocated(&mut state, span);
                    self.set(frame, &mut state, args.last(), value)?;
                }
            }
            _ => return self.give_up(frame, span, not_followed),
        }
        Ok(success(state))
    }

    /// The communicator of a call.
    pub(crate) fn communicator(
        &mut self,
        frame: &Frame,
        state: &mut State,
        site: &CallSite,
        args: &[Expr],
    ) -> Result<Option<usize>> {
        let roles = [Role::Communicator, Role::Window, Role::File];
        let at = roles
            .into_iter()
            .find_map(|role| site.mpi.param_with(role, Direction::In))
            .or_else(|| roles.into_iter().find_map(|role| site.mpi.param_with_role(role)));
        let at = at.and_then(|at| args.get(at));
        if let Some(argument) = at {
            match self.handle(frame, state, argument)? {
                Value::Communicator { number, .. } => return Ok(Some(number)),
                Value::World | Value::NoCommunicator if self.part.is_some() => {
                    return self.give_up(frame, site.span, "other processes take part in this call");
                }
                _ => {}
            }
        }
        self.unless_trying(frame, site, "it is not known which processes this communicator has", None)
    }

    /// A handle, given as such or by its address.
    pub(crate) fn handle(&mut self, frame: &Frame, state: &mut State, argument: &Expr) -> Result<Value> {
        let value = self.evaluate(frame, state, argument)?;
        Ok(match &value {
            Value::Address(place) => {
                let known = place.cell().and_then(|cell| state.memory.read(&cell).cloned());
                known.unwrap_or(Value::Open)
            }
            _ => value,
        })
    }

    /// A call that all processes of a communicator make together.
    fn all_call(
        &mut self,
        frame: &Frame,
        state: &mut State,
        site: &CallSite,
        args: &[Expr],
    ) -> Result<usize> {
        let communicator = self.communicator(frame, state, site, args)?.unwrap_or(0);
        let position = self.position();
        let what = What::together(communicator);
        self.record(frame, state, site, position, what)?;
        Ok(communicator)
    }

    /// Gives up, unless a loop is only tried: then this may be known once it is known which rounds there are.
    pub(crate) fn unless_trying<T>(
        &self,
        frame: &Frame,
        site: &CallSite,
        reason: impl Into<String>,
        instead: T,
    ) -> Result<T> {
        if self.is_recording { self.give_up(frame, site.span, reason) } else { Ok(instead) }
    }

    /// An argument that says with whom, or how, a process communicates. `None` where a loop is only tried and it is not known yet.
    pub(crate) fn number(
        &mut self,
        frame: &Frame,
        state: &mut State,
        (site, argument): (&CallSite, Option<&Expr>),
        what: &str,
    ) -> Result<Option<Form>> {
        if let Some(argument) = argument {
            let value = match self.evaluate(frame, state, argument)? {
                value @ Value::Same(_) => {
                    let named = self.written_as(frame.function, argument);
                    let named = Named::Expression(named.unwrap_or_else(input));
                    self.parameter(argument.span, parameters::Kind::Passed, named, &[&value])
                }
                // Who it is from is known when it is received.
                Value::Probed(any) if state.probed != Probed::Nothing => {
                    Some(Value::Number(Form::number(any)))
                }
                value => Some(value),
            };
            if let Some(Value::Number(form)) = value {
                return Ok(Some(form));
            }
        }
        self.unless_trying(frame, site, format!("{what} has no form that is followed"), None)
    }

    pub(crate) fn envelope(
        &mut self,
        frame: &Frame,
        state: &mut State,
        (partner, tag): (Option<&Expr>, Option<&Expr>),
        args: &[Expr],
        site: &CallSite,
    ) -> Result<Envelope> {
        let communicator = self.communicator(frame, state, site, args)?.unwrap_or(0);
        let answers = match partner.map(|partner| self.evaluate(frame, state, partner)).transpose()? {
            Some(Value::Sender(event)) if self.can_answer(event, communicator) => Some(event),
            _ => None,
        };
        let partner = match answers {
            Some(_) => None,
            None => self.number(frame, state, (site, partner), "the other side of this message")?,
        };
        let tag = self.number(frame, state, (site, tag), "the tag of this message")?;
        let (partner, tag) = (partner.unwrap_or_default(), tag.unwrap_or_default());
        Ok(Envelope { partner, tag, communicator, answers })
    }

    /// Whether a message goes to whoever has sent what was received in the same round, on the same communicator. It is not known while a loop
    /// is tried.
    fn can_answer(&self, event: usize, communicator: usize) -> bool {
        !self.is_recording
            || self.events.get(event).is_some_and(|event| {
                let is_there = matches!(&event.what, What::Message { envelope, kind: Kind::Receive, .. } if envelope.communicator == communicator);
                is_there && event.instance == self.kept() && event.options.is_empty()
            })
    }

    pub(crate) fn completion(
        &mut self,
        frame: &Frame,
        state: &mut State,
        way: Way,
        site: &CallSite,
        args: &[Expr],
    ) -> Result<Completion> {
        match way {
            Way::Blocking => Ok(Completion::Here),
            Way::Nonblocking | Way::Persistent | Way::Partitioned => {
                let at = site.mpi.param_with_role(Role::Request).and_then(|at| args.get(at));
                if let Some(argument) = at
                    && let Value::Address(place) = self.evaluate(frame, state, argument)?
                {
                    return Ok(Completion::Request(place));
                }
                let reason = "it is not known where the request of this call is";
                self.unless_trying(frame, site, reason, Completion::Here)
            }
        }
    }

    /// A send or a receive.
    fn message(
        &mut self,
        frame: &Frame,
        state: &mut State,
        (site, args): (&CallSite, &[Expr]),
        kind: Kind,
        way: Way,
        ends: (Option<&Expr>, Option<&Expr>),
    ) -> Result<Envelope> {
        let mut envelope = self.envelope(frame, state, ends, args, site)?;
        let is_started = matches!(way, Way::Persistent | Way::Partitioned);
        if envelope.answers.is_some() && (kind == Kind::Receive || is_started) {
            let reason = "whom a message came from is followed only where it is answered at once";
            self.unless_trying(frame, site, reason, ())?;
        }
        let ends = envelope.clone();
        let position = self.position();
        let completion = self.completion(frame, state, way, site, args)?;
        let direction = if kind == Kind::Receive { Direction::Out } else { Direction::In };
        let mut carried = self.carried(frame, state, (site, args), direction)?;
        let mut partitions = None;
        if way == Way::Partitioned {
            let count = site.mpi.param_with_role(Role::PartitionCount).and_then(|at| args.get(at));
            let count = match count {
                Some(count) => count_of(&self.evaluate(frame, state, count)?),
                None => None,
            };
            if count.is_none() {
                self.unless_trying(frame, site, "it is not known how many partitions there are", ())?;
            }
            partitions = count;
            let in_all = |one: Option<Form>| one.zip(count).and_then(|(one, count)| one.times(count));
            carried.count = in_all(carried.count);
            carried.length = in_all(carried.length);
            envelope.communicator = self.of_partitioned(envelope.communicator);
        }
        let what = match (is_started, completion) {
            (true, Completion::Request(request)) => {
                What::Template { envelope, kind, request, carried, partitions }
            }
            (_, completion) => What::Message { envelope, kind, completion, carried },
        };
        self.record(frame, state, site, position, what)?;
        Ok(ends)
    }

    /// The requests of a call: the first one, and how many there are where it is not one.
    pub(crate) fn requests(
        &mut self,
        frame: &Frame,
        state: &mut State,
        (site, args): (&CallSite, &[Expr]),
        which: Which,
    ) -> Result<Option<(Place, Option<Form>)>> {
        match self.requests_if_known(frame, state, (site, args), which)? {
            None => self.unless_trying(frame, site, "it is not known which requests these are", None),
            known => Ok(known),
        }
    }

    /// The same, if it is known.
    pub(crate) fn requests_if_known(
        &mut self,
        frame: &Frame,
        state: &mut State,
        (site, args): (&CallSite, &[Expr]),
        which: Which,
    ) -> Result<Option<(Place, Option<Form>)>> {
        let argument = |role: Role| site.mpi.param_with_role(role).and_then(|at| args.get(at));
        let count = match (which, argument(Role::ArrayLength).or_else(|| argument(Role::Count))) {
            (Which::All | Which::Any | Which::Some, Some(count)) => {
                match self.evaluate(frame, state, count)? {
                    Value::Number(form) => Some(form),
                    _ => return Ok(None),
                }
            }
            _ => None,
        };
        let first = match argument(Role::Request) {
            Some(request) => self.evaluate(frame, state, request)?,
            None => Value::Open,
        };
        Ok(match first {
            Value::Address(first) => Some((first, count)),
            _ => None,
        })
    }

    /// Writes through an argument that is a pointer.
    pub(crate) fn set(
        &mut self,
        frame: &Frame,
        state: &mut State,
        argument: Option<&Expr>,
        value: Value,
    ) -> Result<()> {
        let Some(argument) = argument else { return Ok(()) };
        match self.evaluate(frame, state, argument)? {
            Value::Address(place) => self.write(state, &place, value),
            Value::Number(form) if form.as_number() == Some(0) => {}
            _ => self.forget_exposed(state),
        }
        Ok(())
    }

    /// Nothing is known any more of what a call writes, but for requests.
    pub(crate) fn forget_outputs(
        &mut self,
        frame: &Frame,
        state: &mut State,
        site: &CallSite,
        args: &[Expr],
    ) -> Result<()> {
        for (param, argument) in site.mpi.params.iter().zip(args) {
            if param.direction.writes() && param.role != Role::Request {
                self.forget_pointed(frame, state, argument)?;
            }
        }
        Ok(())
    }

    pub(crate) fn forget_pointed(&mut self, frame: &Frame, state: &mut State, argument: &Expr) -> Result<()> {
        match self.evaluate(frame, state, argument)? {
            Value::Address(place) => {
                if place.steps.is_empty() {
                    self.write(state, &place, Value::Open);
                } else {
                    self.forget(state, place.object);
                }
            }
            Value::Open => self.forget_exposed(state),
            _ => {}
        }
        Ok(())
    }
}

/// What has no other name.
pub(crate) fn input() -> String {
    "input".to_owned()
}

/// The bytes of a datatype of MPI's own.
pub(crate) fn bytes(datatype: &str) -> Option<u64> {
    Some(constant(datatype)?.datatype()?.size)
}

pub(crate) fn is_integer(datatype: &str) -> bool {
    constant(datatype).and_then(|constant| constant.datatype()).is_some_and(|datatype| {
        datatype.signature.len() == 1
            && !matches!(datatype.signature[0], "float" | "double" | "long double" | "char")
            && matches!(datatype.size, 2 | 4 | 8)
    })
}
