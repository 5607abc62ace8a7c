//! What happens when every process set waits: messages are matched, collectives complete, sends are buffered.
//!
//! Executions are interleaving-oblivious (paper, appendix), so it does not matter in which order matches are made. Sends are first
//! tried without buffering, because then sender and receivers move together and a loop of sends finds its widening; only when
//! nothing else can move is a message buffered. Receives from any source come last: when everything else has moved, all
//! messages that they could take are there.

use lattice::{Constraints, Linear, Range, Ranks};

use super::Engine;
use super::alike::pieces;
use super::boxes;
use super::clients::{Client, Match};
use super::explore::is_bounded;
use super::link::{Link, Pairing};
use super::need::{Need, decide_eq};
use super::partial::FIRST_UNKNOWN;
use super::races::Candidate;
use super::record;
use super::relation::{Counterpart, Relation};
use super::state::{
    Arrived, Envelope, Filter, HANDLE, Hold, InFlight, Posted, ProcessSet, State, Status, Ticket, Wanted,
};
use super::value::Value;
use super::waiting;

/// Result of an attempt to let waiting sets go on.
#[derive(Clone, Debug)]
pub(crate) enum Communication {
    /// Some set can go on.
    Moved,
    /// Several messages could be received next: one state for each.
    Choice(Vec<State>),
    /// All sets have returned from `main`.
    Finished,
    /// Sets wait for something that never happens.
    Stuck,
}

impl Engine<'_> {
    /// Lets waiting sets go on, if anything can.
    pub(crate) fn communicate(&mut self, state: &mut State) -> Result<Communication, Need> {
        loop {
            let open = loop {
                is_bounded(state)?;
                match self.match_posted(state) {
                    Ok(true) => {}
                    Ok(false) => break None,
                    Err(need) => break Some(need),
                }
            };
            if self.progress(state)? {
                return Ok(Communication::Moved);
            }
            if let Some(need) = open {
                return Err(need);
            }
            if self.answer_probes(state)? {
                return Ok(Communication::Moved);
            }
            if self.complete_collective(state)? || buffer_sends(state, self.fixed.is_none()) {
                continue;
            }
            let (mut choices, alone) = self.complete_some(state)?;
            if !alone {
                choices.extend(self.receive_from_anybody(state)?);
            }
            if !choices.is_empty() {
                return Ok(Communication::Choice(choices));
            }
            if state.sets.iter().all(ProcessSet::is_done) {
                return Ok(Communication::Finished);
            }
            if self.may_be_complete(state) {
                return Err(Need::give_up(
                    "whether all processes have come to a collective call is not known",
                ));
            }
            return Ok(Communication::Stuck);
        }
    }

    /// Performs one match of a receive from a known source, if there is one.
    pub(crate) fn match_posted(&mut self, state: &mut State) -> Result<bool, Need> {
        let mut open = None;
        // An earlier receive of the same process that may accept the same message comes first (MPI-4.1 section 3.5).
        let mut before: Vec<Posted> = Vec::new();
        for index in 0..state.posted.len() {
            let posted = state.posted[index].clone();
            let facts = &state.facts;
            let waits = before.iter().any(|earlier| {
                !earlier.wanted.receivers().disjoint(&posted.wanted.receivers(), facts)
                    && may_agree(&earlier.incoming.filter, &posted.incoming.filter, facts)
            });
            let Wanted::From(relation) = posted.wanted.clone() else {
                before.push(posted);
                continue;
            };
            if waits {
                before.push(posted);
                continue;
            }
            let site = posted.incoming.filter.site;
            match first_message(state, &posted.incoming.filter, &relation) {
                Ok(Some((message, taken))) => {
                    self.exchange(state, index, message, taken)?;
                    return Ok(true);
                }
                Ok(None) => {}
                Err(need) => {
                    // A question that a case distinction settles comes before one that cannot be settled.
                    if open.is_none() || matches!((&open, &need), (Some(Need::GiveUp(_)), Need::Decide(_))) {
                        self.here = Some(self.site_place(site));
                        open = Some(need);
                    }
                    before.push(posted);
                }
            }
        }
        open.map_or(Ok(false), Err)
    }

    /// Performs a match: what is left of the message and of the receive goes on waiting.
    fn exchange(
        &mut self,
        state: &mut State,
        posted: usize,
        message: usize,
        taken: Relation,
    ) -> Result<(), Need> {
        let receive = state.posted[posted].clone();
        let sent = state.in_flight[message].clone();
        let unsent = sent.relation.without(&taken, &state.facts)?;
        let unserved: Vec<Wanted> = match &receive.wanted {
            Wanted::From(relation) => {
                relation.without(&taken, &state.facts)?.into_iter().map(Wanted::From).collect()
            }
            Wanted::Anybody(receivers) => {
                let parts = boxes::subtract(receivers, &taken.receivers(), &state.facts)?;
                parts.into_iter().map(Wanted::Anybody).collect()
            }
        };
        let sender = taken.sender_of_receiver();
        // What the data says of the sender.
        let named = sender.as_ref().map(|sender| self.in_guise(state, sender, &taken.receivers()));
        self.check_match(state, &sent.envelope, &receive.incoming, &taken, sender.as_ref());
        let matched = Match {
            envelope: &sent.envelope,
            incoming: &receive.incoming,
            relation: &taken,
            sent: &sent.relation,
            wanted: &receive.wanted,
            alike: &state.alike,
            sender: sender.as_ref(),
            facts: &state.facts,
        };
        let cargo = self.clients.matched(&mut state.clients, &sent.envelope.cargo, &matched);
        let group = &sent.envelope.communicator.group;
        let world = named.as_ref().and_then(Counterpart::rank);
        let world = world.map(|rank| taken.receivers().settle(&rank, &state.facts));
        let local = world.and_then(|w| group.local_rank(&w, &taken.senders(), &state.facts));
        let source = local.map_or(Value::Unknown, Value::Int);
        let arrived = Arrived {
            receivers: taken.receivers(),
            ticket: receive.ticket.clone(),
            incoming: receive.incoming.clone(),
            source,
            tag: sent.envelope.tag.seen_from(named.as_ref()),
            count: sent.envelope.count.seen_from(named.as_ref()),
            payload: sent.envelope.payload.seen_from(named.as_ref()),
            left: None,
            cargo,
        };
        let rest = unsent.into_iter().map(|relation| InFlight { relation, ..sent.clone() });
        state.in_flight.splice(message..=message, rest);
        let rest = unserved.into_iter().map(|wanted| Posted { wanted, ..receive.clone() });
        state.posted.splice(posted..=posted, rest);
        if arrived.ticket != Ticket::Detached {
            record::arrived(self, state, arrived);
        }
        Ok(())
    }

    /// Lets processes go on that look for a message which is there.
    fn answer_probes(&mut self, state: &mut State) -> Result<bool, Need> {
        for index in 0..state.sets.len() {
            let Status::Probing(probe) = state.sets[index].status.clone() else { continue };
            let Some(source) = &probe.source else { continue };
            self.here = Some(self.site_place(probe.filter.site));
            let ranks = state.sets[index].ranks.clone();
            let relation = Relation::of_receive(&ranks, source, &state.facts)?;
            if let Some((message, taken)) = first_message(state, &probe.filter, &relation)? {
                self.found_by_probe(state, index, message, &taken)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Tells the members of a probing set about a message to them.
    fn found_by_probe(
        &mut self,
        state: &mut State,
        index: usize,
        message: usize,
        taken: &Relation,
    ) -> Result<(), Need> {
        let set = state.sets[index].clone();
        let Status::Probing(probe) = set.status.clone() else { return Ok(()) };
        let rest = boxes::subtract(&set.ranks, &taken.receivers(), &state.facts)?;
        let sender = taken.sender_of_receiver();
        let envelope = state.in_flight[message].envelope.clone();
        let mut found = ProcessSet { ranks: taken.receivers(), ..set.clone() };
        let rank = |process: Option<&Counterpart>, facts: &Constraints| {
            process?.rank().map(|rank| taken.receivers().settle(&rank, facts))
        };
        let world = rank(sender.as_ref(), &state.facts);
        let named = sender.as_ref().map(|sender| self.in_guise(state, sender, &taken.receivers()));
        let tag = envelope.tag.seen_from(named.as_ref());
        let local = rank(named.as_ref(), &state.facts)
            .and_then(|w| envelope.communicator.group.local_rank(&w, &taken.senders(), &state.facts));
        let source = local.map_or(Value::Unknown, Value::Int);
        let count = (envelope.count.seen_from(named.as_ref()), envelope.datatype.clone());
        let mut scope = self.scope(state, &mut found);
        scope.deliver_status(&probe.status, &source, &tag, &count);
        if let Some(location) = probe.message.as_ref().and_then(super::state::target) {
            scope.write(&location, Some(HANDLE.unsigned_abs()), Value::Unknown);
        }
        if let (Some(handle), Some(world)) = (&probe.message, world)
            && let Some((object, offset)) = super::state::address(handle)
            && let Some(offset) = offset.as_constant()
        {
            found
                .handles
                .insert((object, offset), super::state::Handle::Message(world, tag, envelope.communicator));
        }
        found.release();
        let rest = rest.into_iter().map(|ranks| ProcessSet { ranks, ..set.clone() });
        state.sets.splice(index..=index, std::iter::once(found).chain(rest));
        Ok(())
    }

    /// What a receive or probe from any source can take, when nothing else moves: one state for each possibility.
    fn receive_from_anybody(&mut self, state: &State) -> Result<Vec<State>, Need> {
        let mut choices = Vec::new();
        for index in 0..state.posted.len() {
            let posted = state.posted[index].clone();
            let Wanted::Anybody(receivers) = &posted.wanted else { continue };
            let earlier = state.posted[..index].iter().any(|earlier| {
                !earlier.wanted.receivers().disjoint(receivers, &state.facts)
                    && may_agree(&earlier.incoming.filter, &posted.incoming.filter, &state.facts)
                    && matches!(earlier.wanted, Wanted::Anybody(_))
            });
            if earlier {
                continue;
            }
            self.here = Some(self.site_place(posted.incoming.filter.site));
            let candidates = self.candidates(state, &posted.incoming.filter, receivers)?;
            let incoming = &posted.incoming;
            self.note_race(state, &incoming.filter, receivers, Some(&incoming.buffer), &candidates);
            for (message, taken, alike) in candidates {
                let mut choice = state.clone();
                if let Some(alike) = alike {
                    Self::choose(&mut choice, alike)?;
                }
                self.exchange(&mut choice, index, message, taken)?;
                choices.push(choice);
            }
        }
        for index in 0..state.sets.len() {
            let Status::Probing(probe) = &state.sets[index].status else { continue };
            if probe.source.is_some() {
                continue;
            }
            let filter = probe.filter.clone();
            self.here = Some(self.site_place(filter.site));
            let candidates = self.candidates(state, &filter, &state.sets[index].ranks)?;
            self.note_race(state, &filter, &state.sets[index].ranks, None, &candidates);
            for (message, taken, alike) in candidates {
                let mut choice = state.clone();
                if let Some(alike) = alike {
                    Self::choose(&mut choice, alike)?;
                }
                self.found_by_probe(&mut choice, index, message, &taken)?;
                choices.push(choice);
            }
        }
        if !choices.is_empty() && state.sets.iter().any(|set| self.is_held_up(state, set)) {
            // It may send before one of these messages is received.
            return Err(Need::give_up(FIRST_UNKNOWN));
        }
        Ok(choices)
    }

    /// Messages that a receive from any source can take next: for each sender the first one. Of senders that stand at one
    /// place and sent alike only the first is taken; the others are returned as its like.
    fn candidates(&self, state: &State, filter: &Filter, receivers: &Ranks) -> Result<Vec<Candidate>, Need> {
        let facts = &state.facts;
        let mut found: Vec<Candidate> = Vec::new();
        let mut senders: Vec<Ranks> = Vec::new();
        for (index, message) in state.in_flight.iter().enumerate() {
            let area = Relation::every(&message.relation.senders(), receivers, facts)?;
            let Some(part) = accepts(filter, &area, &message.envelope, &message.relation, facts)? else {
                continue;
            };
            // Not those who have an earlier message on its way that would be taken.
            let mut first = vec![part.senders()];
            for known in &senders {
                let mut others = Vec::new();
                for ranks in first {
                    others.extend(boxes::subtract(&ranks, known, facts)?);
                }
                first = others;
            }
            for ranks in first {
                let area = Relation::every(&ranks, receivers, facts)?;
                let Some(part) = part.intersect(&area, facts)? else { continue };
                senders.push(ranks);
                self.choose_senders(state, index, &part, &mut found)?;
            }
        }
        Ok(found)
    }

    /// Adds what a receive from any source can take of a message of which each of these senders has sent one.
    fn choose_senders(
        &self,
        state: &State,
        index: usize,
        part: &Relation,
        found: &mut Vec<Candidate>,
    ) -> Result<(), Need> {
        let facts = &state.facts;
        if part.sender_of_receiver().is_some() {
            found.push((index, part.clone(), None));
            return Ok(());
        }
        let Some(receiver) = part.receivers().as_single(facts) else {
            return Err(Need::give_up("several processes receive from any of several"));
        };
        let from = |sender: Linear| {
            let (senders, receivers) = (Range::single(sender), Range::single(receiver.clone()));
            Relation::from(Link::new(senders, receivers, Pairing::Single))
        };
        if self.fixed.is_some() {
            let hull = part.senders().hull();
            let ends = hull.and_then(|hull| facts.constant(&hull.lo).zip(facts.constant(&hull.hi)));
            let (lo, hi) = ends.ok_or_else(|| Need::give_up("the ranks of the senders are not known"))?;
            found.extend((lo..=hi).map(|sender| (index, from(sender.into()), None)));
            return Ok(());
        }
        // The first of those that stand at one place, which are alike.
        for set in &state.sets {
            for alike in boxes::intersect(&set.ranks, &part.senders(), facts)? {
                for alike in pieces(state, alike)? {
                    let first = alike.hull().ok_or_else(|| Need::give_up("a rank has no simple form"))?.lo;
                    let several = alike.as_single(facts).is_none();
                    found.push((index, from(first), Some(alike).filter(|_| several)));
                }
            }
        }
        Ok(())
    }
}

/// The first message in flight that a receive accepts, and the part that it takes.
fn first_message(
    state: &State,
    filter: &Filter,
    wanted: &Relation,
) -> Result<Option<(usize, Relation)>, Need> {
    for (index, message) in state.in_flight.iter().enumerate() {
        if let Some(taken) = accepts(filter, wanted, &message.envelope, &message.relation, &state.facts)? {
            return Ok(Some((index, taken)));
        }
    }
    Ok(None)
}

/// Buffers messages whose senders wait, when they need not: those of one call, so that processes in the same round of a loop stay in it.
fn buffer_sends(state: &mut State, merge: bool) -> bool {
    let waiting = |state: &State, message: &InFlight| {
        message.hold == Hold::Polite
            && state.sets.iter().any(|set| match &set.status {
                Status::Waiting(wait) => {
                    waiting::waits_for(wait, &message.ticket, &state.facts)
                        && !set.ranks.disjoint(&message.relation.senders(), &state.facts)
                }
                _ => false,
            })
    };
    let mut call = None;
    let mut detached = Vec::new();
    let mut index = 0;
    while index < state.in_flight.len() {
        let message = &state.in_flight[index];
        let site = message.envelope.site;
        if call.is_some_and(|call| call != site) || !waiting(state, message) {
            index += 1;
            continue;
        }
        call = Some(site);
        if message.ticket == Ticket::Call {
            let message = state.in_flight.remove(index);
            detached.push(InFlight { hold: Hold::Free, ticket: Ticket::Detached, ..message });
        } else {
            state.in_flight[index].hold = Hold::Free;
            index += 1;
        }
    }
    for message in detached {
        // The sender has sent nothing since: the message may become one with those before it.
        if merge {
            super::record::sent(state, message);
        } else {
            state.in_flight.push(message);
        }
    }
    call.is_some()
}

/// Whether two receives could take the same message.
pub(crate) fn may_agree(a: &Filter, b: &Filter, facts: &Constraints) -> bool {
    let tags = match (&a.tag, &b.tag) {
        (Some(Value::Int(x)), Some(Value::Int(y))) => {
            !(x.is_uniform() && y.is_uniform() && facts.eq(x, y) == lattice::Truth::No)
        }
        _ => true,
    };
    tags && a.communicator.name == b.communicator.name
}

/// The part of a message that a receive accepts.
fn accepts(
    filter: &Filter,
    wanted: &Relation,
    envelope: &Envelope,
    relation: &Relation,
    facts: &Constraints,
) -> Result<Option<Relation>, Need> {
    if filter.communicator.name != envelope.communicator.name {
        return Ok(None);
    }
    let tags = filter.tag.as_ref().map(|wanted| (wanted, &envelope.tag));
    if let Some((Value::Int(wanted), Value::Int(sent))) = tags
        && wanted.is_uniform()
        && sent.is_uniform()
        && facts.eq(wanted, sent) == lattice::Truth::No
    {
        return Ok(None);
    }
    let Some(taken) = relation.intersect(wanted, facts)? else { return Ok(None) };
    let Some((wanted, sent)) = tags else { return Ok(Some(taken)) };
    let unknown = || Need::give_up("the tag of a message is not known");
    let sender = taken.sender_of_receiver();
    let (Value::Int(wanted), Value::Int(sent)) = (wanted, sent.seen_from(sender.as_ref())) else {
        // Unknown data that is equal on all ranks is equal here too.
        return if *wanted == envelope.tag && wanted.is_uniform() { Ok(Some(taken)) } else { Err(unknown()) };
    };
    let difference = wanted.sub(&sent).ok_or_else(unknown)?;
    let difference = taken.receivers().settle(&difference, facts);
    if !difference.is_uniform() {
        return Err(Need::give_up("whether the tags agree depends on the rank"));
    }
    Ok(decide_eq(&difference, &Linear::zero(), facts)?.then_some(taken))
}
