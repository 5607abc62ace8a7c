//! MPI data layouts: what a datatype describes, told as a tree.
//!
//! * A [`Datatype`] is what calls of MPI's constructors build; its [`Layout`] is a tree with bounds.
//! * A [`Tree`] describes a sequence of [`Element`]s as nested repetitions.
//! * [`reconstruct`](reconstruct::reconstruct) finds the cheapest tree for a given sequence.
//! * [`c_struct`] writes C code for structs: their datatypes, and tables by which pointers in them are followed.
//! * [`Typemap`] has the bounds of a datatype, [`Dag`](dag::Dag) a tree whose repeated parts are kept once.
//! * A [`Dataloop`](dataloop::Dataloop) packs and unpacks what a tree describes, in pieces of any length.
//! * [`c_function`](emit::c_function) builds the MPI datatype of a tree, in C.
//! * [`libraries`] knows where MPICH and Open MPI leave the standard, and how to build a datatype so that both agree.
//!
//! Nothing here needs MPI, or any other part of anyrank.

mod array;
pub mod basic;
pub mod bounds;
pub mod c_struct;
pub mod cost;
pub mod dag;
pub mod dataloop;
pub mod datatype;
pub mod describe;
pub mod emit;
mod from_tree;
pub mod layout;
pub mod libraries;
pub mod normalize;
pub mod read;
pub mod reconstruct;
mod to_array;
mod to_darray;
pub mod tree;
pub mod typemap;
mod write;

pub use basic::Basic;
pub use bounds::Bounds;
pub use cost::CostModel;
pub use datatype::{Constructor, Datatype};
pub use layout::{Layout, LayoutError};
pub use tree::{Element, Tree};
pub use typemap::Typemap;
