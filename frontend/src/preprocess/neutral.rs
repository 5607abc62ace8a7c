//! GNU words that tree-sitter-c does not parse, or parses badly, put into forms that it does.
//!
//! The forms are part of the contract with [`crate::lower`]; each rewritten token keeps its place in the source.
//!
//! | in C | in the text |
//! |---|---|
//! | `__attribute__((...))`, `__declspec(...)` | nothing; `packed` and `aligned(N)` are [`LayoutAttribute`]s |
//! | `__extension__`, `_Noreturn`, `__label__ a, b;` | nothing |
//! | `__restrict`, `__restrict__` | `restrict` |
//! | `__inline`, `__inline__`, `__const`, `__volatile__`, `__signed__` ... | `inline`, `const`, `volatile`, `signed` |
//! | `asm("...")` after a declarator, `asm volatile ("..." : ...);` | kept as `__asm__ ...`, which the grammar has, but for `asm goto`, whose `goto` goes |
//! | `double _Complex` (any order; also `float`, `long double`) | `_Complex_double`, `_Complex_float`, `_Complex_long_double`: one type name |
//! | `1.0iF` (imaginary constants) | `__anyrank_imaginary(1.0F)`: a call |
//! | `__real__ x`, `__imag__ x` | `__anyrank_real x` is no C, so: `+ x`, the operand as it is |
//! | `__builtin_va_arg(ap, T)` | `(*(T *)__anyrank_va_arg(ap))` |
//! | `__builtin_offsetof(T, m)` and `offsetof(T, m)` | `((unsigned long)&((T *)0)->m)` |
//! | `__typeof__(E)`, `typeof`, `__typeof`, `typeof_unqual` | `__typeof__(E)`: a macro type specifier of the grammar |
//! | `__auto_type` | `__auto_type`: one type name |
//! | `__builtin_types_compatible_p(A, B)` | `__anyrank_types_compatible(sizeof(A), sizeof(B))` |
//! | `__thread`, `_Thread_local` | `static` is not implied; the word is dropped |

use super::engine::Unit;
use super::intern::{Symbol, intern, sym};
use super::token::{Kind, Tok, punct};

/// An attribute that changes the layout of the type or object before it, taken out of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LayoutAttribute {
    /// Where it stood: an offset in the text between two tokens.
    pub offset: u32,
    /// What it asks for.
    pub layout: Layout,
}

/// What a [`LayoutAttribute`] asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// `__attribute__((packed))`: no padding in the struct (or before the member) it belongs to.
    Packed,
    /// `__attribute__((aligned(N)))`: at least this alignment, in bytes.
    Aligned(u64),
    /// `#pragma pack(N)`: from here on no member is aligned to more than this many bytes; `None` is no limit.
    Pack(Option<u64>),
}

/// Something that stands before the token with this index.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    pub(super) before: usize,
    pub(super) layout: Layout,
}

/// Whether a word is one this pass rewrites. They have the lowest numbers.
fn is_special(tok: &Tok) -> bool {
    match tok.kind {
        Kind::Ident => tok.sym.0 <= sym::DECLSPEC.0 && tok.sym != Symbol::NONE,
        _ => false,
    }
}

/// Rewrites the tokens of a unit, and moves `marks` along.
pub(super) fn rewrite(unit: &Unit<'_>, toks: Vec<Tok>, marks: Vec<Mark>) -> (Vec<Tok>, Vec<Mark>) {
    let imaginary = |tok: &Tok| tok.kind == Kind::Number && is_imaginary(unit, tok);
    if !toks.iter().any(|tok| is_special(tok) || imaginary(tok)) {
        return (toks, marks);
    }
    let mut pass = Pass { unit, out: Vec::with_capacity(toks.len()), marks: Vec::new(), closers: Vec::new() };
    let mut pending = marks.into_iter().peekable();
    let mut at = 0;
    while at < toks.len() {
        while let Some(mark) = pending.next_if(|mark| mark.before <= at) {
            pass.mark(mark.layout);
        }
        at = pass.step(&toks, at);
    }
    pass.marks.extend(pending.map(|mark| Mark { before: pass.out.len(), ..mark }));
    (pass.out, pass.marks)
}

/// What to write at a closing parenthesis further on.
struct Closer {
    /// Index of the closing parenthesis.
    at: usize,
    /// What stands there instead of it.
    text: &'static [&'static str],
}

struct Pass<'u, 'a> {
    unit: &'u Unit<'a>,
    out: Vec<Tok>,
    marks: Vec<Mark>,
    /// Innermost last.
    closers: Vec<Closer>,
}

impl Pass<'_, '_> {
    fn mark(&mut self, layout: Layout) {
        self.marks.push(Mark { before: self.out.len(), layout });
    }

    /// Writes `text` in the place of `model`.
    fn write(&mut self, text: &str, model: &Tok) {
        let tok = match text.bytes().next() {
            Some(first) if first.is_ascii_alphanumeric() || first == b'_' => {
                Tok { kind: Kind::Ident, sym: intern(text), ..*model }
            }
            _ => Tok { kind: Kind::Punct, sym: Symbol(punct::code(text)), ..*model },
        };
        self.out.push(tok);
    }

    /// Handles the token at `at` and says where to go on.
    fn step(&mut self, toks: &[Tok], at: usize) -> usize {
        let tok = toks[at];
        if self.closers.last().is_some_and(|closer| closer.at == at) {
            for &text in self.closers.pop().map_or(&[][..], |closer| closer.text) {
                self.write(text, &tok);
            }
            return at + 1;
        }
        if tok.kind == Kind::Number && is_imaginary(self.unit, &tok) {
            let mut buffer = [0; 4];
            let number = self.unit.text(&tok, &mut buffer).replace(['i', 'j', 'I', 'J'], "");
            self.write("__anyrank_imaginary", &tok);
            self.write("(", &tok);
            self.out.push(Tok { sym: intern(&number), ..tok });
            self.write(")", &tok);
            return at + 1;
        }
        if !is_special(&tok) {
            self.out.push(tok);
            return at + 1;
        }
        match tok.sym {
            sym::ATTRIBUTE | sym::ATTRIBUTE_2 | sym::DECLSPEC => {
                let Some(close) = closing(toks, at + 1) else { return at + 1 };
                self.layout_attributes(&toks[at + 1..close]);
                close + 1
            }
            sym::EXTENSION | sym::NORETURN | sym::THREAD_LOCAL | sym::THREAD_LOCAL_2 => at + 1,
            sym::LABEL => {
                let end = toks[at..].iter().position(|tok| tok.is(punct::code(";")));
                end.map_or(at + 1, |end| at + end + 1)
            }
            sym::RESTRICT | sym::RESTRICT_2 => self.replace("restrict", &tok, at),
            sym::INLINE | sym::INLINE_2 => self.replace("inline", &tok, at),
            sym::CONST | sym::CONST_2 => self.replace("const", &tok, at),
            sym::VOLATILE | sym::VOLATILE_2 => self.replace("volatile", &tok, at),
            sym::SIGNED | sym::SIGNED_2 => self.replace("signed", &tok, at),
            sym::REAL | sym::REAL_2 | sym::IMAG | sym::IMAG_2 => self.replace("+", &tok, at),
            sym::TYPEOF | sym::TYPEOF_2 | sym::TYPEOF_3 | sym::TYPEOF_UNQUAL
                if toks.get(at + 1).is_some_and(|next| next.is(punct::OPEN)) =>
            {
                self.replace("__typeof__", &tok, at)
            }
            sym::ASM | sym::ASM_2 | sym::ASM_3 => self.asm(toks, at),
            sym::COMPLEX | sym::COMPLEX_2 | sym::COMPLEX_3 => self.complex(toks, at),
            sym::VA_ARG => self.va_arg(toks, at),
            sym::OFFSETOF | sym::OFFSETOF_2 => self.offset_of(toks, at),
            sym::TYPES_COMPATIBLE => self.types_compatible(toks, at),
            _ => {
                self.out.push(tok);
                at + 1
            }
        }
    }

    fn replace(&mut self, text: &str, tok: &Tok, at: usize) -> usize {
        self.write(text, tok);
        at + 1
    }

    /// Notes `packed` and `aligned` among the tokens of an attribute's parentheses.
    fn layout_attributes(&mut self, inside: &[Tok]) {
        let (mut packed, mut aligned) = (false, None);
        for (at, tok) in inside.iter().enumerate().filter(|(_, tok)| tok.kind == Kind::Ident) {
            match tok.sym.as_str().trim_matches('_') {
                "packed" | "gcc_struct" if tok.sym.as_str().contains("packed") => packed = true,
                "aligned" | "align" => {
                    let number =
                        inside.get(at + 2).filter(|_| inside.get(at + 1).is_some_and(|t| t.is(punct::OPEN)));
                    let alone = inside.get(at + 3).is_some_and(|t| t.is(punct::CLOSE));
                    aligned = match number {
                        // Without an argument: the largest alignment of the machine.
                        None => Some(16),
                        Some(number) if alone && number.kind == Kind::Number => {
                            let mut buffer = [0; 4];
                            parse_integer(self.unit.text(number, &mut buffer)).or(aligned)
                        }
                        Some(_) => aligned,
                    };
                }
                _ => {}
            }
        }
        if packed {
            self.mark(Layout::Packed);
        }
        if let Some(alignment) = aligned.filter(|n| n.is_power_of_two()) {
            self.mark(Layout::Aligned(alignment));
        }
    }

    /// `asm` with its qualifiers: `volatile` is in the grammar, `goto` and `inline` are dropped.
    fn asm(&mut self, toks: &[Tok], at: usize) -> usize {
        self.write("__asm__", &toks[at]);
        let mut next = at + 1;
        while let Some(tok) = toks.get(next) {
            if tok.kind != Kind::Ident {
                break;
            }
            match tok.sym {
                sym::VOLATILE | sym::VOLATILE_2 | sym::VOLATILE_KEYWORD => self.write("volatile", tok),
                sym::GOTO | sym::INLINE | sym::INLINE_2 | sym::INLINE_KEYWORD => {}
                _ => break,
            }
            next += 1;
        }
        next
    }

    /// `_Complex` and the floating type beside it as one type name.
    fn complex(&mut self, toks: &[Tok], at: usize) -> usize {
        let base =
            |tok: &Tok| tok.kind == Kind::Ident && matches!(tok.sym, sym::DOUBLE | sym::FLOAT | sym::LONG);
        let mut words = Vec::new();
        while let Some(before) = self.out.last().filter(|tok| base(tok)) {
            words.push(before.sym);
            self.out.pop();
        }
        let mut next = at + 1;
        while let Some(tok) = toks.get(next).filter(|tok| base(tok)) {
            words.push(tok.sym);
            next += 1;
        }
        let name = if words.contains(&sym::FLOAT) {
            "_Complex_float"
        } else if words.contains(&sym::LONG) {
            "_Complex_long_double"
        } else {
            "_Complex_double"
        };
        self.write(name, &toks[at]);
        next
    }

    fn va_arg(&mut self, toks: &[Tok], at: usize) -> usize {
        let Some((comma, close)) = two_operands(toks, at + 1) else {
            return self.replace("__builtin_va_arg", &toks[at], at);
        };
        let tok = toks[at];
        for text in ["(", "*", "("] {
            self.write(text, &tok);
        }
        self.operand(toks, comma + 1, close);
        for text in ["*", ")", "__anyrank_va_arg", "("] {
            self.write(text, &toks[comma]);
        }
        self.operand(toks, at + 2, comma);
        for text in [")", ")"] {
            self.write(text, &toks[close]);
        }
        close + 1
    }

    fn offset_of(&mut self, toks: &[Tok], at: usize) -> usize {
        let Some((comma, close)) = two_operands(toks, at + 1) else {
            self.out.push(toks[at]);
            return at + 1;
        };
        let tok = toks[at];
        for text in ["(", "(", "unsigned", "long", ")", "&", "(", "("] {
            self.write(text, &tok);
        }
        self.operand(toks, at + 2, comma);
        for text in ["*", ")"] {
            self.write(text, &toks[comma]);
        }
        self.out.push(Tok { kind: Kind::Number, sym: intern("0"), ..toks[comma] });
        for text in [")", "->"] {
            self.write(text, &toks[comma]);
        }
        // The member may hold indices, whose expressions are handled as all others.
        self.closers.push(Closer { at: close, text: &[")"] });
        comma + 1
    }

    fn types_compatible(&mut self, toks: &[Tok], at: usize) -> usize {
        let Some((comma, close)) = two_operands(toks, at + 1) else {
            self.out.push(toks[at]);
            return at + 1;
        };
        for text in ["__anyrank_types_compatible", "(", "sizeof", "("] {
            self.write(text, &toks[at]);
        }
        self.operand(toks, at + 2, comma);
        for text in [")", ",", "sizeof", "("] {
            self.write(text, &toks[comma]);
        }
        self.operand(toks, comma + 1, close);
        for text in [")", ")"] {
            self.write(text, &toks[close]);
        }
        close + 1
    }

    /// Copies operands that are types (no constructs of this pass but qualifiers and `typeof` occur in them).
    fn operand(&mut self, toks: &[Tok], begin: usize, end: usize) {
        for tok in &toks[begin..end] {
            match tok.sym {
                _ if tok.kind != Kind::Ident => self.out.push(*tok),
                sym::EXTENSION => {}
                sym::CONST | sym::CONST_2 => self.write("const", tok),
                _ => self.out.push(*tok),
            }
        }
    }
}

/// Index of the parenthesis that closes the one at `open`; `None` when there is none there, or it never closes.
fn closing(toks: &[Tok], open: usize) -> Option<usize> {
    if !toks.get(open)?.is(punct::OPEN) {
        return None;
    }
    let mut depth = 0_u32;
    for (at, tok) in toks.iter().enumerate().skip(open).take(1 << 16) {
        if tok.is(punct::OPEN) {
            depth += 1;
        } else if tok.is(punct::CLOSE) {
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

/// The comma and the closing parenthesis of the two operands in the parentheses at `open`.
fn two_operands(toks: &[Tok], open: usize) -> Option<(usize, usize)> {
    let close = closing(toks, open)?;
    let mut depth = 0_u32;
    for (at, tok) in toks.iter().enumerate().take(close).skip(open + 1) {
        match tok.sym.0 {
            _ if tok.kind != Kind::Punct => {}
            punct::COMMA if depth == 0 => return Some((at, close)),
            code if code == punct::OPEN || code == punct::code("[") || code == punct::code("{") => depth += 1,
            code if code == punct::CLOSE || code == punct::code("]") || code == punct::code("}") => {
                depth = depth.saturating_sub(1);
            }
            _ => {}
        }
    }
    None
}

/// Whether a number is imaginary (`1.0i`, `2.0fj`). Hexadecimal constants have no such suffix.
fn is_imaginary(unit: &Unit<'_>, tok: &Tok) -> bool {
    // One-digit numbers are most of all.
    tok.len > 1 && {
        let mut buffer = [0; 4];
        let text = unit.text(tok, &mut buffer);
        !text.starts_with("0x") && !text.starts_with("0X") && text.contains(['i', 'j', 'I', 'J'])
    }
}

/// The value of an integer constant as attributes have it.
pub(super) fn parse_integer(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => digits.parse().ok(),
    }
}
