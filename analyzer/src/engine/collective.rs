//! Collective calls: which processes have entered them, what they have in common when they complete, and the communicators they make.

use std::sync::Arc;

use frontend::mpi::{Class, CollectiveOp, lookup};
use lattice::{Constraints, Linear, Range, Symbol, SymbolKind, Truth};

use super::Engine;
use super::clients::{Client, Completed};
use super::contents::is_integral;
use super::eval::Location;
use super::intercommunicators::{connected, merged, part_of_sides};
use super::need::{Need, decide_eq};
use super::relation::{intersect, subtract};
use super::state::{
    CollectiveCall, Communicator, Entered, Group, Partition, ProcessSet, SiteId, State, address,
};
use super::value::Value;

impl Engine<'_> {
    /// Completes a collective that all processes of its communicator have entered, if there is one.
    pub(crate) fn complete_collective(&mut self, state: &mut State) -> Result<bool, Need> {
        let mut tried: Vec<Arc<Communicator>> = Vec::new();
        for index in 0..state.entered.len() {
            let communicator = Arc::clone(&state.entered[index].call.communicator);
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
            let same_group = match (&entered.call.communicator.group, &communicator.group) {
                (Group::Range(a), Group::Range(b)) => a.same(b, facts),
                (a, b) => a == b,
            };
            if entered.call.communicator.name != communicator.name || !same_group {
                continue;
            }
            if first.iter().all(|&i| state.entered[i].members.disjoint(&entered.members, facts)) {
                first.push(index);
            }
        }
        let operation = &state.entered[*first.first()?].call.operation;
        let parts: Vec<&Range> = first.iter().map(|&i| &state.entered[i].members).collect();
        let agree = first.iter().all(|&i| state.entered[i].call.operation == *operation);
        (agree && communicator.group.is_covered(&parts, facts)).then_some(first)
    }

    fn complete(&mut self, state: &mut State, together: &[usize]) -> Result<(), Need> {
        let entries: Vec<Entered> = together.iter().map(|&i| state.entered[i].clone()).collect();
        // On an intercommunicator some do not say who the root is.
        let speaker = entries.iter().find(|e| e.call.root.is_some()).unwrap_or(&entries[0]);
        let (first, speakers) = (speaker.call.clone(), speaker.members.clone());
        for entered in &entries {
            let call = &entered.call;
            if let (Some(a), Some(b)) = (&first.root, &call.root) {
                let settled = super::communicate::settle(b, &entered.members, &state.facts);
                let a = super::communicate::settle(a, &speakers, &state.facts);
                let varies = a.coefficient(Symbol::RANK) != 0 || settled.coefficient(Symbol::RANK) != 0;
                if varies || !decide_eq(&a, &settled, &state.facts)? {
                    return Err(Need::give_up(format!(
                        "the ranks name different roots of `{}`",
                        first.operation
                    )));
                }
            }
        }
        let mut sites: Vec<_> = entries.iter().map(|e| e.call.site).collect();
        sites.sort_unstable();
        sites.dedup();
        let made = self.communicators(state, &entries)?;
        let common = self.common_result(state, &entries);
        let root = first.root.as_ref().map(|root| super::communicate::settle(root, &speakers, &state.facts));
        let gathered = self.clients.all_gathered(&completed(&entries, &sites, root.as_ref(), &state.facts));
        let differ = entries.iter().any(|e| {
            e.call.creates.is_some()
                || e.call.result != first.result
                || e.call.count != first.count
                || e.call.datatype != first.datatype
        });
        if entries.len() > 1 && differ {
            state.sets = parted(state, &entries)?;
        }
        for index in 0..state.sets.len() {
            let mut set = state.sets[index].clone();
            if set.is_done() {
                continue;
            }
            for ((entered, made), cargo) in entries.iter().zip(&made).zip(&gathered) {
                if intersect(&set.ranks, &entered.members, &state.facts)?.is_none() {
                    continue;
                }
                let call = &entered.call;
                let mut scope = self.scope(state, &mut set);
                match &common {
                    Some(Common::One(value)) => {
                        scope.deliver(&call.result, &call.count, &call.datatype, value.clone());
                    }
                    Some(Common::Bytes(symbol)) => {
                        scope.deliver_alike(&call.result, &call.count, &call.datatype, *symbol);
                    }
                    None => {}
                }
                if let (Some(creation), Some(value)) = (&call.creates, made)
                    && let Some((object, offset)) = address(&creation.handle)
                {
                    let location = Location { object, offset: Some(offset.clone()) };
                    scope.write(&location, Some(8), value.clone());
                }
                self.deliver_collected(state, &mut set, cargo, call);
            }
            state.sets[index] = set;
        }
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

    /// The handle of the new communicator for each entry of a call that makes communicators.
    fn communicators(&mut self, state: &State, entries: &[Entered]) -> Result<Vec<Option<Value>>, Need> {
        let Some(creation) = &entries[0].call.creates else { return Ok(vec![None; entries.len()]) };
        let call = &entries[0].call;
        let place = self.site_line(call.site);
        let old = &call.communicator.name;
        let named = |what: &str, group: Group| {
            Value::Comm(Arc::new(Communicator { name: format!("{what} of {old} ({place})").into(), group }))
        };
        let null = Value::Name("MPI_COMM_NULL".into());
        let facts = &state.facts;
        let whole = &call.communicator.group;
        let between = matches!(whole, Group::Sides(..));
        let made: Vec<Value> = match &creation.how {
            Partition::Same => {
                vec![named("duplicate", call.communicator.group.clone()); entries.len()]
            }
            Partition::Of(_) => {
                let mut made = Vec::new();
                for entered in entries {
                    let Some(Partition::Of(group)) = entered.call.creates.as_ref().map(|c| &c.how) else {
                        return Err(Need::give_up("one communicator is made in different ways"));
                    };
                    made.push(match group.holds(&entered.members, facts) {
                        Some(true) if between => {
                            let all = groups_of(entries, facts);
                            all.and_then(|all| part_of_sides(whole, &all, facts))
                                .map_or(null.clone(), |part| named("part", part))
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
            Partition::Colour { .. } => {
                let groups = self.groups_by_colour(state, entries)?;
                groups
                    .into_iter()
                    .map(|group| group.and_then(|group| part_of_sides(whole, &group, facts)))
                    .map(|group| group.map_or(null.clone(), |group| named("split", group)))
                    .collect()
            }
            Partition::Bridge { .. } => {
                let group = connected(entries, facts)
                    .ok_or_else(|| Need::give_up("the groups of an intercommunicator are not known"))?;
                vec![named("intercommunicator", group); entries.len()]
            }
            Partition::Merged { .. } => vec![named("merge", merged(entries, facts)?); entries.len()],
        };
        // A second communicator of the same call, while the first is still there, could not be told from it.
        for set in &state.sets {
            for (entered, made) in entries.iter().zip(&made) {
                let handle = entered.call.creates.as_ref().and_then(|c| address(&c.handle));
                let (Some((object, offset)), Value::Comm(new)) = (handle, made) else { continue };
                let old =
                    set.memory.get(object).and_then(|content| Some(content.read(facts.constant(offset)?, 8)));
                if matches!(&old, Some(Value::Comm(old)) if old.name == new.name) {
                    return Err(Need::give_up(
                        "communicators that one call makes again and again are not told apart",
                    ));
                }
            }
        }
        Ok(made.into_iter().map(Some).collect())
    }

    /// The group of each entry of `MPI_Comm_split`; `None` for no communicator.
    fn groups_by_colour(&mut self, state: &State, entries: &[Entered]) -> Result<Vec<Option<Group>>, Need> {
        let facts = &state.facts;
        let mut members: Vec<(Range, Option<Linear>, Linear)> = Vec::new();
        for entered in entries {
            let Some(Partition::Colour { colour, key }) = entered.call.creates.as_ref().map(|c| &c.how)
            else {
                return Err(Need::give_up("one communicator is made in different ways"));
            };
            let at = |e: &Linear| super::communicate::settle(e, &entered.members, facts);
            members.push((entered.members.clone(), colour.as_ref().map(at), at(key)));
        }
        if let Some(groups) = split_by_constants(state, &members) {
            return Ok(groups);
        }
        let mut groups: Vec<Option<Group>> = Vec::new();
        for (index, (ranks, colour, key)) in members.iter().enumerate() {
            let Some(colour) = colour else {
                groups.push(None);
                continue;
            };
            if colour.coefficient(Symbol::RANK) != 0 {
                return Err(Need::give_up(
                    "a colour that varies between the processes of one set is not followed yet",
                ));
            }
            // Neighbours of the same colour, one range after the other, with keys that ascend with the rank.
            let mut whole = (ranks.clone(), key.clone());
            let mut used = vec![index];
            loop {
                let mut grown = false;
                for (other, (next, shade, sort)) in members.iter().enumerate() {
                    let Some(shade) = shade else { continue };
                    if used.contains(&other) || !decide_eq(colour, shade, facts)? {
                        continue;
                    }
                    if let Some(both) = whole.0.append(next, facts).or_else(|| next.append(&whole.0, facts)) {
                        if !self.ascends(state, &whole.0, &whole.1, next, sort) {
                            return Err(Need::give_up("the keys do not follow the ranks"));
                        }
                        whole.0 = both;
                        used.push(other);
                        grown = true;
                    }
                }
                if !grown {
                    break;
                }
            }
            for (other, (_, shade, _)) in members.iter().enumerate() {
                if let Some(shade) = shade
                    && !used.contains(&other)
                    && decide_eq(colour, shade, facts)?
                {
                    return Err(Need::give_up("processes of one colour are not neighbours in rank"));
                }
            }
            if key.coefficient(Symbol::RANK) < 0 && ranks.as_single(facts).is_none() {
                return Err(Need::give_up("the keys do not follow the ranks"));
            }
            groups.push(Some(Group::Range(whole.0)));
        }
        Ok(groups)
    }

    /// Whether the keys of two neighbouring ranges are in the order of the ranks.
    fn ascends(&self, state: &State, a: &Range, key: &Linear, b: &Range, other: &Linear) -> bool {
        let facts = &state.facts;
        if key == other {
            return key.coefficient(Symbol::RANK) >= 0;
        }
        let (low, high, low_key, high_key) =
            if facts.le(&a.hi, &b.lo) == Truth::Yes { (a, b, key, other) } else { (b, a, other, key) };
        match (low.maximise(low_key), high.minimise(high_key)) {
            (Some(last), Some(next)) => facts.le(&last, &next) == Truth::Yes,
            _ => false,
        }
    }

    /// What all ranks have after a broadcast or an all-to-all reduction; `None` when they have nothing in common.
    fn common_result(&mut self, state: &mut State, entries: &[Entered]) -> Option<Common> {
        let call: &CollectiveCall = &entries[0].call;
        let Class::Collective { operation, .. } = lookup(&call.operation)?.class else { return None };
        if !matches!(operation, CollectiveOp::Bcast | CollectiveOp::Allreduce) {
            return None;
        }
        // Each side of an intercommunicator gets what the other has.
        if matches!(call.communicator.group, Group::Sides(..)) {
            return Some(Common::One(Value::Unknown));
        }
        if let Some(value) = reduced(entries, &state.facts) {
            return Some(Common::One(Value::int(value)));
        }
        let one = call.count.as_constant() == Some(1);
        let root = call.root.as_ref().and_then(|r| call.communicator.group.to_world(r, &state.facts));
        if let (CollectiveOp::Bcast, Some(root), true) = (operation, root, one) {
            let holds = |ranks: &Range| {
                state.facts.le(&ranks.lo, &root) == Truth::Yes
                    && state.facts.le(&root, &ranks.hi) == Truth::Yes
            };
            let holder = state.sets.iter().position(|set| holds(&set.ranks));
            let entry = entries.iter().find(|e| holds(&e.members));
            if let (Some(holder), Some(entry)) = (holder, entry) {
                let mut set: ProcessSet = state.sets[holder].clone();
                let result = entry.call.result.clone();
                let mut scope = self.scope(state, &mut set);
                if let Some((object, offset)) = address(&result) {
                    let location = Location { object, offset: Some(offset.clone()) };
                    let value = scope.read_element(&location, &call.datatype).seen_from(Some(&root));
                    if value != Value::Unknown {
                        return Some(Common::One(value));
                    }
                }
            }
        }
        let text = format!("result of {} in {}", call.operation, self.site_line(call.site));
        let symbol = self.symbols.fresh(SymbolKind::Input(text.into()));
        if !one {
            return Some(Common::Bytes(symbol));
        }
        let value = if is_integral(&call.datatype) { Value::Int(symbol.into()) } else { Value::Same(symbol) };
        Some(Common::One(value))
    }
}

/// What all ranks have alike after a collective call.
enum Common {
    /// One element.
    One(Value),
    /// Several, which are a function of this.
    Bytes(Symbol),
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

fn completed<'a>(
    entries: &'a [Entered],
    sites: &'a [SiteId],
    root: Option<&'a Linear>,
    facts: &'a Constraints,
) -> Completed<'a> {
    let CollectiveCall { operation, communicator, .. } = &entries[0].call;
    Completed { operation, entries, sites, communicator, root, facts }
}

/// All processes of the groups that the callers of `MPI_Comm_create` name: on an intercommunicator, each side names its own.
fn groups_of(entries: &[Entered], facts: &Constraints) -> Option<Group> {
    let mut all: Vec<i64> = Vec::new();
    for entered in entries {
        let Some(Partition::Of(group)) = entered.call.creates.as_ref().map(|c| &c.how) else { return None };
        let listed = group.listed(facts)?;
        all.extend(listed.into_iter().filter(|rank| !all.contains(rank)).collect::<Vec<_>>());
    }
    Some(Group::of(all))
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
                match intersect(&ranks, &entered.members, facts)? {
                    None => outside.push(ranks),
                    Some(common) => {
                        outside.extend(subtract(&ranks, &common, facts)?);
                        parts.push(ProcessSet { ranks: common, ..set.clone() });
                    }
                }
            }
            left = outside;
        }
        parts.extend(left.into_iter().map(|ranks| ProcessSet { ranks, ..set.clone() }));
    }
    Ok(parts)
}

/// The groups where everything is a number: by colour, ordered by key, then by rank.
fn split_by_constants(
    state: &State,
    members: &[(Range, Option<Linear>, Linear)],
) -> Option<Vec<Option<Group>>> {
    let facts = &state.facts;
    let mut all: Vec<(i64, Option<i64>, i64)> = Vec::new();
    for (ranks, colour, key) in members {
        for rank in facts.constant(&ranks.lo)?..=facts.constant(&ranks.hi)? {
            let at = |e: &Linear| facts.constant(&e.substitute(Symbol::RANK, &rank.into())?);
            let colour = match colour {
                Some(colour) => Some(at(colour)?),
                None => None,
            };
            all.push((rank, colour, at(key)?));
        }
    }
    let group = |wanted: i64| {
        let mut group: Vec<(i64, i64)> =
            all.iter().filter(|m| m.1 == Some(wanted)).map(|m| (m.2, m.0)).collect();
        group.sort_unstable();
        Group::of(group.into_iter().map(|(_, rank)| rank).collect())
    };
    members
        .iter()
        .map(|(ranks, colour, _)| {
            let Some(colour) = colour else { return Some(None) };
            let first = facts.constant(&colour.substitute(Symbol::RANK, &ranks.lo)?)?;
            let last = facts.constant(&colour.substitute(Symbol::RANK, &ranks.hi)?)?;
            (first == last).then(|| Some(group(first)))
        })
        .collect()
}
