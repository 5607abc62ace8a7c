//! Edits that remove findings, and edits that say the same in fewer words or faster.
//!
//! [`candidates`] reads the text of one file as its user wrote it and proposes edits for a finding there, the best first. It does not
//! know whether an edit is right: who offers one to a user has the edited text analysed again, and offers only what makes the finding
//! go away and nothing new come up. [`apply`] makes the edited text, [`Shift`] says where things are in it.
//!
//! [`suggestions`] says what could be written instead where nothing is wrong, and what edit would do it. Here too, whoever offers the
//! edit has the edited program analysed, and offers it only where the communication is the one that was promised.
//!
//! Architecture invariant: nothing here reads or writes a file.

mod apply;
mod fixes;
mod suggest;
mod text;

pub use apply::{Shift, apply, overlaps};
pub use fixes::{candidates, defines_function};
pub use suggest::{Files, files_of, idle_variables, of_file, suggestions};
pub use text::SourceFile;
