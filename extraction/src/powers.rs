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

use frontend::ir::{BinaryOp, Span};
use model::Optional;
use presburger::{Relation, Set};

use crate::error::Result;
use crate::extract::{Extractor, Leaving, NP, Named, Part};
use crate::form::{Atom, Bound, Form};
use crate::memory::{Cell, Place, Value};
use crate::region::{Condition, Region};
use crate::rounds::has_all;
use crate::state::State;

/// A number may be multiplied by so much in each round, at most.
const FACTOR: i64 = 4;
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

/// A number that a power of two has as its exponent, less an offset.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Exponent {
    /// A parameter.
    pub(crate) exponent: usize,
    pub(crate) offset: i64,
    /// 2 to the power of both together.
    pub(crate) power: Form,
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

/// Kinds of parameters: a number in any round, the number of this round, the number after the loop; the digits of both numbers.
const NUMBER: usize = 7;
const ROUND: usize = 8;
const LAST: usize = 9;
const DIGITS: usize = 10;
/// The number of rounds after the loop.
const EXPONENT: usize = 17;
/// What is divided in a round, and which way a loop is left that may be left in several ways.
const DIVIDED: usize = 18;
const WAY: usize = 19;

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
        let form = self.parameter_on((self.calls.clone(), span, NUMBER), named);
        let round =
            self.parameter_on((self.calls.clone(), span, ROUND), Named::Expression("round".to_owned()));
        let ([parameter], [rounds]) = (&form.parameters()[..], &round.parameters()[..]) else {
            return Ok(None);
        };
        let is_halved = from.is_some();
        let mut power = Power { parameter: *parameter, first, factor, rounds: *rounds, from, divided: None };
        let mut cells = Vec::new();
        if let (Some((cell, whole)), true) = (divided, is_divided) {
            let path = (self.calls.clone(), span, DIVIDED);
            let number = self.parameter_on(path, Named::Expression("quotient".to_owned()));
            let [at] = number.parameters()[..] else { return Ok(None) };
            power.divided = Some((at, whole.clone()));
            cells.push((cell.clone(), number.clone()));
        }
        self.powers.insert(*parameter, power.clone());
        self.determined.extend([*parameter, *rounds]);
        self.not_negative.extend([*parameter, *rounds]);
        let form = self.power_number(*parameter);
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

    /// A number that a loop multiplies, as a form: with digits where processes have some, if it is none of their widths.
    fn power_number(&mut self, parameter: usize) -> Form {
        let atom = Form::atom(Atom::Parameter(parameter));
        if !self.has_digits() || self.parameters.widths.contains(&Atom::Parameter(parameter)) {
            return atom;
        }
        if !self.numbers_with_digits.contains_key(&parameter) {
            let digits: Vec<Form> = (0..self.process.len())
                .map(|at| {
                    let path = (Vec::new(), Span::default(), DIGITS + (parameter << 16) + (at << 8));
                    self.parameter_on(path, Named::Expression("digit".to_owned()))
                })
                .collect();
            self.determined.extend(digits.iter().flat_map(Form::parameters));
            self.numbers_with_digits.insert(parameter, digits);
        }
        let digits = &self.numbers_with_digits[&parameter];
        self.parameters.number(digits).expect("digits and widths have the factor 1")
    }

    /// The same condition without products, where the parameters in it are written with digits, as rounds are. `None` where that is not known.
    pub(crate) fn linear_with_digits(
        &mut self,
        state: &mut State,
        bound: &Bound,
    ) -> Result<Option<Condition>> {
        let of_digits: BTreeSet<usize> =
            (self.count.iter().chain(self.numbers_with_digits.values().flatten()))
                .flat_map(Form::parameters)
                .collect();
        // The counters that have digits, of the loops around.
        let mut counters = self.counters.as_slice();
        let mut is_counted = false;
        for &digits in &self.innermost {
            let (own, others) = counters.split_at(digits.min(counters.len()));
            counters = others;
            is_counted |= digits > 1 && bound.form.coordinates().any(|at| own.contains(&at));
        }
        if !self.has_digits() || !is_counted || bound.form.is_linear() {
            return Ok(None);
        }
        let mut form = bound.form.clone();
        let mut region = state.region.clone();
        for (atom, _) in bound.form.terms() {
            let Atom::Parameter(at) = atom else { continue };
            if self.parameters.widths.contains(&atom) || of_digits.contains(&at) {
                continue;
            }
            let is_determined = self.determined.contains(&at);
            let written = self.power_number(at);
            if !is_determined {
                let digits = self.numbers_with_digits[&at].iter().flat_map(Form::parameters);
                self.determined.retain(|own| !digits.clone().any(|digit| digit == *own));
            }
            region =
                region.bounded(&self.parameters.bounds(&self.numbers_with_digits[&at]), &self.parameters)?;
            let Some(replaced) = form.replaced(atom, &written) else { return Ok(None) };
            form = replaced;
        }
        let linear = region.linear(&Bound { form, ..bound.clone() }, &self.parameters)?;
        if linear.is_some() {
            state.region = region;
        }
        Ok(linear)
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
    fn of_round(&self, power: &Power) -> Vec<usize> {
        let digits = self.numbers_with_digits.get(&power.parameter);
        let digits = digits.into_iter().flatten().flat_map(Form::parameters);
        let divided = power.divided.iter().map(|(at, _)| *at);
        [power.parameter, power.rounds].into_iter().chain(divided).chain(digits).collect()
    }

    /// Where a number is one that a loop comes to by multiplication.
    fn where_power(&mut self, region: &Region, parameter: usize, power: &Power) -> Result<Region> {
        let form = self.power_number(parameter);
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
        let (form, round) = (self.power_number(power.parameter), power.round());
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
        let is_outermost = self.counters.len() == 1;
        if ways == 0 || (ways > 1 && !(is_silent && is_outermost)) {
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
        let number = self.power_number(power.parameter);
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
            let last = self.power_number(at);
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
        let twice = half.times(2).and_then(|twice| Bound::equal(&twice, &Form::atom(before)));
        Ok(is_of_all
            && has_all(&back.region, &Form::atom(before))
            && entry.region.implies(Bound::at_most(&Form::number(1), first), &self.parameters)?
            && back.region.implies(twice, &self.parameters)?)
    }

    /// Keeps that a number is the exponent of another one.
    pub(crate) fn note_exponent(&mut self, exponent: Exponent) {
        if !self.exponents.contains(&exponent) {
            self.exponents.push(exponent);
        }
    }

    /// 2 to the power of a number, where that has a form.
    pub(crate) fn power_of_two(&mut self, exponent: &Form) -> Option<Form> {
        if let Some(number) = exponent.as_number().filter(|number| (0..=40).contains(number)) {
            return Some(Form::number(1 << number));
        }
        for known in &self.exponents {
            let own = Form::atom(Atom::Parameter(known.exponent)).plus(&Form::number(known.offset), 1)?;
            let more = exponent.plus(&own, -1).and_then(|more| more.as_number());
            if let Some(more @ 0..=30) = more {
                return known.power.times(1 << more);
            }
        }
        if let Some(at) = exponent.coordinates().next()
            && let Some(more) = exponent.plus(&Form::atom(Atom::Coordinate(at)), -1)?.as_number()
        {
            let least = self.shifted.entry(at).or_insert(more);
            *least = more.min(*least);
        }
        None
    }

    /// Two numbers that compare like these exponents: powers of two. `None` where they are no exponents.
    pub(crate) fn compared_as_powers(&self, a: &Form, b: &Form) -> Option<(Form, Form)> {
        let difference = b.plus(a, -1)?;
        let mut rest = difference.clone();
        let (mut low, mut high) = (Form::number(1), Form::number(1));
        for known in &self.exponents {
            let own = Form::atom(Atom::Parameter(known.exponent)).plus(&Form::number(known.offset), 1)?;
            match rest.factor(Atom::Parameter(known.exponent)) {
                1 if high.as_number().is_some() => {
                    (high, rest) = (known.power.clone(), rest.plus(&own, -1)?);
                }
                -1 if low.as_number().is_some() => {
                    (low, rest) = (known.power.clone(), rest.plus(&own, 1)?);
                }
                _ => {}
            }
        }
        let is_of_powers = low.as_number().is_none() || high.as_number().is_none();
        match rest.as_number().filter(|_| is_of_powers)? {
            more @ 0..=30 => Some((low, high.times(1 << more)?)),
            less @ -30..0 => Some((low.times(1 << -less)?, high)),
            _ => None,
        }
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
            for (target, state) in self.follow_block(part, block, state, &mut all)? {
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
        let number = self.power_number(power.parameter);
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
    fn numbers_before(&self, entry: &State, power: &Power) -> Vec<Form> {
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
        let rounds = 2 * (self.counters.len() - 1);
        let together = Optional { part: self.new_part(part), rounds, is_any_round: true };
        self.parts_of_powers.insert(together.part, power.parameter);
        self.together.push(together);
        let recorded = self.record_round(part, head, power, &around);
        self.together.pop();
        recorded
    }

    /// The coordinates of a process, and the counters of the loops around this one.
    fn around_loop(&self) -> Vec<u32> {
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
            let first = [Bound::equal(&self.power_number(power.parameter), &first)];
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

    /// What is known after the loop.
    fn after_power(
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
        let way =
            self.parameter_on((self.calls.clone(), part.place(), WAY), Named::Expression("way".to_owned()));
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
        let number = self.power_number(power.parameter);
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
        let path = (self.calls.clone(), part.place(), EXPONENT);
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
        let last = self.parameter_on((self.calls.clone(), span, LAST), name);
        let [parameter] = last.parameters()[..] else { return Ok(None) };
        self.last_powers.insert(parameter, power.parameter);
        self.determined.insert(parameter);
        self.not_negative.insert(parameter);
        let form = self.power_number(parameter);
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

fn region_without(region: &Region, parameter: &str) -> Result<Region> {
    Ok(region.within(region.set.project_out_parameter(parameter)?))
}

/// Coordinates of which no others have the numbers.
const MOVING: u32 = u32::MAX - 64;
