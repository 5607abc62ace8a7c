//! The topology at one number of processes: every message and every collective call, by ranks.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lattice::{Constraints, Linear, Range, Ranks, Symbol};

use super::clients::topology::Exchanged;
use super::group::MEMBERS;
use super::link::{Link, Pairing};
use super::state::State;
use super::{Engine, Exploration, arithmetic};
use crate::results::{CollectiveInstance, Instance, Message};

/// Messages at one number of processes that are listed.
const MESSAGES: i64 = 1 << 21;

/// The topology at one number of processes; `None` when who communicates depends on the input, or there are too many messages.
pub(crate) fn instance(exploration: &Exploration<'_>, np: u64) -> Option<Instance> {
    let engine = &exploration.engine;
    let n = i64::try_from(np).ok().filter(|&n| n <= MEMBERS)?;
    let mut paths = Vec::new();
    for state in exploration.ends() {
        let mut facts = state.facts.clone();
        if facts.assume_eq(&Linear::np(), &n.into()).is_none() {
            continue;
        }
        for facts in arithmetic::cases_of_factors(&engine.symbols, &facts)? {
            let messages = messages(engine, state.clients.topology.exchanged.iter(), &facts)?;
            paths.push((messages, collectives(engine, state, &facts)));
        }
    }
    level(&mut paths);
    let mut collected: Option<(Repeats, Vec<CollectiveInstance>)> = None;
    for (messages, collectives) in paths {
        collected = Some(match collected {
            None => (messages, collectives),
            Some((mut known, mut gathered)) => {
                // Paths that differ in the input: what they disagree on depends on it.
                for (message, repeat) in &messages {
                    let entry = known.entry(message.clone()).or_insert(None);
                    if entry != repeat {
                        *entry = None;
                    }
                }
                for (message, repeat) in &mut known {
                    if !messages.contains_key(message) {
                        *repeat = None;
                    }
                }
                let key =
                    |c: &CollectiveInstance| (c.operation.clone(), c.line, c.file.clone(), c.ranks.clone());
                for collective in &mut gathered {
                    let other = collectives.iter().find(|c| key(c) == key(collective));
                    if other.is_none_or(|o| o.repeat != collective.repeat) {
                        collective.repeat = None;
                    }
                }
                for collective in collectives {
                    if !gathered.iter().any(|c| key(c) == key(&collective)) {
                        gathered.push(CollectiveInstance { repeat: None, ..collective });
                    }
                }
                (known, gathered)
            }
        });
    }
    let (messages, collectives) = collected?;
    let messages = messages.into_iter().map(|(message, repeat)| Message { repeat, ..message }).collect();
    Some(Instance { np, messages, collectives })
}

/// Whether a symbolic exploration says of one process count what an exact one of that count found. Numbers that the symbolic one
/// leaves open agree with any.
pub(crate) fn agree(symbolic: &Exploration<'_>, exact: &Exploration<'_>, np: u64) -> bool {
    // What is exchanged before a call is an error is nobody's concern, and it depends on who goes first.
    if symbolic.engine.erroneous && exact.engine.erroneous {
        return true;
    }
    let (claimed, found) = match (instance(symbolic, np), instance(exact, np)) {
        (Some(claimed), Some(found)) => (claimed, found),
        (None, None) => return true,
        (None, Some(_)) | (Some(_), None) => return false,
    };
    let open = |a: Option<i64>, b: Option<i64>| a.is_none() || a == b;
    let mut left = found.messages;
    let mut messages = true;
    // One with an open tag or count stands for all of its pair that are left, and would take what belongs to one that is known.
    let mut claims: Vec<&Message> = claimed.messages.iter().collect();
    claims.sort_by_key(|m| m.tag.is_none() || m.count.is_none());
    for m in claims {
        let fits = |e: &Message| {
            let is_channel = pair(m) == pair(e) && m.communicator == e.communicator;
            is_channel && open(m.tag, e.tag) && open(m.count, e.count)
        };
        let taken: Vec<Message> = left.extract_if(.., |e| fits(e)).collect();
        let number = taken.iter().try_fold(0, |sum: i64, e| sum.checked_add(e.repeat?));
        messages &= !taken.is_empty() && open(m.repeat, number);
    }
    let mut gathered = found.collectives;
    // So may one that is called an open number of times, by communicators that are one in the general answer.
    let mut claims: Vec<&CollectiveInstance> = claimed.collectives.iter().collect();
    claims.sort_by_key(|c| c.repeat.is_none());
    let mut collectives = true;
    for c in claims {
        let is_same = |e: &CollectiveInstance| {
            c.operation == e.operation
                && (c.line, &c.file) == (e.line, &e.file)
                && c.ranks == e.ranks
                && (c.root.is_none() || c.root == e.root)
        };
        let taken = match c.repeat {
            None => gathered.extract_if(.., |e| is_same(e)).count(),
            Some(_) => {
                let known = gathered.iter().position(|e| is_same(e) && e.repeat == c.repeat);
                usize::from(known.map(|index| gathered.remove(index)).is_some())
            }
        };
        collectives &= 0 < taken;
    }
    messages && left.is_empty() && collectives && gathered.is_empty()
}

/// Who sends to whom, and in which lines of which files.
pub(crate) type Pair = (u64, u64, (u32, Arc<str>), (u32, Arc<str>));

pub(crate) fn pair(message: &Message) -> Pair {
    let (send, recv) = (message.send_file.clone(), message.recv_file.clone());
    (message.from, message.to, (message.send_line, send), (message.recv_line, recv))
}

/// The messages of each path without the tags, and without the counts, of pairs of which some path leaves one open: what is one entry
/// there may be several elsewhere, and then the answer as a whole leaves it open.
fn level(paths: &mut [(Repeats, Vec<CollectiveInstance>)]) {
    let of = |open: fn(&Message) -> bool| -> BTreeSet<Pair> {
        paths.iter().flat_map(|(messages, _)| messages.keys()).filter(|m| open(m)).map(pair).collect()
    };
    let (tags, counts) = (of(|m| m.tag.is_none()), of(|m| m.count.is_none()));
    for (messages, _) in paths {
        for (mut message, repeat) in std::mem::take(messages) {
            if tags.contains(&pair(&message)) {
                message.tag = None;
            }
            if counts.contains(&pair(&message)) {
                (message.count, message.bytes) = (None, None);
            }
            add(messages, message, repeat);
        }
    }
}

/// Counts a message that may have been counted before.
fn add(messages: &mut Repeats, message: Message, repeat: Option<i64>) {
    messages
        .entry(message)
        .and_modify(|known| *known = known.zip(repeat).and_then(|(a, b)| a.checked_add(b)))
        .or_insert(repeat);
}

/// How often each message is sent; `None` where that depends on the input.
pub(crate) type Repeats = BTreeMap<Message, Option<i64>>;

/// All collective calls of a path at a fixed number of processes.
fn collectives(engine: &Engine<'_>, state: &State, facts: &Constraints) -> Vec<CollectiveInstance> {
    state
        .clients
        .topology
        .gathered
        .iter()
        .flat_map(|entry| {
            let group = &entry.communicator.group;
            let groups = match &entry.slices {
                Some(ranks) => group.listed_slices(ranks, facts).unwrap_or_default(),
                None => vec![group.listed(facts).unwrap_or_default()],
            };
            let root = entry.root.as_ref().and_then(|root| facts.constant(root));
            let root = root.and_then(|root| usize::try_from(root).ok());
            let rank = |rank: i64| u64::try_from(rank).ok();
            let sites = entry.sites.iter().map(|&site| engine.site_range(site));
            let (line, file) = sites.map(|site| (site.line, site.file)).min().unwrap_or_default();
            let file: Arc<str> = file.into();
            let instance = |ranks: Vec<i64>| CollectiveInstance {
                operation: entry.operation.to_string(),
                line,
                file: Arc::clone(&file),
                root: root.and_then(|root| rank(*ranks.get(root)?)),
                ranks: ranks.into_iter().filter_map(rank).collect(),
                repeat: entry.repeat.as_ref().filter(|_| entry.always).and_then(|r| facts.constant(r)),
            };
            groups.into_iter().map(instance).collect::<Vec<_>>()
        })
        .collect()
}

/// The pairs of a relation between two ranges of numbers, for a band with the distances. Where digits are mixed, each is beside itself.
pub(crate) fn pairs(
    pairing: Pairing,
    senders: (i64, i64),
    receivers: (i64, i64),
    distances: Option<(i64, i64)>,
) -> Vec<(i64, i64)> {
    let (from, to) = (senders.0..=senders.1, receivers.0..=receivers.1);
    match pairing {
        Pairing::Single | Pairing::Parallel => from.zip(to).collect(),
        Pairing::Mirrored => from.zip(to.rev()).collect(),
        Pairing::Mixed => from.map(|s| (s, s)).collect(),
        Pairing::FanOut | Pairing::FanIn | Pairing::Every | Pairing::Others | Pairing::Band => from
            .flat_map(|s| to.clone().map(move |r| (s, r)))
            .filter(|(s, r)| pairing != Pairing::Others || s != r)
            .filter(|(s, r)| distances.is_none_or(|(least, most)| (least..=most).contains(&(r - s))))
            .collect(),
    }
}

/// All messages of some entries of a path at a fixed number of processes, with how often each is sent. `None` where that is not known, or
/// the entries are of more processes, or there are too many messages.
pub(crate) fn messages<'e>(
    engine: &Engine<'_>,
    entries: impl Iterator<Item = &'e Exchanged>,
    facts: &Constraints,
) -> Option<Repeats> {
    let np = facts.constant(&Linear::np());
    let mut messages = Repeats::new();
    for entry in entries {
        let relation = &entry.relation;
        let place = |site| {
            let range = engine.site_range(site);
            (range.line, Arc::<str>::from(range.file))
        };
        let ((send_line, send_file), (recv_line, recv_file)) = (place(entry.send), place(entry.recv));
        let numbers =
            |radices: &[Linear]| -> Option<Vec<i64>> { radices.iter().map(|r| facts.constant(r)).collect() };
        let (sending, receiving) =
            (numbers(&relation.layout().senders)?, numbers(&relation.layout().receivers)?);
        let bounds = |range: &Range| Some((facts.constant(&range.lo)?, facts.constant(&range.hi)?));
        let mut ends = Vec::new();
        for link in entry.relation.links() {
            ends.extend([bounds(&link.senders)?, bounds(&link.receivers)?]);
        }
        if ends.iter().any(|(lo, hi)| hi < lo) {
            continue;
        }
        let too_many = |np: i64| ends.iter().any(|(lo, hi)| hi - lo >= np);
        // Of other numbers of processes a translation may be none.
        let unequal = entry.relation.links().iter().zip(ends.chunks(2)).any(|(link, ends)| {
            matches!(link.pairing, Pairing::Parallel | Pairing::Mirrored)
                && ends[0].1 - ends[0].0 != ends[1].1 - ends[1].0
        });
        if unequal || np.is_some_and(too_many) {
            return None;
        }
        let pairs_of = |(link, ends): (&Link, &[(i64, i64)])| {
            let length = |(lo, hi): (i64, i64)| hi.checked_sub(lo)?.checked_add(1);
            let (senders, receivers) = (length(ends[0])?, length(ends[1])?);
            match link.pairing {
                Pairing::Single | Pairing::Parallel | Pairing::Mirrored | Pairing::Mixed => Some(senders),
                _ => senders.checked_mul(receivers),
            }
        };
        let mut sizes = entry.relation.links().iter().zip(ends.chunks(2)).map(pairs_of);
        let size = sizes.try_fold(1_i64, |product, size| product.checked_mul(size?));
        let known = i64::try_from(messages.len()).ok()?;
        if size.and_then(|size| size.checked_add(known)).is_none_or(|all| MESSAGES < all) {
            return None;
        }
        // Pairs by their digits, least significant first.
        let mut found: Vec<(Vec<i64>, Vec<i64>)> = vec![Default::default()];
        let mut order = Vec::new();
        for (_, place, link) in relation.linked_digits() {
            order.push(place);
            let distances = match &link.distances {
                Some(distances) => Some(bounds(distances)?),
                None => None,
            };
            let digits = pairs(link.pairing, bounds(&link.senders)?, bounds(&link.receivers)?, distances);
            let longer = |(from, to): (Vec<i64>, Vec<i64>)| {
                digits
                    .iter()
                    .map(move |&(s, r)| ([&from[..], &[s]].concat(), [&to[..], &[r]].concat()))
                    .collect::<Vec<_>>()
            };
            found = found.into_iter().flat_map(longer).collect();
        }
        // What differs between messages is told over the digits of one side's ranks.
        let fan_in = relation.is_fan_in();
        let (frame, places) = match fan_in {
            true => (relation.senders(), relation.layout().places()),
            false => (relation.receivers(), relation.layout().reversed().places()),
        };
        let radices =
            frame.radices().iter().map(|r| facts.constant(r).map(Linear::from)).collect::<Option<_>>()?;
        let frame = Ranks::new(radices, frame.digits().to_vec());
        for (senders, linked) in found {
            let mut receivers = linked.clone();
            for (digit, &place) in linked.iter().zip(&order) {
                receivers[place] = *digit;
            }
            let rank = |digits: &[i64], radices: &[i64]| {
                digits
                    .iter()
                    .rev()
                    .zip(std::iter::once(&1).chain(radices.iter().rev()))
                    .try_fold(0_i64, |rank, (digit, radix)| rank.checked_mul(*radix)?.checked_add(*digit))
            };
            let from = rank(&senders, &sending)?;
            let to = match relation.permutation() {
                None => rank(&receivers, &receiving)?,
                Some(permutation) => permutation.there.evaluate(&|value| {
                    let value = frame.in_digits(value)?;
                    let own = |symbol| (0..senders.len()).find(|&i| frame.symbol(i) == symbol);
                    facts.constant(&value.map_symbols(|symbol| own(symbol).map(|i| senders[i].into()))?)
                })?,
            };
            let raw = if fan_in { &senders } else { &receivers };
            let varying: Vec<i64> = places.iter().map(|&place| raw[place]).collect();
            let number = |value: &Option<Linear>| {
                let distance = Linear::from(to.checked_sub(from)?);
                let value = frame.in_digits(&value.as_ref()?.substitute(Symbol::DISTANCE, &distance)?)?;
                let own = |symbol| (0..varying.len()).find(|&i| frame.symbol(i) == symbol);
                facts.constant(&value.map_symbols(|symbol| own(symbol).map(|i| varying[i].into()))?)
            };
            let elements = number(&entry.count);
            let size = engine.size_of_type(&entry.datatype).and_then(|s| i64::try_from(s).ok());
            let message = Message {
                from: u64::try_from(from).ok()?,
                to: u64::try_from(to).ok()?,
                send_line,
                recv_line,
                send_file: Arc::clone(&send_file),
                recv_file: Arc::clone(&recv_file),
                communicator: entry.communicator.name.to_string(),
                tag: number(&entry.tag),
                count: elements,
                datatype: entry.datatype.name_text(),
                bytes: elements.zip(size).and_then(|(n, s)| n.checked_mul(s)),
                repeat: None,
            };
            let repeat = entry.repeat.as_ref().filter(|_| entry.always).and_then(|r| facts.constant(r));
            add(&mut messages, message, repeat);
        }
    }
    Some(messages)
}
