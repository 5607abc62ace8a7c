//! The values of a term on cells.

use std::rc::Rc;

use crate::cell::{Affine, Cell};
use crate::divide::divide;
use crate::expr::{Operator, Step, Symbol, Term};
use crate::judge::Judge;
use crate::obstacle::{Obstacle, Stop};
use crate::polynomial::Polynomial;

/// A cell may fall into at most this many.
pub(crate) const MAX_PIECES: usize = 64;

/// Pushes the value of a term on the cells into which it divides `cell`. In the term, `rank` stands for the value at index
/// `place`; all other symbols are uniform.
pub(crate) fn evaluate(
    judge: &Rc<Judge<'_>>,
    cell: Cell,
    term: &Term,
    rank: &Symbol,
    place: usize,
) -> Result<Vec<Cell>, Stop> {
    let mut cells = vec![cell];
    for (at, step) in term.steps().iter().enumerate() {
        let mut next = Vec::with_capacity(cells.len());
        for mut cell in cells {
            match step {
                Step::Constant(value) => {
                    cell.push(Affine::constant(Polynomial::constant(*value), cell.counts.len()))
                }
                Step::Symbol(symbol) if symbol == rank => cell.push(cell.values[place].clone()),
                Step::Symbol(symbol) => {
                    let value = judge.normal(&symbol.clone().into())?;
                    cell.push(Affine::constant(value, cell.counts.len()));
                }
                Step::Apply(operator) => {
                    let right = cell.pop();
                    let left = cell.pop();
                    if !matches!(operator, Operator::Add | Operator::Subtract)
                        && right.as_uniform().is_none()
                        && (*operator != Operator::Multiply || left.as_uniform().is_none())
                    {
                        return Err(Obstacle::NotLinear(term.subterm(at)).into());
                    }
                    next.extend(apply(judge, cell, *operator, &left, &right)?);
                    continue;
                }
            }
            next.push(cell);
        }
        if next.len() > MAX_PIECES {
            return Err(Obstacle::TooManyPieces.into());
        }
        cells = next;
    }
    Ok(cells)
}

/// `left operator right`, one of which is uniform where they are not added.
fn apply(
    judge: &Rc<Judge<'_>>,
    mut cell: Cell,
    operator: Operator,
    left: &Affine,
    right: &Affine,
) -> Result<Vec<Cell>, Stop> {
    cell.push(match operator {
        Operator::Add => left.add(right)?,
        Operator::Subtract => left.sub(right)?,
        Operator::Multiply => {
            let (varying, factor) = if right.as_uniform().is_some() { (left, right) } else { (right, left) };
            varying.map(|p| judge.normal(&p.mul(&factor.offset)?))?
        }
        Operator::FloorDivide | Operator::Modulo => {
            return divided(judge, cell, operator, left, &right.offset);
        }
    });
    Ok(vec![cell])
}

fn divided(
    judge: &Rc<Judge<'_>>,
    mut cell: Cell,
    operator: Operator,
    value: &Affine,
    divisor: &Polynomial,
) -> Result<Vec<Cell>, Stop> {
    let positive = judge.decide(&divisor.plus(-1)?)?;
    if !positive && !judge.decide(&divisor.neg()?.plus(-1)?)? {
        return Err(Obstacle::Indivisible(value.offset.clone(), divisor.clone()).into());
    }
    // a / d == (-a) / (-d), and a % d == -((-a) % (-d)).
    cell.push(if positive { value.clone() } else { value.neg()? });
    let size = if positive { divisor.clone() } else { divisor.neg()? };
    let mut cells = divide(judge, cell, &size)?;
    for cell in &mut cells {
        let (remainder, quotient) = (cell.pop(), cell.pop());
        cell.push(match operator {
            Operator::FloorDivide => quotient,
            _ if positive => remainder,
            _ => remainder.neg()?,
        });
    }
    Ok(cells)
}
