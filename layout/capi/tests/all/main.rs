//! The library for C: its header, and programs that use it.

mod header;
#[cfg(target_os = "linux")]
mod programs;
