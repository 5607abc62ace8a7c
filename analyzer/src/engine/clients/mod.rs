//! Client analyses: what is found out along the walk over the parallel CFG (paper section VI).
//!
//! The engine knows process sets, transitions, splits, merges, matching and widening. What a client wants to know of all that, it
//! learns through one small trait, [`Client`]; the engine calls the product of all clients, [`Clients`], and nothing else.
//!
//! Architecture invariant: no file of the engine outside of this directory looks into what a client knows, but for `topology`,
//! which makes results of it.

pub(crate) mod constants;
pub(crate) mod topology;

use std::fmt::Debug;
use std::hash::Hash;
use std::sync::Arc;

use frontend::ir::{Expr, Span};
use lattice::{Constraints, Linear};

use super::eval::Scope;
use super::merge::Join;
use super::state::{Communicator, Envelope, Incoming, Relation, SiteId};
use super::value::Value;

/// A client analysis.
///
/// `self` holds what was found on all paths so far; it only grows, for the engine may follow a path that turns out to be a
/// repetition. What belongs to one path is a [`Client::Path`], which the engine keeps with the state and joins with it.
pub(crate) trait Client {
    /// What is known of the path that led to a state.
    type Path: Clone + Debug + Default;
    /// What two paths must have in common to be joined.
    type Shape: Clone + Debug + Eq + Hash + Ord;

    /// A set takes a step. The scope shows what holds before it.
    fn transfer(&mut self, scope: &mut Scope<'_, '_>, step: &Step<'_>);

    /// A message is received. Both sides are exact: each sender of the relation has sent one message to its receivers.
    fn matched(&mut self, path: &mut Self::Path, matched: &Match<'_>);

    /// All members of a communicator have made a collective call.
    fn completed(&mut self, path: &mut Self::Path, completed: &Completed<'_>);

    /// What the paths that led to two states of equal shape have in common, in the symbols of their generalisation; `None` when
    /// the states must not be generalised. The join learns through `join` whether the old path said it all.
    fn generalise(&mut self, old: &Self::Path, new: &Self::Path, join: &mut Join<'_>) -> Option<Self::Path>;

    fn shape(path: &Self::Path) -> Self::Shape;

    /// Number of relations that the path holds, which the engine limits.
    fn size(path: &Self::Path) -> usize;
}

/// A step of one process set.
#[derive(Clone, Debug)]
pub(crate) enum Step<'a> {
    /// A call of a function without source, with its evaluated arguments.
    Library { name: &'a str, args: &'a [Expr], values: &'a [Value], span: Span },
}

/// A match of a send and a receive.
#[derive(Clone, Debug)]
pub(crate) struct Match<'a> {
    pub(crate) envelope: &'a Envelope,
    pub(crate) incoming: &'a Incoming,
    pub(crate) relation: &'a Relation,
    /// The sender over the receiver's rank, where that is one.
    pub(crate) sender: Option<&'a Linear>,
    pub(crate) facts: &'a Constraints,
}

/// Collective calls that belong together.
#[derive(Clone, Debug)]
pub(crate) struct Completed<'a> {
    pub(crate) operation: &'a Arc<str>,
    /// Ascending.
    pub(crate) sites: &'a [SiteId],
    pub(crate) communicator: &'a Arc<Communicator>,
    /// Rank in the communicator.
    pub(crate) root: Option<&'a Linear>,
}

/// All clients.
#[derive(Debug, Default)]
pub(crate) struct Clients {
    pub(crate) topology: topology::Topology,
    pub(crate) constants: constants::Constants,
}

/// What all clients know of a path.
#[derive(Clone, Debug, Default)]
pub(crate) struct Path {
    pub(crate) topology: topology::Exchanges,
}

impl Client for Clients {
    type Path = Path;
    type Shape = <topology::Topology as Client>::Shape;

    fn transfer(&mut self, scope: &mut Scope<'_, '_>, step: &Step<'_>) {
        self.topology.transfer(scope, step);
        self.constants.transfer(scope, step);
    }

    fn matched(&mut self, path: &mut Path, matched: &Match<'_>) {
        self.topology.matched(&mut path.topology, matched);
        self.constants.matched(&mut (), matched);
    }

    fn completed(&mut self, path: &mut Path, completed: &Completed<'_>) {
        self.topology.completed(&mut path.topology, completed);
        self.constants.completed(&mut (), completed);
    }

    fn generalise(&mut self, old: &Path, new: &Path, join: &mut Join<'_>) -> Option<Path> {
        Some(Path { topology: self.topology.generalise(&old.topology, &new.topology, join)? })
    }

    fn shape(path: &Path) -> Self::Shape {
        topology::Topology::shape(&path.topology)
    }

    fn size(path: &Path) -> usize {
        topology::Topology::size(&path.topology)
    }
}

impl Scope<'_, '_> {
    /// Tells the clients of a step.
    pub(crate) fn observe(&mut self, step: &Step<'_>) {
        let mut clients = std::mem::take(&mut self.engine.clients);
        clients.transfer(self, step);
        self.engine.clients = clients;
    }
}
