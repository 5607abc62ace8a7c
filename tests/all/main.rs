//! The command end to end.
//!
//! One program for all of them: it is linked once, and they run side by side. `corpus` and `pages` find their tests themselves, and `load`
//! takes most of the time of all processors, so these are programs of their own.

mod browser;
mod cli;
#[path = "../support/client.rs"]
mod client;
mod command;
#[cfg(unix)]
mod edited;
mod fixes;
#[path = "../support/held.rs"]
mod held;
mod held_before;
mod html;
mod layout;
mod lsp;
mod lsp_neovim;
#[cfg(unix)]
#[path = "../support/mpi_run.rs"]
mod mpi_run;
mod redistribute;
mod repository;
#[cfg(target_os = "linux")]
mod scale;
#[cfg(target_os = "linux")]
mod simulated;
#[cfg(unix)]
mod struct_layout_fix;
#[cfg(unix)]
mod suggest;
mod suggest_refuses;
#[cfg(target_os = "linux")]
mod tracer;
#[cfg(unix)]
mod trust;
mod types;
mod vscode;
