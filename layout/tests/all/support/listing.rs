//! The algorithm of Ganian, Kalany, Szeider and Träff (2018) as their listings have it, corrected where `docs/errata.md` says so.
//!
//! It is here to be compared with, and to be slower.

use layout::{CostModel, Element};

/// The cost of the cheapest tree for the elements moved to 0, in O(n^4).
pub(crate) fn least_cost(elements: &[Element], cost: &CostModel) -> u32 {
    let n = elements.len();
    let mut table = vec![vec![u32::MAX / 4; n + 1]; n + 1];
    for (i, row) in table[..n].iter_mut().enumerate() {
        let mut j = i + 1;
        loop {
            row[j] = cost.con;
            let follows =
                |a: Element, b: Element| b == Element::new(a.displacement + a.basic.size(), a.basic);
            if j == n || !follows(elements[j - 1], elements[j]) {
                break;
            }
            j += 1;
        }
    }
    for length in 2..=n {
        for i in 0..=n - length {
            let j = i + length;
            let least = table[i][j]
                .min(repetition(elements, i, j, &table, cost))
                .min(path(i, j, &table, cost) + cost.strc);
            table[i][j] = least;
        }
    }
    table[0][n]
}

/// Listings 3 and 4.
fn repetition(elements: &[Element], i: usize, j: usize, table: &[Vec<u32>], cost: &CostModel) -> u32 {
    let n = j - i;
    let d = |k: usize| elements[k].displacement;
    // The elements at a and b, the same but for where they are, seen from where their blocks start.
    let alike = |a: usize, from: usize, b: usize, other: usize| {
        elements[a].basic == elements[b].basic && d(a) - d(from) == d(b) - d(other)
    };
    let mut least = u32::MAX / 4;
    for q in (1..n).filter(|q| n.is_multiple_of(*q)) {
        let repeated = (i + q..j).step_by(q).all(|k| (0..q).all(|t| alike(i + t, i, k + t, k)));
        if repeated {
            let count = (n / q) as u32;
            least = least.min(table[i][i + q] + cost.idx + count * cost.lookup);
            let strided = (i + q..j).step_by(q).all(|k| d(k) - d(k - q) == d(i + q) - d(i));
            if strided {
                least = least.min(table[i][i + q] + cost.vec);
            }
        }
    }
    least
}

/// The shortest path of lemma 3, of at least two edges.
fn path(i: usize, j: usize, table: &[Vec<u32>], cost: &CostModel) -> u32 {
    let mut sums = vec![u32::MAX / 4; j - i + 1];
    sums[0] = 0;
    for k in i..j {
        for end in k + 1..=j {
            if (k, end) != (i, j) {
                sums[end - i] = sums[end - i].min(sums[k - i] + 2 * cost.lookup + table[k][end]);
            }
        }
    }
    sums[j - i]
}
