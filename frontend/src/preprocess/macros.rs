//! Macro definitions (C11 6.10.3, with the GNU variadic forms and `__VA_OPT__`).

use super::intern::{Symbol, sym};
use super::token::{Kind, SPACE, Token, punct};

/// A macro as its `#define` has it.
#[derive(Debug)]
pub(super) struct Macro {
    /// Its name.
    pub(super) name: Symbol,
    /// Where the name stands in the file that defines it.
    pub(super) name_at: (u32, u32),
    /// The parameters of a function-like macro; `None` for an object-like one.
    pub(super) parameters: Option<Box<[Symbol]>>,
    /// Whether the last parameter takes all remaining arguments.
    pub(super) variadic: bool,
    /// The replacement list.
    pub(super) body: Box<[Element]>,
    /// Whether a `##` stands in the body.
    pub(super) pastes: bool,
}

/// One operand of the replacement list.
#[derive(Debug, Clone, Copy)]
pub(super) struct Element {
    /// The token as written; `SPACE` says whether white space precedes it.
    pub(super) token: Token,
    /// What it stands for.
    pub(super) role: Role,
    /// Whether `##` joins it to the element before.
    pub(super) pasted: bool,
}

/// What an element of a replacement list stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Itself.
    Plain,
    /// The argument with this index.
    Parameter(u16),
    /// The argument with this index as a string literal.
    Stringify(u16),
    /// `__VA_OPT__(...)`: this many elements follow that count only when there are variable arguments.
    VaOpt(u32),
}

/// Why a `#define` cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum MacroError {
    #[error("#define without a macro name")]
    NoName,
    #[error("'defined' cannot be the name of a macro")]
    Defined,
    #[error("malformed macro parameter list")]
    Parameters,
    #[error("'##' at the edge of a replacement list")]
    Paste,
    #[error("'#' is not followed by a macro parameter")]
    Stringify,
    #[error("'__VA_OPT__' without a closed parenthesis")]
    VaOpt,
}

impl Macro {
    /// Reads the tokens after `#define`.
    pub(super) fn parse(tokens: &[Token]) -> Result<Macro, MacroError> {
        let (name, rest) = tokens.split_first().ok_or(MacroError::NoName)?;
        if name.kind != Kind::Ident {
            return Err(MacroError::NoName);
        }
        if name.sym == sym::DEFINED {
            return Err(MacroError::Defined);
        }
        let (parameters, variadic, body) = match rest.first() {
            Some(open) if is(open, punct::OPEN) && open.flags & SPACE == 0 => {
                let (parameters, variadic, used) = parameters(&rest[1..])?;
                (Some(parameters), variadic, &rest[1 + used..])
            }
            _ => (None, false, rest),
        };
        let body = elements(body, parameters.as_deref(), variadic)?;
        let pastes = body.iter().any(|e| e.pasted);
        Ok(Macro {
            name: name.sym,
            name_at: (name.start, name.len),
            parameters: parameters.map(Vec::into_boxed_slice),
            variadic,
            body: body.into_boxed_slice(),
            pastes,
        })
    }

    /// Whether two definitions are the same (C11 6.10.3p2), given how to spell a token of each.
    pub(super) fn same(
        &self,
        other: &Macro,
        mine: impl Fn(&Token) -> String,
        theirs: impl Fn(&Token) -> String,
    ) -> bool {
        self.parameters == other.parameters
            && self.variadic == other.variadic
            && self.body.len() == other.body.len()
            && self.body.iter().zip(&other.body).all(|(a, b)| {
                a.role == b.role
                    && a.pasted == b.pasted
                    && a.token.kind == b.token.kind
                    && mine(&a.token) == theirs(&b.token)
            })
    }
}

fn is(token: &Token, code: u32) -> bool {
    token.kind == Kind::Punct && token.sym.0 == code
}

/// Reads a parameter list after its `(`: the names, whether it is variadic, and how many tokens it took.
fn parameters(tokens: &[Token]) -> Result<(Vec<Symbol>, bool, usize), MacroError> {
    let mut names = Vec::new();
    let mut at = 0;
    let mut next = || {
        at += 1;
        tokens.get(at - 1).ok_or(MacroError::Parameters)
    };
    let mut token = next()?;
    if is(token, punct::CLOSE) {
        return Ok((names, false, 1));
    }
    loop {
        let mut variadic = false;
        if is(token, punct::ELLIPSIS) {
            names.push(sym::VA_ARGS);
            variadic = true;
            token = next()?;
        } else if token.kind == Kind::Ident
            && !names.contains(&token.sym)
            && names.len() < usize::from(u16::MAX)
        {
            names.push(token.sym);
            token = next()?;
            if is(token, punct::ELLIPSIS) {
                variadic = true;
                token = next()?;
            }
        } else {
            return Err(MacroError::Parameters);
        }
        if is(token, punct::CLOSE) {
            return Ok((names, variadic, at));
        }
        if variadic || !is(token, punct::COMMA) {
            return Err(MacroError::Parameters);
        }
        token = next()?;
    }
}

fn elements(
    tokens: &[Token],
    parameters: Option<&[Symbol]>,
    variadic: bool,
) -> Result<Vec<Element>, MacroError> {
    let parameter = |token: &Token| {
        let names = parameters?;
        let at = (token.kind == Kind::Ident).then(|| names.iter().position(|&name| name == token.sym))??;
        // `parameters` admits at most 2^16 - 1 names.
        Some(at as u16)
    };
    let mut out: Vec<Element> = Vec::with_capacity(tokens.len());
    let mut pasted = false;
    // The open `__VA_OPT__`: its element, and how many parentheses are open inside.
    let mut va_opt: Option<(usize, u32)> = None;
    let mut at = 0;
    while let Some(&token) = tokens.get(at) {
        at += 1;
        if is(&token, punct::PASTE) {
            if out.is_empty() || at == tokens.len() {
                return Err(MacroError::Paste);
            }
            pasted = true;
            continue;
        }
        let mut role = parameter(&token).map_or(Role::Plain, Role::Parameter);
        if is(&token, punct::HASH) && parameters.is_some() {
            let index = tokens.get(at).and_then(parameter).ok_or(MacroError::Stringify)?;
            at += 1;
            role = Role::Stringify(index);
        } else if token.sym == sym::VA_OPT && token.kind == Kind::Ident && variadic && va_opt.is_none() {
            if !tokens.get(at).is_some_and(|t| is(t, punct::OPEN)) {
                return Err(MacroError::VaOpt);
            }
            at += 1;
            va_opt = Some((out.len(), 0));
            role = Role::VaOpt(0);
        } else if let Some((element, depth)) = &mut va_opt {
            if is(&token, punct::OPEN) {
                *depth += 1;
            } else if is(&token, punct::CLOSE) {
                if *depth == 0 {
                    let inside = (out.len() - *element - 1) as u32;
                    out[*element].role = Role::VaOpt(inside);
                    va_opt = None;
                    pasted = false;
                    continue;
                }
                *depth -= 1;
            }
        }
        out.push(Element { token, role, pasted });
        pasted = false;
    }
    if va_opt.is_some() {
        return Err(MacroError::VaOpt);
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::super::lexer::Lexer;
    use super::*;

    fn parse(text: &str) -> Result<Macro, MacroError> {
        let mut lexer = Lexer::new(text);
        let mut tokens = Vec::new();
        while let Some(token) = lexer.next() {
            tokens.push(token);
        }
        Macro::parse(&tokens)
    }

    #[test]
    fn the_forms_of_a_definition() {
        assert!(parse("A").unwrap().body.is_empty());
        assert!(parse("A (x)").unwrap().parameters.is_none());
        assert_eq!(parse("A(x, y) x##y").unwrap().body.len(), 2);
        assert!(parse("A(x, ...) f(x, __VA_ARGS__)").unwrap().variadic);
        assert!(parse("A(rest...) f(rest)").unwrap().variadic);
        assert_eq!(parse("A(x) #x").unwrap().body[0].role, Role::Stringify(0));
        assert_eq!(parse("A(...) f(0 __VA_OPT__(, (1)) )").unwrap().body[3].role, Role::VaOpt(4));
    }

    #[test]
    fn broken_definitions_are_told_apart() {
        for (text, error) in [
            ("", MacroError::NoName),
            ("1", MacroError::NoName),
            ("defined 1", MacroError::Defined),
            ("A(x", MacroError::Parameters),
            ("A(x,)", MacroError::Parameters),
            ("A(x,x)", MacroError::Parameters),
            ("A(..., x)", MacroError::Parameters),
            ("A ## b", MacroError::Paste),
            ("A b ##", MacroError::Paste),
            ("A(x) #y", MacroError::Stringify),
            ("A(...) __VA_OPT__(", MacroError::VaOpt),
        ] {
            assert_eq!(parse(text).unwrap_err(), error, "{text}");
        }
        assert!(parse("A # x").is_ok(), "an object-like macro may hold a '#'");
    }
}
