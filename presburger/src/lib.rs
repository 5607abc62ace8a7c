//! Sets of integer tuples and relations between them, for any values of parameters: what Presburger arithmetic decides.

#![allow(unsafe_code, reason = "isl is a library in C; this is the only crate that calls it")]

mod conjunct;
mod context;
mod count;
mod error;
mod flow;
mod formula;
mod handle;
mod points;
mod print;
mod relation;
mod set;
mod space;
mod sys;
mod text;

pub use context::Context;
pub use error::{Error, Result};
pub use flow::{Accesses, Flow};
pub use formula::{Affine, Factor, Formula, QuasiAffine};
pub use points::{Instance, Pair, Point};
pub use relation::Relation;
pub use set::Set;
pub use space::Tuple;
