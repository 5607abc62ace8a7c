//! The costs of all parts of a sequence when buckets are allowed too, in O(n^3) simple steps.
//!
//! As `dp.rs`, but the last part of a struct is looked for among all: one pass over the row of each place where it may start.

use super::buckets;
use super::sequence::Sequence;
use super::table::{IMPOSSIBLE, Table};
use crate::cost::CostModel;

/// Fills in the costs of all parts.
pub(super) fn fill(sequence: &Sequence<'_>, cost: &CostModel, table: &mut Table) {
    let n = sequence.len();
    let part = 2 * cost.lookup;
    let mut repetition = vec![IMPOSSIBLE; n + 1];
    let mut parts = vec![IMPOSSIBLE; n + 1];
    let mut row = vec![IMPOSSIBLE; n];
    for i in (0..n).rev() {
        repetition[..=n - i].fill(IMPOSSIBLE);
        parts[..=n - i].fill(IMPOSSIBLE);
        let leaf_end = i + 1 + sequence.adjacent[i..].iter().take_while(|adjacent| **adjacent).count();
        for j in i + 1..=n {
            let length = j - i;
            let leaf = if j <= leaf_end { cost.con } else { IMPOSSIBLE };
            let least = leaf.min(repetition[length]).min(parts[length] + cost.strc);
            row[length - 1] = least;
            let sum = parts[length].min(least + part) + part;
            if j < n {
                for (through, last) in parts[length + 1..].iter_mut().zip(table.row(j)) {
                    *through = (*through).min(sum + last);
                }
            }
            repeat(sequence, cost, i, length, least, &mut repetition);
        }
        table.row_mut(i).copy_from_slice(&row[..n - i]);
    }
}

/// Passes the cost of the block of length `q` at `i` on to the repetitions of it.
fn repeat(sequence: &Sequence<'_>, cost: &CostModel, i: usize, q: usize, block: u32, repetition: &mut [u32]) {
    let n = sequence.len();
    let equal = (i + q..).step_by(q).take_while(|k| k + q <= n && sequence.blocks_equal(i, *k, q)).count();
    if equal == 0 {
        return;
    }
    let starts: Vec<i64> = (i..).step_by(q).take(equal + 1).map(|k| sequence.at(k)).collect();
    let regular =
        2 + (2..starts.len()).take_while(|k| starts[*k] - starts[k - 1] == starts[1] - starts[0]).count();
    let strided = buckets::strided_counts(&starts);
    for (c, (indexed, strided)) in (2..).zip(buckets::indexed_counts(&starts).zip(strided)) {
        let known = &mut repetition[c * q];
        *known = (*known).min(block + cost.idx + c as u32 * cost.lookup);
        *known = (*known).min(block + cost.idxbuc + 2 * indexed * cost.lookup);
        if c <= regular {
            *known = (*known).min(block + cost.vec);
        }
        if let Some(strided) = strided {
            *known = (*known).min(block + cost.vecbuc + strided * cost.lookup);
        }
    }
}
