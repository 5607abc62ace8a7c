//! Real numbers that come from whole ones that all have, until they are whole again: `(int)sqrt((double)np)`.
//!
//! The functions of the C library are taken to be exact where the result is a whole number, as those of IEEE 754 are for numbers of processes.

use frontend::ir::{BinaryOp, Expr, ExprKind};

use crate::derived::Rounding;
use crate::error::Result;
use crate::extract::Extractor;
use crate::form::{Bound, Form};
use crate::memory::Value;
use crate::state::State;

/// A real number, with the sums of parameters that it comes from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Real {
    Whole(Form),
    Root(Form),
    /// A root and one half.
    RootAndHalf(Form),
    Quotient(Form, Form),
}

impl Real {
    pub(crate) fn coordinates(&self) -> Vec<u32> {
        match self {
            Self::Whole(form) | Self::Root(form) | Self::RootAndHalf(form) => form.coordinates().collect(),
            Self::Quotient(a, b) => a.coordinates().chain(b.coordinates()).collect(),
        }
    }
}

impl Extractor<'_> {
    /// A whole number as a real one.
    pub(crate) fn as_real(&mut self, value: Value) -> Value {
        match &value {
            Value::Number(form) if form.as_number().is_none() && form.coordinates().next().is_none() => {
                Value::Real(Real::Whole(form.clone()))
            }
            Value::Number(form) if form.as_number().is_none() => self.unknown(&[&value]),
            _ => value,
        }
    }

    /// A real number as a whole one, as a cast makes it.
    pub(crate) fn as_whole(&mut self, state: &mut State, value: Value) -> Result<Value> {
        let Value::Real(real) = &value else { return Ok(value) };
        let whole = self.rounded(state, real, Rounding::Down)?;
        Ok(whole.map_or_else(|| self.unknown(&[&value]), Value::Number))
    }

    /// A real number that is not negative, made a whole one. `None` where that has no form.
    fn rounded(&mut self, state: &mut State, real: &Real, rounding: Rounding) -> Result<Option<Form>> {
        Ok(match (real, rounding) {
            (Real::Whole(form), _) => Some(form.clone()),
            (Real::Root(of), _) => self.derived_root(state, of, rounding)?,
            (Real::RootAndHalf(of), Rounding::Down) => self.derived_root(state, of, Rounding::Nearest)?,
            (Real::Quotient(a, b), Rounding::Down | Rounding::Up) => {
                let more = if rounding == Rounding::Up {
                    b.plus(&Form::number(1), -1)
                } else {
                    Some(Form::default())
                };
                let Some(a) = more.and_then(|more| a.plus(&more, 1)) else { return Ok(None) };
                match state.region.implies(Some(Bound::not_negative(a.clone())), &self.parameters)? {
                    true => self.divided(state, &a, b)?.0,
                    false => None,
                }
            }
            _ => None,
        })
    }

    /// What a function of the C library makes of a number. `None` where it is not one of those that are followed.
    pub(crate) fn real_function(
        &mut self,
        state: &mut State,
        name: &str,
        value: &Value,
    ) -> Result<Option<Value>> {
        let real = match value {
            Value::Real(real) => real.clone(),
            Value::Number(form) if form.as_number().is_some() => Real::Whole(form.clone()),
            _ => return Ok(None),
        };
        let rounding = match name {
            "sqrt" => {
                return Ok(match real {
                    Real::Whole(of) => Some(Value::Real(Real::Root(of))),
                    _ => None,
                });
            }
            "floor" | "trunc" => Rounding::Down,
            "ceil" => Rounding::Up,
            "round" | "rint" | "nearbyint" | "lround" | "lrint" | "llround" | "llrint" => Rounding::Nearest,
            _ => return Ok(None),
        };
        let is_whole = name.starts_with('l');
        let rounded = self.rounded(state, &real, rounding)?;
        Ok(rounded.map(|form| if is_whole { Value::Number(form) } else { Value::Real(Real::Whole(form)) }))
    }

    /// A computation with real numbers. `None` where that is not followed.
    pub(crate) fn real_binary(
        &self,
        op: BinaryOp,
        (a, b): (&Value, &Value),
        (left, right): (&Expr, &Expr),
    ) -> Option<Value> {
        let is_half =
            |expr: &Expr| matches!(expr.strip_casts().kind, ExprKind::Float(number) if number == 0.5);
        match (op, a, b) {
            (BinaryOp::Add, Value::Real(Real::Root(of)), _) if is_half(right) => {
                Some(Value::Real(Real::RootAndHalf(of.clone())))
            }
            (BinaryOp::Add, _, Value::Real(Real::Root(of))) if is_half(left) => {
                Some(Value::Real(Real::RootAndHalf(of.clone())))
            }
            (BinaryOp::Div, _, _) => {
                let of = |value: &Value| match value {
                    Value::Real(Real::Whole(form)) => Some(form.clone()),
                    Value::Number(form) if form.as_number().is_some() => Some(form.clone()),
                    _ => None,
                };
                Some(Value::Real(Real::Quotient(of(a)?, of(b)?)))
            }
            _ => None,
        }
    }
}
