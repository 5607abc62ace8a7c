//! Numbers that look random and are the same on every run.

/// Marsaglia's xorshift generator of 64 bits.
pub(super) struct Random(u64);

impl Random {
    pub(super) const fn new() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }

    pub(super) const fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `limit`, which is far below 2^64.
    pub(super) const fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// Heads or tails.
    pub(super) const fn coin(&mut self) -> bool {
        self.next() & (1 << 32) != 0
    }
}
