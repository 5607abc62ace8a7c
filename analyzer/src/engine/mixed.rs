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
                if !is_nonnegative(&least, facts) {
                    return None;
                }
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

    /// The expressions in it.
    pub(crate) fn numbers(&self) -> Vec<Linear> {
        match self {
            Self::Linear(value) => vec![value.clone()],
            Self::Sum(a, b) => [a.numbers(), b.numbers()].concat(),
            Self::Product(a, number) | Self::Quotient(a, number) | Self::Remainder(a, number) => {
                [a.numbers(), vec![number.clone()]].concat()
            }
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

#[cfg(test)]
mod tests {
    use hsm::Symbol;
    use lattice::{Range, Symbols};
    use proptest::prelude::*;

    use super::*;
    use crate::engine::terms::Terms;

    /// Numbers over the two digits of a rank in rows of three.
    fn numbers() -> impl Strategy<Value = Mixed> {
        let ranks = Ranks::new(vec![3.into()], vec![Range::single(0.into()), Range::single(0.into())]);
        let leaf = (-3_i64..4, -3_i64..4, -5_i64..6).prop_map(move |(low, high, by)| {
            let digits = Linear::from(ranks.symbol(0)).scale(low);
            let sum = digits.and_then(|sum| sum.add_scaled(&ranks.symbol(1).into(), high)?.offset(by));
            Mixed::Linear(sum.expect("small"))
        });
        leaf.prop_recursive(3, 12, 2, |inner| {
            let pair = (inner.clone(), inner.clone());
            let with = move |low: i64, high: i64| (inner.clone(), low..high);
            prop_oneof![
                pair.prop_map(|(a, b)| Mixed::Sum(a.into(), b.into())),
                with(-3, 4).prop_map(|(a, factor)| Mixed::Product(a.into(), factor.into())),
                with(1, 5).prop_map(|(a, divisor)| Mixed::Quotient(a.into(), divisor.into())),
                with(1, 5).prop_map(|(a, divisor)| Mixed::Remainder(a.into(), divisor.into())),
            ]
        })
    }

    proptest! {
        /// Evaluation, bounds, and the term that crate `hsm` sees agree, whatever the digits are.
        #[test]
        fn numbers_are_what_their_terms_are(number in numbers(), rows in 0_i64..4) {
            let range = |hi: i64| Range { lo: 0.into(), hi: hi.into() };
            let ranks = Ranks::new(vec![3.into()], vec![range(2), range(rows)]);
            let symbols = Symbols::default();
            let term = Terms::new(&symbols).mixed(&number, ranks.radices()).expect("small");
            let bounds = number.bounds(&ranks, &Constraints::new());
            for rank in 0..3 * (rows + 1) {
                let digits = [rank % 3, rank / 3];
                let own = |symbol| (0..2).find(|&i| ranks.symbol(i) == symbol).map(|i| digits[i].into());
                let value = number.evaluate(&|linear| linear.map_symbols(own)?.as_constant()).expect("small");
                let seen = term.evaluate(|symbol| (*symbol == Symbol::new("rank")).then_some(rank.into()));
                prop_assert_eq!(seen, Ok(value.into()), "{} at {}", term, rank);
                if let Some((least, most)) = &bounds {
                    let constant = |end: &Linear| end.as_constant().expect("digits are numbers");
                    prop_assert!((constant(least)..=constant(most)).contains(&value), "{} at {}", term, rank);
                }
            }
        }
    }
}
