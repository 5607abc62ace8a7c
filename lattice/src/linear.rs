//! Linear expressions over symbols with exact 64-bit coefficients; polynomials, where the symbols are products.

use std::fmt;

use effort::spend;
use smallvec::SmallVec;

use crate::Symbol;

/// Most expressions are a symbol, or the difference of two, and a number: these need no memory of their own.
type Terms = SmallVec<[(Symbol, i64); 2]>;

/// `c + k1*s1 + k2*s2 + ...`, terms sorted by symbol, no zero coefficient. Operations that would overflow return `None`: a
/// wrapped-around rank would be a wrong topology.
#[derive(PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Linear {
    terms: Terms,
    constant: i64,
}

/// States consist of expressions for the most part: to count those that are copied is to count what is copied.
impl Clone for Linear {
    fn clone(&self) -> Self {
        spend(1);
        Self { terms: self.terms.clone(), constant: self.constant }
    }
}

impl From<i64> for Linear {
    fn from(constant: i64) -> Self {
        Self { terms: Terms::new(), constant }
    }
}

impl From<Symbol> for Linear {
    fn from(symbol: Symbol) -> Self {
        Self { terms: smallvec::smallvec![(symbol, 1)], constant: 0 }
    }
}

impl fmt::Debug for Linear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (symbol, coefficient) in &self.terms {
            let factors: Vec<String> =
                symbol.factors().map(|s| s.number().map_or_else(String::new, |n| format!("s{n}"))).collect();
            write!(f, "{coefficient:+}*{}", factors.join("*"))?;
        }
        write!(f, "{:+}", self.constant)
    }
}

/// Terms of a product that is made.
const TERMS: usize = 24;

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

    /// The coefficient of a symbol, 0 when absent. Products that it is a factor of are others, see [`Self::slope`].
    #[must_use]
    pub fn coefficient(&self, symbol: Symbol) -> i64 {
        self.terms.iter().find(|&&(s, _)| s == symbol).map_or(0, |&(_, k)| k)
    }

    /// How many times a symbol it is, plus what does not depend on it; `None` where it is a factor of products.
    #[must_use]
    pub fn slope(&self, symbol: Symbol) -> Option<i64> {
        let alone = |&&(s, _): &&(Symbol, i64)| s != symbol && s.has(symbol);
        if self.terms.iter().any(|term| alone(&term)) { None } else { Some(self.coefficient(symbol)) }
    }

    /// What a symbol is multiplied with, and the rest, which does not depend on it; `None` where it is multiplied with itself.
    #[must_use]
    pub fn by_symbol(&self, symbol: Symbol) -> Option<(Self, Self)> {
        let (mut factor, mut rest) = (Self::zero(), self.clone());
        rest.terms.retain(|&mut (s, _)| !s.has(symbol));
        for &(s, k) in self.terms.iter().filter(|(s, _)| s.has(symbol)) {
            factor = match s.without(symbol) {
                None => factor.offset(k)?,
                Some(others) if others.has(symbol) => return None,
                Some(others) => factor.add_scaled(&others.into(), k)?,
            };
        }
        Some((factor, rest))
    }

    /// Whether it depends on a symbol.
    #[must_use]
    pub fn has(&self, symbol: Symbol) -> bool {
        self.terms.iter().any(|(s, _)| s.has(symbol))
    }

    /// Whether it has products.
    #[must_use]
    pub fn has_products(&self) -> bool {
        self.terms.iter().any(|(symbol, _)| symbol.is_product())
    }

    /// `self * other`; `None` where that exceeds 64 bits, or has too many factors or terms.
    #[must_use]
    pub fn times(&self, other: &Self) -> Option<Self> {
        if TERMS < self.terms.len() * other.terms.len() {
            return None;
        }
        let mut product = self.scale(other.constant)?;
        for &(symbol, k) in &other.terms {
            product = product.add_scaled(&self.times_symbol(symbol)?, k)?;
        }
        Some(product)
    }

    fn times_symbol(&self, symbol: Symbol) -> Option<Self> {
        let products = self.terms.iter().map(|&(s, k)| Some((s.times(symbol)?, k)));
        let mut terms: Terms = products.collect::<Option<_>>()?;
        if self.constant != 0 {
            terms.push((symbol, self.constant));
        }
        terms.sort_unstable_by_key(|term| term.0);
        Some(Self { terms, constant: 0 })
    }

    /// Whether it has the same value on all members of a process set.
    #[must_use]
    pub fn is_uniform(&self) -> bool {
        !self.terms.iter().any(|&(symbol, _)| symbol.is_own())
    }

    /// The part over symbols that may differ between the members of a process set, and the rest.
    #[must_use]
    pub fn split_own(&self) -> (Self, Self) {
        let (own, rest) = self.terms.iter().copied().partition(|(symbol, _)| symbol.is_own());
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
        spend(1);
        let constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        let mut terms = Terms::with_capacity(self.terms.len() + other.terms.len());
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
        if !self.has(symbol) {
            return Some(self.clone());
        }
        let mut result = self.clone();
        result.terms.retain(|(s, _)| !s.has(symbol));
        for &(s, k) in self.terms.iter().filter(|(s, _)| s.has(symbol)) {
            let mut product = Self::from(1);
            for factor in s.factors() {
                product =
                    if factor == symbol { product.times(value)? } else { product.times_symbol(factor)? };
            }
            result = result.add_scaled(&product, k)?;
        }
        Some(result)
    }

    /// The expression with each symbol replaced by what `map` says, others kept. Products are asked for first, then their factors.
    #[must_use]
    pub fn map_symbols(&self, mut map: impl FnMut(Symbol) -> Option<Self>) -> Option<Self> {
        let mut result = Self::from(self.constant);
        for &(symbol, coefficient) in &self.terms {
            let value = match map(symbol) {
                Some(value) => value,
                None if !symbol.is_product() => symbol.into(),
                None => {
                    let mut product = Self::from(1);
                    for factor in symbol.factors() {
                        product = match map(factor) {
                            Some(value) => product.times(&value)?,
                            None => product.times_symbol(factor)?,
                        };
                    }
                    product
                }
            };
            result = result.add_scaled(&value, coefficient)?;
        }
        Some(result)
    }

    /// The value where every symbol has one.
    #[must_use]
    pub fn evaluate(&self, mut value: impl FnMut(Symbol) -> Option<i64>) -> Option<i64> {
        self.terms.iter().try_fold(self.constant, |sum, &(symbol, k)| {
            let product = symbol.factors().try_fold(k, |product, factor| product.checked_mul(value(factor)?));
            sum.checked_add(product?)
        })
    }

    /// The quotient by a nonzero expression of one term, where every term is a multiple of it.
    #[must_use]
    pub fn divide_by_term(&self, divisor: &Self) -> Option<Self> {
        let (quotient, rest) = self.multiples_of(divisor)?;
        (rest == Self::zero()).then_some(quotient)
    }

    /// The terms that are multiples of an expression of one term, divided by it, and the others. `None` if that is no single term.
    #[must_use]
    pub fn multiples_of(&self, divisor: &Self) -> Option<(Self, Self)> {
        let (symbol, factor) = match (&divisor.terms[..], divisor.constant) {
            ([], factor) if factor != 0 => (None, factor),
            (&[(symbol, factor)], 0) => (Some(symbol), factor),
            _ => return None,
        };
        let (mut quotient, mut rest) = (Self::zero(), Self::zero());
        let constant = match symbol {
            None if self.constant.checked_rem(factor)? == 0 => {
                quotient = quotient.offset(self.constant.checked_div(factor)?)?;
                0
            }
            _ => self.constant,
        };
        rest.constant = constant;
        for &(s, k) in &self.terms {
            let mut left = Some(Some(s));
            for factor in symbol.into_iter().flat_map(Symbol::factors) {
                left = match left {
                    Some(Some(s)) if s == factor => Some(None),
                    Some(Some(s)) => s.without(factor).map(Some),
                    _ => None,
                };
            }
            match left {
                Some(left) if k.checked_rem(factor)? == 0 => {
                    let part = left.map_or_else(|| Self::from(1), Self::from);
                    quotient = quotient.add_scaled(&part, k.checked_div(factor)?)?;
                }
                _ => rest.terms.push((s, k)),
            }
        }
        Some((quotient, rest))
    }
}
