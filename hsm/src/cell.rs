//! Sets of ranks given by digits, with values that are linear in the digits.
//!
//! A **cell** has levels, each a digit `x` that runs through `0..count`, and values `offset + Σ stride * x`. The first
//! value is the rank itself (or the index, for a sequence), so a cell is a piece of a map from ranks to values. What is
//! done to a level is done to all values at once, which is why two values of one cell always have the same levels, and
//! why levels may be split, cut and reversed freely: the pairs of rank and values stay the same.
//!
//! Counts may be 0 for some values of the symbols, but are never negative. What is said of values need hold only where
//! no count is 0, and may be proved under that assumption (see [`Judge::within`]). What is said of counts must hold always:
//! else a cell that has no ranks could be cut into two of which one has a rank. [`Cell::cut`] sees to that.

use crate::hsm::{Hsm, Level};
use crate::judge::Judge;
use crate::obstacle::{Obstacle, Stop};
use crate::polynomial::{Overflow, Polynomial};

/// A value that is linear in the digits of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Affine {
    pub(crate) offset: Polynomial,
    /// One for each level of the cell.
    pub(crate) strides: Vec<Polynomial>,
}

impl Affine {
    pub(crate) fn constant(value: Polynomial, levels: usize) -> Self {
        Self { offset: value, strides: vec![Polynomial::zero(); levels] }
    }

    /// Applies `f` to the offsets and to the strides of both.
    pub(crate) fn zip(
        &self,
        other: &Self,
        f: impl Fn(&Polynomial, &Polynomial) -> Result<Polynomial, Overflow>,
    ) -> Result<Self, Overflow> {
        let strides =
            self.strides.iter().zip(&other.strides).map(|(a, b)| f(a, b)).collect::<Result<_, _>>()?;
        Ok(Self { offset: f(&self.offset, &other.offset)?, strides })
    }

    /// Applies `f` to the offset and to the strides.
    pub(crate) fn map(
        &self,
        f: impl Fn(&Polynomial) -> Result<Polynomial, Overflow>,
    ) -> Result<Self, Overflow> {
        Ok(Self { offset: f(&self.offset)?, strides: self.strides.iter().map(f).collect::<Result<_, _>>()? })
    }

    pub(crate) fn add(&self, other: &Self) -> Result<Self, Overflow> {
        self.zip(other, Polynomial::add)
    }

    pub(crate) fn sub(&self, other: &Self) -> Result<Self, Overflow> {
        self.zip(other, Polynomial::sub)
    }

    pub(crate) fn neg(&self) -> Result<Self, Overflow> {
        self.map(Polynomial::neg)
    }

    /// The value, if it is the same for all digits.
    pub(crate) fn as_uniform(&self) -> Option<&Polynomial> {
        self.strides.iter().all(Polynomial::is_zero).then_some(&self.offset)
    }

    /// The levels it varies with.
    pub(crate) fn active(&self) -> Vec<usize> {
        (0..self.strides.len()).filter(|&level| !self.strides[level].is_zero()).collect()
    }
}

/// A piece of a map; see the module.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub(crate) counts: Vec<Polynomial>,
    /// The first is the rank.
    pub(crate) values: Vec<Affine>,
}

impl Cell {
    /// The cell in which `values[0]` takes the values of an HSM in order.
    pub(crate) fn of(ranks: &Hsm) -> Self {
        let counts = ranks.levels().iter().map(|level| level.count.clone()).collect();
        let strides = ranks.levels().iter().map(|level| level.stride.clone()).collect();
        Self { counts, values: vec![Affine { offset: ranks.offset().clone(), strides }] }
    }

    /// One of the values as a sequence over the digits.
    pub(crate) fn sequence(&self, value: usize) -> Hsm {
        let Affine { offset, strides } = &self.values[value];
        let level = |(count, stride): (&Polynomial, &Polynomial)| Level {
            count: count.clone(),
            stride: stride.clone(),
        };
        Hsm::from_parts(offset.clone(), self.counts.iter().zip(strides).map(level).collect())
    }

    pub(crate) fn push(&mut self, value: Affine) {
        assert_eq!(value.strides.len(), self.counts.len());
        self.values.push(value);
    }

    pub(crate) fn pop(&mut self) -> Affine {
        self.values.pop().expect("callers push a value before they take one")
    }

    pub(crate) fn top(&self) -> &Affine {
        self.values.last().expect("a cell has its rank")
    }

    /// Values in the normal form of the judge for the digits of this cell, so that what is zero or constant can be seen.
    pub(crate) fn normalise(&mut self, inner: &Judge<'_>) -> Result<(), Overflow> {
        for value in &mut self.values {
            *value = value.map(|p| inner.normal(p))?;
        }
        Ok(())
    }

    /// Splits a level of `size * rows` digits into one of `size` and one of `rows`, which comes behind it.
    pub(crate) fn split(
        &mut self,
        level: usize,
        size: &Polynomial,
        rows: &Polynomial,
    ) -> Result<(), Overflow> {
        self.counts[level] = size.clone();
        self.counts.insert(level + 1, rows.clone());
        for value in &mut self.values {
            let stride = value.strides[level].mul(size)?;
            value.strides.insert(level + 1, stride);
        }
        Ok(())
    }

    /// The consecutive parts of a level that have these counts, whose sum is the level's.
    pub(crate) fn cut(
        &self,
        judge: &Judge<'_>,
        level: usize,
        counts: &[Polynomial],
    ) -> Result<Vec<Self>, Stop> {
        let sum = counts.iter().try_fold(Polynomial::zero(), |sum, count| sum.add(count))?;
        let sound =
            judge.equal(&sum, &self.counts[level])? && counts.iter().all(|count| judge.nonnegative(count));
        if !sound {
            // The counts were found where the cell is not empty; in general they may be off.
            for count in &self.counts {
                judge.decide(&count.plus(-1)?)?;
            }
            return Err(Obstacle::NotABox.into());
        }
        let mut from = Polynomial::zero();
        let mut parts = Vec::new();
        for count in counts {
            parts.push(self.slice(level, &from, count)?);
            from = from.add(count)?;
        }
        Ok(parts)
    }

    fn slice(&self, level: usize, from: &Polynomial, count: &Polynomial) -> Result<Self, Overflow> {
        let mut part = self.clone();
        part.counts[level] = count.clone();
        for value in &mut part.values {
            value.offset = value.offset.add(&value.strides[level].mul(from)?)?;
        }
        Ok(part)
    }

    /// Counts a level the other way round.
    pub(crate) fn reverse(&mut self, level: usize) -> Result<(), Overflow> {
        let last = self.counts[level].plus(-1)?;
        for value in &mut self.values {
            let stride = &value.strides[level];
            value.offset = value.offset.add(&stride.mul(&last)?)?;
            value.strides[level] = stride.neg()?;
        }
        Ok(())
    }

    /// Reverses the levels on which the topmost value falls. False where it falls on none.
    pub(crate) fn make_rising(&mut self, judge: &Judge<'_>) -> Result<bool, Stop> {
        let mut reversed = false;
        for level in self.top().active() {
            if !judge.decide(&self.top().strides[level])? {
                self.reverse(level)?;
                reversed = true;
            }
        }
        Ok(reversed)
    }

    /// The level with the largest stride of a value that rises on all levels it varies with.
    pub(crate) fn steepest(&self, judge: &Judge<'_>, value: &Affine) -> Result<usize, Stop> {
        let active = value.active();
        for &level in &active {
            let mut largest = true;
            for &other in &active {
                largest &= judge.at_most(&value.strides[other], &value.strides[level])?;
            }
            if largest {
                return Ok(level);
            }
        }
        Err(Obstacle::NoDigits(value.offset.clone()).into())
    }

    /// Least and greatest value over the digits, if the signs of the strides are known and no count is 0.
    pub(crate) fn bounds(
        &self,
        judge: &Judge<'_>,
        value: &Affine,
    ) -> Result<Option<(Polynomial, Polynomial)>, Overflow> {
        let (mut least, mut greatest) = (value.offset.clone(), value.offset.clone());
        for (count, stride) in self.counts.iter().zip(&value.strides) {
            if stride.is_zero() {
                continue;
            }
            let change = stride.mul(&count.plus(-1)?)?;
            if judge.nonnegative(stride) {
                greatest = greatest.add(&change)?;
            } else if judge.nonnegative(&stride.neg()?) {
                least = least.add(&change)?;
            } else {
                return Ok(None);
            }
        }
        Ok(Some((least, greatest)))
    }

    /// Makes one level of two that count on in all values, and drops levels of one digit.
    pub(crate) fn merge(&mut self, judge: &Judge<'_>) -> Result<(), Overflow> {
        if !judge.bench().canonical {
            return Ok(());
        }
        self.normalise(judge)?;
        for count in &mut self.counts {
            *count = judge.normal(count)?;
        }
        let mut level = 0;
        while level < self.counts.len() {
            if self.counts[level].as_constant() == Some(1) {
                self.remove(level);
                continue;
            }
            let continues = |behind: usize| -> Result<bool, Overflow> {
                for value in &self.values {
                    let next = value.strides[level].mul(&self.counts[level])?;
                    if !judge.equal(&next, &value.strides[behind])? {
                        return Ok(false);
                    }
                }
                Ok(behind != level)
            };
            let mut found = None;
            for behind in 0..self.counts.len() {
                if continues(behind)? {
                    found = Some(behind);
                    break;
                }
            }
            match found {
                Some(behind) => {
                    self.counts[level] = judge.normal(&self.counts[level].mul(&self.counts[behind])?)?;
                    self.remove(behind);
                    level = 0;
                }
                None => level += 1,
            }
        }
        Ok(())
    }

    fn remove(&mut self, level: usize) {
        self.counts.remove(level);
        for value in &mut self.values {
            value.strides.remove(level);
        }
    }
}
