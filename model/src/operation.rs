//! Operations, and the program that they are of.

use std::collections::BTreeMap;

use presburger::{Relation, Set};

use crate::digits::Digits;
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
    /// It is an operation of all processes of its communicator (MPI-4.1 chapter 6), the one with this number: others are not the same.
    Collective(usize),
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
    /// From each instance to the process at the other side; to several for a receive from any source. For a collective operation to its
    /// root, if it has one.
    pub partner: Relation,
    /// From each instance to its tag; to all tags for a receive of any tag. Nothing for a collective operation.
    pub tag: Relation,
    /// From each instance to its position in the program order of its process: text and counters interleaved, compared from the left. No
    /// two instances of a process have the same.
    pub position: Relation,
    /// From each instance to the position at which it is complete, where that is not its own: that of the wait, where nothing else is.
    pub completion: Option<Relation>,
    /// The communicator: operations of different ones never meet.
    pub communicator: usize,
    /// The parts of the program that it is in of which it is not known when they are executed, only that all processes do so in the same
    /// rounds.
    pub options: Vec<Optional>,
    /// Whether it is a collective operation that ends for nobody before all have begun it, such as a barrier.
    pub synchronizes: bool,
    /// Where a send goes to whoever has sent what a receive from any source got: from each instance to that receive. `partner` are all that
    /// this can be.
    pub answers: Option<Relation>,
}

/// A part of a program that all processes execute in the same rounds of the loops around it, whichever these are. Its operations are
/// described as if it was executed in each: what holds of all rounds holds of those alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Optional {
    /// Which part.
    pub part: usize,
    /// How many numbers of a position say which round it is.
    pub rounds: usize,
    /// Whether it is executed several times with these numbers, and is described for any one of these times: operations of two such rounds
    /// are not compared.
    pub is_any_round: bool,
}

impl Operation {
    /// A blocking send of standard mode in the communicator of all.
    #[must_use]
    pub fn send(process: Relation, partner: Relation, tag: Relation, position: Relation) -> Self {
        let kind = Kind::Send { is_synchronous: false };
        Self {
            kind,
            process,
            partner,
            tag,
            position,
            completion: None,
            communicator: 0,
            options: Vec::new(),
            synchronizes: false,
            answers: None,
        }
    }

    /// A blocking receive in the communicator of all.
    #[must_use]
    pub fn receive(process: Relation, partner: Relation, tag: Relation, position: Relation) -> Self {
        Self { kind: Kind::Receive, ..Self::send(process, partner, tag, position) }
    }

    /// A blocking collective operation of the communicator of all, with its root, or an empty relation.
    #[must_use]
    pub fn collective(
        number: usize,
        process: Relation,
        root: Relation,
        tag: Relation,
        position: Relation,
    ) -> Self {
        Self { kind: Kind::Collective(number), ..Self::send(process, root, tag, position) }
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

    /// The same collective operation, as one that ends for nobody before all have begun it.
    #[must_use]
    pub fn synchronizing(self) -> Self {
        Self { synchronizes: true, ..self }
    }

    /// Whether it sends.
    #[must_use]
    pub fn is_send(&self) -> bool {
        matches!(self.kind, Kind::Send { .. })
    }

    /// Whether it receives.
    #[must_use]
    pub fn is_receive(&self) -> bool {
        self.kind == Kind::Receive
    }

    /// Whether it is a collective operation.
    #[must_use]
    pub fn is_collective(&self) -> bool {
        matches!(self.kind, Kind::Collective(_))
    }

    /// Whether it is described for any one of several rounds.
    pub(crate) fn is_of_any_round(&self) -> bool {
        self.options.iter().any(|option| option.is_any_round)
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
    /// From each process of a communicator to all of it, where collective operations need them.
    pub(crate) mates: BTreeMap<usize, Relation>,
    /// From each process of a communicator to its rank in it, where that is another number than the process itself has.
    pub(crate) ranks: BTreeMap<usize, Relation>,
    /// How many numbers of a position say in which round of loops a communicator was made.
    rounds: BTreeMap<usize, usize>,
    /// How ranks are written, where processes have several coordinates.
    pub(crate) digits: Option<Digits>,
}

impl Program {
    /// A program without communication, with what is known of its parameters: a set without coordinates.
    #[must_use]
    pub fn new(known: Set) -> Self {
        Self {
            known,
            operations: Vec::new(),
            mates: BTreeMap::new(),
            ranks: BTreeMap::new(),
            rounds: BTreeMap::new(),
            digits: None,
        }
    }

    /// Adds an operation.
    pub fn add(&mut self, operation: Operation) {
        self.operations.push(operation);
    }

    /// Says which processes a communicator has, for its collective operations: from each process to all that it shares it with, itself
    /// included. A call that makes several at once makes one communicator here, whose processes fall into classes.
    pub fn set_mates(&mut self, communicator: usize, mates: Relation) {
        self.mates.insert(communicator, mates);
    }

    /// Says which ranks the processes of a communicator have in it: messages may go up or down these. Nothing has to be said of a communicator
    /// whose ranks are the numbers of the processes.
    pub fn set_ranks(&mut self, communicator: usize, ranks: Relation) {
        self.ranks.insert(communicator, ranks);
    }

    /// Says that a communicator is another one in each round of the loops around the call that makes it: so many numbers of a position say
    /// which. It is used in the same round alone.
    pub fn set_rounds(&mut self, communicator: usize, rounds: usize) {
        self.rounds.extend((rounds > 0).then_some((communicator, rounds)));
    }

    /// Says that the coordinates of processes are digits of their ranks.
    pub fn set_digits(&mut self, digits: Digits) {
        self.digits = Some(digits);
    }

    /// Whether pairs of operations are in the same optional parts, in the same rounds of these: then one is executed where the other is. And
    /// whether they use a communicator of the same round.
    pub(crate) fn is_together(&self, pairs: &Relation) -> Result<bool> {
        if !self.has_options() && self.rounds.is_empty() {
            return Ok(true);
        }
        let named = self.by_name()?;
        let operation = |name: &str| named.get(name).map(|&at| &self.operations[at]);
        for (from, to, pairs) in pairs.parts()? {
            if pairs.is_empty()? {
                continue;
            }
            let (Some(from), Some(to)) = (operation(&from.name), operation(&to.name)) else { continue };
            if from.options != to.options {
                return Ok(false);
            }
            let rounds = from.options.iter().map(|option| option.rounds);
            let made_in = self.rounds.get(&from.communicator).copied();
            let rounds = rounds.chain(made_in).max().unwrap_or(0);
            let round = |operation: &Operation| -> Result<Relation> {
                let length =
                    operation.position.parts()?.first().map_or(0, |(_, position, _)| position.length);
                Ok(operation.position.project_out_range(rounds.min(length)..length)?)
            };
            if !pairs.is_subset(&round(from)?.apply_range(&round(to)?.inverse()?)?)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The operations by the names of their instances: indices in [`Program::operations`].
    pub(crate) fn by_name(&self) -> Result<BTreeMap<String, usize>> {
        let mut named = BTreeMap::new();
        for (at, operation) in self.operations.iter().enumerate() {
            for (tuple, _) in operation.domain()?.parts()? {
                named.insert(tuple.name, at);
            }
        }
        Ok(named)
    }

    /// Whether some parts are described for any one of several rounds, and others are not described in this way.
    pub(crate) fn has_any_rounds_among_others(&self) -> bool {
        let mut all = self.operations.iter().map(|operation| &operation.options);
        let Some(first) = all.next() else { return false };
        let is_alike = all.all(|options| options == first);
        !is_alike && self.operations.iter().any(Operation::is_of_any_round)
    }

    /// Whether how often some operation is executed is not known.
    #[must_use]
    pub fn has_options(&self) -> bool {
        self.operations.iter().any(|operation| !operation.options.is_empty())
    }

    /// Which processes a communicator has, as [`Program::set_mates`] was told.
    #[must_use]
    pub fn mates(&self, communicator: usize) -> Option<&Relation> {
        self.mates.get(&communicator)
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

    /// The communicators that are used.
    pub(crate) fn communicators(&self) -> Vec<usize> {
        let mut all: Vec<usize> = self.operations.iter().map(|operation| operation.communicator).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}
