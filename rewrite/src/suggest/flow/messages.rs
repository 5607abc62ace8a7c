//! What calls of MPI do in the processes that [`super::machine`] follows.

use std::collections::BTreeMap;

use super::code::{Call, Expr, Side};
use super::lower::{ANY_SOURCE, ANY_TAG, PROC_NULL};
use super::machine::{Halt, Process, Value, World, known};
use super::term::Term;

/// A message.
#[derive(Clone, Debug)]
pub(super) struct Message {
    pub(super) from: usize,
    pub(super) to: usize,
    tag: i64,
    pub(super) values: Vec<Value>,
    heard: u64,
    time: [i64; 2],
}

/// An operation that has been started.
#[derive(Clone, Debug)]
pub(super) struct Request {
    /// Where a message goes; nowhere for a send.
    receive: Option<Receive>,
    /// The message that it is, by its place among those for this process.
    message: Option<usize>,
    pub(super) is_done: bool,
}

#[derive(Clone, Debug)]
struct Receive {
    buffer: (usize, i64),
    count: i64,
    source: i64,
    tag: i64,
}

/// What was chosen where there was a choice, so that a process that begins anew does the same again.
#[derive(Clone, Debug, Default)]
pub(super) struct Mail {
    /// Whose messages were taken by receives that take any, by the numbers of their requests.
    pub(super) chosen: BTreeMap<usize, usize>,
    /// Which requests waits for any of several went on with, in the order of the waits.
    pub(super) awaited: Vec<i64>,
    /// Whether the highest rank is taken first, and the last request.
    pub(super) from_above: bool,
}

impl Process<'_> {
    pub(super) fn call(&mut self, world: &mut World<'_, '_>, call: &Call) -> Result<(), Halt> {
        match call {
            Call::Send { side, request } => {
                self.send(world, side)?;
                if let Some(request) = request {
                    let place = self.address(world, request)?;
                    self.requests.push(Request { receive: None, message: None, is_done: false });
                    self.store(place, Value::Request(self.requests.len() - 1));
                }
            }
            Call::Receive { side, status, request } => {
                let started = self.receive(world, side)?;
                match request {
                    Some(request) => {
                        let place = self.address(world, request)?;
                        self.store(place, Value::Request(started));
                    }
                    None => self.complete(world, started, status)?,
                }
            }
            Call::Exchange { send, receive, status } => {
                let before = self.time;
                self.send(world, send)?;
                let sent = std::mem::replace(&mut self.time, before);
                let started = self.receive(world, receive)?;
                self.complete(world, started, status)?;
                self.time = later(self.time, sent);
            }
            Call::Replace { send, source, receive_tag, status } => {
                let before = self.time;
                self.send(world, send)?;
                let sent = std::mem::replace(&mut self.time, before);
                let receive = Side { peer: source.clone(), tag: receive_tag.clone(), ..send.clone() };
                let started = self.receive(world, &receive)?;
                self.complete(world, started, status)?;
                self.time = later(self.time, sent);
            }
            Call::Wait { request, status } => {
                let place = self.address(world, request)?;
                self.wait(world, place, status)?;
            }
            Call::WaitAll { count, requests } => {
                let (block, first) = self.address(world, requests)?;
                for k in 0..self.count(world, count)? {
                    self.wait(world, (block, first + k), &Expr::Null)?;
                }
            }
            Call::WaitAny { count, requests, index, status } => {
                let (block, first) = self.address(world, requests)?;
                let count = self.count(world, count)?;
                let number = self.first_of(world, (block, first), count)?;
                self.wait(world, (block, first + number), status)?;
                let place = self.address(world, index)?;
                // Not a number of the text.
                let term = world.terms.fresh();
                self.store(place, Value::Data { number: Some(number), term });
            }
            Call::Rank(address) => {
                let place = self.address(world, address)?;
                let number = i64::try_from(self.rank).ok();
                let term = world.terms.of(Term::Rank(self.rank));
                self.store(place, Value::Data { number, term });
            }
            Call::Size(address) => {
                let place = self.address(world, address)?;
                let term = world.terms.of(Term::Size(self.rank));
                self.store(place, Value::Data { number: Some(world.np), term });
            }
        }
        Ok(())
    }

    fn wait(&mut self, world: &mut World<'_, '_>, place: (usize, i64), status: &Expr) -> Result<(), Halt> {
        match self.load(world, place)? {
            Value::Request(request) => {
                self.complete(world, request, status)?;
                self.store(place, Value::Null);
                Ok(())
            }
            Value::Null => Ok(()),
            _ => Err(Halt::Lost),
        }
    }

    /// Which of several requests a wait for any of them goes on with.
    fn first_of(
        &mut self,
        world: &mut World<'_, '_>,
        (block, first): (usize, i64),
        count: i64,
    ) -> Result<i64, Halt> {
        let turn = self.waits;
        self.waits += 1;
        if let Some(&chosen) = self.mail.awaited.get(turn) {
            return Ok(chosen);
        }
        self.meet();
        let (mut is_active, mut found) = (false, None);
        for number in 0..count {
            world.budget = world.budget.checked_sub(1).ok_or(Halt::Lost)?;
            match self.load(world, (block, first + number))? {
                Value::Null => continue,
                Value::Request(request) => {
                    is_active = true;
                    let request = &self.requests[request];
                    let is_complete = request.message.is_some()
                        || request.receive.as_ref().is_none_or(|receive| receive.source == PROC_NULL);
                    if is_complete && (found.is_none() || self.mail.from_above) {
                        found = Some(number);
                    }
                }
                _ => return Err(Halt::Lost),
            }
        }
        // What is left where there is nothing to wait for is a number that no text tells.
        let found = found.ok_or(if is_active { Halt::Waits } else { Halt::Lost })?;
        self.mail.awaited.push(found);
        Ok(found)
    }

    fn send(&mut self, world: &mut World<'_, '_>, side: &Side) -> Result<(), Halt> {
        let to = self.count(world, &side.peer)?;
        if to == PROC_NULL {
            return Ok(());
        }
        if !(0..world.np).contains(&to) {
            return Err(Halt::Lost);
        }
        let (block, first) = self.address(world, &side.buffer)?;
        let count = self.count(world, &side.count)?;
        let tag = self.count(world, &side.tag)?;
        let mut values = Vec::new();
        for k in 0..count {
            let value = self.load(world, (block, first + k))?;
            matches!(value, Value::Data { .. }).then_some(()).ok_or(Halt::Lost)?;
            values.push(value);
        }
        world.budget = world.budget.checked_sub(values.len()).ok_or(Halt::Lost)?;
        self.time = [self.time[0] + 1, self.time[1] + count];
        let to = usize::try_from(to).map_err(|_| Halt::Lost)?;
        self.sent.push(Message { from: self.rank, to, tag, values, heard: self.heard, time: self.time });
        Ok(())
    }

    /// Starts a receive, and returns its number.
    fn receive(&mut self, world: &mut World<'_, '_>, side: &Side) -> Result<usize, Halt> {
        let source = self.count(world, &side.peer)?;
        if source != PROC_NULL && source != ANY_SOURCE && !(0..world.np).contains(&source) {
            return Err(Halt::Lost);
        }
        let (buffer, count) = (self.address(world, &side.buffer)?, self.count(world, &side.count)?);
        let tag = self.count(world, &side.tag)?;
        let receive = Receive { buffer, count, source, tag };
        self.requests.push(Request { receive: Some(receive), message: None, is_done: false });
        Ok(self.requests.len() - 1)
    }

    /// Finds messages for the receives that have been started, the first first.
    fn meet(&mut self) {
        for number in 0..self.requests.len() {
            let request = &self.requests[number];
            let Some(receive) = request.receive.as_ref().filter(|_| request.message.is_none()) else {
                continue;
            };
            let fits = |message: &Message| {
                let chosen = self.mail.chosen.get(&number).is_none_or(|&from| from == message.from);
                let source =
                    receive.source == ANY_SOURCE || usize::try_from(receive.source) == Ok(message.from);
                chosen && source && (receive.tag == ANY_TAG || receive.tag == message.tag)
            };
            let all = self.inbox.iter().enumerate().filter(|(at, message)| !self.taken[*at] && fits(message));
            // Of one sender the first.
            let found = match self.mail.from_above {
                false => all.min_by_key(|(at, message)| (message.from, *at)),
                true => all.min_by_key(|(at, message)| (usize::MAX - message.from, *at)),
            };
            if let Some((at, message)) = found {
                if receive.source == ANY_SOURCE {
                    self.mail.chosen.insert(number, message.from);
                }
                self.taken[at] = true;
                self.requests[number].message = Some(at);
            }
        }
    }

    fn complete(&mut self, world: &mut World<'_, '_>, number: usize, status: &Expr) -> Result<(), Halt> {
        self.requests[number].is_done = true;
        let Some(receive) = self.requests[number].receive.clone() else { return Ok(()) };
        let (from, tag) = if receive.source == PROC_NULL {
            (PROC_NULL, ANY_TAG)
        } else {
            self.meet();
            let inbox = self.inbox;
            let message = self.requests[number].message.map(|at| &inbox[at]).ok_or(Halt::Waits)?;
            let length = i64::try_from(message.values.len()).map_err(|_| Halt::Lost)?;
            if receive.count < length {
                return Err(Halt::Lost);
            }
            world.budget = world.budget.checked_sub(message.values.len()).ok_or(Halt::Lost)?;
            for (k, &value) in (0..).zip(&message.values) {
                self.store((receive.buffer.0, receive.buffer.1 + k), value);
            }
            self.heard |= message.heard;
            self.time = later([self.time[0] + 1, self.time[1] + length], message.time);
            (i64::try_from(message.from).map_err(|_| Halt::Lost)?, message.tag)
        };
        if let Value::Pointer(block, index) = self.value(world, status)? {
            for (k, number) in [(0, from), (1, tag)] {
                let value = world.number(number);
                // Not a number of the text: nothing may be taken for equal to it.
                let term = world.terms.fresh();
                let value = Value::Data { number: Some(known(value)?), term };
                self.store((block, index + k), value);
            }
        }
        Ok(())
    }
}

fn later(a: [i64; 2], b: [i64; 2]) -> [i64; 2] {
    [a[0].max(b[0]), a[1].max(b[1])]
}
