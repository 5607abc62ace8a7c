//! Whether starts of blocks lie in buckets: the auxiliary constructors `vecbuc` and `idxbuc` (the paper's section 4.1).

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::tree::Tree;

/// Buckets that start equally far apart.
pub(super) struct Strided {
    stride: i64,
    step: i64,
    pub(super) buckets: Vec<usize>,
}

impl Strided {
    /// The `vecbuc` of these buckets.
    pub(super) fn over(self, child: Tree) -> Tree {
        Tree::VecBuc {
            stride: self.stride,
            step: self.step,
            buckets: self.buckets.into(),
            child: Arc::new(child),
        }
    }
}

/// Buckets at any places.
pub(super) struct Indexed {
    step: i64,
    indices: Vec<i64>,
    pub(super) buckets: Vec<usize>,
}

impl Indexed {
    /// The `idxbuc` of these buckets, where the place `origin` becomes 0.
    pub(super) fn over(self, origin: i64, child: Tree) -> Tree {
        Tree::IdxBuc {
            step: self.step,
            indices: self.indices.iter().map(|index| index - origin).collect(),
            buckets: self.buckets.into(),
            child: Arc::new(child),
        }
    }
}

/// The fewest buckets with one step, for at least one start: the step is the most frequent difference.
pub(super) fn indexed(starts: &[i64]) -> Indexed {
    let mut counts: FxHashMap<i64, usize> = FxHashMap::default();
    // The first of the most frequent ones, so that the answer is always the same.
    let (mut step, mut most) = (0, 0);
    for pair in starts.windows(2) {
        let count = counts.entry(pair[1] - pair[0]).or_default();
        *count += 1;
        if *count > most {
            (step, most) = (pair[1] - pair[0], *count);
        }
    }
    let mut found = Indexed { step, indices: Vec::new(), buckets: Vec::new() };
    for (i, start) in starts.iter().enumerate() {
        match found.buckets.last_mut() {
            Some(size) if start - starts[i - 1] == step => *size += 1,
            _ => {
                found.indices.push(*start);
                found.buckets.push(1);
            }
        }
    }
    found
}

/// The fewest buckets with one step for each prefix of `starts`, from its second element on.
pub(super) fn indexed_counts(starts: &[i64]) -> impl Iterator<Item = u32> {
    let mut counts: FxHashMap<i64, u32> = FxHashMap::default();
    let mut most = 0;
    starts.windows(2).zip(2_u32..).map(move |(pair, length)| {
        let count = counts.entry(pair[1] - pair[0]).or_default();
        *count += 1;
        most = most.max(*count);
        length - most
    })
}

/// The fewest buckets that start equally far apart, if the starts, of which there are at least two, are such.
pub(super) fn strided(starts: &[i64]) -> Option<Strided> {
    let step = starts[1] - starts[0];
    let Some(break_at) = first_break(starts) else {
        return Some(Strided { stride: 0, step, buckets: vec![starts.len()] });
    };
    (candidates(starts, break_at).into_iter())
        .filter_map(|(stride, step)| {
            let mut reading = Reading::new(stride, step);
            let mut history = vec![reading.current.clone()];
            for i in 1..starts.len() {
                reading.advance(starts, i);
                history.push(reading.current.clone());
            }
            let fewest = *reading.current.first()?;
            Some((fewest, stride, step, history))
        })
        .min_by_key(|(fewest, ..)| *fewest)
        .map(|(fewest, stride, step, history)| Strided {
            stride,
            step,
            buckets: sizes(starts, &history, fewest, step),
        })
}

/// The fewest buckets that start equally far apart for each prefix of `starts`, from its second element on; none where there are none.
pub(super) fn strided_counts(starts: &[i64]) -> Vec<Option<u32>> {
    let break_at = first_break(starts).unwrap_or(starts.len());
    let mut fewest = vec![None; starts.len() - 1];
    // Before the first break all is one bucket.
    fewest[..break_at - 1].fill(Some(1));
    if break_at == starts.len() {
        return fewest;
    }
    for (stride, step) in candidates(starts, break_at) {
        let mut reading = Reading::new(stride, step);
        for i in 1..starts.len() {
            reading.advance(starts, i);
            let Some(&bucket) = reading.current.first() else { break };
            let known = &mut fewest[i - 1];
            if i >= break_at && known.is_none_or(|known| bucket + 1 < known) {
                *known = Some(bucket + 1);
            }
        }
    }
    fewest
}

/// The first start that is not as far from the one before as the second is from the first.
fn first_break(starts: &[i64]) -> Option<usize> {
    (2..starts.len()).find(|i| starts[*i] - starts[i - 1] != starts[1] - starts[0])
}

/// The pairs of strides and steps that can explain the start at `break_at`.
///
/// The second start is in the first bucket, and its distance the step, or in the second, and its distance the stride. The start at the
/// break is the first of a bucket in the former case, so a multiple of the stride, which is the distance of a start before the break, too,
/// if it is not the break itself. In the latter case it may be the second start of a bucket as well.
fn candidates(starts: &[i64], break_at: usize) -> Vec<(i64, i64)> {
    let first = starts[1] - starts[0];
    let far = starts[break_at] - starts[0];
    let mut pairs = vec![(far, first), (first, starts[break_at] - starts[break_at - 1])];
    if first != 0 && far % first == 0 {
        let steps = far / first;
        // Bucket t starts at the break, after t buckets of `steps / t` starts each, the last of which may have another number.
        for t in (2..=break_at as i64).filter(|t| steps > 0 && steps % t == 0) {
            let size = steps / t;
            if (t - 1) * size < break_at as i64 {
                pairs.push((size * first, first));
            }
        }
        pairs.push((first, first));
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// Reads starts one by one; a start may belong to several buckets, each a way to read what came before.
struct Reading {
    stride: i64,
    step: i64,
    /// The numbers of the buckets that the last start may belong to, ascending.
    current: Vec<u32>,
}

impl Reading {
    fn new(stride: i64, step: i64) -> Self {
        Self { stride, step, current: vec![0] }
    }

    fn advance(&mut self, starts: &[i64], i: usize) {
        let same_bucket = starts[i] - starts[i - 1] == self.step;
        let from_first = starts[i] - starts[0];
        let begun: Vec<u32> = (self.current.iter())
            .map(|bucket| bucket + 1)
            .filter(|bucket| i64::from(*bucket).checked_mul(self.stride) == Some(from_first))
            .collect();
        if !same_bucket {
            self.current.clear();
        }
        self.current.extend(begun);
        self.current.sort_unstable();
        self.current.dedup();
    }
}

/// The sizes of the buckets, from the ways to read each start, such that the last start is in bucket `last`.
fn sizes(starts: &[i64], history: &[Vec<u32>], last: u32, step: i64) -> Vec<usize> {
    let mut sizes = vec![0; last as usize + 1];
    let mut bucket = last;
    for i in (0..starts.len()).rev() {
        sizes[bucket as usize] += 1;
        let stays = i > 0 && starts[i] - starts[i - 1] == step && history[i - 1].contains(&bucket);
        if !stays {
            bucket = bucket.saturating_sub(1);
        }
    }
    sizes
}
