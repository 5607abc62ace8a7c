//! Suggestions: the note, what it gains, and the edit.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use analyzer::results::{Finding, Suggestion};

use super::{clean, finding, plural};
use crate::outcome::Outcome;
use crate::sources::Sources;

/// One suggestion as a few lines of text that end with an empty one.
#[must_use]
pub fn suggestion(suggestion: &Suggestion, sources: &Sources, width: usize) -> String {
    let note = Finding { fix: suggestion.edit.clone().ok(), ..suggestion.note() };
    let mut text = finding(&note, sources, width);
    let _ = writeln!(text, "  cost: {}, instead of {}", suggestion.gain.after, suggestion.gain.before);
    if let Err(why) = &suggestion.edit {
        let _ = writeln!(text, "  advice only: {}", clean(why));
    }
    text.push('\n');
    text
}

/// The last lines: how many suggestions, what the costs mean, and what can be done. `made` says how many edits were made, in how many
/// files.
#[must_use]
pub fn suggestions_summary(
    outcome: &Outcome,
    suggestions: &[Suggestion],
    made: Option<(usize, usize)>,
) -> String {
    let mut text = String::new();
    if let Some((edits, files)) = made {
        let _ = writeln!(text, "made {} in {}", plural(edits, "edit"), plural(files, "file"));
    }
    let programs = plural(outcome.programs.len(), "program");
    let edits = suggestions.iter().filter(|suggestion| suggestion.edit.is_ok()).count();
    if suggestions.is_empty() {
        let _ = writeln!(text, "nothing to suggest in {programs}");
        return text;
    }
    let models: BTreeSet<&str> = suggestions.iter().map(|suggestion| suggestion.gain.model).collect();
    models.into_iter().for_each(|model| text.push_str(&format!("cost: {model}\n")));
    let with = match edits {
        0 => "none of them with an edit that is proved to keep what the program does".to_owned(),
        edits => format!("{edits} with an edit: --format diff shows it, --apply makes it"),
    };
    let _ = writeln!(text, "{} in {programs}, {with}", plural(suggestions.len(), "suggestion"));
    text
}
