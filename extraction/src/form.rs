//! Sums of parameters and coordinates, and of products of them.

use std::collections::BTreeMap;

/// What a sum is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Atom {
    /// A number that is the same for all processes, by its index in the list of parameters.
    Parameter(usize),
    /// A coordinate: the rank, the counter of a loop, or a number that follows from others.
    Coordinate(u32),
}

/// An expression with integer factors: linear, but for numbers that are written with digits (module [`crate::digits`]).
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Form {
    terms: BTreeMap<Atom, i64>,
    /// Products of two or more atoms, in their order.
    products: BTreeMap<Vec<Atom>, i64>,
    pub(crate) constant: i64,
}

impl Form {
    pub(crate) fn number(constant: i64) -> Self {
        Self { constant, ..Self::default() }
    }

    pub(crate) fn atom(atom: Atom) -> Self {
        Self { terms: BTreeMap::from([(atom, 1)]), ..Self::default() }
    }

    pub(crate) fn as_number(&self) -> Option<i64> {
        (self.terms.is_empty() && self.is_linear()).then_some(self.constant)
    }

    /// Whether it has no products.
    pub(crate) fn is_linear(&self) -> bool {
        self.products.is_empty()
    }

    /// A coordinate or a parameter, as it is.
    pub(crate) fn as_atom(&self) -> Option<Atom> {
        let mut terms = self.terms();
        match (terms.next(), terms.next(), self.constant) {
            (Some((atom, 1)), None, 0) if self.is_linear() => Some(atom),
            _ => None,
        }
    }

    /// The atoms that stand alone, with their factors.
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
        for (atoms, &more) in &other.products {
            let entry = sum.products.entry(atoms.clone()).or_insert(0);
            *entry = entry.checked_add(more.checked_mul(factor)?)?;
            if *entry == 0 {
                sum.products.remove(atoms);
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

    /// The product of any two. `None` where a number is too large.
    pub(crate) fn multiplied(&self, other: &Self) -> Option<Self> {
        let mut all = Self::default();
        for (a, x) in self.monomials() {
            for (b, y) in other.monomials() {
                let mut atoms = [&a[..], &b[..]].concat();
                atoms.sort_unstable();
                let factor = x.checked_mul(y)?;
                let one = match atoms.as_slice() {
                    [] => Self::number(1),
                    [atom] => Self::atom(*atom),
                    _ => Self { products: BTreeMap::from([(atoms, 1)]), ..Self::default() },
                };
                all = all.plus(&one, factor)?;
            }
        }
        Some(all)
    }

    /// What it is a sum of: atoms whose product is taken, with factors.
    fn monomials(&self) -> impl Iterator<Item = (Vec<Atom>, i64)> {
        let constant = (self.constant != 0).then(|| (Vec::new(), self.constant));
        let terms = self.terms().map(|(atom, factor)| (vec![atom], factor));
        let products = self.products.iter().map(|(atoms, &factor)| (atoms.clone(), factor));
        constant.into_iter().chain(terms).chain(products)
    }

    /// The atom that it is a multiple of, with how often it is that.
    pub(crate) fn multiple_of_atom(&self) -> Option<(i64, Atom)> {
        let mut terms = self.terms();
        match (terms.next(), terms.next(), self.constant) {
            (Some((atom, times)), None, 0) if self.is_linear() => Some((times, atom)),
            _ => None,
        }
    }

    /// The atoms whose product it is, if it is one.
    pub(crate) fn product_of(&self) -> Option<Vec<Atom>> {
        let mut all = self.monomials();
        match (all.next(), all.next()) {
            (Some((atoms, 1)), None) => Some(atoms),
            _ => None,
        }
    }

    /// Whether it is one of these atoms, or a product of some.
    pub(crate) fn is_product_of(&self, atoms: &[Atom]) -> bool {
        let product = self.product_of();
        product.is_some_and(|of| !of.is_empty() && of.iter().all(|atom| atoms.contains(atom)))
    }

    /// The parts `a` and `b` of the form, which is `a * atom + b`, where `b` is without the atom.
    pub(crate) fn divided(&self, atom: Atom) -> (Self, Self) {
        let mut rest = self.clone();
        let mut quotient = Self::number(rest.terms.remove(&atom).unwrap_or(0));
        for (atoms, &factor) in &self.products {
            let Some(at) = atoms.iter().position(|other| *other == atom) else { continue };
            rest.products.remove(atoms);
            let mut others = atoms.clone();
            others.remove(at);
            match others.as_slice() {
                [one] => {
                    quotient.terms.insert(*one, factor);
                }
                _ => {
                    quotient.products.insert(others, factor);
                }
            }
        }
        (quotient, rest)
    }

    /// How often it may be added to another form so that a part of that is cancelled, or nearly so.
    pub(crate) fn cancelling(&self, other: &Self) -> Vec<i64> {
        let theirs: BTreeMap<Vec<Atom>, i64> = other.monomials().collect();
        let mut all = Vec::new();
        for (atoms, factor) in self.monomials() {
            let Some(&of_other) = theirs.get(&atoms) else { continue };
            let times = if atoms.is_empty() {
                // A constant may be a few more or less.
                let half = factor.abs() / 2;
                -(of_other * factor.signum() + half).div_euclid(factor.abs())
            } else if of_other % factor == 0 {
                -of_other / factor
            } else {
                continue;
            };
            if times != 0 && !all.contains(&times) {
                all.push(times);
            }
        }
        all
    }

    /// Whether coordinates are multiplied with each other in it.
    pub(crate) fn has_products_of_coordinates(&self) -> bool {
        let is_coordinate = |atom: &&Atom| matches!(atom, Atom::Coordinate(_));
        self.products.keys().any(|atoms| atoms.iter().filter(is_coordinate).count() > 1)
    }

    /// Whether each of its products has one of these atoms in it.
    pub(crate) fn has_only_products_with(&self, atoms: &[Atom]) -> bool {
        self.products.keys().all(|product| product.iter().any(|atom| atoms.contains(atom)))
    }

    /// The parameters that are multiplied with something.
    pub(crate) fn factors(&self) -> Vec<Atom> {
        let mut all: Vec<Atom> = self.products.keys().flatten().copied().collect();
        all.retain(|atom| matches!(atom, Atom::Parameter(_)));
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The form with another one in place of an atom.
    pub(crate) fn replaced(&self, atom: Atom, by: &Self) -> Option<Self> {
        let is_in_products = self.products.keys().any(|atoms| atoms.contains(&atom));
        if is_in_products {
            let (quotient, rest) = self.divided(atom);
            return quotient.replaced(atom, by)?.multiplied(by)?.plus(&rest, 1);
        }
        match self.factor(atom) {
            0 => Some(self.clone()),
            factor => {
                let mut rest = self.clone();
                rest.terms.remove(&atom);
                rest.plus(by, factor)
            }
        }
    }

    /// The parameters in it.
    pub(crate) fn parameters(&self) -> Vec<usize> {
        let atoms = self.terms.keys().chain(self.products.keys().flatten());
        atoms
            .filter_map(|atom| match atom {
                Atom::Parameter(parameter) => Some(*parameter),
                Atom::Coordinate(_) => None,
            })
            .collect()
    }

    /// The coordinates in it.
    pub(crate) fn coordinates(&self) -> impl Iterator<Item = u32> {
        self.terms.keys().chain(self.products.keys().flatten()).filter_map(|atom| match atom {
            Atom::Coordinate(coordinate) => Some(*coordinate),
            Atom::Parameter(_) => None,
        })
    }
}

/// Coordinates as forms.
pub(crate) fn atoms(coordinates: &[u32]) -> Vec<Form> {
    coordinates.iter().map(|&at| Form::atom(Atom::Coordinate(at))).collect()
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

    /// The opposite, if it is one bound.
    pub(crate) fn negated(&self) -> Option<Self> {
        if self.is_equation { None } else { Self::below(&self.form, &Form::default()) }
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
