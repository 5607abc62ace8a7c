//! Sets of integer tuples and relations between them, for any values of parameters: what Presburger arithmetic decides.
//!
//! A program is described by such sets: the *iteration domain* of an operation (which ranks execute it, in which rounds), *relations*
//! from its instances to partners and tags, a *schedule* (the position of each instance in the order of the program). Then who meets
//! whom is a composition, whether everybody meets somebody is a difference, and whether it is exactly one is a question that has an answer.
//!
//! ```
//! use presburger::{Context, Relation, Set};
//!
//! # fn main() -> presburger::Result<()> {
//! let context = Context::with_budget(100_000)?;
//! // Each sends to the right and receives from the left: (sender, receiver).
//! let sends = Relation::parse(&context, "[np] -> { S[r] -> [r, r + 1] : 0 <= r < np - 1 }")?;
//! let receives = Relation::parse(&context, "[np] -> { R[r] -> [r - 1, r] : 0 <= r < np }")?;
//!
//! let meets = sends.apply_range(&receives.inverse()?)?;
//! assert_eq!(meets.to_string(), "[np] -> { S[r] -> R[r + 1] : 0 <= r < np - 1 }");
//! assert!(meets.is_bijective()?);
//!
//! let left = receives.domain()?.subtract(&meets.range()?)?;
//! assert_eq!(left.to_string(), "[np] -> { R[0] : 1 <= np }");
//! assert_eq!(left.smallest(&["np"])?.unwrap().to_string(), "R[0] where np = 1");
//!
//! let known = Set::parse(&context, "[np] -> { : np >= 1 }")?;
//! assert_eq!(meets.count_where(&known)?.unwrap().to_string(), "np - 1");
//! # Ok(())
//! # }
//! ```
//!
//! * A [`Set`] or a [`Relation`] is read from text and printed as text that can be read again; it may have points of several named
//!   tuples. Parameters are known by their names.
//!   From numbers they are made faster: [`Set::of`], [`Relation::of`].
//! * A [`Context`] owns them, and has a budget of operations: how far a question goes is counted, and is the same on every machine.
//! * [`Set::smallest`], [`Set::sample`] and [`Set::points`] give [`Point`]s; those of relations are [`Pair`]s.
//! * [`Accesses::flow`] finds the last writer of everything that is read.
//! * [`Set::count`] counts the points of boxes, as a [`Formula`] over the parameters.
//!
//! # How it is decided
//!
//! By isl (S. Verdoolaege, *isl: An Integer Set Library for the Polyhedral Model*, 2010; MIT licence), which is exact. It is linked
//! statically, with the library that it computes with: GMP (LGPL) where the package manager's isl is built on it, or nothing more where
//! `ANYRANK_ISL` names the directory of an isl that was built with its own `imath`.
//!
//! # Soundness
//!
//! Architecture invariant: no other crate names isl, and no pointer leaves this one. Every reference to an object of isl is owned by one
//! value, which holds the context, so that objects are freed before it. isl reports errors and never aborts nor prints; a null result and
//! an error that was set both end in an [`Error`]. Nothing here is `Send` or `Sync`: isl has no locks.

#![allow(unsafe_code, reason = "isl is a library in C; this is the only crate that calls it")]

mod conjunct;
mod constraint;
mod context;
mod count;
mod error;
mod flow;
mod formula;
mod function;
mod handle;
mod points;
mod print;
mod relation;
mod schedule;
mod set;
mod space;
mod sys;
mod text;

pub use constraint::{Constraint, Names};
pub use context::Context;
pub use error::{Error, Result};
pub use flow::{Accesses, Flow};
pub use formula::{Affine, Factor, Formula, Product, QuasiAffine};
pub use function::Piece;
pub use points::{Instance, Pair, Point};
pub use relation::Relation;
pub use set::Set;
pub use space::Tuple;
