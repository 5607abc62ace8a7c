//! The pieces of an array that lie in one block of either distribution, one after the other.

use crate::dimension::{Cyclic, Dimension};

/// A dimension seen from one of its two sides.
#[derive(Clone, Copy)]
pub(crate) struct Side {
    pub(crate) mine: Cyclic,
    /// Index of the first element that is moved, in the array of this side.
    pub(crate) start: u64,
    pub(crate) other: Cyclic,
    pub(crate) other_start: u64,
}

/// Elements that are next to each other on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// The first of them, counted from the first element that is moved.
    pub(crate) first: u64,
    /// How many there are; at least 1.
    pub(crate) length: u64,
    /// The process that has them on the other side.
    pub(crate) other: u32,
}

impl Side {
    pub(crate) const fn of_sender(dimension: &Dimension) -> Self {
        Self {
            mine: dimension.from(),
            start: dimension.from_start(),
            other: dimension.to(),
            other_start: dimension.to_start(),
        }
    }

    pub(crate) const fn of_receiver(dimension: &Dimension) -> Self {
        Self {
            mine: dimension.to(),
            start: dimension.to_start(),
            other: dimension.from(),
            other_start: dimension.from_start(),
        }
    }

    /// The pieces that process `mine` has of the first `limit` elements, in order.
    ///
    /// Takes as long as there are pieces, and blocks of the process.
    pub(crate) fn for_each_piece(&self, mine: u32, limit: u64, mut act: impl FnMut(Piece)) {
        // An end of a block may lie a round beyond the largest index.
        let (round, block) = (u128::from(self.mine.round()), u128::from(self.mine.block()));
        let phase = u128::from(self.start) % round;
        let target_phase = self.other_start % self.other.round();
        let mut begin = u128::from(self.mine.position(mine)) * block;
        // A block that lies before the first element comes a round later.
        if begin + block <= phase {
            begin += round;
        }
        while begin < phase + u128::from(limit) {
            let mut low = (begin.max(phase) - phase) as u64;
            let high = (begin + block - phase).min(u128::from(limit)) as u64;
            while low < high {
                let target = target_phase + low;
                let end = high.min(low + (self.other.block() - target % self.other.block()));
                act(Piece { first: low, length: end - low, other: self.other.owner(target) });
                low = end;
            }
            begin += round;
        }
    }

    /// How many blocks of this side the first `limit` elements touch, and which block of a round is the first.
    pub(crate) fn blocks(&self, limit: u64) -> (u64, u64) {
        let (block, phase) = (self.mine.block(), self.start % self.mine.round());
        let touched = if limit == 0 { 0 } else { (phase % block + limit).div_ceil(block) };
        (phase / block, touched)
    }
}
