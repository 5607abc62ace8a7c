//! A file split into directives and runs of text, with definitions read and conditionals matched.
//!
//! All of this depends on the file alone, so it is done once per process and shared by every unit that includes it.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::intern::{Symbol, sym};
use super::lexer::Lexer;
use super::macros::{Macro, MacroError};
use super::token::{Kind, LINE_START, RESPELLED, Token};

/// How much of a file is made into tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Depth {
    /// Everything.
    Full,
    /// Directives only: the text of system headers is dropped, so it is not even lexed.
    Directives,
}

/// One file, lexed.
#[derive(Debug)]
pub(super) struct LexedFile {
    /// The file's text.
    pub(super) text: Arc<str>,
    /// Whether the file began with a byte order mark (three spaces in `text`).
    pub(super) bom: bool,
    /// Offset of the first byte of each line, found when first asked for.
    line_starts: OnceLock<Vec<u32>>,
    /// All tokens; items hold ranges of it.
    pub(super) tokens: Vec<Token>,
    /// The file's parts in order.
    pub(super) items: Vec<Item>,
    /// The macro whose definition makes the whole file empty (`#ifndef X ... #endif` around everything).
    pub(super) guard: Option<Symbol>,
    /// `anyrank:` comments, as ranges of `text`.
    pub(super) comments: Vec<(u32, u32)>,
    /// Offset of a block comment that never ends.
    pub(super) unterminated_comment: Option<u32>,
}

/// A part of a file.
#[derive(Debug)]
pub(super) enum Item {
    /// Text lines: a range of tokens.
    Text(Range<u32>),
    /// A directive line.
    Directive(Directive),
    /// A comment `anyrank: assume EXPR`, as a range of `text`: what it says holds where it stands.
    Assumption(Range<u32>),
}

/// A directive line.
#[derive(Debug)]
pub(super) struct Directive {
    /// What it is.
    pub(super) kind: DirectiveKind,
    /// Offset of the `#`.
    pub(super) start: u32,
    /// Offset of the end of the line (of its newline).
    pub(super) end: u32,
    /// The tokens after the directive's name.
    pub(super) operands: Range<u32>,
    /// For `#if` to `#else`: the item of the next branch, or of the `#endif`; the end of the items if there is none.
    pub(super) next_branch: u32,
}

/// The directives.
#[derive(Debug)]
pub(super) enum DirectiveKind {
    /// `#if`
    If,
    /// `#ifdef` (true) and `#ifndef` (false)
    Ifdef(bool),
    /// `#elif`
    Elif,
    /// `#elifdef` (true) and `#elifndef` (false)
    Elifdef(bool),
    /// `#else`
    Else,
    /// `#endif`
    Endif,
    /// `#define`, read
    Define(Result<Arc<Macro>, MacroError>),
    /// `#undef`
    Undef,
    /// `#include`, `#import`
    Include,
    /// `#include_next`
    IncludeNext,
    /// `#error`
    Error,
    /// `#warning`
    Warning,
    /// `#line`, and `# 12 "file"`
    Line,
    /// `#pragma`
    Pragma,
    /// `#ident`, `#sccs`, `#` alone: nothing to do
    Ignored,
    /// Not a directive
    Unknown,
}

impl DirectiveKind {
    fn opens(&self) -> bool {
        matches!(self, DirectiveKind::If | DirectiveKind::Ifdef(_))
    }

    fn continues(&self) -> bool {
        matches!(self, DirectiveKind::Elif | DirectiveKind::Elifdef(_) | DirectiveKind::Else)
    }
}

impl LexedFile {
    /// Lexes `text`.
    pub(super) fn new(text: Arc<str>, bom: bool, depth: Depth) -> LexedFile {
        let mut builder = Builder {
            lexer: Lexer::new(&text),
            tokens: Vec::new(),
            items: Vec::new(),
            open: Vec::new(),
            noted: 0,
        };
        if depth == Depth::Full {
            // C has about five bytes a token.
            builder.tokens.reserve(text.len() / 5);
        }
        builder.file(depth);
        let Builder { lexer, tokens, items, .. } = builder;
        let (comments, unterminated_comment) = (lexer.comments, lexer.unterminated);
        let guard = guard_of(&items, &tokens);
        LexedFile {
            bom,
            line_starts: OnceLock::new(),
            tokens,
            items,
            guard,
            comments,
            unterminated_comment,
            text,
        }
    }

    /// Offset of the first byte of each line; never empty.
    pub(super) fn line_starts(&self) -> &[u32] {
        self.line_starts.get_or_init(|| {
            let mut starts = Vec::with_capacity(self.text.len() / 30 + 1);
            starts.push(0);
            starts.extend(memchr::memchr_iter(b'\n', self.text.as_bytes()).map(|at| at as u32 + 1));
            starts
        })
    }

    /// The 1-based line and column (in bytes) of `offset`.
    pub(super) fn position(&self, offset: u32) -> (u32, u32) {
        let starts = self.line_starts();
        let line = starts.partition_point(|&start| start <= offset).max(1);
        let mut begin = starts[line - 1];
        if line == 1 && self.bom {
            begin = 3.min(offset);
        }
        (line as u32, offset - begin + 1)
    }

    /// The source of `token` when it is spelled in this file's bytes.
    pub(super) fn slice(&self, start: u32, len: u32) -> &str {
        self.text.get(start as usize..(start + len) as usize).unwrap_or("")
    }

    /// The spelling of `token`.
    pub(super) fn spell(&self, token: &Token) -> String {
        match token.kind {
            _ if token.flags & RESPELLED == 0 => self.slice(token.start, token.len).to_owned(),
            Kind::Punct => super::token::punct::spell(token.sym.0, &mut [0; 4]).to_owned(),
            _ => token.sym.as_str().to_owned(),
        }
    }
}

/// The macro that guards the whole file, if it has the usual shape.
fn guard_of(items: &[Item], tokens: &[Token]) -> Option<Symbol> {
    let Item::Directive(first) = items.first()? else { return None };
    let operands = &tokens[first.operands.start as usize..first.operands.end as usize];
    let name = match (&first.kind, operands) {
        (DirectiveKind::Ifdef(false), [name, ..]) if name.kind == Kind::Ident => name.sym,
        (DirectiveKind::If, rest) => not_defined(rest)?,
        _ => return None,
    };
    // The branch after the first must be the `#endif`, and that the last item.
    let last = items.len() - 1;
    match &items[last] {
        Item::Directive(end) if matches!(end.kind, DirectiveKind::Endif) => {
            (first.next_branch as usize == last).then_some(name)
        }
        _ => None,
    }
}

/// The `X` of `!defined(X)` or `!defined X`.
fn not_defined(tokens: &[Token]) -> Option<Symbol> {
    let (bang, rest) = tokens.split_first()?;
    let (word, rest) = rest.split_first()?;
    if bang.sym != Symbol(u32::from(b'!')) || bang.kind != Kind::Punct || word.sym != sym::DEFINED {
        return None;
    }
    match rest {
        [name] | [_, name, _] if name.kind == Kind::Ident => Some(name.sym),
        _ => None,
    }
}

struct Builder<'a> {
    lexer: Lexer<'a>,
    tokens: Vec<Token>,
    items: Vec<Item>,
    /// Items of the conditionals open at this point: the latest branch of each.
    open: Vec<usize>,
    /// Comments of the lexer that have been looked at.
    noted: usize,
}

impl Builder<'_> {
    fn file(&mut self, depth: Depth) {
        loop {
            // At the start of a line.
            self.lexer.skip_blanks();
            if depth == Depth::Full {
                self.assumptions();
            }
            match self.lexer.bytes.get(self.lexer.pos) {
                None => break,
                Some(b'\n') => self.lexer.pos += 1,
                Some(b'#') => self.directive(1),
                Some(b'%') if self.lexer.bytes[self.lexer.pos..].starts_with(b"%:") => self.directive(2),
                Some(_) => match depth {
                    Depth::Full => self.text_line(),
                    Depth::Directives => {
                        // An empty text item still tells `guard_of` that there is text here.
                        if !matches!(self.items.last(), Some(Item::Text(_))) {
                            let at = self.tokens.len() as u32;
                            self.items.push(Item::Text(at..at));
                        }
                        self.lexer.skip_line();
                    }
                },
            }
        }
        let end = self.items.len() as u32;
        for &branch in &self.open {
            if let Item::Directive(directive) = &mut self.items[branch] {
                directive.next_branch = end;
            }
        }
    }

    fn text_line(&mut self) {
        let line = self.tokens.len();
        let mut begin = line;
        while let Some(token) = self.lexer.next() {
            if self.noted < self.lexer.comments.len() {
                self.text(begin);
                self.assumptions();
                begin = self.tokens.len();
            }
            self.tokens.push(token);
        }
        self.text(begin);
        if let Some(first) = self.tokens.get_mut(line) {
            first.flags |= LINE_START;
        }
    }

    /// The tokens from `begin` on are text.
    fn text(&mut self, begin: usize) {
        let end = self.tokens.len() as u32;
        match self.items.last_mut() {
            Some(Item::Text(range)) => range.end = end,
            _ => self.items.push(Item::Text(begin as u32..end)),
        }
    }

    /// Notes the assumptions among the comments that have just been passed.
    fn assumptions(&mut self) {
        let text = self.lexer.text;
        let new = self.lexer.comments.get(self.noted..).unwrap_or_default();
        self.items.extend(new.iter().filter_map(|&(start, end)| {
            let words = text.get(start as usize..end as usize)?.strip_prefix("anyrank:")?;
            let assumed = words.trim_start().strip_prefix("assume")?;
            let is_word = assumed.starts_with(|c: char| c.is_alphanumeric() || c == '_');
            (!is_word).then(|| Item::Assumption(end - assumed.len() as u32..end))
        }));
        self.noted = self.lexer.comments.len();
    }

    fn directive(&mut self, hash: usize) {
        let start = self.lexer.pos as u32;
        self.lexer.pos += hash;
        let name = self.lexer.next();
        let begin = self.tokens.len();
        let include = name.is_some_and(|t| {
            t.kind == Kind::Ident && matches!(t.sym, sym::INCLUDE | sym::INCLUDE_NEXT | sym::IMPORT)
        });
        if include {
            self.lexer.skip_blanks();
            if let Some(header) = self.lexer.header_name() {
                self.tokens.push(header);
            }
        }
        while let Some(token) = self.lexer.next() {
            self.tokens.push(token);
        }
        let operands = begin as u32..self.tokens.len() as u32;
        let kind = match name {
            None => DirectiveKind::Ignored,
            Some(token) if token.kind == Kind::Number => DirectiveKind::Line,
            Some(token) => self.kind(token.sym, begin),
        };
        // A line marker's number belongs to its operands.
        let operands = match name {
            Some(token) if token.kind == Kind::Number => {
                self.tokens.insert(begin, token);
                operands.start..operands.end + 1
            }
            _ => operands,
        };
        let item = self.items.len();
        if kind.continues() || matches!(kind, DirectiveKind::Endif) {
            if let Some(branch) = self.open.pop()
                && let Item::Directive(before) = &mut self.items[branch]
            {
                before.next_branch = item as u32;
                if kind.continues() {
                    self.open.push(item);
                }
            }
        } else if kind.opens() {
            self.open.push(item);
        }
        let end = self.lexer.pos as u32;
        self.items.push(Item::Directive(Directive { kind, start, end, operands, next_branch: u32::MAX }));
    }

    fn kind(&self, name: Symbol, operands: usize) -> DirectiveKind {
        match name {
            sym::IF => DirectiveKind::If,
            sym::IFDEF => DirectiveKind::Ifdef(true),
            sym::IFNDEF => DirectiveKind::Ifdef(false),
            sym::ELIF => DirectiveKind::Elif,
            sym::ELIFDEF => DirectiveKind::Elifdef(true),
            sym::ELIFNDEF => DirectiveKind::Elifdef(false),
            sym::ELSE => DirectiveKind::Else,
            sym::ENDIF => DirectiveKind::Endif,
            sym::DEFINE => DirectiveKind::Define(Macro::parse(&self.tokens[operands..]).map(Arc::new)),
            sym::UNDEF => DirectiveKind::Undef,
            sym::INCLUDE | sym::IMPORT => DirectiveKind::Include,
            sym::INCLUDE_NEXT => DirectiveKind::IncludeNext,
            sym::ERROR => DirectiveKind::Error,
            sym::WARNING => DirectiveKind::Warning,
            sym::LINE => DirectiveKind::Line,
            sym::PRAGMA => DirectiveKind::Pragma,
            sym::IDENT | sym::SCCS | sym::ASSERT | sym::UNASSERT => DirectiveKind::Ignored,
            _ => DirectiveKind::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::intern::intern;
    use super::*;

    fn lex(text: &str) -> LexedFile {
        LexedFile::new(text.into(), false, Depth::Full)
    }

    fn branches(text: &str) -> Vec<u32> {
        lex(text)
            .items
            .iter()
            .filter_map(|item| match item {
                Item::Directive(d) => Some(d.next_branch),
                Item::Text(_) | Item::Assumption(_) => None,
            })
            .collect()
    }

    #[test]
    fn conditionals_know_their_next_branch() {
        // Items: 0 #if, 1 text, 2 #ifdef, 3 #endif, 4 #elif, 5 #else, 6 #endif.
        let text = "#if A\nx\n#ifdef B\n#endif\n#elif C\n#else\n#endif\n";
        assert_eq!(branches(text), [4, 3, u32::MAX, 5, 6, u32::MAX]);
        assert_eq!(branches("#if A\n"), [1]);
        assert_eq!(branches("#endif\n#else\n"), [u32::MAX, u32::MAX]);
    }

    #[test]
    fn include_guards_are_recognised() {
        for text in [
            "/* c */\n#ifndef X_H\n#define X_H\nint x;\n#endif /* X_H */\n",
            "#if !defined(X_H)\n#define X_H\n#endif\n",
            "#if !defined X_H\n#endif",
        ] {
            assert_eq!(lex(text).guard, Some(intern("X_H")), "{text}");
            assert_eq!(LexedFile::new(text.into(), false, Depth::Directives).guard, Some(intern("X_H")));
        }
        for text in [
            "#ifndef X\n#else\n#endif",
            "#ifndef X\n#endif\nint x;",
            "int x;\n#ifndef X\n#endif",
            "",
            "#if X\n#endif",
        ] {
            assert_eq!(lex(text).guard, None, "{text}");
            assert_eq!(LexedFile::new(text.into(), false, Depth::Directives).guard, None, "{text}");
        }
    }

    #[test]
    fn directives_may_hold_comments_and_splices() {
        let file = lex("  # /* c */ define \\\n  A /* d\n */ 1\n%: undef A\n");
        let kinds: Vec<bool> = file
            .items
            .iter()
            .map(|item| matches!(item, Item::Directive(d) if matches!(d.kind, DirectiveKind::Define(Ok(_)) | DirectiveKind::Undef)))
            .collect();
        assert_eq!(kinds, [true, true]);
    }

    #[test]
    fn header_names_are_one_token() {
        let file = lex("#include <sys/types.h> // c\n#include \"a//b.h\"\n");
        assert_eq!(
            file.tokens.iter().map(|t| file.spell(t)).collect::<Vec<_>>(),
            ["<sys/types.h>", "\"a//b.h\""]
        );
    }

    #[test]
    fn positions_count_bytes_from_one_and_skip_a_byte_order_mark() {
        let file = LexedFile::new("   é x\ny".into(), true, Depth::Full);
        assert_eq!(file.position(3), (1, 1));
        assert_eq!(file.position(6), (1, 4));
        assert_eq!(file.position(8), (2, 1));
    }
}
