//! Functions: relations with one second point for each first one, as formulas in C.

use std::ffi::c_void;
use std::ptr::NonNull;

use crate::context::Context;
use crate::error::{Error, Result};
use crate::handle::Owned;
use crate::relation::Relation;
use crate::set::Set;
use crate::space::{given_text, index, position};
use crate::{sys, text};

/// A part of a function on which each coordinate of its values is one formula.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Where it is that: first points of the function, without a name.
    pub domain: Set,
    /// The coordinates of the value, as expressions in C over the names of coordinates and parameters. Quotients are those of C, as
    /// nothing that is divided is negative there; otherwise they are written `floord(n, d)`.
    pub values: Vec<String>,
}

impl Relation {
    /// The relation as a function, in pieces that are disjoint; `names` are those of the coordinates of its first points. The formulas
    /// hold for the values of the parameters that `known` has points for.
    ///
    /// # Errors
    ///
    /// [`Error::Tuples`] where first points or second points have several tuples, or the names are not those of as many coordinates;
    /// [`Error::Refused`] where a first point has several second ones; those of any operation.
    pub fn pieces(&self, names: &[&str], known: &Set) -> Result<Vec<Piece>> {
        let context = self.context();
        let mut maps = self.maps()?;
        let Some(map) = maps.pop() else { return Ok(Vec::new()) };
        if !maps.is_empty() {
            return Err(Error::Tuples("a function with several tuples".to_owned()));
        }
        let known = known.parameter_set()?;
        let (map, at) = with_coordinates_as_parameters(map, names)?;
        // SAFETY: taken, each; given, each.
        let function = unsafe {
            let function = context.give(|| sys::isl_pw_multi_aff_from_map(map.give_away()))?;
            let function = context.give(|| sys::isl_pw_multi_aff_coalesce(function.give_away()))?;
            context.give(|| sys::isl_pw_multi_aff_gist_params(function.give_away(), known.take()))?
        };
        let length = position(names.len())?;
        let mut pieces = Vec::new();
        for ((domain, value), count) in read_pieces(&function)? {
            // SAFETY: taken, each; given, each.
            let within = unsafe {
                let domain = context.give(|| sys::isl_set_params(domain.take()))?;
                context.give(|| sys::isl_set_intersect_params(domain.give_away(), known.take()))?
            };
            // SAFETY: taken; given.
            let build = unsafe { context.give(|| sys::isl_ast_build_from_context(within.give_away())) }?;
            let values = (0..count).map(|at| expression(&build, &value, at)).collect::<Result<Vec<_>>>()?;
            // SAFETY: taken, each; given, each. There are such parameters: the coordinates of before.
            let domain = unsafe {
                let domain = context.give(|| {
                    sys::isl_set_move_dims(domain.give_away(), sys::SET, 0, sys::PARAMETER, at, length)
                })?;
                context.give(|| sys::isl_union_set_from_set(domain.give_away()))?
            };
            pieces.push(Piece { domain: Set(domain), values });
        }
        Ok(pieces)
    }

    /// The second points of the pairs, where the coordinates of the first ones have become parameters with these names.
    ///
    /// # Errors
    ///
    /// [`Error::Tuples`] where the names are not those of as many coordinates; those of any operation.
    pub fn range_over(&self, names: &[&str]) -> Result<Set> {
        let context = self.context();
        let mut all = Set::empty(context)?;
        for map in self.maps()? {
            let (map, _) = with_coordinates_as_parameters(map, names)?;
            // SAFETY: taken, each; given, each.
            let range = unsafe {
                let map = context.give(|| sys::isl_union_map_from_map(map.give_away()))?;
                context.give(|| sys::isl_union_map_range(map.give_away()))?
            };
            all = all.union(&Set(range))?;
        }
        Ok(all)
    }

    fn maps(&self) -> Result<Vec<Owned<sys::isl_map>>> {
        let context = self.context();
        // SAFETY: kept; given.
        let list = unsafe { context.give(|| sys::isl_union_map_get_map_list(self.0.keep())) }?;
        // SAFETY: kept.
        let count = context.number(|| unsafe { sys::isl_map_list_n_map(list.keep()) })?;
        (0..count)
            .map(|at| {
                let at = index(at)?;
                // SAFETY: kept, with such an element; given.
                unsafe { context.give(|| sys::isl_map_list_get_map(list.keep(), at)) }
            })
            .collect()
    }
}

impl Set {
    /// The condition in C for the parameters to be those that the set has points for, where `known` has points: nothing where they
    /// always are.
    ///
    /// # Errors
    ///
    /// As for any operation.
    pub fn condition(&self, known: &Self) -> Result<Option<String>> {
        let context = self.context();
        let always = self.parameter_domain()?.gist_parameters(known)?;
        if known.parameter_domain()?.is_subset(&self.parameter_domain()?)? {
            return Ok(None);
        }
        let (always, known) = (always.parameter_set()?, known.parameter_set()?);
        // SAFETY: kept, taken; given. The text is given.
        let text = unsafe {
            let build = context.give(|| sys::isl_ast_build_from_context(known.give_away()))?;
            let always = context.give(|| sys::isl_set_coalesce(always.give_away()))?;
            let condition =
                context.give(|| sys::isl_ast_build_expr_from_set(build.keep(), always.give_away()))?;
            given_text(sys::isl_ast_expr_to_C_str(condition.keep()))
        };
        text.map(Some).ok_or(Error::Memory)
    }
}

/// A relation whose first points are nothing, and have become parameters: the last ones, from this index on.
fn with_coordinates_as_parameters(
    mut map: Owned<sys::isl_map>,
    names: &[&str],
) -> Result<(Owned<sys::isl_map>, u32)> {
    let context = map.context().clone();
    let dimension =
        |map: &Owned<sys::isl_map>, kind| context.number(|| unsafe { sys::isl_map_dim(map.keep(), kind) });
    if dimension(&map, sys::IN)? != names.len() {
        return Err(Error::Tuples(format!("{} names for the coordinates of a function", names.len())));
    }
    for (at, name) in names.iter().enumerate() {
        let (name, at) = (text::identifier(name)?, position(at)?);
        // SAFETY: taken; given. The text ends in zero, and isl copies it.
        map = unsafe {
            context.give(|| sys::isl_map_set_dim_name(map.give_away(), sys::IN, at, name.as_ptr()))
        }?;
    }
    let (count, at) = (position(names.len())?, position(dimension(&map, sys::PARAMETER)?)?);
    // SAFETY: taken; given. There are such coordinates.
    let map = unsafe {
        context.give(|| sys::isl_map_move_dims(map.give_away(), sys::PARAMETER, at, sys::IN, 0, count))
    }?;
    Ok((map, at))
}

/// Where a piece is, and what it is there.
type Read = (Owned<sys::isl_set>, Owned<sys::isl_multi_aff>);

/// The pieces, each with the number of coordinates of its values.
fn read_pieces(function: &Owned<sys::isl_pw_multi_aff>) -> Result<Vec<(Read, usize)>> {
    let context = function.context();
    let mut found: Vec<(NonNull<sys::isl_set>, NonNull<sys::isl_multi_aff>)> = Vec::new();
    let user = NonNull::from(&mut found).cast::<c_void>();
    // SAFETY: the function is kept. isl calls `collect` with what it gives, and with the pointer, during this call only.
    let outcome = context
        .number(|| unsafe { sys::isl_pw_multi_aff_foreach_piece(function.keep(), collect, user.as_ptr()) });
    // SAFETY: each was given to `collect`, which has kept it for us, and belongs to this context.
    let own = |(set, value)| unsafe { (Owned::new(set, context), Owned::new(value, context)) };
    let found: Vec<Read> = found.into_iter().map(own).collect();
    outcome?;
    let length = |value: &Owned<sys::isl_multi_aff>| {
        // SAFETY: kept.
        context.number(|| unsafe { sys::isl_multi_aff_dim(value.keep(), sys::OUT) })
    };
    found.into_iter().map(|(set, value)| length(&value).map(|length| ((set, value), length))).collect()
}

/// Keeps a piece.
unsafe extern "C" fn collect(
    set: *mut sys::isl_set,
    value: *mut sys::isl_multi_aff,
    user: *mut c_void,
) -> sys::isl_stat {
    // SAFETY: `user` is the list of the call that is under way, which nothing else looks at meanwhile.
    let found = unsafe { &mut *user.cast::<Vec<(NonNull<sys::isl_set>, NonNull<sys::isl_multi_aff>)>>() };
    let (Some(set), Some(value)) = (NonNull::new(set), NonNull::new(value)) else { return -1 };
    found.push((set, value));
    0
}

/// A coordinate of a value as an expression in C.
fn expression(
    build: &Owned<sys::isl_ast_build>,
    value: &Owned<sys::isl_multi_aff>,
    at: usize,
) -> Result<String> {
    let context: &Context = value.context();
    let at = index(at)?;
    // SAFETY: kept, with such a coordinate, and taken; given, each. The text is given.
    let text = unsafe {
        let value = context.give(|| sys::isl_multi_aff_get_aff(value.keep(), at))?;
        let value = context.give(|| sys::isl_pw_aff_from_aff(value.give_away()))?;
        let value = context.give(|| sys::isl_pw_aff_project_domain_on_params(value.give_away()))?;
        let expression =
            context.give(|| sys::isl_ast_build_expr_from_pw_aff(build.keep(), value.give_away()))?;
        given_text(sys::isl_ast_expr_to_C_str(expression.keep()))
    };
    text.ok_or(Error::Memory)
}
