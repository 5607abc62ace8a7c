//! The five loops, and how each is simplified when it is built.
//!
//! The functions here are the only ones that make loops; what they return is normal:
//!
//! * A loop starts at 0: the first of its offsets is 0, and what it is displaced by is kept beside it ([`Placed`]). So each sum of offsets
//!   on the way down to a run of bytes is the address of a byte of the layout, and no such sum can overflow if the addresses do not.
//! * No loop repeats once, and none repeats nothing.
//! * Adjacent runs of a list are one run; a list at equal distances is a vector; a list that repeats itself is a vector of a shorter list.

use std::fmt;
use std::sync::Arc;

use super::LoopError;
use super::runs::{self, Run};

/// A layout as a program that processes it: which bytes, in which order (Ross, Miller, Gropp 2003, section 2.1).
///
/// Offsets, strides and steps are bytes, relative to where the loop is placed; all may be negative or repeated.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Loop {
    /// Bytes behind each other.
    Contig {
        /// How many bytes.
        bytes: u64,
        /// Bytes of each number in it, of which `bytes` is a multiple; 1 if nobody needs to know.
        unit: u32,
    },
    /// `count` times the child, at 0, `stride`, `2 * stride`, ...
    Vector {
        /// How many times, at least 2.
        count: u64,
        /// Bytes from one to the next.
        stride: i64,
        /// What is repeated.
        child: Arc<Loop>,
    },
    /// The child at each of the offsets.
    BlockIndexed {
        /// Where; the first is 0.
        offsets: Arc<[i64]>,
        /// What is repeated.
        child: Arc<Loop>,
    },
    /// At each of the offsets a block: as many children as `counts` says, `step` apart.
    Indexed {
        /// Where the blocks begin; the first is 0.
        offsets: Arc<[i64]>,
        /// How many children each block has.
        counts: Arc<[u64]>,
        /// Bytes from one child to the next within a block.
        step: i64,
        /// What is repeated.
        child: Arc<Loop>,
    },
    /// Each of the children at its offset.
    Struct {
        /// Where; the first is 0.
        offsets: Arc<[i64]>,
        /// As many children as there are offsets.
        children: Arc<[Loop]>,
    },
}

/// A loop and where it starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Placed {
    /// Bytes from the start of the layout.
    pub(super) at: i64,
    pub(super) code: Loop,
    /// Bytes of data.
    pub(super) size: u64,
    /// The first byte of data, and the one after the last, from the start of the layout.
    pub(super) span: (i64, i64),
    /// How many loops there are below each other.
    pub(super) depth: u32,
}

/// A list this long at most is written into the list above it, run by run.
const INLINED_RUNS: usize = 16;

impl Loop {
    /// The loops below this one.
    pub fn children(&self) -> &[Self] {
        match self {
            Self::Contig { .. } => &[],
            Self::Struct { children, .. } => children,
            Self::Vector { child, .. } | Self::BlockIndexed { child, .. } | Self::Indexed { child, .. } => {
                std::slice::from_ref(child)
            }
        }
    }

    /// Bytes of data, which the loops of a [`Dataloop`](super::Dataloop) have at most `i64::MAX` of.
    pub fn size(&self) -> u64 {
        match self {
            Self::Contig { bytes, .. } => *bytes,
            Self::Vector { count, child, .. } => count * child.size(),
            Self::BlockIndexed { offsets, child } => offsets.len() as u64 * child.size(),
            Self::Indexed { counts, child, .. } => counts.iter().sum::<u64>() * child.size(),
            Self::Struct { children, .. } => children.iter().map(Self::size).sum(),
        }
    }
}

impl Placed {
    /// No data at all.
    pub(super) const EMPTY: Self =
        Self { at: 0, code: Loop::Contig { bytes: 0, unit: 1 }, size: 0, span: (0, 0), depth: 1 };

    fn new(at: i64, code: Loop, size: u128, span: (i128, i128), depth: u32) -> Result<Self, LoopError> {
        let size = i64::try_from(size).map_err(|_| LoopError::TooLarge)?.cast_unsigned();
        let near = |address: i128| i64::try_from(address).map_err(|_| LoopError::TooLarge);
        // Half of the range each way, so that the distance between any two bytes fits as well.
        if span.0 < i128::from(i64::MIN / 2) || span.1 > i128::from(i64::MAX / 2) {
            return Err(LoopError::TooLarge);
        }
        if depth > super::DEEPEST {
            return Err(LoopError::TooDeep);
        }
        Ok(Self { at, code, size, span: (near(span.0)?, near(span.1)?), depth })
    }

    /// `count` numbers of `unit` bytes behind each other.
    pub(super) fn contig(count: usize, unit: u32) -> Result<Self, LoopError> {
        if count == 0 {
            return Ok(Self::EMPTY);
        }
        let bytes = count as u128 * u128::from(unit);
        let end = i128::try_from(bytes).map_err(|_| LoopError::TooLarge)?;
        let small = u64::try_from(bytes).map_err(|_| LoopError::TooLarge)?;
        Self::new(0, Loop::Contig { bytes: small, unit }, bytes, (0, end), 1)
    }

    /// The same at another place.
    pub(super) fn moved(mut self, by: i64) -> Result<Self, LoopError> {
        let add = |a: i64| a.checked_add(by).ok_or(LoopError::TooLarge);
        if self.size > 0 {
            self.at = add(self.at)?;
            let span = (i128::from(self.span.0) + i128::from(by), i128::from(self.span.1) + i128::from(by));
            return Self::new(self.at, self.code, u128::from(self.size), span, self.depth);
        }
        Ok(self)
    }

    /// `count` copies, `stride` bytes apart.
    pub(super) fn vector(count: u64, stride: i64, child: Self) -> Result<Self, LoopError> {
        if count == 0 || child.size == 0 {
            return Ok(Self::EMPTY);
        }
        if count == 1 {
            return Ok(child);
        }
        let last = i128::from(count - 1).checked_mul(stride.into()).ok_or(LoopError::TooLarge)?;
        let span = (i128::from(child.span.0) + last.min(0), i128::from(child.span.1) + last.max(0));
        let size = u128::from(count) * u128::from(child.size);
        let (code, depth) = match child.code {
            Loop::Contig { bytes, unit } if i128::from(stride) == i128::from(bytes) => {
                let bytes = u64::try_from(size).map_err(|_| LoopError::TooLarge)?;
                (Loop::Contig { bytes, unit }, 1)
            }
            Loop::Vector { count: inner, stride: step, child: below }
                if i128::from(inner).checked_mul(step.into()) == Some(stride.into()) =>
            {
                let count = count.checked_mul(inner).ok_or(LoopError::TooLarge)?;
                (Loop::Vector { count, stride: step, child: below }, child.depth)
            }
            code => (Loop::Vector { count, stride, child: Arc::new(code) }, child.depth + 1),
        };
        Self::new(child.at, code, size, span, depth)
    }

    /// A copy at each of the offsets.
    pub(super) fn block_indexed(offsets: &[i64], child: Self) -> Result<Self, LoopError> {
        if let Some(stride) = runs::equal_distance(offsets) {
            let first = offsets[0];
            return Self::vector(offsets.len() as u64, stride, child)?.moved(first);
        }
        Self::indexed(offsets, &vec![1; offsets.len()], 0, child)
    }

    /// At each of the offsets a block of as many copies as `counts` says, `step` bytes apart.
    pub(super) fn indexed(
        offsets: &[i64],
        counts: &[u64],
        step: i64,
        child: Self,
    ) -> Result<Self, LoopError> {
        if child.size == 0 {
            return Ok(Self::EMPTY);
        }
        // A block of vectors at their own stride is a longer block of what they repeat.
        let (times, step, child) = match &child.code {
            Loop::Vector { count, stride, child: below }
                if counts.iter().all(|n| *n <= 1)
                    || i128::from(*count) * i128::from(*stride) == step.into() =>
            {
                (*count, *stride, child.repeated(*count, *stride, below))
            }
            _ => (1, step, child),
        };
        let mut list = Vec::new();
        for (offset, count) in offsets.iter().zip(counts) {
            let count = count.checked_mul(times).ok_or(LoopError::TooLarge)?;
            list.push(Run { offset: *offset, count });
        }
        // The copies of a child of a few runs, each far from the next, are runs themselves.
        if let Loop::Contig { bytes, unit } = child.code {
            let bytes_apart = i64::try_from(bytes).map_err(|_| LoopError::TooLarge)?;
            let single = list.iter().all(|run| run.count <= 1);
            if step == bytes_apart || single {
                let numbers = bytes / u64::from(unit);
                for run in &mut list {
                    run.count = run.count.checked_mul(numbers).ok_or(LoopError::TooLarge)?;
                }
                return Self::runs(list, unit)?.moved(child.at);
            }
        }
        runs::coalesce(&mut list, step);
        Self::blocks(&list, step, child)
    }

    /// Runs of numbers of `unit` bytes, packed in this order.
    fn runs(mut list: Vec<Run>, unit: u32) -> Result<Self, LoopError> {
        runs::coalesce(&mut list, i64::from(unit));
        Self::blocks(&list, i64::from(unit), Self::contig(1, unit)?)
    }

    /// The loop for coalesced blocks.
    fn blocks(list: &[Run], step: i64, child: Self) -> Result<Self, LoopError> {
        let Some(first) = list.first() else {
            return Ok(Self::EMPTY);
        };
        if list.len() == 1 {
            return Self::vector(first.count, step, child)?.moved(first.offset);
        }
        if let Some((period, distance)) = runs::period(list) {
            let one = Self::blocks(&list[..period], step, child)?;
            return Self::vector((list.len() / period) as u64, distance, one);
        }
        let total: u128 = list.iter().map(|run| u128::from(run.count)).sum();
        let size = total.checked_mul(child.size.into()).ok_or(LoopError::TooLarge)?;
        let mut span = (i128::MAX, i128::MIN);
        for run in list {
            let last = i128::from(run.count - 1) * i128::from(step);
            let at = i128::from(run.offset);
            span.0 = span.0.min(at + last.min(0) + i128::from(child.span.0));
            span.1 = span.1.max(at + last.max(0) + i128::from(child.span.1));
        }
        let at = first.offset.checked_add(child.at).ok_or(LoopError::TooLarge)?;
        // What is in the span is near enough for these differences.
        Self::new(at, Loop::Contig { bytes: 0, unit: 1 }, size, span, 1)?;
        let offsets: Arc<[i64]> = list.iter().map(|run| run.offset - first.offset).collect();
        if list.iter().all(|run| run.count == first.count) {
            let block = Self::vector(first.count, step, child)?;
            let depth = block.depth + 1;
            return Self::new(
                at,
                Loop::BlockIndexed { offsets, child: Arc::new(block.code) },
                size,
                span,
                depth,
            );
        }
        let counts = list.iter().map(|run| run.count).collect();
        let depth = child.depth + 1;
        Self::new(at, Loop::Indexed { offsets, counts, step, child: Arc::new(child.code) }, size, span, depth)
    }

    /// Each of the children, which are placed where they are to be.
    pub(super) fn structure(children: Vec<Self>) -> Result<Self, LoopError> {
        let mut parts: Vec<Self> = Vec::new();
        for child in children.into_iter().filter(|child| child.size > 0) {
            // A run that continues the last one is part of it.
            let joined = match (parts.last(), &child.code) {
                (
                    Some(Self { at, code: Loop::Contig { bytes, unit }, .. }),
                    Loop::Contig { bytes: more, unit: of },
                ) if unit == of && i128::from(*at) + i128::from(*bytes) == i128::from(child.at) => {
                    let numbers = (bytes + more) / u64::from(*unit);
                    Some(Self::blocks(
                        &[Run { offset: *at, count: numbers }],
                        i64::from(*unit),
                        Self::contig(1, *unit)?,
                    )?)
                }
                _ => None,
            };
            match joined {
                Some(joined) => *parts.last_mut().expect("there is one that was joined") = joined,
                None => parts.push(child),
            }
        }
        let Some(first) = parts.first() else {
            return Ok(Self::EMPTY);
        };
        if parts.iter().all(|part| part.code == first.code) {
            let offsets: Vec<i64> = parts.iter().map(|part| part.at).collect();
            let one = first.clone().moved(-first.at)?;
            return Self::block_indexed(&offsets, one);
        }
        if let Some((list, unit)) = Self::inlined(&parts) {
            return Self::runs(list, unit);
        }
        let size = parts.iter().map(|part| u128::from(part.size)).sum();
        let span = parts.iter().fold((i128::MAX, i128::MIN), |span, part| {
            (span.0.min(part.span.0.into()), span.1.max(part.span.1.into()))
        });
        let depth = 1 + parts.iter().map(|part| part.depth).max().unwrap_or(0);
        let at = first.at;
        let offsets = parts.iter().map(|part| part.at - at).collect();
        let children = parts.into_iter().map(|part| part.code).collect();
        Self::new(at, Loop::Struct { offsets, children }, size, span, depth)
    }

    /// The runs of the parts, if each has few and all have the same unit.
    fn inlined(parts: &[Self]) -> Option<(Vec<Run>, u32)> {
        let mut list = Vec::new();
        let mut common = None;
        for part in parts {
            let (runs, unit) = few_runs(&part.code)?;
            if *common.get_or_insert(unit) != unit {
                return None;
            }
            list.extend(runs.into_iter().map(|run| Run { offset: run.offset + part.at, ..run }));
        }
        Some((list, common?))
    }

    /// What this vector repeats.
    fn repeated(&self, count: u64, stride: i64, below: &Loop) -> Self {
        let last = (count - 1) as i64 * stride;
        let span = (self.span.0 - last.min(0), self.span.1 - last.max(0));
        Self { at: self.at, code: below.clone(), size: self.size / count, span, depth: self.depth - 1 }
    }
}

/// The runs of a loop with their unit, if it has few.
fn few_runs(code: &Loop) -> Option<(Vec<Run>, u32)> {
    let whole = |child: &Loop| match child {
        Loop::Contig { bytes, unit } => Some((bytes / u64::from(*unit), *unit)),
        _ => None,
    };
    match code {
        Loop::Contig { .. } => {
            let (count, unit) = whole(code)?;
            Some((vec![Run { offset: 0, count }], unit))
        }
        Loop::Vector { count, stride, child } if *count <= INLINED_RUNS as u64 => {
            let (numbers, unit) = whole(child)?;
            Some(((0..*count as i64).map(|i| Run { offset: i * stride, count: numbers }).collect(), unit))
        }
        Loop::BlockIndexed { offsets, child } if offsets.len() <= INLINED_RUNS => {
            let (numbers, unit) = whole(child)?;
            Some((offsets.iter().map(|offset| Run { offset: *offset, count: numbers }).collect(), unit))
        }
        Loop::Indexed { offsets, counts, step, child } if offsets.len() <= INLINED_RUNS => {
            let (numbers, unit) = whole(child)?;
            if i64::try_from(numbers).ok()?.checked_mul(i64::from(unit))? != *step {
                return None;
            }
            let runs = offsets.iter().zip(counts.iter());
            Some((
                runs.map(|(offset, count)| Run { offset: *offset, count: count * numbers }).collect(),
                unit,
            ))
        }
        _ => None,
    }
}

impl fmt::Display for Loop {
    /// As trees are written, with bytes at the leaves: `vector(10,800,blockindexed(2,<0,24>,contig(8)))`; long lists are cut.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        struct List<'a, T>(&'a [T]);
        impl<T: fmt::Display> fmt::Display for List<'_, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                const SHOWN: usize = 24;
                f.write_str("<")?;
                for (index, item) in self.0.iter().take(SHOWN).enumerate() {
                    write!(f, "{}{item}", if index == 0 { "" } else { "," })?;
                }
                f.write_str(if self.0.len() > SHOWN { ",...>" } else { ">" })
            }
        }
        match self {
            Self::Contig { bytes, .. } => write!(f, "contig({bytes})"),
            Self::Vector { count, stride, child } => write!(f, "vector({count},{stride},{child})"),
            Self::BlockIndexed { offsets, child } => {
                write!(f, "blockindexed({},{},{child})", offsets.len(), List(offsets))
            }
            Self::Indexed { offsets, counts, step, child } => {
                write!(f, "indexed({},{step},{},{},{child})", offsets.len(), List(offsets), List(counts))
            }
            Self::Struct { offsets, children } => {
                write!(f, "struct({},{},{})", offsets.len(), List(offsets), List(children))
            }
        }
    }
}
