//! Cuts a unit's tokens into top-level pieces, so that a syntax error can cost one of them only.
//!
//! The cut follows brackets, not grammar: a piece ends at a `;` outside all brackets or at the `}` of a function body.
//! Where brackets do not match up to the end of the file, a `}` in the first column ends the piece.

use std::ops::Range;

use super::lexer::{Key, Tok, Token};

/// One top-level piece: a function definition or a declaration.
#[derive(Clone, Debug)]
pub(super) struct Chunk {
    /// Its tokens, as a range of the unit's.
    pub(super) tokens: Range<usize>,
    /// The token that names the function, where the piece is a function definition.
    pub(super) function: Option<usize>,
    /// The deepest nesting of brackets in it.
    pub(super) depth: u32,
    /// Brackets do not match.
    pub(super) unbalanced: bool,
}

/// All pieces in order.
pub(super) fn chunks(text: &str, tokens: &[Token]) -> Vec<Chunk> {
    let mut out = Vec::new();
    let mut at = 0;
    // A search for a bracket that is not there runs to the end of the file: that many times at most.
    let mut patience = 16_u32;
    while at < tokens.len() {
        let scan = || Scan {
            text,
            tokens,
            at,
            start: at,
            depth: 0,
            name: None,
            record_since: false,
            assigned: false,
        };
        let mut chunk = if patience > 0 { scan().chunk(false) } else { None };
        if chunk.is_none() {
            patience = patience.saturating_sub(1);
            chunk = scan().chunk(true);
        }
        let chunk =
            chunk.unwrap_or(Chunk { tokens: at..tokens.len(), function: None, depth: 0, unbalanced: true });
        at = chunk.tokens.end.max(at + 1);
        out.push(chunk);
    }
    out
}

struct Scan<'t> {
    text: &'t str,
    tokens: &'t [Token],
    at: usize,
    start: usize,
    depth: u32,
    /// The identifier before the first parenthesis outside all brackets.
    name: Option<usize>,
    /// Whether `struct`, `union` or `enum` was seen and no parenthesis since: a `{` then opens its members.
    record_since: bool,
    /// Whether `=` was seen outside all brackets: a `{` then opens an initialiser.
    assigned: bool,
}

impl Scan<'_> {
    fn kind(&self, at: usize) -> Option<Tok> {
        self.tokens.get(at).map(|t| t.kind)
    }

    fn word(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |t| &self.text[t.start as usize..t.end as usize])
    }

    fn done(&self, end: usize, function: Option<usize>) -> Option<Chunk> {
        Some(Chunk { tokens: self.start..end, function, depth: self.depth, unbalanced: false })
    }

    /// Reads one piece. `forced`: brackets do not match somewhere below, so a `}` in the first column closes everything,
    /// and so does what looks like the next definition.
    fn chunk(&mut self, forced: bool) -> Option<Chunk> {
        while let Some(kind) = self.kind(self.at) {
            match kind {
                Tok::P(b';') => return self.done(self.at + 1, None),
                // A closing bracket that nothing opened.
                Tok::P(b'}' | b')' | b']') => {
                    return Some(Chunk {
                        tokens: self.start..self.at + 1,
                        function: None,
                        depth: self.depth,
                        unbalanced: true,
                    });
                }
                Tok::Directive if self.at == self.start => return self.done(self.at + 1, None),
                Tok::Key(Key::Attribute | Key::Declspec | Key::Alignas | Key::Asm | Key::Pragma) => {
                    self.at += 1;
                    self.skip_qualified_group(forced)?;
                }
                Tok::Key(Key::Struct | Key::Union | Key::Enum) => {
                    self.record_since = true;
                    self.at += 1;
                }
                Tok::Assign => {
                    self.assigned = true;
                    self.at += 1;
                }
                Tok::P(b'(') => {
                    if let Some(chunk) = self.parenthesis(forced)? {
                        return Some(chunk);
                    }
                }
                Tok::P(b'[') => self.at = self.closing(self.at, forced)? + 1,
                Tok::P(b'{') => {
                    // `extern "C" {` opens no scope of C.
                    if self.at == self.start + 2 && self.kind(self.at - 1) == Some(Tok::Str) {
                        return self.done(self.at + 1, None);
                    }
                    let body = !(self.assigned || self.record_since);
                    let (end, broken) = match self.closing(self.at, false) {
                        Some(end) => (end, false),
                        None if forced => (self.closing(self.at, true)?, true),
                        None => return None,
                    };
                    self.record_since = false;
                    self.at = end + 1;
                    if body || broken {
                        let function = if body { self.name } else { None };
                        return Some(Chunk {
                            tokens: self.start..self.at,
                            function,
                            depth: self.depth,
                            unbalanced: broken,
                        });
                    }
                }
                _ => self.at += 1,
            }
        }
        (self.at > self.start).then_some(Chunk {
            tokens: self.start..self.at,
            function: None,
            depth: self.depth,
            unbalanced: false,
        })
    }

    /// Skips `volatile` and the like and one parenthesised group, if there.
    fn skip_qualified_group(&mut self, forced: bool) -> Option<()> {
        while matches!(self.kind(self.at), Some(Tok::Key(Key::Volatile | Key::Inline | Key::Goto))) {
            self.at += 1;
        }
        if self.kind(self.at) == Some(Tok::P(b'(')) {
            self.at = self.closing(self.at, forced)? + 1;
        }
        Some(())
    }

    /// At a `(` outside all brackets: skips the group; may find that the piece ends there.
    fn parenthesis(&mut self, forced: bool) -> Option<Option<Chunk>> {
        let open = self.at;
        let close = self.closing(open, forced)?;
        self.record_since = false;
        self.at = close + 1;
        if self.assigned {
            return Some(None);
        }
        if self.name.is_none() {
            self.name = self.declared_name(open, close);
        }
        let named = open > self.start && self.kind(open - 1) == Some(Tok::Ident);
        let follows = self.kind(self.at);
        let declaration_follows = match follows {
            Some(Tok::Ident | Tok::Directive) => true,
            Some(Tok::Key(key)) => key.starts_declaration() && key != Key::Attribute,
            _ => false,
        };
        if !named || !declaration_follows {
            return Some(None);
        }
        if let Some(body) = self.old_style_body(open, close) {
            let end = self.closing(body, forced)?;
            self.at = end + 1;
            return Some(self.done(self.at, self.name));
        }
        // `DECLARE(x)` of a macro whose definition is missing.
        if open == self.start + 1 {
            return Some(self.done(self.at, None));
        }
        Some(None)
    }

    /// The name that a parameter list `open..=close` belongs to: before it, or in `(*name(...))` within it.
    fn declared_name(&self, open: usize, close: usize) -> Option<usize> {
        if open > self.start
            && self.kind(open - 1) == Some(Tok::Ident)
            && self.kind(open + 1) != Some(Tok::P(b'*'))
        {
            return Some(open - 1);
        }
        (open + 1..close).find(|&i| self.kind(i) == Some(Tok::Ident))
    }

    /// For `f(a, b) int a; char *b; {`: the body's `{`.
    fn old_style_body(&self, open: usize, close: usize) -> Option<usize> {
        let mut names = Vec::new();
        for at in open + 1..close {
            match self.kind(at)? {
                Tok::Ident if !(at - open).is_multiple_of(2) => names.push(self.word(at)),
                Tok::P(b',') if (at - open).is_multiple_of(2) => {}
                _ => return None,
            }
        }
        if names.is_empty() {
            return None;
        }
        let mut at = close + 1;
        loop {
            let mut mentions = false;
            loop {
                match self.kind(at)? {
                    Tok::P(b';') => break,
                    Tok::P(b'(' | b'[') => at = self.closing_from(at, false)?,
                    Tok::P(b'{' | b'}') | Tok::Assign => return None,
                    Tok::Ident => mentions |= names.contains(&self.word(at)),
                    _ => {}
                }
                // `int (*f)(), a[3]`: a name may stand within brackets.
                if matches!(self.kind(at)?, Tok::P(b')' | b']')) {
                    let group_open = self.opening_before(at, close);
                    mentions |= (group_open..at)
                        .any(|i| self.kind(i) == Some(Tok::Ident) && names.contains(&self.word(i)));
                }
                at += 1;
            }
            if !mentions {
                return None;
            }
            at += 1;
            match self.kind(at)? {
                Tok::P(b'{') => return Some(at),
                Tok::Key(key) if key.starts_declaration() => {}
                Tok::Ident => {}
                _ => return None,
            }
        }
    }

    /// The bracket that `close` closes, looking back no further than `limit`.
    fn opening_before(&self, close: usize, limit: usize) -> usize {
        let mut depth = 0_u32;
        for at in (limit..=close).rev() {
            match self.kind(at) {
                Some(Tok::P(b')' | b']' | b'}')) => depth += 1,
                Some(Tok::P(b'(' | b'[' | b'{')) => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return at;
                    }
                }
                _ => {}
            }
        }
        limit
    }

    fn closing(&mut self, open: usize, forced: bool) -> Option<usize> {
        let mut deepest = self.depth;
        let end = closing(self.text, self.tokens, open, forced, &mut deepest);
        self.depth = deepest;
        end
    }

    fn closing_from(&self, open: usize, forced: bool) -> Option<usize> {
        closing(self.text, self.tokens, open, forced, &mut 0)
    }
}

/// The bracket that closes the one at `open`. Only the kind of `open` is counted together with braces, so a stray
/// parenthesis within a body does not lose its end. `forced`: a `}` in the first column closes it whatever came between.
fn closing(text: &str, tokens: &[Token], open: usize, forced: bool, deepest: &mut u32) -> Option<usize> {
    let brace = tokens[open].kind == Tok::P(b'{');
    let mut braces = 0_u32;
    let mut others = 0_u32;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        if forced && at > open + 1 && starts_line(text, token) && looks_like_definition(tokens, at) {
            return Some(at - 1);
        }
        match token.kind {
            Tok::P(b'{') => braces += 1,
            Tok::P(b'}') => {
                if forced && starts_line(text, token) {
                    return Some(at);
                }
                // A parenthesis left open inside a block cannot be closed outside of it.
                if braces == 0 {
                    return None;
                }
                braces -= 1;
                if brace && braces == 0 {
                    return Some(at);
                }
            }
            Tok::P(b'(' | b'[') => others += 1,
            Tok::P(b')' | b']') => {
                others = others.saturating_sub(1);
                if !brace && others == 0 && braces == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
        *deepest = (*deepest).max(braces + others);
    }
    None
}

/// Whether the token stands in the first column.
fn starts_line(text: &str, token: &Token) -> bool {
    token.start == 0 || text.as_bytes()[token.start as usize - 1] == b'\n'
}

/// Whether the tokens at `at` are like `static int f(...) {`.
fn looks_like_definition(tokens: &[Token], at: usize) -> bool {
    let mut words = 0;
    for (i, token) in tokens.iter().enumerate().skip(at).take(10) {
        match token.kind {
            Tok::Ident => words += 1,
            Tok::Key(key) if key.starts_declaration() => words += 1,
            Tok::P(b'*') if words > 0 => {}
            Tok::P(b'(') if words > 1 => {
                let mut depth = 0_u32;
                for (i, token) in tokens.iter().enumerate().skip(i).take(400) {
                    match token.kind {
                        Tok::P(b'(') => depth += 1,
                        Tok::P(b')') => {
                            depth -= 1;
                            if depth == 0 {
                                return tokens.get(i + 1).is_some_and(|t| t.kind == Tok::P(b'{'));
                            }
                        }
                        Tok::P(b';' | b'{' | b'}') => return false,
                        _ => {}
                    }
                }
                return false;
            }
            _ => return false,
        }
    }
    false
}
