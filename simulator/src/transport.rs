//! Messages between two processes: in the order of their sends for each pair and communicator (MPI-4.1 section 3.5), to receives in
//! the order in which they were started.

use crate::code::{ANY_SOURCE, ANY_TAG, PROC_NULL, Value};
use crate::datatypes::Basic;
use crate::outcome::{FailureKind, Order, Sent};
use crate::requests::{State, Status};
use crate::world::{Result, World, argument};

/// What only meets its own kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Ordinary,
    Partitioned,
}

/// A message.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    /// In `MPI_COMM_WORLD`.
    pub(crate) from: usize,
    pub(crate) communicator: usize,
    /// In the communicator.
    pub(crate) source: i64,
    pub(crate) tag: i64,
    class: Class,
    basic: Basic,
    data: Vec<Value>,
    count: i64,
    bytes: i64,
    datatype: Option<&'static str>,
    pub(crate) line: u32,
    /// The sender's request that is complete when it is received.
    request: Option<usize>,
}

impl Message {
    pub(crate) fn status(&self) -> Status {
        Status { source: self.source, tag: self.tag, bytes: self.bytes }
    }
}

/// A receive that waits.
#[derive(Clone, Debug)]
pub(crate) struct Posted {
    pub(crate) communicator: usize,
    pub(crate) source: i64,
    pub(crate) tag: i64,
    class: Class,
    buffer: Value,
    count: i64,
    datatype: i64,
    request: usize,
    pub(crate) line: u32,
}

impl Posted {
    fn takes(&self, message: &Message) -> bool {
        self.class == message.class && takes((self.communicator, self.source, self.tag), message)
    }
}

fn takes((communicator, source, tag): (usize, i64, i64), message: &Message) -> bool {
    communicator == message.communicator
        && (source == ANY_SOURCE || source == message.source)
        && (tag == ANY_TAG || tag == message.tag)
}

/// A send or receive as it is described.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Description {
    pub(crate) buffer: Value,
    pub(crate) count: i64,
    pub(crate) datatype: i64,
    pub(crate) peer: i64,
    pub(crate) tag: i64,
    pub(crate) communicator: i64,
    pub(crate) class: Class,
    pub(crate) line: u32,
    /// Whether a send waits for its receive in any case.
    pub(crate) is_synchronous: bool,
}

impl World<'_> {
    /// Starts a send; its request is complete when it may be waited for without end.
    pub(crate) fn send(&mut self, rank: usize, d: Description, request: usize) -> Result {
        let communicator = self.communicator(d.communicator)?;
        let members = &self.communicators[communicator].members;
        let size = i64::try_from(members.len()).unwrap_or(i64::MAX);
        if d.tag < 0 {
            return argument("a negative tag");
        }
        let source = self.rank_in(rank, communicator)?;
        if d.peer == PROC_NULL {
            self.processes[rank].requests[request].complete(Status::NOBODY);
            return Ok(());
        }
        if !(0..size).contains(&d.peer) {
            return argument("a rank that there is not");
        }
        let to = members[usize::try_from(d.peer).expect("looked at above")];
        let process = &self.processes[rank];
        let datatype = process.usable(d.datatype)?.clone();
        let data = process.read(d.buffer, d.count, &datatype)?;
        let waits = d.is_synchronous || !self.setting.buffered;
        let message = Message {
            from: rank,
            communicator,
            source,
            tag: d.tag,
            class: d.class,
            basic: datatype.basic,
            data,
            count: d.count,
            bytes: d.count * datatype.bytes(),
            datatype: datatype.name,
            line: d.line,
            request: waits.then_some(request),
        };
        if !waits {
            self.processes[rank].requests[request].complete(Status::EMPTY);
        }
        match self.setting.order {
            Order::InTurn => self.deliver(to, message),
            Order::Random(_) => {
                self.ways.entry((rank, to)).or_default().push_back(message);
                Ok(())
            }
        }
    }

    /// Starts a receive.
    pub(crate) fn receive(&mut self, rank: usize, d: Description, request: usize) -> Result {
        let communicator = self.peer_is_valid(rank, d.communicator, d.peer, d.tag)?;
        let process = &mut self.processes[rank];
        process.usable(d.datatype)?;
        if d.count < 0 {
            return argument("a negative count");
        }
        if d.peer == PROC_NULL {
            process.requests[request].complete(Status::NOBODY);
            return Ok(());
        }
        let posted = Posted {
            communicator,
            source: d.peer,
            tag: d.tag,
            class: d.class,
            buffer: d.buffer,
            count: d.count,
            datatype: d.datatype,
            request,
            line: d.line,
        };
        match self.arrived[rank].iter().position(|message| posted.takes(message)) {
            Some(index) => {
                let message = self.arrived[rank].remove(index);
                self.meet(rank, &posted, &message)
            }
            None => {
                self.posted[rank].push(posted);
                Ok(())
            }
        }
    }

    /// Receives a message that a matched probe took out.
    pub(crate) fn receive_probed(
        &mut self,
        rank: usize,
        d: Description,
        message: &Message,
        request: usize,
    ) -> Result {
        let posted = Posted {
            communicator: message.communicator,
            source: message.source,
            tag: message.tag,
            class: Class::Ordinary,
            buffer: d.buffer,
            count: d.count,
            datatype: d.datatype,
            request,
            line: d.line,
        };
        self.meet(rank, &posted, message)
    }

    /// A message is there: the first receive that takes it gets it.
    pub(crate) fn deliver(&mut self, to: usize, message: Message) -> Result {
        match self.posted[to].iter().position(|posted| posted.takes(&message)) {
            Some(index) => {
                let posted = self.posted[to].remove(index);
                self.meet(to, &posted, &message)
            }
            None => {
                self.arrived[to].push(message);
                Ok(())
            }
        }
    }

    fn meet(&mut self, to: usize, posted: &Posted, message: &Message) -> Result {
        let process = &mut self.processes[to];
        let datatype = process.usable(posted.datatype)?.clone();
        let room = posted.count * datatype.bytes();
        if room < message.bytes {
            let text = format!(
                "{} bytes from line {} into room for {room} in line {}",
                message.bytes, message.line, posted.line
            );
            process.line = posted.line;
            return Err((FailureKind::Truncation, text));
        }
        if message.basic != datatype.basic && message.bytes > 0 {
            let text =
                format!("elements of line {} received as others in line {}", message.line, posted.line);
            process.line = posted.line;
            return Err((FailureKind::TypeMismatch, text));
        }
        process.write(posted.buffer, posted.count, &datatype, &message.data)?;
        process.requests[posted.request].complete(message.status());
        self.messages.push(Sent {
            from: message.from,
            to,
            send_line: message.line,
            recv_line: posted.line,
            tag: message.tag,
            count: message.count,
            bytes: message.bytes,
            datatype: message.datatype,
        });
        if let Some(request) = message.request {
            let request = &mut self.processes[message.from].requests[request];
            if request.state == State::Active {
                request.complete(Status::EMPTY);
            }
        }
        Ok(())
    }

    /// The first message that a probe finds.
    pub(crate) fn find(&self, rank: usize, wanted: (usize, i64, i64)) -> Option<usize> {
        let is_it = |m: &Message| m.class == Class::Ordinary && takes(wanted, m);
        self.arrived[rank].iter().position(is_it)
    }

    /// Whether a receive or probe may name this peer and tag.
    pub(crate) fn peer_is_valid(&self, rank: usize, communicator: i64, peer: i64, tag: i64) -> Result<usize> {
        let communicator = self.communicator(communicator)?;
        self.rank_in(rank, communicator)?;
        let size = i64::try_from(self.communicators[communicator].members.len()).unwrap_or(i64::MAX);
        if tag < 0 && tag != ANY_TAG {
            return argument("a negative tag");
        }
        if !(0..size).contains(&peer) && peer != ANY_SOURCE && peer != PROC_NULL {
            return argument("a rank that there is not");
        }
        Ok(communicator)
    }
}
