//! Sets of (sender, receiver) pairs by one digit of the rank: which messages a send describes, which of them a receive takes, and
//! what is left. For process sets that are ranges, the digit is the rank.
//!
//! This is the matching of the paper's section VI.A for partners `rank + c`, `c - rank` and `c`, and for what loops of such operations
//! add up to: all pairs of two ranges, with or without the pairs of a rank with itself. A send by the set S with partner f is the
//! relation {(s, f(s)) : s in S}; a receive by R from g is {(g(r), r) : r in R}. Their intersection is the paper's condition (g after f
//! is the identity on what matches, and f maps it onto what matches), and always exact: where the order of two bounds is open, the
//! caller is asked to decide it by a case distinction and to try again.

use lattice::{Constraints, Linear, Range, Symbol};

use super::need::{Need, decide_eq, decide_le};

/// How the senders and receivers of a [`Link`] are paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Pairing {
    /// One sender, one receiver.
    Single,
    /// In the same order.
    Parallel,
    /// In opposite order.
    Mirrored,
    /// One sender, many receivers.
    FanOut,
    /// Many senders, one receiver.
    FanIn,
    /// Every sender with every receiver.
    Every,
    /// Every sender with every receiver but itself.
    Others,
    /// Every sender with the receivers at some distances from it.
    Band,
    /// By a permutation of the ranks that mixes their digits, see `permutation`: so are all digits of a relation.
    Mixed,
}

/// A set of (sender, receiver) pairs, never empty. Both ranges are nonempty, and of equal length for [`Pairing::Parallel`] and
/// [`Pairing::Mirrored`]. Each sender and each receiver is in some pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) senders: Range,
    pub(crate) receivers: Range,
    pub(crate) pairing: Pairing,
    /// How far after its sender a receiver is, for [`Pairing::Band`] only.
    pub(crate) distances: Option<Range>,
}

/// Why relations of ranks whose digits are mixed are not taken apart.
pub(crate) const MIXED: &str = "ranks whose digits are mixed meet others";

/// What this file calls the digit of the rank.
const DIGIT: Symbol = Symbol::RANK;

pub(crate) fn or_overflow<T>(value: Option<T>) -> Result<T, Need> {
    value.ok_or_else(|| Need::give_up("a rank expression exceeds 64 bits"))
}

/// How the members of a relation are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// All pairs of two ranges.
    Product,
    /// The same without the pairs of a rank with itself.
    Others,
    /// One receiver for each sender, over several.
    Function,
    /// Those of a product whose distance is in a range.
    Band,
    /// What the digit alone does not tell.
    Mixed,
}

impl Link {
    /// Pairs of two ranges, but not those of [`Pairing::Band`].
    pub(crate) fn new(senders: Range, receivers: Range, pairing: Pairing) -> Self {
        Self { senders, receivers, pairing, distances: None }
    }

    /// The pairs of a send by `senders` to `dest`, an expression over the sender's digit, which it calls `own`.
    pub(crate) fn of_send(
        senders: &Range,
        own: Symbol,
        dest: &Linear,
        facts: &Constraints,
    ) -> Result<Self, Need> {
        let (receivers, pairing) = image(senders, own, dest)?;
        Ok(Self::new(senders.clone(), receivers, pairing).named(facts))
    }

    /// The same pairs with senders and receivers exchanged: that of a send to `f` becomes that of a receive from `f`.
    pub(crate) fn reversed(self) -> Self {
        let pairing = match self.pairing {
            Pairing::FanOut => Pairing::FanIn,
            Pairing::FanIn => Pairing::FanOut,
            symmetric => symmetric,
        };
        let opposite = |range: Range| Some(Range { lo: range.hi.scale(-1)?, hi: range.lo.scale(-1)? });
        let distances = self.distances.and_then(opposite);
        Self { senders: self.receivers, receivers: self.senders, pairing, distances }
    }

    fn kind(&self) -> Kind {
        match self.pairing {
            Pairing::Single | Pairing::FanOut | Pairing::FanIn | Pairing::Every => Kind::Product,
            Pairing::Others => Kind::Others,
            Pairing::Parallel | Pairing::Mirrored => Kind::Function,
            Pairing::Band => Kind::Band,
            Pairing::Mixed => Kind::Mixed,
        }
    }

    /// The same pairs with the plainest pairing that describes them.
    pub(crate) fn named(mut self, facts: &Constraints) -> Self {
        let one_sender = self.senders.as_single(facts).is_some();
        let one_receiver = self.receivers.as_single(facts).is_some();
        self.pairing = match (self.kind(), one_sender, one_receiver) {
            (Kind::Others | Kind::Band | Kind::Mixed, ..) => self.pairing,
            (_, true, true) => Pairing::Single,
            (Kind::Product, true, false) => Pairing::FanOut,
            (Kind::Product, false, true) => Pairing::FanIn,
            (Kind::Product, false, false) => Pairing::Every,
            (Kind::Function, ..) => self.pairing,
        };
        self
    }

    /// All pairs of two nonempty ranges, without those of a rank with itself if `others`; `None` when there are none.
    fn area(
        senders: Range,
        receivers: Range,
        others: bool,
        facts: &Constraints,
    ) -> Result<Option<Self>, Need> {
        let product = |senders: Range, receivers: Range| {
            Ok(Some(Self::new(senders, receivers, Pairing::Every).named(facts)))
        };
        if !others || senders.disjoint(&receivers, facts) {
            return product(senders, receivers);
        }
        let one_sender = senders.as_single(facts).is_some();
        if !one_sender && receivers.as_single(facts).is_none() {
            return Ok(Some(Self::new(senders, receivers, Pairing::Others)));
        }
        // One rank on one side: it is outside the other range, at an end of it, or in its middle.
        let (one, many) = if one_sender { (&senders, &receivers) } else { (&receivers, &senders) };
        if intersect(one, many, facts)?.is_none() {
            return product(senders, receivers);
        }
        let rest = subtract(many, one, facts)?;
        match <[Range; 1]>::try_from(rest) {
            Ok([rest]) if one_sender => product(senders, rest),
            Ok([rest]) => product(rest, receivers),
            Err(rest) if rest.is_empty() => Ok(None),
            Err(_) => Ok(Some(Self::new(senders, receivers, Pairing::Others))),
        }
    }

    /// Who sends to a receiver, over the receiver's digit, which it calls `own`; `None` where several do.
    pub(crate) fn sender_of_receiver(&self, own: Symbol) -> Option<Linear> {
        let rank = Linear::from(own);
        match self.pairing {
            Pairing::Parallel => rank.add(&self.senders.lo)?.sub(&self.receivers.lo),
            Pairing::Mirrored => self.senders.lo.add(&self.receivers.hi)?.sub(&rank),
            Pairing::FanOut | Pairing::Single => Some(self.senders.lo.clone()),
            Pairing::FanIn | Pairing::Every | Pairing::Others | Pairing::Band | Pairing::Mixed => None,
        }
    }

    /// To whom a sender sends, over the sender's digit, which it calls `own`; `None` where there are several.
    pub(crate) fn receiver_of_sender(&self, own: Symbol) -> Option<Linear> {
        self.clone().reversed().sender_of_receiver(own)
    }

    /// The pairs whose receiver is in `part`, a nonempty part of the receivers of a function.
    fn onto(&self, part: Range, facts: &Constraints) -> Result<Self, Need> {
        let sender = or_overflow(self.sender_of_receiver(DIGIT))?;
        let (senders, _) = image(&part, DIGIT, &sender)?;
        Ok(Self::new(senders, part, self.pairing).named(facts))
    }

    /// The pairs whose sender is in `part`, a nonempty part of the senders of a function.
    fn from(&self, part: Range, facts: &Constraints) -> Result<Self, Need> {
        self.clone().reversed().onto(part, facts).map(Self::reversed)
    }

    /// The pairs of both.
    pub(crate) fn intersect(&self, other: &Self, facts: &Constraints) -> Result<Option<Self>, Need> {
        match (self.kind(), other.kind()) {
            (Kind::Mixed, _) | (_, Kind::Mixed) => Err(Need::give_up(MIXED)),
            (Kind::Band, _) | (_, Kind::Band) => self.intersect_band(other, facts),
            (Kind::Function, Kind::Function) => self.agreement(other, facts),
            (Kind::Function, _) => self.within(other, facts),
            (_, Kind::Function) => other.within(self, facts),
            (a, b) => {
                let Some(receivers) = intersect(&self.receivers, &other.receivers, facts)? else {
                    return Ok(None);
                };
                let Some(senders) = intersect(&self.senders, &other.senders, facts)? else { return Ok(None) };
                Self::area(senders, receivers, a == Kind::Others || b == Kind::Others, facts)
            }
        }
    }

    /// The pairs of two functions.
    fn agreement(&self, other: &Self, facts: &Constraints) -> Result<Option<Self>, Need> {
        let Some(common) = intersect(&self.receivers, &other.receivers, facts)? else { return Ok(None) };
        let here = or_overflow(self.sender_of_receiver(DIGIT))?;
        let there = or_overflow(other.sender_of_receiver(DIGIT))?;
        let Some(matched) = zeros(&or_overflow(here.sub(&there))?, common, facts)? else { return Ok(None) };
        self.onto(matched, facts).map(Some)
    }

    /// The pairs of a function that are in an area.
    fn within(&self, area: &Self, facts: &Constraints) -> Result<Option<Self>, Need> {
        let Some(receivers) = intersect(&self.receivers, &area.receivers, facts)? else { return Ok(None) };
        let part = self.onto(receivers, facts)?;
        let Some(senders) = intersect(&part.senders, &area.senders, facts)? else { return Ok(None) };
        let part = part.from(senders, facts)?;
        if area.kind() != Kind::Others || part.senders.disjoint(&part.receivers, facts) {
            return Ok(Some(part));
        }
        match part.pairing {
            // A shift by a distance that is not zero has no pair of a rank with itself, one by zero has no other.
            Pairing::Single | Pairing::Parallel => {
                Ok((!decide_eq(&part.senders.lo, &part.receivers.lo, facts)?).then_some(part))
            }
            _ => Err(Need::give_up("a mirror image meets a loop over all other ranks")),
        }
    }

    /// What is left after `part`, an intersection of this relation with another.
    pub(crate) fn without(&self, part: &Self, facts: &Constraints) -> Result<Vec<Self>, Need> {
        match (self.kind(), part.kind()) {
            (Kind::Mixed, _) | (_, Kind::Mixed) => return Err(Need::give_up(MIXED)),
            (Kind::Band, _) | (Kind::Product, Kind::Band) => return self.band_without(part, facts),
            (Kind::Others, Kind::Band) => return self.others_without(part, facts),
            _ => {}
        }
        if self.kind() == Kind::Function {
            return subtract(&self.receivers, &part.receivers, facts)?
                .into_iter()
                .map(|receivers| self.onto(receivers, facts))
                .collect();
        }
        if part.kind() == Kind::Function {
            return Err(Need::give_up("one message of each process of many to many is received at a time"));
        }
        let others = self.kind() == Kind::Others;
        let mut rest = Vec::new();
        for senders in subtract(&self.senders, &part.senders, facts)? {
            rest.extend(Self::area(senders, self.receivers.clone(), others, facts)?);
        }
        for receivers in subtract(&self.receivers, &part.receivers, facts)? {
            rest.extend(Self::area(part.senders.clone(), receivers, others, facts)?);
        }
        if !others
            && part.kind() == Kind::Others
            && let Some(both) = intersect(&part.senders, &part.receivers, facts)?
        {
            // The pairs of a rank with itself.
            let diagonal = Self::new(both.clone(), both, Pairing::Parallel);
            rest.push(diagonal.named(facts));
        }
        Ok(rest)
    }

    /// One relation for the pairs of both, when they lie side by side. Neither holds a pair of the other.
    pub(crate) fn join_adjacent(&self, other: &Self, facts: &Constraints) -> Option<Self> {
        self.append(other, facts)
            .or_else(|| other.append(self, facts))
            .or_else(|| self.join_rounds(other, facts))
    }

    fn append(&self, next: &Self, facts: &Constraints) -> Option<Self> {
        let fits = |pairing| {
            [self.pairing, next.pairing].iter().all(|&p| p == pairing || p == Pairing::Single)
                && pairing != Pairing::Single
        };
        let receivers_go_on = || self.receivers.append(&next.receivers, facts);
        let senders_go_on = || self.senders.append(&next.senders, facts);
        if self.kind() == Kind::Product && next.kind() == Kind::Product {
            if self.senders.same(&next.senders, facts)
                && let Some(receivers) = receivers_go_on()
            {
                let senders = self.senders.clone();
                return Some(Self::new(senders, receivers, Pairing::Every).named(facts));
            }
            if self.receivers.same(&next.receivers, facts)
                && let Some(senders) = senders_go_on()
            {
                let receivers = self.receivers.clone();
                return Some(Self::new(senders, receivers, Pairing::Every).named(facts));
            }
        }
        if fits(Pairing::Parallel)
            && let (Some(senders), Some(receivers)) = (senders_go_on(), receivers_go_on())
        {
            return Some(Self::new(senders, receivers, Pairing::Parallel));
        }
        // Two single pairs are not called mirrored: an exchange between two ranks is two shifts, at np = 2 as at any other.
        if fits(Pairing::Mirrored)
            && (self.pairing == Pairing::Mirrored || next.pairing == Pairing::Mirrored)
            && let (Some(senders), Some(receivers)) =
                (senders_go_on(), next.receivers.append(&self.receivers, facts))
        {
            return Some(Self::new(senders, receivers, Pairing::Mirrored));
        }
        self.append_others(next, facts)
    }

    /// As `append`, for parts of a relation of each rank with all others.
    fn append_others(&self, next: &Self, facts: &Constraints) -> Option<Self> {
        let others = |senders, receivers| Some(Self::new(senders, receivers, Pairing::Others));
        // All ranks before one and all after it, to it or from it.
        let around = |before: &Range, after: &Range, one: &Range| {
            before.append(one, facts).and_then(|both| both.append(after, facts))
        };
        if self.pairing != Pairing::Others && next.pairing != Pairing::Others {
            let one = |a: &Range, b: &Range| a.as_single(facts).is_some() && a.same(b, facts);
            if one(&self.receivers, &next.receivers)
                && let Some(senders) = around(&self.senders, &next.senders, &self.receivers)
            {
                return others(senders, self.receivers.clone());
            }
            if one(&self.senders, &next.senders)
                && let Some(receivers) = around(&self.receivers, &next.receivers, &self.senders)
            {
                return others(self.senders.clone(), receivers);
            }
        }
        // An exchange between two ranks is two shifts, as it is between more.
        if self.pairing == Pairing::Single && next.pairing == Pairing::Single {
            return None;
        }
        for (s, r) in self.as_others(next, facts) {
            for (t, q) in next.as_others(self, facts) {
                if s.same(&t, facts)
                    && let Some(receivers) = r.append(&q, facts)
                {
                    return others(s, receivers);
                }
                if r.same(&q, facts)
                    && let Some(senders) = s.append(&t, facts)
                {
                    return others(senders, r);
                }
            }
        }
        None
    }

    /// Ranges of senders and receivers such that the relation is all their pairs but those of a rank with itself, to be one with
    /// `beside`.
    fn as_others(&self, beside: &Self, facts: &Constraints) -> Vec<(Range, Range)> {
        match self.kind() {
            Kind::Others => return vec![(self.senders.clone(), self.receivers.clone())],
            Kind::Function | Kind::Band | Kind::Mixed => return Vec::new(),
            Kind::Product => {}
        }
        let mut views = Vec::new();
        // Beside such a relation; two products would otherwise hide what each of them is a part of.
        if beside.kind() == Kind::Others && self.senders.disjoint(&self.receivers, facts) {
            views.push((self.senders.clone(), self.receivers.clone()));
        }
        if self.receivers.as_single(facts).is_some() {
            let one = &self.receivers;
            let grown = one.append(&self.senders, facts).or_else(|| self.senders.append(one, facts));
            views.extend(grown.map(|senders| (senders, one.clone())));
        }
        if self.senders.as_single(facts).is_some() {
            let one = &self.senders;
            let grown = one.append(&self.receivers, facts).or_else(|| self.receivers.append(one, facts));
            views.extend(grown.map(|receivers| (one.clone(), receivers)));
        }
        views
    }

    /// Whether both are proved to hold the same pairs.
    pub(crate) fn same(&self, other: &Self, facts: &Constraints) -> bool {
        (self.pairing == other.pairing)
            && self.senders.same(&other.senders, facts)
            && self.receivers.same(&other.receivers, facts)
            && self.same_distances(other, facts)
    }

    /// Whether both are proved to share no pair.
    pub(crate) fn disjoint(&self, other: &Self, facts: &Constraints) -> bool {
        if self.senders.disjoint(&other.senders, facts) || self.receivers.disjoint(&other.receivers, facts) {
            return true;
        }
        // Different distances share no pair although both ranges overlap.
        match (self.distances(), other.distances()) {
            (Some(here), Some(there)) => here.disjoint(&there, facts),
            _ => false,
        }
    }
}

/// The values of an expression over the digit `own` on a range, and how the range is paired with them.
fn image(range: &Range, own: Symbol, expression: &Linear) -> Result<(Range, Pairing), Need> {
    let at = |digit: &Linear| or_overflow(expression.substitute(own, digit));
    if expression.symbols().any(|s| s.is_own() && s != own) {
        return Err(Need::give_up("the partner mixes digits of the rank"));
    }
    Ok(match expression.slope(own) {
        Some(0) => (Range::single(expression.clone()), Pairing::FanIn),
        Some(1) => (Range { lo: at(&range.lo)?, hi: at(&range.hi)? }, Pairing::Parallel),
        Some(-1) => (Range { lo: at(&range.hi)?, hi: at(&range.lo)? }, Pairing::Mirrored),
        _ => return Err(Need::give_up("the partner is a multiple of the rank")),
    })
}

/// The members of `range` at which an expression over the digit is zero.
fn zeros(expression: &Linear, range: Range, facts: &Constraints) -> Result<Option<Range>, Need> {
    let slope = expression
        .slope(DIGIT)
        .ok_or_else(|| Need::give_up("whether the two partners agree depends on divisibility"))?;
    let fixed = or_overflow(expression.substitute(DIGIT, &Linear::zero()))?;
    if slope == 0 {
        return Ok(decide_eq(&fixed, &Linear::zero(), facts)?.then_some(range));
    }
    if let Some(only) = range.as_single(facts) {
        let value = or_overflow(expression.substitute(DIGIT, only))?;
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

    fn pairs(link: &Link) -> Pairs {
        let (senders, receivers) = (members(&link.senders), members(&link.receivers));
        let every = || senders.clone().flat_map(|s| receivers.clone().map(move |r| (s, r)));
        match link.pairing {
            Pairing::FanOut | Pairing::FanIn | Pairing::Every => every().collect(),
            Pairing::Others => every().filter(|(s, r)| s != r).collect(),
            Pairing::Band => {
                let distances = members(&link.distances().expect("a band has them"));
                every().filter(|(s, r)| distances.contains(&(r - s))).collect()
            }
            Pairing::Mirrored => senders.zip(receivers.rev()).collect(),
            Pairing::Single | Pairing::Parallel => senders.zip(receivers).collect(),
            Pairing::Mixed => unreachable!("a link alone is none"),
        }
    }

    /// What sends, receives and loops of them can describe.
    fn link() -> impl Strategy<Value = Link> {
        let ends = || (0_i64..6, 0_i64..6).prop_map(|(a, b)| range(a, b));
        let constants = "constants decide everything";
        prop_oneof![
            (ends(), -1_i64..2, -3_i64..8).prop_map(move |(s, k, c)| {
                Link::of_send(&s, DIGIT, &affine(k, c), &Constraints::new()).expect(constants)
            }),
            (ends(), -1_i64..2, -3_i64..8).prop_map(move |(r, k, c)| {
                Link::of_send(&r, DIGIT, &affine(k, c), &Constraints::new()).expect(constants).reversed()
            }),
            (ends(), ends(), any::<bool>()).prop_filter_map("no pair", move |(s, r, others)| {
                Link::area(s, r, others, &Constraints::new()).expect(constants)
            }),
            (ends(), ends(), (-6_i64..6, 0_i64..4)).prop_filter_map("no pair", move |(s, r, (d, more))| {
                Link::banded(&s, &r, &range(d, d + more), &Constraints::new()).expect(constants)
            }),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

        /// A receive takes from a send exactly the pairs on which both sides name each other, and what is left is the rest.
        #[test]
        fn taking_is_intersection(a in link(), b in link()) {
            let facts = Constraints::new();
            let (p, q) = (pairs(&a), pairs(&b));
            let common: Pairs = p.intersection(&q).copied().collect();
            // Giving up is no wrong answer; it happens only where a function meets an area.
            let Ok(met) = a.intersect(&b, &facts) else {
                let is = |kind| a.kind() == kind || b.kind() == kind;
                let mirror = [&a, &b].iter().any(|link| link.pairing == Pairing::Mirrored);
                prop_assert!(is(Kind::Others) && (is(Kind::Band) || mirror) || is(Kind::Band) && mirror);
                return Ok(());
            };
            let Some(met) = met else {
                prop_assert!(common.is_empty());
                return Ok(());
            };
            prop_assert_eq!(pairs(&met), common.clone());
            for (whole, all) in [(&a, &p), (&b, &q)] {
                let Ok(rest) = whole.without(&met, &facts) else {
                    prop_assert!(whole.kind() != Kind::Function && met.kind() == Kind::Function);
                    continue;
                };
                let parts: Vec<Pairs> = rest.iter().map(pairs).collect();
                let sum: usize = parts.iter().map(Pairs::len).sum();
                let left: Pairs = parts.into_iter().flatten().collect();
                prop_assert_eq!(left.len(), sum);
                prop_assert_eq!(left, all.difference(&common).copied().collect::<Pairs>());
            }
        }

        /// A send is the graph of its partner, a receive that of its source turned around.
        #[test]
        fn sides_are_graphs(ends in (0_i64..6, 0_i64..6), k in -1_i64..2, c in -3_i64..8) {
            let facts = Constraints::new();
            let ranks = range(ends.0, ends.1);
            let send = Link::of_send(&ranks, DIGIT, &affine(k, c), &facts).expect("constants");
            prop_assert_eq!(pairs(&send), members(&ranks).map(|s| (s, k * s + c)).collect::<Pairs>());
            let recv = send.reversed();
            prop_assert_eq!(pairs(&recv), members(&ranks).map(|r| (k * r + c, r)).collect::<Pairs>());
        }

        /// Joining two relations that lie side by side loses and adds no pair; disjointness is never claimed wrongly.
        #[test]
        fn joining_is_union(a in link(), b in link()) {
            let facts = Constraints::new();
            let (p, q) = (pairs(&a), pairs(&b));
            if p.is_disjoint(&q) && let Some(both) = a.join_adjacent(&b, &facts) {
                prop_assert_eq!(pairs(&both), p.union(&q).copied().collect::<Pairs>());
            }
            if a.disjoint(&b, &facts) {
                prop_assert!(p.is_disjoint(&q));
            }
            prop_assert!(!a.same(&b, &facts) || p == q);
            let turned: Pairs = p.iter().map(|&(s, r)| (r, s)).collect();
            prop_assert_eq!(pairs(&a.reversed()), turned);
        }

        /// Shifts by neighbouring distances are one relation in each round, and all of them together are all pairs.
        #[test]
        fn rounds_add_up(np in 4_i64..9, first in 0_i64..2) {
            let facts = Constraints::new();
            let shift = |k: i64, senders| {
                Link::of_send(&senders, DIGIT, &affine(1, k), &facts).expect("constants decide everything")
            };
            let ahead = (first..np).map(|k| shift(k, range(0, np - 1 - k)));
            let behind = (1..np).map(|k| shift(k - np, range(np - k, np - 1)));
            let add = |sum: Option<Link>, next: Link| match sum {
                None => Some(next),
                Some(sum) => {
                    let both = sum.join_adjacent(&next, &facts)?;
                    assert_eq!(pairs(&both), pairs(&sum).union(&pairs(&next)).copied().collect::<Pairs>());
                    Some(both)
                }
            };
            let (ahead, behind) = (ahead.fold(None, add), behind.fold(None, add));
            let all = ahead.zip(behind).and_then(|(a, b)| a.join_adjacent(&b, &facts));
            let pairing = if first == 0 { Pairing::Every } else { Pairing::Others };
            prop_assert_eq!(all, Some(Link::new(range(0, np - 1), range(0, np - 1), pairing)));
        }
    }
}
