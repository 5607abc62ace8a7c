//! A node of the parallel CFG with its dataflow state (paper sections IV to VI): process sets and where each stands, what they
//! know, the messages in flight, and the communication so far.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use effort::spend;
use frontend::ir::{self, BlockId};
use frontend::mpi::Which;
use frontend::program::FunctionRef;
use lattice::{Constraints, Linear, Range, Ranks, Symbol};

use super::agreement::Terms;
use super::cartesian::Grid;
use super::clients::{self, Cargo, Client, Clients, Known};
use super::contributions::Contribution;
use super::digit_layout::Layout;
use super::eval::Location;
use super::group::Group;
use super::link::Pairing;
use super::memory::{ContextId, Memory, ObjectId};
use super::permutation::Target;
use super::relation::Relation;
use super::value::Value;

/// Size of a handle in the engine's memory.
pub(crate) const HANDLE: i64 = 8;

/// Index of a call site in the engine's table of sites.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct SiteId(pub(crate) u32);

/// One activation of a function.
#[derive(Debug, PartialEq)]
pub(crate) struct Frame {
    pub(crate) function: FunctionRef,
    pub(crate) context: ContextId,
    pub(crate) block: BlockId,
    /// Next instruction of the block; one past the last is the terminator.
    pub(crate) inst: usize,
    /// Where the caller wants the result.
    pub(crate) result: Option<ir::Place>,
}

/// Each process set that is copied has a few, and one that has many is expensive.
impl Clone for Frame {
    fn clone(&self) -> Self {
        spend(3);
        Self { result: self.result.clone(), ..*self }
    }
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
    /// Waits until operations are complete.
    Waiting(Wait),
    /// Waits until there is a message to look at.
    Probing(Probe),
    /// Has returned from `main`.
    Done,
}

/// What tells an operation to the process that started it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Ticket {
    /// The blocking call that the process is in.
    Call,
    /// The request whose handle was first stored there.
    Request(Slot),
    /// Nobody waits for it any more.
    Detached,
}

/// Where handles of requests were stored when their operations were started.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Slot {
    pub(crate) object: ObjectId,
    /// Byte offsets of the first and the last handle; `None`: anywhere in the object.
    pub(crate) span: Option<Range>,
}

/// A call that waits for operations.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Wait {
    pub(crate) site: SiteId,
    pub(crate) awaited: Vec<Awaited>,
    /// The call could also have returned without waiting (`MPI_Test`): that it waits forever is no defect.
    pub(crate) optional: bool,
    /// For a call that needs fewer than all of these (`MPI_Waitany`): what it tells of them.
    pub(crate) partial: Option<Partial>,
}

/// A call that returns when some of several operations are complete, and tells which.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Partial {
    /// Any one, or some.
    pub(crate) which: Which,
    /// The indices of the operations in the list that the call is given; none where they are not known one by one.
    pub(crate) positions: Vec<i64>,
    /// Whether what the call tells decides what the process does next. Otherwise it waits for all of them, which delays it but
    /// changes no match.
    pub(crate) matters: bool,
    /// Addresses of the index or indices, of their number, and of the status or statuses.
    pub(crate) indices: Value,
    pub(crate) number: Value,
    pub(crate) statuses: Value,
}

impl Wait {
    /// Whether the call may return although some of these operations are not complete: that it waits forever proves nothing.
    pub(crate) fn is_lenient(&self) -> bool {
        self.partial.as_ref().is_some_and(|partial| partial.positions.len() != 1)
    }
}

/// One operation that is waited for, and what is done when it is complete.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Awaited {
    pub(crate) ticket: Ticket,
    /// Address of the status.
    pub(crate) status: Value,
    /// Address of the handle, which becomes null.
    pub(crate) handle: Option<Value>,
}

/// A call that waits for a message without receiving it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Probe {
    pub(crate) filter: Filter,
    /// Sender over the prober's rank; `None` for any.
    pub(crate) source: Option<Linear>,
    /// Address of the status.
    pub(crate) status: Value,
    /// Address of the handle of the message, for a matched probe.
    pub(crate) message: Option<Value>,
    /// As in [`Wait`].
    pub(crate) optional: bool,
}

/// A send, as each member executes it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Outgoing {
    pub(crate) envelope: Envelope,
    pub(crate) dest: Target,
    pub(crate) hold: Hold,
}

/// Whether the sender waits for the receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Hold {
    /// Not any more, or never.
    Free,
    /// It is tried without buffering first, because then sender and receivers move together and a loop of sends finds its
    /// widening; when nothing else can move, the message is buffered.
    Polite,
    /// Until the receive has started (`MPI_Ssend`; every send where nothing is buffered).
    Firm,
}

/// What travels with a message.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Envelope {
    pub(crate) site: SiteId,
    pub(crate) communicator: Arc<Communicator>,
    /// Over the sender's rank.
    pub(crate) tag: Value,
    /// Over the sender's rank.
    pub(crate) count: Value,
    pub(crate) datatype: Value,
    /// The value sent, for a message of one element; over the sender's rank.
    pub(crate) payload: Value,
    /// What the client analyses know of the data.
    pub(crate) cargo: Cargo,
}

/// What a receive or probe accepts, besides the source.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Filter {
    pub(crate) site: SiteId,
    pub(crate) communicator: Arc<Communicator>,
    /// Tag over the receiver's rank; `None` for `MPI_ANY_TAG`.
    pub(crate) tag: Option<Value>,
}

/// A receive, as each member executes it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Incoming {
    pub(crate) filter: Filter,
    pub(crate) count: Value,
    pub(crate) datatype: Value,
    pub(crate) buffer: Value,
}

/// The communicator of some processes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Communicator {
    /// What is printed, and what tells it from others that share a process with it.
    pub(crate) name: Arc<str>,
    pub(crate) group: Group,
    /// Of a Cartesian communicator.
    pub(crate) grid: Option<Arc<Grid>>,
    /// Of a graph communicator: the name under which each member keeps who its neighbours are.
    pub(crate) graph: Option<Arc<str>>,
}

/// A collective call.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CollectiveCall {
    pub(crate) site: SiteId,
    pub(crate) operation: Arc<str>,
    pub(crate) communicator: Arc<Communicator>,
    /// Rank in the communicator.
    pub(crate) root: Option<Linear>,
    /// Buffer whose content all ranks (or the root) have afterwards.
    pub(crate) result: Value,
    pub(crate) count: Value,
    pub(crate) datatype: Value,
    /// For a reduction of one element: the operation and the number that the caller contributes, if that is a constant.
    pub(crate) given: Option<(Arc<str>, i64)>,
    /// The values that the caller gives, and where it gets which, where every process is followed for itself.
    pub(crate) contribution: Option<Box<Contribution>>,
    /// What all callers must say alike.
    pub(crate) terms: Box<Terms>,
    /// The communicator that the call creates.
    pub(crate) creates: Option<Creation>,
    /// What the client analyses know of the caller's contribution.
    pub(crate) cargo: Cargo,
}

/// How a collective call makes a communicator.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Creation {
    /// Where its handle is stored.
    pub(crate) handle: Value,
    pub(crate) how: Partition,
}

/// Which processes share a new communicator.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Partition {
    /// All of the old one.
    Same,
    /// Those that name the same colour (`None`: no communicator), ordered by key. Over the member's rank.
    /// Where the old one is a grid and each of the new ones a part of it in fewer directions, that.
    Colour { colour: Option<Linear>, key: Linear, grid: Option<Arc<Grid>> },
    /// All of the old one, in a graph.
    Graph,
    /// Those of a group.
    Of(Group),
    /// Those of a group, as a grid.
    Grid(Group, Arc<Grid>),
    /// Those of two communicators, whose leaders know each other by their ranks in `MPI_COMM_WORLD`: that of the callers' own
    /// communicator, and where it is among the callers the other one and the tag.
    Bridge { leader: Linear, peer: Option<(Linear, Linear)> },
    /// Those of both sides of an intercommunicator; whether the caller's side comes last.
    Merged { high: bool },
}

/// Some processes that stand at one place and behave alike.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ProcessSet {
    pub(crate) ranks: Ranks,
    pub(crate) frames: Vec<Frame>,
    pub(crate) status: Status,
    /// Arrived where paths meet, and waits there until the other sets have come as far as they can; `true` at a cut point.
    pub(crate) paused: Option<bool>,
    pub(crate) phase: Phase,
    /// The question whose answer to all members was that nothing has happened, where some may as well have got the other one: then they
    /// ask it again, or they do not go on alike.
    pub(crate) asking: Option<Question>,
    pub(crate) memory: Memory,
    /// Operations behind handles that are used again, by the address of the handle.
    pub(crate) handles: BTreeMap<(ObjectId, i64), Handle>,
    /// What the client analyses know of it.
    pub(crate) known: Known,
}

/// A call that asks whether something has happened, and the chain of calls that led to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Question {
    pub(crate) site: SiteId,
    pub(crate) context: ContextId,
}

/// An operation behind a handle.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Handle {
    /// A persistent send.
    Send(Outgoing),
    /// A persistent receive; the source is `None` for any.
    Receive(Incoming, Option<Target>),
    /// A persistent operation whose partner is `MPI_PROC_NULL`.
    Nothing,
    /// A persistent collective.
    Collective(CollectiveCall),
    /// A persistent collective among neighbours, with the messages along its edges.
    Several(Vec<Handle>),
    /// A message that a matched probe has found: its sender, tag and communicator.
    Message(Linear, Value, Arc<Communicator>),
}

impl Handle {
    /// The operation, or those of which it consists.
    pub(crate) fn parts(&self) -> &[Self] {
        match self {
            Self::Several(all) => all,
            one => std::slice::from_ref(one),
        }
    }
}

/// Messages sent and not yet received.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct InFlight {
    pub(crate) envelope: Envelope,
    pub(crate) relation: Relation,
    /// The sender's.
    pub(crate) ticket: Ticket,
    pub(crate) hold: Hold,
}

/// Receives started and not yet matched.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Posted {
    pub(crate) incoming: Incoming,
    pub(crate) wanted: Wanted,
    pub(crate) ticket: Ticket,
}

/// From whom some processes receive.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Wanted {
    /// Each from known senders, one message from each.
    From(Relation),
    /// Each of these one message from anybody.
    Anybody(Ranks),
}

/// Messages received, as long as nobody has waited for them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Arrived {
    pub(crate) receivers: Ranks,
    pub(crate) ticket: Ticket,
    pub(crate) incoming: Incoming,
    /// Rank of the sender in the communicator, tag, number of elements and content; over the receiver's rank.
    pub(crate) source: Value,
    pub(crate) tag: Value,
    pub(crate) count: Value,
    pub(crate) payload: Value,
    /// For many of one array of handles, of which calls have told some: of how many none has. Which ones these are is not known.
    pub(crate) left: Option<Linear>,
    /// What the client analyses know of the data.
    pub(crate) cargo: Cargo,
}

/// Collective calls that some processes have made and others not yet.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entered {
    pub(crate) members: Ranks,
    pub(crate) call: CollectiveCall,
    pub(crate) ticket: Ticket,
}

/// A symbol by which data names a process whose true rank is not known, see `alike`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Guise {
    pub(crate) symbol: Symbol,
    /// Its rank in the state; `None` where it is one of several again that stand alike.
    pub(crate) process: Option<Linear>,
}

/// A node of the parallel CFG with its state.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) facts: Constraints,
    /// Nonempty, pairwise disjoint, together all of `[0..np-1]`.
    pub(crate) sets: Vec<ProcessSet>,
    /// In the order sent.
    pub(crate) in_flight: Vec<InFlight>,
    /// In the order posted.
    pub(crate) posted: Vec<Posted>,
    pub(crate) arrived: Vec<Arrived>,
    /// In the order of the calls.
    pub(crate) entered: Vec<Entered>,
    /// Ranges of processes that behave alike and of which a receive from any source took the first: what is recorded of one
    /// is possible for all.
    pub(crate) alike: Vec<Ranks>,
    /// By which symbols data names processes of those ranges.
    pub(crate) guises: Vec<Guise>,
    /// What the client analyses know of the path.
    pub(crate) clients: clients::Path,
    /// Whether the path has taken a side since it last passed a cut point; only such a path needs joining.
    pub(crate) forked: bool,
    /// Whether the path has taken a side since it was last stored at the head of a loop.
    pub(crate) branched: bool,
    /// Whether the path has taken a side on something else than which message comes first, since it was last stored.
    pub(crate) guessed: bool,
    /// Whether the state is one case of a distinction that waiting sets asked for, and none has moved since.
    pub(crate) deciding: bool,
    /// Rounds of loops that do not communicate since one was last passed over.
    pub(crate) quiet: u32,
    /// Steps since the last cut point at which the state was stored.
    pub(crate) unstored: u32,
    /// How often all sets have waited since the state was last stored at the head of a loop, if it ever was.
    pub(crate) waits: Option<u8>,
    /// Whether the state describes more than was reached, since different states were made one.
    pub(crate) blurred: bool,
    /// Numbers that may be more than they were where states were made one: it does not matter until something is decided by them.
    pub(crate) vague: Vec<Symbol>,
    /// The stored states that the path has passed.
    pub(crate) lineage: Lineage,
}

/// The stored states that a path has passed, the latest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lineage(Option<Rc<(u32, Lineage)>>);

impl Lineage {
    /// The path that goes on from a stored state.
    pub(crate) fn after(self, stored: u32) -> Self {
        Self(Some(Rc::new((stored, self))))
    }

    /// Whether that state is the latest one.
    pub(crate) fn starts_with(&self, stored: u32) -> bool {
        self.0.as_ref().is_some_and(|node| node.0 == stored)
    }

    /// Whether the path has passed that state.
    pub(crate) fn contains(&self, stored: u32) -> bool {
        let mut next = &self.0;
        while let Some(node) = next {
            // A state is stored before those that come after it.
            match node.0.cmp(&stored) {
                std::cmp::Ordering::Equal => return true,
                std::cmp::Ordering::Less => return false,
                std::cmp::Ordering::Greater => next = &node.1.0,
            }
        }
        false
    }
}

/// Where a set stands: its call chain with block and instruction, its phase, and what it waits in.
type Place = (Vec<(FunctionRef, ContextId, u32, u32)>, Phase, Option<Question>, u8, Vec<Linear>);

/// How a relation is made up: its digits, and how each of them is paired.
pub(crate) type Structure = (Layout, Vec<Pairing>);

/// The shape of a state: states of equal shape can be joined.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Shape {
    sets: Vec<Place>,
    in_flight: Vec<(SiteId, Structure, Hold, u8)>,
    posted: Vec<(SiteId, Structure, u8)>,
    arrived: Vec<(SiteId, Vec<Linear>, u8)>,
    entered: Vec<(SiteId, Vec<Linear>, u8)>,
    alike: (usize, usize),
    clients: <Clients as Client>::Shape,
}

impl Shape {
    /// The shape as far as it decides what happens next: what clients know of the path does not.
    pub(crate) fn without_clients(self) -> Self {
        Self { clients: Default::default(), ..self }
    }
}

impl Ticket {
    fn code(&self) -> u8 {
        match self {
            Self::Call => 0,
            Self::Request(Slot { span: Some(_), .. }) => 1,
            Self::Request(Slot { span: None, .. }) => 2,
            Self::Detached => 3,
        }
    }
}

impl Arrived {
    /// Of how many of its requests no call has told yet.
    pub(crate) fn untold(&self) -> Option<Linear> {
        let slots = || match &self.ticket {
            Ticket::Request(Slot { span: Some(span), .. }) => handles_in(span),
            _ => None,
        };
        self.left.clone().or_else(slots)
    }
}

impl Wanted {
    pub(crate) fn receivers(&self) -> Ranks {
        match self {
            Self::From(relation) => relation.receivers(),
            Self::Anybody(receivers) => receivers.clone(),
        }
    }
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
    /// How much memory it takes, in cells of the memory of processes.
    pub(crate) fn weight(&self) -> usize {
        let operations = self.in_flight.len() + self.posted.len() + self.arrived.len() + self.entered.len();
        6 * operations + self.sets.iter().map(|set| set.memory.weight()).sum::<usize>()
    }

    pub(crate) fn shape(&self) -> Shape {
        let set = |set: &ProcessSet| {
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
                Status::Waiting(_) => 1,
                Status::Probing(_) => 2,
                Status::Done => 3,
            };
            (frames, set.phase, set.asking, status, set.ranks.radices().to_vec())
        };
        let posted = |p: &Posted| {
            let structure = match &p.wanted {
                Wanted::From(relation) => relation.structure(),
                Wanted::Anybody(receivers) => (Layout::straight(receivers.radices().to_vec()), Vec::new()),
            };
            (p.incoming.filter.site, structure, p.ticket.code())
        };
        Shape {
            sets: self.sets.iter().map(set).collect(),
            in_flight: self
                .in_flight
                .iter()
                .map(|m| (m.envelope.site, m.relation.structure(), m.hold, m.ticket.code()))
                .collect(),
            posted: self.posted.iter().map(posted).collect(),
            arrived: self
                .arrived
                .iter()
                .map(|a| (a.incoming.filter.site, a.receivers.radices().to_vec(), a.ticket.code()))
                .collect(),
            entered: self
                .entered
                .iter()
                .map(|e| (e.call.site, e.members.radices().to_vec(), e.ticket.code()))
                .collect(),
            alike: (self.alike.len(), self.guises.len()),
            clients: Clients::shape(&self.clients),
        }
    }
}

/// How many handles there are from the first to the last of these byte offsets.
pub(crate) fn handles_in(span: &Range) -> Option<Linear> {
    span.hi.sub(&span.lo)?.divide_exactly(HANDLE)?.offset(1)
}

/// Where a pointer points to, for one that is known to point into an object.
pub(crate) fn target(value: &Value) -> Option<Location> {
    match value {
        Value::Address(object, offset) => Some(Location { object: *object, offset: Some(offset.clone()) }),
        Value::Within(object) => Some(Location { object: *object, offset: None }),
        _ => None,
    }
}

/// An object and byte offset, for a buffer that is an address.
pub(crate) fn address(value: &Value) -> Option<(ObjectId, &Linear)> {
    match value {
        Value::Address(object, offset) => Some((*object, offset)),
        _ => None,
    }
}
