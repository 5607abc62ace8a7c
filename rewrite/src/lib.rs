//! Edits that remove findings.
//!
//! [`candidates`] reads the text of one file as its user wrote it and proposes edits for a finding there, the best first. It does not
//! know whether an edit is right: who offers one to a user has the edited text analysed again, and offers only what makes the finding
//! go away and nothing new come up. [`apply`] makes the edited text, [`Shift`] says where things are in it.
//!
//! Architecture invariant: nothing here reads or writes a file.

mod apply;
mod fixes;
mod text;

pub use apply::{Shift, apply, overlaps};
pub use fixes::candidates;
pub use text::SourceFile;
