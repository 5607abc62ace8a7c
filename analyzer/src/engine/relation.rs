//! Sets of (sender, receiver) pairs: which messages a send describes, which of them a receive takes, and what is left.
//!
//! This is the matching of the paper's section VI.A for partners `rank + c`, `c - rank` and `c`. A send by the set S with partner
//! f is the relation {(s, f(s)) : s in S}; a receive by R from g takes the pairs with s = g(r) and r in R. Intersecting the two is
//! the paper's condition (g after f is the identity on what matches, and f maps it onto what matches), and always exact: where the
//! order of two bounds is open, the caller is asked to decide it by a case distinction and to try again.

use lattice::{Constraints, Linear, Range, Symbol, Truth};

use super::need::{Need, decide_eq, decide_le};
use super::state::{Pairing, Relation};

/// The part of a relation that a receive takes, and what is left of both.
#[derive(Clone, Debug)]
pub(crate) struct Taken {
    pub(crate) relation: Relation,
    pub(crate) rest: Vec<Relation>,
    pub(crate) idle_receivers: Vec<Range>,
}

fn or_overflow<T>(value: Option<T>) -> Result<T, Need> {
    value.ok_or_else(|| Need::give_up("a rank expression exceeds 64 bits"))
}

impl Relation {
    /// The pairs of a send by `senders` to `dest`, an expression over the sender's rank.
    pub(crate) fn of_send(senders: &Range, dest: &Linear, facts: &Constraints) -> Result<Self, Need> {
        let at = |rank: &Linear| or_overflow(dest.substitute(Symbol::RANK, rank));
        let (receivers, pairing) = match dest.coefficient(Symbol::RANK) {
            0 => (Range::single(dest.clone()), Pairing::FanIn),
            1 => (Range { lo: at(&senders.lo)?, hi: at(&senders.hi)? }, Pairing::Parallel),
            -1 => (Range { lo: at(&senders.hi)?, hi: at(&senders.lo)? }, Pairing::Mirrored),
            _ => return Err(Need::give_up("the partner is a multiple of the rank")),
        };
        Ok(Self { senders: senders.clone(), receivers, pairing }.named(facts))
    }

    /// The same pairs with the plainest pairing that describes them.
    fn named(mut self, facts: &Constraints) -> Self {
        let one_sender = self.senders.as_single(facts).is_some();
        let one_receiver = self.receivers.as_single(facts).is_some();
        self.pairing = match (one_sender, one_receiver) {
            (true, true) => Pairing::Single,
            (true, false) if self.pairing == Pairing::FanOut => Pairing::FanOut,
            (false, true) if self.pairing == Pairing::FanIn => Pairing::FanIn,
            _ => self.pairing,
        };
        self
    }

    /// Who sends to receiver `r`, over the receiver's rank; `None` for a fan-in, where several do.
    pub(crate) fn sender_of_receiver(&self) -> Option<Linear> {
        let rank = Linear::rank();
        match self.pairing {
            Pairing::Parallel => rank.add(&self.senders.lo)?.sub(&self.receivers.lo),
            Pairing::Mirrored => self.senders.lo.add(&self.receivers.hi)?.sub(&rank),
            Pairing::FanOut | Pairing::Single => Some(self.senders.lo.clone()),
            Pairing::FanIn => None,
        }
    }

    /// To whom sender `s` sends, over the sender's rank; `None` for a fan-out, where there are several.
    pub(crate) fn receiver_of_sender(&self) -> Option<Linear> {
        let rank = Linear::rank();
        match self.pairing {
            Pairing::Parallel => rank.add(&self.receivers.lo)?.sub(&self.senders.lo),
            Pairing::Mirrored => self.receivers.lo.add(&self.senders.hi)?.sub(&rank),
            Pairing::FanIn | Pairing::Single => Some(self.receivers.lo.clone()),
            Pairing::FanOut => None,
        }
    }

    /// The pairs whose receiver is in `part`, a nonempty part of the receivers; not for a fan-in.
    fn onto(&self, part: Range, facts: &Constraints) -> Result<Self, Need> {
        let sender = or_overflow(self.sender_of_receiver())?;
        let at = |rank: &Linear| or_overflow(sender.substitute(Symbol::RANK, rank));
        let senders = match self.pairing {
            Pairing::Mirrored => Range { lo: at(&part.hi)?, hi: at(&part.lo)? },
            _ => Range { lo: at(&part.lo)?, hi: at(&part.hi)? },
        };
        Ok(Self { senders, receivers: part, pairing: self.pairing }.named(facts))
    }

    /// The pairs that a receive by `receivers` from `source`, an expression over the receiver's rank, takes.
    pub(crate) fn take(
        &self,
        receivers: &Range,
        source: &Linear,
        facts: &Constraints,
    ) -> Result<Option<Taken>, Need> {
        let Some(common) = intersect(&self.receivers, receivers, facts)? else { return Ok(None) };
        if self.pairing == Pairing::FanIn {
            return self.take_one_of_many(receivers, &common, source, facts);
        }
        let sender = or_overflow(self.sender_of_receiver())?;
        let difference = or_overflow(sender.sub(source))?;
        let Some(matched) = zeros(&difference, common, facts)? else { return Ok(None) };
        let rest = subtract(&self.receivers, &matched, facts)?
            .into_iter()
            .map(|part| self.onto(part, facts))
            .collect::<Result<_, _>>()?;
        let idle_receivers = subtract(receivers, &matched, facts)?;
        Ok(Some(Taken { relation: self.onto(matched, facts)?, rest, idle_receivers }))
    }

    fn take_one_of_many(
        &self,
        receivers: &Range,
        receiver: &Range,
        source: &Linear,
        facts: &Constraints,
    ) -> Result<Option<Taken>, Need> {
        let wanted = or_overflow(source.substitute(Symbol::RANK, &receiver.lo))?;
        if !(decide_le(&self.senders.lo, &wanted, facts)? && decide_le(&wanted, &self.senders.hi, facts)?) {
            return Ok(None);
        }
        let sender = Range::single(wanted);
        let rest = subtract(&self.senders, &sender, facts)?
            .into_iter()
            .map(|senders| Self { senders, ..self.clone() }.named(facts))
            .collect();
        let relation = Self { senders: sender, receivers: receiver.clone(), pairing: Pairing::Single };
        Ok(Some(Taken { relation, rest, idle_receivers: subtract(receivers, receiver, facts)? }))
    }

    /// One relation for the pairs of both, when they lie side by side. Neither holds a pair of the other.
    pub(crate) fn join_adjacent(&self, other: &Self, facts: &Constraints) -> Option<Self> {
        self.append(other, facts).or_else(|| other.append(self, facts))
    }

    fn append(&self, next: &Self, facts: &Constraints) -> Option<Self> {
        let fits = |pairing| {
            [self.pairing, next.pairing].iter().all(|&p| p == pairing || p == Pairing::Single)
                && pairing != Pairing::Single
        };
        let receivers_go_on = || self.receivers.append(&next.receivers, facts);
        let senders_go_on = || self.senders.append(&next.senders, facts);
        if fits(Pairing::FanOut) && self.senders.same(&next.senders, facts) {
            let receivers = receivers_go_on()?;
            return Some(Self { senders: self.senders.clone(), receivers, pairing: Pairing::FanOut });
        }
        if fits(Pairing::FanIn) && self.receivers.same(&next.receivers, facts) {
            let senders = senders_go_on()?;
            return Some(Self { senders, receivers: self.receivers.clone(), pairing: Pairing::FanIn });
        }
        if fits(Pairing::Parallel)
            && let (Some(senders), Some(receivers)) = (senders_go_on(), receivers_go_on())
        {
            return Some(Self { senders, receivers, pairing: Pairing::Parallel });
        }
        // Two single pairs are not called mirrored: an exchange between two ranks is two shifts, at np = 2 as at any other.
        if fits(Pairing::Mirrored)
            && (self.pairing == Pairing::Mirrored || next.pairing == Pairing::Mirrored)
            && let (Some(senders), Some(receivers)) =
                (senders_go_on(), next.receivers.append(&self.receivers, facts))
        {
            return Some(Self { senders, receivers, pairing: Pairing::Mirrored });
        }
        None
    }

    /// Whether both are proved to hold the same pairs.
    pub(crate) fn same(&self, other: &Self, facts: &Constraints) -> bool {
        (self.pairing == other.pairing)
            && self.senders.same(&other.senders, facts)
            && self.receivers.same(&other.receivers, facts)
    }

    /// Whether both are proved to share no pair.
    pub(crate) fn disjoint(&self, other: &Self, facts: &Constraints) -> bool {
        if self.senders.disjoint(&other.senders, facts) || self.receivers.disjoint(&other.receivers, facts) {
            return true;
        }
        // Two translations by different distances share no pair although both ranges overlap.
        match (self.sender_of_receiver(), other.sender_of_receiver()) {
            (Some(here), Some(there)) => here.sub(&there).is_some_and(|d| {
                d.coefficient(Symbol::RANK) == 0 && facts.eq(&d, &Linear::zero()) == Truth::No
            }),
            _ => false,
        }
    }
}

/// The members of `range` at which an expression over the rank is zero.
fn zeros(expression: &Linear, range: Range, facts: &Constraints) -> Result<Option<Range>, Need> {
    let slope = expression.coefficient(Symbol::RANK);
    let fixed = or_overflow(expression.substitute(Symbol::RANK, &Linear::zero()))?;
    if slope == 0 {
        return Ok(decide_eq(&fixed, &Linear::zero(), facts)?.then_some(range));
    }
    if let Some(only) = range.as_single(facts) {
        let value = or_overflow(expression.substitute(Symbol::RANK, only))?;
        return Ok(decide_eq(&value, &Linear::zero(), facts)?.then_some(range));
    }
    let Some(root) = slope.checked_neg().and_then(|divisor| fixed.divide_exactly(divisor)) else {
        return match fixed.as_constant() {
            Some(_) => Ok(None),
            None => Err(Need::give_up("whether the two partners agree depends on divisibility")),
        };
    };
    let inside = decide_le(&range.lo, &root, facts)? && decide_le(&root, &range.hi, facts)?;
    Ok(inside.then(|| Range::single(root)))
}

/// The common part of two nonempty ranges.
pub(crate) fn intersect(a: &Range, b: &Range, facts: &Constraints) -> Result<Option<Range>, Need> {
    let lo = if decide_le(&a.lo, &b.lo, facts)? { &b.lo } else { &a.lo };
    let hi = if decide_le(&a.hi, &b.hi, facts)? { &a.hi } else { &b.hi };
    Ok(decide_le(lo, hi, facts)?.then(|| Range { lo: lo.clone(), hi: hi.clone() }))
}

/// The nonempty parts of `whole` on either side of `part`, which lies inside it.
pub(crate) fn subtract(whole: &Range, part: &Range, facts: &Constraints) -> Result<Vec<Range>, Need> {
    let mut parts = Vec::new();
    let before = or_overflow(part.lo.offset(-1))?;
    if decide_le(&whole.lo, &before, facts)? {
        parts.push(Range { lo: whole.lo.clone(), hi: before });
    }
    let after = or_overflow(part.hi.offset(1))?;
    if decide_le(&after, &whole.hi, facts)? {
        parts.push(Range { lo: after, hi: whole.hi.clone() });
    }
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    type Pairs = BTreeSet<(i64, i64)>;

    fn range(lo: i64, hi: i64) -> Range {
        Range { lo: lo.min(hi).into(), hi: lo.max(hi).into() }
    }

    fn members(range: &Range) -> std::ops::RangeInclusive<i64> {
        let end = |e: &Linear| e.as_constant().expect("tests use constant bounds");
        end(&range.lo)..=end(&range.hi)
    }

    fn affine(slope: i64, constant: i64) -> Linear {
        Linear::rank().scale(slope).and_then(|e| e.offset(constant)).expect("small")
    }

    fn pairs(relation: &Relation) -> Pairs {
        let (senders, receivers) = (members(&relation.senders), members(&relation.receivers));
        match relation.pairing {
            Pairing::FanOut => receivers.map(|r| (*senders.start(), r)).collect(),
            Pairing::FanIn => senders.map(|s| (s, *receivers.start())).collect(),
            Pairing::Mirrored => senders.zip(receivers.rev()).collect(),
            Pairing::Single | Pairing::Parallel => senders.zip(receivers).collect(),
        }
    }

    proptest! {
        /// A receive takes from a send exactly the pairs on which both sides name each other, and what is left is the rest.
        #[test]
        fn taking_is_intersection(
            s in (0_i64..6, 0_i64..6), f in (-1_i64..2, -3_i64..8),
            r in (0_i64..6, 0_i64..6), g in (-1_i64..2, -3_i64..8),
        ) {
            let facts = Constraints::new();
            let (senders, receivers) = (range(s.0, s.1), range(r.0, r.1));
            let sent = Relation::of_send(&senders, &affine(f.0, f.1), &facts).expect("constants decide everything");
            let all: Pairs = members(&senders).map(|s| (s, f.0 * s + f.1)).collect();
            prop_assert_eq!(pairs(&sent), all.clone());
            let wanted: Pairs = members(&receivers).map(|r| (g.0 * r + g.1, r)).collect();
            let matched: Pairs = all.intersection(&wanted).copied().collect();
            let taken = sent.take(&receivers, &affine(g.0, g.1), &facts).expect("constants decide everything");
            match taken {
                None => prop_assert!(matched.is_empty()),
                Some(taken) => {
                    prop_assert_eq!(pairs(&taken.relation), matched.clone());
                    let rest: Pairs = taken.rest.iter().flat_map(pairs).collect();
                    prop_assert_eq!(rest, all.difference(&matched).copied().collect::<Pairs>());
                    let idle: BTreeSet<i64> = taken.idle_receivers.iter().flat_map(members).collect();
                    let busy: BTreeSet<i64> = matched.iter().map(|&(_, r)| r).collect();
                    prop_assert_eq!(idle, members(&receivers).filter(|r| !busy.contains(r)).collect::<BTreeSet<_>>());
                }
            }
        }

        /// Joining two relations that lie side by side loses and adds no pair; disjointness is never claimed wrongly.
        #[test]
        fn joining_is_union(
            s in (0_i64..5, 0_i64..5), f in (-1_i64..2, -3_i64..8),
            t in (0_i64..5, 0_i64..5), g in (-1_i64..2, -3_i64..8),
        ) {
            let facts = Constraints::new();
            let a = Relation::of_send(&range(s.0, s.1), &affine(f.0, f.1), &facts).expect("constants");
            let b = Relation::of_send(&range(t.0, t.1), &affine(g.0, g.1), &facts).expect("constants");
            let (p, q) = (pairs(&a), pairs(&b));
            if let Some(both) = a.join_adjacent(&b, &facts) {
                prop_assert_eq!(pairs(&both), p.union(&q).copied().collect::<Pairs>());
                prop_assert!(p.is_disjoint(&q));
            }
            if a.disjoint(&b, &facts) {
                prop_assert!(p.is_disjoint(&q));
            }
            prop_assert_eq!(a.same(&b, &facts) , p == q && a.pairing == b.pairing);
        }
    }
}
