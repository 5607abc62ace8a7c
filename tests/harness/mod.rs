//! What the corpus says about itself, and how it is compared with what anyrank says.

pub mod answer;
pub mod expectation;
pub mod finding_ranks;
pub mod marks;
pub mod messages;
pub mod program;
pub mod runs;
pub mod settings;
