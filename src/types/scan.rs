//! Where structs, their members and type names stand in preprocessed C.
//!
//! The frontend knows what the types are; this only finds the places, so that comments can be tied to members and
//! messages can name lines. It reads declarations, never statements, and takes any text without failing.

use std::ops::Range;

/// Index in [`Declarations::bodies`].
pub(crate) type BodyIndex = usize;

/// What a text declares.
#[derive(Debug, Default)]
pub(crate) struct Declarations {
    /// `struct` and `union` with members, in the order of their opening braces.
    pub(crate) bodies: Vec<Body>,
    /// Names that file-scope typedefs declare.
    pub(crate) typedefs: Vec<Declared>,
}

/// A `struct` or `union` with its members.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) is_union: bool,
    pub(crate) tag: Option<String>,
    /// Offset of `{`.
    pub(crate) open: u32,
    /// Offset of `}`.
    pub(crate) close: u32,
    /// Whether it is within another one.
    pub(crate) nested: bool,
    pub(crate) members: Vec<Declared>,
    /// Inner ones that declare no member, in order.
    pub(crate) anonymous: Vec<BodyIndex>,
    /// Offset of the `;` after it.
    pub(crate) end: u32,
}

/// A name that is declared.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    pub(crate) name: String,
    pub(crate) span: Range<u32>,
    /// Whether a `*` stands before it.
    pub(crate) pointer: bool,
    /// The struct or union that its declaration defines.
    pub(crate) body: Option<BodyIndex>,
    /// Offset of the `;` after it.
    pub(crate) end: u32,
}

/// Structs nested deeper are not looked into; nobody writes them.
const MAX_DEPTH: u32 = 100;

/// Types that bit-fields without a name are declared with, among others.
const TYPE_WORDS: [&str; 10] =
    ["_Bool", "bool", "char", "const", "int", "long", "short", "signed", "unsigned", "volatile"];

/// Scans a text without comments and directives.
pub(crate) fn scan(text: &str) -> Declarations {
    let mut scanner = Scanner { text, tokens: tokens(text), at: 0, found: Declarations::default() };
    while scanner.at < scanner.tokens.len() {
        let before = scanner.at;
        if scanner.word(0) == "extern" && scanner.word(1).starts_with('"') && scanner.word(2) == "{" {
            scanner.at += 3;
            continue;
        }
        let declaration = scanner.declaration(0);
        if declaration.is_typedef {
            scanner.found.typedefs.extend(declaration.names);
        }
        if scanner.at == before {
            scanner.at += 1;
        }
    }
    scanner.found
}

#[derive(Default)]
struct Declaration {
    is_typedef: bool,
    body: Option<BodyIndex>,
    names: Vec<Declared>,
}

/// A declarator, as far as it was read.
#[derive(Default)]
struct Declarator {
    name: Option<Range<u32>>,
    pointer: bool,
    /// Whether what follows cannot be its name.
    settled: bool,
    has_parameters: bool,
}

struct Scanner<'t> {
    text: &'t str,
    tokens: Vec<Range<u32>>,
    at: usize,
    found: Declarations,
}

impl<'t> Scanner<'t> {
    /// The n-th token from here; empty at the end.
    fn word(&self, n: usize) -> &'t str {
        self.tokens.get(self.at + n).map_or("", |span| &self.text[span.start as usize..span.end as usize])
    }

    fn offset(&self) -> u32 {
        self.tokens.get(self.at).map_or(self.text.len() as u32, |span| span.start)
    }

    /// Passes over a bracket and all within it.
    fn skip_brackets(&mut self) {
        let mut depth = 0_u32;
        while self.at < self.tokens.len() {
            match self.word(0) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
    }

    /// Reads one declaration with its `;`, or up to a `}` that it does not open.
    fn declaration(&mut self, depth: u32) -> Declaration {
        let mut declaration = Declaration::default();
        let mut declarator = Declarator::default();
        // Names so far, those of types among them.
        let mut words = 0_u32;
        while self.at < self.tokens.len() {
            let word = self.word(0);
            match word {
                ";" | "}" => break,
                "," => {
                    self.finish(&mut declaration, std::mem::take(&mut declarator));
                    self.at += 1;
                }
                "typedef" => {
                    declaration.is_typedef = true;
                    self.at += 1;
                }
                "struct" | "union" => {
                    words += 1;
                    self.at += 1;
                    if let Some(body) = self.record(word == "union", depth) {
                        declaration.body = Some(body);
                    }
                }
                "enum" => {
                    words += 1;
                    self.at += 1;
                    self.tag();
                    if self.word(0) == "{" {
                        self.skip_brackets();
                    }
                }
                "{" => {
                    self.skip_brackets();
                    if declarator.has_parameters {
                        // A function: no `;` follows.
                        return declaration;
                    }
                }
                "(" => self.parentheses(&mut declarator),
                "[" => {
                    declarator.settled = true;
                    self.skip_brackets();
                }
                ":" | "=" => {
                    // A bit-field without a name: what stands before the colon is its type.
                    let name = declarator
                        .name
                        .clone()
                        .map_or("", |span| &self.text[span.start as usize..span.end as usize]);
                    if word == ":" && (words == 1 || TYPE_WORDS.contains(&name)) {
                        declarator.name = None;
                    }
                    declarator.settled = true;
                    self.at += 1;
                }
                "*" => {
                    declarator.pointer = true;
                    declarator.name = None;
                    self.at += 1;
                }
                _ if takes_brackets(word) => self.skip_word_with_brackets(),
                _ => {
                    if !declarator.settled && is_name(word) {
                        declarator.name = Some(self.tokens[self.at].clone());
                        words += 1;
                    }
                    self.at += 1;
                }
            }
        }
        self.finish(&mut declaration, declarator);
        let end = self.offset();
        if let Some(body) = declaration.body {
            self.found.bodies[body].end = end;
        }
        for name in &mut declaration.names {
            name.end = end;
        }
        if self.word(0) == ";" {
            self.at += 1;
        }
        declaration
    }

    fn finish(&self, declaration: &mut Declaration, declarator: Declarator) {
        let Some(span) = declarator.name else { return };
        declaration.names.push(Declared {
            name: self.text[span.start as usize..span.end as usize].to_owned(),
            span,
            pointer: declarator.pointer,
            body: declaration.body,
            end: 0,
        });
    }

    /// `(*name)(...)`, or parameters.
    fn parentheses(&mut self, declarator: &mut Declarator) {
        let inner = !declarator.settled && matches!(self.word(1), "*" | "(");
        let from = self.at;
        self.skip_brackets();
        if inner {
            let within = self.tokens[from..self.at].iter();
            declarator.name = within
                .clone()
                .find(|span| is_name(&self.text[span.start as usize..span.end as usize]))
                .cloned();
            declarator.pointer = true;
        } else if declarator.name.is_some() {
            declarator.has_parameters = true;
        }
        declarator.settled = true;
    }

    fn skip_word_with_brackets(&mut self) {
        self.at += 1;
        if self.word(0) == "(" {
            self.skip_brackets();
        }
    }

    /// A tag with attributes around it.
    fn tag(&mut self) -> Option<String> {
        let mut tag = None;
        loop {
            let word = self.word(0);
            if takes_brackets(word) {
                self.skip_word_with_brackets();
            } else if tag.is_none() && is_name(word) {
                tag = Some(word.to_owned());
                self.at += 1;
            } else {
                return tag;
            }
        }
    }

    /// What follows `struct` or `union`.
    fn record(&mut self, is_union: bool, depth: u32) -> Option<BodyIndex> {
        let tag = self.tag();
        if self.word(0) != "{" {
            return None;
        }
        if depth == MAX_DEPTH {
            self.skip_brackets();
            return None;
        }
        let index = self.found.bodies.len();
        let open = self.offset();
        let (members, anonymous) = (Vec::new(), Vec::new());
        let nested = 0 < depth;
        self.found.bodies.push(Body {
            is_union,
            tag,
            open,
            close: open,
            nested,
            members,
            anonymous,
            end: open,
        });
        self.at += 1;
        while self.at < self.tokens.len() && self.word(0) != "}" {
            let declaration = self.declaration(depth + 1);
            let body = &mut self.found.bodies[index];
            match declaration.body {
                Some(inner) if declaration.names.is_empty() => body.anonymous.push(inner),
                _ => body.members.extend(declaration.names),
            }
        }
        self.found.bodies[index].close = self.offset();
        self.at += 1;
        Some(index)
    }
}

/// Words that may be followed by brackets which have nothing to do with the declarator.
fn takes_brackets(word: &str) -> bool {
    matches!(
        word,
        "__attribute__"
            | "__attribute"
            | "__declspec"
            | "_Alignas"
            | "alignas"
            | "__typeof__"
            | "__typeof"
            | "typeof"
            | "_Atomic"
            | "__asm__"
            | "asm"
            | "_Static_assert"
            | "static_assert"
            | "__extension__"
    )
}

/// Whether a word may be the name of something.
fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c == '_' || c.is_ascii_alphabetic())
        && !matches!(
            word,
            "const" | "volatile" | "restrict" | "__restrict" | "__restrict__" | "__const" | "static"
        )
}

/// The words of a text and what stands between them, in order.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    tokens(text).into_iter().map(|span| &text[span.start as usize..span.end as usize])
}

/// Words, numbers, strings and single punctuation characters.
fn tokens(text: &str) -> Vec<Range<u32>> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let byte = bytes[at];
        at += 1;
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => continue,
            b'"' | b'\'' => {
                while at < bytes.len() && bytes[at] != byte && bytes[at] != b'\n' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at = (at + 1).min(bytes.len());
                while !text.is_char_boundary(at) {
                    at += 1;
                }
            }
            b'_' | b'$' | 0x80.. | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => {
                while at < bytes.len()
                    && (bytes[at].is_ascii_alphanumeric() || matches!(bytes[at], b'_' | b'$' | 0x80..))
                {
                    at += 1;
                }
            }
            _ => {}
        }
        tokens.push(start as u32..at as u32);
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(declared: &[Declared]) -> Vec<&str> {
        declared.iter().map(|declared| declared.name.as_str()).collect()
    }

    #[test]
    fn members_of_all_shapes_are_found() {
        let found = scan(
            "typedef struct __attribute__((packed)) Tag { unsigned long a, *b[3]; int (*f)(int x, int y); \
             struct { int in; } inner[2]; union { int u; float v; }; unsigned bits : 3, : 2; \
             _Alignas(16) double (*grid)[4]; const char *const s; } Name, *Pointer;",
        );
        assert_eq!(names(&found.bodies[0].members), ["a", "b", "f", "inner", "bits", "grid", "s"]);
        assert_eq!(found.bodies[0].tag.as_deref(), Some("Tag"));
        assert_eq!(found.bodies[0].members[3].body, Some(1));
        assert_eq!(found.bodies[0].anonymous, [2]);
        assert_eq!(names(&found.bodies[2].members), ["u", "v"]);
        assert_eq!(names(&found.typedefs), ["Name", "Pointer"]);
        assert!(!found.typedefs[0].pointer && found.typedefs[1].pointer);
    }

    #[test]
    fn functions_and_linkage_are_passed_over() {
        let found = scan(
            "extern \"C\" { int f(int a) { struct { int x; } y = {0}; return y.x; } typedef int T; \
             enum E { ONE, TWO } e; struct A { int a; }; } struct B { int b; } b;",
        );
        let tags: Vec<_> = found.bodies.iter().map(|body| body.tag.as_deref()).collect();
        assert_eq!(tags, [Some("A"), Some("B")]);
        assert_eq!(names(&found.typedefs), ["T"]);
    }

    #[test]
    fn no_text_is_too_broken() {
        for text in [
            "struct {",
            "struct A { int",
            "}}}",
            "typedef struct ((( ;",
            "\"abc",
            "'\\",
            "é\\'é",
            "struct A { ) }",
        ] {
            scan(text);
        }
        scan(&"struct A { ".repeat(10_000));
    }
}
