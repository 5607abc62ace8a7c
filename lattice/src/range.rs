//! Process sets as ranges `[lo..hi]` of ranks (paper section VII.B).

use crate::constraints::Truth;
use crate::{Constraints, Linear, Symbols};

/// The ranks `lo..=hi`. Bounds hold no [`crate::Symbol::RANK`]. Whether it is empty depends on the constraints.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Range {
    /// First rank.
    pub lo: Linear,
    /// Last rank.
    pub hi: Linear,
}

impl Range {
    /// All ranks of `MPI_COMM_WORLD`.
    ///
    /// # Panics
    /// Never: `np - 1` does not overflow.
    #[must_use]
    pub fn world() -> Self {
        Self { lo: Linear::zero(), hi: Linear::np().offset(-1).expect("np - 1 is representable") }
    }

    /// One rank.
    #[must_use]
    pub fn single(rank: Linear) -> Self {
        Self { lo: rank.clone(), hi: rank }
    }

    /// Whether it has at least one member.
    #[must_use]
    pub fn nonempty(&self, facts: &Constraints) -> Truth {
        facts.le(&self.lo, &self.hi)
    }

    /// Its only member, when the two bounds are proved equal.
    #[must_use]
    pub fn as_single(&self, facts: &Constraints) -> Option<&Linear> {
        (facts.eq(&self.lo, &self.hi) == Truth::Yes).then_some(&self.lo)
    }

    /// Number of members of a nonempty range.
    #[must_use]
    pub fn count(&self) -> Option<Linear> {
        self.hi.sub(&self.lo)?.offset(1)
    }

    /// The ranks shifted by `offset`.
    #[must_use]
    pub fn shift(&self, offset: &Linear) -> Option<Self> {
        Some(Self { lo: self.lo.add(offset)?, hi: self.hi.add(offset)? })
    }

    /// Whether two nonempty ranges are proved equal.
    #[must_use]
    pub fn same(&self, other: &Self, facts: &Constraints) -> bool {
        facts.eq(&self.lo, &other.lo) == Truth::Yes && facts.eq(&self.hi, &other.hi) == Truth::Yes
    }

    /// Whether two nonempty ranges are proved to share no rank.
    #[must_use]
    pub fn disjoint(&self, other: &Self, facts: &Constraints) -> bool {
        facts.le(&self.lo, &other.hi) == Truth::No || facts.le(&other.lo, &self.hi) == Truth::No
    }

    /// The union of two nonempty ranges that are proved adjacent: `other` begins right after `self` ends.
    #[must_use]
    pub fn append(&self, other: &Self, facts: &Constraints) -> Option<Self> {
        let next = self.hi.offset(1)?;
        (facts.eq(&next, &other.lo) == Truth::Yes).then(|| Self { lo: self.lo.clone(), hi: other.hi.clone() })
    }

    /// `[lo..hi]`, or `None` when a bound means nothing outside its state.
    #[must_use]
    pub fn display(&self, symbols: &Symbols) -> Option<String> {
        let compact = |bound: &Linear| Some(symbols.display(bound)?.replace(" + ", "+").replace(" - ", "-"));
        Some(format!("[{}..{}]", compact(&self.lo)?, compact(&self.hi)?))
    }
}
