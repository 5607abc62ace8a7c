//! Pairs by distance: what shifts by neighbouring distances add up to, as in rounds that send to `rank + k` for one `k` after the other.
//!
//! The pairs of two ranges whose distance, receiver less sender, is in a third range. Products and translations are such bands too, so
//! all of these meet here. Like the other links: always exact, or the caller is asked to decide the order of two bounds.

use lattice::{Constraints, Linear, Range, Symbol, Truth};

use super::link::{self, Link, Pairing, or_overflow};
use super::need::{Need, decide_le};

/// The ranks at the other end of a band, as one end sees them.
pub(crate) struct Seen {
    /// Over the own rank.
    pub(crate) near: Range,
    /// Those among which they are, where `near` goes beyond them.
    pub(crate) bounds: Option<Range>,
}

impl Link {
    /// Distances such that the pairs are all those of senders and receivers at one of them.
    pub(crate) fn distances(&self) -> Option<Range> {
        let (s, r) = (&self.senders, &self.receivers);
        match self.pairing {
            Pairing::Band => self.distances.clone(),
            Pairing::Parallel | Pairing::Single => Some(Range::single(r.lo.sub(&s.lo)?)),
            Pairing::FanOut | Pairing::FanIn | Pairing::Every => {
                Some(Range { lo: r.lo.sub(&s.hi)?, hi: r.hi.sub(&s.lo)? })
            }
            Pairing::Mirrored | Pairing::Others | Pairing::Mixed => None,
        }
    }

    /// Whether the distances of two bands are proved equal; others have none.
    pub(crate) fn same_distances(&self, other: &Self, facts: &Constraints) -> bool {
        match (&self.distances, &other.distances) {
            (Some(a), Some(b)) => a.same(b, facts),
            (None, None) => true,
            _ => false,
        }
    }

    /// A band of which each sender and each receiver is in some pair, by the plainest name.
    fn band(senders: Range, receivers: Range, distances: Range, facts: &Constraints) -> Option<Self> {
        let least = receivers.lo.sub(&senders.hi)?;
        let most = receivers.hi.sub(&senders.lo)?;
        let no_more = |a: &Linear, b: &Linear| facts.le(a, b) == Truth::Yes;
        // With one rank on a side each pair is at one of the distances.
        let one = senders.as_single(facts).or(receivers.as_single(facts)).is_some();
        if one || no_more(&distances.lo, &least) && no_more(&most, &distances.hi) {
            return Some(Self::new(senders, receivers, Pairing::Every).named(facts));
        }
        if distances.as_single(facts).is_some() {
            return Some(Self::new(senders, receivers, Pairing::Parallel).named(facts));
        }
        Some(Self { senders, receivers, pairing: Pairing::Band, distances: Some(distances) })
    }

    /// One relation for the pairs of two shifts or bands by neighbouring distances. Neither holds a pair of the other.
    pub(crate) fn join_rounds(&self, other: &Self, facts: &Constraints) -> Option<Self> {
        let shift = |link: &Self| matches!(link.pairing, Pairing::Parallel | Pairing::Single | Pairing::Band);
        // An exchange between two ranks is two shifts.
        let several = [self, other].iter().any(|link| link.pairing != Pairing::Single);
        if !several || !shift(self) || !shift(other) {
            return None;
        }
        let (here, there) = (self.distances()?, other.distances()?);
        let senders = hull(&self.senders, &other.senders, facts)?;
        let receivers = hull(&self.receivers, &other.receivers, facts)?;
        // The pairs of both together at the distances of each are its own.
        let own = |link: &Self, distances: &Range| {
            sides(&senders, &receivers, distances, |a, b| Ok::<_, ()>(facts.le(a, b)))
                .ok()
                .flatten()
                .is_some_and(|(s, r)| s.same(&link.senders, facts) && r.same(&link.receivers, facts))
        };
        if let Some(distances) = here.append(&there, facts).or_else(|| there.append(&here, facts)) {
            return (own(self, &here) && own(other, &there))
                .then(|| Self::band(senders.clone(), receivers.clone(), distances, facts))
                .flatten();
        }
        // All that are before, and all that are after.
        let (before, after) =
            if facts.le(&here.hi, &there.lo) == Truth::Yes { (&here, &there) } else { (&there, &here) };
        let is = |a: &Linear, b: i64| facts.constant(a) == Some(b);
        let least = receivers.lo.sub(&senders.hi)?;
        let most = receivers.hi.sub(&senders.lo)?;
        let all = is(&before.hi, -1)
            && is(&after.lo, 1)
            && facts.le(&before.lo, &least) == Truth::Yes
            && facts.le(&most, &after.hi) == Truth::Yes;
        (all && own(self, &here) && own(other, &there))
            .then(|| Self::new(senders.clone(), receivers.clone(), Pairing::Others))
    }

    /// The pairs of both, of which one is a band.
    pub(crate) fn intersect_band(&self, other: &Self, facts: &Constraints) -> Result<Option<Self>, Need> {
        if let Some((all, band)) = self.beside_others(other).or_else(|| other.beside_others(self)) {
            // No rank is at distance 0 from itself, and a band on one side of it does not miss that.
            let distances = or_overflow(band.distances())?;
            if decide_le(&1.into(), &distances.lo, facts)?
                || decide_le(&distances.hi, &Linear::from(-1), facts)?
            {
                return Self::new(all.senders.clone(), all.receivers.clone(), Pairing::Every)
                    .intersect_band(band, facts);
            }
        }
        let (Some(here), Some(there)) = (self.distances(), other.distances()) else {
            return Err(Need::give_up(
                "messages to ranks at several distances meet receives of another pattern",
            ));
        };
        let Some(senders) = link::intersect(&self.senders, &other.senders, facts)? else { return Ok(None) };
        let Some(receivers) = link::intersect(&self.receivers, &other.receivers, facts)? else {
            return Ok(None);
        };
        let Some(distances) = link::intersect(&here, &there, facts)? else { return Ok(None) };
        Self::banded(&senders, &receivers, &distances, facts)
    }

    /// Both, when this is a relation of each rank with all others, and the other a band.
    fn beside_others<'a>(&'a self, other: &'a Self) -> Option<(&'a Self, &'a Self)> {
        (self.pairing == Pairing::Others && other.pairing == Pairing::Band).then_some((self, other))
    }

    /// What is left of a relation of each rank with all others after a band that is part of it.
    pub(crate) fn others_without(&self, part: &Self, facts: &Constraints) -> Result<Vec<Self>, Need> {
        let least = or_overflow(self.receivers.lo.sub(&self.senders.hi))?;
        let most = or_overflow(self.receivers.hi.sub(&self.senders.lo))?;
        let mut rest = Vec::new();
        for distances in [Range { lo: least, hi: (-1).into() }, Range { lo: 1.into(), hi: most }] {
            if !decide_le(&distances.lo, &distances.hi, facts)? {
                continue;
            }
            let Some(side) = Self::banded(&self.senders, &self.receivers, &distances, facts)? else {
                continue;
            };
            match side.intersect_band(part, facts)? {
                Some(part) => rest.extend(side.band_without(&part, facts)?),
                None => rest.push(side),
            }
        }
        Ok(rest)
    }

    /// What is left of a band after `part`, an intersection of it with another.
    pub(crate) fn band_without(&self, part: &Self, facts: &Constraints) -> Result<Vec<Self>, Need> {
        let mut distances = or_overflow(self.distances())?;
        let Some(inner) = part.distances() else {
            return Err(Need::give_up(
                "messages to ranks at several distances meet receives of another pattern",
            ));
        };
        let mut rest = Vec::new();
        for senders in link::subtract(&self.senders, &part.senders, facts)? {
            rest.extend(Self::banded(&senders, &self.receivers, &distances, facts)?);
        }
        for receivers in link::subtract(&self.receivers, &part.receivers, facts)? {
            rest.extend(Self::banded(&part.senders, &receivers, &distances, facts)?);
        }
        // A product has distances beyond those of the band it is a part of.
        let Some(common) = link::intersect(&distances, &inner, facts)? else { return Ok(rest) };
        for outside in link::subtract(&distances, &common, facts)? {
            distances = outside;
            rest.extend(Self::banded(&part.senders, &part.receivers, &distances, facts)?);
        }
        Ok(rest)
    }

    /// The pairs of two ranges at some distances, if there are any.
    pub(crate) fn banded(
        senders: &Range,
        receivers: &Range,
        distances: &Range,
        facts: &Constraints,
    ) -> Result<Option<Self>, Need> {
        let order = |a: &Linear, b: &Linear| Ok(if decide_le(a, b, facts)? { Truth::Yes } else { Truth::No });
        let Some((senders, receivers)) = sides(senders, receivers, distances, order)? else {
            return Ok(None);
        };
        or_overflow(Self::band(senders, receivers, distances.clone(), facts)).map(Some)
    }

    /// The other end of a band, seen by a sender or else a receiver.
    pub(crate) fn seen_in_band(&self, by_sender: bool) -> Option<Seen> {
        let link = if by_sender { self.clone() } else { self.clone().reversed() };
        let distances = link.distances.filter(|_| link.pairing == Pairing::Band)?;
        let rank = Linear::from(Symbol::RANK);
        let at = |distance: &Linear| rank.add(distance);
        let facts = Constraints::new();
        // Where the nearest or the farthest of all is at the end of the range, the range is what ends it.
        let ends_below = facts.le(&distances.lo, &link.receivers.lo.sub(&link.senders.hi)?) == Truth::Yes;
        let ends_above = facts.le(&link.receivers.hi.sub(&link.senders.lo)?, &distances.hi) == Truth::Yes;
        let lo = if ends_below { link.receivers.lo.clone() } else { at(&distances.lo)? };
        let hi = if ends_above { link.receivers.hi.clone() } else { at(&distances.hi)? };
        // The first sender's nearest and the last one's farthest.
        let inside = |end: &Linear, of: &Linear, bound: &Linear| {
            end.substitute(Symbol::RANK, of).is_some_and(|e| e == *bound)
        };
        let below = ends_below || inside(&lo, &link.senders.lo, &link.receivers.lo);
        let above = ends_above || inside(&hi, &link.senders.hi, &link.receivers.hi);
        let bounds = (!below || !above).then(|| link.receivers.clone());
        Some(Seen { near: Range { lo, hi }, bounds })
    }
}

/// Those of two nonempty ranges that are in a pair at some distance; `None` when there is none, or when that is open. If some are, all of
/// one range that have a partner in the other are a range, and each partner of one of these is among the partners.
fn sides<E>(
    senders: &Range,
    receivers: &Range,
    distances: &Range,
    order: impl Fn(&Linear, &Linear) -> Result<Truth, E>,
) -> Result<Option<(Range, Range)>, E> {
    let cut = |range: &Range, lo: Option<Linear>, hi: Option<Linear>| {
        let (Some(lo), Some(hi)) = (lo, hi) else { return Ok(None) };
        let lo = match order(&range.lo, &lo)? {
            Truth::Yes => lo,
            Truth::No => range.lo.clone(),
            Truth::Open => return Ok(None),
        };
        let hi = match order(&hi, &range.hi)? {
            Truth::Yes => hi,
            Truth::No => range.hi.clone(),
            Truth::Open => return Ok(None),
        };
        Ok((order(&lo, &hi)? == Truth::Yes).then_some(Range { lo, hi }))
    };
    let from = cut(senders, receivers.lo.sub(&distances.hi), receivers.hi.sub(&distances.lo))?;
    let Some(from) = from else { return Ok(None) };
    let to = cut(receivers, from.lo.add(&distances.lo), from.hi.add(&distances.hi))?;
    Ok(to.map(|to| (from, to)))
}

/// The least range that holds both, where the order of their ends is known.
pub(crate) fn hull(a: &Range, b: &Range, facts: &Constraints) -> Option<Range> {
    let first = |x: &Linear, y: &Linear| match facts.le(x, y) {
        Truth::Yes => Some(true),
        Truth::No => Some(false),
        Truth::Open => None,
    };
    let lo = if first(&a.lo, &b.lo)? { &a.lo } else { &b.lo };
    let hi = if first(&a.hi, &b.hi)? { &b.hi } else { &a.hi };
    Some(Range { lo: lo.clone(), hi: hi.clone() })
}
