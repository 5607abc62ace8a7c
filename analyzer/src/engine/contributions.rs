//! What collective operations compute and move, where every process is followed for itself: each gives elements that are known one by one,
//! and what each gets follows from these (MPI-4.1 sections 6.4 to 6.12).
//!
//! What is not known stays what it is without this: nothing, or a number that all have alike.

use std::sync::Arc;

use frontend::mpi::{Buffer, CollectiveOp, Direction, Role, Scale, TypeGroup, constant};
use lattice::{Constraints, Linear};

use super::Engine;
use super::contents::is_integral;
use super::eval::Location;
use super::group::{Group, listed_members, seen_by, stand_alone};
use super::memory::ObjectId;
use super::mpi::Call;
use super::need::Need;
use super::record;
use super::state::{CollectiveCall, Entered, ProcessSet, State, Ticket, address};
use super::value::Value;

/// What one process gives to a collective operation, and where it gets what.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Contribution {
    /// Whose it is.
    rank: i64,
    /// The reduction, if it is one.
    op: Option<Arc<str>>,
    /// The values of each block, one after the other: one block for each process, or one for all.
    gives: Vec<Vec<Value>>,
    /// Where blocks arrive: one for each process, or one.
    takes: Vec<Place>,
    /// The values of an element that is received: offset and size of each.
    cells: Vec<(i64, u64)>,
    /// How far elements that are received are from each other.
    extent: i64,
    /// Whether they are integers, or pairs of a number and an index.
    integral: bool,
    pairs: bool,
}

/// Where a block of elements is in memory.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Place {
    object: ObjectId,
    offset: i64,
    elements: i64,
}

/// What is stored in an object: offset, size and value.
pub(crate) type Stores = Vec<(ObjectId, i64, u64, Value)>;

/// Values of one process that are kept.
const VALUES: i64 = 1024;

/// How an element of a predefined datatype is made of values: offset and size of each, and its extent.
fn cells(datatype: &Value) -> Option<(Vec<(i64, u64)>, i64)> {
    let known = constant(datatype.as_name()?)?.datatype()?;
    Some(match known.group {
        TypeGroup::Pair => match datatype.as_name()? {
            "MPI_2INT" | "MPI_FLOAT_INT" => (vec![(0, 4), (4, 4)], 8),
            "MPI_SHORT_INT" => (vec![(0, 2), (4, 4)], 8),
            "MPI_LONG_INT" | "MPI_DOUBLE_INT" => (vec![(0, 8), (8, 4)], 16),
            _ => return None,
        },
        _ => (vec![(0, known.size)], i64::try_from(known.size).ok()?),
    })
}

impl Engine<'_> {
    /// What the callers of a collective operation give and take, where these are single processes.
    pub(crate) fn contribution(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        operation: CollectiveOp,
    ) -> Option<Box<Contribution>> {
        if self.fixed.is_none() || operation == CollectiveOp::Alltoallw {
            return None;
        }
        let rank = set.ranks.as_single(&state.facts).and_then(|rank| state.facts.constant(&rank))?;
        let op = call.value(Role::Op).and_then(Value::as_name).map(Arc::from);
        let buffers: Vec<&Buffer> = call.mpi.buffers().collect();
        let given = buffers.iter().find(|b| b.direction != Direction::Out)?;
        let taken = buffers.iter().find(|b| b.direction.writes())?;
        let in_place =
            |buffer: &Buffer| call.at(Some(buffer.param)).and_then(Value::as_name) == Some("MPI_IN_PLACE");
        let moves = operation != CollectiveOp::Bcast;
        // What is given in place is where it is received.
        let source = if in_place(given) && moves { taken } else { given };
        let (element, extent) = call.at(taken.datatype).and_then(cells).unwrap_or_default();
        let takes = if in_place(taken) {
            Vec::new()
        } else {
            self.block_places(state, set, call, taken).unwrap_or_default()
        };
        let datatype = call.at(source.datatype)?.clone();
        let (own, step) = cells(&datatype)?;
        // Others are seldom known, and decide little.
        if own.len() == 1 && !is_integral(&datatype) {
            return None;
        }
        let mut gives = Vec::new();
        let mut left = VALUES;
        let mut places = self.block_places(state, set, call, source).unwrap_or_default();
        if in_place(given)
            && matches!(
                operation,
                CollectiveOp::Gather
                    | CollectiveOp::Gatherv
                    | CollectiveOp::Allgather
                    | CollectiveOp::Allgatherv
            )
        {
            // Its own block is where those of others arrive, and stays there.
            let own = self.own_place(state, set, call)?;
            places = places.get(own).copied().into_iter().collect();
        }
        for place in places {
            left -= place.elements;
            if left < 0 {
                return None;
            }
            let mut scope = self.scope(state, set);
            let mut block = Vec::new();
            for index in 0..place.elements {
                for &(within, size) in &own {
                    let offset = place.offset + index * step + within;
                    let location = Location { object: place.object, offset: Some(offset.into()) };
                    let value = if own.len() == 1 {
                        scope.read_element(&location, &datatype)
                    } else {
                        scope.read_sized(&location, size)
                    };
                    block.push(value);
                }
            }
            gives.push(block);
        }
        let integral = is_integral(&datatype);
        let pairs = own.len() == 2;
        Some(Box::new(Contribution { rank, op, gives, takes, cells: element, extent, integral, pairs }))
    }

    /// Asks for sets of one process each, where members of one set get different numbers out of a collective operation.
    pub(crate) fn stands_alone(
        &self,
        state: &State,
        set: &ProcessSet,
        call: &Call<'_>,
        operation: CollectiveOp,
    ) -> Result<(), Need> {
        use CollectiveOp::{Barrier, Bcast};
        let is_number = |datatype: &Value| {
            cells(datatype).is_some_and(|(cells, _)| cells.len() == 2) || is_integral(datatype)
        };
        let moves_numbers = call.mpi.buffers().any(|buffer| call.at(buffer.datatype).is_some_and(is_number));
        if self.fixed.is_none() || matches!(operation, Barrier | Bcast) || !moves_numbers {
            return Ok(());
        }
        stand_alone(&set.ranks, &state.facts)
    }

    /// A collective call on a communicator in which the caller is alone.
    pub(crate) fn collective_alone(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        operation: CollectiveOp,
    ) -> Result<(), Need> {
        let mut own = self.collective_call(state, set, call)?;
        own.contribution = self.contribution(state, set, call, operation);
        self.gather_alone(state, set, call)?;
        if operation != CollectiveOp::Bcast {
            self.forget_outputs(state, set, call);
        }
        let entered = Entered { members: set.ranks.clone(), call: own, ticket: Ticket::Call };
        for (_, stores) in alone(operation, &entered, &state.facts) {
            self.store_outcome(state, set, &stores);
        }
        Ok(())
    }

    /// Stores what a collective operation gives to the only member of a set.
    pub(crate) fn store_outcome(&mut self, state: &mut State, set: &mut ProcessSet, stores: &Stores) {
        let mut scope = self.scope(state, set);
        for &(object, offset, size, ref value) in stores {
            scope.write(&Location { object, offset: Some(offset.into()) }, Some(size), value.clone());
        }
    }

    /// The place of the only member of a set in the communicator of a call.
    fn own_place(&self, state: &State, set: &ProcessSet, call: &Call<'_>) -> Option<usize> {
        let rank = set.ranks.as_single(&state.facts).and_then(|rank| state.facts.constant(&rank))?;
        self.communicator(call).ok()?.group.listed(&state.facts)?.iter().position(|&member| member == rank)
    }

    /// Where the blocks of a buffer are; `None` where that is not known, or only others look at them.
    fn block_places(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        buffer: &Buffer,
    ) -> Option<Vec<Place>> {
        let (object, offset) = address(call.at(Some(buffer.param))?)?;
        let offset = state.facts.constant(offset)?;
        if buffer.root_only && !self.is_root_among(state, set, call) {
            return None;
        }
        let (_, extent) = cells(call.at(buffer.datatype)?)?;
        let size = || {
            let size = self.communicator(call).ok()?.group.size()?;
            state.facts.constant(&size).filter(|size| (1..=VALUES).contains(size))
        };
        let facts = state.facts.clone();
        let count =
            || facts.constant(call.at(buffer.count)?.as_int()?).filter(|count| (0..=VALUES).contains(count));
        let place = |first: i64, elements: i64| {
            Some(Place { object, offset: offset.checked_add(first.checked_mul(extent)?)?, elements })
        };
        match buffer.scale {
            Scale::Count => Some(vec![place(0, count()?)?]),
            Scale::One => Some(vec![place(0, 1)?]),
            Scale::PerProcess => {
                let (size, count) = (size()?, count()?);
                (0..size).map(|index| place(index.checked_mul(count)?, count)).collect()
            }
            Scale::Sum => {
                let counts = self.numbers(state, set, call, buffer.count)?;
                let starts = match buffer.displacements {
                    Some(_) => self.numbers(state, set, call, buffer.displacements)?,
                    // One after the other.
                    None => counts
                        .iter()
                        .scan(0, |sum, &count| Some(std::mem::replace(sum, *sum + count)))
                        .collect(),
                };
                let is_small = |count: &i64| (0..=VALUES).contains(count);
                if !counts.iter().all(is_small) {
                    return None;
                }
                starts.into_iter().zip(counts).map(|(start, count)| place(start, count)).collect()
            }
            Scale::OwnEntry => {
                let own = self.own_place(state, set, call)?;
                let counts = self.numbers(state, set, call, buffer.count)?;
                Some(vec![place(0, *counts.get(own)?)?])
            }
            _ => None,
        }
    }
}

/// Calls as they are entered without what each caller gives: those of neighbours that say the same are one.
pub(crate) fn together(state: &State, entries: &[Entered]) -> Vec<Entered> {
    if entries.iter().all(|entered| entered.call.contribution.is_none()) {
        return entries.to_vec();
    }
    let mut scratch = State { entered: Vec::new(), ..state.clone() };
    for entered in entries {
        let call = CollectiveCall { contribution: None, ..entered.call.clone() };
        record::entered(&mut scratch, Entered { call, ..entered.clone() });
    }
    scratch.entered
}

/// What the only member of a communicator of its own stores.
fn alone(operation: CollectiveOp, entered: &Entered, facts: &Constraints) -> Vec<(i64, Stores)> {
    let Some(rank) = entered.members.as_single(facts).and_then(|rank| facts.constant(&rank)) else {
        return Vec::new();
    };
    let own = Group::List(vec![rank].into());
    all_stores(operation, std::slice::from_ref(entered), &own, Some(&Linear::zero()), facts)
        .unwrap_or_default()
}

/// What each member of the communicator stores when a collective operation is complete: by its rank in `MPI_COMM_WORLD`. Nothing where
/// that is not known.
pub(crate) fn outcome(
    operation: CollectiveOp,
    entries: &[Entered],
    root: Option<&Linear>,
    facts: &Constraints,
) -> Vec<(i64, Stores)> {
    let call: &CollectiveCall = &entries[0].call;
    let group = &call.communicator.group;
    if group.is_slice() || matches!(group, Group::Sides(_)) {
        return Vec::new();
    }
    all_stores(operation, entries, group, root, facts).unwrap_or_default()
}

fn all_stores(
    operation: CollectiveOp,
    entries: &[Entered],
    group: &Group,
    root: Option<&Linear>,
    facts: &Constraints,
) -> Option<Vec<(i64, Stores)>> {
    use CollectiveOp::{
        Allgather, Allgatherv, Allreduce, Alltoall, Alltoallv, Bcast, Exscan, Gather, Gatherv, Reduce,
        ReduceScatter, ReduceScatterBlock, Scan, Scatter, Scatterv,
    };
    let members = group.listed(facts)?;
    let root = match root {
        Some(root) => usize::try_from(facts.constant(root)?).ok(),
        None => None,
    };
    let of = |rank: i64| -> Option<(Contribution, Vec<Vec<Value>>)> {
        let (entry, digits) = entries.iter().find_map(|entry| {
            let all = listed_members(&entry.members, facts)?;
            let at = |digits: &Vec<i64>| {
                seen_by(&entry.members, digits, &Linear::rank()).and_then(|own| facts.constant(&own))
                    == Some(rank)
            };
            Some((entry, all.into_iter().find(at)?))
        })?;
        let contribution = entry.call.contribution.as_deref()?.clone();
        let told = |value: &Value| match value {
            Value::Int(value) => seen_by(&entry.members, &digits, value).map_or(Value::Unknown, |value| {
                Value::Int(facts.constant(&value).map_or(value, Linear::from))
            }),
            value => value.seen_from(None),
        };
        let gives = contribution.gives.iter().map(|block| block.iter().map(told).collect()).collect();
        Some((contribution, gives))
    };
    let all: Vec<(Contribution, Vec<Vec<Value>>)> =
        members.iter().map(|&rank| of(rank)).collect::<Option<_>>()?;
    let block = |giver: usize, index: usize| all[giver].1.get(index).cloned();
    let combined = |givers: std::ops::Range<usize>, index: usize| {
        let blocks: Option<Vec<Vec<Value>>> = givers.map(|giver| block(giver, index)).collect();
        reduce(&all[0].0, &blocks?)
    };
    let everybody = 0..all.len();
    let mut stores = Vec::new();
    for (own, &rank) in members.iter().enumerate() {
        let blocks: Vec<(usize, Option<Vec<Value>>)> = match operation {
            Bcast if Some(own) != root => vec![(0, root.and_then(|root| block(root, 0)))],
            Gather | Gatherv if Some(own) == root => {
                everybody.clone().map(|giver| (giver, block(giver, 0))).collect()
            }
            Allgather | Allgatherv => everybody.clone().map(|giver| (giver, block(giver, 0))).collect(),
            Scatter | Scatterv => vec![(0, root.and_then(|root| block(root, own)))],
            Alltoall | Alltoallv => everybody.clone().map(|giver| (giver, block(giver, own))).collect(),
            Reduce if Some(own) == root => vec![(0, combined(everybody.clone(), 0))],
            Allreduce => vec![(0, combined(everybody.clone(), 0))],
            Scan => vec![(0, combined(0..own + 1, 0))],
            Exscan if 0 < own => vec![(0, combined(0..own, 0))],
            ReduceScatter | ReduceScatterBlock => vec![(0, combined(everybody.clone(), own))],
            _ => Vec::new(),
        };
        let taker = &all[own].0;
        let mut own_stores = Stores::new();
        for (place, values) in blocks {
            let (Some(place), Some(values)) = (taker.takes.get(place), values) else { continue };
            let offsets = (0..place.elements).flat_map(|index| {
                taker
                    .cells
                    .iter()
                    .map(move |&(within, size)| (place.offset + index * taker.extent + within, size))
            });
            own_stores.extend(
                offsets
                    .zip(values)
                    .filter(|(_, value)| *value != Value::Unknown)
                    .map(|((offset, size), value)| (place.object, offset, size, value)),
            );
        }
        stores.push((rank, own_stores));
    }
    Some(stores)
}

/// The outcome of a reduction of blocks, value by value.
fn reduce(first: &Contribution, blocks: &[Vec<Value>]) -> Option<Vec<Value>> {
    let op = first.op.as_deref()?;
    let length = blocks.iter().map(Vec::len).min()?;
    let number = |block: &Vec<Value>, index: usize| block.get(index).and_then(Value::as_constant);
    if first.pairs {
        let greater = match op {
            "MPI_MAXLOC" => true,
            "MPI_MINLOC" => false,
            _ => return None,
        };
        let mut values = Vec::new();
        for index in (0..length).step_by(2) {
            let pairs: Option<Vec<(i64, i64)>> =
                blocks.iter().map(|block| number(block, index).zip(number(block, index + 1))).collect();
            // Of equal ones that with the least index.
            let best = pairs.and_then(|pairs| {
                pairs
                    .into_iter()
                    .min_by_key(|&(value, at)| (if greater { value.checked_neg() } else { Some(value) }, at))
            });
            match best {
                Some((value, at)) => values.extend([Value::int(value), Value::int(at)]),
                None => values.extend([Value::Unknown, Value::Unknown]),
            }
        }
        return Some(values);
    }
    if !first.integral {
        return None;
    }
    let (_, size) = *first.cells.first().or(Some(&(0, 4)))?;
    let combine = |index: usize| {
        let all: Option<Vec<i64>> = blocks.iter().map(|block| number(block, index)).collect();
        let (&start, rest) = all.as_deref()?.split_first()?;
        let fold = |of: fn(i64, i64) -> Option<i64>| rest.iter().try_fold(start, |a, &b| of(a, b));
        let logical =
            |of: fn(bool, bool) -> bool| Some(i64::from(rest.iter().fold(start != 0, |a, &b| of(a, b != 0))));
        let value = match op {
            "MPI_SUM" => fold(i64::checked_add),
            "MPI_PROD" => fold(i64::checked_mul),
            "MPI_MAX" => fold(|a, b| Some(a.max(b))),
            "MPI_MIN" => fold(|a, b| Some(a.min(b))),
            "MPI_BAND" => fold(|a, b| Some(a & b)),
            "MPI_BOR" => fold(|a, b| Some(a | b)),
            "MPI_BXOR" => fold(|a, b| Some(a ^ b)),
            "MPI_LAND" => logical(|a, b| a && b),
            "MPI_LOR" => logical(|a, b| a || b),
            "MPI_LXOR" => logical(|a, b| a != b),
            _ => None,
        };
        // More would not be in every integer type what it is here.
        value.filter(|&value| match size {
            1 => i8::try_from(value).is_ok(),
            2 => i16::try_from(value).is_ok(),
            4 => i32::try_from(value).is_ok(),
            _ => true,
        })
    };
    Some((0..length).map(|index| combine(index).map_or(Value::Unknown, Value::int)).collect())
}
