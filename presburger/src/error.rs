//! Why a question has no answer.

/// Why an operation has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The operations of the context's budget are done: [`Context::set_budget`](crate::Context::set_budget) gives it new ones.
    #[error("the budget of operations on integer sets is spent")]
    Budget,
    /// A text is no set, or no relation, in isl's notation.
    #[error("`{text}` is not {what} in the notation of isl")]
    Syntax {
        /// What was to be read: `a set` or `a relation`.
        what: &'static str,
        /// The text.
        text: String,
    },
    /// Two objects belong to different contexts.
    #[error("the operands belong to different contexts")]
    Contexts,
    /// Tuples have another name or length than the operation needs.
    #[error("the tuples do not fit: {0}")]
    Tuples(String),
    /// The points of a set without bounds were to be listed, or the least of values that have no least one was asked for.
    #[error("the set has no bound")]
    Unbounded,
    /// More points than were asked for.
    #[error("the set has more than {0} points")]
    TooMany(usize),
    /// A number does not fit into 64 bits.
    #[error("a number of the set does not fit into 64 bits")]
    Overflow,
    /// There is no memory left.
    #[error("there is no memory left for integer sets")]
    Memory,
    /// isl refuses, and says why in its own words.
    #[error("isl: {0}")]
    Refused(String),
}

/// The result of an operation on sets.
pub type Result<T> = std::result::Result<T, Error>;
