//! Conditions: `&&`, `||`, `!`, `?:` as branches, or as pure expressions where nothing in them has an effect.

use crate::ir::{BinaryOp, BlockId, Expr, ExprKind, Span, Terminator};

use super::syntax::{FieldName, Kind, NodeId};
use super::unit::UnitLowerer;

impl UnitLowerer<'_> {
    /// Branches to `then` if the expression is not zero, else to `otherwise`. What follows is not reachable.
    pub(super) fn condition(&mut self, node: NodeId, then: BlockId, otherwise: BlockId) {
        let done = self.deeper(|this| this.condition_inner(node, then, otherwise));
        if done.is_none() {
            let value = self.expr(node);
            self.branch(value, then, otherwise);
        }
    }

    fn condition_inner(&mut self, node: NodeId, then: BlockId, otherwise: BlockId) {
        let n = self.syntax.get(node);
        if !n.effects {
            let value = self.expr(node);
            self.branch(value, then, otherwise);
            return;
        }
        match n.kind {
            Kind::Parenthesized => {
                if let Some(inner) = self.syntax.first(node)
                    && self.syntax.kind(inner) != Kind::Compound
                {
                    self.condition(inner, then, otherwise);
                    return;
                }
            }
            Kind::Unary => {
                let bang =
                    self.part(node, FieldName::Operator).is_some_and(|o| self.syntax.kind(o) == Kind::Bang);
                if bang && let Some(argument) = self.part(node, FieldName::Argument) {
                    self.condition(argument, otherwise, then);
                    return;
                }
            }
            Kind::Comma => {
                if let (Some(left), Some(right)) =
                    (self.part(node, FieldName::Left), self.part(node, FieldName::Right))
                {
                    self.effects(left);
                    self.condition(right, then, otherwise);
                    return;
                }
            }
            Kind::Binary => {
                if let Some(op) = self.logical_operator(node)
                    && let (Some(left), Some(right)) =
                        (self.part(node, FieldName::Left), self.part(node, FieldName::Right))
                {
                    let second = self.new_block();
                    if op == BinaryOp::And {
                        self.condition(left, second, otherwise);
                    } else {
                        self.condition(left, then, second);
                    }
                    self.enter(second);
                    self.condition(right, then, otherwise);
                    return;
                }
            }
            Kind::Call => {
                if let Some(inner) = self.transparent_call(node) {
                    self.condition(inner, then, otherwise);
                    return;
                }
            }
            _ => {}
        }
        let value = self.expr(node);
        self.branch(value, then, otherwise);
    }

    /// Ends the current block with a branch on a pure value.
    pub(super) fn branch(&mut self, condition: Expr, then: BlockId, otherwise: BlockId) {
        let terminator = match condition.kind {
            ExprKind::Int(0) => Terminator::Goto(otherwise),
            ExprKind::Int(_) => Terminator::Goto(then),
            _ => Terminator::Branch { condition, then, otherwise },
        };
        self.terminate(terminator);
    }

    /// `a && b` or `a || b` as a value.
    pub(super) fn logical_expr(&mut self, node: NodeId) -> Expr {
        let span = self.span(node);
        let (Some(op), Some(left), Some(right)) = (
            self.logical_operator(node),
            self.part(node, FieldName::Left),
            self.part(node, FieldName::Right),
        ) else {
            return self.unknown("malformed expression", self.basic.int, span);
        };
        if !self.syntax.get(right).effects {
            // Side effects of the left operand come first either way.
            let (a, b) = (self.expr(left), self.expr(right));
            return self.binary(op, a, b, span);
        }
        let (yes, no, join) = (self.new_block(), self.new_block(), self.new_block());
        let result = self.temporary(self.basic.int, span);
        self.condition(node, yes, no);
        for (block, value) in [(yes, 1), (no, 0)] {
            self.enter(block);
            let value = self.int(value, span);
            self.emit_assign(result.clone(), value, span);
            self.goto_and_enter(join);
        }
        self.load(result)
    }

    /// `a && b` for its side effects.
    pub(super) fn logical_effect(&mut self, node: NodeId) {
        let (Some(op), Some(left), Some(right)) = (
            self.logical_operator(node),
            self.part(node, FieldName::Left),
            self.part(node, FieldName::Right),
        ) else {
            return;
        };
        let (second, join) = (self.new_block(), self.new_block());
        if op == BinaryOp::And {
            self.condition(left, second, join);
        } else {
            self.condition(left, join, second);
        }
        self.enter(second);
        self.effects(right);
        self.goto_and_enter(join);
    }

    /// `c ? t : e` as a value. In GNU's `c ?: e` the condition is the value and is evaluated once.
    pub(super) fn conditional_expr(&mut self, node: NodeId) -> Expr {
        let span = self.span(node);
        let (Some(c), Some(e)) =
            (self.part(node, FieldName::Condition), self.part(node, FieldName::Alternative))
        else {
            return self.unknown("malformed expression", self.basic.int, span);
        };
        let Some(t) = self.part(node, FieldName::Consequence) else {
            return self.elvis(c, e, span);
        };
        if !self.syntax.get(t).effects && !self.syntax.get(e).effects {
            let c = self.expr(c);
            let (t, e) = (self.expr(t), self.expr(e));
            return self.conditional(c, t, e, span);
        }
        let (yes, no) = (self.new_block(), self.new_block());
        self.condition(c, yes, no);
        self.enter(yes);
        let t = self.expr(t);
        let yes_end = self.body.current;
        self.enter(no);
        let e = self.expr(e);
        self.join_arms((yes_end, t), e, span)
    }

    /// The current block ends with `e`, the block `t.0` with `t.1`: the value of whichever was run.
    fn join_arms(&mut self, t: (usize, Expr), e: Expr, span: Span) -> Expr {
        let (yes_end, t) = t;
        let no_end = self.body.current;
        let ty = self.conditional_type(&t, &e);
        let join = self.new_block();
        let result = if ty == self.basic.void { None } else { Some(self.temporary(ty, span)) };
        for (block, value) in [(yes_end, t), (no_end, e)] {
            self.body.current = block;
            // In `c ? f() : (void) 0` one arm may have a type that is not known.
            if let Some(result) = &result
                && value.ty != self.basic.void
            {
                self.store(result.clone(), None, value, span);
            }
            self.goto_and_enter(join);
        }
        match result {
            Some(result) => self.load(result),
            None => Expr { kind: ExprKind::Int(0), ty, span },
        }
    }

    fn elvis(&mut self, c: NodeId, e: NodeId, span: Span) -> Expr {
        let value = self.expr(c);
        let saved = self.temporary(value.ty, span);
        self.emit_assign(saved.clone(), value, span);
        if !self.syntax.get(e).effects {
            let (c, t) = (self.load(saved.clone()), self.load(saved));
            let e = self.expr(e);
            return self.conditional(c, t, e, span);
        }
        let (yes, no) = (self.new_block(), self.new_block());
        let c = self.load(saved.clone());
        self.branch(c, yes, no);
        self.enter(no);
        let e = self.expr(e);
        let t = self.load(saved);
        self.join_arms((yes.index(), t), e, span)
    }

    /// `c ? t : e` for its side effects.
    pub(super) fn conditional_effect(&mut self, node: NodeId) {
        let (Some(c), Some(e)) =
            (self.part(node, FieldName::Condition), self.part(node, FieldName::Alternative))
        else {
            return;
        };
        let (yes, no, join) = (self.new_block(), self.new_block(), self.new_block());
        self.condition(c, yes, no);
        self.enter(yes);
        if let Some(t) = self.part(node, FieldName::Consequence) {
            self.effects(t);
        }
        self.goto_and_enter(join);
        self.enter(no);
        self.effects(e);
        self.goto_and_enter(join);
    }
}
