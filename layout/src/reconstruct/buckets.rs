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

/// The fewest buckets that start equally far apart, if the starts, of which there are at least two, are such.
pub(super) fn strided(starts: &[i64]) -> Option<Strided> {
    let first = starts[1] - starts[0];
    let Some(break_at) = (2..starts.len()).find(|i| starts[*i] - starts[i - 1] != first) else {
        return Some(Strided { stride: 0, step: first, buckets: vec![starts.len()] });
    };
    (candidates(starts, break_at).into_iter())
        .filter_map(|(stride, step)| {
            let mut reading = Reading::new(starts, break_at, stride, step)?;
            let mut history = vec![reading.current.clone()];
            for i in break_at + 1..starts.len() {
                reading.advance(starts, i);
                history.push(reading.current.clone());
            }
            let fewest = *reading.current.first()?;
            Some((fewest, reading, history))
        })
        .min_by_key(|(fewest, ..)| *fewest)
        .map(|(fewest, reading, history)| Strided {
            stride: reading.stride,
            step: reading.step,
            buckets: reading.sizes(starts, break_at, &history, fewest),
        })
}

/// The fewest buckets of the first so many starts.
pub(super) struct Prefix {
    /// The number of buckets with one step, and the step.
    pub(super) indexed: (u32, i64),
    /// The number of buckets that start equally far apart, their stride, and their step; none where there are none.
    pub(super) strided: Option<(u32, i64, i64)>,
}

/// For each prefix of at least two starts; the first `regular` of them, and no more, are equally far apart.
pub(super) fn of_prefixes(starts: &[i64], regular: usize) -> Vec<Prefix> {
    let first = starts[1] - starts[0];
    let one = |_| Prefix { indexed: (1, first), strided: Some((1, 0, first)) };
    let mut prefixes: Vec<Prefix> = (2..=regular).map(one).collect();
    if regular == starts.len() {
        return prefixes;
    }
    let mut counts: FxHashMap<i64, u32> = FxHashMap::default();
    counts.insert(first, regular as u32 - 1);
    let (mut step, mut most) = (first, regular as u32 - 1);
    for (pair, length) in starts[regular - 1..].windows(2).zip(regular as u32 + 1..) {
        let count = counts.entry(pair[1] - pair[0]).or_default();
        *count += 1;
        if *count > most {
            (step, most) = (pair[1] - pair[0], *count);
        }
        prefixes.push(Prefix { indexed: (length - most, step), strided: None });
    }
    for (stride, step) in candidates(starts, regular) {
        let Some(mut reading) = Reading::new(starts, regular, stride, step) else { continue };
        for (i, prefix) in prefixes[regular - 1..].iter_mut().enumerate() {
            if i > 0 {
                reading.advance(starts, regular + i);
            }
            let Some(last) = reading.current.first() else { break };
            if prefix.strided.is_none_or(|(known, ..)| last + 1 < known) {
                prefix.strided = Some((last + 1, stride, step));
            }
        }
    }
    prefixes
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

/// Reads starts one by one, from the first break on; a start may belong to several buckets, each a way to read what came before.
struct Reading {
    stride: i64,
    step: i64,
    /// The bucket of the last start before the break.
    before: u32,
    /// The numbers of the buckets that the last start may belong to, ascending.
    current: Vec<u32>,
    /// The next of these, which is here so that its memory is used again.
    next: Vec<u32>,
}

impl Reading {
    /// The start at the break is read, if it can be: it belongs to one bucket only.
    fn new(starts: &[i64], break_at: usize, stride: i64, step: i64) -> Option<Self> {
        let first = starts[1] - starts[0];
        let far = starts[break_at] - starts[0];
        let (before, current) = if step != first {
            // Each start is a bucket up to the break, which goes on with the last of them.
            (break_at as u32 - 1, break_at as u32 - 1)
        } else if stride == 0 {
            (far == 0).then_some((0, 1))?
        } else {
            // The bucket that begins at the break; those before begin where a stride is so many steps.
            let begun = (far % stride == 0 && far / stride > 0).then_some(far / stride)?;
            let before = begun - 1;
            let reached = before == 0
                || first != 0
                    && stride % first == 0
                    && stride / first > 0
                    && before.checked_mul(stride / first)? < break_at as i64;
            reached.then_some((before as u32, begun as u32))?
        };
        Some(Self { stride, step, before, current: vec![current], next: Vec::new() })
    }

    fn advance(&mut self, starts: &[i64], i: usize) {
        let from_first = starts[i] - starts[0];
        self.next.clear();
        if starts[i] - starts[i - 1] == self.step {
            self.next.extend(&self.current);
        }
        let begun = (self.current.iter().map(|bucket| bucket + 1))
            .filter(|bucket| i64::from(*bucket).checked_mul(self.stride) == Some(from_first));
        self.next.extend(begun);
        self.next.sort_unstable();
        self.next.dedup();
        std::mem::swap(&mut self.current, &mut self.next);
    }

    /// The sizes of the buckets, from the ways to read each start from the break on, such that the last start is in bucket `last`.
    fn sizes(&self, starts: &[i64], break_at: usize, history: &[Vec<u32>], last: u32) -> Vec<usize> {
        let mut sizes = vec![0; last as usize + 1];
        let mut bucket = last;
        for i in (break_at..starts.len()).rev() {
            sizes[bucket as usize] += 1;
            let stays = i > break_at
                && starts[i] - starts[i - 1] == self.step
                && history[i - 1 - break_at].contains(&bucket);
            if !stays {
                bucket = bucket.saturating_sub(1);
            }
        }
        let before = self.before as usize;
        let first = starts[1] - starts[0];
        // Up to the break, either each bucket is one start, or each but the last as many as a stride has steps.
        let whole = if self.step == first && before > 0 { (self.stride / first) as usize } else { 1 };
        sizes[..before].fill(whole);
        sizes[before] += break_at - before * whole;
        sizes
    }
}
