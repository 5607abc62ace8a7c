//! From the costs of all parts to a tree.

use super::sequence::Sequence;
use super::table::{IMPOSSIBLE, Table};
use super::{Constructors, Options, buckets};
use crate::cost::CostModel;
use crate::tree::Tree;

/// A cheapest tree for the whole sequence.
pub(super) fn tree(sequence: &Sequence<'_>, table: &Table, options: &Options) -> Tree {
    let extract = Extract {
        sequence,
        table,
        cost: options.cost,
        extended: options.constructors == Constructors::Extended,
    };
    if sequence.at(0) == 0 { extract.normalized(0, sequence.len()) } else { extract.shifted() }
}

struct Extract<'a> {
    sequence: &'a Sequence<'a>,
    table: &'a Table,
    cost: CostModel,
    extended: bool,
}

impl Extract<'_> {
    /// A cheapest tree for the part `i..j` moved to 0.
    fn normalized(&self, i: usize, j: usize) -> Tree {
        let least = self.table.cost(i, j);
        if self.sequence.is_con(i, j) && least == self.cost.con {
            return Tree::con(j - i, self.sequence.basic(i));
        }
        self.repetition(i, j, least).unwrap_or_else(|| {
            let starts = self.struct_parts(i, j);
            self.strc(i, &starts, j)
        })
    }

    /// A repetition of that cost, if there is one: of those that cost the same, a `vec` before lists, and the one of the longest block.
    fn repetition(&self, i: usize, j: usize, least: u32) -> Option<Tree> {
        let blocks: Vec<usize> =
            (1..=(j - i) / 2).rev().filter(|q| self.sequence.repeats(i, j, *q)).collect();
        let block = |q: usize| self.table.cost(i, i + q);
        let vec = blocks.iter().find_map(|&q| {
            let stride = self.sequence.stride(i, j, q)?;
            let found = block(q) + self.cost.vec == least;
            found.then(|| Tree::vec((j - i) / q, stride, self.normalized(i, i + q)))
        });
        vec.or_else(|| {
            let indexed = |q: usize| block(q) + self.cost.idx + ((j - i) / q) as u32 * self.cost.lookup;
            let q = *blocks.iter().find(|q| indexed(**q) == least)?;
            let indices: Vec<i64> =
                self.starts(i, j, q).iter().map(|start| start - self.sequence.at(i)).collect();
            Some(Tree::idx(indices, self.normalized(i, i + q)))
        })
        .or_else(|| {
            let blocks = if self.extended { blocks.as_slice() } else { &[] };
            blocks.iter().find_map(|&q| self.buckets(i, j, q, least))
        })
    }

    /// Buckets of blocks of length `q`, if there are some of that cost.
    fn buckets(&self, i: usize, j: usize, q: usize, least: u32) -> Option<Tree> {
        let block = self.table.cost(i, i + q);
        let starts = self.starts(i, j, q);
        let strided = buckets::strided(&starts).filter(|found| {
            block + self.cost.vecbuc + found.buckets.len() as u32 * self.cost.lookup == least
        });
        if let Some(found) = strided {
            return Some(found.over(self.normalized(i, i + q)));
        }
        let found = buckets::indexed(&starts);
        (block + self.cost.idxbuc + 2 * found.buckets.len() as u32 * self.cost.lookup == least)
            .then(|| found.over(starts[0], self.normalized(i, i + q)))
    }

    /// Where the blocks of length `q` of a part start, in bytes.
    fn starts(&self, i: usize, j: usize, q: usize) -> Vec<i64> {
        (i..j).step_by(q).map(|k| self.sequence.at(k)).collect()
    }

    /// The struct of the parts that begin at `starts`, moved so that `origin` is at 0.
    fn strc(&self, origin: usize, starts: &[usize], end: usize) -> Tree {
        let ends = starts.iter().skip(1).chain([&end]);
        let children: Vec<Tree> = starts.iter().zip(ends).map(|(i, j)| self.normalized(*i, *j)).collect();
        let indices: Vec<i64> = starts.iter().map(|start| self.sequence.distance(origin, *start)).collect();
        Tree::strc(indices, children)
    }

    /// Where the parts of a cheapest struct of at least two parts for `i..j` begin.
    fn struct_parts(&self, i: usize, j: usize) -> Vec<usize> {
        let part = 2 * self.cost.lookup;
        let mut sums = vec![IMPOSSIBLE; j - i + 1];
        let mut before = vec![i; j - i + 1];
        sums[0] = 0;
        for k in i..j {
            let sum = sums[k - i] + part;
            // The part that is all of it is no part of a struct of two.
            let whole = usize::from(k == i);
            for (offset, cost) in self.table.row(k)[..j - k - whole].iter().enumerate() {
                let end = k - i + offset + 1;
                if sum + cost < sums[end] {
                    sums[end] = sum + cost;
                    before[end] = k;
                }
            }
        }
        let mut starts = Vec::new();
        let mut end = j;
        while end > i {
            end = before[end - i];
            starts.push(end);
        }
        starts.reverse();
        starts
    }

    /// A cheapest tree for a sequence that does not begin at 0.
    ///
    /// The paper's lemma 5, corrected: the node that carries the shift need not be the root, but may be below nodes `vec` and `vecbuc` that
    /// stay as they are.
    fn shifted(&self) -> Tree {
        let n = self.sequence.len();
        let shift = self.sequence.at(0);
        let mut least = vec![IMPOSSIBLE; n + 1];
        let mut root = vec![Carrier::Idx(0); n + 1];
        for m in 1..=n {
            let mut consider = |cost: u32, carrier: Carrier| {
                if cost < least[m] {
                    least[m] = cost;
                    root[m] = carrier;
                }
            };
            consider(self.table.cost(0, m) + self.cost.idx + self.cost.lookup, Carrier::Idx(m));
            consider(self.table.cost(0, m) + self.cost.strc + 2 * self.cost.lookup, Carrier::Single);
        }
        for &m in &self.prefixes() {
            for q in self.blocks(m) {
                let count = (m / q) as u32;
                let block = self.table.cost(0, q);
                let mut candidates =
                    vec![(block + self.cost.idx + count * self.cost.lookup, Carrier::Idx(q))];
                if self.sequence.stride(0, m, q).is_some() {
                    candidates.push((least[q] + self.cost.vec, Carrier::Vec(q)));
                }
                if self.extended {
                    let starts = self.starts(0, m, q);
                    let indexed = buckets::indexed(&starts).buckets.len() as u32;
                    candidates.push((
                        block + self.cost.idxbuc + 2 * indexed * self.cost.lookup,
                        Carrier::IdxBuc(q),
                    ));
                    if let Some(strided) = buckets::strided(&starts) {
                        let list = strided.buckets.len() as u32 * self.cost.lookup;
                        candidates.push((least[q] + self.cost.vecbuc + list, Carrier::VecBuc(q)));
                    }
                }
                for (cost, carrier) in candidates {
                    if cost < least[m] {
                        least[m] = cost;
                        root[m] = carrier;
                    }
                }
            }
            if m > 1 {
                let starts = self.struct_parts(0, m);
                let ends = starts.iter().skip(1).chain([&m]);
                let parts: u32 = starts
                    .iter()
                    .zip(ends)
                    .map(|(i, j)| self.table.cost(*i, *j) + 2 * self.cost.lookup)
                    .sum();
                if parts + self.cost.strc < least[m] {
                    least[m] = parts + self.cost.strc;
                    root[m] = Carrier::Strc;
                }
            }
        }
        self.carried(&root, n, shift)
    }

    /// The lengths of blocks that the first `m` elements are repetitions of.
    fn blocks(&self, m: usize) -> impl Iterator<Item = usize> {
        (1..=m / 2).filter(move |q| m.is_multiple_of(*q) && self.sequence.repeats(0, m, *q))
    }

    /// The lengths of prefixes that may be below nodes that cannot carry a shift, the shortest first, and all.
    fn prefixes(&self) -> Vec<usize> {
        let mut found = vec![self.sequence.len()];
        let mut next = 0;
        while let Some(&m) = found.get(next) {
            next += 1;
            for q in self.blocks(m) {
                let regular = self.sequence.stride(0, m, q).is_some();
                if (regular || self.extended) && !found.contains(&q) {
                    found.push(q);
                }
            }
        }
        found.sort_unstable();
        found
    }

    fn carried(&self, root: &[Carrier], m: usize, shift: i64) -> Tree {
        let indices = |q: usize| self.starts(0, m, q);
        match root[m] {
            Carrier::Idx(q) => Tree::idx(indices(q), self.normalized(0, q)),
            Carrier::Single => Tree::strc([shift], [self.normalized(0, m)]),
            Carrier::Vec(q) => Tree::vec(m / q, self.sequence.distance(0, q), self.carried(root, q, shift)),
            Carrier::IdxBuc(q) => buckets::indexed(&indices(q)).over(0, self.normalized(0, q)),
            Carrier::VecBuc(q) => match buckets::strided(&indices(q)) {
                Some(strided) => strided.over(self.carried(root, q, shift)),
                // It was found before: an index list says the same.
                None => Tree::idx(indices(q), self.normalized(0, q)),
            },
            Carrier::Strc => {
                let starts = self.struct_parts(0, m);
                let ends = starts.iter().skip(1).chain([&m]);
                let children: Vec<Tree> =
                    starts.iter().zip(ends).map(|(i, j)| self.normalized(*i, *j)).collect();
                let indices: Vec<i64> = starts.iter().map(|start| self.sequence.at(*start)).collect();
                Tree::strc(indices, children)
            }
        }
    }
}

/// The root of a tree for a prefix that is not moved to 0; the number is the length of the block that is repeated.
#[derive(Clone, Copy)]
enum Carrier {
    /// An `idx` whose indices carry the shift.
    Idx(usize),
    /// A `vec` whose child carries it.
    Vec(usize),
    /// An `idxbuc` whose indices carry it.
    IdxBuc(usize),
    /// A `vecbuc` whose child carries it.
    VecBuc(usize),
    /// A `strc` of one child.
    Single,
    /// A `strc` of at least two.
    Strc,
}
