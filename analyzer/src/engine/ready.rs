//! Ready sends, which may be started only where their receive has been (MPI-4.1 section 3.4).
//!
//! Where nothing but messages and collective calls puts what processes do in order, a state is what some order of events leads to. Where a
//! ready send is started in it and no receive has been that could take the message, the program is wrong in that order, whatever it does
//! in others. In which order processes go on until they wait is for the engine to choose, so that two walks show more than one.

use frontend::mpi::{Class, SendMode, lookup};
use lattice::Constraints;

use super::Engine;
use super::communicate::may_agree;
use super::relation::Relation;
use super::state::{Envelope, Filter, Posted, State, Wanted};
use crate::rules::Rule;

impl Engine<'_> {
    /// Reports a ready send that is started before its receive. Walks in which nothing is buffered look for it, as for all that depends on
    /// how quick the library is.
    pub(crate) fn check_ready(&mut self, state: &State, envelope: &Envelope, relation: &Relation) {
        let operation = &self.sites[envelope.site.0 as usize].operation;
        let is_ready =
            matches!(lookup(operation).map(|mpi| mpi.class), Some(Class::Send { mode: SendMode::Ready, .. }));
        if self.buffering || !is_ready || !self.ground.sends_ready {
            return;
        }
        if state.posted.iter().any(|posted| may_take(posted, envelope, relation, &state.facts)) {
            return;
        }
        let to = self.rank_list(&relation.receivers(), &state.facts);
        let message = format!(
            "`{operation}` to {to} may come before the receive is started: nothing makes it wait for that"
        );
        let place = self.site_place(envelope.site);
        self.report(Rule::UnsafeSend, state, &relation.senders(), place, message, Vec::new());
    }
}

/// Whether a receive could take some of the messages of a send.
fn may_take(posted: &Posted, envelope: &Envelope, relation: &Relation, facts: &Constraints) -> bool {
    let Envelope { site, communicator, tag, .. } = envelope;
    let sent = Filter { site: *site, communicator: communicator.clone(), tag: Some(tag.clone()) };
    let meets = match &posted.wanted {
        Wanted::From(wanted) => !wanted.disjoint(relation, facts),
        Wanted::Anybody(receivers) => !receivers.disjoint(&relation.receivers(), facts),
    };
    meets && may_agree(&posted.incoming.filter, &sent, facts)
}
