//! What the functions of MPI do to the process that calls them.

use crate::code::{PROC_NULL, Pointer, Value};
use crate::collectives::{is_collective, is_nonblocking};
use crate::datatypes::Datatype;
use crate::requests::{Pending, Start, State};
use crate::transport::{Class, Description};
use crate::world::{Result, Step, World, argument, undefined};

/// The arguments of a call.
struct Arguments<'a>(&'a [Value]);

impl Arguments<'_> {
    fn number(&self, index: usize) -> Result<i64> {
        match self.0.get(index) {
            Some(Value::Int(number)) => Ok(*number),
            _ => undefined("a number that was not written"),
        }
    }

    fn value(&self, index: usize) -> Result<Value> {
        self.0.get(index).copied().map_or_else(|| argument("too few arguments"), Ok)
    }

    fn pointer(&self, index: usize) -> Result<Pointer> {
        match self.0.get(index) {
            Some(Value::Pointer(pointer)) => Ok(*pointer),
            _ => argument("no address"),
        }
    }

    /// `None` for `MPI_STATUS_IGNORE`.
    fn optional(&self, index: usize) -> Result<Option<Pointer>> {
        match self.0.get(index) {
            Some(Value::Pointer(pointer)) => Ok(Some(*pointer)),
            Some(Value::Null) => Ok(None),
            _ => argument("no address"),
        }
    }

    /// Pointers to so many handles.
    fn handles(&self, count: usize, index: usize) -> Result<Vec<Pointer>> {
        let Ok(count) = usize::try_from(self.number(count)?) else { return argument("a negative count") };
        if count == 0 {
            return Ok(Vec::new());
        }
        let start = self.pointer(index)?;
        Ok((0..count).map(|index| Pointer { cell: start.cell + index, ..start }).collect())
    }

    /// Buffer, count, datatype, peer, tag, communicator, from an index on.
    fn description(&self, from: usize, line: u32) -> Result<Description> {
        Ok(Description {
            buffer: self.value(from)?,
            count: self.number(from + 1)?,
            datatype: self.number(from + 2)?,
            peer: self.number(from + 3)?,
            tag: self.number(from + 4)?,
            communicator: self.number(from + 5)?,
            class: Class::Ordinary,
            line,
            is_synchronous: false,
        })
    }
}

fn handle_of(index: usize) -> Value {
    Value::Int(i64::try_from(index + 1).unwrap_or(i64::MAX))
}

impl World<'_> {
    /// Executes a call.
    pub(crate) fn mpi(&mut self, rank: usize, name: &str, arguments: &[Value], line: u32) -> Result<Step> {
        let a = Arguments(arguments);
        if is_collective(name) {
            return self.collective(rank, name, &a, line);
        }
        match name {
            "MPI_Init" | "MPI_Finalize" => {}
            "MPI_Abort" => return Ok(Step::Abort),
            "MPI_Comm_rank" => {
                let communicator = self.communicator(a.number(0)?)?;
                let number = self.rank_in(rank, communicator)?;
                self.processes[rank].store(a.pointer(1)?, Value::Int(number))?;
            }
            "MPI_Comm_size" => {
                let communicator = self.communicator(a.number(0)?)?;
                self.rank_in(rank, communicator)?;
                let size = self.communicators[communicator].members.len();
                let size = Value::Int(i64::try_from(size).unwrap_or(i64::MAX));
                self.processes[rank].store(a.pointer(1)?, size)?;
            }
            "MPI_Comm_free" => {
                let to = a.pointer(0)?;
                let Value::Int(handle) = self.processes[rank].load(to)? else {
                    return argument("no communicator");
                };
                let communicator = self.communicator(handle)?;
                self.free_communicator(rank, communicator)?;
                self.processes[rank].store(to, Value::Int(-1))?;
            }
            "MPI_Cart_coords" | "MPI_Cart_shift" | "MPI_Cart_rank" => self.ask_grid(rank, name, &a)?,
            "MPI_Type_contiguous" | "MPI_Type_vector" | "MPI_Type_commit" | "MPI_Type_free" => {
                self.datatype_call(rank, name, &a)?;
            }
            "MPI_Get_count" => {
                let bytes = Pointer { cell: a.pointer(0)?.cell + 2, ..a.pointer(0)? };
                let process = &mut self.processes[rank];
                let Value::Int(bytes) = process.load(bytes)? else {
                    return undefined("a status that was not written");
                };
                let size = process.datatype(a.number(1)?)?.bytes();
                let count =
                    if size == 0 || bytes % size != 0 { crate::code::UNDEFINED } else { bytes / size };
                process.store(a.pointer(2)?, Value::Int(count))?;
            }
            "MPI_Wait" => {
                self.processes[rank].named(a.pointer(0)?)?;
                let pending = Pending::All { handles: vec![a.pointer(0)?], statuses: a.optional(1)? };
                return self.wait(rank, pending);
            }
            "MPI_Waitall" => {
                let handles = a.handles(0, 1)?;
                handles.iter().try_for_each(|handle| self.processes[rank].named(*handle).map(|_| ()))?;
                let pending = Pending::All { handles, statuses: a.optional(2)? };
                return self.wait(rank, pending);
            }
            "MPI_Waitany" => {
                let handles = a.handles(0, 1)?;
                handles.iter().try_for_each(|handle| self.processes[rank].named(*handle).map(|_| ()))?;
                let pending = Pending::Any { handles, index: a.pointer(2)?, status: a.optional(3)? };
                return self.wait(rank, pending);
            }
            "MPI_Test" => return self.test(rank, vec![a.pointer(0)?], a.pointer(1)?, a.optional(2)?),
            "MPI_Testall" => return self.test(rank, a.handles(0, 1)?, a.pointer(2)?, a.optional(3)?),
            "MPI_Probe" | "MPI_Mprobe" => {
                let communicator = self.peer_is_valid(rank, a.number(2)?, a.number(0)?, a.number(1)?)?;
                let wanted = (communicator, a.number(0)?, a.number(1)?);
                let (message, status) =
                    if name == "MPI_Probe" { (None, 3) } else { (Some(a.pointer(3)?), 4) };
                return self.wait(rank, Pending::Probe { wanted, status: a.optional(status)?, message });
            }
            "MPI_Iprobe" => {
                let communicator = self.peer_is_valid(rank, a.number(2)?, a.number(0)?, a.number(1)?)?;
                let wanted = (communicator, a.number(0)?, a.number(1)?);
                let is_there = wanted.1 == PROC_NULL || self.find(rank, wanted).is_some();
                self.processes[rank].store(a.pointer(3)?, Value::Int(i64::from(is_there)))?;
                if !is_there {
                    return Ok(Step::Question);
                }
                return self.wait(rank, Pending::Probe { wanted, status: a.optional(4)?, message: None });
            }
            "MPI_Mrecv" => {
                let to = a.pointer(3)?;
                let process = &mut self.processes[rank];
                let Value::Int(handle) = process.load(to)? else { return argument("no message") };
                let index = usize::try_from(handle - 1).ok();
                let Some(message) = index.and_then(|i| process.probed.get_mut(i)).and_then(Option::take)
                else {
                    return argument("no message");
                };
                process.store(to, Value::Int(0))?;
                let description = Description {
                    buffer: a.value(0)?,
                    count: a.number(1)?,
                    datatype: a.number(2)?,
                    peer: message.source,
                    tag: message.tag,
                    communicator: 0,
                    class: Class::Ordinary,
                    line,
                    is_synchronous: false,
                };
                let request = self.request(rank, line, false);
                self.receive_probed(rank, description, &message, request)?;
                let pending = Pending::Internal { requests: vec![request], status: a.optional(4)? };
                return self.wait(rank, pending);
            }
            "MPI_Start" => self.start(rank, a.pointer(0)?)?,
            "MPI_Startall" => {
                a.handles(0, 1)?.into_iter().try_for_each(|handle| self.start(rank, handle))?;
            }
            "MPI_Pready" => self.partition_ready(rank, a.number(1)?, a.number(0)?)?,
            "MPI_Pready_range" => {
                (a.number(0)?..=a.number(1)?)
                    .try_for_each(|p| self.partition_ready(rank, a.number(2)?, p))?;
            }
            "MPI_Request_free" => {
                let process = &mut self.processes[rank];
                let handle = a.pointer(0)?;
                let Some(index) = process.named(handle)? else { return argument("a free of no request") };
                if process.requests[index].state == State::Inactive {
                    process.requests[index].is_freed = true;
                    process.store(handle, Value::Int(0))?;
                } else {
                    return argument("a free of an active request");
                }
            }
            _ => return self.point_to_point(rank, name, &a, line),
        }
        Ok(Step::Call)
    }

    fn point_to_point(&mut self, rank: usize, name: &str, a: &Arguments<'_>, line: u32) -> Result<Step> {
        let is_synchronous = matches!(name, "MPI_Ssend" | "MPI_Issend" | "MPI_Ssend_init");
        match name {
            "MPI_Send" | "MPI_Ssend" => {
                let request = self.request(rank, line, false);
                let description = Description { is_synchronous, ..a.description(0, line)? };
                self.send(rank, description, request)?;
                self.wait(rank, Pending::Internal { requests: vec![request], status: None })
            }
            "MPI_Recv" => {
                let request = self.request(rank, line, false);
                self.receive(rank, a.description(0, line)?, request)?;
                self.wait(rank, Pending::Internal { requests: vec![request], status: a.optional(6)? })
            }
            "MPI_Isend" | "MPI_Issend" => {
                let request = self.request(rank, line, true);
                let description = Description { is_synchronous, ..a.description(0, line)? };
                self.send(rank, description, request)?;
                self.processes[rank].store(a.pointer(6)?, handle_of(request))?;
                Ok(Step::Call)
            }
            "MPI_Irecv" => {
                let request = self.request(rank, line, true);
                self.receive(rank, a.description(0, line)?, request)?;
                self.processes[rank].store(a.pointer(6)?, handle_of(request))?;
                Ok(Step::Call)
            }
            "MPI_Sendrecv" => {
                let out = Description {
                    communicator: a.number(10)?,
                    ..Arguments(&[&a.0[..5], &a.0[10..11]].concat()).description(0, line)?
                };
                let into = a.description(5, line)?;
                self.both(rank, out, into, a.optional(11)?, line)
            }
            "MPI_Sendrecv_replace" => {
                let d = |peer: usize| -> Result<Description> {
                    Ok(Description {
                        buffer: a.value(0)?,
                        count: a.number(1)?,
                        datatype: a.number(2)?,
                        peer: a.number(peer)?,
                        tag: a.number(peer + 1)?,
                        communicator: a.number(7)?,
                        class: Class::Ordinary,
                        line,
                        is_synchronous: false,
                    })
                };
                self.both(rank, d(3)?, d(5)?, a.optional(8)?, line)
            }
            "MPI_Send_init" | "MPI_Ssend_init" | "MPI_Recv_init" => {
                let description = Description { is_synchronous, ..a.description(0, line)? };
                let start = if name == "MPI_Recv_init" {
                    Start::Receive(description)
                } else {
                    Start::Send(description)
                };
                let request = self.prepare(rank, start, line);
                self.processes[rank].store(a.pointer(6)?, handle_of(request))?;
                Ok(Step::Call)
            }
            "MPI_Psend_init" | "MPI_Precv_init" => {
                // Partitions come between the buffer and the count.
                let partitions = a.number(1)?;
                let rest = Arguments(&[&a.0[..1], &a.0[2..]].concat()).description(0, line)?;
                let description =
                    Description { count: rest.count * partitions, class: Class::Partitioned, ..rest };
                let Ok(partitions) = usize::try_from(partitions) else { return argument("a negative count") };
                let start = if name == "MPI_Precv_init" {
                    Start::Receive(description)
                } else {
                    Start::PartitionedSend(description, partitions)
                };
                let request = self.prepare(rank, start, line);
                self.processes[rank].store(a.pointer(8)?, handle_of(request))?;
                Ok(Step::Call)
            }
            _ => argument(&format!("{name} is not known here")),
        }
    }

    /// A send and a receive at once.
    fn both(
        &mut self,
        rank: usize,
        out: Description,
        into: Description,
        status: Option<Pointer>,
        line: u32,
    ) -> Result<Step> {
        let requests = vec![self.request(rank, line, false), self.request(rank, line, false)];
        // What is sent is read before anything is received.
        self.send(rank, out, requests[0])?;
        self.receive(rank, into, requests[1])?;
        self.wait(rank, Pending::Internal { requests, status })
    }

    fn test(
        &mut self,
        rank: usize,
        handles: Vec<Pointer>,
        flag: Pointer,
        status: Option<Pointer>,
    ) -> Result<Step> {
        let process = &mut self.processes[rank];
        handles.iter().try_for_each(|handle| process.named(*handle).map(|_| ()))?;
        let is_over = handles.iter().all(|handle| process.is_over(*handle));
        process.store(flag, Value::Int(i64::from(is_over)))?;
        if !is_over {
            return Ok(Step::Question);
        }
        self.wait(rank, Pending::All { handles, statuses: status })
    }

    fn collective(&mut self, rank: usize, name: &str, a: &Arguments<'_>, line: u32) -> Result<Step> {
        if !is_nonblocking(name) {
            let (communicator, number) = self.come(rank, name, a.0, line, None)?;
            return self.wait(rank, Pending::Collective { communicator, number });
        }
        let request = self.request(rank, line, true);
        let last = a.0.len() - 1;
        let handle = a.pointer(last)?;
        self.processes[rank].store(handle, handle_of(request))?;
        self.come(rank, name, &a.0[..last], line, Some(request))?;
        Ok(Step::Call)
    }

    fn ask_grid(&mut self, rank: usize, name: &str, a: &Arguments<'_>) -> Result {
        let communicator = self.communicator(a.number(0)?)?;
        let own = self.rank_in(rank, communicator)?;
        let Some(grid) = self.communicators[communicator].grid.clone() else { return argument("no grid") };
        let process = &mut self.processes[rank];
        match name {
            "MPI_Cart_coords" => {
                let start = a.pointer(3)?;
                for (index, coordinate) in grid.coordinates(a.number(1)?).into_iter().enumerate() {
                    process.store(Pointer { cell: start.cell + index, ..start }, Value::Int(coordinate))?;
                }
            }
            "MPI_Cart_rank" => {
                let start = a.pointer(1)?;
                let mut coordinates = Vec::new();
                for index in 0..grid.lengths.len() {
                    match process.load(Pointer { cell: start.cell + index, ..start })? {
                        Value::Int(number) => coordinates.push(number),
                        _ => return undefined("a coordinate that was not written"),
                    }
                }
                let Some(number) = grid.rank(&coordinates) else {
                    return argument("coordinates beyond the end");
                };
                process.store(a.pointer(2)?, Value::Int(number))?;
            }
            _ => {
                let Some(dimension) = usize::try_from(a.number(1)?).ok().filter(|d| *d < grid.lengths.len())
                else {
                    return argument("a dimension that there is not");
                };
                for (sign, to) in [(-1, 3), (1, 4)] {
                    let mut coordinates = grid.coordinates(own);
                    coordinates[dimension] += sign * a.number(2)?;
                    let other = grid.rank(&coordinates).unwrap_or(PROC_NULL);
                    process.store(a.pointer(to)?, Value::Int(other))?;
                }
            }
        }
        Ok(())
    }

    fn datatype_call(&mut self, rank: usize, name: &str, a: &Arguments<'_>) -> Result {
        let process = &mut self.processes[rank];
        let (made, to) = match name {
            "MPI_Type_contiguous" => {
                (Datatype::contiguous(process.datatype(a.number(1)?)?, a.number(0)?), a.pointer(2)?)
            }
            "MPI_Type_vector" => {
                let of = process.datatype(a.number(3)?)?;
                (Datatype::vector(of, a.number(0)?, a.number(1)?, a.number(2)?), a.pointer(4)?)
            }
            _ => {
                let handle = a.pointer(0)?;
                let Value::Int(number) = process.load(handle)? else { return argument("no datatype") };
                process.datatype(number)?;
                let Some(datatype) = usize::try_from(number)
                    .ok()
                    .filter(|i| *i > 1)
                    .and_then(|i| process.datatypes.get_mut(i))
                else {
                    return argument("a predefined datatype");
                };
                if name == "MPI_Type_commit" {
                    datatype.is_committed = true;
                } else {
                    datatype.is_freed = true;
                    process.store(handle, Value::Int(-1))?;
                }
                return Ok(());
            }
        };
        process.datatypes.push(made);
        let handle = Value::Int(i64::try_from(process.datatypes.len() - 1).unwrap_or(i64::MAX));
        process.store(to, handle)
    }
}
