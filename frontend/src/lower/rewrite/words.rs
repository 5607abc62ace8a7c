//! Identifiers and keywords: which names are types here, and spellings that tree-sitter-c does not know.

use crate::lower::lexer::{Key, Tok};

use super::buffer::{Attribute, Special};
use super::{Frame, Names, Rewriter};

impl<'t, N: Names> Rewriter<'t, N> {
    pub(super) fn identifier(&mut self, at: usize, after_type: bool) {
        let name = self.word(at);
        let previous = self.previous.map(|p| self.tokens[p].kind);
        if let Some(Tok::Key(Key::Struct | Key::Union | Key::Enum)) = previous {
            self.after_type = true;
            return;
        }
        if !self.is_type_or_shadowed(name) {
            return;
        }
        let member = matches!(previous, Some(Tok::Arrow | Tok::P(b'.') | Tok::Key(Key::Goto)));
        if member || self.frame() == Some(Frame::Enum) {
            return;
        }
        let next = self.kind(at + 1);
        let declares = after_type
            || (previous == Some(Tok::P(b'*'))
                && matches!(next, Some(Tok::P(b';' | b',' | b')' | b'[') | Tok::Assign)));
        if declares {
            self.shadow(name, at);
            return;
        }
        if !self.is_type_name(name) {
            return;
        }
        let used_as_value = match next {
            Some(Tok::Assign | Tok::Arrow | Tok::Step | Tok::Operator | Tok::AndAnd) => true,
            Some(Tok::P(c)) => match c {
                b';' | b'.' | b'?' | b'+' | b'-' | b'/' | b'%' | b'<' | b'>' | b'|' | b'^' | b'&' | b']'
                | b'}' | b'!' => true,
                b':' => !matches!(self.frame(), Some(Frame::Record | Frame::Generic)),
                b'[' => !matches!(previous, Some(Tok::P(b'(' | b',')) | None),
                _ => false,
            },
            None | Some(_) => false,
        };
        if used_as_value && !(next == Some(Tok::P(b';')) && self.statement_start == at) {
            return;
        }
        self.replace(at, at + 1, "int8_t", None);
        self.after_type = true;
    }

    pub(super) fn is_type_or_shadowed(&self, name: &str) -> bool {
        self.local_types.iter().any(|&(n, _)| n == name) || self.names.is_type(name)
    }

    /// A typedef name is declared again, as something else: note it, if that is a variable of a block or a parameter.
    pub(super) fn shadow(&mut self, name: &'t str, at: usize) {
        let typedef = self.kind(self.statement_start) == Some(Tok::Key(Key::Typedef));
        let in_record = self
            .frames
            .iter()
            .rev()
            .find(|f| !matches!(f, Frame::Group))
            .is_some_and(|f| *f == Frame::Record);
        if typedef || in_record || self.kind(at + 1) == Some(Tok::P(b'(')) {
            return;
        }
        // Parameters of the definition itself live until the end of the piece.
        let blocks = self.frames.contains(&Frame::Block);
        if blocks {
            let depth = self.frames.iter().rposition(|f| *f == Frame::Block).map_or(0, |p| p + 1);
            self.shadows.push((name, depth));
        } else if !self.frames.is_empty() {
            self.shadows.push((name, 0));
        }
    }

    pub(super) fn keyword(&mut self, key: Key, at: usize, to: usize, after_type: bool) -> usize {
        let mut next = at + 1;
        match key {
            Key::Attribute | Key::Declspec | Key::Alignas => {
                let end = self.group_end(at + 1).min(to);
                self.attributes(key, at, end);
                self.delete(at, end);
                self.after_type = after_type;
                return end;
            }
            Key::CallingConvention | Key::Extension | Key::Restrict | Key::Inline | Key::Noreturn => {
                if key == Key::Noreturn {
                    self.mark(Attribute::NoReturn, at);
                }
                self.delete(at, at + 1);
                self.after_type = after_type;
                return next;
            }
            Key::Pragma => {
                let end = self.group_end(at + 1).min(to);
                self.delete(at, end);
                return end;
            }
            Key::StaticAssert => {
                let mut end = self.group_end(at + 1).min(to);
                if self.kind(end) == Some(Tok::P(b';')) && end < to {
                    end += 1;
                }
                // A block item remains where a statement may be required.
                let what = if self.frame() == Some(Frame::Record) { " " } else { ";" };
                self.replace(at, end, what, None);
                self.statement_start = end;
                return end;
            }
            Key::Label => {
                while next < to && self.kind(next) != Some(Tok::P(b';')) {
                    next += 1;
                }
                let end = (next + 1).min(to);
                self.delete(at, end);
                self.statement_start = end;
                return end;
            }
            Key::Asm => return self.assembly(at, to),
            Key::Const => {
                if self.word(at) != "const" {
                    self.replace(at, at + 1, "const", None);
                }
                self.after_type = after_type;
            }
            Key::Volatile => {
                if self.word(at) != "volatile" {
                    self.replace(at, at + 1, "volatile", None);
                }
                self.after_type = after_type;
            }
            Key::ThreadLocal => self.replace(at, at + 1, "__thread", None),
            Key::Atomic => {
                if self.kind(at + 1) == Some(Tok::P(b'(')) {
                    next = self.type_of(at, to);
                } else {
                    self.replace(at, at + 1, "volatile", None);
                    self.after_type = after_type;
                }
            }
            Key::Typeof => next = self.type_of(at, to),
            Key::AutoType => {
                self.replace(at, at + 1, "int8_t", Some(Special::AutoType));
                self.after_type = true;
            }
            _ if key.is_arithmetic_type() => {
                next = self.arithmetic_type(at, to);
                self.after_type = true;
            }
            Key::Struct | Key::Union | Key::Enum => self.record = Some(key),
            Key::Typedef => self.local_typedef(at, to),
            Key::Case => self.in_case = true,
            Key::Default if self.frame() == Some(Frame::Generic) => {
                self.replace(at, at + 1, "int8_t", Some(Special::GenericDefault));
            }
            Key::Goto if self.kind(at + 1) == Some(Tok::P(b'*')) => {
                self.replace(at, at + 2, "indirect(", Some(Special::GotoPointer));
                self.goto_pointer = true;
                next = at + 2;
            }
            Key::Real => self.replace(at, at + 1, "~", Some(Special::Real)),
            Key::Imag => self.replace(at, at + 1, "~", Some(Special::Imag)),
            Key::Alignof | Key::Offsetof | Key::VaArg | Key::TypesCompatible => {
                if self.kind(at + 1) == Some(Tok::P(b'(')) {
                    let special = match key {
                        Key::Alignof => Special::Alignof,
                        Key::Offsetof => Special::Offsetof,
                        Key::VaArg => Special::VaArg,
                        _ => Special::TypesCompatible,
                    };
                    self.replace(at, at + 1, "operator", Some(special));
                } else {
                    self.replace(at, at + 1, "operator", None);
                }
            }
            Key::PseudoName => {
                let noreturn_word = self.word(at) == "noreturn"
                    && matches!(self.kind(at + 1), Some(Tok::Key(k)) if k.starts_declaration());
                if noreturn_word {
                    self.mark(Attribute::NoReturn, at);
                    self.delete(at, at + 1);
                    return next;
                }
                self.replace(at, at + 1, "name", None);
            }
            _ => {}
        }
        self.previous = Some(next - 1);
        next
    }

    /// `typeof (...)`: one type token that remembers where its operand is.
    pub(super) fn type_of(&mut self, at: usize, to: usize) -> usize {
        let end = self.group_end(at + 1).min(to);
        if end > at + 2 {
            self.replace(at, end, "int8_t", Some(Special::Typeof((at + 2) as u32, (end - 1) as u32)));
            self.after_type = true;
            end
        } else {
            at + 1
        }
    }

    /// A run of arithmetic type words; those that tree-sitter-c does not know become one token.
    pub(super) fn arithmetic_type(&mut self, at: usize, to: usize) -> usize {
        let mut end = at;
        let (mut unsigned, mut wide, mut complex, mut float, mut long, mut char_or_bool) =
            (false, false, false, false, 0, false);
        while let Some(Tok::Key(key)) = self.kind(end).filter(|_| end < to) {
            match key {
                Key::Unsigned => unsigned = true,
                Key::Int128 => wide = true,
                Key::UInt128 => (wide, unsigned) = (true, true),
                Key::Complex | Key::Imaginary => complex = true,
                Key::Float => float = true,
                Key::Long => long += 1,
                Key::Bool => char_or_bool = true,
                _ if key.is_arithmetic_type() => {}
                _ => break,
            }
            end += 1;
        }
        if complex {
            let size = if float {
                8
            } else if long > 0 {
                32
            } else {
                16
            };
            self.replace(at, end, "int8_t", Some(Special::Complex(size)));
        } else if wide {
            self.replace(at, end, "int8_t", Some(Special::Int128(!unsigned)));
        } else if char_or_bool {
            self.replace(at, end, "bool", None);
        } else {
            for i in at..end {
                let plain = match self.kind(i) {
                    Some(Tok::Key(Key::Signed)) => "signed",
                    Some(Tok::Key(Key::Unsigned)) => "unsigned",
                    _ => continue,
                };
                if self.word(i) != plain {
                    self.replace(i, i + 1, plain, None);
                }
            }
        }
        end
    }

    /// The names that a `typedef` within a block declares.
    pub(super) fn local_typedef(&mut self, at: usize, to: usize) {
        self.statement_start = at;
        if self.frames.is_empty() {
            return;
        }
        let depth = self.frames.len();
        let mut i = at + 1;
        while i < to {
            match self.tokens[i].kind {
                Tok::P(b';') => break,
                Tok::P(b'(') => {
                    // `(*name)` or `(name)`
                    let mut inner = i + 1;
                    while matches!(self.kind(inner), Some(Tok::P(b'*' | b'(')) | Some(Tok::Key(_)))
                        && self.kind(inner) != Some(Tok::Key(Key::Void))
                    {
                        inner += 1;
                    }
                    if inner > i + 1 && self.kind(inner) == Some(Tok::Ident) {
                        self.local_types.push((self.word(inner), depth));
                    }
                    i = self.group_end(i);
                }
                Tok::P(b'{' | b'[') => i = self.group_end(i),
                Tok::Key(Key::Attribute) => i = self.group_end(i + 1),
                Tok::Ident => {
                    let named = match self.kind(i + 1) {
                        Some(Tok::P(b';' | b',' | b'[')) => true,
                        Some(Tok::Key(Key::Attribute)) => true,
                        Some(Tok::P(b'(')) => self.kind(i + 2) != Some(Tok::P(b'*')),
                        _ => false,
                    };
                    if named {
                        self.local_types.push((self.word(i), depth));
                    }
                    i += 1;
                }
                _ => i += 1,
            }
        }
    }
}
