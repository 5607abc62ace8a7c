//! Segments: processing so many copies of a layout, a piece at a time.

#![expect(unsafe_code, reason = "bounds are checked once here, and not for each block of a segment")]

use std::sync::Arc;

use super::action::{Action, Extent, List};
use super::copy::{Pack, Unpack};
use super::engine::Cursor;
use super::loops::Placed;
use super::program::Program;
use super::{Dataloop, LoopError};

/// The processing of `count` copies of a layout, which stops and goes on at any byte.
///
/// Positions count the packed bytes from 0 to [`size`](Self::size).
#[derive(Clone, Debug)]
pub struct Segment {
    program: Arc<Program>,
    /// Where the loops start, from the origin.
    at: i64,
    size: u64,
    span: (i64, i64),
    cursor: Cursor,
}

impl Segment {
    /// `count` copies, each an extent after the one before, the first at the origin.
    ///
    /// The copies are folded into the loops: copies that touch each other become a longer run, others a vector.
    ///
    /// # Errors
    ///
    /// If displacements are too large.
    pub fn new(dataloop: &Dataloop, count: u64) -> Result<Self, LoopError> {
        let Placed { at, size, span, code, .. } = match count {
            1 => {
                return Ok(Self::of(&dataloop.placed, dataloop.program.clone()));
            }
            _ => Placed::vector(count, dataloop.extent, dataloop.placed.clone())?,
        };
        let program = Arc::new(Program::new(&code));
        Ok(Self { program, at, size, span, cursor: Cursor::default() })
    }

    fn of(placed: &Placed, program: Arc<Program>) -> Self {
        Self { program, at: placed.at, size: placed.size, span: placed.span, cursor: Cursor::default() }
    }

    /// Bytes of data of all copies.
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// How many bytes are processed.
    pub const fn position(&self) -> u64 {
        self.cursor.position
    }

    /// How many bytes are not yet processed.
    pub const fn remaining(&self) -> u64 {
        self.size - self.cursor.position
    }

    /// The first byte of data, and the one after the last, from the origin.
    pub const fn span(&self) -> (i64, i64) {
        self.span
    }

    /// Goes to any position, forwards or backwards.
    ///
    /// # Errors
    ///
    /// If there are not so many bytes; the position is what it was then.
    pub fn seek(&mut self, position: u64) -> Result<(), LoopError> {
        if position > self.size {
            return Err(LoopError::BeyondEnd { position, end: self.size });
        }
        self.cursor.seek(position, &self.program);
        Ok(())
    }

    /// Processes the next `limit` bytes, or all that remain, or fewer if the action stops; returns how many it were.
    pub fn process(&mut self, limit: u64, action: &mut impl Action) -> u64 {
        let before = self.cursor.position;
        let to = before + limit.min(self.remaining());
        self.cursor.advance(&self.program, self.at, to, action);
        self.cursor.position - before
    }

    /// Packs the next bytes from `memory`, whose origin is at index `origin`, until `packed` is full or all is packed; returns how many it
    /// were.
    ///
    /// # Errors
    ///
    /// If not all data of the segment is within the memory. Nothing is written then.
    pub fn pack(&mut self, memory: &[u8], origin: usize, packed: &mut [u8]) -> Result<usize, LoopError> {
        self.check(memory.len(), origin)?;
        // SAFETY: all data of the segment is within the memory, and no more is processed than fits.
        Ok(unsafe { self.pack_raw(memory.as_ptr().wrapping_add(origin), packed.as_mut_ptr(), packed.len()) })
    }

    /// Unpacks the next bytes into `memory`, whose origin is at index `origin`, until `packed` is used up or all is unpacked; returns how
    /// many it were.
    ///
    /// Where displacements occur twice, what is packed last remains.
    ///
    /// # Errors
    ///
    /// If not all data of the segment is within the memory. Nothing is written then.
    pub fn unpack(&mut self, memory: &mut [u8], origin: usize, packed: &[u8]) -> Result<usize, LoopError> {
        self.check(memory.len(), origin)?;
        let start = memory.as_mut_ptr().wrapping_add(origin);
        // SAFETY: all data of the segment is within the memory, and no more is processed than there is.
        Ok(unsafe { self.unpack_raw(start, packed.as_ptr(), packed.len()) })
    }

    /// Packs the next bytes, at most `room`, from the origin at `memory`; returns how many it were.
    ///
    /// # Safety
    ///
    /// All bytes of the segment's [`span`](Self::span) from `memory` on that are data are readable, `room` bytes from `packed` on are
    /// writable, and neither overlaps the other.
    pub unsafe fn pack_raw(&mut self, memory: *const u8, packed: *mut u8, room: usize) -> usize {
        // SAFETY: as of the caller; the segment's data is where its displacements say.
        let mut action = unsafe { Pack::new(memory, packed, self.cursor.position) };
        self.process(room as u64, &mut action) as usize
    }

    /// Unpacks the next bytes, at most `bytes`, to the origin at `memory`; returns how many it were.
    ///
    /// # Safety
    ///
    /// All bytes of the segment's [`span`](Self::span) from `memory` on that are data are writable, `bytes` bytes from `packed` on are
    /// readable, and neither overlaps the other.
    pub unsafe fn unpack_raw(&mut self, memory: *mut u8, packed: *const u8, bytes: usize) -> usize {
        // SAFETY: as of the caller; the segment's data is where its displacements say.
        let mut action = unsafe { Unpack::new(memory, packed, self.cursor.position) };
        self.process(bytes as u64, &mut action) as usize
    }

    /// Lists the next runs of bytes until `entries` is full or all are listed; returns how many it were.
    ///
    /// Runs that touch each other are one entry. At most `limit` bytes are listed.
    pub fn list(&mut self, entries: &mut [Extent], limit: u64) -> usize {
        let mut action = List::new(entries);
        self.process(limit, &mut action);
        action.used()
    }

    /// All data of the segment is within memory of that length.
    fn check(&self, length: usize, origin: usize) -> Result<(), LoopError> {
        let (first, end) = self.span;
        let within = |at: i64| i128::from(at) + origin as i128;
        if self.size > 0 && (within(first) < 0 || within(end) > length as i128) {
            return Err(LoopError::OutOfBounds { first, end });
        }
        Ok(())
    }
}
