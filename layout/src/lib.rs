//! MPI data layouts: what a datatype describes, told as a tree, and how to pack and unpack it fast.
//!
//! * A [`Tree`] describes a sequence of [`Element`]s as nested repetitions.
//! * [`reconstruct`](reconstruct::reconstruct) finds the cheapest tree for a given sequence.
//! * [`c_function`](emit::c_function) builds the MPI datatype of a tree, in C.
//!
//! Nothing here needs MPI, or any other part of anyrank.

pub mod basic;
pub mod cost;
pub mod emit;
pub mod reconstruct;
pub mod tree;

pub use basic::Basic;
pub use cost::CostModel;
pub use tree::{Element, Tree};
