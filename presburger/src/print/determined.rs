//! Coordinates that are functions of what comes before them, so that a function is printed as one.

use crate::conjunct::{Conjunct, Division, Form, Row};

/// Finds for each coordinate whether constraints determine it by parameters and coordinates before it: an equation, two bounds that leave
/// one quotient, or a remainder. These constraints are taken out, and the coordinate is replaced everywhere else.
///
/// Nothing where a number becomes too large.
pub(crate) fn determined(conjunct: &mut Conjunct) -> Option<Vec<Option<Form>>> {
    let mut determined: Vec<Option<Form>> = vec![None; conjunct.coordinates];
    for at in (0..conjunct.coordinates).rev() {
        let column = conjunct.parameters + at;
        let definition = match equation(conjunct, column) {
            Some(equation) => Some(equation),
            None => {
                let new = match quotient(conjunct, column)? {
                    Some(new) => Some(new),
                    None => remainder(conjunct, column)?,
                };
                new.map(|new| new.put_into(conjunct, &mut determined))
            }
        };
        let Some(equation) = definition else { continue };
        for form in forms(conjunct, &mut determined) {
            *form = without(form, column, &equation)?;
        }
        // factor * x + rest = 0, so x = -factor * rest.
        let sign = equation.factors[column].checked_neg()?;
        let mut rest = equation;
        rest.factors[column] = 0;
        let zero = Form { constant: 0, factors: vec![0; rest.factors.len()] };
        determined[at] = Some(zero.plus(&rest, sign)?);
    }
    Some(determined)
}

/// All forms there are.
fn forms<'a>(conjunct: &'a mut Conjunct, more: &'a mut [Option<Form>]) -> impl Iterator<Item = &'a mut Form> {
    let rows = conjunct.rows.iter_mut().map(|row| &mut row.form);
    let divisions = conjunct.divisions.iter_mut().flatten().map(|division| &mut division.form);
    rows.chain(divisions).chain(more.iter_mut().flatten())
}

/// The form with a variable replaced by what an equation, in which its factor is one or minus one, says.
fn without(form: &Form, column: usize, equation: &Form) -> Option<Form> {
    let factor = form.factors[column].checked_mul(equation.factors[column])?.checked_neg()?;
    form.plus(equation, factor)
}

/// An equation with the coordinate once.
fn equation(conjunct: &mut Conjunct, column: usize) -> Option<Form> {
    let is_definition = |row: &Row| {
        row.is_equation && row.form.factors[column].abs() == 1 && is_told_before(conjunct, &row.form, column)
    };
    let position = conjunct.rows.iter().position(is_definition)?;
    Some(conjunct.rows.remove(position).form)
}

/// A coordinate that a quotient determines which is no variable yet: `form + factor * quotient = 0`.
struct New {
    form: Form,
    factor: i64,
    quotient: Division,
}

impl New {
    /// Makes the quotient a variable; the result is the equation.
    fn put_into(self, conjunct: &mut Conjunct, determined: &mut [Option<Form>]) -> Form {
        let Self { form: mut equation, factor, mut quotient } = self;
        forms(conjunct, determined).for_each(|form| form.factors.push(0));
        quotient.form.factors.push(0);
        conjunct.divisions.push(Some(quotient));
        equation.factors.push(factor);
        equation
    }
}

/// Two bounds that leave one value, `f - d + 1 <= d * x <= f`: x is floor(f / d).
fn quotient(conjunct: &mut Conjunct, column: usize) -> Option<Option<New>> {
    for (above, upper) in conjunct.rows.iter().enumerate() {
        let denominator = upper.form.factors[column].checked_neg()?;
        if upper.is_equation || denominator < 2 || !is_told_before(conjunct, &upper.form, column) {
            continue;
        }
        let leaves_one = |row: &Row| {
            let sum = upper.form.plus(&row.form, 1);
            !row.is_equation && sum.is_some_and(|sum| sum.weight() == 0 && sum.constant == denominator - 1)
        };
        let Some(below) = conjunct.rows.iter().position(leaves_one) else { continue };
        let mut form = upper.form.clone();
        form.factors[column] = 0;
        let quotient = Division { form, denominator };
        let form = alone(conjunct, column);
        remove(conjunct, &[above, below]);
        return Some(Some(New { form, factor: -1, quotient }));
    }
    Some(None)
}

/// `x - f` can be divided by d, and `0 <= x <= d - 1`: x is f mod d, which is `f - d * floor(f / d)`.
fn remainder(conjunct: &mut Conjunct, column: usize) -> Option<Option<New>> {
    let x = alone(conjunct, column);
    let first_division = conjunct.parameters + conjunct.coordinates;
    for (at, row) in conjunct.rows.iter().enumerate() {
        let factors = &row.form.factors;
        let unknown =
            |place: &usize| factors[*place] != 0 && conjunct.divisions[place - first_division].is_none();
        let mut integers = (first_division..factors.len()).filter(unknown);
        let (Some(integer), None) = (integers.next(), integers.next()) else { continue };
        let sign = factors[column];
        let is_elsewhere = conjunct.rows.iter().filter(|row| row.form.factors[integer] != 0).count() != 1;
        if !row.is_equation || sign.abs() != 1 || is_elsewhere {
            continue;
        }
        let denominator = factors[integer].checked_abs()?;
        // sign * x + g + d * integer = 0, so x is -sign * g but for a multiple of d.
        let mut rest = row.form.clone();
        rest.factors[column] = 0;
        rest.factors[integer] = 0;
        let zero = Form { constant: 0, factors: vec![0; rest.factors.len()] };
        let form = zero.plus(&rest, sign.checked_neg()?)?;
        let highest = Form { constant: denominator - 1, ..zero }.plus(&x, -1)?;
        let bound =
            |bound: &Form| conjunct.rows.iter().position(|row| !row.is_equation && row.form == *bound);
        let (Some(below), Some(above)) = (bound(&x), bound(&highest)) else { continue };
        if !is_told_before(conjunct, &form, column) {
            continue;
        }
        let equation = x.plus(&form, -1)?;
        remove(conjunct, &[at, below, above]);
        return Some(Some(New {
            form: equation,
            factor: denominator,
            quotient: Division { form, denominator },
        }));
    }
    Some(None)
}

/// The form that is this variable.
fn alone(conjunct: &Conjunct, column: usize) -> Form {
    let mut factors = vec![0; conjunct.parameters + conjunct.coordinates + conjunct.divisions.len()];
    factors[column] = 1;
    Form { constant: 0, factors }
}

fn remove(conjunct: &mut Conjunct, rows: &[usize]) {
    let mut at = 0;
    conjunct.rows.retain(|_| {
        at += 1;
        !rows.contains(&(at - 1))
    });
}

/// Whether a form has only parameters, coordinates up to this one, and known quotients of what is before it.
fn is_told_before(conjunct: &Conjunct, form: &Form, column: usize) -> bool {
    let is_before = |place: usize| place <= column || is_quotient_before(conjunct, place, column);
    form.factors.iter().enumerate().all(|(place, factor)| *factor == 0 || is_before(place))
}

/// Whether a variable is a known quotient of what is before a coordinate.
fn is_quotient_before(conjunct: &Conjunct, place: usize, column: usize) -> bool {
    let division =
        place.checked_sub(conjunct.parameters + conjunct.coordinates).map(|at| &conjunct.divisions[at]);
    let Some(Some(Division { form, .. })) = division else { return false };
    let is_before = |place: usize| place < column || is_quotient_before(conjunct, place, column);
    form.factors.iter().enumerate().all(|(place, factor)| *factor == 0 || is_before(place))
}
