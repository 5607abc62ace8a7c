//! Assumptions: what `// anyrank: assume EXPR` says becomes a branch whose other arm is not reached.
//!
//! An assumption stands where a statement could stand in a block. Anywhere else it would be unclear where it holds, and that is said.

use std::ops::Range;

use crate::ir::{Assumption, Problem, Span, Terminator};
use crate::mpi;

use super::lexer::{Tok, Token};
use super::rewrite::Rewriter;
use super::syntax::{Kind, NodeId};
use super::types::ScopeNames;
use super::unit::UnitLowerer;

/// An assumption and what has become of it.
pub(super) struct Pending {
    /// Where it stands in the text.
    offset: u32,
    assumption: Assumption,
    /// Whether the code around it was lowered.
    placed: bool,
}

impl Pending {
    pub(super) fn new(from: crate::preprocess::Assumption, tokens: &[Token]) -> Self {
        let Range { start, end } = from.expression;
        // Without the blanks before it.
        let first = tokens.get(tokens.partition_point(|token| token.start < start));
        let span = Span { start: first.map_or(end, |token| token.start.min(end)), end };
        Self { offset: from.offset, assumption: Assumption { span, text: from.text.into() }, placed: false }
    }

    pub(super) fn stands_in(&self, span: Span) -> bool {
        (span.start..span.end).contains(&self.offset)
    }
}

impl UnitLowerer<'_> {
    /// Takes in the assumptions in a gap between two statements.
    pub(super) fn assumptions_between(&mut self, from: u32, to: u32) {
        let first = self.assumptions.partition_point(|a| a.offset < from);
        for index in first..self.assumptions.len() {
            if to <= self.assumptions[index].offset {
                break;
            }
            let again = std::mem::replace(&mut self.assumptions[index].placed, true);
            let span = self.assumptions[index].assumption.span;
            if let Err(message) = self.assumption(span)
                && !again
            {
                self.problems.push(Problem { span, message, function: None });
            }
        }
    }

    /// Goes on where an expression of the text holds only.
    fn assumption(&mut self, span: Span) -> Result<(), String> {
        let condition = self.assumed(span)?;
        let (holds, fails) = (self.new_block(), self.new_block());
        self.condition(condition, holds, fails);
        self.enter(fails);
        self.terminate(Terminator::Unreachable);
        self.enter(holds);
        Ok(())
    }

    /// Parses and checks what is assumed.
    fn assumed(&mut self, span: Span) -> Result<NodeId, String> {
        let from = self.tokens.partition_point(|token| token.start < span.start);
        let to = self.tokens.partition_point(|token| token.start < span.end);
        let no_expression = || "what follows `anyrank: assume` is no C expression; it is left out".to_owned();
        if !is_balanced(&self.tokens[from..to]) {
            return Err(no_expression());
        }
        let node = self.parsed_apart(from, to).ok_or_else(no_expression)?;
        let mut inner = node;
        while self.syntax.kind(inner) == Kind::Parenthesized {
            inner = self.syntax.first(inner).ok_or_else(no_expression)?;
        }
        if self.syntax.kind(inner) == Kind::Comma {
            return Err("`anyrank: assume` takes one condition; join several by `&&`".to_owned());
        }
        if self.syntax.get(node).effects {
            return Err("what `anyrank: assume` says must not call a function or change a variable; \
                        it is left out"
                .to_owned());
        }
        let mut work = vec![node];
        while let Some(next) = work.pop() {
            if self.syntax.kind(next) == Kind::Identifier {
                let name = self.node_text(next);
                if self.scopes.symbol(name).is_none() && mpi::constant(name).is_none() {
                    return Err(format!(
                        "`{name}` in `anyrank: assume` is not declared here; it is left out"
                    ));
                }
            }
            work.extend(self.syntax.children(next));
        }
        Ok(node)
    }

    /// Some tokens as an expression.
    fn parsed_apart(&mut self, from: usize, to: usize) -> Option<NodeId> {
        let names = ScopeNames { unit: self };
        let buffer = Rewriter::new(names.unit.text, names.unit.tokens, &names).result(from, to);
        let saved = std::mem::take(&mut self.marks);
        let root = self.parse(&buffer);
        self.marks = saved;
        let result = self.find(root.ok()?, Kind::Return)?;
        // The first child is the word itself.
        self.syntax.children(result).find(|&n| self.syntax.kind(n) != Kind::Other)
    }

    /// What is assumed. It is a problem where something stands where nothing can be assumed.
    pub(super) fn finished_assumptions(&mut self) -> Vec<Assumption> {
        let (placed, others): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.assumptions).into_iter().partition(|a| a.placed);
        self.problems.extend(others.into_iter().map(|other| Problem {
            span: other.assumption.span,
            message:
                "`anyrank: assume` must stand between two statements of a block; it is left out".to_owned(),
            function: None,
        }));
        placed.into_iter().map(|a| a.assumption).collect()
    }
}

/// Whether some tokens can be put into parentheses: all brackets are closed, and there is no statement among them.
fn is_balanced(tokens: &[Token]) -> bool {
    let mut open = Vec::new();
    for token in tokens {
        match token.kind {
            Tok::P(bracket @ (b'(' | b'[')) => open.push(bracket),
            Tok::P(b')') if open.pop() != Some(b'(') => return false,
            Tok::P(b']') if open.pop() != Some(b'[') => return false,
            Tok::P(b';' | b'{' | b'}') | Tok::Directive => return false,
            _ => {}
        }
    }
    open.is_empty() && !tokens.is_empty()
}
