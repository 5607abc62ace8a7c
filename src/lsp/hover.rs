//! Hover on an MPI call: who comes there, whom it communicates with, what its datatypes consist of, and how far the answer goes.

use std::fmt::Write as _;

use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind};

use super::documents::{Documents, Known};
use super::other_side::{CallHere, name_range};
use super::view::Call;

/// The text for a call.
pub(super) fn hover(documents: &Documents, here: &CallHere) -> Hover {
    let value = markdown(documents, here.known, here.call);
    Hover {
        contents: HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value }),
        range: Some(name_range(documents, here)),
    }
}

fn markdown(documents: &Documents, known: &Known, call: &Call) -> String {
    let mut text = format!("**{}**", call.operation);
    if let Some(ranks) = &call.ranks {
        let _ = write!(text, " on ranks `{ranks}`");
    }
    text.push('\n');
    for partner in &call.partners {
        let _ = write!(text, "\n* {}", partner.long);
        for place in &partner.places {
            let Some(location) = documents.location(known, place) else { continue };
            let line = location.range.start.line + 1;
            let name = place.path.file_name().unwrap_or_default().display();
            let _ = write!(text, " \u{2014} [{name}:{line}]({}#L{line})", location.uri.as_str());
        }
    }
    if !call.arguments.is_empty() {
        text.push('\n');
    }
    for (argument, known) in &call.arguments {
        let _ = write!(text, "\n* `{argument}`: {known}");
    }
    for datatype in &call.datatypes {
        let _ = write!(text, "\n\n{datatype}");
    }
    if !known.view.verdicts.is_empty() {
        let _ = write!(text, "\n\nVerdict: {}", known.view.verdicts.join("; "));
    }
    text
}
