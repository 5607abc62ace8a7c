//! The documents that the editor has open, and what is known of each.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lsp_types::{Location, Position, Range, TextDocumentContentChangeEvent, Uri};

use super::drift::Drift;
use super::position::Encoding;
use super::uri::uri_of;
use super::view::{Place, Span, View};

/// All open documents that are files, by their absolute path.
#[derive(Debug)]
pub(crate) struct Documents {
    pub(crate) encoding: Encoding,
    pub(crate) open: BTreeMap<PathBuf, Document>,
}

/// An open document.
#[derive(Debug)]
pub(crate) struct Document {
    /// As the editor spells it.
    pub(crate) uri: Uri,
    pub(crate) version: i32,
    pub(crate) text: Arc<str>,
    /// Whether it is analysed by itself; headers are seen through the documents that include them.
    pub(crate) is_source: bool,
    /// Whether the text is on the disk.
    pub(crate) is_saved: bool,
    /// What the rules that need no whole program found, if it is newer than the other results.
    pub(crate) early: Option<Known>,
    /// The latest results about whole programs.
    pub(crate) known: Option<Known>,
}

/// Results, and the text they are about.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) view: View,
    /// Texts of open documents when the view was made.
    texts: BTreeMap<PathBuf, Arc<str>>,
    /// From these texts to later ones, so that texts are not compared for each place.
    drifts: RefCell<BTreeMap<PathBuf, (Arc<str>, Drift)>>,
}

impl Known {
    pub(crate) fn new(view: View, texts: BTreeMap<PathBuf, Arc<str>>) -> Self {
        Self { view, texts, drifts: RefCell::default() }
    }

    fn drift(&self, path: &Path, old: &str, new: &Arc<str>) -> Drift {
        let mut drifts = self.drifts.borrow_mut();
        match drifts.get(path) {
            Some((text, drift)) if Arc::ptr_eq(text, new) => *drift,
            _ => {
                let drift = Drift::new(old, new);
                drifts.insert(path.to_owned(), (Arc::clone(new), drift));
                drift
            }
        }
    }

    /// Where a place of the view is now; `None` if it was edited.
    pub(crate) fn now(&self, place: &Place, documents: &Documents) -> Option<Span> {
        let (Some(old), Some(document)) = (self.texts.get(&place.path), documents.open.get(&place.path))
        else {
            return Some(place.span);
        };
        if Arc::ptr_eq(old, &document.text) {
            return Some(place.span);
        }
        let drift = self.drift(&place.path, old, &document.text);
        let Span { line, end_line, .. } = place.span;
        let (first, last) = (drift.line(line)?, drift.line(end_line)?);
        // What is between the ends is as it was only if they kept their distance.
        (last.checked_sub(first) == end_line.checked_sub(line)).then_some(Span {
            line: first,
            end_line: last,
            ..place.span
        })
    }
}

impl Documents {
    /// A range of a file in the terms of the editor.
    pub(crate) fn range(&self, path: &Path, span: &Span) -> Range {
        let text = match self.open.get(path) {
            Some(document) => Some(Arc::clone(&document.text)),
            None => frontend::source::read(path).ok().map(|source| source.text),
        };
        let text = text.as_deref().unwrap_or_default();
        self.encoding.range(span, |number| line(text, number))
    }

    /// A place that other documents refer to.
    pub(crate) fn location(&self, known: &Known, place: &Place) -> Option<Location> {
        let span = known.now(place, self)?;
        Some(Location { uri: self.uri(&place.path)?, range: self.range(&place.path, &span) })
    }

    pub(crate) fn uri(&self, path: &Path) -> Option<Uri> {
        match self.open.get(path) {
            Some(document) => Some(document.uri.clone()),
            None => uri_of(path),
        }
    }
}

impl Document {
    /// Makes the edits of one notification, in their order.
    pub(crate) fn edit(&mut self, changes: Vec<TextDocumentContentChangeEvent>, encoding: Encoding) {
        let mut text = String::from(&*self.text);
        for change in changes {
            let Some(range) = change.range else {
                text = change.text;
                continue;
            };
            let offset = |position: Position| match line_start(&text, position.line) {
                Some(start) => start + encoding.offset(line(&text, position.line), position.character),
                None => text.len(),
            };
            let (start, end) = (offset(range.start), offset(range.end));
            text.replace_range(start.min(end)..end.max(start), &change.text);
        }
        self.text = text.into();
    }
}

/// Where a line, from 0, begins.
fn line_start(text: &str, number: u32) -> Option<usize> {
    match number.checked_sub(1) {
        None => Some(0),
        Some(breaks) => text.match_indices('\n').nth(breaks as usize).map(|(index, _)| index + 1),
    }
}

/// A line, from 0, without its end; empty beyond the last.
fn line(text: &str, number: u32) -> &str {
    let rest = line_start(text, number).map_or("", |start| &text[start..]);
    let line = rest.split('\n').next().unwrap_or_default();
    line.strip_suffix('\r').unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(text: &str) -> Document {
        let uri = "file:///a.c".parse().expect("a URI");
        Document {
            uri,
            version: 1,
            text: text.into(),
            is_source: true,
            is_saved: true,
            early: None,
            known: None,
        }
    }

    fn change(range: Option<[u32; 4]>, text: &str) -> TextDocumentContentChangeEvent {
        let range = range.map(|[a, b, c, d]| Range::new(Position::new(a, b), Position::new(c, d)));
        TextDocumentContentChangeEvent { range, range_length: None, text: text.to_owned() }
    }

    #[test]
    fn edits_are_made_in_their_order() {
        let mut document = document("int a;\r\n\u{1d11e}b\n");
        document.edit(
            vec![
                change(Some([1, 2, 1, 3]), "c"),
                change(Some([0, 4, 0, 99]), "x;"),
                change(Some([9, 0, 9, 0]), "end"),
            ],
            Encoding::Utf16,
        );
        assert_eq!(&*document.text, "int x;\r\n\u{1d11e}c\nend");
        document.edit(vec![change(None, "new")], Encoding::Utf16);
        assert_eq!(&*document.text, "new");
    }
}
