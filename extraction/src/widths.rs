//! Widths of the digits that ranks are written with: what a program divides by, and what is the same for all.

use std::collections::{BTreeMap, BTreeSet};

use model::Digits;

use crate::assumption::Assumption;
use crate::digits::{DIGITS, with_np};
use crate::error::{GivenUp, Result};
use crate::extract::{Extractor, NP, Named, Text};
use crate::form::{Atom, Bound, Form};
use crate::region::Parameters;

/// A width with which processes should have one digit more: a parameter and a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    parameter: usize,
    more: i64,
    /// The number of the text of `main` where it is asked.
    text: i64,
    /// Whether others are better: its product with something is a number of its own.
    is_part: bool,
}

impl Extractor<'_> {
    /// The same program, to be followed with processes that have one digit more: in each way in which more may be linear, out of what was
    /// missed.
    pub(crate) fn with_more_digits(&self) -> Result<Vec<Self>> {
        self.with_digits_for(i64::MIN..=i64::MAX)
    }

    /// The same, out of what was missed at some places of the text of `main` first.
    pub(crate) fn with_digits_for(&self, texts: std::ops::RangeInclusive<i64>) -> Result<Vec<Self>> {
        let mut all = Vec::new();
        if DIGITS <= self.process.len() {
            return Ok(all);
        }
        let (here, elsewhere): (Vec<&Wanted>, Vec<&Wanted>) =
            self.wanted.iter().partition(|wanted| texts.contains(&wanted.text));
        let mut chosen: Vec<&Wanted> = Vec::new();
        // First what is asked here; among these, what is asked several times is asked last.
        let first: Vec<(usize, i64)> = here.iter().map(|wanted| (wanted.parameter, wanted.more)).collect();
        let elsewhere =
            elsewhere.into_iter().filter(|wanted| !first.contains(&(wanted.parameter, wanted.more)));
        for wanted in here.iter().copied().chain(elsewhere) {
            let is_same = |other: &&Wanted| (other.parameter, other.more) == (wanted.parameter, wanted.more);
            if wanted.is_part && chosen.iter().any(|other| is_same(other) && !other.is_part) {
                continue;
            }
            chosen.retain(|other| !is_same(other));
            chosen.push(wanted);
        }
        // Where a factor is a width, a product is written with two digits.
        let factors: BTreeSet<usize> =
            chosen.iter().filter(|wanted| !wanted.is_part).map(|wanted| wanted.parameter).collect();
        chosen.retain(|wanted| self.factors_of(wanted.parameter).iter().all(|at| !factors.contains(at)));
        chosen.sort_by_key(|wanted| wanted.is_part);
        for wanted in chosen {
            if self.parameters.widths.contains(&Atom::Parameter(wanted.parameter)) {
                continue;
            }
            // The number of processes is no width among others.
            let is_of_np = |width: &Atom| *width == Atom::Parameter(NP);
            if self.parameters.widths.iter().any(is_of_np)
                || (wanted.parameter == NP && (wanted.more != 0 || self.has_digits()))
            {
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
        let mut other = self.like_this(widths)?;
        *other.less.entry(wanted.parameter).or_insert(0) += wanted.more;
        Ok(other)
    }

    /// The same program, to be followed once more in the way in which it was followed here.
    pub(crate) fn once_more(&self) -> Result<Self> {
        self.like_this(self.parameters.widths.clone())
    }

    fn like_this(&self, widths: Vec<Atom>) -> Result<Self> {
        let mut other = Self::new(self.program, self.context.clone())?;
        other.parameters =
            Parameters { names: self.parameters.names.clone(), widths, identities: Vec::new() };
        other.parameter_names = self.parameter_names.clone();
        other.known_parameters = self.known_parameters.clone();
        other.meetings = self.meetings.clone();
        other.origins_of_numbers = self.origins_of_numbers.clone();
        other.less = self.less.clone();
        other.may_leave_out = self.may_leave_out;
        other.part = self.part.clone();
        other.parts_are_open = self.parts_are_open;
        other.powers = self.powers.clone();
        other.known_of_last = self.known_of_last.clone();
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

    /// The parameters that are missed as widths, each with the text of `main` where that is.
    pub(crate) fn wanted_at(&self) -> impl Iterator<Item = (&Text, usize)> {
        self.wanted.iter().filter_map(|wanted| Some((self.texts.get(&wanted.text)?, wanted.parameter)))
    }

    /// Notes that something would be linear if processes had digits of this width.
    pub(crate) fn want(&mut self, width: &Form) {
        self.note_wanted(width, false);
    }

    /// The same, if nothing else helps.
    pub(crate) fn want_part(&mut self, width: &Form) {
        self.note_wanted(width, true);
    }

    fn note_wanted(&mut self, width: &Form, is_part: bool) {
        let mut terms = width.terms();
        if let (Some((Atom::Parameter(parameter), factor)), None, true) =
            (terms.next(), terms.next(), width.is_linear())
            && (factor == 1 || (factor > 1 && width.constant == 0))
        {
            let wanted = Wanted { parameter, more: width.constant, text: self.text(), is_part };
            if !self.wanted.contains(&wanted) {
                self.wanted.push(wanted);
            }
        }
    }

    /// Follows the whole program, and says what is assumed of the widths of digits.
    pub(crate) fn follow_all(&mut self) -> Result<()> {
        self.run()?;
        for width in self.parameters.widths.clone() {
            let Atom::Parameter(at) = width else { continue };
            // A number of rounds and one more.
            let is_positive =
                self.not_negative.contains(&at) && self.less.get(&at).is_some_and(|less| *less > 0);
            let is_positive = is_positive || self.powers.contains_key(&at);
            if !is_positive && !self.is_silent_without(width)? {
                let widths = BTreeSet::from([self.parameters.names[at].clone()]);
                let name = self.names(&widths).remove(&self.parameters.names[at]);
                self.assume(Assumption::Positive(name.unwrap_or_default()));
            }
        }
        Ok(())
    }

    /// Whether nobody communicates where a width of digits is not positive.
    fn is_silent_without(&self, width: Atom) -> Result<bool> {
        let mut other = Self::new(self.program, self.context.clone())?;
        other.parameters = Parameters { names: self.parameters.names.clone(), ..Parameters::default() };
        other.parameter_names = self.parameter_names.clone();
        other.known_parameters = self.known_parameters.clone();
        other.meetings = self.meetings.clone();
        other.origins_of_numbers = self.origins_of_numbers.clone();
        other.less = self.less.clone();
        other.alone.extend(Bound::at_most(&Form::atom(width), &Form::default()));
        match other.follow_main() {
            Ok(_) => {
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
}
