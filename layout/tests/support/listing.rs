//! The algorithm of Ganian, Kalany, Szeider and Träff (2018) as their listings have it, corrected where `docs/errata.md` says so.
//!
//! It is here to be compared with, and to be slower.

use layout::CostModel;

/// The cost of the cheapest tree for the displacements moved to 0, in O(n^4).
pub(crate) fn least_cost(displacements: &[i64], cost: &CostModel) -> u32 {
    let n = displacements.len();
    let mut table = vec![vec![u32::MAX / 4; n + 1]; n + 1];
    for (i, row) in table[..n].iter_mut().enumerate() {
        let mut j = i + 1;
        loop {
            row[j] = cost.con;
            if j == n || displacements[j] - displacements[j - 1] != 1 {
                break;
            }
            j += 1;
        }
    }
    for length in 2..=n {
        for i in 0..=n - length {
            let j = i + length;
            let least = table[i][j]
                .min(repetition(displacements, i, j, &table, cost))
                .min(path(i, j, &table, cost) + cost.strc);
            table[i][j] = least;
        }
    }
    table[0][n]
}

/// Listings 3 and 4.
fn repetition(d: &[i64], i: usize, j: usize, table: &[Vec<u32>], cost: &CostModel) -> u32 {
    let n = j - i;
    let mut least = u32::MAX / 4;
    for q in (1..n).filter(|q| n.is_multiple_of(*q)) {
        let repeated = (i + q..j).step_by(q).all(|k| (1..q).all(|t| d[i + t] - d[i] == d[k + t] - d[k]));
        if repeated {
            let count = (n / q) as u32;
            least = least.min(table[i][i + q] + cost.idx + count * cost.lookup);
            let strided = (i + q..j).step_by(q).all(|k| d[k] - d[k - q] == d[i + q] - d[i]);
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
