//! Requests: operations that are started, waited for, given up.

use std::rc::Rc;

use frontend::mpi::{Class, Object, Param, RequestState, Role, Which, lookup};

use super::super::At;
use super::buffers::areas;
use super::lives::{Kind, Life, Lives, Slot, Stage};
use super::partitions::Partitions;
use super::{Lifecycles, Unless, is_copied, operation, read, slot};
use crate::engine::mpi::{Call, null_name};
use crate::engine::state::{HANDLE, SiteId, address};
use crate::engine::value::Value;
use crate::results::Severity;
use crate::rules::Rule;

/// Requests of one call that are followed one by one.
const LISTED: i64 = 256;

/// The slots of the requests that a call is given, as far as they are not null; `None`: that is not known.
pub(super) fn given(at: &mut At<'_, '_, '_>, call: &Call<'_>) -> Option<Vec<Slot>> {
    let index = call.mpi.param_with_role(Role::Request)?;
    let is_array = call.mpi.params.get(index).is_some_and(Param::is_array);
    let number = if is_array {
        let length = call.at(call.mpi.param_with_role(Role::ArrayLength))?;
        at.scope.facts.constant(length.as_int()?)?
    } else {
        1
    };
    if number > LISTED {
        return None;
    }
    if number <= 0 {
        return Some(Vec::new());
    }
    let (object, offset) = slot(at, call, Some(index))?;
    let mut slots = Vec::new();
    for i in 0..number {
        let place = (object, offset.checked_add(i * HANDLE)?);
        match read(at, place) {
            Value::Name(name) if name.starts_with("MPI_") => {}
            Value::Address(home, first) => slots.push((home, at.scope.facts.constant(&first)?)),
            _ => slots.push(place),
        }
    }
    Some(slots)
}

/// Forgets the operations that a call asks for by a copy of the handle: whether they are complete shows in the copy then.
pub(super) fn forget_asked_by_copies(at: &mut At<'_, '_, '_>, lives: &mut Lives, call: &Call<'_>) {
    let Some((object, first)) = slot(at, call, call.mpi.param_with_role(Role::Request)) else { return };
    let is_array = call.mpi.param_with_role(Role::ArrayLength);
    let number = match is_array.and_then(|index| call.at(Some(index))) {
        Some(length) => length.as_int().and_then(|length| at.scope.facts.constant(length)).unwrap_or(0),
        None => 1,
    };
    let mut copied: Vec<Slot> = Vec::new();
    for i in 0..number.clamp(0, LISTED) {
        let Some(offset) = i.checked_mul(HANDLE).and_then(|step| first.checked_add(step)) else { return };
        if let Value::Address(home, start) = read(at, (object, offset))
            && let Some(start) = at.scope.facts.constant(&start)
            && (home, start) != (object, offset)
        {
            copied.push((home, start));
        }
    }
    lives.retain(|life| life.kind != Object::Request || !copied.contains(&life.slot));
}

/// A call that tells of one or some of several requests. Where each order is followed by itself, it shows in the handles afterwards which one is
/// complete, unless these stay; otherwise nothing is known of any.
pub(super) fn ask_for_any(at: &At<'_, '_, '_>, lives: &mut Lives, given: &[Slot], site: SiteId) {
    let is_given = |life: &Life| life.kind == Object::Request && given.contains(&life.slot);
    let shows = at.scope.engine.fixed.is_some()
        && lives
            .iter()
            .filter(|life| is_given(life))
            .all(|life| matches!(life.stage, Stage::Active { stays: false, .. } | Stage::Completed(_)));
    if !shows {
        lives.retain(|life| !is_given(life));
        return;
    }
    for life in lives.iter_mut().filter(|life| is_given(life)) {
        if let Stage::Active { since, .. } = life.stage {
            life.stage = Stage::Asked { since, by: site };
        }
    }
}

impl Lifecycles {
    /// A call that starts an operation, or makes a persistent request.
    pub(super) fn make_request(
        &mut self,
        at: &mut At<'_, '_, '_>,
        lives: &mut Lives,
        call: &Call<'_>,
        site: SiteId,
    ) {
        let Some((index, state)) = call.mpi.request_made() else { return };
        let Some(place) = slot(at, call, Some(index)) else {
            // One of an array, or any: those that were there may be overwritten.
            let object = call.at(Some(index)).and_then(address).map(|(object, _)| object);
            lives.retain(|life| life.kind != Object::Request || object.is_some_and(|o| life.slot.0 != o));
            return;
        };
        let old: Vec<Life> =
            lives.iter().filter(|l| l.kind == Object::Request && l.slot == place).cloned().collect();
        for life in old {
            if matches!(life.stage, Stage::Active { .. } | Stage::Inactive { .. }) {
                self.overwrite(at, &life, call);
            }
        }
        lives.retain(|life| life.kind != Object::Request || life.slot != place);
        let stage = match state {
            RequestState::Active => Stage::Active { since: site, stays: false },
            RequestState::Inactive => Stage::Inactive { started: false, awaited: false },
        };
        let handle = Value::Address(place.0, place.1.into());
        if is_copied(at, &handle, place) {
            // Both operations have the same handle from now on.
            return;
        }
        let areas = areas(at, call).into();
        lives.add(Life {
            areas,
            partitions: Partitions::of(at, call),
            ..Life::new(Kind::Object(Object::Request), place, site, stage)
        });
    }

    /// The only handle of a request is overwritten.
    fn overwrite(&mut self, at: &mut At<'_, '_, '_>, life: &Life, call: &Call<'_>) {
        let handle = Value::Address(life.slot.0, life.slot.1.into());
        let is_there = at.scope.memory.get(life.slot.0).is_none() || read(at, life.slot) == handle;
        if !is_there || is_copied(at, &handle, life.slot) {
            return;
        }
        let Some(members) = life.members(at.scope.ranks, at.scope.facts) else { return };
        let name = operation(at, life.made);
        match life.stage {
            Stage::Active { since, .. } => {
                let message =
                    format!("the request of `{name}` is overwritten while its operation may still be active");
                let note = self.note(at, Rule::RequestReuse, call.span, &members, message);
                note.related.push((since, "that operation is started here".to_owned()));
            }
            _ => {
                let message = format!("the request of `{name}` is never freed");
                let place = at.scope.engine.site_place(life.made);
                let note = self.note(at, Rule::RequestLeak, place.1, &members, message);
                note.place = place;
            }
        }
    }

    pub(super) fn wait(
        &mut self,
        at: &mut At<'_, '_, '_>,
        lives: &mut Lives,
        call: &Call<'_>,
        site: SiteId,
        which: Which,
    ) {
        let Some(given) = given(at, call) else {
            lives.retain(|life| life.kind != Object::Request);
            self.needed.insert(site);
            return;
        };
        if matches!(which, Which::Any | Which::Some) {
            forget_asked_by_copies(at, lives, call);
        }
        let is_given = |life: &Life| life.kind == Object::Request && given.contains(&life.slot);
        let active = |life: &&Life| is_given(life) && matches!(life.stage, Stage::Active { .. });
        if matches!(which, Which::Any | Which::Some) && lives.iter().filter(active).count() != 1 {
            ask_for_any(at, lives, &given, site);
            return;
        }
        if which == Which::One {
            self.judge_wait(at, lives, call, site, given.first().copied());
        }
        for life in lives.iter().filter(|life| is_given(life)) {
            if matches!(life.stage, Stage::Inactive { started: false, .. }) {
                self.await_in_vain(at, life, call);
            }
            self.wait_for_partitions(at, life, call);
        }
        for life in lives.iter_mut().filter(|life| is_given(life)) {
            match life.stage {
                Stage::Inactive { started: false, .. } => {
                    life.stage = Stage::Inactive { started: false, awaited: true };
                }
                Stage::Active { stays: true, .. } | Stage::Tested(_) => {
                    life.stage = Stage::Inactive { started: true, awaited: false }
                }
                Stage::Active { stays: false, .. } => life.stage = Stage::Completed(site),
                _ => {}
            }
        }
    }

    /// A wait for a persistent operation that has not been started.
    fn await_in_vain(&mut self, at: &At<'_, '_, '_>, life: &Life, call: &Call<'_>) {
        let Some(members) = life.members(at.scope.ranks, at.scope.facts) else { return };
        let message =
            format!("waits for the operation of `{}`, which is never started", operation(at, life.made));
        let note = self.note(at, Rule::PersistentNotStarted, call.span, &members, message);
        note.related.push((life.made, "the request is made here".to_owned()));
        note.unless = Unless::Started(life.made);
    }

    /// Whether anybody needs a wait for one request.
    fn judge_wait(
        &mut self,
        at: &mut At<'_, '_, '_>,
        lives: &Lives,
        call: &Call<'_>,
        site: SiteId,
        given: Option<Slot>,
    ) {
        // The handle is null where the operation is complete.
        let place = given.or_else(|| slot(at, call, call.mpi.param_with_role(Role::Request)));
        let known: Vec<&Life> =
            lives.iter().filter(|l| l.kind == Object::Request && Some(l.slot) == place).collect();
        let [life] = known[..] else {
            // A handle that the program has set to null needs no wait.
            let is_null = place.is_some_and(|place| {
                read(at, place).as_name().is_some_and(|name| null_name(Object::Request) == Some(name))
            });
            if !(known.is_empty() && is_null) {
                self.needed.insert(site);
            }
            return;
        };
        let Some(members) = life.members(at.scope.ranks, at.scope.facts) else {
            self.needed.insert(site);
            return;
        };
        let related = match life.stage {
            Stage::Completed(by) => Some((by, "it is completed here")),
            Stage::Inactive { started: true, .. } => Some((life.made, "the request is made here")),
            // Nobody needs a wait that returns at once, but nothing has been waited for before.
            Stage::Inactive { started: false, .. } => return,
            _ => None,
        };
        match related {
            Some((place, what)) => {
                let name = operation(at, life.made);
                let message =
                    format!("the operation of `{name}` has been waited for already: this returns at once");
                let note = self.note(at, Rule::RequestNotActive, call.span, &members, message);
                note.related.push((place, what.to_owned()));
                note.unless = Unless::Needed(site);
            }
            _ => {
                self.needed.insert(site);
            }
        }
    }

    pub(super) fn start(
        &mut self,
        at: &mut At<'_, '_, '_>,
        lives: &mut Lives,
        call: &Call<'_>,
        site: SiteId,
    ) {
        let Some(given) = given(at, call) else {
            lives.retain(|life| life.kind != Object::Request);
            self.starts_any = true;
            return;
        };
        for place in given {
            let known: Vec<Life> =
                lives.iter().filter(|l| l.kind == Object::Request && l.slot == place).cloned().collect();
            self.starts_any |= known.is_empty();
            for life in known {
                self.started.insert(life.made);
                if matches!(life.stage, Stage::Inactive { .. }) {
                    self.touch_again(at, lives, &life, call.span);
                }
                let (Stage::Active { since, .. }, Some(members)) =
                    (life.stage, life.members(at.scope.ranks, at.scope.facts))
                else {
                    continue;
                };
                let name = operation(at, life.made);
                let message =
                    format!("the request of `{name}` is started again while it may still be active");
                let note = self.note(at, Rule::RequestReuse, call.span, &members, message);
                note.related.push((since, "the operation is started here".to_owned()));
            }
            for life in lives.iter_mut().filter(|l| l.kind == Object::Request && l.slot == place) {
                if matches!(life.stage, Stage::Inactive { .. } | Stage::Tested(_)) {
                    life.stage = Stage::Active { since: site, stays: true };
                    life.begin_partitions();
                }
            }
        }
    }

    /// `MPI_Request_free`: nobody can wait any more. Of an active operation that is no completion (MPI-4.1 sections 3.7.3 and 6.12).
    pub(super) fn free_request(
        &mut self,
        at: &mut At<'_, '_, '_>,
        lives: &mut Lives,
        call: &Call<'_>,
        site: SiteId,
    ) {
        let Some(given) = given(at, call) else {
            lives.retain(|life| life.kind != Object::Request);
            return;
        };
        let mut detached = Vec::new();
        for life in lives.iter().filter(|l| l.kind == Object::Request && given.contains(&l.slot)) {
            let Some(members) = life.members(at.scope.ranks, at.scope.facts) else { continue };
            let name = operation(at, life.made);
            match life.stage {
                Stage::Inactive { started: false, awaited: false } => {
                    let message = format!("the operation of `{name}` is never started");
                    let note = self.note_at(at, Rule::PersistentNotStarted, life.made, &members, message);
                    note.related.push((site, "the request is freed here".to_owned()));
                    note.unless = Unless::Started(life.made);
                }
                Stage::Active { since, .. } => {
                    let Some(function) = lookup(&name) else { continue };
                    let is_collective = function.is_collective();
                    // That what is sent has arrived may be known by an answer; of a receive nothing else can tell.
                    if !is_collective && !function.buffers().any(|buffer| buffer.direction.writes()) {
                        if life.partitions.is_none() {
                            let (areas, who) = (Rc::clone(&life.areas), life.who.clone());
                            let send = Life::new(Kind::Detached, life.slot, life.made, Stage::Live);
                            // The handle says nothing of it any more.
                            let handle = Some(Value::Address(life.slot.0, life.slot.1.into()));
                            detached.push(Life { areas, who, handle, ..send });
                        }
                        continue;
                    }
                    let message = format!(
                        "the request of `{name}` is freed while the operation may be active: nothing can tell any more when it is complete"
                    );
                    let note = self.note_at(at, Rule::RequestMissingWait, since, &members, message);
                    note.related.push((site, "the request is freed here".to_owned()));
                    // The standard forbids it for collective operations, and advises against it for receives.
                    note.severity = (!is_collective).then_some(Severity::Warning);
                }
                _ => {}
            }
        }
        for life in lives.iter_mut().filter(|l| l.kind == Object::Request && given.contains(&l.slot)) {
            life.stage = Stage::Freed(site);
        }
        detached.into_iter().for_each(|send| lives.add(send));
    }

    /// Requests that a call is given by a copy of the handle, and that are freed already; and those that it frees once more.
    pub(super) fn given_freed(&mut self, at: &mut At<'_, '_, '_>, lives: &Lives, call: &Call<'_>) {
        if !lives.iter().any(|l| l.kind == Object::Request && matches!(l.stage, Stage::Freed(_))) {
            return;
        }
        let again = call.mpi.class == Class::RequestFree;
        let mut places = given(at, call).unwrap_or_default();
        if again && places.is_empty() {
            // The handle is null since then.
            places.extend(slot(at, call, call.mpi.param_with_role(Role::Request)));
        }
        for place in places {
            let named = || lives.iter().filter(|l| l.kind == Object::Request && l.slot == place);
            if named().all(|life| matches!(life.stage, Stage::Freed(_)))
                && let Some(life) = named().next()
            {
                self.note_freed(at, life, call, call.span, again);
            }
        }
    }
}
