//! What is known about the symbols: the normal form it gives to polynomials, and what follows from it.

mod divisions;
mod powers;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use self::divisions::Division;
use crate::cone::Cone;
use crate::expr::{Assignment, Comparison, Fact, Operator, Part, Relation, Symbol, Term};
use crate::polynomial::{Overflow, Polynomial};
use crate::samples;

/// Facts about uniform symbols such as `np`, `nrows` and `ncols`, put to use:
///
/// * an **equation** that gives one symbol by others rewrites it everywhere (`np == nrows*ncols`);
/// * an **inequality** bounds the symbols, from which the signs of polynomials follow;
/// * a **division** in a fact gets names for its quotient and remainder: from `np % 2 == 1` comes `np = 2*(np/2) + 1`;
/// * a **power of two** is a multiple of each smaller one.
///
/// Every fact is kept as it was stated too, for provers that can do more with it. A fact that cannot be put to use is not
/// lost, and assuming never fails: it only makes more follow.
#[derive(Clone, Debug, Default)]
pub struct Assumptions {
    stated: Vec<Fact>,
    /// What the names of quotients and remainders mean, as facts.
    meanings: Vec<Fact>,
    divisions: Vec<Division>,
    /// Each symbol that is given by others; the values contain none of these symbols.
    rewrites: Vec<(Symbol, Polynomial)>,
    /// These are nonnegative. In normal form.
    inequalities: Vec<Polynomial>,
    /// Symbols that are powers of two, with the name of the exponent where it has one.
    powers: BTreeMap<Symbol, Option<Symbol>>,
    contradictory: bool,
    cone: OnceCell<Cone>,
    samples: OnceCell<Vec<Assignment>>,
}

impl Assumptions {
    /// Nothing is known.
    pub fn new() -> Self {
        Self::default()
    }

    /// All the facts hold.
    pub fn of(facts: impl IntoIterator<Item = Fact>) -> Self {
        let mut assumptions = Self::new();
        for fact in facts {
            assumptions.assume(&fact);
        }
        assumptions
    }

    /// Adds a fact.
    pub fn assume(&mut self, fact: &Fact) {
        self.restrict(fact);
        self.relate_powers();
    }

    /// Adds a fact without giving names to anything: what follows can be said in the names that there are.
    pub(crate) fn restrict(&mut self, fact: &Fact) {
        if self.stated.contains(fact) {
            return;
        }
        self.stated.push(fact.clone());
        let (samples, divisions) = (self.samples.take(), self.divisions.len());
        self.changed();
        for comparison in fact.comparisons() {
            // What overflows stays a stated fact, without consequences here.
            let _: Result<(), Overflow> = self.use_comparison(comparison);
        }
        // Samples with values for all symbols are samples still where the fact holds.
        if let Some(mut samples) = samples.filter(|_| self.divisions.len() == divisions) {
            samples.retain(|sample| fact.evaluate(sample) == Ok(true));
            if samples.len() >= samples::ENOUGH {
                self.samples = OnceCell::from(samples);
            }
        }
    }

    /// The facts as they were stated, without those about powers of two.
    pub fn stated(&self) -> &[Fact] {
        &self.stated
    }

    /// The facts, and what the names of quotients and remainders in polynomials mean: for a prover.
    pub fn facts(&self) -> Vec<Fact> {
        self.stated.iter().chain(&self.meanings).cloned().collect()
    }

    /// The same with 1 in place of greater numbers as bounds of single symbols, if there are any: less is known, and said in smaller
    /// numbers, of which a proof by algebra makes more.
    pub(crate) fn with_small_bounds(&self) -> Option<Self> {
        let mut other = self.clone();
        let mut found = false;
        for p in &mut other.inequalities {
            let beyond = -p.constant_part() - 1;
            let is_bound = p.monomials().iter().filter(|(monomial, _)| monomial.degree() > 0).count() == 1
                && p.monomials()
                    .iter()
                    .all(|(monomial, c)| monomial.degree() == 0 || monomial.degree() == 1 && *c == 1);
            if is_bound
                && 0 < beyond
                && let Ok(weaker) = p.plus(beyond)
            {
                *p = weaker;
                found = true;
            }
        }
        other.changed();
        found.then_some(other)
    }

    /// Whether the facts contradict each other. May be false although they do.
    pub fn is_contradictory(&self) -> bool {
        self.contradictory || self.cone().is_contradictory()
    }

    /// The same value in normal form: over symbols that are not given by others.
    pub fn normal(&self, p: &Polynomial) -> Result<Polynomial, Overflow> {
        self.rewrites.iter().try_fold(p.clone(), |p, (symbol, value)| p.substitute(symbol, value))
    }

    /// The same value in as few monomials as was found, where symbols that are given by others stand for some of them: for
    /// readers. With `np == nrows*ncols`, `nrows*ncols - 1` is `np - 1`.
    pub fn shortest(&self, p: &Polynomial) -> Polynomial {
        let length = |p: &Polynomial| {
            (p.monomials().len(), p.monomials().iter().map(|(monomial, _)| monomial.degree()).sum::<u32>())
        };
        let Ok(mut best) = self.normal(p) else { return p.clone() };
        for (symbol, value) in &self.rewrites {
            for sign in [1, -1] {
                let rest = value.scale(sign).and_then(|value| best.sub(&value));
                let shorter = rest.and_then(|rest| Polynomial::from(symbol.clone()).scale(sign)?.add(&rest));
                if let Ok(shorter) = shorter
                    && length(&shorter) < length(&best)
                {
                    best = shorter;
                }
            }
        }
        best
    }

    /// Whether `0 <= p` follows by algebra. May be false although it does.
    pub fn proves_nonnegative(&self, p: &Polynomial) -> bool {
        let Ok(p) = self.normal(p) else { return self.contradictory };
        self.contradictory || (!self.is_refuted(&p) && self.cone().proves(&p))
    }

    /// Whether a sample shows that `0 <= p` does not hold always.
    pub(crate) fn is_refuted(&self, p: &Polynomial) -> bool {
        let negative =
            |sample: &Assignment| p.evaluate(|symbol| sample.get(symbol)).is_some_and(|value| value < 0);
        self.samples().iter().any(negative)
    }

    /// Whether `divisor` divides `p`, and the quotient. `None` when that does not follow.
    ///
    /// The proof is the division of the normal forms.
    pub fn divide_exactly(&self, p: &Polynomial, divisor: &Polynomial) -> Option<Polynomial> {
        self.normal(p).ok()?.div_exact(&self.normal(divisor).ok()?).ok()?
    }

    /// An assignment extended by the symbols that definitions give: quotients and remainders, and symbols given by
    /// others. `None` where a symbol needed for them has no value.
    pub fn complete(&self, assignment: &Assignment) -> Option<Assignment> {
        let mut values: BTreeMap<Symbol, i128> =
            assignment.iter().map(|(symbol, value)| (symbol.clone(), value)).collect();
        for division in &self.divisions {
            let value = |p: &Polynomial| p.evaluate(|symbol| values.get(symbol).copied());
            let (Some(dividend), Some(divisor)) = (value(&division.dividend), value(&division.divisor))
            else {
                continue;
            };
            let quotient = Operator::FloorDivide.apply(dividend, divisor);
            let remainder = Operator::Modulo.apply(dividend, divisor);
            // Where the divisor is 0, the assignment does not satisfy the assumptions.
            let (Ok(quotient), Ok(remainder)) = (quotient, remainder) else { continue };
            values.insert(division.quotient.clone(), quotient);
            values.insert(division.remainder.clone(), remainder);
        }
        for (symbol, value) in &self.rewrites {
            if let Some(value) = value.evaluate(|symbol| values.get(symbol).copied()) {
                values.entry(symbol.clone()).or_insert(value);
            }
        }
        Some(values.into_iter().collect())
    }

    pub(crate) fn rewrites(&self) -> &[(Symbol, Polynomial)] {
        &self.rewrites
    }

    /// All symbols, and those of them that are powers of two.
    pub(crate) fn symbols(&self) -> (BTreeSet<Symbol>, BTreeSet<Symbol>) {
        let mut all: BTreeSet<Symbol> =
            self.stated.iter().chain(&self.meanings).flat_map(Fact::symbols).collect();
        all.extend(self.powers.keys().cloned());
        (all, self.powers.keys().cloned().collect())
    }

    pub(crate) fn cone(&self) -> &Cone {
        self.cone.get_or_init(|| Cone::new(&self.with_positive_factors()))
    }

    /// Some small assignments under which everything assumed holds, each with values for all symbols. May be none.
    pub(crate) fn samples(&self) -> &[Assignment] {
        self.samples.get_or_init(|| samples::of(self))
    }

    fn changed(&mut self) {
        self.cone = OnceCell::new();
        self.samples = OnceCell::new();
    }

    /// The inequalities, and from `1 <= x*y` with a positive x that y is positive.
    fn with_positive_factors(&self) -> Vec<Polynomial> {
        let mut all = self.inequalities.clone();
        let positive = |all: &[Polynomial], symbol: &Symbol| {
            Polynomial::from(symbol.clone()).plus(-1).is_ok_and(|p| all.contains(&p))
        };
        for i in 0..self.inequalities.len() {
            let [(monomial, 1..), (one, ..0)] = self.inequalities[i].monomials() else { continue };
            let mut open = monomial.factors().iter().filter(|(symbol, _)| !positive(&all, symbol));
            // An even power is positive for a negative symbol too.
            if let (0, Some((symbol, power)), None) = (one.degree(), open.next(), open.next())
                && power % 2 == 1
                && let Ok(p) = Polynomial::from(symbol.clone()).plus(-1)
            {
                all.push(p);
            }
        }
        all
    }

    fn use_comparison(&mut self, comparison: &Comparison) -> Result<(), Overflow> {
        let Some(left) = self.value(&comparison.left)? else { return Ok(()) };
        let Some(right) = self.value(&comparison.right)? else { return Ok(()) };
        let rise = self.normal(&right.sub(&left)?)?;
        match comparison.relation {
            Relation::Less => self.bound(rise.plus(-1)?),
            Relation::LessEqual => self.bound(rise),
            Relation::Equal => {
                let sides = [&comparison.left, &comparison.right];
                let preferred = sides.into_iter().flat_map(Term::symbols).collect::<Vec<_>>();
                self.equate(rise, &preferred)?;
            }
            Relation::NotEqual => {
                if self.proves_nonnegative(&rise) {
                    self.bound(rise.plus(-1)?);
                } else if self.proves_nonnegative(&rise.neg()?) {
                    self.bound(rise.neg()?.plus(-1)?);
                }
            }
        }
        Ok(())
    }

    /// The value of a term in normal form, with names for its divisions; `None` where a divisor may be 0.
    pub(crate) fn value(&mut self, term: &Term) -> Result<Option<Polynomial>, Overflow> {
        let value = term.fold_partly(|part: Part<'_, Polynomial>| {
            Ok(match part {
                Part::Constant(value) => Polynomial::constant(value),
                Part::Symbol(symbol) => self.normal(&symbol.clone().into())?,
                Part::Apply(operator, left, right) => match left.apply(operator, &right)? {
                    Some(value) => value,
                    None => {
                        let (left, right) = (self.normal(&left)?, self.normal(&right)?);
                        let (quotient, remainder) = self.divide(&left, &right)?.ok_or(None)?;
                        if operator == Operator::FloorDivide { quotient } else { remainder }
                    }
                },
            })
        })?;
        // A definition on the way may have given a symbol that was read before.
        value.map(|value| self.normal(&value)).transpose()
    }

    /// Adds `0 <= p`.
    fn bound(&mut self, p: Polynomial) {
        if let Ok(p) = self.normal(&p)
            && !self.inequalities.contains(&p)
        {
            self.contradictory |= p.as_constant().is_some_and(|value| value < 0);
            if p.as_constant().is_none() {
                self.inequalities.push(p);
            }
            self.changed();
        }
    }

    /// Adds `p == 0`, by solving it for one of the preferred symbols, else for another, else as two bounds.
    fn equate(&mut self, p: Polynomial, preferred: &[Symbol]) -> Result<(), Overflow> {
        let p = without_content(&self.normal(&p)?);
        let free = p.symbols();
        let preferred = preferred.iter().filter(|symbol| free.contains(*symbol));
        // A power of two stays itself as long as possible: a sum in its place hides that.
        let (powers, others): (Vec<&Symbol>, Vec<&Symbol>) =
            preferred.chain(&free).partition(|symbol| self.powers.contains_key(*symbol));
        for symbol in others.into_iter().chain(powers) {
            if let Some(value) = p.solve(symbol)? {
                return self.rewrite(symbol.clone(), &value);
            }
        }
        self.bound(p.neg()?);
        self.bound(p);
        Ok(())
    }

    fn rewrite(&mut self, symbol: Symbol, value: &Polynomial) -> Result<(), Overflow> {
        let rewrites = self.rewrites.iter();
        let mut rewrites: Vec<(Symbol, Polynomial)> = rewrites
            .map(|(known, old)| Ok((known.clone(), old.substitute(&symbol, value)?)))
            .collect::<Result<_, Overflow>>()?;
        rewrites.push((symbol, value.clone()));
        self.rewrites = rewrites;
        self.changed();
        for p in std::mem::take(&mut self.inequalities) {
            self.bound(p);
        }
        Ok(())
    }
}

/// The polynomial divided by the greatest common divisor of its coefficients.
fn without_content(p: &Polynomial) -> Polynomial {
    let gcd = |mut a: u128, mut b: u128| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let content = p.monomials().iter().fold(0, |content, (_, c)| gcd(content, c.unsigned_abs()));
    let content = i128::try_from(content).unwrap_or(1).max(1);
    p.div_exact(&Polynomial::constant(content)).ok().flatten().unwrap_or_else(|| p.clone())
}

impl fmt::Display for Assumptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let exponents =
            self.powers.iter().filter_map(|(symbol, exponent)| exponent.as_ref().map(|e| (symbol, e)));
        let powers = exponents.map(|(symbol, exponent)| format!("{symbol} == 2^{exponent}"));
        let stated = self.stated.iter().map(Fact::to_string).chain(powers).collect::<Vec<_>>();
        f.write_str(&if stated.is_empty() { "nothing".to_owned() } else { stated.join(" && ") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_that_is_positive_has_no_factor_of_the_other_sign() {
        let (x, y) = (Term::symbol("x"), Term::symbol("y"));
        let positive = |facts: &[Fact], name: &str| {
            Assumptions::of(facts.iter().cloned())
                .proves_nonnegative(&Polynomial::symbol(name).plus(-1).unwrap())
        };
        assert!(positive(&[Fact::le(1, &x), Fact::le(1, &x * &y)], "y"));
        assert!(positive(&[Fact::le(1, &y * &y * &y)], "y"));
        assert!(!positive(&[Fact::le(1, &x * &y)], "y"));
        assert!(!positive(&[Fact::le(1, &y * &y)], "y"));
    }
}
