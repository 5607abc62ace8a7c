//! Requests, and what calls wait for.

use crate::code::{ANY_SOURCE, ANY_TAG, PROC_NULL, Pointer, Value};
use crate::outcome::Order;
use crate::transport::Description;
use crate::world::{Process, Result, Step, World, argument};

/// What a status tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Status {
    pub(crate) source: i64,
    pub(crate) tag: i64,
    pub(crate) bytes: i64,
}

impl Status {
    /// Of what is no receive.
    pub(crate) const EMPTY: Self = Self { source: ANY_SOURCE, tag: ANY_TAG, bytes: 0 };
    /// Of a receive from `MPI_PROC_NULL`.
    pub(crate) const NOBODY: Self = Self { source: PROC_NULL, tag: ANY_TAG, bytes: 0 };
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// A persistent one that is not started, or any that is used up.
    Inactive,
    Active,
    Complete,
}

/// What a persistent request starts.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Start {
    Send(Description),
    Receive(Description),
    /// With so many partitions.
    PartitionedSend(Description, usize),
}

#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) state: State,
    pub(crate) status: Status,
    pub(crate) persistent: Option<Start>,
    /// Which partitions are ready.
    pub(crate) ready: Vec<bool>,
    pub(crate) line: u32,
    pub(crate) is_freed: bool,
    /// Whether the program has a handle of it.
    is_visible: bool,
}

impl Request {
    pub(crate) fn complete(&mut self, status: Status) {
        self.state = State::Complete;
        self.status = status;
    }

    /// Whether it was started, and is still not waited for.
    pub(crate) fn is_unwaited(&self) -> bool {
        self.is_visible && self.state != State::Inactive && !self.is_freed
    }
}

/// A call that may wait.
#[derive(Clone, Debug)]
pub(crate) enum Pending {
    /// For requests that no handle names; the status is that of the last.
    Internal { requests: Vec<usize>, status: Option<Pointer> },
    /// For all of these handles.
    All { handles: Vec<Pointer>, statuses: Option<Pointer> },
    /// For any of these handles.
    Any { handles: Vec<Pointer>, index: Pointer, status: Option<Pointer> },
    /// For a message; taken out for a handle where one is given.
    Probe { wanted: (usize, i64, i64), status: Option<Pointer>, message: Option<Pointer> },
    /// For all members of a communicator.
    Collective { communicator: usize, number: usize },
}

impl World<'_> {
    /// A request that is active.
    pub(crate) fn request(&mut self, rank: usize, line: u32, is_visible: bool) -> usize {
        let requests = &mut self.processes[rank].requests;
        requests.push(Request {
            state: State::Active,
            status: Status::EMPTY,
            persistent: None,
            ready: Vec::new(),
            line,
            is_freed: false,
            is_visible,
        });
        requests.len() - 1
    }

    /// A request that can be started again and again.
    pub(crate) fn prepare(&mut self, rank: usize, start: Start, line: u32) -> usize {
        let index = self.request(rank, line, true);
        let request = &mut self.processes[rank].requests[index];
        request.state = State::Inactive;
        request.persistent = Some(start);
        index
    }

    /// Starts a persistent request.
    pub(crate) fn start(&mut self, rank: usize, handle: Pointer) -> Result {
        let Some(index) = self.processes[rank].named(handle)? else {
            return argument("a start of no request");
        };
        let request = &mut self.processes[rank].requests[index];
        let Some(start) = request.persistent else { return argument("a start of what is not persistent") };
        if request.state != State::Inactive {
            return argument("a start of what is active");
        }
        request.state = State::Active;
        match start {
            Start::Send(description) => self.send(rank, description, index),
            Start::Receive(description) => self.receive(rank, description, index),
            Start::PartitionedSend(_, partitions) => {
                request.ready = vec![false; partitions];
                Ok(())
            }
        }
    }

    /// A partition of a send may leave; the message does when all may.
    pub(crate) fn partition_ready(&mut self, rank: usize, handle: i64, partition: i64) -> Result {
        let index = handle - 1;
        let request = usize::try_from(index).ok().and_then(|i| self.processes[rank].requests.get_mut(i));
        let Some(request) = request else { return argument("no request") };
        let Some(Start::PartitionedSend(description, _)) = request.persistent else {
            return argument("no partitioned send");
        };
        let ready = usize::try_from(partition).ok().and_then(|p| request.ready.get_mut(p));
        match ready {
            Some(is_ready) if request.state == State::Active && !*is_ready => *is_ready = true,
            _ => return argument("a partition that cannot be ready"),
        }
        if request.ready.iter().all(|is_ready| *is_ready) {
            let request = usize::try_from(index).expect("looked at above");
            return self.send(rank, description, request);
        }
        Ok(())
    }

    /// Waits: goes on at once if it can.
    pub(crate) fn wait(&mut self, rank: usize, pending: Pending) -> Result<Step> {
        self.processes[rank].pending = Some(pending);
        if self.can_go_on(rank) {
            self.go_on(rank)?;
            return Ok(Step::Call);
        }
        // It has started something: that may let others go on.
        Ok(Step::Call)
    }

    pub(crate) fn can_go_on(&self, rank: usize) -> bool {
        let process = &self.processes[rank];
        let is_over = |handle: &Pointer| process.is_over(*handle);
        match &process.pending {
            None => true,
            Some(Pending::Internal { requests, .. }) => {
                requests.iter().all(|request| process.requests[*request].state != State::Active)
            }
            Some(Pending::All { handles, .. }) => handles.iter().all(is_over),
            Some(Pending::Any { handles, .. }) => {
                let open = handles.iter().filter(|handle| process.is_active(**handle));
                handles.iter().any(|handle| process.is_active(*handle) && is_over(handle))
                    || open.count() == 0
            }
            Some(Pending::Probe { wanted, .. }) => {
                wanted.1 == PROC_NULL || self.find(rank, *wanted).is_some()
            }
            Some(Pending::Collective { communicator, number }) => {
                self.communicators[*communicator].is_complete(*number)
            }
        }
    }

    /// What a call that need not wait any longer leaves behind.
    pub(crate) fn go_on(&mut self, rank: usize) -> Result {
        let Some(pending) = self.processes[rank].pending.take() else { return Ok(()) };
        match pending {
            Pending::Internal { requests, status } => {
                let process = &mut self.processes[rank];
                for request in &requests {
                    process.requests[*request].state = State::Inactive;
                }
                if let Some(last) = requests.last() {
                    process.tell(status, process.requests[*last].status)?;
                }
            }
            Pending::All { handles, statuses } => {
                let process = &mut self.processes[rank];
                for (index, handle) in handles.into_iter().enumerate() {
                    let status = process.finish(handle)?;
                    let cells = index * crate::code::STATUS_CELLS;
                    let at = statuses.map(|s| Pointer { cell: s.cell + cells, ..s });
                    process.tell(at, status)?;
                }
            }
            Pending::Any { handles, index, status } => {
                let process = &self.processes[rank];
                let ready: Vec<usize> = (0..handles.len())
                    .filter(|i| process.is_active(handles[*i]) && process.is_over(handles[*i]))
                    .collect();
                let chosen = match self.setting.order {
                    _ if ready.is_empty() => None,
                    Order::InTurn => ready.first().copied(),
                    Order::Random(_) => Some(*self.random.choose(&ready)),
                };
                let process = &mut self.processes[rank];
                match chosen {
                    None => {
                        process.store(index, Value::Int(crate::code::UNDEFINED))?;
                        process.tell(status, Status::EMPTY)?;
                    }
                    Some(chosen) => {
                        let told = process.finish(handles[chosen])?;
                        process.store(index, Value::Int(i64::try_from(chosen).unwrap_or(i64::MAX)))?;
                        process.tell(status, told)?;
                    }
                }
            }
            Pending::Probe { wanted, status, message } => {
                let found = self.find(rank, wanted);
                let told = found.map_or(Status::NOBODY, |index| self.arrived[rank][index].status());
                let process = &mut self.processes[rank];
                process.tell(status, told)?;
                if let (Some(handle), Some(index)) = (message, found) {
                    let message = self.arrived[rank].remove(index);
                    process.probed.push(Some(message));
                    let number = i64::try_from(process.probed.len()).unwrap_or(i64::MAX);
                    process.store(handle, Value::Int(number))?;
                }
            }
            Pending::Collective { .. } => {}
        }
        Ok(())
    }
}

impl Process {
    /// The request that a handle names.
    pub(crate) fn named(&self, handle: Pointer) -> Result<Option<usize>> {
        let Value::Int(number) = self.load(handle)? else {
            return crate::world::undefined("a request that was not written");
        };
        if number == 0 {
            return Ok(None);
        }
        match usize::try_from(number - 1).ok().filter(|i| self.requests.get(*i).is_some_and(|r| !r.is_freed))
        {
            Some(index) => Ok(Some(index)),
            None => argument("no request"),
        }
    }

    /// Whether a wait for it ends: it is complete, null, or not started. What is no request ends at once with an error.
    pub(crate) fn is_over(&self, handle: Pointer) -> bool {
        match self.named(handle) {
            Ok(Some(index)) => self.requests[index].state != State::Active,
            _ => true,
        }
    }

    /// Whether it is started and not used up.
    pub(crate) fn is_active(&self, handle: Pointer) -> bool {
        matches!(self.named(handle), Ok(Some(index)) if self.requests[index].state != State::Inactive)
    }

    /// After a wait: a request that is not persistent is gone.
    pub(crate) fn finish(&mut self, handle: Pointer) -> Result<Status> {
        let Some(index) = self.named(handle)? else { return Ok(Status::EMPTY) };
        let request = &mut self.requests[index];
        let status = if request.state == State::Complete { request.status } else { Status::EMPTY };
        request.state = State::Inactive;
        if request.persistent.is_none() {
            request.is_freed = true;
            self.store(handle, Value::Int(0))?;
        }
        Ok(status)
    }

    /// Writes a status where one is wanted.
    pub(crate) fn tell(&mut self, to: Option<Pointer>, status: Status) -> Result {
        let Some(to) = to else { return Ok(()) };
        for (cell, number) in [status.source, status.tag, status.bytes].into_iter().enumerate() {
            self.store(Pointer { cell: to.cell + cell, ..to }, Value::Int(number))?;
        }
        Ok(())
    }
}
