//! Neighbourhoods: graph communicators (MPI-4.1 section 8.5.4) and the collective operations that exchange with neighbours only (section
//! 8.6).
//!
//! Such an operation is a collective call, which all members of the communicator make in the same order, and a message along each edge of
//! the graph; so a graph whose two ends do not agree shows where it is used. These messages are apart from all others of the communicator,
//! and in a grid those of each direction from those of the others.

use std::sync::Arc;

use frontend::mpi::{Buffer, Class, Completion, Query};
use lattice::{Linear, Truth};

use super::Engine;
use super::clients::Cargo;
use super::eval::Location;
use super::exec::Progress;
use super::memory::{Background, Content, ObjectKind};
use super::mpi::Call;
use super::need::{Need, decide_eq};
use super::permutation::Target;
use super::room::Neighbours;
use super::state::{
    Communicator, Envelope, Filter, Handle, Hold, Incoming, Outgoing, ProcessSet, State, address,
};
use super::value::Value;
use crate::rules::Rule;

/// Neighbours of one process that are followed, in each way.
const NEIGHBOURS: i64 = 64;
/// Size of an `int`.
const INT: u64 = 4;

/// What a process has said of its neighbours, or is told of them: how many there are, whether edges have weights, and who they are.
struct Named {
    weighted: Value,
    sources: Vec<Value>,
    destinations: Vec<Value>,
}

impl Named {
    /// As one list of integers.
    fn listed(self) -> Vec<Value> {
        let number = |list: &Vec<Value>| Value::int(i64::try_from(list.len()).unwrap_or_default());
        let head = [number(&self.sources), number(&self.destinations), self.weighted];
        head.into_iter().chain(self.sources).chain(self.destinations).collect()
    }
}

/// One end of an edge.
struct Edge {
    /// Rank in the communicator; `None` for `MPI_PROC_NULL`.
    neighbour: Option<Linear>,
    /// In a grid: the direction in which messages go along it, and whether to greater coordinates.
    way: Option<(usize, bool)>,
}

impl Engine<'_> {
    /// Checks what a call says of the neighbours of the caller; whether one of them is no rank, which is an error.
    pub(crate) fn names_nobody(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
    ) -> Result<bool, Need> {
        let communicator = self.communicator(call)?;
        let Some(named) = self.named(state, set, call) else { return Ok(false) };
        for (list, index) in [(&named.sources, 2), (&named.destinations, 5)] {
            for rank in list.iter().filter_map(Value::as_int) {
                if self.is_bad_partner(state, set, &communicator, rank, call, Some(index))? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// The neighbours that the caller of `MPI_Dist_graph_create_adjacent` names, where their numbers are known.
    fn named(&mut self, state: &mut State, set: &mut ProcessSet, call: &Call<'_>) -> Option<Named> {
        let mut list = |number: usize, array: usize| {
            let number = state.facts.constant(call.at(Some(number))?.as_int()?)?;
            self.values_in(state, set, call.at(Some(array)), number)
        };
        let (sources, destinations) = (list(1, 2)?, list(4, 5)?);
        let unweighted =
            [3, 6].iter().all(|&i| call.at(Some(i)).and_then(Value::as_name) == Some("MPI_UNWEIGHTED"));
        Some(Named {
            weighted: if unweighted { Value::int(0) } else { Value::Unknown },
            sources,
            destinations,
        })
    }

    /// So many integers of an array, each as far as it is known.
    fn values_in(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        array: Option<&Value>,
        number: i64,
    ) -> Option<Vec<Value>> {
        if !(0..=NEIGHBOURS).contains(&number) {
            return None;
        }
        let place = array.and_then(address).map(|(object, offset)| (object, offset.clone()));
        let mut scope = self.scope(state, set);
        let read = |index: i64| match &place {
            Some((object, start)) => {
                let offset = start.offset(index.checked_mul(INT.cast_signed())?);
                Some(scope.read_sized(&Location { object: *object, offset }, INT))
            }
            None => Some(Value::Unknown),
        };
        (0..number).map(read).collect()
    }

    /// Keeps what a process says of its neighbours in a new graph. What another call has said of one of the same name, which may still
    /// be there, must be the same.
    pub(crate) fn keep_neighbours(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        graph: &Arc<str>,
    ) {
        let object = self.objects.object(ObjectKind::Neighbours(Arc::clone(graph)));
        let named = self.named(state, set, call).map(Named::listed);
        let is_new = set.memory.get(object).is_none();
        let place = Value::Address(object, Linear::zero());
        let number = named.as_ref().and_then(|named| i64::try_from(named.len()).ok()).unwrap_or_default();
        let kept = self.values_in(state, set, Some(&place), number);
        match named {
            Some(named) if is_new => self.store_integers(state, set, Some(&place), &named),
            Some(named) if kept.as_ref() == Some(&named) => {}
            _ => set.memory.insert(object, Content::new(Background::Unknown)),
        }
    }

    /// What has been said of the neighbours in a graph.
    fn kept_neighbours(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        graph: &Arc<str>,
    ) -> Option<Named> {
        let object = self.objects.object(ObjectKind::Neighbours(Arc::clone(graph)));
        let place = Value::Address(object, Linear::zero());
        let head = self.values_in(state, set, Some(&place), 3)?;
        let [indegree, outdegree, weighted] = <[Value; 3]>::try_from(head).ok()?;
        let number = |value: &Value| state.facts.constant(value.as_int()?);
        let (indegree, outdegree) = (number(&indegree)?, number(&outdegree)?);
        let mut list = |first: i64, number: i64| {
            let start = Linear::from(first.checked_mul(INT.cast_signed())?);
            self.values_in(state, set, Some(&Value::Address(object, start)), number)
        };
        let sources = list(3, indegree)?;
        let destinations = list(indegree.checked_add(3)?, outdegree)?;
        Some(Named { weighted, sources, destinations })
    }

    /// How many neighbours each member of a set has in the topology over which a call exchanges data, where that is known. In a grid that
    /// has ends there are some without the last one, whose block nobody touches (MPI-4.1 section 8.6).
    pub(crate) fn neighbours_of_all(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
    ) -> Option<Neighbours> {
        if !matches!(call.mpi.class, Class::Collective { neighbor: true, .. }) {
            return None;
        }
        let communicator = self.communicator(call).ok()?;
        let number = |length: usize| i64::try_from(length).ok();
        if let Some(grid) = &communicator.grid {
            let ends = number(grid.dims.len())?.checked_mul(2)?;
            return (*grid.periods.last()?).then_some(Neighbours { before: ends, after: ends });
        }
        let named = self.kept_neighbours(state, set, communicator.graph.as_ref()?)?;
        Some(Neighbours { before: number(named.sources.len())?, after: number(named.destinations.len())? })
    }

    /// Inquiries about graphs; `false` where the answer is not known.
    pub(crate) fn graph_query(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        query: Query,
        call: &Call<'_>,
    ) -> bool {
        self.forget_outputs(state, set, call);
        let Ok(communicator) = self.communicator(call) else { return false };
        let Some(graph) = &communicator.graph else { return false };
        let Some(Named { weighted, sources, destinations }) = self.kept_neighbours(state, set, graph) else {
            return false;
        };
        let room = |index: usize| call.at(Some(index)).and_then(Value::as_int).cloned();
        match query {
            Query::DistGraphNeighborsCount => {
                let number = |list: &Vec<Value>| Value::int(i64::try_from(list.len()).unwrap_or_default());
                let answers = [number(&sources), number(&destinations), weighted];
                for (index, answer) in (1..).zip(answers) {
                    self.store_integers(state, set, call.at(Some(index)), &[answer]);
                }
            }
            Query::DistGraphNeighbors => {
                for (length, array, list) in [(1, 2, sources), (4, 5, destinations)] {
                    let fits = room(length).is_some_and(|room| {
                        let number = i64::try_from(list.len()).unwrap_or(i64::MAX);
                        state.facts.le(&number.into(), &room) == Truth::Yes
                    });
                    if fits {
                        self.store_integers(state, set, call.at(Some(array)), &list);
                    }
                }
            }
            _ => return false,
        }
        true
    }

    /// A collective operation among neighbours.
    pub(crate) fn exchange_with_neighbours(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        completion: Completion,
    ) -> Result<Progress, Need> {
        let ticket = self.new_ticket(state, set, call, completion)?;
        let communicator = self.communicator(call)?;
        if communicator.is_own() {
            return Err(Need::give_up(format!("`{}` of one process is not followed yet", call.mpi.name)));
        }
        if communicator.grid.is_none() && communicator.graph.is_none() {
            let message = format!("{} on a communicator without a topology", call.mpi.name);
            let place = (set.frame().function, call.span);
            self.report(Rule::InvalidCommunicator, state, &set.ranks, place, message, Vec::new());
            return Ok(Progress::Erroneous);
        }
        let mut entered = self.collective_call(state, set, call)?;
        entered.cargo = self.load(state, set, call);
        let (sources, destinations) = self.edges(state, set, call, &communicator)?;
        let site = entered.site;
        let inner = |way: Option<(usize, bool)>| {
            let name = match way {
                Some((direction, true)) => format!("{} upwards in direction {direction}", communicator.name),
                Some((direction, false)) => {
                    format!("{} downwards in direction {direction}", communicator.name)
                }
                None => format!("neighbours in {}", communicator.name),
            };
            Arc::new(Communicator::new(name.into(), communicator.group.clone()))
        };
        let mut operations = Vec::new();
        let hold = if self.buffering { Hold::Polite } else { Hold::Firm };
        let buffers = || (call.mpi.buffers().next(), call.mpi.buffers().nth(1));
        let (Some(sent), Some(received)) = buffers() else {
            return Err(Need::give_up(format!("`{}` is not followed yet", call.mpi.name)));
        };
        for (index, Edge { neighbour, way }) in destinations.into_iter().enumerate() {
            let Some(rank) = neighbour else { continue };
            let dest = self.world_rank(state, set, &communicator, &rank)?;
            let dest = Target::Rank(dest);
            dest.of_send(&set.ranks, &state.facts)?;
            let (count, datatype) = self.part_of(state, set, call, sent, index);
            let (communicator, tag) = (inner(way), Value::int(0));
            let (payload, cargo) = (Value::Unknown, Cargo::default());
            let envelope = Envelope { site, communicator, tag, count, datatype, payload, cargo };
            operations.push(Handle::Send(Outgoing { envelope, dest, hold }));
        }
        for (index, Edge { neighbour, way }) in sources.into_iter().enumerate() {
            let Some(rank) = neighbour else { continue };
            let source = self.world_rank(state, set, &communicator, &rank)?;
            let source = Target::Rank(source);
            source.of_receive(&set.ranks, &state.facts)?;
            let (count, datatype) = self.part_of(state, set, call, received, index);
            let filter = Filter { site, communicator: inner(way), tag: Some(Value::int(0)) };
            // All that the call writes is forgotten at once.
            let incoming = Incoming { filter, count, datatype, buffer: Value::int(0) };
            operations.push(Handle::Receive(incoming, Some(source)));
        }
        self.forget_outputs(state, set, call);
        if completion == Completion::Persistent {
            // What comes from the neighbours overwrites this each time.
            entered.result = call.at(Some(received.param)).cloned().unwrap_or(Value::int(0));
            entered.datatype = call.at(received.datatype).cloned().unwrap_or(Value::Unknown);
            entered.terms.turn = set.known.lives.prepared_on(&entered.communicator.name);
            operations.push(Handle::Collective(entered));
            return self.begin(state, set, call, completion, Handle::Several(operations), ticket);
        }
        for operation in operations {
            self.launch(state, set, operation, ticket.clone())?;
        }
        self.begin(state, set, call, completion, Handle::Collective(entered), ticket)
    }

    /// From whom and to whom a process has edges, in the order of its buffers.
    fn edges(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        communicator: &Communicator,
    ) -> Result<(Vec<Edge>, Vec<Edge>), Need> {
        let unknown = || Need::give_up(format!("with whom `{}` exchanges data is not known", call.mpi.name));
        if let Some(grid) = &communicator.grid {
            let (mut sources, mut destinations) = (Vec::new(), Vec::new());
            let mine = set.ranks.settle(&Linear::rank(), &state.facts);
            let rank = communicator.group.local_rank(&mine, &set.ranks, &state.facts).ok_or_else(unknown)?;
            for direction in 0..grid.dims.len() {
                for up in [false, true] {
                    let by = if up { 1 } else { -1 };
                    let end = self.scope(state, set).shifted(grid, direction, &rank, &by.into())?;
                    let neighbour = match end.ok_or_else(unknown)? {
                        Value::Int(rank) => Some(rank),
                        _ => None,
                    };
                    destinations.push(Edge { neighbour: neighbour.clone(), way: Some((direction, up)) });
                    sources.push(Edge { neighbour, way: Some((direction, !up)) });
                }
            }
            return Ok((sources, destinations));
        }
        let Some(graph) = &communicator.graph else {
            return Err(Need::give_up(format!("`{}` on a communicator without neighbours", call.mpi.name)));
        };
        let named = self.kept_neighbours(state, set, graph).ok_or_else(unknown)?;
        let edges = |list: Vec<Value>| -> Option<Vec<Edge>> {
            let edge = |value: Value| Some(Edge { neighbour: Some(value.as_int()?.clone()), way: None });
            list.into_iter().map(edge).collect()
        };
        Ok((edges(named.sources).ok_or_else(unknown)?, edges(named.destinations).ok_or_else(unknown)?))
    }

    /// Number and type of the elements for one of the neighbours.
    fn part_of(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        buffer: &Buffer,
        index: usize,
    ) -> (Value, Value) {
        // An entry of a list, or what there is one of.
        let mut entry = |param: Option<usize>| {
            let Some(list) = param.filter(|&param| call.mpi.params[param].is_array()) else {
                return call.at(param).cloned().unwrap_or(Value::Unknown);
            };
            let upto = u64::try_from(index).ok().and_then(|index| index.checked_add(1));
            let entries = upto.and_then(|upto| self.elements_of(state, set, call, list, upto));
            entries.and_then(|mut entries| entries.pop()).unwrap_or(Value::Unknown)
        };
        let count = entry(buffer.count);
        let datatype = entry(buffer.datatype);
        (count, datatype)
    }

    /// Notes that a call that may give its callers other ranks is taken not to do so.
    pub(crate) fn keeps_order(
        &mut self,
        state: &State,
        set: &ProcessSet,
        call: &Call<'_>,
        reorder: usize,
    ) -> Result<(), Need> {
        let kept = match call.at(Some(reorder)).and_then(Value::as_int) {
            Some(reorder) if reorder.is_uniform() => decide_eq(reorder, &Linear::zero(), &state.facts)?,
            _ => false,
        };
        if !kept {
            let place = self.line_of(set.frame().function.unit, call.span);
            self.assume(format!("{place}: `{}` leaves the ranks in their order", call.mpi.name));
        }
        Ok(())
    }
}
