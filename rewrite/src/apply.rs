//! Edited texts.

use analyzer::results::{Edit, SourceRange};

use crate::text::Lines;

/// The text after some edits of it; `None` where one of them is not inside the text or two overlap.
#[must_use]
pub fn apply(text: &str, edits: &[Edit]) -> Option<String> {
    let lines = Lines::new(text);
    let mut replacements = edits
        .iter()
        .map(|edit| Some((lines.bytes(&edit.range)?, edit.text.as_str())))
        .collect::<Option<Vec<_>>>()?;
    // Several insertions at one place stay in their order.
    replacements.sort_by_key(|(bytes, _)| (bytes.start, bytes.end));
    let mut edited = String::with_capacity(text.len());
    let mut done = 0;
    for (bytes, new) in replacements {
        edited.push_str(text.get(done..bytes.start)?);
        edited.push_str(new);
        done = bytes.end;
    }
    edited.push_str(text.get(done..)?);
    Some(edited)
}

/// Whether two edits must not be made together: they touch the same text. Insertions at one place do not.
#[must_use]
pub fn overlaps(a: &Edit, b: &Edit) -> bool {
    let start = |edit: &Edit| (edit.range.line, edit.range.column);
    let end = |edit: &Edit| (edit.range.end_line, edit.range.end_column);
    let inserts = |edit: &Edit| start(edit) == end(edit);
    let touch = a.range.file == b.range.file && start(a) <= end(b) && start(b) <= end(a);
    touch && !(inserts(a) && inserts(b))
}

/// Where the places of a text are after some edits of it.
#[derive(Debug)]
pub struct Shift {
    old: Lines,
    new: Lines,
    /// What is replaced, in bytes of the old text, and how long the replacement is; in ascending order.
    replaced: Vec<(std::ops::Range<usize>, usize)>,
}

impl Shift {
    /// That of `edits`, which turn `old` into `new`.
    #[must_use]
    pub fn new(old: &str, new: &str, edits: &[Edit]) -> Self {
        let (old, new) = (Lines::new(old), Lines::new(new));
        let mut replaced: Vec<_> =
            edits.iter().filter_map(|edit| Some((old.bytes(&edit.range)?, edit.text.len()))).collect();
        replaced.sort_by_key(|(bytes, _)| (bytes.start, bytes.end));
        Self { old, new, replaced }
    }

    /// Line and column in the new text of a place of the old one; `None` where that was replaced.
    #[must_use]
    pub fn place(&self, line: u32, column: u32) -> Option<(u32, u32)> {
        let at = self.old.offset(line, column)?;
        let mut moved = at;
        for (bytes, length) in &self.replaced {
            if at < bytes.start {
                break;
            }
            if at < bytes.end {
                return None;
            }
            moved = moved + length - bytes.len();
        }
        Some(self.new.place(moved))
    }

    /// Where in the new text is what one of the edits brought in: line and column of its first character and behind its last.
    #[must_use]
    pub fn brought(&self, edit: &Edit) -> Option<[(u32, u32); 2]> {
        let bytes = self.old.bytes(&edit.range)?;
        let mut moved = bytes.start;
        for (replaced, length) in &self.replaced {
            if (replaced, *length) == (&bytes, edit.text.len()) {
                return Some([self.new.place(moved), self.new.place(moved + length)]);
            }
            if bytes.start < replaced.start {
                break;
            }
            moved = moved + length - replaced.len();
        }
        None
    }

    /// Where a finding starts in the new text.
    #[must_use]
    pub fn start(&self, range: &SourceRange) -> Option<(u32, u32)> {
        self.place(range.line, range.column)
    }
}
