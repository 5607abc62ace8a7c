//! Loops whose rounds multiply a number, such as `for (mask = 1; mask < np; mask *= 2)`.
//!
//! How large the number is in a round is not linear. So one round is followed, whichever it is: the number is a parameter in it. What holds
//! of each round holds of all, since all processes execute the same rounds in the same order, and nothing of one round meets anything of
//! another one (`model::Optional`).
//!
//! Which processes come to a round is not followed from the first one on, but is proved by induction. It is guessed that all do, or those
//! whose lowest digits are zero. Then whoever goes on into a round is among them, and whoever does something in a round has gone on into it
//! from the round before, in which the number is so much smaller.

use std::collections::{BTreeMap, BTreeSet};

use frontend::ir::BinaryOp;
use model::Optional;
use presburger::{Relation, Set};

use crate::error::Result;
use crate::exponents::Exponent;
use crate::extract::{Extractor, Leaving, Named, Part};
use crate::form::{Atom, Bound, Form};
use crate::memory::{Cell, Place, Value};
use crate::parameters::Kind;
use crate::region::Region;
use crate::rounds::has_all;
use crate::state::State;

/// A number may be multiplied by so much in each round, at most.
pub(crate) const FACTOR: i64 = 4;
/// Digits of which it is guessed that they are zero, at most.
const GUESSES: usize = 3;
/// A number below which it has an end.
const MOST: i64 = 1 << 40;
/// It may begin with so much, at most.
const FIRST: i64 = 1 << 30;

/// A number that a loop multiplies, as a parameter.
#[derive(Clone, Debug)]
pub(crate) struct Power {
    pub(crate) parameter: usize,
    /// What it is in the first round, and what it is multiplied by after each.
    pub(crate) first: i64,
    pub(crate) factor: i64,
    /// The number of the round, as a parameter, where something depends on it.
    pub(crate) rounds: usize,
    /// What a loop begins with that divides the number by two in each round; nothing where it is multiplied.
    pub(crate) from: Option<Form>,
    /// A number that is divided as often as this one is multiplied, without a remainder: what it is in a round, as a parameter, and what it
    /// begins with. Their product stays the same.
    pub(crate) divided: Option<(usize, Form)>,
}

/// What a loop multiplies: the cells with what each holds, in terms of the parameter.
#[derive(Clone, Debug)]
pub(crate) struct Multiplied {
    pub(crate) power: Power,
    pub(crate) cells: Vec<(Cell, Form)>,
}

impl Power {
    pub(crate) fn round(&self) -> Form {
        Form::atom(Atom::Parameter(self.rounds))
    }

    /// Whether each value of it has one bit.
    pub(crate) fn is_of_two(&self) -> bool {
        self.first.count_ones() == 1 && self.factor.count_ones() == 1
    }

    /// The numbers that it may be, as far as integer sets can say it.
    fn values(&self) -> String {
        let Self { first, factor, .. } = self;
        format!("{{ [m] : m = {first} or (m > 0 and m mod {} = 0) }}", first * factor)
    }
}

impl Extractor<'_> {
    /// What a loop multiplies: out of what cells hold before the loop, and what they hold before and after a round.
    pub(crate) fn multiplied(
        &mut self,
        part: Part<'_>,
        cells: &[(&Cell, &Form, u32)],
        (entry, back): (&State, &State),
    ) -> Result<Option<Multiplied>> {
        let mut found: Vec<(&Cell, i64, i64)> = Vec::new();
        if self.ordinary.contains(&(self.calls.clone(), part.place())) {
            return Ok(None);
        }
        let mut halved: Option<(&Cell, Form)> = None;
        let mut divided: Option<(&Cell, Form)> = None;
        // A number that is counted, and that something is shifted by.
        let mut shifted: Option<(&Cell, i64)> = None;
        for &(cell, first, before) in cells {
            let Some(Value::Number(last)) = back.memory.read(cell) else { continue };
            let before = Atom::Coordinate(before);
            let factor = last.factor(before);
            let is_multiple = Form::atom(before).times(factor).as_ref() == Some(last);
            if let Some(first) = first.as_number()
                && is_multiple
                && (1..=FIRST).contains(&first)
                && (2..=FACTOR).contains(&factor)
            {
                found.push((cell, first, factor));
            } else if self.is_half(back, last, &Form::atom(before))? {
                if halved.is_none() && self.is_power_of_two(entry, first)? {
                    halved = Some((cell, first.clone()));
                } else if divided.is_none() && self.is_divided(entry, first, (back, last, before))? {
                    divided = Some((cell, first.clone()));
                }
            } else if let (Some(first), Atom::Coordinate(at)) = (first.as_number(), before)
                && Form::atom(before).plus(&Form::number(1), 1).as_ref() == Some(last)
                && let Some(more) = self.shifted.get(&at)
                && let Some(by @ 0..=30) = first.checked_add(*more)
            {
                shifted = Some((cell, by));
            }
        }
        let least = found.iter().min_by_key(|(_, first, _)| *first).copied();
        let (least, first, factor, from) = match (least, halved, &divided, shifted) {
            (Some((cell, first, factor)), ..) => (cell, first, factor, None),
            (None, Some((cell, from)), ..) => (cell, 1, 2, Some(from)),
            (None, None, Some((cell, _)), _) => (*cell, 1, 2, None),
            (None, None, None, Some((cell, first))) => (cell, 1 << first, 2, None),
            (None, None, None, None) => return Ok(None),
        };
        let is_divided = found.is_empty() && from.is_none() && divided.is_some();
        let span = part.place();
        let name = self.variable_name(&Place::of(least.object)).filter(|_| least.path.is_empty());
        let is_counted = found.is_empty() && from.is_none();
        let named = match name {
            Some(name) if is_counted => Named::Expression(format!("(1 << {name})")),
            Some(name) => Named::Variable(name),
            None => Named::Expression("power".to_owned()),
        };
        let form = self.parameter_on((self.calls.clone(), span, Kind::Power), named);
        let round =
            self.parameter_on((self.calls.clone(), span, Kind::Round), Named::Expression("round".to_owned()));
        let ([parameter], [rounds]) = (&form.parameters()[..], &round.parameters()[..]) else {
            return Ok(None);
        };
        let is_halved = from.is_some();
        let mut power = Power { parameter: *parameter, first, factor, rounds: *rounds, from, divided: None };
        let mut cells = Vec::new();
        if let (Some((cell, whole)), true) = (divided, is_divided) {
            let path = (self.calls.clone(), span, Kind::Divided);
            let number = self.parameter_on(path, Named::Expression("quotient".to_owned()));
            let [at] = number.parameters()[..] else { return Ok(None) };
            power.divided = Some((at, whole.clone()));
            cells.push((cell.clone(), number.clone()));
        }
        self.powers.insert(*parameter, power.clone());
        self.determined.extend([*parameter, *rounds]);
        self.not_negative.extend([*parameter, *rounds]);
        let form = self.parameter_with_digits(*parameter);
        // With digits it is known by then what the loop comes to.
        if let Some((at, whole)) = power.divided.as_ref().filter(|_| !self.has_digits()) {
            let product = Form::atom(Atom::Parameter(*at)).multiplied(&form);
            self.note_identity(product.and_then(|product| product.plus(whole, -1)));
        }
        if power.is_of_two() && factor == 2 && !is_halved {
            let offset = i64::from(first.trailing_zeros());
            self.note_exponent(Exponent { exponent: *rounds, offset, power: form.clone() });
        }
        if is_halved {
            return Ok(Some(Multiplied { cells: vec![(least.clone(), form)], power }));
        }
        if is_counted {
            return Ok(Some(Multiplied { cells, power }));
        }
        let cells = found
            .iter()
            .filter(|(_, other, by)| other % first == 0 && *by == factor)
            .filter_map(|(cell, other, _)| Some(((*cell).clone(), form.times(other / first)?)))
            .collect();
        Ok(Some(Multiplied { power, cells }))
    }

    /// The bits of two numbers together, where one of both has one bit: a power of two, as a number or as one that a loop multiplies. `None`
    /// where that is not known.
    pub(crate) fn with_bit(
        &mut self,
        state: &mut State,
        op: BinaryOp,
        (a, b): (&Form, &Form),
    ) -> Result<Option<Form>> {
        for (number, bit) in [(a, b), (b, a)] {
            let is_power = match (bit.as_number(), bit.as_atom()) {
                (Some(number), _) => number > 0 && number.count_ones() == 1,
                (None, Some(Atom::Parameter(at))) => self.powers.get(&at).is_some_and(Power::is_of_two),
                _ => false,
            };
            if !is_power
                || !state.region.implies(Some(Bound::not_negative(number.clone())), &self.parameters)?
            {
                continue;
            }
            let (Some(above), _) = self.divided(state, number, bit)? else { continue };
            let (_, Some(last)) = self.divided(state, &above, &Form::number(2))? else { continue };
            let Some(own) = last.multiplied(bit) else { continue };
            return Ok(match op {
                BinaryOp::BitAnd => Some(own),
                BinaryOp::BitOr => number.plus(bit, 1).and_then(|both| both.plus(&own, -1)),
                _ => number.plus(bit, 1).and_then(|both| both.plus(&own, -2)),
            });
        }
        Ok(None)
    }

    /// The parameters that say which round it is.
    pub(crate) fn of_round(&self, power: &Power) -> Vec<usize> {
        let digits = self.numbers_with_digits.get(&power.parameter);
        let digits = digits.into_iter().flatten().flat_map(Form::parameters);
        let divided = power.divided.iter().map(|(at, _)| *at);
        [power.parameter, power.rounds].into_iter().chain(divided).chain(digits).collect()
    }

    /// Where a number is one that a loop comes to by multiplication.
    pub(crate) fn where_power(&mut self, region: &Region, parameter: usize, power: &Power) -> Result<Region> {
        let form = self.parameter_with_digits(parameter);
        let first = Form::number(power.first);
        if form.is_linear() {
            let values = Set::parse(&self.context, &power.values())?;
            return region.with_values_in(&[form], &values, &self.parameters);
        }
        let digits = self.numbers_with_digits[&parameter].clone();
        let mut region = region.bounded(&self.parameters.bounds(&digits), &self.parameters)?;
        let least: Vec<Bound> = [Some(Bound::not_negative(digits[0].clone())), Bound::at_most(&first, &form)]
            .into_iter()
            .flatten()
            .collect();
        region = region.where_linear(&least, &self.parameters)?.unwrap_or(region);
        // Of two powers the smaller one divides the other one.
        let width = match self.parameters.widths.as_slice() {
            [Atom::Parameter(width)] => self.powers.get(width),
            _ => None,
        };
        let is_of_same = |width: &Power| (width.first, width.factor) == (power.first, power.factor);
        let ([above, below], true) = (digits.as_slice(), width.is_some_and(is_of_same)) else {
            return Ok(region);
        };
        let is_less = region.bounded(&[Bound::zero(above.clone())], &self.parameters)?;
        let is_multiple = region.bounded(&[Bound::zero(below.clone())], &self.parameters)?;
        let factors = format!("{{ [a] : a = 1 or (a > 0 and a mod {} = 0) }}", power.factor);
        let factors = Set::parse(&self.context, &factors)?;
        let is_multiple =
            is_multiple.with_values_in(std::slice::from_ref(above), &factors, &self.parameters)?;
        is_less.union(&is_multiple)
    }

    /// Any round: all that is known of its number, and of the number that the loop multiplies.
    pub(crate) fn any_round(
        &mut self,
        region: &Region,
        power: &Power,
        counter: u32,
        is_counted: bool,
    ) -> Result<Region> {
        let (form, round) = (self.parameter_with_digits(power.parameter), power.round());
        let (zero, first) = (Form::default(), Form::number(power.first));
        let count = Form::atom(Atom::Coordinate(counter));
        let region = region.bounded(&[Bound::zero(count)], &self.parameters)?;
        let mut region = self.where_power(&region, power.parameter, power)?;
        if let Some(from) = &power.from {
            let below: Vec<Bound> = Bound::at_most(&form, from).into_iter().collect();
            region = region.where_linear(&below, &self.parameters)?.unwrap_or(region);
        }
        if let Some((at, whole)) = &power.divided {
            let number = Form::atom(Atom::Parameter(*at));
            let bounds = [Bound::at_most(&Form::number(1), &number), Bound::at_most(&form, whole)];
            for bound in bounds.into_iter().flatten() {
                region = region.where_linear(&[bound], &self.parameters)?.unwrap_or(region);
            }
        }
        if !is_counted {
            return Ok(region);
        }
        let first = power.from.clone().unwrap_or(first);
        let begins = [Bound::equal(&form, &first), Bound::equal(&round, &zero)];
        let later = match power.from {
            None => [Bound::below(&first, &form), Bound::below(&zero, &round)],
            Some(_) => [Bound::below(&form, &first), Bound::below(&zero, &round)],
        };
        let [begins, later] = [begins, later].map(|bounds| {
            let bounds: Vec<Bound> = bounds.into_iter().flatten().collect();
            region.where_linear(&bounds, &self.parameters)
        });
        match (begins?, later?) {
            (Some(begins), Some(later)) => begins.union(&later),
            _ => Ok(region),
        }
    }

    /// Follows a round of a loop that multiplies a number. `trial` is what has come out of it where all processes come to it.
    pub(crate) fn follow_power(
        &mut self,
        part: Part<'_>,
        entry: &State,
        (head, trial): (State, Leaving),
        (changed, power): (&BTreeSet<Cell>, &Power),
        is_silent: bool,
    ) -> Result<Leaving> {
        let span = part.place();
        let trial = match power.from {
            Some(_) => self.after_halving(part, &head, trial, power)?,
            None => trial,
        };
        let Some(back) = &trial.back else {
            return self.give_up(&part.frame, span, "it is not known how often this loop goes round");
        };
        if power.from.is_none() && !self.is_bounded(entry, back, power)? {
            return self.give_up(&part.frame, span, "it is not shown that this loop comes to an end");
        }
        let all = Region::of(&self.context, Vec::new())?;
        let mut possible = self.where_power(&all, power.parameter, power)?;
        if power.from.is_some() {
            possible.set = possible.set.intersect_parameters(&head.region.set.parameter_domain()?)?;
        }
        let known = (all.set.parameter_domain()?, possible.set.parameter_domain()?);
        self.facts_of.insert(power.parameter, known);
        let ways = trial.out.len() + usize::from(trial.returned.is_some());
        if ways == 0 || (ways > 1 && !is_silent) {
            return self.give_up(&part.frame, span, "it is not known where processes leave this loop");
        }
        if !is_silent && self.is_recording {
            self.record_power(part, &head, power)?;
        }
        let left = self.after_power(part, entry, changed, trial, power)?;
        if is_silent {
            // Nobody is told of a round: the name is that of the number after the loop.
            self.parameter_names[power.parameter] = Named::Expression("power".to_owned());
        }
        Ok(left)
    }

    /// The same for a loop that halves a number: it is left where that is zero.
    fn after_halving(
        &mut self,
        part: Part<'_>,
        head: &State,
        round: Leaving,
        power: &Power,
    ) -> Result<Leaving> {
        let span = part.place();
        if !round.out.is_empty() || round.returned.is_some() {
            return self.give_up(&part.frame, span, "it is not known where processes leave this loop");
        }
        let number = self.parameter_with_digits(power.parameter);
        let mut last = head.clone();
        let cells: Vec<Cell> = (head.memory.cells())
            .filter(|(_, value)| matches!(value, Value::Number(form) if *form == number))
            .map(|(cell, _)| cell.clone())
            .collect();
        for cell in cells {
            last.memory.write(cell, Value::Number(Form::default()));
        }
        let is_recording = std::mem::replace(&mut self.is_recording, false);
        self.start_round();
        let left = self.walk(part, part.header(), last);
        let left = left.and_then(|left| self.rest_of_round(part, left));
        self.is_recording = is_recording;
        let left = left?;
        if left.back.is_some() {
            return self.give_up(&part.frame, span, "it is not known how often this loop goes round");
        }
        Ok(Leaving { back: round.back, ..left })
    }

    /// Whether a number is one half of another one that is not negative, rounded down.
    pub(crate) fn is_half(&self, state: &State, half: &Form, of: &Form) -> Result<bool> {
        let is_known = has_all(&state.region, half) && has_all(&state.region, of);
        let (Some(twice), true) = (half.times(2), is_known) else {
            return Ok(false);
        };
        let more = twice.plus(&Form::number(1), 1);
        let bounds = [Bound::at_most(&twice, of), more.and_then(|more| Bound::at_most(of, &more))];
        for bound in bounds {
            if !state.region.implies(bound, &self.parameters)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a number is a power of two, or zero: the number after a loop that multiplies by two, or one half of it.
    fn is_power_of_two(&mut self, state: &State, number: &Form) -> Result<bool> {
        if !has_all(&state.region, number) {
            return Ok(false);
        }
        for (at, of) in self.last_powers.clone() {
            let is_of_two = self.powers.get(&of).is_some_and(Power::is_of_two);
            let last = self.parameter_with_digits(at);
            if is_of_two
                && (state.region.implies(Bound::equal(number, &last), &self.parameters)?
                    || self.is_half(state, number, &last)?)
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a number is positive, the same for all, and divided by two in a round without a remainder.
    fn is_divided(
        &self,
        entry: &State,
        first: &Form,
        (back, half, before): (&State, &Form, Atom),
    ) -> Result<bool> {
        let is_of_all = first.coordinates().next().is_none() && first.as_number().is_none();
        Ok(is_of_all
            && entry.region.implies(Bound::at_most(&Form::number(1), first), &self.parameters)?
            && self.is_exact_half(back, half, &Form::atom(before))?)
    }

    /// Whether a number is one half of another one, without a remainder.
    pub(crate) fn is_exact_half(&self, state: &State, half: &Form, of: &Form) -> Result<bool> {
        let is_known = has_all(&state.region, half) && has_all(&state.region, of);
        let twice = half.times(2).and_then(|twice| Bound::equal(&twice, of));
        Ok(is_known && state.region.implies(twice, &self.parameters)?)
    }

    /// What a process does after it has left a loop in a round, up to where all come together again, belongs to the round.
    pub(crate) fn rest_of_round(&mut self, part: Part<'_>, left: Leaving) -> Result<Leaving> {
        let flow = part.flow;
        let end = part.end();
        let mut pending = left.out;
        let mut all = Leaving { out: BTreeMap::new(), ..left };
        while let Some((place, (block, state))) = pending.pop_first() {
            if Some(block) == end || flow.loops.contains_key(&block) {
                all.out.insert(place, (block, state));
                continue;
            }
            for (target, state) in self.follow_block(part, block, state, &mut all)?.ways {
                let at = flow.place[&target];
                if state.region.is_empty()? {
                    continue;
                }
                if at <= place {
                    return self.give_up(&part.frame, part.span(block), "a jump into a loop is not followed");
                }
                let mut joined = pending.remove(&at).map(|(_, known)| known);
                self.join_into(&mut joined, state, Some((part.frame.number, target)))?;
                pending.extend(joined.map(|state| (at, (target, state))));
            }
        }
        Ok(all)
    }

    /// Whether the number is bounded in each round after which there is another one.
    fn is_bounded(&mut self, entry: &State, back: &State, power: &Power) -> Result<bool> {
        let number = self.parameter_with_digits(power.parameter);
        let mut bounds = self.numbers_before(entry, power);
        bounds.push(Form::number(MOST));
        for bound in bounds {
            if back.region.implies(Bound::at_most(&number, &bound), &self.parameters)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// How many processes there are, and the numbers that variables hold before a loop.
    pub(crate) fn numbers_before(&self, entry: &State, power: &Power) -> Vec<Form> {
        let own = self.of_round(power);
        let mut all = vec![self.number_of_processes()];
        for (_, value) in entry.memory.cells() {
            if let Value::Number(form) = value
                && form.coordinates().all(|at| entry.region.coordinates.contains(&at))
                && !form.parameters().iter().any(|at| own.contains(at))
                && form.as_number().is_none()
                && !all.contains(form)
            {
                all.push(form.clone());
            }
        }
        all
    }

    /// Keeps the calls of any round, of those processes that come to it.
    fn record_power(&mut self, part: Part<'_>, head: &State, power: &Power) -> Result<()> {
        let around = self.around_loop();
        // All execute the same rounds; a position is text, counter, text and so on.
        let rounds = self.depth_of(self.counters.len() - 1);
        let together = Optional { part: self.new_part(part), rounds, is_any_round: true };
        self.parts_of_powers.insert(together.part, power.parameter);
        self.together.push(together);
        let recorded = self.record_round(part, head, power, &around);
        self.together.pop();
        recorded
    }

    /// The coordinates of a process, and the counters of the loops around this one.
    pub(crate) fn around_loop(&self) -> Vec<u32> {
        let mut kept = self.kept();
        kept.pop();
        kept
    }

    /// The same, where it is known what they have in common.
    fn record_round(&mut self, part: Part<'_>, head: &State, power: &Power, around: &[u32]) -> Result<()> {
        let events = self.events.len();
        let before = self.mark();
        let mut guesses = vec![None];
        guesses
            .extend(self.lowest_digits_of(power, head).into_iter().map(|lowest| Some(Bound::zero(lowest))));
        for guess in guesses {
            let mut here = head.clone();
            let bounds: Vec<Bound> = guess.into_iter().collect();
            here.region = here.region.bounded(&bounds, &self.parameters)?;
            let come = here.region.projected(around)?;
            self.start_round();
            let left = self.walk(part, part.header(), here)?;
            let left = self.rest_of_round(part, left)?;
            let Some(back) = left.back else { break };
            let goes_on = back.region.projected(around)?;
            let mut acts = goes_on.clone();
            for event in &self.events[events..] {
                acts.set = acts.set.union(&event.region.projected(around)?.set)?;
            }
            // The number says which round it is; the number of the round must not matter.
            let all = head.region.projected(around)?;
            let whichever = |region: &Region| -> Result<Option<Region>> {
                let without = region.set.project_out_parameter(&self.parameters.names[power.rounds])?;
                let is_free = without.intersect(&all.set)?.is_subset(&region.set)?;
                Ok(is_free.then(|| region.within(without)))
            };
            let come = region_without(&come, &self.parameters.names[power.rounds])?;
            let (Some(goes_on), Some(acts)) = (whichever(&goes_on)?, whichever(&acts)?) else { break };
            let all = region_without(&all, &self.parameters.names[power.rounds])?;
            let (Some(came), Some(later)) =
                (self.after_a_round(&goes_on, power)?, self.after_a_round(&all, power)?)
            else {
                break;
            };
            let first = power.from.clone().unwrap_or(Form::number(power.first));
            let first = [Bound::equal(&self.parameter_with_digits(power.parameter), &first)];
            let first: Vec<Bound> = first.into_iter().flatten().collect();
            let begins = head.region.bounded(&first, &self.parameters)?.projected(around)?;
            let begins = region_without(&begins, &self.parameters.names[power.rounds])?;
            // Whoever comes to a round is one of those, and whoever does something has come.
            if came.set.intersect(&all.set)?.is_subset(&come.set)?
                && begins.set.is_subset(&come.set)?
                && acts.set.subtract(&begins.set)?.intersect(&later.set)?.is_subset(&came.set)?
            {
                let whole = head.region.set.parameter_domain()?;
                return self.without_round(power, events, &whole);
            }
            let mark = before.clone();
            self.go_back(mark);
        }
        self.give_up(
            &part.frame,
            part.place(),
            "it is not known which processes come to a round of this loop",
        )
    }

    /// Where the number of the round does not matter, nothing is said of it. `whole`: the parameters in any round.
    fn without_round(&mut self, power: &Power, first: usize, whole: &Set) -> Result<()> {
        let name = self.parameters.names[power.rounds].clone();
        for event in &mut self.events[first..] {
            if event.parameters().contains(&power.rounds) {
                continue;
            }
            let without = event.region.set.project_out_parameter(&name)?;
            if without.intersect_parameters(whole)?.is_subset(&event.region.set)? {
                event.region.set = without.coalesce()?;
            }
        }
        Ok(())
    }

    /// The digits of a process below a number, if it is the width above these, and those of the numbers that variables hold, such as its rank
    /// in another communicator.
    fn lowest_digits_of(&self, power: &Power, head: &State) -> Vec<Form> {
        let is_own = |width: &Atom| *width == Atom::Parameter(power.parameter);
        let Some(at) = self.parameters.widths.iter().position(is_own) else { return Vec::new() };
        let mut digits = vec![Form::atom(Atom::Coordinate(self.process[at + 1]))];
        for (_, value) in head.memory.cells() {
            if let Value::Number(number) = value
                && let Some(parts) = self.parts(number).filter(|_| !number.is_linear())
                && parts[at + 1].coordinates().next().is_some()
                && parts[at + 1].coordinates().all(|at| head.region.coordinates.contains(&at))
                && !digits.contains(&parts[at + 1])
                && digits.len() < GUESSES
            {
                digits.push(parts[at + 1].clone());
            }
        }
        digits
    }

    /// Where points are in the next round: `None` where the digits that they are written with are not followed.
    fn after_a_round(&self, region: &Region, power: &Power) -> Result<Option<Region>> {
        // Parameters that change with the round become coordinates.
        let widths = &self.parameters.widths;
        let place = widths.iter().position(|width| *width == Atom::Parameter(power.parameter));
        if place.is_some_and(|place| place > 0) {
            return Ok(None);
        }
        let is_own = !self.has_digits() || place.is_some();
        if !is_own {
            return Ok(None);
        }
        let mut moving = vec![Form::atom(Atom::Parameter(power.parameter))];
        // Pairs of the digit above and the one below: of the process, and of numbers that all have.
        let mut pairs: Vec<[String; 2]> = Vec::new();
        let mut names: Vec<String> = (0..region.coordinates.len()).map(|at| format!("c{at}")).collect();
        if place.is_some() {
            pairs.push(["c0".to_owned(), "c1".to_owned()]);
            moving.extend(self.count[..2].iter().cloned());
            for number in self.numbers_with_digits.values() {
                moving.extend(number[..2].iter().cloned());
            }
        }
        let first = names.len();
        names.extend((0..moving.len()).map(|at| format!("m{at}")));
        pairs.extend((1..moving.len()).step_by(2).map(|at| [format!("m{at}"), format!("m{}", at + 1)]));
        let mut moved = region.clone();
        for (at, form) in (0..).zip(&moving) {
            let equal: Vec<Bound> =
                Bound::equal(&Form::atom(Atom::Coordinate(MOVING + at)), form).into_iter().collect();
            moved = moved.extended(MOVING + at, &[equal], &self.parameters)?;
        }
        let mut set = moved.set;
        for form in &moving {
            for at in form.parameters() {
                set = set.project_out_parameter(&self.parameters.names[at])?;
            }
        }
        // What stays, and how the others change.
        let primed = |name: &String| format!("n{name}");
        let is_halved = power.from.is_some();
        let mut change = match is_halved {
            true => vec![format!("m0 = {} * nm0", power.factor)],
            false => vec![format!("nm0 = {} * m0", power.factor)],
        };
        let is_pair = |name: &String| pairs.iter().flatten().any(|of| of == name);
        for name in names[..first].iter().filter(|name| !is_pair(name)) {
            change.push(format!("n{name} = {name}"));
        }
        for [above, below] in &pairs {
            let cases: Vec<String> = (0..power.factor)
                .map(|rest| {
                    if is_halved {
                        return format!(
                            "(n{above} = {} * {above} + {rest} and {below} = n{below} + {rest} * nm0)",
                            power.factor
                        );
                    }
                    format!(
                        "({above} = {} * n{above} + {rest} and n{below} = {below} + {rest} * m0)",
                        power.factor
                    )
                })
                .collect();
            change.push(format!("({})", cases.join(" or ")));
        }
        let to: Vec<String> = names.iter().map(primed).collect();
        let text = format!("{{ [{}] -> [{}] : {} }}", names.join(", "), to.join(", "), change.join(" and "));
        let set = set.apply(&Relation::parse(&self.context, &text)?)?;
        // Back to parameters.
        let mut next = Region { coordinates: moved.coordinates.clone(), set };
        for (at, form) in (0..).zip(&moving) {
            let equal: Vec<Bound> =
                Bound::equal(&Form::atom(Atom::Coordinate(MOVING + at)), form).into_iter().collect();
            next = next.bounded(&equal, &self.parameters)?;
        }
        Ok(Some(next.projected(&region.coordinates)?))
    }
}

fn region_without(region: &Region, parameter: &str) -> Result<Region> {
    Ok(region.within(region.set.project_out_parameter(parameter)?))
}

/// Coordinates of which no others have the numbers.
pub(crate) const MOVING: u32 = u32::MAX - 64;
