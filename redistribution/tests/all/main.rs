//! Redistributions from the outside: their messages, schedules and programs.
//!
//! One program for all of them: it is linked once, and they run side by side.

#[cfg(target_os = "linux")]
mod emitted;
mod exact;
mod formulas;
mod indices;
mod messages;
#[cfg(target_os = "linux")]
#[path = "../../../tests/support/mpi_run.rs"]
mod mpi_run;
mod paper;
mod schedules;
