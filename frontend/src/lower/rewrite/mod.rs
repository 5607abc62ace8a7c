//! Rewrites a top-level piece into the dialect that tree-sitter-c parses without error and without ambiguity.
//!
//! tree-sitter-c knows no typedef names, so `(a) - b`, `a * b;`, `T (x);` are guesses to it; and it has no rule for
//! some of GNU C. Here, where the symbols of the unit are known, each typedef name becomes a keyword type, parentheses
//! round a lone variable go, attributes become [`Mark`]s, and constructs without a rule become ones that have one,
//! marked as [`Special`]. [`Buffer::original`] leads back, so all names and spans are those of the text before.

mod brackets;
mod buffer;
mod extensions;
mod words;

pub(super) use buffer::{Attribute, Buffer, Mark, Special};

use super::lexer::{Key, Tok, Token};

/// What the rewriting needs to know of the unit's symbols.
pub(super) trait Names {
    /// Whether the name is a type at file scope.
    fn is_type(&self, name: &str) -> bool;
    /// Whether the name is a variable, function or enumerator at file scope.
    fn is_value(&self, name: &str) -> bool;
}

/// What an open bracket is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Frame {
    /// `(` or `[` of an expression, parameter list or declarator.
    Group,
    /// `{` of a function body, block or statement expression.
    Block,
    /// `{` of a struct or union.
    Record,
    /// `{` of an enum.
    Enum,
    /// `{` of an initialiser.
    Initializer,
    /// `(` after `_Generic`.
    Generic,
    /// `(` of an operator that takes types; commas seen.
    TypeOperator(Key, u32),
}

/// The rewriter's position and memory.
pub(super) struct Rewriter<'t, N: Names> {
    text: &'t str,
    tokens: &'t [Token],
    names: &'t N,
    out: Buffer,
    /// Bytes of the source before this one are dealt with.
    done: u32,
    frames: Vec<Frame>,
    /// Typedefs local to a block, with the number of frames at their declaration.
    local_types: Vec<(&'t str, usize)>,
    /// Typedef names redeclared as variables, likewise.
    shadows: Vec<(&'t str, usize)>,
    /// The token before the current one, deleted ones not counted.
    previous: Option<usize>,
    /// Whether the previous token ends a type specifier.
    after_type: bool,
    /// `struct`, `union` or `enum` was read and its `{` may follow.
    record: Option<Key>,
    /// `goto *` was read: its `;` closes a parenthesis.
    goto_pointer: bool,
    /// `case` was read and its `:` not yet.
    in_case: bool,
    /// First token of the current declaration or statement.
    statement_start: usize,
    /// Names that stand where only a macro makes sense are read as statements or loops.
    repair: bool,
    /// The last name so read.
    repaired: usize,
    /// First token of the piece.
    first: usize,
}

impl<'t, N: Names> Rewriter<'t, N> {
    /// Prepares to rewrite tokens of a unit.
    pub(super) fn new(text: &'t str, tokens: &'t [Token], names: &'t N) -> Self {
        Self {
            text,
            tokens,
            names,
            out: Buffer::default(),
            done: 0,
            frames: Vec::new(),
            local_types: Vec::new(),
            shadows: Vec::new(),
            previous: None,
            after_type: false,
            record: None,
            goto_pointer: false,
            in_case: false,
            statement_start: 0,
            repair: false,
            repaired: usize::MAX,
            first: 0,
        }
    }

    /// Reads `CHECK(x)` on a line of its own as a statement and `FOR_EACH(x) {` as a loop that runs any number of times:
    /// for a piece that is a syntax error otherwise, because the header that defines its macros is missing.
    pub(super) fn repairing(mut self) -> Self {
        self.repair = true;
        self
    }

    /// Rewrites a whole top-level piece. `function`: it is a function definition.
    pub(super) fn chunk(mut self, from: usize, to: usize, function: bool) -> Buffer {
        self.start(from);
        let first = self.leading(from, to, function);
        self.run(first, to);
        self.finish(to)
    }

    /// Rewrites the operand of a `typeof` into a function whose body is `sizeof (operand);`.
    pub(super) fn operand(mut self, from: usize, to: usize) -> Buffer {
        self.start(from);
        self.out.put("void f(void){sizeof(", self.done, None);
        self.frames.push(Frame::Block);
        self.frames.push(Frame::Group);
        self.run(from, to);
        self.flush(to);
        let end = self.done;
        self.out.put(");}", end, None);
        self.out
    }

    /// Rewrites an expression into a function that returns it.
    pub(super) fn result(mut self, from: usize, to: usize) -> Buffer {
        self.start(from);
        self.out.put("void f(void){return ", self.done, None);
        self.frames.push(Frame::Block);
        self.run(from, to);
        self.flush(to);
        let end = self.done;
        self.out.put(";}", end, None);
        self.out
    }

    fn start(&mut self, from: usize) {
        self.done = self.tokens.get(from).map_or(0, |t| t.start);
        self.statement_start = from;
        self.first = from;
    }

    fn finish(mut self, to: usize) -> Buffer {
        self.flush(to);
        self.out.put("\n", self.done, None);
        self.out
    }

    fn flush(&mut self, to: usize) {
        let end = to.checked_sub(1).and_then(|i| self.tokens.get(i)).map_or(self.done, |t| t.end);
        self.out.copy(self.text, self.done, end);
        self.done = self.done.max(end);
    }

    fn kind(&self, at: usize) -> Option<Tok> {
        self.tokens.get(at).map(|t| t.kind)
    }

    fn word(&self, at: usize) -> &'t str {
        self.tokens.get(at).map_or("", |t| &self.text[t.start as usize..t.end as usize])
    }

    /// Copies everything before token `at`.
    fn copy_before(&mut self, at: usize) {
        let start = self.tokens[at].start;
        self.out.copy(self.text, self.done, start);
        self.done = self.done.max(start);
    }

    /// Puts `what` in place of the tokens `from..to`.
    fn replace(&mut self, from: usize, to: usize, what: &str, special: Option<Special>) {
        self.copy_before(from);
        self.out.put(what, self.tokens[from].start, special);
        self.done = self.tokens[to - 1].end;
    }

    fn delete(&mut self, from: usize, to: usize) {
        self.replace(from, to, " ", None);
    }

    fn insert_after(&mut self, at: usize, what: &str, special: Option<Special>) {
        let end = self.tokens[at].end;
        self.out.copy(self.text, self.done, end);
        self.done = self.done.max(end);
        self.out.put(what, end, special);
    }

    fn insert_before(&mut self, at: usize, what: &str, special: Option<Special>) {
        self.copy_before(at);
        let start = self.tokens[at].start;
        self.out.put(what, start, special);
    }

    /// One past the group that opens at `at`, or `at` if none does.
    fn group_end(&self, at: usize) -> usize {
        let Some(Tok::P(b'(' | b'[' | b'{')) = self.kind(at) else { return at };
        let mut depth = 0_u32;
        for i in at..self.tokens.len() {
            match self.tokens[i].kind {
                Tok::P(b'(' | b'[' | b'{') => depth += 1,
                Tok::P(b')' | b']' | b'}') => {
                    depth -= 1;
                    if depth == 0 {
                        return i + 1;
                    }
                }
                _ => {}
            }
        }
        self.tokens.len()
    }

    /// Deals with the head of a declaration: unknown macros before it and a missing type. Returns where to go on.
    fn leading(&mut self, from: usize, to: usize, function: bool) -> usize {
        let mut at = from;
        let mut storage = false;
        // Skips storage classes, qualifiers and attributes.
        let skip = |this: &Self, mut at: usize, storage: &mut bool| {
            loop {
                match this.kind(at) {
                    Some(Tok::Key(
                        Key::Static
                        | Key::Extern
                        | Key::Register
                        | Key::Inline
                        | Key::ThreadLocal
                        | Key::Noreturn,
                    )) => {
                        *storage = true;
                        at += 1;
                    }
                    Some(Tok::Key(key)) if key.is_qualifier() => at += 1,
                    Some(Tok::Key(Key::Attribute | Key::Declspec | Key::Alignas)) => {
                        at = this.group_end(at + 1)
                    }
                    _ => return at,
                }
            }
        };
        at = skip(self, at, &mut storage);
        let first = at;
        if self.kind(at) != Some(Tok::Ident) || self.is_type_name(self.word(at)) {
            return from;
        }
        // `EXPORT int f`, `EXPORT foo_t f(`: an unknown word before a complete declaration is a macro.
        let next = skip(self, at + 1, &mut storage);
        let macro_word = match self.kind(next) {
            Some(Tok::Key(key)) => key.starts_declaration() && next < to,
            Some(Tok::Ident) => {
                let mut after = next + 1;
                while self.kind(after) == Some(Tok::P(b'*')) {
                    after += 1;
                }
                self.kind(after) == Some(Tok::Ident) && after < to && !self.is_type_name(self.word(next + 1))
            }
            _ => false,
        };
        if macro_word {
            self.run(from, first);
            self.delete(first, first + 1);
            return first + 1;
        }
        let implicit = match self.kind(at + 1) {
            Some(Tok::P(b'(')) => function,
            Some(Tok::P(b';' | b',' | b'[')) => storage,
            Some(Tok::Assign) => true,
            _ => false,
        };
        if implicit {
            self.run(from, first);
            self.insert_before(first, "int ", Some(Special::ImplicitInt));
            self.after_type = true;
        }
        if implicit { first } else { from }
    }

    /// Whether the name is a type here.
    fn is_type_name(&self, name: &str) -> bool {
        if self.shadows.iter().any(|&(n, _)| n == name) {
            return false;
        }
        self.local_types.iter().any(|&(n, _)| n == name) || self.names.is_type(name)
    }

    fn run(&mut self, from: usize, to: usize) {
        let mut at = from;
        while at < to {
            let next = self.step(at, to);
            at = next.max(at + 1);
        }
    }

    fn frame(&self) -> Option<Frame> {
        self.frames.last().copied()
    }

    /// Deals with the token at `at`; returns the next one to look at.
    fn step(&mut self, at: usize, to: usize) -> usize {
        if let Some(next) = self.unknown_macro(at, to) {
            return next;
        }
        let after_type = std::mem::take(&mut self.after_type);
        match self.tokens[at].kind {
            Tok::Ident if self.frames.is_empty() && self.is_trailing_macro(at) => {
                let end = self.group_end(at + 1).min(to).max(at + 1);
                self.delete(at, end);
                return end;
            }
            Tok::Ident => self.identifier(at, after_type),
            Tok::Key(key) => return self.keyword(key, at, to, after_type),
            Tok::P(c) => return self.punctuator(c, at, to),
            Tok::AndAnd => {
                if self.is_prefix_position(at) && self.kind(at + 1) == Some(Tok::Ident) {
                    self.replace(at, at + 1, "&", Some(Special::LabelAddress));
                }
            }
            Tok::Ellipsis => {
                if self.in_case {
                    self.replace(at, at + 1, " || ", Some(Special::CaseRange));
                }
            }
            Tok::Number => self.number(at),
            Tok::Directive | Tok::Junk => {
                if self.tokens[at].kind == Tok::Directive {
                    self.delete(at, at + 1);
                    self.after_type = after_type;
                    return at + 1;
                }
            }
            Tok::Step | Tok::Arrow | Tok::Assign | Tok::Operator | Tok::Str | Tok::Char => {}
        }
        self.previous = Some(at);
        at + 1
    }

    /// When repairing: a macro used as a statement or loop; returns the token after it.
    fn unknown_macro(&mut self, at: usize, to: usize) -> Option<usize> {
        let possible = self.repair && self.repaired != at && self.frame() == Some(Frame::Block);
        if !possible || self.kind(at) != Some(Tok::Ident) || self.is_type_name(self.word(at)) {
            return None;
        }
        if self.statement_start != at && !self.is_substatement(at) {
            return None;
        }
        let end = self.group_end(at + 1).max(at + 1);
        if end >= to {
            return None;
        }
        let between = &self.text[self.tokens[end - 1].end as usize..self.tokens[end].start as usize];
        let new_line = between.contains('\n');
        let (statement, block) = match self.kind(end) {
            Some(Tok::Ident | Tok::Key(_)) => (new_line, !new_line && end > at + 1),
            Some(Tok::P(b'}')) => (true, false),
            Some(Tok::P(b'{')) => (false, end > at + 1),
            _ => (false, false),
        };
        // Do not come here again for the same name.
        self.repaired = at;
        if block {
            self.insert_before(at, "while(", None);
            self.run(at, end);
            self.insert_after(end - 1, ")", None);
            return Some(end);
        }
        if statement {
            self.run(at, end);
            self.insert_after(end - 1, ";", None);
            self.statement_start = end;
            return Some(end);
        }
        None
    }

    /// Whether the token at `at` follows `if (...)`, `else` and the like.
    fn is_substatement(&self, at: usize) -> bool {
        let Some(previous) = self.previous else { return false };
        match self.tokens[previous].kind {
            Tok::Key(Key::Else | Key::Do) => true,
            Tok::P(b')') => {
                let mut depth = 0_u32;
                for i in (self.first..at).rev() {
                    match self.tokens[i].kind {
                        Tok::P(b')' | b']' | b'}') => depth += 1,
                        Tok::P(b'(' | b'[' | b'{') => depth = depth.saturating_sub(1),
                        _ => {}
                    }
                    if depth == 0 {
                        let before = i.checked_sub(1).map(|b| self.tokens[b].kind);
                        return matches!(
                            before,
                            Some(Tok::Key(Key::If | Key::While | Key::For | Key::Switch))
                        );
                    }
                }
                false
            }
            _ => false,
        }
    }

    /// `int f(int x) UNUSED;`: a macro whose definition is missing, between a parameter list and the end.
    fn is_trailing_macro(&self, at: usize) -> bool {
        let after_list = self.previous.is_some_and(|p| self.kind(p) == Some(Tok::P(b')')));
        after_list && matches!(self.kind(self.group_end(at + 1)), Some(Tok::P(b';' | b',')))
    }

    fn number(&mut self, at: usize) {
        let word = self.word(at);
        let hexadecimal = word.starts_with("0x") || word.starts_with("0X");
        let stem = word.trim_end_matches(['u', 'U', 'l', 'L', 'f', 'F']);
        let imaginary = |word: &str| word.ends_with(['i', 'j', 'I', 'J']);
        if !hexadecimal && (imaginary(stem) || imaginary(word)) {
            self.replace(at, at + 1, "imaginary", Some(Special::ImaginaryNumber));
            return;
        }
        let lower = word.to_ascii_lowercase();
        for suffix in ["q", "f16", "f32", "f64", "f128", "f32x", "f64x"] {
            if !hexadecimal && lower.ends_with(suffix) {
                let stem = &word[..word.len() - suffix.len()];
                self.replace(at, at + 1, stem, None);
                return;
            }
        }
    }

    /// Whether an operator at `at` is a prefix operator.
    fn is_prefix_position(&self, at: usize) -> bool {
        let Some(previous) = self.previous else { return true };
        match self.tokens[previous].kind {
            Tok::Ident | Tok::Number | Tok::Str | Tok::Char | Tok::P(b']' | b'}') | Tok::Step => false,
            // `(void *) &&label`
            Tok::P(b')') => {
                previous + 1 == at && previous > 0 && self.kind(previous - 1) == Some(Tok::P(b'*'))
            }
            _ => true,
        }
    }
}
