//! The frontend from the outside: what it makes of C.
//!
//! One program for all of them: it is linked once, and they run side by side.

mod assumptions;
#[cfg(unix)]
mod compiler_trust;
mod layout;
mod lower_differential;
mod lower_dump;
mod lower_hostile;
mod mpi_table;
mod openmp;
mod preprocess;
mod preprocess_differential;
mod preprocess_hostile;
mod program;
mod support;
mod survive;
