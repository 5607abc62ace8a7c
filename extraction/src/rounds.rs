//! Loops: which rounds there are, and what variables hold at the head of each.

use std::collections::{BTreeMap, BTreeSet};

use frontend::ir::Span;
use presburger::Relation;

use crate::after_loops::Watched;
use crate::error::{GivenUp, Result};
use crate::extract::{Extractor, Leaving, Part};
use crate::form::{Atom, Bound, Form, atoms};
use crate::memory::{Cell, Place, Value};
use crate::powers::Multiplied;
use crate::region::{Condition, Region};
use crate::state::State;
use crate::sums::before_round;

/// How often a loop is tried until it is known what it writes.
const TRIALS: usize = 12;

/// What a cell holds at the head of a round.
enum Recurrence {
    /// The same in each round, or a form over the counter.
    Closed(Value),
    /// The first one in the first round, then what this form over the counter was in the round before.
    Before(Form, Form),
    /// What a loop multiplies, in any round.
    Multiplied(Form, i64),
    /// What a loop halves, in any round, and whether there is never a remainder.
    Halved(Form, bool),
    /// The first one and a sum: from rank and counters to the sum after the round.
    Sum(Form, Relation),
}

impl Recurrence {
    fn is_open(&self) -> bool {
        matches!(self, Self::Closed(Value::Open))
    }

    /// Whether a parameter has a part in it.
    fn depends_on(&self, parameter: usize) -> bool {
        let forms = match self {
            Self::Closed(Value::Number(form)) => vec![form],
            Self::Before(..) => return true,
            Self::Multiplied(first, _) | Self::Halved(first, _) | Self::Sum(first, _) => vec![first],
            Self::Closed(_) => Vec::new(),
        };
        forms.iter().any(|form| form.parameters().contains(&parameter))
    }

    fn coordinates(&self) -> Vec<u32> {
        match self {
            Self::Closed(value) => value.coordinates(),
            Self::Before(first, then) => first.coordinates().chain(then.coordinates()).collect(),
            Self::Sum(first, _) | Self::Multiplied(first, _) | Self::Halved(first, _) => {
                first.coordinates().collect()
            }
        }
    }
}

/// The number of a round: how often a loop has gone round before.
#[derive(Clone)]
struct Counter {
    /// Its coordinate, or its digits.
    digits: Vec<u32>,
    count: Form,
    /// What counts rounds one by one: the lowest digit.
    unit: Atom,
}

/// How a program was followed before a loop.
#[derive(Clone)]
pub(crate) struct Mark {
    calls: Vec<Span>,
    prefix: Vec<Form>,
    next_text: Vec<i64>,
    counters: Vec<u32>,
    innermost: Vec<usize>,
    pinned: Vec<u32>,
    is_recording: bool,
    is_final: bool,
    stores: (usize, usize),
    guards: usize,
    events: usize,
    asked: usize,
    facts: usize,
    written: Vec<BTreeSet<Cell>>,
    left_out: BTreeMap<i64, GivenUp>,
}

impl Counter {
    /// The same; in a loop that multiplies a number, the number of the round as a parameter.
    fn in_round(&self, multiplied: Option<&Multiplied>) -> Self {
        match multiplied {
            Some(Multiplied { power, .. }) => {
                let unit = Atom::Parameter(power.rounds);
                Self { digits: self.digits.clone(), count: power.round(), unit }
            }
            None => self.clone(),
        }
    }

    /// A form over the counter in the round before, or in the next one.
    fn moved(&self, form: &Form, by: i64) -> Option<Form> {
        let step = form.factor(self.unit);
        let rest = form.plus(&self.count, -step)?;
        let is_linear = rest.coordinates().all(|at| !self.digits.contains(&at));
        if is_linear && rest.factor(self.unit) == 0 { form.plus(&Form::number(step), by) } else { None }
    }
}

impl Extractor<'_> {
    /// Follows a loop from its head to where it is left.
    pub(crate) fn follow_loop(&mut self, part: Part<'_>, entry: State) -> Result<Leaving> {
        if self.prefix.is_empty() {
            self.here = part.place();
        }
        let position = self.position();
        let counter = self.new_coordinate();
        let before = self.has_digits().then(|| self.mark());
        let left = self.counted(part, &entry, position.clone(), vec![counter]);
        match before {
            // More is known of each round by itself.
            Some(before) if self.one_by_one.remove(&counter) && !matches!(left, Err(GivenUp::Sets(_))) => {
                let omitted = self.omitted;
                self.go_back(before.clone());
                if let Ok(Some(left)) = self.unrolled(part, &entry, position.clone())
                    && self.omitted == omitted
                {
                    return Ok(left);
                }
                self.go_back(before);
                self.in_any_round.insert(counter);
                self.counted(part, &entry, position, vec![counter])
            }
            // Rounds are counted like processes where they are compared with ranks.
            Some(before) if self.unclear.contains(&counter) => {
                self.unclear.retain(|at| *at != counter);
                self.go_back(before);
                let digits = self.new_digits();
                let mut with_digits = self.counted(part, &entry, position, digits)?;
                if let Ok(left) = left {
                    with_digits.learn(&left)?;
                }
                Ok(with_digits)
            }
            _ => left,
        }
    }

    /// Follows a loop whose rounds are counted with such digits.
    fn counted(
        &mut self,
        part: Part<'_>,
        entry: &State,
        position: Vec<Form>,
        digits: Vec<u32>,
    ) -> Result<Leaving> {
        let unit = Atom::Coordinate(digits.last().copied().unwrap_or_default());
        let counter = Counter { count: self.parameters.number_with(&digits), digits: digits.clone(), unit };
        let outer = std::mem::replace(&mut self.prefix, position);
        // A position is text, counter, text and so on.
        for (at, form) in atoms(&digits).into_iter().enumerate() {
            self.prefix.extend((at > 0).then(Form::default));
            self.prefix.push(form);
        }
        self.next_text.push(0);
        self.counters.extend(&digits);
        self.innermost.push(digits.len());
        let before = self.asked.len();
        let around = std::mem::take(&mut self.rounds_left);
        let left = self.rounds(part, entry, &counter);
        let rounds_left = std::mem::replace(&mut self.rounds_left, around);
        self.innermost.pop();
        self.counters.truncate(self.counters.len() - digits.len());
        self.next_text.pop();
        self.prefix = outer;
        let mut left = left?;
        let asked = self.asked.split_off(before);
        for state in left.out.values_mut().map(|(_, state)| state).chain(&mut left.returned) {
            self.has_happened(state, entry, &asked)?;
            self.leave_rounds(state);
            // A number of rounds that is a parameter is called by it.
            for rounds in &rounds_left {
                if let [at] = counter.digits[..]
                    && state.region.coordinates.contains(&at)
                    && state.region.implies(Bound::equal(rounds, &counter.count), &self.parameters)?
                {
                    state.memory.replace(Atom::Coordinate(at), rounds);
                    // The parameter is called as what holds it.
                    let held = state.memory.cells().filter(|(cell, _)| cell.path.is_empty());
                    for (cell, value) in held {
                        self.name_parameter(&Place::of(cell.object), value);
                    }
                }
            }
        }
        if !self.is_recording {
            // What has not happened by then happens in a loop around.
            self.asked.extend(asked.into_iter().filter(|asked| !asked.is_over(entry)));
        }
        Ok(left)
    }

    /// What is to be undone where a loop is followed in another way.
    pub(crate) fn mark(&self) -> Mark {
        Mark {
            calls: self.calls.clone(),
            prefix: self.prefix.clone(),
            next_text: self.next_text.clone(),
            counters: self.counters.clone(),
            innermost: self.innermost.clone(),
            pinned: self.pinned.clone(),
            is_recording: self.is_recording,
            is_final: self.stores.is_final,
            stores: self.stores.now(),
            guards: self.guards.len(),
            events: self.events.len(),
            asked: self.asked.len(),
            facts: self.facts.len(),
            written: self.written.clone(),
            left_out: self.left_out.clone(),
        }
    }

    /// Undoes what was done since.
    pub(crate) fn go_back(&mut self, mark: Mark) {
        self.calls = mark.calls;
        self.prefix = mark.prefix;
        self.next_text = mark.next_text;
        self.counters = mark.counters;
        self.innermost = mark.innermost;
        self.pinned = mark.pinned;
        self.is_recording = mark.is_recording;
        self.stores.is_final = mark.is_final;
        self.stores.forget(mark.stores);
        self.guards.truncate(mark.guards);
        self.events.truncate(mark.events);
        self.asked.truncate(mark.asked);
        self.facts.truncate(mark.facts);
        self.written = mark.written;
        self.left_out = mark.left_out;
    }

    /// Notes counters of loops of which is not known how they compare.
    pub(crate) fn note_counters(&mut self, a: &Form, b: &Form) {
        for &counter in &self.counters {
            let atom = Atom::Coordinate(counter);
            let is_alone = |form: &Form| form.divided(atom).0.as_number().is_some();
            if a.factor(atom) != b.factor(atom) && is_alone(a) && is_alone(b) {
                self.unclear.push(counter);
            }
        }
    }

    fn rounds(&mut self, part: Part<'_>, entry: &State, counter: &Counter) -> Result<Leaving> {
        let frame = &part.frame;
        let header = part.header();
        let span = part.place();
        let begin = self.mark();
        let count = counter.count.clone();
        let counted = entry.region.extended_by_digits(&counter.digits, true, &self.parameters)?;
        let is_recording = std::mem::replace(&mut self.is_recording, false);
        let seen = self.seen;
        let asked = self.asked.len();
        let was_final = std::mem::replace(&mut self.stores.is_final, false);

        // Which cells are written, and of which it is not known what they hold.
        let mut changed: BTreeSet<Cell> = BTreeSet::new();
        let mut open: BTreeSet<Cell> = BTreeSet::new();
        // What cells hold whatever else the loop does, such as its counter.
        let mut sure: BTreeMap<Cell, Form> = BTreeMap::new();
        let mut found = None;
        let mut multiplied: Option<Multiplied> = None;
        // The same where no variable is multiplied, but something is shifted by the counter.
        let mut shifted: Option<Multiplied> = None;
        for _ in 0..TRIALS {
            // What they hold after a round of which nothing is known.
            let mut head = State { region: counted.clone(), ..entry.clone() };
            let mut before: BTreeMap<Cell, u32> = BTreeMap::new();
            for cell in &changed {
                let value = match entry.memory.read(cell) {
                    Some(Value::Number(_)) if sure.contains_key(cell) => Value::Number(sure[cell].clone()),
                    Some(Value::Number(first)) if !open.contains(cell) => {
                        let at = self.new_coordinate();
                        // A guess, as all of this: it stays so if it begins so.
                        let is_positive = Some(Bound::not_negative(first.clone()));
                        let is_positive = entry.region.implies(is_positive, &self.parameters)?;
                        let bound = Bound::not_negative(Form::atom(Atom::Coordinate(at)));
                        let bounds = is_positive.then_some(bound).into_iter().collect();
                        head.region = head.region.extended(at, &[bounds], &self.parameters)?;
                        before.insert(cell.clone(), at);
                        Value::Number(Form::atom(Atom::Coordinate(at)))
                    }
                    _ => Value::Open,
                };
                head.memory.write(cell.clone(), value);
            }
            // What is the same for all before the loop is taken to be so after each round; what is claimed of it is checked below.
            let same: Vec<u32> = before
                .iter()
                .filter(|(cell, _)| entry.memory.read(cell).is_some_and(|first| self.is_same(first)))
                .map(|(_, &at)| at)
                .collect();
            self.uniform.extend(&same);
            let wanted = self.wanted.len();
            let tried = self.try_round(part, head);
            self.uniform.retain(|at| !same.contains(at));
            let (trial, log) = tried?;
            if grows(&mut changed, log, entry) {
                // What was asked was about other numbers.
                self.wanted.truncate(wanted);
                continue;
            }
            // What it writes is enough where it is looked at in another way.
            let is_inner = self.counters.len() > counter.digits.len();
            if (self.seen > seen || is_inner) && self.is_skipped() {
                self.wanted.truncate(wanted);
                if self.seen > seen {
                    self.left_out_or_given_up(frame, span, "this is looked at in another way")?;
                }
                self.is_recording = is_recording;
                self.stores.is_final = was_final;
                return Ok(self.forgetful(part, entry, &changed, trial));
            }
            let mut head = State { region: counted.clone(), ..entry.clone() };
            multiplied = None;
            let claims = match &trial.back {
                Some(back) => {
                    let mut cells: Vec<(&Cell, &Form, u32)> = Vec::new();
                    for (cell, &at) in before.iter().filter(|_| counter.digits.len() == 1) {
                        if let (Some(Value::Number(first)), false) =
                            (entry.memory.read(cell), open.contains(cell))
                        {
                            cells.push((cell, first, at));
                        }
                    }
                    multiplied = self.multiplied(part, &cells, (entry, back))?.or_else(|| shifted.clone());
                    shifted = multiplied.clone().filter(|multiplied| multiplied.cells.is_empty());
                    let counter = &counter.in_round(multiplied.as_ref());
                    let mut closed =
                        self.closed(entry, &changed, &open, &before, (back, multiplied.as_ref()), counter)?;
                    for (cell, recurrence) in &mut closed {
                        if let Some(form) = sure.get(cell) {
                            *recurrence = Recurrence::Closed(Value::Number(form.clone()));
                        }
                    }
                    // With what is known by now, more may be known.
                    if sure.is_empty()
                        && closed.iter().any(|(cell, of)| of.is_open() && before.contains_key(cell))
                    {
                        sure.extend(closed.iter().filter_map(|(cell, of)| match of {
                            Recurrence::Closed(Value::Number(form)) => Some((cell.clone(), form.clone())),
                            _ => None,
                        }));
                        if !sure.is_empty() {
                            continue;
                        }
                    }
                    if let Some(Multiplied { power, .. }) = &multiplied {
                        let is_counted =
                            closed.iter().any(|(_, recurrence)| recurrence.depends_on(power.rounds));
                        head.region = self.any_round(&head.region, power, counter.digits[0], is_counted)?;
                    }
                    self.claim(&closed, counter, &mut head)?;
                    closed
                }
                None => {
                    head.region = head.region.bounded(&[Bound::zero(count.clone())], &self.parameters)?;
                    Vec::new()
                }
            };
            // The same for each round, with what is claimed: it has to come out again, and nothing else may be written.
            let pinned = self.pinned.len();
            self.pinned.extend(claims.iter().flat_map(|(_, recurrence)| recurrence.coordinates()));
            let tried = self.try_round(part, head.clone());
            self.pinned.truncate(pinned);
            let (left, log) = tried?;
            let counter = &counter.in_round(multiplied.as_ref());
            let wrong = self.wrong(&claims, left.back.as_ref(), counter)?;
            let more = grows(&mut changed, log, entry);
            if wrong.is_empty() && !more && (trial.back.is_some() || left.back.is_none()) {
                found = Some((head, left));
                break;
            }
            sure.retain(|cell, _| !wrong.contains(cell));
            open.extend(wrong);
        }
        let Some((mut head, left)) = found else {
            return self.give_up(frame, span, "it is not known what this loop writes");
        };
        let undo = |this: &mut Self| {
            this.is_recording = is_recording;
            this.stores.is_final = was_final;
        };

        // Which rounds there are.
        let ways = left.back.iter().chain(left.out.values().map(|(_, state)| state)).chain(&left.returned);
        let doubts: BTreeSet<u32> =
            ways.flat_map(|state| self.doubts_besides(state, entry, header)).collect();
        if !doubts.is_empty() {
            if self.seen > seen {
                let doubtful = State { doubts, ..entry.clone() };
                let place = self.doubt(&doubtful).map_or(span, |(_, span)| span);
                let reason =
                    "it is not known how often this loop goes round, and communication depends on it";
                self.left_out_or_given_up(frame, place, reason)?;
            }
            undo(self);
            return Ok(self.forgetful(part, entry, &changed, left));
        }
        self.asked.truncate(asked);
        if left.back.as_ref().is_some_and(|back| back.probed != entry.probed) {
            let reason = "a message that a probe finds is received in another round, or not at all";
            self.left_out_or_given_up(frame, span, reason)?;
            undo(self);
            return Ok(self.forgetful(part, entry, &changed, left));
        }
        if let Some(Multiplied { power, .. }) = &multiplied {
            let is_silent = self.seen == seen;
            let ways = left.out.len() + usize::from(left.returned.is_some());
            let left = if is_silent && ways > 1 {
                left
            } else {
                self.written.push(BTreeSet::new());
                let left = self.rest_of_round(part, left);
                let log = self.written.pop().unwrap_or_default();
                grows(&mut changed, log, entry);
                left?
            };
            self.is_recording = is_recording;
            let since = self.stores.now();
            let followed = self.follow_power(part, entry, (head, left), (&changed, power), is_silent);
            self.stores.is_final = was_final;
            self.stores.forget(since);
            return match followed {
                // Like any other loop, in which the number has no form.
                Err(GivenUp::Program { .. }) => {
                    self.go_back(begin);
                    self.ordinary.insert((self.calls.clone(), span));
                    self.rounds(part, entry, counter)
                }
                followed => followed,
            };
        }
        // Everything else follows from the rank and the counters.
        let round = self.kept();
        let whole = head.region.projected(&round)?;
        let goes_on = match &left.back {
            Some(back) => back.region.projected(&whole.coordinates)?.simple()?,
            None => whole.meet(&crate::region::Condition::Holds(false), &self.parameters)?,
        };
        let mut ends = whole.clone();
        ends.set = whole.set.subtract(&goes_on.set)?;
        let reached = whole.until(&ends, counter.digits.len())?;
        ends.set = ends.set.intersect(&reached.set)?;
        let before = entry.region.projected(&round[..round.len() - counter.digits.len()])?;
        if !ends.covers_first_of(&before)? {
            self.left_out_or_given_up(frame, span, "it is not shown that this loop comes to an end")?;
            undo(self);
            return Ok(self.forgetful(part, entry, &changed, left));
        }

        // Each of them.
        head.region = head.region.inside(&reached)?;
        let round = head.clone();
        self.is_recording = is_recording;
        self.start_round();
        let since = self.stores.now();
        self.stores.is_final = true;
        self.watched.push(Watched::default());
        let left = self.walk(part, header, head);
        let watched = self.watched.pop().unwrap_or_default();
        let mut left = left?;
        left.back = None;
        self.numbers_after(part, &counter.digits, &watched, &mut left)?;
        for (array, elements) in self.written_in_rounds(entry, since)? {
            for state in left.out.values_mut().map(|(_, state)| state).chain(&mut left.returned) {
                state.memory.write(array.clone(), elements.clone());
            }
        }
        self.stores.is_final = was_final;
        if !was_final {
            self.stores.forget(since);
        }
        self.forget_rounds(entry, &mut left, counter)?;
        let of_round = (&round, &counter.digits[..]);
        self.with_last_writers(part, entry, of_round, &changed, (&watched, &mut left))?;
        Ok(left)
    }

    /// Where processes leave a loop in different rounds, what was the same for all in one round is not so any more.
    fn forget_rounds(&mut self, entry: &State, left: &mut Leaving, counter: &Counter) -> Result<()> {
        let around = self.counters.len() - counter.digits.len();
        let (outer, digits) = self.counters.split_at(around);
        let digits = atoms(digits);
        let mut rounds = Relation::empty(&self.context)?;
        for state in left.out.values().map(|(_, state)| state).chain(&left.returned) {
            rounds = rounds.union(&state.region.relation("", outer, &digits, &self.parameters)?)?;
        }
        if rounds.is_single_valued()? {
            return Ok(());
        }
        if let Some(&first) = counter.digits.first() {
            self.uniform.retain(|at| *at < first);
        }
        for state in left.out.values_mut().map(|(_, state)| state).chain(&mut left.returned) {
            let is_of_rounds = |(cell, value): &(&Cell, &Value)| {
                matches!(value, Value::Same(_)) && entry.memory.read(cell) != Some(*value)
            };
            let cells: Vec<Cell> =
                state.memory.cells().filter(is_of_rounds).map(|(cell, _)| cell.clone()).collect();
            for cell in cells {
                state.memory.write(cell, Value::Open);
            }
        }
        Ok(())
    }

    /// Text is counted from the head of the loop.
    pub(crate) fn start_round(&mut self) {
        if let Some(next) = self.next_text.last_mut() {
            *next = 0;
        }
    }

    /// Follows a round, and says which cells are written.
    fn try_round(&mut self, part: Part<'_>, head: State) -> Result<(Leaving, BTreeSet<Cell>)> {
        self.written.push(BTreeSet::new());
        self.start_round();
        let left = self.walk(part, part.header(), head);
        let log = self.written.pop().unwrap_or_default();
        Ok((left?, log))
    }

    /// What the cells that a loop writes hold at the head of a round, out of what they hold after it.
    fn closed(
        &mut self,
        entry: &State,
        changed: &BTreeSet<Cell>,
        open: &BTreeSet<Cell>,
        before: &BTreeMap<Cell, u32>,
        (back, multiplied): (&State, Option<&Multiplied>),
        counter: &Counter,
    ) -> Result<Vec<(Cell, Recurrence)>> {
        let count = counter.count.clone();
        let mut closed: BTreeMap<u32, Form> = BTreeMap::new();
        let mut found: BTreeMap<&Cell, Recurrence> = BTreeMap::new();
        for (cell, form) in multiplied.iter().flat_map(|multiplied| &multiplied.cells) {
            let factor = multiplied.map_or(1, |multiplied| multiplied.power.factor);
            if let (Some((cell, &at)), true) = (before.get_key_value(cell), changed.contains(cell)) {
                closed.insert(at, form.clone());
                let power = multiplied.map(|multiplied| &multiplied.power);
                let is_exact = power.is_some_and(|power| power.divided.is_some());
                let is_halved = is_exact || power.is_some_and(|power| power.from.is_some());
                let recurrence = match is_halved {
                    true => Recurrence::Halved(form.clone(), is_exact),
                    false => Recurrence::Multiplied(form.clone(), factor),
                };
                found.insert(cell, recurrence);
            }
        }
        for cell in changed.difference(open) {
            let (Some(first), Some(last)) = (entry.memory.read(cell), back.memory.read(cell)) else {
                continue;
            };
            if found.contains_key(cell) {
                continue;
            }
            match (first, last, before.get(cell)) {
                (Value::Number(first), Value::Number(last), Some(&at)) => {
                    let Some(step) = last.plus(&Form::atom(Atom::Coordinate(at)), -1) else { continue };
                    let step = match step.as_number() {
                        Some(step) => Some(step),
                        None => self.constant_of(back, &step)?,
                    };
                    if let Some(form) = step.and_then(|step| first.plus(&count, step)) {
                        closed.insert(at, form.clone());
                        found.insert(cell, Recurrence::Closed(Value::Number(form)));
                    }
                }
                (first, last, _) if first == last => {
                    found.insert(cell, Recurrence::Closed(first.clone()));
                }
                // Another one in each round, for all.
                (first, last, _) if self.is_unknown_of_all(first) && self.is_unknown_of_all(last) => {
                    found.insert(cell, Recurrence::Closed(self.numbered(Value::Same(0))));
                }
                _ => {}
            }
        }
        // What depends on nothing else that changes.
        for cell in changed.difference(open) {
            let (Some(Value::Number(first)), Some(Value::Number(last))) =
                (entry.memory.read(cell), back.memory.read(cell))
            else {
                continue;
            };
            if found.contains_key(cell) {
                continue;
            }
            let mut form = Some(last.clone());
            for (&at, by) in &closed {
                form = form.and_then(|form| form.replaced(Atom::Coordinate(at), by));
            }
            let known = |at: u32| counter.digits.contains(&at) || entry.region.coordinates.contains(&at);
            if let Some(form) = form
                && form.coordinates().all(known)
            {
                found.insert(cell, Recurrence::Before(first.clone(), form));
            }
        }
        // What is added now and then.
        for cell in changed.difference(open) {
            if found.contains_key(cell) || counter.digits.len() > 1 || multiplied.is_some() {
                continue;
            }
            if let (Some(Value::Number(first)), Some(Value::Number(last)), Some(&at)) =
                (entry.memory.read(cell), back.memory.read(cell), before.get(cell))
                && let Some(step) = last.plus(&Form::atom(Atom::Coordinate(at)), -1)
                && let Some(sum) = self.summed(back, &step, &closed)?
            {
                found.insert(cell, Recurrence::Sum(first.clone(), sum));
            }
        }
        // What all compute out of the same in each round is the same for all, whatever it is.
        let same: Vec<u32> = before
            .iter()
            .filter(|(cell, _)| entry.memory.read(cell).is_some_and(|first| self.is_same(first)))
            .map(|(_, &at)| at)
            .collect();
        for cell in changed.difference(open) {
            if let (false, Some(first), Some(Value::Number(last))) =
                (found.contains_key(cell), entry.memory.read(cell), back.memory.read(cell))
                && self.is_unknown_of_all(first)
                && last.coordinates().all(|at| self.counts(at) || same.contains(&at))
            {
                found.insert(cell, Recurrence::Closed(self.numbered(Value::Same(0))));
            }
        }
        let open = || Recurrence::Closed(Value::Open);
        Ok(changed.iter().map(|cell| (cell.clone(), found.remove(cell).unwrap_or_else(open))).collect())
    }

    /// Whether it is the same for all that come here in the same round, whatever it is.
    fn is_unknown_of_all(&self, value: &Value) -> bool {
        matches!(value, Value::Same(_) | Value::Number(_)) && self.is_same(value)
    }

    /// Writes down what cells hold at the head of a round.
    fn claim(&mut self, claims: &[(Cell, Recurrence)], counter: &Counter, head: &mut State) -> Result<()> {
        let count = counter.count.clone();
        for (cell, recurrence) in claims {
            let value = match recurrence {
                Recurrence::Closed(value) => value.clone(),
                Recurrence::Multiplied(number, _) | Recurrence::Halved(number, _) => {
                    Value::Number(number.clone())
                }
                Recurrence::Before(first, then) => match counter.moved(then, -1) {
                    Some(then) => {
                        let begins = Condition::is(Some(Bound::zero(count.clone())));
                        self.either(head, &begins, &Value::Number(first.clone()), &Value::Number(then))?
                    }
                    None => Value::Open,
                },
                Recurrence::Sum(first, sum) => {
                    let at = self.new_coordinate();
                    let kept: Vec<Form> =
                        self.kept().into_iter().map(|at| Form::atom(Atom::Coordinate(at))).collect();
                    let before = before_round(sum, kept.len())?;
                    head.region = head.region.extended_by(&[at], &kept, &before, &self.parameters)?;
                    let value = first.plus(&Form::atom(Atom::Coordinate(at)), 1);
                    value.map_or(Value::Open, Value::Number)
                }
            };
            head.memory.write(cell.clone(), value);
        }
        Ok(())
    }

    /// The cells that do not hold, after a round, what is claimed of the next one.
    fn wrong(
        &self,
        claims: &[(Cell, Recurrence)],
        back: Option<&State>,
        counter: &Counter,
    ) -> Result<Vec<Cell>> {
        let Some(back) = back else { return Ok(Vec::new()) };
        let mut wrong = Vec::new();
        for (cell, recurrence) in claims {
            let claimed = match recurrence {
                Recurrence::Closed(Value::Open) => continue,
                Recurrence::Closed(Value::Number(form)) => counter.moved(form, 1),
                Recurrence::Before(_, then) => Some(then.clone()),
                Recurrence::Multiplied(number, factor) => number.times(*factor),
                Recurrence::Halved(number, is_exact) => {
                    let is_half = match back.memory.read(cell) {
                        Some(Value::Number(last)) if *is_exact => self.is_exact_half(back, last, number)?,
                        Some(Value::Number(last)) => self.is_half(back, last, number)?,
                        _ => false,
                    };
                    if !is_half {
                        wrong.push(cell.clone());
                    }
                    continue;
                }
                Recurrence::Sum(first, sum) => {
                    let holds = match back.memory.read(cell) {
                        Some(Value::Number(last)) => match last.plus(first, -1) {
                            Some(added) if has_all(&back.region, &added) => {
                                let kept = self.kept();
                                let of_region =
                                    back.region.relation("", &kept, &[added], &self.parameters)?;
                                of_region.is_subset(sum)?
                            }
                            _ => false,
                        },
                        _ => false,
                    };
                    if !holds {
                        wrong.push(cell.clone());
                    }
                    continue;
                }
                Recurrence::Closed(Value::Same(_)) => {
                    if !back.memory.read(cell).is_some_and(|value| self.is_unknown_of_all(value)) {
                        wrong.push(cell.clone());
                    }
                    continue;
                }
                Recurrence::Closed(value) => {
                    if back.memory.read(cell) != Some(value) {
                        wrong.push(cell.clone());
                    }
                    continue;
                }
            };
            let holds = match (claimed, back.memory.read(cell)) {
                (Some(claimed), Some(Value::Number(form)))
                    if claimed.coordinates().all(|at| back.region.coordinates.contains(&at)) =>
                {
                    back.region.implies(Bound::equal(&claimed, form), &self.parameters)?
                }
                _ => false,
            };
            if !holds {
                wrong.push(cell.clone());
            }
        }
        Ok(wrong)
    }

    /// What is left of a loop that does not communicate, and of which it is not known how often it goes round.
    fn forgetful(
        &mut self,
        part: Part<'_>,
        entry: &State,
        changed: &BTreeSet<Cell>,
        left: Leaving,
    ) -> Leaving {
        // Who leaves it where is not known.
        let is_one = left.out.len() + usize::from(left.returned.is_some()) == 1;
        let apart = (!is_one).then(|| self.ways_apart(part));
        let after = |state: &State| {
            let mut after = State { doubts: &state.doubts | &entry.doubts, ..entry.clone() };
            after.doubts.extend(apart);
            for cell in changed {
                after.memory.write(cell.clone(), Value::Open);
            }
            after
        };
        Leaving {
            back: None,
            out: left.out.into_iter().map(|(at, (block, state))| (at, (block, after(&state)))).collect(),
            returned: left.returned.map(|state| after(&state)),
        }
    }
}

/// Adds what is written and was known before the loop; whether that is more than was there.
fn grows(changed: &mut BTreeSet<Cell>, log: BTreeSet<Cell>, entry: &State) -> bool {
    let before = changed.len();
    changed.extend(log.into_iter().filter(|cell| entry.memory.read(cell).is_some()));
    before < changed.len()
}

/// Whether all coordinates of a form are those of a region.
pub(crate) fn has_all(region: &Region, form: &Form) -> bool {
    form.coordinates().all(|at| region.coordinates.contains(&at))
}
