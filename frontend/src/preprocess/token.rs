//! Preprocessing tokens.

use super::intern::Symbol;

/// What a preprocessing token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Kind {
    /// An identifier or keyword; `sym` is its name.
    Ident,
    /// A preprocessing number.
    Number,
    /// A character constant.
    Char,
    /// A string literal.
    Str,
    /// A punctuator; `sym` is its [`punct`] code.
    Punct,
    /// Any other byte, or an unterminated literal.
    Other,
}

/// White space (or a comment) stands before the token.
pub(super) const SPACE: u8 = 1;
/// The token is the first of its logical line.
pub(super) const LINE_START: u8 = 2;
/// The identifier named a macro while that macro was being expanded, and is never expanded again.
pub(super) const NO_EXPAND: u8 = 4;
/// The token came out of a `#` or `##`, or of white space, and its spelling is in the scratch text.
pub(super) const MADE: u8 = 8;
/// The file's bytes at the token's place are not its spelling: a line splice or a digraph.
pub(super) const RESPELLED: u8 = 16;

/// A token as lexed, relative to its file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    /// Identifier, punctuator code, or `NONE` when the spelling is the file's bytes.
    pub(super) sym: Symbol,
    /// Offset of the first byte in the file.
    pub(super) start: u32,
    /// Length in bytes of the file, including line splices.
    pub(super) len: u32,
    /// What it is.
    pub(super) kind: Kind,
    /// `SPACE`, `LINE_START`, `RESPELLED`.
    pub(super) flags: u8,
}

/// A token in flight through macro expansion.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tok {
    /// As in [`Token`]. A `RESPELLED` literal is spelled by that name.
    pub(super) sym: Symbol,
    /// Offset in the file numbered `file`.
    pub(super) start: u32,
    /// Length in bytes.
    pub(super) len: u32,
    /// How it got here: a node of [`super::map::Origins`], 0 when the user wrote it right there.
    pub(super) node: u32,
    /// Number of the file in the unit.
    pub(super) file: u16,
    /// What it is.
    pub(super) kind: Kind,
    /// Flags above.
    pub(super) flags: u8,
}

impl Tok {
    /// A lexed token of file `file`, as written.
    pub(super) fn new(token: &Token, file: u16) -> Tok {
        Tok {
            sym: token.sym,
            start: token.start,
            len: token.len,
            node: 0,
            file,
            kind: token.kind,
            flags: token.flags,
        }
    }

    /// Whether this is the punctuator with code `code`.
    pub(super) fn is(&self, code: u32) -> bool {
        self.kind == Kind::Punct && self.sym.0 == code
    }

    /// Whether white space stands before it.
    pub(super) fn spaced(&self) -> bool {
        self.flags & (SPACE | LINE_START) != 0
    }
}

/// Codes of punctuators: one byte packed per character, so a code spells itself.
pub(super) mod punct {
    /// The code of a punctuator of at most four characters.
    pub(in super::super) const fn code(text: &str) -> u32 {
        let bytes = text.as_bytes();
        let mut code = 0;
        let mut i = 0;
        while i < bytes.len() {
            code = code << 8 | bytes[i] as u32;
            i += 1;
        }
        code
    }

    /// `(`
    pub(in super::super) const OPEN: u32 = code("(");
    /// `)`
    pub(in super::super) const CLOSE: u32 = code(")");
    /// `,`
    pub(in super::super) const COMMA: u32 = code(",");
    /// `#`
    pub(in super::super) const HASH: u32 = code("#");
    /// `##`
    pub(in super::super) const PASTE: u32 = code("##");
    /// `...`
    pub(in super::super) const ELLIPSIS: u32 = code("...");

    /// The spelling of `code`, in `buffer`.
    pub(in super::super) fn spell(code: u32, buffer: &mut [u8; 4]) -> &str {
        let mut len = 0;
        for shift in [24, 16, 8, 0] {
            let byte = (code >> shift) as u8;
            if byte != 0 {
                buffer[len] = byte;
                len += 1;
            }
        }
        // Punctuators are ASCII.
        std::str::from_utf8(&buffer[..len]).unwrap_or("")
    }
}
