//! The costs of all parts of a sequence with the basic constructors, in a little more than O(n^2) on all inputs that were tried.
//!
//! A part `i..j`, moved to 0, is a leaf, a repetition of a shorter part that starts at `i` too, or a `strc`. Rows are filled from the last
//! `i` to the first, each for growing `j`.
//!
//! *Repetitions.* `E(i, q)` counts how many steps from `i` on agree with those from `i + q` on; one row of it suffices, since
//! `E(i, q) = E(i + 1, q) + 1` if the first two agree. The blocks of length `q` at `i` and `i + q` are equal iff `E(i, q) >= q - 1`; of how
//! many equal blocks there are from `i` on, `R(i, q) = R(i + q, q) + 1`, the last `q` rows are kept. The first `c` blocks are an `idx` if
//! `R(i, q) >= c`, and a `vec` if also `E(i, q) >= (c - 1) q - 1`. Once the cost of `i..i + q` is known, it is passed on to `i..i + cq` for
//! all these `c`.
//!
//! *Structs.* `D(i, j)` is the least sum of the parts of `i..j`, each with what `strc` pays for it. The last part is a leaf or a chain of
//! equal blocks of length `q` (a `strc` in a `strc` is never cheaper than one), so for a fixed row and a fixed `q` a running minimum along
//! `j`, `j + q`, `j + 2q`, ... finds the best last part in O(1). A chain ("family") is made only when it beats everything else somewhere:
//! an edge that costs no less than a way through more than one part is never needed.

use super::sequence::Sequence;
use super::table::{IMPOSSIBLE, Table};
use crate::cost::CostModel;

/// Which node repeats the blocks of a chain.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Node {
    Vec,
    Idx,
}

/// A last part of a struct that ends at a given place: two or more blocks of length `q`.
struct Chain {
    node: Node,
    q: u32,
    /// What `strc` pays for the part, but for the indices of an `idx`.
    base: u32,
    /// Where [`Structs::best`] has the running minimum of this chain.
    slot: u32,
    /// The slot of the chain that ends one block earlier and whose parts all can be continued by the block that ends here.
    shorter: Option<u32>,
}

/// The chains that may be last parts of structs.
struct Structs {
    lookup: u32,
    /// For each end of a part its chains.
    ending_at: Vec<Vec<Chain>>,
    /// In the row that is being filled, for each chain the least sum up to its start; of an `idx` with the cost of its indices.
    best: Vec<u32>,
}

impl Structs {
    /// The least sum of at least two parts up to `j`, the last of which is a chain; `sums` are those up to earlier places.
    fn last_chain(&mut self, i: usize, j: usize, sums: &[u32]) -> u32 {
        let mut least = IMPOSSIBLE;
        for chain in &self.ending_at[j] {
            let q = chain.q as usize;
            // A part that starts at i is no last part but all.
            let best = if j <= i + 2 * q {
                IMPOSSIBLE
            } else {
                let index = if chain.node == Node::Idx { self.lookup } else { 0 };
                let two = sums[j - 2 * q - i] + 2 * index;
                match chain.shorter {
                    Some(shorter) => two.min(self.best[shorter as usize] + index),
                    None => two,
                }
            };
            self.best[chain.slot as usize] = best;
            least = least.min(best + chain.base);
        }
        least
    }

    fn find(&self, node: Node, q: usize, j: usize) -> Option<usize> {
        (self.ending_at[j].iter()).position(|chain| chain.q as usize == q && chain.node == node)
    }

    fn add(&mut self, node: Node, q: usize, j: usize, base: u32) -> u32 {
        let slot = self.best.len() as u32;
        self.best.push(IMPOSSIBLE);
        self.ending_at[j].push(Chain { node, q: q as u32, base, slot, shorter: None });
        slot
    }

    /// From now on, the repetition `i..j` of blocks of length `q` may be the last part of a struct.
    ///
    /// Invariant: where a chain is kept, so is the one that ends a block earlier, as long as it has two blocks of what is known.
    fn admit(&mut self, node: Node, q: usize, i: usize, j: usize, base: u32) {
        if self.find(node, q, j).is_some() {
            return;
        }
        self.add(node, q, j, base);
        let mut end = j;
        while end >= i + 3 * q {
            let known = self.find(node, q, end - q);
            let shorter = match known {
                Some(at) => self.ending_at[end - q][at].slot,
                None => self.add(node, q, end - q, base),
            };
            // The chain at `end` was added just now, so it is the last.
            if let Some(chain) = self.ending_at[end].last_mut() {
                chain.shorter = Some(shorter);
            }
            if known.is_some() {
                return;
            }
            end -= q;
        }
    }

    /// Three blocks of length `q` from `i` on are a repetition: a chain of two that ends with the third can be continued to `i`.
    fn continue_to(&mut self, node: Node, q: usize, i: usize, base: u32) {
        let Some(at) = self.find(node, q, i + 3 * q) else { return };
        if self.ending_at[i + 3 * q][at].shorter.is_some() {
            return;
        }
        let shorter = match self.find(node, q, i + 2 * q) {
            Some(known) => self.ending_at[i + 2 * q][known].slot,
            None => self.add(node, q, i + 2 * q, base),
        };
        self.ending_at[i + 3 * q][at].shorter = Some(shorter);
    }
}

/// How many equal blocks there are from each of the last `q` places on, for each `q`.
struct Blocks {
    /// For each `q` the place of which there is a count, and the count, `q` of them in turn; places that say nothing count one block.
    rings: Vec<(u32, u32)>,
}

impl Blocks {
    fn new(n: usize) -> Self {
        let half = n / 2;
        Self {
            // Zeroed memory is not touched before it is used.
            rings: vec![(0, 0); half * (half + 1) / 2],
        }
    }

    fn at(&mut self, i: usize, q: usize) -> &mut (u32, u32) {
        &mut self.rings[q * (q - 1) / 2 + i % q]
    }

    /// The block at `i` is equal to the next one: how many equal ones there are.
    fn count(&mut self, i: usize, q: usize) -> usize {
        let (place, following) = *self.at(i + q, q);
        let count = if place as usize == i + q { following + 1 } else { 2 };
        *self.at(i, q) = (i as u32, count);
        count as usize
    }
}

/// What is known of a row of the table before its costs are final.
struct Row {
    /// For each end the least cost of a repetition, from the start of the row.
    repetition: Vec<u32>,
    /// Length of the block of that repetition, and its node.
    block: Vec<(u32, Node)>,
    /// Least sums of parts.
    sums: Vec<u32>,
}

/// Fills in the costs of all parts.
pub(super) fn fill(sequence: &Sequence<'_>, cost: &CostModel, table: &mut Table) {
    let n = sequence.len();
    let part = 2 * cost.lookup;
    let mut structs = Structs {
        lookup: cost.lookup,
        ending_at: std::iter::repeat_with(Vec::new).take(n + 1).collect(),
        best: Vec::new(),
    };
    let mut blocks = Blocks::new(n);
    let mut agreeing = vec![0_u32; n + 1];
    let mut row = Row {
        repetition: vec![IMPOSSIBLE; n + 1],
        block: vec![(0, Node::Vec); n + 1],
        sums: vec![IMPOSSIBLE; n + 1],
    };
    for i in (0..n).rev() {
        count_agreeing(&sequence.steps, i, &mut agreeing);
        row.repetition[..=n - i].fill(IMPOSSIBLE);
        // What ends at a place of the row is indexed by its length from here on.
        row.sums[0] = 0;
        let leaf_end = i + 1 + sequence.adjacent[i..].iter().take_while(|adjacent| **adjacent).count();
        let costs = table.row_mut(i);
        let mut before_leaf = IMPOSSIBLE;
        for j in i + 1..=n {
            let length = j - i;
            // The best sum up to the start of a leaf that ends at j; leaves that start at i are no last parts.
            before_leaf = match length {
                1 => IMPOSSIBLE,
                _ if sequence_continues(sequence, j) => before_leaf.min(last_start(&row.sums, i, j)),
                _ => last_start(&row.sums, i, j),
            };
            let parts = (before_leaf + cost.con + part).min(structs.last_chain(i, j, &row.sums));
            let leaf = if j <= leaf_end { cost.con } else { IMPOSSIBLE };
            let repetition = row.repetition[length];
            let least = leaf.min(repetition).min(parts + cost.strc).min(IMPOSSIBLE);
            costs[length - 1] = least;
            row.sums[length] = parts.min(least + part);
            if repetition < leaf && repetition + part < parts {
                let (q, node) = row.block[length];
                let q = q as usize;
                let child = costs[q - 1];
                structs.admit(
                    node,
                    q,
                    i,
                    j,
                    child + part + if node == Node::Vec { cost.vec } else { cost.idx },
                );
            }
            if j + length <= n
                && agreeing[length] as usize >= length - 1
                && sequence.kinds[j - 1] == sequence.kinds[j + length - 1]
            {
                let count = blocks.count(i, length);
                let regular = count.min((agreeing[length] as usize + 1) / length + 1);
                row.repeat(length, count, regular, least, cost);
                if count >= 3 {
                    structs.continue_to(Node::Idx, length, i, least + part + cost.idx);
                    if regular >= 3 {
                        structs.continue_to(Node::Vec, length, i, least + part + cost.vec);
                    }
                }
            }
        }
    }
}

impl Row {
    /// Passes the cost of a block on to `count` repetitions of it, of which the first `regular` are equally far apart.
    fn repeat(&mut self, q: usize, count: usize, regular: usize, block: u32, cost: &CostModel) {
        for c in 2..=count {
            let idx = block + cost.idx + c as u32 * cost.lookup;
            let vec = block + cost.vec;
            let (least, node) = if c <= regular && vec <= idx { (vec, Node::Vec) } else { (idx, Node::Idx) };
            if least < self.repetition[c * q] {
                self.repetition[c * q] = least;
                self.block[c * q] = (q as u32, node);
            }
        }
    }
}

/// Brings `agreeing`, which has `E(i + 1, q)` for each `q`, to `i`.
fn count_agreeing(steps: &[u32], i: usize, agreeing: &mut [u32]) {
    let Some((first, following)) = steps.get(i..).and_then(<[u32]>::split_first) else {
        return;
    };
    for (count, step) in agreeing[1..].iter_mut().zip(following) {
        *count = if step == first { *count + 1 } else { 0 };
    }
    agreeing[1 + following.len()] = 0;
}

/// Whether the element before `j` continues a leaf.
fn sequence_continues(sequence: &Sequence<'_>, j: usize) -> bool {
    sequence.adjacent[j - 2]
}

/// The sum up to the start of the last element of `i..j`.
fn last_start(sums: &[u32], i: usize, j: usize) -> u32 {
    sums[j - 1 - i]
}
