//! Assignment, compound assignment, `++` and `--`.

use crate::ir::{BinaryOp, Expr, ExprKind, Place, Span};

use super::call::Prepared;
use super::syntax::{FieldName, Kind, NodeId};
use super::unit::UnitLowerer;

/// The arithmetic of a compound assignment operator; `None` for `=`.
fn arithmetic(kind: Kind) -> Option<BinaryOp> {
    Some(match kind {
        Kind::AddAssign => BinaryOp::Add,
        Kind::SubAssign => BinaryOp::Sub,
        Kind::MulAssign => BinaryOp::Mul,
        Kind::DivAssign => BinaryOp::Div,
        Kind::RemAssign => BinaryOp::Rem,
        Kind::ShlAssign => BinaryOp::Shl,
        Kind::ShrAssign => BinaryOp::Shr,
        Kind::AndAssign => BinaryOp::BitAnd,
        Kind::XorAssign => BinaryOp::BitXor,
        Kind::OrAssign => BinaryOp::BitOr,
        _ => return None,
    })
}

impl UnitLowerer<'_> {
    /// `a = b`, `a += b`: emits it; the result is the place assigned to.
    pub(super) fn assignment(&mut self, node: NodeId) -> Place {
        let span = self.span(node);
        let (Some(left), Some(right)) = (self.part(node, FieldName::Left), self.part(node, FieldName::Right))
        else {
            return self.unknown_place(span);
        };
        let op = self.part(node, FieldName::Operator).and_then(|o| arithmetic(self.syntax.kind(o)));
        // The order of the two sides is unspecified; side effects of the left one come first, else the right one does,
        // so that `a[i] = f()` and `x = y = z` read naturally.
        let early = self.syntax.get(left).effects.then(|| self.place(left));
        if op.is_none() && early.is_none() && self.is_call(right) {
            return self.assign_call(left, right, span);
        }
        let value = self.expr(right);
        let place = match early {
            Some(place) => place,
            None => self.place(left),
        };
        self.store(place.clone(), op, value, span);
        place
    }

    /// `place = value` or `place op= value` with the conversions of C.
    pub(super) fn store(&mut self, place: Place, op: Option<BinaryOp>, value: Expr, span: Span) {
        let value = match op {
            None => value,
            Some(op) => {
                let old = self.load(place.clone());
                self.binary(op, old, value, span)
            }
        };
        let value = self.convert(value, place.ty);
        self.emit_assign(place, value, span);
    }

    /// Whether a node is a call, in parentheses and casts or not. A cast between pointers changes nothing.
    fn is_call(&self, node: NodeId) -> bool {
        self.syntax.kind(self.call_within(node)) == Kind::Call
    }

    /// `left = f(...)`: the call writes the place itself where no conversion is needed.
    fn assign_call(&mut self, left: NodeId, right: NodeId, span: Span) -> Place {
        let prepared = self.prepare_call(self.call_within(right));
        let Some(prepared) = prepared else {
            let value = self.expr(right);
            let place = self.place(left);
            self.store(place.clone(), None, value, span);
            return place;
        };
        let place = self.place(left);
        self.store_call(prepared, place.clone(), right, span);
        place
    }

    /// The call in `(T) (f(...))`.
    fn call_within(&self, node: NodeId) -> NodeId {
        let mut call = node;
        while let Some(inner) = match self.syntax.kind(call) {
            Kind::Parenthesized => self.syntax.first(call),
            Kind::Cast => self.part(call, FieldName::Value),
            _ => None,
        } {
            call = inner;
        }
        call
    }

    /// Initialises `place` with a call, if `value` is one; says whether it was.
    pub(super) fn initialise_with_call(&mut self, place: &Place, value: NodeId) -> bool {
        if !self.is_call(value) {
            return false;
        }
        let Some(prepared) = self.prepare_call(self.call_within(value)) else { return false };
        let span = self.span(value);
        self.store_call(prepared, place.clone(), value, span);
        true
    }

    /// Emits a prepared call whose result, cast as `written` says, goes to `place`.
    fn store_call(&mut self, prepared: Prepared, place: Place, written: NodeId, span: Span) {
        let pointers = self.is_pointer(prepared.result) && self.is_pointer(place.ty);
        let uncast = self.syntax.kind(written) == Kind::Call;
        let same = prepared.result == place.ty || prepared.result == self.basic.unknown;
        if pointers || (uncast && same) {
            self.emit_call(prepared, Some(place));
            return;
        }
        let at = prepared.span;
        if prepared.result == self.basic.void {
            self.emit_call(prepared, None);
            return;
        }
        let result = self.temporary(prepared.result, at);
        self.emit_call(prepared, Some(result.clone()));
        let value = self.load(result);
        let value = self.casts_around(written, value);
        self.store(place, None, value, span);
    }

    /// The casts written around a call, applied to its result.
    fn casts_around(&mut self, node: NodeId, mut value: Expr) -> Expr {
        let mut casts = Vec::new();
        let mut at = node;
        while let Some(inner) = match self.syntax.kind(at) {
            Kind::Parenthesized => self.syntax.first(at),
            Kind::Cast => {
                casts.push(at);
                self.part(at, FieldName::Value)
            }
            _ => None,
        } {
            at = inner;
        }
        // A tower of casts is no program.
        if casts.len() > 100 {
            return self.unknown("expression nested too deeply", value.ty, value.span);
        }
        for cast in casts.into_iter().rev() {
            if let Some(ty) = self.part(cast, FieldName::Type) {
                let ty = self.type_descriptor(ty);
                let span = self.span(cast);
                value = self.explicit_cast(value, ty, span);
            }
        }
        value
    }

    /// Operand, whether it is `++`, and whether the old value is asked for. tree-sitter-c reads `-x++` as `(-x)++`, so
    /// unary nodes around the operand are set aside.
    fn update_parts(&self, node: NodeId) -> Option<(NodeId, bool, bool, Vec<NodeId>)> {
        let operator = self.part(node, FieldName::Operator)?;
        let mut argument = self.part(node, FieldName::Argument)?;
        let increment = self.syntax.kind(operator) == Kind::Increment;
        let postfix = self.span(operator).start >= self.span(argument).end;
        let mut around = Vec::new();
        while postfix && self.syntax.kind(argument) == Kind::Unary {
            around.push(argument);
            argument = self.part(argument, FieldName::Argument)?;
        }
        Some((argument, increment, postfix, around))
    }

    /// `x++` and the like as a value.
    pub(super) fn update(&mut self, node: NodeId) -> Expr {
        let span = self.span(node);
        let Some((argument, increment, postfix, around)) = self.update_parts(node) else {
            return self.unknown("malformed expression", self.basic.int, span);
        };
        let place = self.place(argument);
        let mut value = if postfix {
            let saved = self.temporary(place.ty, span);
            let old = self.load(place.clone());
            self.emit_assign(saved.clone(), old, span);
            self.step(place, increment, span);
            self.load(saved)
        } else {
            self.step(place.clone(), increment, span);
            self.load(place)
        };
        for unary in around.into_iter().rev() {
            value = self.apply_unary(unary, value);
        }
        value
    }

    /// `x++` whose value is not used.
    pub(super) fn update_effect(&mut self, node: NodeId) {
        let span = self.span(node);
        if let Some((argument, increment, ..)) = self.update_parts(node) {
            let place = self.place(argument);
            self.step(place, increment, span);
        }
    }

    fn step(&mut self, place: Place, increment: bool, span: Span) {
        let one = Expr { kind: ExprKind::Int(1), ty: self.basic.int, span };
        let op = if increment { BinaryOp::Add } else { BinaryOp::Sub };
        self.store(place, Some(op), one, span);
    }
}
