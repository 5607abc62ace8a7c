//! Inquiries about communicators, groups and statuses, and how communicators and groups are described before they are made.

use std::collections::BTreeSet;
use std::sync::Arc;

use frontend::mpi::{CommConstructor, Direction, GroupConstructor, Query, Role};
use lattice::{Constraints, Linear, Range, Ranks, Truth};

use super::Engine;
use super::collective::graph_name;
use super::conditions::APART;
use super::eval::Location;
use super::exec::Progress;
use super::group::{Group, Progression};
use super::memory::ObjectKind;
use super::mpi::Call;
use super::need::{Need, decide_eq, decide_le};
use super::state::{
    CollectiveCall, Communicator, Creation, Handle, Partition, Phase, ProcessSet, SiteId, State, address,
    target,
};
use super::value::Value;

/// Progressions that the ranks of one list may be.
const PIECES: usize = 4;
/// Ranks of a list that are read one by one.
const LISTED: i64 = 4096;

/// The attribute that tells the largest tag, and the least that it may be.
const LARGEST_TAG: &str = "MPI_TAG_UB";
const LEAST_LARGEST_TAG: i64 = 32767;

/// How many bytes a number of bytes has when it is packed.
pub(crate) const PACKED: &str = "MPI_Pack_size";

impl Engine<'_> {
    pub(crate) fn query(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        query: Query,
        call: &Call<'_>,
    ) -> Result<(), Need> {
        let communicator = self.communicator(call).ok();
        let group = match call.value(Role::Group) {
            Some(Value::Group(group)) => Some(Arc::clone(group)),
            Some(Value::Name(name)) if &**name == "MPI_GROUP_EMPTY" => Some(Arc::new(Group::List([].into()))),
            _ => None,
        };
        let facts = &state.facts;
        for group in communicator.iter().map(|c| &c.group).chain(group.as_deref()) {
            group.know_place(&set.ranks, facts)?;
        }
        let mine = set.ranks.settle(&Linear::rank(), facts);
        let answer = match query {
            Query::CommRank => {
                communicator.and_then(|c| c.group.local_rank(&mine, &set.ranks, facts)).map(Value::Int)
            }
            Query::CommSize => {
                communicator.and_then(|c| c.group.own_side(&set.ranks, facts)?.size()).map(Value::Int)
            }
            Query::CommRemoteSize => {
                communicator.and_then(|c| c.group.other_side(&set.ranks, facts)?.size()).map(Value::Int)
            }
            Query::CommTestInter => {
                communicator.map(|c| Value::int(i64::from(matches!(c.group, Group::Sides(..)))))
            }
            Query::CommCompare => self.comparison(state, call)?,
            Query::GroupSize => group.and_then(|g| g.size()).map(Value::Int),
            Query::GroupRank => group.and_then(|g| match g.holds(&set.ranks, facts)? {
                true => g.local_rank(&mine, &set.ranks, facts).map(Value::Int),
                false => Some(Value::Name("MPI_UNDEFINED".into())),
            }),
            Query::Initialized => Some(Value::int(i64::from(set.phase != Phase::Before))),
            Query::Finalized => Some(Value::int(i64::from(set.phase == Phase::Finalized))),
            Query::TypeSize => {
                let is_int =
                    call.mpi.params.iter().any(|p| p.direction == Direction::Out && p.ctype == "int *");
                let size = call
                    .value(Role::Datatype)
                    .filter(|_| is_int)
                    .and_then(|datatype| self.size_of_type(datatype));
                size.and_then(|size| i64::try_from(size).ok()).map(Value::int)
            }
            Query::PackSize => self.packed_size(state, call),
            Query::StatusCount => self.status_count(state, set, call),
            Query::GroupTranslateRanks => {
                self.translate_ranks(state, set, call);
                return Ok(());
            }
            Query::TopoTest
            | Query::DimsCreate
            | Query::CartCoords
            | Query::CartRank
            | Query::CartShift
            | Query::CartGet
            | Query::CartdimGet => {
                if !self.grid_query(state, set, query, call)? {
                    self.forget_outputs(state, set, call);
                }
                return Ok(());
            }
            Query::DistGraphNeighborsCount | Query::DistGraphNeighbors => {
                self.graph_query(state, set, query, call);
                return Ok(());
            }
            _ => None,
        };
        match answer {
            Some(answer) => {
                let output = call.mpi.params.iter().position(|p| p.direction == Direction::Out);
                self.store_integers(state, set, call.at(output), &[answer]);
            }
            None => self.forget_outputs(state, set, call),
        }
        Ok(())
    }

    /// What `MPI_Comm_compare` says; `None` where that is not known.
    fn comparison(&self, state: &State, call: &Call<'_>) -> Result<Option<Value>, Need> {
        let handles = call.mpi.params_with_role(Role::Communicator).filter_map(|(i, _)| call.at(Some(i)));
        let described: Vec<Communicator> = handles
            .filter_map(|value| match value {
                Value::Comm(communicator) => Some((**communicator).clone()),
                Value::Name(name) => Communicator::predefined(name),
                _ => None,
            })
            .collect();
        let [a, b] = described.as_slice() else { return Ok(None) };
        let answer = match (a.name == b.name, a.group == b.group) {
            (true, true) => "MPI_IDENT",
            (false, true) => "MPI_CONGRUENT",
            _ => {
                let (Some(x), Some(y)) = (a.group.size(), b.group.size()) else { return Ok(None) };
                match (decide_eq(&x, &y, &state.facts)?, x.as_constant(), y.as_constant()) {
                    (false, ..) => "MPI_UNEQUAL",
                    // Each holds the caller, and nobody else.
                    (true, Some(1), _) | (true, _, Some(1)) => "MPI_CONGRUENT",
                    (true, ..) => return Ok(None),
                }
            }
        };
        Ok(Some(Value::Name(answer.into())))
    }

    /// What a communicator is called by that a call makes: its line, and a number where the processes still have others of the same call,
    /// which are not to be taken for it. Those of other processes, who have made the call on a communicator of their own, are told from
    /// it by their members.
    pub(crate) fn place_of_new<'s>(&self, state: &'s State, members: &[&Ranks], site: SiteId) -> String {
        let facts = &state.facts;
        let concerned = |ranks: &Ranks| !members.iter().all(|members| ranks.disjoint(members, facts));
        let mut held: BTreeSet<&'s str> = BTreeSet::new();
        for set in state.sets.iter().filter(|set| concerned(&set.ranks)) {
            for (_, content) in set.memory.objects() {
                held.extend(content.cells.values().filter_map(|(_, value)| match value {
                    Value::Comm(communicator) => Some(&*communicator.name),
                    _ => None,
                }));
            }
            held.extend(set.handles.values().flat_map(Handle::parts).filter_map(|handle| match handle {
                Handle::Send(send) => Some(&*send.envelope.communicator.name),
                Handle::Receive(receive, _) => Some(&*receive.filter.communicator.name),
                Handle::Collective(call) => Some(&*call.communicator.name),
                Handle::Message(_, _, communicator) => Some(&*communicator.name),
                Handle::Nothing | Handle::Several(_) => None,
            }));
        }
        // A communicator in use is one of others where no member is in it; of those that each process has for itself, which all look
        // alike, it is that of who uses it.
        let shared = |communicator: &Communicator| {
            members.iter().any(|members| communicator.group.holds(members, facts) != Some(false))
        };
        let mut used = |communicator: &'s Communicator, users: Ranks| {
            let may_meet = if communicator.is_own() { concerned(&users) } else { shared(communicator) };
            if may_meet {
                held.insert(&communicator.name);
            }
        };
        for message in &state.in_flight {
            used(&message.envelope.communicator, message.relation.senders());
        }
        for posted in &state.posted {
            used(&posted.incoming.filter.communicator, posted.wanted.receivers());
        }
        for entered in &state.entered {
            used(&entered.call.communicator, entered.members.clone());
        }
        let line = self.site_line(site);
        let place = |number: usize| if number == 1 { line.clone() } else { format!("{line}, no. {number}") };
        let is_free = |place: &String| {
            let end = format!("({place})");
            !held.iter().any(|name| name.ends_with(&end))
        };
        (1..).map(place).find(is_free).unwrap_or(line)
    }

    /// A duplicate of a communicator in which each process is alone: nobody waits for anybody.
    pub(crate) fn duplicate_own(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
    ) -> Result<Progress, Need> {
        let old = self.communicator(call)?;
        self.gather_alone(state, set, call)?;
        let site = self.site(set.frame().function, call.span, call.mpi.name);
        let name = format!("duplicate of {} ({})", old.name, self.place_of_new(state, &[&set.ranks], site));
        let new = Communicator { name: name.into(), ..(*old).clone() };
        let output = call.mpi.param_with(Role::Communicator, Direction::Out);
        if let Some(location) = call.at(output).and_then(target) {
            self.scope(state, set).write(&location, Some(8), Value::Comm(Arc::new(new)));
        }
        set.frame_mut().inst += 1;
        Ok(Progress::Continue)
    }

    /// Reads an attribute. The largest tag is there on every process, and the same on all (MPI-4.1 section 9.1.2).
    pub(crate) fn read_attribute(&mut self, state: &mut State, set: &mut ProcessSet, call: &Call<'_>) {
        self.forget_outputs(state, set, call);
        let places = [Role::AttributeValue, Role::Flag].map(|role| call.mpi.param_with_role(role));
        let [Some(value), Some(flag)] = places.map(|index| call.at(index).and_then(target)) else { return };
        if call.value(Role::Keyval).and_then(Value::as_name) != Some(LARGEST_TAG) {
            return;
        }
        let object = self.objects.object(ObjectKind::Library(LARGEST_TAG));
        let largest = self.symbols.apply(LARGEST_TAG, Vec::new());
        let mut scope = self.scope(state, set);
        scope.bound(largest, LEAST_LARGEST_TAG);
        let content = Location { object, offset: Some(Linear::zero()) };
        scope.write(&content, Some(4), Value::Int(largest.into()));
        scope.write(&value, Some(8), Value::Address(object, Linear::zero()));
        scope.write(&flag, Some(4), Value::int(1));
    }

    /// What `MPI_Pack_size` says: at least as many bytes as the elements have, and how many more is for the library to decide.
    fn packed_size(&mut self, state: &mut State, call: &Call<'_>) -> Option<Value> {
        let size = i64::try_from(self.size_of_type(call.value(Role::Datatype)?)?).ok()?;
        let bytes = call.value(Role::Count)?.as_int()?.scale(size).filter(Linear::is_uniform)?;
        let packed = self.symbols.apply(PACKED, vec![bytes.clone()]).into();
        state.facts.learn(&bytes, &packed);
        Some(Value::Int(packed))
    }

    /// `MPI_Get_count` of a status that the engine has filled in.
    fn status_count(&mut self, state: &mut State, set: &mut ProcessSet, call: &Call<'_>) -> Option<Value> {
        let status = call.at(call.mpi.param_with_role(Role::Status))?.clone();
        let wanted = call.value(Role::Datatype)?.clone();
        let (count, sent) = self.scope(state, set).counted(&status)?;
        let sent_count = count.as_int()?.clone();
        if sent == wanted {
            return Some(Value::Int(sent_count));
        }
        let size = |datatype: &Value| i64::try_from(self.size_of_type(datatype)?).ok();
        let (from, to) = (size(&sent)?, size(&wanted)?);
        sent_count.scale(from)?.divide_exactly(to).map(Value::Int)
    }

    /// The ranks in an array, where so many of them are not a number but all of them are a few progressions, one after the other.
    pub(crate) fn series_of_ranks(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        array: Option<&Value>,
        number: Option<&Value>,
    ) -> Option<Vec<Progression>> {
        let (object, start) = address(array?)?;
        let number = number?.as_int()?;
        let facts = &state.facts;
        if facts.constant(number).is_some() || facts.le(&Linear::zero(), number) != Truth::Yes {
            return None;
        }
        let series = &set.memory.get(object)?.series;
        let (mut found, mut left, mut offset) = (Vec::new(), number.clone(), start.clone());
        while facts.eq(&left, &Linear::zero()) != Truth::Yes {
            let (first, step, count) = series.iter().find_map(|series| {
                let whole = series.values_from(&offset, 4, &left, facts);
                let rest = || series.values_to_end(&offset, 4, facts);
                whole.map(|(first, step)| (first, step, left.clone())).or_else(rest)
            })?;
            let first = set.ranks.settle(&first, facts);
            let alone = facts.constant(&count) == Some(1);
            if (step == 0 && !alone) || !first.is_uniform() || PIECES <= found.len() {
                return None;
            }
            (left, offset) = (left.sub(&count)?, offset.add_scaled(&count, 4)?);
            found.push(Progression { first, step: if alone { 1 } else { step }.into(), count });
        }
        Some(found)
    }

    /// The ranks in an array of constant length.
    pub(crate) fn listed_ranks(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        array: Option<&Value>,
        number: Option<&Value>,
    ) -> Option<Vec<Linear>> {
        let number = state.facts.constant(number?.as_int()?).filter(|n| (0..=LISTED).contains(n))?;
        let ranks = self.integers(state, set, array, usize::try_from(number).ok()?)?;
        ranks.iter().all(Linear::is_uniform).then_some(ranks)
    }

    fn translate_ranks(&mut self, state: &mut State, set: &mut ProcessSet, call: &Call<'_>) {
        let groups: Vec<Option<Arc<Group>>> = call
            .mpi
            .params_with_role(Role::Group)
            .map(|(i, _)| match call.at(Some(i)) {
                Some(Value::Group(group)) => Some(Arc::clone(group)),
                _ => None,
            })
            .collect();
        let number = call.at(call.mpi.param_with_role(Role::ArrayLength)).cloned();
        let ranks = call.at(call.mpi.param_with(Role::Rank, Direction::In)).cloned();
        let output = call.at(call.mpi.param_with(Role::Rank, Direction::Out)).cloned();
        let ranks = self.listed_ranks(state, set, ranks.as_ref(), number.as_ref());
        self.forget_outputs(state, set, call);
        let (Some(ranks), [Some(from), Some(to)]) = (ranks, groups.as_slice()) else { return };
        let facts = &state.facts;
        let there = |rank| {
            let world = from.to_world(rank, facts)?;
            let one = Ranks::single(world.clone());
            match to.holds(&one, facts)? {
                true => to.local_rank(&world, &one, facts).map(Value::Int),
                false => Some(Value::Name("MPI_UNDEFINED".into())),
            }
        };
        let answers: Vec<Value> = ranks.iter().map(|rank| there(rank).unwrap_or(Value::Unknown)).collect();
        self.store_integers(state, set, output.as_ref(), &answers);
    }

    /// Makes a group, where its members are known.
    pub(crate) fn make_group(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        how: GroupConstructor,
    ) -> Result<(), Need> {
        let group = match self.pieces_made(state, set, call, how)? {
            Some(group) => Some(group),
            None => self.group_made(state, set, call, how),
        };
        self.local_call(state, set, call);
        if let Some(group) = group
            && let Some((index, _)) = call.mpi.created()
            && let Some((object, offset)) = call.at(Some(index)).and_then(address)
        {
            let location = Location { object, offset: Some(offset.clone()) };
            self.scope(state, set).write(&location, Some(8), Value::Group(Arc::new(group)));
        }
        Ok(())
    }

    /// The group of listed ranks that are several progressions one after the other. Which of them have members must be known.
    fn pieces_made(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        how: GroupConstructor,
    ) -> Result<Option<Group>, Need> {
        let base = match call.value(Role::Group) {
            Some(Value::Group(base)) if how == GroupConstructor::Incl => Arc::clone(base),
            _ => return Ok(None),
        };
        let number = call.at(call.mpi.param_with_role(Role::ArrayLength)).cloned();
        let list = call.at(call.mpi.param_with_role(Role::Rank)).cloned();
        match self.series_of_ranks(state, set, list.as_ref(), number.as_ref()) {
            Some(pieces) if 1 < pieces.len() => in_pieces(&base, pieces, &state.facts),
            _ => Ok(None),
        }
    }

    fn group_made(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        how: GroupConstructor,
    ) -> Option<Group> {
        use GroupConstructor::{
            Difference, Excl, FromCommunicator, FromSessionPset, Incl, Intersection, RangeExcl, RangeIncl,
            Remote, Union,
        };
        let (ranks, facts) = (&set.ranks, &state.facts);
        match how {
            FromCommunicator => return self.communicator(call).ok()?.group.own_side(ranks, facts),
            Remote => return self.communicator(call).ok()?.group.other_side(ranks, facts),
            FromSessionPset => {
                let name = call.at(call.mpi.param_with_role(Role::String))?.clone();
                let communicator = match self.scope(state, set).literal(&name)? {
                    b"mpi://WORLD" => Communicator::world(),
                    b"mpi://SELF" => Communicator::own(),
                    _ => return None,
                };
                return Some(communicator.group);
            }
            _ => {}
        }
        let mut given = call
            .mpi
            .params
            .iter()
            .zip(call.values)
            .filter(|(p, _)| p.role == Role::Group && p.direction == Direction::In)
            .map(|(_, value)| match value {
                Value::Group(group) => Some(Arc::clone(group)),
                _ => None,
            });
        let base = given.next()??;
        let number = call.at(call.mpi.param_with_role(Role::ArrayLength)).cloned();
        match how {
            Incl | Excl => {
                let list = call.at(call.mpi.param_with_role(Role::Rank)).cloned();
                if let Some(pieces) = self.series_of_ranks(state, set, list.as_ref(), number.as_ref()) {
                    let facts = &state.facts;
                    return match &pieces[..] {
                        [all] if how == Incl => base.selected(all),
                        [all] => base.without(all, facts),
                        _ => None,
                    };
                }
                let ranks = self.listed_ranks(state, set, list.as_ref(), number.as_ref())?;
                chosen(state, &base, &ranks, how == Incl)
            }
            RangeIncl | RangeExcl => {
                let list = call.at(call.mpi.param_with_role(Role::RankRanges)).cloned();
                let triples = number.as_ref().and_then(Value::as_int)?.scale(3)?;
                let ends = self.listed_ranks(state, set, list.as_ref(), Some(&Value::Int(triples)))?;
                ranges(state, &base, &ends, how == RangeIncl)
            }
            Union | Intersection | Difference => {
                let other = given.next()??;
                let (a, b) = (base.listed(&state.facts)?, other.listed(&state.facts)?);
                Some(Group::of(match how {
                    Union => a.iter().copied().chain(b.iter().copied().filter(|r| !a.contains(r))).collect(),
                    Intersection => a.into_iter().filter(|r| b.contains(r)).collect(),
                    _ => a.into_iter().filter(|r| !b.contains(r)).collect(),
                }))
            }
            _ => None,
        }
    }

    /// A collective call that makes a communicator.
    pub(crate) fn creation(
        &mut self,
        state: &mut State,
        set: &mut ProcessSet,
        call: &Call<'_>,
        how: CommConstructor,
    ) -> Result<CollectiveCall, Need> {
        use CommConstructor::{
            CartCreate, CartSub, Create, CreateFromGroup, CreateGroup, DistGraphCreate,
            DistGraphCreateAdjacent, Dup, DupWithInfo, GraphCreate, Idup, IdupWithInfo, IntercommCreate,
            IntercommMerge, Split, SplitType,
        };
        let mut entered = match call.value(Role::Group) {
            // There is no communicator yet: the members of the group call it.
            Some(Value::Group(group)) if how == CreateFromGroup => {
                let group = group.as_ref().clone();
                let communicator = Communicator::new("call by the members of a group".into(), group);
                self.collective_call_on(state, set, call, Arc::new(communicator))?
            }
            _ => self.collective_call(state, set, call)?,
        };
        let handle =
            call.mpi.created().and_then(|(i, _)| call.at(Some(i))).cloned().unwrap_or(Value::Unknown);
        let how = match how {
            Dup | DupWithInfo | Idup | IdupWithInfo => Partition::Same,
            Split => {
                let colour = match call.value(Role::Color) {
                    Some(Value::Int(colour)) => Some(colour.clone()),
                    Some(Value::Name(name)) if &**name == "MPI_UNDEFINED" => None,
                    _ => return Err(Need::give_up("the colour of a split is not known")),
                };
                if let Some(colour) = &colour {
                    apart_by_colour(&set.ranks, colour, &state.facts)?;
                }
                let key = match (call.value(Role::SortKey), &colour) {
                    (Some(Value::Int(key)), _) => key.clone(),
                    (_, None) => Linear::zero(),
                    _ => return Err(Need::give_up("the key of a split is not known")),
                };
                Partition::Colour { colour, key, grid: None }
            }
            SplitType => match call.value(Role::SplitType) {
                Some(Value::Name(name)) if &**name == "MPI_UNDEFINED" => {
                    Partition::Colour { colour: None, key: Linear::zero(), grid: None }
                }
                // Where all processes run on one machine it holds all of them.
                Some(Value::Name(name)) if &**name == "MPI_COMM_TYPE_SHARED" => {
                    let Some(Value::Int(key)) = call.value(Role::SortKey) else {
                        return Err(Need::give_up("the key of a split is not known"));
                    };
                    let place = self.line_of(set.frame().function.unit, call.span);
                    self.assume(format!("{place}: all processes share memory"));
                    Partition::Colour { colour: Some(Linear::zero()), key: key.clone(), grid: None }
                }
                _ => {
                    return Err(Need::give_up(format!(
                        "which processes `{}` puts together depends on the machine",
                        call.mpi.name
                    )));
                }
            },
            Create | CreateGroup | CreateFromGroup => match call.value(Role::Group) {
                Some(Value::Group(group)) => {
                    if how == CreateGroup {
                        // Only the members call it.
                        let name = format!("call by the members of a group of {}", entered.communicator.name);
                        let group = group.as_ref().clone();
                        entered.communicator = Arc::new(Communicator::new(name.into(), group));
                    }
                    // Members and others go different ways from here.
                    group.tell_apart(&set.ranks, &state.facts)?;
                    Partition::Of(group.as_ref().clone())
                }
                _ => return Err(Need::give_up("the group of a new communicator is not known")),
            },
            CartSub => {
                let (colour, key, grid) = self.grid_kept(state, set, call, &entered.communicator)?;
                apart_by_colour(&set.ranks, &colour, &state.facts)?;
                Partition::Colour { colour: Some(colour), key, grid: Some(Arc::new(grid)) }
            }
            CartCreate => {
                let old = entered.communicator.group.clone();
                let (group, grid) = self.grid_made(state, set, call, &old)?;
                Partition::Grid(group, Arc::new(grid))
            }
            DistGraphCreateAdjacent | DistGraphCreate => {
                self.keeps_order(state, set, call, if how == DistGraphCreate { 7 } else { 8 })?;
                let place = self.site_line(entered.site);
                let name = graph_name(&entered.communicator.name, &place);
                if how == DistGraphCreateAdjacent {
                    self.keep_neighbours(state, set, call, &name);
                }
                Partition::Graph
            }
            GraphCreate => {
                self.keeps_order(state, set, call, 4)?;
                let size = entered.communicator.group.size();
                let nodes = call.at(Some(1)).and_then(Value::as_int).filter(|nodes| nodes.is_uniform());
                match size.zip(nodes) {
                    Some((size, nodes)) if decide_eq(&size, nodes, &state.facts)? => Partition::Graph,
                    _ => return Err(Need::give_up("which processes belong to a graph is not known")),
                }
            }
            IntercommCreate | IntercommMerge => self.partition_of_sides(state, set, call, how)?,
            how if how.makes_intercommunicator() => {
                return Err(Need::give_up(format!(
                    "`{}` makes an intercommunicator, which is not followed",
                    call.mpi.name
                )));
            }
            _ => return Err(Need::give_up(format!("`{}` is not followed yet", call.mpi.name))),
        };
        entered.creates = Some(Creation { handle, how });
        Ok(entered)
    }
}

/// Asks to tell the members of a set apart where their colour is a digit of few values, such as the parity of the rank.
fn apart_by_colour(ranks: &Ranks, colour: &Linear, facts: &Constraints) -> Result<(), Need> {
    let colour = ranks.settle(colour, facts);
    for (position, digit) in ranks.digits().iter().enumerate() {
        let few = || digit.count().and_then(|count| facts.upper_bound(&count)).is_some_and(|n| n <= APART);
        if colour.has(ranks.symbol(position)) && few() {
            return Err(Need::Split(position, digit.lo.clone()));
        }
    }
    Ok(())
}

/// The members of a group with the ranks of several progressions in it; `None` where the same rank may be in two of them, or some rank be
/// none, which is an error of the program.
fn in_pieces(base: &Group, pieces: Vec<Progression>, facts: &Constraints) -> Result<Option<Group>, Need> {
    let mut kept = Vec::new();
    for piece in pieces {
        if decide_le(&1.into(), &piece.count, facts)? {
            kept.push(piece);
        }
    }
    let hull = |piece: &Progression| {
        let (first, last) = (piece.first.clone(), piece.last()?);
        Some(if piece.ascends() { Range { lo: first, hi: last } } else { Range { lo: last, hi: first } })
    };
    let Some(hulls) = kept.iter().map(hull).collect::<Option<Vec<Range>>>() else { return Ok(None) };
    let Some(all) = base.size().and_then(|size| size.offset(-1)).map(|hi| Range { lo: Linear::zero(), hi })
    else {
        return Ok(None);
    };
    let apart = hulls.iter().enumerate().all(|(at, hull)| {
        let inside = facts.le(&all.lo, &hull.lo) == Truth::Yes && facts.le(&hull.hi, &all.hi) == Truth::Yes;
        inside && hulls[..at].iter().all(|other| other.disjoint(hull, facts))
    });
    let mut groups = kept.iter().map(|piece| base.selected(piece));
    let Some(Some(first)) = groups.next().filter(|_| apart) else { return Ok(None) };
    Ok(groups.try_fold(first, |before, next| Some(Group::joined(before, next?, facts))))
}

/// The members of a group with these ranks in it, or all others.
fn chosen(state: &State, base: &Group, ranks: &[Linear], included: bool) -> Option<Group> {
    let facts = &state.facts;
    let constants: Option<Vec<i64>> = ranks.iter().map(|r| facts.constant(r)).collect();
    match (included, base, constants) {
        (true, _, Some(constants)) => {
            let world = constants.iter().map(|&r| facts.constant(&base.to_world(&r.into(), facts)?));
            Some(Group::of(world.collect::<Option<_>>()?))
        }
        (false, Group::Progression(all), Some(mut constants)) => {
            if let Some(all) = base.listed(facts) {
                let kept = (0_i64..).zip(all).filter(|(i, _)| !constants.contains(i)).map(|(_, r)| r);
                return Some(Group::of(kept.collect()));
            }
            // The first ones, so that the others are at equal distances still.
            constants.sort_unstable();
            let leading = constants.iter().zip(0_i64..).all(|(&r, i)| r == i);
            let left_out = i64::try_from(constants.len()).ok()?;
            let first = all.first.add_scaled(&all.step, left_out)?;
            let count = all.count.offset(left_out.checked_neg()?)?;
            leading.then_some(Group::Progression(Progression { first, step: all.step.clone(), count }))
        }
        (false, Group::Progression(all), None) => {
            // All but the last.
            let [only] = ranks else { return None };
            let count = all.count.offset(-1)?;
            let first = all.first.clone();
            (facts.eq(only, &count) == Truth::Yes).then_some(Group::Progression(Progression {
                first,
                step: all.step.clone(),
                count,
            }))
        }
        (true, Group::Progression(_), None) => {
            let world: Vec<Linear> = ranks.iter().map(|r| base.to_world(r, facts)).collect::<Option<_>>()?;
            let neighbours = world
                .windows(2)
                .all(|w| w[0].offset(1).is_some_and(|next| facts.eq(&next, &w[1]) == Truth::Yes));
            let (lo, hi) = (world.first()?.clone(), world.last()?.clone());
            neighbours.then(|| Group::range(&Range { lo, hi }))?
        }
        (_, Group::List(_) | Group::Joined(_) | Group::Sides(_), _) => {
            let (constants, all) = (constants_of(ranks, facts)?, base.listed(facts)?);
            let kept = (0_i64..).zip(all).filter(|(i, _)| constants.contains(i) == included).map(|(_, r)| r);
            Some(Group::of(kept.collect()))
        }
    }
}

fn constants_of(ranks: &[Linear], facts: &Constraints) -> Option<Vec<i64>> {
    ranks.iter().map(|r| facts.constant(r)).collect()
}

/// The members of a group with ranks in triples (first, last, stride), or all others.
fn ranges(state: &State, base: &Group, ends: &[Linear], included: bool) -> Option<Group> {
    let facts = &state.facts;
    if let (Some(constants), Some(all)) = (constants_of(ends, facts), base.listed(facts)) {
        let mut ranks = Vec::new();
        for triple in constants.chunks_exact(3) {
            let (first, last, stride) = (triple[0], triple[1], triple[2]);
            let steps = last.checked_sub(first)?.checked_div(stride)?;
            if !(0..LISTED).contains(&steps) {
                return None;
            }
            ranks.extend((0..=steps).map(|i| first + i * stride));
        }
        let at = |rank: i64| usize::try_from(rank).ok().and_then(|r| all.get(r)).copied();
        return if included {
            ranks.into_iter().map(at).collect::<Option<Vec<_>>>().map(Group::of)
        } else {
            let kept = (0_i64..).zip(&all).filter(|(i, _)| !ranks.contains(i)).map(|(_, &r)| r);
            Some(Group::of(kept.collect()))
        };
    }
    let [first, last, stride] = ends else { return None };
    let Group::Progression(all) = base else { return None };
    if !included || stride.as_constant() != Some(1) {
        return None;
    }
    let count = last.sub(first)?.offset(1)?;
    Some(Group::Progression(Progression {
        first: all.first.add(&first.times(&all.step)?)?,
        step: all.step.clone(),
        count,
    }))
}
