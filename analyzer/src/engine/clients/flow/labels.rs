//! Labels: which sources data may come from, by which ranks and over which messages.

use std::collections::BTreeMap;

use lattice::{Constraints, Ranks};

use super::super::Knowledge;
use crate::engine::join::Join;

/// Index of a source in the client's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SourceId(pub(super) u32);

/// Index of a hop in the client's table: a channel, or collective calls that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct HopId(pub(super) u32);

/// Data of one source, as it came to where the label is found. There are finitely many: the rest of the path is in the client's
/// table of hops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Label {
    pub(super) source: SourceId,
    /// The last message that it came over; `None` where it has not left its process.
    pub(super) hop: Option<HopId>,
    /// Whether only a decision that the data made is known, not the data itself.
    pub(super) implicit: bool,
}

/// Whose execution of the source the data may come from.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Origin {
    /// The process itself.
    pub(super) own: bool,
    pub(super) others: Others,
}

/// Ranks, the process itself aside.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Others {
    /// Some of these; none where there is no range.
    Among(Vec<Ranks>),
    /// Any.
    Anybody,
}

impl Default for Others {
    fn default() -> Self {
        Self::Among(Vec::new())
    }
}

/// Ranges of ranks that one label keeps apart.
const RANGES: usize = 8;

impl Others {
    /// Adds ranks: what is there already, or lies side by side with it, becomes one range.
    fn add(&mut self, new: &Ranks, facts: &Constraints) {
        let Self::Among(ranges) = self else { return };
        let mut new = new.clone();
        loop {
            if ranges.iter().any(|known| new == *known || new.within(known, facts)) {
                return;
            }
            ranges.retain(|known| !known.within(&new, facts));
            let neighbour = ranges.iter().enumerate().find_map(|(index, known)| {
                let both = known.append(&new, facts).or_else(|| new.append(known, facts))?;
                Some((index, both))
            });
            match neighbour {
                Some((index, both)) => {
                    ranges.remove(index);
                    new = both;
                }
                None => break,
            }
        }
        if ranges.len() == RANGES {
            *self = Self::Anybody;
        } else {
            ranges.push(new);
        }
    }
}

impl Origin {
    fn add(&mut self, other: &Self, facts: &Constraints) {
        self.own |= other.own;
        match &other.others {
            Others::Anybody => self.others = Others::Anybody,
            Others::Among(ranges) => ranges.iter().for_each(|range| self.others.add(range, facts)),
        }
    }

    /// As others see it that know the process by the range it is in.
    fn seen_in(&self, ranks: &Ranks, facts: &Constraints) -> Self {
        let mut seen = Self { own: false, others: self.others.clone() };
        if self.own {
            seen.others.add(ranks, facts);
        }
        seen
    }

    fn generalise(a: &Self, b: &Self, join: &mut Join<'_>) -> Self {
        let own = a.own || b.own;
        join.old_says(a.own || !b.own);
        let others = match (&a.others, &b.others) {
            (Others::Anybody, _) => Others::Anybody,
            (_, Others::Anybody) => {
                join.old_says(false);
                Others::Anybody
            }
            (Others::Among(x), Others::Among(y)) => match generalise_ranges(x, y, join) {
                Some(ranges) => Others::Among(ranges),
                None => {
                    join.old_says(false);
                    Others::Anybody
                }
            },
        };
        Self { own, others }
    }
}

/// Ranges of two states; `None` where they have no common description.
fn generalise_ranges(x: &[Ranks], y: &[Ranks], join: &mut Join<'_>) -> Option<Vec<Ranks>> {
    if x.len() == y.len() {
        return x.iter().zip(y).map(|(a, b)| join.ranks(a, b)).collect();
    }
    // What one side alone says is kept. Symbols that mean nothing on the other side become numbers that are not known.
    let (known, new) = match (x, y) {
        (known, []) => (known, false),
        ([], known) => (known, true),
        _ => return None,
    };
    join.old_says(!new);
    known.iter().map(|range| join.ranks(range, range)).collect()
}

/// What data may come from: nothing where there is no label.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Labels(BTreeMap<Label, Origin>);

impl Labels {
    /// Data that the process itself has just got from a source.
    pub(super) fn fresh(source: SourceId) -> Self {
        let label = Label { source, hop: None, implicit: false };
        Self(BTreeMap::from([(label, Origin { own: true, others: Others::default() })]))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&Label, &Origin)> {
        self.0.iter()
    }

    pub(super) fn add(&mut self, other: &Self, facts: &Constraints) {
        for (label, origin) in &other.0 {
            match self.0.get_mut(label) {
                Some(known) => known.add(origin, facts),
                None => {
                    self.0.insert(*label, origin.clone());
                }
            }
        }
    }

    /// What is known of the data by a decision that it made.
    pub(super) fn as_decision(&self, facts: &Constraints) -> Self {
        self.relabelled(facts, |label| Label { implicit: true, ..label })
    }

    /// The labels at the receivers of a message from some of the senders.
    pub(super) fn sent(&self, hop: HopId, senders: &Ranks, facts: &Constraints) -> Self {
        let seen =
            Self(self.0.iter().map(|(label, origin)| (*label, origin.seen_in(senders, facts))).collect());
        seen.relabelled(facts, |label| Label { hop: Some(hop), ..label })
    }

    fn relabelled(&self, facts: &Constraints, change: impl Fn(Label) -> Label) -> Self {
        let mut changed = Self::default();
        for (label, origin) in &self.0 {
            changed.add(&Self(BTreeMap::from([(change(*label), origin.clone())])), facts);
        }
        changed
    }
}

impl Knowledge for Labels {
    fn merge(a: (&Self, &Ranks), b: (&Self, &Ranks), facts: &Constraints) -> Option<Self> {
        let mut merged = Self::default();
        // What every member has of its own stays its own; what only some have is of those.
        for ((labels, ranks), (others, _)) in [(a, b), (b, a)] {
            for (label, origin) in &labels.0 {
                let shared = others.0.get(label).is_some_and(|other| other.own);
                let origin = if shared { origin.clone() } else { origin.seen_in(ranks, facts) };
                merged.add(&Self(BTreeMap::from([(*label, origin)])), facts);
            }
        }
        Some(merged)
    }

    fn generalise(a: &Self, b: &Self, join: &mut Join<'_>) -> Option<Self> {
        let mut general = BTreeMap::new();
        let none = Origin::default();
        for label in a.0.keys().chain(b.0.keys()) {
            if general.contains_key(label) {
                continue;
            }
            let (x, y) = (a.0.get(label), b.0.get(label));
            join.old_says(x.is_some());
            general.insert(*label, Origin::generalise(x.unwrap_or(&none), y.unwrap_or(&none), join));
        }
        Some(Self(general))
    }
}
