//! Brackets and separators: what each bracket is, and parentheses that could be taken for a cast.

use crate::lower::lexer::{Key, Tok};

use super::buffer::{Attribute, Special};
use super::{Frame, Names, Rewriter};

impl<N: Names> Rewriter<'_, N> {
    pub(super) fn punctuator(&mut self, c: u8, at: usize, to: usize) -> usize {
        let previous = self.previous.map(|p| self.tokens[p].kind);
        match c {
            b'(' => {
                if let Some(next) = self.lone_name(at, to) {
                    return next;
                }
                let frame = match previous {
                    Some(Tok::Key(Key::Generic)) => Frame::Generic,
                    Some(Tok::Key(
                        key @ (Key::Alignof | Key::Offsetof | Key::VaArg | Key::TypesCompatible),
                    )) => Frame::TypeOperator(key, 0),
                    _ => Frame::Group,
                };
                self.frames.push(frame);
                if let Frame::TypeOperator(key, _) = frame
                    && key != Key::VaArg
                {
                    self.insert_after(at, "sizeof(", None);
                } else if self.looks_like_cast(at) {
                    // A comma makes it an expression, of the same value.
                    self.insert_after(at, "0,", None);
                }
            }
            b'[' => {
                // `[[attribute]]`
                if self.kind(at + 1) == Some(Tok::P(b'[')) && self.tokens[at].end == self.tokens[at + 1].start
                {
                    let end = self.group_end(at).min(to);
                    if end > at + 3 && self.kind(end - 2) == Some(Tok::P(b']')) {
                        if (at..end).any(|i| self.word(i).trim_matches('_') == "noreturn") {
                            self.mark(Attribute::NoReturn, at);
                        }
                        self.delete(at, end);
                        return end;
                    }
                }
                self.frames.push(Frame::Group);
            }
            b'{' => {
                let frame = match (self.record.take(), previous) {
                    (_, Some(Tok::Assign | Tok::P(b','))) => Frame::Initializer,
                    (Some(Key::Enum), _) => Frame::Enum,
                    (Some(_), _) => Frame::Record,
                    (None, Some(Tok::P(b'{'))) if self.frame() == Some(Frame::Initializer) => {
                        Frame::Initializer
                    }
                    // A compound literal; a block of a statement is also after `)`, where types are no matter.
                    _ => Frame::Block,
                };
                self.frames.push(frame);
                self.statement_start = at + 1;
            }
            b')' | b']' | b'}' => {
                let frame = self.frames.pop();
                if let Some(Frame::TypeOperator(key, commas)) = frame
                    && (key != Key::Offsetof || commas == 0)
                {
                    self.insert_before(at, ")", None);
                }
                let depth = self.frames.len();
                self.local_types.retain(|&(_, d)| d <= depth);
                self.shadows.retain(|&(_, d)| d <= depth);
                if c == b'}' {
                    self.after_type = matches!(frame, Some(Frame::Record | Frame::Enum));
                    if !self.after_type {
                        self.statement_start = at + 1;
                    }
                }
            }
            b',' => {
                if let Some(Frame::TypeOperator(key, commas)) = self.frames.last_mut() {
                    let key = *key;
                    *commas += 1;
                    if *commas == 1 {
                        match key {
                            Key::VaArg => self.insert_after(at, "sizeof(", None),
                            Key::Offsetof => self.insert_before(at, ")", None),
                            Key::TypesCompatible => {
                                self.insert_before(at, ")", None);
                                self.insert_after(at, "sizeof(", None);
                            }
                            _ => {}
                        }
                    }
                }
                self.record = None;
            }
            b';' => {
                if self.goto_pointer {
                    self.goto_pointer = false;
                    self.insert_before(at, ")", None);
                }
                self.record = None;
                if self.frame() == Some(Frame::Record) && matches!(previous, Some(Tok::P(b';' | b'{'))) {
                    self.delete(at, at + 1);
                }
                self.statement_start = at + 1;
            }
            b':' => {
                self.in_case = false;
                if self.frame() == Some(Frame::Record) && self.is_unnamed_field(at) {
                    self.insert_before(at, " unnamed ", Some(Special::Unnamed));
                }
                // C23 and GNU: a label at the end of a block.
                if self.kind(at + 1) == Some(Tok::P(b'}')) && self.frame() == Some(Frame::Block) {
                    self.insert_after(at, ";", None);
                }
                self.statement_start = at + 1;
            }
            _ => {}
        }
        if matches!(c, b'(' | b')' | b'*') {
            self.record = None;
        }
        self.previous = Some(at);
        at + 1
    }

    /// Whether the `:` at `at` in a record gives a width to a field without a name.
    pub(super) fn is_unnamed_field(&self, at: usize) -> bool {
        let Some(previous) = self.previous else { return false };
        match self.tokens[previous].kind {
            Tok::Key(key) => key.is_arithmetic_type() || key.is_qualifier(),
            Tok::P(b',' | b'}') => true,
            Tok::Ident => {
                self.statement_start == previous
                    && self.is_type_name(self.word(previous))
                    && previous + 1 == at
            }
            _ => false,
        }
    }

    /// `(a[i]) - b`, `(f(x)) * y`, `(a * (b * c)) & d`: what stands in parentheses could be a type with an abstract declarator.
    pub(super) fn looks_like_cast(&self, at: usize) -> bool {
        let operand = match self.previous.map(|p| self.tokens[p].kind) {
            None | Some(Tok::Ident | Tok::Str | Tok::Number | Tok::Char | Tok::P(b')' | b']')) => false,
            Some(Tok::Key(key)) => matches!(key, Key::Return | Key::Case),
            Some(_) => true,
        };
        // Parentheses round the lone name itself will go.
        let mut name = at + 1;
        while self.kind(name) == Some(Tok::P(b'(')) {
            name += 1;
        }
        let opened = name - at - 1;
        if !operand || self.kind(name) != Some(Tok::Ident) || self.is_type_name(self.word(name)) {
            return false;
        }
        let mut next = name + 1;
        while next - name <= opened && self.kind(next) == Some(Tok::P(b')')) {
            next += 1;
        }
        if next - name - 1 != opened || !matches!(self.kind(next), Some(Tok::P(b'[' | b'(' | b'*'))) {
            return false;
        }
        let end = self.group_end(at);
        // `(T *) x` and `(T (*)(int)) x` are casts, whatever `T` is.
        let star = |i: usize| self.kind(i) == Some(Tok::P(b'*')) && self.kind(i + 1) == Some(Tok::P(b')'));
        if (next..end).any(star) {
            return false;
        }
        matches!(self.kind(end), Some(Tok::P(b'-' | b'+' | b'*' | b'&' | b'(')))
    }

    /// `(name)` in an expression: without the parentheses it cannot be taken for a cast.
    pub(super) fn lone_name(&mut self, at: usize, to: usize) -> Option<usize> {
        let mut name = at;
        while self.kind(name) == Some(Tok::P(b'(')) {
            name += 1;
        }
        let opened = name - at;
        if !matches!(self.kind(name), Some(Tok::Ident | Tok::Key(Key::PseudoName))) || name >= to {
            return None;
        }
        let mut after = name + 1;
        while self.kind(after) == Some(Tok::P(b')')) && after - name <= opened {
            after += 1;
        }
        let closed = after - name - 1;
        // `((name) + 1)`: only the inner pair stands round a lone name; the outer one comes back here.
        if closed == 0 {
            return None;
        }
        let previous = self.previous.map(|p| self.tokens[p].kind);
        let expression = match previous {
            None => false,
            Some(Tok::Ident | Tok::P(b')' | b']')) => false,
            Some(Tok::Key(key)) => {
                matches!(key, Key::Return | Key::Case | Key::Else | Key::Do) || key.is_arithmetic_type()
            }
            Some(Tok::Str | Tok::Number | Tok::Char | Tok::Junk | Tok::Directive) => false,
            Some(_) => true,
        };
        // `T (x)` declares; `f(x)` calls.
        let declares = matches!(previous, Some(Tok::Ident))
            && self.previous.is_some_and(|p| self.is_type_name(self.word(p)));
        if !(expression || declares) || opened > closed {
            return None;
        }
        let word = self.word(name);
        if self.is_type_name(word) {
            return None;
        }
        let operand_follows = match self.kind(after) {
            Some(Tok::Ident | Tok::Number | Tok::Str | Tok::Char) => true,
            Some(Tok::P(b'~' | b'!')) => true,
            Some(Tok::Key(key)) => matches!(key, Key::Sizeof | Key::PseudoName),
            Some(Tok::P(b'{')) => true,
            Some(Tok::P(b'(')) => {
                // `(T) (long) x` is a tower of casts, `(f)(x)` a call.
                let tower = match self.kind(after + 1) {
                    Some(Tok::Key(key)) => key.starts_declaration(),
                    Some(Tok::Ident) => self.is_type_name(self.word(after + 1)),
                    _ => false,
                };
                (tower || looks_like_type(word)) && !self.names.is_value(word)
            }
            _ => false,
        };
        if operand_follows {
            return None;
        }
        self.delete(at, name);
        self.previous = self.previous.or(Some(at));
        let after_name = self.step(name, to);
        assert_eq!(after_name, name + 1, "a name is one token");
        self.delete(name + 1, after);
        Some(after)
    }
}

/// Whether a name that is declared nowhere is more likely a type than a variable.
fn looks_like_type(name: &str) -> bool {
    name.ends_with("_t") || name.ends_with("_T") || name.starts_with("MPI_")
}
