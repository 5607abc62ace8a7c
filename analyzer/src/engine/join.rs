//! The join of the parts of two states: what the description of a part on one side and on the other have in common.
//!
//! Each method takes the same part of an old and of a new state, and gives one that describes both, or `None` where there is none. What
//! is lost on the way is noted, so that it is known whether the old side described the new one already.

use std::collections::BTreeMap;
use std::sync::Arc;

use lattice::{Constraints, Linear, Range, Ranks, Symbol, Unifier};
use rustc_hash::FxHashSet;

use super::agreement::{Amount, Terms};
use super::cartesian::Grid;
use super::clients::{Cargo, Knowledge};
use super::group::{Group, Progression};
use super::link::Link;
use super::memory::{Background, Content, Memory, ObjectId};
use super::permutation::Target;
use super::relation::Relation;
use super::requests::NULL_REQUEST;
use super::series::Series;
use super::state::{
    Arrived, Awaited, CollectiveCall, Communicator, Creation, Entered, Envelope, Filter, Guise, Handle,
    InFlight, Incoming, Outgoing, Partition, Posted, Probe, Slot, Status, Ticket, Wait, Wanted,
};
use super::value::Value;

/// The members of a set, where there is one at hand, and what is known in its state.
type Members<'a> = Option<(&'a Ranks, &'a Constraints)>;

/// Generalisation of the parts of two states.
pub(crate) struct Join<'a> {
    pub(crate) unifier: Unifier<'a>,
    /// Whether nothing was lost so far that the old side knew.
    pub(crate) same: bool,
    /// Whether something was lost that either side knew.
    pub(crate) lost: bool,
    /// Whether the new state is on a path from the old one.
    pub(crate) own: bool,
    /// Whether the number of processes is fixed: then each range of ranks is one rank, and stays that one.
    pub(crate) fixed: bool,
    /// Whether each order of messages is followed, see `orders`.
    pub(crate) orders: bool,
    /// Whether the sides differ in something that is not to be given up: where the number of processes is fixed, which requests are
    /// active.
    pub(crate) apart: bool,
    /// What bytes that are all zero are a function of.
    pub(crate) zero: Symbol,
    /// What bytes that nobody has written are a function of: they may be taken to be anything.
    pub(crate) undefined: Symbol,
    /// The members of the set at hand on either side: where there is only one, what that one calls 3 may be what the members of the
    /// other side call `rank + 1`.
    pub(crate) only: (Members<'a>, Members<'a>),
}

impl Join<'_> {
    pub(crate) fn linear(&mut self, a: &Linear, b: &Linear) -> Option<Linear> {
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

    /// Notes whether the old side knew all that the result of some generalisation says.
    pub(crate) fn old_says(&mut self, all: bool) {
        self.same &= all;
    }

    /// A number that only the books hold.
    pub(crate) fn optional(&mut self, a: &Option<Linear>, b: &Option<Linear>) -> Option<Linear> {
        let joined = match (a, b) {
            (Some(a), Some(b)) if !self.own => self.said(a, b),
            (Some(a), Some(b)) => self.linear(a, b),
            _ => None,
        };
        self.same &= joined.is_some() || a.is_none();
        joined
    }

    /// What both sides say of a number, without anything new.
    fn said(&self, a: &Linear, b: &Linear) -> Option<Linear> {
        let unifier = &self.unifier;
        (unifier.known(a, b).or_else(|| unifier.agreed(a, b)))
            .or_else(|| unifier.by_np(a, b).or_else(|| unifier.same_number(a, b)))
    }

    /// A number that only the books hold, if it is the same on both sides.
    pub(crate) fn if_common(&mut self, a: &Option<Linear>, b: &Option<Linear>) -> Option<Linear> {
        let common = a.as_ref().zip(b.as_ref()).and_then(|(a, b)| self.said(a, b));
        self.same &= common.is_some() || a.is_none();
        common
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
        if a.layout() != b.layout() || a.permutation().is_some() != b.permutation().is_some() {
            return None;
        }
        if let Some(permutation) = a.permutation() {
            // That it is one was proved of these ranks.
            let keeps = self.keeps_all(&permutation.numbers()) && self.keeps_ranks(&a.senders());
            return (a == b && keeps).then(|| a.clone());
        }
        let links = a.links().iter().zip(b.links()).map(|(a, b)| {
            Some(Link {
                senders: self.range(&a.senders, &b.senders)?,
                receivers: self.range(&a.receivers, &b.receivers)?,
                pairing: a.pairing,
                distances: match (&a.distances, &b.distances) {
                    (Some(a), Some(b)) => Some(self.range(a, b)?),
                    (None, None) => None,
                    _ => return None,
                },
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
            (Value::Mixed(x), Value::Mixed(y)) => (x == y && self.keeps_all(&x.numbers())).then(|| a.clone()),
            (a, b) if a == b => Some(a.clone()),
            _ => None,
        };
        self.apart |= self.fixed && (is_null_request(a, b) || is_null_request(b, a));
        self.same &= joined.is_some() || *a == Value::Unknown;
        self.lost |= joined.is_none() && (*a != Value::Unknown || *b != Value::Unknown);
        joined.unwrap_or(Value::Unknown)
    }

    pub(crate) fn memory(&mut self, a: &Memory, b: &Memory, data: &FxHashSet<ObjectId>) -> Memory {
        let mut memory = Memory::default();
        for (object, old) in a.objects() {
            let Some(new) = b.get(object) else { continue };
            if (std::ptr::eq(Arc::as_ptr(old), new) || **old == *new) && self.keeps(old) {
                memory.insert(object, Arc::clone(old));
                continue;
            }
            if self.orders && !self.own && data.contains(&object) {
                // Which order of messages led to which data is not worth a state.
                let nothing =
                    Content { summary: old.summary || new.summary, ..Content::new(Background::Unknown) };
                self.same &= **old == nothing;
                memory.insert(object, Arc::new(nothing));
                continue;
            }
            let lost = self.lost;
            memory.insert(object, self.content(old, new));
            // Nothing that happens depends on it.
            self.lost &= lost || !data.contains(&object);
        }
        memory
    }

    /// Whether expressions that both sides have stay what they are.
    fn keeps_all(&self, expressions: &[Linear]) -> bool {
        expressions.iter().all(|expression| self.unifier.keeps(expression))
    }

    /// The same of a set of ranks.
    fn keeps_ranks(&self, ranks: &Ranks) -> bool {
        let ends = ranks.digits().iter().flat_map(|digit| [digit.lo.clone(), digit.hi.clone()]);
        self.keeps_all(&ends.chain(ranks.radices().iter().cloned()).collect::<Vec<_>>())
    }

    /// Whether a content that both sides have stays what it is.
    fn keeps(&self, content: &Content) -> bool {
        let background = match content.background {
            Background::Uniform(symbol) => self.unifier.keeps(&symbol.into()),
            Background::Zero | Background::Undefined | Background::Unknown => true,
        };
        let value = |value: &Value| match value {
            Value::Int(number) | Value::Address(_, number) => self.unifier.keeps(number),
            Value::Same(symbol) => self.unifier.keeps(&(*symbol).into()),
            Value::Mixed(mixed) => self.keeps_all(&mixed.numbers()),
            Value::Comm(_) | Value::Group(_) => false,
            Value::Name(_) | Value::Within(_) | Value::Function(..) | Value::Unknown => true,
        };
        let cells = || content.cells.values().all(|(_, held)| value(held));
        !content.summary && background && cells() && content.series.iter().all(|s| self.is_stable(s))
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
            (symbol, 0) => {
                // Bytes of it are no number that follows from anything.
                self.unifier.note_input(symbol);
                Some(Background::Uniform(symbol))
            }
            _ => None,
        }
    }

    fn content(&mut self, a: &Content, b: &Content) -> Content {
        if a.series.is_empty() && b.series.is_empty() {
            return self.below(a, b);
        }
        let without = |content: &Content| Content { series: Vec::new(), ..content.clone() };
        match self.series(a, b) {
            Some(series) => Content { series, ..self.below(&without(a), &without(b)) },
            None => {
                let nothing =
                    Content { summary: a.summary || b.summary, ..Content::new(Background::Unknown) };
                self.same &= *a == nothing;
                self.lost = true;
                nothing
            }
        }
    }

    /// The series of two contents, one by one; where nobody has written yet there may be any.
    fn series(&mut self, a: &Content, b: &Content) -> Option<Vec<Series>> {
        let summary = a.summary || b.summary;
        for (untouched, other, is_old) in [(a, b, true), (b, a, false)] {
            if untouched.is_untouched() && !summary && other.series.iter().all(|s| self.is_stable(s)) {
                self.same &= !is_old;
                return Some(other.series.clone());
            }
        }
        if summary {
            return None;
        }
        self.all(&a.series, &b.series, |join, a, b| {
            if !a.is_like(b) {
                return None;
            }
            Some(Series {
                start: join.linear(&a.start, &b.start)?,
                count: join.linear(&a.count, &b.count)?,
                base: join.linear(&a.base, &b.base)?,
                ..a.clone()
            })
        })
    }

    /// Whether a series means the same in all states.
    fn is_stable(&self, series: &Series) -> bool {
        [&series.start, &series.count, &series.base].into_iter().all(|number| self.unifier.keeps(number))
    }

    /// What lies below the series.
    fn below(&mut self, a: &Content, b: &Content) -> Content {
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
    pub(crate) fn all<T>(
        &mut self,
        a: &[T],
        b: &[T],
        one: impl Fn(&mut Self, &T, &T) -> Option<T>,
    ) -> Option<Vec<T>> {
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
        let grid = match (&a.grid, &b.grid) {
            (None, None) => None,
            (Some(a), Some(b)) => Some(Arc::new(self.grid(a, b)?)),
            _ => return None,
        };
        let graph = match (&a.graph, &b.graph) {
            (a, b) if a == b => a.clone(),
            _ => return None,
        };
        Some(Arc::new(Communicator { name: Arc::clone(&a.name), group, grid, graph }))
    }

    fn grid(&mut self, a: &Grid, b: &Grid) -> Option<Grid> {
        if a.periods != b.periods {
            return None;
        }
        Some(Grid { dims: self.all(&a.dims, &b.dims, Self::linear)?, periods: a.periods.clone() })
    }

    fn group(&mut self, a: &Group, b: &Group) -> Option<Group> {
        match (a, b) {
            (Group::Progression(x), Group::Progression(y)) if x.step == y.step && !self.fixed => {
                let (first, count) = (self.linear(&x.first, &y.first)?, self.linear(&x.count, &y.count)?);
                Some(Group::Progression(Progression { first, step: x.step.clone(), count }))
            }
            (Group::Joined(a), Group::Joined(b)) => {
                Some(Group::Joined([self.group(&a[0], &b[0])?, self.group(&a[1], &b[1])?].into()))
            }
            (Group::Sides(a), Group::Sides(b)) => {
                Some(Group::Sides([self.group(&a[0], &b[0])?, self.group(&a[1], &b[1])?].into()))
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

    pub(crate) fn guise(&mut self, a: &Guise, b: &Guise) -> Option<Guise> {
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

    pub(crate) fn in_flight(&mut self, a: &InFlight, b: &InFlight) -> Option<InFlight> {
        Some(InFlight {
            relation: self.relation(&a.relation, &b.relation)?,
            envelope: self.envelope(&a.envelope, &b.envelope)?,
            ticket: self.ticket(&a.ticket, &b.ticket)?,
            hold: (a.hold == b.hold).then_some(a.hold)?,
        })
    }

    pub(crate) fn posted(&mut self, a: &Posted, b: &Posted) -> Option<Posted> {
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

    pub(crate) fn arrived(&mut self, a: &Arrived, b: &Arrived) -> Option<Arrived> {
        Some(Arrived {
            receivers: self.ranks(&a.receivers, &b.receivers)?,
            ticket: self.ticket(&a.ticket, &b.ticket)?,
            incoming: self.incoming(&a.incoming, &b.incoming)?,
            source: self.value(&a.source, &b.source),
            tag: self.value(&a.tag, &b.tag),
            count: self.value(&a.count, &b.count),
            payload: self.value(&a.payload, &b.payload),
            left: match (&a.left, &b.left) {
                (None, None) => None,
                _ => Some(self.linear(&a.untold()?, &b.untold()?)?),
            },
            cargo: Cargo::generalise(&a.cargo, &b.cargo, self)?,
        })
    }

    pub(crate) fn entered(&mut self, a: &Entered, b: &Entered) -> Option<Entered> {
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
                    (
                        Partition::Colour { colour, key, grid },
                        Partition::Colour { colour: other, key: sort, grid: same },
                    ) if grid == same => {
                        let colour = match (colour, other) {
                            (Some(x), Some(y)) => Some(self.linear(x, y)?),
                            (None, None) => None,
                            _ => return None,
                        };
                        Partition::Colour { colour, key: self.linear(key, sort)?, grid: grid.clone() }
                    }
                    (Partition::Of(x), Partition::Of(y)) => Partition::Of(self.group(x, y)?),
                    (Partition::Grid(x, grid), Partition::Grid(y, other)) => {
                        Partition::Grid(self.group(x, y)?, Arc::new(self.grid(grid, other)?))
                    }
                    (
                        Partition::Bridge { leader, peer },
                        Partition::Bridge { leader: other, peer: there },
                    ) => {
                        let peer = match (peer, there) {
                            (Some((rank, tag)), Some((other, same))) => {
                                Some((self.linear(rank, other)?, self.linear(tag, same)?))
                            }
                            (None, None) => None,
                            _ => return None,
                        };
                        Partition::Bridge { leader: self.linear(leader, other)?, peer }
                    }
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
            given: same(&a.given, &b.given),
            contribution: same(&a.contribution, &b.contribution),
            terms: Box::new(Terms {
                op: same(&a.terms.op, &b.terms.op),
                gives: self.amount(&a.terms.gives, &b.terms.gives),
                takes: self.amount(&a.terms.takes, &b.terms.takes),
                gives_each: same(&a.terms.gives_each, &b.terms.gives_each),
                takes_each: same(&a.terms.takes_each, &b.terms.takes_each),
                in_place_as_root: a.terms.in_place_as_root && b.terms.in_place_as_root,
                in_place: a.terms.in_place && b.terms.in_place,
                asserts: same(&a.terms.asserts, &b.terms.asserts),
                turn: same(&a.terms.turn, &b.terms.turn),
            }),
            creates,
            cargo: Cargo::generalise(&a.cargo, &b.cargo, self)?,
        })
    }

    fn amount(&mut self, a: &Option<Amount>, b: &Option<Amount>) -> Option<Amount> {
        let (a, b) = (a.as_ref()?, b.as_ref()?);
        let count = self.linear(&a.count, &b.count)?;
        (a.datatype == b.datatype).then(|| Amount { count, datatype: a.datatype.clone() })
    }

    fn target(&mut self, a: &Target, b: &Target) -> Option<Target> {
        match (a, b) {
            (Target::Rank(a), Target::Rank(b)) => self.linear(a, b).map(Target::Rank),
            (Target::Permuted(x, permutation), Target::Permuted(y, other)) => {
                let keeps = self.keeps_all(&permutation.numbers()) && self.keeps_ranks(x);
                (x == y && permutation == other && keeps).then(|| a.clone())
            }
            _ => None,
        }
    }

    pub(crate) fn handles(
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
            handles.insert(*place, self.handle(x, y)?);
        }
        Some(handles)
    }

    fn handle(&mut self, x: &Handle, y: &Handle) -> Option<Handle> {
        Some(match (x, y) {
            (Handle::Send(x), Handle::Send(y)) => Handle::Send(Outgoing {
                envelope: self.envelope(&x.envelope, &y.envelope)?,
                dest: self.target(&x.dest, &y.dest)?,
                hold: (x.hold == y.hold).then_some(x.hold)?,
            }),
            (Handle::Receive(x, s), Handle::Receive(y, t)) => {
                let source = match (s, t) {
                    (Some(s), Some(t)) => Some(self.target(s, t)?),
                    (None, None) => None,
                    _ => return None,
                };
                Handle::Receive(self.incoming(x, y)?, source)
            }
            (Handle::Nothing, Handle::Nothing) => Handle::Nothing,
            (Handle::Collective(x), Handle::Collective(y)) => Handle::Collective(self.collective(x, y)?),
            (Handle::Several(x), Handle::Several(y)) if x.len() == y.len() => {
                let both = x.iter().zip(y).map(|(x, y)| self.handle(x, y));
                Handle::Several(both.collect::<Option<_>>()?)
            }
            (Handle::Message(s, x, c), Handle::Message(t, y, d)) => {
                Handle::Message(self.linear(s, t)?, self.value(x, y), self.communicator(c, d)?)
            }
            _ => return None,
        })
    }

    pub(crate) fn status(&mut self, a: &Status, b: &Status) -> Option<Status> {
        Some(match (a, b) {
            (Status::Ready, Status::Ready) => Status::Ready,
            (Status::Done, Status::Done) => Status::Done,
            (Status::Waiting(a), Status::Waiting(b)) => {
                if a.site != b.site || a.optional != b.optional || a.partial != b.partial {
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

/// Whether the first of two values is a null request and the other is a request.
fn is_null_request(a: &Value, b: &Value) -> bool {
    a.as_name() == Some(NULL_REQUEST) && matches!(b, Value::Address(..))
}

/// What two paths have alike; nothing where they differ.
fn same<T: Clone + PartialEq>(a: &Option<T>, b: &Option<T>) -> Option<T> {
    if a == b { a.clone() } else { None }
}
