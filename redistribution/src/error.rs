//! What can be wrong with the parameters of a redistribution.

use thiserror::Error;

/// Why there is no such redistribution, or none that could be computed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Error {
    /// A distribution needs at least one process and a block of at least one element.
    #[error("{0} must be at least 1")]
    Zero(&'static str),
    /// Ranks are `int` in MPI.
    #[error("{0} processes are more than an MPI communicator can have (2147483647)")]
    TooManyProcesses(u64),
    /// `processes * block` does not fit.
    #[error("{processes} processes times blocks of {block} elements are more than 2^63 - 1 elements")]
    RoundTooLong {
        /// How many processes.
        processes: u64,
        /// Elements of a block.
        block: u64,
    },
    /// The pattern repeats only after more elements than can be counted.
    #[error(
        "the pattern repeats after lcm({from}, {to}) elements, which are more than 2^63 - 1; \
         choose block sizes with more common factors"
    )]
    PeriodTooLong {
        /// Elements in one round of the source distribution, `P * r`.
        from: u64,
        /// Elements in one round of the target distribution, `Q * s`.
        to: u64,
    },
    /// The process that has the first block is none of the processes.
    #[error("process {source_process} cannot have the first block: there are {processes} processes, 0 to {}", processes - 1)]
    SourceOutOfRange {
        /// The process that was to have the first block.
        source_process: u64,
        /// How many processes there are.
        processes: u64,
    },
    /// The last index of the part that is redistributed does not fit.
    #[error("{length} elements from index {start} on end beyond 2^63 - 1")]
    EndTooFar {
        /// The first index.
        start: u64,
        /// How many elements.
        length: u64,
    },
    /// A redistribution has at least one dimension.
    #[error("a redistribution has at least one dimension")]
    NoDimension,
    /// The array, or one message of it, has more elements than can be counted.
    #[error("the array has more than 2^63 - 1 elements")]
    ArrayTooLarge,
    /// More messages than are worth scheduling.
    #[error("there are about {messages} messages; at most {limit} are possible")]
    TooManyMessages {
        /// How many messages there are at most.
        messages: u128,
        /// How many were allowed.
        limit: u64,
    },
}
