//! Which edge has which colour at a vertex, in memory for the edges that there are.

use rustc_hash::FxHashMap;

pub(super) const NONE: u32 = u32::MAX;

/// The edges of one side by vertex and colour.
///
/// A vertex has a row with room for each colour, unless there are many vertices of few edges: those are in a hash table.
pub(super) struct Table {
    colors: usize,
    words: usize,
    /// The row of each vertex, or `NONE`.
    row_of: Vec<u32>,
    rows: Vec<u32>,
    /// For each row, which colours are free, as bits.
    free: Vec<u64>,
    /// For each row, a word that has no free colour before it.
    first_free: Vec<u32>,
    few: FxHashMap<(u32, u32), u32>,
}

impl Table {
    /// A table without edges, for vertices that will have so many.
    pub(super) fn new(degrees: &[u32], colors: usize) -> Self {
        /// Rows may have so many entries for each edge.
        const SPARSE: usize = 8;
        let edges: usize = degrees.iter().map(|degree| *degree as usize).sum();
        let all = degrees.len() <= SPARSE * edges / colors.max(1) + 64;
        let mut count = 0;
        let row_of = (degrees.iter())
            .map(|degree| {
                if all || SPARSE * *degree as usize >= colors {
                    count += 1;
                    count - 1
                } else {
                    NONE
                }
            })
            .collect();
        let count = count as usize;
        let words = colors.div_ceil(64);
        let mut free = vec![u64::MAX; words];
        if !colors.is_multiple_of(64) {
            free[words - 1] = (1 << (colors % 64)) - 1;
        }
        Self {
            colors,
            words,
            row_of,
            rows: vec![NONE; count * colors],
            free: free.repeat(count),
            first_free: vec![0; count],
            few: FxHashMap::default(),
        }
    }

    /// How many vertices there are.
    pub(super) const fn vertices(&self) -> usize {
        self.row_of.len()
    }

    /// The edge that has this colour at the vertex, or `NONE`.
    #[inline]
    pub(super) fn get(&self, vertex: usize, color: usize) -> u32 {
        match self.row_of[vertex] {
            NONE => self.few.get(&(vertex as u32, color as u32)).copied().unwrap_or(NONE),
            row => self.rows[row as usize * self.colors + color],
        }
    }

    #[inline]
    pub(super) fn put(&mut self, vertex: usize, color: usize, edge: u32) {
        match self.row_of[vertex] {
            NONE => {
                self.few.insert((vertex as u32, color as u32), edge);
            }
            row => {
                let row = row as usize;
                self.rows[row * self.colors + color] = edge;
                let free = &mut self.free[row * self.words..][..self.words];
                free[color / 64] &= !(1 << (color % 64));
                let first = &mut self.first_free[row];
                while free.get(*first as usize) == Some(&0) {
                    *first += 1;
                }
            }
        }
    }

    #[inline]
    pub(super) fn take(&mut self, vertex: usize, color: usize) {
        match self.row_of[vertex] {
            NONE => {
                self.few.remove(&(vertex as u32, color as u32));
            }
            row => {
                let row = row as usize;
                self.rows[row * self.colors + color] = NONE;
                self.free[row * self.words + color / 64] |= 1 << (color % 64);
                self.first_free[row] = self.first_free[row].min((color / 64) as u32);
            }
        }
    }

    /// Which colours are free at a vertex that has a row, and the first word that is not 0.
    fn free(&self, vertex: usize) -> Option<(&[u64], usize)> {
        match self.row_of[vertex] {
            NONE => None,
            row => {
                let row = row as usize;
                Some((&self.free[row * self.words..][..self.words], self.first_free[row] as usize))
            }
        }
    }

    /// The first colour below `limit` that is free at `vertex`, and at `other_vertex` of the other side.
    pub(super) fn common_free(
        &self,
        vertex: usize,
        other: &Self,
        other_vertex: usize,
        limit: usize,
    ) -> Option<usize> {
        let color = match (self.free(vertex), other.free(other_vertex)) {
            (Some((here, first)), Some((there, other_first))) => {
                let words = limit.div_ceil(64);
                let begin = first.max(other_first).min(words);
                let common = here[begin..words].iter().zip(&there[begin..words]).map(|(a, b)| a & b);
                let (word, bits) = common.enumerate().find(|(_, bits)| *bits != 0)?;
                (begin + word) * 64 + bits.trailing_zeros() as usize
            }
            (None, None) => (0..limit)
                .find(|color| self.get(vertex, *color) == NONE && other.get(other_vertex, *color) == NONE)?,
            (Some(_), None) => {
                self.free_colors(vertex).find(|color| other.get(other_vertex, *color) == NONE)?
            }
            (None, Some(_)) => {
                other.free_colors(other_vertex).find(|color| self.get(vertex, *color) == NONE)?
            }
        };
        (color < limit).then_some(color)
    }

    /// The free colours of a vertex that has a row.
    fn free_colors(&self, vertex: usize) -> impl Iterator<Item = usize> {
        let (free, first) = self.free(vertex).unwrap_or((&[], 0));
        free[first..].iter().enumerate().flat_map(move |(word, bits)| {
            let mut bits = *bits;
            std::iter::from_fn(move || {
                let bit = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
                bits &= bits - 1;
                Some((first + word) * 64 + bit)
            })
        })
    }

    /// Some of the colours below `limit` that are free at the vertex, the last ones first.
    pub(super) fn some_free(&self, vertex: usize, limit: usize, some: &mut Vec<usize>) {
        const SOME: usize = 4;
        some.clear();
        let Some((free, _)) = self.free(vertex) else {
            some.extend((0..limit).rev().filter(|color| self.get(vertex, *color) == NONE).take(SOME));
            return;
        };
        for word in (0..limit.div_ceil(64)).rev() {
            let mut bits = free[word];
            while bits != 0 {
                let bit = 63 - bits.leading_zeros() as usize;
                bits &= !(1 << bit);
                if word * 64 + bit < limit {
                    some.push(word * 64 + bit);
                    if some.len() == SOME {
                        return;
                    }
                }
            }
        }
    }
}
