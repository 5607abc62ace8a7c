//! Pragmas. None reaches the text; what two of them say is kept beside it.

use super::directives::unquote;
use super::engine::{NO_FILE, Unit};
use super::expand::Level;
use super::intern::{Symbol, intern, sym};
use super::lexed::LexedFile;
use super::lexer::Lexer;
use super::token::{Kind, MADE, Tok, Token, punct};

/// Of an OpenMP directive this many bytes are kept: more of them are clauses.
const MAX_DIRECTIVE_BYTES: usize = 1 << 12;

/// A pragma that is kept, or an assumption, without its place.
#[derive(Debug)]
pub(super) enum Mark {
    /// As in [`super::PackPragma`].
    Pack(Option<u64>),
    /// As in [`super::OpenMpPragma`].
    OpenMp { directive: String, in_arguments: bool },
    /// Here stands an assumption that reads so.
    Stands(String),
    /// Here, behind the code, begins the expression of an assumption, or after the last one nothing.
    Expression(usize),
}

impl Unit<'_> {
    /// The pragmas that concern a preprocessor. None reaches the text.
    pub(super) fn pragma(&mut self, file: &LexedFile, operands: &[Token]) {
        let word = |at: usize| operands.get(at).map_or(Symbol::NONE, |token: &Token| token.sym);
        let string =
            |at: usize| operands.get(at).and_then(|token| Some(intern(&unquote(&file.spell(token))?.0)));
        let Some(frame) = self.frames.last_mut() else { return };
        match (word(0), word(1)) {
            (sym::ONCE, _) => {
                let key = frame.key.clone();
                self.once.insert(key);
            }
            (sym::GCC, sym::SYSTEM_HEADER) if frame.next > 0 || !frame.system => frame.system = true,
            (sym::PUSH_MACRO, _) => {
                if let Some(name) = string(2) {
                    let saved = self.macros.get(&name).cloned();
                    self.saved_macros.entry(name).or_default().push(saved);
                }
            }
            (sym::POP_MACRO, _) => {
                if let Some(name) = string(2)
                    && let Some(saved) = self.saved_macros.get_mut(&name).and_then(Vec::pop)
                {
                    match saved {
                        Some(entry) => self.macros.insert(name, entry),
                        None => self.macros.remove(&name),
                    };
                }
            }
            (sym::PACK, _) if !frame.system => {
                let words: Vec<String> = operands[1..].iter().map(|token| file.spell(token)).collect();
                self.pragma_pack(&words);
            }
            (sym::OMP, _) if !frame.system => {
                let index = frame.index;
                self.openmp_pragma(operands[1..].iter().map(|token| Tok::new(token, index)).collect());
            }
            _ => {}
        }
    }

    /// `_Pragma("...")`, whose name has just been read. Of the pragmas written so, those of OpenMP and of packed layouts are kept.
    pub(super) fn pragma_operator(&mut self) {
        if !self.peek_paren(Level::FILE) {
            return;
        }
        let mut text = None;
        let mut depth = 0_u32;
        while let Some(tok) = self.next_raw(Level::FILE) {
            if tok.is(punct::OPEN) {
                depth += 1;
            } else if tok.is(punct::CLOSE) {
                depth -= 1;
                if depth == 0 {
                    break;
                }
            } else if tok.kind == Kind::Str && text.is_none() {
                text = unescaped(self.text(&tok, &mut [0; 4]));
            }
        }
        // One in a system header comes out of a macro that the user uses: it is as good as any.
        let Some(text) = text else { return };
        let mut lexer = Lexer::new(&text);
        match lexer.next().filter(|first| first.kind == Kind::Ident).map(|first| first.sym) {
            Some(sym::OMP) => {}
            Some(sym::PACK) => {
                let spell =
                    |token: Token| text[token.start as usize..(token.start + token.len) as usize].to_owned();
                let words: Vec<String> = std::iter::from_fn(|| lexer.next()).map(spell).collect();
                self.pragma_pack(&words);
                return;
            }
            _ => return,
        }
        let mut toks = self.list();
        while let Some(token) = lexer.next() {
            toks.push(self.detached(&token, &text));
        }
        self.openmp_pragma(toks);
    }

    /// A token of a text that no file holds.
    pub(super) fn detached(&mut self, token: &Token, text: &str) -> Tok {
        match token.kind {
            // Names and punctuators are spelled by their number.
            Kind::Ident | Kind::Punct => Tok { flags: MADE, ..Tok::new(token, NO_FILE) },
            kind => self.made(kind, &text[token.start as usize..(token.start + token.len) as usize], 0),
        }
    }

    /// An OpenMP pragma; `toks` is what follows `omp`, in which macros are expanded (OpenMP 5.2, section 3.1).
    pub(super) fn openmp_pragma(&mut self, toks: Vec<Tok>) {
        let request = self.request;
        let active =
            request.openmp || !request.options_known || self.macros.contains_key(&sym::OPENMP_VERSION);
        if !active {
            return;
        }
        let in_arguments = self.collecting.is_some();
        let level = Level { floor: self.contexts.len(), file: false };
        self.push_context(toks, None);
        let mut directive = String::new();
        while let Some(tok) = self.next_expanded(level) {
            if !directive.is_empty() {
                directive.push(' ');
            }
            directive.push_str(self.text(&tok, &mut [0; 4]));
            if directive.len() > MAX_DIRECTIVE_BYTES {
                break;
            }
        }
        self.drop_contexts(level);
        self.marks.push((self.out.len(), Mark::OpenMp { directive, in_arguments }));
    }

    /// `#pragma pack(...)`: `N`, `push`, `push, N`, `pop`, or nothing. `words` are the tokens after `pack`.
    pub(super) fn pragma_pack(&mut self, words: &[String]) {
        let (value, saved) = (&mut self.pack.0, &mut self.pack.1);
        let limit = words.iter().find_map(|word| word.parse().ok()).filter(|n: &u64| n.is_power_of_two());
        if words.iter().any(|word| word == "push") {
            saved.push(*value);
            *value = limit.or(*value);
        } else if words.iter().any(|word| word == "pop") {
            *value = saved.pop().flatten();
        } else {
            *value = limit;
        }
        self.marks.push((self.out.len(), Mark::Pack(*value)));
    }
}

/// What a string literal holds: the operand of `_Pragma` without quotes and escapes (C11 6.10.9).
fn unescaped(literal: &str) -> Option<String> {
    let inside = literal.get(literal.find('"')? + 1..)?.strip_suffix('"')?;
    let mut out = String::with_capacity(inside.len());
    let mut chars = inside.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\\'
            && let Some(escaped) = chars.next_if(|c| matches!(c, '"' | '\\'))
        {
            out.push(escaped);
        } else {
            out.push(c);
        }
    }
    Some(out)
}
