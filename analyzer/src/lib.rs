//! The parallel dataflow engine, MPI semantics, and the rules.
//!
//! [`analyze_program`] answers for one entry point; [`rules::check_unit`] runs every rule that needs no whole program on
//! one unit. Both return [`results`], which know nothing of graphs or states.

pub mod c_types;
pub mod communication;
pub mod engine;
pub mod results;
pub mod rules;

pub use engine::{FlowQuery, NpChoice, Options, Without, analyze_program};
