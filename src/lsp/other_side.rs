//! The call under the cursor, and the calls that it communicates with.

use std::path::Path;

use lsp_types::{Location, Position, Range};

use super::diagnostics::about;
use super::documents::{Documents, Known};
use super::view::{Call, Span};

/// A call in a document, where it is now.
pub(super) struct CallHere<'d> {
    pub(super) path: &'d Path,
    pub(super) known: &'d Known,
    pub(super) call: &'d Call,
    pub(super) span: Span,
}

/// All calls of a document, where they are now.
pub(super) fn calls<'d>(documents: &'d Documents, path: &'d Path) -> impl Iterator<Item = CallHere<'d>> {
    about(documents, path).flat_map(move |(_, known)| {
        let calls = known.view.calls.iter().filter(move |call| call.place.path == path);
        calls.filter_map(move |call| {
            let span = known.now(&call.place, documents)?;
            Some(CallHere { path, known, call, span })
        })
    })
}

/// The call whose name is at a position. What is between its parentheses is not ours to explain.
pub(super) fn call_at<'d>(
    documents: &'d Documents,
    path: &'d Path,
    position: Position,
) -> Option<CallHere<'d>> {
    calls(documents, path).find(|here| {
        let Range { start, end } = name_range(documents, here);
        start <= position && position <= end
    })
}

/// The name of a call: from where it begins to the end of the identifier there.
pub(super) fn name_range(documents: &Documents, here: &CallHere) -> Range {
    let Span { line, column, .. } = here.span;
    let text = documents.open.get(here.path).map_or("", |document| &*document.text);
    let rest = text.split('\n').nth(line.saturating_sub(1) as usize).unwrap_or_default();
    let rest = rest.get(column.saturating_sub(1) as usize..).unwrap_or_default();
    let length = rest.bytes().take_while(|&byte| byte == b'_' || byte.is_ascii_alphanumeric()).count();
    let end_column = column.saturating_add(u32::try_from(length).unwrap_or(u32::MAX));
    documents.range(here.path, &Span { end_line: line, end_column, ..here.span })
}

/// The calls on the other side.
pub(super) fn other_side(documents: &Documents, here: &CallHere) -> Vec<Location> {
    let places = here.call.partners.iter().flat_map(|partner| &partner.places);
    let mut found: Vec<Location> = Vec::new();
    for location in places.filter_map(|place| documents.location(here.known, place)) {
        if !found.contains(&location) {
            found.push(location);
        }
    }
    found
}
