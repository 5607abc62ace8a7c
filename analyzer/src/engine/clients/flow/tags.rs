//! The labels of memory: for each object, which labels which of its bytes have.

use std::collections::{BTreeMap, BTreeSet};

use lattice::{Constraints, Ranks};

use super::super::Knowledge;
use super::labels::Labels;
use crate::engine::join::Join;

/// Bytes `start..end` of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bytes {
    pub(super) start: i64,
    pub(super) end: i64,
}

impl Bytes {
    /// `None` where the end exceeds 64 bits.
    pub(super) fn new(start: i64, length: u64) -> Option<Self> {
        Some(Self { start, end: start.checked_add(i64::try_from(length).ok()?)? })
    }
}

/// The labels of one object.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tags {
    /// By first byte, with the byte after the last; they do not overlap.
    cells: BTreeMap<i64, (i64, Labels)>,
    /// Of all bytes that no cell covers.
    rest: Labels,
}

/// Cells of one object that are kept apart.
const CELLS: usize = 64;

impl Tags {
    pub(super) fn all(labels: Labels) -> Self {
        Self { cells: BTreeMap::new(), rest: labels }
    }

    /// The labels that any of some bytes may have; of the whole object without a range.
    pub(super) fn read(&self, bytes: Option<Bytes>, facts: &Constraints) -> Labels {
        let mut labels = Labels::default();
        let Some(bytes) = bytes else {
            labels.add(&self.rest, facts);
            self.cells.values().for_each(|(_, cell)| labels.add(cell, facts));
            return labels;
        };
        let mut covered = bytes.start;
        let mut gap = false;
        for (&start, (end, cell)) in self.overlapping(bytes) {
            gap |= covered < start;
            covered = *end;
            labels.add(cell, facts);
        }
        if gap || covered < bytes.end {
            labels.add(&self.rest, facts);
        }
        labels
    }

    fn overlapping(&self, bytes: Bytes) -> impl Iterator<Item = (&i64, &(i64, Labels))> {
        let before = self.cells.range(..bytes.start).next_back().filter(|(_, (end, _))| bytes.start < *end);
        before.into_iter().chain(self.cells.range(bytes.start..bytes.end.max(bytes.start)))
    }

    /// Some bytes get new content.
    pub(super) fn write(&mut self, bytes: Bytes, labels: &Labels, facts: &Constraints) {
        if bytes.end <= bytes.start {
            return;
        }
        let old: Vec<(i64, i64, Labels)> =
            self.overlapping(bytes).map(|(&start, (end, cell))| (start, *end, cell.clone())).collect();
        for (start, end, cell) in old {
            self.cells.remove(&start);
            if start < bytes.start {
                self.cells.insert(start, (bytes.start, cell.clone()));
            }
            if bytes.end < end {
                self.cells.insert(bytes.end, (end, cell));
            }
        }
        if *labels != self.rest {
            self.cells.insert(bytes.start, (bytes.end, labels.clone()));
        }
        if CELLS < self.cells.len() {
            *self = Self::all(self.read(None, facts));
        }
    }

    /// Any of the bytes may get new content.
    pub(super) fn spread(&mut self, labels: &Labels, facts: &Constraints) {
        if labels.is_empty() {
            return;
        }
        self.rest.add(labels, facts);
        self.cells.values_mut().for_each(|(_, cell)| cell.add(labels, facts));
        let rest = &self.rest;
        self.cells.retain(|_, (_, cell)| cell != rest);
    }

    /// A copy of some bytes, moved to another offset.
    pub(super) fn slice(&self, bytes: Bytes, to: i64) -> Vec<(Bytes, Labels)> {
        let mut parts = Vec::new();
        let moved = |start: i64, end: i64| {
            Some(Bytes {
                start: start.checked_sub(bytes.start)?.checked_add(to)?,
                end: end.checked_sub(bytes.start)?.checked_add(to)?,
            })
        };
        let mut next = bytes.start;
        let mut add = |start: i64, end: i64, labels: &Labels| {
            if start < end {
                parts.extend(moved(start, end).map(|part| (part, labels.clone())));
            }
        };
        for (&start, (end, cell)) in self.overlapping(bytes) {
            let (start, end) = (start.max(bytes.start), (*end).min(bytes.end));
            add(next, start, &self.rest);
            add(start, end, cell);
            next = end;
        }
        add(next, bytes.end, &self.rest);
        parts
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rest.is_empty() && self.cells.values().all(|(_, cell)| cell.is_empty())
    }

    /// The pieces into which the cells of both cut an object, with the labels of either.
    fn pieces<'a>(a: &'a Self, b: &'a Self) -> Vec<(Bytes, &'a Labels, &'a Labels)> {
        let ends = |tags: &'a Self| tags.cells.iter().flat_map(|(&start, &(end, _))| [start, end]);
        let cuts: BTreeSet<i64> = ends(a).chain(ends(b)).collect();
        let cuts: Vec<i64> = cuts.into_iter().collect();
        let at = |tags: &'a Self, byte: i64| {
            let cell = tags.cells.range(..=byte).next_back().filter(|(_, (end, _))| byte < *end);
            cell.map_or(&tags.rest, |(_, (_, labels))| labels)
        };
        cuts.windows(2)
            .map(|cut| (Bytes { start: cut[0], end: cut[1] }, at(a, cut[0]), at(b, cut[0])))
            .collect()
    }

    fn combined(
        a: &Self,
        b: &Self,
        mut both: impl FnMut(&Labels, &Labels) -> Option<Labels>,
    ) -> Option<Self> {
        let rest = both(&a.rest, &b.rest)?;
        let mut cells = BTreeMap::new();
        for (bytes, x, y) in Self::pieces(a, b) {
            let labels = both(x, y)?;
            if labels != rest {
                cells.insert(bytes.start, (bytes.end, labels));
            }
        }
        Some(Self { cells, rest })
    }
}

impl Knowledge for Tags {
    fn merge(a: (&Self, &Ranks), b: (&Self, &Ranks), facts: &Constraints) -> Option<Self> {
        Self::combined(a.0, b.0, |x, y| Labels::merge((x, a.1), (y, b.1), facts))
    }

    fn generalise(a: &Self, b: &Self, join: &mut Join<'_>) -> Option<Self> {
        Self::combined(a, b, |x, y| Labels::generalise(x, y, join))
    }
}

#[cfg(test)]
mod tests {
    use super::super::labels::SourceId;
    use super::*;

    fn labels(source: u32) -> Labels {
        Labels::fresh(SourceId(source))
    }

    fn bytes(start: i64, end: i64) -> Bytes {
        Bytes { start, end }
    }

    /// The same object byte by byte.
    fn model(writes: &[(i64, i64, u32)]) -> Vec<Option<u32>> {
        let mut memory = vec![None; 16];
        for &(start, end, source) in writes {
            for byte in start..end {
                memory[usize::try_from(byte).expect("offsets are small")] = Some(source);
            }
        }
        memory
    }

    #[test]
    fn reads_see_the_last_write_of_each_byte() {
        let facts = Constraints::new();
        let cases: &[&[(i64, i64, u32)]] = &[
            &[(0, 8, 1), (4, 6, 2)],
            &[(4, 6, 1), (0, 8, 2)],
            &[(0, 4, 1), (4, 8, 2), (2, 6, 3)],
            &[(0, 16, 1), (0, 4, 2), (12, 16, 3), (3, 13, 4)],
        ];
        for writes in cases {
            let mut tags = Tags::default();
            for &(start, end, source) in *writes {
                tags.write(bytes(start, end), &labels(source), &facts);
            }
            let expected = model(writes);
            for start in 0..16 {
                for end in start + 1..=16 {
                    let mut wanted = Labels::default();
                    for byte in start..end {
                        if let Some(source) = expected[usize::try_from(byte).expect("offsets are small")] {
                            wanted.add(&labels(source), &facts);
                        }
                    }
                    assert_eq!(
                        tags.read(Some(bytes(start, end)), &facts),
                        wanted,
                        "{writes:?} {start}..{end}"
                    );
                    let mut sliced = Labels::default();
                    tags.slice(bytes(start, end), 0).iter().for_each(|(_, part)| sliced.add(part, &facts));
                    assert_eq!(sliced, wanted, "{writes:?} {start}..{end}");
                }
            }
        }
    }

    #[test]
    fn a_write_somewhere_keeps_what_was_there() {
        let facts = Constraints::new();
        let mut tags = Tags::default();
        tags.write(bytes(0, 4), &labels(1), &facts);
        tags.spread(&labels(2), &facts);
        let mut both = labels(1);
        both.add(&labels(2), &facts);
        assert_eq!(tags.read(Some(bytes(0, 4)), &facts), both);
        assert_eq!(tags.read(Some(bytes(8, 12)), &facts), labels(2));
    }

    #[test]
    fn many_cells_become_one() {
        let facts = Constraints::new();
        let mut tags = Tags::default();
        for index in 0..200 {
            tags.write(
                bytes(index * 4, index * 4 + 4),
                &labels(u32::try_from(index % 2).unwrap_or(0)),
                &facts,
            );
        }
        assert!(tags.cells.len() <= CELLS + 1);
        let mut both = labels(0);
        both.add(&labels(1), &facts);
        assert_eq!(tags.read(Some(bytes(0, 4)), &facts), both);
    }
}
