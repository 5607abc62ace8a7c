//! The costs of all parts of a sequence, in a little more than O(n^2) on all inputs that were tried.
//!
//! A part `i..j`, moved to 0, is a leaf, a repetition of a shorter part that starts at `i` too, or a `strc`. Rows are filled from the last
//! `i` to the first, each for growing `j`.
//!
//! *Repetitions.* `E(i, q)` counts how many steps from `i` on agree with those from `i + q` on; one row of it suffices, since
//! `E(i, q) = E(i + 1, q) + 1` if the first two agree. The blocks of length `q` at `i` and `i + q` are equal iff `E(i, q) >= q - 1`; of how
//! many equal blocks there are from `i` on, `R(i, q) = R(i + q, q) + 1`, the last `q` rows are kept. The first `c` blocks are an `idx` if
//! `R(i, q) >= c`, and a `vec` if also `E(i, q) >= (c - 1) q - 1`. Once the cost of `i..i + q` is known, it is passed on to `i..i + cq` for
//! all these `c`; where buckets are allowed, `buckets.rs` says how few of them the first `c` blocks are.
//!
//! *Structs.* `D(i, j)` is the least sum of the parts of `i..j`, each with what `strc` pays for it. The last part is a leaf or a repetition
//! (a `strc` in a `strc` is never cheaper than one); which one it is, `chains.rs` finds.

use super::buckets::{self, Prefix};
use super::chains::{Buckets, Chains, Node, Repetition};
use super::sequence::Sequence;
use super::table::{IMPOSSIBLE, Table};
use crate::cost::CostModel;

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

/// Fills in the costs of all parts, with or without buckets.
pub(super) fn fill(sequence: &Sequence<'_>, cost: &CostModel, with_buckets: bool, table: &mut Table) {
    fill_with(&mut Chains::new(sequence.len(), cost), sequence, cost, with_buckets, table);
}

/// [`fill`], with the chains, on the number of which the time depends.
fn fill_with(
    chains: &mut Chains,
    sequence: &Sequence<'_>,
    cost: &CostModel,
    with_buckets: bool,
    table: &mut Table,
) {
    let n = sequence.len();
    let part = 2 * cost.lookup;
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
            let parts = (before_leaf + cost.con + part).min(chains.last_part(i, j, &row.sums));
            let leaf = if j <= leaf_end { cost.con } else { IMPOSSIBLE };
            let repetition = row.repetition[length];
            let least = leaf.min(repetition).min(parts + cost.strc).min(IMPOSSIBLE);
            costs[length - 1] = least;
            row.sums[length] = parts.min(least + part);
            if repetition < leaf && repetition + part < parts {
                let (q, node) = row.block[length];
                let q = q as usize;
                chains.admit(sequence, node, Repetition { q, i, j }, costs[q - 1]);
            }
            if j + length <= n
                && agreeing[length] as usize >= length - 1
                && sequence.kinds[j - 1] == sequence.kinds[j + length - 1]
            {
                let count = blocks.count(i, length);
                let regular = count.min((agreeing[length] as usize + 1) / length + 1);
                row.repeat(length, count, regular, least, cost);
                if with_buckets {
                    let starts = (0..count).map(|k| sequence.at(i + k * length));
                    row.repeat_in_buckets(length, starts, regular, least, cost);
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
            self.note(c * q, least, q, node);
        }
    }

    /// The same for repetitions in buckets, for blocks that start there.
    fn repeat_in_buckets(
        &mut self,
        q: usize,
        starts: impl Iterator<Item = i64>,
        regular: usize,
        block: u32,
        cost: &CostModel,
    ) {
        let starts: Vec<i64> = starts.collect();
        for (c, Prefix { indexed, strided }) in (2..).zip(buckets::of_prefixes(&starts, regular)) {
            let (buckets, step) = indexed;
            self.note(c * q, block + cost.idxbuc + 2 * buckets * cost.lookup, q, Node::IdxBuc { step });
            if let Some((buckets, stride, step)) = strided {
                let least = block + cost.vecbuc + buckets * cost.lookup;
                let stride = (buckets > 2).then_some(stride);
                self.note(c * q, least, q, Node::VecBuc(Buckets { stride, step }));
            }
        }
    }

    /// So many elements cost no more than this, as repetitions of blocks of length `q`.
    fn note(&mut self, length: usize, least: u32, q: usize, node: Node) {
        if least < self.repetition[length] {
            self.repetition[length] = least;
            self.block[length] = (q as u32, node);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::basic::Basic;
    use crate::tree::Element;

    /// How many chains are made for bytes at these displacements.
    fn chains(displacements: impl Iterator<Item = i64>) -> usize {
        let elements: Vec<Element> = displacements.map(|at| Element::new(at, Basic::Byte)).collect();
        let (sequence, cost) = (Sequence::new(&elements).unwrap(), CostModel::default());
        let mut chains = Chains::new(sequence.len(), &cost);
        let mut table = Table::new(sequence.len()).unwrap();
        fill_with(&mut chains, &sequence, &cost, true, &mut table);
        chains.len()
    }

    /// As many for each element, however many elements there are: otherwise the search takes O(n^3) steps.
    #[test]
    fn chains_are_few() {
        const SIDE: i64 = 16;
        let n = 3 * SIDE * SIDE;
        let face = |a: i64, b: i64| (0..SIDE * SIDE).map(move |i| i / SIDE * a + i % SIDE * b);
        let faces = face(SIDE, 1).chain(face(SIDE * SIDE, 1)).chain(face(SIDE * SIDE, SIDE));
        let scattered = (0..n).map(|i| i * i * 7919 % 100_003);
        let runs = (0..n).map(|i| 1000 * (i / 16 * (i / 16) % 97 + i / 16 * 97) + i % 16 * 3);
        let vectors = (0..n).map(|i| i % 8 * 3 + i / 8 % 8 * 40 + i / 64 * 700);
        let families: [(&str, usize); 4] = [
            ("faces", chains(faces)),
            ("scattered", chains(scattered)),
            ("runs", chains(runs)),
            ("vectors", chains(vectors)),
        ];
        for (family, chains) in families {
            assert!(chains < 12 * n as usize, "{family}: {chains} chains for {n} elements");
        }
    }
}
