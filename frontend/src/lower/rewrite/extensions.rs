//! Attributes and inline assembly.

use crate::lower::lexer::{Key, Tok};

use super::buffer::{Attribute, Mark, Special};
use super::{Frame, Names, Rewriter};

/// The order of a constructor that states none.
const LAST: u32 = 65535;

impl<N: Names> Rewriter<'_, N> {
    pub(super) fn mark(&mut self, attribute: Attribute, at: usize) {
        let after = self.previous.map_or(0, |p| self.tokens[p].end);
        self.out.marks.push(Mark { attribute, at: self.tokens[at].start, after });
    }

    /// Notes what the attributes in the group that ends at `end` say.
    pub(super) fn attributes(&mut self, key: Key, at: usize, end: usize) {
        if key == Key::Alignas {
            let attribute = self.aligned(at + 1);
            self.mark(attribute, at);
            return;
        }
        for i in at + 1..end {
            if !matches!(self.tokens[i].kind, Tok::Ident | Tok::Key(_)) {
                continue;
            }
            let attribute = match self.word(i).trim_matches('_') {
                "noreturn" => Attribute::NoReturn,
                "packed" => Attribute::Packed,
                "aligned" => self.aligned(i + 1),
                "vector_size" | "mode" | "ext_vector_type" => Attribute::OtherType,
                "constructor" => Attribute::Constructor(self.priority(i + 1)),
                "destructor" => Attribute::Destructor,
                "cleanup" if self.kind(i + 1) == Some(Tok::P(b'(')) => Attribute::Cleanup((i + 2) as u32),
                _ => continue,
            };
            self.mark(attribute, at);
        }
    }

    /// The order in the parentheses at a token; without them it comes last.
    fn priority(&self, open: usize) -> u32 {
        let given = match self.kind(open) {
            Some(Tok::P(b'(')) => self.word(open + 1).parse().ok(),
            _ => None,
        };
        given.unwrap_or(LAST)
    }

    /// The alignment in the parentheses at a token; without them it is that of the most demanding type.
    fn aligned(&self, open: usize) -> Attribute {
        if self.kind(open) != Some(Tok::P(b'(')) {
            return Attribute::Aligned(16);
        }
        let close = self.group_end(open).saturating_sub(1).max(open + 1);
        match self.word(open + 1).parse() {
            Ok(value) if close == open + 2 && value > 0 => Attribute::Aligned(value),
            _ => Attribute::AlignedAs((open + 1) as u32, close as u32),
        }
    }

    /// Inline assembly: a call whose arguments are what it writes. On a declarator it is a symbol name, and goes.
    pub(super) fn assembly(&mut self, at: usize, to: usize) -> usize {
        let mut open = at + 1;
        let mut volatile = false;
        while let Some(Tok::Key(Key::Volatile | Key::Inline | Key::Goto)) = self.kind(open) {
            volatile = true;
            open += 1;
        }
        let end = self.group_end(open).min(to);
        let statement = match self.previous.map(|p| self.tokens[p].kind) {
            None => true,
            Some(Tok::P(b';' | b'{' | b'}' | b':') | Tok::Key(Key::Else | Key::Do)) => true,
            Some(Tok::P(b')')) => self.frames.contains(&Frame::Block) && !self.statement_is_declaration(),
            _ => false,
        };
        if !statement || end <= open {
            self.delete(at, end.max(at + 1));
            return end.max(at + 1);
        }
        let sections: Vec<usize> = self.colons(open, end);
        let outputs_end = sections.get(1).copied().unwrap_or(end - 1);
        let clobbers = sections.get(2).copied().unwrap_or(end);
        let memory = volatile && sections.is_empty()
            || (clobbers..end).any(|i| self.tokens[i].kind == Tok::Str && self.word(i).contains("memory"));
        self.replace(at, open + 1, "assembly(", Some(Special::Asm(memory)));
        let mut i = sections.first().map_or(outputs_end, |s| s + 1);
        let mut first = true;
        self.done = self.tokens.get(i).map_or(self.done, |t| t.start).max(self.done);
        self.frames.push(Frame::Group);
        while i < outputs_end {
            if self.tokens[i].kind == Tok::P(b'(') {
                let close = self.group_end(i).min(outputs_end);
                if !first {
                    self.out.put(",", self.tokens[i].start, None);
                }
                first = false;
                self.done = self.tokens[i].start;
                self.previous = None;
                self.run(i, close);
                self.flush(close);
                i = close;
            } else if self.tokens[i].kind == Tok::P(b'[') {
                i = self.group_end(i);
            } else {
                i += 1;
            }
        }
        self.frames.pop();
        self.out.put(")", self.tokens[end - 1].start, None);
        self.done = self.tokens[end - 1].end;
        self.previous = Some(end - 1);
        end
    }

    /// Whether the current statement starts like a declaration.
    pub(super) fn statement_is_declaration(&self) -> bool {
        match self.kind(self.statement_start) {
            Some(Tok::Key(key)) => key.starts_declaration(),
            Some(Tok::Ident) => self.is_type_name(self.word(self.statement_start)),
            _ => false,
        }
    }

    /// The `:` tokens directly inside the group `open..end`.
    pub(super) fn colons(&self, open: usize, end: usize) -> Vec<usize> {
        let mut depth = 0_i32;
        let mut out = Vec::new();
        for i in open..end {
            match self.tokens[i].kind {
                Tok::P(b'(' | b'[' | b'{') => depth += 1,
                Tok::P(b')' | b']' | b'}') => depth -= 1,
                Tok::P(b':') if depth == 1 => out.push(i),
                _ => {}
            }
        }
        out
    }
}
