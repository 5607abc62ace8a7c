//! The communication topology: which calls have exchanged messages, between whom, and which collectives were made together.
//!
//! Entries that lie side by side become one, which is how a loop of operations becomes one channel over a range of ranks.

use std::sync::Arc;

use lattice::{Constraints, Linear, Range, Ranks, Symbol, Truth};
use rustc_hash::FxHashSet;

use super::{Client, Completed, Match};
use crate::engine::band::hull;
use crate::engine::group::united;
use crate::engine::instance::pairs;
use crate::engine::join::Join;
use crate::engine::link::{Link, Pairing};
use crate::engine::relation::Relation;
use crate::engine::state::{Communicator, Envelope, SiteId, Structure};
use crate::engine::value::Value;

/// Messages of a pair with different tags or lengths that are told apart where every process is followed for itself.
const DIFFERENT: usize = 16;
/// Entries of a path of which each pair is looked at whenever there is a new one.
const MANY: usize = 16;

/// The client; all that it knows belongs to a path.
#[derive(Clone, Debug, Default)]
pub(crate) struct Topology {
    /// Whether every process is followed for itself. Then there are few pairs, and what is known of the messages of each is worth
    /// more than one entry for many.
    pub(crate) one_by_one: bool,
    /// Whether entries are kept for each pair of processes: then what led to two states that are the same otherwise, only in another
    /// order, can be told as one.
    pub(crate) pairwise: bool,
    /// Calls in loops that multiply what counts their rounds.
    pub(crate) in_multiplying_loops: FxHashSet<SiteId>,
}

/// The communication of one path.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exchanges {
    /// By send, receive and pairing.
    pub(crate) exchanged: Vec<Exchanged>,
    /// In order of first occurrence.
    pub(crate) gathered: Vec<Gathered>,
}

/// Messages exchanged so far by one send and one receive call.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Exchanged {
    pub(crate) send: SiteId,
    pub(crate) recv: SiteId,
    pub(crate) communicator: Arc<Communicator>,
    pub(crate) datatype: Value,
    pub(crate) relation: Relation,
    /// `None` where it differs between messages.
    pub(crate) tag: Option<Linear>,
    /// `None` where it differs between messages or is not known.
    pub(crate) count: Option<Linear>,
    /// How often each pair communicated; `None` where that has no linear form.
    pub(crate) repeat: Option<Linear>,
    /// Whether it happened in whatever order messages came.
    pub(crate) always: bool,
    /// Whether it concerns one of several processes of which any may have come first: then tag and count are no functions of the rank.
    pub(crate) chosen: bool,
    /// Whether the send is in a loop that multiplies what counts its rounds: these are told one by one, and those of neighbouring
    /// distances are not one relation.
    pub(crate) apart: bool,
}

/// Collectives executed so far at one combination of call sites.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Gathered {
    pub(crate) operation: Arc<str>,
    pub(crate) sites: Vec<SiteId>,
    pub(crate) communicator: Arc<Communicator>,
    /// Those who see the communicator each from where they stand; `None`: it is one.
    pub(crate) slices: Option<Ranks>,
    /// Rank in the communicator.
    pub(crate) root: Option<Linear>,
    pub(crate) repeat: Option<Linear>,
    /// As in [`Exchanged`].
    pub(crate) always: bool,
}

impl Client for Topology {
    type Set = ();
    type Cargo = ();
    type Path = Exchanges;
    type Shape = (Vec<(SiteId, SiteId, Structure)>, Vec<Vec<SiteId>>);

    fn matched(&mut self, path: &mut Exchanges, (): &(), matched: &Match<'_>) {
        let Match { envelope, incoming, relation, alike, sender, facts, .. } = *matched;
        // Over the rank of the side that varies: the sender of a fan-in, else the receiver.
        let over_varying = |value: &Value| match relation.is_fan_in() {
            true => value.as_int().cloned(),
            false => value.seen_from(sender).as_int().cloned(),
        };
        let sides = [relation.senders(), relation.receivers()];
        let chosen = alike.iter().any(|ranks| sides.iter().any(|side| !is_all_or_none(side, ranks, facts)));
        let attribute = |value: &Value| match (over_varying(value), relation.is_single()) {
            // What one tells of its rank, another would tell of its own.
            (Some(told), _) if chosen => Some(told).filter(|_| value.is_uniform()),
            (Some(value), true) => Some(relation.receivers().settle(&value, facts)),
            (value, _) => value,
        };
        let exchanged = Exchanged {
            send: envelope.site,
            recv: incoming.filter.site,
            communicator: Arc::clone(&envelope.communicator),
            datatype: envelope.datatype.clone(),
            relation: relation.clone(),
            tag: attribute(&envelope.tag),
            count: attribute(&envelope.count),
            repeat: Some(1.into()),
            always: true,
            chosen,
            apart: self.in_multiplying_loops.contains(&envelope.site),
        };
        if self.one_by_one {
            make_room(&mut path.exchanged, &exchanged, facts);
        }
        // What differs by the sender has no form over the receivers, and each pair has its own.
        let is_lost = |told: &Option<Linear>, value: &Value| told.is_none() && value.as_int().is_some();
        let lost = is_lost(&exchanged.tag, &envelope.tag) || is_lost(&exchanged.count, &envelope.count);
        let apart = self.pairwise || (self.one_by_one && lost);
        match apart.then(|| exchanged.apart(envelope, facts)).flatten() {
            Some(pairs) if self.pairwise => {
                pairs.into_iter().for_each(|pair| add_pair(&mut path.exchanged, pair, facts));
            }
            Some(pairs) => {
                for pair in pairs {
                    path.exchanged.push(pair);
                    coalesce_last(&mut path.exchanged, facts, true);
                }
            }
            None => {
                path.exchanged.push(exchanged);
                if path.exchanged.len() <= MANY {
                    coalesce(&mut path.exchanged, facts, self.one_by_one);
                } else {
                    coalesce_last(&mut path.exchanged, facts, self.one_by_one);
                }
            }
        }
    }

    fn completed(&mut self, path: &mut Exchanges, completed: &Completed<'_>) {
        let Completed { operation, entries, sites, communicator, root, facts } = *completed;
        let callers = || entries.iter().map(|e| e.members.clone()).collect::<Vec<_>>();
        let slices = communicator.group.is_slice().then(|| united(&callers(), facts)).flatten();
        let entry = path.gathered.iter_mut().find(|g| {
            g.sites == sites
                && g.operation == *operation
                && g.communicator == *communicator
                && g.slices == slices
        });
        match entry {
            Some(entry) => {
                entry.repeat = entry.repeat.as_ref().filter(|_| entry.always).and_then(|r| r.offset(1));
                entry.always = true;
                if entry.root.as_ref() != root {
                    entry.root = None;
                }
            }
            None => path.gathered.push(Gathered {
                operation: Arc::clone(operation),
                sites: sites.to_vec(),
                communicator: Arc::clone(communicator),
                slices,
                root: root.cloned(),
                repeat: Some(1.into()),
                always: true,
            }),
        }
    }

    fn generalise(&mut self, old: &Exchanges, new: &Exchanges, join: &mut Join<'_>) -> Option<Exchanges> {
        if self.pairwise && !(join.own && is_like(old, new)) {
            return Some(either(old, new, join));
        }
        let mut general = old.clone();
        for (entry, b) in general.exchanged.iter_mut().zip(&new.exchanged) {
            if entry.datatype != b.datatype {
                return None;
            }
            entry.communicator = join.communicator(&entry.communicator, &b.communicator)?;
            entry.relation = join.relation(&entry.relation, &b.relation)?;
            entry.tag = join.optional(&entry.tag, &b.tag);
            entry.count = join.optional(&entry.count, &b.count);
            entry.repeat = join.optional(&entry.repeat, &b.repeat);
            join.old_says((entry.chosen || !b.chosen) && (!entry.always || b.always));
            entry.always &= b.always;
            entry.chosen |= b.chosen;
        }
        for (entry, b) in general.gathered.iter_mut().zip(&new.gathered) {
            if entry.operation != b.operation {
                return None;
            }
            entry.communicator = join.communicator(&entry.communicator, &b.communicator)?;
            entry.slices = match (&entry.slices, &b.slices) {
                (Some(a), Some(b)) => Some(join.ranks(a, b)?),
                (None, None) => None,
                _ => return None,
            };
            entry.root = join.optional(&entry.root, &b.root);
            entry.repeat = join.optional(&entry.repeat, &b.repeat);
            join.old_says(!entry.always || b.always);
            entry.always &= b.always;
        }
        Some(general)
    }

    fn shape(path: &Exchanges) -> Self::Shape {
        (
            path.exchanged.iter().map(|e| (e.send, e.recv, e.relation.structure())).collect(),
            path.gathered.iter().map(|g| g.sites.clone()).collect(),
        )
    }

    fn size(path: &Exchanges) -> usize {
        path.exchanged.len()
    }
}

impl Exchanged {
    /// Whether two entries are of the same calls and processes.
    fn is_like(&self, other: &Self) -> bool {
        (self.send, self.recv, &self.relation) == (other.send, other.recv, &other.relation)
            && self.communicator == other.communicator
            && self.datatype == other.datatype
            && !self.differs(other)
    }

    /// Whether both are messages of the same pairs with another tag, or of another length, as far as these are numbers.
    fn differs(&self, other: &Self) -> bool {
        let differ = |a: &Option<Linear>, b: &Option<Linear>| {
            let number = |value: &Option<Linear>| value.as_ref().and_then(Linear::as_constant);
            number(a).zip(number(b)).is_some_and(|(a, b)| a != b)
        };
        differ(&self.tag, &other.tag) || differ(&self.count, &other.count)
    }

    /// What has been exchanged with these messages, one entry for each pair of processes; `None` where they are not known.
    fn apart(&self, envelope: &Envelope, facts: &Constraints) -> Option<Vec<Self>> {
        let link = self.relation.as_link()?;
        let ends = |range: &Range| Some((facts.constant(&range.lo)?, facts.constant(&range.hi)?));
        let distances = match &link.distances {
            Some(distances) => Some(ends(distances)?),
            None => None,
        };
        let pairs = pairs(link.pairing, ends(&link.senders)?, ends(&link.receivers)?, distances);
        let entry = |(sender, receiver): (i64, i64)| {
            let only = |rank: i64| Range::single(rank.into());
            let told =
                |value: &Value| value.as_int().map(|value| Ranks::single(sender.into()).settle(value, facts));
            Self {
                relation: Link::new(only(sender), only(receiver), Pairing::Single).into(),
                tag: told(&envelope.tag),
                count: told(&envelope.count),
                ..self.clone()
            }
        };
        Some(pairs.into_iter().map(entry).collect())
    }

    /// Where it stands among entries that are kept for each pair.
    fn place(&self) -> (SiteId, SiteId, Option<[i64; 2]>, Option<i64>) {
        let pair = self
            .relation
            .as_link()
            .and_then(|link| Some([link.senders.lo.as_constant()?, link.receivers.lo.as_constant()?]));
        (self.send, self.recv, pair, self.tag.as_ref().and_then(Linear::as_constant))
    }
}

/// One entry for the messages of a pair that differ in their tags or lengths, where there are many of them.
fn make_room(entries: &mut Vec<Exchanged>, new: &Exchanged, facts: &Constraints) {
    let is_same = |entry: &Exchanged| {
        (entry.send, entry.recv) == (new.send, new.recv)
            && entry.communicator == new.communicator
            && entry.datatype == new.datatype
            && entry.relation.same(&new.relation, facts)
    };
    if entries.iter().filter(|entry| is_same(entry)).count() < DIFFERENT {
        return;
    }
    let together = entries.extract_if(.., |entry| is_same(entry)).reduce(|a, b| {
        let mut both = combined(&a, &b, facts, false).unwrap_or_else(|| a.clone());
        both.tag = both.tag.filter(|_| a.tag == b.tag);
        both.count = both.count.filter(|_| a.count == b.count);
        both
    });
    if let Some(together) = together {
        let at = entries.partition_point(|entry| entry.place() <= together.place());
        entries.insert(at, together);
    }
}

/// Adds an entry for one pair.
fn add_pair(entries: &mut Vec<Exchanged>, new: Exchanged, facts: &Constraints) {
    for entry in entries.iter_mut().filter(|entry| entry.is_like(&new)) {
        if let Some(both) = combined(entry, &new, facts, true) {
            *entry = both;
            return;
        }
    }
    let at = entries.partition_point(|entry| entry.place() <= new.place());
    entries.insert(at, new);
}

/// Whether two paths have exchanged and gathered the same, but for how often.
fn is_like(a: &Exchanges, b: &Exchanges) -> bool {
    Topology::shape(a) == Topology::shape(b)
        && a.exchanged.iter().zip(&b.exchanged).all(|(a, b)| a.is_like(b))
}

/// What is known to have been exchanged on one of two paths that lead to one state: what only one of them has does not always happen.
fn either(old: &Exchanges, new: &Exchanges, join: &mut Join<'_>) -> Exchanges {
    let mut general = old.clone();
    for entry in &mut general.exchanged {
        let other = new.exchanged.iter().find(|other| other.is_like(entry));
        if let Some(b) = other {
            entry.tag = join.if_common(&entry.tag, &b.tag);
            entry.count = join.if_common(&entry.count, &b.count);
            entry.repeat = join.if_common(&entry.repeat, &b.repeat);
        }
        let always = other.is_some_and(|other| other.always);
        join.old_says(always || !entry.always);
        entry.always &= always;
    }
    for entry in new.exchanged.iter().filter(|b| !old.exchanged.iter().any(|a| a.is_like(b))) {
        join.old_says(false);
        let at = general.exchanged.partition_point(|known| known.place() <= entry.place());
        general.exchanged.insert(at, Exchanged { always: false, ..entry.clone() });
    }
    let is_same = |a: &Gathered, b: &Gathered| {
        a.sites == b.sites
            && a.operation == b.operation
            && a.communicator == b.communicator
            && a.slices == b.slices
    };
    for entry in &mut general.gathered {
        let other = new.gathered.iter().find(|other| is_same(other, entry));
        if let Some(b) = other {
            entry.root = join.if_common(&entry.root, &b.root);
            entry.repeat = join.if_common(&entry.repeat, &b.repeat);
        }
        let always = other.is_some_and(|other| other.always);
        join.old_says(always || !entry.always);
        entry.always &= always;
    }
    for entry in new.gathered.iter().filter(|b| !old.gathered.iter().any(|a| is_same(a, b))) {
        join.old_says(false);
        general.gathered.push(Gathered { always: false, ..entry.clone() });
    }
    general
}

impl Exchanges {
    /// Whether every entry concerns all of some processes that behave alike, or none of them, as far as is known. Another entry tells
    /// only what happens when one of them comes first.
    pub(crate) fn treats_alike(&self, alike: &[Ranks], facts: &Constraints) -> bool {
        let mut sides = self.exchanged.iter().flat_map(|e| [e.relation.senders(), e.relation.receivers()]);
        sides.all(|side| alike.iter().all(|ranks| side.disjoint(ranks, facts) || ranks.within(&side, facts)))
    }

    /// Extends what is recorded of some of a range of processes that behave alike to all of them: whichever of them comes first, the
    /// same happens to it. How often each communicates is then not known. `None` where that has no description.
    pub(crate) fn close(&mut self, alike: &[Ranks], facts: &Constraints, one_by_one: bool) -> Option<()> {
        for ranks in alike {
            for entry in &mut self.exchanged {
                let sides = [entry.relation.senders(), entry.relation.receivers()];
                let open = sides.each_ref().map(|side| !is_all_or_none(side, ranks, facts));
                let mut link = match open {
                    [false, false] => continue,
                    [true, true] => return None,
                    _ => entry.relation.as_link()?.clone(),
                };
                let (side, other) =
                    if open[0] { (&mut link.senders, &sides[1]) } else { (&mut link.receivers, &sides[0]) };
                if !other.disjoint(ranks, facts) {
                    return None;
                }
                *side = hull(side, ranks.as_range()?, facts)?;
                entry.relation =
                    Relation::from(Link::new(link.senders, link.receivers, Pairing::Every).named(facts));
                entry.repeat = None;
            }
        }
        coalesce(&mut self.exchanged, facts, one_by_one);
        Some(())
    }
}

/// Whether some processes are all of others, or more, or none of them.
fn is_all_or_none(some: &Ranks, ranks: &Ranks, facts: &Constraints) -> bool {
    some.disjoint(ranks, facts) || ranks.within(some, facts)
}

/// One entry for matches that form one relation.
fn coalesce(entries: &mut Vec<Exchanged>, facts: &Constraints, one_by_one: bool) {
    // Entries keep the order of their sites, so that equal histories have equal shapes.
    entries.sort_by_cached_key(|e| (e.send, e.recv, e.relation.structure()));
    'again: loop {
        for first in 0..entries.len() {
            for second in first + 1..entries.len() {
                if let Some(both) = combined(&entries[first], &entries[second], facts, one_by_one) {
                    entries.remove(second);
                    entries[first] = both;
                    entries.sort_by_cached_key(|e| (e.send, e.recv, e.relation.structure()));
                    continue 'again;
                }
            }
        }
        return;
    }
}

/// The same where only the last one is new: of many, all pairs are not looked at again.
fn coalesce_last(entries: &mut Vec<Exchanged>, facts: &Constraints, one_by_one: bool) {
    let Some(mut last) = entries.pop() else { return };
    let both = |entries: &[Exchanged], last: &Exchanged| {
        entries
            .iter()
            .enumerate()
            .find_map(|(index, entry)| combined(entry, last, facts, one_by_one).map(|both| (index, both)))
    };
    while let Some((index, together)) = both(entries, &last) {
        entries.remove(index);
        last = together;
    }
    entries.push(last);
    entries.sort_by_cached_key(|e| (e.send, e.recv, e.relation.structure()));
}

/// What two entries say together, when that is one relation with one repeat count.
fn combined(a: &Exchanged, b: &Exchanged, facts: &Constraints, one_by_one: bool) -> Option<Exchanged> {
    let alike =
        a.send == b.send && a.recv == b.recv && a.communicator == b.communicator && a.datatype == b.datatype;
    if !alike || (a.apart && b.apart && differ_in_distance(&a.relation, &b.relation)) {
        return None;
    }
    if !a.relation.same(&b.relation, facts) {
        return joined(a, b, facts, one_by_one);
    }
    let is_other = |x: &Option<Linear>, y: &Option<Linear>| x.is_some() && y.is_some() && !equal(x, y, facts);
    if one_by_one && (is_other(&a.tag, &b.tag) || is_other(&a.count, &b.count)) {
        return None;
    }
    let sum = |a: &Option<Linear>, b: &Option<Linear>| a.as_ref()?.add(b.as_ref()?);
    let common = |x: &Option<Linear>, y: &Option<Linear>| if equal(x, y, facts) { x.clone() } else { None };
    Some(Exchanged {
        repeat: sum(&a.repeat, &b.repeat).filter(|_| a.always && b.always),
        always: a.always || b.always,
        tag: common(&a.tag, &b.tag),
        count: common(&a.count, &b.count),
        chosen: a.chosen || b.chosen,
        ..a.clone()
    })
}

fn equal(a: &Option<Linear>, b: &Option<Linear>, facts: &Constraints) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => {
            a == b || (a.sub(b).is_some_and(|d| d.is_uniform()) && facts.eq(a, b) == Truth::Yes)
        }
        (None, None) => true,
        _ => false,
    }
}

/// Two entries whose relations lie side by side and that happened equally often.
fn joined(a: &Exchanged, b: &Exchanged, facts: &Constraints, one_by_one: bool) -> Option<Exchanged> {
    if !equal(&a.repeat, &b.repeat, facts) || a.always != b.always {
        return None;
    }
    let relation = a.relation.join_adjacent(&b.relation, facts)?;
    if a.apart && is_shift(&a.relation) && is_shift(&b.relation) && !is_shift(&relation) {
        return None;
    }
    // What is told by the distance needs no relation that hides it.
    let by_distance = [a, b].iter().any(|e| of_band(&e.relation).is_some()) && of_band(&relation).is_none();
    let attribute = |x: &Option<Linear>, y: &Option<Linear>| match (x, y) {
        (Some(x), Some(y)) => match common_attribute(a, x, b, y, &relation, facts) {
            None if one_by_one || by_distance => None,
            common => Some(common),
        },
        _ => Some(None),
    };
    let (tag, count) = (attribute(&a.tag, &b.tag)?, attribute(&a.count, &b.count)?);
    Some(Exchanged { tag, count, relation, chosen: a.chosen || b.chosen, ..a.clone() })
}

/// Whether all receivers are equally far from their senders.
fn is_shift(relation: &Relation) -> bool {
    relation.as_link().is_some_and(|link| matches!(link.pairing, Pairing::Single | Pairing::Parallel))
}

/// Whether both are shifts, by distances of which the difference is known not to be zero.
fn differ_in_distance(a: &Relation, b: &Relation) -> bool {
    let distance = |relation: &Relation| {
        let link = relation.as_link().filter(|_| is_shift(relation))?;
        link.receivers.lo.sub(&link.senders.lo)
    };
    let difference = distance(a).zip(distance(b)).and_then(|(a, b)| a.sub(&b));
    difference.is_some_and(|difference| difference.as_constant().is_some_and(|k| k != 0))
}

/// An attribute of two entries as one expression over the rank of the side that varies (the sender of a fan-in, else the
/// receiver).
fn common_attribute(
    a: &Exchanged,
    x: &Linear,
    b: &Exchanged,
    y: &Linear,
    relation: &Relation,
    facts: &Constraints,
) -> Option<Linear> {
    // All are told over one side, that of the relation which they are together; by the sender of each, or by its receiver.
    let fan_in = relation.is_fan_in();
    let side = |e: &Exchanged| if fan_in { e.relation.senders() } else { e.relation.receivers() };
    let is_told_there =
        |e: &Exchanged, value: &Linear| value.is_uniform() || e.relation.is_fan_in() == fan_in;
    if !is_told_there(a, x) || !is_told_there(b, y) {
        return None;
    }
    if of_band(relation).is_some() || [a, b].iter().any(|e| of_band(&e.relation).is_some()) {
        return common_by_distance((a, x), (b, y), facts);
    }
    let (ra, rb) = (side(a), side(b));
    let agrees = |candidate: &Linear, value: &Linear, ranks: &Ranks| {
        if candidate == value {
            return true;
        }
        let at = |e: &Linear| ranks.settle(e, facts);
        let (c, v) = (at(candidate), at(value));
        c.sub(&v).is_some_and(|d| d.is_uniform()) && facts.eq(&c, &v) == Truth::Yes
    };
    if a.chosen || b.chosen {
        return equal(&Some(x.clone()), &Some(y.clone()), facts).then(|| x.clone());
    }
    // value + digit - (that digit of all on the side of `a`)
    let relative = |position: usize| {
        let only = ra.digits()[position].as_single(facts)?;
        x.add(&ra.symbol(position).into())?.sub(only)
    };
    let candidates = [x.clone(), y.clone()].into_iter().chain((0..ra.digits().len()).filter_map(relative));
    candidates.into_iter().find(|c| agrees(c, x, &ra) && agrees(c, y, &rb))
}

/// The only link of a band.
fn of_band(relation: &Relation) -> Option<&Link> {
    relation.as_link().filter(|link| link.pairing == Pairing::Band)
}

/// An attribute of two entries of which one is a band, or both are to be one: over the distance of the receiver from the sender.
fn common_by_distance(
    (a, x): (&Exchanged, &Linear),
    (b, y): (&Exchanged, &Linear),
    facts: &Constraints,
) -> Option<Linear> {
    let distance = |e: &Exchanged| match of_band(&e.relation) {
        Some(_) => None,
        None => e.relation.as_link()?.distances()?.as_single(facts).cloned(),
    };
    let told_by_distance =
        |value: &Linear| value.substitute(Symbol::DISTANCE, &Linear::zero()).is_some_and(|v| v.is_uniform());
    if !told_by_distance(x) || !told_by_distance(y) {
        return None;
    }
    // Two shifts by neighbouring distances lie on a line.
    let line = || {
        let (here, there) = (distance(a)?, distance(b)?);
        let slope = facts.constant(&y.sub(x)?)?.checked_div(facts.constant(&there.sub(&here)?)?)?;
        Linear::from(Symbol::DISTANCE).sub(&here)?.scale(slope)?.add(x)
    };
    let agrees = |candidate: &Linear, value: &Linear, e: &Exchanged| match distance(e) {
        Some(at) => {
            candidate.substitute(Symbol::DISTANCE, &at).is_some_and(|c| facts.eq(&c, value) == Truth::Yes)
        }
        None => candidate == value,
    };
    [x.clone(), y.clone()].into_iter().chain(line()).find(|c| agrees(c, x, a) && agrees(c, y, b))
}
