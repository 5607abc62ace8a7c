//! Code actions: edits that remove findings, one by one or all of a document, and comments that silence them.
//!
//! Whatever gives a finding a fix has its action here.

use std::collections::HashMap;
use std::path::Path;

use lsp_types::{
    CodeAction, CodeActionContext, CodeActionKind, CodeActionOrCommand, Diagnostic, Position, Range,
    TextEdit, WorkspaceEdit,
};

use super::diagnostics::{about, diagnostic};
use super::documents::{Documents, Known};
use super::view::{Place, Problem, Repair};

/// All proven fixes of a document at once: they were tried together.
pub(super) const FIX_ALL: CodeActionKind = CodeActionKind::new("source.fixAll.anyrank");

/// The actions for a range of a document.
pub(super) fn actions(
    documents: &Documents,
    path: &Path,
    range: Range,
    context: &CodeActionContext,
) -> Vec<CodeActionOrCommand> {
    let mut actions: Vec<CodeAction> = Vec::new();
    let mut all = Vec::new();
    for (_, known) in about(documents, path) {
        for problem in known.view.problems.iter().filter(|problem| problem.place.path == path) {
            let Some(found) = diagnostic(documents, known, problem) else { continue };
            let edits = problem.fix.as_ref().and_then(|fix| edits(documents, known, path, fix));
            all.extend(edits.iter().flatten().cloned());
            if found.range.end < range.start || range.end < found.range.start {
                continue;
            }
            if let (Some(fix), Some(edits)) = (&problem.fix, edits) {
                let title = capital(&fix.description);
                actions.extend(quick_fix(documents, path, title, edits, &found, true));
            }
            if let Some(edit) = comment(documents, known, problem) {
                let title = format!("Silence `{}` here by a comment", problem.rule);
                actions.extend(quick_fix(documents, path, title, vec![edit], &found, false));
            }
        }
    }
    // What removes a finding comes before what hides it.
    actions.sort_by_key(|action| action.is_preferred != Some(true));
    if !all.is_empty() {
        actions.push(CodeAction {
            title: "Fix all anyrank findings of this file".to_owned(),
            kind: Some(FIX_ALL),
            edit: workspace_edit(documents, path, all),
            ..CodeAction::default()
        });
    }
    actions.retain(|action| is_asked_for(action, context));
    actions.into_iter().map(CodeActionOrCommand::CodeAction).collect()
}

/// Whether the client wants actions of this kind; `source` asks for `source.fixAll` too.
fn is_asked_for(action: &CodeAction, context: &CodeActionContext) -> bool {
    let (Some(only), Some(kind)) = (&context.only, &action.kind) else { return true };
    only.iter().any(|asked| {
        let rest = kind.as_str().strip_prefix(asked.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.') || asked.as_str().is_empty())
    })
}

/// The edits of a fix, if all its text is as it was.
fn edits(documents: &Documents, known: &Known, path: &Path, fix: &Repair) -> Option<Vec<TextEdit>> {
    let edit = |(place, text): &(Place, String)| {
        let span = known.now(place, documents).filter(|_| place.path == path)?;
        Some(TextEdit::new(documents.range(path, &span), text.clone()))
    };
    fix.edits.iter().map(edit).collect()
}

/// A comment on a line of its own above a finding.
fn comment(documents: &Documents, known: &Known, problem: &Problem) -> Option<TextEdit> {
    let span = known.now(&problem.place, documents)?;
    let line = span.line.saturating_sub(1);
    let text = &documents.open.get(&problem.place.path)?.text;
    let mut lines = text.split('\n').skip((line as usize).saturating_sub(1));
    let before = if line == 0 { None } else { lines.next() };
    if before.is_some_and(|before| before.trim_end().ends_with('\\')) {
        // The line is inside of a macro's definition.
        return None;
    }
    let this = lines.next()?;
    let indent = &this[..this.len() - this.trim_start().len()];
    let text = format!("{indent}// anyrank: ignore[{}]\n", problem.rule);
    let start = Position::new(line, 0);
    Some(TextEdit::new(Range::new(start, start), text))
}

fn quick_fix(
    documents: &Documents,
    path: &Path,
    title: String,
    edits: Vec<TextEdit>,
    found: &Diagnostic,
    preferred: bool,
) -> Option<CodeAction> {
    Some(CodeAction {
        title,
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![found.clone()]),
        edit: Some(workspace_edit(documents, path, edits)?),
        is_preferred: preferred.then_some(true),
        ..CodeAction::default()
    })
}

fn workspace_edit(documents: &Documents, path: &Path, edits: Vec<TextEdit>) -> Option<WorkspaceEdit> {
    #[expect(
        clippy::mutable_key_type,
        reason = "the protocol's map of edits is keyed by URI, which nobody changes"
    )]
    let changes = HashMap::from([(documents.uri(path)?, edits)]);
    Some(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() })
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
