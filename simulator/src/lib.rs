//! A small C with MPI that is executed without an MPI library: the second oracle of anyrank's tests, which shares nothing with it.
//!
//! A program is C text ([`parse`](parse::parse), [`print`](print::print)) that every compiler accepts. [`run`] executes it
//! with so many processes in one thread, deterministically: with unlimited buffering or with none, in turn or in an order that a seed
//! chooses, and tells messages, collectives, who waits forever, and what is left over. [`generate`](generate::generate) makes random
//! programs that are right for any number of processes, [`fault`] puts one mistake into one, and [`shrink`] makes a program smaller as
//! long as something holds of it.
//!
//! What it does not model: errors that MPI returns (each ends the run), progress (a message that is sent arrives), buffers that are used
//! while MPI has them, and floating-point numbers other than whole ones. All members leave a collective when all have come.

pub mod ast;
pub mod code;
mod collectives;
mod datatypes;
pub mod fault;
pub mod generate;
mod mpi;
pub mod outcome;
pub mod parse;
pub mod print;
pub mod random;
mod requests;
pub mod shrink;
mod transport;
pub mod world;

pub use code::{Executable, compile};
pub use outcome::{Ended, Failure, FailureKind, Joint, Order, Outcome, Place, Sent, Setting};
pub use world::run;
