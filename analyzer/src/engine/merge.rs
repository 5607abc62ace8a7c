//! Merging process sets of one state that stand at the same place with the same knowledge.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lattice::{Constraints, Linear, Ranks, Truth};

use super::Engine;
use super::alike::is_named;
use super::clients::{Knowledge, Known, merged_cargo};
use super::memory::{Background, Content, Memory, ObjectId, ObjectKind};
use super::permutation::Target;
use super::series::Series;
use super::state::{Envelope, Filter, Frame, Handle, Incoming, Outgoing, Probe, ProcessSet, State, Status};
use super::value::Value;

impl Engine<'_> {
    /// Merges process sets that stand at the same place and are neighbours in rank: those that lose nothing by it, and where sets
    /// pile up at one place, those that differ in numbers only.
    pub(crate) fn merge_sets(&mut self, state: &mut State) {
        self.merge_neighbours(state, None);
        if self.fixed.is_none() {
            // Whoever brings a result first, the workers of a master become what they were before.
            let most = if self.ground.wildcards { 1 } else { CROWD };
            for crowd in crowded_places(&state.sets, most) {
                while self.merge_neighbours(state, Some(&crowd)) {
                    state.blurred = true;
                }
            }
        }
        if self.fixed.is_some() {
            sort_books(state);
        }
        // Equal places have equal positions in all states of one shape.
        let facts = &state.facts;
        let order = |a: &ProcessSet, b: &ProcessSet| {
            let place = |s: &ProcessSet| {
                s.frames.iter().map(|f| (f.function, f.context, f.block, f.inst)).collect::<Vec<_>>()
            };
            let by_digit = |i: usize| match facts.le(&a.ranks.digits()[i].lo, &b.ranks.digits()[i].lo) {
                _ if a.ranks.digits()[i].lo == b.ranks.digits()[i].lo => Ordering::Equal,
                Truth::Yes => Ordering::Less,
                Truth::No => Ordering::Greater,
                Truth::Open => Ordering::Equal,
            };
            place(a).cmp(&place(b)).then_with(|| a.ranks.radices().cmp(b.ranks.radices())).then_with(|| {
                let orders = (0..a.ranks.digits().len()).rev().map(by_digit);
                orders.fold(Ordering::Equal, Ordering::then)
            })
        };
        // The order is not total where bounds cannot be compared, which the library's sorts do not take.
        for end in 1..state.sets.len() {
            let mut at = end;
            while 0 < at && order(&state.sets[at], &state.sets[at - 1]) == Ordering::Less {
                state.sets.swap(at, at - 1);
                at -= 1;
            }
        }
    }

    /// Merges all neighbours that can be; of a crowd, which is given by what its members have in common, only two, and what they
    /// compute may get lost. Whether there were any.
    fn merge_neighbours(&mut self, state: &mut State, crowd: Option<&[Frame]>) -> bool {
        let mut found = false;
        'again: loop {
            for i in 0..state.sets.len() {
                for j in 0..state.sets.len() {
                    if i != j
                        && crowd.is_none_or(|crowd| state.sets[i].frames == crowd)
                        && let Some(merged) = self.merged(state, i, j, crowd.is_some())
                    {
                        state.sets[i] = merged;
                        state.sets.remove(j);
                        found = true;
                        if crowd.is_some() {
                            return true;
                        }
                        continue 'again;
                    }
                }
            }
            return found;
        }
    }

    fn merged(&mut self, state: &State, i: usize, j: usize, lossy: bool) -> Option<ProcessSet> {
        let (a, b) = (&state.sets[i], &state.sets[j]);
        if a.frames != b.frames || a.phase != b.phase || a.asking != b.asking {
            return None;
        }
        let ranks = a.ranks.append(&b.ranks, &state.facts)?;
        let named = is_named(&state.alike, &ranks, &state.facts);
        let merge = Merge { lossy, ..Merge::new(&state.facts, &a.ranks, &b.ranks).of_names(named) };
        let status = merge.status(&a.status, &b.status)?;
        let handles = merge.handles(&a.handles, &b.handles)?;
        let (mut left, mut right) = (a.memory.clone(), b.memory.clone());
        self.align(&mut left, &mut right);
        let memory = merge.memory(&left, &right, self)?;
        let known = Known::merge((&a.known, &a.ranks), (&b.known, &b.ranks), &state.facts)?;
        Some(ProcessSet {
            ranks,
            frames: a.frames.clone(),
            status,
            paused: None,
            phase: a.phase,
            asking: a.asking,
            memory,
            handles,
            known,
        })
    }
}
/// Sets at one place before their numbers are given up.
const CROWD: usize = 10;

/// Puts operations under way into an order that does not depend on which of several processes came first. The order of messages
/// between two processes, and of the calls of one, is kept.
fn sort_books(state: &mut State) {
    let facts = &state.facts;
    let rank = |ranks: &Ranks| ranks.hull().and_then(|hull| hull.lo.as_constant());
    sort_apart(
        &mut state.in_flight,
        |m| (rank(&m.relation.senders()), rank(&m.relation.receivers())),
        |a, b| a.relation.disjoint(&b.relation, facts),
    );
    let apart = |a: &Ranks, b: &Ranks| a.disjoint(b, facts);
    sort_apart(
        &mut state.posted,
        |p| rank(&p.wanted.receivers()),
        |a, b| apart(&a.wanted.receivers(), &b.wanted.receivers()),
    );
    sort_apart(&mut state.arrived, |a| rank(&a.receivers), |a, b| apart(&a.receivers, &b.receivers));
    sort_apart(&mut state.entered, |e| rank(&e.members), |a, b| apart(&a.members, &b.members));
}

/// Sorts a list by swapping neighbours that `apart` allows to swap.
fn sort_apart<T, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K, apart: impl Fn(&T, &T) -> bool) {
    for end in 1..list.len() {
        let mut index = end;
        while index > 0 && key(&list[index]) < key(&list[index - 1]) && apart(&list[index - 1], &list[index])
        {
            list.swap(index - 1, index);
            index -= 1;
        }
    }
}

/// The places where more than so many sets stand.
fn crowded_places(sets: &[ProcessSet], most: usize) -> Vec<Vec<Frame>> {
    let mut places: Vec<Vec<Frame>> = Vec::new();
    for set in sets.iter().filter(|set| !set.is_done()) {
        let here = sets.iter().filter(|s| s.frames == set.frames).count();
        if here > most && !places.contains(&set.frames) {
            places.push(set.frames.clone());
        }
    }
    places
}

fn is_number(value: &Value) -> bool {
    matches!(value, Value::Int(_) | Value::Same(_) | Value::Unknown)
}

/// Merging of two neighbouring sets of one state: what holds on the members of both.
pub(crate) struct Merge<'a> {
    facts: &'a Constraints,
    a: &'a Ranks,
    b: &'a Ranks,
    /// Whether numbers in memory that differ may be given up.
    lossy: bool,
    /// Whether the ranks of these sets are mere names: what a member has is then no function of its rank.
    named: bool,
}

impl<'a> Merge<'a> {
    pub(crate) fn new(facts: &'a Constraints, a: &'a Ranks, b: &'a Ranks) -> Self {
        Self { facts, a, b, lossy: false, named: false }
    }

    /// The same for sets whose ranks are mere names, if so.
    pub(crate) fn of_names(self, named: bool) -> Self {
        Self { named, ..self }
    }

    /// An expression over the rank that has the value `x` on the members of `a` and `y` on those of `b`.
    fn linear(&self, x: &Linear, y: &Linear) -> Option<Linear> {
        let holds = |candidate: &Linear, value: &Linear, ranks: &Ranks| {
            if candidate == value {
                return true;
            }
            let Some(difference) = candidate.sub(value) else { return false };
            let difference = if self.named { difference } else { ranks.settle(&difference, self.facts) };
            difference.is_uniform() && self.facts.eq(&difference, &Linear::zero()) == Truth::Yes
        };
        // value + digit - (that digit of all members of `a`)
        let relative = |position: usize| {
            let symbol = self.a.symbol(position).into();
            let only = self.a.digits()[position].as_single(self.facts).filter(|_| !self.named)?;
            x.add(&symbol)?.sub(only).filter(|_| !x.has(self.a.symbol(position)))
        };
        [x.clone(), y.clone()]
            .into_iter()
            .chain((0..self.a.digits().len()).filter_map(relative))
            .find(|candidate| holds(candidate, x, self.a) && holds(candidate, y, self.b))
    }

    fn target(&self, x: &Target, y: &Target) -> Option<Target> {
        match (x, y) {
            (Target::Rank(x), Target::Rank(y)) => self.linear(x, y).map(Target::Rank),
            _ => None,
        }
    }

    pub(crate) fn value(&self, x: &Value, y: &Value) -> Option<Value> {
        match (x, y) {
            (Value::Int(x), Value::Int(y)) => self.linear(x, y).map(Value::Int),
            (Value::Address(o, x), Value::Address(p, y)) if o == p => {
                self.linear(x, y).map(|offset| Value::Address(*o, offset))
            }
            // Where in the object it points is not known of either.
            (Value::Within(o), Value::Address(p, _)) | (Value::Address(o, _), Value::Within(p)) if o == p => {
                Some(Value::Within(*o))
            }
            (x, y) if x == y => Some(x.clone()),
            _ => None,
        }
    }

    fn memory(&self, a: &Memory, b: &Memory, engine: &Engine<'_>) -> Option<Memory> {
        let mut memory = Memory::default();
        // What a process computes in one of many orders of messages is not worth a state.
        let gives_up = self.lossy || engine.follows_orders();
        for (object, x) in a.objects() {
            let y = b.get(object)?;
            if std::ptr::eq(Arc::as_ptr(x), y) || **x == *y {
                memory.insert(object, Arc::clone(x));
                continue;
            }
            let Some(series) = self.series(x, y) else {
                // As for backgrounds; what is in the heap may be mere data.
                let is_data =
                    matches!(engine.objects.kind(object), ObjectKind::Heap(..)) || !engine.decides(object);
                if !self.lossy && !is_data {
                    return None;
                }
                memory.insert(
                    object,
                    Content { summary: x.summary || y.summary, ..Content::new(Background::Unknown) },
                );
                continue;
            };
            let background = match (x.background, y.background) {
                (x, y) if x == y => x,
                (Background::Zero, _) | (_, Background::Zero) => return None,
                // As for single values below.
                _ => Background::Unknown,
            };
            let mut content = Content::new(background);
            content.summary = x.summary || y.summary;
            let offsets = x.cells.iter().chain(&y.cells).map(|(&offset, &(size, _))| (offset, size));
            for (offset, size) in offsets.collect::<BTreeSet<_>>() {
                let (x, y) = (x.read_below(offset, size), y.read_below(offset, size));
                let value = match self.value(&x, &y) {
                    Some(value) => value,
                    // Data that nobody can name differs; nothing is lost by saying so.
                    None if engine.is_opaque(&x) && engine.is_opaque(&y) => Value::Unknown,
                    None if gives_up && !engine.decides(object) && is_number(&x) && is_number(&y) => {
                        Value::Unknown
                    }
                    None => return None,
                };
                content.write(offset, size, value);
            }
            content.series = series;
            memory.insert(object, content);
        }
        Some(memory)
    }

    /// The series of two contents, one by one; where nobody has written yet there may be any.
    fn series(&self, x: &Content, y: &Content) -> Option<Vec<Series>> {
        match (x, y) {
            _ if x.series.is_empty() && y.series.is_empty() => return Some(Vec::new()),
            _ if x.summary || y.summary => return None,
            (untouched, other) | (other, untouched) if untouched.is_untouched() => {
                return Some(other.series.clone());
            }
            _ => {}
        }
        let merged = x.series.iter().zip(&y.series).map(|(x, y)| {
            let alike = x.is_like(y) && x.start == y.start && x.count == y.count;
            alike.then(|| Some(Series { base: self.linear(&x.base, &y.base)?, ..x.clone() }))?
        });
        merged.collect::<Option<_>>().filter(|_| x.series.len() == y.series.len())
    }

    /// Statuses that hold addresses and tickets only, which do not depend on the rank.
    fn status(&self, a: &Status, b: &Status) -> Option<Status> {
        match (a, b) {
            (Status::Probing(x), Status::Probing(y)) => {
                let source = match (&x.source, &y.source) {
                    (Some(x), Some(y)) => Some(self.linear(x, y)?),
                    (None, None) => None,
                    _ => return None,
                };
                let filter = self.filter(&x.filter, &y.filter)?;
                let rest = x.status == y.status && x.message == y.message && x.optional == y.optional;
                rest.then(|| Status::Probing(Probe { source, filter, ..x.clone() }))
            }
            (a, b) => (a == b).then(|| a.clone()),
        }
    }

    fn filter(&self, x: &Filter, y: &Filter) -> Option<Filter> {
        let tag = match (&x.tag, &y.tag) {
            (Some(x), Some(y)) => Some(self.value(x, y)?),
            (None, None) => None,
            _ => return None,
        };
        (x.site == y.site && x.communicator == y.communicator).then(|| Filter { tag, ..x.clone() })
    }

    fn envelope(&self, x: &Envelope, y: &Envelope) -> Option<Envelope> {
        let same = x.site == y.site && x.communicator == y.communicator && x.datatype == y.datatype;
        let payload = self.value(&x.payload, &y.payload).unwrap_or(Value::Unknown);
        same.then(|| {
            Some(Envelope {
                tag: self.value(&x.tag, &y.tag)?,
                count: self.value(&x.count, &y.count)?,
                payload,
                cargo: merged_cargo((&x.cargo, self.a), (&y.cargo, self.b), self.facts),
                ..x.clone()
            })
        })?
    }

    fn handles(
        &self,
        a: &BTreeMap<(ObjectId, i64), Handle>,
        b: &BTreeMap<(ObjectId, i64), Handle>,
    ) -> Option<BTreeMap<(ObjectId, i64), Handle>> {
        if a == b {
            return Some(a.clone());
        }
        if a.len() != b.len() {
            return None;
        }
        a.iter().map(|(place, x)| Some((*place, self.handle(x, b.get(place)?)?))).collect()
    }

    fn handle(&self, x: &Handle, y: &Handle) -> Option<Handle> {
        Some(match (x, y) {
            (x, y) if x == y => x.clone(),
            (Handle::Send(x), Handle::Send(y)) if x.hold == y.hold => Handle::Send(Outgoing {
                envelope: self.envelope(&x.envelope, &y.envelope)?,
                dest: self.target(&x.dest, &y.dest)?,
                hold: x.hold,
            }),
            (Handle::Receive(x, Some(s)), Handle::Receive(y, Some(t)))
                if x.buffer == y.buffer && x.count == y.count && x.datatype == y.datatype =>
            {
                let filter = self.filter(&x.filter, &y.filter)?;
                Handle::Receive(Incoming { filter, ..x.clone() }, Some(self.target(s, t)?))
            }
            (Handle::Several(x), Handle::Several(y)) if x.len() == y.len() => {
                let both = x.iter().zip(y).map(|(x, y)| self.handle(x, y));
                Handle::Several(both.collect::<Option<_>>()?)
            }
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::sort_apart;

    /// Each entry is a range of ranks; those that share a rank keep their order, the others are sorted.
    #[test]
    fn sorting_keeps_the_order_of_what_overlaps() {
        let sorted = |mut list: Vec<(i64, i64)>| {
            sort_apart(&mut list, |range| range.0, |a, b| a.1 < b.0 || b.1 < a.0);
            list
        };
        assert_eq!(sorted(vec![(3, 3), (1, 5)]), [(3, 3), (1, 5)], "rank 3 sent something before all did");
        assert_eq!(sorted(vec![(4, 5), (3, 3), (1, 2)]), [(1, 2), (3, 3), (4, 5)]);
        assert_eq!(sorted(vec![(3, 3), (1, 5), (0, 0)]), [(0, 0), (3, 3), (1, 5)]);
    }
}
