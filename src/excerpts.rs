//! The text of files that results point into.

use analyzer::results::SourceRange;
use report::Sources;

/// Reads the files of these places. What cannot be read any more is shown without an excerpt.
pub(crate) fn read<'a>(places: impl Iterator<Item = &'a SourceRange>) -> Sources {
    let mut sources = Sources::new();
    for place in places {
        read_file(&place.file, &mut sources);
    }
    sources
}

/// Reads one more file, unless it is there.
pub(crate) fn read_file(file: &str, sources: &mut Sources) {
    if sources.contains(file) {
        return;
    }
    if let Ok(source) = frontend::source::read(file.as_ref()) {
        sources.insert(file, source.text);
    }
}
