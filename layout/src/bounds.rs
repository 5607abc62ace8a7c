//! Bounds of datatypes, computed without their elements (MPI-4.1 section 5.1.7).

use crate::basic::Basic;
use crate::layout::LayoutError;
use crate::tree::Tree;

/// Displacements and bounds are at most this far from 0, in bytes, so that differences of sums of them are exact.
pub(crate) const FARTHEST: i64 = 1 << 61;

/// Where a datatype begins and ends, and what it holds.
///
/// `MPI_Type_create_resized` and the array constructors set the bounds; those that are set win over those of elements in all that is built
/// from them, as if they were entries of the typemap (the standard's `lb_marker` and `ub_marker`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Where a copy begins, in bytes.
    pub lower: i64,
    /// Where it ends, in bytes, with the padding that the alignment of the elements asks for.
    pub upper: i64,
    /// Whether a constructor has set these two.
    pub set: bool,
    /// The first byte of data; 0 if there is none.
    pub true_lower: i64,
    /// The byte after the last one of data; 0 if there is none.
    pub true_upper: i64,
    /// Bytes of data.
    pub size: i64,
    /// How many elements.
    pub elements: usize,
    /// The strictest alignment among the elements, in bytes.
    pub alignment: i64,
}

impl Bounds {
    /// Bytes from one copy to the next.
    pub fn extent(&self) -> i64 {
        self.upper - self.lower
    }

    /// Bytes from the first byte of data to the last one.
    pub fn true_extent(&self) -> i64 {
        self.true_upper - self.true_lower
    }

    /// Those of one element.
    pub fn of_basic(basic: Basic) -> Self {
        Self {
            lower: 0,
            upper: basic.size(),
            set: false,
            true_lower: 0,
            true_upper: basic.size(),
            size: basic.size(),
            elements: 1,
            alignment: basic.alignment(),
        }
    }

    /// Those of the elements of a tree.
    ///
    /// # Errors
    ///
    /// If a displacement is too far from 0, or the elements are too many to be counted.
    pub fn of_tree(tree: &Tree) -> Result<Self, LayoutError> {
        let mut parts = Parts::default();
        match tree {
            Tree::Con { count, basic } => parts.row(&Self::of_basic(*basic), *count as i128, basic.size())?,
            Tree::Vec { count, stride, child } => {
                parts.row(&Self::of_tree(child)?, *count as i128, *stride)?;
            }
            Tree::Idx { indices, child } => {
                let child = Self::of_tree(child)?;
                let ends = indices.iter().min().zip(indices.iter().max());
                if let Some((first, last)) = ends {
                    parts.add(&child, indices.len() as i128, (*first).into(), (*last).into())?;
                }
            }
            Tree::Strc { indices, children } => {
                for (index, child) in indices.iter().zip(children.iter()) {
                    parts.add(&Self::of_tree(child)?, 1, (*index).into(), (*index).into())?;
                }
            }
            Tree::VecBuc { stride, step, buckets, child } => {
                let child = Self::of_tree(child)?;
                for (size, i) in buckets.iter().zip(0_i128..) {
                    // Empty buckets have a place, too.
                    let at = near(i * i128::from(*stride))?;
                    parts.block(&child, *size as i128, at.into(), *step)?;
                }
            }
            Tree::IdxBuc { step, indices, buckets, child } => {
                let child = Self::of_tree(child)?;
                for (size, index) in buckets.iter().zip(indices.iter()) {
                    parts.block(&child, *size as i128, (*index).into(), *step)?;
                }
            }
        }
        parts.bounds()
    }

    /// The same data with bounds that are set.
    pub(crate) fn resized(self, lower: i128, extent: i128) -> Result<Self, LayoutError> {
        Ok(Self { lower: near(lower)?, upper: near(lower + extent)?, set: true, ..self })
    }
}

/// A place that is not too far from 0.
pub(crate) fn near(place: i128) -> Result<i64, LayoutError> {
    (i64::try_from(place).ok())
        .filter(|place| place.unsigned_abs() <= FARTHEST as u64)
        .ok_or(LayoutError::TooFar(place))
}

/// Copies of datatypes at places, whose bounds are wanted.
#[derive(Default)]
pub(crate) struct Parts {
    /// First and last byte of data.
    data: Option<(i128, i128)>,
    /// Bounds that are set.
    set: Option<(i128, i128)>,
    size: i128,
    elements: i128,
    alignment: i64,
}

impl Parts {
    /// `count` copies, the first and the last of which, by address, are at these places.
    pub(crate) fn add(
        &mut self,
        child: &Bounds,
        count: i128,
        first: i128,
        last: i128,
    ) -> Result<(), LayoutError> {
        if count == 0 {
            return Ok(());
        }
        let unite = |known: &mut Option<(i128, i128)>, lower: i64, upper: i64| -> Result<(), LayoutError> {
            let (lower, upper) = (first + i128::from(lower), last + i128::from(upper));
            near(lower)?;
            near(upper)?;
            *known = Some(known.map_or((lower, upper), |(a, b)| (a.min(lower), b.max(upper))));
            Ok(())
        };
        if child.elements > 0 {
            unite(&mut self.data, child.true_lower, child.true_upper)?;
        }
        if child.set {
            unite(&mut self.set, child.lower, child.upper)?;
        }
        // Both factors are below 2^64, so the products fit; the sums are checked before they grow.
        self.size += count * i128::from(child.size);
        self.elements += count * child.elements as i128;
        if self.size > i128::from(FARTHEST) || self.elements > i128::from(FARTHEST) {
            return Err(LayoutError::TooMany);
        }
        self.alignment = self.alignment.max(child.alignment);
        Ok(())
    }

    /// `count` copies, the first at 0, each `step` bytes behind the one before.
    pub(crate) fn row(&mut self, child: &Bounds, count: i128, step: i64) -> Result<(), LayoutError> {
        self.block(child, count, 0, step)
    }

    /// The same from `at` on.
    pub(crate) fn block(
        &mut self,
        child: &Bounds,
        count: i128,
        at: i128,
        step: i64,
    ) -> Result<(), LayoutError> {
        let last = (count - 1).max(0) * i128::from(step);
        self.add(child, count, at + last.min(0), at + last.max(0))
    }

    /// The bounds of all.
    pub(crate) fn bounds(&self) -> Result<Bounds, LayoutError> {
        let (true_lower, true_upper) = self.data.unwrap_or((0, 0));
        let alignment = self.alignment.max(1);
        let (lower, upper) = self.set.unwrap_or_else(|| {
            let extent = true_upper - true_lower;
            (true_lower, true_upper + (-extent).rem_euclid(alignment.into()))
        });
        Ok(Bounds {
            lower: near(lower)?,
            upper: near(upper)?,
            set: self.set.is_some(),
            true_lower: near(true_lower)?,
            true_upper: near(true_upper)?,
            size: near(self.size)?,
            elements: usize::try_from(self.elements).map_err(|_| LayoutError::TooMany)?,
            alignment,
        })
    }
}
