//! The innermost loops of packing (`PACK`) and unpacking, on raw memory.
//!
//! All functions here need that the bytes they are pointed to may be read and written as `PACK` says, and that memory and packed bytes do
//! not overlap.

#![expect(unsafe_code, reason = "bounds are checked once for a segment, and not for each of its blocks")]

use super::{AHEAD, FAR, TILES_AHEAD};

/// Copies blocks of one size.
pub(super) trait Copier: Copy {
    /// Bytes of a block.
    fn bytes(self) -> usize;

    /// Copies a block.
    unsafe fn copy(self, from: *const u8, to: *mut u8);
}

/// Blocks of a size that the compiler knows.
#[derive(Clone, Copy)]
pub(super) struct Fixed<const BYTES: usize>;

impl<const BYTES: usize> Copier for Fixed<BYTES> {
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

/// Blocks of any size.
#[derive(Clone, Copy)]
pub(super) struct Wide(pub(super) usize);

impl Copier for Wide {
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

/// A regular dimension.
#[derive(Clone, Copy)]
pub(super) struct Regular {
    pub(super) count: usize,
    /// From one repetition to the next in memory.
    pub(super) stride: isize,
    /// From one repetition to the next among the packed bytes.
    pub(super) size: usize,
}

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

/// `count` blocks at equal distances.
#[inline(always)]
pub(super) unsafe fn strided<const PACK: bool, C: Copier>(
    copier: C,
    count: usize,
    stride: isize,
    memory: *mut u8,
    packed: *mut u8,
) {
    let size = copier.bytes();
    // Within a page the processor finds the next lines by itself.
    let far = stride.unsigned_abs() as u64 >= FAR && size as u64 <= FAR;
    let hinted = if far { count } else { 0 };
    // SAFETY: as of the caller.
    unsafe {
        for i in 0..hinted {
            let at = memory.offset(i as isize * stride);
            prefetch(at.wrapping_offset(stride.wrapping_mul(AHEAD as isize)));
            block::<PACK, C>(copier, at, packed.add(i * size));
        }
        for i in hinted..count {
            block::<PACK, C>(copier, memory.offset(i as isize * stride), packed.add(i * size));
        }
    }
}

/// A block at each offset.
#[inline(always)]
pub(super) unsafe fn listed<const PACK: bool, C: Copier, O: Copy + Into<i64>>(
    copier: C,
    offsets: &[O],
    memory: *mut u8,
    packed: *mut u8,
) {
    let size = copier.bytes();
    let hinted = offsets.len().saturating_sub(AHEAD);
    // SAFETY: as of the caller.
    unsafe {
        for i in 0..hinted {
            let ahead: i64 = (*offsets.get_unchecked(i + AHEAD)).into();
            prefetch(memory.wrapping_offset(ahead as isize));
            let at: i64 = (*offsets.get_unchecked(i)).into();
            block::<PACK, C>(copier, memory.offset(at as isize), packed.add(i * size));
        }
        for (i, offset) in offsets.iter().enumerate().skip(hinted) {
            block::<PACK, C>(copier, memory.offset((*offset).into() as isize), packed.add(i * size));
        }
    }
}

/// Two dimensions, of which the outer one steps within a line: as many of its repetitions at a time as share one.
#[inline(always)]
pub(super) unsafe fn tiles<const PACK: bool, C: Copier>(
    copier: C,
    outer: Regular,
    inner: Regular,
    memory: *mut u8,
    packed: *mut u8,
) {
    let width = (64 / outer.stride.unsigned_abs().max(1)).clamp(2, 16);
    let far = inner.stride.unsigned_abs() as u64 >= FAR;
    let mut start = 0;
    while start < outer.count {
        let end = outer.count.min(start + width);
        for i in 0..inner.count {
            // SAFETY: as of the caller.
            unsafe {
                let row = memory.offset(i as isize * inner.stride);
                if far {
                    let ahead = row.wrapping_offset(inner.stride.wrapping_mul(TILES_AHEAD as isize));
                    prefetch(ahead.wrapping_offset(start as isize * outer.stride));
                    prefetch(ahead.wrapping_offset((end - 1) as isize * outer.stride));
                }
                let to = packed.add(i * inner.size);
                for k in start..end {
                    block::<PACK, C>(copier, row.offset(k as isize * outer.stride), to.add(k * outer.size));
                }
            }
        }
        start = end;
    }
}
