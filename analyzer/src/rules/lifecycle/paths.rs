//! What is known at a point of a function about MPI's state: for each state it may be in, the values that go with it.

use std::collections::{BTreeMap, BTreeSet};

use frontend::ir::BlockId;

use crate::rules::values::{Domain, State};

/// How far MPI is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Phase {
    /// Not initialised yet.
    Before,
    /// Initialised.
    During,
    /// Finalised.
    After,
}

impl Phase {
    pub(super) const ALL: [Self; 3] = [Self::Before, Self::During, Self::After];
}

/// The executions that are in one phase.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Way {
    /// Values of variables.
    pub(super) state: State,
    /// Branches since the phase began whose outcome was open, and whose paths have not met again.
    pub(super) open: BTreeSet<BlockId>,
}

/// All executions at a point, by phase.
#[derive(Clone, Debug, PartialEq, Default)]
pub(super) struct Paths(pub(super) BTreeMap<Phase, Way>);

impl Paths {
    pub(super) fn start(phase: Phase, state: State) -> Self {
        Self(BTreeMap::from([(phase, Way { state, open: BTreeSet::new() })]))
    }

    pub(super) fn add(&mut self, phase: Phase, way: Way) {
        let joined = match self.0.remove(&phase) {
            Some(present) => present.combine(&way, State::join),
            None => way,
        };
        self.0.insert(phase, joined);
    }

    /// The phase, when it is the only one.
    pub(super) fn only(&self) -> Option<(Phase, &Way)> {
        let mut ways = self.0.iter();
        let (phase, way) = ways.next()?;
        ways.next().is_none().then_some((*phase, way))
    }

    fn combine(&self, other: &Self, states: fn(&State, &State) -> State) -> Self {
        let mut all = self.clone();
        for (phase, way) in &other.0 {
            let combined = self.0.get(phase).map_or_else(|| way.clone(), |mine| mine.combine(way, states));
            all.0.insert(*phase, combined);
        }
        all
    }
}

impl Way {
    /// Gives the way to each of some, copied for all but the last.
    pub(super) fn for_each<T>(self, all: impl IntoIterator<Item = T>, mut give: impl FnMut(T, Self)) {
        let mut all = all.into_iter().peekable();
        while let Some(one) = all.next() {
            if all.peek().is_none() {
                return give(one, self);
            }
            give(one, self.clone());
        }
    }

    fn combine(&self, other: &Self, states: fn(&State, &State) -> State) -> Self {
        Self {
            state: states(&self.state, &other.state),
            open: self.open.union(&other.open).copied().collect(),
        }
    }
}

impl Domain for Paths {
    fn join(&self, other: &Self) -> Self {
        self.combine(other, State::join)
    }

    fn widen(&self, new: &Self) -> Self {
        self.combine(new, State::widen)
    }
}
