//! Sets and relations made of constraints, without a text between.

use crate::context::Context;
use crate::error::{Error, Result};
use crate::handle::Owned;
use crate::relation::Relation;
use crate::set::Set;
use crate::space::{index, position, value};
use crate::{sys, text};

/// A linear constraint: a sum is zero, or it is not negative.
///
/// The factors are those of the parameters, the coordinates (first of the domain, then of the range), and of integers that there just have
/// to be, in this order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Constraint {
    /// Whether the sum is zero; otherwise it is at least zero.
    pub is_equation: bool,
    /// A factor for each variable.
    pub factors: Vec<i64>,
    /// What is added.
    pub constant: i64,
}

/// A tuple with names for its coordinates.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Names<'a> {
    /// The name of the tuple, empty if it has none.
    pub tuple: &'a str,
    /// The names of the coordinates.
    pub coordinates: &'a [&'a str],
}

impl Set {
    /// The points of a tuple that constraints leave, with so many more integers that there have to be: `i mod 2 = 0` is `i - 2e = 0` with
    /// one integer `e`. It is what [`Set::parse`] makes of the same as a text, and takes a small part of the time.
    ///
    /// # Errors
    ///
    /// [`Error::Tuples`] where a name is no identifier, a parameter is named twice, or a constraint has not one factor for each variable;
    /// those of any operation.
    pub fn of(
        context: &Context,
        parameters: &[&str],
        tuple: &Names<'_>,
        integers: usize,
        constraints: &[Constraint],
    ) -> Result<Self> {
        let length = position(tuple.coordinates.len())?;
        let count = position(parameters.len())?;
        // SAFETY: the context is alive; given.
        let space = unsafe { context.give(|| sys::isl_space_set_alloc(context.isl(), count, length)) }?;
        let space = named(named_parameters(space, parameters)?, sys::SET, tuple)?;
        let columns = parameters.len() + tuple.coordinates.len() + integers;
        let (equations, inequalities) = matrices(context, columns, constraints)?;
        // SAFETY: all three are taken, and each result given.
        unsafe {
            let set = context.give(|| {
                sys::isl_basic_set_from_constraint_matrices(
                    space.give_away(),
                    equations.give_away(),
                    inequalities.give_away(),
                    sys::PARAMETER,
                    sys::SET,
                    sys::DIV,
                    sys::CONSTANT,
                )
            })?;
            context.give(|| sys::isl_union_set_from_basic_set(set.give_away())).map(Self)
        }
    }
}

impl Relation {
    /// The pairs of points of two tuples that constraints leave, as [`Set::of`] has it.
    ///
    /// # Errors
    ///
    /// As for [`Set::of`].
    pub fn of(
        context: &Context,
        parameters: &[&str],
        from: &Names<'_>,
        to: &Names<'_>,
        integers: usize,
        constraints: &[Constraint],
    ) -> Result<Self> {
        let (count, first) = (position(parameters.len())?, position(from.coordinates.len())?);
        let second = position(to.coordinates.len())?;
        // SAFETY: the context is alive; given.
        let space = unsafe { context.give(|| sys::isl_space_alloc(context.isl(), count, first, second)) }?;
        let space = named(named_parameters(space, parameters)?, sys::IN, from)?;
        let space = named(space, sys::OUT, to)?;
        let columns = parameters.len() + from.coordinates.len() + to.coordinates.len() + integers;
        let (equations, inequalities) = matrices(context, columns, constraints)?;
        // SAFETY: all three are taken, and each result given.
        unsafe {
            let map = context.give(|| {
                sys::isl_basic_map_from_constraint_matrices(
                    space.give_away(),
                    equations.give_away(),
                    inequalities.give_away(),
                    sys::PARAMETER,
                    sys::IN,
                    sys::OUT,
                    sys::DIV,
                    sys::CONSTANT,
                )
            })?;
            context.give(|| sys::isl_union_map_from_basic_map(map.give_away())).map(Self)
        }
    }
}

fn named_parameters(mut space: Owned<sys::isl_space>, names: &[&str]) -> Result<Owned<sys::isl_space>> {
    for (at, name) in names.iter().enumerate() {
        if names[..at].contains(name) {
            return Err(Error::Tuples(format!("parameter {name} is named twice")));
        }
        space = dimension_named(space, sys::PARAMETER, at, name)?;
    }
    Ok(space)
}

fn named(
    mut space: Owned<sys::isl_space>,
    kind: sys::isl_dim_type,
    names: &Names<'_>,
) -> Result<Owned<sys::isl_space>> {
    let context = space.context().clone();
    if !names.tuple.is_empty() {
        let name = text::identifier(names.tuple)?;
        // SAFETY: taken; given. The text ends in zero, and isl copies it.
        space = unsafe {
            context.give(|| sys::isl_space_set_tuple_name(space.give_away(), kind, name.as_ptr()))
        }?;
    }
    for (at, name) in names.coordinates.iter().enumerate() {
        space = dimension_named(space, kind, at, name)?;
    }
    Ok(space)
}

fn dimension_named(
    space: Owned<sys::isl_space>,
    kind: sys::isl_dim_type,
    at: usize,
    name: &str,
) -> Result<Owned<sys::isl_space>> {
    let context = space.context().clone();
    let (at, name) = (position(at)?, text::identifier(name)?);
    // SAFETY: taken; given. There is such a dimension; the text ends in zero, and isl copies it.
    unsafe { context.give(|| sys::isl_space_set_dim_name(space.give_away(), kind, at, name.as_ptr())) }
}

/// The equations and the inequalities as isl wants them.
fn matrices(
    context: &Context,
    columns: usize,
    constraints: &[Constraint],
) -> Result<(Owned<sys::isl_mat>, Owned<sys::isl_mat>)> {
    if let Some(wrong) = constraints.iter().find(|constraint| constraint.factors.len() != columns) {
        let length = wrong.factors.len();
        return Err(Error::Tuples(format!("{length} factors in a constraint for {columns} variables")));
    }
    let matrix = |are_equations: bool| {
        let rows: Vec<_> =
            constraints.iter().filter(|constraint| constraint.is_equation == are_equations).collect();
        let (height, width) = (position(rows.len())?, position(columns + 1)?);
        // SAFETY: the context is alive; given.
        let mut matrix = unsafe { context.give(|| sys::isl_mat_alloc(context.isl(), height, width)) }?;
        for (row, Constraint { factors, constant, .. }) in rows.into_iter().enumerate() {
            let row = index(row)?;
            for (column, &factor) in factors.iter().chain([constant]).enumerate() {
                let (column, factor) = (index(column)?, value(context, factor)?);
                // SAFETY: taken, taken; given. There is such an element.
                matrix = unsafe {
                    context.give(|| {
                        sys::isl_mat_set_element_val(matrix.give_away(), row, column, factor.give_away())
                    })
                }?;
            }
        }
        Ok(matrix)
    };
    Ok((matrix(true)?, matrix(false)?))
}
