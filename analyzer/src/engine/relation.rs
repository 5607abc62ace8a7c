//! Relations between ranks: sets of (sender, receiver) pairs as products of [`Link`]s, one for each digit of the rank.
//!
//! This is the matching of the paper's section VI.A. A send by the set S with partner f is the relation {(s, f(s)) : s in S}; a
//! receive by R from g is {(g(r), r) : r in R}. Their intersection is the paper's condition (g after f is the identity on what
//! matches, and f maps it onto what matches), and always exact.

use lattice::ranks::symbol_of_digit;
use lattice::{Constraints, DIGITS, Linear, Range, Ranks, Symbols};

use super::boxes::{aligned, common_radices, divide, refined, rows};
use super::digit_layout::Layout;
use super::link::{Link, MIXED, Pairing, or_overflow};
use super::need::{Need, decide_le};
use super::permutation::Permutation;
use super::state::Structure;

/// A set of (sender, receiver) pairs, never empty: those of whose digits each pair is in a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Relation {
    layout: Layout,
    /// By the sender's digit.
    links: Vec<Link>,
    /// What the links do not tell, where they are [`Pairing::Mixed`].
    permutation: Option<Permutation>,
}

/// The process at the other end of a message, as the process at hand sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Counterpart {
    radices: Vec<Linear>,
    /// Its digits, over those of the process at hand.
    digits: Vec<Linear>,
}

impl Counterpart {
    /// Its rank.
    pub(crate) fn rank(&self) -> Option<Linear> {
        self.see(&Linear::rank())
    }

    /// Its digits over those of the process at hand, and their radices, the least significant first.
    pub(crate) fn in_digits(&self) -> (&[Linear], &[Linear]) {
        (&self.radices, &self.digits)
    }

    /// Its rank in words, for a member of `ranks`.
    pub(crate) fn display(
        &self,
        ranks: &Ranks,
        symbols: &Symbols,
        shown: impl Fn(&Linear) -> Linear,
    ) -> Option<String> {
        if self.radices != ranks.radices() {
            return None;
        }
        ranks.display_rank(symbols, &self.digits.iter().map(shown).collect::<Vec<_>>())
    }

    /// An expression over its digits, over those of the process at hand.
    pub(crate) fn see(&self, expression: &Linear) -> Option<Linear> {
        if expression.is_uniform() {
            return Some(expression.clone());
        }
        let frame =
            Ranks::new(self.radices.clone(), self.digits.iter().cloned().map(Range::single).collect());
        let value = frame.in_digits(expression)?;
        let position = |symbol| (0..self.digits.len()).find(|&i| frame.symbol(i) == symbol);
        value.map_symbols(|symbol| position(symbol).map(|i| self.digits[i].clone()))
    }
}

/// A process of this rank.
impl From<Linear> for Counterpart {
    fn from(rank: Linear) -> Self {
        Self { radices: Vec::new(), digits: vec![rank] }
    }
}

impl From<Link> for Relation {
    fn from(link: Link) -> Self {
        Self::of_links(Layout::straight(Vec::new()), vec![link])
    }
}

impl Relation {
    pub(super) fn of_links(layout: Layout, links: Vec<Link>) -> Self {
        Self { layout, links, permutation: None }
    }

    /// The pairs of ranks each with what a permutation of them makes of it.
    pub(crate) fn of_permutation(ranks: &Ranks, permutation: Permutation) -> Self {
        let link = |digit: &Range| Link::new(digit.clone(), digit.clone(), Pairing::Mixed);
        Self {
            layout: Layout::straight(ranks.radices().to_vec()),
            links: ranks.digits().iter().map(link).collect(),
            permutation: Some(permutation),
        }
    }

    /// The permutation that it is, where it mixes digits.
    pub(crate) fn permutation(&self) -> Option<&Permutation> {
        self.permutation.as_ref()
    }

    /// The pair that a permutation of one rank is, where that is a number; `None` for all others.
    pub(crate) fn as_pair(&self) -> Option<Self> {
        let _ = self.permutation.as_ref()?;
        let only = |ranks: Ranks| ranks.as_single(&Constraints::new()).filter(|r| r.as_constant().is_some());
        let rank = Range::single(only(self.senders())?);
        Some(Link::new(rank.clone(), rank, Pairing::Single).into())
    }

    /// Whether two are one permutation, as far as they say the same; `None` where neither mixes digits.
    fn same_permutation(&self, other: &Self) -> Option<bool> {
        match (&self.permutation, &other.permutation) {
            (None, None) => None,
            // Of the same ranks, one direction tells the other.
            (Some(a), Some(b)) => Some(
                self.layout == other.layout
                    && self.links == other.links
                    && (a.there == b.there || a.back == b.back),
            ),
            _ => Some(false),
        }
    }

    /// The relation with a less significant digit on both sides. One that has only one value where the other side's has more is no digit
    /// of the ranks, see [`Layout::places`]. `None` where there are too many digits.
    pub(super) fn above(self, low: Link, senders: Linear, receivers: Linear) -> Option<Self> {
        if DIGITS <= self.links.len() {
            return None;
        }
        let Layout { senders: from, receivers: to, order } = self.layout;
        let layout = Layout {
            senders: [vec![senders], from].concat(),
            receivers: [vec![receivers], to].concat(),
            order: std::iter::once(0).chain(order.into_iter().map(|place| place + 1)).collect(),
        };
        Some(Self::of_links(layout, [vec![low], self.links].concat()))
    }

    /// The same pairs, from receivers to senders.
    pub(crate) fn reversed(&self) -> Self {
        let layout = self.layout.reversed();
        let links = layout.order.iter().map(|&place| self.links[place].clone().reversed()).collect();
        Self { layout, links, permutation: self.permutation.as_ref().map(Permutation::reversed) }
    }

    /// All pairs of two boxes.
    pub(crate) fn every(senders: &Ranks, receivers: &Ranks, facts: &Constraints) -> Result<Self, Need> {
        let (senders, receivers) = &aligned(senders, receivers);
        let radices = common_radices(senders.radices(), receivers.radices())?;
        let only = |ranks: &Ranks| match &refined(ranks, radices, facts)?[..] {
            [only] => Ok(only.clone()),
            _ => Err(Need::give_up("any of some ranks sends to ranks that are divided in another way")),
        };
        let (senders, receivers) = (only(senders)?, only(receivers)?);
        let links = senders.digits().iter().zip(receivers.digits()).map(|(senders, receivers)| {
            let (senders, receivers) = (senders.clone(), receivers.clone());
            Link::new(senders, receivers, Pairing::Every).named(facts)
        });
        Ok(Self::of_links(Layout::straight(senders.radices().to_vec()), links.collect()))
    }

    /// Those who send.
    pub(crate) fn senders(&self) -> Ranks {
        let digits = self.layout.places().into_iter().map(|place| self.links[place].senders.clone());
        Ranks::new(self.layout.radices(), digits.collect())
    }

    /// Those who receive.
    pub(crate) fn receivers(&self) -> Ranks {
        let back = self.layout.reversed();
        let digits = back.places().into_iter().map(|place| self.links[back.order[place]].receivers.clone());
        Ranks::new(back.radices(), digits.collect())
    }

    /// What relations must have in common to be generalised.
    pub(crate) fn structure(&self) -> Structure {
        (self.layout.clone(), self.links.iter().map(|link| link.pairing).collect())
    }

    /// The only link, where the ranks are not divided, and it tells all.
    pub(crate) fn as_link(&self) -> Option<&Link> {
        match &self.links[..] {
            [link] if self.permutation.is_none() => Some(link),
            _ => None,
        }
    }

    /// The links, least significant first.
    pub(crate) fn links(&self) -> &[Link] {
        &self.links
    }

    /// Which digits are linked.
    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The links with the places of the sender's and of the receiver's digit, among those that their ranks have.
    pub(crate) fn linked_places(&self) -> Vec<(Option<usize>, Option<usize>, &Link)> {
        let (from, to) = (self.layout.places(), self.layout.reversed().places());
        let at = |places: &[usize], place: usize| places.iter().position(|&p| p == place);
        self.linked_digits().map(|(a, b, link)| (at(&from, a), at(&to, b), link)).collect()
    }

    /// The links with the places of the sender's and of the receiver's digit.
    pub(crate) fn linked_digits(&self) -> impl Iterator<Item = (usize, usize, &Link)> {
        self.links
            .iter()
            .zip(&self.layout.order)
            .enumerate()
            .map(|(sender, (link, &receiver))| (sender, receiver, link))
    }

    /// The relation with each bound and radix replaced by an equal one.
    pub(crate) fn map_bounds(&self, map: impl Fn(&Linear) -> Linear) -> Self {
        let range = |range: &Range| Range { lo: map(&range.lo), hi: map(&range.hi) };
        let links = self.links.iter().map(|link| Link {
            senders: range(&link.senders),
            receivers: range(&link.receivers),
            pairing: link.pairing,
            distances: link.distances.as_ref().map(range),
        });
        let links = links.collect();
        let permutation = self.permutation.as_ref().map(|permutation| permutation.map(&map));
        Self { layout: self.layout.map(&map), links, permutation }
    }

    /// The relation without the digits of radix 1; those are zero.
    pub(crate) fn without_single_digits(&self) -> Self {
        if self.permutation.is_some() {
            return self.clone();
        }
        if !self.layout.is_straight() {
            return self.with_zeros_straight().unwrap_or_else(|| self.clone());
        }
        let radices = &self.layout.senders;
        let is_single = |position: usize| radices.get(position).is_some_and(|r| r.as_constant() == Some(1));
        let kept = |position: &usize| !is_single(*position);
        let links = (0..self.links.len()).filter(kept).map(|i| self.links[i].clone()).collect();
        let radices = (0..radices.len()).filter(kept).map(|i| radices[i].clone()).collect();
        Self::of_links(Layout::straight(radices), links)
    }

    /// A relation in which only digits change places that are zero, without them.
    fn with_zeros_straight(&self) -> Option<Self> {
        let zero = |range: &Range| range.lo == Linear::zero() && range.hi == Linear::zero();
        let one =
            |radices: &[Linear], place: usize| radices.get(place).is_none_or(|r| r.as_constant() == Some(1));
        let Layout { senders, receivers, .. } = &self.layout;
        let mut kept: Vec<(usize, usize, &Link)> = self.linked_digits().collect();
        kept.retain(|(from, to, link)| {
            let nothing = zero(&link.senders) && zero(&link.receivers);
            !(nothing && one(senders, *from) && one(receivers, *to))
        });
        let (from, to): (Vec<usize>, Vec<usize>) = kept.iter().map(|(from, to, _)| (*from, *to)).unzip();
        // What is left has to be the least significant digits, which have their radices.
        let places: Vec<usize> = (0..kept.len()).collect();
        let same = || (0..kept.len().saturating_sub(1)).all(|i| senders[i] == receivers[i]);
        (!kept.is_empty() && from == places && to == places && same()).then(|| {
            let links = kept.iter().map(|(_, _, link)| Link::clone(link)).collect();
            Self::of_links(Layout::straight(senders[..kept.len() - 1].to_vec()), links)
        })
    }

    /// The relation with other links.
    pub(crate) fn with_links(&self, links: Vec<Link>) -> Self {
        Self { layout: self.layout.clone(), links, permutation: self.permutation.clone() }
    }

    /// Who sends to a receiver; `None` where several do.
    pub(crate) fn sender_of_receiver(&self) -> Option<Counterpart> {
        let own = self.layout.reversed();
        let places = own.places();
        let seen = |place: usize| {
            let receiver = self.layout.order[place];
            // A digit that receivers do not have is the same for all of them.
            let digit = places.iter().position(|&p| p == receiver).unwrap_or(0);
            self.links[place].sender_of_receiver(symbol_of_digit(digit, places.len() - 1))
        };
        let digits = self.layout.places().into_iter().map(seen).collect::<Option<_>>()?;
        Some(Counterpart { radices: self.layout.radices(), digits })
    }

    /// To whom a sender sends; `None` where there are several.
    pub(crate) fn receiver_of_sender(&self) -> Option<Counterpart> {
        self.reversed().sender_of_receiver()
    }

    /// Whether several senders have one receiver each: then what differs between messages differs by the sender.
    pub(crate) fn is_fan_in(&self) -> bool {
        self.sender_of_receiver().is_none() && self.receiver_of_sender().is_some()
    }

    /// Whether it is one pair.
    pub(crate) fn is_single(&self) -> bool {
        self.links.iter().all(|link| link.pairing == Pairing::Single)
    }

    /// Pairs of both: all, or those of one part of them where the ranks of one side are divided and those of the other are not.
    pub(crate) fn intersect(&self, other: &Self, facts: &Constraints) -> Result<Option<Self>, Need> {
        if self.disjoint(other, facts) {
            return Ok(None);
        }
        if let Some(same) = self.same_permutation(other) {
            return if same { Ok(Some(self.clone())) } else { Err(Need::give_up(MIXED)) };
        }
        let (these, those) = self.alike(other, facts)?;
        for x in these {
            for y in &those {
                if let Some(common) = x.digitwise(y, facts)? {
                    return Ok(Some(common));
                }
            }
        }
        Ok(None)
    }

    /// Both in relations of one layout.
    fn alike(&self, other: &Self, facts: &Constraints) -> Result<(Vec<Self>, Vec<Self>), Need> {
        if self.layout == other.layout {
            return Ok((vec![self.clone()], vec![other.clone()]));
        }
        if self.layout.is_straight() && other.layout.is_straight() {
            let radices = common_radices(&self.layout.senders, &other.layout.senders)?;
            return Ok((self.refined(radices, facts)?, other.refined(radices, facts)?));
        }
        // A pair has any layout.
        if let Some(pair) = self.as_pair_of(&other.layout, facts)? {
            return Ok((vec![pair], vec![other.clone()]));
        }
        if let Some(pair) = other.as_pair_of(&self.layout, facts)? {
            return Ok((vec![self.clone()], vec![pair]));
        }
        if self.layout.is_coarser(&other.layout) {
            return Ok((self.finer(&other.layout, facts)?, vec![other.clone()]));
        }
        if other.layout.is_coarser(&self.layout) {
            return Ok((vec![self.clone()], other.finer(&self.layout, facts)?));
        }
        Err(Need::give_up("ranks whose digits change places meet others whose digits do not"))
    }

    /// The relation in another layout, where it is one pair.
    fn as_pair_of(&self, layout: &Layout, facts: &Constraints) -> Result<Option<Self>, Need> {
        let ends = (self.senders().as_single(facts), self.receivers().as_single(facts));
        let (Some(sender), Some(receiver)) = ends else { return Ok(None) };
        let digits = |rank: Linear, radices: &[Linear]| {
            let parts = refined(&Ranks::single(rank), radices, facts)?;
            Ok(parts.into_iter().next().map(|part| part.digits().to_vec()))
        };
        let (from, to) = (digits(sender, &layout.senders)?, digits(receiver, &layout.receivers)?);
        let Some((from, to)) = from.zip(to) else { return Ok(None) };
        let links = from
            .into_iter()
            .zip(&layout.order)
            .map(|(from, &place)| Link::new(from, to[place].clone(), Pairing::Single));
        let links = links.collect();
        Ok(Some(Self::of_links(layout.clone(), links)))
    }

    /// The intersection of relations with equal layouts.
    fn digitwise(&self, other: &Self, facts: &Constraints) -> Result<Option<Self>, Need> {
        let mut links = Vec::with_capacity(self.links.len());
        for (a, b) in self.links.iter().zip(&other.links) {
            let Some(common) = a.intersect(b, facts)? else { return Ok(None) };
            links.push(common);
        }
        Ok(Some(Self::of_links(self.layout.clone(), links)))
    }

    /// What is left after `part`, an intersection of this relation with another.
    pub(crate) fn without(&self, part: &Self, facts: &Constraints) -> Result<Vec<Self>, Need> {
        if self.disjoint(part, facts) {
            return Ok(vec![self.clone()]);
        }
        if let Some(same) = self.same_permutation(part) {
            return if same { Ok(Vec::new()) } else { Err(Need::give_up(MIXED)) };
        }
        let (mut rest, pieces) = self.alike(part, facts)?;
        for piece in pieces {
            let mut left = Vec::new();
            for relation in rest {
                match if relation.disjoint(&piece, facts) {
                    None
                } else {
                    relation.digitwise(&piece, facts)?
                } {
                    None => left.push(relation),
                    Some(common) => left.extend(relation.around(&common, facts)?),
                }
            }
            rest = left;
        }
        Ok(rest)
    }

    /// What is left around a part of it, digit by digit.
    fn around(mut self, part: &Self, facts: &Constraints) -> Result<Vec<Self>, Need> {
        let mut rest = Vec::new();
        for (position, inner) in part.links.iter().enumerate() {
            for outside in self.links[position].without(inner, facts)? {
                let mut other = self.clone();
                other.links[position] = outside;
                rest.push(other);
            }
            self.links[position] = inner.clone();
        }
        Ok(rest)
    }

    /// One relation for the pairs of both, when they lie side by side. Neither holds a pair of the other.
    pub(crate) fn join_adjacent(&self, other: &Self, facts: &Constraints) -> Option<Self> {
        if self.layout != other.layout || self.permutation.is_some() || other.permutation.is_some() {
            return None;
        }
        let mut differing = (0..self.links.len()).filter(|&i| !self.links[i].same(&other.links[i], facts));
        let position = differing.next()?;
        let joined = self.links[position].join_adjacent(&other.links[position], facts)?;
        if differing.next().is_some() {
            return None;
        }
        let mut both = self.clone();
        both.links[position] = joined;
        Some(both)
    }

    /// Whether both are proved to hold the same pairs.
    pub(crate) fn same(&self, other: &Self, facts: &Constraints) -> bool {
        self.layout == other.layout
            && self.permutation == other.permutation
            && self.links.iter().zip(&other.links).all(|(a, b)| a.same(b, facts))
    }

    /// Whether both are proved to share no pair.
    pub(crate) fn disjoint(&self, other: &Self, facts: &Constraints) -> bool {
        if self.layout == other.layout {
            return self.links.iter().zip(&other.links).any(|(a, b)| a.disjoint(b, facts));
        }
        self.senders().disjoint(&other.senders(), facts)
            || self.receivers().disjoint(&other.receivers(), facts)
    }

    /// The same pairs of a straight relation in relations of finer radices.
    fn refined(&self, radices: &[Linear], facts: &Constraints) -> Result<Vec<Self>, Need> {
        self.finer(&Layout::straight(radices.to_vec()), facts)
    }

    /// The same pairs in relations of a layout with more of the most significant digit.
    fn finer(&self, layout: &Layout, facts: &Constraints) -> Result<Vec<Self>, Need> {
        if DIGITS < layout.order.len() {
            return Err(Need::give_up("the rank is divided too often"));
        }
        let mut parts = vec![self.clone()];
        for place in self.layout.senders.len()..layout.senders.len() {
            let radix = &layout.senders[place];
            let mut finer = Vec::new();
            for part in &parts {
                let Some((top, lower)) = part.links.split_last() else { continue };
                let mut layout = part.layout.clone();
                layout.senders.push(radix.clone());
                layout.receivers.push(radix.clone());
                layout.order.push(place + 1);
                for (low, high) in split(top, radix, facts)? {
                    let links = lower.iter().cloned().chain([low, high]).collect();
                    finer.push(Self::of_links(layout.clone(), links));
                }
            }
            parts = finer;
        }
        Ok(parts)
    }
}

/// The pairs of a link with each digit in two: pairs of links for the lower and the higher part.
fn split(link: &Link, radix: &Linear, facts: &Constraints) -> Result<Vec<(Link, Link)>, Need> {
    let one = Linear::from(1);
    let pair = |senders: (Range, Range), receivers: (Range, Range), pairing| {
        let part = |senders, receivers| Link::new(senders, receivers, pairing).named(facts);
        (part(senders.0, receivers.0), part(senders.1, receivers.1))
    };
    let mut parts = Vec::new();
    match link.pairing {
        Pairing::Single | Pairing::FanOut | Pairing::FanIn | Pairing::Every => {
            let receivers = rows(&link.receivers, radix, facts)?;
            for senders in rows(&link.senders, radix, facts)? {
                for receivers in &receivers {
                    parts.push(pair(senders.clone(), receivers.clone(), Pairing::Every));
                }
            }
        }
        Pairing::Parallel | Pairing::Mirrored => {
            let mirrored = link.pairing == Pairing::Mirrored;
            // sender = receiver + distance, or sum - receiver
            let fixed = match mirrored {
                false => link.senders.lo.sub(&link.receivers.lo),
                true => link.senders.lo.add(&link.receivers.hi),
            };
            let (ahead, step) = divide(&or_overflow(fixed)?, radix, facts)?;
            let carried = or_overflow(if mirrored { ahead.sub(&one) } else { ahead.add(&one) })?;
            // Receivers from the first on whose sender is in another row.
            let turn = or_overflow(if mirrored { step.add(&one) } else { radix.sub(&step) })?;
            let turned = or_overflow(if mirrored { step.add(radix) } else { step.sub(radix) })?;
            for (columns, rows) in rows(&link.receivers, radix, facts)? {
                let (straight, behind) = cut(&columns, &turn, facts)?;
                for (columns, step, ahead) in [(straight, &step, &ahead), (behind, &turned, &carried)] {
                    let Some(columns) = columns else { continue };
                    let of = |digits: &Range, by: &Linear| {
                        let end = |e: &Linear| if mirrored { by.sub(e) } else { by.add(e) };
                        let ends = if mirrored { (&digits.hi, &digits.lo) } else { (&digits.lo, &digits.hi) };
                        or_overflow(end(ends.0).zip(end(ends.1)).map(|(lo, hi)| Range { lo, hi }))
                    };
                    let senders = (of(&columns, step)?, of(&rows, ahead)?);
                    parts.push(pair(senders, (columns, rows.clone()), link.pairing));
                }
            }
        }
        Pairing::Others => {
            return Err(Need::give_up("a loop over all other ranks meets ranks that are divided"));
        }
        Pairing::Band => return Err(Need::give_up("a loop over distances meets ranks that are divided")),
        Pairing::Mixed => return Err(Need::give_up(MIXED)),
    }
    Ok(parts)
}

/// The parts of a nonempty range before a number, and from there on.
fn cut(range: &Range, at: &Linear, facts: &Constraints) -> Result<(Option<Range>, Option<Range>), Need> {
    let last = or_overflow(at.offset(-1))?;
    if decide_le(&range.hi, &last, facts)? {
        return Ok((Some(range.clone()), None));
    }
    if decide_le(at, &range.lo, facts)? {
        return Ok((None, Some(range.clone())));
    }
    let before = Range { lo: range.lo.clone(), hi: last };
    Ok((Some(before), Some(Range { lo: at.clone(), hi: range.hi.clone() })))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    type Pairs = BTreeSet<(i64, i64)>;

    fn range(a: i64, b: i64) -> Range {
        Range { lo: a.min(b).into(), hi: a.max(b).into() }
    }

    /// Radices and a box in them, all constant.
    fn boxes() -> impl Strategy<Value = Ranks> {
        let digit = |most: i64| (0..=most, 0..=most).prop_map(|(a, b)| range(a, b));
        prop_oneof![
            digit(11).prop_map(Ranks::from),
            (digit(1), digit(5)).prop_map(|(low, high)| Ranks::new(vec![2.into()], vec![low, high])),
            (digit(2), digit(3)).prop_map(|(low, high)| Ranks::new(vec![3.into()], vec![low, high])),
            (digit(1), digit(2), digit(1))
                .prop_map(|(low, mid, high)| Ranks::new(vec![2.into(), 3.into()], vec![low, mid, high])),
        ]
    }

    fn constant(e: &Linear) -> i64 {
        e.as_constant().expect("tests use constants")
    }

    /// Digits of a nonnegative number.
    fn digits(mut rank: i64, radices: &[Linear]) -> Vec<i64> {
        let mut found = Vec::new();
        for radix in radices {
            found.push(rank.rem_euclid(constant(radix)));
            rank = rank.div_euclid(constant(radix));
        }
        found.push(rank);
        found
    }

    fn within(rank: i64, ranks: &Ranks) -> bool {
        let inside =
            |(digit, range): (i64, &Range)| (constant(&range.lo)..=constant(&range.hi)).contains(&digit);
        digits(rank, ranks.radices()).into_iter().zip(ranks.digits()).all(inside)
    }

    /// All pairs, by their digits: ranks here are below 40.
    fn pairs(relation: &Relation) -> Pairs {
        let (senders, receivers) = (relation.senders(), relation.receivers());
        let mut found = Pairs::new();
        for s in (-40..40).filter(|&s| within(s, &senders)) {
            for r in (-80..120).filter(|&r| within(r, &receivers)) {
                let (a, b) = (digits(s, &relation.layout.senders), digits(r, &relation.layout.receivers));
                let linked = relation.linked_digits().all(|(from, to, link)| {
                    let (s, r) = (a[from], b[to]);
                    let (first, last) = (constant(&link.senders.lo), constant(&link.receivers.hi));
                    match link.pairing {
                        Pairing::Parallel => s - first == r - constant(&link.receivers.lo),
                        Pairing::Mirrored => s - first == last - r,
                        Pairing::Others => s != r,
                        Pairing::Band => unreachable!("no send or receive is one"),
                        _ => true,
                    }
                });
                if linked {
                    found.insert((s, r));
                }
            }
        }
        found
    }

    fn affine(slope: i64, constant: i64) -> Linear {
        Linear::rank().scale(slope).and_then(|e| e.offset(constant)).expect("small")
    }

    /// The rank with the two least significant digits in the opposite order, in rows of another width, moved on.
    fn transposed(ranks: &Ranks, width: i64, by: i64) -> Option<Linear> {
        (1..ranks.digits().len()).next()?;
        Linear::from(ranks.symbol(0)).scale(width)?.add(&ranks.symbol(1).into())?.offset(by)
    }

    /// Sends and receives, where their digits do not have to be told apart first.
    fn relation() -> impl Strategy<Value = Relation> {
        let facts = Constraints::new();
        (boxes(), boxes(), -4_i64..5, -4_i64..14, 0..5, 2..7_i64).prop_filter_map(
            "needs cases",
            move |(a, b, k, c, which, width)| match which {
                0 => Relation::of_send(&a, &affine(k, c), &facts).ok(),
                1 => Relation::of_receive(&a, &affine(k, c), &facts).ok(),
                2 => Relation::of_send(&a, &transposed(&a, width, c)?, &facts).ok(),
                3 => Relation::of_receive(&a, &transposed(&a, width, c)?, &facts).ok(),
                _ => Relation::every(&a, &b, &facts).ok(),
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

        /// A send is the graph of its partner, in digits as in ranks; where the members carry differently, it asks to tell them apart.
        #[test]
        fn sends_are_graphs(ranks in boxes(), k in -4_i64..5, c in -4_i64..14) {
            let facts = Constraints::new();
            match Relation::of_send(&ranks, &affine(k, c), &facts) {
                Ok(relation) => {
                    let graph: Pairs = (0..40).filter(|&s| within(s, &ranks)).map(|s| (s, k * s + c)).collect();
                    prop_assert_eq!(pairs(&relation), graph);
                }
                Err(Need::Split(position, threshold)) => {
                    let digit = &ranks.digits()[position];
                    let (lo, hi) = (constant(&digit.lo), constant(&digit.hi));
                    prop_assert!((lo..hi).contains(&constant(&threshold)), "both sides have members");
                }
                Err(need) => prop_assert!(matches!(need, Need::GiveUp(_)) && !(0..=1).contains(&k), "{:?}", need),
            }
        }

        /// A transposition is the graph of its partner, if it is followed.
        #[test]
        fn transpositions_are_graphs(ranks in boxes(), width in 1..7_i64, by in 0..9_i64) {
            let facts = Constraints::new();
            let Some(partner) = transposed(&ranks, width, by) else { return Ok(()) };
            let Ok(relation) = Relation::of_send(&ranks, &partner, &facts) else { return Ok(()) };
            let value = |s: i64| {
                let digits = digits(s, ranks.radices());
                let position = |symbol| (0..digits.len()).find(|&i| ranks.symbol(i) == symbol);
                constant(&partner.map_symbols(|s| position(s).map(|i| digits[i].into())).expect("small"))
            };
            let graph: Pairs = (0..40).filter(|&s| within(s, &ranks)).map(|s| (s, value(s))).collect();
            prop_assert_eq!(pairs(&relation), graph);
        }

        /// What one relation takes from another is part of both, is something where they have anything in common, and what is left
        /// is the rest.
        #[test]
        fn taking_takes(a in relation(), b in relation()) {
            let facts = Constraints::new();
            let (p, q) = (pairs(&a), pairs(&b));
            let common: Pairs = p.intersection(&q).copied().collect();
            let Ok(met) = a.intersect(&b, &facts) else { return Ok(()) };
            let Some(met) = met else {
                prop_assert!(common.is_empty());
                return Ok(());
            };
            let taken = pairs(&met);
            prop_assert!(!taken.is_empty() && taken.is_subset(&common));
            for (whole, all) in [(&a, &p), (&b, &q)] {
                let Ok(rest) = whole.without(&met, &facts) else { continue };
                let parts: Vec<Pairs> = rest.iter().map(pairs).collect();
                let sum: usize = parts.iter().map(Pairs::len).sum();
                let left: Pairs = parts.into_iter().flatten().collect();
                prop_assert_eq!(left.len(), sum);
                prop_assert_eq!(left, all.difference(&taken).copied().collect::<Pairs>());
            }
            prop_assert!(!a.disjoint(&b, &facts) || common.is_empty());
        }

        /// The other end of a message is who it is.
        #[test]
        fn counterparts_are_seen(relation in relation()) {
            let pairs = pairs(&relation);
            let value = |e: &Linear, own: i64, ranks: &Ranks| {
                let digits = digits(own, ranks.radices());
                let position = |symbol| (0..digits.len()).find(|&i| ranks.symbol(i) == symbol);
                let e = ranks.in_digits(e).and_then(|e| e.map_symbols(|s| position(s).map(|i| digits[i].into())));
                e.and_then(|e| e.as_constant()).expect("constants")
            };
            if let Some(sender) = relation.sender_of_receiver().and_then(|sender| sender.rank()) {
                for &(s, r) in &pairs {
                    prop_assert_eq!(value(&sender, r, &relation.receivers()), s);
                }
            }
            if let Some(receiver) = relation.receiver_of_sender().and_then(|receiver| receiver.rank()) {
                for &(s, r) in &pairs {
                    prop_assert_eq!(value(&receiver, s, &relation.senders()), r);
                }
            }
        }
    }
}
