//! A node of the parallel CFG with its dataflow state (paper sections IV to VI): process sets and where each stands, what they
//! know, the messages in flight, and the communication so far.

use std::sync::Arc;

use frontend::ir::{self, BlockId};
use frontend::program::FunctionRef;
use lattice::{Constraints, Linear, Range};

use super::memory::{ContextId, Memory, ObjectId};
use super::value::Value;

/// Index of a call site in the engine's table of sites.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct SiteId(pub(crate) u32);

/// One activation of a function.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Frame {
    pub(crate) function: FunctionRef,
    pub(crate) context: ContextId,
    pub(crate) block: BlockId,
    /// Next instruction of the block; one past the last is the terminator.
    pub(crate) inst: usize,
    /// Where the caller wants the result.
    pub(crate) result: Option<ir::Place>,
}

/// How far a process is with MPI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Phase {
    Before,
    Running,
    Finalized,
}

/// What a process set is doing.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Status {
    /// Can take its next step.
    Ready,
    /// Waits in a send whose message nobody has taken yet; with buffering it may go on.
    Sending(Outgoing),
    /// Waits in a receive.
    Receiving(Incoming),
    /// Waits in a collective.
    Collective(CollectiveCall),
    /// Has returned from `main`.
    Done,
}

/// A send, as each member executes it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Outgoing {
    pub(crate) envelope: Envelope,
    /// Destination over the sender's rank.
    pub(crate) dest: Linear,
    /// Whether it must not complete before it is received (`MPI_Ssend`).
    pub(crate) synchronous: bool,
}

/// What travels with a message.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Envelope {
    pub(crate) site: SiteId,
    pub(crate) communicator: Arc<str>,
    /// Over the sender's rank.
    pub(crate) tag: Value,
    /// Over the sender's rank.
    pub(crate) count: Value,
    pub(crate) datatype: Value,
    /// The value sent, for a message of one element; over the sender's rank.
    pub(crate) payload: Value,
}

/// A receive, as each member executes it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Incoming {
    pub(crate) site: SiteId,
    pub(crate) communicator: Arc<str>,
    /// Source over the receiver's rank.
    pub(crate) source: Linear,
    /// Tag over the receiver's rank; `None` for `MPI_ANY_TAG`.
    pub(crate) tag: Option<Value>,
    pub(crate) count: Value,
    pub(crate) datatype: Value,
    pub(crate) buffer: Value,
    pub(crate) status: Value,
}

/// A collective call.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CollectiveCall {
    pub(crate) site: SiteId,
    pub(crate) operation: Arc<str>,
    pub(crate) communicator: Arc<str>,
    pub(crate) root: Option<Linear>,
    /// Buffer whose content all ranks (or the root) have afterwards.
    pub(crate) result: Value,
    pub(crate) count: Value,
    pub(crate) datatype: Value,
    /// A communicator that the call creates is stored here.
    pub(crate) new_communicator: Option<Value>,
}

/// Some processes that stand at one place and behave alike.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ProcessSet {
    pub(crate) ranks: Range,
    pub(crate) frames: Vec<Frame>,
    pub(crate) status: Status,
    pub(crate) phase: Phase,
    pub(crate) memory: Memory,
}

/// How the senders and receivers of a [`Relation`] are paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Pairing {
    /// One sender, one receiver.
    Single,
    /// In the same order.
    Parallel,
    /// In opposite order.
    Mirrored,
    /// One sender, many receivers.
    FanOut,
    /// Many senders, one receiver.
    FanIn,
}

/// A set of (sender, receiver) pairs. Both ranges are nonempty, and of equal length but for the fans.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Relation {
    pub(crate) senders: Range,
    pub(crate) receivers: Range,
    pub(crate) pairing: Pairing,
}

/// Messages sent and not yet received.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct InFlight {
    pub(crate) envelope: Envelope,
    pub(crate) relation: Relation,
}

/// Messages exchanged so far by one send and one receive call.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Exchanged {
    pub(crate) send: SiteId,
    pub(crate) recv: SiteId,
    pub(crate) communicator: Arc<str>,
    pub(crate) datatype: Value,
    pub(crate) relation: Relation,
    /// `None` where it differs between messages.
    pub(crate) tag: Option<Linear>,
    /// `None` where it differs between messages or is not known.
    pub(crate) count: Option<Linear>,
    /// How often each pair communicated; `None` where that has no linear form.
    pub(crate) repeat: Option<Linear>,
}

/// Collectives executed so far at one combination of call sites.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Gathered {
    pub(crate) operation: Arc<str>,
    pub(crate) sites: Vec<SiteId>,
    pub(crate) communicator: Arc<str>,
    pub(crate) root: Option<Linear>,
    pub(crate) repeat: Option<Linear>,
}

/// A node of the parallel CFG with its state.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) facts: Constraints,
    /// Nonempty, pairwise disjoint, together all of `[0..np-1]`.
    pub(crate) sets: Vec<ProcessSet>,
    /// In the order sent.
    pub(crate) in_flight: Vec<InFlight>,
    pub(crate) exchanged: Vec<Exchanged>,
    pub(crate) gathered: Vec<Gathered>,
    /// Whether the path has taken a side since it last passed a cut point; only such a path needs joining.
    pub(crate) forked: bool,
    /// Whether the state is one case of a distinction that waiting sets asked for, and none has moved since.
    pub(crate) deciding: bool,
    /// Rounds of loops that do not communicate since one was last passed over.
    pub(crate) quiet: u32,
    /// Steps since the last cut point at which the state was stored.
    pub(crate) unstored: u32,
}

/// Where a set stands: its call chain with block and instruction, its phase, and what it waits in.
type Place = (Vec<(FunctionRef, ContextId, u32, u32)>, Phase, u8);

/// The shape of a state: states of equal shape can be joined.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Shape {
    sets: Vec<Place>,
    in_flight: Vec<(SiteId, Pairing)>,
    exchanged: Vec<(SiteId, SiteId, Pairing)>,
    gathered: Vec<Vec<SiteId>>,
}

impl ProcessSet {
    pub(crate) fn frame(&self) -> &Frame {
        self.frames.last().expect("a set that is not done has a frame")
    }

    pub(crate) fn frame_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a set that is not done has a frame")
    }

    /// Passes the call it waits in.
    pub(crate) fn release(&mut self) {
        self.status = Status::Ready;
        self.frame_mut().inst += 1;
    }

    pub(crate) fn is_done(&self) -> bool {
        matches!(self.status, Status::Done)
    }
}

impl State {
    pub(crate) fn shape(&self) -> Shape {
        Shape {
            sets: self
                .sets
                .iter()
                .map(|set| {
                    let frames = set
                        .frames
                        .iter()
                        .map(|f| {
                            let inst = u32::try_from(f.inst).unwrap_or(u32::MAX);
                            (f.function, f.context, u32::try_from(f.block.index()).unwrap_or(u32::MAX), inst)
                        })
                        .collect();
                    let status = match set.status {
                        Status::Ready => 0,
                        Status::Sending(_) => 1,
                        Status::Receiving(_) => 2,
                        Status::Collective(_) => 3,
                        Status::Done => 4,
                    };
                    (frames, set.phase, status)
                })
                .collect(),
            in_flight: self.in_flight.iter().map(|m| (m.envelope.site, m.relation.pairing)).collect(),
            exchanged: self.exchanged.iter().map(|e| (e.send, e.recv, e.relation.pairing)).collect(),
            gathered: self.gathered.iter().map(|g| g.sites.clone()).collect(),
        }
    }
}

/// An object and byte offset, for a buffer that is an address.
pub(crate) fn address(value: &Value) -> Option<(ObjectId, &Linear)> {
    match value {
        Value::Address(object, offset) => Some((*object, offset)),
        _ => None,
    }
}
