//! Intercommunicators: two groups of which each member names those of the other by their ranks.
//!
//! All processes of the two describe one intercommunicator by the same [`Group::Sides`]; which side is its own, a process knows by its
//! rank.

use frontend::mpi::{CommConstructor, Direction, Role};
use lattice::{Constraints, Linear, Range, Ranks, Truth};

use super::Engine;
use super::boxes::intersect;
use super::group::Group;
use super::mpi::Call;
use super::need::{Need, decide_eq, decide_le};
use super::state::{Communicator, Entered, Partition, ProcessSet, State};
use super::value::Value;

impl Group {
    /// The groups of an intercommunicator: that of the lowest rank first.
    pub(crate) fn sides(a: Self, b: Self, facts: &Constraints) -> Result<Self, Need> {
        let lowest = |group: &Self| match group {
            Self::Progression(all) if !all.ascends() => all.last(),
            Self::Progression(all) => Some(all.first.clone()),
            Self::List(ranks) => ranks.iter().min().map(|&rank| rank.into()),
            Self::Joined(_) | Self::Sides(_) => None,
        };
        let (Some(x), Some(y)) = (lowest(&a), lowest(&b)) else {
            return Err(Need::give_up(
                "which group of an intercommunicator has the lowest rank is not known",
            ));
        };
        Ok(Self::Sides(if decide_le(&x, &y, facts)? { [a, b] } else { [b, a] }.into()))
    }

    /// The group that members belong to, all of them to the same; all of what is no intercommunicator.
    pub(crate) fn own_side(&self, members: &Ranks, facts: &Constraints) -> Option<Self> {
        self.side(members, facts, true)
    }

    /// The group whose members these members name by their ranks.
    pub(crate) fn other_side(&self, members: &Ranks, facts: &Constraints) -> Option<Self> {
        self.side(members, facts, false)
    }

    fn side(&self, members: &Ranks, facts: &Constraints, own: bool) -> Option<Self> {
        let Self::Sides(sides) = self else { return Some(self.clone()) };
        let in_first = sides[0].holds(members, facts)?;
        Some(sides[usize::from(in_first != own)].clone())
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
            let Group::Sides(sides) = group else { return None };
            let one = Ranks::single(world.clone());
            match sides[0].holds(&one, facts)? {
                true => sides[0].local_rank(&world, &one, facts),
                false => sides[0].size()?.add(&sides[1].local_rank(&world, &one, facts)?),
            }
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
        let unknown = || Need::give_up(format!("the groups that `{}` connects are not known", call.mpi.name));
        let facts = &state.facts;
        // Over the ranks of the callers.
        let number = |value: Option<&Value>| value?.as_int().map(|n| set.ranks.settle(n, facts));
        match how {
            CommConstructor::IntercommMerge => {
                let high = number(call.value(Role::Flag)).filter(Linear::is_uniform).ok_or_else(unknown)?;
                Ok(Partition::Merged { high: !decide_eq(&high, &Linear::zero(), facts)? })
            }
            CommConstructor::IntercommCreate => {
                let mut arguments = call.mpi.params_with_role(Role::Leader).map(|(i, _)| call.at(Some(i)));
                let (local, remote) = (arguments.next().flatten(), arguments.next().flatten());
                let group = self.communicator(call)?.group.clone();
                let in_world = |group: &Group, rank: Option<Linear>| {
                    group.to_world(&rank?, facts).filter(Linear::is_uniform)
                };
                let leader = in_world(&group, number(local)).ok_or_else(unknown)?;
                let common = intersect(&set.ranks, &Ranks::single(leader.clone()), facts)?;
                if common.is_empty() {
                    return Ok(Partition::Bridge { leader, peer: None });
                }
                let peers = call
                    .mpi
                    .params_with_role(Role::Communicator)
                    .filter(|(_, param)| param.direction == Direction::In)
                    .nth(1)
                    .and_then(|(index, _)| call.at(Some(index)));
                let peers = match peers {
                    Some(Value::Comm(communicator)) => Some(communicator.group.clone()),
                    Some(Value::Name(name)) => Communicator::predefined(name).map(|known| known.group),
                    _ => None,
                };
                let peer = peers.and_then(|peers| in_world(&peers, number(remote)));
                match peer.zip(number(call.value(Role::ContextTag)).filter(Linear::is_uniform)) {
                    Some(peer) => Ok(Partition::Bridge { leader, peer: Some(peer) }),
                    // What the others say of the other leader does not count.
                    _ => match set.ranks.as_range() {
                        Some(range) => Err(alone(range, leader, facts).unwrap_or_else(unknown)),
                        None => Err(unknown()),
                    },
                }
            }
            _ => Err(unknown()),
        }
    }

    /// The entries of one side of `MPI_Intercomm_create` with those of the other; `None` while that has not been entered by all of its
    /// processes. Other calls have one side only.
    pub(crate) fn with_other_side(&self, state: &State, together: Vec<usize>) -> Option<Vec<usize>> {
        let facts = &state.facts;
        let same = |a: &Linear, b: &Linear| facts.eq(a, b) == Truth::Yes;
        let Some((leader, peer)) = leaders(state, &together)? else { return Some(together) };
        let (peer, tag) = peer?;
        let there = state
            .entered
            .iter()
            .find(|entered| matches!(bridge(entered), Some((leader, Some(_))) if same(leader, &peer)))?;
        let others = self.first_of_all(state, &there.call.communicator)?;
        match leaders(state, &others)? {
            Some((head, Some((back, label))))
                if same(&head, &peer) && same(&back, &leader) && same(&label, &tag) =>
            {
                Some(together.into_iter().chain(others).collect())
            }
            _ => None,
        }
    }
}

/// What is needed to tell a process from the others of a range.
fn alone(range: &Range, rank: Linear, facts: &Constraints) -> Option<Need> {
    let before = rank.offset(-1)?;
    if facts.eq(&range.lo, &range.hi) == Truth::Yes {
        return None;
    }
    let is_first = facts.le(&rank, &range.lo) == Truth::Yes;
    Some(Need::Split(0, if is_first { rank } else { before }))
}

/// The leader that an entry of `MPI_Intercomm_create` names, and if the entry is that of the leader itself the remote leader and the
/// tag.
fn bridge(entered: &Entered) -> Option<(&Linear, Option<&(Linear, Linear)>)> {
    match &entered.call.creates.as_ref()?.how {
        Partition::Bridge { leader, peer } => Some((leader, peer.as_ref())),
        _ => None,
    }
}

/// A leader, the remote leader and the tag.
type Leaders = (Linear, Option<(Linear, Linear)>);

/// What the entries of one side say of the leaders: `Some(None)` if they do not make an intercommunicator, `None` if they disagree.
fn leaders(state: &State, together: &[usize]) -> Option<Option<Leaders>> {
    let mut all = together.iter().map(|&index| bridge(&state.entered[index]));
    let Some((leader, mut peer)) = all.next()? else { return Some(None) };
    for other in all {
        let (same, known) = other?;
        if state.facts.eq(same, leader) != Truth::Yes {
            return None;
        }
        peer = peer.or(known);
    }
    Some(Some((leader.clone(), peer.cloned())))
}

/// The groups on both sides of a call of `MPI_Intercomm_create`, as one.
pub(crate) fn connected(entries: &[Entered], facts: &Constraints) -> Result<Group, Need> {
    let side = |entered: &Entered| entered.call.communicator.group.clone();
    let mut sides = entries.iter().map(side);
    let first = sides.next();
    let second = sides.find(|other| first.as_ref().is_some_and(|first| !other.same(first, facts)));
    match first.zip(second) {
        Some((first, second)) => Group::sides(first, second, facts),
        None => Err(Need::give_up("the groups of an intercommunicator are not known")),
    }
}

/// The group of `MPI_Intercomm_merge`: those that say they are low, then those that say they are high.
pub(crate) fn merged(entries: &[Entered], facts: &Constraints) -> Result<Group, Need> {
    let Group::Sides(sides) = &entries[0].call.communicator.group else {
        return Err(Need::give_up("a communicator of one group is merged"));
    };
    let high = |side: &Group| {
        let mut said = entries
            .iter()
            .filter(|entered| side.holds(&entered.members, facts) == Some(true))
            .map(|entered| match entered.call.creates.as_ref().map(|creation| &creation.how) {
                Some(Partition::Merged { high }) => Some(*high),
                _ => None,
            });
        let first = said.next()??;
        said.all(|other| other == Some(first)).then_some(first)
    };
    let [first, second] = (**sides).clone();
    let (low, high) = match (high(&first), high(&second)) {
        (Some(false), Some(true)) => (first, second),
        (Some(true), Some(false)) => (second, first),
        _ => return Err(Need::give_up("which group comes first in a merge is not determined")),
    };
    Ok(Group::joined(low, high, facts))
}

/// The part of an intercommunicator that the callers of `MPI_Comm_create` make, each of a group on its own side. `None`: on one side
/// there is nobody, and so no communicator.
pub(crate) fn part_between(
    whole: &Group,
    entries: &[Entered],
    facts: &Constraints,
) -> Result<Option<Group>, Need> {
    let Group::Sides(sides) = whole else {
        return Err(Need::give_up("the groups of an intercommunicator are not known"));
    };
    let on = |side: &Group| -> Result<Option<Group>, Need> {
        let mut named = entries
            .iter()
            .filter(|entered| side.holds(&entered.members, facts) == Some(true))
            .map(|entered| match entered.call.creates.as_ref().map(|creation| &creation.how) {
                Some(Partition::Of(group)) => Some(group),
                _ => None,
            });
        let unknown = || Need::give_up("the groups of a part of an intercommunicator are not known");
        let group = named.next().flatten().ok_or_else(unknown)?;
        if !named.all(|other| other.is_some_and(|other| other.same(group, facts))) {
            return Err(unknown());
        }
        let size = group.size().ok_or_else(unknown)?;
        Ok(decide_le(&1.into(), &size, facts)?.then(|| group.clone()))
    };
    match (on(&sides[0])?, on(&sides[1])?) {
        (Some(a), Some(b)) => Group::sides(a, b, facts).map(Some),
        _ => Ok(None),
    }
}

/// The part of an intercommunicator that some of its processes make: those of them on each side. `None`: on one side there is nobody,
/// and so no communicator.
pub(crate) fn part_of_sides(whole: &Group, part: &Group, facts: &Constraints) -> Result<Option<Group>, Need> {
    let Group::Sides(sides) = whole else { return Ok(Some(part.clone())) };
    let on = |side: &Group| -> Option<Vec<i64>> {
        let all = side.listed(facts)?;
        Some(part.listed(facts)?.into_iter().filter(|rank| all.contains(rank)).collect())
    };
    let (Some(a), Some(b)) = (on(&sides[0]), on(&sides[1])) else {
        return Err(Need::give_up(
            "parts of an intercommunicator are followed for given numbers of processes only",
        ));
    };
    if a.is_empty() || b.is_empty() {
        return Ok(None);
    }
    Group::sides(Group::of(a), Group::of(b), facts).map(Some)
}
