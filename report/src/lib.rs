//! Findings and topologies as text and pages for people, as JSON and DOT for scripts, as SARIF and annotations for services.
//!
//! Architecture invariant: nothing here decides anything, and nothing here has ever heard of a control-flow graph. A
//! report is a function of [`analyzer::results`] and of the text of the files the results point into.
//!
//! [`Outcome`] is what one run of the command found out; [`text`], [`html`], [`svg`], [`dot`], [`json`], [`sarif`]
//! and [`github`] render it. All are deterministic: the
//! same outcome gives the same bytes (wall times in JSON apart), whatever order the programs were analysed in.

mod cells;
pub mod dot;
pub mod github;
pub mod html;
mod instances;
pub mod json;
mod outcome;
pub mod sarif;
mod sources;
pub mod svg;
pub mod text;

pub use instances::instances;
pub use outcome::{InputError, Outcome, Summary};
pub use sources::Sources;
