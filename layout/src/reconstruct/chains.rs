//! The least sums of the parts of a struct: which repetition is the last one.
//!
//! A last part is a chain of equal blocks of length `q`. For a fixed row and a fixed node, what such a part costs grows by a fixed amount from
//! block to block, so that a running minimum along `j`, `j + q`, `j + 2q`, ... finds the best place where it starts in O(1): a `vec` costs
//! nothing more, an `idx` one index, an `idxbuc` of a given step an index and a size if the distance is another one. What a `vecbuc` costs,
//! `strides.rs` knows.
//!
//! A chain is made only where it beats everything else, and only as far to the left as it does: an edge that costs no less than a way
//! through more than one part is never needed.

use super::sequence::Sequence;
use super::strides::Strides;
use super::table::IMPOSSIBLE;
use crate::cost::CostModel;

/// Which node repeats the blocks of a chain, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Node {
    Vec,
    Idx,
    /// The distance of two blocks of a bucket.
    IdxBuc {
        step: i64,
    },
    VecBuc(Buckets),
}

/// Buckets that are equally far apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Buckets {
    /// The distance of the first blocks of two buckets. None stands for at most two buckets, which have one in any case.
    pub(super) stride: Option<i64>,
    /// The distance of two blocks of a bucket.
    pub(super) step: i64,
}

/// Blocks of length `q` that are equal, from `i` to `j`.
#[derive(Clone, Copy)]
pub(super) struct Repetition {
    pub(super) q: usize,
    pub(super) i: usize,
    pub(super) j: usize,
}

/// A last part of a struct that ends at a given place: two or more blocks of length `q`.
struct Chain {
    q: u32,
    /// What `strc` pays for the part, but for the list of the node.
    base: u32,
    /// What the last block adds to the list.
    last: u32,
    /// What the last two blocks are together.
    two: u32,
    /// Where [`Chains::best`] has the running minimum of this chain.
    slot: u32,
    /// The slot of the chain that ends one block earlier and whose parts all can be continued by the block that ends here.
    shorter: Option<u32>,
}

/// The chains that may be last parts of structs.
pub(super) struct Chains {
    cost: CostModel,
    /// For each end of a part its chains.
    ending_at: Vec<Vec<Chain>>,
    /// For each chain its node, and a place: parts that start there or further to the right are among those whose minimum is known.
    known: Vec<(Node, usize)>,
    /// In the row that is being filled, for each chain the least sum up to its start, with the cost of its list.
    best: Vec<u32>,
    strides: Strides,
}

impl Chains {
    /// None, for a sequence of `n` elements.
    pub(super) fn new(n: usize, cost: &CostModel) -> Self {
        Self {
            cost: *cost,
            ending_at: std::iter::repeat_with(Vec::new).take(n + 1).collect(),
            known: Vec::new(),
            best: Vec::new(),
            strides: Strides::new(n, cost.lookup),
        }
    }

    /// How many chains there are.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.best.len() + self.strides.len()
    }

    /// The least sum of at least two parts of `i..j`, the last of which is a chain; `sums` are those up to earlier places.
    ///
    /// In a row it is called for each `j` from `i + 1` on in turn.
    pub(super) fn last_part(&mut self, i: usize, j: usize, sums: &[u32]) -> u32 {
        let mut least = self.strides.last_part(i, j, sums);
        for chain in &self.ending_at[j] {
            let q = chain.q as usize;
            // A part that starts at i is no last part but all.
            let best = if j <= i + 2 * q {
                IMPOSSIBLE
            } else {
                let two = sums[j - 2 * q - i] + chain.two;
                match chain.shorter {
                    Some(shorter) => two.min(self.best[shorter as usize] + chain.last),
                    None => two,
                }
            };
            self.best[chain.slot as usize] = best;
            least = least.min(best + chain.base);
        }
        least
    }

    /// From now on, these blocks, each of which costs `block`, may be the last part of a struct.
    ///
    /// So may those of them that end earlier or start later: all these parts share their running minima.
    pub(super) fn admit(&mut self, sequence: &Sequence<'_>, node: Node, blocks: Repetition, block: u32) {
        let CostModel { vec, idx, idxbuc, vecbuc, lookup, .. } = self.cost;
        let base = block + 2 * lookup;
        match node {
            Node::Vec => self.extend(node, blocks, base + vec, |_| (0, 0)),
            Node::Idx => self.extend(node, blocks, base + idx, |_| (lookup, 2 * lookup)),
            Node::IdxBuc { step } => self.extend(node, blocks, base + idxbuc, |end| {
                let same_bucket = sequence.distance(end - 2 * blocks.q, end - blocks.q) == step;
                let last = if same_bucket { 0 } else { 2 * lookup };
                (last, 2 * lookup + last)
            }),
            Node::VecBuc(buckets) => self.strides.extend(sequence, buckets, blocks, base + vecbuc),
        }
    }

    /// `list` says what the last block that ends at a place adds to the list of the node, and what the last two are together.
    fn extend(&mut self, node: Node, blocks: Repetition, base: u32, list: impl Fn(usize) -> (u32, u32)) {
        let Repetition { q, i, j } = blocks;
        let mut longer: Option<(usize, usize)> = None;
        for end in (i + 2 * q..=j).rev().step_by(q) {
            let found = (self.ending_at[end].iter())
                .position(|chain| chain.q as usize == q && self.known[chain.slot as usize].0 == node);
            let at = found.unwrap_or_else(|| {
                let slot = self.best.len() as u32;
                let (last, two) = list(end);
                self.known.push((node, end));
                self.best.push(IMPOSSIBLE);
                self.ending_at[end].push(Chain { q: q as u32, base, last, two, slot, shorter: None });
                self.ending_at[end].len() - 1
            });
            let slot = self.ending_at[end][at].slot;
            if let Some((end, at)) = longer {
                self.ending_at[end][at].shorter = Some(slot);
            }
            let (_, from) = &mut self.known[slot as usize];
            if *from <= i {
                return;
            }
            *from = i;
            longer = Some((end, at));
        }
    }
}
