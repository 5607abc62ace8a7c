//! The innermost loops of packing (`PACK`) and unpacking, on raw memory.
//!
//! All functions here need that the bytes they are pointed to may be read and written as `PACK` says, and that memory and packed bytes do
//! not overlap.

#![expect(unsafe_code, reason = "bounds are checked once for a segment, and not for each of its blocks")]

use super::nest::FEW_BLOCKS;
use super::{AHEAD, FAR, LINE, TILES_AHEAD};

/// Rows of so many blocks are short.
const SHORT: usize = 64;

/// Copies blocks of one size.
pub(super) trait Copier: Copy {
    /// Whether a block is a few moves, of which the loops are to be unrolled.
    const SHORT: bool;

    /// Bytes of a block.
    fn bytes(self) -> usize;

    /// Copies a block.
    unsafe fn copy(self, from: *const u8, to: *mut u8);
}

/// Blocks of a size that the compiler knows.
#[derive(Clone, Copy)]
pub(in crate::dataloop) struct Fixed<const BYTES: usize>;

impl<const BYTES: usize> Copier for Fixed<BYTES> {
    const SHORT: bool = true;

    #[inline(always)]
    fn bytes(self) -> usize {
        BYTES
    }

    #[inline(always)]
    unsafe fn copy(self, from: *const u8, to: *mut u8) {
        // SAFETY: as of the caller.
        unsafe { std::ptr::copy_nonoverlapping(from, to, BYTES) }
    }
}

/// Blocks of more than a line, and not of many.
#[derive(Clone, Copy)]
pub(in crate::dataloop) struct Lines(pub(super) usize);

impl Copier for Lines {
    const SHORT: bool = false;

    #[inline(always)]
    fn bytes(self) -> usize {
        self.0
    }

    #[inline(always)]
    unsafe fn copy(self, from: *const u8, to: *mut u8) {
        let last = self.0 - 64;
        // SAFETY: as of the caller; the last move may overlap the one before.
        unsafe {
            for at in (0..last).step_by(64) {
                Fixed::<64>.copy(from.add(at), to.add(at));
            }
            Fixed::<64>.copy(from.add(last), to.add(last));
        }
    }
}

/// Blocks of any size.
#[derive(Clone, Copy)]
pub(in crate::dataloop) struct Wide(pub(super) usize);

impl Copier for Wide {
    const SHORT: bool = false;

    #[inline(always)]
    fn bytes(self) -> usize {
        self.0
    }

    #[inline(always)]
    unsafe fn copy(self, from: *const u8, to: *mut u8) {
        // SAFETY: as of the caller.
        unsafe { copy(from, to, self.0) }
    }
}

/// Does something with a copier for blocks of a size: those that are common are known to the compiler.
macro_rules! sized {
    ($bytes:expr, $copier:ident => $body:expr) => {{
        use $crate::dataloop::kernels::{Fixed, Lines, Wide};
        macro_rules! with {
            ($of:expr) => {{
                let $copier = $of;
                $body
            }};
        }
        match $bytes {
            1 => with!(Fixed::<1>),
            2 => with!(Fixed::<2>),
            4 => with!(Fixed::<4>),
            8 => with!(Fixed::<8>),
            12 => with!(Fixed::<12>),
            16 => with!(Fixed::<16>),
            24 => with!(Fixed::<24>),
            32 => with!(Fixed::<32>),
            40 => with!(Fixed::<40>),
            48 => with!(Fixed::<48>),
            64 => with!(Fixed::<64>),
            bytes @ 65..=512 => with!(Lines(bytes as usize)),
            bytes => with!(Wide(bytes as usize)),
        }
    }};
}
pub(super) use sized;

/// A run of bytes of any length.
#[inline(always)]
pub(super) unsafe fn run<const PACK: bool>(memory: *mut u8, packed: *mut u8, bytes: usize) {
    // SAFETY: as of the caller.
    unsafe { if PACK { copy(memory, packed, bytes) } else { copy(packed, memory, bytes) } }
}

/// Short runs by two moves that may overlap, long ones by the library.
#[inline(always)]
unsafe fn copy(from: *const u8, to: *mut u8, bytes: usize) {
    /// The first and the last bytes of a run that is at least this long, and at most twice as long.
    #[inline(always)]
    unsafe fn ends<T>(from: *const u8, to: *mut u8, bytes: usize) {
        let last = bytes - size_of::<T>();
        // SAFETY: both moves are within the run.
        unsafe {
            let (head, tail) =
                (from.cast::<T>().read_unaligned(), from.add(last).cast::<T>().read_unaligned());
            to.cast::<T>().write_unaligned(head);
            to.add(last).cast::<T>().write_unaligned(tail);
        }
    }
    // SAFETY: as of the caller.
    unsafe {
        match bytes {
            0 => {}
            1 => *to = *from,
            2..4 => ends::<u16>(from, to, bytes),
            4..8 => ends::<u32>(from, to, bytes),
            8..16 => ends::<u64>(from, to, bytes),
            16..=32 => ends::<[u64; 2]>(from, to, bytes),
            33..=64 => ends::<[u64; 4]>(from, to, bytes),
            65..=512 => Lines(bytes).copy(from, to),
            _ => std::ptr::copy_nonoverlapping(from, to, bytes),
        }
    }
}

#[inline(always)]
unsafe fn block<const PACK: bool, C: Copier>(copier: C, memory: *mut u8, packed: *mut u8) {
    // SAFETY: as of the caller.
    unsafe { if PACK { copier.copy(memory, packed) } else { copier.copy(packed, memory) } }
}

/// Asks for the line at an address, which need not be valid.
#[inline(always)]
fn prefetch(address: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 has it, and it faults at no address.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(address.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

/// Asks for all lines of a range, which need not be valid.
#[inline(always)]
pub(super) fn prefetch_all(address: *const u8, bytes: usize) {
    for at in (0..bytes).step_by(LINE as usize) {
        prefetch(address.wrapping_add(at));
    }
}

/// Blocks at equal distances on both sides.
#[derive(Clone, Copy)]
pub(super) struct Regular {
    pub(super) count: usize,
    /// From one repetition to the next in memory.
    pub(super) stride: isize,
    /// From one repetition to the next among the packed bytes.
    pub(super) size: usize,
}

/// Rows of blocks, all at equal distances.
#[inline(never)]
pub(super) unsafe fn rows<const PACK: bool, C: Copier>(
    copier: C,
    outer: Regular,
    inner: Regular,
    cold: bool,
    mut memory: *mut u8,
    mut packed: *mut u8,
) {
    // Rows are dense among the packed bytes, which the compiler has to know.
    let size = copier.bytes();
    let Regular { count, stride, .. } = inner;
    let inner = Regular { count, stride, size };
    // Short rows without a rest, for which setting out costs more than they do.
    let is_short = C::SHORT
        && 1 < outer.count
        && count <= SHORT
        && count.is_multiple_of(4)
        && stride != 2 * size as isize;
    for _ in 0..outer.count {
        // SAFETY: as of the caller; pointers go beyond the last block, but are not used there.
        unsafe {
            if is_short {
                let (mut at, mut to) = (memory, packed);
                for _ in 0..count / 4 {
                    four::<PACK, C>(copier, inner, at, to);
                    (at, to) =
                        (at.wrapping_offset(stride.wrapping_mul(4)), to.wrapping_add(size.wrapping_mul(4)));
                }
            } else {
                strided::<PACK, C>(copier, inner, cold, memory, packed);
            }
        }
        (memory, packed) = (memory.wrapping_offset(outer.stride), packed.wrapping_add(outer.size));
    }
}

/// Four blocks at equal distances.
#[inline(always)]
unsafe fn four<const PACK: bool, C: Copier>(copier: C, step: Regular, memory: *mut u8, packed: *mut u8) {
    let Regular { stride, size, .. } = step;
    let (later, after) =
        (memory.wrapping_offset(stride.wrapping_mul(2)), packed.wrapping_add(size.wrapping_mul(2)));
    // SAFETY: as of the caller.
    unsafe {
        block::<PACK, C>(copier, memory, packed);
        block::<PACK, C>(copier, memory.wrapping_offset(stride), packed.wrapping_add(size));
        block::<PACK, C>(copier, later, after);
        block::<PACK, C>(copier, later.wrapping_offset(stride), after.wrapping_add(size));
    }
}

/// Blocks at equal distances.
#[inline(always)]
pub(super) unsafe fn strided<const PACK: bool, C: Copier>(
    copier: C,
    Regular { mut count, stride, size }: Regular,
    cold: bool,
    mut memory: *mut u8,
    mut packed: *mut u8,
) {
    // SAFETY: as of the caller; pointers go beyond the last block, but are not used there.
    unsafe {
        if PACK && size == copier.bytes() && stride == 2 * size as isize {
            let done = every_other::<C>(copier, count, memory, packed);
            count -= done;
            memory = memory.wrapping_offset(done as isize * stride);
            packed = packed.wrapping_add(done * size);
        }
        if cold && stride.unsigned_abs() as u64 >= FAR && size as u64 <= FAR {
            let ahead = stride.wrapping_mul(AHEAD as isize);
            for _ in 0..count.saturating_sub(AHEAD) {
                prefetch(memory.wrapping_offset(ahead));
                if size >= 32 {
                    prefetch(memory.wrapping_offset(ahead.wrapping_add(size as isize - 1)));
                }
                block::<PACK, C>(copier, memory, packed);
                (memory, packed) = (memory.wrapping_offset(stride), packed.wrapping_add(size));
            }
            count = count.min(AHEAD);
        }
        if C::SHORT {
            if stride == 2 * size as isize {
                // Every other block: with a stride that the compiler knows, places are part of the moves.
                let stride = 2 * size as isize;
                for _ in 0..count / 8 {
                    four::<PACK, C>(copier, Regular { count, stride, size }, memory, packed);
                    (memory, packed) = (memory.wrapping_offset(4 * stride), packed.wrapping_add(4 * size));
                    four::<PACK, C>(copier, Regular { count, stride, size }, memory, packed);
                    (memory, packed) = (memory.wrapping_offset(4 * stride), packed.wrapping_add(4 * size));
                }
                count %= 8;
            }
            for _ in 0..count / 4 {
                four::<PACK, C>(copier, Regular { count, stride, size }, memory, packed);
                memory = memory.wrapping_offset(stride.wrapping_mul(4));
                packed = packed.wrapping_add(size.wrapping_mul(4));
            }
            count %= 4;
        }
        for _ in 0..count {
            block::<PACK, C>(copier, memory, packed);
            (memory, packed) = (memory.wrapping_offset(stride), packed.wrapping_add(size));
        }
    }
}

/// Packs blocks of 4 or 8 bytes, between which as many are left out, as long as all that is read lies before the last block; returns how
/// many blocks it were.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn every_other<C: Copier>(copier: C, count: usize, memory: *const u8, packed: *mut u8) -> usize {
    use std::arch::x86_64::{
        _mm_loadu_pd, _mm_loadu_ps, _mm_shuffle_ps, _mm_storeu_pd, _mm_storeu_ps, _mm_unpacklo_pd,
    };
    let rounds = count.saturating_sub(1);
    // SAFETY: every x86-64 has these. What is read reaches to the next block at most, and only blocks are written.
    unsafe {
        match copier.bytes() {
            4 => {
                let rounds = rounds / 4;
                let (mut from, mut to) = (memory.cast::<f32>(), packed.cast::<f32>());
                for _ in 0..rounds {
                    let both = (_mm_loadu_ps(from), _mm_loadu_ps(from.add(4)));
                    _mm_storeu_ps(to, _mm_shuffle_ps::<0b10_00_10_00>(both.0, both.1));
                    (from, to) = (from.add(8), to.add(4));
                }
                rounds * 4
            }
            8 => {
                let rounds = rounds / 2;
                let (mut from, mut to) = (memory.cast::<f64>(), packed.cast::<f64>());
                for _ in 0..rounds {
                    let both = (_mm_loadu_pd(from), _mm_loadu_pd(from.add(2)));
                    _mm_storeu_pd(to, _mm_unpacklo_pd(both.0, both.1));
                    (from, to) = (from.add(4), to.add(2));
                }
                rounds * 2
            }
            _ => 0,
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
unsafe fn every_other<C: Copier>(_: C, _: usize, _: *const u8, _: *mut u8) -> usize {
    0
}

/// A block at each offset.
#[inline(always)]
pub(super) unsafe fn listed<const PACK: bool, C: Copier, O: Copy + Into<i64>>(
    copier: C,
    offsets: &[O],
    cold: bool,
    memory: *mut u8,
    mut packed: *mut u8,
) {
    let size = copier.bytes();
    let hinted = if cold { offsets.len().saturating_sub(AHEAD) } else { 0 };
    let (first, rest) = offsets.split_at(hinted);
    // SAFETY: as of the caller; the packed bytes go beyond the last block, but are not used there.
    unsafe {
        for (offset, ahead) in first.iter().zip(&offsets[offsets.len().min(AHEAD)..]) {
            prefetch(memory.wrapping_offset((*ahead).into() as isize));
            block::<PACK, C>(copier, memory.wrapping_offset((*offset).into() as isize), packed);
            packed = packed.wrapping_add(size);
        }
        for offset in rest {
            block::<PACK, C>(copier, memory.wrapping_offset((*offset).into() as isize), packed);
            packed = packed.wrapping_add(size);
        }
    }
}

/// Repetitions of at most [`FEW_BLOCKS`] blocks.
#[inline(never)]
pub(super) unsafe fn few<const PACK: bool, C: Copier>(
    copier: C,
    offsets: &[i32],
    repeat: Regular,
    memory: *mut u8,
    packed: *mut u8,
) {
    macro_rules! of {
        ($($count:literal)*) => {
            match offsets.len() {
                // SAFETY: as of the caller.
                $($count => unsafe {
                    let places: [isize; $count] = std::array::from_fn(|i| offsets[i] as isize);
                    pattern::<PACK, C, $count>(copier, places, repeat, memory, packed);
                })*
                _ => unreachable!("there are at most {FEW_BLOCKS}"),
            }
        };
    }
    of!(1 2 3 4 5 6 7 8);
}

/// Repetitions of blocks whose places stay in registers.
#[inline(always)]
unsafe fn pattern<const PACK: bool, C: Copier, const BLOCKS: usize>(
    copier: C,
    offsets: [isize; BLOCKS],
    repeat: Regular,
    mut memory: *mut u8,
    mut packed: *mut u8,
) {
    for _ in 0..repeat.count {
        for (i, offset) in offsets.iter().enumerate() {
            // SAFETY: as of the caller.
            unsafe {
                block::<PACK, C>(copier, memory.wrapping_offset(*offset), packed.add(i * copier.bytes()));
            }
        }
        (memory, packed) = (memory.wrapping_offset(repeat.stride), packed.wrapping_add(repeat.size));
    }
}

/// Two dimensions, of which the outer one steps within a line: as many of its repetitions at a time as share one.
#[inline(always)]
pub(super) unsafe fn tiles<const PACK: bool, C: Copier>(
    copier: C,
    outer: Regular,
    inner: Regular,
    cold: bool,
    memory: *mut u8,
    packed: *mut u8,
) {
    let sharing = (64 / outer.stride.unsigned_abs().max(1)).clamp(2, 16);
    // Places that are pages apart compete for the same few lines of the first cache.
    let width = if outer.size.is_multiple_of(4096) { sharing.min(4) } else { sharing };
    let far = cold && inner.stride.unsigned_abs() as u64 >= FAR;
    let ahead = inner.stride.wrapping_mul(TILES_AHEAD as isize);
    let mut start = 0;
    while start < outer.count {
        let across = width.min(outer.count - start);
        let mut row = memory.wrapping_offset(start as isize * outer.stride);
        let mut to = packed.wrapping_add(start * outer.size);
        let last = (across - 1) as isize * outer.stride;
        for _ in 0..inner.count {
            if far {
                prefetch(row.wrapping_offset(ahead));
                prefetch(row.wrapping_offset(ahead.wrapping_add(last)));
            }
            let (mut at, mut packed) = (row, to);
            for _ in 0..across {
                // SAFETY: as of the caller.
                unsafe { block::<PACK, C>(copier, at, packed) };
                (at, packed) = (at.wrapping_offset(outer.stride), packed.wrapping_add(outer.size));
            }
            (row, to) = (row.wrapping_offset(inner.stride), to.wrapping_add(inner.size));
        }
        start += across;
    }
}
