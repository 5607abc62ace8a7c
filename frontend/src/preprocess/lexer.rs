//! From bytes to preprocessing tokens (translation phases 2 and 3 of C11 5.1.1.2).
//!
//! One token at a time, no recursion, linear in the input. Digraphs come out as the punctuator they stand for.
//! Trigraphs are not replaced, as in the GNU dialects.

use super::intern::{Symbol, intern};
use super::token::{Kind, RESPELLED, SPACE, Token, punct};

/// A cursor over the text of one file.
pub(super) struct Lexer<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) text: &'a str,
    /// Offset of the next byte.
    pub(super) pos: usize,
    /// Comments that begin with `anyrank:`, as ranges of the text inside the comment marks.
    pub(super) comments: Vec<(u32, u32)>,
    /// Offset of a block comment that never ends, if there is one.
    pub(super) unterminated: Option<u32>,
}

/// Whether `byte` may begin an identifier. Bytes above 127 belong to UTF-8 letters, `$` is GNU.
fn starts_ident(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80 || byte == b'$'
}

fn continues_ident(byte: u8) -> bool {
    starts_ident(byte) || byte.is_ascii_digit()
}

/// The bytes that `skip_line` must look at: a newline, and what may hide one.
const STOPS: [bool; 256] = {
    let mut stops = [false; 256];
    let mut at = 0;
    while at < 5 {
        stops[b"\n\"'/\\"[at] as usize] = true;
        at += 1;
    }
    stops
};

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Lexer<'a> {
        Lexer { bytes: text.as_bytes(), text, pos: 0, comments: Vec::new(), unterminated: None }
    }

    fn at(&self, pos: usize) -> u8 {
        self.bytes.get(pos).copied().unwrap_or(0)
    }

    /// Where the line goes on when a splice (backslash, newline) stands at `pos`, several in a row included.
    fn after_splices(&self, mut pos: usize) -> Option<usize> {
        let begin = pos;
        while self.at(pos) == b'\\' {
            let mut end = pos + 1;
            // GCC also takes a backslash with blanks before the newline.
            while matches!(self.at(end), b' ' | b'\t' | b'\r' | b'\x0b' | b'\x0c') {
                end += 1;
            }
            if self.at(end) != b'\n' {
                break;
            }
            pos = end + 1;
        }
        (pos != begin).then_some(pos)
    }

    /// Skips blanks, splices and comments. Stops before a newline. Says whether there was anything to skip.
    pub(super) fn skip_blanks(&mut self) -> bool {
        let begin = self.pos;
        loop {
            match self.at(self.pos) {
                b' ' | b'\t' | b'\r' | b'\x0b' | b'\x0c' => self.pos += 1,
                b'\\' => match self.after_splices(self.pos) {
                    Some(next) => self.pos = next,
                    None => break,
                },
                b'/' => {
                    let second = self.after_splices(self.pos + 1).unwrap_or(self.pos + 1);
                    match self.at(second) {
                        b'/' => self.skip_line_comment(second + 1),
                        b'*' => self.skip_block_comment(second + 1),
                        _ => break,
                    }
                }
                _ => break,
            }
        }
        self.pos != begin
    }

    fn skip_line_comment(&mut self, begin: usize) {
        let mut end = begin;
        loop {
            match self.bytes.get(end) {
                None | Some(b'\n') => break,
                Some(b'\\') => end = self.after_splices(end).unwrap_or(end + 1),
                Some(_) => end += 1,
            }
        }
        self.note_comment(begin, end);
        self.pos = end;
    }

    fn skip_block_comment(&mut self, begin: usize) {
        let mut end = begin;
        loop {
            match memchr::memchr(b'*', &self.bytes[end.min(self.bytes.len())..]) {
                None => {
                    self.unterminated.get_or_insert(begin as u32);
                    self.pos = self.bytes.len();
                    return;
                }
                Some(offset) => {
                    end += offset + 1;
                    let slash = self.after_splices(end).unwrap_or(end);
                    if self.at(slash) == b'/' {
                        self.note_comment(begin, end - 1);
                        self.pos = slash + 1;
                        return;
                    }
                }
            }
        }
    }

    fn note_comment(&mut self, begin: usize, end: usize) {
        let inside = &self.bytes[begin..end];
        let blanks =
            inside.iter().take_while(|b| b.is_ascii_whitespace() || matches!(b, b'*' | b'/')).count();
        if inside[blanks..].starts_with(b"anyrank:") {
            self.comments.push(((begin + blanks) as u32, end as u32));
        }
    }

    /// Skips the rest of the logical line without making tokens, up to but not over the newline.
    pub(super) fn skip_line(&mut self) {
        loop {
            let rest = self.bytes.get(self.pos..).unwrap_or(&[]);
            let Some(offset) = rest.iter().position(|&byte| STOPS[usize::from(byte)]) else {
                self.pos = self.bytes.len();
                return;
            };
            self.pos += offset;
            match self.bytes[self.pos] {
                b'\n' => return,
                quote @ (b'"' | b'\'') => {
                    self.pos = self.end_of_literal(self.pos + 1, quote).unwrap_or(self.pos + 1);
                }
                _ => {
                    if !self.skip_blanks() {
                        self.pos += 1;
                    }
                }
            }
        }
    }

    /// The offset after the closing `quote`, or `None` when the line ends before it.
    fn end_of_literal(&self, mut pos: usize, quote: u8) -> Option<usize> {
        loop {
            match self.bytes.get(pos)? {
                b'\n' => return None,
                b'\\' => pos = self.after_splices(pos).unwrap_or(pos + 2),
                &byte if byte == quote => return Some(pos + 1),
                _ => pos += 1,
            }
        }
    }

    /// The header name (`<...>` or `"..."`) at the cursor of an include directive, marks included.
    pub(super) fn header_name(&mut self) -> Option<Token> {
        let close = match self.at(self.pos) {
            b'<' => b'>',
            b'"' => b'"',
            _ => return None,
        };
        let rest = &self.bytes[self.pos + 1..];
        let end = rest.iter().position(|&b| b == close || b == b'\n')?;
        if rest[end] != close {
            return None;
        }
        let token = self.token(Kind::Str, self.pos, self.pos + end + 2);
        self.pos += end + 2;
        Some(token)
    }

    fn token(&self, kind: Kind, start: usize, end: usize) -> Token {
        // Files are at most `MAX_FILE_BYTES` long, so offsets fit.
        Token { sym: Symbol::NONE, start: start as u32, len: (end - start) as u32, kind, flags: 0 }
    }

    /// The next token of the line, or `None` at its end (newline or end of file).
    pub(super) fn next(&mut self) -> Option<Token> {
        let flags = if self.skip_blanks() { SPACE } else { 0 };
        if self.pos >= self.bytes.len() || self.bytes[self.pos] == b'\n' {
            return None;
        }
        let start = self.pos;
        let mut token = self.scan(start);
        let spliced =
            self.at(self.pos) == b'\\' || (token.kind != Kind::Ident && self.has_splice(start, self.pos));
        if spliced && let Some(whole) = self.scan_spliced(start) {
            token = whole;
        }
        token.flags |= flags;
        Some(token)
    }

    fn has_splice(&self, start: usize, end: usize) -> bool {
        // Only literals may run over a splice; for all others the scan stops at the backslash.
        self.bytes[start..end].contains(&b'\n')
    }

    /// Scans one token at `start`, taking no splice into account except inside literals.
    fn scan(&mut self, start: usize) -> Token {
        let byte = self.bytes[start];
        if starts_ident(byte) {
            let mut end = start + 1;
            while continues_ident(self.at(end)) {
                end += 1;
            }
            let quote = self.at(end);
            let prefix = &self.bytes[start..end];
            if matches!(quote, b'"' | b'\'') && matches!(prefix, b"L" | b"u" | b"U" | b"u8") {
                return self.scan_literal(start, end, quote);
            }
            self.pos = end;
            let mut token = self.token(Kind::Ident, start, end);
            token.sym = intern(&self.text[start..end]);
            return token;
        }
        if byte.is_ascii_digit() || (byte == b'.' && self.at(start + 1).is_ascii_digit()) {
            let mut end = start + 1;
            loop {
                let here = self.at(end);
                let exponent = matches!(self.at(end - 1), b'e' | b'E' | b'p' | b'P');
                if continues_ident(here) || here == b'.' || (matches!(here, b'+' | b'-') && exponent) {
                    end += 1;
                } else {
                    break;
                }
            }
            self.pos = end;
            return self.token(Kind::Number, start, end);
        }
        if matches!(byte, b'"' | b'\'') {
            return self.scan_literal(start, start, byte);
        }
        self.scan_punctuator(start)
    }

    fn scan_literal(&mut self, start: usize, quote_at: usize, quote: u8) -> Token {
        let kind = if quote == b'"' { Kind::Str } else { Kind::Char };
        match self.end_of_literal(quote_at + 1, quote) {
            Some(end) => {
                self.pos = end;
                self.token(kind, start, end)
            }
            None => {
                // The rest of the line, as GCC has it: prose in a skipped group is the usual case.
                let rest =
                    self.bytes[start..].iter().position(|&b| b == b'\n').unwrap_or(self.bytes.len() - start);
                self.pos = start + rest.max(1);
                self.token(Kind::Other, start, self.pos)
            }
        }
    }

    fn scan_punctuator(&mut self, start: usize) -> Token {
        let window = &self.bytes[start..(start + 4).min(self.bytes.len())];
        let (len, text): (usize, &str) = match window {
            [b'%', b':', b'%', b':', ..] => (4, "##"),
            [b'<', b'<', b'=', ..] => (3, "<<="),
            [b'>', b'>', b'=', ..] => (3, ">>="),
            [b'.', b'.', b'.', ..] => (3, "..."),
            [b'%', b':', ..] => (2, "#"),
            [b'<', b':', ..] => (2, "["),
            [b':', b'>', ..] => (2, "]"),
            [b'<', b'%', ..] => (2, "{"),
            [b'%', b'>', ..] => (2, "}"),
            [b'-', b'>', ..] => (2, "->"),
            [b'+', b'+', ..] => (2, "++"),
            [b'-', b'-', ..] => (2, "--"),
            [b'<', b'<', ..] => (2, "<<"),
            [b'>', b'>', ..] => (2, ">>"),
            [b'<', b'=', ..] => (2, "<="),
            [b'>', b'=', ..] => (2, ">="),
            [b'=', b'=', ..] => (2, "=="),
            [b'!', b'=', ..] => (2, "!="),
            [b'&', b'&', ..] => (2, "&&"),
            [b'|', b'|', ..] => (2, "||"),
            [b'*', b'=', ..] => (2, "*="),
            [b'/', b'=', ..] => (2, "/="),
            [b'%', b'=', ..] => (2, "%="),
            [b'+', b'=', ..] => (2, "+="),
            [b'-', b'=', ..] => (2, "-="),
            [b'&', b'=', ..] => (2, "&="),
            [b'^', b'=', ..] => (2, "^="),
            [b'|', b'=', ..] => (2, "|="),
            [b'#', b'#', ..] => (2, "##"),
            [b, ..] if b"[](){}.&*+-~!/%<>^|?:;=,#".contains(b) => {
                self.pos = start + 1;
                let mut token = self.token(Kind::Punct, start, start + 1);
                token.sym = Symbol(u32::from(*b));
                return token;
            }
            _ => {
                // A stray byte. Bytes above 127 begin identifiers, so this is one whole character.
                self.pos = start + 1;
                return self.token(Kind::Other, start, start + 1);
            }
        };
        self.pos = start + len;
        let mut token = self.token(Kind::Punct, start, start + len);
        token.sym = Symbol(punct::code(text));
        if text.as_bytes() != &window[..len] {
            token.flags = RESPELLED;
        }
        token
    }

    /// Scans the token at `start` as it reads once splices are taken out, or `None` when they change nothing.
    ///
    /// Works on a window without splices that doubles until the token ends inside it, so the cost is that of the token.
    fn scan_spliced(&mut self, start: usize) -> Option<Token> {
        let plain_end = self.pos;
        let mut room = 128;
        loop {
            let (clean, offsets, whole) = self.without_splices(start, room);
            if clean.is_empty() {
                return None;
            }
            let mut inner = Lexer::new(&clean);
            let token = inner.scan(0);
            if inner.pos == clean.len() && !whole {
                room = room.checked_mul(2)?;
                continue;
            }
            let end = offsets.get(inner.pos).copied().unwrap_or(offsets[offsets.len() - 1]);
            if end == plain_end && !self.has_splice(start, plain_end) {
                self.pos = plain_end;
                return None;
            }
            self.pos = end;
            let mut out = self.token(token.kind, start, end);
            out.flags = RESPELLED;
            out.sym = match token.kind {
                Kind::Punct => token.sym,
                _ => intern(&clean[..inner.pos]),
            };
            return Some(out);
        }
    }

    /// About `room` bytes from `start` to the end of the logical line without splices, the offset in the file of each
    /// of them (and of the end), and whether the line ends there.
    fn without_splices(&self, start: usize, room: usize) -> (String, Vec<usize>, bool) {
        let mut clean = Vec::with_capacity(room);
        let mut offsets = Vec::with_capacity(room + 1);
        let mut pos = start;
        let mut whole = true;
        // The offset of a byte is where the byte before it ended, so that a splice after the token is not part of it.
        let mut ended = start;
        while let Some(&byte) = self.bytes.get(pos) {
            if byte == b'\n' {
                break;
            }
            if byte == b'\\'
                && let Some(next) = self.after_splices(pos)
            {
                pos = next;
                continue;
            }
            // Never stop inside a UTF-8 sequence.
            if clean.len() >= room && (byte & 0xC0) != 0x80 {
                whole = false;
                break;
            }
            clean.push(byte);
            offsets.push(ended);
            pos += 1;
            ended = pos;
        }
        offsets.push(ended);
        // Splices are ASCII and stand between characters, except in hostile input; that input loses its bytes.
        (String::from_utf8(clean).unwrap_or_else(|_| " ".repeat(offsets.len() - 1)), offsets, whole)
    }
}

/// The single token that `text` spells, if it spells exactly one. For `##`.
pub(super) fn single(text: &str) -> Option<Token> {
    if text.is_empty() || text.starts_with("//") || text.starts_with("/*") {
        return None;
    }
    let mut lexer = Lexer::new(text);
    let token = lexer.next()?;
    (lexer.pos == text.len() && token.start == 0).then_some(token)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spell(text: &str) -> Vec<(Kind, String)> {
        let mut lexer = Lexer::new(text);
        let mut out = Vec::new();
        loop {
            while let Some(token) = lexer.next() {
                let mut buffer = [0; 4];
                let text = match token.kind {
                    Kind::Punct => punct::spell(token.sym.0, &mut buffer).to_owned(),
                    _ if token.sym != Symbol::NONE => token.sym.as_str().to_owned(),
                    _ => text[token.start as usize..(token.start + token.len) as usize].to_owned(),
                };
                out.push((token.kind, text));
            }
            if lexer.pos >= text.len() {
                return out;
            }
            lexer.pos += 1;
        }
    }

    fn words(text: &str) -> String {
        spell(text).into_iter().map(|(_, text)| text).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn tokens_are_those_of_c() {
        assert_eq!(words("a+++b<<=.5e+3f ...x->y"), "a|++|+|b|<<=|.5e+3f|...|x|->|y");
        assert_eq!(words("L\"wide\" u8\"s\" 'a' '\\'' \"q\\\"\""), "L\"wide\"|u8\"s\"|'a'|'\\''|\"q\\\"\"");
        assert_eq!(words("x /* c */ y // z\nw"), "x|y|w");
        assert_eq!(words("<: <% %: %:%: %> :>"), "[|{|#|##|}|]");
        assert_eq!(words("0x1p-3 1e+5 0xe+1"), "0x1p-3|1e+5|0xe+1");
    }

    #[test]
    fn splices_vanish_wherever_they_stand() {
        assert_eq!(words("in\\\nt x;"), "int|x|;");
        assert_eq!(words("a +\\\n= b"), "a|+=|b");
        assert_eq!(words("\"ab\\\ncd\" e"), "\"abcd\"|e");
        assert_eq!(words("a\\\n + b\\\r\n c"), "a|+|b|c");
        assert_eq!(words("/\\\n/ comment \\\n still\nx"), "x");
        assert_eq!(words("/\\\n* c *\\\n/ x"), "x");
        let long = format!("{}\\\n{} y", "a".repeat(300), "b".repeat(300));
        assert_eq!(words(&long), format!("{}{}|y", "a".repeat(300), "b".repeat(300)));
    }

    #[test]
    fn a_spliced_token_ends_where_its_last_byte_is() {
        let mut lexer = Lexer::new("in\\\nt\\\n x");
        let token = lexer.next().unwrap();
        assert_eq!((token.start, token.len, token.sym.as_str()), (0, 5, "int"));
    }

    #[test]
    fn unterminated_literals_and_comments_do_not_swallow_the_file() {
        assert_eq!(spell("don't panic\nx")[1].0, Kind::Other);
        assert_eq!(words("\"open\nx"), "\"open|x");
        let mut lexer = Lexer::new("a /* never");
        lexer.next();
        assert!(lexer.next().is_none());
        assert_eq!(lexer.unterminated, Some(4));
    }

    #[test]
    fn comments_for_anyrank_are_noted() {
        let mut lexer = Lexer::new("x; // anyrank: ignore[deadlock] on purpose\n");
        while lexer.next().is_some() {}
        let (start, end) = lexer.comments[0];
        assert_eq!(&lexer.text[start as usize..end as usize], "anyrank: ignore[deadlock] on purpose");
    }

    #[test]
    fn every_byte_string_is_lexed_to_its_end() {
        for text in ["\\", "a\\", "'\\", "\"\\\n", "#%:%", "é€😀", "\\\n\\\n", "0x", ".", "..", "`@"] {
            words(text);
        }
    }
}
