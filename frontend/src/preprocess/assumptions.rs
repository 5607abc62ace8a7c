//! Assumptions: `// anyrank: assume EXPR`. Their expressions, with macros expanded, stand behind the code in the text, so that all that
//! is known of places in the text holds of them too; what they are about is found by the lowering.

use std::ops::Range;

use super::engine::Unit;
use super::expand::Level;
use super::lexed::LexedFile;
use super::lexer::Lexer;
use super::pragma::Mark;
use super::token::{LINE_START, Tok};
use super::{DiagnosticKind, Severity};

/// Of one expression this many tokens are read.
const MAX_TOKENS: usize = 1 << 12;

/// The expression of an assumption, with macros expanded.
pub(super) struct Assumed(Vec<Tok>);

impl Unit<'_> {
    /// Reads the assumption in a comment of the innermost file, which has just been reached.
    pub(super) fn assumption(&mut self, file: &LexedFile, comment: Range<u32>) {
        let Some(frame) = self.frames.last().filter(|frame| !frame.system) else { return };
        let index = frame.index;
        let mut lexer = Lexer::new(&file.text);
        lexer.pos = comment.start as usize;
        let mut toks = self.list();
        while lexer.pos < comment.end as usize {
            match lexer.next() {
                Some(token) if token.start + token.len <= comment.end => toks.push(Tok::new(&token, index)),
                Some(_) => break,
                // The end of a line, in a comment of several.
                None => lexer.pos += 1,
            }
        }
        let complaint = match toks.last() {
            None => Some("`anyrank: assume` says nothing; write `// anyrank: assume EXPR`"),
            Some(_) if self.collecting.is_some() => {
                Some("among the arguments of a macro nothing can be assumed; write it between two statements")
            }
            Some(_) => None,
        };
        if let Some(message) = complaint {
            let (at, kind) = (Some((index, comment.start)), DiagnosticKind::Assumption);
            return self.report_at(at, kind, Severity::Error, message.to_owned());
        }
        let (first, last) = (toks[0], toks[toks.len() - 1]);
        let text = file.slice(first.start, last.start + last.len - first.start);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let level = Level { floor: self.contexts.len(), file: false };
        self.push_context(toks, None);
        let mut expression = Vec::new();
        while let Some(tok) = self.next_expanded(level) {
            expression.push(tok);
            if expression.len() > MAX_TOKENS {
                break;
            }
        }
        self.drop_contexts(level);
        if let Some(first) = expression.first_mut() {
            first.flags |= LINE_START;
        }
        self.marks.push((self.out.len(), Mark::Stands(text)));
        self.assumed.push(Assumed(expression));
    }

    /// Puts the expressions of all assumptions behind the code.
    pub(super) fn append_assumptions(&mut self, code: &mut Vec<Tok>) {
        let assumed = std::mem::take(&mut self.assumed);
        let count = assumed.len();
        for (which, Assumed(expression)) in assumed.into_iter().enumerate() {
            self.marks.push((code.len(), Mark::Expression(which)));
            code.extend(expression);
        }
        self.marks.push((code.len(), Mark::Expression(count)));
    }
}
