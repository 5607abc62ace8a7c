//! What processes assert where they synchronise a window (MPI-4.1 section 12.5.5), against what is done: that nobody puts anything into
//! the memory here, and that nothing was stored in it.

use std::rc::Rc;

use frontend::ir::{BinaryOp, Expr, ExprKind};
use frontend::mpi::{Class, Object, RmaSync, Role, lookup};
use lattice::{Constraints, Ranks};

use super::super::At;
use super::accesses::{Detail, Mode};
use super::conflicts::{Given, LEAST_NP, Made, from_np, given_by, is_member, samples, seen_at};
use super::lives::{Kind, Life, Lives, Stage};
use super::{Lifecycles, Note, operation};
use crate::engine::Engine;
use crate::engine::mpi::Call;
use crate::engine::state::{Entered, SiteId, State};
use crate::engine::value::Value;
use crate::results::Related;
use crate::rules::Rule;

/// Those that all processes give, or none.
pub(crate) const BY_ALL: [(&str, &str); 2] =
    [("MPI_MODE_NOPRECEDE", "nothing precedes"), ("MPI_MODE_NOSUCCEED", "nothing follows")];

/// Whether a call makes an assertion.
pub(super) fn asserts(call: &Call<'_>, assertion: &str) -> bool {
    let index = call.mpi.param_with_role(Role::Assertion);
    let mut names = Vec::new();
    if let Some(arg) = index.and_then(|index| call.args.get(index)) {
        let _ = collect(arg, &mut names);
    }
    names.contains(&assertion) || call.at(index).and_then(Value::as_name) == Some(assertion)
}

/// All that a call asserts of what all say alike, where that is known.
pub(crate) fn asserted_by_all(call: &Call<'_>) -> Option<[bool; 2]> {
    let index = call.mpi.param_with_role(Role::Assertion)?;
    let mut names = Vec::new();
    match call.at(Some(index)) {
        Some(Value::Name(name)) => return Some(BY_ALL.map(|(assertion, _)| **name == *assertion)),
        Some(value) if value.as_constant() == Some(0) => {}
        _ => collect(call.args.get(index)?, &mut names)?,
    }
    Some(BY_ALL.map(|(assertion, _)| names.contains(&assertion)))
}

/// The assertions that an expression puts together; `None` where something else is in it.
fn collect<'e>(expr: &'e Expr, names: &mut Vec<&'e str>) -> Option<()> {
    let expr = expr.strip_casts();
    if let ExprKind::Binary(BinaryOp::BitOr, a, b) = &expr.kind {
        let (first, second) = (collect(a, names), collect(b, names));
        return first.and(second);
    }
    names.push(expr.constant_name()?);
    Some(())
}

impl Lifecycles {
    /// Judges a synchronisation that says that nothing was stored in the memory here since the last one.
    pub(super) fn judge_stores(
        &mut self,
        at: &At<'_, '_, '_>,
        lives: &Lives,
        call: &Call<'_>,
        how: RmaSync,
        handle: &Value,
    ) {
        if !matches!(how, RmaSync::Fence | RmaSync::Post) || !asserts(call, "MPI_MODE_NOSTORE") {
            return;
        }
        let is_store = |life: &&Life| {
            let access = life.access().filter(|_| life.kind == Kind::Local);
            life.handle.as_ref() == Some(handle)
                && access.is_some_and(|a| a.writes && a.mode == Mode::Plain && !a.synchronised)
        };
        let Some(store) = lives.iter().find(is_store) else { return };
        let Some(members) = store.members(at.scope.ranks, at.scope.facts) else { return };
        let message = format!(
            "`{}` says that nothing was stored in the memory of the window (MPI_MODE_NOSTORE)",
            call.mpi.name
        );
        let note = self.note(at, Rule::RmaEpoch, call.span, &members, message);
        note.related.push((store.made, "it is written to here".to_owned()));
    }
}

/// What the program has stored in the memory of a window is older than its last synchronisation from now on.
pub(super) fn age_stores(lives: &mut Lives, handle: &Value) {
    let is_store = |life: &Life| life.kind == Kind::Local && life.handle.as_ref() == Some(handle);
    for life in lives.iter_mut().filter(|life| is_store(life)) {
        if let Some(Detail::Access(access)) = life.detail.as_mut().map(Rc::make_mut) {
            access.synchronised = true;
        }
    }
}

/// Keeps that a process says that nobody puts anything into its memory, until its next synchronisation of that kind.
pub(super) fn keep_promise(
    at: &At<'_, '_, '_>,
    lives: &mut Lives,
    call: &Call<'_>,
    site: SiteId,
    how: RmaSync,
    handle: &Value,
) {
    let ends = |made: SiteId| {
        how == RmaSync::Fence
            || (how == RmaSync::Wait && synchronisation(&operation(at, made)) == Some(RmaSync::Post))
    };
    let is_kept = |life: &Life| life.kind == Kind::Promise && life.handle.as_ref() == Some(handle);
    if how == RmaSync::Test {
        // Whether the epoch is over is what the call tells.
        lives.retain(|life| !is_kept(life));
    }
    for life in lives.iter_mut().filter(|life| is_kept(life) && ends(life.made)) {
        life.stage = Stage::Done;
    }
    if !matches!(how, RmaSync::Fence | RmaSync::Post) || !asserts(call, "MPI_MODE_NOPUT") {
        return;
    }
    let window =
        lives.iter().find(|life| life.kind == Object::Window && life.handle.as_ref() == Some(handle));
    if let Some(slot) = window.map(|window| window.slot) {
        lives.add(Life { handle: Some(handle.clone()), ..Life::new(Kind::Promise, slot, site, Stage::Live) });
    }
}

fn synchronisation(name: &str) -> Option<RmaSync> {
    match lookup(name)?.class {
        Class::RmaSync(how) => Some(how),
        _ => None,
    }
}

/// Processes that have said in the epoch that is over that nobody puts anything into their memory.
pub(super) struct Promise<'a> {
    pub(super) members: Ranks,
    pub(super) site: SiteId,
    pub(super) handle: &'a Value,
}

impl Engine<'_> {
    /// Says that an operation writes to memory of a process that says that nobody does.
    pub(super) fn broken_promise(
        &self,
        made: &Made<'_>,
        promises: &[Promise<'_>],
        given: &[Given<'_>],
        facts: &Constraints,
    ) -> Option<Note> {
        let access = made.access;
        if access.how.is_none() || !access.writes {
            return None;
        }
        let concerns = |promise: &&Promise<'_>| {
            let how = synchronisation(&self.sites[promise.site.0 as usize].operation);
            promise.handle == made.handle
                && matches!(
                    (how, access.mode),
                    (Some(RmaSync::Fence), Mode::Fence) | (Some(RmaSync::Post), Mode::Start)
                )
        };
        let promises: Vec<&Promise<'_>> = promises.iter().filter(concerns).collect();
        LEAST_NP.iter().find_map(|&least| {
            let facts = from_np(facts, least)?;
            samples(&made.members, &facts).iter().find_map(|rank| {
                let target = seen_at(&access.target, rank)?;
                let promise = promises.iter().find(|one| is_member(&target, &one.members, &facts))?;
                // Of several epochs with partners it is not known which ones are the two sides of one.
                let home = |rank| given_by(given, made.handle, rank, &facts);
                if access.mode == Mode::Start && !(home(rank)?.starts == 1 && home(&target)?.posts == 1) {
                    return None;
                }
                let (name, other) = (self.name_of(made.site), self.name_of(promise.site));
                let target = self.symbols.display(&target)?;
                let message = format!(
                    "{name} writes to the memory of rank {target}, whose {other} says that nobody does (MPI_MODE_NOPUT)"
                );
                let mut note = self.note_of(Rule::RmaEpoch, made, message, least);
                note.related.push((promise.site, "it is said here".to_owned()));
                Some(note)
            })
        })
    }

    /// Reports fences of one epoch that do not say alike whether anything precedes or follows.
    pub(crate) fn check_assertions(&mut self, state: &State, entries: &[Entered]) {
        for (index, (assertion, what)) in BY_ALL.into_iter().enumerate() {
            let says = |entered: &&Entered| Some(entered.call.terms.asserts?[index]);
            let one = entries.iter().find(|entered| says(entered) == Some(true));
            let other = entries.iter().find(|entered| says(entered) == Some(false));
            let (Some(one), Some(other)) = (one, other) else { continue };
            let message = format!("says that {what} ({assertion}), which other ranks do not say");
            let message = format!("`{}` {message}", one.call.operation);
            let related = Related {
                range: self.site_range(other.call.site),
                message: "they do not say so here".to_owned(),
            };
            let place = self.site_place(one.call.site);
            self.report(Rule::RmaEpoch, state, &one.members, place, message, vec![related]);
        }
    }
}
