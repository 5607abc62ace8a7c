//! Packing and unpacking: all at once, or in pieces by segments.

use std::ffi::c_void;
use std::sync::Mutex;

use layout::dataloop::{Action, Block, Extent, Segment};

use crate::arguments::{Memory, Out};
use crate::recent::{SEGMENTS, forget, with_all, with_segment};
use crate::status::anyrank_status::{ANYRANK_ERR_ARGUMENT, ANYRANK_ERR_TRUNCATE};
use crate::status::{Failure, anyrank_status, guarded};
use crate::types::{TYPES, anyrank_type};

/// The processing of so many copies of a type, which stops and goes on at any byte.
///
/// 0 stands for no segment. A segment is there until `anyrank_segment_free`, even if its type is freed; it keeps no pointers to memory,
/// which may change, or be another one, from one call to the next. Two calls for one segment at the same time wait for each other.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct anyrank_segment {
    /// What the library knows it by.
    pub number: u64,
}

/// A run of bytes: where, from the origin of the memory, and how long.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct anyrank_extent {
    /// Bytes from displacement 0.
    pub offset: i64,
    /// How many bytes.
    pub length: u64,
}

/// An entry of the list that `readv` and `writev` take, of `<sys/uio.h>`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct iovec {
    /// Where.
    pub iov_base: *mut c_void,
    /// How many bytes.
    pub iov_len: usize,
}

/// Packs `count` copies of a committed type from `memory`, which has `memory_bytes` bytes, to `packed`, which has room for `packed_bytes`.
///
/// Displacement 0 of the first copy is at `memory + origin`; the data must all lie within the memory, and the packed bytes apart from it.
/// `written` is how many bytes were packed: `count` times the size of the type.
///
/// # Safety
///
/// Unless null, `memory` has `memory_bytes` readable and `packed` `packed_bytes` writable bytes, and `written` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn anyrank_pack(
    of: anyrank_type,
    count: u64,
    memory: *const c_void,
    memory_bytes: usize,
    origin: i64,
    packed: *mut c_void,
    packed_bytes: usize,
    written: *mut usize,
) -> anyrank_status {
    guarded(|| {
        // SAFETY: as of the caller.
        let written = unsafe { Out::new(written) }?;
        with_all(of, count, |segment| {
            let bytes = whole(segment, packed_bytes)?;
            let memory = Memory::new(memory.cast_mut().cast(), memory_bytes, origin, segment.span())?;
            memory.apart_from(packed.cast(), bytes)?;
            // SAFETY: as of the caller; data and room were checked.
            written.set(unsafe { segment.pack_raw(memory.at_origin(), packed.cast(), bytes) });
            Ok(())
        })
    })
}

/// Unpacks `count` copies of a committed type to `memory` from `packed`, which has `packed_bytes` bytes.
///
/// As `anyrank_pack`, the other way round; `read` is how many bytes were unpacked. Where data occurs twice in memory, the last one stays.
///
/// # Safety
///
/// Unless null, `memory` has `memory_bytes` writable and `packed` `packed_bytes` readable bytes, and `read` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn anyrank_unpack(
    of: anyrank_type,
    count: u64,
    memory: *mut c_void,
    memory_bytes: usize,
    origin: i64,
    packed: *const c_void,
    packed_bytes: usize,
    read: *mut usize,
) -> anyrank_status {
    guarded(|| {
        // SAFETY: as of the caller.
        let read = unsafe { Out::new(read) }?;
        with_all(of, count, |segment| {
            let bytes = whole(segment, packed_bytes)?;
            let memory = Memory::new(memory.cast(), memory_bytes, origin, segment.span())?;
            memory.apart_from(packed.cast(), bytes)?;
            // SAFETY: as of the caller; data and room were checked.
            read.set(unsafe { segment.unpack_raw(memory.at_origin(), packed.cast(), bytes) });
            Ok(())
        })
    })
}

/// All bytes of a segment, for which there must be room.
fn whole(segment: &Segment, room: usize) -> Result<usize, Failure> {
    match usize::try_from(segment.size()) {
        Ok(bytes) if bytes <= room => Ok(bytes),
        _ => Err(Failure::new(
            ANYRANK_ERR_TRUNCATE,
            format!("there are {} bytes of data, but {room} packed bytes", segment.size()),
        )),
    }
}

/// A segment of `count` copies of a committed type, at position 0.
///
/// # Safety
///
/// `result` is null, or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn anyrank_segment_create(
    of: anyrank_type,
    count: u64,
    result: *mut anyrank_segment,
) -> anyrank_status {
    guarded(|| {
        // SAFETY: as of the caller.
        let result = unsafe { Out::new(result) }?;
        let segment = TYPES.get(of.number)?.segment(count)?;
        result.set(anyrank_segment { number: SEGMENTS.add(Mutex::new(segment)) });
        Ok(())
    })
}

/// How many packed bytes there are in all, and how many of them are done.
///
/// # Safety
///
/// Both pointers are null, or may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn anyrank_segment_progress(
    segment: anyrank_segment,
    size: *mut u64,
    position: *mut u64,
) -> anyrank_status {
    guarded(|| {
        // SAFETY: as of the caller.
        let (size, position) = unsafe { (Out::new(size)?, Out::new(position)?) };
        with_segment(segment, |segment| {
            size.set(segment.size());
            position.set(segment.position());
            Ok(())
        })
    })
}

/// Goes to any position, forwards or backwards.
#[unsafe(no_mangle)]
pub extern "C" fn anyrank_segment_seek(segment: anyrank_segment, position: u64) -> anyrank_status {
    guarded(|| with_segment(segment, |segment| Ok(segment.seek(position)?)))
}

/// Packs the next bytes until there is no more room, or all are packed; `written` is how many it were. The rest is as of `anyrank_pack`.
///
/// # Safety
///
/// Unless null, `memory` has `memory_bytes` readable and `packed` `room` writable bytes, and `written` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn anyrank_segment_pack(
    segment: anyrank_segment,
    memory: *const c_void,
    memory_bytes: usize,
    origin: i64,
    packed: *mut c_void,
    room: usize,
    written: *mut usize,
) -> anyrank_status {
    guarded(|| {
        // SAFETY: as of the caller.
        let written = unsafe { Out::new(written) }?;
        with_segment(segment, |segment| {
            let memory = Memory::new(memory.cast_mut().cast(), memory_bytes, origin, segment.span())?;
            memory.apart_from(packed.cast(), room)?;
            // SAFETY: as of the caller; the data was checked.
            written.set(unsafe { segment.pack_raw(memory.at_origin(), packed.cast(), room) });
            Ok(())
        })
    })
}

/// Unpacks the next bytes until all that were given are used, or all are unpacked; `read` is how many it were. The rest is as of
/// `anyrank_unpack`.
///
/// # Safety
///
/// Unless null, `memory` has `memory_bytes` writable and `packed` `packed_bytes` readable bytes, and `read` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn anyrank_segment_unpack(
    segment: anyrank_segment,
    memory: *mut c_void,
    memory_bytes: usize,
    origin: i64,
    packed: *const c_void,
    packed_bytes: usize,
    read: *mut usize,
) -> anyrank_status {
    guarded(|| {
        // SAFETY: as of the caller.
        let read = unsafe { Out::new(read) }?;
        with_segment(segment, |segment| {
            let memory = Memory::new(memory.cast(), memory_bytes, origin, segment.span())?;
            memory.apart_from(packed.cast(), packed_bytes)?;
            // SAFETY: as of the caller; the data was checked.
            read.set(unsafe { segment.unpack_raw(memory.at_origin(), packed.cast(), packed_bytes) });
            Ok(())
        })
    })
}

/// Lists the next runs of bytes, by offset, until `limit` bytes or `capacity` entries are listed; `used` is how many entries it were.
///
/// Runs that touch each other are one entry.
///
/// # Safety
///
/// Unless null, `entries` has room for `capacity` entries, and `used` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn anyrank_segment_list(
    segment: anyrank_segment,
    limit: u64,
    entries: *mut anyrank_extent,
    capacity: usize,
    used: *mut usize,
) -> anyrank_status {
    guarded(|| {
        // SAFETY: as of the caller.
        let used = unsafe { Out::new(used) }?;
        with_segment(segment, |segment| {
            let mut runs = Runs::new(capacity, entries, |extent: Extent| anyrank_extent {
                offset: extent.offset,
                length: extent.length,
            })?;
            segment.process(limit, &mut runs);
            used.set(runs.finish());
            Ok(())
        })
    })
}

/// Lists the next runs of bytes as `readv` and `writev` take them, until `limit` bytes or `capacity` entries are listed; `used` is how
/// many entries it were.
///
/// The memory is as of `anyrank_unpack`; it is not looked at, and must stay where it is for as long as the entries are used. If fewer bytes
/// were transferred than are listed, `anyrank_segment_seek` goes back to where that was.
///
/// # Safety
///
/// Unless null, `entries` has room for `capacity` entries, and `used` may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn anyrank_segment_iovec(
    segment: anyrank_segment,
    memory: *mut c_void,
    memory_bytes: usize,
    origin: i64,
    limit: u64,
    entries: *mut iovec,
    capacity: usize,
    used: *mut usize,
) -> anyrank_status {
    guarded(|| {
        // SAFETY: as of the caller.
        let used = unsafe { Out::new(used) }?;
        with_segment(segment, |segment| {
            let start = Memory::new(memory.cast(), memory_bytes, origin, segment.span())?.at_origin();
            let mut runs = Runs::new(capacity, entries, |Extent { offset, length }| iovec {
                iov_base: start.wrapping_offset(offset as isize).cast(),
                iov_len: length as usize,
            })?;
            segment.process(limit, &mut runs);
            used.set(runs.finish());
            Ok(())
        })
    })
}

/// The number stands for no segment from now on.
#[unsafe(no_mangle)]
pub extern "C" fn anyrank_segment_free(segment: anyrank_segment) -> anyrank_status {
    guarded(|| {
        forget();
        SEGMENTS.remove(segment.number)
    })
}

/// Writes runs, those that touch each other as one, to a caller's list: an entry when the next run shows that it is complete.
struct Runs<T, F> {
    entries: *mut T,
    capacity: usize,
    used: usize,
    last: Option<Extent>,
    entry: F,
}

impl<T, F: Fn(Extent) -> T> Runs<T, F> {
    fn new(capacity: usize, entries: *mut T, entry: F) -> Result<Self, Failure> {
        if capacity > 0 && (entries.is_null() || !entries.is_aligned()) {
            return Err(Failure::new(ANYRANK_ERR_ARGUMENT, "the list is a null or misaligned pointer"));
        }
        Ok(Self { entries, capacity, used: 0, last: None, entry })
    }

    fn write(&mut self, extent: Extent) {
        // SAFETY: the list has room for `capacity` entries, and no more runs than that are taken.
        unsafe { self.entries.add(self.used).write((self.entry)(extent)) };
        self.used += 1;
    }

    /// Writes the last run, and says how many there are.
    fn finish(mut self) -> usize {
        if let Some(last) = self.last.take() {
            self.write(last);
        }
        self.used
    }
}

impl<T, F: Fn(Extent) -> T> Action for Runs<T, F> {
    fn block(&mut self, block: Block) -> u64 {
        match &mut self.last {
            Some(last) if last.offset + last.length as i64 == block.memory => {
                last.length += block.bytes;
                return block.bytes;
            }
            Some(_) if self.used + 1 == self.capacity => return 0,
            None if self.capacity == 0 => return 0,
            _ => {}
        }
        if let Some(last) = self.last.replace(Extent { offset: block.memory, length: block.bytes }) {
            self.write(last);
        }
        block.bytes
    }
}
