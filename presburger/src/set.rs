//! Sets of integer tuples, for any values of parameters.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::conjunct::Conjunct;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::handle::Owned;
use crate::relation::Relation;
use crate::space::{Shape, Tuple, index, position, value};
use crate::{sys, text};

/// A set of points, each a named tuple of integers, for any values of parameters: `[np] -> { send[r] : 0 <= r < np }`.
///
/// It may have points of several tuples. A set of no tuple, `[np] -> { : 2 <= np }`, says only something of the parameters.
/// Parameters are known by their names: an operation on two sets that have different ones brings them together.
///
/// Every operation leaves its operands as they are, and may end with [`Error::Budget`], [`Error::Memory`], [`Error::Contexts`] where the
/// operands have different contexts, or [`Error::Refused`] where isl does not do it; other errors are named where they can occur.
#[derive(Clone)]
pub struct Set(pub(crate) Owned<sys::isl_union_set>);

impl Set {
    /// Reads a set in isl's notation, as `[np] -> { S[r, t] : 0 <= r < np and t mod 2 = 0; T[r] : r = 0 }`.
    ///
    /// # Errors
    ///
    /// [`Error::Syntax`] where the text is no set, or so long, so deeply nested or with such exponents that isl is not asked.
    pub fn parse(context: &Context, text: &str) -> Result<Self> {
        let checked = text::checked("a set", text)?;
        // SAFETY: the context is alive, the text ends in zero and is only read; the result is given.
        let read =
            unsafe { context.give(|| sys::isl_union_set_read_from_str(context.isl(), checked.as_ptr())) };
        read.map(Self).map_err(|error| text::syntax(error, "a set", text))
    }

    /// The set without points.
    ///
    /// # Errors
    ///
    /// Those of any operation.
    pub fn empty(context: &Context) -> Result<Self> {
        Self::parse(context, "{ }")
    }

    /// The context that the set lives in.
    #[must_use]
    pub fn context(&self) -> &Context {
        self.0.context()
    }

    fn same_context(&self, other: &Context) -> Result<&Context> {
        if self.context().is_same(other) { Ok(self.context()) } else { Err(Error::Contexts) }
    }

    /// # Safety
    ///
    /// The function takes its argument and gives its result.
    unsafe fn one(
        &self,
        function: unsafe extern "C" fn(*mut sys::isl_union_set) -> *mut sys::isl_union_set,
    ) -> Result<Self> {
        // SAFETY: taken and given, as the caller says.
        unsafe { self.context().give(|| function(self.0.take())) }.map(Self)
    }

    /// # Safety
    ///
    /// The function takes its arguments and gives its result.
    unsafe fn two(
        &self,
        other: &Self,
        function: unsafe extern "C" fn(
            *mut sys::isl_union_set,
            *mut sys::isl_union_set,
        ) -> *mut sys::isl_union_set,
    ) -> Result<Self> {
        let context = self.same_context(other.context())?;
        // SAFETY: taken and given, as the caller says; both are of this context.
        unsafe { context.give(|| function(self.0.take(), other.0.take())) }.map(Self)
    }

    /// # Safety
    ///
    /// The function takes its arguments and gives its result.
    unsafe fn ordered(
        &self,
        other: &Self,
        function: unsafe extern "C" fn(
            *mut sys::isl_union_set,
            *mut sys::isl_union_set,
        ) -> *mut sys::isl_union_map,
    ) -> Result<Relation> {
        let context = self.same_context(other.context())?;
        // SAFETY: taken and given, as the caller says; both are of this context.
        unsafe { context.give(|| function(self.0.take(), other.0.take())) }.map(Relation)
    }

    /// # Safety
    ///
    /// The function keeps its arguments.
    unsafe fn compared(
        &self,
        other: &Self,
        function: unsafe extern "C" fn(*mut sys::isl_union_set, *mut sys::isl_union_set) -> sys::isl_bool,
    ) -> Result<bool> {
        let context = self.same_context(other.context())?;
        // SAFETY: kept, as the caller says; both are of this context.
        context.truth(|| unsafe { function(self.0.keep(), other.0.keep()) })
    }
}

/// The algebra of sets. For errors see [`Set`].
impl Set {
    /// The points of either.
    pub fn union(&self, other: &Self) -> Result<Self> {
        // SAFETY: taken, taken; given.
        unsafe { self.two(other, sys::isl_union_set_union) }
    }

    /// The points of both.
    pub fn intersect(&self, other: &Self) -> Result<Self> {
        // SAFETY: taken, taken; given.
        unsafe { self.two(other, sys::isl_union_set_intersect) }
    }

    /// The points that the other has not.
    pub fn subtract(&self, other: &Self) -> Result<Self> {
        // SAFETY: taken, taken; given.
        unsafe { self.two(other, sys::isl_union_set_subtract) }
    }

    /// What the relation makes of the points: the image.
    pub fn apply(&self, relation: &Relation) -> Result<Self> {
        let context = self.same_context(relation.context())?;
        // SAFETY: taken, taken; given. Both are of this context.
        unsafe { context.give(|| sys::isl_union_set_apply(self.0.take(), relation.0.take())) }.map(Self)
    }

    /// Each point with itself.
    pub fn identity(&self) -> Result<Relation> {
        // SAFETY: taken; given.
        unsafe { self.context().give(|| sys::isl_union_set_identity(self.0.take())) }.map(Relation)
    }

    /// Each point with each of the other set.
    pub fn cross(&self, other: &Self) -> Result<Relation> {
        // SAFETY: taken, taken; given.
        unsafe { self.ordered(other, sys::isl_union_map_from_domain_and_range) }
    }

    /// Whether it has no point, whatever the parameters are.
    pub fn is_empty(&self) -> Result<bool> {
        // SAFETY: kept.
        self.context().truth(|| unsafe { sys::isl_union_set_is_empty(self.0.keep()) })
    }

    /// Whether the other has all its points.
    pub fn is_subset(&self, other: &Self) -> Result<bool> {
        // SAFETY: kept, kept.
        unsafe { self.compared(other, sys::isl_union_set_is_subset) }
    }

    /// Whether both have the same points.
    pub fn is_equal(&self, other: &Self) -> Result<bool> {
        // SAFETY: kept, kept.
        unsafe { self.compared(other, sys::isl_union_set_is_equal) }
    }

    /// Whether they have no point in common.
    pub fn is_disjoint(&self, other: &Self) -> Result<bool> {
        // SAFETY: kept, kept.
        unsafe { self.compared(other, sys::isl_union_set_is_disjoint) }
    }

    /// The same set, in fewer parts where isl finds that some are one.
    pub fn coalesce(&self) -> Result<Self> {
        // SAFETY: taken; given.
        unsafe { self.one(sys::isl_union_set_coalesce) }
    }

    /// A set that is the same within `known`, and says less: what `known` says already is left out.
    pub fn gist(&self, known: &Self) -> Result<Self> {
        // SAFETY: taken, taken; given.
        unsafe { self.two(known, sys::isl_union_set_gist) }
    }

    /// The same for the values of parameters that `known` has points for.
    pub fn gist_parameters(&self, known: &Self) -> Result<Self> {
        let context = self.same_context(known.context())?;
        let known = known.parameter_set()?;
        // SAFETY: taken, taken; given. Both are of this context.
        unsafe { context.give(|| sys::isl_union_set_gist_params(self.0.take(), known.give_away())) }.map(Self)
    }

    /// For each tuple one convex set that contains its points, by bounds that are in the set already. It may be larger than the convex
    /// hull, and is found quickly.
    pub fn simple_hull(&self) -> Result<Self> {
        // SAFETY: taken; given.
        unsafe { self.one(sys::isl_union_set_simple_hull) }
    }

    /// For each tuple, the lexicographically least point, as the parameters have it.
    ///
    /// # Errors
    ///
    /// Also [`Error::Refused`] where there is none.
    pub fn lexicographic_minimum(&self) -> Result<Self> {
        // SAFETY: taken; given.
        unsafe { self.one(sys::isl_union_set_lexmin) }
    }

    /// For each tuple, the lexicographically greatest point, as the parameters have it.
    ///
    /// # Errors
    ///
    /// Also [`Error::Refused`] where there is none.
    pub fn lexicographic_maximum(&self) -> Result<Self> {
        // SAFETY: taken; given.
        unsafe { self.one(sys::isl_union_set_lexmax) }
    }

    /// Pairs of a point of this set and one of the other that is of the same tuple and lexicographically greater.
    pub fn lex_lt(&self, other: &Self) -> Result<Relation> {
        // SAFETY: taken, taken; given.
        unsafe { self.ordered(other, sys::isl_union_set_lex_lt_union_set) }
    }

    /// Pairs of a point of this set and one of the other that is of the same tuple and lexicographically not less.
    pub fn lex_le(&self, other: &Self) -> Result<Relation> {
        // SAFETY: taken, taken; given.
        unsafe { self.ordered(other, sys::isl_union_set_lex_le_union_set) }
    }
}

/// Parameters. For errors see [`Set`].
impl Set {
    /// The names of the parameters, in the order that the set has them in. Some may have no influence.
    pub fn parameters(&self) -> Result<Vec<String>> {
        // SAFETY: kept; given.
        unsafe { self.context().give(|| sys::isl_union_set_get_space(self.0.keep())) }?.parameters()
    }

    /// Where the set has points at all: a set that says only something of the parameters.
    pub fn parameter_domain(&self) -> Result<Self> {
        let parameters = self.parameter_set()?;
        // SAFETY: taken; given.
        unsafe { self.context().give(|| sys::isl_union_set_from_set(parameters.give_away())) }.map(Self)
    }

    /// The set for those values of the parameters that `known` has points for.
    pub fn intersect_parameters(&self, known: &Self) -> Result<Self> {
        let context = self.same_context(known.context())?;
        let known = known.parameter_set()?;
        // SAFETY: taken, taken; given. Both are of this context.
        unsafe { context.give(|| sys::isl_union_set_intersect_params(self.0.take(), known.give_away())) }
            .map(Self)
    }

    /// The set for these values of parameters. The parameters stay, and have these values.
    ///
    /// # Errors
    ///
    /// Also [`Error::Syntax`] where the name is none.
    pub fn fix_parameters(&self, values: &BTreeMap<String, i64>) -> Result<Self> {
        if values.is_empty() {
            return Ok(self.clone());
        }
        let condition = text::values(values);
        let names: Vec<&str> = values.keys().map(String::as_str).collect();
        self.intersect_parameters(&Self::parse(
            self.context(),
            &format!("[{}] -> {{ : {condition} }}", names.join(", ")),
        )?)
    }

    /// The points that there are for some value of a parameter, without that parameter. Nothing changes where there is none of the name.
    pub fn project_out_parameter(&self, name: &str) -> Result<Self> {
        let Some(at) = self.parameters()?.iter().position(|parameter| parameter == name) else {
            return Ok(self.clone());
        };
        let at = position(at)?;
        // SAFETY: taken; given. There is such a parameter.
        unsafe {
            self.context().give(|| sys::isl_union_set_project_out(self.0.take(), sys::PARAMETER, at, 1))
        }
        .map(Self)
    }

    /// The values of the parameters for which there are points.
    pub(crate) fn parameter_set(&self) -> Result<Owned<sys::isl_set>> {
        // SAFETY: kept.
        if self.context().truth(|| unsafe { sys::isl_union_set_is_params(self.0.keep()) })? {
            let [set] = <[_; 1]>::try_from(self.sets()?).map_err(|_| Error::Tuples("none".to_owned()))?;
            return Ok(set);
        }
        // SAFETY: taken; given.
        unsafe { self.context().give(|| sys::isl_union_set_params(self.0.take())) }
    }
}

/// Tuples and coordinates. For errors see [`Set`].
impl Set {
    /// The set tuple by tuple, in the order of their names and lengths. A part may have no points.
    pub fn parts(&self) -> Result<Vec<(Tuple, Self)>> {
        let mut parts = Vec::new();
        for (shape, set) in self.shaped()? {
            // SAFETY: taken; given.
            let part = unsafe { self.context().give(|| sys::isl_union_set_from_set(set.give_away())) }?;
            parts.push((shape.tuple(), Self(part)));
        }
        Ok(parts)
    }

    /// Sets of one conjunction of constraints each that it is the union of: they may have points in common.
    pub fn conjunctions(&self) -> Result<Vec<Self>> {
        let mut all = Vec::new();
        for (_, set) in self.shaped()? {
            for part in Conjunct::all(&set)? {
                // SAFETY: taken; given.
                all.push(Self(unsafe {
                    self.context().give(|| sys::isl_union_set_from_basic_set(part.give_away()))
                }?));
            }
        }
        Ok(all)
    }

    /// The points without some of their coordinates: those that there are for some values of these. The names of tuples stay.
    ///
    /// # Errors
    ///
    /// Also [`Error::Tuples`] where a tuple has no such coordinates, or is a pair.
    pub fn project_out(&self, coordinates: Range<usize>) -> Result<Self> {
        let context = self.context();
        let mut result = Self::empty(context)?;
        for (shape, set) in self.shaped()? {
            let Shape::Tuple { name, coordinates: all } = &shape else {
                return Err(Error::Tuples(shape.tuple().to_string()));
            };
            if all.len() < coordinates.end || coordinates.end < coordinates.start {
                return Err(Error::Tuples(format!("{} has no coordinates {coordinates:?}", shape.tuple())));
            }
            let (first, count) = (position(coordinates.start)?, position(coordinates.len())?);
            // SAFETY: taken; given. There are such coordinates.
            let mut rest = unsafe {
                context.give(|| sys::isl_set_project_out(set.give_away(), sys::SET, first, count))
            }?;
            if !name.is_empty() {
                let name = text::name(name)?;
                // SAFETY: taken; given. The text ends in zero, and isl copies it.
                rest =
                    unsafe { context.give(|| sys::isl_set_set_tuple_name(rest.give_away(), name.as_ptr())) }?;
            }
            // SAFETY: taken; given.
            let rest = unsafe { context.give(|| sys::isl_union_set_from_set(rest.give_away())) }?;
            result = result.union(&Self(rest))?;
        }
        Ok(result)
    }

    /// The pairs that the points are.
    ///
    /// # Errors
    ///
    /// Also [`Error::Refused`] where they are not pairs.
    pub fn unwrap_pairs(&self) -> Result<Relation> {
        // SAFETY: taken; given.
        unsafe { self.context().give(|| sys::isl_union_set_unwrap(self.0.take())) }.map(Relation)
    }

    /// The sets of single tuples, in the order of isl's table.
    pub(crate) fn sets(&self) -> Result<Vec<Owned<sys::isl_set>>> {
        let context = self.context();
        // SAFETY: kept; given.
        let list = unsafe { context.give(|| sys::isl_union_set_get_set_list(self.0.keep())) }?;
        // SAFETY: kept.
        let count = context.number(|| unsafe { sys::isl_set_list_n_set(list.keep()) })?;
        let get = |at| {
            let at = index(at)?;
            // SAFETY: the list is kept and has such an element, which is given.
            unsafe { context.give(|| sys::isl_set_list_get_set(list.keep(), at)) }
        };
        (0..count).map(get).collect()
    }

    /// The same with their tuples, in the order of these.
    pub(crate) fn shaped(&self) -> Result<Vec<(Shape, Owned<sys::isl_set>)>> {
        let context = self.context();
        let mut shaped = Vec::new();
        for set in self.sets()? {
            // SAFETY: kept; given.
            let space = unsafe { context.give(|| sys::isl_set_get_space(set.keep())) }?;
            shaped.push((space.shape()?, set));
        }
        shaped.sort_by_cached_key(|(shape, _)| shape.tuple());
        Ok(shaped)
    }
}

/// A set of single tuples with one coordinate of a fixed value.
pub(crate) fn fixed(set: Owned<sys::isl_set>, at: usize, number: i64) -> Result<Owned<sys::isl_set>> {
    let context = set.context().clone();
    let (at, number) = (position(at)?, value(&context, number)?);
    // SAFETY: taken, taken; given. The caller has looked at how many coordinates there are.
    unsafe { context.give(|| sys::isl_set_fix_val(set.give_away(), sys::SET, at, number.give_away())) }
}
