//! Which digits the senders and the receivers of messages have, and which of them belong together.

use lattice::Linear;

/// The digits of both sides of a relation, and which of them are linked.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Layout {
    pub(crate) senders: Vec<Linear>,
    pub(crate) receivers: Vec<Linear>,
    /// The place of the receiver's digit for each of the sender's; one more than there are radices. Other than ascending where digits
    /// change places, as rows and columns do in a transposition.
    pub(super) order: Vec<usize>,
}

impl Layout {
    /// Each digit linked with that of the same place.
    pub(crate) fn straight(radices: Vec<Linear>) -> Self {
        Self { senders: radices.clone(), order: (0..=radices.len()).collect(), receivers: radices }
    }

    pub(super) fn is_straight(&self) -> bool {
        self.senders == self.receivers && self.order.is_sorted()
    }

    /// The places of the senders' digits that their ranks have. Others make up for digits that only the receivers have: they have the
    /// radix 1.
    pub(crate) fn places(&self) -> Vec<usize> {
        let one =
            |radices: &[Linear], place: usize| radices.get(place).is_some_and(|r| r.as_constant() == Some(1));
        let is_own = |place: &usize| !one(&self.senders, *place) || one(&self.receivers, self.order[*place]);
        (0..self.order.len()).filter(is_own).collect()
    }

    /// The radices of the senders.
    pub(super) fn radices(&self) -> Vec<Linear> {
        self.places().into_iter().filter_map(|place| self.senders.get(place).cloned()).collect()
    }

    /// Whether another has the same digits but for more of the most significant one, which is linked with that of the other side.
    pub(super) fn is_coarser(&self, finer: &Self) -> bool {
        let Self { senders, receivers, order } = self;
        let lower = order.len() - 1;
        let straight = |layout: &Self| (lower..layout.order.len()).all(|place| layout.order[place] == place);
        finer.senders.starts_with(senders)
            && finer.receivers.starts_with(receivers)
            && finer.order.starts_with(&order[..lower])
            && finer.senders[lower..] == finer.receivers[lower..]
            && straight(self)
            && straight(finer)
    }

    /// With senders and receivers exchanged.
    pub(crate) fn reversed(&self) -> Self {
        let mut order = vec![0; self.order.len()];
        for (sender, &receiver) in self.order.iter().enumerate() {
            order[receiver] = sender;
        }
        Self { senders: self.receivers.clone(), receivers: self.senders.clone(), order }
    }

    /// With a map of the radices.
    pub(super) fn map(&self, map: impl Fn(&Linear) -> Linear) -> Self {
        Self {
            senders: self.senders.iter().map(&map).collect(),
            receivers: self.receivers.iter().map(&map).collect(),
            order: self.order.clone(),
        }
    }
}
