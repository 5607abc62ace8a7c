//! What variables hold after a loop, where that is no sum over the number of its rounds.
//!
//! - What the *last writer* wrote: in `for (i = 0; i < np; i++) { if (i == rank) first = sum; sum += n; }` it is known in which rounds a process
//!   writes, so it is known which of them is the last one.
//! - What held in *the round in which the loop is left*: `while (np % w != 0) w--;` says that `np % w` is zero after it. A variable that
//!   counts is a parameter then, and the condition is looked at once more with this parameter.
//! - What held in *the round of the last writer*, where nobody knows which round that is: after `if (np % d == 0) x = d;` in a loop over `d`
//!   either `x` is what it was before, or `np % x` is zero.

use std::collections::{BTreeMap, BTreeSet};

use frontend::ir::{BlockId, Terminator};
use presburger::{Relation, Set};

use crate::error::{GivenUp, Result};
use crate::extract::{Extractor, Leaving, Named, Part};
use crate::form::{Atom, Bound, Form, atoms};
use crate::memory::{Cell, Object, Place, Value};
use crate::parameters::{Kind, everywhere};
use crate::region::Region;
use crate::state::State;

/// A write to a variable while a loop is followed.
#[derive(Clone, Debug)]
struct Write {
    cell: Cell,
    value: Value,
    region: Region,
    counters: Vec<u32>,
    is_doubtful: bool,
    /// How many blocks had been followed: what is written in one block is written together.
    blocks: usize,
}

/// What a variable is given in a round in which parameters stand for all that is counted, and where.
#[derive(Clone, Debug)]
struct Written {
    cell: Cell,
    form: Form,
    region: Region,
}

/// What is done in the rounds of a loop: writes, the objects that are written otherwise (nothing stands for all that pointers may point to),
/// and the branches on which the loop is left.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watched {
    writes: Vec<Write>,
    spoiled: BTreeSet<Option<Object>>,
    exits: Vec<Exit>,
    /// Whether something decides about a way that may be another thing whenever the loop is entered.
    is_by_entry: bool,
}

/// A way on which a loop is left: at the end of a block, where its condition holds or does not.
#[derive(Clone, Debug)]
struct Exit {
    /// The loop: its call of a function, and its index in that.
    of: (u32, Option<usize>),
    block: BlockId,
    holds: bool,
    target: BlockId,
    state: State,
}

impl Watched {
    fn is_spoiled(&self, extractor: &Extractor<'_>, cell: &Cell) -> bool {
        // A structure with it is written as a whole, or a part of it.
        let is_around = |write: &Write| {
            let (one, other) = (&write.cell.path, &cell.path);
            write.cell.object == cell.object
                && one != other
                && (one.starts_with(other) || other.starts_with(one))
        };
        self.spoiled.contains(&Some(cell.object))
            || self.writes.iter().any(is_around)
            || (self.spoiled.contains(&None) && extractor.is_exposed(cell.object))
    }
}

impl Leaving {
    /// With what is known where the same loop was followed in another way: the variables that are parameters after it.
    pub(crate) fn learn(&mut self, other: &Self) -> Result<()> {
        for (at, (_, state)) in &mut self.out {
            let Some((_, known)) = other.out.get(at) else { continue };
            let is_parameter = |form: &Form| form.coordinates().next().is_none();
            let mut is_known = false;
            for (cell, value) in known.memory.cells() {
                let is_open = matches!(state.memory.read(cell), Some(Value::Same(_) | Value::Open));
                if is_open && matches!(value, Value::Number(form) if is_parameter(form)) {
                    state.memory.write(cell.clone(), value.clone());
                    is_known = true;
                }
            }
            if is_known {
                let possible = known.region.set.parameter_domain()?;
                state.region.set = state.region.set.intersect_parameters(&possible)?;
            }
        }
        Ok(())
    }
}

impl Extractor<'_> {
    /// Notes a write while loops are watched.
    pub(crate) fn watch_write(&mut self, state: &State, cell: &Cell, value: &Value) {
        for watched in &mut self.watched {
            watched.writes.push(Write {
                cell: cell.clone(),
                value: value.clone(),
                region: state.region.clone(),
                counters: self.counters.clone(),
                is_doubtful: !state.doubts.is_empty(),
                blocks: self.blocks,
            });
        }
    }

    /// Notes that an object is written in some other way.
    pub(crate) fn watch_spoiled(&mut self, object: Option<Object>) {
        for watched in &mut self.watched {
            watched.spoiled.insert(object);
        }
    }

    /// Notes a branch of which it is not known which way it goes.
    pub(crate) fn watch_open(&mut self, is_repeated: bool) {
        for watched in &mut self.watched {
            watched.is_by_entry |= !is_repeated;
        }
    }

    /// Notes a way out of the loop that is followed.
    pub(crate) fn watch_exits(&mut self, part: Part<'_>, block: BlockId, ways: &[(BlockId, State); 2]) {
        let leaves = ways.each_ref().map(|(target, _)| !part.has(*target));
        if let (Some(watched), true) = (self.watched.last_mut(), leaves[0] != leaves[1]) {
            let (target, state) = &ways[usize::from(leaves[1])];
            let of = (part.frame.number, part.within);
            watched.exits.push(Exit { of, block, holds: leaves[0], target: *target, state: state.clone() });
        }
    }

    /// With what is known after a loop of what its last writers wrote. `head`: any of its rounds.
    pub(crate) fn with_last_writers(
        &mut self,
        part: Part<'_>,
        entry: &State,
        (head, counter): (&State, &[u32]),
        changed: &BTreeSet<Cell>,
        (watched, left): (&Watched, &mut Leaving),
    ) -> Result<()> {
        self.last_scalars(entry, counter.len(), watched, left)?;
        match counter {
            // In loops around it has to do the same whenever it is entered.
            [at] if self.counters == counter || !watched.is_by_entry => {
                self.numbers_of_a_round(part, (entry, head), *at, changed, left)
            }
            _ => Ok(()),
        }
    }

    /// Variables whose last writer is known for each process.
    fn last_scalars(
        &mut self,
        entry: &State,
        inner: usize,
        watched: &Watched,
        left: &mut Leaving,
    ) -> Result<()> {
        let kept = self.kept();
        let (outer, counter) = kept.split_at(kept.len() - inner);
        let cells: BTreeSet<&Cell> = watched.writes.iter().map(|write| &write.cell).collect();
        'cells: for cell in cells {
            let is_open = |state: &State| matches!(state.memory.read(cell), None | Some(Value::Open));
            let states = || left.out.values().map(|(_, state)| state).chain(&left.returned);
            let of_it: Vec<&Write> = watched.writes.iter().filter(|write| write.cell == *cell).collect();
            if of_it.is_empty() || !states().all(is_open) || watched.is_spoiled(self, cell) {
                continue;
            }
            let mut all = Relation::empty(&self.context)?;
            for (order, write) in (0_i64..).zip(of_it) {
                let Value::Number(form) = &write.value else { continue 'cells };
                if write.is_doubtful
                    || write.counters != self.counters
                    || !form.coordinates().all(|at| write.region.coordinates.contains(&at))
                {
                    continue 'cells;
                }
                let Some(parts) = self.parts(form) else { continue 'cells };
                let mut forms = atoms(counter);
                forms.push(Form::number(order));
                forms.extend(parts);
                all = all.union(&write.region.relation("", outer, &forms, &self.parameters)?)?;
            }
            let mut values = all.lexicographic_maximum()?.project_out_range(0..inner + 1)?.coalesce()?;
            if let Some(Value::Number(first)) = entry.memory.read(cell)
                && let Some(parts) = self.parts(first)
            {
                let before = entry.region.relation("", outer, &parts, &self.parameters)?;
                values = values.union(&before.subtract_domain(&values.domain()?)?)?.coalesce()?;
            }
            if !values.is_single_valued()? {
                continue;
            }
            let known = values.domain()?;
            for state in states() {
                if !state.region.projected(outer)?.set.is_subset(&known)? {
                    continue 'cells;
                }
            }
            // For the loops around, the loop writes once.
            let around = self.counters[..self.counters.len() - inner].to_vec();
            for watched in &mut self.watched {
                watched
                    .writes
                    .retain(|write| write.cell != *cell || !write.counters.starts_with(&self.counters));
            }
            for state in left.out.values_mut().map(|(_, state)| state).chain(&mut left.returned) {
                let at = self.new_digits();
                state.region = state.region.extended_by(&at, &atoms(outer), &values, &self.parameters)?;
                let value = Value::Number(self.parameters.number_with(&at));
                for watched in &mut self.watched {
                    watched.writes.push(Write {
                        cell: cell.clone(),
                        value: value.clone(),
                        region: state.region.clone(),
                        counters: around.clone(),
                        is_doubtful: !state.doubts.is_empty(),
                        blocks: self.blocks,
                    });
                }
                state.memory.write(cell.clone(), value);
            }
        }
        Ok(())
    }

    /// The parameter for a variable after or in the loop that is followed.
    fn number_of(&mut self, part: Part<'_>, cell: &Cell, kind: fn(usize) -> Kind) -> Option<Form> {
        let number = self.meeting(part.header(), cell)?;
        let name = self.variable_name(&Place::of(cell.object)).filter(|_| cell.path.is_empty());
        let kind = kind(number);
        let named = match (kind, name) {
            (Kind::After(_), Some(name)) => Named::Variable(name),
            (_, Some(name)) => Named::Expression(name),
            _ => Named::Expression("number".to_owned()),
        };
        Some(self.parameter_on(everywhere(kind), named))
    }

    /// With parameters in place of what variables hold, as far as that depends on the counter alone: what they are follows from it.
    fn with_numbers_for(
        &mut self,
        part: Part<'_>,
        state: &mut State,
        counter: u32,
        kind: fn(usize) -> Kind,
    ) -> Result<Vec<Form>> {
        let is_of_counter = |form: &Form| {
            form.is_linear()
                && form.coordinates().next().is_some()
                && form.coordinates().all(|at| at == counter)
        };
        let counted: Vec<(Cell, Form)> = state
            .memory
            .cells()
            .filter_map(|(cell, value)| match value {
                Value::Number(form) if is_of_counter(form) => Some((cell.clone(), form.clone())),
                _ => None,
            })
            .collect();
        let mut numbers = Vec::new();
        for (cell, form) in counted {
            let Some(number) = self.number_of(part, &cell, kind) else { continue };
            let equal: Vec<Bound> = Bound::equal(&number, &form).into_iter().collect();
            state.region = state.region.bounded(&equal, &self.parameters)?;
            state.memory.write(cell, Value::Number(number.clone()));
            numbers.push(number);
        }
        Ok(numbers)
    }

    /// What is counted is a parameter after a loop that all leave in one round, where nobody knows which round that is. The condition with
    /// which it is left says something about it.
    pub(crate) fn numbers_after(
        &mut self,
        part: Part<'_>,
        counter: &[u32],
        watched: &Watched,
        left: &mut Leaving,
    ) -> Result<()> {
        let &[counter] = counter else { return Ok(()) };
        if self.rounds_left.is_empty() {
            return Ok(());
        }
        let exits: Vec<&Exit> =
            watched.exits.iter().filter(|exit| exit.of == (part.frame.number, part.within)).collect();
        let count = Form::atom(Atom::Coordinate(counter));
        let mut rounds = Set::empty(&self.context)?;
        let mut is_known = true;
        for Exit { state, .. } in &exits {
            rounds = rounds.union(&state.region.projected(&[counter])?.set)?;
            let mut is_one = false;
            for number in &self.rounds_left {
                is_one |= state.region.implies(Bound::equal(number, &count), &self.parameters)?;
            }
            is_known &= is_one;
        }
        let blocks = part.within.map_or(&[][..], |within| &part.body.loops[within].blocks);
        let is_left_otherwise = blocks.iter().any(|block| match &part.body.graph[*block].terminator {
            Terminator::Branch { .. } | Terminator::Goto(_) => false,
            Terminator::Switch { cases, default, .. } => {
                !part.has(*default) || cases.iter().any(|(.., target)| !part.has(*target))
            }
            _ => true,
        });
        let leaving: BTreeSet<BlockId> = left.out.values().map(|(target, _)| *target).collect();
        let watched_targets: BTreeSet<BlockId> = exits.iter().map(|exit| exit.target).collect();
        // Where the number of rounds has a form, that says it all.
        if is_known
            || is_left_otherwise
            || leaving != watched_targets
            || left.returned.is_some()
            || !self.is_one_point(&rounds)?
        {
            return Ok(());
        }
        let mut out: BTreeMap<usize, (BlockId, State)> = BTreeMap::new();
        let mut possible = Set::empty(&self.context)?;
        let mut before = Set::empty(&self.context)?;
        for Exit { block, holds, target, state, .. } in &exits {
            before = before.union(&state.region.set.parameter_domain()?)?;
            let mut after = state.clone();
            self.with_numbers_for(part, &mut after, counter, Kind::After)?;
            if let Terminator::Branch { condition, .. } = &part.body.graph[*block].terminator {
                let said = self.condition(&part.frame, &mut after, condition)?;
                let said = if *holds { said } else { said.negated() };
                after.region = after.region.meet(&said, &self.parameters)?;
            }
            possible = possible.union(&after.region.set.parameter_domain()?)?;
            if after.region.is_empty()? {
                continue;
            }
            let at = part.flow.place[target];
            let mut joined = out.remove(&at).map(|(_, known)| known);
            self.join_into(&mut joined, after, Some((part.frame.number, *target)))?;
            out.extend(joined.map(|state| (at, (*target, state))));
        }
        if self.is_recording {
            self.facts.push((before, possible));
        }
        left.out = out;
        Ok(())
    }

    /// Whether a set has one point for each choice of the parameters, at most.
    pub(crate) fn is_one_point(&self, set: &Set) -> Result<bool> {
        let nothing = Set::parse(&self.context, "{ [0] }")?;
        Ok(nothing.cross(set)?.is_single_valued()?)
    }

    /// Variables that are written in rounds of which nobody knows which they are, and are the same for all.
    fn numbers_of_a_round(
        &mut self,
        part: Part<'_>,
        (entry, head): (&State, &State),
        counter: u32,
        changed: &BTreeSet<Cell>,
        left: &mut Leaving,
    ) -> Result<()> {
        let mut cells: Vec<Cell> = Vec::new();
        for cell in changed {
            let is_same = |state: &State| matches!(state.memory.read(cell), Some(Value::Same(_)));
            let is_of_parameters = |value: &Value| match value {
                Value::Number(form) => form.coordinates().next().is_none(),
                _ => false,
            };
            if left.out.values().all(|(_, state)| is_same(state))
                && left.returned.is_none()
                && entry.memory.read(cell).is_some_and(is_of_parameters)
            {
                cells.push(cell.clone());
            }
        }
        if cells.is_empty() || left.out.is_empty() {
            return Ok(());
        }
        // One of the rounds once more, in which all that is counted is a parameter.
        let mut round = head.clone();
        let numbers = self.with_numbers_for(part, &mut round, counter, Kind::InRound)?;
        // Nothing else comes out of it; and nothing is divided by these parameters later.
        let (before, wanted) = (self.mark(), self.wanted.len());
        self.is_recording = false;
        self.stores.is_final = false;
        let around = std::mem::replace(&mut self.watched, vec![Watched::default()]);
        self.start_round();
        let followed = self.walk(part, part.header(), round);
        let watched = std::mem::replace(&mut self.watched, around).pop().unwrap_or_default();
        self.go_back(before);
        self.wanted.truncate(wanted);
        match followed {
            Ok(_) => {}
            // What is not followed with other numbers says nothing.
            Err(GivenUp::Program { .. }) => return Ok(()),
            Err(error) => return Err(error),
        }
        // What is written together is what one round has written.
        let mut together: BTreeMap<usize, Vec<Written>> = BTreeMap::new();
        for cell in cells {
            let mut writes = watched.writes.iter().filter(|write| write.cell == cell);
            let (Some(write), None) = (writes.next(), writes.next()) else { continue };
            let Value::Number(form) = &write.value else { continue };
            if form.coordinates().next().is_some() || !form.is_linear() || watched.is_spoiled(self, &cell) {
                continue;
            }
            if !self.is_whenever_entered(entry, &write.region, counter)? {
                continue;
            }
            let one = Written { cell, form: form.clone(), region: write.region.clone() };
            together.entry(write.blocks).or_default().push(one);
        }
        let inner: BTreeSet<usize> = numbers.iter().flat_map(Form::parameters).collect();
        for written in together.into_values() {
            self.one_round_has_written(part, entry, &inner, &written, left)?;
        }
        Ok(())
    }

    /// Whether what is done in a round is done whenever the loop with this counter is entered in the loops around.
    fn is_whenever_entered(&self, entry: &State, region: &Region, counter: u32) -> Result<bool> {
        let around: Vec<u32> = self.counters.iter().copied().filter(|at| *at != counter).collect();
        if around.is_empty() {
            return Ok(true);
        }
        let rounds = region.projected(&[&around[..], &[counter]].concat())?;
        let entered = entry.region.projected(&around)?;
        let entered = entered.within(entered.set.intersect_parameters(&rounds.set.parameter_domain()?)?);
        Ok(rounds.covers_first_of(&entered)? && rounds.is_free_of_last()?)
    }

    /// Either variables hold what they did before a loop, or what they were given together in one of its rounds. `inner`: the parameters
    /// that hold of that round.
    fn one_round_has_written(
        &mut self,
        part: Part<'_>,
        entry: &State,
        inner: &BTreeSet<usize>,
        written: &[Written],
        left: &mut Leaving,
    ) -> Result<()> {
        let mut before = Region::of(&self.context, Vec::new())?;
        before.set = before.set.intersect_parameters(&entry.region.set.parameter_domain()?)?;
        let entered = before.clone();
        let mut after = Region::of(&self.context, Vec::new())?;
        let mut numbers: Vec<(Cell, Form)> = Vec::new();
        for Written { cell, form, region } in written {
            let Some(number) = self.number_of(part, cell, Kind::After) else { return Ok(()) };
            let Some(Value::Number(first)) = entry.memory.read(cell) else { return Ok(()) };
            let equal: Vec<Bound> = Bound::equal(&number, first).into_iter().collect();
            before = before.where_linear(&equal, &self.parameters)?.unwrap_or(before);
            after.set = after.set.intersect_parameters(&region.set.parameter_domain()?)?;
            let equal: Vec<Bound> = Bound::equal(&number, form).into_iter().collect();
            after = after.bounded(&equal, &self.parameters)?;
            numbers.push((cell.clone(), number));
        }
        // What is known of a number by products is known of what the variable holds.
        for ((_, number), Written { form, .. }) in numbers.iter().zip(written) {
            let Some(atom) = form.as_atom() else { continue };
            for identity in self.parameters.identities.clone() {
                if let Some(said) = identity.replaced(atom, number)
                    && said != identity
                    && let Some(condition) = after.plainly(&Bound::zero(said), &self.parameters)?
                {
                    after = after.meet(&condition, &self.parameters)?;
                }
            }
        }
        let mut gone: BTreeSet<usize> = inner.clone();
        gone.extend(self.derived_from(inner));
        let mut possible = before.set.union(&after.set)?.parameter_domain()?;
        for name in possible.parameters()? {
            if gone.iter().any(|at| self.parameters.names[*at] == name) {
                possible = possible.project_out_parameter(&name)?;
            }
        }
        let possible = possible.coalesce()?;
        let entered = entered.set.parameter_domain()?;
        for at in numbers.iter().flat_map(|(_, number)| number.parameters()) {
            self.note_fact(at, &entered, &possible)?;
        }
        for (_, state) in left.out.values_mut() {
            state.region.set = state.region.set.intersect_parameters(&possible)?;
            for (cell, number) in &numbers {
                state.memory.write(cell.clone(), Value::Number(number.clone()));
            }
        }
        Ok(())
    }
}
