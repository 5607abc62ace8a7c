//! From C sources to typed control-flow graphs.
//!
//! The data takes one way: [`discover`] finds files, [`compile_db`] and [`config`] say how they are compiled,
//! [`preprocess`] turns each into text that needs no header, with a [`preprocess::SourceMap`] back to what the user
//! wrote, [`lower`] parses that text with tree-sitter and builds the [`ir`], and [`program`] links units into whole
//! programs. [`mpi`] is the table of all MPI functions and constants, as data, [`library`] that of functions of the C library. [`programs`] is the one place where
//! processes are started, and decides which.
//!
//! Architecture invariant: nothing here knows what an analysis is; nothing here fails because of what the C text
//! says. A syntax error costs the function it is in, a missing header costs what it would have declared.

pub mod compile_db;
pub mod config;
pub mod discover;
pub mod ir;
pub mod library;
pub mod lower;
pub mod mpi;
pub mod preprocess;
pub mod program;
pub mod programs;
pub mod source;
