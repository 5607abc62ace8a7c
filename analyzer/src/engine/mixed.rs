//! Numbers that mix the digits of the rank, such as `(column - row + n) % n`: no expression over the digits, but a term that crate `hsm`
//! can reason about. As the partner of a message they say who it is for if they permute the ranks of the set, see `permutation`.

use std::sync::Arc;

use frontend::ir::BinaryOp;
use lattice::{Constraints, Linear, Ranks, Truth};

use super::eval::Scope;
use super::value::Value;

/// Operators in one number.
const OPERATORS: usize = 24;

/// A number that differs between the members of a set. Quotients and remainders are rounded down; their divisors are positive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Mixed {
    /// An expression over the digits.
    Linear(Linear),
    Sum(Arc<Self>, Arc<Self>),
    /// By a number on which all members agree, as for the following.
    Product(Arc<Self>, Linear),
    Quotient(Arc<Self>, Linear),
    Remainder(Arc<Self>, Linear),
}

impl Mixed {
    /// The sum; `None` where it would get too long.
    fn plus(self, other: Self) -> Option<Self> {
        if let (Self::Linear(a), Self::Linear(b)) = (&self, &other) {
            return a.add(b).map(Self::Linear);
        }
        (self.operators() + other.operators() < OPERATORS).then(|| Self::Sum(self.into(), other.into()))
    }

    /// A multiple.
    fn times(self, factor: Linear) -> Self {
        if factor.as_constant() == Some(1) { self } else { Self::Product(self.into(), factor) }
    }

    fn operators(&self) -> usize {
        match self {
            Self::Linear(_) => 0,
            Self::Sum(a, b) => 1 + a.operators() + b.operators(),
            Self::Product(a, _) | Self::Quotient(a, _) | Self::Remainder(a, _) => 1 + a.operators(),
        }
    }

    /// Numbers between which it is on all members, and which all members agree on.
    pub(crate) fn bounds(&self, ranks: &Ranks, facts: &Constraints) -> Option<(Linear, Linear)> {
        Some(match self {
            Self::Linear(value) => (ranks.minimise(value, facts)?, ranks.maximise(value, facts)?),
            Self::Sum(a, b) => {
                let ((least, most), (low, high)) = (a.bounds(ranks, facts)?, b.bounds(ranks, facts)?);
                (least.add(&low)?, most.add(&high)?)
            }
            Self::Product(a, factor) => {
                let (least, most) = a.bounds(ranks, facts)?;
                let end = |end: &Linear| ranks.product(end, factor);
                if facts.le(&Linear::zero(), factor) == Truth::Yes {
                    (end(&least)?, end(&most)?)
                } else if facts.le(factor, &Linear::zero()) == Truth::Yes {
                    (end(&most)?, end(&least)?)
                } else {
                    return None;
                }
            }
            Self::Quotient(a, _) => {
                let (least, most) = a.bounds(ranks, facts)?;
                let _ = is_nonnegative(&least, facts).then_some(())?;
                (Linear::zero(), most)
            }
            Self::Remainder(_, divisor) => (Linear::zero(), divisor.offset(-1)?),
        })
    }

    /// The number with each expression in it replaced by an equal one.
    pub(crate) fn map(&self, map: &impl Fn(&Linear) -> Linear) -> Self {
        let part = |part: &Self| Arc::new(part.map(map));
        match self {
            Self::Linear(value) => Self::Linear(map(value)),
            Self::Sum(a, b) => Self::Sum(part(a), part(b)),
            Self::Product(a, factor) => Self::Product(part(a), map(factor)),
            Self::Quotient(a, divisor) => Self::Quotient(part(a), map(divisor)),
            Self::Remainder(a, divisor) => Self::Remainder(part(a), map(divisor)),
        }
    }

    /// Its value where those of the expressions in it are known.
    pub(crate) fn evaluate(&self, value: &impl Fn(&Linear) -> Option<i64>) -> Option<i64> {
        match self {
            Self::Linear(linear) => value(linear),
            Self::Sum(a, b) => a.evaluate(value)?.checked_add(b.evaluate(value)?),
            Self::Product(a, factor) => a.evaluate(value)?.checked_mul(value(factor)?),
            Self::Quotient(a, divisor) => a.evaluate(value)?.checked_div_euclid(value(divisor)?),
            Self::Remainder(a, divisor) => a.evaluate(value)?.checked_rem_euclid(value(divisor)?),
        }
    }
}

fn is_nonnegative(value: &Linear, facts: &Constraints) -> bool {
    facts.le(&Linear::zero(), value) == Truth::Yes
}

/// An integer as a number that may mix digits.
fn of_value(value: &Value) -> Option<Mixed> {
    match value {
        Value::Int(linear) => Some(Mixed::Linear(linear.clone())),
        Value::Mixed(mixed) => Some(Mixed::clone(mixed)),
        _ => None,
    }
}

impl Scope<'_, '_> {
    /// The result of an operator on integers that has no linear form; `None` where it is none of these numbers either.
    pub(crate) fn mixed(&self, op: BinaryOp, a: &Value, b: &Value) -> Option<Value> {
        use BinaryOp::{Add, Div, Mul, Rem, Sub};
        let (x, y) = (of_value(a)?, of_value(b)?);
        let uniform = |value: &Value| value.as_int().filter(|value| value.is_uniform()).cloned();
        let result = match op {
            Add => x.plus(y)?,
            Sub => x.plus(y.times((-1).into()))?,
            Mul => match (uniform(a), uniform(b)) {
                (_, Some(factor)) => x.times(factor),
                (Some(factor), _) => y.times(factor),
                _ => return None,
            },
            Div | Rem => {
                let divisor = uniform(b)?;
                // C rounds towards zero, which is down only where nothing is negative.
                let (least, _) = x.bounds(self.ranks, self.facts)?;
                if self.facts.le(&1.into(), &divisor) != Truth::Yes || !is_nonnegative(&least, self.facts) {
                    return None;
                }
                if op == Div {
                    Mixed::Quotient(x.into(), divisor)
                } else {
                    Mixed::Remainder(x.into(), divisor)
                }
            }
            _ => return None,
        };
        (result.operators() <= OPERATORS).then(|| Value::Mixed(result.into()))
    }

    /// The rank of the process that is found when one coordinate of a rank is moved by so much around a direction that is closed.
    pub(crate) fn moved_around(
        &self,
        rank: &Linear,
        coordinate: &Linear,
        by: &Linear,
        (dim, stride): (&Linear, &Linear),
    ) -> Option<Value> {
        if self.facts.le(&1.into(), dim) != Truth::Yes {
            return None;
        }
        let rest = rank.sub(&self.ranks.product(coordinate, stride)?)?;
        let moved = coordinate.add(by)?;
        // As it is usually written: one period more where it may be negative otherwise.
        let least = self.ranks.minimise(&moved, self.facts)?;
        let moved = if is_nonnegative(&least, self.facts) { moved } else { moved.add(dim)? };
        let moved = Mixed::Linear(moved);
        let there = Mixed::Remainder(moved.into(), dim.clone()).times(stride.clone());
        Some(Value::Mixed(Mixed::Linear(rest).plus(there)?.into()))
    }
}
