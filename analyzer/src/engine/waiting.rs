//! Waits: which members of a waiting set have nothing left to wait for, and what they find when they go on.

use lattice::{Constraints, Ranks, Truth};

use super::Engine;
use super::boxes::{intersect, subtract};
use super::explore::is_bounded;
use super::need::Need;
use super::requests::NULL_REQUEST;
use super::state::{Awaited, Hold, ProcessSet, Slot, State, Status, Ticket, Wait, address};
use super::value::Value;

impl Engine<'_> {
    /// Lets members of waiting sets go on whose operations are complete.
    pub(crate) fn progress(&mut self, state: &mut State) -> Result<bool, Need> {
        let mut moved = false;
        let mut index = 0;
        while index < state.sets.len() {
            let Status::Waiting(wait) = state.sets[index].status.clone() else {
                index += 1;
                continue;
            };
            // Which of several operations are complete first is a choice.
            if self.is_choice(state, &state.sets[index], &wait) {
                index += 1;
                continue;
            }
            if let Some(left) = self.untold(state, &state.sets[index], &wait) {
                self.tell_of_many(state, index, &wait, left)?;
                moved = true;
                continue;
            }
            let free = free_members(state, &state.sets[index].ranks, &wait)?;
            let Some(mut part) = free.into_iter().next() else {
                index += 1;
                continue;
            };
            // What has arrived for some of them has not for others: these go on one by one.
            for arrived in &state.arrived {
                if waits_for(&wait, &arrived.ticket, &state.facts)
                    && let Some(common) =
                        intersect(&part, &arrived.receivers, &state.facts)?.into_iter().next()
                {
                    part = common;
                }
            }
            let told = wait.partial.as_ref().is_some_and(|partial| partial.positions.len() == 1);
            self.release(state, index, part, &wait, told)?;
            is_bounded(state)?;
            moved = true;
        }
        Ok(moved)
    }

    /// Lets some members of a waiting set go on; a call that needs only some of the operations tells that it is these, if `told`.
    pub(crate) fn release(
        &mut self,
        state: &mut State,
        index: usize,
        part: Ranks,
        wait: &Wait,
        told: bool,
    ) -> Result<(), Need> {
        let facts = &state.facts;
        let set = state.sets[index].clone();
        let rest = subtract(&set.ranks, &part, facts)?;
        let mut taken = Vec::new();
        let mut left = Vec::new();
        for arrived in &state.arrived {
            let mine = waits_for(wait, &arrived.ticket, facts) && !arrived.receivers.disjoint(&part, facts);
            if !mine {
                left.push(arrived.clone());
                continue;
            }
            for receivers in subtract(&arrived.receivers, &part, facts)? {
                left.push(super::state::Arrived { receivers, ..arrived.clone() });
            }
            taken.push(arrived.clone());
        }
        let facts = facts.clone();
        state.arrived = left;
        let mut done = ProcessSet { ranks: part, ..set.clone() };
        let mut scope = self.scope(state, &mut done);
        for arrived in &taken {
            let incoming = &arrived.incoming;
            let payload = scope.settle(arrived.payload.clone());
            scope.deliver(&incoming.buffer, &arrived.count, &incoming.datatype, payload);
        }
        // Where several operations are complete but the first one is not known, nor is which handles have become null.
        let open = wait.partial.is_some() && !told;
        let completed = || Value::Name(NULL_REQUEST.into());
        for (at, Awaited { ticket, status, handle }) in wait.awaited.iter().enumerate() {
            let status = match &wait.partial {
                Some(partial) if told => &partial.status(at),
                _ => status,
            };
            let mut mine = taken.iter().filter(|a| tickets_meet(&a.ticket, ticket, &facts));
            if let Some(arrived) = mine.next() {
                let count = (arrived.count.clone(), arrived.incoming.datatype.clone());
                let (source, tag) = (scope.settle(arrived.source.clone()), scope.settle(arrived.tag.clone()));
                if mine.next().is_none() {
                    scope.deliver_status(status, &source, &tag, &count);
                }
            }
            if let Some((object, offset)) = handle.as_ref().and_then(address) {
                let location = super::eval::Location { object, offset: Some(offset.clone()) };
                scope.write(&location, Some(8), if open { Value::Unknown } else { completed() });
            }
        }
        if let Some(partial) = wait.partial.as_ref().filter(|_| told) {
            self.tell_completed(state, &mut done, partial);
        }
        self.deliver_arrived(state, &mut done, &taken, wait);
        done.release();
        let rest = rest.into_iter().map(|ranks| ProcessSet { ranks, ..set.clone() });
        state.sets.splice(index..=index, std::iter::once(done).chain(rest));
        Ok(())
    }
}

/// Whether some processes have nothing left to wait for.
pub(crate) fn is_complete(state: &State, ranks: &Ranks, wait: &Wait) -> Result<bool, Need> {
    Ok(!free_members(state, ranks, wait)?.is_empty())
}

/// The members of a set that have nothing left to wait for.
fn free_members(state: &State, ranks: &Ranks, wait: &Wait) -> Result<Vec<Ranks>, Need> {
    let facts = &state.facts;
    let sends = state
        .in_flight
        .iter()
        .filter(|m| m.hold != Hold::Free && waits_for(wait, &m.ticket, facts))
        .map(|m| m.relation.senders());
    let receives =
        state.posted.iter().filter(|p| waits_for(wait, &p.ticket, facts)).map(|p| p.wanted.receivers());
    let collectives =
        state.entered.iter().filter(|e| waits_for(wait, &e.ticket, facts)).map(|e| e.members.clone());
    let mut free = vec![ranks.clone()];
    for busy in sends.chain(receives).chain(collectives) {
        let mut still = Vec::new();
        for part in free {
            still.extend(subtract(&part, &busy, facts)?);
        }
        free = still;
        if free.is_empty() {
            break;
        }
    }
    Ok(free)
}

/// Whether a call waits for an operation with this ticket, of the same process.
pub(crate) fn waits_for(wait: &Wait, ticket: &Ticket, facts: &Constraints) -> bool {
    wait.awaited.iter().any(|awaited| tickets_meet(&awaited.ticket, ticket, facts))
}

/// Whether two tickets may be of one operation.
pub(crate) fn tickets_meet(a: &Ticket, b: &Ticket, facts: &Constraints) -> bool {
    match (a, b) {
        (Ticket::Call, Ticket::Call) => true,
        (Ticket::Request(a), Ticket::Request(b)) => slots_meet(a, b, facts),
        _ => false,
    }
}

fn slots_meet(a: &Slot, b: &Slot, facts: &Constraints) -> bool {
    a.object == b.object
        && match (&a.span, &b.span) {
            (Some(a), Some(b)) => !a.disjoint(b, facts),
            _ => true,
        }
}

/// Whether two slots are proved to be one place.
pub(crate) fn is_same_slot(a: &Slot, b: &Slot, facts: &Constraints) -> bool {
    a.object == b.object
        && match (&a.span, &b.span) {
            (Some(a), Some(b)) => a.same(b, facts) && facts.eq(&a.lo, &a.hi) == Truth::Yes,
            _ => false,
        }
}
