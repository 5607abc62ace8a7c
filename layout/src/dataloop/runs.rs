//! Lists of blocks: joining neighbours, and finding what repeats.

/// A block of a list: `count` copies of something from `offset` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) offset: i64,
    pub(super) count: u64,
}

/// Drops empty blocks, and joins each block with the one before if it goes on where that one ends; copies are `step` bytes apart.
pub(super) fn coalesce(list: &mut Vec<Run>, step: i64) {
    list.retain(|run| run.count > 0);
    list.dedup_by(|next, last| {
        let end = i128::from(last.offset) + i128::from(last.count) * i128::from(step);
        let joins = end == i128::from(next.offset) && last.count.checked_add(next.count).is_some();
        if joins {
            last.count += next.count;
        }
        joins
    });
}

/// What the offsets are apart, if that is the same all along; 0 for a single one.
pub(super) fn equal_distance(offsets: &[i64]) -> Option<i64> {
    let distance = match offsets {
        [] => return None,
        [_] => return Some(0),
        [first, second, ..] => second.checked_sub(*first)?,
    };
    (offsets.windows(2).all(|pair| pair[1].checked_sub(pair[0]) == Some(distance))).then_some(distance)
}

/// The shortest beginning of the list of which the whole list is copies, and what these are apart; `None` if that is the list itself.
pub(super) fn period(list: &[Run]) -> Option<(usize, i64)> {
    let gap = |i: usize| (i128::from(list[i + 1].offset) - i128::from(list[i].offset), list[i].count);
    let gaps = list.len() - 1;
    // Of each beginning of the gaps, the longest proper one that it also ends with (Knuth, Morris, Pratt).
    let mut borders = vec![0; gaps];
    for i in 1..gaps {
        let mut border: usize = borders[i - 1];
        while border > 0 && gap(i) != gap(border) {
            border = borders[border - 1];
        }
        borders[i] = border + usize::from(gap(i) == gap(border));
    }
    // All periods, shortest first: the last gap is not part of the list, so not every period of the gaps divides it.
    let mut border = borders.last().copied().unwrap_or(0);
    loop {
        let period = gaps - border;
        let repeats = period < list.len()
            && list.len().is_multiple_of(period)
            && list[list.len() - 1].count == list[period - 1].count;
        if repeats {
            return Some((period, list[period].offset.checked_sub(list[0].offset)?));
        }
        if border == 0 {
            return None;
        }
        border = borders[border - 1];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(pairs: &[(i64, u64)]) -> Vec<Run> {
        pairs.iter().map(|(offset, count)| Run { offset: *offset, count: *count }).collect()
    }

    #[test]
    fn neighbours_are_joined() {
        let mut runs = list(&[(0, 2), (8, 0), (8, 1), (16, 3), (12, 1)]);
        coalesce(&mut runs, 4);
        assert_eq!(runs, list(&[(0, 3), (16, 3), (12, 1)]));
    }

    #[test]
    fn periods_are_the_shortest() {
        assert_eq!(period(&list(&[(0, 1), (8, 1), (16, 1)])), Some((1, 8)));
        assert_eq!(period(&list(&[(0, 1), (3, 2), (10, 1), (13, 2)])), Some((2, 10)));
        assert_eq!(period(&list(&[(0, 1), (3, 2), (10, 1), (13, 3)])), None);
        assert_eq!(period(&list(&[(0, 1), (3, 1), (10, 1), (13, 1), (20, 1)])), None);
        assert_eq!(period(&list(&[(5, 1), (5, 1)])), Some((1, 0)));
        assert_eq!(period(&list(&[(0, 1), (-3, 2), (7, 1), (4, 2)])), Some((2, 7)));
    }
}
