//! Joining states of equal shape, and merging process sets that stand at the same place with the same knowledge.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lattice::unify::Combine;
use lattice::{Constraints, Linear, Range, Ranks, Symbol, Truth, Unifier};
use rustc_hash::FxHashSet;

use super::Engine;
use super::clients::{Cargo, Client, Knowledge, Known, merged_cargo};
use super::group::{Group, Progression};
use super::link::Link;
use super::memory::{Background, Content, Memory, ObjectId, ObjectKind, UNDEFINED_BYTES, ZERO_BYTES};
use super::relation::Relation;
use super::state::{
    Arrived, Awaited, CollectiveCall, Communicator, Creation, Entered, Envelope, Filter, Frame, Guise,
    Handle, InFlight, Incoming, Outgoing, Partition, Posted, Probe, ProcessSet, Slot, State, Status, Ticket,
    Wait, Wanted,
};
use super::value::Value;

impl Engine<'_> {
    /// A state that describes all that `old` and `new` describe. Both have the same shape; `None` when they differ in something
    /// that has no common description.
    ///
    /// With `own`, the new state is on a path from the old one; otherwise numbers of messages that differ are given up, since
    /// nothing that a process does depends on them.
    pub(crate) fn generalise(
        &mut self,
        old: &State,
        new: &State,
        combine: Combine,
        own: bool,
    ) -> Option<General> {
        let mut old = old.clone();
        let mut new = new.clone();
        for (a, b) in old.sets.iter_mut().zip(&mut new.sets) {
            self.align(&mut a.memory, &mut b.memory);
        }
        let is_data = |object: ObjectId, content: &Content| match self.objects.kind(object) {
            ObjectKind::Heap(..) => content.cells.values().all(|(_, value)| self.is_opaque(value)),
            _ => !self.decides(object),
        };
        // Objects whose content decides nothing.
        let mut data = FxHashSet::default();
        for set in old.sets.iter().chain(&new.sets) {
            data.extend(set.memory.objects().map(|(object, _)| object));
        }
        for set in old.sets.iter().chain(&new.sets) {
            for (object, content) in set.memory.objects() {
                if !is_data(object, content) {
                    data.remove(&object);
                }
            }
        }
        let [zero, undefined] =
            [ZERO_BYTES, UNDEFINED_BYTES].map(|name| self.symbols.apply(name, Vec::new()));
        let unifier = Unifier::new(&mut self.symbols, &old.facts, &new.facts);
        let fixed = self.fixed.is_some();
        let mut join =
            Join { unifier, same: true, lost: false, own, fixed, zero, undefined, only: (None, None) };
        let mut sets = Vec::with_capacity(old.sets.len());
        for (a, b) in old.sets.iter().zip(&new.sets) {
            // A mere name tells nothing of what depends on the rank.
            let named =
                is_named(&old.alike, &a.ranks, &old.facts) || is_named(&new.alike, &b.ranks, &new.facts);
            join.only = if named {
                (None, None)
            } else {
                (Some((&a.ranks, &old.facts)), Some((&b.ranks, &new.facts)))
            };
            sets.push(ProcessSet {
                ranks: join.ranks(&a.ranks, &b.ranks)?,
                frames: a.frames.clone(),
                status: join.status(&a.status, &b.status)?,
                paused: None,
                phase: a.phase,
                memory: join.memory(&a.memory, &b.memory, &data),
                handles: join.handles(&a.handles, &b.handles)?,
                known: Known::generalise(&a.known, &b.known, &mut join)?,
            });
        }
        join.only = (None, None);
        let in_flight = join.all(&old.in_flight, &new.in_flight, Join::in_flight)?;
        let posted = join.all(&old.posted, &new.posted, Join::posted)?;
        let arrived = join.all(&old.arrived, &new.arrived, Join::arrived)?;
        let entered = join.all(&old.entered, &new.entered, Join::entered)?;
        let alike = join.all(&old.alike, &new.alike, Join::ranks)?;
        let guises = join.all(&old.guises, &new.guises, Join::guise)?;
        let clients = self.clients.generalise(&old.clients, &new.clients, &mut join)?;
        let Join { unifier, same, lost, .. } = join;
        let renaming = unifier.is_renaming();
        let meanings = unifier.meanings().to_vec();
        let (mut facts, covered) = unifier.finish(combine);
        if combine == Combine::Widen && !covered {
            self.keep_thresholds(&mut facts, &sets, &meanings, &old.facts, &new.facts);
        }
        let state = State {
            facts,
            sets,
            in_flight,
            posted,
            arrived,
            entered,
            alike,
            guises,
            clients,
            forked: false,
            branched: false,
            deciding: false,
            quiet: 0,
            unstored: 0,
            blurred: old.blurred || new.blurred,
            lineage: old.lineage,
        };
        let lossless = !lost && renaming && differ_in_one(&self.symbols, &old.facts, &new.facts);
        let mut state = state;
        state.blurred |= !lossless;
        Some(General { state, covered: covered && same, lossless })
    }

    /// Bounds a widened number by the next number that the program compares with: a counter that stops at 20 stays below.
    /// Each number of the program stops a chain of widenings at most once, so every chain is finite still.
    ///
    /// A counter is `symbol + offset`; the offsets with which a symbol occurs tell which numbers concern it.
    fn keep_thresholds(
        &self,
        facts: &mut Constraints,
        sets: &[ProcessSet],
        meanings: &[(Symbol, Linear, Linear)],
        old: &Constraints,
        new: &Constraints,
    ) {
        let offsets = offsets(sets);
        for (symbol, before, after) in meanings {
            let Some(offsets) = offsets.get(symbol) else { continue };
            let limits: BTreeSet<i64> = offsets
                .iter()
                .flat_map(|offset| self.thresholds.iter().filter_map(|limit| limit.checked_sub(*offset)))
                .collect();
            let symbol = Linear::from(*symbol);
            let most = old.upper_bound(before).zip(new.upper_bound(after)).map(|(a, b)| a.max(b));
            if facts.upper_bound(&symbol).is_none()
                && let Some(most) = most
                && let Some(&limit) = limits.range(most..).next()
            {
                facts.learn(&symbol, &limit.into());
            }
            let least = old.lower_bound(before).zip(new.lower_bound(after)).map(|(a, b)| a.min(b));
            if facts.lower_bound(&symbol).is_none()
                && let Some(least) = least
                && let Some(&limit) = limits.range(..=least).next_back()
            {
                facts.learn(&limit.into(), &symbol);
            }
        }
    }

    /// Gives both memories the same objects, where possible with the content that the absent side would show on a read.
    fn align(&mut self, a: &mut Memory, b: &mut Memory) {
        let only = |x: &Memory, y: &Memory| -> Vec<_> {
            x.objects().map(|(object, _)| object).filter(|&object| y.get(object).is_none()).collect()
        };
        for object in only(a, b) {
            self.ensure(b, object);
        }
        for object in only(b, a) {
            self.ensure(a, object);
        }
    }

    /// Merges process sets that stand at the same place and are neighbours in rank: those that lose nothing by it, and where sets
    /// pile up at one place, those that differ in numbers only.
    pub(crate) fn merge_sets(&mut self, state: &mut State) {
        self.merge_neighbours(state, None);
        if self.fixed.is_none() {
            // Whoever brings a result first, the workers of a master become what they were before.
            let most = if self.wildcards { 1 } else { CROWD };
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
        state.sets.sort_by(|a, b| {
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
        });
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
        if a.frames != b.frames || a.phase != b.phase {
            return None;
        }
        let ranks = a.ranks.append(&b.ranks, &state.facts)?;
        let named = is_named(&state.alike, &ranks, &state.facts);
        let alike = Alike { lossy, ..Alike::new(&state.facts, &a.ranks, &b.ranks).of_names(named) };
        let status = alike.status(&a.status, &b.status)?;
        let handles = alike.handles(&a.handles, &b.handles)?;
        let (mut left, mut right) = (a.memory.clone(), b.memory.clone());
        self.align(&mut left, &mut right);
        let memory = alike.memory(&left, &right, self)?;
        let known = Known::merge((&a.known, &a.ranks), (&b.known, &b.ranks), &state.facts)?;
        Some(ProcessSet {
            ranks,
            frames: a.frames.clone(),
            status,
            paused: None,
            phase: a.phase,
            memory,
            handles,
            known,
        })
    }
}

/// Whether the ranks of some processes are mere names, see `alike`.
pub(crate) fn is_named(alike: &[Ranks], ranks: &Ranks, facts: &Constraints) -> bool {
    alike.iter().any(|range| !range.disjoint(ranks, facts))
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

/// The constants that are added to each symbol in the variables of some sets.
fn offsets(sets: &[ProcessSet]) -> BTreeMap<Symbol, BTreeSet<i64>> {
    let mut found: BTreeMap<Symbol, BTreeSet<i64>> = BTreeMap::new();
    for set in sets {
        for (_, value) in set.memory.objects().flat_map(|(_, content)| content.cells.values()) {
            if let Some((symbol, offset)) = value.as_int().and_then(Linear::as_offset) {
                found.entry(symbol).or_default().insert(offset);
            }
        }
    }
    found
}

/// What two states have in common.
pub(crate) struct General {
    pub(crate) state: State,
    /// The old state described it already.
    pub(crate) covered: bool,
    /// It describes nothing that neither state describes, as far as can be told.
    pub(crate) lossless: bool,
}

/// Whether the bounds of no more than one quantity differ, and those of the number of processes leave no gap: then what holds on
/// either side describes no more than both.
fn differ_in_one(symbols: &lattice::Symbols, a: &Constraints, b: &Constraints) -> bool {
    let bounds = |facts: &Constraints, symbol: Symbol| {
        (facts.lower_bound(&symbol.into()), facts.upper_bound(&symbol.into()))
    };
    let mut all: Vec<Symbol> = a.symbols().chain(b.symbols()).filter(|&s| symbols.is_stable(s)).collect();
    all.sort_unstable();
    all.dedup();
    let differing: Vec<Symbol> = all.into_iter().filter(|&s| bounds(a, s) != bounds(b, s)).collect();
    match differing[..] {
        [] => true,
        [Symbol::NP] => {
            let ((least, most), (first, last)) = (bounds(a, Symbol::NP), bounds(b, Symbol::NP));
            let meets = |high: Option<i64>, low: Option<i64>| match (high, low) {
                (Some(high), Some(low)) => low <= high.saturating_add(1),
                _ => true,
            };
            meets(most, first) && meets(last, least)
        }
        // Outcomes of tests: each is 0 or 1.
        [one] => !symbols.is_quantity(one),
        _ => false,
    }
}

/// The members of a set, where there is one at hand, and what is known in its state.
type Members<'a> = Option<(&'a Ranks, &'a Constraints)>;

/// Generalisation of the parts of two states.
pub(crate) struct Join<'a> {
    unifier: Unifier<'a>,
    /// Whether nothing was lost so far that the old side knew.
    same: bool,
    /// Whether something was lost that either side knew.
    lost: bool,
    /// Whether the new state is on a path from the old one.
    own: bool,
    /// Whether the number of processes is fixed: then each range of ranks is one rank, and stays that one.
    fixed: bool,
    /// What bytes that are all zero are a function of.
    zero: Symbol,
    /// What bytes that nobody has written are a function of: they may be taken to be anything.
    undefined: Symbol,
    /// The members of the set at hand on either side: where there is only one, what that one calls 3 may be what the members of the
    /// other side call `rank + 1`.
    only: (Members<'a>, Members<'a>),
}

impl Join<'_> {
    fn linear(&mut self, a: &Linear, b: &Linear) -> Option<Linear> {
        if a.is_uniform() == b.is_uniform() {
            return self.unifier.pair(a, b);
        }
        // value + own - (own of the only member)
        let lifted = |value: &Linear, own: &Linear, (ranks, facts): (&Ranks, &Constraints)| {
            let at = ranks.settle(own, facts);
            if at.is_uniform() { value.add(own)?.sub(&at) } else { None }
        };
        match (a.is_uniform(), self.only) {
            (true, (Some(only), _)) => self.unifier.pair(&lifted(a, &b.split_own().0, only)?, b),
            (false, (_, Some(only))) => self.unifier.pair(a, &lifted(b, &a.split_own().0, only)?),
            _ => self.unifier.pair(a, b),
        }
    }

    /// A number that only the books hold.
    /// Notes whether the old side knew all that the result of some generalisation says.
    pub(crate) fn old_says(&mut self, all: bool) {
        self.same &= all;
    }

    pub(crate) fn optional(&mut self, a: &Option<Linear>, b: &Option<Linear>) -> Option<Linear> {
        let joined = match (a, b) {
            (Some(a), Some(b)) if !self.own => self.unifier.known(a, b),
            (Some(a), Some(b)) => self.linear(a, b),
            _ => None,
        };
        self.same &= joined.is_some() || a.is_none();
        joined
    }

    pub(crate) fn range(&mut self, a: &Range, b: &Range) -> Option<Range> {
        if self.fixed {
            return (a == b).then(|| a.clone());
        }
        Some(Range { lo: self.linear(&a.lo, &b.lo)?, hi: self.linear(&a.hi, &b.hi)? })
    }

    pub(crate) fn ranks(&mut self, a: &Ranks, b: &Ranks) -> Option<Ranks> {
        if a.radices() != b.radices() {
            return None;
        }
        let digits = a.digits().iter().zip(b.digits()).map(|(a, b)| self.range(a, b));
        Some(Ranks::new(a.radices().to_vec(), digits.collect::<Option<_>>()?))
    }

    pub(crate) fn relation(&mut self, a: &Relation, b: &Relation) -> Option<Relation> {
        if a.radices() != b.radices() {
            return None;
        }
        let links = a.links().iter().zip(b.links()).map(|(a, b)| {
            Some(Link {
                senders: self.range(&a.senders, &b.senders)?,
                receivers: self.range(&a.receivers, &b.receivers)?,
                pairing: a.pairing,
            })
        });
        Some(a.with_links(links.collect::<Option<_>>()?))
    }

    fn value(&mut self, a: &Value, b: &Value) -> Value {
        let joined = match (a, b) {
            (Value::Int(x), Value::Int(y)) => self.linear(x, y).map(Value::Int),
            (Value::Same(x), Value::Same(y)) => self
                .linear(&(*x).into(), &(*y).into())
                .and_then(|joined| joined.as_offset())
                .filter(|&(_, constant)| constant == 0)
                .map(|(symbol, _)| Value::Same(symbol)),
            (Value::Address(o, x), Value::Address(p, y)) if o == p => {
                let offset = self.linear(x, y);
                self.lost |= offset.is_none();
                self.same &= offset.is_some();
                Some(offset.map_or(Value::Within(*o), |x| Value::Address(*o, x)))
            }
            (Value::Within(o), Value::Address(p, _)) if o == p => Some(a.clone()),
            (Value::Address(o, _), Value::Within(p)) if o == p => {
                self.same = false;
                Some(b.clone())
            }
            (Value::Comm(x), Value::Comm(y)) => self.communicator(x, y).map(Value::Comm),
            (Value::Group(x), Value::Group(y)) => self.group(x, y).map(|g| Value::Group(Arc::new(g))),
            (a, b) if a == b => Some(a.clone()),
            _ => None,
        };
        self.same &= joined.is_some() || *a == Value::Unknown;
        self.lost |= joined.is_none() && (*a != Value::Unknown || *b != Value::Unknown);
        joined.unwrap_or(Value::Unknown)
    }

    fn memory(&mut self, a: &Memory, b: &Memory, data: &FxHashSet<ObjectId>) -> Memory {
        let mut memory = Memory::default();
        for (object, old) in a.objects() {
            let Some(new) = b.get(object) else { continue };
            let lost = self.lost;
            memory.insert(object, self.content(old, new));
            // Nothing that happens depends on it.
            self.lost &= lost || !data.contains(&object);
        }
        memory
    }

    /// What the bytes that no cell covers have in common; `None`: nothing.
    fn background(&mut self, a: Background, b: Background) -> Option<Background> {
        if let Some(common) = a.common(b)
            && !matches!(common, Background::Uniform(_))
        {
            self.same &= a == common;
            return Some(common);
        }
        let (zero, undefined) = (self.zero, self.undefined);
        let symbol = |background| match background {
            Background::Uniform(symbol) => Some(Linear::from(symbol)),
            Background::Zero => Some(zero.into()),
            Background::Undefined => Some(undefined.into()),
            Background::Unknown => None,
        };
        match self.linear(&symbol(a)?, &symbol(b)?)?.as_offset()? {
            (symbol, 0) => Some(Background::Uniform(symbol)),
            _ => None,
        }
    }

    fn content(&mut self, a: &Content, b: &Content) -> Content {
        let Some(background) = self.background(a.background, b.background) else {
            self.same &= a.background == Background::Unknown;
            self.lost = true;
            // A byte that no cell covers is zero on one side only.
            let mut content = Content::new(Background::Unknown);
            content.summary = a.summary || b.summary;
            for (&offset, (size, value)) in &a.cells {
                let joined = self.value(value, &self.counterpart(b, offset, *size, value));
                if joined != Value::Unknown {
                    content.cells.insert(offset, (*size, joined));
                }
            }
            return content;
        };
        let mut content = Content::new(background);
        content.summary = a.summary || b.summary;
        self.same &= a.summary == content.summary;
        self.lost |= a.summary != b.summary;
        for (&offset, (size, value)) in &a.cells {
            let joined = self.value(value, &self.counterpart(b, offset, *size, value));
            content.write(offset, *size, joined);
        }
        for (&offset, (size, value)) in &b.cells {
            if a.cells.get(&offset).is_none_or(|(s, _)| s != size) {
                let joined = self.value(&self.counterpart(a, offset, *size, value), value);
                content.write(offset, *size, joined);
            }
        }
        content
    }

    /// What a content holds where another one holds a value: where nobody has written yet, something of that kind.
    fn counterpart(&self, content: &Content, offset: i64, size: u64, other: &Value) -> Value {
        if !content.is_undefined(offset, size) {
            return content.read(offset, size);
        }
        match other {
            Value::Int(_) => Value::Int(self.undefined.into()),
            Value::Same(_) => Value::Same(self.undefined),
            other => other.clone(),
        }
    }

    /// The join of two lists of equal length.
    fn all<T>(&mut self, a: &[T], b: &[T], one: impl Fn(&mut Self, &T, &T) -> Option<T>) -> Option<Vec<T>> {
        if a.len() != b.len() {
            return None;
        }
        a.iter().zip(b).map(|(a, b)| one(self, a, b)).collect()
    }

    pub(crate) fn communicator(
        &mut self,
        a: &Arc<Communicator>,
        b: &Arc<Communicator>,
    ) -> Option<Arc<Communicator>> {
        if a.name != b.name {
            return None;
        }
        let group = self.group(&a.group, &b.group)?;
        Some(Arc::new(Communicator { name: Arc::clone(&a.name), group }))
    }

    fn group(&mut self, a: &Group, b: &Group) -> Option<Group> {
        match (a, b) {
            (Group::Progression(x), Group::Progression(y)) if x.step == y.step && !self.fixed => {
                let (first, count) = (self.linear(&x.first, &y.first)?, self.linear(&x.count, &y.count)?);
                Some(Group::Progression(Progression { first, step: x.step, count }))
            }
            (a, b) => (a == b).then(|| a.clone()),
        }
    }

    fn envelope(&mut self, a: &Envelope, b: &Envelope) -> Option<Envelope> {
        if a.site != b.site || a.datatype != b.datatype {
            return None;
        }
        Some(Envelope {
            site: a.site,
            communicator: self.communicator(&a.communicator, &b.communicator)?,
            tag: self.value(&a.tag, &b.tag),
            count: self.value(&a.count, &b.count),
            datatype: a.datatype.clone(),
            payload: self.value(&a.payload, &b.payload),
            cargo: Cargo::generalise(&a.cargo, &b.cargo, self)?,
        })
    }

    fn filter(&mut self, a: &Filter, b: &Filter) -> Option<Filter> {
        if a.site != b.site {
            return None;
        }
        let tag = match (&a.tag, &b.tag) {
            (Some(x), Some(y)) => Some(self.value(x, y)),
            (None, None) => None,
            _ => return None,
        };
        Some(Filter { site: a.site, communicator: self.communicator(&a.communicator, &b.communicator)?, tag })
    }

    fn guise(&mut self, a: &Guise, b: &Guise) -> Option<Guise> {
        match self.linear(&a.symbol.into(), &b.symbol.into())?.as_offset()? {
            (symbol, 0) => {
                let process = match (&a.process, &b.process) {
                    (Some(x), Some(y)) => Some(self.linear(x, y)?),
                    (x, _) => {
                        self.same &= x.is_none();
                        None
                    }
                };
                Some(Guise { symbol, process })
            }
            _ => None,
        }
    }

    fn incoming(&mut self, a: &Incoming, b: &Incoming) -> Option<Incoming> {
        Some(Incoming {
            filter: self.filter(&a.filter, &b.filter)?,
            count: self.value(&a.count, &b.count),
            datatype: self.value(&a.datatype, &b.datatype),
            buffer: self.value(&a.buffer, &b.buffer),
        })
    }

    fn ticket(&mut self, a: &Ticket, b: &Ticket) -> Option<Ticket> {
        match (a, b) {
            (Ticket::Request(x), Ticket::Request(y)) if x.object == y.object => {
                let span = match (&x.span, &y.span) {
                    (Some(x), Some(y)) => Some(self.range(x, y)?),
                    (None, None) => None,
                    _ => return None,
                };
                Some(Ticket::Request(Slot { object: x.object, span }))
            }
            (a, b) => (a == b).then(|| a.clone()),
        }
    }

    fn in_flight(&mut self, a: &InFlight, b: &InFlight) -> Option<InFlight> {
        Some(InFlight {
            relation: self.relation(&a.relation, &b.relation)?,
            envelope: self.envelope(&a.envelope, &b.envelope)?,
            ticket: self.ticket(&a.ticket, &b.ticket)?,
            hold: (a.hold == b.hold).then_some(a.hold)?,
        })
    }

    fn posted(&mut self, a: &Posted, b: &Posted) -> Option<Posted> {
        let wanted = match (&a.wanted, &b.wanted) {
            (Wanted::From(x), Wanted::From(y)) => Wanted::From(self.relation(x, y)?),
            (Wanted::Anybody(x), Wanted::Anybody(y)) => Wanted::Anybody(self.ranks(x, y)?),
            _ => return None,
        };
        Some(Posted {
            incoming: self.incoming(&a.incoming, &b.incoming)?,
            wanted,
            ticket: self.ticket(&a.ticket, &b.ticket)?,
        })
    }

    fn arrived(&mut self, a: &Arrived, b: &Arrived) -> Option<Arrived> {
        Some(Arrived {
            receivers: self.ranks(&a.receivers, &b.receivers)?,
            ticket: self.ticket(&a.ticket, &b.ticket)?,
            incoming: self.incoming(&a.incoming, &b.incoming)?,
            source: self.value(&a.source, &b.source),
            tag: self.value(&a.tag, &b.tag),
            count: self.value(&a.count, &b.count),
            payload: self.value(&a.payload, &b.payload),
            cargo: Cargo::generalise(&a.cargo, &b.cargo, self)?,
        })
    }

    fn entered(&mut self, a: &Entered, b: &Entered) -> Option<Entered> {
        Some(Entered {
            members: self.ranks(&a.members, &b.members)?,
            call: self.collective(&a.call, &b.call)?,
            ticket: self.ticket(&a.ticket, &b.ticket)?,
        })
    }

    fn collective(&mut self, a: &CollectiveCall, b: &CollectiveCall) -> Option<CollectiveCall> {
        if a.site != b.site || a.operation != b.operation {
            return None;
        }
        let root = match (&a.root, &b.root) {
            (Some(x), Some(y)) => Some(self.linear(x, y)?),
            _ => None,
        };
        let creates = match (&a.creates, &b.creates) {
            (Some(x), Some(y)) => {
                let how = match (&x.how, &y.how) {
                    (Partition::Colour { colour, key }, Partition::Colour { colour: other, key: sort }) => {
                        let colour = match (colour, other) {
                            (Some(x), Some(y)) => Some(self.linear(x, y)?),
                            (None, None) => None,
                            _ => return None,
                        };
                        Partition::Colour { colour, key: self.linear(key, sort)? }
                    }
                    (Partition::Of(x), Partition::Of(y)) => Partition::Of(self.group(x, y)?),
                    (x, y) => (x == y).then(|| x.clone())?,
                };
                Some(Creation { handle: self.value(&x.handle, &y.handle), how })
            }
            (None, None) => None,
            _ => return None,
        };
        Some(CollectiveCall {
            site: a.site,
            operation: Arc::clone(&a.operation),
            communicator: self.communicator(&a.communicator, &b.communicator)?,
            root,
            result: self.value(&a.result, &b.result),
            count: self.value(&a.count, &b.count),
            datatype: self.value(&a.datatype, &b.datatype),
            given: if a.given == b.given { a.given.clone() } else { None },
            creates,
            cargo: Cargo::generalise(&a.cargo, &b.cargo, self)?,
        })
    }

    fn handles(
        &mut self,
        a: &BTreeMap<(ObjectId, i64), Handle>,
        b: &BTreeMap<(ObjectId, i64), Handle>,
    ) -> Option<BTreeMap<(ObjectId, i64), Handle>> {
        let mut handles = BTreeMap::new();
        for (place, x) in a {
            let Some(y) = b.get(place) else {
                self.same = false;
                self.lost = true;
                continue;
            };
            let both = match (x, y) {
                (Handle::Send(x), Handle::Send(y)) => Handle::Send(Outgoing {
                    envelope: self.envelope(&x.envelope, &y.envelope)?,
                    dest: self.linear(&x.dest, &y.dest)?,
                    hold: (x.hold == y.hold).then_some(x.hold)?,
                }),
                (Handle::Receive(x, s), Handle::Receive(y, t)) => {
                    let source = match (s, t) {
                        (Some(s), Some(t)) => Some(self.linear(s, t)?),
                        (None, None) => None,
                        _ => return None,
                    };
                    Handle::Receive(self.incoming(x, y)?, source)
                }
                (Handle::Nothing, Handle::Nothing) => Handle::Nothing,
                (Handle::Collective(x), Handle::Collective(y)) => Handle::Collective(self.collective(x, y)?),
                (Handle::Message(s, x, c), Handle::Message(t, y, d)) => {
                    Handle::Message(self.linear(s, t)?, self.value(x, y), self.communicator(c, d)?)
                }
                _ => return None,
            };
            handles.insert(*place, both);
        }
        Some(handles)
    }

    fn status(&mut self, a: &Status, b: &Status) -> Option<Status> {
        Some(match (a, b) {
            (Status::Ready, Status::Ready) => Status::Ready,
            (Status::Done, Status::Done) => Status::Done,
            (Status::Waiting(a), Status::Waiting(b)) => {
                if a.site != b.site || a.optional != b.optional || a.lenient != b.lenient {
                    return None;
                }
                let awaited = self.all(&a.awaited, &b.awaited, |join, a, b| {
                    Some(Awaited {
                        ticket: join.ticket(&a.ticket, &b.ticket)?,
                        status: join.value(&a.status, &b.status),
                        handle: match (&a.handle, &b.handle) {
                            (Some(x), Some(y)) => Some(join.value(x, y)),
                            (None, None) => None,
                            _ => return None,
                        },
                    })
                })?;
                Status::Waiting(Wait { awaited, ..a.clone() })
            }
            (Status::Probing(a), Status::Probing(b)) => {
                if a.optional != b.optional
                    || a.source.is_some() != b.source.is_some()
                    || a.message != b.message
                {
                    return None;
                }
                let source = match (&a.source, &b.source) {
                    (Some(x), Some(y)) => Some(self.linear(x, y)?),
                    _ => None,
                };
                Status::Probing(Probe {
                    filter: self.filter(&a.filter, &b.filter)?,
                    source,
                    status: self.value(&a.status, &b.status),
                    ..a.clone()
                })
            }
            _ => return None,
        })
    }
}

/// Merging of two neighbouring sets of one state: what holds on the members of both.
pub(crate) struct Alike<'a> {
    facts: &'a Constraints,
    a: &'a Ranks,
    b: &'a Ranks,
    /// Whether numbers in memory that differ may be given up.
    lossy: bool,
    /// Whether the ranks of these sets are mere names: what a member has is then no function of its rank.
    named: bool,
}

impl<'a> Alike<'a> {
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
            x.add(&symbol)?.sub(only).filter(|_| x.coefficient(self.a.symbol(position)) == 0)
        };
        [x.clone(), y.clone()]
            .into_iter()
            .chain((0..self.a.digits().len()).filter_map(relative))
            .find(|candidate| holds(candidate, x, self.a) && holds(candidate, y, self.b))
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
        for (object, x) in a.objects() {
            let y = b.get(object)?;
            if std::ptr::eq(Arc::as_ptr(x), y) || **x == *y {
                memory.insert(object, Arc::clone(x));
                continue;
            }
            let background = match (x.background, y.background) {
                (x, y) if x == y => x,
                (Background::Zero, _) | (_, Background::Zero) => return None,
                // As for single values below.
                _ => Background::Unknown,
            };
            let mut content = Content::new(background);
            content.summary = x.summary || y.summary;
            let offsets = x.cells.iter().chain(&y.cells).map(|(&offset, &(size, _))| (offset, size));
            for (offset, size) in offsets.collect::<std::collections::BTreeSet<_>>() {
                let (x, y) = (x.read(offset, size), y.read(offset, size));
                let value = match self.value(&x, &y) {
                    Some(value) => value,
                    // Data that nobody can name differs; nothing is lost by saying so.
                    None if engine.is_opaque(&x) && engine.is_opaque(&y) => Value::Unknown,
                    None if self.lossy && !engine.decides(object) && is_number(&x) && is_number(&y) => {
                        Value::Unknown
                    }
                    None => return None,
                };
                content.write(offset, size, value);
            }
            memory.insert(object, content);
        }
        Some(memory)
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
        a.iter()
            .map(|(place, x)| {
                let both = match (x, b.get(place)?) {
                    (x, y) if x == y => x.clone(),
                    (Handle::Send(x), Handle::Send(y)) if x.hold == y.hold => Handle::Send(Outgoing {
                        envelope: self.envelope(&x.envelope, &y.envelope)?,
                        dest: self.linear(&x.dest, &y.dest)?,
                        hold: x.hold,
                    }),
                    (Handle::Receive(x, Some(s)), Handle::Receive(y, Some(t)))
                        if x.buffer == y.buffer && x.count == y.count && x.datatype == y.datatype =>
                    {
                        let filter = self.filter(&x.filter, &y.filter)?;
                        Handle::Receive(Incoming { filter, ..x.clone() }, Some(self.linear(s, t)?))
                    }
                    _ => return None,
                };
                Some((*place, both))
            })
            .collect()
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
