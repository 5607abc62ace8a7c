//! Calls of MPI and of libraries.

use frontend::ir::{Expr, Span};
use frontend::library::{Effect, effect};
use frontend::lower::is_library_function;
use frontend::mpi::{
    Class, CollectiveOp, CommConstructor, Completion as Way, Direction, Object as HandleOf, Query, RmaSync,
    Role, SendMode, Which, constant,
};
use model::Kind;

use crate::arrays::array_of;
use crate::assumption::Assumption;
use crate::error::Result;
use crate::event::{CallSite, Completion, Envelope, What};
use crate::extract::{Extractor, Frame, Named};
use crate::form::{Bound, Form, atoms};
use crate::memory::{Place, Value};
use crate::partitioned::count_of;
use crate::region::Condition;
use crate::state::{Probed, State};

/// Elements of a buffer whose values are followed one by one, at most.
const ELEMENTS: i64 = 16;

/// What a call leaves, and its result. `None` where it does not return.
type After = Option<(State, Value)>;

fn success(state: State) -> After {
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
        let argument = |role: Role| function.param_with_role(role).and_then(|at| args.get(at));
        let not_followed = format!("`{}` is not followed", function.name);
        match function.class {
            Class::Abort => {
                self.end_of_all(frame, &state, span)?;
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
                let communicator = self.all_call(frame, &mut state, site, args)?;
                let value = match constructor {
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
                self.set(frame, &mut state, args.get(made), value)?;
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
                    Query::CommRank | Query::CommSize => {
                        match self.communicator(frame, &mut state, site, args)? {
                            Some(number) => {
                                let is_size = query == Query::CommSize;
                                Value::Number(self.in_communicator(&mut state, number, is_size)?)
                            }
                            None => Value::Open,
                        }
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
            | Class::GroupConstructor(_)
            | Class::GroupDestructor
            | Class::RequestFree
            | Class::CommDestructor { disconnect: false } => {
                self.forget_outputs(frame, &mut state, site, args)?;
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
    fn communicator(
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
        if let Some(argument) = at
            && let Value::Communicator { number, .. } = self.handle(frame, state, argument)?
        {
            return Ok(Some(number));
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
        let what =
            What::Collective { communicator, root: None, synchronizes: false, completion: Completion::Here };
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
    fn number(
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
                    self.parameter(argument.span, 3, named, &[&value])
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

    fn completion(
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
            carried.count = carried.count.zip(count).and_then(|(one, count)| one.times(count));
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
    fn set(&mut self, frame: &Frame, state: &mut State, argument: Option<&Expr>, value: Value) -> Result<()> {
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

    /// What is known after a call that is left out: nothing of what it writes, now or later.
    pub(crate) fn after_left_out(
        &mut self,
        frame: &Frame,
        mut state: State,
        site: &CallSite,
        args: &[Expr],
    ) -> Result<After> {
        for (param, argument) in site.mpi.params.iter().zip(args) {
            if !param.direction.writes() {
                continue;
            }
            // What comes in is written later, and at any time.
            if site.mpi.created().is_none()
                && matches!(param.role, Role::RecvBuffer | Role::InOutBuffer)
                && let Value::Address(place) = self.evaluate(frame, &mut state, argument)?
            {
                self.shared.insert(place.object);
            }
            self.forget_pointed(frame, &mut state, argument)?;
        }
        Ok(success(state))
    }

    fn forget_pointed(&mut self, frame: &Frame, state: &mut State, argument: &Expr) -> Result<()> {
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

    fn collective(
        &mut self,
        frame: &Frame,
        state: &mut State,
        site: &CallSite,
        args: &[Expr],
        (operation, way): (CollectiveOp, Way),
    ) -> Result<()> {
        let communicator = self.communicator(frame, state, site, args)?.unwrap_or(0);
        let root = match site.mpi.param_with_role(Role::Root) {
            Some(at) => self.number(frame, state, (site, args.get(at)), "the root")?,
            None => None,
        };
        let position = self.position();
        let completion = self.completion(frame, state, way, site, args)?;
        let synchronizes = self.synchronizes(frame, state, (site, args), operation)?;
        let what = What::Collective { communicator, root: root.clone(), synchronizes, completion };
        self.record(frame, state, site, position, what)?;
        if way != Way::Blocking {
            return self.forget_outputs(frame, state, site, args);
        }
        let exchanged = match operation {
            CollectiveOp::Alltoall => self.exchanged_elements(frame, state, (site, args), communicator)?,
            _ => None,
        };
        for buffer in site.mpi.buffers() {
            if !buffer.direction.writes() {
                continue;
            }
            let Some(argument) = args.get(buffer.param) else { continue };
            // Another part of a communicator is told something else.
            let is_same = self.of_number(communicator).has_all
                && matches!(operation, CollectiveOp::Bcast | CollectiveOp::Allreduce);
            let part = |at: Option<usize>| at.and_then(|at| args.get(at));
            let count = match part(buffer.count) {
                Some(count) => match self.evaluate(frame, state, count)? {
                    Value::Number(form) => form.as_number(),
                    _ => None,
                },
                None => None,
            };
            let is_integer = part(buffer.datatype).and_then(Expr::constant_name).is_some_and(is_integer);
            let pointer = self.evaluate(frame, state, argument)?;
            // Ranks of another communicator are not those of the text around.
            let names_root = operation == CollectiveOp::Bcast && self.of_number(communicator).is_all;
            let of_part = root.as_ref().filter(|_| operation == CollectiveOp::Bcast && !names_root);
            let root = root.as_ref().filter(|_| names_root);
            match (pointer, count) {
                (Value::Address(place), Some(count))
                    if (is_same || of_part.is_some()) && is_integer && count <= ELEMENTS =>
                {
                    for at in 0..count {
                        let Some(place) = place.moved(&Form::number(at)) else {
                            self.forget(state, place.object);
                            break;
                        };
                        let of_class = match of_part {
                            Some(root) => self.told_in_part(state, &place, root, communicator)?,
                            None => None,
                        };
                        let value = match of_class {
                            Some(value) => value,
                            None if is_same => self.told(state, &place, root, site.span, at)?,
                            None => Value::Open,
                        };
                        self.write(state, &place, value);
                    }
                }
                (Value::Address(place), Some(1)) if is_integer && exchanged.is_some() => {
                    self.forget(state, place.object);
                    let size = part(buffer.datatype).and_then(Expr::constant_name).and_then(bytes);
                    if let (Some(array), Some(value), Some(size)) = (array_of(&place), &exchanged, size)
                        && self.has_elements(&array, size)
                    {
                        state.memory.write(array, value.clone());
                    }
                }
                (Value::Address(place), _) => {
                    let single = place.steps.is_empty() && is_same;
                    self.forget(state, place.object);
                    if single {
                        self.write(state, &place, Value::Same(0));
                    }
                }
                (Value::Open, _) => self.forget_exposed(state),
                _ => {}
            }
        }
        Ok(())
    }

    /// What each has got after a call that gives each one integer from each.
    fn exchanged_elements(
        &mut self,
        frame: &Frame,
        state: &mut State,
        (site, args): (&CallSite, &[Expr]),
        communicator: usize,
    ) -> Result<Option<Value>> {
        let Some(sent) = site.mpi.buffers().find(|buffer| buffer.direction == Direction::In) else {
            return Ok(None);
        };
        let part = |at: Option<usize>| at.and_then(|at| args.get(at));
        let datatype = part(sent.datatype).and_then(Expr::constant_name).filter(|name| is_integer(name));
        let (Some(count), Some(buffer), Some(size)) =
            (part(sent.count), args.get(sent.param), datatype.and_then(bytes))
        else {
            return Ok(None);
        };
        let count = self.evaluate(frame, state, count)?;
        match self.evaluate(frame, state, buffer)? {
            Value::Address(place) if count == Value::Number(Form::number(1)) => match array_of(&place) {
                Some(array) if self.has_elements(&array, size) => self.exchanged(state, &array, communicator),
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// Whether a collective operation ends for nobody before all have begun it: a barrier, or what gives each something from each.
    fn synchronizes(
        &mut self,
        frame: &Frame,
        state: &mut State,
        (site, args): (&CallSite, &[Expr]),
        operation: CollectiveOp,
    ) -> Result<bool> {
        match operation {
            CollectiveOp::Barrier => return Ok(true),
            CollectiveOp::Allreduce | CollectiveOp::Allgather | CollectiveOp::Alltoall => {}
            _ => return Ok(false),
        }
        let sent = site.mpi.buffers().find(|buffer| buffer.direction == Direction::In);
        let counted = sent.and_then(|buffer| buffer.count).or_else(|| site.mpi.param_with_role(Role::Count));
        let datatype = sent.and_then(|buffer| buffer.datatype).and_then(|at| args.get(at));
        let is_something = datatype.and_then(Expr::constant_name).and_then(constant).is_some();
        let Some(count) = counted.filter(|_| is_something).and_then(|at| args.get(at)) else {
            return Ok(false);
        };
        let Value::Number(count) = self.evaluate(frame, state, count)? else { return Ok(false) };
        state.region.implies(Bound::at_most(&Form::number(1), &count), &self.parameters)
    }

    /// What all have after a collective operation that tells all the same number: that of the root, if there is one.
    fn told(
        &mut self,
        state: &mut State,
        place: &Place,
        root: Option<&Form>,
        span: Span,
        at: i64,
    ) -> Result<Value> {
        if let Some(root) = root
            && !self.shared.contains(&place.object)
            && let Some(cell) = place.cell()
            && let Some(value @ Value::Number(form)) = state.memory.read(&cell)
        {
            let rank = self.rank();
            let is_root = Condition::is(Bound::equal(&rank, root));
            let (value, form) = (value.clone(), form.clone());
            let of_root = State { region: state.region.meet(&is_root, &self.parameters)?, ..state.clone() };
            // The root may make another call.
            let here = state.region.set.parameter_domain()?;
            let is_here = here.is_subset(&of_root.region.set.parameter_domain()?)?;
            if is_here && self.is_same(&value) {
                return Ok(value);
            }
            if is_here && let Some(number) = self.constant_of(&of_root, &form)? {
                return Ok(Value::Number(Form::number(number)));
            }
            // What it is for the root, as a number that all have.
            let parts = self.parts(&form).filter(|_| state.doubts.is_empty());
            if let (true, Some(parts)) = (is_here, parts) {
                let counters = self.counters.clone();
                let of_all = of_root.region.relation("", &counters, &parts, &self.parameters)?;
                if of_all.is_single_valued()? {
                    let at: Vec<u32> = parts.iter().map(|_| self.new_coordinate()).collect();
                    let rounds = atoms(&counters);
                    state.region = state.region.extended_by(&at, &rounds, &of_all, &self.parameters)?;
                    let number = self.parameters.number_with(&at);
                    self.uniform.extend(at);
                    return Ok(Value::Number(number));
                }
            }
        }
        let named = Named::Expression(self.variable_name(place).unwrap_or_else(input));
        Ok(self.parameter(span, 16 + usize::try_from(at).unwrap_or(0), named, &[]).unwrap_or(Value::Same(0)))
    }

    /// What all of a part have after the root has told them: what it is for the root of each part. `None` where that is not known.
    fn told_in_part(
        &mut self,
        state: &mut State,
        place: &Place,
        root: &Form,
        communicator: usize,
    ) -> Result<Option<Value>> {
        let known = place.cell().filter(|cell| !self.shared.contains(&cell.object));
        let Some(Value::Number(form)) = known.and_then(|cell| state.memory.read(&cell)).cloned() else {
            return Ok(None);
        };
        let Some(parts) = self.parts(&form).filter(|_| state.doubts.is_empty()) else { return Ok(None) };
        let mut of_root = state.clone();
        let rank = self.in_communicator(&mut of_root, communicator, false)?;
        let is_root = Bound::equal(&rank, root);
        let linear = match is_root {
            Some(is_root) => of_root.region.linear(&is_root, &self.parameters)?,
            None => None,
        };
        let Some(is_root) = linear else { return Ok(None) };
        let of_root = of_root.region.meet(&is_root, &self.parameters)?;
        let values = of_root.relation("", &self.kept(), &parts, &self.parameters)?;
        if !values.is_single_valued()? {
            return Ok(None);
        }
        // From each process to the root of its part, then to what it has in the same round.
        let roots = of_root.projected(&self.process)?.set;
        let of_process = self.of_number(communicator).mates()?.intersect_range(&roots)?;
        let (at_root, at) =
            (self.new_digits(), parts.iter().map(|_| self.new_coordinate()).collect::<Vec<u32>>());
        let told = state.region.extended_by(&at_root, &self.process(), &of_process, &self.parameters)?;
        let of = [atoms(&at_root), atoms(&self.counters)].concat();
        let told = told.extended_by(&at, &of, &values, &self.parameters)?;
        let told = told.projected(&[&state.region.coordinates[..], &at].concat())?;
        if !state.region.set.is_subset(&told.projected(&state.region.coordinates)?.set)? {
            return Ok(None);
        }
        state.region = told;
        Ok(Some(Value::Number(self.parameters.number_with(&at))))
    }

    /// Follows a call of a function that nobody defines.
    pub(crate) fn library_call(
        &mut self,
        frame: &Frame,
        mut state: State,
        name: &str,
        args: &[Expr],
        span: Span,
    ) -> Result<After> {
        let name = name.strip_prefix("__builtin_").unwrap_or(name);
        // Code that runs beside, or later, or in another process.
        if matches!(name, "fork" | "vfork" | "pthread_create" | "thrd_create" | "atexit" | "on_exit") {
            return self.give_up(frame, span, format!("`{name}` is not followed"));
        }
        self.check_callbacks(frame, span, args)?;
        match effect(name) {
            Some(Effect::Exits) => {
                self.end_of_all(frame, &state, span)?;
                return Ok(None);
            }
            Some(Effect::Marks | Effect::Jumps | Effect::Signal) => {
                return self.give_up(frame, span, format!("`{name}` is not followed"));
            }
            Some(Effect::Allocates { .. } | Effect::Reallocates | Effect::Copies) => {
                let value = self.allocated(&mut state, span);
                return Ok(Some((state, value)));
            }
            Some(Effect::Reads) => return Ok(Some((state, Value::Open))),
            Some(Effect::Line | Effect::Owns(_) | Effect::Writes) | None => {}
        }
        let values = args
            .iter()
            .map(|argument| self.evaluate(frame, &mut state, argument))
            .collect::<Result<Vec<_>>>()?;
        let of_all = values.iter().all(|value| self.is_same(value) && !matches!(value, Value::Address(_)));
        if let ("sscanf", [of, format, ..]) = (name, values.as_slice())
            && self.is_same(of)
        {
            for (at, value) in values.iter().enumerate().skip(2) {
                if let Value::Address(place) = value {
                    let named = Named::Expression(self.variable_name(place).unwrap_or_else(input));
                    let value = self.parameter(span, 16 + at, named, &[of, format]).unwrap_or(Value::Same(0));
                    self.write(&mut state, place, value);
                }
            }
            return Ok(Some((state, Value::Same(0))));
        }
        if matches!(name, "atoi" | "atol" | "atoll" | "strtol" | "strtoll" | "strtoul" | "abs" | "labs") {
            let read = args.first().and_then(|argument| self.written_as(frame.function, argument));
            let named = Named::Expression(read.map_or_else(input, |read| format!("{name}({read})")));
            let of: Vec<&Value> = values.iter().collect();
            let same = of_all.then(|| self.parameter(span, 2, named, &of).unwrap_or(Value::Same(0)));
            let value = same.unwrap_or(Value::Open);
            return Ok(Some((state, value)));
        }
        if matches!(
            name,
            "atof" | "strtod" | "sqrt" | "pow" | "log" | "log2" | "floor" | "ceil" | "cbrt" | "round"
        ) {
            let of: Vec<&Value> = values.iter().collect();
            let value = if of_all { self.unknown(&of) } else { Value::Open };
            return Ok(Some((state, value)));
        }
        if effect(name).is_none() && !is_library_function(name) {
            self.assume(Assumption::External(name.to_owned()));
        }
        for value in &values {
            match value {
                Value::Address(place) => self.forget_reached(&mut state, place.object),
                Value::Open => self.forget_exposed(&mut state),
                _ => {}
            }
        }
        Ok(Some((state, Value::Open)))
    }

    /// A process ends here: either all do, or it is assumed that none does.
    fn end_of_all(&mut self, frame: &Frame, state: &State, span: Span) -> Result<()> {
        if !state.doubts.is_empty() {
            self.assume(Assumption::NotEnded(frame.function, span));
            return Ok(());
        }
        let ranks = state.region.projected(&self.process)?;
        let everybody = self.everybody()?;
        let counts = ranks.set.parameter_domain()?;
        if everybody.set.intersect_parameters(&counts)?.is_subset(&ranks.set)? {
            self.ends_for_all = true;
            return Ok(());
        }
        self.give_up(frame, span, "some processes end here, and others do not")
    }
}

/// What has no other name.
fn input() -> String {
    "input".to_owned()
}

/// The bytes of a datatype of MPI's own.
fn bytes(datatype: &str) -> Option<u64> {
    Some(constant(datatype)?.datatype()?.size)
}

fn is_integer(datatype: &str) -> bool {
    constant(datatype).and_then(|constant| constant.datatype()).is_some_and(|datatype| {
        datatype.signature.len() == 1
            && !matches!(datatype.signature[0], "float" | "double" | "long double" | "char")
            && matches!(datatype.size, 2 | 4 | 8)
    })
}
