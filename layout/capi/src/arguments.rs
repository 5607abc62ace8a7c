//! Arguments of C functions: pointers and counts, checked.

use crate::status::Failure;
use crate::status::anyrank_status::{ANYRANK_ERR_ARGUMENT, ANYRANK_ERR_BOUNDS, ANYRANK_ERR_OVERLAP};

/// An array that a caller passes; without elements its pointer may be anything.
///
/// # Safety
///
/// If the pointer is not null, and a multiple of the alignment, then so many elements are readable for as long as the result is used.
pub unsafe fn list<'a, T>(what: &str, pointer: *const T, count: i64) -> Result<&'a [T], Failure> {
    let wrong = |how: &str| Failure::new(ANYRANK_ERR_ARGUMENT, format!("{what} {how}"));
    let count = usize::try_from(count).map_err(|_| wrong("have a negative count"))?;
    if count == 0 {
        return Ok(&[]);
    }
    if pointer.is_null() || !pointer.is_aligned() {
        return Err(wrong("are a null or misaligned pointer"));
    }
    if count > isize::MAX as usize / size_of::<T>().max(1) {
        return Err(wrong("are more than memory can hold"));
    }
    // SAFETY: as of the caller; the length was checked.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
}

/// Where a result goes.
#[derive(Clone, Copy)]
pub struct Out<T>(*mut T);

impl<T> Out<T> {
    /// The place that a caller passes.
    ///
    /// # Safety
    ///
    /// If the pointer is not null, and a multiple of the alignment, then it may be written for as long as this is used.
    pub unsafe fn new(pointer: *mut T) -> Result<Self, Failure> {
        if pointer.is_null() || !pointer.is_aligned() {
            return Err(Failure::new(
                ANYRANK_ERR_ARGUMENT,
                "the place for a result is a null or misaligned pointer",
            ));
        }
        Ok(Self(pointer))
    }

    /// Writes the result.
    pub fn set(self, value: T) {
        // SAFETY: who made this answers for the place.
        unsafe { self.0.write(value) }
    }
}

/// Memory in which a layout's data is.
#[derive(Clone, Copy)]
pub struct Memory {
    start: *mut u8,
    bytes: usize,
    origin: i64,
}

impl Memory {
    /// `bytes` bytes from `start` on, in which displacement 0 is `origin` bytes from `start`.
    ///
    /// # Errors
    ///
    /// If data from displacement `span.0` to before `span.1` is not all in it. No data needs no memory.
    pub fn new(start: *mut u8, bytes: usize, origin: i64, span: (i64, i64)) -> Result<Self, Failure> {
        let empty = span.0 == span.1;
        if start.is_null() && !empty {
            return Err(Failure::new(ANYRANK_ERR_ARGUMENT, "the memory is a null pointer"));
        }
        let within = |at: i64| i128::from(at) + i128::from(origin);
        if !empty && (within(span.0) < 0 || within(span.1) > bytes as i128) {
            return Err(Failure::new(
                ANYRANK_ERR_BOUNDS,
                format!(
                    "the data spans the bytes from {} to before {}, but the memory has {bytes}",
                    within(span.0),
                    within(span.1)
                ),
            ));
        }
        Ok(Self { start, bytes, origin })
    }

    /// The address of displacement 0, which may be outside of the memory.
    pub fn at_origin(self) -> *mut u8 {
        self.start.wrapping_offset(self.origin as isize)
    }

    /// An error unless these bytes are apart from the memory.
    pub fn apart_from(self, packed: *const u8, bytes: usize) -> Result<(), Failure> {
        if bytes == 0 {
            return Ok(());
        }
        if packed.is_null() {
            return Err(Failure::new(ANYRANK_ERR_ARGUMENT, "the packed bytes are a null pointer"));
        }
        let end = |start: usize, bytes: usize| start as u128 + bytes as u128;
        let (memory, packed) = (self.start as usize, packed as usize);
        if self.bytes > 0
            && (memory as u128) < end(packed, bytes)
            && (packed as u128) < end(memory, self.bytes)
        {
            return Err(Failure::plain(ANYRANK_ERR_OVERLAP));
        }
        Ok(())
    }
}
