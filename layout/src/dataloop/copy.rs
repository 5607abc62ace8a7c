//! Packing and unpacking: whole loops at once, by element size.
//!
//! * A size of block that is common is a constant to the compiler: no call, no loop per block.
//! * Far strides and lists are prefetched if they touch more than the near caches hold: the address of what comes in a while is known.
//! * A few blocks of one size that are repeated are moved one repetition after the other, their places in registers.
//! * Of a longer list of runs that is repeated, each run is processed for many repetitions at a time, as blocks of one size.
//! * Where an outer dimension steps within a cache line and the inner one leaps over lines, the outer one is repeated for a few lines at a
//!   time, as many as the first level of caches keeps; if one row of the inner one is more than that, the two are interchanged in tiles.
//!   In the first case the packed bytes of later repetitions are prefetched, which may be far apart. Either way each line of memory is
//!   fetched once for all the repetitions that share it.

#![expect(unsafe_code, reason = "bounds are checked once for a segment, and not for each of its blocks")]

use super::action::Action;
use super::kernels::{self, Copier, sized};
use super::nest::{Block, Body, Cut, Dim, FEW_BLOCKS, FEW_RUNS, Nest, Part, Piece, Place};
use super::{COLD, LINE, near_level};

/// Copies from memory to the packed bytes.
#[derive(Debug)]
pub(super) struct Pack(Copy);

/// Copies from the packed bytes to memory.
#[derive(Debug)]
pub(super) struct Unpack(Copy);

#[derive(Debug)]
struct Copy {
    /// The origin.
    memory: *mut u8,
    packed: *mut u8,
    /// The segment's packed byte that `packed` points to.
    from: u64,
}

impl Pack {
    /// From the origin at `memory` to `packed`, which is the segment's packed byte `from`.
    ///
    /// # Safety
    ///
    /// While this is used, all bytes at the displacements that it is called with are readable, and as many bytes at `packed` are writable
    /// as it is called with. Neither overlaps the other.
    pub(super) const unsafe fn new(memory: *const u8, packed: *mut u8, from: u64) -> Self {
        Self(Copy { memory: memory.cast_mut(), packed, from })
    }
}

impl Unpack {
    /// To the origin at `memory` from `packed`, which is the segment's packed byte `from`.
    ///
    /// # Safety
    ///
    /// While this is used, all bytes at the displacements that it is called with are writable, and as many bytes at `packed` are readable
    /// as it is called with. Neither overlaps the other.
    pub(super) const unsafe fn new(memory: *mut u8, packed: *const u8, from: u64) -> Self {
        Self(Copy { memory, packed: packed.cast_mut(), from })
    }
}

impl Copy {
    #[inline(always)]
    fn block<const PACK: bool>(&self, block: Block) -> u64 {
        // SAFETY: who made this answers for both ranges.
        unsafe {
            // The origin itself may be outside of the memory.
            let memory = self.memory.wrapping_offset(block.memory as isize);
            let packed = self.packed.add((block.packed - self.from) as usize);
            kernels::run::<PACK>(memory, packed, block.bytes as usize);
        }
        block.bytes
    }

    #[inline(always)]
    fn part<const PACK: bool>(&self, part: Part<'_>, memory: i64, packed: u64) -> u64 {
        let Cut::Loops { level, first, count } = part.cut else {
            return part.for_each_block(memory, packed, |block| self.block::<PACK>(block));
        };
        if level + MOST_DIMENSIONS < part.nest.dims.len() {
            return part.for_each_block(memory, packed, |block| self.block::<PACK>(block));
        }
        // SAFETY: who made this answers for both ranges.
        unsafe {
            let memory = self.memory.wrapping_offset(memory as isize);
            let packed = self.packed.add((packed - self.from) as usize);
            loops::<PACK>(part.nest, level, first, count, memory, packed);
        }
        part.bytes()
    }
}

impl Action for Pack {
    fn block(&mut self, block: Block) -> u64 {
        self.0.block::<true>(block)
    }

    #[inline(always)]
    fn part(&mut self, part: Part<'_>, memory: i64, packed: u64) -> u64 {
        self.0.part::<true>(part, memory, packed)
    }
}

impl Action for Unpack {
    fn block(&mut self, block: Block) -> u64 {
        self.0.block::<false>(block)
    }

    #[inline(always)]
    fn part(&mut self, part: Part<'_>, memory: i64, packed: u64) -> u64 {
        self.0.part::<false>(part, memory, packed)
    }
}

/// Dimensions of a nest that are processed here; nests with more are rare, and go run by run.
const MOST_DIMENSIONS: usize = 12;

/// How many repetitions ahead packed bytes are prefetched where memory stays near.
const GROUPS_AHEAD: usize = 2;

/// So many repetitions of a short list of runs are processed run by run: they stay in the first level of caches meanwhile.
const CHUNK: usize = 64;

/// `count` repetitions of dimension `level` of a nest, from `first` on.
unsafe fn loops<const PACK: bool>(
    nest: &Nest,
    level: usize,
    first: u64,
    count: u64,
    memory: *mut u8,
    packed: *mut u8,
) {
    let turns = Turns::new(&nest.dims[level..], first, count);
    let blocks = nest.dims[level].size * count / nest.body_size;
    let cold = blocks.saturating_mul(LINE.max(nest.body_size)) > COLD;
    let allowed = PACK || nest.disjoint;
    // SAFETY: as of the caller.
    unsafe {
        match &nest.body {
            Body::Run => sized!(nest.body_size, copier => {
                turns.execute::<PACK, _>(copier, allowed, cold, memory, packed);
            }),
            Body::Runs(runs) => {
                turns.runs::<PACK>(runs, nest.body_size as usize, allowed, memory, packed);
            }
        }
    }
}

/// Dimensions, of which the first is cut, that are turned like an odometer.
struct Turns<'a> {
    dims: &'a [Dim],
    first: u64,
    count: u64,
}

/// A regular dimension that is processed together with the innermost one.
#[derive(Clone, Copy)]
struct Tile {
    level: usize,
    count: usize,
    stride: isize,
    /// Packed bytes from one repetition to the next.
    size: usize,
}

impl<'a> Turns<'a> {
    const fn new(dims: &'a [Dim], first: u64, count: u64) -> Self {
        Self { dims, first, count }
    }

    /// Which repetitions of a dimension there are.
    fn range(&self, level: usize) -> (u64, u64) {
        if level == 0 { (self.first, self.first + self.count) } else { (0, self.dims[level].count) }
    }

    /// Calls `body` for each repetition of the dimensions before `end`, except `but`, with offsets in memory and among the packed bytes.
    #[inline(always)]
    fn turn(&self, end: usize, but: Option<usize>, mut body: impl FnMut(i64, u64)) {
        if end == 0 {
            return body(0, 0);
        }
        // The last one is a plain loop, if it can be.
        let plain = end.checked_sub(1).filter(|&last| Some(last) != but);
        let plain = plain.and_then(|last| match self.dims[last].place {
            Place::Stride(stride) => Some((last, stride)),
            Place::Near(_) | Place::Far(_) => None,
        });
        let Some((last, stride)) = plain else {
            return self.turn_all(end, but, body);
        };
        let ((low, high), size) = (self.range(last), self.dims[last].size);
        self.turn_all(last, but, |at, before| {
            for i in low..high {
                body(at + i as i64 * stride, before + (i - low) * size);
            }
        });
    }

    /// [`Self::turn`], with counters for all dimensions.
    #[inline(always)]
    fn turn_all(&self, end: usize, but: Option<usize>, mut body: impl FnMut(i64, u64)) {
        let mut counters = [0_u64; MOST_DIMENSIONS];
        counters[0] = self.first;
        // What the dimensions before each one add up to.
        let mut sums = [(0_i64, 0_u64); MOST_DIMENSIONS + 1];
        let mut changed = 0;
        loop {
            for level in changed..end {
                let (at, before) = sums[level];
                sums[level + 1] = if Some(level) == but {
                    (at, before)
                } else {
                    let start = if level == 0 { self.first } else { 0 };
                    let dim = &self.dims[level];
                    (at + dim.offset(counters[level]), before + (counters[level] - start) * dim.size)
                };
            }
            body(sums[end].0, sums[end].1);
            let mut level = end;
            loop {
                if level == 0 {
                    return;
                }
                level -= 1;
                if Some(level) == but {
                    continue;
                }
                let (low, high) = self.range(level);
                counters[level] += 1;
                if counters[level] < high {
                    break;
                }
                counters[level] = low;
            }
            changed = level;
        }
    }

    /// Calls `body` with rows of the innermost dimension, with offsets in memory and among the packed bytes, until all are there.
    #[inline(always)]
    fn rows(&self, mut body: impl FnMut(kernels::Regular, i64, u64)) {
        let last = self.dims.len() - 1;
        if let Some(level) = last.checked_sub(1)
            && let Place::Stride(stride) = self.dims[level].place
        {
            let (low, high) = self.range(level);
            let rows = kernels::Regular {
                count: (high - low) as usize,
                stride: stride as isize,
                size: self.dims[level].size as usize,
            };
            return self.turn(level, None, |at, before| body(rows, at + low as i64 * stride, before));
        }
        let one = kernels::Regular { count: 1, stride: 0, size: 0 };
        self.turn(last, None, |at, before| body(one, at, before));
    }

    /// An outer dimension that steps within a line, where the innermost one leaps over lines.
    fn tile(&self) -> Option<Tile> {
        let (inner, outer) = self.dims.split_last()?;
        let Place::Stride(leap) = inner.place else {
            return None;
        };
        let found = outer.iter().enumerate().filter_map(|(level, dim)| match dim.place {
            Place::Stride(stride) => {
                let (low, high) = self.range(level);
                let tile = Tile {
                    level,
                    count: (high - low) as usize,
                    stride: stride as isize,
                    size: dim.size as usize,
                };
                (tile.count > 1 && stride.unsigned_abs() < LINE && stride.abs() < leap.abs()).then_some(tile)
            }
            Place::Near(_) | Place::Far(_) => None,
        });
        found.filter(|_| leap.unsigned_abs() >= LINE).min_by_key(|tile| tile.stride.unsigned_abs())
    }

    /// From which level on all lines of a tile stay near.
    fn near(&self, tile: Tile, copier: impl Copier) -> Option<usize> {
        let counts: Vec<_> = self.dims.iter().map(|dim| Some(dim.count)).collect();
        let wide = (tile.count as u64 - 1) * tile.stride.unsigned_abs() as u64 + copier.bytes() as u64;
        near_level(&counts, tile.level, wide)
    }

    /// Repetitions of runs of different lengths.
    unsafe fn runs<const PACK: bool>(
        &self,
        runs: &[Piece],
        size: usize,
        allowed: bool,
        memory: *mut u8,
        packed: *mut u8,
    ) {
        let last = self.dims.len() - 1;
        let (low, high) = self.range(last);
        // SAFETY: as of the caller; each run is within the part.
        unsafe {
            let Place::Stride(stride) = self.dims[last].place else {
                return self.turn(last + 1, None, |at, before| {
                    run_by_run::<PACK>(runs, memory.offset(at as isize), packed.add(before as usize));
                });
            };
            if !allowed || runs.len() > FEW_RUNS {
                return self.turn(last + 1, None, |at, before| {
                    run_by_run::<PACK>(runs, memory.offset(at as isize), packed.add(before as usize));
                });
            }
            let stride = stride as isize;
            self.turn(last, None, |at, before| {
                let memory = memory.offset(at as isize + low as isize * stride);
                let packed = packed.add(before as usize);
                let count = (high - low) as usize;
                for start in (0..count).step_by(CHUNK) {
                    let memory = memory.offset(start as isize * stride);
                    let packed = packed.add(start * size);
                    let chunk = kernels::Regular { count: CHUNK.min(count - start), stride, size };
                    for run in runs {
                        let memory = memory.offset(run.offset as isize);
                        let packed = packed.add(run.before as usize);
                        sized!(run.bytes, copier => {
                            kernels::strided::<PACK, _>(copier, chunk, false, memory, packed);
                        });
                    }
                }
            });
        }
    }

    unsafe fn execute<const PACK: bool, C: Copier>(
        &self,
        copier: C,
        allowed: bool,
        cold: bool,
        memory: *mut u8,
        packed: *mut u8,
    ) {
        let last = self.dims.len() - 1;
        let inner = &self.dims[last];
        let (low, high) = self.range(last);
        let count = (high - low) as usize;
        let regular = |stride: i64| kernels::Regular { count, stride: stride as isize, size: copier.bytes() };
        if allowed && let Some(tile) = self.tile() {
            let Place::Stride(stride) = inner.place else { unreachable!("tiles have regular dimensions") };
            // The dimension that is not turned starts where it is cut.
            let skipped = self.range(tile.level).0 as i64 * tile.stride as i64;
            let inner = regular(stride);
            if let Some(near) = self.near(tile, copier) {
                let below = Turns::new(&self.dims[near..], 0, self.dims[near].count);
                let group = (self.dims[near].count * self.dims[near].size) as usize;
                self.turn(near, Some(tile.level), |at, before| {
                    for i in 0..tile.count {
                        if cold {
                            // The lines of memory are near, those of the packed bytes of later repetitions are not.
                            let later = i + GROUPS_AHEAD;
                            let later = if later < tile.count {
                                later * tile.size
                            } else {
                                (later - tile.count) * tile.size + group
                            };
                            kernels::prefetch_all(packed.wrapping_add(before as usize + later), group);
                        }
                        let at = at + skipped + (i as isize * tile.stride) as i64;
                        let before = before as usize + i * tile.size;
                        below.rows(|rows, within, after| {
                            // SAFETY: as of the caller; each repetition is within the part.
                            unsafe {
                                let memory = memory.offset((at + within) as isize);
                                let packed = packed.add(before + after as usize);
                                kernels::rows::<PACK, C>(copier, rows, inner, false, memory, packed);
                            }
                        });
                    }
                });
                return;
            }
            let outer = kernels::Regular { count: tile.count, stride: tile.stride, size: tile.size };
            self.turn(last, Some(tile.level), |at, before| {
                // SAFETY: as of the caller; each repetition is within the part.
                unsafe {
                    let memory = memory.offset((at + skipped) as isize);
                    let packed = packed.add(before as usize);
                    kernels::tiles::<PACK, C>(copier, outer, inner, cold, memory, packed);
                }
            });
            return;
        }
        // SAFETY: as of the caller; each repetition is within the part.
        unsafe {
            match &inner.place {
                Place::Stride(stride) => {
                    let memory = memory.offset((low as i64 * stride) as isize);
                    let blocks = regular(*stride);
                    self.rows(|rows, at, before| {
                        let (memory, packed) = (memory.offset(at as isize), packed.add(before as usize));
                        kernels::rows::<PACK, C>(copier, rows, blocks, cold, memory, packed);
                    });
                }
                Place::Near(offsets) => {
                    let offsets = &offsets[low as usize..low as usize + count];
                    if C::SHORT && offsets.len() <= FEW_BLOCKS {
                        return self.rows(|rows, at, before| {
                            let (memory, packed) = (memory.offset(at as isize), packed.add(before as usize));
                            kernels::few::<PACK, C>(copier, offsets, rows, memory, packed);
                        });
                    }
                    self.turn(last, None, |at, before| {
                        let (memory, packed) = (memory.offset(at as isize), packed.add(before as usize));
                        kernels::listed::<PACK, C, _>(copier, offsets, cold, memory, packed);
                    });
                }
                Place::Far(offsets) => {
                    let offsets = &offsets[low as usize..low as usize + count];
                    self.turn(last, None, |at, before| {
                        let (memory, packed) = (memory.offset(at as isize), packed.add(before as usize));
                        kernels::listed::<PACK, C, _>(copier, offsets, cold, memory, packed);
                    });
                }
            }
        }
    }
}

/// The runs of one repetition.
#[inline(always)]
unsafe fn run_by_run<const PACK: bool>(runs: &[Piece], memory: *mut u8, packed: *mut u8) {
    for run in runs {
        // SAFETY: as of the caller.
        unsafe {
            let memory = memory.offset(run.offset as isize);
            kernels::run::<PACK>(memory, packed.add(run.before as usize), run.bytes as usize);
        }
    }
}
