//! Columns: ours count bytes from 1, those of the protocol UTF-16 code units or bytes from 0.

use lsp_types::{Position, PositionEncodingKind, Range};

use super::view::Span;

/// What a character of a position counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// Bytes.
    Utf8,
    /// Code units; what every client can do.
    Utf16,
}

impl Encoding {
    /// Bytes if the client can, as no conversion is the cheapest.
    pub(crate) fn negotiate(offered: Option<&[PositionEncodingKind]>) -> Self {
        let utf8 = offered.is_some_and(|offered| offered.contains(&PositionEncodingKind::UTF8));
        if utf8 { Self::Utf8 } else { Self::Utf16 }
    }

    pub(crate) fn kind(self) -> PositionEncodingKind {
        match self {
            Self::Utf8 => PositionEncodingKind::UTF8,
            Self::Utf16 => PositionEncodingKind::UTF16,
        }
    }

    /// The character of a byte offset in a line. An offset beyond the line is its end, one inside of a character its start.
    pub(crate) fn character(self, line: &str, offset: usize) -> u32 {
        let before = &line[..line.floor_char_boundary(offset)];
        let count = match self {
            Self::Utf8 => before.len(),
            Self::Utf16 => before.encode_utf16().count(),
        };
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    /// The byte offset of a character in a line, with the same corrections.
    pub(crate) fn offset(self, line: &str, character: u32) -> usize {
        let wanted = character as usize;
        if self == Self::Utf8 {
            return line.floor_char_boundary(wanted);
        }
        let mut units = 0;
        for (offset, char) in line.char_indices() {
            units += char.len_utf16();
            if wanted < units {
                return offset;
            }
        }
        line.len()
    }

    /// A span of a text as the protocol has it. Lines are looked up by `line`, whose numbers start at 0.
    pub(crate) fn range<'t>(self, span: &Span, line: impl Fn(u32) -> &'t str) -> Range {
        let position = |number: u32, column: u32| {
            let number = number.saturating_sub(1);
            Position::new(number, self.character(line(number), column.saturating_sub(1) as usize))
        };
        Range::new(position(span.line, span.column), position(span.end_line, span.end_column))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_and_offsets_are_inverse_on_every_boundary() {
        let line = "a\u{e4}\u{20ac}\u{1d11e}z";
        for encoding in [Encoding::Utf8, Encoding::Utf16] {
            for (offset, _) in line.char_indices().chain([(line.len(), ' ')]) {
                assert_eq!(encoding.offset(line, encoding.character(line, offset)), offset);
            }
        }
        assert_eq!(Encoding::Utf16.character(line, 10), 5, "the clef is two code units");
        assert_eq!(Encoding::Utf8.character(line, 10), 10);
    }

    #[test]
    fn what_is_beyond_a_line_or_inside_of_a_character_is_corrected() {
        let line = "a\u{1d11e}";
        assert_eq!(Encoding::Utf16.offset(line, 2), 1, "between the surrogates");
        assert_eq!(Encoding::Utf16.offset(line, 99), 5);
        assert_eq!(Encoding::Utf8.offset(line, 3), 1);
        assert_eq!(Encoding::Utf8.character(line, 99), 5);
    }
}
