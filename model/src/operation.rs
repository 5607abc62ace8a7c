//! Operations, and the program that they are of.

use presburger::{Relation, Set};

use crate::error::Result;

/// What an operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// It sends; where it is synchronous it does not end before the receive has begun (MPI-4.1 section 3.4).
    Send {
        /// Whether it waits for its receive in any case.
        is_synchronous: bool,
    },
    /// It receives.
    Receive,
}

/// One MPI call at one place in one calling context, for all processes and rounds at once.
///
/// Its instances are the points of a tuple that has the name of the operation; other operations have other names. Coordinates of
/// processes, positions and tags are tuples without a name, of the same length in the whole program.
#[derive(Clone, Debug)]
pub struct Operation {
    /// What it does.
    pub kind: Kind,
    /// From each instance to the process that executes it. Its domain is the iteration domain.
    pub process: Relation,
    /// From each instance to the process at the other side; to several for a receive from any source.
    pub partner: Relation,
    /// From each instance to its tag; to all tags for a receive of any tag.
    pub tag: Relation,
    /// From each instance to its position in the program order of its process: text and counters interleaved, compared from the left. No
    /// two instances of a process have the same.
    pub position: Relation,
    /// From each instance to the position at which it is complete, where that is not its own: that of the wait, where nothing else is.
    pub completion: Option<Relation>,
    /// The communicator: operations of different ones never meet.
    pub communicator: usize,
}

impl Operation {
    /// A blocking send of standard mode in the communicator of all.
    #[must_use]
    pub fn send(process: Relation, partner: Relation, tag: Relation, position: Relation) -> Self {
        let kind = Kind::Send { is_synchronous: false };
        Self { kind, process, partner, tag, position, completion: None, communicator: 0 }
    }

    /// A blocking receive in the communicator of all.
    #[must_use]
    pub fn receive(process: Relation, partner: Relation, tag: Relation, position: Relation) -> Self {
        Self { kind: Kind::Receive, ..Self::send(process, partner, tag, position) }
    }

    /// The same operation, complete at the position of a wait.
    #[must_use]
    pub fn completed_at(self, completion: Relation) -> Self {
        Self { completion: Some(completion), ..self }
    }

    /// The same operation on another communicator.
    #[must_use]
    pub fn on(self, communicator: usize) -> Self {
        Self { communicator, ..self }
    }

    /// Whether it sends.
    #[must_use]
    pub fn is_send(&self) -> bool {
        matches!(self.kind, Kind::Send { .. })
    }

    /// The instances.
    ///
    /// # Errors
    ///
    /// Those of integer sets.
    pub fn domain(&self) -> Result<Set> {
        Ok(self.process.domain()?)
    }

    /// Where it begins.
    pub(crate) fn start(&self) -> &Relation {
        &self.position
    }

    /// Where it is complete.
    pub(crate) fn end(&self) -> &Relation {
        self.completion.as_ref().unwrap_or(&self.position)
    }
}

/// The communication of a program.
#[derive(Clone, Debug)]
pub struct Program {
    pub(crate) known: Set,
    pub(crate) operations: Vec<Operation>,
}

impl Program {
    /// A program without communication, with what is known of its parameters: a set without coordinates.
    #[must_use]
    pub fn new(known: Set) -> Self {
        Self { known, operations: Vec::new() }
    }

    /// Adds an operation.
    pub fn add(&mut self, operation: Operation) {
        self.operations.push(operation);
    }

    /// What is known of the parameters.
    #[must_use]
    pub fn known(&self) -> &Set {
        &self.known
    }

    /// The operations, in the order in which they were added.
    #[must_use]
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// A relation of each operation that is chosen, all in one, for the parameters that are possible and the instances that there are.
    pub(crate) fn all<'a>(
        &self,
        chosen: impl IntoIterator<Item = &'a Operation>,
        relation: impl Fn(&Operation) -> Result<Relation>,
    ) -> Result<Relation> {
        let mut all = Relation::empty(self.known.context())?;
        for operation in chosen {
            let part = relation(operation)?.intersect_domain(&operation.domain()?)?;
            all = all.union(&part.intersect_parameters(&self.known)?)?;
        }
        Ok(all)
    }

    /// The communicators that messages are sent on.
    pub(crate) fn communicators(&self) -> Vec<usize> {
        let mut all: Vec<usize> = self.operations.iter().map(|operation| operation.communicator).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}
