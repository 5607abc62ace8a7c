//! The rules. One file per rule or tight family; each file's doc comment describes it.

mod catalogue;

pub use catalogue::{Group, Rule, SECTIONS, UnknownRule};
