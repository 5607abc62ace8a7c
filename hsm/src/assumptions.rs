//! What is known about the symbols: the normal form it gives to polynomials, and what follows from it.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::cone::Cone;
use crate::euclid::euclid;
use crate::expr::{Assignment, Comparison, Fact, Operator, Relation, Step, Symbol, Term};
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

/// A division that has names for its results.
#[derive(Clone, Debug)]
pub(crate) struct Division {
    pub(crate) dividend: Polynomial,
    pub(crate) divisor: Polynomial,
    pub(crate) quotient: Symbol,
    pub(crate) remainder: Symbol,
}

/// A quotient whose name is longer is not defined: questions that need one have no structure that names would show, and
/// names of quotients of quotients grow fast.
const MAX_NAME: usize = 32;

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
        self.relate_powers();
        // Samples with values for all symbols are samples still where the fact holds.
        if let Some(mut samples) = samples.filter(|_| self.divisions.len() == divisions) {
            samples.retain(|sample| fact.evaluate(sample) == Ok(true));
            if samples.len() >= samples::ENOUGH {
                self.samples = OnceCell::from(samples);
            }
        }
    }

    /// Adds that a symbol is a power of two, `symbol == 2^exponent` where the exponent has a name.
    pub fn assume_power_of_two(&mut self, symbol: &Symbol, exponent: Option<&Symbol>) {
        self.powers.insert(symbol.clone(), exponent.cloned());
        self.assume(&Fact::le(1, symbol.clone()));
        if let Some(exponent) = exponent {
            self.assume(&Fact::le(0, exponent.clone()));
        }
        self.changed();
        self.relate_powers();
    }

    /// The facts as they were stated, without those about powers of two.
    pub fn stated(&self) -> &[Fact] {
        &self.stated
    }

    /// The facts, and what the names of quotients and remainders in polynomials mean: for a prover.
    pub fn facts(&self) -> Vec<Fact> {
        self.stated.iter().chain(&self.meanings).cloned().collect()
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
        self.contradictory || self.normal(p).is_ok_and(|p| self.cone().proves(&p))
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

    /// Gives the quotient and remainder of a division names, so that polynomials can speak of them. This restricts
    /// nothing. False where the divisor is not known to be positive or the division has names already.
    pub fn define_division(&mut self, dividend: &Polynomial, divisor: &Polynomial) -> bool {
        self.define(dividend, divisor).unwrap_or(false)
    }

    pub(crate) fn divisions(&self) -> &[Division] {
        &self.divisions
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
            if let (0, Some((symbol, _)), None) = (one.degree(), open.next(), open.next())
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
        let mut stack: Vec<Polynomial> = Vec::new();
        for step in term.steps() {
            let value = match step {
                Step::Constant(value) => Polynomial::constant(*value),
                Step::Symbol(symbol) => self.normal(&symbol.clone().into())?,
                Step::Apply(operator) => {
                    let right = stack.pop().expect("constructors put two operands before each operator");
                    let left = stack.pop().expect("constructors put two operands before each operator");
                    match operator {
                        Operator::Add => left.add(&right)?,
                        Operator::Subtract => left.sub(&right)?,
                        Operator::Multiply => left.mul(&right)?,
                        Operator::FloorDivide | Operator::Modulo => {
                            let (left, right) = (self.normal(&left)?, self.normal(&right)?);
                            let Some((quotient, remainder)) = self.divide(&left, &right)? else {
                                return Ok(None);
                            };
                            if *operator == Operator::FloorDivide { quotient } else { remainder }
                        }
                    }
                }
            };
            stack.push(value);
        }
        // A definition on the way may have given a symbol that was read before.
        stack.pop().map(|value| self.normal(&value)).transpose()
    }

    fn divide(
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

    fn define(&mut self, dividend: &Polynomial, divisor: &Polynomial) -> Result<bool, Overflow> {
        let (dividend, divisor) = (self.normal(dividend)?, self.normal(divisor)?);
        let (quotient, remainder) = names(&dividend, &divisor);
        if quotient.name().len() > MAX_NAME
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

    /// Whether it is a product of powers of two.
    fn is_power(&self, p: &Polynomial) -> bool {
        match p.monomials() {
            [(monomial, coefficient)] => {
                u128::try_from(*coefficient).is_ok_and(u128::is_power_of_two)
                    && monomial.factors().iter().all(|(symbol, _)| self.powers.contains_key(symbol))
            }
            _ => false,
        }
    }

    /// Of two powers of two, the larger is a multiple of the smaller; of different ones, of its double.
    fn relate_powers(&mut self) {
        let given = |symbol: &&Symbol| self.rewrites.iter().all(|(known, _)| known != *symbol);
        let bases: Vec<Symbol> = self.powers.keys().filter(given).cloned().collect();
        let pairs = bases.iter().flat_map(|small| bases.iter().map(move |large| (small, large)));
        let related = pairs.filter(|(small, large)| small != large).find_map(|(small, large)| {
            let difference = |small: &Symbol, large: &Symbol| {
                Polynomial::from(large.clone()).sub(&small.clone().into()).ok()
            };
            let exponents = self.powers[small].as_ref().zip(self.powers[large].as_ref());
            let at_least = |steps: i128| {
                let by = |rise: Option<Polynomial>| {
                    rise.and_then(|rise| rise.plus(-steps).ok())
                        .is_some_and(|rise| self.proves_nonnegative(&rise))
                };
                by(difference(small, large))
                    || by(exponents.and_then(|(small, large)| difference(small, large)))
            };
            let factor = if at_least(1) {
                2
            } else if at_least(0) {
                1
            } else {
                return None;
            };
            Some((large.clone(), Polynomial::from(small.clone()).scale(factor).ok()?))
        });
        if let Some((large, divisor)) = related {
            // Where only the exponents told, the definition needs the order of the powers themselves.
            let dividend = Polynomial::from(large);
            if let Ok(rise) = dividend.sub(&divisor) {
                self.bound(rise);
            }
            if self.define(&dividend, &divisor).unwrap_or(false) {
                self.relate_powers();
            }
        }
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
