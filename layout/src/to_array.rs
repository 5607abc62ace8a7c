//! From a layout back to a part of an array.

use crate::basic::Basic;
use crate::bounds::Bounds;
use crate::datatype::{Constructor, Datatype, Order};
use crate::layout::Layout;
use crate::tree::Tree;

impl Layout {
    /// The call of `MPI_Type_create_subarray`, in the order of C, that describes the same elements with the same bounds, if the tree shows that
    /// the layout is a box of an array of one basic datatype: nested `vec`, with at most one `idx` of one place above them.
    ///
    /// Dimensions that are whole are one with the dimension around them; so are those of a distributed array whose blocks are dealt evenly,
    /// which is a box of an array of more dimensions.
    pub fn subarray(&self) -> Option<Constructor> {
        let Loops { offset, levels, basic } = Loops::of(&self.tree)?;
        let unit = basic.size();
        // The innermost dimension may be a single element.
        let levels: Vec<(i64, i64)> = match levels.first() {
            Some((_, stride)) if *stride == unit => levels,
            _ => [(1, unit)].into_iter().chain(levels).collect(),
        };
        let ends = levels.iter().skip(1).map(|(_, stride)| *stride).chain([self.bounds.extent()]);
        let (mut sizes, mut subsizes, mut starts) = (Vec::new(), Vec::new(), Vec::new());
        for ((subsize, stride), end) in levels.iter().zip(ends) {
            if end < *stride || end % stride != 0 {
                return None;
            }
            // What is left of the offset beyond the next dimension is its start.
            let start = offset.rem_euclid(end) / stride;
            sizes.insert(0, end / stride);
            subsizes.insert(0, *subsize);
            starts.insert(0, start);
        }
        let found = Constructor::Subarray {
            sizes: sizes.into(),
            subsizes: subsizes.into(),
            starts: starts.into(),
            order: Order::C,
            child: basic.into(),
        };
        // Whatever does not fit shows here.
        let built = Datatype::from(found.clone()).layout().ok()?;
        let same = built.tree == self.tree && Bounds { set: self.bounds.set, ..built.bounds } == self.bounds;
        same.then_some(found)
    }
}

/// Nested loops over elements of one basic datatype.
struct Loops {
    /// Where they start, in bytes.
    offset: i64,
    /// How many copies, and how many bytes apart, the innermost first.
    levels: Vec<(i64, i64)>,
    basic: Basic,
}

impl Loops {
    fn of(tree: &Tree) -> Option<Self> {
        let (offset, mut node) = match tree {
            Tree::Idx { indices, child } if indices.len() == 1 => (indices[0], &**child),
            tree => (0, tree),
        };
        let mut levels = Vec::new();
        loop {
            match node {
                Tree::Vec { count, stride, child } if *stride > 0 => {
                    levels.push((i64::try_from(*count).ok()?, *stride));
                    node = child;
                }
                Tree::Con { count, basic } if *count > 0 => {
                    if *count > 1 {
                        levels.push((i64::try_from(*count).ok()?, basic.size()));
                    }
                    levels.reverse();
                    return Some(Self { offset, levels, basic: *basic });
                }
                _ => return None,
            }
        }
    }
}
