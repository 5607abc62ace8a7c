//! Symbols, linear expressions, constraint graphs and process sets: what the engine knows about numbers.
//!
//! The state analysis of the paper (section VII.A) keeps a conjunction of inequalities `i <= j + c`, and process sets
//! (VII.B) as ranges whose bounds are sets of equal expressions. Here a bound is a [`Linear`] expression over
//! [`Symbol`]s; [`Constraints`] is the constraint graph over those symbols; and [`unify`] generalises two states so that
//! whatever was equal up to a constant in both stays so by construction. That last step is what keeps
//! "`i`, the last rank served and the first rank not served move together" through widening, without one graph node for each of them.
//!
//! Architecture invariant: this crate knows neither C nor MPI.

pub mod constraints;
pub mod linear;
pub mod range;
pub mod ranks;
pub mod symbol;
pub mod unify;

pub use constraints::{Constraints, Truth};
pub use linear::Linear;
pub use range::Range;
pub use ranks::Ranks;
pub use symbol::{DIGITS, Symbol, SymbolKind, Symbols};
pub use unify::{Combine, Unifier};
