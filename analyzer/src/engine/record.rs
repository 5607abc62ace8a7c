//! The books of a state: messages and receives under way, and what has arrived. Entries that lie side by side become one, which is
//! how a loop of operations becomes one operation over a range.

use std::collections::VecDeque;

use lattice::{Constraints, Range, Truth};

use super::Engine;
use super::alike::is_named;
use super::clients::{Cargo, merged_cargo};
use super::merge::Merge;
use super::state::{
    Arrived, CollectiveCall, Entered, Envelope, InFlight, Incoming, Posted, Slot, State, Ticket, Wanted,
};
use super::value::Value;
use super::waiting::is_same_slot;

/// Notes messages received before anybody has waited for them.
pub(crate) fn arrived(engine: &Engine<'_>, state: &mut State, new: Arrived) {
    let facts = &state.facts;
    for known in &mut state.arrived {
        if known.incoming.filter.site != new.incoming.filter.site {
            continue;
        }
        let named = is_named(&state.alike, &known.receivers, facts);
        if let Some(both) = side_by_side(engine, known, &new, named, facts)
            .or_else(|| side_by_side(engine, &new, known, named, facts))
            .or_else(|| slot_by_slot(known, &new, facts))
        {
            *known = both;
            return;
        }
    }
    state.arrived.push(new);
}

/// What has arrived for neighbours under one ticket.
fn side_by_side(
    engine: &Engine<'_>,
    a: &Arrived,
    b: &Arrived,
    named: bool,
    facts: &Constraints,
) -> Option<Arrived> {
    if a.incoming != b.incoming || a.left != b.left || !is_same_ticket(&a.ticket, &b.ticket, facts) {
        return None;
    }
    let receivers = a.receivers.append(&b.receivers, facts)?;
    let merge = Merge::new(facts, &a.receivers, &b.receivers).of_names(named);
    let data = |x: &Value, y: &Value| match merge.value(x, y) {
        Some(value) => Some(value),
        None if engine.is_opaque(x) && engine.is_opaque(y) => Some(Value::Unknown),
        None => None,
    };
    Some(Arrived {
        receivers,
        source: merge.value(&a.source, &b.source)?,
        tag: data(&a.tag, &b.tag)?,
        count: data(&a.count, &b.count)?,
        payload: data(&a.payload, &b.payload)?,
        cargo: merged_cargo((&a.cargo, &a.receivers), (&b.cargo, &b.receivers), facts),
        ..a.clone()
    })
}

/// What has arrived for the same processes under neighbouring handles of an array.
fn slot_by_slot(a: &Arrived, b: &Arrived, facts: &Constraints) -> Option<Arrived> {
    if !a.receivers.same(&b.receivers, facts) || a.left.is_some() || b.left.is_some() {
        return None;
    }
    let (Ticket::Request(x), Ticket::Request(y)) = (&a.ticket, &b.ticket) else { return None };
    let slot = joined_slots(x, y, facts)?;
    let common = |x: &Value, y: &Value| if x == y { x.clone() } else { Value::Unknown };
    Some(Arrived {
        ticket: Ticket::Request(slot),
        incoming: joined_incoming(&a.incoming, &b.incoming)?,
        source: common(&a.source, &b.source),
        tag: common(&a.tag, &b.tag),
        count: common(&a.count, &b.count),
        payload: Value::Unknown,
        left: None,
        cargo: merged_cargo((&a.cargo, &a.receivers), (&b.cargo, &b.receivers), facts),
        receivers: a.receivers.clone(),
    })
}

/// One receive for two of one call that differ in the buffer: what a posted receive writes is not known until it is complete, and
/// nothing is delivered to it afterwards.
fn joined_incoming(a: &Incoming, b: &Incoming) -> Option<Incoming> {
    let same = a.filter == b.filter && a.count == b.count && a.datatype == b.datatype;
    same.then(|| {
        let buffer = if a.buffer == b.buffer { a.buffer.clone() } else { Value::int(0) };
        Incoming { buffer, ..a.clone() }
    })
}

fn is_same_ticket(a: &Ticket, b: &Ticket, facts: &Constraints) -> bool {
    match (a, b) {
        (Ticket::Request(a), Ticket::Request(b)) => a == b || is_same_slot(a, b, facts),
        (a, b) => a == b,
    }
}

/// The ticket of two operations of one call that are one from now on.
fn joined_tickets(a: &Ticket, b: &Ticket, facts: &Constraints) -> Option<Ticket> {
    match (a, b) {
        (Ticket::Request(x), Ticket::Request(y)) => joined_slots(x, y, facts).map(Ticket::Request),
        (a, b) => (a == b).then(|| a.clone()),
    }
}

fn joined_slots(a: &Slot, b: &Slot, facts: &Constraints) -> Option<Slot> {
    if a.object != b.object {
        return None;
    }
    if is_same_slot(a, b, facts) {
        return Some(a.clone());
    }
    // Handles are eight bytes apart.
    let follow = |x: &Range, y: &Range| {
        let next = x.hi.offset(8)?;
        (facts.eq(&next, &y.lo) == Truth::Yes).then(|| Range { lo: x.lo.clone(), hi: y.hi.clone() })
    };
    let span = match (&a.span, &b.span) {
        (Some(x), Some(y)) => follow(x, y).or_else(|| follow(y, x)),
        _ => None,
    };
    Some(Slot { object: a.object, span })
}

/// Adds a message, as one entry with earlier ones that were sent side by side.
pub(crate) fn sent(state: &mut State, new: InFlight) {
    let facts = &state.facts;
    let joined = |earlier: &InFlight, new: &InFlight| {
        let (x, y) = (&earlier.envelope, &new.envelope);
        let mergeable = x.site == y.site
            && x.communicator == y.communicator
            && x.tag == y.tag
            && x.count == y.count
            && x.datatype == y.datatype;
        if !mergeable {
            return None;
        }
        let relation = earlier.relation.join_adjacent(&new.relation, facts)?;
        if earlier.hold != new.hold {
            // The first messages of two senders are not one entry as long as only one of them waits; nor is then the first of one
            // with a later one of the other.
            return Some(None);
        }
        let ticket = joined_tickets(&earlier.ticket, &new.ticket, facts)?;
        let payload = if x.payload == y.payload { x.payload.clone() } else { Value::Unknown };
        let cargo =
            merged_cargo((&x.cargo, &earlier.relation.senders()), (&y.cargo, &new.relation.senders()), facts);
        let envelope = Envelope { payload, cargo, ..x.clone() };
        Some(Some(InFlight { envelope, relation, ticket, hold: new.hold }))
    };
    // Moving past a message between the same processes would change their order.
    let passes = |earlier: &InFlight, new: &InFlight| earlier.relation.disjoint(&new.relation, facts);
    let same_round = |earlier: &InFlight, new: &InFlight| {
        earlier.relation.receivers().same(&new.relation.receivers(), facts)
    };
    insert(&mut state.in_flight, new, joined, same_round, passes);
}

/// Makes one of messages under way that were not seen to lie side by side until more was known, or until others had been received.
pub(crate) fn compact(state: &mut State) {
    if 1 < state.in_flight.len() {
        for message in std::mem::take(&mut state.in_flight) {
            sent(state, message);
        }
    }
}

/// Adds an entry at the end of a list, or makes it one with an earlier one, which may then become one with others.
/// It may pass those that `passes` allows, and becomes one with the first that fits: so the first messages of all senders come
/// together, and then their second ones. Of those that fit, one of the same round of a loop comes before others. `joined` is
/// `Some(None)` where it fits and must not be one yet.
fn insert<T>(
    list: &mut Vec<T>,
    new: T,
    joined: impl Fn(&T, &T) -> Option<Option<T>>,
    same_round: impl Fn(&T, &T) -> bool,
    passes: impl Fn(&T, &T) -> bool,
) {
    let mut coming = VecDeque::from([new]);
    while let Some(next) = coming.pop_front() {
        let mut first: Option<(usize, Option<T>, bool)> = None;
        for (index, earlier) in list.iter().enumerate().rev() {
            if let Some(both) = joined(earlier, &next) {
                let same = same_round(earlier, &next);
                if same || !first.as_ref().is_some_and(|(.., same)| *same) {
                    first = Some((index, both, same));
                }
            }
            if !passes(earlier, &next) {
                break;
            }
        }
        if let Some((index, Some(both), _)) = first {
            // Those after it may fit now.
            for later in list.drain(index..).skip(1).rev() {
                coming.push_front(later);
            }
            coming.push_front(both);
        } else {
            list.push(next);
        }
    }
}

/// Adds a collective call, as one entry with the same call of neighbours.
pub(crate) fn entered(state: &mut State, new: Entered) {
    let facts = &state.facts;
    let joined = |earlier: &Entered, new: &Entered| {
        // What kind of communicator each of them gets is decided entry by entry.
        let makes = new.call.creates.is_some();
        if makes || !is_same_ticket(&earlier.ticket, &new.ticket, facts) {
            return None;
        }
        let cargo =
            merged_cargo((&earlier.call.cargo, &earlier.members), (&new.call.cargo, &new.members), facts);
        let apart = |call: &CollectiveCall| CollectiveCall { cargo: Cargo::default(), ..call.clone() };
        if apart(&earlier.call) != apart(&new.call) {
            return None;
        }
        let members = earlier
            .members
            .append(&new.members, facts)
            .or_else(|| new.members.append(&earlier.members, facts))?;
        let call = CollectiveCall { cargo, ..new.call.clone() };
        Some(Some(Entered { members, call, ticket: earlier.ticket.clone() }))
    };
    // The order of the calls of one process is kept.
    let passes = |earlier: &Entered, new: &Entered| earlier.members.disjoint(&new.members, facts);
    insert(&mut state.entered, new, joined, |_, _| false, passes);
}

/// Adds a receive, as one entry with earlier ones that were posted side by side.
pub(crate) fn posted(state: &mut State, new: Posted) {
    let facts = &state.facts;
    let joined = |earlier: &Posted, new: &Posted| {
        let (Wanted::From(before), Wanted::From(after)) = (&earlier.wanted, &new.wanted) else { return None };
        let incoming = joined_incoming(&earlier.incoming, &new.incoming)?;
        let relation = before.join_adjacent(after, facts)?;
        let ticket = joined_tickets(&earlier.ticket, &new.ticket, facts)?;
        Some(Some(Posted { incoming, wanted: Wanted::From(relation), ticket }))
    };
    let passes = |earlier: &Posted, new: &Posted| match (&earlier.wanted, &new.wanted) {
        (Wanted::From(before), Wanted::From(after)) => before.disjoint(after, facts),
        (before, after) => before.receivers().disjoint(&after.receivers(), facts),
    };
    let same_round = |earlier: &Posted, new: &Posted| match (&earlier.wanted, &new.wanted) {
        (Wanted::From(before), Wanted::From(after)) => before.senders().same(&after.senders(), facts),
        _ => false,
    };
    insert(&mut state.posted, new, joined, same_round, passes);
}
