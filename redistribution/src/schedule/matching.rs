//! Matchings of maximum weight in bipartite graphs, by the Hungarian method on a dense matrix.

/// Assigns to each row a column such that the sum of weights is as large as possible; there are at most as many rows as columns.
///
/// Weights are not negative, so that what must not be chosen can weigh 0. Kuhn's method with shortest augmenting paths: O(rows^2 columns).
pub(super) fn assign(rows: usize, columns: usize, weight: impl Fn(usize, usize) -> i128) -> Vec<usize> {
    assert!(rows <= columns, "a column for each row");
    let mut row_price = vec![0_i128; rows];
    let mut column_price = vec![0_i128; columns];
    let mut row_of = vec![usize::MAX; columns];
    let mut least = vec![0_i128; columns];
    let mut before = vec![usize::MAX; columns];
    let mut done = vec![false; columns];
    for start in 0..rows {
        least.fill(i128::MAX);
        done.fill(false);
        // Grows a tree of tight edges from the row until it reaches a column that nobody has.
        let (mut row, mut reached) = (start, usize::MAX);
        let last = loop {
            let mut next = usize::MAX;
            for column in 0..columns {
                if done[column] {
                    continue;
                }
                let slack = -weight(row, column) - row_price[row] - column_price[column];
                if slack < least[column] {
                    least[column] = slack;
                    before[column] = reached;
                }
                if next == usize::MAX || least[column] < least[next] {
                    next = column;
                }
            }
            let step = least[next];
            row_price[start] += step;
            for column in 0..columns {
                if done[column] {
                    row_price[row_of[column]] += step;
                    column_price[column] -= step;
                } else if least[column] != i128::MAX {
                    least[column] -= step;
                }
            }
            done[next] = true;
            if row_of[next] == usize::MAX {
                break next;
            }
            row = row_of[next];
            reached = next;
        };
        let mut column = last;
        loop {
            let previous = before[column];
            if previous == usize::MAX {
                row_of[column] = start;
                break;
            }
            row_of[column] = row_of[previous];
            column = previous;
        }
    }
    let mut column_of = vec![usize::MAX; rows];
    for (column, row) in row_of.into_iter().enumerate() {
        if row != usize::MAX {
            column_of[row] = column;
        }
    }
    column_of
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::random::Random;

    #[test]
    fn no_assignment_weighs_more() {
        fn most(weights: &[Vec<i128>], row: usize, taken: u32) -> i128 {
            if row == weights.len() {
                return 0;
            }
            let columns = (0..weights[row].len()).filter(|column| taken & (1 << column) == 0);
            columns
                .map(|column| weights[row][column] + most(weights, row + 1, taken | 1 << column))
                .max()
                .unwrap()
        }
        let mut random = Random::new();
        for _ in 0..500 {
            let rows = 1 + random.below(5);
            let columns = rows + random.below(3);
            let weights: Vec<Vec<i128>> =
                (0..rows).map(|_| (0..columns).map(|_| random.below(9) as i128).collect()).collect();
            let found = assign(rows, columns, |row, column| weights[row][column]);
            let weight: i128 = found.iter().enumerate().map(|(row, column)| weights[row][*column]).sum();
            assert_eq!(weight, most(&weights, 0, 0), "{weights:?}");
        }
    }
}
