//! Rewrites a top-level piece into the dialect that tree-sitter-c parses without error and without ambiguity.
//!
//! tree-sitter-c knows no typedef names, so `(a) - b`, `a * b;`, `T (x);` are guesses to it; and it has no rule for
//! some of GNU C. Here, where the symbols of the unit are known, each typedef name becomes a keyword type, parentheses
//! round a lone variable go, attributes become [`Mark`]s, and constructs without a rule become ones that have one,
//! marked as [`Special`]. [`Buffer::original`] leads back, so all names and spans are those of the text before.

use super::lexer::{Key, Tok, Token};

/// What a rewritten token stood for, where its text in the source does not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Special {
    /// A complex type by its size in bytes.
    Complex(u8),
    /// `__int128`, signed or not.
    Int128(bool),
    /// `typeof (...)` or `_Atomic (...)`: the tokens in the parentheses, as a range of the unit's.
    Typeof(u32, u32),
    /// `__auto_type`
    AutoType,
    /// `va_arg (list, type)` as a call with the second argument `sizeof (type)`.
    VaArg,
    /// `offsetof (type, member)` as a call with the first argument `sizeof (type)`.
    Offsetof,
    /// `__builtin_types_compatible_p`, both arguments as `sizeof (type)`.
    TypesCompatible,
    /// `_Alignof (...)` as a call with the argument `sizeof (...)`.
    Alignof,
    /// `goto *p` as a call.
    GotoPointer,
    /// The `&` of a label's address `&&label`.
    LabelAddress,
    /// `__real__` as `~`.
    Real,
    /// `__imag__` as `~`.
    Imag,
    /// The `...` of a case range as `||`.
    CaseRange,
    /// `default` in `_Generic` as a type.
    GenericDefault,
    /// Inline assembly as a call with the outputs as arguments; whether it may write other memory.
    Asm(bool),
    /// An imaginary constant.
    ImaginaryNumber,
    /// The name given to an unnamed bit-field.
    Unnamed,
    /// The type given to a declaration that has none.
    ImplicitInt,
}

/// What an attribute says, where we care.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Attribute {
    /// The function does not return.
    NoReturn,
    /// No padding.
    Packed,
    /// At least this alignment; `None` where it is not a plain number.
    Aligned(Option<u64>),
    /// `vector_size`, `mode`: the type is not what it looks like.
    OtherType,
}

/// An attribute that was taken out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    pub(super) attribute: Attribute,
    /// Where it stood.
    pub(super) at: u32,
    /// End of the token before it (attributes do not count).
    pub(super) after: u32,
}

/// A stretch of the output that came from one place of the source.
#[derive(Clone, Copy, Debug)]
struct Segment {
    out: u32,
    original: u32,
    verbatim: bool,
    special: Option<Special>,
}

/// The text for tree-sitter, with the way back.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    pub(super) text: Vec<u8>,
    segments: Vec<Segment>,
    pub(super) marks: Vec<Mark>,
}

impl Buffer {
    fn segment(&self, out: u32) -> Option<&Segment> {
        let index = self.segments.partition_point(|s| s.out <= out);
        index.checked_sub(1).map(|i| &self.segments[i])
    }

    /// The place in the source of a place in [`Self::text`].
    pub(super) fn original(&self, out: u32) -> u32 {
        match self.segment(out) {
            Some(s) if s.verbatim => s.original + (out - s.out),
            Some(s) => s.original,
            None => 0,
        }
    }

    /// What the token at `out` stood for, if its text does not say.
    pub(super) fn special(&self, out: u32) -> Option<Special> {
        self.segment(out).filter(|s| s.out == out).and_then(|s| s.special)
    }

    /// Whether anything but plain copying took place.
    pub(super) fn is_edited(&self) -> bool {
        self.segments.len() > 1
    }

    fn copy(&mut self, text: &str, from: u32, to: u32) {
        if from >= to {
            return;
        }
        let out = self.text.len() as u32;
        let continues =
            self.segments.last().is_some_and(|s| s.verbatim && s.original + (out - s.out) == from);
        if !continues {
            self.segments.push(Segment { out, original: from, verbatim: true, special: None });
        }
        self.text.extend_from_slice(&text.as_bytes()[from as usize..to as usize]);
    }

    fn put(&mut self, what: &str, original: u32, special: Option<Special>) {
        let out = self.text.len() as u32;
        self.segments.push(Segment { out, original, verbatim: false, special });
        self.text.extend_from_slice(what.as_bytes());
    }
}

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
        }
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

    fn start(&mut self, from: usize) {
        self.done = self.tokens.get(from).map_or(0, |t| t.start);
        self.statement_start = from;
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
        let after_type = std::mem::take(&mut self.after_type);
        match self.tokens[at].kind {
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

    fn number(&mut self, at: usize) {
        let word = self.word(at);
        let hexadecimal = word.starts_with("0x") || word.starts_with("0X");
        let stem = word.trim_end_matches(['u', 'U', 'l', 'L']);
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

    fn identifier(&mut self, at: usize, after_type: bool) {
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

    fn is_type_or_shadowed(&self, name: &str) -> bool {
        self.local_types.iter().any(|&(n, _)| n == name) || self.names.is_type(name)
    }

    /// A typedef name is declared again, as something else: note it, if that is a variable of a block or a parameter.
    fn shadow(&mut self, name: &'t str, at: usize) {
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

    fn keyword(&mut self, key: Key, at: usize, to: usize, after_type: bool) -> usize {
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
    fn type_of(&mut self, at: usize, to: usize) -> usize {
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
    fn arithmetic_type(&mut self, at: usize, to: usize) -> usize {
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
    fn local_typedef(&mut self, at: usize, to: usize) {
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

    fn mark(&mut self, attribute: Attribute, at: usize) {
        let after = self.previous.map_or(0, |p| self.tokens[p].end);
        self.out.marks.push(Mark { attribute, at: self.tokens[at].start, after });
    }

    /// Notes what the attributes in the group that ends at `end` say.
    fn attributes(&mut self, key: Key, at: usize, end: usize) {
        let number = |this: &Self, i: usize| {
            (this.kind(i) == Some(Tok::P(b'('))).then(|| {
                let word = this.word(i + 1).trim_end_matches(['u', 'U', 'l', 'L']);
                let closed = this.kind(i + 2) == Some(Tok::P(b')'));
                if closed { word.parse().ok() } else { None }
            })
        };
        if key == Key::Alignas {
            let value = number(self, at + 1).flatten();
            self.mark(Attribute::Aligned(value), at);
            return;
        }
        for i in at + 1..end {
            if !matches!(self.tokens[i].kind, Tok::Ident | Tok::Key(_)) {
                continue;
            }
            let attribute = match self.word(i).trim_matches('_') {
                "noreturn" => Attribute::NoReturn,
                "packed" => Attribute::Packed,
                "aligned" => Attribute::Aligned(number(self, i + 1).unwrap_or(Some(16))),
                "vector_size" | "mode" | "ext_vector_type" => Attribute::OtherType,
                _ => continue,
            };
            self.mark(attribute, at);
        }
    }

    /// Inline assembly: a call whose arguments are what it writes. On a declarator it is a symbol name, and goes.
    fn assembly(&mut self, at: usize, to: usize) -> usize {
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
    fn statement_is_declaration(&self) -> bool {
        match self.kind(self.statement_start) {
            Some(Tok::Key(key)) => key.starts_declaration(),
            Some(Tok::Ident) => self.is_type_name(self.word(self.statement_start)),
            _ => false,
        }
    }

    /// The `:` tokens directly inside the group `open..end`.
    fn colons(&self, open: usize, end: usize) -> Vec<usize> {
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

    fn punctuator(&mut self, c: u8, at: usize, to: usize) -> usize {
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
    fn is_unnamed_field(&self, at: usize) -> bool {
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

    /// `(name)` in an expression: without the parentheses it cannot be taken for a cast.
    fn lone_name(&mut self, at: usize, to: usize) -> Option<usize> {
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
            Some(Tok::P(b'(')) => looks_like_type(word) && !self.names.is_value(word),
            _ => false,
        };
        if operand_follows {
            return None;
        }
        self.delete(at, name);
        self.previous = self.previous.or(Some(at));
        let after_name = self.step(name, to);
        debug_assert_eq!(after_name, name + 1, "a name is one token");
        self.delete(name + 1, after);
        Some(after)
    }
}

/// Whether a name that is declared nowhere is more likely a type than a variable.
fn looks_like_type(name: &str) -> bool {
    name.ends_with("_t") || name.ends_with("_T") || name.starts_with("MPI_")
}
