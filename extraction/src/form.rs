//! Sums of parameters and coordinates.

use std::collections::BTreeMap;

/// What a sum is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Atom {
    /// A number that is the same for all processes, by its index in the list of parameters.
    Parameter(usize),
    /// A coordinate: the rank, the counter of a loop, or a number that follows from others.
    Coordinate(u32),
}

/// A linear expression with integer factors.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Form {
    terms: BTreeMap<Atom, i64>,
    pub(crate) constant: i64,
}

impl Form {
    pub(crate) fn number(constant: i64) -> Self {
        Self { terms: BTreeMap::new(), constant }
    }

    pub(crate) fn atom(atom: Atom) -> Self {
        Self { terms: BTreeMap::from([(atom, 1)]), constant: 0 }
    }

    pub(crate) fn as_number(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// A coordinate or a parameter, as it is.
    pub(crate) fn as_atom(&self) -> Option<Atom> {
        let mut terms = self.terms();
        match (terms.next(), terms.next(), self.constant) {
            (Some((atom, 1)), None, 0) => Some(atom),
            _ => None,
        }
    }

    pub(crate) fn terms(&self) -> impl Iterator<Item = (Atom, i64)> {
        self.terms.iter().map(|(&atom, &factor)| (atom, factor))
    }

    pub(crate) fn factor(&self, atom: Atom) -> i64 {
        self.terms.get(&atom).copied().unwrap_or(0)
    }

    /// `self + factor * other`; `None` where a number is too large.
    pub(crate) fn plus(&self, other: &Self, factor: i64) -> Option<Self> {
        let mut sum = self.clone();
        for (&atom, &more) in &other.terms {
            let entry = sum.terms.entry(atom).or_insert(0);
            *entry = entry.checked_add(more.checked_mul(factor)?)?;
            if *entry == 0 {
                sum.terms.remove(&atom);
            }
        }
        sum.constant = sum.constant.checked_add(other.constant.checked_mul(factor)?)?;
        Some(sum)
    }

    pub(crate) fn times(&self, factor: i64) -> Option<Self> {
        Self::default().plus(self, factor)
    }

    /// The product, where one of both is a number.
    pub(crate) fn product(&self, other: &Self) -> Option<Self> {
        match (self.as_number(), other.as_number()) {
            (Some(number), _) => other.times(number),
            (_, Some(number)) => self.times(number),
            _ => None,
        }
    }

    /// The form with another one in place of an atom.
    pub(crate) fn replaced(&self, atom: Atom, by: &Self) -> Option<Self> {
        match self.factor(atom) {
            0 => Some(self.clone()),
            factor => {
                let mut rest = self.clone();
                rest.terms.remove(&atom);
                rest.plus(by, factor)
            }
        }
    }

    /// The coordinates in it.
    pub(crate) fn coordinates(&self) -> impl Iterator<Item = u32> {
        self.terms.keys().filter_map(|atom| match atom {
            Atom::Coordinate(coordinate) => Some(*coordinate),
            Atom::Parameter(_) => None,
        })
    }
}

/// A form that is zero, or one that is not negative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bound {
    pub(crate) form: Form,
    pub(crate) is_equation: bool,
}

impl Bound {
    pub(crate) fn zero(form: Form) -> Self {
        Self { form, is_equation: true }
    }

    pub(crate) fn not_negative(form: Form) -> Self {
        Self { form, is_equation: false }
    }

    /// `a <= b`.
    pub(crate) fn at_most(a: &Form, b: &Form) -> Option<Self> {
        Some(Self::not_negative(b.plus(a, -1)?))
    }

    /// `a < b`.
    pub(crate) fn below(a: &Form, b: &Form) -> Option<Self> {
        let mut form = b.plus(a, -1)?;
        form.constant = form.constant.checked_sub(1)?;
        Some(Self::not_negative(form))
    }

    /// `a = b`.
    pub(crate) fn equal(a: &Form, b: &Form) -> Option<Self> {
        Some(Self::zero(a.plus(b, -1)?))
    }
}
