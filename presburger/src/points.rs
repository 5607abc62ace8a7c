//! Points: witnesses out of sets, all points of bounded sets, and membership.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::fmt;
use std::ptr::NonNull;

use crate::conjunct::Conjunct;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::handle::Owned;
use crate::relation::Relation;
use crate::set::{Set, fixed};
use crate::space::{Shape, Tuple, index, integer, position, value};
use crate::sys;

/// One point of a tuple, as `send[3, 0]`. Pairs are as [`Tuple`] has them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instance {
    /// The name of the tuple, empty if it has none.
    pub name: String,
    /// The coordinates.
    pub coordinates: Vec<i64>,
}

/// A point of a set, and values of the parameters for which the set has it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    /// The value of each parameter.
    pub parameters: BTreeMap<String, i64>,
    /// The point.
    pub instance: Instance,
}

/// A pair of a relation, and values of the parameters for which the relation has it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair {
    /// The value of each parameter.
    pub parameters: BTreeMap<String, i64>,
    /// The point of the domain.
    pub from: Instance,
    /// The point of the range.
    pub to: Instance,
}

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let coordinates: Vec<String> = self.coordinates.iter().map(i64::to_string).collect();
        write!(f, "{}[{}]", self.name, coordinates.join(", "))
    }
}

fn with_parameters(
    f: &mut fmt::Formatter<'_>,
    parameters: &BTreeMap<String, i64>,
    what: fmt::Arguments<'_>,
) -> fmt::Result {
    let values: Vec<String> = parameters.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    if values.is_empty() { f.write_fmt(what) } else { write!(f, "{what} where {}", values.join(", ")) }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        with_parameters(f, &self.parameters, format_args!("{}", self.instance))
    }
}

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        with_parameters(f, &self.parameters, format_args!("{} -> {}", self.from, self.to))
    }
}

/// A set of one tuple with its parameters in front as coordinates, so that all values are told alike.
struct Flat {
    parameters: Vec<String>,
    shape: Shape,
    set: Owned<sys::isl_set>,
}

impl Flat {
    /// The names of the parameters and the tuples stay known beside the set.
    fn of(shape: Shape, set: Owned<sys::isl_set>) -> Result<Self> {
        let context = set.context().clone();
        // SAFETY: kept; given.
        let parameters = unsafe { context.give(|| sys::isl_set_get_space(set.keep())) }?.parameters()?;
        let set = if shape == Shape::None {
            // SAFETY: taken; given.
            unsafe { context.give(|| sys::isl_set_from_params(set.give_away())) }?
        } else {
            set
        };
        let count = position(parameters.len())?;
        // SAFETY: taken; given. There are so many parameters.
        let set = unsafe {
            context.give(|| sys::isl_set_move_dims(set.give_away(), sys::SET, 0, sys::PARAMETER, 0, count))
        }?;
        Ok(Self { parameters, shape, set })
    }

    fn is_empty(&self) -> Result<bool> {
        // SAFETY: kept.
        self.set.context().truth(|| unsafe { sys::isl_set_is_empty(self.set.keep()) })
    }

    /// The point that has these values, parameters first.
    fn point(&self, values: &[i64]) -> Point {
        let (parameters, coordinates) = values.split_at(self.parameters.len());
        let parameters = self.parameters.iter().cloned().zip(parameters.iter().copied()).collect();
        let Tuple { name, .. } = self.shape.tuple();
        Point { parameters, instance: Instance { name, coordinates: coordinates.to_vec() } }
    }

    fn length(&self) -> usize {
        self.parameters.len() + self.shape.tuple().length
    }

    /// Any point of it.
    fn sample(&self) -> Result<Option<Point>> {
        let context = self.set.context();
        // SAFETY: taken; given.
        let point = unsafe { context.give(|| sys::isl_set_sample_point(self.set.take())) }?;
        // SAFETY: kept.
        if context.truth(|| unsafe { sys::isl_point_is_void(point.keep()) })? {
            return Ok(None);
        }
        Ok(Some(self.point(&values(&point, self.length())?)))
    }

    /// The values that the coordinates take, each as small as those before it leave it: in the order that is given.
    fn smallest(&self, order: &[usize]) -> Result<Option<Vec<i64>>> {
        if self.is_empty()? {
            return Ok(None);
        }
        let mut rest = self.set.clone();
        let mut chosen = Vec::with_capacity(order.len());
        for &at in order {
            let value = nearest(&rest, at)?;
            rest = fixed(rest, at, value)?;
            chosen.push(value);
        }
        Ok(Some(chosen))
    }

    /// All points.
    fn enumerate(&self, most: usize, found: &mut Vec<Point>) -> Result<()> {
        let context = self.set.context();
        if self.is_empty()? {
            return Ok(());
        }
        // SAFETY: kept.
        if !context.truth(|| unsafe { sys::isl_set_is_bounded(self.set.keep()) })? {
            return Err(Error::Unbounded);
        }
        let mut collected = Collected { points: Vec::new(), most: most - found.len(), has_more: false };
        let user = NonNull::from(&mut collected).cast::<c_void>();
        // SAFETY: the set is kept. isl calls `collect` with points that it gives, and with the pointer, during this call only.
        let outcome =
            context.number(|| unsafe { sys::isl_set_foreach_point(self.set.keep(), collect, user.as_ptr()) });
        // SAFETY: each point was given to `collect`, which has kept it for us, and belongs to this context.
        let points = collected.points.into_iter().map(|point| unsafe { Owned::new(point, context) });
        let points: Vec<Owned<sys::isl_point>> = points.collect();
        if collected.has_more {
            return Err(Error::TooMany(most));
        }
        outcome?;
        for point in points {
            found.push(self.point(&values(&point, self.length())?));
        }
        Ok(())
    }
}

/// Points on their way from isl.
struct Collected {
    points: Vec<NonNull<sys::isl_point>>,
    most: usize,
    has_more: bool,
}

/// Keeps a point, or stops where there are too many.
unsafe extern "C" fn collect(point: *mut sys::isl_point, user: *mut c_void) -> sys::isl_stat {
    // SAFETY: `user` is the `Collected` of the call that is under way, which nothing else looks at meanwhile.
    let collected = unsafe { &mut *user.cast::<Collected>() };
    let Some(point) = NonNull::new(point) else { return -1 };
    if collected.points.len() == collected.most {
        collected.has_more = true;
        // SAFETY: the point was given to us.
        unsafe { sys::isl_point_free(point.as_ptr()) };
        return -1;
    }
    collected.points.push(point);
    0
}

/// The coordinates of a point.
fn values(point: &Owned<sys::isl_point>, length: usize) -> Result<Vec<i64>> {
    let get = |at| {
        let at = index(at)?;
        // SAFETY: the point is kept and has such a coordinate; the value is given.
        let value = unsafe {
            point.context().give(|| sys::isl_point_get_coordinate_val(point.keep(), sys::SET, at))
        }?;
        integer(&value)
    };
    (0..length).map(get).collect()
}

/// The least value of a coordinate; without one the value that is nearest to zero. The set is not empty.
fn nearest(set: &Owned<sys::isl_set>, at: usize) -> Result<i64> {
    let context = set.context();
    let place = position(at)?;
    match extreme(set, at, End::Least)? {
        Some(least) => Ok(least),
        None => {
            let zero = value(context, 0)?;
            // SAFETY: taken, taken; given. There is such a coordinate.
            let upper = unsafe {
                context.give(|| sys::isl_set_lower_bound_val(set.take(), sys::SET, place, zero.give_away()))
            }?;
            // SAFETY: kept.
            let is_below = context.truth(|| unsafe { sys::isl_set_is_empty(upper.keep()) })?;
            let nearest =
                if is_below { extreme(set, at, End::Greatest) } else { extreme(&upper, at, End::Least) };
            nearest?.ok_or(Error::Unbounded)
        }
    }
}

/// An end of the values of a coordinate.
#[derive(Clone, Copy)]
enum End {
    Least,
    Greatest,
}

/// The least or the greatest value of a coordinate, if there is one.
///
/// isl says "not a number" where one of several conjunctions is empty, so each is asked for itself.
fn extreme(set: &Owned<sys::isl_set>, at: usize, end: End) -> Result<Option<i64>> {
    let context = set.context();
    let at = index(at)?;
    let mut best: Option<i64> = None;
    for conjunct in Conjunct::all(set)? {
        // SAFETY: kept.
        if context.truth(|| unsafe { sys::isl_basic_set_is_empty(conjunct.keep()) })? {
            continue;
        }
        // SAFETY: taken; given. Twice. There is such a coordinate.
        let value = unsafe {
            let alone = context.give(|| sys::isl_set_from_basic_set(conjunct.give_away()))?;
            context.give(|| match end {
                End::Least => sys::isl_set_dim_min_val(alone.give_away(), at),
                End::Greatest => sys::isl_set_dim_max_val(alone.give_away(), at),
            })?
        };
        // SAFETY: kept.
        let is_infinite = context.truth(|| unsafe {
            sys::isl_val_is_neginfty(value.keep()) | sys::isl_val_is_infty(value.keep())
        })?;
        if is_infinite {
            return Ok(None);
        }
        let value = integer(&value)?;
        best = Some(match (best, end) {
            (None, _) => value,
            (Some(best), End::Least) => best.min(value),
            (Some(best), End::Greatest) => best.max(value),
        });
    }
    Ok(best)
}

/// Points. For errors see [`Set`]; a value that does not fit is [`Error::Overflow`].
impl Set {
    /// Some point, with values of the parameters; none where the set is empty. Which one it is depends on isl.
    pub fn sample(&self) -> Result<Option<Point>> {
        for (shape, set) in self.shaped()? {
            if let Some(point) = Flat::of(shape, set)?.sample()? {
                return Ok(Some(point));
            }
        }
        Ok(None)
    }

    /// The smallest witness: the parameters that are named come first, each as small as possible, then the others by their names, then the
    /// coordinates. Of points with the same values, that of the tuple whose name comes first.
    ///
    /// What has no least value is as near to zero as possible, and positive if that leaves a choice. None where the set is empty.
    pub fn smallest(&self, first: &[&str]) -> Result<Option<Point>> {
        let mut best: Option<(Vec<i64>, Point)> = None;
        for (shape, set) in self.shaped()? {
            let flat = Flat::of(shape, set)?;
            let count = flat.parameters.len();
            let rank = |at: &usize| {
                let name = flat.parameters[*at].as_str();
                (first.iter().position(|first| *first == name).unwrap_or(first.len()), name)
            };
            let mut order: Vec<usize> = (0..count).collect();
            order.sort_by(|a, b| rank(a).cmp(&rank(b)));
            order.extend(count..flat.length());
            let Some(chosen) = flat.smallest(&order)? else { continue };
            // All tuples have the same parameters, so that values can be compared place by place.
            let mut values = vec![0; chosen.len()];
            order.iter().zip(&chosen).for_each(|(&at, &value)| values[at] = value);
            if best.as_ref().is_none_or(|(least, _)| chosen < *least) {
                best = Some((chosen, flat.point(&values)));
            }
        }
        Ok(best.map(|(_, point)| point))
    }

    /// All points, for all values of the parameters, in order: of a set that has at most so many.
    ///
    /// # Errors
    ///
    /// Also [`Error::Unbounded`], also where a parameter has no bound, and [`Error::TooMany`].
    pub fn points(&self, most: usize) -> Result<Vec<Point>> {
        let mut found = Vec::new();
        for (shape, set) in self.shaped()? {
            Flat::of(shape, set)?.enumerate(most, &mut found)?;
        }
        found.sort();
        Ok(found)
    }

    /// Whether it has the point for the values of parameters that come with it; for some values of those that do not.
    pub fn contains(&self, point: &Point) -> Result<bool> {
        for (shape, set) in self.shaped()? {
            let tuple = Tuple { name: point.instance.name.clone(), length: point.instance.coordinates.len() };
            if shape.tuple() != tuple {
                continue;
            }
            let Flat { parameters, mut set, .. } = Flat::of(shape, set)?;
            for (at, name) in parameters.iter().enumerate() {
                if let Some(&value) = point.parameters.get(name) {
                    set = fixed(set, at, value)?;
                }
            }
            for (at, &value) in point.instance.coordinates.iter().enumerate() {
                set = fixed(set, parameters.len() + at, value)?;
            }
            // SAFETY: kept.
            if !self.context().truth(|| unsafe { sys::isl_set_is_empty(set.keep()) })? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Pairs. For errors see [`Relation`]; a value that does not fit is [`Error::Overflow`].
impl Relation {
    /// Some pair, with values of the parameters; none where the relation is empty. Which one it is depends on isl.
    pub fn sample(&self) -> Result<Option<Pair>> {
        for (from, to, part) in self.parts()? {
            if let Some(point) = part.wrap()?.sample()? {
                return Ok(Some(pair(&from, &to, point)));
            }
        }
        Ok(None)
    }

    /// The smallest witness, as [`Set::smallest`] has it; the coordinates of the first point come before those of the second.
    pub fn smallest(&self, first: &[&str]) -> Result<Option<Pair>> {
        let Some(point) = self.wrap()?.smallest(first)? else { return Ok(None) };
        for (from, to, part) in self.parts()? {
            let name = format!("{} -> {}", from.name, to.name);
            let is_of =
                name == point.instance.name && from.length + to.length == point.instance.coordinates.len();
            if is_of && part.wrap()?.contains(&point)? {
                return Ok(Some(pair(&from, &to, point)));
            }
        }
        Ok(None)
    }

    /// The relation of these pairs, for these values of the parameters alone.
    ///
    /// # Errors
    ///
    /// Also [`Error::Syntax`] where a name is none.
    pub fn listed<'a>(
        context: &Context,
        parameters: &BTreeMap<String, i64>,
        pairs: impl IntoIterator<Item = (&'a Instance, &'a Instance)>,
    ) -> Result<Self> {
        let pairs: Vec<String> = pairs.into_iter().map(|(from, to)| format!("{from} -> {to}")).collect();
        Self::parse(context, &format!("{{ {} }}", pairs.join("; ")))?.fix_parameters(parameters)
    }

    /// All pairs, for all values of the parameters, in order: of a relation that has at most so many.
    ///
    /// # Errors
    ///
    /// Also [`Error::Unbounded`], also where a parameter has no bound, and [`Error::TooMany`].
    pub fn pairs(&self, most: usize) -> Result<Vec<Pair>> {
        let mut found = Vec::new();
        for (from, to, part) in self.parts()? {
            let points = part.wrap()?.points(most)?;
            found.extend(points.into_iter().map(|point| pair(&from, &to, point)));
            if most < found.len() {
                return Err(Error::TooMany(most));
            }
        }
        found.sort();
        Ok(found)
    }

    /// Whether it has the pair for the values of parameters that come with it; for some values of those that do not.
    pub fn contains(&self, pair: &Pair) -> Result<bool> {
        for (from, to, part) in self.parts()? {
            let is_of = |tuple: &Tuple, instance: &Instance| {
                tuple.name == instance.name && tuple.length == instance.coordinates.len()
            };
            if !is_of(&from, &pair.from) || !is_of(&to, &pair.to) {
                continue;
            }
            let name = format!("{} -> {}", from.name, to.name);
            let coordinates = [&pair.from.coordinates[..], &pair.to.coordinates[..]].concat();
            let point =
                Point { parameters: pair.parameters.clone(), instance: Instance { name, coordinates } };
            if part.wrap()?.contains(&point)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// A point of a wrapped relation, as a pair.
fn pair(from: &Tuple, to: &Tuple, point: Point) -> Pair {
    let mut coordinates = point.instance.coordinates;
    let second = coordinates.split_off(from.length.min(coordinates.len()));
    Pair {
        parameters: point.parameters,
        from: Instance { name: from.name.clone(), coordinates },
        to: Instance { name: to.name.clone(), coordinates: second },
    }
}
