//! Leaves of a program: loops around runs of bytes, without a fork, which one call of an action processes.
//!
//! A nest is a chain of dimensions, each regular or listed, around a body: one run of bytes, or a list of runs of different lengths.
//! Any range of its bytes is a few complete pieces of it ([`Nest::cut`]): that is how processing stops and goes on at any byte, while
//! nearly all bytes are processed in whole loops.

use std::sync::Arc;

/// Loops around a run, or a list of runs.
#[derive(Clone, Debug)]
pub(super) struct Nest {
    pub(super) dims: Box<[Dim]>,
    pub(super) body: Body,
    /// Bytes of data of the body.
    pub(super) body_size: u64,
    /// Bytes of each number.
    pub(super) unit: u32,
    /// Bytes of data of the nest.
    pub(super) size: u64,
    /// Whether it is known that no byte occurs twice.
    pub(super) disjoint: bool,
}

/// Lists of at most so many runs are short.
pub(super) const FEW_RUNS: usize = 64;

/// So many blocks are few: their places stay in registers while they are repeated.
pub(super) const FEW_BLOCKS: usize = 8;

/// A dimension: how often, and where, what is below is repeated.
#[derive(Clone, Debug)]
pub(super) struct Dim {
    pub(super) count: u64,
    /// Bytes of data of one repetition.
    pub(super) size: u64,
    pub(super) place: Place,
}

/// Where repetitions are.
#[derive(Clone, Debug)]
pub(super) enum Place {
    Stride(i64),
    /// Offsets that fit into 32 bits: half as much to read.
    Near(Arc<[i32]>),
    Far(Arc<[i64]>),
}

/// What the dimensions repeat.
#[derive(Clone, Debug)]
pub(super) enum Body {
    /// A run of bytes.
    Run,
    /// Runs of different lengths.
    Runs(Arc<[Piece]>),
}

/// One of several runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// Where, from the start of the body.
    pub(super) offset: i64,
    pub(super) bytes: u64,
    /// Bytes of data before it.
    pub(super) before: u64,
}

impl Dim {
    /// Where repetition `i` is.
    pub(super) fn offset(&self, i: u64) -> i64 {
        match &self.place {
            Place::Stride(stride) => i as i64 * stride,
            Place::Near(offsets) => offsets[i as usize].into(),
            Place::Far(offsets) => offsets[i as usize],
        }
    }
}

/// Some repetitions of one dimension of a nest, with all that is below; or all of the body, or a part of it.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    pub(super) nest: &'a Nest,
    pub(super) cut: Cut,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// `count` repetitions of dimension `level`, from `first` on.
    Loops { level: usize, first: u64, count: u64 },
    /// Runs of the body from `first` to before `end`, all of each.
    Runs { first: usize, end: usize },
    /// Bytes of one run of the body, from `skip` on.
    Bytes { run: usize, skip: u64, bytes: u64 },
}

/// A run of bytes that an action is called with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Where the bytes are in memory, from the origin of the buffer.
    pub memory: i64,
    /// Where the bytes are among the packed ones, from the start of the segment.
    pub packed: u64,
    /// How many bytes.
    pub bytes: u64,
    /// Bytes of each of the numbers that they are; 1 if loops were compiled as [`Units::Bytes`](super::Units::Bytes).
    pub unit: u32,
    /// How many bytes of the first number are before the first byte: where a segment is cut, it may be in the middle of a number.
    pub phase: u32,
}

impl Nest {
    /// The longest piece at byte `at` that has at most `room` bytes: where it is in memory, from the start of the nest, what it is, and its
    /// bytes.
    #[inline(always)]
    pub(super) fn piece(&self, at: u64, room: u64) -> (i64, Cut, u64) {
        let mut memory = 0;
        let mut within = at;
        for (level, dim) in self.dims.iter().enumerate() {
            let (i, rest) = (within / dim.size, within % dim.size);
            if rest == 0 && room >= dim.size {
                let count = (room / dim.size).min(dim.count - i);
                return (memory, Cut::Loops { level, first: i, count }, count * dim.size);
            }
            memory += dim.offset(i);
            within = rest;
        }
        match &self.body {
            Body::Run => {
                let bytes = room.min(self.body_size - within);
                (memory, Cut::Bytes { run: 0, skip: within, bytes }, bytes)
            }
            Body::Runs(runs) => {
                let run = runs.partition_point(|run| run.before <= within) - 1;
                let skip = within - runs[run].before;
                if skip == 0 && room >= runs[run].bytes {
                    let end = runs.partition_point(|other| other.before + other.bytes <= within + room);
                    let bytes = runs[end - 1].before + runs[end - 1].bytes - within;
                    return (memory, Cut::Runs { first: run, end }, bytes);
                }
                let bytes = room.min(runs[run].bytes - skip);
                (memory, Cut::Bytes { run, skip, bytes }, bytes)
            }
        }
    }

    /// Run `i` of the body.
    pub(super) fn run(&self, i: usize) -> Piece {
        match &self.body {
            Body::Run => Piece { offset: 0, bytes: self.body_size, before: 0 },
            Body::Runs(runs) => runs[i],
        }
    }

    pub(super) fn run_count(&self) -> usize {
        match &self.body {
            Body::Run => 1,
            Body::Runs(runs) => runs.len(),
        }
    }
}

impl Part<'_> {
    /// Bytes of data.
    pub fn bytes(&self) -> u64 {
        match self.cut {
            Cut::Loops { level, count, .. } => self.nest.dims[level].size * count,
            Cut::Runs { first, end } => (first..end).map(|i| self.nest.run(i).bytes).sum(),
            Cut::Bytes { bytes, .. } => bytes,
        }
    }

    /// Calls `each` with every run of bytes, in the order in which they are packed, until it does not take all bytes of one.
    ///
    /// `memory` and `packed` say where the part starts; `each` says how many bytes it took. Returns how many bytes were taken in all.
    pub fn for_each_block(&self, memory: i64, packed: u64, mut each: impl FnMut(Block) -> u64) -> u64 {
        let nest = self.nest;
        let (level, first, count, runs) = match self.cut {
            Cut::Bytes { run, skip, bytes } => {
                let offset = nest.run(run).offset + skip as i64;
                let phase = (skip % u64::from(nest.unit)) as u32;
                return each(Block { memory: memory + offset, packed, bytes, unit: nest.unit, phase });
            }
            Cut::Runs { first, end } => (nest.dims.len(), 0, 1, first..end),
            Cut::Loops { level, first, count } => (level, first, count, 0..nest.run_count()),
        };
        let dims = &nest.dims[level.min(nest.dims.len())..];
        // Where each dimension is, and the address there.
        let mut counters: Vec<(u64, u64)> = dims.iter().map(|dim| (0, dim.count)).collect();
        if let Some(top) = counters.first_mut() {
            *top = (first, first + count);
        }
        let mut taken = 0;
        loop {
            let at: i64 = memory + counters.iter().zip(dims).map(|((i, _), dim)| dim.offset(*i)).sum::<i64>();
            for i in runs.clone() {
                let Piece { offset, bytes, .. } = nest.run(i);
                let block =
                    Block { memory: at + offset, packed: packed + taken, bytes, unit: nest.unit, phase: 0 };
                let took = each(block);
                taken += took;
                if took < bytes {
                    return taken;
                }
            }
            // The next repetition of the innermost dimension that has one.
            let Some(turned) = counters.iter().rposition(|(i, end)| i + 1 < *end) else {
                return taken;
            };
            counters[turned].0 += 1;
            for counter in &mut counters[turned + 1..] {
                counter.0 = 0;
            }
        }
    }
}
