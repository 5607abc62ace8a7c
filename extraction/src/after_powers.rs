//! What is known after a loop that multiplies a number: the number itself, how often it was multiplied, and how it compares with others.

use std::collections::BTreeSet;

use presburger::{Relation, Set};

use crate::error::Result;
use crate::exponents::Exponent;
use crate::extract::{Extractor, Leaving, NP, Named, Part};
use crate::form::{Atom, Bound, Form};
use crate::memory::{Cell, Value};
use crate::parameters::Kind;
use crate::powers::{FACTOR, MOVING, Power};
use crate::region::Region;
use crate::state::State;

impl Extractor<'_> {
    /// What is known after the loop.
    pub(crate) fn after_power(
        &mut self,
        part: Part<'_>,
        entry: &State,
        changed: &BTreeSet<Cell>,
        trial: Leaving,
        power: &Power,
    ) -> Result<Leaving> {
        let own = self.of_round(power);
        // Whether all leave after the same round, whenever they enter, and in the same way.
        let around = self.around_loop();
        let entered = entry.region.projected(&around)?.set;
        let mut leaves = entered.subtract(&entered)?;
        let mut ways = Vec::new();
        let mut is_one_way = true;
        for state in trial.out.values().map(|(_, state)| state).chain(&trial.returned) {
            let mut region = state.region.clone();
            for identity in self.parameters.identities.clone() {
                let is_own = power.divided.as_ref().is_some_and(|(at, _)| identity.parameters().contains(at));
                if is_own && let Some(condition) = region.plainly(&Bound::zero(identity), &self.parameters)? {
                    region = region.meet(&condition, &self.parameters)?;
                }
            }
            let left = region.projected(&around)?.set;
            let here = left.parameter_domain()?;
            is_one_way &= entered.intersect_parameters(&here)?.is_subset(&left)?;
            leaves = leaves.union(&left)?;
            ways.push(here);
        }
        let rounds = leaves.parameter_domain()?;
        let is_of_all = entered.intersect_parameters(&rounds)?.is_subset(&leaves)?;
        if ways.len() > 1 && !(is_of_all && is_one_way) {
            return self.give_up(
                &part.frame,
                part.place(),
                "it is not known where processes leave this loop",
            );
        }
        let last = match &trial.back {
            Some(back) if is_of_all && power.from.is_none() => {
                let goes_on = back.region.set.parameter_domain()?;
                self.last_power(part, entry, power, (&ways, &goes_on))?
            }
            _ => None,
        };
        let (last, possible) = last.map_or((None, Vec::new()), |(last, possible)| (Some(last), possible));
        // Which of several ways it is, is a number that all know.
        let way = self
            .parameter_on((self.calls.clone(), part.place(), Kind::Way), Named::Expression("way".to_owned()));
        let count = ways.len();
        let parameters = self.parameters.clone();
        let on_its_way = |state: &mut State, number: usize| -> Result<()> {
            if count < 2 {
                return Ok(());
            }
            let own = Form::number(i64::try_from(number).unwrap_or(i64::MAX));
            let mut bounds = Vec::new();
            bounds.extend((number > 0).then(|| Bound::at_most(&own, &way)).flatten());
            bounds.extend((number + 1 < count).then(|| Bound::at_most(&way, &own)).flatten());
            state.region = state.region.bounded(&bounds, &parameters)?;
            if let Some(possible) = possible.get(number) {
                state.region.set = state.region.set.intersect_parameters(possible)?;
            }
            Ok(())
        };
        let number = self.parameter_with_digits(power.parameter);
        let of_round = power.round();
        let exponent = last.as_ref().and_then(|last| self.exponent_of_last(part, power, last));
        let mut after = |state: State| -> State {
            let mut left = State { doubts: &state.doubts | &entry.doubts, ..entry.clone() };
            for cell in changed {
                let value = match state.memory.read(cell) {
                    Some(Value::Number(form))
                        if form.coordinates().all(|at| entry.region.coordinates.contains(&at))
                            && !form.parameters().iter().any(|at| own.contains(at)) =>
                    {
                        Value::Number(form.clone())
                    }
                    Some(value @ (Value::Number(_) | Value::Same(_))) if is_of_all && self.is_same(value) => {
                        let multiple = match (value, &last) {
                            (Value::Number(form), Some(last)) => (1..=FACTOR)
                                .find(|&by| number.times(by).as_ref() == Some(form))
                                .and_then(|by| last.times(by)),
                            _ => None,
                        };
                        let multiple = multiple.or_else(|| match (value, &exponent) {
                            (Value::Number(form), Some(exponent)) => {
                                let more = form.plus(&of_round, -1)?.as_number()?;
                                exponent.plus(&Form::number(more), 1)
                            }
                            _ => None,
                        });
                        multiple.map_or_else(|| self.numbered(Value::Same(0)), Value::Number)
                    }
                    _ => Value::Open,
                };
                left.memory.write(cell.clone(), value);
            }
            left
        };
        let mut leaving = Leaving::default();
        let ways = trial.out.len();
        for (number, (at, (block, state))) in trial.out.into_iter().enumerate() {
            let mut left = after(state);
            on_its_way(&mut left, number)?;
            leaving.out.insert(at, (block, left));
        }
        if let Some(state) = trial.returned {
            let mut left = after(state);
            on_its_way(&mut left, ways)?;
            leaving.returned = Some(left);
        }
        Ok(leaving)
    }

    /// How many rounds a loop has gone that multiplies by two, as the exponent of the number after it.
    fn exponent_of_last(&mut self, part: Part<'_>, power: &Power, last: &Form) -> Option<Form> {
        if !power.is_of_two() || power.factor != 2 {
            return None;
        }
        let path = (self.calls.clone(), part.place(), Kind::Exponent);
        let form = self.parameter_on(path, Named::Expression("rounds".to_owned()));
        let [exponent] = form.parameters()[..] else { return None };
        self.determined.insert(exponent);
        self.not_negative.insert(exponent);
        let offset = i64::from(power.first.trailing_zeros());
        self.note_exponent(Exponent { exponent, offset, power: last.clone() });
        Some(form)
    }

    /// The number after the loop, which all leave in the same round, whenever they enter it, with the parameters that are possible on each way
    /// out: at `left` the loop is left on them, and at `goes_on` it goes on. `None` where that is not followed.
    fn last_power(
        &mut self,
        part: Part<'_>,
        entry: &State,
        power: &Power,
        (left, goes_on): (&[Set], &Set),
    ) -> Result<Option<(Form, Vec<Set>)>> {
        let span = part.place();
        let name = self.parameter_names[power.parameter].clone();
        let last = self.parameter_on((self.calls.clone(), span, Kind::LastPower), name);
        let [parameter] = last.parameters()[..] else { return Ok(None) };
        self.last_powers.insert(parameter, power.parameter);
        self.determined.insert(parameter);
        self.not_negative.insert(parameter);
        let form = self.parameter_with_digits(parameter);
        let entered = entry.region.set.parameter_domain()?;
        let all = Region::of(&self.context, Vec::new())?;
        let all = all.within(all.set.intersect_parameters(&entered)?);
        let whole = self.where_power(&all, parameter, power)?;
        let mut ways: Vec<Set> = Vec::new();
        if self.has_digits() {
            // What was known of it before processes had digits.
            let np = self.number_of_processes();
            let Some(known) = self.known_of_last.get(&parameter).cloned() else { return Ok(None) };
            for bounds in known {
                let mut region = whole.clone();
                let replaced = bounds.iter().map(|bound| {
                    let of_np = bound.form.replaced(Atom::Parameter(NP), &np)?;
                    Some(Bound { form: of_np.replaced(Atom::Parameter(parameter), &form)?, ..bound.clone() })
                });
                for bound in replaced.flatten() {
                    if let Some(known) = region.where_linear(&[bound], &self.parameters)? {
                        region = known;
                    }
                }
                ways.push(region.set.parameter_domain()?);
            }
        } else {
            // The loop is left at this number, and went on at the one before, if there was one.
            let mut known = Vec::new();
            let next = Relation::parse(&self.context, &format!("{{ [m] -> [{} * m] }}", power.factor))?;
            let first = Set::parse(&self.context, &format!("{{ [{}] }}", power.first))?;
            let possible = self.numbers_in(power, goes_on)?.apply(&next)?.union(&first)?;
            for left in left {
                let possible = self.numbers_in(power, left)?.intersect(&possible)?;
                let region =
                    whole.with_values_in(std::slice::from_ref(&form), &possible, &self.parameters)?;
                known.push(self.known_of(&form, entry, power, &region)?);
                ways.push(region.set.parameter_domain()?);
            }
            self.known_of_last.insert(parameter, known);
        }
        let mut possible = whole.set.parameter_domain()?;
        possible = possible.subtract(&possible)?;
        for way in &ways {
            possible = possible.union(way)?;
        }
        self.facts_of.insert(parameter, (entered, possible.coalesce()?));
        Ok(Some((form, ways)))
    }

    /// The numbers in rounds in which parameters are possible.
    fn numbers_in(&self, power: &Power, parameters: &Set) -> Result<Set> {
        let all = Region::of(&self.context, Vec::new())?;
        let all = all.within(all.set.intersect_parameters(parameters)?);
        let number = Form::atom(Atom::Parameter(power.parameter));
        let equal: Vec<Bound> =
            Bound::equal(&Form::atom(Atom::Coordinate(MOVING)), &number).into_iter().collect();
        let mut numbers = all.extended(MOVING, &[equal], &self.parameters)?.set;
        for at in self.of_round(power) {
            numbers = numbers.project_out_parameter(&self.parameters.names[at])?;
        }
        Ok(numbers)
    }

    /// How a number after a loop compares with others that there were before it.
    fn known_of(&self, number: &Form, entry: &State, power: &Power, region: &Region) -> Result<Vec<Bound>> {
        let mut known = Vec::new();
        let needed: Vec<u32> = number.coordinates().collect();
        let region = region.projected(&needed)?.simple()?;
        for other in self.numbers_before(entry, power) {
            if other.coordinates().next().is_some() {
                continue;
            }
            let next = number.times(power.factor);
            let bounds = [
                Bound::at_most(number, &other),
                Bound::at_most(&other, number),
                next.and_then(|next| Bound::below(&other, &next)),
            ];
            for bound in bounds.into_iter().flatten() {
                if region.implies(Some(bound.clone()), &self.parameters)? {
                    known.push(bound);
                }
            }
        }
        Ok(known)
    }

    /// The names of a parameter and of the digits that it is written with.
    pub(crate) fn names_of(&self, parameter: usize) -> Vec<String> {
        let digits = self.numbers_with_digits.get(&parameter);
        let digits = digits.into_iter().flatten().flat_map(Form::parameters);
        [parameter].into_iter().chain(digits).map(|at| self.parameters.names[at].clone()).collect()
    }

    /// Whether a number is used outside of the rounds of a loop, and more is known of it than integer sets say.
    fn has_facts(&self, parameter: usize) -> bool {
        self.last_powers.contains_key(&parameter) || self.derived_numbers.contains(&parameter)
    }

    /// With what is known of the numbers after loops that multiply, and of derived ones, where a form has such.
    pub(crate) fn with_facts_of(&self, region: &Region, form: &Form) -> Result<Region> {
        let mut region = region.clone();
        let own = form.parameters();
        for (parameter, (_, possible)) in &self.facts_of {
            let names = self.names_of(*parameter);
            let is_in = |at: &usize| names.contains(&self.parameters.names[*at]);
            if self.has_facts(*parameter)
                && own.iter().any(is_in)
                && !region.set.parameters()?.iter().any(|name| names.contains(name))
            {
                region.set = region.set.intersect_parameters(possible)?;
            }
        }
        Ok(region)
    }

    /// Without the numbers after loops that multiply, of which a region says no more than is known of them anyway.
    pub(crate) fn without_facts(&self, mut region: Region) -> Result<Region> {
        for (parameter, (_, possible)) in self.facts_of.iter().rev() {
            let names = self.names_of(*parameter);
            let used = region.set.parameters()?;
            if !self.has_facts(*parameter) || !used.iter().any(|name| names.contains(name)) {
                continue;
            }
            let mut without = region.set.clone();
            for name in used.iter().filter(|name| names.contains(name)) {
                without = without.project_out_parameter(name)?;
            }
            if without.intersect_parameters(possible)?.is_equal(&region.set)? {
                region.set = without.coalesce()?;
            }
        }
        Ok(region)
    }
}
