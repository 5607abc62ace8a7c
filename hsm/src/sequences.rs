//! Operations on hierarchical sequence maps, and their canonical forms.

use std::rc::Rc;

use crate::cell::{Affine, Cell};
use crate::divide::divide;
use crate::hsm::{Hsm, Level};
use crate::judge::{Judge, Truth};
use crate::obstacle::{Obstacle, Stop};
use crate::polynomial::{Overflow, Polynomial};
use crate::proof::Rule;

/// Number by number, the sum of two sequences of one length, whose levels are split until they agree.
pub(crate) fn sum(judge: &Judge<'_>, left: &Hsm, right: &Hsm) -> Result<Hsm, Stop> {
    let (mut open, mut other) = (reversed_levels(left), reversed_levels(right));
    let mut levels = Vec::new();
    // Both are taken from the innermost level on, at the ends of the vectors.
    while let (Some(a), Some(b)) = (open.pop(), other.pop()) {
        let quotient = |a: &Level, b: &Level| judge.normal(&a.count)?.div_exact(&judge.normal(&b.count)?);
        let outer = |level: &Level, inner: &Level, rows: Polynomial| {
            Ok::<_, Overflow>(Level { count: rows, stride: level.stride.mul(&inner.count)? })
        };
        let count;
        if let Some(rows) = quotient(&a, &b)? {
            count = b.count.clone();
            if rows.as_constant() != Some(1) {
                open.push(outer(&a, &b, rows)?);
            }
        } else if let Some(rows) = quotient(&b, &a)? {
            count = a.count.clone();
            other.push(outer(&b, &a, rows)?);
        } else {
            return Err(Obstacle::Indivisible(a.count, b.count).into());
        }
        levels.push(Level { count, stride: a.stride.add(&b.stride)? });
    }
    for rest in open.iter().chain(&other) {
        if judge.normal(&rest.count)?.as_constant() != Some(1) {
            return Err(Obstacle::Indivisible(left.count()?, right.count()?).into());
        }
    }
    Ok(Hsm::from_parts(left.offset().add(right.offset())?, levels))
}

fn reversed_levels(sequence: &Hsm) -> Vec<Level> {
    sequence.levels().iter().rev().cloned().collect()
}

/// The quotients and the remainders, each as sequences that follow one another.
pub(crate) fn div_rem(
    judge: &Rc<Judge<'_>>,
    dividend: &Hsm,
    divisor: &Polynomial,
) -> Result<(Vec<Hsm>, Vec<Hsm>), Stop> {
    if !judge.decide(&divisor.plus(-1)?)? {
        return Err(Obstacle::Indivisible(dividend.offset().clone(), divisor.clone()).into());
    }
    let mut cell = Cell::of(&index(dividend)?);
    let strides = dividend.levels().iter().map(|level| level.stride.clone()).collect();
    cell.push(Affine { offset: dividend.offset().clone(), strides });
    let cells = in_order(judge, divide(judge, cell, divisor)?)?;
    Ok(cells.iter().map(|cell| (cell.sequence(1), cell.sequence(2))).unzip())
}

/// The indices of a sequence, with its levels.
fn index(sequence: &Hsm) -> Result<Hsm, Overflow> {
    let mut weight = Polynomial::constant(1);
    let mut index = Hsm::single(0);
    for level in sequence.levels() {
        index = index.repeated(level.count.clone(), weight.clone());
        weight = weight.mul(&level.count)?;
    }
    Ok(index)
}

/// Cells whose first value is an index, each with its levels in the order of the index, one after the other.
fn in_order(judge: &Judge<'_>, cells: Vec<Cell>) -> Result<Vec<Cell>, Stop> {
    let mut open = Vec::new();
    for cell in cells {
        open.push(consecutive(judge, cell)?);
    }
    let (mut next, mut ordered) = (Polynomial::zero(), Vec::new());
    while !open.is_empty() {
        let mut found = None;
        for (i, (cell, _)) in open.iter().enumerate() {
            if judge.equal(&cell.values[0].offset, &next)? {
                found = Some(i);
                break;
            }
        }
        let Some(found) = found else { return Err(Obstacle::NotABox.into()) };
        let (cell, count) = open.swap_remove(found);
        next = next.add(&count)?;
        ordered.push(cell);
    }
    Ok(ordered)
}

/// The cell with its levels in the order of its first value, which runs through consecutive numbers; and how many.
fn consecutive(judge: &Judge<'_>, mut cell: Cell) -> Result<(Cell, Polynomial), Stop> {
    for level in 0..cell.counts.len() {
        if judge.nonnegative(&cell.values[0].strides[level].neg()?) {
            cell.reverse(level)?;
        }
    }
    let mut count = Polynomial::constant(1);
    for place in 0..cell.counts.len() {
        let mut found = None;
        for level in place..cell.counts.len() {
            if judge.equal(&cell.values[0].strides[level], &count)? {
                found = Some(level);
                break;
            }
        }
        let Some(level) = found else { return Err(Obstacle::NotABox.into()) };
        cell.counts.swap(place, level);
        for value in &mut cell.values {
            value.strides.swap(place, level);
        }
        count = count.mul(&cell.counts[place])?;
    }
    Ok((cell, count))
}

/// The same sequence with as few levels as adjacency allows. Of two such forms without symbols, those of the same
/// nonempty sequence are equal.
pub(crate) fn canonical_sequence(judge: &Judge<'_>, sequence: &Hsm) -> Result<Hsm, Overflow> {
    let mut levels: Vec<Level> = Vec::new();
    for level in sequence.levels() {
        let level = Level { count: judge.normal(&level.count)?, stride: judge.normal(&level.stride)? };
        if level.count.as_constant() == Some(1) {
            continue;
        }
        match levels.last_mut() {
            Some(inner) if judge.equal(&inner.stride.mul(&inner.count)?, &level.stride)? => {
                inner.count = judge.normal(&inner.count.mul(&level.count)?)?;
                judge.bench().note_rule(Rule::Adjacency, None, sequence.clone());
            }
            _ => levels.push(level),
        }
    }
    Ok(Hsm::from_parts(judge.normal(sequence.offset())?, levels))
}

/// A sequence with the same members, in rising order where it can be seen, each once where that can be.
pub(crate) fn canonical_set(judge: &Rc<Judge<'_>>, sequence: &Hsm) -> Result<Hsm, Overflow> {
    let counts: Vec<Polynomial> = sequence.levels().iter().map(|level| level.count.clone()).collect();
    let Some(inner) = judge.within(&counts)? else { return canonical_sequence(judge, sequence) };
    let mut offset = judge.normal(sequence.offset())?;
    let mut levels: Vec<Level> = Vec::new();
    for level in sequence.levels() {
        let (count, mut stride) = (judge.normal(&level.count)?, judge.normal(&level.stride)?);
        let repeats = stride.is_zero() && judge.nonnegative(&count.plus(-1)?);
        if repeats || count.as_constant() == Some(1) {
            continue;
        }
        if !inner.nonnegative(&stride) && inner.nonnegative(&stride.neg()?) {
            judge.bench().note_rule(Rule::Reverse, None, sequence.clone());
            offset = judge.normal(&offset.add(&stride.mul(&count.plus(-1)?)?)?)?;
            stride = stride.neg()?;
        }
        // Behind all that are not larger.
        let mut place = levels.len();
        while place > 0
            && !inner.at_most(&levels[place - 1].stride, &stride)?
            && inner.at_most(&stride, &levels[place - 1].stride)?
        {
            place -= 1;
        }
        if place < levels.len() {
            judge.bench().note_rule(Rule::Reordering, None, sequence.clone());
        }
        levels.insert(place, Level { count, stride });
    }
    while let Some((i, j, count)) = overlapping(judge, &levels)? {
        judge.bench().note_rule(Rule::Interleaving, None, Hsm::from_parts(offset.clone(), levels.clone()));
        levels[i].count = count;
        levels.remove(j);
    }
    Ok(Hsm::from_parts(offset, levels))
}

/// Two levels whose numbers are together those of one, with the stride of the first; and that one's count.
fn overlapping(judge: &Judge<'_>, levels: &[Level]) -> Result<Option<(usize, usize, Polynomial)>, Overflow> {
    for (i, low) in levels.iter().enumerate() {
        for (j, high) in levels.iter().enumerate() {
            if i == j {
                continue;
            }
            let Some(times) = high.stride.div_exact(&low.stride)? else { continue };
            // The next run begins right behind the one before, ...
            if times == low.count {
                return Ok(Some((i, j, judge.normal(&low.count.mul(&high.count)?)?)));
            }
            // ... or within it, which makes a run of all where there are any.
            let overlap = judge.nonnegative(&times) && judge.at_most(&times, &low.count)?;
            let present = judge.nonnegative(&low.count.plus(-1)?) && judge.nonnegative(&high.count.plus(-1)?);
            if overlap && present {
                let count = low.count.add(&times.mul(&high.count.plus(-1)?)?)?;
                return Ok(Some((i, j, judge.normal(&count)?)));
            }
        }
    }
    Ok(None)
}

/// Whether two are the same sequence.
pub(crate) fn same_sequence(judge: &Rc<Judge<'_>>, left: &Hsm, right: &Hsm) -> Result<Truth, Overflow> {
    let (a, b) = (canonical_sequence(judge, left)?, canonical_sequence(judge, right)?);
    if a == b || both_empty(judge, &a, &b)? {
        return Ok(Truth::Yes);
    }
    let present = judge.nonnegative(&a.count()?.plus(-1)?);
    let differ =
        differ(judge, &a.count()?, &b.count()?)? || (present && differ(judge, a.offset(), b.offset())?);
    Ok(if differ { Truth::No } else { Truth::Open })
}

/// Whether two have the same members.
pub(crate) fn same_set(judge: &Rc<Judge<'_>>, left: &Hsm, right: &Hsm) -> Result<Truth, Overflow> {
    let (a, b) = (canonical_set(judge, left)?, canonical_set(judge, right)?);
    if a == b || both_empty(judge, &a, &b)? {
        return Ok(Truth::Yes);
    }
    let present = |set: &Hsm| Ok::<_, Overflow>(judge.nonnegative(&set.count()?.plus(-1)?));
    if !(present(&a)? && present(&b)?) {
        return Ok(Truth::Open);
    }
    let (Some((a_low, a_high)), Some((b_low, b_high))) = (bounds(judge, &a)?, bounds(judge, &b)?) else {
        return Ok(Truth::Open);
    };
    let differ = differ(judge, &a_low, &b_low)? || differ(judge, &a_high, &b_high)?;
    Ok(if differ { Truth::No } else { Truth::Open })
}

fn both_empty(judge: &Judge<'_>, a: &Hsm, b: &Hsm) -> Result<bool, Overflow> {
    Ok(judge.nonnegative(&a.count()?.neg()?) && judge.nonnegative(&b.count()?.neg()?))
}

fn differ(judge: &Judge<'_>, a: &Polynomial, b: &Polynomial) -> Result<bool, Overflow> {
    Ok(judge.negative(&a.sub(b)?)? || judge.negative(&b.sub(a)?)?)
}

/// Least and greatest number of a sequence, where there is one, if the signs of the strides are known.
pub(crate) fn bounds(
    judge: &Rc<Judge<'_>>,
    sequence: &Hsm,
) -> Result<Option<(Polynomial, Polynomial)>, Overflow> {
    let cell = Cell::of(sequence);
    match judge.within(&cell.counts)? {
        Some(inner) => cell.bounds(&inner, cell.top()),
        None => Ok(None),
    }
}
