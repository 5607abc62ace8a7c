//! Typemaps: what a datatype describes, element by element, with its bounds (MPI-4.1 section 5.1).

use crate::basic::Basic;
use crate::layout::Layout;
use crate::tree::{Element, Tree};

/// A sequence of elements with bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Typemap {
    /// The elements in the order in which they are packed.
    pub elements: Vec<Element>,
    /// Where a copy of the datatype begins, in bytes.
    pub lower_bound: i64,
    /// From one copy to the next, in bytes: upper minus lower bound.
    pub extent: i64,
}

impl Typemap {
    /// The typemap of these elements with the bounds that the standard gives it: from the first to the last byte, and as much more as the
    /// strictest alignment of its elements asks for.
    pub fn new(elements: Vec<Element>) -> Self {
        let (lower_bound, upper_bound) = bounds(&elements);
        let alignment = elements.iter().map(|e| e.basic.alignment()).max().unwrap_or(1);
        let extent = upper_bound - lower_bound;
        Self { elements, lower_bound, extent: extent + (-extent).rem_euclid(alignment) }
    }

    /// The typemap that a tree describes.
    pub fn of(tree: &Tree) -> Self {
        Self::new(tree.flatten())
    }

    /// The typemap of a datatype; as long as its elements are many.
    pub fn of_layout(layout: &Layout) -> Self {
        let Layout { tree, bounds } = layout;
        Self { elements: tree.flatten(), lower_bound: bounds.lower, extent: bounds.extent() }
    }

    /// The same elements with other bounds, as of `MPI_Type_create_resized`.
    #[must_use]
    pub fn resized(self, lower_bound: i64, extent: i64) -> Self {
        Self { lower_bound, extent, ..self }
    }

    /// Bytes of data.
    pub fn size(&self) -> i64 {
        self.elements.iter().map(|e| e.basic.size()).sum()
    }

    /// Where the first byte of data is; 0 if there is none.
    pub fn true_lower_bound(&self) -> i64 {
        bounds(&self.elements).0
    }

    /// From the first byte of data to the last one.
    pub fn true_extent(&self) -> i64 {
        let (first, end) = bounds(&self.elements);
        end - first
    }

    /// The basic datatypes in order, which both sides of a message have to agree on.
    pub fn signature(&self) -> impl ExactSizeIterator<Item = Basic> {
        self.elements.iter().map(|e| e.basic)
    }

    /// Two elements that share a byte, if there are such: a datatype to receive with must have none (MPI-4.1 section 3.2.4).
    ///
    /// Of the pairs the one at the lowest address is returned, in the order of addresses.
    pub fn overlap(&self) -> Option<(Element, Element)> {
        let mut sorted = self.elements.clone();
        sorted.sort_by_key(|e| e.displacement);
        // Sizes are positive, so two neighbours overlap if any two do.
        (sorted.windows(2))
            .find(|pair| pair[0].displacement + pair[0].basic.size() > pair[1].displacement)
            .map(|pair| (pair[0], pair[1]))
    }
}

/// The first byte, and the one after the last.
fn bounds(elements: &[Element]) -> (i64, i64) {
    let first = elements.iter().map(|e| e.displacement).min().unwrap_or(0);
    let end = elements.iter().map(|e| e.displacement + e.basic.size()).max().unwrap_or(0);
    (first, end)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The standard's example 5.1: a double at 0 and a character at 8 have the extent 16.
    #[test]
    fn bounds_are_padded_to_the_strictest_alignment() {
        let record = Tree::strc([0, 8], [Tree::con(1, Basic::Double), Tree::con(1, Basic::Char)]);
        let map = Typemap::of(&record);
        assert_eq!((map.lower_bound, map.extent, map.size(), map.true_extent()), (0, 16, 9, 9));
        assert_eq!(map.signature().collect::<Vec<_>>(), [Basic::Double, Basic::Char]);
        let moved = Typemap::of(&Tree::vec(2, -32, record)).resized(-8, 100);
        assert_eq!((moved.true_lower_bound(), moved.true_extent()), (-32, 41));
        assert_eq!((moved.lower_bound, moved.extent), (-8, 100));
    }

    #[test]
    fn overlaps_are_found_at_any_distance_in_the_sequence() {
        let apart = Tree::idx([16, 0, 8], Tree::con(1, Basic::Double));
        assert_eq!(Typemap::of(&apart).overlap(), None);
        let touching = Tree::idx([16, 0, 12], Tree::con(1, Basic::Double));
        let pair = (Element::new(12, Basic::Double), Element::new(16, Basic::Double));
        assert_eq!(Typemap::of(&touching).overlap(), Some(pair));
    }
}
