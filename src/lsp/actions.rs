//! Code actions: edits that remove findings, one by one or all of a document, edits that say the same with less, and comments that
//! silence findings.
//!
//! Whatever gives a finding a fix, or a note an edit, has its action here.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lsp_types::{
    CodeAction, CodeActionContext, CodeActionKind, CodeActionOrCommand, Diagnostic, Position, Range,
    TextEdit, WorkspaceEdit,
};

use super::diagnostics::{about, diagnostic};
use super::documents::{Documents, Known};
use super::view::{Problem, Repair};

/// All proven fixes of a document at once: they were tried together.
pub(super) const FIX_ALL: CodeActionKind = CodeActionKind::new("source.fixAll.anyrank");

/// What an action is, the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Remedy {
    /// It removes a defect.
    Fix,
    /// It says the same with less.
    Rewrite,
    /// It hides a finding.
    Silence,
}

/// The actions for a range of a document.
pub(super) fn actions(
    documents: &Documents,
    path: &Path,
    range: Range,
    context: &CodeActionContext,
) -> Vec<CodeActionOrCommand> {
    let mut actions: Vec<(Remedy, CodeAction)> = Vec::new();
    let mut all = Edits::new();
    for (_, known) in about(documents, path) {
        for problem in known.view.problems.iter().filter(|problem| problem.place.path == path) {
            let Some(found) = diagnostic(documents, known, problem) else { continue };
            let fix = problem.fix.as_ref().and_then(|fix| edits(documents, known, fix));
            if let Some(fix) = fix.iter().find(|fix| fix.keys().eq([path])) {
                all.entry(path.to_owned()).or_default().extend(fix.values().flatten().cloned());
            }
            if found.range.end < range.start || range.end < found.range.start {
                continue;
            }
            let mut offer = |remedy, title, edits| {
                actions.extend(quick_fix(documents, title, edits, &found, remedy).map(|one| (remedy, one)));
            };
            if let (Some(told), Some(edits)) = (&problem.fix, fix) {
                offer(Remedy::Fix, capital(&told.description), edits);
            }
            if let Some(told) = &problem.rewrite
                && let Some(edits) = edits(documents, known, told)
            {
                offer(Remedy::Rewrite, capital(&told.description), edits);
            }
            if let Some(edit) = comment(documents, known, problem) {
                let title = format!("Silence `{}` here by a comment", problem.rule);
                offer(Remedy::Silence, title, Edits::from([(path.to_owned(), vec![edit])]));
            }
        }
    }
    actions.sort_by_key(|(remedy, _)| *remedy);
    let mut actions: Vec<CodeAction> = actions.into_iter().map(|(_, action)| action).collect();
    if !all.is_empty() {
        actions.push(CodeAction {
            title: "Fix all anyrank findings of this file".to_owned(),
            kind: Some(FIX_ALL),
            edit: workspace_edit(documents, all),
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

/// Edits of documents.
type Edits = BTreeMap<PathBuf, Vec<TextEdit>>;

/// The edits of a repair, if all its text is as it was. That is known of open documents only.
fn edits(documents: &Documents, known: &Known, repair: &Repair) -> Option<Edits> {
    let mut edits = Edits::new();
    for (place, text) in &repair.edits {
        let span = known.now(place, documents).filter(|_| documents.open.contains_key(&place.path))?;
        let edit = TextEdit::new(documents.range(&place.path, &span), text.clone());
        edits.entry(place.path.clone()).or_default().push(edit);
    }
    Some(edits)
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
    title: String,
    edits: Edits,
    found: &Diagnostic,
    remedy: Remedy,
) -> Option<CodeAction> {
    Some(CodeAction {
        title,
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![found.clone()]),
        edit: Some(workspace_edit(documents, edits)?),
        is_preferred: (remedy == Remedy::Fix).then_some(true),
        ..CodeAction::default()
    })
}

fn workspace_edit(documents: &Documents, edits: Edits) -> Option<WorkspaceEdit> {
    let changes = edits.into_iter().map(|(path, edits)| Some((documents.uri(&path)?, edits)));
    Some(WorkspaceEdit { changes: Some(changes.collect::<Option<_>>()?), ..WorkspaceEdit::default() })
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
