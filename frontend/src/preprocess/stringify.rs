//! The operators `#` and `##` (C11 6.10.3.2, 6.10.3.3).

use super::engine::Unit;
use super::lexer;
use super::token::{Kind, MADE, SPACE, Tok};
use super::{DiagnosticKind, Severity};

impl Unit<'_> {
    /// `#argument`: its tokens as one string literal. `model` gives place and origin.
    pub(super) fn stringify(&mut self, argument: &[Tok], model: Tok) -> Tok {
        let mut text = String::from("\"");
        for (at, tok) in argument.iter().enumerate() {
            if at > 0 && tok.spaced() {
                text.push(' ');
            }
            let mut buffer = [0; 4];
            let spelling = self.text(tok, &mut buffer);
            match tok.kind {
                Kind::Str | Kind::Char => {
                    for c in spelling.chars() {
                        if matches!(c, '"' | '\\') {
                            text.push('\\');
                        }
                        text.push(c);
                    }
                }
                _ => text.push_str(spelling),
            }
        }
        // A lone backslash at the end would escape the closing quote.
        let backslashes = text.chars().rev().take_while(|&c| c == '\\').count();
        if backslashes % 2 == 1 {
            text.pop();
        }
        text.push('"');
        let mut made = self.made(Kind::Str, &text, model.node);
        made.flags |= model.flags & SPACE;
        made
    }

    /// `left ## right`, or `None` with a report when that is not one token.
    pub(super) fn paste(&mut self, left: &Tok, right: &Tok, origin: u32) -> Option<Tok> {
        let (mut left_buffer, mut right_buffer) = ([0; 4], [0; 4]);
        let mut text = self.text(left, &mut left_buffer).to_owned();
        text.push_str(self.text(right, &mut right_buffer));
        let Some(token) = lexer::single(&text) else {
            let message = format!("pasting '{text}' does not give one token");
            self.report_at(Some(self.last_read), DiagnosticKind::Macro, Severity::Error, message);
            return None;
        };
        let mut made = match token.kind {
            // Names and punctuators are spelled by their number.
            Kind::Ident | Kind::Punct => {
                Tok { sym: token.sym, kind: token.kind, node: origin, flags: MADE, ..*left }
            }
            kind => self.made(kind, &text, origin),
        };
        made.flags |= left.flags & SPACE;
        Some(made)
    }
}
