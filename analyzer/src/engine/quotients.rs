//! Integer operators on expressions. What is linear stays linear; quotients, remainders and bit operations of what differs between the
//! members of a set are told by the digits of the rank, or by the border at which they change, as far as that can be proved. Where all
//! members agree, the result is a symbol of which bounds are known.

use frontend::ir::BinaryOp;
use frontend::ir::dump::operator;
use lattice::linear::greatest_common_divisor;
use lattice::{DIGITS, Linear, Symbol, Truth};

use super::boxes;
use super::eval::Scope;
use super::need::Need;
use super::value::Value;

/// Differences between the numbers that a divisor may be, where each of them is a case of its own.
const FEW: i64 = 16;

/// The greatest number of which all divisors are told apart where the number of processes is fixed.
const LISTED: i64 = 64;

/// Bits of a mask that the rank is taken apart by.
const MASK_BITS: u32 = 8;

impl Scope<'_, '_> {
    /// The result of an operator on two integers.
    pub(crate) fn integer(&mut self, op: BinaryOp, x: &Linear, y: &Linear) -> Result<Value, Need> {
        use BinaryOp::{Add, BitAnd, BitOr, BitXor, Div, Mul, Rem, Shl, Shr, Sub};
        let constants = (self.constant(x), self.constant(y));
        if matches!(op, Div | Rem) && self.is_no_divisor(y)? {
            return Err(Need::give_up("a number is divided by zero, which ends the process"));
        }
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
                Shl => u32::try_from(b).ok().and_then(|b| a.checked_mul(2_i64.checked_pow(b)?)),
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
        if let (Rem | Div, Some((quotient, rest))) = (op, self.uniform_quotient(x, y)?) {
            return Ok(Value::Int(if op == Div { quotient } else { rest }));
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

    /// Whether a divisor is zero. For some number of processes, or on some of them, it may be; of other inputs it is taken for granted that
    /// they are none that no program can divide by.
    fn is_no_divisor(&mut self, divisor: &Linear) -> Result<bool, Need> {
        if let Some(divisor) = self.constant(divisor) {
            return Ok(divisor == 0);
        }
        let (_, uniform) = divisor.split_own();
        if uniform.symbols().any(|symbol| symbol != Symbol::NP) {
            return Ok(false);
        }
        let is_zero = self.is_zero(divisor);
        self.engine.open_divisor |= matches!(&is_zero, Err(need) if need.is_case());
        Ok(is_zero? == Some(true))
    }

    /// The number that a value is on all members.
    pub(crate) fn constant(&self, value: &Linear) -> Option<i64> {
        if value.is_uniform() { self.facts.constant(value) } else { None }
    }

    /// Quotient and remainder of a number that is not negative by one that is positive, on which all members agree and which is no
    /// constant. Where the divisor is one of a few numbers, and where the number is less than twice the divisor, cases are told apart.
    fn uniform_quotient(&mut self, x: &Linear, d: &Linear) -> Result<Option<(Linear, Linear)>, Need> {
        if !x.is_uniform() || !d.is_uniform() || self.constant(d).is_some() {
            return Ok(None);
        }
        if self.facts.le(&1.into(), d) != Truth::Yes || !self.known_nonnegative(x) {
            return Ok(None);
        }
        if let Some(known) = self.constant(x).filter(|known| self.engine.fixed.is_some() && *known <= LISTED)
        {
            // A number greater than this one, or each of the others.
            let beyond = Linear::from(known).offset(1).and_then(|next| next.sub(d));
            let others = self.facts.lower_bound(d).and_then(|least| d.offset(least.checked_neg()?));
            let (Some(beyond), Some(others)) = (beyond, others) else { return Ok(None) };
            if self.is_nonpositive(&beyond)? == Some(true) {
                return Ok(Some((Linear::zero(), x.clone())));
            }
            self.is_nonpositive(&others)?;
            return Ok(None);
        }
        if let Ok((quotient, rest)) = boxes::divide(x, d, self.facts) {
            if self.facts.constant(&rest) == Some(0) && self.facts.le(&1.into(), x) == Truth::Yes {
                // Both factors of a positive number are positive if one is.
                self.facts.learn(&1.into(), &quotient);
            }
            return Ok(Some((quotient, rest)));
        }
        if let (Some(least), Some(most)) = (self.facts.lower_bound(d), self.facts.upper_bound(d))
            && most - least <= FEW
            && let Some(rest) = d.offset(-least)
        {
            // Is it the least of them? With all but one ruled out it is a constant.
            return Err(Need::Decide(rest));
        }
        Ok(self.rows(x, d))
    }

    /// How many times a number that the program is given goes into the number of processes, and what is left: whether there are as many
    /// processes as the rows and columns of a mesh is asked in this way. Other quotients are no factors of anything.
    fn rows(&mut self, x: &Linear, d: &Linear) -> Option<(Linear, Linear)> {
        let divides =
            *x == Linear::np() && d.as_offset().is_some_and(|(s, offset)| s != Symbol::NP && offset == 0);
        if !divides {
            return None;
        }
        let quotient = Linear::from(self.engine.symbols.apply("/", vec![x.clone(), d.clone()]));
        let rest = x.sub(&self.ranks.product(&quotient, d)?)?;
        self.facts.learn(&Linear::zero(), &quotient);
        self.facts.learn(&Linear::zero(), &rest);
        self.facts.learn(&rest.offset(1)?, d);
        Some((quotient, rest))
    }

    /// Whether a number is proved not to be negative on any member.
    pub(crate) fn known_nonnegative(&self, value: &Linear) -> bool {
        self.ranks
            .minimise(value, self.facts)
            .is_some_and(|least| self.facts.le(&Linear::zero(), &least) == Truth::Yes)
    }

    /// The result as a function of operands on which all members agree.
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
            && self.known_nonnegative(x)
            && let Some(rest) = match self.without_periods(x, m)? {
                None if !x.is_uniform() => self.row_and_column(x, m)?.map(|(_, rest)| rest),
                rest => rest,
            }
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

    /// A number without the multiples of `m` that are written in it (`rank + 3 * np - 2`), where that leaves it near zero. For few `m`
    /// it may not: these are told apart.
    fn without_periods(&mut self, x: &Linear, m: &Linear) -> Result<Option<Linear>, Need> {
        let periods = m.terms().next().and_then(|(symbol, k)| x.coefficient(symbol).checked_div(k));
        let Some(rest) = periods.and_then(|n| x.add_scaled(m, n.checked_neg()?)) else {
            return Ok(None);
        };
        // Where `m` is small, a few more or less of it do it.
        let mut near = [0, 1, -1, 2, -2, 3, -3].into_iter().filter_map(|more| rest.add_scaled(m, more));
        if let Some(near) = near.find(|rest| self.is_near_zero(rest, m)) {
            return Ok(Some(near));
        }
        let excess = |end: Option<Linear>, periods: i64, sign: i64| {
            let excess = end?.scale(sign)?.add_scaled(m, -periods)?.offset(1)?;
            Some(excess).filter(|e| e.symbols().all(|symbol| m.coefficient(symbol) != 0))
        };
        let tests = [
            excess(self.ranks.maximise(&rest, self.facts), 2, 1),
            excess(self.ranks.minimise(&rest, self.facts), 1, -1),
        ];
        for test in tests {
            let Some(test) = test else { return Ok(None) };
            if self.is_nonpositive(&test)? != Some(true) {
                // Each of these few by itself.
                if let Some(above) =
                    self.facts.lower_bound(m).and_then(|least| m.offset(least.checked_neg()?))
                {
                    self.is_nonpositive(&above)?;
                }
                return Ok(None);
            }
        }
        Ok(Some(rest))
    }

    /// Whether `-m < x < 2m` is proved on all members.
    fn is_near_zero(&self, x: &Linear, m: &Linear) -> bool {
        let negative = |e: Option<Linear>| {
            e.and_then(|e| self.ranks.maximise(&e, self.facts))
                .is_some_and(|most| self.facts.le(&most, &(-1).into()) == Truth::Yes)
        };
        negative(x.add_scaled(m, -2)) && negative(x.scale(-1).and_then(|e| e.sub(m)))
    }

    /// A number that differs between the members, by a positive number that does not: the quotient, and a remainder that may lie
    /// outside of one period, both over digits. The rank is divided into digits where it is not yet. `None` where that says nothing.
    fn row_and_column(&mut self, x: &Linear, m: &Linear) -> Result<Option<(Linear, Linear)>, Need> {
        let x = self.ranks.settle(x, self.facts);
        let constant = self.constant(m);
        // What is written as a multiple of a number that is none.
        let (whole, left) = match constant {
            Some(_) => (Linear::zero(), x.clone()),
            None => match self.facts.in_products(&x).multiples_of(m) {
                Some((whole, left)) if whole != Linear::zero() => (whole, left),
                _ => (Linear::zero(), x.clone()),
            },
        };
        let (own, uniform) = left.split_own();
        let multiple = |coefficient: i64| constant.filter(|m| coefficient % m == 0).map(|m| coefficient / m);
        let top = self.ranks.symbol(self.ranks.radices().len());
        let (mut quotient, mut rest) = (whole, Linear::from(uniform.constant()));
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
                    Ok(_) if !self.engine.divides() => Ok(None),
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

    /// C's `x / d`, which rounds towards zero.
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
        if x.is_uniform()
            && self.constant(d).is_some_and(|d| 1 <= d)
            && self.known_nonnegative(x)
            && let Ok((whole, _)) = boxes::divide(x, d, self.facts)
        {
            return Ok(Value::Int(whole));
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
                let two =
                    d.scale(2).and_then(|two| self.ranks.maximise(&rest, self.facts)?.offset(1)?.sub(&two));
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
            Some((
                self.ranks.minimise(&from, self.facts)?,
                self.ranks.maximise(&from, self.facts)?.offset(1)?,
            ))
        };
        ends().is_some_and(|(least, beyond)| {
            self.facts.le(&Linear::zero(), &least) == Truth::Yes && self.facts.le(&beyond, d) == Truth::Yes
        })
    }
}
