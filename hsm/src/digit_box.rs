//! Sets of ranks as boxes of digits.

use std::fmt;
use std::rc::Rc;

use crate::cell::Cell;
use crate::expr::{Fact, Symbol, Term};
use crate::hsm::{Hsm, Level};
use crate::judge::Judge;
use crate::obstacle::{Obstacle, Stop};
use crate::polynomial::{Overflow, Polynomial};

/// One digit of a [`DigitBox`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Digit {
    /// What one step of the digit adds to the rank. More than all lower digits can add together.
    pub weight: Polynomial,
    /// The digit runs through `0..count`.
    pub count: Polynomial,
}

/// A set of ranks: `base + Σ weight * x`, where each digit `x` runs through its own range, and each weight is larger than
/// what the lower digits can add up to, so that every rank has its digits once.
///
/// Ranges are boxes of one digit; in a mesh of `ncols` columns, a rectangle is a box whose digits have the weights 1 and
/// `ncols`; the even ranks have one digit of weight 2. A box may be empty for some values of the symbols.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DigitBox {
    base: Polynomial,
    digits: Vec<Digit>,
}

/// Neither a box nor known to be one.
pub(crate) fn no_box() -> Stop {
    Obstacle::NotABox.into()
}

impl DigitBox {
    /// One rank.
    pub fn single(rank: impl Into<Polynomial>) -> Self {
        Self { base: rank.into(), digits: Vec::new() }
    }

    /// `count` ranks from `first` on. Where it is open whether `count` is negative, questions about the box are undecided.
    pub fn interval(first: impl Into<Polynomial>, count: impl Into<Polynomial>) -> Self {
        let digit = Digit { weight: Polynomial::constant(1), count: count.into() };
        Self { base: first.into(), digits: vec![digit] }
    }

    /// The ranks whose digits in mixed radix lie in `low..high`, the fastest running digit first. The last has no radix of
    /// its own, so there is one radix less than ranges, and further radices are of no account.
    ///
    /// The caller knows that no `high` exceeds its radix. Where it is open whether `low <= high`, questions about the box are
    /// undecided.
    pub fn in_radices(radices: &[Polynomial], ranges: &[(Polynomial, Polynomial)]) -> Result<Self, Overflow> {
        let (mut base, mut weight, mut digits) = (Polynomial::zero(), Polynomial::constant(1), Vec::new());
        for (i, (low, high)) in ranges.iter().enumerate() {
            base = base.add(&low.mul(&weight)?)?;
            digits.push(Digit { weight: weight.clone(), count: high.sub(low)? });
            if let Some(radix) = radices.get(i) {
                weight = weight.mul(radix)?;
            }
        }
        Ok(Self { base, digits })
    }

    /// The least rank, where there is one.
    pub fn base(&self) -> &Polynomial {
        &self.base
    }

    /// The digits, that of the smallest weight first.
    pub fn digits(&self) -> &[Digit] {
        &self.digits
    }

    /// The number of ranks.
    pub fn cardinality(&self) -> Result<Polynomial, Overflow> {
        self.digits.iter().try_fold(Polynomial::constant(1), |product, digit| product.mul(&digit.count))
    }

    /// The ranks in rising order.
    pub fn ranks(&self) -> Hsm {
        let level = |digit: &Digit| Level { count: digit.count.clone(), stride: digit.weight.clone() };
        Hsm::from_parts(self.base.clone(), self.digits.iter().map(level).collect())
    }

    /// Whether it contains a rank, where `lookup` gives the symbols their values; `None` where it does not.
    pub fn contains(&self, rank: i128, lookup: impl Fn(&Symbol) -> Option<i128>) -> Option<bool> {
        let mut rest = rank.checked_sub(self.base.evaluate(&lookup)?)?;
        let mut inside = true;
        for digit in self.digits.iter().rev() {
            let (weight, count) = (digit.weight.evaluate(&lookup)?, digit.count.evaluate(&lookup)?);
            let value = rest.checked_div_euclid(weight)?;
            inside &= 0 <= value && value < count;
            rest = rest.checked_rem_euclid(weight)?;
        }
        Some(inside && rest == 0)
    }

    /// That the value of a term is one of the ranks, in a way a prover understands.
    pub fn membership(&self, term: &Term) -> Fact {
        let mut rest = term.clone() - self.base.to_term();
        let mut facts = Vec::new();
        for digit in self.digits.iter().rev() {
            let unit = digit.weight.as_constant() == Some(1);
            let value = if unit { rest.clone() } else { rest.floor_div(digit.weight.to_term()) };
            facts.push(Fact::le(0, value.clone()));
            facts.push(Fact::lt(value, digit.count.to_term()));
            rest = if unit { Term::constant(0) } else { rest % digit.weight.to_term() };
        }
        if rest != Term::constant(0) {
            facts.push(Fact::eq(rest, 0));
        }
        Fact::all(facts)
    }

    /// The box of the members of a sequence, if it has each only once and its digits are in order.
    pub(crate) fn of_sequence(judge: &Rc<Judge<'_>>, sequence: &Hsm) -> Result<Self, Stop> {
        let mut cell = Cell::of(sequence);
        let Some(inner) = judge.within(&cell.counts)? else {
            return Ok(Self {
                base: Polynomial::zero(),
                digits: vec![Digit { weight: 1.into(), count: 0.into() }],
            });
        };
        cell.merge(judge)?;
        for level in cell.top().active() {
            if !inner.decide(&cell.top().strides[level])? {
                cell.reverse(level)?;
            }
        }
        cell.merge(judge)?;
        let strides = &cell.top().strides;
        let mut digits: Vec<Digit> = Vec::new();
        for (count, weight) in cell.counts.iter().zip(strides) {
            let digit = Digit { weight: judge.normal(weight)?, count: judge.normal(count)? };
            let mut place = digits.len();
            while place > 0 && !inner.at_most(&digits[place - 1].weight, &digit.weight)? {
                place -= 1;
            }
            digits.insert(place, digit);
        }
        let ranks = Self { base: judge.normal(&cell.top().offset)?, digits };
        if ranks.is_hierarchical(&inner)? { Ok(ranks.shortest(judge)) } else { Err(no_box()) }
    }

    fn shortest(self, judge: &Judge<'_>) -> Self {
        let digit = |digit: Digit| Digit { weight: digit.weight, count: judge.shortest(&digit.count) };
        Self { base: judge.shortest(&self.base), digits: self.digits.into_iter().map(digit).collect() }
    }

    /// The union with a box that goes on where this one ends in one digit, if that is so.
    pub(crate) fn append(&self, judge: &Judge<'_>, next: &Self) -> Result<Option<Self>, Overflow> {
        let gap = judge.normal(&next.base.sub(&self.base)?)?;
        let all = self.digits.iter().chain(&next.digits);
        for weight in all.map(|digit| &digit.weight).chain([&Polynomial::constant(1)]) {
            let ((count, digits), (more, others)) = (self.without(weight), next.without(weight));
            if digits == others && judge.equal(&weight.mul(&count)?, &gap)? {
                let mut digits = digits;
                let place = self.digits.iter().take_while(|digit| digit.weight != *weight).count();
                digits.insert(
                    place.min(digits.len()),
                    Digit { weight: weight.clone(), count: count.add(&more)? },
                );
                return Ok(Some(Self { base: self.base.clone(), digits }.shortest(judge)));
            }
        }
        Ok(None)
    }

    /// The count of the digit of that weight, which is 1 where there is none, and the other digits.
    fn without(&self, weight: &Polynomial) -> (Polynomial, Vec<Digit>) {
        let (with, others): (Vec<Digit>, Vec<Digit>) =
            self.digits.iter().cloned().partition(|digit| digit.weight == *weight);
        (with.into_iter().next().map_or_else(|| Polynomial::constant(1), |digit| digit.count), others)
    }

    /// The ranges `low..high` of the digits in mixed radix; see [`Reasoner::in_radices`](crate::Reasoner::in_radices).
    pub(crate) fn ranges(
        &self,
        judge: &Judge<'_>,
        radices: &[Polynomial],
    ) -> Result<Option<Vec<(Polynomial, Polynomial)>>, Overflow> {
        let mut weights = vec![Polynomial::constant(1)];
        for radix in radices {
            weights.push(judge.normal(&weights[weights.len() - 1].mul(radix)?)?);
        }
        let (mut rest, mut open, mut ranges) = (self.base.clone(), self.digits.len(), Vec::new());
        for (i, weight) in weights.iter().enumerate().rev() {
            let Some(parts) = judge.euclid(&rest, weight)?.filter(|parts| parts.exact) else {
                return Ok(None);
            };
            let digit = self.digits.iter().find(|digit| digit.weight == *weight);
            open -= usize::from(digit.is_some());
            let count = digit.map_or_else(|| Polynomial::constant(1), |digit| digit.count.clone());
            let high = parts.quotient.add(&count)?;
            // The last digit has no radix.
            if let Some(radix) = radices.get(i)
                && !judge.at_most(&high, radix)?
            {
                return Ok(None);
            }
            ranges.push((parts.quotient, high));
            rest = parts.remainder;
        }
        ranges.reverse();
        Ok((open == 0).then_some(ranges))
    }

    /// The cell of the ranks, once it is known that this is a box: that no count is negative, and each weight is larger than
    /// what the lower digits add up to. A caller may have been wrong about its own.
    pub(crate) fn cell(&self, judge: &Rc<Judge<'_>>) -> Result<Cell, Stop> {
        let counts: Vec<Polynomial> = self.digits.iter().map(|digit| digit.count.clone()).collect();
        for count in &counts {
            if !judge.decide(count)? {
                return Err(no_box());
            }
        }
        match judge.within(&counts)? {
            Some(inner) if !self.is_hierarchical(&inner)? => Err(no_box()),
            _ => Ok(Cell::of(&self.ranks())),
        }
    }

    fn is_hierarchical(&self, judge: &Judge<'_>) -> Result<bool, Overflow> {
        let mut span = Polynomial::zero();
        for digit in &self.digits {
            if !judge.at_most(&span.plus(1)?, &digit.weight)? {
                return Ok(false);
            }
            span = span.add(&digit.weight.mul(&digit.count.plus(-1)?)?)?;
        }
        Ok(true)
    }
}

/// A range as `[lo..hi]`; other boxes as the sequence of their ranks.
impl fmt::Display for DigitBox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.digits[..] {
            [] => write!(f, "[{}]", self.base),
            [digit] if digit.count.as_constant() == Some(1) => write!(f, "[{}]", self.base),
            [digit] if digit.weight.as_constant() == Some(1) => {
                let last = self.base.add(&digit.count).and_then(|end| end.plus(-1));
                match last {
                    Ok(last) => write!(f, "[{}..{last}]", self.base),
                    Err(_) => write!(f, "{}", self.ranks()),
                }
            }
            _ => write!(f, "{}", self.ranks()),
        }
    }
}
