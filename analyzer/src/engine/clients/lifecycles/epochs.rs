//! Epochs of windows, and the one-sided operations that are under way in them (MPI-4.1 sections 12.5 and 12.7).

use std::rc::Rc;

use frontend::ir::{Callee, Inst, InstKind};
use frontend::mpi::{Class, Object, RmaOp, RmaSync, Role, lookup};
use lattice::{Constraints, Linear, Ranks, Truth};

use super::super::At;
use super::accesses::{Detail, Mode, access_of};
use super::assertions::{age_stores, asserts, keep_promise};
use super::buffers::areas;
use super::exposures::{is_outside, keep_partners};
use super::lives::{Kind, Life, Lives, Stage};
use super::{Lifecycles, operation};
use crate::engine::join::Join;
use crate::engine::mpi::{Call, Partner, type_size};
use crate::engine::state::SiteId;
use crate::engine::value::Value;
use crate::rules::Rule;

/// One-sided operations of one set that are followed at a time.
const TRANSFERS: usize = 24;

/// Which epochs of a window are open on a process, besides those of single locks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Epochs {
    fence: Fence,
    /// `MPI_Win_lock_all`.
    pub(super) all: Option<SiteId>,
    /// `MPI_Win_start`.
    pub(super) start: Option<SiteId>,
    /// `MPI_Win_post`.
    pub(super) post: Option<SiteId>,
    /// It may be otherwise: nothing is said of the window until the next fence.
    pub(super) unknown: bool,
}

impl Epochs {
    /// Whether operations may follow the last fence.
    pub(super) fn is_fenced(&self) -> bool {
        self.fence == Fence::Open
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Fence {
    /// There was none.
    #[default]
    None,
    /// An epoch is open after the last one, if anything is done in it.
    Open,
    /// The last one says that nothing follows.
    Shut,
}

/// What an operation accesses at its target, or what a lock is of.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Far {
    at: SiteId,
    /// Over the member's rank; `None`: not known.
    pub(super) target: Option<Linear>,
    /// In units of the window.
    pub(super) displacement: Option<Linear>,
    /// Whether the first element is at the displacement: one of a derived datatype may be anywhere.
    begins_there: bool,
    /// How it is accessed; not of locks.
    how: Option<RmaOp>,
    /// Of a lock: others may not hold one meanwhile, or it is not known whether they may.
    pub(super) exclusive: bool,
}

impl Far {
    pub(super) fn generalise(a: &[Self], b: &[Self], join: &mut Join<'_>) -> Rc<[Self]> {
        let both = a.iter().zip(b).map(|(x, y)| {
            let mut linear = |x: &Option<Linear>, y: &Option<Linear>| join.linear(x.as_ref()?, y.as_ref()?);
            let (target, displacement) =
                (linear(&x.target, &y.target), linear(&x.displacement, &y.displacement));
            let same = x.at == y.at
                && x.begins_there == y.begins_there
                && x.how == y.how
                && x.exclusive == y.exclusive;
            same.then_some(Self { target, displacement, ..*x })
        });
        let both: Option<Vec<Self>> = both.collect();
        both.filter(|_| a.len() == b.len()).unwrap_or_default().into()
    }
}

/// Whether two numbers are the same on all members of a set (`Some(true)`), or on none.
pub(super) fn same(
    a: Option<&Linear>,
    b: Option<&Linear>,
    ranks: &Ranks,
    facts: &Constraints,
) -> Option<bool> {
    let difference = a?.sub(b?)?;
    let (most, least) = (ranks.maximise(&difference, facts)?, ranks.minimise(&difference, facts)?);
    let zero = Linear::zero();
    let is_negative = |value: Option<Linear>| value.is_some_and(|v| facts.le(&v, &zero) == Truth::Yes);
    if is_negative(Some(most.clone())) && is_negative(zero.sub(&least)) {
        return Some(true);
    }
    let apart = is_negative(most.offset(1)) || is_negative(zero.sub(&least).and_then(|v| v.offset(1)));
    apart.then_some(false)
}

impl Lifecycles {
    /// A call on a window.
    pub(super) fn window(
        &mut self,
        at: &mut At<'_, '_, '_>,
        lives: &mut Lives,
        call: &Call<'_>,
        site: SiteId,
    ) {
        let index = call.mpi.param_with_role(Role::Window);
        let Some(handle) = call.at(index).filter(|value| matches!(value, Value::Comm(_))).cloned() else {
            // Any window may be meant.
            lives.retain(|life| !matches!(life.kind, Kind::Transfer | Kind::Local | Kind::Promise));
            lives.iter_mut().filter(|life| life.kind == Object::Window).for_each(Life::lose_epochs);
            return;
        };
        let is_it = |life: &Life| life.kind == Object::Window && life.handle.as_ref() == Some(&handle);
        let windows: Vec<Life> = lives.iter().filter(|life| is_it(life)).cloned().collect();
        for window in &windows {
            let Stage::Window(epochs) = window.stage else { continue };
            let (ranks, facts) = (at.scope.ranks.clone(), at.scope.facts.clone());
            let Some(members) = window.members(&ranks, &facts) else { continue };
            let mut view = View { epochs, locks: window.far.to_vec(), members };
            let sound = match call.mpi.class {
                Class::Rma { operation, .. } => self.transfer_begins(at, lives, call, site, operation, &view),
                Class::RmaSync(how) => {
                    let pending = lives.iter().find(|life| {
                        let fenced = life.access().is_some_and(|access| access.mode == Mode::Fence);
                        life.is_under_way() && fenced && life.handle.as_ref() == Some(&handle)
                    });
                    self.synchronise(at, call, site, how, pending.map(|life| life.made), &mut view)
                }
                _ => true,
            };
            if !sound {
                view.epochs = Epochs { unknown: true, ..Epochs::default() };
                view.locks.clear();
            }
            for life in lives.iter_mut().filter(|life| is_it(life) && life.who == window.who) {
                life.stage = Stage::Window(view.epochs);
                life.far = view.locks.clone().into();
                life.change_home(|home| home.partial |= !sound);
            }
        }
        match call.mpi.class {
            Class::Rma { operation, request } => {
                add_transfer(at, lives, call, site, operation, request, &handle)
            }
            Class::RmaSync(how) => {
                self.judge_stores(at, lives, call, how, &handle);
                age_stores(lives, &handle);
                end_transfers(at, lives, call, how, &handle);
                keep_partners(lives, call, site, how, &handle);
                keep_promise(at, lives, call, site, how, &handle);
                lives.unite(at.scope.ranks, at.scope.facts);
            }
            _ => {}
        }
    }

    /// Judges an operation by the epochs of its window, and by what else is under way in them.
    fn transfer_begins(
        &mut self,
        at: &At<'_, '_, '_>,
        lives: &Lives,
        call: &Call<'_>,
        site: SiteId,
        how: RmaOp,
        view: &View,
    ) -> bool {
        let (ranks, facts) = (at.scope.ranks, &at.scope.facts);
        let far = far(call, site, Some(how));
        let epochs = view.epochs;
        let name = call.mpi.name;
        if !epochs.unknown && epochs.fence != Fence::Open && epochs.all.is_none() && epochs.start.is_none() {
            let of_other =
                |lock: &Far| same(lock.target.as_ref(), far.target.as_ref(), ranks, facts) == Some(false);
            if let Some(lock) = view.locks.first().filter(|_| view.locks.iter().all(of_other)) {
                let note = self.note(
                    at,
                    Rule::RmaEpoch,
                    call.span,
                    &view.members,
                    format!("`{name}` accesses a rank that is not locked"),
                );
                note.related.push((lock.at, "another rank is locked here".to_owned()));
                return false;
            }
            if view.locks.is_empty() {
                let message = match (epochs.post, epochs.fence) {
                    (Some(_), _) => format!("`{name}` in an epoch that only lets others access the window"),
                    (None, Fence::Shut) => {
                        format!("`{name}` after a fence that says that nothing follows (MPI_MODE_NOSUCCEED)")
                    }
                    _ => format!("`{name}` outside of an epoch: no fence, lock or start comes before"),
                };
                let note = self.note(at, Rule::RmaEpoch, call.span, &view.members, message);
                note.related.extend(epochs.post.map(|post| (post, "it is opened here".to_owned())));
                return false;
            }
        }
        let handle = call.at(call.mpi.param_with_role(Role::Window));
        let outside = epochs.start.filter(|&start| !epochs.unknown && is_outside(at, lives, start, call));
        if let Some(start) = outside {
            let message = format!("`{name}` accesses a rank that is not in the group of its epoch");
            let note = self.note(at, Rule::RmaEpoch, call.span, &view.members, message);
            note.related.push((start, "the epoch is opened here".to_owned()));
            return false;
        }
        let meets = |life: &&Life| {
            let is_pending = life.kind == Kind::Transfer && life.stage == Stage::Live;
            let Some(other) = life.far.first().filter(|_| is_pending) else { return false };
            let is_same = |a: &Option<Linear>, b: &Option<Linear>| {
                same(a.as_ref(), b.as_ref(), ranks, facts) == Some(true)
            };
            (far.begins_there && other.begins_there)
                && life.handle.as_ref() == handle
                && other.how.is_some_and(|other| conflict(how, other))
                && is_same(&other.target, &far.target)
                && is_same(&other.displacement, &far.displacement)
        };
        if let Some(life) = lives.iter().find(meets)
            && let Some(members) = life.members(ranks, facts)
        {
            let other = operation(at, life.made);
            let message = format!("`{name}` accesses what `{other}` accesses in the same epoch");
            let note = self.note(at, Rule::RmaRace, call.span, &members, message);
            note.related.push((life.made, "this is not complete yet".to_owned()));
            return true;
        }
        true
    }

    /// Judges a synchronisation, and keeps account of epochs; `false`: a defect was found. `pending`: an operation since the last fence
    /// that is not complete yet.
    fn synchronise(
        &mut self,
        at: &At<'_, '_, '_>,
        call: &Call<'_>,
        site: SiteId,
        how: RmaSync,
        pending: Option<SiteId>,
        view: &mut View,
    ) -> bool {
        let (ranks, facts) = (at.scope.ranks, &at.scope.facts);
        let epochs = view.epochs;
        let known = !epochs.unknown;
        let name = call.mpi.name;
        let lock = view.locks.first().map(|lock| lock.at);
        let passive = lock.or(epochs.all);
        // What is wrong with the call, and where what it does not fit was opened.
        let wrong: Option<(String, Option<SiteId>)> = match how {
            RmaSync::Fence => {
                let open = passive.or(epochs.start).or(epochs.post);
                let pending = || pending.filter(|_| asserts(call, "MPI_MODE_NOPRECEDE"));
                let opened = open.map(|opened| (format!("`{name}` in an epoch that is not ended"), opened));
                let says = || format!("`{name}` says that nothing precedes (MPI_MODE_NOPRECEDE)");
                opened.or_else(|| pending().map(|made| (says(), made))).map(|(what, at)| (what, Some(at)))
            }
            RmaSync::Lock => {
                let target = far(call, site, None).target;
                let is_it =
                    |lock: &&Far| same(lock.target.as_ref(), target.as_ref(), ranks, facts) == Some(true);
                let held = view.locks.iter().find(is_it).map(|lock| lock.at).or(epochs.all);
                held.map(|held| (format!("`{name}` of a rank that is locked already"), Some(held)))
            }
            RmaSync::LockAll => {
                passive.map(|held| (format!("`{name}` of a window that is locked already"), Some(held)))
            }
            RmaSync::Unlock => {
                let target = far(call, site, None).target;
                let is_other =
                    |lock: &Far| same(lock.target.as_ref(), target.as_ref(), ranks, facts) == Some(false);
                view.locks
                    .iter()
                    .all(is_other)
                    .then(|| (format!("`{name}` of a rank that is not locked"), passive))
            }
            RmaSync::UnlockAll => {
                epochs.all.is_none().then(|| (format!("`{name}` without `MPI_Win_lock_all`"), lock))
            }
            RmaSync::Flush | RmaSync::FlushAll | RmaSync::FlushLocal | RmaSync::FlushLocalAll => {
                passive.is_none().then(|| (format!("`{name}` of a window that is not locked"), None))
            }
            RmaSync::Start => epochs
                .start
                .or(passive)
                .map(|opened| (format!("`{name}` in an epoch that is not ended"), Some(opened))),
            RmaSync::Complete => {
                epochs.start.is_none().then(|| (format!("`{name}` without `MPI_Win_start`"), None))
            }
            RmaSync::Post => {
                epochs.post.map(|opened| (format!("`{name}` in an epoch that is not ended"), Some(opened)))
            }
            RmaSync::Wait | RmaSync::Test => {
                epochs.post.is_none().then(|| (format!("`{name}` without `MPI_Win_post`"), None))
            }
            RmaSync::Sync => None,
        };
        if let Some((message, opened)) = wrong.filter(|_| known) {
            let note = self.note(at, Rule::RmaEpoch, call.span, &view.members, message);
            let is_pending = how == RmaSync::Fence && opened == pending;
            let what = if is_pending { "this precedes it" } else { "this epoch is open" };
            note.related.extend(opened.map(|opened| (opened, what.to_owned())));
            return false;
        }
        let epochs = &mut view.epochs;
        match how {
            RmaSync::Fence => {
                let shut = asserts(call, "MPI_MODE_NOSUCCEED");
                *epochs = Epochs { fence: if shut { Fence::Shut } else { Fence::Open }, ..Epochs::default() };
                view.locks.clear();
            }
            RmaSync::Lock => view.locks.push(far(call, site, None)),
            RmaSync::LockAll => epochs.all = Some(site),
            RmaSync::Unlock => {
                let target = far(call, site, None).target;
                let is_it =
                    |lock: &Far| same(lock.target.as_ref(), target.as_ref(), ranks, facts) == Some(true);
                match view.locks.iter().position(is_it) {
                    Some(held) => {
                        view.locks.remove(held);
                    }
                    None if view.locks.len() == 1 => view.locks.clear(),
                    None => epochs.unknown = true,
                }
            }
            RmaSync::UnlockAll => epochs.all = None,
            RmaSync::Start => epochs.start = Some(site),
            RmaSync::Complete => epochs.start = None,
            RmaSync::Post => epochs.post = Some(site),
            RmaSync::Wait => epochs.post = None,
            // Whether the epoch is over is what the call tells.
            RmaSync::Test => epochs.unknown = true,
            RmaSync::Flush
            | RmaSync::FlushAll
            | RmaSync::FlushLocal
            | RmaSync::FlushLocalAll
            | RmaSync::Sync => {}
        }
        true
    }

    /// What is open or under way when a window is freed, or MPI ends.
    pub(super) fn window_ends(&mut self, at: &At<'_, '_, '_>, lives: &Lives, window: &Life, site: SiteId) {
        let Stage::Window(epochs) = window.stage else { return };
        let Some(members) = window.members(at.scope.ranks, at.scope.facts) else { return };
        if epochs.unknown {
            return;
        }
        let ends = "the window is freed, or MPI ends, here".to_owned();
        let lock = window.far.first().map(|lock| lock.at);
        if let Some(opened) = lock.or(epochs.all).or(epochs.start).or(epochs.post) {
            let message = format!("the epoch that `{}` opens is never ended", operation(at, opened));
            let note = self.note_at(at, Rule::RmaEpoch, opened, &members, message);
            note.related.push((site, ends));
            return;
        }
        let pending = |life: &&Life| {
            life.kind == Kind::Transfer && life.stage == Stage::Live && life.handle == window.handle
        };
        if let Some(life) = lives.iter().find(pending)
            && let Some(members) = life.members(&members, at.scope.facts)
        {
            let message = format!("`{}` is never completed: no fence follows", operation(at, life.made));
            let note = self.note_at(at, Rule::RmaEpoch, life.made, &members, message);
            note.related.push((site, ends));
        }
    }
}

/// Whether an instruction opens or ends an epoch of a window.
pub(super) fn changes_epochs(inst: &Inst) -> bool {
    use RmaSync::{Flush, FlushAll, FlushLocal, FlushLocalAll, Sync};
    let InstKind::Call { callee: Callee::Direct { mpi: Some(mpi), .. }, .. } = &inst.kind else {
        return false;
    };
    matches!(mpi.class, Class::RmaSync(how) if !matches!(how, Flush | FlushAll | FlushLocal | FlushLocalAll | Sync))
}

/// Code is passed over that accesses windows: which operations are under way is not known any more, nor what epochs are open if it may
/// have changed those.
pub(super) fn pass_over(lives: &mut Lives, changes_epochs: bool) {
    lives.retain(|life| !matches!(life.kind, Kind::Transfer | Kind::Local | Kind::Promise));
    if changes_epochs {
        lives.iter_mut().filter(|life| life.kind == Object::Window).for_each(Life::lose_epochs);
    }
}

/// A window as some members of a set see it.
struct View {
    epochs: Epochs,
    /// The locks that each of them holds.
    locks: Vec<Far>,
    members: Ranks,
}

/// Whether two accesses to one place may not be made in one epoch (MPI-4.1 section 12.7): of atomic ones the library keeps account.
pub(super) fn conflict(a: RmaOp, b: RmaOp) -> bool {
    (a.writes_target() || b.writes_target()) && !(a.is_atomic() && b.is_atomic())
}

/// What a call concerns at another process.
fn far(call: &Call<'_>, at: SiteId, how: Option<RmaOp>) -> Far {
    let target = match call.partner(call.mpi.param_with_role(Role::Target)) {
        Ok(Partner::Rank(rank)) => Some(rank),
        _ => None,
    };
    let displacement = match call.value(Role::TargetDisplacement) {
        Some(Value::Int(displacement)) => Some(displacement.clone()),
        _ => None,
    };
    let exclusive = call.value(Role::LockType).is_some_and(|how| how.as_name() != Some("MPI_LOCK_SHARED"));
    let datatype = call.mpi.target().and_then(|there| call.at(Some(there.datatype)));
    let begins_there = datatype.and_then(type_size).is_some();
    Far { at, target, displacement, begins_there, how, exclusive }
}

/// An operation is under way from now on.
fn add_transfer(
    at: &mut At<'_, '_, '_>,
    lives: &mut Lives,
    call: &Call<'_>,
    site: SiteId,
    how: RmaOp,
    request: bool,
    handle: &Value,
) {
    let far = far(call, site, Some(how));
    let window =
        lives.iter().find(|life| life.kind == Object::Window && life.handle.as_ref() == Some(handle));
    let Some(slot) = window.map(|window| window.slot).filter(|_| far.target.is_some()) else { return };
    let access = access_of(at, lives, call, how, &far);
    // With a request, that is what the buffer here waits for, and all of an operation whose result comes here.
    let stage =
        if request && !matches!(how, RmaOp::Put | RmaOp::Accumulate) { Stage::Done } else { Stage::Live };
    let areas = if request { Vec::new() } else { areas(at, call) };
    let life = Life {
        handle: Some(handle.clone()),
        areas: areas.into(),
        far: [far].into(),
        detail: access.map(|access| Rc::new(Detail::Access(access))),
        ..Life::new(Kind::Transfer, slot, site, stage)
    };
    // Of what is over, one is enough of those that are alike, and others give way where there are too many.
    let is_over = |other: &Life| other.kind == Kind::Transfer && other.stage == Stage::Done;
    lives.retain(|other| {
        !(is_over(other) && other.made == site && other.handle == life.handle && other.detail == life.detail)
    });
    let transfers = |lives: &Lives| lives.iter().filter(|life| life.kind == Kind::Transfer).count();
    if TRANSFERS <= transfers(lives) {
        lives.retain(|other| !is_over(other));
    }
    if transfers(lives) < TRANSFERS && !lives.iter().any(|other| *other == life) {
        lives.add(life);
    }
}

/// Operations are complete, here or there too.
fn end_transfers(at: &At<'_, '_, '_>, lives: &mut Lives, call: &Call<'_>, how: RmaSync, handle: &Value) {
    let (ranks, facts) = (at.scope.ranks, &at.scope.facts);
    let target = match call.partner(call.mpi.param_with_role(Role::Target)) {
        Ok(Partner::Rank(rank)) => Some(rank),
        _ => None,
    };
    let is_meant = |life: &Life| {
        life.kind == Kind::Transfer
            && life.stage == Stage::Live
            && life.handle.as_ref() == Some(handle)
            && life
                .far
                .first()
                .is_none_or(|far| same(far.target.as_ref(), target.as_ref(), ranks, facts) != Some(false))
    };
    let completes_here = !matches!(
        how,
        RmaSync::Start
            | RmaSync::Post
            | RmaSync::Wait
            | RmaSync::Test
            | RmaSync::Lock
            | RmaSync::LockAll
            | RmaSync::Sync
    );
    if completes_here {
        // Their requests are to be waited for all the same.
        let has_request = |life: &Life| {
            lookup(&operation(at, life.made)).is_some_and(|mpi| matches!(mpi.class, Class::Rma { .. }))
        };
        lives
            .iter_mut()
            .filter(|life| life.kind == Object::Request && has_request(life))
            .for_each(|life| life.areas = Rc::default());
    }
    match how {
        RmaSync::Fence
        | RmaSync::Complete
        | RmaSync::Unlock
        | RmaSync::UnlockAll
        | RmaSync::Flush
        | RmaSync::FlushAll => lives.iter_mut().filter(|life| is_meant(life)).for_each(|life| {
            life.stage = Stage::Done;
            life.areas = Rc::default();
        }),
        RmaSync::FlushLocal | RmaSync::FlushLocalAll => {
            lives.iter_mut().filter(|life| is_meant(life)).for_each(|life| life.areas = Rc::default());
        }
        _ => {}
    }
}
