//! A communication matrix in characters. Empty rows and columns stay, so that the shape can be read.

use std::fmt::Write as _;

use analyzer::results::Instance;

use crate::cells::{Amount, cells};

/// Largest number of processes whose matrix is printed.
pub(super) const LARGEST_MATRIX: u64 = 32;

/// One row per sender, one column per receiver: how many messages, `.` for none, `?` where the number depends on input.
pub(super) fn matrix(instance: &Instance) -> String {
    let np = instance.np.min(LARGEST_MATRIX);
    let cells = cells(instance);
    let row = |from| (0..np).map(move |to| (from, to));
    let show = |pair| cells.get(&pair).map_or(".".to_owned(), |cell| show(cell.messages));
    let shown: Vec<Vec<String>> = (0..np).map(|from| row(from).map(show).collect()).collect();
    let label = np.saturating_sub(1).to_string().len();
    let width = shown.iter().flatten().map(String::len).max().unwrap_or(1).max(label);
    let mut text = String::new();
    let _ = write!(text, "    {:>w$}", "to", w = label + 5);
    for to in 0..np {
        let _ = write!(text, " {to:>width$}");
    }
    text.push('\n');
    for (from, row) in shown.iter().enumerate() {
        let _ = write!(text, "    from {from:>label$}");
        for cell in row {
            let _ = write!(text, " {cell:>width$}");
        }
        text.push('\n');
    }
    text
}

fn show(messages: Amount) -> String {
    match messages {
        Amount::ZERO => ".".to_owned(),
        Amount::Known(count) => count.to_string(),
        Amount::DependsOnInput => "?".to_owned(),
    }
}
