//! Text for people.
//!
//! Everything is rendered with colours as ANSI sequences; the command strips them where they are not wanted
//! (`--color never`, `NO_COLOR`, a pipe, a file).

mod findings;
mod flow;
mod matrix;
mod proofs;
mod suggestions;
mod summary;
mod topology;

pub use findings::finding;
pub(crate) use findings::scope;
pub use flow::flow_notes;
pub use suggestions::{suggestion, suggestions_summary};
pub use summary::{Detail, error, fixed, lint_summary, statistics, verdict_sentence};
pub(crate) use topology::{
    besides, collective_particulars, particulars, pattern_line, place, place_in, receiving, sending,
};
pub use topology::{instance_matrix, topology};

use anstyle::{AnsiColor, Style};

/// Width that findings are fitted to where no terminal says: lines of code are rarely longer.
pub const DEFAULT_WIDTH: usize = 140;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const RED: Style = AnsiColor::BrightRed.on_default().bold();

/// Text from a program or a file name, made harmless for a terminal and a page: no control character survives, and none that changes
/// the direction in which text around it is read.
pub(crate) fn clean(text: &str) -> String {
    let turns = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars().map(|c| if c.is_control() || turns(c) { '\u{fffd}' } else { c }).collect()
}

/// `text` in a style.
fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// `1 channel`, `2 channels`.
pub(crate) fn plural(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}
