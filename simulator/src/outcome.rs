//! What a run is asked for, and what it was like.

use std::collections::{BTreeMap, BTreeSet};

/// Who goes on when several processes can.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Each process as far as it can, the lower ranks first; messages arrive at once.
    InTurn,
    /// One call at a time of any process, and messages arrive at any time: what a wildcard receives depends on the seed.
    Random(u64),
}

/// How to run a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Number of processes.
    pub np: usize,
    /// Whether standard sends complete without their receive. If not, they wait until it has started, as synchronous ones do.
    pub buffered: bool,
    /// Who goes on.
    pub order: Order,
}

/// A message that was received. Ranks are those in `MPI_COMM_WORLD`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sent {
    /// Sender.
    pub from: usize,
    /// Receiver.
    pub to: usize,
    /// Line of the call that describes the send.
    pub send_line: u32,
    /// Line of the call that describes the receive.
    pub recv_line: u32,
    /// Tag.
    pub tag: i64,
    /// Elements sent.
    pub count: i64,
    /// Bytes sent.
    pub bytes: i64,
    /// The datatype, if it is predefined.
    pub datatype: Option<&'static str>,
}

/// A collective that all members of a communicator took part in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Joint {
    /// Operation, such as `MPI_Bcast`.
    pub operation: String,
    /// Lines of the calls.
    pub lines: BTreeSet<u32>,
    /// Members, in ascending order of their ranks in `MPI_COMM_WORLD`.
    pub ranks: Vec<usize>,
    /// The root's rank in `MPI_COMM_WORLD`.
    pub root: Option<usize>,
}

/// A process at a call.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Rank in `MPI_COMM_WORLD`.
    pub rank: usize,
    /// Line of the call.
    pub line: u32,
}

/// What went wrong in a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FailureKind {
    /// A message is longer than the receive has room for.
    Truncation,
    /// Members of a communicator are in different collectives.
    CollectiveMismatch,
    /// They name different roots.
    RootMismatch,
    /// What they say of the lengths of data does not agree.
    LengthMismatch,
    /// Elements are received as what they are not.
    TypeMismatch,
    /// A rank, tag, count or root that there is not, or a handle that means nothing.
    Argument,
    /// The program reads what was not written, or beyond the end: what it does then is not defined.
    Undefined,
}

/// A call that went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// In which way.
    pub kind: FailureKind,
    /// By whom.
    pub at: Place,
    /// In words.
    pub text: String,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All processes came to their ends.
    Finished,
    /// These wait forever.
    Hang(Vec<Place>),
    /// A call went wrong.
    Failed(Failure),
    /// The program called `MPI_Abort`.
    Aborted,
    /// It was stopped after many steps.
    TooLong,
}

/// A run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How it ended.
    pub ended: Ended,
    /// Messages, sorted.
    pub messages: Vec<Sent>,
    /// Collectives, sorted.
    pub collectives: Vec<Joint>,
    /// Sends that nobody received.
    pub unreceived: Vec<Place>,
    /// Receives that were started and got nothing.
    pub unserved: Vec<Place>,
    /// Nonblocking operations that nobody waited for.
    pub unwaited: Vec<Place>,
}

impl Outcome {
    /// Whether all went well: each process came to its end, and nothing is left over.
    #[must_use]
    pub fn is_right(&self) -> bool {
        self.ended == Ended::Finished && self.is_matched() && self.unwaited.is_empty()
    }

    /// Whether each send was received and each receive got a message.
    #[must_use]
    pub fn is_matched(&self) -> bool {
        self.unreceived.is_empty() && self.unserved.is_empty()
    }

    /// Messages that look alike, and how many of them.
    #[must_use]
    pub fn message_counts(&self) -> BTreeMap<&Sent, i64> {
        counted(&self.messages)
    }

    /// Collectives that look alike, and how many of them.
    #[must_use]
    pub fn collective_counts(&self) -> BTreeMap<&Joint, i64> {
        counted(&self.collectives)
    }
}

fn counted<T: Ord>(all: &[T]) -> BTreeMap<&T, i64> {
    let mut counts = BTreeMap::new();
    for one in all {
        *counts.entry(one).or_insert(0) += 1;
    }
    counts
}
