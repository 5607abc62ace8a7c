//! What an answer relies on besides the text of the program.

use frontend::ir::Span;
use frontend::program::FunctionRef;

use crate::extract::Extractor;

/// What is assumed of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assumption {
    /// The arguments of the program are the same for all processes.
    CommandLine,
    /// Operations on files succeed.
    Files,
    /// One-sided operations and their epochs end.
    OneSided,
    /// Some process does not end the program at this place: what decides about it is not known.
    NotEnded(FunctionRef, Span),
    /// What a number is divided by at this place is not zero: it is not known.
    NotZero(FunctionRef, Span),
    /// The number of this name, by which processes are arranged, is at least 1.
    Positive(String),
    /// A grid has processes in each direction, and not more than there are: which sizes it has is not known.
    GridFits(FunctionRef, Span),
    /// A call leaves the ranks in their order, though it may give processes others.
    KeepsOrder(FunctionRef, Span),
    /// The colours of a split are not negative, or `MPI_UNDEFINED`.
    Colour(FunctionRef, Span),
    /// A function of this name that nobody defines does not communicate, and writes only what it is given.
    External(String),
}

impl Extractor<'_> {
    /// Relies on something.
    pub(crate) fn assume(&mut self, assumption: Assumption) {
        if !self.assumptions.contains(&assumption) {
            self.assumptions.push(assumption);
        }
    }
}
