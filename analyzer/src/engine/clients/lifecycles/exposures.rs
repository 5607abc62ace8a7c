//! Epochs with partners: `MPI_Win_start` waits for an `MPI_Win_post` of each process of its group, and `MPI_Win_wait` for the
//! `MPI_Win_complete` of each (MPI-4.1 section 12.5.2).

use std::rc::Rc;
use std::sync::Arc;

use frontend::mpi::{Object, RmaSync, Role};
use lattice::{Constraints, Linear, Ranks, Truth};

use super::super::At;
use super::Note;
use super::accesses::{Detail, over_rank};
use super::conflicts::{Given, from_np, is_freed_by, is_member, samples, seen_at};
use super::lives::{Kind, Life, Lives, Stage};
use crate::engine::Engine;
use crate::engine::group::Group;
use crate::engine::mpi::{Call, Partner};
use crate::engine::state::{Entered, SiteId, State};
use crate::engine::value::Value;
use crate::rules::Rule;

/// Different calls of one set that are kept.
const KEPT: usize = 8;

/// Members of a group that are looked at one by one.
const LISTED: usize = 64;

/// With whom an epoch is.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Partners {
    /// It lets the others access; otherwise it accesses them.
    posts: bool,
    /// Not known: `None`.
    group: Option<Arc<Group>>,
}

/// Keeps a call that opens an epoch with partners.
pub(super) fn keep_partners(lives: &mut Lives, call: &Call<'_>, site: SiteId, how: RmaSync, handle: &Value) {
    let posts = match how {
        RmaSync::Post => true,
        RmaSync::Start => false,
        _ => return,
    };
    let group = match call.value(Role::Group) {
        Some(Value::Group(group)) => Some(Arc::clone(group)),
        _ => None,
    };
    let detail = Some(Rc::new(Detail::Partners(Partners { posts, group })));
    let is_it = |life: &Life| life.kind == Object::Window && life.handle.as_ref() == Some(handle);
    let Some(slot) = lives.iter().find(|life| is_it(life)).map(|life| life.slot) else { return };
    let full = lives.is_full() || KEPT <= lives.iter().filter(|life| life.kind == Kind::Partners).count();
    for life in lives.iter_mut().filter(|life| is_it(life)) {
        life.change_home(|home| {
            let number = if posts { &mut home.posts } else { &mut home.starts };
            *number = 2.min(*number + 1);
            home.partial |= full;
        });
    }
    let life =
        Life { handle: Some(handle.clone()), detail, ..Life::new(Kind::Partners, slot, site, Stage::Done) };
    if !full && !lives.iter().any(|other| *other == life) {
        lives.add(life);
    }
}

/// Ranks of a group in `MPI_COMM_WORLD` as a member sees them, where they are known one by one.
fn listed(group: &Group, rank: &Linear, facts: &Constraints) -> Option<Vec<Linear>> {
    let seen = |value: &Linear| seen_at(value, rank);
    match group {
        Group::Progression(all) => {
            let count = usize::try_from(facts.constant(&seen(&all.count)?)?).ok().filter(|&n| n <= LISTED)?;
            let (first, step) = (seen(&all.first)?, seen(&all.step)?);
            (0..count).map(|i| first.add_scaled(&step, i64::try_from(i).ok()?)).collect()
        }
        Group::List(ranks) => {
            (ranks.len() <= LISTED).then(|| ranks.iter().map(|&rank| Linear::from(rank)).collect())
        }
        Group::Joined(_) | Group::Sides(_) => None,
    }
}

/// Whether a group, as a member sees it, is proved not to have that rank.
fn misses(group: &Group, rank: &Linear, wanted: &Linear, facts: &Constraints) -> bool {
    if let Some(ranks) = listed(group, rank, facts) {
        return ranks.iter().all(|one| facts.eq(one, wanted) == Truth::No);
    }
    let is_uniform = !group.is_slice();
    is_uniform && group.holds(&Ranks::single(wanted.clone()), facts) == Some(false)
}

/// Whether the target of an operation is proved to be none of the group of its epoch, for some member.
pub(super) fn is_outside(at: &At<'_, '_, '_>, lives: &Lives, start: SiteId, call: &Call<'_>) -> bool {
    let facts = &at.scope.facts;
    let handle = call.at(call.mpi.param_with_role(Role::Window));
    let Some(Value::Comm(window)) = handle else { return false };
    let Ok(Partner::Rank(rank)) = call.partner(call.mpi.param_with_role(Role::Target)) else { return false };
    let target = window.group.to_world(&rank, facts);
    let Some(target) = target.and_then(|target| over_rank(at.scope.ranks, facts, &target)) else {
        return false;
    };
    let mut epochs = lives
        .iter()
        .filter(|life| life.kind == Kind::Partners && life.made == start && life.handle.as_ref() == handle);
    let (Some(life), None) = (epochs.next(), epochs.next()) else { return false };
    let Some(Detail::Partners(Partners { group: Some(group), .. })) = life.detail.as_deref() else {
        return false;
    };
    let Some(members) = life.members(at.scope.ranks, facts) else { return false };
    samples(&members, facts)
        .iter()
        .any(|rank| seen_at(&target, rank).is_some_and(|target| misses(group, rank, &target, facts)))
}

impl Engine<'_> {
    /// Epochs of a freed window whose partners have never opened the other side.
    pub(super) fn left_alone(
        &self,
        state: &State,
        given: &[Given<'_>],
        entries: &[Entered],
        takes_part: &dyn Fn(&Ranks) -> bool,
    ) -> Vec<Note> {
        let facts = &state.facts;
        let mut sides: Vec<(Ranks, &Life, &Partners)> = Vec::new();
        for set in state.sets.iter().filter(|set| takes_part(&set.ranks)) {
            for life in set.known.lives.iter() {
                let Some(Detail::Partners(partners)) = life.detail.as_deref() else { continue };
                match life.members(&set.ranks, facts) {
                    Some(members) => sides.push((members, life, partners)),
                    None => return Vec::new(),
                }
            }
        }
        let is_freed = |life: &Life| {
            state.sets.iter().filter(|set| takes_part(&set.ranks)).any(|set| {
                set.known
                    .lives
                    .iter()
                    .any(|w| w.home().is_some() && w.handle == life.handle && is_freed_by(w, entries))
            })
        };
        let mut notes = Vec::new();
        for (members, life, partners) in &sides {
            let (Some(group), Some(handle)) = (&partners.group, &life.handle) else { continue };
            if !is_freed(life) {
                continue;
            }
            // Whether one of the group has no epoch of the other kind with this rank.
            let is_alone = |rank: &Linear, facts: &Constraints| {
                let others = listed(group, rank, facts).unwrap_or_default();
                others.into_iter().find(|other| {
                    let homes = given.iter().filter(|one| one.handle == handle);
                    let mut of_it = homes.filter(|one| is_member(other, &one.members, facts));
                    let is_known = of_it.next().is_some_and(|one| !one.home.partial);
                    let theirs = sides.iter().filter(|(ranks, life, side)| {
                        side.posts != partners.posts
                            && life.handle.as_ref() == Some(handle)
                            && !ranks.disjoint(&Ranks::single(other.clone()), facts)
                    });
                    let mut theirs = theirs.map(|(.., side)| side.group.as_deref());
                    is_known
                        && theirs.all(|group| group.is_some_and(|group| misses(group, other, rank, facts)))
                })
            };
            let found = [1, 2, 3, 4].into_iter().find_map(|least| {
                let facts = from_np(facts, least)?;
                samples(members, &facts).into_iter().find_map(|rank| Some((is_alone(&rank, &facts)?, least)))
            });
            let Some((other, least)) = found else { continue };
            let other = self.symbols.display(&other).unwrap_or_else(|| "another rank".to_owned());
            let (name, missing) = if partners.posts {
                ("MPI_Win_post", "MPI_Win_start")
            } else {
                ("MPI_Win_start", "MPI_Win_post")
            };
            let message = format!(
                "the epoch that `{name}` opens with rank {other} has no other side: that rank never calls `{missing}` with this one in its group"
            );
            let mut note = self.noted(Rule::RmaEpoch, life.made, members, message);
            note.from_np = (1 < least).then_some(least);
            notes.push(note);
        }
        notes
    }
}
