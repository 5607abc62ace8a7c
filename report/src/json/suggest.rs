//! Suggestions as JSON.

use analyzer::results::Suggestion;
use serde::Serialize;

use super::{ErrorView, FixView, ProgramView, RelatedView, SCHEMA, error, fix, program, related, render};
use crate::outcome::Outcome;

#[derive(Serialize)]
struct SuggestView<'a> {
    schema: u32,
    suggestions: Vec<SuggestionView<'a>>,
    programs: Vec<ProgramView<'a>>,
    errors: Vec<ErrorView<'a>>,
}

#[derive(Serialize)]
struct SuggestionView<'a> {
    rule: &'a str,
    message: &'a str,
    file: &'a str,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    np: &'a str,
    related: Vec<RelatedView<'a>>,
    gain: GainView<'a>,
    edit: Option<FixView<'a>>,
    /// Why there is no edit.
    advice: Option<&'a str>,
}

#[derive(Serialize)]
struct GainView<'a> {
    model: &'a str,
    before: &'a str,
    after: &'a str,
}

/// What `anyrank suggest --format json` prints.
///
/// # Errors
/// See [`super::lint`].
pub fn suggestions(outcome: &Outcome, suggestions: &[Suggestion]) -> serde_json::Result<String> {
    render(&SuggestView {
        schema: SCHEMA,
        suggestions: suggestions.iter().map(suggestion).collect(),
        programs: outcome.programs.iter().map(program).collect(),
        errors: outcome.errors.iter().map(error).collect(),
    })
}

fn suggestion(suggestion: &Suggestion) -> SuggestionView<'_> {
    SuggestionView {
        rule: suggestion.rule.id(),
        message: &suggestion.message,
        file: &suggestion.range.file,
        line: suggestion.range.line,
        column: suggestion.range.column,
        end_line: suggestion.range.end_line,
        end_column: suggestion.range.end_column,
        np: &suggestion.np,
        related: suggestion.related.iter().map(related).collect(),
        gain: GainView {
            model: suggestion.gain.model,
            before: &suggestion.gain.before,
            after: &suggestion.gain.after,
        },
        edit: suggestion.edit.as_ref().ok().map(fix),
        advice: suggestion.edit.as_ref().err().map(String::as_str),
    }
}
