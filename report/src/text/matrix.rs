//! A communication matrix in characters. Empty rows and columns stay, so that the shape can be read.

use std::fmt::Write as _;

use analyzer::results::Instance;

/// Largest number of processes whose matrix is printed.
pub(super) const LARGEST_MATRIX: u64 = 32;

/// One row per sender, one column per receiver: how many messages, `.` for none, `?` where the number depends on input.
pub(super) fn matrix(instance: &Instance) -> String {
    let np = usize::try_from(instance.np.min(LARGEST_MATRIX)).unwrap_or(0);
    let mut cells = vec![vec![Cell::Known(0); np]; np];
    for message in &instance.messages {
        let place = usize::try_from(message.from).ok().zip(usize::try_from(message.to).ok());
        let cell = place.and_then(|(from, to)| cells.get_mut(from)?.get_mut(to));
        if let Some(cell) = cell {
            *cell = cell.plus(message.repeat);
        }
    }
    let shown: Vec<Vec<String>> =
        cells.iter().map(|row| row.iter().map(|cell| cell.show()).collect()).collect();
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

/// Number of messages between two ranks.
#[derive(Clone, Copy)]
enum Cell {
    Known(i64),
    DependsOnInput,
}

impl Cell {
    fn plus(self, repeat: Option<i64>) -> Self {
        match (self, repeat) {
            (Self::Known(sum), Some(more)) => sum.checked_add(more).map_or(Self::DependsOnInput, Self::Known),
            _ => Self::DependsOnInput,
        }
    }

    fn show(self) -> String {
        match self {
            Self::Known(0) => ".".to_owned(),
            Self::Known(count) => count.to_string(),
            Self::DependsOnInput => "?".to_owned(),
        }
    }
}
