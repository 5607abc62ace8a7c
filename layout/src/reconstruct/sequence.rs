//! The sequence that a tree is looked for: checked, with its steps as small numbers.

use rustc_hash::FxHashMap;

use super::ReconstructError;
use crate::basic::Basic;
use crate::tree::Element;

/// Displacements beyond this could overflow when they are subtracted.
const LARGEST_DISPLACEMENT: u64 = 1 << 61;

/// A nonempty sequence of elements, prepared for comparing parts of it.
pub(super) struct Sequence<'a> {
    elements: &'a [Element],
    /// For each element a number that is the same for the same basic datatype.
    pub(super) kinds: Vec<u32>,
    /// For each element but the last a number that is the same where its basic datatype and the distance to the next element are.
    pub(super) steps: Vec<u32>,
    /// For each element but the last whether the next one is of the same basic datatype and right behind it.
    pub(super) adjacent: Vec<bool>,
}

impl<'a> Sequence<'a> {
    pub(super) fn new(elements: &'a [Element]) -> Result<Self, ReconstructError> {
        if elements.is_empty() {
            return Err(ReconstructError::Empty);
        }
        if let Some(far) = elements.iter().find(|e| e.displacement.unsigned_abs() > LARGEST_DISPLACEMENT) {
            return Err(ReconstructError::TooFar(far.displacement));
        }
        if u32::try_from(elements.len()).is_err() {
            return Err(ReconstructError::TooLong(elements.len()));
        }
        let kinds = elements.iter().map(|e| e.basic as u32).collect();
        let mut numbers: FxHashMap<(Basic, i64), u32> = FxHashMap::default();
        let step = |pair: &[Element]| (pair[0].basic, pair[1].displacement - pair[0].displacement);
        let steps = (elements.windows(2))
            .map(|pair| {
                let next = numbers.len() as u32;
                *numbers.entry(step(pair)).or_insert(next)
            })
            .collect();
        let adjacent = (elements.windows(2))
            .map(|pair| pair[0].basic == pair[1].basic && step(pair).1 == pair[0].basic.size())
            .collect();
        Ok(Self { elements, kinds, steps, adjacent })
    }

    pub(super) fn len(&self) -> usize {
        self.kinds.len()
    }

    pub(super) fn basic(&self, i: usize) -> Basic {
        self.elements[i].basic
    }

    /// The displacement of element `i`, in bytes.
    pub(super) fn at(&self, i: usize) -> i64 {
        self.elements[i].displacement
    }

    /// How far element `j` is from element `i`, in bytes.
    pub(super) fn distance(&self, i: usize, j: usize) -> i64 {
        self.elements[j].displacement - self.elements[i].displacement
    }

    /// Whether the elements `i..j`, moved to 0, are a single leaf.
    pub(super) fn is_con(&self, i: usize, j: usize) -> bool {
        self.adjacent[i..j - 1].iter().all(|adjacent| *adjacent)
    }

    /// Whether the elements `i..i + q` and `j..j + q` are the same but for where they start.
    pub(super) fn blocks_equal(&self, i: usize, j: usize, q: usize) -> bool {
        self.steps[i..i + q - 1] == self.steps[j..j + q - 1] && self.kinds[i + q - 1] == self.kinds[j + q - 1]
    }

    /// Whether the elements `i..j` are blocks of length `q` that are all the same but for where they start.
    pub(super) fn repeats(&self, i: usize, j: usize, q: usize) -> bool {
        (j - i).is_multiple_of(q) && (i + q..j).step_by(q).all(|k| self.blocks_equal(i, k, q))
    }

    /// The stride, if the blocks of length `q` that `i..j` consists of, at least two, start equally far apart.
    pub(super) fn stride(&self, i: usize, j: usize, q: usize) -> Option<i64> {
        let stride = self.distance(i, i + q);
        (i + q..j - q).step_by(q).all(|k| self.distance(k, k + q) == stride).then_some(stride)
    }
}
