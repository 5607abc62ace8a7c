//! Spaces: which tuples a set has points of, and the names of parameters and coordinates.

use std::ffi::{CStr, c_char, c_int, c_uint};
use std::fmt;

use crate::context::Context;
use crate::error::{Error, Result};
use crate::handle::Owned;
use crate::sys;

/// The kind of a point: a name and a number of coordinates. Points of different tuples are different.
///
/// A tuple without a name has an empty one. A tuple that is a pair of tuples, as in `[read[i] -> A[x]]`, has the names of both,
/// `read -> A`, and the coordinates of both, one after the other.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tuple {
    /// The name, as `send`.
    pub name: String,
    /// How many coordinates it has.
    pub length: usize,
}

impl fmt::Display for Tuple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", if self.name.is_empty() { "a tuple" } else { &self.name }, self.length)
    }
}

/// A tuple with the names of its coordinates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// No tuple: only parameters.
    None,
    Tuple {
        name: String,
        coordinates: Vec<Option<String>>,
    },
    Pair {
        name: String,
        parts: Box<(Shape, Shape)>,
    },
}

impl Shape {
    pub(crate) fn tuple(&self) -> Tuple {
        let mut length = 0;
        self.each_coordinate(&mut |_| length += 1);
        Tuple { name: self.name(), length }
    }

    fn name(&self) -> String {
        match self {
            Self::None => String::new(),
            Self::Tuple { name, .. } => name.clone(),
            Self::Pair { name, parts } if name.is_empty() => {
                format!("{} -> {}", parts.0.name(), parts.1.name())
            }
            Self::Pair { name, parts } => format!("{name}[{} -> {}]", parts.0.name(), parts.1.name()),
        }
    }

    /// The names of the coordinates in their order.
    pub(crate) fn each_coordinate<'a>(&'a self, see: &mut dyn FnMut(Option<&'a str>)) {
        match self {
            Self::None => {}
            Self::Tuple { coordinates, .. } => coordinates.iter().for_each(|name| see(name.as_deref())),
            Self::Pair { parts, .. } => {
                parts.0.each_coordinate(see);
                parts.1.each_coordinate(see);
            }
        }
    }
}

impl Owned<sys::isl_space> {
    pub(crate) fn dimension(&self, kind: sys::isl_dim_type) -> Result<usize> {
        // SAFETY: the space is kept.
        self.context().number(|| unsafe { sys::isl_space_dim(self.keep(), kind) })
    }

    /// The name of a parameter or a coordinate, if it has one.
    fn dimension_name(&self, kind: sys::isl_dim_type, at: usize) -> Result<Option<String>> {
        let at = c_uint::try_from(at).map_err(|_| Error::Overflow)?;
        // SAFETY: the space is kept, and there is such a dimension.
        let has_name =
            self.context().truth(|| unsafe { sys::isl_space_has_dim_name(self.keep(), kind, at) })?;
        // SAFETY: as before; the text belongs to the space, and is copied while the space is alive.
        Ok(if has_name {
            unsafe { text_of(sys::isl_space_get_dim_name(self.keep(), kind, at)) }
        } else {
            None
        })
    }

    /// The names of the parameters.
    pub(crate) fn parameters(&self) -> Result<Vec<String>> {
        let count = self.dimension(sys::PARAMETER)?;
        let name = |at| Ok(self.dimension_name(sys::PARAMETER, at)?.unwrap_or_default());
        (0..count).map(name).collect()
    }

    /// The tuple of a space of sets.
    pub(crate) fn shape(&self) -> Result<Shape> {
        let context = self.context();
        // SAFETY: the space is kept.
        if context.truth(|| unsafe { sys::isl_space_is_params(self.keep()) })? {
            return Ok(Shape::None);
        }
        // SAFETY: the space is kept.
        let has_name = context.truth(|| unsafe { sys::isl_space_has_tuple_name(self.keep(), sys::SET) })?;
        // SAFETY: as before; the text belongs to the space, and is copied while the space is alive.
        let name = if has_name {
            unsafe { text_of(sys::isl_space_get_tuple_name(self.keep(), sys::SET)) }
        } else {
            None
        };
        let name = name.unwrap_or_default();
        // SAFETY: the space is kept.
        if context.truth(|| unsafe { sys::isl_space_is_wrapping(self.keep()) })? {
            // SAFETY: each space is taken, and each result given.
            let (from, to) = unsafe {
                let pair = context.give(|| sys::isl_space_unwrap(self.take()))?;
                let from = context.give(|| sys::isl_space_domain(pair.take()))?;
                (from, context.give(|| sys::isl_space_range(pair.give_away()))?)
            };
            return Ok(Shape::Pair { name, parts: Box::new((from.shape()?, to.shape()?)) });
        }
        let count = self.dimension(sys::SET)?;
        let coordinates = (0..count).map(|at| self.dimension_name(sys::SET, at)).collect::<Result<_>>()?;
        Ok(Shape::Tuple { name, coordinates })
    }
}

/// A copy of a text of isl.
///
/// # Safety
///
/// The text is null or ends in zero.
pub(crate) unsafe fn text_of(text: *const c_char) -> Option<String> {
    // SAFETY: as the caller says.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

/// A text that isl has given.
///
/// # Safety
///
/// The text is null, or ends in zero and the caller owns its memory, which is gone afterwards.
pub(crate) unsafe fn given_text(text: *mut c_char) -> Option<String> {
    // SAFETY: as the caller says.
    let copy = unsafe { text_of(text) };
    // SAFETY: the memory is the caller's; null may be freed.
    unsafe { sys::free(text.cast()) };
    copy
}

/// An index or a length for isl.
pub(crate) fn index(index: usize) -> Result<c_int> {
    c_int::try_from(index).map_err(|_| Error::Overflow)
}

/// The same where isl wants it without a sign.
pub(crate) fn position(index: usize) -> Result<c_uint> {
    c_uint::try_from(index).map_err(|_| Error::Overflow)
}

/// The whole number that a value is.
pub(crate) fn integer(value: &Owned<sys::isl_val>) -> Result<i64> {
    let context = value.context();
    // SAFETY: the value is kept.
    if !context.truth(|| unsafe { sys::isl_val_is_int(value.keep()) })? {
        return Err(Error::Overflow);
    }
    // SAFETY: the value is kept.
    context.integer(|| unsafe { sys::isl_val_get_num_si(value.keep()) })
}

/// A value of isl.
#[allow(clippy::useless_conversion, reason = "a long has 32 bits on some machines")]
pub(crate) fn value(context: &Context, number: i64) -> Result<Owned<sys::isl_val>> {
    let number = number.try_into().map_err(|_| Error::Overflow)?;
    // SAFETY: the context is alive, and the value given.
    unsafe { context.give(|| sys::isl_val_int_from_si(context.isl(), number)) }
}
