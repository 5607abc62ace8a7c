//! Hierarchical sequence maps.

use std::fmt;

use crate::polynomial::{Overflow, Polynomial};

/// One level of a hierarchical sequence map: what is below is repeated `count` times, each time `stride` further on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Level {
    /// How often; not negative under the assumptions at hand.
    pub count: Polynomial,
    /// The distance, which may be zero or negative.
    pub stride: Polynomial,
}

/// A hierarchical sequence map (section VIII of the paper on communication-sensitive dataflow): an offset and levels,
/// innermost first.
///
/// It stands for the sequence of `offset + Σ x_i * stride_i`, where the digits `x_i` in `0..count_i` are those of the index
/// in mixed radix, the first level's running fastest: `[[11 : 2, 5] : 3, 100]` is 11, 16, 111, 116, 211, 216. Counts and
/// strides are polynomials over uniform symbols, so one map stands for a sequence for each value of the symbols.
///
/// What needs to know more than the normal form of polynomials is asked of a [`Reasoner`](crate::Reasoner).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Hsm {
    offset: Polynomial,
    levels: Vec<Level>,
}

impl Hsm {
    /// The sequence of one number.
    pub fn single(value: impl Into<Polynomial>) -> Self {
        Self { offset: value.into(), levels: Vec::new() }
    }

    /// `count` numbers, one after the other, from `first` on: the paper's `[first : count, 1]`.
    pub fn interval(first: impl Into<Polynomial>, count: impl Into<Polynomial>) -> Self {
        Self::single(first).repeated(count, 1)
    }

    /// The sequence repeated `count` times, each time `stride` further on: the paper's `[self : count, stride]`.
    pub fn repeated(mut self, count: impl Into<Polynomial>, stride: impl Into<Polynomial>) -> Self {
        self.levels.push(Level { count: count.into(), stride: stride.into() });
        self
    }

    pub(crate) fn from_parts(offset: Polynomial, levels: Vec<Level>) -> Self {
        Self { offset, levels }
    }

    /// The first number, where there is one.
    pub fn offset(&self) -> &Polynomial {
        &self.offset
    }

    /// The levels, innermost first.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// How many numbers the sequence has.
    pub fn count(&self) -> Result<Polynomial, Overflow> {
        self.levels.iter().try_fold(Polynomial::constant(1), |count, level| count.mul(&level.count))
    }

    /// The sequence of all numbers times a factor.
    pub fn scale(&self, factor: &Polynomial) -> Result<Self, Overflow> {
        self.map(|p| p.mul(factor))
    }

    /// Applies `f` to the offset and to all strides.
    pub(crate) fn map(
        &self,
        f: impl Fn(&Polynomial) -> Result<Polynomial, Overflow>,
    ) -> Result<Self, Overflow> {
        let level = |level: &Level| Ok(Level { count: level.count.clone(), stride: f(&level.stride)? });
        Ok(Self {
            offset: f(&self.offset)?,
            levels: self.levels.iter().map(level).collect::<Result<_, _>>()?,
        })
    }

    /// The numbers in order, where `lookup` gives the symbols their values. `None` where it does not, where a count is
    /// negative, or beyond `limit` numbers.
    pub fn enumerate(
        &self,
        lookup: impl Fn(&crate::Symbol) -> Option<i128>,
        limit: usize,
    ) -> Option<Vec<i128>> {
        let mut numbers = vec![self.offset.evaluate(&lookup)?];
        for level in &self.levels {
            let count = usize::try_from(level.count.evaluate(&lookup)?).ok()?;
            let stride = level.stride.evaluate(&lookup)?;
            if numbers.len().checked_mul(count)? > limit {
                return None;
            }
            if numbers.is_empty() {
                continue;
            }
            let mut all = Vec::with_capacity(numbers.len() * count);
            for i in 0..i128::try_from(count).ok()? {
                let shift = stride.checked_mul(i)?;
                for number in &numbers {
                    all.push(number.checked_add(shift)?);
                }
            }
            numbers = all;
        }
        Some(numbers)
    }
}

/// As the paper writes it.
impl fmt::Display for Hsm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.levels.is_empty() {
            return write!(f, "[{}]", self.offset);
        }
        self.levels.iter().try_for_each(|_| f.write_str("["))?;
        write!(f, "{}", self.offset)?;
        self.levels.iter().try_for_each(|level| write!(f, " : {}, {}]", level.count, level.stride))
    }
}
