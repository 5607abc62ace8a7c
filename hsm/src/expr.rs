//! Integer terms and facts about them.
//!
//! Values are mathematical integers. `/` rounds down and `%` has the sign of its divisor (**floor semantics**): C
//! truncates, so a caller that translates C's operators must know that both operands are non-negative, where the two
//! agree. Evaluation works in `i128` and reports overflow instead of wrapping.
//!
//! A term is a flat program in postfix order. No operation on it recurses, so no depth of nesting can overflow the
//! stack, and comparing, hashing and dropping are those of an array.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::fmt;
use std::ops::{Add, Mul, Rem, Sub};
use std::sync::Arc;

use thiserror::Error;

/// The name of an integer: `np`, `rank`, `nrows`, ... Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(Arc<str>);

impl Symbol {
    /// The symbol of that name. Two symbols of one name are the same symbol.
    pub fn new(name: &str) -> Self {
        Self(name.into())
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A binary operation on integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operator {
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Multiply,
    /// Quotient rounded towards minus infinity; undefined for divisor 0.
    FloorDivide,
    /// `a - d * floor(a / d)`; undefined for divisor 0.
    Modulo,
}

impl Operator {
    /// Its value on two integers.
    pub fn apply(self, left: i128, right: i128) -> Result<i128, EvaluationError> {
        let exact = match self {
            Self::Add => left.checked_add(right),
            Self::Subtract => left.checked_sub(right),
            Self::Multiply => left.checked_mul(right),
            Self::FloorDivide | Self::Modulo => {
                if right == 0 {
                    return Err(EvaluationError::DivisionByZero);
                }
                left.checked_div(right).zip(left.checked_rem(right)).map(|(quotient, remainder)| {
                    let below = remainder != 0 && (remainder < 0) != (right < 0);
                    // Neither can overflow: |quotient| shrank if there is a remainder, and the signs differ.
                    match (self, below) {
                        (Self::FloorDivide, true) => quotient - 1,
                        (Self::FloorDivide, false) => quotient,
                        (_, true) => remainder + right,
                        (_, false) => remainder,
                    }
                })
            }
        };
        exact.ok_or(EvaluationError::Overflow)
    }

    /// How it is written between its operands.
    fn sign(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::FloorDivide => "/",
            Self::Modulo => "%",
        }
    }

    fn is_multiplicative(self) -> bool {
        !matches!(self, Self::Add | Self::Subtract)
    }
}

/// One step of a term's postfix program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Step {
    Constant(i128),
    Symbol(Symbol),
    /// Replaces the two values on top of the stack by its result.
    Apply(Operator),
}

/// A part of a term with the values of its operands.
pub(crate) enum Part<'t, V> {
    Constant(i128),
    Symbol(&'t Symbol),
    Apply(Operator, V, V),
}

/// An integer term; see the module for what the operators mean.
///
/// The overloaded operators copy both operands. A caller whose terms can grow without bound builds them with
/// [`Term::apply`], which refuses beyond [`Term::MAX_SIZE`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(Vec<Step>);

/// A term would have had more than [`Term::MAX_SIZE`] constants, symbols and operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a term of {0} steps is too large")]
pub struct TermTooLarge(pub usize);

/// Why a term has no value under an assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum EvaluationError {
    /// A divisor is 0 there.
    #[error("division by zero")]
    DivisionByZero,
    /// An intermediate value needs more than 128 bits: the term has a value, but not one we can hold.
    #[error("a value does not fit 128 bits")]
    Overflow,
    /// The assignment leaves a symbol of the term out.
    #[error("a symbol has no value")]
    Unbound,
}

impl Term {
    /// Bound on the size of the terms that [`Term::apply`] and [`Term::substitute`] build and that a prover accepts.
    pub const MAX_SIZE: usize = 1 << 12;

    /// A constant.
    pub fn constant(value: i128) -> Self {
        Self(vec![Step::Constant(value)])
    }

    /// The symbol of that name.
    pub fn symbol(name: &str) -> Self {
        Symbol::new(name).into()
    }

    /// `left operator right`, unless that is too large.
    pub fn apply(operator: Operator, left: &Self, right: &Self) -> Result<Self, TermTooLarge> {
        let size = left.size() + right.size() + 1;
        if size > Self::MAX_SIZE { Err(TermTooLarge(size)) } else { Ok(Self::join(operator, left, right)) }
    }

    fn join(operator: Operator, left: &Self, right: &Self) -> Self {
        let mut steps = Vec::with_capacity(left.0.len() + right.0.len() + 1);
        steps.extend_from_slice(&left.0);
        steps.extend_from_slice(&right.0);
        steps.push(Step::Apply(operator));
        Self(steps)
    }

    /// The quotient rounded down; see [`Operator::FloorDivide`].
    pub fn floor_div(&self, divisor: impl Into<Self>) -> Self {
        Self::join(Operator::FloorDivide, self, &divisor.into())
    }

    /// The term with `replacement` for every `symbol`, unless that is too large.
    pub fn substitute(&self, symbol: &Symbol, replacement: &Self) -> Result<Self, TermTooLarge> {
        let places = self.0.iter().filter(|step| matches!(step, Step::Symbol(s) if s == symbol)).count();
        let size = self.0.len() - places + places.saturating_mul(replacement.0.len());
        if size > Self::MAX_SIZE {
            return Err(TermTooLarge(size));
        }
        let mut steps = Vec::with_capacity(size);
        for step in &self.0 {
            match step {
                Step::Symbol(s) if s == symbol => steps.extend_from_slice(&replacement.0),
                other => steps.push(other.clone()),
            }
        }
        Ok(Self(steps))
    }

    /// The number of constants, symbols and operators in it, each occurrence counted.
    pub fn size(&self) -> usize {
        self.0.len()
    }

    /// Its symbols, in order.
    pub fn symbols(&self) -> BTreeSet<Symbol> {
        let symbol = |step: &Step| if let Step::Symbol(symbol) = step { Some(symbol.clone()) } else { None };
        self.0.iter().filter_map(symbol).collect()
    }

    /// Its value where every symbol has the value that `lookup` gives.
    pub fn evaluate(&self, lookup: impl Fn(&Symbol) -> Option<i128>) -> Result<i128, EvaluationError> {
        self.fold(|part| match part {
            Part::Constant(value) => Ok(value),
            Part::Symbol(symbol) => lookup(symbol).ok_or(EvaluationError::Unbound),
            Part::Apply(operator, left, right) => operator.apply(left, right),
        })
    }

    /// The value of the term, where `value` gives that of each part: of constants and symbols, and of operators by those of both
    /// operands. Parts come in the order of the steps, up to the first that has none.
    pub(crate) fn fold<'t, V, E>(
        &'t self,
        mut value: impl FnMut(Part<'t, V>) -> Result<V, E>,
    ) -> Result<V, E> {
        let mut stack: Vec<V> = Vec::with_capacity(8);
        for step in &self.0 {
            let part = match step {
                Step::Constant(value) => Part::Constant(*value),
                Step::Symbol(symbol) => Part::Symbol(symbol),
                Step::Apply(operator) => {
                    let right = stack.pop().expect("constructors put two operands before each operator");
                    let left = stack.pop().expect("constructors put two operands before each operator");
                    Part::Apply(*operator, left, right)
                }
            };
            stack.push(value(part)?);
        }
        Ok(stack.pop().expect("a term has at least one step"))
    }

    /// As [`Self::fold`]; without an error where a part has no value (`None`).
    pub(crate) fn fold_partly<'t, V, E>(
        &'t self,
        value: impl FnMut(Part<'t, V>) -> Result<V, Option<E>>,
    ) -> Result<Option<V>, E> {
        self.fold(value).map(Some).or_else(|none| none.map_or(Ok(None), Err))
    }

    /// `steps` must be a whole subterm's.
    #[cfg(feature = "z3")]
    pub(crate) fn from_steps(steps: Vec<Step>) -> Self {
        Self(steps)
    }

    /// The subterm whose program ends with this step of the term.
    pub(crate) fn subterm(&self, last: usize) -> Self {
        let (mut first, mut needed) = (last + 1, 1);
        while needed > 0 && first > 0 {
            first -= 1;
            // An operator gives one value for two, everything else one for none.
            needed = if matches!(self.0[first], Step::Apply(_)) { needed + 1 } else { needed - 1 };
        }
        Self(self.0[first..=last].to_vec())
    }

    pub(crate) fn steps(&self) -> &[Step] {
        &self.0
    }

    /// Whether it divides anywhere, and so may be undefined.
    pub(crate) fn divides(&self) -> bool {
        self.0.iter().any(|step| matches!(step, Step::Apply(Operator::FloorDivide | Operator::Modulo)))
    }
}

impl From<i128> for Term {
    fn from(value: i128) -> Self {
        Self::constant(value)
    }
}

impl From<Symbol> for Term {
    fn from(symbol: Symbol) -> Self {
        Self(vec![Step::Symbol(symbol)])
    }
}

impl From<&Term> for Term {
    fn from(term: &Term) -> Self {
        term.clone()
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $operator:ident),* $(,)?) => {$(
        impl<T: Into<Term>> $trait<T> for Term {
            type Output = Term;
            fn $method(self, right: T) -> Term {
                Term::join(Operator::$operator, &self, &right.into())
            }
        }

        impl<T: Into<Term>> $trait<T> for &Term {
            type Output = Term;
            fn $method(self, right: T) -> Term {
                Term::join(Operator::$operator, self, &right.into())
            }
        }
    )*};
}

operators!(Add add Add, Sub sub Subtract, Mul mul Multiply, Rem rem Modulo);

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Each part with its outermost operator, which decides about parentheses.
        let Ok((shown, _)) = self.fold(|part: Part<'_, (String, Option<Operator>)>| {
            Ok::<_, Infallible>(match part {
                Part::Constant(value) if value < 0 => (format!("({value})"), None),
                Part::Constant(value) => (value.to_string(), None),
                Part::Symbol(symbol) => (symbol.to_string(), None),
                Part::Apply(operator, (left, above), (right, below)) => {
                    let tight = operator.is_multiplicative();
                    let left = match above {
                        Some(inner) if tight && !inner.is_multiplicative() => format!("({left})"),
                        _ => left,
                    };
                    let right = match below {
                        Some(inner) if tight || operator == Operator::Subtract => {
                            if inner.is_multiplicative() && !tight { right } else { format!("({right})") }
                        }
                        _ => right,
                    };
                    (format!("{left} {} {right}", operator.sign()), Some(operator))
                }
            })
        });
        f.write_str(&shown)
    }
}

/// How two terms compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// `left < right`
    Less,
    /// `left <= right`
    LessEqual,
    /// `left == right`
    Equal,
    /// `left != right`
    NotEqual,
}

impl Relation {
    fn holds(self, left: i128, right: i128) -> bool {
        match self {
            Self::Less => left < right,
            Self::LessEqual => left <= right,
            Self::Equal => left == right,
            Self::NotEqual => left != right,
        }
    }
}

/// A statement about integers: comparisons, all of which hold.
///
/// It is undefined where one of its terms divides by zero; there it does not hold.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fact(Vec<Comparison>);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Comparison {
    pub(crate) left: Term,
    pub(crate) relation: Relation,
    pub(crate) right: Term,
}

impl Comparison {
    pub(crate) fn evaluate(&self, lookup: impl Fn(&Symbol) -> Option<i128>) -> Result<bool, EvaluationError> {
        Ok(self.relation.holds(self.left.evaluate(&lookup)?, self.right.evaluate(&lookup)?))
    }

    pub(crate) fn terms(&self) -> [&Term; 2] {
        [&self.left, &self.right]
    }
}

impl Fact {
    /// `left relation right`.
    pub fn compare(left: impl Into<Term>, relation: Relation, right: impl Into<Term>) -> Self {
        Self(vec![Comparison { left: left.into(), relation, right: right.into() }])
    }

    /// `left < right`.
    pub fn lt(left: impl Into<Term>, right: impl Into<Term>) -> Self {
        Self::compare(left, Relation::Less, right)
    }

    /// `left <= right`.
    pub fn le(left: impl Into<Term>, right: impl Into<Term>) -> Self {
        Self::compare(left, Relation::LessEqual, right)
    }

    /// `left == right`.
    pub fn eq(left: impl Into<Term>, right: impl Into<Term>) -> Self {
        Self::compare(left, Relation::Equal, right)
    }

    /// `left != right`.
    pub fn ne(left: impl Into<Term>, right: impl Into<Term>) -> Self {
        Self::compare(left, Relation::NotEqual, right)
    }

    /// All of them. Of none: the fact that always holds.
    pub fn all(facts: impl IntoIterator<Item = Self>) -> Self {
        Self(facts.into_iter().flat_map(|fact| fact.0).collect())
    }

    /// Whether it holds under an assignment.
    pub fn evaluate(&self, assignment: &Assignment) -> Result<bool, EvaluationError> {
        let mut holds = true;
        for comparison in &self.0 {
            // No early way out: a later comparison may be undefined, and then the whole is.
            holds &= comparison.evaluate(|symbol| assignment.get(symbol))?;
        }
        Ok(holds)
    }

    /// Its symbols, in order.
    pub fn symbols(&self) -> BTreeSet<Symbol> {
        self.0.iter().flat_map(Comparison::terms).flat_map(Term::symbols).collect()
    }

    pub(crate) fn comparisons(&self) -> &[Comparison] {
        &self.0
    }

    /// The number of steps of all its terms.
    pub(crate) fn size(&self) -> usize {
        self.0.iter().flat_map(Comparison::terms).map(Term::size).sum()
    }
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("true");
        }
        for (i, Comparison { left, relation, right }) in self.0.iter().enumerate() {
            let sign = match relation {
                Relation::Less => "<",
                Relation::LessEqual => "<=",
                Relation::Equal => "==",
                Relation::NotEqual => "!=",
            };
            write!(f, "{}{left} {sign} {right}", if i == 0 { "" } else { " && " })?;
        }
        Ok(())
    }
}

/// A value for each of some symbols.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Assignment(BTreeMap<Symbol, i128>);

impl Assignment {
    /// The value of a symbol, if it has one.
    pub fn get(&self, symbol: &Symbol) -> Option<i128> {
        self.0.get(symbol).copied()
    }

    /// All symbols with their values, in the order of the names.
    pub fn iter(&self) -> impl Iterator<Item = (&Symbol, i128)> {
        self.0.iter().map(|(symbol, value)| (symbol, *value))
    }
}

impl FromIterator<(Symbol, i128)> for Assignment {
    fn from_iter<I: IntoIterator<Item = (Symbol, i128)>>(values: I) -> Self {
        Self(values.into_iter().collect())
    }
}

impl fmt::Display for Assignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (symbol, value)) in self.iter().enumerate() {
            write!(f, "{}{symbol} = {value}", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_rounds_down_and_the_remainder_follows_the_divisor() {
        for left in -20..=20_i128 {
            for right in (-6..=6_i128).filter(|&right| right != 0) {
                let quotient = Operator::FloorDivide.apply(left, right).unwrap();
                let remainder = Operator::Modulo.apply(left, right).unwrap();
                assert_eq!(quotient * right + remainder, left);
                assert!(if right > 0 {
                    (0..right).contains(&remainder)
                } else {
                    right < remainder && remainder <= 0
                });
            }
        }
        assert_eq!(Operator::FloorDivide.apply(1, 0), Err(EvaluationError::DivisionByZero));
        assert_eq!(Operator::FloorDivide.apply(i128::MIN, -1), Err(EvaluationError::Overflow));
        assert_eq!(Operator::Multiply.apply(i128::MAX, 2), Err(EvaluationError::Overflow));
    }

    #[test]
    fn terms_print_with_the_parentheses_they_need() {
        let (a, b) = (Term::symbol("a"), Term::symbol("b"));
        let shown = |term: Term| term.to_string();
        assert_eq!(shown((&a + 1) % &b), "(a + 1) % b");
        assert_eq!(shown(&a + (&a * &b)), "a + a * b");
        assert_eq!(shown(&a - (&a - &b)), "a - (a - b)");
        assert_eq!(shown(&a * (&a * &b)), "a * (a * b)");
        assert_eq!(shown(a.floor_div(2) * &b), "a / 2 * b");
        assert_eq!(shown(&a * -1), "a * (-1)");
        assert_eq!(Fact::all([Fact::le(0, &a), Fact::ne(a, b)]).to_string(), "0 <= a && a != b");
    }

    #[test]
    fn growth_is_bounded() {
        let x = Symbol::new("x");
        let mut term = Term::from(x.clone());
        let error = loop {
            let twice = Term::apply(Operator::Add, &term, &term).and_then(|two| term.substitute(&x, &two));
            match twice {
                Ok(larger) => term = larger,
                Err(error) => break error,
            }
        };
        assert!(error.0 > Term::MAX_SIZE && term.size() <= Term::MAX_SIZE);
    }

    #[test]
    fn a_term_of_a_hundred_thousand_levels_is_only_long() {
        let mut steps = vec![Step::Constant(0)];
        for _ in 0..100_000 {
            steps.extend([Step::Constant(1), Step::Apply(Operator::Add)]);
        }
        let term = Term(steps);
        assert_eq!(term.evaluate(|_| None), Ok(100_000));
    }
}
