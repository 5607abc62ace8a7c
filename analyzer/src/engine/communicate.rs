//! What happens when every process set waits: messages are matched, collectives complete, sends are buffered.
//!
//! Executions are interleaving-oblivious (paper, appendix), so it does not matter in which order matches are made. Sends are
//! first tried without buffering, because then sender and receivers move together and a loop of sends finds its widening; only
//! when nothing else can move does a standard send leave its message in flight and go on.

use std::sync::Arc;

use lattice::{Constraints, Linear, Range, Symbol, Truth};

use super::Engine;
use super::mpi::type_size;
use super::need::{Need, decide_eq};
use super::relation::Taken;
use super::state::{
    CollectiveCall, Envelope, Exchanged, Gathered, InFlight, Incoming, Outgoing, Pairing, ProcessSet,
    Relation, State, Status,
};
use super::value::Value;

/// Result of an attempt to let waiting sets go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Communication {
    /// Some set can go on.
    Moved,
    /// All sets have returned from `main`.
    Finished,
    /// Sets wait for something that never happens.
    Stuck,
}

/// Where a matched message was.
#[derive(Clone, Copy, Debug)]
enum Origin {
    InFlight(usize),
    Sender(usize),
}

impl Engine<'_> {
    /// Lets waiting sets go on, if anything can.
    pub(crate) fn communicate(&mut self, state: &mut State) -> Result<Communication, Need> {
        let mut open = None;
        for receiver in 0..state.sets.len() {
            let Status::Receiving(incoming) = &state.sets[receiver].status else { continue };
            let incoming = incoming.clone();
            match self.find_message(state, receiver, &incoming) {
                Ok(Some((origin, taken))) => {
                    self.exchange(state, receiver, &incoming, origin, taken)?;
                    return Ok(Communication::Moved);
                }
                Ok(None) => {}
                Err(need) => {
                    // A question that a case distinction settles comes before one that cannot be settled.
                    if open.is_none() || matches!((&open, &need), (Some(Need::GiveUp(_)), Need::Decide(_))) {
                        let Status::Receiving(incoming) = &state.sets[receiver].status else { continue };
                        self.here = Some(self.site_place(incoming.site));
                        open = Some(need);
                    }
                }
            }
        }
        if let Some(need) = open {
            return Err(need);
        }
        if self.complete_collective(state)? {
            return Ok(Communication::Moved);
        }
        let sender =
            state.sets.iter().position(|set| matches!(&set.status, Status::Sending(o) if !o.synchronous));
        if let Some(sender) = sender {
            let Status::Sending(outgoing) = state.sets[sender].status.clone() else {
                return Ok(Communication::Stuck);
            };
            let ranks = state.sets[sender].ranks.clone();
            self.here = Some(self.site_place(outgoing.envelope.site));
            self.post(state, &ranks, outgoing)?;
            compress(state);
            state.sets[sender].release();
            return Ok(Communication::Moved);
        }
        Ok(if state.sets.iter().all(ProcessSet::is_done) {
            Communication::Finished
        } else {
            Communication::Stuck
        })
    }

    /// The message that a receive takes next: the first one sent that it accepts.
    fn find_message(
        &self,
        state: &State,
        receiver: usize,
        incoming: &Incoming,
    ) -> Result<Option<(Origin, Taken)>, Need> {
        let receivers = &state.sets[receiver].ranks;
        for (index, message) in state.in_flight.iter().enumerate() {
            if let Some(taken) =
                accepts(incoming, receivers, &message.envelope, &message.relation, &state.facts)?
            {
                return Ok(Some((Origin::InFlight(index), taken)));
            }
        }
        for (index, set) in state.sets.iter().enumerate() {
            let Status::Sending(Outgoing { envelope, dest, .. }) = &set.status else { continue };
            let relation = Relation::of_send(&set.ranks, dest, &state.facts)?;
            if let Some(taken) = accepts(incoming, receivers, envelope, &relation, &state.facts)? {
                return Ok(Some((Origin::Sender(index), taken)));
            }
        }
        Ok(None)
    }

    /// Performs a match: both sides are split into what matched, which goes on, and the rest, which waits.
    fn exchange(
        &mut self,
        state: &mut State,
        receiver: usize,
        incoming: &Incoming,
        origin: Origin,
        taken: Taken,
    ) -> Result<(), Need> {
        let Taken { relation, rest, idle_receivers } = taken;
        let envelope = match origin {
            Origin::InFlight(index) => state.in_flight[index].envelope.clone(),
            Origin::Sender(index) => match &state.sets[index].status {
                Status::Sending(outgoing) => outgoing.envelope.clone(),
                _ => return Err(Need::give_up("a sender that does not send")),
            },
        };
        let sender = relation
            .sender_of_receiver()
            .ok_or_else(|| Need::give_up("a rank expression exceeds 64 bits"))?;
        self.check_match(state, &envelope, incoming, &relation, &sender);
        self.record(state, &envelope, incoming, &relation, &sender);

        let mut matched = state.sets[receiver].clone();
        matched.ranks = relation.receivers.clone();
        {
            let payload = envelope.payload.seen_from(&sender);
            let tag = envelope.tag.seen_from(&sender);
            let count = envelope.count.seen_from(&sender);
            let mut scope = self.scope(state, &mut matched);
            scope.deliver(&incoming.buffer, &count, &incoming.datatype, payload);
            scope.deliver_status(&incoming.status, &sender, &tag);
        }
        matched.release();

        let mut sets = Vec::with_capacity(state.sets.len() + 2);
        for (index, set) in state.sets.drain(..).enumerate() {
            if index == receiver {
                sets.push(matched.clone());
                sets.extend(
                    idle_receivers.iter().map(|ranks| ProcessSet { ranks: ranks.clone(), ..set.clone() }),
                );
            } else if matches!(origin, Origin::Sender(sender) if sender == index) {
                let mut done = ProcessSet { ranks: relation.senders.clone(), ..set.clone() };
                done.release();
                sets.push(done);
                sets.extend(rest.iter().map(|r| ProcessSet { ranks: r.senders.clone(), ..set.clone() }));
            } else {
                sets.push(set);
            }
        }
        state.sets = sets;
        if let Origin::InFlight(index) = origin {
            let rest = rest.into_iter().map(|relation| InFlight { envelope: envelope.clone(), relation });
            state.in_flight.splice(index..=index, rest);
        }
        Ok(())
    }

    /// Adds a match to the topology found so far.
    fn record(
        &mut self,
        state: &mut State,
        envelope: &Envelope,
        incoming: &Incoming,
        relation: &Relation,
        sender: &Linear,
    ) {
        let over_receiver = |value: &Value| value.seen_from(sender).as_int().cloned();
        let at_single = |value: Option<Linear>| match (value, relation.pairing) {
            (Some(value), Pairing::Single) => value.substitute(Symbol::RANK, &relation.receivers.lo),
            (value, _) => value,
        };
        state.exchanged.push(Exchanged {
            send: envelope.site,
            recv: incoming.site,
            communicator: Arc::clone(&envelope.communicator),
            datatype: envelope.datatype.clone(),
            relation: relation.clone(),
            tag: at_single(over_receiver(&envelope.tag)),
            count: at_single(over_receiver(&envelope.count)),
            repeat: Some(1.into()),
        });
        coalesce(state);
    }

    /// Completes a collective that all processes wait in.
    fn complete_collective(&mut self, state: &mut State) -> Result<bool, Need> {
        let mut calls: Vec<&CollectiveCall> = Vec::new();
        for set in &state.sets {
            match &set.status {
                Status::Collective(call) => calls.push(call),
                _ => return Ok(false),
            }
        }
        let Some(&first) = calls.first() else { return Ok(false) };
        let first = first.clone();
        for call in &calls {
            if call.operation != first.operation || call.communicator != first.communicator {
                return Ok(false);
            }
            if let (Some(a), Some(b)) = (&first.root, &call.root) {
                self.here = Some(self.site_place(call.site));
                let varies = a.coefficient(Symbol::RANK) != 0 || b.coefficient(Symbol::RANK) != 0;
                if varies || !decide_eq(a, b, &state.facts)? {
                    return Err(Need::give_up(format!(
                        "the ranks name different roots of `{}`",
                        first.operation
                    )));
                }
            }
        }
        let mut sites: Vec<_> = calls.iter().map(|call| call.site).collect();
        sites.sort_unstable();
        sites.dedup();
        let common = self.common_result(state, &first);
        let place = self.site_line(first.site);
        let created = Self::duplicate_name(&first.communicator, &place);
        if first.new_communicator.is_some() && state.gathered.iter().any(|g| g.sites == sites) {
            return Err(Need::give_up("communicators duplicated in a loop are not told apart yet"));
        }
        for index in 0..state.sets.len() {
            let mut set = state.sets[index].clone();
            let Status::Collective(call) = set.status.clone() else { return Ok(false) };
            let mut scope = self.scope(state, &mut set);
            if let Some(value) = &common {
                scope.deliver(&call.result, &call.count, &call.datatype, value.clone());
            }
            if let Some((object, offset)) = call.new_communicator.as_ref().and_then(super::state::address) {
                let location = super::eval::Location { object, offset: Some(offset.clone()) };
                scope.write(&location, Some(8), Value::Name(created.clone()));
            }
            set.release();
            state.sets[index] = set;
        }
        let entry = state.gathered.iter_mut().find(|g| g.sites == sites && g.operation == first.operation);
        match entry {
            Some(entry) => {
                entry.repeat = entry.repeat.as_ref().and_then(|r| r.offset(1));
                if entry.root != first.root {
                    entry.root = None;
                }
            }
            None => state.gathered.push(Gathered {
                operation: first.operation.clone(),
                sites,
                communicator: first.communicator.clone(),
                root: first.root.clone(),
                repeat: Some(1.into()),
            }),
        }
        Ok(true)
    }

    /// The value that all ranks have after a broadcast or an all-to-all reduction of one element; `None` when they have none in
    /// common.
    fn common_result(&mut self, state: &mut State, call: &CollectiveCall) -> Option<Value> {
        use frontend::mpi::{Class, CollectiveOp};
        let function = frontend::mpi::lookup(&call.operation)?;
        let Class::Collective { operation, .. } = function.class else { return None };
        if !matches!(operation, CollectiveOp::Bcast | CollectiveOp::Allreduce) {
            return None;
        }
        let size = type_size(&call.datatype);
        let one = call.count.as_constant() == Some(1);
        if let (CollectiveOp::Bcast, Some(root), Some(size), true) = (operation, &call.root, size, one) {
            let holder = state.sets.iter().position(|set| {
                state.facts.le(&set.ranks.lo, root) == Truth::Yes
                    && state.facts.le(root, &set.ranks.hi) == Truth::Yes
            });
            if let Some(holder) = holder {
                let mut set = state.sets[holder].clone();
                let Status::Collective(call) = set.status.clone() else { return None };
                let mut scope = self.scope(state, &mut set);
                if let Some((object, offset)) = super::state::address(&call.result) {
                    let location = super::eval::Location { object, offset: Some(offset.clone()) };
                    let value = scope.read_sized(&location, size).seen_from(root);
                    if value != Value::Unknown {
                        return Some(value);
                    }
                }
            }
        }
        if !one {
            return Some(Value::Unknown);
        }
        let text = format!("result of {} in {}", call.operation, self.site_line(call.site));
        let symbol = self.symbols.fresh(lattice::SymbolKind::Input(text.into()));
        let integral = call
            .datatype
            .as_name()
            .and_then(frontend::mpi::constant)
            .and_then(|c| c.datatype())
            .is_some_and(|d| matches!(d.group, frontend::mpi::TypeGroup::CInteger));
        Some(if integral { Value::Int(symbol.into()) } else { Value::Same(symbol) })
    }
}

/// The part of a message that a receive accepts.
fn accepts(
    incoming: &Incoming,
    receivers: &Range,
    envelope: &Envelope,
    relation: &Relation,
    facts: &Constraints,
) -> Result<Option<Taken>, Need> {
    if incoming.communicator != envelope.communicator {
        return Ok(None);
    }
    let tags = incoming.tag.as_ref().map(|wanted| (wanted, &envelope.tag));
    if let Some((Value::Int(wanted), Value::Int(sent))) = tags {
        let constant = |tag: &Linear| tag.coefficient(Symbol::RANK) == 0;
        if constant(wanted) && constant(sent) && facts.eq(wanted, sent) == Truth::No {
            return Ok(None);
        }
    }
    let Some(taken) = relation.take(receivers, &incoming.source, facts)? else { return Ok(None) };
    let Some((wanted, sent)) = tags else { return Ok(Some(taken)) };
    let unknown = || Need::give_up("the tag of a message is not known");
    let sender = taken.relation.sender_of_receiver().ok_or_else(unknown)?;
    let (Value::Int(wanted), Value::Int(sent)) = (wanted, sent.seen_from(&sender)) else {
        return Err(unknown());
    };
    let difference = wanted.sub(&sent).ok_or_else(unknown)?;
    let difference = match taken.relation.receivers.as_single(facts) {
        Some(only) => difference.substitute(Symbol::RANK, only).ok_or_else(unknown)?,
        None if difference.coefficient(Symbol::RANK) == 0 => difference,
        None => return Err(Need::give_up("whether the tags agree depends on the rank")),
    };
    Ok(decide_eq(&difference, &Linear::zero(), facts)?.then_some(taken))
}

/// One entry for matches that form one relation.
fn coalesce(state: &mut State) {
    let entries = &mut state.exchanged;
    // Entries keep the order of their sites, so that equal histories have equal shapes.
    entries.sort_by_key(|e| (e.send, e.recv, e.relation.pairing));
    'again: loop {
        for first in 0..entries.len() {
            for second in first + 1..entries.len() {
                if let Some(both) = combined(&entries[first], &entries[second], &state.facts) {
                    entries.remove(second);
                    entries[first] = both;
                    entries.sort_by_key(|e| (e.send, e.recv, e.relation.pairing));
                    continue 'again;
                }
            }
        }
        return;
    }
}

/// What two entries say together, when that is one relation with one repeat count.
fn combined(a: &Exchanged, b: &Exchanged, facts: &Constraints) -> Option<Exchanged> {
    let alike =
        a.send == b.send && a.recv == b.recv && a.communicator == b.communicator && a.datatype == b.datatype;
    if !alike {
        return None;
    }
    if !a.relation.same(&b.relation, facts) {
        return joined(a, b, facts);
    }
    let sum = |a: &Option<Linear>, b: &Option<Linear>| a.as_ref()?.add(b.as_ref()?);
    let common = |x: &Option<Linear>, y: &Option<Linear>| if equal(x, y, facts) { x.clone() } else { None };
    Some(Exchanged {
        repeat: sum(&a.repeat, &b.repeat),
        tag: common(&a.tag, &b.tag),
        count: common(&a.count, &b.count),
        ..a.clone()
    })
}

fn equal(a: &Option<Linear>, b: &Option<Linear>, facts: &Constraints) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => {
            a == b
                || (a.sub(b).is_some_and(|d| d.coefficient(Symbol::RANK) == 0)
                    && facts.eq(a, b) == Truth::Yes)
        }
        (None, None) => true,
        _ => false,
    }
}

/// Two entries whose relations lie side by side and that happened equally often.
fn joined(a: &Exchanged, b: &Exchanged, facts: &Constraints) -> Option<Exchanged> {
    if !equal(&a.repeat, &b.repeat, facts) {
        return None;
    }
    let relation = a.relation.join_adjacent(&b.relation, facts)?;
    let attribute = |x: &Option<Linear>, y: &Option<Linear>| {
        common_attribute(a, x.as_ref()?, b, y.as_ref()?, &relation, facts)
    };
    let (tag, count) = (attribute(&a.tag, &b.tag), attribute(&a.count, &b.count));
    Some(Exchanged { tag, count, relation, ..a.clone() })
}

/// An attribute of two entries as one expression over the rank of the side that varies (the sender of a fan-in, else the
/// receiver).
fn common_attribute(
    a: &Exchanged,
    x: &Linear,
    b: &Exchanged,
    y: &Linear,
    relation: &Relation,
    facts: &Constraints,
) -> Option<Linear> {
    let side = |e: &Exchanged| match relation.pairing {
        Pairing::FanIn => e.relation.senders.clone(),
        _ => e.relation.receivers.clone(),
    };
    let (ra, rb) = (side(a), side(b));
    let agrees = |candidate: &Linear, value: &Linear, range: &Range| {
        if candidate == value {
            return true;
        }
        let Some(only) = range.as_single(facts) else { return false };
        let at = |e: &Linear| e.substitute(Symbol::RANK, only);
        at(candidate).zip(at(value)).is_some_and(|(c, v)| facts.eq(&c, &v) == Truth::Yes)
    };
    let relative = |value: &Linear, range: &Range| Linear::rank().add(value)?.sub(range.as_single(facts)?);
    let candidates = [Some(x.clone()), Some(y.clone()), relative(x, &ra)];
    candidates.into_iter().flatten().find(|c| agrees(c, x, &ra) && agrees(c, y, &rb))
}

/// One entry for messages in flight that were sent side by side.
fn compress(state: &mut State) {
    let Some(last) = state.in_flight.pop() else { return };
    let facts = &state.facts;
    let mut merged = None;
    for (index, earlier) in state.in_flight.iter().enumerate().rev() {
        let mergeable = earlier.envelope.site == last.envelope.site
            && earlier.envelope.communicator == last.envelope.communicator
            && earlier.envelope.tag == last.envelope.tag
            && earlier.envelope.count == last.envelope.count
            && earlier.envelope.datatype == last.envelope.datatype;
        if mergeable && let Some(relation) = earlier.relation.join_adjacent(&last.relation, facts) {
            merged = Some((index, relation));
            break;
        }
        // Moving past a message between the same processes would change their order.
        if !earlier.relation.disjoint(&last.relation, facts) {
            break;
        }
    }
    match merged {
        Some((index, relation)) => {
            let message = &mut state.in_flight[index];
            message.relation = relation;
            if message.envelope.payload != last.envelope.payload {
                message.envelope.payload = Value::Unknown;
            }
        }
        None => state.in_flight.push(last),
    }
}
