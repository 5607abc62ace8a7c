//! What must hold for any input at all.
//!
//! Each module has a function `check`, which takes bytes and panics if something is not as it must be. The targets in
//! `fuzz/` call it with what libFuzzer makes, and `tests/inputs.rs` with a fixed number of changed examples. What a check
//! cannot say by itself, that nothing crashes, hangs or takes all memory, is said by the process that calls it.

pub mod c;
pub mod database;
pub mod datatypes;
pub mod mutate;
pub mod schedules;
#[cfg(feature = "server")]
pub mod server;
pub mod settings;

/// Bytes as a text.
fn text(data: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(data)
}
