//! Parts of cells in which a condition holds.

use std::rc::Rc;

use crate::cell::{Affine, Cell};
use crate::digit_box::DigitBox;
use crate::divide::divide;
use crate::expr::Relation;
use crate::judge::Judge;
use crate::obstacle::{Obstacle, Stop};
use crate::polynomial::Polynomial;
use crate::proof::Rule;

/// Bound on nested divisions of a condition.
const MAX_DEPTH: u32 = 12;

/// Disjoint cells that together are those given: where a condition holds, and where not.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    pub(crate) inside: Vec<Cell>,
    pub(crate) outside: Vec<Cell>,
}

/// Divides a cell by the sign of its topmost value `v`, which is taken off: inside is `0 <= v`.
pub(crate) fn by_sign(judge: &Rc<Judge<'_>>, cell: Cell) -> Result<Parts, Stop> {
    let (size, mut parts) = (cell.values.len() - 1, Parts::default());
    divide_by_sign(judge, cell, size, 0, &mut parts)?;
    Ok(parts)
}

fn divide_by_sign(
    judge: &Rc<Judge<'_>>,
    mut cell: Cell,
    size: usize,
    depth: u32,
    parts: &mut Parts,
) -> Result<(), Stop> {
    if depth > MAX_DEPTH {
        return Err(Obstacle::TooManyPieces.into());
    }
    judge.bench().check_effort()?;
    let Some(inner) = judge.within(&cell.counts)? else { return Ok(()) };
    cell.normalise(&inner)?;
    let done = |mut cell: Cell, into: &mut Vec<Cell>| {
        cell.values.truncate(size);
        into.push(cell);
    };
    if let Some((least, greatest)) = cell.bounds(&inner, cell.top())? {
        if inner.nonnegative(&least) {
            done(cell, &mut parts.inside);
            return Ok(());
        }
        if inner.negative(&greatest)? {
            done(cell, &mut parts.outside);
            return Ok(());
        }
    }
    if let Some(value) = cell.top().as_uniform() {
        let inside = inner.decide(value)?;
        done(cell, if inside { &mut parts.inside } else { &mut parts.outside });
        return Ok(());
    }
    cell.make_rising(&inner)?;
    let value = cell.top().clone();
    let active = value.active();
    let pivot = cell.steepest(&inner, &value)?;
    let stride = value.strides[pivot].clone();
    if stride.as_constant() != Some(1) {
        // Rounding down keeps the sign.
        if !inner.decide(&stride.plus(-1)?)? {
            return Err(Obstacle::NoDigits(value.offset).into());
        }
        for mut part in divide(judge, cell, &stride)? {
            part.pop();
            divide_by_sign(judge, part, size, depth + 1, parts)?;
        }
        return Ok(());
    }
    if active.len() > 1 {
        return Err(Obstacle::NoDigits(value.offset).into());
    }
    let begin = value.offset.neg()?;
    let counts = [begin.clone(), cell.counts[pivot].sub(&begin)?];
    for count in &counts {
        if !inner.decide(count)? {
            // What the bounds would have shown, had they been known.
            return Err(Obstacle::NoDigits(value.offset).into());
        }
    }
    judge.bench().note_rule(Rule::Cut, None, cell.sequence(0));
    let into = [&mut parts.outside, &mut parts.inside];
    for (part, into) in cell.cut(judge, pivot, &counts)?.into_iter().zip(into) {
        done(part, into);
    }
    Ok(())
}

/// Divides cells by whether their topmost value, which is taken off, is to zero in this relation.
pub(crate) fn by_relation(judge: &Rc<Judge<'_>>, mut cell: Cell, relation: Relation) -> Result<Parts, Stop> {
    let value = cell.pop();
    let signed = |value: Affine| -> Result<Parts, Stop> {
        let mut cell = cell.clone();
        cell.push(value);
        by_sign(judge, cell)
    };
    let swapped = |Parts { inside, outside }: Parts| Parts { inside: outside, outside: inside };
    match relation {
        Relation::Less => Ok(swapped(signed(value)?)),
        Relation::LessEqual => signed(value.neg()?),
        Relation::Equal | Relation::NotEqual => {
            let equal = by_zero(judge, cell, value)?;
            Ok(if relation == Relation::Equal { equal } else { swapped(equal) })
        }
    }
}

/// Inside, `value`, which is not on the cell, is zero.
fn by_zero(judge: &Rc<Judge<'_>>, mut cell: Cell, value: Affine) -> Result<Parts, Stop> {
    let value = value.map(|p| judge.normal(p))?;
    if let Some(value) = value.as_uniform() {
        if value.is_zero() {
            return Ok(Parts { inside: vec![cell], outside: Vec::new() });
        }
        if value.as_constant().is_some() {
            return Ok(Parts { inside: Vec::new(), outside: vec![cell] });
        }
    }
    // Carried along below the sign that is looked at.
    cell.push(value.clone());
    cell.push(value);
    let mut parts = Parts::default();
    let first = by_sign(judge, cell)?;
    parts.outside.extend(first.outside.into_iter().map(|mut cell| {
        cell.pop();
        cell
    }));
    for mut cell in first.inside {
        let value = cell.pop().neg()?;
        cell.push(value);
        let second = by_sign(judge, cell)?;
        parts.inside.extend(second.inside);
        parts.outside.extend(second.outside);
    }
    Ok(parts)
}

/// Divides a cell by whether its topmost value, which is taken off, is a member of a box.
pub(crate) fn by_membership(judge: &Rc<Judge<'_>>, mut cell: Cell, ranks: &DigitBox) -> Result<Parts, Stop> {
    let mut parts = Parts::default();
    let mut value = cell.pop();
    value.offset = value.offset.sub(ranks.base())?;
    cell.push(value);
    let mut open = vec![cell];
    for digit in ranks.digits().iter().rev() {
        // The lower digits add up to less than this one's weight, so its quotient is the digit.
        let mut next = Vec::new();
        for cell in open {
            let cells = if digit.weight.as_constant() == Some(1) {
                let mut cell = cell;
                cell.push(Affine::constant(Polynomial::zero(), cell.counts.len()));
                vec![cell]
            } else {
                divide(judge, cell, &digit.weight)?
            };
            for mut cell in cells {
                let (rest, quotient) = (cell.pop(), cell.pop());
                cell.push(rest);
                cell.push(quotient);
                within_count(judge, cell, &digit.count, &mut next, &mut parts.outside)?;
            }
        }
        open = next;
    }
    for cell in open {
        let last = by_relation(judge, cell, Relation::Equal)?;
        parts.inside.extend(last.inside);
        parts.outside.extend(last.outside);
    }
    Ok(parts)
}

/// Keeps the cells where the topmost value, which is taken off, is in `0..count`; of the others the next value is taken
/// off too.
fn within_count(
    judge: &Rc<Judge<'_>>,
    cell: Cell,
    count: &Polynomial,
    inside: &mut Vec<Cell>,
    outside: &mut Vec<Cell>,
) -> Result<(), Stop> {
    let drop_rest = |mut cell: Cell| {
        cell.pop();
        cell
    };
    let mut cell = cell;
    let value = cell.top().clone();
    cell.push(value);
    let above = by_sign(judge, cell)?;
    outside.extend(above.outside.into_iter().map(drop_rest).map(drop_rest));
    for mut cell in above.inside {
        let mut room = cell.pop().neg()?;
        room.offset = room.offset.add(count)?.plus(-1)?;
        cell.push(room);
        let parts = by_sign(judge, cell)?;
        inside.extend(parts.inside);
        outside.extend(parts.outside.into_iter().map(drop_rest));
    }
    Ok(())
}
