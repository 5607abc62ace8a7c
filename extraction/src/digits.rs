//! Numbers that are written with digits.
//!
//! `rank / q` and `rank % q` are not linear where `q` is no number, but the rank is where it is written with two digits: the quotient and
//! the remainder. So processes have digits as coordinates, and their number has digits, too; a rank is a sum of products of digits and
//! widths. What is asked of such sums is linear in digits again. Both sides of `width * a + b >= 0`, with `|b| < times * width`, are
//! compared like numbers with digits: by `a` first, and by `b` where `a` is close to zero.

use std::collections::{BTreeMap, BTreeSet};

use frontend::ir::Span;

use model::Digits;
use presburger::Set;

use crate::assemble::Extracted;
use crate::assumption::Assumption;
use crate::communicators::Communicator;
use crate::error::{GivenUp, Result};
use crate::extract::{Extractor, Named};
use crate::form::{Atom, Bound, Form};
use crate::memory::Cell;
use crate::region::{Condition, Parameters, Region};

/// How often the lower part of a sum may have the width of the digits above it, at most.
const TIMES: i64 = 4;
/// Parts of a region that are looked at one by one, at most.
const PARTS: usize = 16;
/// Digits of a process, at most.
pub(crate) const DIGITS: usize = 4;

impl Parameters {
    /// The number with these digits, the highest first: one more than there are widths, or one.
    pub(crate) fn number(&self, digits: &[Form]) -> Option<Form> {
        let mut number = digits.first()?.clone();
        for (digit, width) in digits[1..].iter().zip(&self.widths) {
            number = number.multiplied(&Form::atom(*width))?.plus(digit, 1)?;
        }
        Some(number)
    }

    /// The numbers that are multiplied with widths in a form, such that [`Self::number`] is the form again.
    fn parts(&self, form: &Form) -> Option<Vec<Form>> {
        let mut parts = Vec::new();
        let mut above = form.clone();
        for width in self.widths.iter().rev() {
            let (multiple, rest) = above.divided(*width);
            parts.push(rest);
            above = multiple;
        }
        parts.push(above);
        parts.reverse();
        parts.iter().all(Form::is_linear).then_some(parts)
    }

    /// What holds of the digits of any number: each but the highest is below its width.
    pub(crate) fn bounds(&self, digits: &[Form]) -> Vec<Bound> {
        let mut bounds = Vec::new();
        for (digit, width) in digits.iter().skip(1).zip(&self.widths) {
            bounds.push(Bound::not_negative(digit.clone()));
            bounds.extend(Bound::below(digit, &Form::atom(*width)));
        }
        bounds
    }
}

/// Gives the parameters that say how many processes there are their values, given the widths of digits.
pub(crate) fn with_np(digits: Option<&Digits>, np: i64, values: &mut BTreeMap<String, i64>) {
    let Some(Digits { widths, count }) = digits else {
        values.insert("np".to_owned(), np);
        return;
    };
    let mut left = np;
    for (at, digit) in count.iter().enumerate().rev() {
        let width = at.checked_sub(1).and_then(|at| values.get(&widths[at])).copied();
        let width = width.filter(|width| *width > 0);
        values.insert(digit.clone(), width.map_or(left, |width| left.rem_euclid(width)));
        left = width.map_or(0, |width| left.div_euclid(width));
    }
}

/// A width with which processes should have one digit more: a parameter and a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    parameter: usize,
    more: i64,
}

/// How a program was followed before a loop.
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
    written: Vec<BTreeSet<Cell>>,
}

/// `a < b` for numbers with these digits.
pub(crate) fn below(a: &[Form], b: &[Form]) -> Condition {
    let mut any = Vec::new();
    for at in 0..a.len().min(b.len()) {
        let mut all: Vec<Condition> =
            a[..at].iter().zip(b).map(|(a, b)| Condition::is(Bound::equal(a, b))).collect();
        all.push(Condition::is(Bound::below(&a[at], &b[at])));
        any.push(Condition::All(all));
    }
    Condition::Any(any)
}

impl Extractor<'_> {
    /// The same program, to be followed with processes that have one digit more: in each way in which more may be linear, out of what was
    /// missed.
    pub(crate) fn with_more_digits(&self) -> Result<Vec<Self>> {
        let mut all = Vec::new();
        if DIGITS <= self.process.len() {
            return Ok(all);
        }
        for wanted in &self.wanted {
            if self.parameters.widths.contains(&Atom::Parameter(wanted.parameter)) {
                continue;
            }
            for at in 0..=self.parameters.widths.len() {
                let mut widths = self.parameters.widths.clone();
                widths.insert(at, Atom::Parameter(wanted.parameter));
                all.push(self.with_widths(widths, wanted)?);
            }
        }
        Ok(all)
    }

    /// The same program, to be followed with processes that have digits of these widths, one of which is new.
    fn with_widths(&self, widths: Vec<Atom>, wanted: &Wanted) -> Result<Self> {
        let mut other = Self::new(self.program, self.context.clone())?;
        other.parameters = Parameters { names: self.parameters.names.clone(), widths };
        other.parameter_names = self.parameter_names.clone();
        other.known_parameters = self.known_parameters.clone();
        other.less = self.less.clone();
        *other.less.entry(wanted.parameter).or_insert(0) += wanted.more;
        other.process.clear();
        other.count.clear();
        for at in 0..=other.parameters.widths.len() {
            let process = other.new_coordinate();
            other.process.push(process);
            let number = other.parameters.names.len();
            other.parameters.names.push(format!("n{number}"));
            other.parameter_names.push(Named::Digit(at));
            other.count.push(Form::atom(Atom::Parameter(number)));
        }
        other.made = vec![other.of_all()?];
        Ok(other)
    }

    /// Notes that something would be linear if processes had digits of this width.
    pub(crate) fn want(&mut self, width: &Form) {
        let mut terms = width.terms();
        if let (Some((Atom::Parameter(parameter), 1)), None, true) =
            (terms.next(), terms.next(), width.is_linear())
        {
            let wanted = Wanted { parameter, more: width.constant };
            if !self.wanted.contains(&wanted) {
                self.wanted.push(wanted);
            }
        }
    }

    /// All that the program communicates.
    pub(crate) fn all(&mut self) -> Result<Extracted> {
        self.run()?;
        for width in self.parameters.widths.clone() {
            if !self.is_silent_without(width)? {
                let names = self.names();
                let name = match width {
                    Atom::Parameter(at) => names.get(&self.parameters.names[at]),
                    Atom::Coordinate(_) => None,
                };
                self.assume(Assumption::Positive(name.cloned().unwrap_or_default()));
            }
        }
        self.assemble()
    }

    /// Whether nobody communicates where a width of digits is not positive.
    fn is_silent_without(&self, width: Atom) -> Result<bool> {
        let mut other = Self::new(self.program, self.context.clone())?;
        other.parameters = Parameters { names: self.parameters.names.clone(), widths: Vec::new() };
        other.parameter_names = self.parameter_names.clone();
        other.known_parameters = self.known_parameters.clone();
        other.less = self.less.clone();
        other.alone.extend(Bound::at_most(&Form::atom(width), &Form::default()));
        match other.run() {
            Ok(()) => {
                for event in &other.events {
                    if !event.region.is_empty()? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Err(GivenUp::Program { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Whether processes have digits.
    pub(crate) fn has_digits(&self) -> bool {
        !self.parameters.widths.is_empty()
    }

    /// The coordinates of a process.
    pub(crate) fn process(&self) -> Vec<Form> {
        self.process.iter().map(|&at| Form::atom(Atom::Coordinate(at))).collect()
    }

    /// Its rank.
    pub(crate) fn rank(&self) -> Form {
        self.parameters.number(&self.process()).unwrap_or_default()
    }

    /// How many processes there are.
    pub(crate) fn number_of_processes(&self) -> Form {
        self.parameters.number(&self.count).unwrap_or_default()
    }

    /// All processes, of any number of these.
    pub(crate) fn everybody(&self) -> Result<Region> {
        let parameters = &self.parameters;
        let mut region = Region::of(&self.context, self.process.clone())?;
        let process = self.process();
        let mut bounds = vec![Bound::not_negative(process[0].clone())];
        bounds.extend(parameters.bounds(&process));
        region = region.bounded(&bounds, parameters)?.meet(&below(&process, &self.count), parameters)?;
        region.bounded(&self.of_count(), parameters)
    }

    /// The communicator of all.
    pub(crate) fn of_all(&self) -> Result<Communicator> {
        Communicator::of_all(&self.everybody()?, &self.process(), &self.parameters)
    }

    /// Chooses so many processes, given other parameters.
    pub(crate) fn choose_count(&self, values: &mut BTreeMap<String, i64>, np: i64) {
        let digits = self.digits();
        for width in digits.iter().flat_map(|digits| &digits.widths) {
            values.entry(width.clone()).or_insert(2);
        }
        with_np(digits.as_ref(), np, values);
    }

    /// Small widths of digits, and a small highest digit of the number of processes: another choice for each number.
    pub(crate) fn few_digits(&self, number: i64) -> BTreeMap<String, i64> {
        let Some(Digits { widths, count }) = self.digits() else { return BTreeMap::new() };
        let mut few: BTreeMap<String, i64> =
            (0..).zip(widths).map(|(at, width)| (width, (number + at) % 3 + 1)).collect();
        few.extend(count.first().map(|highest| (highest.clone(), number / 3 + 1)));
        few
    }

    /// A number as one form, or as its digits where it has products. `None` where these are not known.
    pub(crate) fn written(&mut self, region: &Region, number: &Form) -> Result<Option<(Region, Vec<Form>)>> {
        if number.is_linear() {
            return Ok(Some((region.clone(), vec![number.clone()])));
        }
        self.as_process(region, number)
    }

    /// A number as the numbers that are multiplied with widths of digits in it. `None` where others are multiplied, too.
    pub(crate) fn parts(&self, number: &Form) -> Option<Vec<Form>> {
        self.parameters.parts(number)
    }

    /// All of some regions, each with its value, which have more coordinates than these at most: those are dropped.
    pub(crate) fn in_cases(
        &mut self,
        coordinates: &[u32],
        cases: &[(Region, Form)],
    ) -> Result<Option<(Region, Form)>> {
        let is_linear = cases.iter().all(|(_, value)| value.is_linear());
        let count = if is_linear { 1 } else { self.process.len() };
        let at: Vec<u32> = (0..count).map(|_| self.new_coordinate()).collect();
        let mut all: Option<Region> = None;
        for (region, value) in cases {
            let Some(part) = region.defined(&at, value, &self.parameters)? else { return Ok(None) };
            let part = part.projected(&[coordinates, &at].concat())?;
            all = Some(match all {
                Some(all) => all.union(&part)?,
                None => part,
            });
        }
        let digits: Vec<Form> = at.iter().map(|&at| Form::atom(Atom::Coordinate(at))).collect();
        Ok(all.zip(self.parameters.number(&digits)))
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
            written: self.written.clone(),
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
        self.written = mark.written;
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

    /// A rank as the coordinates of the process.
    pub(crate) fn as_process(&mut self, region: &Region, rank: &Form) -> Result<Option<(Region, Vec<Form>)>> {
        if !self.has_digits() {
            return Ok(Some((region.clone(), vec![rank.clone()])));
        }
        let at: Vec<u32> = self.process.clone().into_iter().map(|_| self.new_coordinate()).collect();
        let digits = at.iter().map(|&at| Form::atom(Atom::Coordinate(at))).collect();
        Ok(region.with_digits(&at, rank, &self.parameters)?.map(|region| (region, digits)))
    }

    /// A rank of a communicator as it numbers its processes.
    pub(crate) fn as_rank(
        &mut self,
        region: &Region,
        rank: &Form,
        of: &Communicator,
    ) -> Result<Option<(Region, Vec<Form>)>> {
        if of.length == 1 && !rank.is_linear() {
            return Ok(None);
        }
        if of.length == 1 { self.written(region, rank) } else { self.as_process(region, rank) }
    }

    /// The parameters that say how many processes there are.
    pub(crate) fn of_np(&self) -> Result<Vec<String>> {
        Ok(self.from_np(1)?.parameters()?)
    }

    /// How ranks are written.
    pub(crate) fn digits(&self) -> Option<Digits> {
        let name = |atom: Atom| match atom {
            Atom::Parameter(at) => Some(self.parameters.names[at].clone()),
            Atom::Coordinate(_) => None,
        };
        let widths: Vec<String> = self.parameters.widths.iter().filter_map(|&width| name(width)).collect();
        let count = self.count.iter().filter_map(|digit| name(digit.as_atom()?)).collect();
        self.has_digits().then_some(Digits { widths, count })
    }

    /// A digit of a number as an expression.
    pub(crate) fn digit(&self, of: &str, at: usize, names: &BTreeMap<String, String>) -> Option<String> {
        let widths: Vec<&String> = (self.parameters.widths.iter())
            .map(|width| match width {
                Atom::Parameter(at) => names.get(&self.parameters.names[*at]),
                Atom::Coordinate(_) => None,
            })
            .collect::<Option<_>>()?;
        let mut text = of.to_owned();
        match &widths[at.min(widths.len())..] {
            [] => {}
            [one] => text += &format!(" / {one}"),
            several => {
                let several: Vec<&str> = several.iter().map(|width| width.as_str()).collect();
                text += &format!(" / ({})", several.join(" * "));
            }
        }
        if let Some(own) = at.checked_sub(1).and_then(|at| widths.get(at)) {
            text += &format!(" % {own}");
        }
        Some(format!("({text})"))
    }

    /// The quotient of a number that is written with digits by one that is not, with digits, too, and the remainder.
    pub(crate) fn divided_by_number(
        &mut self,
        region: &Region,
        of: &Form,
        by: i64,
    ) -> Result<Option<(Region, Form, Form)>> {
        let at: Vec<u32> = self.process.clone().into_iter().map(|_| self.new_coordinate()).collect();
        let digits: Vec<Form> = at.iter().map(|&at| Form::atom(Atom::Coordinate(at))).collect();
        let Some(quotient) = self.parameters.number(&digits) else { return Ok(None) };
        let Some(rest) = of.plus(&quotient, -by) else { return Ok(None) };
        let mut extended = region.clone();
        for (&at, digit) in at.iter().zip(&digits) {
            extended =
                extended.extended(at, &[vec![Bound::not_negative(digit.clone())]], &self.parameters)?;
        }
        let extended = extended.bounded(&self.parameters.bounds(&digits), &self.parameters)?;
        let bounds = [Some(Bound::not_negative(rest.clone())), Bound::below(&rest, &Form::number(by))];
        let bounds: Vec<Bound> = bounds.into_iter().flatten().collect();
        let region = extended.where_linear(&bounds, &self.parameters)?;
        Ok(region.map(|region| (region, quotient, rest)))
    }

    /// A product, where that is a number or one of the factors is a width of digits.
    pub(crate) fn product(&mut self, a: &Form, b: &Form) -> Option<Form> {
        if let Some(product) = a.product(b) {
            return Some(product);
        }
        let widths = &self.parameters.widths;
        // A sum of widths, or what is the same for all and is asked whether a loop is left.
        let is_of_widths = |form: &Form| {
            let is_sum = form.is_linear() && form.terms().all(|(atom, _)| widths.contains(&atom));
            form.is_product_of(widths) || is_sum
        };
        let is_of_all = |form: &Form| form.is_linear() && form.coordinates().all(|at| self.counts(at));
        if is_of_widths(a) || is_of_widths(b) || (self.has_digits() && is_of_all(a) && is_of_all(b)) {
            return a.multiplied(b);
        }
        for form in [a, b] {
            for atom in form.factors() {
                self.want(&Form::atom(atom));
            }
            self.want(form);
        }
        None
    }

    /// The parts `multiple` and `rest` of a number that is `multiple * width + rest`, where the width is one of digits, or of several.
    pub(crate) fn multiple(&self, number: &Form, width: &Form) -> Option<(Form, Form)> {
        if !width.is_product_of(&self.parameters.widths) {
            return None;
        }
        let mut rest = Form::default();
        let (mut multiple, mut unit) = (number.clone(), Form::number(1));
        for atom in width.product_of()? {
            let (above, below) = multiple.divided(atom);
            rest = rest.plus(&below.multiplied(&unit)?, 1)?;
            unit = unit.multiplied(&Form::atom(atom))?;
            multiple = above;
        }
        Some((multiple, rest))
    }

    /// What holds of the digits of the number of processes.
    fn of_count(&self) -> Vec<Bound> {
        let mut bounds = self.parameters.bounds(&self.count);
        bounds.extend(
            self.parameters
                .widths
                .iter()
                .filter_map(|width| Bound::at_most(&Form::number(1), &Form::atom(*width))),
        );
        if self.has_digits() {
            bounds.push(Bound::not_negative(self.count[0].clone()));
        }
        bounds
    }

    /// The parameters with so many processes or more.
    pub(crate) fn from_np(&self, least: i64) -> Result<Set> {
        let nothing = Region::of(&self.context, Vec::new())?.bounded(&self.of_count(), &self.parameters)?;
        let enough = Bound::at_most(&Form::number(least), &self.number_of_processes());
        let enough: Vec<Bound> = enough.into_iter().collect();
        Ok(nothing.bounded(&enough, &self.parameters)?.set.parameter_domain()?)
    }
}

impl Region {
    /// The same condition without products, as it is in this region. `None` where that is not known.
    pub(crate) fn linear(&self, bound: &Bound, parameters: &Parameters) -> Result<Option<Condition>> {
        if bound.form.is_linear() {
            return Ok(Some(Condition::is(Some(bound.clone()))));
        }
        if !bound.form.coordinates().all(|at| self.coordinates.contains(&at)) {
            return Ok(None);
        }
        if let Some(condition) = self.compared(bound, parameters)? {
            return Ok(Some(condition));
        }
        // Part by part, by what it is about alone.
        let mut coordinates: Vec<u32> = bound.form.coordinates().collect();
        coordinates.sort_unstable();
        coordinates.dedup();
        let mut about = self.projected(&coordinates)?;
        let used = bound.form.parameters();
        for name in about.set.parameters()? {
            if !used.iter().any(|&at| parameters.names[at] == name) {
                about.set = about.set.project_out_parameter(&name)?;
            }
        }
        let parts = about.set.coalesce()?.conjunctions()?;
        if PARTS < parts.len() {
            return Ok(None);
        }
        let mut inside = about.set.subtract(&about.set)?;
        for set in parts {
            let part = Self { coordinates: coordinates.clone(), set };
            let Some(condition) = part.compared(bound, parameters)? else { return Ok(None) };
            inside = inside.union(&part.meet(&condition, parameters)?.set)?;
        }
        let outside = about.set.subtract(&inside)?;
        Ok(Some(Condition::Points { coordinates, inside, outside }))
    }

    /// The same condition without products, by the widths of digits, above and below which a number is compared.
    fn compared(&self, bound: &Bound, parameters: &Parameters) -> Result<Option<Condition>> {
        let zero = Form::default();
        for atom in bound.form.factors() {
            let width = Form::atom(atom);
            let (above, rest) = bound.form.divided(atom);
            if !self.implies(Bound::at_most(&Form::number(1), &width), parameters)? {
                continue;
            }
            if self.implies(Some(Bound::zero(above.clone())), parameters)? {
                return self.linear(&Bound { form: rest, ..bound.clone() }, parameters);
            }
            // Both parts on one side of zero.
            for sign in [1, -1] {
                let (Some(x), Some(y)) = (above.times(sign), rest.times(sign)) else { continue };
                if !self.implies(Some(Bound::not_negative(x.clone())), parameters)?
                    || !self.implies(Some(Bound::not_negative(y.clone())), parameters)?
                {
                    continue;
                }
                if sign > 0 && !bound.is_equation {
                    return Ok(Some(Condition::Holds(true)));
                }
                if self.implies(Bound::below(&zero, &y), parameters)?
                    || self.implies(Bound::below(&zero, &x), parameters)?
                {
                    return Ok(Some(Condition::Holds(false)));
                }
                let [x, y] = [x, y].map(|form| self.linear(&Bound::zero(form), parameters));
                let (Some(x), Some(y)) = (x?, y?) else { continue };
                return Ok(Some(Condition::All(vec![x, y])));
            }
            let Some(times) = self.times(&rest, &width, parameters)? else { continue };
            let parts = (&above, &rest);
            if let Some(condition) = self.by_parts(bound.is_equation, parts, (&width, times), parameters)? {
                return Ok(Some(condition));
            }
        }
        Ok(None)
    }

    /// The least number such that `|rest| < number * width`.
    fn times(&self, rest: &Form, width: &Form, parameters: &Parameters) -> Result<Option<i64>> {
        for times in 1..=TIMES {
            let (Some(above), Some(below)) = (width.times(times), width.times(-times)) else { break };
            if self.implies(Bound::below(rest, &above), parameters)?
                && self.implies(Bound::below(&below, rest), parameters)?
            {
                return Ok(Some(times));
            }
        }
        Ok(None)
    }

    /// `width * above + rest`, with `|rest| < times * width`, is zero or not negative.
    fn by_parts(
        &self,
        is_equation: bool,
        (above, rest): (&Form, &Form),
        (width, times): (&Form, i64),
        parameters: &Parameters,
    ) -> Result<Option<Condition>> {
        let mut any = Vec::new();
        if !is_equation {
            let far = Bound::at_most(&Form::number(times), above);
            let Some(far) = self.linear_of(far, parameters)? else { return Ok(None) };
            any.push(far);
        }
        for number in 1 - times..times {
            let here = self.linear_of(Bound::equal(above, &Form::number(number)), parameters)?;
            let form = rest.plus(width, number);
            let below = self.linear_of(form.map(|form| Bound { form, is_equation }), parameters)?;
            let (Some(here), Some(below)) = (here, below) else { return Ok(None) };
            any.push(Condition::All(vec![here, below]));
        }
        Ok(Some(Condition::Any(any)))
    }

    fn linear_of(&self, bound: Option<Bound>, parameters: &Parameters) -> Result<Option<Condition>> {
        match bound {
            Some(bound) => self.linear(&bound, parameters),
            None => Ok(None),
        }
    }

    /// Where all bounds hold. `None` where that is not known of products.
    pub(crate) fn where_linear(&self, bounds: &[Bound], parameters: &Parameters) -> Result<Option<Self>> {
        let mut region = self.clone();
        for bound in bounds {
            let Some(condition) = region.linear(bound, parameters)? else { return Ok(None) };
            region = region.meet(&condition, parameters)?;
        }
        Ok(Some(region))
    }

    /// With new coordinates: the value of a form, or the numbers that are multiplied with widths in it. `None` where others are multiplied,
    /// too.
    pub(crate) fn defined(&self, at: &[u32], form: &Form, parameters: &Parameters) -> Result<Option<Self>> {
        let parts = if at.len() == 1 { Some(vec![form.clone()]) } else { parameters.parts(form) };
        let Some(parts) = parts else { return Ok(None) };
        let mut region = self.clone();
        for (&at, part) in at.iter().zip(&parts) {
            let same: Vec<Bound> =
                Bound::equal(&Form::atom(Atom::Coordinate(at)), part).into_iter().collect();
            region = region.extended(at, &[same], parameters)?;
        }
        Ok(Some(region))
    }

    /// With new coordinates: the digits of a number. `None` where these are not known.
    pub(crate) fn with_digits(
        &self,
        at: &[u32],
        number: &Form,
        parameters: &Parameters,
    ) -> Result<Option<Self>> {
        let digits: Vec<Form> = at.iter().map(|&at| Form::atom(Atom::Coordinate(at))).collect();
        let Some(same) = parameters.number(&digits).and_then(|of_digits| Bound::equal(&of_digits, number))
        else {
            return Ok(None);
        };
        let mut region = self.clone();
        for &at in at {
            region = region.extended(at, &[Vec::new()], parameters)?;
        }
        let region = region.bounded(&parameters.bounds(&digits), parameters)?;
        region.where_linear(&[same], parameters)
    }
}
