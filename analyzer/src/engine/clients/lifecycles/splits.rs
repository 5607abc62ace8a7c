//! Split collective accesses to files (MPI-4.1 section 14.4.5): the buffer belongs to the operation from its first call to the second one,
//! which is of the same kind, and a file has one such operation at a time.

use frontend::mpi::{Class, Object, Role, lookup};

use super::super::At;
use super::lives::{Kind, Life, Lives, Stage};
use super::{Lifecycles, buffers, operation};
use crate::engine::mpi::Call;
use crate::engine::state::SiteId;
use crate::engine::value::Value;
use crate::rules::Rule;

impl Lifecycles {
    /// The first half.
    pub(super) fn begin_split(
        &mut self,
        at: &mut At<'_, '_, '_>,
        lives: &mut Lives,
        call: &Call<'_>,
        site: SiteId,
    ) {
        let Some(handle) = call.value(Role::File).cloned() else { return };
        if let Some(other) = under_way(lives, &handle)
            && let Some(members) = other.members(at.scope.ranks, at.scope.facts)
        {
            let message = format!(
                "{} begins while `{}` is not ended on the same file",
                call.mpi.name,
                operation(at, other.made)
            );
            let made = other.made;
            let note = self.note(at, Rule::InvalidFile, call.span, &members, message);
            note.related.push((made, "that one begins here".to_owned()));
        }
        let areas = buffers::areas(at, call);
        // One whose buffer is not known has no place of its own.
        let file =
            lives.iter().find(|life| life.kind == Object::File && life.handle.as_ref() == Some(&handle));
        let slot = areas.first().map(|area| (area.object, 0)).or_else(|| file.map(|file| file.slot));
        let Some(slot) = slot else { return };
        lives.add(Life {
            handle: Some(handle),
            areas: areas.into_iter().take(1).collect(),
            ..Life::new(Kind::Split, slot, site, Stage::Live)
        });
    }

    /// The second half.
    pub(super) fn end_split(&mut self, at: &At<'_, '_, '_>, lives: &mut Lives, call: &Call<'_>) {
        let handle = call.value(Role::File).filter(|handle| matches!(handle, Value::Comm(_)));
        if let Some(begun) = handle.and_then(|handle| under_way(lives, handle))
            && !ends(call, &operation(at, begun.made))
            && let Some(members) = begun.members(at.scope.ranks, at.scope.facts)
        {
            let message = format!("{} ends what `{}` has begun", call.mpi.name, operation(at, begun.made));
            let made = begun.made;
            let note = self.note(at, Rule::InvalidFile, call.span, &members, message);
            note.related.push((made, "it begins here".to_owned()));
        }
        lives.retain(|life| life.kind != Kind::Split || (handle.is_some() && life.handle.as_ref() != handle));
    }

    /// What is not ended when its file is closed.
    pub(super) fn leave_split(
        &mut self,
        at: &At<'_, '_, '_>,
        lives: &mut Lives,
        handle: Option<&Value>,
        site: SiteId,
    ) {
        if let Some(begun) = handle.and_then(|handle| under_way(lives, handle))
            && let Some(members) = begun.members(at.scope.ranks, at.scope.facts)
        {
            let message = format!("the operation that `{}` begins is never ended", operation(at, begun.made));
            let note = self.note_at(at, Rule::RequestMissingWait, begun.made, &members, message);
            note.related.push((site, "the file is closed here".to_owned()));
        }
        lives.retain(|life| life.kind != Kind::Split || life.handle.as_ref() != handle);
    }
}

/// The operation under way on a file; `None` also where files cannot be told from each other, as those that each process has for
/// itself.
fn under_way<'l>(lives: &'l Lives, handle: &Value) -> Option<&'l Life> {
    let Value::Comm(file) = handle else { return None };
    let is_it = |life: &&Life| life.kind == Kind::Split && life.handle.as_ref() == Some(handle);
    let mut all = lives.iter().filter(is_it);
    all.next().filter(|_| !file.is_own() && all.next().is_none())
}

/// Whether a second half is that of this first one.
fn ends(call: &Call<'_>, begun: &str) -> bool {
    let kind = |class: Class| match class {
        Class::FileData { write, position, .. } => Some((write, position)),
        _ => None,
    };
    lookup(begun).is_none_or(|begun| kind(begun.class) == kind(call.mpi.class))
}
