//! Linear expressions over symbols with exact 64-bit coefficients.

use std::fmt;

use crate::Symbol;

/// `c + k1*s1 + k2*s2 + ...`, terms sorted by symbol, no zero coefficient. Operations that would overflow return `None`: a
/// wrapped-around rank would be a wrong topology.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Linear {
    terms: Vec<(Symbol, i64)>,
    constant: i64,
}

impl From<i64> for Linear {
    fn from(constant: i64) -> Self {
        Self { terms: Vec::new(), constant }
    }
}

impl From<Symbol> for Linear {
    fn from(symbol: Symbol) -> Self {
        Self { terms: vec![(symbol, 1)], constant: 0 }
    }
}

impl fmt::Debug for Linear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (symbol, coefficient) in &self.terms {
            write!(f, "{coefficient:+}*s{}", symbol.0)?;
        }
        write!(f, "{:+}", self.constant)
    }
}

/// The greatest number that divides both; the other one where one is 0.
#[must_use]
pub fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Linear {
    /// Zero.
    #[must_use]
    pub fn zero() -> Self {
        Self::default()
    }

    /// The number of processes.
    #[must_use]
    pub fn np() -> Self {
        Symbol::NP.into()
    }

    /// The rank of the evaluating process.
    #[must_use]
    pub fn rank() -> Self {
        Symbol::RANK.into()
    }

    /// The constant part.
    #[must_use]
    pub fn constant(&self) -> i64 {
        self.constant
    }

    /// The value, when no symbol is left.
    #[must_use]
    pub fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// Symbols and coefficients, by symbol.
    pub fn terms(&self) -> impl Iterator<Item = (Symbol, i64)> + '_ {
        self.terms.iter().copied()
    }

    /// The symbols, in order.
    pub fn symbols(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.terms.iter().map(|&(symbol, _)| symbol)
    }

    /// The coefficient of a symbol, 0 when absent.
    #[must_use]
    pub fn coefficient(&self, symbol: Symbol) -> i64 {
        self.terms.iter().find(|&&(s, _)| s == symbol).map_or(0, |&(_, k)| k)
    }

    /// Whether it has the same value on all members of a process set.
    #[must_use]
    pub fn is_uniform(&self) -> bool {
        !self.terms.iter().any(|&(symbol, _)| symbol.is_own())
    }

    /// The part over symbols that may differ between the members of a process set, and the rest.
    #[must_use]
    pub fn split_own(&self) -> (Self, Self) {
        let (own, rest) = self.terms.iter().partition(|(symbol, _)| symbol.is_own());
        (Self { terms: own, constant: 0 }, Self { terms: rest, constant: self.constant })
    }

    /// The greatest common divisor of the coefficients, without the constant; 0 without any.
    #[must_use]
    pub fn content(&self) -> u64 {
        self.terms.iter().fold(0, |divisor, (_, k)| greatest_common_divisor(divisor, k.unsigned_abs()))
    }

    /// `(symbol, constant)` of an expression `symbol + constant`.
    #[must_use]
    pub fn as_offset(&self) -> Option<(Symbol, i64)> {
        match self.terms[..] {
            [(symbol, 1)] => Some((symbol, self.constant)),
            _ => None,
        }
    }

    /// `self + factor * other`, exactly.
    #[must_use]
    pub fn add_scaled(&self, other: &Self, factor: i64) -> Option<Self> {
        let constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let next = match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some(&&l), Some(&&r)) if l.0 == r.0 => {
                    left.next();
                    right.next();
                    (l.0, l.1.checked_add(r.1.checked_mul(factor)?)?)
                }
                (Some(&&l), r) if r.is_none_or(|r| l.0 < r.0) => {
                    left.next();
                    l
                }
                (_, Some(&&r)) => {
                    right.next();
                    (r.0, r.1.checked_mul(factor)?)
                }
                (Some(_), None) => {
                    unreachable!("the second arm takes every left term when no right term is there")
                }
            };
            if next.1 != 0 {
                terms.push(next);
            }
        }
        Some(Self { terms, constant })
    }

    /// `self + other`
    #[must_use]
    pub fn add(&self, other: &Self) -> Option<Self> {
        self.add_scaled(other, 1)
    }

    /// `self - other`
    #[must_use]
    pub fn sub(&self, other: &Self) -> Option<Self> {
        self.add_scaled(other, -1)
    }

    /// `self + constant`
    #[must_use]
    pub fn offset(&self, constant: i64) -> Option<Self> {
        Some(Self { terms: self.terms.clone(), constant: self.constant.checked_add(constant)? })
    }

    /// `self * factor`
    #[must_use]
    pub fn scale(&self, factor: i64) -> Option<Self> {
        Self::zero().add_scaled(self, factor)
    }

    /// `self / divisor` when every coefficient is a multiple of it.
    #[must_use]
    pub fn divide_exactly(&self, divisor: i64) -> Option<Self> {
        let divide = |k: i64| (k.checked_rem(divisor)? == 0).then(|| k.checked_div(divisor))?;
        let terms = self.terms.iter().map(|&(s, k)| Some((s, divide(k)?))).collect::<Option<_>>()?;
        Some(Self { terms, constant: divide(self.constant)? })
    }

    /// `floor(self / divisor)` for a positive divisor of every coefficient (but not of the constant).
    #[must_use]
    pub fn floor_divide(&self, divisor: i64) -> Option<Self> {
        let constant = self.constant.checked_div_euclid(divisor).filter(|_| divisor > 0)?;
        let mut result = Self { terms: self.terms.clone(), constant: 0 }.divide_exactly(divisor)?;
        result.constant = constant;
        Some(result)
    }

    /// The expression with `symbol` replaced by `value`.
    #[must_use]
    pub fn substitute(&self, symbol: Symbol, value: &Self) -> Option<Self> {
        match self.coefficient(symbol) {
            0 => Some(self.clone()),
            k => {
                let mut rest = self.clone();
                rest.terms.retain(|&(s, _)| s != symbol);
                rest.add_scaled(value, k)
            }
        }
    }

    /// The expression with each symbol replaced by what `map` says, others kept.
    #[must_use]
    pub fn map_symbols(&self, mut map: impl FnMut(Symbol) -> Option<Self>) -> Option<Self> {
        let mut result = Self::from(self.constant);
        for &(symbol, coefficient) in &self.terms {
            result = match map(symbol) {
                Some(value) => result.add_scaled(&value, coefficient)?,
                None => result.add_scaled(&symbol.into(), coefficient)?,
            };
        }
        Some(result)
    }

    /// The value where every symbol has one.
    #[must_use]
    pub fn evaluate(&self, mut value: impl FnMut(Symbol) -> Option<i64>) -> Option<i64> {
        self.terms
            .iter()
            .try_fold(self.constant, |sum, &(symbol, k)| sum.checked_add(k.checked_mul(value(symbol)?)?))
    }
}
