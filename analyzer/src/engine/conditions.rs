//! Conditions: comparisons of values, and whether a value is zero, for all members of a process set at once.
//!
//! Where the members differ, the rank at which the outcome changes is asked for, so that the set is split there; where nothing is
//! known, a case distinction ([`Need`]). A comparison of values that are known only by what they are computed from is a truth value
//! of that kind itself.

use frontend::ir::BinaryOp;
use frontend::ir::dump::operator;
use lattice::{Linear, Truth};

use super::boxes;
use super::eval::Scope;
use super::need::Need;
use super::value::Value;

/// Values of a digit that are told apart one by one.
pub(crate) const APART: i64 = 8;

impl Scope<'_, '_> {
    /// Whether a value is not zero; `None` when that is not known.
    pub(crate) fn truth(&mut self, value: &Value) -> Result<Option<bool>, Need> {
        match value {
            Value::Int(value) => Ok(self.is_zero(value)?.map(|zero| !zero)),
            Value::Address(..) | Value::Within(_) | Value::Function(..) => Ok(Some(true)),
            Value::Same(symbol) => {
                let zero = self.engine.symbols.apply("0", Vec::new());
                if let Some(order) = self.order_of(*symbol, zero) {
                    return Ok(Some(order.is_ne()));
                }
                let is_zero = self.predicate("==", vec![(*symbol).into(), Linear::zero()]);
                self.decide(&is_zero).map(|zero| Some(!zero))
            }
            Value::Name(_) | Value::Comm(_) | Value::Group(_) | Value::Mixed(_) | Value::Unknown => Ok(None),
        }
    }

    /// Whether a value is `number`; `None` when not known.
    pub(crate) fn equals(&mut self, value: &Value, number: i64) -> Result<Option<bool>, Need> {
        self.compare(BinaryOp::Eq, value, &Value::int(number))
    }

    /// Whether a value is at least `number`; `None` when not known.
    pub(crate) fn at_least(&mut self, value: &Value, number: i64) -> Result<Option<bool>, Need> {
        self.compare(BinaryOp::Ge, value, &Value::int(number))
    }

    /// Whether `expression <= 0` on all members (`true`) or on none; `None` when it has no usable form.
    pub(crate) fn is_nonpositive(&mut self, expression: &Linear) -> Result<Option<bool>, Need> {
        let expression = &self.ranks.settle(expression, self.facts);
        let (Some(largest), Some(smallest)) =
            (self.ranks.maximise(expression, self.facts), self.ranks.minimise(expression, self.facts))
        else {
            return Ok(None);
        };
        if self.facts.le(&largest, &Linear::zero()) == Truth::Yes {
            return Ok(Some(true));
        }
        if self.facts.le(&smallest, &Linear::zero()) == Truth::No {
            return Ok(Some(false));
        }
        if expression.is_uniform() {
            if self.facts.can_express(expression) {
                return Err(Need::Decide(expression.clone()));
            }
            let test = self.predicate("<=", vec![expression.clone(), Linear::zero()]);
            return self.decide(&test).map(Some);
        }
        match self.border(expression)? {
            Some((position, threshold)) => Err(Need::Split(position, threshold)),
            None => Ok(None),
        }
    }

    /// The digit, and its last or first value, by which those members are told apart for which an expression is `<= 0`.
    fn border(&self, expression: &Linear) -> Result<Option<(usize, Linear)>, Need> {
        let mut varying =
            (0..self.ranks.digits().len()).filter(|&position| expression.has(self.ranks.symbol(position)));
        let Some(position) = varying.next() else { return Ok(None) };
        if varying.next().is_some() {
            // The members are told apart by the least significant digit first, where that has few values.
            let digit = &self.ranks.digits()[position];
            let few =
                digit.count().and_then(|count| self.facts.upper_bound(&count)).is_some_and(|n| n <= APART);
            return Ok(few.then(|| (position, digit.lo.clone())));
        }
        // slope * digit + rest <= 0, so digit <= -rest / slope, or digit >= rest / -slope.
        let Some((slope, rest)) = expression.by_symbol(self.ranks.symbol(position)) else { return Ok(None) };
        let ascends = match (self.facts.le(&1.into(), &slope), self.facts.le(&slope, &(-1).into())) {
            (Truth::Yes, _) => true,
            (_, Truth::Yes) => false,
            _ => return Ok(None),
        };
        let parts = || match ascends {
            true => Some((rest.scale(-1)?, slope.clone())),
            false => {
                let divisor = slope.scale(-1)?;
                Some((rest.add(&divisor)?.offset(-1)?, divisor))
            }
        };
        let Some((dividend, divisor)) = parts() else { return Ok(None) };
        let (quotient, _) = boxes::divide(&dividend, &divisor, self.facts)?;
        let threshold = if ascends { Some(quotient) } else { quotient.offset(-1) };
        Ok(threshold.map(|threshold| (position, threshold)))
    }

    /// Whether a number is zero on all members (`true`) or on none; `None` when that is not known.
    pub(crate) fn is_zero(&mut self, expression: &Linear) -> Result<Option<bool>, Need> {
        let expression = &self.ranks.settle(expression, self.facts);
        let Some(negated) = expression.scale(-1) else { return Ok(None) };
        // A multiple of the rank that misses zero by divisibility is never zero.
        let (own, rest) = expression.split_own();
        let slope = own.content();
        if slope > 1
            && let Some(rest) = rest.as_constant()
            && rest.unsigned_abs() % slope != 0
        {
            return Ok(Some(false));
        }
        // Look for a refutation on either side before asking for a case distinction.
        let above = self.is_nonpositive(expression);
        if above == Ok(Some(false)) {
            return Ok(Some(false));
        }
        let below = self.is_nonpositive(&negated);
        if below == Ok(Some(false)) {
            return Ok(Some(false));
        }
        Ok(match (above?, below?) {
            (Some(a), Some(b)) => Some(a && b),
            _ => None,
        })
    }

    /// The truth of a comparison, `None` when not known.
    pub(crate) fn compare(&mut self, op: BinaryOp, a: &Value, b: &Value) -> Result<Option<bool>, Need> {
        use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
        match (a, b) {
            (Value::Int(x), Value::Int(y)) => {
                let (Some(forward), Some(backward)) = (x.sub(y), y.sub(x)) else { return Ok(None) };
                match op {
                    Le => self.is_nonpositive(&forward),
                    Ge => self.is_nonpositive(&backward),
                    Lt => Ok(self.is_nonpositive(&backward)?.map(|holds| !holds)),
                    Gt => Ok(self.is_nonpositive(&forward)?.map(|holds| !holds)),
                    Eq => self.is_zero(&forward),
                    Ne => Ok(self.is_zero(&forward)?.map(|zero| !zero)),
                    _ => Ok(None),
                }
            }
            (Value::Name(x), Value::Name(y)) => Ok(match op {
                Eq => Some(x == y),
                Ne => Some(x != y),
                _ => None,
            }),
            (Value::Comm(x), Value::Comm(y)) if x == y => Ok(match op {
                Eq => Some(true),
                Ne => Some(false),
                _ => None,
            }),
            // A communicator that exists is not a null handle.
            (Value::Comm(_) | Value::Group(_), Value::Name(_))
            | (Value::Name(_), Value::Comm(_) | Value::Group(_)) => Ok(match op {
                Eq => Some(false),
                Ne => Some(true),
                _ => None,
            }),
            // The named ranks, tags and MPI_UNDEFINED are negative in every implementation (their values differ).
            (Value::Name(name), Value::Int(y)) if is_negative(name) => self.compare_negative(op, y),
            (Value::Int(x), Value::Name(name)) if is_negative(name) => {
                self.compare_negative(op.mirrored(), x)
            }
            (Value::Address(..) | Value::Within(_) | Value::Function(..), Value::Int(y))
            | (Value::Int(y), Value::Address(..) | Value::Within(_) | Value::Function(..))
                if y.as_constant() == Some(0) =>
            {
                Ok(match op {
                    Eq => Some(false),
                    Ne => Some(true),
                    _ => None,
                })
            }
            (Value::Address(x, i), Value::Address(y, j)) if x == y => {
                self.compare(op, &Value::Int(i.clone()), &Value::Int(j.clone()))
            }
            (Value::Address(x, _) | Value::Within(x), Value::Address(y, _) | Value::Within(y)) if x != y => {
                Ok(match op {
                    Eq => Some(false),
                    Ne => Some(true),
                    _ => None,
                })
            }
            _ => match (a.as_argument(), b.as_argument()) {
                (Some(x), Some(y)) => {
                    // That two are equal and that they are not is one question.
                    let asked = if op == Ne { Eq } else { op };
                    let test = self.predicate(operator(asked), vec![x, y]);
                    self.decide(&test).map(|holds| Some(holds == (op == asked)))
                }
                _ => Ok(None),
            },
        }
    }

    fn compare_negative(&mut self, op: BinaryOp, other: &Linear) -> Result<Option<bool>, Need> {
        use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
        let nonnegative = self
            .ranks
            .minimise(other, self.facts)
            .is_some_and(|least| self.facts.le(&Linear::zero(), &least) == Truth::Yes);
        Ok(match op {
            _ if !nonnegative => None,
            Eq | Ge | Gt => Some(false),
            Ne | Le | Lt => Some(true),
            _ => None,
        })
    }

    /// A truth value that is known only by what it is computed from.
    fn predicate(&mut self, name: &str, arguments: Vec<Linear>) -> Linear {
        let symbol: Linear = self.engine.symbols.apply(name, arguments).into();
        self.facts.learn(&Linear::zero(), &symbol);
        self.facts.learn(&symbol, &1.into());
        symbol
    }

    fn decide(&self, predicate: &Linear) -> Result<bool, Need> {
        match self.facts.constant(predicate) {
            Some(value) => Ok(value != 0),
            None => Err(Need::Decide(predicate.clone())),
        }
    }
}

/// Whether a named integer constant is negative in every implementation.
fn is_negative(name: &str) -> bool {
    use frontend::mpi::Plain::{AnySource, AnyTag, ProcNull, Undefined};
    frontend::mpi::constant(name)
        .is_some_and(|c| [AnySource, AnyTag, ProcNull, Undefined].iter().any(|&k| c.is(k)))
}
