//! Process sets as boxes over mixed-radix digits of the rank (paper sections VII.B and VIII).
//!
//! With one digit such a box is a range `[lo..hi]`. With radices `r0, r1, ...`, least significant first, a rank is
//! `d0 + r0 * (d1 + r1 * (d2 + ...))`: the even ranks are those with `d0 = 0` in radix 2, a column of a mesh is one digit fixed. Digit
//! `i` but the last lies in `[0..r_i - 1]`.

use std::collections::BTreeSet;

use crate::constraints::Truth;
use crate::linear::greatest_common_divisor;
use crate::{Constraints, DIGITS, Linear, Range, Symbol, Symbols};

/// Members of a box that are compared with those of another one by one.
const LISTED: usize = 256;

/// A nonempty box of ranks.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ranks {
    radices: Vec<Linear>,
    /// One more than radices.
    digits: Vec<Range>,
}

impl From<Range> for Ranks {
    fn from(range: Range) -> Self {
        Self { radices: Vec::new(), digits: vec![range] }
    }
}

impl Ranks {
    /// A box from its radices and digits, least significant first.
    ///
    /// # Panics
    /// Unless there is one more digit than radices.
    #[must_use]
    pub fn new(radices: Vec<Linear>, digits: Vec<Range>) -> Self {
        assert_eq!(radices.len() + 1, digits.len(), "the most significant digit has no radix");
        Self { radices, digits }
    }

    /// All ranks of `MPI_COMM_WORLD`.
    #[must_use]
    pub fn world() -> Self {
        Range::world().into()
    }

    /// One rank.
    #[must_use]
    pub fn single(rank: Linear) -> Self {
        Range::single(rank).into()
    }

    /// The radices, least significant first; none for a range.
    #[must_use]
    pub fn radices(&self) -> &[Linear] {
        &self.radices
    }

    /// The digits, least significant first.
    #[must_use]
    pub fn digits(&self) -> &[Range] {
        &self.digits
    }

    /// The box with one digit replaced.
    #[must_use]
    pub fn with_digit(&self, position: usize, digit: Range) -> Self {
        let mut other = self.clone();
        other.digits[position] = digit;
        other
    }

    /// The symbol that a member calls its digit at this position.
    #[must_use]
    pub fn symbol(&self, position: usize) -> Symbol {
        symbol_of_digit(position, self.radices.len())
    }

    /// The range, where it is one.
    #[must_use]
    pub fn as_range(&self) -> Option<&Range> {
        match &self.digits[..] {
            [range] => Some(range),
            _ => None,
        }
    }

    /// The rank with these digits; `None` where it has no linear form.
    #[must_use]
    pub fn rank_of(&self, digits: &[Linear]) -> Option<Linear> {
        let mut rank = digits.last()?.clone();
        for (radix, digit) in self.radices.iter().zip(digits).rev() {
            rank = rank.times(radix)?.add(digit)?;
        }
        Some(rank)
    }

    /// The range from its first to its last member; `None` where an end has no linear form.
    #[must_use]
    pub fn hull(&self) -> Option<Range> {
        let end = |of: fn(&Range) -> &Linear| {
            self.rank_of(&self.digits.iter().map(|digit| of(digit).clone()).collect::<Vec<_>>())
        };
        Some(Range { lo: end(|digit| &digit.lo)?, hi: end(|digit| &digit.hi)? })
    }

    /// Its only member, when that is proved.
    #[must_use]
    pub fn as_single(&self, facts: &Constraints) -> Option<Linear> {
        let digits: Option<Vec<Linear>> = self.digits.iter().map(|d| d.as_single(facts).cloned()).collect();
        self.rank_of(&digits?)
    }

    /// Number of members.
    #[must_use]
    pub fn count(&self) -> Option<Linear> {
        self.digits.iter().try_fold(Linear::from(1), |count, digit| count.times(&digit.count()?))
    }

    /// Whether both are proved equal.
    #[must_use]
    pub fn same(&self, other: &Self, facts: &Constraints) -> bool {
        self.radices == other.radices && self.digits.iter().zip(&other.digits).all(|(a, b)| a.same(b, facts))
    }

    /// Whether both are proved to share no rank.
    #[must_use]
    pub fn disjoint(&self, other: &Self, facts: &Constraints) -> bool {
        if self.radices == other.radices {
            return self.digits.iter().zip(&other.digits).any(|(a, b)| a.disjoint(b, facts));
        }
        self.differ_by_remainder(other)
            || self.hull().zip(other.hull()).is_some_and(|(a, b)| a.disjoint(&b, facts))
            || self.members(facts).zip(other.members(facts)).is_some_and(|(a, b)| a.is_disjoint(&b))
    }

    /// The members, where all bounds are numbers and there are few.
    #[must_use]
    pub fn members(&self, facts: &Constraints) -> Option<BTreeSet<i64>> {
        let mut members = vec![0_i64];
        let mut weight = 1_i64;
        for (position, digit) in self.digits.iter().enumerate() {
            let (lo, hi) = (facts.constant(&digit.lo)?, facts.constant(&digit.hi)?);
            let count = usize::try_from(hi.checked_sub(lo)?.checked_add(1)?.max(0)).ok()?;
            let _ = members.len().checked_mul(count).filter(|&all| all <= LISTED)?;
            let with =
                |&member: &i64| (lo..=hi).map(move |digit| weight.checked_mul(digit)?.checked_add(member));
            members = members.iter().flat_map(with).collect::<Option<_>>()?;
            if let Some(radix) = self.radices.get(position) {
                weight = weight.checked_mul(facts.constant(radix)?)?;
            }
        }
        Some(members.into_iter().collect())
    }

    /// Whether the members of both leave different remainders.
    fn differ_by_remainder(&self, other: &Self) -> bool {
        let Some(((a, m), (b, n))) = self.remainder().zip(other.remainder()) else { return false };
        let common = greatest_common_divisor(m.unsigned_abs(), n.unsigned_abs());
        !(i128::from(a) - i128::from(b)).unsigned_abs().is_multiple_of(common.into())
    }

    /// The remainder that all members leave when they are divided by a number, and that number.
    fn remainder(&self) -> Option<(i64, i64)> {
        let (mut remainder, mut modulus) = (0_i64, 1_i64);
        for (digit, radix) in self.digits.iter().zip(&self.radices) {
            let only = digit.lo.as_constant().filter(|&lo| digit.hi.as_constant() == Some(lo));
            let Some((digit, radix)) = only.zip(radix.as_constant()) else { break };
            remainder = remainder.checked_add(modulus.checked_mul(digit)?)?;
            modulus = modulus.checked_mul(radix)?;
        }
        (1 < modulus).then_some((remainder, modulus))
    }

    /// Whether all are proved to be members of another box.
    #[must_use]
    pub fn within(&self, other: &Self, facts: &Constraints) -> bool {
        let inside = |inner: &Range, outer: &Range| {
            facts.le(&outer.lo, &inner.lo) == Truth::Yes && facts.le(&inner.hi, &outer.hi) == Truth::Yes
        };
        if self.radices == other.radices {
            return self.digits.iter().zip(&other.digits).all(|(inner, outer)| inside(inner, outer));
        }
        other.as_range().zip(self.hull()).is_some_and(|(outer, hull)| inside(&hull, outer))
            || self.members(facts).zip(other.members(facts)).is_some_and(|(a, b)| a.is_subset(&b))
    }

    /// The union of two boxes of which `other` begins right after `self` ends, in one digit, the others being equal.
    #[must_use]
    pub fn append(&self, other: &Self, facts: &Constraints) -> Option<Self> {
        if self.radices != other.radices {
            return None;
        }
        let mut differing = (0..self.digits.len()).filter(|&i| !self.digits[i].same(&other.digits[i], facts));
        let position = differing.next()?;
        let digit = self.digits[position].append(&other.digits[position], facts)?;
        differing.next().is_none().then(|| self.with_digit(position, digit))
    }

    /// An upper bound of an expression over the members.
    #[must_use]
    pub fn maximise(&self, expression: &Linear, facts: &Constraints) -> Option<Linear> {
        let mut bound = self.in_digits(expression)?;
        for (position, digit) in self.digits.iter().enumerate() {
            let (factor, rest) = bound.by_symbol(self.symbol(position))?;
            let end = if factor == Linear::zero() {
                continue;
            } else if facts.le(&Linear::zero(), &factor) == Truth::Yes {
                &digit.hi
            } else if facts.le(&factor, &Linear::zero()) == Truth::Yes {
                &digit.lo
            } else {
                return None;
            };
            bound = rest.add(&factor.times(end)?)?;
        }
        bound.is_uniform().then_some(bound)
    }

    /// A lower bound of an expression over the members.
    #[must_use]
    pub fn minimise(&self, expression: &Linear, facts: &Constraints) -> Option<Linear> {
        self.maximise(&expression.scale(-1)?, facts)?.scale(-1)
    }

    /// An expression over a member's rank and digits, over its digits alone; `None` where that has no linear form.
    #[must_use]
    pub fn in_digits(&self, expression: &Linear) -> Option<Linear> {
        let mut result = expression.clone();
        for (below, radix) in self.radices.iter().enumerate() {
            let (tail, next) = (Symbol::tail(below), Symbol::tail(below + 1));
            if result.has(tail) {
                let value = Linear::from(next).times(radix)?.add(&Symbol::digit(below).into())?;
                result = result.substitute(tail, &value)?;
            }
        }
        Some(result)
    }

    /// The product of two expressions over a member's rank and digits, where a number or the rank and its digits say it: a row times
    /// the width of the mesh is the rank without the column.
    #[must_use]
    pub fn product(&self, a: &Linear, b: &Linear) -> Option<Linear> {
        let scaled = |rows: &Linear, width: &Linear| {
            let (own, uniform) = rows.split_own();
            let mut product = uniform.times(width)?;
            for (symbol, coefficient) in own.terms() {
                let below =
                    symbol.as_tail()?.checked_sub(1).filter(|&i| self.radices.get(i) == Some(width))?;
                let wide = Linear::from(Symbol::tail(below)).sub(&Symbol::digit(below).into())?;
                product = product.add_scaled(&wide, coefficient)?;
            }
            Some(product)
        };
        let constant = [(a, b), (b, a)].into_iter().find_map(|(a, b)| a.scale(b.as_constant()?));
        constant.or_else(|| scaled(a, b)).or_else(|| scaled(b, a)).or_else(|| a.times(b))
    }

    /// An expression as it is written over the members: without the rank where its digits say it, and without digits that are the
    /// same on all members.
    #[must_use]
    pub fn settle(&self, expression: &Linear, facts: &Constraints) -> Linear {
        if expression.is_uniform() {
            return expression.clone();
        }
        let settled = |expression: &Linear| {
            let mut value = self.in_digits(expression).unwrap_or_else(|| expression.clone());
            for (position, digit) in self.digits.iter().enumerate() {
                let symbol = self.symbol(position);
                if value.has(symbol)
                    && let Some(only) = digit.as_single(facts)
                {
                    value = value.substitute(symbol, only)?;
                }
            }
            Some(facts.with_known_factors(&value).unwrap_or(value))
        };
        settled(expression).unwrap_or_else(|| expression.clone())
    }

    /// An expression over a member's digits, over its rank where possible; for people.
    #[must_use]
    pub fn over_rank(&self, expression: &Linear, facts: &Constraints) -> Option<Linear> {
        let mut value = self.settle(expression, facts);
        for below in (1..=self.radices.len()).rev() {
            let (slope, rest) = value.by_symbol(Symbol::tail(below))?;
            if slope == Linear::zero() {
                continue;
            }
            // tail = (tail below it - digit) / radix
            let factor = slope.divide_by_term(&self.radices[below - 1])?;
            let lower = Linear::from(Symbol::tail(below - 1)).sub(&Symbol::digit(below - 1).into())?;
            value = rest.add(&lower.times(&factor)?)?;
            for (position, digit) in self.digits.iter().enumerate().take(below) {
                if let Some(only) = digit.as_single(facts) {
                    value = value.substitute(self.symbol(position), only)?;
                }
            }
        }
        Some(value)
    }

    /// `[lo..hi]`, with a step where every so many ranks are members, or `{4*i + j: i in [0..h], j in [0..2]}`; `None` when a bound
    /// means nothing outside its state.
    #[must_use]
    pub fn display(&self, symbols: &Symbols) -> Option<String> {
        if let Some(range) = self.as_range() {
            return range.display(symbols);
        }
        let hull = self.hull()?;
        let Some(step) = self.step() else { return self.display_digits(symbols) };
        match step.as_constant() {
            Some(1) => hull.display(symbols),
            _ => Some(format!("{} step {}", hull.display(symbols)?, symbols.display(&step)?)),
        }
    }

    /// How far each member is from the next one, where no more than one digit differs between them.
    #[must_use]
    pub fn step(&self) -> Option<Linear> {
        let mut varying = (0..self.digits.len()).filter(|&i| self.digits[i].lo != self.digits[i].hi);
        let Some(position) = varying.next() else { return Some(1.into()) };
        if varying.next().is_some() {
            return None;
        }
        self.radices[..position].iter().try_fold(Linear::from(1), |step, r| step.times(r))
    }
}

/// Names of digits, the most significant first.
const NAMES: [&str; DIGITS] = ["i", "j", "k", "l"];

impl Ranks {
    fn display_digits(&self, symbols: &Symbols) -> Option<String> {
        // A digit that is the same for all needs no name.
        let single = |digit: &Range| digit.lo == digit.hi;
        let named = NAMES.into_iter().zip(self.digits.iter().rev()).filter(|(_, digit)| !single(digit));
        let ranges: Option<Vec<String>> =
            named.map(|(name, digit)| Some(format!("{name} in {}", digit.display(symbols)?))).collect();
        let own = |position: usize| match &self.digits[position] {
            digit if single(digit) => digit.lo.clone(),
            _ => self.symbol(position).into(),
        };
        let own: Vec<Linear> = (0..self.digits.len()).map(own).collect();
        Some(format!("{{{}: {}}}", self.display_rank(symbols, &own)?, ranges?.join(", ")))
    }

    /// The rank with these digits, which may be expressions over a member's digits, in the names that [`Self::display`] gives them.
    #[must_use]
    pub fn display_rank(&self, symbols: &Symbols, digits: &[Linear]) -> Option<String> {
        let name = |symbol: Symbol| {
            let position = (0..self.digits.len()).rev().position(|i| self.symbol(i) == symbol)?;
            NAMES.get(position).map(|&name| name.to_owned())
        };
        let text = |e: &Linear| {
            let text = symbols.display_named(e, &name)?;
            // A quotient has parentheses of its own.
            let is_symbol = e.as_offset().is_some_and(|(_, offset)| offset == 0);
            Some(if text.contains(' ') && !is_symbol { format!("({text})") } else { text })
        };
        let mut digits = digits.iter().rev();
        let mut rank = text(digits.next()?)?;
        for (radix, digit) in self.radices.iter().rev().zip(digits) {
            let upper = if rank.contains(' ') && !rank.starts_with('(') { format!("({rank})") } else { rank };
            let low = text(digit)?;
            rank = match (text(radix)?.as_str(), upper.as_str()) {
                (_, "0") => low,
                ("1", _) if low == "0" => upper,
                (radix, _) if low == "0" => format!("{radix}*{upper}"),
                ("1", _) => format!("{upper} + {low}"),
                (radix, _) => format!("{radix}*{upper} + {low}"),
            };
        }
        Some(rank)
    }
}

/// The symbol of a digit of a set with so many radices.
#[must_use]
pub fn symbol_of_digit(position: usize, radices: usize) -> Symbol {
    if position < radices { Symbol::digit(position) } else { Symbol::tail(position) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of boxes of numbers it is known whether they share a rank, and whether one holds the other, whatever their digits are.
    #[test]
    fn boxes_of_numbers_are_compared() {
        let range = |lo: i64, hi: i64| Range { lo: lo.into(), hi: hi.into() };
        let mut boxes: Vec<(Ranks, BTreeSet<i64>)> = Vec::new();
        for lo in 0..7_i64 {
            for hi in lo..7 {
                boxes.push((range(lo, hi).into(), (lo..=hi).collect()));
                for (radix, low, high) in [(2, 0, 0), (2, 1, 1), (3, 1, 2), (4, 0, 2)] {
                    let ranks = Ranks::new(vec![radix.into()], vec![range(low, high), range(lo, hi)]);
                    let row = |row: i64| (low..=high).map(move |digit| radix * row + digit);
                    boxes.push((ranks, (lo..=hi).flat_map(row).collect()));
                }
            }
        }
        let facts = Constraints::new();
        for (a, p) in &boxes {
            for (b, q) in &boxes {
                assert_eq!(a.disjoint(b, &facts), p.is_disjoint(q), "{a:?} {b:?}");
                assert_eq!(a.within(b, &facts), p.is_subset(q), "{a:?} {b:?}");
            }
        }
    }
}
