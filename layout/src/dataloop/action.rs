//! What is done with the bytes of a layout, apart from the traversal: lists of offsets, checksums, exchange of byte order.
//!
//! Packing and unpacking are in `copy.rs`. An action of your own implements [`Action::block`]; nothing else has to know of it.

use super::nest::{Block, Part};

/// Something done with each run of bytes of a layout, in the order in which they are packed.
///
/// ```
/// use layout::dataloop::{Action, Block, Dataloop, Segment};
/// use layout::{Basic, Tree};
///
/// /// How many runs there are, and the longest.
/// #[derive(Default)]
/// struct Runs(u64, u64);
///
/// impl Action for Runs {
///     fn block(&mut self, block: Block) -> u64 {
///         self.0 += 1;
///         self.1 = self.1.max(block.bytes);
///         block.bytes
///     }
/// }
///
/// let rows = Dataloop::compile(&Tree::vec(10, 80, Tree::con(3, Basic::Double)))?;
/// let mut runs = Runs::default();
/// Segment::new(&rows, 1)?.process(u64::MAX, &mut runs);
/// assert_eq!((runs.0, runs.1), (10, 24));
/// # Ok::<(), layout::dataloop::LoopError>(())
/// ```
pub trait Action {
    /// Takes a run of bytes, and says how many of them it took: all, or fewer if it cannot take more now.
    ///
    /// After an answer below `block.bytes` processing stops there, and goes on there when it is resumed. A greater answer is a bug of the
    /// action, for which the engine panics.
    fn block(&mut self, block: Block) -> u64;

    /// Takes all of a leaf's loops, or a part of them, that starts at `memory` and `packed`.
    ///
    /// The default takes the runs one by one. An action that is faster for whole loops does without [`block`](Self::block) here, in any
    /// order of its own if it takes all.
    fn part(&mut self, part: Part<'_>, memory: i64, packed: u64) -> u64 {
        part.for_each_block(memory, packed, |block| self.block(block))
    }
}

/// A run of bytes, as `readv` and `writev` take it: an entry of an `iovec`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct Extent {
    /// Bytes from the origin of the buffer.
    pub offset: i64,
    /// How many bytes.
    pub length: u64,
}

/// Lists runs, those that touch each other as one.
#[derive(Debug)]
pub struct List<'a> {
    entries: &'a mut [Extent],
    used: usize,
}

impl<'a> List<'a> {
    /// A list of at most as many runs as there are entries.
    pub const fn new(entries: &'a mut [Extent]) -> Self {
        Self { entries, used: 0 }
    }

    /// How many entries are used.
    pub const fn used(&self) -> usize {
        self.used
    }
}

impl Action for List<'_> {
    fn block(&mut self, block: Block) -> u64 {
        if let Some(last) = self.used.checked_sub(1).map(|last| &mut self.entries[last])
            && last.offset + last.length as i64 == block.memory
        {
            last.length += block.bytes;
            return block.bytes;
        }
        let Some(entry) = self.entries.get_mut(self.used) else {
            return 0;
        };
        *entry = Extent { offset: block.memory, length: block.bytes };
        self.used += 1;
        block.bytes
    }
}

/// The Adler-32 checksum (RFC 1950, section 8.2) of the packed bytes, without packing them.
#[derive(Clone, Debug)]
pub struct Checksum<'a> {
    memory: &'a [u8],
    origin: usize,
    sums: (u32, u32),
}

impl<'a> Checksum<'a> {
    /// Of the data in `memory`, whose origin is at index `origin`.
    pub const fn new(memory: &'a [u8], origin: usize) -> Self {
        Self { memory, origin, sums: (1, 0) }
    }

    /// The checksum of what was processed.
    pub const fn value(&self) -> u32 {
        self.sums.1 << 16 | self.sums.0
    }
}

impl Action for Checksum<'_> {
    /// # Panics
    ///
    /// If the run is not within the memory.
    fn block(&mut self, block: Block) -> u64 {
        const MODULUS: u32 = 65521;
        // So many bytes cannot overflow the second sum.
        for bytes in self.memory[range(self.origin, block.memory, block.bytes)].chunks(5552) {
            for byte in bytes {
                self.sums.0 += u32::from(*byte);
                self.sums.1 += self.sums.0;
            }
            self.sums = (self.sums.0 % MODULUS, self.sums.1 % MODULUS);
        }
        block.bytes
    }
}

/// Packs for a peer of the other byte order: the bytes of each number are exchanged.
///
/// Needs loops that know their numbers ([`Units::Numbers`](super::Units::Numbers)).
#[derive(Debug)]
pub struct PackSwapped<'a> {
    memory: &'a [u8],
    origin: usize,
    packed: &'a mut [u8],
    from: u64,
}

impl<'a> PackSwapped<'a> {
    /// From `memory`, whose origin is at index `origin`, to `packed`, whose first byte is the segment's packed byte `from`.
    pub const fn new(memory: &'a [u8], origin: usize, packed: &'a mut [u8], from: u64) -> Self {
        Self { memory, origin, packed, from }
    }
}

impl Action for PackSwapped<'_> {
    /// # Panics
    ///
    /// If a number is not within the memory, or the run not within the packed bytes.
    fn block(&mut self, block: Block) -> u64 {
        let start = (block.packed - self.from) as usize;
        for (packed, of) in self.packed[start..start + block.bytes as usize].iter_mut().zip(swapped(block)) {
            *packed = self.memory[range(self.origin, of, 1)][0];
        }
        block.bytes
    }
}

/// Unpacks what a peer of the other byte order has packed: the bytes of each number are exchanged.
///
/// Needs loops that know their numbers ([`Units::Numbers`](super::Units::Numbers)).
#[derive(Debug)]
pub struct UnpackSwapped<'a> {
    memory: &'a mut [u8],
    origin: usize,
    packed: &'a [u8],
    from: u64,
}

impl<'a> UnpackSwapped<'a> {
    /// To `memory`, whose origin is at index `origin`, from `packed`, whose first byte is the segment's packed byte `from`.
    pub const fn new(memory: &'a mut [u8], origin: usize, packed: &'a [u8], from: u64) -> Self {
        Self { memory, origin, packed, from }
    }
}

impl Action for UnpackSwapped<'_> {
    /// # Panics
    ///
    /// If a number is not within the memory, or the run not within the packed bytes.
    fn block(&mut self, block: Block) -> u64 {
        let start = (block.packed - self.from) as usize;
        for (packed, to) in self.packed[start..start + block.bytes as usize].iter().zip(swapped(block)) {
            self.memory[range(self.origin, to, 1)][0] = *packed;
        }
        block.bytes
    }
}

/// Where in memory the bytes of a run are in the other byte order.
fn swapped(block: Block) -> impl Iterator<Item = i64> {
    let unit = i64::from(block.unit);
    let phase = i64::from(block.phase);
    (phase..phase + block.bytes as i64).map(move |i| {
        let number = i - i % unit;
        block.memory - phase + number + (unit - 1 - i % unit)
    })
}

/// The indices of bytes in a slice whose origin is at `origin`.
fn range(origin: usize, offset: i64, bytes: u64) -> std::ops::Range<usize> {
    let start = origin.checked_add_signed(offset as isize).expect("the data is within the memory");
    start..start + bytes as usize
}
