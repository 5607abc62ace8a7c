//! Exact polynomials with integer coefficients over symbols.
//!
//! A polynomial is kept in one normal form (monomials in falling graded order, no zero coefficient), so that equality of
//! polynomials is equality of values for all values of the symbols. Coefficients are `i128`; what does not fit, or would
//! have more than [`Polynomial::MAX_MONOMIALS`] monomials, is an [`Overflow`], never a wrong value.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt;

use effort::spend_on;
use thiserror::Error;

use crate::expr::{Operator, Part, Symbol, Term};

/// A result has a coefficient beyond 128 bits, too many monomials, or too high a degree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a polynomial is too large")]
pub struct Overflow;

/// A product of powers of symbols, in the order of the symbols; no exponent is 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Monomial(Vec<(Symbol, u32)>);

impl Monomial {
    pub(crate) fn degree(&self) -> u32 {
        self.0.iter().map(|(_, exponent)| exponent).sum()
    }

    pub(crate) fn factors(&self) -> &[(Symbol, u32)] {
        &self.0
    }

    fn times(&self, other: &Self) -> Result<Self, Overflow> {
        let mut product = self.clone();
        for (symbol, exponent) in &other.0 {
            match product.0.binary_search_by(|(known, _)| known.cmp(symbol)) {
                Ok(place) => product.0[place].1 += exponent,
                Err(place) => product.0.insert(place, (symbol.clone(), *exponent)),
            }
        }
        if product.degree() > Polynomial::MAX_DEGREE { Err(Overflow) } else { Ok(product) }
    }

    /// The monomial whose product with `divisor` this is, if there is one.
    fn over(&self, divisor: &Self) -> Option<Self> {
        let mut quotient = self.clone();
        for (symbol, exponent) in &divisor.0 {
            let place = quotient.0.binary_search_by(|(known, _)| known.cmp(symbol)).ok()?;
            let rest = quotient.0[place].1.checked_sub(*exponent)?;
            if rest == 0 {
                quotient.0.remove(place);
            } else {
                quotient.0[place].1 = rest;
            }
        }
        Some(quotient)
    }

    fn contains(&self, symbol: &Symbol) -> bool {
        self.0.iter().any(|(known, _)| known == symbol)
    }
}

/// Graded lexicographic: by degree, then by the exponent of the first symbol in which two monomials differ. Compatible
/// with products, which is what division needs.
impl Ord for Monomial {
    fn cmp(&self, other: &Self) -> Ordering {
        self.degree().cmp(&other.degree()).then_with(|| {
            for (left, right) in self.0.iter().zip(&other.0) {
                // The one with the earlier symbol has it to a higher power than the other, which lacks it.
                match right.0.cmp(&left.0).then(left.1.cmp(&right.1)) {
                    Ordering::Equal => {}
                    differ => return differ,
                }
            }
            self.0.len().cmp(&other.0.len())
        })
    }
}

impl PartialOrd for Monomial {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// An integer polynomial; see the module.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Polynomial(Vec<(Monomial, i128)>);

impl Polynomial {
    /// More monomials than this are refused: no expression over ranks has as many.
    pub const MAX_MONOMIALS: usize = 128;

    /// Bound on the total degree.
    pub const MAX_DEGREE: u32 = 24;

    /// The polynomial 0.
    pub const fn zero() -> Self {
        Self(Vec::new())
    }

    /// A constant.
    pub fn constant(value: i128) -> Self {
        if value == 0 { Self::zero() } else { Self(vec![(Monomial::default(), value)]) }
    }

    /// The symbol of that name.
    pub fn symbol(name: &str) -> Self {
        Symbol::new(name).into()
    }

    /// The value of a term without divisions; `None` for a term that divides.
    pub fn from_term(term: &Term) -> Result<Option<Self>, Overflow> {
        term.fold_partly(|part| match part {
            Part::Constant(value) => Ok(Self::constant(value)),
            Part::Symbol(symbol) => Ok(symbol.clone().into()),
            Part::Apply(operator, left, right) => left.apply(operator, &right)?.ok_or(None),
        })
    }

    /// `self operator right`; `None` for a division.
    pub(crate) fn apply(&self, operator: Operator, right: &Self) -> Result<Option<Self>, Overflow> {
        match operator {
            Operator::Add => self.add(right).map(Some),
            Operator::Subtract => self.sub(right).map(Some),
            Operator::Multiply => self.mul(right).map(Some),
            Operator::FloorDivide | Operator::Modulo => Ok(None),
        }
    }

    /// The same as a term.
    pub fn to_term(&self) -> Term {
        let product = |monomial: &Monomial, coefficient: i128| {
            let symbols =
                monomial.0.iter().flat_map(|(symbol, exponent)| (0..*exponent).map(move |_| symbol));
            let mut factors = symbols.cloned().map(Term::from);
            let first = match (factors.next(), coefficient) {
                (None, _) => Term::constant(coefficient),
                (Some(first), 1) => first,
                (Some(first), _) => Term::constant(coefficient) * first,
            };
            factors.fold(first, |product, factor| product * factor)
        };
        let (added, taken): (Vec<_>, Vec<_>) = self.0.iter().partition(|(_, coefficient)| 0 < *coefficient);
        let mut sum: Option<Term> = None;
        for (monomial, coefficient) in added.into_iter().chain(taken) {
            sum = Some(match (sum, coefficient.checked_neg()) {
                (None, _) => product(monomial, *coefficient),
                (Some(sum), Some(size)) if 0 < size => sum - product(monomial, size),
                (Some(sum), _) => sum + product(monomial, *coefficient),
            });
        }
        sum.unwrap_or_else(|| Term::constant(0))
    }

    /// Whether it is 0 for all values of its symbols.
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// Its value, if it has no symbols.
    pub fn as_constant(&self) -> Option<i128> {
        match &self.0[..] {
            [] => Some(0),
            [(monomial, value)] if monomial.0.is_empty() => Some(*value),
            _ => None,
        }
    }

    /// The symbol that it is, if it is one.
    pub fn as_symbol(&self) -> Option<&Symbol> {
        match &self.0[..] {
            [(Monomial(factors), 1)] => match &factors[..] {
                [(symbol, 1)] => Some(symbol),
                _ => None,
            },
            _ => None,
        }
    }

    /// Its symbols, in order.
    pub fn symbols(&self) -> BTreeSet<Symbol> {
        self.0.iter().flat_map(|(monomial, _)| &monomial.0).map(|(symbol, _)| symbol.clone()).collect()
    }

    pub(crate) fn monomials(&self) -> &[(Monomial, i128)] {
        &self.0
    }

    pub(crate) fn from_monomial(monomial: Monomial, coefficient: i128) -> Self {
        if coefficient == 0 { Self::zero() } else { Self(vec![(monomial, coefficient)]) }
    }

    /// The part without symbols.
    pub fn constant_part(&self) -> i128 {
        match self.0.last() {
            Some((monomial, value)) if monomial.0.is_empty() => *value,
            _ => 0,
        }
    }

    /// `self + factor * other`.
    fn add_scaled(&self, other: &Self, factor: i128) -> Result<Self, Overflow> {
        spend_on(1 + 2 * (self.0.len() + other.0.len()));
        let mut sum = Vec::with_capacity(self.0.len() + other.0.len());
        let (mut left, mut right) = (self.0.iter().peekable(), other.0.iter().peekable());
        loop {
            let order = match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some(_), None) => Ordering::Greater,
                (None, Some(_)) => Ordering::Less,
                (Some((a, _)), Some((b, _))) => a.cmp(b),
            };
            let mut monomial = None;
            let mut coefficient: i128 = 0;
            if order != Ordering::Less
                && let Some((known, value)) = left.next()
            {
                monomial = Some(known);
                coefficient = *value;
            }
            if order != Ordering::Greater
                && let Some((known, value)) = right.next()
            {
                monomial = Some(known);
                let scaled = value.checked_mul(factor).ok_or(Overflow)?;
                coefficient = coefficient.checked_add(scaled).ok_or(Overflow)?;
            }
            if let Some(monomial) = monomial.filter(|_| coefficient != 0) {
                sum.push((monomial.clone(), coefficient));
            }
        }
        if sum.len() > Self::MAX_MONOMIALS { Err(Overflow) } else { Ok(Self(sum)) }
    }

    /// The sum.
    pub fn add(&self, other: &Self) -> Result<Self, Overflow> {
        self.add_scaled(other, 1)
    }

    /// The difference.
    pub fn sub(&self, other: &Self) -> Result<Self, Overflow> {
        self.add_scaled(other, -1)
    }

    /// `self + value`.
    pub fn plus(&self, value: i128) -> Result<Self, Overflow> {
        self.add(&Self::constant(value))
    }

    /// The negation.
    pub fn neg(&self) -> Result<Self, Overflow> {
        Self::zero().sub(self)
    }

    /// `factor * self`.
    pub fn scale(&self, factor: i128) -> Result<Self, Overflow> {
        if factor == 0 { Ok(Self::zero()) } else { Self::zero().add_scaled(self, factor) }
    }

    /// The product.
    pub fn mul(&self, other: &Self) -> Result<Self, Overflow> {
        let mut product = Self::zero();
        for (monomial, coefficient) in &self.0 {
            product = product.add(&other.mul_monomial(monomial, *coefficient)?)?;
        }
        Ok(product)
    }

    fn mul_monomial(&self, monomial: &Monomial, coefficient: i128) -> Result<Self, Overflow> {
        let times = |(known, value): &(Monomial, i128)| {
            Ok((known.times(monomial)?, value.checked_mul(coefficient).ok_or(Overflow)?))
        };
        // Products with one monomial keep the order, and the degree is bounded by `times`.
        Ok(Self(self.0.iter().map(times).collect::<Result<_, Overflow>>()?))
    }

    /// The polynomial with `value` for every `symbol`.
    pub fn substitute(&self, symbol: &Symbol, value: &Self) -> Result<Self, Overflow> {
        if !self.0.iter().any(|(monomial, _)| monomial.contains(symbol)) {
            return Ok(self.clone());
        }
        let mut result = Self::zero();
        for (monomial, coefficient) in &self.0 {
            let mut rest = monomial.clone();
            let mut exponent = 0;
            rest.0.retain(|(known, power)| {
                let other = known != symbol;
                if !other {
                    exponent = *power;
                }
                other
            });
            let mut product = Self::from_monomial(rest, *coefficient);
            for _ in 0..exponent {
                product = product.mul(value)?;
            }
            result = result.add(&product)?;
        }
        Ok(result)
    }

    /// Quotient and remainder of the division by one polynomial: `self == quotient * divisor + remainder`, where no
    /// monomial of the remainder can be reduced further by the divisor's leading one. `None` for divisor 0.
    ///
    /// The remainder need not lie in `0..divisor`: that depends on the values of the symbols.
    pub fn div_rem(&self, divisor: &Self) -> Result<Option<(Self, Self)>, Overflow> {
        let Some((leading, unit)) = divisor.0.first() else { return Ok(None) };
        let (mut quotient, mut remainder, mut rest) = (Self::zero(), Self::zero(), self.clone());
        while let Some((monomial, coefficient)) = rest.0.first().cloned() {
            let factor = coefficient.checked_div_euclid(*unit).ok_or(Overflow)?;
            let part = match monomial.over(leading).filter(|_| factor != 0) {
                Some(over) => {
                    let part = Self::from_monomial(over, factor);
                    quotient = quotient.add(&part)?;
                    rest = rest.sub(&part.mul(divisor)?)?;
                    // What a coefficient leaves over is smaller than the unit and stays.
                    match rest.0.first() {
                        Some((left, value)) if *left == monomial => Self::from_monomial(monomial, *value),
                        _ => continue,
                    }
                }
                None => Self::from_monomial(monomial, coefficient),
            };
            rest = rest.sub(&part)?;
            remainder = remainder.add(&part)?;
        }
        Ok(Some((quotient, remainder)))
    }

    /// The polynomial whose product with `divisor` this is, if there is one with integer coefficients.
    pub fn div_exact(&self, divisor: &Self) -> Result<Option<Self>, Overflow> {
        let exact = self.div_rem(divisor)?.filter(|(_, remainder)| remainder.is_zero());
        Ok(exact.map(|(quotient, _)| quotient))
    }

    /// The value of the symbol for which this polynomial is 0, if it occurs in one monomial only, alone, with
    /// coefficient 1 or -1.
    pub fn solve(&self, symbol: &Symbol) -> Result<Option<Self>, Overflow> {
        let mut with = self.0.iter().filter(|(monomial, _)| monomial.contains(symbol));
        let (Some((monomial, coefficient)), None) = (with.next(), with.next()) else { return Ok(None) };
        if monomial.degree() != 1 || coefficient.unsigned_abs() != 1 {
            return Ok(None);
        }
        let rest = self.sub(&Self::from_monomial(monomial.clone(), *coefficient))?;
        Ok(Some(rest.scale(-coefficient)?))
    }

    /// Its value where every symbol has the value that `lookup` gives; `None` where one has none, or beyond 128 bits.
    pub fn evaluate(&self, lookup: impl Fn(&Symbol) -> Option<i128>) -> Option<i128> {
        let mut sum: i128 = 0;
        for (monomial, coefficient) in &self.0 {
            let mut product = *coefficient;
            for (symbol, exponent) in &monomial.0 {
                product = product.checked_mul(lookup(symbol)?.checked_pow(*exponent)?)?;
            }
            sum = sum.checked_add(product)?;
        }
        Some(sum)
    }
}

impl From<i128> for Polynomial {
    fn from(value: i128) -> Self {
        Self::constant(value)
    }
}

impl From<Symbol> for Polynomial {
    fn from(symbol: Symbol) -> Self {
        Self(vec![(Monomial(vec![(symbol, 1)]), 1)])
    }
}

impl From<&Self> for Polynomial {
    fn from(polynomial: &Self) -> Self {
        polynomial.clone()
    }
}

impl fmt::Display for Polynomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("0");
        }
        for (i, (monomial, coefficient)) in self.0.iter().enumerate() {
            match (i, *coefficient < 0) {
                (0, true) => f.write_str("-")?,
                (0, false) => {}
                (_, true) => f.write_str(" - ")?,
                (_, false) => f.write_str(" + ")?,
            }
            let size = coefficient.unsigned_abs();
            let mut separator = "";
            if size != 1 || monomial.0.is_empty() {
                write!(f, "{size}")?;
                separator = "*";
            }
            for (symbol, exponent) in &monomial.0 {
                // The names of quotients and remainders are terms themselves.
                let compound =
                    symbol.name().contains(['/', '%', ' ']) && monomial.degree() + u32::from(size != 1) > 1;
                let (open, close) = if compound { ("(", ")") } else { ("", "") };
                for _ in 0..*exponent {
                    write!(f, "{separator}{open}{symbol}{close}")?;
                    separator = "*";
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn p(name: &str) -> Polynomial {
        Polynomial::symbol(name)
    }

    #[test]
    fn polynomials_print_as_people_write_them() {
        let area = p("nrows").mul(&p("ncols")).unwrap();
        assert_eq!(area.plus(-2).unwrap().to_string(), "ncols*nrows - 2");
        assert_eq!(p("n").mul(&p("n")).unwrap().scale(-3).unwrap().to_string(), "-3*n*n");
        assert_eq!(p("np/2").scale(2).unwrap().add(&p("np%2")).unwrap().to_string(), "np%2 + 2*(np/2)");
        assert_eq!(Polynomial::zero().to_string(), "0");
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        let huge = Polynomial::constant(i128::MAX);
        assert_eq!(huge.plus(1), Err(Overflow));
        assert_eq!(huge.scale(2), Err(Overflow));
        assert_eq!(Polynomial::constant(i128::MIN).neg(), Err(Overflow));
        assert_eq!(Polynomial::constant(i128::MIN).div_rem(&Polynomial::constant(-1)), Err(Overflow));
        let mut power = p("x");
        let error = loop {
            match power.mul(&power) {
                Ok(square) => power = square,
                Err(error) => break error,
            }
        };
        assert_eq!(error, Overflow);
        let sum =
            ["a", "b", "c", "d", "e", "f"].iter().try_fold(Polynomial::zero(), |sum, name| sum.add(&p(name)));
        let mut power = sum.unwrap();
        while let Ok(square) = power.mul(&power) {
            assert!(square.monomials().len() <= Polynomial::MAX_MONOMIALS);
            power = square;
        }
    }

    #[test]
    fn exact_division_finds_the_factor() {
        let (n, m) = (p("n"), p("m"));
        let product = n.plus(1).unwrap().mul(&m.sub(&n).unwrap()).unwrap();
        assert_eq!(product.div_exact(&n.plus(1).unwrap()), Ok(Some(m.sub(&n).unwrap())));
        assert_eq!(product.div_exact(&n), Ok(None));
        assert_eq!(product.div_exact(&Polynomial::zero()), Ok(None));
        assert_eq!(n.scale(3).unwrap().div_exact(&Polynomial::constant(2)), Ok(None));
    }
}
