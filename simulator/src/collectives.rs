//! Collectives: the n-th calls of all members of a communicator are one, and all leave it when all have come.

use std::collections::{BTreeMap, BTreeSet};

use crate::code::{Pointer, UNDEFINED, Value};
use crate::outcome::{FailureKind, Joint};
use crate::requests::Status;
use crate::world::{Result, World, argument, undefined};

/// A grid of processes.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    pub(crate) lengths: Vec<i64>,
    pub(crate) periods: Vec<bool>,
}

impl Grid {
    pub(crate) fn coordinates(&self, mut rank: i64) -> Vec<i64> {
        let mut coordinates: Vec<i64> = self
            .lengths
            .iter()
            .rev()
            .map(|length| {
                let coordinate = rank % length;
                rank /= length;
                coordinate
            })
            .collect();
        coordinates.reverse();
        coordinates
    }

    /// The rank at some coordinates; `None` beyond an end.
    pub(crate) fn rank(&self, coordinates: &[i64]) -> Option<i64> {
        let mut rank = 0;
        for ((coordinate, length), periodic) in coordinates.iter().zip(&self.lengths).zip(&self.periods) {
            let coordinate = if *periodic { coordinate.rem_euclid(*length) } else { *coordinate };
            if !(0..*length).contains(&coordinate) {
                return None;
            }
            rank = rank * length + coordinate;
        }
        Some(rank)
    }
}

/// A communicator.
#[derive(Clone, Debug)]
pub(crate) struct Communicator {
    /// Ranks in `MPI_COMM_WORLD`.
    pub(crate) members: Vec<usize>,
    pub(crate) grid: Option<Grid>,
    /// How many collectives each member has called.
    called: Vec<usize>,
    gatherings: Vec<Gathering>,
    /// By members that have freed it.
    freed: BTreeSet<usize>,
}

#[derive(Clone, Debug)]
struct Gathering {
    name: String,
    calls: BTreeMap<usize, Arrived>,
    is_complete: bool,
}

/// A member that has come.
#[derive(Clone, Debug)]
struct Arrived {
    arguments: Vec<Value>,
    line: u32,
    request: Option<usize>,
}

impl Communicator {
    pub(crate) fn new(members: Vec<usize>) -> Self {
        let called = vec![0; members.len()];
        Self { members, grid: None, called, gatherings: Vec::new(), freed: BTreeSet::new() }
    }

    pub(crate) fn is_complete(&self, number: usize) -> bool {
        self.gatherings.get(number).is_some_and(|gathering| gathering.is_complete)
    }
}

/// Where an operation has its communicator, and its root.
fn places(name: &str) -> Option<(usize, Option<usize>)> {
    let name = name.strip_prefix("MPI_I").map_or(name.to_owned(), |rest| {
        let mut letters = rest.chars();
        let first = letters.next().map(|c| c.to_ascii_uppercase());
        format!("MPI_{}{}", first.unwrap_or_default(), letters.as_str())
    });
    Some(match name.as_str() {
        "MPI_Barrier" | "MPI_Comm_dup" | "MPI_Comm_split" | "MPI_Cart_create" | "MPI_Cart_sub" => (0, None),
        "MPI_Bcast" => (4, Some(3)),
        "MPI_Reduce" => (6, Some(5)),
        "MPI_Allreduce" | "MPI_Scan" | "MPI_Exscan" | "MPI_Reduce_scatter_block" => (5, None),
        "MPI_Gather" | "MPI_Scatter" => (7, Some(6)),
        "MPI_Allgather" | "MPI_Alltoall" => (6, None),
        "MPI_Gatherv" | "MPI_Scatterv" => (8, Some(7)),
        "MPI_Allgatherv" => (7, None),
        "MPI_Alltoallv" => (8, None),
        _ => return None,
    })
}

/// Whether a function is a collective of this simulator.
pub(crate) fn is_collective(name: &str) -> bool {
    places(name).is_some()
}

/// Whether it is one that returns a request.
pub(crate) fn is_nonblocking(name: &str) -> bool {
    is_collective(name) && name.starts_with("MPI_I")
}

impl World<'_> {
    /// The communicator of a handle.
    pub(crate) fn communicator(&self, handle: i64) -> Result<usize> {
        match usize::try_from(handle).ok().filter(|index| *index < self.communicators.len()) {
            Some(index) => Ok(index),
            None => argument("no communicator"),
        }
    }

    /// The rank of a process in a communicator.
    pub(crate) fn rank_in(&self, process: usize, communicator: usize) -> Result<i64> {
        let communicator = &self.communicators[communicator];
        if communicator.freed.contains(&process) {
            return argument("a communicator that was freed");
        }
        match communicator.members.iter().position(|member| *member == process) {
            Some(rank) => Ok(i64::try_from(rank).unwrap_or(i64::MAX)),
            None => argument("a communicator of others"),
        }
    }

    pub(crate) fn free_communicator(&mut self, process: usize, communicator: usize) -> Result {
        self.rank_in(process, communicator)?;
        if communicator == 0 {
            return argument("MPI_COMM_WORLD is freed");
        }
        self.communicators[communicator].freed.insert(process);
        Ok(())
    }

    /// A member comes to a collective: which one of its communicator that is.
    pub(crate) fn come(
        &mut self,
        rank: usize,
        name: &str,
        arguments: &[Value],
        line: u32,
        request: Option<usize>,
    ) -> Result<(usize, usize)> {
        let (at, root) = places(name).expect("only collectives come here");
        let Some(Value::Int(handle)) = arguments.get(at) else { return argument("no communicator") };
        let communicator = self.communicator(*handle)?;
        let member = usize::try_from(self.rank_in(rank, communicator)?).expect("ranks are not negative");
        let members = self.communicators[communicator].members.len();
        if let Some(root) = root {
            let Some(Value::Int(root)) = arguments.get(root) else { return undefined("a root") };
            if !usize::try_from(*root).is_ok_and(|root| root < members) {
                return argument("a root that there is not");
            }
        }
        let this = &mut self.communicators[communicator];
        let number = this.called[member];
        this.called[member] += 1;
        if this.gatherings.len() == number {
            this.gatherings.push(Gathering {
                name: name.to_owned(),
                calls: BTreeMap::new(),
                is_complete: false,
            });
        }
        let gathering = &mut this.gatherings[number];
        if gathering.name != name {
            let text = format!("{name} where others are in {}", gathering.name);
            return Err((FailureKind::CollectiveMismatch, text));
        }
        if let (Some(root), Some(other)) = (root, gathering.calls.values().next())
            && other.arguments.get(root) != arguments.get(root)
        {
            return Err((FailureKind::RootMismatch, format!("another root of {name} than others name")));
        }
        gathering.calls.insert(member, Arrived { arguments: arguments.to_vec(), line, request });
        if gathering.calls.len() == members {
            gathering.is_complete = true;
            let calls: Vec<Arrived> = gathering.calls.values().cloned().collect();
            self.perform(communicator, name, &calls)?;
        }
        Ok((communicator, number))
    }

    fn perform(&mut self, communicator: usize, name: &str, calls: &[Arrived]) -> Result {
        let members = self.communicators[communicator].members.clone();
        let (_, root) = places(name).expect("only collectives come here");
        let root = match root.and_then(|root| calls[0].arguments.get(root)) {
            Some(Value::Int(root)) => usize::try_from(*root).ok(),
            _ => None,
        };
        let mut ranks = members.clone();
        ranks.sort_unstable();
        self.collectives.push(Joint {
            operation: name.to_owned(),
            lines: calls.iter().map(|call| call.line).collect(),
            ranks,
            root: root.map(|root| members[root]),
        });
        let arguments: Vec<&[Value]> = calls.iter().map(|call| call.arguments.as_slice()).collect();
        match name {
            "MPI_Comm_dup" | "MPI_Comm_split" | "MPI_Cart_create" | "MPI_Cart_sub" => {
                self.make_communicators(communicator, name, &arguments)?;
            }
            _ => self.exchange(&members, name, root, &arguments)?,
        }
        for (member, call) in members.iter().zip(calls) {
            if let Some(request) = call.request {
                self.processes[*member].requests[request].complete(Status::EMPTY);
            }
        }
        Ok(())
    }

    fn make_communicators(&mut self, parent: usize, name: &str, calls: &[&[Value]]) -> Result {
        let members = self.communicators[parent].members.clone();
        let number = |call: &[Value], index: usize| match call.get(index) {
            Some(Value::Int(number)) => Ok(*number),
            _ => undefined("a number that was not written"),
        };
        let list = |world: &Self, member: usize, value: Value, length: usize| -> Result<Vec<i64>> {
            let Value::Pointer(start) = value else { return argument("no array") };
            (0..length)
                .map(|index| {
                    let at = Pointer { cell: start.cell + index, ..start };
                    match world.processes[member].load(at)? {
                        Value::Int(number) => Ok(number),
                        _ => undefined("a number that was not written"),
                    }
                })
                .collect()
        };
        // Parts: by what, in which order, and the grid of each.
        let mut parts: BTreeMap<Vec<i64>, Vec<(i64, usize)>> = BTreeMap::new();
        let mut grid = None;
        for (index, call) in calls.iter().enumerate() {
            let position = i64::try_from(index).unwrap_or(i64::MAX);
            let (part, key) = match name {
                "MPI_Comm_dup" => (vec![0], position),
                "MPI_Comm_split" => {
                    let color = number(call, 1)?;
                    if color == UNDEFINED {
                        continue;
                    }
                    if color < 0 {
                        return argument("a negative color");
                    }
                    (vec![color], number(call, 2)?)
                }
                "MPI_Cart_create" => {
                    let dimensions = usize::try_from(number(call, 1)?).unwrap_or_default();
                    let lengths = list(self, members[index], call[2], dimensions)?;
                    let periods = list(self, members[index], call[3], dimensions)?;
                    let all = lengths.iter().try_fold(1_i64, |a, b| a.checked_mul(*b)).unwrap_or(i64::MAX);
                    if lengths.iter().any(|length| *length < 1)
                        || all > i64::try_from(members.len()).unwrap_or(i64::MAX)
                    {
                        return argument("a grid of other than the processes");
                    }
                    grid = Some(Grid { lengths, periods: periods.into_iter().map(|p| p != 0).collect() });
                    if position >= all {
                        continue;
                    }
                    (vec![0], position)
                }
                _ => {
                    let Some(of) = self.communicators[parent].grid.clone() else {
                        return argument("no grid");
                    };
                    let remain = list(self, members[index], call[1], of.lengths.len())?;
                    let coordinates = of.coordinates(position);
                    let kept = |keep: bool| {
                        let remain = remain.clone();
                        move |(index, value): (usize, i64)| ((remain[index] != 0) == keep).then_some(value)
                    };
                    let part = coordinates.iter().copied().enumerate().filter_map(kept(false)).collect();
                    let lengths = of.lengths.iter().copied().enumerate().filter_map(kept(true)).collect();
                    let periods =
                        of.periods.iter().zip(&remain).filter(|(_, r)| **r != 0).map(|(p, _)| *p).collect();
                    grid = Some(Grid { lengths, periods });
                    (part, position)
                }
            };
            parts.entry(part).or_default().push((key, index));
        }
        let mut made = vec![Value::Int(-1); members.len()];
        for part in parts.values_mut() {
            part.sort_unstable();
            let handle = Value::Int(i64::try_from(self.communicators.len()).unwrap_or(i64::MAX));
            let mut new = Communicator::new(part.iter().map(|(_, index)| members[*index]).collect());
            new.grid =
                if name == "MPI_Comm_dup" { self.communicators[parent].grid.clone() } else { grid.clone() };
            self.communicators.push(new);
            for (_, index) in part {
                made[*index] = handle;
            }
        }
        for ((member, call), handle) in members.iter().zip(calls).zip(made) {
            let Some(Value::Pointer(to)) = call.last() else { return argument("no place for a handle") };
            self.processes[*member].store(*to, handle)?;
        }
        Ok(())
    }

    /// What one member gives: so many elements that start so many elements further.
    fn given(
        &self,
        member: usize,
        buffer: Value,
        offset: i64,
        count: Value,
        datatype: Value,
    ) -> Result<Vec<Value>> {
        let process = &self.processes[member];
        let (Value::Int(count), Value::Int(handle)) = (count, datatype) else {
            return undefined("a count or datatype that was not written");
        };
        let datatype = process.usable(handle)?.clone();
        let buffer = shifted(buffer, offset * datatype.extent)?;
        process.read(buffer, count, &datatype)
    }

    /// What one member takes; lengths must agree.
    fn taken(
        &mut self,
        member: usize,
        (buffer, offset): (Value, i64),
        (count, datatype): (Value, Value),
        data: &[Value],
    ) -> Result {
        let (Value::Int(count), Value::Int(handle)) = (count, datatype) else {
            return undefined("a count or datatype that was not written");
        };
        let process = &mut self.processes[member];
        let datatype = process.usable(handle)?.clone();
        let room = count.saturating_mul(i64::try_from(datatype.cells.len()).unwrap_or(i64::MAX));
        if i64::try_from(data.len()) != Ok(room) {
            let text = format!("{} elements into room for {room} at rank {member}", data.len());
            return Err((FailureKind::LengthMismatch, text));
        }
        let buffer = shifted(buffer, offset * datatype.extent)?;
        process.write(buffer, count, &datatype, data)
    }

    fn numbers(&self, member: usize, list: Value, index: usize) -> Result<i64> {
        let Value::Pointer(start) = list else { return argument("no array") };
        match self.processes[member].load(Pointer { cell: start.cell + index, ..start })? {
            Value::Int(number) => Ok(number),
            _ => undefined("a number that was not written"),
        }
    }

    fn exchange(&mut self, members: &[usize], name: &str, root: Option<usize>, calls: &[&[Value]]) -> Result {
        let base = if is_nonblocking(name) {
            let rest = &name[5..];
            format!("MPI_{}{}", rest[..1].to_ascii_uppercase(), &rest[1..])
        } else {
            name.to_owned()
        };
        let at = |index: usize| i64::try_from(index).unwrap_or(i64::MAX);
        let size = members.len();
        match base.as_str() {
            "MPI_Barrier" => {}
            "MPI_Bcast" => {
                let root = root.expect("a broadcast has a root");
                let a = calls[root];
                let data = self.given(members[root], a[0], 0, a[1], a[2])?;
                for (index, a) in calls.iter().enumerate().filter(|(index, _)| *index != root) {
                    self.taken(members[index], (a[0], 0), (a[1], a[2]), &data)?;
                }
            }
            "MPI_Reduce" | "MPI_Allreduce" | "MPI_Scan" | "MPI_Exscan" => {
                self.reduce(members, &base, root, calls)?
            }
            "MPI_Reduce_scatter_block" => {
                let Value::Int(count) = calls[0][2] else { return undefined("a count") };
                let mut sums: Option<Vec<Value>> = None;
                for (index, a) in calls.iter().enumerate() {
                    let data = self.given(members[index], a[0], 0, Value::Int(count * at(size)), a[3])?;
                    sums = Some(combined(sums, data, a[4])?);
                }
                let sums = sums.unwrap_or_default();
                let length = sums.len() / size;
                for (index, a) in calls.iter().enumerate() {
                    self.taken(
                        members[index],
                        (a[1], 0),
                        (a[2], a[3]),
                        &sums[index * length..(index + 1) * length],
                    )?;
                }
            }
            "MPI_Gather" | "MPI_Gatherv" => {
                let root = root.expect("it has a root");
                for (index, a) in calls.iter().enumerate() {
                    let data = self.given(members[index], a[0], 0, a[1], a[2])?;
                    let b = calls[root];
                    let to = members[root];
                    if base == "MPI_Gather" {
                        let Value::Int(count) = b[4] else { return undefined("a count") };
                        self.taken(to, (b[3], at(index) * count), (b[4], b[5]), &data)?;
                    } else {
                        let (count, offset) =
                            (self.numbers(to, b[4], index)?, self.numbers(to, b[5], index)?);
                        self.taken(to, (b[3], offset), (Value::Int(count), b[6]), &data)?;
                    }
                }
            }
            "MPI_Scatter" | "MPI_Scatterv" => {
                let root = root.expect("it has a root");
                for (index, a) in calls.iter().enumerate() {
                    let (b, from) = (calls[root], members[root]);
                    if base == "MPI_Scatter" {
                        let Value::Int(count) = b[1] else { return undefined("a count") };
                        let data = self.given(from, b[0], at(index) * count, b[1], b[2])?;
                        self.taken(members[index], (a[3], 0), (a[4], a[5]), &data)?;
                    } else {
                        let (count, offset) =
                            (self.numbers(from, b[1], index)?, self.numbers(from, b[2], index)?);
                        let data = self.given(from, b[0], offset, Value::Int(count), b[3])?;
                        self.taken(members[index], (a[4], 0), (a[5], a[6]), &data)?;
                    }
                }
            }
            "MPI_Allgather" | "MPI_Allgatherv" => {
                let mut all = Vec::new();
                for (index, a) in calls.iter().enumerate() {
                    all.push(if a[0] == Value::InPlace {
                        let Value::Int(count) = a[4] else { return undefined("a count") };
                        self.given(members[index], a[3], at(index) * count, a[4], a[5])?
                    } else {
                        self.given(members[index], a[0], 0, a[1], a[2])?
                    });
                }
                for (to, a) in members.iter().zip(calls) {
                    for (index, data) in all.iter().enumerate() {
                        if base == "MPI_Allgather" {
                            let Value::Int(count) = a[4] else { return undefined("a count") };
                            self.taken(*to, (a[3], at(index) * count), (a[4], a[5]), data)?;
                        } else {
                            let (count, offset) =
                                (self.numbers(*to, a[4], index)?, self.numbers(*to, a[5], index)?);
                            self.taken(*to, (a[3], offset), (Value::Int(count), a[6]), data)?;
                        }
                    }
                }
            }
            "MPI_Alltoall" | "MPI_Alltoallv" => {
                let mut all: Vec<Vec<Vec<Value>>> = Vec::new();
                for (from, a) in members.iter().zip(calls) {
                    let mut row = Vec::new();
                    for index in 0..size {
                        row.push(if base == "MPI_Alltoall" {
                            let Value::Int(count) = a[1] else { return undefined("a count") };
                            self.given(*from, a[0], at(index) * count, a[1], a[2])?
                        } else {
                            let (count, offset) =
                                (self.numbers(*from, a[1], index)?, self.numbers(*from, a[2], index)?);
                            self.given(*from, a[0], offset, Value::Int(count), a[3])?
                        });
                    }
                    all.push(row);
                }
                for (column, (to, a)) in members.iter().zip(calls).enumerate() {
                    for (index, row) in all.iter().enumerate() {
                        let data = &row[column];
                        if base == "MPI_Alltoall" {
                            let Value::Int(count) = a[4] else { return undefined("a count") };
                            self.taken(*to, (a[3], at(index) * count), (a[4], a[5]), data)?;
                        } else {
                            let (count, offset) =
                                (self.numbers(*to, a[5], index)?, self.numbers(*to, a[6], index)?);
                            self.taken(*to, (a[4], offset), (Value::Int(count), a[7]), data)?;
                        }
                    }
                }
            }
            _ => return argument("an unknown collective"),
        }
        Ok(())
    }

    fn reduce(&mut self, members: &[usize], base: &str, root: Option<usize>, calls: &[&[Value]]) -> Result {
        let mut sums: Option<Vec<Value>> = None;
        let mut before: Vec<Option<Vec<Value>>> = Vec::new();
        let mut after: Vec<Vec<Value>> = Vec::new();
        for (index, a) in calls.iter().enumerate() {
            let from = if a[0] == Value::InPlace { a[1] } else { a[0] };
            let data = self.given(members[index], from, 0, a[2], a[3])?;
            if sums.as_ref().is_some_and(|sums| sums.len() != data.len()) {
                let text = format!("{} elements at rank {}, others at others", data.len(), members[index]);
                return Err((FailureKind::LengthMismatch, text));
            }
            before.push(sums.clone());
            let combined = combined(sums, data, a[4])?;
            after.push(combined.clone());
            sums = Some(combined);
        }
        let sums = sums.unwrap_or_default();
        for (index, a) in calls.iter().enumerate() {
            let result = match base {
                "MPI_Reduce" if root != Some(index) => None,
                "MPI_Scan" => Some(after[index].clone()),
                "MPI_Exscan" => before[index].clone(),
                _ => Some(sums.clone()),
            };
            if let Some(result) = result {
                self.taken(members[index], (a[1], 0), (a[2], a[3]), &result)?;
            }
        }
        Ok(())
    }
}

fn shifted(buffer: Value, cells: i64) -> Result<Value> {
    match buffer {
        Value::Pointer(pointer) => Ok(Value::Pointer(crate::world::Process::further(pointer, cells)?)),
        other => Ok(other),
    }
}

/// Element by element; what is not known stays so.
fn combined(sums: Option<Vec<Value>>, data: Vec<Value>, operation: Value) -> Result<Vec<Value>> {
    let Some(sums) = sums else { return Ok(data) };
    let one = |(a, b): (Value, Value)| match (a, b, operation) {
        (Value::Int(a), Value::Int(b), Value::Int(0)) => Value::Int(a.saturating_add(b)),
        (Value::Int(a), Value::Int(b), Value::Int(1)) => Value::Int(a.max(b)),
        (Value::Int(a), Value::Int(b), _) => Value::Int(a.min(b)),
        _ => Value::Open,
    };
    Ok(sums.into_iter().zip(data).map(one).collect())
}
