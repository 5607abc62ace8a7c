//! Datatypes, communicators, groups, operations, windows and files: made, used, given up.

use std::rc::Rc;

use frontend::ir::{Expr, ExprKind, Span};
use frontend::mpi::{Class, Direction, FileOp, Object, Role, TypeConstructor, WinConstructor};

use super::super::At;
use super::accesses::{Detail, given_memory};
use super::buffers::Area;
use super::epochs::Epochs;
use super::lives::{Kind, Life, Lives, Slot, Stage};
use super::{Lifecycles, is_copied, leak_rule, operation, read, slot};
use crate::engine::mpi::{Call, null_name};
use crate::engine::state::SiteId;
use crate::engine::value::Value;
use crate::engine::windows::memory_name;
use crate::rules::Rule;

impl Lifecycles {
    /// A call that makes an object.
    pub(super) fn make(&mut self, at: &mut At<'_, '_, '_>, lives: &mut Lives, call: &Call<'_>, site: SiteId) {
        let Some((index, kind)) = call.mpi.created() else { return };
        let Some(rule) = leak_rule(kind) else { return };
        let Some(place) = slot(at, call, Some(index)) else {
            // It may have the name of one that was freed.
            lives.retain(|life| life.kind != kind || !matches!(life.stage, Stage::Freed(_)));
            return;
        };
        let is_there = |life: &Life| life.kind == kind && life.slot == place;
        let old: Vec<Life> = lives.iter().filter(|life| is_there(life)).cloned().collect();
        for life in old {
            let live = matches!(life.stage, Stage::Live | Stage::Uncommitted | Stage::Window(_));
            let Some(handle) = life.handle.as_ref().filter(|_| live) else { continue };
            if read(at, place) != *handle || is_copied(at, handle, place) {
                continue;
            }
            let Some(members) = life.members(at.scope.ranks, at.scope.facts) else { continue };
            let name = operation(at, life.made);
            let message = format!("the {} that `{name}` makes is never freed", kind.keyword());
            let note = self.note_at(at, rule, life.made, &members, message);
            note.related.push((site, "its handle is overwritten here".to_owned()));
        }
        // One that another variable holds too goes on under the name of that one.
        let is_elsewhere = |life: &Life| {
            let handle = life.handle.as_ref().filter(|_| !matches!(life.stage, Stage::Freed(_)));
            handle.is_some_and(|handle| is_copied(at, handle, life.slot))
        };
        lives.retain(|life| !is_there(life) || is_elsewhere(life));
        let stage = match call.mpi.class {
            Class::WinConstructor(_) => Stage::Window(Epochs::default()),
            Class::TypeConstructor(TypeConstructor::Dup) if !is_uncommitted(lives, call) => Stage::Live,
            Class::TypeConstructor(_) => Stage::Uncommitted,
            _ => Stage::Live,
        };
        let mut life = Life::new(Kind::Object(kind), place, site, stage);
        if kind == Object::Window {
            let (mut memory, home) = given_memory(at, call, site);
            untangle(at, lives, call, site, &mut memory);
            life.areas = memory.into_iter().collect();
            life.detail = Some(Rc::new(Detail::Window(home)));
        }
        lives.add(life);
    }

    /// Handles that a call is given of what is freed already.
    pub(super) fn uses_freed(&mut self, at: &mut At<'_, '_, '_>, lives: &Lives, call: &Call<'_>) {
        if !lives.iter().any(|life| matches!(life.stage, Stage::Freed(_))) {
            return;
        }
        let destroyed = call.mpi.destroyed();
        for (index, param) in call.mpi.params.iter().enumerate() {
            let Some(kind) = param.role.object().filter(|kind| leak_rule(*kind).is_some()) else { continue };
            let frees = destroyed == Some((index, kind));
            if param.is_array() || param.direction == Direction::Out || param.is_pointer() != frees {
                continue;
            }
            let Some(arg) = call.args.get(index) else { continue };
            let place = if frees { slot(at, call, Some(index)) } else { stored_in(at, arg) };
            let handle = match (frees, place) {
                (true, Some(place)) => read(at, place),
                (true, None) => continue,
                (false, _) => call.at(Some(index)).cloned().unwrap_or(Value::Unknown),
            };
            let is_null = handle.as_name().is_some_and(|name| null_name(kind) == Some(name));
            let named = |life: &&Life| {
                life.kind == kind
                    && if is_null { Some(life.slot) == place } else { life.handle.as_ref() == Some(&handle) }
            };
            if !lives.iter().filter(named).all(|life| matches!(life.stage, Stage::Freed(_))) {
                continue;
            }
            let Some(life) = lives.iter().find(named) else { continue };
            self.note_freed(at, life, call, arg.span, frees);
        }
    }

    /// A call that is given what was freed.
    pub(super) fn note_freed(
        &mut self,
        at: &At<'_, '_, '_>,
        life: &Life,
        call: &Call<'_>,
        span: Span,
        again: bool,
    ) {
        let (Stage::Freed(freed), Some(members)) = (life.stage, life.members(at.scope.ranks, at.scope.facts))
        else {
            return;
        };
        let what = life.keyword();
        let (rule, message) = if again {
            (Rule::DoubleFree, format!("the {what} is freed a second time"))
        } else {
            (Rule::UseAfterFree, format!("the {what} of {} is freed already", call.mpi.name))
        };
        let note = self.note(at, rule, span, &members, message);
        note.related.push((freed, "it is freed here".to_owned()));
    }

    /// What the handles that a call is given stand for.
    pub(super) fn uses(&mut self, at: &mut At<'_, '_, '_>, lives: &Lives, call: &Call<'_>) {
        let needs_commit = matches!(
            call.mpi.class,
            Class::Pack { .. }
                | Class::FileData { .. }
                | Class::FileManage(FileOp::SetView)
                | Class::Rma { .. }
                | Class::ReduceLocal
        ) || call.mpi.class.communicates();
        if !needs_commit {
            return;
        }
        for (index, param) in call.mpi.params.iter().enumerate() {
            if param.role.object() != Some(Object::Datatype) || param.is_array() {
                continue;
            }
            let Some(value @ Value::Name(_)) = call.at(Some(index)) else { continue };
            let named = || {
                let all =
                    lives.iter().filter(|l| l.kind == Object::Datatype && l.handle.as_ref() == Some(value));
                all.filter(|life| !matches!(life.stage, Stage::Freed(_)))
            };
            if named().any(|life| life.stage != Stage::Uncommitted) {
                continue;
            }
            for life in named() {
                let Some(members) = life.members(at.scope.ranks, at.scope.facts) else { continue };
                let message = format!("the datatype of `{}` is not committed", call.mpi.name);
                let span = call.args.get(index).map_or(call.span, |arg| arg.span);
                let made = life.made;
                let note = self.note(at, Rule::DatatypeUncommitted, span, &members, message);
                note.related.push((made, "it is made here".to_owned()));
            }
        }
    }

    /// A communicator that a call is given before the operation that makes it is complete (MPI-4.1 section 7.4.2).
    pub(super) fn uses_unmade(&mut self, at: &mut At<'_, '_, '_>, lives: &Lives, call: &Call<'_>) {
        let is_open = |life: &Life| {
            let request = |other: &Life| {
                other.kind == Object::Request
                    && other.made == life.made
                    && matches!(other.stage, Stage::Active { .. })
            };
            life.kind == Object::Communicator && life.who.is_none() && lives.iter().any(request)
        };
        if !lives.iter().any(is_open) {
            return;
        }
        for (index, param) in call.mpi.params.iter().enumerate() {
            let is_read = param.direction == Direction::In && !param.is_pointer();
            if param.role.object() != Some(Object::Communicator) || !is_read {
                continue;
            }
            let Some(arg) = call.args.get(index) else { continue };
            let place = stored_in(at, arg);
            let named = |life: &&Life| match &life.handle {
                Some(handle) => call.at(Some(index)) == Some(handle),
                None => Some(life.slot) == place,
            };
            let Some(life) = lives.iter().filter(|life| is_open(life)).find(named) else { continue };
            let Some(members) = life.members(at.scope.ranks, at.scope.facts) else { continue };
            let by = operation(at, life.made);
            let message =
                format!("the communicator of {} is not made before `{by}` is complete", call.mpi.name);
            let note = self.note(at, Rule::InvalidCommunicator, arg.span, &members, message);
            note.related.push((life.made, "that operation is started here".to_owned()));
        }
    }

    /// A call that gives an object up.
    pub(super) fn free(&mut self, at: &mut At<'_, '_, '_>, lives: &mut Lives, call: &Call<'_>, site: SiteId) {
        let Some((index, kind)) = call.mpi.destroyed() else { return };
        if leak_rule(kind).is_none() {
            return;
        }
        let Some(place) = slot(at, call, Some(index)) else {
            // One of an array, or any.
            lives.retain(|life| life.kind != kind);
            return;
        };
        let handle = read(at, place);
        let known = matches!(handle, Value::Name(_) | Value::Comm(_) | Value::Group(_));
        let at_slot = |life: &Life| {
            life.kind == kind
                && life.slot == place
                && (!known || life.handle.as_ref().is_none_or(|h| *h == handle))
        };
        let by_handle = |life: &Life| life.kind == kind && known && life.handle.as_ref() == Some(&handle);
        let is_in_place = lives.iter().any(at_slot);
        let is_it = |life: &Life| if is_in_place { at_slot(life) } else { by_handle(life) };
        let gone: Vec<Life> = lives.iter().filter(|life| is_it(life)).cloned().collect();
        if gone.iter().any(|life| life.stage == Stage::Alike) {
            return;
        }
        let mut found: Vec<Slot> = gone.iter().map(|life| life.slot).collect();
        found.dedup();
        if let [_] = found[..] {
            for life in gone {
                self.window_ends(at, lives, &life, site);
                let of_it = |other: &Life| other.kind == Kind::Transfer && other.handle == life.handle;
                for other in lives.iter_mut().filter(|other| of_it(other)) {
                    other.stage = Stage::Done;
                    other.areas = Rc::default();
                }
                if life.kind == Object::File {
                    self.leave_split(at, lives, life.handle.as_ref(), site);
                }
            }
        }
        match found[..] {
            [_] => {
                for life in lives.iter_mut().filter(|life| is_it(life)) {
                    life.stage = Stage::Freed(site);
                    // This is the handle that is null now.
                    life.slot = place;
                }
            }
            // One that is known under another name, or not at all.
            [] if !known => lives.retain(|life| life.kind != kind),
            [] => lives.retain(|life| life.kind != kind || life.handle.is_some()),
            // Several that have one name.
            [..] => lives.retain(|life| !found.contains(&life.slot)),
        }
    }
}

/// The memory that one call allocates for two windows has one name: of neither is known then where it is.
fn untangle(
    at: &At<'_, '_, '_>,
    lives: &mut Lives,
    call: &Call<'_>,
    site: SiteId,
    memory: &mut Option<Area>,
) {
    if call.mpi.class != Class::WinConstructor(WinConstructor::Allocate) {
        return;
    }
    let name = Value::Name(memory_name(site));
    let place = slot(at, call, call.mpi.param_with_role(Role::AllocatedMemory));
    let is_other = |life: &Life| matches!(life.stage, Stage::Window(_)) && life.made == site;
    if place.is_none_or(|place| is_copied(at, &name, place)) || lives.iter().any(is_other) {
        lives.iter_mut().filter(|life| is_other(life)).for_each(|life| life.areas = Rc::default());
        *memory = None;
    }
}

/// The variable that an argument is read from.
fn stored_in(at: &mut At<'_, '_, '_>, arg: &Expr) -> Option<Slot> {
    let ExprKind::Load(place) = &arg.strip_casts().kind else { return None };
    let location = at.scope.locate(place).ok()??;
    Some((location.object, at.scope.facts.constant(location.offset.as_ref()?)?))
}

/// Whether the datatype that a call is given is not committed.
fn is_uncommitted(lives: &Lives, call: &Call<'_>) -> bool {
    let types = call.mpi.params.iter().zip(call.values).filter(|(param, _)| {
        param.role.object() == Some(Object::Datatype) && param.direction == Direction::In
    });
    let mut values = types.map(|(_, value)| value);
    values.any(|value| {
        lives.iter().any(|life| life.handle.as_ref() == Some(value) && life.stage == Stage::Uncommitted)
    })
}
