//! Ranks, expressions and what is known of symbols, in the terms of crate `hsm`.

use std::collections::BTreeSet;

use hsm::{Assumptions, DigitBox, Endpoint, Fact, Overflow, Polynomial, Term};
use lattice::{Constraints, Linear, Ranks, Symbol, SymbolKind, Symbols, Truth};
use rustc_hash::FxHashMap;

use super::mixed::Mixed;
use super::relation::Counterpart;

/// What the rank is called there.
const RANK: &str = "rank";

/// The names of symbols, each the name of one only.
pub(crate) struct Terms<'e> {
    symbols: &'e Symbols,
    names: FxHashMap<Symbol, hsm::Symbol>,
    taken: BTreeSet<String>,
}

impl<'e> Terms<'e> {
    pub(crate) fn new(symbols: &'e Symbols) -> Self {
        Self { symbols, names: FxHashMap::default(), taken: BTreeSet::from([RANK.to_owned()]) }
    }

    /// What the rank is called.
    pub(crate) fn rank() -> hsm::Symbol {
        hsm::Symbol::new(RANK)
    }

    /// The name of a symbol that is no product: what it is in the program, where that is one symbol's name.
    fn name(&mut self, symbol: Symbol) -> hsm::Symbol {
        if let Some(name) = self.names.get(&symbol) {
            return name.clone();
        }
        let shown = self.symbols.display(&symbol.into());
        let root = shown.clone().unwrap_or_else(|| "v".to_owned());
        let others = (1..).map(|number| format!("{root}{number}"));
        let free = |text: &String| !self.taken.contains(text);
        let text = shown.into_iter().chain(others).find(free).unwrap_or_default();
        self.taken.insert(text.clone());
        let name = hsm::Symbol::new(&text);
        self.names.insert(symbol, name.clone());
        name
    }

    /// An expression on which all members of a set agree.
    pub(crate) fn polynomial(&mut self, value: &Linear) -> Result<Polynomial, Overflow> {
        let mut sum = Polynomial::constant(value.constant().into());
        for (symbol, coefficient) in value.terms() {
            let mut product = Polynomial::constant(coefficient.into());
            for factor in symbol.factors() {
                product = product.mul(&self.name(factor).into())?;
            }
            sum = sum.add(&product)?;
        }
        Ok(sum)
    }

    /// A set of ranks.
    pub(crate) fn ranks(&mut self, ranks: &Ranks) -> Result<DigitBox, Overflow> {
        let radices: Vec<Polynomial> =
            ranks.radices().iter().map(|radix| self.polynomial(radix)).collect::<Result<_, _>>()?;
        let mut ranges = Vec::new();
        for digit in ranks.digits() {
            ranges.push((self.polynomial(&digit.lo)?, self.polynomial(&digit.hi)?.plus(1)?));
        }
        DigitBox::in_radices(&radices, &ranges)
    }

    /// An expression over the digits of a rank in some radices, over the rank itself.
    fn term(&mut self, value: &Linear, radices: &[Linear]) -> Result<Term, Overflow> {
        let (added, taken): (Vec<_>, Vec<_>) = value.terms().partition(|(_, coefficient)| 0 < *coefficient);
        let mut sum = None;
        for (symbol, coefficient) in added {
            sum = plus(sum, self.product(symbol, coefficient.into(), radices)?);
        }
        if 0 < value.constant() || sum.is_none() {
            sum = plus(sum, Term::constant(value.constant().into()));
        } else if value.constant() < 0 {
            sum = sum.map(|sum| sum - Term::constant(-i128::from(value.constant())));
        }
        let mut sum = sum.unwrap_or_else(|| Term::constant(0));
        for (symbol, coefficient) in taken {
            sum = sum - self.product(symbol, -i128::from(coefficient), radices)?;
        }
        Ok(sum)
    }

    /// A number that mixes the digits of a rank in some radices, over the rank itself.
    pub(crate) fn mixed(&mut self, value: &Mixed, radices: &[Linear]) -> Result<Term, Overflow> {
        Ok(match value {
            Mixed::Linear(value) => self.term(value, radices)?,
            Mixed::Sum(a, b) => match &**b {
                Mixed::Product(b, factor) if factor.as_constant() == Some(-1) => {
                    self.mixed(a, radices)? - self.mixed(b, radices)?
                }
                b => self.mixed(a, radices)? + self.mixed(b, radices)?,
            },
            Mixed::Product(a, factor) => self.mixed(a, radices)? * self.polynomial(factor)?.to_term(),
            Mixed::Quotient(a, divisor) => {
                self.mixed(a, radices)?.floor_div(self.polynomial(divisor)?.to_term())
            }
            Mixed::Remainder(a, divisor) => self.mixed(a, radices)? % self.polynomial(divisor)?.to_term(),
        })
    }

    /// A symbol a number of times.
    fn product(&mut self, symbol: Symbol, times: i128, radices: &[Linear]) -> Result<Term, Overflow> {
        let mut product = (times != 1).then(|| Term::constant(times));
        for factor in symbol.factors() {
            let factor = self.factor(factor, radices)?;
            product = Some(match product {
                Some(product) => product * factor,
                None => factor,
            });
        }
        Ok(product.unwrap_or_else(|| Term::constant(times)))
    }

    fn factor(&mut self, symbol: Symbol, radices: &[Linear]) -> Result<Term, Overflow> {
        let digit = (0..radices.len()).find(|&position| Symbol::digit(position) == symbol);
        let Some(below) = digit.or_else(|| symbol.as_tail()) else { return Ok(self.name(symbol).into()) };
        let mut weight = Polynomial::constant(1);
        for radix in radices.iter().take(below) {
            weight = weight.mul(&self.polynomial(radix)?)?;
        }
        let rank = Term::from(Self::rank());
        let above = if below == 0 { rank } else { rank.floor_div(weight.to_term()) };
        Ok(match digit {
            Some(position) => above % self.polynomial(&radices[position])?.to_term(),
            None => above,
        })
    }

    /// One side of a communication: who takes part, each with whom.
    pub(crate) fn endpoint(&mut self, ranks: &Ranks, partner: &Counterpart) -> Result<Endpoint, Overflow> {
        let (radices, digits) = partner.in_digits();
        let mut weight = Polynomial::constant(1);
        let mut sum = None;
        for (position, digit) in digits.iter().enumerate() {
            if *digit != Linear::zero() {
                let digit = self.term(digit, ranks.radices())?;
                let unit = weight.as_constant() == Some(1);
                sum = plus(sum, if unit { digit } else { weight.to_term() * digit });
            }
            if let Some(radix) = radices.get(position) {
                weight = weight.mul(&self.polynomial(radix)?)?;
            }
        }
        Ok(Endpoint { ranks: self.ranks(ranks)?, partner: sum.unwrap_or_else(|| Term::constant(0)) })
    }

    /// What is known of the symbols that have names so far, and of the products of these.
    pub(crate) fn assumptions(&mut self, facts: &Constraints) -> Result<Assumptions, Overflow> {
        let mut assumptions = Assumptions::new();
        for meaning in self.meanings(facts)? {
            assumptions.assume(&meaning);
        }
        let known = self.names.clone();
        let named = |symbol: &Symbol| symbol.factors().all(|factor| known.contains_key(&factor));
        let mut ends: Vec<Option<Symbol>> = facts.symbols().filter(named).map(Some).collect();
        ends.insert(0, None);
        // The number of processes says what a product of others is.
        if !ends.contains(&Some(Symbol::NP)) && facts.mentions(Symbol::NP) {
            ends.push(Some(Symbol::NP));
        }
        let pairs = || ends.iter().enumerate().flat_map(|(i, &x)| ends[..i].iter().map(move |&y| (x, y)));
        // What follows need not be said. That the system has a solution is what it comes from.
        let mut said = Constraints::new();
        let product = facts.in_products(&Linear::np());
        if product.has_products() && product.symbols().all(|symbol| named(&symbol)) {
            assumptions
                .assume(&Fact::eq(self.end(Some(Symbol::NP), 0)?, self.polynomial(&product)?.to_term()));
        }
        for (x, y) in pairs() {
            let (Some(above), Some(below)) = (facts.difference_bound(x, y), facts.difference_bound(y, x))
            else {
                continue;
            };
            if above.checked_neg() == Some(below) && !follows(&said, x, y, above) {
                let _ = said.assume_difference(x, y, above);
                let _ = said.assume_difference(y, x, below);
                assumptions.assume(&Fact::eq(self.end(x, 0)?, self.end(y, above)?));
            }
        }
        for (x, y) in pairs().flat_map(|(x, y)| [(x, y), (y, x)]) {
            if let Some(bound) = facts.difference_bound(x, y).filter(|&bound| !follows(&said, x, y, bound)) {
                let _ = said.assume_difference(x, y, bound);
                let fact = match x {
                    None => Fact::le(-i128::from(bound), self.end(y, 0)?),
                    Some(_) => Fact::le(self.end(x, 0)?, self.end(y, bound)?),
                };
                assumptions.assume(&fact);
            }
        }
        Ok(assumptions)
    }

    /// What symbols that have names so far are the quotients and remainders of. What they are computed from gets names too.
    fn meanings(&mut self, facts: &Constraints) -> Result<Vec<Fact>, Overflow> {
        let (mut told, mut meanings) = (BTreeSet::new(), Vec::new());
        while let Some(symbol) = self.names.keys().copied().filter(|symbol| !told.contains(symbol)).min() {
            told.insert(symbol);
            let SymbolKind::Apply(function, arguments) = self.symbols.kind(symbol) else { continue };
            let [dividend, divisor] = &arguments[..] else { continue };
            // In C they are rounded towards zero.
            let at_least = |value: &Linear, least: i64| facts.le(&least.into(), value) == Truth::Yes;
            if !matches!(&**function, "/" | "%") || !at_least(dividend, 0) || !at_least(divisor, 1) {
                continue;
            }
            let is_quotient = &**function == "/";
            let (dividend, divisor) =
                (self.polynomial(dividend)?.to_term(), self.polynomial(divisor)?.to_term());
            let value = if is_quotient { dividend.floor_div(divisor) } else { dividend % divisor };
            meanings.push(Fact::eq(Term::from(self.name(symbol)), value));
        }
        Ok(meanings)
    }

    /// A symbol, or zero, with a number added.
    fn end(&mut self, symbol: Option<Symbol>, offset: impl Into<i128>) -> Result<Term, Overflow> {
        let value = symbol.map_or_else(Linear::zero, Linear::from);
        Ok(self.polynomial(&value)?.plus(offset.into())?.to_term())
    }
}

fn plus(sum: Option<Term>, term: Term) -> Option<Term> {
    Some(match sum {
        None => term,
        Some(sum) => sum + term,
    })
}

/// Whether a bound of a difference is known already.
fn follows(said: &Constraints, x: Option<Symbol>, y: Option<Symbol>, bound: i64) -> bool {
    said.difference_bound(x, y).is_some_and(|known| known <= bound)
}

#[cfg(test)]
mod tests {
    use hsm::Assignment;
    use lattice::Range;
    use proptest::prelude::*;

    use super::*;
    use crate::engine::relation::Relation;

    fn range(a: i64, b: i64) -> Range {
        Range { lo: a.min(b).into(), hi: a.max(b).into() }
    }

    /// Ranks in one, two or three digits.
    fn boxes() -> impl Strategy<Value = Ranks> {
        let digit = |most: i64| (0..=most, 0..=most).prop_map(|(a, b)| range(a, b));
        prop_oneof![
            digit(11).prop_map(Ranks::from),
            (digit(2), digit(3)).prop_map(|(low, high)| Ranks::new(vec![3.into()], vec![low, high])),
            (digit(1), digit(2), digit(1))
                .prop_map(|(low, mid, high)| Ranks::new(vec![2.into(), 3.into()], vec![low, mid, high])),
        ]
    }

    /// Whether a rank is a member, by its digits.
    fn is_member(mut rank: i64, ranks: &Ranks) -> bool {
        let constant = |e: &Linear| e.as_constant().expect("tests use constants");
        let mut inside = true;
        for (position, digit) in ranks.digits().iter().enumerate() {
            let radix = ranks.radices().get(position).map(constant);
            let value = radix.map_or(rank, |radix| rank.rem_euclid(radix));
            inside &= (constant(&digit.lo)..=constant(&digit.hi)).contains(&value);
            rank = radix.map_or(0, |radix| rank.div_euclid(radix));
        }
        inside
    }

    proptest! {
        /// The members of a set and whom each sends to are what they were.
        #[test]
        fn sides_are_translated(ranks in boxes(), slope in 0_i64..3, by in -3_i64..12) {
            let facts = Constraints::new();
            let dest = Linear::rank().scale(slope).and_then(|e| e.offset(by)).expect("small");
            let Ok(relation) = Relation::of_send(&ranks, &dest, &facts) else { return Ok(()) };
            let Some(receiver) = relation.receiver_of_sender() else { return Ok(()) };
            let symbols = Symbols::default();
            let side = Terms::new(&symbols).endpoint(&relation.senders(), &receiver).expect("small");
            for rank in 0..30 {
                let inside = is_member(rank, &ranks);
                prop_assert_eq!(side.ranks.contains(rank.into(), |_| None), Some(inside), "{}", rank);
                if inside {
                    let partner = side.partner.evaluate(|_| Some(rank.into()));
                    prop_assert_eq!(partner, Ok((slope * rank + by).into()), "{} of {}", side.partner, rank);
                }
            }
        }
    }

    /// What is known holds, and is enough to follow from.
    #[test]
    fn facts_are_translated() {
        let mut symbols = Symbols::default();
        let half = symbols.apply("/", vec![Linear::np(), 2.into()]);
        let rest = symbols.apply("%", vec![Linear::np(), 2.into()]);
        let mut facts = Constraints::new();
        assert!(facts.assume_le(&2.into(), &Linear::np()).is_some());
        assert!(facts.assume_le(&half.into(), &Linear::np().offset(-1).expect("small")).is_some());
        let mut terms = Terms::new(&symbols);
        let names = [half, rest].map(|symbol| terms.name(symbol));
        let known = terms.assumptions(&facts).expect("small");
        assert_eq!(known.stated().len(), 4, "{:?}", known.stated());
        for np in 2..20_i128 {
            let values =
                [(hsm::Symbol::new("np"), np), (names[0].clone(), np / 2), (names[1].clone(), np % 2)];
            let instance: Assignment = values.into_iter().collect();
            for fact in known.stated() {
                assert_eq!(fact.evaluate(&instance), Ok(true), "{fact} at {np}");
            }
        }
        let both = Polynomial::from(names[0].clone()).scale(2).and_then(|p| p.add(&names[1].clone().into()));
        let difference = both.and_then(|p| p.sub(&Polynomial::symbol("np"))).expect("small");
        assert!(
            known.proves_nonnegative(&difference)
                && known.proves_nonnegative(&difference.neg().expect("small"))
        );
    }

    /// Two inputs that look alike are two.
    #[test]
    fn names_are_of_one_symbol() {
        let mut symbols = Symbols::default();
        let inputs = [(); 2].map(|()| symbols.fresh(SymbolKind::Input("n".into())));
        let joined = symbols.fresh(SymbolKind::Joined);
        let mut terms = Terms::new(&symbols);
        let names = [inputs[0], inputs[1], joined, inputs[0]].map(|symbol| terms.name(symbol).to_string());
        assert_eq!(names, ["n", "n1", "v1", "n"]);
    }
}
