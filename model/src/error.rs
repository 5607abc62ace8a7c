//! What can go wrong.

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// Integer sets: above all, that the budget of operations is used up.
    #[error(transparent)]
    Sets(#[from] presburger::Error),
    /// Sends and receives meet in more than one way, and none of those that were tried is shown to be the one.
    #[error("which of several messages between the same processes meet is not decided")]
    SeveralMessages,
    /// An operation that is executed in some rounds meets one that is executed in others.
    #[error("whether this is executed in the same rounds as what it meets is not decided")]
    Rounds,
    /// Receives that take messages of several sends do not all take the same ones.
    #[error("receives from any source or with any tag compete for messages in a way that is not decided")]
    Competing,
}

/// An answer, or why there is none.
pub type Result<T> = std::result::Result<T, Error>;
