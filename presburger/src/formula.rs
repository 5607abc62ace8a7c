//! Formulas for numbers of points: sums of products of lengths.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// An affine expression over parameters: `2np - 1`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Affine {
    /// The factor of each parameter; none is zero.
    pub terms: BTreeMap<String, i64>,
    /// What is added.
    pub constant: i64,
}

/// A quasi-affine expression: an affine one, and quotients of such, rounded down: `np + 2*floor((n + 1)/2)`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QuasiAffine {
    /// The part without quotients.
    pub affine: Affine,
    /// Factors, numerators and denominators of the quotients. A denominator is at least 2.
    pub quotients: Vec<(i64, Affine, i64)>,
}

/// A factor of a product that is a number of points.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Factor {
    /// A length that is not negative where the other factors of the product are not zero.
    Length(QuasiAffine),
    /// A length that may come out negative, and is zero then.
    LengthOrZero(QuasiAffine),
    /// One where the expression is not negative, and zero elsewhere.
    Where(QuasiAffine),
}

/// A product with a number in front: `2 * nx * (ny - 1)`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Product {
    /// The number.
    pub times: i64,
    /// The other factors, in order.
    pub factors: Vec<Factor>,
}

/// A number of points in terms of the parameters: a sum of products.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Formula {
    /// What is added up. No two of them have the same factors.
    pub products: Vec<Product>,
}

impl Affine {
    /// A number.
    #[must_use]
    pub fn constant(constant: i64) -> Self {
        Self { terms: BTreeMap::new(), constant }
    }

    /// `self + other * factor`; nothing where a number becomes too large.
    #[must_use]
    pub fn plus(&self, other: &Self, factor: i64) -> Option<Self> {
        let mut sum = self.clone();
        sum.constant = sum.constant.checked_add(other.constant.checked_mul(factor)?)?;
        for (name, &times) in &other.terms {
            let entry = sum.terms.entry(name.clone()).or_default();
            *entry = entry.checked_add(times.checked_mul(factor)?)?;
        }
        sum.terms.retain(|_, times| *times != 0);
        Some(sum)
    }

    /// Its value for values of the parameters; nothing where one is missing or a number becomes too large.
    #[must_use]
    pub fn at(&self, parameters: &BTreeMap<String, i64>) -> Option<i64> {
        let add = |sum: i64, (name, times): (&String, &i64)| {
            sum.checked_add(times.checked_mul(*parameters.get(name)?)?)
        };
        self.terms.iter().try_fold(self.constant, add)
    }
}

impl QuasiAffine {
    /// An affine expression divided by a positive number, rounded down.
    pub(crate) fn quotient(numerator: &Affine, denominator: i64) -> Self {
        let split = |number: i64| (number.div_euclid(denominator), number.rem_euclid(denominator));
        let mut whole = Self { affine: Affine::constant(split(numerator.constant).0), quotients: Vec::new() };
        let mut rest = Affine::constant(split(numerator.constant).1);
        for (name, &times) in &numerator.terms {
            // (d*q + r) / d is q + r / d. Only what can be divided is taken out: `np - r` is easier to read than `np + 2r - 3r`.
            if times % denominator == 0 {
                whole.affine.terms.insert(name.clone(), times / denominator);
            } else {
                rest.terms.insert(name.clone(), times);
            }
        }
        if !rest.terms.is_empty() {
            whole.quotients.push((1, rest, denominator));
        }
        whole
    }

    /// `self + other * factor`; nothing where a number becomes too large.
    pub(crate) fn plus(&self, other: &Self, factor: i64) -> Option<Self> {
        let mut sum =
            Self { affine: self.affine.plus(&other.affine, factor)?, quotients: self.quotients.clone() };
        for (times, numerator, denominator) in &other.quotients {
            let times = times.checked_mul(factor)?;
            let is_same = |(_, n, d): &&mut (i64, Affine, i64)| n == numerator && d == denominator;
            match sum.quotients.iter_mut().find(is_same) {
                Some((already, ..)) => *already = already.checked_add(times)?,
                None => sum.quotients.push((times, numerator.clone(), *denominator)),
            }
        }
        sum.quotients.retain(|(times, ..)| *times != 0);
        // floor((n - 1) / 2) + 1 is floor((n + 1) / 2).
        if let [(1, numerator, denominator)] = sum.quotients.as_mut_slice()
            && sum.affine.terms.is_empty()
            && let Some(more) = sum.affine.constant.checked_mul(*denominator)
            && let Some(constant) = numerator.constant.checked_add(more)
        {
            numerator.constant = constant;
            sum.affine.constant = 0;
        }
        Some(sum)
    }

    /// Its value for values of the parameters; nothing where one is missing or a number becomes too large.
    #[must_use]
    pub fn at(&self, parameters: &BTreeMap<String, i64>) -> Option<i64> {
        let add = |sum: i64, (times, numerator, denominator): &(i64, Affine, i64)| {
            sum.checked_add(numerator.at(parameters)?.div_euclid(*denominator).checked_mul(*times)?)
        };
        self.quotients.iter().try_fold(self.affine.at(parameters)?, add)
    }

    /// The number that it is, if it is one.
    #[must_use]
    pub fn as_number(&self) -> Option<i64> {
        (self.quotients.is_empty() && self.affine.terms.is_empty()).then_some(self.affine.constant)
    }

    /// The parameters that it depends on.
    pub(crate) fn parameters(&self) -> Vec<&str> {
        let quotients = self.quotients.iter().flat_map(|(_, numerator, _)| numerator.terms.keys());
        let mut names: Vec<&str> = self.affine.terms.keys().chain(quotients).map(String::as_str).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

impl Formula {
    /// The number that it is for all values of its parameter, if it has one parameter at most and is one number. `None` also where that would
    /// have to be looked at for too many values.
    #[must_use]
    pub fn as_number(&self) -> Option<i64> {
        /// Values of the parameter, at most.
        const MOST: i64 = 240;
        let (mut names, mut period, mut degree) = (BTreeSet::new(), 1_i64, 0);
        for Product { factors, .. } in &self.products {
            degree = degree.max(i64::try_from(factors.len()).ok()?);
            for factor in factors {
                let Factor::Length(length) = factor else { return None };
                names.extend(length.parameters());
                for (_, _, denominator) in &length.quotients {
                    period = period.checked_mul(*denominator)?;
                    if MOST < period {
                        return None;
                    }
                }
            }
        }
        // For each remainder it is a polynomial of this degree: a constant one, if it is the same at one value more.
        let count = period.checked_mul(degree + 1).filter(|count| *count <= MOST)?;
        if 1 < names.len() {
            return None;
        }
        let at = |value: i64| self.at(&names.iter().map(|name| ((*name).to_owned(), value)).collect());
        let first = at(0)?;
        (1..count).all(|value| at(value) == Some(first)).then_some(first)
    }

    /// Its value for values of the parameters; nothing where one is missing or a number becomes too large.
    #[must_use]
    pub fn at(&self, parameters: &BTreeMap<String, i64>) -> Option<i64> {
        let value = |factor: &Factor| match factor {
            Factor::Length(length) => length.at(parameters),
            Factor::LengthOrZero(length) => length.at(parameters).map(|length| length.max(0)),
            Factor::Where(condition) => condition.at(parameters).map(|value| i64::from(0 <= value)),
        };
        let product = |Product { times, factors }: &Product| {
            let values = factors.iter().map(value).collect::<Option<Vec<i64>>>()?;
            // Without the condition a length may be of any size.
            if values.contains(&0) { Some(0) } else { values.into_iter().try_fold(*times, i64::checked_mul) }
        };
        self.products.iter().try_fold(0_i64, |sum, of| sum.checked_add(product(of)?))
    }

    /// Adds a product; lengths that are alone become one, and so do products of the same factors.
    pub(crate) fn add(&mut self, factors: Vec<Factor>) -> Option<()> {
        let mut product = Product { times: 1, factors: Vec::new() };
        for factor in factors {
            match &factor {
                Factor::Length(length) if length.as_number().is_some() => {
                    product.times = product.times.checked_mul(length.as_number()?)?;
                }
                _ => product.factors.push(factor),
            }
        }
        product.factors.sort();
        if let Some(mut sum) = product.alone()? {
            let alone = self.products.iter().position(|product| product.alone().flatten().is_some());
            if let Some(already) = alone.map(|at| self.products.remove(at)) {
                sum = sum.plus(&already.alone()??, 1)?;
            }
            match sum.as_number() {
                Some(0) => {}
                Some(times) => self.products.insert(0, Product { times, factors: Vec::new() }),
                None => self.products.insert(0, Product { times: 1, factors: vec![Factor::Length(sum)] }),
            }
        } else if let Some(same) = self.products.iter_mut().find(|other| other.factors == product.factors) {
            same.times = same.times.checked_add(product.times)?;
        } else {
            self.products.push(product);
        }
        Some(())
    }
}

impl Product {
    /// The length that it is, if it is one alone, or a number; nothing at all where a number becomes too large.
    fn alone(&self) -> Option<Option<QuasiAffine>> {
        let zero = QuasiAffine::default();
        match self.factors.as_slice() {
            [] => Some(Some(QuasiAffine { affine: Affine::constant(self.times), quotients: Vec::new() })),
            [Factor::Length(length)] => zero.plus(length, self.times).map(Some),
            _ => Some(None),
        }
    }
}

/// A term with its sign, the first of a sum or a later one.
fn term(
    f: &mut fmt::Formatter<'_>,
    is_first: bool,
    times: i64,
    name: fmt::Arguments<'_>,
    sign: &str,
) -> fmt::Result {
    f.write_str(match (is_first, times < 0) {
        (true, true) => "-",
        (true, false) => "",
        (false, true) => " - ",
        (false, false) => " + ",
    })?;
    if times.unsigned_abs() != 1 {
        write!(f, "{}{sign}", times.unsigned_abs())?;
    }
    f.write_fmt(name)
}

fn constant(f: &mut fmt::Formatter<'_>, is_first: bool, constant: i64) -> fmt::Result {
    match (is_first, constant) {
        (true, _) => write!(f, "{constant}"),
        (false, 0) => Ok(()),
        (false, _) => write!(f, " {} {}", if constant < 0 { '-' } else { '+' }, constant.unsigned_abs()),
    }
}

/// Positive terms come first.
fn in_order(terms: &BTreeMap<String, i64>) -> impl Iterator<Item = (&String, i64)> {
    let positive = terms.iter().filter(|(_, times)| 0 < **times);
    positive.chain(terms.iter().filter(|(_, times)| **times < 0)).map(|(name, times)| (name, *times))
}

impl fmt::Display for Affine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (name, times)) in in_order(&self.terms).enumerate() {
            term(f, at == 0, times, format_args!("{name}"), "")?;
        }
        constant(f, self.terms.is_empty(), self.constant)
    }
}

impl fmt::Display for QuasiAffine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut is_first = true;
        for (name, times) in in_order(&self.affine.terms) {
            term(f, std::mem::take(&mut is_first), times, format_args!("{name}"), "")?;
        }
        for (times, numerator, denominator) in &self.quotients {
            let is_name = numerator.constant == 0
                && numerator.terms.len() == 1
                && numerator.terms.values().all(|k| *k == 1);
            let (open, close) = if is_name { ("", "") } else { ("(", ")") };
            let quotient = format_args!("floor({open}{numerator}{close}/{denominator})");
            term(f, std::mem::take(&mut is_first), *times, quotient, "*")?;
        }
        constant(f, is_first, self.affine.constant)
    }
}

impl Factor {
    /// Whether it has to be put in brackets within a product.
    fn is_sum(&self) -> bool {
        let Self::Length(length) = self else { return false };
        let terms =
            length.affine.terms.len() + length.quotients.len() + usize::from(length.affine.constant != 0);
        1 < terms
    }
}

impl fmt::Display for Factor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length(length) => write!(f, "{length}"),
            Self::LengthOrZero(length) => write!(f, "max(0, {length})"),
            Self::Where(condition) => write!(f, "[0 <= {condition}]"),
        }
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.products.is_empty() {
            return f.write_str("0");
        }
        for (at, Product { times, factors }) in self.products.iter().enumerate() {
            f.write_str(if at == 0 { "" } else { " + " })?;
            let has_number = *times != 1 || factors.is_empty();
            if has_number {
                write!(f, "{times}")?;
            }
            for (at, factor) in factors.iter().enumerate() {
                f.write_str(if at == 0 && !has_number { "" } else { " * " })?;
                let is_one_of_more = 1 < factors.len() || has_number;
                if factor.is_sum() && is_one_of_more {
                    write!(f, "({factor})")?
                } else {
                    write!(f, "{factor}")?
                }
            }
        }
        Ok(())
    }
}
