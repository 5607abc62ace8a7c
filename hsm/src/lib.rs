//! Integer terms over symbols such as `np`, `rank` or `nrows`, and proofs about them.
//!
//! A question is a list of [`Fact`]s taken for granted and one more as the goal; [`prove`] answers
//! [`Answer::Proved`], [`Answer::Refuted`] with an assignment that shows it, or [`Answer::Unknown`] with the reason.
//! Cheap means come first: evaluation on small instances refutes most wrong goals in microseconds, and Z3 (cargo feature
//! `z3`, on by default) is asked for the rest, with a time limit per question.
//!
//! ```
//! use hsm::{Answer, Fact, Term, prove};
//! use std::time::Duration;
//!
//! let (rank, np) = (Term::symbol("rank"), Term::symbol("np"));
//! let right = (rank.clone() + 1) % np.clone();
//! let facts = [Fact::le(1, np.clone()), Fact::le(0, rank.clone()), Fact::lt(rank, np.clone())];
//! let limit = Duration::from_secs(5);
//! // The neighbour to the right is a rank ...
//! let is_rank = Fact::all([Fact::le(0, right.clone()), Fact::lt(right.clone(), np)]);
//! assert!(matches!(prove(&facts, &is_rank, limit), Answer::Proved | Answer::Unknown(_)));
//! // ... but not always a positive one.
//! assert!(matches!(prove(&facts, &Fact::lt(0, right), limit), Answer::Refuted(_)));
//! ```

mod assumptions;
mod bits;
mod cell;
mod cone;
mod digit_box;
mod divide;
mod euclid;
mod evaluate;
mod expr;
#[allow(clippy::module_inception, reason = "the crate has its name from what this module holds")]
mod hsm;
mod judge;
mod maps;
mod matching;
mod partition;
mod polynomial;
mod proof;
mod prove;
mod reasoner;
mod refute;
mod samples;
mod sequences;
#[cfg(feature = "z3")]
mod smt;

pub use assumptions::Assumptions;
pub use digit_box::{Digit, DigitBox};
pub use expr::{Assignment, EvaluationError, Fact, Operator, Relation, Symbol, Term, TermTooLarge};
pub use hsm::{Hsm, Level};
pub use judge::{Obstacle, Statistics, Truth};
pub use matching::{Endpoint, Matched, Matching};
pub use polynomial::{Overflow, Polynomial};
pub use proof::{Means, Proof, Rule, Step};
pub use prove::{Answer, Prover, Reason, Standard, prove};
pub use reasoner::{Answered, Exact, Failure, Piece, Reasoner, Selection};
pub use refute::Enumeration;
#[cfg(feature = "z3")]
pub use smt::Z3;

/// The full version of the Z3 library this program runs with, for example `5.4.0.0`; `None` when it was built without
/// the cargo feature `z3`.
pub fn z3_version() -> Option<String> {
    #[cfg(feature = "z3")]
    return Some(z3::full_version().to_owned());
    #[cfg(not(feature = "z3"))]
    return None;
}
