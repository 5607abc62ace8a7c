//! The expressions of `#if` (C11 6.10.1), with GCC's `__has_...` operators.

use super::engine::{Unit, is_builtin};
use super::expand::Level;
use super::intern::{Symbol, sym};
use super::token::{Kind, Tok, Token, punct};

/// Parentheses, unary operators and conditional operators may nest this deep.
const MAX_NESTING: u32 = 200;

/// Attributes that `__has_attribute` and `__has_c_attribute` answer for: what system headers ask about.
const ATTRIBUTES: &[&str] = &[
    "access",
    "alias",
    "aligned",
    "alloc_size",
    "always_inline",
    "cold",
    "const",
    "constructor",
    "copy",
    "deprecated",
    "destructor",
    "error",
    "fallthrough",
    "format",
    "format_arg",
    "gnu_inline",
    "hot",
    "leaf",
    "malloc",
    "may_alias",
    "mode",
    "noinline",
    "nonnull",
    "nonstring",
    "noreturn",
    "nothrow",
    "packed",
    "pure",
    "returns_nonnull",
    "section",
    "sentinel",
    "simd",
    "symver",
    "tls_model",
    "transparent_union",
    "unused",
    "used",
    "vector_size",
    "visibility",
    "warn_unused_result",
    "warning",
    "weak",
];

/// A value of type `intmax_t` or `uintmax_t`.
#[derive(Debug, Clone, Copy)]
struct Value {
    bits: i64,
    unsigned: bool,
}

impl Value {
    const fn signed(bits: i64) -> Value {
        Value { bits, unsigned: false }
    }

    fn truth(self) -> bool {
        self.bits != 0
    }
}

impl Unit<'_> {
    /// Whether `#ifdef name` holds.
    pub(super) fn is_defined(&self, name: Symbol) -> bool {
        self.macros.contains_key(&name)
            || is_builtin(name)
            || (sym::HAS_INCLUDE.0..=sym::HAS_BUILTIN.0).contains(&name.0)
    }

    /// The value of an `#if` line.
    ///
    /// # Errors
    ///
    /// One line saying what is wrong with the expression.
    pub(super) fn condition(&mut self, operands: &[Token]) -> Result<bool, String> {
        let Some(index) = self.frames.last().map(|frame| frame.index) else { return Ok(false) };
        let level = Level { floor: self.contexts.len(), file: false };
        self.push_context(operands.iter().map(|token| Tok::new(token, index)).collect(), None);
        let mut toks = Vec::new();
        while let Some(tok) = self.next_expanded(level) {
            if tok.kind != Kind::Ident {
                toks.push(tok);
                continue;
            }
            let value = match tok.sym {
                sym::DEFINED => self.defined_operand(level)?,
                sym::HAS_INCLUDE | sym::HAS_INCLUDE_NEXT => {
                    let next = tok.sym == sym::HAS_INCLUDE_NEXT;
                    self.has_include(level, next)?
                }
                sym::HAS_ATTRIBUTE | sym::HAS_C_ATTRIBUTE | sym::HAS_CPP_ATTRIBUTE => {
                    let name = self.operand_text(level)?;
                    let name = name.rsplit("::").next().unwrap_or(&name).trim_matches('_');
                    ATTRIBUTES.contains(&name)
                }
                sym::HAS_BUILTIN => {
                    let name = self.operand_text(level)?;
                    ["__builtin_", "__sync_", "__atomic_"].iter().any(|prefix| name.starts_with(prefix))
                }
                _ => {
                    toks.push(tok);
                    continue;
                }
            };
            let made = self.made(Kind::Number, if value { "1" } else { "0" }, 0);
            toks.push(made);
        }
        let mut parser = Parser { unit: self, toks: &toks, at: 0, depth: 0 };
        let value = parser.conditional(true)?;
        if parser.at < toks.len() {
            let mut buffer = [0; 4];
            return Err(format!(
                "unexpected '{}' in #if expression",
                parser.unit.text(&toks[parser.at], &mut buffer)
            ));
        }
        Ok(value.truth())
    }

    /// The operand of `defined`, read without expansion.
    fn defined_operand(&mut self, level: Level) -> Result<bool, String> {
        let missing = || "'defined' without a macro name".to_owned();
        let tok = self.next_raw(level).ok_or_else(missing)?;
        if tok.kind == Kind::Ident {
            return Ok(self.is_defined(tok.sym));
        }
        let name = self.next_raw(level).filter(|name| name.kind == Kind::Ident).ok_or_else(missing)?;
        let close = self.next_raw(level);
        if !tok.is(punct::OPEN) || !close.is_some_and(|close| close.is(punct::CLOSE)) {
            return Err("'defined' without a closing parenthesis".to_owned());
        }
        Ok(self.is_defined(name.sym))
    }

    /// The text between the parentheses after a `__has_...` operator, unexpanded, blanks left out.
    fn operand_text(&mut self, level: Level) -> Result<String, String> {
        let missing = || "operator without its operand in #if expression".to_owned();
        if !self.next_raw(level).is_some_and(|tok| tok.is(punct::OPEN)) {
            return Err(missing());
        }
        let mut text = String::new();
        let mut depth = 0_u32;
        loop {
            let tok = self.next_raw(level).ok_or_else(missing)?;
            if tok.is(punct::OPEN) {
                depth += 1;
            } else if tok.is(punct::CLOSE) {
                if depth == 0 {
                    return Ok(text);
                }
                depth -= 1;
            }
            let mut buffer = [0; 4];
            text.push_str(self.text(&tok, &mut buffer));
        }
    }

    fn has_include(&mut self, level: Level, next: bool) -> Result<bool, String> {
        let text = self.operand_text(level)?;
        let (name, angled) = match text.strip_prefix('"').and_then(|t| t.strip_suffix('"')) {
            Some(name) => (name, false),
            None => match text.strip_prefix('<').and_then(|t| t.strip_suffix('>')) {
                Some(name) => (name, true),
                None => return Err("__has_include needs <FILE> or \"FILE\"".to_owned()),
            },
        };
        let Some(frame) = self.frames.last() else { return Ok(false) };
        let from = if next { frame.next } else { 0 };
        Ok(self.search.find(name, angled || next, Some(&frame.directory), from).is_some())
    }
}

struct Parser<'u, 'a, 't> {
    unit: &'u Unit<'a>,
    toks: &'t [Tok],
    at: usize,
    depth: u32,
}

impl Parser<'_, '_, '_> {
    fn peek(&self) -> u32 {
        self.toks.get(self.at).filter(|tok| tok.kind == Kind::Punct).map_or(0, |tok| tok.sym.0)
    }

    fn deeper(&mut self) -> Result<(), String> {
        self.depth += 1;
        if self.depth > MAX_NESTING {
            return Err(format!("#if expression nests deeper than {MAX_NESTING} levels"));
        }
        Ok(())
    }

    /// `live` is false in an operand that is not evaluated, where a division by zero is fine.
    fn conditional(&mut self, live: bool) -> Result<Value, String> {
        let condition = self.binary(0, live)?;
        if self.peek() != punct::code("?") {
            return Ok(condition);
        }
        self.deeper()?;
        self.at += 1;
        let yes = self.conditional(live && condition.truth())?;
        if self.peek() != punct::code(":") {
            return Err("'?' without ':' in #if expression".to_owned());
        }
        self.at += 1;
        let no = self.conditional(live && !condition.truth())?;
        self.depth -= 1;
        let chosen = if condition.truth() { yes } else { no };
        Ok(Value { unsigned: yes.unsigned || no.unsigned, ..chosen })
    }

    fn binary(&mut self, least: u8, live: bool) -> Result<Value, String> {
        let mut left = self.unary(live)?;
        loop {
            let operator = self.peek();
            let Some(precedence) = precedence(operator).filter(|&p| p >= least) else { return Ok(left) };
            self.at += 1;
            let right_live = live
                && match operator {
                    _ if operator == punct::code("&&") => left.truth(),
                    _ if operator == punct::code("||") => !left.truth(),
                    _ => true,
                };
            self.deeper()?;
            let right = self.binary(precedence + 1, right_live)?;
            self.depth -= 1;
            left = apply(operator, left, right, right_live)?;
        }
    }

    fn unary(&mut self, live: bool) -> Result<Value, String> {
        // Unary operators apply from the inside out; collecting them avoids recursion.
        let begin = self.at;
        while matches!(self.peek(), op if op == punct::code("!") || op == punct::code("-") || op == punct::code("+") || op == punct::code("~"))
        {
            self.at += 1;
        }
        let operators = begin..self.at;
        let mut value = self.primary(live)?;
        for at in operators.rev() {
            let operator = self.toks[at].sym.0;
            value = if operator == punct::code("!") {
                Value::signed(i64::from(!value.truth()))
            } else if operator == punct::code("-") {
                Value { bits: value.bits.wrapping_neg(), ..value }
            } else if operator == punct::code("~") {
                Value { bits: !value.bits, ..value }
            } else {
                value
            };
        }
        Ok(value)
    }

    fn primary(&mut self, live: bool) -> Result<Value, String> {
        let Some(tok) = self.toks.get(self.at) else {
            return Err("#if expression ends too early".to_owned());
        };
        self.at += 1;
        let mut buffer = [0; 4];
        match tok.kind {
            Kind::Ident => {
                // `true` is 1 in C23 only, where it is a keyword; headers that test it mean that.
                let mut value = Value::signed(i64::from(tok.sym == sym::TRUE));
                // An unknown function-like word, `__has_feature(x)` say: skip its operands.
                if self.peek() == punct::OPEN {
                    let message = format!("'{}' is not a macro, but used like one in #if", tok.sym.as_str());
                    if live {
                        return Err(message);
                    }
                    value.bits = 0;
                    self.skip_parentheses();
                }
                Ok(value)
            }
            Kind::Number => number(self.unit.text(tok, &mut buffer)),
            Kind::Char => character(self.unit.text(tok, &mut buffer)),
            Kind::Punct if tok.is(punct::OPEN) => {
                self.deeper()?;
                let mut value = self.conditional(live)?;
                while self.peek() == punct::COMMA {
                    self.at += 1;
                    value = self.conditional(live)?;
                }
                if self.peek() != punct::CLOSE {
                    return Err("missing ')' in #if expression".to_owned());
                }
                self.at += 1;
                self.depth -= 1;
                Ok(value)
            }
            _ => Err(format!("unexpected '{}' in #if expression", self.unit.text(tok, &mut buffer))),
        }
    }

    fn skip_parentheses(&mut self) {
        let mut depth = 0_u32;
        while let Some(tok) = self.toks.get(self.at) {
            self.at += 1;
            if tok.is(punct::OPEN) {
                depth += 1;
            } else if tok.is(punct::CLOSE) {
                depth -= 1;
                if depth == 0 {
                    return;
                }
            }
        }
    }
}

/// How tightly a binary operator binds; `None` for anything else.
fn precedence(operator: u32) -> Option<u8> {
    const TABLE: [(u32, u8); 18] = [
        (punct::code("||"), 1),
        (punct::code("&&"), 2),
        (punct::code("|"), 3),
        (punct::code("^"), 4),
        (punct::code("&"), 5),
        (punct::code("=="), 6),
        (punct::code("!="), 6),
        (punct::code("<"), 7),
        (punct::code(">"), 7),
        (punct::code("<="), 7),
        (punct::code(">="), 7),
        (punct::code("<<"), 8),
        (punct::code(">>"), 8),
        (punct::code("+"), 9),
        (punct::code("-"), 9),
        (punct::code("*"), 10),
        (punct::code("/"), 10),
        (punct::code("%"), 10),
    ];
    TABLE.iter().find(|&&(code, _)| code == operator).map(|&(_, precedence)| precedence)
}

fn apply(operator: u32, left: Value, right: Value, live: bool) -> Result<Value, String> {
    let mut buffer = [0; 4];
    let text = punct::spell(operator, &mut buffer);
    let unsigned = left.unsigned || right.unsigned;
    let (a, b) = (left.bits, right.bits);
    let (ua, ub) = (a as u64, b as u64);
    let arithmetic = |bits: i64| Value { bits, unsigned };
    let truth = |value: bool| Value::signed(i64::from(value));
    Ok(match text {
        "||" => truth(a != 0 || b != 0),
        "&&" => truth(a != 0 && b != 0),
        "|" => arithmetic(a | b),
        "^" => arithmetic(a ^ b),
        "&" => arithmetic(a & b),
        "==" => truth(a == b),
        "!=" => truth(a != b),
        "<" => truth(if unsigned { ua < ub } else { a < b }),
        ">" => truth(if unsigned { ua > ub } else { a > b }),
        "<=" => truth(if unsigned { ua <= ub } else { a <= b }),
        ">=" => truth(if unsigned { ua >= ub } else { a >= b }),
        "<<" => Value { bits: if ub < 64 { a << ub } else { 0 }, unsigned: left.unsigned },
        ">>" => {
            let by = ub.min(63);
            let bits = if left.unsigned { if ub < 64 { (ua >> ub) as i64 } else { 0 } } else { a >> by };
            Value { bits, unsigned: left.unsigned }
        }
        "+" => arithmetic(a.wrapping_add(b)),
        "-" => arithmetic(a.wrapping_sub(b)),
        "*" => arithmetic(a.wrapping_mul(b)),
        _ if b == 0 => {
            if live {
                return Err("division by zero in #if expression".to_owned());
            }
            arithmetic(0)
        }
        "/" => arithmetic(if unsigned { (ua / ub) as i64 } else { a.wrapping_div(b) }),
        _ => arithmetic(if unsigned { (ua % ub) as i64 } else { a.wrapping_rem(b) }),
    })
}

/// The value of an integer constant.
fn number(text: &str) -> Result<Value, String> {
    let wrong = || format!("'{text}' is not an integer, as #if needs");
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let suffix = &text[digits.len()..];
    let lower = digits.to_ascii_lowercase();
    let (digits, radix) = if let Some(hex) = lower.strip_prefix("0x") {
        (hex, 16)
    } else if let Some(binary) = lower.strip_prefix("0b") {
        (binary, 2)
    } else if lower.len() > 1 && lower.starts_with('0') {
        (&lower[1..], 8)
    } else {
        (lower.as_str(), 10)
    };
    let digits = digits.replace('\'', "");
    let value = u64::from_str_radix(&digits, radix).map_err(|_| wrong())?;
    let unsigned = suffix.contains(['u', 'U']) || value > i64::MAX as u64;
    Ok(Value { bits: value as i64, unsigned })
}

/// The value of a character constant: plain characters and the usual escapes, the last one of several.
fn character(text: &str) -> Result<Value, String> {
    let wrong = || format!("character constant {text} has no value");
    let inside =
        text.trim_start_matches(['L', 'u', 'U', '8']).strip_prefix('\'').and_then(|t| t.strip_suffix('\''));
    let mut chars = inside.ok_or_else(wrong)?.chars().peekable();
    let mut value = None;
    while let Some(c) = chars.next() {
        let code = if c != '\\' {
            i64::from(u32::from(c))
        } else {
            match chars.next().ok_or_else(wrong)? {
                'n' => 10,
                't' => 9,
                'r' => 13,
                'a' => 7,
                'b' => 8,
                'f' => 12,
                'v' => 11,
                'e' => 27,
                'x' => {
                    let mut code = 0_i64;
                    while let Some(digit) = chars.peek().and_then(|c| c.to_digit(16)) {
                        code = code.wrapping_mul(16).wrapping_add(i64::from(digit));
                        chars.next();
                    }
                    code
                }
                digit @ '0'..='7' => {
                    let mut code = i64::from(digit.to_digit(8).unwrap_or(0));
                    for _ in 0..2 {
                        let Some(digit) = chars.peek().and_then(|c| c.to_digit(8)) else { break };
                        code = code * 8 + i64::from(digit);
                        chars.next();
                    }
                    code
                }
                other => i64::from(u32::from(other)),
            }
        };
        value = Some(code);
    }
    value.map(Value::signed).ok_or_else(wrong)
}
