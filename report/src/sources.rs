//! The text that results point into.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use analyzer::results::SourceRange;

/// The files that excerpts are taken from, by the names that results use.
///
/// A file that is not here gets no excerpt; the rest of its finding is printed all the same.
#[derive(Debug, Default)]
pub struct Sources {
    files: FxHashMap<String, File>,
}

#[derive(Debug)]
struct File {
    text: Arc<str>,
    /// Byte at which each line starts.
    lines: Vec<usize>,
}

impl Sources {
    /// No files yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether this file is here.
    #[must_use]
    pub fn contains(&self, name: &str) -> bool {
        self.files.contains_key(name)
    }

    /// Adds a file's text, whose bytes are those that columns count.
    pub fn insert(&mut self, name: impl Into<String>, text: impl Into<Arc<str>>) {
        let text = text.into();
        let mut lines = vec![0];
        lines.extend(text.match_indices('\n').map(|(at, _)| at + 1));
        self.files.insert(name.into(), File { text, lines });
    }

    /// The character that a byte of a line is in, both 1-based; the byte itself where the line is not here.
    pub(crate) fn character(&self, name: &str, line: u32, column: u32) -> u32 {
        let before = self.lines(name, line, line);
        let before = before.and_then(|line| line.text.get(..column.checked_sub(1)? as usize));
        before.and_then(|before| u32::try_from(before.chars().count() + 1).ok()).unwrap_or(column)
    }

    /// The whole lines from `first` to `last` (1-based, both included), and the byte of the file at which they start.
    /// `None` where the file or the lines do not exist.
    pub(crate) fn lines(&self, name: &str, first: u32, last: u32) -> Option<Excerpt<'_>> {
        let file = self.files.get(name)?;
        let start = *file.lines.get(first.checked_sub(1)? as usize)?;
        let end = file.lines.get(last as usize).copied().unwrap_or(file.text.len());
        Some(Excerpt { text: file.text.get(start..end)?, first })
    }
}

/// Some whole lines of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Excerpt<'a> {
    pub(crate) text: &'a str,
    /// Number of the first line, 1-based.
    pub(crate) first: u32,
}

impl Excerpt<'_> {
    /// Where a range lies in the excerpt, in bytes, brought onto character boundaries; `None` if it does not begin
    /// inside.
    pub(crate) fn span(&self, range: &SourceRange) -> Option<std::ops::Range<usize>> {
        let start = self.offset(range.line, range.column)?;
        let end = self.offset(range.end_line, range.end_column).unwrap_or(start);
        Some(start..end.max(start))
    }

    fn offset(&self, line: u32, column: u32) -> Option<usize> {
        let skip = line.checked_sub(self.first)? as usize;
        let mut rest = self.text;
        let mut start = 0;
        for _ in 0..skip {
            let next = rest.find('\n')? + 1;
            rest = &rest[next..];
            start += next;
        }
        let length = rest.find('\n').unwrap_or(rest.len());
        let mut offset = start + (column.saturating_sub(1) as usize).min(length);
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        Some(offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(line: u32, column: u32, end_line: u32, end_column: u32) -> SourceRange {
        SourceRange { file: "a.c".into(), line, column, end_line, end_column }
    }

    #[test]
    fn columns_count_bytes_and_land_on_characters() {
        let mut sources = Sources::new();
        sources.insert("a.c", "one\nz\u{e9}ro\nthree");
        let excerpt = sources.lines("a.c", 2, 3).expect("both lines exist");
        assert_eq!(excerpt.text, "z\u{e9}ro\nthree");
        assert_eq!(excerpt.span(&range(2, 1, 2, 2)), Some(0..1));
        // Column 3 is the second byte of the e with acute.
        assert_eq!(excerpt.span(&range(2, 3, 2, 6)), Some(1..5));
        assert_eq!(excerpt.span(&range(3, 1, 3, 400)), Some(6..11));
        assert_eq!(excerpt.span(&range(1, 1, 1, 2)), None);
    }

    #[test]
    fn lines_that_do_not_exist_have_no_excerpt() {
        let mut sources = Sources::new();
        sources.insert("a.c", "one\n");
        assert!(sources.lines("a.c", 7, 7).is_none());
        assert!(sources.lines("a.c", 0, 1).is_none());
        assert!(sources.lines("b.c", 1, 1).is_none());
        assert_eq!(sources.lines("a.c", 1, 9).expect("line 1 exists").text, "one\n");
    }
}
