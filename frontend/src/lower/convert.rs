//! Conversions: promotions, usual arithmetic conversions, assignment conversions, casts.

use crate::ir::{Expr, ExprKind, IntKind, Span, Type, TypeId};

use super::literal::{maximum, minimum, wrap};
use super::unit::UnitLowerer;

/// Conversion rank of an integer type (C11 6.3.1.1).
fn rank(kind: IntKind) -> u8 {
    match kind {
        IntKind::Bool => 0,
        IntKind::Char | IntKind::SChar | IntKind::UChar => 1,
        IntKind::Short | IntKind::UShort => 2,
        IntKind::Int | IntKind::UInt => 3,
        IntKind::Long | IntKind::ULong => 4,
        IntKind::LongLong | IntKind::ULongLong => 5,
        IntKind::Int128 | IntKind::UInt128 => 6,
    }
}

fn unsigned(kind: IntKind) -> IntKind {
    match kind {
        IntKind::Int => IntKind::UInt,
        IntKind::Long => IntKind::ULong,
        IntKind::LongLong => IntKind::ULongLong,
        IntKind::Int128 => IntKind::UInt128,
        other => other,
    }
}

/// The type of an integer operand after promotion.
pub(super) fn promoted(kind: IntKind) -> IntKind {
    if rank(kind) < rank(IntKind::Int) { IntKind::Int } else { kind }
}

/// The common type of two integer operands.
pub(super) fn common(a: IntKind, b: IntKind) -> IntKind {
    let (a, b) = (promoted(a), promoted(b));
    if a == b {
        return a;
    }
    if a.is_signed() == b.is_signed() {
        return if rank(a) >= rank(b) { a } else { b };
    }
    let (signed_kind, unsigned_kind) = if a.is_signed() { (a, b) } else { (b, a) };
    if rank(unsigned_kind) >= rank(signed_kind) {
        unsigned_kind
    } else if maximum(signed_kind) >= maximum(unsigned_kind) {
        signed_kind
    } else {
        unsigned(signed_kind)
    }
}

impl UnitLowerer<'_> {
    /// The integer kind of a type, enums included.
    pub(super) fn int_kind(&self, ty: TypeId) -> Option<IntKind> {
        match *self.types.get(ty) {
            Type::Int(kind) | Type::Enum(_, kind) => Some(kind),
            _ => None,
        }
    }

    pub(super) fn int_type(&mut self, kind: IntKind) -> TypeId {
        self.types.intern(Type::Int(kind))
    }

    pub(super) fn is_pointer(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Pointer(_) | Type::Array(..))
    }

    pub(super) fn is_arithmetic(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Int(_) | Type::Enum(..) | Type::Float(_) | Type::Complex(_))
    }

    pub(super) fn unknown(&self, reason: &'static str, ty: TypeId, span: Span) -> Expr {
        Expr { kind: ExprKind::Unknown(reason), ty, span }
    }

    pub(super) fn int(&self, value: i128, span: Span) -> Expr {
        Expr { kind: ExprKind::Int(value), ty: self.basic.int, span }
    }

    /// The type both operands of an arithmetic operator are converted to.
    pub(super) fn common_type(&mut self, a: TypeId, b: TypeId) -> TypeId {
        let size = |ty: &Type| match *ty {
            Type::Float(size) => Some((false, size)),
            Type::Complex(size) => Some((true, size / 2)),
            _ => None,
        };
        let (ta, tb) = (self.types.get(a), self.types.get(b));
        if matches!(ta, Type::Unknown | Type::Named(_)) || matches!(tb, Type::Unknown | Type::Named(_)) {
            return self.basic.unknown;
        }
        let (fa, fb) = (size(ta), size(tb));
        match (fa, fb) {
            (None, None) => match (self.int_kind(a), self.int_kind(b)) {
                (Some(a), Some(b)) => self.int_type(common(a, b)),
                _ => self.basic.unknown,
            },
            _ => {
                let complex = fa.is_some_and(|f| f.0) || fb.is_some_and(|f| f.0);
                let width = fa.map_or(0, |f| f.1).max(fb.map_or(0, |f| f.1));
                self.types.intern(if complex { Type::Complex(width * 2) } else { Type::Float(width) })
            }
        }
    }

    /// An operand after integer promotion.
    pub(super) fn promote(&mut self, e: Expr) -> Expr {
        match self.int_kind(e.ty) {
            Some(kind) => {
                let ty = self.int_type(promoted(kind));
                self.convert(e, ty)
            }
            None => e,
        }
    }

    /// `e` converted to `ty` without a cast being written. Where every value of the one type is a value of the other
    /// nothing is added, except that the change between integer and floating is always seen.
    pub(super) fn convert(&mut self, e: Expr, ty: TypeId) -> Expr {
        if e.ty == ty {
            return e;
        }
        let from = self.types.get(e.ty);
        let to = self.types.get(ty);
        match (from, to) {
            (Type::Int(_) | Type::Enum(..), Type::Int(_) | Type::Enum(..)) => {
                let (Some(source), Some(target)) = (self.int_kind(e.ty), self.int_kind(ty)) else { return e };
                if let ExprKind::Int(value) = e.kind {
                    return Expr { kind: ExprKind::Int(wrap(value, target)), ty, span: e.span };
                }
                if let ExprKind::Constant { value: Some(value), .. } = e.kind
                    && wrap(value, target) == value
                {
                    return e;
                }
                if minimum(target) <= minimum(source)
                    && maximum(source) <= maximum(target)
                    && target != IntKind::Bool
                {
                    return e;
                }
                self.cast(e, ty)
            }
            (Type::Int(_) | Type::Enum(..), Type::Float(_)) => {
                if let ExprKind::Int(value) = e.kind
                    && value.unsigned_abs() < 1 << 53
                {
                    return Expr { kind: ExprKind::Float(value as f64), ty, span: e.span };
                }
                self.cast(e, ty)
            }
            (Type::Float(a), Type::Float(b)) => {
                if let ExprKind::Float(value) = e.kind {
                    let value = if *b == 4 { f64::from(value as f32) } else { value };
                    return Expr { kind: ExprKind::Float(value), ty, span: e.span };
                }
                if a < b { e } else { self.cast(e, ty) }
            }
            (Type::Float(_) | Type::Complex(_), Type::Int(_) | Type::Enum(..))
            | (Type::Int(_) | Type::Enum(..) | Type::Float(_) | Type::Complex(_), Type::Complex(_))
            | (Type::Complex(_), Type::Float(_)) => self.cast(e, ty),
            (Type::Pointer(_), Type::Int(IntKind::Bool)) => self.cast(e, ty),
            _ => e,
        }
    }

    fn cast(&self, e: Expr, ty: TypeId) -> Expr {
        let span = e.span;
        Expr { kind: ExprKind::Cast(Box::new(e)), ty, span }
    }

    /// `(ty) e` as written.
    pub(super) fn explicit_cast(&mut self, e: Expr, ty: TypeId, span: Span) -> Expr {
        let both_arithmetic = self.is_arithmetic(e.ty) && self.is_arithmetic(ty);
        if let (ExprKind::Int(value), Some(kind)) = (&e.kind, self.int_kind(ty)) {
            return Expr { kind: ExprKind::Int(wrap(*value, kind)), ty, span };
        }
        if both_arithmetic {
            let converted = self.convert(e, ty);
            if converted.ty == ty {
                return Expr { span, ..converted };
            }
            return Expr { kind: ExprKind::Cast(Box::new(converted)), ty, span };
        }
        if e.ty == ty {
            return Expr { span, ..e };
        }
        Expr { kind: ExprKind::Cast(Box::new(e)), ty, span }
    }

    /// An argument that no parameter type is known for.
    pub(super) fn default_promotion(&mut self, e: Expr) -> Expr {
        match *self.types.get(e.ty) {
            Type::Float(4) => {
                let ty = self.basic.double;
                self.convert(e, ty)
            }
            Type::Int(_) | Type::Enum(..) => self.promote(e),
            _ => e,
        }
    }
}
