//! Which top-level pieces matter: most of what a unit's own headers declare is never used in it.
//!
//! Function definitions and variable definitions matter, and every other declaration that declares a name which one
//! that matters mentions. What does not matter is not parsed, so that a project's thousands of prototypes cost nothing.
//! "Declares" is decided on tokens and errs on the side of too many names.

use rustc_hash::{FxHashMap, FxHashSet};

use super::chunks::Chunk;
use super::lexer::{Key, Tok, Token};

/// For each piece, whether it matters; what `others` mention does.
pub(super) fn live(text: &str, tokens: &[Token], chunks: &[Chunk], others: &[Token]) -> Vec<bool> {
    let mut live = vec![false; chunks.len()];
    let mut work = Vec::new();
    let mut declarers: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    for (index, chunk) in chunks.iter().enumerate() {
        let tokens = &tokens[chunk.tokens.clone()];
        if is_root(chunk, tokens) {
            live[index] = true;
            work.push(index);
        } else {
            declared(text, tokens, |name| declarers.entry(name).or_default().push(index));
        }
    }
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    let mut next = Some(others);
    while let Some(mentioned) = next {
        for token in mentioned {
            if !matches!(token.kind, Tok::Ident | Tok::Key(Key::PseudoName)) {
                continue;
            }
            let name = word(text, token);
            if !seen.insert(name) {
                continue;
            }
            for &declarer in declarers.get(name).into_iter().flatten() {
                if !std::mem::replace(&mut live[declarer], true) {
                    work.push(declarer);
                }
            }
        }
        next = work.pop().map(|index| &tokens[chunks[index].tokens.clone()]);
    }
    live
}

fn word<'t>(text: &'t str, token: &Token) -> &'t str {
    &text[token.start as usize..token.end as usize]
}

/// Definitions, and what is not understood.
fn is_root(chunk: &Chunk, tokens: &[Token]) -> bool {
    if chunk.function.is_some() || chunk.unbalanced {
        return true;
    }
    let has = |kind: Tok| tokens.iter().any(|t| t.kind == kind);
    if tokens.first().is_some_and(|t| t.kind == Tok::Key(Key::Typedef)) {
        return false;
    }
    if has(Tok::Assign) && !is_enum_only(tokens) {
        return true;
    }
    let external = tokens.iter().take(3).any(|t| t.kind == Tok::Key(Key::Extern));
    // A tag declaration `struct s { ... };` or a prototype; everything else defines a variable.
    let last = tokens.len().checked_sub(2).map(|i| tokens[i].kind);
    let closes = matches!(last, Some(Tok::P(b'}' | b')')));
    !(external || closes || is_tag_only(tokens))
}

/// `enum { A = 1, B };`
fn is_enum_only(tokens: &[Token]) -> bool {
    let starts = tokens.iter().take(3).any(|t| t.kind == Tok::Key(Key::Enum));
    let last = tokens.len().checked_sub(2).map(|i| tokens[i].kind);
    starts && last == Some(Tok::P(b'}'))
}

/// `struct s;`
fn is_tag_only(tokens: &[Token]) -> bool {
    tokens.len() == 3 && matches!(tokens[0].kind, Tok::Key(Key::Struct | Key::Union | Key::Enum))
}

/// Calls `name` with each name that the piece may declare: declarators outside brackets, `(*name)`, tags, enumerators.
fn declared<'t>(text: &'t str, tokens: &[Token], mut name: impl FnMut(&'t str)) {
    let mut depth = 0_u32;
    // Depth at which the braces of an enum opened.
    let mut enum_depth = None;
    let mut enum_pending = false;
    for (at, token) in tokens.iter().enumerate() {
        let previous = at.checked_sub(1).map(|i| tokens[i].kind);
        match token.kind {
            Tok::P(b'(' | b'[' | b'{') => {
                depth += 1;
                if token.kind == Tok::P(b'{') && std::mem::take(&mut enum_pending) {
                    enum_depth = Some(depth);
                }
            }
            Tok::P(b')' | b']' | b'}') => {
                if enum_depth == Some(depth) {
                    enum_depth = None;
                }
                depth = depth.saturating_sub(1);
            }
            Tok::Key(Key::Enum) => enum_pending = true,
            Tok::P(b';' | b',') => enum_pending = false,
            Tok::Ident | Tok::Key(Key::PseudoName) => {
                let tag = matches!(previous, Some(Tok::Key(Key::Struct | Key::Union | Key::Enum)))
                    && matches!(tokens.get(at + 1).map(|t| t.kind), Some(Tok::P(b'{' | b';')));
                let pointer = previous == Some(Tok::P(b'*')) && opens_with_star(tokens, at);
                if (depth == 0 && !is_specifier(tokens, at)) || tag || pointer || enum_depth == Some(depth) {
                    name(word(text, token));
                }
            }
            _ => {}
        }
    }
}

/// Whether the name at `at`, outside brackets, is a type before a declarator.
fn is_specifier(tokens: &[Token], at: usize) -> bool {
    match tokens.get(at + 1).map(|t| t.kind) {
        Some(Tok::Ident | Tok::P(b'*')) => true,
        Some(Tok::Key(key)) => key.is_qualifier() || key.starts_declaration() && key != Key::Attribute,
        Some(Tok::P(b'(')) => tokens.get(at + 2).map(|t| t.kind) == Some(Tok::P(b'*')),
        _ => false,
    }
}

/// Whether only `*`, qualifiers and parentheses stand between the name at `at` and a `(` before it.
fn opens_with_star(tokens: &[Token], at: usize) -> bool {
    for token in tokens[..at].iter().rev() {
        match token.kind {
            Tok::P(b'*') => {}
            Tok::Key(key) if key.is_qualifier() => {}
            Tok::P(b'(') => return true,
            _ => return false,
        }
    }
    false
}
