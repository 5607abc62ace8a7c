//! Findings as diagnostics of a document.

use std::path::Path;

use lsp_types::{Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, NumberOrString};

use super::documents::{Documents, Known};
use super::view::{Grade, Lost, Place, Problem, Span};

/// What diagnostics say who they are from.
pub(super) const SOURCE: &str = "anyrank";

/// The diagnostics of a document, from all that is known.
pub(super) fn diagnostics(documents: &Documents, path: &Path) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    let early = documents.open.get(path).and_then(|document| document.early.as_ref());
    let of = |known: &Known, is_meant: &dyn Fn(&Problem) -> bool| -> Vec<Diagnostic> {
        let problems = known.view.problems.iter().filter(|problem| problem.place.path == path);
        let problems = problems.filter(|problem| is_meant(problem));
        problems.filter_map(|problem| diagnostic(documents, known, problem)).collect()
    };
    found.extend(early.into_iter().flat_map(|early| of(early, &|_| true)));
    for (document, known) in about(documents, path) {
        let problems = of(known, &|problem| early.is_none() || !problem.is_early);
        // What could not be taken in is said where it is by the document's own analysis only.
        let lost = known.view.lost.iter().filter(|lost| lost.path == path && document == path);
        let lost = lost.filter_map(|lost| loss(documents, known, lost));
        for one in problems.into_iter().chain(lost) {
            if !found.contains(&one) {
                found.push(one);
            }
        }
    }
    found.sort_by_key(|one| (one.range.start.line, one.range.start.character));
    found
}

/// The results that speak about a document: its own, or those of all others where it is a header.
pub(super) fn about<'d>(
    documents: &'d Documents,
    path: &'d Path,
) -> impl Iterator<Item = (&'d Path, &'d Known)> {
    let own = documents.open.get(path).is_some_and(|document| document.is_source);
    let all = documents.open.iter().filter(move |(other, _)| !own || other.as_path() == path);
    all.filter_map(|(other, document)| Some((other.as_path(), document.known.as_ref()?)))
}

/// A finding, unless its text has been edited since.
pub(super) fn diagnostic(documents: &Documents, known: &Known, problem: &Problem) -> Option<Diagnostic> {
    let span = known.now(&problem.place, documents)?;
    let related = problem.related.iter().filter_map(|(place, message)| {
        let location = documents.location(known, place)?;
        Some(DiagnosticRelatedInformation { location, message: message.clone() })
    });
    let related: Vec<_> = related.collect();
    Some(Diagnostic {
        range: documents.range(&problem.place.path, &span),
        severity: Some(match problem.grade {
            Grade::Error => DiagnosticSeverity::ERROR,
            Grade::Warning => DiagnosticSeverity::WARNING,
            Grade::Note => DiagnosticSeverity::INFORMATION,
        }),
        code: Some(NumberOrString::String(problem.rule.clone())),
        source: Some(SOURCE.to_owned()),
        message: problem.message.clone(),
        related_information: (!related.is_empty()).then_some(related),
        ..Diagnostic::default()
    })
}

/// What is not analysed is a hint: the compiler and clangd say what is wrong with it.
fn loss(documents: &Documents, known: &Known, lost: &Lost) -> Option<Diagnostic> {
    let (line, column) = lost.at.unwrap_or((1, 1));
    let span = Span { line, column, end_line: line, end_column: column.saturating_add(1) };
    let span = known.now(&Place { path: lost.path.clone(), span }, documents)?;
    Some(Diagnostic {
        range: documents.range(&lost.path, &span),
        severity: Some(DiagnosticSeverity::HINT),
        source: Some(SOURCE.to_owned()),
        message: lost.message.clone(),
        ..Diagnostic::default()
    })
}
