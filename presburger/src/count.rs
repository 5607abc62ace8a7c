//! The number of points in closed form, of sets that are boxes.

use crate::conjunct::{Conjunct, Form, Row};
use crate::context::Context;
use crate::error::Result;
use crate::formula::{Affine, Factor, Formula, QuasiAffine};
use crate::handle::Owned;
use crate::relation::Relation;
use crate::set::Set;
use crate::space::position;
use crate::sys;

impl Set {
    /// How many points there are, as a formula over the parameters.
    ///
    /// It is found where the set is a union of boxes that may be shifted and have strides: each coordinate has one lower and one upper
    /// bound over the parameters, or is determined by the others. Nothing where it is not, as for a triangle, and where there is no end
    /// of points.
    ///
    /// # Errors
    ///
    /// As for any operation.
    pub fn count(&self) -> Result<Option<Formula>> {
        let anything = Self::parse(self.context(), "{ : }")?;
        self.count_where(&anything)
    }

    /// The same for the values of the parameters that `known` has points for, which the formula may then rely on: `np - 1` instead of
    /// `max(0, np - 1)`.
    ///
    /// # Errors
    ///
    /// As for any operation.
    pub fn count_where(&self, known: &Self) -> Result<Option<Formula>> {
        let known = known.parameter_domain()?;
        let within = self.intersect_parameters(&known)?.gist_parameters(&known)?;
        let mut formula = Formula::default();
        for (_, set) in within.shaped()? {
            let context = set.context().clone();
            // SAFETY: taken; given. Twice.
            let set = unsafe {
                let disjoint = context.give(|| sys::isl_set_make_disjoint(set.give_away()))?;
                context.give(|| sys::isl_set_coalesce(disjoint.give_away()))?
            };
            for conjunct in Conjunct::all(&set)? {
                let Some(product) = product(conjunct)? else { return Ok(None) };
                let Some(factors) = product else { continue };
                let factors = simplified(&context, factors, &known)?;
                if formula.add(factors).is_none() {
                    return Ok(None);
                }
            }
        }
        Ok(Some(formula))
    }
}

impl Relation {
    /// How many pairs there are, as [`Set::count`] has it.
    ///
    /// # Errors
    ///
    /// As for any operation.
    pub fn count(&self) -> Result<Option<Formula>> {
        self.wrap()?.count()
    }

    /// How many pairs there are, as [`Set::count_where`] has it.
    ///
    /// # Errors
    ///
    /// As for any operation.
    pub fn count_where(&self, known: &Set) -> Result<Option<Formula>> {
        self.wrap()?.count_where(known)
    }
}

/// The number of points of a conjunction as a product: nothing at all where it is no box, no product where it has no points.
fn product(mut set: Owned<sys::isl_basic_set>) -> Result<Option<Option<Vec<Factor>>>> {
    let context = set.context().clone();
    loop {
        // SAFETY: taken; given. Twice.
        set = unsafe {
            let explicit = context.give(|| sys::isl_basic_set_detect_equalities(set.give_away()))?;
            context.give(|| sys::isl_basic_set_remove_redundancies(explicit.give_away()))?
        };
        // SAFETY: kept.
        if context.truth(|| unsafe { sys::isl_basic_set_is_empty(set.keep()) })? {
            return Ok(Some(None));
        }
        let conjunct = Conjunct::read(&set)?;
        let Some(at) = determined(&conjunct) else {
            // SAFETY: kept; given.
            let parameters =
                unsafe { context.give(|| sys::isl_basic_set_get_space(set.keep())) }?.parameters()?;
            return Ok(factors(&conjunct, &parameters).map(Some));
        };
        // Each point of the others has one value there.
        let at = position(at)?;
        // SAFETY: taken; given. There is such a coordinate.
        set = unsafe { context.give(|| sys::isl_basic_set_project_out(set.give_away(), sys::SET, at, 1)) }?;
    }
}

/// A coordinate that an equation determines by everything else.
fn determined(conjunct: &Conjunct) -> Option<usize> {
    let first_division = conjunct.parameters + conjunct.coordinates;
    let determines =
        |row: &&Row| row.is_equation && row.form.factors[first_division..].iter().all(|factor| *factor == 0);
    let of = |row: &Row| {
        row.form.factors[conjunct.parameters..first_division].iter().rposition(|factor| *factor != 0)
    };
    conjunct.rows.iter().filter(determines).find_map(of)
}

/// What is known of one coordinate.
#[derive(Default)]
struct Axis {
    /// `factor * x + form` is not negative.
    lower: Vec<(i64, QuasiAffine)>,
    /// `form - factor * x` is not negative.
    upper: Vec<(i64, QuasiAffine)>,
    /// `x - form` can be divided by the number.
    stride: Vec<(i64, QuasiAffine)>,
}

/// The factors of a product of lengths, and its conditions.
fn factors(conjunct: &Conjunct, parameters: &[String]) -> Option<Vec<Factor>> {
    let first_division = conjunct.parameters + conjunct.coordinates;
    let mut axes: Vec<Axis> = (0..conjunct.coordinates).map(|_| Axis::default()).collect();
    let mut factors = Vec::new();
    for Row { is_equation, form } in &conjunct.rows {
        let unknown: Vec<usize> = (0..conjunct.divisions.len())
            .filter(|&at| form.factors[first_division + at] != 0 && conjunct.divisions[at].is_none())
            .collect();
        let mut coordinates =
            (0..conjunct.coordinates).filter(|&at| form.factors[conjunct.parameters + at] != 0);
        let (coordinate, other) = (coordinates.next(), coordinates.next());
        if other.is_some() {
            return None;
        }
        let rest = expression(conjunct, form, parameters)?;
        let zero = QuasiAffine::default();
        match (unknown.as_slice(), coordinate) {
            ([], None) => {
                if *is_equation {
                    factors.push(Factor::Where(zero.plus(&rest, -1)?));
                }
                factors.push(Factor::Where(rest));
            }
            ([], Some(at)) => {
                let factor = form.factors[conjunct.parameters + at];
                match (*is_equation, 0 < factor) {
                    (true, _) => return None,
                    (false, true) => axes[at].lower.push((factor, rest)),
                    (false, false) => axes[at].upper.push((factor.checked_neg()?, rest)),
                }
            }
            ([division], coordinate) if *is_equation && is_only_here(conjunct, *division) => {
                let modulus = form.factors[first_division + division].checked_abs()?;
                match coordinate {
                    // f can be divided: floor(f / m) + floor(-f / m) is zero, and not minus one.
                    None => {
                        let affine = plain(&rest)?;
                        let up = QuasiAffine::quotient(&Affine::default().plus(affine, -1)?, modulus);
                        factors.push(Factor::Where(QuasiAffine::quotient(affine, modulus).plus(&up, 1)?));
                    }
                    // x + f can be divided, or -x + f.
                    Some(at) => {
                        let factor = form.factors[conjunct.parameters + at];
                        if factor.checked_abs()? != 1 {
                            return None;
                        }
                        axes[at].stride.push((modulus, zero.plus(&rest, factor.checked_neg()?)?));
                    }
                }
            }
            _ => return None,
        }
    }
    for axis in &axes {
        factors.push(Factor::LengthOrZero(length(axis)?));
    }
    Some(factors)
}

/// How many values a coordinate has: exactly one bound on each side, and at most one stride.
fn length(axis: &Axis) -> Option<QuasiAffine> {
    let ([(below, lower)], [(above, upper)]) = (axis.lower.as_slice(), axis.upper.as_slice()) else {
        return None;
    };
    let one = QuasiAffine { affine: Affine::constant(1), quotients: Vec::new() };
    let divided = |form: &QuasiAffine, by: i64| {
        if by == 1 { Some(form.clone()) } else { Some(QuasiAffine::quotient(plain(form)?, by)) }
    };
    match axis.stride.as_slice() {
        [] => divided(upper, *above)?.plus(&divided(lower, *below)?, 1)?.plus(&one, 1),
        // x = start + modulus * y, and the bounds are those of y.
        [(modulus, start)] if *below == 1 && *above == 1 => {
            let upper = divided(&upper.plus(start, -1)?, *modulus)?;
            upper.plus(&divided(&lower.plus(start, 1)?, *modulus)?, 1)?.plus(&one, 1)
        }
        _ => None,
    }
}

/// The part of a form without coordinates and without integers that just have to be there, over the parameters.
fn expression(conjunct: &Conjunct, form: &Form, parameters: &[String]) -> Option<QuasiAffine> {
    let first_division = conjunct.parameters + conjunct.coordinates;
    let affine = |form: &Form| {
        let terms =
            parameters.iter().cloned().zip(form.factors.iter().copied()).filter(|(_, factor)| *factor != 0);
        Affine { terms: terms.collect(), constant: form.constant }
    };
    let mut sum = QuasiAffine { affine: affine(form), quotients: Vec::new() };
    for (at, division) in conjunct.divisions.iter().enumerate() {
        let factor = form.factors[first_division + at];
        let Some(division) = division.as_ref().filter(|_| factor != 0) else { continue };
        if division.form.factors[conjunct.parameters..].iter().any(|factor| *factor != 0) {
            return None;
        }
        sum = sum.plus(&QuasiAffine::quotient(&affine(&division.form), division.denominator), factor)?;
    }
    Some(sum)
}

/// The affine expression that it is, if it has no quotients.
fn plain(form: &QuasiAffine) -> Option<&Affine> {
    form.quotients.is_empty().then_some(&form.affine)
}

/// Whether one row alone has this integer.
fn is_only_here(conjunct: &Conjunct, division: usize) -> bool {
    let column = conjunct.parameters + conjunct.coordinates + division;
    let rows = conjunct.rows.iter().filter(|row| row.form.factors[column] != 0).count();
    rows == 1 && conjunct.divisions.iter().flatten().all(|division| division.form.factors[column] == 0)
}

/// Leaves out conditions that hold anyway, and says of lengths that they are not negative where they cannot be.
fn simplified(context: &Context, factors: Vec<Factor>, known: &Set) -> Result<Vec<Factor>> {
    let mut known = known.clone();
    let mut result = Vec::new();
    for factor in factors {
        match factor {
            Factor::Where(condition) => {
                if !known.intersect_parameters(&negative(context, &condition)?)?.is_empty()? {
                    let outside = negative(context, &condition)?;
                    known = known.subtract(&outside)?;
                    result.push(Factor::Where(condition));
                }
            }
            Factor::LengthOrZero(length) | Factor::Length(length) => {
                if length.as_number() == Some(1) {
                    continue;
                }
                let is_never = known.intersect_parameters(&negative(context, &length)?)?.is_empty()?;
                result.push(if is_never { Factor::Length(length) } else { Factor::LengthOrZero(length) });
            }
        }
    }
    Ok(result)
}

/// Where an expression is negative.
fn negative(context: &Context, expression: &QuasiAffine) -> Result<Set> {
    Set::parse(context, &format!("[{}] -> {{ : {expression} < 0 }}", expression.parameters().join(", ")))
}
