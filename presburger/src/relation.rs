//! Relations between integer tuples, for any values of parameters.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::context::Context;
use crate::error::{Error, Result};
use crate::handle::Owned;
use crate::set::Set;
use crate::space::{Shape, Tuple, index, position};
use crate::{sys, text};

/// A set of pairs of points: `[np] -> { send[r] -> recv[r + 1] : 0 <= r < np - 1 }`.
///
/// The first points of the pairs are its *domain*, the second its *range*. It may have pairs of several tuples.
///
/// Every operation leaves its operands as they are, and may end with [`Error::Budget`], [`Error::Memory`], [`Error::Contexts`] where the
/// operands have different contexts, or [`Error::Refused`] where isl does not do it; other errors are named where they can occur.
#[derive(Clone)]
pub struct Relation(pub(crate) Owned<sys::isl_union_map>);

impl Relation {
    /// Reads a relation in isl's notation, as `[np] -> { S[r] -> R[r + 1] : 0 <= r < np - 1; S[r] -> R[0] : r = np - 1 }`.
    ///
    /// # Errors
    ///
    /// [`Error::Syntax`] where the text is no relation, or so long, so deeply nested or with such exponents that isl is not asked.
    pub fn parse(context: &Context, text: &str) -> Result<Self> {
        let checked = text::checked("a relation", text)?;
        // SAFETY: the context is alive, the text ends in zero and is only read; the result is given.
        let read =
            unsafe { context.give(|| sys::isl_union_map_read_from_str(context.isl(), checked.as_ptr())) };
        read.map(Self).map_err(|error| text::syntax(error, "a relation", text))
    }

    /// The relation without pairs.
    ///
    /// # Errors
    ///
    /// Those of any operation.
    pub fn empty(context: &Context) -> Result<Self> {
        Self::parse(context, "{ }")
    }

    /// The context that the relation lives in.
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
        function: unsafe extern "C" fn(*mut sys::isl_union_map) -> *mut sys::isl_union_map,
    ) -> Result<Self> {
        // SAFETY: taken and given, as the caller says.
        unsafe { self.context().give(|| function(self.0.take())) }.map(Self)
    }

    /// # Safety
    ///
    /// The function takes its argument and gives its result.
    unsafe fn points(
        &self,
        function: unsafe extern "C" fn(*mut sys::isl_union_map) -> *mut sys::isl_union_set,
    ) -> Result<Set> {
        // SAFETY: taken and given, as the caller says.
        unsafe { self.context().give(|| function(self.0.take())) }.map(Set)
    }

    /// # Safety
    ///
    /// The function takes its arguments and gives its result.
    unsafe fn two(
        &self,
        other: &Self,
        function: unsafe extern "C" fn(
            *mut sys::isl_union_map,
            *mut sys::isl_union_map,
        ) -> *mut sys::isl_union_map,
    ) -> Result<Self> {
        let context = self.same_context(other.context())?;
        // SAFETY: taken and given, as the caller says; both are of this context.
        unsafe { context.give(|| function(self.0.take(), other.0.take())) }.map(Self)
    }

    /// # Safety
    ///
    /// The function takes its arguments and gives its result.
    unsafe fn limited(
        &self,
        set: &Set,
        function: unsafe extern "C" fn(
            *mut sys::isl_union_map,
            *mut sys::isl_union_set,
        ) -> *mut sys::isl_union_map,
    ) -> Result<Self> {
        let context = self.same_context(set.context())?;
        // SAFETY: taken and given, as the caller says; both are of this context.
        unsafe { context.give(|| function(self.0.take(), set.0.take())) }.map(Self)
    }

    /// # Safety
    ///
    /// The function keeps its argument.
    unsafe fn asked(
        &self,
        function: unsafe extern "C" fn(*mut sys::isl_union_map) -> sys::isl_bool,
    ) -> Result<bool> {
        // SAFETY: kept, as the caller says.
        self.context().truth(|| unsafe { function(self.0.keep()) })
    }

    /// # Safety
    ///
    /// The function keeps its arguments.
    unsafe fn compared(
        &self,
        other: &Self,
        function: unsafe extern "C" fn(*mut sys::isl_union_map, *mut sys::isl_union_map) -> sys::isl_bool,
    ) -> Result<bool> {
        let context = self.same_context(other.context())?;
        // SAFETY: kept, as the caller says; both are of this context.
        context.truth(|| unsafe { function(self.0.keep(), other.0.keep()) })
    }
}

/// The algebra of relations. For errors see [`Relation`].
impl Relation {
    /// The pairs of either.
    pub fn union(&self, other: &Self) -> Result<Self> {
        // SAFETY: taken, taken; given.
        unsafe { self.two(other, sys::isl_union_map_union) }
    }

    /// The pairs of both.
    pub fn intersect(&self, other: &Self) -> Result<Self> {
        // SAFETY: taken, taken; given.
        unsafe { self.two(other, sys::isl_union_map_intersect) }
    }

    /// The pairs that the other has not.
    pub fn subtract(&self, other: &Self) -> Result<Self> {
        // SAFETY: taken, taken; given.
        unsafe { self.two(other, sys::isl_union_map_subtract) }
    }

    /// First this relation, then the other: `x -> z` where this one has `x -> y` and the other `y -> z`, for some `y`.
    pub fn apply_range(&self, other: &Self) -> Result<Self> {
        // SAFETY: taken, taken; given.
        unsafe { self.two(other, sys::isl_union_map_apply_range) }
    }

    /// The domain renamed by the other: `z -> y` where this one has `x -> y` and the other `x -> z`, for some `x`.
    pub fn apply_domain(&self, other: &Self) -> Result<Self> {
        // SAFETY: taken, taken; given.
        unsafe { self.two(other, sys::isl_union_map_apply_domain) }
    }

    /// The pairs the other way round.
    pub fn inverse(&self) -> Result<Self> {
        // SAFETY: taken; given.
        unsafe { self.one(sys::isl_union_map_reverse) }
    }

    /// The tuples of both ranges joined into one: `x -> [y, z]` where this one has `x -> [y]` and the other `x -> [z]`.
    pub fn flat_range_product(&self, other: &Self) -> Result<Self> {
        // SAFETY: taken, taken; given.
        unsafe { self.two(other, sys::isl_union_map_flat_range_product) }
    }

    /// The first points of the pairs.
    pub fn domain(&self) -> Result<Set> {
        // SAFETY: taken; given.
        unsafe { self.points(sys::isl_union_map_domain) }
    }

    /// The second points of the pairs.
    pub fn range(&self) -> Result<Set> {
        // SAFETY: taken; given.
        unsafe { self.points(sys::isl_union_map_range) }
    }

    /// By how much the second point of a pair is greater than the first, of pairs within one tuple.
    pub fn deltas(&self) -> Result<Set> {
        // SAFETY: taken; given.
        unsafe { self.points(sys::isl_union_map_deltas) }
    }

    /// The pairs as points: `{ A[i] -> B[j] }` as `{ [A[i] -> B[j]] }`. [`Set::unwrap_pairs`] is the way back.
    pub fn wrap(&self) -> Result<Set> {
        // SAFETY: taken; given.
        unsafe { self.points(sys::isl_union_map_wrap) }
    }

    /// From each pair, as a point, to its first point: `{ [A[i] -> B[j]] -> A[i] }`.
    pub fn first_of_pair(&self) -> Result<Self> {
        // SAFETY: taken; given.
        unsafe { self.one(sys::isl_union_map_domain_map) }
    }

    /// From each pair, as a point, to its second point: `{ [A[i] -> B[j]] -> B[j] }`.
    pub fn second_of_pair(&self) -> Result<Self> {
        // SAFETY: taken; given.
        unsafe { self.one(sys::isl_union_map_range_map) }
    }

    /// The pairs whose first point is of the set.
    pub fn intersect_domain(&self, set: &Set) -> Result<Self> {
        // SAFETY: taken, taken; given.
        unsafe { self.limited(set, sys::isl_union_map_intersect_domain) }
    }

    /// The pairs whose second point is of the set.
    pub fn intersect_range(&self, set: &Set) -> Result<Self> {
        // SAFETY: taken, taken; given.
        unsafe { self.limited(set, sys::isl_union_map_intersect_range) }
    }

    /// The pairs whose first point is not of the set.
    pub fn subtract_domain(&self, set: &Set) -> Result<Self> {
        // SAFETY: taken, taken; given.
        unsafe { self.limited(set, sys::isl_union_map_subtract_domain) }
    }

    /// The pairs whose second point is not of the set.
    pub fn subtract_range(&self, set: &Set) -> Result<Self> {
        // SAFETY: taken, taken; given.
        unsafe { self.limited(set, sys::isl_union_map_subtract_range) }
    }

    /// Whether it has no pair, whatever the parameters are.
    pub fn is_empty(&self) -> Result<bool> {
        // SAFETY: kept.
        unsafe { self.asked(sys::isl_union_map_is_empty) }
    }

    /// Whether the other has all its pairs.
    pub fn is_subset(&self, other: &Self) -> Result<bool> {
        // SAFETY: kept, kept.
        unsafe { self.compared(other, sys::isl_union_map_is_subset) }
    }

    /// Whether both have the same pairs.
    pub fn is_equal(&self, other: &Self) -> Result<bool> {
        // SAFETY: kept, kept.
        unsafe { self.compared(other, sys::isl_union_map_is_equal) }
    }

    /// Whether they have no pair in common.
    pub fn is_disjoint(&self, other: &Self) -> Result<bool> {
        // SAFETY: kept, kept.
        unsafe { self.compared(other, sys::isl_union_map_is_disjoint) }
    }

    /// Whether no point of the domain is in two pairs.
    pub fn is_single_valued(&self) -> Result<bool> {
        // SAFETY: kept.
        unsafe { self.asked(sys::isl_union_map_is_single_valued) }
    }

    /// Whether no point of the range is in two pairs.
    pub fn is_injective(&self) -> Result<bool> {
        // SAFETY: kept.
        unsafe { self.asked(sys::isl_union_map_is_injective) }
    }

    /// Whether no point, of domain or range, is in two pairs: a bijection between domain and range.
    pub fn is_bijective(&self) -> Result<bool> {
        // SAFETY: kept.
        unsafe { self.asked(sys::isl_union_map_is_bijective) }
    }

    /// The same relation, in fewer parts where isl finds that some are one.
    pub fn coalesce(&self) -> Result<Self> {
        // SAFETY: taken; given.
        unsafe { self.one(sys::isl_union_map_coalesce) }
    }

    /// The same relation with each number that there just has to be as a quotient of others, so that equal ones are one, and in fewer parts.
    pub fn simplified(&self) -> Result<Self> {
        // SAFETY: taken; given. Both.
        unsafe { self.one(sys::isl_union_map_compute_divs)?.one(sys::isl_union_map_detect_equalities)? }
            .coalesce()
    }

    /// A relation that is the same within `known`, and says less: what `known` says already is left out.
    pub fn gist(&self, known: &Self) -> Result<Self> {
        // SAFETY: taken, taken; given.
        unsafe { self.two(known, sys::isl_union_map_gist) }
    }

    /// The same for the values of parameters that `known` has points for.
    pub fn gist_parameters(&self, known: &Set) -> Result<Self> {
        let context = self.same_context(known.context())?;
        let known = known.parameter_set()?;
        // SAFETY: taken, taken; given. Both are of this context.
        unsafe { context.give(|| sys::isl_union_map_gist_params(self.0.take(), known.give_away())) }.map(Self)
    }

    /// For each pair of tuples one convex relation that contains the pairs, by bounds that are in the relation already.
    pub fn simple_hull(&self) -> Result<Self> {
        // SAFETY: taken; given.
        unsafe { self.one(sys::isl_union_map_simple_hull) }
    }

    /// For each pair of tuples the smallest relation of equations that contains the pairs: linear ones, and remainders of divisions. It is
    /// what a guess is made of after some pairs are known.
    pub fn affine_hull(&self) -> Result<Self> {
        // SAFETY: taken; given.
        unsafe { self.one(sys::isl_union_map_affine_hull) }
    }

    /// Of the pairs of each first point, and of each tuple of the range, the one with the lexicographically least second point.
    ///
    /// # Errors
    ///
    /// Also [`Error::Refused`] where there is none.
    pub fn lexicographic_minimum(&self) -> Result<Self> {
        // SAFETY: taken; given.
        unsafe { self.one(sys::isl_union_map_lexmin) }
    }

    /// Of the pairs of each first point, and of each tuple of the range, the one with the lexicographically greatest second point.
    ///
    /// # Errors
    ///
    /// Also [`Error::Refused`] where there is none.
    pub fn lexicographic_maximum(&self) -> Result<Self> {
        // SAFETY: taken; given.
        unsafe { self.one(sys::isl_union_map_lexmax) }
    }
}

/// Order, where the relation is a schedule: it gives each instance its position in time, or in a program. For errors see [`Relation`].
impl Relation {
    /// Pairs of an instance of this schedule and one of the other at a lexicographically greater position.
    ///
    /// # Errors
    ///
    /// Also [`Error::Tuples`] where positions of both schedules have different names or lengths, so that they cannot be compared.
    pub fn lex_lt(&self, other: &Self) -> Result<Self> {
        self.same_positions(other)?;
        // SAFETY: taken, taken; given.
        unsafe { self.two(other, sys::isl_union_map_lex_lt_union_map) }
    }

    /// Pairs of an instance of this schedule and one of the other at a position that is not lexicographically less.
    ///
    /// # Errors
    ///
    /// As for [`Relation::lex_lt`].
    pub fn lex_le(&self, other: &Self) -> Result<Self> {
        self.same_positions(other)?;
        // SAFETY: taken, taken; given.
        unsafe { self.two(other, sys::isl_union_map_lex_le_union_map) }
    }

    /// Pairs of an instance of this schedule and one of the other at the same position.
    ///
    /// # Errors
    ///
    /// As for [`Relation::lex_lt`].
    pub fn same_position(&self, other: &Self) -> Result<Self> {
        self.same_positions(other)?;
        self.apply_range(&other.inverse()?)
    }

    pub(crate) fn same_positions(&self, other: &Self) -> Result<()> {
        let mut tuples: Vec<Tuple> = self.parts()?.into_iter().map(|(_, position, _)| position).collect();
        tuples.extend(other.parts()?.into_iter().map(|(_, position, _)| position));
        match tuples.iter().find(|&tuple| *tuple != tuples[0]) {
            Some(tuple) => Err(Error::Tuples(format!("{} and {tuple} as positions", tuples[0]))),
            None => Ok(()),
        }
    }
}

/// Parameters, tuples and coordinates. For errors see [`Relation`].
impl Relation {
    /// The names of the parameters, in the order that the relation has them in. Some may have no influence.
    pub fn parameters(&self) -> Result<Vec<String>> {
        // SAFETY: kept; given.
        unsafe { self.context().give(|| sys::isl_union_map_get_space(self.0.keep())) }?.parameters()
    }

    /// Where the relation has pairs at all: a set that says only something of the parameters.
    pub fn parameter_domain(&self) -> Result<Set> {
        // SAFETY: taken; given. Twice.
        unsafe {
            let parameters = self.context().give(|| sys::isl_union_map_params(self.0.take()))?;
            self.context().give(|| sys::isl_union_set_from_set(parameters.give_away())).map(Set)
        }
    }

    /// The relation for those values of the parameters that `known` has points for.
    pub fn intersect_parameters(&self, known: &Set) -> Result<Self> {
        let context = self.same_context(known.context())?;
        let known = known.parameter_set()?;
        // SAFETY: taken, taken; given. Both are of this context.
        unsafe { context.give(|| sys::isl_union_map_intersect_params(self.0.take(), known.give_away())) }
            .map(Self)
    }

    /// The relation for these values of parameters. The parameters stay, and have these values.
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
        self.intersect_parameters(&Set::parse(
            self.context(),
            &format!("[{}] -> {{ : {condition} }}", names.join(", ")),
        )?)
    }

    /// The pairs that there are for some value of a parameter, without that parameter. Nothing changes where there is none of the name.
    pub fn project_out_parameter(&self, name: &str) -> Result<Self> {
        let Some(at) = self.parameters()?.iter().position(|parameter| parameter == name) else {
            return Ok(self.clone());
        };
        let at = position(at)?;
        // SAFETY: taken; given. There is such a parameter.
        unsafe {
            self.context().give(|| sys::isl_union_map_project_out(self.0.take(), sys::PARAMETER, at, 1))
        }
        .map(Self)
    }

    /// The relation by the tuples of its domain and its range, in the order of their names and lengths. A part may have no pairs.
    pub fn parts(&self) -> Result<Vec<(Tuple, Tuple, Self)>> {
        let mut parts = Vec::new();
        for (from, to, map) in self.shaped()? {
            // SAFETY: taken; given.
            let part = unsafe { self.context().give(|| sys::isl_union_map_from_map(map.give_away())) }?;
            parts.push((from.tuple(), to.tuple(), Self(part)));
        }
        Ok(parts)
    }

    /// The pairs without some coordinates of their first points: those that there are for some values of these. The names of tuples stay.
    ///
    /// # Errors
    ///
    /// Also [`Error::Tuples`] where a tuple of the domain has no such coordinates, or is a pair.
    pub fn project_out_domain(&self, coordinates: Range<usize>) -> Result<Self> {
        self.project_out(true, coordinates)
    }

    /// The pairs without some coordinates of their second points: those that there are for some values of these. The names of tuples stay.
    ///
    /// # Errors
    ///
    /// Also [`Error::Tuples`] where a tuple of the range has no such coordinates, or is a pair.
    pub fn project_out_range(&self, coordinates: Range<usize>) -> Result<Self> {
        self.project_out(false, coordinates)
    }

    fn project_out(&self, of_domain: bool, coordinates: Range<usize>) -> Result<Self> {
        let context = self.context();
        let mut result = Self::empty(context)?;
        for (from, to, map) in self.shaped()? {
            let (kind, shape) = if of_domain { (sys::IN, &from) } else { (sys::OUT, &to) };
            let Shape::Tuple { name, coordinates: all } = shape else {
                return Err(Error::Tuples(shape.tuple().to_string()));
            };
            if all.len() < coordinates.end || coordinates.end < coordinates.start {
                return Err(Error::Tuples(format!("{} has no coordinates {coordinates:?}", shape.tuple())));
            }
            let (first, count) = (position(coordinates.start)?, position(coordinates.len())?);
            // SAFETY: taken; given. There are such coordinates.
            let mut rest =
                unsafe { context.give(|| sys::isl_map_project_out(map.give_away(), kind, first, count)) }?;
            if !name.is_empty() {
                let name = text::name(name)?;
                // SAFETY: taken; given. The text ends in zero, and isl copies it.
                rest = unsafe {
                    context.give(|| sys::isl_map_set_tuple_name(rest.give_away(), kind, name.as_ptr()))
                }?;
            }
            // SAFETY: taken; given.
            let rest = unsafe { context.give(|| sys::isl_union_map_from_map(rest.give_away())) }?;
            result = result.union(&Self(rest))?;
        }
        Ok(result)
    }

    /// The relations between single tuples, in the order of these.
    fn shaped(&self) -> Result<Vec<(Shape, Shape, Owned<sys::isl_map>)>> {
        let context = self.context();
        // SAFETY: kept; given.
        let list = unsafe { context.give(|| sys::isl_union_map_get_map_list(self.0.keep())) }?;
        // SAFETY: kept.
        let count = context.number(|| unsafe { sys::isl_map_list_n_map(list.keep()) })?;
        let mut shaped = Vec::new();
        for at in 0..count {
            let at = index(at)?;
            // SAFETY: the list is kept and has such an element, which is given; each space is taken, and each result given.
            let (from, to, map) = unsafe {
                let map = context.give(|| sys::isl_map_list_get_map(list.keep(), at))?;
                let space = context.give(|| sys::isl_map_get_space(map.keep()))?;
                let from = context.give(|| sys::isl_space_domain(space.take()))?;
                (from, context.give(|| sys::isl_space_range(space.give_away()))?, map)
            };
            shaped.push((from.shape()?, to.shape()?, map));
        }
        shaped.sort_by_cached_key(|(from, to, _)| (from.tuple(), to.tuple()));
        Ok(shaped)
    }
}
