//! Names for quotients and remainders.

use std::cell::OnceCell;

use super::Assumptions;
use crate::euclid::euclid;
use crate::expr::{Assignment, Fact, Symbol};
use crate::polynomial::{Overflow, Polynomial};

/// A division that has names for its results.
#[derive(Clone, Debug)]
pub(crate) struct Division {
    pub(crate) dividend: Polynomial,
    pub(crate) divisor: Polynomial,
    pub(crate) quotient: Symbol,
    pub(crate) remainder: Symbol,
}

/// A quotient whose name has more symbols and numbers is not defined: questions that need one have no structure that names
/// would show, and names of quotients of quotients grow fast. Enough for `(n - rank%n + rank/n)/n`.
const MAX_WORDS: usize = 7;

impl Assumptions {
    /// Gives the quotient and remainder of a division names, so that polynomials can speak of them. This restricts
    /// nothing. False where the divisor is not known to be positive or the division has names already.
    pub fn define_division(&mut self, dividend: &Polynomial, divisor: &Polynomial) -> bool {
        self.define(dividend, divisor).unwrap_or(false)
    }

    pub(crate) fn divisions(&self) -> &[Division] {
        &self.divisions
    }

    /// Quotient and remainder, which get names if need be. `None` where the divisor may be 0.
    pub(super) fn divide(
        &mut self,
        dividend: &Polynomial,
        divisor: &Polynomial,
    ) -> Result<Option<(Polynomial, Polynomial)>, Overflow> {
        let nonnegative = |p: &Polynomial| self.proves_nonnegative(p);
        if !nonnegative(&divisor.plus(-1)?) {
            return Ok(None);
        }
        let exact = euclid(self, dividend, divisor, &nonnegative)?.filter(|parts| parts.exact);
        if let Some(parts) = exact {
            return Ok(Some((parts.quotient, parts.remainder)));
        }
        let (quotient, remainder) = names(dividend, divisor);
        if !self.define(dividend, divisor)? && self.divisions.iter().all(|known| known.quotient != quotient) {
            return Ok(None);
        }
        Ok(Some((self.normal(&quotient.into())?, self.normal(&remainder.into())?)))
    }

    pub(super) fn define(&mut self, dividend: &Polynomial, divisor: &Polynomial) -> Result<bool, Overflow> {
        let (dividend, divisor) = (self.normal(dividend)?, self.normal(divisor)?);
        let (quotient, remainder) = names(&dividend, &divisor);
        if words(&quotient) > MAX_WORDS
            || self.divisions.iter().any(|known| known.quotient == quotient)
            || !self.proves_nonnegative(&divisor.plus(-1)?)
        {
            return Ok(false);
        }
        let (q, r) = (Polynomial::from(quotient.clone()), Polynomial::from(remainder.clone()));
        let difference = dividend.sub(&divisor.mul(&q)?.add(&r)?)?;
        let nonnegative = self.proves_nonnegative(&dividend);
        let positive = self.proves_nonnegative(&dividend.sub(&divisor)?);
        let bounds = self.quotient_bounds(&dividend, &divisor, &q)?;
        let divides = positive && self.is_power(&dividend) && self.is_power(&divisor);
        let known = [
            Fact::eq(dividend.to_term(), divisor.to_term() * quotient.clone() + remainder.clone()),
            Fact::le(0, remainder.clone()),
            Fact::lt(remainder.clone(), divisor.to_term()),
        ];
        self.meanings.extend(known);
        let samples = self.samples.take();
        self.changed();
        let preferred: Vec<Symbol> =
            dividend.symbols().into_iter().filter(|symbol| !divisor.symbols().contains(symbol)).collect();
        self.divisions.push(Division {
            dividend,
            divisor: divisor.clone(),
            quotient: quotient.clone(),
            remainder,
        });
        if divides {
            self.powers.insert(quotient, None);
            self.equate(r.clone(), &[])?;
        }
        self.bound(r.clone());
        self.bound(divisor.sub(&r)?.plus(-1)?);
        if positive {
            self.bound(q.plus(-1)?);
        } else if nonnegative {
            self.bound(q);
        }
        for bound in bounds {
            self.bound(bound);
        }
        self.equate(difference, &preferred)?;
        // The names restrict nothing, so samples stay samples.
        if let Some(samples) = samples {
            let extended: Vec<Assignment> =
                samples.iter().filter_map(|sample| self.complete(sample)).collect();
            self.samples = OnceCell::from(extended);
        }
        Ok(true)
    }

    /// What bounds of the dividend say of the quotient `q`, as polynomials that are nonnegative.
    fn quotient_bounds(
        &self,
        dividend: &Polynomial,
        divisor: &Polynomial,
        q: &Polynomial,
    ) -> Result<Vec<Polynomial>, Overflow> {
        let nonnegative = |p: &Polynomial| self.proves_nonnegative(p);
        let varying = |p: &Polynomial| p.sub(&Polynomial::constant(p.constant_part()));
        let parts = varying(dividend)?;
        let mut bounds = Vec::new();
        for p in &self.inequalities {
            for sign in [1, -1] {
                // 0 <= bound - sign * dividend
                let bound = p.add(&dividend.scale(sign)?)?.scale(sign)?;
                let mentions =
                    |(monomial, _): &(_, _)| parts.monomials().iter().any(|(part, _)| part == monomial);
                if bound.monomials().iter().any(mentions) {
                    continue;
                }
                let Some(limit) = euclid(self, &bound, divisor, &nonnegative)?.filter(|limit| limit.exact)
                else {
                    continue;
                };
                bounds.push(limit.quotient.sub(q)?.scale(sign)?);
            }
        }
        Ok(bounds)
    }
}

/// The names of the quotient and the remainder of a division of normal forms. No symbol of a C program has such a name.
pub(crate) fn names(dividend: &Polynomial, divisor: &Polynomial) -> (Symbol, Symbol) {
    let shown = |p: &Polynomial| match p.as_symbol() {
        Some(symbol) if !symbol.name().contains(['/', '%']) => symbol.to_string(),
        None if p.as_constant().is_some_and(|value| value >= 0) => p.to_string(),
        _ => format!("({p})"),
    };
    let (dividend, divisor) = (shown(dividend), shown(divisor));
    (Symbol::new(&format!("{dividend}/{divisor}")), Symbol::new(&format!("{dividend}%{divisor}")))
}

/// How many symbols and numbers a name is made of: `atoi(argv[1])` is one of them.
fn words(name: &Symbol) -> usize {
    let parts = name.name().split(['/', '%', '*', '+', '-', ' ']);
    parts.filter(|word| !word.is_empty()).count()
}
