//! Client analyses: what is found out along the walk over the parallel CFG (paper section VI).
//!
//! The engine knows process sets, transitions, splits, merges, matching and widening. What a client wants to know of all that, it
//! learns through one small trait, [`Client`]; the engine calls the product of all clients, [`Clients`], and nothing else. What a
//! client knows is of four kinds, each with the lattice operations that it needs:
//!
//! * of a process set ([`Client::Set`]): lives in the set, is copied when the set is split, merged when sets are merged;
//! * of data on its way ([`Client::Cargo`]): lives in the message or in the contribution to a collective;
//! * of the path that led to a state ([`Client::Path`]): lives in the state;
//! * of the program (`self`): what was found on any path. It only grows.
//!
//! Architecture invariant: no file of the engine outside of this directory looks into what a client knows, but for `topology`,
//! which makes results of it.

pub(crate) mod constants;
pub(crate) mod flow;
pub(crate) mod lifecycles;
mod product;
mod proofs;
mod ranks;
pub(crate) mod topology;
pub(crate) mod uniformity;

use std::fmt::Debug;
use std::hash::Hash;
use std::sync::Arc;

use frontend::ir::{BlockId, Cfg, Expr, Place, Span};
use frontend::program::FunctionRef;
use lattice::{Constraints, Linear, Ranks};

use super::eval::Scope;
use super::join::Join;
use super::memory::{ContextId, Memory, Write};
use super::mpi::Call;
use super::relation::{Counterpart, Relation};
use super::state::{Communicator, Entered, Envelope, Frame, Incoming, SiteId, Wanted};
use super::value::Value;

pub(crate) use product::{Cargo, Clients, Known, Path, merged_cargo};

/// Something that is known of process sets or of data, with the operations that the walk needs. Splitting a set copies it: what is
/// known of all members is known of some.
pub(crate) trait Knowledge: Clone + Debug + Default + PartialEq {
    /// What holds for the members of two neighbouring sets of one state, given what holds for either. `None` keeps the sets apart:
    /// a client that says so must see to it that it says so finitely often.
    fn merge(a: (&Self, &Ranks), b: (&Self, &Ranks), facts: &Constraints) -> Option<Self>;

    /// What holds in two states, in the symbols of their generalisation; `None` when they must not be generalised. Says through
    /// [`Join::old_says`] whether the old state said it all. A chain of generalisations must be finite, as the engine widens
    /// what is said in symbols.
    fn generalise(old: &Self, new: &Self, join: &mut Join<'_>) -> Option<Self>;
}

/// Nothing is known.
impl Knowledge for () {
    fn merge(_: (&(), &Ranks), _: (&(), &Ranks), _: &Constraints) -> Option<()> {
        Some(())
    }

    fn generalise((): &(), (): &(), _: &mut Join<'_>) -> Option<()> {
        Some(())
    }
}

/// A client analysis. A client implements what it wants to learn of.
///
/// The engine may follow a path that turns out to be a repetition, or take a step of a set again after it was split. What a client
/// notes in `self` before [`Client::written`] or [`Client::matched`] must be true of such steps too.
pub(crate) trait Client {
    /// What is known of a process set.
    type Set: Knowledge;
    /// What is known of data that is under way.
    type Cargo: Knowledge;
    /// What is known of the path that led to a state.
    type Path: Clone + Debug + Default;
    /// What two paths must have in common to be joined.
    type Shape: Clone + Debug + Eq + Hash + Ord;

    /// A set takes a step. All questions that the step asks are answered; nothing has changed yet.
    fn transfer(&mut self, _at: &mut At<'_, '_, '_>, _known: &mut Self::Set, _step: &Step<'_>) {}

    /// The step has been taken, and these bytes of the set's memory have been written.
    fn written(&mut self, _after: &After<'_, '_>, _known: &mut Self::Set, _writes: &[Write]) {}

    /// What travels with the data that a call sends or contributes.
    fn load(&mut self, _at: &mut At<'_, '_, '_>, _known: &Self::Set, _call: &Call<'_>) -> Self::Cargo {
        Self::Cargo::default()
    }

    /// What travels with the data of a persistent operation when it is started.
    fn reload(&mut self, _known: &Self::Set, cargo: &Self::Cargo, _facts: &Constraints) -> Self::Cargo {
        cargo.clone()
    }

    /// A message is received. The match is exact: each sender of the relation has sent one message to its receivers. Returns what
    /// arrives.
    fn matched(&mut self, _path: &mut Self::Path, _cargo: &Self::Cargo, _matched: &Match<'_>) -> Self::Cargo {
        Self::Cargo::default()
    }

    /// All members of a communicator have made a collective call.
    fn completed(&mut self, _path: &mut Self::Path, _completed: &Completed<'_>) {}

    /// What the members of one entry of a collective get from all entries.
    fn gathered(&mut self, _completed: &Completed<'_>, _entry: usize) -> Self::Cargo {
        Self::Cargo::default()
    }

    /// Data reaches the memory of a set.
    fn delivered(
        &mut self,
        _after: &After<'_, '_>,
        _known: &mut Self::Set,
        _cargo: &Self::Cargo,
        _delivery: &Delivery<'_>,
    ) {
    }

    /// What the paths that led to two states of equal shape have in common; see [`Knowledge::generalise`].
    fn generalise(&mut self, old: &Self::Path, new: &Self::Path, join: &mut Join<'_>) -> Option<Self::Path>;

    /// What of a path must agree for two states to be joined.
    fn shape(path: &Self::Path) -> Self::Shape;

    /// Number of relations that a path holds, which the engine limits.
    fn size(_path: &Self::Path) -> usize {
        0
    }
}

/// A set that is about to take a step.
pub(crate) struct At<'a, 'e, 'p> {
    /// Its memory, and the activation that it is in.
    pub(crate) scope: &'a mut Scope<'e, 'p>,
    /// Its call chain.
    pub(crate) frames: &'a [Frame],
    /// The instruction or condition.
    pub(crate) span: Span,
}

/// A set that has taken a step.
pub(crate) struct After<'a, 'p> {
    pub(crate) engine: &'a super::Engine<'p>,
    pub(crate) facts: &'a Constraints,
    pub(crate) ranks: &'a Ranks,
    pub(crate) memory: &'a Memory,
    pub(crate) frames: &'a [Frame],
    /// The instruction or condition.
    pub(crate) place: (FunctionRef, Span),
}

/// A step of one process set.
pub(crate) enum Step<'a> {
    /// An assignment of a scalar or an aggregate.
    Assign { place: &'a Place, value: &'a Expr },
    /// Code that only its effects are known of.
    Opaque,
    /// A call of a function whose code is there: the activation, and its arguments.
    Enter { function: FunctionRef, context: ContextId, args: &'a [Expr], values: &'a [Value] },
    /// The end of an activation that is not the last.
    Return { value: Option<&'a Expr> },
    /// A call of a function without source.
    Library { name: &'a str, args: &'a [Expr], values: &'a [Value], span: Span },
    /// A call whose code is not followed, because it is not known or too deep: of one of these functions.
    Passed { targets: Vec<FunctionRef>, args: &'a [Expr], values: &'a [Value] },
    /// An MPI call.
    Mpi { call: &'a Call<'a>, site: SiteId },
    /// A branch or switch, with what it depends on and where its arms meet again; `None`: at the return.
    Branch { condition: &'a Expr, value: &'a Value, meet: Option<BlockId> },
    /// A part of a function that is passed over, because the branch that leads there may differ from rank to rank.
    Skip { cfg: &'a Cfg, branch: BlockId, blocks: &'a [BlockId] },
}

/// A match of a send and a receive.
#[derive(Clone, Debug)]
pub(crate) struct Match<'a> {
    pub(crate) envelope: &'a Envelope,
    pub(crate) incoming: &'a Incoming,
    pub(crate) relation: &'a Relation,
    /// The message, and what the receive was for, of which that is what they have in common.
    pub(crate) sent: &'a Relation,
    pub(crate) wanted: &'a Wanted,
    /// Processes of which any may have come first.
    pub(crate) alike: &'a [Ranks],
    /// The sender as the receiver sees it, where that is one.
    pub(crate) sender: Option<&'a Counterpart>,
    pub(crate) facts: &'a Constraints,
}

/// Collective calls that belong together.
#[derive(Clone, Debug)]
pub(crate) struct Completed<'a> {
    pub(crate) operation: &'a Arc<str>,
    pub(crate) entries: &'a [Entered],
    /// Ascending.
    pub(crate) sites: &'a [SiteId],
    pub(crate) communicator: &'a Arc<Communicator>,
    /// Rank in the communicator.
    pub(crate) root: Option<&'a Linear>,
    pub(crate) facts: &'a Constraints,
}

/// Data that has arrived.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Delivery<'a> {
    /// The receive, or the collective call.
    pub(crate) site: SiteId,
    pub(crate) buffer: &'a Value,
    pub(crate) count: &'a Value,
    pub(crate) datatype: &'a Value,
    /// Addresses of statuses that tell of it.
    pub(crate) statuses: &'a [&'a Value],
}
