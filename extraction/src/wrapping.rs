//! Numbers in types that do not hold all of them: they wrap around, are cut off, or compare without a sign.

use frontend::ir::{BinaryOp, Expr, ExprKind, IntKind, Type, TypeId};

use crate::error::Result;
use crate::extract::{Extractor, Frame};
use crate::form::{Atom, Bound, Form};
use crate::memory::Value;
use crate::region::Condition;
use crate::state::State;

/// The largest factor in what is computed without a sign.
const FACTOR: i64 = 4096;

impl Extractor<'_> {
    pub(crate) fn is_unsigned(&self, frame: &Frame, ty: TypeId) -> bool {
        match self.program.units[frame.unit()].types.get(ty) {
            Type::Int(kind) => !kind.is_signed() && *kind != IntKind::Bool,
            _ => false,
        }
    }

    /// A sum, a difference or a product without a sign, as if it never wrapped around in between: it is the same number where it fits at the
    /// end. `None` for anything else.
    pub(crate) fn before_wrapping(
        &mut self,
        frame: &Frame,
        state: &mut State,
        expr: &Expr,
    ) -> Result<Option<Form>> {
        let ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), left, right) = &expr.kind
        else {
            return Ok(None);
        };
        let mut sides = Vec::new();
        for side in [left, right] {
            let types = &self.program.units[frame.unit()].types;
            // What is converted to this type is the same number, but for what wraps around.
            let inner = match &side.kind {
                ExprKind::Cast(inner) => match (types.get(inner.ty), types.get(side.ty)) {
                    (Type::Int(from), Type::Int(_)) if from.is_signed() => Some(inner),
                    _ => None,
                },
                _ => None,
            };
            let form = match inner {
                Some(inner) => match self.evaluate(frame, state, inner)? {
                    Value::Number(form) => Some(form),
                    _ => None,
                },
                None => match self.before_wrapping(frame, state, side)? {
                    Some(form) => Some(form),
                    None => match self.evaluate(frame, state, side)? {
                        Value::Number(form) => Some(form),
                        _ => None,
                    },
                },
            };
            let Some(form) = form else { return Ok(None) };
            sides.push(form);
        }
        let (a, b) = (&sides[0], &sides[1]);
        Ok(match op {
            BinaryOp::Add => a.plus(b, 1),
            BinaryOp::Sub => a.plus(b, -1),
            _ => self.product(a, b),
        })
    }

    /// A number in a type with so many values, from `least` on: it wraps around. `None` where it has products.
    pub(crate) fn wrapped(
        &mut self,
        state: &mut State,
        form: &Form,
        (least, values): (i64, i64),
    ) -> Result<Option<Form>> {
        if !form.is_linear() {
            return Ok(None);
        }
        let is_of_all = form.coordinates().all(|at| self.counts(at));
        let at = self.new_coordinate();
        let Some(wrapped) = form.plus(&Form::atom(Atom::Coordinate(at)), -values) else { return Ok(None) };
        let bounds = [
            Bound::at_most(&Form::number(least), &wrapped),
            Bound::below(&wrapped, &Form::number(least + values)),
        ];
        let bounds: Vec<Bound> = bounds.into_iter().flatten().collect();
        state.region = state.region.extended(at, &[bounds], &self.parameters)?;
        self.uniform.extend(is_of_all.then_some(at));
        Ok(Some(wrapped))
    }

    /// A value of an integer type that a computation yields: a type without a sign wraps around.
    pub(crate) fn fitted(&mut self, frame: &Frame, state: &State, form: Form, ty: TypeId) -> Result<Value> {
        let is_signed = match self.program.units[frame.unit()].types.get(ty) {
            Type::Int(kind) | Type::Enum(_, kind) => kind.is_signed(),
            _ => true,
        };
        // Numbers of processes, of rounds and of elements are not that large that such multiples of them wrap around.
        let is_small = form.terms().all(|(_, factor)| factor.abs() <= FACTOR)
            && (0..=i64::from(i32::MAX)).contains(&form.constant.abs());
        if !is_signed && !is_small {
            return Ok(self.unknown(&[&Value::Number(form)]));
        }
        if is_signed || state.region.implies(Some(Bound::not_negative(form.clone())), &self.parameters)? {
            return Ok(Value::Number(form));
        }
        Ok(self.unknown(&[&Value::Number(form)]))
    }

    /// A value in another type.
    pub(crate) fn converted(
        &mut self,
        frame: &Frame,
        state: &mut State,
        value: Value,
        from: TypeId,
        to: TypeId,
    ) -> Result<Value> {
        if let Value::Address(place) = &value {
            self.note_recast(frame, place, (from, to));
        }
        let types = &self.program.units[frame.unit()].types;
        let is_real = |ty: TypeId| matches!(types.get(ty), Type::Float(_));
        let (is_from_real, is_to_real) = (is_real(from), is_real(to));
        let value = match (is_from_real, is_to_real) {
            (false, true) => self.as_real(value),
            // What is not zero is true, even if it is less than 1.
            (true, false) if matches!(types.get(to), Type::Int(IntKind::Bool)) => self.unknown(&[&value]),
            (true, false) => self.as_whole(state, value)?,
            _ => value,
        };
        let Value::Number(form) = &value else { return Ok(value) };
        let types = &self.program.units[frame.unit()].types;
        let (kind, narrow) = match (types.get(from), types.get(to)) {
            (Type::Int(from) | Type::Enum(_, from), Type::Int(to) | Type::Enum(_, to)) => {
                (*to, to.size() < from.size() && to.size() < 4)
            }
            (_, Type::Int(to) | Type::Enum(_, to)) => (*to, to.size() < 4),
            (_, Type::Float(_) | Type::Complex(_)) => {
                return Ok(if form.as_number().is_some() { value } else { self.unknown(&[&value]) });
            }
            _ => return Ok(value),
        };
        let mut bounds = Vec::new();
        if kind == IntKind::Bool {
            bounds.extend(Bound::at_most(form, &Form::number(1)));
        }
        if !kind.is_signed() {
            bounds.push(Bound::not_negative(form.clone()));
        }
        if narrow {
            let bits = 8 * kind.size() - u64::from(kind.is_signed());
            let top = Form::number((1 << bits) - 1);
            bounds.extend(Bound::at_most(form, &top));
            if kind.is_signed() {
                bounds.extend(Bound::at_most(&Form::number(-(1 << bits)), form));
            }
        }
        for bound in bounds {
            if state.region.implies(Some(bound), &self.parameters)? {
                continue;
            }
            let wrapped = match narrow && kind != IntKind::Bool {
                true => {
                    let values = 1 << (8 * kind.size());
                    let least = if kind.is_signed() { -(values / 2) } else { 0 };
                    self.wrapped(state, form, (least, values))?
                }
                false => None,
            };
            return Ok(wrapped.map_or_else(|| self.unknown(&[&value]), Value::Number));
        }
        Ok(value)
    }

    /// `a < b` and the like without a sign, where `a` may be below zero before it wraps around, and `b` is not: then it is no less.
    pub(crate) fn compared_unsigned(
        &mut self,
        frame: &Frame,
        state: &mut State,
        op: BinaryOp,
        (left, right): (&Expr, &Expr),
    ) -> Result<Option<Condition>> {
        let (low, high, is_less, or_equal) = match op {
            BinaryOp::Lt => (left, right, true, false),
            BinaryOp::Le => (left, right, true, true),
            BinaryOp::Ge => (left, right, false, false),
            BinaryOp::Gt => (left, right, false, true),
            _ => return Ok(None),
        };
        let is_int = |types: &frontend::ir::TypeTable, ty| matches!(types.get(ty), Type::Int(kind) if kind.size() == 4);
        let types = &self.program.units[frame.unit()].types;
        if !self.is_unsigned(frame, left.ty) || !is_int(types, left.ty) {
            return Ok(None);
        }
        let low = match &low.kind {
            ExprKind::Cast(inner) if is_int(types, inner.ty) && !self.is_unsigned(frame, inner.ty) => {
                match self.evaluate(frame, state, inner)? {
                    Value::Number(form) => Some(form),
                    _ => None,
                }
            }
            _ => self.before_wrapping(frame, state, low)?,
        };
        let (Some(low), Value::Number(high)) = (low, self.evaluate(frame, state, high)?) else {
            return Ok(None);
        };
        let is_small = |form: &Form| form.constant.abs() < i64::from(i32::MAX) / 2;
        if !is_small(&low) || !is_small(&high) {
            return Ok(None);
        }
        let zero = state.region.linear(&Bound::not_negative(low.clone()), &self.parameters)?;
        let below = if or_equal { Bound::at_most(&low, &high) } else { Bound::below(&low, &high) };
        let below = match below {
            Some(below) => state.region.linear(&below, &self.parameters)?,
            None => None,
        };
        let is_positive = state.region.implies(Some(Bound::not_negative(high)), &self.parameters)?;
        let (Some(zero), Some(below), true) = (zero, below, is_positive) else { return Ok(None) };
        let both = Condition::All(vec![zero, below]);
        Ok(Some(if is_less { both } else { both.negated() }))
    }
}
