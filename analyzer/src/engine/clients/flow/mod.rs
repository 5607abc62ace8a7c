//! Information flow: which rank's input reaches which rank's output.
//!
//! Data of a *source* carries a label: which source it came from, on which ranks, and over which messages. Labels are kept for the
//! bytes of each process set's memory. They follow assignments and calls; a message or a collective takes them from process to
//! process, where they name the ranks of the senders. Where labelled data reaches a *sink*, a flow is noted.
//!
//! A source or sink is named as a function or a variable:
//!
//! * data from a function is what a call of it returns, and what it writes to memory that is not its own;
//! * data from a variable is what the program itself puts into it: what it is initialised with, what is assigned to it, what a call
//!   stores in it, but not what a message brings;
//! * data reaches a function as an argument, or in memory that an argument leads to;
//! * data reaches a variable when it is stored there.
//!
//! The analysis says what *may* happen. Data flows explicitly where it is computed with. It flows implicitly where it decides a
//! branch: whatever is written, sent or given to a sink before the arms of the branch meet again tells of it. The label says so.
//! Not followed: what the absence of a message or of a write tells, what the time or the end of the program tells, and data that
//! leaves the process other than by MPI, such as files. Branches that only one side of which can end the program tell nothing either
//! after the arms have met.
//!
//! The lattice is finite but for the ranges of ranks, which the engine widens like all others: a label holds its source and its last
//! message, and the table [`Flow::came`] says which messages may have been before it.

mod labels;
mod read;
mod report;
mod skip;
mod steps;
mod tags;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use frontend::ir::Span;
use frontend::mpi::{Class, CollectiveOp, lookup};
use frontend::program::FunctionRef;
use lattice::{Constraints, Ranks, Truth};

use self::labels::{HopId, Label, Labels, SourceId};
use self::tags::{Bytes, Tags};
use super::ranks::RankList;
use super::{After, At, Client, Completed, Delivery, Knowledge, Match, Step};
use crate::engine::join::Join;
use crate::engine::memory::{ObjectId, ObjectKind, Write};
use crate::engine::mpi::Call;
use crate::engine::state::SiteId;
use crate::engine::{Engine, FlowQuery};

/// The client.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flow {
    /// Names of sources and sinks; `None`: nobody has asked.
    wanted: Option<Wanted>,
    sources: Vec<Spot>,
    sinks: Vec<Spot>,
    hops: Vec<Hop>,
    /// The messages over which data of a source came before it went over this one; `None` where it came from there.
    came: BTreeMap<(SourceId, HopId), BTreeSet<Option<HopId>>>,
    found: BTreeMap<(Label, SinkId), Found>,
}

#[derive(Clone, Debug)]
struct Wanted {
    sources: Vec<Name>,
    sinks: Vec<Name>,
}

/// A function or variable as the user named it: `read_input`, or `main:x` for a variable of a function.
#[derive(Clone, Debug)]
struct Name {
    function: Option<String>,
    name: String,
}

/// Where a source or sink stands in the program.
#[derive(Clone, Debug, PartialEq)]
struct Spot {
    name: Arc<str>,
    function: FunctionRef,
    span: Span,
}

/// Index of a sink in the client's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct SinkId(u32);

/// A way for data from process to process.
#[derive(Clone, Debug, PartialEq)]
enum Hop {
    Channel { send: SiteId, recv: SiteId },
    Collective { operation: Arc<str>, sites: Vec<SiteId> },
}

/// Data of one source that has reached one sink.
#[derive(Clone, Debug, Default)]
struct Found {
    /// By whom the source was executed.
    from: RankList,
    /// By whom the sink was.
    to: RankList,
}

/// The labels of one process set.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Known {
    objects: Arc<BTreeMap<ObjectId, Tags>>,
    /// Branches that labelled data has decided and whose arms have not met yet, the oldest first.
    decisions: Vec<Decision>,
    pending: Pending,
}

/// A branch that labelled data has decided.
#[derive(Clone, Debug, PartialEq)]
struct Decision {
    /// Length of the call chain.
    depth: usize,
    /// Where the arms meet; `None`: when the function returns.
    meet: Option<frontend::ir::BlockId>,
    /// Of what the decision tells.
    labels: Labels,
}

/// What the step at hand does to the memory that it writes; empty between steps.
#[derive(Clone, Debug, Default, PartialEq)]
struct Pending {
    /// Of all data that is written.
    labels: Labels,
    /// Of certain bytes.
    areas: Vec<(ObjectId, Bytes, Labels)>,
    /// Whether what is written may be what was there before.
    keeps: bool,
    /// What has reached sinks.
    reached: Vec<(Labels, SinkId)>,
}

/// Labels of data under way.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Cargo {
    data: Labels,
    /// Of what the receiver's status tells: the sender's partner, tag and count.
    about: Labels,
    /// Where the data is in the sender's memory.
    areas: Vec<(ObjectId, Option<Bytes>)>,
}

impl Name {
    fn parse(text: &str) -> Self {
        match text.split_once(':') {
            Some((function, name)) => Self { function: Some(function.to_owned()), name: name.to_owned() },
            None => Self { function: None, name: text.to_owned() },
        }
    }

    fn is_function(&self, name: &str) -> bool {
        self.function.is_none() && self.name == name
    }
}

impl Flow {
    pub(crate) fn new(query: &FlowQuery) -> Self {
        let names = |texts: &[String]| texts.iter().map(|text| Name::parse(text)).collect();
        let wanted = (!query.sources.is_empty() && !query.sinks.is_empty())
            .then(|| Wanted { sources: names(&query.sources), sinks: names(&query.sinks) });
        Self { wanted, ..Self::default() }
    }

    pub(crate) fn is_wanted(&self) -> bool {
        self.wanted.is_some()
    }

    fn is_source_function(&self, name: &str) -> bool {
        self.wanted.as_ref().is_some_and(|w| w.sources.iter().any(|n| n.is_function(name)))
    }

    fn is_sink_function(&self, name: &str) -> bool {
        self.wanted.as_ref().is_some_and(|w| w.sinks.iter().any(|n| n.is_function(name)))
    }

    /// The name of an object that is a source, or a sink.
    fn is_source_variable(&self, engine: &Engine<'_>, object: ObjectId) -> Option<Arc<str>> {
        named(&self.wanted.as_ref()?.sources, engine, object)
    }

    fn is_sink_variable(&self, engine: &Engine<'_>, object: ObjectId) -> Option<Arc<str>> {
        named(&self.wanted.as_ref()?.sinks, engine, object)
    }

    fn source(&mut self, name: &str, function: FunctionRef, span: Span) -> SourceId {
        SourceId(index_of(&mut self.sources, Spot { name: name.into(), function, span }))
    }

    fn sink(&mut self, name: &str, function: FunctionRef, span: Span) -> SinkId {
        SinkId(index_of(&mut self.sinks, Spot { name: name.into(), function, span }))
    }

    /// Notes that data goes over a hop, and returns the labels that it has behind it.
    fn carry(&mut self, labels: &Labels, hop: HopId, senders: &Ranks, facts: &Constraints) -> Labels {
        for (label, _) in labels.iter() {
            self.came.entry((label.source, hop)).or_default().insert(label.hop);
        }
        labels.sent(hop, senders, facts)
    }

    /// Notes that labelled data has reached a sink.
    fn reach(&mut self, after: &After<'_, '_>, labels: &Labels, sink: SinkId) {
        for (label, origin) in labels.iter() {
            let found = self.found.entry((*label, sink)).or_default();
            found.to.add(after.engine, after.ranks, after.facts);
            if origin.own {
                found.from.add(after.engine, after.ranks, after.facts);
            }
            match &origin.others {
                labels::Others::Anybody => found.from.add_all(),
                labels::Others::Among(ranges) => {
                    ranges.iter().for_each(|range| found.from.add(after.engine, range, after.facts));
                }
            }
        }
    }

    /// New content of some bytes of an object, or anywhere in it.
    fn store(
        &mut self,
        after: &After<'_, '_>,
        known: &mut Known,
        object: ObjectId,
        bytes: Option<Bytes>,
        labels: &Labels,
    ) {
        if let Some(name) = self.is_sink_variable(after.engine, object)
            && !labels.is_empty()
        {
            let sink = self.sink(&name, after.place.0, after.place.1);
            self.reach(after, labels, sink);
        }
        if labels.is_empty() && !known.objects.contains_key(&object) {
            return;
        }
        let summary = after.memory.get(object).is_some_and(|content| content.summary);
        let tags = Arc::make_mut(&mut known.objects).entry(object).or_default();
        match bytes.filter(|_| !summary) {
            Some(bytes) => tags.write(bytes, labels, after.facts),
            None => tags.spread(labels, after.facts),
        }
        // An object without labels is as good as none, but for one that has labels from the start.
        if tags.is_empty() && self.is_source_variable(after.engine, object).is_none() {
            Arc::make_mut(&mut known.objects).remove(&object);
        }
    }
}

impl Engine<'_> {
    /// The variable that an object is, with the function that it belongs to.
    fn variable(&self, object: ObjectId) -> Option<(Option<&Arc<str>>, &Arc<str>)> {
        match self.objects.kind(object) {
            ObjectKind::Local(_, function, local) | ObjectKind::Static(function, local) => {
                let function = self.program.function(*function);
                Some((Some(&function.name), function.local(*local).name.as_ref()?))
            }
            ObjectKind::Global(unit, global) => Some((None, &self.program.units[*unit].global(*global).name)),
            ObjectKind::Heap(..)
            | ObjectKind::Literal(_)
            | ObjectKind::CommandLine
            | ObjectKind::Environment
            | ObjectKind::Library(_)
            | ObjectKind::Neighbours(_) => None,
        }
    }
}

/// The name of an object that is among some names.
fn named(names: &[Name], engine: &Engine<'_>, object: ObjectId) -> Option<Arc<str>> {
    let (function, variable) = engine.variable(object)?;
    let is_meant = |name: &&Name| {
        *name.name == **variable && name.function.as_ref().is_none_or(|f| function.is_some_and(|g| *f == **g))
    };
    names.iter().find(is_meant).map(|_| Arc::clone(variable))
}

fn index_of<T: PartialEq>(table: &mut Vec<T>, entry: T) -> u32 {
    let index = table.iter().position(|known| *known == entry).unwrap_or_else(|| {
        table.push(entry);
        table.len() - 1
    });
    u32::try_from(index).expect("a program has fewer than 2^32 places")
}

impl Known {
    /// Of what the decisions tell that brought the set here.
    fn decided(&self, facts: &Constraints) -> Labels {
        let mut labels = Labels::default();
        self.decisions.iter().for_each(|decision| labels.add(&decision.labels, facts));
        labels
    }
}

impl Client for Flow {
    type Set = Known;
    type Cargo = Cargo;
    type Path = ();
    type Shape = ();

    fn transfer(&mut self, at: &mut At<'_, '_, '_>, known: &mut Known, step: &Step<'_>) {
        if self.is_wanted() {
            self.step(at, known, step);
        }
    }

    fn written(&mut self, after: &After<'_, '_>, known: &mut Known, writes: &[Write]) {
        self.apply(after, known, writes);
    }

    fn load(&mut self, at: &mut At<'_, '_, '_>, known: &Known, call: &Call<'_>) -> Cargo {
        if self.is_wanted() { self.cargo(at, known, call) } else { Cargo::default() }
    }

    fn reload(&mut self, known: &Known, cargo: &Cargo, facts: &Constraints) -> Cargo {
        let mut data = known.decided(facts);
        for (object, bytes) in &cargo.areas {
            if let Some(tags) = known.objects.get(object) {
                data.add(&tags.read(*bytes, facts), facts);
            }
        }
        Cargo { data, ..cargo.clone() }
    }

    fn matched(&mut self, (): &mut (), cargo: &Cargo, matched: &Match<'_>) -> Cargo {
        if !self.is_wanted() {
            return Cargo::default();
        }
        let hop = Hop::Channel { send: matched.envelope.site, recv: matched.incoming.filter.site };
        let hop = HopId(index_of(&mut self.hops, hop));
        let senders = &matched.relation.senders();
        let mut carry = |labels: &Labels| self.carry(labels, hop, senders, matched.facts);
        Cargo { data: carry(&cargo.data), about: carry(&cargo.about), areas: Vec::new() }
    }

    fn gathered(&mut self, completed: &Completed<'_>, receiver: usize) -> Cargo {
        let Some(Class::Collective { operation, .. }) = lookup(completed.operation).map(|f| f.class) else {
            return Cargo::default();
        };
        if !self.is_wanted() {
            return Cargo::default();
        }
        let facts = completed.facts;
        let root = completed.root.and_then(|root| completed.communicator.group.to_world(root, facts));
        // Whether the root may be among some members, and whether nobody else is.
        let rooted = |members: &Ranks| {
            let Some(root) = &root else { return (true, false) };
            let outside = members.disjoint(&Ranks::single(root.clone()), facts);
            let only = members.as_single(facts).is_some_and(|only| facts.eq(&only, root) == Truth::Yes);
            (!outside, only)
        };
        let from_root =
            matches!(operation, CollectiveOp::Bcast | CollectiveOp::Scatter | CollectiveOp::Scatterv);
        let to_root =
            matches!(operation, CollectiveOp::Reduce | CollectiveOp::Gather | CollectiveOp::Gatherv);
        let members = &completed.entries[receiver].members;
        if operation == CollectiveOp::Barrier || (to_root && !rooted(members).0) {
            return Cargo::default();
        }
        // The root has what it broadcasts already.
        if operation == CollectiveOp::Bcast && rooted(members).1 {
            return Cargo::default();
        }
        let hop =
            Hop::Collective { operation: Arc::clone(completed.operation), sites: completed.sites.to_vec() };
        let hop = HopId(index_of(&mut self.hops, hop));
        let mut data = Labels::default();
        for entry in completed.entries {
            if from_root && !rooted(&entry.members).0 {
                continue;
            }
            let senders = match &root {
                Some(root) if from_root => Ranks::single(root.clone()),
                _ => entry.members.clone(),
            };
            let part = self.carry(&entry.call.cargo.data, hop, &senders, facts);
            data.add(&part, facts);
        }
        Cargo { data, ..Cargo::default() }
    }

    fn delivered(
        &mut self,
        after: &After<'_, '_>,
        known: &mut Known,
        cargo: &Cargo,
        delivery: &Delivery<'_>,
    ) {
        self.deliver(after, known, cargo, delivery);
    }

    fn generalise(&mut self, (): &(), (): &(), _join: &mut Join<'_>) -> Option<()> {
        Some(())
    }

    fn shape((): &()) {}
}

impl Knowledge for Known {
    fn merge(a: (&Self, &Ranks), b: (&Self, &Ranks), facts: &Constraints) -> Option<Self> {
        let objects = both(&a.0.objects, &b.0.objects, |x, y| Tags::merge((x, a.1), (y, b.1), facts))?;
        let labels = |x: &Labels, y: &Labels| Labels::merge((x, a.1), (y, b.1), facts);
        let decisions = both_decisions(&a.0.decisions, &b.0.decisions, labels)?;
        Some(Self { objects, decisions, pending: Pending::default() })
    }

    fn generalise(a: &Self, b: &Self, join: &mut Join<'_>) -> Option<Self> {
        let objects = both(&a.objects, &b.objects, |x, y| Tags::generalise(x, y, join))?;
        let decisions = both_decisions(&a.decisions, &b.decisions, |x, y| Labels::generalise(x, y, join))?;
        Some(Self { objects, decisions, pending: Pending::default() })
    }
}

fn both(
    a: &Arc<BTreeMap<ObjectId, Tags>>,
    b: &Arc<BTreeMap<ObjectId, Tags>>,
    mut one: impl FnMut(&Tags, &Tags) -> Option<Tags>,
) -> Option<Arc<BTreeMap<ObjectId, Tags>>> {
    if a.is_empty() && b.is_empty() {
        return Some(Arc::clone(a));
    }
    let none = Tags::default();
    let keys: BTreeSet<ObjectId> = a.keys().chain(b.keys()).copied().collect();
    let joined = keys
        .into_iter()
        .map(|object| Some((object, one(a.get(&object).unwrap_or(&none), b.get(&object).unwrap_or(&none))?)));
    joined.collect::<Option<BTreeMap<_, _>>>().map(Arc::new)
}

fn both_decisions(
    a: &[Decision],
    b: &[Decision],
    mut one: impl FnMut(&Labels, &Labels) -> Option<Labels>,
) -> Option<Vec<Decision>> {
    let none = Labels::default();
    let find = |side: &[Decision], like: &Decision| {
        side.iter().find(|d| (d.depth, d.meet) == (like.depth, like.meet)).map(|d| d.labels.clone())
    };
    let only_b = b.iter().filter(|d| find(a, d).is_none());
    let mut decisions = a
        .iter()
        .chain(only_b)
        .map(|decision| {
            let (x, y) = (find(a, decision), find(b, decision));
            let labels = one(x.as_ref().unwrap_or(&none), y.as_ref().unwrap_or(&none))?;
            Some(Decision { labels, ..decision.clone() })
        })
        .collect::<Option<Vec<_>>>()?;
    decisions.sort_by_key(|decision| (decision.depth, decision.meet));
    Some(decisions)
}

impl Knowledge for Cargo {
    fn merge(a: (&Self, &Ranks), b: (&Self, &Ranks), facts: &Constraints) -> Option<Self> {
        let labels = |x: &Labels, y: &Labels| Labels::merge((x, a.1), (y, b.1), facts);
        Some(Self {
            data: labels(&a.0.data, &b.0.data)?,
            about: labels(&a.0.about, &b.0.about)?,
            areas: common_areas(&a.0.areas, &b.0.areas),
        })
    }

    fn generalise(a: &Self, b: &Self, join: &mut Join<'_>) -> Option<Self> {
        join.old_says(b.areas.iter().all(|area| a.areas.contains(area)));
        Some(Self {
            data: Labels::generalise(&a.data, &b.data, join)?,
            about: Labels::generalise(&a.about, &b.about, join)?,
            areas: common_areas(&a.areas, &b.areas),
        })
    }
}

/// All places where the data may be.
fn common_areas(
    a: &[(ObjectId, Option<Bytes>)],
    b: &[(ObjectId, Option<Bytes>)],
) -> Vec<(ObjectId, Option<Bytes>)> {
    let mut areas = a.to_vec();
    areas.extend(b.iter().filter(|area| !a.contains(area)).copied());
    areas
}
