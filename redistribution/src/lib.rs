//! Block-cyclic array redistribution (Desprez, Dongarra, Petitet, Randriamaro, Robert, INRIA RR-3117, 1997).
//!
//! * A [`Redistribution`] says which elements of an array go from which process to which, dimension by dimension ([`Dimension`]).
//! * A [`Grid`] has its messages; each length is found in closed form, no element is looked at.
//! * A [`Schedule`] groups the messages into steps in which each process sends at most one and receives at most one.
//!
//! Nothing here needs MPI, or any part of anyrank but `layout`.

pub mod bounds;
pub mod dimension;
pub mod emit;
pub mod error;
pub mod grid;
pub mod picture;
pub mod problem;
pub mod schedule;
pub mod tables;
pub mod volume;

mod floor_sum;
mod indices;
mod numbering;
mod overlaps;
mod relaxation;
mod symmetry;

pub use dimension::{Cyclic, Dimension};
pub use error::Error;
pub use grid::{Grid, Message};
pub use problem::{Order, Processes, Redistribution};
pub use schedule::{Schedule, Step};
