//! Communicators: which processes they have, in which order.
//!
//! `MPI_Comm_split` makes several communicators at once, one for each *class* of processes: those with the same colour. For the rank of a
//! process in its class an affine expression is guessed from small numbers of processes. Then it is proved that this expression numbers the
//! processes of each class in the order of their keys (MPI-4.1 section 7.4.2).

use std::collections::{BTreeMap, BTreeSet};

use frontend::ir::Span;
use presburger::{Error, Instance, Relation, Set};

use crate::error::{GivenUp, Result};
use crate::event::CallSite;
use crate::extract::{Extractor, Named};
use crate::form::{Atom, Bound, Form};
use crate::memory::{Cell, Value};
use crate::parameters::Kind;
use crate::region::{Condition, Parameters, Region};
use crate::state::State;

/// Numbers of processes at which ranks are looked at, and values of other parameters.
const SMALL: [i64; 10] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 17];
/// Processes that are looked at, at most.
const PROCESSES: usize = 64;
/// Colours that are looked at one by one, at most.
const COLOURS: usize = 6;

/// Groups of processes whose keys follow other formulas, at most.
const GROUPS: usize = 8;

/// Operations of integer sets for one split, at most: of all processes, and of a part of them.
const SPLIT: u64 = 2_000_000;
const SPLIT_AGAIN: u64 = 1_500_000;

/// Processes with their places in their classes.
type Pairs = Vec<(Instance, Instance)>;

/// Communicators that one call makes, one for each class of processes.
#[derive(Clone, Debug)]
pub(crate) struct Communicator {
    /// From a process to its class, and to its rank in that.
    pub(crate) places: Relation,
    /// How many numbers a rank is written with: one, or its digits.
    pub(crate) length: usize,
    /// From a process to the number of processes of its class; nothing for all.
    pub(crate) sizes: Relation,
    /// Whether it has all processes in the order of their ranks.
    pub(crate) is_all: bool,
    /// Whether it has all processes, in whatever order.
    pub(crate) has_all: bool,
    /// The communicator that it was made of, and the call that made it; nothing for that of all.
    pub(crate) origin: Option<(usize, CallSite)>,
    /// How many numbers of a position say in which round of loops it was made: each has another one.
    pub(crate) rounds: usize,
}

impl Communicator {
    /// That of all processes.
    pub(crate) fn of_all(everybody: &Region, process: &[Form], parameters: &Parameters) -> Result<Self> {
        let places = [&[Form::number(0)], process].concat();
        Ok(Self {
            places: everybody.relation("", &everybody.coordinates, &places, parameters)?,
            sizes: Relation::empty(everybody.set.context())?,
            length: process.len(),
            is_all: true,
            has_all: true,
            origin: None,
            rounds: 0,
        })
    }

    /// From a process to the others of its class, itself included.
    pub(crate) fn mates(&self) -> Result<Relation> {
        let classes = self.classes()?;
        Ok(classes.apply_range(&classes.inverse()?)?)
    }

    /// From a process to its rank in its class.
    pub(crate) fn ranks(&self) -> Result<Relation> {
        let length = length(&self.places)?;
        Ok(self.places.project_out_range(0..length - self.length)?)
    }

    pub(crate) fn classes(&self) -> Result<Relation> {
        let length = length(&self.places)?;
        Ok(self.places.project_out_range(length - self.length..length)?)
    }
}

pub(crate) fn length(relation: &Relation) -> Result<usize> {
    Ok(relation.parts()?.first().map_or(2, |(_, to, _)| to.length))
}

impl Extractor<'_> {
    pub(crate) fn of_number(&self, number: usize) -> &Communicator {
        &self.made[number]
    }

    /// Where communicators come from, by their numbers.
    pub(crate) fn origins(&self) -> Vec<Option<(usize, CallSite)>> {
        self.made.iter().map(|communicator| communicator.origin.clone()).collect()
    }

    /// The rank or the size of a process on a communicator.
    pub(crate) fn in_communicator(
        &mut self,
        state: &mut State,
        number: usize,
        is_size: bool,
    ) -> Result<Form> {
        let communicator = self.made[number].clone();
        if communicator.has_all && is_size {
            return Ok(self.number_of_processes());
        }
        if communicator.is_all {
            return Ok(self.rank());
        }
        if is_size && let Some(size) = self.size_of_all(state, number)? {
            return Ok(size);
        }
        let of_process = if is_size { communicator.sizes } else { communicator.ranks()? };
        let at: Vec<u32> = (0..communicator.length).map(|_| self.new_coordinate()).collect();
        state.region = state.region.extended_by(&at, &self.process(), &of_process, &self.parameters)?;
        Ok(self.parameters.number_with(&at))
    }

    /// How many processes a communicator has, if that is the same for all that come here: as a parameter, which may be divided by, and by which
    /// may be divided. `None` where it may differ.
    fn size_of_all(&mut self, state: &mut State, number: usize) -> Result<Option<Form>> {
        let communicator = &self.made[number];
        let (length, sizes) = (communicator.length, communicator.sizes.clone());
        let made =
            self.known_communicators.iter().find(|(_, made)| **made == number).map(|(key, _)| key.clone());
        let here = state.region.projected(&self.process)?.set;
        let values = sizes.intersect_domain(&here)?.range()?;
        let Some((calls, span)) = made.filter(|_| length == 1 || length == self.process.len()) else {
            return Ok(None);
        };
        if !here.is_subset(&sizes.domain()?)? || !self.is_one_point(&values)? {
            return Ok(None);
        }
        let mut which = None;
        for (at, known) in self.sizes.iter().enumerate() {
            if known.is_equal(&values)? {
                which = Some(at);
                break;
            }
        }
        let which = which.unwrap_or_else(|| {
            self.sizes.push(values.clone());
            self.sizes.len() - 1
        });
        let named = Named::Expression("size".to_owned());
        let size = self.parameter_on((calls, span, Kind::Size(which)), named);
        let [at] = size.parameters()[..] else { return Ok(None) };
        let (size, parts) = if length == 1 {
            (size.clone(), vec![size])
        } else {
            let size = self.parameter_with_digits(at);
            let Some(digits) = self.numbers_with_digits.get(&at) else { return Ok(None) };
            (size, digits.clone())
        };
        let here = state.region.set.parameter_domain()?;
        let all = Region::of(&self.context, Vec::new())?;
        let all = all.within(all.set.intersect_parameters(&here)?);
        let possible = all.with_values_in(&parts, &values, &self.parameters)?.set.parameter_domain()?;
        let of_np = self.of_np();
        let is_of_np = values.parameters()?.iter().all(|name| of_np.contains(name));
        for at in size.parameters() {
            if !self.parameters.widths.contains(&Atom::Parameter(at)) {
                self.determined.extend(is_of_np.then_some(at));
                self.note_fact(at, &here, &possible)?;
            }
        }
        state.region.set = state.region.set.intersect_parameters(&possible)?;
        Ok(Some(size))
    }

    /// The same processes in another communicator, which a call makes.
    pub(crate) fn duplicated(&mut self, number: usize, site: &CallSite) -> usize {
        let origin = Some((number, site.clone()));
        let copy = Communicator { origin, rounds: self.prefix.len(), ..self.made[number].clone() };
        self.keep(site.span, copy)
    }

    /// After a loop it is not known any more which of the communicators that its rounds have made a variable holds. What is the same for all
    /// stays as it is, outside of loops.
    pub(crate) fn leave_rounds(&mut self, state: &mut State) {
        if self.counters.is_empty() {
            self.constants.extend(state.memory.cells().filter_map(|(_, value)| match value {
                Value::Same(number) => Some(*number).filter(|number| *number > 0),
                _ => None,
            }));
        }
        let is_of_rounds = |value: &Value| match value {
            Value::Communicator { number, .. } => self.prefix.len() < self.made[*number].rounds,
            _ => false,
        };
        let cells: Vec<Cell> = (state.memory.cells())
            .filter(|(_, value)| is_of_rounds(value))
            .map(|(cell, _)| cell.clone())
            .collect();
        for cell in cells {
            state.memory.write(cell, Value::Open);
        }
    }

    /// The number of a communicator that a call makes.
    pub(crate) fn keep(&mut self, call: Span, communicator: Communicator) -> usize {
        let key = (self.calls.clone(), call);
        match self.known_communicators.get(&key) {
            Some(&number) => {
                self.made[number] = communicator;
                number
            }
            None => {
                self.made.push(communicator);
                self.known_communicators.insert(key, self.made.len() - 1);
                self.made.len() - 1
            }
        }
    }

    /// What `MPI_Comm_split` makes. `None` where that is not followed.
    pub(crate) fn split(
        &mut self,
        state: &State,
        number: usize,
        (colour, key): (&Value, &Value),
        site: &CallSite,
    ) -> Result<Option<Value>> {
        let (Value::Number(colour), Value::Number(key)) = (colour, key) else { return Ok(None) };
        if !state.doubts.is_empty() {
            return Ok(None);
        }
        // What takes too much is not known; there may be more to follow.
        let left = self.context.left();
        let most = if self.made[number].is_all { SPLIT } else { SPLIT_AGAIN };
        let own = left.map_or(most, |left| most.min(left));
        let before = self.context.operations();
        self.context.set_budget(Some(own));
        let made = self.numbered_classes(state, number, (colour, key), site);
        let spent = self.context.operations().saturating_sub(before);
        self.context.set_budget(left.map(|left| left.saturating_sub(spent)));
        match made {
            Err(GivenUp::Sets(Error::Budget)) if left.is_none_or(|left| own < left) => Ok(None),
            made => made,
        }
    }

    /// The classes of processes with the same colour, and their ranks in these.
    fn numbered_classes(
        &mut self,
        state: &State,
        number: usize,
        (colour, key): (&Form, &Form),
        site: &CallSite,
    ) -> Result<Option<Value>> {
        let parent = self.made[number].clone();
        let undefined = frontend::mpi::constant("MPI_UNDEFINED").and_then(|constant| constant.value);
        let undefined = Form::number(undefined.unwrap_or(i64::MIN));
        let is_member = Condition::is(Bound::equal(colour, &undefined)).negated();
        let members = state.region.meet(&is_member, &self.parameters)?;
        // The digits of a key are in its order.
        let (members, key) = match self.written(&members, key)? {
            Some(written) => written,
            None => return Ok(None),
        };
        if !colour.is_linear() {
            return Ok(None);
        }
        // What else is known here has no part in it.
        let of_both = colour.coordinates().chain(key.iter().flat_map(Form::coordinates));
        let needed: BTreeSet<u32> = self.kept().into_iter().chain(of_both).collect();
        let others = members.coordinates.iter().copied();
        let needed: Vec<u32> = others.filter(|at| needed.contains(at)).collect();
        let members = members.projected(&needed)?.simple()?;
        let process = self.process.clone();
        let of_rank =
            |region: &Region, forms: &[Form]| region.relation("", &process, forms, &self.parameters);
        let parents = parent.classes()?;
        let classes = of_rank(&members, std::slice::from_ref(colour))?;
        let classes = parents.intersect_domain(&classes.domain()?)?.flat_range_product(&classes)?;
        let keys = of_rank(&members, &key)?;
        // The same in each round of the loops around.
        let is_one = || -> Result<bool> {
            let kept = self.kept();
            let all = state.region.projected(&kept)?.inside(&members.projected(&self.process)?)?;
            Ok(classes.is_single_valued()?
                && keys.is_single_valued()?
                && all.set.is_subset(&members.projected(&kept)?.set)?)
        };
        if !self.counters.is_empty() && !is_one()? {
            return Ok(None);
        }
        let order = keys.flat_range_product(&parent.places)?;
        let Some((places, digits)) = self.numbering_by(&classes, &order, &keys)? else { return Ok(None) };
        let length = length(&places)?;
        let ranks = classes.inverse()?.apply_range(&places)?.project_out_range(0..length - digits)?;
        let next = self.next_rank(digits)?;
        let sizes = classes.apply_range(&ranks.lexicographic_maximum()?)?.apply_range(&next)?.simplified()?;
        let origin = Some((number, site.clone()));
        let everybody = self.made[0].mates()?;
        let has_all = everybody.is_subset(&classes.apply_range(&classes.inverse()?)?)?;
        let rounds = self.prefix.len();
        let made = Communicator { places, length: digits, sizes, is_all: false, has_all, origin, rounds };
        let number = self.keep(site.span, made);
        Ok(Some(Value::Communicator { number, colour: Some(colour.clone()), grid: None }))
    }

    /// From each process to its class and its rank in that, in this order, with how many numbers a rank is written. `None` where it is not
    /// found.
    pub(crate) fn numbering(
        &mut self,
        classes: &Relation,
        order: &Relation,
    ) -> Result<Option<(Relation, usize)>> {
        self.numbering_by(classes, order, order)
    }

    /// The same, with the keys that the order begins with.
    fn numbering_by(
        &mut self,
        classes: &Relation,
        order: &Relation,
        keys: &Relation,
    ) -> Result<Option<(Relation, usize)>> {
        let everybody = vec![classes.domain()?];
        for groups in
            [Some(everybody), self.conjunctions(keys)?, self.key_values(keys)?].into_iter().flatten()
        {
            for one_by_one in [false, true] {
                let Some(places) = self.in_groups(&groups, classes, order, one_by_one)? else { continue };
                let places = places.simplified()?;
                if self.is_numbering(&places, 1, classes, order)? {
                    return Ok(Some((places, 1)));
                }
            }
        }
        if !self.has_digits() {
            return Ok(None);
        }
        Ok(self.numbered_with_digits(classes, order)?.map(|places| (places, self.process.len())))
    }

    /// Processes by the formulas of their keys: those with a lower key first, as it is with a few processes. `None` where it is one formula, or
    /// there are too many.
    fn conjunctions(&self, keys: &Relation) -> Result<Option<Vec<Set>>> {
        let parts = keys.wrap()?.conjunctions()?;
        if !(2..=GROUPS).contains(&parts.len()) {
            return Ok(None);
        }
        let mut groups: Vec<(i64, Set)> = Vec::new();
        let mut rest = keys.domain()?;
        for part in parts {
            let keys = part.unwrap_pairs()?;
            let group = keys.domain()?.intersect(&rest)?;
            rest = rest.subtract(&group)?;
            let sample = self.choice(&keys, 9)?;
            let pairs = keys.intersect_domain(&group)?.fix_parameters(&sample)?.pairs(PROCESSES);
            let lowest = pairs
                .ok()
                .and_then(|pairs| pairs.iter().filter_map(|pair| pair.to.coordinates.first().copied()).min());
            groups.push((lowest.unwrap_or(i64::MAX), group));
        }
        groups.sort_by_key(|(lowest, _)| *lowest);
        Ok(Some(groups.into_iter().map(|(_, group)| group).collect()))
    }

    /// Processes by their keys, where these are few numbers: one group for each.
    fn key_values(&self, keys: &Relation) -> Result<Option<Vec<Set>>> {
        let mut values = BTreeSet::new();
        for np in SMALL {
            let choice = self.choice(keys, np)?;
            let pairs = keys.fix_parameters(&choice)?.pairs(PROCESSES)?;
            values.extend(pairs.iter().filter_map(|pair| pair.to.coordinates.first().copied()));
            if GROUPS < values.len() {
                return Ok(None);
            }
        }
        let of_value = |value: &i64| -> Result<Set> {
            let value = Set::parse(&self.context, &format!("{{ [{value}] }}"))?;
            Ok(keys.intersect_range(&value)?.domain()?)
        };
        Ok(Some(values.iter().map(of_value).collect::<Result<Vec<_>>>()?).filter(|groups| groups.len() > 1))
    }

    /// Values of the parameters of a relation, with so many processes.
    pub(crate) fn choice(&self, relation: &Relation, np: i64) -> Result<BTreeMap<String, i64>> {
        let mut values: BTreeMap<String, i64> =
            (0..).zip(relation.parameters()?).map(|(at, name)| (name, (np + at) % 4 + 1)).collect();
        self.choose_count(&mut values, np);
        if !self.has_digits() || !relation.fix_parameters(&values)?.is_empty()? {
            return Ok(values);
        }
        // Others that are possible.
        let mut some = self.few_digits(np);
        let known: BTreeSet<String> = relation.parameters()?.into_iter().collect();
        some.retain(|name, _| known.contains(name));
        if let Some(point) = relation.domain()?.fix_parameters(&some)?.sample()? {
            values.extend(point.parameters);
            values.extend(some);
        }
        Ok(values)
    }

    /// A guess of classes and ranks: of each group of processes by itself, one behind the other.
    fn in_groups(
        &self,
        groups: &[Set],
        classes: &Relation,
        order: &Relation,
        one_by_one: bool,
    ) -> Result<Option<Relation>> {
        if let [_] = groups {
            return self.guessed(classes, order, one_by_one);
        }
        let all = classes.range()?;
        let sum = Relation::parse(&self.context, "{ [a, b] -> [a + b] }")?;
        let zero = Set::parse(&self.context, "{ [0] }")?;
        // From a class to the number of its processes in the groups before.
        let mut before = all.cross(&zero)?;
        let mut places = Relation::empty(&self.context)?;
        for group in groups {
            let own = classes.intersect_domain(group)?;
            let Some(guess) = self.guessed(&own, &order.intersect_domain(group)?, one_by_one)? else {
                return Ok(None);
            };
            if guess.is_empty()? {
                continue;
            }
            if !guess.is_single_valued()? {
                return Ok(None);
            }
            let length = length(&guess)?;
            let inside = guess.project_out_range(0..length - 1)?;
            let place = inside.flat_range_product(&own.apply_range(&before)?)?.apply_range(&sum)?;
            places = places.union(&own.flat_range_product(&place)?)?;
            let last = own.inverse()?.apply_range(&inside)?.lexicographic_maximum()?;
            let more = last.apply_range(&Relation::parse(&self.context, "{ [l] -> [l + 1] }")?)?;
            let none = all.subtract(&more.domain()?)?.cross(&zero)?;
            before = before.flat_range_product(&more.union(&none)?)?.apply_range(&sum)?.simplified()?;
        }
        Ok(Some(places.coalesce()?))
    }

    /// A guess of classes and ranks: the affine hull of those of small numbers of processes, of all or of each colour.
    fn guessed(&self, classes: &Relation, order: &Relation, one_by_one: bool) -> Result<Option<Relation>> {
        // A class with its lowest and its highest rank, on which ranks may depend.
        let ranks = classes.inverse()?;
        let [lowest, highest] = [ranks.lexicographic_minimum()?, ranks.lexicographic_maximum()?];
        let described = classes
            .flat_range_product(&classes.apply_range(&lowest)?)?
            .flat_range_product(&classes.apply_range(&highest)?)?;
        let (own, classes) = (classes, &described);
        // The numbers of both of these.
        let bounds = 2 * self.process.len();
        let mut samples: Vec<(BTreeMap<String, i64>, BTreeMap<i64, Pairs>)> = Vec::new();
        for np in SMALL {
            let values = self.choice(classes, np)?;
            let fixed = |relation: &Relation| -> Result<BTreeMap<Instance, Vec<i64>>> {
                let pairs = relation.fix_parameters(&values)?.pairs(PROCESSES)?.into_iter();
                Ok(pairs.map(|pair| (pair.from, pair.to.coordinates)).collect())
            };
            // The lowest and the highest of each class are found among its members, which are few here.
            let (of_class, of_order) = (fixed(own)?, fixed(order)?);
            let mut mates: BTreeMap<Vec<i64>, Vec<(&Vec<i64>, &Instance)>> = BTreeMap::new();
            for (rank, class) in &of_class {
                if let Some(order) = of_order.get(rank) {
                    mates.entry(class.clone()).or_default().push((order, rank));
                }
            }
            // By the last number of the class itself: the colour.
            let mut of_colour: BTreeMap<i64, Pairs> = BTreeMap::new();
            for (class, mut members) in mates {
                members.sort();
                let colour = class.last().copied().filter(|_| one_by_one).unwrap_or(0);
                let ends = members.iter().map(|(_, rank)| &rank.coordinates);
                let ends = [ends.clone().min(), ends.max()].map(|end| end.cloned().unwrap_or_default());
                let class = [&class[..], &ends[0], &ends[1]].concat();
                of_colour.entry(colour).or_default().extend((0..).zip(&members).map(|(at, (_, rank))| {
                    let coordinates = [&class[..], &[at]].concat();
                    ((*rank).clone(), Instance { name: String::new(), coordinates })
                }));
            }
            samples.extend((!of_colour.is_empty()).then_some((values, of_colour)));
        }
        // What is the same in all samples has no part in the guess.
        let mut of_parameter: BTreeMap<String, BTreeSet<i64>> = BTreeMap::new();
        for (name, value) in samples.iter().flat_map(|(values, _)| values) {
            of_parameter.entry(name.clone()).or_default().insert(*value);
        }
        let mut seen: BTreeMap<i64, Relation> = BTreeMap::new();
        for (mut values, of_colour) in samples {
            values.retain(|name, _| of_parameter.get(name).is_some_and(|values| values.len() > 1));
            for (colour, pairs) in of_colour {
                let pairs = pairs.iter().map(|(rank, place)| (rank, place));
                let part = Relation::listed(&self.context, &values, pairs)?;
                let known = match seen.remove(&colour) {
                    Some(known) => known.union(&part)?.affine_hull()?,
                    None => part.affine_hull()?,
                };
                seen.insert(colour, known);
                if seen.len() > COLOURS {
                    return Ok(None);
                }
            }
        }
        let mut all = Relation::empty(&self.context)?;
        for part in seen.into_values() {
            all = all.union(&part)?;
        }
        if all.is_empty()? {
            return Ok(None);
        }
        // What the class is, is known.
        let length = length(&all)?;
        let ranks = all.project_out_range(0..length - 1)?;
        let exact = classes.flat_range_product(&ranks)?;
        Ok(Some(all.intersect(&exact)?.project_out_range(length - 1 - bounds..length - 1)?.coalesce()?))
    }
}
