//! Waves: processes that each wait for one before them, as in a sweep over a mesh or down a tree. Followed one after the other they
//! are ever more kinds of processes; here all of them go on at once.
//!
//! A receive is *granted* where its source is a lower rank for all receivers (or a higher one for all): its process goes on although
//! the message may not have been sent, knowing nothing of what it says. The receive stays posted, and a message that is sent later is
//! matched with it. As long as one that is granted is left, all matches have to go the same way, from lower to higher ranks or the
//! other way round, and nothing else is completed that makes processes wait for each other: no collective, no synchronous send.
//!
//! When all are matched, the program does exactly this. What has to come before what: the steps of one process in their order, and a
//! send before its receive. If that went round in a circle, it would have to pass a granted receive, since all else is in the order in
//! which it was followed. From there on it could not leave the time in which some receive is granted and not matched, because only such
//! receives lead back in time, and not beyond its beginning. But then each message of the circle would go to a higher rank than the one
//! before it, and none would lead back.
//!
//! A program that waits for ever cannot be told so in this way: there it is no answer.

use lattice::{Constraints, Linear, Ranks, Truth};

use super::Engine;
use super::boxes::subtract;
use super::explore::is_bounded;
use super::need::Need;
use super::relation::Relation;
use super::state::{Hold, InFlight, State, Status, Ticket, Wanted};
use super::value::Value;
use super::waiting::waits_for;

/// Why a path with granted receives is left.
pub(crate) const UNGRANTED: &str = "a message may not come that other processes have gone on with";

/// Which ranks messages go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// To higher ones.
    Up,
    /// To lower ones.
    Down,
}

impl Direction {
    /// That of all messages of a relation, if it is proved that they have one.
    fn of(relation: &Relation, facts: &Constraints) -> Option<Self> {
        let receivers = relation.receivers();
        let (least, most) = match relation.sender_of_receiver().and_then(|sender| sender.rank()) {
            Some(sender) => {
                let steps = receivers.in_digits(&Linear::rank())?.sub(&receivers.settle(&sender, facts))?;
                (receivers.minimise(&steps, facts)?, receivers.maximise(&steps, facts)?)
            }
            None => {
                let (from, to) = (relation.senders().hull()?, receivers.hull()?);
                (to.lo.sub(&from.hi)?, to.hi.sub(&from.lo)?)
            }
        };
        let positive = |steps: &Linear| facts.le(&1.into(), steps) == Truth::Yes;
        match (positive(&least), positive(&most.scale(-1)?)) {
            (true, _) => Some(Self::Up),
            (_, true) => Some(Self::Down),
            _ => None,
        }
    }
}

impl State {
    /// Which way messages have to go as long as some receive is granted and not matched; `None`: there is none.
    pub(crate) fn wave(&self) -> Option<Direction> {
        self.posted.iter().find_map(|posted| match posted.ticket {
            Ticket::Granted(direction) => Some(direction),
            _ => None,
        })
    }

    /// Whether a message may be received now.
    pub(crate) fn lets_through(&self, message: &InFlight, taken: &Relation) -> bool {
        self.wave().is_none_or(|direction| {
            message.hold == Hold::Free && Direction::of(taken, &self.facts) == Some(direction)
        })
    }
}

impl Engine<'_> {
    /// Grants the receives that processes wait for, as far as they go one way, and matches those that can be.
    pub(crate) fn grant(&mut self, state: &mut State) -> Result<(), Need> {
        for index in 0..state.posted.len() {
            let posted = &state.posted[index];
            let Wanted::From(relation) = &posted.wanted else { continue };
            if matches!(posted.ticket, Ticket::Granted(_) | Ticket::Detached) {
                continue;
            }
            let direction = Direction::of(relation, &state.facts);
            if let Some(direction) = direction.filter(|d| state.wave().is_none_or(|wave| wave == *d))
                && all_wait(state, &relation.receivers(), &posted.ticket)?
            {
                state.posted[index].ticket = Ticket::Granted(direction);
            }
        }
        self.forget_granted(state);
        loop {
            is_bounded(state)?;
            match self.match_posted(state) {
                Ok(true) => {}
                // It may be known when all wait.
                Ok(false) | Err(Need::GiveUp(_)) => return Ok(()),
                Err(need) => return Err(need),
            }
        }
    }

    /// Nothing is known of what the statuses of waiting processes will say.
    fn forget_granted(&mut self, state: &mut State) {
        if state.wave().is_none() {
            return;
        }
        for index in 0..state.sets.len() {
            let Status::Waiting(wait) = state.sets[index].status.clone() else { continue };
            let mut set = state.sets[index].clone();
            let mut scope = self.scope(state, &mut set);
            for awaited in &wait.awaited {
                let unknown = (Value::Unknown, Value::Unknown);
                scope.deliver_status(&awaited.status, &Value::Unknown, &Value::Unknown, &unknown);
            }
            state.sets[index] = set;
        }
    }
}

/// Whether all of some processes wait for this operation, and cannot go on without it.
fn all_wait(state: &State, receivers: &Ranks, ticket: &Ticket) -> Result<bool, Need> {
    let mut others = vec![receivers.clone()];
    for set in &state.sets {
        let Status::Waiting(wait) = &set.status else { continue };
        if wait.optional || wait.partial.is_some() || !waits_for(wait, ticket, &state.facts) {
            continue;
        }
        let mut left = Vec::new();
        for part in others {
            left.extend(subtract(&part, &set.ranks, &state.facts)?);
        }
        others = left;
    }
    Ok(others.is_empty())
}
