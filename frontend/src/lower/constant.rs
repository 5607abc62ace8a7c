//! Integer constant expressions.

use crate::ir::{Expr, ExprKind, UnaryOp};

use super::arithmetic::fold;
use super::literal::wrap;
use super::syntax::NodeId;
use super::unit::UnitLowerer;

impl UnitLowerer<'_> {
    /// The value of an integer constant expression, enumerators included.
    pub(super) fn constant_value(&mut self, node: NodeId) -> Option<i128> {
        let (e, pure) = self.scratch(|this| this.expr(node));
        if pure { self.value_of(&e) } else { None }
    }

    /// The value of a pure expression, if it is an integer constant.
    pub(super) fn value_of(&self, e: &Expr) -> Option<i128> {
        match &e.kind {
            ExprKind::Int(value) => Some(*value),
            ExprKind::Constant { value, .. } => *value,
            ExprKind::Cast(inner) => match inner.kind {
                ExprKind::Float(value) if value.abs() < 1e18 => {
                    Some(wrap(value as i128, self.int_kind(e.ty)?))
                }
                _ => {
                    let value = self.value_of(inner)?;
                    self.int_kind(e.ty).map(|kind| wrap(value, kind))
                }
            },
            ExprKind::Unary(op, inner) => {
                let value = self.value_of(inner)?;
                let value = match op {
                    UnaryOp::Neg => value.checked_neg()?,
                    UnaryOp::Not => i128::from(value == 0),
                    UnaryOp::BitNot => !value,
                    UnaryOp::Real | UnaryOp::Imag => return None,
                };
                Some(wrap(value, self.int_kind(e.ty)?))
            }
            ExprKind::Binary(op, a, b) => {
                let kind = self.int_kind(a.ty)?;
                let (a, b) = (self.value_of(a)?, self.value_of(b)?);
                let kind = if super::arithmetic::is_logical(*op) { kind } else { self.int_kind(e.ty)? };
                Some(wrap(fold(*op, a, b, kind)?, self.int_kind(e.ty)?))
            }
            ExprKind::Conditional(c, t, f) => {
                if self.value_of(c)? != 0 {
                    self.value_of(t)
                } else {
                    self.value_of(f)
                }
            }
            _ => None,
        }
    }

    /// The length in an array declarator: its value if constant, and an expression that stands for it from here on.
    pub(super) fn length(&mut self, node: NodeId) -> (Option<i128>, Expr) {
        if self.syntax.get(node).effects {
            // Not a constant; and what is nested in it must not be lowered twice.
            if self.body.quiet || self.body.name.is_none() {
                return (None, self.unknown("length not evaluated", self.basic.long, self.span(node)));
            }
        } else {
            let (e, pure) = self.scratch(|this| this.expr(node));
            if pure && let Some(value) = self.value_of(&e) {
                return (Some(value), e);
            }
            if self.body.quiet || self.body.name.is_none() {
                return (None, e);
            }
        }
        // Evaluated once, where the declaration stands; its variables may change afterwards.
        let e = self.expr(node);
        let span = e.span;
        let place = self.temporary(e.ty, span);
        let ty = e.ty;
        self.emit_assign(place.clone(), e, span);
        (None, Expr { kind: ExprKind::Load(Box::new(place)), ty, span })
    }
}
