//! Numbers, characters and strings.

use std::sync::Arc;

use crate::ir::{Expr, ExprKind, IntKind, Span, Type, TypeId};

use super::syntax::{Kind, NodeId};
use super::unit::UnitLowerer;

/// A number as C reads it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    Int(i128, IntKind),
    /// Value and size in bytes.
    Float(f64, u8),
}

/// Reads a number; a sign may stand before it. `None` where it is none.
pub(super) fn number(text: &str) -> Option<Number> {
    let (negative, text) = match text.as_bytes().first()? {
        b'-' => (true, text[1..].trim_start()),
        b'+' => (false, text[1..].trim_start()),
        _ => (false, text),
    };
    let text: String = text.chars().filter(|&c| c != '\'').collect::<String>().to_ascii_lowercase();
    let number = if is_float(&text) { float(&text)? } else { integer(&text)? };
    Some(match number {
        Number::Float(value, size) => Number::Float(if negative { -value } else { value }, size),
        Number::Int(value, kind) => Number::Int(if negative { wrap(-value, kind) } else { value }, kind),
    })
}

fn is_float(text: &str) -> bool {
    if let Some(digits) = text.strip_prefix("0x") {
        return digits.contains('p') || digits.contains('.');
    }
    text.contains('.') || (text.contains('e') && !text.starts_with("0b"))
}

fn integer(text: &str) -> Option<Number> {
    let digits = text.trim_end_matches(['u', 'l', 'z']);
    let suffix = &text[digits.len()..];
    let (digits, radix) = if let Some(digits) = digits.strip_prefix("0x") {
        (digits, 16)
    } else if let Some(digits) = digits.strip_prefix("0b") {
        (digits, 2)
    } else if digits.len() > 1 && digits.starts_with('0') {
        (&digits[1..], 8)
    } else {
        (digits, 10)
    };
    let value = i128::from_str_radix(digits, radix).ok()?;
    let unsigned = suffix.contains('u');
    let longs = suffix.bytes().filter(|&c| c == b'l').count();
    // The first of these that holds the value; decimal constants without `u` stay signed (C11 6.4.4.1).
    let ladder = [
        (IntKind::Int, 0),
        (IntKind::UInt, 0),
        (IntKind::Long, 1),
        (IntKind::ULong, 1),
        (IntKind::LongLong, 2),
        (IntKind::ULongLong, 2),
    ];
    let fits = |kind: IntKind| value <= maximum(kind);
    let kind = ladder
        .iter()
        .filter(|&&(_, rank)| rank >= longs)
        .map(|&(kind, _)| kind)
        .filter(|kind| if unsigned { !kind.is_signed() } else { kind.is_signed() || radix != 10 })
        .find(|&kind| fits(kind))
        .unwrap_or(IntKind::ULongLong);
    Some(Number::Int(wrap(value, kind), kind))
}

fn float(text: &str) -> Option<Number> {
    let hexadecimal = text.starts_with("0x");
    let (digits, size) = match text.as_bytes().last()? {
        b'f' if !hexadecimal || text.contains('p') => (&text[..text.len() - 1], 4),
        b'l' | b'q' | b'w' => (&text[..text.len() - 1], 16),
        _ => (text, 8),
    };
    let value = if hexadecimal { hexadecimal_float(&digits[2..])? } else { digits.parse().ok()? };
    let value = if size == 4 { f64::from(value as f32) } else { value };
    Some(Number::Float(value, size))
}

fn hexadecimal_float(text: &str) -> Option<f64> {
    let (mantissa, exponent) = text.split_once('p')?;
    let mut value = 0.0_f64;
    let mut scale = 0_i32;
    let mut point = false;
    for c in mantissa.chars() {
        if c == '.' {
            point = true;
        } else {
            value = value * 16.0 + f64::from(c.to_digit(16)?);
            scale -= if point { 4 } else { 0 };
        }
    }
    Some(value * 2.0_f64.powi(exponent.parse::<i32>().ok()?.saturating_add(scale)))
}

/// The largest value of an integer type.
pub(super) fn maximum(kind: IntKind) -> i128 {
    match kind {
        IntKind::Bool => 1,
        IntKind::Int128 | IntKind::UInt128 => i128::MAX,
        _ => {
            let bits = kind.size() * 8 - u64::from(kind.is_signed());
            (1_i128 << bits) - 1
        }
    }
}

/// The smallest value of an integer type.
pub(super) fn minimum(kind: IntKind) -> i128 {
    match kind {
        IntKind::Int128 => i128::MIN,
        _ if kind.is_signed() => -maximum(kind) - 1,
        _ => 0,
    }
}

/// A value converted to an integer type, as C does it (and GCC, for signed ones: modulo two to the width).
pub(super) fn wrap(value: i128, kind: IntKind) -> i128 {
    match kind {
        IntKind::Bool => i128::from(value != 0),
        // The upper half of `unsigned __int128` has no place in `i128`; it stays as it is.
        IntKind::Int128 | IntKind::UInt128 => value,
        _ => {
            let bits = kind.size() * 8;
            let low = value & ((1_i128 << bits) - 1);
            if kind.is_signed() && low >> (bits - 1) != 0 { low - (1_i128 << bits) } else { low }
        }
    }
}

/// The characters of a quoted literal without its prefix and quotes; `wide` keeps code points apart.
fn unescape(text: &str, wide: bool) -> Vec<u32> {
    let mut out = Vec::new();
    let mut chars = text.chars().peekable();
    let push = |c: char, out: &mut Vec<u32>| {
        if wide {
            out.push(u32::from(c));
        } else {
            out.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from));
        }
    };
    while let Some(c) = chars.next() {
        if c != '\\' {
            push(c, &mut out);
            continue;
        }
        let Some(c) = chars.next() else { break };
        let simple = match c {
            'n' => 10,
            't' => 9,
            'r' => 13,
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'v' => 11,
            'e' | 'E' => 27,
            '0'..='7' => {
                let mut value = c.to_digit(8).unwrap_or(0);
                for _ in 0..2 {
                    let Some(digit) = chars.peek().and_then(|c| c.to_digit(8)) else { break };
                    value = value * 8 + digit;
                    chars.next();
                }
                value
            }
            'x' => {
                let mut value = 0_u32;
                while let Some(digit) = chars.peek().and_then(|c| c.to_digit(16)) {
                    value = value.wrapping_mul(16).wrapping_add(digit);
                    chars.next();
                }
                value
            }
            'u' | 'U' => {
                let mut value = 0_u32;
                for _ in 0..if c == 'u' { 4 } else { 8 } {
                    let Some(digit) = chars.peek().and_then(|c| c.to_digit(16)) else { break };
                    value = value.wrapping_mul(16).wrapping_add(digit);
                    chars.next();
                }
                push(char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER), &mut out);
                continue;
            }
            '\n' => continue,
            other => {
                push(other, &mut out);
                continue;
            }
        };
        out.push(if wide { simple } else { simple & 0xff });
    }
    out
}

/// Prefix and inner text of a quoted literal.
fn quoted(text: &str) -> (&str, &str) {
    let open = text.find(['"', '\'']).unwrap_or(0);
    let (prefix, rest) = text.split_at(open);
    let inner = rest.get(1..).unwrap_or("");
    let inner = inner.strip_suffix(['"', '\'']).unwrap_or(inner);
    (prefix, inner)
}

/// A string literal: its bytes without the final NUL, and the type of its elements.
#[derive(Clone, Debug)]
pub(super) struct StringLiteral {
    pub(super) bytes: Vec<u8>,
    pub(super) element: IntKind,
}

impl UnitLowerer<'_> {
    /// A number node.
    pub(super) fn number_expr(&mut self, text: &str, span: Span) -> Expr {
        match number(text) {
            Some(Number::Int(value, kind)) => {
                let ty = self.types.intern(Type::Int(kind));
                Expr { kind: ExprKind::Int(value), ty, span }
            }
            Some(Number::Float(value, size)) => {
                let ty = self.types.intern(Type::Float(size));
                Expr { kind: ExprKind::Float(value), ty, span }
            }
            None => self.unknown("malformed number", self.basic.int, span),
        }
    }

    /// A character constant.
    pub(super) fn char_expr(&mut self, text: &str, span: Span) -> Expr {
        let (prefix, inner) = quoted(text);
        let units = unescape(inner, !prefix.is_empty());
        let (value, ty) = match prefix {
            "" => {
                // Several characters make one int, the last one lowest, as GCC does it.
                let value = match units[..] {
                    [one] => wrap(i128::from(one), IntKind::Char),
                    _ => wrap(
                        units.iter().fold(0, |v, &u| v << 8 | i128::from(u & 0xff)) & 0xffff_ffff,
                        IntKind::Int,
                    ),
                };
                (value, self.basic.int)
            }
            "L" => (wrap(units.last().map_or(0, |&u| i128::from(u)), IntKind::Int), self.basic.int),
            "u" => (
                units.last().map_or(0, |&u| i128::from(u & 0xffff)),
                self.types.intern(Type::Int(IntKind::UShort)),
            ),
            "U" => (units.last().map_or(0, |&u| i128::from(u)), self.basic.uint),
            _ => (
                units.last().map_or(0, |&u| i128::from(u & 0xff)),
                self.types.intern(Type::Int(IntKind::UChar)),
            ),
        };
        Expr { kind: ExprKind::Int(value), ty, span }
    }

    /// The literal that a string node, or a run of them, stands for.
    pub(super) fn string_literal(&self, node: NodeId) -> StringLiteral {
        let parts: Vec<&str> = if self.syntax.kind(node) == Kind::ConcatenatedString {
            self.syntax
                .children(node)
                .filter(|&n| self.syntax.kind(n) == Kind::Str)
                .map(|n| self.node_text(n))
                .collect()
        } else {
            vec![self.node_text(node)]
        };
        let prefix = parts.iter().map(|p| quoted(p).0).find(|p| !p.is_empty() && *p != "u8").unwrap_or("");
        let element = match prefix {
            "L" => IntKind::Int,
            "U" => IntKind::UInt,
            "u" => IntKind::UShort,
            _ => IntKind::Char,
        };
        let mut bytes = Vec::new();
        for part in parts {
            for unit in unescape(quoted(part).1, element != IntKind::Char) {
                bytes.extend_from_slice(&unit.to_le_bytes()[..element.size() as usize]);
            }
        }
        StringLiteral { bytes, element }
    }

    /// A string node as a pointer to its first element.
    pub(super) fn string_expr(&mut self, node: NodeId) -> Expr {
        let literal = self.string_literal(node);
        let element = self.types.intern(Type::Int(literal.element));
        let ty = self.pointer(element);
        Expr { kind: ExprKind::Str(Arc::from(literal.bytes)), ty, span: self.span(node) }
    }

    /// The array type of a string literal, NUL included.
    pub(super) fn string_type(&mut self, literal: &StringLiteral) -> TypeId {
        let element = self.types.intern(Type::Int(literal.element));
        let length = literal.bytes.len() as u64 / literal.element.size() + 1;
        self.types.intern(Type::Array(element, Some(length)))
    }
}
