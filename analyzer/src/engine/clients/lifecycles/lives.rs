//! What a process set has made and not given up yet: requests, datatypes, communicators and other objects behind handles, each with
//! the stage of its life.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use frontend::mpi::Object;
use lattice::{Constraints, Ranks};

use super::super::Knowledge;
use super::accesses::Detail;
use super::buffers::Area;
use super::epochs::{Epochs, Far};
use super::partitions::Partitions;
use crate::engine::boxes::intersect;
use crate::engine::join::Join;
use crate::engine::memory::ObjectId;
use crate::engine::state::SiteId;
use crate::engine::value::Value;

/// Objects of one set that are followed.
const LIVES: usize = 96;
/// Objects of one set of which paths are told apart by what has become of them.
const APART: usize = 6;

/// Where a handle is: an object of the program, and a byte offset.
pub(super) type Slot = (ObjectId, i64);

/// What is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An object behind a handle.
    Object(Object),
    /// A one-sided operation; handle and slot are those of its window.
    Transfer,
    /// An access of the program itself to memory of a window, the same.
    Local,
    /// A start or a post of a window, the same.
    Partners,
    /// That nobody puts anything into the memory here, the same.
    Promise,
    /// Memory for buffered sends; the slot is where it begins.
    Lent,
    /// A send whose request was freed while it was active: it is under way until something is heard of other processes.
    Detached,
    /// An access to a file between the two calls of a split collective; the handle is that of the file.
    Split,
}

impl PartialEq<Object> for Kind {
    fn eq(&self, object: &Object) -> bool {
        *self == Self::Object(*object)
    }
}

/// An object of MPI that a call has made, or an operation on one that is under way.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Life {
    pub(super) kind: Kind,
    /// Where the call stored the handle.
    pub(super) slot: Slot,
    pub(super) made: SiteId,
    pub(super) stage: Stage,
    /// The handle, once it is known; that of a request is the address of its slot.
    pub(super) handle: Option<Value>,
    /// What the operation accesses here as long as it is under way.
    pub(super) areas: Rc<[Area]>,
    /// What it accesses at another process; of a window, the locks that are held.
    pub(super) far: Rc<[Far]>,
    /// Of a partitioned operation, its partitions.
    pub(super) partitions: Option<Partitions>,
    /// What else is known of windows and of accesses to them.
    pub(super) detail: Option<Rc<Detail>>,
    /// Which members of the set have made it; `None`: all of them.
    pub(super) who: Option<Ranks>,
}

/// How far an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// A request whose operation was started by this call; whether it stays when that is complete.
    Active { since: SiteId, stays: bool },
    /// A request whose operation was started by the first call, and for which the second one has asked: whether it is complete shows in
    /// the handle, which is null then.
    Asked { since: SiteId, by: SiteId },
    /// A persistent request for whose operation a test has asked: whether it is complete shows in the flag, if the operation was
    /// started by that call and the flag is there; otherwise it may be.
    Tested(Option<(SiteId, Slot)>),
    /// A persistent request without an operation under way; whether there has been one, and whether it has been waited for in vain.
    Inactive { started: bool, awaited: bool },
    /// A request whose operation this call has waited for.
    Completed(SiteId),
    /// A datatype that is not committed yet.
    Uncommitted,
    /// A window, and how its epochs stand.
    Window(Epochs),
    /// Any other object, or an operation under way.
    Live,
    /// An operation that is over.
    Done,
    /// Several objects that cannot be told from each other; nothing is known of any.
    Alike,
    /// Given up by this call.
    Freed(SiteId),
}

impl Life {
    /// One that all members of a set have made.
    pub(super) fn new(kind: Kind, slot: Slot, made: SiteId, stage: Stage) -> Self {
        Self {
            kind,
            slot,
            made,
            stage,
            handle: None,
            areas: Rc::default(),
            far: Rc::default(),
            partitions: None,
            detail: None,
            who: None,
        }
    }

    /// The members of a set that have made it; `None` where there are none, or it is not known which.
    pub(super) fn members(&self, set: &Ranks, facts: &Constraints) -> Option<Ranks> {
        let Some(who) = &self.who else { return Some(set.clone()) };
        if set.within(who, facts) {
            return Some(set.clone());
        }
        if who.within(set, facts) {
            return Some(who.clone());
        }
        match intersect(who, set, facts) {
            Ok(parts) => parts.into_iter().next(),
            Err(_) => None,
        }
    }

    /// Whether its handle is not known yet.
    pub(super) fn is_new(&self) -> bool {
        self.kind != Object::Request && self.handle.is_none()
    }

    /// The kind of object that is made and given up.
    pub(super) fn object(&self) -> Option<Object> {
        match self.kind {
            Kind::Object(object) => Some(object),
            Kind::Transfer
            | Kind::Local
            | Kind::Partners
            | Kind::Promise
            | Kind::Lent
            | Kind::Detached
            | Kind::Split => None,
        }
    }

    /// The same in messages.
    pub(super) fn keyword(&self) -> &'static str {
        self.object().map_or("operation", Object::keyword)
    }

    /// How the epochs of a window stand is not known any more.
    pub(super) fn lose_epochs(&mut self) {
        if let Stage::Window(epochs) = &mut self.stage {
            epochs.unknown = true;
            self.far = Rc::default();
        }
        self.change_home(|home| home.partial = true);
    }

    /// Whether an operation may still access its buffers.
    pub(super) fn is_under_way(&self) -> bool {
        let is_operation =
            matches!(self.kind, Kind::Transfer | Kind::Detached | Kind::Split) && self.stage == Stage::Live;
        is_operation || matches!(self.stage, Stage::Active { .. })
    }

    /// Whether two describe the same object in the same stage, of other members.
    fn is_like(&self, other: &Self) -> bool {
        self.is_as_far_as(other)
            && self.stage == other.stage
            && self.areas == other.areas
            && self.far == other.far
            && self.partitions == other.partitions
            && self.detail == other.detail
    }

    /// The same, of other buffers.
    fn is_as_far_as(&self, other: &Self) -> bool {
        let alike = matches!((self.stage, other.stage), (Stage::Window(_), Stage::Window(_)));
        self.kind == other.kind
            && self.slot == other.slot
            && self.made == other.made
            && (self.stage == other.stage || alike)
            && self.handle == other.handle
    }

    /// Whether paths are told apart by it: what is over is kept for comparisons only.
    fn tells_apart(&self) -> bool {
        self.object().is_some() || self.stage != Stage::Done
    }
}

/// How many persistent collectives a set has initialised on each communicator, by the name of that; one that is not there has none.
/// `None` where that is not known, of one or of all.
#[derive(Clone, Debug, PartialEq)]
struct Prepared(Option<Rc<BTreeMap<Arc<str>, Option<u32>>>>);

impl Default for Prepared {
    fn default() -> Self {
        Self(Some(Rc::default()))
    }
}

impl Prepared {
    fn number(&self, communicator: &str) -> Option<u32> {
        self.0.as_ref()?.get(communicator).map_or(Some(0), |&number| number)
    }

    /// What is known where one of two may be the case.
    fn either(&self, other: &Self) -> Self {
        let (Some(a), Some(b)) = (&self.0, &other.0) else { return Self(None) };
        if a == b {
            return self.clone();
        }
        let both = a.keys().chain(b.keys()).map(|name| {
            let number = self.number(name);
            (Arc::clone(name), number.filter(|_| number == other.number(name)))
        });
        Self(Some(Rc::new(both.collect())))
    }
}

/// All that a set has made.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Lives {
    all: Rc<Vec<Life>>,
    /// How many persistent collectives were initialised, communicator by communicator.
    prepared: Prepared,
    /// Something that others have done may come before what the set does until all processes meet again.
    pub(super) ordered: bool,
    /// The set has read what others may have written.
    pub(super) heard: bool,
}

impl Lives {
    /// Whether every step is of interest: operations are under way whose buffers are known, there are windows, or what a handle has
    /// become is not known yet.
    pub(crate) fn are_at_work(&self) -> bool {
        let is_open = |life: &Life| {
            let asks = matches!(life.stage, Stage::Asked { .. } | Stage::Tested(Some(_)));
            life.is_new() || asks || life.partitions.as_ref().is_some_and(Partitions::is_open)
        };
        let is_window = |life: &Life| matches!(life.stage, Stage::Window(_));
        self.own_buffers() || self.all.iter().any(|life| is_open(life) || is_window(life))
    }

    /// Whether there is a session that is not finalised.
    pub(crate) fn has_session(&self) -> bool {
        self.all.iter().any(|life| life.kind == Object::Session && life.stage == Stage::Live)
    }

    /// Whether operations are under way whose buffers are known.
    pub(super) fn own_buffers(&self) -> bool {
        self.all.iter().any(|life| life.is_under_way() && !life.areas.is_empty())
    }

    /// Whether the request that was made in a slot is a persistent one without an operation under way, on all members of the set.
    pub(crate) fn is_idle(&self, slot: (ObjectId, i64)) -> bool {
        let mut there = self.all.iter().filter(|life| life.kind == Object::Request && life.slot == slot);
        let only =
            there.next().filter(|life| life.who.is_none() && matches!(life.stage, Stage::Inactive { .. }));
        only.is_some() && there.next().is_none()
    }

    /// A persistent collective is initialised on a communicator.
    pub(super) fn prepare(&mut self, communicator: &Arc<str>) {
        if let Some(all) = &mut self.prepared.0 {
            let number = Rc::make_mut(all).entry(Arc::clone(communicator)).or_insert(Some(0));
            *number = number.and_then(|number| number.checked_add(1));
        }
    }

    /// How many persistent collectives have been initialised is not known any more.
    pub(super) fn lose_prepared(&mut self) {
        self.prepared = Prepared(None);
    }

    /// How many persistent collectives all members of the set have initialised on a communicator, where that is known.
    pub(crate) fn prepared_on(&self, communicator: &str) -> Option<u32> {
        self.prepared.number(communicator)
    }

    /// Whether the handle in a slot is that of an object which has been freed.
    pub(crate) fn has_freed(&self, kind: Object, slot: (ObjectId, i64)) -> bool {
        let is_it = |life: &Life| life.kind == kind && life.slot == slot;
        self.all.iter().any(|life| is_it(life) && matches!(life.stage, Stage::Freed(_)))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Life> {
        self.all.iter()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether no more can be followed.
    pub(super) fn is_full(&self) -> bool {
        LIVES <= self.all.len()
    }

    pub(super) fn add(&mut self, life: Life) {
        let lives = Rc::make_mut(&mut self.all);
        if lives.len() < LIVES {
            lives.push(life);
            lives.sort_by_key(|life| (life.slot, life.made));
        }
    }

    /// Keeps those of which that holds.
    pub(super) fn retain(&mut self, keep: impl FnMut(&Life) -> bool) {
        if !self.all.is_empty() {
            Rc::make_mut(&mut self.all).retain(keep);
        }
    }

    /// Makes one of windows that parts of the set see alike again.
    pub(super) fn unite(&mut self, set: &Ranks, facts: &Constraints) {
        let is_part = |life: &Life| matches!(life.stage, Stage::Window(_)) && life.who.is_some();
        if !self.all.iter().any(is_part) {
            return;
        }
        let mut united: Vec<Life> = Vec::new();
        for life in self.all.iter() {
            let other =
                united.iter_mut().find(|other| is_part(other) && is_part(life) && other.is_like(life));
            let both = other.as_ref().and_then(|other| {
                let (x, y) = (other.who.as_ref()?, life.who.as_ref()?);
                x.append(y, facts).or_else(|| y.append(x, facts))
            });
            match other.zip(both) {
                Some((other, both)) => other.who = Some(both).filter(|both| !set.within(both, facts)),
                None => united.push(life.clone()),
            }
        }
        self.all = Rc::new(united);
    }

    pub(super) fn iter_mut(&mut self) -> std::slice::IterMut<'_, Life> {
        Rc::make_mut(&mut self.all).iter_mut()
    }
}

impl Knowledge for Lives {
    fn merge((a, ours): (&Self, &Ranks), (b, theirs): (&Self, &Ranks), facts: &Constraints) -> Option<Self> {
        let (ordered, heard) = (a.ordered || b.ordered, a.heard || b.heard);
        let prepared = a.prepared.either(&b.prepared);
        if a.all.is_empty() && b.all.is_empty() {
            return Some(Self { prepared, ordered, heard, ..Self::default() });
        }
        let mut merged: Vec<Life> = Vec::new();
        let mut rest: Vec<&Life> = b.all.iter().collect();
        for life in a.all.iter() {
            let other = rest.iter().position(|other| life.is_like(other)).map(|index| rest.remove(index));
            let Some(other) = other else {
                merged.extend(of_part(life, ours, facts));
                continue;
            };
            if life.who.is_none() && other.who.is_none() {
                merged.push(life.clone());
                continue;
            }
            let (Some(x), Some(y)) = (life.members(ours, facts), other.members(theirs, facts)) else {
                continue;
            };
            match x.append(&y, facts).or_else(|| y.append(&x, facts)) {
                Some(both) => merged.push(Life { who: Some(both), ..life.clone() }),
                None => merged.extend([x, y].map(|who| Life { who: Some(who), ..life.clone() })),
            }
        }
        merged.extend(rest.into_iter().filter_map(|life| of_part(life, theirs, facts)));
        merged.sort_by_key(|life| (life.slot, life.made));
        if LIVES < merged.len() {
            merged.truncate(LIVES);
            merged.iter_mut().for_each(|life| life.change_home(|home| home.partial = true));
        }
        Some(Self { all: Rc::new(merged), prepared, ordered, heard })
    }

    fn generalise(a: &Self, b: &Self, join: &mut Join<'_>) -> Option<Self> {
        let mut general: Vec<Life> = Vec::new();
        let mut rest: Vec<&Life> = b.all.iter().collect();
        let mut lost = 0;
        let mut partial = false;
        for life in a.all.iter() {
            // What other members have done to the same window is another one.
            let by_same = |other: &&Life| life.is_as_far_as(other) && life.who == other.who;
            let other = rest.iter().position(by_same);
            let other = other.or_else(|| rest.iter().position(|other| life.is_as_far_as(other)));
            let other = other.map(|index| rest.remove(index));
            let who = match (&life.who, other.map(|other| &other.who)) {
                (None, Some(None)) => Some(None),
                (Some(x), Some(Some(y))) => join.ranks(x, y).map(Some),
                _ => None,
            };
            join.old_says(who.is_some());
            let Some((who, other)) = who.zip(other) else {
                lost += usize::from(life.tells_apart());
                partial |= life.kind == Kind::Partners;
                continue;
            };
            let areas = Area::generalise(&life.areas, &other.areas, join);
            let far = Far::generalise(&life.far, &other.far, join);
            let partitions = Partitions::either(life.partitions.as_ref(), other.partitions.as_ref());
            let detail = Detail::generalise(life.detail.as_ref(), other.detail.as_ref(), join);
            join.old_says(areas == life.areas && far == life.far && partitions == life.partitions);
            let mut both = Life { who, areas, far, partitions, detail, ..life.clone() };
            let lost_locks = both.far.len() != life.far.len() || life.far.len() != other.far.len();
            if lost_locks || life.stage != other.stage {
                both.lose_epochs();
            }
            join.old_says(both.detail == life.detail && both.stage == life.stage);
            general.push(both);
        }
        // Where each process is followed by itself, paths on which different things were made stay apart: there are not many.
        let number = |lives: &[Life]| lives.iter().filter(|life| life.tells_apart()).count();
        let differ = lost + rest.iter().filter(|life| life.tells_apart()).count();
        if join.fixed && !join.orders && 0 < differ && number(&a.all).max(number(&b.all)) <= APART {
            return None;
        }
        if partial || rest.iter().any(|life| life.kind == Kind::Partners) {
            for life in &mut general {
                life.change_home(|home| {
                    join.old_says(home.partial);
                    home.partial = true;
                });
            }
        }
        let (ordered, heard) = (a.ordered || b.ordered, a.heard || b.heard);
        let prepared = a.prepared.either(&b.prepared);
        join.old_says(ordered == a.ordered && heard == a.heard && prepared == a.prepared);
        Some(Self { all: Rc::new(general), prepared, ordered, heard })
    }
}

/// What the members of one of two sets have made, as part of both.
fn of_part(life: &Life, set: &Ranks, facts: &Constraints) -> Option<Life> {
    Some(Life { who: Some(life.members(set, facts)?), ..life.clone() })
}
