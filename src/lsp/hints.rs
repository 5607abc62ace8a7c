//! Inlay hints: who comes to the arms of branches.

use std::path::Path;

use lsp_types::{InlayHint, InlayHintLabel, InlayHintTooltip, Range};

use super::documents::Documents;
use super::view::{Place, Span};

/// The hints in a range of a document.
pub(super) fn hints(documents: &Documents, path: &Path, range: Range) -> Vec<InlayHint> {
    let known = documents.open.get(path).and_then(|document| document.known.as_ref());
    let arms = known.into_iter().flat_map(|known| known.view.arms.iter().map(move |arm| (known, arm)));
    let hints = arms.filter_map(|(known, arm)| {
        let span = Span { line: arm.line, column: arm.column, end_line: arm.line, end_column: arm.column };
        let span = known.now(&Place { path: path.to_owned(), span }, documents)?;
        Some(InlayHint {
            position: documents.range(path, &span).start,
            label: InlayHintLabel::String(format!("ranks {}", arm.ranks)),
            kind: None,
            text_edits: None,
            tooltip: Some(InlayHintTooltip::String("the ranks that come here".to_owned())),
            padding_left: Some(true),
            padding_right: Some(true),
            data: None,
        })
    });
    hints.filter(|hint| range.start <= hint.position && hint.position <= range.end).collect()
}
