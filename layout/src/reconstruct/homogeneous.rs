//! The cheapest tree of `con`, `vec` and `idx` only, without a table of all parts.
//!
//! Each node of such a tree describes a prefix, moved to 0 or not, whose length divides that of its parent (Kalany and Träff 2015). With
//! the number of steps on which the sequence agrees with itself moved by `q` (its Z-array, O(n)), a prefix of `m` elements is compared with
//! its blocks in O(m / q), so all takes O(n sqrt(n)).

use std::sync::Arc;

use super::sequence::Sequence;
use super::table::IMPOSSIBLE;
use crate::cost::CostModel;
use crate::tree::Tree;

/// The cheapest such tree; there is none if the sequence is no repetition of a leaf.
pub(super) fn tree(sequence: &Sequence<'_>, cost: &CostModel) -> Option<Tree> {
    let n = sequence.len();
    let search = Search {
        sequence,
        cost,
        agreeing: agreement_with_itself(&sequence.steps),
        leaf: 1 + sequence.adjacent.iter().take_while(|adjacent| **adjacent).count(),
    };
    let mut divisors: Vec<usize> =
        (1..=n.isqrt()).filter(|q| n.is_multiple_of(*q)).flat_map(|q| [q, n / q]).collect();
    divisors.sort_unstable();
    divisors.dedup();
    let mut known: Vec<[Option<(u32, Root)>; 2]> = Vec::new();
    for (number, &m) in divisors.iter().enumerate() {
        known.push([false, true].map(|shifted| search.best(m, shifted, &divisors[..number], &known)));
    }
    let shifted = sequence.at(0) != 0;
    known.last()?[usize::from(shifted)]?;
    Some(search.build(divisors.len() - 1, shifted, &divisors, &known))
}

/// The root of a tree for a prefix; the number says which of the divisors the length of its block is.
#[derive(Clone, Copy)]
enum Root {
    Con,
    Vec(usize),
    Idx(usize),
    /// An `idx` of one place, which moves what is not moved.
    Move,
}

struct Search<'a> {
    sequence: &'a Sequence<'a>,
    cost: &'a CostModel,
    agreeing: Vec<usize>,
    leaf: usize,
}

impl Search<'_> {
    /// The least cost for the first `m` elements, where they are or moved to 0, given that for shorter prefixes.
    fn best(
        &self,
        m: usize,
        shifted: bool,
        shorter: &[usize],
        known: &[[Option<(u32, Root)>; 2]],
    ) -> Option<(u32, Root)> {
        let mut best = (IMPOSSIBLE, Root::Con);
        let mut consider = |cost: u32, root: Root| {
            if cost < best.0 {
                best = (cost, root);
            }
        };
        if !shifted && m <= self.leaf {
            consider(self.cost.con, Root::Con);
        }
        // Of those that cost the same the one of the longest block, a `vec` before an `idx`.
        for (number, &q) in shorter.iter().enumerate().rev().filter(|(_, q)| m.is_multiple_of(**q)) {
            if !(q..m).step_by(q).all(|k| self.equal_to_first(k, q)) {
                continue;
            }
            if let Some((below, _)) = known[number][usize::from(shifted)]
                && self.agreeing[q] + q + 1 >= m
            {
                consider(below + self.cost.vec, Root::Vec(number));
            }
            if let Some((below, _)) = known[number][0] {
                consider(below + self.cost.idx + (m / q) as u32 * self.cost.lookup, Root::Idx(number));
            }
        }
        if shifted && let Some((below, _)) = self.best(m, false, shorter, known) {
            let moved = below + self.cost.idx + self.cost.lookup;
            if moved < best.0 {
                best = (moved, Root::Move);
            }
        }
        (best.0 < IMPOSSIBLE).then_some(best)
    }

    fn equal_to_first(&self, k: usize, q: usize) -> bool {
        self.agreeing[k] + 1 >= q && self.sequence.kinds[q - 1] == self.sequence.kinds[k + q - 1]
    }

    fn build(
        &self,
        number: usize,
        shifted: bool,
        divisors: &[usize],
        known: &[[Option<(u32, Root)>; 2]],
    ) -> Tree {
        let m = divisors[number];
        let origin = if shifted { 0 } else { self.sequence.at(0) };
        let indices =
            |q: usize| -> Arc<[i64]> { (0..m).step_by(q).map(|k| self.sequence.at(k) - origin).collect() };
        let below = |number: usize, shifted: bool| self.build(number, shifted, divisors, known);
        match known[number][usize::from(shifted)] {
            Some((_, Root::Vec(block))) => {
                let q = divisors[block];
                Tree::vec(m / q, self.sequence.distance(0, q), below(block, shifted))
            }
            Some((_, Root::Idx(block))) => Tree::idx(indices(divisors[block]), below(block, false)),
            Some((_, Root::Move)) => Tree::idx(indices(m), below(number, false)),
            // Where nothing is known nobody asks.
            Some((_, Root::Con)) | None => Tree::con(m, self.sequence.basic(0)),
        }
    }
}

/// For each `q` on how many steps from the first on the sequence agrees with itself moved by `q` (the Z-array).
fn agreement_with_itself(steps: &[u32]) -> Vec<usize> {
    let n = steps.len();
    let mut agreeing = vec![0; n + 1];
    agreeing[0] = n;
    let (mut left, mut right) = (0, 0);
    for q in 1..n {
        let mut count = if q < right { agreeing[q - left].min(right - q) } else { 0 };
        while q + count < n && steps[count] == steps[q + count] {
            count += 1;
        }
        agreeing[q] = count;
        if q + count > right {
            (left, right) = (q, q + count);
        }
    }
    agreeing
}
