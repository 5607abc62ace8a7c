//! Intercommunicators: two groups of which each member names those of the other by their ranks.
//!
//! They are followed where the number of processes is fixed, so that the members of both groups are listed. All processes of the two
//! describe one intercommunicator by the same [`Group::Sides`]; which side is its own, a process knows by its rank.

use std::sync::Arc;

use frontend::mpi::{CommConstructor, Direction, Role};
use lattice::{Constraints, Linear, Ranks};

use super::Engine;
use super::group::Group;
use super::mpi::Call;
use super::need::Need;
use super::state::{Communicator, Entered, Partition, ProcessSet, State};
use super::value::Value;

impl Group {
    /// The groups of an intercommunicator: that of the lowest rank first.
    pub(crate) fn sides(a: Vec<i64>, b: Vec<i64>) -> Self {
        let (first, second) = if a.iter().min() <= b.iter().min() { (a, b) } else { (b, a) };
        Self::Sides(first.into(), second.into())
    }

    /// The group that a member belongs to; all of what is no intercommunicator.
    pub(crate) fn own_side(&self, member: &Ranks, facts: &Constraints) -> Option<Self> {
        self.side(member, facts, true)
    }

    /// The group whose members a member names by their ranks.
    pub(crate) fn other_side(&self, member: &Ranks, facts: &Constraints) -> Option<Self> {
        self.side(member, facts, false)
    }

    fn side(&self, member: &Ranks, facts: &Constraints, own: bool) -> Option<Self> {
        let Self::Sides(first, second) = self else { return Some(self.clone()) };
        let in_first = Self::of(first.to_vec()).holds(member, facts)?;
        Some(Self::of(if in_first == own { first.to_vec() } else { second.to_vec() }))
    }
}

/// Asks for sets of one process each, where the number of processes is fixed.
fn stand_alone(ranks: &Ranks, facts: &Constraints) -> Result<(), Need> {
    for (position, digit) in ranks.digits().iter().enumerate() {
        if let (Some(lo), Some(hi)) = (facts.constant(&digit.lo), facts.constant(&digit.hi))
            && lo < hi
        {
            return Err(Need::Split(position, digit.lo.clone()));
        }
    }
    Ok(())
}

/// Where the members of a group are listed, each of them has to stand alone to know its place.
pub(crate) fn know_place(group: &Group, ranks: &Ranks, facts: &Constraints) -> Result<(), Need> {
    match group {
        Group::Progression(_) => Ok(()),
        Group::List(_) | Group::Sides(..) => stand_alone(ranks, facts),
    }
}

impl Engine<'_> {
    /// The root of a collective call on an intercommunicator, by its place in both groups, one after the other; `None` for members of
    /// the root's own group, which do not say who it is.
    pub(crate) fn root_between(
        &self,
        state: &State,
        set: &ProcessSet,
        group: &Group,
        root: &Value,
    ) -> Result<Option<Linear>, Need> {
        let facts = &state.facts;
        let world = match root {
            Value::Name(name) if &**name == "MPI_PROC_NULL" => return Ok(None),
            Value::Name(name) if &**name == "MPI_ROOT" => set.ranks.as_single(facts),
            Value::Int(root) => group.other_side(&set.ranks, facts).and_then(|g| g.to_world(root, facts)),
            _ => None,
        };
        let place = world.and_then(|world| {
            let wanted = facts.constant(&world)?;
            let place = group.listed(facts)?.iter().position(|&rank| rank == wanted)?;
            i64::try_from(place).ok().map(Linear::from)
        });
        place
            .map(Some)
            .ok_or_else(|| Need::give_up("the root of a call on an intercommunicator is not known"))
    }

    /// How a call makes an intercommunicator, or a communicator of one.
    pub(crate) fn partition_of_sides(
        &self,
        state: &State,
        set: &ProcessSet,
        call: &Call<'_>,
        how: CommConstructor,
    ) -> Result<Partition, Need> {
        let unknown = || {
            Need::give_up(match self.fixed {
                None => {
                    format!("what `{}` makes is followed for given numbers of processes only", call.mpi.name)
                }
                Some(_) => format!("the groups that `{}` connects are not known", call.mpi.name),
            })
        };
        let facts = &state.facts;
        stand_alone(&set.ranks, facts)?;
        let number = |value: Option<&Value>| facts.constant(value?.as_int()?);
        match how {
            CommConstructor::IntercommMerge => {
                let high = number(call.value(Role::Flag)).ok_or_else(unknown)?;
                Ok(Partition::Merged { high: high != 0 })
            }
            CommConstructor::IntercommCreate if self.fixed.is_some() => {
                let mut arguments = call.mpi.params_with_role(Role::Leader).map(|(i, _)| call.at(Some(i)));
                let (local, remote) = (arguments.next().flatten(), arguments.next().flatten());
                let group = self.communicator(call)?.group.clone();
                let leader =
                    number(local).and_then(|rank| facts.constant(&group.to_world(&rank.into(), facts)?));
                let leader = leader.ok_or_else(unknown)?;
                if set.ranks.as_single(facts).and_then(|rank| facts.constant(&rank)) != Some(leader) {
                    return Ok(Partition::Bridge { leader, peer: None });
                }
                let peers = call
                    .mpi
                    .params_with_role(Role::Communicator)
                    .filter(|(_, param)| param.direction == Direction::In)
                    .nth(1)
                    .and_then(|(index, _)| call.at(Some(index)));
                let peers = match peers {
                    Some(Value::Comm(communicator)) => communicator.group.clone(),
                    Some(Value::Name(name)) => Communicator::predefined(name).ok_or_else(unknown)?.group,
                    _ => return Err(unknown()),
                };
                let peer =
                    number(remote).and_then(|rank| facts.constant(&peers.to_world(&rank.into(), facts)?));
                let tag = number(call.value(Role::ContextTag));
                let (Some(peer), Some(tag)) = (peer, tag) else { return Err(unknown()) };
                Ok(Partition::Bridge { leader, peer: Some((peer, tag)) })
            }
            _ => Err(unknown()),
        }
    }

    /// The entries of one side of `MPI_Intercomm_create` with those of the other; `None` while that has not been entered by all of its
    /// processes. Other calls have one side only.
    pub(crate) fn with_other_side(&self, state: &State, together: Vec<usize>) -> Option<Vec<usize>> {
        let Some((leader, peer)) = leaders(state, &together)? else { return Some(together) };
        let (peer, tag) = peer?;
        let there = state.entered.iter().find(|entered| {
            let rank = entered.members.as_single(&state.facts).and_then(|rank| state.facts.constant(&rank));
            rank == Some(peer) && matches!(bridge(entered), Some((leader, _)) if leader == peer)
        })?;
        let others = self.first_of_all(state, &there.call.communicator)?;
        match leaders(state, &others)? {
            Some((head, Some((back, same)))) if head == peer && back == leader && same == tag => {
                Some(together.into_iter().chain(others).collect())
            }
            _ => None,
        }
    }
}

/// The leader that an entry of `MPI_Intercomm_create` names, and if it is that of the leader itself the remote leader and the tag.
fn bridge(entered: &Entered) -> Option<(i64, Option<(i64, i64)>)> {
    match entered.call.creates.as_ref()?.how {
        Partition::Bridge { leader, peer } => Some((leader, peer)),
        _ => None,
    }
}

/// What the entries of one side say of the leaders: `Some(None)` if they do not make an intercommunicator, `None` if they disagree.
#[expect(clippy::type_complexity, reason = "a pair of leaders, of which the second comes with the tag")]
fn leaders(state: &State, together: &[usize]) -> Option<Option<(i64, Option<(i64, i64)>)>> {
    let mut all = together.iter().map(|&index| bridge(&state.entered[index]));
    let Some((leader, mut peer)) = all.next()? else { return Some(None) };
    for other in all {
        let (same, known) = other?;
        if same != leader {
            return None;
        }
        peer = peer.or(known);
    }
    Some(Some((leader, peer)))
}

/// The groups on both sides of a call of `MPI_Intercomm_create`, as one.
pub(crate) fn connected(entries: &[Entered], facts: &Constraints) -> Option<Group> {
    let side = |entered: &Entered| entered.call.communicator.group.listed(facts);
    let first = side(entries.first()?)?;
    let second = entries.iter().map(side).find(|other| other.as_ref() != Some(&first))??;
    Some(Group::sides(first, second))
}

/// The group of `MPI_Intercomm_merge`: those that say they are low, then those that say they are high.
pub(crate) fn merged(entries: &[Entered], facts: &Constraints) -> Result<Group, Need> {
    let Group::Sides(first, second) = &entries[0].call.communicator.group else {
        return Err(Need::give_up("a communicator of one group is merged"));
    };
    let high = |side: &Arc<[i64]>| {
        let group = Group::of(side.to_vec());
        let mut said = entries
            .iter()
            .filter(|entered| group.holds(&entered.members, facts) == Some(true))
            .map(|entered| match entered.call.creates.as_ref().map(|creation| &creation.how) {
                Some(Partition::Merged { high }) => Some(*high),
                _ => None,
            });
        let first = said.next()??;
        said.all(|other| other == Some(first)).then_some(first)
    };
    let (low, high) = match (high(first), high(second)) {
        (Some(false), Some(true)) => (first, second),
        (Some(true), Some(false)) => (second, first),
        _ => return Err(Need::give_up("which group comes first in a merge is not determined")),
    };
    Ok(Group::of(low.iter().chain(high.iter()).copied().collect()))
}

/// The part of an intercommunicator that some of its processes make: those of them on each side. `None`: on one side there is nobody,
/// and so no communicator.
pub(crate) fn part_of_sides(whole: &Group, part: &Group, facts: &Constraints) -> Option<Group> {
    let Group::Sides(first, second) = whole else { return Some(part.clone()) };
    let listed = part.listed(facts)?;
    let on =
        |side: &Arc<[i64]>| -> Vec<i64> { listed.iter().copied().filter(|r| side.contains(r)).collect() };
    let (a, b) = (on(first), on(second));
    (!a.is_empty() && !b.is_empty()).then(|| Group::sides(a, b))
}
