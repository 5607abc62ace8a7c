//! Ranks of all paths, as the user reads them.

use lattice::{Constraints, Ranks};

use crate::engine::Engine;
use crate::engine::extent::Extent;

/// Ranks that something was seen on, along any path.
#[derive(Clone, Debug, Default)]
pub(super) struct RankList {
    extent: Extent,
    /// Not known.
    all: bool,
}

impl RankList {
    /// Adds a range of one path.
    pub(super) fn add(&mut self, engine: &Engine<'_>, range: &Ranks, facts: &Constraints) {
        if !self.all {
            self.extent.add(Extent::of(engine, range, facts));
        }
    }

    pub(super) fn add_all(&mut self) {
        self.all = true;
    }

    pub(super) fn add_ranks(&mut self, other: &Self) {
        self.all |= other.all;
        self.extent.add(other.extent.clone());
    }

    pub(super) fn text(&self, engine: &Engine<'_>) -> String {
        if self.all { "[0..np-1]".to_owned() } else { self.extent.ranks(engine) }
    }
}
