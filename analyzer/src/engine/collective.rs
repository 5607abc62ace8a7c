//! Collective calls: which processes have entered them, what they have in common when they complete, and the communicators they make.

use std::sync::Arc;

use frontend::mpi::{Class, CollectiveOp, Completion, lookup};
use lattice::{Constraints, Linear, Ranks, Symbol, SymbolKind, Truth};

use super::Engine;
use super::boxes::{intersect, subtract};
use super::clients::{Client, Completed};
use super::contents::is_integral;
use super::contributions;
use super::eval::Location;
use super::group::{Group, listed_members, seen_by, united};
use super::intercommunicators::{connected, merged, part_between, part_of_sides};
use super::memory::{Background, Content};
use super::need::{Need, decide_eq};
use super::relation::Counterpart;
use super::state::{CollectiveCall, Communicator, Entered, Partition, ProcessSet, SiteId, State, address};
use super::value::Value;

impl Engine<'_> {
    /// Completes a collective that all processes of its communicator have entered, if there is one.
    pub(crate) fn complete_collective(&mut self, state: &mut State) -> Result<bool, Need> {
        let mut tried: Vec<Arc<Communicator>> = Vec::new();
        for index in 0..state.entered.len() {
            let communicator = Arc::clone(&state.entered[index].call.communicator);
            if let Some(together) = started_by_all(state, index) {
                self.here = Some(self.site_place(state.entered[index].call.site));
                self.complete(state, &together)?;
                return Ok(true);
            }
            if tried.contains(&communicator) {
                continue;
            }
            tried.push(Arc::clone(&communicator));
            let Some(together) = self.first_of_all(state, &communicator) else { continue };
            let Some(together) = self.with_other_side(state, together) else { continue };
            self.here = Some(self.site_place(state.entered[together[0]].call.site));
            self.complete(state, &together)?;
            return Ok(true);
        }
        Ok(false)
    }

    /// The entries of the next collective on a communicator, when all its processes have entered it: collectives are matched in the
    /// order in which each process calls them.
    pub(crate) fn first_of_all(&self, state: &State, communicator: &Communicator) -> Option<Vec<usize>> {
        let facts = &state.facts;
        let mut first: Vec<usize> = Vec::new();
        for (index, entered) in state.entered.iter().enumerate() {
            let same_group = entered.call.communicator.group.same(&communicator.group, facts);
            if entered.call.communicator.name != communicator.name || !same_group {
                continue;
            }
            if first.iter().all(|&i| state.entered[i].members.disjoint(&entered.members, facts)) {
                first.push(index);
            }
        }
        let operation = &state.entered[*first.first()?].call.operation;
        let parts: Vec<Ranks> = first.iter().map(|&i| state.entered[i].members.clone()).collect();
        let agree = first.iter().all(|&i| state.entered[i].call.operation == *operation);
        (agree && communicator.group.is_covered(&parts, facts)).then_some(first)
    }

    /// Whether every process of some communicator has come to the same collective call, set by set, and that these are all was not
    /// proved: then nobody may wait there for ever.
    pub(crate) fn may_be_complete(&self, state: &State) -> bool {
        let facts = &state.facts;
        state.entered.iter().any(|some| {
            let communicator = &some.call.communicator;
            let on_it = |entered: &&Entered| entered.call.communicator.name == communicator.name;
            let may_be_member =
                |set: &&ProcessSet| communicator.group.holds(&set.ranks, facts) != Some(false);
            let may_have_come = |set: &ProcessSet| {
                // Members that stand at one place may have come there in different ways.
                let mut left = vec![set.ranks.clone()];
                for entered in state.entered.iter().filter(on_it) {
                    let mut rest = Vec::new();
                    for part in left {
                        if entered.members.disjoint(&part, facts) {
                            rest.push(part);
                        } else if entered.call.operation != some.call.operation {
                            return false;
                        } else {
                            let Ok(others) = subtract(&part, &entered.members, facts) else { return true };
                            rest.extend(others);
                        }
                    }
                    left = rest;
                }
                left.is_empty()
            };
            state.sets.iter().filter(may_be_member).all(may_have_come)
                && self.first_of_all(state, communicator).is_none()
        })
    }

    fn complete(&mut self, state: &mut State, together: &[usize]) -> Result<(), Need> {
        let entries: Vec<Entered> = together.iter().map(|&i| state.entered[i].clone()).collect();
        // On an intercommunicator some do not say who the root is.
        let speaker = entries.iter().find(|e| e.call.root.is_some()).unwrap_or(&entries[0]);
        let (first, speakers) = (speaker.call.clone(), speaker.members.clone());
        let by_group = entries.iter().all(|e| has_root_by_group(e, &state.facts))
            && entries.iter().any(|e| {
                let root = e.call.root.as_ref().map(|root| e.members.settle(root, &state.facts));
                root.is_none_or(|root| !root.is_uniform() || Some(&root) != first.root.as_ref())
            });
        for entered in &entries {
            let call = &entered.call;
            if let (Some(a), Some(b), false) = (&first.root, &call.root, by_group) {
                let settled = entered.members.settle(b, &state.facts);
                let a = speakers.settle(a, &state.facts);
                if a.is_uniform() && settled.is_uniform() && decide_eq(&a, &settled, &state.facts)? {
                    continue;
                }
                if self.name_different_roots(state, speaker, entered) {
                    return Err(Need::Wrong);
                }
                let why = format!("the ranks name different roots of `{}`", first.operation);
                return Err(Need::give_up(why));
            }
        }
        let mut sites: Vec<_> = entries.iter().map(|e| e.call.site).collect();
        sites.sort_unstable();
        sites.dedup();
        self.forbid_names(state, &entries)?;
        let made = self.communicators(state, &entries)?;
        let common = self.common_result(state, &entries);
        let root = first.root.as_ref().map(|root| speakers.settle(root, &state.facts));
        // Which one it is is told where it is one for all groups.
        let root = root.filter(|_| !by_group);
        let world = root.as_ref().and_then(|root| first.communicator.group.to_world(root, &state.facts));
        let callers = contributions::together(state, &entries);
        self.check_terms(state, &callers, world.as_ref());
        self.check_assertions(state, &entries);
        let gathered = self.clients.all_gathered(&completed(&entries, &sites, root.as_ref(), &state.facts));
        let differ = entries.iter().any(|e| {
            e.call.creates.is_some()
                || e.call.result != first.result
                || e.call.count != first.count
                || e.call.datatype != first.datatype
        });
        let class = lookup(&first.operation).map(|function| function.class);
        let computed = match class {
            Some(Class::Collective { operation, .. }) if !by_group => {
                contributions::outcome(operation, &entries, first.root.as_ref(), &state.facts)
            }
            _ => Vec::new(),
        };
        let differ = differ || computed.iter().any(|(_, stores)| *stores != computed[0].1);
        if entries.len() > 1 && differ {
            state.sets = parted(state, &entries)?;
        }
        for index in 0..state.sets.len() {
            let mut set = state.sets[index].clone();
            if set.is_done() {
                continue;
            }
            for ((entered, made), cargo) in entries.iter().zip(&made).zip(&gathered) {
                if intersect(&set.ranks, &entered.members, &state.facts)?.is_empty() {
                    continue;
                }
                let call = &entered.call;
                let mut scope = self.scope(state, &mut set);
                match &common {
                    Some(Common::One(value)) => {
                        scope.deliver(&call.result, &call.count, &call.datatype, value.clone());
                    }
                    Some(Common::Bytes(symbol, known)) => {
                        scope.deliver_alike(&call.result, &call.count, &call.datatype, *symbol);
                        scope.deliver_known(&call.result, known);
                    }
                    None => {}
                }
                if let (Some(creation), Some(value)) = (&call.creates, made)
                    && let Some((object, offset)) = address(&creation.handle)
                {
                    let location = Location { object, offset: Some(offset.clone()) };
                    scope.write(&location, Some(8), value.clone());
                }
                // Where it has several members, all get the same.
                let rank = set.ranks.members(&state.facts).and_then(|members| members.first().copied());
                for (_, stores) in computed.iter().filter(|(member, _)| Some(*member) == rank) {
                    self.store_outcome(state, &mut set, stores);
                }
                self.deliver_collected(state, &mut set, cargo, call);
            }
            state.sets[index] = set;
        }
        self.judge_accesses(state, &entries);
        let mut index = 0;
        state.entered.retain(|_| {
            index += 1;
            !together.contains(&(index - 1))
        });
        // The two sides that make an intercommunicator have each a communicator of their own.
        let local = Arc::clone(&first.communicator);
        let is_bridge = matches!(first.creates.map(|c| c.how), Some(Partition::Bridge { .. }));
        let (here, there): (Vec<_>, Vec<_>) =
            entries.into_iter().partition(|entered| !is_bridge || entered.call.communicator == local);
        for side in [here, there].iter().filter(|side| !side.is_empty()) {
            let completed = completed(side, &sites, root.as_ref(), &state.facts);
            self.clients.completed(&mut state.clients, &completed);
        }
        Ok(())
    }

    /// Gives up where a call asks for the rank of one of several processes of which any may have come first.
    fn forbid_names(&self, state: &State, entries: &[Entered]) -> Result<(), Need> {
        for entered in entries {
            let call = &entered.call;
            let sorts = call.creates.as_ref().is_some_and(|creation| creation.how != Partition::Same);
            if sorts && !state.alike.is_empty() {
                return Err(Need::give_up("processes of which any may have come first are sorted by rank"));
            }
            if let Some(root) =
                call.root.as_ref().and_then(|r| call.communicator.group.to_world(r, &state.facts))
            {
                self.out_of_guise(state, &entered.members, root)?;
            }
        }
        Ok(())
    }

    /// The handle of the new communicator for each entry of a call that makes communicators.
    fn communicators(&mut self, state: &State, entries: &[Entered]) -> Result<Vec<Option<Value>>, Need> {
        let Some(creation) = &entries[0].call.creates else { return Ok(vec![None; entries.len()]) };
        let call = &entries[0].call;
        let members: Vec<&Ranks> = entries.iter().map(|entered| &entered.members).collect();
        let place = self.place_of_new(state, &members, call.site);
        let old = &call.communicator.name;
        let named = |what: &str, group: Group| {
            Value::Comm(Arc::new(Communicator::new(format!("{what} of {old} ({place})").into(), group)))
        };
        let null = Value::Name("MPI_COMM_NULL".into());
        let facts = &state.facts;
        let whole = &call.communicator.group;
        let between = matches!(whole, Group::Sides(..));
        let made: Vec<Value> = match &creation.how {
            Partition::Same => {
                let what = match lookup(&call.operation).map(|mpi| mpi.class) {
                    Some(Class::FileOpen) => "file",
                    Some(Class::WinConstructor(_)) => "window",
                    _ => "duplicate",
                };
                let name: Arc<str> = format!("{what} of {old} ({place})").into();
                // Who the neighbours are is not looked up under the new name.
                let graph = call.communicator.graph.as_ref().map(|_| Arc::clone(&name));
                let copy = Communicator { name, graph, ..(*call.communicator).clone() };
                vec![Value::Comm(Arc::new(copy)); entries.len()]
            }
            Partition::Graph => {
                let name = graph_name(old, &place);
                let graph = Some(Arc::clone(&name));
                let made = Communicator { graph, ..Communicator::new(name, whole.clone()) };
                vec![Value::Comm(Arc::new(made)); entries.len()]
            }
            Partition::Of(_) => {
                let mut made = Vec::new();
                for entered in entries {
                    let Some(Partition::Of(group)) = entered.call.creates.as_ref().map(|c| &c.how) else {
                        return Err(Need::give_up("one communicator is made in different ways"));
                    };
                    made.push(match group.holds(&entered.members, facts) {
                        Some(true) if between => {
                            let part = part_between(whole, entries, facts)?;
                            part.map_or(null.clone(), |part| named("part", part))
                        }
                        Some(true) => named("part", group.clone()),
                        Some(false) => null.clone(),
                        None => {
                            return Err(Need::give_up(
                                "whether a process belongs to the new group is not known",
                            ));
                        }
                    });
                }
                made
            }
            Partition::Grid(group, grid) => {
                let mut made = Vec::new();
                for entered in entries {
                    let same = match entered.call.creates.as_ref().map(|c| &c.how) {
                        Some(Partition::Grid(_, other)) => grid.same(other, facts),
                        _ => false,
                    };
                    if !same {
                        return Err(Need::give_up("whether all ranks ask for the same grid is not known"));
                    }
                    made.push(match group.holds(&entered.members, facts) {
                        Some(true) => {
                            let name = format!("grid of {old} ({place})").into();
                            let grid = Some(Arc::clone(grid));
                            let group = group.clone();
                            Value::Comm(Arc::new(Communicator { name, group, grid, graph: None }))
                        }
                        Some(false) => null.clone(),
                        None => {
                            return Err(Need::give_up("whether a process belongs to the grid is not known"));
                        }
                    });
                }
                made
            }
            Partition::Colour { grid, .. } => {
                let same = |entered: &Entered| {
                    matches!(entered.call.creates.as_ref().map(|c| &c.how),
                        Some(Partition::Colour { grid: other, .. }) if other == grid)
                };
                if !entries.iter().all(same) {
                    return Err(Need::give_up("one communicator is made in different ways"));
                }
                let mut made = Vec::new();
                for part in self.groups_by_colour(state, entries)? {
                    let name =
                        format!("{} of {old} ({place})", if grid.is_some() { "part" } else { "split" });
                    made.push(part.map_or(null.clone(), |group| {
                        let (name, grid) = (name.as_str().into(), grid.clone());
                        Value::Comm(Arc::new(Communicator { name, group, grid, graph: None }))
                    }));
                }
                made
            }
            Partition::Bridge { .. } => {
                vec![named("intercommunicator", connected(entries, facts)?); entries.len()]
            }
            Partition::Merged { .. } => vec![named("merge", merged(entries, facts)?); entries.len()],
        };
        Ok(made.into_iter().map(Some).collect())
    }

    /// The group of each entry of `MPI_Comm_split`; `None` for no communicator.
    fn groups_by_colour(&mut self, state: &State, entries: &[Entered]) -> Result<Vec<Option<Group>>, Need> {
        let facts = &state.facts;
        let Some(parent) = entries.first().map(|entered| &entered.call.communicator.group) else {
            return Ok(Vec::new());
        };
        let mut members: Vec<Coloured> = Vec::new();
        for entered in entries {
            let Some(Partition::Colour { colour, key, .. }) = entered.call.creates.as_ref().map(|c| &c.how)
            else {
                return Err(Need::give_up("one communicator is made in different ways"));
            };
            let ranks = entered.members.clone();
            let at = |e: &Linear| ranks.settle(e, facts);
            members.push(Coloured { colour: colour.as_ref().map(at), key: at(key), ranks });
        }
        // Where each process has an old communicator of its own, the same colours are of different ones.
        if !parent.is_slice()
            && let Some(groups) = split_by_constants(state, parent, &members)
        {
            let part = |group: Group| part_of_sides(parent, &group, facts);
            return groups.into_iter().map(|group| group.map_or(Ok(None), part)).collect();
        }
        if let Group::Sides(sides) = parent {
            return split_between(&members, sides, facts);
        }
        let all: Vec<usize> = (0..members.len()).collect();
        (0..members.len()).map(|index| group_of(&members, index, &all, parent, facts)).collect()
    }

    /// What all ranks have after a broadcast or an all-to-all reduction; `None` when they have nothing in common.
    fn common_result(&mut self, state: &mut State, entries: &[Entered]) -> Option<Common> {
        let call: &CollectiveCall = &entries[0].call;
        let Class::Collective { operation, .. } = lookup(&call.operation)?.class else { return None };
        if !matches!(operation, CollectiveOp::Bcast | CollectiveOp::Allreduce) {
            return None;
        }
        // Each of the groups has a result of its own; each side of an intercommunicator gets what the other has.
        if call.communicator.group.is_slice() || matches!(call.communicator.group, Group::Sides(..)) {
            return Some(Common::One(Value::Unknown));
        }
        if let Some(value) = reduced(entries, &state.facts) {
            return Some(Common::One(Value::int(value)));
        }
        let one = call.count.as_constant() == Some(1);
        let mut known = Content::new(Background::Unknown);
        let root = call.root.as_ref().and_then(|r| call.communicator.group.to_world(r, &state.facts));
        if let (CollectiveOp::Bcast, Some(root)) = (operation, root) {
            let place = Ranks::single(root.clone());
            let holds = |ranks: &Ranks| place.within(ranks, &state.facts);
            // A root that has ended without waiting for its broadcast has no variables any more.
            let holder = state.sets.iter().position(|set| !set.is_done() && holds(&set.ranks));
            let entry = entries.iter().find(|e| holds(&e.members));
            if let (Some(holder), Some(entry)) = (holder, entry) {
                let mut set: ProcessSet = state.sets[holder].clone();
                let result = entry.call.result.clone();
                let (count, datatype) = (entry.call.count.clone(), entry.call.datatype.clone());
                let mut scope = self.scope(state, &mut set);
                if !one {
                    known = scope.known_elements(&result, &count, &datatype);
                    let root: Counterpart = root.clone().into();
                    for (_, value) in known.cells.values_mut() {
                        *value = value.seen_from(Some(&root));
                    }
                    known.cells.retain(|_, (_, value)| *value != Value::Unknown);
                } else if let Some((object, offset)) = address(&result) {
                    let location = Location { object, offset: Some(offset.clone()) };
                    let value =
                        scope.read_element(&location, &call.datatype).seen_from(Some(&root.clone().into()));
                    if value != Value::Unknown {
                        return Some(Common::One(value));
                    }
                }
            }
        }
        let text = format!("result of {} in {}", call.operation, self.site_line(call.site));
        let symbol = self.symbols.fresh(SymbolKind::Input(text.into()));
        if !one {
            return Some(Common::Bytes(symbol, known));
        }
        let value = if is_integral(&call.datatype) { Value::Int(symbol.into()) } else { Value::Same(symbol) };
        Some(Common::One(value))
    }
}

/// The entries of a persistent collective that all processes have started, the one of this index among them. Such operations were told
/// apart when they were initialised: in which order they are started, and what else is called between, may differ from process to
/// process (MPI-4.1 section 6.13).
fn started_by_all(state: &State, index: usize) -> Option<Vec<usize>> {
    let State { entered, facts, .. } = state;
    let call = &entered[index].call;
    let completion = lookup(&call.operation)?.class.completion();
    if completion != Some(Completion::Persistent) {
        return None;
    }
    let is_same = |other: &CollectiveCall| {
        let on_same = other.communicator.name == call.communicator.name
            && other.communicator.group.same(&call.communicator.group, facts);
        other.site == call.site && on_same
    };
    let mut first: Vec<usize> = Vec::new();
    for (index, next) in entered.iter().enumerate().filter(|(_, next)| is_same(&next.call)) {
        if first.iter().all(|&i| entered[i].members.disjoint(&next.members, facts)) {
            first.push(index);
        }
    }
    let parts: Vec<Ranks> = first.iter().map(|&i| entered[i].members.clone()).collect();
    call.communicator.group.is_covered(&parts, facts).then_some(first)
}

/// Whether the members of an entry are whole groups, and all members of a group name the same root.
fn has_root_by_group(entered: &Entered, facts: &Constraints) -> bool {
    let Entered { members, call, .. } = entered;
    let group = &call.communicator.group;
    let is_one = || {
        let root = members.in_digits(&members.settle(call.root.as_ref()?, facts))?;
        Some(!root.has(members.symbol(group.free_digit(members, facts)?)))
    };
    group.is_slice() && is_one() == Some(true)
}

/// What a graph is called that is made of a communicator at some place.
pub(crate) fn graph_name(old: &str, place: &str) -> Arc<str> {
    format!("graph of {old} ({place})").into()
}

/// What all ranks have alike after a collective call.
enum Common {
    /// One element.
    One(Value),
    /// Several, which are a function of this, where the root does not tell more of them.
    Bytes(Symbol, Content),
}

/// The result of a reduction to which every process contributes a constant.
fn reduced(entries: &[Entered], facts: &Constraints) -> Option<i64> {
    let (op, first) = entries[0].call.given.clone()?;
    let mut all: Vec<(i64, Option<i64>)> = Vec::new();
    for entered in entries {
        let (name, value) = entered.call.given.as_ref()?;
        if *name != op {
            return None;
        }
        let processes = entered.members.count().and_then(|count| facts.constant(&count));
        all.push((*value, processes));
    }
    let values = || all.iter().map(|(value, _)| *value);
    Some(match &*op {
        "MPI_LAND" => i64::from(values().all(|value| value != 0)),
        "MPI_LOR" => i64::from(values().any(|value| value != 0)),
        "MPI_BAND" => values().fold(first, |a, b| a & b),
        "MPI_BOR" => values().fold(first, |a, b| a | b),
        "MPI_MIN" => values().min()?,
        "MPI_MAX" => values().max()?,
        "MPI_SUM" => all.iter().try_fold(0_i64, |sum, (value, processes)| {
            let part = if *value == 0 { 0 } else { value.checked_mul((*processes)?)? };
            // More would not be in every integer type what it is here.
            sum.checked_add(part).filter(|sum| i32::try_from(*sum).is_ok())
        })?,
        _ => return None,
    })
}

/// What the client analyses are told of calls that complete together.
pub(crate) fn completed<'a>(
    entries: &'a [Entered],
    sites: &'a [SiteId],
    root: Option<&'a Linear>,
    facts: &'a Constraints,
) -> Completed<'a> {
    let CollectiveCall { operation, communicator, .. } = &entries[0].call;
    Completed { operation, entries, sites, communicator, root, facts }
}

/// The sets, each of which made one of the calls as a whole or none. (Sets that wait at one place become one, whatever they wait
/// for.)
fn parted(state: &State, entries: &[Entered]) -> Result<Vec<ProcessSet>, Need> {
    let facts = &state.facts;
    let mut parts = Vec::with_capacity(state.sets.len() + entries.len());
    for set in &state.sets {
        let mut left = vec![set.ranks.clone()];
        for entered in entries {
            let mut outside = Vec::new();
            for ranks in left {
                for common in intersect(&ranks, &entered.members, facts)? {
                    parts.push(ProcessSet { ranks: common, ..set.clone() });
                }
                outside.extend(subtract(&ranks, &entered.members, facts)?);
            }
            left = outside;
        }
        parts.extend(left.into_iter().map(|ranks| ProcessSet { ranks, ..set.clone() }));
    }
    Ok(parts)
}

/// Some callers of `MPI_Comm_split`, with colour (`None`: no communicator) and key over their digits.
struct Coloured {
    ranks: Ranks,
    colour: Option<Linear>,
    key: Linear,
}

impl Coloured {
    /// The least and the greatest colour.
    fn colours(&self, facts: &Constraints) -> Option<(Linear, Linear)> {
        let colour = self.colour.as_ref()?;
        Some((self.ranks.minimise(colour, facts)?, self.ranks.maximise(colour, facts)?))
    }
}

/// The communicators between those of each side of an intercommunicator that name the same colour.
fn split_between(
    members: &[Coloured],
    sides: &[Group; 2],
    facts: &Constraints,
) -> Result<Vec<Option<Group>>, Need> {
    let is_in = |member: &Coloured| {
        let side = sides[0].holds(&member.ranks, facts).map(|first| usize::from(!first));
        side.ok_or_else(|| Need::give_up("on which side of an intercommunicator a process is, is not known"))
    };
    let homes: Vec<usize> = members.iter().map(is_in).collect::<Result<_, _>>()?;
    let on = |side: usize| -> Vec<usize> { (0..members.len()).filter(|&i| homes[i] == side).collect() };
    let among = [on(0), on(1)];
    let group = |index: usize| {
        let side = homes[index];
        group_of(members, index, &among[side], &sides[side], facts)
    };
    let mut found = Vec::with_capacity(members.len());
    for (index, member) in members.iter().enumerate() {
        let Some(colour) = &member.colour else {
            found.push(None);
            continue;
        };
        if !colour.is_uniform() {
            return Err(Need::give_up(
                "a colour that varies between the processes of one set is not followed yet",
            ));
        }
        let mut there = None;
        for &other in &among[1 - homes[index]] {
            if let Some(shade) = &members[other].colour
                && is_same_colour(colour, shade, facts)?
            {
                there = group(other)?;
                break;
            }
        }
        found.push(match (group(index)?, there) {
            (Some(here), Some(there)) => Some(Group::sides(here, there, facts)?),
            _ => None,
        });
    }
    Ok(found)
}

/// The group of one of several entries of a split, `among` those of one communicator or of one side of an intercommunicator.
fn group_of(
    members: &[Coloured],
    index: usize,
    among: &[usize],
    parent: &Group,
    facts: &Constraints,
) -> Result<Option<Group>, Need> {
    let own = &members[index];
    let Some(colour) = &own.colour else { return Ok(None) };
    if parent.is_slice() {
        return part_of_slice(members, index, colour, parent, facts).map(Some);
    }
    if !colour.is_uniform() {
        return slice(members, index, colour, parent, facts).map(Some);
    }
    let others = || among.iter().map(|&other| (other, &members[other]));
    // Neighbours of the same colour, one after the other, with keys that ascend with the rank.
    let mut whole = own.ranks.clone();
    let mut used = vec![index];
    loop {
        let mut grown = false;
        for (other, next) in others() {
            let Some(shade) = &next.colour else { continue };
            if used.contains(&other) || !is_same_colour(colour, shade, facts)? {
                continue;
            }
            if let Some(both) = whole.append(&next.ranks, facts).or_else(|| next.ranks.append(&whole, facts))
            {
                whole = both;
                used.push(other);
                grown = true;
            }
        }
        if !grown {
            break;
        }
    }
    for (other, next) in others() {
        if let Some(shade) = &next.colour
            && !used.contains(&other)
            && is_same_colour(colour, shade, facts)?
        {
            return Err(Need::give_up("processes of one colour are not neighbours in rank"));
        }
    }
    let parts: Vec<&Coloured> = used.iter().map(|&i| &members[i]).collect();
    let group =
        Group::of_ranks(&whole).ok_or_else(|| Need::give_up("the ranks of a group have no simple form"))?;
    match direction(&parts, parent.ascends(), facts) {
        Some(true) => Ok(Some(group)),
        Some(false) => group.reversed().map(Some).ok_or_else(|| Need::give_up("a rank exceeds 64 bits")),
        None => Err(Need::give_up("the keys do not follow the ranks")),
    }
}

/// The same where each process has an old communicator of its own, by one description: a part of a row or a column, by colours that all
/// members of one entry have in common with those of the same row.
fn part_of_slice(
    members: &[Coloured],
    index: usize,
    colour: &Linear,
    parent: &Group,
    facts: &Constraints,
) -> Result<Group, Need> {
    let unknown = || Need::give_up("which processes of a row or column name the same colour is not known");
    let parts: Vec<Ranks> = members.iter().map(|member| member.ranks.clone()).collect();
    let all = united(&parts, facts).ok_or_else(unknown)?;
    let free = parent.free_digit(&all, facts).ok_or_else(unknown)?;
    let mut alike = Vec::new();
    for (other, next) in members.iter().enumerate() {
        let Some(shade) = &next.colour else { continue };
        let is_alike = other == index || shade == colour;
        let comparable = is_alike || (colour.is_uniform() && shade.is_uniform());
        if shade.has(next.ranks.symbol(free)) || !comparable {
            return Err(unknown());
        }
        if is_alike || decide_eq(colour, shade, facts)? {
            alike.push(next);
        }
    }
    let own = &members[index];
    let parts: Vec<Ranks> = alike.iter().map(|member| member.ranks.clone()).collect();
    let whole = united(&parts, facts).ok_or_else(unknown)?;
    let group = Group::slice(&whole, free).ok_or_else(unknown)?;
    let slope = own.key.slope(own.ranks.symbol(free)).filter(|_| alike.iter().all(|a| a.key == own.key));
    let up = match slope.ok_or_else(unknown)? {
        0 => parent.ascends().ok_or_else(unknown)?,
        slope => 0 < slope,
    };
    if up { Ok(group) } else { group.reversed().ok_or_else(unknown) }
}

fn is_same_colour(colour: &Linear, shade: &Linear, facts: &Constraints) -> Result<bool, Need> {
    if shade.is_uniform() {
        return decide_eq(colour, shade, facts);
    }
    Err(Need::give_up("whether processes name the same colour depends on their rank"))
}

/// Whether the order by key is that of the ranks (`true`) or the opposite one, among all members of some sets; `None` where neither is
/// known. Members with equal keys are in the order of the old communicator (MPI-4.1 section 7.4.2), which is `ties`.
fn direction(parts: &[&Coloured], ties: Option<bool>, facts: &Constraints) -> Option<bool> {
    let several = |part: &Coloured| part.ranks.as_single(facts).is_none();
    let slope = |part: &Coloured| {
        let (own, _) = part.key.split_own();
        // Of what members multiply, the sign is not known.
        if own.has_products() {
            return None;
        }
        let signs: Vec<i64> = own.terms().map(|(_, k)| k.signum()).collect();
        match signs[..] {
            [] => Some(0),
            [first, ..] if signs.iter().all(|&s| s == first) => Some(first),
            _ => None,
        }
    };
    let slopes: Vec<i64> = parts.iter().filter(|p| several(p)).map(|p| slope(p)).collect::<Option<_>>()?;
    let ordered = |up: bool| {
        let in_order = |slope: i64| if up { 0 < slope } else { slope < 0 };
        let equal = ties == Some(up);
        slopes.iter().all(|&s| in_order(s) || s == 0 && equal)
            && parts
                .iter()
                .enumerate()
                .all(|(i, a)| parts[..i].iter().all(|b| follows(a, b, up, equal, facts)))
    };
    [true, false].into_iter().find(|&up| ordered(up))
}

/// Whether the keys of two sets are in the order of their ranks, or in the opposite one; equal ones are or are not.
fn follows(a: &Coloured, b: &Coloured, up: bool, equal: bool, facts: &Constraints) -> bool {
    let ordered = || {
        let (x, y) = (a.ranks.hull()?, b.ranks.hull()?);
        let (low, high) = if facts.le(&x.hi, &y.lo) == Truth::Yes { (a, b) } else { (b, a) };
        let (first, second) = if up { (low, high) } else { (high, low) };
        let (last, next) =
            (first.ranks.maximise(&first.key, facts)?, second.ranks.minimise(&second.key, facts)?);
        let apart = if equal { last } else { last.offset(1)? };
        Some(facts.le(&apart, &next) == Truth::Yes)
    };
    let one_way = |k: i64| if up { 0 <= k } else { k <= 0 };
    (equal && a.key == b.key && a.key.split_own().0.terms().all(|(s, k)| one_way(k) && !s.is_product()))
        || ordered() == Some(true)
}

/// Whether members with the same value of an expression have these digits in common, which are those in it: each, from the fastest one
/// on, counts for more than all before it together.
fn tells_apart(expression: &Linear, ranks: &Ranks, digits: &[usize], facts: &Constraints) -> bool {
    let weight = |&position: &usize| {
        let (weight, _) = expression.by_symbol(ranks.symbol(position))?;
        let weight = if weight.as_constant().is_some_and(|k| k < 0) { weight.scale(-1)? } else { weight };
        weight.is_uniform().then_some(weight)
    };
    let Some(weights) = digits.iter().map(weight).collect::<Option<Vec<_>>>() else { return false };
    let ascend = |order: &[usize]| {
        let mut least = Some(Linear::from(1));
        order.iter().all(|&at| {
            let enough = least.as_ref().is_some_and(|least| facts.le(least, &weights[at]) == Truth::Yes);
            least = ranks.digits()[digits[at]].count().and_then(|count| weights[at].times(&count));
            enough
        })
    };
    let order: Vec<usize> = (0..digits.len()).collect();
    let back: Vec<usize> = order.iter().rev().copied().collect();
    !digits.is_empty() && (ascend(&order) || ascend(&back))
}

/// The group of those that share the colour of a member, where the colour is made of digits of the rank: a row or a column, which each
/// member sees from where it stands.
fn slice(
    members: &[Coloured],
    index: usize,
    colour: &Linear,
    parent: &Group,
    facts: &Constraints,
) -> Result<Group, Need> {
    let own = &members[index];
    let varies =
        || Need::give_up("a colour that varies between the processes of one set is not followed yet");
    let digits = || 0..own.ranks.digits().len();
    let fixed: Vec<usize> = digits().filter(|&i| colour.has(own.ranks.symbol(i))).collect();
    if !tells_apart(colour, &own.ranks, &fixed, facts) {
        return Err(varies());
    }
    // No other set has a colour of these.
    let (least, most) = own.colours(facts).ok_or_else(varies)?;
    for (other, next) in members.iter().enumerate() {
        if other == index || next.colour.is_none() {
            continue;
        }
        let (first, last) = next.colours(facts).ok_or_else(varies)?;
        if facts.le(&least, &last) != Truth::No && facts.le(&first, &most) != Truth::No {
            return Err(varies());
        }
    }
    let mut free =
        digits().filter(|i| !fixed.contains(i) && own.ranks.digits()[*i].as_single(facts).is_none());
    let along = free.next();
    // Of a plane the order is not followed.
    if free.next().is_some() {
        return Err(varies());
    }
    let Some(along) = along.or_else(|| digits().find(|i| !fixed.contains(i))) else {
        // Each has a colour of its own.
        return Ok(Communicator::own().group);
    };
    let group = Group::slice(&own.ranks, along).ok_or_else(varies)?;
    // By how much the key grows from one to the next.
    let key = own.ranks.in_digits(&own.key).ok_or_else(varies)?;
    let (growth, _) = key.by_symbol(own.ranks.symbol(along)).ok_or_else(varies)?;
    let up = match (facts.le(&1.into(), &growth), facts.le(&growth, &(-1).into())) {
        _ if growth == Linear::zero() => parent.ascends().ok_or_else(varies)?,
        (Truth::Yes, _) if growth.is_uniform() => true,
        (_, Truth::Yes) if growth.is_uniform() => false,
        _ => return Err(varies()),
    };
    if up { Ok(group) } else { group.reversed().ok_or_else(varies) }
}

/// The groups where everything is a number: by colour, ordered by key, then by rank in the old communicator.
fn split_by_constants(state: &State, parent: &Group, members: &[Coloured]) -> Option<Vec<Option<Group>>> {
    let facts = &state.facts;
    // Rank, colour, and what tells the order.
    let mut all: Vec<(i64, Option<i64>, (i64, i64))> = Vec::new();
    for Coloured { ranks, colour, key } in members {
        for digits in listed_members(ranks, facts)? {
            let at = |e: &Linear| facts.constant(&seen_by(ranks, &digits, e)?);
            let rank = at(&Linear::rank())?;
            let colour = match colour {
                Some(colour) => Some(at(colour)?),
                None => None,
            };
            all.push((rank, colour, (at(key)?, parent.place(rank, facts)?)));
        }
    }
    let group = |wanted: i64| {
        let mut group: Vec<((i64, i64), i64)> =
            all.iter().filter(|m| m.1 == Some(wanted)).map(|m| (m.2, m.0)).collect();
        group.sort_unstable();
        Group::of(group.into_iter().map(|(_, rank)| rank).collect())
    };
    members
        .iter()
        .map(|part| {
            let Some((least, most)) = part.colours(facts) else { return Some(None) };
            let (first, last) = (facts.constant(&least)?, facts.constant(&most)?);
            (first == last).then(|| Some(group(first)))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use lattice::Range;
    use proptest::prelude::*;

    use super::*;

    /// A colour of three digits, against its values on all members: what is said to tell them apart never has one value twice.
    fn check(weights: [i64; 3], digits: [(i64, i64); 3], constant: i64) -> bool {
        let ranges: Vec<Range> =
            digits.iter().map(|&(lo, more)| Range { lo: lo.into(), hi: (lo + more).into() }).collect();
        let ranks = Ranks::new(vec![5.into(), 5.into()], ranges);
        let mut colour = Linear::from(constant);
        for (position, &weight) in weights.iter().enumerate() {
            colour = colour.add_scaled(&ranks.symbol(position).into(), weight).expect("small");
        }
        let facts = Constraints::new();
        let fixed: Vec<usize> = (0..3).filter(|&i| colour.has(ranks.symbol(i))).collect();
        let apart = tells_apart(&colour, &ranks, &fixed, &facts);
        let mut seen: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
        for member in listed_members(&ranks, &facts).expect("numbers") {
            let value = member.iter().zip(weights).map(|(digit, weight)| digit * weight).sum::<i64>();
            let own: Vec<i64> = fixed.iter().map(|&i| member[i]).collect();
            let known = seen.entry(value).or_insert_with(|| own.clone());
            assert!(!apart || *known == own, "{weights:?} {digits:?}");
        }
        apart
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

        #[test]
        fn what_tells_digits_apart_does(
            weights in prop::array::uniform3(-30_i64..=30),
            digits in prop::array::uniform3((0_i64..=3, 0_i64..=4)),
            constant in -5_i64..=5,
        ) {
            check(weights, digits, constant);
        }
    }

    #[test]
    fn coordinates_tell_lines_apart() {
        let digits = [(0, 4), (0, 4), (0, 2)];
        assert!(check([0, 1, 5], digits, 0));
        assert!(check([1, 5, 0], digits, 7));
        assert!(check([3, 0, 1], digits, 0));
        assert!(!check([0, 1, 4], digits, 0));
        assert!(!check([0, 1, 1], digits, 0));
        assert!(!check([0, 0, 0], digits, 0));
    }
}
