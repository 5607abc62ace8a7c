//! Findings and topologies as text for people and as JSON for scripts.
//!
//! Architecture invariant: nothing here decides anything, and nothing here has ever heard of a control-flow graph. A
//! report is a function of [`analyzer::results`] and of the text of the files the results point into.
//!
//! [`Outcome`] is what one run of the command found out; [`text`] and [`json`] render it. Both are deterministic: the
//! same outcome gives the same bytes (wall times in JSON apart), whatever order the programs were analysed in.

pub mod json;
mod outcome;
mod sources;
pub mod text;

pub use outcome::{InputError, Outcome, Summary};
pub use sources::Sources;
