//! Evaluation of pure expressions and places for one process set.

use frontend::ir::dump::operator;
use frontend::ir::{BinaryOp, Expr, ExprKind, Place, PlaceBase, Projection, Type, TypeId, UnaryOp, Unit};
use frontend::program::FunctionRef;
use lattice::linear::greatest_common_divisor;
use lattice::{Constraints, DIGITS, Linear, Ranks, Symbol, Truth};

use super::Engine;
use super::boxes;
use super::memory::{ContextId, Memory, ObjectId, ObjectKind};
use super::need::Need;
use super::value::Value;

/// Where an expression is evaluated: by which processes, in which activation, with what memory.
pub(crate) struct Scope<'e, 'p> {
    pub(crate) engine: &'e mut Engine<'p>,
    pub(crate) facts: &'e mut Constraints,
    pub(crate) ranks: &'e Ranks,
    pub(crate) memory: &'e mut Memory,
    pub(crate) function: FunctionRef,
    pub(crate) context: ContextId,
}

/// A scalar or aggregate in memory.
#[derive(Clone, Debug)]
pub(crate) struct Location {
    pub(crate) object: ObjectId,
    /// Byte offset; `None` when not known.
    pub(crate) offset: Option<Linear>,
}

/// Values of a digit that are told apart one by one.
pub(crate) const APART: i64 = 8;
/// Bits of a mask that the rank is taken apart by.
const MASK_BITS: u32 = 8;

impl<'p> Scope<'_, 'p> {
    pub(crate) fn unit(&self) -> &'p Unit {
        &self.engine.program.units[self.function.unit]
    }

    /// The value of an expression, settled for a single rank.
    pub(crate) fn eval(&mut self, expr: &Expr) -> Result<Value, Need> {
        let value = match &expr.kind {
            ExprKind::Int(value) => i64::try_from(*value).map_or(Value::Unknown, Value::int),
            ExprKind::Float(value) => Value::Same(self.engine.symbols.apply(&format!("{value}"), Vec::new())),
            ExprKind::Str(text) => {
                let name = String::from_utf8_lossy(text).as_ref().into();
                Value::Address(self.engine.objects.object(ObjectKind::Literal(name)), Linear::zero())
            }
            ExprKind::Constant { name, value } => constant(name, *value),
            ExprKind::Load(place) => self.load(place)?,
            ExprKind::AddressOf(place) => match self.locate(place)? {
                Some(Location { object, offset: Some(offset) }) => Value::Address(object, offset),
                Some(Location { object, offset: None }) => Value::Within(object),
                None => Value::Unknown,
            },
            ExprKind::FunctionAddress(name) => Value::Function(self.function.unit, name.clone()),
            ExprKind::Unary(op, operand) => {
                let operand = self.eval(operand)?;
                self.unary(*op, operand)?
            }
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                self.logical(*op, left, right)?
            }
            ExprKind::Binary(op, left, right) => {
                let (a, b) = (self.eval(left)?, self.eval(right)?);
                self.binary(*op, a, b, left.ty, right.ty, expr.ty)?
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let truth = self.eval(condition).and_then(|condition| self.truth(&condition));
                if let Err(Need::Decide(_)) = &truth
                    && let Some(either) = self.either(condition, then, otherwise, expr.ty)?
                {
                    return Ok(either);
                }
                match truth? {
                    Some(true) => self.eval(then)?,
                    Some(false) => self.eval(otherwise)?,
                    None => {
                        let (a, b) = (self.eval(then)?, self.eval(otherwise)?);
                        if a == b { a } else { Value::Unknown }
                    }
                }
            }
            ExprKind::Cast(inner) => {
                let value = self.eval(inner)?;
                self.cast(value, inner.ty, expr.ty)?
            }
            ExprKind::Sizeof(of) => {
                let name = format!("sizeof type {of:?} of unit {}", self.function.unit);
                Value::Int(self.engine.symbols.apply(&name, Vec::new()).into())
            }
            ExprKind::SizeofVla(_) | ExprKind::Unknown(_) => Value::Unknown,
        };
        Ok(self.settle(value))
    }

    /// One of two floating-point values, by the outcome of a comparison of data: as a function of all of these it is equal where
    /// they are, and no case distinction is needed.
    fn either(
        &mut self,
        condition: &Expr,
        then: &Expr,
        otherwise: &Expr,
        ty: TypeId,
    ) -> Result<Option<Value>, Need> {
        let ExprKind::Binary(op, left, right) = &condition.kind else { return Ok(None) };
        if !is_comparison(*op) || !matches!(self.unit().types.get(ty), Type::Float(_)) {
            return Ok(None);
        }
        let operands = [left, right, then, otherwise];
        let mut values = Vec::with_capacity(operands.len());
        for operand in operands {
            values.push(self.eval(operand)?);
        }
        if let [Value::Int(_), Value::Int(_), ..] = values[..] {
            return Ok(None);
        }
        let arguments: Option<Vec<Linear>> = values.iter().map(Value::as_argument).collect();
        Ok(Some(match arguments {
            Some(arguments) => {
                Value::Same(self.engine.symbols.apply(&format!("?{}:", operator(*op)), arguments))
            }
            None => Value::Unknown,
        }))
    }

    /// A value without what is the same on all members of the rank.
    pub(crate) fn settle(&self, value: Value) -> Value {
        match value {
            Value::Int(linear) if !linear.is_uniform() => Value::Int(self.ranks.settle(&linear, self.facts)),
            value => value,
        }
    }

    /// Whether a value is not zero; `None` when that is not known.
    pub(crate) fn truth(&mut self, value: &Value) -> Result<Option<bool>, Need> {
        match value {
            Value::Int(value) => Ok(self.is_zero(value)?.map(|zero| !zero)),
            Value::Address(..) | Value::Within(_) | Value::Function(..) => Ok(Some(true)),
            Value::Same(symbol) => {
                let test = self.predicate("!=", vec![(*symbol).into(), Linear::zero()]);
                self.decide(&test).map(Some)
            }
            Value::Name(_) | Value::Comm(_) | Value::Group(_) | Value::Unknown => Ok(None),
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
    fn is_nonpositive(&mut self, expression: &Linear) -> Result<Option<bool>, Need> {
        let expression = &self.ranks.settle(expression, self.facts);
        let (Some(largest), Some(smallest)) =
            (self.ranks.maximise(expression), self.ranks.minimise(expression))
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
        let mut varying = (0..self.ranks.digits().len())
            .map(|position| (position, expression.coefficient(self.ranks.symbol(position))))
            .filter(|&(_, slope)| slope != 0);
        let Some((position, slope)) = varying.next() else { return Ok(None) };
        if varying.next().is_some() {
            // The members are told apart by the least significant digit first, where that has few values.
            let digit = &self.ranks.digits()[position];
            let few =
                digit.count().and_then(|count| self.facts.upper_bound(&count)).is_some_and(|n| n <= APART);
            return Ok(few.then(|| (position, digit.lo.clone())));
        }
        // slope * digit + rest <= 0, so digit <= -rest / slope, or digit >= rest / -slope.
        let rest = expression.substitute(self.ranks.symbol(position), &Linear::zero());
        let (dividend, divisor) = match (slope > 0, rest) {
            (true, Some(rest)) => (rest.scale(-1), Some(slope)),
            (false, Some(rest)) => {
                let divisor = slope.checked_neg();
                (divisor.and_then(|d| rest.offset(d.checked_sub(1)?)), divisor)
            }
            (_, None) => (None, None),
        };
        let (Some(dividend), Some(divisor)) = (dividend, divisor) else { return Ok(None) };
        let (quotient, _) = boxes::divide(&dividend, &divisor.into(), self.facts)?;
        let threshold = if slope > 0 { Some(quotient) } else { quotient.offset(-1) };
        Ok(threshold.map(|threshold| (position, threshold)))
    }

    fn is_zero(&mut self, expression: &Linear) -> Result<Option<bool>, Need> {
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
    fn compare(&mut self, op: BinaryOp, a: &Value, b: &Value) -> Result<Option<bool>, Need> {
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
            (Value::Int(x), Value::Name(name)) if is_negative(name) => self.compare_negative(mirrored(op), x),
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
                    let test = self.predicate(operator(op), vec![x, y]);
                    self.decide(&test).map(Some)
                }
                _ => Ok(None),
            },
        }
    }

    fn compare_negative(&mut self, op: BinaryOp, other: &Linear) -> Result<Option<bool>, Need> {
        use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
        let nonnegative = self
            .ranks
            .minimise(other)
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

    fn logical(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Result<Value, Need> {
        let deciding = op == BinaryOp::Or;
        let left = self.eval(left)?;
        let left = self.truth(&left)?;
        if left == Some(deciding) {
            return Ok(Value::int(i64::from(deciding)));
        }
        let right = self.eval(right)?;
        let right = self.truth(&right)?;
        Ok(match (left, right) {
            (_, Some(value)) if value == deciding => Value::int(i64::from(deciding)),
            (Some(_), Some(value)) => Value::int(i64::from(value)),
            _ => Value::Unknown,
        })
    }

    fn unary(&mut self, op: UnaryOp, operand: Value) -> Result<Value, Need> {
        Ok(match (op, operand) {
            (UnaryOp::Not, value) => {
                self.truth(&value)?.map_or(Value::Unknown, |t| Value::int(i64::from(!t)))
            }
            (UnaryOp::Neg, Value::Int(value)) => value.scale(-1).map_or(Value::Unknown, Value::Int),
            (UnaryOp::BitNot, Value::Int(value)) => {
                value.scale(-1).and_then(|v| v.offset(-1)).map_or(Value::Unknown, Value::Int)
            }
            (op, Value::Same(symbol)) => {
                Value::Same(self.engine.symbols.apply(&format!("{op:?}"), vec![symbol.into()]))
            }
            _ => Value::Unknown,
        })
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        a: Value,
        b: Value,
        left: TypeId,
        right: TypeId,
        ty: TypeId,
    ) -> Result<Value, Need> {
        use BinaryOp::{Add, Sub};
        if is_comparison(op) {
            return Ok(self.compare(op, &a, &b)?.map_or(Value::Unknown, |t| Value::int(i64::from(t))));
        }
        let unit = self.unit();
        let (a, b) = (self.resolved(&a), self.resolved(&b));
        match (&a, &b) {
            (Value::Address(object, offset), Value::Int(steps)) if matches!(op, Add | Sub) => {
                let size = unit.types.pointee(left).and_then(|to| self.size_of(to));
                let moved = size.and_then(|size| {
                    let size = i64::try_from(size).ok()?;
                    offset.add_scaled(steps, if op == Add { size } else { size.checked_neg()? })
                });
                return Ok(moved.map_or(Value::Within(*object), |offset| Value::Address(*object, offset)));
            }
            (Value::Address(object, _) | Value::Within(object), Value::Int(_) | Value::Unknown)
                if matches!(op, Add | Sub) && is_pointer(unit, ty) =>
            {
                return Ok(Value::Within(*object));
            }
            (Value::Int(_) | Value::Unknown, Value::Address(..) | Value::Within(_)) if op == Add => {
                return self.binary(op, b, a, right, left, ty);
            }
            (Value::Same(base), Value::Int(steps))
                if matches!(op, Add | Sub) && self.engine.is_text(*base) =>
            {
                let steps = if op == Add { Some(steps.clone()) } else { steps.scale(-1) };
                let moved = steps
                    .filter(|steps| steps.is_uniform())
                    .and_then(|steps| self.engine.inside_text(*base, &steps));
                return Ok(moved.map_or(Value::Unknown, Value::Same));
            }
            (Value::Address(x, i), Value::Address(y, j)) if op == Sub && x == y => {
                let size = unit.types.pointee(left).and_then(|to| self.size_of(to));
                let count = size.and_then(|size| i.sub(j)?.divide_exactly(i64::try_from(size).ok()?));
                return Ok(count.map_or(Value::Unknown, Value::Int));
            }
            (Value::Int(x), Value::Int(y)) if is_integer(unit, ty) => {
                let (x, y) = (x.clone(), y.clone());
                let value = self.integer(op, &x, &y)?;
                return Ok(self.representable(value, ty));
            }
            _ => {}
        }
        // Floating-point and other values: equal on all members when the operands are.
        Ok(match (a.as_argument(), b.as_argument()) {
            (Some(x), Some(y)) => {
                // What a step of a pointer is depends on the type.
                let step = unit.types.pointee(left).and_then(|to| self.size_of(to));
                let suffix = match step {
                    Some(step) => format!(" steps of {step}"),
                    None if is_integer(unit, ty) => String::new(),
                    None => ".".to_owned(),
                };
                let symbol = self.engine.symbols.apply(&format!("{}{suffix}", operator(op)), vec![x, y]);
                if is_integer(unit, ty) { Value::Int(symbol.into()) } else { Value::Same(symbol) }
            }
            _ => Value::Unknown,
        })
    }

    fn integer(&mut self, op: BinaryOp, x: &Linear, y: &Linear) -> Result<Value, Need> {
        use BinaryOp::{Add, BitAnd, BitOr, BitXor, Div, Mul, Rem, Shl, Shr, Sub};
        let constants = (self.constant(x), self.constant(y));
        if let (Some(a), Some(b)) = constants {
            let value = match op {
                Add => a.checked_add(b),
                Sub => a.checked_sub(b),
                Mul => a.checked_mul(b),
                Div => a.checked_div(b),
                Rem => a.checked_rem(b),
                BitAnd => Some(a & b),
                BitOr => Some(a | b),
                BitXor => Some(a ^ b),
                Shl if a >= 0 => u32::try_from(b).ok().and_then(|b| a.checked_mul(2_i64.checked_pow(b)?)),
                Shr => u32::try_from(b).ok().and_then(|b| a.checked_shr(b)),
                _ => None,
            };
            return Ok(value.map_or(Value::Unknown, Value::int));
        }
        let linear = match (op, constants) {
            (Add, _) => x.add(y),
            (Sub, _) => x.sub(y),
            (Mul, (_, Some(factor))) => x.scale(factor),
            (Mul, (Some(factor), _)) => y.scale(factor),
            (Mul, _) => self.ranks.product(x, y),
            (Shl, (_, Some(bits @ 0..=62))) => x.scale(1 << bits),
            (Div, (_, Some(divisor))) if divisor != 0 => x.divide_exactly(divisor),
            _ => None,
        };
        if let Some(linear) = linear {
            return Ok(Value::Int(linear));
        }
        match op {
            Rem => self.remainder(x, y),
            Div => self.quotient(x, y),
            BitAnd | BitOr | BitXor => match constants {
                (_, Some(mask)) if self.known_nonnegative(x) => self.bitwise(op, x, y, mask),
                (Some(mask), _) if self.known_nonnegative(y) => self.bitwise(op, y, x, mask),
                _ => Ok(self.applied(op, x, y)),
            },
            Shr => match constants.1 {
                Some(bits @ 0..=62) if self.known_nonnegative(x) => self.quotient(x, &(1 << bits).into()),
                _ => Ok(self.applied(op, x, y)),
            },
            _ => Ok(self.applied(op, x, y)),
        }
    }

    fn constant(&self, value: &Linear) -> Option<i64> {
        if value.is_uniform() { self.facts.constant(value) } else { None }
    }

    fn known_nonnegative(&self, value: &Linear) -> bool {
        self.ranks.minimise(value).is_some_and(|least| self.facts.le(&Linear::zero(), &least) == Truth::Yes)
    }

    fn applied(&mut self, op: BinaryOp, x: &Linear, y: &Linear) -> Value {
        if !x.is_uniform() || !y.is_uniform() {
            return Value::Unknown;
        }
        Value::Int(self.engine.symbols.apply(operator(op), vec![x.clone(), y.clone()]).into())
    }

    /// C's `x % m` where `x` lies within one period of zero: `x`, or `x - m`, after a case distinction where the rank decides.
    fn remainder(&mut self, x: &Linear, m: &Linear) -> Result<Value, Need> {
        let positive = m.is_uniform() && self.facts.le(&1.into(), m) == Truth::Yes;
        if positive
            && !self.is_near_zero(x, m)
            && !x.is_uniform()
            && self.known_nonnegative(x)
            && let Some((_, rest)) = self.row_and_column(x, m)?
        {
            // The number is not negative, but what is left of it may be where its columns are counted down.
            let (Some(negative), Some(above)) = (rest.offset(1), rest.add(m)) else {
                return Ok(Value::Unknown);
            };
            let rest = match self.is_nonpositive(&negative)? {
                Some(true) => above,
                Some(false) => rest,
                None => return Ok(Value::Unknown),
            };
            return if self.is_near_zero(&rest, m) { self.remainder(&rest, m) } else { Ok(Value::Unknown) };
        }
        if !positive || !self.is_near_zero(x, m) {
            let nonnegative = positive && self.known_nonnegative(x);
            if nonnegative
                && let Some(divisor) = self.constant(m)
                && let Value::Int(q) = self.quotient(x, m)?
                && let Some(rest) = divisor.checked_neg().and_then(|d| x.add_scaled(&q, d))
            {
                return Ok(Value::Int(rest));
            }
            let value = self.applied(BinaryOp::Rem, x, m);
            if let Value::Int(r) = &value
                && nonnegative
            {
                self.facts.learn(&Linear::zero(), r);
                if let Some(above) = r.offset(1) {
                    self.facts.learn(&above, m);
                }
            }
            return Ok(value);
        }
        // -m < x < 2m: only x >= m changes anything (C keeps the sign of x).
        let Some(wrapped) = x.sub(m) else { return Ok(Value::Unknown) };
        let Some(test) = m.sub(x) else { return Ok(Value::Unknown) };
        Ok(match self.is_nonpositive(&test)? {
            Some(true) => Value::Int(wrapped),
            Some(false) => Value::Int(x.clone()),
            None => self.applied(BinaryOp::Rem, x, m),
        })
    }

    /// Whether `-m < x < 2m` is proved on all members.
    fn is_near_zero(&self, x: &Linear, m: &Linear) -> bool {
        let negative = |e: Option<Linear>| {
            e.and_then(|e| self.ranks.maximise(&e))
                .is_some_and(|most| self.facts.le(&most, &(-1).into()) == Truth::Yes)
        };
        negative(x.add_scaled(m, -2)) && negative(x.scale(-1).and_then(|e| e.sub(m)))
    }

    /// A number that differs between the members, by a positive number that does not: the quotient, and a remainder that may lie
    /// outside of one period, both over digits. The rank is divided into digits where it is not yet. `None` where that says nothing.
    fn row_and_column(&mut self, x: &Linear, m: &Linear) -> Result<Option<(Linear, Linear)>, Need> {
        let x = self.ranks.settle(x, self.facts);
        let (own, uniform) = x.split_own();
        let constant = self.constant(m);
        let multiple = |coefficient: i64| constant.filter(|m| coefficient % m == 0).map(|m| coefficient / m);
        let top = self.ranks.symbol(self.ranks.radices().len());
        let (mut quotient, mut rest) = (Linear::zero(), Linear::from(uniform.constant()));
        let add = |to: &mut Linear, what: Symbol, times: i64| -> Option<()> {
            *to = to.add_scaled(&what.into(), times)?;
            Some(())
        };
        for (symbol, coefficient) in own.terms() {
            let by_radix = symbol.as_tail().filter(|&t| self.ranks.radices().get(t) == Some(m));
            let added = if let Some(times) = multiple(coefficient) {
                add(&mut quotient, symbol, times)
            } else if let Some(below) = by_radix {
                add(&mut quotient, Symbol::tail(below + 1), coefficient)
                    .and_then(|()| add(&mut rest, Symbol::digit(below), coefficient))
            } else if symbol == top {
                // What the coefficient does not bring along.
                let radix = match constant {
                    Some(m) => {
                        let common = greatest_common_divisor(m.unsigned_abs(), coefficient.unsigned_abs());
                        i64::try_from(common).ok().and_then(|common| m.checked_div(common)).map(Linear::from)
                    }
                    None => Some(m.clone()),
                };
                let Some(radix) = radix else { return Ok(None) };
                return match boxes::refine(self.ranks, &radix, self.facts) {
                    Err(Need::GiveUp(_)) => Ok(None),
                    Err(need) => Err(need),
                    Ok(_) => Err(Need::Refine(radix)),
                };
            } else {
                add(&mut rest, symbol, coefficient)
            };
            if added.is_none() {
                return Ok(None);
            }
        }
        if let Some(m) = constant {
            // What is left of the rest of the number, where that is known or can be told apart.
            match boxes::divide(&uniform, &m.into(), self.facts) {
                Ok((q, r)) => {
                    let (rest, quotient) =
                        (rest.offset(-uniform.constant()).and_then(|e| e.add(&r)), quotient.add(&q));
                    return Ok(quotient.zip(rest).filter(|(_, rest)| *rest != x));
                }
                Err(need @ Need::Divide(..)) => return Err(need),
                Err(_) => {}
            }
        }
        for (symbol, coefficient) in uniform.terms() {
            let whole = match multiple(coefficient) {
                Some(times) => add(&mut quotient, symbol, times),
                None if m.as_offset() == Some((symbol, 0)) => {
                    quotient.offset(coefficient).map(|q| quotient = q)
                }
                None => add(&mut rest, symbol, coefficient),
            };
            if whole.is_none() {
                return Ok(None);
            }
        }
        Ok((rest != x).then_some((quotient, rest)))
    }

    /// `x & mask`, `x | mask` or `x ^ mask` for a number that is not negative, by the bits of a constant mask.
    fn bitwise(&mut self, op: BinaryOp, x: &Linear, other: &Linear, mask: i64) -> Result<Value, Need> {
        if mask < 0 || MASK_BITS < mask.count_ones() {
            return Ok(self.applied(op, x, other));
        }
        let mut common = Linear::zero();
        let mut bit = 0;
        while bit < 63 {
            // The next run of ones.
            let from = (mask >> bit).trailing_zeros() + bit;
            if 62 < from || mask >> from == 0 {
                break;
            }
            let length = (mask >> from).trailing_ones();
            let (Value::Int(high), true) = (self.quotient(x, &(1_i64 << from).into())?, from + length < 62)
            else {
                return Ok(Value::Unknown);
            };
            let Value::Int(bits) = self.remainder(&high, &(1_i64 << length).into())? else {
                return Ok(Value::Unknown);
            };
            let Some(sum) = common.add_scaled(&bits, 1_i64 << from) else { return Ok(Value::Unknown) };
            common = sum;
            bit = from + length;
        }
        // x | m == x + m - (x & m), x ^ m == x + m - 2 * (x & m)
        let both = x.offset(mask);
        Ok(match op {
            BinaryOp::BitAnd => Some(common),
            BinaryOp::BitOr => both.and_then(|sum| sum.sub(&common)),
            _ => both.and_then(|sum| sum.add_scaled(&common, -2)),
        }
        .map_or(Value::Unknown, Value::Int))
    }

    fn quotient(&mut self, x: &Linear, d: &Linear) -> Result<Value, Need> {
        if let Some(exact) = self.constant(d).and_then(|d| x.divide_exactly(d)) {
            return Ok(Value::Int(exact));
        }
        if !x.is_uniform()
            && d.is_uniform()
            && self.facts.le(&1.into(), d) == Truth::Yes
            && self.known_nonnegative(x)
        {
            return Ok(self.quotient_of_own(x, d)?.map_or(Value::Unknown, Value::Int));
        }
        let value = self.applied(BinaryOp::Div, x, d);
        if let Value::Int(q) = &value
            && self.known_nonnegative(x)
            && self.facts.le(&1.into(), d) == Truth::Yes
        {
            let mut bounds = vec![(Linear::zero(), q.clone()), (q.clone(), x.clone())];
            if let Some(divisor) = self.constant(d)
                && let Some(multiple) = q.scale(divisor)
                && let Some(most) = multiple.offset(divisor - 1)
            {
                bounds.extend([(multiple, x.clone()), (x.clone(), most)]);
            }
            for (left, right) in &bounds {
                self.facts.learn(left, right);
            }
        }
        Ok(value)
    }

    /// The quotient of a number that differs between the members and is not negative.
    fn quotient_of_own(&mut self, x: &Linear, d: &Linear) -> Result<Option<Linear>, Need> {
        let (mut quotient, mut rest) = (Linear::zero(), x.clone());
        for _ in 0..DIGITS {
            let within = self.is_period(&rest, d, 0);
            if within {
                return Ok(Some(quotient));
            }
            for carry in [1, -1] {
                if self.is_period(&rest, d, carry) {
                    return Ok(quotient.offset(carry));
                }
            }
            let Some((q, r)) = self.row_and_column(&rest, d)? else {
                // Within two periods only the border between them is in question.
                let Some(test) = d.sub(&rest) else { return Ok(None) };
                let two = d.scale(2).and_then(|two| self.ranks.maximise(&rest)?.offset(1)?.sub(&two));
                let small = two.is_some_and(|e| self.facts.le(&e, &Linear::zero()) == Truth::Yes);
                if !small || !self.known_nonnegative(&rest) {
                    return Ok(None);
                }
                return Ok(match self.is_nonpositive(&test)? {
                    Some(beyond) => quotient.offset(i64::from(beyond)),
                    None => None,
                });
            };
            let Some(sum) = quotient.add(&q) else { return Ok(None) };
            (quotient, rest) = (sum, r);
        }
        Ok(None)
    }

    /// Whether a number is proved to lie in `[carry * d..(carry + 1) * d - 1]` on all members.
    fn is_period(&self, x: &Linear, d: &Linear, carry: i64) -> bool {
        let ends = || {
            let from = x.add_scaled(d, carry.checked_neg()?)?;
            Some((self.ranks.minimise(&from)?, self.ranks.maximise(&from)?.offset(1)?))
        };
        ends().is_some_and(|(least, beyond)| {
            self.facts.le(&Linear::zero(), &least) == Truth::Yes && self.facts.le(&beyond, d) == Truth::Yes
        })
    }

    /// The value as its type holds it: an unsigned result that may have wrapped around is not known.
    fn representable(&mut self, value: Value, ty: TypeId) -> Value {
        let Value::Int(linear) = &value else { return value };
        match self.unit().types.get(ty) {
            Type::Int(kind) if !kind.is_signed() && !self.known_nonnegative(linear) => Value::Unknown,
            _ => value,
        }
    }

    fn cast(&mut self, value: Value, from: TypeId, to: TypeId) -> Result<Value, Need> {
        let unit = self.unit();
        let real = |ty: TypeId| matches!(unit.types.get(ty), Type::Float(_) | Type::Complex(_));
        Ok(match (&value, unit.types.get(to)) {
            (_, Type::Int(frontend::ir::IntKind::Bool)) => {
                self.truth(&value)?.map_or(Value::Unknown, |t| Value::int(i64::from(t)))
            }
            (Value::Int(linear), _) if real(to) && !real(from) => match value.as_argument() {
                Some(_) => Value::Same(self.engine.symbols.apply("double", vec![linear.clone()])),
                None => Value::Unknown,
            },
            (Value::Same(symbol), Type::Int(_) | Type::Enum(..)) if real(from) => {
                Value::Int(self.engine.symbols.apply("int", vec![(*symbol).into()]).into())
            }
            (Value::Int(linear), Type::Int(kind)) => match linear.as_constant() {
                Some(constant) => Value::int(wrap(constant, *kind)),
                None => self.representable(value, to),
            },
            _ => value,
        })
    }

    /// Where a place is; `None` when it could be anywhere.
    pub(crate) fn locate(&mut self, place: &Place) -> Result<Option<Location>, Need> {
        let unit = self.unit();
        let (object, mut offset) = match &place.base {
            PlaceBase::Local(local) => {
                (self.engine.local_object(self.function, self.context, *local), Some(Linear::zero()))
            }
            PlaceBase::Global(global) => {
                (self.engine.global_object(self.function.unit, *global), Some(Linear::zero()))
            }
            PlaceBase::Deref(pointer) => {
                let pointer = self.eval(pointer)?;
                match self.resolved(&pointer) {
                    Value::Address(object, offset) => (object, Some(offset)),
                    Value::Within(object) => (object, None),
                    _ => return Ok(None),
                }
            }
        };
        let mut ty = match &place.base {
            PlaceBase::Local(local) => self.engine.program.function(self.function).local(*local).ty,
            PlaceBase::Global(global) => unit.global(*global).ty,
            PlaceBase::Deref(pointer) => unit.types.pointee(pointer.ty).unwrap_or(place.ty),
        };
        for projection in &place.projections {
            match projection {
                Projection::Field(record, index) => {
                    let step = unit.types.model_offset(*record, *index).and_then(|o| i64::try_from(o).ok());
                    let record = unit.types.record(*record);
                    let field = record.fields.as_ref().and_then(|fields| fields.get(*index as usize));
                    offset = offset.zip(step).and_then(|(offset, step)| offset.offset(step));
                    ty = field.map_or(place.ty, |f| f.ty);
                }
                Projection::Index(index) => {
                    let element = unit.types.pointee(ty).unwrap_or(place.ty);
                    let index = self.eval(index)?;
                    let size = self.size_of(element).and_then(|s| i64::try_from(s).ok());
                    offset = match (offset, index.as_int(), size) {
                        (Some(offset), Some(index), Some(size)) => offset.add_scaled(index, size),
                        _ => None,
                    };
                    ty = element;
                }
            }
        }
        Ok(Some(Location { object, offset }))
    }

    /// Size in bytes in the engine's memory: types of unknown size, such as handles, have the size of the model.
    pub(crate) fn size_of(&self, ty: TypeId) -> Option<u64> {
        self.unit().types.model_size(ty)
    }

    fn load(&mut self, place: &Place) -> Result<Value, Need> {
        if let Some(field) = self.bit_field(place) {
            return self.load_bits(place, field);
        }
        match self.locate(place)? {
            Some(location) => Ok(self.read(&location, place.ty)),
            None => self.load_text(place),
        }
    }

    /// What so many bytes at a location are known to be by themselves.
    pub(crate) fn read_sized(&mut self, location: &Location, size: u64) -> Value {
        self.engine.ensure(self.memory, location.object);
        let Some(content) = self.memory.get(location.object) else { return Value::Unknown };
        match location.offset.as_ref().and_then(|offset| self.facts.constant(offset)) {
            Some(offset) => content.read(offset, size),
            None if content.cells.is_empty() => content.read(0, 1),
            None => Value::Unknown,
        }
    }

    /// Stores a value of any type in a place; an unknown place may be any object whose address has been taken.
    pub(crate) fn assign(&mut self, place: &Place, value: Value) -> Result<(), Need> {
        if let Some(field) = self.bit_field(place) {
            return self.store_bits(place, field, &value);
        }
        let size = self.size_of(place.ty);
        match self.locate(place)? {
            Some(location) => {
                self.write(&location, size, value);
                Ok(())
            }
            None => self.assign_unknown(place, &value),
        }
    }
}

/// A named constant. Only `MPI_SUCCESS` has the same integer value in every implementation.
fn constant(name: &std::sync::Arc<str>, value: Option<i128>) -> Value {
    match value {
        Some(value) if !name.starts_with("MPI_") || &**name == "MPI_SUCCESS" => {
            i64::try_from(value).map_or(Value::Unknown, Value::int)
        }
        _ => Value::Name(name.clone()),
    }
}

/// Whether a named integer constant is negative in every implementation.
fn is_negative(name: &str) -> bool {
    use frontend::mpi::Plain::{AnySource, AnyTag, ProcNull, Undefined};
    frontend::mpi::constant(name)
        .is_some_and(|c| [AnySource, AnyTag, ProcNull, Undefined].iter().any(|&k| c.is(k)))
}

fn is_pointer(unit: &Unit, ty: TypeId) -> bool {
    matches!(unit.types.get(ty), Type::Pointer(_))
}

fn is_integer(unit: &Unit, ty: TypeId) -> bool {
    matches!(unit.types.get(ty), Type::Int(_) | Type::Enum(..) | Type::Unknown)
}

fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
    matches!(op, Lt | Le | Gt | Ge | Eq | Ne)
}

fn wrap(value: i64, kind: frontend::ir::IntKind) -> i64 {
    let bits = kind.size() * 8;
    if bits >= 64 {
        return value;
    }
    let shift = 64 - u32::try_from(bits).expect("an integer has at most 128 bits");
    if kind.is_signed() {
        (value << shift) >> shift
    } else {
        ((value.cast_unsigned() << shift) >> shift).cast_signed()
    }
}

fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Ge => BinaryOp::Le,
        other => other,
    }
}
