//! Which texts are given to isl's parser: it is recursive and trusts its input, so what would exhaust the stack or the memory is refused
//! before.

use std::collections::BTreeMap;
use std::ffi::CString;

use crate::error::{Error, Result};

/// How long a text may be, in bytes.
const LONGEST: usize = 1 << 20;
/// How deep brackets and operators may be nested.
const DEEPEST: usize = 200;
/// The largest exponent of a constant, as in `2^10`.
const LARGEST_EXPONENT: u32 = 62;

/// The condition that parameters have these values.
pub(crate) fn values(values: &BTreeMap<String, i64>) -> String {
    let values: Vec<String> = values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    values.join(" and ")
}

/// The text for isl.
pub(crate) fn checked(what: &'static str, text: &str) -> Result<CString> {
    let error = || Error::Syntax { what, text: text.to_owned() };
    // Other beginnings are matrices of numbers, of any size that the numbers say.
    let begins_well = text.trim_start().starts_with(['[', '{']);
    if !begins_well
        || LONGEST < text.len()
        || !text.is_ascii()
        || !is_shallow(text)
        // Comments and quoted names may hide brackets.
        || text.contains(['#', '"'])
        || !has_small_exponents(text)
        || divides_by_zero(text)
    {
        return Err(error());
    }
    CString::new(text).map_err(|_| error())
}

/// Whether the recursion of the parser has a small depth: it goes down at each bracket, and at operators in front of what they apply to.
fn is_shallow(text: &str) -> bool {
    // For each open bracket, the operators in it.
    let mut open: Vec<usize> = vec![0];
    let mut depth = 0;
    let mut signs = 0;
    let bytes = text.as_bytes();
    for (at, &byte) in bytes.iter().enumerate() {
        let is_word = |word: &str| {
            bytes[at..].starts_with(word.as_bytes()) && (at == 0 || !bytes[at - 1].is_ascii_alphanumeric())
        };
        signs = match byte {
            b'-' | b'+' | b'!' => signs + 1,
            byte if byte.is_ascii_whitespace() => signs,
            _ => 0,
        };
        match byte {
            b'(' | b'[' | b'{' => {
                open.push(0);
                depth += 1;
            }
            b')' | b']' | b'}' => {
                depth -= open.pop().map_or(0, |inside| inside + 1).min(depth);
                if open.is_empty() {
                    open.push(0);
                }
            }
            b';' => depth -= open.last_mut().map_or(0, std::mem::take).min(depth),
            b'?' | b'!' | b'=' if byte != b'=' || bytes.get(at + 1) == Some(&b'>') => {
                open.last_mut().into_iter().for_each(|inside| *inside += 1);
                depth += 1;
            }
            _ if is_word("exists") || is_word("not") || is_word("implies") => {
                open.last_mut().into_iter().for_each(|inside| *inside += 1);
                depth += 1;
            }
            _ => {}
        }
        if DEEPEST < depth || DEEPEST < signs {
            return false;
        }
    }
    true
}

/// Whether each exponent is a small number.
fn has_small_exponents(text: &str) -> bool {
    text.split('^').skip(1).all(|rest| {
        let rest = rest.trim_start();
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        rest[..digits].parse::<u32>().is_ok_and(|exponent| exponent <= LARGEST_EXPONENT)
    })
}

/// Whether a quotient of two numbers, `7 // 0`, has none: isl would compute it at once.
fn divides_by_zero(text: &str) -> bool {
    let divisors = text.match_indices("//").map(|(at, operator)| text[at + operator.len()..].trim_start());
    let digits = |rest: &'_ str| rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    divisors.into_iter().any(|rest| 0 < digits(rest) && rest[..digits(rest)].chars().all(|c| c == '0'))
}

/// What is said where isl refuses a text.
pub(crate) fn syntax(error: Error, what: &'static str, text: &str) -> Error {
    if let Error::Refused(_) = error { Error::Syntax { what, text: text.to_owned() } } else { error }
}

/// The name of a tuple for isl.
pub(crate) fn name(name: &str) -> Result<CString> {
    CString::new(name).map_err(|_| Error::Tuples(name.to_owned()))
}

/// Words of isl's notation, which are no names.
const WORDS: [&str; 16] = [
    "NaN", "and", "ceil", "ceild", "exists", "false", "floor", "floord", "implies", "infty", "max", "min",
    "mod", "not", "or", "true",
];

/// A name that is read again where it is printed.
pub(crate) fn identifier(text: &str) -> Result<CString> {
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    let is_right =
        text.starts_with(is_letter) && text.chars().all(|c| is_letter(c) || c.is_ascii_digit() || c == '\'');
    if !is_right || WORDS.contains(&text) {
        return Err(Error::Tuples(format!("`{text}` is no name")));
    }
    name(text)
}
