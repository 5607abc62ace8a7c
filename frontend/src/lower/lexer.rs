//! Tokens of preprocessed text: just enough of C's lexical grammar to cut the text into top-level pieces and to rewrite
//! what tree-sitter-c has no rule for.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// What a [`Token`] is. Single-character punctuators are their byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tok {
    /// An identifier that is no keyword.
    Ident,
    /// A keyword.
    Key(Key),
    /// A number in the preprocessor's sense.
    Number,
    /// A string literal with its prefix.
    Str,
    /// A character constant with its prefix.
    Char,
    /// One ASCII punctuator.
    P(u8),
    /// `->`
    Arrow,
    /// `++` or `--`
    Step,
    /// `...`
    Ellipsis,
    /// `&&`
    AndAnd,
    /// Any assignment operator, `=` included.
    Assign,
    /// Any other operator of several characters.
    Operator,
    /// A line that starts with `#`.
    Directive,
    /// A byte that starts no token.
    Junk,
}

/// A token: its kind and its bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Tok,
    pub(super) start: u32,
    pub(super) end: u32,
}

macro_rules! keys {
    ($($variant:ident: $($text:literal)|+;)*) => {
        /// Keywords of C and of GNU C, by the role they play for the rewriting; spellings that mean the same are one.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Key { $(#[doc = concat!($("`", $text, "` ",)+)] $variant,)* }

        static KEYS: LazyLock<FxHashMap<&'static [u8], Key>> = LazyLock::new(|| {
            let mut keys = FxHashMap::default();
            $($(keys.insert($text.as_bytes(), Key::$variant);)+)*
            keys
        });
    };
}

keys! {
    // Arithmetic type words and what may stand among them.
    Int: "int";
    Char: "char";
    Double: "double";
    Float: "float";
    Void: "void";
    Short: "short";
    Long: "long";
    Unsigned: "unsigned" | "__unsigned__" | "__unsigned";
    Signed: "signed" | "__signed__" | "__signed";
    Bool: "_Bool";
    Complex: "_Complex" | "__complex__" | "__complex";
    Imaginary: "_Imaginary";
    Int128: "__int128" | "__int128_t";
    UInt128: "__uint128_t";
    Struct: "struct";
    Union: "union";
    Enum: "enum";
    Typeof: "typeof" | "__typeof__" | "__typeof" | "typeof_unqual";
    AutoType: "__auto_type";
    Atomic: "_Atomic";
    Const: "const" | "__const" | "__const__";
    Volatile: "volatile" | "__volatile__" | "__volatile";
    Restrict: "restrict" | "__restrict" | "__restrict__";
    Inline: "inline" | "__inline" | "__inline__" | "__forceinline";
    Static: "static";
    Extern: "extern";
    Typedef: "typedef";
    Auto: "auto";
    Register: "register";
    ThreadLocal: "_Thread_local" | "thread_local" | "__thread";
    Noreturn: "_Noreturn";
    Attribute: "__attribute__" | "__attribute";
    Declspec: "__declspec";
    CallingConvention: "__cdecl" | "__stdcall" | "__fastcall" | "__thiscall" | "__vectorcall" | "__clrcall";
    Extension: "__extension__";
    Asm: "asm" | "__asm__" | "__asm";
    StaticAssert: "_Static_assert" | "static_assert";
    Alignas: "_Alignas" | "alignas";
    Alignof: "_Alignof" | "__alignof__" | "__alignof" | "alignof";
    Sizeof: "sizeof";
    Offsetof: "offsetof" | "__builtin_offsetof";
    VaArg: "__builtin_va_arg" | "va_arg";
    TypesCompatible: "__builtin_types_compatible_p";
    Generic: "_Generic";
    Real: "__real__" | "__real";
    Imag: "__imag__" | "__imag";
    Pragma: "_Pragma" | "__pragma";
    Label: "__label__";
    If: "if";
    Else: "else";
    While: "while";
    Do: "do";
    For: "for";
    Switch: "switch";
    Case: "case";
    Default: "default";
    Return: "return";
    Goto: "goto";
    Break: "break";
    Continue: "continue";
    // Words that are keywords to tree-sitter-c but names in C.
    PseudoName: "true" | "false" | "TRUE" | "FALSE" | "NULL" | "nullptr" | "noreturn" | "constexpr" | "_Nonnull" | "defined"
        | "__try" | "__except" | "__finally" | "__leave" | "__based" | "__uptr" | "__sptr" | "_unaligned" | "__unaligned";
}

impl Key {
    /// Whether the word names an arithmetic type, `void` or a part of one.
    pub(super) fn is_arithmetic_type(self) -> bool {
        matches!(
            self,
            Self::Int
                | Self::Char
                | Self::Double
                | Self::Float
                | Self::Void
                | Self::Short
                | Self::Long
                | Self::Unsigned
                | Self::Signed
                | Self::Bool
                | Self::Complex
                | Self::Imaginary
                | Self::Int128
                | Self::UInt128
        )
    }

    /// Whether a declaration may start with the word.
    pub(super) fn starts_declaration(self) -> bool {
        self.is_arithmetic_type()
            || matches!(
                self,
                Self::Struct
                    | Self::Union
                    | Self::Enum
                    | Self::Typeof
                    | Self::AutoType
                    | Self::Atomic
                    | Self::Const
                    | Self::Volatile
                    | Self::Inline
                    | Self::Static
                    | Self::Extern
                    | Self::Typedef
                    | Self::Auto
                    | Self::Register
                    | Self::ThreadLocal
                    | Self::Noreturn
                    | Self::Alignas
                    | Self::Attribute
                    | Self::Extension
            )
    }

    /// Whether the word is a qualifier, which may stand between a type and a declarator.
    pub(super) fn is_qualifier(self) -> bool {
        matches!(self, Self::Const | Self::Volatile | Self::Restrict | Self::Atomic | Self::Extension)
    }
}

/// All tokens of `text`, without comments and white space.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len() / 4);
    let mut at = 0;
    let mut line_start = true;
    while at < bytes.len() {
        let c = bytes[at];
        if c == b'\n' {
            line_start = true;
            at += 1;
            continue;
        }
        if c.is_ascii_whitespace() || c == 0x0b {
            at += 1;
            continue;
        }
        let start = at;
        let kind = if c == b'#' && line_start {
            at = end_of_line(bytes, at);
            Tok::Directive
        } else {
            match token(bytes, &mut at) {
                Some(kind) => kind,
                None => continue,
            }
        };
        line_start = false;
        out.push(Token { kind, start: start as u32, end: at as u32 });
    }
    out
}

fn end_of_line(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && bytes[at] != b'\n' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at.min(bytes.len())
}

/// Reads one token at `at` and moves past it; `None` for a comment.
fn token(bytes: &[u8], at: &mut usize) -> Option<Tok> {
    let c = bytes[*at];
    let next = |n: usize| bytes.get(*at + n).copied().unwrap_or(0);
    if is_word_start(c) {
        let start = *at;
        while *at < bytes.len() && (is_word_start(bytes[*at]) || bytes[*at].is_ascii_digit()) {
            *at += 1;
        }
        let word = &bytes[start..*at];
        if let Some(&quote) = bytes.get(*at)
            && (quote == b'"' || quote == b'\'')
            && matches!(word, b"L" | b"u" | b"U" | b"u8")
        {
            *at = end_of_quoted(bytes, *at);
            return Some(if quote == b'"' { Tok::Str } else { Tok::Char });
        }
        return Some(KEYS.get(word).map_or(Tok::Ident, |&key| Tok::Key(key)));
    }
    if c.is_ascii_digit() || (c == b'.' && next(1).is_ascii_digit()) {
        *at = end_of_number(bytes, *at);
        return Some(Tok::Number);
    }
    let (length, kind) = match (c, next(1), next(2)) {
        (b'"', ..) => {
            *at = end_of_quoted(bytes, *at);
            return Some(Tok::Str);
        }
        (b'\'', ..) => {
            *at = end_of_quoted(bytes, *at);
            return Some(Tok::Char);
        }
        (b'/', b'/', _) => {
            *at = end_of_line(bytes, *at);
            return None;
        }
        (b'/', b'*', _) => {
            *at += 2;
            while *at < bytes.len() && !bytes[*at..].starts_with(b"*/") {
                *at += 1;
            }
            *at = (*at + 2).min(bytes.len());
            return None;
        }
        (b'.', b'.', b'.') => (3, Tok::Ellipsis),
        (b'<', b'<', b'=') | (b'>', b'>', b'=') => (3, Tok::Assign),
        (b'<', b'<', _) | (b'>', b'>', _) | (b'<' | b'>' | b'=' | b'!', b'=', _) | (b'|', b'|', _) => {
            (2, Tok::Operator)
        }
        (b'&', b'&', _) => (2, Tok::AndAnd),
        (b'-', b'>', _) => (2, Tok::Arrow),
        (b'+', b'+', _) | (b'-', b'-', _) => (2, Tok::Step),
        (b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^', b'=', _) => (2, Tok::Assign),
        (b'=', ..) => (1, Tok::Assign),
        (c, ..) if c.is_ascii_punctuation() && !matches!(c, b'`' | b'@' | b'\\') => (1, Tok::P(c)),
        _ => (1, Tok::Junk),
    };
    *at += length;
    Some(kind)
}

fn is_word_start(c: u8) -> bool {
    c.is_ascii_alphabetic() || c == b'_' || c == b'$' || c >= 0x80
}

fn end_of_number(bytes: &[u8], mut at: usize) -> usize {
    at += 1;
    while at < bytes.len() {
        let c = bytes[at];
        let exponent_sign = matches!(c, b'+' | b'-') && matches!(bytes[at - 1], b'e' | b'E' | b'p' | b'P');
        // In `0xE+1` the sign belongs to the number for the preprocessor, and the number is then invalid C: keep apart.
        let hexadecimal_e =
            exponent_sign && matches!(bytes[at - 1], b'e' | b'E') && is_hexadecimal(bytes, at);
        if !(c.is_ascii_alphanumeric() || c == b'.' || c == b'_' || (exponent_sign && !hexadecimal_e)) {
            break;
        }
        at += 1;
    }
    at
}

/// Whether the number that `at` lies in or behind starts with `0x`.
fn is_hexadecimal(bytes: &[u8], at: usize) -> bool {
    let mut start = at;
    while start > 0 && (bytes[start - 1].is_ascii_alphanumeric() || bytes[start - 1] == b'.') {
        start -= 1;
    }
    bytes[start..at].starts_with(b"0x") || bytes[start..at].starts_with(b"0X")
}

/// One past the closing quote; a line end stops an unclosed literal.
fn end_of_quoted(bytes: &[u8], at: usize) -> usize {
    let quote = bytes[at];
    let mut at = at + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'\n' => return at,
            c if c == quote => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}
