//! One conjunction of constraints, read out of isl.

use std::ffi::c_void;
use std::ptr::NonNull;

use crate::error::{Error, Result};
use crate::handle::Owned;
use crate::space::{index, integer};
use crate::sys;

/// A linear form: a constant, and a factor for each variable. The variables are parameters, coordinates, and integer divisions, in this
/// order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Form {
    pub(crate) constant: i64,
    pub(crate) factors: Vec<i64>,
}

impl Form {
    /// `self + other * factor`, unless a number becomes too large.
    pub(crate) fn plus(&self, other: &Self, factor: i64) -> Option<Self> {
        let sum = |a: i64, b: i64| b.checked_mul(factor).and_then(|b| a.checked_add(b));
        let factors =
            self.factors.iter().zip(&other.factors).map(|(&a, &b)| sum(a, b)).collect::<Option<_>>()?;
        Some(Self { constant: sum(self.constant, other.constant)?, factors })
    }

    /// How many variables have an influence.
    pub(crate) fn weight(&self) -> usize {
        self.factors.iter().filter(|&&factor| factor != 0).count()
    }
}

/// The form is zero, or at least zero.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) is_equation: bool,
    pub(crate) form: Form,
}

/// A variable that is `floor(form / denominator)`.
#[derive(Clone, Debug)]
pub(crate) struct Division {
    pub(crate) form: Form,
    pub(crate) denominator: i64,
}

/// Constraints that hold together.
#[derive(Clone, Debug)]
pub(crate) struct Conjunct {
    pub(crate) parameters: usize,
    pub(crate) coordinates: usize,
    /// What each further variable is; nothing where there just has to be an integer for it.
    pub(crate) divisions: Vec<Option<Division>>,
    /// All constraints but those that say what a division is.
    pub(crate) rows: Vec<Row>,
}

impl Conjunct {
    pub(crate) fn read(set: &Owned<sys::isl_basic_set>) -> Result<Self> {
        let context = set.context();
        // SAFETY: kept.
        let count = |kind| context.number(|| unsafe { sys::isl_basic_set_dim(set.keep(), kind) });
        let counts = [
            (sys::PARAMETER, count(sys::PARAMETER)?),
            (sys::SET, count(sys::SET)?),
            (sys::DIV, count(sys::DIV)?),
        ];
        let [(_, parameters), (_, coordinates), (_, divisions)] = counts;
        let divisions = read_divisions(set, divisions, &counts)?;
        let mut rows = Vec::new();
        for constraint in constraints(set)? {
            // SAFETY: kept.
            let defines =
                context.truth(|| unsafe { sys::isl_constraint_is_div_constraint(constraint.keep()) })?;
            // SAFETY: kept.
            let is_equation =
                context.truth(|| unsafe { sys::isl_constraint_is_equality(constraint.keep()) })?;
            // SAFETY: kept; given.
            let constant =
                unsafe { context.give(|| sys::isl_constraint_get_constant_val(constraint.keep())) }?;
            let mut factors = Vec::new();
            for (kind, count) in counts {
                for at in 0..count {
                    let at = index(at)?;
                    // SAFETY: kept; given. There is such a variable.
                    let factor = unsafe {
                        context.give(|| sys::isl_constraint_get_coefficient_val(constraint.keep(), kind, at))
                    }?;
                    factors.push(integer(&factor)?);
                }
            }
            let own = &factors[parameters + coordinates..];
            let is_known =
                own.iter().zip(&divisions).all(|(&factor, division)| factor == 0 || division.is_some());
            if !defines || !is_known {
                rows.push(Row { is_equation, form: Form { constant: integer(&constant)?, factors } });
            }
        }
        let mut conjunct = Self { parameters, coordinates, divisions, rows };
        (0..conjunct.divisions.len()).for_each(|at| conjunct.forget_if_implied(at));
        Ok(conjunct)
    }

    /// Makes a known division one that just has to be there, where its only equation says what it is: `2e = r` says all of
    /// `e = floor(r / 2)`.
    fn forget_if_implied(&mut self, at: usize) {
        let column = self.parameters + self.coordinates + at;
        let Some(Division { form, denominator }) = &self.divisions[at] else { return };
        let mut rows = self.rows.iter().filter(|row| row.form.factors[column] != 0);
        let (Some(row), None) = (rows.next(), rows.next()) else { return };
        let factor = row.form.factors[column];
        let is_elsewhere = self.divisions.iter().flatten().any(|division| division.form.factors[column] != 0);
        if is_elsewhere || !row.is_equation || factor.checked_abs() != Some(*denominator) {
            return;
        }
        // factor * e + rest = 0, so e is the quotient of rest or of -rest, exactly; up to the denominator nothing changes.
        let mut rest = row.form.clone();
        rest.factors[column] = 0;
        let more = form.plus(&rest, factor.signum());
        if more.is_some_and(|more| more.weight() == 0 && (0..*denominator).contains(&more.constant)) {
            self.divisions[at] = None;
        }
    }

    /// The conjunctions that a set of one tuple is the union of.
    pub(crate) fn all(set: &Owned<sys::isl_set>) -> Result<Vec<Owned<sys::isl_basic_set>>> {
        let context = set.context();
        // SAFETY: kept; given.
        let list = unsafe { context.give(|| sys::isl_set_get_basic_set_list(set.keep())) }?;
        // SAFETY: kept.
        let count = context.number(|| unsafe { sys::isl_basic_set_list_n_basic_set(list.keep()) })?;
        let get = |at| {
            let at = index(at)?;
            // SAFETY: the list is kept and has such an element, which is given.
            unsafe { context.give(|| sys::isl_basic_set_list_get_basic_set(list.keep(), at)) }
        };
        (0..count).map(get).collect()
    }
}

/// All constraints, also those of divisions.
fn constraints(set: &Owned<sys::isl_basic_set>) -> Result<Vec<Owned<sys::isl_constraint>>> {
    let context = set.context();
    let mut found: Vec<NonNull<sys::isl_constraint>> = Vec::new();
    let user = NonNull::from(&mut found).cast::<c_void>();
    // SAFETY: the set is kept. isl calls `collect` with constraints that it gives, and with the pointer, during this call only.
    let outcome = context
        .number(|| unsafe { sys::isl_basic_set_foreach_constraint(set.keep(), collect, user.as_ptr()) });
    // SAFETY: each constraint was given to `collect`, which has kept it for us, and belongs to this context.
    let found = found.into_iter().map(|constraint| unsafe { Owned::new(constraint, context) }).collect();
    outcome.map(|_| found)
}

/// Keeps a constraint.
unsafe extern "C" fn collect(constraint: *mut sys::isl_constraint, user: *mut c_void) -> sys::isl_stat {
    // SAFETY: `user` is the list of the call that is under way, which nothing else looks at meanwhile.
    let found = unsafe { &mut *user.cast::<Vec<NonNull<sys::isl_constraint>>>() };
    let Some(constraint) = NonNull::new(constraint) else { return -1 };
    found.push(constraint);
    0
}

/// What the divisions are, where isl knows that.
fn read_divisions(
    set: &Owned<sys::isl_basic_set>,
    count: usize,
    counts: &[(sys::isl_dim_type, usize)],
) -> Result<Vec<Option<Division>>> {
    if count == 0 {
        return Ok(Vec::new());
    }
    let context = set.context();
    // SAFETY: kept; given.
    let space = unsafe { context.give(|| sys::isl_basic_set_get_local_space(set.keep())) }?;
    let get = |at| {
        let at = index(at)?;
        // SAFETY: kept; given. There is such a division.
        unsafe { context.give_if_there(|| sys::isl_local_space_get_div(space.keep(), at)) }
    };
    let quotients: Vec<Option<Owned<sys::isl_aff>>> = (0..count).map(get).collect::<Result<_>>()?;
    // A quotient is told in terms of the known divisions alone.
    let known: Vec<usize> = (0..count).filter(|&at| quotients[at].is_some()).collect();
    let read = |quotient: &Option<_>| {
        quotient.as_ref().map(|quotient| division(quotient, counts, &known)).transpose()
    };
    quotients.iter().map(read).collect()
}

fn division(
    quotient: &Owned<sys::isl_aff>,
    counts: &[(sys::isl_dim_type, usize)],
    known: &[usize],
) -> Result<Division> {
    let context = quotient.context();
    // SAFETY: kept; given. Twice.
    let (denominator, constant) = unsafe {
        let denominator = context.give(|| sys::isl_aff_get_denominator_val(quotient.keep()))?;
        (denominator, context.give(|| sys::isl_aff_get_constant_val(quotient.keep()))?)
    };
    // isl says rational factors: those of the form, divided by the denominator.
    let whole = |factor: Owned<sys::isl_val>| {
        // SAFETY: taken, taken; given.
        integer(&unsafe { context.give(|| sys::isl_val_mul(factor.give_away(), denominator.take())) }?)
    };
    let mut form = Form { constant: whole(constant)?, factors: Vec::new() };
    for &(kind, count) in counts {
        let first = form.factors.len();
        form.factors.resize(first + count, 0);
        // The coordinates are what the quotient is a function of.
        let kind = if kind == sys::SET { sys::IN } else { kind };
        // SAFETY: kept.
        let there = context.number(|| unsafe { sys::isl_aff_dim(quotient.keep(), kind) })?;
        let places = if kind == sys::DIV { known.to_vec() } else { (0..count).collect() };
        if there != places.len() {
            return Err(Error::Refused("a division depends on one that is not known".to_owned()));
        }
        for (at, place) in places.into_iter().enumerate() {
            let column = index(at)?;
            // SAFETY: kept; given. There is such a variable.
            let factor =
                unsafe { context.give(|| sys::isl_aff_get_coefficient_val(quotient.keep(), kind, column)) }?;
            form.factors[first + place] = whole(factor)?;
        }
    }
    Ok(Division { form, denominator: integer(&denominator)? })
}
