//! Findings and topologies as text for people, as JSON for scripts, as SARIF and annotations for services.
//!
//! Architecture invariant: nothing here decides anything, and nothing here has ever heard of a control-flow graph. A
//! report is a function of [`analyzer::results`] and of the text of the files the results point into.
//!
//! [`Outcome`] is what one run of the command found out; [`text`], [`json`], [`sarif`] and [`github`] render it. All are deterministic: the
//! same outcome gives the same bytes (wall times in JSON apart), whatever order the programs were analysed in.

pub mod github;
pub mod json;
mod outcome;
pub mod sarif;
mod sources;
pub mod text;

pub use outcome::{InputError, Outcome, Summary};
pub use sources::Sources;
