//! Unary and binary operators on values, with the types C gives them; constants are folded.

use crate::ir::{BinaryOp, Expr, ExprKind, IntKind, Projection, Span, Type, TypeId, UnaryOp};

use super::literal::wrap;
use super::unit::UnitLowerer;

/// The value of an integer operation in a type; `None` where C gives it none.
pub(super) fn fold(op: BinaryOp, a: i128, b: i128, kind: IntKind) -> Option<i128> {
    let bits = kind.size() * 8;
    let value = match op {
        BinaryOp::Add => a.checked_add(b)?,
        BinaryOp::Sub => a.checked_sub(b)?,
        BinaryOp::Mul => a.checked_mul(b)?,
        BinaryOp::Div => a.checked_div(b)?,
        BinaryOp::Rem => a.checked_rem(b)?,
        BinaryOp::Shl => {
            let by = u32::try_from(b).ok().filter(|b| u64::from(*b) < bits)?;
            // Only the low bits survive, so nothing is lost by shifting those alone.
            if bits > 64 { a.checked_mul(1_i128.checked_shl(by)?)? } else { a << by.min(63) }
        }
        BinaryOp::Shr => a >> u32::try_from(b).ok().filter(|b| u64::from(*b) < bits)?,
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::Lt => i128::from(a < b),
        BinaryOp::Le => i128::from(a <= b),
        BinaryOp::Gt => i128::from(a > b),
        BinaryOp::Ge => i128::from(a >= b),
        BinaryOp::Eq => i128::from(a == b),
        BinaryOp::Ne => i128::from(a != b),
        BinaryOp::And => i128::from(a != 0 && b != 0),
        BinaryOp::Or => i128::from(a != 0 || b != 0),
    };
    Some(value)
}

/// Whether the result of the operator is 0 or 1.
pub(super) fn is_logical(op: BinaryOp) -> bool {
    op.is_comparison() || matches!(op, BinaryOp::And | BinaryOp::Or)
}

impl UnitLowerer<'_> {
    /// `a op b`
    pub(super) fn binary(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        match op {
            BinaryOp::And | BinaryOp::Or => self.make_binary(op, a, b, self.basic.int, span),
            BinaryOp::Shl | BinaryOp::Shr => {
                let (a, b) = (self.promote(a), self.promote(b));
                let ty = match self.int_kind(a.ty) {
                    Some(kind) => self.int_type(super::convert::promoted(kind)),
                    None => self.basic.unknown,
                };
                self.make_binary(op, a, b, ty, span)
            }
            BinaryOp::Add | BinaryOp::Sub if self.is_pointer(a.ty) || self.is_pointer(b.ty) => {
                self.pointer_arithmetic(op, a, b, span)
            }
            _ if is_logical(op) => {
                let both = self.is_arithmetic(a.ty) && self.is_arithmetic(b.ty);
                let (a, b) = if both { self.usual(a, b) } else { (a, b) };
                self.make_binary(op, a, b, self.basic.int, span)
            }
            _ => {
                let (a, b) = self.usual(a, b);
                let ty = if self.is_arithmetic(a.ty) && self.is_arithmetic(b.ty) {
                    self.common_type(a.ty, b.ty)
                } else {
                    self.basic.unknown
                };
                self.make_binary(op, a, b, ty, span)
            }
        }
    }

    /// Both operands in their common type.
    pub(super) fn usual(&mut self, a: Expr, b: Expr) -> (Expr, Expr) {
        let ty = self.common_type(a.ty, b.ty);
        if ty == self.basic.unknown {
            return (a, b);
        }
        (self.convert(a, ty), self.convert(b, ty))
    }

    fn pointer_arithmetic(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        // `i + p` is `p + i`.
        let (a, b) = if op == BinaryOp::Add && !self.is_pointer(a.ty) { (b, a) } else { (a, b) };
        let ty = if op == BinaryOp::Sub && self.is_pointer(b.ty) { self.basic.long } else { a.ty };
        if b.kind == ExprKind::Int(0) && ty == a.ty {
            return Expr { span, ..a };
        }
        // `&a[i] + j` is `&a[i + j]`.
        let element = matches!(&a.kind, ExprKind::AddressOf(place)
            if matches!(place.projections.last(), Some(Projection::Index(_))) && self.types.pointee(a.ty) == Some(place.ty));
        let sum = self.make_binary(op, a, b, ty, span);
        if element && ty != self.basic.long {
            let place = self.deref(sum, span);
            return self.address_of(place, span);
        }
        sum
    }

    fn make_binary(&mut self, op: BinaryOp, a: Expr, b: Expr, ty: TypeId, span: Span) -> Expr {
        if let (ExprKind::Int(x), ExprKind::Int(y)) = (&a.kind, &b.kind)
            && let Some(kind) = self.int_kind(a.ty)
            && let Some(value) = fold(op, *x, *y, kind)
        {
            let target = if is_logical(op) { IntKind::Int } else { self.int_kind(ty).unwrap_or(kind) };
            return Expr { kind: ExprKind::Int(wrap(value, target)), ty, span };
        }
        if let (ExprKind::Float(x), ExprKind::Float(y), Type::Float(8)) =
            (&a.kind, &b.kind, self.types.get(ty))
        {
            let value = match op {
                BinaryOp::Add => Some(x + y),
                BinaryOp::Sub => Some(x - y),
                BinaryOp::Mul => Some(x * y),
                BinaryOp::Div => Some(x / y),
                _ => None,
            };
            if let Some(value) = value {
                return Expr { kind: ExprKind::Float(value), ty, span };
            }
        }
        if let Some(value) = self.bounded_below(op, &a, &b) {
            return Expr { kind: ExprKind::Int(i128::from(value)), ty, span };
        }
        if op == BinaryOp::Div
            && let Some(count) = quotient_of_sizes(&a, &b)
        {
            return Expr { kind: ExprKind::Int(count), ty, span };
        }
        Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span }
    }

    /// What a comparison of an unsigned number with zero is, whatever the number.
    fn bounded_below(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<bool> {
        let (op, number) = match (&a.kind, &b.kind) {
            (_, ExprKind::Int(0)) => (op, a),
            (ExprKind::Int(0), _) => (op.mirrored(), b),
            _ => return None,
        };
        let holds = match op {
            BinaryOp::Ge => true,
            BinaryOp::Lt => false,
            _ => return None,
        };
        (!self.int_kind(number.ty)?.is_signed()).then_some(holds)
    }

    /// `op e`
    pub(super) fn unary(&mut self, op: UnaryOp, e: Expr, span: Span) -> Expr {
        let (e, ty) = match op {
            UnaryOp::Not => (e, self.basic.int),
            UnaryOp::Neg | UnaryOp::BitNot => {
                let e = self.promote(e);
                let ty = if self.is_arithmetic(e.ty) {
                    // `-s` of a short is an int although the operand keeps its own type.
                    match self.int_kind(e.ty) {
                        Some(kind) => self.int_type(super::convert::promoted(kind)),
                        None => e.ty,
                    }
                } else {
                    self.basic.unknown
                };
                (e, ty)
            }
            UnaryOp::Real | UnaryOp::Imag => {
                let ty = match *self.types.get(e.ty) {
                    Type::Complex(size) => self.types.intern(Type::Float(size / 2)),
                    _ => e.ty,
                };
                (e, ty)
            }
        };
        match (&e.kind, self.int_kind(ty)) {
            (ExprKind::Int(value), Some(kind)) => {
                let value = match op {
                    UnaryOp::Neg => value.checked_neg(),
                    UnaryOp::Not => Some(i128::from(*value == 0)),
                    UnaryOp::BitNot => Some(!*value),
                    UnaryOp::Real => Some(*value),
                    UnaryOp::Imag => Some(0),
                };
                if let Some(value) = value {
                    return Expr { kind: ExprKind::Int(wrap(value, kind)), ty, span };
                }
            }
            (ExprKind::Float(value), _) if op == UnaryOp::Neg => {
                return Expr { kind: ExprKind::Float(-value), ty, span };
            }
            _ => {}
        }
        Expr { kind: ExprKind::Unary(op, Box::new(e)), ty, span }
    }

    /// `c ? t : e` with pure operands.
    pub(super) fn conditional(&mut self, c: Expr, t: Expr, e: Expr, span: Span) -> Expr {
        let ty = self.conditional_type(&t, &e);
        let (t, e) = if self.is_arithmetic(ty) { (self.convert(t, ty), self.convert(e, ty)) } else { (t, e) };
        if let ExprKind::Int(value) = c.kind {
            let chosen = if value != 0 { t } else { e };
            // A narrower operand keeps its own type without a conversion; only an exact one may stand for the whole.
            if chosen.ty == ty {
                return Expr { span, ..chosen };
            }
            return Expr { kind: ExprKind::Cast(Box::new(chosen)), ty, span };
        }
        Expr { kind: ExprKind::Conditional(Box::new(c), Box::new(t), Box::new(e)), ty, span }
    }

    /// The type of a conditional operator.
    pub(super) fn conditional_type(&mut self, t: &Expr, e: &Expr) -> TypeId {
        if t.ty == e.ty && self.int_kind(t.ty).is_none() {
            return t.ty;
        }
        if self.is_arithmetic(t.ty) && self.is_arithmetic(e.ty) {
            return self.common_type(t.ty, e.ty);
        }
        let null = |x: &Expr| matches!(x.strip_casts().kind, ExprKind::Int(0));
        match (self.is_pointer(t.ty), self.is_pointer(e.ty)) {
            (true, true) if null(t) => e.ty,
            (true, true) if null(e) => t.ty,
            (true, true) if e.ty == self.basic.void_pointer => e.ty,
            (true, _) => t.ty,
            (false, true) => e.ty,
            _ if t.ty == self.basic.void || e.ty == self.basic.void => self.basic.void,
            _ if t.ty == self.basic.unknown => e.ty,
            _ => t.ty,
        }
    }
}

/// The quotient of two multiples of the size of one type, whatever that is: `sizeof requests / sizeof requests[0]`.
fn quotient_of_sizes(a: &Expr, b: &Expr) -> Option<i128> {
    let multiple = |e: &Expr| match &e.kind {
        ExprKind::Sizeof(ty) => Some((*ty, 1)),
        ExprKind::Binary(BinaryOp::Mul, size, count) => match (&size.kind, &count.kind) {
            (ExprKind::Sizeof(ty), ExprKind::Int(count)) => Some((*ty, *count)),
            _ => None,
        },
        _ => None,
    };
    let ((of, a), (to, b)) = (multiple(a)?, multiple(b)?);
    (of == to && a >= 0 && b > 0).then(|| a / b)
}
