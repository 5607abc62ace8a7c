//! The costs of the cheapest trees for all parts of a sequence.

/// More than any tree costs; twice of it is still a `u32`.
pub(super) const IMPOSSIBLE: u32 = u32::MAX / 4;

/// For each `i < j` the least cost of a tree for the elements `i..j` moved to 0.
pub(super) struct Table {
    n: usize,
    /// Row after row, of which row `i` has the costs for `j` in `i + 1..=n`.
    costs: Vec<u32>,
}

impl Table {
    /// A table for `n` elements, if there is enough memory.
    pub(super) fn new(n: usize) -> Option<Self> {
        let size = n * (n + 1) / 2;
        let mut costs = Vec::new();
        costs.try_reserve_exact(size).ok()?;
        costs.resize(size, IMPOSSIBLE);
        Some(Self { n, costs })
    }

    /// Bytes for `n` elements, with what `dp.rs` keeps of repetitions, which is half as much again; none if a `usize` cannot count them.
    pub(super) fn bytes(n: usize) -> Option<usize> {
        let size = n.checked_mul(n.checked_add(1)?)? / 2;
        let bytes = size.checked_mul(size_of::<u32>())?;
        bytes.checked_add(bytes / 2)
    }

    fn start(&self, i: usize) -> usize {
        // Rows 0..i have n, n - 1, ... entries.
        i * self.n - i * i.saturating_sub(1) / 2
    }

    /// The least cost of a tree for the elements `i..j`; `i < j`.
    pub(super) fn cost(&self, i: usize, j: usize) -> u32 {
        self.costs[self.start(i) + j - i - 1]
    }

    /// The costs for `i..i + 1`, `i..i + 2`, ...
    pub(super) fn row(&self, i: usize) -> &[u32] {
        let start = self.start(i);
        &self.costs[start..start + self.n - i]
    }

    /// [`row`](Self::row), to be written.
    pub(super) fn row_mut(&mut self, i: usize) -> &mut [u32] {
        let start = self.start(i);
        &mut self.costs[start..start + self.n - i]
    }
}
