//! Groups of processes (MPI-4.1 section 7.3), and the communicators that are made of them.
//!
//! A group is a relation: from the process that has it to the ranks in it with their members. What lists and ranges choose is composed with
//! it. Where others are left out, ranks are numbered anew: these are guessed and proved as those of `MPI_Comm_split` are.

use std::rc::Rc;

use frontend::ir::Expr;
use frontend::mpi::{GroupConstructor, Query};
use presburger::{Relation, Set};

use crate::arrays::array_of;
use crate::assemble::special;
use crate::communicators::Communicator;
use crate::error::Result;
use crate::event::CallSite;
use crate::extract::{Extractor, Frame};
use crate::form::{Atom, Bound, Form};
use crate::memory::{Place, Step, Value};
use crate::region::Region;
use crate::state::State;

/// A group of processes.
#[derive(Debug)]
pub(crate) struct Group {
    /// From the process that has it to each rank in it, with the member that has this rank.
    members: Relation,
    /// How many numbers a rank is written with: one, or its digits.
    length: usize,
}

impl PartialEq for Group {
    /// Only what is the same is known to be equal.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Extractor<'_> {
    fn group_of(
        &mut self,
        frame: &Frame,
        state: &mut State,
        argument: Option<&Expr>,
    ) -> Result<Option<Rc<Group>>> {
        let Some(argument) = argument else { return Ok(None) };
        Ok(match self.handle(frame, state, argument)? {
            Value::Group(group) => Some(group),
            _ => None,
        })
    }

    /// What a call that makes a group makes. `None` where that is not followed.
    pub(crate) fn new_group(
        &mut self,
        frame: &Frame,
        state: &mut State,
        args: &[Expr],
        constructor: GroupConstructor,
    ) -> Result<Option<Value>> {
        if !state.doubts.is_empty() || !self.is_same_in_rounds(&state.region)? {
            return Ok(None);
        }
        if constructor == GroupConstructor::FromCommunicator {
            let Some(of) = args.first() else { return Ok(None) };
            let Value::Communicator { number, .. } = self.handle(frame, state, of)? else { return Ok(None) };
            let communicator = self.of_number(number).clone();
            let ranks = communicator.ranks()?;
            let own = ranks.flat_range_product(&ranks.domain()?.identity()?)?;
            let classes = communicator.classes()?;
            let members = classes.apply_range(&classes.inverse()?.apply_range(&own)?)?;
            return Ok(Some(Value::Group(Rc::new(Group { members, length: communicator.length }))));
        }
        let Some(group) = self.group_of(frame, state, args.first())? else { return Ok(None) };
        let made = match constructor {
            GroupConstructor::Incl | GroupConstructor::Excl => {
                let Some(list) = self.listed_ranks(frame, state, args)? else { return Ok(None) };
                self.of_list(&group, &list, constructor == GroupConstructor::Incl)?
            }
            GroupConstructor::RangeIncl | GroupConstructor::RangeExcl => {
                let Some(list) = self.ranks_of_range(frame, state, args)? else { return Ok(None) };
                self.of_list(&group, &list, constructor == GroupConstructor::RangeIncl)?
            }
            GroupConstructor::Union | GroupConstructor::Intersection | GroupConstructor::Difference => {
                let Some(other) = self.group_of(frame, state, args.get(1))? else { return Ok(None) };
                self.of_both(&group, &other, constructor)?
            }
            _ => None,
        };
        Ok(made.map(|group| Value::Group(Rc::new(group))))
    }

    /// How many elements a list has that a call is given, and where it is.
    fn count_and_list(
        &mut self,
        frame: &Frame,
        state: &mut State,
        args: &[Expr],
    ) -> Result<Option<(Form, Place)>> {
        let [_, count, list, ..] = args else { return Ok(None) };
        let count = self.evaluate(frame, state, count)?;
        let list = self.evaluate(frame, state, list)?;
        Ok(match (count, list) {
            (Value::Number(count), Value::Address(place)) => Some((count, place)),
            _ => None,
        })
    }

    /// Whether the same processes come here in each round of the loops around.
    fn is_same_in_rounds(&self, region: &Region) -> Result<bool> {
        if self.counters.is_empty() {
            return Ok(true);
        }
        let rounds = region.projected(&self.counters)?.set;
        let all = region.projected(&self.process)?.set.cross(&rounds)?.wrap()?;
        let names = |name: &str, count: usize| Self::tuple(name, count).join(", ");
        let (p, c) = (names("p", self.process.len()), names("c", self.counters.len()));
        let flat = Relation::parse(&self.context, &format!("{{ [[{p}] -> [{c}]] -> [{p}, {c}] }}"))?;
        Ok(all.apply(&flat)?.is_subset(&region.projected(&self.kept())?.set)?)
    }

    /// From process and place in a list to the rank there, and the places that the list has.
    fn listed_ranks(
        &mut self,
        frame: &Frame,
        state: &mut State,
        args: &[Expr],
    ) -> Result<Option<(Relation, Set)>> {
        let Some((count, place)) = self.count_and_list(frame, state, args)? else { return Ok(None) };
        // One number, or an array.
        let ranks = match array_of(&place) {
            Some(array) => {
                let kept = self.kept();
                let single = state.memory.read(&array).cloned();
                match single {
                    Some(Value::Number(form)) => match self.parts(&form) {
                        Some(parts) => self.element(&state.region, &kept, &Form::default(), &parts)?,
                        None => return Ok(None),
                    },
                    _ => self.elements(state, &array, &kept)?,
                }
            }
            None => return Ok(None),
        };
        let at = self.new_coordinate();
        let index = Form::atom(Atom::Coordinate(at));
        let bounds = [Some(Bound::not_negative(index.clone())), Bound::below(&index, &count)];
        let bounds: Vec<Bound> = bounds.into_iter().flatten().collect();
        if !count.is_linear() {
            return Ok(None);
        }
        let places = state.region.extended(at, &[bounds], &self.parameters)?;
        let is_known =
            places.projected(&[&self.kept()[..], &[at]].concat())?.set.is_subset(&ranks.domain()?)?;
        let places = places.projected(&[&self.process[..], &[at]].concat())?.set;
        // In each round of the loops around, the same.
        let first = self.process.len();
        let ranks = ranks.project_out_domain(first..first + self.counters.len())?;
        let is_same =
            count.coordinates().all(|at| !self.counters.contains(&at)) && ranks.is_single_valued()?;
        Ok((is_same && is_known).then_some((ranks, places)))
    }

    /// The same for one range: the first rank, the last one, and the distance.
    fn ranks_of_range(
        &mut self,
        frame: &Frame,
        state: &mut State,
        args: &[Expr],
    ) -> Result<Option<(Relation, Set)>> {
        let Some((count, place)) = self.count_and_list(frame, state, args)? else { return Ok(None) };
        if count.as_number() != Some(1) {
            return Ok(None);
        }
        let mut numbers = Vec::new();
        for at in 0..3 {
            let Some(cell) = triple(&place, at).cell() else { return Ok(None) };
            match state.memory.read(&cell) {
                Some(Value::Number(form)) => numbers.push(form.clone()),
                _ => return Ok(None),
            }
        }
        let is_of_rounds = |form: &Form| form.coordinates().any(|at| self.counters.contains(&at));
        if numbers.iter().any(is_of_rounds) {
            return Ok(None);
        }
        let Some(stride) = numbers[2].as_number().filter(|stride| *stride != 0) else { return Ok(None) };
        let at = self.new_coordinate();
        let index = Form::atom(Atom::Coordinate(at));
        let Some(rank) = numbers[0].plus(&index, stride) else { return Ok(None) };
        let (low, high) = if stride > 0 { (&rank, &numbers[1]) } else { (&numbers[1], &rank) };
        let bounds: Vec<Bound> = Bound::at_most(low, high).into_iter().collect();
        let all = state.region.extended(at, &[vec![Bound::not_negative(index)]], &self.parameters)?;
        let (Some(all), Some(parts)) = (all.where_linear(&bounds, &self.parameters)?, self.parts(&rank))
        else {
            return Ok(None);
        };
        let instance = [&self.process[..], &[at]].concat();
        let ranks = all.relation("", &instance, &parts, &self.parameters)?;
        let places = ranks.domain()?;
        Ok(Some((ranks, places)))
    }

    /// A tuple of so many names.
    fn tuple(name: &str, length: usize) -> Vec<String> {
        (0..length).map(|at| format!("{name}{at}")).collect()
    }

    /// The members of a group that a list names, in its order, or all others in theirs.
    fn of_list(
        &mut self,
        group: &Group,
        (ranks, places): &(Relation, Set),
        is_chosen: bool,
    ) -> Result<Option<Group>> {
        let context = &self.context;
        let process = Self::tuple("p", self.process.len());
        let rank = Self::tuple("v", group.length);
        let member = Self::tuple("m", self.process.len());
        let [p, v, m] = [&process, &rank, &member].map(|names| names.join(", "));
        // From process and rank to the member.
        let pair = format!("[[{p}] -> [{v}, {m}]]");
        let by_rank = Relation::parse(context, &format!("{{ {pair} -> [{p}, {v}] }}"))?;
        let to_member = Relation::parse(context, &format!("{{ {pair} -> [{m}] }}"))?;
        let by_rank = by_rank.intersect_domain(&group.members.wrap()?)?.inverse()?.apply_range(&to_member)?;
        // From process and place in the list to process and rank.
        let owner = Relation::parse(context, &format!("{{ [{p}, i] -> [{p}] }}"))?;
        let index = Relation::parse(context, &format!("{{ [{p}, i] -> [i] }}"))?;
        let ranks = ranks.intersect_domain(places)?;
        if !ranks.is_single_valued()? {
            return Ok(None);
        }
        let named = owner.flat_range_product(&ranks)?.apply_range(&by_rank)?;
        if !places.is_subset(&named.domain()?)? {
            return Ok(None);
        }
        let owned = owner.intersect_domain(places)?.inverse()?;
        if is_chosen {
            let members = owned.apply_range(&index.flat_range_product(&named)?)?.simplified()?;
            return Ok(Some(Group { members, length: 1 }));
        }
        let gone = owned.apply_range(&named)?;
        let all = group.members.project_out_range(0..group.length)?;
        let left = all.subtract(&gone)?;
        let Some(left) = self.same_for_all(&left)? else { return Ok(None) };
        let Some(order) = self.order_of(group)? else { return Ok(None) };
        self.numbered_anew(&order.intersect_domain(&left)?)
    }

    /// The members of two groups: first those of the first one, in their order.
    fn of_both(
        &mut self,
        group: &Group,
        other: &Group,
        constructor: GroupConstructor,
    ) -> Result<Option<Group>> {
        let (Some(first), Some(second)) = (self.order_of(group)?, self.order_of(other)?) else {
            return Ok(None);
        };
        let order = match constructor {
            GroupConstructor::Intersection => first.intersect_domain(&second.domain()?)?,
            GroupConstructor::Difference => first.subtract_domain(&second.domain()?)?,
            _ if group.length != other.length => return Ok(None),
            _ => {
                let part = |relation: &Relation, number: u8| -> Result<Relation> {
                    let number = Set::parse(&self.context, &format!("{{ [{number}] }}"))?;
                    Ok(relation.domain()?.cross(&number)?.flat_range_product(relation)?)
                };
                part(&first, 0)?.union(&part(&second.subtract_domain(&first.domain()?)?, 1)?)?
            }
        };
        self.numbered_anew(&order)
    }

    /// The members that all have, if these are the same for all.
    fn same_for_all(&self, members: &Relation) -> Result<Option<Set>> {
        let all = members.range()?;
        let is_same = self.everybody()?.set.cross(&all)?.is_subset(members)?;
        Ok(is_same.then_some(all))
    }

    /// From the members of a group to their ranks in it, if the group is the same for all.
    fn order_of(&self, group: &Group) -> Result<Option<Relation>> {
        let Some(pairs) = self.same_for_all(&group.members)? else { return Ok(None) };
        let names = Self::tuple("v", group.length);
        let member = Self::tuple("m", self.process.len());
        let [v, m] = [&names, &member].map(|names| names.join(", "));
        let turned = Relation::parse(&self.context, &format!("{{ [{v}, {m}] -> [[{m}] -> [{v}]] }}"))?;
        Ok(Some(pairs.apply(&turned)?.unwrap_pairs()?))
    }

    /// A group of these members, the same for all, with ranks in this order.
    fn numbered_anew(&mut self, order: &Relation) -> Result<Option<Group>> {
        let zero = Set::parse(&self.context, "{ [0] }")?;
        let classes = order.domain()?.cross(&zero)?;
        let Some((places, length)) = self.numbering(&classes, order)? else { return Ok(None) };
        let ranks = places.project_out_range(0..1)?;
        let own = ranks.flat_range_product(&ranks.domain()?.identity()?)?.range()?;
        let members = self.everybody()?.set.cross(&own)?;
        Ok(Some(Group { members, length }))
    }

    /// The communicator of a group. `is_called_by_all`: whether all of the other communicator call, and not only its members.
    pub(crate) fn communicator_of_group(
        &mut self,
        frame: &Frame,
        state: &mut State,
        parent: usize,
        (site, args): (&CallSite, &[Expr]),
        is_called_by_all: bool,
    ) -> Result<Option<Value>> {
        if !state.doubts.is_empty() || !self.is_same_in_rounds(&state.region)? {
            return Ok(None);
        }
        let Some(group) = self.group_of(frame, state, args.get(1))? else { return Ok(None) };
        let callers = state.region.projected(&self.process)?.set;
        let members = group.members.intersect_domain(&callers)?;
        let ranks = Self::tuple("v", group.length);
        let process = Self::tuple("p", self.process.len());
        let [v, p] = [&ranks, &process].map(|names| names.join(", "));
        // Who has a rank in its own group, and who is the first of it.
        let itself =
            Relation::parse(&self.context, &format!("{{ [[{p}] -> [{v}, {p}]] -> [[{p}] -> [{v}]] }}"))?;
        let own = members.wrap()?.apply(&itself)?.unwrap_pairs()?;
        let zeros = vec!["0"; group.length].join(", ");
        let first = Relation::parse(&self.context, &format!("{{ [{zeros}, {p}] -> [{p}] }}"))?;
        let inside = own.domain()?;
        let leaders = members.intersect_domain(&inside)?.apply_range(&first)?;
        // All members of a group have the same one, and share a communicator.
        let mates = members.intersect_domain(&inside)?.project_out_range(0..group.length)?;
        let is_consistent = own.is_single_valued()?
            && leaders.is_single_valued()?
            && inside.is_subset(&leaders.domain()?)?
            && mates.range()?.is_subset(&inside)?
            && mates.apply_range(&members)?.is_equal(&members.intersect_domain(&inside)?)?
            && mates.is_subset(&self.of_number(parent).mates()?)?
            && (is_called_by_all || callers.is_subset(&inside)?);
        if !is_consistent {
            return Ok(None);
        }
        let places = leaders.flat_range_product(&own)?.simplified()?;
        let last = members
            .intersect_domain(&inside)?
            .project_out_range(group.length..group.length + process.len())?;
        let sizes =
            last.lexicographic_maximum()?.apply_range(&self.next_rank(group.length)?)?.simplified()?;
        let everybody = self.made[0].mates()?;
        let has_all = everybody.is_subset(&mates)?;
        let made = Communicator {
            places,
            length: group.length,
            sizes,
            is_all: false,
            has_all,
            origin: Some((parent, site.clone())),
            rounds: self.prefix.len(),
        };
        let number = self.keep(site.span, made);
        let outside = callers.subtract(&inside)?;
        let colour = match outside.is_empty()? {
            true => None,
            false => {
                let process = self.process();
                let forms = process.as_slice();
                let mut cases = Vec::new();
                for (set, number) in [(&inside, 0), (&outside, special("MPI_UNDEFINED"))] {
                    cases.push((
                        state.region.with_values_in(forms, set, &self.parameters)?,
                        Form::number(number),
                    ));
                }
                match self.in_cases(&state.region.coordinates.clone(), &cases)? {
                    Some((region, colour)) => {
                        state.region = region;
                        Some(colour)
                    }
                    None => return Ok(None),
                }
            }
        };
        Ok(Some(Value::Communicator { number, colour, grid: None }))
    }

    /// The rank of a process in a group, or how many processes that has. `None` where it is not known.
    pub(crate) fn in_group(
        &mut self,
        frame: &Frame,
        state: &mut State,
        args: &[Expr],
        query: Query,
    ) -> Result<Option<Form>> {
        let Some(group) = self.group_of(frame, state, args.first())? else { return Ok(None) };
        let ranks = Self::tuple("v", group.length);
        let process = Self::tuple("p", self.process.len());
        let [v, p] = [&ranks, &process].map(|names| names.join(", "));
        if query == Query::GroupSize {
            let of_process = group.members.project_out_range(group.length..group.length + process.len())?;
            let sizes = of_process.lexicographic_maximum()?.apply_range(&self.next_rank(group.length)?)?;
            let here = state.region.projected(&self.process)?.set;
            if !here.is_subset(&sizes.domain()?)? {
                return Ok(None);
            }
            let at: Vec<u32> = (0..group.length).map(|_| self.new_coordinate()).collect();
            state.region = state.region.extended_by(&at, &self.process(), &sizes, &self.parameters)?;
            return Ok(Some(self.parameters.number_with(&at)));
        }
        let itself =
            Relation::parse(&self.context, &format!("{{ [[{p}] -> [{v}, {p}]] -> [[{p}] -> [{v}]] }}"))?;
        let own = group.members.wrap()?.apply(&itself)?.unwrap_pairs()?;
        let at: Vec<u32> = (0..group.length).map(|_| self.new_coordinate()).collect();
        let known = self.parameters.number_with(&at);
        let inside = state.region.extended_by(&at, &self.process(), &own, &self.parameters)?;
        let outside = state.region.with_values_in(&self.process(), &own.domain()?, &self.parameters)?;
        let outside: Region = state.region.within(state.region.set.subtract(&outside.set)?);
        let undefined = Form::number(special("MPI_UNDEFINED"));
        let found =
            self.in_cases(&state.region.coordinates.clone(), &[(inside, known), (outside, undefined)])?;
        Ok(found.map(|(region, rank)| {
            state.region = region;
            rank
        }))
    }
}

/// A number of the first range of an array of ranges.
fn triple(place: &Place, at: i64) -> Place {
    let mut place = place.clone();
    match place.steps.as_mut_slice() {
        [.., Step::At(outer), Step::At(inner)]
            if outer.as_number() == Some(0) && inner.as_number() == Some(0) =>
        {
            *inner = Form::number(at);
            place
        }
        _ => place.with(Step::At(Form::number(at))),
    }
}
