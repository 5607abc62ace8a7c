//! Quotients and remainders of values that are linear in digits.
//!
//! The rules, of which the paper's Table I has special cases:
//!
//! * **quotient**: what of `offset + Σ stride * x` is a multiple of `q` goes to the quotient; if the rest stays in `0..q`,
//!   it is the remainder.
//! * **rows**: `k + x` divided by `t`, for one digit `x`: a first row that may begin late, full rows, a last row that may
//!   end early. The full rows split the level into one of `t` digits and one that counts the rows.
//! * **carry**: for the largest stride `b` of the rest and `q == b * t`, with `F` all but that level,
//!   `(F + b*x) / (b*t) == (F / b + x) / t`. What `F` has beyond `b` is carried.
//! * **wrap**: one digit with a stride that does not divide `q` is cut where the value first reaches `q`.
//! * **reverse**: a digit with a negative stride is counted the other way round.

use std::rc::Rc;

use crate::cell::{Affine, Cell};
use crate::judge::Judge;
use crate::obstacle::{Obstacle, Stop};
use crate::polynomial::{Overflow, Polynomial};
use crate::proof::{Rule, Step};

/// Bound on nested rules; each of them makes the rest smaller.
const MAX_DEPTH: u32 = 24;

/// Divides the topmost value by a positive `divisor`: in the cells returned, which together are the cell, it is replaced by
/// the quotient and, on top of it, the remainder. Empty cells are left out.
pub(crate) fn divide(judge: &Rc<Judge<'_>>, cell: Cell, divisor: &Polynomial) -> Result<Vec<Cell>, Stop> {
    Division { divisor, depth: 0 }.run(judge, cell)
}

struct Division<'a> {
    divisor: &'a Polynomial,
    depth: u32,
}

impl Division<'_> {
    fn by<'a>(&self, divisor: &'a Polynomial) -> Division<'a> {
        Division { divisor, depth: self.depth + 1 }
    }

    fn run(&self, judge: &Rc<Judge<'_>>, mut cell: Cell) -> Result<Vec<Cell>, Stop> {
        if self.depth > MAX_DEPTH {
            return Err(Obstacle::TooManyPieces.into());
        }
        judge.bench().check_effort()?;
        let Some(inner) = judge.within(&cell.counts)? else { return Ok(Vec::new()) };
        cell.normalise(&inner)?;
        let (quotient, rest) = self.decompose(&inner, cell.top())?;
        if let Some(steps) = self.in_range(&inner, &cell, &rest)? {
            return Ok(vec![self.finish(&inner, cell, quotient, rest, steps)?]);
        }
        let active = rest.active();
        if active.is_empty() {
            let dividend = rest.offset;
            return Err(Stop::Define { dividend, divisor: self.divisor.clone() });
        }
        if self.make_rising(&inner, &mut cell, &rest)? {
            return self.by(self.divisor).run(judge, cell);
        }
        cell.pop();
        let pivot = cell.steepest(&inner, &rest)?;
        let stride = rest.strides[pivot].clone();
        cell.push(quotient);
        if let Some(rows) = self.divisor.div_exact(&stride)? {
            return match (stride.as_constant() == Some(1), active.len()) {
                (true, 1) => self.rows(judge, &inner, cell, &rest, pivot),
                (true, _) => Err(Obstacle::NoDigits(rest.offset).into()),
                (false, _) => self.carry(judge, cell, rest, pivot, &rows),
            };
        }
        if active.len() == 1 {
            self.wrap(judge, &inner, cell, rest, pivot)
        } else {
            Err(Obstacle::NoDigits(rest.offset).into())
        }
    }

    /// Writes a value as `quotient * divisor + rest` with a rest as small as can be seen.
    fn decompose(&self, judge: &Judge<'_>, value: &Affine) -> Result<(Affine, Affine), Stop> {
        let levels = value.strides.len();
        let mut quotient = Affine::constant(Polynomial::zero(), levels);
        let mut rest = quotient.clone();
        (quotient.offset, rest.offset) = match judge.euclid(&value.offset, self.divisor)? {
            Some(parts) => (parts.quotient, parts.remainder),
            None => (Polynomial::zero(), value.offset.clone()),
        };
        for (level, stride) in value.strides.iter().enumerate() {
            (quotient.strides[level], rest.strides[level]) = self.decompose_stride(judge, stride)?;
        }
        Ok((quotient, rest))
    }

    /// A stride's rest keeps the sign of the stride: a small negative stride is not made a large positive one.
    fn decompose_stride(
        &self,
        judge: &Judge<'_>,
        stride: &Polynomial,
    ) -> Result<(Polynomial, Polynomial), Overflow> {
        let Some((quotient, rest)) = stride.div_rem(self.divisor)? else {
            return Ok((Polynomial::zero(), stride.clone()));
        };
        if rest.is_zero() {
            return Ok((quotient, rest));
        }
        for (quotient, rest) in [
            (Polynomial::zero(), stride.clone()),
            (quotient.clone(), rest.clone()),
            (quotient.plus(1)?, rest.sub(self.divisor)?),
        ] {
            let below = |size: &Polynomial| judge.at_most(size, self.divisor);
            if below(&rest)? && below(&rest.neg()?)? {
                return Ok((quotient, rest));
            }
        }
        Ok((Polynomial::zero(), stride.clone()))
    }

    /// How many times the divisor must be added to bring all values of `rest` into `0..divisor`, if that many do.
    fn in_range(&self, judge: &Judge<'_>, cell: &Cell, rest: &Affine) -> Result<Option<i128>, Overflow> {
        let Some((least, greatest)) = cell.bounds(judge, rest)? else { return Ok(None) };
        for steps in [0, 1, -1] {
            let shift = self.divisor.scale(steps)?;
            let below = greatest.add(&shift)?.plus(1)?;
            if judge.nonnegative(&least.add(&shift)?) && judge.at_most(&below, self.divisor)? {
                return Ok(Some(steps));
            }
        }
        Ok(None)
    }

    fn finish(
        &self,
        judge: &Judge<'_>,
        mut cell: Cell,
        mut quotient: Affine,
        mut rest: Affine,
        steps: i128,
    ) -> Result<Cell, Stop> {
        quotient.offset = quotient.offset.plus(-steps)?;
        rest.offset = rest.offset.add(&self.divisor.scale(steps)?)?;
        let place = cell.values.len() - 1;
        let dividend = cell.sequence(place);
        cell.pop();
        cell.push(quotient);
        cell.push(rest);
        judge.bench().note(Step::Division {
            dividend,
            divisor: self.divisor.clone(),
            quotient: cell.sequence(place),
            remainder: cell.sequence(place + 1),
        });
        Ok(cell)
    }

    /// Reverses the levels on which `rest` falls. False where it falls on none.
    fn make_rising(&self, judge: &Judge<'_>, cell: &mut Cell, rest: &Affine) -> Result<bool, Stop> {
        let mut reversed = false;
        for level in rest.active() {
            if !judge.decide(&rest.strides[level])? {
                judge.bench().note_rule(Rule::Reverse, None, cell.sequence(0));
                cell.reverse(level)?;
                reversed = true;
            }
        }
        Ok(reversed)
    }

    /// `k + x` for one digit `x`. The quotient so far is on top of the cell.
    fn rows(
        &self,
        judge: &Judge<'_>,
        inner: &Judge<'_>,
        cell: Cell,
        rest: &Affine,
        level: usize,
    ) -> Result<Vec<Cell>, Stop> {
        let (size, start) = (self.divisor, &rest.offset);
        let first = inner.euclid_or_define(start, size)?;
        let last = inner.euclid_or_define(&start.add(&cell.counts[level])?, size)?;
        let aligned = first.remainder.is_zero();
        let from = if aligned { first.quotient.clone() } else { first.quotient.plus(1)? };
        let rows = last.quotient.sub(&from)?;
        if !inner.decide(&rows)? {
            // All in one row, which the range of the values would have shown had their bounds been known.
            return Err(Obstacle::NoDigits(rest.offset.clone()).into());
        }
        judge.bench().note_rule(Rule::Rows, Some(size), cell.sequence(0));
        let counts = [from.mul(size)?.sub(start)?, rows.mul(size)?, last.remainder];
        let zero = Polynomial::zero();
        let mut cells = Vec::new();
        for (i, part) in cell.cut(judge, level, &counts)?.into_iter().enumerate() {
            match i {
                _ if judge.normal(&counts[i])?.is_zero() => {}
                0 => cells.push(row(part, &first.quotient, &first.remainder, level)?),
                1 => cells.push(full_rows(part, &from, size, &rows, level)?),
                _ => cells.push(row(part, &last.quotient, &zero, level)?),
            }
        }
        Ok(cells)
    }

    fn carry(
        &self,
        judge: &Rc<Judge<'_>>,
        mut cell: Cell,
        rest: Affine,
        pivot: usize,
        rows: &Polynomial,
    ) -> Result<Vec<Cell>, Stop> {
        let stride = rest.strides[pivot].clone();
        judge.bench().note_rule(Rule::Carry, Some(&stride), cell.sequence(0));
        let mut digit = Affine::constant(Polynomial::zero(), cell.counts.len());
        digit.strides[pivot] = Polynomial::constant(1);
        let mut below = rest;
        below.strides[pivot] = Polynomial::zero();
        cell.push(digit);
        cell.push(below);
        let mut cells = Vec::new();
        for mut part in self.by(&stride).run(judge, cell)? {
            let (low, carried, digit) = (part.pop(), part.pop(), part.pop());
            part.push(low);
            part.push(carried.add(&digit)?);
            for mut part in self.by(rows).run(judge, part)? {
                let (high, quotient, low, before) = (part.pop(), part.pop(), part.pop(), part.pop());
                part.push(before.add(&quotient)?);
                part.push(low.add(&high.map(|p| p.mul(&stride))?)?);
                cells.push(part);
            }
        }
        Ok(cells)
    }

    fn wrap(
        &self,
        judge: &Rc<Judge<'_>>,
        inner: &Judge<'_>,
        mut cell: Cell,
        rest: Affine,
        level: usize,
    ) -> Result<Vec<Cell>, Stop> {
        let stride = &rest.strides[level];
        let to_go = self.divisor.sub(&rest.offset)?.add(stride)?.plus(-1)?;
        let parts = inner.euclid_or_define(&to_go, stride)?;
        if !parts.exact {
            return Err(Obstacle::NoDigits(rest.offset).into());
        }
        let counts = [parts.quotient.clone(), cell.counts[level].sub(&parts.quotient)?];
        for count in &counts {
            if !inner.decide(count)? {
                return Err(Obstacle::NoDigits(rest.offset).into());
            }
        }
        judge.bench().note_rule(Rule::Wrap, Some(self.divisor), cell.sequence(0));
        cell.push(rest);
        let mut cells = Vec::new();
        for part in cell.cut(judge, level, &counts)? {
            for mut part in self.by(self.divisor).run(judge, part)? {
                let (remainder, quotient, before) = (part.pop(), part.pop(), part.pop());
                part.push(before.add(&quotient)?);
                part.push(remainder);
                cells.push(part);
            }
        }
        Ok(cells)
    }
}

/// The quotient and remainder of a digit that runs through `rows` full rows.
fn full_rows(
    mut cell: Cell,
    from: &Polynomial,
    size: &Polynomial,
    rows: &Polynomial,
    level: usize,
) -> Result<Cell, Overflow> {
    cell.split(level, size, rows)?;
    let mut quotient = cell.pop();
    quotient.offset = quotient.offset.add(from)?;
    quotient.strides[level + 1] = quotient.strides[level + 1].plus(1)?;
    let mut remainder = Affine::constant(Polynomial::zero(), cell.counts.len());
    remainder.strides[level] = Polynomial::constant(1);
    cell.push(quotient);
    cell.push(remainder);
    Ok(cell)
}

/// The quotient and remainder of a digit within one row, where the remainder begins at `start`.
fn row(mut cell: Cell, number: &Polynomial, start: &Polynomial, level: usize) -> Result<Cell, Overflow> {
    let mut quotient = cell.pop();
    quotient.offset = quotient.offset.add(number)?;
    let mut remainder = Affine::constant(start.clone(), cell.counts.len());
    remainder.strides[level] = Polynomial::constant(1);
    cell.push(quotient);
    cell.push(remainder);
    Ok(cell)
}
