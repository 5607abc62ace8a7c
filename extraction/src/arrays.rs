//! Arrays whose elements are written at places that are no numbers.
//!
//! What an element holds follows from its last writer: of all rounds of a loop that write it, the last one.

use std::collections::BTreeSet;
use std::rc::Rc;

use presburger::Relation;

use crate::error::Result;
use crate::extract::Extractor;
use crate::form::{Atom, Bound, Form, atoms};
use crate::memory::{Cell, Elements, Object, Place, Value};
use crate::region::Region;
use crate::state::State;

/// Elements that are known one by one and are looked at together, at most.
const SINGLE: usize = 16;

/// A write to an element of an array in a round of a loop.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    array: Cell,
    /// Nothing where it is not known what is written, or whether.
    what: Option<Written>,
}

#[derive(Clone, Debug)]
struct Written {
    region: Region,
    counters: Vec<u32>,
    index: Form,
    /// The numbers that its value is written with.
    value: Vec<Form>,
}

/// What is written to arrays, and which objects are written otherwise.
#[derive(Debug, Default)]
pub(crate) struct Stores {
    stores: Vec<Store>,
    /// Nothing stands for whatever a pointer may point to.
    others: Vec<Option<Object>>,
    /// Whether a loop is followed with what is known of its rounds, and not only tried.
    pub(crate) is_final: bool,
}

impl Stores {
    pub(crate) fn now(&self) -> (usize, usize) {
        (self.stores.len(), self.others.len())
    }

    pub(crate) fn forget(&mut self, since: (usize, usize)) {
        self.stores.truncate(since.0);
        self.others.truncate(since.1);
    }

    /// An object is written in some other way; where there is none, whatever a pointer may point to.
    pub(crate) fn spoil(&mut self, object: Option<Object>) {
        if self.is_final {
            self.others.push(object);
        }
    }
}

impl Extractor<'_> {
    /// From rank, counters and an index to the element of an array, as far as it is known.
    pub(crate) fn elements(&mut self, state: &State, array: &Cell, kept: &[u32]) -> Result<Relation> {
        let mut all = Relation::empty(&self.context)?;
        let mut single = Vec::new();
        for (cell, value) in state.memory.below(array) {
            match value {
                Value::Elements(elements) if cell == array && elements.at == kept => {
                    all = elements.values.clone()
                }
                Value::Number(form) if cell.path.len() == array.path.len() + 1 => {
                    single.push((cell.path[array.path.len()], form.clone()));
                }
                _ => {}
            }
        }
        if SINGLE < single.len() {
            return Ok(all);
        }
        for (index, value) in single {
            let Some(value) = self.parts(&value) else { continue };
            let part = self.element(&state.region, kept, &Form::number(index), &value)?;
            all = all.subtract_domain(&part.domain()?)?.union(&part)?;
        }
        Ok(all)
    }

    /// From rank, counters and this index to forms, where a path is taken.
    pub(crate) fn element(
        &mut self,
        region: &Region,
        kept: &[u32],
        index: &Form,
        forms: &[Form],
    ) -> Result<Relation> {
        let at = self.new_coordinate();
        let equal: Vec<Bound> = Bound::equal(&Form::atom(Atom::Coordinate(at)), index).into_iter().collect();
        let region = region.extended(at, &[equal], &self.parameters)?;
        let instance = [kept, &[at]].concat();
        region.relation("", &instance, forms, &self.parameters)
    }

    /// Writes an element whose index is no number.
    pub(crate) fn write_element(
        &mut self,
        state: &mut State,
        (array, index): (Cell, &Form),
        value: &Value,
    ) -> Result<()> {
        let kept = self.kept();
        let value = match value {
            Value::Number(form) if state.doubts.is_empty() && index.is_linear() => self.parts(form),
            _ => None,
        };
        let before = match &value {
            Some(_) => self.elements(state, &array, &kept)?,
            None => Relation::empty(&self.context)?,
        };
        for log in &mut self.written {
            log.insert(array.clone());
            log.extend(state.memory.below(&array).map(|(inner, _)| inner.clone()));
        }
        state.memory.write(array.clone(), Value::Open);
        self.watch_spoiled(Some(array.object));
        if self.stores.is_final {
            let what = value.clone().map(|value| Written {
                region: state.region.clone(),
                counters: self.counters.clone(),
                index: index.clone(),
                value,
            });
            self.stores.stores.push(Store { array: array.clone(), what });
        }
        if let Some(value) = value {
            let new = self.element(&state.region, &kept, index, &value)?;
            let values = before.subtract_domain(&new.domain()?)?.union(&new)?;
            state.memory.write(array, Value::Elements(Rc::new(Elements { at: kept, values })));
        }
        Ok(())
    }

    /// An element at a place that may be no number.
    pub(crate) fn read_element(&mut self, state: &mut State, place: &Place) -> Result<Value> {
        let Some((array, index)) = place.element().filter(|(_, index)| index.is_linear()) else {
            return Ok(Value::Open);
        };
        let Some(Value::Elements(elements)) = state.memory.read(&array) else { return Ok(Value::Open) };
        let elements = Rc::clone(elements);
        if !elements.at.iter().all(|at| state.region.coordinates.contains(at)) {
            return Ok(Value::Open);
        }
        let mut forms = atoms(&elements.at);
        forms.push(index.clone());
        let known = elements.values.domain()?;
        let inside = state.region.with_values_in(&forms, &known, &self.parameters)?;
        let mut outside = state.region.clone();
        outside.set = outside.set.subtract(&inside.set)?;
        if inside.is_empty()? || self.is_evaluated_in(&outside)? || !elements.values.is_single_valued()? {
            return Ok(Value::Open);
        }
        let at = self.new_digits();
        let mut region = inside.extended_by(&at, &forms, &elements.values, &self.parameters)?;
        // Where it is not evaluated it is 0.
        if !outside.is_empty()? {
            let nothing = at.iter().try_fold(outside, |outside, &at| {
                let zero = Bound::zero(Form::atom(Atom::Coordinate(at)));
                outside.extended(at, &[vec![zero]], &self.parameters)
            })?;
            region = region.union(&nothing)?;
        }
        state.region = region;
        Ok(Value::Number(self.parameters.number_with(&at)))
    }

    /// What arrays hold after a loop, by what was written in its rounds since `since`.
    pub(crate) fn written_in_rounds(
        &mut self,
        entry: &State,
        since: (usize, usize),
    ) -> Result<Vec<(Cell, Value)>> {
        let spoiled: BTreeSet<Option<Object>> = self.stores.others[since.1..].iter().copied().collect();
        let stores: Vec<Store> = self.stores.stores[since.0..].to_vec();
        let kept = self.kept();
        let inner = self.innermost.last().copied().unwrap_or_default();
        let (outer, counter) = kept.split_at(kept.len() - inner);
        let mut arrays: Vec<Cell> = Vec::new();
        for store in &stores {
            if !arrays.contains(&store.array) {
                arrays.push(store.array.clone());
            }
        }
        let mut found = Vec::new();
        'arrays: for array in arrays {
            let is_exposed = spoiled.contains(&None) && self.is_exposed(array.object);
            if is_exposed || spoiled.contains(&Some(array.object)) {
                continue;
            }
            let mut all = Relation::empty(&self.context)?;
            for (order, store) in (0_i64..).zip(&stores) {
                if store.array != array {
                    // Another part of the same object may have it in it.
                    if store.array.object == array.object
                        && (store.array.path.starts_with(&array.path)
                            || array.path.starts_with(&store.array.path))
                    {
                        continue 'arrays;
                    }
                    continue;
                }
                let Some(Written { region, counters, index, value }) = &store.what else { continue 'arrays };
                if *counters != self.counters {
                    continue 'arrays;
                }
                let mut forms = atoms(counter);
                forms.push(Form::number(order));
                forms.extend(value.iter().cloned());
                all = all.union(&self.element(region, outer, index, &forms)?)?;
            }
            let last = all.lexicographic_maximum()?.project_out_range(0..inner + 1)?.coalesce()?;
            let before = self.elements(entry, &array, outer)?;
            let values = last.union(&before.subtract_domain(&last.domain()?)?)?.coalesce()?;
            found.push((array, Value::Elements(Rc::new(Elements { at: outer.to_vec(), values }))));
        }
        Ok(found)
    }

    /// What all have in an array after each has sent one element of another one to each, the first one being for the first process.
    pub(crate) fn exchanged(
        &mut self,
        state: &State,
        array: &Cell,
        communicator: usize,
    ) -> Result<Option<Value>> {
        let kept = self.kept();
        let communicator = self.of_number(communicator).clone();
        if self.has_digits() {
            return Ok(None);
        }
        let here = state.region.projected(&self.process)?.set;
        let is_of_all = here.apply(&communicator.mates()?)?.is_subset(&here)?;
        if !state.doubts.is_empty() || self.shared.contains(&array.object) || !is_of_all {
            return Ok(None);
        }
        let given = self.elements(state, array, &kept)?;
        if given.is_empty()? {
            return Ok(None);
        }
        // Rank, counters and index: from the process of this index, in the same round, the element for this rank.
        let rounds: String = (1..kept.len()).map(|at| format!("c{at}, ")).collect();
        let only = |what: &str| Relation::parse(&self.context, &format!("{{ [r, {rounds}i] -> [{what}] }}"));
        let member = only("r")?.apply_range(&communicator.classes()?)?.flat_range_product(&only("i")?)?;
        let mut turned = member.apply_range(&communicator.places.inverse()?)?;
        if !rounds.is_empty() {
            turned = turned.flat_range_product(&only(rounds.trim_end_matches(", "))?)?;
        }
        turned = turned.flat_range_product(&only("r")?.apply_range(&communicator.ranks()?)?)?;
        let values = turned.apply_range(&given)?.coalesce()?;
        Ok(Some(Value::Elements(Rc::new(Elements { at: kept, values }))))
    }
}

/// The array whose first element is at a place, or that is there.
pub(crate) fn array_of(place: &Place) -> Option<Cell> {
    match place.element() {
        Some((array, index)) => (index.as_number() == Some(0)).then_some(array),
        None => place.cell(),
    }
}
