//! Who sends to whom, for any number of processes: integer terms over symbols such as `np`, `rank` or `nrows`, the algebra of
//! hierarchical sequence maps over them, and proofs.
//!
//! # Matching
//!
//! The question of this crate: a set of senders, each sending to the rank that a term gives, and a set of receivers, each
//! receiving from the rank that another term gives. Which senders match which receivers, exactly?
//!
//! * What is known of the symbols are [`Assumptions`]: equations, bounds, divisibility, powers of two.
//! * A set of ranks is a [`DigitBox`]: a range, the rows or columns of a mesh, its interior, the even ranks. A condition on
//!   ranks selects boxes of a box with [`Reasoner::select`].
//! * A term over the rank becomes, on a box, a piecewise linear map of its digits ([`Reasoner::map`]): quotients and
//!   remainders take digits apart, so that what remains are polynomials over uniform symbols.
//! * [`Reasoner::matching`] answers with boxes of senders and receivers, whom each sends to, who is left over, and the
//!   [`Proof`]: which sequence, which rule, which claim. Or with a [`Failure`] that says what stands in the way; often it is
//!   a case distinction, such as whether a mesh has two columns at least, which [`Reasoner::by_cases`] makes.
//!
//! The exchange of the transpose in NAS CG, on twice as many columns as rows (section VIII of the paper on
//! communication-sensitive dataflow):
//!
//! ```
//! use hsm::{Assumptions, DigitBox, Endpoint, Fact, Polynomial, Reasoner, Symbol, Term};
//!
//! let (id, np, nrows, ncols) = (Term::symbol("id"), Term::symbol("np"), Term::symbol("nrows"), Term::symbol("ncols"));
//! let assumptions = Assumptions::of([
//!     Fact::eq(np, &nrows * &ncols),
//!     Fact::eq(ncols, &nrows * 2),
//!     Fact::le(1, &nrows),
//! ]);
//! let half = id.floor_div(2);
//! let partner = ((&half % &nrows) * &nrows + half.floor_div(&nrows)) * 2 + &id % 2;
//! let everybody = DigitBox::interval(0, Polynomial::symbol("np"));
//! let side = Endpoint { ranks: everybody, partner };
//!
//! let exact = Reasoner::new(assumptions).matching(&side, &side, &Symbol::new("id")).unwrap();
//! assert!(exact.value.is_complete());
//! let pairs = exact.value.matched[0].pairs.as_ref().unwrap();
//! assert_eq!(pairs.ranks.to_string(), "[[[0 : 2, 1] : nrows, 2] : nrows, 2*nrows]");
//! assert_eq!(pairs.values.to_string(), "[[[0 : 2, 1] : nrows, 2*nrows] : nrows, 2]");
//! println!("{}", exact.proof);
//! ```
//!
//! A reasoner asks a [`Prover`] about signs and identities that the algebra leaves open, if it is given one:
//! [`Reasoner::with_prover`].
//!
//! # Proofs of single facts
//!
//! A question is a list of [`Fact`]s taken for granted and one more as the goal; [`prove`] answers
//! [`Answer::Proved`], [`Answer::Refuted`] with an assignment that shows it, or [`Answer::Unknown`] with the reason.
//! Cheap means come first: evaluation on small instances refutes most wrong goals in microseconds, and Z3 (cargo feature
//! `z3`, on by default) is asked for the rest, with a limit per question in units of work (crate `effort`), so that answers are the
//! same on any machine.
//!
//! ```
//! use hsm::{Answer, Fact, Term, prove};
//!
//! let (rank, np) = (Term::symbol("rank"), Term::symbol("np"));
//! let right = (rank.clone() + 1) % np.clone();
//! let facts = [Fact::le(1, np.clone()), Fact::le(0, rank.clone()), Fact::lt(rank, np.clone())];
//! let limit = 50_000_000;
//! // The neighbour to the right is a rank ...
//! let is_rank = Fact::all([Fact::le(0, right.clone()), Fact::lt(right.clone(), np)]);
//! assert!(matches!(prove(&facts, &is_rank, limit), Answer::Proved | Answer::Unknown(_)));
//! // ... but not always a positive one.
//! assert!(matches!(prove(&facts, &Fact::lt(0, right), limit), Answer::Refuted(_)));
//! ```
//!
//! # How it is built
//!
//! Everything rests on two operations on **cells** (`cell.rs`), sets of ranks given by digits with values that are linear in
//! the digits: dividing a value by a uniform one (`divide.rs`, the rules of the paper's Table I and more) and cutting a cell
//! where a value changes its sign (`partition.rs`). Both split, cut and reverse digits of all values of a cell at once.
//! Evaluation of terms, conditions, membership in a box, equality of two values and so the matching are made of these. The
//! order of polynomials is decided in `judge.rs`: by small instances that refute, by substitution of bounds (`cone.rs`), then
//! by a prover.

mod algebra;
mod assumptions;
mod bits;
mod cell;
mod cone;
mod digit_box;
mod divide;
mod euclid;
mod evaluate;
mod expr;
mod hsm;
mod judge;
mod maps;
mod matching;
mod obstacle;
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

pub use algebra::Algebra;
pub use assumptions::Assumptions;
pub use digit_box::{Digit, DigitBox};
pub use expr::{Assignment, EvaluationError, Fact, Operator, Relation, Symbol, Term, TermTooLarge};
pub use hsm::{Hsm, Level};
pub use judge::{Statistics, Truth};
pub use matching::{Endpoint, Matched, Matching};
pub use obstacle::Obstacle;
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
