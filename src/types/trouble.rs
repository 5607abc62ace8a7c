//! What is wrong with a header, all of it at once.

use std::fmt;

/// Where something stands: `FILE:LINE`, or `FILE`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) file: String,
    pub(super) line: Option<u32>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}", self.file),
            None => f.write_str(&self.file),
        }
    }
}

/// Messages in the order in which they came up, none twice.
#[derive(Debug, Default)]
pub(super) struct Troubles {
    /// Because of these nothing is written, or a struct is left out.
    pub(super) errors: Vec<String>,
    /// These are worth knowing.
    pub(super) warnings: Vec<String>,
}

impl Troubles {
    pub(super) fn error(&mut self, place: &Place, message: impl fmt::Display) {
        add(&mut self.errors, format!("{place}: {message}"));
    }

    /// Says that a struct is left out, and the first of the reasons.
    pub(super) fn left_out(&mut self, name: &str, because: &Self) {
        let Some((first, others)) = because.errors.split_first() else { return };
        let more = match others.len() {
            0 => String::new(),
            1 => ", for this and 1 more reason".to_owned(),
            number => format!(", for this and {number} more reasons"),
        };
        add(&mut self.warnings, format!("{first}; `{name}` is left out{more}"));
    }

    pub(super) fn warning(&mut self, place: &Place, message: impl fmt::Display) {
        add(&mut self.warnings, format!("{place}: {message}"));
    }
}

fn add(to: &mut Vec<String>, message: String) {
    if !to.contains(&message) {
        to.push(message);
    }
}
