//! Where the elements of a message are in the memory of its sender and its receiver, as type trees of crate `layout`.
//!
//! In one dimension these are runs of consecutive elements, the same in each period of the pattern. So the tree is a list of the runs of one
//! period, repeated, and what is left of a period; with several dimensions there is such a tree in each place of the next one.

use layout::{Basic, Tree};

use crate::dimension::Dimension;
use crate::overlaps::Side;
use crate::problem::{Order, Redistribution};

/// Consecutive elements: where the first one is in memory, and how many there are.
#[derive(Clone, Copy, Debug)]
struct Run {
    local: u64,
    length: u64,
}

impl Redistribution {
    /// Where the sender `from` has the elements that go to the receiver `to`, in the order of indices; `None` if there are none.
    ///
    /// Displacements are bytes from the beginning of the sender's part of the array, which is stored without gaps as far as it is needed,
    /// with the last index next to each other in memory (`RowMajor`) or the first one. The receiver's tree lists the same elements in the same
    /// order.
    ///
    /// # Panics
    ///
    /// If there is no such process, or its part of the array is larger than memory can be.
    pub fn send_tree(&self, from: u32, to: u32, storage: Order, basic: Basic) -> Option<Tree> {
        self.tree(from, to, storage, basic, true)
    }

    /// Where the receiver `to` will have what comes from the sender `from`; see [`send_tree`](Self::send_tree).
    ///
    /// # Panics
    ///
    /// As there.
    pub fn receive_tree(&self, from: u32, to: u32, storage: Order, basic: Basic) -> Option<Tree> {
        self.tree(from, to, storage, basic, false)
    }

    fn tree(&self, from: u32, to: u32, storage: Order, basic: Basic, sending: bool) -> Option<Tree> {
        let (senders, receivers) = (self.sender_coordinates(from), self.receiver_coordinates(to));
        let mut axes: Vec<usize> = (0..self.dimensions().len()).collect();
        if storage == Order::RowMajor {
            axes.reverse();
        }
        // From the dimension whose elements are next to each other outwards.
        let mut tree: Option<Tree> = None;
        let mut stride = basic.size();
        for axis in axes {
            let dimension = &self.dimensions()[axis];
            let (side, mine, other) = if sending {
                (Side::of_sender(dimension), senders[axis], receivers[axis])
            } else {
                (Side::of_receiver(dimension), receivers[axis], senders[axis])
            };
            tree = Some(side.tree(dimension, mine, other, stride, tree, basic)?);
            let extent = side.mine.local_length(side.start + dimension.length(), mine);
            stride = i64::try_from(extent)
                .ok()
                .and_then(|extent| stride.checked_mul(extent))
                .expect("it is in memory");
        }
        tree
    }
}

impl Side {
    /// What `mine` and `other` share in the first `limit` elements.
    fn runs(&self, mine: u32, other: u32, limit: u64) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        self.for_each_piece(mine, limit, |piece| {
            if piece.other == other {
                let local = self.mine.local_index(self.start + piece.first);
                match runs.last_mut() {
                    Some(last) if last.local + last.length == local => last.length += piece.length,
                    _ => runs.push(Run { local, length: piece.length }),
                }
            }
        });
        runs
    }

    fn tree(
        &self,
        dimension: &Dimension,
        mine: u32,
        other: u32,
        stride: i64,
        inner: Option<Tree>,
        basic: Basic,
    ) -> Option<Tree> {
        let (period, length) = (dimension.period(), dimension.length());
        let (whole, rest) = (length / period, length % period);
        let runs = if whole > 0 { self.runs(mine, other, period) } else { Vec::new() };
        let begun = self.runs(mine, other, rest);
        let each = move |runs: &[Run]| list(runs, stride, inner.as_ref(), basic);
        let step = stride * (period / self.mine.round() * self.mine.block()) as i64;
        let all = (!runs.is_empty()).then(|| match whole {
            1 => each(&runs),
            _ => Tree::vec(whole as usize, step, each(&runs)),
        });
        let last = (!begun.is_empty()).then(|| each(&begun));
        match (all, last) {
            (Some(all), Some(last)) => Some(Tree::strc([0, step * whole as i64], [all, last])),
            (one, other) => one.or(other),
        }
    }
}

/// The elements of runs, or in the place of each what lies in the inner dimensions.
fn list(runs: &[Run], stride: i64, inner: Option<&Tree>, basic: Basic) -> Tree {
    let of_length = |length: u64| match inner {
        None => Tree::con(length as usize, basic),
        Some(inner) => Tree::vec(length as usize, stride, inner.clone()),
    };
    let indices: Vec<i64> = runs.iter().map(|run| run.local as i64 * stride).collect();
    if let [only] = runs {
        let tree = of_length(only.length);
        return if only.local == 0 { tree } else { Tree::idx(indices, tree) };
    }
    if runs.iter().all(|run| run.length == runs[0].length) {
        Tree::idx(indices, of_length(runs[0].length))
    } else {
        let children: Vec<Tree> = runs.iter().map(|run| of_length(run.length)).collect();
        Tree::strc(indices, children)
    }
}
