//! What an MPI call means to the set that makes it. Everything is read off the call table: classes, roles and pairings.

use std::sync::Arc;

use frontend::ir::{Expr, ExprKind, Place, Span, Type};
use frontend::mpi::{
    Class, CollectiveOp, CommConstructor, Completion, Direction, Function, Query, Role, Scope as CallScope,
    SendMode,
};
use lattice::{Constraints, Linear, Range, Truth};

use super::Engine;
use super::eval::{Location, Scope};
use super::exec::Progress;
use super::memory::ObjectKind;
use super::need::Need;
use super::state::{
    CollectiveCall, Envelope, InFlight, Incoming, Outgoing, Phase, ProcessSet, Relation, State, Status,
};
use super::value::Value;

/// Name of the communicator of all processes.
pub(crate) const WORLD: &str = "MPI_COMM_WORLD";
/// How the description of a duplicate of `MPI_COMM_WORLD` begins.
const DUPLICATE: &str = "duplicate of ";

/// One side of a message as a call describes it.
enum Side<T> {
    Ready(T),
    /// The partner is `MPI_PROC_NULL`.
    Nothing,
    /// The partner is no rank: the call is an error, which ends the program.
    Erroneous,
}

/// A partner argument.
enum Partner {
    Rank(Linear),
    Nobody,
}

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
        let mut scope = self.scope(state, set);
        let values = args.iter().map(|arg| scope.eval(arg)).collect::<Result<Vec<_>, _>>()?;
        let call = Call { mpi, args, values: &values, span };
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
            Class::Query(query) => self.query(state, set, query, &call),
            Class::Send { mode, completion: Completion::Blocking } => {
                match self.outgoing(state, set, &call, mode == SendMode::Synchronous)? {
                    Side::Ready(outgoing) => {
                        set.status = Status::Sending(outgoing);
                        return Ok(Progress::Continue);
                    }
                    Side::Nothing => {}
                    Side::Erroneous => return Ok(Progress::Erroneous),
                }
            }
            Class::Receive { completion: Completion::Blocking, matched: false } => {
                match self.incoming(state, set, &call)? {
                    Side::Ready(incoming) => {
                        set.status = Status::Receiving(incoming);
                        return Ok(Progress::Continue);
                    }
                    Side::Nothing => {}
                    Side::Erroneous => return Ok(Progress::Erroneous),
                }
            }
            Class::SendReceive { completion: Completion::Blocking, replace: false } => {
                let outgoing = self.outgoing(state, set, &call, false)?;
                let incoming = self.incoming(state, set, &call)?;
                if matches!(outgoing, Side::Erroneous) || matches!(incoming, Side::Erroneous) {
                    return Ok(Progress::Erroneous);
                }
                if let Side::Ready(outgoing) = outgoing {
                    // Its send needs no progress of the receive: the message is on its way at once.
                    self.post(state, &set.ranks, outgoing)?;
                }
                if let Side::Ready(incoming) = incoming {
                    set.status = Status::Receiving(incoming);
                    return Ok(Progress::Continue);
                }
            }
            Class::Collective { operation, completion: Completion::Blocking, neighbor: false } => {
                set.status = Status::Collective(self.collective(state, set, &call, operation)?);
                return Ok(Progress::Continue);
            }
            Class::CommConstructor(CommConstructor::Dup | CommConstructor::DupWithInfo) => {
                set.status = Status::Collective(self.duplicate(state, set, &call)?);
                return Ok(Progress::Continue);
            }
            Class::CommDestructor { .. } => self.null_outputs(state, set, &call),
            class if super::functions::is_silent(class) => self.local_call(state, set, &call),
            _ => return Err(Need::give_up(format!("`{}` is not followed yet", mpi.name))),
        }
        set.frame_mut().inst += 1;
        Ok(Progress::Continue)
    }

    fn query(&mut self, state: &mut State, set: &mut ProcessSet, query: Query, call: &Call<'_>) {
        let communicator = call.value(Role::Communicator).and_then(Value::as_name).map(str::to_owned);
        let answer = match (query, communicator.as_deref()) {
            (Query::CommRank, Some(name)) if is_world(name) => Some(Value::Int(Linear::rank())),
            (Query::CommSize, Some(name)) if is_world(name) => Some(Value::Int(Linear::np())),
            (Query::CommRank, Some("MPI_COMM_SELF")) => Some(Value::int(0)),
            (Query::CommSize, Some("MPI_COMM_SELF")) => Some(Value::int(1)),
            (Query::Initialized, _) => Some(Value::int(i64::from(set.phase != Phase::Before))),
            (Query::Finalized, _) => Some(Value::int(i64::from(set.phase == Phase::Finalized))),
            _ => None,
        };
        match answer {
            Some(answer) => {
                let output = call.mpi.params.iter().position(|p| p.direction == Direction::Out);
                if let Some((object, offset)) =
                    output.and_then(|i| call.values.get(i)).and_then(super::state::address)
                {
                    let location = Location { object, offset: Some(offset.clone()) };
                    self.scope(state, set).write(&location, Some(4), answer);
                }
            }
            None => self.forget_outputs(state, set, call),
        }
    }

    /// A call that concerns the calling process only: what it writes is not known, but handles it makes are named.
    fn local_call(&mut self, state: &mut State, set: &mut ProcessSet, call: &Call<'_>) {
        self.forget_outputs(state, set, call);
        if let Some((index, object)) = call.mpi.created()
            && let Some((place, offset)) = call.values.get(index).and_then(super::state::address)
        {
            let line = self.line_of(set.frame().function.unit, call.span);
            let name = format!("{} of {line}", object.ctype().trim_start_matches("MPI_").to_lowercase());
            let location = Location { object: place, offset: Some(offset.clone()) };
            self.scope(state, set).write(&location, Some(8), Value::Name(name.into()));
        }
    }

    /// Handles that a call sets to null are not followed further.
    fn null_outputs(&mut self, state: &mut State, set: &mut ProcessSet, call: &Call<'_>) {
        self.forget_outputs(state, set, call);
    }

    fn forget_outputs(&mut self, state: &mut State, set: &mut ProcessSet, call: &Call<'_>) {
        let written: Vec<(Value, Option<u64>)> = call
            .mpi
            .params
            .iter()
            .zip(call.values)
            .filter(|(p, _)| p.direction.writes() && p.is_pointer())
            .map(|(p, value)| (value.clone(), scalar_size(p)))
            .collect();
        let mut scope = self.scope(state, set);
        for (value, size) in written {
            match super::state::address(&value) {
                Some((object, offset)) => {
                    let location = Location { object, offset: Some(offset.clone()) };
                    scope.write(&location, size, Value::Unknown);
                }
                None if value == Value::Unknown => scope.engine.forget_exposed(scope.memory),
                None => {}
            }
        }
    }

    fn outgoing(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        synchronous: bool,
    ) -> Result<Side<Outgoing>, Need> {
        let buffer = call.mpi.buffers().find(|b| b.dest.is_some());
        let Some(buffer) = buffer else {
            return Err(Need::give_up("a send without a destination in the call table"));
        };
        let communicator = self.communicator(call)?;
        let dest = match call.partner(buffer.dest)? {
            Partner::Rank(rank) => rank,
            Partner::Nobody => return Ok(Side::Nothing),
        };
        let tag = call.at(buffer.send_tag).cloned().unwrap_or(Value::Unknown);
        let count = call.at(buffer.count).cloned().unwrap_or(Value::Unknown);
        let datatype = call.at(buffer.datatype).cloned().unwrap_or(Value::Unknown);
        let payload = self.payload(state, set, call.at(Some(buffer.param)), &count, &datatype);
        let site = self.site(set.frame().function, call.span, call.mpi.name);
        let envelope = Envelope { site, communicator, tag, count, datatype, payload };
        if self.is_bad_partner(state, set, &dest, call, buffer.dest)? {
            return Ok(Side::Erroneous);
        }
        Ok(Side::Ready(Outgoing { envelope, dest, synchronous }))
    }

    fn incoming(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
    ) -> Result<Side<Incoming>, Need> {
        let buffer = call.mpi.buffers().find(|b| b.source.is_some());
        let Some(buffer) = buffer else {
            return Err(Need::give_up("a receive without a source in the call table"));
        };
        let communicator = self.communicator(call)?;
        let status = call.mpi.param_with_role(Role::Status).and_then(|i| call.values.get(i)).cloned();
        let status = status.unwrap_or(Value::Unknown);
        if call.at(buffer.source).and_then(Value::as_name) == Some("MPI_ANY_SOURCE") {
            return Err(Need::give_up("a receive from any source is not followed yet"));
        }
        let source = match call.partner(buffer.source)? {
            Partner::Rank(rank) => rank,
            Partner::Nobody => {
                self.forget_outputs_of_status(state, set, &status);
                return Ok(Side::Nothing);
            }
        };
        let tag = match call.at(buffer.recv_tag) {
            Some(Value::Name(name)) if &**name == "MPI_ANY_TAG" => None,
            other => Some(other.cloned().unwrap_or(Value::Unknown)),
        };
        let site = self.site(set.frame().function, call.span, call.mpi.name);
        if self.is_bad_partner(state, set, &source, call, buffer.source)? {
            return Ok(Side::Erroneous);
        }
        Ok(Side::Ready(Incoming {
            site,
            communicator,
            source,
            tag,
            count: call.at(buffer.count).cloned().unwrap_or(Value::Unknown),
            datatype: call.at(buffer.datatype).cloned().unwrap_or(Value::Unknown),
            buffer: call.at(Some(buffer.param)).cloned().unwrap_or(Value::Unknown),
            status,
        }))
    }

    fn forget_outputs_of_status(&mut self, state: &mut State, set: &mut ProcessSet, status: &Value) {
        if let Some((object, _)) = super::state::address(status) {
            let scope = self.scope(state, set);
            scope.engine.ensure(scope.memory, object);
            scope.memory.content(object).forget();
        }
    }

    fn forget_scalar(&mut self, state: &mut State, set: &mut ProcessSet, target: &Value) {
        if let Some((object, offset)) = super::state::address(target) {
            let location = Location { object, offset: Some(offset.clone()) };
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
        let (Some((object, offset)), Some(1), Some(size)) =
            (buffer.and_then(super::state::address), count.as_constant(), type_size(datatype))
        else {
            return Value::Unknown;
        };
        let location = Location { object, offset: Some(offset.clone()) };
        self.scope(state, set).read_sized(&location, size)
    }

    fn communicator(&self, call: &Call<'_>) -> Result<Arc<str>, Need> {
        match call.value(Role::Communicator) {
            Some(Value::Name(name)) if is_world(name) => Ok(name.clone()),
            Some(Value::Name(name)) => Err(Need::give_up(format!("communicator {name} is not followed yet"))),
            _ => Err(Need::give_up("the communicator is not known here")),
        }
    }

    /// Whether a partner is no rank of the communicator on some member of the set; reports it.
    ///
    /// Where the number of processes decides, the path is forked. Where the input does, the partner is assumed to be a rank: a
    /// program that takes its root from the command line is not wrong for it.
    fn is_bad_partner(
        &mut self,
        state: &mut State,
        set: &ProcessSet,
        partner: &Linear,
        call: &Call<'_>,
        index: Option<usize>,
    ) -> Result<bool, Need> {
        let overflow = || Need::give_up("a rank expression exceeds 64 bits");
        let largest = set.ranks.maximise(partner).ok_or_else(overflow)?;
        let smallest = set.ranks.minimise(partner).ok_or_else(overflow)?;
        let below = smallest.offset(1).ok_or_else(overflow)?; // smallest <= -1
        let beyond = Linear::np().sub(&largest).ok_or_else(overflow)?; // np <= largest
        for (violation, is_below) in [(below, true), (beyond, false)] {
            match state.facts.le(&violation, &Linear::zero()) {
                Truth::No => {}
                Truth::Yes => {
                    if let Some(arg) = index.and_then(|i| call.args.get(i)) {
                        let text = self.symbols.display(partner).unwrap_or_else(|| "the partner".to_owned());
                        self.report_partner(
                            state,
                            &set.ranks,
                            set.frame().function,
                            arg.span,
                            &text,
                            is_below,
                        );
                    }
                    return Ok(true);
                }
                Truth::Open
                    if super::findings::mentions_input(&self.symbols, &violation)
                        || !Constraints::can_express(&violation) =>
                {
                    let place = self.line_of(set.frame().function.unit, call.span);
                    self.assume(format!("{place}: the partner is a rank of the communicator"));
                    if state.facts.assume_le(&1.into(), &violation).is_none() {
                        return Ok(true);
                    }
                }
                Truth::Open => return Err(Need::Decide(violation)),
            }
        }
        Ok(false)
    }

    fn collective(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        operation: CollectiveOp,
    ) -> Result<CollectiveCall, Need> {
        let communicator = self.communicator(call)?;
        let root = match call.value(Role::Root) {
            None => None,
            Some(Value::Int(root)) => Some(root.clone()),
            Some(_) => return Err(Need::give_up(format!("the root of `{}` is not known", call.mpi.name))),
        };
        let output = call.mpi.buffers().find(|b| b.direction.writes());
        let result = output.and_then(|b| call.at(Some(b.param))).cloned().unwrap_or(Value::Unknown);
        let count = output.and_then(|b| call.at(b.count)).cloned().unwrap_or(Value::Unknown);
        let datatype = output.and_then(|b| call.at(b.datatype)).cloned().unwrap_or(Value::Unknown);
        let site = self.site(set.frame().function, call.span, call.mpi.name);
        if operation != CollectiveOp::Bcast {
            // Whatever the operation computes, buffers that it writes are not known afterwards; what all ranks have alike is
            // stored when it completes.
            self.forget_outputs(state, set, call);
        }
        let operation = call.mpi.name.into();
        Ok(CollectiveCall {
            site,
            operation,
            communicator,
            root,
            result,
            count,
            datatype,
            new_communicator: None,
        })
    }

    fn duplicate(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
    ) -> Result<CollectiveCall, Need> {
        let communicator = self.communicator(call)?;
        self.forget_outputs(state, set, call);
        let output = call.mpi.created().and_then(|(i, _)| call.values.get(i)).cloned();
        let site = self.site(set.frame().function, call.span, call.mpi.name);
        Ok(CollectiveCall {
            site,
            operation: call.mpi.name.into(),
            communicator,
            root: None,
            result: Value::Unknown,
            count: Value::Unknown,
            datatype: Value::Unknown,
            new_communicator: output,
        })
    }

    /// Name of the duplicate of a communicator that a call makes.
    pub(crate) fn duplicate_name(communicator: &str, place: &str) -> Arc<str> {
        format!("{DUPLICATE}{communicator} ({place})").into()
    }

    /// Puts the messages of a send on their way.
    pub(crate) fn post(
        &mut self,
        state: &mut State,
        senders: &Range,
        outgoing: Outgoing,
    ) -> Result<(), Need> {
        let relation = Relation::of_send(senders, &outgoing.dest, &state.facts)?;
        state.in_flight.push(InFlight { envelope: outgoing.envelope, relation });
        Ok(())
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
    fn at(&self, index: Option<usize>) -> Option<&Value> {
        self.values.get(index?)
    }

    fn value(&self, role: Role) -> Option<&Value> {
        self.at(self.mpi.param_with(role, Direction::In).or_else(|| match self.mpi.scope {
            CallScope::Over(index) if role == Role::Communicator => Some(index),
            _ => None,
        }))
    }

    fn partner(&self, index: Option<usize>) -> Result<Partner, Need> {
        let text = || index.and_then(|i| self.args.get(i)).map_or("partner", |_| "partner");
        match self.at(index) {
            Some(Value::Int(rank)) => Ok(Partner::Rank(rank.clone())),
            Some(Value::Name(name)) if &**name == "MPI_PROC_NULL" => Ok(Partner::Nobody),
            _ => Err(Need::give_up(format!("the {} of `{}` is not known", text(), self.mpi.name))),
        }
    }
}

/// Whether a communicator has all processes, ranked as in `MPI_COMM_WORLD`.
pub(crate) fn is_world(name: &str) -> bool {
    name == WORLD || name.starts_with(DUPLICATE)
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

impl Scope<'_, '_> {
    /// Stores what a receive or broadcast delivers.
    pub(crate) fn deliver(&mut self, buffer: &Value, count: &Value, datatype: &Value, payload: Value) {
        let Some((object, offset)) = super::state::address(buffer) else {
            if *buffer != Value::int(0) {
                self.engine.forget_exposed(self.memory);
            }
            return;
        };
        let offset = offset.clone();
        self.engine.ensure(self.memory, object);
        let element = type_size(datatype);
        let elements =
            count.as_int().and_then(|c| self.facts.constant(c)).and_then(|c| u64::try_from(c).ok());
        let location = Location { object, offset: Some(offset.clone()) };
        match (elements, element) {
            (Some(0), _) => {}
            (Some(1), Some(size)) => self.write(&location, Some(size), payload),
            (Some(elements @ 2..=64), Some(size @ 1..=32)) => {
                for index in 0..elements {
                    let step = i64::try_from(index * size).ok();
                    let offset = step.and_then(|step| offset.offset(step));
                    self.write(&Location { object, offset }, Some(size), Value::Unknown);
                }
            }
            _ => self.memory.content(object).forget(),
        }
    }

    /// Stores source and tag in a status.
    pub(crate) fn deliver_status(&mut self, status: &Value, source: &Linear, tag: &Value) {
        let Some((object, offset)) = super::state::address(status) else { return };
        let offset = offset.clone();
        self.engine.ensure(self.memory, object);
        self.memory.content(object).forget();
        let fields = self.status_offsets();
        for (step, value) in fields.into_iter().zip([Value::Int(source.clone()), tag.clone()]) {
            if let Some(offset) = step.and_then(|step| offset.offset(step)) {
                self.write(&Location { object, offset: Some(offset) }, Some(4), value);
            }
        }
    }

    /// Byte offsets of `MPI_SOURCE` and `MPI_TAG` in `MPI_Status`.
    fn status_offsets(&self) -> [Option<i64>; 2] {
        let types = &self.unit().types;
        let record = types.record_named("MPI_Status").and_then(|id| types.record(id).fields.as_ref());
        ["MPI_SOURCE", "MPI_TAG"].map(|name| {
            let field = record?.iter().find(|f| f.name.as_deref() == Some(name))?;
            i64::try_from(field.offset).ok()
        })
    }

    /// Notes constant arguments of an output call: what constant propagation across processes has found.
    pub(crate) fn note_constants(&mut self, name: &str, args: &[Expr], values: &[Value], span: Span) {
        let function = self.engine.program.function(self.function);
        let constants: Vec<(String, i64)> = args
            .iter()
            .zip(values)
            .filter(|(arg, _)| {
                matches!(self.unit().types.get(arg.ty), Type::Int(_))
                    && !matches!(arg.strip_casts().kind, ExprKind::Int(_) | ExprKind::Constant { .. })
            })
            .filter_map(|(arg, value)| {
                let value = value.as_int()?;
                if value.coefficient(lattice::Symbol::RANK) != 0 {
                    return None;
                }
                Some((describe(arg, function)?, self.facts.constant(value)?))
            })
            .collect();
        if constants.is_empty() {
            return;
        }
        let site = self.engine.site(self.function, span, name);
        self.engine.note_fact(site, self.ranks, self.facts, constants);
    }
}

/// The name of the variable that an expression reads.
fn describe(expr: &Expr, function: &frontend::ir::Function) -> Option<String> {
    match &expr.strip_casts().kind {
        ExprKind::Load(place) => function.local(place.as_local()?).name.as_ref().map(ToString::to_string),
        _ => None,
    }
}

/// Whether an object is the command line.
pub(crate) fn is_command_line(kind: &ObjectKind) -> bool {
    matches!(kind, ObjectKind::Library(name) if &**name == "argv")
}
